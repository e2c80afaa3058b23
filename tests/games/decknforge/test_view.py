"""What screens get to see of a table: which figures need room, flags, forecasts, standing, and what is said when."""

from __future__ import annotations

import pytest

from companion.games.decknforge.rules.actions import Bosses
from companion.tabletop.records import Reason
from companion.tabletop.table.choices import Open, choices
from companion.tabletop.table.table import TableView, draft
from tests.games.decknforge.sessions import session_after

TWO = ("seat ana", "seat ben", "active ana")
BEGUN = (*TWO, 'monster ana AS "Wyrm" hp 18 atk 3', 'monster ana AH "Hound" hp 20 atk 3', "bosses ana:AS ana:AH")
FIGHT = (*BEGUN, "begin seed 1")


def seen(*lines: str) -> TableView:
    """What screens get of the table to which lines lead."""
    return session_after(*lines).view()


def flags(view: TableView) -> dict[str, tuple[str, ...]]:
    return {seat.seat: tuple(map(str, seat.flags)) for seat in view.seats}


# Figures


def test_a_screen_with_little_room_shows_the_main_counters() -> None:
    view = seen(*FIGHT, "reveal ana QS", "reveal ben QD", "next", "damage", "next", "refill")
    zones = {zone.name: zone.things[0] for zone in view.zones}
    targets = {
        "table": view.counters,
        "seat": view.seats[0].counters,
        "boss": zones["boss"].counters,
        "minion": zones["minions"].counters,
    }
    assert {
        what: [counter.name for counter in counters if counter.is_visible] for what, counters in targets.items()
    } == {
        "table": ["round", "active", "pool"],
        "seat": ["hp", "coppers", "hand", "deck", "shield", "glory"],
        "boss": ["hp", "atk"],
        "minion": ["hp", "atk"],
    }
    assert [(what, counter.name) for what, counters in targets.items() for counter in counters if counter.big] == [
        ("seat", "hp"),
        ("boss", "hp"),
    ]
    assert [counter.name for counter in view.counters if not counter.settable] == ["draft"]


def test_a_bar_is_full_at_20_hp_and_never_overfull() -> None:
    view = seen(*FIGHT, "set ana hp 23", "set boss hp 40", "set ben hp 4")
    boss = view.zones[0].things[0].counters[0]
    assert [(seat.counters[0].value, seat.counters[0].top) for seat in view.seats] == [(23, 23), (4, 20)]
    assert (boss.value, boss.top) == (40, 40)
    assert seen(*FIGHT, "set boss hp 5").zones[0].things[0].counters[0].top == 36


def test_attack_says_its_sum_only_where_there_is_one() -> None:
    empty_pool = ("set table pool 0", "reveal ana 2S", "reveal ben 2D", "next", "damage", "next", "refill")

    def why(*lines: str) -> str:
        return str(seen(*lines).zones[0].things[0].counters[1].why)

    assert why(*FIGHT) == ""
    assert why(*BEGUN, 'monster ana AS "Wyrm" hp 18 atk 3 labels vicious', "begin seed 1") == "3 written +1 Vicious"
    assert why(*FIGHT, *empty_pool) == ("3 written +1 Escalation")


def test_a_boss_comes_with_its_number_its_star_and_its_labels() -> None:
    view = seen(*BEGUN, 'monster ana AS "Wyrm" hp 18 atk 3 labels tough legend', "begin seed 1")
    boss = view.zones[0].things[0]
    assert (view.zones[0].name, str(boss.title)) == ("boss", "Boss 1 of 6 · Wyrm (A♠ of Ana)")
    assert boss.starred
    assert tuple(map(str, boss.notes)) == ("tough: Each attacking card −1 damage",)
    assert [zone.name for zone in view.zones] == ["boss"]
    assert not seen(*FIGHT).zones[0].things[0].starred


# Flags


def test_flags_tell_what_holds_now() -> None:
    session = session_after(*FIGHT)
    assert flags(session.view()) == {"ana": ("active",), "ben": ()}
    for line in ("reveal ana QS", "reveal ben QD", "brace ana pay 2C"):
        session.enter(line)
    assert flags(session.view()) == {"ana": ("active", "braced"), "ben": ()}
    assert flags(seen(*FIGHT, "set ben hp 0")) == {"ana": ("active",), "ben": ("out",)}
    assert flags(seen(*FIGHT, "set ben skips-plot yes")) == {"ana": ("active",), "ben": ("skips Plot",)}


# What lies before a wizard


def test_a_revealed_card_tells_all_that_was_done_to_it() -> None:
    session = session_after(*TWO, "seat cy", "inscribed ben 9D sharp", *BEGUN[3:], "begin seed 1", "hold ana KS")
    for line in ("reveal ana QS", "reveal ben 9D", "reveal cy 3C"):
        session.enter(line)
    plain = session.view().seats[1].zones[0].things[0]
    assert (plain.target, plain.counters[0].settable) == ("ben's 9D", False)
    assert tuple(map(str, plain.notes)) == ("sharp",)
    for line in ("foil ana ben pay 2C 2D", "spike ben pay 1", "next", "convert ben"):
        session.enter(line)
    notes = session.view().seats[1].zones[0].things[0].notes
    assert tuple(map(str, notes)) == ("Converts as ♦", "sharp", "Spike ×1", "Foil ×1")
    ana = {zone.name: zone for zone in session.view().seats[0].zones}
    assert ana["held"].things[0].title == "K♠"
    assert "held" not in [zone.name for zone in session.view().seats[1].zones]


