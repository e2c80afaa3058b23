"""Results of stored games, read from the line that ended each, without replaying its log."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import msgspec

from companion.archive.archive import Archive
from companion.archive.storage.entries import Entry, StoredLine
from companion.archive.storage.lists import session_stream
from companion.archive.storage.rows import SessionRow
from companion.tabletop.table.match_result import MatchResult


def result_of(entry: Entry, game: str) -> MatchResult | None:
    """Return how a game ended, from the last entry of its session; None if it goes on, or predates stored results."""
    result = entry.read(StoredLine).result if entry.holds(StoredLine) else None
    session = entry.stream.removeprefix(session_stream(""))
    return (
        msgspec.structs.replace(result, game=game, session=session, at=entry.at.isoformat(timespec="seconds"))
        if result
        else None
    )


def read_result(archive: Archive, session: str) -> MatchResult | None:
    """Return how a stored session ended, with its game, its id and the time of its last line.

    None if it goes on, or predates stored results. Raises Unknown.
    """
    return _result_of_row(archive, archive.find_session(session))


def lasting_results(archive: Archive, rows: Iterable[SessionRow]) -> Iterator[MatchResult]:
    """Yield the results of those sessions that last, in order."""
    results = ((row, _result_of_row(archive, row)) for row in rows if row.has_ended)
    return (result for row, result in results if result is not None and is_lasting(row, result))


def is_lasting(row: SessionRow, result: MatchResult) -> bool:
    """Return True for the result of a sealed game, or of one without stored decks, which has no seal to wait for."""
    return row.is_closed or not any(player.deck for player in result.players)


def _result_of_row(archive: Archive, row: SessionRow) -> MatchResult | None:
    last = archive.entries(session_stream(row.session), row.length - 1)
    return result_of(last[-1], row.game) if last else None
