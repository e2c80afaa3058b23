"""`companion game`: games described on a page; to begin one, check it, and show it."""

from __future__ import annotations

import re
import time
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from companion.cli.common import (
    REFUSED,
    Misused,
    Refused,
    any_archive_option,
    archive_option,
    force_option,
    fresh_file,
    json_option,
    open_archive,
    output_option,
    pages_at_hand,
    print_json,
    print_list,
    print_or_write,
    read_text,
    sanitize,
    tell_written,
)
from companion.tabletop.text import quantity, sanitize_lines

if TYPE_CHECKING:
    from companion.archive import Archive
    from companion.archive.storage.rows import PageRow
    from companion.games.described.page.description import Description
    from companion.games.described.page.reading import LineFault
    from companion.tabletop.game import Game

_SECONDS = 20
"""Seconds for the random games of a page; the game that is being played then is the last."""

_PAGE_NAME = re.compile(r'^name\s*=\s*"[^"\n]*"', re.MULTILINE)


@click.group("game")
def command() -> None:
    """Games of your own: a game on one page, without programming.

    docs/own-games.md leads to a first one in ten minutes.

    \b
    Example: companion game new crown
    """


@command.command("new")
@click.argument("name")
@output_option("Write the page into this file; else NAME.toml.")
@click.option("--from", "ready", metavar="READY", help="Begin with a ready one, as companion game list names them.")
@any_archive_option
@force_option
def new(name: str, out: Path | None, ready: str | None, force: bool) -> None:
    """Write a page to start a game of your own from, with comments that teach.

    It is whole as it stands: it can be checked and played, and then changed line by line.

    \b
    Example: companion game new crown
             companion game new our-duel --from duel
    """
    from companion.games import registry
    from companion.games.described.page.reading import as_word
    from companion.games.described.page.starter import starter_page

    if as_word(name) != name:
        raise Misused(
            f"“{sanitize(name)}” is no word of small letters and digits, joined by -"
            f"{f'; take {as_word(name)}' if as_word(name) else ''}."
        )
    registry.refuse_taken(name)
    text = _PAGE_NAME.sub(f'name = "{name}"', _ready_page(ready), count=1) if ready else starter_page(name)
    path = out or Path(f"{name}.toml")
    with fresh_file(path, force=force) as draft:
        draft.write_text(text, encoding="utf-8", newline="\n")
    tell_written(path, "yours to change; companion game check looks at it.")


def _ready_page(name: str) -> str:
    """Return the text of a page that comes with the program. Raises Misused with their names."""
    from companion.games import registry

    text = registry.ready_text(name)
    if text is None:
        raise Misused(f"“{sanitize(name)}” is no ready page; these are: {', '.join(registry.ready_names()) or 'none'}.")
    return text


@command.command("check")
@click.argument("file", type=click.File("rb"))
@click.option(
    "--games", type=click.IntRange(0, 10_000), default=200, show_default=True, help="How many random games to play."
)
@any_archive_option
@json_option
def check(file: Any, games: int, as_json: bool) -> int:
    """Check a page, and tell all that is wrong with it at once, by line, with what was probably meant.

    Where nothing is wrong with how it is written, random games of it are played, to find what never ends, what goes out
    of its bounds, and what can never be reached.

    \b
    Example: companion game check crown.toml
    """
    from companion.games.described import load
    from companion.games.described.decks.paper import places_of_labels
    from companion.games.described.game import DescribedGame
    from companion.games.described.page.reading import PageError, place_faults, read_description

    text, where = read_text(file), str(getattr(file, "name", "<stdin>"))
    if load.base_of(text):
        raise Misused(f"{where} is a homebrew and no game of its own: companion homebrew check looks at it.")
    try:
        page = read_description(text, where)
    except PageError as error:
        tell_faults(where, error.faults, as_json=as_json)
        return REFUSED
    if faults := _faults_in_play(page, text, games):
        tell_faults(where, faults, as_json=as_json)
        return REFUSED
    doubts = (*_unknown_design(page), *too_long(DescribedGame(page), places_of_labels(page)))
    warnings = place_faults(text, doubts)
    if as_json:
        plain = {"file": where, "name": page.name, "title": page.title, "edition": page.edition, "faults": ()}
        print_json({**plain, "warnings": [fault._asdict() for fault in warnings]})
    else:
        tell_faults(where, warnings, as_json=False)
        click.echo(sanitize(f"{page.title}: nothing is wrong with this page."))
    return 0


def _unknown_design(page: Description) -> Iterator[tuple[str, str]]:
    """Yield a doubt if the design of the labels is unknown here, or cannot be read."""
    if page.decks is None or not page.decks.design:
        return
    from companion.printing import designs
    from labels.designfile import DesignError

    try:
        designs.find_design(page.decks.design)
    except DesignError as error:
        yield "decks.design", f"Labels look as usual: {error}"


