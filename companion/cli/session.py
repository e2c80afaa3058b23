"""`companion session`: what has been played, as lists, logs and `.table` files."""

from pathlib import Path

import click
import msgspec

from companion.archive import Archive, SessionRow, Unknown
from companion.cli.common import (
    archive_option,
    force_option,
    json_option,
    open_archive,
    output_option,
    print_json,
    print_list,
    print_or_write,
    print_table,
    sanitize,
    when,
)


@click.group("session")
def command() -> None:
    """Look at sessions and take them elsewhere.

    \b
    Example: companion session list
    """


@command.command("list")
@archive_option
@json_option
def list_(archive: str | None, as_json: bool) -> None:
    """List all sessions, the one changed last first.

    \b
    Example: companion session list
    """
    with open_archive(archive) as opened:
        rows = opened.sessions()
    headings = ("SESSION", "GAME", "TITLE", "CHANGED", "LINES", "STANDING")
    print_list(rows, headings, _cells, "No sessions yet. companion opens a table.", as_json=as_json, plain=_plain)


def _plain(row: SessionRow) -> dict[str, object]:
    """A row for programs; where it stands is told."""
    return msgspec.structs.asdict(row) | {"standing": row.where}


def _cells(row: SessionRow) -> tuple[str, ...]:
    edition = f"rules of edition {row.edition}" if row.other_edition else ""
    standing = " · ".join(filter(None, (row.where, "sealed" if row.sealed else "", edition)))
    return row.session, row.game, row.title, when(row.changed), str(row.lines), standing


@command.command()
@click.argument("session", required=False)
@archive_option
@json_option
def show(session: str | None, archive: str | None, as_json: bool) -> None:
    """Print a session's log; without SESSION that of the one changed last.

    SESSION is an id or the beginning of one. What lies face down is not named before the seal.

    \b
    Example: companion session show K3QX
    """
    from companion.session import archive_journal

    with open_archive(archive) as opened:
        row = _find_session(opened, session)
        lines = archive_journal.lines_for_everybody(opened, row)
    if as_json:
        print_json({"session": _plain(row), "log": [line._asdict() for line in lines]})
        return
    click.echo(sanitize(" · ".join(cell for cell in (row.title, *_cells(row)[:2], _cells(row)[-1]) if cell)))
    print_table(
        ("LINE", "WHEN", "BY", "ENTERED"),
        [(str(line.number), when(line.at), line.by, line.line) for line in lines],
    )


@command.command()
@click.argument("session", required=False)
@output_option("File to write; else, or as -, it is printed.")
@archive_option
@force_option
def export(session: str | None, out: Path | None, archive: str | None, force: bool) -> None:
    """Write a session as a .table file, line by line as it was entered; without SESSION the one changed last.

    What lies face down is not named before the seal.

    \b
    Example: companion session export K3QX -o friday.table
    """
    from companion.session import archive_journal

    with open_archive(archive) as opened:
        lines = archive_journal.lines_for_everybody(opened, _find_session(opened, session))
    print_or_write("".join(f"{sanitize(line.line)}\n" for line in lines), out, f"{len(lines)} lines.", force=force)


@command.command()
@click.argument("session", required=False)
@output_option("Markdown file to write; else, or as -, it is printed.")
@archive_option
@force_option
@json_option
def report(session: str | None, out: Path | None, archive: str | None, force: bool, as_json: bool) -> None:
    """Write a playtest report in Markdown: the fights, the questions after each game, symptoms and their levers.

    Without SESSION it is of the one changed last.

    \b
    Example: companion session report K3QX -o friday.md
    """
    from companion.session import archive_journal, report

    with open_archive(archive) as opened:
        played = archive_journal.resume(opened, _find_session(opened, session).session)
    if as_json:
        print_json(report.review_session(played))
        return
    print_or_write(report.report(played), out, "a report in Markdown.", force=force)


def _find_session(archive: Archive, session: str | None) -> SessionRow:
    if session is not None:
        return archive.find_session(session)
    rows = archive.sessions()
    if not rows:
        raise Unknown("No session has been played yet; companion opens a table.")
    return rows[0]
