"""After the game, one question at a time: what is asked, what answers it, and what each answer still lacks.

Separate from the screen, which lists the answers and forwards the one that is taken.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from companion.games.action import NotationError
from companion.games.choices import Choice, Open
from companion.games.draft import Draft
from companion.games.kinds import Words
from companion.games.notation import Notation
from companion.games.table import Prompt, TableView
from companion.session.asked import ends
from companion.session.sitting import Sitting


class Way(NamedTuple):
    """One answer, with what to know before it is taken, and where it leads: to an action, or to further answers.

    `about` is what further questions begin with; `field` is the list that may go on with further items.
    """

    text: str
    detail: str
    leads: Draft | Prompt
    about: str
    field: str = ""


class Question(NamedTuple):
    """What is asked, and what answers it; `wanted` is what has to be typed where nobody can list it.

    `draft` is what an answer completes, in its `field`; None where the answers are whole lines.
    """

    text: str
    ways: tuple[Way, ...]
    wanted: str = ""
    draft: Draft | None = None
    field: str = ""


def of_table(view: TableView) -> Question:
    """What the table waits for first, with all answers; then everything else that is open, and last the end."""
    seals = [answer for prompt in view.prompts for answer in prompt.answers if ends(answer)]
    open_ = [prompt for prompt in view.prompts if not ends(prompt.answer)]
    first = next((prompt for prompt in open_ if prompt.due), None)
    ways = [_of_draft(first, answer) for answer in first.answers] if first else []
    ways += [_of_prompt(prompt) for prompt in open_ if prompt is not first]
    ways += [Way("Look through all that changes, then seal", "", seal, "") for seal in seals]
    if first:
        return Question(first.text, tuple(ways))
    return Question("What else, before it is sealed?" if seals else "What else?" if ways else "", tuple(ways))


def after(sitting: Sitting, way: Way) -> Question:
    """What is asked once a way was taken that leads to no whole action yet."""
    if isinstance(way.leads, Prompt):
        return Question(way.about, tuple(_of_draft(way.leads, answer) for answer in way.leads.answers))
    draft = way.leads
    field = way.field or draft.to_choose[0].field
    found = sitting.choices(draft, field)
    text = f"{way.about} · {field.strip('_')}?"
    if isinstance(found, Open):
        ways = (*(_of_choice(way, field, choice) for choice in found.known), *_items(way, field, found))
        return Question(text, ways, found.what, draft, field)
    return Question(text, tuple(_of_choice(way, field, choice) for choice in found), "", draft, field)


def typed(question: Question, text: str, notation: Notation) -> Way | None:
    """The answer that typed words stand for, where they fit what is asked; None where they are something else."""
    if question.draft is None:
        return None
    words = Words.of(text, notation)
    try:
        value = question.draft.argument(question.field).kind.read(words, ())
    except NotationError:
        return None
    return None if words else Way(text, "", question.draft.having(question.field, value), question.text)


def is_whole(way: Way) -> bool:
    """Whether a way leads to an action with nothing left to ask."""
    return isinstance(way.leads, Draft) and not way.field and not way.leads.missing


def seals(way: Way) -> bool:
    """Whether a way ends the game for good."""
    return isinstance(way.leads, Draft) and ends(way.leads)


def _of_prompt(prompt: Prompt) -> Way:
    return Way(prompt.text, "", prompt if prompt.others else prompt.answer, prompt.text)


def _of_draft(prompt: Prompt, draft: Draft) -> Way:
    """An answer by what it leads to; where the question says that already, by its line."""
    line = f"{draft.line} {draft.wants}".rstrip()
    title, _, detail = (draft.note or line).partition(" · ")
    return Way(title[0].upper() + title[1:], detail or line if draft.note else "", draft, prompt.text)


def _of_choice(way: Way, field: str, choice: Choice) -> Way:
    assert isinstance(way.leads, Draft)
    text = choice.title or way.leads.argument(field).kind.write(choice.value)
    return Way(text, choice.detail, way.leads.having(field, choice.value), f"{way.about} · {text}")


def _items(way: Way, field: str, found: Open) -> Iterator[Way]:
    """One item more of a list, as long as it may have one; and that it has all, once it may end."""
    assert isinstance(way.leads, Draft)
    said = tuple(way.leads.given.get(field, ()))
    goes_on = found.most is None or len(said) + 1 < found.most
    for choice in found.of:
        text = choice.title or str(choice.value)
        longer = way.leads.having(field, (*said, choice.value))
        yield Way(text, choice.detail, longer, f"{way.about} · {text}", field if goes_on else "")
    if said and len(said) >= (found.least or 0):
        yield Way("That is all", "", way.leads, way.about)
