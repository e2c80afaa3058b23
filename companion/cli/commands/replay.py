"""`companion replay`: plays a `.table` file line by line with its checks, and shows the resulting table."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import click

from companion.archive import Archive
from companion.cli.common import (
    PIPE,
    REFUSED,
    Misused,
    Refused,
    archive_option,
    json_option,
    open_archive,
    pages_at_hand,
    print_json,
    sanitize,
)
from companion.session.core import archive_journal
from companion.session.core.replay import (
    IllegalLine,
    Replay,
    UnreadableLine,
    as_json,
    decode_table_text,
    read_table_file,
)
from companion.session.core.shelf import Belongings
from companion.session.reports import report
from companion.tabletop.action import DeckId
from companion.tabletop.game import Game
from companion.tabletop.records import Record
from templates.languages.messages import phrase


class LazyShelf:
    """The decks and purses of an archive, which is opened only when a line of the file needs one.

    With `create` a missing archive is begun, to store the session in.
    """

    def __init__(self, url: str | None, closing: ExitStack, *, create: bool) -> None:
        self._url = url
        self._create = create
        self._closing = closing
        self._archive: Archive | None = None

    def deck(self, text: str) -> tuple[DeckId, Record]:
        """Return a stored deck by its id or its name. Raises RuleError."""
        return archive_journal.ArchiveShelf(self.archive).deck(text)

    def decks(self, text: str, game: Game, seat: str = "") -> tuple[tuple[str, str], ...]:  # noqa: ARG002 – nobody is asked
        """Return nothing: a replay offers no choices."""
        return ()

    def purse(self, name: str, person: str = "") -> Belongings:
        """Return a person's belongings."""
        return archive_journal.ArchiveShelf(self.archive).purse(name, person)

    @property
    def archive(self) -> Archive:
        """The archive, opened on first use. Raises Unreadable."""
        if self._archive is None:
            scratch = not (self._url or self._create)
            self._archive = self._closing.enter_context(open_archive(self._url, create=self._create, scratch=scratch))
        return self._archive


@click.command("replay")
@click.argument("file", metavar="FILE.table", type=click.Path(path_type=Path))
@json_option
@click.option("--into-archive", is_flag=True, help="Store the session in the archive if every line holds.")
@archive_option
def command(file: Path, as_json: bool, into_archive: bool, archive: str | None) -> int:
    """Replay a recorded session and check its expectations.

    Prints the events, then the table. FILE - reads standard input. Exits with status 0 if every line was legal and
    every check held, with 1 if not, and with 2 if the file cannot be read. The page of a game of your own is found
    beside FILE, as crown.toml, or among those that you added.

    \b
    Example: companion replay friday.table --into-archive
    """
    with ExitStack() as closing, _locate_errors(file):
        closing.enter_context(pages_at_hand(archive))
        shelf = LazyShelf(archive, closing, create=into_archive)
        replay = Replay(
            decode_table_text(sys.stdin.buffer, str(phrase("What comes in")))
            if file == PIPE
            else read_table_file(file),
            shelf=shelf,
            folder=None if file == PIPE else file.parent,
        )
        failed = sum(_play_lines(replay, file, quiet=as_json))
        _print_outcome(replay, as_json, _keep_game(replay, file, shelf.archive) if into_archive and not failed else "")
    if failed and into_archive:
        click.echo(phrase("Nothing was kept, because a check failed."), err=True)
    return REFUSED if failed else 0


@contextmanager
def _locate_errors(file: Path) -> Iterator[None]:
    """Add the file and line to errors about lines that are unreadable or against the rules."""
    try:
        yield
    except UnreadableLine as error:
        raise Misused(sanitize(f"{file}:{error.number}: {error.reason}")) from None
    except IllegalLine as error:
        raise Refused(sanitize(f"{file}:{error.number}: {error.reason}")) from None


def _play_lines(replay: Replay, file: Path, *, quiet: bool) -> Iterator[bool]:
    """Play each line, print its sentences, and yield True if a check on it failed."""
    for result in replay:
        for tell in () if quiet else result.tells:
            click.echo(sanitize(str(tell.text)))
        if result.failure:
            click.echo(sanitize(f"{file}:{result.number}: {result.failure}"), err=True)
        yield bool(result.failure)


def _keep_game(replay: Replay, file: Path, archive: Archive) -> str:
    if existing := archive_journal.kept_as(archive, replay.session):
        raise Refused(
            phrase(
                "This game is in the archive already, as session {existing}, and its decks hold it once. If it was "
                "really played again, a `note` among its lines tells the two apart.",
                existing=existing,
            )
        )
    session = archive_journal.keep(archive, replay.session, title="" if file == PIPE else file.stem)
    for remark in replay.session.remarks:
        click.echo(sanitize(str(remark)), err=True)
    return session


def _print_outcome(replay: Replay, json: bool, session: str) -> None:
    for_everybody = replay.session.seen_by("")
    if json:
        print_json(as_json(for_everybody) | ({"session": session} if session else {}))
        return
    for row in report.draw(for_everybody.view()).splitlines():
        click.echo(sanitize(row))
    if session:
        click.echo(phrase("Kept as session {session}.", session=session))
