"""Searches: a race between several settings for the one whose figure is nearest to a wish.

All candidates play units of the same numbers with the same chance. After fixed numbers of units, candidates drop out
that are surely farther from the wish than another, so that the time goes into the near ones. The search ends when one
is left, or when the nearest is surely no farther than any other by more than the margin (an indifference zone). Racing
is Maron's and Moore's (“Hoeffding Races”, 1994), with paired comparisons as in Birattari's F-Race (2002);
`companion/rehearsal/sequential.py` defines what is sure.
"""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Iterator, Mapping, Sequence
from itertools import permutations
from typing import Any, Final, NamedTuple

import msgspec

from companion.rehearsal.design import Lever, Race, candidate_key, count_combinations, grid
from companion.rehearsal.estimate import Sums, merge
from companion.rehearsal.report import (
    amount_text,
    paragraph,
    people_text,
    plain_estimate,
    possible_interval,
    remark_lines,
    rules_text,
    side_by_side,
    units_text,
    value_text,
)
from companion.rehearsal.run import Figures
from companion.rehearsal.sequential import BEGINNING, can_be_sure, excludes_rare, margin_of, sequential_z
from companion.tabletop.action import RuleError
from companion.tabletop.estimate import Estimate
from companion.tabletop.rehearsal import Figure, Rehearsal, RehearsalSetting
from templates.languages.messages import phrase, phrases

MOST_CANDIDATES: Final = 64
_STEP: Final = 50
_GROWTH: Final = 4
"""Least number of units between looks, and the divisor of the units so far: later there is less to decide."""


class SettingCandidate(NamedTuple):
    """A setting of a search: its number of units, its figure, and whether it dropped out."""

    setting: RehearsalSetting
    units: int
    estimate: Estimate
    has_dropped: bool

    def distance(self, wish: float) -> float:
        """Return the distance of its figure from the wish."""
        return abs(self.estimate.value - wish)


class SearchReport(NamedTuple):
    """The result of a search: the remaining candidates, the nearest first, then those that dropped out, the last first.
    `others` are the other figures of the nearest candidate.
    """

    design: Race
    figure: Figure
    seed: int
    units: int
    is_sure: bool
    candidates: tuple[SettingCandidate, ...]
    others: tuple[tuple[Figure, Estimate], ...]
    remarks: tuple[str, ...] = ()

    @property
    def is_near(self) -> bool | None:
        """True if the nearest candidate is surely within the margin of the wish, False if surely not, else None."""
        low, high = (end - self.design.wish for end in self.candidates[0].estimate[1:])
        if -self.design.margin <= low and high <= self.design.margin:
            return True
        return False if low > self.design.margin or high < -self.design.margin else None


