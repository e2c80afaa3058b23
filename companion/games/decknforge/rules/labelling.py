"""The label window (R1.70–R1.75): the wizards who may add a label, the reward and the risk."""

from __future__ import annotations

import msgspec

from companion.games.decknforge.book.ledger import draw, earn, heal, hp_healed
from companion.games.decknforge.book.state import ActiveLabel, DungeonStep, DungeonTable, Foe, Resolution, Wizard
from companion.games.decknforge.glossary import GLOSSARY, effect_name
from companion.games.decknforge.rules.actions import AddLabel, Decline
from companion.games.decknforge.rules.arithmetic import absorbed_damage
from companion.tabletop.action import RuleError
from companion.tabletop.notation.arguments import Ref
from companion.tabletop.records import Reason
from templates.languages.messages import Text, phrase


class LabelsStep(DungeonStep):
    """The label window: at the flip for everyone clockwise, a round after a label for the wizards after its adder."""

    following = "reveal"

    def enter(self, resolution: Resolution) -> None:
        """Open the window (R1.70–R1.72)."""
        state = resolution.state
        offers = (wizard.seat for wizard in _wizards_with_option(state) if not label_error(state, wizard.seat))
        resolution.change(label_offers=tuple(offers))

    def waiting(self, state: DungeonTable) -> bool:
        """Return True if a wizard still has the option."""
        return bool(open_to(state))

    def default(self, resolution: Resolution) -> None:
        """Decline for every wizard."""
        resolution.change(label_offers=())


def open_to(state: DungeonTable) -> tuple[str, ...]:
    """Return the seats that still have the option, in order: offered, not passed, and in the fight (R1.71, A1.50)."""
    return tuple(wizard.seat for wizard in _wizards_with_option(state) if wizard.seat in state.label_offers)


def _wizards_with_option(state: DungeonTable) -> tuple[Wizard, ...]:
    """Return the wizards to whom R1.71 gives the option now, in order."""
    if state.round == 1:
        return state.fighting()
    if len(state.labellers) == 1 and state.labellers[0][1] == state.round - 1:
        return tuple(wizard for wizard in state.clockwise(state.labellers[0][0])[1:] if wizard.in_fight)
    return ()


def label_error(state: DungeonTable, seat: str) -> Text:
    """Return why a wizard may add no label to the Boss, or "" (R1.70, R1.72)."""
    boss = state.boss
    assert boss is not None
    if state.bands[seat].dungeons < 1:
        return phrase("{player}'s band has not completed a dungeon (R1.70)", player=state.wizard(seat).name)
    owner = boss.ref.partition(":")[0]
    if state.house.label_gate == "both" and state.bands[owner].dungeons < 1:
        return phrase(
            "{player}'s band, whose Monster it is, has not completed a dungeon (R1.70)",
            player=state.wizard(owner).name,
        )
    if len(boss.labels) >= state.book.most_labels:
        return phrase("the Boss has {labels} labels, the most for life (R1.72)", labels=state.book.most_labels)
    if sum(ref == boss.ref for ref, _, _ in state.added_labels) >= state.book.labels_per_dungeon:
        return phrase(
            "the Boss has had its {labels} labels of this dungeon (R1.72)", labels=state.book.labels_per_dungeon
        )
    return "" if labels_left(state) else phrase("no label is left in the pool (R1.75)")


def labels_left(state: DungeonTable) -> tuple[str, ...]:
    """Return the labels that can still go onto the Boss: in the pool, and not on it yet (R1.75)."""
    boss = state.boss
    assert boss is not None
    on_boss = {on_boss.label for on_boss in boss.labels}
    gone = {*on_boss, *state.labels_used}
    return tuple(name for name, label in state.book.labels.items() if name not in gone and not label.withdrawn)


def _check_turn(state: DungeonTable, seat: str) -> None:
    name = state.wizard(seat).name
    if seat not in open_to(state):
        reason = label_error(state, seat) or phrase("the option has passed to others (R1.71)")
        raise RuleError(phrase("{player} may not label now: {reason}.", player=name, reason=reason))


