"""Standings and pairings on paper: to hang up, and to write results on."""

from __future__ import annotations

from companion.league.display import (
    TableOfRows,
    describe_league,
    pairings_table,
    round_title,
    standings_table,
    tie_break_names,
)
from companion.league.season import Season
from labels.geometry import InkName
from labels.output.page import Document, PageTable, TableColumn, render_document
from templates.languages.messages import Finished, Text, joined, listed, phrase

_SHARES = {"place": 0.7, "name": 3.2, "table": 0.7, "match": 4.0, "result": 3.0}


def standings_sheet(season: Season, size: tuple[float, float], ink: InkName = "colour") -> bytes:
    """Return the standings as a PDF on paper of this size in points, with public names.

    Raises LabelError if the paper is too small.
    """
    ties = listed(joined(": ", names) for names in tie_break_names(season))
    return _render(
        season,
        joined(" ", (Finished(describe_league(season)), ties)),
        phrase("Standings"),
        standings_table(season, outside=True),
        size,
        ink,
    )


def pairings_sheet(season: Season, number: int, size: tuple[float, float], ink: InkName = "colour") -> bytes:
    """Return a round as a PDF, with room for open results. Raises LabelError."""
    title = round_title(season, number)
    return _render(season, describe_league(season), title, pairings_table(season, number, outside=True), size, ink)


def _render(
    season: Season, subtitle: Text, title: Text, table: TableOfRows, size: tuple[float, float], ink: InkName
) -> bytes:
    shares = [_SHARES.get(column.key, 1.0) for column in table.columns]
    columns = tuple(
        TableColumn(_sheet_heading(str(column.heading)), share / sum(shares), bold=column.key == "name")
        for column, share in zip(table.columns, shares, strict=True)
    )
    rows = tuple(tuple(map(str, row)) for row in table.rows)
    return render_document(
        Document(season.row.name, str(subtitle), (PageTable(str(title), columns, rows),)), size, ink=ink
    )


def _sheet_heading(heading: str) -> str:
    return heading.capitalize() if len(heading) > 3 else heading
