"""The actions of Odd Frontier's notation: set-up, the turn in its order, and effects of cards at any time."""

from typing import Annotated, ClassVar, Final

from companion.tabletop.action import Action, ButtonText, Questions
from companion.tabletop.constructed import table
from companion.tabletop.constructed.batch import MoreHandles
from companion.tabletop.constructed.table import LINES
from companion.tabletop.notation import arguments
from companion.tabletop.notation.arguments import (
    COUNT,
    HANDLE,
    SEAT,
    Bare,
    Count,
    HandleName,
    HandleOrSeat,
    KeywordArgument,
    Many,
    Pair,
    Portion,
    PrintedArgument,
    SeatName,
    Share,
    Word,
    write_word,
)
from templates.languages.messages import phrase

ATK_DEF: Final = Pair("ATK/DEF")
FIRST_ASSAULT: Final = "first-assault"
KEYWORD: Final = Word("KEYWORD", str.lower, write_word, choices=(FIRST_ASSAULT,))
"""The kind of a keyword. It reads any word; the rules check that the book defines it (A3.5)."""
WOUND: Final = Share(SEAT)
SHARE: Final = Share(HANDLE)
OptionalCost = Annotated[int | None, COUNT, PrintedArgument()]
"""The energy that a card costs. If neither the line nor a deck list says it, the card is free."""


# Set-up


class DeckSize(Action, frozen=True, tag="deck-size"):
    """Set the number of cards in a seat's archive (R3.1)."""

    describes_deck: ClassVar[bool] = True
    button_text: ClassVar[ButtonText] = phrase("Set it")

    seat: SeatName
    cards: Count


class First(table.First, frozen=True, tag="first"):
    """Set who has the first turn; `first lot` draws lots."""


class Mulligan(Action, frozen=True, tag="mulligan"):
    """Shuffle the whole hand back and draw a new one: 7 cards, and one fewer each further time (R3.2)."""

    seat: SeatName


class Keep(Action, frozen=True, tag="keep"):
    """Keep the starting hand (R3.2)."""

    seat: SeatName


# The turn


class Engine(Action, frozen=True, tag="engine"):
    """Play an Engine from the hand, once a turn; or report that an Engine was `lost` (R3.5)."""

    seat: SeatName
    lost: bool = False


class Crank(Action, frozen=True, tag="crank"):
    """Crank Engines of a seat for 1 energy each, or crank another permanent (R3.5, R3.6)."""

    what: HandleOrSeat
    engines: Annotated[int | None, COUNT, Bare()] = None


class Uncrank(Action, frozen=True, tag="uncrank"):
    """Uncrank one permanent, or all permanents of a seat (R3.6)."""

    what: HandleOrSeat


class Spend(Action, frozen=True, tag="spend"):
    """Spend energy from the pool (R3.5)."""

    questions: ClassVar[Questions] = {"energy": phrase("How much energy?")}

    seat: SeatName
    energy: Count


class Summon(Action, frozen=True, tag="summon"):
    """Play a Creature from the hand (R3.3, R3.12)."""

    questions: ClassVar[Questions] = {
        "handle": phrase("Which Creature?"),
        "figures": phrase("With which attack and defense?"),
    }

    seat: SeatName
    handle: HandleName
    figures: Annotated[tuple[int, int], ATK_DEF, PrintedArgument()]
    cost: Annotated[Count, PrintedArgument()] = 0
    first_assault: Annotated[bool, PrintedArgument()] = False


class PlayPermanent(Action, frozen=True, tag="permanent"):
    """Play an Artifact or a Phenomenon from the hand (R3.3, R3.12)."""

    button_text: ClassVar[ButtonText] = phrase("Play it")
    questions: ClassVar[Questions] = {"handle": phrase("Which permanent?")}

    seat: SeatName
    handle: HandleName
    cost: OptionalCost = None


class Attack(Action, frozen=True, tag="attack"):
    """Declare an attacker and the player it attacks (R3.7)."""

    questions: ClassVar[Questions] = {"seat": phrase("Whom does it attack?")}

    handle: HandleName
    seat: Annotated[str, KeywordArgument("on"), SEAT]


class Block(Action, frozen=True, tag="block"):
    """Declare a blocker and the attacker it blocks (R3.7)."""

    handle: HandleName
    attacker: Annotated[str, KeywordArgument("on"), HANDLE]


