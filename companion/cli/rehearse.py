"""`companion rehearse`: many games played by simulated people, and what the rules make of them."""

import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from companion.cli.common import (
    Misused,
    Refused,
    archive_option,
    force_option,
    json_option,
    output_option,
    print_json,
    print_or_write,
    read_text,
)

if TYPE_CHECKING:
    from companion.rehearsal.report import Report
    from companion.tabletop.rehearsal import Rehearsal

_DEFAULT = "default"


@click.command("rehearse")
@click.argument("game")
@click.option("--players", type=click.IntRange(1), default=3, show_default=True, help="How many sit there.")
@click.option("--games", type=click.IntRange(1), default=1000, show_default=True, help="How many are played.")
@click.option("--seed", type=click.IntRange(0), default=0, show_default=True, help="The same one, the same games.")
@click.option("--rule", "rules", multiple=True, metavar="KEY=VALUE", help="A house rule; may be said several times.")
@click.option(
    "--against",
    multiple=True,
    metavar="KEY=VALUE",
    help="Compare with the same games by this house rule instead; “default” for the rules as printed.",
)
@click.option(
    "--wizards", metavar="NAME,…", default="random", show_default=True, help="Who plays, clockwise; fewer come again."
)
@click.option("--homebrew", type=click.File("rb"), help="Play with what this file adds to the game; see homebrew.")
@click.option("--temperaments", is_flag=True, help="Say who can play GAME, and how; nothing is played.")
@click.option("--jobs", type=click.IntRange(1), default=os.cpu_count() or 1, show_default=True, help="Processes.")
@output_option("Write it into a file: .json, .csv, or else text.")
@force_option
@archive_option
@json_option
def command(
    game: str,
    players: int,
    games: int,
    seed: int,
    rules: Sequence[str],
    against: Sequence[str],
    wizards: str,
    homebrew: Any,
    temperaments: bool,
    jobs: int,
    out: Path | None,
    force: bool,
    archive: str | None,  # noqa: ARG001 – every command has it
    as_json: bool,
) -> None:
    """Have simulated people play GAME many times, and say what came of it, with 95 % intervals.

    The figures are the same for the same seed, on any machine and any number of cores. With --against every game is
    played by both rules with the same chance, so that small differences can be seen. Ctrl+C ends it with what is there.

    \b
    Examples: companion rehearse GAME --players 4 --games 10000 --wizards table
              companion rehearse GAME --rule pressure=3 --against default --wizards greedy
    """
    from companion.rehearsal.estimate import Sums, merge
    from companion.rehearsal.play import rehearsal_of
    from companion.rehearsal.report import make_report, plain_report
    from companion.rehearsal.run import WorkersDied, local_workers, rehearse
    from companion.tabletop.rehearsal import Setting

    brew = read_text(homebrew) if homebrew else ""
    rehearsal = rehearsal_of(game, brew)
    if temperaments:
        _tell_temperaments(rehearsal)
        return
    who = tuple(name.strip().lower() for name in wizards.split(","))
    setting = Setting(game, players, _read_rules(rules), who, homebrew=brew)
    other = Setting(game, players, _read_rules(against), who, homebrew=brew) if against else None
    for each in filter(None, (setting, other)):
        rehearsal.check(each)
    sums: dict[str, Sums] = {}
    played = 0
    headline = rehearsal.figures[0]
    with click.progressbar(length=games, label="Rehearsing", file=sys.stderr, hidden=not sys.stderr.isatty()) as bar:
        try:
            for units, batch in rehearse(setting, other, seed, games, local_workers(jobs)):
                sums = merge((sums, batch))
                played += units
                estimate = sums[headline.key].estimate(headline.kind == "share")
                if estimate is not None and headline.kind == "share":
                    half = 50 * (estimate.high - estimate.low)
                    bar.label = f"{headline.title} {100 * estimate.value:.1f} ± {half:.1f} %"
                bar.update(units)
        except WorkersDied as error:
            raise Refused(str(error)) from error
        except KeyboardInterrupt:
            click.echo(f"\nStopped after {played:,} of {games:,}.", err=True)
    if not played:
        raise Misused("Nothing was played yet, so there are no figures.")
    text = make_report((*rehearsal.figures, *rehearsal.tables), setting, other, seed, sums)
    if out is None and as_json:
        print_json(plain_report(text))
        return
    print_or_write(_write(text, out, as_json), out, f"the figures of {played:,} rehearsed games.", force=force)


def _tell_temperaments(rehearsal: "Rehearsal") -> None:
    for temperament in rehearsal.temperaments:
        click.echo(click.wrap_text(f"{temperament.name}: {temperament.text}", 80, subsequent_indent="  "))


def _write(report: "Report", out: Path | None, as_json: bool) -> str:
    """The report in the format that the file's name says. Raises Misused."""
    import msgspec

    from companion.rehearsal.report import as_csv, as_text, plain_report

    kind = out.suffix.lower() if out is not None else ""
    if kind == ".json" or as_json:
        return msgspec.json.format(msgspec.json.encode(plain_report(report)), indent=2).decode() + "\n"
    if kind == ".csv":
        return as_csv(report)
    if kind not in ("", ".txt"):
        raise Misused(f"A report is written as .txt, .csv or .json, not as {kind}.")
    return "\n".join(as_text(report)) + "\n"


def _read_rules(rules: Sequence[str]) -> tuple[tuple[str, str], ...]:
    """House rules as KEY=VALUE, sorted by key; `default` alone is none. Raises Misused."""
    if [rule.lower() for rule in rules] == [_DEFAULT]:
        return ()
    pairs = {}
    for rule in rules:
        key, equals, value = rule.partition("=")
        if not (equals and key and value):
            raise Misused(f"“{rule}” is no house rule; write KEY=VALUE, such as pressure=3.")
        pairs[key] = value
    return tuple(sorted(pairs.items()))
