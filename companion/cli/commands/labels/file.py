"""`companion labels file`."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from companion.cli.common import Misused, reading_bar, sanitize
from companion.cli.confirmation import confirm
from companion.cli.printing.options import PaperOptions, Placing, run_options, translate_label_errors
from companion.cli.printing.run import print_run
from companion.printing import custom, jobs
from companion.printing.spreadsheets import tables
from labels.drawing.languages import ENGLISH, is_code
from templates.languages.messages import phrase, phrases

if TYPE_CHECKING:
    from companion.printing.spreadsheets.tables import RowTable, TableRow
    from labels.paper.stocks import Stock


_ROWS_PER_STEP = 500
"""Rows between two updates of the progress."""


@click.command("file")
@click.argument("file", type=click.Path(path_type=Path), metavar="LABELS.xlsx|.ods|.csv|.tsv|.jsonl|.toml")
@click.option("--design", default="", metavar="NAME", help="Design for rows that name none; see labels design list.")
@click.option(
    "--format",
    "kind",
    type=click.Choice(["toml", "csv", "tsv", "jsonl", "xlsx", "ods"]),
    help="Format of the file; default: by its ending.",
)
@click.option("--worksheet", default="", metavar="NAME", help="Sheet of a workbook; default: the first.")
@click.option("--hidden-rows", type=click.Choice(["skip", "print"]), help="What to do with hidden rows of a worksheet.")
@click.option(
    "--empty-errors",
    is_flag=True,
    help="Treat worksheet cells with an error or an uncalculated formula as empty.",
)
@click.option("--encoding", metavar="NAME", help="Encoding of a text file, such as windows-1252; default: detected.")
@click.option(
    "--language",
    metavar="CODE",
    help="Language for screen readers, such as de or fr-CA; default: that of the design, or English.",
)
@run_options
def command(
    file: Path,
    design: str,
    kind: str | None,
    worksheet: str,
    hidden_rows: str | None,
    empty_errors: bool,
    encoding: str | None,
    language: str | None,
    paper: PaperOptions,
    placing: Placing,
) -> None:
    """Print labels of your own from a table, of one row or of a hundred thousand.

    An Excel or LibreOffice workbook or a CSV or TSV file has a header row with the columns name, text, tier, count,
    code, code128, ean13, picture, design and position, of which only name is required, and a row for each label. A file
    of JSON lines has an object for each label, a TOML file a [[label]] table. With a tier of a game, a label looks like
    the game's own; an unknown tier lists the tiers. With a design of your own, there can be any columns. Use - as the
    file to read standard input.

    Everything is checked first, and all errors are reported at once, with line numbers.

    \b
    Example: companion labels file custom.xlsx -o custom.pdf
             companion labels file guests.csv --design badge.toml --plan
    """
    if language is not None and not is_code(language):
        raise Misused(
            phrase("“{language}” is no language; write its code, such as en, de or fr-CA.", language=sanitize(language))
        )
    can_ask = sys.stdin.isatty() and sys.stderr.isatty() and str(file) != "-"
    choose = _choose_encoding if can_ask else None
    chosen = tables.WorksheetOptions(worksheet, hidden_rows or "", empty_errors)
    with translate_label_errors(), ExitStack() as stack:
        try:
            table = stack.enter_context(
                tables.open_table(file, kind, encoding=encoding, worksheet=chosen, choose=choose)
            )
        except tables.HiddenRows as error:
            if not can_ask:
                raise
            chosen = chosen._replace(hidden_rows=_choose_hidden_rows(error.count))
            table = stack.enter_context(tables.open_table(file, kind, worksheet=chosen))
        for remark in table.remarks:
            click.echo(sanitize(str(remark)), err=True)
        own_design = custom.optional_design(design)
        if own_design is not None and own_design.stock and not placing.stock and not placing.sheets:
            placing = placing._replace(stock=own_design.stock)

        def job(stock: Stock) -> jobs.Job:
            labels = custom.own_labels(
                table,
                file.parent,
                design=own_design,
                stock=stock,
                progress=partial(_with_progress, table),
                language=language or "",
            )
            spoken = language or (own_design.language if own_design is not None else "") or ENGLISH
            return jobs.Job(file.stem, labels, language=spoken, wanted=labels.wanted, two_sided=labels.two_sided)

        print_run(job, paper, placing)


def _choose_encoding(readings: Mapping[str, str]) -> str:
    """Prompt for the right reading of a word."""
    for number, word in enumerate(readings.values(), 1):
        click.echo(f"{number}  {sanitize(word)}", err=True)
    count = len(readings)
    question = phrase("Which of these is a word? 1 to {count}", count=count)
    number = click.prompt(str(question), type=click.IntRange(1, count), default=1, err=True)
    return tuple(readings)[number - 1]


def _choose_hidden_rows(count: int) -> str:
    """Prompt whether to print hidden rows."""
    is_wanted = confirm(
        phrases(
            "{n} row is hidden, by hand or by a filter. Print hidden rows, too?",
            "{n} rows are hidden, by hand or by a filter. Print hidden rows, too?",
            n=count,
        ),
        err=True,
    )
    return "print" if is_wanted else "skip"


def _with_progress(table: RowTable, rows: Iterable[TableRow]) -> Iterator[TableRow]:
    """Yield the rows one by one, with a progress bar."""
    with reading_bar(phrase("Trying out each row")) as report:
        for number, row in enumerate(rows):
            if number % _ROWS_PER_STEP == 0:
                report(table.fraction_read)
            yield row
