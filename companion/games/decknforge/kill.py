"""Step 5: the Killing Blow, its rewards in order, and the Killer's bonus (R1.50–R1.57)."""

from __future__ import annotations

from companion.games.cards import pretty
from companion.games.decknforge.actions import Bonus, Curse
from companion.games.decknforge.arithmetic import Hit, labels_on
from companion.games.decknforge.fight import MOMENTUM, RALLY, SURGE, begin_fight, end_fight
from companion.games.decknforge.inscriptions import effects
from companion.games.decknforge.ledger import cross_out, draw, earn, glory, heal
from companion.games.decknforge.state import BOSSES, FULL_HP, HAND_LIMIT, Flow, Foe, Table
from companion.games.game import RuleError

KILL_COPPERS = 3
OVERKILL_LIMIT = 5


def credit(flow: Flow, overkill: int, hit: Hit | None, thorns_of: str = "") -> None:
    """Pay the kill (R1.57): Coppers, Glory, Legend. A kill by Thorns has no card, and no overkill (A1.37)."""
    state = flow.state
    boss = state.boss
    assert boss is not None
    seat = hit.shown.controller if hit else thorns_of
    flow.change(
        killer=seat, overkill=overkill, kill_card=hit.shown.card if hit else None, felled=(*state.felled, boss.ref)
    )
    with_what = f"with {hit.shown.title}, face value {hit.face}" if hit else "with Thorns"
    flow.tell(f"{flow.name(seat)} takes the Killing Blow {with_what}.", seat)
    _coppers(flow, boss, seat, overkill, hit)
    for wizard in state.wizards:
        glory(flow, wizard.seat)
    killer = flow.state.wizard(seat)
    flow.alter(seat, personal=killer.personal + 1, best_kill=max(killer.best_kill, hit.face if hit else 0))
    flow.tell(f"Every band gains 1 Glory; {killer.name} 1 personal Glory.")
    if state.monsters[boss.ref].legend:
        _legend(flow, seat, hit)
    curses = any(label.curses for label in labels_on(boss))
    flow.change(curse_due=curses)
    _win(flow)


def _win(flow: Flow) -> None:
    """R1.17: the sixth Boss is dead, also where the table has set which one it is, or took the outcome back."""
    if flow.state.number == BOSSES and flow.state.outcome is None:
        flow.change(outcome="win")
        flow.tell("The sixth Boss is dead: WIN.")


def _coppers(flow: Flow, boss: Foe, seat: str, overkill: int, hit: Hit | None) -> None:
    """R1.51 for the Killer, R1.52 for everybody else."""
    parts = [f"{KILL_COPPERS} kill", f"{min(OVERKILL_LIMIT, overkill)} overkill"]
    total = KILL_COPPERS + min(OVERKILL_LIMIT, overkill)
    bonuses = [(label.name.title(), label.kill_coppers) for label in labels_on(boss)]
    if hit:
        on_card = effects(flow.state, hit.shown.owner, hit.shown.card)
        bonuses += [(effect.name.replace("-", " ").title(), effect.kill_coppers) for effect in on_card]
    for name, bonus in bonuses:
        total += bonus
        parts += [f"{abs(bonus)} {name}" if bonus > 0 else f"({bonus}) {name}"] if bonus else []
    earn(flow, seat, max(0, total), " + ".join(parts))
    for wizard in flow.state.clockwise():
        if wizard.seat != seat:
            pact = _pact(flow.state, boss, wizard.seat)
            earn(flow, wizard.seat, 1 + pact, f"1 assist{f' + {pact} Mercenary Pact' if pact else ''}")


def _pact(state: Table, boss: Foe, seat: str) -> int:
    """Coppers for the Pact cards by which a wizard damaged this Boss in this fight, once a card (R1.I19)."""
    cards = {(owner, card) for controller, owner, card in boss.wounded_by if controller == seat}
    return sum(effect.pact for owner, card in cards for effect in effects(state, owner, card))


