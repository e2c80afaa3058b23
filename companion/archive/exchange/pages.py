"""The pages of described games in an archive: listed, added, withdrawn, and followed by decks.

Each function that writes is one transaction. A page is its text: adding the same text again changes nothing. Everything
that was played by a page follows exactly that text forever, whatever is added or withdrawn afterwards.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from companion.archive import page_texts
from companion.archive.archive import Archive
from companion.archive.errors import ArchiveError, Conflict, NameTaken, Unknown
from companion.archive.exchange.export_format import NONSENSE
from companion.archive.page_texts import identity, present_edition
from companion.archive.storage.entries import NewEntry, PageKept, PageListed, PageWithdrawn, draft, drafts
from companion.archive.storage.lists import append_marks, deck_stream, page_stream, row_of
from companion.archive.storage.rows import DeckRow, PageRow
from companion.games import registry
from companion.games.described import load
from companion.games.described.page.numbers import reused_number
from companion.tabletop.action import NotationError
from companion.tabletop.records import EditionTaken
from companion.tabletop.text import as_name, in_quotes
from templates.languages.messages import Message, Text, phrase, phrases

if TYPE_CHECKING:
    from companion.archive.storage.transaction import Transaction
    from companion.games.described.load import Headline
    from companion.tabletop.game import Game


Uses = Mapping[tuple[str, str], tuple[int, int]]
"""The numbers of decks and of sessions of each game, by its name and the digest of its page."""


class Added(NamedTuple):
    """An added page.

    `is_new` if anything was written for it; `present` is the edition by which the next table is opened;
    `is_edition_twice` if another text has the same edition number here.
    """

    row: PageRow
    is_new: bool
    present: PageRow
    is_edition_twice: bool = False


def pages(archive: Archive) -> tuple[PageRow, ...]:
    """Return all pages, by the names of their games and the latest edition first; withdrawn ones included."""
    with archive.store.reading() as transaction:
        rows = transaction.rows(PageRow)
    return tuple(sorted(sorted(rows, key=lambda row: (row.edition, row.added), reverse=True), key=lambda row: row.name))


def uses(archive: Archive) -> Uses:
    """Return the numbers of decks and sessions of each game; games without any are left out."""
    with archive.store.reading() as transaction:
        return transaction.uses_of_games()


def count_uses(uses: Uses, *pages: str) -> tuple[int, int]:
    """Return the numbers of decks and of sessions that follow some pages, whatever the names of their games."""
    counts = [count for (_, page), count in uses.items() if page in pages]
    return sum(decks for decks, _ in counts), sum(sessions for _, sessions in counts)


def _find_page(transaction: Transaction, name: str) -> PageRow:
    """Return the present edition of the game of this name; of a withdrawn game the last. Raises Unknown."""
    rows = transaction.pages_named(name.lower())
    row = present_edition(rows) or max(rows, key=lambda row: (row.edition, row.added), default=None)
    if row is None:
        raise Unknown(phrase("No page of a game called {name} was added here.", name=in_quotes(name)), "games")
    return row


def page_row(archive: Archive, page: str) -> PageRow | None:
    """Return the page with this digest; None if it is not here."""
    with archive.store.reading() as transaction:
        return transaction.row(PageRow, page)


def add_page(archive: Archive, text: str, name: str = "", *, seen: str | None = None) -> Added:
    """Add a game by the text of its page, or a homebrew by its text, under another `name` if given.

    A later edition by the same author becomes the present one, under the name that earlier editions have here. A writer
    who changes a page says which edition they have `seen`, by its digest, "" for none; a text that was replaced by
    another then becomes the present one again. Raises PageError with what is wrong with the page, NameTaken if another
    game has the name, Conflict if the present edition is not the one that was seen, and ArchiveError if a permanent
    number meant something else before.
    """
    rules, page, own = _read_page(text, name), load.remember(text), load.headline(text)
    with archive.store.writing() as transaction:
        editions = _editions_named(transaction, own)
        called = _check_page(transaction, rules, page, own, name)
        row, before = transaction.row(PageRow, page), present_edition(transaction.pages_named(called))
        if seen is not None:
            _check_seen(before, seen)
        is_new = row is None or not row.listed or row.withdrawn or row.name != called
        if is_new or (seen is not None and before is not None and before.page != page):
            kept: list[NewEntry] = [] if row else [draft(PageKept(text))]
            length = row.length if row else 0
            archive._append(transaction, page_stream(page), length, [*kept, draft(PageListed(called))])
        row, present = transaction.row(PageRow, page), present_edition(transaction.pages_named(called))
        assert row is not None
        assert present is not None
        is_twice = any(other.listed and other.edition == row.edition and other.page != page for other in editions)
        return Added(row, is_new, present, is_twice)


def _check_seen(present: PageRow | None, seen: str) -> None:
    """Raise Conflict if the present edition is not the one with the digest that a writer has seen."""
    if (present.page if present is not None and present.listed else "") != seen:
        raise Conflict(phrase("Somebody else has changed this game since you opened its page."), "games")


def find_present(archive: Archive, name: str) -> PageRow | None:
    """Return the edition that was added last and not withdrawn of the game of this name; None if there is none."""
    with archive.store.reading() as transaction:
        row = present_edition(transaction.pages_named(name))
    return row if row is not None and row.listed else None


class Offered(NamedTuple):
    """A page that is about to be added, as it would be.

    `called` is the name of its game here, `rules` are its rules, and `own` is its headline. `row` is the page itself if
    it is here already, and `before` the edition by which new tables are opened now, which `decks` and `sessions` of
    all editions follow.
    """

    rules: Game
    own: Headline
    called: str
    row: PageRow | None
    before: PageRow | None
    decks: int = 0
    sessions: int = 0


def offer_page(archive: Archive, text: str, name: str = "") -> Offered:
    """Return what `add_page` would do, without doing it. Raises the same errors."""
    rules, page, own = _read_page(text, name), load.digest_of(text), load.headline(text)
    with archive.store.reading() as transaction:
        called = _check_page(transaction, rules, page, own, name)
        editions = _editions_named(transaction, own)
        before = present_edition([row for row in editions if row.name == called])
        uses = count_uses(transaction.uses_of_games(), *(row.page for row in editions))
        return Offered(rules, own, called, transaction.row(PageRow, page), before, *uses)


def _read_page(text: str, name: str) -> Game:
    """Return the rules on a page that is to be added under a name, if one is given. Raises NotationError."""
    from companion.games.described.page.reading import read_description

    if not load.base_of(text):
        # Validated strictly, even if sessions that follow it have opened it already.
        read_description(text)
    if name and not load.is_word(name):
        raise NotationError(
            phrase(
                "{name} cannot be a game's name; use small letters, digits and `-`, at most 32 of them.",
                name=in_quotes(name),
            )
        )
    return registry.from_text(text)


def _editions_named(transaction: Transaction, own: Headline) -> Sequence[PageRow]:
    """Return all editions here of the game with this headline."""
    return [row for row in transaction.rows(PageRow) if _is_same_game(row, own)]


def _check_page(transaction: Transaction, rules: Game, page: str, own: Headline, name: str) -> str:
    """Return the name under which a page is added: the given one, that of earlier editions, or its own.

    Raises NotationError, NameTaken and ArchiveError as `add_page`.
    """
    editions = _editions_named(transaction, own)
    before = present_edition([row for row in editions if row.listed])
    called = name or (before.name if before else own.name)
    _check_name(transaction, own, called)
    _check_numbers(transaction, rules, [row for row in editions if row.page != page])
    return called


def _is_same_game(row: PageRow, page: Headline) -> bool:
    """Return True if a page here and another are editions of one game."""
    return identity(row.word, row.author, row.title) == identity(page.name, page.by, page.title)


def _check_name(transaction: Transaction, page: Headline, called: str) -> None:
    """Raise NotationError if a program has this name, and NameTaken if another author's game has it."""
    registry.refuse_taken(called)
    others = [row for row in transaction.pages_named(called) if not _is_same_game(row, page)]
    if other := present_edition(others) or next(iter(others), None):
        decks, sessions = count_uses(transaction.uses_of_games(), *(row.page for row in others))
        raise NameTaken(_describe_other_game(called, other, decks, sessions), "games")
    ready = registry.ready_text(called)
    if ready is not None:
        headline = load.headline(ready)
        its = identity(headline.name, headline.by, headline.title)
        if its != identity(page.name, page.by, page.title):
            raise NameTaken(
                phrase(
                    "{name} is {game}, which comes with this program. Add yours under a name of its own.",
                    name=in_quotes(called),
                    game=headline.title,
                ),
                "games",
            )


