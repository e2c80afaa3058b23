"""`companion session import`."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

import click

from companion.archive.exchange.play_import import import_plays, sort_plays
from companion.archive.storage.lists import fold
from companion.archive.storage.results import read_directory
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
from companion.statistics import bgstats_file, score_list
from templates.languages.dates import short_date
from templates.languages.messages import Message, listed, phrase, phrases

if TYPE_CHECKING:
    from companion.archive import Archive
    from companion.archive.exchange.play_import import SortedPlays
    from companion.archive.storage.entries import PlayKept

_MAX_FILE: Final = 200_000_000
_MAX_NAMED: Final = 8
_MAX_REMARKS: Final = 10
_OF_BGSTATS: Final = (".json", ".bgsplay")


@click.command("import")
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--game", default="", metavar="GAME", help="The game of a list of scores without a column for it.")
@click.option("--dates", type=click.Choice(["dmy", "mdy"]), help="The order of dates such as 3/4/2024 in a list.")
@click.option("--highest-wins/--lowest-wins", default=None, help="Which score wins, if the game is unknown here.")
@click.option("--dry-run", is_flag=True, help="Only show what would be imported.")
@click.option("--yes", is_flag=True, help="Import without asking.")
@archive_option
@json_option
def command(
    file: Path,
    game: str,
    dates: score_list.DateOrder | None,
    highest_wins: bool | None,
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
    companion are recognized. companion archive undo-import undoes the import.

    \b
    Examples: companion session import BGStatsExport.json
              companion session import scores.csv --game rummy
    """
    content = _read_content(file)
    choices = score_list.Choices(game, dates, None if highest_wins is None else not highest_wins)
    with open_archive(archive, create=not dry_run, scratch=dry_run) as opened:
        read = _read_file(opened, content, file, choices)
        sorted_plays = sort_plays(opened, read.plays)
        if not as_json:
            for sentence in _describe(opened, read, sorted_plays):
                click.echo(sanitize(sentence))
        stored = (*sorted_plays.new, *sorted_plays.changed)
        if stored and not dry_run:
            _confirm(yes=yes)
            sorted_plays = import_plays(opened, read.plays, read.program, file.name)
    if as_json:
        counts = {"new": len(sorted_plays.new), "changed": len(sorted_plays.changed), "known": sorted_plays.stored}
        print_json(counts | {"left_out": read.left_out, "remarks": [str(remark) for remark in read.remarks]})
    elif stored and not dry_run:
        click.echo(
            phrases(
                "{n} game taken in; companion archive undo-import undoes it.",
                "{n} games taken in; companion archive undo-import undoes it.",
                n=len(stored),
            )
        )


class _Read(NamedTuple):
    """The games of a file, the number of those that are left out, and sentences on these."""

    plays: tuple[PlayKept, ...]
    program: str
    left_out: int
    remarks: tuple[Message, ...]


def _read_file(archive: Archive, content: bytes, file: Path, choices: score_list.Choices) -> _Read:
    """Read an export of BG Stats, or a list of scores."""
    is_object = content.removeprefix(b"\xef\xbb\xbf").lstrip()[:1] in (b"{", b"[")
    if is_object or file.suffix.lower() in _OF_BGSTATS:
        if choices != score_list.Choices():
            raise Misused(phrase("--game, --dates, --highest-wins and --lowest-wins are for lists of scores."))
        plays = bgstats_file.read_bgstats(archive, content, file.name)
        left_out = plays.ours + plays.ignored + plays.undecided + plays.broken
        return _Read(plays.plays, bgstats_file.BGSTATS_AUTHOR, left_out, tuple(_describe_omissions(plays)))
    scores = score_list.read_scores(content, file.name, choices)
    return _Read(scores.plays, score_list.SCORES_AUTHOR, len(scores.problems), scores.problems)


