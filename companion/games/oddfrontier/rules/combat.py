"""Combat: attackers, blockers, split damage, First Assault, then normal damage (R3.7, R3.8)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from companion.games.oddfrontier.rules.actions import Attack, Block, Fight, Split
from companion.games.oddfrontier.rules.battlefield import damage_creature, settle_battlefield
from companion.games.oddfrontier.rules.setup import wound_all
from companion.games.oddfrontier.rules.state import FrontierTable, Permanent, Resolution
from companion.tabletop.action import RuleError
from companion.tabletop.notation.arguments import Portion
from templates.languages.messages import Message, joined, phrase


def attack(resolution: Resolution, action: Attack) -> None:
    """Declare an attacker with the player it attacks; attacking cranks (R3.7)."""
    state = resolution.state
    creature = state.creature(action.handle)
    _check_attacker(state, creature)
    target = state.playing(action.seat)
    if target.seat == creature.seat:
        raise RuleError(phrase("A creature cannot attack its own player (R3.7)."))
    resolution.update_permanent(creature.handle, attacks=target.seat, cranked=True)
    text = phrase("{creature} attacks {player} and is cranked.", creature=creature.title, player=target.name)
    resolution.tell(text, creature.seat)


def _check_attacker(state: FrontierTable, creature: Permanent) -> None:
    """Raise RuleError unless a permanent may attack now."""
    if state.first_turn:
        raise RuleError(phrase("Nobody attacks in the first player's first turn (R3.4)."))
    _check_queue(state)
    if state.combat != "attackers":
        raise RuleError(phrase("All attackers are declared before any blockers, and only once a turn (R3.7)."))
    if creature.seat != state.active:
        raise RuleError(
            phrase(
                "{creature} does not belong to the turn player; only {seat}'s creatures attack (R3.7).",
                creature=creature.title,
                seat=state.active,
            )
        )
    if creature.attacks:
        raise RuleError(phrase("{creature} is already attacking (R3.7).", creature=creature.title))
    if creature.cranked:
        raise RuleError(phrase("{creature} is cranked and cannot attack (R3.7).", creature=creature.title))
    if state.house.summoning_sickness and creature.came == state.turn:
        raise RuleError(
            phrase(
                "{creature} came into play this turn and cannot attack yet (house rule summoning-sickness, A3.1).",
                creature=creature.title,
            )
        )


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
        raise RuleError(phrase("The queue is not empty; `resolve` resolves what came last (R3.11)."))


def _find_attacker(state: FrontierTable, handle: str) -> Permanent:
    """Return an attacker in a combat that has not been fought. Raises RuleError."""
    if state.combat == "fought":
        raise RuleError(phrase("This combat is over; there is only one a turn (R3.3)."))
    creature = state.creature(handle)
    if not creature.attacks:
        raise RuleError(phrase("{creature} is not attacking (R3.7).", creature=creature.title))
    return creature


def block(resolution: Resolution, action: Block) -> None:
    """Declare a blocker of an opponent of the attacker; blocking does not crank (R3.7, A3.15)."""
    state = resolution.state
    attacker = _find_attacker(state, action.attacker)
    blocker = state.creature(action.handle)
    _check_queue(state)
    if not _is_blockable(state, attacker, blocker.seat):
        if blocker.seat == attacker.seat:
            raise RuleError(
                phrase(
                    "{creature} is on the attacker's side; only an opponent's creature can block (R3.7, A3.15).",
                    creature=blocker.title,
                )
            )
        raise RuleError(
            phrase(
                "{attacker} attacks {player}; only {player}'s creatures can block it (house rule blockers, A3.15).",
                attacker=attacker.title,
                player=state.player(attacker.attacks).name,
            )
        )
    if blocker.cranked:
        raise RuleError(phrase("{creature} is cranked; only uncranked creatures block (R3.7).", creature=blocker.title))
    if blocker.blocks:
        raise RuleError(
            phrase(
                "{creature} is already blocking; a creature blocks only one attacker (R3.7).", creature=blocker.title
            )
        )
    resolution.change(combat="blockers")
    resolution.update_permanent(blocker.handle, blocks=attacker.handle)
    # An earlier split does not include this blocker.
    resolution.update_permanent(attacker.handle, blocked=True, shares=())
    text = phrase("{creature} blocks {attacker}.", creature=blocker.title, attacker=attacker.title)
    resolution.tell(text, blocker.seat)


def split(resolution: Resolution, action: Split) -> None:
    """Split an attack freely among the blockers, in whole numbers that add up to it (R3.8, A3.11)."""
    state = resolution.state
    attacker = _find_attacker(state, action.handle)
    blocking = {blocker.handle for blocker in state.blockers(attacker.handle)}
    named = [handle for handle, _ in action.shares]
    for handle in named:
        if handle not in blocking:
            raise RuleError(
                phrase("“{handle}” does not block {attacker} (R3.8).", handle=handle, attacker=attacker.title)
            )
        if named.count(handle) > 1:
            raise RuleError(
                phrase(
                    "“{handle}” is named twice; name each blocker of {attacker} at most once (R3.8).",
                    handle=handle,
                    attacker=attacker.title,
                )
            )
    lost = tuple(share for share in attacker.shares if share[0] not in blocking)
    left = _remaining_damage(attacker, lost)
    if _total_damage(action.shares) != left:
        raise RuleError(_wrong_sum(attacker, lost, left))
    resolution.update_permanent(attacker.handle, shares=(*lost, *action.shares))
    shares = (
        # Translators: one share of an attacker's damage: “Wolf splits 6: 2 to Cat + 4 to Owl.”
        phrase("{damage} to {creature}", damage=share, creature=state.permanent(handle).title)
        for handle, share in action.shares
    )
    text = phrase(
        "{attacker} splits {damage}: {shares}.", attacker=attacker.title, damage=left, shares=joined(" + ", shares)
    )
    resolution.tell(text, attacker.seat)


def _wrong_sum(attacker: Permanent, lost: Sequence[Portion], left: int) -> Message:
    """Return the error for shares that do not add up to the damage that is left."""
    if lost:
        return phrase(
            "{attacker} has {attack} attack, of which {lost} is lost on blockers that have left: "
            "the shares must add up to {left} (R3.8).",
            attacker=attacker.title,
            attack=attacker.strength,
            lost=_total_damage(lost),
            left=left,
        )
    return phrase(
        "{attacker} has {attack} attack: the shares must add up to {left} (R3.8).",
        attacker=attacker.title,
        attack=attacker.strength,
        left=left,
    )


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
        if state.combat == "fought":
            raise RuleError(phrase("There is nothing to fight: this combat is over (R3.8); `next` goes on."))
        raise RuleError(phrase("There is nothing to fight: nobody attacks (R3.8); `next` goes on."))
    _check_queue(state)
    for attacker, left in to_split(state):
        raise RuleError(
            phrase(
                "{attacker} has {damage} damage to split among its blockers (R3.8); `{command}` says what each takes.",
                attacker=attacker.title,
                damage=left,
                command=f"split {attacker.handle} among …",
            )
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