def decline(resolution: Resolution, action: Decline) -> None:
    """Pass the option on; it goes clockwise once around (R1.71)."""
    _check_turn(resolution.state, action.seat)
    resolution.tell(phrase("{player} adds no label.", player=resolution.name(action.seat)), action.seat)
    resolution.change(label_offers=tuple(seat for seat in resolution.state.label_offers if seat != action.seat))


def add_label(resolution: Resolution, action: AddLabel) -> None:
    """Add a label, which is active and rewarded at once and stays for life (R1.71–R1.75)."""
    state = resolution.state
    _check_turn(state, action.seat)
    first = open_to(state)[0]
    if first != action.seat:
        raise RuleError(
            phrase(
                "{player} has the option first (R1.71); `decline {seat}` passes it.",
                player=resolution.name(first),
                seat=first,
            )
        )
    state.book.label(action.label)
    if action.label not in labels_left(state):
        if state.book.label(action.label).withdrawn:
            raise RuleError(
                phrase("{label} is no longer given to Monsters; choose another label.", label=effect_name(action.label))
            )
        if action.label in state.labels_used:
            raise RuleError(
                phrase("{label} is used up (R1.75); choose another label.", label=effect_name(action.label))
            )
        raise RuleError(
            phrase("{label} is on this Monster already (A1.25); choose another label.", label=effect_name(action.label))
        )
    boss = state.boss
    assert boss is not None
    put_on_boss(resolution, boss, action)
    resolution.change(label_offers=(), labellers=(*state.labellers, (action.seat, state.round)))
    resolution.update_wizard(action.seat, label_risk=True)
    _pay_reward(resolution, action)


def put_on_boss(resolution: Resolution, boss: Foe, action: AddLabel) -> None:
    """Write the label on the Boss's card, where it is active at once (R1.72)."""
    state = resolution.state
    ref = Ref(boss.ref)
    labels = (*boss.labels, ActiveLabel(action.label, state.round))
    monster = state.monsters[ref]
    marked = msgspec.structs.replace(monster, labels=(*monster.labels, action.label))
    resolution.change(
        monsters={**state.monsters, ref: marked},
        labels_used=(*state.labels_used, action.label),
        added_labels=(*state.added_labels, (ref, action.label, action.seat)),
    )
    resolution.update_foe(ref, labels=labels)
    resolution.update_foe(ref, absorb=absorbed_damage(state, msgspec.structs.replace(boss, labels=labels)))
    label = state.book.label(action.label).log_title
    resolution.tell(
        phrase(
            "{player} writes {label} on {monster}.",
            player=resolution.name(action.seat),
            label=label,
            monster=state.monster_title(ref),
        ),
        action.seat,
        by_hand=True,
        lasting=True,
    )


def _pay_reward(resolution: Resolution, action: AddLabel) -> None:
    """Pay Coppers by tier, and as many cards or HP (R1.73)."""
    book = resolution.state.book
    tier = book.labels[action.label].tier
    reason = Reason("label", (book.label_tiers[tier].lower(), action.label))
    why = GLOSSARY.reason(reason)
    earn(resolution, action.seat, tier, reason)
    if action.reward == "heal":
        heal(resolution, action.seat, tier, why)
    else:
        draw(resolution, action.seat, reward_cards(resolution.state, tier), why)


def reward_for(state: DungeonTable, wizard: Wizard, tier: int) -> tuple[int, int]:
    """Return the cards that a wizard would draw for a label, and the HP they would heal, within the limits of both."""
    return draw(Resolution(state), wizard.seat, reward_cards(state, tier), ""), hp_healed(state, wizard, tier)


def reward_cards(state: DungeonTable, tier: int) -> int:
    """Return the cards that a wizard draws for adding a label of a tier (R1.73, `easy-reward`)."""
    return state.house.easy_reward if tier == 1 else tier
