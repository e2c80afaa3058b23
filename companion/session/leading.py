"""After the game, one question at a time: what is asked, what answers it, and what each answer still lacks.

Separate from the screen, which lists the answers and forwards the one that is taken.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple, Protocol

from companion.games.action import NotationError
from companion.games.choices import Choice, Open
from companion.games.draft import Draft
from companion.games.gap import Gap
from companion.games.notation import Notation
from companion.games.table import Prompt, TableView
from companion.session.asked import ends


class Way(NamedTuple):
    """One answer, with what to know before it is taken, and where it leads: to an action, or to further answers.

    `about` is what further questions begin with; `field` is the list that may go on with further items. `key` tells it
    from the other answers, also when they are made anew; `choice` is what it says in a field.
    """

    text: str
    detail: str
    leads: Draft | Prompt
    about: str
    field: str = ""
    key: str = ""
    choice: Choice | None = None


class Question(NamedTuple):
    """What is asked, and what answers it; `gap` is what an answer fills, None where the answers are whole lines."""

    text: str
    ways: tuple[Way, ...]
    gap: Gap | None = None

    @property
    def wanted(self) -> str:
        """What has to be typed where nobody can list it; "" where the ways are all there is."""
        return self.gap.found.what if self.gap and isinstance(self.gap.found, Open) else ""


class Table(Protocol):
    """A table that knows what can fill a field."""

    def gap(self, draft: Draft, field: str = "") -> Gap:
        """What a draft lacks first, or in this field, and what can fill it."""
        ...


def of_table(view: TableView) -> Question:
    """What the table waits for first, with all answers; then everything else that is open, and last the end."""
    seals = [answer for prompt in view.prompts for answer in prompt.answers if ends(answer)]
    open_ = [prompt for prompt in view.prompts if not ends(prompt.answer)]
    first = next((prompt for prompt in open_ if prompt.due), None)
    found = [*ways(first)] if first else []
    found += [_of_prompt(prompt) for prompt in open_ if prompt is not first]
    found += [Way("Look through all that changes, then seal", "", seal, "") for seal in seals]
    if first:
        return Question(first.text, tuple(found))
    return Question("What else, before it is sealed?" if seals else "What else?" if found else "", tuple(found))


def after(table: Table, way: Way) -> Question:
    """What is asked once a way was taken that leads to no whole action yet."""
    if isinstance(way.leads, Prompt):
        return Question(way.about, ways(way.leads))
    gap = table.gap(way.leads, way.field)
    return Question(f"{way.about} · {gap.name}?", (*_choices(way, gap), *_items(way, gap)), gap)


def typed(question: Question, text: str, notation: Notation) -> Way | None:
    """The answer that typed words stand for, where they fit what is asked; None where they are something else."""
    if question.gap is None:
        return None
    try:
        return Way(text, "", question.gap.read(text, notation), question.text)
    except NotationError:
        return None


def is_whole(way: Way) -> bool:
    """Whether a way leads to an action with nothing left to ask."""
    return isinstance(way.leads, Draft) and not way.field and not way.leads.missing


def seals(way: Way) -> bool:
    """Whether a way ends the game for good."""
    return isinstance(way.leads, Draft) and ends(way.leads)


def ways(prompt: Prompt) -> tuple[Way, ...]:
    """All answers to one question, the suggested one first."""
    return tuple(_of_draft(prompt, answer) for answer in prompt.answers)


def _of_prompt(prompt: Prompt) -> Way:
    return Way(prompt.text, "", prompt if prompt.others else prompt.answer, prompt.text)


def _of_draft(prompt: Prompt, draft: Draft) -> Way:
    """An answer by what it leads to; where the question says that already, by its line."""
    line = draft.shape
    title, _, detail = (draft.note or line).partition(" · ")
    return Way(title[0].upper() + title[1:], detail or line if draft.note else "", draft, prompt.text, key=line)


def _choices(way: Way, gap: Gap) -> Iterator[Way]:
    for choice in gap.listed:
        text = choice.title or gap.word(choice)
        leads = gap.filled(choice.value)
        yield Way(text, choice.detail, leads, f"{way.about} · {text}", key=f"={gap.word(choice)}", choice=choice)


def _items(way: Way, gap: Gap) -> Iterator[Way]:
    """One item more of a list, as long as it may have one; and that it has all, once it may end."""
    for choice, longer, goes_on in gap.items():
        text = choice.title or str(choice.value)
        field = gap.argument.field if goes_on else ""
        yield Way(text, choice.detail, longer, f"{way.about} · {text}", field, f"+{choice.value}", choice)
    if gap.may_end:
        yield Way("That is all", "", gap.draft, way.about, key=".")
