"""A list to choose from, with a description of the chosen row beside it: the base of such screens."""

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
from companion.tui.screens.base import STYLES, key_name
from companion.tui.screens.box import BoxScreen
from companion.tui.widgets.bars import Key, KeyBar, StatusLine
from companion.tui.widgets.page import Page
from companion.tui.widgets.panel import PagedList
from labels.errors import LabelError
from templates.languages.messages import Text, phrase, phrase_in

T = TypeVar("T")

REFUSALS = (ArchiveError, RuleError, NotationError, deck_id.DeckIdError, LabelError, OSError)


class ListScreen(BoxScreen[None]):
    """A list screen. Subclasses define the rows, the description of a row, and the effect of Enter on it."""

    CSS_PATH: ClassVar[CSSPathType | None] = STYLES / "listing.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up", "move(-1)", "Row above", id="list.up", show=False, tooltip="Go to the row above"),
        Binding("down", "move(1)", "Row below", id="list.down", show=False, tooltip="Go to the row below"),
        Binding("pageup", "scroll(-1)", "Page up", id="list.pageup", show=False, tooltip="Scroll up"),
        Binding("pagedown", "scroll(1)", "Page down", id="list.pagedown", show=False, tooltip="Scroll down"),
        Binding("f1", "help", "Help", id="list.help", show=False, tooltip="Explain the keys"),
        Binding("escape", "back", "Back", id="list.back", tooltip="Clear the field; back"),
    ]

    heading: ClassVar[Text]
    placeholder: ClassVar[Text]
    verb: ClassVar[Text] = phrase_in("verb", "Open")
    """The name of what Enter does."""
    nothing: ClassVar[Text]
    """The description while the list is empty."""
    filters: ClassVar[bool] = True
    """True if typing filters the rows."""
    refusals: ClassVar[tuple[type[Exception], ...]] = REFUSALS
    """The exceptions whose message is shown; all others are errors of the program."""

    rows = getters.query_one("#rows", PagedList)

    def __init__(self, archive: Archive) -> None:
        super().__init__()
        self.archive = archive

    def list_rows(self, text: str) -> Sequence[Option]:
        """Return the rows that match the typed text. Called in a thread, as is `describe_row`."""
        raise NotImplementedError

    def page(self, text: str, number: int) -> tuple[Sequence[Option], int, int]:  # noqa: ARG002
        """Return the page of a row among those that match the text, the number of its first row, and the total.

        This implementation has all rows on one page. Called in a thread, too.
        """
        options = self.list_rows(text)
        return options, 0, len(options)

    def describe_row(self, row: str) -> Content:
        """Describe a row."""
        raise NotImplementedError

    async def take(self, row: str, text: str) -> None:
        """Act on Enter: `row` is the one that is highlighted, "" if nothing matches the text."""
        raise NotImplementedError

    def compose(self) -> ComposeResult:
        """Yield the list beside the description, the field and the keys."""
        yield Static(str(self.heading), id="title")
        with Container(id="sides"):
            yield PagedList(id="rows")
            page = Page(id="page")
            page.can_focus = False
            yield page
        box = Input(id="box", placeholder=str(self.placeholder), select_on_focus=False)
        box.cursor_blink = False
        yield box
        yield StatusLine()
        yield KeyBar()

    def on_mount(self) -> None:
        """Focus the field. The rows are read later, as the whole app waits while a screen is being mounted."""
        self.set_focus(self.box)

    async def on_screen_resume(self) -> None:
        """Read the rows again after changes elsewhere."""
        await self.refill()

    async def refill(self, row: str = "", number: int = 0) -> None:
        """List the matching rows again; the highlight stays on its row, or goes to `row`, or to the row of `number`."""
        text = self.box.value.strip()
        page = await self.run_query(lambda: self.page(text, number))
        if page is None or not self.query(PagedList):
            return
        options, at, total = page
        highlighted = row or self.rows.chosen
        ids = [option.id for option in options]
        is_emptied = bool(text) and self.filters
        nothing = phrase("Nothing here has “{text}”; {key} lists all.", text=text, key=key_name(self, "list.back"))
        self.rows.nothing = str(nothing) if is_emptied else ""
        self.rows.show(options, at, total, ids.index(highlighted) if highlighted in ids else number - at)
        self.show_keys()
        self._tell()

    async def run_query(self, question: Callable[[], T]) -> T | None:
        """Run a slow query in a thread; report an error and return None if it fails."""
        try:
            return await asyncio.to_thread(question)
        except self.refusals as error:
            self.say(frame.describe_error(error), wrong=True)
            return None

    @on(Input.Changed, "#box")
    def filter_rows(self) -> None:
        """Filter the rows by the typed text."""
        self._search()

    @work(exclusive=True, group="search")
    async def _search(self) -> None:
        await self.refill()

    @work(exclusive=True, group="tell")
    async def _tell(self) -> None:
        row = self.rows.chosen
        content = await self.run_query(lambda: self.describe_row(row)) if row else Content(str(self.nothing))
        if content is not None and self.query(Page):
            self.query_one(Page).show([content])

    async def action_move(self, by: int) -> None:
        """Move `by` rows down, and past the edge to the next page."""
        number = self.rows.move(by)
        if number is not None:
            await self.refill(number=number)
        self._tell()

    def action_scroll(self, by: int) -> None:
        """Scroll the description."""
        page = self.query_one(Page)
        (page.scroll_page_down if by > 0 else page.scroll_page_up)(animate=False)

    @on(Input.Submitted, "#box")
    async def submit_line(self) -> None:
        """Take the highlighted row of the matches."""
        text = self.box.value.strip()
        if text:
            await self.refill()
        await self.take(self.rows.chosen, text)
        self.select_refused(text)

    @on(OptionList.OptionSelected, "#rows")
    async def take_clicked(self, event: OptionList.OptionSelected) -> None:
        """Take a row on Enter or a click."""
        self._tell()
        await self.take(str(event.option_id), "")

    def keys(self) -> Sequence[Key]:
        """Return the further keys of this screen."""
        return ()

    def show_keys(self) -> None:
        """Show the keys by their names after remapping."""
        back = (key_name(self, "list.back"), phrase("Back"), "screen.back")
        enter = [("Enter", self.verb, "screen.enter")] if self.rows.total or self.box.value else []
        choose, further = ("↑ ↓", phrase("Choose"), ""), ("PgDn", phrase("Further down"), "screen.scroll(1)")
        help_ = (key_name(self, "list.help"), phrase("Help"), "screen.help")
        self.query_one(KeyBar).show((back, *enter, *self.keys(), help_, choose, further))


def fits(text: str, *texts: str) -> bool:
    """Return True if every typed word is part of the texts of a row."""
    whole = " ".join(texts).casefold()
    return all(word in whole for word in text.casefold().split())
