"""`companion league standings`."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from companion.cli.commands.league._shared import Kinds, print_or_draw, sheet_options
from companion.cli.common import archive_option, json_option, open_archive, print_json
from companion.forms.plain_paper import ink_name
from companion.league import display, season, sheet
from templates.languages.messages import joined, listed, phrase

if TYPE_CHECKING:
    from labels.geometry import Paper


@click.command("standings")
@click.argument("league")
@sheet_options
@archive_option
@json_option
def command(
    league: str, out: Path | None, as_csv: bool, paper: Paper | None, archive: str | None, force: bool, as_json: bool
) -> None:
    """Show the standings with the tie-breaks in order.

    In CSV, JSON and sheets, people appear under their public names (companion people alias).

    \b
    Example: companion league standings Winter
             companion league standings Winter --csv -o winter.csv
             companion league standings Winter -o winter.pdf
    """
    with open_archive(archive) as opened:
        read = season.read_season(opened, league)
    if as_json:
        print_json(display.plain_standings(read))
        return

    def draw(size: tuple[float, float]) -> bytes:
        return sheet.standings_sheet(read, size, ink_name(None) or "colour")

    kinds = Kinds(partial(display.standings_table, read), draw, phrase("Standings"))
    print_or_draw(read, kinds, out, paper, as_csv=as_csv, force=force)
    if not as_csv and out is None:
        ties = phrase(
            "Ties, in this order: {names} (scoring of edition {edition}).",
            names=listed(joined(" ", each) for each in display.tie_break_names(read)),
            edition=str(read.league.created.scoring.edition),
        )
        click.echo(f"\n{ties}")
