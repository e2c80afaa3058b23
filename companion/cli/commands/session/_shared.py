"""Shared parts of the commands of `companion session`."""

from __future__ import annotations

import msgspec

from companion.archive import Archive, SessionRow, Unknown
from companion.cli.common import format_local_time
from templates.languages.messages import Text, joined, phrase


def row_fields(row: SessionRow) -> dict[str, object]:
    """Return a row for JSON, with its standing as text."""
    return msgspec.structs.asdict(row) | {"standing": row.where}


def row_cells(row: SessionRow) -> tuple[Text, ...]:
    edition = phrase("rules of edition {edition}", edition=str(row.edition)) if row.other_edition else ""
    standing = joined(" · ", filter(None, (row.where, phrase("sealed") if row.is_closed else "", edition)))
    return row.session, row.game, row.title, format_local_time(row.changed), str(row.lines), standing


def find_session(archive: Archive, session: str | None) -> SessionRow:
    if session is not None:
        return archive.find_session(session)
    rows = archive.sessions()
    if not rows:
        raise Unknown(phrase("No session has been played yet; companion opens a table."))
    return rows[0]
