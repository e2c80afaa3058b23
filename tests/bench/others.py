"""The same sheet of 60 different box labels as other programs print it; run as a script by a Python that has them.

Separate, and without a line of ours, because pylabels is imported as `labels`, which is what ours is called too. Prints
a line for each program that is installed: its name, sheets a second, and the bytes of one sheet.
"""

import importlib.metadata
import sys
import time
from collections.abc import Callable, Iterator
from io import BytesIO
from itertools import groupby
from typing import Any, NamedTuple

SHEETS = 2
PAGE = (612.0, 792.0)
LEFT, TOP, ACROSS, DOWN, WIDTH, HEIGHT = 21.6, 39.6, 147.6, 47.52, 126.0, 47.52
COLUMNS, ROWS = 4, 15


class Box(NamedTuple):
    """A label: its place, counted from the top left corner as most of these programs do, and what it shows."""

    x: float
    y: float
    lines: tuple[str, str, str]
    payload: str


def _boxes(sheet: int) -> Iterator[Box]:
    for number in range(COLUMNS * ROWS):
        column, row = divmod(number, ROWS)
        index = sheet * COLUMNS * ROWS + number
        lines = (f"Band {index}", f"Glory {index}", f"7K3M-9{index:07}-5")
        yield Box(LEFT + column * ACROSS, TOP + row * DOWN, lines, f"DECK:7K3M9{index:07}5")


def _reportlab_qrcode(sheets: int) -> bytes:
    """What a quick script does: a picture of each code, and text in a standard font."""
    import qrcode
    from reportlab.lib.utils import ImageReader
    from reportlab.pdfgen.canvas import Canvas

    file = BytesIO()
    canvas = Canvas(file, pagesize=PAGE)
    for sheet in range(sheets):
        for box in _boxes(sheet):
            bottom = PAGE[1] - box.y - HEIGHT
            picture = ImageReader(qrcode.make(box.payload).get_image())
            canvas.drawImage(picture, box.x, bottom, HEIGHT, HEIGHT)
            for number, text in enumerate(box.lines):
                canvas.drawString(box.x + HEIGHT, bottom + HEIGHT - 12 * (number + 1), text)
        canvas.showPage()
    canvas.save()
    return file.getvalue()


def _reportlab_segno(sheets: int) -> bytes:
    """segno's codes as rectangles, a row's runs at a time."""
    import segno
    from reportlab.pdfgen.canvas import Canvas

    file = BytesIO()
    canvas = Canvas(file, pagesize=PAGE)
    for sheet in range(sheets):
        for box in _boxes(sheet):
            bottom = PAGE[1] - box.y - HEIGHT
            matrix = list(segno.make(box.payload, error="m", micro=False).matrix_iter(border=4))
            module = HEIGHT / len(matrix)
            for row, modules in enumerate(matrix):
                for column, dark in enumerate(modules):
                    if dark:
                        at = bottom + HEIGHT - (row + 1) * module
                        canvas.rect(box.x + column * module, at, module, module, stroke=0, fill=1)
            for number, text in enumerate(box.lines):
                canvas.drawString(box.x + HEIGHT, bottom + HEIGHT - 12 * (number + 1), text)
        canvas.showPage()
    canvas.save()
    return file.getvalue()


def _fpdf2(sheets: int) -> bytes:
    import qrcode
    from fpdf import FPDF

    document = FPDF(unit="pt", format=PAGE)
    document.set_margin(0)
    document.set_auto_page_break(False)
    document.set_font("Helvetica", size=9)
    for sheet in range(sheets):
        document.add_page()
        for box in _boxes(sheet):
            document.image(qrcode.make(box.payload).get_image(), box.x, box.y, HEIGHT, HEIGHT)
            for number, text in enumerate(box.lines):
                document.text(box.x + HEIGHT, box.y + 12 * (number + 1), text)
    return bytes(document.output())


