"""`companion session import`."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from companion.cli.common import (
    Misused,
    Refused,
    archive_option,
    json_option,
    open_archive,
    print_json,
    sanitize,
)
from companion.cli.confirmation import confirm
from companion.statistics import play_file, score_list
from templates.languages.messages import phrase, phrases

if TYPE_CHECKING:
    from companion.archive import Archive
    from companion.statistics.play_file import ImportFile


@click.command("import")
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--game", default="", metavar="GAME", help="The game of a list of scores without a column for it.")
@click.option("--dates", type=click.Choice(["dmy", "mdy"]), help="The order of dates such as 3/4/2024 in a list.")
@click.option("--highest-wins/--lowest-wins", default=None, help="Which score wins, if the game is unknown here.")
@click.option(
    "--person",
    "persons",
    multiple=True,
    metavar="NAME=PERSON",
    help="A name in the file, and whose it is here; again for each name.",
)
@click.option("--dry-run", is_flag=True, help="Only show what would be imported.")
@click.option("--yes", is_flag=True, help="Import without asking.")
@archive_option
@json_option
def command(
    file: Path,
    game: str,
    dates: score_list.DateOrder | None,
    highest_wins: bool | None,
    persons: tuple[str, ...],
    dry_run: bool,
    yes: bool,
    archive: str | None,
    as_json: bool,
) -> None:
    """Import finished games from FILE into the statistics: an export of the app BG Stats, or a list of scores as CSV.

    A list of scores has columns date, players and scores, or date and a column for each player, or date, player and
    score with a row for each player; game, winner and minutes are understood as well.

    What the file holds is shown first, and nothing is stored until you agree. A game that is here already is not
    imported again, and one that was changed in the app replaces the earlier one. Games that were played with the
    companion are recognized. companion session remove removes a single game, and companion archive undo-import undoes
    the import.

    \b
    Examples: companion session import BGStatsExport.json --person "Anna K."=Ana
              companion session import scores.csv --game rummy
    """
    content = play_file.read_content(file)
    choices = score_list.Choices(game, dates, None if highest_wins is None else not highest_wins)
    people = _read_persons(persons)
    with open_archive(archive, create=not dry_run, scratch=dry_run) as opened:
        read = _read_file(opened, content, file, choices)
        preview = play_file.preview_import(opened, read)
        _check_persons(read, people)
        if not as_json:
            for sentence in play_file.describe_preview(preview, people):
                click.echo(sanitize(sentence))
        games = preview.games
        if preview.to_store and not dry_run:
            _confirm(yes=yes)
            games = play_file.store_plays(opened, read, people)
    if as_json:
        counts = {"new": len(games.new), "changed": len(games.changed), "known": games.stored, "removed": games.removed}
        print_json(counts | {"left_out": read.left_out, "remarks": [str(remark) for remark in read.remarks]})
    elif preview.to_store and not dry_run:
        click.echo(
            phrases(
                "{n} game taken in; companion archive undo-import undoes it.",
                "{n} games taken in; companion archive undo-import undoes it.",
                n=len(games.new) + len(games.changed),
            )
        )


def _read_persons(persons: Sequence[str]) -> Mapping[str, str]:
    """Return people here by their names in the file."""
    by_name: dict[str, str] = {}
    for text in persons:
        name, equals, person = text.rpartition("=")
        if not equals or not name.strip() or not person.strip():
            raise Misused(phrase("“{text}” is not NAME=PERSON, such as “Anna K.=Ana”.", text=text))
        by_name[name.strip()] = person.strip()
    return by_name


def _check_persons(read: ImportFile, people: Mapping[str, str]) -> None:
    """Raise Misused for a name that nobody has in the file."""
    names = {player.name for play in read.plays for player in play.result.players}
    for name in people:
        if name not in names:
            raise Misused(phrase("Nobody is called “{name}” in “{file}”.", name=name, file=read.name))


def _read_file(archive: Archive, content: bytes, file: Path, choices: score_list.Choices) -> ImportFile:
    if play_file.is_of_bgstats(content, file.name) and choices != score_list.Choices():
        raise Misused(phrase("--game, --dates, --highest-wins and --lowest-wins are for lists of scores."))
    return play_file.read_file(archive, content, file.name, choices)


def _confirm(*, yes: bool) -> None:
    """Return if the import is confirmed by `--yes` or on a terminal. Raises Refused."""
    if yes:
        return
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        raise Refused(phrase("Nothing is taken in; where that is as it should be, --yes takes it in."))
    if not confirm(phrase("Take it in?"), err=True):
        raise Refused(phrase("Nothing is taken in."))
