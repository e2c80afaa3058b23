"""Rows of lists (sessions, decks, people and the rest), made from the entries of streams; and the marks in them."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from datetime import datetime
from functools import cache, reduce
from operator import or_
from typing import TYPE_CHECKING, Any, Final

import msgspec

from companion.archive.errors import ArchiveError
from companion.archive.storage.entries import (
    ClaimsSettled,
    Entry,
    KeepsakeChange,
    LeagueClosed,
    LeagueCreated,
    LeagueEvent,
    LeagueReopened,
    PageEvent,
    PageKept,
    PageListed,
    PageWithdrawn,
    PersonAlias,
    PersonIntroduced,
    PersonLanguage,
    PersonMerged,
    PersonRenamed,
    PlayerJoined,
    PlayEvent,
    PlayKept,
    PositionsClaimed,
    PositionsReturned,
    PositionsUsed,
    PrinterCalibrated,
    PurseChange,
    PutAway,
    RehearsalBegun,
    RehearsalCounted,
    RehearsalEvent,
    RoundDrawn,
    SheetBegun,
    StoredLine,
    StreamOpened,
    draft,
    unreadable_entry,
)
from companion.archive.storage.rows import (
    DeckRow,
    LeagueRow,
    NamedPurseRow,
    PageRow,
    PersonRow,
    PlayRow,
    Positions,
    PrinterRow,
    RehearsalRow,
    Row,
    SessionRow,
    SessionStanding,
    SheetRow,
    decoder,
)
from companion.games import registry
from companion.games.described import load
from companion.tabletop.records import (
    GENERAL_MARKS,
    Due,
    EditionTaken,
    Mark,
    Record,
    Tagged,
    corrections,
)
from templates.languages.messages import Message, Text, phrase

if TYPE_CHECKING:
    from companion.tabletop.game import Game


def opening_of(entries: Sequence[Entry]) -> StreamOpened:
    """Return the first entry of a session or a deck. Raises ArchiveError if its stream begins with something else."""
    if not entries or not entries[0].holds(StreamOpened):
        raise ArchiveError(
            phrase("{stream} lacks the first entry of a session or deck.", stream=entries[0].stream)
            if entries
            else phrase("A stream lacks the first entry of a session or deck.")
        )
    return entries[0].read(StreamOpened)


def page_of(entries: Sequence[Entry]) -> str:
    """Return the digest of the page, or homebrew, that a session or a deck follows now.

    "" for a game that is a program.
    """
    opening = opening_of(entries)
    taken = (entry for entry in reversed(entries) if entry.kind == _TAKEN)
    return next((entry.read(EditionTaken).page for entry in taken), opening.page)


_TAKEN: Final = str(EditionTaken.__struct_config__.tag)


def new_marks(entries: Sequence[Entry], marks: Sequence[Mark]) -> Sequence[Mark]:
    """Return the marks still to be written on a deck, without those that take the edition it already follows."""
    return [mark for mark in marks if not (isinstance(mark, EditionTaken) and mark.page == page_of(entries))]


def pages_of(entries: Sequence[Entry]) -> tuple[str, ...]:
    """Return the digests of all pages that a session or a deck ever followed, oldest first."""
    first = opening_of(entries).page
    taken = (entry.read(EditionTaken).page for entry in entries if entry.kind == _TAKEN)
    return tuple(page for page in dict.fromkeys((first, *taken)) if page)


def game_of(entries: Sequence[Entry]) -> Game:
    """Return the game of a session or a deck, in the edition it follows now. Raises NotationError if that is lost."""
    opening = opening_of(entries)
    if registry.is_path(opening.game):
        raise ArchiveError(phrase("{stream} names a file as its game.", stream=entries[0].stream))
    return registry.game(opening.game, page_of(entries))


def append_marks(entries: tuple[Entry, ...], marks: Iterable[Mark], at: datetime, by: str) -> tuple[Entry, ...]:
    """Return a story with further marks, made at `at` by `by`."""
    drafts = enumerate(map(draft, marks), start=len(entries))
    return (*entries, *(Entry(entries[0].stream, seq, at, by, new.kind, new.body) for seq, new in drafts))


def marks_of(entries: Sequence[Entry]) -> tuple[Mark, ...]:
    """Return the marks in a deck's stream, as its game's own structs, oldest first."""
    decode = _mark_decoder(game_of(entries).mark_types).decode
    marks: list[Mark] = []
    try:
        for entry in entries[1:]:
            marks.append(decode(entry.body))  # noqa: PERF401 – the error names the entry at which it stopped
    except msgspec.MsgspecError as error:
        wrong = entries[len(marks) + 1]
        raise unreadable_entry(wrong.stream, wrong.seq, error) from error
    return tuple(marks)


def mark_of(game: Game, stream: str, seq: int, body: str) -> Mark:
    """Decode the mark in one entry of a deck. Raises ArchiveError if it is none of the game's."""
    try:
        mark: Mark = _mark_decoder(game.mark_types).decode(body)
    except msgspec.MsgspecError as error:
        raise unreadable_entry(stream, seq, error) from error
    return mark


