"""Statistics: who wins how often and how sure that is, by people, decks, opponents and whatever games count."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from textual.content import Content
from textual.widgets.option_list import Option

from companion.archive import Archive, DeckRow
from companion.statistics import display
from companion.statistics.tables import GROUPINGS, Group, Statistics, compute_statistics, kinds_of_games
from companion.tabletop.match_result import TallyKind
from companion.tui import drawing
from companion.tui.screens.listing import ListScreen
from companion.tui.widgets.page import Page

_NAME: Final = 12
_APART: Final = 2
_NARROWEST: Final = 11
_WIDEST: Final = 41
"""Columns of names at least, between columns, and of a plot at least and at most."""
_MONTHS: Final = 60
_HIGH: Final = 4


class StatisticsScreen(ListScreen):
    """The groupings beside the table of the chosen one; a deck's name and Enter leave only its games."""

    heading = "Statistics"
    placeholder = "type the name of a deck for its games only; nothing and Enter for all games"
    verb = "All games"
    nothing = "No game is over yet. Each that ends is counted here."
    filters = False

    def __init__(self, archive: Archive) -> None:
        super().__init__(archive)
        self._deck: DeckRow | None = None
        self._kinds: Mapping[str, TallyKind] | None = None
        self._read: dict[tuple[str, str], Statistics] = {}

    def list_rows(self, text: str) -> Sequence[Option]:  # noqa: ARG002 – what is typed names a deck
        """All that games can be grouped by."""
        if self._kinds is None:
            self._kinds = kinds_of_games(self.archive)
        titles = {**GROUPINGS, **{word: kind.title for word, kind in self._kinds.items()}}
        return [Option(f"by {title[:1].lower()}{title[1:]}", word) for word, title in titles.items()]

    def describe_row(self, row: str) -> Content:
        """The table of a grouping."""
        deck = self._deck.deck if self._deck else ""
        statistics = self._read.get((row, deck))
        if statistics is None:
            self.app.call_from_thread(self.say, "Counting …")
            statistics = self._read[row, deck] = compute_statistics(self.archive, row, deck, kinds=self._kinds)
            self.app.call_from_thread(self.say, "")
        return Content("\n").join(self._table(statistics))

    def _table(self, statistics: Statistics) -> Iterator[Content]:
        whose = self._deck.name if self._deck else "All games"
        yield Content.assemble((whose, drawing.ACCENT), drawing.BULLET, display.headline(statistics))
        if statistics.groups:
            yield Content("")
            if statistics.by == "month":
                yield from _months(statistics.groups)
            yield from _rows(statistics.groups, statistics.amounts, self.query_one(Page).content_size.width - 1)
        for title, sentences in display.extras(statistics):
            yield from (Content(""), Content.styled(title, drawing.BOLD))
            yield from (Content(drawing.single(sentence)) for sentence in sentences)

    async def on_screen_resume(self) -> None:
        """What has ended meanwhile is counted."""
        self._read.clear()
        await super().on_screen_resume()

    async def take(self, row: str, text: str) -> None:  # noqa: ARG002 – the row stays
        """Only the games of the deck that is typed, or all again."""
        deck = await self.run_query(lambda: self.archive.find_deck(text)) if text else None
        if text and deck is None:
            return
        self._deck = deck
        self.box.value = ""
        self.say(f"Only the games of {deck.name}, as it fared in them." if deck else "")
        self._tell()


def _rows(groups: Sequence[Group], amounts: str, width: int) -> Iterator[Content]:
    """Each group in a row: its name, its win rate on a scale from 0 to 100 % and as a figure, and how it goes."""
    columns = (
        ("won", lambda group: display.rate_text(group.rate)),
        ("games", lambda group: f"{group.won} of {group.games}" if group.rate else f"{group.games}"),
        ("in a row", display.streak_text),
        (amounts, lambda group: f"{group.amount}" if amounts else ""),
        ("best hit", lambda group: f"{group.best or ''}"),
    )
    cells = [(title, [cell(group) for group in groups]) for title, cell in columns]
    cells = [(title, column) for title, column in cells if any(column)]
    widths = [max(map(len, (title, *column))) for title, column in cells]
    names = [drawing.single(group.title) for group in groups]
    room = max(_NARROWEST, width - sum(widths) - _APART * (len(widths) + 1))
    name_width = min(max(map(len, names)), max(_NAME, room - _WIDEST))
    plot = min(_WIDEST, room - name_width)
    has_plot = plot >= _NARROWEST and any(group.rate for group in groups)
    scale = f"{'0 %':<{plot // 2 - 1}}50 %{'100 %':>{plot - plot // 2 - 3}}" if has_plot else ""

    def row(name: str, chart: str, rest: Sequence[str], style: str) -> Content:
        parts = [Content.styled(name.ljust(name_width), style or drawing.BOLD)]
        parts += [Content.styled(chart, style or "$text-primary")] if has_plot else []
        first, *others = (
            text.ljust(wide) if at == 0 else text.rjust(wide)
            for at, (text, wide) in enumerate(zip(rest, widths, strict=True))
        )
        parts += [Content.styled(first, style or drawing.FIGURE), *(Content.styled(text, style) for text in others)]
        return Content(" " * _APART).join(parts)

    yield row("", scale, [title for title, _ in cells], drawing.DIM)
    for at, (name, group) in enumerate(zip(names, groups, strict=True)):
        short = name if len(name) <= name_width else f"{name[: name_width - 1]}…"
        chart = display.interval_plot(group.rate, plot) if has_plot else ""
        yield row(short, chart, [column[at] for _, column in cells], "")


def _months(groups: Sequence[Group]) -> Iterator[Content]:
    """How many games ended in each of the last months, as columns."""
    last = groups[-_MONTHS:]
    if len(last) < 2:
        return
    most = max(group.games for group in last)
    for at, row in enumerate(display.column_chart([group.games for group in last], _HIGH)):
        yield Content.assemble((row, "$text-primary"), (f"  {most}" if at == 0 else "", drawing.DIM))
    yield Content.styled(f"games a month, {last[0].title} to {last[-1].title}", drawing.DIM)
    yield Content("")
