"""The questions to the players, with the actions that answer them and the seats they concern."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final, NamedTuple

from msgspec.structs import replace

from companion.games.decknforge.book.inscriptions import effects
from companion.games.decknforge.book.state import DungeonTable, Upcard, Wizard
from companion.games.decknforge.glossary import effect_title
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
from companion.games.decknforge.rules.arithmetic import TACTIC_VALUE, atk, compute_strike, dodge_bar, face
from companion.games.decknforge.rules.setup import MOST_WIZARDS, fragile_bands
from companion.games.decknforge.table import watchlist
from companion.tabletop import tracking
from companion.tabletop.action import Action
from companion.tabletop.notation.cards import Card, card_title, suit
from companion.tabletop.table import rule_questions
from companion.tabletop.table.common_actions import Next
from companion.tabletop.table.house_rules import DRAW_ONE
from companion.tabletop.table.table import Draft, Prompt, draft
from templates.languages.messages import (
    Message,
    Text,
    WithinSentence,
    all_of,
    any_of,
    joined,
    listed,
    phrase,
    phrases,
    signed,
)

_Targets = tuple[Upcard | None, ...]
"""The revealed cards that a Tactic may target; None for a Tactic without a target."""


def _ask_all(text: Text, answer: Draft, *others: Draft, due: bool = True) -> Prompt:
    """Return a question to everybody at the table."""
    return Prompt(text, answer, due=due, others=others)


def _ask_wizard(
    wizard: Wizard, text: Text, answer: Draft, *others: Draft, due: bool = True, is_secret: bool = False
) -> Prompt:
    """Return a question to one wizard, by name."""
    return Prompt(_addressed(wizard, text), answer, wizard.seat, due, others, is_secret=is_secret)


def _addressed(wizard: Wizard, text: Text) -> Message:
    # Translators: {question} is what a player is asked or may do: “Ana: reveal a card”.
    return phrase("{player}: {question}", player=wizard.name, question=text)


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
            refill = draft(do.Deal, phrase("{cards}, as at a Refill", cards=few), seat=wizard.seat, cards=few)
            start = draft(do.Deal, phrase("{cards}, as at the start", cards=many), seat=wizard.seat, cards=many)
            text = phrase(
                "begin with {few} cards, as at a Refill, or {many}, as {wizards} wizards start with?",
                few=few,
                many=many,
                wizards=len(state.wizards),
            )
            yield _ask_wizard(wizard, text, refill, start)
    for wizard in state.clockwise():
        for card in payments.doubtful_cards(state, wizard):
            paid = draft(do.Among, phrase("it was paid"), seat=wizard.seat, cards=(card,))
            held = draft(do.Hold, phrase("still held"), seat=wizard.seat, card=card)
            text = phrase("is {card} still in hand, or among the unnamed cards?", card=card_title(card))
            yield _ask_wizard(wizard, text, held, paid)
        if cards := payments.cards_that_act(state, wizard):
            none = draft(do.Among, phrase("none of these"), seat=wizard.seat, cards=())
            ways = (
                draft(do.Among, _card_with_effects(state, wizard, card), seat=wizard.seat, cards=(card,))
                for card in cards
            )
            text = phrases(
                "dodged with {n} unnamed card; was {cards} among them?",
                "dodged with {n} unnamed cards; was {cards} among them?",
                n=wizard.unnamed_dodge,
                cards=any_of(map(card_title, cards)),
            )
            yield _ask_wizard(wizard, text, none, *ways)
    if state.step in ("declare", "damage") or (state.step == "reveal" and not state.tracks_all):
        yield from _shields(state)


def _card_with_effects(state: DungeonTable, wizard: Wizard, card: Card) -> Message:
    on_card = (effect for effect in effects(state, wizard.seat, card) if effect.acts_on_dodge)
    return phrase(
        "{card} ({inscriptions})", card=card_title(card), inscriptions=all_of(effect.log_title for effect in on_card)
    )


def _shields(state: DungeonTable) -> Iterator[Prompt]:
    """Ask once for the unnamed Spades of each wizard whose Convert counts them (R1.35)."""
    seats = dict.fromkeys(upcard.controller for upcard in payments.open_shields(state))
    for wizard in map(state.wizard, seats):
        text = (
            phrase("unnamed cards are committed; how many of them are Spades?")
            if payments.has_uncounted_cards(state, wizard)
            else phrases(
                "{n} unnamed card is committed; how many Spades, 0 or 1?",
                "{n} unnamed cards are committed; how many of them are Spades?",
                n=wizard.unnamed_cards,
            )
        )
        yield _ask_wizard(wizard, text, draft(do.Spades, seat=wizard.seat))


def _setup(state: DungeonTable) -> Iterator[Prompt]:
    if len(state.wizards) < MOST_WIZARDS:
        yield _ask_all(phrase("Who sits next, clockwise?"), draft(do.BandSeat), due=not state.wizards)
    if state.wizards:
        text = phrase("Who was underground last? {player} starts.", player=state.wizard(state.active).name)
        yield _ask_all(text, draft(do.Active).with_title(phrase("Say who starts")), due=False)
        yield from tuple(_fragile(state)) or (_ask_all(phrase("Begin the dungeon"), draft(do.BeginDungeon)),)
        if not state.order and not state.house.table_draws:
            flipped = Draft(do.Bosses, asks=("monsters",))
            yield _ask_all(phrase("Which Boss was flipped first? Otherwise chance decides"), flipped, due=False)
        yield from rule_questions.before_game(state)


def _fragile(state: DungeonTable) -> Iterator[Prompt]:
    """Yield questions about bands with too few inscribed cards to begin, if the house rule requires more (A1.2)."""
    for seat, findings in fragile_bands(state):
        if not all(finding.warning for finding in findings):
            text = phrases(
                "{n} inscribed card is too few here; name more",
                "{n} inscribed cards are too few here; name more",
                n=len(state.bands[seat].inscribed),
            )
            yield _ask_wizard(state.wizard(seat), text, draft(do.InscribedCard, seat=seat))


FLIPPED: Final = phrase("the one that you flipped")


def _flip(state: DungeonTable) -> Iterator[Prompt]:
    """Ask which Monster was flipped as the next Boss (R1.11)."""
    flipped = Draft(do.Bosses, note=FLIPPED, asks=("monsters",))
    if not state.house.table_draws:
        by_program = draft(do.Bosses, phrase("the program draws it"), is_drawn=True)
        yield _ask_all(phrase("Boss {number} comes", number=state.number), by_program, flipped)
        return
    text = phrase("Boss {number}: which Monster did you flip?", number=state.number)
    yield _ask_drawn_card(text, flipped, draft(do.Bosses, DRAW_ONE, is_drawn=True))


def _ask_drawn_card(text: Text, named: Draft, *others: Draft, wizard: Wizard | None = None) -> Prompt:
    """Ask which card was drawn by hand: the possible ones are listed before the offer to draw for the players."""
    text, seat = (_addressed(wizard, text), wizard.seat) if wizard else (text, "")
    return Prompt(text, named, seat, others=others, lists_values=True)


def _labels(state: DungeonTable) -> Iterator[Prompt]:
    """Offer the first wizard the option to add a label; those after may only decline already (R1.71)."""
    wizards = [state.wizard(seat) for seat in labelling.open_to(state)]
    for wizard in wizards[:1]:
        add = draft(do.AddLabel, seat=wizard.seat)
        text = phrase("add a label to the Boss, or decline")
        yield _ask_wizard(wizard, text, draft(do.Decline, seat=wizard.seat), add)
    for wizard in wizards[1:]:
        text = phrase("add a label after {player}, or decline now", player=wizards[0].name)
        yield _ask_wizard(wizard, text, draft(do.Decline, seat=wizard.seat))


def _reveal(state: DungeonTable) -> Iterator[Prompt]:
    plotters = reveal.plotters(state)
    for wizard in plotters:
        yield _ask_wizard(wizard, phrase("reveal a card"), draft(do.Reveal, seat=wizard.seat), is_secret=True)
    for wizard in state.fighting():
        if wizard.patrons:
            text = phrase(
                "The Patron heals somebody up to {hp}, or steals up to {coppers}c",
                hp=reveal.PATRON_HEAL,
                coppers=reveal.PATRON_STEAL,
            )
            yield _ask_wizard(wizard, text, *_patron(state, wizard))
        if reveal.may_reveal_again(state, wizard):
            text = phrase("reveal a second card (Doublestrike), or go on")
            yield _ask_wizard(wizard, text, draft(do.Reveal, seat=wizard.seat), due=False)
    yield from _declarable(state)
    if not plotters:
        yield from _will(state)
        if not any(wizard.patrons for wizard in state.fighting()):
            yield _ask_all(phrase("Go on to the Tactics"), draft(Next), due=False)


def _patron(state: DungeonTable, wizard: Wizard) -> Iterator[Draft]:
    for choice in ("heal", "steal"):
        for other in state.clockwise(wizard.seat)[1:]:
            if not reveal.patron_refusal(wizard, choice, other):
                result = reveal.describe_patron(state, choice, other)
                note = (
                    phrase("heal {player}: {result}", player=other.name, result=result)
                    if choice == "heal"
                    else phrase("steal {player}: {result}", player=other.name, result=result)
                )
                yield draft(do.Patron, note, seat=wizard.seat, choice=choice, other=other.seat)


def _will(state: DungeonTable) -> Iterator[Prompt]:
    """Offer Wizard's Will to the wizards who could hold it."""
    for wizard in state.fighting() if len({upcard.controller for upcard in state.revealed}) > 1 else ():
        if not reveal.will_refusal(state, wizard):
            text = phrase("Wizard's Will may swap two revealed cards")
            yield _ask_wizard(wizard, text, draft(do.Will, seat=wizard.seat), due=False)


