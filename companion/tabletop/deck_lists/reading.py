"""Reading a deck list in any usual format into the parts of a game's decks, with questions where that is unclear."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import Final, NamedTuple

from companion.tabletop.action import NotationError
from companion.tabletop.deck_lists.cockatrice import is_cockatrice, read_cockatrice
from companion.tabletop.deck_lists.content import ReadList, ReadSection, fold_part
from companion.tabletop.deck_lists.list_table import is_table, read_list_table
from companion.tabletop.deck_lists.text_list import read_text_list
from companion.tabletop.decks.decklist import DeckList, ListSection, line_finding
from companion.tabletop.decks.form import Finding, FormPlace
from companion.tabletop.decks.list_wishes import BELOW, NO_WISHES, NOWHERE, ListWishes, OpenSection
from companion.tabletop.decks.list_words import fold_heading, load_words
from companion.tabletop.text import in_quotes
from templates.languages.messages import Message, Text, joined, listed, phrase, phrases

_MOST_NAMED: Final = 3
_MOST_UNREAD: Final = 5


class ReadDeckList(NamedTuple):
    """A list that was read for a game: its cards by parts, a summary of what was read, and what is unclear.

    `open_sections` are those whose part is to be chosen. `unread` is the number of lines that were not understood.
    """

    deck_list: DeckList
    summary: Message
    open_sections: tuple[OpenSection, ...] = ()
    unread: int = 0
    name: str = ""


def is_deck_list(text: str, games: Collection[str]) -> bool:
    """Return True if a text has a heading of one of the games, or is a deck of another program without doubt."""
    lines = (line.partition("#")[0].split() for line in text.lower().replace("\ufeff", "").splitlines())
    first = next((words for words in lines if words), [])
    return (bool(first) and first[0] in games and len(first) <= 2) or is_cockatrice(text) or is_table(text)


def parse_list(text: str, games: Collection[str] = (), parts: Sequence[str] = ()) -> ReadList:
    """Read a list in any format. `games` may begin its own headings; `parts` are those of the game's decks, if known.

    Raises NotationError if the text is a file of a known format that cannot be read.
    """
    if is_cockatrice(text):
        return read_cockatrice(text.replace("\ufeff", ""), parts)
    return read_list_table(text, parts) if is_table(text) else read_text_list(text, games, parts)


def read_deck_list(
    text: str, games: Collection[str], parts: Sequence[str] = (), wishes: ListWishes = NO_WISHES
) -> ReadDeckList:
    """Read a list for a game, of which `games` has the word; the first of its `parts` is the deck itself.

    If there are several games, the list names its own. What is unclear becomes a finding that cannot be read.
    """
    try:
        read = parse_list(text, games, parts)
    except NotationError as error:
        finding = Finding(error.message, place=FormPlace("list"), unreadable=True)
        return ReadDeckList(DeckList("", (), (finding,)), phrase("Nothing was read."))
    game = read.game or (next(iter(games)) if len(games) == 1 else "")
    if not games and not game:
        sections = (ListSection(each.title or "main", each.line, tuple(each.cards)) for each in read.sections)
        findings = (*unread_findings(read), *doubt_findings(read))
        return ReadDeckList(DeckList("", tuple(sections), findings), summarize(read), (), len(read.unread), read.name)
    if not game and (read.sections or not read.unread):
        return ReadDeckList(DeckList("", (), (_without_game(),)), summarize(read), (), len(read.unread), read.name)
    return _Placing(read, game, parts, wishes).place()


def _without_game() -> Finding:
    message = phrase("begin with the game and the part of the deck, as in “{example}”", example="GAME main")
    return line_finding(1, message, unreadable=True)


class _Placing:
    """The placing of the sections of a list into the parts of a game's decks."""

    def __init__(self, read: ReadList, game: str, parts: Sequence[str], wishes: ListWishes) -> None:
        self._read, self._game, self._parts, self._wishes = read, game, parts, wishes
        self._open: list[OpenSection] = []
        self._aside: list[ReadSection] = []
        self._placed: list[tuple[ReadSection, str]] = []

    def place(self) -> ReadDeckList:
        """Return the list by parts, with its findings."""
        sections = [each for section in self._read.sections if (each := self._place_section(section)) is not None]
        skips = self._wishes.skips_unread
        findings = (*unread_findings(self._read, skips=skips), *self._open_findings(), *doubt_findings(self._read))
        findings = tuple(sorted(findings, key=lambda finding: finding.place.entry or 0))
        unread = len(self._read.unread)
        summary = summarize(self._read, self._aside, self._placed)
        deck_list = DeckList(self._game, tuple(sections), findings)
        return ReadDeckList(deck_list, summary, tuple(self._open), unread, self._read.name)

    def _place_section(self, section: ReadSection) -> ListSection | None:
        """Return a section in its part; None if it is left out, or unclear."""
        if section.kind == "part":
            return ListSection(section.title, section.line, tuple(section.cards))
        part = self._part_of(section)
        if part == NOWHERE:
            self._aside.append(section)
        elif part:
            if fold_heading(section.title) not in ("", *load_words().sections["main"]):
                self._placed.append((section, part))
            return ListSection(part, section.line, tuple(section.cards))
        else:
            title = section.title or BELOW
            self._open.append(OpenSection(title, describe_section(section), section.line, section.count))
        return None

    def _part_of(self, section: ReadSection) -> str:
        """Return the part of a section, NOWHERE to leave it out, or "" if that is unclear."""
        wish = self._wishes.part_of(section.title or (BELOW if section.kind == "below" else ""))
        if wish in (*self._parts, NOWHERE):
            return wish
        if section.kind == "beside":
            return NOWHERE
        kind = load_words().section(fold_heading(section.title)) or ("" if section.title else "main")
        if section.kind == "named" and kind == "main":
            return self._parts[0] if self._parts else "main"
        words = load_words().sections.get(kind, frozenset())
        fitting = [part for part in self._parts if fold_part(part) in {kind, *map(fold_part, words)}]
        return fitting[0] if kind and len(fitting) == 1 else ""

    def _open_findings(self) -> Iterator[Finding]:
        for each in self._open:
            question = phrases(
                "{section} has {n} card; which part of the deck is that: {parts}?",
                "{section} has {n} cards; which part of the deck is that: {parts}?",
                n=each.cards,
                section=each.name,
                parts=listed((*self._parts, NOWHERE)),
            )
            yield line_finding(each.line, question, unreadable=True)


