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
from templates.languages.messages import Message, any_of, joined, listed, phrase, phrase_in

Moment = Literal["forged", "unopposed", "replaced", "moved", "died", "rank"]
"""The moment at which a keyword acts; `unopposed`: Forged opposite an empty lane, `replaced`: over another creature."""


class SolForgeKeyword(NamedTuple):
    """One keyword (R4.14–R4.20). `text` is its effect; `on_player`: a player can have it too (A4.11)."""

    title: Message
    text: Message
    numbered: bool = False
    on_player: bool = False
    when: Moment | None = None


KEYWORDS: Final[Mapping[str, SolForgeKeyword]] = MappingProxyType(
    {
        # Translators: keywords of creatures, and what each does; the sentence goes behind the keyword and a colon
        "aggressive": SolForgeKeyword(
            phrase_in("keyword", "Aggressive"), phrase("as if awake, and always on the offensive")
        ),
        "armor": SolForgeKeyword(
            phrase_in("keyword", "Armor"), phrase("prevents that much damage each turn"), numbered=True, on_player=True
        ),
        "breakthrough": SolForgeKeyword(
            phrase_in("keyword", "Breakthrough"), phrase("damage above the defender's health goes to the player")
        ),
        "defender": SolForgeKeyword(phrase_in("keyword", "Defender"), phrase("never starts a fight")),
        "mobility": SolForgeKeyword(
            phrase_in("keyword", "Mobility"), phrase("moves up to that many lanes, once a turn"), numbered=True
        ),
        "poison": SolForgeKeyword(
            phrase_in("keyword", "Poison"),
            phrase("takes that much damage at the start of each turn"),
            numbered=True,
            on_player=True,
        ),
        "regenerate": SolForgeKeyword(
            phrase_in("keyword", "Regenerate"),
            phrase("heals that much at the start of each turn"),
            numbered=True,
            on_player=True,
        ),
        "activate": SolForgeKeyword(phrase_in("keyword", "Activate"), phrase("its ability may be used once a turn")),
        "overload": SolForgeKeyword(
            phrase_in("keyword", "Overload"), phrase("removed when played, instead of discarded")
        ),
        "forge": SolForgeKeyword(
            phrase_in("keyword", "Forge"), phrase("acts when Forged from the hand"), when="forged"
        ),
        "allied": SolForgeKeyword(
            phrase_in("keyword", "Allied"), phrase("acts when Forged with a card of its faction in hand"), when="forged"
        ),
        "assault": SolForgeKeyword(
            phrase_in("keyword", "Assault"), phrase("acts when Forged opposite an empty lane"), when="unopposed"
        ),
        "upgrade": SolForgeKeyword(
            phrase_in("keyword", "Upgrade"), phrase("acts when Forged over another creature"), when="replaced"
        ),
        "flank": SolForgeKeyword(
            phrase_in("keyword", "Flank"), phrase("acts when it moves to another lane"), when="moved"
        ),
        "vengeance": SolForgeKeyword(phrase_in("keyword", "Vengeance"), phrase("acts when it dies"), when="died"),
        "gain-rank": SolForgeKeyword(
            phrase_in("keyword", "Gain Rank"),
            phrase("acts at the end of its player's fourth turn of the rank"),
            when="rank",
        ),
        "ambush": SolForgeKeyword(
            phrase_in("keyword", "Ambush"), phrase("Spawns from the hand in the opponent's turn")
        ),
        "banish": SolForgeKeyword(phrase_in("keyword", "Banish"), phrase("removes from the game")),
        "consistent": SolForgeKeyword(
            phrase_in("keyword", "Consistent"), phrase("is shuffled into the first 20 cards")
        ),
        "negate": SolForgeKeyword(phrase_in("keyword", "Negate"), phrase("takes a keyword away for good")),
        "solbind": SolForgeKeyword(phrase_in("keyword", "Solbind"), phrase("adds cards to the deck before the game")),
        "replace": SolForgeKeyword(
            phrase_in("keyword", "Replace"), phrase("puts a new creature in the place of another, which does not die")
        ),
        "spawn": SolForgeKeyword(phrase_in("keyword", "Spawn"), phrase("brings creatures into random empty lanes")),
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
        if near:
            raise RuleError(
                phrase("“{word}” is not a keyword (R4.20); did you mean {keywords}?", word=name, keywords=any_of(near))
            )
        raise RuleError(
            phrase(
                "“{word}” is not a keyword (R4.20); the keywords are {keywords}.", word=name, keywords=listed(KEYWORDS)
            )
        )
    return keyword


def read_keyword(word: str) -> tuple[str, int]:
    """Read a keyword: `armor=2` → (`armor`, 2); 0 if the keyword has no number. Raises RuleError."""
    name, equals, number = word.partition("=")
    keyword = find_keyword(name)
    if not keyword.numbered:
        if equals:
            raise RuleError(
                phrase("{keyword} has no number (R4.20); write {word} alone.", keyword=keyword.title, word=name)
            )
        return name, 0
    if not (number.isascii() and number.isdecimal() and int(number)):
        raise RuleError(
            phrase(
                "{keyword} needs a number (R4.14–R4.18); write it as {word}.", keyword=keyword.title, word=f"{name}=2"
            )
        )
    return name, int(number)


def read_keywords(words: Iterable[str]) -> Held:
    """Read all keywords of a card. Raises RuleError if one is unknown, or appears twice."""
    held: dict[str, int] = {}
    for word in words:
        name, number = read_keyword(word)
        if name in held:
            raise RuleError(phrase("{keyword} appears twice; write it once.", keyword=KEYWORDS[name].title))
        held[name] = number
    return held


def format_keyword(name: str, number: int) -> Message:
    """Return the text on a card: `Armor 2`, `Aggressive`."""
    title = KEYWORDS[name].title
    return joined(" ", (title, number)) if number else title


def acting_keywords(held: Held, moments: Container[str | None]) -> Iterator[SolForgeKeyword]:
    """Return an iterator over the keywords whose card text acts at these moments, the newest first (R4.21)."""
    return (KEYWORDS[name] for name in reversed(tuple(held)) if KEYWORDS[name].when in moments)
