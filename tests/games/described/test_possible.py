"""What a page's own lines offer is what can be done, neither more nor less, however it was found."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from companion.games.described.game import DescribedGame
from companion.games.described.load import game_from_text
from companion.session.core.replay import Replay
from companion.tabletop.table.choices import accepts
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


@pytest.mark.parametrize(
    "name",
    [
        "keys/actions",
        "keys/amounts",
        "keys/conditions",
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
