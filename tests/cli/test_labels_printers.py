"""Printers on the command line: four distances, what is computed from them, and what is printed with it."""

import json
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

from companion.forms import settings
from labels.geometry import MM
from labels.paper import stocks
from tests.labels.paper import Paper, text_in
from tests.terminal import Terminal

STOCK = stocks.find("18294")

Labels = Callable[..., Result]


def test_four_distances_make_a_printer_known(labels: Labels) -> None:
    result = labels("calibrate", "Office", typed="20.5\n19,2 mm\n\n241.2\n")
    assert result.exit_code == 0, result.stderr
    assert "Office: -0.5 mm right, +0.896 mm down, scale 1 across and 0.99502 down." in result.stdout
    (printer,) = json.loads(labels("printers", "--json").stdout)
    assert (printer["name"], printer["dx"], printer["sy"]) == ("Office", -0.5, 0.99502)
    assert "Office   -0.5 mm  +0.896 mm" in labels("printers").stdout


def test_what_is_no_length_is_asked_again(labels: Labels) -> None:
    result = labels("calibrate", "office", typed="about 20\n20\n\n\n\n")
    assert result.exit_code == 0
    assert "“about 20” is not a length; type millimetres" in result.stdout
    assert "+0 mm right" in result.stdout


def test_every_kind_of_print_is_moved_for_a_printer(labels: Labels) -> None:
    labels("calibrate", "office", "--dx", "2", "--dy", "1.5")
    for command in (("starter",), ("blank", "3"), ("test-page",), ("aid",)):
        assert labels(*command, "-o", "true.pdf", "--force").exit_code == 0
        assert labels(*command, "-o", "moved.pdf", "--force", "--printer", "OFFICE").exit_code == 0
        true, moved = (Paper(Path(name).read_bytes(), 300) for name in ("true.pdf", "moved.pdf"))
        whole = [paper.ink(type(STOCK.box(1))(0, 0, *STOCK.page_size)) for paper in (true, moved)]
        assert whole[0] is not None
        assert whole[1] is not None
        assert whole[1].x - whole[0].x == pytest.approx(2 * MM, abs=0.3)
        if command != ("test-page",):
            assert whole[0].top - whole[1].top == pytest.approx(1.5 * MM, abs=0.3)


def test_a_page_for_a_printer_says_so(labels: Labels) -> None:
    labels("calibrate", "office", "--dx", "2")
    labels("test-page", "-o", "t.pdf", "--printer", "office")
    text = text_in(Path("t.pdf").read_bytes(), type(STOCK.box(1))(0, 0, *STOCK.page_size))
    assert "Printed with the calibration of office" in text


def test_a_page_that_comes_too_near_to_an_edge_says_so(labels: Labels) -> None:
    labels("calibrate", "office", "--dx", "-11")
    result = labels("aid", "-o", "a.pdf", "--printer", "office")
    assert (result.exit_code, "comes within 3.0 mm of the paper's left edge" in result.stdout) == (0, True)


def test_a_test_page_on_other_paper_than_the_usual_one_says_so(labels: Labels) -> None:
    assert "your paper is" not in labels("test-page", "-o", "t.pdf").stdout
    settings.write(settings.ScreenSettings(paper="A4"))
    output = labels("test-page", "-o", "t.pdf", "--force").stdout
    assert "These labels are on Letter, and your paper is A4: choose Letter where you print" in output


def test_one_figure_changes_and_the_others_stay(labels: Labels) -> None:
    labels("calibrate", "office", "--dx", "0,5", "--sx", "1.01")
    labels("calibrate", "Office", "--dy", "-1")
    (printer,) = json.loads(labels("printers", "--json").stdout)
    assert (printer["dx"], printer["dy"], printer["sx"], printer["sy"]) == (0.5, -1, 1.01, 1)


def test_what_a_calibrated_page_still_misses_is_added(labels: Labels) -> None:
    labels("calibrate", "office", typed="21\n\n\n\n")
    result = labels("calibrate", "OFFICE", "--again", typed="20.4\n\n171.7\n\n")
    assert result.exit_code == 0, result.stderr
    assert "and with --printer, measure" in result.stdout
    (printer,) = json.loads(labels("printers", "--json").stdout)
    assert (printer["dx"], printer["sx"]) == (-1.198, 0.9901)
    labels("calibrate", "office", "--again", "--dy", "0.5")
    assert json.loads(labels("printers", "--json").stdout)[0]["dy"] == 0.5


