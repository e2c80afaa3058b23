"""`companion rehearse`: many games played by simulated people, and statistics on their rules."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
import msgspec

from companion.cli.common import (
    PIPE,
    Misused,
    archive_option,
    check_file,
    find_deck,
    force_option,
    fresh_file,
    json_option,
    open_archive,
    output_option,
    pages_at_hand,
    print_json,
    print_or_write,
    read_text,
    tell_written,
)
from companion.cli.deck_lists import read_list_text
from companion.cli.rehearsals import runs
from companion.forms.rehearsal_runs import draw_report, plan_run
from companion.games import registry
from companion.games.described import load
from companion.rehearsal.decks import deck_text, example_texts, stored_deck_text
from companion.rehearsal.design import Comparison, OneSetting
from companion.rehearsal.kinds import report_csv, report_plain, report_text
from companion.rehearsal.levers import read_factorial, read_race
from companion.rehearsal.play import rehearsal_of, thinks
from companion.tabletop.rehearsal import RehearsalSetting, RemovableEffects
from templates.languages.messages import phrase, phrases

if TYPE_CHECKING:
    from companion.rehearsal.design import Factorial, Race
    from companion.rehearsal.kinds import AnyReport
    from companion.tabletop.game import Game
    from companion.tabletop.rehearsal import Rehearsal


_DEFAULT = "default"


_DRAWINGS = (".pdf", ".svg")
"""Suffixes of files that are drawn."""


_LARGEST = 2**63 - 1
"""The largest seed, which random generators and archives accept."""


@click.command("rehearse")
@click.argument("game", required=False)
@click.option("--players", type=click.IntRange(1), help="Players at the table; default: the usual number for the game.")
@click.option(
    "--games",
    type=click.IntRange(1, 10**12),
    default=1000,
    show_default=True,
    help="Games to play; with --sweep, the maximum.",
)
@click.option(
    "--evenings",
    type=click.IntRange(1),
    default=1,
    show_default=True,
    help="Play campaigns of this many evenings, in which decks live on; --games is then the number of campaigns.",
)
@click.option(
    "--seed",
    type=click.IntRange(0, _LARGEST),
    default=0,
    show_default=True,
    help="Seed of the random numbers; the same seed gives the same games.",
)
@click.option("--rule", "rules", multiple=True, metavar="KEY=VALUE", help="A house rule; can be repeated.")
@click.option(
    "--against",
    multiple=True,
    metavar="KEY=VALUE|RUN",
    help="Compare with the same games by this house rule; “default” means the rules as printed. Or compare with a kept "
    "rehearsal, by id or name.",
)
@click.option(
    "--without",
    metavar="NAME",
    help="Compare with the same games in which the card text with this name, printed or of a homebrew, does nothing.",
)
@click.option(
    "--sweep",
    metavar="KEY,…",
    help="Try all combinations of these house rules and rank their effects: KEY, KEY=VALUE or KEY=VALUE:VALUE:….",
)
@click.option(
    "--figure", metavar="KEY", help="Figure by which --sweep ranks effects; default: the first figure of a report."
)
@click.option(
    "--find",
    metavar="FIGURE=VALUE",
    help="Find the combination of --sweep that comes closest to this result, such as win=0.55. Those that are surely "
    "farther away drop out.",
)
@click.option(
    "--margin",
    type=click.FloatRange(0, min_open=True),
    help="Smallest difference that matters to --sweep and --find, in points or in the unit of the figure; default: 2 "
    "points, or a twentieth of the figure. They stop once all results are certain to this margin.",
)
@click.option(
    "--wizards",
    metavar="NAME,…",
    help="How people play, clockwise; fewer than the seats are repeated. Default: greedy or careful, depending on "
    "GAME.",
)
@click.option(
    "--decks",
    metavar="LIST,…",
    help="Decks to play with: files, or decks from the archive; fewer than the seats are repeated. Default: the game's "
    "own.",
)
@click.option(
    "--homebrew",
    type=click.File("rb"),
    help="Homebrew file to add to the game; instead, GAME can be the name of an added homebrew.",
)
@click.option(
    "--effort", type=click.IntRange(1, 10_000), help="Number of continuations that a thinker tries for each choice."
)
@click.option("--temperaments", is_flag=True, help="List the simulated people who can play GAME, without playing.")
@click.option("--jobs", type=click.IntRange(1), default=os.cpu_count() or 1, show_default=True, help="Processes.")
@runs.keeping_options
@output_option("File to write: a report as .pdf, its charts as .svg, data as .json or .csv; any other ending is text.")
@force_option
@archive_option
@json_option
def command(
    game: str | None,
    players: int | None,
    games: int,
    evenings: int,
    seed: int,
    rules: Sequence[str],
    against: Sequence[str],
    without: str | None,
    sweep: str | None,
    figure: str | None,
    find: str | None,
    margin: float | None,
    wizards: str | None,
    decks: str | None,
    homebrew: Any,
    effort: int | None,
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
    """Have simulated people play GAME many times, and report the results with 95 % intervals.

    The same seed gives the same figures on any machine and any number of cores. With --against, every game is played by
    both rules with the same random numbers, so that small differences become visible. Ctrl+C stops the rehearsal and
    reports the results so far; if they are kept in an archive, --continue goes on later, even after a crash.

    \b
    Examples: companion rehearse GAME --players 4 --games 10000 --wizards table
              companion rehearse GAME --rule pressure=3 --against default --wizards greedy -o pressure.pdf
              companion rehearse GAME --without echo --wizards greedy,careful
              companion rehearse GAME --sweep pressure=3,comeback --games 5000
              companion rehearse GAME --sweep pressure=2:3:4 --find win=0.55
              companion rehearse GAME --evenings 12 --games 200 --wizards careful
              companion rehearse GAME --decks ash-pack.txt,"Tide Line" --wizards careful
              companion rehearse GAME --games 1000000 --on tcp://192.168.1.10:8786
              companion rehearse --continue 7K3M9Q
    """
    context = click.get_current_context()
    name = _read_name(name, keep=keep)
    if lists:
        runs.check_alone(context, "lists", "game", "archive")
        runs.print_runs(archive, game, as_json=as_json)
        return
    if game is None and show is None and continued is None:
        raise click.UsageError(str(phrase("Missing argument 'GAME'.")), context)
    if game is not None and temperaments:
        runs.check_alone(context, "temperaments", "game", "archive")
        game, _ = _find_game(game, None, archive)
        _tell_temperaments(rehearsal_of(game), as_json=as_json)
        return
    if show is not None:
        runs.check_alone(context, "show", "archive", "against", "out", "force")
    _check_output(out, as_json=as_json, force=force)
    other = runs.read_run(archive, against[0]) if _names_run(against) else None
    rules_against = () if other else against
    if show is not None:
        run = runs.show_run(archive, show)
    elif continued is not None:
        run = runs.continue_run(context, archive, continued)
    else:
        game, brew = _find_game(game or "", homebrew, archive)
        setting = _parse_setting(game, players, rules, wizards, evenings, decks, effort, brew, archive)
        is_sequential = any(option is not None for option in (sweep, figure, find, margin))
        if without is not None and (against or is_sequential):
            raise Misused(phrase("--without compares with the same games without it; leave --against and --sweep out."))
        design = (
            _sequential_design(setting, rehearsal_of(setting.game, brew), sweep, figure, find, margin, against)
            if is_sequential
            else _whole_design(setting, rules_against)
            if without is None
            else _design_without(setting, rehearsal_of(setting.game, brew), without)
        )
        run = plan_run(design, seed, games)
        _check_people(setting)
    outcome = runs.RehearsalOutcome(run.stored, run.progress)
    if outcome.progress.units < run.games:
        outcome = runs.play(run, archive, runs.find_workers(on, jobs, run.game), name, keep=keep)
    report = runs.report_of(run, outcome, other)
    plain = report_plain(report) | runs.plain_origin(run, outcome, other)
    if out is None and as_json:
        print_json(plain)
    else:
        _print_report(report, plain, run.game, out, as_json=as_json, force=force)
    runs.tell_outcome(outcome, quiet=as_json)


def _print_report(
    report: AnyReport, plain: Mapping[str, object], game: str, out: Path | None, *, as_json: bool, force: bool
) -> None:
    """Print a report, or write it into a file; the suffix decides whether it is text or drawn."""
    what = phrases("the figures of {n} rehearsed game.", "the figures of {n} rehearsed games.", n=report.units)
    if out is not None and out.suffix.lower() in _DRAWINGS:
        with fresh_file(out, force=force) as draft:
            draft.write_bytes(draw_report(report, game, out.suffix.lower()))
        tell_written(out, what)
        return
    print_or_write(_format_report(report, plain, out, as_json), out, what, force=force)


def _read_name(name: str, *, keep: bool | None) -> str:
    """Return the name of a rehearsal. Raises Misused if it has one but is not stored."""
    if name.strip() and keep is False:
        raise Misused(phrase("--name is what it is called where it is kept; leave out --name or --no-keep."))
    return name.strip()


def _check_people(setting: RehearsalSetting) -> None:
    """Raise Misused if more players are named than there are seats, or an effort that no player uses."""
    if len(setting.temperaments) > setting.players:
        raise Misused(
            phrases(
                "--wizards names {names}, and there is room for {n} player; --players says how many.",
                "--wizards names {names}, and there is room for {n} players; --players says how many.",
                n=setting.players,
                names=len(setting.temperaments),
            )
        )
    if setting.effort and not thinks(setting):
        raise Misused(phrase("--effort says how much a thinker tries, and nobody of --wizards is one; leave it out."))


def _find_game(game: str, homebrew: Any, archive: str | None) -> tuple[str, str]:
    """Return the name of a game, and the text of its homebrew: that of a file, or the one that `game` names.

    Raises Misused, NotationError.
    """
    with pages_at_hand(archive):
        rules = registry.game(game)
    if rules.word == rules.name:
        return rules.name, read_text(homebrew) if homebrew else ""
    if homebrew:
        raise Misused(
            phrase("{word} is a homebrew itself, and a table has one; leave --homebrew out.", word=rules.word)
        )
    return rules.name, load.text_of(rules.page) or ""


def _parse_setting(
    game: str,
    players: int | None,
    rules: Sequence[str],
    wizards: str | None,
    evenings: int,
    decks: str | None,
    effort: int | None,
    homebrew: str,
    archive: str | None,
) -> RehearsalSetting:
    """Return the setting of the options. Raises Misused, NotationError, and the archive's errors about decks."""
    rehearsal = rehearsal_of(game, homebrew)
    who = rehearsal.usual_temperaments
    if wizards is not None:
        who = tuple(name.strip().lower() for name in wizards.split(","))
    texts = _read_decks(registry.from_text(homebrew) if homebrew else registry.game(game), decks, archive)
    return RehearsalSetting(
        game,
        players or rehearsal.usual_players,
        _read_rules(rules),
        who,
        evenings,
        texts,
        effort or 0,
        homebrew=homebrew,
    )


