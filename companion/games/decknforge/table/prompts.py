"""The questions to the players, with the actions that answer them and the seats they concern."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Final

from companion.games.decknforge.book.inscriptions import effects
from companion.games.decknforge.book.state import DungeonTable, Upcard, Wizard, count_of, join_words
from companion.games.decknforge.glossary import title
from companion.games.decknforge.rules import actions as do
from companion.games.decknforge.rules import (
    after_fight,
    attacks,
    damage,
    drafting,
    kill,
    labelling,
    loose,
    payments,
    reveal,
    round_steps,
    setup,
    tactics,
)
from companion.games.decknforge.rules.arithmetic import TACTIC_VALUE, atk, dodge_bar, face
from companion.games.decknforge.rules.setup import MOST_WIZARDS, fragile_bands
from companion.games.decknforge.table import watchlist
from companion.tabletop import tracking
from companion.tabletop.action import Action
from companion.tabletop.notation.cards import Card, pretty, suit
from companion.tabletop.table import rule_questions
from companion.tabletop.table.common_actions import Next
from companion.tabletop.table.house_rules import DRAW_ONE
from companion.tabletop.table.table import Draft, Prompt, draft
from companion.tabletop.text import signed_figure

_Targets = tuple[Upcard | None, ...]
"""The revealed cards that a Tactic may target; None for a Tactic without a target."""


def _ask_all(text: str, answer: Draft, *others: Draft, due: bool = True) -> Prompt:
    """Return a question to everybody at the table."""
    return Prompt(text, answer, due=due, others=others)


def _ask_wizard(wizard: Wizard, text: str, answer: Draft, *others: Draft, due: bool = True) -> Prompt:
    """Return a question to one wizard, by name."""
    return Prompt(f"{wizard.name}: {text}", answer, wizard.seat, due, others)


def prompts(state: DungeonTable) -> tuple[Prompt, ...]:
    """Return the questions of the present step, in order."""
    ask = _ASKS[state.step] if state.tracks_all else _OF_THE_FIGHT.get(state.step, _ASKS[state.step])
    unknown = (*tracking.questions(state), *_unknown(state)) if state.step in _ROUND else ()
    return (*unknown, *ask(state))


def _unknown(state: DungeonTable) -> Iterator[Prompt]:
    """Yield questions about a late wizard's hand (R1.4), and about unnamed cards (R1.35, R1.I02, R1.I21)."""
    for wizard in state.wizards:
        if wizard.deal_open:
            few, many = setup.opening_hands(state)
            refill = draft(do.Deal, f"{few}, as at a Refill", seat=wizard.seat, cards=few)
            start = draft(do.Deal, f"{many}, as at the start", seat=wizard.seat, cards=many)
            text = f"begin with {few} cards, as at a Refill, or {many}, as {len(state.wizards)} wizards start with?"
            yield _ask_wizard(wizard, text, refill, start)
    for wizard in state.clockwise():
        for card in payments.doubtful_cards(state, wizard):
            paid = draft(do.Among, "it was paid", seat=wizard.seat, cards=(card,))
            held = draft(do.Hold, "still held", seat=wizard.seat, card=card)
            yield _ask_wizard(
                wizard, f"is {pretty(card)} still in hand, or among the cards that nobody named?", held, paid
            )
        if cards := payments.cards_that_act(state, wizard):
            none = draft(do.Among, "none of these", seat=wizard.seat, cards=())
            ways = (
                draft(do.Among, _card_with_effects(state, wizard, card), seat=wizard.seat, cards=(card,))
                for card in cards
            )
            named = " or ".join(map(pretty, cards))
            dodged = count_of(wizard.unnamed_dodge, "unnamed card")
            yield _ask_wizard(wizard, f"dodged with {dodged}; was {named} among them?", none, *ways)
    if state.step in ("declare", "damage") or (state.step == "reveal" and not state.tracks_all):
        yield from _shields(state)


def _card_with_effects(state: DungeonTable, wizard: Wizard, card: Card) -> str:
    on_card = (effect for effect in effects(state, wizard.seat, card) if effect.acts_on_dodge)
    return f"{pretty(card)} ({join_words(effect.log_title for effect in on_card)})"


