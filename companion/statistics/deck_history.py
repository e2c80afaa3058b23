"""The history of a deck for other programs: as data with everything that is known, and as a table."""

from __future__ import annotations

import csv
import io
from typing import Final

import msgspec

from companion.archive import Archive, DeckRow
from companion.games import registry
from companion.statistics.plays import plain_cell
from companion.tabletop.action import DeckId
from companion.tabletop.game import Game
from companion.tabletop.records import Mark

_PLAYED: Final = "played"
"""The tag of the mark for a played game, in every game."""


def _played_facts(game: Game, deck: DeckId, mark: Mark) -> dict[str, object]:
    """Return the fields of a mark for a played game, and in a form common to all games its result for the deck; empty
    for other marks.
    """
    if mark.__struct_config__.tag != _PLAYED:
        return {}
    kept: dict[str, object] = msgspec.to_builtins(mark)
    facts = {name: value for name, value in kept.items() if name not in ("mark", "evening")}
    result = game.evenings.played_result(mark, deck)
    own = next((player for player in result.players if player.deck == deck), None) if result else None
    if result is None or own is None:
        return facts
    others = [] if result.is_shared else [player for player in result.players if player is not own]
    opponents = [
        {"name": each.name, "deck": each.deck, "called": each.called, "version": each.version, "final": each.final}
        for each in others
    ]
    alike = {"result": own.result, "opponents": opponents, "version": own.version, "turns": result.turns}
    figures = {**result.figures, **own.final}
    return alike | {"minutes": result.minutes, "venue": result.venue, "figures": figures} | facts


def plain_history(archive: Archive, row: DeckRow) -> dict[str, object]:
    """Return the history of a deck, newest first, its lines and its chapters. Raises ArchiveError, NotationError."""
    marks, game = archive.marks(row.deck), registry.game(row.game, row.page)
    chapters = [
        {
            **chapter._asdict(),
            "lines": [line.number for line in chapter.lines],
            "chores": [line.number for line in chapter.chores],
        }
        for chapter in archive.chapters(row.deck)[::-1]
    ]
    story = [
        line._asdict() | {"facts": _played_facts(game, row.deck, marks[line.number - 1])}
        for line in archive.story(row.deck)[::-1]
    ]
    return {"deck": row.deck, "name": row.name, "story": story, "chapters": chapters}


def history_csv(archive: Archive, row: DeckRow) -> str:
    """Return the lines of a deck's history as CSV, newest first. Raises ArchiveError."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(("number", "at", "session", "by", "text"))
    for line in archive.story(row.deck)[::-1]:
        cells = (line.at.isoformat(), line.session, line.by, str(line.text))
        writer.writerow((line.number, *map(plain_cell, cells)))
    return text.getvalue()
