"""What a table asks now, and what one row of typed words can answer of it. Separate, as reading and screens need it."""

from __future__ import annotations

from companion.games.action import NotationError
from companion.games.choices import Open
from companion.games.draft import Draft
from companion.games.notation import Notation
from companion.games.table import Prompt, TableView


def due(view: TableView) -> tuple[Prompt, ...]:
    """The prompts that the step waits for, in order; where there are none, the offers."""
    return tuple(prompt for prompt in view.prompts if prompt.due) or view.prompts


def ways(prompt: Prompt) -> tuple[str, ...]:
    """Every line that answers a prompt, the suggested one first."""
    return tuple(answer.line for answer in prompt.answers)


def together(view: TableView) -> tuple[Prompt, ...]:
    """The prompts that one row of words can answer: each wants the same single word, of another seat."""
    prompts = due(view)
    if not prompts or not _is_one_word(prompts[0].wants):
        return ()
    first = prompts[0]
    same = [p for p in prompts if p.wants == first.wants and p.answer.action is first.answer.action]
    return tuple({prompt.seat: prompt for prompt in reversed(same)}.values())[::-1]


def ends(answer: Draft) -> bool:
    """Whether an answer ends the game for good, in the word that every game has for it."""
    return answer.action.verb() == "seal"


def is_over(view: TableView) -> bool:
    """Whether what is asked now belongs to the time after the game."""
    return view.closing or any(ends(answer) for prompt in view.prompts for answer in prompt.answers)


def is_done(view: TableView) -> bool:
    """Whether the game has ended and nothing is asked any more."""
    return view.outcome is not None and not view.prompts


def left_open(view: TableView) -> tuple[str, ...]:
    """What could still be done, and would be left undone by who goes on."""
    return tuple(prompt.text for prompt in view.prompts if not prompt.due)


def is_line(notation: Notation, line: str) -> bool:
    """Whether a text can be read as a line of notation."""
    try:
        notation.parse(line)
    except NotationError:
        return False
    return True


def wanted(found: Open) -> str:
    """What can be typed where nobody can list it: `a whole number (1 to 3)`."""
    return f"{found.what}{_bounds(found.least, found.most)}"


def _bounds(least: int | None, most: int | None) -> str:
    """How large a number may be, or how many there may be."""
    if most is None:
        return "" if least is None else f" ({least} or more)"
    if least == most:
        return f" ({most})"
    return f" (up to {most})" if least is None else f" ({least} to {most})"


def _is_one_word(wants: str) -> bool:
    return bool(wants) and " " not in wants and not wants.endswith("…")