def _shields(state: DungeonTable) -> Iterator[Prompt]:
    """Ask once for the unnamed Spades of each wizard whose Convert counts them (R1.35)."""
    seats = dict.fromkeys(upcard.controller for upcard in payments.open_shields(state))
    for wizard in map(state.wizard, seats):
        unnamed = payments.describe_unnamed(state, wizard)
        lie = "lies" if unnamed.startswith("1 ") else "lie"
        text = f"{unnamed} {lie} committed; how many Spades?"
        yield _ask_wizard(wizard, text, draft(do.Spades, seat=wizard.seat))


def _setup(state: DungeonTable) -> Iterator[Prompt]:
    if len(state.wizards) < MOST_WIZARDS:
        yield _ask_all("Who sits next, clockwise?", draft(do.BandSeat), due=not state.wizards)
    if state.wizards:
        starts = f"{state.wizard(state.active).name} starts"
        yield _ask_all(f"Who was underground last? {starts}.", draft(do.Active), due=False)
        yield from tuple(_fragile(state)) or (_ask_all("Begin the dungeon", draft(do.BeginDungeon)),)
        if not state.order and not state.house.table_draws:
            flipped = Draft(do.Bosses, asks=("monsters",))
            yield _ask_all("Which Boss was flipped first? Else chance decides", flipped, due=False)
        yield from rule_questions.before_game(state)


def _fragile(state: DungeonTable) -> Iterator[Prompt]:
    """Yield questions about bands with too few inscribed cards to begin, if the house rule requires more (A1.2)."""
    for seat, findings in fragile_bands(state):
        if not all(finding.warning for finding in findings):
            count = len(state.bands[seat].inscribed)
            text = f"{count} inscribed card{'s are' if count > 1 else ' is'} too few here; name more"
            yield _ask_wizard(state.wizard(seat), text, draft(do.InscribedCard, seat=seat))


FLIPPED: Final = "the one that you flipped"


def _flip(state: DungeonTable) -> Iterator[Prompt]:
    """Ask which Monster was flipped as the next Boss (R1.11)."""
    flipped = Draft(do.Bosses, note=FLIPPED, asks=("monsters",))
    if not state.house.table_draws:
        yield _ask_all(f"Boss {state.number} comes", draft(do.Bosses, "the program draws it", is_drawn=True), flipped)
        return
    text = f"Boss {state.number}: which Monster did you flip?"
    yield _ask_drawn_card(text, flipped, draft(do.Bosses, DRAW_ONE, is_drawn=True))


def _ask_drawn_card(text: str, named: Draft, *others: Draft, wizard: Wizard | None = None) -> Prompt:
    """Ask which card was drawn by hand: the possible ones are listed before the offer to draw for the players."""
    text, seat = (f"{wizard.name}: {text}", wizard.seat) if wizard else (text, "")
    return Prompt(text, named, seat, others=others, lists_values=True)


def _labels(state: DungeonTable) -> Iterator[Prompt]:
    """Offer the first wizard the option to add a label; those after may only decline already (R1.71)."""
    wizards = [state.wizard(seat) for seat in labelling.open_to(state)]
    for wizard in wizards[:1]:
        add = draft(do.AddLabel, seat=wizard.seat)
        yield _ask_wizard(wizard, "add a label to the Boss, or decline", draft(do.Decline, seat=wizard.seat), add)
    for wizard in wizards[1:]:
        yield _ask_wizard(
            wizard, f"add a label after {wizards[0].name}, or decline now", draft(do.Decline, seat=wizard.seat)
        )


def _reveal(state: DungeonTable) -> Iterator[Prompt]:
    plotters = reveal.plotters(state)
    for wizard in plotters:
        yield _ask_wizard(wizard, "reveal a card", draft(do.Reveal, seat=wizard.seat))
    for wizard in state.fighting():
        if wizard.patrons:
            text = f"The Patron heals somebody up to {reveal.PATRON_HEAL}, or steals up to {reveal.PATRON_STEAL}c"
            yield _ask_wizard(wizard, text, *_patron(state, wizard))
        if reveal.may_reveal_again(state, wizard):
            text = "reveal a second card (Doublestrike), or go on"
            yield _ask_wizard(wizard, text, draft(do.Reveal, seat=wizard.seat), due=False)
    yield from _declarable(state)
    if not plotters:
        yield from _will(state)
        if not any(wizard.patrons for wizard in state.fighting()):
            yield _ask_all("Go on to the Tactics", draft(Next), due=False)


