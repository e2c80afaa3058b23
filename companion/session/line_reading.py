"""What typed words mean at a table: they are parsed; else what they abbreviate is looked for; else people are asked."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from companion.session import figure_reading
from companion.session.session import Session
from companion.session.table_questions import answer_lines, due_prompts, is_accepted, is_line, seat_prompts
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


def read_line(text: str, session: Session) -> tuple[Action, ...]:
    """The one intention that typed text stands for: a figure put right (`ana -7`), or what else the words say."""
    text = text.strip().removeprefix(":").strip()
    return figure_reading.read_change(text, session, _read_words) or _read_words(text, session)


def _read_words(text: str, session: Session) -> tuple[Action, ...]:
    """The one intention that typed text stands for.

    A line of notation; or the words that the first prompts still want, one each; or an answer to the first prompt by
    the words that tell it from the others; or a line that leaves out what can be only one thing, or of which words
    only begin. Words behind a change say why it was made.

    What the rules refuse is given only where nothing that they accept can be meant, so that they can say why. Raises
    NotationError where nothing is meant, and where a few things could be.
    """
    if not text:
        raise NotationError("There is nothing to enter yet.")
    unreadable, refused = None, None
    try:
        actions = _parse(text, session)
    except NotationError as error:
        unreadable = error
    else:
        if len(actions) != 1 or isinstance(actions[0], (Set, Add, Note)) or _is_accepted(actions[0], session):
            return actions
        refused = actions[0]
    # Who writes a line whole leaves nothing out, and who writes texts in quotes says all of them.
    ways = (_with_words_left_out, _with_words_begun) if unreadable else (_with_words_begun,)
    for abbreviated in ways if '"' not in text else ():
        readings = abbreviated(text, session)
        lines = {session.notation.format(action): action for action in readings.accepted}
        if len(lines) == 1:
            return tuple(lines.values())
        if 1 < len(lines) <= _MOST_NAMED:
            raise NotationError(f"“{text}” could be {' or '.join(f'`{line}`' for line in lines)}; say which.")
        refused = refused or (readings.refused if not lines else None)
    if refused is not None:
        return (refused,)
    assert unreadable is not None
    raise unreadable


class _Readings(NamedTuple):
    """What words may abbreviate: the actions that the rules accept, and the first one that they refuse."""

    accepted: list[Action]
    refused: Action | None


def _is_accepted(action: Action, session: Session) -> bool:
    return is_accepted(session.game, session.state, _as_draft(action))


def _as_draft(action: Action) -> Draft:
    return Draft(type(action), {name: getattr(action, name) for name in action.__struct_fields__})


def _parse_line(line: str, notation: Notation) -> Action | None:
    try:
        return notation.parse(line)
    except NotationError:
        return None


# What words say as they stand

_CHANGE_WORDS = 4
"""Words of an `add` or a `set` at least."""


def _parse(text: str, session: Session) -> tuple[Action, ...]:
    view, notation, words = session.view(), session.notation, text.split()
    prompts = seat_prompts(view)
    # The words for everybody may stand behind the first one's line: `reveal ana 9c 7c 8d`.
    line = f"{prompts[0].line} " if prompts else ""
    if line and text.lower().startswith(line) and not is_line(notation, text) and (rest := text[len(line) :].split()):
        return _one_each(rest, prompts, notation)
    if words[0].lower() in notation.verbs:
        return _line_with_reason(text, words, view, session)
    if prompts and not any(_is_short_for(text, line) for each in due_prompts(view)[:1] for line in answer_lines(each)):
        return _one_each(words, prompts, notation)
    return (_answer(text, view, session),)


def _line_with_reason(text: str, words: list[str], view: TableView, session: Session) -> tuple[Action, ...]:
    """A line, and the note that the words behind a change of a counter are."""
    notation = session.notation
    if words[0].lower() in (Add.verb(), Set.verb()):
        # Neither takes more than its own words, so the shortest part that can be read is the change.
        for end in range(_CHANGE_WORDS, len(words)):
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
    notation, verb = session.notation, words[0].lower()
    try:
        return notation.parse(text)
    except NotationError as error:
        due = [prompt for prompt in due_prompts(view) if verb in map(_verb, answer_lines(prompt))]
        offered = [prompt for prompt in view.prompts if _verb(prompt.line) == verb]
        # Who is asked first answers first; of several offers none is meant more than another.
        for prompt in due[:1] or (offered if len(offered) == 1 else ()):
            actions = [notation.parse(line) for line in _longer(words, prompt) if is_line(notation, line)]
            # Of several answers none is meant more than another, either.
            if len({notation.format(action) for action in actions}) == 1:
                return actions[0] if '"' in text else _with_whole_names(actions[0], session)
        raise error


def _longer(words: list[str], prompt: Prompt) -> Iterator[str]:
    """What a shortened line may stand for: `pass cy 2d` for `pass ana cy pay 2d`."""
    rest = words[1:]
    if rest and rest[0].lower() == prompt.seat:
        rest = rest[1:]
    for answer in prompt.answers:
        verb, *given = answer.line.split()
        begun = given[1:]
        if verb.lower() == words[0].lower() and [word.lower() for word in rest[: len(begun)]] == begun:
            for keyword in ("", *(argument.keyword for argument in answer.missing[:1])):
                yield " ".join(part for part in (answer.line, keyword, *rest[len(begun) :]) if part)


def _with_whole_names(action: Action, session: Session) -> Action:
    """An action with its name ended, where that only begins one name that the table knows: `cast iron` is Iron Rain."""
    draft = _as_draft(action)
    for argument in grammar(type(action)).arguments:
        begun = draft.given[argument.field]
        if argument.kind is TEXT and begun:
            candidates = session.game.candidates(session.state, draft, argument.field)
            names = [choice.value for choice in candidates.fitting] if isinstance(candidates, Open) else []
            matches = [name for name in names if name.lower().startswith(begun.lower())]
            if len(matches) == 1:
                draft = draft.having(argument.field, matches[0])
    return session.notation.parse(session.notation.format(draft.build()))


def _one_each(words: list[str], prompts: tuple[Prompt, ...], notation: Notation) -> tuple[Action, ...]:
    if len(words) > len(prompts):
        names = ", ".join(prompt.seat for prompt in prompts)
        raise NotationError(
            f"{len(words)} words answer {len(prompts)} questions ({names}); leave out what is too many."
        )
    return tuple(notation.parse(f"{prompt.line} {word}") for prompt, word in zip(prompts, words, strict=False))


def _answer(text: str, view: TableView, session: Session) -> Action:
    """What answers the first prompt: the last word of one of its lines, or what one of them (or its verb) wants."""
    first, notation = due_prompts(view)[:1], session.notation
    for prompt in first:
        for line in answer_lines(prompt):
            if _is_short_for(text, line) and is_line(notation, line):
                return notation.parse(line)
        # Of several answers none is meant that any word could follow: a slip would be the name of a card.
        several = len(prompt.answers) > 1
        drafts = [draft for draft in prompt.answers if not (several and _leaves_name_open(draft, session))]
        lines = [line for draft in drafts for line in _begun_lines(draft)]
        if several and not _can_begin(*text.split()):
            # Figures alone are what an answer lacks next, and nothing that needs a keyword, or that it could have.
            lines = [draft.line for draft in drafts if draft.missing]
        for line in (*lines, *(dict.fromkeys(map(_verb, lines)) if " " in text else ())):
            if is_line(notation, f"{line} {text}"):
                return notation.parse(f"{line} {text}")
    if first and first[0].wants and not first[0].others:
        return notation.parse(f"{_begun_lines(first[0].answer)[-1]} {text}")
    return notation.parse(text)


def _begun_lines(draft: Draft) -> tuple[str, ...]:
    """An answer's line as far as it is known, and with the keyword that follows: `split wolf`, `split wolf among`."""
    keywords = (argument.keyword for argument in draft.missing[:1] if argument.keyword)
    return (draft.line, *(f"{draft.line} {keyword}" for keyword in keywords))


