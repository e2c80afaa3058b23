"""The keywords of Soul-Forger (R2.27): their effects, and the moments of their reminders.

Keywords that a fight, an attack or a summons computes have no moment; all others are reminders.
"""

from __future__ import annotations

from difflib import get_close_matches
from typing import Final, Literal, NamedTuple

from companion.tabletop.action import RuleError
from companion.tabletop.notation.arguments import Many, Word
from templates.languages.messages import Message, Text, any_of, listed, phrase, phrase_in

Moment = Literal[
    "enters", "destroyed", "own-side", "kills", "combat-damage", "other-damage", "spell", "on-flow", "answer"
]
"""The moment of a reminder. A keyword without one is computed, or its moment does not show at the table."""


class SoulForgerKeyword(NamedTuple):
    """A keyword: its display name, its effect in one sentence, and the moment of its reminder."""

    title: Message
    effect: Message
    moment: Moment | Literal[""] = ""


# Translators: the keywords on the cards, and their effects as they stand behind a colon.
KEYWORDS: Final[dict[str, SoulForgerKeyword]] = {
    "absorb": SoulForgerKeyword(
        phrase_in("keyword", "Absorb"), phrase("as it enters, a card is placed under it"), "enters"
    ),
    "attune": SoulForgerKeyword(
        phrase_in("keyword", "Attune"),
        phrase("goes under its target when it resolves, and the target gains the rest of its text"),
        "enters",
    ),
    "betrayed": SoulForgerKeyword(
        phrase_in("keyword", "Betrayed"), phrase("acts when its own side destroys it"), "own-side"
    ),
    "evoke": SoulForgerKeyword(
        phrase_in("keyword", "Evoke"), phrase("acts after one of its player's spells has resolved"), "spell"
    ),
    "fast-hand": SoulForgerKeyword(phrase_in("keyword", "Fast Hand"), phrase("deals its damage first when it attacks")),
    "flight": SoulForgerKeyword(phrase_in("keyword", "Flight"), phrase("only a card with Flight can block it")),
    "hidden": SoulForgerKeyword(
        phrase_in("keyword", "Hidden"),
        phrase("while On-guard, opponents can neither attack it nor aim effects at it"),
        "on-flow",
    ),
    "impale": SoulForgerKeyword(
        phrase_in("keyword", "Impale"),
        phrase("when it attacks, damage above a creature's Endurance hits that creature's player"),
    ),
    "last-breath": SoulForgerKeyword(
        phrase_in("keyword", "Last Breath"), phrase("acts when it is destroyed"), "destroyed"
    ),
    "material": SoulForgerKeyword(
        phrase_in("keyword", "Material"), phrase("acts when it is used to pay for a card of the Forge Deck")
    ),
    "organize": SoulForgerKeyword(
        phrase_in("keyword", "Organize"),
        phrase("look at the top cards of the deck; put them on top or at the bottom in any order"),
        "enters",
    ),
    "pacifist": SoulForgerKeyword(phrase_in("keyword", "Pacifist"), phrase("can neither attack nor block")),
    "protector": SoulForgerKeyword(phrase_in("keyword", "Protector"), phrase("stays On-guard after it has blocked")),
    "range": SoulForgerKeyword(phrase_in("keyword", "Range"), phrase("takes no combat damage when it attacks")),
    "reflex": SoulForgerKeyword(
        phrase_in("keyword", "Reflex"), phrase("deals its damage first if it did not declare the attack")
    ),
    "require": SoulForgerKeyword(
        phrase_in("keyword", "Require"), phrase("its player must control the listed card for it to act"), "enters"
    ),
    "seared": SoulForgerKeyword(
        phrase_in("keyword", "Seared"), phrase("acts when it takes damage outside combat"), "other-damage"
    ),
    "skill": SoulForgerKeyword(
        phrase_in("keyword", "Skill"), phrase("turn it from On- to Off-guard to use its effect at Reaction speed")
    ),
    "slayer": SoulForgerKeyword(
        phrase_in("keyword", "Slayer"), phrase("acts when it destroys an opponent's creature"), "kills"
    ),
    "spell-proof": SoulForgerKeyword(
        phrase_in("keyword", "Spell Proof"), phrase("no spell affects it while it is on the field"), "on-flow"
    ),
    "unique": SoulForgerKeyword(
        phrase_in("keyword", "Unique"), phrase("its player may have only one copy of it on the field"), "enters"
    ),
    "welcome": SoulForgerKeyword(phrase_in("keyword", "Welcome"), phrase("acts when it enters the field"), "enters"),
    "wounded": SoulForgerKeyword(
        phrase_in("keyword", "Wounded"), phrase("acts when it takes combat damage"), "combat-damage"
    ),
}

