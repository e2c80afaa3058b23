"""What must hold of any table of DecknForge, whatever was played: after each action, and of the game when sealed."""

from __future__ import annotations

from collections.abc import Iterable

from companion.games.decknforge.book.house import FULL_HP
from companion.games.decknforge.book.inscriptions import INSCRIPTIONS, PRICES
from companion.games.decknforge.book.labels import LABELS_PER_DUNGEON, MOST_LABELS
from companion.games.decknforge.book.state import BOSSES, COMBAT_DECK, DungeonTable, Wizard
from companion.games.decknforge.game import GAME
from companion.games.decknforge.rules import actions as do
from companion.games.decknforge.rules.reveal import PATRON_STEAL
from companion.games.decknforge.rules.round_steps import ROUND_STEPS
from companion.session.core.session import Session
from companion.tabletop.action import Action
from companion.tabletop.notation.arguments import Ref
from companion.tabletop.table.choices import accepts
from companion.tabletop.table.common_actions import Add, Next, Set
from companion.tabletop.table.table import Prompt
from tests.games.decknforge.bands import Stored
from tests.games.decknforge.player import Player


def on_table(state: DungeonTable, seat: str) -> list[str]:
    """Cards of a seat's band that lie revealed and are not committed yet."""
    committed = {entry.card for entry in state.wizard(seat).pile}
    return [upcard.card for upcard in state.revealed if upcard.owner == seat and upcard.card not in committed]


def are_counted(state: DungeonTable, wizard: Wizard) -> bool:
    """Whether the companion knows how many cards a wizard holds and draws from (house rule track)."""
    return state.tracks_all and state.counts(wizard.seat, "hand") and state.counts(wizard.seat, "deck")


def cards_of(state: DungeonTable, wizard: Wizard) -> int:
    """The combat deck, wherever its cards are."""
    return wizard.hand + wizard.deck + len(wizard.pile) + wizard.unnamed_cards + len(on_table(state, wizard.seat))


# One table


def each_card_is_in_one_place(state: DungeonTable) -> None:
    """Committed, on the table, or held; a Monster is a Boss, in the pool, or a Minion."""
    for wizard in state.wizards:
        pile = [entry.card for entry in wizard.pile]
        places = [*pile, *on_table(state, wizard.seat), *wizard.known_hand]
        assert len(set(places)) == len(places), f"{wizard.seat}: {sorted(places)}"
        assert len(wizard.known_hand) <= wizard.hand, f"{wizard.seat} holds {wizard.known_hand}, {wizard.hand} in hand"
    monsters = [*state.order, *state.pool, *(minion.ref for minion in state.minions)]
    assert len(set(monsters)) == len(monsters), monsters
    assert set(monsters) <= set(state.monsters)
    assert len(state.order) == BOSSES or (state.house.table_draws and len(state.order) < BOSSES)


def figures_are_possible(state: DungeonTable, most_hp: int) -> None:
    """HP within 0–20 (25 after a Rally after the reset), nothing negative, labels within their caps."""
    for wizard in state.wizards:
        assert 0 <= wizard.hp <= most_hp, f"{wizard.seat} hp {wizard.hp}"
        assert min(wizard.hand, wizard.deck, wizard.purse, wizard.earned, wizard.shield, wizard.mythics) >= 0, wizard
    for ref, monster in state.monsters.items():
        assert len(set(monster.labels)) == len(monster.labels) <= MOST_LABELS
        assert sum(on == ref for on, _, _ in state.added_labels) <= LABELS_PER_DUNGEON
    assert sorted(state.labels_used) == sorted(label for _, label, _ in state.added_labels)
    assert len(set(state.labels_used)) == len(state.labels_used)
    for foe in state.foes():
        assert foe.hp >= 0
    if state.step in ROUND_STEPS:
        assert state.boss is not None
        assert state.fighting() or state.step == "kill", "nobody fights, and the dungeon goes on"


def hands_are_as_dealt(player: Player) -> None:
    """Where every card was named and is counted, the companion's counts are the cards that people hold."""
    for wizard in player.state.wizards:
        if not are_counted(player.state, wizard):
            continue
        hand = player.hand(wizard.seat)
        assert len(hand) == wizard.hand, f"{wizard.seat} has {len(hand)} cards, the companion says {wizard.hand}"
        assert set(wizard.known_hand) <= set(hand), f"{wizard.seat} holds {wizard.known_hand}, has {hand}"
        assert cards_of(player.state, wizard) == COMBAT_DECK
        assert wizard.unnamed_cards == 0


# One action


def _overwritten(action: Action, seat: str, counters: Iterable[str]) -> bool:
    return isinstance(action, Set | Add) and action.target == seat and action.counter in counters


