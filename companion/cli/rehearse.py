"""`companion rehearse`: many games played by simulated people, and what the rules make of them."""

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click
import msgspec

from companion.cli.common import (
    Misused,
    archive_option,
    check_file,
    force_option,
    json_option,
    output_option,
    print_json,
    print_or_write,
)
from companion.cli.rehearsals import runs

if TYPE_CHECKING:
    from companion.rehearsal.design import Comparison, OneSetting
    from companion.rehearsal.report import Report
    from companion.tabletop.rehearsal import Setting

_DEFAULT = "default"


@click.command("rehearse")
@click.argument("game", required=False)
@click.option("--players", type=click.IntRange(1), default=3, show_default=True, help="How many sit there.")
@click.option("--games", type=click.IntRange(1), default=1000, show_default=True, help="How many are played.")
@click.option("--seed", type=click.IntRange(0), default=0, show_default=True, help="The same one, the same games.")
@click.option("--rule", "rules", multiple=True, metavar="KEY=VALUE", help="A house rule; may be said several times.")
@click.option(
    "--against",
    multiple=True,
    metavar="KEY=VALUE|RUN",
    help="Compare with the same games by this house rule instead; “default” for the rules as printed. Or with a kept "
    "rehearsal, by its id or name.",
)
@click.option(
    "--wizards", metavar="NAME,…", default="random", show_default=True, help="Who plays, clockwise; fewer come again."
)
@click.option("--temperaments", is_flag=True, help="Say who can play GAME, and how; nothing is played.")
@click.option("--jobs", type=click.IntRange(1), default=os.cpu_count() or 1, show_default=True, help="Processes.")
@runs.keeping_options
@output_option("Write it into a file: .json, .csv, or else text.")
@force_option
@archive_option
@json_option
def command(
    game: str | None,
    players: int,
    games: int,
    seed: int,
    rules: Sequence[str],
    against: Sequence[str],
    wizards: str,
    temperaments: bool,
    jobs: int,
    continued: str | None,
    lists: bool,
    show: str | None,
    keep: bool | None,
    name: str,
    on: str | None,
    out: Path | None,
    force: bool,
    archive: str | None,
    as_json: bool,
) -> None:
    """Have simulated people play GAME many times, and say what came of it, with 95 % intervals.

    The figures are the same for the same seed, on any machine and any number of cores. With --against every game is
    played by both rules with the same chance, so that small differences can be seen. Ctrl+C ends it with what is there;
    where it is kept in an archive, --continue goes on with it later, also after the machine went down.

    \b
    Examples: companion rehearse GAME --players 4 --games 10000 --wizards table
              companion rehearse GAME --rule pressure=3 --against default --wizards greedy
              companion rehearse GAME --games 1000000 --on tcp://192.168.1.10:8786
              companion rehearse --continue 7K3M9Q
    """
    from companion.rehearsal.report import plain_report

    if lists:
        runs.print_runs(archive, game, as_json=as_json)
        return
    if game is None and show is None and continued is None:
        raise click.UsageError("Missing argument 'GAME'.", click.get_current_context())
    if game is not None and temperaments:
        _tell_temperaments(game)
        return
    if out is not None:
        _kind_of(out)
        check_file(out, force=force)
    other = runs.read_run(archive, against[0]) if _names_run(against) else None
    if show is not None:
        run = runs.show_run(archive, show)
    elif continued is not None:
        run = runs.continue_run(click.get_current_context(), archive, continued)
    else:
        setting = _setting(game or "", players, rules, wizards)
        run = runs.new_run(_whole_design(setting, () if other else against), seed, games)
    outcome = runs.Outcome(run.stored, run.progress)
    if outcome.progress.units < run.games:
        outcome = runs.play(run, archive, runs.find_workers(on, jobs, run.game), name, keep=keep)
    report = runs.report_of(run, outcome, other)
    plain = plain_report(report) | runs.plain_origin(run, outcome, other)
    if out is None and as_json:
        print_json(plain)
    else:
        what = f"the figures of {report.units:,} rehearsed games."
        print_or_write(_write(report, plain, out, as_json), out, what, force=force)
    runs.tell_outcome(outcome, quiet=as_json)


def _setting(game: str, players: int, rules: Sequence[str], wizards: str) -> "Setting":
    """What is played, by the options. Raises Misused, NotationError."""
    from companion.games import registry
    from companion.tabletop.rehearsal import Setting

    who = tuple(name.strip().lower() for name in wizards.split(","))
    return Setting(registry.game(game).name, players, _read_rules(rules), who)


def _whole_design(setting: "Setting", against: Sequence[str]) -> "OneSetting | Comparison":
    from companion.rehearsal.design import Comparison, OneSetting

    if not against:
        return OneSetting(setting)
    return Comparison(setting, msgspec.structs.replace(setting, rules=_read_rules(against)))


def _names_run(against: Sequence[str]) -> bool:
    """Whether it is compared with a kept rehearsal, and not with other rules."""
    return len(against) == 1 and "=" not in against[0] and against[0].lower() != _DEFAULT


def _tell_temperaments(game: str) -> None:
    from companion.rehearsal.play import rehearsal_of

    for temperament in rehearsal_of(game).temperaments:
        click.echo(click.wrap_text(f"{temperament.name}: {temperament.text}", 80, subsequent_indent="  "))


def _kind_of(out: Path | None) -> str:
    """The format of a file, by its name. Raises Misused."""
    kind = out.suffix.lower() if out is not None else ""
    if kind not in ("", ".txt", ".csv", ".json"):
        raise Misused(f"A report is written as .txt, .csv or .json, not as {kind}.")
    return kind


def _write(report: "Report", plain: Mapping[str, object], out: Path | None, as_json: bool) -> str:
    """The report in the format that the file's name says. Raises Misused."""
    from companion.rehearsal.report import as_csv, as_text

    if (kind := _kind_of(out)) == ".json" or as_json:
        return msgspec.json.format(msgspec.json.encode(plain), indent=2).decode() + "\n"
    return as_csv(report) if kind == ".csv" else "\n".join(as_text(report)) + "\n"


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
