"""What typed words mean at a table: a whole line, or just the words that the prompts still want."""

from __future__ import annotations

import re
from collections.abc import Iterator

from companion.games.action import Action, NotationError
from companion.games.choices import Open
from companion.games.draft import Draft
from companion.games.kinds import HANDLE, TEXT
from companion.games.lines import Add, Note, Set
from companion.games.notation import Argument, Notation
from companion.games.table import Prompt, TableView
from companion.session import meaning
from companion.session.asked import due, is_line, together, ways
from companion.session.selection import NOTHING, numbered
from companion.session.session import Session

_CHANGE = re.compile(r"(\d)\s*([+−-])\s*(\d+)(?:\s+(\S.*))?")
_CHANGED = 4
"""Words of an `add` or a `set` at least."""


def read(text: str, session: Session) -> tuple[Action, ...]:
    """The one intention that typed text stands for.

    A line of notation; or the words that the first prompts still want, one each; or an answer to the first prompt by
    the words that tell it from the others; or a change keyed in as text (`2-7`: seat 2 loses 7); or a line that leaves
    out what can be only one thing. Words behind a change say why it was made. Raises NotationError.
    """
    text = text.strip().removeprefix(":").strip()
    if not text:
        raise NotationError("There is nothing to enter yet.")
    try:
        said = _said(text, session)
    except NotationError:
        action = meaning.meant(text, session) or _ended(text, session)
        if action is None:
            raise
        said = (action,)
    if len(said) == 1 and not isinstance(said[0], (Set, Add, Note)) and not meaning.is_allowed(said[0], session):
        ended = _ended(text, session)
        return (ended,) if ended is not None and meaning.is_allowed(ended, session) else said
    return said


def _ended(text: str, session: Session) -> Action | None:
    """The line that words stand for which only begin; who writes texts in quotes says all of them."""
    return None if '"' in text else meaning.ended(text, _whole(text.split(), session), session)


def _whole(words: list[str], session: Session) -> Iterator[str]:
    """The lines that words may stand for of which some only begin: behind what is asked first, or of any question."""
    view, begins = session.view(), words[0].lower()
    is_verb = begins in session.notation.verbs
    offered = {_verb(draft.line) for prompt in view.prompts for draft in prompt.answers}
    verbs = [verb for verb in offered if verb == begins or (verb.startswith(begins) and not is_verb)]
    if len(verbs) == 1:
        begun = [*verbs, *words[1:]]
        yield " ".join(begun)
        for prompt in view.prompts:
            yield from _longer(begun, prompt)
    if is_verb or not meaning.begin_something(words):
        return  # a verb is no name, and figures begin nothing
    for draft in (draft for prompt in due(view)[:1] for draft in prompt.answers):
        # A text is said with its verb: the name of a spell may be that of a card to be discarded, too.
        if not any(argument.kind is TEXT for argument in _following(draft)):
            yield " ".join((draft.line, *words))
            yield " ".join((_verb(draft.line), *words))


def _said(text: str, session: Session) -> tuple[Action, ...]:
    """What the words say as they stand."""
    view, notation, words = session.view(), session.notation, text.split()
    asked = together(view)
    if rest := _behind_the_first(text, asked, notation):
        return _one_each(rest, asked, notation)
    if words[0].lower() in notation.verbs:
        return _line_with_reason(text, words, view, session)
    if change := _CHANGE.fullmatch(text):
        number, sign, amount, reason = change.groups()
        return (_change(view, number, sign, amount), *_reason(reason))
    if asked and not _is_word_of_a_way(text, view):
        return _one_each(words, asked, notation)
    return (_answer(text, view, session),)


def _change(view: TableView, number: str, sign: str, amount: str) -> Action:
    """The first counter of a numbered seat, changed: what the same keys do where digits choose seats."""
    choice = numbered(view, int(number))
    if choice == NOTHING:
        raise NotationError(f"There is no seat {number}; the seats are numbered clockwise from 1.")
    return Add(choice.target, choice.counter, int(amount) if sign == "+" else -int(amount))


def _line_with_reason(text: str, words: list[str], view: TableView, session: Session) -> tuple[Action, ...]:
    """A line, and the note that the words behind a change of a counter are."""
    notation = session.notation
    if words[0].lower() in (Add.verb(), Set.verb()):
        # Neither takes more than its own words, so the shortest part that can be read is the change.
        for end in range(_CHANGED, len(words)):
            line = " ".join(words[:end])
            if is_line(notation, line):
                return (notation.parse(line), *_reason(" ".join(words[end:])))
    return (_line(text, words, view, session),)


def _reason(text: str | None) -> tuple[Note, ...]:
    return (Note(text.strip('"')),) if text else ()


