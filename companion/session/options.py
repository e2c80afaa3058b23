"""What can answer a table's question or follow what is being typed: rows of a list, and completions."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

import msgspec

from companion.session import line_reading, table_questions
from companion.session.line_reading import beginning
from companion.session.session import Session
from companion.session.table_questions import due_prompts, seat_prompts
from companion.tabletop import completion
from companion.tabletop import completion as words
from companion.tabletop.action import Action, NotationError, RuleError
from companion.tabletop.arguments import TEXT
from companion.tabletop.choices import accepts
from companion.tabletop.common_actions import LOG, OpenTable, Redo, Seat, Undo
from companion.tabletop.completion import Completion
from companion.tabletop.notation import Notation
from companion.tabletop.table import Draft, Prompt

_AMEND = re.compile(r"\s*amend\s+(\d+)\s+", re.IGNORECASE)
_LINE = re.compile(r"\s*(?:amend|resume-from)\s+(\d*)", re.IGNORECASE)


def complete(text: str, session: Session) -> tuple[Completion, ...]:
    """The words that could stand where a text ends; behind `amend`, the numbers of lines, the newest first; behind
    `amend 12`, the line that stands there now.
    """
    line = text.removeprefix(":")
    if amended := _AMEND.fullmatch(line):
        return tuple(Completion(moment.text) for moment in session.moments() if moment.number == int(amended[1]))
    if numbered := _LINE.fullmatch(line):
        newest = [(str(moment.number), moment.text) for moment in reversed(session.moments())]
        return tuple(Completion(number, said) for number, said in newest if number.startswith(numbered[1]))
    found = completion.complete(session.game, session.state, line)
    if " " in line:
        return found
    of_log = (action for action in LOG if action.verb().startswith(line.lower()) and _can_be_said(action, session))
    return (*found, *(Completion(action.verb(), detail=session.notation.help(action.verb())) for action in of_log))


def _can_be_said(action: type[Action], session: Session) -> bool:
    """Whether a line of the log has anything to do: to take back, to do again, to change."""
    if action is Undo:
        return bool(session.undoable()) and not session.sealing().marks
    if action is Redo:
        return bool(session.redoable())
    return action is not OpenTable and bool(session.moments())


def explain(text: str, session: Session) -> str:
    """Help for what is being typed: how its line is written; what could come next stands in the list."""
    words, notation = text.strip().removeprefix(":").split(), session.notation
    if not words:
        return ""
    verb = words[0].lower()
    if verb in notation.offered and (len(words) > 1 or text[-1].isspace() or not _others_begin(verb, notation)):
        return f"{notation.usage(verb)}  ·  {notation.help(verb)}"
    return ""


def _others_begin(verb: str, notation: Notation) -> bool:
    return sum(known.startswith(verb) for known in notation.offered) > 1


_DECK = re.compile(r"((\w+)\s+\S+\s(?:.*\s)?deck\s+)\"?([^\"]*)", re.IGNORECASE)
"""A line that seats somebody, up to the deck that they bring."""

_ALL = "That is all; Enter does it."
_NOTHING = "Nothing fits there now."

_KEYWORDS = 3
"""Keywords in a row that go without saying, at most."""


class Option(msgspec.Struct, frozen=True):
    """One row: the `text` that is typed for it, the `word` of it that is new, and what people need to know of that."""

    text: str
    word: str
    title: str = ""
    detail: str = ""


class Options(msgspec.Struct, frozen=True):
    """What can come next: the rows, and what can be typed besides (`wanted`; "" where the rows are all). Where nothing
    can, `note` says whether that is all, or why not.
    """

    rows: tuple[Option, ...] = ()
    wanted: str = ""
    note: str = ""


def options(text: str, session: Session) -> Options:
    """What can answer the first question, where nothing is typed yet; else what the typed text can become."""
    line = text.lstrip().removeprefix(":").lstrip()
    if not line:
        return _of_question(session)
    if (bringing := _DECK.fullmatch(line)) and _seats(bringing[2], session):
        return Options(tuple(_decks(bringing[1], bringing[3], session)), "a name or an id")
    verb, space, _ = line.partition(" ")
    if space and verb.lower() in session.notation.verbs:
        return _behind(line, session)
    found = (*_of_words(line, session), *_of_ways(line, session), *_rows(complete(line, session), ""))
    return Options(tuple({row.text: row for row in reversed(found)}.values())[::-1])


def is_whole(text: str, session: Session) -> bool:
    """Whether a text says all that is needed: the rules take what it stands for."""
    try:
        verb = text.split(" ", 1)[0].lower()
        is_line = verb in session.notation.verbs
        actions = (session.notation.parse(text),) if is_line else line_reading.read(text, session)
        session.preview(*actions)
    except (NotationError, RuleError):
        return False
    return True


def accepted(prompt: Prompt, session: Session) -> tuple[Draft, ...]:
    """The answers to a question that lead to something the rules accept, the suggested one first."""
    return tuple(draft for draft in prompt.answers if _is_accepted(draft, session))


def _is_accepted(draft: Draft, session: Session) -> bool:
    """What the log itself takes is no game's to judge."""
    return draft.action not in session.game.actions or accepts(session.game, session.state, draft)


