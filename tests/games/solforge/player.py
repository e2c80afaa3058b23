"""Somebody who plays SolForge without a plan, and what must hold of any table they play at."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any, Final

from companion.games.solforge.game import GAME
from companion.games.solforge.rules.house import House
from companion.games.solforge.rules.keywords import KEYWORDS
from companion.games.solforge.rules.state import LANES, SolForgeTable
from companion.session.core.session import Session
from companion.tabletop.table.choices import Open
from companion.tabletop.table.common_actions import Concede
from tests.games import at_random, choosing

SEATS: Final = ("ana", "ben")
_MANY: Final = 9
_PILES: Final = ("hand", "deck", "discard")


def begun(chance: Random) -> Session:
    """A table after its set-up, with house rules and decks as they may be."""
    session = Session.new(GAME)
    lines = [f"seat {seat}" for seat in SEATS]
    switches = [rule for rule in House.all() if rule.values and chance.random() < 0.3]
    lines += [f"rule {rule.key} {chance.choice(rule.values)}" for rule in switches]
    lines.append(f"rule start-health {chance.choice((20, 60, 120))}")
    if chance.random() < 0.3:
        lines.append(f"deck-size {chance.choice(SEATS)} {chance.choice((6, 12, 33))}")
    for line in (*lines, f"first {chance.choice(SEATS)}", f"begin seed {chance.randrange(1000)}"):
        session.enter(line)
    return session


def game(seed: int, exact: bool) -> Session:
    """A whole game from set-up to its outcome. Raises Fault.

    At an `exact` table nobody overwrites counters, so that cards and plays must add up.
    """
    chance = Random(f"solforge {seed}")
    session = begun(chance)
    also = besides if exact else _by_hand_too
    due = chance.choice((0.3, 0.6, 0.9))
    says = at_random.answering(session, chance, also, value, due, shun=(Concede,))
    at_random.play(session, says, lambda *_: (holds_exactly if exact else holds)(session))
    return session


def tables(seed: int) -> Iterator[SolForgeTable]:
    """The tables of a game in which nobody overwrites counters."""
    chance = Random(f"solforge {seed}")
    session = begun(chance)
    return at_random.tables(session, at_random.answering(session, chance, besides, value, shun=(Concede,)))


def value(chance: Random, field: str, open_: Open) -> Any:
    """A value where nobody can list them; mostly a card of the deck list, where there is one."""
    if open_.fitting and chance.random() < 0.85:
        return chance.choice(open_.fitting).value
    if field in ("figures", "change"):
        least = -3 if field == "change" else 1
        return chance.randint(least, 12), chance.randint(least, 12)
    if field in ("handle", "name"):
        return open_.example
    if field == "has":
        return (chance.choice(open_.of).value,)
    return at_random.number(chance, open_, most=_MANY)


def besides(chance: Random, session: Session) -> str:
    """Undo and redo, a creature with some keywords, or a line out of turn."""
    state: SolForgeTable = session.state
    seat, lane = chance.choice(SEATS), chance.choice(LANES)
    handles = [creature.handle for creature in state.creatures] or ["nobody"]
    handle, other = chance.choice(handles), f"beast-{len(state.handles)}"
    figures = f"{chance.randint(0, 14)}/{chance.randint(0, 14)}"
    return chance.choice(
        (
            "undo",
            "redo",
            "next",
            "battle extra",
            f"forge {seat} {lane} {other} {figures} level {chance.randint(0, 3)}{_keywords(chance)}",
            f"place {seat} {lane} {other} {figures} awake{_keywords(chance)}",
            f"spawn {seat} {other} {figures}{_keywords(chance)}",
            f"bank {seat} level {chance.randint(0, 3)}",
            f'cast {seat} "Once" overload',
            f"move {handle} {lane}",
            f"activate {handle}",
            f"buff {handle} {chance.randint(-4, 4):+d}/{chance.randint(-4, 4):+d} until-end",
            f"take-away {handle} {chance.choice(tuple(KEYWORDS))} negate",
            f"banish {seat} {chance.randint(0, 3)} level {chance.randint(1, 3)} from {chance.choice(_PILES)}",
            f"forge {seat} {lane} {handle} {figures}",
            f"damage {chance.choice((handle, 'table', 'nobody'))} {chance.randint(0, 9)}",
            f"concede {seat}" if chance.random() < 0.02 else "xyzzy",
        )
    )


def _keywords(chance: Random) -> str:
    names = chance.sample(tuple(KEYWORDS), chance.choice((0, 1, 2, 4)))
    words = (f"{name}={chance.randint(1, 3)}" if KEYWORDS[name].numbered else name for name in names)
    return f" has {' '.join(words)}" if names else ""


def _by_hand_too(chance: Random, session: Session) -> str:
    """Besides: counters set by hand, and earlier lines amended."""
    if chance.random() < 0.4:
        return besides(chance, session)
    view = session.view()
    target = chance.choice(view.targets())
    counter = chance.choice(view.counters_of(target) or view.counters)
    how = chance.choice(("set", "set", "add", "amend"))
    if how == "amend":
        return f"amend {chance.randint(2, len(session.log.lines))} {besides(chance, session)}"
    if how == "add":
        return f"add {target} {counter.name} {chance.randint(-5, 5):+d}"
    words = ("yes", "no") if isinstance(counter.value, bool) else (*SEATS, "none", *map(str, range(12)))
    return f"set {target} {counter.name} {chance.choice(words)}"


def holds(session: Session) -> None:
    """What must hold whatever people set by hand."""
    state: SolForgeTable = session.state
    if len(session.log.lines) % 4 == 0:  # asking for every choice takes longest
        choosing.are_honest(session)
    places = [(creature.owner, creature.lane) for creature in state.creatures]
    assert len(set(places)) == len(places), f"two creatures in one lane: {places}"
    assert all(lane in LANES for _, lane in places)
    assert all(creature.damage >= 0 for creature in state.creatures)
    alive = all(creature.health > 0 for creature in state.creatures)
    assert alive or state.together, "somebody dead is in a lane"
    assert {creature.handle for creature in state.creatures} <= state.handles
    for player in state.players:
        assert min(player.deck, player.hand, player.discard, player.removed, *player.levels) >= 0, player
        assert all(shelved <= number for shelved, number in zip(player.shelved, player.levels, strict=True)), player
        assert sum(player.shelved) <= player.discard, player
        assert player.plays >= 0
    at_random.view_can_be_read(session)


def holds_exactly(session: Session) -> None:
    """Besides: cards are conserved (A4.15), only the active player has plays (R4.5), and health decides (R4.1)."""
    holds(session)
    state: SolForgeTable = session.state
    if not state.turn:
        return  # undone as far as that
    begun_with: SolForgeTable = next(moment.state for moment in session.moments() if moment.state.turn)
    for player in state.players:
        size = sum(begun_with.player(player.seat).levels)
        assert player.cycle == sum(player.levels) == size - player.removed, player
        assert player.seat == state.active or not player.plays
    low = min(player.health for player in state.players)
    conceded = any(player.conceded for player in state.players)
    tied = len({player.health for player in state.players}) == 1 and state.house.tie == "sudden-death"
    # While effects happen together, no outcome is looked for (R4.22).
    assert (state.outcome is not None) == (not state.together and (conceded or (low <= 0 and not tied)))
