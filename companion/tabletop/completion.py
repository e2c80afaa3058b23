"""What could come next where a typed line ends: words that lead to something the rules accept, and no others."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any, ClassVar, Protocol

import msgspec

from companion.tabletop.action import Action, NotationError
from companion.tabletop.arguments import TEXT, Words
from companion.tabletop.choices import Choice, Gap, Open, Rules, accepts, choices, filled
from companion.tabletop.notation import Argument, Ending, LineKind, grammar
from companion.tabletop.table import Draft

_LAST_WORD = r"\S*$"


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


Fits = Callable[[Completion], bool]
"""Whether a completion is one that is looked for. It is asked before the rules are, which take far longer."""


def complete(game: Vocabulary, state: Any, text: str, fits: Fits | None = None) -> tuple[Completion, ...]:
    """What could stand where a text ends, each with the rest of the line, in the game's order.

    The last word, where nothing stands behind it, is one that has only begun, unless `fits` says what is looked for.
    Nothing for a line that cannot be read.
    """
    match = re.search(_LAST_WORD, text)
    assert match is not None
    begun = match[0].lower()
    fits = fits or (lambda completion: completion.word.lower().startswith(begun))
    try:
        completions: dict[str, Completion] = {}
        for completion in _following(game, state, Words.of(text[: match.start()]), fits):
            completions.setdefault(completion.word, completion)
    except NotationError:
        return ()
    return tuple(completions.values())


def only_keyword(game: Vocabulary, state: Any, text: str) -> str:
    """The keyword that must come where a text ends behind a space, before its value; "" where another word could."""
    try:
        endings = tuple(_endings(game, Words.of(text)))
        if not any((e.keyed and not e.argument.flag) or e.argument.left_open for _, e in endings):
            return ""
        keyword = ""
        for completion in _following(game, state, Words.of(text), lambda _: True):
            if not completion.leads or keyword not in ("", completion.word):
                return ""
            keyword = completion.word
    except NotationError:
        return ""
    return keyword


def open_at(game: Vocabulary, state: Any, text: str) -> Open | None:
    """What can be typed where a text ends behind a space, where nobody can list all of it; None where a list is all."""
    try:
        words = Words.of(text)
        for action, ending in _endings(game, words):
            if not ending.keyed:
                candidates = choices(game, state, _draft_at(action, ending), ending.argument.field)
                if isinstance(candidates, Open):
                    return candidates
    except NotationError:
        pass
    return None


def _following(game: Vocabulary, state: Any, words: Words, fits: Fits) -> Iterator[Completion]:
    if not words:
        for action in game.actions:
            completion = Completion(action.verb(), detail=(action.__doc__ or "").strip().splitlines()[0])
            if fits(completion) and accepts(game, state, Draft(action)):
                yield completion
        return
    for action, ending in _endings(game, words):
        yield from _at(game, state, action, ending, fits)
        for further in _behind_card(game, state, action, ending):
            yield from _at(game, state, action, further, fits)


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


def _at(game: Vocabulary, state: Any, action: type[Action], ending: Ending, fits: Fits) -> Iterator[Completion]:
    """The words that could come at one ending of a line."""
    argument = ending.argument
    if ending.keyed:
        keyword = Completion(argument.keyword, detail=argument.words, leads=not argument.flag)
        if fits(keyword) and _has_a_place(game, state, Draft(action, ending.given), argument):
            yield keyword
    elif not isinstance(argument.kind, LineKind):
        yield from _values(game, state, _draft_at(action, ending), ending, fits)


def _values(game: Vocabulary, state: Any, draft: Draft, ending: Ending, fits: Fits) -> Iterator[Completion]:
    """The values of an argument as words, those of a list from its beginning."""
    argument = ending.argument
    items = draft.given.get(argument.field)
    text = argument.kind.write(items) if items else " ".join(ending.words)
    begun = f"{text} " if text else ""

    def behind(value: Any, choice: Choice) -> Completion | None:
        """What of a value stands behind the words that were said; None where it is another value, or does not fit."""
        word = argument.kind.write(value)
        completion = Completion(word[len(begun) :], choice.title, choice.detail)
        return completion if word.lower().startswith(begun.lower()) and fits(completion) else None

    def behind_items(choice: Choice, draft: Draft) -> Completion | None:
        return behind(draft.given[argument.field], choice)

    candidates = game.candidates(state, draft, argument.field)
    if not isinstance(candidates, Open):
        for choice in candidates:
            completion = behind(choice.value, choice)
            if completion and accepts(game, state, draft.having(argument.field, choice.value)):
                yield completion
    elif accepts(game, state, draft.having(argument.field, candidates.example)):
        gap = Gap(game, state, draft, argument, candidates)
        values = candidates.fitting
        if isinstance(candidates.example, int) and candidates.least == candidates.example == candidates.most:
            values += (Choice(candidates.example, candidates.what),)
        yield from filter(None, (behind(choice.value, choice) for choice in values))
        yield from filter(None, (behind_items(choice, longer) for choice, longer, _ in gap.items(behind_items)))


def _draft_at(action: type[Action], ending: Ending) -> Draft:
    """What is known where a line ends, the items of a list that were said included."""
    argument, draft = ending.argument, Draft(action, ending.given)
    if argument.kind.many and ending.words:
        items = argument.kind.read(Words.of(" ".join(ending.words)), ())
        if isinstance(items, tuple) and items:
            return draft.having(argument.field, items)
    return draft


def _has_a_place(game: Vocabulary, state: Any, draft: Draft, argument: Argument) -> bool:
    """Whether a keyword leads on to something that the rules accept, and that does not go without saying."""
    if argument.flag:
        return accepts(game, state, draft.having(argument.field, True))
    values = choices(game, state, draft, argument.field)
    if isinstance(values, Open) or len(values) != 1:
        return bool(values)
    return argument.required or not accepts(game, state, draft, unsaid=argument.field)
