"""Steps 6 to 8: the Boss's attack, Pressure, the Minions' attacks, and the end of a round that the Boss survives."""

from __future__ import annotations

from companion.games.decknforge.book.inscriptions import effects, held_thorns
from companion.games.decknforge.book.ledger import check_in_hand, lose_hp, wound
from companion.games.decknforge.book.state import (
    AttackAnswer,
    DungeonStep,
    DungeonTable,
    Foe,
    Resolution,
    Wizard,
)
from companion.games.decknforge.rules.actions import Dodge, Take
from companion.games.decknforge.rules.arithmetic import atk, dodge_bar, dodge_total, labels_on
from companion.games.decknforge.rules.fight import ends_dungeon, escalate, fall
from companion.games.decknforge.rules.kill import credit_kill
from companion.games.decknforge.rules.payments import pay_from_hand
from companion.tabletop.action import RuleError
from companion.tabletop.notation.cards import pretty
from templates.languages.messages import all_of, phrase, phrases

LABEL_RISK = 1


def open_attacks(state: DungeonTable, wizard: Wizard) -> tuple[Foe, ...]:
    """Return the foes whose attacks a wizard has not answered (R1.26, R1.28): the Boss, then the Minions by arrival."""
    return state.foes()[len(wizard.answers) :] if wizard.in_fight else ()


def attack_damage(state: DungeonTable, wizard: Wizard) -> int:
    """Return the damage of the first open attack, after those of this step that the wizard already takes (R1.44)."""
    resolution = Resolution(state)
    foes, answers = state.foes(), wizard.answers
    first = 1 if state.step == "minions" else 0
    for foe, answer in zip(foes[first:], answers[first:], strict=False):
        if not answer.dodged:
            wound(resolution, wizard.seat, atk(state, foe), "")
    return wound(resolution, wizard.seat, atk(state, foes[len(answers)]), "")


class BossAttackStep(DungeonStep):
    """Steps 6 and 7: the Boss's attack and Pressure (R1.26, R1.27)."""

    def enter(self, resolution: Resolution) -> None:
        """Skip Braced wizards: the Boss's attack counts as dodged (R1.23)."""
        for wizard in resolution.state.fighting():
            resolution.update_wizard(wizard.seat, answers=(AttackAnswer(dodged=True),) if wizard.braced else ())

    def waiting(self, state: DungeonTable) -> bool:
        """Return True if a wizard has not answered the Boss's attack."""
        return _is_awaited(state)

    def default(self, resolution: Resolution) -> None:
        """Take the Boss's attack for every wizard who has not answered it."""
        for wizard in resolution.state.fighting():
            if not wizard.answers:
                _record_answer(resolution, wizard.seat, dodged=False)

    def leave(self, resolution: Resolution) -> str:
        """Resolve damage, Thorns, falls, LOSS and the Boss's own effects; then Pressure (R1.26, R1.27, R1.33)."""
        boss = resolution.state.boss
        assert boss is not None
        value = atk(resolution.state, boss)
        damaged = [
            wizard.seat
            for wizard in resolution.state.fighting()
            if not wizard.answers[0].dodged and wound(resolution, wizard.seat, value, phrase("Boss attack")) > 0
        ]
        avenger = _deal_thorns(resolution, damaged)
        fallen = fall(resolution)
        if avenger and (resolution.state.fighting() or resolution.state.house.simultaneous == "win"):
            credit_kill(resolution, 0, None, thorns_of=avenger)
            return "kill"
        if ends_dungeon(resolution):
            return "fading"
        _regain_hp(resolution, boss, value, len(damaged), len(fallen))
        _apply_pressure(resolution)
        return "fading" if ends_dungeon(resolution) else "minions"


class MinionsStep(DungeonStep):
    """Step 8: the Minions' attacks, then Doom and the label risk (R1.28, R1.L11, R1.74)."""

    def enter(self, resolution: Resolution) -> None:
        """Escalate first with `minion-enters before-step8` (A1.68): a Minion, or ATK +1."""
        state = resolution.state
        if state.house.minion_enters == "before-step8":
            resolution.change(minion_due=bool(state.minions_left))
            if not state.minions_left:
                escalate(resolution, None, since=state.round)

    def waiting(self, state: DungeonTable) -> bool:
        """Return True if a Minion is due or an attack is unanswered."""
        return state.minion_due or _is_awaited(state)

    def default(self, resolution: Resolution) -> None:
        """Take every open attack."""
        _check_minion_came(resolution.state)
        for wizard in resolution.state.fighting():
            for _ in open_attacks(resolution.state, wizard):
                _record_answer(resolution, wizard.seat, dodged=False)

    def leave(self, resolution: Resolution) -> str:
        """Resolve the attacks of all Minions together."""
        for index, minion in enumerate(resolution.state.minions, 1):
            _minion_attacks(resolution, minion, index)
        fallen = fall(resolution)
        _credit_hunger(resolution, fallen)
        if ends_dungeon(resolution) or doom_party(resolution):
            return "fading"
        _label_risk(resolution)
        return "fading" if ends_dungeon(resolution) else "refill"


