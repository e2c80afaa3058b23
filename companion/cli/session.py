"""`companion session`: the sessions played so far, as lists, logs and `.table` files."""

from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import click
import msgspec

from companion.archive import Archive, SessionRow, Unknown
from companion.cli.common import (
    PIPE,
    Misused,
    Refused,
    archive_option,
    check_file,
    force_option,
    format_local_time,
    fresh_file,
    json_option,
    open_archive,
    output_option,
    print_json,
    print_list,
    print_or_write,
    print_table,
    sanitize,
    tell_written,
)
from companion.tabletop.action import NotationError, RuleError
from companion.tabletop.evening import FORMATS
from companion.tabletop.evening_text import as_markdown

if TYPE_CHECKING:
    from companion.session.core.session import Session
    from labels.output.charts import Chart

_TABLE = "table"
_DRAWINGS = (".pdf", ".svg")
"""Suffixes of files for a report with charts."""
_KINDS = (_TABLE, "bgstats", "csv", "json")
"""The formats in which sessions leave the archive."""
_ENDS = {".bgsplay": "bgstats", ".csv": "csv", ".json": "json"}


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
        # While the archive is open: the state of a table of a page depends on the page.
        print_list(
            rows, headings, _row_cells, "No sessions yet. companion opens a table.", as_json=as_json, plain=_row_fields
        )


def _row_fields(row: SessionRow) -> dict[str, object]:
    """Return a row for JSON, with its standing as text."""
    return msgspec.structs.asdict(row) | {"standing": row.where}


def _row_cells(row: SessionRow) -> tuple[str, ...]:
    edition = f"rules of edition {row.edition}" if row.other_edition else ""
    standing = " · ".join(filter(None, (row.where, "sealed" if row.sealed else "", edition)))
    return row.session, row.game, row.title, format_local_time(row.changed), str(row.lines), standing


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
    from companion.session.core import archive_journal

    with open_archive(archive) as opened:
        row = _find_session(opened, session)
        lines = archive_journal.lines_for_everybody(opened, row)
        cells, plain = _row_cells(row), _row_fields(row)
    if as_json:
        print_json({"session": plain, "log": [line._asdict() for line in lines]})
        return
    click.echo(sanitize(" · ".join(cell for cell in (row.title, *cells[:2], cells[-1]) if cell)))
    print_table(
        ("LINE", "WHEN", "BY", "ENTERED"),
        [(str(line.number), format_local_time(line.at), line.by, line.line) for line in lines],
    )


@command.command()
@click.argument("session", required=False)
@click.option("--as", "kind", type=click.Choice(_KINDS), help="As what; else the file's end says it, or it is table.")
@click.option("--all", "everything", is_flag=True, help="All games that are over; not as a table.")
@output_option("File to write; else, or as -, it is printed.")
@archive_option
@force_option
def export(
    session: str | None, kind: str | None, everything: bool, out: Path | None, archive: str | None, force: bool
) -> None:
    """Write a session as a .table file, line by line as it was entered; without SESSION the one changed last.

    What lies face down is not named before the seal. The page of a game of your own is written beside it.

    As bgstats it is a play for BG Stats (.bgsplay), as csv a row for each of its people, as json all that is known of
    how it ended: of a game that is over, or with --all of all of them. People are called as outside of the house.

    \b
    Examples: companion session export K3QX -o friday.table
              companion session export --all --as csv -o plays.csv
    """
    from companion.archive.exchange import pages
    from companion.games.described import load
    from companion.session.core import archive_journal
    from companion.session.core.replay import page_name

    if everything and session is not None:
        raise Misused("Name a session or take --all of them, not both.")
    kind = kind or (_ENDS.get(out.suffix.lower(), _TABLE) if out is not None else _TABLE)
    if kind != _TABLE:
        _export_plays(session, kind, out, archive, everything=everything, force=force)
        return
    if everything:
        raise Misused("A .table file holds one session; --all goes with --as bgstats, csv or json.")
    with open_archive(archive) as opened:
        row = _find_session(opened, session)
        lines = archive_journal.lines_for_everybody(opened, row)
        page = pages.text_of(opened, row.page) if row.page else ""
    own = page_name(load.headline(page).name if load.base_of(page) else row.game)
    beside = None if out in (None, PIPE) or not page else out.with_name(own)
    if beside is not None:
        _check_beside(beside, page, force=force)
    print_or_write("".join(f"{sanitize(line.line)}\n" for line in lines), out, f"{len(lines)} lines.", force=force)
    if beside is not None:
        print_or_write(page, beside, "the page of its game, to be taken along.", force=True)
    elif page:
        click.echo(f"Its game is a page, which replaying needs: -o FILE writes {own} too.", err=True)


def _export_plays(
    session: str | None, kind: str, out: Path | None, archive: str | None, *, everything: bool, force: bool
) -> None:
    """Write finished games for another program. Raises Refused if the session is not over."""
    from companion.statistics import plays

    with open_archive(archive) as opened:
        row = None if everything else _find_session(opened, session)
        some = plays.read_plays(opened, row.session if row else "")
    if row is not None and not some:
        raise Refused(f"The game of session {row.session} is not over yet; only --as table writes it as it stands.")
    if kind == "csv":
        text = plays.as_csv(some)
    elif kind == "json":
        text = plays.as_json(some)
    else:
        text = msgspec.json.format(msgspec.json.encode(plays.as_bgstats(some)), indent=2).decode() + "\n"
    what = "1 game" if len(some) == 1 else f"{len(some)} games"
    print_or_write(text, out, f"{what} as {kind}.", force=force)