class Search:
    """A running search, new or resumed from stored sums."""

    def __init__(self, design: Race, figure: Figure, units: int = 0, sums: Mapping[str, Sums] | None = None) -> None:
        self.design = design
        self.figure = figure
        self.units = units
        self.sums: Figures = dict(sums or {})
        self.is_over = len(design.candidates) < 2
        # For each candidate its distance, and the difference and sum of its pair with the truly nearest one.
        self._statements = 3 * len(design.candidates)
        self._left = [each for each in design.candidates if self._sums(each).units == units]
        self._next_look = BEGINNING
        while self._next_look <= units:
            if self._next_look == units:
                self._look()
            self._next_look = _look_after(self._next_look)

    def following(self, most: int) -> tuple[Race, range]:
        """Return the remaining candidates and the units to play until the next look, up to `most` units in all."""
        race = msgspec.structs.replace(self.design, candidates=tuple(self._left))
        return race, range(self.units, min(most, self._next_look))

    def add(self, units: int, batch: Figures) -> None:
        """Add a batch; batches come in the order of their numbers."""
        self.units += units
        self.sums = merge((self.sums, batch))
        if self.units >= self._next_look:
            self._next_look = _look_after(self._next_look)
            self._look()

    def _sums(self, *settings: RehearsalSetting) -> Sums:
        """Return the sums of the figure of one candidate, or of a pair."""
        return self.sums.get(candidate_key(self.figure.key, *settings), Sums())

    @property
    def progress(self) -> str:
        """The nearest candidate so far, in a few words."""
        nearest = self._nearest()
        estimate = self._sums(nearest).estimate()
        value = value_text(estimate.value, self.figure.is_part) if estimate else "?"
        return str(
            phrase(
                "{rules}: {value}; {left} of {candidates} left",
                rules=rules_text(nearest),
                value=value,
                left=len(self._left),
                candidates=len(self.design.candidates),
            )
        )

    def _look(self) -> None:
        """Drop the candidates that are surely farther away than another, and check whether the search is over."""
        if not all(can_be_sure(self._sums(each)) for each in self._left):
            return
        gaps = {(one, other): self._gap(one, other) for one, other in permutations(self._left, 2)}
        farther = {other for (_, other), gap in gaps.items() if gap < 0}
        self._left = [each for each in self._left if each not in farther]
        self.is_over = len(self._left) < 2 or self._is_indifferent(gaps)

    def _is_indifferent(self, gaps: Mapping[tuple[RehearsalSetting, RehearsalSetting], float]) -> bool:
        """Return True if no remaining candidate can be nearer than the nearest one by more than the margin."""
        nearest, margin = self._nearest(), self.design.margin
        whole = 1.0 if self.figure.is_part else abs(self.design.wish) or 1.0
        if not excludes_rare(self.units, margin / whole, self._statements):
            return False
        own = self._interval(self._sums(nearest), {0: 1}, self.design.wish)
        if own is not None and max(own.high, -own.low) <= margin:
            return True
        return all(gaps[nearest, other] <= margin for other in self._left if other != nearest)

    def _nearest(self) -> RehearsalSetting:
        """Return the remaining candidate that is nearest to the wish by the estimates so far."""
        estimates = [(each, self._sums(each).estimate()) for each in self._left]
        distances = [math.inf if each is None else abs(each.value - self.design.wish) for _, each in estimates]
        return self._left[distances.index(min(distances))]

    def _gap(self, one: RehearsalSetting, other: RehearsalSetting) -> float:
        """Return the most by which a remaining candidate can be farther than another; below 0 it is surely nearer."""
        # The sums of a pair are stored once, in the order of the candidates.
        sign = 1 if self._left.index(one) < self._left.index(other) else -1
        pair = self._sums(*(one, other)[::sign])
        difference = self._interval(pair, {0: sign, 1: -sign}, 0.0)
        total = self._interval(pair, {0: 1, 1: 1}, 2 * self.design.wish)
        return math.inf if difference is None or total is None else most_farther(difference, total)

    def _interval(self, sums: Sums, signs: dict[int, int], less: float) -> Estimate | None:
        estimate = sums.contrast(signs, sequential_z(self.units, self._statements))
        return None if estimate is None else Estimate(*(each - less for each in estimate))

    def report(self, rehearsal: Rehearsal, seed: int) -> SearchReport:
        """Return the results so far. Raises RuleError if the figure was never counted."""
        candidates = []
        for setting in self.design.candidates:
            counted = self._sums(setting)
            z = sequential_z(counted.units, self._statements) if counted.units else 0.0
            estimate = counted.estimate(self.figure.is_part, z=z, step=self.figure.step)
            if estimate is not None:
                candidates.append(
                    SettingCandidate(
                        setting, counted.units, possible_interval(self.figure, estimate), setting not in self._left
                    )
                )
        if not candidates:
            raise RuleError(
                phrases(
                    "{figure}: nothing was counted in {n} game; choose another figure.",
                    "{figure}: nothing was counted in {n} games; choose another figure.",
                    n=self.units,
                    figure=self.figure.caption,
                )
            )
        wish = self.design.wish
        candidates.sort(key=lambda each: (each.has_dropped, -each.units, each.distance(wish)))
        others = []
        for figure in rehearsal.figures:
            counted = self.sums.get(candidate_key(figure.key, candidates[0].setting), Sums())
            if figure.key == self.figure.key or not counted.units:
                continue
            estimate = counted.estimate(figure.is_part, z=sequential_z(counted.units, 1), step=figure.step)
            if estimate is not None:
                others.append((figure, possible_interval(figure, estimate)))
        return SearchReport(self.design, self.figure, seed, self.units, self.is_over, tuple(candidates), tuple(others))


def most_farther(difference: Estimate, total: Estimate) -> float:
    """Return the most by which |a| can exceed |b|, from the intervals of a − b and of a + b.

    |a| − |b| is ±a less the larger of b and −b. So it is at most the smaller of a − b and a + b if a is above 0, and of
    −a − b and b − a if it is below.
    """
    return max(min(difference.high, total.high), min(-total.low, -difference.low))


def make_race(
    setting: RehearsalSetting, levers: Sequence[Lever], figure: Figure, wish: float, margin: float | None = None
) -> Race:
    """Return the race of all combinations of the levers' values. Raises RuleError if they are too many."""
    if (count := count_combinations(levers)) > MOST_CANDIDATES:
        raise RuleError(
            phrase(
                "These values have {count} combinations, but at most {most} are tried: name fewer values.",
                count=count,
                most=MOST_CANDIDATES,
            )
        )
    return Race(grid(setting, levers), figure.key, wish, margin_of(figure, wish, margin))


