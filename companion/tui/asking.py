"""What typed words mean at a table: a whole line, or just the words that the prompts still want. Knows no widget."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from companion.games.action import Action, NotationError
from companion.games.lines import Add, Note, Set
from companion.games.notation import Notation
from companion.games.table import Prompt, TableView
from companion.session.session import Session
from companion.tui import choosing

_A_CARD = "2S"
_SHOWN = 12
_AMEND = re.compile(r"\s*amend\s+(\d+)\s+", re.IGNORECASE)
_CHANGE = re.compile(r"(\d)\s*([+−-])\s*(\d+)(?:\s+(\S.*))?")
_CHANGED = 4
"""Words of an `add` or a `set` at least."""


def due(view: TableView) -> tuple[Prompt, ...]:
    """The prompts that the step waits for, in order; where there are none, the offers."""
    return tuple(prompt for prompt in view.prompts if prompt.due) or view.prompts


def ways(prompt: Prompt) -> tuple[str, ...]:
    """Every line that answers a prompt, the suggested one first."""
    return tuple(answer.line for answer in prompt.answers)


def together(view: TableView) -> tuple[Prompt, ...]:
    """The prompts that one row of words can answer: each wants the same single word, of another seat."""
    asked = due(view)
    if not asked or not _is_one_word(asked[0].wants):
        return ()
    same = [p for p in asked if p.wants == asked[0].wants and _verb(p.line) == _verb(asked[0].line)]
    return tuple({prompt.seat: prompt for prompt in reversed(same)}.values())[::-1]


def takes_cards(view: TableView, notation: Notation) -> bool:
    """Whether a bare card answers what is asked first, so that a digit begins a card and chooses no seat."""
    return any(_reads(notation, f"{way} {_A_CARD}") for prompt in due(view)[:1] for way in ways(prompt))


def read(text: str, view: TableView, notation: Notation) -> tuple[Action, ...]:
    """The one intention that typed text stands for.

    A line of notation; or the words that the first prompts still want, one each; or an answer to the first prompt by
    the words that tell it from the others; or a change keyed in as text (`2-7`: seat 2 loses 7). Words behind a change
    say why it was made. Raises NotationError.
    """
    text = text.strip().removeprefix(":").strip()
    words = text.split()
    if not words:
        raise NotationError("There is nothing to enter yet.")
    asked = together(view)
    if rest := _behind_the_first(text, asked, notation):
        return _one_each(rest, asked, notation)
    if words[0].lower() in notation.verbs:
        return _line_with_reason(text, words, view, notation)
    if change := _CHANGE.fullmatch(text):
        number, sign, amount, reason = change.groups()
        return (_change(view, number, sign, amount), *_reason(reason))
    if asked and not _is_word_of_a_way(text, view):
        return _one_each(words, asked, notation)
    return (_answer(text, view, notation),)


def offers(view: TableView) -> Mapping[str, tuple[str, ...]]:
    """The names on the table by the kind of argument that they can stand for."""
    things = tuple(thing.target for thing in view.things())
    counters = dict.fromkeys(c.name for target in view.targets() for c in view.counters_of(target) or ())
    return {
        "SEAT": tuple(seat.seat for seat in view.seats),
        "TARGET": view.targets(),
        "HANDLE": tuple(target for target in things if " " not in target),
        "REF": tuple(target.removeprefix("minion ") for target in things if target.startswith("minion ")),
        "COUNTER": tuple(counters),
    }


def complete(text: str, session: Session, view: TableView) -> tuple[str, ...]:
    """What could stand where a text ends; behind `amend 12`, the line that stands there now, ready to be changed."""
    line = text.removeprefix(":")
    amended = _AMEND.fullmatch(line)
    if amended:
        return tuple(moment.text for moment in session.moments() if moment.number == int(amended[1]))
    return session.notation.complete(line, offers(view))


def explain(text: str, view: TableView, notation: Notation) -> str:
    """Help for what is being typed: how its line is written and what could come next."""
    words = text.strip().removeprefix(":").split()
    if not words:
        return ""
    verb = words[0].lower()
    if verb in notation.verbs and (len(words) > 1 or text[-1].isspace() or not _others_begin(verb, notation)):
        return f"{notation.usage(verb)}  ·  {notation.help(verb)}"
    found = notation.complete(text.lstrip().removeprefix(":").lstrip(), offers(view))
    return "   ".join(found[:_SHOWN])


def _change(view: TableView, number: str, sign: str, amount: str) -> Action:
    """The first counter of a numbered seat, changed: what the same keys do where digits choose seats."""
    choice = choosing.numbered(view, int(number))
    if choice == choosing.NOTHING:
        raise NotationError(f"There is no seat {number}; the seats are numbered clockwise from 1.")
    return Add(choice.target, choice.counter, int(amount) if sign == "+" else -int(amount))


def _line_with_reason(text: str, words: list[str], view: TableView, notation: Notation) -> tuple[Action, ...]:
    """A line, and the note that the words behind a change of a counter are."""
    if words[0].lower() in (Add.verb(), Set.verb()):
        # Neither takes more than its own words, so the shortest part that can be read is the change.
        for end in range(_CHANGED, len(words)):
            line = " ".join(words[:end])
            if _reads(notation, line):
                return (notation.parse(line), *_reason(" ".join(words[end:])))
    return (_line(text, words, view, notation),)


def _reason(text: str | None) -> tuple[Note, ...]:
    return (Note(text.strip('"')),) if text else ()


def _others_begin(verb: str, notation: Notation) -> bool:
    return sum(known.startswith(verb) for known in notation.verbs) > 1


def _line(text: str, words: list[str], view: TableView, notation: Notation) -> Action:
    """A whole line; whose it is, or the keyword before the last words, may be left to what is asked."""
    try:
        return notation.parse(text)
    except NotationError as error:
        asked = [prompt for prompt in due(view) if any(_verb(way) == words[0].lower() for way in ways(prompt))]
        offered = [prompt for prompt in view.prompts if _verb(prompt.line) == words[0].lower()]
        # Who is asked first answers first; of several offers none is meant more than another.
        for prompt in asked[:1] or (offered if len(offered) == 1 else ()):
            for line in _longer(words, prompt, notation):
                if _reads(notation, line):
                    return notation.parse(line)
        raise error


def _longer(words: list[str], prompt: Prompt, notation: Notation) -> Iterator[str]:
    """What a shortened line may stand for: `foil cy 2d 3d` for `foil ana cy pay 2d 3d`."""
    rest = words[1:]
    if rest and rest[0].lower() == prompt.seat:
        rest = rest[1:]
    for way in ways(prompt):
        verb, *given = way.split()
        told = given[1:]
        if verb.lower() == words[0].lower() and [word.lower() for word in rest[: len(told)]] == told:
            for keyword in ("", *notation.complete(f"{way} ", {})):
                yield " ".join(part for part in (way, keyword, *rest[len(told) :]) if part)


def _behind_the_first(text: str, asked: tuple[Prompt, ...], notation: Notation) -> list[str]:
    """The words for everybody, where Enter had put the first one's line into the bar: `reveal ana 9c 7c 8d`."""
    begun = f"{asked[0].line} " if asked else ""
    if not begun or not text.lower().startswith(begun) or _reads(notation, text):
        return []
    return text[len(begun) :].split()


