"""Stored rehearsals for commands and pages: how one begins, is played and stored, is described, and is compared."""

from __future__ import annotations

from collections.abc import Callable, Generator
from typing import TYPE_CHECKING, Final

from companion.archive import Archive, ArchiveError
from companion.archive.errors import describe_error
from companion.forms.plain_paper import ink_name, plain_paper
from companion.games import registry
from companion.rehearsal import storage
from companion.rehearsal.design import Comparison, Factorial, OneSetting, Race
from companion.rehearsal.kinds import make_any_report, report_document
from companion.rehearsal.play import rehearsal_of
from companion.rehearsal.report import Report, rules_text
from companion.rehearsal.run import Progress, WorkersDied
from companion.rehearsal.sequential import carry_out
from companion.rehearsal.storage import Run
from companion.rehearsal.workers import ClusterError
from companion.tabletop.action import RuleError
from labels.output import chart_drawing, page
from templates.languages.messages import Text, joined, listed, phrase, phrases

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from companion.archive.storage.rows import RehearsalRow
    from companion.rehearsal.kinds import AnyReport
    from companion.rehearsal.storage import Origin, Recorder, StoredRehearsal

AnyDesign = OneSetting | Comparison | Factorial | Race

_STORING_ERRORS: Final[tuple[type[Exception], ...]] = (ArchiveError, OSError)


def plan_run(design: AnyDesign, seed: int, games: int) -> Run:
    """Return a new rehearsal. Raises RuleError if one of its settings cannot be played."""
    run = Run(design.settings[0].game, design, seed, games)
    for setting in design.settings:
        run.rehearsal.check(setting)
    return run


def describe_run(row: RehearsalRow) -> Text:
    """Return a short description of a stored rehearsal; "" if a later companion made it."""
    try:
        return describe_design(storage.read_design(row.design))
    except ValueError:
        return ""


def describe_design(design: AnyDesign) -> Text:
    """Return the players of a design, and the rules that it plays or compares. Raises ValueError."""
    setting = design.settings[0]
    brew = registry.from_text(setting.homebrew, kept=True).word if setting.homebrew else ""
    rules: Text
    match design:
        case Comparison():
            rules = phrase("{rules} against {other}", rules=rules_text(setting), other=rules_text(design.against))
        case Factorial():
            rules = phrase("sweep of {levers}", levers=listed(lever.key for lever in design.levers))
        case Race():
            rules = phrase(
                "search for {wish} in {n} settings",
                wish=f"{design.figure}={design.wish:g}",
                n=len(design.settings),
            )
        case _:
            rules = rules_text(setting)
    evenings = phrase("{n} evenings", n=setting.evenings) if setting.evenings > 1 else ""
    people = phrases(
        "{n} player ({temperaments})",
        "{n} players ({temperaments})",
        n=setting.players,
        temperaments=",".join(dict.fromkeys(setting.temperaments)),
    )
    return joined(", ", filter(None, (people, evenings, brew, rules)))


class RunPlayer:
    """Plays a rehearsal, and stores it meanwhile if there is a recorder.

    `progress` is the present state; `faults` are sentences about problems. `storing_errors` are what storing may raise.
    """

    def __init__(
        self,
        run: Run,
        recorder: Recorder | None,
        describe: Callable[[Exception], Text] = describe_error,
        storing_errors: tuple[type[Exception], ...] = _STORING_ERRORS,
    ) -> None:
        self.progress = run.progress
        self.faults: list[str] = []
        self.running = run.begin()
        self._run, self._recorder = run, recorder
        self._describe, self._storing_errors = describe, storing_errors

    def play(self, workers: Callable[[], Executor]) -> Generator[int]:
        """Play the rest, and yield the size of each batch; a caller that stops early closes it. Then call `finish`.

        Raises RuleError.
        """
        try:
            for units in carry_out(self.running, self._run.seed, self._run.games, workers):
                self.progress = Progress(self.running.units, self.running.sums)
                self._record(at_the_end=False)
                yield units
        except (WorkersDied, ClusterError) as error:
            self.faults.append(str(error))

    def finish(self) -> None:
        """Store what was played until now."""
        self._record(at_the_end=True)

    def _record(self, *, at_the_end: bool) -> None:
        """Store the present state. After an error, try again later, and report it only at the end."""
        if self._recorder is None:
            return
        try:
            if at_the_end:
                self._recorder.record(self.progress)
            else:
                self._recorder.record_if_due(self.progress)
        except self._storing_errors as error:
            if at_the_end:
                problem = self._describe(error)
                self.faults.append(str(phrase("These figures are not kept: {problem}", problem=problem)))


def make_run_report(run: Run, progress: Progress, origin: Origin, other: StoredRehearsal | None = None) -> AnyReport:
    """Return the figures of a rehearsal; those of a stored one stand beside them if `other` is given.

    Raises RuleError if the two cannot be compared.
    """
    rehearsal = run.rehearsal
    report = make_any_report(run.begin(progress), rehearsal, run.seed)
    if other is None:
        return report
    if other.row.game != run.game:
        raise RuleError(
            phrase(
                "{label} rehearses {game}, and two games have no figures to compare.",
                label=other.label,
                game=other.row.game,
            )
        )
    catalogue = (*rehearsal.figures, *rehearsal.tables)
    compared = storage.compare(catalogue, report, origin, other) if isinstance(report, Report) else None
    if compared is None or not compared.rows:
        raise RuleError(phrase("Searches, and what a sweep ranks, are not compared with other rehearsals."))
    return compared


def draw_report(report: AnyReport, game: str, kind: str) -> bytes:
    """Draw a report as pages on the usual paper, a `.pdf`, or its charts as one picture, an `.svg`."""
    document = report_document(report, rehearsal_of(game).temperaments)
    if kind == ".svg":
        return chart_drawing.as_svg(document.charts, document.title, document.subtitle).encode()
    return page.render_document(document, plain_paper(None).size, ink=ink_name(None) or "colour")


def stored_report(archive: Archive, text: str, other: str = "") -> tuple[StoredRehearsal, AnyReport | None]:
    """Return a stored rehearsal with its figures, None before its first game; `other` is compared with it.

    Raises ArchiveError, and RuleError if the two cannot be compared.
    """
    stored = storage.read(archive, text)
    beside = storage.read(archive, other) if other else None
    if not stored.progress.units:
        return stored, None
    if beside is not None and not beside.progress.units:
        raise RuleError(phrase("Nothing of {label} was played yet, so there are no figures.", label=beside.label))
    run = stored.as_run(stored.progress.units)
    return stored, make_run_report(run, stored.progress, stored.origin, beside)
