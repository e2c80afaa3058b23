"""`companion labels box`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from companion.archive import deck_id, fast_read
from companion.cli.common import Misused, find_deck, open_archive
from companion.cli.language import requested_language
from companion.cli.printing.options import PaperOptions, Placing, run_options
from companion.cli.printing.run import print_run
from companion.printing import jobs
from companion.printing.label_languages import LabelLanguages, find_languages
from templates.languages.messages import phrase

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.archive import DeckRow


@click.command("box")
@click.argument("decks", nargs=-1, metavar="DECK…")
@click.option("--all", "every", is_flag=True, help="Print the labels of all decks that are not retired.")
@click.option(
    "--count",
    "--glory",
    "count",
    is_flag=True,
    help="Print labels that update boxes, with one large figure if the game has one.",
)
@click.option(
    "--url",
    default="",
    metavar="ADDRESS",
    help="Address to put in front of the id in each code; default: codes contain only the id.",
)
@run_options
def command(decks: tuple[str, ...], every: bool, count: bool, url: str, paper: PaperOptions, placing: Placing) -> None:
    """Print labels with QR codes for boxes.

    Each shows its deck's name, figures and id. DECK is an id in any spelling, a unique beginning of a name, or a
    picture of the QR code on the box. With --all, a label that cannot be printed is reported, and the others are
    printed.

    With --url, any phone's camera opens the page of the deck from its box. The longer the address, the smaller the
    modules of the code, so it needs a larger label.

    \b
    Example: companion labels box ashen 7K3M-9QPX-2B4T-C -o boxes.pdf --start 7
             companion labels box ashen --url https://cards.example/d/ --stock 5163 -o box.pdf
    """
    if every and decks:
        raise Misused(phrase("Name decks or give --all, not both."))
    if not (every or decks):
        raise click.UsageError(str(phrase("Missing argument 'DECK…'.")), click.get_current_context())
    try:
        address = deck_id.check_address(url) if url else ""
    except deck_id.DeckIdError as error:
        raise Misused(str(error)) from error
    if every:
        rows, languages = _all_decks(paper.archive)
        job = jobs.all_boxes_job([row for row in rows if not row.retired], address, languages, count=count)
    else:
        with open_archive(paper.archive) as archive:
            named = [find_deck(archive, text) for text in decks]
            languages = find_languages(archive, named, requested_language())
        make_job = jobs.counts_job if count else jobs.boxes_job
        job = make_job(named, address, languages)
    print_run(job, paper, placing)


def _all_decks(archive: str | None) -> tuple[Sequence[DeckRow], LabelLanguages]:
    """Return all decks and the languages of their labels, read directly from the file if possible: opening the
    archive takes longer than printing them.
    """
    language = requested_language()
    rows = fast_read.read_decks(archive)
    if rows is not None and (language is not None or not fast_read.has_languages(archive)):
        return rows, LabelLanguages(language)
    with open_archive(archive) as opened:
        rows = opened.decks()
        return rows, find_languages(opened, rows, language)
