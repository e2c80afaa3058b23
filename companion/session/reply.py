"""What a sitting answers to whatever somebody wants done: it is done, asked about, refused, or somebody was first."""

from __future__ import annotations

import msgspec

from companion.archive.errors import Look
from companion.games.action import Tell
from companion.session.questions import Confirmation


class Kept(msgspec.Struct, frozen=True):
    """It is done and kept; `sentence` tells what happened, in one go."""

    tells: tuple[Tell, ...]
    sentence: str


class Asked(msgspec.Struct, frozen=True):
    """Nothing is done yet: the same once more, or `confirm`, does it; anything else lets it be."""

    question: Confirmation

    @property
    def sentence(self) -> str:
        """The question in words."""
        return self.question.text


class Rejected(msgspec.Struct, frozen=True):
    """Nothing is done; `sentence` says why, and the way out; that may begin at what there is to `look` at."""

    sentence: str
    look: Look | None = None


class Reloaded(msgspec.Struct, frozen=True):
    """Nothing is done, as somebody else was first; the sitting now shows the table as they left it."""

    sentence: str


Reply = Kept | Asked | Rejected | Reloaded
