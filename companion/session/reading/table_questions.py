"""The questions of a table with their answers, which every screen, page and conversation displays in its own way."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import chain, takewhile
from typing import Any, Final, Protocol

import msgspec

from companion.tabletop.action import ActionWeight, NotationError
from companion.tabletop.notation.notation import ENDS, Notation
from companion.tabletop.table.choices import Choice, Gap, Open, Rules, accepts, allows, choices
from companion.tabletop.table.common_actions import Set, Track
from companion.tabletop.table.completion import Vocabulary
from companion.tabletop.table.table import Draft, Prompt, TableView, draft
from templates.languages.messages import Text, joined, phrase

PUT_RIGHT: Final = Prompt(phrase("Put a figure right…"), draft(Set), due=False)
"""The prompt that every table offers: which counter of which target, and its correct value."""

COUNT_ELSE: Final = Prompt(phrase("Count something else…"), Draft(Track, asks=("target", "start")), due=False)
"""The prompt by which every table adds a counter: what it counts, whose it is, and its first value."""


_MOST_TRIED: Final = 12
"""Maximum number of values of an optional argument that are tried."""
_ENDS: Final = (".", "?", "!", "。", "？", "！")
"""The ends of whole sentences."""


def can_put_right(view: TableView, *, is_sealed: bool = False) -> bool:
    """Return True if the table has a counter that can be set."""
    if is_sealed or view.closing or not view.seats:
        return False
    whose = chain((view.counters,), (seat.counters for seat in view.seats), (thing.counters for thing in view.things()))
    return any(counter.settable for counters in whose for counter in counters)


def can_count_else(game: Vocabulary, view: TableView) -> bool:
    """Return True if players can add a counter to the table."""
    return Track in game.actions and view.outcome is None and bool(view.seats)


def due_prompts(view: TableView) -> tuple[Prompt, ...]:
    """Return the due prompts in order, or all prompts if none is due."""
    return tuple(prompt for prompt in view.prompts if prompt.due) or view.prompts


def offer_to_draw(view: TableView) -> Draft | None:
    """Return the answer by which the program draws the values of the first question, or None if there is none."""
    first = due_prompts(view)[:1]
    answers = (answer for prompt in first if prompt.lists_values for answer in prompt.others)
    return next((answer for answer in answers if answer.given.get("is_drawn")), None)


def seat_prompts(view: TableView) -> tuple[Prompt, ...]:
    """Return the prompts that one row of input can answer: each wants the same single word from a different seat."""
    prompts = due_prompts(view)
    wants = prompts[0].wants if prompts else ""
    if not wants or " " in wants or wants.endswith("…"):
        return ()
    first = prompts[0]
    same = [p for p in prompts if p.wants == first.wants and p.answer.action is first.answer.action]
    return tuple({prompt.seat: prompt for prompt in reversed(same)}.values())[::-1]


def ends(answer: Draft) -> bool:
    """Return True if an answer ends the game for good (its verb is the same in every game)."""
    return answer.action.verb() == ENDS


def is_over(view: TableView) -> bool:
    """Return True if the current questions belong to the time after the game."""
    return view.closing or any(ends(answer) for prompt in view.prompts for answer in prompt.answers)


def is_done(view: TableView) -> bool:
    """Return True if the game has ended and no prompt is left."""
    return view.outcome is not None and not view.prompts


def left_open(view: TableView) -> tuple[Text, ...]:
    """Return the texts of the questions that the end of the game for good would leave open."""
    return tuple(prompt.text for prompt in view.prompts if not any(map(ends, prompt.answers)))


def is_line(notation: Notation, line: str) -> bool:
    """Return True if a text can be parsed as a line of notation."""
    try:
        notation.parse(line)
    except NotationError:
        return False
    return True


def is_accepted(game: Vocabulary, state: Any, draft: Draft) -> bool:
    """Return True if the rules accept an action made from a draft. Drafts of log actions are always accepted."""
    return draft.action not in game.actions or accepts(game, state, draft)


def with_optional(game: Rules, state: Any, draft: Draft) -> Draft | None:
    """Return a refused draft that asks for an optional argument with known values, or None if there is none.

    Such an argument says, for example, which of two cards is meant. One that makes the line acceptable comes first.
    """
    fields: list[str] = []
    for argument in draft.optional:
        candidates = () if argument.flag else choices(game, state, draft, argument.field)
        values = candidates.fitting if isinstance(candidates, Open) else candidates
        if any(allows(game, state, draft.having(argument.field, choice.value)) for choice in values[:_MOST_TRIED]):
            fields.insert(0, argument.field)
        elif values and not isinstance(candidates, Open):
            fields.append(argument.field)
    return msgspec.structs.replace(draft, asks=(*draft.asks, fields[0])) if fields else None


class Answer(msgspec.Struct, frozen=True):
    """One answer to a question.

    `name` is its notation, including what is still missing: a whole line, or the value of a field. `title` is its
    display name, empty if the name suffices; `detail` is what players need to know before they choose it. `line` is the
    text to type, and `leads` the draft that it makes or the prompt that it opens; None if only its line is known.
    `choice` is the value for a field, and `field` the list that may continue after it. `topic` begins the text of
    further questions. `key` identifies the answer among the others, also when they are built again.
    """

    name: str
    title: Text = ""
    detail: Text = ""
    line: str = ""
    leads: Draft | Prompt | None = None
    choice: Choice | None = None
    field: str = ""
    topic: str = ""
    key: str = ""

    @property
    def is_whole(self) -> bool:
        """Return True if the answer makes a complete action."""
        return isinstance(self.leads, Draft) and not self.field and not self.leads.missing

    @property
    def weight(self) -> ActionWeight:
        """The consequence of the answer, as its button shows it."""
        if not isinstance(self.leads, Draft):
            return ""
        return "final" if self.leads.action.asks_twice else self.leads.action.weight

    @property
    def seals(self) -> bool:
        """Return True if the answer ends the game for good."""
        return isinstance(self.leads, Draft) and ends(self.leads)


class Question(msgspec.Struct, frozen=True):
    """A question with its answers; `topic` is its subject.

    `gap` is what an answer fills, or None if the answers are whole lines. `open` describes free input, or is None if
    the answers are all that is possible. If nothing can follow, `note` says whether the line is complete, or why not.
    """

    text: str = ""
    answers: tuple[Answer, ...] = ()
    gap: Gap | None = None
    open: Open | None = None
    topic: str = ""
    note: str = ""

    @property
    def input_hint(self) -> str:
        """A description of the free input, such as `a whole number (1 to 3)`, or an empty string if there is none."""
        if self.open is None:
            return ""
        least, most = self.open.least, self.open.most
        if most is None and least is None:
            return str(self.open.what)
        if most is None:
            # Translators: {what} is a kind of input, such as “a whole number” or “a text”.
            return str(phrase("{what} ({least} or more)", what=self.open.what, least=str(least)))
        if least == most:
            what = str(self.open.what)
            return what if re.search(rf"\b{most}\b", what) else f"{what} ({most})"
        if least is None:
            return str(phrase("{what} (up to {most})", what=self.open.what, most=str(most)))
        return str(phrase("{what} ({least} to {most})", what=self.open.what, least=str(least), most=str(most)))

    def read(self, text: str, notation: Notation, *, in_field: bool = False) -> Answer:
        """Return typed words as the answer for the field.

        With `in_field`, the words cannot be a line instead. Raises NotationError if they do not fit.
        """
        if self.gap is None:
            raise NotationError(phrase("“{text}” is not part of a line.", text=text))
        return Answer(text, leads=self.gap.read(text, notation, in_field=in_field), topic=f"{self.topic} · {text}")


class ValueTable(Protocol):
    """A table that knows the possible values of a field."""

    def gap(self, draft: Draft, field: str = "") -> Gap:
        """Return the first gap of a draft, or the gap of this field, with its candidates."""
        ...


def answers_to(prompt: Prompt) -> tuple[Answer, ...]:
    """Return all answers to a prompt, the suggested one first."""
    return tuple(answer_of(draft, str(prompt.text)) for draft in prompt.answers)


def answer_of(draft: Draft, topic: str = "") -> Answer:
    """Return a draft as an answer. If it asks first for an optional argument, its line includes that keyword."""
    line, missing = draft.line, draft.missing
    if missing and not missing[0].required:
        line = f"{line} {missing[0].keyword}".rstrip()
    return Answer(draft.shape, detail=draft.note, line=line, leads=draft, topic=topic, key=draft.key)


def offer(prompt: Prompt) -> Answer:
    """Return a whole prompt as one answer: its only answer, or one that opens all of them as the next question."""
    answer = answer_of(prompt.answer, str(prompt.text))
    if prompt.others:
        return msgspec.structs.replace(answer, title=prompt.text, leads=prompt)
    if prompt.answer.action.help_text:
        return answer  # the line has a title of its own
    return msgspec.structs.replace(answer, title=prompt.text)


def distinct_prompts(view: TableView) -> tuple[Prompt, ...]:
    """Return the prompts without the offers to single players whose answers are all offered to any player already."""
    open_to_any = [answer for prompt in view.prompts for answer in prompt.answers if "seat" not in answer.given]
    return tuple(prompt for prompt in view.prompts if prompt.due or not _is_covered(prompt, open_to_any))


def _is_covered(prompt: Prompt, open_to_any: Sequence[Draft]) -> bool:
    """Return True if each answer of a player's prompt is among answers that ask who gives them."""

    def covers(wider: Draft, answer: Draft) -> bool:
        given = {field: value for field, value in answer.given.items() if field != "seat"}
        return (wider.action, wider.given, wider.asks) == (answer.action, given, answer.asks)

    # An answer without a seat is no player's own, and would be among the others itself.
    is_players = bool(prompt.seat) and all("seat" in answer.given for answer in prompt.answers)
    return is_players and all(any(covers(wider, answer) for wider in open_to_any) for answer in prompt.answers)


