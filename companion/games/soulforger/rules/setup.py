"""Set-up: seats, decks, Starting Gear, the opening hands and their one exchange (R2.1–R2.4)."""

from __future__ import annotations

from functools import cache

from companion.games.soulforger.rules.actions import VOCABULARY, DeckSize, First, ForgeEquipment, Gear, Keep, Mulligan
from companion.games.soulforger.rules.keywords import check_factions, check_keywords
from companion.games.soulforger.rules.state import (
    DECK_SIZE,
    HANDS,
    LARGEST_DECK,
    OPENING_HAND,
    Equipment,
    EquipmentType,
    FieldCard,
    Resolution,
    Slot,
    SoulForgerPlayer,
    SoulForgerTable,
)
from companion.games.soulforger.rules.turn import begin_turn
from companion.tabletop.action import RuleError
from companion.tabletop.constructed.table import SeatPlayer, bring, is_copy, is_stored, settle_first
from companion.tabletop.table.common_actions import Begin, check_brings_deck, check_free, keywords_beside_handles
from companion.tabletop.table.state import put_at_seat
from companion.tabletop.tracking import forget_cards
from templates.languages.messages import Message, phrase, phrases

GEAR_SLOTS: dict[str, Slot] = {"weapon": "primary", "armor": "armor", "accessory": "accessory"}
"""The slots of Starting Gear. A second weapon and accessory come from the Forge Deck."""


def seat(resolution: Resolution, action: SeatPlayer) -> None:
    """Seat a player, clockwise from the last one (R2.1)."""
    state = resolution.state
    if state.is_seat(action.seat):
        check_brings_deck(action)
        _clear_gear(resolution, action.seat)
    elif action.seat in state.handles:
        raise RuleError(
            phrase(
                "“{seat}” already names something at this table; every seat needs a word of its own.", seat=action.seat
            )
        )
    if action.seat == "draw":
        raise RuleError(phrase("“draw” is an outcome of the game; give this seat another word."))
    player = SoulForgerPlayer(action.seat, action.title)
    resolution.change(players=put_at_seat(state.players, player), first=state.first or action.seat)
    bring(resolution, action)


def _clear_gear(resolution: Resolution, seat: str) -> None:
    """Remove the Starting Gear of a deck that is no longer at a seat."""
    state = resolution.state
    gear = {handle for handle, card in state.cards.items() if card.owner == seat}
    cards = {handle: card for handle, card in state.cards.items() if handle not in gear}
    resolution.change(cards=cards, handles=state.handles - gear)


def deck_size(resolution: Resolution, action: DeckSize) -> None:
    """Set the size of a Main Deck (R2.2). A size outside the limits is reported, not refused."""
    player = resolution.state.player(action.seat)
    resolution.update_player(player.seat, deck=action.cards)
    if not DECK_SIZE <= action.cards <= LARGEST_DECK and not is_stored(resolution.state, player.seat):
        text = phrases(
            "{player}'s Main Deck has {n} card; {least} to {most} are needed (R2.2).",
            "{player}'s Main Deck has {n} cards; {least} to {most} are needed (R2.2).",
            n=action.cards,
            player=player.name,
            least=DECK_SIZE,
            most=LARGEST_DECK,
        )
        resolution.tell(text, player.seat)


def first(resolution: Resolution, action: First) -> None:
    """Set the player with the first turn (R2.4)."""
    resolution.change(first=settle_first(resolution, action))


def gear(resolution: Resolution, action: Gear) -> None:
    """Add a piece of Starting Gear: one weapon, one armor, one accessory (R2.2)."""
    resolution.state.player(action.seat)
    slot = GEAR_SLOTS[action.type]
    if any(piece.slot == slot for piece in resolution.state.equipment(action.seat)):
        raise RuleError(_describe_second_piece(resolution.name(action.seat), action.type))
    if action.type == "weapon" and action.power is None:
        raise RuleError(phrase("{card} needs its Power, such as `power 3/1` (R2.3).", card=action.handle))
    place(resolution, equipment(action, slot))


def clear_gear(resolution: Resolution, seat: str) -> None:
    """Remove the Starting Gear of a seat before the game begins, and free its handles."""
    state = resolution.state
    gone = {piece.handle for piece in state.equipment(seat)}
    cards = {handle: card for handle, card in state.cards.items() if handle not in gone}
    resolution.change(cards=cards, handles=state.handles - gone)


def _describe_second_piece(player: str, kind: EquipmentType) -> Message:
    match kind:
        case "weapon":
            return phrase("{player} already has a weapon in the Starting Gear (R2.2).", player=player)
        case "armor":
            return phrase("{player} already has armor in the Starting Gear (R2.2).", player=player)
        case "accessory":
            return phrase("{player} already has an accessory in the Starting Gear (R2.2).", player=player)


