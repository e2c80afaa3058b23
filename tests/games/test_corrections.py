"""A correction leaves no trace: a game with mistakes that are put right leaves what it leaves without them."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from hypothesis import event, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from companion.games.decknforge.book.state import DungeonTable
from companion.games.decknforge.rules import actions as do
from companion.games.decknforge.rules.fight import is_under_way
from companion.games.described.page.actions import Enter
from companion.session.core.session import Session
from companion.tabletop.table.common_actions import Concede
from tests.examples import examples
from tests.games import at_random
from tests.games.correcting import Correcting, Leavings, Mistake, leavings, replayed
from tests.games.decknforge import evening
from tests.games.described import pages
from tests.games.described import player as described
from tests.games.oddfrontier import player as oddfrontier
from tests.games.solforge import player as solforge
from tests.games.soulforger import player as soulforger

_MOST_LINES = 150


def takes_from_pool(self: Correcting) -> bool:
    """Return True where a pool is made smaller by hand later: which Monsters leave it then, its order says."""
    return any(getattr(each.action, "counter", "") == "pool" for each in self.moments[self.at :])


def wrong_boss(self: Correcting) -> bool:
    """Another Boss than the one that was flipped, seen before the first card of its fight."""
    state: DungeonTable = self.session.state
    if state.boss is None or is_under_way(state):
        return False
    fought = state.order[: state.number - 1]
    others = [ref for ref in (*state.order, *state.pool) if ref not in (*fought, state.boss.ref)]
    if takes_from_pool(self) or not others:
        return False
    lines = [
        f"bosses {' '.join((*fought, self.chance.choice(others)))}",
        *self.chance.sample(("set boss hp 1", "set boss legend yes", "add boss atk 2", "note hm"), 2),
        f"bosses {' '.join(state.order)}",
    ]
    for line in lines:
        self.session.enter(line)
    return True


def wrong_minion(self: Correcting) -> bool:
    """Another Minion than the one that came, seen before anything else is done."""
    state: DungeonTable = self.session.state
    action = self.moments[self.at].action
    if not isinstance(action, do.Refill) or action.minion is None:
        return False
    others = [ref for ref in state.pool if ref != action.minion]
    if takes_from_pool(self) or not others:
        return False
    self.session.do(replace(action, minion=self.chance.choice(others)))
    self.go_on(1)
    return True


def wrong_entry(self: Correcting) -> bool:
    """Another figure on the score sheet, put right in this round or in a later one."""
    action = self.moments[self.at].action
    if not isinstance(action, Enter):
        return False
    number = action.round or len(self.session.state.rows) + 1
    self.session.do(replace(action, figure=action.figure + self.chance.choice((-1, 1, 3))))
    self.at += 1
    self.go_on(self.later())
    self.session.do(replace(action, round=number))
    return True


def same_dungeon(table: DungeonTable) -> Any:
    """A table without what only says how it came about."""
    boss = replace(table.boss, written=None) if table.boss else None
    return replace(table, named_bosses=0, pool=tuple(sorted(table.pool)), boss=boss)


def played(session: Session, says: at_random.Says) -> Session:
    """A game at random, up to its outcome or as far as it gets."""
    refused = 0
    while session.view().outcome is None and len(session.log.lines) < _MOST_LINES and refused < at_random.MOST_REFUSED:
        refused = 0 if at_random.is_accepted(session, says()) else refused + 1
    return session


def dungeon(seed: int) -> Session:
    return next(evening.campaign(seed, seed % 5 + 1, 1))


def duel(name: str, seed: int) -> Session:
    chance = Random(f"{name} {seed}")
    if name == "solforge":
        session, besides, value = solforge.begun(chance), solforge.besides, solforge.value
    elif name == "soulforger":
        session, besides, value = soulforger.begun(chance, 2), soulforger.besides, soulforger.value
    else:
        session = oddfrontier_begun(chance)
        return played(session, oddfrontier.Player(chance, session, hurry=15).line)
    if seed % 3 == 0:
        session.enter("rule track figures")
    return played(session, at_random.answering(session, chance, besides, value, 0.6, shun=(Concede,)))


def oddfrontier_begun(chance: Random) -> Session:
    from companion.games.oddfrontier.game import GAME

    session = Session.new(GAME)
    for line in ("seat ana", "seat ben", "first ana", f"begin seed {chance.randrange(1000)}"):
        session.enter(line)
    return session


def of_page(name: str, seed: int) -> Session:
    chance = Random(f"{name} {seed}")
    session = described.begun(pages.ready(name), chance)
    return played(
        session,
        at_random.answering(session, chance, described.besides, described.value, 0.6, shun=described.ENDS),
    )


def compare(game: Session, seed: int, own: tuple[Mistake, ...] = (), same: Any = lambda table: table) -> None:
    """Return what the game leaves is what it leaves where it was entered with mistakes that were put right."""
    right = replayed(game)
    correcting = Correcting(right, Random(f"corrections {seed}"), 0.4, own, same)
    corrected = correcting.play()
    for mistake in set(correcting.mistakes_made):
        event(mistake)
    assert same(corrected.state) == same(right.state)
    entered, of_right = leavings(corrected), leavings(right)
    for name in Leavings._fields:
        assert getattr(entered, name) == getattr(of_right, name), f"{name}\n{corrected.export()}"


@pytest.mark.slow
@settings(max_examples=examples(16))
@given(seed=st.integers(0, 100_000))
def test_a_corrected_dungeon_leaves_what_a_right_one_leaves(seed: int) -> None:
    compare(dungeon(seed), seed, (wrong_boss, wrong_boss, wrong_minion), same_dungeon)


@pytest.mark.sample(3)
@pytest.mark.parametrize("name", ["solforge", "oddfrontier", "soulforger"])
@settings(max_examples=examples(12))
@given(seed=st.integers(0, 100_000))
def test_a_corrected_match_leaves_what_a_right_one_leaves(name: str, seed: int) -> None:
    compare(duel(name, seed), seed)


@settings(max_examples=examples(20))
@given(seed=st.integers(0, 100_000), name=st.sampled_from(pages.NAMES))
def test_a_corrected_page_leaves_what_a_right_one_leaves(name: str, seed: int) -> None:
    compare(of_page(name, seed), seed, (wrong_entry,))
