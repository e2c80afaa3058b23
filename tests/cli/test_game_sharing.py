"""`companion game share`, `game add` with a look before it, and `companion scan` with the codes of a page."""

from __future__ import annotations

import json
import random
import re
import sys
from pathlib import Path

import pypdfium2
import pytest
import zxingcpp
from click.testing import CliRunner, Result
from PIL import Image

from companion.archive import Archive
from companion.archive.exchange import page_codes, pages
from companion.cli.main import main
from companion.games import registry
from tests.archive import crowns
from tests.archive.crowns import ONE, TWO
from tests.bench.photos import qr

LIFE = registry.ready_text("life") or ""
VILLAIN = registry.ready_text("villain") or ""


@pytest.fixture(autouse=True)
def _another_process(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    crowns.forget()
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COMPANION_ARCHIVE", str(tmp_path / "own.sqlite"))


def companion(*words: str, typed: str = "") -> Result:
    crowns.forget()
    return CliRunner().invoke(main, words, input=typed)


def kept() -> list[str]:
    with Archive.open(None) as archive:
        return [f"{row.name} {row.edition}" for row in pages.pages(archive)]


def save_codes(*codes: str, name: str = "codes.png") -> str:
    """Save a picture with these codes, one below another."""
    squares = [qr(code) for code in codes]
    side = max(square.width for square in squares)
    picture = Image.new("L", (side, side * len(squares)), 255)
    for number, square in enumerate(squares):
        picture.paste(square, (0, number * side))
    picture.save(name)
    return name


def test_a_page_is_shared_as_the_file_that_it_is() -> None:
    shared = companion("game", "share", "life")
    assert (shared.exit_code, shared.output) == (
        0,
        "life.toml: the page of Duel with life totals; companion game add takes it in.\n",
    )
    assert Path("life.toml").read_text("utf-8") == LIFE
    assert companion("game", "share", "life").exit_code == 1, "an existing file is kept"
    assert companion("game", "share", "life", "-o", "-").stdout == LIFE
    Path("crown.toml").write_text(ONE, "utf-8")
    companion("game", "add", "crown.toml")
    assert companion("game", "share", "crown", "--output", "ours.toml").exit_code == 0
    assert Path("ours.toml").read_text("utf-8") == ONE


@pytest.mark.parametrize(
    ("words", "status", "sentence"),
    [
        (("decknforge",), 1, "is a program and no page"),
        (("nothing",), 2, "There is no game called “nothing”"),
        (("life", "-o", "life.png"), 2, "FILE.toml or, as QR codes to print, as FILE.pdf"),
        (("life", "-o", "life.pdf", "--codes"), 2, "not both"),
    ],
)
def test_what_cannot_be_shared_is_refused(words: tuple[str, ...], status: int, sentence: str) -> None:
    refused = companion("game", "share", *words)
    assert (refused.exit_code, sentence in refused.stderr) == (status, True)
    assert not [*Path().glob("life.*")]


@pytest.mark.parametrize(("paper", "sheets"), [("a4", 1), ("letter", 1), ("a5", 3), ("card", 6)])
def test_printed_codes_are_read_from_their_sheet(paper: str, sheets: int) -> None:
    shared = companion("game", "share", "villain", "-o", "villain.pdf", "--paper", paper)
    assert shared.output == "villain.pdf: Against the villain as 6 QR codes; companion scan reads them.\n"
    with pypdfium2.PdfDocument("villain.pdf") as document:
        assert len(document) == sheets
    read = companion("scan", "villain.pdf", "--adopt")
    assert (read.exit_code, "All 6 codes of the page are read." in read.stderr) == (0, True)
    assert "One to four heroes against a villain" in read.stdout
    assert kept() == ["villain 1"]


def test_codes_on_the_screen_are_read() -> None:
    text = companion("game", "share", "life", "--codes").stdout
    assert "Duel with life totals · 4 of 4" in text
    *blocks, end = re.split(r"Duel with life totals · \d of 4\n", text)
    assert [read_blocks(block) for block in blocks] == [*page_codes.write_codes(LIFE)]
    assert (end, max(map(len, text.splitlines())) <= 85) == ("", True)


def read_blocks(block: str) -> str:
    """Read the code that rows of half blocks show, black on white."""
    rows = block.splitlines()
    picture = Image.new("L", (len(rows[0]), 2 * len(rows)), 255)
    for y, row in enumerate(rows):
        for x, symbol in enumerate(row):
            for below, dark in enumerate(("▀█", "▄█")):
                picture.putpixel((x, 2 * y + below), 0 if symbol in dark else 255)
    larger = picture.resize((picture.width * 4, picture.height * 4), Image.Resampling.NEAREST)
    (code,) = zxingcpp.read_barcodes(larger)
    return code.text


def test_codes_are_read_from_several_pictures() -> None:
    codes = [*page_codes.write_codes(VILLAIN)]
    random.Random(2).shuffle(codes)
    first = save_codes(*codes[:2], name="first.png")
    second = save_codes(codes[1], *codes[2:], name="second.png")
    read = companion("scan", first)
    assert read.exit_code == 1
    assert "2 of 6 codes of the page are read; missing: " in read.stderr
    read = companion("scan", second, first)
    assert read.exit_code == 0
    assert "Against the villain, edition 1, for 1-4 players" in read.stdout
    assert "companion scan --adopt" in read.stdout
    assert companion("scan", second, first, "--adopt").exit_code == 0
    assert "is here already as" in companion("scan", second, first, "--adopt").stdout


def test_typed_codes_are_collected() -> None:
    codes = page_codes.write_codes(LIFE)
    read = companion("scan", "--adopt", typed="\n".join(reversed(codes)) + "\n")
    assert (read.exit_code, kept()) == (0, ["life 1"])
    assert "3 of 4 codes of the page are read; missing: 1." in read.stderr
    assert companion("scan", typed=f"{codes[0]}\n").exit_code == 1
    assert companion("scan", typed=f"{codes[0][:-6]}\n").exit_code == 1


def test_programs_read_each_code() -> None:
    file = save_codes(*page_codes.write_codes(ONE))
    rows = json.loads(companion("scan", file, "--json").stdout)
    assert [(row["found"], row["text"]) for row in rows] == [(True, page_codes.write_codes(ONE)[0])]


def test_a_scanned_page_with_faults_is_refused() -> None:
    file = save_codes(*page_codes.write_codes(ONE.replace('"<= 0"', '"dead"')))
    read = companion("scan", file, "--adopt")
    assert (read.exit_code, "“dead” is not a condition" in read.stderr) == (1, True)
    assert not kept()


def test_a_page_is_described_before_it_is_added() -> None:
    Path("crown.toml").write_text(ONE, "utf-8")
    added = companion("game", "add", "crown.toml")
    assert added.stderr.splitlines() == [
        "Crown by Ana, edition 1, for 2-6 players.",
        "Figures: Life.",
        "It keeps in your archive: the evenings that are played by it, and what follows.",
        "Decks whose cards are written on for ever, with 2 texts to choose from; it calls them “decks”.",
        "It is not here yet; its tables are called “crown”.",
    ]
    Path("crown.toml").write_text(TWO, "utf-8")
    assert "It takes the place of edition 1 for new tables." in companion("game", "add", "crown.toml").stderr
    Path("crown.toml").write_text(ONE, "utf-8")
    assert "This page is here already, as “crown”." in companion("game", "add", "crown.toml").stderr
    assert companion("game", "add", "crown.toml", "--json").stderr == ""


@pytest.mark.posix
@pytest.mark.slow
@pytest.mark.parametrize("answer", ["y", "n", ""])
def test_a_page_is_added_at_a_terminal_when_it_is_agreed(tmp_path: Path, answer: str) -> None:
    from tests.terminal import Terminal

    Path("crown.toml").write_text(ONE, "utf-8")
    with Terminal((sys.executable, "-m", "companion.cli", "game", "add", "crown.toml")) as terminal:
        terminal.until("It is not here yet")
        terminal.until("Take it in?")
        terminal.press(f"{answer}\r")
        assert terminal.ended() == (0 if answer == "y" else 1)
    assert bool((tmp_path / "own.sqlite").exists() and kept()) == (answer == "y")
    with Terminal((sys.executable, "-m", "companion.cli", "game", "add", "crown.toml", "--yes")) as terminal:
        assert terminal.ended() == 0
    assert kept() == ["crown 1"]
