"""Files of games that were played without the companion: what one holds, and what it would store.

The command and the form both read files here, so that they show and store the same.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path, PurePath
from typing import Final, NamedTuple

from companion.archive.archive import Archive
from companion.archive.exchange.play_import import SortedPlays, import_plays, sort_plays
from companion.archive.people import people
from companion.archive.storage import files
from companion.archive.storage.entries import PlayKept
from companion.archive.storage.lists import fold
from companion.archive.storage.results import read_directory
from companion.statistics import bgstats_file, score_list
from companion.tabletop.action import NotationError
from templates.languages.dates import short_date
from templates.languages.messages import Finished, Message, listed, phrase, phrases

_MAX_FILE: Final = 200_000_000
_MAX_NAMED: Final = 8
_MAX_REMARKS: Final = 10
_OF_BGSTATS: Final = (".json", ".bgsplay")
ENDINGS: Final = (*_OF_BGSTATS, ".csv", ".tsv", ".txt")
"""The ends of the names of such files."""


class ImportFile(NamedTuple):
    """The games of a file, the program that recorded them, and the games or rows left out: number and sentences."""

    name: str
    plays: tuple[PlayKept, ...]
    program: str
    left_out: int
    remarks: tuple[Message, ...]


def read_content(file: Path) -> bytes:
    """Return the content of a file. Raises NotationError if it is too large, Unreadable for an archive, and OSError."""
    with files.open_input(file) as opened:
        content = opened.read(_MAX_FILE + 1)
    if len(content) > _MAX_FILE:
        raise NotationError(
            phrase(
                "“{file}” has more than {size} MB, which no export has.", file=file.name, size=_MAX_FILE // 1_000_000
            )
        )
    return content


def is_of_bgstats(content: bytes, name: str) -> bool:
    """Return True if a file is an export of BG Stats, or claims to be one; else it is a list of scores."""
    is_object = content.removeprefix(b"\xef\xbb\xbf").lstrip()[:1] in (b"{", b"[")
    return is_object or PurePath(name).suffix.lower() in _OF_BGSTATS


def read_file(archive: Archive, content: bytes, name: str, choices: score_list.Choices) -> ImportFile:
    """Read an export of BG Stats, or a list of scores with the user's answers about it.

    Raises Unreadable, naming the file, and score_list.OpenQuestion.
    """
    if is_of_bgstats(content, name):
        export = bgstats_file.read_bgstats(archive, content, name)
        left_out = export.ours + export.ignored + export.undecided + export.broken
        return ImportFile(name, export.plays, bgstats_file.BGSTATS_AUTHOR, left_out, tuple(_describe_omissions(export)))
    scores = score_list.read_scores(content, name, choices)
    return ImportFile(name, scores.plays, score_list.SCORES_AUTHOR, len(scores.problems), scores.problems)


class ImportPreview(NamedTuple):
    """A preview of an import: the games of a file, sorted, and the people who are named in those to be stored."""

    file: ImportFile
    games: SortedPlays
    people_here: tuple[str, ...]
    others: tuple[str, ...]

    @property
    def to_store(self) -> tuple[PlayKept, ...]:
        """The games that would be stored."""
        return (*self.games.new, *self.games.changed)


def preview_import(archive: Archive, file: ImportFile) -> ImportPreview:
    """Return what an import would do; nothing is stored."""
    games = sort_plays(archive, file.plays)
    with archive.store.reading() as transaction:
        directory = read_directory(transaction)
    counts: dict[str, int] = {}
    for play in (*games.new, *games.changed):
        for player in play.result.players:
            if player.name:
                counts[player.name] = counts.get(player.name, 0) + 1
    names = sorted(counts, key=lambda name: -counts[name])
    here = tuple(name for name in names if fold(name) in directory.by_name)
    others = tuple(name for name in names if fold(name) not in directory.by_name)
    return ImportPreview(file, games, here, others)


def store_plays(archive: Archive, file: ImportFile, persons: Mapping[str, str] | None = None) -> SortedPlays:
    """Store the games of a file that are new or were changed, and return what was stored.

    `persons` are people here by their names in the file: these names are theirs from now on, also in later files.
    Raises Unknown and Ambiguous for people, before anything is stored.
    """
    for name, person in (persons or {}).items():
        people.add_name(archive, person, name)
    return import_plays(archive, file.plays, file.program, file.name)


def describe_preview(preview: ImportPreview, persons: Collection[str] = ()) -> Iterator[Message]:
    """Yield what an import would do, one sentence each. `persons` are names in the file that belong to people here."""
    file, games = preview.file, preview.games
    if file.plays:
        first, last = (short_date(pick(play.at for play in file.plays)) for pick in (min, max))
        yield phrases(
            "{n} game ({when}): {new} new, {changed} changed, {known} here already.",
            "{n} games ({when}): {new} new, {changed} changed, {known} here already.",
            n=len(file.plays),
            when=first if first == last else phrase("{first} to {last}", first=first, last=last),
            new=str(len(games.new)),
            changed=str(len(games.changed)),
            known=str(games.stored),
        )
    else:
        yield phrase("There is no game in it that could be imported.")
    if games.removed:
        yield phrases(
            "{n} game was removed here, and stays removed; companion session restore brings it back.",
            "{n} games were removed here, and stay removed; companion session restore brings one back.",
            n=games.removed,
        )
    yield from file.remarks[:_MAX_REMARKS]
    if (rest := len(file.remarks) - _MAX_REMARKS) > 0:
        yield phrases("And {n} row more is left out.", "And {n} rows more are left out.", n=rest)
    if preview.to_store:
        yield from _describe_games(preview.to_store)
        yield from _describe_people(preview, {fold(name) for name in persons})


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
    yield Finished(phrase("Games: {games}", games=_list_some(titles)))
    here = tuple(dict.fromkeys(play.title for play in plays if play.game))
    if here:
        yield Finished(phrase("Counted as games that the companion knows: {games}", games=_list_some(here)))


def _describe_people(preview: ImportPreview, given: Collection[str]) -> Iterator[Message]:
    here = [*preview.people_here, *(name for name in preview.others if fold(name) in given)]
    if here:
        yield Finished(phrase("Counted for people who are here: {people}", people=_list_some(here)))
    others = [name for name in preview.others if fold(name) not in given]
    if others:
        yield Finished(phrase("Counted under their names in the file: {people}", people=_list_some(others)))


def _list_some(names: Sequence[str]) -> Message:
    """List the first few names and the number of the others."""
    if len(names) <= _MAX_NAMED:
        return listed(names)
    rest = len(names) - _MAX_NAMED
    return listed([*names[:_MAX_NAMED], phrases("{n} more", "{n} more", n=rest)])
