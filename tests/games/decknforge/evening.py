"""Whole evenings at random, from set-up to seal, checked after every action; the tests and the soak play them."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from companion.games.decknforge.book.state import DungeonTable
from companion.games.decknforge.game import GAME
from companion.session.core.session import Session
from companion.tabletop.action import RuleError
from tests.games import at_random
from tests.games.decknforge import holds
from tests.games.decknforge.bands import SEATS, Stored, founding_marks, house_rules, loose_band
from tests.games.decknforge.player import Player
from tests.games.fault import Fault


def loose(seed: int, wizards: int) -> Session:
    """One evening with bands that are not stored, inscribed and labelled as they may be."""
    chance = Random(f"loose {seed}")
    session = Session.new(GAME)
    exact = chance.random() < 0.5
    for line in set_up(chance, wizards):
        session.enter(line)
    _play(chance, session, exact, "join late")
    return session


def set_up(chance: Random, wizards: int) -> Iterator[str]:
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
    for line in set_up(chance, wizards):
        yield session.state
        session.enter(line)
    player = Player(chance, session, exact=chance.random() < 0.5, hurry=chance.choice((0.1, 0.5)))
    yield from at_random.tables(session, player.line, _sealed)


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
        late = f"DECK{evening}late"
        stored.marks[late] = founding_marks(chance, f"{evening}th of late", "late")
        _play(chance, session, chance.random() < 0.5, f'join late name "late" deck {late}')
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


def _play(chance: Random, session: Session, exact: bool, late: str) -> None:
    """From the first label window to the seal. Raises Fault."""
    player = Player(chance, session, exact, chance.choice((0.0, 0.1, 0.5)), late)
    at_random.play(session, player.line, lambda before, line: _check(player, before, line), _sealed)
    if session.state.outcome not in ("win", "loss"):
        raise Fault("sealed, and neither won nor lost", session)


def _sealed(session: Session) -> bool:
    return bool(session.state.step == "sealed")


def _check(player: Player, before: DungeonTable, line: str) -> None:
    session = player.session
    state: DungeonTable = session.state
    if state.step != "setup":
        holds.each_card_is_in_one_place(state)
        holds.figures_are_possible(state, holds.most_hp(state))
    holds.prompts_are_honest(session)
    if player.exact and state.step != "setup":
        holds.hands_are_as_dealt(player)
    if line.startswith("amend"):
        for moment in session.moments():
            if moment.before is not None and moment.before.state.step != "setup":
                holds.cards_and_coppers_add_up(moment.before.state, moment.action, moment.state)
    elif line not in ("undo", "redo"):
        holds.cards_and_coppers_add_up(before, session.log.position.head.action, state)
