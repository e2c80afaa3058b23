"""Labels as pictures, one file for each: the apps of many label printers take nothing else."""

from __future__ import annotations

import re
import tempfile
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Final

from labels.output import pdf, proof
from labels.paper import sheet
from labels.paper.sheet import label_title

if TYPE_CHECKING:
    from PIL.Image import Image

    from companion.printing.run import OutputFile, PrintRun
    from labels.paper.stocks import Stock

SHEET_DPI: Final = 300
"""The resolution of pictures of labels whose stock does not say that of its printer, in dots per inch."""
_LIGHTEST_INK: Final = 128
"""Greys below this are dots of a printer that has no greys; 255 is white."""
_MAX_NAME: Final = 60


def resolution_of(stock: Stock, chosen: int | None) -> int:
    """Return the resolution for pictures of a stock's labels in dots per inch: the chosen one, or its printer's."""
    return chosen or (stock.dpi if stock.roll else 0) or SHEET_DPI


def picture_paths(run: PrintRun, folder: Path) -> tuple[Path | None, ...]:
    """Return a file for each page of a run of single labels: `001-ash-wolf.png`; None for a page that stays empty.

    The back of a label ends in `-back`.
    """
    labels = [label for page in run.plan.pages for label in page.values()]
    digits = max(2, len(str(len(labels))))
    paths: list[Path | None] = []
    for number, label in enumerate(labels, 1):
        stem = f"{number:0{digits}}{_suffix(label_title(label))}"
        paths.append(folder / f"{stem}.png")
        if run.setup.two_sided:
            has_back = isinstance(label, sheet.TwoSidedLabel) and label.back is not None
            paths.append(folder / f"{stem}-back.png" if has_back else None)
    return tuple(paths)


def _suffix(title: str) -> str:
    """Return a title as the end of a file name on any system, behind a hyphen; "" for one without letters."""
    words = "-".join(re.findall(r"\w+", title.casefold()))[:_MAX_NAME].strip("-_")
    return f"-{words}" if words else ""


def write_pictures(
    run: PrintRun, folder: Path, output_file: OutputFile, progress: pdf.Progress = pdf.no_progress
) -> tuple[Path, ...]:
    """Draw each label of a run of single labels into a file, all or none of them; return the files.

    A picture has a pixel for each dot. With black ink it has two colours, since a printer without greys would turn the
    edges of letters into speckles. Raises LabelError, naming the label, if one cannot be drawn, or OSError.
    """
    stock = run.plan.stock
    paths = picture_paths(run, folder)
    is_black = (run.setup.ink or stock.ink) == "black"
    with tempfile.TemporaryDirectory() as scratch, ExitStack() as files:
        document = Path(scratch, "labels.pdf")
        with document.open("wb") as out:
            run.write(out)
        with proof.open_pdf(document) as pages:
            for number, path in zip(progress(range(1, len(pages) + 1)), paths, strict=True):
                if path is not None:
                    picture = pages.picture(number, stock.dpi)
                    draft = files.enter_context(output_file(path))
                    (_in_two_colours(picture) if is_black else picture).save(
                        draft, format="PNG", dpi=(stock.dpi, stock.dpi)
                    )
    return tuple(path for path in paths if path is not None)


def _in_two_colours(picture: Image) -> Image:
    """Return a picture in black and white; dithering finds no grey in it."""
    return picture.convert("L").point([0] * _LIGHTEST_INK + [255] * (256 - _LIGHTEST_INK)).convert("1")
