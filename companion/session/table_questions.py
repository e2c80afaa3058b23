"""What a table asks now: its prompts as one question after the other, what answers each, and what answers lack."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple, Protocol

from companion.tabletop.action import NotationError
from companion.tabletop.choices import Choice, Gap, Open
from companion.tabletop.notation import Notation
from companion.tabletop.table import Draft, Prompt, TableView


def due_prompts(view: TableView) -> tuple[Prompt, ...]:
    """The prompts that the step waits for, in order; where there are none, the offers."""
    return tuple(prompt for prompt in view.prompts if prompt.due) or view.prompts


def answer_lines(prompt: Prompt) -> tuple[str, ...]:
    """Every line that answers a prompt, the suggested one first."""
    return tuple(answer.line for answer in prompt.answers)


def seat_prompts(view: TableView) -> tuple[Prompt, ...]:
    """The prompts that one row of words can answer: each wants the same single word, of another seat."""
    prompts = due_prompts(view)
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


def describe_wanted(found: Open) -> str:
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
        return self.gap.candidates.what if self.gap and isinstance(self.gap.candidates, Open) else ""


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
    found = [*answers_to(first)] if first else []
    found += [_of_prompt(prompt) for prompt in open_ if prompt is not first]
    found += [Way("Look through all that changes, then seal", "", seal, "") for seal in seals]
    if first:
        return Question(first.text, tuple(found))
    return Question("What else, before it is sealed?" if seals else "What else?" if found else "", tuple(found))


def after(table: Table, way: Way) -> Question:
    """What is asked once a way was taken that leads to no whole action yet."""
    if isinstance(way.leads, Prompt):
        return Question(way.about, answers_to(way.leads))
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


def answers_to(prompt: Prompt) -> tuple[Way, ...]:
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
