"""The keys of a table and their current effects, and the effect of Enter. The screen runs them."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterable
from typing import Final

from textual.binding import Binding

from companion.session.reading.local_words import title_of_line
from companion.session.reading.table_questions import due_prompts, is_done, is_over, offer_to_draw, seat_prompts
from companion.session.table import rematch
from companion.session.table.going_on import Course
from companion.session.table.table_client import TableClient
from companion.tabletop.notation.usage_words import UsageText
from companion.tui.widgets.bars import Key, KeyEffect
from templates.languages.messages import Text, declared, joined, listed, phrase, phrase_in

# Translators: The messages from here on are short effects of keys in the bottom row of a screen.
TYPING: Final[tuple[Key, ...]] = (
    ("Enter", phrase("Do it"), "focused.submit"),
    ("Tab", phrase("Complete"), "focused.next_word"),
    ("↓", phrase("Choose"), "focused.newer"),
    ("Esc", phrase("Clear"), "focused.clear_line"),
    ("F1", phrase("Help"), "screen.help"),
    ("↑", phrase("Earlier line"), "focused.older"),
)
"""The keys while the command bar has a text."""

CHOOSING: Final[tuple[Key, ...]] = (
    ("Enter", phrase("Take it"), "screen.take_answer"),
    ("Tab", phrase("Type it"), "focused.next_word"),
    ("Esc", phrase("Leave it"), "focused.clear_line"),
    ("F1", phrase("Explain"), "screen.help"),
    ("← ↑ ↓ →", phrase("Move"), "focused.newer"),
)
"""The keys while the cursor is in the list of answers."""

_ANSWER: Final = phrase_in("key", "Answer")
_FIGURE: Final = phrase_in("key", "Figure")
_UNDO: Final = phrase("Undo")
_REDO: Final = phrase("Redo")
"""The effects of keys where there is no room to name the line or figure."""

# Translators: A key that runs all suggestions until something has to be decided; beside it, “Next” ends the step.
_FAST_FORWARD: Final = phrase_in("to a decision", "Go on")
_LEADS_ON: Final = phrase("Go on")
_LEADS_HOME: Final = phrase("Home")

_AFTER_FIGURES = "table.help"
"""The key after those that select and fix a figure."""


TABLE_KEYS: Final[tuple[Binding, ...]] = (
    Binding("ctrl+n", "next", "Next", id="table.next", tooltip="Finish this step with its default and go on"),
    Binding("f7", "draw", "Draw one", id="table.draw", tooltip="Let the program draw what you are asked to draw"),
    Binding(
        "f4", "go_on", "Go on", id="table.go", tooltip="Go on: run the suggestions until something has to be decided"
    ),
    Binding(
        "ctrl+t",
        "rematch",
        "Again",
        id="table.again",
        tooltip="Open the same table again after a game, or the next game",
    ),
    Binding("ctrl+z", "undo", "Undo", id="table.undo", tooltip="Undo the last action"),
    Binding("ctrl+y", "redo", "Redo", id="table.redo", tooltip="Redo what was undone"),
    Binding("plus", "press(1)", "+", id="table.more", tooltip="Increase the selected counter by 1"),
    Binding("minus", "press(-1)", "−", id="table.less", tooltip="Decrease the selected counter by 1"),
    Binding("shift+up", "press(1, True)", "+ +", id="table.many", show=False, tooltip="Increase it by its large step"),
    Binding(
        "shift+down", "press(-1, True)", "− −", id="table.fewer", show=False, tooltip="Decrease it by its large step"
    ),
    Binding("space", "reason", "Say why", id="table.reason", show=False, tooltip="Enter a reason for the change"),
    Binding("enter", "answer", "Answer", id="table.answer", show=False, tooltip="Answer the first question"),
    Binding(
        "left",
        "choose_next(-1)",
        "Seat before",
        id="table.left",
        show=False,
        tooltip="Select the previous seat or thing",
    ),
    Binding(
        "right", "choose_next(1)", "Next seat", id="table.right", show=False, tooltip="Select the next seat or thing"
    ),
    Binding("f8", "card", "Card", id="table.card", tooltip="Show the evening on one page, to keep or to send"),
    Binding("f1", "help", "Help", id="table.help", tooltip="Show all keys and all lines"),
    Binding("ctrl+b", "leave", "Home", id="table.leave", tooltip="Leave the table; everything is saved"),
    Binding(
        "f2",
        "scoreboard",
        "Far",
        id="table.far",
        tooltip="Show figures large enough to read across the table, or go back",
    ),
    Binding("f3", "log", "Log", id="table.log", tooltip="Show the log in full size, or go back"),
    Binding(
        "f6",
        "teach",
        "Real cards",
        id="table.cards",
        show=False,
        tooltip="Show or hide at each step what to do with the real cards",
    ),
    Binding(
        "f5",
        "clock",
        "Clock",
        id="table.clock",
        show=False,
        tooltip="Pause the clock or let it go on; without one, see what can be counted",
    ),
    Binding(
        "f9",
        "warn",
        "Ask before a fall",
        id="table.warn",
        show=False,
        tooltip="Ask before Next puts a player out of the game, or stop asking",
    ),
)
"""The keys of a table, in the order of the bottom row; users remap them by their ids."""

PHONES: Final = "app.phones"
"""The key of the app that a table's row has as well: guests come at any time. It stands behind the help."""

