"""`companion scan`: pictures and typed ids lead to records; everything else is told apart, with the right status."""

import contextlib
import json
import sqlite3
import sys
from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np
import pytest
from click.testing import CliRunner, Result
from PIL import Image

from companion.archive import Archive, deck_id
from companion.cli.main import main
from tests.archive.keepsake import Founded, Played, Retired
from tests.bench.photos import photo, qr
from tests.terminal import Terminal

STRANGER = deck_id.EXAMPLE


@pytest.fixture
def place(tmp_path: Path) -> str:
    """An archive that is empty yet."""
    Archive.open(str(tmp_path / "archive.sqlite")).close()
    return str(tmp_path / "archive.sqlite")


@pytest.fixture
def choir(place: str) -> str:
    """A deck of some renown in the archive."""
    with Archive.open(place) as archive:
        deck = archive.found_deck("keepsake", [Founded("Grave Choir", holder="Ana")])
        archive.mark(deck, 2, [Played(glory=3), Played(glory=1)])
    return deck


@pytest.fixture
def picture(tmp_path: Path) -> Callable[[str], str]:
    """Saves a sharp picture of a code and gives its path."""

    def save(text: str) -> str:
        path = tmp_path / f"{sum(1 for _ in tmp_path.glob('*.png'))}.png"
        qr(text).save(path)
        return str(path)

    return save


@pytest.fixture
def scan(place: str) -> Callable[..., Result]:
    """Runs `companion scan` on the archive."""

    def run(*arguments: str, typed: str | bytes = "") -> Result:
        return CliRunner().invoke(main, ["scan", "--archive", place, *arguments], input=typed)

    return run


def test_a_photo_of_a_box_opens_its_record(scan: Callable[..., Result], choir: str, tmp_path: Path) -> None:
    path = tmp_path / "box.jpg"
    photo("blurred", 1, 0.6, f"DECK:{choir}").picture.save(path)
    result = scan(str(path))
    assert (result.exit_code, result.stderr) == (0, "")
    record, *story = result.stdout.splitlines()
    assert record == (f"{path}: Grave Choir ({deck_id.show(choir)}), Keepsake, Glory 4, Dungeons 2, held by Ana")
    assert [line.split()[-1] for line in story] == ["founded", "played", "played"]


def test_only_the_end_of_a_long_story_is_shown(scan: Callable[..., Result], place: str, choir: str) -> None:
    with Archive.open(place) as archive:
        archive.mark(choir, 4, [*[Played(glory=0)] * 8, Retired()])
    result = scan(typed=choir)
    assert "Dungeons 10" in result.stdout
    assert "retired" in result.stdout.splitlines()[0]
    assert len(result.stdout.splitlines()) == 7
    assert f"companion deck history {deck_id.show(choir)}" in result.stdout.splitlines()[-1]


def test_json_of_a_box_has_the_four_promised_fields(
    scan: Callable[..., Result], choir: str, picture: Callable[[str], str]
) -> None:
    path = picture(f"DECK:{choir}")
    result = scan("--json", path)
    assert result.exit_code == 0
    assert json.loads(result.stdout) == [
        {"source": path, "text": f"DECK:{choir}", "deck": choir, "found": True},
    ]


