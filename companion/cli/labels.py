"""`companion labels`: sheets of labels and whole pages as PDF, ready for the printer.

The libraries that print are loaded by the command that prints, not by looking at its help.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from companion.cli.common import Misused, Refused, find_deck, harmless, json_option, print_json
from companion.cli.printing import printers, sheets
from companion.cli.printing.options import PaperOptions, Placing, paper_options, run_options
from companion.cli.printing.run import calibration_for, misused, print_run, show, written

if TYPE_CHECKING:
    from companion.archive import Archive, SessionRow
    from companion.press.decks import DueLabels
    from labels.page import Document

_GAME = click.option("--game", metavar="GAME", help="Which game; else the first that has one.")
_PAPER = click.option(
    "--paper", "size", type=click.Choice(["letter", "a4"]), default="letter", show_default=True, help="Size of paper."
)


@click.group("labels")
def command() -> None:
    """Print labels for cards and boxes, and pages for the table.

    \b
    Example: companion labels starter -o starter.pdf
    """


command.add_command(sheets.command)
command.add_command(printers.printers)
command.add_command(printers.calibrate)


@command.command()
@_GAME
@run_options
def starter(game: str | None, paper: PaperOptions, placing: Placing) -> None:
    """The labels that everybody who plays a game needs once, in the order of its rulebook.

    \b
    Example: companion labels starter -o starter.pdf --preview starter.png
    """
    from companion.press import wording

    with misused():
        found = wording.with_starter(game)
    print_run(wording.starter(found), f"{found.title} starter sheet", paper, placing, found.credit)


@command.command()
@click.argument("decks", nargs=-1, required=True, metavar="DECK…")
@click.option(
    "--new", is_flag=True, help="Only what came with a deck's present list, of those that had another before."
)
@run_options
def deck(decks: tuple[str, ...], new: bool, paper: PaperOptions, placing: Placing) -> None:
    """All labels that a deck bears today.

    Each says which card it goes on. DECK is an id in any spelling, the beginning of no other deck's name, or a picture
    of the QR code on its box.

    \b
    Example: companion labels deck ashen -o ashen.pdf
    """
    from companion.archive import Archive
    from companion.press.decks import borne, credit, newest

    with Archive.open(paper.archive) as archive:
        rows = [find_deck(archive, text) for text in decks]
        told = [(archive.record(row.deck), archive.marks(row.deck)) for row in rows]
    labels = [label for record, marks in told for label in (newest(record, marks) if new else borne(record))]
    print_run(labels, "Labels of decks", paper, placing, credit(row.game for row in rows))


@command.command()
@click.argument("decks", nargs=-1, metavar="DECK…")
@click.option("--all", "every", is_flag=True, help="The boxes of all decks that are not retired.")
@click.option(
    "--count",
    "--glory",
    "count",
    is_flag=True,
    help="Labels that bring boxes up to date, with one large figure where a game has one.",
)
@run_options
def box(decks: tuple[str, ...], every: bool, count: bool, paper: PaperOptions, placing: Placing) -> None:
    """Labels for boxes, with QR code.

    Each shows its deck's name, figures and id. DECK is an id in any spelling, the beginning of no other deck's name, or
    a picture of the QR code on its box.

    \b
    Example: companion labels box ashen 7K3M-9QPX-2B4T-C -o boxes.pdf --start 7
    """
    from companion.archive import Archive
    from companion.press import decks as press

    if every and decks:
        raise Misused("Name decks or give --all, not both.")
    if not (every or decks):
        raise click.UsageError("Missing argument 'DECK…'.", click.get_current_context())
    with Archive.open(paper.archive) as archive:
        rows = [find_deck(archive, text) for text in decks]
        if every:
            rows = [row for row in archive.decks() if not row.retired]
    print_run([press.count(row) for row in rows] if count else press.boxes(rows), "Box labels", paper, placing)


@command.command()
@click.argument("session", required=False)
@run_options
def tonight(session: str | None, paper: PaperOptions, placing: Placing) -> None:
    """What a sealed session wrote on cards and earned for boxes.

    Without SESSION that is the session sealed last. SESSION is an id or the beginning of one.

    \b
    Example: companion labels tonight -o tonight.pdf --sheet "blue folder"
    """
    from companion.archive import Archive
    from companion.press import tonight as press

    with Archive.open(paper.archive) as archive:
        row = _sealed(archive, session)
        due = press.due(archive, row.session)
    labels = [label for deck in due for label in deck.labels]
    if not labels:
        raise Refused(f"Session {row.session} wrote and earned nothing that needs a label.")
    if not placing.plan:
        _ = paper.file
        for deck in due:
            _tell_due(deck)
    print_run(labels, press.TITLE, paper, placing, press.credited(due))


def _tell_due(deck: DueLabels) -> None:
    """Says what has to be stuck where."""
    for label in deck.cards:
        click.echo(f"  {harmless(deck.row.name)}: {label.title} on {getattr(label, 'card', '')}")
    for label in deck.box:
        says = " · ".join(getattr(label, "notes", ())) or label.title
        click.echo(f"  {harmless(deck.row.name)}: {harmless(says)} on its box")


def _sealed(archive: Archive, session: str | None) -> SessionRow:
    if session is not None:
        row = archive.find_session(session)
        if not row.sealed:
            raise Refused(f"Session {row.session} is not sealed yet; its labels are known when it is.")
        return row
    row_or_none = next((row for row in archive.sessions() if row.sealed), None)
    if row_or_none is None:
        raise Refused("No session has been sealed yet; companion session list shows all.")
    return row_or_none


@command.command()
@click.argument("deck", metavar="DECK")
@_PAPER
@paper_options
def record(deck: str, size: str, paper: PaperOptions) -> None:
    """A deck's record sheet, to lie in its box.

    It tells what the deck is and what it lived through, with lines to go on by hand. Its code is the deck's passport:
    in another home, companion scan --adopt takes the deck in from it.

    \b
    Example: companion labels record ashen -o ashen.pdf --paper a4
    """
    from companion.archive import Archive
    from companion.press import decks as press
    from companion.press.record import sheet

    with Archive.open(paper.archive) as archive:
        row = find_deck(archive, deck)
        known = archive.record(row.deck)
        press.paper_of(known)
        made = {told.number: told.at for told in archive.story(row.deck)}
        told = sheet(row.deck, known, archive.marks(row.deck), made, _passport(archive, row.deck))
    _print_pages(told, size, paper)


def _passport(archive: Archive, deck: str) -> str:
    """What another home can adopt the deck from; "" where it has none, or more is written on it than a code
    holds.
    """
    from companion.archive import ArchiveError, passport
    from companion.games.action import RuleError

    try:
        return passport.write(archive, deck)
    except (ArchiveError, RuleError):
        return ""


@command.command()
@_GAME
@_PAPER
@paper_options
def aid(game: str | None, size: str, paper: PaperOptions) -> None:
    """A page for the middle of the table: what everybody asks while a game is played.

    \b
    Example: companion labels aid -o aid.pdf
    """
    from companion.press import aids

    with misused():
        found = aids.with_aid(game)
    _print_pages(aids.aid(found), size, paper)


def _print_pages(document: Document, size: str, paper: PaperOptions) -> None:
    from labels import page

    calibration = calibration_for(paper)
    with written(lambda: page.pages(document, page.paper(size), calibration), paper) as output:
        pass
    click.echo(f"{harmless(document.title)}: {output}, for {'A4' if size == 'a4' else 'Letter'} paper. Print at 100 %.")
    show(paper)


@command.command("file")
@click.argument("file", type=click.Path(path_type=Path), metavar="LABELS.toml|.csv")
@run_options
def file_(file: Path, paper: PaperOptions, placing: Placing) -> None:
    """Labels of your own, from a TOML or CSV file.

    A CSV file has a line with the columns name, text, tier and count, of which only name must be there, and a line for
    each label. A TOML file has a [[label]] table with these keys for each. With a tier of a game a label looks like the
    game's own; an unknown tier names those that there are.

    \b
    Example: companion labels file custom.csv -o custom.pdf
    """
    from companion.press import custom

    with misused():
        labels = custom.read(file)
    print_run(labels, file.stem, paper, placing)


@command.command()
@click.argument("count", type=click.IntRange(1, 6000))
@click.option("--tier", metavar="TIER", help="A tier of a game; an unknown one names those that there are.")
@run_options
def blank(count: int, tier: str | None, paper: PaperOptions, placing: Placing) -> None:
    """Labels to write on by hand, plain or of a tier.

    \b
    Example: companion labels blank 12 -o blank.pdf
    """
    from companion.press.drawing import tier as look
    from companion.press.wording import tiers
    from labels.designs import Blank

    known = tiers()
    if tier is not None and tier.lower() not in known:
        raise Misused(f"“{harmless(tier)}” is not a tier; tiers are {', '.join(known)}.")
    label = Blank(look(known[tier.lower()].tier)) if tier else Blank()
    print_run([label] * count, "Blank labels", paper, placing)


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
    from companion.archive import Archive
    from companion.press import run
    from labels import testpage

    with misused():
        if sheet is None:
            found, used = run.find_stock(stock), frozenset[int]()
        else:
            with Archive.open(paper.archive) as archive:
                found, (hand,) = run.remembered(archive, [sheet], stock)
            used = frozenset(range(1, found.count + 1)) - frozenset(hand.free)
    calibration = calibration_for(paper)
    with written(lambda: testpage.page(found, calibration, used, paper.printer or ""), paper) as output:
        pass
    click.echo(f"Test page for {found.title}: {output}. Print at 100 % on plain paper.")
    show(paper)


@command.command("stocks")
@json_option
def list_stocks(as_json: bool) -> None:
    """The label stocks that are known.

    A stock of your own is a TOML file like theirs, in the folder table-companion/stocks where programs keep their
    configuration.

    \b
    Example: companion labels stocks --json
    """
    from companion.press.run import known_stocks

    with misused():
        known = known_stocks()
    if as_json:
        print_json(known)
        return
    for stock in known:
        grid = f"{stock.columns} × {stock.rows}"
        click.echo(f"{stock.name:<9} {stock.page:<7} {grid:<7} {stock.size:<17} {stock.order:<7} {stock.title}")
        if stock.aliases:
            click.echo(f"{'':<9} also {', '.join(stock.aliases)}")
