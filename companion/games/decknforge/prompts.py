"""What the people at the table should do now: a prompt a question, with the line that answers it filled in."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Final

from companion.games.action import Action
from companion.games.cards import pretty
from companion.games.decknforge import actions as do
from companion.games.decknforge import after, attacks, damage, kill, labelling, reveal, tactics, watchlist
from companion.games.decknforge.arithmetic import atk, dodge_bar, face
from companion.games.decknforge.state import BOSSES, DungeonTable, Revealed, Wizard
from companion.games.draft import Draft, draft
from companion.games.lines import Next
from companion.games.table import Prompt


def _prompt(text: str, action: type[Action], due: bool = True, others: tuple[Draft, ...] = (), **given: Any) -> Prompt:
    """A question answered by an action, as far as its fields are `given`."""
    return Prompt(text, Draft(action, given), given.get("seat", ""), due, others)


def prompts(state: DungeonTable) -> tuple[Prompt, ...]:
    """The questions of the present step, in the order in which they are asked."""
    return tuple(_ASKS[state.step](state))


def _setup(state: DungeonTable) -> Iterator[Prompt]:
    if len(state.wizards) < 5:
        yield _prompt("Who sits next, clockwise?", do.BandSeat, due=not state.wizards)
    if state.wizards:
        yield _prompt(f"Who was underground last? {state.wizard(state.active).name} starts.", do.Active, due=False)
        yield _prompt("Begin the dungeon", do.BeginDungeon)
        yield _prompt("Which Boss was flipped first? Else chance decides", do.Bosses, due=False)


def _labels(state: DungeonTable) -> Iterator[Prompt]:
    for seat in labelling.open_to(state):
        name = state.wizard(seat).name
        text = f"{name}: add a label to the Boss, or decline"
        others = (draft(do.AddLabel, seat=seat),)
        yield _prompt(text, do.Decline, others=others, seat=seat)


def _reveal(state: DungeonTable) -> Iterator[Prompt]:
    for wizard in reveal.plotters(state):
        yield _prompt(f"{wizard.name}: reveal a card", do.Reveal, seat=wizard.seat)
    for wizard in state.fighting():
        if wizard.patrons:
            others = tuple(
                draft(do.Patron, seat=wizard.seat, choice=choice, other=other.seat)
                for choice in ("heal", "steal")
                for other in state.clockwise(wizard.seat)[1:]
                if choice == "steal" or other.in_fight
            )
            text = f"{wizard.name}: The Patron heals somebody 5, or steals 2c"
            yield Prompt(text, others[0], wizard.seat, others=others[1:])
        if wizard.more_reveals and wizard.hand:
            text = f"{wizard.name}: reveal a second card (Doublestrike), or go on"
            yield _prompt(text, do.Reveal, due=False, seat=wizard.seat)
    if not reveal.plotters(state):
        yield from _will(state)
        if not any(wizard.patrons for wizard in state.fighting()):
            yield _prompt("Go on to the Tactics", Next, due=False)


def _will(state: DungeonTable) -> Iterator[Prompt]:
    """The offer of Wizard's Will, to whom it could be in hand."""
    if len({shown.controller for shown in state.revealed}) < 2 or any(wizard.acted for wizard in state.wizards):
        return
    for wizard in state.fighting():
        if reveal.will_cards(state, wizard.seat):
            text = f"{wizard.name}: Wizard's Will may swap two revealed cards"
            yield _prompt(text, do.Will, due=False, seat=wizard.seat)


def _tactics(state: DungeonTable) -> Iterator[Prompt]:
    if seat := tactics.turn(state):
        wizard = state.wizard(seat)
        offers = tuple(_tactics_of(state, wizard))
        text = f"{wizard.name}: Tactic ({_prices(offers)}) or pass" if offers else f"{wizard.name}: pass"
        yield _prompt(text, do.Pass, others=offers, seat=seat)
    yield from _will(state)
    yield _prompt("Everybody else passes", Next, due=False)


