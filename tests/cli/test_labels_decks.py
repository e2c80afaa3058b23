"""What is printed of decks and evenings from the command line; long runs, and the viewer."""

import os
import select
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest
from click.testing import Result

from companion.archive import Archive, deck_id
from companion.archive.exchange import passport
from labels.geometry import Box
from labels.paper import stocks
from tests.archive.keepsake import Founded, Retired
from tests.cli.test_labels import stocks_file
from tests.games.described import road
from tests.labels.paper import Paper, text_in
from tests.printing.evenings import create_deck, live, play
from tests.terminal import Terminal

if sys.platform != "win32":
    import pty

STOCK = stocks.find("18294")
SHOP = 1000

Labels = Callable[..., Result]


@pytest.fixture
def place(labels: Labels, tmp_path: Path) -> str:  # noqa: ARG001 - the folder and the archive that labels use
    return str(tmp_path / "archive.sqlite")


class Shop(NamedTuple):
    """An archive with a thousand decks, as a shop that sells them has."""

    archive: str
    decks: list[str]

    @property
    def command(self) -> tuple[str, ...]:
        return (sys.executable, "-m", "companion.cli", "labels", "box", "--all", "--archive", self.archive)


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Shop:
    place = str(tmp_path_factory.mktemp("shop") / "archive.sqlite")
    with Archive.open(place) as archive:
        return Shop(place, [archive.found_deck("keepsake", [Founded(f"Band {number:04}")]) for number in range(SHOP)])


def read_pages(name: str, position: int, page: int = 0) -> str:
    return text_in(Path(name).read_bytes(), STOCK.box(position), page)


def test_tonight_is_the_session_sealed_last(labels: Labels, place: str) -> None:
    with Archive.open(place) as archive:
        session = play(archive)
        archive.new_session("decknforge", "another, not sealed")
    result = labels("tonight", "-o", "t.pdf")
    assert (result.exit_code, result.stderr) == (0, "")
    assert "Grave Choir: Royal Decree on K♠" in result.stdout
    assert "Salt and Iron: Glory 7 on its box" in result.stdout
    assert "8 labels on 1 sheet" in result.stdout
    assert read_pages("t.pdf", 1).startswith("K")
    assert "Royal Decree" in read_pages("t.pdf", 1)
    assert labels("tonight", session[:4].lower(), "-o", "u.pdf").exit_code == 0
    assert Path("u.pdf").read_bytes() == Path("t.pdf").read_bytes()


def test_tonight_of_a_game_from_a_page(labels: Labels, place: str) -> None:
    with Archive.open(place) as archive:
        road.sealed(archive)
        deck = archive.find_deck("Grave Choir").deck
    result = labels("tonight", "-o", "t.pdf")
    assert (result.exit_code, result.stderr) == (0, "")
    assert "Grave Choir: Bright on 9♠" in result.stdout
    assert "4 labels on 1 sheet" in result.stdout
    assert read_pages("t.pdf", 1).endswith("Bright SPARK It counts 2 more. Grave Choir")
    (code,) = Paper(Path("t.pdf").read_bytes(), 300).codes(STOCK.box(3))
    assert deck_id.parse(code) == deck
    starter = labels("starter", "--game", "legacy", "-o", "s.pdf")
    assert (starter.exit_code, starter.stderr) == (0, "")
    assert labels("aid", "--game", "legacy", "-o", "a.pdf").exit_code == 0
    assert labels("record", "grave", "-o", "r.pdf").exit_code == 0


def test_tonight_without_a_sealed_session_is_refused(labels: Labels, place: str) -> None:
    assert labels("tonight", "-o", "t.pdf").stderr.startswith("No session has been sealed yet")
    with Archive.open(place) as archive:
        session = archive.new_session("decknforge")
    refused = labels("tonight", session, "-o", "t.pdf")
    assert (refused.exit_code, refused.stderr) == (
        1,
        f"Session {session} is not sealed yet; its labels are known when it is.\n",
    )


def test_all_labels_of_decks(labels: Labels, place: str) -> None:
    with Archive.open(place) as archive:
        live(archive, create_deck(archive))
        create_deck(archive, "Salt and Iron")
    result = labels("deck", "grave", "salt", "-o", "d.pdf")
    assert result.exit_code == 0, result.stderr
    assert "Tithe Collector" in read_pages("d.pdf", 1)
    assert "Rampage" in read_pages("d.pdf", 2)
    assert "22 labels" in result.stdout


