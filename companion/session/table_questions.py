"""The questions of a table with their answers: what every screen, page and talk draws, each in its own way."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, takewhile
from typing import Any, Final, Protocol

import msgspec

from companion.tabletop.action import NotationError
from companion.tabletop.choices import Choice, Gap, Open, Rules, accepts, choices
from companion.tabletop.common_actions import Set
from companion.tabletop.completion import Vocabulary
from companion.tabletop.notation import ENDS, Notation
from companion.tabletop.table import Draft, Prompt, TableView, draft

PUT_RIGHT: Final = Prompt("Put a figure right…", draft(Set), due=False)
"""What can be done at every table: whose figure it is, which one, and what it is now."""


def can_put_right(view: TableView, *, is_sealed: bool = False) -> bool:
    """Whether there is a figure that people may put right."""
    if is_sealed or view.closing or not view.seats:
        return False
    whose = chain((view.counters,), (seat.counters for seat in view.seats), (thing.counters for thing in view.things()))
    return any(counter.settable for counters in whose for counter in counters)


def due_prompts(view: TableView) -> tuple[Prompt, ...]:
    """The prompts that the step waits for, in order; where there are none, the offers."""
    return tuple(prompt for prompt in view.prompts if prompt.due) or view.prompts


def offer_to_draw(view: TableView) -> Draft | None:
    """The answer by which the program draws what the first question asks the table to draw; None where it asks none."""
    first = due_prompts(view)[:1]
    answers = (answer for prompt in first if prompt.lists_values for answer in prompt.others)
    return next((answer for answer in answers if answer.given.get("is_drawn")), None)


def answer_lines(prompt: Prompt) -> tuple[str, ...]:
    """Every line that answers a prompt, the suggested one first."""
    return tuple(answer.line for answer in prompt.answers)


def seat_prompts(view: TableView) -> tuple[Prompt, ...]:
    """The prompts that one row of words can answer: each wants the same single word, of another seat."""
    prompts = due_prompts(view)
    wants = prompts[0].wants if prompts else ""
    if not wants or " " in wants or wants.endswith("…"):
        return ()
    first = prompts[0]
    same = [p for p in prompts if p.wants == first.wants and p.answer.action is first.answer.action]
    return tuple({prompt.seat: prompt for prompt in reversed(same)}.values())[::-1]


def ends(answer: Draft) -> bool:
    """Whether an answer ends the game for good, in the word that every game has for it."""
    return answer.action.verb() == ENDS


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


def is_accepted(game: Vocabulary, state: Any, draft: Draft) -> bool:
    """Whether a draft leads to something that the rules accept; what the log itself takes is no game's to judge."""
    return draft.action not in game.actions or accepts(game, state, draft)


def with_optional(game: Rules, state: Any, draft: Draft) -> Draft | None:
    """A refused draft that asks for what a line can mostly do without and needs here, such as which of two cards is
    meant; None where nothing would help.
    """
    for argument in draft.optional:
        values = () if argument.flag else choices(game, state, draft, argument.field)
        if values and not isinstance(values, Open):
            return msgspec.structs.replace(draft, asks=(*draft.asks, argument.field))
    return None


class Answer(msgspec.Struct, frozen=True):
    """One answer to a question.

    `name` is how notation writes it, with what it still wants: a whole line, or what stands in a field. `title` is what
    people call it, "" where the name is all; `detail` what they need to know before they choose it. `line` is what is
    typed for it, and `leads` the draft that it makes, or the prompt that it asks next; None where only its line is
    known. `choice` is the value in a field, and `field` the list that may go on behind it. `topic` is what further
    questions begin with. `key` tells it from the other answers, also when they are made anew.
    """

    name: str
    title: str = ""
    detail: str = ""
    line: str = ""
    leads: Draft | Prompt | None = None
    choice: Choice | None = None
    field: str = ""
    topic: str = ""
    key: str = ""

    @property
    def is_whole(self) -> bool:
        """Whether it makes an action with nothing left to ask."""
        return isinstance(self.leads, Draft) and not self.field and not self.leads.missing

    @property
    def seals(self) -> bool:
        """Whether it ends the game for good."""
        return isinstance(self.leads, Draft) and ends(self.leads)


class Question(msgspec.Struct, frozen=True):
    """What is asked, and what answers it; `topic` is what it is about.

    `gap` is what an answer fills, None where the answers are whole lines. `open` is what can be typed besides, None
    where the answers are all there is. Where nothing can follow, `note` says whether that is all, or why not.
    """

    text: str = ""
    answers: tuple[Answer, ...] = ()
    gap: Gap | None = None
    open: Open | None = None
    topic: str = ""
    note: str = ""

    @property
    def wanted(self) -> str:
        """What can be typed where nobody can list it, such as `a whole number (1 to 3)`; "" where nothing can."""
        if self.open is None:
            return ""
        least, most = self.open.least, self.open.most
        if most is None:
            bounds = "" if least is None else f" ({least} or more)"
        elif least == most:
            bounds = f" ({most})"
        else:
            bounds = f" (up to {most})" if least is None else f" ({least} to {most})"
        return f"{self.open.what}{bounds}"

    def read(self, text: str, notation: Notation, *, in_field: bool = False) -> Answer:
        """The answer that typed words are, where a field is asked; `in_field`, where they cannot be a line instead.
        Raises NotationError where they do not fit.
        """
        if self.gap is None:
            raise NotationError(f"“{text}” is no part of a line.")
        return Answer(text, leads=self.gap.read(text, notation, in_field=in_field), topic=f"{self.topic} · {text}")