def _line(text: str, words: list[str], view: TableView, session: Session) -> Action:
    """A whole line; whose it is, or the keyword before the last words, may be left to what is asked. What is left out
    so far may be the end of a card's name, too; who writes a line whole, or a text in quotes, says all of it.
    """
    notation = session.notation
    try:
        return notation.parse(text)
    except NotationError as error:
        asked = [prompt for prompt in due(view) if any(_verb(way) == words[0].lower() for way in ways(prompt))]
        offered = [prompt for prompt in view.prompts if _verb(prompt.line) == words[0].lower()]
        # Who is asked first answers first; of several offers none is meant more than another.
        for prompt in asked[:1] or (offered if len(offered) == 1 else ()):
            read = [notation.parse(line) for line in _longer(words, prompt) if is_line(notation, line)]
            # Of several answers none is meant more than another, either.
            if len({notation.format(action) for action in read}) == 1:
                return read[0] if '"' in text else meaning.named(read[0], session)
        raise error


def _longer(words: list[str], prompt: Prompt) -> Iterator[str]:
    """What a shortened line may stand for: `pass cy 2d` for `pass ana cy pay 2d`."""
    rest = words[1:]
    if rest and rest[0].lower() == prompt.seat:
        rest = rest[1:]
    for answer in prompt.answers:
        verb, *given = answer.line.split()
        told = given[1:]
        if verb.lower() == words[0].lower() and [word.lower() for word in rest[: len(told)]] == told:
            for keyword in ("", *(argument.keyword for argument in answer.missing[:1])):
                yield " ".join(part for part in (answer.line, keyword, *rest[len(told) :]) if part)


def _behind_the_first(text: str, asked: tuple[Prompt, ...], notation: Notation) -> list[str]:
    """The words for everybody, where the first one's line stands before them already: `reveal ana 9c 7c 8d`."""
    begun = f"{asked[0].line} " if asked else ""
    if not begun or not text.lower().startswith(begun) or is_line(notation, text):
        return []
    return text[len(begun) :].split()


def _one_each(words: list[str], asked: tuple[Prompt, ...], notation: Notation) -> tuple[Action, ...]:
    if len(words) > len(asked):
        names = ", ".join(prompt.seat for prompt in asked)
        raise NotationError(f"{len(words)} words answer {len(asked)} questions ({names}); leave out what is too many.")
    return tuple(notation.parse(f"{prompt.line} {word}") for prompt, word in zip(asked, words, strict=False))


def _answer(text: str, view: TableView, session: Session) -> Action:
    """What answers the first prompt: the last word of one of its lines, or what one of them (or its verb) wants."""
    first, notation = due(view)[:1], session.notation
    for prompt in first:
        for way in ways(prompt):
            if _is_short_for(text, way) and is_line(notation, way):
                return notation.parse(way)
        # Of several ways none is meant that any word could follow: a slip would be the name of a card.
        several = len(prompt.answers) > 1
        meant = [draft for draft in prompt.answers if not (several and _names(draft, session))]
        if several and not meaning.begin_something(text.split()):
            # A figure alone is what an answer still lacks, and nothing that it could have besides.
            meant = [draft for draft in meant if draft.missing]
        begun = [line for draft in meant for line in _begun(draft)]
        for way in (*begun, *(dict.fromkeys(map(_verb, begun)) if " " in text else ())):
            if is_line(notation, f"{way} {text}"):
                return notation.parse(f"{way} {text}")
    if first and first[0].wants and not first[0].others:
        return notation.parse(f"{_begun(first[0].answer)[-1]} {text}")
    return notation.parse(text)


def _begun(draft: Draft) -> tuple[str, ...]:
    """An answer's line as far as it is known, and with the keyword that follows: `split wolf`, `split wolf among`."""
    keywords = (argument.keyword for argument in draft.missing[:1] if argument.keyword)
    return (draft.line, *(f"{draft.line} {keyword}" for keyword in keywords))


def _names(draft: Draft, session: Session) -> bool:
    """Whether what an answer leaves open next is a name that people make up, or a text."""
    return any(
        argument.kind in (TEXT, HANDLE)
        and isinstance(session.game.candidates(session.state, draft, argument.field), Open)
        for argument in _following(draft)
    )


def _following(draft: Draft) -> tuple[Argument, ...]:
    """The argument that comes behind what is known of an answer."""
    return (*draft.missing, *draft.optional)[:1]


def _is_word_of_a_way(text: str, view: TableView) -> bool:
    return any(_is_short_for(text, way) for prompt in due(view)[:1] for way in ways(prompt))


def _is_short_for(text: str, way: str) -> bool:
    """Whether a word is the last one of a longer line, as `strike` of `spend ana strike`."""
    return " " in way and way.rsplit(" ", 1)[1].lower() == text.lower()


def _verb(line: str) -> str:
    return line.split(" ", 1)[0].lower()
