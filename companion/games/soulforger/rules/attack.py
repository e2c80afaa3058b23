"""Attacks: declaration, block and fight, retargets and call-offs, and the defeat of players."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from companion.games.soulforger.rules.actions import Attack as Declare
from companion.games.soulforger.rules.actions import Block, CallOff, Fight, NoBlock, Retarget
from companion.games.soulforger.rules.field import destroy_card, remind, turn_off_guard, unsettle_attack, wound
from companion.games.soulforger.rules.keywords import title
from companion.games.soulforger.rules.state import (
    ENDURANCE,
    PLAYING,
    Creature,
    Equipment,
    FieldCard,
    OngoingAttack,
    Resolution,
    SoulForgerPlayer,
    SoulForgerTable,
)
from companion.games.soulforger.rules.turn import (
    begin_turn,
    check_quiet,
    check_settled,
    earn,
    living_player,
    next_seat,
    suffer,
)
from companion.tabletop.action import RuleError
from companion.tabletop.constructed.tracking import WHOLE_TURN
from companion.tabletop.table.common_actions import Concede
from templates.languages.messages import Message, phrase


def attack(resolution: Resolution, action: Declare) -> None:
    """Declare an attack by an On-guard creature or weapon of the turn player (R2.21)."""
    check_quiet(resolution)
    state = resolution.state
    attacker = state.card(action.attacker)
    if attacker.owner != state.active:
        raise RuleError(
            phrase(
                "{card} belongs to {player}; only the turn player attacks (R2.21).",
                card=attacker.title,
                player=resolution.name(attacker.owner),
            )
        )
    _check_attacker(attacker)
    target = _check_target(state, action.target)
    resolution.change(attack=OngoingAttack(attacker.handle, target))
    resolution.tell(
        phrase("{attacker} attacks {target}.", attacker=attacker.title, target=target_name(state, target)),
        attacker.owner,
    )


def _check_attacker(card: FieldCard) -> None:
    """Raise RuleError if a card cannot attack: gear, Off-guard, or a Pacifist."""
    if isinstance(card, Equipment) and not card.is_weapon:
        if card.slot == "armor":
            raise RuleError(
                phrase("{card} is a piece of armor; only creatures and weapons attack (R2.21).", card=card.title)
            )
        raise RuleError(phrase("{card} is an accessory; only creatures and weapons attack (R2.21).", card=card.title))
    if not card.guarded:
        raise RuleError(phrase("{card} is Off-guard and cannot attack (R2.21).", card=card.title))
    if "pacifist" in card.keywords:
        raise RuleError(phrase("{card} is a Pacifist and cannot attack (R2.27).", card=card.title))


def may_attack(card: FieldCard) -> bool:
    """Return True if a card of the turn player could attack now (R2.21)."""
    return _passes(_check_attacker, card)


def _passes(check: Callable[..., object], *args: object) -> bool:
    """Return True if a check passes."""
    try:
        check(*args)
    except RuleError:
        return False
    return True


def _check_target(state: SoulForgerTable, target: str) -> str:
    """Return the target if it is an opponent, or an opponent's creature that is not Hidden (R2.21, R2.27)."""
    if state.is_seat(target):
        player = state.player(target)
        if player.out:
            raise RuleError(phrase("{player} is out of the game and cannot be attacked (R2.1).", player=player.name))
        if target == state.active:
            raise RuleError(phrase("An attack must be aimed at an opponent (R2.21)."))
        return target
    creature = state.creature(target)
    if creature.owner == state.active:
        raise RuleError(
            phrase(
                "{creature} is on the attacker's own side; attack an opponent's creature (R2.21).",
                creature=creature.title,
            )
        )
    if "hidden" in creature.keywords and creature.guarded:
        raise RuleError(
            phrase("{creature} is Hidden and cannot be attacked while On-guard (R2.27).", creature=creature.title)
        )
    return target


