"""`companion labels`: PDFs and previews that are written whole or not at all, and refusals in one sentence."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from importlib import resources
from pathlib import Path

import pytest
from click.testing import Result
from PIL import Image

from companion.archive import Archive, deck_id
from labels.paper import stocks
from tests.archive.keepsake import Founded
from tests.labels.paper import Paper, text_in

STOCK = stocks.find("18294")


def files(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir() if not path.name.startswith("archive.sqlite")}


def test_the_starter_sheet_is_written_with_its_preview(labels: Callable[..., Result], tmp_path: Path) -> None:
    result = labels("starter", "-o", "starter.pdf", "--preview", "starter.png", "--outlines")
    assert (result.exit_code, result.stderr) == (0, "")
    assert "60 labels on 1 sheet of 18294" in result.stdout
    assert Image.open("starter.png").size == (1275, 1650)
    assert text_in(Path("starter.pdf").read_bytes(), STOCK.box(60)).startswith("Untouchable")
    assert files(tmp_path) == {"starter.pdf", "starter.png"}


def test_labels_fill_free_positions_and_then_further_sheets(labels: Callable[..., Result], tmp_path: Path) -> None:
    result = labels("starter", "-o", "s.pdf", "--free", "3,7,20-22", "--preview", "s.png")
    assert "60 labels on 2 sheets of 18294, the last at position 55" in result.stdout
    document = Path("s.pdf").read_bytes()
    first = Paper(document, 72)
    used = [position for position in range(1, 61) if first.ink(STOCK.box(position))]
    assert used == [3, 7, 20, 21, 22]
    assert text_in(document, STOCK.box(1), page=1).startswith("Tough")
    assert files(tmp_path) == {"s.pdf", "s.png", "s-2.png"}


def test_start_and_another_stock(labels: Callable[..., Result]) -> None:
    assert labels("starter", "-o", "s.pdf", "--start", "11", "--stock", "l7651").exit_code == 0
    document = Path("s.pdf").read_bytes()
    stock = stocks.find("L7651")
    assert text_in(document, stock.box(10)) == ""
    assert text_in(document, stock.box(11)).startswith("Swift")


def test_box_labels_of_decks_by_name_and_id(labels: Callable[..., Result], tmp_path: Path) -> None:
    with Archive.open(str(tmp_path / "archive.sqlite")) as archive:
        choir = archive.found_deck("keepsake", [Founded("Grave Choir")])
        court = archive.found_deck("keepsake", [Founded("Ashen Court")])
    result = labels("box", "grave", deck_id.show(court).lower(), "-o", "boxes.pdf")
    assert result.exit_code == 0, result.stderr
    assert "2 labels on 1 sheet" in result.stdout
    paper = Paper(Path("boxes.pdf").read_bytes(), 300)
    assert paper.codes(STOCK.box(1)) == [deck_id.payload(choir)]
    assert paper.codes(STOCK.box(2)) == [deck_id.payload(court)]


def test_a_deck_whose_name_cannot_be_printed_is_refused(labels: Callable[..., Result], tmp_path: Path) -> None:
    with Archive.open(str(tmp_path / "archive.sqlite")) as archive:
        archive.found_deck("keepsake", [Founded("Fire 🔥 Drakes")])
    refused = labels("box", "fire", "-o", "boxes.pdf", "--preview", "boxes.png")
    assert refused.exit_code == 1
    assert refused.stderr.startswith("The name “Fire 🔥 Drakes” has “🔥” (U+1F525)")
    assert files(tmp_path) == set()


def test_the_test_page_of_a_stock(labels: Callable[..., Result]) -> None:
    result = labels("test-page", "--stock", "5195", "-o", "test.pdf")
    assert (result.exit_code, result.stdout) == (
        0,
        "Test page for Avery 18294, 60 small return address labels: test.pdf. Print at 100 % on plain paper.\n",
    )
    assert "31" in text_in(Path("test.pdf").read_bytes(), STOCK.box(31)).split()


def test_all_stocks_are_listed(labels: Callable[..., Result]) -> None:
    output = labels("stocks").stdout
    assert "1.75 × 0.66 in" in output
    assert "5195, 8195, 18195" in output
    listed = json.loads(labels("stocks", "--json").stdout)
    assert {"18294", "L7651", "94102"} <= {stock["name"] for stock in listed}
    assert next(stock for stock in listed if stock["name"] == "18294")["pitch_y"] == 0.66


def test_stocks_are_found_by_the_size_of_their_labels(labels: Callable[..., Result]) -> None:
    lines = labels("stocks", "--like", "70x36mm", "--paper", "a4").stdout.splitlines()
    assert [lines[1].split()[0], lines[1].split()[2]] == ["3475", "24"]
    assert "not confirmed" in next(line for line in lines if line.startswith("4360"))
    (only,) = json.loads(labels("stocks", "--like", "2.625x1in", "--json").stdout)
    assert (only["name"], only["count"]) == ("5160", 30)
    assert json.loads(labels("stocks", "--like", "2.625x1in", "--paper", "a4", "--json").stdout) == []
    nothing = labels("stocks", "--like", "7x3mm")
    assert (nothing.exit_code, nothing.stdout) == (1, "")
    assert nothing.stderr.startswith("No stock has labels of 7x3mm; docs/printing.md shows how to describe one")
    unreadable = labels("stocks", "--like", "big")
    assert (unreadable.exit_code, unreadable.stderr.count("\n")) == (2, 1)
    assert "“big” is not the size of a label; write it as 70x36mm" in unreadable.stderr


def test_a_stock_that_nobody_confirmed_is_told_when_it_is_printed_on(labels: Callable[..., Result]) -> None:
    assert (
        "The geometry of 22807 comes from one source only"
        in labels("blank", "3", "-o", "round.pdf", "--stock", "Avery 22807").stdout
    )
    assert "one source" not in labels("blank", "3", "-o", "mini.pdf", "--stock", "Avery L7651").stdout


def test_labels_side_by_side_on_a_roll_are_a_page(labels: Callable[..., Result]) -> None:
    output = labels("blank", "3", "-o", "pair.pdf", "--stock", "Dymo 30253").stdout
    assert "choose 58.67 × 88.9 mm, turned as paper: each row of 2 labels is a page." in output
    refused = labels("blank", "3", "-o", "other.pdf", "--stock", "30253", "--start", "2")
    assert "30253 is a roll, where each row of 2 labels is a page: --start means nothing" in refused.stderr


def test_a_stock_of_ones_own_is_printed_on(labels: Callable[..., Result], own_stocks: Path) -> None:
    coins = stocks_file("94102").replace('"94102"', '"coins"')
    (own_stocks / "coins.toml").write_text(coins, encoding="utf-8")
    assert "coins" in labels("stocks").stdout
    assert labels("starter", "-o", "s.pdf", "--stock", "Coins").exit_code == 0
    assert text_in(Path("s.pdf").read_bytes(), stocks.find("94102").box(1)).startswith("Swift")


def stocks_file(name: str) -> str:
    """What a file of one's own would say of a stock that comes along."""
    makers = (resources.files("templates") / "stocks" / "avery-letter.toml").read_text(encoding="utf-8")
    return next(entry for entry in makers.split("[[stock]]\n") if f'name = "{name}"' in entry)


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"columns = 8", "wide.toml cannot be read: it lacks “"),
        (b"\xff\xfe", "wide.toml cannot be read: it is not text; save it as UTF-8."),
        (b'name = "wide"\nwidth', "wide.toml cannot be read: line 2 is not as it must be; write one thing a line"),
        (
            stocks_file("94102").replace('"94102"', '"wide"').replace("width = 0.75", "width = 1.25").encode(),
            "Labels of stock wide overlap: its columns repeat every 1 in, but a label takes 1.25 in; write pitch_x",
        ),
        (
            stocks_file("94102").replace('"94102"', '"wide"').replace("page =", 'aliases = ["5195"]\npage =').encode(),
            "both claim the name",
        ),
    ],
)
def test_a_stock_that_cannot_be_only_takes_itself_away(
    labels: Callable[..., Result], own_stocks: Path, content: bytes, says: str
) -> None:
    (own_stocks / "wide.toml").write_bytes(content)
    assert labels("test-page", "-o", "t.pdf").exit_code == 0
    listed = labels("stocks")
    assert (listed.exit_code, "18294" in listed.stdout) == (1, True)
    refused = labels("test-page", "-o", "w.pdf", "--stock", "wide")
    assert refused.exit_code == 2
    for errors in (listed.stderr, refused.stderr):
        assert says in errors
        assert "wide.toml" in errors
        assert errors.count("\n") == 1