def test_what_leads_to_no_deck_is_told_apart_and_ends_with_1(
    scan: Callable[..., Result], choir: str, picture: Callable[[str], str], tmp_path: Path
) -> None:
    slip = choir[:-1] + ("0" if choir[-1] != "0" else "1")
    blank = tmp_path / "blank.png"
    Image.new("L", (300, 300), 180).save(blank)
    sources = [picture(f"DECK:{slip}"), picture("https://example.org"), picture(f"DECK:{STRANGER}"), str(blank)]
    result = scan("--json", *sources)
    assert result.exit_code == 1
    seen = json.loads(result.stdout)
    assert [(one["source"], one["found"]) for one in seen] == [(source, False) for source in sources]
    assert [one["text"] for one in seen] == [f"DECK:{slip}", "https://example.org", f"DECK:{STRANGER}", None]
    assert [one["deck"] for one in seen] == [None, None, STRANGER, None]
    for one, says in zip(
        seen, ["check symbol", "Another program's QR code", "not in this archive", "No QR code"], strict=True
    ):
        assert says in one["problem"]
    assert result.stderr.splitlines() == [f"{one['source']}: {one['problem']}" for one in seen]


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (lambda path: path.write_text("not a picture", encoding="utf-8"), "not a picture"),
        (Path.mkdir, "is a directory"),
        (Path.exists, "does not exist"),
    ],
)
def test_what_is_no_picture_ends_with_2_and_others_are_read(
    scan: Callable[..., Result],
    choir: str,
    picture: Callable[[str], str],
    tmp_path: Path,
    make: Callable[[Path], object],
    says: str,
) -> None:
    make(tmp_path / "wrong.jpg")
    result = scan(str(tmp_path / "wrong.jpg"), picture(f"DECK:{choir}"))
    assert result.exit_code == 2
    assert says in result.stderr
    assert len(result.stderr.splitlines()) == 1
    assert "Grave Choir" in result.stdout


def test_a_strange_code_beside_a_box_is_told_and_harmless(
    scan: Callable[..., Result], choir: str, tmp_path: Path
) -> None:
    wall = Image.new("L", (800, 400), 110)
    wall.paste(qr(f"DECK:{choir}"), (40, 60))
    wall.paste(qr("WIFI:S:cellar;;", 6), (450, 60))
    wall.save(tmp_path / "wall.png")
    result = scan(str(tmp_path / "wall.png"))
    assert result.exit_code == 0
    assert "Grave Choir" in result.stdout
    assert "WIFI:S:cellar" in result.stderr


def test_ids_are_taken_as_typed_until_the_input_ends(scan: Callable[..., Result], choir: str) -> None:
    spellings = [deck_id.show(choir).lower(), f"DECK:{choir}", "", choir]
    result = scan("--json", typed="\n".join(spellings))
    assert result.exit_code == 0
    assert [(one["source"], one["deck"], one["found"]) for one in json.loads(result.stdout)] == [
        ("typed", choir, True)
    ] * 3


def test_after_a_typo_or_bytes_without_text_ids_are_read_on(scan: Callable[..., Result], choir: str) -> None:
    result = scan(typed=f"7K3M\n\xff\xfe\n{choir}\n".encode("latin-1"))
    assert result.exit_code == 1
    assert len(result.stderr.splitlines()) == 2
    assert "4 symbols" in result.stderr
    assert "Grave Choir" in result.stdout


@pytest.mark.posix
def test_on_a_terminal_it_asks_for_each_id(place: str) -> None:
    command = [sys.executable, "-m", "companion.cli", "scan", "--archive", place]
    with Terminal(command) as terminal:
        terminal.until("deck> ")
        terminal.press(f"{STRANGER}\n")
        terminal.until("not in this archive")
        terminal.until("deck> ")
        terminal.press("\x04")
        assert terminal.ended() == 1


def pages(path: Path, count: int, last: Image.Image) -> str:
    """An animation of so many pictures; only on the last there is something."""
    # Frames that are alike are kept as one.
    empty = [Image.new("L", last.size, 100 + number % 2 * 50) for number in range(count - 1)]
    empty[0].save(path, save_all=True, append_images=[*empty[1:], last], duration=100)
    return str(path)


@pytest.mark.slow
@pytest.mark.posix
def test_on_a_terminal_a_bar_shows_progress_over_many_pages(place: str, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "companion.cli", "scan", "--archive", place]
    few, many = (pages(tmp_path / f"{count}.gif", count, qr(f"DECK:{STRANGER}")) for count in (3, 12))
    with Terminal([*command, few]) as terminal:
        assert terminal.ended() == 1
        assert "Pages" not in terminal.text
    with Terminal([*command, many]) as terminal:
        assert terminal.ended() == 1
        assert any(line.startswith("Pages") and "100%" in line for line in terminal.standing)
        assert "not in this archive" in terminal.standing[-1]