def _record_answer(resolution: Resolution, seat: str, *, dodged: bool) -> None:
    wizard = resolution.state.wizard(seat)
    resolution.update_wizard(seat, answers=(*wizard.answers, AttackAnswer(dodged=dodged)))


def _attacked_by(state: DungeonTable, wizard: Wizard) -> Foe:
    foes = open_attacks(state, wizard)
    if not wizard.in_fight:
        raise RuleError(phrase("{player} is out of this fight and is not attacked (R1.17).", player=wizard.name))
    _check_minion_came(state)
    if not foes:
        raise RuleError(phrase("{player} has answered every attack of this round (R1.26, R1.28).", player=wizard.name))
    return foes[0]


def _check_minion_came(state: DungeonTable) -> None:
    if state.minion_due:
        raise RuleError(
            phrase("A Minion comes first (A1.68): `escalate minion REF`, or `escalate` to let the program draw it.")
        )


def take(resolution: Resolution, action: Take) -> None:
    """Take the attack; the damage of the step is dealt at once (R1.33)."""
    wizard = resolution.state.wizard(action.seat)
    foe = _attacked_by(resolution.state, wizard)
    title = resolution.state.foe_title(foe)
    _record_answer(resolution, wizard.seat, dodged=False)
    text = (
        phrase(
            "{player} does not dodge {monster}; HP changes once all attacks are answered (R1.33).",
            player=wizard.name,
            monster=title,
        )
        if _is_awaited(resolution.state)
        else phrase("{player} does not dodge {monster}.", player=wizard.name, monster=title)
    )
    resolution.tell(text, wizard.seat)


def _is_awaited(state: DungeonTable) -> bool:
    """Return True if a wizard has not answered every attack of this step."""
    if state.step == "attack":
        return any(not wizard.answers for wizard in state.fighting())
    return any(open_attacks(state, wizard) for wizard in state.fighting())


def dodge(resolution: Resolution, action: Dodge) -> None:
    """Commit cards whose total beats the attack (R1.43); a mere number of cards is checked by the players."""
    state, wizard = resolution.state, resolution.state.wizard(action.seat)
    foe = _attacked_by(state, wizard)
    if not action.cards:
        raise RuleError(phrase("A dodge takes at least one card (R1.43); `take` lets the attack through."))
    if isinstance(action.cards, int):
        count = pay_from_hand(resolution, wizard.seat, action.cards, "dodge")
        resolution.update_wizard(wizard.seat, unnamed_dodge=wizard.unnamed_dodge + count)
        text = phrases(
            "{player} dodges {monster} with {n} card.",
            "{player} dodges {monster} with {n} cards.",
            n=count,
            player=wizard.name,
            monster=state.foe_title(foe),
        )
        resolution.tell(text, wizard.seat)
    else:
        check_in_hand(state, wizard.seat, action.cards)
        total, bar = dodge_total(state, wizard.seat, action.cards), dodge_bar(state, foe)
        names = " + ".join(pretty(card) for card in action.cards)
        if total <= bar:
            raise RuleError(
                phrase(
                    "{cards} is {total}; dodging {monster} takes more than {bar} (R1.43).",
                    cards=names,
                    total=total,
                    monster=state.foe_title(foe),
                    bar=bar,
                )
            )
        pay_from_hand(resolution, wizard.seat, action.cards, "dodge")
        text = phrase(
            "{player} dodges {monster}: {cards} = {total} > {bar}.",
            player=wizard.name,
            monster=state.foe_title(foe),
            cards=names,
            total=total,
            bar=bar,
        )
        resolution.tell(text, wizard.seat)
        for card in action.cards:
            for effect in effects(state, wizard.seat, card):
                effect.on_dodge(resolution, wizard.seat, card)
    _record_answer(resolution, wizard.seat, dodged=True)


