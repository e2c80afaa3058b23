"""`companion deck history`."""

from __future__ import annotations

from collections.abc import Iterator

import click

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
from companion.statistics import deck_history
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
        plain = deck_history.plain_history(opened, row) if as_json else None
    if plain is not None:
        print_json(plain)
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
