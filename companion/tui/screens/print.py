"""The print screens: what to print, on which sheet, for which printer; and after the PDF is written, the outcome."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator, Sequence
from functools import partial
from importlib import import_module
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, ClassVar, NamedTuple

from textual import getters, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.cache import LRUCache
from textual.containers import ScrollableContainer, Vertical, VerticalScroll
from textual.content import Content
from textual.types import CSSPathType
from textual.widgets.option_list import Option

from companion.archive import Archive
from companion.archive.storage.entries import Outcome
from companion.forms import settings
from companion.forms.print_outcomes import OUTCOMES, settle_print_out
from companion.printing import system
from companion.session.table.form_answers import Answers
from companion.session.table.form_filling import WHOLE, Fillable, FormResult
from companion.tabletop.action import RuleError
from companion.tabletop.decks.form import Finding, FormPlace, Values
from companion.tabletop.table.choices import Choice
from companion.tui import drawing
from companion.tui.messages import DesignerRequested
from companion.tui.screens.base import STYLES, StatusScreen, key_name
from companion.tui.screens.form import FormScreen, open_form
from companion.tui.screens.listing import ListScreen, fits
from companion.tui.widgets.bars import Key, StatusLine
from companion.tui.widgets.page_picture import PagePicture, PageRows, SheetMapPanel, draw
from labels import output
from labels.errors import LabelError
from templates.languages.messages import Text, joined, phrase

if TYPE_CHECKING:
    from companion.forms.print_form import PrintForm
    from companion.printing.order import PreparedOrder


class PrintedFile(NamedTuple):
    """A PDF, a message about it, and its order; `printer` is the one whose calibration it has."""

    path: Path
    message: Text
    ready: PreparedOrder
    printer: str = ""
    take_back: Callable[[], None] | None = None
    """Forgets the labels that it took from a sheet that the archive does not track; None if there is no such sheet."""


class _PrintChoice(NamedTuple):
    title: Text
    about: Text


_OPEN, _DONE, _CALIBRATE, _SEND = "open", "done", "calibrate", "send:"


class PrintedScreen(ListScreen):
    """The actions for a finished PDF, one after another."""

    heading = phrase("Printed")
    placeholder = phrase("type what to do")
    verb = phrase("Do it")
    nothing = phrase("There is nothing with this name; Esc clears the field.")
    BINDINGS: ClassVar = []

    def __init__(self, archive: Archive, printed: PrintedFile) -> None:
        super().__init__(archive)
        self._printed = printed
        self._queues: tuple[str, ...] | None = None
        self._waits = bool(printed.ready.claims)
        self._take_back = None if self._waits else printed.take_back

    def list_rows(self, text: str) -> Sequence[Option]:
        """Return the actions that are left."""
        if self._queues is None:
            self._queues = system.list_queues()
        titles = [(name, str(way.title)) for name, way in self._ways()]
        return [Option(Content.styled(title, drawing.BOLD), name) for name, title in titles if fits(text, title)]

    def _ways(self) -> Iterator[tuple[str, _PrintChoice]]:
        yield (
            _OPEN,
            _PrintChoice(
                phrase("Open the PDF"),
                phrase("In the system's viewer; print it there at 100 %, without fitting to the page."),
            ),
        )
        if system.is_printed_by_viewer():
            yield (
                _SEND,
                _PrintChoice(
                    phrase("Print it"),
                    phrase("The program that prints PDFs here gets it; the scale is set to 100 % there."),
                ),
            )
        for queue in self._queues or ():
            yield (
                f"{_SEND}{queue}",
                _PrintChoice(
                    phrase("Send it to {printer}", printer=queue),
                    phrase("The system's printer of this name gets it, true to size."),
                ),
            )
        if self._waits or self._take_back is not None:
            yield from ((name, _PrintChoice(way.title, way.about)) for name, way in OUTCOMES.items())
        about = phrase("With a ruler and a test page, so that the next one fits; it takes two minutes.")
        if self._printed.ready.span is not None:
            yield _CALIBRATE, _PrintChoice(phrase("The labels are misplaced: calibrate the printer"), about)
        back = phrase("Back to where you came from.")
        yield _DONE, _PrintChoice(phrase("That is all"), joined(" ", (back, _LATER)) if self._waits else back)

    def describe_row(self, row: str) -> Content:
        """Describe what was printed, and the effect of the row."""
        way = dict(self._ways()).get(row)
        about = [Content.styled(str(way.about), "$text-accent"), Content("")] if way else []
        goes = [Content(drawing.narrow_glyphs(str(sentence))) for sentence in self._printed.ready.notices]
        text = phrase("Did it come out right?") if self._waits else phrase("Print at 100 %.")
        question = Content.styled(str(text), drawing.BOLD)
        return Content("\n").join([Content(str(self._printed.message)), question, Content(""), *about, *goes])

    async def take(self, row: str, text: str) -> None:  # noqa: ARG002 – what a list may need
        """Run the action of the row."""
        if row in ("", _DONE):
            self.dismiss()
        elif row == _CALIBRATE:
            span = self._printed.ready.span
            assert span is not None
            await self._open_calibration(self._printed.printer, span)
        elif (outcome := next((each for each in OUTCOMES if each == row), None)) is not None:
            if await self._run(lambda: self._settle(outcome)):
                self._waits, self._take_back = False, None
                await self.refill(_DONE)
        else:
            await self._run(lambda: self._hand_on(row))

    async def _open_calibration(self, printer: str, span: tuple[float, float]) -> None:
        """Open the form that measures the test page, whose B lies at `span` from A, and report the result."""
        await asyncio.to_thread(import_module, "companion.forms.calibration_form")
        from companion.forms.calibration_form import CalibrationForm

        async def show_result(outcome: FormResult | None) -> None:
            if outcome is not None:
                self.say(str(outcome.message))

        await open_form(self, lambda: CalibrationForm(self.archive, printer, span), show_result)

    def _settle(self, outcome: Outcome) -> Text:
        return settle_print_out(self.archive, self._printed.ready.claims, self._take_back, outcome)

    def _hand_on(self, row: str) -> Text:
        if row.startswith(_SEND):
            ready, queue = self._printed.ready, row.removeprefix(_SEND)
            mind = system.paper_mismatch(queue, ready.paper)
            answer = system.send(self._printed.path, queue, ready.media, str(ready.title), two_sided=ready.two_sided)
            return joined(" ", filter(None, (mind, answer or phrase("It was sent to the printer."))))
        system.open_viewer(self._printed.path)
        return phrase("It opens in the system's viewer.")

    async def _run(self, what: Callable[[], Text]) -> bool:
        """Run a slow action, and report its result; return True if it succeeded."""
        sentence = await self.run_query(what)
        if sentence is not None:
            self.box.value = ""
            self.say(sentence)
        return sentence is not None


_LATER = phrase(
    "The labels wait on their sheet until somebody says how they came out; later, that is said in a shell: "
    "companion labels sheets printed."
)


_PAGE = "page"
"""The group of the worker that shows the page in another way."""

_NARROW = 72
"""The width in columns below which the form needs all the room."""

_LONG_LOOK = 0.7
"""Seconds after which a message explains the wait."""

_EACH_ROW = phrase("Trying out each row of the table …")

_TABLE_LOOKS = 1.0
"""Seconds between two checks whether the table's file was saved again."""

