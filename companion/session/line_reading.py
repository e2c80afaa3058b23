"""What typed words mean at a table: whole lines, lines that leave something out, and words that prompts want."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from companion.session.selection import NOTHING, numbered
from companion.session.session import Session
from companion.session.table_questions import answer_lines, due_prompts, is_line, seat_prompts
from companion.tabletop.action import Action, NotationError
from companion.tabletop.arguments import HANDLE, TEXT, Words
from companion.tabletop.choices import Open, accepts
from companion.tabletop.common_actions import Add, Note, Set
from companion.tabletop.completion import Completion, complete, only_keyword
from companion.tabletop.notation import Argument, Grammar, Notation, grammar
from companion.tabletop.table import Draft, Prompt, TableView

_MOST_LEFT_OUT = 2
"""Arguments that may be left out; with more of them, hardly anything could still be meant."""

_MOST_NAMED = 6
"""Lines that are named where one of them must be meant; more are not worth reading."""


class _Part(NamedTuple):
    """One way to tell the words apart: the fields they stand for, those left out, and the words behind them."""

    given: Mapping[str, Any]
    left_out: tuple[Argument, ...]
    rest: tuple[str, ...]


def resolve_shortened(text: str, session: Session) -> Action | None:
    """The one action that a shortened line can stand for; None where it stands for none.

    What leaves out least is meant; where the rules accept nothing, it is what lacks only a keyword, so that they can
    say why. Raises NotationError where a few things could be meant.
    """
    verb, *words = text.split()
    if '"' in text:
        return None  # who writes texts in quotes leaves nothing out
    parts = [
        (kind, part)
        for kind in _kinds(verb.lower(), session)
        for part in _told_apart(_required(grammar(kind)), tuple(words), grammar(kind))
    ]
    refused: list[Action] = []
    for left_out in range(_MOST_LEFT_OUT + 1):
        accepted: list[Action] = []
        for kind, part in parts:
            for action in _build_actions(kind, part, session) if len(part.left_out) == left_out else ():
                if accepts(session.game, session.state, _as_draft(action)):
                    accepted.append(action)
                elif not left_out and kind.verb() == verb.lower():
                    refused.append(action)
        if accepted:
            return _one(text, accepted, session)
    return _one(text, refused[:1], session)


def ended(text: str, lines: Iterable[str], session: Session) -> Action | None:
    """What a text stands for by these lines once words that only begin are ended: the one that the rules accept; else
    the first that is whole, so that they can say why not. Raises NotationError where a few things could be meant.

    A word is ended (`attack cin ben`) where one thing alone begins so, or has another word that does (`block spear`).
    What stands on the table by that very name is never another (`wolf` is not `wolf-2`), and figures begin nothing.
    """
    cache: _Cache = {}
    whole = (_parsed(session.notation, _complete_endings(line, session, cache)) for line in lines)
    actions = [action for action in whole if action is not None]
    return _one(text, [action for action in actions if is_allowed(action, session)] or actions[:1], session)


def begin_something(words: Iterable[str]) -> bool:
    """Whether any of the words can be the beginning of another: figures are not."""
    return any(word[0].isalpha() for word in words)


def _one(text: str, actions: Iterable[Action], session: Session) -> Action | None:
    """The action of which there is one; None where there is none, or more than are worth naming."""
    lines = {session.notation.format(action): action for action in actions}
    if 1 < len(lines) <= _MOST_NAMED:
        raise NotationError(f"“{text}” could be {' or '.join(f'`{line}`' for line in lines)}; say which.")
    return next(iter(lines.values())) if len(lines) == 1 else None


def complete_name(action: Action, session: Session) -> Action:
    """An action with its name ended, where that only begins one name that the table knows: `cast iron` is Iron Rain."""
    draft = _as_draft(action)
    for argument in grammar(type(action)).arguments:
        said = draft.given[argument.field]
        if argument.kind is TEXT and said:
            found = session.game.candidates(session.state, draft, argument.field)
            known = found.fitting if isinstance(found, Open) else ()
            alike = [choice.value for choice in known if choice.value.lower().startswith(said.lower())]
            if len(alike) == 1:
                draft = draft.having(argument.field, alike[0])
    return session.notation.parse(session.notation.format(draft.build()))


def is_allowed(action: Action, session: Session) -> bool:
    """Whether the rules take an action; what the log itself takes is no game's to judge."""
    return type(action) not in session.game.actions or accepts(session.game, session.state, _as_draft(action))


