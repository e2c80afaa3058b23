"""Styles of the screens: a sheet that is loaded counts for every screen, so each rule names the one that it is for."""

import re
from pathlib import Path

import pytest

from companion.tui import screens

SHEETS = sorted(Path(screens.__file__).parent.glob("*.tcss"))
SCREENS = (
    "AnotherGameScreen",
    "AskingScreen",
    "DeckScreen",
    "EveningScreen",
    "FormScreen",
    "Help",
    "Home",
    "ListScreen",
    "PhonesScreen",
    "PrintScreen",
    "PrintedScreen",
    "RebuildScreen",
    "TableScreen",
    "VersionsScreen",
)


@pytest.mark.parametrize("sheet", SHEETS, ids=lambda sheet: sheet.stem)
def test_the_rules_of_one_screen_reach_no_other(sheet: Path) -> None:
    rules = re.sub(r"/\*.*?\*/", "", sheet.read_text(encoding="utf-8"), flags=re.DOTALL)
    heads = [selector.strip() for head in re.findall(r"([^{}]+)\{", rules) for selector in head.split(",")]
    assert heads
    assert [head for head in heads if re.split(r"[ .#:>]", head)[0] not in SCREENS] == []
