"""`companion labels`: sheets of labels and whole pages as PDF, ready for the printer.

The printing libraries are loaded by the commands that print, not for their help.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click
import msgspec

from companion.cli.common import (
    Misused,
    any_archive_option,
    end_refused,
    find_deck,
    json_option,
    open_archive,
    print_json,
    print_table,
    reading_bar,
    sanitize,
)
from companion.cli.printing import designs, options, printers, sheets
from companion.cli.printing.options import PaperOptions, Placing, paper_options, run_options
from companion.cli.printing.run import calibration_for, open_viewer, print_run, translate_label_errors, write_document

if TYPE_CHECKING:
    from companion.archive import DeckRow
    from companion.printing.jobs import Job
    from companion.printing.spreadsheets.tables import RowTable, TableRow
    from labels.geometry import Paper
    from labels.paper.stocks import Stock

_ALIASES = 6
"""The number of other names of a stock in a list; there can be forty."""

_ROWS_PER_STEP = 500
"""Rows between two updates of the progress."""

_GAME = click.option("--game", metavar="GAME", help="Which game; else the first that has one.")
_PAPER = click.option(
    "--paper",
    "size",
    type=options.PaperType(),
    metavar="SIZE",
    help="Letter, a4, legal, a5, a6, card (3 × 5 in) or as 148x210mm; else that of the settings, or letter.",
)


@click.group("labels")
def command() -> None:
    """Print labels for cards and boxes, and pages for the table.

    \b
    Example: companion labels starter -o starter.pdf
    """


command.add_command(sheets.command)
command.add_command(designs.command)
command.add_command(printers.printers)
command.add_command(printers.calibrate)


@command.command()
@_GAME
@options.codes_option
@run_options
def starter(game: str | None, with_codes: bool, paper: PaperOptions, placing: Placing) -> None:
    """The labels that everybody who plays a game needs once, in the order of its rulebook.

    \b
    Example: companion labels starter -o starter.pdf --preview starter.png
    """
    from companion.printing import jobs, wording

    with translate_label_errors(), _added_games(game, paper):
        game_with_starter = wording.game_with_starter(game)
    print_run(jobs.starter_job(game_with_starter, with_codes=with_codes), paper, placing)


@command.command()
@click.argument("decks", nargs=-1, required=True, metavar="DECK…")
@click.option(
    "--new", is_flag=True, help="Only what came with a deck's present list, of those that had another before."
)
@click.option(
    "--only", "spots", metavar="WHERE", multiple=True, help='Only this one, as "5C sharp"; may be given several times.'
)
@options.codes_option
@run_options
def deck(
    decks: tuple[str, ...], new: bool, spots: tuple[str, ...], with_codes: bool, paper: PaperOptions, placing: Placing
) -> None:
    """All labels that a deck bears today.

    Each says which card it goes on; one that cannot be printed is named and stops no other. DECK is an id in any
    spelling, the beginning of no other deck's name, or a picture of the QR code on its box.

    \b
    Examples: companion labels deck ashen -o ashen.pdf
              companion labels deck ashen --only "5C sharp" -o lost.pdf
    """
    from companion.printing import jobs

    if spots and (new or len(decks) > 1):
        raise Misused("--only is for the labels of one deck, without --new.")
    with open_archive(paper.archive) as archive:
        rows = [find_deck(archive, text) for text in decks]
        if spots:
            job = jobs.spots_job(archive, rows[0], spots, with_codes=with_codes)
        else:
            job = jobs.cards_job(archive, rows, only_new=new, with_codes=with_codes)
    print_run(job, paper, placing)


@command.command()
@click.argument("decks", nargs=-1, metavar="DECK…")
@click.option(
    "--all", "every", is_flag=True, help="The boxes of all decks that are not retired, as far as they can be."
)
@click.option(
    "--count",
    "--glory",
    "count",
    is_flag=True,
    help="Labels that bring boxes up to date, with one large figure where a game has one.",
)
@click.option(
    "--url", default="", metavar="ADDRESS", help="Codes hold this address and the id behind it; else the bare id."
)
@run_options
def box(decks: tuple[str, ...], every: bool, count: bool, url: str, paper: PaperOptions, placing: Placing) -> None:
    """Labels for boxes, with QR code.

    Each shows its deck's name, figures and id. DECK is an id in any spelling, the beginning of no other deck's name, or
    a picture of the QR code on its box. With --all a label that cannot be printed is named and stops no other.

    With --url any phone's camera leads from the box to its deck's page; the longer the address, the smaller the code's
    modules, so it needs a larger label.

    \b
    Example: companion labels box ashen 7K3M-9QPX-2B4T-C -o boxes.pdf --start 7
             companion labels box ashen --url https://cards.example/d/ --stock 5163 -o box.pdf
    """
    from companion.archive import deck_id
    from companion.printing import jobs

    if every and decks:
        raise Misused("Name decks or give --all, not both.")
    if not (every or decks):
        raise click.UsageError("Missing argument 'DECK…'.", click.get_current_context())
    try:
        address = deck_id.check_address(url) if url else ""
    except deck_id.DeckIdError as error:
        raise Misused(str(error)) from error
    if every:
        rows = [row for row in _all_decks(paper.archive) if not row.retired]
        job = jobs.all_boxes_job(rows, address, count=count)
    else:
        with open_archive(paper.archive) as archive:
            rows = [find_deck(archive, text) for text in decks]
        job = jobs.counts_job(rows, address) if count else jobs.boxes_job(rows, address)
    print_run(job, paper, placing)


def _all_decks(archive: str | None) -> tuple[DeckRow, ...]:
    """Return all decks, read directly from the file if possible: opening the archive takes longer than
    printing them.
    """
    from companion.archive import fast_read

    rows = fast_read.read_decks(archive)
    if rows is not None:
        return rows
    with open_archive(archive) as opened:
        return opened.decks()


@command.command()
@click.argument("session", required=False)
@options.codes_option
@run_options
def tonight(session: str | None, with_codes: bool, paper: PaperOptions, placing: Placing) -> None:
    """What a sealed session wrote on cards and earned for boxes.

    Without SESSION that is the session sealed last. SESSION is an id or the beginning of one.

    \b
    Example: companion labels tonight -o tonight.pdf --sheet "blue folder"
    """
    from companion.printing import jobs

    with open_archive(paper.archive) as archive:
        job = jobs.session_job(archive, session, with_codes=with_codes)
    if not placing.plan:
        paper.check()
        for sentence in job.notices:
            paper.say(f"  {sanitize(sentence)}")
    print_run(job, paper, placing)


@command.command()
@click.argument("deck", metavar="DECK")
@_PAPER
@paper_options
def record(deck: str, size: Paper | None, paper: PaperOptions) -> None:
    """A deck's record sheet, to lie in its box.

    It tells what the deck is and what it lived through, with lines to go on by hand. Its code is the deck's passport:
    in another home, companion scan --adopt takes the deck in from it.

    \b
    Example: companion labels record ashen -o ashen.pdf --paper a4
    """
    from companion.printing import jobs

    with open_archive(paper.archive) as archive:
        job = jobs.record_job(archive, find_deck(archive, deck))
    _print_pages(job, size, paper)


@command.command()
@_GAME
@_PAPER
@paper_options
def aid(game: str | None, size: Paper | None, paper: PaperOptions) -> None:
    """A page for the middle of the table: what everybody asks while a game is played.

    \b
    Example: companion labels aid -o aid.pdf
    """
    from companion.printing import jobs

    with translate_label_errors(), _added_games(game, paper):
        game_with_aid = jobs.game_with_aid(game)
    _print_pages(jobs.aid_job(game_with_aid), size, paper)


@contextmanager
def _added_games(game: str | None, paper: PaperOptions) -> Iterator[None]:
    """Make added games available while a game is looked up by name, unless it is a program."""
    from companion.games import registry

    if game is None or registry.is_program(game):
        yield
        return
    with open_archive(paper.archive, scratch=True):
        yield


def _print_pages(job: Job, chosen: Paper | None, paper: PaperOptions) -> None:
    from labels.output import page
    from labels.paper import calibration as margins

    size = options.plain_paper(chosen)

    document = job.document
    assert document is not None
    calibration = calibration_for(paper)
    near = tuple(margins.page_warnings(page.printed_area(size.size), size.size, calibration))
    with write_document(
        lambda out: out.write(page.render_document(document, size.size, calibration, paper.ink or "colour")),
        paper,
        size,
        size.media,
        document.title,
        first=(*near, f"Put in plain {size.title} paper."),
    ) as output:
        pass
    paper.say(f"{sanitize(document.title)}: {output}, for {size.title} paper.{paper.by_hand()}")
    for sentence in near if paper.queue is None else ():
        paper.say(sentence)
    open_viewer(paper)
    if job.left_out:
        end_refused(f"Left out: {reason}" for reason in job.left_out)


@command.command("file")
@click.argument("file", type=click.Path(path_type=Path), metavar="LABELS.xlsx|.ods|.csv|.tsv|.jsonl|.toml")
@click.option("--design", default="", metavar="NAME", help="How rows look that name no design; see labels design list.")
@click.option(
    "--format",
    "kind",
    type=click.Choice(["toml", "csv", "tsv", "jsonl", "xlsx", "ods"]),
    help="What the file is; else its ending says.",
)
@click.option("--worksheet", default="", metavar="NAME", help="Which sheet of a workbook; else the first.")
@click.option(
    "--hidden-rows", type=click.Choice(["skip", "print"]), help="What happens to rows of a worksheet that are hidden."
)
@click.option(
    "--empty-errors",
    is_flag=True,
    help="Leave cells of a worksheet empty that have an error, or a formula not calculated.",
)
@click.option(
    "--encoding", metavar="NAME", help="What a text was saved in, as in windows-1252; else the file shows it."
)
@click.option(
    "--language",
    metavar="CODE",
    help="In which language it is read aloud: de, fr-CA; else the design says, or it is English.",
)
@run_options
def file_(
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
    """Labels of your own, from a table of a hundred thousand rows or of one.

    A workbook of Excel or LibreOffice, a CSV or TSV file has a line with the columns name, text, tier, count, code,
    code128, ean13, picture, design and position, of which only name must be there, and a line for each label. A file
    of JSON lines has an object for each, a TOML file a [[label]] table. With a tier of a game a label looks like the
    game's own; an unknown tier names those that there are. With a design of your own there can be any columns.
    FILE - reads what comes through a pipe.

    Everything is tried out first, and all that is wrong is told at once, by line.

    \b
    Example: companion labels file custom.xlsx -o custom.pdf
             companion labels file guests.csv --design badge.toml --plan
    """
    from companion.printing import custom, jobs
    from companion.printing.spreadsheets import tables
    from labels.drawing.languages import ENGLISH, is_code

    if language is not None and not is_code(language):
        raise Misused(f"“{sanitize(language)}” is no language; write its code, such as en, de or fr-CA.")
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
            click.echo(sanitize(remark), err=True)
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
    number = click.prompt(f"Which of these is a word? 1 to {count}", type=click.IntRange(1, count), default=1, err=True)
    return tuple(readings)[number - 1]


def _choose_hidden_rows(count: int) -> str:
    """Prompt whether to print hidden rows."""
    rows = "1 row is" if count == 1 else f"{count:,} rows are"
    is_wanted = click.confirm(f"{rows} hidden, by hand or by a filter. Print hidden rows, too?", err=True)
    return "print" if is_wanted else "skip"


def _with_progress(table: RowTable, rows: Iterable[TableRow]) -> Iterator[TableRow]:
    """Yield the rows one by one, with a progress bar."""
    with reading_bar("Trying out each row") as report:
        for number, row in enumerate(rows):
            if number % _ROWS_PER_STEP == 0:
                report(table.fraction_read)
            yield row


@command.command()
@click.argument("count", type=click.IntRange(1, 6000))
@click.option("--tier", metavar="TIER", help="A tier of a game; an unknown one names those that there are.")
@run_options
def blank(count: int, tier: str | None, paper: PaperOptions, placing: Placing) -> None:
    """Labels to write on by hand, plain or of a tier.

    \b
    Example: companion labels blank 12 -o blank.pdf
    """
    from companion.printing.jobs import Job
    from companion.printing.wording import tier_looks
    from companion.printing.wording import to_tier as look
    from labels.designs import BlankLabel

    tiers_by_name = tier_looks()
    if tier is not None and tier.lower() not in tiers_by_name:
        raise Misused(f"“{sanitize(tier)}” is not a tier; tiers are {', '.join(tiers_by_name)}.")
    label = BlankLabel(look(tiers_by_name[tier.lower()].tier)) if tier else BlankLabel()
    print_run(Job("Blank labels", (label,) * count), paper, placing)


@command.command("test-page")
@click.option("--stock", metavar="NAME", help="Label stock, by name or alias.  [default: 18294]")
@click.option("--sheet", metavar="NAME", help="Strike out what is used of a sheet that the archive remembers.")
@paper_options
def test_page(stock: str | None, sheet: str | None, paper: PaperOptions) -> None:
    """A test page for plain paper.

    It shows where each position of the stock lies, with crosses and rulers to measure the printer by.

    \b
    Example: companion labels test-page --stock L7651 -o test.pdf
    """
    from companion.printing import run
    from companion.printing.run import paper_advice
    from companion.tui import settings
    from labels.output import testpage

    with translate_label_errors():
        if sheet is None:
            label_stock, used = run.find_stock(options.stock_name(stock)), frozenset[int]()
        else:
            with open_archive(paper.archive) as archive:
                label_stock, (hand,) = run.load_sheets(archive, [sheet], stock)
            used = frozenset(range(1, label_stock.count + 1)) - frozenset(hand.free)
    calibration = calibration_for(paper)
    with write_document(
        lambda out: out.write(
            testpage.render_test_page(label_stock, calibration, used, paper.printer or "", paper.ink)
        ),
        paper,
        label_stock.paper,
        label_stock.media,
        "Test page",
        first=(f"Put in plain {label_stock.paper.title} paper.",),
    ) as output:
        pass
    paper.say(f"Test page for {label_stock.title}: {output}.{paper.by_hand(' on plain paper')}")
    if paper.queue is None and (mind := paper_advice(label_stock, settings.read_settings().paper)):
        paper.say(mind)
    open_viewer(paper)


@command.command("stocks")
@click.option("--like", metavar="SIZE", help="Those whose labels have this size, as 70x36mm, 2.625x1in or 40mm.")
@click.option("--paper", type=options.PaperType(), metavar="SIZE", help="Those on this paper: letter, a4 or a size.")
@any_archive_option
@json_option
def list_stocks(like: str | None, paper: Paper | None, as_json: bool) -> None:
    """The label stocks that are known, or those that are like a sheet in your hand.

    Measure one of its labels with a ruler and give --like: what differs by no more than 2 mm is listed, the best first.
    A stock of your own is a TOML file, in the folder table-companion/stocks where programs keep their configuration;
    docs/printing.md shows one. A file that is wrong is named, and the others are listed all the same.

    \b
    Example: companion labels stocks --like 70x36mm --paper a4
    """
    from companion.printing.run import known_stocks
    from labels.geometry import parse_size
    from labels.paper.stocks import find_by_size

    stocks, broken = known_stocks()
    listed = [stock for stock in stocks if paper is None or (not stock.roll and stock.paper.fits(paper))]
    with translate_label_errors():
        listed = listed if like is None else find_by_size(parse_size(like), listed)
    if as_json:
        print_json([{**msgspec.to_builtins(stock), "count": stock.count} for stock in listed])
    elif listed:
        print_table(("", "PAPER", "LABELS", "EACH", "COUNTED", ""), [_stock_cells(stock) for stock in listed])
    if broken or not (listed or as_json):
        on = "" if paper is None else f" on {paper.title} paper"
        size = "" if like is None else f" of {sanitize(like)}"
        nothing = f"No stock has labels{size}{on}; docs/printing.md shows how to describe one of your own."
        end_refused([*(() if listed or as_json else (nothing,)), *(each.reason for each in broken)])


def _stock_cells(stock: Stock) -> tuple[str, ...]:
    from labels.designs import has_room

    names = ", ".join(stock.aliases[:_ALIASES]) + (", …" if len(stock.aliases) > _ALIASES else "")
    also = f" (also {names})" if names else ""
    paper, order = ("roll", "") if stock.roll else (stock.paper.title, stock.order)
    without = "" if has_room(stock.room(1)) else "; too small for box labels"
    unsure = "" if stock.confirmed else "; not confirmed, try it first"
    return stock.name, paper, str(stock.count), stock.size, order, f"{stock.title}{also}{without}{unsure}"
