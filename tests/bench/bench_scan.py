"""How many photographs of boxes are read, kind by kind, by ours and by other readers, and how long that takes.

First those in one trouble after the other, then those that hands make of them. SCAN_SEEDS names other seeds than those
here, on which nobody tuned the reader. The tables of all kinds stand on stderr.
"""

import os
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from statistics import mean
from typing import Any, NamedTuple

import numpy as np
import zxingcpp
from PIL import Image

from companion.scan.picture import read_codes
from tests.bench import handheld
from tests.bench.figures import Figure
from tests.bench.photos import KINDS, Photo, photo

SEEDS = (os.environ.get("SCAN_SEEDS") or "101,102,103").split(",")
EACH = 9
"""Pictures of a kind from each seed, from easy to what a person can just still make out."""

OF_A_KIND = 25
"""Handheld photographs of a kind, from the last seed."""
HARDEST = ("at a slant", "in motion", "crumpled")

_QR = zxingcpp.BarcodeFormats(zxingcpp.BarcodeFormat.QRCode)
Reader = Callable[[Image.Image], set[str]]


class Outcome(NamedTuple):
    """What one reader made of one picture."""

    kind: str
    right: bool
    wrong: bool
    seconds: float


def figures() -> list[Figure]:
    """What is read of all pictures, and of each kind beside the best of the others."""
    return [*_troubled(), *_handheld()]


def _troubled() -> Iterator[Figure]:
    outcomes = _outcomes(_photos())
    print(outcome_table(outcomes), file=sys.stderr)
    ours, others = outcomes["ours"], {name: each for name, each in outcomes.items() if name != "ours"}
    behind = [kind for kind in KINDS if any(_read(ours, kind) < _read(each, kind) for each in others.values())]
    taken = sorted(1000 * outcome.seconds for outcome in ours)
    yield Figure("photographs of boxes that are read", _read(ours), "%", budget=97, at_least=True)
    for name, each in others.items():
        yield Figure(f"the same, beside {name}", _read(ours), "%", base=_read(each))
    yield Figure("kinds of trouble in which another reader is ahead", len(behind), "kinds", budget=0)
    yield Figure("photographs that are read wrong", sum(outcome.wrong for outcome in ours), "pictures", budget=0)
    yield Figure("reading a photograph, on average", mean(taken), "ms", budget=15)
    yield Figure("reading a photograph, 95 in 100", _at(taken, 0.95), "ms", budget=60)
    yield Figure("reading a photograph, the slowest", taken[-1], "ms", budget=1000)


def _handheld() -> Iterator[Figure]:
    kinds = (*handheld.KINDS, handheld.SEVERAL)
    outcomes = _outcomes(
        (kind, handheld.photo_in_hand(kind, f"{SEEDS[-1]} {number}", number / (OF_A_KIND - 1)))
        for kind in kinds
        for number in range(OF_A_KIND)
    )
    print(outcome_table(outcomes, kinds), file=sys.stderr)
    ours = outcomes["ours"]
    taken = sorted(1000 * outcome.seconds for outcome in ours)
    yield Figure("handheld photographs that are read", _read(ours), "%", budget=95, at_least=True)
    for name, each in outcomes.items():
        if name != "ours":
            yield Figure(f"the same, beside {name}", _read(ours), "%", base=_read(each))
    for kind in HARDEST:
        yield Figure(f"of these {kind}", _read(ours, kind), "%", budget=92, at_least=True)
    yield Figure("handheld photographs that are read wrong", sum(each.wrong for each in ours), "pictures", budget=0)
    yield Figure("reading a handheld photograph, on average", mean(taken), "ms", budget=60)
    yield Figure("reading a handheld photograph, 95 in 100", _at(taken, 0.95), "ms", budget=250)


def _outcomes(photos: Iterator[tuple[str, Photo]]) -> dict[str, list[Outcome]]:
    """What each reader made of each picture."""
    outcomes = {name: list[Outcome]() for name in READERS}
    for kind, picture in photos:
        for name, reader in READERS.items():
            outcomes[name].append(_outcome(kind, picture, reader))
    return outcomes


def outcome_table(outcomes: dict[str, list[Outcome]], kinds: Iterable[str] = tuple(KINDS)) -> str:
    """For each kind of trouble, what each reader reads and how long it takes; at the end over all."""
    lines = [" " * 28 + "".join(f"{name:>28}" for name in outcomes)]
    lines.append(" " * 28 + "read wrong  mean  p95 worst".rjust(28) * len(outcomes))
    for kind in (*kinds, ""):
        cells = [_cells([each for each in judged if kind in ("", each.kind)]) for judged in outcomes.values()]
        lines.append(f"{kind or 'all':28}" + "".join(cell.rjust(28) for cell in cells))
    return "\n".join(lines)


def _cells(outcomes: list[Outcome]) -> str:
    taken = sorted(1000 * each.seconds for each in outcomes)
    wrong = sum(each.wrong for each in outcomes)
    return f"{_read(outcomes):3.0f}% {wrong:5} {mean(taken):5.1f} {_at(taken, 0.95):4.0f} {taken[-1]:5.0f}"


def _photos() -> Iterator[tuple[str, Photo]]:
    for kind in KINDS:
        for seed in SEEDS:
            for number in range(EACH):
                yield kind, photo(kind, f"{seed} {number}", number / (EACH - 1))


def _outcome(kind: str, photo: Photo, reader: Reader) -> Outcome:
    started = time.process_time()
    texts = reader(photo.picture)
    seconds = time.process_time() - started
    return Outcome(kind, texts >= photo.texts, bool(texts - photo.texts), seconds)


def _read(outcomes: list[Outcome], kind: str = "") -> float:
    return 100 * mean(each.right for each in outcomes if kind in ("", each.kind))


def _at(taken: list[float], share: float) -> float:
    return taken[min(len(taken) - 1, int(share * len(taken)))]


def _ours(picture: Image.Image) -> set[str]:
    return set(read_codes(picture)[0])


def _zxing(picture: Image.Image) -> set[str]:
    return {code.text for code in zxingcpp.read_barcodes(picture, _QR)}


def _pyzbar(picture: Image.Image) -> set[str]:
    from pyzbar import pyzbar

    return {code.data.decode(errors="replace") for code in pyzbar.decode(picture, symbols=[pyzbar.ZBarSymbol.QRCODE])}


def _opencv(picture: Image.Image) -> set[str]:
    import cv2

    try:
        texts: Any = cv2.QRCodeDetector().detectAndDecodeMulti(np.asarray(picture))[1]
    except cv2.error:
        # It fails on some pictures instead of reading nothing.
        return set()
    return {text for text in texts or () if text}


def _runs(reader: Reader) -> bool:
    """Whether a reader is installed with all it needs: pyzbar also needs the library zbar."""
    try:
        reader(Image.new("L", (30, 30), 255))
    except ImportError:
        return False
    return True


_ALL = {"ours": _ours, "zxing": _zxing, "pyzbar": _pyzbar, "opencv": _opencv}
READERS: dict[str, Reader] = {name: reader for name, reader in _ALL.items() if _runs(reader)}
