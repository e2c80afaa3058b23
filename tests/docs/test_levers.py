"""The page of levers: each lever of §8 has its table, from figures that rehearsals have, told as they are."""

import re

from companion.games.decknforge.book.house import House
from companion.games.decknforge.game import GAME
from tests.docs.levers import (
    ALWAYS,
    LEVERS,
    PAGE,
    TABLES,
    Row,
    cell,
    chance_sentence,
    games_at,
    names,
    rewrite,
    size_sentence,
    summary,
    table_of,
)

OF_THE_BOOK = {"foil_cost", "kill_credit", "easy_reward", "session_copper_cap", "pressure", "comeback"}


def test_each_lever_of_the_book_has_its_table() -> None:
    assert names(PAGE.read_text(encoding="utf-8")) == ["size", "chance", "summary", *(lever.rule for lever in LEVERS)]
    pulled = House()
    for lever in LEVERS:
        key, _, value = lever.rule.partition("=")
        pulled = pulled.change_rule(key, value)
    changed = {field for field in House.__struct_fields__ if getattr(pulled, field) != getattr(House(), field)}
    assert changed == OF_THE_BOOK


def test_what_a_lever_is_asked_is_counted() -> None:
    rehearsal = GAME.rehearsal
    counted = {figure.key for figure in (*rehearsal.figures, *rehearsal.tables)}
    keys = {key.partition(":")[0] for lever in LEVERS for key in (lever.symptom, *lever.figures, *ALWAYS)}
    assert keys <= counted


def test_a_cell_says_what_is_sure_and_what_never_took_effect() -> None:
    assert cell(Row("win", "Won", True, 0.489, -0.077, -0.086, -0.068)) == "48.9 % **−7.7 ± 0.9**"
    assert cell(Row("falls", "Falls", False, 1.5, 0.1, -0.1, 0.3)) == "1.50 +0.10 ± 0.20"
    assert cell(Row("win", "Won", True, 0.5, 0.0, 0.0, 0.0)) == "50.0 % ="
    assert cell(Row("win", "Won", True, 0.7, -0.083, -0.18, -0.002)) == "70.0 % **−8.3 (−18.0 to −0.2)**"


def test_tables_take_the_place_of_those_before_and_prose_stays() -> None:
    won = Row("win", "Dungeons won", True, 0.5, 0.1, 0.05, 0.15)
    rows = {lever.rule: {table: {"win": won} for table in TABLES} for lever in LEVERS}
    parts = {lever.rule: table_of(lever, rows[lever.rule]) for lever in LEVERS} | {"summary": summary(rows)}
    before = PAGE.read_text(encoding="utf-8")
    after = rewrite(before, parts)
    assert after.count("| Dungeons won | 50.0 % **+10.0 ± 5.0** |") == len(LEVERS)
    assert after.count("+10.0 points") == len(LEVERS)
    assert [line for line in before.splitlines() if line.startswith("#")] == [
        line for line in after.splitlines() if line.startswith("#")
    ]


def test_the_page_says_how_many_cells_are_bold_by_chance() -> None:
    page = PAGE.read_text(encoding="utf-8")
    tables = page[page.index("## ") :]
    cells = re.findall(r"(?<=\| )\d[\d.]*(?: %)? (?:=|\*\*[^|]*|[^|]*±[^|]*)(?= \|)", tables)
    bold, equal = sum("**" in each for each in cells), sum(each.endswith("=") for each in cells)
    part = f"Of {len(cells)} cells {equal} are `=`. Of the other {len(cells) - equal} are {bold} bold; about"
    assert part in page
    sure, nothing = Row("win", "Won", True, 0.5, 0.1, 0.05, 0.15), Row("win", "Won", True, 0.5, 0, 0, 0)
    rows = {"foilCost=1": {"3 greedy": {"win": sure}, "3 mixed": {"win": nothing}}}
    assert chance_sentence(rows).startswith("Of 2 cells 1 are `=`. Of the other 1 are 1 bold; about 0 would be")


def test_tables_with_thinkers_say_how_many_campaigns_they_are_of() -> None:
    assert [games_at(table, 100) for table in TABLES] == [100, 100, 24, 100, 100]
    assert size_sentence(100) == "Each figure is of 100 campaigns (3 thinking: 24) of 6 evenings, played by both rules."
