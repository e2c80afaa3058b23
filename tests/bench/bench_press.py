"""How many sheets of 60 labels a second are printed, with and without QR codes, and what a long run weighs."""

import resource
import subprocess
import sys
import time
from collections.abc import Callable
from io import BytesIO

from companion.press.wording import starter
from labels import pdf, sheet, stocks
from labels.designs import BoxLabel, Inscription, Tier
from labels.geometry import MM
from tests.bench.figures import Figure

STOCK = stocks.find("18294")
SHEETS = 30
NAIVE_SHEETS = 2
LONG_RUN = 100


def figures() -> list[Figure]:
    """Sheets a second on one core, a naive program's for comparison, and the memory and size of a long run."""
    equal, plain = sheets_a_second(lambda: _print_starters(SHEETS)), sheets_a_second(lambda: _print_texts(SHEETS))
    codes = sheets_a_second(lambda: print_boxes(SHEETS))
    naive = sheets_a_second(lambda: _print_naively(NAIVE_SHEETS), NAIVE_SHEETS)
    memory, size = _long_run()
    return [
        Figure("print starter sheets", equal, "sheets/s", budget=120, at_least=True),
        Figure("print sheets of 60 different labels without QR codes", plain, "sheets/s", budget=120, at_least=True),
        Figure("print sheets of 60 different QR codes", codes, "sheets/s", budget=25, at_least=True),
        Figure("the same, beside reportlab and qrcode used naively", codes, "sheets/s", base=naive),
        Figure(f"memory to print {LONG_RUN} sheets of QR codes", memory, "MiB", budget=80),
        Figure(f"size of {LONG_RUN} sheets of QR codes", size, "MiB"),
    ]


def sheets_a_second(job: Callable[[], bytes], count: int = SHEETS) -> float:
    """The best of two runs of a job that prints `count` sheets; the first also loads the fonts."""
    taken = []
    for _ in range(2):
        start = time.perf_counter()
        job()
        taken.append(time.perf_counter() - start)
    return count / min(taken)


def _print_starters(count: int) -> bytes:
    return pdf.sheets(sheet.place(starter() * count, STOCK), STOCK, title="Bench")


def _print_texts(count: int) -> bytes:
    tier = Tier("Common", "●", "#4E5661")
    effect = "Revealed: the next wizard on your left draws"
    labels = [Inscription(f"Bright {number}", f"{effect} {number}.", tier) for number in range(count * STOCK.count)]
    return pdf.sheets(sheet.place(labels, STOCK), STOCK, title="Bench")


def print_boxes(count: int) -> bytes:
    """A run of `count` sheets on which no two labels are alike."""
    labels = [_box(number) for number in range(count * STOCK.count)]
    return pdf.sheets(sheet.place(labels, STOCK), STOCK, title="Bench")


def _box(number: int) -> BoxLabel:
    return BoxLabel(f"Band {number}", f"7K3M-9{number:07}-5", f"DECK:7K3M9{number:07}5", (f"Glory {number}",))


def _print_naively(count: int) -> bytes:
    """What a quick script does: a picture of each code, and text in a standard font."""
    import qrcode
    from reportlab.lib.utils import ImageReader
    from reportlab.pdfgen.canvas import Canvas

    file = BytesIO()
    canvas = Canvas(file, pagesize=STOCK.page_size)
    for page in range(count):
        for position in range(1, STOCK.count + 1):
            label, die = _box(page * STOCK.count + position), STOCK.box(position)
            code = qrcode.make(label.payload).get_image()
            canvas.drawImage(ImageReader(code), die.x, die.y, die.height, die.height)
            for line, text in enumerate((label.title, *label.notes, label.shown_id)):
                canvas.drawString(die.x + die.height, die.top - (4 + 3 * line) * MM, text)
        canvas.showPage()
    canvas.save()
    return file.getvalue()


def _long_run() -> tuple[float, float]:
    """Peak memory and file size in MiB of a long run in a process of its own."""
    told = subprocess.run([sys.executable, "-m", __name__], capture_output=True, text=True, check=True).stdout
    memory, size = told.split()
    return float(memory), float(size)


if __name__ == "__main__":
    printed = len(print_boxes(LONG_RUN))
    print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024, printed / 2**20)
