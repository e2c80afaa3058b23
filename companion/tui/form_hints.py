"""What a form says of how to go on: in the line where nothing is typed yet, and in the bottom row.

Separate from the screen, which does what these say.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from companion.games import registry
from companion.session.form_cursor import GAME, WHOLE, FormCursor
from companion.tui.widgets.keys import Key


def invitation(cursor: FormCursor, *, has_choices: bool, draw: str) -> str:
    """What to do where nothing is typed yet; `draw` is the key by which chance answers."""
    if cursor.at == GAME:
        return f"Enter keeps {registry.game(cursor.game).title}, ↓ chooses another"
    asked = cursor.asked
    if asked is None:
        return f"Enter: {cursor.form.done.lower()}"
    ways = ["type it", *(["↓ chooses"] if has_choices else []), *([f"{draw} draws it"] if asked.by_chance else [])]
    alone = ", then Enter" if asked.required and not cursor.begins_another else "; Enter alone goes on"
    return f"{' or '.join(ways)}{alone}"


def keys(cursor: FormCursor, name: Callable[[str], str], *, has_choices: bool, is_text: bool) -> Iterator[Key]:
    """What the keys do now, those first without which nobody gets on; `name` says which key a binding has."""
    end = cursor.at == WHOLE
    draw = (name("form.draw"), "Draw", "screen.draw")
    draws_here = cursor.asked is not None and cursor.asked.by_chance
    following = (name("form.next"), "Next", "screen.step(1)")
    if not is_text:
        yield ("Enter", cursor.form.done if end else "Go on", "screen.enter")
    if draws_here:
        yield draw
    if has_choices:
        yield ("↑ ↓", "Choose", "")
    elif is_text:
        yield following
    yield (name("form.back"), "Back", "screen.leave")
    yield (name("form.help"), "Help", "screen.help")
    if not end:
        yield (name("form.done"), cursor.form.done, "screen.finish")
    yield (name("form.before"), "Before", "screen.step(-1)")
    if not end and not is_text:
        yield following
    if cursor.at.entry is not None:
        yield (name("form.remove"), "Remove", "screen.remove")
    if cursor.draws and not draws_here:
        yield draw
