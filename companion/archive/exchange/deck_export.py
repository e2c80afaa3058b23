"""Export of decks to another archive: one file with their whole stories. It is read with suspicion and verified.

The file is gzip around lines of JSON, which any tool can inspect. None of it is trusted before its chain is verified.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple, cast

import msgspec

from companion.archive import deck_id, page_texts
from companion.archive.archive import Archive
from companion.archive.errors import ArchiveError, Clause, Unreadable, describe_error
from companion.archive.exchange import export_format
from companion.archive.exchange.export_format import NONSENSE, YEARS, EntryLine
from companion.archive.storage import lists
from companion.archive.storage.entries import Entry
from companion.archive.storage.lists import deck_stream, marks_of
from companion.archive.storage.lookup import no_deck
from companion.archive.storage.rows import DeckRow
from companion.games import registry
from companion.games.described import load
from companion.tabletop.action import NotationError
from companion.tabletop.errors import SentenceError
from companion.tabletop.records import Corrected
from companion.tabletop.text import in_quotes, quote_text, visible_form
from templates.languages.messages import Message, phrase

if TYPE_CHECKING:
    from companion.archive.storage.transaction import Transaction

Progress = Callable[[float], None]
"""A callback that gets the part that is done, from 0 to 1."""

_MAX_FIGURE: Final = 10**15
_OPENING: Final = b'{"companion":'


class DeckStory(NamedTuple):
    """A deck's whole story as read from a file, and its row in lists.

    `pages` are the texts of all pages that the deck ever followed, by digest, as far as the file has them.
    """

    deck: str
    name: str
    entries: tuple[Entry, ...]
    row: DeckRow
    pages: Mapping[str, str] = MappingProxyType({})


class _DeckFileHead(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The first line of a file. `version` is 2 if pages precede the decks, which older companions do not know."""

    companion: Literal["decks"]
    version: Literal[1, 2]


