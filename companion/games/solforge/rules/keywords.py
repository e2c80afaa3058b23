"""SolForge's keywords, each defined once: its name, whether it has a number, and when it needs a reminder.

Keywords that the rules compute (Armor, Poison, …) need no reminder; the others are text on the card.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping
from difflib import get_close_matches
from types import MappingProxyType
from typing import Final, Literal, NamedTuple

from companion.tabletop.action import RuleError
from companion.tabletop.notation.arguments import Word, write_word

Moment = Literal["forged", "unopposed", "replaced", "moved", "died", "rank"]
"""The moment at which a keyword acts; `unopposed`: Forged opposite an empty lane, `replaced`: over another creature."""


class SolForgeKeyword(NamedTuple):
    """One keyword (R4.14–R4.20). `text` is its effect; `on_player`: a player can have it too (A4.11)."""

    title: str
    text: str
    numbered: bool = False
    on_player: bool = False
    when: Moment | None = None


KEYWORDS: Final[Mapping[str, SolForgeKeyword]] = MappingProxyType(
    {
        "aggressive": SolForgeKeyword("Aggressive", "as if awake, and always on the offensive"),
        "armor": SolForgeKeyword("Armor", "prevents so much damage each turn", numbered=True, on_player=True),
        "breakthrough": SolForgeKeyword("Breakthrough", "damage above the defender's health goes to the player"),
        "defender": SolForgeKeyword("Defender", "never starts a fight"),
        "mobility": SolForgeKeyword("Mobility", "moves so many lanes, once a turn", numbered=True),
        "poison": SolForgeKeyword("Poison", "so much damage at the start of each turn", numbered=True, on_player=True),
        "regenerate": SolForgeKeyword(
            "Regenerate", "heals so much at the start of each turn", numbered=True, on_player=True
        ),
        "activate": SolForgeKeyword("Activate", "its ability may be used once a turn"),
        "overload": SolForgeKeyword("Overload", "removed when played, instead of discarded"),
        "forge": SolForgeKeyword("Forge", "acts when Forged from the hand", when="forged"),
        "allied": SolForgeKeyword("Allied", "acts when Forged with a card of its faction in hand", when="forged"),
        "assault": SolForgeKeyword("Assault", "acts when Forged opposite an empty lane", when="unopposed"),
        "upgrade": SolForgeKeyword("Upgrade", "acts when Forged over another creature", when="replaced"),
        "flank": SolForgeKeyword("Flank", "acts when it moves to another lane", when="moved"),
        "vengeance": SolForgeKeyword("Vengeance", "acts when it dies", when="died"),
        "gain-rank": SolForgeKeyword(
            "Gain Rank", "acts at the end of its player's fourth turn of the rank", when="rank"
        ),
        "ambush": SolForgeKeyword("Ambush", "Spawns from the hand in the opponent's turn"),
        "banish": SolForgeKeyword("Banish", "removes from the game"),
        "consistent": SolForgeKeyword("Consistent", "is shuffled into the first 20 cards"),
        "negate": SolForgeKeyword("Negate", "takes a keyword away for good"),
        "solbind": SolForgeKeyword("Solbind", "adds cards to the deck before the game"),
        "replace": SolForgeKeyword("Replace", "puts a new creature in the place of another, which does not die"),
        "spawn": SolForgeKeyword("Spawn", "brings creatures into random empty lanes"),
    }
)

KEYWORD: Final = Word("KEYWORD", str.lower, write_word, choices=tuple(KEYWORDS))

Held = Mapping[str, int]
"""The keywords of something, each with its number (0 if it has none)."""


def find_keyword(name: str) -> SolForgeKeyword:
    """Return the keyword of that name. Raises RuleError if there is none."""
    keyword = KEYWORDS.get(name)
    if keyword is None:
        near = get_close_matches(name, KEYWORDS, n=2, cutoff=0.5)
        meant = f"did you mean {' or '.join(near)}?" if near else f"known are {', '.join(KEYWORDS)}."
        raise RuleError(f"“{name}” is no keyword (R4.20); {meant}")
    return keyword


def read_keyword(word: str) -> tuple[str, int]:
    """Read a keyword: `armor=2` → (`armor`, 2); 0 if the keyword has no number. Raises RuleError."""
    name, equals, number = word.partition("=")
    keyword = find_keyword(name)
    if not keyword.numbered:
        if equals:
            raise RuleError(f"{keyword.title} has no number (R4.20); write {name} alone.")
        return name, 0
    if not (number.isascii() and number.isdecimal() and int(number)):
        raise RuleError(f"{keyword.title} needs a number (R4.14–R4.18); write it as {name}=2.")
    return name, int(number)


def read_keywords(words: Iterable[str]) -> Held:
    """Read all keywords of a card. Raises RuleError if one is unknown, or appears twice."""
    held: dict[str, int] = {}
    for word in words:
        name, number = read_keyword(word)
        if name in held:
            raise RuleError(f"{KEYWORDS[name].title} stands twice; say it once.")
        held[name] = number
    return held


def format_keyword(name: str, number: int) -> str:
    """Return the text on a card: `Armor 2`, `Aggressive`."""
    title = KEYWORDS[name].title
    return f"{title} {number}" if number else title


def acting_keywords(held: Held, moments: Container[str | None]) -> Iterator[SolForgeKeyword]:
    """Return an iterator over the keywords whose card text acts at these moments, the newest first (R4.21)."""
    return (KEYWORDS[name] for name in reversed(tuple(held)) if KEYWORDS[name].when in moments)
