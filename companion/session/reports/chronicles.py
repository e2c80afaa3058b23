"""The chronicle of decks in an archive: their evenings, the events between, their holders, and their development."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import datetime
from typing import Final, NamedTuple

from msgspec.structs import replace

from companion.archive import Archive, DeckRow, Unknown, deck_id
from companion.archive.chapters import Chapter, tell_chapters
from companion.archive.people import people
from companion.archive.storage.entries import Entry
from companion.archive.storage.lists import deck_stream, game_of, marks_of
from companion.session.reports import evening_cards
from companion.tabletop.action import DeckId, NotationError, RuleError
from companion.tabletop.decks import portrait
from companion.tabletop.decks.chronicle import Chronicle, ChronicleDeck, DeckStanding, StorySection, courses
from companion.tabletop.decks.portrait import Listing, Portrait
from companion.tabletop.evening import CardList, CardPart, CardTable, EveningCard, NameOf, tell_apart
from companion.tabletop.evening import Evening as KeptEvening
from companion.tabletop.game import Game
from companion.tabletop.records import Mark, Record
from companion.tabletop.text import signed_figure
from templates.languages.dates import long_date, short_date
from templates.languages.messages import Text, joined, listed, phrase, phrases

_Rename = Callable[[str], str]
_QUOTED: Final = re.compile("“[^”]*”")


class _ChronicleDeck(NamedTuple):
    """A deck with its entries and marks, read once, and its story."""

    row: DeckRow
    entries: tuple[Entry, ...]
    marks: tuple[Mark, ...]
    game: Game
    chapters: tuple[Chapter, ...]

    def record(self, length: int | None = None) -> Record:
        """Return the record after `length` marks, or as it is today."""
        return self.game.record(self.marks[:length])


class ChronicleEvening(NamedTuple):
    """An evening: its session and time, the chapters of the decks that took part, and the facts that a mark stored."""

    session: str
    at: datetime
    chapters: Mapping[DeckId, Chapter]
    kept: KeptEvening | None = None


Progress = Callable[[Sequence[ChronicleEvening]], Iterable[ChronicleEvening]]
"""A function that passes evenings through, and may report how many have been read."""


def tell_chronicle(
    archive: Archive, rows: Sequence[DeckRow], title: str = "", address: str = "", progress: Progress = iter
) -> Chronicle:
    """Return the chronicle of decks, oldest evening first, with the names that people use outside the house.

    `address` replaces the usual beginning of the codes on their boxes. Raises RuleError if there is no deck, and
    NotationError if the game of a deck is not installed.
    """
    if not rows:
        raise RuleError(phrase("There is no deck to write about yet; build one first."))
    name_of = people.names_outside(archive)
    decks = [_read_deck(archive, row, name_of) for row in rows]
    evenings = _evenings(decks)
    rename = _renaming(decks, evenings, name_of)
    chronicle_decks = tuple(_tell_deck(deck, evenings, address, name_of, rename) for deck in decks)
    cards = [
        _with_decks(
            _evening_card(archive, evening, decks, name_of, rename),
            number,
            [deck for deck in chronicle_decks if deck.deck in evening.chapters],
        )
        for number, evening in enumerate(progress(evenings))
    ]
    cards = list(tell_apart(cards))
    days = tuple(str(short_date(evening.at)) for evening in evenings)
    holders = (one.holder for deck in chronicle_decks for one in deck.standings.values())
    return Chronicle(
        title or (decks[0].row.name if len(decks) == 1 else str(phrase("Chronicle"))),
        _subtitle(decks, days),
        chronicle_decks,
        days,
        tuple(dict.fromkeys(filter(None, holders))),
        (*_overview(days, cards), *courses(chronicle_decks, len(evenings))),
        tuple(_sections(decks, evenings, cards, rename)),
        tuple(dict.fromkeys(card.credit for card in cards if card.credit)),
    )


def _read_deck(archive: Archive, row: DeckRow, name_of: NameOf) -> _ChronicleDeck:
    entries = archive.entries(deck_stream(row.deck))
    return _ChronicleDeck(row, entries, marks_of(entries), game_of(entries), tell_chapters(entries, name_of))


def _renaming(decks: Sequence[_ChronicleDeck], evenings: Sequence[ChronicleEvening], name_of: NameOf) -> _Rename:
    """Return a function that replaces people's names in a text by those used outside the house."""
    names = {
        each.name: name_of(each.name, each.person)
        for evening in evenings
        for each in (evening.kept.participants if evening.kept else ())
        if each.name
    }
    for deck in decks:
        record = deck.record()
        for name in filter(None, (*record.holders, record.holder, *(entry.by for entry in deck.entries))):
            names.setdefault(name, name_of(name, ""))
    if all(name == outside for name, outside in names.items()):
        return str
    # The longer of two matches wins: Ana Ruiz is not Ana.
    words = re.compile("|".join(rf"(?<!\w){re.escape(name)}(?!\w)" for name in sorted(names, key=len, reverse=True)))
    return lambda text: words.sub(lambda match: names[match[0]], text)


