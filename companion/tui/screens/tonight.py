"""After the seal: tonight's labels, on which sheet, and what is to be done by hand, ticked off as it is done.

Separate from the ceremony, which ends with the seal: here the game is over, and cards and boxes lie open.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Sequence
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, NamedTuple, TypeVar

from textual.binding import Binding, BindingType
from textual.content import Content

from companion.archive import Archive, ArchiveError, DeckRow, shelf
from companion.games.action import RuleError
from companion.games.records import Chore
from companion.tui import drawing
from companion.tui.screens.asking import Answer, AskingScreen
from companion.tui.screens.typing import key_name

if TYPE_CHECKING:
    from companion.press.decks import DueLabels

T = TypeVar("T")


class Print(NamedTuple):
    """Labels are to be printed, on a sheet at hand; "" for a new one, None as long as nobody has said which."""

    sheet: str | None = None


class Tick(NamedTuple):
    """Chores of a deck are done."""

    row: DeckRow
    chores: tuple[Chore, ...]


_HOME = Answer("Home", "what is left stands with each deck", "home")


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
        self._labels: Sequence[DueLabels] = ()
        self._printed = ""
        self._chooses_sheet = False

    async def on_mount(self) -> None:
        """What the seal has left to be done."""
        self.show_where(Content.styled("After the seal · labels and chores", "bold"))
        self._labels = await self._tried(self._due) or ()
        await self._show()

    def _due(self) -> Sequence[DueLabels]:
        # The libraries that print are loaded once there is something to print.
        from companion.press import tonight

        return [deck for deck in tonight.due(self._archive, self._session) if deck.labels]

    async def _show(self, at: int = 0) -> None:
        self._chooses_sheet = False
        self.tell(list(self._told()))
        chores = await self._tried(self._chores) or ()
        answers = [*self._to_print(), *chores]
        every = [Answer("☐ All of it is done", "", [a.means for a in chores])] if len(chores) > 1 else []
        question = "What is done?" if chores else "Everything is done."
        self.ask(question, [*answers, *every, _HOME], at)
        back = (key_name(self, "asking.undo"), "Not done after all", "screen.take_back")
        self.show_keys(
            ("Enter", "Choose", ""),
            *((("Space", "Done", "screen.tick"),) if chores else ()),
            *((back,) if self._visit.ticks else ()),
            (key_name(self, "asking.back"), "Table", "screen.back"),
            (key_name(self, "asking.help"), "Help", "screen.help"),
        )

    def _told(self) -> Iterator[Content]:
        for deck in self._labels:
            where = [f"{label.title} on {getattr(label, 'card', '')}" for label in deck.cards]
            where += ["its box" for _ in deck.box]
            yield Content.assemble((f"{drawing.single(deck.row.name)}  ", "bold"), drawing.single(", ".join(where)))
        if not self._labels:
            yield Content("This game calls for no labels.")

    def _to_print(self) -> Iterator[Answer]:
        labels = sum(len(deck.labels) for deck in self._labels)
        if labels:
            what = f"tonight's {labels} labels" if labels > 1 else "tonight's label"
            again = " once more" if self._printed else ""
            yield Answer(f"Print {what}{again}", self._printed or "as a PDF; on which sheet comes next", Print())

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
            case Print(None):
                await self._ask_sheet()
            case Print(str(sheet)):
                await self._print(sheet)
            case Tick():
                await self._tick([answer.means])
            case list(ticks):
                await self._tick(ticks)
            case _:
                self.dismiss("home")

    async def enter(self, text: str) -> None:
        """Nothing here is typed but to shorten the list."""
        self.say(f"Nothing here has “{text.strip()}”.", wrong=True)

    async def _ask_sheet(self) -> None:
        sheets = await self._tried(self._sheets) or []
        self._chooses_sheet = True
        self.tell(list(self._told()))
        self.ask("On which sheet?", [*sheets, Answer("A new sheet", "of the usual labels", Print(""))])
        self.show_keys(("Enter", "Choose", ""), (key_name(self, "asking.back"), "Back", "screen.back"))

    def _sheets(self) -> list[Answer]:
        from companion.archive import stationery

        rows = (row for row in stationery.sheets(self._archive) if row.free)
        return [Answer(row.name, f"{row.stock} · {len(row.free)} of {row.count} free", Print(row.name)) for row in rows]

    async def _print(self, sheet: str) -> None:
        path = await self._tried(lambda: self._write(sheet))
        if path is None:
            return
        self._printed = f"written to {path}"
        then = f" Then: companion labels sheets printed “{sheet}”." if sheet else ""
        self.say(f"{path}: print it at 100 %.{then}")
        await self._show(1)

    def _write(self, sheet: str) -> Path:
        from companion.press import tonight
        from labels.errors import LabelError

        name = f"tonight-{self._session.lower()}"
        paths = (Path.cwd() / f"{name}{f'-{number}' if number > 1 else ''}.pdf" for number in count(1))
        path = next(path for path in paths if not path.exists())
        try:
            tonight.write(self._archive, tonight.laid(self._archive, self._labels, sheet), path)
        except LabelError as error:
            raise RuleError(str(error)) from error
        return path

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
            self.say(f"Done: {' '.join(drawing.single(chore.text) for chore in done)}")
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
        """From the sheets to what is to be done; from there to the table."""
        if self._chooses_sheet:
            await self._show()
        else:
            self.dismiss("table")

    async def _tried(self, what: Callable[[], T]) -> T | None:
        """Do it beside the screen, since it waits for the disk; None, and said why, where it cannot be done."""
        try:
            return await asyncio.to_thread(what)
        except (ArchiveError, RuleError, OSError) as error:
            self.say(str(error), wrong=True)
            return None
