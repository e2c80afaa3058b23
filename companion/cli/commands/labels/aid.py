"""`companion labels aid`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from companion.cli.commands.labels._shared import GAME, PAPER, added_games, print_pages
from companion.cli.printing.options import PaperOptions, paper_options, translate_label_errors
from companion.printing import jobs

if TYPE_CHECKING:
    from labels.geometry import Paper


@click.command("aid")
@GAME
@PAPER
@paper_options
def command(game: str | None, size: Paper | None, paper: PaperOptions) -> None:
    """Print a reference page for the middle of the table: what everybody asks while a game is played.

    \b
    Example: companion labels aid -o aid.pdf
    """
    with translate_label_errors(), added_games(game, paper):
        game_with_aid = jobs.game_with_aid(game)
    print_pages(jobs.aid_job(game_with_aid), size, paper)