def _tactics(state: DungeonTable) -> Iterator[Prompt]:
    if seat := tactics.seat_to_act(state):
        wizard = state.wizard(seat)
        offers = tuple(_tactics_of(state, wizard))
        drafts = (offer.draft for offer in offers)
        text = phrase("Tactic ({costs}) or pass", costs=_describe_costs(offers)) if offers else phrase("pass")
        yield _ask_wizard(wizard, text, draft(do.Pass, seat=seat), *drafts)
    yield from _will(state)
    yield _ask_all(phrase("Everybody else passes"), draft(Next), due=False)


class _TacticOffer(NamedTuple):
    """A Tactic that a wizard can pay, with its different costs, the lowest first."""

    draft: Draft
    costs: tuple[Message, ...]


def _describe_costs(offers: tuple[_TacticOffer, ...]) -> Message:
    """Return the present cost of each Tactic; if it depends on the target, every different cost."""
    costs: dict[str, dict[Message, None]] = {}
    for offer in offers:
        costs.setdefault(offer.draft.action.verb(), {}).update(dict.fromkeys(offer.costs))
    return listed(
        joined(" ", (WithinSentence(tactics.TACTIC_TITLES[verb]), any_of(of_tactic)))
        for verb, of_tactic in costs.items()
    )


def _tactics_of(state: DungeonTable, wizard: Wizard) -> Iterator[_TacticOffer]:
    """Yield the Tactics that a wizard can pay, as the beginning of their line, with cost and effect."""
    own = state.cards_of(wizard.seat)
    others = [(other, _open_cards(state, other)) for other in state.clockwise(wizard.seat)[1:]]
    spike = _face_change_text(state, phrase("own card"), TACTIC_VALUE)
    yield from _affordable_tactics(state, wizard, do.Spike, own, spike)
    for other, cards in () if tactics.foil_forbidden(state) else others:
        foil = _face_change_text(state, other.name, -TACTIC_VALUE)
        yield from _affordable_tactics(state, wizard, do.Foil, cards, foil, other=other.seat)
    for other, cards in others if own else ():
        snipe = _fixed_text(phrase("swap with {player}", player=other.name))
        yield from _affordable_tactics(state, wizard, do.Snipe, cards, snipe, other=other.seat)
    yield from _affordable_tactics(state, wizard, do.Brace, (None,), _fixed_text(phrase("no Boss damage")))


