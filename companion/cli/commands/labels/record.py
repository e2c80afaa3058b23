"""`companion labels record`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from companion.cli.commands.labels._shared import PAPER, print_pages
from companion.cli.common import find_deck, open_archive
from companion.cli.printing.options import PaperOptions, paper_options
from companion.printing import jobs

if TYPE_CHECKING:
    from labels.geometry import Paper


@click.command("record")
@click.argument("deck", metavar="DECK")
@PAPER
@paper_options
def command(deck: str, size: Paper | None, paper: PaperOptions) -> None:
    """A deck's record sheet, to lie in its box.

    It tells what the deck is and what it lived through, with lines to go on by hand. Its code is the deck's passport:
    in another home, companion scan --adopt takes the deck in from it.

    \b
    Example: companion labels record ashen -o ashen.pdf --paper a4
    """
    with open_archive(paper.archive) as archive:
        job = jobs.record_job(archive, find_deck(archive, deck))
    print_pages(job, size, paper)