def _describe_other_game(called: str, other: PageRow, decks: int, sessions: int) -> Message:
    of_decks, of_sessions = (
        phrases("{n} deck", "{n} decks", n=decks),
        phrases("{n} session", "{n} sessions", n=sessions),
    )
    if other.author:
        return phrase(
            "Another game is called {name} here: {game} by {author}, edition {edition}, with {decks} and {sessions}. "
            "Add yours under a name of its own.",
            name=in_quotes(called),
            game=other.title,
            author=other.author,
            edition=str(other.edition),
            decks=of_decks,
            sessions=of_sessions,
        )
    return phrase(
        "Another game is called {name} here: {game}, edition {edition}, with {decks} and {sessions}. Add yours under a "
        "name of its own.",
        name=in_quotes(called),
        game=other.title,
        edition=str(other.edition),
        decks=of_decks,
        sessions=of_sessions,
    )


def _check_numbers(transaction: Transaction, rules: Game, editions: Iterable[PageRow]) -> None:
    """Raise ArchiveError if a permanent number had another meaning in an edition here, or a homebrew lacks one.

    The numbers are printed on cards, and tables rely on them.
    """
    for row in sorted(editions, key=lambda row: row.edition, reverse=True):
        text = page_texts.read_text(transaction, row.page)
        try:
            earlier = registry.from_text(text, kept=True).homebrew.permanent_numbers if text is not None else {}
        except NotationError:
            continue  # its format is no longer supported; its decks have the names in their marks
        if reused := reused_number(rules.homebrew.permanent_numbers, earlier):
            before, now = in_quotes(reused.before), in_quotes(reused.now)
            raise ArchiveError(
                phrase(
                    "{number} is {before} in edition {edition} of {title} and may be on cards for ever, "
                    "so it cannot become {now}: give {now} a number of its own.",
                    number=str(reused.number),
                    before=before,
                    edition=str(row.edition),
                    title=row.title,
                    now=now,
                )
            )
        missing = [number for number in earlier if number not in rules.homebrew.permanent_numbers]
        if missing and registry.is_program(rules.name):
            raise ArchiveError(
                phrase(
                    "{number} is {name} in edition {edition} of {title} and may be on cards: leave it "
                    "in, with withdrawn = true if no more cards get it.",
                    number=str(missing[0]),
                    name=in_quotes(earlier[missing[0]]),
                    edition=str(row.edition),
                    title=row.title,
                )
            )


