"""`companion rehearse`: many games played by simulated people, and what the rules make of them."""

import os
import sys
from collections.abc import Sequence
from pathlib import Path

import click

from companion.cli.common import Misused, force_option, json_option, output_option, print_json, print_or_write
from companion.rehearsal.setting import SEATS, Setting

_DEFAULT = "default"
_GAMES = ("decknforge",)


def _print_temperaments(context: click.Context, _: click.Parameter, value: bool) -> None:
    """Who can play, and how."""
    if not value or context.resilient_parsing:
        return
    from companion.rehearsal.temperaments import TEMPERAMENTS

    for word, temperament in TEMPERAMENTS.items():
        click.echo(click.wrap_text(f"{word}: {temperament.about}", 80, subsequent_indent="  "))
    context.exit()


@click.command("rehearse")
@click.argument("game", default=_GAMES[0])
@click.option("--players", type=click.IntRange(1, len(SEATS)), default=3, show_default=True, help="How many sit there.")
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
@click.option("--temperaments", is_flag=True, is_eager=True, expose_value=False, callback=_print_temperaments,
              help="Say who can play, and how.")
@click.option("--jobs", type=click.IntRange(1), default=os.cpu_count() or 1, show_default=True, help="Processes.")
@output_option("Write it into a file: .json, .csv, or else text.")
@force_option
@json_option
def command(
    game: str,
    players: int,
    games: int,
    seed: int,
    rules: Sequence[str],
    against: Sequence[str],
    wizards: str,
    jobs: int,
    out: Path | None,
    force: bool,
    as_json: bool,
) -> None:
    """Have simulated people play GAME many times, and say what came of it, with 95 % intervals.

    The figures are the same for the same seed, on any machine and any number of cores. With --against every game is
    played by both rules with the same chance, so that small differences can be seen. Ctrl+C ends it with what is there.

    \b
    Examples: companion rehearse decknforge --players 4 --games 10000 --wizards table
              companion rehearse --rule pressure=3 --against default --wizards careful,greedy
    """
    from companion.rehearsal import report
    from companion.rehearsal.estimate import Sums, merge
    from companion.rehearsal.run import local_workers, rehearse

    if game not in _GAMES:
        raise Misused(f"Only {', '.join(_GAMES)} can be rehearsed; of “{game}” nobody has told simulated people how.")
    who = _temperaments(wizards)
    setting = Setting(game, players, _agreed(rules), who)
    other = Setting(game, players, _agreed(against), who) if against else None
    figures: dict[str, Sums] = {}
    played = 0
    with click.progressbar(length=games, label="Rehearsing", file=sys.stderr, hidden=not sys.stderr.isatty()) as bar:
        try:
            for batch in rehearse(setting, other, seed, games, local_workers(jobs)):
                figures = merge((figures, batch))
                bar.update(next(iter(batch.values())).games)
                played = next(iter(figures.values())).games
                if (wins := figures["win"].estimate()) is not None:
                    bar.label = f"Rehearsing: {100 * wins.value:.1f} % won"
        except KeyboardInterrupt:
            click.echo(f"\nStopped after {played:,} of {games:,}.", err=True)
    if not played:
        raise Misused("Nothing was played yet.")
    kind = out.suffix.lower() if out is not None else ".json" if as_json else ""
    if kind == ".json" and out is None:
        print_json(report.as_json(setting, other, seed, played, figures))
        return
    text = _text(kind, setting, other, seed, played, figures)
    print_or_write(text, out, f"the figures of {played:,} rehearsed dungeons.", force=force)


def _text(
    kind: str, setting: Setting, other: Setting | None, seed: int, games: int, figures: "dict[str, Sums]"
) -> str:
    import msgspec

    from companion.rehearsal import report

    if kind == ".json":
        plain = report.as_json(setting, other, seed, games, figures)
        return msgspec.json.format(msgspec.json.encode(plain), indent=2).decode() + "\n"
    if kind == ".csv":
        return report.as_csv(figures, compares=other is not None)
    lines = (*report.describe(setting, other, seed, games), "", *report.rows(figures, compares=other is not None))
    return "\n".join(lines) + "\n"


def _temperaments(text: str) -> tuple[str, ...]:
    """The words of --wizards. Raises Misused."""
    from companion.rehearsal.temperaments import TEMPERAMENTS

    words = tuple(word.strip().lower() for word in text.split(","))
    for word in words:
        if word not in TEMPERAMENTS:
            raise Misused(f"Nobody plays like “{word}”; there are {', '.join(TEMPERAMENTS)} (--temperaments says how).")
    return words


def _agreed(rules: Sequence[str]) -> tuple[tuple[str, str], ...]:
    """House rules as KEY=VALUE, without those that change nothing. Raises Misused."""
    from companion.games.decknforge.house import House
    from companion.tabletop.action import RuleError

    house = House()
    for rule in rules:
        key, equals, value = rule.partition("=")
        if not equals:
            if rule.lower() == _DEFAULT and len(rules) == 1:
                continue
            raise Misused(f"“{rule}” is no house rule; write KEY=VALUE, such as pressure=3.")
        try:
            house = house.agreed(key, value)
        except RuleError as error:
            raise Misused(str(error)) from error
    if house.track != "all":
        raise Misused("Simulated people track everything; leave the rule “track” out.")
    return house.changed()