# Where a dungeon stands, for a list


@pytest.mark.parametrize(
    ("lines", "standing"),
    [
        (TWO, ()),
        (
            FIGHT,
            (Reason("boss", (1, "Wyrm", "AS", "Ana")), Reason("round", (1,)), Reason("step", ("reveal",))),
        ),
        ((*FIGHT, "set table outcome loss"), (Reason("outcome", ("loss",)),)),
    ],
)
def test_a_list_tells_where_a_dungeon_stands(lines: tuple[str, ...], standing: tuple[Reason, ...]) -> None:
    assert seen(*lines).standing == standing


# Hints


@pytest.mark.parametrize(
    ("seats", "hints"),
    [
        ("", ()),
        ("ana", ("The rules are tuned for 3 to 5 wizards, and there is only one here (A1.1).",)),
        ("ana ben", ("The rules are tuned for 3 to 5 wizards, and there are 2 here (A1.1).",)),
        ("ana ben cy", ()),
        ("ana ben cy dee", ()),
        ("ana ben cy dee eve", ()),
    ],
)
def test_how_many_wizards_the_rules_are_tuned_for(seats: str, hints: tuple[str, ...]) -> None:
    assert tuple(map(str, seen(*(f"seat {seat}" for seat in seats.split())).hints)) == hints


def test_another_boss_can_be_named_until_a_card_is_revealed() -> None:
    session = session_after(*TWO, "begin seed 1")
    (hint,) = (each for each in session.view().hints if "Is the Boss not" in each)
    assert str(hint).startswith("Is the Boss not ")
    assert str(hint).endswith("? `bosses REF` names the right one.")
    session.enter("reveal ana QS")
    assert hint not in session.view().hints
    for line in ("reveal ben QD", "next", "damage", "next", "refill"):
        session.enter(line)
    assert (session.view().step, session.state.round) == ("reveal", 2)
    assert not any("Is the Boss not" in each for each in session.view().hints)


WON = ("set boss hp 1", "reveal ana QS", "reveal ben QD", "next", "damage", "bonus rally")


def test_the_hint_for_the_next_boss_names_those_fought_so_far() -> None:
    begun = (*TWO, "bosses ana:AS", "begin seed 1")
    (hint,) = (each for each in seen(*begun, *WON).hints if "Is the Boss not" in each)
    assert str(hint).startswith("Is the Boss not ")
    assert str(hint).endswith("? `bosses ana:AS REF` names the right one. Fought so far: A♠ of Ana.")


def test_another_boss_is_chosen_behind_those_that_are_known() -> None:
    session = session_after(*TWO, "bosses ana:AS", "begin seed 1", *WON)
    offered = choices(session.game, session.state, draft(Bosses), "monsters")
    assert isinstance(offered, Open)
    others = set(session.state.monsters) - set(session.state.order[:2])
    assert {choice.value for choice in offered.fitting} == {("ana:AS", ref) for ref in others}


@pytest.mark.parametrize(
    ("lines", "is_asked"),
    [
        (("begin seed 1",), True),
        (("bosses ana:AS", "begin seed 1"), False),
        (("begin seed 1", "bosses ana:AS"), False),
        (("bosses ana:AS", "begin seed 1", *WON), True),
        (("bosses ana:AS ana:AH", "begin seed 1", *WON), False),
        (("bosses ana:AS ana:AH", "begin seed 1", "bosses ben:RJ", *WON), True),
        (("bosses ana:AS ana:AH", "begin seed 1", "bosses ana:AS", *WON), False),
        (("bosses ana:AS", "begin seed 1", "bosses ana:AS ben:RJ", *WON), False),
    ],
)
def test_another_boss_is_asked_for_only_where_it_was_drawn(lines: tuple[str, ...], is_asked: bool) -> None:
    assert any("Is the Boss not" in hint for hint in seen(*TWO, *lines).hints) == is_asked


def test_damage_is_forecast_from_the_tactics_on() -> None:
    session = session_after(*FIGHT, "reveal ana 3S")
    assert not any(str(hint).startswith("Now:") for hint in session.view().hints)
    session.enter("reveal ben 4D")
    for line in ("next", "set boss hp 6"):
        assert "Now: 3 + 4 = 7 damage, Boss 36 → 29." in map(str, session.view().hints)
        session.enter(line)
    assert str(session.view().hints[0]) == "Now: 3 + 4 = 7 kills the Boss, overkill 1; Ben would take the kill."


def test_a_blow_that_is_not_lethal_leaves_at_least_one_hp() -> None:
    lines = ("reveal ana 3S", "reveal ben 4D")
    assert str(seen(*FIGHT, "set boss hp 8", *lines).hints[0]) == "Now: 3 + 4 = 7 damage, Boss 8 → 1."
    assert "overkill 0" in seen(*FIGHT, "set boss hp 7", *lines).hints[0]
