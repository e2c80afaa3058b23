"""The actions of a described game: those of every such game, and those that its page adds."""

from collections.abc import Mapping
from typing import Annotated, Any, ClassVar, Final

import msgspec

from companion.games.described.page import deck_lines
from companion.games.described.page.description import Description, Own, word_as_title
from companion.games.described.page.takes import Taken, parse_takes
from companion.games.described.page.texts import as_written
from companion.tabletop.action import Action, Questions
from companion.tabletop.constructed import table
from companion.tabletop.notation import arguments
from companion.tabletop.notation.arguments import (
    COUNT,
    HANDLE,
    SEAT,
    TEXT,
    WHOLE,
    ArgumentKind,
    Bare,
    Count,
    HandleName,
    KeywordArgument,
    Many,
    SeatName,
    Word,
    one_of,
    read_name,
    write_word,
)
from companion.tabletop.table import common_actions
from templates.languages.messages import Text, phrase

NAME: Final = Word("WORD", str.lower, write_word)
"""A word of the page: a token, a kind of thing, a zone, a pool, a column."""


def _read_seat_or_nobody(word: str) -> str:
    return "" if word.lower() in ("none", "nobody") else read_name(word)


HOLDER: Final = Word("SEAT|none", _read_seat_or_nobody, lambda seat: seat or "none")

PageWord = Annotated[str, NAME]
SomeSeat = Annotated[str, SEAT]


class First(table.First, frozen=True, tag="first"):
    """Set who begins; `first lot` draws lots."""


class TakeTurn(Action, frozen=True, tag="turn"):
    """Set whose turn it is, if the table decides who is next."""

    seat: SeatName


class Order(Action, frozen=True, tag="order"):
    """Set the order in which the seats act this round; `order lot` draws it."""

    seats: Annotated[tuple[str, ...], Many(SEAT)]
    by_lot: bool = False


class GiveToken(Action, frozen=True, tag="give"):
    """Give a token to a seat, or to nobody."""

    token: PageWord
    seat: Annotated[str, HOLDER]


class Put(Action, frozen=True, tag="put"):
    """Put a thing into play; its figures come after `with`, in the order of the page."""

    handle: HandleName
    kind: PageWord
    of: SomeSeat = ""
    name: arguments.Text = ""
    zone: PageWord = ""
    lane: Count = 0
    with_: Annotated[tuple[int, ...], Many(WHOLE)] = ()


class Move(Action, frozen=True, tag="move"):
    """Move a thing to another place, or to another player."""

    handle: HandleName
    zone: PageWord = ""
    lane: Count = 0
    of: SomeSeat = ""


class Become(Action, frozen=True, tag="become"):
    """Give a thing in play another name, and the figures that the page lists for a thing of that name."""

    handle: HandleName
    name: arguments.Text


class Remove(Action, frozen=True, tag="remove"):
    """Remove a thing from play."""

    handle: HandleName


class DrawFrom(Action, frozen=True, tag="draw"):
    """Draw from a pool; `is` says which card came. Otherwise the program draws, with `drawn` even for the table."""

    pool: PageWord
    for_: SomeSeat = ""
    is_: arguments.Text = ""
    is_drawn: Annotated[bool, KeywordArgument("drawn")] = False


class Return(Action, frozen=True, tag="return"):
    """Return a drawn card to its pool."""

    pool: PageWord
    card: arguments.Text


class Shuffle(Action, frozen=True, tag="shuffle"):
    """Return all the cards that lie aside to their pool."""

    pool: PageWord


class Enter(Action, frozen=True, tag="enter"):
    """Enter a figure that is asked, or correct one of an earlier round; with `anyway` even beyond its limit."""

    questions: ClassVar[Questions] = {"round": phrase("Of which round?")}

    seat: SeatName
    column: PageWord
    figure: Annotated[int, WHOLE]
    round: Count = 0
    is_allowed: Annotated[bool, KeywordArgument("anyway")] = False

    @property
    def sure(self) -> Text:
        """The question before a figure that a rule of the page excludes."""
        return phrase("By the rules, this figure is not open. Does the table allow it?") if self.is_allowed else ""


class Won(Action, frozen=True, tag="won"):
    """End the game with a winner; several win together."""

    seats: Annotated[tuple[str, ...], Many(SEAT)]


class Lost(Action, frozen=True, tag="lost"):
    """End the game: everybody has lost together."""


