"""The content of a table's page, for one seat or for none: a `TableView` and its log, arranged for a small screen."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Final, NamedTuple

from msgspec.structs import replace

from companion.session.core.changes import describe_outcome
from companion.session.core.session import Session
from companion.session.reading.entries import prompts_ahead
from companion.session.reading.seen_cards import brought_decks
from companion.session.reading.table_questions import due_prompts
from companion.session.reports.big_moments import BigMoment, list_big_moments
from companion.session.table.table_client import TableClient
from companion.tabletop.notation.line_texts import LineText
from companion.tabletop.table.table import (
    CardWork,
    Counter,
    Prompt,
    ScoreSheet,
    SeatView,
    TableView,
    Thing,
    Zone,
    count_teams,
)
from companion.tabletop.words import title_of_word
from templates.languages.messages import (
    ENGLISH,
    Finished,
    Text,
    current_language,
    joined,
    listed,
    partition_subject,
    phrase,
    phrase_in,
    render_value,
)

SECTIONS: Final = ("head", "joining", "moment", "asked", "mine", "middle", "seats", "round", "note", "log")
"""The sections of the page, by the ids of their elements, in order. Only changed ones are sent again."""

MAX_MOMENTS: Final = 30
"""The most moments of the log on the page; another page has all."""
_NEWEST: Final = 3
"""The number of moments that are not folded."""
_MOST_LYING: Final = 6
"""The most things before players that are named at the top; more are shown only where they lie."""


class TableCounter(NamedTuple):
    """A counter on the page.

    `top` is its maximum, None if there is none. `tone` rates the value as good, low or bad. `name` is its notation if
    players may change it by an amount, else "", and `steps` are the amounts. `subject` is its caption without its
    owner: `Damage` of `Damage: Ben`.
    """

    caption: str
    text: str
    top: int | None = None
    why: str = ""
    number: int | None = None
    tone: str = ""
    name: str = ""
    steps: tuple[int, ...] = (1,)
    subject: str = ""


class TableThing(NamedTuple):
    """A thing on the table.

    `big` is the figure that must be legible from afar, if there is one. `changes` are the figures that can be changed,
    even if `brief` includes all of them, and `more` those that are shown on request. `note_titles` are the keywords of
    the notes, and `note_ranks` their places among the tiers of the game, 0 for none.
    """

    target: str
    title: str
    short_title: str
    starred: bool
    brief: str
    big: TableCounter | None
    figures: tuple[TableCounter, ...]
    flags: tuple[str, ...]
    notes: tuple[str, ...]
    note_titles: tuple[str, ...]
    changes: tuple[TableCounter, ...]
    note_ranks: tuple[int, ...] = ()
    more: tuple[TableCounter, ...] = ()


class ZoneOnPage(NamedTuple):
    """A zone of the table with its things. Zones of different sides with the same `column` face each other."""

    title: str
    pieces: tuple[TableThing, ...]
    column: int = 0


class Lane(NamedTuple):
    """Zones that face each other: the things of each side, in the order of `TablePage.lane_names`."""

    title: str
    pieces: tuple[tuple[TableThing, ...], ...]


class PlayerSide(NamedTuple):
    """A player's side of the table. `is_asked` means that the table waits for them first."""

    seat: str
    name: str
    title: str
    big: TableCounter | None
    figures: tuple[TableCounter, ...]
    zones: tuple[ZoneOnPage, ...]
    flags: tuple[str, ...]
    is_out: bool
    is_asked: bool
    rare: tuple[TableCounter, ...] = ()
    """Figures that are usually 0, and are now, but can still be changed."""
    more: tuple[TableCounter, ...] = ()
    """Figures that are shown on request."""


class PageQuestion(NamedTuple):
    """A question of the table.

    `whom` is the name of the seat, "" for everyone. `own` means that it concerns this page's seat, or everyone.
    """

    text: str
    whom: str
    own: bool
    prompt: Prompt


class LogMoment(NamedTuple):
    """A moment of the log.

    `sentences` are marked if they are instructions for the cards; plain text is a line or a note as it was typed.
    `by` is the title of the writer, if there are several.
    """

    number: int
    sentences: tuple[tuple[Text, bool], ...]
    by: str


class ShownChoice(NamedTuple):
    """A choice that was turned up: its player, their side by its title or name, and the choice."""

    player: str
    side: str
    text: str


class PageMoment(NamedTuple):
    """A moment that stands large until it is touched; `who` is the side that it concerns, by its title or name.

    `choices` are all that were turned up in it.
    """

    what: BigMoment
    who: str
    choices: tuple[ShownChoice, ...] = ()