class Table(Protocol):
    """A table that knows what can fill a field."""

    def gap(self, draft: Draft, field: str = "") -> Gap:
        """What a draft lacks first, or in this field, and what can fill it."""
        ...


def answers_to(prompt: Prompt) -> tuple[Answer, ...]:
    """All answers to a prompt, the suggested one first."""
    return tuple(answer_of(draft, prompt.text) for draft in prompt.answers)


def answer_of(draft: Draft, topic: str = "") -> Answer:
    """A draft as an answer. Where it asks first what its line could do without, the keyword of that is typed, too."""
    line, missing = draft.line, draft.missing
    if missing and not missing[0].required:
        line = f"{line} {missing[0].keyword}".rstrip()
    return Answer(draft.shape, detail=draft.note, line=line, leads=draft, topic=topic, key=draft.shape)


def offer(prompt: Prompt) -> Answer:
    """A whole prompt as one answer among others: its only answer, or else all of them as the next question."""
    answer = msgspec.structs.replace(answer_of(prompt.answer, prompt.text), title=prompt.text)
    return msgspec.structs.replace(answer, leads=prompt) if prompt.others else answer


def offer_rows(view: TableView) -> Iterator[Answer]:
    """What else could be done than what is asked first, a row for each way to begin a line: the words that all lines
    for it begin with, and what it is.
    """
    first = due_prompts(view)[:1]
    for prompt in view.prompts:
        for lines in _by_verb(answer_lines(prompt)) if prompt not in first else ():
            line = _beginning(lines)
            yield Answer(line, "", prompt.text, line, key=f"{line} {prompt.seat}")


def _by_verb(lines: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    verbs = dict.fromkeys(line.split()[0] for line in lines)
    yield from (tuple(line for line in lines if line.split()[0] == verb) for verb in verbs)


def _beginning(lines: tuple[str, ...]) -> str:
    """The words with which all of some lines begin."""
    columns = zip(*(line.split() for line in lines), strict=False)
    return " ".join(words[0] for words in takewhile(lambda words: len(set(words)) == 1, columns))


def question_after_game(view: TableView) -> Question:
    """What the table waits for first, with all answers; then everything else that is open, and last the end."""
    seals = [answer for prompt in view.prompts for answer in prompt.answers if ends(answer)]
    prompts = [prompt for prompt in view.prompts if not ends(prompt.answer)]
    first = next((prompt for prompt in prompts if prompt.due), None)
    answers = [*answers_to(first)] if first else []
    answers += [offer(prompt) for prompt in prompts if prompt is not first]
    answers += [
        msgspec.structs.replace(answer_of(seal), title="Look through all that changes, then seal") for seal in seals
    ]
    text = "What else, before it is sealed?" if seals else "What else?" if answers else ""
    return Question(first.text if first else text, tuple(answers))


def question_behind(table: Table, answer: Answer) -> Question:
    """What is asked next once an answer was chosen that is not whole yet."""
    if isinstance(answer.leads, Prompt):
        return Question(answer.topic, answers_to(answer.leads), topic=answer.topic)
    assert answer.leads is not None
    return question_of(table.gap(answer.leads, answer.field), answer.topic)


def question_of(gap: Gap, topic: str) -> Question:
    """What a field is asked for: whole values, one item more of a list, and that a list has all."""
    answers = (*values_of(gap, topic), *_items(gap, topic))
    besides = gap.candidates if isinstance(gap.candidates, Open) else None
    return Question(f"{topic} · {gap.name}?", answers, gap, besides, topic)


def values_of(gap: Gap, topic: str = "") -> Iterator[Answer]:
    """The whole values that are known to fit a field."""
    for choice in gap.listed:
        name = gap.word(choice)
        leads, text = gap.filled(choice.value), choice.title or name
        yield Answer(name, choice.title, choice.detail, "", leads, choice, "", f"{topic} · {text}", f"={name}")


def _items(gap: Gap, topic: str) -> Iterator[Answer]:
    """One item more of a list, as long as it may have one; and that it has all, once it may end."""
    for choice, longer, goes_on in gap.items():
        name, field = str(choice.value), gap.argument.field if goes_on else ""
        about = f"{topic} · {choice.title or name}"
        yield Answer(name, choice.title, choice.detail, "", longer, choice, field, about, f"+{name}")
    if gap.may_end:
        yield Answer("", "That is all", leads=gap.draft, topic=topic, key=".")