def _fixed_text(text: Message) -> Callable[[_Targets], Message]:
    """Return a function for an effect that does not depend on the target."""
    return lambda _: text


def _face_change_text(state: DungeonTable, what: Text, change: int) -> Callable[[_Targets], Message]:
    """Return a function that describes a Spike's or Foil's effect on F: `own card +3`, `Ben −1`, `Ben −1 or −3`."""

    def effect(targets: _Targets) -> Message:
        cards = (upcard for upcard in targets if upcard is not None)
        changes = sorted({face(state, tactics.changed_by(upcard, change)) - face(state, upcard) for upcard in cards})
        return joined(" ", (what, any_of(map(signed, changes[::-1]))))

    return effect


def _open_cards(state: DungeonTable, other: Wizard) -> tuple[Upcard, ...]:
    """Return the revealed cards of another wizard that a Tactic may target."""
    return tuple(upcard for upcard in state.cards_of(other.seat) if not tactics.is_untouchable(state, upcard))


def _affordable_tactics(
    state: DungeonTable,
    wizard: Wizard,
    action: type[Action],
    targets: _Targets,
    effect: Callable[[_Targets], Message],
    **given: Any,
) -> Iterator[_TacticOffer]:
    """Yield a Tactic with its costs and effect for the targets that the hand can pay."""
    by_target = {upcard: tactics.tactic_cost(state, action.verb(), upcard) for upcard in targets}
    able = {upcard: cost for upcard, cost in by_target.items() if state.holds(wizard, cost.cards)}
    if able:
        by_price = sorted(able.values(), key=lambda cost: (cost.cards, cost.heroes))
        costs = tuple(dict.fromkeys(cost.price for cost in by_price))
        # Translators: {cost} is what a Tactic costs, such as “2 cards”; {effect} is what it does, such as “Ben −3”.
        note = phrase("{cost}: {effect}", cost=any_of(costs), effect=effect(tuple(able)))
        yield _TacticOffer(Draft(action, {"seat": wizard.seat, **given}, note), costs)