def cards_and_coppers_add_up(before: DungeonTable, action: Action, after: DungeonTable) -> None:
    """No card appears or vanishes; a purse changes by what was earned, stolen, spent, or is above the cap."""
    there = {wizard.seat for wizard in after.wizards}
    gone = [wizard for wizard in before.wizards if wizard.seat not in there]
    assert all(wizard.late == "waits" and after.outcome for wizard in gone), "somebody is not there any more"
    stayed = [wizard for wizard in before.wizards if wizard.seat in there]
    for old in stayed:
        new = after.wizard(old.seat)
        counted = are_counted(before, old) and are_counted(after, new)
        if counted and not _overwritten(action, old.seat, ("hand", "deck")):
            assert cards_of(before, old) == cards_of(after, new), f"{old.seat}: cards"
        brings = isinstance(action, do.Purse) and action.seat == old.seat
        if not brings and not _overwritten(action, old.seat, ("coppers", "earned")):
            gained = new.earned - old.earned
            assert new.purse == old.purse + gained - _left_purse(before, action, after, old), f"{old.seat}: purse"
        if not isinstance(action, Set | Add) and (old.hp, old.in_fight) != (0, True):
            assert (new.hp, new.in_fight) != (0, True), f"{old.seat} fights at 0 HP"
    if not isinstance(action, Set | Add):
        personal = sum(wizard.personal for wizard in after.wizards) - sum(old.personal for old in stayed)
        kills = len(after.killed_bosses) - len(before.killed_bosses)
        minions = len(before.minions) if after.house.minion_personal_glory else 0
        credited = kills if after.killer else 0  # nobody takes it where only cards of who has left hit (A1.72)
        assert credited <= personal <= credited + minions, "personal Glory and Bosses felled"


def _left_purse(before: DungeonTable, action: Action, after: DungeonTable, old: Wizard) -> int:
    """What an action takes out of a purse."""
    coppers = 0
    if isinstance(action, do.Patron) and action.choice == "steal" and action.other == old.seat:
        coppers += min(PATRON_STEAL, old.purse)
    if isinstance(action, do.Buy) and action.seat == old.seat:
        coppers += PRICES[INSCRIPTIONS[action.inscription].tier]
    cap = after.house.session_copper_cap
    if cap is not None and before.step in ROUND_STEPS and after.step not in ROUND_STEPS:
        new = after.wizard(old.seat)
        coppers += min(max(0, new.earned - cap), old.purse + new.earned - old.earned)
    return coppers


# The questions


def prompts_are_honest(session: Session) -> None:
    """Every answer that is whole is legal, and there is a way on until the game is sealed."""
    view = session.view()
    for prompt in view.prompts:
        names_whom_it_concerns(session.state, prompt)
        for answer in prompt.answers:
            assert answer.missing or accepts(GAME, session.state, answer), f"“{prompt.text}” offers `{answer.line}`"
    if view.step != "sealed" and not any(prompt.due for prompt in view.prompts):
        session.preview(Next())


def names_whom_it_concerns(state: DungeonTable, prompt: Prompt) -> None:
    """A question whose answers are one wizard's has that seat, and begins with the name; a kill's is the Killer's."""
    seats = {answer.given.get("seat", "") for answer in prompt.answers}
    if len(seats) == 1 and seats != {""}:
        assert {prompt.seat} == seats, prompt
    if state.step == "kill":
        assert prompt.seat == state.killer or prompt.answer.action is do.Deal, prompt
    if prompt.seat:
        assert str(prompt.text).startswith(f"{state.wizard(prompt.seat).name}: "), prompt


# The whole game


def marks_add_up(session: Session, stored: Stored) -> None:
    """What a sealed game writes makes of each record what the table shows: Glory, dungeons, labels, inscriptions."""
    state: DungeonTable = session.state
    marks = session.game.marks(state)
    payments = session.game.purses.payments(state)
    assert sorted(marks) == sorted(band.deck for band in state.bands.values() if band.deck)
    for wizard in state.wizards:
        band = state.bands[wizard.seat]
        before = stored.record(band.deck)
        now = GAME.record((*stored.marks[band.deck], *marks[band.deck]))
        assert now.glory == before.glory + wizard.glory
        assert now.dungeons == before.dungeons + 1
        assert now.inscribed == band.inscribed
        assert sorted(now.history) == sorted(band.history)
        assert now.retired == band.retired
        assert now.heirloom == wizard.heirloom
        for card, monster in now.monsters.items():
            assert monster.labels == state.monsters[Ref(f"{wizard.seat}:{card}")].labels
        holder = [other.name for other in state.wizards if other.holds == wizard.seat]
        assert now.holder == (holder[0] if holder else before.holder)
        paid = sum(payment.amount for payment in payments if payment.name == wizard.name)
        assert paid == wizard.purse - wizard.starting_purse


def most_hp(state: DungeonTable) -> int:
    """What HP can be at most under the house rules (A1.11, A1.16)."""
    if state.house.overheal:
        return 10 * FULL_HP
    return FULL_HP + 5 if state.house.kill_bonus_timing == "after-reset" else FULL_HP
