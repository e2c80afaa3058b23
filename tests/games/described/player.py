"""People who play a described game without a plan, and what must hold of any table they play at."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

from companion.games.described.game import DescribedGame
from companion.games.described.page.actions import AllWon, Lost, Won
from companion.games.described.page.description import SEAT, CounterDefinition
from companion.games.described.rules.state import DescribedPlayer, DescribedTable, Piece
from companion.session.core.session import Session
from companion.tabletop.table.choices import Open
from companion.tabletop.table.common_actions import Concede, DrawAgreed
from tests.games import at_random, choosing

SEATS = ("ana", "ben", "cy", "dee", "eli", "fay", "gus", "hal")
ENDS = (Concede, DrawAgreed, Won, Lost, AllWon)
"""How people end a game by saying so; nobody does while it goes on by itself."""
_LONG = 120
"""Lines after which somebody ends it all the same."""


def begun(game: DescribedGame, chance: Random) -> Session:
    """A table after its set-up, with as many people and house rules as there may be."""
    session = Session.new(game)
    least, most = game.plan(session.state).players
    lines = [f"seat {seat}" for seat in SEATS[: chance.randint(least, min(most, len(SEATS)))]]
    rules = [rule for rule in game.house.all() if rule.values and chance.random() < 0.3]
    lines += [f"rule {rule.key} {chance.choice(rule.values)}" for rule in rules]
    # The other draws stay the same if a page has further rules of this kind.
    starts = Random(" ".join(lines))
    numbers = [rule for rule in game.house.all() if not rule.values and starts.random() < 0.3]
    lines += [f"rule {rule.key} {starts.choice((3, 5))}" for rule in numbers]
    if chance.random() < 0.5:
        lines.append("first lot")
    for line in (*lines, f"begin seed {chance.randrange(1000)}"):
        session.enter(line)
    return session


def game(rules: DescribedGame, seed: int, exact: bool = True) -> Session:
    """A whole game from set-up to its outcome. Raises Fault.

    At an `exact` table nobody overwrites counters.
    """
    chance = Random(f"{rules.name} {seed}")
    session = begun(rules, chance)
    also = besides if exact else _by_hand_too
    answers = at_random.answering(session, chance, also, value, chance.choice((0.3, 0.6, 0.9)), shun=ENDS)

    def says() -> str:
        state: DescribedTable = session.state
        everybody = [player.seat for player in state.players]
        if len(session.log.lines) > _LONG:
            return f"won {chance.choice(everybody)}"
        prompts = session.view().prompts
        if not any(prompt.answer.action not in ENDS for prompt in prompts):
            return f"won {chance.choice(everybody)}"
        return answers()

    at_random.play(session, says, lambda *_: holds(session, exact))
    return session


def tables(rules: DescribedGame, seed: int) -> Iterator[Any]:
    """The tables of a game in which nobody overwrites counters."""
    chance = Random(f"{rules.name} {seed}")
    session = begun(rules, chance)
    return at_random.tables(session, at_random.answering(session, chance, besides, value, shun=ENDS))


def value(chance: Random, field: str, open_: Open) -> Any:  # noqa: ARG001 – what other games need
    """A value where nobody can list them."""
    if open_.fitting and chance.random() < 0.85:
        return chance.choice(open_.fitting).value
    if isinstance(open_.example, int) and open_.example:
        return at_random.number(chance, open_, most=9)
    return open_.example


def besides(chance: Random, session: Session) -> str:
    """Undo and redo, a figure that changes, or a line out of turn."""
    state: DescribedTable = session.state
    seat = chance.choice([player.seat for player in state.players])
    page = session.game.plan(state).page  # type: ignore[attr-defined]
    verb = chance.choice((*page.actions, "next"))
    words = ("undo", "redo", "next", f"turn {seat}", "roll 2d6", "coin", "note hm", "xyzzy", f"{verb} {seat} 2")
    return chance.choice((*words, _added(chance, session)))


def _added(chance: Random, session: Session) -> str:
    view = session.view()
    seat = chance.choice(view.seats)
    counters = [counter.name for counter in seat.counters if counter.number is not None]
    name = chance.choice(counters) if counters else "nothing"
    return f"add {seat.seat} {name} {chance.randint(-3, 3):+d}"


def _by_hand_too(chance: Random, session: Session) -> str:
    """Besides: counters set by hand, and earlier lines amended."""
    if chance.random() < 0.4:
        return besides(chance, session)
    view = session.view()
    target = chance.choice(view.targets())
    counter = chance.choice(view.counters_of(target) or view.counters)
    if chance.random() < 0.2:
        return f"amend {chance.randint(2, len(session.log.lines))} {besides(chance, session)}"
    words = ("yes", "no") if isinstance(counter.value, bool) else (*SEATS[:2], "none", *map(str, range(-2, 12)))
    return f"set {target} {counter.name} {chance.choice(words)}"


def holds(session: Session, exact: bool) -> None:
    """What must hold: figures within their bounds, no two things in one lane, what is offered is accepted."""
    state: DescribedTable = session.state
    if len(session.log.lines) % 4 == 0:  # asking for every choice takes longest
        choosing.are_honest(session)
    at_random.view_can_be_read(session)
    plan = session.game.plan(state)  # type: ignore[attr-defined]
    owners: list[tuple[str, DescribedPlayer | Piece]] = [(SEAT, player) for player in state.players]
    owners += [(piece.kind, piece) for piece in state.pieces]
    for of, owner in owners:
        for name, figure in plan.figures[of].items():
            if isinstance(figure, CounterDefinition) and not figure.words and not figure.sum and name in owner.figures:
                number = owner.figures[name]
                assert plan.clamp_figure(figure, number) == number, f"{name} of {owner} is out of its bounds"
    laned = [(piece.zone, piece.owner, piece.lane) for piece in state.pieces if piece.lane]
    assert len(set(laned)) == len(laned), laned
    assert set(state.tokens) <= set(plan.page.tokens)
    seats = {player.seat for player in state.players}
    assert set(state.tokens.values()) <= seats
    if exact and state.active and not state.outcome:
        assert not state.player(state.active).out, "it is the turn of somebody who is out"
