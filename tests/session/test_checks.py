"""What `expect` says of a table: values by their words, lists as sets unless their order matters."""

from pathlib import Path

import pytest
from msgspec.structs import replace

from companion.session.core.replay import Replay, unmet
from companion.tabletop.notation.notation import Notation
from companion.tabletop.table.common_actions import Expect
from companion.tabletop.table.table import Counter, SeatView, TableView, Thing, Zone

TABLES = Path(__file__).parents[1] / "tables"
TABLE = TableView(
    "duel",
    "Duel",
    counters=(
        Counter("outcome", None),
        Counter("left", -2),
        Counter("draft", ("ben", "cy", "ana"), ordered=True),
        Counter("pool", 12),
    ),
    zones=(Zone("middle", "Middle", (Thing("boss", "Boss", (Counter("labels", ("tough", "doom")),)),)),),
    seats=(
        SeatView(
            "ana",
            "Ana",
            counters=(Counter("committed", ("9S", "10H", "9S")), Counter("in-fight", True), Counter("held", ())),
            zones=(
                Zone("minions", "Minions", (Thing("minion ana:AS", "Rat", (Counter("hp", 3),)),)),
                Zone("revealed", "Revealed", (Thing("ana's 9S", "9♠", (Counter("value", 9),)),)),
            ),
        ),
    ),
)
NOTATION = Notation((Expect,))


def error_of(line: str) -> str:
    action = NOTATION.parse(f"expect {line}")
    assert isinstance(action, Expect)
    return str(unmet(TABLE, action))


@pytest.mark.parametrize(
    "line",
    [
        *("table pool 12", "table outcome none", "table OUTCOME None", "ana in-fight yes", "ana held none"),
        *("ana committed 10h 9♠ 9s", "ana committed TH 9S 9S", "boss labels doom tough", "boss labels Tough Doom"),
        *("table pool 012", "table left -2", "table left -02", "ana committed 9S 10H", "ana committed 10H 10H 9S"),
        *("table draft ben cy ana", "minion ANA:as hp 3", '"Ana\'s 9s" value 9', "wolf gone", "minion ana:AH gone"),
    ],
)
def test_it_holds(line: str) -> None:
    assert error_of(line) == ""


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("table pool 11", "table pool is 12, expected 11."),
        ("table outcome win", "table outcome is none, expected win."),
        ("ana in-fight no", "ana in-fight is yes, expected no."),
        ("table pool +12", "table pool is 12, expected +12."),
        ("table pool 12 12", "table pool is 12, expected 12 12."),
        ("table pool 0", "table pool is 12, expected 0."),
        ("table left 2", "table left is -2, expected 2."),
        ("table outcome none none", "table outcome is none, expected none none."),
        ("ana committed 9S", "ana committed is 9S 10H 9S, expected 9S."),
        ("ana committed 9S 10H none", "ana committed is 9S 10H 9S, expected 9S 10H none."),
        ("table draft ben cy ana ana", "table draft is ben cy ana, expected ben cy ana ana."),
        ("ana held 9S", "ana held is none, expected 9S."),
        ("boss labels none", "boss labels is tough doom, expected none."),
        ("table draft cy ben ana", "table draft is ben cy ana, expected cy ben ana."),
        ("boss gone", "boss is still there."),
        ("minion ana:AS gone", "minion ana:AS is still there."),
        ("ana luck 3", "ana has no counter “luck”; it has committed, in-fight, held."),
        ("wolf hp 3", "There is no “wolf” on the table; there are table, ana, boss, minion ana:AS, ana's 9S."),
    ],
)
def test_it_does_not_hold_and_why(line: str, reason: str) -> None:
    assert error_of(line) == reason


@pytest.mark.parametrize("game", ["decknforge", "oddfrontier", "solforge", "soulforger"])
def test_a_check_reads_the_counters_that_the_table_shows(game: str) -> None:

    for file in sorted(TABLES.joinpath(game).glob("*.table"))[:12]:
        replay = Replay(file.read_text("utf-8"))
        for _ in replay:
            view = replay.session.table()
            for target in (*view.targets(), "nothing"):
                assert replay.session.counters_of(target) == view.counters_of(target), (file, target)

    assert replay.session.targets() == view.targets()


@pytest.mark.parametrize("line", ["nobody{} hp 1", "ana no{} 1", "table pool {}"])
def test_what_a_check_asks_for_is_told_in_few_words(line: str) -> None:
    assert len(error_of(line.format("9" * 9_000))) < 200


@pytest.mark.parametrize(
    ("words", "is_met"),
    [("ana+ben", True), ("ben+ana", True), ("Ben ana", True), ("ana", False), ("ana ben cy", False), ("none", False)],
)
def test_a_shared_win_is_a_list_of_players(words: str, is_met: bool) -> None:
    table = replace(TABLE, counters=(*TABLE.counters[1:], Counter("outcome", "ana+ben")))
    action = NOTATION.parse(f"expect table outcome {words}")
    assert isinstance(action, Expect)
    assert (unmet(table, action) == "") is is_met
