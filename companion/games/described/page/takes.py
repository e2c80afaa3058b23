"""The parameters of a page's own line: `SEAT [N]`, `THING red|blue`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Final, Literal, NamedTuple, cast

from companion.tabletop.action import NotationError
from companion.tabletop.text import in_quotes
from templates.languages.messages import Message, phrase, phrase_in

TakenKind = Literal["SEAT", "N", "THING", "TEXT", "choice"]

TAKEN_WORD: Final = re.compile(r"(SEAT|THING|TEXT|CHOICE|N)([2-9]?)")
"""The word for a parameter."""
OWNER_WORD: Final = re.compile(r"OWNER([2-9]?)")
"""The word of a parsed condition for `owner of THING`, with the number of that THING."""

MOST: Final = 6
"""The maximum number of parameters; a longer line is not practical to type."""

_KINDS: Final = ("SEAT", "N", "THING", "TEXT")
_PARTS: Final = re.compile(r"[\[\]]|[^\s\[\]]+")
_CHOICE: Final = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")

# Translators: The messages from here on mean what players name for a line, within a text: “costs Gold: 2 × the number”.
_IN_TEXTS: Final[Mapping[str, tuple[Message, Message, Message]]] = {
    "N": (
        phrase_in("parameter", "the number"),
        phrase_in("parameter", "the second number"),
        phrase_in("parameter", "a further number"),
    ),
    "THING": (
        phrase_in("parameter", "the thing"),
        phrase_in("parameter", "the second thing"),
        phrase_in("parameter", "a further thing"),
    ),
    "SEAT": (
        phrase_in("parameter", "the player"),
        phrase_in("parameter", "the second player"),
        phrase_in("parameter", "a further player"),
    ),
    "TEXT": (
        phrase_in("parameter", "the text"),
        phrase_in("parameter", "the second text"),
        phrase_in("parameter", "a further text"),
    ),
    "CHOICE": (
        phrase_in("parameter", "the choice"),
        phrase_in("parameter", "the second choice"),
        phrase_in("parameter", "a further choice"),
    ),
    "OWNER": (
        phrase_in("parameter", "its owner"),
        phrase_in("parameter", "the owner of the second thing"),
        phrase_in("parameter", "the owner of a further thing"),
    ),
}
"""Parameters without a title as players read them: the first of a kind, the second, and any other."""


def describe_parameter(word: str) -> Message:
    """Return a parameter without a title as players read it within a text: `the number`, `the second thing`."""
    kind, number = word.rstrip("23456789"), word[-1:]
    first, second, further = _IN_TEXTS[kind]
    return second if number == "2" else further if number.isdecimal() else first


class Taken(NamedTuple):
    """A parameter of a line. `word` is its name in the page's lines: `SEAT2`, or `CHOICE`, `CHOICE2` for choices.

    `of` is the kind of a thing, if it is known.
    """

    word: str
    kind: TakenKind
    choices: tuple[str, ...] = ()
    optional: bool = False
    of: str = ""


@lru_cache(4096)
def parse_takes(text: str) -> tuple[Taken, ...]:
    """Parse the parameters of a line, in order. Raises NotationError, which explains the syntax."""
    taken: list[Taken] = []
    optional = False
    for part in _PARTS.findall(text):
        if part in "[]":
            if optional == (part == "["):
                raise _unmatched_brackets(text)
            optional = not optional
            continue
        word = _parse_parameter(part, optional, [each.word for each in taken], text)
        if taken and taken[-1].optional and not word.optional:
            raise NotationError(
                phrase(
                    "In {text}, something optional comes before {word}; put it last.",
                    text=in_quotes(text),
                    word=in_quotes(part),
                )
            )
        taken.append(word)
    if optional:
        raise _unmatched_brackets(text)
    if len(taken) > MOST:
        raise NotationError(phrase("A line takes at most {most} words, not {number}.", most=MOST, number=len(taken)))
    return tuple(taken)


def _unmatched_brackets(text: str) -> NotationError:
    return NotationError(
        phrase("The brackets of {text} do not match; write it as “SEAT [N]” or “THING red|blue”.", text=in_quotes(text))
    )


def _parse_parameter(part: str, optional: bool, before: list[str], text: str) -> Taken:
    if "|" in part:
        choices = tuple(part.lower().split("|"))
        if not all(map(_CHOICE.fullmatch, choices)) or len(set(choices)) < len(choices):
            raise NotationError(
                phrase(
                    "{word} is not a choice between different words; write it as “SEAT [N]” or “THING red|blue”.",
                    word=in_quotes(part),
                )
            )
        number = sum(word.startswith("CHOICE") for word in before) + 1
        return Taken("CHOICE" if number == 1 else f"CHOICE{number}", "choice", choices, optional)
    match = TAKEN_WORD.fullmatch(part.upper())
    if match is None or match[1] not in _KINDS:
        raise NotationError(
            phrase(
                "{word} in {text} is not something that a line takes; write SEAT, N, THING, TEXT, or "
                "words with | between them, such as red|blue.",
                word=in_quotes(part),
                text=in_quotes(text),
            )
        )
    word = match[0]
    number = sum(TAKEN_WORD.sub(r"\1", each) == match[1] for each in before) + 1
    expected = match[1] if number == 1 else f"{match[1]}{number}"
    if word != expected:
        raise NotationError(
            phrase(
                "{word} in {text} must be called {expected}; each has a word of its own.",
                word=in_quotes(part),
                text=in_quotes(text),
                expected=expected,
            )
        )
    return Taken(word, cast("TakenKind", match[1]), (), optional)


def normalize_owner(word: str) -> str:
    """Return the owner of a counter in lower case, but a parameter as it is: `me`, `SEAT`."""
    return word if TAKEN_WORD.fullmatch(word) else word.lower()


def normalize_word(word: str) -> str:
    """Return a word in lower case, except for a parameter, which may follow a counter: `damage-SEAT`."""
    head, dash, tail = word.rpartition("-")
    return f"{head.lower()}{dash}{tail}" if TAKEN_WORD.fullmatch(tail) else word.lower()
