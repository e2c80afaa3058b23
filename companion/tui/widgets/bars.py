"""The rows around a table: the head with the steps, the status line below the command bar, and the keys."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import msgspec
from rich.cells import cell_len
from textual.content import Content
from textual.style import Style

from companion.tabletop.action import Tell
from companion.tui import drawing
from companion.tui.widgets.panel import Panel
from templates.languages.messages import Language, Message, Text, phrase, render_value

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from companion.tabletop.table.table import Counter, RoundStep

_GAP = 3
"""The minimum of cells between the figures and the time."""


class HeadPart(msgspec.Struct, frozen=True):
    """The game, the table's own counters, the steps with the current one, and the time in longer and shorter words."""

    title: str
    counters: tuple[Counter, ...]
    steps: tuple[RoundStep, ...]
    step: str
    time: tuple[str, ...] = ()
    is_urgent: bool = False
    """True if somebody has little time left."""
    is_timed: bool = False
    """True if somebody has asked for a clock or a countdown: its shortest words come before figures."""


class Head(Panel[HeadPart]):
    """Two rows with the state of the game."""

    @staticmethod
    def draw(part: HeadPart, width: int) -> list[Content]:
        """Draw the game with its figures, then the steps."""
        counters = [c for c in part.counters if c.is_visible and c.name != "step" and c.says_something]
        room = width - _GAP - len(part.time[-1]) if part.is_timed and part.time else width
        row = Content.styled(str(part.title), drawing.ACCENT)
        for counter in counters:
            longer = row + drawing.BULLET + drawing.draw_brief_counter(counter)
            row = longer if longer.cell_length <= room else row
        style = "bold $text-warning" if part.is_urgent else drawing.DIM
        row = with_time(row.truncate(max(room, width // 3), ellipsis=True), part.time, width, style)
        return [row, steps_in(part.steps, part.step, width)]


def with_time(row: Content, time: tuple[str, ...], width: int, style: str = drawing.DIM) -> Content:
    """Append the time to a row, in the longest words that fit."""
    for words in time:
        gap = width - row.cell_length - len(words)
        if gap >= _GAP:
            return row + " " * gap + Content.styled(words, style)
    return row


def steps_in(steps: tuple[RoundStep, ...], present: str, width: int) -> Content:
    """Return the steps in one row; if they do not fit, those around the current one."""
    at = next((index for index, step in enumerate(steps) if step.name == present), None)
    full = _steps_row(steps, at, 0, len(steps))
    if full.cell_length <= width or not steps:
        return full
    first = at or 0
    last = first + 1
    row = _steps_row(steps, at, first, last)
    while first > 0 or last < len(steps):
        wider = (max(0, first - 1), min(len(steps), last + 1))
        content = _steps_row(steps, at, *wider)
        if content.cell_length > width:
            break
        (first, last), row = wider, content
    return row.truncate(width, ellipsis=True)


def _steps_row(steps: tuple[RoundStep, ...], at: int | None, first: int, last: int) -> Content:
    pieces = ["… "] if first > 0 else []
    content = Content("".join(pieces))
    for index in range(first, last):
        gap = "" if index == first else " "
        content = content + gap + _draw_step(str(steps[index].title), index, at)
    return content + ("" if last >= len(steps) else " …")


def _draw_step(title: str, index: int, at: int | None) -> Content:
    if index == at:
        return Content.styled(f"▶{title}◀", drawing.ACCENT)
    return Content.styled(f" {title} ", drawing.DIM if at is None or index < at else "")


class Status(msgspec.Struct, frozen=True):
    """A sentence to show, and its kind: `wrong` and `help` are about the typed line and go with it.

    One that `waits` stays while the app waits for the archive. `tells` are the sentences of the text, if it describes
    what happened.
    """

    text: str
    kind: Literal["wrong", "told", "asked", "help", "waits"] = "told"
    tells: tuple[Tell, ...] = ()


_LOOKS = {
    "wrong": ("✗ ", "bold $text-error"),
    "told": ("", "$text-strong"),
    "asked": ("? ", "bold $text-warning"),
    "help": ("", "$text"),
    "waits": ("… ", "bold $text-warning"),
}


class StatusLine(Panel[Status]):
    """A line with one sentence at a time."""

    grows = True
    _instead: Status | None = None

    def show(self, part: Status) -> None:
        """Show this now, or after the wait for the archive."""
        if self._instead is None:
            super().show(part)
        else:
            self._instead = part

    def add_note(self, sentence: str) -> None:
        """Show a note below the current sentence, which may not have been read yet; the next `show` replaces both."""
        belongs = self._instead or self.part or Status("")
        text = belongs.text.removesuffix(sentence).rstrip("\n")
        self.show(msgspec.structs.replace(belongs, text=f"{text}\n{sentence}".lstrip("\n"), tells=()))

    def wait(self, sentence: str) -> None:
        """Show how long the app has been waiting for the archive, beside an error; "" shows the previous sentence
        again.
        """
        belongs, self._instead = self._instead or self.part or Status(""), None
        both = Status(f"{belongs.text} ({sentence})", "wrong") if belongs.kind == "wrong" else Status(sentence, "waits")
        self.show(both if sentence else belongs)
        self._instead = belongs if sentence else None

    @staticmethod
    def draw(part: Status, width: int) -> list[Content]:
        """Draw the sentence on as many rows as it takes."""
        mark, style = _LOOKS[part.kind]
        rows = [
            row
            for line in part.text.splitlines()
            for row in Content.styled(mark + drawing.narrow_glyphs(line), style).wrap(width)
        ]
        return rows or [Content("")]

    @staticmethod
    def briefer(part: Status, width: int) -> Iterator[list[Content]]:
        """Yield fewer and fewer sentences, with the number of missing ones: those that need no action now go first, the
        oldest before the others.
        """
        kept = list(part.tells)
        for missing, tell in enumerate(sorted(part.tells, key=_urgency)[:-1], 1):
            kept.remove(tell)
            text = "  ".join((*(str(each.text) for each in kept), str(drawing.count_missing(missing))))
            yield StatusLine.draw(Status(text, part.kind), width)


def _urgency(tell: Tell) -> int:
    """Return the urgency of a sentence: who acts and what they face, then what decided the game, then what to do with
    the real cards, then the rest.
    """
    return 3 if tell.now else 2 if tell.decides else int(tell.by_hand)


class KeyEffect(Message):
    """The effect of a key, with a brief text that says it where there is no room for the whole one."""

    __slots__ = ("brief", "whole")

    def __init__(self, whole: Text, brief: Text) -> None:
        self.whole = whole
        self.brief = brief

    def render(self, language: Language) -> str:
        """Return the whole effect in a language."""
        return render_value(self.whole, language)

    @property
    def _key(self) -> tuple[object, ...]:
        return (self.whole, self.brief)


Key = tuple[str, Text, str]
"""A key, its current effect, and the action that a click on it runs."""

_KEPT = 5
"""The number of keys for which brief texts are taken rather than to leave one of them out."""

_GAPS = (2, 1)
"""Cells between two keys: usually, and if otherwise some of the first would be left out."""

# Translators: Behind the name of a key: it lists all commands.
_MORE: Key = ("^P", phrase("More"), "app.command_palette")
"""The key to all commands, including those without room in the row; with the mouse, the only way to them."""


class KeyBar(Panel[tuple[Key, ...]]):
    """The keys in one row; the last one opens the list of all commands, including those that do not fit."""

    @staticmethod
    def draw(part: tuple[Key, ...], width: int) -> list[Content]:
        """Draw as many keys as fit; no text is cut.

        If room is scarce, the last ones are left out, then texts become brief, then keys stand closer. At last any
        that does not fit is left out.
        """
        effects = [(drawing.key_title(key), str(does), action) for key, does, action in part]
        for count in range(len(part), min(len(part), _KEPT) - 1, -1):
            keys = (*effects[:count], _more())
            if _row_length(keys, _GAPS[0]) <= width:
                return [_keys_row(keys, _GAPS[0])]
        closest = max(
            (_fit_keys(part, width, gap) for gap in _GAPS), key=lambda fitting: min(len(fitting[0]), _KEPT + 2)
        )
        return [_keys_row(*closest)]


def _more() -> tuple[str, str, str]:
    key, does, action = _MORE
    return key, str(does), action


def _fit_keys(part: tuple[Key, ...], width: int, gap: int) -> tuple[tuple[tuple[str, str, str], ...], int]:
    """Return the keys that fit, and the gap.

    The first ones get brief texts where they must, then whole ones where there is still room; then others follow.
    """
    last = _more()
    keys = [(drawing.key_title(key), does, action) for key, does, action in part]
    fitting: list[tuple[str, str, str]] = []
    wholes: list[str] = []
    for key, does, action in keys[:_KEPT]:
        brief = (key, str(does.brief if isinstance(does, KeyEffect) else does), action)
        if _row_length((*fitting, brief, last), gap) <= width:
            fitting.append(brief)
            wholes.append(str(does))
    for at, (key, _, action) in enumerate(fitting):
        longer = (key, wholes[at], action)
        if _row_length((*fitting[:at], longer, *fitting[at + 1 :], last), gap) <= width:
            fitting[at] = longer
    for key, does, action in keys[_KEPT:] if len(fitting) == len(keys[:_KEPT]) else ():
        further = (key, str(does), action)
        if _row_length((*fitting, further, last), gap) > width:
            break
        fitting.append(further)
    return (*fitting, last), gap


def _row_length(keys: Sequence[tuple[str, str, str]], gap: int) -> int:
    """Return the cells of a row without the gap behind its last key."""
    return sum(cell_len(f" {key}  {does}") for key, does, _ in keys) + gap * (len(keys) - 1)


def _keys_row(keys: Sequence[tuple[str, str, str]], gap: int) -> Content:
    return Content(" " * gap).join(
        Content.assemble((f" {key} ", drawing.ACCENT), f" {does}").stylize(
            Style.from_meta({"@click": action}) if action else Style.null()
        )
        for key, does, action in keys
    )
