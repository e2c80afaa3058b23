"""What a line that leaves something out can mean: its verb begun, whose it is, the keyword before the last words.

Separate from reading, which knows how answers are typed; here it is only asked what the rules accept.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from companion.games.action import Action, NotationError
from companion.games.choices import Open, Rules, accepts, choices
from companion.games.completion import Completion, complete
from companion.games.draft import Draft
from companion.games.kinds import TEXT, Words
from companion.games.notation import Argument, Grammar, Notation, grammar
from companion.session.session import Session

_MOST_LEFT_OUT = 2
"""Arguments that may be left out; with more of them, hardly anything could still be meant."""

_MOST_NAMED = 6
"""Lines that are named where one of them must be meant; more are not worth reading."""


class _Part(NamedTuple):
    """One way to tell the words apart: the fields they stand for, those left out, and the words behind them."""

    given: Mapping[str, Any]
    left_out: tuple[Argument, ...]
    rest: tuple[str, ...]


def meant(text: str, session: Session) -> Action | None:
    """The one action that a shortened line can stand for; None where it stands for none.

    What leaves out least is meant; where the rules accept nothing, it is what lacks only a keyword, so that they can
    say why. Raises NotationError where a few things could be meant.
    """
    verb, *words = text.split()
    if '"' in text:
        return None  # who writes texts in quotes leaves nothing out
    found: list[tuple[int, Action]] = []
    whole: list[Action] = []
    for kind in _kinds(verb.lower(), session):
        for parts in _told_apart(_required(grammar(kind)), tuple(words), grammar(kind)):
            for action in _made(kind, parts, session):
                if accepts(session.game, session.state, _as_draft(action)):
                    found.append((len(parts.left_out), action))
                elif not parts.left_out and kind.verb() == verb.lower():
                    whole.append(action)
    least = min((left_out for left_out, _ in found), default=0)
    return _one(text, [action for left_out, action in found if left_out == least] or whole[:1], session)


def ended(text: str, lines: Iterable[str], session: Session) -> Action | None:
    """What a text stands for by these lines once words that only begin are ended: the one that the rules accept; else
    the first that is whole, so that they can say why not. Raises NotationError where a few things could be meant.

    A word is ended (`attack cin ben`) where one thing alone begins so, or has another word that does (`block spear`).
    What stands on the table by that very name is never another (`wolf` is not `wolf-2`), and figures begin nothing.
    """
    found = [action for line in lines if (action := _parsed(session.notation, _ended(line, session))) is not None]
    return _one(text, [action for action in found if is_allowed(action, session)] or found[:1], session)


def begin_something(words: Iterable[str]) -> bool:
    """Whether any of the words can be the beginning of another: figures are not."""
    return any(word[0].isalpha() for word in words)


def _one(text: str, actions: Iterable[Action], session: Session) -> Action | None:
    """The action of which there is one; None where there is none, or more than are worth naming."""
    lines = {session.notation.format(action): action for action in actions}
    if 1 < len(lines) <= _MOST_NAMED:
        raise NotationError(f"“{text}” could be {' or '.join(f'`{line}`' for line in lines)}; say which.")
    return next(iter(lines.values())) if len(lines) == 1 else None


def named(action: Action, session: Session) -> Action:
    """An action with its name ended, where that only begins one name that the table knows: `cast iron` is Iron Rain."""
    draft = _as_draft(action)
    for argument in grammar(type(action)).arguments:
        said = draft.given[argument.field]
        if argument.kind is TEXT and said:
            found = session.game.candidates(session.state, draft, argument.field)
            known = found.known if isinstance(found, Open) else ()
            alike = [choice.value for choice in known if choice.value.lower().startswith(said.lower())]
            if len(alike) == 1:
                draft = draft.having(argument.field, alike[0])
    return session.notation.parse(session.notation.format(draft.made()))


def is_allowed(action: Action, session: Session) -> bool:
    """Whether the rules take an action; what the log itself takes is no game's to judge."""
    return type(action) not in session.game.actions or accepts(session.game, session.state, _as_draft(action))


def _ended(line: str, session: Session) -> str:
    """A line with its words ended, and the keywords between them; "" where one could be several, or begins nothing.

    A keyword may follow what a card of the list leaves unsaid: `forge ana 5 dusk level 2`.
    """
    verb, *words = line.split()
    said, keywords = f"{verb} ", _keywords(verb, session)
    named = {name.lower() for name in session.view().targets()}
    for word in words:
        known = complete(session.game, session.state, said)
        if len(known) == 1 and known[0].leads and not known[0].word.startswith(word.lower()):
            said += f"{known[0].word} "
            known = complete(session.game, session.state, said)
        found = [way.word for way in known if way.word.lower() == word.lower()]
        if not found and begin_something((word,)):
            found = [way.word for way in beginning(known, word)]
            is_keyword = not found and word.lower() in keywords
            if not is_keyword and (len(found) != 1 or {word.lower(), found[0].lower()} <= named):
                return ""
        said += f"{(*found, word)[0]} "
    return said.strip()


def _keywords(verb: str, session: Session) -> Iterable[str]:
    kind = next((kind for kind in session.game.actions if kind.verb() == verb.lower()), None)
    return grammar(kind).keywords if kind else ()


def beginning(found: Iterable[Completion], begun: str) -> list[Completion]:
    """Those that begin so, then those of whose title another word does."""
    part = begun.lower()
    ways = list(found)
    first = [way for way in ways if way.word.lower().strip('"').startswith(part.strip('"'))]
    others = (way for way in ways if way not in first)
    return [*first, *(way for way in others if any(w.startswith(part) for w in way.title.lower().split()))]


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


def _made(kind: type[Action], parts: _Part, session: Session) -> Iterator[Action]:
    """The actions that these parts are, once what was left out is what the rules accept there."""
    for filled in _filled(Draft(kind, parts.given), parts.left_out, session.game, session.state):
        line = " ".join((grammar(kind).write(filled.given), *parts.rest))
        if (action := _parsed(session.notation, line)) is not None:
            yield action


def _filled(draft: Draft, left_out: tuple[Argument, ...], game: Rules, state: Any) -> Iterator[Draft]:
    if not left_out:
        yield draft
        return
    found = choices(game, state, draft, left_out[0].field)
    for choice in () if isinstance(found, Open) else found:
        yield from _filled(draft.having(left_out[0].field, choice.value), left_out[1:], game, state)


def _parsed(notation: Notation, line: str) -> Action | None:
    try:
        return notation.parse(line)
    except NotationError:
        return None


def _as_draft(action: Action) -> Draft:
    return Draft(type(action), {name: getattr(action, name) for name in action.__struct_fields__})