def _complete_endings(line: str, session: Session, cache: _Cache) -> str:
    """A line with its words ended, and the keywords between them; "" where one could be several, or begins nothing.

    A keyword may follow what a card of the list leaves unsaid: `forge ana 5 dusk level 2`.
    """
    verb, *words = line.split()
    before = f"{verb} "
    keywords = next((grammar(kind).keywords for kind in session.game.actions if kind.verb() == verb.lower()), {})
    named = {name.lower() for name in session.view().targets()}
    for word in words:
        before, matches = _matches(before, word, session, cache)
        exact = [match for match in matches if match.lower() == word.lower()]
        if not exact and begin_something((word,)):
            is_keyword = not matches and word.lower() in keywords
            if not is_keyword and (len(matches) != 1 or {word.lower(), matches[0].lower()} <= named):
                return ""
            exact = matches
        before += f"{(*exact, word)[0]} "
    return before.strip()


_Cache = dict[tuple[str, str], tuple[str, list[str]]]
"""What words can be, by the line before them; within one table."""


def _matches(before: str, word: str, session: Session, cache: _Cache) -> tuple[str, list[str]]:
    """The line up to a word, with the keyword that must come before it; and all that the word can be or begin there."""
    if (before, word) in cache:
        return cache[before, word]
    game, state, line = session.game, session.state, before
    keyword = only_keyword(game, state, line)
    if keyword and not keyword.startswith(word.lower()):
        line += f"{keyword} "
    part = word.lower() if begin_something((word,)) else None
    completions = complete(
        game, state, line, lambda each: each.word.lower() == word.lower() or bool(part and _begins(each, part))
    )
    matches = [completion.word for completion in (beginning(completions, word) if part else completions)]
    cache[before, word] = line, matches
    return line, matches


def beginning(completions: Iterable[Completion], begun: str) -> list[Completion]:
    """Those that begin so, then those of whose title another word does."""
    part = begun.lower()
    return sorted((each for each in completions if _begins(each, part)), key=lambda each: not _word_begins(each, part))


def _begins(completion: Completion, part: str) -> bool:
    return _word_begins(completion, part) or any(word.startswith(part) for word in completion.title.lower().split())


def _word_begins(completion: Completion, part: str) -> bool:
    return completion.word.lower().strip('"').startswith(part.strip('"'))


def _kinds(begun: str, session: Session) -> Sequence[type[Action]]:
    """The actions whose verb a word is, or begins: of what is asked or offered now, else of all the game has."""
    actions = session.game.actions
    if exact := [action for action in actions if action.verb() == begun]:
        return exact
    offered = {answer.action for prompt in session.view().prompts for answer in prompt.answers}
    starting = [action for action in actions if action.verb().startswith(begun)]
    return [action for action in starting if action in offered] or starting


def _required(written: Grammar) -> tuple[Argument, ...]:
    return tuple(argument for argument in written.arguments if argument.required)


def _told_apart(
    arguments: tuple[Argument, ...], words: tuple[str, ...], written: Grammar, left_out: tuple[Argument, ...] = ()
) -> Iterator[_Part]:
    """Every way to give the words to the required arguments, in their order."""
    if not arguments:
        yield _Part({}, left_out, words)
        return
    first, *others = arguments
    for value, rest in _read(first, words, written):
        for parts in _told_apart(tuple(others), rest, written, left_out):
            yield parts._replace(given={first.field: value, **parts.given})
    if len(left_out) < _MOST_LEFT_OUT:
        yield from _told_apart(tuple(others), words, written, (*left_out, first))


def _read(argument: Argument, words: tuple[str, ...], written: Grammar) -> Iterator[tuple[Any, tuple[str, ...]]]:
    """The value that the next words are, with or without the keyword before it, and the words behind."""
    rest = words[1:] if argument.keyword and words[:1] == (argument.keyword,) else words
    try:
        reader = Words.of(" ".join(rest))
        value = argument.kind.read(reader, written.keywords)
    except NotationError:
        return
    yield value, rest[len(reader.taken) :]


