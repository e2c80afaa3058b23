"""Answers to a table's question and completions of typed text."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

import msgspec

from companion.session import reading
from companion.session.core.session import Session
from companion.session.reading.local_words import list_local_verbs, write_verbs
from companion.session.reading.table_questions import (
    COUNT_ELSE,
    PUT_RIGHT,
    Answer,
    Question,
    answer_of,
    can_count_else,
    can_put_right,
    due_prompts,
    is_accepted,
    seat_prompts,
)
from companion.tabletop.action import Action, NotationError, RuleError
from companion.tabletop.notation.arguments import TEXT
from companion.tabletop.notation.usage_words import UsageText
from companion.tabletop.table import completion
from companion.tabletop.table.choices import Gap, Open, title_beside
from companion.tabletop.table.common_actions import LOG, Amend, Insert, OpenTable, Redo, Seat, Set, Undo
from companion.tabletop.table.completion import Completion, Fits
from companion.tabletop.table.table import Draft, Prompt
from templates.languages.messages import ENGLISH, Message, Text, current_language, joined, phrase, phrase_in

_REVISING = r"\s*(amend|insert)\s+(\d+)\s+"
"""The beginning of a line that revises another one, with the number of that line."""
_LINE = r"\s*(?:amend|insert|resume-from)\s+(\d*)"


def complete(text: str, session: Session, fits: Fits | None = None) -> tuple[Completion, ...]:
    """Return the words that could stand where a text ends; of the game's lines, only those that match `fits`.

    After `amend` and `insert`, return line numbers, the newest first; after `amend 12`, the current text of that line.
    """
    line = text.removeprefix(":")
    if revising := re.match(_REVISING, line, re.IGNORECASE):
        return _within(revising[1].lower(), int(revising[2]), line[revising.end() :], session, fits)
    if numbered := re.fullmatch(_LINE, line, re.IGNORECASE):
        newest = [(str(moment.number), moment.text) for moment in reversed(session.moments())]
        return tuple(Completion(number, text) for number, text in newest if number.startswith(numbered[1]))
    if " " in line:
        return completion.complete(session.game, session.state, write_verbs(line, session), fits)
    completions = completion.complete(session.game, session.state, line, fits)
    verbs = session.notation.table_verbs
    local = list_local_verbs(session, current_language())
    of_language = {verb: word for verb, word in local.items() if line and word.casefold().startswith(line.casefold())}
    of_log = (
        action
        for action in LOG
        if action.verb() in verbs and action.verb().startswith(line.lower()) and _has_effect(action, session)
    )
    return (
        *completions,
        *(Completion(action.verb(), detail=session.notation.help(action.verb())) for action in of_log),
        *(Completion(verb, word, session.notation.help(verb)) for verb, word in of_language.items()),
    )


def _within(verb: str, number: int, line: str, session: Session, fits: Fits | None) -> tuple[Completion, ...]:
    """Return the words that could end a line inserted earlier, on the table as it was before that position."""
    moment = next((moment for moment in session.moments() if moment.number == number), None)
    if moment is None or moment.before is None:
        return ()
    if not line and verb == Amend.verb():
        return (Completion(moment.text),)
    return completion.complete(session.game, moment.before.state, line, fits)


def _has_effect(action: type[Action], session: Session) -> bool:
    """Return True if a line of the log would have an effect: an intention to undo or redo, or lines to change."""
    if action is Undo:
        return bool(session.undoable()) and not session.sealing().writes
    if action is Redo:
        return bool(session.redoable())
    return action is not OpenTable and bool(session.moments())


def explain(text: str, session: Session) -> str:
    """Return help for typed text: the whole line that Enter would do, and its usage or its effect on a figure."""
    does, change = reading.line_reading.expand(text, session), _preview_change(text, session)
    # Translators: {lines} are lines of notation that the key Enter enters.
    enters: Text = phrase("Enter: {lines}", lines=does) if does else ""
    parts = (change, enters) if change else (enters, _usage(text, session))
    return str(joined("  ·  ", filter(None, parts)))


def _preview_change(text: str, session: Session) -> Text:
    """Return the effect of a text on the one figure that it corrects; "" if the text has other readings."""
    change = reading.figure_reading.preview_change(text, session)
    return "" if change and reading.line_reading.possible_lines(text, session) else change


def _usage(text: str, session: Session) -> Text:
    words, notation = text.strip().removeprefix(":").split(), session.notation
    if not words:
        return ""
    if _before_line(text, session):
        return _OFFERED
    verb = words[0].lower()
    is_last = len(words) == 1 and not text[-1].isspace()
    if verb not in notation.table_verbs or (
        is_last and sum(other.startswith(verb) for other in notation.table_verbs) > 1
    ):
        return ""
    return joined("  ·  ", (UsageText(notation.usage(verb)), notation.help(verb)))


_DECK = r"(\w+\s+\S+\s(?:.*\s)?deck\s+)\"?([^\"]*)"
"""A line that seats a player, up to the deck that they bring."""

_OFFERED = phrase(
    "Change the line to what it should have been; Enter shows what would follow. ↓ Enter "
    "instead inserts a forgotten line before it."
)

_ALL = phrase("That is all; Enter does it.")
_NOTHING = phrase("Nothing fits there now.")

_KEYWORDS = 3
"""Maximum number of implied keywords in a row."""


def options(text: str, session: Session) -> Question:
    """Return the answers to the first question if nothing is typed, else the completions or readings of the text."""
    line = text.lstrip().removeprefix(":").lstrip()
    if not line:
        return _of_prompt(session)
    question = _of_text(line, session)
    if question.answers and all(answer.line.strip() == line.strip() for answer in question.answers):
        # Nothing is left to complete: what the whole line may mean says more.
        return Question(answers=answers) if (answers := possible_answers(line, session)) else question
    if question.answers or question.open:
        return question
    return Question(answers=answers) if (answers := possible_answers(line, session)) else question


def possible_answers(text: str, session: Session) -> tuple[Answer, ...]:
    """Return the whole lines that an ambiguous text could stand for, each with the marks that distinguish it."""
    answers = []
    for line in reading.line_reading.possible_lines(text, session):
        action = session.notation.parse(line)
        leads = Draft(type(action), {field: getattr(action, field) for field in action.__struct_fields__})
        mark = reading.readings.distinguish(line, session.view())
        detail = mark or reading.figure_reading.describe_change(action, session)
        answers.append(Answer(line, detail=detail, line=line, leads=leads))
    return tuple(answers)


def _of_text(line: str, session: Session) -> Question:
    """Return the completions of a text that is not empty."""
    verb, space, _ = line.partition(" ")
    seats = (action.verb() for action in session.game.actions if issubclass(action, Seat))
    if (bringing := re.fullmatch(_DECK, line, re.IGNORECASE)) and verb.lower() in seats:
        return Question(
            answers=tuple(_decks(bringing[1], bringing[2], session)), open=Open(phrase("a name or an id"), "")
        )
    if space and verb.lower() in session.notation.verbs:
        return _with_sheet(line, _before_line(line, session) or _behind_begun(line, session), session)
    if changes := reading.figure_reading.change_lines(line, session):
        figures = tuple(Answer(whole, "", change, whole) for whole, change in changes)
        return Question(answers=possible_answers(line, session) or figures)
    rows = (
        *_of_words(line, session),
        *_of_lines(line, session),
        *_rows(complete(line, session), ""),
        *_put_right(session, line.strip()),
    )
    return Question(answers=tuple({row.line: row for row in reversed(rows)}.values())[::-1])


def _with_sheet(line: str, question: Question, session: Session) -> Question:
    """Return completions with the figures of the score sheet that can be put right there.

    These are the columns beside the counters of a target, and the rounds beside the new figure.
    """
    before, _, begun = line.rpartition(" ")
    verb, *words = before.split() or [""]
    rows = []
    for draft in session.game.figures_to_correct(session.state, words[0].lower()) if words else ():
        column = draft.line.split()[-1]
        if verb == Set.verb() and len(words) == 1:
            rows.append(Answer(column, title_beside(column, draft.title), draft.note, draft.line))
        elif before.lower() == draft.line:
            argument = draft.to_choose[0]
            for choice in Gap.of(session.game, session.state, draft).fitting_choices:
                word = f"{argument.keyword} {argument.kind.write(choice.value)}"
                rows.append(Answer(word, title_beside(word, choice.title), choice.detail, f"{before} {word}"))
    fitting = (row for row in rows if _begins(Completion(row.name, row.title), begun.lower()))
    return msgspec.structs.replace(question, answers=(*question.answers, *fitting))


def is_whole(text: str, session: Session) -> bool:
    """Return True if a text is complete: the rules accept its reading."""
    try:
        session.preview(*reading.line_reading.read_line(text, session))
    except (NotationError, RuleError):
        return False
    return True


def accepted_answers(prompt: Prompt, session: Session) -> tuple[Draft, ...]:
    """Return the answers to a prompt that the rules accept, the suggested one first."""
    return tuple(draft for draft in prompt.answers if is_accepted(session.game, session.state, draft))


def _of_prompt(session: Session) -> Question:
    """Return the answers to the first due prompt, or the values of the only answer if it is incomplete."""
    for prompt in due_prompts(session.view())[:1]:
        drafts = accepted_answers(prompt, session)
        if len(drafts) > 1 and prompt.lists_values:
            return _of_values(drafts, session)
        if len(drafts) > 1:
            return Question(answers=(*map(_line_of, drafts), *_put_right(session)))
        if drafts and drafts[0].missing:
            return _behind(f"{drafts[0].line} ", session)
    return Question(answers=tuple(_put_right(session)))


def _of_values(drafts: tuple[Draft, ...], session: Session) -> Question:
    """Return all values that the table can have drawn, by name, then the other answers."""
    named, others = _behind(f"{answer_of(drafts[0]).line} ", session), tuple(map(_line_of, drafts[1:]))
    taken = {answer.line for answer in others}
    rows = (row for row in named.answers if row.line not in taken)
    titled = (msgspec.structs.replace(row, name=str(row.title or row.name), title="") for row in rows)
    in_words = (msgspec.structs.replace(each, name=str(each.detail or each.name), detail="") for each in others)
    return msgspec.structs.replace(named, answers=(*titled, *in_words))


# Translators: Words, with spaces between them, that find the offer to correct a figure when somebody types one of them.
_WRONG = phrase_in("search", "put right wrong mistake correct fix change figure")
# Translators: Words that find the offers to track less of a game, or everything again.
_LESS = phrase_in("search", "track less everything again rule")
# Translators: Words that find the offer to count something that the game does not.
_COUNT = phrase_in("search", "count counter track more else new")
_LETTERS = 3
"""Minimum number of letters to find one of them."""


def _put_right(session: Session, begun: str = "") -> Iterator[Answer]:
    """Yield the offers to correct a figure, if nothing else is typed, to count something else, and to track less."""
    if (not begun or _begins_word(_WRONG, begun)) and can_put_right(
        session.view(), is_sealed=bool(session.sealing().marks)
    ):
        detail = phrase("a wrong number: whose, and which")
        yield Answer(str(PUT_RIGHT.text), "", detail, PUT_RIGHT.line)
    if _begins_word(_COUNT, begun) and can_count_else(session.game, session.view()):
        detail = phrase("a counter that the game does not have: energy, storm, anything")
        yield Answer(str(COUNT_ELSE.text), "", detail, f"{COUNT_ELSE.line} ")
    if _begins_word(_LESS, begun):
        yield from (Answer(prompt.line, prompt.text, line=prompt.line) for prompt in session.view().later)


def _begins_word(words: Message, begun: str) -> bool:
    """Return True if a text begins one of the words, in the current language or in English."""
    several = f"{words.render(ENGLISH)} {words}".casefold().split()
    return len(begun) >= _LETTERS and any(word.startswith(begun.casefold()) for word in several)


def _line_of(draft: Draft) -> Answer:
    """Return an answer that is a line, or begins one; its title is what the line still needs."""
    answer, missing = answer_of(draft), draft.missing
    wants = draft.wants if missing and missing[0].required and not draft.note else ""
    return msgspec.structs.replace(answer, name=answer.line, title=UsageText(wants) if wants else "")


def _decks(before: str, begun: str, session: Session) -> Iterator[Answer]:
    """Yield the stored decks that match the typed text and that the seat can bring, with their holders."""
    _, seat, *_ = (*before.split(), "", "")
    for name, holder in session.decks(begun, seat):
        word = TEXT.write(name)
        detail = phrase("held by {player}", player=holder) if holder else phrase("nobody holds it")
        yield Answer(word, "", str(detail), f"{before}{word}")


def _of_lines(line: str, session: Session) -> Iterator[Answer]:
    """Yield the answers to the first prompt in which some word begins with the text."""
    for prompt in due_prompts(session.view())[:1]:
        for draft in accepted_answers(prompt, session) if len(prompt.answers) > 1 else ():
            if any(word.startswith(line.lower()) for word in draft.line.lower().split()):
                yield _line_of(draft)


def _of_words(line: str, session: Session) -> Iterator[Answer]:
    """Yield the completions of words that answer a prompt without their verb."""
    before, _, begun = line.rpartition(" ")
    prompts = seat_prompts(session.view())
    at = len(before.split())
    if prompts and at < len(prompts):
        rows = _behind(f"{prompts[at].line} {begun}", session).answers
        # The first word alone stands for the whole line; after it, only the words do.
        yield from (msgspec.structs.replace(row, line=f"{before} {row.name}") if before else row for row in rows)
    elif not prompts:
        for prompt in due_prompts(session.view())[:1]:
            for draft in accepted_answers(prompt, session):
                if draft.missing:
                    rows = _behind(f"{draft.line} {line}", session).answers
                    # Of several answers, each row shows which one it belongs to: `cast ana "Jolt"`, `bank ana "Jolt"`.
                    yield from (msgspec.structs.replace(row, name=row.line) if prompt.others else row for row in rows)


def _before_line(line: str, session: Session) -> Question | None:
    """Return the offer to insert a forgotten line before the one being amended.

    None for any other text, and once the text of the amendment differs from that of its line.
    """
    revising = re.match(_REVISING, line, re.IGNORECASE)
    if revising is None or revising[1].lower() != Amend.verb():
        return None
    number, rest = int(revising[2]), line[revising.end() :].strip()
    if not any(moment.number == number and moment.text == rest for moment in session.moments()):
        return None
    insert = f"{Insert.verb()} {number}"
    detail = str(phrase("something was forgotten: put it before this line"))
    return Question(answers=(Answer(insert, "", detail, insert),))


def complete_begun(text: str, session: Session) -> Draft | None:
    """Return the draft of a line that lacks only what nobody can list, such as a number; None for any other text."""
    try:
        return reading.begun_lines.begun_draft(reading.typed_line.TypedLine(text.strip(), session))
    except NotationError:
        return None


def _behind_begun(line: str, session: Session) -> Question:
    """Return the completions at the end of a line, which may leave out what can be only one thing."""
    question = _behind(line, session)
    before, _, begun = line.rpartition(" ")
    if question.answers or question.open or question.note == str(_ALL):
        return question
    draft = complete_begun(before, session)
    completed = _behind(f"{draft.line} {begun}", session) if draft is not None else question
    return completed if completed.answers or (completed.open and not begun) else question


def _behind(line: str, session: Session) -> Question:
    """Return the completions at the end of a line; required keywords are implied."""
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
        return Question(note=str(_ALL))  # the other arguments of the line are on the card
    if rows or besides or begun:
        return Question(answers=rows, open=besides)
    return Question(note=str(_ALL if is_whole(before.strip(), session) else _NOTHING))


def _rows(completions: Iterable[Completion], before: str) -> Iterator[Answer]:
    for each in completions:
        yield Answer(each.word, title_beside(each.word, each.title), each.detail, f"{before}{each.word}")


def _beginning(completions: Iterable[Completion], begun: str) -> list[Completion]:
    """Return the completions that begin with the text, then those with another word in their title that does."""
    part = begun.lower()
    return sorted((each for each in completions if _begins(each, part)), key=lambda each: not _word_begins(each, part))


def _begins(completion: Completion, part: str) -> bool:
    """Return True if the word of a completion, or a word of its title, begins with `part`, which is in lower case."""
    return _word_begins(completion, part) or any(
        word.startswith(part) for word in str(completion.title).lower().split()
    )


def _word_begins(completion: Completion, part: str) -> bool:
    return completion.word.lower().strip('"').startswith(part.strip('"'))
