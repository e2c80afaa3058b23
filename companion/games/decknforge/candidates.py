"""What might stand in each field of each action, with what people need to know before they choose.

Separate from the rules, which judge it: what is listed here is proposed, and offered only where they accept it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from companion.games.decknforge import actions as do
from companion.games.decknforge import card_candidates, drifting, labelling, reveal
from companion.games.decknforge.arithmetic import atk, convert_face, face
from companion.games.decknforge.card_candidates import OpenField, Proposal
from companion.games.decknforge.effect import MonsterLabel
from companion.games.decknforge.fight import MOMENTUM, RALLY, SURGE
from companion.games.decknforge.inscriptions import effects
from companion.games.decknforge.reveal import PATRON_HEAL, PATRON_STEAL
from companion.games.decknforge.standard import title
from companion.games.decknforge.state import BOSSES, FULL_HP, MONSTER_CARDS, DungeonTable, Upcard, Wizard
from companion.games.decknforge.watchlist import QUESTIONS
from companion.tabletop.action import Action
from companion.tabletop.arguments import Ref
from companion.tabletop.cards import GLYPHS, SUITS, pretty, suit
from companion.tabletop.choices import Candidates, Choice, Open
from companion.tabletop.table import Draft

_SEATS: Final = frozenset({"seat", "other", "one", "brought"})


def candidates(state: DungeonTable, draft: Draft, field: str) -> Candidates | None:
    """What might stand in a field, those before it in the line being given; None where its kind alone says it."""
    seats_given = (draft.given[name] for name in _SEATS & draft.given.keys())
    seats = issubclass(draft.action, do.BandSeat)
    if not seats and any(seat not in state.bands for seat in seats_given):
        return ()
    proposal = _PROPOSALS.get((draft.action, field))
    if proposal is None and field == "seat" and not seats:
        proposal = _seats
    return proposal(OpenField(state, draft.given)) if callable(proposal) else proposal


# People


def _seats(gap: OpenField) -> Iterator[Choice]:
    """Everybody, in the order in which they are gap."""
    return (Choice(wizard.seat, wizard.name, _figures(wizard)) for wizard in gap.state.clockwise())


def _figures(wizard: Wizard) -> str:
    return f"{wizard.hp} HP · {wizard.purse}c · {wizard.hand} in hand"


def _holders(gap: OpenField) -> Iterator[Choice]:
    """Everybody, by the band that they hold now."""
    for wizard in gap.state.wizards:
        band = f"holds {gap.state.bands[wizard.holds].name} · " if wizard.holds else ""
        mythics = f" · {wizard.mythics} Mythic" if wizard.mythics else ""
        yield Choice(wizard.seat, wizard.name, f"{band}{wizard.purse}c{mythics}")


def _bands(gap: OpenField) -> Iterator[Choice]:
    """Everybody, by the band that they brought."""
    for wizard in gap.state.wizards:
        band = gap.state.bands[wizard.seat]
        blessed = ", ".join(map(pretty, band.inscribed)) or "none"
        yield Choice(wizard.seat, wizard.name, f"{band.name} · Blessed cards: {blessed}")


def _patronised(gap: OpenField) -> Iterator[Choice]:
    """Whom The Patron may heal or steal from, with what comes of it (R1.I24)."""
    for other in gap.state.clockwise(gap.seat)[1:]:
        if gap.given["choice"] == "heal":
            yield Choice(other.seat, other.name, _healed(gap.state, other, PATRON_HEAL))
        else:
            yield Choice(other.seat, other.name, f"{other.purse}c → {max(0, other.purse - PATRON_STEAL)}c")


def _healed(state: DungeonTable, wizard: Wizard, amount: int) -> str:
    most = wizard.hp + amount if state.house.overheal else max(wizard.hp, FULL_HP)
    return f"{wizard.hp} → {min(most, wizard.hp + amount)} HP"


def _by_their_cards(gap: OpenField) -> Iterator[Choice]:
    """Wizards with a card on the table."""
    state = gap.state
    for wizard in state.clockwise(gap.seat):
        cards = ", ".join(f"{card.title} worth {face(state, card)}" for card in state.cards_of(wizard.seat))
        if cards:
            yield Choice(wizard.seat, wizard.name, f"{cards} · {_figures(wizard)}")


def _drafted(gap: OpenField) -> Iterator[Choice]:
    """The bands still to be picked: whose they are, what they gained, and how many Blessed cards are left."""
    for seat in drifting.left_to_pick(gap.state):
        yield Choice(seat, drifting.deck_of(gap.state, seat), drifting.describe_deck(gap.state, seat))


# Labels and Monsters


def _label(state: DungeonTable, label: MonsterLabel) -> Choice:
    """A label, with what it does and what adding it pays (R1.73)."""
    pays = f"pays {label.tier}c, and draw {_label_draw(state, label)} or heal {label.tier}"
    return Choice(label.name, title(label.name), f"{state.book.label_tiers[label.tier]} · {label.effect} · {pays}")


def _label_draw(state: DungeonTable, label: MonsterLabel) -> int:
    return state.house.easy_reward if label.tier == 1 else label.tier


def _addable(gap: OpenField) -> Iterator[Choice]:
    """What can still go onto the Boss (R1.75)."""
    labels = gap.state.book.labels
    return (_label(gap.state, labels[name]) for name in (labelling.labels_left(gap.state) if gap.state.boss else ()))


def _rewards(gap: OpenField) -> Iterator[Choice]:
    """What adding the label pays besides Coppers (R1.73)."""
    label, wizard = gap.state.book.labels[gap.given["label"]], gap.wizard
    in_hand = f"{wizard.hand} in hand, {wizard.deck} in the deck"
    yield Choice("draw", f"Draw {_label_draw(gap.state, label)}", in_hand)
    yield Choice("heal", f"Heal {label.tier}", _healed(gap.state, wizard, label.tier))


def _labels_worn(gap: OpenField) -> Open:
    """The labels on a Monster as it stands on its card."""
    labels_so_far = gap.items_so_far("labels")
    of = tuple(_label(gap.state, label) for name, label in gap.state.book.labels.items() if name not in labels_so_far)
    return Open("labels that it bears", tuple(choice.value for choice in of[:1]), 0, gap.state.book.most_labels, of)


def _monster(state: DungeonTable, ref: Ref, value: str = "") -> Choice:
    """A Monster as written on its card."""
    monster = state.monsters[ref]
    labels = f" · {', '.join(map(title, monster.labels))}" if monster.labels else ""
    legend = "⭐ " if monster.legend else ""
    return Choice(value or ref, f"{legend}{state.monster_title(ref)}", f"HP {monster.hp} · ATK {monster.atk}{labels}")


def _monster_cards(gap: OpenField) -> Iterator[Choice]:
    return (_monster(gap.state, Ref(f"{gap.seat}:{card}"), card) for card in MONSTER_CARDS)


def _pool(gap: OpenField) -> Iterator[Choice]:
    return (_monster(gap.state, ref) for ref in gap.state.pool)


def _active_minions(gap: OpenField) -> Iterator[Choice]:
    for minion in gap.state.minions:
        figures = f"{minion.hp} of {minion.max} HP · ATK {atk(gap.state, minion)}"
        yield Choice(minion.ref, gap.state.monster_title(minion.ref), figures)


def _bosses(gap: OpenField) -> Candidates:
    """The Bosses in their order: those fought so far, then any Monster that has not come as a Minion (R1.11)."""
    state, bosses_so_far = gap.state, gap.items_so_far("monsters")
    fought = state.order[: state.number - 1] if state.number else ()
    under_way = state.round > 1 or state.revealed or state.labellers
    if len(bosses_so_far) < len(fought):
        left: tuple[Ref, ...] = (fought[len(bosses_so_far)],)
    elif len(bosses_so_far) == len(fought) and state.number and under_way:
        left = (state.order[len(bosses_so_far)],)
    else:
        monsters = (*state.order, *state.pool) if state.number else tuple(state.monsters)
        left = tuple(ref for ref in monsters if ref not in bosses_so_far)
    of = tuple(_monster(state, ref) for ref in left)
    order = (*bosses_so_far, *left[:1])
    return Open("Monsters in their order", order, 1, BOSSES, of) if order else ()


# Words


def _bonuses(gap: OpenField) -> Iterator[Choice]:
    """The Killer's choice (R1.54)."""
    state = gap.state
    yield Choice("rally", "Rally", f"every wizard heals {RALLY}")
    yield Choice("surge", "Surge", f"{state.wizard(state.killer or state.active).name} draws {SURGE}")
    yield Choice("momentum", "Momentum", f"the next Boss starts {MOMENTUM} HP lower")


