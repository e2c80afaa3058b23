"""Changes of decks' records outside of a game: tags, chores, corrections, names, lists, founding, retirement."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, Final, NamedTuple

from companion.archive.archive import Archive
from companion.archive.errors import ArchiveError
from companion.archive.storage import lists, lookup
from companion.archive.storage.entries import Entry, StoredLine
from companion.archive.storage.lists import deck_stream, game_of, mark_of, marks_of, session_stream
from companion.archive.storage.rows import DeckRow, ListPage
from companion.games import registry
from companion.tabletop.action import DeckId, NotationError, RuleError
from companion.tabletop.decks.form import Filled, FormContext, refuse_errors
from companion.tabletop.decks.keeping import Keeping, ListDraft, ListVersion, RebuildResult, Spots, keeping, tick_chores
from companion.tabletop.decks.list_wishes import NO_WISHES, ListWishes
from companion.tabletop.game import Game
from companion.tabletop.notation.arguments import figures_in, refuse_absurd
from companion.tabletop.records import AT_ONCE, Chore, Mark, ReasonOrText, Record, Tagged
from companion.tabletop.text import as_line, as_name, visible_form
from templates.languages.messages import Text, phrase

_MAX_TAG_LENGTH: Final = 40


def change_tags(archive: Archive, deck: str, tags: Sequence[str], off: Sequence[str] = ()) -> tuple[str, ...]:
    """Add tags to a deck and remove others; return the tags that it has then. Nothing is written if nothing changes.

    Raises RuleError for an invalid tag, Unknown, Conflict.
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
    """Return each tag in its first spelling; tags that look alike are one."""
    tags: dict[str, str] = {}
    for word in words:
        tags.setdefault(visible_form(word), word)
    return tuple(tags.values())


def parse_tag(text: str) -> str:
    """Return a typed tag as it is stored. Raises RuleError for an invalid one."""
    try:
        word = as_name(text)
    except NotationError:
        word = ""
    if not 0 < len(word) <= _MAX_TAG_LENGTH:
        raise RuleError(
            phrase(
                "A tag is a word or a few, of at most {letters} letters, such as league.",
                letters=_MAX_TAG_LENGTH,
            )
        )
    return word


_ONE_TRANSACTION: Final = timedelta(seconds=2)
_UNTICK_WITHIN: Final = timedelta(minutes=10)
"""A tick this recent may have been a slip that nothing else depends on."""


class MarkedDeck(NamedTuple):
    """A deck's marks, and its game's rules for keeping decks."""

    marks: tuple[Mark, ...]
    keeping: Keeping


def read_marks(archive: Archive, deck: str) -> MarkedDeck:
    """Return a deck's marks and its game's rules for keeping decks. Raises Unknown, or RuleError without such rules."""
    entries = archive.entries(deck_stream(deck))
    if not entries:
        raise lookup.no_deck(deck)
    return MarkedDeck(marks_of(entries), keeping(game_of(entries)))


def chores(archive: Archive, deck: str, session: str = "") -> tuple[Chore, ...]:
    """Return the chores of a deck, oldest first; with `session` only those that this session caused.

    Empty if the deck's game writes nothing on its cards. Raises Unknown.
    """
    entries = archive.entries(deck_stream(deck))
    game_keeping = game_of(entries).decks.keeping
    due = game_keeping.chores(marks_of(entries)) if game_keeping else ()
    return tuple(chore for chore in due if not session or entries[chore.mark].session == session)


class OpenChores(NamedTuple):
    """A deck in a list, with its chores."""

    row: DeckRow
    chores: tuple[Chore, ...]