def _check_beside(path: Path, page: str, *, force: bool) -> None:
    """Raise Refused if the file for a session's page holds another page."""
    if not path.exists() or force:
        return
    from companion.archive import page_texts

    try:
        same = page_texts.read_file(path) == page
    except NotationError:
        same = False
    if not same:
        raise Refused(f"“{path}” is another page than the one this was played by; name a file in another folder.")


@command.command()
@click.argument("session", required=False)
@click.option(
    "--charts",
    is_flag=True,
    help="As PDF, with charts of how the figures went; as .svg only these. The file's end says it, too.",
)
@output_option("File to write, Markdown or with --charts a PDF; else, or as -, it is printed.")
@archive_option
@force_option
@json_option
def report(
    session: str | None, charts: bool, out: Path | None, archive: str | None, force: bool, as_json: bool
) -> None:
    """Write a playtest report in Markdown: the fights, the questions after each game, symptoms and their levers.

    Without SESSION it is of the one changed last. With --charts it is a PDF, in which charts show round by round what
    was left to everybody and to whatever they fought, and what else the game counts.

    \b
    Examples: companion session report K3QX -o friday.md
              companion session report K3QX --charts -o friday.pdf
    """
    from companion.session.core import archive_journal
    from companion.session.reports import report

    charts = charts or (out is not None and out.suffix.lower() in _DRAWINGS)
    if charts and (out is None or as_json):
        raise Misused("Charts are drawn into a file: give -o FILE.pdf or -o FILE.svg, without --json.")
    with open_archive(archive) as opened:
        played = archive_journal.resume(opened, _find_session(opened, session).session)
    if charts and out is not None:
        content = _draw_report(played, out)
        with fresh_file(out, force=force) as draft:
            draft.write_bytes(content)
        tell_written(out, "a report with charts.")
        return
    if as_json:
        print_json(report.review_session(played))
        return
    print_or_write(report.report(played), out, "a report in Markdown.", force=force)


def _draw_report(played: "Session", out: Path) -> bytes:
    """Draw the report of a session as pages, or its charts as SVG. Raises Misused for another kind of file."""
    from companion.cli.printing.options import ink_name, plain_paper
    from companion.printing import evening_page
    from companion.session.reports import evening_cards, report_pages
    from labels.output import chart_drawing, page

    kind = out.suffix.lower()
    if kind not in _DRAWINGS and out != PIPE:
        raise Misused(f"A report with charts is a .pdf or a .svg; “{out.name}” ends in neither.")
    charts: list[Chart] = [*report_pages.session_charts(played)]
    # With real names, like the rest of the report. Before its first fight or turn, a game has no card.
    with suppress(RuleError):
        charts += evening_page.bar_charts(evening_cards.present_session(None, played).card)
    document = report_pages.make_document(played, charts)
    if kind == ".svg":
        return chart_drawing.as_svg(charts, document.title, document.subtitle).encode()
    return page.render_document(document, plain_paper(None).size, ink=ink_name(None) or "colour")


@command.command()
@click.argument("session", required=False)
@output_option("File to write: its end, .png, .pdf or .md, says as what; as - it is printed.")
@click.option("--format", "kind", type=click.Choice(FORMATS), help="As what; else the file's end says it, or it is md.")
@archive_option
@force_option
@json_option
def card(
    session: str | None, out: Path | None, kind: str | None, archive: str | None, force: bool, as_json: bool
) -> None:
    """Write the evening on one page, to keep or to send: as a picture, as a PDF, or as text in Markdown.

    Without SESSION it is of the one changed last, without -o it is printed as text. It tells who played, how each
    fight or turn went, the best hit, the narrowest moment, where the evening turned, and what changed hands.

    \b
    Example: companion session card K3QX -o friday.png
    """
    from companion.session.reports import evening_cards

    kind = kind or _kind_of(out)
    if out not in (None, PIPE) and not as_json:
        check_file(out, force=force)
    with open_archive(archive) as opened:
        row = _find_session(opened, session)
        evening, page = evening_cards.present_stored(opened, row)
    if as_json:
        print_json({"session": row.session, "game": row.game, "evening": evening, "card": page})
        return
    if kind == "md":
        print_or_write(as_markdown(page), out, "the evening as text.", force=force)
        return
    from companion.printing import evening_page

    content = evening_page.write_card(page, kind)
    with fresh_file(out or PIPE, force=force) as draft:
        draft.write_bytes(content)
    tell_written(out or PIPE, f"the evening as a {'picture' if kind == 'png' else 'PDF'}.")


def _kind_of(out: Path | None) -> str:
    """Return the format of a file by its suffix. Raises Misused if a card cannot have it."""
    if out is None or out == PIPE:
        return "md"
    kind = out.suffix.lower().removeprefix(".")
    if kind not in FORMATS:
        raise Misused(f"A card is a .png, a .pdf or a .md; “{out.name}” ends in none of these.")
    return kind


def _find_session(archive: Archive, session: str | None) -> SessionRow:
    if session is not None:
        return archive.find_session(session)
    rows = archive.sessions()
    if not rows:
        raise Unknown("No session has been played yet; companion opens a table.")
    return rows[0]