def attackable(state: SoulForgerTable) -> Iterator[str]:
    """Yield every opponent and every creature that the turn player could attack now (R2.21)."""
    targets = (
        *(player.seat for player in state.players),
        *(c.handle for c in state.cards.values() if isinstance(c, Creature)),
    )
    return (target for target in targets if _passes(_check_target, state, target))


def target_name(state: SoulForgerTable, target: str) -> str:
    """Return the display name of a seat or a creature."""
    return state.player(target).name if state.is_seat(target) else state.cards[target].title


def is_there(state: SoulForgerTable, target: str) -> bool:
    """Return True if the target of an attack is still on the table."""
    return target in state.cards or (state.is_seat(target) and not state.player(target).out)


def attacked_player(state: SoulForgerTable, attack: OngoingAttack) -> str:
    """Return the seat of the attacked player, who is or controls the target. It is empty if the target has left."""
    if not is_there(state, attack.target):
        return ""
    return attack.target if state.is_seat(attack.target) else state.cards[attack.target].owner


def open_attack(resolution: Resolution) -> OngoingAttack:
    """Return the attack in progress. Raises RuleError if there is none or something must be resolved first."""
    attack = resolution.state.attack
    if attack is None:
        raise RuleError(phrase("Nobody is attacking now; `attack THING on THING|SEAT` declares an attack (R2.21)."))
    check_settled(resolution)
    if resolution.state.flow:
        raise RuleError(
            phrase("“{effect}” is on the Flow; `resolve` it first (R2.23).", effect=resolution.state.flow[-1].name)
        )
    if attack.attacker not in resolution.state.cards:
        raise RuleError(phrase("The attacker has left: `done` ends the attack (R2.21)."))
    return attack


def block(resolution: Resolution, action: Block) -> None:
    """Block with one On-guard creature, or the Primary weapon, of the attacked player (R2.16, R2.22, A2.16)."""
    attack, state = open_attack(resolution), resolution.state
    if attack.declined:
        raise RuleError(phrase("This attack has its answer already: nobody blocks (R2.22); `undo` leads back."))
    if attack.blocker:
        raise RuleError(
            phrase(
                "This attack has its answer already: {card} blocks (R2.22); `undo` leads back.",
                card=title(attack.blocker),
            )
        )
    if not attacked_player(state, attack):
        raise RuleError(phrase("The target has left: `retarget` or `call-off` comes before a block (R2.21)."))
    blocker = state.card(action.blocker)
    _check_blocker(state, attack, blocker)
    resolution.update_attack(blocker=blocker.handle)
    resolution.tell(phrase("{card} blocks.", card=blocker.title), blocker.owner)


def _check_blocker(state: SoulForgerTable, attack: OngoingAttack, blocker: FieldCard) -> None:
    """Raise RuleError if a card cannot block this attack (R2.16, R2.22, R2.27, A2.16)."""
    attacked = attacked_player(state, attack)
    if blocker.owner != attacked:
        raise RuleError(
            phrase(
                "{card} belongs to {owner}, but {player} is being attacked (A2.16).",
                card=blocker.title,
                owner=state.player(blocker.owner).name,
                player=state.player(attacked).name,
            )
        )
    if blocker.handle == attack.target:
        raise RuleError(
            phrase("{card} is the target and fights anyway; block with another card (R2.22).", card=blocker.title)
        )
    _check_can_block(blocker)
    if isinstance(blocker, Equipment) and blocker.slot != "primary":
        raise RuleError(
            phrase("{card} is the Secondary weapon; only the Primary weapon blocks (R2.16).", card=blocker.title)
        )
    attacker = state.cards[attack.attacker]
    if "flight" in attacker.keywords and "flight" not in blocker.keywords:
        raise RuleError(phrase("{card} has Flight; only a card with Flight can block it (R2.27).", card=attacker.title))


