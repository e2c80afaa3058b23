"""Labels that the tests print: ordinary ones, and the longest there can be of every design."""

from labels import designfile
from labels.designs import (
    BlankLabel,
    BoxLabel,
    CountLabel,
    EffectLabel,
    FiguresLabel,
    HeadedLabel,
    Plain,
    StripLabel,
    TierMark,
)
from labels.designs.own import OwnLabel

EASY = TierMark("Easy", "▲", "#8A5A00")
HARD = TierMark("Hard", "▲▲▲", "#7A1020")
UNCOMMON = TierMark("Uncommon", "■", "#1B6B42")
LEGEND = TierMark("Legend", "★")

SWIFT = HeadedLabel("Swift", "ATK +1 in the first round of the fight.", EASY)
ECHO = EffectLabel("Echo", "Its Convert counts twice.", UNCOMMON)

_LONG_EFFECT = "Whenever somebody dodges successfully, everybody immediately draws 1."
_LONG_NAME = "The Everlasting Congregation"


def box_label(name: str = "The Ashen Court", number: int = 0) -> BoxLabel:
    """A box label with a code of its own for each number."""
    return BoxLabel(name, *_code(number), (f"Glory {number} · {number % 20} dungeons",))


def count_label(name: str = "The Ashen Court", number: int = 0, figure: int = 12) -> CountLabel:
    """A label with one large figure and a code of its own for each number."""
    return CountLabel(name, "Glory", figure, *_code(number))


def figures(title: str, hp: int, atk: int, legend: bool = False, card: str = "", note: str = "") -> FiguresLabel:
    """A creature's label."""
    return FiguresLabel(title, (("HP", str(hp)), ("ATK", str(atk))), LEGEND if legend else None, card, note)


def _code(number: int) -> tuple[str, str]:
    symbols = f"{number:012}C"
    return "-".join(symbols[start : start + 4] for start in range(0, 13, 4)), f"DECK:{symbols}"


DAMAGE = StripLabel("Damage", (("", f"{' '.join(map(str, range(1, 30)))} 30*"),), "out at 30")
"""Thirty boxes, the last of them dark."""
TENS_AND_ONES = StripLabel(
    "Life", (("TENS", " ".join(map(str, range(14)))), ("ONES", " ".join(map(str, range(10))))), "from 137"
)
DRAKE = FiguresLabel(
    "Grandmother Drake",
    (("POWER", "16/13"), ("ENDURANCE", "15")),
    TierMark("Level 3", "3", "#7A1020"),
    effect="Fast Hand, Impale, XP 12, Fire Creature",
)

LONGEST = (
    HeadedLabel("Extraordinary Gluttony", "Heals 3 whenever somebody, anybody at all, is brought to 0 by it.", HARD),
    HeadedLabel("Extraordinary Gluttony", "Heals 3 whenever somebody is brought to 0 by it.", HARD, "10♠"),
    EffectLabel("Counterintelligence", _LONG_EFFECT, UNCOMMON),
    EffectLabel("Counterintelligence", _LONG_EFFECT, UNCOMMON, "10♠"),
    figures("Grandmother of the Seven Depths", 30, 5, legend=True, card="A♦", note=_LONG_NAME),
    figures("Imp", 6, 1, card="BJ", note=_LONG_NAME),
    DRAKE,
    DAMAGE,
    TENS_AND_ONES,
    Plain("Counterintelligence of the Depths", _LONG_EFFECT),
    BlankLabel(UNCOMMON),
    BlankLabel(),
)
"""Every design but those of box labels, with as much on it as there can reasonably be; new ones come last."""

LONGEST_CODED = (
    box_label(_LONG_NAME, 999),
    count_label(_LONG_NAME, 999, figure=1234),
)
"""Every design that bears the code of a box, as its `payload`."""


def own(parts: str, *words: str) -> OwnLabel:
    """A label in a design that has these parts, which say that."""
    return OwnLabel(designfile.parse_design(parts, "jar", "jar.toml"), words)
