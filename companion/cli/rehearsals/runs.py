"""Stored rehearsals: how one begins or continues, is stored while it is played, listed, shown and compared."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeVar

import click
from click.core import ParameterSource

from companion.archive import ArchiveError, Unreadable, rehearsals
from companion.archive.errors import Clause
from companion.archive.storage.location import VARIABLE, archive_file
from companion.cli.common import (
    Misused,
    Refused,
    describe_error,
    end_refused,
    format_local_time,
    open_archive,
    pages_at_hand,
    print_list,
    sanitize,
)
from companion.forms import rehearsal_runs
from companion.forms.rehearsal_runs import RunPlayer
from companion.games import registry
from companion.rehearsal import storage
from companion.rehearsal.storage import Run
from companion.rehearsal.workers import cluster_workers, local_workers
from companion.tabletop.action import RuleError
from templates.languages.messages import decimal, phrase

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from companion.rehearsal.kinds import AnyReport
    from companion.rehearsal.run import Progress
    from companion.rehearsal.storage import Origin, Recorder, StoredRehearsal

_Command = TypeVar("_Command", bound=Callable[..., Any])

_ANYWAY: Final = frozenset(
    {"continued", "archive", "as_json", "out", "force", "jobs", "on", "keep", "games", "against"}
)
"""The parameters that may go with `--continue`, as they change nothing of what is played, or are checked elsewhere."""


def keeping_options(command: _Command) -> _Command:
    """Add `--on` and the options for stored rehearsals; the command gets `on`, `name`, `keep`, `show`, `lists` and
    `continued`.
    """
    for option in (
        click.option("--on", metavar="tcp://HOST:PORT", help="Play on the workers of this Dask scheduler."),
        click.option("--name", metavar="NAME", default="", help="Name under which to keep the rehearsal."),
        click.option(
            "--keep/--no-keep",
            default=None,
            help="Keep the rehearsal in the archive; default: if you have an archive or name one.",
        ),
        click.option("--show", metavar="RUN", help="Show the results of a kept rehearsal, without playing."),
        click.option("--runs", "lists", is_flag=True, help="List the kept rehearsals, without playing."),
        click.option("--continue", "continued", metavar="RUN", help="Continue a kept rehearsal, by id or name."),
    ):
        command = option(command)
    return command


class RehearsalOutcome(NamedTuple):
    """The result of a rehearsal: its stored form, its progress, and sentences about problems."""

    stored: StoredRehearsal | None
    progress: Progress
    faults: tuple[str, ...] = ()
    is_new: bool = False
    """True if more of it is stored than before."""


# Finding one


def print_runs(archive: str | None, game: str | None, *, as_json: bool) -> None:
    """List the stored rehearsals, of one game or of all."""
    with open_archive(archive) as opened:
        word = registry.game(game).name if game else ""
        rows = [row for row in rehearsals.rehearsals(opened) if word in ("", row.game)]
    print_list(
        rows,
        (
            "ID",
            phrase("Name"),
            phrase("Game"),
            phrase("What"),
            phrase("Games"),
            phrase("Seed"),
            phrase("Edition"),
            phrase("Counted"),
        ),
        lambda row: (
            row.rehearsal,
            sanitize(row.name),
            row.game,
            sanitize(rehearsal_runs.describe_run(row)),
            phrase("{n} of {all}", n=row.units, all=row.games) if row.units < row.games else decimal(row.units, 0),
            str(row.seed),
            str(row.edition),
            format_local_time(row.updated),
        ),
        phrase("No rehearsal is kept here yet."),
        as_json=as_json,
    )


def check_alone(context: click.Context, option: str, *besides: str) -> None:
    """Raise Misused if any option goes with one by which nothing is played, except for `besides` and --json."""
    parameters = {str(parameter.name): parameter for parameter in context.command.params}
    for name, parameter in parameters.items():
        is_said = context.get_parameter_source(name) is ParameterSource.COMMANDLINE
        if is_said and name not in (option, "as_json", *besides):
            other = parameter.human_readable_name if name == "game" else parameter.opts[0]
            raise Misused(
                phrase("{opts} plays nothing; leave {other} out.", opts=parameters[option].opts[0], other=other)
            )


def read_run(archive: str | None, text: str) -> StoredRehearsal:
    """Return the stored rehearsal of an id or a name. Raises Unknown, ArchiveError."""
    with open_archive(archive) as opened:
        return storage.read(opened, text)


def show_run(archive: str | None, text: str) -> Run:
    """Return a stored rehearsal at its present state, without playing more of it."""
    stored = read_run(archive, text)
    return stored.as_run(stored.progress.units)


def continue_run(context: click.Context, archive: str | None, text: str) -> Run:
    """Return a stored rehearsal to continue, up to the number of games in its record or in the options.

    Raises Misused if an option asks for something else to be played, and RuleError if another program would play it, or
    by other rules.
    """
    stored = read_run(archive, text)
    with pages_at_hand(archive):
        _check_same(context, stored)
    storage.check_same_program(stored)
    is_said = context.get_parameter_source("games") is ParameterSource.COMMANDLINE
    games = max(context.params["games"], stored.progress.units) if is_said else stored.row.games
    return stored.as_run(games)


def _check_same(context: click.Context, stored: StoredRehearsal) -> None:
    """Raise Misused if an option differs from the stored rehearsal."""
    setting, values = stored.design.settings[0], dict(context.params)
    values["game"] = registry.game(values["game"]).name if values["game"] else None
    values["wizards"] = tuple(name.strip().lower() for name in (values["wizards"] or "").split(","))
    values["rules"] = tuple(sorted(values["rules"]))
    began = {
        "game": stored.row.game,
        "players": setting.players,
        "evenings": setting.evenings,
        "seed": stored.row.seed,
        "wizards": setting.temperaments,
        "rules": tuple(f"{key}={value}" for key, value in setting.rules),
    }
    for parameter in context.command.params:
        name = str(parameter.name)
        is_said = context.get_parameter_source(name) is ParameterSource.COMMANDLINE
        if is_said and name not in _ANYWAY and (name not in began or values[name] != began[name]):
            option = parameter.human_readable_name if name == "game" else parameter.opts[0]
            raise Misused(
                phrase(
                    "{label} goes on as it was begun; leave out {option}, or begin another one.",
                    label=stored.label,
                    option=option,
                )
            )


# Playing it


def play(
    run: Run, archive: str | None, workers: Callable[[], Executor], name: str, *, keep: bool | None
) -> RehearsalOutcome:
    """Play the rest of a rehearsal, until it ends or the user stops it, and store it meanwhile.

    Raises RuleError, ArchiveError, Misused; and Refused if nothing could be played.
    """
    recorder = _open_recorder(archive, run, name) if _is_kept(archive, keep=keep) else None
    player = RunPlayer(run, recorder, describe_error, (ArchiveError, OSError, click.ClickException))
    _play_with_bar(run, player, workers)
    if not player.progress.units:
        raise Refused(" ".join(player.faults) or phrase("Nothing was played yet, so there are no figures."))
    stored = recorder.current_rehearsal(run.design, player.progress) if recorder is not None else run.stored
    return RehearsalOutcome(stored, player.progress, tuple(player.faults), is_new=recorder is not None)


def find_workers(on: str | None, jobs: int, game: str) -> Callable[[], Executor]:
    """Return a function that starts the workers: processes here, or those `on` a cluster.

    Raises NotationError, ClusterError.
    """
    return cluster_workers(on, game) if on else local_workers(jobs)


def _is_kept(archive: str | None, *, keep: bool | None) -> bool:
    """Return True if a rehearsal is stored: by default, if an archive is named or exists."""
    if keep is not None:
        return keep
    own = archive_file(None) if archive is None and VARIABLE not in os.environ else None
    return own is None or own.is_file()


def _open_recorder(archive: str | None, run: Run, name: str) -> Recorder:
    """Return the recorder that stores a rehearsal while it is played; a new one is stored at once.

    Raises ArchiveError, Misused.
    """
    if run.stored is not None:
        row = run.stored.row
    else:
        try:
            with open_archive(archive, create=True) as opened:
                row = storage.begin(opened, run.game, run.design, run.seed, run.games, name)
        except Unreadable as error:
            raise Misused(
                phrase("{value}; --no-keep rehearses without keeping it.", value=Clause(str(error)))
            ) from error
    return storage.Recorder(partial(open_archive, archive, tells=False), row, run.games)


def _play_with_bar(run: Run, player: RunPlayer, workers: Callable[[], Executor]) -> None:
    """Play a rehearsal, with a bar for its progress and its first results."""
    hidden = not sys.stderr.isatty()
    left = run.games - player.running.units
    with click.progressbar(length=left, label=str(phrase("Rehearsing")), file=sys.stderr, hidden=hidden) as bar:
        try:
            with contextlib.closing(player.play(workers)) as batches:
                for units in batches:
                    if not hidden:
                        bar.label = player.running.progress or bar.label
                    bar.update(units)
        except KeyboardInterrupt:
            stopped = phrase("Stopped after {n} of {all}.", n=player.progress.units, all=run.games)
            click.echo(f"\n{stopped}", err=True)
    player.finish()


# The result


def report_of(run: Run, outcome: RehearsalOutcome, other: StoredRehearsal | None) -> AnyReport:
    """Return the figures of a rehearsal, compared with those of a stored one if `other` is given. Raises Misused."""
    try:
        return rehearsal_runs.make_run_report(run, outcome.progress, _find_origin(run, outcome), other)
    except RuleError as error:
        raise Misused(error.message) from error


def plain_origin(run: Run, outcome: RehearsalOutcome, other: StoredRehearsal | None) -> dict[str, object]:
    """Return further fields of a report for JSON: the program and rules that played it, and the ids of it and the other
    one.
    """
    beside = {"against_run": other.row.rehearsal} if other else {}
    run_id = outcome.stored.row.rehearsal if outcome.stored else None
    return {"run": run_id, **_find_origin(run, outcome)._asdict(), **beside}


def _find_origin(run: Run, outcome: RehearsalOutcome) -> Origin:
    return outcome.stored.origin if outcome.stored else storage.origin_today(run.game)


def tell_outcome(outcome: RehearsalOutcome, *, quiet: bool) -> None:
    """Report where it is stored, unless `quiet`; end the command with the problems, if there are any."""
    if outcome.stored is not None and outcome.is_new and not quiet:
        click.echo(phrase("Kept as {label}.", label=sanitize(outcome.stored.label)), err=True)
    if outcome.faults:
        end_refused(outcome.faults)
