"""The overview beside home's lists: the table that waits, the last game, the chores, the decks played lately."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Final, NamedTuple

import msgspec
from textual.content import Content

from companion.archive import SessionRow, SessionStanding
from companion.archive.storage.rows import reason_text
from companion.games import registry
from companion.tabletop.text import quantity
from companion.tui import drawing
from companion.tui.widgets.panel import Panel

if TYPE_CHECKING:
    from companion.archive.overview import Overview

_CHORES: Final = 6
"""The number of chores that are named, of all decks together."""
_SHARED: Final = {"win": "they won", "loss": "they lost"}
"""The result of a cooperative game, in a sentence about its players."""


class Keys(msgspec.Struct, frozen=True):
    """The names of the keys that lead on from here."""

    new: str = ""
    build: str = ""
    others: str = ""


class OverviewPart(NamedTuple):
    """The overview, the time from which it counts how long ago something was, and the keys that lead on."""

    overview: Overview
    now: datetime
    keys: Keys = Keys()


class OverviewPanel(Panel[OverviewPart]):
    """A paragraph for each subject; if rows are scarce, a row for each."""

    grows = True

    def get_content_height(self, container: object, viewport: object, width: int) -> int:
        """Return the rows needed; if the maximum is lower, those of the briefer version that fits."""
        needed = super().get_content_height(container, viewport, width)
        limit = self.styles.max_height
        if self.part is None or limit is None or not limit.cells or needed <= limit.cells:
            return needed
        return len(self.fit_rows(self.part, [Content("")] * needed, width, int(limit.cells)))

    @staticmethod
    def draw(part: OverviewPart, width: int) -> list[Content]:
        """Draw all paragraphs with their headings."""
        sections = [section for section in _draw_sections(part, width) if section]
        return [row for at, section in enumerate(sections) for row in ([Content("")] if at else []) + section]

    @staticmethod
    def briefer(part: OverviewPart, width: int) -> Iterator[list[Content]]:
        """Yield a row for each subject, then only the waiting table and the chores."""
        yield [row.truncate(width, ellipsis=True) for row in _rows(part, brief=False)]
        yield [row.truncate(width, ellipsis=True) for row in _rows(part, brief=True)]


def ago(when: datetime, now: datetime) -> str:
    """Return how long ago a time was, in the one unit that matters."""
    aware = when if when.tzinfo else when.replace(tzinfo=now.tzinfo)
    minutes = int((now - aware).total_seconds()) // 60
    for size, unit in ((60 * 24, "day"), (60, "hour"), (1, "minute")):
        if minutes >= size:
            return f"{quantity(minutes // size, unit)} ago"
    return "just now"


def in_words(names: Sequence[str]) -> str:
    """Return names as in `Ana, Ben and Cy`."""
    *others, last = names or ("nobody",)
    return f"{', '.join(others)} and {last}" if others else last


def describe_game_result(row: SessionRow) -> str:
    """Return the players and the result, as a sentence without its full stop."""
    if not isinstance(row.standing, SessionStanding):
        return row.where
    shared = next((_SHARED.get(str(fact.args[0]), "") for fact in row.standing.facts if fact.args), "")
    how = shared or ", ".join(reason_text(row.game, fact, row.page) for fact in row.standing.facts)
    return f"{in_words(row.standing.seats)} played{f', and {how}' if how else ''}"


def _session_title(row: SessionRow) -> str:
    return row.title or registry.title(row.game, row.page)


def _facts(row: SessionRow) -> Sequence[str]:
    """Return the state of a table, without its players."""
    if not isinstance(row.standing, SessionStanding):
        return (row.standing,) if row.standing else ()
    return tuple(reason_text(row.game, fact, row.page) for fact in row.standing.facts)


def _draw_sections(part: OverviewPart, width: int) -> Iterator[list[Content]]:
    overview, now, keys = part
    if overview.unsealed:
        yield _draw_waiting_table(overview.unsealed, 0 if overview.waiting else overview.others, now, width)
    if overview.waiting:
        yield _draw_waiting_table(overview.waiting, overview.others, now, width)
    elif not overview.unsealed:
        lines = [Content.assemble((keys.new, drawing.BOLD), " seats people and begins a game.")]
        if not overview.last and not overview.decks:
            lines.append(Content.assemble((keys.build, drawing.BOLD), " builds a deck, step by step."))
        yield [_draw_heading("No table waits"), *(row for line in lines for row in _indent_rows(line, width))]
    if overview.last:
        yield _draw_last_game(overview, now, width)
    if overview.due:
        yield _draw_due_chores(overview, keys, width)
    if overview.decks:
        yield _draw_recent_decks(overview, width)


def _draw_heading(text: str) -> Content:
    return Content.styled(drawing.narrow_glyphs(text), drawing.ACCENT)


def _indent_rows(content: Content, width: int) -> list[Content]:
    return [row.pad_left(2) for row in drawing.wrap_content(content, width - 2)]


def _draw_waiting_table(row: SessionRow, others: int, now: datetime, width: int) -> list[Content]:
    people = in_words(row.standing.seats) if isinstance(row.standing, SessionStanding) else ""
    facts = [drawing.narrow_glyphs(fact) for fact in _facts(row)] or ["not begun"]
    rows = _indent_rows(
        Content.assemble((drawing.narrow_glyphs(_session_title(row)), drawing.BOLD), f", {ago(row.changed, now)}"),
        width,
    )
    rows += _indent_rows(Content(f"{registry.title(row.game, row.page)}{f': {people}' if people else ''}"), width)
    rows += [line.pad_left(2) for line in drawing.lay_out_rows(map(Content, facts), width - 2)]
    goes_on = " leads to its seal; until then, no deck's record has it." if row.needs_seal else " goes on."
    rows += _indent_rows(Content.assemble(("Enter", drawing.BOLD), goes_on), width)
    if others:
        rows += _indent_rows(
            Content.styled(f"{quantity(others, 'more table')} wait{'s' * (others == 1)}.", drawing.DIM), width
        )
    return [_draw_heading("This game is over and waits for its seal" if row.needs_seal else "This table waits"), *rows]


def _draw_last_game(overview: Overview, now: datetime, width: int) -> list[Content]:
    row = overview.last
    assert row is not None
    head = Content.assemble(
        (drawing.narrow_glyphs(_session_title(row)), drawing.BOLD),
        f", {ago(row.changed, now)}: {describe_game_result(row)}.",
    )
    rows = _indent_rows(head, width)
    for deck in overview.decks:
        if deck.sentence:
            rows += _indent_rows(
                Content.assemble((deck.row.name, drawing.BOLD), f": {drawing.narrow_glyphs(str(deck.sentence))}"), width
            )
    return [_draw_heading("What happened last"), *rows]


def _draw_due_chores(overview: Overview, keys: Keys, width: int) -> list[Content]:
    rows: list[Content] = []
    most = max(1, _CHORES // len(overview.due))
    for each in overview.due:
        texts = [
            f"{text[:1].lower()}{text[1:]}"
            for text in (drawing.narrow_glyphs(str(chore.text)) for chore in each.chores)
        ]
        more = f", and {len(texts) - most} more" if len(texts) > most else ""
        rows += _indent_rows(
            Content.assemble((each.row.name, drawing.BOLD), f": {'; '.join(texts[:most])}{more}."), width
        )
    if left := overview.due_decks - len(overview.due):
        rows += _indent_rows(Content(f"… and {quantity(left, 'more deck')}"), width)
    way = Content.assemble((keys.others, drawing.BOLD), " leads to the decks; open one to check off what is done.")
    return [_draw_heading("To be done by hand"), *rows, *_indent_rows(way, width)]


def _draw_recent_decks(overview: Overview, width: int) -> list[Content]:
    rows = []
    for deck in overview.decks:
        figures = " · ".join(f"{figure.title} {figure.value}" for figure in deck.row.figures)
        holder = f" · {deck.row.holder}" if deck.row.holder else ""
        rows += _indent_rows(Content.assemble((deck.row.name, drawing.BOLD), f"  {figures}{holder}"), width)
    return [_draw_heading("Decks played lately"), *rows]


def _rows(part: OverviewPart, *, brief: bool) -> Iterator[Content]:
    """Yield a row for each subject."""
    overview, now, keys = part
    if row := overview.unsealed:
        where = f"{describe_game_result(row)} · {ago(row.changed, now)}"
        yield Content.assemble(
            ("To seal ", drawing.ACCENT),
            (drawing.narrow_glyphs(_session_title(row)), drawing.BOLD),
            f" · {drawing.narrow_glyphs(where)}",
        )
    if row := overview.waiting:
        where = " · ".join((*_facts(row)[-2:], ago(row.changed, now)))
        yield Content.assemble(
            ("Waits ", drawing.ACCENT),
            (drawing.narrow_glyphs(_session_title(row)), drawing.BOLD),
            f" · {drawing.narrow_glyphs(where)}",
        )
    elif not brief and not overview.unsealed:
        yield Content.assemble(("No table waits ", drawing.ACCENT), (keys.new, drawing.BOLD), " begins a game")
    if (row := overview.last) and not brief:
        text = f" · {drawing.narrow_glyphs(describe_game_result(row))} · {ago(row.changed, now)}"
        yield Content.assemble(
            ("Last ", drawing.ACCENT), (drawing.narrow_glyphs(_session_title(row)), drawing.BOLD), text
        )
    if overview.due:
        decks = [(each.row.name, len(each.chores)) for each in overview.due]
        more = f" · {quantity(overview.due_decks - len(decks), 'more deck')}" if overview.due_decks > len(decks) else ""
        pieces = [Content.assemble((name, drawing.BOLD), f" {count}") for name, count in decks]
        yield Content.styled("To do ", drawing.ACCENT) + Content(" · ").join(pieces) + more
