"""The pages of label designs: a list with pictures, and a page on which each is edited by eye."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from http import HTTPStatus
from pathlib import Path
from typing import Final, NamedTuple, TypeVar
from urllib.parse import parse_qs, quote, urlencode, urlsplit

from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from companion.printing import designs, shelf
from companion.printing.designs import DesignEntry
from companion.printing.run import known_stocks
from companion.tabletop.action import RuleError
from companion.web.guard import BodyLimit
from companion.web.host.designs.design_changes import ChangeForm, change_design, take_picture
from companion.web.host.designs.design_desk import (
    DesignDesk,
    DesignTable,
    OpenDesign,
    UnknownDesign,
    find_shown_stock,
    read_pasted_table,
    read_table,
)
from companion.web.host.designs.design_view import DIRECTION_TITLES, EDGE_TITLES, read_view
from companion.web.host.designs.new_parts import KIND_TITLES
from companion.web.host.frame import Host, HostPages
from companion.web.host.printing.page import PRINT_PATH
from companion.web.pages import message_page, redirect
from companion.web.sharing.forms import read_file_name, read_parts
from labels.errors import LabelError
from labels.paper.stocks import Stock
from templates.languages.messages import Text, listed, phrase, phrase_in

DESIGNS_PATH: Final = "/host/designs"
DESIGN_TABLE_PATH: Final = "/host/design-table"
"""The path of the form with a table, which may be larger than others."""
_MAX_FILE: Final = 8 * 1024 * 1024
DESIGN_TABLE_LIMIT: Final = BodyLimit(2 * _MAX_FILE + 8192, 60.0)
"""The limit of the form with a table: a file, and once more as text; and of that with a picture."""
_PICTURE_HEADERS: Final = {"cache-control": "private, max-age=3600"}
"""The address of a picture has the version of its content."""

_Result = TypeVar("_Result")


class ListedDesign(NamedTuple):
    """A design in the list, or what is wrong with its file. `labels` are those that it is for."""

    name: str
    title: Text
    columns: Text
    labels: Text
    own: bool
    has_sample: bool
    wrong: Text


class DesignGroup(NamedTuple):
    """The designs of the list for one use."""

    title: Text
    rows: tuple[ListedDesign, ...]


class ShapeLink(NamedTuple):
    """A link to the designs for labels of one shape, "" for all."""

    shape: str
    title: Text


class StockChoice(NamedTuple):
    """A stock that can be chosen."""

    name: str
    title: Text


_SHAPES: Final = (
    ShapeLink("", phrase_in("labels", "all")),
    *(ShapeLink(shape, title) for shape, title in shelf.SHAPE_TITLES.items()),
)


class DesignerRoutes:
    """The pages of label designs."""

    def __init__(self, pages: HostPages) -> None:
        self._pages = pages
        self._desk = DesignDesk()
        one = f"{DESIGNS_PATH}/{{name}}"
        self.routes = [
            Route(DESIGNS_PATH, pages.require_host(self.list_designs)),
            Route(DESIGNS_PATH, pages.require_host(self.create), methods=["POST"]),
            Route(DESIGN_TABLE_PATH, pages.require_host(self.take_table), methods=["POST"]),
            Route(one, pages.require_host(self.design)),
            Route(one, pages.require_host(self.change), methods=["POST"]),
            Route(f"{one}/file.png", pages.require_host(self.file_picture)),
            Route(f"{one}/label.png", pages.require_host(self.label_picture)),
        ]

    async def list_designs(self, request: Request, host: Host) -> Response:
        """List the designs by use, each with its picture: all, or those for labels of the shape in the address."""
        return await self._list_page(host, shape=request.query_params.get("shape", ""))

    async def _list_page(
        self,
        host: Host,
        wrong: Text = "",
        fields: Mapping[str, str] = {},
        status: HTTPStatus = HTTPStatus.OK,
        shape: str = "",
    ) -> Response:
        shape = shape if shape in shelf.SHAPE_TITLES else ""
        groups = await run_in_threadpool(_group_designs, shape)
        return self._pages.render_host(
            "host/designs.html",
            host,
            here=DESIGNS_PATH,
            status=status,
            groups=groups,
            shape=shape,
            shapes=_SHAPES,
            unsaved=await run_in_threadpool(self._desk.list_unsaved),
            folder=str(designs.designs_folder()),
            stocks=await run_in_threadpool(_list_stocks),
            wrong=wrong,
            fields=fields,
        )

    async def create(self, request: Request, host: Host) -> Response:
        """Open a new design."""
        fields = await self._pages.read_host_form(request, host)
        name = fields.get("name", "").strip()

        def run() -> None:
            stock = find_shown_stock(fields.get("stock", "").strip())
            self._desk.create(name, shelf.new_design_text(name, stock))

        try:
            await run_in_threadpool(run)
        except LabelError as error:
            return await self._list_page(host, error.message, fields, HTTPStatus.CONFLICT)
        return redirect(_design_url(name))

    async def design(self, request: Request, host: Host) -> Response:
        """Show a design with the part and the row that the address names."""
        query = request.query_params
        return await self._design_page(
            host,
            request.path_params["name"],
            _read_count(query.get("part", "")),
            _read_count(query.get("row", "")),
            checks="check" in query,
            takes_sample="sample" in query,
        )

    async def _design_page(
        self,
        host: Host,
        name: str,
        part: int,
        row: int,
        wrong: Text = "",
        fields: Mapping[str, str] = {},
        *,
        checks: bool = False,
        takes_sample: bool = False,
    ) -> Response:
        def read(opened: OpenDesign) -> Response:
            if takes_sample:
                opened.take_sample()
            view = read_view(opened, part, row)
            return self._pages.render_host(
                "host/design.html",
                host,
                here=DESIGNS_PATH,
                status=HTTPStatus.CONFLICT if wrong else HTTPStatus.OK,
                view=view,
                wrong=wrong,
                typed=fields,
                faults=opened.list_faults() if checks else None,
                kinds=KIND_TITLES,
                edges=EDGE_TITLES,
                directions=DIRECTION_TITLES,
                stocks=_list_stocks(),
            )

        try:
            return await self._with_design(name, read)
        except LabelError as error:
            return message_page(phrase("This design cannot be shown"), error.message, HTTPStatus.CONFLICT)

    async def change(self, request: Request, host: Host) -> Response:
        """Do what a button says, and show the page again, with what is wrong if it was refused."""
        pairs = await self._pages.read_host_fields(request, host)
        fields, name = dict(pairs), request.path_params["name"]
        ticked = [_read_count(value) for key, value in pairs if key == "tick"]
        form = ChangeForm(fields, _read_count(fields.get("part", "")), ticked)
        row = _read_count(fields.get("row", ""))

        def run(opened: OpenDesign) -> str | None:
            match form.button:
                case "save":
                    saved = self._desk.save(opened.name, fields.get("name", "").strip() or opened.name)
                    return _design_url(saved, form.part if saved == opened.name else 0, row)
                case "print":
                    return self._begin_print(opened)
                case "reload":
                    self._desk.close(opened.name)
                    return DESIGNS_PATH if opened.stored_text is None else _design_url(opened.name)
                case _:
                    part = change_design(opened.editor, form._replace(table=opened.table))
                    return None if part is None else _design_url(opened.name, part, row)

        try:
            url = await self._with_design(name, run)
        except LabelError as error:
            return await self._design_page(host, name, form.part, row, error.message, fields)
        if url is None:
            text = phrase("This button is not known here. Load the page again; nothing was changed.")
            return message_page(phrase("Not so"), text, HTTPStatus.BAD_REQUEST)
        if "live" in fields and form.button not in ("save", "reload", "print"):
            # The script of the page need not ask again.
            query = parse_qs(urlsplit(url).query)
            response = await self._design_page(host, name, int(query["part"][0]), row)
            response.headers["content-location"] = url
            return response
        return redirect(url)

    def _begin_print(self, opened: OpenDesign) -> str:
        """Save a design, pass its table and pictures on to the print page, and return the address of its form."""
        if not opened.is_stored:
            if opened.stored_text is not None and not opened.own:
                raise LabelError(
                    phrase(
                        "The changes of this design are not saved; save it under a name of your own, and print then."
                    )
                )
            self._desk.save(opened.name, opened.name)
        answers = {"what": "own", "design": opened.name, "stock": opened.editor.stock.name}
        if opened.table is not None and opened.table.content:
            answers["table"] = self._send_files(opened, opened.table)
        return f"{PRINT_PATH}?{urlencode(answers)}"

    def _send_files(self, opened: OpenDesign, table: DesignTable) -> str:
        """Copy the table of a design, and pictures that it names, to where files for printing are sent."""
        folder, uploads = table.pictures_folder, self._pages.uploads
        for name in opened.list_pictures():
            # The print page reports what is not there.
            with suppress(LabelError, OSError, RuleError):
                file = Path(designs.locate_file(str(folder), name, "picture"))
                uploads.save(name, file.read_bytes(), keeps_folders=True)
        is_pasted = table.file_name.startswith(".")
        try:
            return uploads.save(f"{opened.name}{table.file_name}" if is_pasted else table.file_name, table.content)
        except RuleError as error:
            raise LabelError(error.message) from error

    async def take_table(self, request: Request, host: Host) -> Response:
        """Lay a table beside a design, or take it away if the form has none; or take a picture of the form."""
        body = await request.body()
        parts = read_parts(body)
        self._pages.check_token(host, parts.get("token", b"").decode("latin-1"))
        name = parts.get("design", b"").decode(errors="replace")
        part = _read_count(parts.get("part", b"").decode("latin-1"))
        row, picture = _read_count(parts.get("row", b"").decode("latin-1")), parts.get("picture")
        file, pasted = parts.get("file", b""), parts.get("pasted", b"").decode(errors="replace").strip("\r\n")

        def run(opened: OpenDesign) -> str:
            if picture is not None:
                take_picture(opened, part, read_file_name(body), picture)
                return _design_url(opened.name, part, row)
            if file:
                opened.table = read_table(read_file_name(body), file)
            else:
                opened.table = read_pasted_table(pasted) if pasted else None
            return _design_url(opened.name, part, 1)

        try:
            return redirect(await self._with_design(name, run))
        except LabelError as error:
            form = "table" if picture is None else "picture"
            return await self._design_page(host, name, part, row, error.message, {"do": form, "pasted": pasted})

    async def file_picture(self, request: Request, _: Host) -> Response:
        """Draw a design as its file has it."""
        name = request.path_params["name"]
        try:
            picture = await run_in_threadpool(self._desk.draw_file, name)
        except (UnknownDesign, LabelError):
            raise HTTPException(HTTPStatus.NOT_FOUND) from None
        return Response(picture, media_type="image/png")

    async def label_picture(self, request: Request, _: Host) -> Response:
        """Draw a design as it is edited, with a row of its table."""
        row, fine = _read_count(request.query_params.get("row", "")), "fine" in request.query_params
        try:
            picture = await self._with_design(request.path_params["name"], lambda opened: opened.draw(row, fine=fine))
        except LabelError:
            raise HTTPException(HTTPStatus.NOT_FOUND) from None
        return Response(picture, media_type="image/png", headers=_PICTURE_HEADERS)

    async def _with_design(self, name: str, run: Callable[[OpenDesign], _Result]) -> _Result:
        """Run something with an open design. Raises HTTPException if there is no such design, or LabelError."""

        def open_and_run() -> _Result:
            with self._desk.open(name) as opened:
                return run(opened)

        try:
            return await run_in_threadpool(open_and_run)
        except UnknownDesign:
            raise HTTPException(HTTPStatus.NOT_FOUND) from None


def _group_designs(shape: str) -> list[DesignGroup]:
    """Return the designs by use, only those for labels of a shape if one is given."""
    stocks = shelf.stocks_by_name()
    groups = []
    for group in shelf.list_shelf():
        rows = tuple(_list_design(entry, stocks) for entry in group.entries if _has_shape(entry, shape, stocks))
        if rows:
            groups.append(DesignGroup(group.title, rows))
    return groups


def _has_shape(entry: DesignEntry, shape: str, stocks: Mapping[str, Stock]) -> bool:
    return not shape or (entry.design is not None and shelf.find_shape(entry.design, stocks) == shape)


def _list_design(entry: DesignEntry, stocks: Mapping[str, Stock]) -> ListedDesign:
    design = entry.design
    if design is None:
        return ListedDesign(entry.name, entry.name, "", "", entry.own, has_sample=False, wrong=entry.wrong)
    stock = stocks.get(design.stock)
    return ListedDesign(
        entry.name,
        design.caption,
        listed(design.columns),
        stock.caption if stock else design.stock,
        entry.own,
        has_sample=shelf.find_sample(design) is not None,
        wrong="",
    )


def _list_stocks() -> list[StockChoice]:
    return [StockChoice(stock.name, stock.caption) for stock in known_stocks().stocks]


def _design_url(name: str, part: int = 0, row: int = 0) -> str:
    query = "&".join(f"{key}={value}" for key, value in (("part", part), ("row", row)) if value)
    return f"{DESIGNS_PATH}/{quote(name, safe='')}{'?' if query else ''}{query}"


def address_to_take(name: str) -> str:
    """Return the address at which a design of this name is opened with its sample, or that of the list if there is
    none.
    """
    names = {entry.name.casefold(): entry.name for entry in designs.list_designs() if entry.design is not None}
    design_name = names.get(name.strip().casefold())
    return f"{_design_url(design_name)}?sample=1&row=1" if design_name else DESIGNS_PATH


def _read_count(text: str) -> int:
    """Return a number of an address or a form, 0 for anything else."""
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 10 else 0