@pytest.mark.sample(2)
@pytest.mark.posix
@pytest.mark.parametrize(("answer", "dx"), [("y", -1.5), ("n", -0.5)])
def test_a_terminal_is_asked_what_the_page_was_printed_with(labels: Labels, answer: str, dx: float) -> None:
    labels("calibrate", "office", "--dx", "-1")
    with Terminal((sys.executable, "-m", "companion.cli", "labels", "calibrate", "office")) as terminal:
        terminal.until("“Printed with the calibration of office”?")
        terminal.press(f"{answer}\r")
        terminal.until("from the left edge of the paper to A")
        terminal.press("20.5\r\r\r\r")
        assert terminal.ended() == 0
    assert json.loads(labels("printers", "--json").stdout)[0]["dx"] == dx


def test_a_small_sheets_test_page_is_measured_by_its_stock(labels: Labels, own_stocks: Path) -> None:
    (own_stocks / "card.toml").write_text(
        'name = "card"\ntitle = "Card"\npage = "148 x 105 mm"\norder = "down"\ncolumns = 1\nrows = 1\nunit = "mm"\n'
        "width = 100\nheight = 60\nleft = 20\ntop = 20\npitch_x = 100\npitch_y = 60\nradius = 0\n",
        encoding="utf-8",
    )
    assert labels("test-page", "--stock", "card", "-o", "t.pdf").exit_code == 0
    output = labels("calibrate", "office", "--stock", "card", typed="\n\n\n\n").stdout
    assert "as far as B [110" in output
    assert "as far as B [70" in output
    settings.write(settings.ScreenSettings(stock="card"))
    assert "as far as B [110" in labels("calibrate", "other", typed="\n\n\n\n").stdout
    settings.write(settings.ScreenSettings(stock="DK-11209"))
    assert "as far as B [170" in labels("calibrate", "third", typed="\n\n\n\n").stdout


def test_a_printer_is_forgotten(labels: Labels) -> None:
    labels("calibrate", "office", "--dx", "0.5")
    assert labels("calibrate", "office", "--forget").stdout == "“office” is forgotten.\n"
    assert labels("printers").stdout.startswith("No printer is calibrated yet.")


@pytest.mark.parametrize(
    ("arguments", "typed", "status", "says"),
    [
        (
            ("starter", "-o", "s.pdf", "--printer", "nope"),
            "",
            1,
            "No printer is called “nope”; companion labels calibrate",
        ),
        (("test-page", "-o", "s.pdf", "--printer", "nope"), "", 1, "No printer is called “nope”"),
        (("calibrate", "x", "--dx", "99"), "", 2, "A shift of 99 mm across is more than the 15 mm"),
        (("calibrate", "x", "--sx", "0"), "", 2, "A scale of 0 across is more than the 10%"),
        (("calibrate", "x", "--dx", "much"), "", 2, "Invalid value for '--dx': “much” is not a length"),
        (("calibrate", " "), "", 2, "A printer needs a name to be found by."),
        (("calibrate", "x", "--forget"), "", 1, "No printer is called “x”"),
        (("calibrate", "x"), "2\n2\n17\n24\n", 2, "A scale of 10 across is more than the 10%"),
        (("calibrate", "a b"), "20\n", 1, "Nobody answers here; measure and type at a terminal, or give the figures"),
        (("calibrate", "x", "--again"), "", 1, "No printer is called “x”"),
        (("calibrate", "x", "--stock", "DK-11209"), "", 2, "Brother DK-11209, roll of 800 small address"),
        (("test-page", "-o", "s.pdf", "--stock", "DK-11209"), "", 1, "Brother DK-11209, roll of 800 small address"),
    ],
)
def test_what_no_printer_can_be_is_one_sentence(
    labels: Labels, arguments: tuple[str, ...], typed: str, status: int, says: str
) -> None:
    refused = labels(*arguments, typed=typed)
    assert refused.exit_code == status
    assert refused.stderr.strip().startswith(says)
    assert labels("printers").stdout.startswith("No printer")