def _read_content(file: Path) -> bytes:
    """Return the content of a file. Raises Misused if it is too large, and OSError."""
    with file.open("rb") as opened:
        content = opened.read(_MAX_FILE + 1)
    if len(content) > _MAX_FILE:
        raise Misused(
            phrase(
                "“{file}” has more than {size} MB, which no export has.", file=file.name, size=_MAX_FILE // 1_000_000
            )
        )
    return content


def _confirm(*, yes: bool) -> None:
    """Return if the import is confirmed by `--yes` or on a terminal. Raises Refused."""
    if yes:
        return
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        raise Refused(phrase("Nothing is taken in; where that is as it should be, --yes takes it in."))
    if not confirm(phrase("Take it in?"), err=True):
        raise Refused(phrase("Nothing is taken in."))


def _describe(archive: Archive, read: _Read, sorted_plays: SortedPlays) -> Iterator[Message]:
    """Yield what an import would do, one sentence each."""
    if read.plays:
        first, last = (short_date(pick(play.at for play in read.plays)) for pick in (min, max))
        yield phrases(
            "{n} game ({when}): {new} new, {changed} changed, {known} here already.",
            "{n} games ({when}): {new} new, {changed} changed, {known} here already.",
            n=len(read.plays),
            when=first if first == last else phrase("{first} to {last}", first=first, last=last),
            new=str(len(sorted_plays.new)),
            changed=str(len(sorted_plays.changed)),
            known=str(sorted_plays.stored),
        )
    else:
        yield phrase("There is no game in it that could be imported.")
    yield from read.remarks[:_MAX_REMARKS]
    if (rest := len(read.remarks) - _MAX_REMARKS) > 0:
        yield phrases("And {n} row more is left out.", "And {n} rows more are left out.", n=rest)
    stored = (*sorted_plays.new, *sorted_plays.changed)
    if stored:
        yield from _describe_games(stored)
        yield from _describe_people(archive, stored)


def _describe_omissions(read: bgstats_file.PlayFile) -> Iterator[Message]:
    if read.ours:
        yield phrases(
            "Left out: {n} game that was played with the companion.",
            "Left out: {n} games that were played with the companion.",
            n=read.ours,
        )
    if read.ignored:
        yield phrases(
            "Left out: {n} game that does not count in the app, either.",
            "Left out: {n} games that do not count in the app, either.",
            n=read.ignored,
        )
    if read.undecided:
        yield phrases(
            "Left out: {n} game of which nobody knows who won.",
            "Left out: {n} games of which nobody knows who won.",
            n=read.undecided,
        )
    if read.broken:
        yield phrases(
            "Left out: {n} game without a date or the name of its game.",
            "Left out: {n} games without a date or the name of their game.",
            n=read.broken,
        )


def _describe_games(plays: Sequence[PlayKept]) -> Iterator[Message]:
    counts: dict[str, int] = {}
    for play in plays:
        counts[play.title] = counts.get(play.title, 0) + 1
    titles = sorted(counts, key=lambda title: (-counts[title], title))
    yield phrase("Games: {games}.", games=_list_some(titles))
    here = dict.fromkeys(play.title for play in plays if play.game)
    if here:
        yield phrase("Counted as games that the companion knows: {games}.", games=_list_some(here))


def _describe_people(archive: Archive, plays: Sequence[PlayKept]) -> Iterator[Message]:
    with archive.store.reading() as transaction:
        directory = read_directory(transaction)
    names = dict.fromkeys(player.name for play in plays for player in play.result.players if player.name)
    here = [name for name in names if fold(name) in directory.by_name]
    if here:
        yield phrase("Counted for people who are here: {people}.", people=_list_some(here))
    others = [name for name in names if fold(name) not in directory.by_name]
    if others:
        yield phrase("Counted under their names in the file: {people}.", people=_list_some(others))


def _list_some(names: Sequence[str] | dict[str, None]) -> Message:
    """List the first few names and the number of the others."""
    some = list(names)
    if len(some) <= _MAX_NAMED:
        return listed(some)
    rest = len(some) - _MAX_NAMED
    return listed([*some[:_MAX_NAMED], phrases("{n} more", "{n} more", n=rest)])