def test_a_card_whose_label_has_no_room_stops_no_other(labels: Labels, place: str, own_stocks: Path) -> None:
    with Archive.open(place) as archive:
        create_deck(archive)
    lower = stocks_file("94102").replace('"94102"', '"lower"').replace("height = 0.75", "height = 0.7")
    (own_stocks / "lower.toml").write_text(lower, encoding="utf-8")
    result = labels("deck", "grave", "-o", "d.pdf", "--stock", "lower")
    assert (result.exit_code, result.stderr.count("\n")) == (1, 1)
    assert result.stderr.startswith("Not printed: The effect of “Sharp” is too long: ")
    assert result.stdout.startswith("9 labels on 1 sheet of lower")


def test_the_record_sheet(labels: Labels, place: str) -> None:
    with Archive.open(place) as archive:
        deck = create_deck(archive)
        live(archive, deck)
    result = labels("record", "grave", "-o", "r.pdf", "--paper", "a4", "--preview", "r.png")
    assert result.stdout == "Grave Choir: r.pdf, for A4 paper. Print at 100 %.\n"
    page = Box(0, 0, 595, 842)
    assert "Tithe Collector" in text_in(Path("r.pdf").read_bytes(), page)
    with Archive.open(place) as archive:
        written = passport.write(archive, deck)
    for dpi in (300, 600):
        assert Paper(Path("r.pdf").read_bytes(), dpi).codes(page) == [written]
    assert Path("r.png").exists()


def test_a_box_may_carry_an_address_of_ones_own(labels: Labels, place: str) -> None:
    with Archive.open(place) as archive:
        deck = create_deck(archive)
    for number, more in enumerate(((), ("--count",))):
        result = labels("box", "grave", *more, "--url", "https://cards.example/d/", "-o", f"{number}.pdf")
        assert (result.exit_code, result.stderr) == (0, "")
        (code,) = Paper(Path(f"{number}.pdf").read_bytes(), 300).codes(STOCK.box(1))
        assert code == f"https://cards.example/d/{deck}"
        assert deck_id.parse(code) == deck
    small = labels("box", "grave", "--url", "https://cards.example/d/", "--stock", "5167", "-o", "b.pdf")
    assert (small.exit_code, small.stderr.count("\n")) == (1, 1)
    assert "choose a larger stock" in small.stderr
    refused = labels("box", "grave", "--url", "cards.example", "-o", "c.pdf")
    assert refused.exit_code == 2
    assert "“cards.example” is not an address for boxes" in refused.stderr


def test_glory_labels_and_all_boxes(labels: Labels, place: str) -> None:
    with Archive.open(place) as archive:
        decks = [archive.found_deck("keepsake", [Founded(name)]) for name in ("One", "Two")]
        archive.found_deck("keepsake", [Founded("Three"), Retired()])
    assert "2 labels" in labels("box", "--all", "-o", "b.pdf").stdout
    assert labels("box", "one", "--glory", "-o", "g.pdf").exit_code == 0
    assert "0 GLORY" in read_pages("g.pdf", 1)
    assert Paper(Path("g.pdf").read_bytes(), 150).codes(STOCK.box(1)) == [deck_id.payload(decks[0])]


@pytest.mark.usefixtures("labels")
def test_all_boxes_are_printed_without_loading_the_database(place: str) -> None:
    with Archive.open(place) as archive:
        create_deck(archive)
    program = (
        "import sys; from click.testing import CliRunner; from companion.cli.main import main; "
        f"done = CliRunner().invoke(main, ['labels', 'box', '--all', '-o', 'b.pdf', '--archive', {place!r}]); "
        "print(done.exit_code, {'sqlalchemy', 'PIL.ImageDraw'} & sys.modules.keys())"
    )
    result = subprocess.run([sys.executable, "-c", program], capture_output=True, encoding="utf-8", check=True)
    assert result.stdout == "0 set()\n"


def test_blanks_and_aid(labels: Labels) -> None:
    assert "12 labels" in labels("blank", "12", "--tier", "RARE", "-o", "b.pdf").stdout
    assert "RARE" in read_pages("b.pdf", 12)
    assert labels("aid", "-o", "a.pdf").stdout == "DecknForge at the table: a.pdf, for Letter paper. Print at 100 %.\n"


