"""`companion game share`, `game add` with a look before it, and `companion scan` with the codes of a page."""

from __future__ import annotations

import json
import random
import sys
from pathlib import Path

import pypdfium2
import pytest
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


def run(*words: str, typed: str = "") -> Result:
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
    shared = run("game", "share", "life")
    assert (shared.exit_code, shared.output) == (
        0,
        "life.toml: the page of Duel with life totals; companion game add takes it in.\n",
    )
    assert Path("life.toml").read_text("utf-8") == LIFE
    assert run("game", "share", "life").exit_code == 1, "an existing file is kept"
    assert run("game", "share", "life", "-o", "-").stdout == LIFE
    Path("crown.toml").write_text(ONE, "utf-8")
    run("game", "add", "crown.toml")
    assert run("game", "share", "crown", "--output", "ours.toml").exit_code == 0
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
    refused = run("game", "share", *words)
    assert (refused.exit_code, sentence in refused.stderr) == (status, True)
    assert not [*Path().glob("life.*")]


@pytest.mark.parametrize(("paper", "sheets"), [("a4", 1), ("letter", 1), ("a5", 3), ("card", 6)])
def test_printed_codes_are_read_from_their_sheet(paper: str, sheets: int) -> None:
    shared = run("game", "share", "villain", "-o", "villain.pdf", "--paper", paper)
    assert shared.output == "villain.pdf: Against the villain as 6 QR codes; companion scan reads them.\n"
    with pypdfium2.PdfDocument("villain.pdf") as document:
        assert len(document) == sheets
    read = run("scan", "villain.pdf", "--adopt")
    assert (read.exit_code, "All 6 codes of the page are read." in read.stderr) == (0, True)
    assert "One to four heroes against a villain" in read.stdout
    assert kept() == ["villain 1"]


def test_codes_on_the_screen_are_read() -> None:
    shown = run("game", "share", "life", "--codes").stdout
    assert "Duel with life totals · 4 of 4" in shown
    rows = [row for row in shown.split("\n") if "·" not in row]
    assert max(map(len, rows)) <= 85


def test_codes_are_read_from_several_pictures() -> None:
    codes = [*page_codes.write(VILLAIN)]
    random.Random(2).shuffle(codes)
    first = save_codes(*codes[:2], name="first.png")
    second = save_codes(codes[1], *codes[2:], name="second.png")
    read = run("scan", first)
    assert read.exit_code == 1
    assert "2 of 6 codes of the page are read; missing: " in read.stderr
    read = run("scan", second, first)
    assert read.exit_code == 0
    assert "Against the villain, edition 1, for 1-4 players" in read.stdout
    assert "companion scan --adopt" in read.stdout
    assert run("scan", second, first, "--adopt").exit_code == 0
    assert "is here already as" in run("scan", second, first, "--adopt").stdout


def test_typed_codes_are_collected() -> None:
    codes = page_codes.write(LIFE)
    read = run("scan", "--adopt", typed="\n".join(reversed(codes)) + "\n")
    assert (read.exit_code, kept()) == (0, ["life 1"])
    assert "3 of 4 codes of the page are read; missing: 1." in read.stderr
    assert run("scan", typed=f"{codes[0]}\n").exit_code == 1
    assert run("scan", typed=f"{codes[0][:-6]}\n").exit_code == 1


def test_programs_read_each_code() -> None:
    file = save_codes(*page_codes.write(ONE))
    rows = json.loads(run("scan", file, "--json").stdout)
    assert [(row["found"], row["text"]) for row in rows] == [(True, page_codes.write(ONE)[0])]


def test_a_scanned_page_with_faults_is_refused() -> None:
    file = save_codes(*page_codes.write(ONE.replace('"<= 0"', '"dead"')))
    read = run("scan", file, "--adopt")
    assert (read.exit_code, "“dead” is not a condition" in read.stderr) == (1, True)
    assert not kept()


def test_a_page_is_described_before_it_is_added() -> None:
    Path("crown.toml").write_text(ONE, "utf-8")
    added = run("game", "add", "crown.toml")
    assert added.stderr.splitlines() == [
        "Crown by Ana, edition 1, for 2-6 players.",
        "Figures: Life.",
        "It keeps in your archive: the evenings that are played by it, and what follows.",
        "Decks whose cards are written on for ever, with 2 texts to choose from; it calls them “decks”.",
        "It is not here yet; its tables are called “crown”.",
    ]
    Path("crown.toml").write_text(TWO, "utf-8")
    assert "It takes the place of edition 1 for new tables." in run("game", "add", "crown.toml").stderr
    Path("crown.toml").write_text(ONE, "utf-8")
    assert "This page is here already, as “crown”." in run("game", "add", "crown.toml").stderr
    assert run("game", "add", "crown.toml", "--json").stderr == ""


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
