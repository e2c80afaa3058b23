"""What a table shows: the one description that every screen draws, and the drafts of actions in its questions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import Any, Literal

import msgspec

from companion.tabletop.action import Action
from companion.tabletop.arguments import TEXT
from companion.tabletop.match_result import seats_of_outcome
from companion.tabletop.notation import Argument, grammar
from companion.tabletop.records import Reason
from companion.tabletop.text import figure


class Draft(msgspec.Struct, frozen=True):
    """An action of which only some fields are `given`. `note` says in a few words what it leads to or costs.

    `asks` are fields that the line could do without, but that this answer is about. `order` are
    the fields by which people choose first, where the line has them later: what is bought, before the card it goes on.
    """

    action: type[Action]
    given: Mapping[str, Any] = MappingProxyType({})
    note: str = ""
    asks: tuple[str, ...] = ()
    order: tuple[str, ...] = ()

    @property
    def line(self) -> str:
        """The line as far as it is known, in table notation: what follows behind a gap is not written yet, but for
        what may stand before a text that is the gap.
        """
        written = grammar(self.action)
        gap = next((at for at, a in enumerate(written.positional) if a.required and a.field not in self.given), None)
        if gap is None:
            return written.write(self.given)
        before = {a.field for a in written.positional[:gap]}
        line = written.write({field: value for field, value in self.given.items() if field in before})
        choices = written.choices if written.positional[gap].kind is TEXT else ()
        return " ".join((line, *(a.kind.write(self.given[a.field]) for a in choices if a.field in self.given)))

    @property
    def missing(self) -> tuple[Argument, ...]:
        """The arguments that must still be said, in the order of the line."""
        also = (self.argument(field) for field in self.asks if field not in self.given)
        return (*grammar(self.action).missing(self.given), *also)

    @property
    def to_choose(self) -> tuple[Argument, ...]:
        """What is missing, in the order in which people choose it."""
        first = [argument for field in self.order for argument in self.missing if argument.field == field]
        return (*first, *(argument for argument in self.missing if argument not in first))

    @property
    def optional(self) -> tuple[Argument, ...]:
        """The arguments that nobody needs to say, and that were not said."""
        return tuple(a for a in grammar(self.action).arguments if not a.required and a.field not in self.given)

    @property
    def wants(self) -> str:
        """What must still be said, as its shapes in the usage: `CARD SUIT`; "" where `line` is complete."""
        return " ".join(argument.words for argument in self.missing)

    @property
    def shape(self) -> str:
        """The line with what it still wants: `play ana CARD SUIT`."""
        return f"{self.line} {self.wants}".rstrip()

    def argument(self, field: str) -> Argument:
        """How the argument of a field stands in the line. Raises LookupError where the action has none such."""
        return next(argument for argument in grammar(self.action).arguments if argument.field == field)

    def having(self, field: str, value: Any) -> Draft:
        """The draft with one field more."""
        return msgspec.structs.replace(self, given={**self.given, field: value})

    def build(self) -> Action:
        """The action, once nothing is missing."""
        return self.action(**self.given)


def draft(action: type[Action], note: str = "", **given: Any) -> Draft:
    """`draft(Reveal, seat="ana")`"""
    return Draft(action, given, note)


Value = int | str | bool | tuple[str, ...] | None


Full = Literal["", "good", "harm"]
"""What it means that a counter is full."""

_LOW, _HALF = 0.25, 0.5
"""How much is left where things stand badly, and not well."""


class Counter(msgspec.Struct, frozen=True):
    """One figure of a seat, a thing or the table.

    `name` is the word that `set` and `expect` use, `title` what people call it, `top` where it is full (draws a bar),
    `why` the sum behind the figure, `big` whether it must be read from two metres away, `shown` whether a screen with
    little room needs it, `ordered` whether the order of a list matters; `words` are what it can be set to where it is
    a word; `full` says whether a full one is good, or harm; `life` that it is what a name alone means (`wolf 3`).
    `short` is the title in a few letters, and `steps` by how much keys and buttons change it, the usual one first;
    a `rare` one is 0 for the most part, and shown only where it is not.
    """

    name: str
    value: Value
    title: str = ""
    top: int | None = None
    why: str = ""
    settable: bool = True
    big: bool = False
    is_visible: bool = True
    ordered: bool = False
    words: tuple[str, ...] = ()
    full: Full = ""
    life: bool = False
    short: str = ""
    steps: tuple[int, ...] = (1,)
    rare: bool = False

    @property
    def text(self) -> str:
        """The value as notation writes it: `yes`/`no`, `none`, words separated by spaces."""
        return write_value(self.value)

    @property
    def figure(self) -> str:
        """The value as people read it."""
        return self.text if self.number is None else figure(self.number)

    @property
    def caption(self) -> str:
        """What people call it."""
        return self.title or self.name.capitalize()

    @property
    def brief_caption(self) -> str:
        """The same where many stand side by side."""
        return self.short or self.caption

    @property
    def standing(self) -> Literal["", "good", "low", "bad"]:
        """How well things stand by how full it is; "" where that is neither good nor harm."""
        if not self.top or not self.full or self.number is None:
            return ""
        share = self.number / self.top
        good = 1 - share if self.full == "harm" else share
        return "bad" if good <= _LOW else "low" if good <= _HALF else "good"

    @property
    def number(self) -> int | None:
        """The value where it is a whole number, else None."""
        return None if isinstance(self.value, bool) or not isinstance(self.value, int) else self.value


def write_value(value: Value) -> str:
    """A counter's value as a word (or words) of notation."""
    if value is None or value == ():
        return "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, tuple):
        return " ".join(value)
    return str(value)


