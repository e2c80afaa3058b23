"""`companion session report`."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import click

from companion.cli.commands.session._shared import find_session
from companion.cli.common import (
    PIPE,
    Misused,
    archive_option,
    force_option,
    fresh_file,
    json_option,
    open_archive,
    output_option,
    print_json,
    print_or_write,
    tell_written,
)
from companion.forms.plain_paper import ink_name, plain_paper
from companion.printing import evening_page
from companion.session.core import archive_journal
from companion.session.reports import evening_cards, report, report_pages
from companion.tabletop.action import RuleError
from labels.output import chart_drawing, page
from templates.languages.messages import phrase

if TYPE_CHECKING:
    from companion.session.core.session import Session
    from labels.output.charts import Chart


_DRAWINGS = (".pdf", ".svg")
"""Suffixes of files for a report with charts."""


@click.command("report")
@click.argument("session", required=False)
@click.option(
    "--charts",
    is_flag=True,
    help="Write a PDF with charts of the figures, or only the charts as .svg. The ending of the file selects this, "
    "too.",
)
@output_option("File to write, Markdown or with --charts a PDF; by default, or with -, standard output.")
@archive_option
@force_option
@json_option
def command(
    session: str | None, charts: bool, out: Path | None, archive: str | None, force: bool, as_json: bool
) -> None:
    """Write a playtest report in Markdown: the fights, the answers after each game, and symptoms with their levers.

    Without SESSION, the session changed last is used. With --charts, the report is a PDF whose charts show, round by
    round, what was left to all players and their opponents, and other figures of the game.

    \b
    Examples: companion session report K3QX -o friday.md
              companion session report K3QX --charts -o friday.pdf
    """
    charts = charts or (out is not None and out.suffix.lower() in _DRAWINGS)
    if charts and (out is None or as_json):
        raise Misused(phrase("Charts are drawn into a file: give -o FILE.pdf or -o FILE.svg, without --json."))
    with open_archive(archive) as opened:
        played = archive_journal.resume(opened, find_session(opened, session).session)
    if charts and out is not None:
        content = _draw_report(played, out)
        with fresh_file(out, force=force) as draft:
            draft.write_bytes(content)
        tell_written(out, phrase("a report with charts."))
        return
    if as_json:
        print_json(report.review_session(played))
        return
    print_or_write(report.report(played), out, phrase("a report in Markdown."), force=force)


def _draw_report(played: Session, out: Path) -> bytes:
    """Draw the report of a session as pages, or its charts as SVG. Raises Misused for another kind of file."""
    kind = out.suffix.lower()
    if kind not in _DRAWINGS and out != PIPE:
        raise Misused(phrase("A report with charts is a .pdf or a .svg; “{out}” ends in neither.", out=out.name))
    charts: list[Chart] = [*report_pages.session_charts(played)]
    # With real names, like the rest of the report. Before its first fight or turn, a game has no card.
    with suppress(RuleError):
        charts += evening_page.bar_charts(evening_cards.present_session(None, played).card)
    document = report_pages.make_document(played, charts)
    if kind == ".svg":
        return chart_drawing.as_svg(charts, document.title, document.subtitle).encode()
    return page.render_document(document, plain_paper(None).size, ink=ink_name(None) or "colour")
