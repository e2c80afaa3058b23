"""Combat: attackers, blockers, split damage, First Assault, then normal damage (R3.7, R3.8)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from companion.games.oddfrontier.rules.actions import Attack, Block, Fight, Split
from companion.games.oddfrontier.rules.battlefield import damage_creature, settle_battlefield
from companion.games.oddfrontier.rules.setup import wound_all
from companion.games.oddfrontier.rules.state import FrontierTable, Permanent, Resolution
from companion.tabletop.action import RuleError
from companion.tabletop.notation.arguments import Portion


def attack(resolution: Resolution, action: Attack) -> None:
    """Declare an attacker with the player it attacks; attacking cranks (R3.7)."""
    state = resolution.state
    creature = state.creature(action.handle)
    _check_attacker(state, creature)
    target = state.playing(action.seat)
    if target.seat == creature.seat:
        raise RuleError("A creature attacks another player than its own (R3.7).")
    resolution.update_permanent(creature.handle, attacks=target.seat, cranked=True)
    resolution.tell(f"{creature.title} attacks {target.name} and is cranked.", creature.seat)


def _check_attacker(state: FrontierTable, creature: Permanent) -> None:
    """Raise RuleError unless a permanent may attack now."""
    if state.first_turn:
        raise RuleError("Nobody attacks in the first player's first turn (R3.4).")
    _check_queue(state)
    if state.combat != "attackers":
        raise RuleError("All attackers are declared before blockers, and once in a turn (R3.7).")
    if creature.seat != state.active:
        raise RuleError(f"{creature.title} is not the turn player's; only {state.active}'s creatures attack (R3.7).")
    if creature.attacks:
        raise RuleError(f"{creature.title} is attacking already (R3.7).")
    if creature.cranked:
        raise RuleError(f"{creature.title} is cranked and cannot attack (R3.7).")
    if state.house.summoning_sickness and creature.came == state.turn:
        raise RuleError(f"{creature.title} came in this turn and waits (house rule summoning-sickness, A3.1).")


def may_attack(state: FrontierTable, creature: Permanent) -> bool:
    """Return True if a permanent is a Creature that may attack now."""
    try:
        _check_attacker(state, creature)
    except RuleError:
        return False
    return creature.creature


def may_block(state: FrontierTable, creature: Permanent) -> bool:
    """Return True if a permanent is a Creature that may block one of `blockable_attackers` now."""
    return creature.creature and state.combat != "fought" and not (creature.cranked or creature.blocks)


def blockable_attackers(state: FrontierTable, seat: str) -> tuple[Permanent, ...]:
    """Return the attackers that a player's Creatures may block: those of any opponent.

    With the house rule `blockers attacked`, only those that attack this player (A3.15).
    """
    return tuple(attacker for attacker in state.attackers() if _is_blockable(state, attacker, seat))


def _is_blockable(state: FrontierTable, attacker: Permanent, seat: str) -> bool:
    return seat != attacker.seat if state.house.blockers == "any" else seat == attacker.attacks


def _check_queue(state: FrontierTable) -> None:
    if state.queue:
        raise RuleError("The queue is not empty; `resolve` takes what came last (R3.11).")


def _find_attacker(state: FrontierTable, handle: str) -> Permanent:
    """Return an attacker in a combat that has not been fought. Raises RuleError."""
    if state.combat == "fought":
        raise RuleError("This combat is fought; there is one in a turn (R3.3).")
    creature = state.creature(handle)
    if not creature.attacks:
        raise RuleError(f"{creature.title} does not attack (R3.7).")
    return creature


def block(resolution: Resolution, action: Block) -> None:
    """Declare a blocker of an opponent of the attacker; blocking does not crank (R3.7, A3.15)."""
    state = resolution.state
    attacker = _find_attacker(state, action.attacker)
    blocker = state.creature(action.handle)
    _check_queue(state)
    if not _is_blockable(state, attacker, blocker.seat):
        if blocker.seat == attacker.seat:
            raise RuleError(f"{blocker.title} is on the attacker's side; an opponent's creature blocks (R3.7, A3.15).")
        attacked = state.player(attacker.attacks).name
        raise RuleError(
            f"{attacker.title} attacks {attacked}; only {attacked}'s creatures block it (house rule blockers, A3.15)."
        )
    if blocker.cranked:
        raise RuleError(f"{blocker.title} is cranked; only uncranked creatures block (R3.7).")
    if blocker.blocks:
        raise RuleError(f"{blocker.title} is blocking already; a creature blocks one attacker (R3.7).")
    resolution.change(combat="blockers")
    resolution.update_permanent(blocker.handle, blocks=attacker.handle)
    # An earlier split does not include this blocker.
    resolution.update_permanent(attacker.handle, blocked=True, shares=())
    resolution.tell(f"{blocker.title} blocks {attacker.title}.", blocker.seat)


def split(resolution: Resolution, action: Split) -> None:
    """Split an attack freely among the blockers, in whole numbers that add up to it (R3.8, A3.11)."""
    state = resolution.state
    attacker = _find_attacker(state, action.handle)
    blocking = {blocker.handle for blocker in state.blockers(attacker.handle)}
    named = [handle for handle, _ in action.shares]
    for handle in named:
        if handle not in blocking or named.count(handle) > 1:
            raise RuleError(f"Each blocker of {attacker.title} is named at most once, and “{handle}” is not so (R3.8).")
    lost = tuple(share for share in attacker.shares if share[0] not in blocking)
    left = _remaining_damage(attacker, lost)
    if _total_damage(action.shares) != left:
        gone = f" less {_total_damage(lost)} on blockers that have left" if lost else ""
        raise RuleError(
            f"{attacker.title} has {attacker.strength} attack{gone}: the shares must add up to {left} (R3.8)."
        )
    resolution.update_permanent(attacker.handle, shares=(*lost, *action.shares))
    shares = " + ".join(f"{share} to {state.permanent(handle).title}" for handle, share in action.shares)
    resolution.tell(f"{attacker.title} splits {left}: {shares}.", attacker.seat)


def _total_damage(shares: Iterable[Portion]) -> int:
    return sum(share for _, share in shares)


def _remaining_damage(attacker: Permanent, lost: Iterable[Portion]) -> int:
    """Return an attacker's damage for the blockers that are still there; the share of one that has left is lost."""
    return max(0, attacker.strength - _total_damage(lost))