_FREE = FormPlace("free")

_DRAFT = "Print"
"""The name under which the user's own labels are stored."""

_KEYS_FIRST = 0.1
"""Seconds without a new answer before a page is drawn: keys do not wait for a page."""


class PrintScreen(FormScreen):
    """The form, and a preview of its result on paper beside it."""

    CSS_PATH: ClassVar[CSSPathType | None] = [STYLES / "form.tcss", STYLES / "print.tcss"]
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(
            "f2", "turn", "Map or page", id="print.turn", tooltip="Switch between the sheet's positions and the page"
        ),
        Binding("f3", "large", "Large", id="print.large", tooltip="Show the page as large as the screen, or go back"),
        Binding(
            "f4", "page", "Next page", id="print.page", tooltip="Show the next page; after the last one, the first"
        ),
        Binding(
            "f6",
            "change_rows",
            "Change rows",
            id="print.rows",
            tooltip="Edit the rows of the table in the form; its file does not change",
        ),
        Binding(
            "f5",
            "change_design",
            "Change by eye",
            id="print.design",
            tooltip="Change the design by eye: open the designer in your browser",
        ),
    ]

    taken_up = phrase("These are your labels from last time; this print-out will be kept for next time, too.")

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
        """The stamp of the table's file when it was read."""
        self._left_free = form.left_free(form.initial_values())
        """The positions that the last print-out left free on a sheet of the current labels."""
        self._table = ""
        """The table at the last check."""
        self._page = 1
        self._pages = 0
        self._ready: PreparedOrder | None = None
        self._pictures = _none_drawn()
        self.document = b""
        """The PDF in the preview; empty until it is drawn."""
        fillable: Fillable = form
        super().__init__(["print"], lambda _: fillable, {} if drafts is None else drafts, keep=keep)

    def offer_draft(self, answers: str, key: str) -> Text:
        """See `FormScreen.offer_draft`."""
        return phrase("Typed last time: {answers}. {key} takes it up; typing begins anew.", answers=answers, key=key)

    def beside(self) -> ComposeResult:
        """Yield the positions of each sheet, and a page of the PDF."""
        with Vertical(id="paper"):
            yield VerticalScroll(SheetMapPanel(), id="positions", can_focus=False)
            yield PagePicture()

    def on_mount(self) -> None:
        """Watch the file of the table, to read it again after changes."""
        self.set_interval(_TABLE_LOOKS, self._watch_table)

    def _watch_table(self) -> None:
        stamp = self._order.table_stamp(self.cursor.answers.values())
        if stamp != self._stamp:
            self._stamp = stamp
            self._look_soon()

    async def check_answers(self) -> None:
        """Check the answers, with a message if a long table takes time.

        Answers on how a table is read are dropped for another table, and those on free positions for other labels.
        """
        free = await asyncio.to_thread(self._order.left_free, self.cursor.answers.values())
        if free != self._left_free:
            if self.cursor.answers.get(_FREE) == self._left_free:
                self.cursor.answers.put(_FREE, free)
            self._left_free = free
        table = str(self.cursor.answers.values().get("table", ""))
        if self._table not in ("", table):
            for name in ("encoding", "worksheet", "hidden_rows", "empty_errors"):
                self.cursor.answers.put(FormPlace(name), "")
        self._table = table
        waiting = self.set_timer(_LONG_LOOK, lambda: self.say(_EACH_ROW))
        try:
            await super().check_answers()
        finally:
            waiting.stop()
            if self.query(StatusLine) and (part := self.status_line.part) and part.text == str(_EACH_ROW):
                self.say("")

    # The user's own labels

    def keep_draft(self, values: Values) -> None:
        """Store the user's own labels as a draft; everything else is quickly chosen again."""
        if values.get("rows") or values.get("table"):
            super().keep_draft(values)

    @property
    def keeps_draft(self) -> bool:
        """True for the user's own labels, if there is a place to store them."""
        values = self.cursor.answers.values()
        return super().keeps_draft and bool(values.get("rows") or values.get("table"))

    def end_draft(self) -> None:
        """Keep the draft: the user may want to print more of their own labels."""

    async def take_choice(self, choice: Choice) -> None:
        """Take a choice: a folder opens in the list, and a design replaces a sheet of the wrong labels."""
        value = str(choice.value)
        if self.cursor.at.field == "table" and value.endswith("/"):
            self.cursor.answers.put(self.cursor.at, value)
            await self._go(self.cursor.at)
            self.entry.cursor_position = len(value)
            return
        if self.cursor.at.field == "design":
            values = {**self.cursor.answers.values(), "design": value}
            if await asyncio.to_thread(self._order.begins_wrong_sheet, values):
                self.cursor.answers.put(FormPlace("sheet"), "")
        await super().take_choice(choice)

    async def go_to_first_wrong(self) -> None:
        """Go to the first error; lines of a table are no answers, and the list at the end leads to each of them."""
        if _is_line(self.cursor.wrong()[0]):
            await self._go(WHOLE)
            self.choice_list.step(1)
        else:
            await super().go_to_first_wrong()

    async def go_to_finding(self, finding: Finding) -> None:
        """Go to an answer, or to the line of a table, whose rows are put into the form."""
        if _is_line(finding):
            await self._change_rows(finding.place.entry)
        else:
            await super().go_to_finding(finding)

    async def action_change_rows(self) -> None:
        """Put the rows of the table into the form, to be changed there."""
        await self._change_rows(None)

    async def _change_rows(self, line: int | None) -> None:
        """Put the rows of the table after the typed ones, and go to the one of this line."""
        answers = self.cursor.answers
        values = answers.values()
        try:
            rows = await asyncio.to_thread(self._order.rows_to_change, values)
        except RuleError as error:
            self.say(str(error), wrong=True)
            return
        table = str(values["table"])
        answers.put(FormPlace("table"), "")
        await self.check_answers()
        before = len(answers.values().get("rows", ()))
        for number, row in enumerate(rows, before):
            for name, text in row.values.items():
                answers.put(FormPlace("rows", number, name), text)
        await self.check_answers()
        at = next((number for number, row in enumerate(rows, before) if row.line == line), before)
        findings = (each.place for each in self.cursor.wrong() if (each.place.field, each.place.entry) == ("rows", at))
        await self._go(next(findings, FormPlace("rows", at, self._order.first_part(answers.values()))))
        self.say(phrase("The rows of {file} are here now for editing; the file does not change.", file=table))

    def action_change_design(self) -> None:
        """Open the designer in the browser, with the design that is highlighted or chosen."""
        values = self.cursor.answers.values()
        chosen = self.choice_list.chosen if self.cursor.at.field == "design" else None
        self.post_message(DesignerRequested(str(values.get("design", "") if chosen is None else chosen.value)))

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Return False for `change_rows` if there is no table, and for `change_design` if labels have no design."""
        if action == "change_rows":
            return bool(self.cursor.answers.values().get("table"))
        if action == "change_design":
            return self._order.has_design(self.cursor.answers.values())
        return super().check_action(action, parameters)

    # The preview

    def on_resize(self) -> None:
        """Draw the preview in its new size."""
        super().on_resize()
        self.set_class(self.size.width < _NARROW, "-tiny")
        self.call_after_refresh(self._preview)

    def show_form(self) -> None:
        """Show the form and its preview."""
        super().show_form()
        ready = self._order.ready
        self.positions.show(ready.maps if ready else ())
        self.set_class(not (ready and ready.maps), "-no-map")
        self.call_after_refresh(self._preview)

    @work(exclusive=True, group="proof")
    async def _preview(self) -> None:
        """Draw the preview; nothing waits for it."""
        if self._is_left:
            return
        ready = self._order.ready
        if ready is None:
            self.picture.border_title = str(phrase("Nothing to show yet"))
            self.picture.show(())
            self._note_pages(0)
            return
        if ready is not self._ready:
            self.picture.border_subtitle = str(phrase("drawing …"))
            await asyncio.sleep(_KEYS_FIRST)
            self.document = await asyncio.to_thread(self._draw, ready)
            self._ready = ready
            self._pictures = _none_drawn()
        if self.document:
            await self._show_page()

    def _draw(self, ready: PreparedOrder) -> bytes:
        """Return the PDF; report a label that cannot be printed, and return no bytes."""
        try:
            return (ready.draw_first or ready.draw)()
        except LabelError as error:
            self.app.call_from_thread(self.say, str(error), wrong=True)
            return b""

    @work(exclusive=True, group=_PAGE)
    async def _show_again(self) -> None:
        """Show the drawn page at the current size and place."""
        if self.document and self._order.ready is self._ready:
            await self._show_page()

    @property
    def _is_left(self) -> bool:
        """True if the screen was left meanwhile, so that there is nothing to draw on."""
        return not self.query(PagePicture)

    async def _show_page(self) -> None:
        if self._is_left:
            return
        width, height = self.picture.scrollable_content_region.size
        if width < 2 or height < 1:
            return
        rows = 0 if self._sole_view is self.picture else height
        pictures, key = self._pictures, (self._page, width, rows)
        page_rows = pictures.get(key)
        if page_rows is None:
            page_rows = pictures[key] = await asyncio.to_thread(draw, self.document, *key)
        if self._is_left:
            return
        self._page = page_rows.page
        self._note_pages(page_rows.pages)
        sheets = self._ready.sheets if self._ready else 0
        title = phrase("Page {page} of {pages}", page=str(page_rows.page), pages=str(max(sheets, page_rows.pages)))
        # Translators: {pages} is the number of pages of a long document that the preview has.
        subtitle = phrase("the first {pages} are drawn", pages=str(page_rows.pages))
        self.picture.border_title = str(title)
        self.picture.border_subtitle = str(subtitle) if sheets > page_rows.pages else ""
        self.picture.show(page_rows.rows)

    def _note_pages(self, pages: int) -> None:
        """Note the number of pages; the key for the next page is shown only if there are several."""
        if pages != self._pages:
            self._pages = pages
            self.show_keys()

    def action_turn(self) -> None:
        """Switch between the map and the picture; if there is room for one only, switch from the form to each
        of them.
        """
        ways = ["", "-map", "-picture"] if self.has_class("-tiny") else ["", "-picture"]
        now = next((way for way in ways if way and self.has_class(way)), "")
        self._switch_view(ways[(ways.index(now) + 1) % len(ways)])

    def action_large(self) -> None:
        """Show the page on the whole screen, or go back."""
        self._switch_view("" if self.has_class("-large") else "-large")

    def _switch_view(self, what: str) -> None:
        for way in ("-map", "-picture", "-large"):
            self.set_class(way == what, way)
        self.call_after_refresh(self._look_again)
        self.keep_back()

    @property
    def is_at_rest(self) -> bool:
        """True once the page is drawn, too, in the current size."""
        return super().is_at_rest and not any(each.group == _PAGE and not each.is_finished for each in self.workers)

    def _look_again(self) -> None:
        """Focus the field again after it was hidden, with its text selected as before, and show the page."""
        if self.focused is None and self._sole_view is None:
            self.set_focus(self.entry)
            self.entry.select_all()
        self._show_again()

    @property
    def _sole_view(self) -> ScrollableContainer | None:
        """The part that has the screen to itself while the form is hidden."""
        is_tiny = self.has_class("-tiny")
        if self.has_class("-large") or (is_tiny and self.has_class("-picture")):
            return self.picture
        return self.query_one("#positions", VerticalScroll) if is_tiny and self.has_class("-map") else None

    def action_page(self) -> None:
        """Show the next page."""
        if self.document:
            self._page = self._page % output.proof.page_count(self.document) + 1
            self._show_again()

    def action_choose(self, by: int) -> None:
        """Move up and down among the choices, or scroll the part that has the screen to itself."""
        if self._sole_view is None:
            super().action_choose(by)
            self._show_choice()
        else:
            (self._sole_view.scroll_down if by > 0 else self._sole_view.scroll_up)(animate=False)

    @work(exclusive=True, group="choice")
    async def _show_choice(self) -> None:
        """Preview the design that is highlighted in the list."""
        chosen = self.choice_list.chosen
        if self.cursor.at.field == "design" and chosen is not None:
            values = {**self.cursor.answers.values(), "design": str(chosen.value)}
            if await asyncio.to_thread(self._order.show_design, values) and not self._is_left:
                self._preview()

    async def action_section(self, by: int) -> None:
        """Go to another question, or scroll by a screen."""
        if self._sole_view is None:
            await super().action_section(by)
        else:
            (self._sole_view.scroll_page_down if by > 0 else self._sole_view.scroll_page_up)(animate=False)

    def action_leave(self) -> None:
        """Go back to the form, or leave it."""
        if self._sole_view is None:
            super().action_leave()
        else:
            self._switch_view("")

    def keys(self) -> Iterator[Key]:
        """Yield the most important keys of the form, then those of the preview, then the others."""
        of_form: Iterator[Key] = super().keys()
        own = {key[2]: key for key in of_form}
        first = ("screen.take_up", "screen.enter", "screen.finish", "screen.leave")
        yield from [own.pop(action) for action in first if action in own]
        yield (key_name(self, "print.turn"), phrase("Page"), "screen.turn")
        yield (key_name(self, "print.large"), phrase("Large"), "screen.large")
        if self.check_action("change_rows", ()):
            yield (key_name(self, "print.rows"), phrase("Change rows"), "screen.change_rows")
        if self.check_action("change_design", ()):
            yield (key_name(self, "print.design"), phrase("Change by eye"), "screen.change_design")
        if self._pages > 1:
            yield (key_name(self, "print.page"), phrase("Next page"), "screen.page")
        yield from own.values()


def _is_line(finding: Finding) -> bool:
    """Return True if the error is in a line of a table's file."""
    return finding.place.field == "table" and finding.place.entry is not None


