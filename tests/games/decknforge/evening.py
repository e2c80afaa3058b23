"""Whole evenings at random, from set-up to seal, checked after every action; the tests and the soak play them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from random import Random
from traceback import extract_tb

from companion.games.action import NotationError, RuleError
from companion.games.decknforge.game import GAME
from companion.games.decknforge.state import DungeonTable
from companion.session.session import Session
from tests.games.decknforge import holds
from tests.games.decknforge.bands import SEATS, Stored, founding_marks, house_rules, loose_band
from tests.games.decknforge.player import Player
from tests.games.fault import Fault

MOST_LINES = 8000
MOST_REFUSED = 400
"""Lines in a row that were refused: by then somebody would have found a legal one."""


def loose(seed: int, wizards: int) -> Session:
    """One evening with bands that are not stored, inscribed and labelled as they may be."""
    chance = Random(f"loose {seed}")
    session = Session.new(GAME)
    exact = chance.random() < 0.5
    for line in _set_up(chance, wizards):
        session.enter(line)
    _play(chance, session, exact)
    return session


def _set_up(chance: Random, wizards: int) -> Iterator[str]:
    inscriptions = chance.choice((0, 3, 6, 12, 24))
    for seat in SEATS[:wizards]:
        yield from loose_band(chance, seat, inscriptions)
    yield from house_rules(chance, share=chance.choice((0.0, 0.3)))
    yield f"active {chance.choice(SEATS[:wizards])}"
    yield f"begin seed {chance.randrange(1000)}"


def tables(seed: int, wizards: int) -> Iterator[DungeonTable]:
    """The tables of one evening, after each line that the rules took, from the first seat to the seal."""
    chance = Random(f"tables {seed}")
    session = Session.new(GAME)
    for line in _set_up(chance, wizards):
        session.enter(line)
        yield session.state
    player = Player(chance, session, exact=chance.random() < 0.5, hurry=chance.choice((0.1, 0.5)))
    while session.state.step != "sealed":
        with suppress(NotationError, RuleError):
            session.enter(player.line())
            yield session.state


def campaign(seed: int, wizards: int, dungeons: int) -> Iterator[Session]:
    """Evenings of the same people with stored bands, each founded like any other; who has none founds the next."""
    chance = Random(f"campaign {seed}")
    stored = Stored()
    holds_deck: dict[str, str] = {}
    for evening in range(dungeons):
        session = Session.new(GAME, shelf=stored)
        for seat in SEATS[:wizards]:
            if seat not in holds_deck:
                holds_deck[seat] = f"DECK{evening}{seat}"
                stored.marks[holds_deck[seat]] = founding_marks(chance, f"{evening}th of {seat}", seat)
            session.enter(f'seat {seat} name "{seat}" deck {holds_deck[seat]}')
        session.enter(f"begin seed {chance.randrange(1000)}")
        _play(chance, session, exact=chance.random() < 0.5)
        try:
            holds.marks_add_up(session, stored)
        except (AssertionError, RuleError) as error:
            raise Fault(repr(error), session) from error
        yield session
        _carry_over(session, stored, holds_deck)


def _carry_over(session: Session, stored: Stored, holds_deck: dict[str, str]) -> None:
    """What the sealed game leaves for the next evening: marks, purses, and who holds which band."""
    state: DungeonTable = session.state
    for deck, marks in session.game.marks(state).items():
        stored.marks[deck] += marks
    holds_deck.clear()
    for wizard in state.wizards:
        stored.purses[wizard.name] = wizard.purse
        if wizard.holds:
            holds_deck[wizard.seat] = state.bands[wizard.holds].deck


def _play(chance: Random, session: Session, exact: bool) -> None:
    """From the first label window to the seal. Raises Fault."""
    player = Player(chance, session, exact, hurry=chance.choice((0.0, 0.1, 0.5)))
    shadow = holds.Shadow()
    refused = 0
    try:
        while session.state.step != "sealed":
            refused = 0 if _said(player, shadow) else refused + 1
            assert refused < MOST_REFUSED, "nothing that anybody says is legal"
            assert len(session.log.lines) < MOST_LINES, "the evening never ends"
        assert session.state.outcome in ("win", "loss"), "sealed, and neither won nor lost"
        holds.log_replays(session)
    except Fault:
        raise
    except Exception as error:  # whatever broke, the log that broke it is worth more than the traceback alone
        place = extract_tb(error.__traceback__)[-1]
        what = f"{type(error).__name__}: {error} ({place.name}, {Path(place.filename).name}:{place.lineno})"
        raise Fault(what, session) from error


def _said(player: Player, shadow: holds.Shadow) -> bool:
    """One line, and what must hold after it; gives whether the rules took it."""
    session, line = player.session, player.line()
    before = session.log.position
    try:
        action = session.notation.parse(line)
    except NotationError:
        return False
    try:
        session.do(action)
    except RuleError:
        assert session.log.position is before, f"`{line}` was refused and changed the table"
        return False
    try:
        _check(player, shadow, before.head.state, amended=line.startswith("amend"), moved=line not in ("undo", "redo"))
    except AssertionError as error:
        raise Fault(f"after `{line}`: {error}", session) from error
    return True


def _check(player: Player, shadow: holds.Shadow, before: DungeonTable, amended: bool, moved: bool) -> None:
    session = player.session
    state: DungeonTable = session.state
    head = session.log.position.head
    shadow.follow(session)
    holds.undo_and_redo_are_inverse(session)
    holds.line_reads_back(session, head)
    if state.step != "setup":
        holds.each_card_is_in_one_place(state)
        holds.figures_are_possible(state, holds.most_hp(state))
    holds.prompts_are_honest(session)
    if player.exact and state.step != "setup":
        holds.hands_are_as_dealt(player)
    if amended:
        for moment in session.moments():
            if moment.before is not None and moment.before.state.step != "setup":
                holds.cards_and_coppers_add_up(moment.before.state, moment.action, moment.state)
    elif moved:
        holds.cards_and_coppers_add_up(before, head.action, state)