def _patron(state: DungeonTable, wizard: Wizard) -> Iterator[Draft]:
    for choice in ("heal", "steal"):
        for other in state.clockwise(wizard.seat)[1:]:
            if not reveal.patron_refusal(wizard, choice, other):
                note = f"{choice} {other.name}: {reveal.describe_patron(state, choice, other)}"
                yield draft(do.Patron, note, seat=wizard.seat, choice=choice, other=other.seat)


def _will(state: DungeonTable) -> Iterator[Prompt]:
    """Offer Wizard's Will to the wizards who could hold it."""
    for wizard in state.fighting() if len({upcard.controller for upcard in state.revealed}) > 1 else ():
        if not reveal.will_refusal(state, wizard):
            text = "Wizard's Will may swap two revealed cards"
            yield _ask_wizard(wizard, text, draft(do.Will, seat=wizard.seat), due=False)


def _tactics(state: DungeonTable) -> Iterator[Prompt]:
    if seat := tactics.seat_to_act(state):
        wizard = state.wizard(seat)
        offers = tuple(_tactics_of(state, wizard))
        text = f"Tactic ({_price_texts(offers)}) or pass" if offers else "pass"
        yield _ask_wizard(wizard, text, draft(do.Pass, seat=seat), *offers)
    yield from _will(state)
    yield _ask_all("Everybody else passes", draft(Next), due=False)


def _price_texts(offers: tuple[Draft, ...]) -> str:
    """Return the present cost of each Tactic; if it depends on the target, every different cost."""
    prices: dict[str, dict[str, None]] = {}
    for offer in offers:
        # The note of a Tactic begins with its cost.
        prices.setdefault(offer.action.verb(), {}).update(
            dict.fromkeys(str(offer.note).partition(":")[0].split(" or "))
        )
    return ", ".join(f"{tactic} {' or '.join(costs)}" for tactic, costs in prices.items())


def _tactics_of(state: DungeonTable, wizard: Wizard) -> Iterator[Draft]:
    """Yield the Tactics that a wizard can pay, as the beginning of their line, with cost and effect."""
    own = state.cards_of(wizard.seat)
    others = [(other, _open_cards(state, other)) for other in state.clockwise(wizard.seat)[1:]]
    yield from _affordable_drafts(state, wizard, do.Spike, own, _face_change_text(state, "own card", TACTIC_VALUE))
    for other, cards in () if tactics.foil_forbidden(state) else others:
        foil = _face_change_text(state, other.name, -TACTIC_VALUE)
        yield from _affordable_drafts(state, wizard, do.Foil, cards, foil, other=other.seat)
    for other, cards in others if own else ():
        yield from _affordable_drafts(
            state, wizard, do.Snipe, cards, _fixed_text(f"swap with {other.name}"), other=other.seat
        )
    yield from _affordable_drafts(state, wizard, do.Brace, (None,), _fixed_text("no Boss damage"))


def _fixed_text(text: str) -> Callable[[_Targets], str]:
    """Return a function for an effect that does not depend on the target."""
    return lambda _: text


def _face_change_text(state: DungeonTable, what: str, change: int) -> Callable[[_Targets], str]:
    """Return a function that describes a Spike's or Foil's effect on F: `own card +3`, `Ben −1`, `Ben −1 or −3`."""

    def effect(targets: _Targets) -> str:
        cards = (upcard for upcard in targets if upcard is not None)
        changes = sorted({face(state, tactics.changed_by(upcard, change)) - face(state, upcard) for upcard in cards})
        return f"{what} {' or '.join(map(signed_figure, changes[::-1]))}"

    return effect


def _open_cards(state: DungeonTable, other: Wizard) -> tuple[Upcard, ...]:
    """Return the revealed cards of another wizard that a Tactic may target."""
    return tuple(upcard for upcard in state.cards_of(other.seat) if not tactics.is_untouchable(state, upcard))


def _affordable_drafts(
    state: DungeonTable,
    wizard: Wizard,
    action: type[Action],
    targets: _Targets,
    effect: Callable[[_Targets], str],
    **given: Any,
) -> Iterator[Draft]:
    """Yield a Tactic with its costs and effect for the targets that the hand can pay."""
    costs = {upcard: tactics.tactic_cost(state, action.verb(), upcard) for upcard in targets}
    able = {upcard: cost for upcard, cost in costs.items() if state.holds(wizard, cost.cards)}
    if able:
        # In a cost, the number of cards comes first.
        price = " or ".join(dict.fromkeys(str(cost) for cost in sorted(able.values())))
        yield Draft(action, {"seat": wizard.seat, **given}, f"{price}: {effect(tuple(able))}")


