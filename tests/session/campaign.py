"""A campaign of stored bands, played by simulated wizards into an archive: what many evenings leave."""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from typing import Final

from companion.archive import Archive
from companion.games import registry
from companion.games.decknforge.rehearsal.dungeon import SimulatedDungeon, begin_line, shuffle_decks
from companion.games.decknforge.rehearsal.temperaments import PLAYERS
from companion.games.decknforge.rules import actions as do
from companion.printing import wording
from companion.session.core import archive_journal, replay
from companion.session.core.session import Session
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
    seats = [f'seat {person.lower()} name "{person}" deck {row.deck}' for person, row in holders.items()]
    venue = VENUES[number % len(VENUES)]
    lines = [f"table {GAME}", *seats, *([f'venue "{venue}"'] if venue else [])]
    opening = _play(archive, lines)
    chance, table = Chance(7, number), opening.state
    words = [wizard.seat for wizard in table.wizards]
    begins, arrivals = begin_line(table, chance)
    players = dict.fromkeys(words, PLAYERS[temperament])
    dungeon = SimulatedDungeon(
        opening.game, table, shuffle_decks(chance, words), players, chance, arrivals, keep_lines=True
    )
    dungeon.do(do.Active(words[number % len(words)]))
    dungeon.do(begins)
    dungeon.play()
    return archive_journal.keep(archive, _play(archive, [*lines, *(dungeon.lines or ())]), f"Dungeon {number}")


def _play(archive: Archive, lines: Sequence[str]) -> Session:
    played = replay.Replay("\n".join(lines), shelf=archive_journal.ArchiveShelf(archive))
    for _ in played:
        pass
    return played.session


def play_campaign(archive: Archive, evenings: int) -> list[str]:
    """Bands and so many evenings; gives the sessions."""
    found_bands(archive)
    return [play_evening(archive, number) for number in range(1, evenings + 1)]