def _one_each(words: list[str], asked: tuple[Prompt, ...], notation: Notation) -> tuple[Action, ...]:
    if len(words) > len(asked):
        names = ", ".join(prompt.seat for prompt in asked)
        raise NotationError(f"{len(words)} words answer {len(asked)} questions ({names}); leave out what is too many.")
    return tuple(notation.parse(f"{prompt.line} {word}") for prompt, word in zip(asked, words, strict=False))


def _answer(text: str, view: TableView, notation: Notation) -> Action:
    first = due(view)[:1]
    for prompt in first:
        for way in ways(prompt):
            if _is_short_for(text, way) and _reads(notation, way):
                return notation.parse(way)
        for way in ways(prompt):
            if _reads(notation, f"{way} {text}"):
                return notation.parse(f"{way} {text}")
    if first and first[0].wants:
        return notation.parse(f"{first[0].line} {text}")
    return notation.parse(text)


def _is_word_of_a_way(text: str, view: TableView) -> bool:
    return any(_is_short_for(text, way) for prompt in due(view)[:1] for way in ways(prompt))


def _is_short_for(text: str, way: str) -> bool:
    """Whether a word is the last one of a longer line, as `momentum` of `bonus momentum`."""
    return " " in way and way.rsplit(" ", 1)[1].lower() == text.lower()


def _is_one_word(wants: str) -> bool:
    return bool(wants) and " " not in wants and not wants.endswith("…")


def _verb(line: str) -> str:
    return line.split(" ", 1)[0].lower()


def _reads(notation: Notation, line: str) -> bool:
    try:
        notation.parse(line)
    except NotationError:
        return False
    return True
