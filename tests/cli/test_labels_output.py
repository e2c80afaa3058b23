"""Where a PDF goes besides a file: standard output, a printer, a picture; and what is told of feeding it."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pypdfium2
import pytest
from click.testing import Result
from PIL import Image

from companion.archive import Archive, deck_id
from labels.paper import stocks
from tests.archive.keepsake import Founded, Retired
from tests.labels.paper import Paper
from tests.labels.test_black import check_black, colours, objects
from tests.terminal import Terminal

STOCK = stocks.find("18294")

Labels = Callable[..., Result]

FIRE = "The name “Fire 🔥 Drakes” has “🔥” (U+1F525)"


def _sheets(labels: Labels) -> dict[str, tuple[list[int], list[int]]]:
    """Free and waiting positions of each sheet."""
    return {row["name"]: (row["free"], row["waiting"]) for row in json.loads(labels("sheets", "--json").stdout)}


@pytest.fixture
def printers(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A printing system of shell programs, first on the path: what `lp` is given lies in this folder."""
    place = tmp_path_factory.mktemp("cups")
    for name, does in (
        ("lpstat", '[ "$1" = -e ] && printf "attic\\noffice\\n" || echo "system default destination: office"'),
        ("lpoptions", 'echo "PageSize/Media Size: Letter *A4 Legal"'),
        (
            "lp",
            f'cd {place}; echo "$@" > sent; cat > sent.pdf; [ ! -e jam ] || exit 1; echo "request id 7"',
        ),
    ):
        program = place / name
        program.write_text(f"#!/bin/sh\n{does}\n", encoding="utf-8")
        program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{place}{os.pathsep}{os.environ['PATH']}")
    return place


def test_standard_output_has_nothing_but_the_pdf(labels: Labels) -> None:
    labels("sheets", "new", "red", "--start", "59")
    result = labels("blank", "1", "-o", "-", "--sheet", "red")
    assert result.exit_code == 0
    with pypdfium2.PdfDocument(result.stdout_bytes) as opened:
        assert len(opened) == 1
    assert result.stdout_bytes.startswith(b"%PDF")
    assert result.stdout_bytes.rstrip().endswith(b"%%EOF")
    assert "1 label on 1 sheet of 18294, the last at position 59: standard output." in result.stderr
    assert "companion labels sheets printed red" in result.stderr
    assert _sheets(labels) == {"red": ([60], [59])}
    for page in (("aid",), ("test-page",)):
        assert labels(*page, "-o", "-").stdout_bytes.startswith(b"%PDF")
    assert list(Path().glob("*.pdf")) == []


@pytest.mark.posix
def test_a_printer_gets_it_true_to_size_on_one_side(labels: Labels, printers: Path) -> None:
    result = labels("blank", "2", "--print")
    assert result.exit_code == 0, result.stderr
    assert "request id 7" in result.stdout
    assert [line.partition(",")[0] for line in result.stdout.splitlines()] == [
        "Feed first a fresh sheet of 18294.",
        "One sheet at a time",
        "office usually prints on A4",
        "request id 7",
        "2 labels on 1 sheet of 18294",
    ]
    assert "the last at position 2: sent to office.\n" in result.stdout
    given = (printers / "sent").read_text(encoding="utf-8")
    assert "-d office -o print-scaling=none -o sides=one-sided -o media=Letter" in given
    assert (printers / "sent.pdf").read_bytes().startswith(b"%PDF")
    assert list(Path().glob("*.pdf")) == []
    assert labels("test-page", "--print").stdout.startswith("Put in plain Letter paper.\n")
    assert labels("aid", "--print", "--paper", "a4").stdout.endswith("sent to office, for A4 paper.\n")
    assert labels("blank", "2", "-o", "b.pdf", "--force", "--stock", "99012", "--print=ATTIC").exit_code == 0
    assert "-d attic" in (printers / "sent").read_text(encoding="utf-8")
    assert "media=Custom.35.73x88.56mm" in (printers / "sent").read_text(encoding="utf-8")
    assert (printers / "sent.pdf").read_bytes() == Path("b.pdf").read_bytes()