def _names_run(against: Sequence[str]) -> bool:
    """Return True if `--against` names a stored rehearsal, and no other rules."""
    return len(against) == 1 and "=" not in against[0] and against[0].lower() != _DEFAULT


def _check_output(out: Path | None, *, as_json: bool, force: bool) -> None:
    """Raise Misused or Refused if the report could not be written, before anything is played for it."""
    if out is None or out == PIPE:
        return
    if out.suffix.lower() not in (*_DRAWINGS, ".json", ".csv", ".txt", ""):
        raise Misused(
            phrase("A report is written as .pdf, .svg, .txt, .csv or .json, not as {suffix}.", suffix=out.suffix)
        )
    if as_json and out.suffix.lower() in (*_DRAWINGS, ".csv"):
        raise Misused(
            phrase("“{out}” would be no JSON; leave --json out, or name a file that ends in .json.", out=out.name)
        )
    check_file(out, force=force)


def _whole_design(setting: RehearsalSetting, against: Sequence[str]) -> OneSetting | Comparison:
    if not against:
        return OneSetting(setting)
    other = msgspec.structs.replace(setting, rules=_read_rules(against))
    if other == setting:
        raise Misused(phrase("--against names the rules that are played anyway; say by --rule KEY=VALUE what differs."))
    return Comparison(setting, other)


