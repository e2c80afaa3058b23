"""`companion rehearse`: many games played by simulated people, and what the rules make of them."""

import math
import os
import sys
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

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
)

if TYPE_CHECKING:
    from click._termui_impl import ProgressBar

    from companion.rehearsal.search import Search
    from companion.rehearsal.sweep import Sweep
    from companion.tabletop.rehearsal import Figure, Rehearsal, Setting

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
    "--sweep",
    metavar="KEY,…",
    help="Turn these house rules in all combinations and rank what they do: KEY, KEY=VALUE or KEY=VALUE:VALUE:….",
)
@click.option("--figure", metavar="KEY", help="On what --sweep ranks effects; else the first figure of a report.")
@click.option(
    "--find",
    metavar="FIGURE=VALUE",
    help="Which of the combinations of --sweep comes nearest to this: win=0.55. Those surely farther away drop out.",
)
@click.option(
    "--margin",
    type=click.FloatRange(0, min_open=True),
    help="The least difference that matters to --sweep and --find, in points or the figure's unit; else 2 points, or a "
    "twentieth of the figure. They end when all is sure up to that.",
)
@click.option(
    "--wizards", metavar="NAME,…", default="random", show_default=True, help="Who plays, clockwise; fewer come again."
)
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
    sweep: str | None,
    figure: str | None,
    find: str | None,
    margin: float | None,
    wizards: str,
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
              companion rehearse GAME --sweep pressure=3,comeback --games 5000
              companion rehearse GAME --sweep pressure=2:3:4 --find win=0.55
    """
    from companion.rehearsal.design import Comparison, OneSetting
    from companion.rehearsal.estimate import Sums, merge
    from companion.rehearsal.play import rehearsal_of
    from companion.rehearsal.report import as_csv, as_text, make_report, plain_report
    from companion.rehearsal.run import WorkersDied, local_workers, rehearse
    from companion.tabletop.rehearsal import Setting

    rehearsal = rehearsal_of(game)
    if temperaments:
        _tell_temperaments(rehearsal)
        return
    who = tuple(name.strip().lower() for name in wizards.split(","))
    setting = Setting(game, players, _read_rules(rules), who)
    if sweep or find or figure or margin:
        if against:
            raise Misused("--sweep compares the values that it names; leave --against out.")
        sequential = _make_sequential(rehearsal, setting, sweep, figure, find, margin)
        _carry_out(sequential, rehearsal, seed, games, jobs)
        _print_report(
            _sequential_formats(sequential, rehearsal, seed), out, as_json=as_json, units=sequential.units, force=force
        )
        return
    other = Setting(game, players, _read_rules(against), who) if against else None
    design = OneSetting(setting) if other is None else Comparison(setting, other)
    for each in design.settings:
        rehearsal.check(each)
    sums: dict[str, Sums] = {}
    played = 0
    headline = rehearsal.figures[0]
    with _progress_bar(games) as bar:
        try:
            for units, batch in rehearse(design, seed, range(games), local_workers(jobs)):
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
    report = make_report((*rehearsal.figures, *rehearsal.tables), setting, other, seed, sums)
    formats = _Formats(
        lambda: as_text(report),
        lambda: plain_report(report),
        lambda: as_csv(report),
    )
    _print_report(formats, out, as_json=as_json, units=played, force=force)


def _progress_bar(games: int) -> "ProgressBar[int]":
    return click.progressbar(length=games, label="Rehearsing", file=sys.stderr, hidden=not sys.stderr.isatty())


class _Formats(NamedTuple):
    """A report as people, programs and spreadsheets read it."""

    text: Callable[[], Iterable[str]]
    plain: Callable[[], dict[str, Any]]
    csv: Callable[[], str]


def _make_sequential(
    rehearsal: "Rehearsal",
    setting: "Setting",
    sweep: str | None,
    figure: str | None,
    find: str | None,
    margin: float | None,
) -> "Sweep | Search":
    """What a sweep or a search plays. Raises Misused, NotationError, RuleError."""
    from companion.games import registry
    from companion.rehearsal.design import Factorial
    from companion.rehearsal.levers import read_levers
    from companion.rehearsal.search import Search, make_race
    from companion.rehearsal.sweep import Sweep

    if not sweep:
        raise Misused("Say what house rules are turned: --sweep KEY=VALUE:VALUE,…; that goes with the other options.")
    if find and figure:
        raise Misused("--find names its figure itself; leave --figure out.")
    setting, levers = read_levers(sweep.split(","), setting, registry.game(setting.game).house)
    key, _, wish = find.partition("=") if find else (figure or rehearsal.figures[0].key, "", "")
    chosen = next((each for each in rehearsal.figures if each.key == key), None)
    if chosen is None:
        raise Misused(f"There is no figure “{key}”; known are: {', '.join(each.key for each in rehearsal.figures)}.")
    if margin is not None and chosen.is_part:
        margin /= 100
    if find:
        return Search(make_race(setting, levers, chosen, _read_wish(wish, chosen), margin), chosen)
    design = Factorial(setting, levers, chosen.key, margin)
    design.check()
    return Sweep(design, chosen)


def _read_wish(text: str, figure: "Figure") -> float:
    """A value of a figure; shares also in per cent. Raises Misused."""
    number = text.strip().removesuffix("%")
    try:
        wish = float(number) / (100 if number != text.strip() else 1)
    except ValueError as error:
        raise Misused(f"“{text}” is no value of a figure; write FIGURE=VALUE, such as {figure.key}=0.55.") from error
    if not (0 <= wish <= 1 if figure.is_part else math.isfinite(wish)):
        raise Misused(f"{figure.title} cannot be {text}: it lies between 0 and 1; write {figure.key}=0.55 or 55%.")
    return wish


def _carry_out(sequential: "Sweep | Search", rehearsal: "Rehearsal", seed: int, games: int, jobs: int) -> None:
    """Plays one until it is sure, the games are played, or somebody stops it. Raises Refused, RuleError."""
    from companion.rehearsal.run import WorkersDied, local_workers
    from companion.rehearsal.sequential import carry_out

    for setting in sequential.design.settings:
        rehearsal.check(setting)
    with _progress_bar(games) as bar:
        try:
            for units in carry_out(sequential, seed, games, local_workers(jobs)):
                if not bar.hidden:
                    bar.label = sequential.progress
                bar.update(units)
        except WorkersDied as error:
            raise Refused(str(error)) from error
        except KeyboardInterrupt:
            click.echo(f"\nStopped after {sequential.units:,} of {games:,}.", err=True)


def _sequential_formats(sequential: "Sweep | Search", rehearsal: "Rehearsal", seed: int) -> _Formats:
    """The report of a sweep or a search."""
    from companion.rehearsal.search import plain_search, search_csv, search_text
    from companion.rehearsal.sweep import Sweep, plain_sweep, sweep_csv, sweep_text

    if isinstance(sequential, Sweep):
        swept = sequential.report(rehearsal.figures, seed)
        return _Formats(lambda: sweep_text(swept), lambda: plain_sweep(swept), lambda: sweep_csv(swept))
    searched = sequential.report(rehearsal.figures, seed)
    return _Formats(lambda: search_text(searched), lambda: plain_search(searched), lambda: search_csv(searched))


def _print_report(formats: _Formats, out: Path | None, *, as_json: bool, units: int, force: bool) -> None:
    """Prints or writes a report. Raises Misused where nothing was played."""
    if not units:
        raise Misused("Nothing was played yet, so there are no figures.")
    if out is None and as_json:
        print_json(formats.plain())
        return
    print_or_write(_write(formats, out, as_json), out, f"the figures of {units:,} rehearsed games.", force=force)


def _tell_temperaments(rehearsal: "Rehearsal") -> None:
    for temperament in rehearsal.temperaments:
        click.echo(click.wrap_text(f"{temperament.name}: {temperament.text}", 80, subsequent_indent="  "))


def _write(formats: _Formats, out: Path | None, as_json: bool) -> str:
    """The report in the format that the file's name says. Raises Misused."""
    import msgspec

    kind = out.suffix.lower() if out is not None else ""
    if kind == ".json" or as_json:
        return msgspec.json.format(msgspec.json.encode(formats.plain()), indent=2).decode() + "\n"
    if kind == ".csv":
        return formats.csv()
    if kind not in ("", ".txt"):
        raise Misused(f"A report is written as .txt, .csv or .json, not as {kind}.")
    return "\n".join(formats.text()) + "\n"


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