def offer_rows(view: TableView) -> Iterator[Answer]:
    """Yield a row for each way to begin a line, except for those of the first due prompt.

    A row has the words that its lines begin with, and the text of its prompt, or the title of the lines if they have
    one of their own.
    """
    first = due_prompts(view)[:1]
    for prompt in distinct_prompts(view):
        for drafts in _by_verb(prompt.answers) if prompt not in first else ():
            line = _beginning(tuple(draft.line for draft in drafts))
            own = drafts[0].note if drafts[0].action.help_text else ""
            yield Answer(line, "", own or prompt.text, line, key=f"{line} {prompt.seat}")


def _by_verb(drafts: tuple[Draft, ...]) -> Iterator[tuple[Draft, ...]]:
    verbs = dict.fromkeys(draft.action.verb() for draft in drafts)
    yield from (tuple(draft for draft in drafts if draft.action.verb() == verb) for verb in verbs)


def _beginning(lines: tuple[str, ...]) -> str:
    """Return the words with which all lines begin."""
    columns = zip(*(line.split() for line in lines), strict=False)
    return " ".join(words[0] for words in takewhile(lambda words: len(set(words)) == 1, columns))


def question_after_game(view: TableView) -> Question:
    """Return the question after a game: answers to the first due prompt, then other prompts, and the seal last."""
    seals = [answer for prompt in view.prompts for answer in prompt.answers if ends(answer)]
    prompts = [prompt for prompt in view.prompts if not ends(prompt.answer)]
    first = next((prompt for prompt in prompts if prompt.due), None)
    answers = [*answers_to(first)] if first else []
    answers += [offer(prompt) for prompt in prompts if prompt is not first]
    answers += [
        msgspec.structs.replace(answer_of(seal), title=phrase("Review all changes, then seal")) for seal in seals
    ]
    if first:
        text = first.text
    elif seals:
        text = phrase("What else, before it is sealed?")
    else:
        text = phrase("What else?") if answers else ""
    return Question(str(text), tuple(answers))


