"""Printing: what, on which sheet, for which printer; and after the PDF is written, how it came out."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, NamedTuple

from textual import getters, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.cache import LRUCache
from textual.containers import ScrollableContainer, Vertical, VerticalScroll
from textual.content import Content
from textual.types import CSSPathType
from textual.widgets.option_list import Option

from companion.archive import Archive, stationery
from companion.archive.entries import Outcome
from companion.session.form_filling import WHOLE, Answers, Fillable, FormResult
from companion.tabletop.action import RuleError
from companion.tabletop.choices import Choice
from companion.tabletop.form import Finding, Place, Values
from companion.tui import drawing, settings
from companion.tui.screens.base import StatusScreen, key_name
from companion.tui.screens.form import FormScreen
from companion.tui.screens.listing import ListScreen, fits
from companion.tui.widgets.bars import Key, StatusLine
from companion.tui.widgets.page_picture import PagePicture, PageRows, SheetMapPanel, draw
from labels import sheet
from labels.errors import LabelError

if TYPE_CHECKING:
    from companion.printing.order import PreparedOrder
    from companion.tui.print_form import PrintForm


class Printed(NamedTuple):
    """A PDF, what is told of it, and what it was made of; `printer` is whose calibration it has."""

    path: Path
    message: str
    ready: PreparedOrder
    printer: str = ""
    take_back: Callable[[], None] | None = None
    """Forgets what it took of a sheet of which the archive keeps no count; None where there is no such sheet."""


class _Way(NamedTuple):
    title: str
    about: str


_OPEN, _DONE, _CALIBRATE, _SEND = "open", "done", "calibrate", "send:"
_WAYS: Mapping[str, _Way] = {
    "printed": _Way("It came out right", "Its labels count as used."),
    "spoiled": _Way("It came out wrong, and the labels are lost", "They count as gone; print again for the next ones."),
    "blank": _Way("It came out wrong, or not at all: the labels are still blank", "They are free again."),
}


_OUTCOMES: Mapping[str, Outcome] = {"printed": "printed", "spoiled": "spoiled", "blank": "blank"}


class PrintedScreen(ListScreen):
    """What can be done with a finished PDF, one after the other."""

    heading = "Printed"
    placeholder = "type what to do"
    verb = "Do it"
    nothing = "Nothing here is called so; Esc clears the field."
    BINDINGS: ClassVar = []

    def __init__(self, archive: Archive, printed: Printed) -> None:
        super().__init__(archive)
        self._printed = printed
        self._queues: tuple[str, ...] | None = None
        self._waits = bool(printed.ready.claims)
        self._take_back = None if self._waits else printed.take_back

    def list_rows(self, text: str) -> Sequence[Option]:
        """What there is still to do."""
        from companion.printing import system

        if self._queues is None:
            self._queues = system.list_queues()
        ways = [(name, way) for name, way in self._ways() if fits(text, way.title)]
        return [Option(Content.styled(way.title, drawing.BOLD), name) for name, way in ways]

    def _ways(self) -> Iterator[tuple[str, _Way]]:
        from companion.printing import system

        yield (
            _OPEN,
            _Way("Open the PDF", "In the system's viewer; print it there at 100 %, without fitting to the page."),
        )
        if system.is_printed_by_viewer():
            yield (
                _SEND,
                _Way("Print it", "The program that prints PDFs here gets it; the scale is set to 100 % there."),
            )
        for queue in self._queues or ():
            yield (
                f"{_SEND}{queue}",
                _Way(f"Send it to {queue}", "The system's printer of this name gets it, true to size."),
            )
        if self._waits:
            yield from _WAYS.items()
        elif self._take_back is not None:
            yield "blank", _WAYS["blank"]
        about = "With a ruler and a test page, so that the next one fits; it takes two minutes."
        if self._printed.ready.span is not None:
            yield _CALIBRATE, _Way("It does not lie where it should: calibrate the printer", about)
        yield _DONE, _Way("That is all", "Back to where you came from." + (_LATER if self._waits else ""))

    def describe_row(self, row: str) -> Content:
        """What was printed, and what the row would do."""
        way = dict(self._ways()).get(row)
        about = [Content.styled(way.about, "$text-accent"), Content("")] if way else []
        goes = [Content(drawing.single(sentence)) for sentence in self._printed.ready.notices]
        question = Content.styled("Did it come out right?" if self._waits else "Print at 100 %.", drawing.BOLD)
        return Content("\n").join([Content(self._printed.message), question, Content(""), *about, *goes])

    async def take(self, row: str, text: str) -> None:  # noqa: ARG002 – what a list may need
        """Do what the row says."""
        if row in ("", _DONE):
            self.dismiss()
        elif row == _CALIBRATE:
            from companion.tui.screens.form import open_calibration

            span = self._printed.ready.span
            assert span is not None
            await open_calibration(self, self.archive, self._printed.printer, span)
        elif row in _WAYS:
            if await self._run(lambda: self._settle(row)):
                self._waits, self._take_back = False, None
                await self.refill(_DONE)
        else:
            await self._run(lambda: self._hand_on(row))

    def _settle(self, row: str) -> str:
        if self._take_back is not None:
            self._take_back()
            return _WAYS[row].about
        stationery.settle(self.archive, tuple(self._printed.ready.claims), _OUTCOMES[row])
        return _WAYS[row].about

    def _hand_on(self, row: str) -> str:
        from companion.printing import system

        if row.startswith(_SEND):
            ready, queue = self._printed.ready, row.removeprefix(_SEND)
            mind = system.paper_mismatch(queue, ready.paper)
            answer = system.send(self._printed.path, queue, ready.media, ready.title, two_sided=ready.two_sided)
            return " ".join(part for part in (mind, answer or "It is on its way.") if part)
        system.open_viewer(self._printed.path)
        return "It opens in the system's viewer."

    async def _run(self, what: Callable[[], str]) -> bool:
        """Do something that may take a moment, and tell what came of it."""
        sentence = await self.run_query(what)
        if sentence is not None:
            self.box.value = ""
            self.say(sentence)
        return sentence is not None


_LATER = (
    " The labels wait on their sheet until somebody says how they came out; later, that is said in a shell: "
    "companion labels sheets printed."
)


_PAGE = "page"
"""The group of the worker that shows the page in another way."""

_NARROW = 72
"""Columns below which the answers need all the room."""

_LONG_LOOK = 0.7
"""Seconds after which it is said what takes so long."""

_EACH_ROW = "Trying out each row of the table …"

_TABLE_LOOKS = 1.0
"""Seconds between two looks whether the table's file has been saved anew."""