def _declare(state: DungeonTable) -> Iterator[Prompt]:
    yield _ask_all("Resolve the damage; who declared nothing attacks the Boss", draft(do.Damage))
    yield from _declarable(state)


def _declarable(state: DungeonTable) -> Iterator[Prompt]:
    """Yield questions about the cards that may still do something other than attack the Boss (R1.24a, R1.60, A1.6)."""
    for wizard in state.clockwise():
        cards = state.cards_of(wizard.seat)
        for upcard in cards:
            if not upcard.declared and (declarations := tuple(_declarations(state, wizard, upcard, len(cards) > 1))):
                ways = [str(declaration.note).partition(":")[0] for declaration in declarations]
                alternatives = "".join(f", {way}" for way in ways[:-1]) + f", or {ways[-1]}"
                yield _ask_wizard(
                    wizard, f"{upcard.title} ({face(state, upcard)}) attacks{alternatives}", *declarations, due=False
                )


def _declarations(state: DungeonTable, wizard: Wizard, upcard: Upcard, several: bool) -> Iterator[Draft]:
    """Yield the alternatives of a card to attacking the Boss; if there are `several` cards, the line names it."""
    if upcard in reveal.open_converts(state):
        which: dict[str, Any] = {"card": upcard.card} if several else {}
        yield draft(do.Convert, f"Converts: {_convert_yield(state, upcard)}", seat=wizard.seat, **which)
    if state.step != "reveal" and damage.aimable_minions(state):
        yield Draft(do.Target, {"seat": wizard.seat}, "aims at a Minion", ("card",) if several else ())


_YIELDS: Final = {"S": "shield {}", "H": "heal {} HP", "C": "draw {}", "D": "{} Coppers"}


def _convert_yield(state: DungeonTable, upcard: Upcard) -> str:
    """Return what a card yields instead of its damage (R1.35–R1.39)."""
    as_suit = suit(upcard.card)
    gain = reveal.convert_gain(state, upcard, as_suit)
    unknown = as_suit == "S" and payments.spades_unknown(state, state.wizard(upcard.controller))
    more = " or more" if unknown else ""
    return f"{_YIELDS[as_suit].format(gain)}{more}, no damage"


def _kill(state: DungeonTable) -> Iterator[Prompt]:
    killer = state.wizard(state.killer or "")
    if kill.asks_curse(state):
        cards = ", ".join(map(pretty, state.bands[killer.seat].inscribed))
        by_chance = [draft(Next, DRAW_ONE)] if state.house.cursed_choice == "random" else []
        yield _ask_wizard(
            killer, f"Cursed takes one inscription: {cards}", draft(do.Curse, seat=killer.seat), *by_chance
        )
        return
    choices = ("surge", "rally") if state.is_last_boss else ("momentum", "surge", "rally")
    answers = tuple(draft(do.Bonus, f"{each} ({kill.describe_bonus(state, each)})", choice=each) for each in choices)
    yield _ask_wizard(killer, f"choose a bonus: {', '.join(answer.given['choice'] for answer in answers)}", *answers)


def _attacks(state: DungeonTable) -> Iterator[Prompt]:
    if state.minion_due:
        yield _ask_minion(state, "A Minion comes before the attacks", do.Escalate)
        return
    for wizard in state.fighting():
        foes = attacks.open_attacks(state, wizard)
        if foes and not (state.step == "attack" and wizard.answers):
            foe = foes[0]
            amount = attacks.attack_damage(state, wizard)
            answers = [draft(do.Take, f"take {amount} from {state.foe_title(foe)}", seat=wizard.seat)]
            if state.holds(wizard):
                dodge = f"dodge with {dodge_bar(state, foe) + 1}+"
                answers.append(draft(do.Dodge, dodge, seat=wizard.seat))
            yield _ask_wizard(wizard, " or ".join(str(answer.note) for answer in answers), *answers)
    yield _ask_all("Everybody takes what is still open", draft(Next), due=False)


def _refill(state: DungeonTable) -> Iterator[Prompt]:
    if not round_steps.has_escalation(state):
        yield _ask_all("Refill: everybody draws", draft(do.Refill))
    elif state.minions_left:
        yield _ask_minion(state, "Refill: everybody draws, a Minion comes", do.Refill)
    else:
        yield _ask_all("Refill: everybody draws, the pool is empty: ATK +1", draft(do.Refill))


