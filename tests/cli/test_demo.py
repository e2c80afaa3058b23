"""`companion demo`: the whole main job, run as a program of its own, with real sheets and codes that are read back."""

import subprocess
import sys
from pathlib import Path

import pypdfium2
import pytest

from companion.archive import deck_id
from companion.scan import read

pytestmark = pytest.mark.slow

LISTS = Path(__file__).parents[2] / "templates" / "examples"


def demo(*arguments: str, cwd: Path) -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, "-m", "companion.cli", "demo", *arguments]
    return subprocess.run(command, cwd=cwd, capture_output=True, encoding="utf-8", timeout=120, check=False)


def test_the_demo_leads_from_bands_to_a_box_and_its_history(tmp_path: Path) -> None:
    result = demo("--out", "out", cwd=tmp_path)
    assert (result.returncode, result.stderr) == (0, "")
    assert {path.name for path in (tmp_path / "out").iterdir()} == {
        *("starter.pdf", "tonight.pdf", "boxes.pdf", "boxes.png")
    }
    for promise in (
        "Boss 6 of 6",
        "Outcome: Won.",
        "starter.pdf: 60 labels",
        "Grave Choir: Cross out Quick on 5♣",
        "Grave Choir: Stick Sharp on 5♣",
        "The history of Grave Choir, newest first.",
        "Ana won a dungeon with Ben and Cy, after 6 Bosses",
        "Ana founded Grave Choir with Tithe Collector",
    ):
        assert promise in result.stdout


@pytest.mark.slow
def test_the_codes_on_the_printed_boxes_are_those_of_the_bands(tmp_path: Path) -> None:
    result = demo("--out", "out", cwd=tmp_path)
    codes = {code.deck for code in read(tmp_path / "out" / "boxes.png")}
    ids = {line.split()[0] for line in result.stdout.splitlines() if ", by " in line and line.startswith("  ")}
    founded = {deck_id.parse(word) for word in ids if word.count("-") == 3}
    assert len(codes) == 3
    assert codes == founded
    with pypdfium2.PdfDocument(tmp_path / "out" / "starter.pdf") as starter:
        assert len(starter) == 1


@pytest.mark.sample(3)
@pytest.mark.parametrize(
    ("game", "promise"),
    [
        (
            "soulforger",
            """\
  Turn 17: Ben.
  Cy takes 2 (Ben Tide Spear): 28 → 30 of 30.
  Ben takes 2 (Dusk Dagger): 8 → 10 of 30.
  Ben Tide Spear turns Off-guard.
  Cy is out with 30 damage of 30 (R2.1).
  Ben wins.
""",
        ),
        (
            "oddfrontier",
            """\
  Turn 19: Ben.
  Ana Ruiz: life 9 − 16 = −7.
  Ana Ruiz has lost and leaves the game (R3.1).
  Ben has won.
  Outcome: Ben wins.
  Ana Ruiz: Life −7""",
        ),
        (
            "solforge",
            """\
  Lane 5: Fell Walker 15: Ana 11 → −4.
  Bramble Giant of Ana dies.
  Ben wins.
""",
        ),
    ],
)
def test_a_game_is_told_to_its_end(tmp_path: Path, game: str, promise: str) -> None:
    result = demo("--game", game, cwd=tmp_path)
    assert (result.returncode, result.stderr) == (0, "")
    assert promise in result.stdout
    assert "  Outcome: Ben wins.\n" in result.stdout


@pytest.mark.sample(3)
@pytest.mark.parametrize(
    ("game", "built", "history"),
    [
        ("soulforger", "Ana built Ember Court: 64 main, 5 forge, 3 gear.", "Ben (Tide Line) and Cy with version 1"),
        ("oddfrontier", "Ana Ruiz built Long Wall: 38 main.", "Ana Ruiz lost against Ben (Salt Tide) with version 1"),
        ("solforge", "Ana built Iron Grove: 30 main.", "Ana lost against Ben (Night Storm) with version 1"),
    ],
)
def test_decks_from_lists_are_played_sealed_printed_and_scanned(
    tmp_path: Path, game: str, built: str, history: str
) -> None:
    result = demo("--out", "out", "--game", game, cwd=tmp_path)
    assert (result.returncode, result.stderr) == (0, "")
    assert {path.name for path in (tmp_path / "out").iterdir()} == {
        *("starter.pdf", "decks.pdf", "tonight.pdf", "boxes.pdf", "boxes.png")
    }
    assert built in result.stdout
    assert history in result.stdout
    codes = {code.deck for code in read(tmp_path / "out" / "boxes.png")}
    with pypdfium2.PdfDocument(tmp_path / "out" / "tonight.pdf") as tonight:
        text = str(tonight[0].get_textpage().get_text_range())
    assert all(deck_id.show(deck) in text for deck in codes if deck)
    assert len(codes) == 2
    assert "v1 · 0 won · 1 lost" in text
    assert "v1 · 1 won · 0 lost" in text


@pytest.mark.parametrize("path", sorted(LISTS.glob("*/*.txt")), ids=lambda path: path.stem)
def test_the_lists_of_the_demo_are_decks_by_the_rules(path: Path) -> None:
    command = [sys.executable, "-m", "companion.cli", "deck", "check", str(path)]
    result = subprocess.run(command, capture_output=True, encoding="utf-8", timeout=60, check=False)
    assert (result.returncode, result.stdout, result.stderr) == (0, f"{path.stem} is a deck by the rules.\n", "")


def test_without_a_directory_nothing_stays_behind(tmp_path: Path) -> None:
    result = demo(cwd=tmp_path)
    assert result.returncode == 0
    assert list(tmp_path.iterdir()) == []


def test_a_file_in_the_place_of_the_directory_is_named(tmp_path: Path) -> None:
    (tmp_path / "out").write_text("mine", encoding="utf-8")
    result = demo("--out", "out", cwd=tmp_path)
    assert (result.returncode, result.stdout) == (2, "")
    assert result.stderr == "“out” is a file; --out names a directory.\n"
    assert (tmp_path / "out").read_text(encoding="utf-8") == "mine"


@pytest.mark.slow
def test_sheets_that_are_there_are_overwritten_with_force_only(tmp_path: Path) -> None:
    mine = tmp_path / "out" / "boxes.pdf"
    mine.parent.mkdir()
    mine.write_text("mine", encoding="utf-8")
    result = demo("--out", "out", cwd=tmp_path)
    assert (result.returncode, result.stdout) == (1, "")
    assert result.stderr == "“out/boxes.pdf” exists; give --force to overwrite it, or name another directory.\n"
    assert [path.name for path in mine.parent.iterdir()] == ["boxes.pdf"]
    assert mine.read_text(encoding="utf-8") == "mine"
    assert demo("--out", "out", "--force", cwd=tmp_path).returncode == 0
    assert mine.read_bytes().startswith(b"%PDF")