def test_two_files_with_one_name_are_an_error_that_names_both(labels: Callable[..., Result], own_stocks: Path) -> None:
    for file, name in (("a", "18294"), ("b", "18294"), ("c", "coins")):
        (own_stocks / f"{file}.toml").write_text(stocks_file("94102").replace('"94102"', f'"{name}"'), encoding="utf-8")
    refused = labels("starter", "-o", "s.pdf")
    assert refused.exit_code == 2
    assert refused.stderr.startswith("The name “18294” is given to two stocks: ")
    assert "a.toml and " in refused.stderr
    assert refused.stderr.endswith("b.toml; give one of them another name.\n")
    assert labels("starter", "-o", "s.pdf", "--stock", "coins").exit_code == 0


def test_sheets_are_listed_where_the_stock_of_one_is_wrong(labels: Callable[..., Result], own_stocks: Path) -> None:
    (own_stocks / "coins.toml").write_text(stocks_file("94102").replace('"94102"', '"coins"'), encoding="utf-8")
    labels("sheets", "new", "a", "--stock", "coins")
    labels("sheets", "new", "b")
    (own_stocks / "coins.toml").write_text("nothing", encoding="utf-8")
    result = labels("sheets")
    assert result.exit_code == 1
    assert "a (stock coins): 80 of 80 free" in result.stdout
    assert "b (stock 18294): 60 of 60 free" in result.stdout
    assert result.stderr.count("coins.toml cannot be read") == 1


