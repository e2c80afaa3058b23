"""The overview beside home's lists: the table that waits, the last game, the chores, the decks played lately."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Final, NamedTuple

import msgspec
from textual.content import Content

from companion.archive import SessionRow, SessionStanding
from companion.archive.storage.rows import describe_game_result, describe_seats, reason_text
from companion.games import registry
from companion.tui import drawing
from companion.tui.widgets.panel import Panel
from templates.languages.dates import time_ago
from templates.languages.messages import (
    Message,
    Text,
    WithinSentence,
    joined,
    phrase,
    phrase_in,
    phrases,
)

if TYPE_CHECKING:
    from companion.archive.overview import Overview

_CHORES: Final = 6
"""The number of chores that are named, of all decks together."""


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
        yield list(_rows(part, width, brief=False))
        yield list(_rows(part, width, brief=True))


def _session_title(row: SessionRow) -> Text:
    return row.title or registry.title(row.game, row.page)


def _facts(row: SessionRow) -> Sequence[Text]:
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
        # Translators: {key} is the name of a key in this and the following messages.
        ways = [phrase("{key} seats people and begins a game.", key=drawing.strong(keys.new))]
        if not overview.last and not overview.decks:
            ways.append(phrase("{key} builds a deck, step by step.", key=drawing.strong(keys.build)))
        lines = map(drawing.style_message, ways)
        yield [_draw_heading(phrase("No table waits")), *(row for line in lines for row in _indent_rows(line, width))]
    if overview.last:
        yield _draw_last_game(overview, now, width)
    if overview.due:
        yield _draw_due_chores(overview, keys, width)
    if overview.decks:
        yield _draw_recent_decks(overview, width)


def _draw_heading(text: Text) -> Content:
    return Content.styled(drawing.narrow_glyphs(text), drawing.ACCENT)


def _indent_rows(content: Content, width: int) -> list[Content]:
    return [row.pad_left(2) for row in drawing.wrap_content(content, width - 2)]


def _draw_waiting_table(row: SessionRow, others: int, now: datetime, width: int) -> list[Content]:
    # Translators: The state of a game.
    facts = list(map(drawing.narrow_glyphs, _facts(row) or (phrase_in("game", "not begun"),)))
    # Translators: The title of a table, and when something happened there.
    head = phrase("{table}, {ago}", table=drawing.strong(_session_title(row)), ago=time_ago(row.changed, now))
    rows = _indent_rows(drawing.style_message(head), width)
    game: Text = registry.title(row.game, row.page)
    if isinstance(row.standing, SessionStanding):
        game = phrase("{game}: {players}", game=game, players=describe_seats(row.standing.seats))
    rows += _indent_rows(Content(str(game)), width)
    rows += [line.pad_left(2) for line in drawing.lay_out_rows(map(Content, facts), width - 2)]
    key = drawing.strong("Enter")
    if row.needs_seal:
        heading = phrase("This game is over and waits for its seal")
        goes_on = phrase("{key} leads to its seal; until then, no deck's record has it.", key=key)
    else:
        heading = phrase("This table waits")
        goes_on = phrase("{key} goes on.", key=key)
    rows += _indent_rows(drawing.style_message(goes_on), width)
    if others:
        more = phrases("{n} more table waits.", "{n} more tables wait.", n=others)
        rows += _indent_rows(Content.styled(str(more), drawing.DIM), width)
    return [_draw_heading(heading), *rows]


def _draw_last_game(overview: Overview, now: datetime, width: int) -> list[Content]:
    row = overview.last
    assert row is not None
    # Translators: The title of a table, when its game ended, and how.
    head = phrase(
        "{table}, {ago}: {result}.",
        table=drawing.strong(_session_title(row)),
        ago=time_ago(row.changed, now),
        result=describe_game_result(row),
    )
    rows = _indent_rows(drawing.style_message(head), width)
    for deck in overview.decks:
        if deck.sentence:
            # Translators: {sentence} tells what happened to a deck.
            story = phrase("{deck}: {sentence}", deck=drawing.strong(deck.row.name), sentence=deck.sentence)
            rows += _indent_rows(drawing.style_message(story), width)
    return [_draw_heading(phrase("What happened last")), *rows]


def _draw_due_chores(overview: Overview, keys: Keys, width: int) -> list[Content]:
    rows: list[Content] = []
    most = max(1, _CHORES // len(overview.due))
    for each in overview.due:
        deck = drawing.strong(each.row.name)
        chores = joined("; ", (WithinSentence(chore.text) for chore in each.chores[:most]))
        if len(each.chores) > most:
            sentence = phrases(
                "{deck}: {chores}, and {n} more.",
                "{deck}: {chores}, and {n} more.",
                n=len(each.chores) - most,
                deck=deck,
                chores=chores,
            )
        else:
            # Translators: {chores} is a list of what to do by hand, separated by semicolons.
            sentence = phrase("{deck}: {chores}.", deck=deck, chores=chores)
        rows += _indent_rows(drawing.style_message(sentence), width)
    if left := overview.due_decks - len(overview.due):
        rows += _indent_rows(Content(str(phrases("… and {n} more deck", "… and {n} more decks", n=left))), width)
    way = phrase("{key} leads to the decks; open one to check off what is done.", key=drawing.strong(keys.others))
    return [_draw_heading(phrase("To be done by hand")), *rows, *_indent_rows(drawing.style_message(way), width)]


def _draw_recent_decks(overview: Overview, width: int) -> list[Content]:
    rows = []
    for deck in overview.decks:
        figures = " · ".join(f"{figure.caption} {figure.value}" for figure in deck.row.figures)
        holder = f" · {deck.row.holder}" if deck.row.holder else ""
        rows += _indent_rows(Content.assemble((deck.row.name, drawing.BOLD), f"  {figures}{holder}"), width)
    return [_draw_heading(phrase("Decks played lately")), *rows]


def _row_title(title: Message) -> tuple[str, str]:
    return f"{title} ", drawing.ACCENT


def _fit_row(title: Message, table: Text, details: Sequence[Text], width: int) -> Content:
    """Return a row on a table with as many whole details as fit; the last ones go first."""
    head = Content.assemble(_row_title(title), (drawing.narrow_glyphs(table), drawing.BOLD))
    kept = [Content(drawing.narrow_glyphs(each)) for each in details]
    while kept and (row := Content(drawing.BULLET).join([head, *kept])).cell_length > width:
        kept.pop()
    return row if kept else head.truncate(width, ellipsis=True)


def _fit_decks(decks: Sequence[tuple[str, int]], others: int, width: int) -> Content:
    """Return a row with as many decks as fit, and the number of the others."""
    head = Content.assemble(_row_title(phrase("To do")))
    pieces = [Content.assemble((name, drawing.BOLD), f" {count}") for name, count in decks]
    for count in range(len(pieces), 0, -1):
        left = others + len(pieces) - count
        more = [Content(str(phrases("{n} more deck", "{n} more decks", n=left)))] if left > 0 else []
        row = head + Content(drawing.BULLET).join([*pieces[:count], *more])
        if row.cell_length <= width:
            return row
    return row.truncate(width, ellipsis=True)


def _rows(part: OverviewPart, width: int, *, brief: bool) -> Iterator[Content]:
    """Yield a row for each subject."""
    overview, now, keys = part
    if row := overview.unsealed:
        details: list[Text] = [describe_game_result(row), time_ago(row.changed, now)]
        # Translators: The messages from here on begin a row on a table.
        yield _fit_row(phrase_in("table", "To seal"), _session_title(row), details, width)
    if row := overview.waiting:
        details = [*_facts(row)[-2:], time_ago(row.changed, now)]
        yield _fit_row(phrase_in("table", "Waits"), _session_title(row), details, width)
    elif not brief and not overview.unsealed:
        way = phrase("{key} begins a game", key=drawing.strong(keys.new))
        yield Content.assemble(_row_title(phrase("No table waits")), drawing.style_message(way))
    if (row := overview.last) and not brief:
        details = [describe_game_result(row), time_ago(row.changed, now)]
        yield _fit_row(phrase_in("game", "Last"), _session_title(row), details, width)
    if overview.due:
        decks = [(each.row.name, len(each.chores)) for each in overview.due]
        yield _fit_decks(decks, overview.due_decks - len(decks), width)