_SHEETS = "Sheets"
"""Under which name is stored what print-outs left free on sheets without a name, by their stock."""
_FREE = Place("free")

_DRAFT = "Print"
"""Under which name the words of one's own are stored."""

_KEYS_FIRST = 0.1
"""Seconds without a new answer before a page is drawn: who goes through the form waits for no page."""


class PrintScreen(FormScreen):
    """The form, and beside it what it comes to on paper."""

    CSS_PATH: ClassVar[CSSPathType | None] = ["form.tcss", "print.tcss"]
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(
            "f2", "turn", "Map or page", id="print.turn", tooltip="From the sheet's positions to the page, and back"
        ),
        Binding("f3", "large", "Large", id="print.large", tooltip="The page as large as the screen, and back"),
        Binding("f4", "page", "Next page", id="print.page", tooltip="The next page, and after the last the first"),
        Binding(
            "f6",
            "change_rows",
            "Change rows",
            id="print.rows",
            tooltip="Put the rows of the table into the form, to be changed there; its file stays as it is",
        ),
    ]

    offer = "Typed last time"
    taken_up = "These are your labels of last time; what you print is kept for the next time, too."

    paper = getters.query_one("#paper", Vertical)
    positions = getters.query_one(SheetMapPanel)
    picture = getters.query_one(PagePicture)

    def __init__(
        self,
        form: PrintForm,
        drafts: dict[str, Answers] | None = None,
        keep: Callable[[str, Values], None] | None = None,
    ) -> None:
        self._order = form
        self._stamp: tuple[int, int] | None = None
        """What the table's file was like when it was read."""
        self._left_free = form.left_free(form.begun())
        """Positions that the last print-out left free on a sheet of the labels that stand there."""
        self._table = ""
        """Which table stood there when it was last looked at."""
        self._page = 1
        self._pages = 0
        self._ready: PreparedOrder | None = None
        self._pictures = _none_drawn()
        self.document = b""
        """The PDF that is shown; empty until it is drawn."""
        fillable: Fillable = form
        super().__init__(["print"], lambda _: fillable, {} if drafts is None else drafts, keep=keep)

    def beside(self) -> ComposeResult:
        """The positions of each sheet, and a page of what will be printed."""
        with Vertical(id="paper"):
            yield VerticalScroll(SheetMapPanel(), id="positions", can_focus=False)
            yield PagePicture()

    def on_mount(self) -> None:
        """A table that is changed in another program is read anew."""
        self.set_interval(_TABLE_LOOKS, self._watch_table)

    def _watch_table(self) -> None:
        stamp = self._order.table_stamp(self.cursor.answers.values())
        if stamp != self._stamp:
            self._stamp = stamp
            self._look_soon()

    async def check_answers(self) -> None:
        """As any form, but a long table is told of; what was said of how a table is read does not go for another, nor
        what is free on a sheet for other labels.
        """
        free = await asyncio.to_thread(self._order.left_free, self.cursor.answers.values())
        if free != self._left_free:
            if self.cursor.answers.get(_FREE) == self._left_free:
                self.cursor.answers.put(_FREE, free)
            self._left_free = free
        table = str(self.cursor.answers.values().get("table", ""))
        if self._table not in ("", table):
            for name in ("encoding", "worksheet", "hidden_rows", "empty_errors"):
                self.cursor.answers.put(Place(name), "")
        self._table = table
        waiting = self.set_timer(_LONG_LOOK, lambda: self.say(_EACH_ROW))
        try:
            await super().check_answers()
        finally:
            waiting.stop()
            if self.query(StatusLine) and (part := self.status_line.part) and part.text == _EACH_ROW:
                self.say("")

    # Words of one's own

    def keep_draft(self, values: Values) -> None:
        """Words of one's own are kept; what else is printed is chosen again in a moment."""
        if values.get("rows") or values.get("table"):
            super().keep_draft(values)

    @property
    def keeps_draft(self) -> bool:
        """Return True for words of one's own, where these are kept."""
        values = self.cursor.answers.values()
        return super().keeps_draft and bool(values.get("rows") or values.get("table"))

    def end_draft(self) -> None:
        """Who has printed labels of their own may want some more of them."""

    async def take_choice(self, choice: Choice) -> None:
        """A folder is looked into; a design comes with its own labels."""
        value = str(choice.value)
        if self.cursor.at.field == "table" and value.endswith("/"):
            self.cursor.answers.put(self.cursor.at, value)
            await self._go(self.cursor.at)
            self.entry.cursor_position = len(value)
            return
        if self.cursor.at.field == "design":
            values = {**self.cursor.answers.values(), "design": value}
            if await asyncio.to_thread(self._order.begins_wrong_sheet, values):
                self.cursor.answers.put(Place("sheet"), "")
        await super().take_choice(choice)

    async def go_to_first_wrong(self) -> None:
        """Lines of a table are no answers: the list at the end leads to each of them."""
        if _is_line(self.cursor.wrong()[0]):
            await self._go(WHOLE)
            self.choice_list.step(1)
        else:
            await super().go_to_first_wrong()

    async def go_to_finding(self, finding: Finding) -> None:
        """To an answer, or to the line of a table, whose rows stand in the form then."""
        if _is_line(finding):
            await self._change_rows(finding.place.entry)
        else:
            await super().go_to_finding(finding)

    async def action_change_rows(self) -> None:
        """The rows of the table, to be changed in the form."""
        await self._change_rows(None)

    async def _change_rows(self, line: int | None) -> None:
        """Put the rows of the table behind those that are typed, and go to one of them."""
        answers = self.cursor.answers
        values = answers.values()
        try:
            rows = await asyncio.to_thread(self._order.rows_to_change, values)
        except RuleError as error:
            self.say(str(error), wrong=True)
            return
        table = str(values["table"])
        answers.put(Place("table"), "")
        await self.check_answers()
        before = len(answers.values().get("rows", ()))
        for number, row in enumerate(rows, before):
            for name, text in row.values.items():
                answers.put(Place("rows", number, name), text)
        await self.check_answers()
        at = next((number for number, row in enumerate(rows, before) if row.line == line), before)
        findings = (each.place for each in self.cursor.wrong() if (each.place.field, each.place.entry) == ("rows", at))
        await self._go(next(findings, Place("rows", at, self._order.first_part(answers.values()))))
        self.say(f"The rows of {table} stand here now, to be changed; the file stays as it is.")

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Only a table has rows that could be changed."""
        if action == "change_rows":
            return bool(self.cursor.answers.values().get("table"))
        return super().check_action(action, parameters)

    # What is beside the form

    def on_resize(self) -> None:
        """The picture takes the room that there is."""
        super().on_resize()
        self.set_class(self.size.width < _NARROW, "-tiny")
        self.call_after_refresh(self._preview)

    def show_form(self) -> None:
        """The form, and what it comes to on paper."""
        super().show_form()
        ready = self._order.ready
        self.positions.show(ready.maps if ready else ())
        self.set_class(not (ready and ready.maps), "-no-map")
        self.call_after_refresh(self._preview)

    @work(exclusive=True, group="proof")
    async def _preview(self) -> None:
        """Draw what the answers come to; nobody waits for it."""
        if self._is_left:
            return
        ready = self._order.ready
        if ready is None:
            self.picture.border_title = "Nothing to show yet"
            self.picture.show(())
            self._leaf(0)
            return
        if ready is not self._ready:
            self.picture.border_subtitle = "drawing …"
            await asyncio.sleep(_KEYS_FIRST)
            self.document = await asyncio.to_thread(self._draw, ready)
            self._ready = ready
            self._pictures = _none_drawn()
        if self.document:
            await self._show_page()

    def _draw(self, ready: PreparedOrder) -> bytes:
        """The PDF, or nothing where a label of it cannot be printed, which is told."""
        try:
            return (ready.draw_first or ready.draw)()
        except LabelError as error:
            self.app.call_from_thread(self.say, str(error), wrong=True)
            return b""

    @work(exclusive=True, group=_PAGE)
    async def _show_again(self) -> None:
        """The page that is drawn, as somebody wants to see it now."""
        if self.document and self._order.ready is self._ready:
            await self._show_page()

    @property
    def _is_left(self) -> bool:
        """Whether the screen has been taken down meanwhile, so that there is nothing to draw on any more."""
        return not self.query(PagePicture)

    async def _show_page(self) -> None:
        if self._is_left:
            return
        width, height = self.picture.scrollable_content_region.size
        if width < 2 or height < 1:
            return
        rows = 0 if self._alone is self.picture else height
        pictures, key = self._pictures, (self._page, width, rows)
        page_rows = pictures.get(key)
        if page_rows is None:
            page_rows = pictures[key] = await asyncio.to_thread(draw, self.document, *key)
        if self._is_left:
            return
        self._page = page_rows.page
        self._leaf(page_rows.pages)
        sheets = self._ready.sheets if self._ready else 0
        self.picture.border_title = f"Page {page_rows.page} of {max(sheets, page_rows.pages)}"
        self.picture.border_subtitle = f"the first {page_rows.pages} are drawn" if sheets > page_rows.pages else ""
        self.picture.show(page_rows.rows)

    def _leaf(self, pages: int) -> None:
        """Of so many pages is the one that is shown; only among several is there a next."""
        if pages != self._pages:
            self._pages = pages
            self.show_keys()

    def action_turn(self) -> None:
        """From the map to the picture and back; where there is room for nothing else, from the form to each of them."""
        ways = ["", "-map", "-picture"] if self.has_class("-tiny") else ["", "-picture"]
        now = next((way for way in ways if way and self.has_class(way)), "")
        self._see(ways[(ways.index(now) + 1) % len(ways)])

    def action_large(self) -> None:
        """The page over the whole screen, and back."""
        self._see("" if self.has_class("-large") else "-large")

    def _see(self, what: str) -> None:
        for way in ("-map", "-picture", "-large"):
            self.set_class(way == what, way)
        self.call_after_refresh(self._look_again)
        self.keep_back()

    @property
    def is_at_rest(self) -> bool:
        """Whether the page is there, too, as large as it is wanted."""
        return super().is_at_rest and not any(each.group == _PAGE and not each.is_finished for each in self.workers)

    def _look_again(self) -> None:
        """Where the line was out of sight, what is typed takes the place of what stands in it, as before."""
        if self.focused is None and self._alone is None:
            self.set_focus(self.entry)
            self.entry.select_all()
        self._show_again()

    @property
    def _alone(self) -> ScrollableContainer | None:
        """What has the screen for itself, where the form is out of sight."""
        is_tiny = self.has_class("-tiny")
        if self.has_class("-large") or (is_tiny and self.has_class("-picture")):
            return self.picture
        return self.query_one("#positions", VerticalScroll) if is_tiny and self.has_class("-map") else None

    def action_page(self) -> None:
        """The page that follows."""
        from labels import proof

        if self.document:
            self._page = self._page % proof.page_count(self.document) + 1
            self._show_again()

    def action_choose(self, by: int) -> None:
        """Up and down among the choices, or on what has the screen for itself."""
        if self._alone is None:
            super().action_choose(by)
            self._show_choice()
        else:
            (self._alone.scroll_down if by > 0 else self._alone.scroll_up)(animate=False)

    @work(exclusive=True, group="choice")
    async def _show_choice(self) -> None:
        """The page in the design on which the cursor stands in the list."""
        chosen = self.choice_list.chosen
        if self.cursor.at.field == "design" and chosen is not None:
            values = {**self.cursor.answers.values(), "design": str(chosen.value)}
            if await asyncio.to_thread(self._order.show_design, values) and not self._is_left:
                self._preview()

    async def action_section(self, by: int) -> None:
        """To another question, or by a screen."""
        if self._alone is None:
            await super().action_section(by)
        else:
            (self._alone.scroll_page_down if by > 0 else self._alone.scroll_page_up)(animate=False)

    def action_leave(self) -> None:
        """Back to the form; from there back to where one came from."""
        if self._alone is None:
            super().action_leave()
        else:
            self._see("")

    def keys(self) -> Iterator[Key]:
        """Those of the form that matter most, then those of what is beside it."""
        of_form: Iterator[Key] = super().keys()
        own = {key[2]: key for key in of_form}
        first = ("screen.take_up", "screen.enter", "screen.finish", "screen.leave")
        yield from [own.pop(action) for action in first if action in own]
        yield (key_name(self, "print.turn"), "Page", "screen.turn")
        yield (key_name(self, "print.large"), "Large", "screen.large")
        if self.check_action("change_rows", ()):
            yield (key_name(self, "print.rows"), "Change rows", "screen.change_rows")
        if self._pages > 1:
            yield (key_name(self, "print.page"), "Next page", "screen.page")
        yield from own.values()


def _is_line(finding: Finding) -> bool:
    """Whether something is wrong in a line of a table's file."""
    return finding.place.field == "table" and finding.place.entry is not None


