"""The statistics screen: win rates and their certainty, by people, decks, opponents and whatever else games count."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import ClassVar, Final

from textual.binding import Binding, BindingType
from textual.content import Content
from textual.widgets.option_list import Option

from companion.archive import Archive, DeckRow
from companion.games import registry
from companion.statistics import display
from companion.statistics.tables import GROUPINGS, Group, Statistics, compute_statistics, kinds_of_games
from companion.tabletop.table.match_result import TallyKind
from companion.tui import drawing
from companion.tui.screens.base import StatusScreen, key_name
from companion.tui.screens.listing import ListScreen
from companion.tui.screens.plays import open_plays
from companion.tui.widgets.bars import Key, KeyEffect
from companion.tui.widgets.page import Page
from templates.languages.messages import Text, WithinSentence, decimal, phrase, phrase_in

_NAME: Final = 12
_APART: Final = 2
_NARROWEST: Final = 11
_MIDDLE: Final = 21
_WIDEST: Final = 41
"""Columns of names (minimum), between columns, and of a plot (minimum, preferred and maximum)."""
_LABEL: Final = 7
"""Columns for the figures beside a chart."""
_ROOMY: Final = 30
_HIGH: Final = 7
_HIGHER: Final = 11
"""Rows of a chart of shares, on a page with fewer than `_ROOMY` rows, and on a larger one."""
_DOT: Final = drawing.FIGURE
_LINE: Final = "$text-primary"
_COLUMNS: Final = 3
"""Rows of a column chart."""


class StatisticsScreen(ListScreen):
    """The groupings, and the table of the chosen one; a deck's name and Enter count only its games."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(
            "f4",
            "imported",
            "Imported games",
            id="statistics.imported",
            tooltip="Import games that were played without the companion, and remove single ones",
        ),
    ]
    heading = phrase("Statistics")
    placeholder = phrase("type a deck for its games only; Enter alone for all")
    verb = phrase("All games")
    nothing = phrase("No game is over yet. Each that ends is counted here; F4 imports earlier ones.")
    filters = False

    def __init__(self, archive: Archive) -> None:
        super().__init__(archive)
        self._deck: DeckRow | None = None
        self._kinds: Mapping[str, TallyKind] | None = None
        self._read: dict[tuple[str, str], Statistics] = {}
        self._foretold: tuple[Text, ...] | None = None

    def list_rows(self, text: str) -> Sequence[Option]:  # noqa: ARG002 – what is typed names a deck
        """Return everything by which games can be grouped."""
        if self._kinds is None:
            self._kinds = kinds_of_games(self.archive)
        titles = {**GROUPINGS, **{word: kind.title for word, kind in self._kinds.items()}}
        return [Option(_by(title), word) for word, title in titles.items()]

    def describe_row(self, row: str) -> Content:
        """Describe a grouping by its table."""
        deck = self._deck.deck if self._deck else ""
        statistics = self._read.get((row, deck))
        if statistics is None:
            self.app.call_from_thread(self.say, phrase("Counting …"))
            statistics = self._read[row, deck] = compute_statistics(self.archive, row, deck, kinds=self._kinds)
            self.app.call_from_thread(self.say, "")
        if self._foretold is None:
            from companion.rehearsal.forecast import forecasts

            self._foretold = tuple(forecast.text for forecast in forecasts(self.archive))
        return Content("\n").join(self._table(statistics))

    def _table(self, statistics: Statistics) -> Iterator[Content]:
        whose = self._deck.name if self._deck else str(phrase("All games"))
        yield Content.assemble((whose, drawing.ACCENT), drawing.BULLET, str(display.headline(statistics)))
        if statistics.remark:
            yield Content(str(statistics.remark))
        if statistics.groups:
            yield Content("")
            room = self.query_one(Page).content_size
            if statistics.by == "month":
                for game, groups in groupby(statistics.groups, lambda group: group.game):
                    title = str(registry.title(game)) if game else ""
                    yield from _draw_months(
                        title, [*groups], room.width - 1, _HIGH if room.height < _ROOMY else _HIGHER
                    )
            yield from _rows(statistics.groups, str(statistics.amounts), room.width - 1)
        extras = [*display.extras(statistics)]
        if self._foretold and self._deck is None:
            extras.append((display.FORETOLD, self._foretold))
        for heading, sentences in extras:
            yield from (Content(""), Content.styled(str(heading), drawing.BOLD))
            yield from (Content(drawing.narrow_glyphs(str(sentence))) for sentence in sentences)

    async def on_screen_resume(self) -> None:
        """Count again: games may have ended meanwhile."""
        self._read.clear()
        await super().on_screen_resume()

    async def take(self, row: str, text: str) -> None:  # noqa: ARG002 – the row stays
        """Count only the games of the typed deck, or all again."""
        deck = await self.run_query(lambda: self.archive.find_deck(text)) if text else None
        if text and deck is None:
            return
        self._deck = deck
        self.box.value = ""
        self.say(phrase("Only the games of {deck}.", deck=deck.name) if deck else "")
        self._tell()

    async def action_imported(self) -> None:
        """Open the list of imported games."""
        await open_plays(self, self.archive)

    def keys(self) -> Sequence[Key]:
        """Return the key that opens the imported games."""
        key = KeyEffect(phrase("Imported games"), phrase_in("key", "Imported"))
        return ((key_name(self, "statistics.imported"), key, "screen.imported"),)


