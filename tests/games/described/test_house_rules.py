"""Pages with many house rules, each with many values: what they cost grows with their number alone."""

from __future__ import annotations

import gc
from pathlib import Path

import pytest

from companion.archive import Archive
from companion.games.described.check import play_random
from companion.games.described.game import DescribedGame
from companion.games.described.load import game_from_text
from companion.games.described.page.reading import PageError, place_faults, read_description
from companion.games.described.rules.plan import PagePlan
from companion.plain import opening
from companion.session.core import archive_journal
from companion.session.core.replay import Replay
from companion.session.core.session import Session
from companion.session.table.seating import TableForm
from companion.tabletop.action import RuleError
from companion.tabletop.table.completion import complete
from companion.tabletop.table.house_rules import TABLE
from tests.steps import steps

CROWN = 'name = "crown"\ntitle = "Crown"\n[counters.life]\nstart = 20\nout = "<= 0"\n[end]\nlast-left = true\n'


def with_rules(rules: int, values: int = 20, text: str = CROWN) -> str:
    """A page with so many house rules, each with so many values."""
    for rule in range(rules):
        text += f"[house.r{rule}]\nask = 'How much life?'\n[house.r{rule}.values]\nv0 = {{}}\n"
        text += "".join(f"v{value} = {{ 'counters.life.start' = {value} }}\n" for value in range(1, values))
    return text


def crown(rules: int) -> DescribedGame:
    """The game of that page."""
    return DescribedGame(read_description(with_rules(rules)))


def kept_plans() -> int:
    """The number of plans that are kept anywhere."""
    gc.collect()
    return sum(isinstance(each, PagePlan) for each in gc.get_objects())


def test_reading_takes_as_much_for_each_rule() -> None:
    read_description(CROWN)  # what is loaded or kept for later is not counted
    few, many = (steps(read_description, with_rules(rules)) for rules in (6, 24))
    assert many < 4.2 * few


def test_reading_takes_as_much_for_each_value() -> None:
    read_description(CROWN)
    few, many = (steps(read_description, with_rules(3, values)) for values in (15, 60))
    assert many < 4.2 * few


def test_trying_takes_as_much_for_each_rule() -> None:
    few, many = (steps(play_random, crown(rules), 0) for rules in (6, 24))
    assert many < 6 * few, "a rule is found among the others"


def test_random_games_take_as_much_with_many_rules() -> None:
    few, many = (steps(play_random, tried, 3) - steps(play_random, tried, 0) for tried in (crown(6), crown(24)))
    assert many < 2 * few


def test_a_table_opens_as_fast_for_each_rule(tmp_path: Path) -> None:
    counted = []
    for name, rules in (("crown", 1), ("few", 6), ("many", 24)):
        page = tmp_path / f"{name}.toml"
        page.write_text(with_rules(rules, text=CROWN.replace("crown", name)), encoding="utf-8")
        counted.append(steps(play_recording, f"table {page}\nseat ana\nseat ben"))
    _, few, many = counted
    assert many < 4.2 * few


def play_recording(text: str) -> None:
    """A recording, played to its end, and the table that is shown then."""
    played = Replay(text)
    for _ in played:
        pass
    played.session.view()


@pytest.mark.slow
def test_what_rules_come_to_is_kept_for_few_of_them() -> None:
    before, tried = kept_plans(), crown(24)
    play_random(tried, 0)
    assert kept_plans() - before < 100


def test_faults_are_placed_by_reading_a_page_once() -> None:
    text = with_rules(24)
    one, many = (steps(place_faults, text, [("end.last-left", "It is wrong.")] * count) for count in (1, 40))
    assert many < 1.2 * one


def test_no_rule_has_more_values_than_can_be_asked() -> None:
    read_description(with_rules(1, 60))
    with pytest.raises(PageError, match=r"house\.r0.values: There are 61 here; at most 60 are allowed."):
        read_description(with_rules(1, 61))


def test_a_long_page_has_fewer_values() -> None:
    lines = "".join(f"[actions.a{at}]\ntakes = 'SEAT'\ndoes = {['add SEAT life -1'] * 20}\n" for at in range(100))
    read_description(with_rules(1, 5, CROWN + lines))
    with pytest.raises(
        PageError, match=r"house: There are 1800 values here; a page as long as this has at most 1\d\d."
    ):
        read_description(with_rules(30, 60, CROWN + lines))