def _none_drawn() -> LRUCache[tuple[int, int, int], PageRows]:
    """For the pictures of a document, by page, columns and rows: who looks closer comes back."""
    return LRUCache(4)


async def open_print(
    screen: StatusScreen, archive: Archive, values: Values, on_written: Callable[[], Awaitable[None]] | None = None
) -> None:
    """Let somebody print, beginning with these answers; then ask how it came out. `done` hears that it is written."""
    screen.say("Getting ready to print …")
    await asyncio.to_thread(import_module, "companion.tui.print_form")
    from companion.tui.print_form import PrintForm, labels_due

    usual, left = await asyncio.to_thread(_read_usual, archive.name)
    defaults = {"usual_stock": usual.stock, "paper": usual.paper, "ink": usual.ink, "printer": usual.printer}
    defaults["codes"] = "yes" if usual.codes_labels else ""
    due = {} if values else await asyncio.to_thread(labels_due, archive)
    begun = {**{name: value for name, value in defaults.items() if value}, **due, **values}
    form = await asyncio.to_thread(PrintForm, archive, begun, left)

    async def show_printed(outcome: FormResult | None) -> None:
        if outcome is not None and form.ready is not None:
            if on_written is not None:
                await on_written()
            take_back = await asyncio.to_thread(_keep_left, archive.name, form.ready, left)
            printed = Printed(Path(outcome.id), outcome.message, form.ready, form.printer, take_back)
            await screen.app.push_screen(PrintedScreen(archive, printed))

    drafts: dict[str, Answers] = {}
    keep = None
    if not values:  # who prints something certain looks for no words of their own
        drafts = await asyncio.to_thread(settings.draft_answers, archive.name, _DRAFT)
        keep = partial(settings.keep_draft, archive.name, _DRAFT)
    await screen.app.push_screen(PrintScreen(form, drafts, keep), show_printed)
    screen.say("")


def _read_usual(archive: str) -> tuple[settings.Settings, Mapping[str, str]]:
    """The settings, and what print-outs left free on the last sheet of each stock."""
    left = settings.draft_answers(archive, _SHEETS)
    return settings.read_settings(), {stock: answers.get(_FREE) for stock, answers in left.items()}


def _keep_left(archive: str, ready: PreparedOrder, left: Mapping[str, str]) -> Callable[[], None] | None:
    """Keep what a print-out leaves free on a sheet without a name, for the next one to go on there.

    Returns:
        What forgets that again; None where nothing has changed.
    """
    if ready.left is None:
        return None
    stock = ready.maps[-1].stock.name
    free, before = sheet.format_positions(ready.left), left.get(stock, "")
    if free == before:
        return None

    def keep(free: str) -> None:
        settings.keep_draft(archive, _SHEETS, stock, {_FREE.field: free} if free else {})

    keep(free)
    return partial(keep, before)
