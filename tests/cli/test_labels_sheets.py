"""Sheets at hand on the command line: begun, printed on, settled, given back, and asked about at a terminal."""

import json
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

from companion.archive import Archive, stationery
from labels.output import pdf
from labels.paper import sheet, stocks
from labels.paper.sheet import FREE, NOW, USED, WAITING
from tests.labels.paper import Paper, text_in
from tests.terminal import Terminal

STOCK = stocks.find("18294")

Labels = Callable[..., Result]


def own(count: int) -> str:
    Path("own.csv").write_text(f"name,count\nAna,{count}\n", encoding="utf-8")
    return "own.csv"


def used(document: bytes, page: int = 0) -> list[int]:
    paper = Paper(document, 72, page)
    return [position for position in range(1, STOCK.count + 1) if paper.ink(STOCK.box(position))]


def _sheets(labels: Labels) -> dict[str, tuple[list[int], list[int]]]:
    """Free and waiting positions of each sheet, as programs read them."""
    return {row["name"]: (row["free"], row["waiting"]) for row in json.loads(labels("sheets", "--json").stdout)}


def test_a_run_over_two_sheets_and_a_new_one(labels: Labels) -> None:
    labels("sheets", "new", "blue folder", "--free", "3,7,20-21")
    labels("sheets", "new", "red", "--start", "59")
    result = labels("file", own(7), "-o", "o.pdf", "--sheet", "RED", "--sheet", "blue folder")
    assert (result.exit_code, result.stderr) == (0, "")
    assert "7 labels on 3 sheets of 18294, the last at position 1" in result.stdout
    assert "companion labels sheets printed red 'blue folder'" in result.stdout
    document = Path("o.pdf").read_bytes()
    assert [used(document, page) for page in range(3)] == [[59, 60], [3, 7, 20, 21], [1]]
    assert _sheets(labels) == {"blue folder": ([], [3, 7, 20, 21]), "red": ([], [59, 60])}


def test_positions_are_used_only_after_somebody_said_so(labels: Labels) -> None:
    labels("sheets", "new", "red", "--start", "57")
    labels("file", own(2), "-o", "o.pdf", "--sheet", "red")
    labels("file", own(1), "-o", "p.pdf", "--sheet", "red")
    assert used(Path("p.pdf").read_bytes()) == [59]
    assert labels("sheets", "blank", "red").stdout == "red: 57-59 free again.\n"
    assert _sheets(labels) == {"red": ([57, 58, 59, 60], [])}
    labels("file", own(2), "-o", "q.pdf", "--sheet", "red")
    assert used(Path("q.pdf").read_bytes()) == [57, 58]
    assert labels("sheets", "printed").stdout == "red: 57-58 used.\n"
    assert labels("sheets", "printed").stdout == "Nothing waits for an answer.\n"
    assert _sheets(labels) == {"red": ([59, 60], [])}
    labels("file", own(1), "-o", "r.pdf", "--sheet", "red")
    assert labels("sheets", "spoiled", "red").stdout == "red: 59 spoiled, and gone.\n"
    assert _sheets(labels) == {"red": ([60], [])}


def test_positions_are_given_back_and_taken(labels: Labels) -> None:
    labels("sheets", "new", "red", "--start", "60")
    given = labels("sheets", "give-back", "red", "3,5-6")
    assert given.stdout.startswith("red (stock 18294): 4 of 60 free\n")
    assert labels("sheets", "use", "red", "5,60").exit_code == 0
    assert _sheets(labels) == {"red": ([3, 6], [])}


def test_sheets_are_drawn_as_they_lie(labels: Labels) -> None:
    labels("sheets", "new", "red", "--free", "1-3,16,60")
    labels("file", own(2), "-o", "o.pdf", "--sheet", "red")
    lines = labels("sheets").stdout.splitlines()
    assert lines[0] == "red (stock 18294): 3 of 60 free, 2 waiting"
    assert lines[1].split() == [f"1{WAITING}", f"16{FREE}", f"31{USED}", f"46{USED}"]
    assert lines[15].split() == [f"15{USED}", f"30{USED}", f"45{USED}", f"60{FREE}"]


