"""The results of all games here, as a list that is updated with the sessions; statistics are computed from it.

A game's result is on the last line of its session. Games that were sealed before results were stored, or before all of
today's fields were stored, are completed from the marks that they left on their decks; nothing is replayed. Plays from
other programs are listed beside them, each once, as it was changed last, unless the user has removed it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import datetime
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import msgspec
import sqlalchemy as sa

from companion.archive.errors import ArchiveError
from companion.archive.storage import checksums
from companion.archive.storage.entries import Entry, StoredLine
from companion.archive.storage.lists import deck_stream, fold, mark_of, person_stream, play_stream, session_stream
from companion.archive.storage.plays import imported_plays
from companion.archive.storage.rows import PlayRow, SessionRow
from companion.archive.storage.schema import decks, entries, people, plays, results, sessions
from companion.games import registry
from companion.tabletop.action import NotationError
from companion.tabletop.table.match_result import Contender, MatchResult
from templates.languages.messages import Message, phrase

if TYPE_CHECKING:
    from companion.archive.storage.transaction import Transaction

_AT_ONCE: Final = 400
_PLAYED: Final = "played"
"""The kind of the mark that a game leaves, in every game."""


ELSEWHERE: Final = "elsewhere"
"""The page of a game that is none of those here: no page has this digest."""


class ResultRow(msgspec.Struct, frozen=True, gc=False):
    """The result of a game: its session, its game and page, and the time of its last line.

    For a play from another program, `session` is `key_of_play`, and `at` its end.
    """

    session: str
    game: str
    page: str
    at: datetime
    result: MatchResult


_COLUMNS: Final = tuple(results.c[field] for field in ResultRow.__struct_fields__)


def list_result(transaction: Transaction, stream: str, added: Sequence[Entry]) -> None:
    """Update the result of a session from the last of the lines that were added to its stream."""
    if stream.startswith(play_stream("")):
        play = transaction.row(PlayRow, stream.removeprefix(play_stream("")))
        relist(transaction, [key_of_play(play.source)] if play else [])
        return
    last = next((entry for entry in reversed(added) if entry.holds(StoredLine)), None)
    if last is None:
        return
    session, result = stream.removeprefix(session_stream("")), last.read(StoredLine).result
    if result is None:
        transaction.connection.execute(sa.delete(results).where(results.c.session == session))
    elif (row := transaction.row(SessionRow, session)) is not None:
        nameless = _read_nameless(transaction, [session])
        _put(transaction, _without_names(ResultRow(session, row.game, row.page, last.at, result), nameless))


def relist(transaction: Transaction, some: Collection[str] | None = None) -> None:
    """Rebuild the results of some sessions and plays, or of all, from the stored entries and the list of plays.

    Forgotten people stay nameless, and keep their ids.
    """
    nameless = _read_nameless(transaction, some)
    incomplete: set[str] = set()
    for part in [None] if some is None else _parts(sorted(some)):
        gone = sa.delete(results) if part is None else sa.delete(results).where(results.c.session.in_(part))
        transaction.connection.execute(gone)
        incomplete |= _list_stored(transaction, part, nameless)
        for row in _plays_that_count(transaction, part):
            _put(transaction, _without_names(row, nameless))
    if incomplete:
        _complete(transaction, incomplete, nameless)


def key_of_play(source: str) -> str:
    """Return the key in the list of results of a play from another program, by its source."""
    return play_stream(source)


def _plays_that_count(transaction: Transaction, part: Sequence[str] | None) -> Iterator[ResultRow]:
    """Yield the results of plays from other programs, each as it was changed last, without those that were removed."""
    where = None
    if part is not None:
        sources = [key.removeprefix(play_stream("")) for key in part if key.startswith(play_stream(""))]
        if not sources:
            return
        where = plays.c.source.in_(sources)
    for play in imported_plays(transaction, where):
        if not play.is_removed:
            row, page = play.row, "" if play.row.game else ELSEWHERE
            yield ResultRow(key_of_play(row.source), row.game or row.name, page, row.at, row.result)


def read_results(transaction: Transaction) -> Iterator[ResultRow]:
    """Yield all results, oldest first; only a part of them is in memory at once."""
    query = sa.select(*_COLUMNS).order_by(results.c.at, results.c.session)
    query = query.execution_options(yield_per=_AT_ONCE)
    return (ResultRow(*row) for row in transaction.connection.execute(query))


def games_of_results(transaction: Transaction) -> tuple[tuple[str, str], ...]:
    """Return the games with results, by their names and the digests of their pages."""
    query = sa.select(results.c.game, results.c.page).distinct().order_by(results.c.game, results.c.page)
    return tuple((game, page) for game, page in transaction.fetch_all(query))


def find_result(transaction: Transaction, session: str) -> ResultRow | None:
    """Return how a session ended; None if its game goes on, or its end is unknown."""
    rows = transaction.fetch_all(sa.select(*_COLUMNS).where(results.c.session == session))
    return ResultRow(*rows[0]) if rows else None


def forget_people(transaction: Transaction, ids: Collection[str], called: Collection[str]) -> None:
    """Remove the names of a forgotten person from the list.

    That affects players with one of these ids, and players without an id who have one of these names, who get the first
    id. What they played stays theirs.
    """
    first, folded = next(iter(ids)), {fold(name) for name in called}

    def nameless(player: Contender) -> Contender:
        if player.person in ids or (not player.person and fold(player.name) in folded):
            return msgspec.structs.replace(player, person=player.person or first, name="")
        return player

    changed = []
    for row in read_results(transaction):
        players = tuple(map(nameless, row.result.players))
        if players != row.result.players:
            changed.append(msgspec.structs.replace(row, result=msgspec.structs.replace(row.result, players=players)))
    for row in changed:
        _put(transaction, row)


class Directory(NamedTuple):
    """The present ids and names of people, and the ids of names that only one person has or had."""

    heads: Mapping[str, str]
    names: Mapping[str, str]
    by_name: Mapping[str, str]
    decks: Mapping[str, str]

    def find(self, player: Contender) -> str:
        """Return the id of a player; "" if it is unknown."""
        person = player.person or self.by_name.get(fold(player.name), "")
        return self.heads.get(person, person)

    def name(self, person: str, name: str) -> str:
        """Return a person's name from the list of people, else the name at the table."""
        return self.names.get(person) or name