def _legend(flow: Flow, seat: str, hit: Hit | None) -> None:
    """R1.55 and A1.19: two cards at the Killer's next Fading, and a Mythic."""
    state = flow.state
    wizard = state.wizard(seat)
    marks = effects(state, hit.shown.owner, hit.shown.card) if hit else ()
    earned = sum(effect.legend_mythics for effect in marks) + (state.house.mythic_source != "reaper-only")
    flow.alter(seat, legend_killed=True, mythics=wizard.mythics + earned)
    flow.tell(f"A Legend: {wizard.name} earns {earned} Mythic and draws two cards at the next Fading.", seat)


def enter(flow: Flow) -> None:
    """The rewards are paid as the Boss dies; what is left is the Killer's to choose."""
    state = flow.state
    if asks_curse(state):
        flow.tell(
            f"Cursed: {flow.name(state.killer or '')} loses one inscription for good (R1.L13).", state.killer or ""
        )


def asks_curse(state: Table) -> bool:
    """Whether Cursed still takes an inscription: the Killer, also one set by hand, has any to lose (A1.32)."""
    return state.curse_due and bool(state.bands[state.killer or ""].inscribed)


def waiting(state: Table) -> bool:
    """Until the bonus is chosen, which ends the fight."""
    return state.killer is not None


def default(flow: Flow) -> None:
    """There is none: curse and bonus are the Killer's choice."""
    state = flow.state
    name = flow.name(state.killer or "")
    if asks_curse(state):
        raise RuleError(f"{name} must choose what Cursed takes: `curse {state.killer} CARD` (R1.L13).")
    raise RuleError(f"{name} must choose a bonus: `bonus rally`, `bonus surge` or `bonus momentum` (R1.54).")


def curse(flow: Flow, action: Curse) -> None:
    """The Killer's choice among the inscriptions of the band they brought (A1.32)."""
    state = flow.state
    if not asks_curse(state) or action.seat != state.killer:
        raise RuleError("Cursed asks nothing of this wizard now (R1.L13).")
    names = state.bands[action.seat].inscribed.get(action.card, ())
    if not names:
        choices = ", ".join(pretty(card) for card in state.bands[action.seat].inscribed)
        raise RuleError(f"{pretty(action.card)} bears no inscription; choose one of {choices}.")
    # One inscription is lost: of an Ascended card's two, the one that came on top of Ascension.
    cross_out(flow, action.seat, action.card, (names[-1],), "cursed", action.seat)
    flow.change(curse_due=False)


def bonus(flow: Flow, action: Bonus) -> str:
    """Rally, Surge or Momentum (R1.54), then the end of the fight (R1.14); gives the step that follows."""
    state = flow.state
    if asks_curse(state):
        default(flow)
    if action.choice == "momentum" and state.number == BOSSES:
        raise RuleError("There is no next Boss for Momentum (A1.17); choose rally or surge.")
    killer = state.killer or ""
    after_reset = state.house.kill_bonus_timing == "after-reset"
    flow.tell(f"{flow.name(killer)} chooses {action.choice.title()}.", killer)
    if action.choice == "momentum":
        flow.change(momentum=True)
        flow.tell(f"The next Boss starts {MOMENTUM} HP lower.")
    elif not after_reset:
        _at_once(flow, killer, action.choice)
    return _end(flow, killer, action.choice if after_reset else "")


def _at_once(flow: Flow, killer: str, choice: str) -> None:
    """As printed, before the reset (A1.16)."""
    if choice == "surge":
        draw(flow, killer, SURGE, "Surge")
        return
    for wizard in flow.state.clockwise():
        heal(flow, wizard.seat, RALLY, "Rally")


def _end(flow: Flow, killer: str, after_reset: str) -> str:
    _win(flow)
    if flow.state.outcome is not None:
        return "fading"
    number = flow.state.number + 1
    end_fight(flow)
    if after_reset == "rally":
        flow.everyone(hp=FULL_HP + RALLY)
        flow.tell(f"Rally: everybody starts with {FULL_HP + RALLY} HP.")
    elif after_reset == "surge":
        draw(flow, killer, SURGE, "Surge", up_to=HAND_LIMIT + SURGE)
    begin_fight(flow, number)
    return "labels"