def test_a_plan_prints_and_claims_nothing(labels: Labels, tmp_path: Path) -> None:
    labels("sheets", "new", "red", "--start", "59")
    result = labels("file", own(3), "--sheet", "red", "--plan")
    assert result.exit_code == 0
    assert "Sheet 1 (“red”): 2 labels, 0 free afterwards." in result.stdout
    assert "Sheet 2 (new): 1 label, 59 free afterwards." in result.stdout
    assert f"59{NOW}" not in result.stdout.splitlines()[1]
    assert "    59-60  Ana" in result.stdout
    assert _sheets(labels) == {"red": ([59, 60], [])}
    assert not list(tmp_path.glob("*.pdf"))


def test_a_run_that_is_refused_claims_nothing(labels: Labels) -> None:
    labels("sheets", "new", "red", "--start", "59")
    Path("o.pdf").write_text("mine", encoding="utf-8")
    assert labels("file", own(1), "-o", "o.pdf", "--sheet", "red").exit_code == 1
    Path("long.csv").write_text(f"name\n{'Endless ' * 60}\n", encoding="utf-8")
    assert "is too long" in labels("file", "long.csv", "-o", "l.pdf", "--sheet", "red").stderr
    assert _sheets(labels) == {"red": ([59, 60], [])}
    assert Path("o.pdf").read_text(encoding="utf-8") == "mine"


def test_a_sheet_of_another_stock_counts_in_its_own_way(labels: Labels) -> None:
    labels("sheets", "new", "squares", "--stock", "22805", "--free", "24")
    assert labels("file", own(1), "-o", "o.pdf", "--sheet", "squares").exit_code == 0
    assert text_in(Path("o.pdf").read_bytes(), stocks.find("22805").box(24)) == "Ana"


def test_the_test_page_strikes_out_what_is_used(labels: Labels) -> None:
    labels("sheets", "new", "red", "--start", "31")
    for name, more in (("plain", ()), ("red", ("--sheet", "red"))):
        assert labels("test-page", "-o", f"{name}.pdf", *more).exit_code == 0
    plain, red = (Paper(Path(f"{name}.pdf").read_bytes(), 150) for name in ("plain", "red"))
    for position, struck in ((20, True), (30, True), (33, False), (55, False)):
        assert (plain.part(STOCK.box(position)).tobytes() != red.part(STOCK.box(position)).tobytes()) is struck


@pytest.mark.parametrize(
    ("arguments", "status", "says"),
    [
        (("sheets", "new", "red"), 1, "There is a sheet called red already; put it away first"),
        (("sheets", "new", " "), 2, "A sheet needs a name to be found by."),
        (("sheets", "new", "x", "--stock", "4711"), 2, "The stock “4711” is not known"),
        (("sheets", "new", "x", "--free", "61"), 2, "Stock 18294 has positions 1 to 60, not 61."),
        (("sheets", "new", "x", "--free", "1", "--start", "1"), 2, "Give --start or --free, not both."),
        (("sheets", "printed", "green"), 1, "No sheet is called “green”; companion labels sheets shows all."),
        (("sheets", "give-back", "red", "x"), 2, "“x” is not a position"),
        (("sheets", "use", "green", "1"), 1, "No sheet is called “green”"),
        (("sheets", "put-away", "green"), 1, "No sheet is called “green”"),
        (("starter", "-o", "s.pdf", "--sheet", "green"), 1, "No sheet is called “green”"),
        (("starter", "-o", "s.pdf", "--sheet", "red", "--start", "3"), 2, "Give --start, --free or --sheet"),
        (("starter", "-o", "s.pdf", "--sheet", "red", "--stock", "5160"), 2, "The sheet “red” is of stock 18294, not"),
        (
            ("starter", "-o", "s.pdf", "--sheet", "red", "--sheet", "squares"),
            2,
            "The sheet “squares” is of stock",
        ),
    ],
)
def test_what_cannot_be_is_one_sentence(labels: Labels, arguments: tuple[str, ...], status: int, says: str) -> None:
    labels("sheets", "new", "red")
    labels("sheets", "new", "squares", "--stock", "22805")
    refused = labels(*arguments)
    assert (refused.exit_code, refused.stdout) == (status, "")
    assert refused.stderr.startswith(says)
    assert refused.stderr.count("\n") == 1


