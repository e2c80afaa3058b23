"""The kinds of rehearsals: each design's way to begin or resume, and to write its report.

Whole rehearsals play all games; sweeps and searches end once they are sure.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from companion.rehearsal.design import Comparison, Design, Factorial, OneSetting, Race
from companion.rehearsal.estimate import Sums, merge
from companion.rehearsal.report import Report, as_csv, as_text, make_report, plain_report
from companion.rehearsal.run import Figures
from companion.rehearsal.search import Search, SearchReport, plain_search, search_csv, search_text
from companion.rehearsal.sweep import Sweep, SweepReport, plain_sweep, sweep_csv, sweep_text
from companion.tabletop.action import NotationError
from companion.tabletop.rehearsal import Figure, Rehearsal, Temperament
from templates.languages.messages import listed, phrase

if TYPE_CHECKING:
    from labels.output.page import Document

AnyReport = Report | SweepReport | SearchReport


class WholeRehearsal:
    """A running rehearsal of one setting or a comparison of two, new or resumed from stored sums."""

    is_over = False

    def __init__(
        self, design: OneSetting | Comparison, figure: Figure, units: int = 0, sums: Mapping[str, Sums] | None = None
    ) -> None:
        self.design = design
        self.figure = figure
        self.units = units
        self.sums: Figures = dict(sums or {})

    def following(self, most: int) -> tuple[Design, range]:
        """Return the units to play next: all that remain up to `most`."""
        return self.design, range(self.units, most)

    def add(self, units: int, batch: Figures) -> None:
        """Add a batch; batches come in the order of their numbers."""
        self.units += units
        self.sums = merge((self.sums, batch))

    @property
    def progress(self) -> str:
        """The figure so far, in a few words, or "" if it is no share."""
        estimate = self.sums[self.figure.key].estimate(is_share=True) if self.figure.kind == "share" else None
        if estimate is None:
            return ""
        return f"{self.figure.caption} {100 * estimate.value:.1f} ± {50 * (estimate.high - estimate.low):.1f} %"

    def report(self, rehearsal: Rehearsal, seed: int) -> Report:
        """Return the report so far, with all figures and tables of the game."""
        against = self.design.against if isinstance(self.design, Comparison) else None
        catalogue = (*rehearsal.figures, *rehearsal.tables)
        return make_report(catalogue, self.design.setting, against, seed, self.sums)


def find_figure(rehearsal: Rehearsal, key: str) -> Figure:
    """Return a game's figure by its key. Raises NotationError that lists the known keys."""
    figure = next((figure for figure in rehearsal.figures if figure.key == key), None)
    if figure is None:
        keys = listed(figure.key for figure in rehearsal.figures)
        raise NotationError(phrase("There is no figure “{key}”; the figures are: {keys}.", key=key, keys=keys))
    return figure


def begin_rehearsal(
    design: Design, rehearsal: Rehearsal, units: int = 0, sums: Mapping[str, Sums] | None = None
) -> WholeRehearsal | Sweep | Search:
    """Begin the rehearsal of a design, from its first unit or from the sums of `units` units. Raises NotationError."""
    match design:
        case Factorial():
            return Sweep(design, find_figure(rehearsal, design.figure), units, sums)
        case Race():
            return Search(design, find_figure(rehearsal, design.figure), units, sums)
    return WholeRehearsal(design, rehearsal.figures[0], units, sums)


def make_any_report(running: WholeRehearsal | Sweep | Search, rehearsal: Rehearsal, seed: int) -> AnyReport:
    """Return the report so far, with the game's remarks."""
    setting, *_ = running.design.settings
    return running.report(rehearsal, seed)._replace(remarks=tuple(map(str, rehearsal.remarks(setting))))


def report_text(report: AnyReport) -> Iterator[str]:
    """Return the lines of a report for people."""
    match report:
        case SweepReport():
            return sweep_text(report)
        case SearchReport():
            return search_text(report)
    return as_text(report)


def report_plain(report: AnyReport) -> dict[str, Any]:
    """Return a report for programs."""
    match report:
        case SweepReport():
            return plain_sweep(report)
        case SearchReport():
            return plain_search(report)
    return plain_report(report)


def report_document(report: AnyReport, temperaments: Sequence[Temperament]) -> Document:
    """Return a report as pages with charts; of `temperaments`, the game's, it describes those that played."""
    from companion.rehearsal import report_pages, sequential_pages

    match report:
        case SweepReport():
            return sequential_pages.make_sweep_document(report, temperaments)
        case SearchReport():
            return sequential_pages.make_search_document(report, temperaments)
    return report_pages.make_document(report, temperaments)


def report_csv(report: AnyReport) -> str:
    """Return a report as CSV."""
    match report:
        case SweepReport():
            return sweep_csv(report)
        case SearchReport():
            return search_csv(report)
    return as_csv(report)