@pytest.mark.posix
def test_what_a_printer_does_not_take_claims_nothing(labels: Labels, printers: Path) -> None:
    labels("sheets", "new", "red", "--start", "59")
    (printers / "jam").touch()
    refused = labels("blank", "1", "--sheet", "red", "-o", "r.pdf", "--print")
    assert refused.exit_code == 1
    assert refused.stderr.startswith("The printer office did not take it: ")
    # What to put in and what paper it usually has was said before the printer was asked.
    assert refused.stdout.startswith("Feed first the sheet “red”")
    assert "office usually prints on A4" in refused.stdout
    assert _sheets(labels) == {"red": ([59, 60], [])}
    assert not Path("r.pdf").exists()
    jammed = labels("test-page", "--print")
    assert jammed.stdout.startswith("Put in plain Letter paper.\noffice usually prints on A4"), "said before it is sent"
    unknown = labels("blank", "1", "--print", "cellar")
    assert unknown.stderr == "The printing system knows no printer “cellar”; it knows office, attic.\n"


@pytest.mark.posix
def test_where_no_printer_is_usual_one_must_be_named(labels: Labels, printers: Path) -> None:
    (printers / "lpstat").write_text(
        '#!/bin/sh\n[ "$1" = -e ] && printf "attic\\noffice\\n" || echo "no default"\n', encoding="utf-8"
    )
    refused = labels("blank", "1", "--print")
    assert (refused.exit_code, refused.stdout) == (1, "")
    assert refused.stderr == "The printing system has no usual printer; name one of attic, office.\n"
    for name in ("lpstat", "lpoptions"):
        (printers / name).unlink()
    result = labels("blank", "1", "--print")
    assert result.exit_code == 0, result.stderr
    assert (printers / "sent").read_text(encoding="utf-8").startswith("-o print-scaling=none")


