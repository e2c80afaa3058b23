"""The battlefield: permanents that enter, take damage and leave, and the outcome of the game."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache

from companion.games.oddfrontier.rules.actions import VOCABULARY, Banish, Damage, Destroy, PlayPermanent, Summon
from companion.games.oddfrontier.rules.energy import check_own_play, from_hand, pay
from companion.games.oddfrontier.rules.state import FrontierPlayer, FrontierTable, Permanent, Resolution
from companion.tabletop.action import RuleError
from companion.tabletop.constructed import batch
from companion.tabletop.constructed.table import count_copy
from companion.tabletop.table.common_actions import check_free, keywords_beside_handles
from templates.languages.messages import Message, joined, phrase


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
    figures, name = f"{attack}/{defense}", resolution.state.playing(action.seat).name
    if action.first_assault:
        text = phrase(
            "{player} plays {creature} {figures} with First Assault.",
            player=name,
            creature=creature.title,
            figures=figures,
        )
    else:
        text = phrase("{player} plays {creature} {figures}.", player=name, creature=creature.title, figures=figures)
    _play(resolution, creature, action.cost, text)


def permanent(resolution: Resolution, action: PlayPermanent) -> None:
    """Play an Artifact or a Phenomenon (R3.12)."""
    played = Permanent(action.handle, action.seat, came=resolution.state.turn)
    name = resolution.state.playing(action.seat).name
    text = phrase("{player} plays {permanent}.", player=name, permanent=played.title)
    _play(resolution, played, action.cost or 0, text)


def _play(resolution: Resolution, played: Permanent, cost: int, text: Message) -> None:
    check_own_play(resolution.state, played.seat)
    enter(resolution, played)
    pay(resolution, played.seat, cost)
    player = from_hand(resolution, played.seat)
    resolution.tell(text, player.seat)
    count_copy(resolution, player.seat, played.handle)


def enter(resolution: Resolution, permanent: Permanent) -> None:
    """Put a permanent on the battlefield. Raises RuleError if its handle is taken or reserved."""
    state = resolution.state
    check_free(permanent.handle, state.handles, [player.seat for player in state.players], reserved_words())
    resolution.change(permanents=(*state.permanents, permanent), handles=(*state.handles, permanent.handle))


@cache
def reserved_words() -> frozenset[str]:
    """Return the words that cannot be handles of permanents."""
    return keywords_beside_handles(VOCABULARY)


def damage(resolution: Resolution, action: Damage) -> None:
    """Damage Creatures; deaths are checked once all of them are damaged (R3.9)."""
    for handle, amount in ((action.handle, action.amount), *action.more):
        if resolution.state.is_seat(handle):
            raise RuleError(
                phrase(
                    "A player is wounded, not damaged (R3.12); write: {command}.", command=f"wound {handle} {amount}"
                )
            )
        damage_creature(resolution, resolution.state.creature(handle), (amount,))


def damage_creature(resolution: Resolution, creature: Permanent, amounts: Sequence[int]) -> None:
    """Add damage to a Creature's damage of this turn (R3.9). Deaths are checked once all damage is dealt."""
    total = creature.damage + sum(amounts)
    resolution.update_permanent(creature.handle, damage=total)
    parts = ((creature.damage,) if creature.damage else ()) + tuple(amounts)
    dealt = joined(" + ", parts)
    text = phrase(
        "{creature}: damage {damage} of {defense}.",
        creature=creature.title,
        damage=dealt if len(parts) == 1 else joined(" = ", (dealt, total)),
        defense=creature.defense,
    )
    resolution.tell(text, creature.seat)


def bury_the_dead(resolution: Resolution) -> None:
    """Bury Creatures with as much damage as defense, all at once (R3.9)."""
    dead = [each for each in resolution.state.permanents if each.creature and each.damage >= each.defense]
    for creature in dead:
        _to_graveyard(resolution, creature)
        text = phrase(
            "{creature} dies: {damage} damage, {defense} defense (R3.9).",
            creature=creature.title,
            damage=creature.damage,
            defense=creature.defense,
        )
        resolution.tell(text, creature.seat, by_hand=True)


def destroy(resolution: Resolution, action: Destroy) -> None:
    """Put a permanent into its owner's graveyard; in a batch, at its end."""
    gone = resolution.state.permanent(action.handle)
    if not batch.dooms(resolution, gone.handle, gone.title):
        _destroy(resolution, gone)


def _destroy(resolution: Resolution, gone: Permanent) -> None:
    _to_graveyard(resolution, gone)
    if gone.token:
        text = phrase("{permanent} is destroyed and, being a token, vanishes.", permanent=gone.title)
    else:
        text = phrase("{permanent} is destroyed and goes to the graveyard.", permanent=gone.title)
    resolution.tell(text, gone.seat, by_hand=True)


def banish(resolution: Resolution, action: Banish) -> None:
    """Put a permanent face up into the banish zone (R3.12)."""
    gone = resolution.state.permanent(action.handle)
    remove(resolution, (gone,))
    owner = resolution.state.player(gone.seat)
    if gone.token:
        text = phrase("{permanent} is banished and, being a token, vanishes.", permanent=gone.title)
    else:
        resolution.update_player(owner.seat, banished=owner.banished + 1)
        text = phrase("{permanent} is banished, face up.", permanent=gone.title)
    resolution.tell(text, gone.seat, by_hand=True)


def _to_graveyard(resolution: Resolution, gone: Permanent) -> None:
    """Put a permanent into its owner's graveyard; a token vanishes."""
    remove(resolution, (gone,))
    owner = resolution.state.player(gone.seat)
    if not gone.token:
        resolution.update_player(owner.seat, graveyard=owner.graveyard + 1)


def remove(resolution: Resolution, gone: Iterable[Permanent]) -> None:
    """Take permanents off the battlefield. An attacker stays blocked without its blocker (A3.3)."""
    handles = {permanent.handle for permanent in gone}
    resolution.change(permanents=tuple(each for each in resolution.state.permanents if each.handle not in handles))


def settle_battlefield(resolution: Resolution) -> None:
    """Apply deaths and losses, then find the outcome.

    Destroys the permanents that a batch doomed and buries dead Creatures. Players who have lost leave; players whose
    life was corrected by hand come back.
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
            resolution.tell(phrase("{player} is in the game again.", player=player.name))
    if changed:
        _find_outcome(resolution)


def _leave(resolution: Resolution, player: FrontierPlayer) -> None:
    """Remove a player who is out, with their permanents and their items on the queue."""
    state = resolution.state
    remove(resolution, (permanent for permanent in state.permanents if permanent.seat == player.seat))
    resolution.change(queue=tuple(queued for queued in state.queue if queued.seat != player.seat))
    resolution.update_player(player.seat, left=True, engines=0, cranked=0, energy=0)
    resolution.tell(phrase("{player} has lost and leaves the game (R3.1).", player=player.name))


def _find_outcome(resolution: Resolution) -> None:
    """Find the outcome: the last player left wins; if none is left, those who lost last drew together (A3.10)."""
    outcome = outcome_of(resolution.state)
    resolution.change(outcome=outcome)
    if outcome == "draw":
        resolution.tell(phrase("Nobody is left: the game is a draw (A3.10)."))
    elif outcome:
        resolution.tell(phrase("{player} has won.", player=resolution.state.player(outcome).name))


def outcome_of(state: FrontierTable) -> str | None:
    """Return the winner's seat, `draw`, or None while two or more are still in the game."""
    standing = state.standing()
    if len(standing) > 1:
        return None
    return standing[0].seat if standing else "draw"