class Glance(NamedTuple):
    """A line of the summary that stays in view: its subject, its value with a rating, and the things that lie there."""

    what: str
    text: str
    tone: str = ""
    lying: tuple[str, ...] = ()


class TablePage(NamedTuple):
    """The content of a table's page.

    `mine` is the side of the page's seat, and `others` are the other sides, clockwise from there. `log` has the newest
    moments, and `earlier` counts those before. `glance` stays in view, and `deck` is the stored deck before the page's
    own seat. `step_words` are the steps as figures name them. `columns` is the number of columns of seats in which
    partners sit opposite, 0 without teams.
    """

    title: str
    figures: tuple[TableCounter, ...]
    steps: tuple[tuple[str, bool], ...]
    outcome: str
    hints: tuple[str, ...]
    work: CardWork
    rules: tuple[tuple[str, str], ...]
    questions: tuple[PageQuestion, ...]
    offers: tuple[PageQuestion, ...]
    mine: PlayerSide | None
    others: tuple[PlayerSide, ...]
    middle: tuple[ZoneOnPage, ...]
    sheet: ScoreSheet | None = None
    sealed: bool = False
    log: tuple[LogMoment, ...] = ()
    length: int = 0
    earlier: int = 0
    glance: tuple[Glance, ...] = ()
    deck: str = ""
    lanes: tuple[Lane, ...] = ()
    lane_names: tuple[str, ...] = ()
    step_words: tuple[str, ...] = ()
    big_moments: tuple[PageMoment, ...] = ()
    columns: int = 0

    @property
    def opponents(self) -> tuple[TableThing, ...]:
        """The opponents, whose figures are shown while others play."""
        return tuple(piece for zone in self.middle for piece in zone.pieces if piece.big)

    @property
    def is_asked(self) -> bool:
        """Return True if the page's own seat is asked something."""
        return self.mine is not None and any(question.prompt.seat == self.mine.seat for question in self.questions)

    @property
    def newest(self) -> tuple[LogMoment, ...]:
        """The unfolded moments of the log."""
        return self.log[:_NEWEST]

    @property
    def older(self) -> tuple[LogMoment, ...]:
        """The folded moments of the log."""
        return self.log[_NEWEST:]


def build_page(sitting: TableClient, seat: str = "") -> TablePage:
    """Return the page of a table for `seat`, or for no seat in particular if that is ""."""
    page = build_view_page(sitting.view, seat)
    return page._replace(
        offers=(*page.offers, *_make_questions(sitting.view, prompts_ahead(sitting.session, seat), seat)),
        sealed=sitting.session.sealing().is_sealed,
        log=tuple(list_moments(sitting, MAX_MOMENTS)),
        length=len(sitting.session.log.lines),
        earlier=max(0, sum(bool(each.tells) or not each.action.is_quiet for each in sitting.log) - MAX_MOMENTS),
        deck=brought_decks(sitting.session).get(seat, ""),
        big_moments=tuple(_make_moments(sitting, seat)),
    )


def _make_moments(sitting: TableClient, viewer: str) -> Iterator[PageMoment]:
    """Yield the big moments, each with the title of its side, or else the name."""
    players = {seat.seat: seat.name for seat in sitting.view.seats}
    sides = {seat.seat: str(seat.title) or seat.name for seat in sitting.view.seats}
    for moment in list_big_moments(sitting.session.game, sitting.log, viewer):
        choices = (ShownChoice(players[seat], sides[seat], str(text)) for seat, text in moment.choices)
        yield PageMoment(moment, sides.get(moment.seat, ""), tuple(choices))