def _convertible(gap: OpenField) -> Iterator[Choice]:
    """One's own cards that may Convert, with what that would do."""
    for upcard in gap.state.cards_of(gap.seat):
        if reveal.may_convert(gap.state, upcard):
            yield Choice(upcard.card, upcard.title, _convert(gap.state, upcard, suit(upcard.card)))


def _converted_as(gap: OpenField) -> Iterator[Choice]:
    """The suits of a Convert, with what each would do (R1.35–R1.39)."""
    cards = (upcard for upcard in gap.state.cards_of(gap.seat) if reveal.may_convert(gap.state, upcard))
    converted = next((upcard for upcard in cards if gap.given.get("card") in (None, upcard.card)), None)
    for as_suit in SUITS if converted else ():
        assert converted is not None
        yield Choice(as_suit, GLYPHS[as_suit], _convert(gap.state, converted, as_suit))


def _convert(state: DungeonTable, upcard: Upcard, as_suit: str) -> str:
    """What a Convert would do."""
    factor = 1
    for effect in effects(state, upcard.owner, upcard.card):
        factor *= effect.convert_factor
    value = convert_face(state, upcard)
    if as_suit == "S":
        return f"shield {reveal.shield_spades(state, upcard.controller, upcard) * factor}"
    if as_suit == "H":
        return f"heal {-(-value // 2) * factor}"
    return f"draw {2 * factor}" if as_suit == "C" else f"{value * factor}c"


