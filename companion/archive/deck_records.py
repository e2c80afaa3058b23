"""Decks' records changed beside the table: tags, chores ticked off, corrections, names, lists, founding, retirement."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, Final, NamedTuple

from companion.archive import lists, lookup
from companion.archive.archive import Archive
from companion.archive.entries import Entry, StoredLine
from companion.archive.errors import ArchiveError
from companion.archive.lists import deck_stream, game_of, mark_of, marks_of, session_stream
from companion.archive.rows import DeckRow, ListPage
from companion.games import registry
from companion.tabletop.action import DeckId, NotationError, RuleError
from companion.tabletop.arguments import figures_in, refuse_absurd
from companion.tabletop.form import Filled, FormContext, refuse_errors
from companion.tabletop.game import Game
from companion.tabletop.keeping import Keeping, ListDraft, ListVersion, RebuildResult, Spots, keeping, ticked
from companion.tabletop.records import AT_ONCE, Chore, Mark, ReasonOrText, Record, Tagged
from companion.tabletop.text import as_line, as_name, visible_form

_MAX_TAG_LENGTH: Final = 40


def change_tags(archive: Archive, deck: str, tags: Sequence[str], off: Sequence[str] = ()) -> tuple[str, ...]:
    """Gives a deck tags and takes others away; gives those that it has then. Nothing is written where it has them so.

    Raises RuleError for a tag that is none, Unknown, Conflict.
    """
    marks = archive.marks(deck)
    has = {visible_form(tag): tag for tag in lists.tags_of(marks)}
    new = _without_duplicates(word for word in map(parse_tag, tags) if visible_form(word) not in has)
    removed = _without_duplicates(has[visible_form(word)] for word in map(parse_tag, off) if visible_form(word) in has)
    if not new and not removed:
        return lists.tags_of(marks)
    change = Tagged(new, removed)
    archive.mark(deck, len(marks) + 1, [change])
    return lists.tags_of((*marks, change))


def _without_duplicates(words: Iterable[str]) -> tuple[str, ...]:
    """Each tag as it was said first; those that look alike are one."""
    tags: dict[str, str] = {}
    for word in words:
        tags.setdefault(visible_form(word), word)
    return tuple(tags.values())


def parse_tag(text: str) -> str:
    """A tag as it is kept, from what was typed for it. Raises RuleError for one that is none."""
    try:
        word = as_name(text)
    except NotationError:
        word = ""
    if not 0 < len(word) <= _MAX_TAG_LENGTH:
        raise RuleError(f"A tag is a word or a few, of at most {_MAX_TAG_LENGTH} letters, such as league.")
    return word


_ONE_TRANSACTION: Final = timedelta(seconds=2)
_UNTICK_WITHIN: Final = timedelta(minutes=10)
"""So long a tick may have been a slip that nobody has built upon."""


class MarkedDeck(NamedTuple):
    """A deck's marks, and how its game keeps such decks."""

    marks: tuple[Mark, ...]
    keeping: Keeping


def read_marks(archive: Archive, deck: str) -> MarkedDeck:
    """A deck's marks, and how its game keeps it. Raises Unknown, or RuleError where its game keeps no decks so."""
    entries = archive.entries(deck_stream(deck))
    if not entries:
        raise lookup.no_deck(deck)
    return MarkedDeck(marks_of(entries), keeping(game_of(entries)))


def chores(archive: Archive, deck: str, session: str = "") -> tuple[Chore, ...]:
    """What is to be done by hand to a deck, oldest first; with `session` only what that sitting called for.

    None where the deck's game has nothing to be written on its cards. Raises Unknown.
    """
    entries = archive.entries(deck_stream(deck))
    game_keeping = game_of(entries).keeping
    due = game_keeping.chores(marks_of(entries)) if game_keeping else ()
    return tuple(chore for chore in due if not session or entries[chore.mark].session == session)


class OpenChores(NamedTuple):
    """A deck in a list, with what is to be done to it by hand."""

    row: DeckRow
    chores: tuple[Chore, ...]


