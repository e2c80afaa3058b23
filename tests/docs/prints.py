"""The pictures of what is printed, drawn from the evening that `companion demo` plays.

Run where labels look otherwise: python -m tests.docs.prints (or with a folder to draw them into). Ids of decks are new
each time, so `make docs` leaves these alone.
"""

import io
import sys
import tempfile
from collections.abc import Iterator
from contextlib import redirect_stdout
from pathlib import Path
from typing import Final

from PIL import Image

from companion.archive import Archive
from companion.cli.commands import demo
from companion.games import registry
from companion.printing import jobs
from companion.printing.jobs import Job
from companion.printing.run import find_stock, impose
from labels.output import page, proof
from labels.output.pdf import Setup
from tests.docs.documents import DOCS

# Of a whole page, and of a part.
_DPI, _CLOSER = 120, 150
_COLOURS: Final = 64
# As much of a sheet as shows some labels in two columns, in dots.
_PART: Final = {"print-deck.png": (637, 907), "print-box.png": (637, 330), "print-tonight.png": (637, 660)}


def sheets() -> Iterator[tuple[str, Job]]:
    """What is printed, by the name of its picture."""
    game = registry.game("decknforge")
    with tempfile.TemporaryDirectory() as place, Archive.open(f"{place}/archive.sqlite") as archive:
        with redirect_stdout(io.StringIO()):
            demo._found_decks(archive, game)
            demo._play_evening(archive, game)
        row = archive.find_deck("Grave Choir")
        yield "print-starter.png", jobs.starter_job(game)
        yield "print-aid.png", jobs.aid_job(game)
        yield "print-deck.png", jobs.cards_job(archive, [row])
        yield "print-box.png", jobs.boxes_job(archive.decks())
        yield "print-tonight.png", jobs.session_job(archive)
        yield "print-record.png", jobs.record_job(archive, row)


def document(job: Job, name: str) -> bytes:
    """Its PDF; where only a part is shown, with the outlines of labels."""
    if job.document is not None:
        return page.render_document(job.document, page.paper("letter"))
    setup = Setup(str(job.title), job.credit, outlines=name in _PART)
    return impose(job.labels, find_stock(None), setup).document()


def picture(name: str, printed: bytes) -> Image.Image:
    """The first page, or the part of it that is shown, in as few colours as it needs."""
    whole = proof.page_as_picture(printed, 1, _CLOSER if name in _PART else _DPI)
    return whole.crop((0, 0, *_PART.get(name, whole.size))).quantize(_COLOURS)


if __name__ == "__main__":
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else DOCS
    for name, job in sheets():
        picture(name, document(job, name)).save(folder / name, optimize=True)