def _check_can_block(card: FieldCard) -> None:
    """Raise RuleError if a card can block no attack at all: gear, Off-guard, or a Pacifist."""
    if isinstance(card, Equipment) and not card.is_weapon:
        if card.slot == "armor":
            raise RuleError(
                phrase("{card} is a piece of armor; only creatures and weapons block (R2.22).", card=card.title)
            )
        raise RuleError(phrase("{card} is an accessory; only creatures and weapons block (R2.22).", card=card.title))
    if not card.guarded:
        raise RuleError(phrase("{card} is Off-guard and cannot block (R2.22).", card=card.title))
    if "pacifist" in card.keywords:
        raise RuleError(phrase("{card} is a Pacifist and cannot block (R2.27).", card=card.title))


def blockers(state: SoulForgerTable, attack: OngoingAttack) -> Iterator[FieldCard]:
    """Yield the cards that could block this attack; none if its target has left."""
    if attacked_player(state, attack):
        yield from (card for card in state.cards.values() if _passes(_check_blocker, state, attack, card))


def no_block(resolution: Resolution, action: NoBlock) -> None:  # noqa: ARG001 – a bare word
    """Let the attack through without a block."""
    attack = open_attack(resolution)
    if attack.blocker:
        raise RuleError(phrase("{card} is already blocking (R2.22); `undo` leads back.", card=title(attack.blocker)))
    resolution.update_attack(declined=True)
    resolution.tell(phrase("Nobody blocks."), attacked_player(resolution.state, attack))


def _check_unsettled(resolution: Resolution) -> OngoingAttack:
    """Return the attack if it may be changed: before a block, after a creature left or entered (R2.21).

    Raises RuleError if not.
    """
    attack = open_attack(resolution)
    if attack.blocker:
        raise RuleError(phrase("Once it is blocked, an attack can no longer change (R2.21)."))
    if not attack.unsettled and is_there(resolution.state, attack.target):
        raise RuleError(phrase("An attack can change only after a creature has left or entered in response (R2.21)."))
    return attack


def retarget(resolution: Resolution, action: Retarget) -> None:
    """Change the target; the attacked player may answer again (R2.21)."""
    attack = _check_unsettled(resolution)
    target = _check_target(resolution.state, action.target)
    resolution.update_attack(target=target, unsettled=False, declined=False)
    attacker, name = resolution.state.cards[attack.attacker], target_name(resolution.state, target)
    resolution.tell(
        phrase("{attacker} attacks {target} instead.", attacker=attacker.title, target=name), attacker.owner
    )


def call_off(resolution: Resolution, action: CallOff) -> None:  # noqa: ARG001 – a bare word
    """Call the attack off; the attacker turns Off-guard all the same (R2.21)."""
    attack = _check_unsettled(resolution)
    attacker = resolution.state.cards[attack.attacker].title
    resolution.tell(phrase("{attacker}'s attack is called off.", attacker=attacker), resolution.state.active)
    end_attack(resolution)


def end_attack(resolution: Resolution) -> None:
    """End the combat: the attacker turns Off-guard, and the blocker too unless it is a Protector (R2.21, R2.22)."""
    attack, cards = resolution.state.attack, resolution.state.cards
    assert attack is not None
    resolution.change(attack=None)
    if attack.attacker in cards:
        turn_off_guard(resolution, attack.attacker)
    if attack.blocker in cards and "protector" not in cards[attack.blocker].keywords:
        turn_off_guard(resolution, attack.blocker)


def end_if_nobody_fights(resolution: Resolution) -> None:
    """End the attack if its attacker has left, or after a block if both the blocker and the target have (R2.21)."""
    attack, state = resolution.state.attack, resolution.state
    if attack is None:
        return
    attacker = state.cards.get(attack.attacker)
    over = attacker is None or attacker.owner != state.active or state.phase not in ("combat", WHOLE_TURN)
    if attack.blocker and attack.blocker not in state.cards:
        over |= not is_there(state, attack.target)
    if over:
        resolution.tell(phrase("The attack is over: nobody is left to fight."), state.active)
        end_attack(resolution)


def defender(state: SoulForgerTable, attack: OngoingAttack) -> Creature | Equipment | str:
    """Return the attacker's opponent: the blocker, or else the target, which is a seat for a player (R2.23, A2.13)."""
    name = attack.blocker if attack.blocker in state.cards else attack.target
    card = state.cards.get(name)
    return card if isinstance(card, Creature | Equipment) else name


