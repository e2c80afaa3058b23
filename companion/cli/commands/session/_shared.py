"""Shared parts of the commands of `companion session`."""

from __future__ import annotations

import msgspec

from companion.archive import Archive, SessionRow, Unknown
from companion.archive.exchange.play_removal import describe_players
from companion.archive.storage.plays import ImportedPlay
from companion.cli.common import format_local_time
from templates.languages.dates import numeric_date
from templates.languages.messages import Text, joined, phrase, phrase_in


def row_fields(row: SessionRow) -> dict[str, object]:
    """Return a row for JSON, with its standing as text."""
    return msgspec.structs.asdict(row) | {"standing": row.where}


def row_cells(row: SessionRow) -> tuple[Text, ...]:
    edition = phrase("rules of edition {edition}", edition=str(row.edition)) if row.other_edition else ""
    standing = joined(" · ", filter(None, (row.where, phrase("sealed") if row.is_closed else "", edition)))
    return row.session, row.game, row.title, format_local_time(row.changed), str(row.lines), standing


def imported_fields(play: ImportedPlay) -> dict[str, object]:
    """Return an imported game for JSON."""
    row = play.row
    return {
        "id": play.id,
        "game": row.name,
        "at": row.at,
        "minutes": row.result.minutes,
        "outcome": row.result.outcome,
        "players": [
            {"name": each.name, "result": each.result, "place": each.place, "final": each.final}
            for each in row.result.players
        ],
        "removed": play.is_removed,
    }


def imported_cells(play: ImportedPlay) -> tuple[Text, ...]:
    """Return an imported game for a list."""
    row = play.row
    standing = phrase_in("game", "removed") if play.is_removed else ""
    return play.id, row.name, numeric_date(row.at), describe_players(play), standing


def find_session(archive: Archive, session: str | None) -> SessionRow:
    if session is not None:
        return archive.find_session(session)
    rows = archive.sessions()
    if not rows:
        raise Unknown(phrase("No session has been played yet; companion opens a table."))
    return rows[0]