def open_splits(state: FrontierTable) -> Iterator[tuple[Permanent, int]]:
    """Yield attackers with blockers that are still there, and the damage to split among these."""
    for attacker in state.attackers():
        blocking = {blocker.handle for blocker in state.blockers(attacker.handle)}
        if blocking:
            yield (
                attacker,
                _remaining_damage(attacker, (share for share in attacker.shares if share[0] not in blocking)),
            )


def to_split(state: FrontierTable) -> Iterator[tuple[Permanent, int]]:
    """Yield attackers whose damage must be split before the fight (R3.8): among several, or again after a change."""
    for attacker, left in open_splits(state):
        blocking = {blocker.handle for blocker in state.blockers(attacker.handle)}
        shared = _total_damage(share for share in attacker.shares if share[0] in blocking)
        if shared != left if attacker.shares else len(blocking) > 1:
            yield attacker, left


def fight(resolution: Resolution, action: Fight) -> None:  # noqa: ARG001 – it has no fields
    """Deal First Assault damage, then that of the survivors (R3.8, A3.5)."""
    state = resolution.state
    if not state.attackers():
        why = "this combat is fought" if state.combat == "fought" else "nobody attacks"
        raise RuleError(f"There is nothing to fight: {why} (R3.8); `next` goes on.")
    _check_queue(state)
    for attacker, left in to_split(state):
        raise RuleError(
            f"{attacker.title} has {left} damage to split among its blockers (R3.8); "
            f"`split {attacker.handle} among …` says what each takes."
        )
    for first_assault in (True, False):
        _deal_step(resolution, first_assault)
        settle_battlefield(resolution)
    call_off(resolution)
    resolution.change(combat="fought")


def _deal_step(resolution: Resolution, first_assault: bool) -> None:
    """Deal the damage of one step, all of it at once (R3.8)."""
    state = resolution.state
    wounds: dict[str, list[int]] = {}
    hits: dict[str, list[int]] = {}
    for attacker in state.attackers():
        blockers = state.blockers(attacker.handle)
        if attacker.first_assault == first_assault:
            if not attacker.blocked:
                wounds.setdefault(attacker.attacks, []).append(attacker.strength)
            for blocker, share in _damage_shares(attacker, blockers):
                hits.setdefault(blocker, []).append(share)
        for each in blockers:
            if each.first_assault == first_assault:
                hits.setdefault(attacker.handle, []).append(each.strength)
    for handle, amounts in hits.items():
        damage_creature(resolution, resolution.state.permanent(handle), amounts)
    wound_all(resolution, {seat: sums for seat, sums in wounds.items() if not state.player(seat).out})


def _damage_shares(attacker: Permanent, blockers: tuple[Permanent, ...]) -> Iterator[tuple[str, int]]:
    """Yield the damage to each blocker that is still there; the share of one that has left is lost."""
    shares = dict(attacker.shares)
    for blocker in blockers:
        yield blocker.handle, shares.get(blocker.handle, 0) if shares else attacker.strength


def call_off(resolution: Resolution) -> None:
    """End all attacks and blocks."""
    if resolution.state.attackers() or any(each.blocks for each in resolution.state.permanents):
        resolution.every_permanent(attacks="", blocked=False, shares=(), blocks="")