def all_chores(
    archive: Archive, at: int = 0, count: int | None = None, *, due: bool = True
) -> tuple[ListPage[DeckRow], tuple[OpenChores, ...]]:
    """Return the chores of decks from number `at` on, by name; with `due` only of decks that have any.

    They are in the decks' rows; only the marks that cause them are read.
    """
    with archive.store.reading() as transaction:
        page = transaction.page_of_decks("", at, count, due=due)
        called = [(deck_stream(row.deck), seq) for row in page.rows for seq in {one.mark for one in row.due}]
        bodies = transaction.bodies_at(called)
    return page, tuple(OpenChores(row, tuple(_describe_chores(row, bodies))) for row in page.rows)


def _describe_chores(row: DeckRow, bodies: Mapping[tuple[str, int], str]) -> Iterator[Chore]:
    """Yield the chores of a deck, each with its sentence."""
    if not row.due:
        return
    stream = deck_stream(row.deck)
    try:
        game = registry.game(row.game, row.page)
    except NotationError:  # its page is lost: the row's own words describe the chores
        for one in row.due:
            yield Chore(one.mark, one.place, one.spot, one.value, f"{one.spot}: {one.value}", one.unsure)
        return
    game_keeping = keeping(game)
    for one in row.due:
        if (body := bodies.get((stream, one.mark))) is None:
            raise ArchiveError(phrase("Entry {mark} of {stream} is missing.", mark=one.mark, stream=stream), "damage")
        text = game_keeping.chore_text(one, mark_of(game, stream, one.mark, body))
        yield Chore(one.mark, one.place, one.spot, one.value, text, one.unsure)


def decks_of_session(archive: Archive, session: str) -> tuple[DeckRow, ...]:
    """Return the decks that a session's seal wrote to; none if it is not sealed."""
    return tuple(archive.find_deck(deck) for deck in sorted(_seal(archive, session)[0]))


def sealed_marks(archive: Archive, session: str) -> Mapping[DeckId, tuple[Mark, ...]]:
    """Return what a session's seal wrote into the records of its decks; empty if it has no seal.

    It is read from the entries and no rules are applied: it is what was written then, even if today's rules differ.
    """
    decks, at = _seal(archive, session)
    return {deck: tuple(_marks_of_seal(archive.entries(deck_stream(deck)), session, at)) for deck in decks}


def _seal(archive: Archive, session: str) -> tuple[tuple[DeckId, ...], datetime | None]:
    """Return the decks that a session's seal wrote to, in the order of the table, and the time of the seal."""
    for entry in archive.entries(session_stream(session)):
        if entry.holds(StoredLine) and (decks := entry.read(StoredLine).seals) is not None:
            return decks, entry.at
    return (), None


def _marks_of_seal(entries: Sequence[Entry], session: str, at: datetime | None) -> Iterator[Mark]:
    """Yield the marks of a deck that a seal at this time wrote: those that name the session, if any does."""
    marks = marks_of(entries) if entries else ()
    named = any(entry.session == session for entry in entries)
    for entry, mark in zip(entries[1:], marks, strict=False):
        # Before entries named their session, a seal's marks were identified by their time.
        at_once = not named and not entry.session and at is not None and at <= entry.at <= at + _ONE_TRANSACTION
        if entry.session == session or at_once:
            yield mark


def tick(archive: Archive, deck: str, ids: Sequence[str], by: str = "", session: str = "") -> tuple[Chore, ...]:
    """Tick off chores by their ids, or `("all",)` of them; with `session` only that one's.

    Returns the chores that were ticked off. Raises RuleError if one of them is not due, Conflict.
    """
    return _tick(archive, deck, ids, by, session)[1]


def _tick(archive: Archive, deck: str, ids: Sequence[str], by: str, session: str) -> tuple[int, tuple[Chore, ...]]:
    """Tick off chores; return the number of the mark, and the chores."""
    due = chores(archive, deck, session)
    mark = tick_chores(due, ids, as_name(by))
    number, _ = _write_marks(archive, deck, lambda _: [mark])
    return number, tuple(chore for chore in due if chore.id in mark.chores)