def _declare(state: DungeonTable) -> Iterator[Prompt]:
    yield _ask_all(phrase("Resolve the damage; wizards who declared nothing attack the Boss"), draft(do.Damage))
    yield from _declarable(state)


def _declarable(state: DungeonTable) -> Iterator[Prompt]:
    """Yield questions about the cards that may still do something other than attack the Boss (R1.24a, R1.60, A1.6)."""
    for wizard in state.clockwise():
        cards = state.cards_of(wizard.seat)
        for upcard in cards:
            if not upcard.declared and (declarations := tuple(_declarations(state, wizard, upcard, len(cards) > 1))):
                actions = [declaration.action for declaration in declarations]
                text = _describe_alternatives(upcard.title, face(state, upcard), actions)
                prompt = _ask_wizard(wizard, text, *declarations, due=False)
                yield replace(prompt, otherwise=_describe_attack(state, upcard))


def _describe_attack(state: DungeonTable, upcard: Upcard) -> Text:
    """Return what a card does that declares nothing: attack the Boss for its damage (R1.24), "" if none is counted."""
    hits = compute_strike(state, state.boss).hits if state.boss and state.tracks_all else ()
    # Translators: What happens without a tap, beside the button “Convert 9♠”.
    return next((phrase("Attack for {damage}", damage=hit.dealt) for hit in hits if hit.upcard == upcard), "")


def _describe_alternatives(card: str, value: int, actions: Sequence[type[Action]]) -> Message:
    """Return what a revealed card may do: attack, and what these declarations allow."""
    if do.Target not in actions:
        return phrase("{card} ({value}) attacks, or Converts", card=card, value=value)
    if do.Convert not in actions:
        return phrase("{card} ({value}) attacks, or aims at a Minion", card=card, value=value)
    return phrase("{card} ({value}) attacks, Converts, or aims at a Minion", card=card, value=value)


def _declarations(state: DungeonTable, wizard: Wizard, upcard: Upcard, several: bool) -> Iterator[Draft]:
    """Yield the alternatives of a card to attacking the Boss; if there are `several` cards, the line names it."""
    if upcard in reveal.open_converts(state):
        which: dict[str, Any] = {"card": upcard.card} if several else {}
        yield draft(do.Convert, _convert_text(state, upcard), seat=wizard.seat, **which)
    if state.step != "reveal" and damage.aimable_minions(state):
        yield Draft(do.Target, {"seat": wizard.seat}, phrase("aims at a Minion"), ("card",) if several else ())


def _convert_text(state: DungeonTable, upcard: Upcard) -> Message:
    """Return what a card yields if it Converts instead of doing damage (R1.35–R1.39)."""
    as_suit = suit(upcard.card)
    gain = reveal.convert_gain(state, upcard, as_suit)
    match as_suit:
        case "S" if payments.spades_unknown(state, state.wizard(upcard.controller)):
            return phrase("Converts: shield {shield} or more, no damage", shield=gain)
        case "S":
            return phrase("Converts: shield {shield}, no damage", shield=gain)
        case "H":
            return phrase("Converts: heal {hp} HP, no damage", hp=gain)
        case "C":
            return phrase("Converts: draw {cards}, no damage", cards=gain)
        case _:
            return phrase("Converts: {coppers} Coppers, no damage", coppers=gain)