def record_of(entries: Sequence[Entry]) -> Record:
    """Return the deck as it is today, from its stream."""
    game = game_of(entries)
    record = game.record(marks_of(entries))
    return msgspec.structs.replace(record, page=game.page) if game.page else record


@cache
def _mark_decoder(own: tuple[type[Mark], ...]) -> msgspec.json.Decoder[Any]:
    """Return a decoder for any mark that a game's decks can have."""
    tags = {kind.__struct_config__.tag for kind in own}
    kinds: Any = reduce(or_, (*own, *(kind for kind in GENERAL_MARKS if kind.__struct_config__.tag not in tags)))
    return decoder(kinds)


def fold(name: str) -> str:
    """Return the form in which two names are the same name: without case, and with one kind of space."""
    return " ".join(unicodedata.normalize("NFKC", name).casefold().split())


def search_text(row: SessionRow | DeckRow | PersonRow) -> str:
    """Return the text of a row that a search looks through.

    For a deck that is its name (tags have a column of their own); for a session its title, game and people; for a
    person all names, the present one first, and the id.
    """
    if isinstance(row, DeckRow):
        return fold(row.name)
    if isinstance(row, PersonRow):
        return fold(" ".join(dict.fromkeys((row.name, *row.called, row.person))))
    people = " ".join(row.standing.seats) if isinstance(row.standing, SessionStanding) else row.standing
    return fold(f"{row.title} {row.game} {people}")


def join_folded(names: Collection[str]) -> str:
    """Join names for a search of whole names: each folded, on a line of its own between two line ends."""
    return "\n".join(("", *map(fold, names), "")) if names else ""


def session_stream(session: str) -> str:
    """Return the stream of a session, by its id."""
    return f"session:{session}"


def deck_stream(deck: str) -> str:
    """Return the stream of a deck, by its id."""
    return f"deck:{deck}"


def person_stream(person: str) -> str:
    """Return the stream of a person, by id."""
    return f"person:{person}"


NAMED_PURSE: Final = "wizard"
"""The kind of stream in which a purse was kept under a name; nothing is appended to one any more."""


def league_stream(league: str) -> str:
    """Return the stream of a league, by its id."""
    return f"league:{league}"


def rehearsal_stream(rehearsal: str) -> str:
    """Return the stream of a rehearsal, by its id."""
    return f"rehearsal:{rehearsal}"


def play_stream(play: str) -> str:
    """Return the stream of a play from another program, by its key."""
    return f"play:{play}"


def page_stream(page: str) -> str:
    """Return the stream of a page, by the digest of its text."""
    return f"page:{page}"


def named_purse_stream(kept_as: str) -> str:
    """Return the stream of a purse that was kept under a name."""
    return f"{NAMED_PURSE}:{kept_as}"


def row_of(stream: str, entries: Sequence[Entry], before: Row | None = None) -> Row:
    """Return the row of a stream.

    `entries` are all of the stream's, or, for a session or a person, those after the row `before`. Raises ArchiveError
    if they make no sense.
    """
    kind, _, key = stream.partition(":")
    if kind == "session" and (before is None or isinstance(before, SessionRow)):
        return _session_row(key, entries, before)
    if kind == "person" and (before is None or isinstance(before, PersonRow)):
        return _person_row(key, entries, before)
    if kind not in _ROW_MAKERS:
        raise ArchiveError(phrase("The archive keeps no stream called {stream}.", stream=stream))
    return _ROW_MAKERS[kind](key, entries)


def _session_row(session: str, entries: Sequence[Entry], before: SessionRow | None) -> SessionRow:
    row = before
    if row is None:
        opening, at = opening_of(entries), entries[0].at
        if registry.is_path(opening.game):
            raise ArchiveError(phrase("{stream} names a file as its game.", stream=entries[0].stream))
        row = SessionRow(session, opening.game, opening.title, at, at, 0, 0, "", False, opening.edition, opening.page)
    lines = [entry.read(StoredLine) for entry in entries if entry.holds(StoredLine)]
    return msgspec.structs.replace(
        row,
        changed=entries[-1].at,
        length=row.length + len(entries),
        lines=row.lines + len(lines),
        standing=next((line.standing for line in reversed(lines) if line.standing), row.standing),
        sealed=row.sealed or any(line.seals is not None for line in lines),
        edition=next((line.edition for line in reversed(lines) if line.edition), row.edition),
    )