@pytest.mark.parametrize(
    ("arguments", "status", "says"),
    [
        (("starter",), 2, "Missing option '-o'"),
        (("starter", "-o", "."), 2, "“.” is a directory; name a file."),
        (("starter", "-o", "nowhere/s.pdf"), 2, "There is no directory"),
        (("starter", "-o", "old.pdf"), 1, "“old.pdf” exists; give --force"),
        (("starter", "-o", "s.pdf", "--preview", "old.pdf"), 1, "“old.pdf” exists; give --force"),
        (("starter", "-o", "s.pdf", "--preview", "s.pdf"), 2, "The preview needs a file of its own."),
        (("starter", "-o", "s.pdf", "--stock", "4711"), 2, "The stock “4711” is not known; near it are"),
        (("starter", "-o", "s.pdf", "--start", "61"), 2, "Stock 18294 has positions 1 to 60, not 61."),
        (("starter", "-o", "s.pdf", "--free", "3,x"), 2, "“x” is not a position; write numbers and ranges"),
        (("starter", "-o", "s.pdf", "--free", "3", "--start", "4"), 2, "Give --start, --free or --sheet, not several."),
        (("box", "nobody", "-o", "s.pdf"), 1, "No deck is called “nobody”"),
        (("box", "-o", "s.pdf"), 2, "Missing argument 'DECK…'"),
        (("test-page", "-o", "s.pdf", "--stock", "x"), 2, "The stock “x” is not known"),
    ],
)
def test_bad_input_gets_one_sentence_and_leaves_nothing(
    labels: Callable[..., Result], tmp_path: Path, arguments: tuple[str, ...], status: int, says: str
) -> None:
    Path("old.pdf").write_text("mine", encoding="utf-8")
    refused = labels(*arguments)
    assert refused.exit_code == status
    assert refused.stderr.startswith(says)
    assert refused.stderr.count("\n") == 1
    assert refused.stdout == ""
    assert files(tmp_path) == {"old.pdf"}
    assert Path("old.pdf").read_text(encoding="utf-8") == "mine"


def test_a_starter_label_without_room_stops_no_other(labels: Callable[..., Result]) -> None:
    whole, partly = labels("starter", "-o", "all.pdf"), labels("starter", "-o", "s.pdf", "--stock", "L4731REV")
    assert (whole.exit_code, whole.stderr, partly.exit_code) == (0, "", 1)
    count = [int(result.stdout.split(" ", 1)[0]) for result in (whole, partly)]
    refused = partly.stderr.splitlines()
    assert all(line.startswith("Not printed: ") for line in refused)
    assert 0 < count[1] < count[0]
    assert refused
    assert Path("s.pdf").exists()


def test_force_overwrites(labels: Callable[..., Result]) -> None:
    Path("old.pdf").write_text("mine", encoding="utf-8")
    assert labels("starter", "-o", "old.pdf", "--force").exit_code == 0
    assert Path("old.pdf").read_bytes().startswith(b"%PDF")


@pytest.mark.slow
def test_two_processes_print_the_same_bytes(tmp_path: Path) -> None:
    for number in ("1", "2"):
        command = [sys.executable, "-m", "companion.cli", "labels", "starter", "-o", f"{number}.pdf"]
        subprocess.run(command, cwd=tmp_path, env=os.environ | {"PYTHONHASHSEED": number}, check=True)
    assert (tmp_path / "1.pdf").read_bytes() == (tmp_path / "2.pdf").read_bytes()


def test_the_commands_are_listed_without_loading_what_prints() -> None:
    program = (
        "rooms = 'reportlab', 'PIL', 'pypdfium2', 'zxingcpp', 'pymupdf_fonts', 'sqlalchemy'; "
        "import sys; from click.testing import CliRunner; from companion.cli.main import main; "
        "assert CliRunner().invoke(main, ['labels', '--help']).exit_code == 0; "
        "print([room for room in rooms if room in sys.modules])"
    )
    result = subprocess.run([sys.executable, "-c", program], capture_output=True, encoding="utf-8", check=True)
    assert result.stdout == "[]\n"