def _prices(offers: tuple[Draft, ...]) -> str:
    """What each Tactic costs now; of those that several cards can be the target of, every price that differs."""
    prices: dict[str, dict[str, None]] = {}
    for offer in offers:
        prices.setdefault(offer.action.verb(), {})[offer.note] = None
    return ", ".join(f"{tactic} {' or '.join(costs)}" for tactic, costs in prices.items())


def _tactics_of(state: DungeonTable, wizard: Wizard) -> Iterator[Draft]:
    """The Tactics that a wizard can pay, as the beginning of their line, and what they cost now."""
    own = state.cards_of(wizard.seat)
    if own:
        yield from _affordable(wizard, tactics.cost(state, "spike", own[0]), do.Spike)
    for other, shown in _foilable(state, wizard):
        yield from _affordable(wizard, tactics.cost(state, "foil", shown), do.Foil, other=other.seat)
    for other, shown in _others(state, wizard) if own else ():
        yield from _affordable(wizard, tactics.cost(state, "snipe", shown), do.Snipe, other=other.seat)
    yield from _affordable(wizard, tactics.cost(state, "brace", None), do.Brace)


def _affordable(wizard: Wizard, cost: tactics.Cost, action: type[Action], **given: Any) -> Iterator[Draft]:
    if cost.cards <= wizard.hand:
        yield Draft(action, {"seat": wizard.seat, **given}, str(cost))


def _others(state: DungeonTable, wizard: Wizard) -> Iterator[tuple[Wizard, Revealed]]:
    """The other wizards whose card a Tactic may target."""
    for other in state.clockwise(wizard.seat)[1:]:
        open_cards = [shown for shown in state.cards_of(other.seat) if not tactics.is_untouchable(state, shown)]
        if open_cards:
            yield other, open_cards[0]


def _foilable(state: DungeonTable, wizard: Wizard) -> Iterator[tuple[Wizard, Revealed]]:
    return iter(()) if tactics.foil_forbidden(state) else _others(state, wizard)


def _declare(state: DungeonTable) -> Iterator[Prompt]:
    yield _prompt("Resolve the damage; who declared nothing attacks the Boss", do.Damage)
    for wizard in state.clockwise():
        for shown in state.cards_of(wizard.seat):
            if not shown.declared and damage.may_convert(state, shown):
                text = f"{wizard.name}: {shown.title} ({face(state, shown)}) attacks, or Converts"
                which: dict[str, Any] = {"card": shown.card} if len(state.cards_of(wizard.seat)) > 1 else {}
                yield _prompt(text, do.Convert, due=False, seat=wizard.seat, **which)
    for minion in state.minions:
        text = f"Aim a card at the Minion {state.monster_title(minion.ref)}: `target SEAT {minion.ref}`"
        yield _prompt(text, do.Target, due=False)


def _kill(state: DungeonTable) -> Iterator[Prompt]:
    killer = state.wizard(state.killer or "")
    if kill.asks_curse(state):
        cards = tuple(state.bands[killer.seat].inscribed)
        text = f"{killer.name}: Cursed takes one inscription: {', '.join(map(pretty, cards))}"
        yield _prompt(text, do.Curse, seat=killer.seat)
        return
    choices = [("rally", "all +5"), ("surge", "draw 3")]
    choices += [("momentum", "next Boss −10")] if state.number < BOSSES else []
    first, *rest = reversed(choices)
    text = f"{killer.name}: {' · '.join(f'{choice} ({what})' for choice, what in (first, *rest))}"
    answer, *others = (draft(do.Bonus, what, choice=choice) for choice, what in (first, *rest))
    yield Prompt(text, answer, killer.seat, others=tuple(others))


def _attacks(state: DungeonTable) -> Iterator[Prompt]:
    for wizard in state.fighting():
        foes = attacks.open_attacks(state, wizard)
        if foes and not (state.step == "attack" and wizard.answers):
            foe = foes[0]
            title = "the Boss" if state.boss is not None and foe.ref == state.boss.ref else state.monster_title(foe.ref)
            value = max(0, atk(state, foe) - wizard.shield)
            text = f"{wizard.name}: take {value} from {title} or dodge with {dodge_bar(state, foe) + 1}+"
            others = (draft(do.Dodge, seat=wizard.seat),) if wizard.hand else ()
            yield _prompt(text, do.Take, others=others, seat=wizard.seat)
    yield _prompt("Everybody takes what is still open", Next, due=False)