def _build_actions(kind: type[Action], part: _Part, session: Session) -> Iterator[Action]:
    """The actions that these words are, once what was left out is what the rules accept there."""
    yield from _filled(Draft(kind, part.given), part.left_out, part.rest, session)


def _filled(draft: Draft, left_out: tuple[Argument, ...], rest: tuple[str, ...], session: Session) -> Iterator[Action]:
    game, state = session.game, session.state
    if not left_out:
        if action := _parsed(session.notation, " ".join((grammar(draft.action).write(draft.given), *rest))):
            yield action
        return
    first, *others = left_out
    candidates = game.candidates(state, draft, first.field)
    for choice in () if isinstance(candidates, Open) else candidates:
        longer = draft.having(first.field, choice.value)
        # To read a line is quick; whether the rules accept what it lacked is asked only where it can be read.
        actions = () if others else tuple(_filled(longer, (), rest, session))
        if (others or actions) and accepts(game, state, longer):
            yield from _filled(longer, tuple(others), rest, session) if others else actions


def _parsed(notation: Notation, line: str) -> Action | None:
    try:
        return notation.parse(line)
    except NotationError:
        return None


def _as_draft(action: Action) -> Draft:
    return Draft(type(action), {name: getattr(action, name) for name in action.__struct_fields__})


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
        said = _read_literally(text, session)
    except NotationError:
        action = resolve_shortened(text, session) or _ended(text, session)
        if action is None:
            raise
        said = (action,)
    if len(said) == 1 and not isinstance(said[0], (Set, Add, Note)) and not is_allowed(said[0], session):
        ended = _ended(text, session)
        return (ended,) if ended is not None and is_allowed(ended, session) else said
    return said


def _ended(text: str, session: Session) -> Action | None:
    """The line that words stand for which only begin; who writes texts in quotes says all of them."""
    return None if '"' in text else ended(text, _whole(text.split(), session), session)


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
    if is_verb or not begin_something(words):
        return  # a verb is no name, and figures begin nothing
    for draft in (draft for prompt in due_prompts(view)[:1] for draft in prompt.answers):
        # A text is said with its verb: the name of a spell may be that of a card to be discarded, too.
        if not any(argument.kind is TEXT for argument in _following(draft)):
            yield " ".join((draft.line, *words))
            yield " ".join((_verb(draft.line), *words))


def _read_literally(text: str, session: Session) -> tuple[Action, ...]:
    """What the words say as they stand."""
    view, notation, words = session.view(), session.notation, text.split()
    asked = seat_prompts(view)
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
        asked = [
            prompt
            for prompt in due_prompts(view)
            if any(_verb(way) == words[0].lower() for way in answer_lines(prompt))
        ]
        offered = [prompt for prompt in view.prompts if _verb(prompt.line) == words[0].lower()]
        # Who is asked first answers first; of several offers none is meant more than another.
        for prompt in asked[:1] or (offered if len(offered) == 1 else ()):
            read = [notation.parse(line) for line in _longer(words, prompt) if is_line(notation, line)]
            # Of several answers none is meant more than another, either.
            if len({notation.format(action) for action in read}) == 1:
                return read[0] if '"' in text else complete_name(read[0], session)
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
    first, notation = due_prompts(view)[:1], session.notation
    for prompt in first:
        for way in answer_lines(prompt):
            if _is_short_for(text, way) and is_line(notation, way):
                return notation.parse(way)
        # Of several ways none is meant that any word could follow: a slip would be the name of a card.
        several = len(prompt.answers) > 1
        meant = [draft for draft in prompt.answers if not (several and _names(draft, session))]
        begun = [line for draft in meant for line in _begun(draft)]
        if several and not begin_something(text.split()):
            # Figures alone are what an answer lacks next, and nothing that needs a keyword, or that it could have.
            begun = [draft.line for draft in meant if draft.missing]
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
    return any(_is_short_for(text, way) for prompt in due_prompts(view)[:1] for way in answer_lines(prompt))


def _is_short_for(text: str, way: str) -> bool:
    """Whether a word is the last one of a longer line, as `strike` of `spend ana strike`."""
    return " " in way and way.rsplit(" ", 1)[1].lower() == text.lower()


def _verb(line: str) -> str:
    return line.split(" ", 1)[0].lower()