def test_each_value_of_many_is_checked() -> None:
    wrong = with_rules(30, 60) + "v60 = { 'counters.life.start' = -1 }\n"
    wrong = wrong.replace("v59 = { 'counters.life.start' = 59 }\nv60", "v60")
    with pytest.raises(
        PageError, match=r"house\.r29.values.v60.counters.life.start: With this, counters.life.start: It starts"
    ):
        read_description(wrong)


DRAWS = """
name = "market"
title = "Market"
[counters.coins]
start = 9
[counters.cost]
of = "offer"
start = 2
[things.offer]
of = "table"
[pools.market]
cards = [{ name = "Ship", copies = 9, puts = "offer" }]
[actions.open]
does = ["draw market for me"]
[actions.buy]
takes = "THING"
costs = { coins = "cost of THING" }
does = ["remove THING", "draw market for me"]
[house.rich]
ask = "Rich?"
values = { no = {}, yes = { "counters.coins.start" = 20 } }
"""


def market(*lines: str) -> Session:
    """A table of two at the market, after these lines."""
    game = game_from_text(DRAWS)
    assert isinstance(game, DescribedGame)
    session = Session.new(game)
    for line in ("seat ana", "seat ben", *lines):
        session.enter(line)
    return session


def test_who_draws_can_change_during_the_game() -> None:
    session = market("begin seed 1")
    assert [prompt.line for prompt in session.view().later] == ["rule draws table"]
    session.enter("rule draws table")
    with pytest.raises(RuleError, match="say after `is` which one came"):
        session.enter("open ana")
    session.enter('open ana is "Ship"')
    assert [prompt.line for prompt in session.view().later] == ["rule draws program"]
    session.enter("rule draws program")
    session.enter("open ana")
    assert session.log.lines[-1].text == 'open ana is "Ship"'


def test_a_rule_that_changes_the_page_cannot_change_during_the_game() -> None:
    with pytest.raises(RuleError, match="`rule` belongs to the set-up"):
        market("begin").enter("rule rich yes")
    with pytest.raises(RuleError, match="There is no house rule"):
        market("begin").enter("rule poor yes")


def test_what_is_drawn_from_real_cards_is_offered_word_by_word() -> None:
    session = market("rule draws table", "begin", 'open ana is "Ship"', 'open ana is "Ship"')
    assert {each.word for each in complete(session.game, session.state, "buy ana ")} == {"ship", "ship-2"}
    assert "is" in {each.word for each in complete(session.game, session.state, "buy ana ship ")}
    assert {each.word for each in complete(session.game, session.state, "draw ")} == {"market"}
    session.enter("rule draws program")
    assert {each.word for each in complete(session.game, session.state, "buy ana ")} == {"ship", "ship-2"}


def test_a_new_table_begins_as_the_page_says_who_draws(archive: Archive, tmp_path: Path) -> None:
    page = tmp_path / "market.toml"
    page.write_text(DRAWS, encoding="utf-8")
    for typed in (("Ana", "Ben", "done"), ("seat ana", "seat ben")):
        opened = opening.open_table(archive, iter((f"table {page}", *typed)), str)
        assert opened is not None
        assert not archive_journal.resume(archive, opened.session).state.house.table_draws
    assert TableForm(archive, market().game, TABLE).initial_values() == {}


def test_a_house_rule_can_set_a_list() -> None:
    page = """
    name = "bids"
    title = "Bids"
    [sheet]
    columns = ["bid", "tricks"]
    limit = { bid = "bid <= 9" }
    [house.strict]
    ask = "Is it strict?"
    [house.strict.values]
    no = {}
    yes = { "sheet.limit.bid" = ["bid <= 9", "each.bid != 5"], "sheet.columns" = ["bid", "tricks", "extra"] }
    """
    session = Session.new(game_from_text(page))
    for line in ("seat ana", "seat ben", "first ana", "rule strict yes", "begin seed 1", "enter ana bid 3"):
        session.enter(line)
    with pytest.raises(RuleError):
        session.enter("enter ben bid 2")
    session.enter("enter ben bid 1")
