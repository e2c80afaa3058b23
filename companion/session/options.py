"""What can answer a table's question or follow what is being typed: the answers of a list, and completions."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

import msgspec

from companion.session.session import Session
from companion.session.table_questions import (
    PUT_RIGHT,
    Answer,
    Question,
    answer_of,
    can_put_right,
    due_prompts,
    is_accepted,
    seat_prompts,
)
from companion.tabletop import completion
from companion.tabletop.action import Action, NotationError, RuleError
from companion.tabletop.arguments import TEXT
from companion.tabletop.choices import Open
from companion.tabletop.common_actions import LOG, Amend, Insert, OpenTable, Redo, Seat, Undo
from companion.tabletop.completion import Completion, Fits
from companion.tabletop.table import Draft, Prompt

# What reads typed text is loaded once somebody types, and not before a table is painted: hence the imports inside
# functions.

_REVISING = r"\s*(amend|insert)\s+(\d+)\s+"
"""The beginning of a line that holds another one, and the number of the line at which that stands."""
_LINE = r"\s*(?:amend|insert|resume-from)\s+(\d*)"


def complete(text: str, session: Session, fits: Fits | None = None) -> tuple[Completion, ...]:
    """The words that could stand where a text ends, of the game's lines those that fit what is looked for; behind
    `amend` and `insert`, the numbers of lines, the newest first; behind `amend 12`, the line that stands there now.
    """
    line = text.removeprefix(":")
    if revising := re.match(_REVISING, line, re.IGNORECASE):
        return _within(revising[1].lower(), int(revising[2]), line[revising.end() :], session, fits)
    if numbered := re.fullmatch(_LINE, line, re.IGNORECASE):
        newest = [(str(moment.number), moment.text) for moment in reversed(session.moments())]
        return tuple(Completion(number, text) for number, text in newest if number.startswith(numbered[1]))
    completions = completion.complete(session.game, session.state, line, fits)
    if " " in line:
        return completions
    verbs = session.notation.offered
    of_log = (
        action
        for action in LOG
        if action.verb() in verbs and action.verb().startswith(line.lower()) and _has_effect(action, session)
    )
    return (
        *completions,
        *(Completion(action.verb(), detail=session.notation.help(action.verb())) for action in of_log),
    )


def _within(verb: str, number: int, line: str, session: Session, fits: Fits | None) -> tuple[Completion, ...]:
    """What could stand where a line ends that is put at an earlier one: on the table as it was before that."""
    moment = next((moment for moment in session.moments() if moment.number == number), None)
    if moment is None or moment.before is None:
        return ()
    if not line and verb == Amend.verb():
        return (Completion(moment.text),)
    return completion.complete(session.game, moment.before.state, line, fits)


def _has_effect(action: type[Action], session: Session) -> bool:
    """Whether a line of the log has anything to do: to take back, to do again, to change."""
    if action is Undo:
        return bool(session.undoable()) and not session.sealing().writes
    if action is Redo:
        return bool(session.redoable())
    return action is not OpenTable and bool(session.moments())


def explain(text: str, session: Session) -> str:
    """Help for what is being typed: the whole line that it is short for, which Enter does, and how its line is written;
    what could come next stands in the list.
    """
    from companion.session import line_reading

    does, change = line_reading.expand(text, session), _preview_change(text, session)
    parts = (f"Enter: {does}" if does else "", change or _usage(text, session))
    return "  ·  ".join(filter(None, parts[::-1] if change else parts))


def _preview_change(text: str, session: Session) -> str:
    """Say what a text does to the one figure that it puts right; "" where it may be something else."""
    from companion.session import figure_reading, line_reading

    change = figure_reading.preview_change(text, session)
    return "" if change and line_reading.possible_lines(text, session) else change


def _usage(text: str, session: Session) -> str:
    words, notation = text.strip().removeprefix(":").split(), session.notation
    if not words:
        return ""
    if _before_line(text, session):
        return _OFFERED
    verb = words[0].lower()
    is_last = len(words) == 1 and not text[-1].isspace()
    if verb not in notation.offered or (is_last and sum(other.startswith(verb) for other in notation.offered) > 1):
        return ""
    return f"{notation.usage(verb)}  ·  {notation.help(verb)}"


_DECK = r"(\w+\s+\S+\s(?:.*\s)?deck\s+)\"?([^\"]*)"
"""A line that seats somebody, up to the deck that they bring."""

_OFFERED = (
    "Change what this line should have said; Enter shows what would follow. ↓ Enter instead puts before it what was "
    "forgotten."
)

_ALL = "That is all; Enter does it."
_NOTHING = "Nothing fits there now."

_KEYWORDS = 3
"""Keywords in a row that go without saying, at most."""


def options(text: str, session: Session) -> Question:
    """What can answer the first question, where nothing is typed yet; else what the typed text can become, or all that
    it can be short for.
    """
    line = text.lstrip().removeprefix(":").lstrip()
    if not line:
        return _of_prompt(session)
    question = _of_text(line, session)
    if question.answers or question.open:
        return question
    return Question(answers=answers) if (answers := possible_answers(line, session)) else question


def possible_answers(text: str, session: Session) -> tuple[Answer, ...]:
    """The whole lines of which a text could be any, where people are asked which, each with what tells it apart."""
    from companion.session import figure_reading, line_reading, short_lines

    answers = []
    for line in line_reading.possible_lines(text, session):
        action = session.notation.parse(line)
        leads = Draft(type(action), {field: getattr(action, field) for field in action.__struct_fields__})
        detail = short_lines.distinguish(line, session.view()) or figure_reading.describe_change(action, session)
        answers.append(Answer(line, detail=detail, line=line, leads=leads))
    return tuple(answers)


def _of_text(line: str, session: Session) -> Question:
    """What a text that is not empty can become."""
    from companion.session import figure_reading

    verb, space, _ = line.partition(" ")
    seats = (action.verb() for action in session.game.actions if issubclass(action, Seat))
    if (bringing := re.fullmatch(_DECK, line, re.IGNORECASE)) and verb.lower() in seats:
        return Question(answers=tuple(_decks(bringing[1], bringing[2], session)), open=Open("a name or an id", ""))
    if space and verb.lower() in session.notation.verbs:
        return _before_line(line, session) or _behind(line, session)
    if changes := figure_reading.change_lines(line, session):
        figures = tuple(Answer(whole, "", change, whole) for whole, change in changes)
        return Question(answers=possible_answers(line, session) or figures)
    rows = (
        *_of_words(line, session),
        *_of_lines(line, session),
        *_rows(complete(line, session), ""),
        *_put_right(session, line.strip()),
    )
    return Question(answers=tuple({row.line: row for row in reversed(rows)}.values())[::-1])


def is_whole(text: str, session: Session) -> bool:
    """Whether a text says all that is needed: the rules take what it stands for."""
    from companion.session import line_reading

    try:
        session.preview(*line_reading.read_line(text, session))
    except (NotationError, RuleError):
        return False
    return True


def accepted(prompt: Prompt, session: Session) -> tuple[Draft, ...]:
    """The answers to a prompt that lead to something the rules accept, the suggested one first."""
    return tuple(draft for draft in prompt.answers if is_accepted(session.game, session.state, draft))


def _of_prompt(session: Session) -> Question:
    """Of the first prompt: its answers where it has several, else what the only one still wants."""
    for prompt in due_prompts(session.view())[:1]:
        drafts = accepted(prompt, session)
        if len(drafts) > 1 and prompt.lists_values:
            return _of_values(drafts, session)
        if len(drafts) > 1:
            return Question(answers=(*map(_line_of, drafts), *_put_right(session)))
        if drafts and drafts[0].missing:
            return _behind(f"{drafts[0].line} ", session)
    return Question(answers=tuple(_put_right(session)))


def _of_values(drafts: tuple[Draft, ...], session: Session) -> Question:
    """Of a question for what the table drew: everything that can have come, by its name, then the other answers."""
    named, others = _behind(f"{answer_of(drafts[0]).line} ", session), tuple(map(_line_of, drafts[1:]))
    taken = {answer.line for answer in others}
    rows = (row for row in named.answers if row.line not in taken)
    titled = (msgspec.structs.replace(row, name=row.title or row.name, title="") for row in rows)
    in_words = (msgspec.structs.replace(each, name=each.detail or each.name, detail="") for each in others)
    return msgspec.structs.replace(named, answers=(*titled, *in_words))


_WRONG = ("put", "right", "wrong", "mistake", "correct", "fix", "change", "figure")
"""Words by which people look for a way to put a figure right."""
_LESS = ("track", "less", "everything", "again", "rule")
"""Words by which people look for a way to have less tracked, or more again."""
_LETTERS = 3
"""Letters from which on one of them is looked for."""


def _put_right(session: Session, begun: str = "") -> Iterator[Answer]:
    """That a figure can be put right, where it can and somebody has typed nothing else."""
    is_meant = not begun or (len(begun) >= _LETTERS and any(word.startswith(begun.lower()) for word in _WRONG))
    if is_meant and can_put_right(session.view(), is_sealed=bool(session.sealing().marks)):
        yield Answer(PUT_RIGHT.text, "", "a wrong number: whose, and which", PUT_RIGHT.line)
    if len(begun) >= _LETTERS and any(word.startswith(begun.lower()) for word in _LESS):
        yield from (Answer(prompt.line, prompt.text, line=prompt.line) for prompt in session.view().later)


def _line_of(draft: Draft) -> Answer:
    """An answer that begins a line, or is one: what else it wants is its title."""
    answer, missing = answer_of(draft), draft.missing
    wants = draft.wants if missing and missing[0].required and not draft.note else ""
    return msgspec.structs.replace(answer, name=answer.line, title=wants)


def _decks(before: str, begun: str, session: Session) -> Iterator[Answer]:
    """The stored decks that could be brought, with who holds them."""
    for name, holder in session.decks(begun):
        word = TEXT.write(name)
        yield Answer(word, "", f"held by {holder}" if holder else "nobody holds it", f"{before}{word}")


def _of_lines(line: str, session: Session) -> Iterator[Answer]:
    """The answers to the first prompt of which some word begins so."""
    for prompt in due_prompts(session.view())[:1]:
        for draft in accepted(prompt, session) if len(prompt.answers) > 1 else ():
            if any(word.startswith(line.lower()) for word in draft.line.lower().split()):
                yield _line_of(draft)


def _of_words(line: str, session: Session) -> Iterator[Answer]:
    """What the words can become that are typed for what is asked, without the line before them."""
    before, _, begun = line.rpartition(" ")
    prompts = seat_prompts(session.view())
    at = len(before.split())
    if prompts and at < len(prompts):
        rows = _behind(f"{prompts[at].line} {begun}", session).answers
        # The first word alone stands for the whole line; behind it, only the words do.
        yield from (msgspec.structs.replace(row, line=f"{before} {row.name}") if before else row for row in rows)
    elif not prompts:
        for prompt in due_prompts(session.view())[:1]:
            for draft in accepted(prompt, session):
                if draft.missing:
                    rows = _behind(f"{draft.line} {line}", session).answers
                    # Of several answers, each row says which one it is of: `cast ana "Jolt"`, `bank ana "Jolt"`.
                    yield from (msgspec.structs.replace(row, name=row.line) if prompt.others else row for row in rows)


def _before_line(line: str, session: Session) -> Question | None:
    """Beside a line of the log that is offered to be amended, and still says what it did: that something was forgotten
    before it; None for any other text.
    """
    revising = re.match(_REVISING, line, re.IGNORECASE)
    if revising is None or revising[1].lower() != Amend.verb():
        return None
    number, rest = int(revising[2]), line[revising.end() :].strip()
    if not any(moment.number == number and moment.text == rest for moment in session.moments()):
        return None
    insert = f"{Insert.verb()} {number}"
    return Question(answers=(Answer(insert, "", "something was forgotten: put it before this line", insert),))


def _behind(line: str, session: Session) -> Question:
    """How a line goes on where it ends; keywords that must come go without saying."""
    head, space, begun = line.rpartition(" ")
    before = f"{head}{space}"
    part = begun.lower()
    for _ in range(_KEYWORDS):
        completions = complete(before, session, (lambda each: _begins(each, part)) if part else None)
        if begun or len(completions) != 1 or not completions[0].leads:
            break
        before = f"{before}{completions[0].word} "
    rows = tuple(_rows(_beginning(completions, begun), before))
    besides = None if begun and rows else completion.open_at(session.game, session.state, before)
    if besides and not (begun or rows) and is_whole(line.strip(), session):
        return Question(note=_ALL)  # what else the line says stands on the card
    if rows or besides or begun:
        return Question(answers=rows, open=besides)
    return Question(note=_ALL if is_whole(before.strip(), session) else _NOTHING)


def _rows(completions: Iterable[Completion], before: str) -> Iterator[Answer]:
    for each in completions:
        yield Answer(each.word, each.title, each.detail, f"{before}{each.word}")


def _beginning(completions: Iterable[Completion], begun: str) -> list[Completion]:
    """Those that begin so, then those of whose title another word does."""
    part = begun.lower()
    return sorted((each for each in completions if _begins(each, part)), key=lambda each: not _word_begins(each, part))


def _begins(completion: Completion, part: str) -> bool:
    """Whether a word begins so, or one of the words that people call it by; `part` is in lower case."""
    return _word_begins(completion, part) or any(word.startswith(part) for word in completion.title.lower().split())


def _word_begins(completion: Completion, part: str) -> bool:
    return completion.word.lower().strip('"').startswith(part.strip('"'))