def unread_findings(read: ReadList, *, skips: bool = False) -> Iterator[Finding]:
    """Yield a finding for each line that was not understood; `skips` leaves the lines out."""
    for unread in read.unread:
        problem = phrase("“{line}” is left out", line=unread.text) if skips else unread.problem
        yield line_finding(unread.line, problem, warning=skips, unreadable=not skips)


def doubt_findings(read: ReadList) -> Iterator[Finding]:
    """Yield a warning for each doubt about a list."""
    return (line_finding(line, text, warning=True) for line, text in read.doubts)


def describe_section(section: ReadSection) -> Text:
    """Return a section as it is called in sentences."""
    if section.kind == "below":
        return phrase("What stands below the blank line")
    return in_quotes(section.title)


def summarize(
    read: ReadList, aside: Sequence[ReadSection] = (), placed: Sequence[tuple[ReadSection, str]] = ()
) -> Message:
    """Return what was read from a list: `4 × Ash Wolf, …: 38 cards in 12 lines. 2 lines not understood: …`"""
    left = {id(section) for section in aside}
    cards = [card for section in read.sections if id(section) not in left for card in section.cards]
    names: list[Text] = [phrase("{copies} × {card}", copies=card.count, card=card.name) for card in cards[:_MOST_NAMED]]
    if len(cards) > _MOST_NAMED:
        names.append("…")
    count = sum(card.count for card in cards)
    total = phrase(
        "{cards} in {lines}",
        cards=phrases("{n} card", "{n} cards", n=count),
        lines=phrases("{n} line", "{n} lines", n=len(cards)),
    )
    sentences: list[Text] = []
    # Translators: {names} are the first cards of a list, {total} is “38 cards in 12 lines”.
    sentences.append(phrase("{names}: {total}.", names=listed(names), total=total) if names else phrase("No cards."))
    for section, part in placed:
        sentences.append(
            phrases(
                "{section} is {part}, with {n} card.",
                "{section} is {part}, with {n} cards.",
                n=section.count,
                section=describe_section(section),
                part=part,
            )
        )
    sentences += (
        phrases(
            "{section}: {n} card is left out.",
            "{section}: {n} cards are left out.",
            n=section.count,
            section=describe_section(section),
        )
        for section in aside
    )
    if read.unread:
        texts: list[Text] = [in_quotes(each.text) for each in read.unread[:_MOST_UNREAD]]
        if len(read.unread) > _MOST_UNREAD:
            texts.append("…")
        sentences.append(
            phrases(
                "{n} line not understood: {lines}.",
                "{n} lines not understood: {lines}.",
                n=len(read.unread),
                lines=listed(texts),
            )
        )
    return joined(" ", sentences)
