"""Editions of a game that is described on a page, as its author and somebody else write them."""

import sqlalchemy as sa

from companion.archive import Archive
from companion.games import registry
from companion.games.described import load
from companion.session.core import archive_journal
from companion.tabletop.decks.form import FormContext

_PAGE = """\
name = "{name}"
title = "{title}"
by = "{by}"
edition = {edition}

[play]
players = "2-6"

[counters.life]
start = {life}
big = true
out = "<= 0"

[end]
last-left = true

[decks]
kind = "inscribed"
inscriptions = [{inscriptions}]
"""


def page(
    edition: int = 1,
    by: str = "Ana",
    title: str = "Crown",
    name: str = "crown",
    inscriptions: tuple[str, ...] = ("Sharp", "Blunt"),
    life: int = 20,
) -> str:
    """The text of an edition; inscriptions get their numbers in order."""
    numbered = (f'{{ number = {number}, name = "{each}" }}' for number, each in enumerate(inscriptions, 1))
    return _PAGE.format(name=name, title=title, by=by, edition=edition, life=life, inscriptions=", ".join(numbered))


def as_lists(edition: int) -> str:
    """An edition whose decks are lists of cards, and nothing is written on any."""
    return page(edition).partition("[decks]")[0] + '[decks]\nkind = "list"\n'


ONE, TWO, THREE = page(1), page(2, life=25), page(3, life=30)


def found_deck(archive: Archive, name: str, page: str = "", game: str = "crown") -> str:
    """Founds a deck of a described game; gives its id."""
    rules = registry.game(game, page)
    assert rules.decks.founding is not None
    marks = rules.decks.founding.validate_answers({"name": name, "holder": "Ana"}, FormContext()).marks
    return archive.found_deck(rules.name, marks, page=rules.page)


LINES = ('seat ana name "Ana"', 'seat ben name "Ben"', "begin seed 3", 'note "late"')


def play_evening(archive: Archive, game: str = "crown") -> str:
    """Begins a game; gives the id of its session."""
    session = archive_journal.start(archive, game)
    for line in LINES:
        session.enter(line)
    return session.id


def forget() -> None:
    """From now on this process has seen none of these pages yet."""
    gone = {digest for digest, text in load._TEXTS.items() if text.startswith('name = "crown"')}
    for digest in gone:
        del load._TEXTS[digest]
    for key in [key for key in load._GAMES if key[0] in gone]:
        del load._GAMES[key]


def lose_pages(archive: Archive) -> None:
    """As after a damage that took all pages, and this process has seen none."""
    with archive.store.writing() as transaction:
        transaction.connection.execute(sa.text("DELETE FROM entries WHERE stream LIKE 'page:%'"))
        transaction.connection.execute(sa.text("DELETE FROM pages"))
    forget()
