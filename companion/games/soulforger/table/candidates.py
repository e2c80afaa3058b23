"""The possible values of missing fields of an action, with the details needed to choose one."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Final

from companion.games.soulforger.rules import actions as do
from companion.games.soulforger.rules.costs import find_payment
from companion.games.soulforger.rules.deck_list import EQUIPMENT_TYPES, parse_remarks
from companion.games.soulforger.rules.field import is_meant, lying_actions
from companion.games.soulforger.rules.flow import hand_action_fits
from companion.games.soulforger.rules.keywords import FACTION_TITLES, FACTIONS, KEYWORDS, keyword_title
from companion.games.soulforger.rules.state import (
    DECK_SIZE,
    ENDURANCE,
    HANDS,
    Creature,
    Equipment,
    FieldCard,
    SoulForgerPlayer,
    SoulForgerTable,
)
from companion.tabletop.constructed import batch
from companion.tabletop.constructed.table import SeatPlayer, listed_handles, listed_names
from companion.tabletop.decks.decklist import ListedCard
from companion.tabletop.table.choices import Candidates, Choice, Open
from companion.tabletop.table.table import Draft
from templates.languages.messages import Text, listed, phrase

AskedField = Callable[[SoulForgerTable, Draft], Candidates]

_WORDS: Final = tuple(Choice(word, keyword.title, keyword.effect) for word, keyword in KEYWORDS.items())


def _seats(state: SoulForgerTable, draft: Draft) -> Candidates:
    if draft.action is SeatPlayer:
        return Open(phrase("a word for the seat"), _unused_word(state, "seat"))
    return tuple(_player_choice(player) for player in state.players)


def _player_choice(player: SoulForgerPlayer) -> Choice:
    detail = phrase(
        "level {level}, damage {damage} of {endurance}", level=player.level, damage=player.damage, endurance=ENDURANCE
    )
    return Choice(player.seat, player.name, detail)


def _unused_word(state: SoulForgerTable, word: str) -> str:
    """Return a numbered word that is not in use yet."""
    taken = state.handles | {player.seat for player in state.players}
    number = 1
    while f"{word}-{number}" in taken:
        number += 1
    return f"{word}-{number}"


def _handles(state: SoulForgerTable, draft: Draft) -> Candidates:
    """Return a free handle for a new card, or else the cards on the field."""
    if draft.action in (do.Gear, do.Summon, do.Token, do.ForgeEquipment):
        fitting, unfit = (_new_cards(state, draft, within=within) for within in (True, False))
        return Open(phrase("a word to call it by"), _unused_word(state, "card"), fitting=fitting, unfit=unfit)
    on_field = tuple(_card_choice(state, card) for card in state.cards.values())
    if draft.action in (do.Send, do.Destroy):
        return (*on_field, *_zone_actions(state))
    return on_field


def _new_cards(state: SoulForgerTable, draft: Draft, *, within: bool) -> tuple[Choice, ...]:
    """Return the cards of a stored deck that such a line plays: those within the level, or those above it."""
    types = {do.Summon: ("creature",), do.ForgeEquipment: EQUIPMENT_TYPES, do.Gear: EQUIPMENT_TYPES}.get(
        draft.action, ()
    )
    taken, seat = state.handles | {player.seat for player in state.players}, draft.given.get("seat", "")

    def fits(card: ListedCard) -> bool:
        return parse_remarks(card).type in types and _is_within(state, draft, card) is within

    return listed_handles(state, seat, taken, fits)


def _is_within(state: SoulForgerTable, draft: Draft, card: ListedCard) -> bool:
    """Return True if a listed card's Ronum is within the level, which no payment can replace (R2.11, R2.12)."""
    player = next((player for player in state.players if player.seat == draft.given.get("seat")), None)
    if player is None or draft.action is do.Gear:
        return True
    ronum: int = parse_remarks(card).figures.get("ronum", 0)
    return ronum <= player.level


def _card_choice(state: SoulForgerTable, card: FieldCard) -> Choice:
    return Choice(card.handle, card.title, listed((state.player(card.owner).name, *_card_details(card))))


def _card_details(card: FieldCard) -> Iterator[Text]:
    """Yield the details of a card that matter for a choice."""
    if isinstance(card, Creature):
        yield phrase("Ronum {ronum}", ronum=card.ronum)
        yield phrase("damage {damage} of {endurance}", damage=card.damage, endurance=card.endurance)
    if isinstance(card, Creature) or (isinstance(card, Equipment) and card.is_weapon):
        yield phrase("Power {power}", power=card.power)
    yield phrase("On-guard") if card.guarded else phrase("Off-guard")
    yield from map(keyword_title, card.keywords)


def _zone_actions(state: SoulForgerTable) -> Iterator[Choice]:
    """Yield the set and Lingering Actions; of several with one handle, only the one that it finds."""
    for lying in lying_actions(state):
        if lying.handle not in state.cards and is_meant(state, lying):
            lies = phrase("face down") if lying.action.face_down else phrase("Lingering")
            yield Choice(lying.handle, lying.title, listed((lying.player.name, lies)))


def _targets(state: SoulForgerTable, draft: Draft) -> Candidates:  # noqa: ARG001 – the shape of every answer
    """Return the players and creatures."""
    creatures = (card for card in state.cards.values() if isinstance(card, Creature))
    return (*map(_player_choice, state.players), *(_card_choice(state, card) for card in creatures))