def _person_row(person: str, entries: Sequence[Entry], before: PersonRow | None) -> PersonRow:
    row = before or _new_person_row(person, entries[0])
    for entry in entries[0 if before else 1 :]:
        row = _apply_entry(row, entry)
    return msgspec.structs.replace(row, length=row.length + len(entries))


def _new_person_row(person: str, entry: Entry) -> PersonRow:
    if not entry.holds(PersonIntroduced):
        raise ArchiveError(phrase("{stream} lacks the first entry of a person.", stream=entry.stream))
    first = entry.read(PersonIntroduced)
    return PersonRow(person, first.name, (first.name,), 0, first.kept_as, "", entry.at, 0)


def _apply_entry(row: PersonRow, entry: Entry) -> PersonRow:
    change = msgspec.structs.replace
    if entry.holds(PurseChange):
        return change(row, purse=row.purse + entry.read(PurseChange).change)
    if entry.holds(KeepsakeChange):
        keepsake = entry.read(KeepsakeChange)
        of_game = row.kept.get(keepsake.game, {})
        return change(
            row,
            kept=row.kept | {keepsake.game: of_game | {keepsake.what: of_game.get(keepsake.what, 0) + keepsake.change}},
        )
    if entry.holds(PersonRenamed):
        name = entry.read(PersonRenamed).name
        return change(row, name=name, called=tuple(dict.fromkeys((*row.called, name))))
    if entry.holds(PersonMerged):
        return change(row, merged=entry.read(PersonMerged).into)
    if entry.holds(PersonAlias):
        alias = entry.read(PersonAlias)
        return change(row, nickname=alias.nickname, hidden=alias.hidden)
    if entry.holds(PersonLanguage):
        return change(row, language=entry.read(PersonLanguage).language)
    raise ArchiveError(
        phrase("Entry {seq} of {stream} is not about a person.", seq=str(entry.seq), stream=entry.stream)
    )


def _named_purse_row(kept_as: str, entries: Sequence[Entry]) -> NamedPurseRow:
    changes = [entry.read(PurseChange) for entry in entries]
    return NamedPurseRow(kept_as, changes[0].name, sum(change.change for change in changes), len(changes))


def _deck_row(deck: str, entries: Sequence[Entry]) -> DeckRow:
    game = game_of(entries)
    marks = marks_of(entries)
    record = game.record(marks)
    chores = game.decks.keeping.chores(marks) if game.decks.keeping else ()
    return DeckRow(
        deck=deck,
        game=opening_of(entries).game,
        name=record.name,
        figures=game.decks.figures(record),
        holder=record.holder,
        person=record.person,
        retired=record.retired,
        updated=entries[-1].at,
        length=len(entries),
        holders=record.holders,
        tags=tags_of(marks),
        due=tuple(Due(chore.mark, chore.place, chore.spot, chore.value, chore.unsure) for chore in chores),
        page=game.page,
    )


def deck_row_without_page(deck: str, entries: Sequence[Entry]) -> DeckRow:
    """Return the row of a deck whose game's page is lost: its first name and holder, and no effects of its marks."""
    opening, first = opening_of(entries), msgspec.json.decode(entries[1].body if len(entries) > 1 else "{}")
    name, holder = (str(first.get(key, "")) for key in ("name", "holder"))
    ends = entries[-1].at, len(entries)
    return DeckRow(deck, opening.game, name or deck, (), holder, "", False, *ends, page=page_of(entries))


_Sheet = SheetBegun | PositionsClaimed | ClaimsSettled | PositionsReturned | PositionsUsed | PutAway
_Printer = PrinterCalibrated | PutAway


def sheet_row(sheet: str, entries: Sequence[Entry]) -> SheetRow:
    """Return the row of a sheet. Raises ArchiveError if its entries make no sense."""
    kinds: Any = _Sheet
    events: list[_Sheet] = [entry.read(kinds) for entry in entries]
    first, *rest = events
    if not isinstance(first, SheetBegun):
        raise ArchiveError(phrase("The sheet {sheet} lacks its first entry.", sheet=sheet))
    row = reduce(_apply_sheet_event, rest, _new_sheet_row(sheet, first))
    return msgspec.structs.replace(row, length=len(events))