class Thing(msgspec.Struct, frozen=True):
    """Something on the table with a name of its own: an opponent, a creature, a card.

    `target` is how notation names it (`wolf`, `ana:AS`); `notes` are its labels or keywords with what
    they do. Of many things side by side a screen shows `brief`, its figures in a few cells as people write them
    (`3/4`), and `flags`, the words that must be seen now (`asleep`); a note may explain a flag. By its `number` a thing
    is named in short lines, as long as it lies there; 0 is none.
    """

    target: str
    title: str
    counters: tuple[Counter, ...] = ()
    notes: tuple[str, ...] = ()
    starred: bool = False
    brief: str = ""
    flags: tuple[str, ...] = ()
    number: int = 0

    @property
    def label(self) -> str:
        """What people call it, behind its number: `5 Ash Wolf`."""
        return f"{self.number} {self.title}" if self.number else self.title

    @property
    def words(self) -> tuple[str, ...]:
        """Its flags, then its notes without their explanations: `Tough` of `Tough: each card 1 less`."""
        return tuple(dict.fromkeys((*self.flags, *(note.partition(":")[0] for note in self.notes))))


class Zone(msgspec.Struct, frozen=True):
    """A place on the table with things in it.

    Zones of different seats that have the same `column`, from 1 on, face each other; 0 is no column.
    """

    name: str
    title: str
    things: tuple[Thing, ...] = ()
    column: int = 0


class SeatView(msgspec.Struct, frozen=True):
    """One person's side of the table. `flags` are short words that hold now (`active`, `braced`, `out`)."""

    seat: str
    name: str
    title: str = ""
    counters: tuple[Counter, ...] = ()
    zones: tuple[Zone, ...] = ()
    flags: tuple[str, ...] = ()

    @property
    def is_out(self) -> bool:
        """Whether they play no part now: out of the fight, or of the game."""
        return "out" in self.flags

    @property
    def target(self) -> str:
        """How notation names it."""
        return self.seat


class ScoreRow(msgspec.Struct, frozen=True):
    """A row of a score sheet: what is written down of each seat, and what it came to ("" where that is the same)."""

    title: str
    cells: tuple[str, ...]
    points: tuple[str, ...]


class ScoreSheet(msgspec.Struct, frozen=True):
    """What people write down round by round: a row a round, the present one last, a column a seat.

    `written` says what stands in a cell: `Bid / Tricks`. `totals` are what all rows come to, a figure a seat.
    """

    title: str
    seats: tuple[str, ...]
    rows: tuple[ScoreRow, ...] = ()
    totals: tuple[str, ...] = ()
    written: str = ""


class RoundStep(msgspec.Struct, frozen=True):
    """One step of the round, by the word notation uses and the title people know."""

    name: str
    title: str


class Prompt(msgspec.Struct, frozen=True):
    """What somebody at the table should do now: a question that carries its answers.

    `answer` is the action that is suggested, as far as the game knows it, and `others` are further ones; what can stand
    in a field that they lack is asked of the game when it is needed (`companion.tabletop.choices`). `seat` is whom it
    concerns, "" where that is everybody. `due` tells a question that the step waits for from an offer. With
    `lists_values`, a list shows what can stand in the field that `answer` lacks before the other answers.
    """

    text: str
    answer: Draft
    seat: str = ""
    due: bool = True
    others: tuple[Draft, ...] = ()
    lists_values: bool = False

    @property
    def answers(self) -> tuple[Draft, ...]:
        """Everything that answers it, the suggested one first."""
        return (self.answer, *self.others)

    @property
    def line(self) -> str:
        """The suggested answer in table notation, as far as it is known."""
        return self.answer.line

    @property
    def wants(self) -> str:
        """What must still be said for the suggested answer; "" where `line` is complete."""
        return self.answer.wants


