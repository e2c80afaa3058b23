"""An action as far as it is known: what a question of the table carries, and what choices complete."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

import msgspec

from companion.games.action import Action
from companion.games.notation import Argument, grammar


class Draft(msgspec.Struct, frozen=True):
    """An action of which only some fields are `given`. `note` says in a few words what it leads to or costs.

    `asks` are fields that the line could do without, but that this answer is about (`refill minion REF`). `order` are
    the fields by which people choose first, where the line has them later: what is bought, before the card it goes on.
    """

    action: type[Action]
    given: Mapping[str, Any] = MappingProxyType({})
    note: str = ""
    asks: tuple[str, ...] = ()
    order: tuple[str, ...] = ()

    @property
    def line(self) -> str:
        """The line as far as it is known, in table notation: what follows behind a gap is not written yet."""
        written = grammar(self.action)
        gap = next((at for at, a in enumerate(written.positional) if a.required and a.field not in self.given), None)
        if gap is None:
            return written.write(self.given)
        before = {a.field for a in written.positional[:gap]}
        return written.write({field: value for field, value in self.given.items() if field in before})

    @property
    def missing(self) -> tuple[Argument, ...]:
        """The arguments that must still be said, in the order of the line."""
        asked = (self.argument(field) for field in self.asks if field not in self.given)
        return (*grammar(self.action).missing(self.given), *asked)

    @property
    def to_choose(self) -> tuple[Argument, ...]:
        """What is missing, in the order in which people choose it."""
        first = [argument for field in self.order for argument in self.missing if argument.field == field]
        return (*first, *(argument for argument in self.missing if argument not in first))

    @property
    def optional(self) -> tuple[Argument, ...]:
        """The arguments that nobody needs to say, and that were not said."""
        return tuple(a for a in grammar(self.action).arguments if not a.required and a.field not in self.given)

    @property
    def wants(self) -> str:
        """What must still be said, as its shapes in the usage: `CARD INSCRIPTION`; "" where `line` is complete."""
        return " ".join(argument.words for argument in self.missing)

    @property
    def shape(self) -> str:
        """The line with what it still wants: `buy ana CARD INSCRIPTION`."""
        return f"{self.line} {self.wants}".rstrip()

    def argument(self, field: str) -> Argument:
        """How the argument of a field stands in the line. Raises LookupError where the action has none such."""
        return next(argument for argument in grammar(self.action).arguments if argument.field == field)

    def having(self, field: str, value: Any) -> Draft:
        """The draft with one field more."""
        return msgspec.structs.replace(self, given={**self.given, field: value})

    def made(self) -> Action:
        """The action, once nothing is missing."""
        return self.action(**self.given)


def draft(action: type[Action], note: str = "", **given: Any) -> Draft:
    """`draft(Reveal, seat="ana")`"""
    return Draft(action, given, note)