def _ask_minion(state: DungeonTable, text: str, line: type[do.Refill | do.Escalate]) -> Prompt:
    """Ask for the Minion if it is drawn by hand; otherwise it is drawn, but may be named (R1.30)."""
    if state.house.table_draws and state.minions_left:
        flipped = Draft(line, note=FLIPPED, asks=("minion",))
        return _ask_drawn_card(f"{text}: which one?", flipped, draft(line, DRAW_ONE, is_drawn=True))
    drawn_by_hand = Draft(line, note="as the table drew it", asks=("minion",))
    return _ask_all(text, draft(line), *((drawn_by_hand,) if state.minions_left else ()))


def _fading(state: DungeonTable) -> Iterator[Prompt]:
    for wizard in state.wizards:
        if wizard.has_faded:
            continue
        if wizard.fading_draw:
            lines = []
            for card in wizard.fading_draw:
                bearing = f"{pretty(card)} with {join_words(map(title, state.bands[wizard.seat].inscribed[card]))}"
                lines.append(draft(do.Fade, bearing, seat=wizard.seat, fades=card))
            yield _ask_wizard(wizard, f"which of {' and '.join(map(pretty, wizard.fading_draw))} fades?", *lines)
        else:
            due = after_fight.cards_to_draw(state, wizard)
            cards, drawn_by_hand = (
                count_of(due, "Blessed card"),
                Draft(do.Fade, {"seat": wizard.seat}, "as drawn at the table", ("cards",)),
            )
            if state.house.table_draws:
                by_app = draft(do.Fade, DRAW_ONE if due == 1 else "draw them for us", seat=wizard.seat, is_drawn=True)
                yield _ask_drawn_card(f"draw {cards} for Fading: which came?", drawn_by_hand, by_app, wizard=wizard)
            else:
                by_app = draft(do.Fade, "the app draws", seat=wizard.seat)
                yield _ask_wizard(wizard, f"draw {cards} for Fading (or let the app draw)", by_app, drawn_by_hand)
    if tied := drafting.tied_for_lot(state):
        names, first = join_words(wizard.name for wizard in tied), "picks first"
        winners = [draft(do.Lots, f"{wizard.name} {first}", seats=(wizard.seat,)) for wizard in tied]
        by_app = draft(do.Lots, "draw it for us", is_drawn=True)
        yield _ask_all(f"{names} are tied in the draft: who wins the lot?", *winners, by_app)
    yield from _heirlooms(state)


def _heirlooms(state: DungeonTable) -> Iterator[Prompt]:
    for wizard in state.wizards:
        band = state.bands[wizard.seat]
        if band.retired and not wizard.heirloom:
            answer = draft(do.Heirloom, seat=wizard.seat)
            yield _ask_wizard(wizard, f"choose the heirloom of {band.name}", answer, due=False)


def _drifting(state: DungeonTable) -> Iterator[Prompt]:
    wizard = state.wizard(drafting.next_pick(state))
    decks, lines = [], []
    for brought in drafting.left_to_pick(state):
        deck, details = drafting.deck_of(state, brought), drafting.describe_deck(state, brought)
        # The name of a band yet to be built includes its wizard's.
        decks.append(deck if state.bands[brought].retired else f"{deck} ({state.wizard(brought).name})")
        lines.append(draft(do.Pick, f"{deck} · {details}" if details else deck, seat=wizard.seat, brought=brought))
    yield _ask_wizard(wizard, f"pick one of {', '.join(decks)}", *lines)
    if not any(state.wizard(seat).holds for seat in state.draft):
        for absent in (each for each in state.wizards if drafting.sits_out(state, each)):
            text = f"left and keeps {state.bands[absent.seat].name}; do they draft all the same?"
            yield _ask_wizard(absent, text, draft(do.TakePart, seat=absent.seat), due=False)
    yield from _heirlooms(state)