def build_view_page(view: TableView, seat: str = "") -> TablePage:
    """Return the page of a view alone, without a log."""
    prompts = due_prompts(view)
    first = prompts[0].seat if prompts else ""
    sides = [_make_side(each, is_asked=each.seat == first) for each in view.seats]
    at = next((number for number, side in enumerate(sides) if side.seat == seat), None)
    mine = None if at is None else sides[at]
    middle = tuple(_make_zone(zone) for zone in view.zones if zone.things)
    # The page's own side comes first.
    facing = [seat for seat in view.seats if any(zone.column for zone in seat.zones)]
    facing.sort(key=lambda each: each.seat != seat)
    languages = (ENGLISH,) if current_language() is ENGLISH else (ENGLISH, current_language())
    # If no question is due, the page at least shows whose move it is.
    questions = [prompt for prompt in prompts if prompt.due] or ([] if view.outcome else [*prompts[:1]])
    return TablePage(
        title=" · ".join(filter(None, map(str, (view.title, view.match)))),
        figures=tuple(_make_table_figures(view)),
        steps=tuple((str(step.title), step.name == view.step) for step in view.steps),
        outcome=str(describe_outcome(view)) if view.outcome else "",
        # Hints on notation are only for players who type lines.
        hints=tuple(hint for hint in map(str, view.hints) if "`" not in hint),
        work=replace(view.card_work, steps=view.card_work.steps_besides(questions)),
        rules=tuple((str(rule), str(value)) for rule, value in view.rules),
        questions=_make_questions(view, questions, seat),
        offers=_make_questions(view, [prompt for prompt in view.prompts if prompt not in questions], seat),
        mine=mine,
        others=tuple(sides if at is None else sides[at + 1 :] + sides[:at]),
        middle=middle,
        sheet=view.sheet,
        glance=tuple(_summarize_table(middle, sides, mine, [prompt.seat for prompt in questions])),
        lanes=tuple(_make_lanes(facing)),
        lane_names=tuple(each.name for each in facing),
        # A counter may hold the word of a step, or its title in small letters.
        columns=_count_columns(view),
        step_words=tuple(render_value(step.title, language).lower() for step in view.steps for language in languages),
    )


def _count_columns(view: TableView) -> int:
    """Return how many seats stand side by side, so that partners are below each other; 0 for any number."""
    teams, seats = count_teams(view.seats), len(view.seats)
    return next((columns for columns in (teams, 2 * teams) if columns and seats == 2 * columns), 0)


def _summarize_table(
    middle: Iterable[ZoneOnPage], sides: Sequence[PlayerSide], mine: PlayerSide | None, asked_seats: Iterable[str]
) -> Iterator[Glance]:
    """Yield the summary: the opponents, else the other sides; the own side; a few things; the seats that are asked."""
    # Translators: the reader's own side of the table, before its figures
    own = str(phrase_in("side", "You"))
    opponents = [piece for zone in middle for piece in zone.pieces if piece.big]
    for piece in opponents:
        assert piece.big is not None
        yield Glance(piece.short_title, _of_top(piece.big), piece.big.tone)
    pieces = [(side, zone, piece) for side in sides for zone in side.zones for piece in zone.pieces]
    # A thing without any figure, such as a card that is known to be in a hand, does not count yet.
    lying = [each for each in pieces if each[2].changes or each[2].brief or each[2].figures]
    for side in sorted(sides, key=lambda side: side is not mine):
        things = tuple(
            f"{piece.title} · {zone.title}" if zone.column else piece.title
            for owner, zone, piece in (lying if len(lying) <= _MOST_LYING else ())
            if owner is side
        )
        name = own if side is mine else side.name
        if side.big and (side is mine or not opponents):
            yield Glance(name, _of_top(side.big), side.big.tone, things)
        elif things:
            yield Glance(name, things[0], lying=things[1:])
    # Translators: the reader, in a list of those who are asked now
    names = {side.seat: str(phrase_in("asked", "you")) if side is mine else side.name for side in sides}
    if whom := [names[seat] for seat in dict.fromkeys(asked_seats) if seat in names]:
        # Translators: before the names of those whom the table asks
        yield Glance(str(phrase_in("who", "Asked")), str(listed(whom)))


def _of_top(figure: TableCounter) -> str:
    return f"{figure.text}/{figure.top}" if figure.top else figure.text


def list_moments(sitting: TableClient, most: int | None = None) -> Iterator[LogMoment]:
    """Yield the log, newest moment first: all of it, or the newest `most` moments."""
    writers = sitting.session.writers()
    described = ((moment, sitting.describe_moment(moment)) for moment in reversed(sitting.log))
    for moment, tells in islice((pair for pair in described if pair[1]), most):
        sentences = tuple((_as_sentence(tell.text), tell.by_hand) for tell in tells)
        by = writers.get(moment.number, "")
        yield LogMoment(moment.number, sentences, str(title_of_writer(by, sitting.session)))


def title_of_writer(by: str, session: Session) -> Text:
    """Return how guests read the name of a writer: the host for all who write at a machine, such as `ana@pc`."""
    # A phone opens no table, and its name has no @.
    # Translators: whoever runs the program, as the writer of a line of the log
    return phrase("the host") if by and ("@" in by or by == session.log.lines[0].by) else by


def _as_sentence(text: Text) -> Text:
    """Return a line in words with its full stop; what somebody typed is unchanged."""
    return Finished(text) if isinstance(text, LineText) else text


def make_figure(counter: Counter) -> TableCounter:
    """Convert a counter for the page."""
    text = "" if counter.value is True else counter.figure
    top = counter.top if counter.number is not None else None
    name = counter.name if counter.settable and counter.number is not None else ""
    return TableCounter(
        str(counter.caption),
        str(text),
        top,
        str(counter.why),
        counter.number,
        counter.standing,
        name,
        counter.steps,
        subject=partition_subject(counter.caption)[0],
    )