def read_directory(transaction: Transaction) -> Directory:
    """Return the names of all people and decks, to attribute results."""
    query = sa.select(people.c.person, people.c.name, people.c.called, people.c.merged)
    rows = transaction.fetch_all(query)
    merged = {person: into for person, _, _, into in rows if into}
    heads = {}
    for person, *_ in rows:
        head = person
        while head in merged:
            head = merged[head]
        heads[person] = head
    bearers: dict[str, set[str]] = {}
    for person, _, called, _ in rows:
        for name in called:
            bearers.setdefault(fold(name), set()).add(heads[person])
    return Directory(
        heads,
        {person: name for person, name, _, into in rows if not into},
        {name: next(iter(some)) for name, some in bearers.items() if len(some) == 1},
        dict(transaction.connection.execute(sa.select(decks.c.deck, decks.c.name)).all()),
    )


def read_changes_of_people(transaction: Transaction, directory: Directory) -> Mapping[str, datetime]:
    """Return when each person was last changed (name, alias or purse), by id."""
    query = sa.select(entries.c.stream, sa.func.max(entries.c.at)).group_by(entries.c.stream)
    query = query.where(entries.c.stream >= person_stream(""), entries.c.stream < "person;")
    changed: dict[str, datetime] = {}
    for stream, at in transaction.fetch_all(query):
        person = stream.removeprefix(person_stream(""))
        head = directory.heads.get(person, person)
        changed[head] = max(at, changed.get(head, at))
    return changed


class ResultFault(NamedTuple):
    """A session whose listed result differs from its stored lines."""

    session: str
    text: Message