class _DeckHead(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    deck: str
    game: str
    name: str
    entries: int


class _PageHead(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    page: str
    text: str


_openings = msgspec.json.Decoder(_DeckFileHead)
_heads = msgspec.json.Decoder(_DeckHead)
_page_lines = msgspec.json.Decoder(_PageHead)
_PAGE: Final = b'{"page":'


def export_decks(archive: Archive, decks: Iterable[str], path: Path) -> None:
    """Write the whole stories of decks to `path`, one after the other, after the pages that they are read by.

    Raises Unknown, ArchiveError.
    """
    decks = tuple(decks)
    with archive.store.reading() as transaction, export_format.open_writer(path) as write:
        pages = _pages(transaction, decks)
        write(_DeckFileHead("decks", 2 if pages else 1))
        for page in pages:
            write(page)
        for deck in decks:
            if sum(write(line) for line in _story_lines(transaction, deck)) > export_format.MAX_STORY_BYTES:
                raise ArchiveError(
                    phrase(
                        "A file has more than {size} MB of deck {deck}, the most that is allowed.",
                        size=export_format.MAX_STORY_MB,
                        deck=deck_id.show(deck),
                    )
                )


def _pages(transaction: Transaction, decks: Iterable[str]) -> Sequence[_PageHead]:
    """Return the pages that decks ever followed, each once; lost pages are left out."""
    rows = (transaction.row(DeckRow, deck) for deck in decks)
    described = (row.deck for row in rows if row is not None and row.page)
    digests = dict.fromkeys(page for deck in described for page in lists.pages_of(transaction.read(deck_stream(deck))))
    texts = {page: page_texts.read_text(transaction, page) for page in digests}
    return [_PageHead(page, text) for page, text in texts.items() if text is not None]


def _story_lines(transaction: Transaction, deck: str) -> Iterator[_DeckHead | EntryLine]:
    entries = transaction.read_whole(deck_stream(deck))
    row = transaction.row(DeckRow, deck)
    if not entries or row is None:
        raise no_deck(deck)
    yield _DeckHead(deck, row.game, row.name, len(entries))
    yield from export_format.entry_lines(entries, export_format.deck_chain(deck))


def is_deck_file(path: Path) -> bool:
    """Return True if a file begins as one of decks. Raises Unreadable if it is packed in no way that exports have, and
    OSError if there is no file.
    """
    with export_format.Lines.open(path, phrase("file of decks")) as lines:
        return _read_opening(next(iter(lines), b"")) is not None


def read_stories(path: Path, watch: Progress = lambda _: None) -> Iterator[DeckStory]:
    """Read the stories in a file; each is verified by its chain and replayed by its game's rules before it is returned.

    Only one is held at a time; the first is read at once. `watch` gets the part of the file that is read. Raises
    Unreadable if the file is damaged, was edited, belongs to another program or makes no sense: callers import all
    stories of a file or none.
    """

    def read() -> Iterator[DeckStory]:
        with export_format.Lines.open(path, phrase("file of decks")) as lines:
            for story in _stories(lines):
                watch(lines.progress)
                yield story

    stories = read()
    return itertools.chain((next(stories),), stories)


def _stories(lines: export_format.Lines) -> Iterator[DeckStory]:
    """Yield the stories of a file, or of several files that were concatenated."""
    rows = iter(lines)
    _open(lines, next(rows, b""))
    read: set[str] = set()
    pages: dict[str, str] = {}
    for row in rows:
        if row.startswith(_PAGE):
            pages |= _read_page(lines, row)
            continue
        if read and row.startswith(_OPENING):
            _open(lines, row)
            read.clear()
            continue
        head = _heads.decode(row)
        if head.deck in read or head.entries < 2:
            raise Unreadable(phrase("{file} is not a file of decks that an archive wrote.", file=lines.name))
        read.add(head.deck)
        yield _story(lines, rows, head, pages)
    if not read:
        raise Unreadable(phrase("{file} holds no deck.", file=lines.name))


def _read_opening(row: bytes) -> _DeckFileHead | None:
    try:
        return _openings.decode(row)
    except msgspec.MsgspecError:
        return None


def _open(lines: export_format.Lines, row: bytes) -> None:
    if _read_opening(row) is None:
        raise Unreadable(phrase("{file} is not a file of decks, or a newer companion wrote it.", file=lines.name))


def _read_page(lines: export_format.Lines, row: bytes) -> Mapping[str, str]:
    """Return a page of a file by its digest, and remember it so that what follows can be read by it."""
    line = _page_lines.decode(row)
    if load.digest_of(line.text) != line.page:
        raise Unreadable(phrase("{file} was changed: the text of a game's page is different.", file=lines.name))
    try:
        load.headline(line.text)
    except NotationError as error:
        raise Unreadable(
            phrase(
                "{file} holds a page that cannot be read ({reason}).",
                file=lines.name,
                reason=Clause(describe_error(error)),
            )
        ) from error
    return {load.remember(line.text): line.text}


def _story(lines: export_format.Lines, rows: Iterator[bytes], head: _DeckHead, pages: Mapping[str, str]) -> DeckStory:
    try:
        deck = deck_id.parse(head.deck)
    except deck_id.DeckIdError:
        raise Unreadable(phrase("{file} names a deck that cannot exist.", file=lines.name)) from None
    entries = tuple(_entries(lines, itertools.islice(rows, head.entries), head, deck))
    if len(entries) < head.entries:
        raise lines.cut_off()
    for entry in entries:
        for what, figure in _absurd_figures(
            msgspec.json.decode(entry.body), least=-_MAX_FIGURE if entry.seq > 1 else 0
        ):
            raise Unreadable(
                phrase(
                    "{file} says {what} is {figure} in entry {seq} of {deck}.",
                    file=lines.name,
                    what=in_quotes(what),
                    figure=figure,
                    seq=str(entry.seq),
                    deck=in_quotes(head.name),
                )
            )
    _check_page(lines, head, entries)
    row = check_story(lines.name, deck, entries)
    if (row.name, row.game, deck) != (head.name, head.game, head.deck):
        raise Unreadable(
            phrase(
                "{file} was changed: it calls a deck {deck}, but the history of the deck does not.",
                file=lines.name,
                deck=in_quotes(head.name),
            )
        )
    its = {page: pages[page] for page in lists.pages_of(entries) if page in pages}
    return DeckStory(deck, row.name, entries, row, its)


def _entries(lines: export_format.Lines, rows: Iterable[bytes], head: _DeckHead, deck: str) -> Iterator[Entry]:
    """Yield a deck's entries, each verified by its hash as it is read.

    So a file unpacks to no more than it really holds.
    """
    chain, size = export_format.deck_chain(deck), 0
    for seq, row in enumerate(rows):
        line = export_format.decode_line(row)
        if line.seq != seq:
            raise Unreadable(
                phrase("{file} lacks a part of the history of {deck}.", file=lines.name, deck=in_quotes(head.name))
            )
        if line.at.year not in YEARS:
            raise Unreadable(
                phrase(
                    "{file} dates entry {seq} of a deck in the year {year}.",
                    file=lines.name,
                    seq=str(seq),
                    year=str(line.at.year),
                )
            )
        entry = line.entry(deck_stream(deck))
        if line.hash != chain.add(entry):
            raise Unreadable(
                phrase(
                    "{file} was changed: entry {seq} of {deck} does not follow the one before.",
                    file=lines.name,
                    seq=str(seq),
                    deck=in_quotes(head.name),
                )
            )
        size += len(row)
        if size > export_format.MAX_STORY_BYTES:
            raise Unreadable(
                phrase(
                    "{file} has more than {size} MB of {deck}, the most that is allowed.",
                    file=lines.name,
                    size=export_format.MAX_STORY_MB,
                    deck=in_quotes(head.name),
                )
            )
        yield entry


def _absurd_figures(body: Any, what: str = "", least: int = 0, in_lists: int = 0) -> Iterator[tuple[str, str]]:
    """Yield figures in an entry that no game reaches, each with its name there."""
    if isinstance(body, dict):
        for key, part in body.items():
            # The arguments of a reason may be of any kind.
            if key != "args":
                # An evening states for each of its people what they won or lost.
                yield from _absurd_figures(part, key, least, least if key == "evening" else in_lists)
    elif isinstance(body, list):
        for part in body:
            # Figures in a list count things, and none is below zero.
            yield from _absurd_figures(part, what, in_lists, in_lists)
    elif isinstance(body, int | float) and not least <= body <= _MAX_FIGURE:
        yield what, f"{body:.3g}" if abs(body) > _MAX_FIGURE else str(body)


def _check_page(lines: export_format.Lines, head: _DeckHead, entries: tuple[Entry, ...]) -> None:
    """Raise Unreadable if neither the file nor this archive has the deck's page. Nonsense is reported elsewhere."""
    try:
        page = lists.page_of(entries)
    except ArchiveError:
        return
    try:
        registry.game(head.game, page)
    except NotationError as error:
        if page:
            raise Unreadable(
                phrase(
                    "{file} holds {deck}, a deck of a game whose page is neither in it nor here: {game}.",
                    file=lines.name,
                    deck=in_quotes(head.name),
                    game=in_quotes(head.game),
                )
            ) from error


def check_story(source: Message, deck: str, entries: tuple[Entry, ...]) -> DeckRow:
    """Replay the deck's whole life and return its row. Raises Unreadable, naming the source, if it makes no sense."""
    try:
        row: Any = lists.row_of(deck_stream(deck), entries)
        marks = marks_of(entries)
        game = registry.game(row.game, row.page)
        if any(isinstance(mark, Corrected) and not 0 < mark.of < number for number, mark in enumerate(marks, 1)):
            raise ArchiveError(phrase("a correction of what was not there yet"))
        if len(game.decks.story(marks)) != len(marks) or not visible_form(row.name):
            raise ArchiveError(phrase("a deck without a name or a history"))
        if (keeping := game.decks.keeping) is not None:
            keeping.chores(marks)
    except NONSENSE as error:
        is_ours = isinstance(error, SentenceError) and bool(error.sentence)
        why = describe_error(error) if is_ours else quote_text(str(error) or type(error).__name__)[1:-1]
        raise Unreadable(
            phrase("{file} holds a history that makes no sense here ({reason}).", file=source, reason=Clause(why))
        ) from error
    return cast("DeckRow", row)