FACTIONS: Final = ("fire", "light", "air", "earth", "dark", "water")
"""R2.3. A card without any of them is factionless."""
FACTION_TITLES: Final[dict[str, Message]] = {
    "fire": phrase_in("faction", "Fire"),
    "light": phrase_in("faction", "Light"),
    "air": phrase_in("faction", "Air"),
    "earth": phrase_in("faction", "Earth"),
    "dark": phrase_in("faction", "Dark"),
    "water": phrase_in("faction", "Water"),
}
"""The display names of the factions."""
TYPE_TITLES: Final[dict[str, Message]] = {
    "creature": phrase_in("type of card", "Creature"),
    "action": phrase_in("type of card", "Action"),
    "weapon": phrase_in("type of card", "Weapon"),
    "armor": phrase_in("type of card", "Armor"),
    "accessory": phrase_in("type of card", "Accessory"),
}
"""The display names of the types of cards."""
SPEED_TITLES: Final[dict[str, Message]] = {
    "normal": phrase_in("speed", "Normal"),
    "reaction": phrase_in("speed", "Reaction"),
    "instinct": phrase_in("speed", "Instinct"),
}
"""The display names of the speeds."""

KEYWORD: Final = Word("KEYWORD", str.lower, choices=tuple(KEYWORDS))
"""The parser accepts any word; the rules check that the keyword exists."""
FACTION: Final = Word("FACTION", str.lower, choices=FACTIONS)
SEVERAL_KEYWORDS: Final = Many(KEYWORD)
FACTIONS_OF_A_CARD: Final = Many(FACTION, most=2)


def title(word: str) -> str:
    """Return the display name of a handle: `ash-wolf` → `Ash Wolf`."""
    return word.replace("-", " ").title()


def keyword_title(word: str) -> Text:
    """Return the display name of a keyword."""
    return KEYWORDS[word].title if word in KEYWORDS else title(word)


def check_keywords(words: tuple[str, ...]) -> None:
    """Raise RuleError if one of the words is no keyword of this game (R2.27)."""
    for word in words:
        if word in KEYWORDS:
            continue
        if near := get_close_matches(word, KEYWORDS, n=2, cutoff=0.5):
            raise RuleError(
                phrase(
                    "“{word}” is not a keyword of this game (R2.27); did you mean {near}?", word=word, near=any_of(near)
                )
            )
        raise RuleError(
            phrase(
                "“{word}” is not a keyword of this game (R2.27); the keywords are {words}.",
                word=word,
                words=listed(KEYWORDS),
            )
        )


def check_factions(words: tuple[str, ...]) -> None:
    """Raise RuleError if one of the words is no faction (R2.3)."""
    for word in words:
        if word in FACTIONS:
            continue
        if near := get_close_matches(word, FACTIONS, n=2, cutoff=0.5):
            raise RuleError(
                phrase(
                    "“{word}” is not a faction of this game (R2.3); did you mean {near}?", word=word, near=any_of(near)
                )
            )
        raise RuleError(
            phrase(
                "“{word}” is not a faction of this game (R2.3); the factions are {words}.",
                word=word,
                words=listed(FACTIONS),
            )
        )
