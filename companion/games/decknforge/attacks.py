"""Steps 6 to 8: the Boss's attack, Pressure, the Minions' attacks, and the end of a round that the Boss survives."""

from __future__ import annotations

from companion.games.cards import pretty
from companion.games.decknforge.actions import Dodge, Take
from companion.games.decknforge.arithmetic import atk, dodge_bar, dodge_total, labels_on
from companion.games.decknforge.fight import fall, lost
from companion.games.decknforge.inscriptions import effects, held_thorns
from companion.games.decknforge.kill import credit
from companion.games.decknforge.labels import LABELS
from companion.games.decknforge.ledger import check_in_hand, lose, pay_from_hand, wound
from companion.games.decknforge.state import Answer, Flow, Foe, Table, Wizard, listed
from companion.games.game import RuleError

LABEL_RISK = 1


def enter(flow: Flow) -> None:
    """A Braced wizard is not asked about the Boss (R1.23)."""
    for wizard in flow.state.fighting():
        flow.alter(wizard.seat, answers=(Answer(dodged=True),) if wizard.braced else ())


def open_attacks(state: Table, wizard: Wizard) -> tuple[Foe, ...]:
    """Attacks that a wizard has not answered yet, in order: the Boss, then the Minions as they came."""
    return state.foes()[len(wizard.answers) :] if wizard.in_fight else ()


def waiting_for_boss(state: Table) -> bool:
    """Whether somebody has not answered the Boss's attack."""
    return any(not wizard.answers for wizard in state.fighting())


def waiting_for_minions(state: Table) -> bool:
    """Whether a Minion's attack is unanswered."""
    return any(open_attacks(state, wizard) for wizard in state.fighting())


def default_boss(flow: Flow) -> None:
    """Everybody takes the Boss's attack who has not answered it."""
    for wizard in flow.state.fighting():
        if not wizard.answers:
            _answer(flow, wizard, Answer(dodged=False))


def default_minions(flow: Flow) -> None:
    """Everybody takes every attack still open."""
    for wizard in flow.state.fighting():
        for _ in open_attacks(flow.state, wizard):
            _answer(flow, flow.state.wizard(wizard.seat), Answer(dodged=False))


def _answer(flow: Flow, wizard: Wizard, answer: Answer) -> None:
    flow.alter(wizard.seat, answers=(*flow.state.wizard(wizard.seat).answers, answer))


def _attacked_by(state: Table, wizard: Wizard) -> Foe:
    foes = open_attacks(state, wizard)
    if not wizard.in_fight:
        raise RuleError(f"{wizard.name} is out of this fight and is not attacked (R1.17).")
    if not foes:
        raise RuleError(f"{wizard.name} has answered every attack of this round (R1.26, R1.28).")
    return foes[0]


def take(flow: Flow, action: Take) -> None:
    """Take the attack; the damage of the step falls together (R1.33)."""
    wizard = flow.state.wizard(action.seat)
    foe = _attacked_by(flow.state, wizard)
    flow.tell(f"{wizard.name} does not dodge {_title(flow.state, foe)}.", wizard.seat)
    _answer(flow, wizard, Answer(dodged=False))


def dodge(flow: Flow, action: Dodge) -> None:
    """Commit cards whose total beats the attack (R1.43); a count is the table's own check."""
    state, wizard = flow.state, flow.state.wizard(action.seat)
    foe = _attacked_by(state, wizard)
    if not action.cards:
        raise RuleError("A dodge takes at least one card (R1.43); `take` lets the attack through.")
    if isinstance(action.cards, int):
        count = pay_from_hand(flow, wizard.seat, action.cards, "dodge")
        flow.tell(f"{wizard.name} dodges {_title(state, foe)} with {count} card(s).", wizard.seat)
    else:
        check_in_hand(state, wizard.seat, action.cards)
        total, bar = dodge_total(state, wizard.seat, action.cards), dodge_bar(state, foe)
        names = " + ".join(pretty(card) for card in action.cards)
        if total <= bar:
            raise RuleError(f"{names} is {total}; dodging {_title(state, foe)} takes more than {bar} (R1.43).")
        pay_from_hand(flow, wizard.seat, action.cards, "dodge")
        flow.tell(f"{wizard.name} dodges {_title(state, foe)}: {names} = {total} > {bar}.", wizard.seat)
        for card in action.cards:
            for effect in effects(state, wizard.seat, card):
                effect.on_dodge(flow, wizard.seat, card)
    _answer(flow, flow.state.wizard(wizard.seat), Answer(dodged=True))


def _title(state: Table, foe: Foe) -> str:
    return "the Boss" if state.boss and foe.ref == state.boss.ref else state.monster_title(foe.ref)


