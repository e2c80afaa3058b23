"""What an evening shows about a game's rules: questions for the table, figures, and symptoms with the book's remedy."""

from __future__ import annotations

from typing import Any, NamedTuple

import msgspec

from companion.games.action import Action


class PlayedAction(NamedTuple):
    """One action that counts, with the table before and after it."""

    before: Any
    action: Action
    after: Any


class Question(msgspec.Struct, frozen=True):
    """A question about the evening. `answer` is yes, no, or "" where nobody has answered and the log cannot.

    `evidence` is what the log says to it, `note` what people said.
    """

    key: str
    text: str
    answer: str = ""
    evidence: tuple[str, ...] = ()
    note: str = ""


class Symptom(msgspec.Struct, frozen=True):
    """Something that did not work, the evidence of the log, and the lever that the rulebook proposes."""

    text: str
    evidence: str
    lever: str


class Review(msgspec.Struct, frozen=True):
    """A whole evening. `headings` and `rows` are a table of its fights (or what a game counts instead)."""

    questions: tuple[Question, ...] = ()
    symptoms: tuple[Symptom, ...] = ()
    headings: tuple[str, ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()