def _new_sheet_row(sheet: str, begun: SheetBegun) -> SheetRow:
    return SheetRow(sheet, begun.name, begun.stock, begun.count, begun.free, waiting=(), away=False, length=0)


def _apply_sheet_event(row: SheetRow, event: _Sheet) -> SheetRow:
    change = msgspec.structs.replace
    match event:
        case SheetBegun():
            return _new_sheet_row(row.sheet, event)
        case PositionsClaimed(positions):
            return change(row, free=_less(row.free, positions), waiting=_and(row.waiting, positions))
        case ClaimsSettled("blank"):
            return change(row, free=_and(row.free, row.waiting), waiting=())
        case ClaimsSettled():
            return change(row, waiting=())
        case PositionsReturned(positions):
            return change(row, free=_and(row.free, positions), waiting=_less(row.waiting, positions))
        case PositionsUsed(positions):
            return change(row, free=_less(row.free, positions), waiting=_less(row.waiting, positions))
        case PutAway():
            return change(row, away=True)


def _and(some: Positions, more: Positions) -> Positions:
    return tuple(sorted({*some, *more}))


def _less(some: Positions, fewer: Positions) -> Positions:
    return tuple(position for position in some if position not in fewer)


def printer_row(printer: str, entries: Sequence[Entry]) -> PrinterRow:
    """Return the row of a printer, with its last calibration. Raises ArchiveError if there is none."""
    kinds: Any = _Printer
    events: list[_Printer] = [entry.read(kinds) for entry in entries]
    last = next((event for event in reversed(events) if isinstance(event, PrinterCalibrated)), None)
    if last is None:
        raise ArchiveError(phrase("The printer {printer} lacks its first entry.", printer=printer))
    away = isinstance(events[-1], PutAway)
    return PrinterRow(printer, last.name, last.dx, last.dy, last.sx, last.sy, away, len(events))


def league_events(entries: Sequence[Entry]) -> tuple[LeagueEvent, ...]:
    """Return the events of a league, oldest first. Raises ArchiveError if its stream begins with something else."""
    kinds: Any = LeagueEvent
    decode = decoder(kinds).decode
    events: list[LeagueEvent] = []
    try:
        for entry in entries:
            events.append(decode(entry.body))  # noqa: PERF401 – the error names the entry at which it stopped
    except msgspec.MsgspecError as error:
        wrong = entries[len(events)]
        raise unreadable_entry(wrong.stream, wrong.seq, error) from error
    if not events or not isinstance(events[0], LeagueCreated):
        raise ArchiveError(
            phrase("{stream} lacks the first entry of a league.", stream=entries[0].stream)
            if entries
            else phrase("A league lacks its first entry.")
        )
    return tuple(events)


def _league_row(league: str, entries: Sequence[Entry]) -> LeagueRow:
    created, *rest = league_events(entries)
    assert isinstance(created, LeagueCreated)
    people = {*created.people, *(event.person for event in rest if isinstance(event, PlayerJoined))}
    ends = [event for event in rest if isinstance(event, LeagueClosed | LeagueReopened)]
    return LeagueRow(
        league=league,
        name=created.name,
        game=created.game,
        form=created.form,
        people=len(people),
        rounds=max((event.round for event in rest if isinstance(event, RoundDrawn)), default=0),
        closed=bool(ends) and isinstance(ends[-1], LeagueClosed),
        updated=entries[-1].at,
        length=len(entries),
    )


def rehearsal_events(entries: Sequence[Entry]) -> tuple[RehearsalEvent, ...]:
    """Return the events of a rehearsal, oldest first. Raises ArchiveError if its stream begins with something else."""
    kinds: Any = RehearsalEvent
    events: tuple[RehearsalEvent, ...] = tuple(entry.read(kinds) for entry in entries)
    if not events or not isinstance(events[0], RehearsalBegun):
        raise ArchiveError(
            phrase("{stream} lacks the first entry of a rehearsal.", stream=entries[0].stream)
            if entries
            else phrase("A rehearsal lacks its first entry.")
        )
    return events


def _rehearsal_row(rehearsal: str, entries: Sequence[Entry]) -> RehearsalRow:
    begun, *rest = rehearsal_events(entries)
    assert isinstance(begun, RehearsalBegun)
    counted = next((event for event in reversed(rest) if isinstance(event, RehearsalCounted)), None)
    return RehearsalRow(
        rehearsal=rehearsal,
        name=begun.name,
        game=begun.game,
        design=begun.design,
        seed=begun.seed,
        edition=begun.edition,
        program=begun.program,
        units=counted.units if counted else 0,
        games=counted.games if counted else 0,
        begun=entries[0].at,
        updated=entries[-1].at,
        length=len(entries),
    )


