"""An order: what is printed on what, said field by field, and what that comes to before a drop of ink is spent.

Separate from jobs, which know no paper, and from whoever asks: a screen, later a page for phones.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal, NamedTuple

import msgspec

from companion.archive import ArchiveError, deck_id, files, stationery
from companion.games import registry
from companion.printing import jobs, run, wording
from companion.printing.jobs import Job
from companion.printing.run import Beginning, Claims, feeding, other_paper
from companion.tabletop.action import NotationError, RuleError
from companion.tabletop.paper import Printable
from labels import calibration as calibrations
from labels import calibration as margins
from labels import page, sheet, testpage
from labels import sheet as plan
from labels.calibration import IDENTITY, Calibration
from labels.errors import LabelError
from labels.geometry import LETTER, MM, Paper, paper
from labels.pdf import Setup
from labels.sheet import AtHand
from labels.stocks import Stock

if TYPE_CHECKING:
    from companion.archive import Archive, DeckRow
    from companion.archive.lists import SheetRow


class Kind(NamedTuple):
    """Something that can be printed: of what, and whether on labels, on whole pages, or on a test page."""

    name: str
    title: str
    about: str
    of: Literal["game", "deck", "session", ""]
    on: Literal["labels", "pages", "test"]


KINDS: Final = (
    Kind("starter", "Starter sheet", "the labels that everybody who plays a game needs once", "game", "labels"),
    Kind("tonight", "Tonight's labels", "what a sealed table wrote on cards and earned for boxes", "session", "labels"),
    Kind("deck", "Labels of a deck", "all that its cards bear today", "deck", "labels"),
    Kind("new", "Labels of a new list", "what came with the present list of a deck that had another", "deck", "labels"),
    Kind("box", "Box label", "the QR code, name and figures of a deck", "deck", "labels"),
    Kind("boxes", "All box labels", "of every deck that has not retired", "", "labels"),
    Kind("record", "Record sheet", "a deck's whole story on paper, to lie in its box", "deck", "pages"),
    Kind("aid", "Table aid", "what everybody asks while a game is played", "game", "pages"),
    Kind("test", "Test page", "on plain paper: where each label lies, and rulers to measure a printer by", "", "test"),
)
_DRAWING: Final = threading.Lock()


class OrderError(LabelError):
    """Something in an order that cannot be; `field` is what says it."""

    def __init__(self, field: str, told: str) -> None:
        super().__init__(told)
        self.field = field


class Order(msgspec.Struct, frozen=True):
    """What is to be printed, on what; "" for the usual. `which` is a game, a deck or a session.

    `sheet` is one that the archive remembers, or the name of one that begins with this print-out; `free` are the free
    positions of one that does not remember them, and `fresh` says that a full one is followed by a new one. On a roll
    none of these counts, nor does a `printer`.
    """

    what: str = ""
    which: str = ""
    stock: str = ""
    sheet: str = ""
    free: str = ""
    paper: str = ""
    printer: str = ""
    fresh: bool = False
    outlines: bool = False


class SheetMap(NamedTuple):
    """A sheet as it lies before you: what it is called, and the sign of each position that is not used."""

    title: str
    stock: Stock
    signs: Mapping[int, str]


class Ready(msgspec.Struct, frozen=True):
    """An order laid out: `draw` makes its PDF and raises LabelError; `beside` tells of each field what it stands for.

    `paper` is what is printed on and `media` what the printing system calls it as the printer is fed. `told` says what
    goes where, what was left out, and how to feed it. `span` is how far B lies from A on a test page for this printer
    and paper, in mm; None where there is none.
    """

    title: str
    summary: str
    draw: Callable[[], bytes]
    beside: Mapping[str, str]
    paper: Paper
    media: str
    maps: tuple[SheetMap, ...] = ()
    claims: Mapping[str, tuple[int, ...]] = {}
    begins: Beginning | None = None
    notices: tuple[str, ...] = ()
    span: tuple[float, float] | None = calibrations.B


class _Sheets(NamedTuple):
    """The stock, what is free of the sheets at hand, the sheet that begins, and that which is remembered."""

    stock: Stock
    at_hand: tuple[AtHand, ...]
    begins: Beginning | None = None
    row: SheetRow | None = None


def kind(name: str) -> Kind:
    """What can be printed under this name or title; the first where none is said. Raises OrderError."""
    wanted = (name.strip() or KINDS[0].name).casefold()
    found = next((each for each in KINDS if wanted in (each.name, each.title.casefold())), None)
    if found is None:
        raise OrderError("what", f"“{name}” is nothing to print; choose one of the list.")
    return found


def games(what: Kind) -> tuple[Printable, ...]:
    """The games that have this to print."""
    has = jobs.has if what.name == "aid" else wording.starter
    return tuple(game for game in registry.all_printable() if has(game))


def ready(archive: Archive, order: Order) -> Ready:
    """An order laid out. Raises OrderError, which names the field that is wrong."""
    what = kind(order.what)
    with _at("printer"):
        calibration = run.calibrated(archive, order.printer) if order.printer else IDENTITY
    with _at("which"):
        job, named = _job(archive, what, order.which)
    if what.on == "pages":
        return _pages(job, order, calibration, {"which": named})
    sheets = _sheets(archive, order)
    beside = {"which": named, **_beside(sheets, order)}
    if what.on == "test":
        return _test(sheets, order, calibration, beside)
    return _run(job, sheets, order, IDENTITY if sheets.stock.roll else calibration, beside)


def write(archive: Archive, made: Ready, path: Path) -> None:
    """Writes the PDF and, with it, which positions are taken of which sheets: both or neither.

    Raises LabelError, ArchiveError, OSError.
    """
    claims = Claims(made.claims, made.begins)
    with run.write_pdf(
        lambda out: out.write(made.draw()), path, files.write_atomically, archive=archive, claims=claims
    ):
        pass


def box_refused(name: str, stock: str) -> str:
    """Why a deck of this name would get no box label on a stock, "" for the usual; "" where it would."""
    try:
        found = run.find_stock(stock or None)
    except LabelError:
        return ""
    with _DRAWING:
        return jobs.name_refused(name, found)


def _alone(draw: Callable[[], bytes]) -> Callable[[], bytes]:
    """Draws while nothing else is drawn: the fonts bear no second thread."""

    def drawn() -> bytes:
        with _DRAWING:
            return draw()

    return drawn


@contextmanager
def _at(field: str) -> Iterator[None]:
    """Names the field in which something is wrong."""
    try:
        yield
    except (LabelError, ArchiveError, NotationError, RuleError, deck_id.DeckIdError) as error:
        raise OrderError(field, str(error)) from error


def _job(archive: Archive, what: Kind, which: str) -> tuple[Job, str]:
    """What is printed, and what tells more of the deck, game or session that was named."""
    if what.of == "game":
        return _of_game(what, which)
    if what.of == "deck":
        row = _deck(archive, which)
        told = (row.name, deck_id.show(row.deck), row.game)
        rest = (part for part in told if part and part.casefold() != which.strip().casefold())
        return _DECK_JOBS[what.name](archive, row), " · ".join(rest)
    if what.of == "session":
        job = jobs.tonight(archive, which or None)
        return job, f"{len(job.labels)} to stick"
    if what.name == "boxes":
        return _something(jobs.every_box([row for row in archive.decks() if not row.retired])), ""
    return Job(what.title), ""


_DECK_JOBS: Final[Mapping[str, Callable[[Archive, DeckRow], Job]]] = {
    "deck": lambda archive, row: _something(jobs.borne(archive, [row])),
    "new": lambda archive, row: _something(jobs.borne(archive, [row], only_new=True)),
    "box": lambda _, row: jobs.boxes([row]),
    "record": jobs.record_sheet,
}


def _of_game(what: Kind, which: str) -> tuple[Job, str]:
    known = games(what)
    found = next((game for game in known if which.casefold() in ("", game.name, game.title.casefold())), None)
    if found is None:
        titles = ", ".join(game.title for game in known)
        raise LabelError(f"“{which}” has no {what.title.lower()}; there is one of {titles}.")
    return (jobs.aid_job(found) if what.name == "aid" else jobs.starter(found)), found.title


def _deck(archive: Archive, which: str) -> DeckRow:
    if not which.strip():
        raise LabelError("Say which deck: any part of its name, or the id on its box.")
    return archive.find_deck(which)


def _something(job: Job) -> Job:
    if not job.labels:
        raise LabelError("There is nothing to print.")
    return job


def _sheets(archive: Archive, order: Order) -> _Sheets:
    """The labels to print on: a sheet that is remembered, one that begins now, or one of which nobody keeps count."""
    remembered = next((row for row in stationery.sheets(archive) if _same(row.name, order.sheet)), None)
    if remembered is not None:
        with _at("sheet"):
            stock, at_hand = run.remembered(archive, [remembered.name], None)
        return _Sheets(stock, at_hand, row=remembered)
    with _at("stock"):
        stock = run.find_stock(order.stock or None)
    if stock.roll:
        return _Sheets(stock, ())
    with _at("free"):
        free = sheet.positions(order.free, stock) if order.free.strip() else sheet.every(stock)
    name = order.sheet.strip()
    begins = Beginning(name, stock, free) if name else None
    return _Sheets(stock, (AtHand(name, free),), begins)


def _same(name: str, other: str) -> bool:
    return name.casefold() == " ".join(other.split()).casefold()


def _beside(paper: _Sheets, order: Order) -> dict[str, str]:
    stock, row = paper.stock, paper.row
    named = "" if order.stock or row is not None else f"{stock.name}, "
    told = " · ".join(part for part in (f"{named}{stock.cut}", other_paper(stock, order.paper)) if part)
    if stock.roll:
        return {"stock": f"{told}; each label a page, no sheet to count, nothing to calibrate"}
    free = f"{len(paper.at_hand[0].free)} of {stock.count} free"
    if row is not None:
        waiting = f", {len(row.waiting)} wait for an answer" if row.waiting else ""
        return {"stock": told, "sheet": f"{free}{waiting}"}
    return {
        "stock": told,
        "sheet": "begins with this; the archive keeps count" if order.sheet.strip() else "",
        "free": free,
    }


def _run(job: Job, paper: _Sheets, order: Order, calibration: Calibration, beside: Mapping[str, str]) -> Ready:
    stock = paper.stock
    if job.is_lenient:
        with _DRAWING:
            job = jobs.sifted(job, stock)
        if not job.labels:
            more = len(job.left_out) - 1
            raise OrderError("what", f"{job.left_out[0]}{f' And {more} more like that.' if more else ''}")
    setup = Setup(job.title, job.credit, order.outlines, calibration)
    laid = run.impose(job.labels, stock, setup, paper.at_hand)
    _check_full(laid.plan, paper, order)
    return Ready(
        title=job.title,
        summary=laid.summary,
        draw=_alone(laid.document),
        beside=beside,
        paper=stock.paper,
        media=stock.media,
        maps=() if stock.roll else tuple(_maps(laid.plan)),
        claims=laid.claims,
        begins=paper.begins,
        span=None if stock.roll else _span(stock.paper),
        notices=(
            *laid.warnings,
            *(f"Not printed: {each}" for each in job.left_out),
            *feeding(laid.plan),
            *_other_paper(stock, order),
            *job.notices,
        ),
    )


def _check_full(laid: plan.Plan, paper: _Sheets, order: Order) -> None:
    """A full sheet does not turn into a new one unasked. Raises OrderError."""
    row = paper.row
    if row is not None and not row.free and not order.fresh:
        raise OrderError(
            "fresh",
            f"The sheet “{row.name}” is full; yes prints on a new one of {laid.stock.name}. Or name another sheet.",
        )


def _maps(laid: plan.Plan) -> Iterator[SheetMap]:
    for number, imposed in enumerate(laid.sheets, 1):
        named = f" “{imposed.name}”" if imposed.name else ""
        yield SheetMap(f"Sheet {number}{named}", laid.stock, imposed.signs)


def _test(paper: _Sheets, order: Order, calibration: Calibration, beside: Mapping[str, str]) -> Ready:
    stock = paper.stock
    with _at("stock"):
        testpage.check(stock)
    hand = paper.at_hand[0]
    used = frozenset(range(1, stock.count + 1)) - frozenset(hand.free)
    return Ready(
        title="Test page",
        summary=f"A test page for {stock.title}, for plain paper",
        draw=_alone(lambda: testpage.page(stock, calibration, used, order.printer)),
        beside=beside,
        paper=stock.paper,
        media=stock.media,
        maps=(SheetMap(stock.title, stock, plan.signs(hand.free, hand.waiting)),),
        notices=_other_paper(stock, order),
        span=testpage.span(stock),
    )


def _other_paper(stock: Stock, order: Order) -> tuple[str, ...]:
    """Once more where there is room for all of it: beside the stock's name a small screen cuts it off."""
    return tuple(filter(None, [other_paper(stock, order.paper)]))


def _pages(job: Job, order: Order, calibration: Calibration, beside: Mapping[str, str]) -> Ready:
    document = job.document
    assert document is not None
    with _at("paper"):
        size = paper(order.paper or LETTER.name)
    return Ready(
        title=job.title,
        summary=f"{job.title}, for {size.title} paper",
        draw=_alone(lambda: page.pages(document, size.size, calibration)),
        beside=beside,
        paper=size,
        media=size.media,
        notices=tuple(margins.of_page(page.inked(size.size), size.size, calibration)),
    )


def _span(size: Paper) -> tuple[float, float] | None:
    """How far B lies from A on a test page of this size, in mm; None where it is too small for one."""
    try:
        return calibrations.span((size.width / MM, size.height / MM))
    except LabelError:
        return None