def _of_question(session: Session) -> Options:
    """Of the first question: its answers where it has several, else what the only one still wants."""
    for prompt in due_prompts(session.view())[:1]:
        found = accepted(prompt, session)
        if len(found) > 1:
            return Options(tuple(_way(draft) for draft in found))
        if found and found[0].missing:
            return _behind(f"{found[0].line} ", session)
    return Options()


def _way(draft: Draft) -> Option:
    """An answer that begins a line, or is one; what it asks besides begins with its keyword."""
    first = next(iter(draft.missing), None)
    if first is None or first.required:
        return Option(draft.line, draft.line, "" if draft.note else draft.wants, draft.note)
    line = f"{draft.line} {first.keyword}".rstrip()
    return Option(line, line, "", draft.note)


def _seats(verb: str, session: Session) -> bool:
    """Whether the lines of this verb seat somebody."""
    return any(issubclass(action, Seat) and action.verb() == verb.lower() for action in session.game.actions)


def _decks(before: str, begun: str, session: Session) -> Iterator[Option]:
    """The stored decks that could be brought, with who holds them."""
    for name, holder in session.decks(begun):
        word = TEXT.write(name)
        yield Option(f"{before}{word}", word, detail=f"held by {holder}" if holder else "nobody holds it")


def _of_ways(line: str, session: Session) -> Iterator[Option]:
    """The answers to the first question of which some word begins so."""
    for prompt in due_prompts(session.view())[:1]:
        for draft in accepted(prompt, session) if len(prompt.answers) > 1 else ():
            if any(word.startswith(line.lower()) for word in draft.line.lower().split()):
                yield _way(draft)


def _of_words(line: str, session: Session) -> Iterator[Option]:
    """What the words can become that are typed for what is asked, without the line before them."""
    said, _, begun = line.rpartition(" ")
    row = seat_prompts(session.view())
    at = len(said.split())
    if row and at < len(row):
        found = _behind(f"{row[at].line} {begun}", session).rows
        # The first word alone stands for the whole line; behind it, only the words do.
        yield from (msgspec.structs.replace(one, text=f"{said} {one.word}") if said else one for one in found)
    elif not row:
        for prompt in due_prompts(session.view())[:1]:
            for draft in accepted(prompt, session):
                if draft.missing:
                    yield from _behind(f"{draft.line} {line}", session).rows


def _behind(line: str, session: Session) -> Options:
    """How a line goes on where it ends; keywords that must come go without saying."""
    head, space, begun = line.rpartition(" ")
    before = f"{head}{space}"
    for _ in range(_KEYWORDS):
        found = complete(before, session)
        if begun or len(found) != 1 or not found[0].leads:
            break
        before = f"{before}{found[0].word} "
    rows = tuple(_rows(beginning(found, begun), before))
    open_ = None if begun and rows else words.open_at(session.game, session.state, before)
    if open_ and not (begun or rows) and is_whole(line.strip(), session):
        return Options(note=_ALL)  # what else the line says stands on the card
    if rows or open_ or begun:
        return Options(rows, table_questions.describe_wanted(open_) if open_ else "")
    return Options(note=_ALL if is_whole(before.strip(), session) else _NOTHING)


def _rows(found: Iterable[Completion], before: str) -> Iterator[Option]:
    for way in found:
        yield Option(f"{before}{way.word}", way.word, way.title, way.detail)