def test_pages_beyond_the_fortieth_are_skipped_and_told(
    scan: Callable[..., Result], choir: str, tmp_path: Path
) -> None:
    sentence = "Only the first 40 of its 41 pages or pictures were looked at"
    result = scan(pages(tmp_path / "long.gif", 41, qr(f"DECK:{choir}")))
    assert (result.exit_code, result.stdout) == (1, "")
    assert "No QR code" in result.stderr.splitlines()[0]
    assert sentence in result.stderr.splitlines()[1]
    whole = scan(pages(tmp_path / "whole.gif", 40, qr(f"DECK:{choir}")))
    assert (whole.exit_code, whole.stderr) == (0, "")


def test_a_deck_on_the_first_of_too_many_pages_is_enough(
    scan: Callable[..., Result], choir: str, tmp_path: Path
) -> None:
    code = qr(f"DECK:{choir}")
    frames = [code, *(Image.new("L", code.size, 100 + number % 2 * 50) for number in range(40))]
    code.save(tmp_path / "long.gif", save_all=True, append_images=frames[1:], duration=100)
    result = scan(str(tmp_path / "long.gif"))
    assert result.exit_code == 0
    assert "Grave Choir" in result.stdout
    assert "Only the first 40 of its 41" in result.stderr


def test_a_box_of_another_home_comes_with_ways_to_take_it_in(
    scan: Callable[..., Result], picture: Callable[[str], str]
) -> None:
    result = scan(picture(f"DECK:{STRANGER}"))
    assert result.exit_code == 1
    assert "one of ours, but not in this archive" in result.stderr
    assert "companion deck import" in result.stderr
    assert "--adopt" in result.stderr


@pytest.fixture
def clip(tmp_path: Path, choir: str) -> str:
    """A film of the deck's box."""
    path = str(tmp_path / "clip.avi")
    table = Image.new("RGB", (640, 480), "grey")
    table.paste(qr(f"DECK:{choir}", 6), (200, 100))
    writer = cv2.VideoWriter(path, cv2.VideoWriter.fourcc(*"MJPG"), 10, table.size)
    for _ in range(4):
        writer.write(np.asarray(table))
    writer.release()
    return path


def test_a_camera_reads_a_box_once_as_soon_as_frames_agree(scan: Callable[..., Result], clip: str, choir: str) -> None:
    result = scan("--camera", clip)
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout.count("Grave Choir") == 1
    assert [one["deck"] for one in json.loads(scan("--json", "--camera", clip).stdout)] == [choir]


@pytest.mark.posix
def test_on_a_terminal_what_the_camera_sees_is_shown(tmp_path: Path, clip: str) -> None:
    elsewhere = str(tmp_path / "elsewhere.sqlite")
    Archive.open(elsewhere).close()
    command = [sys.executable, "-m", "companion.cli", "scan", "--archive", elsewhere, "--camera", clip]
    with Terminal(command) as terminal:
        terminal.until("▄")
        assert terminal.ended() == 1
        # The sentence is left, and the picture, which was drawn again below it, is not.
        (line_,) = (line for line in terminal.standing if line)
    assert line_.startswith(f"{clip}: ")
    assert "not in this archive" in line_


@pytest.mark.parametrize(
    ("arguments", "says"),
    [(["--camera", "9"], "There is no camera 9 here"), (["box.jpg", "--camera"], "not both at once")],
)
def test_without_a_camera_or_beside_pictures_it_is_refused(
    scan: Callable[..., Result], arguments: list[str], says: str
) -> None:
    result = scan(*arguments)
    assert result.exit_code == 2
    assert says in result.stderr
    assert len(result.stderr.splitlines()) == 1


def test_a_damaged_archive_is_told_with_the_command_to_use(scan: Callable[..., Result], choir: str, place: str) -> None:
    with contextlib.closing(sqlite3.connect(place)) as opened, opened:
        opened.execute("UPDATE decks SET tags = '{'")
    result = scan(typed=f"{choir}\n")
    assert result.exit_code == 1
    assert result.stderr.startswith("The archive is damaged (")
    assert "; companion archive check says what is lost" in result.stderr