class Visit:
    """A visit of a user with the boxes open: ticks can be taken back, and then no story mentions them.

    Only during the visit: a tick taken back later was believed meanwhile, so the story has both.
    """

    def __init__(self, archive: Archive, by: str = "") -> None:
        self._archive = archive
        self._by = by
        self._ticks: list[tuple[DeckId, int]] = []

    @property
    def ticks(self) -> int:
        """The number of ticks of this visit that can be taken back."""
        return len(self._ticks)

    def tick(self, deck: DeckId, ids: Sequence[str], session: str = "") -> tuple[Chore, ...]:
        """Tick off chores as the function `tick` does; `take_back` can undo it."""
        number, ticked_off = _tick(self._archive, deck, ids, self._by, session)
        self._ticks.append((deck, number))
        return ticked_off

    def take_back(self) -> DeckId | None:
        """Take back the last tick; return its deck, None if nothing was ticked off. Raises RuleError, Conflict."""
        if not self._ticks:
            return None
        deck, number = self._ticks[-1]
        correct(self._archive, deck, number, AT_ONCE, self._by)
        self._ticks.pop()
        return deck


def untick(archive: Archive, deck: str, number: int, by: str = "") -> None:
    """Take back a tick by its number without a `Visit`: soon, and while it is the deck's last mark.

    Raises RuleError, Conflict.
    """
    last = archive.story(deck)[-1]
    if (last.number, last.kind) != (number, "done") or archive.now() - last.at > _UNTICK_WITHIN:
        raise RuleError(
            phrase(
                "Only the last check mark can be undone here, and only for a few minutes; after that, correct the deck."
            )
        )
    correct(archive, deck, number, AT_ONCE, by)


def correct(archive: Archive, deck: str, number: int, reason: ReasonOrText, by: str = "") -> None:
    """Correct the mark of this number. Raises RuleError if that makes no sense, Conflict."""
    why = _check_reason(reason), as_name(by)
    _write_marks(archive, deck, lambda record: [record.keeping.correct_record(record.marks, number, *why)])


def mend(archive: Archive, deck: str, seen: Spots, reason: ReasonOrText, by: str = "") -> tuple[Text, ...]:
    """Make the record agree with the contents of the box; return the new sentences of its story.

    Raises NotationError, RuleError.
    """

    def make_marks(record: MarkedDeck) -> Sequence[Mark]:
        paper = record.keeping.paper(record.marks)
        texts = {spot: text if text == paper.get(spot) else _check_seen_text(text) for spot, text in seen.items()}
        return record.keeping.mend_record(record.marks, texts, _check_reason(reason), as_name(by))

    _, marks = _write_marks(archive, deck, make_marks)
    return tuple(line.text for line in archive.story(deck)[-len(marks) :]) if marks else ()


def rename_deck(archive: Archive, deck: str, name: str, reason: ReasonOrText, by: str = "") -> None:
    """Rename a deck. Raises NameTaken, RuleError."""
    change = as_name(name), _check_reason(reason), as_name(by)
    _write_marks(archive, deck, lambda record: [record.keeping.rename_record(record.marks, *change)])


def draft_list(
    archive: Archive, deck: str, text: str = "", swaps: Sequence[str] = (), wishes: ListWishes = NO_WISHES
) -> ListDraft:
    """Return what a deck would be with another list ("" for its present one) after some swaps. Nothing is written.

    `wishes` settle what is unclear in the list.

    Raises NotationError if a swap is impossible, RuleError if decks of its game have no list.
    """
    record = read_marks(archive, deck)
    return record.keeping.draft_list(record.marks, text, swaps, wishes)


def rebuild(archive: Archive, deck: str, text: str, reason: ReasonOrText = "", by: str = "") -> tuple[Text, ...]:
    """Give a deck another list, which is its next version; return warnings about it.

    Raises NotationError, RuleError with what is wrong with the list, or if decks of its game have none.
    """
    rebuilt: list[RebuildResult] = []

    def make_marks(record: MarkedDeck) -> Sequence[Mark]:
        rebuilt.append(record.keeping.rebuild_record(record.marks, text, _check_reason(reason), as_name(by)))
        return [rebuilt[-1].mark]

    _write_marks(archive, deck, make_marks)
    return rebuilt[-1].warnings


