"""Many texts at the tables of one random game: how many came to what, and what was wrong."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from random import Random
from typing import Final, NamedTuple

from companion.session.core.session import Session
from tests.slips.fronts import Fronts
from tests.slips.random_tables import tables
from tests.slips.texts import texts
from tests.slips.trial import Bench, Trial

ARGUABLE: Final = "(arguable) "
"""How a cause begins that people may see in two ways; it is told, and is no fault."""
TEXTS: Final = 40
"""Texts at one table."""


class Fault(NamedTuple):
    """What is wrong with a text: its game by the seed, and the table by its number in that game."""

    game: str
    seed: int
    table: int
    trial: Trial

    @property
    def cause(self) -> str:
        """What faults of one kind have in common."""
        return self.trial.cause

    def __str__(self) -> str:
        trial = self.trial
        lines = f" `{' & '.join(trial.lines)}`" if trial.lines else ""
        says = f" “{trial.says}”" if trial.says else ""
        return f"{self.game} {self.seed}.{self.table}: “{trial.text}” {trial.outcome}{lines}{says}: {trial.wrong}"


class Tried(NamedTuple):
    """What came of the texts of one game, or of several."""

    tables: int
    outcomes: Counter[str]
    faults: tuple[Fault, ...]

    def __add__(self, other: object) -> Tried:
        assert isinstance(other, Tried)
        return Tried(self.tables + other.tables, self.outcomes + other.outcomes, self.faults + other.faults)

    @property
    def texts(self) -> int:
        """How many were typed."""
        return self.outcomes.total()

    def sentence(self) -> str:
        """`2,000 texts at 50 tables: 120 did, 40 asked, …`"""
        outcomes = ", ".join(f"{count:,} {outcome}" for outcome, count in sorted(self.outcomes.items()))
        return f"{self.texts:,} texts at {self.tables:,} tables: {outcomes}"


NOTHING: Final = Tried(0, Counter(), ())


def try_game(game: str, seed: int, most: int | None = None, screens: float = 0.1, each: int = TEXTS) -> Tried:
    """Texts at all tables of a game, or until `most` were typed; `screens` is how often all screens are asked alike."""
    tried = NOTHING
    for number, session in enumerate(tables(game, seed)):
        trials = tuple(_try_table(session, Random(f"{game} {seed} {number}"), each, screens))
        faults = tuple(Fault(game, seed, number, trial) for trial in trials if trial.cause)
        outcomes = Counter[str](trial.outcome for trial in trials if not trial.repeats)
        tried += Tried(1, outcomes, faults)
        if most is not None and tried.texts >= most:
            break
    return tried


def _try_table(session: Session, chance: Random, each: int, screens: float) -> Iterator[Trial]:
    bench = Bench(session)
    fronts: Fronts | None = None
    for text in texts(bench.vocabulary, bench.meanings.lines(), chance, each):
        trial = bench.try_text(text)
        yield trial
        if chance.random() < screens:
            fronts = fronts or Fronts(session)
            for cause, wrong in fronts.differences(text):
                yield trial._replace(cause=cause, wrong=wrong, repeats=True)