def withdraw(archive: Archive, name: str) -> tuple[PageRow, ...]:
    """Withdraw a game: its pages can no longer be chosen. Returns the pages that were withdrawn. Raises Unknown."""
    with archive.store.writing() as transaction:
        rows = [row for row in transaction.pages_named(name.lower()) if not row.withdrawn]
        if not rows:
            raise Unknown(
                phrase("No game called {name} was added here that could be withdrawn.", name=in_quotes(name)), "games"
            )
        for row in rows:
            archive._append(transaction, page_stream(row.page), row.length, drafts([PageWithdrawn()]))
        return tuple(rows)


def withdraw_edition(archive: Archive, name: str, page: str) -> PageRow | None:
    """Withdraw the present edition of a game, which has this digest; return the one before, None if it was the first.

    Raises Conflict if another edition is the present one.
    """
    with archive.store.writing() as transaction:
        rows = transaction.pages_named(name)
        _check_seen(present_edition(rows), page)
        for row in rows:
            if row.page == page:
                archive._append(transaction, page_stream(page), row.length, drafts([PageWithdrawn()]))
        present = present_edition(transaction.pages_named(name))
        return present if present is not None and present.listed else None


def later_editions(archive: Archive, deck: DeckRow) -> tuple[PageRow, ...]:
    """Return the editions of a deck's game after the one it follows, without withdrawn ones; the earliest first."""
    with archive.store.reading() as transaction:
        row = transaction.row(PageRow, deck.page) if deck.page else None
        rows = _editions_of(transaction, row) if row else ()
    if row is None:
        return ()
    later = [each for each in rows if (each.edition, each.added) > (row.edition, row.added) and not each.withdrawn]
    return tuple(sorted(later, key=lambda each: (each.edition, each.added)))


