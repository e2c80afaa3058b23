"""An attack is declared, blocked, aimed anew or called off, and ends when who is in it leaves (R2.21, R2.22)."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from companion.games.action import RuleError
from companion.games.soulforger.actions import Attack as Declare
from companion.games.soulforger.actions import Block, CallOff, NoBlock, Retarget
from companion.games.soulforger.field import turn_off_guard
from companion.games.soulforger.keywords import title
from companion.games.soulforger.state import Attack, Creature, Equipment, FieldCard, Resolution, Table
from companion.games.soulforger.turn import check_quiet, check_settled


def attack(res: Resolution, action: Declare) -> None:
    """An On-guard creature or weapon of the turn player attacks (R2.21)."""
    check_quiet(res)
    state = res.state
    attacker = state.card(action.attacker)
    if attacker.owner != state.active:
        raise RuleError(f"{attacker.title} is {res.name(attacker.owner)}'s; the turn player attacks (R2.21).")
    _check_fighter(attacker, "attack", "R2.21")
    target = _check_target(state, action.target)
    res.change(attack=Attack(attacker.handle, target))
    res.tell(f"{attacker.title} attacks {called(state, target)}.", attacker.owner)


def _check_fighter(card: FieldCard, what: str, rule: str) -> None:
    """Raises RuleError where a card can neither attack nor block: gear, Off-guard, or a Pacifist."""
    if isinstance(card, Equipment) and not card.is_weapon:
        raise RuleError(f"{card.title} is {card.slot}; creatures and weapons {what} ({rule}).")
    if not card.guarded:
        raise RuleError(f"{card.title} is Off-guard and cannot {what} ({rule}).")
    if "pacifist" in card.keywords:
        raise RuleError(f"{card.title} is a Pacifist and cannot {what} (R2.27).")


def may_attack(card: FieldCard) -> bool:
    """Whether a card of the turn player could attack now (R2.21)."""
    return _holds(_check_fighter, card, "attack", "R2.21")


def _holds(check: Callable[..., object], *args: object) -> bool:
    """Whether a check lets something pass."""
    try:
        check(*args)
    except RuleError:
        return False
    return True


def _check_target(state: Table, target: str) -> str:
    """An opponent, or an opponent's creature that is not Hidden (R2.21, R2.27)."""
    if state.seated(target):
        player = state.player(target)
        if player.out:
            raise RuleError(f"{player.name} is out of the game and cannot be attacked (R2.1).")
        if target == state.active:
            raise RuleError("An attack is aimed at an opponent (R2.21).")
        return target
    creature = state.creature(target)
    if creature.owner == state.active:
        raise RuleError(f"{creature.title} is on the attacker's own side; attack an opponent's creature (R2.21).")
    if "hidden" in creature.keywords and creature.guarded:
        raise RuleError(f"{creature.title} is Hidden and cannot be attacked while On-guard (R2.27).")
    return target


def attackable(state: Table) -> Iterator[str]:
    """Every opponent and every creature that the turn player could attack now (R2.21)."""
    targets = (
        *(player.seat for player in state.players),
        *(c.handle for c in state.cards.values() if isinstance(c, Creature)),
    )
    return (target for target in targets if _holds(_check_target, state, target))


def called(state: Table, target: str) -> str:
    """A seat by its person's name, a creature by its own."""
    return state.player(target).name if state.seated(target) else state.cards[target].title


def is_there(state: Table, target: str) -> bool:
    """Whether the target of an attack is still on the table."""
    return target in state.cards or (state.seated(target) and not state.player(target).out)


def attacked_player(state: Table, attack: Attack) -> str:
    """Who is attacked: the target itself, or who controls it; "" where the target has left."""
    if not is_there(state, attack.target):
        return ""
    return attack.target if state.seated(attack.target) else state.cards[attack.target].owner


def open_attack(res: Resolution) -> Attack:
    """The attack that is being fought out, with nothing left to resolve before it goes on. Raises RuleError."""
    attack = res.state.attack
    if attack is None:
        raise RuleError("Nobody attacks now; `attack HANDLE on HANDLE|SEAT` declares an attack (R2.21).")
    check_settled(res)
    if res.state.flow:
        raise RuleError(f"“{res.state.flow[-1].name}” is on the Flow; `resolve` it first (R2.23).")
    return attack