def _leaves_name_open(draft: Draft, session: Session) -> bool:
    """Whether what an answer leaves open next is a name that people make up, or a text."""
    argument = _next_argument(draft)
    return (
        argument is not None
        and argument.kind in (TEXT, HANDLE)
        and isinstance(session.game.candidates(session.state, draft, argument.field), Open)
    )


def _next_argument(draft: Draft) -> Argument | None:
    """The argument that comes behind what is known of an answer."""
    return next(iter((*draft.missing, *draft.optional)), None)


def _is_short_for(text: str, line: str) -> bool:
    """Whether a word is the last one of a longer line, as `strike` of `spend ana strike`."""
    return " " in line and line.rsplit(" ", 1)[1].lower() == text.lower()


def _verb(line: str) -> str:
    return line.split(" ", 1)[0].lower()


# What words abbreviate by leaving out others


class _Split(NamedTuple):
    """One way to give words to arguments: the fields they stand for, those left out, and the words behind them."""

    given: Mapping[str, Any]
    left_out: tuple[Argument, ...]
    rest: tuple[str, ...]


def _with_words_left_out(text: str, session: Session) -> _Readings:
    """The lines that leave out least of what the rules accept; refused is one that lacks only a keyword."""
    verb, *words = text.split()
    splits = [
        (kind, split)
        for kind in _kinds(verb.lower(), session)
        for split in _splits(tuple(a for a in grammar(kind).arguments if a.required), tuple(words), grammar(kind))
    ]
    refused = None
    for count in range(_MOST_LEFT_OUT + 1):
        actions: list[Action] = []
        for kind, (given, left_out, rest) in splits:
            for action in _filled(Draft(kind, given), left_out, rest, session) if len(left_out) == count else ():
                if accepts(session.game, session.state, _as_draft(action)):
                    actions.append(action)
                elif not count and kind.verb() == verb.lower():
                    refused = refused or action
        if actions:
            return _Readings(actions, None)
    return _Readings([], refused)


def _kinds(begun: str, session: Session) -> Iterable[type[Action]]:
    """The actions whose verb a word is, or begins: of what is asked or offered now, else of all the game has."""
    actions = session.game.actions
    if exact := [action for action in actions if action.verb() == begun]:
        return exact
    offered = {answer.action for prompt in session.view().prompts for answer in prompt.answers}
    starting = [action for action in actions if action.verb().startswith(begun)]
    return [action for action in starting if action in offered] or starting


