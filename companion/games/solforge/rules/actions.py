"""The lines of SolForge's notation: set-up, the plays and the Battle of a turn, and the effects of cards."""

from functools import cache
from typing import Annotated, ClassVar, Final, Literal

from companion.games.solforge.rules.keywords import KEYWORD
from companion.tabletop.action import Action, ButtonText, Questions
from companion.tabletop.constructed import table
from companion.tabletop.constructed.batch import MoreTargets
from companion.tabletop.constructed.table import LINES
from companion.tabletop.notation import arguments
from companion.tabletop.notation.arguments import (
    COUNT,
    HANDLE,
    Bare,
    Count,
    KeywordArgument,
    Many,
    Pair,
    PrintedArgument,
    SeatName,
    Secret,
    Target,
)
from companion.tabletop.table.common_actions import keywords_beside_handles
from templates.languages.messages import phrase

Handle = Annotated[str, HANDLE]
Figures = Annotated[tuple[int, int], Pair("ATK/HEALTH"), PrintedArgument()]
Change = Annotated[tuple[int, int], Pair("±A/±H", signed=True)]
Keywords = Annotated[tuple[str, ...], Many(KEYWORD), PrintedArgument()]
Level = Annotated[int | None, COUNT]
"""The level at which a card is played; 1 if a line does not give it."""
OfList = Annotated[bool | None, PrintedArgument()]
"""A flag of a card; False if neither the line nor a deck list gives it."""


# Set-up


class DeckSize(Action, frozen=True, tag="deck-size"):
    """Set the number of cards in a deck; 30 by default (R4.1)."""

    describes_deck: ClassVar[bool] = True
    button_text: ClassVar[ButtonText] = phrase("Set it")

    seat: SeatName
    cards: Count


class First(table.First, frozen=True, tag="first"):
    """Set who has the very first turn, with one play (R4.5); `first lot` draws lots."""


# Plays


class ForgeCreature(Action, frozen=True, tag="forge"):
    """Play a creature from the hand into a lane of your own, replacing any creature there (R4.6)."""

    questions: ClassVar[Questions] = {"handle": phrase("Which creature?"), "lane": phrase("Into which lane?")}

    seat: SeatName
    lane: Count
    handle: Handle
    figures: Figures
    level: Level = None
    has: Keywords = ()
    free: OfList = None


class Cast(Action, frozen=True, tag="cast"):
    """Play a spell from the hand; enter its effects as separate lines (R4.6)."""

    questions: ClassVar[Questions] = {"name": phrase("Which spell?")}

    seat: SeatName
    name: arguments.Text
    level: Level = None
    free: OfList = None
    overload: OfList = None


class Bank(Action, frozen=True, tag="bank"):
    """Discard a card directly, to level it; its name is optional, and only its player sees it (R4.6)."""

    questions: ClassVar[Questions] = {"name": phrase("Which card?")}

    seat: SeatName
    name: Annotated[arguments.Text, Bare(), Secret()] = ""
    level: Level = None
    free: OfList = None


# The lanes


class Battle(Action, frozen=True, tag="battle"):
    """Fight in all five lanes, once a turn; `extra` only if a card says so (R4.12, A4.14)."""

    extra: bool = False


class MoveCreature(Action, frozen=True, tag="move"):
    """Move a creature with Mobility to an empty lane of its owner (R4.17)."""

    questions: ClassVar[Questions] = {"handle": phrase("Which creature?"), "lane": phrase("Into which lane?")}

    handle: Handle
    lane: Count


class Activate(Action, frozen=True, tag="activate"):
    """Use a creature's Activate ability (R4.20, A4.4)."""

    handle: Handle


class Place(Action, frozen=True, tag="place"):
    """Put a creature into a lane without a play, for a set-up or by an effect."""

    questions: ClassVar[Questions] = {"handle": phrase("Which creature?"), "lane": phrase("Into which lane?")}

    seat: SeatName
    lane: Count
    handle: Handle
    figures: Figures
    awake: bool = False
    has: Keywords = ()


class Spawn(Action, frozen=True, tag="spawn"):
    """Put a creature into a random empty lane by an effect; nothing happens if none is empty (R4.20)."""

    questions: ClassVar[Questions] = {"handle": phrase("Which creature?"), "lane": phrase("Into which lane?")}

    seat: SeatName
    handle: Handle
    figures: Figures
    lane: Count = 0
    has: Keywords = ()
    is_drawn: Annotated[bool, KeywordArgument("drawn")] = False
    """True if the program draws the lane at a table that draws itself."""


# Effects of cards


class Damage(Action, frozen=True, tag="damage"):
    """Deal damage to one or several creatures and players; Armor prevents its part (R4.14)."""

    target: Target
    amount: Count
    more: MoreTargets = ()


class Heal(Action, frozen=True, tag="heal"):
    """Heal a creature up to its maximum health, or a player up to the starting health (R4.19)."""

    target: Target
    amount: Count


class Buff(Action, frozen=True, tag="buff"):
    """Change a creature's attack and maximum health, permanently or until the end of the turn (R4.19)."""

    handle: Handle
    change: Change
    until_end: bool = False


class Give(Action, frozen=True, tag="give"):
    """Give a creature or a player a keyword; a new number replaces the old one (R4.20)."""

    target: Target
    keyword: Annotated[str, KEYWORD]
    until_end: bool = False


class TakeAway(Action, frozen=True, tag="take-away"):
    """Remove a keyword; a negated one does not come back (R4.20)."""

    target: Target
    keyword: Annotated[str, KEYWORD]
    negate: bool = False


class Destroy(Action, frozen=True, tag="destroy"):
    """Destroy a creature."""

    handle: Handle


class Banish(Action, frozen=True, tag="banish"):
    """Remove a creature with its card, or N cards of a player, from the game (R4.20)."""

    target: Target
    cards: Annotated[int | None, COUNT, Bare()] = None
    level: Count = 1
    from_: Literal["hand", "deck", "discard"] = "hand"


class Draw(Action, frozen=True, tag="draw"):
    """Draw cards in addition to those at the end of a turn."""

    seat: SeatName
    cards: Count


class Discard(Action, frozen=True, tag="discard"):
    """Discard cards from the hand without levelling them."""

    seat: SeatName
    cards: Count


VOCABULARY: Final[tuple[type[Action], ...]] = (
    *LINES,
    *(DeckSize, First),
    *(ForgeCreature, Cast, Bank, Battle, MoveCreature, Activate, Place, Spawn),
    *(Damage, Heal, Buff, Give, TakeAway, Destroy, Banish, Draw, Discard),
)


@cache
def reserved_words() -> frozenset[str]:
    """Return the words that cannot name a creature or a seat."""
    return keywords_beside_handles(VOCABULARY)
