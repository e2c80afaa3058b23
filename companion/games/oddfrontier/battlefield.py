"""The battlefield: what comes, is hurt, leaves; and who has won."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache

from companion.games.oddfrontier.actions import VOCABULARY, Banish, Damage, Destroy, PlayPermanent, Summon
from companion.games.oddfrontier.energy import check_own_play, from_hand, pay
from companion.games.oddfrontier.state import FrontierTable, Permanent, Player, Resolution
from companion.tabletop.action import RuleError
from companion.tabletop.common_actions import check_free, keywords_beside_handles
from companion.tabletop.constructed import batch
from companion.tabletop.constructed.table import count_copy
from companion.tabletop.text import figure


def summon(resolution: Resolution, action: Summon) -> None:
    """Play a Creature (R3.12)."""
    attack, defense = action.figures
    creature = Permanent(
        action.handle,
        action.seat,
        creature=True,
        attack=attack,
        defense=defense,
        first_assault=action.first_assault,
        came=resolution.state.turn,
    )
    figures = f" {attack}/{defense}{' with First Assault' if action.first_assault else ''}"
    _play(resolution, creature, action.cost, figures)


def permanent(resolution: Resolution, action: PlayPermanent) -> None:
    """Play an Artifact or a Phenomenon (R3.12)."""
    _play(resolution, Permanent(action.handle, action.seat, came=resolution.state.turn), action.cost or 0)


def _play(resolution: Resolution, played: Permanent, cost: int, figures: str = "") -> None:
    check_own_play(resolution.state, played.seat)
    enter(resolution, played)
    pay(resolution, played.seat, cost)
    player = from_hand(resolution, played.seat)
    resolution.tell(f"{player.name} plays {played.title}{figures}.", player.seat)
    count_copy(resolution, player.seat, played.handle)


def enter(resolution: Resolution, permanent: Permanent) -> None:
    """A permanent comes to the battlefield. Raises RuleError where it cannot be called so."""
    state = resolution.state
    check_free(permanent.handle, state.handles, [player.seat for player in state.players], reserved())
    resolution.change(permanents=(*state.permanents, permanent), handles=(*state.handles, permanent.handle))


@cache
def reserved() -> frozenset[str]:
    """Words that no permanent can be called by."""
    return keywords_beside_handles(VOCABULARY)


def damage(resolution: Resolution, action: Damage) -> None:
    """Damage Creatures; several at once are looked at together (R3.9)."""
    for handle, amount in ((action.handle, action.amount), *action.more):
        if any(player.seat == handle for player in resolution.state.players):
            raise RuleError(f"A player is wounded, not damaged (R3.12); write: wound {handle} {amount}.")
        hurt(resolution, resolution.state.creature(handle), (amount,))


def hurt(resolution: Resolution, creature: Permanent, amounts: Sequence[int]) -> None:
    """Add damage to what a Creature took this turn (R3.9); whether it dies is looked at once all is dealt."""
    total = creature.damage + sum(amounts)
    resolution.update_permanent(creature.handle, damage=total)
    before = (creature.damage,) if creature.damage else ()
    added = " + ".join(str(amount) for amount in (*before, *amounts))
    dealt = added if len(before) + len(amounts) == 1 else f"{added} = {total}"
    resolution.tell(f"{creature.title}: damage {dealt} of {creature.defense}.", creature.seat)


def bury_the_dead(resolution: Resolution) -> None:
    """Creatures with as much damage as defense die, all at once (R3.9)."""
    dead = [each for each in resolution.state.permanents if each.creature and each.damage >= each.defense]
    for creature in dead:
        _to_graveyard(resolution, creature)
        resolution.tell(
            f"{creature.title} dies: {creature.damage} damage, {figure(creature.defense)} defense (R3.9).",
            creature.seat,
            by_hand=True,
        )


def destroy(resolution: Resolution, action: Destroy) -> None:
    """A permanent goes to its owner's graveyard; within a batch at its end."""
    gone = resolution.state.permanent(action.handle)
    if not batch.dooms(resolution, gone.handle, gone.title):
        _destroy(resolution, gone)


def _destroy(resolution: Resolution, gone: Permanent) -> None:
    _to_graveyard(resolution, gone)
    where = "and, being a token, vanishes" if gone.token else "and goes to the graveyard"
    resolution.tell(f"{gone.title} is destroyed {where}.", gone.seat, by_hand=True)


def banish(resolution: Resolution, action: Banish) -> None:
    """A permanent goes face up into the banish zone (R3.12)."""
    gone = resolution.state.permanent(action.handle)
    remove(resolution, (gone,))
    owner = resolution.state.player(gone.seat)
    if not gone.token:
        resolution.update_player(owner.seat, banished=owner.banished + 1)
    how = "is banished and, being a token, vanishes" if gone.token else "is banished, face up"
    resolution.tell(f"{gone.title} {how}.", gone.seat, by_hand=True)


def _to_graveyard(resolution: Resolution, gone: Permanent) -> None:
    """Where a card goes that leaves; a token vanishes."""
    remove(resolution, (gone,))
    owner = resolution.state.player(gone.seat)
    if not gone.token:
        resolution.update_player(owner.seat, graveyard=owner.graveyard + 1)


def remove(resolution: Resolution, gone: Iterable[Permanent]) -> None:
    """Take permanents off the battlefield. An attacker stays blocked without its blocker (A3.3)."""
    handles = {permanent.handle for permanent in gone}
    resolution.change(permanents=tuple(each for each in resolution.state.permanents if each.handle not in handles))


def settle(resolution: Resolution) -> None:
    """Destroy what a batch doomed, and bury dead creatures; let leave who has lost, and come back whose life was put
    right by hand; find the outcome.
    """
    doomed = batch.release(resolution)
    for gone in [each for each in resolution.state.permanents if each.handle in doomed]:
        _destroy(resolution, gone)
    bury_the_dead(resolution)
    changed = [player for player in resolution.state.players if player.out != player.left]
    for player in changed:
        if player.out:
            _leave(resolution, player)
        else:
            resolution.update_player(player.seat, left=False)
            resolution.tell(f"{player.name} is in the game again.")
    if changed:
        _find_outcome(resolution)


def _leave(resolution: Resolution, player: Player) -> None:
    """Who is out takes along what they had on the battlefield and on the queue."""
    state = resolution.state
    remove(resolution, (permanent for permanent in state.permanents if permanent.seat == player.seat))
    resolution.change(queue=tuple(queued for queued in state.queue if queued.seat != player.seat))
    resolution.update_player(player.seat, left=True, engines=0, cranked=0, energy=0)
    resolution.tell(f"{player.name} has lost and leaves the game (R3.1).")


def _find_outcome(resolution: Resolution) -> None:
    """The last one left has won; where nobody is left, those who lost last lost together: a draw (A3.10)."""
    outcome = outcome_of(resolution.state)
    resolution.change(outcome=outcome)
    if outcome == "draw":
        resolution.tell("Nobody is left: the game is a draw (A3.10).")
    elif outcome:
        resolution.tell(f"{resolution.state.player(outcome).name} has won.")


def outcome_of(state: FrontierTable) -> str | None:
    """The winner's seat, `draw`, or None while two or more are still in the game."""
    standing = state.standing()
    if len(standing) > 1:
        return None
    return standing[0].seat if standing else "draw"