def _kill(state: DungeonTable) -> Iterator[Prompt]:
    killer = state.wizard(state.killer or "")
    if kill.asks_curse(state):
        cards = listed(map(card_title, state.bands[killer.seat].inscribed))
        by_chance = [draft(Next, DRAW_ONE)] if state.house.cursed_choice == "random" else []
        text = phrase("Cursed takes one inscription: {cards}", cards=cards)
        yield _ask_wizard(killer, text, draft(do.Curse, seat=killer.seat), *by_chance)
        return
    choices = ("surge", "rally") if state.is_last_boss else ("momentum", "surge", "rally")
    titles = {each: WithinSentence(kill.BONUS_TITLES[each]) for each in choices}
    answers = (
        draft(
            do.Bonus,
            phrase("{bonus} ({effect})", bonus=title, effect=kill.describe_bonus(state, each)),
            choice=each,
        )
        for each, title in titles.items()
    )
    text = phrase("choose a bonus: {bonuses}", bonuses=listed(titles.values()))
    if state.is_last_boss:
        # The rules let the Killer pick one here, too (R1.54), and only Momentum is disabled (A1.17).
        text = phrase(
            "choose a bonus, although it changes nothing after the last Boss: {bonuses}",
            bonuses=listed(titles.values()),
        )
    yield _ask_wizard(killer, text, *answers)


def _attacks(state: DungeonTable) -> Iterator[Prompt]:
    if state.minion_due:
        yield _ask_minion(
            state,
            phrase("A Minion comes before the attacks"),
            phrase("A Minion comes before the attacks: which one?"),
            do.Escalate,
        )
        return
    for wizard in state.fighting():
        foes = attacks.open_attacks(state, wizard)
        if foes and not (state.step == "attack" and wizard.answers):
            foe = foes[0]
            amount = attacks.attack_damage(state, wizard)
            take = phrase("take {damage} damage from {monster}", damage=amount, monster=state.foe_title(foe))
            text, answers = take, [draft(do.Take, take, seat=wizard.seat)]
            if state.holds(wizard):
                value = dodge_bar(state, foe) + 1
                answers.append(draft(do.Dodge, phrase("dodge with {value}+", value=value), seat=wizard.seat))
                text = phrase(
                    "take {damage} damage from {monster}, or dodge with {value}+",
                    damage=amount,
                    monster=state.foe_title(foe),
                    value=value,
                )
            yield _ask_wizard(wizard, text, *answers)
    yield _ask_all(phrase("Everybody takes the damage that is still open"), draft(Next), due=False)


def _refill(state: DungeonTable) -> Iterator[Prompt]:
    if not round_steps.has_escalation(state):
        yield _ask_all(phrase("Refill: everybody draws"), draft(do.Refill))
    elif state.minions_left:
        yield _ask_minion(
            state,
            phrase("Refill: everybody draws, a Minion comes"),
            phrase("Refill: everybody draws, a Minion comes: which one?"),
            do.Refill,
        )
    else:
        yield _ask_all(phrase("Refill: everybody draws, the pool is empty: ATK +1"), draft(do.Refill))


def _ask_minion(state: DungeonTable, text: Message, question: Message, line: type[do.Refill | do.Escalate]) -> Prompt:
    """Ask the `question` for the Minion if it is drawn by hand; otherwise it is drawn, but may be named (R1.30)."""
    if state.house.table_draws and state.minions_left:
        flipped = Draft(line, note=FLIPPED, asks=("minion",))
        return _ask_drawn_card(question, flipped, draft(line, DRAW_ONE, is_drawn=True))
    drawn_by_hand = Draft(line, note=phrase("as the table drew it"), asks=("minion",))
    return _ask_all(text, draft(line), *((drawn_by_hand,) if state.minions_left else ()))