def edition_changes(archive: Archive, deck: DeckRow, later: PageRow) -> tuple[Text, ...]:
    """Return what another edition changes compared to the one that a deck follows, in sentences.

    Empty if one of the two texts is lost, or is in a format that is no longer supported.
    """
    with archive.store.reading() as transaction:
        texts = [page_texts.read_text(transaction, page) for page in (deck.page, later.page)]
    try:
        before, after = (registry.from_text(text or "", kept=True) for text in texts)
    except NotationError:
        return ()
    return tuple(after.homebrew.changes_since(before.homebrew))


def _editions_of(transaction: Transaction, page: PageRow) -> Sequence[PageRow]:
    """Return all editions of the game of a page."""
    its = identity(page.word, page.author, page.title)
    return [row for row in transaction.rows(PageRow) if identity(row.word, row.author, row.title) == its]


def find_edition(archive: Archive, deck: DeckRow, edition: int) -> PageRow:
    """Return the edition of this number of a deck's game; of several the one added last. Raises Unknown."""
    with archive.store.reading() as transaction:
        now = transaction.row(PageRow, deck.page)
        rows = _editions_of(transaction, now) if now else transaction.pages_named(deck.game)
    matches = [row for row in rows if row.edition == edition]
    if not matches:
        raise Unknown(
            phrase("No edition {edition} of the game of {deck} is here.", edition=str(edition), deck=deck.name), "games"
        )
    return max(matches, key=lambda row: row.added)


def decks_behind(archive: Archive, page: PageRow) -> int:
    """Return the number of decks that follow earlier editions of a game."""
    with archive.store.reading() as transaction:
        editions = _editions_of(transaction, page)
        earlier = [row.page for row in editions if (row.edition, row.added) < (page.edition, page.added)]
        return count_uses(transaction.uses_of_games(), *earlier)[0]


def take_edition(archive: Archive, deck: DeckRow, page: str, by: str = "") -> None:
    """Have a deck follow another edition of its game from now on: the one with the digest `page`.

    Its marks stay as they are. Raises Unknown if that page is not of its game, ArchiveError if that edition has no such
    decks, Conflict.
    """
    with archive.store.reading() as transaction:
        row, now = transaction.row(PageRow, page), transaction.row(PageRow, deck.page)
        is_its = row is not None and (now is None or row in _editions_of(transaction, now))
    if row is None or not is_its:
        raise Unknown(phrase("That is not an edition of the game of {deck}.", deck=deck.name), "games")
    if page == deck.page:
        return
    mark, entries = EditionTaken(page, row.edition, row.title, as_name(by)), archive.entries(deck_stream(deck.deck))
    try:
        row_of(deck_stream(deck.deck), append_marks(entries, [mark], archive.now(), archive.by))
    except NONSENSE as error:
        raise ArchiveError(
            phrase(
                "Edition {edition} of {game} has no decks such as {deck}, which stays with the edition that it goes "
                "by.",
                edition=str(row.edition),
                game=row.title,
                deck=deck.name,
            ),
            "games",
        ) from error
    archive.mark(deck.deck, deck.length, [mark])


def text_of(archive: Archive, page: str) -> str:
    """Return the text of a stored page; "" if it is lost."""
    with archive.store.reading() as transaction:
        try:
            return page_texts.read_text(transaction, page) or ""
        except ArchiveError:
            return ""


def of_deck(archive: Archive, deck: DeckRow) -> PageRow | None:
    """Return the edition that a deck follows; None if its game is a program, or the page is lost."""
    return page_row(archive, deck.page) if deck.page else None