def _by(title: Text) -> str:
    """Return the row of a grouping by its title."""
    # Translators: {grouping} is what games are grouped by, such as “person” or “deck”.
    return str(phrase("by {grouping}", grouping=WithinSentence(title)))


def _format_games(group: Group) -> str:
    """Return `3 of 6`, as the rate counts them, and `21 in all` if there are others."""
    if not group.rate:
        return f"{group.games}"
    won, decided, games = str(group.won), str(group.decided_games), str(group.games)
    if group.games == group.decided_games:
        # Translators: Games that were won, out of those that somebody won or lost.
        return str(phrase("{won} of {decided}", won=won, decided=decided))
    return str(phrase("{won} of {decided}, {games} in all", won=won, decided=decided, games=games))


def _rows(groups: Sequence[Group], amounts: str, width: int) -> Iterator[Content]:
    """Yield each group in a row: its name, its win rate on a scale from 0 to 100 % and as a figure, and its trend."""
    columns = (
        # Translators: The heading of a column: the share of games that were won.
        (phrase_in("column", "won"), lambda group: display.rate_text(group.rate)),
        # Translators: The heading of a column: the number of games.
        (phrase_in("column", "games"), _format_games),
        # Translators: The heading of a column: games that were won or lost one after another.
        (phrase_in("column", "in a row"), display.streak_text),
        (amounts, lambda group: f"{group.amount}" if amounts else ""),
        # Translators: The heading of a column: the highest damage of one hit.
        (phrase_in("column", "best hit"), lambda group: f"{group.best or ''}"),
        # Translators: The heading of a column: the mean time of somebody's own turns in a game.
        (phrase_in("column", "own turns"), display.minutes_text),
    )
    cells = [(str(title), [str(cell(group)) for group in groups]) for title, cell in columns]
    cells = [(title, column) for title, column in cells if any(column)]
    widths = [max(map(len, (title, *column))) for title, column in cells]
    names = [Content(drawing.narrow_glyphs(str(group.title))) for group in groups]
    room = max(_NARROWEST, width - sum(widths) - _APART * (len(widths) + 1))
    name_width = min(max(name.cell_length for name in names), max(_NAME, room - _MIDDLE))
    plot = min(_WIDEST, room - name_width)
    has_plot = plot >= _NARROWEST and any(group.rate for group in groups)
    scale = f"{'0 %':<{plot // 2 - 1}}50 %{'100 %':>{plot - plot // 2 - 3}}" if has_plot else ""

    def draw_row(name: Content, chart: str, rest: Sequence[str], style: str) -> Iterator[Content]:
        first_line, *more_lines = drawing.wrap_content(name, name_width)
        parts = [first_line.pad_right(name_width - first_line.cell_length).stylize(style or drawing.BOLD)]
        parts += [Content.styled(chart, style or "$text-primary")] if has_plot else []
        first, *others = (
            text.ljust(wide) if at == 0 else text.rjust(wide)
            for at, (text, wide) in enumerate(zip(rest, widths, strict=True))
        )
        parts += [Content.styled(first, style or drawing.FIGURE), *(Content.styled(text, style) for text in others)]
        yield Content(" " * _APART).join(parts)
        yield from (line.stylize(drawing.BOLD) for line in more_lines)

    yield from draw_row(Content(), scale, [title for title, _ in cells], drawing.DIM)
    for at, (name, group) in enumerate(zip(names, groups, strict=True)):
        chart = display.interval_plot(group.rate, plot) if has_plot else ""
        yield from draw_row(name, chart, [column[at] for _, column in cells], "")


def _draw_months(title: str, groups: Sequence[Group], width: int, height: int) -> Iterator[Content]:
    """Draw the last months of a game, or of all games if it has no title.

    The first chart shows the share that was won, if there are win rates; the one below it shows the number of games in
    columns.
    """
    months = display.every_month(groups)
    pitch = next((pitch for pitch in (4, 3) if len(months) * pitch <= width - _LABEL), 2)
    last = [*months][-((width - _LABEL) // pitch) :]
    if len(last) < 2:
        return
    some = [months[month] for month in last]
    rates = [group.rate if group else None for group in some]

    def row(label: str, *chart: tuple[str, str]) -> Content:
        return Content.assemble((label.rjust(_LABEL - 1) + " ", drawing.DIM), *chart)

    if title:
        yield Content.styled(title, drawing.BOLD)
    if any(rates):
        labels = {0: "100 %", height // 2: "50 %", height - 1: "0 %"}
        yield Content.styled(str(phrase("won, with the 95 % interval")), drawing.DIM)
        for at, chart in enumerate(display.rate_chart(rates, height, pitch)):
            # Dots stand out from their intervals.
            parts = re.split(f"({display.DOT})", chart)
            yield row(labels.get(at, ""), *((part, _DOT if part == display.DOT else _LINE) for part in parts))
    games = [group.games if group else 0 for group in some]
    yield Content.styled(str(phrase("games a month")), drawing.DIM)
    for at, chart in enumerate(display.column_chart(games, _COLUMNS, pitch=pitch)):
        yield row(str(decimal(max(games), 0)) if at == 0 else "", (chart, _LINE))
    yield Content.styled(" " * _LABEL + display.year_marks(last, pitch), drawing.DIM)
    yield Content("")


async def open_statistics(screen: StatusScreen, archive: Archive) -> None:
    """Open the statistics."""
    await screen.app.push_screen(StatisticsScreen(archive))