def _splits(
    arguments: tuple[Argument, ...], words: tuple[str, ...], written: Grammar, left_out: tuple[Argument, ...] = ()
) -> Iterator[_Split]:
    """Every way to give the words to the required arguments, in their order."""
    if not arguments:
        yield _Split({}, left_out, words)
        return
    first, *others = arguments
    # With or without the keyword before it.
    behind = words[1:] if first.keyword and words[:1] == (first.keyword,) else words
    try:
        reader = Words.of(" ".join(behind))
        value = first.kind.read(reader, written.keywords)
    except NotationError:
        pass
    else:
        for split in _splits(tuple(others), behind[len(reader.taken) :], written, left_out):
            yield split._replace(given={first.field: value, **split.given})
    if len(left_out) < _MOST_LEFT_OUT:
        yield from _splits(tuple(others), words, written, (*left_out, first))


def _filled(draft: Draft, left_out: tuple[Argument, ...], rest: tuple[str, ...], session: Session) -> Iterator[Action]:
    """The actions of a draft once what was left out is what the rules accept there."""
    game, state = session.game, session.state
    if not left_out:
        if action := _parse_line(" ".join((grammar(draft.action).write(draft.given), *rest)), session.notation):
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


# What words abbreviate by beginning others


def _with_words_begun(text: str, session: Session) -> _Readings:
    """What a text stands for once its words are ended.

    A word is ended (`attack cin ben`) where one thing alone begins so, or has another word that does (`block spear`).
    What stands on the table by that very name is never another (`wolf` is not `wolf-2`), and figures begin nothing.
    """
    cache: _Cache = {}
    lines = (_end_words(line, session, cache) for line in _lines_begun(text.split(), session))
    actions = [action for line in lines if (action := _parse_line(line, session.notation)) is not None]
    return _Readings([action for action in actions if _is_accepted(action, session)], next(iter(actions), None))


def _lines_begun(words: list[str], session: Session) -> Iterator[str]:
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
    if is_verb or not _can_begin(*words):
        return  # a verb is no name, and figures begin nothing
    for draft in (draft for prompt in due_prompts(view)[:1] for draft in prompt.answers):
        argument = _next_argument(draft)
        # A text is said with its verb: the name of a spell may be that of a card to be discarded, too.
        if argument is None or argument.kind is not TEXT:
            yield " ".join((draft.line, *words))
            yield " ".join((_verb(draft.line), *words))


def _can_begin(*words: str) -> bool:
    """Whether any of the words can be the beginning of another: figures are not."""
    return any(word[0].isalpha() for word in words)


_Cache = dict[tuple[str, str], tuple[str, list[str]]]
"""What words can be, by the line before them; within one table."""


def _end_words(line: str, session: Session, cache: _Cache) -> str:
    """A line with its words ended, and the keywords between them; "" where one could be several, or begins nothing.

    A keyword may follow what a card of the list leaves unsaid: `forge ana 5 dusk level 2`.
    """
    verb, *words = line.split()
    before = f"{verb} "
    keywords = next((grammar(kind).keywords for kind in session.game.actions if kind.verb() == verb.lower()), {})
    names = {name.lower() for name in session.view().targets()}
    for word in words:
        before, matches = _matches(before, word, session, cache)
        ended = [match for match in matches if match.lower() == word.lower()]
        if not ended and _can_begin(word):
            is_keyword = not matches and word.lower() in keywords
            if not is_keyword and (len(matches) != 1 or {word.lower(), matches[0].lower()} <= names):
                return ""
            ended = matches
        before += f"{(*ended, word)[0]} "
    return before.strip()


def _matches(before: str, word: str, session: Session, cache: _Cache) -> tuple[str, list[str]]:
    """The line up to a word, with the keyword that must come before it; and all that the word can be or begin there."""
    if (before, word) not in cache:
        game, state, part, line = session.game, session.state, word.lower(), before
        keyword = only_keyword(game, state, line)
        if keyword and not keyword.startswith(part):
            line += f"{keyword} "
        can_begin = _can_begin(word)
        completions = complete(
            game, state, line, lambda each: each.word.lower() == part or (can_begin and begins(each, part))
        )
        ways = beginning(completions, word) if can_begin else completions
        cache[before, word] = line, [completion.word for completion in ways]
    return cache[before, word]


def beginning(completions: Iterable[Completion], begun: str) -> list[Completion]:
    """Those that begin so, then those of whose title another word does."""
    part = begun.lower()
    return sorted((each for each in completions if begins(each, part)), key=lambda each: not _word_begins(each, part))


def begins(completion: Completion, part: str) -> bool:
    """Whether a word begins so, or one of the words that people call it by; `part` is in lower case."""
    return _word_begins(completion, part) or any(word.startswith(part) for word in completion.title.lower().split())


def _word_begins(completion: Completion, part: str) -> bool:
    return completion.word.lower().strip('"').startswith(part.strip('"'))