def _deal_thorns(resolution: Resolution, damaged: list[str]) -> str:
    """Deal 1 damage to the Boss for each Thorns held by wizards it damaged, all at once (R1.I10, R1.33).

    Returns the wizard whose Thorns killed it, of several the first clockwise (A1.37), or "".
    """
    boss = resolution.state.boss
    assert boss is not None
    thorns = {seat: held_thorns(resolution.state, seat) for seat in damaged if held_thorns(resolution.state, seat)}
    if not thorns:
        return ""
    total = sum(thorns.values())
    dealt = max(0, total - boss.absorb)
    resolution.update_foe(boss.ref, absorb=max(0, boss.absorb - total))
    lose_hp(resolution, boss.ref, dealt)
    players = all_of(map(resolution.name, thorns))
    resolution.tell(
        phrase(
            "Thorns of {players}: the Boss loses {damage} ({absorbed} absorbed).",
            players=players,
            damage=dealt,
            absorbed=total - dealt,
        )
        if dealt < total
        else phrase("Thorns of {players}: the Boss loses {damage}.", players=players, damage=dealt)
    )
    return next(iter(thorns)) if dealt and dealt >= boss.hp else ""


def _regain_hp(resolution: Resolution, foe: Foe, value: int, damaged: int, downed: int) -> None:
    """Heal a foe by its labels after its attack, up to max HP (R1.L08, R1.L12)."""
    for label in labels_on(resolution.state, foe):
        now = next(other for other in resolution.state.foes() if other.ref == foe.ref)
        healed = min(label.heals(value, damaged, downed, resolution.state.house), now.max - now.hp)
        if healed > 0:
            resolution.update_foe(foe.ref, hp=now.hp + healed)
            resolution.tell(
                phrase(
                    "{label}: {monster} heals {healed} to {hp}.",
                    label=label.title,
                    monster=resolution.state.foe_title(foe),
                    healed=healed,
                    hp=now.hp + healed,
                )
            )


def _apply_pressure(resolution: Resolution) -> None:
    """Apply step 7: a Boss that lost no HP wounds every wizard who could have plotted (R1.27)."""
    boss = resolution.state.boss
    assert boss is not None
    if boss.lost_hp:
        return
    for wizard in resolution.state.fighting():
        if not wizard.skips_plot:
            wound(resolution, wizard.seat, resolution.state.house.pressure, phrase("Pressure"))
    fall(resolution)


def _minion_attacks(resolution: Resolution, minion: Foe, index: int) -> None:
    """Apply one Minion's attack to every wizard who did not dodge it (R1.28)."""
    value = atk(resolution.state, minion)
    title = resolution.state.foe_title(minion)
    damaged = 0
    for wizard in resolution.state.fighting():
        if len(wizard.answers) > index and not wizard.answers[index].dodged:
            standing = wizard.hp > 0
            damaged += wound(resolution, wizard.seat, value, title) > 0
            if standing and resolution.state.wizard(wizard.seat).hp == 0:
                resolution.update_wizard(wizard.seat, downed_by=minion.ref)
    _regain_hp(resolution, minion, value, damaged, 0)


def _credit_hunger(resolution: Resolution, fallen: tuple[str, ...]) -> None:
    """Heal Minions for the wizards they brought to 0; a wizard saved by Phoenix does not count (R1.L08)."""
    for minion in resolution.state.minions:
        downed = sum(resolution.state.wizard(seat).downed_by == minion.ref for seat in fallen)
        _regain_hp(resolution, minion, 0, damaged=0, downed=downed)
    resolution.update_everyone(downed_by="")


def doom_party(resolution: Resolution) -> bool:
    """Apply R1.L11: if the Boss lives after step 8 of fight round 5, or of a later round set by an override, all
    wizards are at 0 HP and the dungeon is lost. Phoenix does not help. Returns True if the party is wiped.
    """
    state = resolution.state
    assert state.boss is not None
    limits = [label.wipes_after for label in labels_on(state, state.boss) if label.wipes_after is not None]
    if state.edition < 4:
        limits = [limit for limit in limits if limit == state.round]
    elif state.boss.hp == 0:
        return False
    if all(state.round < limit for limit in limits):
        return False
    resolution.change(outcome="loss")
    if state.edition >= 4:
        for wizard in state.wizards:
            if wizard.is_there:
                resolution.update_wizard(wizard.seat, hp=0, in_fight=False)
    resolution.tell(
        phrase("Doom: the Boss lives after fight round {round}. The party is wiped: LOSS.", round=state.round)
    )
    return True


def _label_risk(resolution: Resolution) -> None:
    """Wound wizards who added a label this round by 1, as the Boss lives (R1.74)."""
    for wizard in resolution.state.fighting():
        if wizard.label_risk:
            wound(resolution, wizard.seat, LABEL_RISK, phrase("label risk"))
    resolution.update_everyone(label_risk=False)
    fall(resolution)