def check_results(transaction: Transaction, *, thorough: bool) -> Iterator[ResultFault]:
    """Yield the faults of the list of results. Unless `thorough`, a row with a valid checksum is trusted."""
    sound: dict[str, bytes] = {}
    wrong: set[str] = set()
    names = [column.name for column in results.columns if column.name != "checksum"]
    with checksums.query_bytes(transaction.connection) as ask:
        for *values, checksum in ask(f"SELECT {', '.join(names)}, checksum FROM {results.name} ORDER BY session"):
            session = checksums.decode_stream(values[0])
            if checksum and checksums.row_checksum(values) != checksum:
                wrong.add(session)
                yield ResultFault(
                    session, phrase("The result of session {session} is not listed as it was written.", session=session)
                )
                continue
            try:
                sound[session] = _core(_READ.decode(values[-1])) if thorough else b""
            except msgspec.MsgspecError:
                wrong.add(session)
                yield ResultFault(
                    session, phrase("The result of session {session} cannot be read in the list.", session=session)
                )
    if not thorough:
        return
    for row, _, result in _stored_results(transaction, None):
        listed = sound.pop(row.session, None)
        # For a sealed session without a result of its own, the list has what its decks' marks say.
        is_right = listed == _core(result) if result is not None else listed is None or row.sealed
        if not is_right and row.session not in wrong:
            yield ResultFault(
                row.session,
                phrase("The list of results lacks session {session}.", session=row.session),
            )
    for play in _plays_that_count(transaction, None):
        if sound.pop(play.session, None) != _core(play.result) and play.session not in wrong:
            yield ResultFault(play.session, phrase("The list of results lacks {play}.", play=play.session))
    for session in sound:
        yield ResultFault(
            session, phrase("The list of results has session {session}, which is not here.", session=session)
        )


def _core(result: MatchResult) -> bytes:
    """Return a digest of what the list must have in common with the line.

    It leaves out names and what may be completed.
    """
    players = [(player.seat, player.result, player.deck, player.version, player.place) for player in result.players]
    return hashlib.blake2b(
        msgspec.json.encode((result.outcome, players, result.turns, result.score, result.first)), digest_size=8
    ).digest()


def _put(transaction: Transaction, row: ResultRow) -> None:
    """Write a row in place of its session's, or as a new one."""
    values = _values(row)
    updated = transaction.connection.execute(sa.update(results).where(results.c.session == row.session).values(values))
    if updated.rowcount == 0:
        transaction.connection.execute(sa.insert(results).values(values))


def _values(row: ResultRow) -> dict[str, Any]:
    body = msgspec.json.encode(row.result).decode()
    stored = (row.session, row.game, row.page, row.at, body)
    return msgspec.structs.asdict(row) | {"checksum": checksums.row_checksum(stored)}


def _parts(some: Sequence[str]) -> Iterator[Sequence[str]]:
    return (some[start : start + _AT_ONCE] for start in range(0, len(some), _AT_ONCE))


_Nameless = Mapping[str, Mapping[str, str]]
"""By session: the people at seats whose names were removed."""


def _read_nameless(transaction: Transaction, some: Collection[str] | None) -> _Nameless:
    sessions_of_nameless: dict[str, dict[str, str]] = {}
    for part in [None] if some is None else _parts(sorted(some)):
        query = sa.select(results.c.session, results.c.result)
        if part is not None:
            query = query.where(results.c.session.in_(part))
        with suppress(ValueError, msgspec.MsgspecError):  # a damaged list has no information, and is rebuilt
            for session, result in transaction.connection.execute(query.execution_options(yield_per=_AT_ONCE)):
                nameless = {each.seat: each.person for each in result.players if each.person and not each.name}
                if nameless:
                    sessions_of_nameless[session] = nameless
    return sessions_of_nameless


def _without_names(row: ResultRow, nameless: _Nameless) -> ResultRow:
    """Return the row without the names of forgotten people."""
    if not (seats := nameless.get(row.session)):
        return row
    players = (
        msgspec.structs.replace(player, person=seats[player.seat], name="") if player.seat in seats else player
        for player in row.result.players
    )
    return msgspec.structs.replace(row, result=msgspec.structs.replace(row.result, players=tuple(players)))