def all_chores(
    archive: Archive, at: int = 0, count: int | None = None, *, due: bool = True
) -> tuple[ListPage[DeckRow], tuple[OpenChores, ...]]:
    """What is to be done by hand to decks from number `at` on, by name; with `due` only those to which anything is.

    It stands in their rows; only the marks that call for it are read.
    """
    with archive.store.reading() as transaction:
        page = transaction.page_of_decks("", at, count, due=due)
        called = [(deck_stream(row.deck), seq) for row in page.rows for seq in {one.mark for one in row.due}]
        bodies = transaction.bodies_at(called)
    return page, tuple(OpenChores(row, tuple(_describe_chores(row, bodies))) for row in page.rows)


def _describe_chores(row: DeckRow, bodies: Mapping[tuple[str, int], str]) -> Iterator[Chore]:
    """The chores of a deck, each with its sentence."""
    if not row.due:
        return
    stream = deck_stream(row.deck)
    try:
        game = registry.game(row.game, row.page)
    except NotationError:  # its page is lost: what is to be done is told by what the row says
        for one in row.due:
            yield Chore(one.mark, one.place, one.spot, one.value, f"{one.spot}: {one.value}", one.unsure)
        return
    game_keeping = keeping(game)
    for one in row.due:
        if (body := bodies.get((stream, one.mark))) is None:
            raise ArchiveError(f"Entry {one.mark} of {stream} is missing.", "damage")
        text = game_keeping.chore_text(one, mark_of(game, stream, one.mark, body))
        yield Chore(one.mark, one.place, one.spot, one.value, text, one.unsure)


def decks_of_session(archive: Archive, session: str) -> tuple[DeckRow, ...]:
    """The decks that a sitting's seal wrote to; none where it is not sealed."""
    return tuple(archive.find_deck(deck) for deck in sorted(_seal(archive, session)[0]))


def sealed_marks(archive: Archive, session: str) -> Mapping[DeckId, tuple[Mark, ...]]:
    """What a sitting's seal wrote into the records of its decks, read from their entries; nothing where it has none.

    No rules are asked, so it is what was written then, whatever they say today.
    """
    decks, at = _seal(archive, session)
    return {deck: tuple(_marks_of_seal(archive.entries(deck_stream(deck)), session, at)) for deck in decks}


def _seal(archive: Archive, session: str) -> tuple[tuple[DeckId, ...], datetime | None]:
    """The decks that a sitting's seal wrote to, in the order of the table, and when that was."""
    for entry in archive.entries(session_stream(session)):
        if entry.holds(StoredLine) and (decks := entry.read(StoredLine).seals) is not None:
            return decks, entry.at
    return (), None


def _marks_of_seal(entries: Sequence[Entry], session: str, at: datetime | None) -> Iterator[Mark]:
    """The marks of a deck that a seal at this time wrote: those that name the sitting, where any does."""
    marks = marks_of(entries) if entries else ()
    named = any(entry.session == session for entry in entries)
    for entry, mark in zip(entries[1:], marks, strict=False):
        # Before entries named their sitting, what a seal wrote was known by having been written in the same moment.
        at_once = not named and not entry.session and at is not None and at <= entry.at <= at + _ONE_TRANSACTION
        if entry.session == session or at_once:
            yield mark


def tick(archive: Archive, deck: str, ids: Sequence[str], by: str = "", session: str = "") -> tuple[Chore, ...]:
    """Ticks off what was done by hand: chores by their ids, or `("all",)` of them, of that sitting where one is named.

    Returns what was ticked off. Raises RuleError where one of them is not to be done, Conflict.
    """
    return _tick(archive, deck, ids, by, session)[1]


def _tick(archive: Archive, deck: str, ids: Sequence[str], by: str, session: str) -> tuple[int, tuple[Chore, ...]]:
    """The number of the mark that ticks off, and what it ticks off."""
    due = chores(archive, deck, session)
    mark = ticked(due, ids, as_name(by))
    number, _ = _write_marks(archive, deck, lambda _: [mark])
    return number, tuple(chore for chore in due if chore.id in mark.chores)