def deck_lists(archive: Archive, deck: str) -> tuple[ListVersion, ...]:
    """Return the lists that a deck has had, oldest first; none if decks of its game have none."""
    record = read_marks(archive, deck)
    return record.keeping.lists(record.marks)


def retire(archive: Archive, deck: str, heirloom: str = "", by: str = "") -> None:
    """End a deck's life; it stays readable, and its name taken. Raises RuleError."""
    _write_marks(archive, deck, lambda record: [record.keeping.retire_record(record.marks, heirloom, as_name(by))])


def fill_form(archive: Archive, data: Mapping[str, Any], by: str = "") -> Filled:
    """Check a paper deck by its game's form, and return it with everything that is wrong.

    `data` is the content of its file. Raises RuleError if the game does not adopt decks from paper.
    """
    game = registry.game(str(data.get("game", "")))
    if game.decks.adopting is None:
        raise RuleError(phrase("Decks of {game} cannot be adopted from paper.", game=game.title))
    answers = {name: value for name, value in data.items() if name != "game"}
    return game.decks.adopting.validate_answers(
        answers, FormContext(by=by, taken=names_taken(archive, game.name, str(answers.get("name", ""))))
    )


def names_taken(archive: Archive, game: str, name: str) -> tuple[str, ...]:
    """Return the names of a game's decks, retired ones included, that equal `name` apart from case."""
    return tuple(row.name for row in archive.decks_named(game, name))


def find_deck_of_game(archive: Archive, game: str, text: str) -> DeckRow:
    """Return the deck that `text` means: one of this game if several have the name. Raises Unknown, DeckIdError."""
    decks = archive.decks_named(game, text)
    return decks[0] if decks else archive.find_deck(text)


def new_deck(
    archive: Archive, game: Game, answers: Filled, deck: str = "", session: str = ""
) -> tuple[DeckId, tuple[Text, ...]]:
    """Found a deck from a form's answers, with payments to purses and marks on other decks; return its id and warnings.

    `session` is the session at which that happens, "" for none. Raises NotationError or RuleError with everything that
    is wrong, NameTaken, Unknown, Ambiguous.
    """
    warnings = refuse_errors(answers.findings)
    founded = archive.found_deck(game.name, answers.marks, answers.payments, answers.others, deck, game.page, session)
    return founded, warnings


def adopt_deck(archive: Archive, data: Mapping[str, Any], by: str = "") -> tuple[str, Record, tuple[Text, ...]]:
    """Adopt a deck that lived on paper; return its new id, its record and warnings.

    Raises NotationError, RuleError, NameTaken.
    """
    adopted = fill_form(archive, data, by)
    warnings = refuse_errors(adopted.findings)
    game = registry.game(str(data.get("game", "")))
    deck = archive.found_deck(game.name, adopted.marks, page=game.page)
    return deck, game.record(adopted.marks), warnings


def _check_seen_text(text: str) -> str:
    """Check the text that a user reports from a card or a box, and return it."""
    spot_text = as_name(text, phrase("The text there"))
    refuse_absurd(figures_in(spot_text))
    return spot_text


def _check_reason(reason: ReasonOrText) -> ReasonOrText:
    return as_line(reason, phrase("The reason")) if isinstance(reason, str) else reason


def _write_marks(
    archive: Archive, deck: str, make_marks: Callable[[MarkedDeck], Sequence[Mark]]
) -> tuple[int, Sequence[Mark]]:
    """Write the marks that follow from the deck's present state; return the number of the first, and the marks.

    Raises Conflict if another writer's mark came in between.
    """
    deck_marks = read_marks(archive, deck)
    marks = make_marks(deck_marks)
    first = len(deck_marks.marks) + 1
    if marks:
        archive.mark(deck, first, marks)
    return first, marks
