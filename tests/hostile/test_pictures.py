"""Hostile pictures and PDFs end in a sentence, by every way in: `python -m tests.hostile 300` tries many more."""

from __future__ import annotations

import contextlib
import io
import os
import random
import signal
import stat
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import pytest

from companion.archive import Archive, deck_id
from companion.scan import CodeKind, PictureError, read
from tests.bench.photos import qr
from tests.hostile import pictures
from tests.hostile.files import HostileFile, Way, hostile_files, kinds
from tests.terminal import Terminal

BOX = deck_id.payload(deck_id.EXAMPLE)
WAYS = ("shell", "deck", "label", "screen", "phone")

pytestmark = [pytest.mark.posix, pytest.mark.slow]


@pytest.fixture(scope="module")
def ways(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Mapping[str, Way]]:
    """Every way in."""
    with pictures.ways(tmp_path_factory.mktemp("ways")) as opened:
        yield opened


def file_of(folder: Path, content: bytes, name: str = "photo.jpg") -> Path:
    """A file in that folder."""
    path = folder / name
    path.write_bytes(content)
    return path


@pytest.fixture
def interpreter(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A `gs` that leaves a file where it is started."""
    trace, folder = tmp_path / "started", tmp_path / "bin"
    folder.mkdir()
    program = file_of(folder, f"#!/bin/sh\ntouch {trace}\n".encode(), "gs")
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setenv("PATH", f"{folder}{os.pathsep}{os.environ['PATH']}")
    return trace


@pytest.mark.parametrize("way", WAYS)
def test_postscript_called_a_photo_starts_no_program(
    ways: Mapping[str, Way], way: str, tmp_path: Path, interpreter: Path
) -> None:
    output = ways[way](file_of(tmp_path, pictures.postscript()))
    assert "is not a picture that can be read here" in output or "is no picture that can be printed" in output
    assert not interpreter.exists()


@pytest.mark.parametrize("way", WAYS)
def test_a_bomb_is_refused_in_a_sentence(ways: Mapping[str, Way], way: str, tmp_path: Path) -> None:
    output = ways[way](file_of(tmp_path, pictures.see_through(40_000, 40_000)))
    assert "million pixels" in output
    assert "save it smaller" in output


@pytest.mark.parametrize("way", ["shell", "deck", "screen"])
def test_nested_forms_are_refused_in_a_sentence(ways: Mapping[str, Way], way: str, tmp_path: Path) -> None:
    content = pictures.nested_forms(14, 10)
    assert len(content) < 4600
    began = time.monotonic()
    output = ways[way](file_of(tmp_path, content, "sheet.pdf"))
    assert "takes more room or time than a picture may; save it smaller" in output
    assert time.monotonic() - began < 60


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (pictures.round_tree(5), "is a damaged picture"),
        (pictures.round_tree(2_000_000_000), "is a PDF that cannot be opened"),
        (pictures.form_in_itself(), "takes more room or time"),
        (pictures.wordy(b"zTXt", 900_000, 90), "is a damaged picture"),
        (pictures.wordy(b"iCCP", 200_000_000, 1), "is a damaged picture"),
        (pictures.large_jpeg(65_500, 65_500), "is larger than 120 million pixels"),
        (pictures.see_through(7200, 7000), "is larger than 28 million pixels"),
        (pictures.png(8, 8, rows=b""), "is a damaged picture"),
        (b"", "is not a picture that can be read here"),
    ],
    ids=range(9),
)
def test_what_cannot_be_read_is_refused_by_name(tmp_path: Path, content: bytes, says: str) -> None:
    path = file_of(tmp_path, content)
    with pytest.raises(PictureError) as refusal:
        read(path)
    assert str(refusal.value).startswith(f"“{path}” {says}")
    assert "\n" not in str(refusal.value)


@pytest.mark.parametrize(
    "content",
    [pictures.frames(5_000), pictures.tiff(5_000), pictures.tiff(60, loop=True), pictures.many_pages(100_000)],
    ids=["GIF", "TIFF", "round TIFF", "PDF"],
)
def test_of_thousands_of_pictures_forty_are_looked_at(tmp_path: Path, content: bytes) -> None:
    codes = read(file_of(tmp_path, content))
    assert [code.kind for code in codes] == [CodeKind.NOTHING, CodeKind.UNSEEN]
    assert "Only the first 40 of its" in str(codes[1].problem)


def test_an_exif_that_lies_does_no_harm(tmp_path: Path) -> None:
    for seed in range(4):
        assert read(file_of(tmp_path, pictures.exif(random.Random(seed))))[0].kind is CodeKind.DECK


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "GIF", "WEBP", "TIFF", "BMP", "PDF"])
def test_cut_short_anywhere_it_is_read_or_refused(tmp_path: Path, kind: str) -> None:
    whole = io.BytesIO()
    qr(BOX).convert("RGB").save(whole, kind)
    size = len(whole.getvalue())
    for length in range(0, size, max(1, size // 12)):
        path = file_of(tmp_path, whole.getvalue()[:length])
        with contextlib.suppress(PictureError):
            assert {code.deck for code in read(path)} <= {deck_id.EXAMPLE, None}


@pytest.mark.slow
def test_what_the_other_pages_show_stays(tmp_path: Path) -> None:
    codes = read(file_of(tmp_path, pictures.some_nested_pages(2, 2, qr(BOX))))
    assert [code.kind for code in codes] == [CodeKind.DECK, CodeKind.UNREAD]
    assert codes[1].problem == (
        "2 of its 4 pages or pictures took too much room or time, or were skipped (the first is number 3): "
        "take a photo of each instead."
    )


def test_the_rest_is_told_with_a_status_of_its_own(ways: Mapping[str, Way], tmp_path: Path) -> None:
    output = ways["shell"](file_of(tmp_path, pictures.some_nested_pages(1, 1, qr(BOX)), "two.pdf"))
    assert "one of ours, but not in this archive" in output
    assert "1 of its 2 pages or pictures took too much room or time" in output


@pytest.mark.slow
def test_after_three_pages_that_take_too_much_the_rest_is_left(tmp_path: Path) -> None:
    began = time.monotonic()
    codes = read(file_of(tmp_path, pictures.some_nested_pages(1, 39, qr(BOX))))
    assert "39 of its 40 pages" in str(codes[1].problem)
    assert time.monotonic() - began < 60


def test_ctrl_c_ends_a_long_file_and_what_was_found_is_told(tmp_path: Path) -> None:
    slow = file_of(tmp_path, pictures.some_nested_pages(1, 39, qr(BOX), levels=7), "slow.pdf")
    Archive.open(str(tmp_path / "a.sqlite")).close()
    command = [sys.executable, "-m", "companion.cli", "scan", "--archive", str(tmp_path / "a.sqlite"), str(slow)]
    with Terminal(command) as terminal:
        terminal.until("  2%")
        os.kill(terminal._process.pid, signal.SIGINT)
        assert terminal.ended() == 1
        output = "".join(terminal.standing)
    assert "one of ours, but not in this archive" in output
    assert "of its 40 pages or pictures took too much room or time, or were skipped" in output
    assert "Stopped." in output


def peak_of(program: str) -> tuple[int, float]:
    """Megabytes and seconds of CPU that the largest child of a program took, measured where nothing else runs."""
    measured = (
        f"import resource, sys; {program}\n"
        "from companion.scan import reader; reader._SANDBOX.close()\n"
        "used = resource.getrusage(resource.RUSAGE_CHILDREN)\n"
        "print(used.ru_maxrss >> 10, used.ru_utime + used.ru_stime)"
    )
    done = subprocess.run([sys.executable, "-c", measured], capture_output=True, encoding="utf-8", check=True)
    megabytes, seconds = done.stdout.split()
    return int(megabytes), float(seconds)


@pytest.mark.parametrize("make", [lambda: pictures.nested_forms(14, 10), lambda: pictures.see_through(5_300, 5_300)])
def test_a_page_takes_ten_seconds_and_half_a_gigabyte(tmp_path: Path, make: Callable[[], bytes]) -> None:
    path = file_of(tmp_path, make())
    megabytes, seconds = peak_of(
        f"from companion.scan import read, PictureError\ntry: read({str(path)!r})\nexcept PictureError: pass"
    )
    assert megabytes <= 512
    assert seconds <= 11


@pytest.mark.slow
def test_a_sample_of_all_kinds_ends_in_a_sentence() -> None:
    # In a program of its own: children of other tests would count as those of a file.
    command = [sys.executable, "-m", "tests.hostile", "8", "--seed", "22", "--way", "shell", "--way", "label"]
    done = subprocess.run(command, cwd=Path(__file__).parents[2], capture_output=True, encoding="utf-8", check=False)
    assert (done.returncode, done.stderr) == (0, ""), done.stdout
    assert "0 broke something" in done.stdout


def test_the_same_seed_makes_the_same_files() -> None:
    quick = 3
    assert [*hostile_files(7, quick)] == [*hostile_files(7, quick)]
    assert [file.content for file in hostile_files(7, quick)] != [file.content for file in hostile_files(8, quick)]
    assert all(isinstance(file, HostileFile) and file.kind in kinds() for file in hostile_files(7, quick))
