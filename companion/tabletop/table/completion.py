"""Completions for a typed line: the words that lead to something the rules accept, and no others."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any, ClassVar, Protocol

import msgspec

from companion.tabletop.action import Action, NotationError
from companion.tabletop.notation.arguments import TEXT, Words
from companion.tabletop.notation.notation import Argument, LineContinuation, LineKind, grammar, help_of
from companion.tabletop.table.choices import Choice, Gap, Open, Rules, accepts, choices, complete_draft
from companion.tabletop.table.table import Draft
from templates.languages.messages import Message, Text, current_language

_LAST_WORD = r"\S*$"


class Completion(msgspec.Struct, frozen=True):
    """One continuation of a line: its `word` (or words), and the information that users need to choose it.

    `leads`: it is a keyword, which means nothing until its value follows.
    """

    word: str
    title: Text = ""
    detail: Text = ""
    leads: bool = False


class Vocabulary(Rules, Protocol):
    """Rules with the actions that they know."""

    actions: ClassVar[tuple[type[Action], ...]]


Fits = Callable[[Completion], bool]
"""A filter for completions. It runs before the rules are tried, which takes far longer."""


def complete(game: Vocabulary, state: Any, text: str, fits: Fits | None = None) -> tuple[Completion, ...]:
    """Return the possible completions at the end of a text, in the game's order, each with the rest of its value.

    Unless `fits` is given, the last word counts as unfinished if no space follows it. Returns nothing for a line that
    cannot be read.
    """
    match = re.search(_LAST_WORD, text)
    assert match is not None
    begun = match[0].lower()
    fits = fits or (lambda completion: _begins(completion, begun))
    try:
        completions: dict[str, Completion] = {}
        for completion in _following(game, state, Words.of(text[: match.start()]), fits):
            completions.setdefault(completion.word, completion)
    except NotationError:
        return ()
    return tuple(completions.values())


def _begins(completion: Completion, begun: str) -> bool:
    """Return True if the word of a completion has this beginning, or its title in another language than English."""
    if completion.word.lower().startswith(begun):
        return True
    has_titles = current_language().catalogue is not None and isinstance(completion.title, Message)
    return has_titles and str(completion.title).lower().startswith(begun)


def only_keyword(game: Vocabulary, state: Any, text: str) -> str:
    """Return the only keyword that can follow a text that ends in a space; "" if another word could."""
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
    """Return the Open description of what can follow a text that ends in a space; None if completions list it all."""
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
            completion = Completion(action.verb(), detail=help_of(action))
            if fits(completion) and accepts(game, state, Draft(action)):
                yield completion
        return
    for action, ending in _endings(game, words):
        yield from _at(game, state, action, ending, fits)
        for further in _behind_card(game, state, action, ending):
            yield from _at(game, state, action, further, fits)


def _behind_card(
    game: Vocabulary, state: Any, action: type[Action], ending: LineContinuation
) -> Iterator[LineContinuation]:
    """Yield other optional keywords after a card, such as its level, if its deck list supplies all that the line lacks.

    Flags and payments are left out.
    """
    if ending.words or ending.keyed or not ending.argument.left_open:
        return
    draft = complete_draft(game, state, Draft(action, ending.given))
    if not draft.missing:
        for argument in grammar(action).keywords.values():
            if not (argument.on_card or argument.flag or argument.kind.many):
                yield LineContinuation(draft.given, argument, keyed=True)


def _endings(game: Vocabulary, words: Words) -> Iterator[tuple[type[Action], LineContinuation]]:
    """Yield the points at which an unfinished line may continue."""
    action = next((action for action in game.actions if action.verb() == words.keyword()), None)
    if action is not None:
        words.take(TEXT)
        yield from ((action, ending) for ending in grammar(action).endings(words))


def _at(
    game: Vocabulary, state: Any, action: type[Action], ending: LineContinuation, fits: Fits
) -> Iterator[Completion]:
    """Yield the completions at one ending of a line."""
    argument = ending.argument
    if ending.keyed:
        keyword = Completion(argument.keyword, detail=argument.words, leads=not argument.flag)
        if fits(keyword) and _has_a_place(game, state, Draft(action, ending.given), argument):
            yield keyword
    elif not isinstance(argument.kind, LineKind):
        yield from _values(game, state, _draft_at(action, ending), ending, fits)


def _values(game: Vocabulary, state: Any, draft: Draft, ending: LineContinuation, fits: Fits) -> Iterator[Completion]:
    """Yield the values of an argument as words; a list from its first item."""
    argument = ending.argument
    items = draft.given.get(argument.field)
    text = argument.kind.write(items) if items else " ".join(ending.words)
    begun = f"{text} " if text else ""

    def behind(value: Any, choice: Choice) -> Completion | None:
        """Return the part of a value after the words already typed; None for another value, or if it does not fit."""
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


def _draft_at(action: type[Action], ending: LineContinuation) -> Draft:
    """Return the draft at an ending, with the items of a list that were already typed."""
    argument, draft = ending.argument, Draft(action, ending.given)
    if argument.kind.many and ending.words:
        items = argument.kind.read(Words.of(" ".join(ending.words)), ())
        if isinstance(items, tuple) and items:
            return draft.having(argument.field, items)
    return draft


def _has_a_place(game: Vocabulary, state: Any, draft: Draft, argument: Argument) -> bool:
    """Return True if a keyword leads to something that the rules accept and that is not implied without it."""
    if argument.flag:
        return accepts(game, state, draft.having(argument.field, True))
    values = choices(game, state, draft, argument.field)
    if isinstance(values, Open) or len(values) != 1:
        return bool(values)
    return argument.required or not accepts(game, state, draft, unsaid=argument.field)
