"""The tabletop: the state of the game, the board, the prompts, the log, and the ending."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from time import monotonic
from typing import Final

from msgspec.structs import replace
from textual import getters
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content

from companion.session.core.changes import GameEnding, Point, outcome_title
from companion.session.core.moments import Moment
from companion.session.core.session import Session
from companion.session.reading.selection import Selection
from companion.session.reading.table_questions import PUT_RIGHT, can_put_right, due_prompts
from companion.session.reports.clock_reading import read_clock_of
from companion.session.reports.durations import Clock
from companion.session.table.countdown import Countdown, brief_left, draw_left
from companion.tabletop.action import Tell
from companion.tabletop.table.table import CardWork, Counter, TableView
from companion.tui import drawing
from companion.tui.terminal.textual_private import BaseScreen, FaultTolerant, PlainGround
from companion.tui.widgets.bars import Head, HeadPart
from companion.tui.widgets.board import Board, BoardSpace
from companion.tui.widgets.log import LogView
from companion.tui.widgets.panel import Panel, PlainContainer
from companion.tui.widgets.prompt_list import AnswerList, PromptList, PromptListPart
from companion.tui.widgets.scoreboard import Scoreboard, ScoreboardPart
from templates.languages.messages import Text, joined, listed, phrase_in

_LINE = 5
"""Columns for the number of a line."""


class EndingPanel(Panel[GameEnding]):
    """The ending of a game, shown once; the questions below lead on."""

    grows = True

    @staticmethod
    def draw(part: GameEnding, width: int) -> list[Content]:
        """Draw the result across the width, then the turning points with the biggest hits, then the figures of all
        players.
        """
        rows = [Content(""), Content.styled(str(part.title).upper().center(width), drawing.BANNER), Content("")]
        for point in part.points:
            rows += _draw_point(point, width)
        return [*rows, Content(""), *_draw_people(part, width)]

    @staticmethod
    def briefer(part: GameEnding, width: int) -> Iterator[list[Content]]:
        """Yield it without empty rows, with a row each, then with fewer turning points: the smallest hits go first,
        then the earliest.
        """
        title = Content.styled(str(part.title).upper().center(width), drawing.BANNER)
        people = [row.truncate(width, ellipsis=True) for row in _draw_people(part, width)]
        whole = [row for point in part.points for row in drawing.wrap_content(_summarize_point(point), width)]
        yield [title, *whole, *people]
        points = list(part.points)
        while True:
            yield [title, *(_summarize_point(point).truncate(width, ellipsis=True) for point in points), *people]
            if not points:
                return
            points.remove(min(points, key=lambda point: point.worth[:2]))


def _draw_point(point: Point, width: int) -> list[Content]:
    head = _summarize_point(point)
    if not point.fell:
        return [head.truncate(width, ellipsis=True)]
    return drawing.wrap_content(head, width)


def _summarize_point(point: Point) -> Content:
    number = (f"{point.line:>{_LINE}}  ", drawing.DIM)
    fell, sentence = drawing.narrow_glyphs(listed(point.fell)), drawing.narrow_glyphs(point.sentence)
    if point.decided:
        return Content.assemble(number, (sentence, drawing.BOLD), f"  {fell}")
    return Content.assemble(number, (f"{fell}: " if fell else "", drawing.BOLD), sentence)


def _draw_people(part: GameEnding, width: int) -> list[Content]:
    names = max((len(name) for name, _ in part.people), default=0)
    rows = (Content.assemble((f"  {name:<{names}}  ", drawing.BOLD), str(figures)) for name, figures in part.people)
    return [line for row in rows for line in drawing.wrap_with_indent(row, width, names + 4)]


class MomentPanel(Panel[CardWork]):
    """An event that takes the room of the board: its title, its result, and the steps for the real cards."""

    grows = True

    @staticmethod
    def draw(part: CardWork, width: int) -> list[Content]:
        """Draw the title across the width, then the result, then the steps for the real cards."""
        title = Content.styled(str(part.moment).upper().center(width), drawing.BANNER)
        return [Content(""), title, Content(""), *_moment_rows(part, width, Content(""))]

    @staticmethod
    def briefer(part: CardWork, width: int) -> Iterator[list[Content]]:
        """Yield it without empty rows."""
        title = Content.styled(str(part.moment).upper().center(width), drawing.BANNER)
        yield [title, *_moment_rows(part, width)]


def _moment_rows(part: CardWork, width: int, *between: Content) -> list[Content]:
    facts = [row for fact in part.facts for row in drawing.wrap_content(Content.styled(str(fact), drawing.BOLD), width)]
    steps = (Content.assemble(("» ", "bold $text-accent"), str(step)) for step in part.steps)
    return [*facts, *between, *(row for step in steps for row in drawing.wrap_with_indent(step, width, 2))]


_QUIET: Final = timedelta(minutes=1)
_LOOK: Final = 15.0
"""Seconds between two updates of the clock, which shows minutes."""


class Tabletop(FaultTolerant, PlainGround, Vertical):
    """The parts of a table from top to bottom; the log is beside the prompts if there is room.

    A new screen is painted first with the head and the board, and right after that with the rest: the players are
    visible 5 % sooner.
    """

    head = getters.query_one(Head)
    board = getters.query_one(Board)
    prompt_list = getters.query_one(PromptList)
    log_view = getters.query_one(LogView)

    def __init__(self, describe: Callable[[Moment], Sequence[Tell]]) -> None:
        super().__init__()
        self._describe = describe
        """Returns the sentences of a moment, for the log."""
        self._clock = Clock()
        self._is_ticking = False
        self._session: Session | None = None
        self._countdown = Countdown()
        self.ending, self.moment, self.scoreboard = EndingPanel(), MomentPanel(), Scoreboard()

    def on_mount(self) -> None:
        """Update the clock at intervals, even if no line is entered."""
        assert isinstance(self.screen, BaseScreen)
        self.screen.call_once_painted(self._show_rest)
        self.set_interval(_LOOK, self._look_at_clock)
        self.set_interval(1, self._count_down)

    async def _show_rest(self) -> None:
        self.query_one("#below").remove_class("-unpainted")
        await self.mount(self.ending, self.moment, self.scoreboard, after=self.board)

    def compose(self) -> ComposeResult:
        """Yield empty panels; their content comes with the first view."""
        yield Head()
        yield Board()
        with PlainContainer(id="below", classes="-unpainted"):
            yield PromptList()
            yield LogView(self._describe)

    def tell_time(self, session: Session, countdown: Countdown | None = None) -> None:
        """Draw the state of the table, the time that it has taken (hidden in the first minute), and what is left of a
        countdown.

        Update the authors of the lines in the log, too.
        """
        self._session, view = session, session.view()
        self._countdown = countdown or self._countdown
        self.log_view.writers = session.writers()
        elapsed = self._clock.read(session, datetime.now(UTC))
        is_long = elapsed is not None and elapsed.evening >= _QUIET
        words: tuple[str, ...] = (str(joined(" · ", elapsed.parts)), str(elapsed.short)) if elapsed and is_long else ()
        reading = read_clock_of(session, datetime.now(UTC))
        self._is_ticking = reading is not None and reading.is_running
        is_urgent = reading is not None and reading.is_urgent
        if reading is not None:
            words = tuple(str(joined(" · ", parts)) for parts in (reading.parts, reading.of_seats, (reading.brief,)))
        time = self._with_countdown(words, view)
        title = drawing.BULLET.join(filter(None, map(str, (view.title, view.match))))
        names = {seat.seat: seat.name for seat in view.seats}
        named = (
            replace(each, value=names[each.value]) if isinstance(each.value, str) and each.value in names else each
            for each in view.counters_in_head
        )
        is_timed = reading is not None or len(time) > len(words)
        self.head.show(HeadPart(title, tuple(named), view.steps, view.step, time, is_urgent, is_timed))
        if self.scoreboard.part is not None:
            self.scoreboard.show(self.scoreboard.part._replace(left=self._countdown_counter(view)))

    def _countdown_counter(self, view: TableView) -> Counter | None:
        """Return what is left of the countdown, else of the time of the player whose turn it is, for the scoreboard."""
        left = self._countdown.left_of(view, monotonic())
        if left is not None:
            title = phrase_in("countdown", "Seconds")
            return Counter("left", left, title=title, top=self._countdown.wish.seconds)
        reading = read_clock_of(self._session, datetime.now(UTC)) if self._session is not None else None
        for each in reading.seats if reading is not None else ():
            if each.has_turn and each.left is not None:
                return Counter("left", max(0, each.left), title=each.name, top=each.seconds + max(0, each.left))
        return None

    def _with_countdown(self, time: tuple[str, ...], view: TableView) -> tuple[str, ...]:
        """Return the words for the time, after what is left of the countdown."""
        now = monotonic()
        left = self._countdown.left_of(view, now)
        if left is None:
            return time
        if self._countdown.rings(now):
            self.app.bell()
        words = str(draw_left(left, self._countdown.wish.seconds))
        return (*(f"{words} · {part}" for part in time), words, brief_left(left))

    def _count_down(self) -> None:
        if self._countdown.wish.seconds or self._is_ticking:
            self._look_at_clock()

    def _look_at_clock(self) -> None:
        if self._session is not None:
            self.tell_time(self._session)

    def show(
        self, view: TableView, log: tuple[Moment, ...], fell: tuple[Text, ...] = (), work: tuple[Text, ...] = ()
    ) -> None:
        """Draw the changes of the table, except for its head, and for the board, which depends on the selection.

        `fell` is what fell last, and `work` the steps for the real cards; both are left out while the panel of an event
        shows them.
        """
        prompts = due_prompts(view)
        offers = tuple(prompt for prompt in view.prompts if prompt not in prompts)
        # If the answers are whole lines, fixing a figure is one of them.
        asks_word = bool(prompts) and len(prompts[0].answers) == 1 and bool(prompts[0].wants)
        offers += (PUT_RIGHT,) if asks_word and can_put_right(view) else ()
        answers = self.prompt_list.part.answers if self.prompt_list.part else AnswerList()
        self.moment.show(view.card_work)
        # Only the first question has its full text on every screen.
        besides = view.card_work.steps_besides(prompts[:1])
        is_special = bool(view.card_work.moment)
        banner = () if is_special else tuple(map(str, fell))
        steps = () if is_special else tuple(str(step) for step in work if step in besides)
        self.prompt_list.show(
            PromptListPart(
                (*prompts, *offers), tuple(map(str, view.hints)), str(outcome_title(view)), answers, banner, steps
            )
        )
        self.scoreboard.show(ScoreboardPart(view, tuple(map(str, fell)), self._countdown_counter(view)))
        self.log_view.show(log)

    async def show_board(self, view: TableView, selection: Selection, room: BoardSpace) -> int:
        """Draw the board, and return the rows that it takes together with the prompts."""
        # By the room and not by the size of the list, which follows from this.
        width = room.beside_the_log
        prompt_rows, least = self.prompt_list.prompts_need(width), self.prompt_list.prompts_need_at_least(width)
        return prompt_rows + await self.board.show(view, selection, room, prompt_rows, least)