class Visit:
    """Somebody with the boxes open: what they tick off can be taken back, and no story tells of it then.

    Only as long as they stay: what is taken back later was believed meanwhile, so the story tells both.
    """

    def __init__(self, archive: Archive, by: str = "") -> None:
        self._archive = archive
        self._by = by
        self._ticks: list[tuple[DeckId, int]] = []

    @property
    def ticks(self) -> int:
        """How many ticks of this visit can be taken back."""
        return len(self._ticks)

    def tick(self, deck: DeckId, ids: Sequence[str], session: str = "") -> tuple[Chore, ...]:
        """Ticks off as the function `tick` does; `take_back` can take that back."""
        number, ticked_off = _tick(self._archive, deck, ids, self._by, session)
        self._ticks.append((deck, number))
        return ticked_off

    def take_back(self) -> DeckId | None:
        """Takes the last tick back; gives its deck, None where nothing was ticked off. Raises RuleError, Conflict."""
        if not self._ticks:
            return None
        deck, number = self._ticks[-1]
        correct(self._archive, deck, number, AT_ONCE, self._by)
        self._ticks.pop()
        return deck


def untick(archive: Archive, deck: str, number: int, by: str = "") -> None:
    """Takes back a tick by its number, for who keeps no `Visit`: soon, and while nothing has come after it.

    Raises RuleError, Conflict.
    """
    last = archive.story(deck)[-1]
    if (last.number, last.kind) != (number, "done") or archive.now() - last.at > _UNTICK_WITHIN:
        raise RuleError("Only the last tick, of the last minutes, is taken back here; else correct the deck.")
    correct(archive, deck, number, AT_ONCE, by)


def correct(archive: Archive, deck: str, number: int, reason: ReasonOrText, by: str = "") -> None:
    """Takes back the mark of this number. Raises RuleError where that makes no sense."""
    why = _check_reason(reason), as_name(by)
    _write_marks(archive, deck, lambda record: [record.keeping.corrected(record.marks, number, *why)])


def mend(archive: Archive, deck: str, seen: Spots, reason: ReasonOrText, by: str = "") -> tuple[str, ...]:
    """Makes the record agree with what was seen in the box; gives the new sentences of its story.

    Raises NotationError, RuleError.
    """

    def make_marks(record: MarkedDeck) -> Sequence[Mark]:
        paper = record.keeping.paper(record.marks)
        texts = {spot: text if text == paper.get(spot) else _check_seen_text(text) for spot, text in seen.items()}
        return record.keeping.mended(record.marks, texts, _check_reason(reason), as_name(by))

    _, marks = _write_marks(archive, deck, make_marks)
    return tuple(line.text for line in archive.story(deck)[-len(marks) :]) if marks else ()


def rename_deck(archive: Archive, deck: str, name: str, reason: ReasonOrText, by: str = "") -> None:
    """Gives a deck another name. Raises NameTaken, RuleError."""
    change = as_name(name), _check_reason(reason), as_name(by)
    _write_marks(archive, deck, lambda record: [record.keeping.renamed(record.marks, *change)])


def draft_list(archive: Archive, deck: str, text: str = "", swaps: Sequence[str] = ()) -> ListDraft:
    """What a deck would be with another list, "" for its present one, after some swaps. Nothing is written.

    Raises NotationError where a swap cannot be, RuleError where decks of its game have no list.
    """
    record = read_marks(archive, deck)
    return record.keeping.draft_list(record.marks, text, swaps)


def rebuild(archive: Archive, deck: str, text: str, reason: ReasonOrText = "", by: str = "") -> tuple[str, ...]:
    """Gives a deck another list, which is its next version; gives what to mind about it.

    Raises NotationError, RuleError with what is wrong with the list, or where decks of its game have none.
    """
    rebuilt: list[RebuildResult] = []

    def make_marks(record: MarkedDeck) -> Sequence[Mark]:
        rebuilt.append(record.keeping.rebuilt(record.marks, text, _check_reason(reason), as_name(by)))
        return [rebuilt[-1].mark]

    _write_marks(archive, deck, make_marks)
    return rebuilt[-1].warnings


