"""Rehearsed campaigns as tests and the soak look at them: each evening played again from its lines and from records."""

from __future__ import annotations

from random import Random

from companion.games.decknforge.decks.record import MYTHIC
from companion.games.decknforge.game import GAME
from companion.games.decknforge.rehearsal.campaign import Campaign
from companion.games.decknforge.rehearsal.dungeon import SimulatedDungeon
from companion.games.decknforge.rehearsal.temperaments import PLAYERS
from companion.session.core.replay import Replay
from companion.session.core.session import Session
from companion.session.core.shelf import Belongings
from companion.tabletop.rehearsal import Chance, RehearsalSetting
from tests.games.decknforge import holds
from tests.games.decknforge.bands import Stored, house_rules

TEMPERAMENTS = tuple(PLAYERS)


def a_setting(seed: int, wizards: int, share: float = 0.3, evenings: int = 1) -> RehearsalSetting:
    """A table of mixed temperaments, with house rules."""
    chance = Random(seed)
    rules = sorted((line.split()[1], line.split()[2]) for line in house_rules(chance, share))
    rules = [rule for rule in rules if rule[0] not in ("track", "draws")]
    return RehearsalSetting(
        "decknforge", wizards, tuple(rules), tuple(chance.choices(TEMPERAMENTS, k=wizards)), evenings
    )


def a_campaign(setting: RehearsalSetting, number: int = 0) -> Campaign:
    """The campaign of a setting, before its first evening."""
    return Campaign(GAME, setting, Chance(1, number))


def text_of(dungeon: SimulatedDungeon) -> str:
    """A dungeon as a `.table` file."""
    assert dungeon.lines is not None
    return "\n".join(dungeon.lines) + "\n"


def replayed(text: str) -> Session:
    """The session that a `.table` file leads to."""
    replay = Replay(text)
    for line in replay:
        assert not line.failure, line
    return replay.session


class Shelf(Stored):
    """A shelf that has what a campaign keeps, and nothing of the rehearsal's own."""

    def __init__(self) -> None:
        super().__init__()
        self.mythics: dict[str, int] = {}

    def purse(self, name: str, person: str = "") -> Belongings:
        """Coppers and Mythics that somebody has left."""
        kept = {GAME.name: {MYTHIC: self.mythics[name]}} if self.mythics.get(name) else {}
        return Belongings(self.purses.get(name, 0), person, kept)

    def keep(self, session: Session) -> None:
        """What a sealed game leaves."""
        holds.marks_add_up(session, self)
        for deck, marks in GAME.marks(session.state).items():
            self.marks[deck] += marks
        for wizard in session.state.wizards:
            self.purses[wizard.name], self.mythics[wizard.name] = wizard.purse, wizard.mythics