def _design_without(setting: RehearsalSetting, rehearsal: Rehearsal, name: str) -> Comparison:
    """Return a comparison of the setting with itself without an effect. Raises Misused, NotationError."""
    if not isinstance(rehearsal, RemovableEffects):
        raise Misused(
            phrase(
                "{game} has nothing on its cards that could do nothing; leave --without out.",
                game=registry.title(setting.game),
            )
        )
    return Comparison(setting, msgspec.structs.replace(setting, without=(rehearsal.find_effect(name),)))


def _sequential_design(
    setting: RehearsalSetting,
    rehearsal: Rehearsal,
    sweep: str | None,
    figure: str | None,
    find: str | None,
    margin: float | None,
    against: Sequence[str],
) -> Factorial | Race:
    """Return the design of a sweep or a search. Raises Misused, NotationError, RuleError."""
    if against:
        raise Misused(phrase("--sweep compares the values that it names; leave --against out."))
    if not sweep:
        raise Misused(
            phrase("Say what house rules are turned: --sweep KEY=VALUE:VALUE,…; that goes with the other options.")
        )
    if find is not None and figure is not None:
        raise Misused(phrase("--find names its figure itself; leave --figure out."))
    house = registry.game(setting.game).house
    if find is not None:
        return read_race(sweep, find, margin, setting, rehearsal, house)
    return read_factorial(sweep, figure or "", margin, setting, rehearsal, house)