def _make_table_figures(view: TableView) -> Iterator[TableCounter]:
    """Yield the figures of the table. A figure that names a seat has the name of its player."""
    names = {seat.seat: seat.name for seat in view.seats}
    for counter in _informative_counters(view.counters_in_head):
        figure = make_figure(counter)
        is_seat = counter.number is None and counter.text in names
        yield figure._replace(text=names[counter.text]) if is_seat else figure


def _informative_counters(counters: Iterable[Counter]) -> Iterator[Counter]:
    """Yield the visible counters whose value is not empty or False."""
    return (c for c in counters if c.is_visible and not (c.value is None or c.value is False or c.value == ()))


def _split_counters(counters: Iterable[Counter]) -> tuple[TableCounter | None, tuple[TableCounter, ...]]:
    """Return the first figure that must be legible from afar, and the others."""
    informative = list(_informative_counters(counters))
    big = next((counter for counter in informative if counter.big and counter.number is not None), None)
    return (make_figure(big) if big else None), tuple(
        make_figure(counter) for counter in informative if counter is not big
    )


def _make_side(seat: SeatView, *, is_asked: bool) -> PlayerSide:
    big, figures = _split_counters(seat.counters)
    zones = tuple(_make_zone(zone) for zone in seat.zones if zone.things)
    rare = tuple(make_figure(counter) for counter in seat.counters if counter.rare and counter.value == 0)
    return PlayerSide(
        seat.seat,
        seat.name,
        str(seat.title),
        big,
        figures,
        zones,
        _flags_of(seat.flags),
        seat.is_out,
        is_asked,
        rare,
        _figures_on_request(seat.counters),
    )


def _figures_on_request(counters: Iterable[Counter]) -> tuple[TableCounter, ...]:
    """Return the figures that a page shows only if somebody opens them."""
    return tuple(make_figure(c) for c in counters if c.is_minor and not c.is_visible and c.says_something)


def _flags_of(flags: Iterable[Text]) -> tuple[str, ...]:
    return tuple(str(title_of_word(flag)) for flag in flags)


def _make_zone(zone: Zone) -> ZoneOnPage:
    return ZoneOnPage(str(zone.title), tuple(map(_make_piece, zone.things)), zone.column)


def _make_lanes(seats: Sequence[SeatView]) -> Iterator[Lane]:
    """Yield the facing zones of these seats, lane by lane, or nothing if nothing lies there yet."""
    titles = {zone.column: zone.title for seat in seats for zone in seat.zones if zone.column}
    if not any(zone.column and zone.things for seat in seats for zone in seat.zones):
        return
    for column in sorted(titles):
        cells = ((zone.things for zone in seat.zones if zone.column == column) for seat in seats)
        yield Lane(
            str(titles[column]), tuple(tuple(_make_piece(one) for things in cell for one in things) for cell in cells)
        )


def _make_piece(thing: Thing) -> TableThing:
    big, figures = _split_counters(thing.counters)
    changes, more = tuple(filter(None, (big, *figures))), _figures_on_request(thing.counters)
    flags = _flags_of(thing.flags)
    if thing.brief and big is None:
        # The brief has the figures; of words, the flags have those that are not the usual ones.
        words = (c for c in thing.counters if c.is_visible and c.word_title and str(c.figure) not in flags)
        more = (*map(make_figure, words), *more)
    # A brief already includes the figures.
    figures = () if thing.brief and big is None else figures
    values = {figure.text for figure in figures if figure.number is None}
    return TableThing(
        thing.target,
        str(thing.label),
        str(joined(" · ", filter(None, (thing.short_title, thing.name))) if thing.short_title else thing.label),
        thing.starred,
        thing.brief,
        big,
        figures,
        tuple(flag for flag in flags if flag not in values),
        tuple(map(str, thing.notes)),
        tuple(keyword for keyword, _ in thing.notes_by_keyword),
        (*changes, *(figure for figure in more if figure not in changes)),
        thing.note_ranks,
        more,
    )


def _make_questions(view: TableView, prompts: Iterable[Prompt], seat: str) -> tuple[PageQuestion, ...]:
    """Return the questions for the page of a seat, its own first."""
    names = {each.seat: each.name for each in view.seats}
    questions = [
        PageQuestion(str(p.text), names.get(p.seat, ""), bool(seat) and p.seat in (seat, ""), p) for p in prompts
    ]
    return tuple(sorted(questions, key=lambda question: not question.own))
