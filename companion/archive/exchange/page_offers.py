"""What somebody sees of a page when it is added: what it is, what it keeps, and what becomes of earlier editions."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from companion.archive.archive import Archive
from companion.archive.exchange import pages
from companion.archive.exchange.pages import Added, Offered
from companion.games.described import load
from companion.games.described.page.overview import describe_page
from companion.tabletop.text import in_quotes
from templates.languages.messages import Message, Text, joined, phrase, phrases


class PageOffer(NamedTuple):
    """A page that can be added: its `page` digest, its title, and sentences about it.

    `is_new` is False if adding it changes nothing. `replaces` is True if new tables would no longer be opened by the
    edition that is here.
    """

    page: str
    name: str
    title: Text
    sentences: tuple[Text, ...]
    is_new: bool
    replaces: bool


def prepare_offer(archive: Archive, text: str, name: str = "") -> PageOffer:
    """Return the offer of a page, without adding it.

    Raises PageError with what is wrong with the page, NameTaken if another game has the name, and ArchiveError if a
    permanent number meant something else before.
    """
    offered = pages.offer_page(archive, text, name)
    row, before = offered.row, offered.before
    page = load.digest_of(text)
    is_new = row is None or not row.listed or row.withdrawn or row.name != offered.called
    replaces = is_new and before is not None and before.page != page and before.edition <= offered.own.edition
    about = describe_page(offered.rules.readable_page) if hasattr(offered.rules, "readable_page") else ()
    standing = _describe_standing(offered, page) if is_new else (_describe_presence(offered),)
    sentences = (*(about or _describe_homebrew(offered)), *standing)
    return PageOffer(page, offered.called, offered.own.title, sentences, is_new, replaces)


def _describe_homebrew(offered: Offered) -> Iterator[Text]:
    own = offered.own
    yield phrase(
        "{title}, edition {edition}, a homebrew for {game}.",
        title=own.title,
        edition=str(own.edition),
        game=offered.rules.title,
    )
    yield phrase("Decks that follow it keep what it writes on their cards.")


def _describe_presence(offered: Offered) -> Text:
    return phrase("This page is here already, as {name}.", name=in_quotes(offered.called))


def _describe_standing(offered: Offered, page: str) -> Iterator[Text]:
    """Yield what is here of the game, and what becomes of it when the page is added."""
    before = offered.before
    if before is None:
        yield phrase("It is not here yet; its tables are called {name}.", name=in_quotes(offered.called))
        return
    edition = str(before.edition)
    if before.page == page:
        yield phrase("It is here with what was played by it, and becomes a game to choose.")
    elif before.edition > offered.own.edition:
        yield phrase("Edition {edition} is here, which is a later one: new tables keep to that.", edition=edition)
    elif before.edition == offered.own.edition:
        yield phrase("Another text of edition {edition} is here; new tables go by the one added last.", edition=edition)
    else:
        yield phrase("It takes the place of edition {edition} for new tables.", edition=edition)
    if offered.decks or offered.sessions:
        yield phrase(
            "What was played keeps its edition: {decks} and {sessions}.",
            decks=phrases("{n} deck", "{n} decks", n=offered.decks),
            sessions=phrases("{n} session", "{n} sessions", n=offered.sessions),
        )


def describe_added(added: Added) -> Message:
    """Return a sentence about the result of adding a page."""
    row, present = added.row, added.present
    if added.is_new and row.author:
        done = phrase(
            "{game} by {author}, edition {edition}, is added: a table of it is {name}.",
            game=row.title,
            author=row.author,
            edition=str(row.edition),
            name=row.name,
        )
    elif added.is_new:
        done = phrase(
            "{game}, edition {edition}, is added: a table of it is {name}.",
            game=row.title,
            edition=str(row.edition),
            name=row.name,
        )
    elif row.author:
        done = phrase(
            "{game} by {author}, edition {edition}, is here already as {name}.",
            game=row.title,
            author=row.author,
            edition=str(row.edition),
            name=row.name,
        )
    else:
        done = phrase(
            "{game}, edition {edition}, is here already as {name}.",
            game=row.title,
            edition=str(row.edition),
            name=row.name,
        )
    if present == row:
        return done
    opened = phrase("New tables are opened by edition {edition}.", edition=str(present.edition))
    return joined(" ", (done, opened))
