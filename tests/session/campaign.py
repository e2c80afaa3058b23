"""A campaign of stored bands, played by simulated wizards line by line into an archive: what many evenings leave."""

from __future__ import annotations

import tomllib
from datetime import date
from typing import Final

from companion.archive import Archive
from companion.games import registry
from companion.games.decknforge import actions as do
from companion.games.decknforge.rehearsal.dungeon import SimulatedDungeon, begin_line, shuffled
from companion.games.decknforge.rehearsal.temperaments import PLAYERS
from companion.printing import wording
from companion.session import archive_journal, replay
from companion.tabletop.common_actions import Seat
from companion.tabletop.rehearsal import Chance

GAME: Final = "decknforge"
VENUES: Final = ("Ana's kitchen", "The club", "")


def found_bands(archive: Archive) -> None:
    """The three bands of the example, as their founding form makes them."""
    game = registry.game(GAME)
    example = wording.read_example(game, "decks.toml") or ""
    replay.found_decks(archive, game, tomllib.loads(example)["deck"])


def play_evening(archive: Archive, number: int, temperament: str = "greedy") -> str:
    """One more dungeon with the bands of today, sealed; gives its session."""
    holders = {row.holder: row for row in archive.decks() if not row.retired}
    session = archive_journal.start(archive, GAME, title=f"Dungeon {number}")
    for person, row in holders.items():
        session.enter(f'seat {person.lower()} name "{person}" deck {row.deck}')
    if venue := VENUES[number % len(VENUES)]:
        session.enter(f'venue "{venue}"')
    chance = Chance(7, number)
    table = session.state
    seats = [wizard.seat for wizard in table.wizards]
    begins, arrivals = begin_line(table, chance)
    players = {seat: PLAYERS[temperament] for seat in seats}
    dungeon = SimulatedDungeon(
        session.game, table, shuffled(chance, seats), players, chance, arrivals, keep_lines=True
    )
    dungeon.do(do.Active(seats[number % len(seats)]))
    dungeon.do(begins)
    dungeon.play()
    for line in dungeon.lines or ():
        session.enter(line)
    return session.id


def play_campaign(archive: Archive, evenings: int) -> list[str]:
    """Bands and so many evenings; gives the sessions."""
    found_bands(archive)
    return [play_evening(archive, number) for number in range(1, evenings + 1)]
