"""A match's facts as its decks' records keep them: how everybody's life went, and what hurt most."""

from __future__ import annotations

import msgspec

from companion.tabletop.evening import Evening


class LifeAfter(msgspec.Struct, frozen=True, array_like=True):
    """What was left to everybody after a turn, in the order of the participants."""

    turn: int
    life: tuple[int, ...]


class BestAttack(msgspec.Struct, frozen=True, omit_defaults=True):
    """What hurt somebody most at once: in which turn, whose it was ("" of nobody), and with what, as far as known."""

    target: str
    damage: int
    turn: int
    seat: str = ""
    attackers: tuple[str, ...] = ()


class LeadChange(msgspec.Struct, frozen=True, omit_defaults=True):
    """From the turn on, somebody had more life left than all others; `before` is who had so far."""

    seat: str
    turn: int
    before: str = ""


class LowestLife(msgspec.Struct, frozen=True, omit_defaults=True):
    """The least that was left to somebody who did not lose, and in which turn."""

    seat: str
    life: int
    turn: int


class Duel(Evening, frozen=True, omit_defaults=True):
    """A whole match: what was left to everybody turn by turn, so that its last entry says how it ended."""

    course: tuple[LifeAfter, ...] = ()
    best_attack: BestAttack | None = None
    lead_changes: tuple[LeadChange, ...] = ()
    narrowest: LowestLife | None = None

    @property
    def turns(self) -> int:
        """How many turns were begun."""
        return self.course[-1].turn if self.course else 0

    @property
    def final(self) -> dict[str, int]:
        """What was left to each at the end, by their seats."""
        life = self.course[-1].life if self.course else ()
        return dict(zip((each.seat for each in self.participants), life, strict=False))
