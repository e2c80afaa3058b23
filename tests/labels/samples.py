"""Labels that the tests print: ordinary ones, and the longest there can be of every design."""

from labels.designs import Blank, BoxLabel, Creature, GloryLabel, Inscription, MonsterLabel, Plain, Tier

EASY = Tier("Easy", "▲", "#8A5A00")
HARD = Tier("Hard", "▲▲▲", "#7A1020")
UNCOMMON = Tier("Uncommon", "■", "#1B6B42")

SWIFT = MonsterLabel("Swift", "ATK +1 in the first round of the fight.", EASY)
ECHO = Inscription("Echo", "Its Convert counts twice.", UNCOMMON)

_LONG_EFFECT = "Whenever somebody dodges successfully, everybody immediately draws 1."
_LONG_NAME = "The Everlasting Congregation"


def box_label(name: str = "The Ashen Court", number: int = 0) -> BoxLabel:
    """A box label with a code of its own for each number."""
    return BoxLabel(name, *_code(number), (f"Glory {number} · {number % 20} dungeons",))


def glory_label(name: str = "The Ashen Court", number: int = 0, glory: int = 12) -> GloryLabel:
    """A Glory label with a code of its own for each number."""
    return GloryLabel(name, glory, *_code(number))


def _code(number: int) -> tuple[str, str]:
    symbols = f"{number:012}C"
    return "-".join(symbols[start : start + 4] for start in range(0, 13, 4)), f"DECK:{symbols}"


LONGEST = (
    MonsterLabel("Extraordinary Gluttony", "Heals 3 whenever somebody, anybody at all, is brought to 0 by it.", HARD),
    MonsterLabel("Extraordinary Gluttony", "Heals 3 whenever somebody is brought to 0 by it.", HARD, "10♠"),
    Inscription("Counterintelligence", _LONG_EFFECT, UNCOMMON),
    Inscription("Counterintelligence", _LONG_EFFECT, UNCOMMON, "10♠"),
    Creature("Grandmother of the Seven Depths", 30, 5, legend=True, card="A♦", band=_LONG_NAME),
    Creature("Imp", 6, 1, card="BJ", band=_LONG_NAME),
    Plain("Counterintelligence of the Depths", _LONG_EFFECT),
    Blank(UNCOMMON),
    Blank(),
)
"""Every design that bears no code, with as much on it as there can reasonably be."""

LONGEST_CODED = (
    box_label(_LONG_NAME, 999),
    glory_label(_LONG_NAME, 999, glory=1234),
)
"""Every design that bears one."""
