"""What a form says: what it asks, how to go on where nothing is typed yet, and which keys count, in the bottom row.

Separate from the screen, which does what these say.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from textual.content import Content

from companion.games import registry
from companion.session.form_cursor import GAME, WHOLE, FormCursor
from companion.tui import drawing
from companion.tui.widgets.keys import Key


def question(cursor: FormCursor, wanted: str) -> Content:
    """What is asked here, and what there is to know of it; `wanted` is what may be typed, where that is known."""
    if cursor.at == GAME:
        return Content.assemble(("Game", "bold"), "  Which game is it?")
    part = cursor.asked
    if part is None:
        return Content.assemble((cursor.form.done, "bold"), "  Look it through; Enter keeps it.")
    field = cursor.whole_field
    titles = [field.title or field.name]
    if field.many:
        titles[0] += f" {(cursor.at.entry or 0) + 1}"
    if part is not field:
        first = cursor.answers.get(cursor.at._replace(part=field.parts[0].name))
        titles += [drawing.single(field.parts[0].shown(first))] if first and part is not field.parts[0] else []
        titles.append(part.title or part.name)
    told = part.help or (wanted if wanted != titles[-1] else "") or field.help
    return Content.assemble((drawing.BULLET.join(titles), "bold"), f"  {drawing.single(told)}")


def invitation(cursor: FormCursor, *, has_choices: bool, draw: str, takes_first: bool = False) -> str:
    """What to do where nothing is typed yet; `draw` is the key by which chance answers, and Enter `takes_first` of the
    choices.
    """
    if cursor.at == GAME:
        return f"Enter keeps {registry.game(cursor.game).title}, ↓ chooses another"
    asked = cursor.asked
    if asked is None:
        return f"Enter: {cursor.form.done.lower()}"
    if takes_first:
        return "Enter takes the marked row, ↑ ↓ choose another; or type it"
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
