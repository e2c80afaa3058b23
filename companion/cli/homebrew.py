"""`companion homebrew`: a campaign's additions to a game, as a text; to check, add and list them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from companion.cli.common import (
    REFUSED,
    Misused,
    Refused,
    any_archive_option,
    archive_option,
    json_option,
    open_archive,
    print_json,
    print_list,
    read_text,
    sanitize,
)
from companion.cli.game import origin, plain_page, tell_added, tell_faults, too_long
from companion.tabletop.text import quantity

if TYPE_CHECKING:
    from companion.archive import Archive
    from companion.games.described.page.reading import LineFault
    from companion.tabletop.game import Game


@click.group("homebrew")
def command() -> None:
    """What is written on cards: a campaign's own, and other names, prices and tiers for what is printed.

    docs/homebrew.md leads to a first one.

    \b
    Example: companion homebrew check moonlit.toml
    """


@command.command("check")
@click.argument("file", type=click.File("rb"))
@any_archive_option
@json_option
def check(file: Any, as_json: bool) -> int:
    """Check a homebrew, and tell all that is wrong with it at once, by line, with what was probably meant.

    Where nothing is, it is told what would do nothing, and what is too long for the usual labels.

    \b
    Example: companion homebrew check moonlit.toml
    """
    from companion.games import registry
    from companion.games.described.page.reading import PageError

    text, where = read_text(file), str(getattr(file, "name", "<stdin>"))
    _require_homebrew(text, where)
    try:
        game = registry.from_text(text)
    except PageError as error:
        tell_faults(where, error.faults, as_json=as_json)
        return REFUSED
    warnings = _find_doubts(game, text)
    if as_json:
        plain = {"file": where, "name": game.word, "title": game.title, "faults": ()}
        print_json({**plain, "warnings": [fault._asdict() for fault in warnings]})
    else:
        tell_faults(where, warnings, as_json=False)
        click.echo(sanitize(f"{game.title}: nothing is wrong with this homebrew."))
    return 0


def _require_homebrew(text: str, where: str) -> None:
    """Raise Misused if a text does not declare itself a homebrew."""
    from companion.games.described import load

    if not load.base_of(text):
        raise Misused(
            f"{sanitize(where)} is no homebrew: above its first table it names the game that it belongs to, as in "
            f'homebrew = "{_first_brewable()}".'
        )


def _first_brewable() -> str:
    from companion.games import registry

    return registry.GAMES[0]


def _find_doubts(game: Game, text: str) -> list[LineFault]:
    """Return what can be played but was hardly meant so, by line."""
    from companion.games.described.page.reading import place_faults

    return place_faults(text, (*game.homebrew_doubts, *too_long(game, game.homebrew_labels)))


@command.command("add")
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--as", "name", default="", metavar="NAME", help="The word by which it shall be known here.")
@archive_option
@json_option
def add(file: Path, name: str, archive: str | None, as_json: bool) -> None:
    """Add a homebrew by its FILE: tables are opened with that text from then on, whatever becomes of the file.

    A later edition by the same author takes the place of the one before; decks and evenings of before keep theirs.

    \b
    Examples: companion homebrew add moonlit.toml
              companion homebrew add moonlit.toml --as our-moon
    """
    from companion.archive import page_texts
    from companion.archive.errors import NameTaken
    from companion.archive.exchange import pages

    text = page_texts.read_file(file)
    _require_homebrew(text, str(file))
    with open_archive(archive, create=True) as opened:
        try:
            added = pages.add_page(opened, text, name)
        except NameTaken as error:
            raise Refused(f"{error} companion homebrew add {file} --as NAME does so.") from error
        behind = pages.decks_behind(opened, added.present)
    if as_json:
        print_json({"added": added.is_new, "behind": behind, **plain_page(added.row)})
        return
    click.echo(sanitize(tell_added(added.row, added.present, is_new=added.is_new)))
    if behind and added.present == added.row:
        decks = f"{quantity(behind, 'deck')} {'goes' if behind == 1 else 'go'}"
        click.echo(f"{decks} by an earlier edition; companion deck edition DECK takes this one.")


class _HomebrewRow(NamedTuple):
    """A homebrew in the list; `game` is the one that it belongs to, `page` the digest of its text."""

    name: str
    title: str
    game: str
    origin: str
    author: str
    edition: int
    decks: int
    sessions: int
    page: str


@command.command("list")
@archive_option
@json_option
def list_(archive: str | None, as_json: bool) -> None:
    """List the homebrews that are here: those that you added, and those that came with decks, each edition.

    \b
    Example: companion homebrew list
    """
    with open_archive(archive, scratch=not archive) as opened:
        rows = tuple(_list_homebrews(opened))
    headings = ("HOMEBREW", "TITLE", "GAME", "FROM", "BY", "EDITION", "DECKS", "SESSIONS")
    print_list(rows, headings, _row_cells, "There is no homebrew.", as_json=as_json, plain=lambda row: row._asdict())


def _row_cells(row: _HomebrewRow) -> tuple[str, ...]:
    figures = (str(figure) if figure else "" for figure in (row.edition, row.decks, row.sessions))
    return (row.name, row.title, row.game, row.origin, row.author, *figures)


def _list_homebrews(archive: Archive) -> Iterator[_HomebrewRow]:
    from companion.archive.exchange import pages
    from companion.games.described import load

    counts = pages.uses(archive)
    for row in pages.pages(archive):
        if base := load.base_of(pages.text_of(archive, row.page)):
            decks, sessions = pages.count_uses(counts, row.page)
            yield _HomebrewRow(
                row.name, row.title, base, origin(row), row.author, row.edition, decks, sessions, row.page
            )
