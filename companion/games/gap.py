"""What a draft lacks first: which field is asked, what can fill it, and what the draft is then.

Shared by whatever leads people through a line field by field: completion of what is typed, the ceremony with its lists,
the talk in plain lines. Separate from them, as each only says it in its own way.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from companion.games.action import NotationError
from companion.games.choices import Choice, Open, Rules, accepts, choices
from companion.games.draft import Draft
from companion.games.kinds import Words
from companion.games.notation import Argument, Notation


class Gap(NamedTuple):
    """A field of a draft that is asked now, and what the rules accept in it at this table."""

    game: Rules
    state: Any
    draft: Draft
    argument: Argument
    found: tuple[Choice, ...] | Open

    @classmethod
    def of(cls, game: Rules, state: Any, draft: Draft, field: str = "") -> Gap:
        """The first that is missing, in the order in which people choose; or this field: a list may go on."""
        argument = draft.argument(field) if field else draft.to_choose[0]
        return cls(game, state, draft, argument, choices(game, state, draft, argument.field))

    @property
    def name(self) -> str:
        """What people read for the field."""
        return self.argument.field.replace("_", " ").strip()

    @property
    def listed(self) -> tuple[Choice, ...]:
        """The whole values that are known to fit."""
        return self.found.known if isinstance(self.found, Open) else self.found

    def word(self, choice: Choice) -> str:
        """How a line writes a whole value."""
        return str(self.argument.kind.write(choice.value))

    def filled(self, value: Any) -> Draft:
        """The draft with a whole value there."""
        return self.draft.having(self.argument.field, value)

    def items(self) -> Iterator[tuple[Choice, Draft, bool]]:
        """One item more of a list, each with the draft it makes, and whether the list may go on behind it.

        Once enough has been said, only what the rules accept so.
        """
        found = self.found
        if not isinstance(found, Open) or (found.most is not None and len(self.said) >= found.most):
            return
        last = found.most == len(self.said) + 1
        for choice in found.of:
            longer = self.filled((*self.said, choice.value))
            if not last or accepts(self.game, self.state, longer):
                yield choice, longer, not last

    @property
    def may_end(self) -> bool:
        """Whether a list has as many items as it must."""
        return isinstance(self.found, Open) and 0 < len(self.said) >= (self.found.least or 0)

    def read(self, text: str, notation: Notation) -> Draft:
        """The draft with what typed words say there. Raises NotationError where they do not fit."""
        words = Words.of(text, notation)
        value = self.argument.kind.read(words, ())
        if words:
            raise NotationError(f"“{text}” is more than was asked: {self.argument.words}.")
        return self.filled(value)

    @property
    def said(self) -> tuple[Any, ...]:
        return tuple(self.draft.given.get(self.argument.field, ()))