def _tell_temperaments(rehearsal: Rehearsal, *, as_json: bool) -> None:
    if as_json:
        print_json([{"name": temperament.name, "text": temperament.text} for temperament in rehearsal.temperaments])
        return
    for temperament in rehearsal.temperaments:
        click.echo(click.wrap_text(f"{temperament.name}: {temperament.explanation}", 80, subsequent_indent="  "))


def _format_report(report: AnyReport, plain: Mapping[str, object], out: Path | None, as_json: bool) -> str:
    """Return the report as text in the format of the file's suffix."""
    kind = out.suffix.lower() if out is not None else ""
    if kind == ".json" or as_json:
        return msgspec.json.format(msgspec.json.encode(plain), indent=2).decode() + "\n"
    if kind == ".csv":
        return report_csv(report)
    return "\n".join(report_text(report)) + "\n"


def _read_decks(game: Game, decks: str | None, archive: str | None) -> tuple[str, ...]:
    """Return the texts of decks, each a file or a deck of the archive; if none are named, those of the game's examples.

    Raises Misused, and the archive's errors about missing decks.
    """
    if decks is None:
        return example_texts(game)
    texts = []
    for word in filter(None, map(str.strip, decks.split(","))):
        file = Path(word)
        if file.is_file():
            with file.open("rb") as opened_file:
                texts.append(deck_text(game, file.stem, read_list_text(opened_file)))
        elif file.suffix:
            raise Misused(phrase("There is no file “{word}”; name a deck list, or a deck of the archive.", word=word))
        else:
            with open_archive(archive) as opened:
                texts.append(stored_deck_text(game, opened, find_deck(opened, word)))
    return tuple(texts)


def _read_rules(rules: Sequence[str]) -> tuple[tuple[str, str], ...]:
    """Parse house rules as KEY=VALUE, sorted by key; `default` alone means none. Raises Misused."""
    if [rule.lower() for rule in rules] == [_DEFAULT]:
        return ()
    pairs: dict[str, str] = {}
    for rule in rules:
        key, equals, value = rule.partition("=")
        if not (equals and key and value):
            raise Misused(phrase("“{rule}” is no house rule; write KEY=VALUE, such as pressure=3.", rule=rule))
        if pairs.setdefault(key, value) != value:
            raise Misused(
                phrase(
                    "{key} is said twice, as {pairs} and as {value}; leave one out.",
                    key=key,
                    pairs=pairs[key],
                    value=value,
                )
            )
    return tuple(sorted(pairs.items()))