@pytest.mark.posix
def test_without_a_printing_system_the_way_out_is_told(labels: Labels, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    refused = labels("blank", "1", "--print")
    assert (refused.exit_code, refused.stdout) == (1, "")
    assert refused.stderr.startswith("There is no printing system here (no lp program); write a PDF with -o FILE")


def test_a_preview_is_of_the_kind_that_its_name_says(labels: Labels) -> None:
    for name, kind in (("p.png", "PNG"), ("p.jpg", "JPEG"), ("p.JPEG", "JPEG")):
        assert labels("blank", "1", "-o", "p.pdf", "--force", "--preview", name).exit_code == 0
        with Image.open(name) as picture:
            assert (picture.format, picture.size) == (kind, (1275, 1650))
    assert labels("blank", "61", "-o", "p.pdf", "--force", "--preview", "p.svg").exit_code == 0
    assert 'width="215.90mm" height="279.40mm"' in Path("p-2.svg").read_text(encoding="utf-8")
    refused = labels("blank", "1", "-o", "q.pdf", "--preview", "p.gif")
    assert refused.exit_code == 2
    assert refused.stderr == "A preview ends in .png, .jpg or .svg; “p.gif” ends in none of these.\n"
    assert not Path("q.pdf").exists()


def test_a_preview_goes_into_a_file(labels: Labels) -> None:
    refused = labels("blank", "1", "-o", "b.pdf", "--preview", "-")
    assert (refused.exit_code, refused.stderr) == (2, "A preview is a file: give --preview FILE.png, .jpg or .svg.\n")
    assert list(Path().glob("[-b]*")) == []


@pytest.mark.parametrize("name", ["x.doc", "X.PNG", "labels.v2"])
def test_what_is_written_is_a_pdf(labels: Labels, name: str) -> None:
    refused = labels("blank", "1", "-o", name)
    assert (refused.exit_code, refused.stdout) == (2, "")
    assert refused.stderr.startswith(f"“{name}” ends in {Path(name).suffix}, and what is written is a PDF: give -o")
    assert list(Path().glob("*.*")) == [Path("archive.sqlite")]
    assert labels("blank", "1", "-o", "plain").exit_code == labels("blank", "1", "-o", "LOUD.PDF").exit_code == 0


def test_it_is_told_what_to_feed_first(labels: Labels) -> None:
    labels("sheets", "new", "red", "--start", "59")
    output = labels("blank", "123", "-o", "b.pdf", "--sheet", "red").stdout
    assert "Feed first the sheet “red” (58 of 60 used), then 2 fresh sheets of 18294, then a fresh" not in output
    assert "Feed first the sheet “red” (58 of 60 used), then 3 fresh sheets of 18294." in output
    assert "from the manual tray if there is one" in output
    half = labels("blank", "1", "-o", "h.pdf", "--start", "31", "--stock", "L7651").stdout
    assert "Feed first a half-used sheet of L7651 (30 of 65 used)." in half
    roll = labels("blank", "2", "-o", "r.pdf", "--stock", "DK-11209").stdout
    assert "2 labels on a roll of DK-11209: r.pdf." in roll
    assert "Put in the roll DK-11209, and choose 62 × 28.9 mm as paper: each label is a page." in roll
    plan = labels("blank", "2", "--plan", "--stock", "DK-11209").stdout
    assert plan.startswith("Roll of DK-11209: 2 labels.\n      1-2  Blank")


def test_a_full_sheet_does_not_become_a_new_one_unasked(labels: Labels) -> None:
    labels("sheets", "new", "red", "--start", "60")
    assert labels("blank", "1", "-o", "a.pdf", "--sheet", "red").exit_code == 0
    refused = labels("blank", "1", "-o", "b.pdf", "--sheet", "red")
    assert (refused.exit_code, refused.stdout) == (1, "")
    assert refused.stderr == (
        "The sheet “red” is full; give --new-sheet to print on a new one of 18294, or --sheet with another name.\n"
    )
    assert not Path("b.pdf").exists()
    assert "position 1: b.pdf" in labels("blank", "1", "-o", "b.pdf", "--sheet", "red", "--new-sheet").stdout


@pytest.mark.sample(2)
@pytest.mark.posix
@pytest.mark.parametrize(("answer", "is_printed"), [("y", True), ("n", False)])
def test_a_full_sheet_is_asked_about_at_a_terminal(
    labels: Labels, tmp_path: Path, answer: str, is_printed: bool
) -> None:
    labels("sheets", "new", "red", "--free", "1")
    labels("sheets", "use", "red", "1")
    command = (sys.executable, "-m", "companion.cli", "labels", "blank", "1", "-o", str(tmp_path / "o.pdf"))
    with Terminal((*command, "--sheet", "red")) as terminal:
        terminal.until("is full. Print on a new one of 18294?")
        terminal.press(f"{answer}\r")
        assert terminal.ended() == (0 if is_printed else 1)
    assert (tmp_path / "o.pdf").exists() is is_printed


@pytest.mark.parametrize("more", [(), ("--glory",)])
def test_one_bad_deck_does_not_stop_the_others(labels: Labels, tmp_path: Path, more: tuple[str, ...]) -> None:
    with Archive.open(str(tmp_path / "archive.sqlite")) as archive:
        good = [archive.found_deck("keepsake", [Founded(name)]) for name in ("Ash", "Gale")]
        for name in ("Fire 🔥 Drakes", "W" * 60):
            archive.found_deck("keepsake", [Founded(name)])
        archive.found_deck("keepsake", [Founded("Old 🔥"), Retired()])
    result = labels("box", "--all", "-o", "b.pdf", *more)
    assert result.exit_code == 1
    assert "2 labels on 1 sheet" in result.stdout
    assert sorted(line[: len("Not printed: The")] for line in result.stderr.splitlines()) == ["Not printed: The"] * 2
    assert FIRE in result.stderr
    assert "“WWWW" in result.stderr
    assert "Old" not in result.stderr
    paper = Paper(Path("b.pdf").read_bytes(), 300)
    assert [paper.codes(STOCK.box(at)) for at in (1, 2, 3)] == [*([deck_id.payload(deck)] for deck in good), []]


def test_where_no_box_can_be_printed_nothing_is_written(labels: Labels, tmp_path: Path) -> None:
    with Archive.open(str(tmp_path / "archive.sqlite")) as archive:
        archive.found_deck("keepsake", [Founded("Fire 🔥 Drakes")])
    refused = labels("box", "--all", "-o", "b.pdf")
    assert (refused.exit_code, refused.stdout) == (1, "")
    assert refused.stderr.startswith(f"There is nothing to print.\n{FIRE}")
    assert not Path("b.pdf").exists()


@pytest.mark.parametrize(
    ("arguments", "status", "says"),
    [
        (
            ("blank", "1", "-o", "x.pdf", "--stock", "99012", "--start", "1"),
            2,
            "30321 is a roll, where each",
        ),
        (
            ("blank", "1", "-o", "x.pdf", "--stock", "99012", "--printer", "p"),
            2,
            "30321 is a roll, where each",
        ),
        (
            ("sheets", "new", "r", "--stock", "99012"),
            2,
            "30321 is a roll, where each label is a page: there",
        ),
        (("blank", "1", "-o", "-", "--open"), 2, "--open needs a file: give -o FILE."),
        (("aid", "-o", "x.pdf", "--paper", "9 x 9 mm"), 2, "Invalid value for '--paper': Paper of 9 × 9 mm fits no pr"),
    ],
)
def test_what_does_not_go_together_is_one_sentence(
    labels: Labels, arguments: tuple[str, ...], status: int, says: str
) -> None:
    labels("calibrate", "p", "--dx", "1")
    refused = labels(*arguments)
    assert (refused.exit_code, refused.stdout) == (status, "")
    assert refused.stderr.startswith(says)
    assert refused.stderr.count("\n") == 1


def test_pages_have_any_size(labels: Labels) -> None:
    result = labels("aid", "-o", "a.pdf", "--paper", "10x14 in")
    assert "a.pdf, for 10 × 14 in paper." in result.stdout
    with pypdfium2.PdfDocument(Path("a.pdf").read_bytes()) as opened:
        assert opened[0].get_size() == (720, 1008)


@pytest.mark.parametrize(
    "command", [("starter",), ("blank", "3"), ("aid",), ("test-page",), ("file", "guests.csv", "--design", "badge")]
)
def test_whatever_is_printed_has_an_ink(labels: Labels, command: tuple[str, ...]) -> None:
    Path("guests.csv").write_text("name,role,table,link,photo\nAna,Host,7,,\n", encoding="utf-8")
    for ink, is_black in (("black", True), ("colour", False)):
        result = labels(*command, "-o", f"{ink}.pdf", "--ink", ink)
        assert result.exit_code == 0, result.stderr
        shades = {shade for each in objects(Path(f"{ink}.pdf").read_bytes()) for shade in colours(each)}
        assert (shades <= {(0, 0, 0), (255, 255, 255)}) is is_black


def test_a_roll_is_black_unless_colour_is_asked_for(labels: Labels) -> None:
    labels("starter", "-o", "roll.pdf", "--stock", "DK-11209")
    check_black(Path("roll.pdf").read_bytes())
    labels("starter", "-o", "colour.pdf", "--stock", "DK-11209", "--ink", "colour")
    with pytest.raises(AssertionError):
        check_black(Path("colour.pdf").read_bytes())


def test_a_design_is_looked_at_in_the_ink_it_is_printed_with(labels: Labels) -> None:
    for ink in ("black", "colour"):
        assert labels("design", "check", "badge", "--preview", f"{ink}.png", "--ink", ink).exit_code == 0
    in_colour, in_black = (Image.open(f"{ink}.png").convert("HSV").getchannel("S") for ink in ("colour", "black"))
    assert in_black.getextrema() == (0, 0)
    assert in_colour.getextrema() != (0, 0)


def _start(tmp_path: Path, *words: str, before: tuple[str, ...] = ()) -> "subprocess.Popen[bytes]":
    """The program as a process of its own."""
    command = (*before, sys.executable, "-m", "companion.cli", "labels", *words)
    return subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE)


