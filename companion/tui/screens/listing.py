"""A list to choose from, and beside it what there is to know of a row. Shared by the screens that are just that."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import ClassVar, TypeVar

from textual import getters, on, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Container
from textual.content import Content
from textual.types import CSSPathType
from textual.widgets import Input, OptionList, Static
from textual.widgets.option_list import Option

from companion.archive import Archive, ArchiveError, deck_id
from companion.tabletop.action import NotationError, RuleError
from companion.tui import frame
from companion.tui.screens.base import key_name
from companion.tui.screens.box import BoxScreen
from companion.tui.widgets.bars import Key, KeyBar, StatusLine
from companion.tui.widgets.page import Page
from companion.tui.widgets.panel import PagedList
from labels.errors import LabelError

T = TypeVar("T")

REFUSALS = (ArchiveError, RuleError, NotationError, deck_id.DeckIdError, LabelError, OSError)


class ListScreen(BoxScreen[None]):
    """A screen of this kind says what is listed, what is told of a row, and what Enter does with it."""

    CSS_PATH: ClassVar[CSSPathType | None] = "listing.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up", "move(-1)", "Row above", id="list.up", show=False, tooltip="To the row above"),
        Binding("down", "move(1)", "Row below", id="list.down", show=False, tooltip="To the row below"),
        Binding("pageup", "scroll(-1)", "Page up", id="list.pageup", show=False, tooltip="Up in what is told"),
        Binding("pagedown", "scroll(1)", "Page down", id="list.pagedown", show=False, tooltip="Down in what is told"),
        Binding("f1", "help", "Help", id="list.help", show=False, tooltip="What the keys do"),
        Binding("escape", "back", "Back", id="list.back", tooltip="Clear the field; back"),
    ]

    heading: ClassVar[str]
    placeholder: ClassVar[str]
    verb: ClassVar[str] = "Open"
    """What Enter does."""
    nothing: ClassVar[str]
    """What is told where nothing is listed."""
    filters: ClassVar[bool] = True
    """Whether what is typed leaves only some of the rows."""
    refusals: ClassVar[tuple[type[Exception], ...]] = REFUSALS
    """What is told in its own words; everything else is a fault of the program."""

    rows = getters.query_one("#rows", PagedList)

    def __init__(self, archive: Archive) -> None:
        super().__init__()
        self.archive = archive

    def list_rows(self, text: str) -> Sequence[Option]:
        """The rows that fit what is typed. Called beside the screen, as is `told`."""
        raise NotImplementedError

    def page(self, text: str, number: int) -> tuple[Sequence[Option], int, int]:  # noqa: ARG002
        """The rows that fit what is typed on the page of a row, the number of the first, and how many fit in all.

        Here all of them are on one page. Called beside the screen, too.
        """
        options = self.list_rows(text)
        return options, 0, len(options)

    def describe_row(self, row: str) -> Content:
        """What there is to know of a row."""
        raise NotImplementedError

    async def take(self, row: str, text: str) -> None:
        """Enter: `row` is the one that is highlighted, "" where nothing fits what is typed."""
        raise NotImplementedError

    def compose(self) -> ComposeResult:
        """The list beside what is told, the field, the keys."""
        yield Static(self.heading, id="title")
        with Container(id="sides"):
            yield PagedList(id="rows")
            page = Page(id="page")
            page.can_focus = False
            yield page
        box = Input(id="box", placeholder=self.placeholder, select_on_focus=False)
        box.cursor_blink = False
        yield box
        yield StatusLine()
        yield KeyBar()

    def on_mount(self) -> None:
        """Ready to type. Nothing is read yet, as the whole app waits until a screen is mounted."""
        self.set_focus(self.box)

    async def on_screen_resume(self) -> None:
        """What there is, and has changed meanwhile, is shown."""
        await self.refill()

    async def refill(self, row: str = "", number: int = 0) -> None:
        """List anew what fits; the highlight stays on its row, or goes to `row`, or to the row of a number."""
        text = self.box.value.strip()
        page = await self.run_query(lambda: self.page(text, number))
        if page is None or not self.query(PagedList):
            return
        options, at, total = page
        highlighted = row or self.rows.chosen
        ids = [option.id for option in options]
        is_emptied = bool(text) and self.filters
        self.rows.nothing = f"Nothing here has “{text}”; {key_name(self, 'list.back')} lists all." if is_emptied else ""
        self.rows.show(options, at, total, ids.index(highlighted) if highlighted in ids else number - at)
        self.show_keys()
        self._tell()

    async def run_query(self, question: Callable[[], T]) -> T | None:
        """An answer that may take a moment, found in a thread; None, and a word on it, where there is none."""
        try:
            return await asyncio.to_thread(question)
        except self.refusals as error:
            self.say(frame.describe_error(error), wrong=True)
            return None

    @on(Input.Changed, "#box")
    def filter_rows(self) -> None:
        """What is typed leaves only the rows that have it."""
        self._search()

    @work(exclusive=True, group="search")
    async def _search(self) -> None:
        await self.refill()

    @work(exclusive=True, group="tell")
    async def _tell(self) -> None:
        row = self.rows.chosen
        content = await self.run_query(lambda: self.describe_row(row)) if row else Content(self.nothing)
        if content is not None and self.query(Page):
            self.query_one(Page).show([content])

    async def action_move(self, by: int) -> None:
        """So many rows down; over the edge to the next page."""
        number = self.rows.move(by)
        if number is not None:
            await self.refill(number=number)
        self._tell()

    def action_scroll(self, by: int) -> None:
        """Up and down in what is told."""
        page = self.query_one(Page)
        (page.scroll_page_down if by > 0 else page.scroll_page_up)(animate=False)

    @on(Input.Submitted, "#box")
    async def submit_line(self) -> None:
        """Enter takes the highlighted row of what fits."""
        text = self.box.value.strip()
        if text:
            await self.refill()
        await self.take(self.rows.chosen, text)
        self.select_refused(text)

    @on(OptionList.OptionSelected, "#rows")
    async def take_clicked(self, event: OptionList.OptionSelected) -> None:
        """A click on a row goes to it, and a click on the one that one is at takes it."""
        self._tell()
        await self.take(str(event.option_id), "")

    def keys(self) -> Sequence[Key]:
        """What this screen can do besides."""
        return ()

    def show_keys(self) -> None:
        """The keys, by the names they have after remapping."""
        back = (key_name(self, "list.back"), "Back", "screen.back")
        enter = [("Enter", self.verb, "screen.enter")] if self.rows.total or self.box.value else []
        choose, further = ("↑ ↓", "Choose", ""), ("PgDn", "Further down", "screen.scroll(1)")
        help_ = (key_name(self, "list.help"), "Help", "screen.help")
        self.query_one(KeyBar).show((back, *enter, *self.keys(), help_, choose, further))


def fits(text: str, *texts: str) -> bool:
    """Whether every word that is typed is part of what a row tells."""
    whole = " ".join(texts).casefold()
    return all(word in whole for word in text.casefold().split())
