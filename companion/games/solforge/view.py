"""SolForge's table as screens see it: each player with five lanes in order."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from companion.games import counters
from companion.games.constructed.table import Brought
from companion.games.decklist import ListedCard
from companion.games.solforge.actions import Battle
from companion.games.solforge.battle import battle
from companion.games.solforge.counters import CREATURE_GAUGES, PLAYER_GAUGES, TABLE_GAUGES
from companion.games.solforge.deck_list import understood
from companion.games.solforge.keywords import KEYWORDS, written
from companion.games.solforge.prompts import prompts
from companion.games.solforge.state import LANES, RANK_TURNS, Creature, Player, Resolution, Table, armor_left
from companion.games.table import Counter, RoundStep, SeatView, TableView, Thing, Zone

NAME: Final = "solforge"
TITLE: Final = "SolForge"
ASLEEP: Final = "asleep"
STEPS: Final = (RoundStep("before", "Before the Battle"), RoundStep("after", "After the Battle"))


def view(state: Table) -> TableView:
    """Everything there is to show of a table."""
    return TableView(
        NAME,
        TITLE,
        counters=tuple(gauge.counter(state, state) for gauge in TABLE_GAUGES),
        seats=tuple(_seat(state, player) for player in state.players),
        steps=STEPS,
        step=step(state),
        prompts=prompts(state),
        hints=tuple(_hints(state)),
        rules=state.house.changed(),
        outcome=state.outcome,
    )


def counters_of(state: Table, target: str) -> tuple[Counter, ...] | None:
    """The counters of one target, without all else that a table shows."""
    places = (state.at(player.seat, lane) for player in state.players for lane in LANES)
    things = (_thing(state, creature) for creature in places if creature)
    return counters.counters_of(state, target, TABLE_GAUGES, (state.players, PLAYER_GAUGES), things)


def step(state: Table) -> str:
    """Where the turn stands, or `setup`, `over`."""
    if state.stage != "playing":
        return state.stage
    return "after" if state.fought else "before"


def _seat(state: Table, player: Player) -> SeatView:
    lanes = (
        Zone(f"lane-{lane}", f"Lane {lane}", (_thing(state, creature),) if creature else (), column=lane)
        for lane in LANES
        for creature in (state.at(player.seat, lane),)
    )
    return SeatView(
        player.seat,
        player.name,
        counters=tuple(gauge.counter(state, player) for gauge in PLAYER_GAUGES),
        zones=tuple(lanes),
        flags=tuple(_flags(state, player)),
    )


def _thing(state: Table, creature: Creature) -> Thing:
    counters = tuple(gauge.counter(state, creature) for gauge in CREATURE_GAUGES)
    return Thing(
        creature.handle,
        creature.title,
        counters,
        tuple(_notes(creature)),
        brief=f"{creature.attack}/{creature.health}",
        flags=tuple(_creature_flags(creature)),
    )


def _creature_flags(creature: Creature) -> Iterator[str]:
    """What decides the next Battle and must be seen at once: sleep, Armor, Poison, who holds back."""
    if creature.asleep:
        yield ASLEEP
        yield from (KEYWORDS["aggressive"].title,) if creature.ready else ()
    yield from (_written(creature, name) for name in ("armor", "poison", "defender") if name in creature.keywords)


def _written(creature: Creature, name: str) -> str:
    """A keyword as the card has it; of Armor also what is left of it in this turn: `Armor 1 of 2`."""
    number = creature.keywords[name]
    left = armor_left(creature) if name == "armor" else number
    return written(name, number) if left == number else f"{KEYWORDS[name].title} {left} of {number}"


def _notes(creature: Creature) -> Iterator[str]:
    if not creature.ready:
        yield f"{ASLEEP}: no attack, move or Activate, but it hits back"
    for name in creature.keywords:
        yield f"{_written(creature, name)}: {KEYWORDS[name].text}"
    for name in creature.negated:
        yield f"{KEYWORDS[name].title} negated"
    if creature.moved:
        yield "has moved"
    if creature.activated:
        yield "has Activated"
    for name in creature.lent:
        yield f"{KEYWORDS[name].title} until the end of the turn"
    if creature.damage:
        yield f"hurt {creature.damage} of {creature.max}"
    if any(creature.until_end):
        yield "{:+d}/{:+d} until the end of the turn".format(*creature.until_end)


def _flags(state: Table, player: Player) -> Iterator[str]:
    if player.seat == state.active:
        yield "active"
    for name, number in player.keywords.items():
        yield written(name, number)
    if player.conceded:
        yield "out"


def _hints(state: Table) -> Iterator[str]:
    """What must not be forgotten now: hints, never force."""
    for player in state.players:
        if sum(player.levels) != player.cycle:
            yield (
                f"{player.name}: {player.cycle} cards in deck, hand and discard pile, {sum(player.levels)} by level; "
                "set right what is wrong."
            )
    if state.stage != "playing":
        return
    if not state.fought:
        yield f"The Battle now: {_forecast(state)}."
    active = state.player(state.active)
    rival = state.rival(state.active)
    if rival.hand and _could_ambush(state, rival.seat):
        yield f"{rival.name}: is there a card with Ambush in your hand?"
    if active.turn == RANK_TURNS:
        yield f"{active.name} gains rank {active.rank + 1} at the end of this turn: think of Gain Rank."
    if active.health == rival.health <= 0:
        yield "Sudden death: the first difference in health decides (A4.7)."


def _could_ambush(state: Table, seat: str) -> bool:
    """Whether a card of this player may have Ambush: not where the list of a stored deck says what all cards have."""
    cards = state.brought.get(seat, Brought()).cards.values()
    return not cards or any(_may_ambush(card) for card in cards)


def _may_ambush(card: ListedCard) -> bool:
    levels = understood(card).levels
    if not levels:
        return "spell" not in (word.lower() for word in card.told)
    return any(word.startswith("ambush") for said in levels.values() for word in said.get("has", ()))


def _forecast(state: Table) -> str:
    """What a Battle would do to the players, and who would die, if it were fought now."""
    resolution = Resolution(state)
    battle(resolution, Battle())
    after = {player.seat: player.health for player in resolution.state.players}
    told = [
        f"{player.name} {player.health} → {after[player.seat]}"
        for player in state.players
        if after[player.seat] != player.health
    ]
    told += [f"{creature.title} dies" for creature in resolution.state.creatures if creature.health <= 0]
    return ", ".join(told) or "nobody dies and no player is hurt"