class FightSide(NamedTuple):
    """One side of a fight: the card that deals the damage, if there is one, and its player."""

    seat: str
    card: FieldCard | None
    attacks: bool

    @property
    def creature(self) -> Creature | None:
        """The creature that takes the damage. If it is None, the player takes it (A2.17)."""
        return self.card if isinstance(self.card, Creature) else None

    @property
    def first(self) -> bool:
        """Return True if it deals its damage first: by Fast Hand when attacking, otherwise by Reflex (R2.27)."""
        return self.has("fast-hand" if self.attacks else "reflex")

    def has(self, keyword: str) -> bool:
        """Return True if the fighting card has a keyword."""
        return self.card is not None and keyword in self.card.keywords


def fight(resolution: Resolution, action: Fight) -> None:  # noqa: ARG001 – a bare word
    """Resolve step 3 of combat: deal the damage, then end the combat (R2.23)."""
    attack = open_attack(resolution)
    if not attack.blocker and not is_there(resolution.state, attack.target):
        raise RuleError(
            phrase("The target has left: `retarget` chooses a new one, `call-off` ends the attack (R2.21).")
        )
    deal_damage(resolution, attack)
    end_attack(resolution)


def deal_damage(resolution: Resolution, attack: OngoingAttack) -> None:
    """Deal the damage of both sides in their order (R2.23, R2.27)."""
    one, other = _fighters(resolution.state, attack)
    if one.first == other.first:
        _deal(resolution, (one, other), (other, one))
    else:
        quick, slow = (one, other) if one.first else (other, one)
        _deal(resolution, (quick, slow))
        if _is_standing(resolution.state, slow):
            _deal(resolution, (slow, quick))
        else:
            name = _fighter_title(resolution.state, slow)
            resolution.tell(phrase("{fighter} deals no damage back (A2.5).", fighter=name), slow.seat)


def _fighters(state: SoulForgerTable, attack: OngoingAttack) -> tuple[FightSide, FightSide]:
    """Return the attacker and its opponent; an attacked player strikes back with the Primary weapon (A2.13)."""
    attacker = state.cards[attack.attacker]
    against = defender(state, attack)
    if isinstance(against, str):
        other = FightSide(against, state.weapon(against), attacks=False)
    else:
        other = FightSide(against.owner, against, attacks=False)
    return FightSide(attacker.owner, attacker, attacks=True), other


def _is_standing(state: SoulForgerTable, fighter: FightSide) -> bool:
    """Return True if a fighter survived the first damage (R2.24)."""
    if fighter.creature is None:
        return not state.player(fighter.seat).out
    return fighter.creature.handle in state.cards


def _fighter_title(state: SoulForgerTable, fighter: FightSide) -> str:
    return fighter.card.title if fighter.card else state.player(fighter.seat).name


def _deal(resolution: Resolution, *blows: tuple[FightSide, FightSide]) -> None:
    """Deal simultaneous damage, and only then destroy creatures (R2.23)."""
    for striker, struck in blows:
        _strike(resolution, striker, struck)
    for striker, struck in blows:
        _destroy_defeated(resolution, striker, struck)


def _strike(resolution: Resolution, striker: FightSide, struck: FightSide) -> None:
    """Deal the damage of one side.

    With Impale, the excess over the remaining Endurance hits the player (R2.27, A2.7).
    """
    power = striker.card.power if striker.card else 0
    if power == 0:
        return
    title = _fighter_title(resolution.state, striker)
    if struck.attacks and _has_range(resolution.state, struck):
        resolution.tell(
            phrase(
                "{fighter} has Range and takes no combat damage when attacking (R2.27).",
                fighter=_fighter_title(resolution.state, struck),
            ),
            struck.seat,
        )
        return
    if struck.creature is None:
        suffer(resolution, struck.seat, power, title)
        return
    wound(resolution, struck.creature, power, title)
    remind(resolution, struck.creature, "combat-damage")
    excess = power - max(0, struck.creature.endurance - struck.creature.damage)
    if striker.attacks and striker.has("impale") and excess > 0:
        # Translators: the source of damage, in brackets, with the sum behind it.
        source = phrase("Impale of {card}, {power} − {stopped}", card=title, power=power, stopped=power - excess)
        suffer(resolution, struck.seat, excess, source)


