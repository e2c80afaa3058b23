"""All that is seen of a table: where the game stands, what lies there, what is asked, what happened, how it ended."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from typing import Final

from textual import getters
from textual.app import ComposeResult
from textual.containers import Container, Vertical
from textual.content import Content

from companion.session.changes import Ending, Point, outcome_title
from companion.session.durations import Clock
from companion.session.log import Moment
from companion.session.selection import Selection
from companion.session.session import Session
from companion.session.table_questions import PUT_RIGHT, can_put_right, due_prompts
from companion.tabletop.action import Tell
from companion.tabletop.table import TableView
from companion.tui import drawing
from companion.tui.textual_private import FaultTolerant
from companion.tui.widgets.bars import Head, HeadPart
from companion.tui.widgets.board import Board, Room
from companion.tui.widgets.log import LogView
from companion.tui.widgets.panel import Panel
from companion.tui.widgets.prompt_list import AnswerList, PromptList, PromptListPart
from companion.tui.widgets.scoreboard import Scoreboard, ScoreboardPart

_LINE = 5
"""Columns for the number of a line."""


class EndingPanel(Panel[Ending]):
    """The end of a game, told once; the questions below go on with what comes next."""

    grows = True

    @staticmethod
    def draw(part: Ending, width: int) -> list[Content]:
        """How it ended across the width, then who felled what and the biggest hits, then everybody's figures."""
        rows = [Content(""), Content.styled(part.title.upper().center(width), "bold reverse"), Content("")]
        for point in part.points:
            rows += _point(point, width)
        return [*rows, Content(""), *_people(part, width)]

    @staticmethod
    def briefer(part: Ending, width: int) -> Iterator[list[Content]]:
        """No empty rows; a row each; then fewer turning points: without the smallest hits first, then the earliest."""
        title = Content.styled(part.title.upper().center(width), "bold reverse")
        people = [row.truncate(width, ellipsis=True) for row in _people(part, width)]
        whole = [row for point in part.points for row in drawing.wrapped(_brief(point), width)]
        yield [title, *whole, *people]
        points = list(part.points)
        while True:
            yield [title, *(_brief(point).truncate(width, ellipsis=True) for point in points), *people]
            if not points:
                return
            points.remove(min(points, key=lambda point: point.worth[:2]))


def _point(point: Point, width: int) -> list[Content]:
    head = _brief(point)
    if not point.fell:
        return [head.truncate(width, ellipsis=True)]
    return drawing.wrapped(head, width)


def _brief(point: Point) -> Content:
    number = (f"{point.line:>{_LINE}}  ", drawing.DIM)
    fell, sentence = drawing.single(", ".join(point.fell)), drawing.single(point.sentence)
    if point.decided:
        return Content.assemble(number, (sentence, "bold"), f"  {fell}")
    return Content.assemble(number, (f"{fell}: " if fell else "", "bold"), sentence)


def _people(part: Ending, width: int) -> list[Content]:
    names = max((len(name) for name, _ in part.people), default=0)
    rows = (Content.assemble((f"  {name:<{names}}  ", "bold"), figures) for name, figures in part.people)
    return [row.truncate(width, ellipsis=True) for row in rows]


_QUIET: Final = timedelta(minutes=1)
_LOOK: Final = 15.0
"""Seconds between two looks at the clock, which tells minutes."""


class Tabletop(FaultTolerant, Vertical):
    """From top to bottom; the log moves beside the prompts where there is room."""

    head = getters.query_one(Head)
    board = getters.query_one(Board)
    ending = getters.query_one(EndingPanel)
    scoreboard = getters.query_one(Scoreboard)
    prompt_list = getters.query_one(PromptList)
    log_view = getters.query_one(LogView)

    def __init__(self, describe: Callable[[Moment], Sequence[Tell]]) -> None:
        super().__init__()
        self._describe = describe
        """Gives the sentences of a moment, for the log."""
        self._clock = Clock()
        self._session: Session | None = None

    def on_mount(self) -> None:
        """Look at the clock from time to time, also where nobody enters a line."""
        self.set_interval(_LOOK, self._look_at_clock)

    def compose(self) -> ComposeResult:
        """Empty panels; what they show comes with the first view."""
        yield Head()
        yield Board()
        yield EndingPanel()
        yield Scoreboard()
        with Container(id="below"):
            yield PromptList()
            yield LogView(self._describe)

    def tell_time(self, session: Session) -> None:
        """Draw where the table stands, and how long that has taken; in the first minute it says nothing of that.

        The log learns who entered what.
        """
        self._session, view = session, session.view()
        self.log_view.writers = session.writers()
        elapsed = self._clock.read(session, datetime.now(UTC))
        time = (" · ".join(elapsed.parts), elapsed.short) if elapsed and elapsed.evening >= _QUIET else ()
        self.head.show(HeadPart(view.title, view.counters, view.steps, view.step, time))

    def _look_at_clock(self) -> None:
        if self._session is not None:
            self.tell_time(self._session)

    def show(self, view: TableView, log: tuple[Moment, ...], fell: tuple[str, ...] = ()) -> None:
        """Draw what has changed of the table, but for its head, and for the board: that depends on what is chosen.

        `fell` is who or what fell last.
        """
        prompts = due_prompts(view)
        offers = tuple(prompt for prompt in view.prompts if prompt not in prompts)
        # Among answers that are whole lines it is one of these.
        asks_word = bool(prompts) and len(prompts[0].answers) == 1 and bool(prompts[0].wants)
        offers += (PUT_RIGHT,) if asks_word and can_put_right(view) else ()
        answers = self.prompt_list.part.answers if self.prompt_list.part else AnswerList()
        self.prompt_list.show(PromptListPart((*prompts, *offers), view.hints, outcome_title(view), answers, fell))
        self.scoreboard.show(ScoreboardPart(view, fell))
        self.log_view.show(log)

    async def show_board(self, view: TableView, selection: Selection, room: Room) -> int:
        """Draw the board, and say how many rows it takes together with the prompts."""
        # By the room and not by the list's size, which it gets only after this.
        prompt_rows = self.prompt_list.prompts_need(room.beside_the_log)
        return prompt_rows + await self.board.show(view, selection, room, prompt_rows)
