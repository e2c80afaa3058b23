"""`companion labels deck`."""

from __future__ import annotations

import click

from companion.cli.common import Misused, find_deck, open_archive
from companion.cli.language import requested_language
from companion.cli.printing import options
from companion.cli.printing.options import PaperOptions, Placing, run_options
from companion.cli.printing.run import print_run
from companion.printing import jobs
from templates.languages.messages import phrase


@click.command("deck")
@click.argument("decks", nargs=-1, required=True, metavar="DECK…")
@click.option(
    "--new",
    is_flag=True,
    help="Only the labels that a deck's current list added, for decks that had another list before.",
)
@click.option(
    "--only", "spots", metavar="WHERE", multiple=True, help='Only this label, such as "5C sharp"; can be repeated.'
)
@options.codes_option
@run_options
def command(
    decks: tuple[str, ...], new: bool, spots: tuple[str, ...], with_codes: bool, paper: PaperOptions, placing: Placing
) -> None:
    """Print all current labels of a deck.

    Each shows which card it goes on. One that cannot be printed is reported, and the others are printed. DECK is an id
    in any spelling, a unique beginning of a name, or a picture of the QR code on the box.

    Labels are in the language of --language, else in that of the deck's owner (companion people language).

    \b
    Examples: companion labels deck ashen -o ashen.pdf
              companion labels deck ashen --only "5C sharp" -o lost.pdf
    """
    if spots and (new or len(decks) > 1):
        raise Misused(phrase("--only is for the labels of one deck, without --new."))
    with open_archive(paper.archive) as archive:
        rows = [find_deck(archive, text) for text in decks]
        if spots:
            job = jobs.spots_job(archive, rows[0], spots, requested_language(), with_codes=with_codes)
        else:
            job = jobs.cards_job(archive, rows, requested_language(), only_new=new, with_codes=with_codes)
    print_run(job, paper, placing)
