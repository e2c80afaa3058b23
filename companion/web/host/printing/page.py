"""The pages for printing: what, on which sheet, a preview, the PDF, the system's printers, and how it came out."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from http import HTTPStatus
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import FileResponse, Response
from starlette.routing import Route

from companion.archive import ArchiveError, stationery
from companion.forms.print_outcomes import OUTCOMES
from companion.forms.print_runs import begin_print_form
from companion.printing import order as orders
from companion.printing import system
from companion.session.table.form_filling import Fillable, FormResult
from companion.tabletop.action import RuleError
from companion.tabletop.decks.form import FormPlace
from companion.web.host.form_page import FormPage, OfferedGame
from companion.web.host.form_view import WRONG_FORM, FilledForm
from companion.web.host.frame import Host, HostPages
from companion.web.host.printing.page_form import PrintPageForm
from companion.web.host.printing.print_outs import PrintOut, PrintOuts
from companion.web.host.printing.settings import find_span, list_papers
from companion.web.pages import message_page, redirect
from companion.web.sharing.forms import read_file_name, read_parts
from companion.web.sharing.upload_folder import SOURCE_PATH, name_pasted
from labels.errors import LabelError
from labels.paper.sheet import FREE, NOW, USED, WAITING
from templates.languages.messages import Text, phrase, phrase_in

if TYPE_CHECKING:
    from companion.printing.order import PreparedOrder, SheetMap

PRINT_PATH: Final = "/host/print"
_PRINT: Final = "print"
_BEGINS: Final = ("what", "which")
"""The answers with which an address may begin the form."""
_BEGINS_OWN: Final = ("design", "stock", "table")
"""Further answers for labels of the host's own; the table is one that was sent."""
_MEANINGS: Final[Mapping[str, Text]] = {
    NOW: phrase_in("label", "printed now"),
    FREE: phrase_in("label", "free"),
    USED: phrase_in("label", "used"),
    WAITING: phrase_in("label", "result not reported yet"),
}
_PAGE_NUMBER: Final = re.compile("[0-9]{1,5}")
_LOOKS: Final[Mapping[str, str]] = {NOW: "now", FREE: "free", USED: "used", WAITING: "waiting"}


class ShownPosition(NamedTuple):
    """A position on the map of a sheet: its number, its sign, and the name of its style."""

    number: int
    sign: str
    look: str


class ShownMap(NamedTuple):
    """The map of a sheet, row by row."""

    title: Text
    rows: tuple[tuple[ShownPosition, ...], ...]


