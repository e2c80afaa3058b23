"""How many sheets of 60 labels a second are printed, with and without QR codes, and what a run weighs and takes.

A label that occurs again is drawn once and then stamped; sheets of different labels show what drawing takes.
"""

import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from companion.archive import Archive
from companion.games import registry
from companion.printing.wording import starter_labels
from labels.designs import BoxLabel, EffectLabel, TierMark
from labels.output import pdf
from labels.paper import sheet, stocks
from labels.paper.sheet import Label
from tests.archive import bands
from tests.bench.bench_commands import quickest
from tests.bench.figures import Figure

STOCK = stocks.find("18294")
SHEETS = 30
LONG_RUN = 100
BOXES = 24


def figures() -> list[Figure]:
    """Sheets a second on all cores and on one beside other programs, memory and size of a long run, whole commands."""
    texts, codes = _by_the_clock(_texts(LONG_RUN)), _by_the_clock(_boxes(LONG_RUN))
    alone = sheets_a_second(lambda: print_boxes(SHEETS))
    one = len(print_boxes(2)) / 2
    memory, size = _long_run()
    return [
        Figure(
            "print starter sheets, each label drawn once and stamped", _stamped(), "sheets/s", budget=120, at_least=True
        ),
        Figure("print sheets of 60 different labels without QR codes", texts, "sheets/s", budget=250, at_least=True),
        Figure("print sheets of 60 different QR codes", codes, "sheets/s", budget=120, at_least=True),
        Figure("the same on one core", alone, "sheets/s"),
        *(figure for other in _others() for figure in _beside(other, alone, one)),
        Figure(f"memory to print {LONG_RUN} sheets of QR codes", memory, "MiB", budget=80),
        Figure(f"size of {LONG_RUN} sheets of QR codes", size, "MiB"),
        *_commands(),
    ]


def _by_the_clock(labels: list[Label]) -> float:
    """Sheets of these labels a second on all cores, the best of five runs."""
    run, taken = sheet.place_labels(labels, STOCK), []
    for _ in range(5):
        started = time.perf_counter()
        pdf.render_sheets(run, STOCK, pdf.Setup("Bench"), cores=pdf.available_cores())
        taken.append(time.perf_counter() - started)
    return len(run) / min(taken)


def _commands() -> list[Figure]:
    """Whole processes, from the shell to the finished file."""
    with tempfile.TemporaryDirectory() as folder:
        place, output = str(Path(folder, "archive.sqlite")), str(Path(folder, "labels.pdf"))
        with Archive.open(place, by="bench") as archive:
            for number in range(BOXES):
                bands.found_band(archive, f"band-{number}", f"wizard-{number}")
        labels = (sys.executable, "-m", "companion.cli", "labels")
        force = ("-o", output, "--force")
        commands = [(*labels, "starter", *force), (*labels, "box", "--all", *force, "--archive", place)]
        one, boxes = quickest(commands)
    return [
        Figure("companion labels starter", one, "ms", budget=200),
        Figure(f"companion labels box --all, {BOXES} decks", boxes, "ms", budget=300),
    ]


class Other(NamedTuple):
    """Another program: sheets of 60 QR codes that it prints in a second, and the bytes of one."""

    name: str
    speed: float
    size: float


def _others() -> list[Other]:
    """The other programs that are installed, here or for the Python that OTHERS names."""
    python = os.environ.get("OTHERS") or sys.executable
    script = Path(__file__).with_name("others.py")
    output = subprocess.run([python, "-I", str(script)], capture_output=True, encoding="utf-8", check=True).stdout
    lines = (line.split("\t") for line in output.splitlines())
    return [Other(name, float(speed), float(size)) for name, speed, size in lines]


def _beside(other: Other, speed: float, size: float) -> tuple[Figure, Figure]:
    return (
        Figure(f"the same, beside {other.name}", speed, "sheets/s", base=other.speed),
        Figure(f"size of such a sheet, beside {other.name}", size / 1024, "KiB", base=other.size / 1024),
    )


def sheets_a_second(job: Callable[[], bytes], count: int = SHEETS) -> float:
    """The best of three runs of a job that prints `count` sheets, by the seconds of one core; the first loads fonts."""
    taken = []
    for _ in range(3):
        start = time.process_time()
        job()
        taken.append(time.process_time() - start)
    return count / min(taken)


def _stamped() -> float:
    run = sheet.place_labels(starter_labels(registry.game("decknforge")) * SHEETS, STOCK)
    return sheets_a_second(lambda: pdf.render_sheets(run, STOCK, pdf.Setup("Bench")))


def _texts(count: int) -> list[Label]:
    tier = TierMark("Common", "●", "#4E5661")
    effect = "Revealed: the next wizard on your left draws"
    return [EffectLabel(f"Bright {number}", f"{effect} {number}.", tier) for number in range(count * STOCK.count)]


def print_boxes(count: int) -> bytes:
    """A run of `count` sheets on which no two labels are alike."""
    return pdf.render_sheets(sheet.place_labels(_boxes(count), STOCK), STOCK, pdf.Setup("Bench"))


def _boxes(count: int) -> list[Label]:
    return [_box(number) for number in range(count * STOCK.count)]


def _box(number: int) -> BoxLabel:
    return BoxLabel(f"Band {number}", f"7K3M-9{number:07}-5", f"DECK:7K3M9{number:07}5", (f"Glory {number}",))


def _long_run() -> tuple[float, float]:
    """Peak memory and file size in MiB of a long run in a process of its own."""
    output = subprocess.run([sys.executable, "-m", __name__], capture_output=True, encoding="utf-8", check=True).stdout
    memory, size = output.split()
    return float(memory), float(size)


def _peak() -> int:
    """The most memory that this program has had, in KiB; the kernel's other figure would include whoever started it."""
    status = Path("/proc/self/status")
    if not status.exists():
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return int(
        next(line.split()[1] for line in status.read_text(encoding="utf-8").splitlines() if line.startswith("VmHWM"))
    )


if __name__ == "__main__":
    printed = len(print_boxes(LONG_RUN))
    print(_peak() / 1024, printed / 2**20)