def _evenings(decks: Sequence[_ChronicleDeck]) -> tuple[ChronicleEvening, ...]:
    """Return the evenings of all decks, oldest first. An evening without a session belongs to one deck."""
    chapters: dict[str, dict[DeckId, Chapter]] = {}
    kept: dict[str, KeptEvening | None] = {}
    for deck in decks:
        for chapter in deck.chapters:
            if chapter.kind == "evening":
                key = chapter.session or f"{deck.row.deck} {chapter.mark}"
                chapters.setdefault(key, {})[deck.row.deck] = chapter
                kept[key] = kept.get(key) or getattr(deck.marks[chapter.mark - 1], "evening", None)
    evenings = (
        ChronicleEvening(next(iter(some.values())).session, min(each.at for each in some.values()), some, kept[key])
        for key, some in chapters.items()
    )
    return tuple(sorted(evenings, key=lambda evening: evening.at))


def _tell_deck(
    deck: _ChronicleDeck, evenings: Sequence[ChronicleEvening], address: str, name_of: NameOf, rename: _Rename
) -> ChronicleDeck:
    row, first = deck.row, deck.chapters[:1]
    standings = {}
    if first and first[0].kind == "between":
        record = deck.record(first[0].lines[-1].number)
        begun = _evenings_before(first[0], evenings) - 1
        standings[begun] = DeckStanding(name_of(record.holder, record.person), deck.game.decks.figures(record))
    for number, evening in enumerate(evenings):
        if (chapter := evening.chapters.get(row.deck)) is not None:
            record = deck.record(max((chapter.mark, *(line.number for line in chapter.lines))))
            standings[number] = DeckStanding(name_of(record.holder, record.person), deck.game.decks.figures(record))
    whole = deck.game.decks.portrait(deck.record(), deck.marks) or Portrait()
    return ChronicleDeck(
        row.deck,
        row.name,
        deck.game.title,
        (deck_id.payload(row.deck, address), deck_id.show(row.deck)),
        _rename_portrait(whole, rename),
        tuple(rename(str(line.text)) for chapter in first if chapter.kind == "between" for line in chapter.lines),
        standings,
    )


def _rename_portrait(whole: Portrait, rename: _Rename) -> Portrait:
    def rename_part(part: portrait.Part) -> portrait.Part:
        if not isinstance(part, Listing):
            return part
        lines = (replace(line, about=tuple(rename(str(text)) for text in line.about)) for line in part.lines)
        return replace(part, lines=tuple(lines))

    return replace(
        whole, summary=tuple(rename(str(text)) for text in whole.summary), parts=tuple(map(rename_part, whole.parts))
    )


def _evenings_before(chapter: Chapter, evenings: Sequence[ChronicleEvening]) -> int:
    """Return the number of evenings up to the time of a chapter."""
    return sum(evening.at <= chapter.at for evening in evenings)


def _evening_card(
    archive: Archive, evening: ChronicleEvening, decks: Sequence[_ChronicleDeck], name_of: NameOf, rename: _Rename
) -> EveningCard:
    """Return an evening as one page; if no facts were stored, as far as the decks' stories tell it."""
    if evening.session:
        with suppress(RuleError, NotationError, Unknown):
            row = archive.find_session(evening.session)
            whole = (
                evening_cards.present_kept(row, evening.kept, name_of)
                if evening.kept
                else evening_cards.present_stored(archive, row, name_of)
            )
            return _rename_own_words(whole.card, rename)
    there = [(deck, evening.chapters[deck.row.deck]) for deck in decks if deck.row.deck in evening.chapters]
    first, chapter = there[0]
    day = str(long_date(evening.at))
    lists = (
        CardList(deck.row.name, (*each.facts, *(rename(str(line.text)) for line in each.own_lines)))
        for deck, each in there
    )
    return EveningCard(
        first.game.title,
        chapter.title,
        " · ".join(deck.row.name for deck, _ in there),
        day,
        rename(chapter.venue),
        parts=tuple(part for part in lists if part.lines),
        highlights=tuple(str(text).rstrip(".") for _, each in there for text in each.facts),
    )