def _has_range(state: SoulForgerTable, attacker: FightSide) -> bool:
    """Return True if the attacking card has Range, or for a weapon also the gear that its player wears (R2.27)."""
    worn = () if attacker.creature else (piece for piece in state.equipment(attacker.seat) if not piece.is_weapon)
    return attacker.has("range") or any("range" in piece.keywords for piece in worn)


def _destroy_defeated(resolution: Resolution, striker: FightSide, struck: FightSide) -> None:
    """Destroy a creature with damage of at least its Endurance; a weapon earns its Experience (R2.10, R2.23)."""
    if struck.creature is None or striker.card is None:  # only a card deals damage
        return
    creature = resolution.state.creature(struck.creature.handle)
    if creature.damage < creature.endurance:
        return
    destroy_card(resolution, creature, in_combat=True)
    remind(resolution, striker.card, "kills")
    if isinstance(striker.card, Equipment) and (striker.attacks or resolution.state.house.xp_on_block):
        earn(resolution, striker.seat, creature.experience, creature.title)


def concede(resolution: Resolution, action: Concede) -> None:
    """Put the conceding player out."""
    player = living_player(resolution, action.seat)
    resolution.update_player(player.seat, gone=True)
    resolution.tell(phrase("{player} concedes.", player=player.name), player.seat)


def settle_defeats(resolution: Resolution, before: SoulForgerTable) -> None:
    """Remove the things of players who are out, and log the outcome.

    If the turn player is out, the turn passes on, repeatedly if a new turn puts its own player out.
    """
    _clear_away(resolution, before.players)
    end_if_nobody_fights(resolution)
    while _turn_is_orphaned(resolution):
        players = resolution.state.players
        begin_turn(resolution, next_seat(resolution.state))
        _clear_away(resolution, players)
    outcome = resolution.state.outcome
    if outcome and outcome != before.outcome:
        resolution.tell(_describe_outcome(resolution, outcome))


def _describe_outcome(resolution: Resolution, outcome: str) -> Message:
    if outcome != "draw":
        return phrase("{player} wins.", player=resolution.name(outcome))
    return phrase("The game is a draw.") if resolution.state.living() else phrase("Nobody is left: a draw (A2.14).")


def _turn_is_orphaned(resolution: Resolution) -> bool:
    state = resolution.state
    return state.outcome is None and state.phase in PLAYING and state.player(state.active).out


def _describe_defeat(player: SoulForgerPlayer) -> Message:
    if player.damage < ENDURANCE:
        return phrase("{player} is out.", player=player.name)
    return phrase(
        "{player} is out with {damage} damage of {endurance} (R2.1).",
        player=player.name,
        damage=player.damage,
        endurance=ENDURANCE,
    )


def _clear_away(resolution: Resolution, before: tuple[SoulForgerPlayer, ...]) -> None:
    """Remove the cards, effects and Actions of players who are out."""
    out = {player.seat for player in resolution.state.players if player.out}
    if not out:
        return
    for old, new in zip(before, resolution.state.players, strict=True):
        if new.out and not old.out:
            resolution.tell(_describe_defeat(new))
    state = resolution.state
    if any(card.owner in out for card in state.cards.values()):
        unsettle_attack(resolution)
        resolution.change(cards={handle: card for handle, card in state.cards.items() if card.owner not in out})
    if any(item.seat in out for item in state.flow):
        resolution.change(flow=tuple(item for item in state.flow if item.seat not in out))
    for player in state.players:
        if player.out and player.zone:
            resolution.update_player(player.seat, zone=())