def _play_row(play: str, entries: Sequence[Entry]) -> PlayRow:
    kinds: Any = PlayEvent
    kept, *_ = (entry.read(kinds) for entry in entries)
    if not isinstance(kept, PlayKept):
        raise ArchiveError(phrase("The game {play} lacks its first entry.", play=play))
    return PlayRow(play, kept.title, kept.source, kept.game, kept.at, kept.changed, kept.result, len(entries))


def page_text(page: str, entries: Sequence[Entry]) -> str:
    """Return the text of a page, from its stream. Raises ArchiveError if it is not the one with this digest."""
    kept = _read_page_event(entries[0]) if entries else None
    if not isinstance(kept, PageKept) or load.digest_of(kept.text) != page:
        raise ArchiveError(
            phrase("{page} does not begin with the text of that page.", page=page_stream(page)), "damage"
        )
    return kept.text


def _read_page_event(entry: Entry) -> PageKept | PageListed | PageWithdrawn:
    kinds: Any = PageEvent
    event: PageKept | PageListed | PageWithdrawn = entry.read(kinds)
    return event


def _page_row(page: str, entries: Sequence[Entry]) -> PageRow:
    text = page_text(page, entries)
    load.remember(text)
    headline = load.headline(text)
    first, *rest = map(_read_page_event, entries)
    assert isinstance(first, PageKept)
    name, added, listed, withdrawn = first.name or headline.name, entries[0].at, False, False
    for event, entry in zip(rest, entries[1:], strict=True):
        if isinstance(event, PageListed):
            name, added, listed, withdrawn = event.name, entry.at, True, False
        elif isinstance(event, PageWithdrawn):
            withdrawn = True
    return PageRow(
        page, name, headline.name, headline.title, headline.by, headline.edition, added, listed, withdrawn, len(entries)
    )


_ROW_MAKERS: Final[Mapping[str, Callable[[str, Sequence[Entry]], Row]]] = {
    "deck": _deck_row,
    NAMED_PURSE: _named_purse_row,
    "sheet": sheet_row,
    "printer": printer_row,
    "league": _league_row,
    "rehearsal": _rehearsal_row,
    "play": _play_row,
    "page": _page_row,
}
"""Rows that are always made from a whole stream."""


def tags_of(marks: Sequence[Mark]) -> tuple[str, ...]:
    """Return the tags that a deck has by its marks, in alphabetical order; upper and lower case are the same."""
    if not any(isinstance(mark, Tagged) for mark in marks):
        return ()
    corrected = corrections(marks)
    tags: dict[str, str] = {}
    for number, mark in enumerate(marks, 1):
        if isinstance(mark, Tagged) and number not in corrected:
            tags |= {fold(tag): tag for tag in mark.tags}
            for tag in mark.off:
                tags.pop(fold(tag), None)
    return tuple(tags[key] for key in sorted(tags))


LISTS: Final[Mapping[str, type[Row]]] = {
    "page": PageRow,
    "session": SessionRow,
    "deck": DeckRow,
    "person": PersonRow,
    NAMED_PURSE: NamedPurseRow,
    "sheet": SheetRow,
    "printer": PrinterRow,
    "league": LeagueRow,
    "rehearsal": RehearsalRow,
    "play": PlayRow,
}
"""The list of each kind of stream. Pages come first, because what follows is read by them."""

_PLURALS: Final[Mapping[str, Message]] = {
    "stream": phrase("streams"),
    "page": phrase("pages"),
    "session": phrase("sessions"),
    "deck": phrase("decks"),
    "person": phrase("people"),
    NAMED_PURSE: phrase("purses"),
    "sheet": phrase("sheets"),
    "printer": phrase("printers"),
    "league": phrase("leagues"),
    "rehearsal": phrase("rehearsals"),
    "play": phrase("plays"),
}


def plural_of(kind: str) -> Text:
    """Return the plural of a kind of stream, as the name of its list."""
    return _PLURALS.get(kind, f"{kind}s")


StreamProgress = Callable[[str, Sequence[str]], Iterable[str]]
"""A callback that yields the streams of a kind one by one, so that it can show the progress."""


def no_progress(_: str, streams: Sequence[str]) -> Iterable[str]:
    """Return the streams unchanged, and report no progress."""
    return streams