def _rename_own_words(card: EveningCard, rename: _Rename) -> EveningCard:
    """Return the card with renamed people also in text written by players: in the venue, and in quotes."""

    def rename_quotes(text: Text) -> str:
        return _QUOTED.sub(lambda match: rename(match[0]), str(text))

    parts = (
        replace(part, lines=tuple(map(rename_quotes, part.lines))) if isinstance(part, CardList) else part
        for part in card.parts
    )
    return replace(card, venue=rename(card.venue), parts=tuple(parts))


def _with_decks(card: EveningCard, number: int, decks: Sequence[ChronicleDeck]) -> EveningCard:
    """Return the card with a table of the decks after the evening."""
    titles = {figure.title: figure.caption for deck in decks for figure in deck.standings[number].figures}
    rows = []
    for deck in decks:
        now, before = deck.standings[number], deck.standing(number - 1)
        was = {figure.title: figure.value for figure in before.figures} if before else {}
        figures = {figure.title: _figure_with_change(figure.value, was.get(figure.title)) for figure in now.figures}
        rows.append((deck.name, now.holder, *(figures.get(title, "") for title in titles)))
    if not rows:
        return card
    headings = (str(phrase("Deck")), str(phrase("Held by")), *map(str, titles.values()))
    title = str(phrase("The decks from then on"))
    table = CardTable(title, headings, tuple(rows), tuple(range(2, len(headings))))
    return replace(card, parts=(*card.parts, table))


def _figure_with_change(value: int, before: int | None) -> str:
    """Return a figure with its change, such as `36 (+7)`."""
    return f"{value} ({signed_figure(value - before)})" if before is not None and value != before else str(value)


def _subtitle(decks: Sequence[_ChronicleDeck], days: Sequence[str]) -> str:
    games = str(listed(dict.fromkeys(deck.game.title for deck in decks)))
    if not days:
        return games
    # Translators: A first and a last date.
    span = days[0] if days[0] == days[-1] else phrase("{first} to {last}", first=days[0], last=days[-1])
    return str(joined(" · ", (games, phrases("{n} evening", "{n} evenings", n=len(days)), span)))


def _overview(days: Sequence[str], cards: Sequence[EveningCard]) -> Iterator[CardPart]:
    if not cards:
        return
    rows = [
        (str(number), day, card.title, card.venue)
        for number, (day, card) in enumerate(zip(days, cards, strict=True), 1)
    ]
    columns = 4 if any(row[3] for row in rows) else 3
    # Translators: “Where” is the venue of an evening.
    headings = ("", str(phrase("Day")), str(phrase("How it ended")), str(phrase("Where")))[:columns]
    yield CardTable(str(phrase("Evenings")), headings, tuple(row[:columns] for row in rows))


def _sections(
    decks: Sequence[_ChronicleDeck], evenings: Sequence[ChronicleEvening], cards: Sequence[EveningCard], rename: _Rename
) -> Iterator[StorySection]:
    """Yield the story in order: the evenings, and before each the events since the previous one."""
    between: dict[int, list[CardList]] = {}
    for deck in decks:
        lines: dict[int, list[str]] = {}
        for number, chapter in enumerate(deck.chapters):
            place = _evenings_before(chapter, evenings)
            # The beginning of a deck is on its page; that a new one came to the table belongs to the story, too.
            some = chapter.lines if number else chapter.lines[:1] if place else ()
            if chapter.kind == "between" and some:
                lines.setdefault(place, []).extend(rename(str(line.text)) for line in some)
        for place, texts in lines.items():
            between.setdefault(place, []).append(CardList(deck.row.name, tuple(texts)))
    for number in range(len(evenings) + 1):
        if lists := between.get(number):
            if number == 0:
                title = phrase("Before the first evening")
            else:
                title = phrase("Since then") if number == len(evenings) else phrase("Meanwhile")
            yield StorySection(0, EveningCard("", str(title), parts=tuple(lists)))
        if number < len(evenings):
            yield StorySection(number + 1, cards[number])