def deck_lists(archive: Archive, deck: str) -> tuple[ListVersion, ...]:
    """The lists that a deck has had, oldest first; none where decks of its game have none."""
    record = read_marks(archive, deck)
    return record.keeping.lists(record.marks)


def retire(archive: Archive, deck: str, heirloom: str = "", by: str = "") -> None:
    """Ends a deck's life; it stays readable, and its name taken. Raises RuleError."""
    _write_marks(archive, deck, lambda record: [record.keeping.retired(record.marks, heirloom, as_name(by))])


def fill_form(archive: Archive, data: Mapping[str, Any], by: str = "") -> Filled:
    """What a deck on paper is by its game's form, with everything that is wrong; `data` is what its file holds.

    Raises RuleError where the game takes no deck in from paper.
    """
    game = registry.game(str(data.get("game", "")))
    if game.adopting is None:
        raise RuleError(f"Decks of {game.title} are not taken in from paper.")
    answers = {name: value for name, value in data.items() if name != "game"}
    return game.adopting.filled(
        answers, FormContext(by=by, taken=names_taken(archive, game.name, str(answers.get("name", ""))))
    )


def names_taken(archive: Archive, game: str, name: str) -> tuple[str, ...]:
    """The names of a game's decks, retired ones too, that a new one called `name` would have as well."""
    return tuple(row.name for row in archive.decks_named(game, name))


def find_deck_of_game(archive: Archive, game: str, text: str) -> DeckRow:
    """The deck that `text` means: of this game where the name alone is not enough. Raises Unknown, DeckIdError."""
    decks = archive.decks_named(game, text)
    return decks[0] if decks else archive.find_deck(text)


def new_deck(
    archive: Archive, game: Game, answers: Filled, deck: str = "", session: str = ""
) -> tuple[DeckId, tuple[str, ...]]:
    """Takes in the deck that a form's answers come to, with what goes into purses and onto other decks; gives its id
    and warnings. `session` is the sitting at which that is, "" for none.

    Raises NotationError or RuleError with everything that is wrong, NameTaken, Unknown, Ambiguous.
    """
    warnings = refuse_errors(answers.findings)
    founded = archive.found_deck(game.name, answers.marks, answers.payments, answers.others, deck, game.page, session)
    return founded, warnings


def adopt_deck(archive: Archive, data: Mapping[str, Any], by: str = "") -> tuple[str, Record, tuple[str, ...]]:
    """Takes in a deck that lived on paper; gives its new id, its record and warnings.

    Raises NotationError, RuleError, NameTaken.
    """
    adopted = fill_form(archive, data, by)
    warnings = refuse_errors(adopted.findings)
    game = registry.game(str(data.get("game", "")))
    deck = archive.found_deck(game.name, adopted.marks, page=game.page)
    return deck, game.record(adopted.marks), warnings


def _check_seen_text(text: str) -> str:
    """What somebody says that stands on a card or a box."""
    spot_text = as_name(text, "What stands there")
    refuse_absurd(figures_in(spot_text))
    return spot_text


def _check_reason(reason: ReasonOrText) -> ReasonOrText:
    return as_line(reason, "The reason") if isinstance(reason, str) else reason


def _write_marks(
    archive: Archive, deck: str, make_marks: Callable[[MarkedDeck], Sequence[Mark]]
) -> tuple[int, Sequence[Mark]]:
    """Makes the marks that follow from the deck as it is now, and gives the number of the first with them.

    Somebody else's mark in between is a Conflict.
    """
    deck_marks = read_marks(archive, deck)
    marks = make_marks(deck_marks)
    first = len(deck_marks.marks) + 1
    if marks:
        archive.mark(deck, first, marks)
    return first, marks