def _fpdf2_vectors(sheets: int) -> bytes:
    """The same with qrcode's modules as rectangles, a row's runs at a time."""
    import qrcode
    from fpdf import FPDF

    document = FPDF(unit="pt", format=PAGE)
    document.set_margin(0)
    document.set_auto_page_break(False)
    document.set_font("Helvetica", size=9)
    for sheet in range(sheets):
        document.add_page()
        for box in _boxes(sheet):
            code: Any = qrcode.QRCode(error_correction=qrcode.ERROR_CORRECT_M)
            code.add_data(box.payload)
            matrix = code.get_matrix()
            module = HEIGHT / len(matrix)
            for row, modules in enumerate(matrix):
                start = 0
                for dark, run in groupby(modules):
                    length = len(list(run))
                    if dark:
                        at = box.x + start * module, box.y + row * module
                        document.rect(*at, length * module, module, style="F")
                    start += length
            for number, text in enumerate(box.lines):
                document.text(box.x + HEIGHT, box.y + 12 * (number + 1), text)
    return bytes(document.output())


def _typst(sheets: int) -> bytes:
    """A document in typst's own language, with segno's codes as SVG."""
    import segno
    import typst

    markup = [f"#set page(width: {PAGE[0]}pt, height: {PAGE[1]}pt, margin: 0pt)", "#set text(size: 9pt)"]
    for sheet in range(sheets):
        markup += ["#pagebreak()"] if sheet else []
        for box in _boxes(sheet):
            svg = BytesIO()
            segno.make(box.payload, error="m", micro=False).save(svg, kind="svg", xmldecl=False, omitsize=True)
            code = svg.getvalue().decode().strip().replace('"', '\\"')
            lines = " \\ ".join(box.lines)
            image = f'image(bytes("{code}"), format: "svg", height: {HEIGHT}pt)'
            markup.append(f"#place(top + left, dx: {box.x}pt, dy: {box.y}pt, {image})")
            markup.append(f"#place(top + left, dx: {box.x + HEIGHT}pt, dy: {box.y + 12}pt)[{lines}]")
    return bytes(typst.compile("\n".join(markup).encode()))


def _pylabels(sheets: int) -> bytes:
    import labels  # noqa: I001 – theirs
    from reportlab.graphics import shapes
    from reportlab.graphics.barcode.qr import QrCodeWidget

    def draw(label: Any, _width: float, height: float, box: Box) -> None:
        code = QrCodeWidget(box.payload, barLevel="M", barWidth=height, barHeight=height)
        label.add(code)
        for number, text in enumerate(box.lines):
            label.add(shapes.String(height, height - 12 * (number + 1), text, fontSize=9))

    mm = 25.4 / 72
    layout: dict[str, float] = {
        "left_margin": LEFT * mm,
        "top_margin": TOP * mm,
        "column_gap": (ACROSS - WIDTH) * mm,
        "row_gap": 0,
    }
    specification = labels.Specification(215.9, 279.4, COLUMNS, ROWS, WIDTH * mm, HEIGHT * mm, **layout)  # type: ignore[attr-defined]
    sheet = labels.Sheet(specification, draw)  # type: ignore[attr-defined]
    for each in range(sheets):
        sheet.add_labels(_boxes(each))
    file = BytesIO()
    sheet.save(file)
    return file.getvalue()


PROGRAMS: dict[str, tuple[tuple[str, ...], Callable[[int], bytes]]] = {
    "reportlab + qrcode": (("reportlab", "qrcode"), _reportlab_qrcode),
    "reportlab + segno": (("reportlab", "segno"), _reportlab_segno),
    "fpdf2 + qrcode": (("fpdf2", "qrcode"), _fpdf2),
    "fpdf2 + qrcode, as vectors": (("fpdf2", "qrcode"), _fpdf2_vectors),
    "typst + segno": (("typst", "segno"), _typst),
    "pylabels": (("pylabels",), _pylabels),
}


def _installed(distribution: str) -> bool:
    try:
        importlib.metadata.version(distribution)
    except importlib.metadata.PackageNotFoundError:
        return False
    return True


def _measure(program: Callable[[int], bytes]) -> tuple[float, float]:
    """Sheets in a second of one core, the better of two runs, and the bytes of a sheet."""
    taken = []
    for _ in range(2):
        started = time.process_time()
        printed = program(SHEETS)
        taken.append(time.process_time() - started)
    return SHEETS / min(taken), len(printed) / SHEETS


def main() -> None:
    """Measures the programs that are installed here."""
    for name, (needs, program) in PROGRAMS.items():
        if all(map(_installed, needs)):
            speed, size = _measure(program)
            print(f"{name}\t{speed}\t{size}")


if __name__ == "__main__":
    sys.path = [place for place in sys.path if place]
    main()