def _fading(state: DungeonTable) -> Iterator[Prompt]:
    for wizard in state.wizards:
        if wizard.has_faded:
            continue
        if wizard.fading_draw:
            lines = []
            for card in wizard.fading_draw:
                bearing = phrase(
                    "{card} with {inscriptions}",
                    card=card_title(card),
                    inscriptions=all_of(map(effect_title, state.bands[wizard.seat].inscribed[card])),
                )
                # Translators: A button, beside one for another card.
                title = phrase("Fade {card}", card=card_title(card))
                lines.append(draft(do.Fade, bearing, seat=wizard.seat, fades=card).with_title(title))
            text = phrase("which one fades: {cards}?", cards=any_of(map(card_title, wizard.fading_draw)))
            yield _ask_wizard(wizard, text, *lines)
        else:
            due = after_fight.cards_to_draw(state, wizard)
            drawn_by_hand = Draft(do.Fade, {"seat": wizard.seat}, phrase("as drawn at the table"), ("cards",))
            if state.house.table_draws:
                note = DRAW_ONE if due == 1 else phrase("draw them for us")
                by_app = draft(do.Fade, note, seat=wizard.seat, is_drawn=True)
                text = phrases(
                    "draw {n} Blessed card for Fading: which came?",
                    "draw {n} Blessed cards for Fading: which came?",
                    n=due,
                )
                yield _ask_drawn_card(text, drawn_by_hand, by_app, wizard=wizard)
            else:
                by_app = draft(do.Fade, phrase("the program draws"), seat=wizard.seat)
                text = phrases(
                    "draw {n} Blessed card for Fading (or let the program draw)",
                    "draw {n} Blessed cards for Fading (or let the program draw)",
                    n=due,
                )
                yield _ask_wizard(wizard, text, by_app, drawn_by_hand)
    if tied := drafting.tied_for_lot(state):
        winners = [
            draft(do.Lots, note, seats=(wizard.seat,)).with_title(note)
            for wizard in tied
            for note in (phrase("{player} picks first", player=wizard.name),)
        ]
        by_app = draft(do.Lots, phrase("draw it for us"), is_drawn=True)
        players = all_of(wizard.name for wizard in tied)
        text = phrase("{players} are tied in the draft: who wins the lot?", players=players)
        yield _ask_all(text, *winners, by_app)
    yield from _heirlooms(state)


def _heirlooms(state: DungeonTable) -> Iterator[Prompt]:
    for wizard in state.wizards:
        band = state.bands[wizard.seat]
        if band.retired and not wizard.heirloom:
            answer = draft(do.Heirloom, seat=wizard.seat)
            yield _ask_wizard(wizard, phrase("choose the heirloom of {band}", band=band.title), answer, due=False)


def _drifting(state: DungeonTable) -> Iterator[Prompt]:
    wizard = state.wizard(drafting.next_pick(state))
    decks: list[Text] = []
    lines = []
    for brought in drafting.left_to_pick(state):
        deck, details = drafting.deck_of(state, brought), drafting.describe_deck(state, brought)
        # The name of a band yet to be built includes its wizard's.
        owner = state.wizard(brought).name
        decks.append(deck if state.bands[brought].retired else phrase("{band} ({player})", band=deck, player=owner))
        note = joined(" · ", (deck, details)) if details else deck
        # Translators: Buttons that take a deck. The second ends like “brought by {player}”, which is then not repeated.
        title = (
            phrase("Pick {band}, brought by {player}", band=deck, player=owner)
            if details
            else phrase("Pick {band}", band=deck)
        )
        lines.append(draft(do.Pick, note, seat=wizard.seat, brought=brought).with_title(title))
    text = phrase("pick one of {bands}", bands=listed(decks))
    if len(decks) == 1:
        text = phrase("only {band} is left to pick", band=decks[0])
    yield _ask_wizard(wizard, text, *lines)
    if not any(state.wizard(seat).holds for seat in state.draft):
        for absent in (each for each in state.wizards if drafting.sits_out(state, each)):
            text = phrase("left and keeps {band}; do they draft all the same?", band=state.bands[absent.seat].title)
            yield _ask_wizard(absent, text, draft(do.TakePart, seat=absent.seat), due=False)
    yield from _heirlooms(state)


def _turning(state: DungeonTable) -> Iterator[Prompt]:
    for wizard in state.wizards:
        band = after_fight.band_to_inscribe(state, wizard)
        if band is None or drafting.sits_out(state, wizard):
            continue
        yield from _memories(state, wizard)
        if wizard.mythics and after_fight.has_room(state, wizard):
            text = phrases(
                "place {n} Mythic on {band}", "place {n} Mythics on {band}", n=wizard.mythics, band=band.title
            )
            place = phrase("Place a Mythic")
            yield _ask_wizard(wizard, text, _shop_draft(do.Mythic, wizard).with_title(place), due=False)
        if after_fight.on_sale(state, wizard):
            text = phrase("buy inscriptions for {band}, with {coppers}c", band=band.title, coppers=wizard.purse)
            yield _ask_wizard(wizard, text, _shop_draft(do.Buy, wizard), due=False)
    yield from _heirlooms(state)
    yield from _loose(state)
    yield _ask_all(phrase("Seal the game into the records"), draft(do.Seal))