@pytest.mark.parametrize(
    ("arguments", "status", "says"),
    [
        (("deck", "photo", "-o", "x.pdf"), 1, "Photo Box is a deck of keepsake; labels for cards are known for"),
        (("record", "photo", "-o", "x.pdf"), 1, "Photo Box is a deck of keepsake"),
        (("record", "photo"), 1, "Photo Box is a deck of keepsake"),
        (("record", "nobody", "-o", "x.pdf"), 1, "No deck is called “nobody”"),
        (("aid",), 2, "Missing option '-o' / '--output'"),
        (("aid", "-o", "x.pdf", "--paper", "a7"), 2, "Invalid value for '--paper'"),
        (("aid", "-o", "x.pdf", "--paper", "10x10mm"), 1, "The page's title is too long"),
        (("box", "-o", "x.pdf"), 2, "Missing argument 'DECK…'"),
        (("box", "photo", "--all", "-o", "x.pdf"), 2, "Name decks or give --all, not both."),
        (("blank", "0", "-o", "x.pdf"), 2, "Invalid value for 'COUNT'"),
        (("blank", "2", "--tier", "epic", "-o", "x.pdf"), 2, "“epic” is not a tier; tiers are easy"),
        (("file", "nowhere.csv", "-o", "x.pdf"), 2, "“nowhere.csv” does not exist."),
        (("file", ".", "-o", "x.pdf"), 2, "“.” is a directory"),
        (("tonight", "ZZZZ", "-o", "x.pdf"), 1, "There is no session “ZZZZ”"),
    ],
)
def test_bad_input_is_one_sentence(
    labels: Labels, place: str, arguments: tuple[str, ...], status: int, says: str
) -> None:
    with Archive.open(place) as archive:
        archive.found_deck("keepsake", [Founded("Photo Box")])
    refused = labels(*arguments)
    assert (refused.exit_code, refused.stdout) == (status, "")
    assert refused.stderr.startswith(says)
    assert refused.stderr.count("\n") == 1
    assert not Path("x.pdf").exists()


def test_a_wrong_line_of_a_file_is_named(labels: Labels) -> None:
    Path("own.csv").write_text("name,tier\nGlow,\nGlimmer,epic\n", encoding="utf-8")
    refused = labels("file", "own.csv", "-o", "o.pdf")
    assert refused.exit_code == 2
    assert refused.stderr.startswith("Line 3 of “own.csv”: “epic” is not a tier")


@pytest.mark.posix
def test_the_viewer_is_asked_to_open_the_pdf(
    labels: Labels, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    programs = tmp_path_factory.mktemp("programs")
    viewer = programs / "xdg-open"
    viewer.write_text(
        f'#!/bin/sh\necho "$1" > "{programs}/begun"; mv "{programs}/begun" "{programs}/opened"\n', encoding="utf-8"
    )
    viewer.chmod(0o755)
    monkeypatch.setenv("PATH", f"{programs}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setattr(sys, "platform", "linux")
    assert labels("aid", "-o", "a.pdf", "--open").exit_code == 0
    deadline = time.monotonic() + 30
    while not (programs / "opened").exists() and time.monotonic() < deadline:
        time.sleep(0.02)
    assert (programs / "opened").read_text(encoding="utf-8").strip().endswith("a.pdf")
    monkeypatch.setenv("PATH", str(tmp_path_factory.mktemp("nothing")))
    refused = labels("aid", "-o", "b.pdf", "--open")
    assert refused.stderr == "No viewer for PDFs was found; open b.pdf yourself.\n"
    assert Path("b.pdf").exists()


@pytest.mark.posix
@pytest.mark.slow
def test_a_shops_run_shows_how_far_it_is(shop: Shop, tmp_path: Path) -> None:
    with Terminal((*shop.command, "-o", str(tmp_path / "shop.pdf"))) as terminal:
        terminal.until("Printing 17 sheets")
        terminal.until("100%")
        terminal.until(f"{len(shop.decks)} labels on 17 sheets of 18294, the last at position 40")
    last = Paper((tmp_path / "shop.pdf").read_bytes(), 150, page=16)
    read = [deck for position in range(1, 41) for deck in last.codes(STOCK.box(position))]
    assert read == [deck_id.payload(deck) for deck in shop.decks[-40:]]


def _terminal_output(terminal: int, wanted: bytes, within: float) -> bytes:
    """What comes from a terminal until it has `wanted`, or until so many seconds brought nothing."""
    output = b""
    while wanted not in output and select.select([terminal], [], [], within)[0]:
        output += os.read(terminal, 4096)
    return output


@pytest.mark.posix
@pytest.mark.slow
@pytest.mark.parametrize("after", [0, 0.05, 0.1, 0.2])
def test_a_run_that_is_stopped_leaves_no_half_file(shop: Shop, tmp_path: Path, after: float) -> None:
    """Stopped so many seconds after it has begun to draw: there is a whole PDF, or none."""
    command = [*shop.command, "-o", "shop.pdf"]
    master, slave = pty.openpty()
    with subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=slave, encoding="utf-8") as stopped:
        assert b"Printing" in _terminal_output(master, b"Printing", 30)
        time.sleep(after)
        stopped.send_signal(signal.SIGINT)
        stopped.wait(30)
        assert b"Traceback" not in _terminal_output(master, b"Traceback", 0)
    os.close(master)
    os.close(slave)
    left = {path.name for path in tmp_path.iterdir()}
    if stopped.returncode == 1:
        assert left == set()
    else:
        assert left == {"shop.pdf"}
        assert Paper((tmp_path / "shop.pdf").read_bytes(), 20, page=16).image.size