def _none_drawn() -> LRUCache[tuple[int, int, int], PageRows]:
    """Return a cache for the pictures of a document, by page, columns and rows: the user often switches back."""
    return LRUCache(4)


async def open_print(
    screen: StatusScreen,
    archive: Archive,
    values: Values = MappingProxyType({}),
    on_written: Callable[[], Awaitable[None]] | None = None,
) -> None:
    """Open the print form with these answers, then ask for the outcome.

    `on_written` is called after the PDF is written.
    """
    screen.say(phrase("Getting ready to print …"))
    await asyncio.to_thread(import_module, "companion.forms.print_runs")
    from companion.forms.print_runs import begin_print_form, keep_left

    form = await asyncio.to_thread(begin_print_form, archive, values)

    async def show_printed(outcome: FormResult | None) -> None:
        if outcome is not None and form.ready is not None:
            if on_written is not None:
                await on_written()
            take_back = await asyncio.to_thread(keep_left, archive.name, form.ready)
            printed = PrintedFile(Path(outcome.id), str(outcome.message), form.ready, form.printer, take_back)
            await screen.app.push_screen(PrintedScreen(archive, printed))

    drafts: dict[str, Answers] = {}
    keep = None
    if not values:  # a print-out of one given thing offers no draft of the user's own labels
        drafts = await asyncio.to_thread(settings.draft_answers, archive.name, _DRAFT)
        keep = partial(settings.keep_draft, archive.name, _DRAFT)
    await screen.app.push_screen(PrintScreen(form, drafts, keep), show_printed)
    screen.say("")
