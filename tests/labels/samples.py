"""Labels that the tests print: ordinary ones, and the longest there can be."""

from labels.designs import BoxLabel, Inscription, MonsterLabel, Tier

EASY = Tier("Easy", "▲", "#8A5A00")
HARD = Tier("Hard", "▲▲▲", "#7A1020")
UNCOMMON = Tier("Uncommon", "■", "#1B6B42")

SWIFT = MonsterLabel("Swift", "ATK +1 in the first round of the fight.", EASY)
ECHO = Inscription("Echo", "Its Convert counts twice.", UNCOMMON)

LONGEST = (
    MonsterLabel("Extraordinary Gluttony", "Heals 3 whenever somebody, anybody at all, is brought to 0 by it.", HARD),
    Inscription(
        "Counterintelligence", "Whenever somebody dodges successfully, everybody immediately draws 1.", UNCOMMON
    ),
)


def box_label(name: str = "The Ashen Court", number: int = 0) -> BoxLabel:
    """A box label with a code of its own for each number."""
    symbols = f"{number:012}C"
    shown = "-".join(symbols[start : start + 4] for start in range(0, 13, 4))
    return BoxLabel(name, shown, f"DECK:{symbols}", (f"Glory {number} · {number % 20} dungeons",))