def leave_boss(flow: Flow) -> str:
    """Step 6 whole: damage, Thorns, falls, LOSS, the Boss's own effects; then Pressure (R1.26, R1.27, R1.33)."""
    boss = flow.state.boss
    assert boss is not None
    value = atk(flow.state, boss)
    damaged = [
        wizard.seat
        for wizard in flow.state.fighting()
        if not wizard.answers[0].dodged and wound(flow, wizard.seat, value, "Boss attack") > 0
    ]
    avenger = _thorns(flow, damaged)
    fallen = fall(flow)
    if lost(flow):
        return "fading"
    if avenger:
        credit(flow, 0, None, thorns_of=avenger)
        return "kill"
    _regain(flow, boss, value, bool(damaged), len(fallen))
    _pressure(flow)
    return "fading" if lost(flow) else "minions"


def _thorns(flow: Flow, damaged: list[str]) -> str:
    """1 damage to the Boss per Thorns held by whom it damaged, all at once (R1.I10, R1.33).

    Gives the wizard whose Thorns killed it, of several the first clockwise (A1.37), or "".
    """
    boss = flow.state.boss
    assert boss is not None
    thorns = {seat: held_thorns(flow.state, seat) for seat in damaged if held_thorns(flow.state, seat)}
    if not thorns:
        return ""
    total = sum(thorns.values())
    dealt = max(0, total - boss.absorb)
    flow.alter_foe(boss.ref, absorb=max(0, boss.absorb - total))
    lose(flow, boss.ref, dealt)
    absorbed = f" ({total - dealt} absorbed)" if dealt < total else ""
    flow.tell(f"Thorns of {listed(map(flow.name, thorns))}: the Boss loses {dealt}{absorbed}.")
    return next(iter(thorns)) if dealt and dealt >= boss.hp else ""


def _regain(flow: Flow, foe: Foe, value: int, damaged: bool, downed: int) -> None:
    """What its labels give back to a foe for its attack, not above max HP (R1.L08, R1.L12)."""
    for label in labels_on(foe):
        now = next(other for other in flow.state.foes() if other.ref == foe.ref)
        healed = min(label.heals(value, damaged, downed), now.max - now.hp)
        if healed > 0:
            flow.alter_foe(foe.ref, hp=now.hp + healed)
            flow.tell(f"{label.name.title()}: {_title(flow.state, foe)} heals {healed} to {now.hp + healed}.")


def _pressure(flow: Flow) -> None:
    """Step 7: a Boss that lost no HP hurts everybody who could have played (R1.27)."""
    boss = flow.state.boss
    assert boss is not None
    if boss.lost:
        return
    for wizard in flow.state.fighting():
        if not wizard.skips_plot:
            wound(flow, wizard.seat, flow.state.house.pressure, "Pressure")
    fall(flow)


def leave_minions(flow: Flow) -> str:
    """Step 8 whole, then Doom and the label risk (R1.28, R1.L11, R1.74)."""
    for index, minion in enumerate(flow.state.minions, 1):
        _minion_attacks(flow, minion, index)
    fallen = fall(flow)
    _credit_hunger(flow, fallen)
    if lost(flow) or _doom(flow):
        return "fading"
    _label_risk(flow)
    return "fading" if lost(flow) else "refill"


def _minion_attacks(flow: Flow, minion: Foe, index: int) -> None:
    """One Minion's attack on everybody who did not dodge it (R1.28)."""
    value = atk(flow.state, minion)
    title = _title(flow.state, minion)
    damaged = False
    for wizard in flow.state.fighting():
        if len(wizard.answers) > index and not wizard.answers[index].dodged:
            standing = wizard.hp > 0
            damaged |= wound(flow, wizard.seat, value, title) > 0
            if standing and flow.state.wizard(wizard.seat).hp == 0:
                flow.alter(wizard.seat, downed_by=minion.ref)
    _regain(flow, minion, value, damaged, 0)


def _credit_hunger(flow: Flow, fallen: tuple[str, ...]) -> None:
    """Only who was really brought to 0 feeds a Minion: a Phoenix saves its wizard (R1.L08)."""
    for minion in flow.state.minions:
        downed = sum(flow.state.wizard(seat).downed_by == minion.ref for seat in fallen)
        _regain(flow, minion, 0, damaged=False, downed=downed)
    flow.everyone(downed_by="")


def _doom(flow: Flow) -> bool:
    """R1.L11: alive after step 8 of fight round 5."""
    state = flow.state
    assert state.boss is not None
    if any(LABELS[worn.label].wipes_after == state.round for worn in state.boss.worn):
        flow.change(outcome="loss")
        flow.tell("Doom: the Boss lives after fight round 5. The party is wiped: LOSS.")
        return True
    return False


def _label_risk(flow: Flow) -> None:
    """R1.74: who added a label this round takes 1, the Boss being alive."""
    for wizard in flow.state.fighting():
        if wizard.label_risk:
            wound(flow, wizard.seat, LABEL_RISK, "label risk")
    flow.everyone(label_risk=False)
    fall(flow)