def block(res: Resolution, action: Block) -> None:
    """One On-guard creature, or the Primary weapon, of the attacked player (R2.16, R2.22, A2.16)."""
    attack, state = open_attack(res), res.state
    if attack.blocker or attack.declined:
        said = "nobody blocks" if attack.declined else f"{title(attack.blocker)} blocks"
        raise RuleError(f"It was said that {said}; there is one answer to an attack (R2.22), and `undo` leads back.")
    if not attacked_player(state, attack):
        raise RuleError("The target has left: `retarget` or `call-off` comes before a block (R2.21).")
    blocker = state.card(action.blocker)
    _check_blocker(state, attack, blocker)
    res.update_attack(blocker=blocker.handle)
    res.tell(f"{blocker.title} blocks.", blocker.owner)


def _check_blocker(state: Table, attack: Attack, blocker: FieldCard) -> None:
    """Raises RuleError where a card cannot block this attack (R2.16, R2.22, R2.27, A2.16)."""
    attacked = attacked_player(state, attack)
    if blocker.owner != attacked:
        owner, attacked = state.player(blocker.owner).name, state.player(attacked).name
        raise RuleError(f"{blocker.title} is {owner}'s; {attacked} is attacked (A2.16).")
    if blocker.handle == attack.target:
        raise RuleError(f"{blocker.title} is the target and fights anyway; block with another (R2.22).")
    _check_fighter(blocker, "block", "R2.22")
    if isinstance(blocker, Equipment) and blocker.slot != "primary":
        raise RuleError(f"{blocker.title} is Secondary; only the Primary weapon blocks (R2.16).")
    attacker = state.cards[attack.attacker]
    if "flight" in attacker.keywords and "flight" not in blocker.keywords:
        raise RuleError(f"{attacker.title} has Flight; only a card with Flight can block it (R2.27).")


def blockers(state: Table, attack: Attack) -> Iterator[FieldCard]:
    """What could block this attack; nothing where its target has left."""
    if attacked_player(state, attack):
        yield from (card for card in state.cards.values() if _holds(_check_blocker, state, attack, card))


def no_block(res: Resolution, action: NoBlock) -> None:  # noqa: ARG001 – a bare word
    """The attacked player lets the attack through."""
    attack = open_attack(res)
    if attack.blocker:
        raise RuleError(f"{title(attack.blocker)} blocks already (R2.22); `undo` leads back.")
    res.update_attack(declined=True)
    res.tell("Nobody blocks.", attacked_player(res.state, attack))


def _check_unsettled(res: Resolution) -> Attack:
    """Raises RuleError unless the attack may be changed: before a block, after a creature left or entered (R2.21)."""
    attack = open_attack(res)
    if attack.blocker:
        raise RuleError("After a block the attack stays as it is (R2.21).")
    if not attack.unsettled and is_there(res.state, attack.target):
        raise RuleError("An attack changes only after a creature has left or entered in response (R2.21).")
    return attack


def retarget(res: Resolution, action: Retarget) -> None:
    """Another target; the attacked side may answer anew (R2.21)."""
    attack = _check_unsettled(res)
    target = _check_target(res.state, action.target)
    res.update_attack(target=target, unsettled=False, declined=False)
    attacker = res.state.cards[attack.attacker]
    res.tell(f"{attacker.title} attacks {called(res.state, target)} instead.", attacker.owner)


def call_off(res: Resolution, action: CallOff) -> None:  # noqa: ARG001 – a bare word
    """No attack after all; the attacker turns Off-guard all the same (R2.21)."""
    attack = _check_unsettled(res)
    res.tell(f"{res.state.cards[attack.attacker].title}'s attack is called off.", res.state.active)
    end_attack(res)


def end_attack(res: Resolution) -> None:
    """The end of the combat: the attacker turns Off-guard, the blocker too unless it is a Protector (R2.21, R2.22)."""
    attack, cards = res.state.attack, res.state.cards
    assert attack is not None
    res.change(attack=None)
    if attack.attacker in cards:
        turn_off_guard(res, attack.attacker)
    if attack.blocker in cards and "protector" not in cards[attack.blocker].keywords:
        turn_off_guard(res, attack.blocker)


def end_if_nobody_fights(res: Resolution) -> None:
    """An attack ends when its attacker has left, or after a block both the blocker and the target (R2.21)."""
    attack, state = res.state.attack, res.state
    if attack is None:
        return
    attacker = state.cards.get(attack.attacker)
    over = attacker is None or attacker.owner != state.active or state.phase != "combat"
    if attack.blocker and attack.blocker not in state.cards:
        over |= not is_there(state, attack.target)
    if over:
        res.tell("The attack is over: nobody is left to fight.", state.active)
        end_attack(res)


def defender(state: Table, attack: Attack) -> Creature | Equipment | str:
    """What fights the attacker: the blocker, else the target; a seat for a player (R2.23, A2.13)."""
    name = attack.blocker if attack.blocker in state.cards else attack.target
    card = state.cards.get(name)
    return card if isinstance(card, Creature | Equipment) else name
