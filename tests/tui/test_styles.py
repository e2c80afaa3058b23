"""Styles of the screens: a sheet that is loaded counts for every screen, so each rule names the one that it is for."""

import re
from pathlib import Path

import pytest

from companion.tui import screens
from companion.tui.textual_private import StylesReadOnce

SHEETS = sorted(Path(screens.__file__).parent.glob("*.tcss"))
SCREENS = (
    "AskingScreen",
    "DeckScreen",
    "FormScreen",
    "Help",
    "Home",
    "ListScreen",
    "PhonesScreen",
    "PrintScreen",
    "PrintedScreen",
    "TableScreen",
)


@pytest.mark.parametrize("sheet", SHEETS, ids=lambda sheet: sheet.stem)
def test_the_rules_of_one_screen_reach_no_other(sheet: Path) -> None:
    rules = re.sub(r"/\*.*?\*/", "", sheet.read_text(), flags=re.DOTALL)
    heads = [selector.strip() for head in re.findall(r"([^{}]+)\{", rules) for selector in head.split(",")]
    assert heads
    assert [head for head in heads if re.split(r"[ .#:>]", head)[0] not in SCREENS] == []


def test_styles_are_read_anew_for_other_colours_and_not_because_more_have_come() -> None:
    styles = StylesReadOnce(variables={"ink": "#ff0000"})
    styles.add_source("Static { color: $ink; }", ("here", ""))
    (before,) = styles.rules
    styles.add_source("Label { color: $ink; }", ("there", ""))
    styles.set_variables({"ink": "#ff0000"})
    styles.reparse()
    assert styles.rules[0] is before
    assert len(styles.rules) == 2
    styles.set_variables({"ink": "#0000ff"})
    styles.reparse()
    assert "#FF0000" not in styles.css
    assert styles.css.count("#0000FF") == 2
