"""A figure of the bench beside what it is measured against and its budget, and the table of all of them."""

from collections.abc import Iterable
from typing import Final, NamedTuple

AS_PEOPLE_HAVE_IT: Final = {"PYTHONDONTWRITEBYTECODE": "", "PYTHONUNBUFFERED": ""}
"""Settings that slow Python down, which only machines for tests have."""


class Figure(NamedTuple):
    """One thing measured. With a `base`, the same of something plain, the budget is about their ratio."""

    what: str
    value: float
    unit: str
    base: float | None = None
    budget: float | None = None
    at_least: bool = False

    @property
    def ratio(self) -> float | None:
        """How many times the base it is."""
        return None if self.base is None else self.value / self.base

    @property
    def is_within_budget(self) -> bool:
        """Whether it keeps its budget; always, where it has none."""
        if self.budget is None:
            return True
        judged = self.value if self.ratio is None else self.ratio
        return judged >= self.budget if self.at_least else judged <= self.budget

    def cells(self) -> tuple[str, ...]:
        """This figure as a line of the table."""
        sign = "≥" if self.at_least else "≤"
        times = "" if self.base is None else " ×"
        return (
            self.what,
            f"{_short(self.value)} {self.unit}",
            "" if self.base is None else f"{_short(self.base)} {self.unit}",
            "" if self.ratio is None else f"{self.ratio:.2f} ×",
            "" if self.budget is None else f"{sign} {self.budget:g}{times or f' {self.unit}'}",
            "" if self.budget is None else "kept" if self.is_within_budget else "OVER",
        )


def table(figures: Iterable[Figure]) -> str:
    """All figures in columns."""
    rows = [("what", "measured", "plain", "ratio", "budget", ""), *(figure.cells() for figure in figures)]
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    lines = [
        "  ".join(
            [row[0].ljust(widths[0]), *(cell.rjust(width) for cell, width in zip(row[1:], widths[1:], strict=True))]
        )
        for row in rows
    ]
    return "\n".join([lines[0], "─" * len(lines[0]), *lines[1:]])


def _short(value: float) -> str:
    return f"{value:.0f}" if value >= 100 else f"{value:.1f}" if value >= 10 else f"{value:.2f}"