def test_a_sheet_that_is_put_away_is_gone(labels: Labels) -> None:
    labels("sheets", "new", "red")
    assert labels("sheets", "put-away", "Red").stdout == "“Red” is put away.\n"
    assert labels("sheets").stdout.startswith("No sheet is remembered yet.")


def test_an_archive_named_before_the_subcommand_is_the_one(labels: Labels, tmp_path: Path) -> None:
    other = str(tmp_path / "other.sqlite")
    assert labels("sheets", "--archive", other, "new", "green").exit_code == 0
    assert _sheets(labels) == {}
    with Archive.open(other) as archive:
        assert [row.name for row in stationery.sheets(archive)] == ["green"]


@pytest.mark.sample(3)
@pytest.mark.posix
@pytest.mark.parametrize(
    ("answers", "free"),
    [
        ((("Did it come out right?", "y"),), [60]),
        ((("Did it come out right?", "n"), ("still blank?", "yes")), [59, 60]),
        ((("Did it come out right?", "nope"), ("Answer yes, no or later", "no"), ("still blank?", "")), [60]),
    ],
)
def test_a_terminal_is_asked(
    labels: Labels, tmp_path: Path, answers: tuple[tuple[str, str], ...], free: list[int]
) -> None:
    labels("sheets", "new", "red", "--start", "59")
    file = str(tmp_path / own(1))
    command = (sys.executable, "-m", "companion.cli", "labels", "file", file, "-o", str(tmp_path / "o.pdf"))
    with Terminal((*command, "--sheet", "red")) as terminal:
        for question, answer in answers:
            terminal.until(question)
            terminal.press(f"{answer}\r")
        assert terminal.ended() == 0
    assert _sheets(labels) == {"red": (free, [])}


@pytest.mark.posix
def test_later_is_an_answer_too(labels: Labels, tmp_path: Path) -> None:
    labels("sheets", "new", "red", "--start", "59")
    file = str(tmp_path / own(1))
    command = (sys.executable, "-m", "companion.cli", "labels", "file", file, "-o", str(tmp_path / "o.pdf"))
    with Terminal((*command, "--sheet", "red")) as terminal:
        terminal.until("Did it come out right?")
        terminal.press("\r")
        terminal.until("companion labels sheets printed red")
        assert terminal.ended() == 0
    assert _sheets(labels) == {"red": ([60], [59])}


def test_a_sheet_that_changed_meanwhile_is_not_printed_over(labels: Labels, tmp_path: Path) -> None:
    """Somebody else takes the positions between the look at the sheet and the PDF: nothing is written."""
    from companion.printing import run

    labels("sheets", "new", "red", "--start", "59")
    with Archive.open(str(tmp_path / "archive.sqlite")) as archive:
        stock, hands = run.load_sheets(archive, ["red"], None)
        laid = run.impose([], stock, pdf.Setup("x"), hands)
        assert laid.claims == {}
        stationery.claim(archive, {"red": (59,)})
        with pytest.raises(Exception, match="“red” has changed meanwhile; print again"):
            stationery.claim(archive, {"red": hands[0].free})
    assert pdf.render_sheets(sheet.place_labels([], STOCK), STOCK, pdf.Setup("x")).startswith(b"%PDF")
