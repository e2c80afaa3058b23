"""Whole games at random, from set-up to an outcome, checked after every action; the tests and the soak play them."""

from __future__ import annotations

from pathlib import Path
from random import Random
from traceback import extract_tb
from typing import Final

from companion.games.action import NotationError
from companion.games.oddfrontier import GAME
from companion.games.oddfrontier.state import FrontierTable
from companion.session.session import Session
from tests.games.any_session import (
    LogShadow,
    line_reads_back,
    log_replays,
    prompts_are_honest,
    refused,
    undo_and_redo_are_inverse,
    view_can_be_read,
)
from tests.games.fault import Fault
from tests.games.oddfrontier import holds
from tests.games.oddfrontier.player import Player

SEATS: Final = ("ana", "ben", "cy", "dora")
MOST_LINES: Final = 6000
MOST_REFUSED: Final = 400
"""Lines in a row that were refused: by then somebody would have found a legal one."""
HOUSE: Final = (
    *("rule second-player-draws-turn1 no", "rule summoning-sickness yes", "rule uncrank all"),
    *("rule crank-before-reset no", "rule max-hand 4", "rule deck-out lose"),
)


def whole_game(seed: int, players: int) -> Session:
    """One game of so many people, by its seed alone, played to an outcome. Raises Fault."""
    chance = Random(f"oddfrontier {seed}")
    session = Session.new(GAME)
    lines = [f"seat {seat}" for seat in SEATS[:players]]
    lines += [f"deck-size {seat} {chance.choice((36, 40, 12))}" for seat in SEATS[:players] if chance.random() < 0.4]
    lines += [rule for rule in HOUSE if chance.random() < 0.2]
    for line in (*lines, f"first {chance.choice(SEATS[:players])}", f"begin seed {chance.randrange(1000)}"):
        session.enter(line)
    try:
        _play(session, Player(chance, session, hurry=chance.choice((15, 30, 60))), chance)
    except Fault:
        raise
    except Exception as error:  # whatever broke, the log that broke it is worth more than the traceback alone
        place = extract_tb(error.__traceback__)[-1]
        what = f"{type(error).__name__}: {error} ({place.name}, {Path(place.filename).name}:{place.lineno})"
        raise Fault(what, session) from error
    return session


def _play(session: Session, player: Player, chance: Random) -> None:
    shadow = LogShadow(GAME)
    in_a_row = 0
    while session.state.outcome is None:
        in_a_row = 0 if _said(session, player, shadow, chance) else in_a_row + 1
        assert in_a_row < MOST_REFUSED, "nothing that anybody says is legal"
        assert len(session.log.lines) < MOST_LINES, "the game never ends"
    log_replays(session)


def _said(session: Session, player: Player, shadow: LogShadow, chance: Random) -> bool:
    """One line, and what must hold after it; gives whether the rules took it."""
    line = player.line()
    before: FrontierTable = session.state
    try:
        if refused(session, line):
            return False
        shadow.follow(session)
        _check(session, before, line, thoroughly=chance.random() < 0.1)
    except NotationError as error:
        raise Fault(f"`{line}` cannot be read: {error}", session) from error
    except AssertionError as error:
        raise Fault(f"after `{line}`: {error}", session) from error
    return True


def _check(session: Session, before: FrontierTable, line: str, thoroughly: bool) -> None:
    state: FrontierTable = session.state
    undo_and_redo_are_inverse(session)
    line_reads_back(session)
    view_can_be_read(session)
    prompts_are_honest(session)
    if state.phase == "setup":
        return
    holds.figures_are_possible(state)
    holds.combat_is_in_order(state)
    holds.turns_go_on(state)
    if line not in ("undo", "redo") and not line.startswith("amend"):
        holds.cards_are_conserved(before, session.log.position.head.action, state)
    if thoroughly:
        holds.choices_are_exact(session)
