"""What could come next where a typed line ends: words that lead to something the rules accept, and no others.

Separate from the notation, which knows how a line is written, but not what is on the table.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, ClassVar, Protocol

import msgspec

from companion.tabletop.action import Action, NotationError
from companion.tabletop.arguments import TEXT, Words
from companion.tabletop.choices import Gap, Open, Rules, accepts, choices, filled
from companion.tabletop.notation import Argument, Ending, grammar
from companion.tabletop.table import Draft

_LAST_WORD = re.compile(r"\S*$")


class Completion(msgspec.Struct, frozen=True):
    """One way to go on: the `word` (or words) that stand for it, and what people need to know of it.

    `leads` says that it is a keyword, which means nothing before its value is said.
    """

    word: str
    title: str = ""
    detail: str = ""
    leads: bool = False


class Vocabulary(Rules, Protocol):
    """Rules with the actions that they know."""

    actions: ClassVar[tuple[type[Action], ...]]


def complete(game: Vocabulary, state: Any, text: str) -> tuple[Completion, ...]:
    """What could stand where a text ends, each with the rest of the line, in the game's order.

    The last word, where nothing stands behind it, is one that has only begun. Nothing for a line that cannot be read.
    """
    match = _LAST_WORD.search(text)
    assert match is not None
    begun = match[0].lower()
    try:
        words = Words.of(text[: match.start()])
        completions: dict[str, Completion] = {}
        for completion in _following(game, state, words, begun):
            completions.setdefault(completion.word, completion)
    except NotationError:
        return ()
    return tuple(completion for word, completion in completions.items() if word.lower().startswith(begun))


def open_at(game: Vocabulary, state: Any, text: str) -> Open | None:
    """What can be typed where a text ends behind a space, where nobody can list all of it; None where a list is all."""
    try:
        words = Words.of(text)
        for action, ending in _endings(game, words):
            if not ending.keyed and isinstance(candidates := _gap(game, state, action, ending).candidates, Open):
                return candidates
    except NotationError:
        pass
    return None


def _following(game: Vocabulary, state: Any, words: Words, begun: str) -> Iterator[Completion]:
    if not words:
        for action in game.actions:
            if action.verb().startswith(begun) and accepts(game, state, Draft(action)):
                yield Completion(action.verb(), detail=_help(action))
        return
    for action, ending in _endings(game, words):
        yield from _at(game, state, action, ending)
        for further in _behind_card(game, state, action, ending):
            yield from _at(game, state, action, further)


def _behind_card(game: Vocabulary, state: Any, action: type[Action], ending: Ending) -> Iterator[Ending]:
    """Where a deck list says all that a line still lacks: what else may be meant of that card, as its level.

    Flags, and what is paid, need not be thought of there.
    """
    if ending.words or ending.keyed or not ending.argument.left_open:
        return
    draft = filled(game, state, Draft(action, ending.given))
    if not draft.missing:
        for argument in grammar(action).keywords.values():
            if not (argument.on_card or argument.flag or argument.kind.many):
                yield Ending(draft.given, argument, keyed=True)


def _endings(game: Vocabulary, words: Words) -> Iterator[tuple[type[Action], Ending]]:
    """Where a line that has begun ends, and may go on."""
    action = next((action for action in game.actions if action.verb() == words.keyword()), None)
    if action is not None:
        words.take(TEXT)
        yield from ((action, ending) for ending in grammar(action).endings(words))


def _help(action: type[Action]) -> str:
    return (action.__doc__ or "").strip().splitlines()[0]


def _at(game: Vocabulary, state: Any, action: type[Action], ending: Ending) -> Iterator[Completion]:
    """The words that could come at one ending of a line."""
    argument = ending.argument
    if ending.keyed:
        if _has_a_place(game, state, Draft(action, ending.given), argument):
            yield Completion(argument.keyword, detail=argument.words, leads=not argument.flag)
        return
    gap = _gap(game, state, action, ending)
    listed = gap.draft.given.get(argument.field)
    text = argument.kind.write(listed) if listed else " ".join(ending.words)
    begun = f"{text} ".lower() if text else ""
    for completion in _values(gap):
        if completion.word.lower().startswith(begun):
            yield msgspec.structs.replace(completion, word=completion.word[len(begun) :])


def _gap(game: Vocabulary, state: Any, action: type[Action], ending: Ending) -> Gap:
    """What is asked where a line ends, the items of a list that were said included."""
    field, draft = ending.argument.field, Draft(action, ending.given)
    listed = _listed(ending.argument, ending.words)
    return Gap.of(game, state, draft.having(field, listed) if listed else draft, field)


def _has_a_place(game: Vocabulary, state: Any, draft: Draft, argument: Argument) -> bool:
    """Whether a keyword leads on to something that the rules accept, and that does not go without saying."""
    if argument.flag:
        return accepts(game, state, draft.having(argument.field, True))
    values = choices(game, state, draft, argument.field)
    if isinstance(values, Open) or len(values) != 1:
        return bool(values)
    return argument.required or not accepts(game, state, draft, unsaid=argument.field)


def _values(gap: Gap) -> Iterator[Completion]:
    """The values of an argument as words, those of a list from its beginning."""
    candidates = gap.candidates
    yield from (Completion(gap.word(choice), choice.title, choice.detail) for choice in gap.listed)
    if (
        isinstance(candidates, Open)
        and isinstance(candidates.example, int)
        and candidates.least == candidates.example == candidates.most
    ):
        yield Completion(gap.argument.kind.write(candidates.example), candidates.what)
    for choice, longer, _ in gap.items():
        word = gap.argument.kind.write(longer.given[gap.argument.field])
        yield Completion(word, choice.title, choice.detail)


def _listed(argument: Argument, words: tuple[str, ...]) -> tuple[Any, ...]:
    """The items of a list that were said."""
    if not argument.kind.many or not words:
        return ()
    value = argument.kind.read(Words.of(" ".join(words)), ())
    return value if isinstance(value, tuple) else ()