class AllWon(Action, frozen=True, tag="all-won"):
    """End the game: everybody has won together."""


class OwnAction(Action, frozen=True, tag="own"):
    """A line of the page's own. `own` is what the page says of it, `taken` what it takes."""

    own: ClassVar[Own]
    taken: ClassVar[tuple[Taken, ...]] = ()


PLAY: Final[tuple[type[Action], ...]] = (
    TakeTurn,
    Order,
    GiveToken,
    Put,
    Move,
    Become,
    Remove,
    DrawFrom,
    Return,
    Shuffle,
    Enter,
)
"""The actions during a game, besides the page's own."""

_ALWAYS: Final[tuple[type[Action], ...]] = (
    *common_actions.COMMON[1:],
    table.Match,
    table.FirstChoice,
    First,
    common_actions.Concede,
    common_actions.DrawAgreed,
    Won,
    Lost,
    AllWon,
    table.SealMatch,
)


def vocabulary(
    page: Description, seat: type[common_actions.Seat], own: tuple[type[OwnAction], ...]
) -> tuple[type[Action], ...]:
    """Return all actions of a game: the general ones that its page needs, and the page's own."""
    play = page.play
    needed: dict[type[Action], object] = {
        TakeTurn: play.order != "together",
        Order: play.order == "lot",
        GiveToken: page.tokens,
        Put: page.things,
        Move: page.things,
        Become: page.things and Become.verb() not in page.actions,
        Remove: page.things,
        DrawFrom: page.pools,
        Return: page.pools,
        Shuffle: page.pools,
        Enter: page.sheet or play.order == "bid" or any(counter.ask_at for counter in page.counters.values()),
    }
    own_verbs = {action.verb() for action in own}
    always = (each for each in _ALWAYS if not (each in common_actions.REPLACEABLE and each.verb() in own_verbs))
    return (seat, *always, *(action for action in PLAY if needed[action]), *deck_lines.lines_of(page), *own)


def reserved_verbs(page: Description) -> frozenset[str]:
    """Return the verbs that a page's own lines cannot use: those of every page and those of its decks."""
    always = (action for action in _ALWAYS if action not in common_actions.REPLACEABLE)
    # A page of an earlier edition may call a line of its own so.
    play = (action for action in PLAY if action is not Become)
    house = (*always, *play, *deck_lines.lines_of(page), *common_actions.LOG, *common_actions.CHECKS)
    return frozenset(("seat", "help", *(action.verb() for action in house)))


_KINDS: Final[Mapping[str, ArgumentKind[Any]]] = {"SEAT": SEAT, "N": COUNT, "THING": HANDLE, "TEXT": TEXT}
_TYPES: Final[Mapping[str, type]] = {"N": int}


def own_action(verb: str, own: Own) -> type[OwnAction]:
    """Return the action class of a line that a page adds, with fields for its seat and its parameters."""
    taken = parse_takes(own.takes)
    fields: list[Any] = [] if own.whose == "table" else [("seat", SeatName)]
    draws = any(line.split()[:1] == ["draw"] for line in own.does)
    for each in taken:
        kind = one_of("word", each.choices) if each.kind == "choice" else _KINDS[each.kind]
        of = _TYPES.get(each.kind, str)
        name = field_of(each)
        fields.append(
            (name, Annotated[of | None, kind, Bare()], None) if each.optional else (name, Annotated[of, kind])
        )
    if draws:
        fields += [("is_", arguments.Text, ""), ("is_drawn", Annotated[bool, KeywordArgument("drawn")], False)]
    action_class: Any = msgspec.defstruct(
        f"Own{word_as_title(verb).replace(' ', '')}",
        fields,
        bases=(OwnAction,),
        namespace={
            "__doc__": as_written(own.title or word_as_title(verb)),
            "help_text": own.title,
            "sure": own.sure,
            "own": own,
            "taken": taken,
            "field_titles": {field_of(each): own.titles[each.word] for each in taken if each.word in own.titles},
        },
        tag=verb,
        frozen=True,
        module=__name__,
    )
    result: type[OwnAction] = action_class
    return result


def field_of(taken: Taken) -> str:
    """Return the action field of a parameter: `seat2` for `SEAT2`, but `whom` for the first `SEAT`."""
    return "whom" if taken.word == "SEAT" else taken.word.lower()
