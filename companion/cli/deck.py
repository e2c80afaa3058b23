"""`companion deck`: founding decks, finding them, and telling what they are and what happened to them.

What is done to a deck stands in modules of their own, which are loaded when they are called or help lists them.
"""

from collections.abc import Iterable, Mapping, Sequence
from importlib import import_module
from typing import Any, Final

import click
import msgspec

from companion.archive import DeckRow, deck_id, deck_records
from companion.archive.lists import tags_of
from companion.cli import common
from companion.cli.common import (
    archive_option,
    find_deck,
    json_option,
    open_archive,
    print_json,
    print_table,
    sanitize,
    when,
)
from companion.games import registry

_ELSEWHERE: Final = {
    "new": "decks.founding:new",
    "tag": "decks.changes:tag",
    "picking": "decks.lists:picking",
    "chores": "decks.changes:chores",
    **{name: f"decks.changes:{name}" for name in ("correct", "rename", "audit", "retire")},
    **{name: f"decks.lists:{name}" for name in ("rebuild", "versions")},
    **{name: f"decks.travel:{name}" for name in ("export", "adopt", "check", "passport")},
    "import": "decks.travel:import_",
}
"""Commands in modules of their own, by their names."""


class Decks(click.Group):
    """The commands of this module, and those elsewhere."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted((*super().list_commands(ctx), *_ELSEWHERE))

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in _ELSEWHERE:
            return super().get_command(ctx, cmd_name)
        module, _, name = _ELSEWHERE[cmd_name].partition(":")
        found: click.Command = getattr(import_module(f"companion.cli.{module}"), name)
        return found


@click.group("deck", cls=Decks)
def command() -> None:
    """Found decks, find them again, and read their stories.

    DECK is an id in any spelling, the beginning of no other deck's name, or a picture of the QR code on its box.

    \b
    Example: companion deck show "Grave Choir"
    """


@command.command("list")
@click.option(
    "--tag", "wanted", metavar="TAG", multiple=True, help="Only decks with this tag; several: with all of them."
)
@common.options
@archive_option
@json_option
def list_(wanted: Sequence[str], asked: common.PageOptions, archive: str | None, as_json: bool) -> None:
    """List all decks by name: on a terminal a page at a time, elsewhere whole.

    \b
    Examples: companion deck list
              companion deck list --tag league --all
    """
    wanted = [deck_records.parse_tag(tag) for tag in wanted]
    with open_archive(archive) as opened:
        page = opened.page_of_decks("", asked.at, asked.limit, tags=wanted)
    if as_json:
        print_json([_plain(row) for row in page.rows])
    elif page.total:
        _print_list(page.rows)
        common.tell_the_rest(asked, page.rows, page.total, "decks")
    elif wanted:
        click.echo(sanitize(f"No deck is tagged {' and '.join(wanted)}. companion deck tag gives tags."))
    else:
        click.echo("No decks yet. companion deck new --help tells how to found one.")


def _print_list(rows: Sequence[DeckRow]) -> None:
    """Prints decks in columns; that of the tags only where any deck has one."""
    figures = {figure.name: figure.title for row in rows for figure in row.figures}
    titles = [title.upper() for title in figures.values()]
    tagged = ("TAGS",) if any(row.tags for row in rows) else ()
    cells = [(*_cells(row, figures), *(", ".join(row.tags) for _ in tagged)) for row in rows]
    print_table(("NAME", "ID", "GAME", *titles, "HOLDER", "CHANGED", *tagged), cells)


def _plain(row: DeckRow) -> dict[str, object]:
    """A row for programs: its game's figures are keys like any other."""
    told = msgspec.structs.asdict(row)
    del told["figures"], told["due"]
    return told | {figure.name: figure.value for figure in row.figures}


def _cells(row: DeckRow, figures: Iterable[str]) -> tuple[str, ...]:
    """A row for people; a figure that its game does not have stays empty."""
    name = f"{row.name} (retired)" if row.retired else row.name
    known = {figure.name: str(figure.value) for figure in row.figures}
    return (
        name,
        deck_id.show(row.deck),
        row.game,
        *(known.get(figure, "") for figure in figures),
        row.holder,
        when(row.updated),
    )


