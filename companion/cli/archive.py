"""`companion archive`: what the archive holds, copies of it, and whether it is whole."""

import sys
from collections.abc import Iterator, Sequence
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

import click

from companion.archive import Archive
from companion.cli.common import (
    REFUSED,
    Misused,
    archive_option,
    force_option,
    fresh_file,
    harmless,
    json_option,
    print_json,
)

if TYPE_CHECKING:
    from companion.archive.maintenance import Fault


@click.group("archive")
def command() -> None:
    """Look after the archive, where sessions and decks are kept.

    \b
    Example: companion archive info
    """


@command.command()
@archive_option
@json_option
def info(archive: str | None, as_json: bool) -> None:
    """Say where the archive is and how much it holds.

    \b
    Example: companion archive info
    """
    from companion.archive import maintenance

    with Archive.open(archive) as opened:
        found = maintenance.info(opened)
    if as_json:
        print_json(found)
        return
    size = "" if found.bytes is None else f", {found.bytes:,} bytes"
    click.echo(harmless(f"{found.archive} (schema {found.schema}{size})"))
    click.echo(f"{found.sessions} sessions, {found.decks} decks, {found.people} people, {found.entries:,} entries")


@command.command()
@click.argument("file", type=click.Path(path_type=Path), required=False)
@archive_option
@force_option
def backup(file: Path | None, archive: str | None, force: bool) -> None:
    """Copy the archive to FILE and check the copy; a session may go on meanwhile.

    Without FILE the copy is named after this moment, in the directory you are in.

    \b
    Example: companion archive backup /media/stick/companion.sqlite
    """
    from companion.archive import maintenance

    target = file or Path(maintenance.dated(datetime.now()))
    with Archive.open(archive) as opened:
        if target.resolve() == Path(opened.name).resolve():
            raise Misused(f"“{target}” is the archive itself; name another file.")
        with fresh_file(target, force=force) as draft:
            maintenance.backup(opened, draft)
    click.echo(harmless(f"{target}: a whole copy."))


@command.command()
@click.argument("url")
@archive_option
def copy(url: str, archive: str | None) -> None:
    """Copy the whole archive into another one at URL, which must be new: a file, or a server for many tables.

    \b
    Example: companion archive copy postgresql://club/companion
    """
    from companion.archive import maintenance

    with Archive.open(archive) as opened, Archive.open(url) as other:
        if other.name == opened.name:
            raise Misused(f"{opened.name} is the archive itself; name another.")
        count = maintenance.copy(opened, other, _watched)
        click.echo(harmless(f"{other.name}: {count:,} entries copied."))


@command.command()
@click.option("--repair", is_flag=True, help="Make the lists again from the entries.")
@archive_option
@json_option
def check(repair: bool, archive: str | None, as_json: bool) -> int:
    """Check that the archive is whole and that its lists say what its entries add up to.

    Ends with 1 if something is wrong and stays wrong.

    \b
    Example: companion archive check --repair
    """
    from companion.archive import maintenance

    with Archive.open(archive) as opened:
        found = maintenance.check(opened, _watched)
        left = tuple(finding for finding in found if not (repair and finding.mendable))
        if len(left) < len(found):
            maintenance.repair(opened, _watched)
    if as_json:
        print_json({"found": [finding.text for finding in found], "left": [finding.text for finding in left]})
    else:
        _tell(found, left)
    return REFUSED if left else 0


def _watched(kind: str, streams: Sequence[str]) -> Iterator[str]:
    """A bar on a terminal that shows how many of the sessions, decks or people are done."""
    with click.progressbar(streams, label=f"{kind}s", file=sys.stderr, hidden=not sys.stderr.isatty()) as bar:
        yield from bar


def _tell(found: tuple["Fault", ...], left: tuple["Fault", ...]) -> None:
    for finding in found:
        click.echo(harmless(finding.text if finding in left else f"{finding.text} Mended."))
    if not found:
        click.echo("The archive is whole, and its lists say what its entries add up to.")
    elif any(finding.mendable for finding in left):
        click.echo("companion archive check --repair makes the lists again.")
