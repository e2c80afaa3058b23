"""After the seal: tonight's labels, on which sheet, and what is to be done by hand, ticked off as it is done.

Separate from the ceremony, which ends with the seal: here the game is over, and cards and boxes lie open.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, ClassVar, NamedTuple, TypeVar

from textual.binding import Binding, BindingType
from textual.content import Content

from companion.archive import Archive, ArchiveError, DeckRow, shelf
from companion.games.action import RuleError
from companion.games.records import Chore
from companion.tui import drawing, look
from companion.tui.key_order import BEFORE_MORE_KEYS
from companion.tui.screens.asking import Answer, AskingScreen
from companion.tui.screens.print import open_print
from companion.tui.screens.typing import key_name

if TYPE_CHECKING:
    from companion.press.jobs import Job

T = TypeVar("T")


class Tick(NamedTuple):
    """Chores of a deck are done."""

    row: DeckRow
    chores: tuple[Chore, ...]


_HOME = Answer("Home", "what is left stands with each deck", "home")
_DONE = Answer("Home", "", "home")
_PRINT = "print"


class TonightScreen(AskingScreen):
    """What a sealed sitting leaves to be done."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("space", "tick", "Done", id="tonight.tick", tooltip="Tick off the chosen chore; it was done"),
    ]

    def __init__(self, archive: Archive, session: str) -> None:
        super().__init__()
        self._archive = archive
        self._session = session
        self._visit = shelf.Visit(archive)
        self._labels: Job | None = None
        self._is_printed = False

    def on_mount(self) -> None:
        """What the seal has left to be done."""
        self.show_where(Content.styled("After the seal · labels and chores", "bold"))
        # Beside: the whole app waits until a screen is mounted.
        self.run_worker(self._begin(), name="tonight", group=BEFORE_MORE_KEYS)

    async def _begin(self) -> None:
        self._labels = await self._tried(self._due)
        await self._show()

    def _due(self) -> Job | None:
        # The libraries that print are loaded once there is something to print.
        from companion.press import jobs
        from labels.errors import LabelError

        try:
            return jobs.tonight(self._archive, self._session)
        except LabelError:
            return None

    async def _show(self, at: int = 0) -> None:
        self.tell(list(self._told()))
        chores = await self._tried(self._chores) or ()
        every = [Answer("☐ All of it is done", "", [a.means for a in chores])] if len(chores) > 1 else []
        self.ask("What is done?" if chores else self._done(), self._in_order([*chores, *every]), at)
        back = (key_name(self, "asking.undo"), "Not done after all", "screen.take_back")
        self.show_keys(
            ("Enter", "Choose", "screen.enter"),
            *((("Space", "Done", "screen.tick"),) if chores else ()),
            (key_name(self, "asking.back"), "Table", "screen.back"),
            (key_name(self, "asking.help"), "Help", "screen.help"),
            *((back,) if self._visit.ticks else ()),
        )

    def _told(self) -> Iterator[Content]:
        for sentence in self._labels.told if self._labels else ():
            yield Content(drawing.single(sentence))
        if not self._labels:
            yield Content("This game calls for no labels.")

    def _in_order(self, chores: Sequence[Answer]) -> list[Answer]:
        """What is due first stands first: the labels, what is to be done, and home, behind which printing is offered
        once more to whose sheet came out wrong.
        """
        prints = list(self._to_print())
        if self._is_printed or not chores:
            return [*chores, _HOME if chores else _DONE, *prints]
        return [*prints, *chores, _HOME]

    def _done(self) -> str:
        """What is true without any chore: whether labels were printed before this screen came, nobody has noted."""
        if self._is_printed or not self._labels:
            return "Everything of tonight is done."
        return f"No chore is left; {self._what} can still be printed."

    @property
    def _what(self) -> str:
        labels = len(self._labels.labels) if self._labels else 0
        return f"tonight's {labels} labels" if labels > 1 else "tonight's label"

    def _to_print(self) -> Iterator[Answer]:
        if self._labels:
            what = self._what
            once_more = Answer(f"Print {what} once more", "", _PRINT)
            first = Answer(f"Print {what}", "you say on which sheet, and see the page", _PRINT)
            yield once_more if self._is_printed else first

    async def _printed(self) -> None:
        self._is_printed = True
        await self._show()

    def _chores(self) -> list[Answer]:
        return [
            Answer(f"☐ {row.name}: {chore.text}", "", Tick(row, (chore,)))
            for row in sorted(shelf.decks_of(self._archive, self._session), key=lambda row: row.name)
            for chore in shelf.chores(self._archive, row.deck, self._session)
        ]

    # What is answered

    async def take(self, answer: Answer) -> None:
        """Print, tick off, or go."""
        match answer.means:
            case str(means) if means == _PRINT:
                await open_print(self, self._archive, {"what": "tonight", "which": self._session}, self._printed)
            case Tick():
                await self._tick([answer.means])
            case list(ticks):
                await self._tick(ticks)
            case _:
                self.dismiss("home")

    async def enter(self, text: str) -> None:
        """Nothing here is typed but to shorten the list."""
        self.say(f"Nothing here has “{text.strip()}”.", wrong=True)

    async def action_tick(self) -> None:
        """Tick off the chosen chore."""
        answer = self.chosen
        if answer is not None and isinstance(answer.means, Tick):
            await self._tick([answer.means])

    async def _tick(self, ticks: Sequence[Tick]) -> None:
        at = self.answers.highlighted or 0
        by_deck: dict[str, list[str]] = {}
        for row, chores in ticks:
            by_deck.setdefault(row.deck, []).extend(chore.id for chore in chores)
        done = await self._tried(
            lambda: [c for deck, ids in by_deck.items() for c in self._visit.tick(deck, ids, self._session)]
        )
        if done is not None:
            self.say(f"Done: {drawing.in_brief(chore.text for chore in done)}")
        await self._show(at)

    async def action_take_back(self) -> None:
        """Take back the last tick; no story tells of either."""
        if not self._visit.ticks:
            self.say("Nothing was ticked off here.")
            return
        if await self._tried(self._visit.take_back) is not None:
            self.say("That is to be done again.")
        await self._show(self.answers.highlighted or 0)

    async def back(self) -> None:
        """To the table."""
        self.dismiss("table")

    async def _tried(self, what: Callable[[], T]) -> T | None:
        """Do it beside the screen, since it waits for the disk; None, and said why, where it cannot be done."""
        try:
            return await asyncio.to_thread(what)
        except (ArchiveError, RuleError, OSError) as error:
            self.say(look.told(error), wrong=True)
            return None