def _refill(state: DungeonTable) -> Iterator[Prompt]:
    what = "a Minion comes" if state.pool else "the pool is empty: ATK +1"
    others = (Draft(do.Refill, note="as the table drew it", asks=("minion",)),) if state.pool else ()
    yield _prompt(f"Refill: everybody draws, {what}", do.Refill, others=others)


def _fading(state: DungeonTable) -> Iterator[Prompt]:
    for wizard in state.wizards:
        if wizard.faded:
            continue
        if wizard.drawn:
            lines = tuple(draft(do.Fade, seat=wizard.seat, cards=wizard.drawn, fades=card) for card in wizard.drawn)
            text = f"{wizard.name}: which of {' and '.join(map(pretty, wizard.drawn))} fades?"
            yield Prompt(text, lines[0], wizard.seat, others=lines[1:])
        else:
            due = after.cards_to_draw(state, wizard)
            text = f"{wizard.name}: draw {due} Blessed card{'s' if due > 1 else ''} for Fading (or let the app draw)"
            yield _prompt(text, do.Fade, seat=wizard.seat)
    yield from _heirlooms(state)


def _heirlooms(state: DungeonTable) -> Iterator[Prompt]:
    for wizard in state.wizards:
        band = state.bands[wizard.seat]
        if band.retired and not wizard.heirloom:
            text = f"{wizard.name}: choose the heirloom of {band.name}"
            lines = tuple(
                draft(do.Heirloom, seat=wizard.seat, inscription=name) for name in dict.fromkeys(band.history)
            )
            yield Prompt(text, lines[0], wizard.seat, due=False, others=lines[1:])


def _drifting(state: DungeonTable) -> Iterator[Prompt]:
    seat = after.next_pick(state)
    left = after.left_to_pick(state)
    lines = tuple(draft(do.Pick, seat=seat, brought=brought) for brought in left)
    names = ", ".join(state.bands[brought].name for brought in left)
    yield Prompt(f"{state.wizard(seat).name}: pick one of {names}", lines[0], seat, others=lines[1:])
    yield from _heirlooms(state)


def _turning(state: DungeonTable) -> Iterator[Prompt]:
    for wizard in state.wizards:
        if not wizard.holds:
            continue
        yield from _memories(state, wizard)
        if wizard.mythics:
            text = f"{wizard.name}: place {wizard.mythics} Mythic"
            yield _prompt(text, do.Mythic, due=False, seat=wizard.seat)
        text = f"{wizard.name}: buy with {wizard.purse}c (5, 10, 20)"
        yield _prompt(text, do.Buy, due=False, seat=wizard.seat)
    yield from _heirlooms(state)
    yield _prompt("Seal the game into the records", do.Seal)
    yield from _watchlist(state)


def _memories(state: DungeonTable, wizard: Wizard) -> Iterator[Prompt]:
    """The offer of Tower's Memory, to who holds another band than the one they played (R1.I23)."""
    for card in after.remembered(state, wizard.seat):
        text = f"{wizard.name}: Tower's Memory may take {pretty(card)} along to {state.bands[wizard.holds].name}"
        yield _prompt(text, do.Memory, due=False, seat=wizard.seat, card=card)


def _watchlist(state: DungeonTable) -> Iterator[Prompt]:
    """The playtest questions that only the people can answer (§8)."""
    for key in watchlist.open_questions(state):
        no = draft(do.Watch, question=key, answer="no")
        text = f"Playtest: {watchlist.QUESTIONS[key]}"
        yield _prompt(text, do.Watch, due=False, others=(no,), question=key, answer="yes")


_ASKS: Final[dict[str, Callable[[DungeonTable], Iterator[Prompt]]]] = {
    "setup": _setup,
    "labels": _labels,
    "reveal": _reveal,
    "tactics": _tactics,
    "declare": _declare,
    "damage": _declare,
    "kill": _kill,
    "attack": _attacks,
    "minions": _attacks,
    "refill": _refill,
    "fading": _fading,
    "drifting": _drifting,
    "turning": _turning,
    "sealed": _watchlist,
}
