"""What a page's own lines offer is what can be done, neither more nor less, however it was found."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from companion.games.described.game import DescribedGame
from companion.games.described.load import game_from_text
from companion.session.core.replay import Replay
from companion.tabletop.table.choices import Open, accepts, allows
from companion.tabletop.table.table import Draft
from tests.games.described import pages, player

PAIRS = """
name = "pairs"
title = "Pairs"
[play]
players = "2-3"
[counters.life]
start = 4
out = "<= 0"
[counters.mana]
start = 2
[counters.wounds]
of = "rival"
[counters.power]
of = "beast"
start = 2
[counters.hp]
of = "beast"
start = 3
out = "<= 0"
[counters.gold]
of = "mine"
[flags.tapped]
of = "beast"
[flags.fresh]
start = true
[tokens.crown]
[things.beast]
[things.mine]
of = "table"
[pools.deck]
cards = [{ name = "Gain", does = ["add me mana 1"] }, { name = "Lose", does = ["add each life -1"] }]
refill = false
[actions.strike]
takes = "THING THING2"
when = ["me has THING", "me has not THING2", "THING has not tapped", "THING != THING2"]
does = ["add THING2 hp -THING.power", "set THING tapped yes"]
[actions.pair]
takes = "THING THING2"
when = ["THING power > THING2.hp", "THING != THING2"]
does = ["add THING power 1"]
[actions.lift]
takes = "THING"
when = ["THING hp < power"]
does = ["set THING hp THING.power"]
[actions.wound]
takes = "SEAT"
costs = { mana = 1 }
does = ["add SEAT wounds-me 1"]
[actions.crown]
takes = "SEAT"
when = ["SEAT life >= 2"]
does = ["give crown SEAT"]
[actions.grab]
when = ["me has not fresh"]
does = ["give crown me"]
[actions.dig]
takes = "THING"
does = ["add THING gold 1", "draw deck for me"]
[actions.slay]
takes = "THING"
when = ["me mana > THING.power"]
does = ["add me life THING.power", "remove THING"]
[actions.wake]
does = ["set me fresh no", "put owl beast of me"]
whose = "any"
"""


def check(game: DescribedGame, state: Any) -> None:
    """Whether each line is offered to each seat just when the rules accept something that can be said with it."""
    plan = game.plan(state)
    for action in plan.own_actions:
        takes_seat = "seat" in action.__struct_fields__
        for seat in [each.seat for each in state.players] if takes_seat else [""]:
            draft = Draft(action, {"seat": seat} if seat else {})
            if seat and (state.player(seat).out or (action.own.whose == "turn" and state.active not in ("", seat))):
                continue  # it is offered to nobody else
            assert plan.may(state, draft) == accepts(game, state, draft), (action.verb(), seat)


@pytest.mark.parametrize("seed", range(6))
def test_what_is_offered_is_what_can_be_done(seed: int) -> None:
    game = game_from_text(PAIRS)
    assert isinstance(game, DescribedGame)
    session = player.begun(game, chance := Random(seed))
    kinds = ("beast", "beast", "mine")
    for number in range(18):
        lines = [
            f"put t{number} {chance.choice(kinds)}",
            f"add {chance.choice(('t1', 't2', 't3'))} {chance.choice(('power', 'hp'))} {chance.choice((-1, 2))}",
            f"set t{chance.randrange(4)} tapped yes",
            f"wake {session.state.active}",
            f"draw deck for {session.state.active}",
            "next",
        ]
        try:
            session.enter(chance.choice(lines))
        except ValueError:
            continue
        if session.state.outcome:
            break
        check(game, session.state)


NUMBERS = """
name = "numbers"
title = "Numbers"
[play]
players = "2-3"
[counters.life]
start = 12
most = 20
[counters.coins]
start = 3
[counters.price]
of = "table"
start = 5
[counters.size]
of = "beast"
start = 4
[things.beast]
zone = "den"
[zones.den]
lanes = 9
[sheet]
columns = ["tricks"]
at = { tricks = "play" }
limit = { tricks = "tricks >= 3" }
[[steps]]
name = "play"
[actions.small]
takes = "N"
when = ["N < 4"]
does = ["add me life N"]
[actions.large]
takes = "N"
when = ["N >= 4"]
does = ["add me life N"]
[actions.nil]
takes = "N"
when = ["N < 1"]
[actions.exact]
takes = "N"
when = ["N = table.price"]
[actions.between]
takes = "N"
when = ["N > table.price", "N < 8", "N != 6"]
[actions.offer]
takes = "N"
when = ["N > table.price", "me.coins >= N"]
does = ["set table price N"]
[actions.overpay]
takes = "N"
costs = { coins = "N" }
when = ["table.price + N >= 10"]
[actions.pay]
takes = "SEAT N"
costs = { coins = "2 * N - 3" }
when = ["SEAT != me"]
does = ["add SEAT coins N"]
[actions.slow]
takes = "N"
when = ["2 * N > 2 * table.price + 1"]
[actions.never]
takes = "N"
when = ["N > 6", "N < 5"]
[actions.odd]
takes = "N"
when = ["2 * N = 7"]
[actions.feed]
takes = "N THING"
when = ["THING.size <= N", "N <= me.coins"]
does = ["add THING size -N"]
[actions.tame]
takes = "THING N"
when = ["N = THING.size + 2"]
does = ["add THING size 1"]
[actions.share]
takes = "N N2"
when = ["N + N2 = table.price + 10"]
does = ["add me life N"]
[actions.rise]
takes = "N N2"
when = ["N > N2", "N2 >= 5"]
[actions.fall]
takes = "N N2"
when = ["N2 < N", "N2 >= 5", "N <= 6"]
[actions.squares]
takes = "N"
when = ["N * N >= 30"]
[actions.listed]
takes = "N"
when = ["[1, 3, 6, 10] by N = 10"]
[actions.beyond]
takes = "N"
when = ["max(0, N - table.price) >= 3"]
[actions.odds]
takes = "N"
when = ["others coins < N"]
[actions.gains]
takes = "[N]"
when = ["N >= 7"]
does = ["add me life N"]
[actions.place]
takes = "TEXT N"
does = ["put TEXT beast of me lane N"]
[actions.mark]
takes = "N"
does = ["enter me tricks N"]
"""


def fits(game: DescribedGame, state: Any, draft: Draft) -> bool:
    """Whether the rules accept a line with any arguments, of numbers from 0 to 20."""
    if not draft.missing:
        return allows(game, state, draft)
    field = draft.missing[0].field
    values = game.candidates(state, draft, field)
    if not isinstance(values, Open):
        return any(fits(game, state, draft.having(field, each.value)) for each in values)
    numbers = range(21) if isinstance(values.example, int) else (values.example,)
    return any(fits(game, state, draft.having(field, number)) for number in numbers)


def test_a_number_is_asked_for_if_any_fits() -> None:
    game = game_from_text(NUMBERS)
    assert isinstance(game, DescribedGame)
    session = player.begun(game, Random(1))
    offered = set[str]()
    for line in (
        *("add table price 0", "set ana coins 30", "add table price 3", "put cat beast of ana", "set ana coins 4"),
        *("put dog beast of ana with 9", "set table price 0", "set ana coins 0", "set ben coins 15"),
    ):
        session.enter(line)
        for action in game.plan(session.state).own_actions:
            draft = Draft(action, {"seat": session.state.active})
            possible = fits(game, session.state, draft)
            assert game.plan(session.state).may(session.state, draft) == possible, (line, action.verb())
            if possible:
                offered.add(action.verb())
                # Each field leads to the next one, and the number proposed can be typed.
                assert accepts(game, session.state, draft), (line, action.verb())
    assert set(game.description.actions) - offered == {"never", "odd"}


@pytest.mark.parametrize(
    "name",
    [
        "keys/actions",
        "keys/amounts",
        "keys/conditions",
        "keys/numbers-of-things",
        "keys/standing",
        "keys/starts",
        "keys/teams-figures",
        "keys/tokens",
        "treasure",
        "standees",
        "trade-row",
    ],
)
def test_the_same_at_recorded_tables(name: str) -> None:
    path = pages.TABLES / f"{name}.table"
    if path.with_suffix(".toml").exists():
        pages.load(path.with_suffix(".toml"))
    replay = Replay(path.read_text(encoding="utf-8"))
    assert not any(line.failure for line in replay)
    game: Any = replay.session.game
    for moment in replay.session.moments():
        if moment.state.round and not moment.state.outcome:
            check(game, moment.state)
