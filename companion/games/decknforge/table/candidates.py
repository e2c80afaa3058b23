"""Candidate values for each field of each action, with the details that players need to choose.

Candidates are proposals; they are offered only if the rules accept them.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from companion.games.decknforge.book.ledger import describe_heal
from companion.games.decknforge.book.state import (
    BOSSES,
    MONSTER_CARDS,
    DungeonTable,
    Resolution,
    Upcard,
    Wizard,
)
from companion.games.decknforge.rules import actions as do
from companion.games.decknforge.rules import after_fight, drafting, labelling, payments, reveal, setup
from companion.games.decknforge.rules.arithmetic import TACTIC_VALUE, atk, face
from companion.games.decknforge.rules.fight import FLIP
from companion.games.decknforge.rules.kill import BONUS_TITLES, describe_bonus
from companion.games.decknforge.rules.reveal import PATRON_HEAL, PATRON_STEAL, describe_patron
from companion.games.decknforge.rules.setup import possible_bosses, settled_bosses
from companion.games.decknforge.table import card_candidates
from companion.games.decknforge.table.card_candidates import Proposal, Slot
from companion.games.decknforge.table.watchlist import ANSWERS, QUESTIONS
from companion.tabletop.action import Action
from companion.tabletop.notation.arguments import Ref
from companion.tabletop.notation.cards import GLYPHS, SUITS, card_title, pretty, suit
from companion.tabletop.table.choices import Candidates, Choice, Open
from companion.tabletop.table.table import Draft
from templates.languages.messages import Message, Text, joined, listed, phrase, phrases

_SEATS: Final = frozenset({"seat", "other", "one", "brought"})


def candidates(state: DungeonTable, draft: Draft, field: str) -> Candidates | None:
    """Return the candidates for a field, given those before it; None if the field's type alone determines them."""
    seats_given = (draft.given[name] for name in _SEATS & draft.given.keys())
    seats = issubclass(draft.action, do.BandSeat)
    if not seats and any(seat not in state.bands for seat in seats_given):
        return ()
    proposal = _PROPOSALS.get((draft.action, field))
    if proposal is None and field == "seat" and not seats:
        proposal = _seats
    return proposal(Slot(state, draft.given)) if callable(proposal) else proposal


# Wizards


def _seats(slot: Slot) -> Iterator[Choice]:
    """Return all wizards, clockwise from the active one."""
    return (Choice(wizard.seat, wizard.name, _wizard_figures(slot.state, wizard)) for wizard in slot.state.clockwise())


def _wizard_figures(state: DungeonTable, wizard: Wizard) -> Message:
    figures = [phrase("{hp} HP", hp=wizard.hp), _coppers(wizard.purse)]
    if state.has_begun and state.counts(wizard.seat, "hand"):
        figures.append(phrase("{cards} in hand", cards=wizard.hand))
    return joined(" · ", figures)


def _coppers(coppers: int) -> Message:
    # Translators: "c" is short for Coppers, the money of DecknForge.
    return phrase("{coppers}c", coppers=coppers)


def _holders(slot: Slot) -> Iterator[Choice]:
    """Yield all wizards with the bands they hold now."""
    for wizard in slot.state.wizards:
        details = [_coppers(wizard.purse)]
        if wizard.holds:
            details.insert(0, phrase("holds {band}", band=slot.state.bands[wizard.holds].title))
        if wizard.mythics:
            details.append(phrases("{n} Mythic", "{n} Mythics", n=wizard.mythics))
        yield Choice(wizard.seat, wizard.name, joined(" · ", details))


def _bands(slot: Slot) -> Iterator[Choice]:
    """Yield all wizards with the bands they brought."""
    for wizard in slot.state.wizards:
        band = slot.state.bands[wizard.seat]
        blessed = (
            phrase("Blessed cards: {cards}", cards=listed(map(card_title, band.inscribed)))
            if band.inscribed
            else phrase("Blessed cards: none")
        )
        yield Choice(wizard.seat, wizard.name, joined(" · ", (band.title, blessed)))


def _patron_targets(slot: Slot) -> Iterator[Choice]:
    """Yield the wizards whom The Patron may heal or steal from, with the result (R1.I24)."""
    for other in slot.state.clockwise(slot.seat)[1:]:
        yield Choice(other.seat, other.name, describe_patron(slot.state, slot.given["choice"], other))


def _seats_with_cards(slot: Slot) -> Iterator[Choice]:
    """Yield the wizards with a card on the table."""
    state = slot.state
    for wizard in state.clockwise(slot.seat):
        cards = listed(
            phrase("{card} worth {value}", card=card.title, value=face(state, card))
            for card in state.cards_of(wizard.seat)
        )
        if cards:
            yield Choice(wizard.seat, wizard.name, joined(" · ", (cards, _wizard_figures(state, wizard))))


