"""Questions with numbered answers, made of what a table asks; and the answer that a typed text stands for."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import msgspec

from companion.session.table_client import Sitting
from companion.session.table_questions import describe_wanted, due_prompts
from companion.tabletop.action import NotationError
from companion.tabletop.choices import Choice, Gap, Open
from companion.tabletop.notation import Notation
from companion.tabletop.table import Draft, Prompt, TableView

_MOST = 20
"""Answers that are read out unasked: nobody listens to a whole pack of cards."""


class Answer(msgspec.Struct, frozen=True):
    """One answer. `key` is what is typed for it: its number, or its word where that is a number itself.

    `words` mean the same as the key. It leads to an action (or the part of one), or to another question.
    """

    key: str
    text: str
    words: tuple[str, ...]
    leads: Draft | Prompt

    @property
    def row(self) -> str:
        """How it is read out, no word twice."""
        return f"{self.key}. {self.text.removeprefix(f'{self.key}, ')}"


class Question(msgspec.Struct, frozen=True):
    """What is asked. Where it is a part of a line, `gap` is what an answer fills, and `wanted` says what can be typed
    besides the answers; "" where these are all.
    """

    text: str
    answers: tuple[Answer, ...] = ()
    wanted: str = ""
    gap: Gap | None = None

    def rows(self) -> Iterator[str]:
        """As it is read out."""
        yield self.text
        if len(self.answers) <= _MOST:
            yield from (answer.row for answer in self.answers)
        else:
            example = self.answers[0].words[0]
            yield f"There are {len(self.answers)} answers: type one, such as {example}, or list to hear them all."
        if self.wanted:
            yield self.wanted

    def chosen(self, text: str) -> Answer | None:
        """The answer with this key; or the one that these words mean, of several beginnings alike the first."""
        said = " ".join(text.lower().split())
        for answer in self.answers:
            if answer.key.lower() == said:
                return answer
        meant = [answer for answer in self.answers if said in answer.words]
        return meant[0] if len({answer.words[0] for answer in meant}) == 1 else None


def of_table(view: TableView) -> Question:
    """What the table asks first, with all its answers; whatever else can be done follows as one answer each."""
    first = due_prompts(view)[:1]
    if not first:
        return Question("Nothing is asked now. Type a line, or help.")
    others = [prompt for prompt in view.prompts if prompt is not first[0]]
    parts = [*map(_of_draft, first[0].answers), *map(_of_prompt, others)]
    return Question(first[0].text, tuple(_numbered(parts)))


def of_prompt(prompt: Prompt) -> Question:
    """One question of the table with all its answers."""
    return Question(prompt.text, tuple(_numbered(map(_of_draft, prompt.answers))))


def of_field(sitting: Sitting, draft: Draft) -> Question:
    """What a draft still lacks first."""
    gap = sitting.gap(draft)
    parts = [_of_choice(gap, choice) for choice in gap.listed]
    # Where a number is an answer itself, it is typed for itself and counts no row.
    plain = isinstance(gap.found, Open) and _takes_numbers(gap, sitting.notation)
    plain = plain or any(word.isdecimal() for _, words, _ in parts for word in words)
    answers = (Answer(words[0], text, words, leads) for text, words, leads in parts) if plain else _numbered(parts)
    text = f"{draft.line}: {gap.name} ({gap.argument.words})?"
    if isinstance(gap.found, Open):
        return Question(text, tuple(answers), _what_is_wanted(gap.found), gap)
    return Question(text if gap.found else f"{text} Nothing fits there now.", tuple(answers), gap=gap)


def of_doubt(sitting: Sitting, draft: Draft) -> Question | None:
    """Of a line that is refused as it is: what it can mostly do without and needs here, such as which of two cards is
    meant; None where nothing would help.
    """
    for argument in draft.optional:
        found = sitting.choices(draft, argument.field)
        if found and not isinstance(found, Open) and not argument.flag:
            return of_field(sitting, msgspec.structs.replace(draft, asks=(argument.field,)))
    return None


_Part = tuple[str, tuple[str, ...], Draft | Prompt]
"""What an answer says, the words that mean it, and where it leads."""


def _numbered(parts: Iterable[_Part]) -> Iterator[Answer]:
    for number, (text, words, leads) in enumerate(parts, 1):
        yield Answer(str(number), text, words, leads)


def _of_draft(draft: Draft) -> _Part:
    note = f": {draft.note}" if draft.note else ""
    return f"{draft.shape}{note}", _short(draft.line), draft


def _of_prompt(prompt: Prompt) -> _Part:
    if prompt.others:
        return prompt.text, _short(prompt.line)[:1], prompt
    text, words, leads = _of_draft(prompt.answer)
    return f"{prompt.text}: {text}", words[:1], leads


def _of_choice(gap: Gap, choice: Choice) -> _Part:
    word = gap.word(choice)
    title = f", {choice.title}" if choice.title and choice.title.lower() != word.lower() else ""
    detail = f": {choice.detail}" if choice.detail else ""
    words = dict.fromkeys((word.lower(), choice.title.lower() or word.lower()))
    return f"{word}{title}{detail}", tuple(words), gap.filled(choice.value)


def _short(line: str) -> tuple[str, ...]:
    """What may be typed for a line: all of it, its verb, or its last word."""
    words: Sequence[str] = line.lower().split()
    return tuple(dict.fromkeys((" ".join(words), words[0], words[-1])))


def _takes_numbers(gap: Gap, notation: Notation) -> bool:
    try:
        gap.read("1", notation)
    except NotationError:
        return False
    return True


def _what_is_wanted(found: Open) -> str:
    items = [str(choice.value) for choice in found.of] if len(found.of) <= _MOST else []
    of = f" Of: {', '.join(items)}." if items else ""
    return f"Type {describe_wanted(found)}.{of}"
