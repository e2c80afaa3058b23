"""`companion session export`."""

from __future__ import annotations

from pathlib import Path

import click
import msgspec

from companion.archive import page_texts
from companion.archive.exchange import pages
from companion.archive.storage.results import key_of_play
from companion.cli.commands.session._shared import find_session
from companion.cli.common import (
    PIPE,
    Misused,
    Refused,
    archive_option,
    force_option,
    open_archive,
    output_option,
    print_or_write,
    sanitize,
)
from companion.games.described import load
from companion.session.core import archive_journal
from companion.session.core.replay import page_name
from companion.statistics import plays
from companion.statistics.bgstats_file import BGSTATS
from companion.tabletop.action import NotationError
from templates.languages.messages import phrase, phrases

_TABLE = "table"


_KINDS = (_TABLE, "bgstats", "csv", "json")
"""The formats in which sessions leave the archive."""


_ENDS = {".bgsplay": "bgstats", ".csv": "csv", ".json": "json"}


@click.command("export")
@click.argument("session", required=False)
@click.option("--as", "kind", type=click.Choice(_KINDS), help="Format; default: by the ending of the file, or table.")
@click.option("--all", "everything", is_flag=True, help="Export all games that are over; not as table.")
@output_option("File to write; else, or as -, it is printed.")
@archive_option
@force_option
def command(
    session: str | None, kind: str | None, everything: bool, out: Path | None, archive: str | None, force: bool
) -> None:
    """Export a session as a .table file, line by line as it was entered; default: the session changed last.

    Face-down cards are not named before the seal. The page of a game of your own is written beside the file.

    For games that are over, --as bgstats writes a play for BG Stats (.bgsplay), csv a row for each person, and json all
    data about the result; --all exports all of these games. People appear under their public names.

    \b
    Examples: companion session export K3QX -o friday.table
              companion session export --all --as csv -o plays.csv
    """
    if everything and session is not None:
        raise Misused(phrase("Name a session or take --all of them, not both."))
    kind = kind or (_ENDS.get(out.suffix.lower(), _TABLE) if out is not None else _TABLE)
    if kind != _TABLE:
        _export_plays(session, kind, out, archive, everything=everything, force=force)
        return
    if everything:
        raise Misused(phrase("A .table file holds one session; --all goes with --as bgstats, csv or json."))
    with open_archive(archive) as opened:
        row = find_session(opened, session)
        lines = archive_journal.lines_for_everybody(opened, row)
        page = pages.text_of(opened, row.page) if row.page else ""
    own = page_name(load.headline(page).name if load.base_of(page) else row.game)
    beside = None if out in (None, PIPE) or not page else out.with_name(own)
    if beside is not None:
        _check_beside(beside, page, force=force)
    print_or_write(
        "".join(f"{sanitize(line.line)}\n" for line in lines),
        out,
        phrase("{lines} lines.", lines=str(len(lines))),
        force=force,
    )
    if beside is not None:
        print_or_write(page, beside, phrase("the page of its game, to be taken along."), force=True)
    elif page:
        click.echo(phrase("Its game is a page, which replaying needs: -o FILE writes {own} too.", own=own), err=True)


def _export_plays(
    session: str | None, kind: str, out: Path | None, archive: str | None, *, everything: bool, force: bool
) -> None:
    """Write finished games for another program. Raises Refused if the session is not over."""
    with open_archive(archive) as opened:
        row = None if everything else find_session(opened, session)
        some = plays.read_plays(opened, row.session if row else "")
    if row is not None and not some:
        raise Refused(
            phrase(
                "The game of session {session} is not over yet; only --as table writes it as it stands.",
                session=row.session,
            )
        )
    if kind == "bgstats":
        # BG Stats has its own plays already.
        some = tuple(play for play in some if not play.session.startswith(key_of_play(BGSTATS)))
    if kind == "csv":
        text = plays.as_csv(some)
    elif kind == "json":
        text = plays.as_json(some)
    else:
        text = msgspec.json.format(msgspec.json.encode(plays.as_bgstats(some)), indent=2).decode() + "\n"
    print_or_write(
        text, out, phrases("{n} game as {kind}.", "{n} games as {kind}.", n=len(some), kind=kind), force=force
    )


def _check_beside(path: Path, page: str, *, force: bool) -> None:
    """Raise Refused if the file for a session's page holds another page."""
    if not path.exists() or force:
        return

    try:
        same = page_texts.read_file(path) == page
    except NotationError:
        same = False
    if not same:
        raise Refused(
            phrase(
                "“{path}” is another page than the one this was played by; name a file in another folder.", path=path
            )
        )
