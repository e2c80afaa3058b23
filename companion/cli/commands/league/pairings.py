"""`companion league pairings`."""

from __future__ import annotations

import sys
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from companion.archive import Archive
from companion.cli.commands.league._shared import Kinds, print_or_draw, sheet_options
from companion.cli.common import Refused, archive_option, json_option, open_archive, print_json, sanitize
from companion.cli.confirmation import confirm
from companion.forms.plain_paper import ink_name
from companion.league import display, season, sheet
from companion.league.season import Season
from templates.languages.messages import Text, phrase, phrases

if TYPE_CHECKING:
    from labels.geometry import Paper


@click.command("pairings")
@click.argument("league")
@click.option("--round", "number", type=click.IntRange(0, 10_000), metavar="N", help="Only show this round.")
@click.option("--next", "draw_next", is_flag=True, help="Draw the next round even if results are missing.")
@click.option("--redraw", is_flag=True, help="Draw the last round again and discard its results.")
@click.option("--yes", is_flag=True, help="Do not ask for confirmation.")
@click.option("--seed", type=int, metavar="N", help="Seed of the random pairings; default: random.")
@sheet_options
@archive_option
@json_option
def command(
    league: str,
    number: int | None,
    draw_next: bool,
    redraw: bool,
    yes: bool,
    seed: int | None,
    out: Path | None,
    as_csv: bool,
    paper: Paper | None,
    archive: str | None,
    force: bool,
    as_json: bool,
) -> None:
    """Show the pairings; the next round is drawn if the last one has all its results.

    A round is drawn once; afterwards the same pairings are shown. --redraw draws the last round again, which stays in
    the log.

    \b
    Example: companion league pairings Winter
             companion league pairings Winter --round 2
             companion league pairings Winter --redraw
    """
    with open_archive(archive) as opened:
        read = season.read_season(opened, league)
        if redraw:
            read = _redraw_round(opened, read, seed, yes=yes)
        elif number is None:
            read = _draw_if_due(opened, read, seed, at_once=draw_next, yes=yes)
        offers = season.find_offers(opened, read) if number is None and not as_json else ()
    number = read.league.rounds if number is None else number
    if number > read.league.rounds:
        raise Refused(
            phrase("Round {number} is not drawn yet; companion league pairings draws the next.", number=str(number))
        )
    if as_json:
        print_json(display.plain_pairings(read, number))
        return

    def draw(size: tuple[float, float]) -> bytes:
        return sheet.pairings_sheet(read, number, size, ink_name(None) or "colour")

    kinds = Kinds(partial(display.pairings_table, read, number), draw, display.round_title(read, number))
    print_or_draw(read, kinds, out, paper, as_csv=as_csv, force=force)
    if offers and not as_csv and out is None:
        click.echo(phrase("\nPlayed here; companion league enter --sealed enters them:"))
        for offer in offers:
            click.echo(sanitize(f"  {season.describe_offer(read, offer)}"))


def _draw_if_due(opened: Archive, read: Season, seed: int | None, *, at_once: bool, yes: bool) -> Season:
    """Draw the next round if all results of the last one are in, or if the user asks for it."""
    why_not = season.may_draw(read)
    if read.league.closed or (why_not and not at_once and read.league.rounds):
        return read
    if why_not:
        _require_agreement(
            phrase("{why_not} Draw round {rounds} all the same?", why_not=why_not, rounds=read.league.rounds + 1),
            yes=yes,
        )
    drawing = season.draw_next(opened, read, seed)
    click.echo(phrase("Round {rounds} is drawn.", rounds=drawing.league.rounds), err=True)
    return drawing


def _redraw_round(opened: Archive, read: Season, seed: int | None, *, yes: bool) -> Season:
    results = sum(match.result is not None for match in read.league.round(read.league.rounds))
    question = (
        phrases(
            "Round {round} is drawn already, and people may have seen it. Its {n} results count no more. Draw it "
            "again?",
            "Round {round} is drawn already, and people may have seen it. Its {n} results count no more. Draw it "
            "again?",
            n=results,
            round=str(read.league.rounds),
        )
        if results
        else phrase(
            "Round {round} is drawn already, and people may have seen it. Draw it again?", round=str(read.league.rounds)
        )
    )
    _require_agreement(question, yes=yes)
    drawing = season.redraw_last(opened, read, seed)
    click.echo(phrase("Round {rounds} is drawn again.", rounds=drawing.league.rounds), err=True)
    return drawing


def _require_agreement(question: Text, *, yes: bool) -> None:
    """Return if the question is confirmed by `--yes` or on a terminal. Raises Refused."""
    if yes:
        return
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        raise Refused(phrase("{question} --yes does so.", question=question))
    if not confirm(question, err=True):
        raise Refused(phrase("Nothing is changed."))
