"""Creatures enter the field: Call Summon, Manifest Summon, tokens, and the Ronum Limit (R2.8, R2.12–R2.14)."""

from __future__ import annotations

from typing import Final

from companion.games.action import RuleError
from companion.games.soulforger.actions import Summon, Token
from companion.games.soulforger.costs import hand_card, pay_from_field
from companion.games.soulforger.field import unsettle_attack
from companion.games.soulforger.reminders import remind
from companion.games.soulforger.setup import place
from companion.games.soulforger.state import Creature, Resolution
from companion.games.soulforger.turn import check_quiet, check_settled, living, turn_player

MAIN_PHASES: Final = ("main1", "main2")


def check_main_phase(res: Resolution, seat: str, what: str) -> None:
    """Raises RuleError unless this player could act at Normal speed: own Main 1 or 2, never in response (R2.19)."""
    turn_player(res, seat)
    if res.state.phase not in MAIN_PHASES:
        raise RuleError(f"{what} belongs to Main 1 or Main 2; now is the phase {res.state.phase} (R2.8, R2.19).")
    check_quiet(res)


def summon(res: Resolution, action: Summon) -> None:
    """A creature from the hand, or by an effect from anywhere (R2.8, R2.12, R2.17)."""
    if action.manifest:
        living(res, action.seat)
        check_settled(res)
        if action.pay:
            raise RuleError("A Manifest Summon pays nothing (R2.17); leave `pay` out.")
    else:
        check_main_phase(res, action.seat, "A Call Summon")
        hand_card(res, action.seat, action.handle)
        pay_from_field(res, action.seat, action.pay)
    _check_ronum_limit(res, action)
    on, off = action.power
    creature = Creature(
        *(action.handle, action.seat, on, off, 0, True, action.faction, action.keywords),
        ronum=action.ronum,
        endurance=action.endurance,
        experience=action.xp,
    )
    how = "Manifest Summons" if action.manifest else "Call Summons"
    _enter(res, creature, f"{how} {creature.title} (Ronum {action.ronum}, {on}/{off}, Endurance {action.endurance})")


def _check_ronum_limit(res: Resolution, action: Summon) -> None:
    """The Ronum of all creatures must stay within the level (R2.12)."""
    player, present = res.state.player(action.seat), res.state.ronum(action.seat)
    if present + action.ronum > player.level:
        raise RuleError(
            f"{player.name}'s creatures would have Ronum {present} + {action.ronum} = {present + action.ronum}, "
            f"more than level {player.level} (R2.12)."
        )


def token(res: Resolution, action: Token) -> None:
    """A token by an effect; it has no Ronum (R2.14)."""
    living(res, action.seat)
    check_settled(res)
    on, off = action.power
    creature = Creature(
        *(action.handle, action.seat, on, off, 0, True, (), action.keywords),
        ronum=0,
        endurance=action.endurance,
        token=True,
    )
    _enter(res, creature, f"puts the token {creature.title} on the field ({on}/{off}, Endurance {action.endurance})")


def _enter(res: Resolution, creature: Creature, how: str) -> None:
    if creature.endurance == 0:
        raise RuleError(f"{creature.title} needs an Endurance of at least 1 (R2.23).")
    place(res, creature)
    unsettle_attack(res)
    res.tell(f"{res.name(creature.owner)} {how}.", creature.owner)
    remind(res, creature, "enters")
