"""What is usual on this machine, chosen by a command: it counts for every print that says nothing else."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from companion.cli.main import main
from companion.forms import settings
from tests.labels.test_black import check_black

Labels = Callable[..., Result]


def choose(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["settings", *arguments])


def test_usual_labels_and_paper_count_where_none_is_named(labels: Labels, own_stocks: Path) -> None:
    assert "Labels: 18294\nPaper: Letter\n" in choose().stdout
    chosen = choose("--stock", "l7160", "--paper", "A4")
    assert "Labels: L7160\nPaper: A4\n" in chosen.stdout
    assert (own_stocks.parent / "settings.toml").exists()
    assert "1 label on 1 sheet of L7160" in labels("blank", "1", "-o", "a.pdf").stdout
    assert "for A4 paper" in labels("aid", "-o", "b.pdf").stdout
    assert "Avery L7160" in labels("test-page", "-o", "t.pdf").stdout
    output = labels("blank", "1", "-o", "c.pdf", "--stock", "5160").stdout
    assert "These labels are on Letter, and your paper is A4: choose Letter where you print" in output
    assert "your paper is" not in labels("blank", "1", "-o", "d.pdf").stdout
    labels("sheets", "new", "red")
    assert json.loads(labels("sheets", "--json").stdout)[0]["stock"] == "L7160"
    data = json.loads(choose("--stock", "none", "--json").stdout)
    assert (data["stock"], data["paper"]) == ("18294", "A4")


def test_other_settings_stay(labels: Labels) -> None:
    settings.change(theme="nord", warnings="off")
    labels("calibrate", "office", "--dx", "1")
    assert choose("--printer", "OFFICE").exit_code == 0
    assert settings.read_settings()._asdict() | {} == {
        "theme": "nord",
        "printer": "office",
        "stock": "",
        "paper": "",
        "ink": "",
        "codes": "",
        "warnings": "off",
        "cards": "",
        "clock": "",
        "draws": "",
        "language": "",
    }


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("--stock", "4711"), "The stock “4711” is not known"),
        (("--paper", "a7"), "Paper is letter, a4, legal, a5, a6 or card, not “a7”"),
        (("--ink", "grey"), "Ink is black or colour, not “grey”"),
        (("--printer", "x"), "No printer is called “x”"),
    ],
)
def test_what_is_not_known_is_refused(labels: Labels, arguments: tuple[str, ...], says: str) -> None:  # noqa: ARG001
    refused = choose("--paper", "a4", *arguments)
    assert refused.exit_code in (1, 2)
    assert refused.stderr.startswith(says)
    assert settings.read_settings().paper == ""


def test_the_usual_ink_counts_where_none_is_named(labels: Labels) -> None:
    assert "Ink: by labels\n" in choose().stdout
    assert "Ink: black\n" in choose("--ink", "Black").stdout
    labels("starter", "-o", "black.pdf")
    check_black(Path("black.pdf").read_bytes())
    labels("starter", "-o", "colour.pdf", "--ink", "colour")
    with pytest.raises(AssertionError):
        check_black(Path("colour.pdf").read_bytes())
    assert json.loads(choose("--ink", "none", "--json").stdout)["ink"] == "by labels"