_ORDER: Final = tuple(
    name for binding in TABLE_KEYS for name in ((binding.id, PHONES) if binding.id == "table.help" else (binding.id,))
)


_NO_MORE: Final = " …"
_LEAST: Final = 16
"""Columns in which a course that is cut off still says where it leads."""


def invitation(sitting: TableClient, help_key: str, go_key: str, width: int) -> str:
    """Return the placeholder of the command bar: the question or the effect of Enter, always in full; then, if there is
    room, the effect of going on.
    """
    asks = str(_invitation(sitting, help_key))
    behind = f"  ·  {go_key}: "
    goes_on = _course_in(sitting.course, width - len(asks) - len(behind))
    return f"{asks}{behind}{goes_on}" if goes_on else asks


def _course_in(course: Course, width: int) -> str:
    """Fit a course into `width` columns: its end matters more than the steps on the way; "" if not even that fits.

    If its end is too long, it is cut off, and what is done or left out on the way takes precedence.
    """
    if not course.sentence:
        return ""
    first, *more = dict.fromkeys(filter(None, course.does)) or ("",)
    decision = str(course.decision)
    # Translators: What going on does first, and what must be decided in the end; there is no room for all of it.
    in_brief = phrase("{step}, … → {decision}", step=first, decision=decision)
    end = phrase("… → {decision}", decision=decision)
    whole = tuple(map(str, (course.sentence, *([in_brief] if more else []), end)))
    for text in whole:
        if len(text) <= width:
            return text if len(text) >= _LEAST else ""
    for text in whole:
        # All of them end with the decision.
        if text.endswith(decision) and width - (len(text) - len(decision)) >= _LEAST:
            return textwrap.shorten(text, width, placeholder=_NO_MORE)
    brief = textwrap.shorten(whole[-1], max(width, len(_NO_MORE)), placeholder=_NO_MORE)
    return brief if len(brief) >= _LEAST else ""


def _invitation(sitting: TableClient, help_key: str) -> Text:
    view = sitting.view
    prompts = due_prompts(view)
    if sitting.is_sealed:
        return phrase("Enter: labels, chores, home")
    if is_over(view):
        return phrase("Enter: what follows the game, step by step")
    if is_done(view):
        return phrase("The game is over. Enter: home")
    if not prompts:
        return phrase("type a line, or {key} for help", key=help_key)
    row = seat_prompts(view)
    if len(row) > 1:
        names = {seat.seat: seat.name for seat in view.seats}
        # Translators: {players} are asked for the same thing, in this order.
        return phrase(
            "one after the other: {players}",
            players=listed(names.get(prompt.seat, prompt.seat) for prompt in row),
        )
    first = prompts[0]
    if first.wants:
        return f"{sitting.title_line(first.line)} {UsageText(first.wants)}"
    return phrase("Enter: {does}", does=sitting.title_line(first.line))


def shortcuts(bindings: Iterable[Binding], display: Callable[[Binding], str], sitting: TableClient) -> tuple[Key, ...]:
    """Return the keys of `bindings` with their current effects, in their order; those without effect are left out.

    `display` returns a key's name.
    """
    does_now = _does_now(sitting)
    first = due_prompts(sitting.view)[:1]
    enter: Text = ""
    if sitting.is_sealed or is_over(sitting.view):
        enter = _LEADS_ON
    elif first:
        title = title_of_line(first[0].line, sitting.verb_titles)
        enter = KeyEffect(title or first[0].line, title or _ANSWER)
    enter = _LEADS_HOME if is_done(sitting.view) and not sitting.is_sealed else enter
    keys: dict[str, Key] = {"screen.answer": ("Enter", enter, "screen.answer")} if enter else {}
    # Remapped keys come last, whatever they do.
    for binding in sorted(bindings, key=lambda binding: _ORDER.index(binding.id)):
        does = does_now.get(binding.id or "", declared(binding.description))
        action = binding.id if binding.id == PHONES else f"screen.{binding.action}"
        if binding.id == _AFTER_FIGURES and sitting.view.seats:
            keys.setdefault("seats", ("← →", phrase_in("figure", "Fix"), "screen.choose_next(1)"))
            if sitting.selection.title:
                keys.setdefault(
                    "counters", ("↑ ↓", KeyEffect(sitting.selection.title, _FIGURE), "screen.choose_counter(1)")
                )
        if does:
            keys.setdefault(action, (display(binding), does, action))
    return tuple(keys.values())


def _does_now(sitting: TableClient) -> dict[str, Text]:
    """Return the effects that depend on the table, by the ids of the keys; "" for none."""
    undo, redo, counter = sitting.would_undo(), sitting.would_redo(), sitting.selection.title
    draws = offer_to_draw(sitting.view) is not None
    return {
        # Translators: {line} is a line of notation.
        "table.undo": KeyEffect(phrase("Undo {line}", line=undo), _UNDO) if undo else "",
        "table.redo": KeyEffect(phrase("Redo {line}", line=redo), _REDO) if redo else "",
        "table.next": "" if sitting.is_sealed or is_done(sitting.view) or draws else phrase("Next"),
        "table.draw": phrase("Draw one") if draws else "",
        "table.card": phrase("Card") if sitting.view.outcome is not None else "",
        "table.go": _FAST_FORWARD if sitting.course.actions else "",
        "table.again": rematch.describe_next(sitting.session),
        "table.less": "",
        "table.more": KeyEffect(joined(" ", ("−", counter)), joined(" ", ("−", _FIGURE))) if counter else "",
    }
