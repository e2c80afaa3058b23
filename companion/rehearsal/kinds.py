"""The kinds of rehearsals: by its design, how one is begun or gone on with, and how its report is written.

Whole ones play all games; sweeps and searches end when they are sure.
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

if TYPE_CHECKING:
    from labels.page import Document

AnyReport = Report | SweepReport | SearchReport


class WholeRehearsal:
    """One setting, or two compared, while it is played, begun anew or gone on with from what there is."""

    is_over = False

    def __init__(
        self, design: OneSetting | Comparison, figure: Figure, units: int = 0, sums: Mapping[str, Sums] | None = None
    ) -> None:
        self.design = design
        self.figure = figure
        self.units = units
        self.sums: Figures = dict(sums or {})

    def following(self, most: int) -> tuple[Design, range]:
        """What is played next: all of it."""
        return self.design, range(self.units, most)

    def add(self, units: int, batch: Figures) -> None:
        """A batch more, in the order of the numbers."""
        self.units += units
        self.sums = merge((self.sums, batch))

    @property
    def progress(self) -> str:
        """The figure so far, in a few words; "" where it is no share."""
        estimate = self.sums[self.figure.key].estimate(is_share=True) if self.figure.kind == "share" else None
        if estimate is None:
            return ""
        return f"{self.figure.title} {100 * estimate.value:.1f} ± {50 * (estimate.high - estimate.low):.1f} %"

    def report(self, rehearsal: Rehearsal, seed: int) -> Report:
        """What is known so far, of all figures and tables of a game."""
        against = self.design.against if isinstance(self.design, Comparison) else None
        catalogue = (*rehearsal.figures, *rehearsal.tables)
        return make_report(catalogue, self.design.setting, against, seed, self.sums)


def find_figure(rehearsal: Rehearsal, key: str) -> Figure:
    """A figure of a game by its key. Raises NotationError naming the known ones."""
    figure = next((figure for figure in rehearsal.figures if figure.key == key), None)
    if figure is None:
        keys = ", ".join(figure.key for figure in rehearsal.figures)
        raise NotationError(f"There is no figure “{key}”; known are: {keys}.")
    return figure


def begin_rehearsal(
    design: Design, rehearsal: Rehearsal, units: int = 0, sums: Mapping[str, Sums] | None = None
) -> WholeRehearsal | Sweep | Search:
    """A rehearsal of a design, from its first unit, or from the sums of so many. Raises NotationError."""
    match design:
        case Factorial():
            return Sweep(design, find_figure(rehearsal, design.figure), units, sums)
        case Race():
            return Search(design, find_figure(rehearsal, design.figure), units, sums)
    return WholeRehearsal(design, rehearsal.figures[0], units, sums)


def make_any_report(running: WholeRehearsal | Sweep | Search, rehearsal: Rehearsal, seed: int) -> AnyReport:
    """What is known so far, with what is to be minded about what was played."""
    setting, *_ = running.design.settings
    return running.report(rehearsal, seed)._replace(remarks=rehearsal.remarks(setting))


def report_text(report: AnyReport) -> Iterator[str]:
    """A report for people, line by line."""
    match report:
        case SweepReport():
            return sweep_text(report)
        case SearchReport():
            return search_text(report)
    return as_text(report)


def report_plain(report: AnyReport) -> dict[str, Any]:
    """A report for programs."""
    match report:
        case SweepReport():
            return plain_sweep(report)
        case SearchReport():
            return plain_search(report)
    return plain_report(report)


def report_document(report: AnyReport, temperaments: Sequence[Temperament]) -> Document:
    """A report on paper, with charts; `temperaments` are those of the game, of which it tells those who played."""
    from companion.rehearsal import report_pages, sequential_pages

    match report:
        case SweepReport():
            return sequential_pages.make_sweep_document(report, temperaments)
        case SearchReport():
            return sequential_pages.make_search_document(report, temperaments)
    return report_pages.make_document(report, temperaments)


def report_csv(report: AnyReport) -> str:
    """A report for spreadsheets."""
    match report:
        case SweepReport():
            return sweep_csv(report)
        case SearchReport():
            return search_csv(report)
    return as_csv(report)