def _look_after(units: int) -> int:
    return units + max(_STEP, units // _GROWTH)


# Reports for people, programs and spreadsheets


def search_text(report: SearchReport) -> Iterator[str]:
    """Yield the search as lines of at most 80 columns: sentences, the candidates, and other figures of the nearest."""
    nearest, *_ = report.candidates
    setting, figure = nearest.setting, report.figure
    played = units_text(sum(each.units for each in report.candidates), setting)
    unit = "%" if figure.is_part else figure.measure
    margin, wish = amount_text(report.design.margin, figure), value_text(report.design.wish, figure.is_part)
    wished = phrase(
        "Wish: {figure} {wish} {unit}, with {people}, seed {seed}. {settings} settings "
        "played {units}, each of the remaining ones {each}.",
        figure=figure.caption,
        wish=wish,
        unit=unit,
        people=people_text(setting),
        seed=str(report.seed),
        settings=len(report.candidates),
        units=played,
        each=report.units,
    )
    yield from paragraph(str(wished))
    yield from remark_lines(report.remarks)
    left = [each for each in report.candidates if not each.has_dropped]
    yield ""
    yield str(phrase("Nearest: {rules}", rules=rules_text(setting)))
    if not report.is_sure:
        yield str(phrase("It is not yet certain that it is the nearest; more games would tell."))
    elif len(left) > 1:
        yield str(
            phrase("It is certain that none of the remaining ones is nearer by more than {margin}.", margin=margin)
        )
    else:
        yield str(phrase("All others are certain to be farther away."))
    if report.is_near:
        yield str(phrase("It is certain to be within {margin} of the wish.", margin=margin))
    elif report.is_near is not None:
        yield str(phrase("It is certain to be more than {margin} from the wish.", margin=margin))
    yield ""
    yield from side_by_side([(rules_text(each.setting), _interval_text(figure, each.estimate)) for each in left])
    dropped = report.candidates[len(left) :]
    if dropped:
        yield ""
        yield str(phrase("Certain to be farther away, and so no longer played:"))
    yield from side_by_side(
        [
            (
                rules_text(each.setting),
                # Translators: an estimate, and the number of games after which it was made
                str(phrase("{estimate}, after {n}", estimate=_interval_text(figure, each.estimate), n=each.units)),
            )
            for each in dropped
        ]
    )
    yield ""
    yield str(phrase("All these intervals hold together with 95 % confidence, whenever you stop."))
    if report.others:
        yield ""
        yield str(phrase("Other results with {rules}:", rules=rules_text(setting)))
        yield from side_by_side([(each.title, _interval_text(each, estimate)) for each, estimate in report.others])


def _interval_text(figure: Figure, estimate: Estimate) -> str:
    value, low, high = (value_text(each, figure.is_part) for each in estimate)
    return f"{value} {'%' if figure.is_part else figure.measure} ({low}–{high})"


def plain_search(report: SearchReport) -> dict[str, Any]:
    """Return the report for programs: shares from 0 to 1, intervals as `[low, high]`."""
    design = report.design
    candidates = [
        {
            "rules": dict(each.setting.rules),
            "units": each.units,
            **plain_estimate(each.estimate),
            "distance": each.distance(design.wish),
            "dropped": each.has_dropped,
        }
        for each in report.candidates
    ]
    return {
        "setting": msgspec.to_builtins(report.candidates[0].setting),
        "figure": report.figure.key,
        "wish": design.wish,
        "margin": design.margin,
        "seed": report.seed,
        "units": report.units,
        "remarks": list(report.remarks),
        "sure": report.is_sure,
        "near": report.is_near,
        "candidates": candidates,
        "figures": {
            figure.key: {
                "title": figure.title,
                "kind": figure.kind,
                "unit": figure.unit,
                **plain_estimate(estimate),
            }
            for figure, estimate in report.others
        },
    }


def search_csv(report: SearchReport) -> str:
    """Return the report as CSV: one row for each candidate, with a column for each rule."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    keys = [key for key, _ in report.candidates[0].setting.rules]
    writer.writerow((*keys, report.figure.key, "low", "high", "distance", "units", "dropped"))
    for each in report.candidates:
        rules = dict(each.setting.rules)
        end = (each.distance(report.design.wish), each.units, "yes" if each.has_dropped else "no")
        writer.writerow((*(rules[key] for key in keys), *each.estimate, *end))
    return text.getvalue()
