"""Damage and healing of creatures and players: Armor, Poison, Regenerate, and the lines by which cards do it."""

from __future__ import annotations

from typing import NamedTuple

from companion.games.solforge import actions as do
from companion.games.solforge.state import Bearer, Player, Resolution, armor_left


class Blow(NamedTuple):
    """Damage on its way: what Armor prevents of it, and what arrives (R4.14)."""

    amount: int
    prevented: int

    @property
    def dealt(self) -> int:
        """What arrives."""
        return self.amount - self.prevented

    @property
    def sum(self) -> str:
        """`5 − 2 Armor = 3`"""
        return f"{self.amount} − {self.prevented} Armor = {self.dealt}" if self.prevented else str(self.amount)


def hurt(resolution: Resolution, bearer: Bearer, amount: int, by: str) -> Blow:
    """Damage a creature or a player; whether it dies is seen at the end of the batch (R4.22)."""
    blow = Blow(amount, min(amount, armor_left(bearer)))
    absorbed = bearer.absorbed + blow.prevented
    after = _with_health(resolution, bearer, bearer.health - blow.dealt, absorbed=absorbed)
    resolution.tell(f"{by} {blow.sum}: {bearer.title} {bearer.health} → {after.health}.", bearer.owner)
    return blow


def mend(resolution: Resolution, bearer: Bearer, amount: int, by: str) -> None:
    """Heal a creature up to its maximum, a player up to the health at the start (R4.19, A4.13)."""
    most = resolution.state.house.start_health if isinstance(bearer, Player) else bearer.max
    after = _with_health(resolution, bearer, max(bearer.health, min(bearer.health + amount, most)))
    resolution.tell(f"{by} {amount}: {bearer.title} {bearer.health} → {after.health}.", bearer.owner)


def _with_health(resolution: Resolution, bearer: Bearer, health: int, **fields: int) -> Bearer:
    """A player's health is a figure; a creature's is what damage leaves of its maximum."""
    if isinstance(bearer, Player):
        return resolution.update(bearer, health=health, **fields)
    return resolution.update(bearer, damage=bearer.max - health, **fields)


def poison_and_regenerate(resolution: Resolution) -> None:
    """First all Poison, then all Regenerate, on both sides; death is seen after both (R4.18, A4.11)."""
    for word, act in (("poison", hurt), ("regenerate", mend)):
        for bearer in resolution.state.bearers:
            if amount := bearer.keywords.get(word, 0):
                act(resolution, bearer, amount, word.title())


def damage(resolution: Resolution, action: do.Damage) -> None:
    """A card deals damage."""
    hurt(resolution, resolution.state.bearer(action.target), action.amount, "Damage")


def heal(resolution: Resolution, action: do.Heal) -> None:
    """A card heals."""
    mend(resolution, resolution.state.bearer(action.target), action.amount, "Healed")