class PrintPage(FormPage):
    """The print form with the map of the sheet and the pages of its PDF."""

    template = "host/print.html"
    path = PRINT_PATH
    draft_name = "Print page"
    title = phrase_in("verb", "Print")

    def __init__(self, pages: HostPages) -> None:
        super().__init__(pages)
        self._uploads = pages.uploads
        self._print_outs = PrintOuts(pages.archive)
        self.routes += [
            Route(SOURCE_PATH, pages.require_host(self.upload), methods=["POST"]),
            Route(f"{PRINT_PATH}/sheet", pages.require_host(self.settle_sheet), methods=["POST"]),
            Route(f"{PRINT_PATH}/proof/{{proof}}/{{page}}.png", pages.require_host(self.show_proof)),
            Route(f"{PRINT_PATH}/out/{{name}}", pages.require_host(self.show_print_out)),
            Route(f"{PRINT_PATH}/out/{{name}}", pages.require_host(self.look_after), methods=["POST"]),
            Route(f"{PRINT_PATH}/out/{{name}}/labels.pdf", pages.require_host(self.send_pdf)),
        ]

    # The form

    def list_games(self, wanted: str) -> Sequence[OfferedGame]:  # noqa: ARG002
        """Return one form, which is for all games."""
        return [OfferedGame(_PRINT, self.title)]

    def open_form(self, game: str) -> Fillable:  # noqa: ARG002 – what other forms need
        """Return the form, with what is due tonight."""
        return self._open({})

    def _open(self, begun: Mapping[str, str], own: Mapping[str, str] = MappingProxyType({})) -> PrintPageForm:
        return PrintPageForm(begin_print_form(self.archive, begun), self._uploads, self._print_outs, own)

    def lead_on(self, game: str, outcome: FormResult) -> str:  # noqa: ARG002
        """Return the path of the print-out."""
        return f"{PRINT_PATH}/out/{outcome.id}"

    async def show(self, request: Request, host: Host) -> Response:
        """Render the form with its draft, or with what the address asks for."""
        query = request.query_params
        begun = {name: query[name] for name in _BEGINS if query.get(name)}
        own = {name: query[name] for name in _BEGINS_OWN if query.get(name) and begun.get("what") == "own"}
        return await run_in_threadpool(self._show_begun, begun, own, host)

    def _show_begun(self, begun: Mapping[str, str], own: Mapping[str, str], host: Host) -> Response:
        if not begun:
            return self._show(_PRINT, host)
        try:
            filled = FilledForm(self._open(begun, own))
        except LabelError:
            raise HTTPException(HTTPStatus.NOT_FOUND) from None
        return self._render(host, self.list_games(_PRINT), _PRINT, filled)

    def read_context(self, game: str, filled: FilledForm) -> Mapping[str, Any]:  # noqa: ARG002
        """Return the preview, what was sent, and the sheets whose result nobody has said."""
        assert isinstance(filled.form, PrintPageForm)
        ready = filled.form.ready
        return {
            **self._draw_preview(ready),
            "maps": [*map(_build_map, ready.maps)] if ready else [],
            "meanings": [(sign, _LOOKS[sign], text) for sign, text in _MEANINGS.items()],
            "notices": [self._uploads.hide(text) for text in ready.notices] if ready else [],
            "pictures": self._uploads.list_pictures(),
            "is_own": any(field.name == "design" for field in filled.state.fields),
            "waiting": stationery.list_waiting_sheets(self.archive),
            "outcomes": OUTCOMES,
        }

    def _draw_preview(self, ready: PreparedOrder | None) -> Mapping[str, Any]:
        """Return the preview of an order, or the reason that there is none."""
        if ready is None:
            return {"proof": "", "proof_pages": 0, "all_pages": 0, "proof_wrong": ""}
        try:
            document = (ready.draw_first or ready.draw)()
        except LabelError as error:
            return {"proof": "", "proof_pages": 0, "all_pages": 0, "proof_wrong": self._uploads.hide(error.message)}
        name, count = self._print_outs.add_proof(document)
        return {"proof": name, "proof_pages": count, "all_pages": max(count, ready.sheets), "proof_wrong": ""}

    async def show_proof(self, request: Request, _: Host) -> Response:
        """Send a page of a preview as a picture."""
        name, page = str(request.path_params["proof"]), str(request.path_params["page"])
        number = int(page) if _PAGE_NUMBER.fullmatch(page) else 0
        picture = await run_in_threadpool(self._print_outs.draw_proof, name, number)
        if picture is None:
            raise HTTPException(HTTPStatus.NOT_FOUND)
        return Response(picture, media_type="image/png", headers={"cache-control": "private, max-age=3600"})

    # Files that are sent

    async def upload(self, request: Request, host: Host) -> Response:
        """Take a table or a picture into the folder for labels, and show the form with it."""
        body = await request.body()
        parts = read_parts(body)
        self._pages.check_token(host, parts.get("token", b"").decode("latin-1"))
        name, content = read_file_name(body), parts.get("file", b"")
        if not content.strip():
            content = parts.get("text", b"")
            name = name_pasted(content)
        return await run_in_threadpool(self._take_file, name, content, host)

    def _take_file(self, name: str, content: bytes, host: Host) -> Response:
        filled, _ = self.read_draft(_PRINT)
        try:
            saved = self._uploads.save(name, content)
        except RuleError as error:
            return self._render(host, self.list_games(_PRINT), _PRINT, filled, refused=str(error))
        filled.put(FormPlace("what"), str(orders.find_kind("own").title))
        filled.settle()
        if saved in self._uploads.list_tables():
            for field in ("encoding", "worksheet", "hidden_rows", "empty_errors"):
                filled.put(FormPlace(field), "")
            filled.put(FormPlace("table"), saved)
            filled.settle()
        self.keep_answers(_PRINT, filled)
        return redirect(PRINT_PATH)

    # The print-out

    async def show_print_out(self, request: Request, host: Host) -> Response:
        """Show what can be done with a print-out."""
        print_out = self._find(request)
        return await run_in_threadpool(self._render_print_out, request.path_params["name"], print_out, host)

    def _render_print_out(self, name: str, print_out: PrintOut, host: Host, refused: Text = "") -> Response:
        return self._pages.render_host(
            "host/printed.html",
            host,
            here=PRINT_PATH,
            status=HTTPStatus.CONFLICT if refused else HTTPStatus.OK,
            name=name,
            print_out=print_out,
            queues=system.list_queues(),
            by_viewer=system.is_printed_by_viewer(),
            calibrated_paper=_find_paper(print_out.ready),
            outcomes=[*OUTCOMES.items()] if print_out.is_waiting or print_out.take_back is not None else [],
            refused=refused,
        )

    def _find(self, request: Request) -> PrintOut:
        """Return the print-out of an address. Raises HTTPException."""
        print_out = self._print_outs.find(str(request.path_params["name"]))
        if print_out is None:
            raise HTTPException(HTTPStatus.NOT_FOUND)
        return print_out

    async def send_pdf(self, request: Request, _: Host) -> Response:
        """Send the PDF of a print-out as a file."""
        print_out = self._find(request)
        return FileResponse(
            print_out.file,
            media_type="application/pdf",
            filename=print_out.file_name,
            content_disposition_type="inline",
        )

    async def look_after(self, request: Request, host: Host) -> Response:
        """Send a print-out to a printer, or store how it came out."""
        fields = await self._pages.read_host_form(request, host)
        print_out = self._find(request)
        return await run_in_threadpool(
            self._look_after, request.path_params["name"], print_out, fields.get("do", ""), host
        )

    def _look_after(self, name: str, print_out: PrintOut, button: str, host: Host) -> Response:
        kind, _, queue = button.partition(" ")
        outcome = next((each for each in OUTCOMES if each == button), None)
        try:
            if outcome is not None:
                self._print_outs.settle(print_out, outcome)
            elif kind == "send":
                self._print_outs.send(print_out, queue)
        except (*WRONG_FORM, LabelError) as error:
            return self._render_print_out(name, print_out, host, str(error))
        return redirect(f"{PRINT_PATH}/out/{name}")

    async def settle_sheet(self, request: Request, host: Host) -> Response:
        """Store how the labels of a sheet came out that wait for it."""
        fields = await self._pages.read_host_form(request, host)
        outcome = next((each for each in OUTCOMES if each == fields.get("do", "")), None)
        if outcome is None:
            text = phrase("This button is not known here. Load the page again; nothing was changed.")
            return message_page(phrase("Not so"), text, HTTPStatus.BAD_REQUEST)
        try:
            await run_in_threadpool(stationery.settle, self.archive, [fields.get("sheet", "")], outcome)
        except ArchiveError as error:
            return message_page(phrase("That sheet is gone"), str(error), HTTPStatus.CONFLICT)
        return redirect(PRINT_PATH)


def _find_paper(ready: PreparedOrder) -> str:
    """Return the name of a paper whose test page has the distances of this order; "" if none has."""
    return next((paper.name for paper in list_papers() if find_span(paper) == ready.span), "")


def _build_map(sheet: SheetMap) -> ShownMap:
    stock = sheet.stock
    numbers = {stock.cell(position): position for position in range(1, stock.count + 1)}
    rows = (
        tuple(_show_position(numbers[column, row], sheet.signs) for column in range(stock.columns))
        for row in range(stock.rows)
    )
    return ShownMap(sheet.title, tuple(rows))


def _show_position(number: int, signs: Mapping[int, str]) -> ShownPosition:
    sign = signs.get(number, USED)
    return ShownPosition(number, sign, _LOOKS[sign])