class _Stored(NamedTuple):
    """A session's row, with the time of its last line and the result on it."""

    session: SessionRow
    at: datetime
    result: MatchResult | None


def _stored_results(transaction: Transaction, part: Sequence[str] | None) -> Iterator[_Stored]:
    """Yield the results on the last lines of sessions."""
    query = sa.select(*(sessions.c[field] for field in SessionRow.__struct_fields__), entries.c.at, entries.c.body)
    is_last = (
        entries.c.stream == sa.literal(session_stream("")).concat(sessions.c.session),
        entries.c.seq == sessions.c.length - 1,
    )
    query = query.select_from(sessions.join(entries, sa.and_(*is_last)))
    if part is not None:
        query = query.where(sessions.c.session.in_(part))
    for *columns, at, body in transaction.connection.execute(query.execution_options(yield_per=_AT_ONCE)):
        session, result = SessionRow(*columns), None
        if '"result":' in body:
            with suppress(msgspec.MsgspecError):
                result = _LINE.decode(body).result
        yield _Stored(session, at, result)


_LINE: Final = msgspec.json.Decoder(StoredLine)
_READ: Final = msgspec.json.Decoder(MatchResult)


def _list_stored(transaction: Transaction, part: Sequence[str] | None, nameless: _Nameless) -> set[str]:
    """List the results on last lines; return the sealed sessions whose decks may have more."""
    incomplete, new = set(), []
    for session, at, result in _stored_results(transaction, part):
        if result is not None:
            row = ResultRow(session.session, session.game, session.page, at, result)
            new.append(_values(_without_names(row, nameless)))
        if session.sealed and (result is None or not result.tallies):
            incomplete.add(session.session)
        if len(new) == _AT_ONCE:
            transaction.connection.execute(sa.insert(results), new)
            new = []
    if new:
        transaction.connection.execute(sa.insert(results), new)
    return incomplete


def _complete(transaction: Transaction, sessions_to_complete: Collection[str], nameless: _Nameless) -> None:
    """Add what the marks of decks say about some sessions."""
    query = sa.select(entries.c.session, entries.c.stream, entries.c.seq, entries.c.at, entries.c.body).where(
        entries.c.stream >= deck_stream(""),
        entries.c.stream < "deck;",
        entries.c.kind == _PLAYED,
        entries.c.session != "",
    )
    query = query.order_by(entries.c.stream, entries.c.seq).execution_options(yield_per=_AT_ONCE)
    incomplete = set(sessions_to_complete)
    pages = dict(transaction.connection.execute(sa.select(decks.c.deck, decks.c.page)).all())
    games = dict(transaction.connection.execute(sa.select(decks.c.deck, decks.c.game)).all())
    for session, stream, seq, at, body in transaction.connection.execute(query):
        deck = stream.removeprefix(deck_stream(""))
        if session not in incomplete or deck not in games:
            continue
        try:
            rules = registry.game(games[deck], pages[deck])
            result = rules.evenings.played_result(mark_of(rules, stream, seq, body), deck)
        except (ArchiveError, NotationError, ValueError, LookupError):
            continue
        if result is None:
            continue
        row = ResultRow(session, rules.name, rules.page, at, result)
        _put(transaction, _without_names(_join(find_result(transaction, session), row), nameless))
        if result.tallies:
            incomplete.discard(session)


def _join(before: ResultRow | None, row: ResultRow) -> ResultRow:
    """Add what a deck's mark says to the listed result of a session."""
    if before is None:
        return row
    listed, more = before.result, row.result
    change = msgspec.structs.replace
    seats = {(player.deck or player.name) for player in listed.players}
    others = tuple(player for player in more.players if (player.deck or player.name) not in seats)
    is_whole = any(player.seat for player in listed.players)
    return change(
        before,
        result=change(
            listed,
            players=listed.players if is_whole else (*listed.players, *others),
            minutes=listed.minutes or more.minutes,
            venue=listed.venue or more.venue,
            tallies=listed.tallies or more.tallies,
        ),
    )
