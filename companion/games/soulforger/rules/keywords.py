"""The keywords of Soul-Forger (R2.27): their effects, and the moments of their reminders.

Keywords that a fight, an attack or a summons computes have no moment; all others are reminders.
"""

from __future__ import annotations

from difflib import get_close_matches
from typing import Final, Literal, NamedTuple

from companion.tabletop.action import RuleError
from companion.tabletop.notation.arguments import Many, Word

Moment = Literal[
    "enters", "destroyed", "own-side", "kills", "combat-damage", "other-damage", "spell", "on-flow", "answer"
]
"""The moment of a reminder. A keyword without one is computed, or its moment does not show at the table."""


class SoulForgerKeyword(NamedTuple):
    """A keyword: its effect in one sentence, and the moment of its reminder."""

    effect: str
    moment: Moment | Literal[""] = ""


KEYWORDS: Final[dict[str, SoulForgerKeyword]] = {
    "absorb": SoulForgerKeyword("as it enters, a card is placed under it", "enters"),
    "attune": SoulForgerKeyword(
        "goes under its target when it resolves, and the target gains the rest of its text", "enters"
    ),
    "betrayed": SoulForgerKeyword("acts when its own side destroys it", "own-side"),
    "evoke": SoulForgerKeyword("acts after a spell of its player has resolved", "spell"),
    "fast-hand": SoulForgerKeyword("deals its damage first when it attacks"),
    "flight": SoulForgerKeyword("only a card with Flight can block it"),
    "hidden": SoulForgerKeyword("while On-guard, opponents can neither attack it nor aim effects at it", "on-flow"),
    "impale": SoulForgerKeyword("when it attacks, damage above a creature's Endurance hits that creature's player"),
    "last-breath": SoulForgerKeyword("acts when it is destroyed", "destroyed"),
    "material": SoulForgerKeyword("acts when it is used to pay for a card of the Forge Deck"),
    "organize": SoulForgerKeyword(
        "look at the top cards of the deck; put them on top or at the bottom in any order", "enters"
    ),
    "pacifist": SoulForgerKeyword("can neither attack nor block"),
    "protector": SoulForgerKeyword("stays On-guard after it has blocked"),
    "range": SoulForgerKeyword("takes no combat damage when it attacks"),
    "reflex": SoulForgerKeyword("deals its damage first where it did not declare the attack"),
    "require": SoulForgerKeyword("its player must control the listed card for it to act", "enters"),
    "seared": SoulForgerKeyword("acts when it takes damage outside combat", "other-damage"),
    "skill": SoulForgerKeyword("turn it from On- to Off-guard to use its effect at Reaction speed"),
    "slayer": SoulForgerKeyword("acts when it destroys an opponent's creature", "kills"),
    "spell-proof": SoulForgerKeyword("no spell affects it while it is on the field", "on-flow"),
    "unique": SoulForgerKeyword("its player may have only one copy of it on the field", "enters"),
    "welcome": SoulForgerKeyword("acts when it enters the field", "enters"),
    "wounded": SoulForgerKeyword("acts when it takes combat damage", "combat-damage"),
}

FACTIONS: Final = ("fire", "light", "air", "earth", "dark", "water")
"""R2.3. A card without any of them is factionless."""

KEYWORD: Final = Word("KEYWORD", str.lower, choices=tuple(KEYWORDS))
"""The parser accepts any word; the rules check that the keyword exists."""
FACTION: Final = Word("FACTION", str.lower, choices=FACTIONS)
SEVERAL_KEYWORDS: Final = Many(KEYWORD)
FACTIONS_OF_A_CARD: Final = Many(FACTION, most=2)


def title(word: str) -> str:
    """Return the display name of a handle or a keyword: `ash-wolf` → `Ash Wolf`."""
    return word.replace("-", " ").title()


def check_keywords(words: tuple[str, ...]) -> None:
    """Raise RuleError if one of the words is no keyword of this game (R2.27)."""
    _check_words(words, tuple(KEYWORDS), "keyword", "R2.27")


def check_factions(words: tuple[str, ...]) -> None:
    """Raise RuleError if one of the words is no faction (R2.3)."""
    _check_words(words, FACTIONS, "faction", "R2.3")


def _check_words(words: tuple[str, ...], options: tuple[str, ...], what: str, rule: str) -> None:
    for word in words:
        if word not in options:
            near = get_close_matches(word, options, n=2, cutoff=0.5)
            way_out = f"did you mean {' or '.join(near)}?" if near else f"known are {', '.join(options)}."
            raise RuleError(f"“{word}” is not a {what} of this game ({rule}); {way_out}")