def _decks_to_pick(slot: Slot) -> Iterator[Choice]:
    """Yield the bands left to pick, with their wizards, their gains and their Blessed cards."""
    for seat in drafting.left_to_pick(slot.state):
        yield Choice(seat, drafting.deck_of(slot.state, seat), drafting.describe_deck(slot.state, seat))


# Labels and Monsters


def _labels_left(slot: Slot) -> Iterator[Choice]:
    """Yield the labels that the Boss can still get, with their effects and rewards (R1.73, R1.75)."""
    state, wizard = slot.state, slot.wizard
    for name in labelling.labels_left(state) if state.boss else ():
        label = state.book.labels[name]
        cards, healing = labelling.reward_for(state, wizard, label.tier)
        reward = (
            phrase("{coppers}c, draw or heal {number}", coppers=label.tier, number=cards)
            if cards == healing
            else phrase("{coppers}c, draw {cards} or heal {hp}", coppers=label.tier, cards=cards, hp=healing)
        )
        yield Choice(name, label.title, joined(" · ", (label.effect, reward)), rank=label.rank)


def _rewards(slot: Slot) -> Iterator[Choice]:
    """Yield the rewards for adding the label, besides Coppers (R1.73)."""
    state, wizard = slot.state, slot.wizard
    label = state.book.labels.get(slot.given["label"])
    if label is None:
        return
    is_known = state.counts(wizard.seat, "hand") and state.counts(wizard.seat, "deck")
    in_hand = phrase("{cards} in hand, {left} in the deck", cards=wizard.hand, left=wizard.deck) if is_known else ""
    cards, healing = labelling.reward_for(state, wizard, label.tier)
    yield Choice("draw", phrase("Draw {cards}", cards=cards), in_hand)
    yield Choice("heal", phrase("Heal {hp}", hp=healing), describe_heal(state, wizard, label.tier))


def _monster_labels(slot: Slot) -> Open:
    """Return the labels of a Monster on its card."""
    labels_so_far = slot.items_so_far("labels")
    left = (label for name, label in slot.state.book.labels.items() if name not in labels_so_far)
    of = tuple(Choice(label.name, label.title, label.effect, rank=label.rank) for label in left)
    example = tuple(choice.value for choice in of[:1])
    return Open(phrase("labels that it bears"), example, 0, slot.state.book.most_labels, of)


def _monster_choice(state: DungeonTable, ref: Ref, value: str = "") -> Choice:
    """Return a choice for a Monster, with HP and ATK as written on its card."""
    monster = state.monsters[ref]
    where = state.monster_place(ref)
    title = monster.name or where
    details = [phrase("HP {hp}", hp=monster.hp), phrase("ATK {atk}", atk=monster.atk)]
    if monster.labels:
        details.append(listed(map(state.book.label_title, monster.labels)))
    if monster.name:
        details.insert(0, where)
    return Choice(value or ref, joined(" ", ("⭐", title)) if monster.legend else title, joined(" · ", details))


def _monster_cards(slot: Slot) -> Iterator[Choice]:
    return (_monster_choice(slot.state, Ref(f"{slot.seat}:{card}"), card) for card in MONSTER_CARDS)


def _pool(slot: Slot) -> Iterator[Choice]:
    return (_monster_choice(slot.state, ref) for ref in slot.state.pool)


def _active_minions(slot: Slot) -> Iterator[Choice]:
    for minion in slot.state.minions:
        hp = phrase("{hp} of {most} HP", hp=minion.hp, most=minion.max)
        figures = joined(" · ", (hp, phrase("ATK {atk}", atk=atk(slot.state, minion))))
        yield Choice(minion.ref, slot.state.monster_title(minion.ref), figures)


def _bosses(slot: Slot) -> Candidates:
    """Return the Bosses in order: those already settled, then any Monster that has not come as a Minion (R1.11)."""
    state, so_far = slot.state, slot.items_so_far("monsters")
    settled = settled_bosses(state)[len(so_far) : len(so_far) + 1]
    refs = settled or tuple(ref for ref in possible_bosses(state) if ref not in so_far)
    example = (*so_far, *refs[:1])
    if not example:
        return ()
    monsters = tuple(_monster_choice(state, ref) for ref in refs)
    came = () if so_far or not state.number else tuple(_boss_that_came(state))
    if state.step == FLIP:
        return came
    return Open(phrase("Monsters in their order"), example, 1, BOSSES, monsters, came)


