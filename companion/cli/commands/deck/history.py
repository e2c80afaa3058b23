"""`companion deck history`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import click
import msgspec

from companion.archive.chapters import Chapter
from companion.cli.common import (
    archive_option,
    find_deck,
    format_local_time,
    json_option,
    open_archive,
    print_json,
    print_table,
    sanitize,
)
from companion.cli.decks import deck_heading
from companion.games import registry
from companion.tabletop.action import DeckId
from companion.tabletop.game import Game
from companion.tabletop.records import Mark
from templates.languages.dates import numeric_date
from templates.languages.messages import phrase


@click.command("history")
@click.argument("deck")
@click.option(
    "--marks", "as_marks", is_flag=True, help="Show one entry per line, with its session and who recorded it."
)
@archive_option
@json_option
def command(deck: str, as_marks: bool, archive: str | None, as_json: bool) -> None:
    """Show the history of a deck, newest first, with a chapter for each evening and work by hand listed separately.

    Entries that can be corrected have a number in front.

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
    click.echo(deck_heading(row))
    if not as_marks and any(chapter.kind == "evening" for chapter in chapters):
        for chapter in chapters:
            click.echo("")
            for text in _chapter_rows(chapter, titles.get(chapter.session) or chapter.session):
                click.echo(sanitize(text))
        return
    rows = [
        (
            str(line.number),
            format_local_time(line.at),
            titles.get(line.session) or line.session,
            line.by,
            str(line.text),
        )
        for line in story
    ]
    print_table(("", phrase("When"), phrase("Session"), phrase("By"), phrase("What")), rows)


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
    result = game.evenings.played_result(mark, deck)
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
    mark = str(phrase("entry {mark}", mark=str(chapter.mark))) if chapter.mark else ""
    heading = (str(numeric_date(chapter.at)), str(chapter.title), chapter.venue, session, mark)
    yield " · ".join(filter(None, heading))
    yield from (f"       {text}" for text in chapter.facts)
    yield from (f"{line.number:>5}  {line.text}" for line in chapter.own_lines)
    if chapter.chores:
        by_hand = phrase("By hand:")
        yield f"       {by_hand}"
        yield from (f"{line.number:>5}    {line.text}" for line in chapter.chores)