class WayOn(msgspec.Struct, frozen=True):
    """How a game goes on from here where nobody says anything: one action that plays no card and chooses nothing.

    `does` says in a few words what it does. Where somebody would leave out by it what they could still do, `leaves`
    says that, and going on stops here, until somebody wants it a second time. `decision` is what that is called where
    it belongs together with others in a turn: who leaves out `ana` leaves out `ana plays`, too.
    """

    action: Action
    does: str
    leaves: str = ""
    decision: str = ""


class CardWork(msgspec.Struct, frozen=True):
    """What people do with the real cards now, a sentence each.

    Where something has just happened that deserves a moment of its own, `moment` is its title, and `facts` are what
    there is to tell of it.
    """

    steps: tuple[str, ...] = ()
    moment: str = ""
    facts: tuple[str, ...] = ()

    def steps_besides(self, prompts: Iterable[Prompt]) -> tuple[str, ...]:
        """The steps but for those that some prompts say already: nobody has to read them twice."""
        texts = tuple(prompt.text for prompt in prompts)
        return tuple(step for step in self.steps if not any(step in text for text in texts))


class TableView(msgspec.Struct, frozen=True):
    """Everything a screen needs to draw a table; screens know nothing else of a game."""

    game: str
    title: str
    counters: tuple[Counter, ...] = ()
    zones: tuple[Zone, ...] = ()
    seats: tuple[SeatView, ...] = ()
    steps: tuple[RoundStep, ...] = ()
    step: str = ""
    prompts: tuple[Prompt, ...] = ()
    hints: tuple[str, ...] = ()
    rules: tuple[tuple[str, str], ...] = ()
    outcome: str | None = None
    standing: tuple[Reason, ...] = ()
    """Where the table stands, for a list, as facts that the game's `reason` tells; empty: by counters and step."""
    later: tuple[Prompt, ...] = ()
    """Offers that are always there and seldom wanted: what people agreed on and may change during the game."""
    match: str = ""
    """Where the match of several games stands that this one is of: `Game 2 · best of 3 · Ana 1 – 0 Ben`."""
    card_work: CardWork = CardWork()
    """What is done with the real cards now; shown to who wants it, a moment of its own to everybody."""
    sheet: ScoreSheet | None = None
    closing: bool = False
    """Whether `steps` are those after the game: what becomes of its decks and purses before it is sealed."""

    @property
    def winners(self) -> tuple[str, ...]:
        """The names of those who have won, several if they share the win; empty if the outcome names no seat."""
        won = seats_of_outcome(self.outcome, tuple(seat.seat for seat in self.seats))
        return tuple(seat.name for seat in self.seats if seat.seat in won)

    @property
    def count(self) -> Counter | None:
        """What the table counts first: its rounds or turns; None where it counts nothing."""
        return next((counter for counter in self.counters if counter.number is not None), None)

    @property
    def counters_in_head(self) -> tuple[Counter, ...]:
        """The table's counters, but for those that lie on it as a thing called `table`."""
        lying = {counter.name for thing in self.things() if thing.target == "table" for counter in thing.counters}
        return tuple(counter for counter in self.counters if counter.name not in lying) if lying else self.counters

    def things(self) -> Iterator[Thing]:
        """Every thing on the table, wherever it lies."""
        for zone in self.zones:
            yield from zone.things
        for seat in self.seats:
            for zone in seat.zones:
                yield from zone.things

    def counters_of(self, target: str) -> tuple[Counter, ...] | None:
        """The counters of `table`, a seat or a thing, in any case; None where nothing of that name is on the table."""
        if target == "table":
            return self.counters
        for seat in self.seats:
            if seat.seat == target:
                return seat.counters
        return next((thing.counters for thing in self.things() if thing.target.lower() == target.lower()), None)

    def targets(self) -> tuple[str, ...]:
        """Everything that `set`, `add` and `expect` can name now."""
        lying = (thing.target for thing in self.things())
        return tuple(dict.fromkeys(("table", *(seat.seat for seat in self.seats), *lying)))