def _boss_that_came(state: DungeonTable) -> Iterator[Choice]:
    """Yield every Monster that may have come as the Boss after the settled ones."""
    stay = settled_bosses(state)
    for ref in possible_bosses(state):
        if ref not in state.order[: len(stay) + 1]:
            monster = _monster_choice(state, ref)
            yield Choice((ref,) if state.house.table_draws else (*stay, ref), monster.title, monster.detail)


# Words


def _bonuses(slot: Slot) -> Iterator[Choice]:
    """Return the Killer's choices (R1.54)."""
    return (Choice(each, title, describe_bonus(slot.state, each)) for each, title in BONUS_TITLES.items())


def _cards_to_convert(slot: Slot) -> Iterator[Choice]:
    """Yield the wizard's own cards that may Convert, with the results."""
    for upcard in slot.state.cards_of(slot.seat):
        if reveal.may_convert(slot.state, upcard):
            yield Choice(upcard.card, upcard.title, _convert_yield(slot.state, upcard, suit(upcard.card)))


def _convert_suits(slot: Slot) -> Iterator[Choice]:
    """Yield the suits of a Convert, with the results (R1.35–R1.39)."""
    cards = (upcard for upcard in slot.state.cards_of(slot.seat) if reveal.may_convert(slot.state, upcard))
    for upcard in [upcard for upcard in cards if slot.given.get("card") in (None, upcard.card)][:1]:
        for as_suit in SUITS:
            yield Choice(as_suit, GLYPHS[as_suit], _convert_yield(slot.state, upcard, as_suit))


def _convert_yield(state: DungeonTable, upcard: Upcard, as_suit: str) -> Message:
    """Return `shield 3`, `heal 5`, `draw 2` or `9c`."""
    gain = reveal.convert_gain(state, upcard, as_suit)
    match as_suit:
        case "S" if payments.spades_unknown(state, state.wizard(upcard.controller)):
            return phrase("shield {shield} or more", shield=gain)
        case "S":
            return phrase("shield {shield}", shield=gain)
        case "H":
            return phrase("heal {hp}", hp=gain)
        case "C":
            return phrase("draw {cards}", cards=gain)
        case _:
            return _coppers(gain)


def _spades(slot: Slot) -> Iterator[Choice]:
    """Yield each possible number of unnamed Spades, with the resulting shield (R1.35)."""
    state, wizard = slot.state, slot.wizard
    shields = [upcard for upcard in payments.open_shields(state) if upcard.controller == wizard.seat]
    for count in range(payments.most_spades(state, wizard) + 1):
        trial = Resolution(state)
        trial.update_wizard(wizard.seat, unnamed_spades=count)
        # Of several shields the last one decides: a smaller one does not replace it (A1.10).
        values = [reveal.convert_gain(trial.state, upcard, "S") for upcard in shields[-1:]]
        detail = phrase("shield {shield}", shield=values[0]) if values else ""
        yield Choice(count, phrases("{n} Spade", "{n} Spades", n=count), detail)


def _hands(slot: Slot) -> Iterator[Choice]:
    """Return the possible opening hands of a wizard who joins late (R1.4)."""
    asks = slot.wizard.deal_open
    hands = setup.opening_hands(slot.state) if asks else ()
    return (Choice(cards, phrases("{n} card", "{n} cards", n=cards)) for cards in hands)


def _unnamed_cards(slot: Slot) -> Candidates:
    """Return the cards that may be among the unnamed ones."""
    wizard = slot.wizard
    cards = payments.cards_that_act(slot.state, wizard) or payments.doubtful_cards(slot.state, wizard)
    if not cards:
        return ()
    of = tuple(Choice(card, pretty(card)) for card in cards if card not in slot.items_so_far("cards"))
    return Open(phrase("cards"), tuple(choice.value for choice in of[:1]), 0, wizard.unnamed_cards, of)


def _questions(slot: Slot) -> Iterator[Choice]:
    answered = {key: answer for key, answer, _ in slot.state.watchlist}
    return (Choice(key, text, ANSWERS.get(answered.get(key, ""), "")) for key, text in QUESTIONS.items())


def _ask_count(what: Text) -> Open:
    return Open(what, 1, least=0)