def _questions(gap: OpenField) -> Iterator[Choice]:
    answered = {key: answer for key, answer, _ in gap.state.watchlist}
    return (Choice(key, text, answered.get(key, "")) for key, text in QUESTIONS.items())


def _count(what: str) -> Open:
    return Open(what, 1, least=0)


_PROPOSALS: Final[dict[tuple[type[Action], str], Proposal | Candidates]] = {
    **{
        (action, field): proposed
        for action in (do.BandSeat, do.Join)
        for field, proposed in {
            "name": Open("the person's name", "Ana"),
            "deck": Open("a stored band by its id or its name", "Grave Choir"),
            "band": Open("the band's name", "Grave Choir"),
        }.items()
    },
    (do.InscribedCard, "inscription"): card_candidates.any_inscription,
    (do.MonsterCard, "card"): _monster_cards,
    (do.MonsterCard, "name"): Open("the creature's name", "Grave Wyrm"),
    (do.MonsterCard, "hp"): _count("written HP"),
    (do.MonsterCard, "atk"): _count("written ATK"),
    (do.MonsterCard, "labels"): _labels_worn,
    (do.Dungeons, "count"): _count("dungeons that the band has completed"),
    (do.Purse, "coppers"): _count("Coppers that the wizard brings"),
    (do.Mythics, "count"): _count("Mythics earned earlier and not placed yet"),
    (do.History, "inscriptions"): card_candidates.once_borne,
    (do.Bosses, "monsters"): _bosses,
    # The companion writes these into the line itself.
    (do.BeginDungeon, "bosses"): (),
    (do.BeginDungeon, "lots"): (),
    (do.AddLabel, "label"): _addable,
    (do.AddLabel, "reward"): _rewards,
    (do.Reveal, "card"): card_candidates.from_hand,
    (do.Patron, "choice"): (
        Choice("heal", f"Heal {PATRON_HEAL}", "another wizard in the fight"),
        Choice("steal", f"Steal {PATRON_STEAL}c", "from any other wizard"),
    ),
    (do.Patron, "other"): _patronised,
    (do.Will, "one"): _by_their_cards,
    (do.Will, "other"): _by_their_cards,
    (do.Will, "card"): card_candidates.swapped,
    (do.Spike, "pay"): card_candidates.price("spike"),
    (do.Spike, "card"): card_candidates.own_revealed,
    (do.Foil, "other"): _by_their_cards,
    (do.Foil, "pay"): card_candidates.price("foil"),
    (do.Foil, "card"): card_candidates.others_revealed,
    (do.Snipe, "other"): _by_their_cards,
    (do.Snipe, "pay"): card_candidates.price("snipe"),
    (do.Snipe, "card"): card_candidates.others_revealed,
    (do.Snipe, "own"): card_candidates.own_revealed,
    (do.Brace, "pay"): card_candidates.price("brace"),
    (do.Convert, "card"): _convertible,
    (do.Convert, "as_"): _converted_as,
    (do.Target, "minion"): _active_minions,
    (do.Target, "card"): card_candidates.own_revealed,
    (do.Curse, "card"): card_candidates.blessed_cards,
    (do.Curse, "inscription"): card_candidates.on_the_card,
    (do.Bonus, "choice"): _bonuses,
    (do.Dodge, "cards"): card_candidates.dodging,
    (do.Escalate, "minion"): _pool,
    (do.Refill, "minion"): _pool,
    (do.Hold, "card"): card_candidates.from_hand,
    (do.Unhold, "card"): card_candidates.any_card,
    (do.Fade, "seat"): _bands,
    (do.Fade, "cards"): card_candidates.faded,
    (do.Fade, "fades"): card_candidates.fades,
    (do.Pick, "seat"): _bands,
    (do.Pick, "brought"): _drafted,
    (do.Memory, "seat"): _holders,
    (do.Memory, "card"): card_candidates.carried,
    (do.Buy, "seat"): _holders,
    (do.Buy, "card"): card_candidates.cards_for(card_candidates.on_sale),
    (do.Buy, "inscription"): card_candidates.fitting_the_card(card_candidates.on_sale),
    (do.Mythic, "seat"): _holders,
    (do.Mythic, "card"): card_candidates.cards_for(card_candidates.earned),
    (do.Mythic, "inscription"): card_candidates.fitting_the_card(card_candidates.earned),
    (do.Heirloom, "seat"): _bands,
    (do.Heirloom, "inscription"): card_candidates.heirlooms,
    (do.Watch, "question"): _questions,
    (do.Watch, "note"): Open("what there is to say of it", "Everybody held their breath."),
}
"""By action and field; where a field is not listed, its kind alone says what can stand there."""
