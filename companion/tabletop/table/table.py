"""The view of a table: the one description that all screens draw, and the drafts of actions in its prompts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Literal, NamedTuple

import msgspec

from companion.tabletop.action import Action
from companion.tabletop.notation.arguments import TEXT
from companion.tabletop.notation.notation import Argument, grammar
from companion.tabletop.records import Reason
from companion.tabletop.table.match_result import seats_of_outcome
from companion.tabletop.text import figure
from companion.tabletop.words import title_of_word
from templates.languages.messages import Language, Message, Text, joined, partition_subject, phrase


class Draft(msgspec.Struct, frozen=True):
    """An action of which only some fields are `given`. `note` is a short remark on its effect or cost.

    `asks` are optional fields that this answer is about. `order` are the fields that players choose first, although
    they come later in the line: a purchase before the card it goes on. `title` is what a button says, if the words of
    the line do not say it well, such as a deck that the line names by a seat.
    """

    action: type[Action]
    given: Mapping[str, Any] = MappingProxyType({})
    note: Text = ""
    asks: tuple[str, ...] = ()
    order: tuple[str, ...] = ()
    title: Text = ""

    @classmethod
    def of(cls, action: Action) -> Draft:
        """Return the draft of a whole action."""
        return cls(type(action), {name: getattr(action, name) for name in action.__struct_fields__})

    @property
    def line(self) -> str:
        """The line as far as it is known, in table notation.

        Arguments after a gap are not written yet, except those that may stand before a text that is the gap.
        """
        written, gap = grammar(self.action), self._gap
        if gap is None:
            return written.write(self.given)
        before = {a.field for a in written.positional[:gap]}
        line = written.write({field: value for field, value in self.given.items() if field in before})
        choices = written.choices if written.positional[gap].kind is TEXT else ()
        return " ".join((line, *(a.kind.write(self.given[a.field]) for a in choices if a.field in self.given)))

    def with_title(self, title: Text) -> Draft:
        """Return the same draft under a title of its own."""
        return msgspec.structs.replace(self, title=title)

    @property
    def missing(self) -> tuple[Argument, ...]:
        """The arguments that are still required, in the order of the line."""
        also = (self.argument(field) for field in self.asks if field not in self.given)
        return (*grammar(self.action).missing(self.given), *also)

    @property
    def to_choose(self) -> tuple[Argument, ...]:
        """The missing arguments, in the order in which players choose them."""
        first = [argument for field in self.order for argument in self.missing if argument.field == field]
        return (*first, *(argument for argument in self.missing if argument not in first))

    @property
    def optional(self) -> tuple[Argument, ...]:
        """The optional arguments that were not given."""
        return tuple(a for a in grammar(self.action).arguments if not a.required and a.field not in self.given)

    @property
    def wants(self) -> str:
        """The shapes of the missing arguments in the usage: `CARD SUIT`; "" if `line` is complete."""
        return " ".join(argument.words for argument in self.missing)

    @property
    def shape(self) -> str:
        """The line with its missing arguments: `play ana CARD SUIT`."""
        return f"{self.line} {self.wants}".rstrip()

    @property
    def key(self) -> str:
        """The shape and all that is given behind its first gap, so that drafts of one shape have different keys."""
        behind = () if self._gap is None else grammar(self.action).arguments[self._gap :]
        given = ((argument, self.given.get(argument.field, argument.default)) for argument in behind)
        words = (f"{a.field}={a.kind.write(value)}" for a, value in given if value != a.default)
        return " ".join((self.shape, *words))

    @property
    def _gap(self) -> int | None:
        """The place of the first missing argument in the order of the line, None if nothing is missing there."""
        places = enumerate(grammar(self.action).positional)
        return next((at for at, a in places if a.required and a.field not in self.given), None)

    def argument(self, field: str) -> Argument:
        """Return the argument of a field. Raises LookupError if the action has none."""
        return next(argument for argument in grammar(self.action).arguments if argument.field == field)

    def having(self, field: str, value: Any) -> Draft:
        """Return the draft with one more field."""
        return msgspec.structs.replace(self, given={**self.given, field: value})

    def build(self) -> Action:
        """Return the action; nothing may be missing."""
        return self.action(**self.given)


def draft(action: type[Action], note: Text = "", **given: Any) -> Draft:
    """Return a draft: `draft(Reveal, seat="ana")`"""
    return Draft(action, given, note)


Value = int | str | bool | tuple[str, ...] | None


Full = Literal["", "good", "harm"]
"""The meaning of a full counter."""

_LOW, _HALF = 0.25, 0.5
"""The limits for a bad and a low standing, as a share of the maximum."""


class Counter(msgspec.Struct, frozen=True):
    """One figure of a seat, a thing or the table.

    `name` is the word in `set` and `expect`, `title` the display name. `top` is the maximum (draws a bar). `why` is the
    calculation behind the figure. `big`: it must be readable from two metres away. `is_visible`: it is shown even if
    space is scarce. `ordered`: the order of a list matters. `words` are the possible values of a word. `full` says if a
    full one is good or harmful. `life`: a name and a number mean it (`wolf 3`). `short` is the title in a few letters.
    `steps` are the increments of keys and buttons, the usual one first. `rare`: it is mostly 0, and shown only if it is
    not. `word_title` is the title of a word as value, unless it is a word of all games. `is_shared`: it is a figure of
    something else, such as a team, under whose name its changes are reported. `is_minor`: if it is not visible, it is
    shown on request, as one that only players of the game know they need. `same_as` are other words for its value in
    notation, such as the word of a team.
    """

    name: str
    value: Value
    title: Text = ""
    top: int | None = None
    why: Text = ""
    settable: bool = True
    big: bool = False
    is_visible: bool = True
    ordered: bool = False
    words: tuple[str, ...] = ()
    full: Full = ""
    life: bool = False
    short: Text = ""
    steps: tuple[int, ...] = (1,)
    rare: bool = False
    word_title: Text = ""
    is_shared: bool = False
    is_minor: bool = False
    same_as: tuple[str, ...] = ()

    @property
    def says_something(self) -> bool:
        """Return True if it says more than that something is not the case."""
        nothing = self.value is None or self.value is False or self.value == ()
        return not (nothing or (self.rare and not self.value))

    @property
    def text(self) -> str:
        """The value in notation: `yes`/`no`, `none`, words separated by spaces."""
        return write_value(self.value)

    @property
    def figure(self) -> Text:
        """The value as displayed: a number, or the title of its word, which may differ from notation."""
        if self.number is not None:
            return figure(self.number)
        return self.word_title or title_of_word(self.text)

    @property
    def caption(self) -> Text:
        """The display name."""
        return self.title or self.name.capitalize()

    @property
    def brief_caption(self) -> Text:
        """The display name if space is scarce."""
        return self.short or self.caption

    @property
    def standing(self) -> Literal["", "good", "low", "bad"]:
        """The standing by how full it is; "" if that is neither good nor harmful."""
        if not self.top or not self.full or self.number is None:
            return ""
        share = self.number / self.top
        good = 1 - share if self.full == "harm" else share
        return "bad" if good <= _LOW else "low" if good <= _HALF else "good"

    @property
    def number(self) -> int | None:
        """The value if it is a whole number, else None."""
        return None if isinstance(self.value, bool) or not isinstance(self.value, int) else self.value


def write_value(value: Value) -> str:
    """Return the value of a counter as a word (or words) of notation."""
    if value is None or value == ():
        return "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, tuple):
        return " ".join(value)
    return str(value)


class Explanation(Message):
    """A keyword with its effect, as a note: `Tough: each card 1 less`.

    `rank` is its place among the tiers of its game, from 1 on, which have colours of their own; 0 is none.
    """

    __slots__ = ("keyword", "rank", "text")

    def __init__(self, keyword: Text, text: Text, rank: int = 0) -> None:
        self.keyword = keyword
        self.text = text
        self.rank = rank

    def render(self, language: Language) -> str:
        return phrase("{keyword}: {text}", keyword=self.keyword, text=self.text).render(language)

    @property
    def _key(self) -> tuple[object, ...]:
        return (self.keyword, self.text, self.rank)


def _keyword_of(note: Text) -> str:
    if isinstance(note, Explanation):
        return str(note.keyword)
    return partition_subject(note)[0] if isinstance(note, str) else str(note)


class Thing(msgspec.Struct, frozen=True):
    """A thing on the table with a name of its own: an opponent, a creature, a card.

    `target` is its name in notation (`wolf`, `ana:AS`). `notes` are its labels or keywords with their effects, each an
    `Explanation`. If many things are side by side, a screen shows `brief`, its figures in a few cells (`3/4`), and
    `flags`, the words that must be visible now (`asleep`) and have titles by `title_of_word`; a note may explain a
    flag. Short lines can name a thing by its `number` as long as it lies there; 0 is none. `short_title` stands for a
    long title where there is little room, and `name` is what people called it, if they did. `can_fall`: it falls when
    its large figure is used up; False for figures of the table or of a team, which have no life.
    """

    target: str
    title: Text
    counters: tuple[Counter, ...] = ()
    notes: tuple[Text, ...] = ()
    starred: bool = False
    brief: str = ""
    flags: tuple[Text, ...] = ()
    number: int = 0
    short_title: Text = ""
    name: str = ""
    can_fall: bool = True

    @property
    def number_before(self) -> int:
        """The number to show before the title; 0 if there is none, or if the title ends with it, as `Guard 6` does."""
        return 0 if self.number and str(self.title).endswith(f" {self.number}") else self.number

    @property
    def label(self) -> Text:
        """The display name after its number: `5 Ash Wolf`."""
        return joined(" ", (str(self.number), self.title)) if self.number_before else self.title

    @property
    def notes_by_keyword(self) -> tuple[tuple[str, Text], ...]:
        """Its notes, each behind its keyword: `Tough` of `Tough: each card 1 less`; a note without one is its own.

        Games of other packages write notes as plain texts, with the keyword before a colon.
        """
        return tuple((_keyword_of(note), note) for note in self.notes)

    @property
    def note_ranks(self) -> tuple[int, ...]:
        """The rank of each note among the tiers of its game; 0 for none."""
        return tuple(note.rank if isinstance(note, Explanation) else 0 for note in self.notes)

    @property
    def flags_beside_figures(self) -> tuple[Text, ...]:
        """The titles of its flags, without those that a visible counter shows already."""
        visible = (each for each in self.counters if each.is_visible and each.number is None)
        in_figures = {str(each.caption if each.value is True else each.figure) for each in visible}
        return tuple(flag for flag in map(title_of_word, self.flags) if flag and str(flag) not in in_figures)

    @property
    def words(self) -> tuple[str, ...]:
        """Its flags, then its notes without their explanations."""
        flags = (str(title_of_word(flag)) for flag in self.flags)
        return tuple(dict.fromkeys((*flags, *(keyword for keyword, _ in self.notes_by_keyword))))


class Zone(msgspec.Struct, frozen=True):
    """A place on the table with things in it.

    Zones of different seats with the same `column`, from 1 on, face each other; 0 is no column. One that `is_named`
    shows its title however scarce the room is, since nothing else tells its things from those of other zones.
    """

    name: str
    title: Text
    things: tuple[Thing, ...] = ()
    column: int = 0
    is_named: bool = False


class SeatView(msgspec.Struct, frozen=True):
    """One player's side of the table. `flags` are short words that apply now (`active`, `braced`, `out`).

    Screens show the titles of flags by `title_of_word`. `team` is the number of its team; 0 if there are no teams.
    """

    seat: str
    name: str
    title: Text = ""
    counters: tuple[Counter, ...] = ()
    zones: tuple[Zone, ...] = ()
    flags: tuple[Text, ...] = ()
    team: int = 0

    @property
    def is_out(self) -> bool:
        """Return True if they take no part now: out of the fight, or of the game."""
        return "out" in self.flags

    @property
    def target(self) -> str:
        """The name of the seat in notation."""
        return self.seat


class SheetEntry(NamedTuple):
    """A figure that a seat enters, such as a column of a score sheet.

    `is_open`: the seat is still asked for it now. `corrects` is the total that an entry already made has led to, by its
    word, and "" if nothing has been entered. `is_free`: the seat may enter it before it is asked, as nobody waits for
    anybody. `earlier` corrects the same figure in the last complete row, if this one is not asked for yet.
    """

    answer: Draft
    name: str
    title: Text
    is_open: bool
    corrects: str = ""
    is_free: bool = False
    earlier: Draft | None = None


def count_teams(seats: Sequence[SeatView]) -> int:
    """Return the number of teams if seats belong to them in turn, so that partners can sit opposite; else 0."""
    teams = max((seat.team for seat in seats), default=0)
    in_turn = all(seat.team == at % teams + 1 for at, seat in enumerate(seats)) if teams else False
    return teams if in_turn and len(seats) > teams and len(seats) % teams == 0 else 0


class ScoreRow(msgspec.Struct, frozen=True):
    """A row of a score sheet: the entry of each seat, and its points ("" if they are the same).

    `sums` has how the points of each seat were reckoned, such as `3 × 10 + 5`; those of a lone figure render to "".
    """

    title: Text
    cells: tuple[str, ...]
    points: tuple[str, ...]
    sums: tuple[Text, ...] = ()


class ScoreSheet(msgspec.Struct, frozen=True):
    """The score sheet of a game: one row for each round, the present one last, and one column for each seat or team.

    `seats` are their names. `written` explains a cell: `Bid / Tricks`; `briefly` does so
    in less room, if the game knows shorter words. `totals` has one figure for each column: the sum
    of its rows and, if there is any, what came `besides`.
    """

    title: Text
    seats: tuple[Text, ...]
    rows: tuple[ScoreRow, ...] = ()
    totals: tuple[str, ...] = ()
    written: Text = ""
    besides: tuple[str, ...] = ()
    briefly: Text = ""


class RoundStep(msgspec.Struct, frozen=True):
    """One step of the round, by its word in notation and its title."""

    name: str
    title: Text


class Prompt(msgspec.Struct, frozen=True):
    """A prompt for a player: a question with its answers.

    `answer` is the suggested action, as far as the game knows it, and `others` are alternatives; the game supplies the
    values of their missing fields on demand (`companion.tabletop.table.choices`). `seat` is the seat that it concerns,
    "" for all. `due` distinguishes a question that the step waits for from an offer. With `lists_values`, a list shows
    the values for the missing field of `answer` before the other answers. An answer to a question that `is_secret` may
    be chosen face down, until everybody who is asked has chosen. `otherwise` is what happens if none of the answers is
    chosen, such as the attack that a card makes anyway; a screen with buttons shows it beside them.
    """

    text: Text
    answer: Draft
    seat: str = ""
    due: bool = True
    others: tuple[Draft, ...] = ()
    lists_values: bool = False
    is_secret: bool = False
    otherwise: Text = ""

    @property
    def answers(self) -> tuple[Draft, ...]:
        """All answers, the suggested one first."""
        return (self.answer, *self.others)

    @property
    def line(self) -> str:
        """The suggested answer in table notation, as far as it is known."""
        return self.answer.line

    @property
    def wants(self) -> str:
        """The shapes of what the suggested answer lacks; "" if `line` is complete."""
        return self.answer.wants


class WayOn(msgspec.Struct, frozen=True):
    """The continuation of a game without input: one action that plays no card and makes no choice.

    `does` is a short description. If a player would miss a possible action by it, `leaves` says so, and the game waits
    here until it is requested a second time. `decision` is the name of the missed action if it belongs together with
    others in a turn: skipping `ana` skips `ana plays`, too.
    """

    action: Action
    does: Text
    leaves: Text = ""
    decision: str = ""


class CardWork(msgspec.Struct, frozen=True):
    """The work with the real cards that is due now, a sentence each.

    If an event deserves a moment of its own, `moment` is its title, and `facts` are the sentences about it.
    """

    steps: tuple[Text, ...] = ()
    moment: Text = ""
    facts: tuple[Text, ...] = ()

    def steps_besides(self, prompts: Iterable[Prompt]) -> tuple[Text, ...]:
        """Return the steps without those that some prompts already contain, to avoid repetition."""
        texts = tuple(str(prompt.text) for prompt in prompts)
        return tuple(step for step in self.steps if not any(str(step) in text for text in texts))


class TeamView(NamedTuple):
    """A team with figures of its own: its title, the names of its members, and its counters."""

    title: Text
    members: tuple[str, ...]
    counters: tuple[Counter, ...]


class TableView(msgspec.Struct, frozen=True):
    """Everything a screen needs to draw a table; screens know nothing else of a game."""

    game: str
    title: Text
    counters: tuple[Counter, ...] = ()
    zones: tuple[Zone, ...] = ()
    seats: tuple[SeatView, ...] = ()
    steps: tuple[RoundStep, ...] = ()
    step: str = ""
    prompts: tuple[Prompt, ...] = ()
    hints: tuple[Text, ...] = ()
    rules: tuple[tuple[Text, Text], ...] = ()
    outcome: str | None = None
    standing: tuple[Reason, ...] = ()
    """The state of the table for lists, as facts that the game's `reason` words; empty: by counters and step."""
    later: tuple[Prompt, ...] = ()
    """Offers that are always available and rarely used: agreements that may change during the game."""
    match: Text = ""
    """The score of a match of several games: `Game 2 · best of 3 · Ana 1 – 0 Ben`."""
    card_work: CardWork = CardWork()
    """The work with the real cards that is due now; shown on request, but a moment of its own is shown to all."""
    sheet: ScoreSheet | None = None
    closing: bool = False
    """True if `steps` are those after the game, which settle its decks and purses before the seal."""
    won_by: tuple[str, ...] = ()
    """The winning seats of an outcome that does not name them, such as the members of a team."""
    won_as: Text = ""
    """The name under which the winners have won, such as that of their team; empty if they are named themselves."""
    teams: tuple[TeamView, ...] = ()
    """The teams that have figures of their own."""

    @property
    def winning_seats(self) -> tuple[str, ...]:
        """The seats of the winners, several if they share the win; empty if nobody or all have won."""
        return self.won_by or seats_of_outcome(self.outcome, tuple(seat.seat for seat in self.seats))

    @property
    def winners(self) -> tuple[str, ...]:
        """The names of the winners, as `winning_seats`."""
        won = self.winning_seats
        return tuple(seat.name for seat in self.seats if seat.seat in won)

    @property
    def count(self) -> Counter | None:
        """The first counter with a number: rounds or turns; None if the table counts nothing."""
        return next((counter for counter in self.counters if counter.number is not None), None)

    @property
    def counters_in_head(self) -> tuple[Counter, ...]:
        """The counters of the table, without those of a thing called `table` that lies on it."""
        lying = {counter.name for thing in self.things() if thing.target == "table" for counter in thing.counters}
        return tuple(counter for counter in self.counters if counter.name not in lying) if lying else self.counters

    def things(self) -> Iterator[Thing]:
        """Yield every thing on the table, in any zone."""
        for zone in self.zones:
            yield from zone.things
        for seat in self.seats:
            for zone in seat.zones:
                yield from zone.things

    def counters_of(self, target: str) -> tuple[Counter, ...] | None:
        """Return the counters of `table`, a seat or a thing (in any case); None if nothing has that name."""
        if target == "table":
            return self.counters
        for seat in self.seats:
            if seat.seat == target:
                return seat.counters
        return next((thing.counters for thing in self.things() if thing.target.lower() == target.lower()), None)

    def targets(self) -> tuple[str, ...]:
        """Return everything that `set`, `add` and `expect` can name now."""
        lying = (thing.target for thing in self.things())
        return tuple(dict.fromkeys(("table", *(seat.seat for seat in self.seats), *lying)))
