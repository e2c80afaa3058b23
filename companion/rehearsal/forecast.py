"""Forecasts of a game's first figure from stored rehearsals, for comparison with real games."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import Final, NamedTuple

import msgspec

from companion.archive import Archive, ArchiveError, rehearsals
from companion.games import registry
from companion.rehearsal import storage
from companion.rehearsal.design import Comparison, OneSetting
from companion.rehearsal.report import people_text, possible_interval, rules_text, value_text
from companion.tabletop.action import NotationError, RuleError
from companion.tabletop.estimate import Estimate
from companion.tabletop.rehearsal import Figure, RehearsalSetting
from templates.languages.messages import Message, listed, phrase

_MOST: Final = 6
"""Most forecasts returned, the newest first."""


class Forecast(NamedTuple):
    """The first figure of a stored rehearsal: its setting, the number of units, and the time of the count."""

    rehearsal: str
    setting: RehearsalSetting
    figure: Figure
    estimate: Estimate
    units: int
    at: datetime

    @property
    def text(self) -> Message:
        """The game, players and rules, the figure with its interval, the number of games, and the id."""
        value, low, high = (value_text(each, self.figure.is_part) for each in self.estimate)
        figure = (
            phrase("{figure} {value} % ({low}–{high})", figure=self.figure.caption, value=value, low=low, high=high)
            if self.figure.is_part
            else phrase(
                "{figure} {value} {unit} ({low}–{high})",
                figure=self.figure.caption,
                value=value,
                unit=self.figure.measure,
                low=low,
                high=high,
            )
        )
        facts = [
            registry.title(self.setting.game),
            people_text(msgspec.structs.replace(self.setting, effort=0)),
            *((phrase("{n} evenings", n=self.setting.evenings),) if self.setting.evenings > 1 else ()),
            rules_text(self.setting),
        ]
        return phrase(
            "{setting}: {figure}, {units} rehearsed ({rehearsal})",
            setting=listed(facts),
            figure=figure,
            units=self.units,
            rehearsal=self.rehearsal,
        )


def forecasts(archive: Archive, game: str = "") -> tuple[Forecast, ...]:
    """Return the forecasts of a game, or of all games: the newest for each setting, by today's rules."""
    newest: dict[RehearsalSetting, Forecast] = {}
    for forecast in _read(archive, game):
        newest.setdefault(forecast.setting, forecast)
        if len(newest) == _MOST:
            break
    return tuple(newest.values())


def _read(archive: Archive, game: str) -> Iterator[Forecast]:
    """Yield the forecasts of every stored rehearsal that this program can read, the newest first."""
    for row in rehearsals.rehearsals(archive):
        if not row.units or game not in ("", row.game):
            continue
        try:
            if row.edition != storage.origin_today(row.game).edition:
                continue
            kept = storage.read(archive, row.rehearsal)
            figure = kept.as_run(row.games).rehearsal.figures[0]
        except (ArchiveError, NotationError, RuleError):
            continue
        if not isinstance(kept.design, OneSetting | Comparison) or figure.key not in kept.progress.sums:
            continue
        for side, setting in enumerate(kept.design.settings):
            if estimate := kept.progress.sums[figure.key].estimate(figure.is_part, side, step=figure.step):
                possible = possible_interval(figure, estimate)
                yield Forecast(row.rehearsal, setting, figure, possible, kept.progress.units, row.updated)