def too_long(game: Game, places: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Yield the texts of labels that do not fit the usual labels, by their keys.

    `places` are the keys of the labels' texts by title.
    """
    if not places:
        return
    from companion.printing import jobs, run

    refusals = jobs.starter_refusals(game, run.find_stock(None))
    size = "The usual labels are too small for this, and it can be played all the same"
    yield from ((places[title], f"{size}: {reason}") for title, reason in refusals if title in places)


def _faults_in_play(page: Description, text: str, games: int) -> list[LineFault]:
    """Return the faults that random games of a page find, by line."""
    from companion.games.described.check import play_random
    from companion.games.described.game import DescribedGame
    from companion.games.described.page.reading import place_faults

    until = time.monotonic() + _SECONDS
    findings = play_random(DescribedGame(page), games, goes_on=lambda: time.monotonic() < until) if games else ()
    return place_faults(text, findings)


def tell_faults(file: str, faults: Iterable[LineFault], *, as_json: bool) -> None:
    """Print all faults of a text, by line."""
    if as_json:
        print_json({"file": file, "faults": [fault._asdict() for fault in faults]})
        return
    for fault in faults:
        click.echo(sanitize(f"{file}:{fault.line}: {f'{fault.key}: ' if fault.key else ''}{fault.text}"), err=True)


@command.command("show")
@click.argument("game", metavar="GAME")
@click.option("--text", "as_text", is_flag=True, help="The text of its page, to keep or to change.")
@archive_option
@json_option
def show(game: str, as_text: bool, archive: str | None, as_json: bool) -> None:
    """Show what a game has: its figures, lines, house rules and words. GAME is a name, or the file of a page.

    \b
    Examples: companion game show crown.toml
              companion game show crown --text
    """
    with pages_at_hand(archive):
        rules = _find_game(game)
    if as_text:
        click.echo(_text_of(rules), nl=False)
        return
    if as_json:
        print_json(_plain_game(rules))
        return
    for paragraph in _describe_game(rules):
        click.echo(sanitize(paragraph))


def _find_game(name: str) -> Game:
    """Return a game by its name or by the file of its page. Raises NotationError."""
    from companion.games import registry

    return registry.game(name)


def _text_of(rules: Game) -> str:
    """Return the text of a game's page. Raises Refused for a game that is a program."""
    from companion.games.described import load

    text = load.text_of(rules.page)
    if text is None:
        raise Refused(f"{rules.title} is a program and no page; there is no text of it to show.")
    return sanitize_lines(text)


def _plain_game(game: Game) -> dict[str, Any]:
    """Return a game for JSON."""
    page = getattr(game, "description", None)
    return {
        "name": game.name,
        "title": game.title,
        "lines": [{"line": line, "does": does} for line, does in _describe_lines(game)],
        "house": [{"rule": rule.key, "values": rule.values, "book": rule.book} for rule in game.house.all()],
        "page": page,
    }


def _describe_lines(game: Game) -> Iterator[tuple[str, str]]:
    """Yield the usage and the effect of the lines that are not common to all games."""
    from companion.tabletop.notation.notation import grammar
    from companion.tabletop.table.common_actions import COMMON

    common = {action.verb() for action in COMMON}
    for action in game.actions:
        if action.verb() not in common:
            yield grammar(action).usage, (action.__doc__ or "").strip().splitlines()[0]


def _describe_game(game: Game) -> Iterator[str]:
    page: Description | None = getattr(game, "description", None)
    yield f"{game.title} ({game.name})"
    if page is not None:
        yield from _describe_page(page)
    yield "Lines:"
    yield from (f"  {line}: {does}" for line, does in _describe_lines(game))
    if house := game.house.all():
        yield "House rules:"
        yield from (f"  {rule.key} {'|'.join(rule.values) or 'N'}: {rule.text}" for rule in house)


def _describe_page(page: Description) -> Iterator[str]:
    """Yield the other content of a page, besides its lines and house rules, a sentence each."""
    from companion.games.described.page.description import title_of

    if page.about:
        yield page.about
    by = f"by {page.by}, " if page.by else ""
    yield f"For {page.play.players} players, {page.play.order}; {by}edition {page.edition}."
    if page.credit:
        yield page.credit
    tables: tuple[tuple[str, Any], ...] = (
        ("Figures", page.counters),
        ("Flags", page.flags),
        ("Tokens", page.tokens),
        ("Things", page.things),
        ("Zones", page.zones),
        ("Drawn from", page.pools),
    )
    steps = ", ".join(title_of(step.name, step.title) for step in page.steps)
    named = ((what, ", ".join(title_of(word, each.title) for word, each in table.items())) for what, table in tables)
    yield from (f"{what}: {names}." for what, names in (("Steps", steps), *named) if names)


@command.command("schema")
@output_option("Write it into a file.")
@any_archive_option
@force_option
def schema(out: Path | None, force: bool) -> None:
    """The JSON schema of pages, so that an editor explains keys and marks mistakes while you type.

    Editors that know Taplo or Even Better TOML read it where the first line of a page is `#:schema game.schema.json`.

    \b
    Example: companion game schema -o game.schema.json
    """
    from companion.games.described.page.description import schema as page_schema

    print_or_write(f"{page_schema().decode()}\n", out, "the schema of pages.", force=force)


class _GameRow(NamedTuple):
    """A game in the list; `origin` describes its source, `page` is the digest of its page."""

    name: str
    title: str
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
    """List all games: those that come along, the ready pages, and the pages that you added, each edition.

    \b
    Example: companion game list
    """
    with open_archive(archive, scratch=not archive) as opened:
        rows = tuple(_list_games(opened))
    headings = ("GAME", "TITLE", "FROM", "BY", "EDITION", "DECKS", "SESSIONS")
    print_list(rows, headings, _row_cells, "There is no game.", as_json=as_json, plain=lambda row: row._asdict())


def _row_cells(row: _GameRow) -> tuple[str, ...]:
    figures = (str(figure) if figure else "" for figure in (row.edition if row.page else 0, row.decks, row.sessions))
    return (row.name, row.title, row.origin, row.author, *figures)


def _list_games(archive: Archive) -> Iterator[_GameRow]:
    """Yield all games, with their numbers of decks and sessions."""
    from companion.archive.exchange import pages
    from companion.games import registry
    from companion.games.described import load

    counts, kept = pages.uses(archive), pages.pages(archive)
    here = {row.page for row in kept}
    for name in registry.GAMES:
        yield _GameRow(name, registry.title(name), "a program", "", 1, *counts.get((name, ""), (0, 0)), "")
    for name in registry.ready_names():
        text = registry.ready_text(name) or ""
        page, own = load.digest_of(text), load.headline(text)
        decks, sessions = pages.count_uses(counts, page)
        yield _GameRow(name, own.title, "a ready page", own.by, own.edition, decks, sessions, page)
        here.discard(page)
    for row in kept:
        if row.page in here:
            decks, sessions = pages.count_uses(counts, row.page)
            yield _GameRow(row.name, row.title, origin(row), row.author, row.edition, decks, sessions, row.page)


def origin(row: PageRow) -> str:
    """Return the reason why a page is in the archive."""
    if row.withdrawn:
        return "withdrawn"
    return "added" if row.listed else "came with what was played"


@command.command("add")
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--as", "name", default="", metavar="NAME", help="The word by which it shall be known here.")
@archive_option
@json_option
def add(file: Path, name: str, archive: str | None, as_json: bool) -> None:
    """Add a game by the FILE of its page: tables are opened by that text from then on, whatever becomes of the file.

    A later edition by the same author takes the place of the one before; decks and evenings of before keep theirs.

    \b
    Examples: companion game add crown.toml
              companion game add crown.toml --as our-crown
    """
    from companion.archive import page_texts
    from companion.archive.errors import NameTaken
    from companion.archive.exchange import pages

    text = page_texts.read_file(file)
    with open_archive(archive, create=True) as opened:
        try:
            added = pages.add_page(opened, text, name)
        except NameTaken as error:
            raise Refused(f"{error} companion game add {file} --as NAME does so.") from error
        behind = pages.decks_behind(opened, added.present)
    if as_json:
        twice = {"edition_twice": added.is_edition_twice}
        print_json({"added": added.is_new, "behind": behind, **twice, **plain_page(added.row)})
        return
    click.echo(sanitize(tell_added(added.row, added.present, is_new=added.is_new)))
    if added.is_new and added.is_edition_twice:
        edition = added.row.edition
        click.echo(
            f"Another text was edition {edition} already: what was played by that one keeps it. Write edition = "
            f"{edition + 1} into the page and add it again, so that people can tell the two apart."
        )
    if behind and added.present == added.row:
        decks = f"{quantity(behind, 'deck')} {'goes' if behind == 1 else 'go'}"
        click.echo(f"{decks} by an earlier edition; companion deck edition DECK takes this one.")


def plain_page(row: PageRow) -> dict[str, object]:
    """Return a page for JSON."""
    return {"game": row.name, "title": row.title, "by": row.author, "edition": row.edition, "page": row.page}


def tell_added(row: PageRow, present: PageRow, *, is_new: bool) -> str:
    """Return a sentence about the result of adding a page."""
    by = f" by {row.author}" if row.author else ""
    what = f"{row.title}{by}, edition {row.edition}"
    done = f"{what}, is added: a table of it is {row.name}." if is_new else f"{what}, is here already as {row.name}."
    return done if present == row else f"{done} New tables are opened by edition {present.edition}."


@command.command("withdraw")
@click.argument("name")
@archive_option
@json_option
def withdraw(name: str, archive: str | None, as_json: bool) -> None:
    """Have a game chosen no more that was added here. What was played by it stays, and so do its decks.

    \b
    Example: companion game withdraw crown
    """
    from companion.archive.exchange import pages
    from companion.games import registry

    if registry.is_program(name):
        raise Refused(f"{registry.title(name)} is a program that comes along; it cannot be withdrawn.")
    with open_archive(archive) as opened:
        rows = pages.withdraw(opened, name)
    if as_json:
        print_json([plain_page(row) for row in rows])
        return
    is_ready = ", and the ready page of that name is played again" if name.lower() in registry.ready_names() else ""
    editions = quantity(len(rows), "edition")
    click.echo(sanitize(f"{rows[0].title} is withdrawn ({editions}){is_ready}; what was played by it stays."))
