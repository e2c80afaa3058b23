"""`companion labels starter`."""

from __future__ import annotations

import click

from companion.cli.commands.labels._shared import GAME, added_games
from companion.cli.printing import options
from companion.cli.printing.options import PaperOptions, Placing, run_options, translate_label_errors
from companion.cli.printing.run import print_run
from companion.printing import jobs, wording


@click.command("starter")
@GAME
@options.codes_option
@run_options
def command(game: str | None, with_codes: bool, paper: PaperOptions, placing: Placing) -> None:
    """Print the labels that each player of a game needs once, in the order of its rulebook.

    \b
    Example: companion labels starter -o starter.pdf --preview starter.png
    """
    with translate_label_errors(), added_games(game, paper):
        game_with_starter = wording.game_with_starter(game)
    print_run(jobs.starter_job(game_with_starter, with_codes=with_codes), paper, placing)