class Split(Action, frozen=True, tag="split"):
    """Split the damage of an attack freely among its blockers (R3.8)."""

    questions: ClassVar[Questions] = {"shares": phrase("How much does each blocker take?")}

    handle: HandleName
    shares: Annotated[tuple[Portion, ...], KeywordArgument("among"), Many(SHARE)]


class Fight(Action, frozen=True, tag="fight"):
    """Deal the First Assault damage, then the normal damage (R3.8)."""


class Queue(Action, frozen=True, tag="queue"):
    """Put a magic card or an ability on the queue (R3.11)."""

    button_text: ClassVar[ButtonText] = phrase("Play it")
    questions: ClassVar[Questions] = {"name": phrase("Which card?")}

    seat: SeatName
    name: arguments.Text
    magic: Annotated[bool, PrintedArgument()] = False
    cost: OptionalCost = None


class Resolve(Action, frozen=True, tag="resolve"):
    """Resolve the last entry of the queue (R3.11)."""


class Negate(Action, frozen=True, tag="negate"):
    """Negate an entry of the queue: it will do nothing when it resolves."""

    questions: ClassVar[Questions] = {"name": phrase("Which card?")}

    name: arguments.Text


# What cards do


class Wound(Action, frozen=True, tag="wound"):
    """Damage the life of one or several players directly (R3.12)."""

    questions: ClassVar[Questions] = {"wounds": phrase("Who is wounded, and by how much?")}

    wounds: Annotated[tuple[Portion, ...], Many(WOUND)]


class Damage(Action, frozen=True, tag="damage"):
    """Damage one or several Creatures (R3.9)."""

    handle: HandleName
    amount: Count
    more: MoreHandles = ()


class Draw(Action, frozen=True, tag="draw"):
    """Draw cards; `by-effect` means that a card says so, which is allowed in the first turn too (R3.1, R3.4)."""

    seat: SeatName
    cards: Count
    by_effect: bool = False


class Discard(Action, frozen=True, tag="discard"):
    """Put cards from the hand into the graveyard, face up (R3.10, R3.12)."""

    seat: SeatName
    cards: Count


class Destroy(Action, frozen=True, tag="destroy"):
    """Put a permanent into its owner's graveyard."""

    handle: HandleName


class Banish(Action, frozen=True, tag="banish"):
    """Put a permanent face up into the banish zone (R3.12)."""

    handle: HandleName


class Heal(Action, frozen=True, tag="heal"):
    """Restore a player's life, or remove damage of this turn from a Creature."""

    target: HandleOrSeat
    amount: Count


class Buff(Action, frozen=True, tag="buff"):
    """Change a Creature's attack and defense, permanently or until the end of the turn."""

    handle: HandleName
    change: Annotated[tuple[int, int], Pair("±A/±D", signed=True)]
    until_end: bool = False


class Give(Action, frozen=True, tag="give"):
    """Give a Creature a keyword, permanently or until the end of the turn."""

    handle: HandleName
    keyword: Annotated[str, KEYWORD]
    until_end: bool = False


class TakeAway(Action, frozen=True, tag="take-away"):
    """Take a keyword away from a Creature."""

    handle: HandleName
    keyword: Annotated[str, KEYWORD]


class Token(Action, frozen=True, tag="token"):
    """Put a token on the battlefield; it is not a card from the hand, and vanishes when it leaves."""

    button_text: ClassVar[ButtonText] = phrase("Put it on the table")
    questions: ClassVar[Questions] = {"figures": phrase("With which attack and defense?")}

    seat: SeatName
    handle: HandleName
    figures: Annotated[tuple[int, int], ATK_DEF]
    first_assault: bool = False


SET_UP: Final = (DeckSize, First, Mulligan, Keep)
TURN: Final = (
    *(Engine, Crank, Uncrank, Spend, Summon, PlayPermanent),
    *(Attack, Block, Split, Fight, Queue, Resolve, Negate),
)
EFFECTS: Final = (Wound, Damage, Heal, Buff, Give, TakeAway, Token, Draw, Discard, Destroy, Banish)

VOCABULARY: Final[tuple[type[Action], ...]] = (*LINES, *SET_UP, *TURN, *EFFECTS)