def _loose(state: DungeonTable) -> Iterator[Prompt]:
    """Offer to keep the gains of loose bands' wizards that would be lost with the seal."""
    for wizard in state.wizards:
        if what := loose.unkept_purse(state, wizard):
            text = phrase(
                "{gains} will be lost, as {band} is loose; keep that in a purse?",
                gains=what,
                band=state.bands[wizard.seat].title,
            )
            keep = phrase("Keep it in a purse")
            yield _ask_wizard(wizard, text, draft(do.KeepPurse, seat=wizard.seat).with_title(keep), due=False)


def _shop_draft(action: type[Action], wizard: Wizard) -> Draft:
    """Return a draft that asks for the inscription before the card."""
    return Draft(action, {"seat": wizard.seat}, order=("inscription", "card"))


def _memories(state: DungeonTable, wizard: Wizard) -> Iterator[Prompt]:
    """Offer Tower's Memory to a wizard who holds another band than the one they played (R1.I23)."""
    for card in after_fight.cards_to_carry_over(state, wizard.seat):
        text = phrase(
            "Tower's Memory may take {card} along to {band}",
            card=card_title(card),
            band=state.bands[wizard.holds].title,
        )
        yield _ask_wizard(wizard, text, draft(do.Memory, seat=wizard.seat, card=card), due=False)


def _watchlist(state: DungeonTable) -> Iterator[Prompt]:
    """Ask the playtest questions that only the players can answer (§8)."""
    for key in watchlist.open_questions(state):
        yes, no = (draft(do.Watch, title, question=key, answer=answer) for answer, title in watchlist.ANSWERS.items())
        yield _ask_all(phrase("Playtest: {question}", question=watchlist.QUESTIONS[key]), yes, no, due=False)


def _ask_total(state: DungeonTable) -> Iterator[Prompt]:
    """Ask for the total of a round of which only the fight is tracked; revealing cards is optional."""
    assert state.boss is not None
    note = phrase("all cards and labels together; if it kills, also whose card was highest")
    whole = Draft(do.Damage, {}, note, ("amount",))
    note = phrase("the revealed cards alone") if state.revealed else phrase("nothing hurts the Boss: Pressure")
    text = phrase(
        "Round {round}: how much damage does the party do to the Boss ({hp} HP)?", round=state.round, hp=state.boss.hp
    )
    yield _ask_all(text, whole)
    yield _ask_all(phrase("The round goes on without a sum"), draft(Next, note), due=False)
    for wizard in reveal.plotters(state):
        yield _ask_wizard(wizard, phrase("reveal a card, if you like"), draft(do.Reveal, seat=wizard.seat), due=False)
    yield from _declarable(state)


def _strikes(state: DungeonTable) -> Iterator[Prompt]:
    """Ask about the attacks if only the fight is tracked: everybody takes them, except those named as dodging."""
    if state.minion_due:
        yield from _attacks(state)
        return
    opens = [(wizard, foes[0]) for wizard in state.fighting() if (foes := attacks.open_attacks(state, wizard))]
    if state.step == "attack":
        opens = [(wizard, foe) for wizard, foe in opens if not wizard.answers]
    strikes = listed(
        joined(" ", (state.foe_title(foe), atk(state, foe))) for foe in dict.fromkeys(foe for _, foe in opens)
    )
    dodges = (
        draft(
            do.Dodge,
            phrase("{player} dodged {monster}, or Braced", player=wizard.name, monster=state.foe_title(foe)),
            seat=wizard.seat,
            cards=1,
        )
        for wizard, foe in opens
    )
    # Translators: {attacks} are the attackers with their ATK: “the Boss 7, Grave Wyrm (A♠ of Ana) 3”.
    text = phrase("{attacks}: everybody takes the damage, except those who dodged", attacks=strikes)
    yield _ask_all(text, draft(Next), *dodges)


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