def equipment(action: Gear | ForgeEquipment, slot: Slot, guarded: bool = True) -> Equipment:
    """Return the equipment that a line describes. Raises RuleError if its figures are invalid (R2.15)."""
    if action.type != "weapon" and (action.power is not None or action.hands is not None):
        if action.type == "armor":
            raise RuleError(phrase("Only a weapon has Power and hands (R2.15); leave them out for armor."))
        raise RuleError(phrase("Only a weapon has Power and hands (R2.15); leave them out for an accessory."))
    if action.hands is not None and not 1 <= action.hands <= HANDS:
        raise RuleError(
            phrase("A weapon takes 1 or {most} hands, not {hands} (R2.15).", most=HANDS, hands=action.hands)
        )
    on, off = action.power or (0, 0)
    hands = (action.hands or 1) if action.type == "weapon" else 0
    return Equipment(
        action.handle, action.seat, on, off, 0, guarded, action.faction, action.keywords, slot=slot, hands=hands
    )


@cache
def reserved_words() -> frozenset[str]:
    """Return the words that cannot be the handle of a card on the field."""
    return keywords_beside_handles(VOCABULARY)


def place(resolution: Resolution, card: FieldCard) -> None:
    """Put a new card on the field. Raises RuleError if its handle, keywords or factions are invalid."""
    state = resolution.state
    check_free(card.handle, state.handles, [player.seat for player in state.players], reserved_words())
    check_keywords(card.keywords)
    check_factions(card.factions)
    _check_unique(state, card)
    resolution.change(cards={**state.cards, card.handle: card}, handles=state.handles | {card.handle})


def _check_unique(state: SoulForgerTable, card: FieldCard) -> None:
    """Raise RuleError for a second copy of a Unique card on its player's field, by its name in the list (R2.27)."""
    for other in state.cards.values():
        same = other.owner == card.owner and is_copy(state, card.owner, card.handle, other.handle)
        if same and "unique" in card.keywords:
            raise RuleError(
                phrase(
                    "{card} is Unique, and {player} has {copy} on the field (R2.27).",
                    card=card.title,
                    player=state.player(card.owner).name,
                    copy=other.handle,
                )
            )


def begin(resolution: Resolution, action: Begin) -> None:
    """Draw the opening hands and begin the game (R2.4)."""
    state = resolution.state
    if len(state.players) < 2:
        raise RuleError(phrase("Soul-Forger needs at least two players (R2.1); `seat NAME` seats another."))
    for player in state.players if state.tracks_all else ():
        if state.weapon(player.seat) is None:
            raise RuleError(
                phrase(
                    "{player} has no weapon in the Starting Gear (R2.2); enter it with `gear {seat} "
                    "THING weapon power ON/OFF hands N`.",
                    player=player.name,
                    seat=player.seat,
                )
            )
    for player in state.players:
        count = min(OPENING_HAND, player.deck)
        resolution.update_player(player.seat, hand=count, deck=player.deck - count)
    resolution.change(phase="mulligan", active=state.first, seed=action.seed)
    if not state.tracks_all:
        forget_cards(resolution)
        resolution.state = resolution.state.without_phases()
    resolution.tell(
        phrase(
            "Everybody draws {cards} cards and may, once, put any of them on the bottom, draw as many, and shuffle.",
            cards=OPENING_HAND,
        ),
        by_hand=True,
    )


def mulligan(resolution: Resolution, action: Mulligan) -> None:
    """Put cards to the bottom of the deck, draw as many from its top, then shuffle (R2.4, A2.11)."""
    player = _undecided_player(resolution, action.seat)
    if action.cards > player.hand:
        raise RuleError(
            phrases(
                "{player} holds {n} card and cannot exchange {cards} (R2.4).",
                "{player} holds {n} cards and cannot exchange {cards} (R2.4).",
                n=player.hand,
                player=player.name,
                cards=action.cards,
            )
        )
    resolution.update_player(player.seat, hand_settled=True)
    text = phrases(
        "{player} puts {n} card on the bottom, draws as many, and shuffles.",
        "{player} puts {n} cards on the bottom, draws as many, and shuffles.",
        n=action.cards,
        player=player.name,
    )
    resolution.tell(text, player.seat, by_hand=True)


def keep(resolution: Resolution, action: Keep) -> None:
    """Keep the opening hand (R2.4)."""
    player = _undecided_player(resolution, action.seat)
    resolution.update_player(player.seat, hand_settled=True)
    resolution.tell(phrase("{player} keeps the opening hand.", player=player.name), player.seat)


def _undecided_player(resolution: Resolution, seat_: str) -> SoulForgerPlayer:
    player = resolution.state.player(seat_)
    if player.out:
        raise RuleError(phrase("{player} is out of the game (R2.1).", player=player.name))
    if player.hand_settled:
        raise RuleError(
            phrase(
                "{player} has already decided about the opening hand, which is exchanged only once (R2.4).",
                player=player.name,
            )
        )
    return player


def keep_all(resolution: Resolution) -> None:
    """Keep the opening hands of all players who have not decided, for `next`."""
    for player in resolution.state.living():
        if not player.hand_settled:
            keep(resolution, Keep(player.seat))


def start_when_settled(resolution: Resolution) -> None:
    """Begin the first turn once all have decided; the gear is turned face up (R2.4)."""
    state = resolution.state
    living = [player for player in state.clockwise(state.first) if not player.out]
    if state.phase == "mulligan" and state.outcome is None and all(player.hand_settled for player in living):
        resolution.tell(phrase("All turn their Starting Gear face up: level 1, no XP, no damage."), by_hand=True)
        begin_turn(resolution, living[0].seat)
