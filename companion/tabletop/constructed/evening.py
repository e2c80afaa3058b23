"""The facts of a match in its decks' records: the life of all players over time, and the biggest attack."""

from __future__ import annotations

import msgspec

from companion.tabletop.evening import Evening


class LifeAfter(msgspec.Struct, frozen=True, array_like=True):
    """The life of all players after a turn, in the order of the participants."""

    turn: int
    life: tuple[int, ...]


class BestAttack(msgspec.Struct, frozen=True, omit_defaults=True):
    """The biggest loss at once: its turn, its author ("" for none), and the attackers, as far as known."""

    target: str
    damage: int
    turn: int
    seat: str = ""
    attackers: tuple[str, ...] = ()


class LeadChange(msgspec.Struct, frozen=True, omit_defaults=True):
    """A change of the leader: from this turn on, `seat` had more life than all others; `before` led until then."""

    seat: str
    turn: int
    before: str = ""


class LowestLife(msgspec.Struct, frozen=True, omit_defaults=True):
    """The lowest life of a player who did not lose, and its turn."""

    seat: str
    life: int
    turn: int


class Duel(Evening, frozen=True, omit_defaults=True):
    """A whole match: the life of all players turn by turn; the last entry is the final one."""

    course: tuple[LifeAfter, ...] = ()
    best_attack: BestAttack | None = None
    lead_changes: tuple[LeadChange, ...] = ()
    narrowest: LowestLife | None = None

    @property
    def turns(self) -> int:
        """The number of turns that began."""
        return self.course[-1].turn if self.course else 0

    @property
    def final(self) -> dict[str, int]:
        """The final life of each player, by seat."""
        life = self.course[-1].life if self.course else ()
        return dict(zip((each.seat for each in self.participants), life, strict=False))