_PROPOSALS: Final[dict[tuple[type[Action], str], Proposal | Candidates]] = {
    **{
        (action, field): proposed
        for action in (do.BandSeat, do.Join)
        for field, proposed in {
            "name": Open(phrase("the person's name"), "Ana"),
            "deck": Open(phrase("a stored band by its id or its name"), "Grave Choir"),
            "band": Open(phrase("the band's name"), "Grave Choir"),
        }.items()
    },
    (do.InscribedCard, "inscription"): card_candidates.any_inscription,
    (do.MonsterCard, "card"): _monster_cards,
    (do.MonsterCard, "name"): Open(phrase("the creature's name"), "Grave Wyrm"),
    (do.MonsterCard, "hp"): _ask_count(phrase("written HP")),
    (do.MonsterCard, "atk"): _ask_count(phrase("written ATK")),
    (do.MonsterCard, "labels"): _monster_labels,
    (do.Dungeons, "count"): _ask_count(phrase("dungeons that the band has completed")),
    (do.Purse, "coppers"): _ask_count(phrase("Coppers that the wizard brings")),
    (do.Mythics, "count"): _ask_count(phrase("Mythics earned earlier and not placed yet")),
    (do.History, "inscriptions"): card_candidates.history_inscriptions,
    (do.Bosses, "monsters"): _bosses,
    # The program writes these into the line itself.
    (do.BeginDungeon, "bosses"): (),
    (do.BeginDungeon, "lots"): (),
    (do.BeginDungeon, "edition"): (),
    (do.AddLabel, "label"): _labels_left,
    (do.AddLabel, "reward"): _rewards,
    (do.Reveal, "card"): card_candidates.to_reveal,
    (do.Patron, "choice"): (
        Choice("heal", phrase("Heal up to {hp}", hp=PATRON_HEAL), phrase("another wizard in the fight")),
        Choice("steal", phrase("Steal up to {coppers}c", coppers=PATRON_STEAL), phrase("from any other wizard")),
    ),
    (do.Patron, "other"): _patron_targets,
    (do.Will, "one"): _seats_with_cards,
    (do.Will, "other"): _seats_with_cards,
    (do.Will, "card"): card_candidates.swap_pairs,
    (do.Spike, "pay"): card_candidates.price("spike"),
    (do.Spike, "card"): card_candidates.changed_by_tactic("seat", TACTIC_VALUE),
    (do.Foil, "other"): _seats_with_cards,
    (do.Foil, "pay"): card_candidates.price("foil"),
    (do.Foil, "card"): card_candidates.changed_by_tactic("other", -TACTIC_VALUE),
    (do.Snipe, "other"): _seats_with_cards,
    (do.Snipe, "pay"): card_candidates.price("snipe"),
    (do.Snipe, "card"): card_candidates.cards_to_swap("other", "seat"),
    (do.Snipe, "own"): card_candidates.cards_to_swap("seat", "other"),
    (do.Brace, "pay"): card_candidates.price("brace"),
    (do.Convert, "card"): _cards_to_convert,
    (do.Convert, "as_"): _convert_suits,
    (do.Target, "minion"): _active_minions,
    (do.Target, "card"): card_candidates.own_revealed,
    (do.Curse, "card"): card_candidates.blessed_cards,
    (do.Curse, "inscription"): card_candidates.on_the_card,
    (do.Bonus, "choice"): _bonuses,
    (do.Dodge, "cards"): card_candidates.dodge_cards,
    (do.Deal, "cards"): _hands,
    (do.Spades, "count"): _spades,
    (do.Among, "cards"): _unnamed_cards,
    (do.Escalate, "minion"): _pool,
    (do.Refill, "minion"): _pool,
    (do.Hold, "card"): card_candidates.from_hand,
    (do.CoachWithHand, "hand"): card_candidates.hand_cards,
    (do.Unhold, "card"): card_candidates.any_card,
    (do.Fade, "seat"): _bands,
    (do.Fade, "cards"): card_candidates.fading_cards,
    (do.Fade, "fades"): card_candidates.fading_choice,
    (do.Pick, "seat"): _bands,
    (do.Pick, "brought"): _decks_to_pick,
    (do.KeepPurse, "person"): Open(phrase("whose purse, by their id"), "new"),
    (do.Adopt, "deck"): Open(phrase("the id of the deck that was taken in from what lies here"), "7K3M9QPX"),
    (do.Memory, "seat"): _holders,
    (do.Memory, "card"): card_candidates.memory_cards,
    (do.Buy, "seat"): _holders,
    (do.Buy, "card"): card_candidates.cards_for(after_fight.on_sale),
    (do.Buy, "inscription"): card_candidates.fitting_the_card(after_fight.on_sale),
    (do.Mythic, "seat"): _holders,
    (do.Mythic, "card"): card_candidates.cards_for(after_fight.earned_mythics),
    (do.Mythic, "inscription"): card_candidates.fitting_the_card(after_fight.earned_mythics),
    (do.Heirloom, "seat"): _bands,
    (do.Heirloom, "inscription"): card_candidates.heirloom_choices,
    (do.Watch, "question"): _questions,
    (do.Watch, "note"): Open(phrase("what there is to say of it"), "Everybody held their breath."),
}
"""Candidates by action and field; for a field that is not listed, its type alone determines them."""
