"""Before the first turn: the players, their decks, the first seat, house rules."""

from __future__ import annotations

import msgspec

from companion.games.solforge.rules import actions as do
from companion.games.solforge.rules import cycle, turn
from companion.games.solforge.rules.state import HAND, MOST_PLAYERS, Resolution, SolForgePlayer
from companion.tabletop.action import RuleError
from companion.tabletop.constructed.table import SeatPlayer, bring, is_stored, settle_first
from companion.tabletop.table.common_actions import Begin, Rule, check_brings_deck
from companion.tabletop.table.state import put_at_seat
from companion.tabletop.tracking import agree_on_rule, forget_cards
from templates.languages.messages import phrase, phrases


def seat(resolution: Resolution, action: SeatPlayer) -> None:
    """Seat one of the two players (R4.1)."""
    state = resolution.state
    is_seated = state.is_seat(action.seat)
    if is_seated:
        check_brings_deck(action)
    if action.seat in state.handles or action.seat in do.reserved_words():
        raise RuleError(
            phrase("“{word}” means something else at this table; choose another word for the seat.", word=action.seat)
        )
    if len(state.players) == MOST_PLAYERS and not is_seated:
        raise RuleError(phrase("The table is full: SolForge is for two players (R4.1)."))
    player = SolForgePlayer(action.seat, action.title, state.house.start_health)
    resolution.change(
        players=put_at_seat(state.players, _with_deck(player, state.house.deck)), active=state.active or action.seat
    )
    bring(resolution, action)


def _with_deck(player: SolForgePlayer, cards: int) -> SolForgePlayer:
    """Return a player with a deck of `cards` cards, all at level 1 (R4.7)."""
    return msgspec.structs.replace(player, deck=cards, levels=(cards, 0, 0))


def deck_size(resolution: Resolution, action: do.DeckSize) -> None:
    """Set the number of cards in a deck (R4.1), for the cards of Solbind or another format."""
    player = _with_deck(resolution.state.player(action.seat), action.cards)
    resolution.update_player(player.seat, deck=player.deck, levels=player.levels)
    size = resolution.state.house.deck
    if action.cards < size and not is_stored(resolution.state, player.seat):
        text = phrases(
            "{player}'s deck has {n} card; a deck has {size}, not counting what Solbind adds (R4.1).",
            "{player}'s deck has {n} cards; a deck has {size}, not counting what Solbind adds (R4.1).",
            n=action.cards,
            player=player.name,
            size=size,
        )
        resolution.tell(text, player.seat)


def first(resolution: Resolution, action: do.First) -> None:
    """Set the seat with the very first turn (R4.5)."""
    resolution.change(active=settle_first(resolution, action))


def rule(resolution: Resolution, action: Rule) -> None:
    """Apply a house rule for this session; unchanged decks and health follow it."""
    before = resolution.state.house
    agree_on_rule(resolution, action)
    house = resolution.state.house
    if resolution.state.has_begun:
        return
    for player in resolution.state.players:
        if player.deck == before.deck != house.deck:
            player = _with_deck(player, house.deck)
        health = house.start_health if player.health == before.start_health else player.health
        resolution.update_player(player.seat, deck=player.deck, levels=player.levels, health=health)


def begin(resolution: Resolution, action: Begin) -> None:
    """Draw the first hands, and begin the first turn (R4.2, R4.3)."""
    state = resolution.state
    if len(state.players) < MOST_PLAYERS:
        raise RuleError(phrase("SolForge is for two players (R4.1); `seat NAME` seats a player."))
    resolution.change(seed=action.seed, draws=state.draws + 1, first=state.active)
    if not state.tracks_all:
        forget_cards(resolution)
    for player in state.players:
        count = cycle.draw(resolution, player.seat, HAND)
        text = phrases("{player} draws {n} card.", "{player} draws {n} cards.", n=count, player=player.name)
        resolution.tell(text, player.seat, by_hand=True)
    turn.start(resolution, state.active)
