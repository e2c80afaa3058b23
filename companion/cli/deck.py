"""`companion deck`: building decks, finding them, and showing their records and stories.

The commands that change a deck are in modules of their own, which are loaded when they are called or help lists them.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from importlib import import_module
from typing import Any, Final

import click
import msgspec

from companion.archive import DeckRow, deck_id, deck_records
from companion.archive.chapters import Chapter
from companion.archive.storage.lists import tags_of
from companion.cli import common
from companion.cli.common import (
    archive_option,
    find_deck,
    format_local_time,
    json_option,
    open_archive,
    plain_chores,
    print_json,
    print_table,
    sanitize,
)
from companion.games import registry
from companion.tabletop.action import DeckId
from companion.tabletop.game import Game
from companion.tabletop.records import Mark

_LAZY_COMMANDS: Final = {
    "new": "decks.founding:new",
    "tag": "decks.changes:tag",
    "picking": "decks.lists:picking",
    "chores": "decks.changes:chores",
    **{name: f"decks.changes:{name}" for name in ("correct", "rename", "audit", "retire", "edition")},
    **{name: f"decks.lists:{name}" for name in ("rebuild", "versions")},
    **{name: f"decks.travel:{name}" for name in ("export", "adopt", "check", "passport")},
    "import": "decks.travel:import_",
}
"""Commands in other modules, by their names."""


class DeckCommands(click.Group):
    """The commands of this module, and those in others."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted((*super().list_commands(ctx), *_LAZY_COMMANDS))

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in _LAZY_COMMANDS:
            return super().get_command(ctx, cmd_name)
        module, _, name = _LAZY_COMMANDS[cmd_name].partition(":")
        command: click.Command = getattr(import_module(f"companion.cli.{module}"), name)
        return command


@click.group("deck", cls=DeckCommands)
def command() -> None:
    """Build decks, find them again, and read their stories.

    DECK is an id in any spelling, the beginning of no other deck's name, or a picture of the QR code on its box.

    \b
    Example: companion deck show "Grave Choir"
    """


@command.command("list")
@click.option(
    "--tag", "tags", metavar="TAG", multiple=True, help="Only decks with this tag; several: with all of them."
)
@common.page_options
@archive_option
@json_option
def list_(tags: Sequence[str], page: common.PageOptions, archive: str | None, as_json: bool) -> None:
    """List all decks by name: on a terminal a page at a time, elsewhere whole.

    \b
    Examples: companion deck list
              companion deck list --tag league --all
    """
    tags = [deck_records.parse_tag(tag) for tag in tags]
    with open_archive(archive) as opened:
        decks = opened.page_of_decks("", page.at, page.limit, tags=tags)
    if as_json:
        print_json([_row_fields(row) for row in decks.rows])
    elif decks.total:
        _print_list(decks.rows)
        common.print_page_position(page, decks.rows, decks.total, "decks")
    elif tags:
        click.echo(sanitize(f"No deck is tagged {' and '.join(tags)}. companion deck tag gives tags."))
    else:
        click.echo("No decks yet. companion deck new --help tells how to build one.")


def _print_list(rows: Sequence[DeckRow]) -> None:
    """Print decks in columns, with one for the tags if any deck has one."""
    figures = {figure.name: figure.title for row in rows for figure in row.figures}
    titles = [title.upper() for title in figures.values()]
    tag_heading = ("TAGS",) if any(row.tags for row in rows) else ()
    cells = [(*_row_cells(row, figures), *(", ".join(row.tags) for _ in tag_heading)) for row in rows]
    print_table(("NAME", "ID", "GAME", *titles, "HOLDER", "CHANGED", *tag_heading), cells)


def _row_fields(row: DeckRow) -> dict[str, object]:
    """Return a row for JSON: the figures of its game are keys like any other."""
    plain = msgspec.structs.asdict(row)
    del plain["figures"], plain["due"]
    return plain | {figure.name: figure.value for figure in row.figures}


