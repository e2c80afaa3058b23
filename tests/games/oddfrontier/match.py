"""Whole games at random, from set-up to an outcome, checked after every action; the tests and the soak play them."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Final

from companion.games.oddfrontier.game import GAME
from companion.games.oddfrontier.rules.state import FrontierTable
from companion.session.core.session import Session
from tests.games import at_random, choosing
from tests.games.oddfrontier import holds
from tests.games.oddfrontier.player import Player

SEATS: Final = ("ana", "ben", "cy", "dora")
HOUSE: Final = (
    *("rule second-player-draws-turn1 no", "rule summoning-sickness yes", "rule uncrank all"),
    *("rule crank-before-reset no", "rule max-hand 4", "rule deck-out lose"),
    "rule blockers attacked",
)


def whole_game(seed: int, players: int) -> Session:
    """One game of so many people, by its seed alone, played to an outcome. Raises Fault."""
    session, player = _begun(seed, players)
    at_random.play(session, player.line, lambda before, line: _check(session, before, line))
    return session


def tables(seed: int, players: int) -> Iterator[FrontierTable]:
    """The tables of such a game."""
    session, player = _begun(seed, players)
    return at_random.tables(session, player.line)


def _begun(seed: int, players: int) -> tuple[Session, Player]:
    """After set-up, with house rules and decks as they may be, and who plays on."""
    chance = Random(f"oddfrontier {seed}")
    session = Session.new(GAME)
    lines = [f"seat {seat}" for seat in SEATS[:players]]
    lines += [f"deck-size {seat} {chance.choice((36, 40, 12))}" for seat in SEATS[:players] if chance.random() < 0.4]
    lines += [rule for rule in HOUSE if chance.random() < 0.2]
    for line in (*lines, f"first {chance.choice(SEATS[:players])}", f"begin seed {chance.randrange(1000)}"):
        session.enter(line)
    return session, Player(chance, session, hurry=chance.choice((15, 30, 60)))


def _check(session: Session, before: FrontierTable, line: str) -> None:
    state: FrontierTable = session.state
    at_random.view_can_be_read(session)
    choosing.are_honest(session)
    if state.phase == "setup":
        return
    holds.figures_are_possible(state)
    holds.combat_is_in_order(state)
    holds.turns_go_on(state)
    if line not in ("undo", "redo") and not line.startswith("amend"):
        holds.cards_are_conserved(before, session.log.position.head.action, state)