def question_behind(table: ValueTable, answer: Answer) -> Question:
    """Return the question that follows an answer that is not complete yet."""
    if isinstance(answer.leads, Prompt):
        return Question(answer.topic, answers_to(answer.leads), topic=answer.topic)
    assert answer.leads is not None
    return question_of(table.gap(answer.leads, answer.field), answer.topic)


def question_of(gap: Gap, topic: str) -> Question:
    """Return the question of a field: whole values, one more item of a list, and the end of a list."""
    answers = (*values_of(gap, topic), *_items(gap, topic), *sheet_answers(gap, topic))
    besides = gap.candidates if isinstance(gap.candidates, Open) else None
    # A topic that is a question itself ends with its own mark.
    text = joined(" " if topic.endswith(_ENDS) else " · ", (topic, gap.question))
    return Question(str(text), answers, gap, besides, topic)


def values_of(gap: Gap, topic: str = "") -> Iterator[Answer]:
    """Yield the whole values that are known to fit a field."""
    for choice in gap.fitting_choices:
        name = gap.word(choice)
        leads, text = gap.fill_gap(choice.value), choice.title or name
        yield Answer(name, choice.shown_title, choice.detail, "", leads, choice, "", f"{topic} · {text}", f"={name}")


def sheet_answers(gap: Gap, topic: str = "") -> Iterator[Answer]:
    """Yield the columns of the score sheet with entries of a target, beside its counters, of which one is put right."""
    if gap.draft.action is Set and gap.argument.field == "counter":
        for draft in gap.game.figures_to_correct(gap.state, str(gap.draft.given.get("target", ""))):
            about = str(joined(" · ", filter(None, (topic, draft.title))))
            *_, column = draft.line.split()
            choice = Choice(column, draft.title)
            yield msgspec.structs.replace(answer_of(draft, about), name=column, title=choice.shown_title, choice=choice)


def _items(gap: Gap, topic: str) -> Iterator[Answer]:
    """Yield one more item of a list, as long as it may have one, and the end of the list, once it may end."""
    for choice, longer, goes_on in gap.items():
        name, field = str(choice.value), gap.argument.field if goes_on else ""
        about = f"{topic} · {choice.title or name}"
        yield Answer(name, choice.shown_title, choice.detail, "", longer, choice, field, about, f"+{name}")
    if gap.may_end:
        yield Answer("", phrase("That is all"), leads=gap.draft, topic=topic, key=".")
