"""`companion labels record`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from companion.cli.commands.labels._shared import PAPER, print_pages
from companion.cli.common import find_deck, open_archive
from companion.cli.language import requested_language
from companion.cli.printing.options import PaperOptions, paper_options
from companion.printing import jobs

if TYPE_CHECKING:
    from labels.geometry import Paper


@click.command("record")
@click.argument("deck", metavar="DECK")
@PAPER
@paper_options
def command(deck: str, size: Paper | None, paper: PaperOptions) -> None:
    """Print a deck's record sheet for its box.

    It shows the deck and its history, with lines to continue by hand. Its code is the deck's passport: in another home,
    companion scan --adopt imports the deck from it.

    \b
    Example: companion labels record ashen -o ashen.pdf --paper a4
    """
    with open_archive(paper.archive) as archive:
        job = jobs.record_job(archive, find_deck(archive, deck), requested_language())
    print_pages(job, size, paper)
