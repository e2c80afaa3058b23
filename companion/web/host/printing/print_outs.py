"""The print-outs of this server: their PDFs, which a browser fetches, and what is left to say about them."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from hashlib import sha256
from io import BytesIO
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Final

import msgspec

from companion.archive import Archive
from companion.forms.print_outcomes import settle_print_out
from companion.forms.print_runs import keep_left
from companion.printing import system
from companion.printing.wording import title_notation
from companion.tabletop.action import RuleError
from companion.web.sharing.upload_folder import make_folder
from companion.web.visitor import random_id
from labels.output import proof
from templates.languages.messages import Text, joined, phrase

if TYPE_CHECKING:
    from companion.archive.storage.entries import Outcome
    from companion.printing.order import PreparedOrder

_MAX_PRINT_OUTS: Final = 30
_MAX_PROOFS: Final = 6
"""The most previews whose pages can be fetched."""
_PROOF_DPI: Final = 96


class PrintOut(msgspec.Struct):
    """A PDF that was written: its order, its printer's calibration, and the last thing that happened to it.

    `is_waiting` is true until somebody says how it came out; `take_back` frees the labels of a sheet without a name.
    """

    file: Path
    ready: PreparedOrder
    printer: str
    is_waiting: bool
    take_back: Callable[[], None] | None = None
    done: Text = ""

    @property
    def file_name(self) -> str:
        """The name under which a browser stores the PDF."""
        return f"{title_notation(str(self.ready.title))}.pdf"


class PrintOuts:
    """The print-outs by id, and previews by their content. They end with the server. Thread-safe."""

    def __init__(self, archive: Archive) -> None:
        self._archive = archive
        self._lock = Lock()
        self._folder: Path | None = None
        self._print_outs: OrderedDict[str, PrintOut] = OrderedDict()
        self._proofs: OrderedDict[str, bytes] = OrderedDict()

    def new_file(self) -> Path:
        """Return the path for a new PDF."""
        with self._lock:
            if self._folder is None:
                self._folder = make_folder(self)
            return self._folder / f"{random_id()}.pdf"

    def add(self, file: Path, ready: PreparedOrder, printer: str) -> str:
        """Keep a PDF that was written; return its id."""
        has_claims = bool(ready.claims)
        take_back = keep_left(self._archive.name, ready)
        with self._lock:
            self._print_outs[file.stem] = PrintOut(file, ready, printer, has_claims, None if has_claims else take_back)
            while len(self._print_outs) > _MAX_PRINT_OUTS:
                _, oldest = self._print_outs.popitem(last=False)
                oldest.file.unlink(missing_ok=True)
        return file.stem

    def find(self, name: str) -> PrintOut | None:
        """Return the print-out of an id, or None."""
        return self._print_outs.get(name)

    def settle(self, print_out: PrintOut, outcome: Outcome) -> None:
        """Store how a print-out came out. A second answer is refused. Raises ArchiveError or RuleError."""
        with self._lock:
            if not print_out.is_waiting and print_out.take_back is None:
                raise RuleError(phrase("Somebody has said already how it came out."))
            print_out.done = settle_print_out(self._archive, print_out.ready.claims, print_out.take_back, outcome)
            print_out.is_waiting, print_out.take_back = False, None

    def send(self, print_out: PrintOut, queue: str) -> None:
        """Send a PDF to a printer of the system. Raises NoPrinter, or RuleError for an unknown printer."""
        if not (system.is_printed_by_viewer() and not queue) and queue not in system.list_queues():
            raise RuleError(phrase("This machine has no printer “{printer}”.", printer=queue[:80]))
        ready = print_out.ready
        hint = system.paper_mismatch(queue, ready.paper)
        answer = system.send(print_out.file, queue, ready.media, str(ready.title), two_sided=ready.two_sided)
        print_out.done = joined(" ", filter(None, (hint, answer or phrase("It was sent to the printer."))))

    def add_proof(self, document: bytes) -> tuple[str, int]:
        """Keep a preview; return its id, which is that of its content, and its number of pages."""
        name = sha256(document).hexdigest()[:24]
        with self._lock:
            self._proofs[name] = document
            self._proofs.move_to_end(name)
            while len(self._proofs) > _MAX_PROOFS:
                self._proofs.popitem(last=False)
        return name, proof.page_count(document)

    def draw_proof(self, name: str, page: int) -> bytes | None:
        """Return a page of a preview as PNG, counted from 1; None if it is not here."""
        document = self._proofs.get(name)
        if document is None or not 1 <= page <= proof.page_count(document):
            return None
        packed = BytesIO()
        proof.page_as_picture(document, page, _PROOF_DPI).save(packed, "PNG")
        return packed.getvalue()