@command.command()
@click.argument("deck")
@click.option("--text", "as_text", is_flag=True, help="As plain text to paste anywhere.")
@archive_option
@json_option
def show(deck: str, as_text: bool, archive: str | None, as_json: bool) -> None:
    """Show a deck as it is today.

    \b
    Examples: companion deck show 7K3M-9QPX-2B4T-C
              companion deck show "Grave Choir" --text
    """
    with open_archive(archive) as opened:
        row = find_deck(opened, deck)
        if as_text:
            from companion.cli.decks import lists

            click.echo(lists.pasted(opened, row))
            return
        record = opened.record(row.deck)
        due = deck_records.chores(opened, row.deck)
        tagged = tags_of(opened.marks(row.deck))
    if as_json:
        chores = [{"chore": chore.id, "text": chore.text} for chore in due]
        told = {"deck": row.deck, "updated": row.updated, **msgspec.to_builtins(record)}
        print_json(told | {"tags": tagged, "chores": chores})
        return
    click.echo(_heading(row))
    if tagged:
        click.echo(sanitize(f"Tags: {', '.join(tagged)}"))
    _print_facts({key: value for key, value in msgspec.to_builtins(record).items() if key not in _SAID_ELSEWHERE})
    if due:
        click.echo(f"\nStill to be done by hand: {len(due)} · companion deck chores {deck_id.show(row.deck)}")


_SAID_ELSEWHERE = ("game", "name", "person")
"""Of a record: what stands in the heading, and the id of a holder, whom the name tells."""


def _heading(row: DeckRow) -> str:
    return sanitize(f"{row.name} · {deck_id.show(row.deck)} · {registry.game(row.game).title}")


def _print_facts(facts: Mapping[str, Any]) -> None:
    """Prints a record of any game: figures and words as lines, then its things as tables; what is empty is left out."""
    things = {key: _by_name(value) for key, value in facts.items() if _is_things(value)}
    for key, value in facts.items():
        if key not in things and _said(value):
            click.echo(sanitize(f"{_title(key)}: {_said(value)}"))
    for key, value in things.items():
        if value:
            click.echo(f"\n{_title(key)}")
            _print_things(value)


def _is_things(value: object) -> bool:
    return isinstance(value, dict) or (
        isinstance(value, list | tuple) and any(isinstance(part, dict) for part in value)
    )


def _by_name(things: Any) -> Mapping[str, Any]:
    """Things by their names; those in a list by their place in it."""
    return things if isinstance(things, dict) else {str(place): thing for place, thing in enumerate(things, 1)}


def _print_things(things: Mapping[str, Any]) -> None:
    """Prints things by their names: one line each, or a table where each has several figures."""
    parts = {name: thing if isinstance(thing, dict) else {"": thing} for name, thing in things.items()}
    columns = list(dict.fromkeys(column for thing in parts.values() for column in thing))
    headings = ["", *(_title(column).upper() for column in columns)]
    print_table(headings, [[name, *(_said(thing.get(column)) for column in columns)] for name, thing in parts.items()])


def _said(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list | tuple):
        return ", ".join(_said(part) for part in value)
    return "" if value is None else str(value)


def _title(key: str) -> str:
    return key.replace("_", " ").capitalize()


@command.command()
@click.argument("deck")
@archive_option
@json_option
def history(deck: str, archive: str | None, as_json: bool) -> None:
    """Tell what happened to a deck, newest first, each with its number, its date, the session, and who wrote it down.

    \b
    Example: companion deck history "Grave Choir"
    """
    with open_archive(archive) as opened:
        row = find_deck(opened, deck)
        story = opened.story(row.deck)[::-1]
        titles = opened.titles(line.session for line in story)
    if as_json:
        print_json({"deck": row.deck, "name": row.name, "story": [told._asdict() for told in story]})
        return
    click.echo(_heading(row))
    rows = [
        (str(told.number), when(told.at), titles.get(told.session) or told.session, told.by, told.text)
        for told in story
    ]
    print_table(("", "WHEN", "SESSION", "BY", "WHAT"), rows)