def _cards_of(state: SoulForgerTable, draft: Draft) -> Candidates:
    """Return the values for a number of cards, or for the Ronum of each card."""
    player = next((player for player in state.players if player.seat == draft.given.get("seat")), None)
    hand = (player.hand if state.counts(player.seat, "hand") else None) if player else 0
    if draft.action is do.Quest:
        least = int(not state.house.xp_only_side_quest)
        return Open(
            phrase("the Ronum of each card that is sent, one number per card"), () if hand == 0 else (1,), least, hand
        )
    if draft.action is do.Pay:
        ronum = draft.given.get("ronum", 1)
        paid = find_payment(player, ronum) if player else ()
        if player and not state.counts(player.seat, "material"):
            paid = (ronum,)
        return Open(phrase("the Ronum of each card that pays, one number per card"), paid, 1)
    if draft.action in (do.Mulligan, do.Discard):
        return Open(phrase("how many cards"), int(hand != 0), 0, hand)
    return Open(phrase("how many cards"), DECK_SIZE if draft.action is do.DeckSize else 1, 0)


def _ronum(state: SoulForgerTable, draft: Draft) -> Candidates:
    player = next((player for player in state.players if player.seat == draft.given.get("seat")), None)
    if draft.action is do.Pay:
        unclear = player is None or player.unknown_material or not state.counts(player.seat, "material")
        most = None if player is None or unclear else sum(player.material)
        return Open(phrase("the cost in Ronum"), 1, 1, most)
    if draft.action is do.Token:  # it may break the limit (R2.12)
        return Open(phrase("its Ronum"), 0, 0)
    return Open(phrase("its Ronum"), 0, 0, player.level if player else None)


def _names(state: SoulForgerTable, draft: Draft) -> Candidates:
    """Return the effects on the Flow, the set Actions, or any text."""
    if draft.action is do.Negate:
        return tuple(Choice(name) for name in dict.fromkeys(item.name for item in state.flow if not item.negated))
    lying = _set_actions(state, draft.given.get("seat", "")) if draft.action is do.PlayAction else {}
    named = tuple(Choice(name, name, phrase("since turn {turn}", turn=turn)) for name, turn in lying.items() if name)
    if draft.given.get("from_") == "set":
        fitting = (*named, *_actions(state, draft))
        return Open(phrase("what it is called"), "Effect", fitting=fitting) if "" in lying else named
    only_set = named and not hand_action_fits(state, state.player(draft.given["seat"]))
    example = named[0].value if only_set else "Effect"
    fitting, unfit = (_actions(state, draft, within=within) for within in (True, False))
    return Open(phrase("what it is called"), example, fitting=fitting, unfit=unfit)


def _actions(state: SoulForgerTable, draft: Draft, *, within: bool = True) -> tuple[Choice, ...]:
    """Return the Actions of a stored deck for the line that plays one: those within the level, or those above it.

    For the line that sets one, they are returned only if the draft asks for its name.
    """
    if draft.action is not do.PlayAction and not (draft.action is do.SetAction and "name" in draft.asks):
        return ()
    return listed_names(
        state,
        draft.given.get("seat", ""),
        lambda card: parse_remarks(card).type == "action" and _is_within(state, draft, card) is within,
    )


def _set_actions(state: SoulForgerTable, seat: str) -> Mapping[str, int]:
    """Return the Actions that a player set, and the turn of each."""
    mine = (player for player in state.players if player.seat == seat)
    return {action.name: action.turn for player in mine for action in player.zone if action.face_down}


def _keywords(state: SoulForgerTable, draft: Draft) -> Candidates:
    """Return all keywords, or those that a card can lose."""
    if draft.action is do.TakeAway and draft.given.get("handle") in state.cards:
        words = state.cards[draft.given["handle"]].keywords
        return tuple(Choice(word, KEYWORDS[word].title, KEYWORDS[word].effect) for word in words)
    return _WORDS


def _own_equipment(state: SoulForgerTable, draft: Draft) -> Candidates:
    return tuple(_card_choice(state, piece) for piece in state.equipment(draft.given.get("seat", "")))


def _propose_fixed(candidates: Candidates) -> AskedField:
    return lambda *_: candidates


PROPOSALS: Final[dict[str, AskedField]] = {
    "seat": _seats,
    "handle": _handles,
    "attacker": _handles,
    "blocker": _handles,
    "target": _targets,
    "cards": _cards_of,
    "ronum": _ronum,
    "name": _names,
    "keyword": _keywords,
    "keywords": _propose_fixed(Open(phrase("its keywords"), ("welcome",), 1, len(_WORDS), of=_WORDS)),
    "replaces": _own_equipment,
    "power": _propose_fixed(Open(phrase("its Power On-guard/Off-guard"), (1, 1))),
    "endurance": _propose_fixed(Open(phrase("its Endurance"), 1, 1)),
    "change": _propose_fixed(Open(phrase("what Power and Endurance gain or lose"), (1, 0))),
    "more": lambda state, _: batch.hurt_as_well(c.handle for c in state.cards.values() if isinstance(c, Creature)),
    "amount": _propose_fixed(Open(phrase("how much"), 1, 0)),
    "hands": _propose_fixed(
        tuple(Choice(hands, phrase("{hands}-handed", hands=hands)) for hands in range(1, HANDS + 1))
    ),
    "faction": _propose_fixed(tuple(Choice((name,), FACTION_TITLES[name]) for name in FACTIONS)),
}
"""The possible values by field name: fields of one name are alike in all lines."""