def _row_cells(row: DeckRow, figures: Iterable[str]) -> tuple[str, ...]:
    """Return the cells of a row; a figure that its game does not have is empty."""
    name = f"{row.name} (retired)" if row.retired else row.name
    values = {figure.name: str(figure.value) for figure in row.figures}
    return (
        name,
        deck_id.show(row.deck),
        row.game,
        *(values.get(figure, "") for figure in figures),
        row.holder,
        format_local_time(row.updated),
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

            click.echo(lists.deck_text(opened, row))
            return
        record = opened.record(row.deck)
        chores = deck_records.chores(opened, row.deck)
        tags = tags_of(opened.marks(row.deck))
    if as_json:
        plain = {"deck": row.deck, "updated": row.updated, **msgspec.to_builtins(record)}
        print_json(plain | {"tags": tags, "chores": plain_chores(chores)})
        return
    click.echo(_deck_heading(row))
    if tags:
        click.echo(sanitize(f"Tags: {', '.join(tags)}"))
    _print_facts({key: value for key, value in msgspec.to_builtins(record).items() if key not in _HEADING_FIELDS})
    if chores:
        click.echo(f"\nStill to be done by hand: {len(chores)} · companion deck chores {deck_id.show(row.deck)}")


_HEADING_FIELDS = ("game", "name", "person", "page")
"""The fields of a record that are not printed below the heading.

The heading has some of them. The others are for the program: the id of a holder, who is printed by name, and the digest
of a page (`companion deck edition` prints its edition).
"""


def _deck_heading(row: DeckRow) -> str:
    return sanitize(f"{row.name} · {deck_id.show(row.deck)} · {registry.title(row.game, row.page)}")


def _print_facts(facts: Mapping[str, Any]) -> None:
    """Print a record of any game: figures and words as lines, then its things as tables; empty fields are left out."""
    things = {key: _name_things(value) for key, value in facts.items() if _is_things(value)}
    for key, value in facts.items():
        if key not in things and _format_value(value):
            click.echo(sanitize(f"{_key_title(key)}: {_format_value(value)}"))
    for key, value in things.items():
        if value:
            click.echo(f"\n{_key_title(key)}")
            _print_things(value)


def _is_things(value: object) -> bool:
    return isinstance(value, dict) or (
        isinstance(value, list | tuple) and any(isinstance(part, dict) for part in value)
    )


def _name_things(things: Any) -> Mapping[str, Any]:
    """Return things by their names; those in a list by their place in it."""
    return things if isinstance(things, dict) else {str(place): thing for place, thing in enumerate(things, 1)}


def _print_things(things: Mapping[str, Any]) -> None:
    """Print things by their names: one line each, or a table if they have several figures."""
    parts = {name: thing if isinstance(thing, dict) else {"": thing} for name, thing in things.items()}
    columns = list(dict.fromkeys(column for thing in parts.values() for column in thing))
    headings = ["", *(_key_title(column).upper() for column in columns)]
    print_table(
        headings, [[name, *(_format_value(thing.get(column)) for column in columns)] for name, thing in parts.items()]
    )


def _format_value(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list | tuple):
        return ", ".join(_format_value(part) for part in value)
    return "" if value is None else str(value)


def _key_title(key: str) -> str:
    return key.replace("_", " ").capitalize()


@command.command()
@click.argument("deck")
@click.option("--marks", "as_marks", is_flag=True, help="A mark a line, with its session and who wrote it down.")
@archive_option
@json_option
def history(deck: str, as_marks: bool, archive: str | None, as_json: bool) -> None:
    """Tell what happened to a deck, newest first: its evenings as chapters, with work by hand apart.

    A mark that can be corrected has its number before it.

    \b
    Example: companion deck history "Grave Choir"
    """
    with open_archive(archive) as opened:
        row = find_deck(opened, deck)
        story = opened.story(row.deck)[::-1]
        chapters = opened.chapters(row.deck)[::-1]
        titles = opened.titles(line.session for line in story)
        marks = opened.marks(row.deck)
        game = registry.game(row.game, row.page)
    if as_json:
        plain = [
            {
                **chapter._asdict(),
                "lines": [line.number for line in chapter.lines],
                "chores": [line.number for line in chapter.chores],
            }
            for chapter in chapters
        ]
        story_lines = [
            line._asdict() | {"facts": _played_facts(game, row.deck, marks[line.number - 1])} for line in story
        ]
        print_json({"deck": row.deck, "name": row.name, "story": story_lines, "chapters": plain})
        return
    click.echo(_deck_heading(row))
    if not as_marks and any(chapter.kind == "evening" for chapter in chapters):
        for chapter in chapters:
            click.echo("")
            for text in _chapter_rows(chapter, titles.get(chapter.session) or chapter.session):
                click.echo(sanitize(text))
        return
    rows = [
        (str(line.number), format_local_time(line.at), titles.get(line.session) or line.session, line.by, line.text)
        for line in story
    ]
    print_table(("", "WHEN", "SESSION", "BY", "WHAT"), rows)


_PLAYED: Final = "played"
"""The tag of the mark for a played game, in every game."""


def _played_facts(game: Game, deck: DeckId, mark: Mark) -> dict[str, object]:
    """Return the fields of a mark for a played game, and in a form common to all games its result for the deck; empty
    for other marks.
    """
    if mark.__struct_config__.tag != _PLAYED:
        return {}
    kept: dict[str, object] = msgspec.to_builtins(mark)
    facts = {name: value for name, value in kept.items() if name not in ("mark", "evening")}
    result = game.played_result(mark, deck)
    own = next((player for player in result.players if player.deck == deck), None) if result else None
    if result is None or own is None:
        return facts
    others = [] if result.is_shared else [player for player in result.players if player is not own]
    opponents = [
        {"name": each.name, "deck": each.deck, "called": each.called, "version": each.version, "final": each.final}
        for each in others
    ]
    alike = {"result": own.result, "opponents": opponents, "version": own.version, "turns": result.turns}
    figures = {**result.figures, **own.final}
    return alike | {"minutes": result.minutes, "venue": result.venue, "figures": figures} | facts


def _chapter_rows(chapter: Chapter, session: str) -> Iterator[str]:
    """Yield a chapter: its day and title, the facts of the evening, the deck's marks, and the chores."""
    mark = f"mark {chapter.mark}" if chapter.mark else ""
    heading = (f"{chapter.at.astimezone():%Y-%m-%d}", chapter.title, chapter.venue, session, mark)
    yield " · ".join(filter(None, heading))
    yield from (f"       {text}" for text in chapter.facts)
    yield from (f"{line.number:>5}  {line.text}" for line in chapter.own_lines)
    if chapter.chores:
        yield "       By hand:"
        yield from (f"{line.number:>5}    {line.text}" for line in chapter.chores)