def _turning(state: DungeonTable) -> Iterator[Prompt]:
    for wizard in state.wizards:
        band = after_fight.band_to_inscribe(state, wizard)
        if band is None or drafting.sits_out(state, wizard):
            continue
        yield from _memories(state, wizard)
        if wizard.mythics and after_fight.has_room(state, wizard):
            text = f"place {count_of(wizard.mythics, 'Mythic')} on {band.name}"
            yield _ask_wizard(wizard, text, _shop_draft(do.Mythic, wizard), due=False)
        if after_fight.on_sale(state, wizard):
            yield _ask_wizard(
                wizard,
                f"buy inscriptions for {band.name}, with {wizard.purse}c",
                _shop_draft(do.Buy, wizard),
                due=False,
            )
    yield from _heirlooms(state)
    yield from _loose(state)
    yield _ask_all("Seal the game into the records", draft(do.Seal))


def _loose(state: DungeonTable) -> Iterator[Prompt]:
    """Offer to keep the gains of loose bands' wizards that would be lost with the seal."""
    for wizard in state.wizards:
        if what := loose.unkept_purse(state, wizard):
            text = f"{what} will be lost, as {state.bands[wizard.seat].name} is loose; keep that in a purse?"
            yield _ask_wizard(wizard, text, draft(do.KeepPurse, seat=wizard.seat), due=False)


def _shop_draft(action: type[Action], wizard: Wizard) -> Draft:
    """Return a draft that asks for the inscription before the card."""
    return Draft(action, {"seat": wizard.seat}, order=("inscription", "card"))


def _memories(state: DungeonTable, wizard: Wizard) -> Iterator[Prompt]:
    """Offer Tower's Memory to a wizard who holds another band than the one they played (R1.I23)."""
    for card in after_fight.cards_to_carry_over(state, wizard.seat):
        text = f"Tower's Memory may take {pretty(card)} along to {state.bands[wizard.holds].name}"
        yield _ask_wizard(wizard, text, draft(do.Memory, seat=wizard.seat, card=card), due=False)


def _watchlist(state: DungeonTable) -> Iterator[Prompt]:
    """Ask the playtest questions that only the players can answer (§8)."""
    for key in watchlist.open_questions(state):
        yes, no = (draft(do.Watch, answer, question=key, answer=answer) for answer in ("yes", "no"))
        yield _ask_all(f"Playtest: {watchlist.QUESTIONS[key]}", yes, no, due=False)


def _ask_total(state: DungeonTable) -> Iterator[Prompt]:
    """Ask for the total of a round of which only the fight is tracked; revealing cards is optional."""
    assert state.boss is not None
    whole = Draft(do.Damage, {}, "all cards and labels together; what kills, with whose card was highest", ("amount",))
    none = draft(Next, "the revealed cards alone" if state.revealed else "nothing hurts the Boss: Pressure")
    text = f"Round {state.round}: how much damage does the party do to the Boss ({state.boss.hp} HP)?"
    yield _ask_all(text, whole)
    yield _ask_all("The round goes on without a sum", none, due=False)
    for wizard in reveal.plotters(state):
        yield _ask_wizard(wizard, "reveal a card, if you like", draft(do.Reveal, seat=wizard.seat), due=False)
    yield from _declarable(state)


def _strikes(state: DungeonTable) -> Iterator[Prompt]:
    """Ask about the attacks if only the fight is tracked: everybody takes them, except those named as dodging."""
    if state.minion_due:
        yield from _attacks(state)
        return
    opens = [(wizard, foes[0]) for wizard in state.fighting() if (foes := attacks.open_attacks(state, wizard))]
    if state.step == "attack":
        opens = [(wizard, foe) for wizard, foe in opens if not wizard.answers]
    strikes = ", ".join(f"{state.foe_title(foe)} {atk(state, foe)}" for foe in dict.fromkeys(foe for _, foe in opens))
    dodges = (
        draft(do.Dodge, f"{wizard.name} dodged {state.foe_title(foe)}, or Braced", seat=wizard.seat, cards=1)
        for wizard, foe in opens
    )
    yield _ask_all(f"{strikes}: everybody takes it, but for who dodged", draft(Next), *dodges)


_ROUND: Final = frozenset(round_steps.DUNGEON_STEPS)
_OF_THE_FIGHT: Final[dict[str, Callable[[DungeonTable], Iterator[Prompt]]]] = {
    "reveal": _ask_total,
    "attack": _strikes,
    "minions": _strikes,
}
"""Questions that differ if only the fight is tracked."""

_ASKS: Final[dict[str, Callable[[DungeonTable], Iterator[Prompt]]]] = {
    "setup": _setup,
    "flip": _flip,
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