@pytest.mark.slow
def test_of_several_at_once_one_writes_the_file(tmp_path: Path) -> None:
    runs = [_start(tmp_path, "blank", "60", "-o", "same.pdf") for _ in range(4)]
    answers = [run.communicate()[1].decode() for run in runs]
    assert sorted(run.returncode for run in runs) == [0, 1, 1, 1]
    assert all("“same.pdf” " in words and "give --force" in words for words in answers if words)
    assert [path.name for path in tmp_path.iterdir()] == ["same.pdf"]


@pytest.mark.slow
def test_of_several_at_once_none_takes_anothers_labels(labels: Labels, tmp_path: Path) -> None:
    labels("sheets", "new", "red")
    runs = [_start(tmp_path, "blank", "5", "-o", f"{number}.pdf", "--sheet", "red") for number in range(4)]
    answers = [run.communicate()[1].decode() for run in runs]
    done = [number for number, run in enumerate(runs) if run.returncode == 0]
    assert done
    assert all("changed meanwhile" in words for number, words in enumerate(answers) if number not in done)
    assert _sheets(labels)["red"][1] == list(range(1, 5 * len(done) + 1))
    assert sorted(path.name for path in tmp_path.glob("*.pdf")) == [f"{number}.pdf" for number in done]


def test_who_stops_reading_is_told_in_one_sentence(tmp_path: Path) -> None:
    run = _start(tmp_path, "starter", "--outlines", "-o", "-")
    assert run.stdout is not None
    assert run.stderr is not None
    run.stdout.close()
    assert run.stderr.read().splitlines() == [b"What reads standard output was closed before all of it was written."]
    assert run.wait() == 1


@pytest.mark.linux
def test_a_program_without_standard_output_says_so(tmp_path: Path) -> None:
    run = _start(tmp_path, "blank", "1", "-o", "-", before=("sh", "-c", 'exec "$@" >&-', "sh"))
    assert run.communicate()[1] == b"What reads standard output was closed before all of it was written.\n"
    assert run.returncode == 1
