"""Set-up, mulligans, and wounds of several players at once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from companion.games.oddfrontier.rules.actions import DeckSize, First, Keep, Mulligan, Wound
from companion.games.oddfrontier.rules.state import ARCHIVE_SIZES, STARTING_HAND, FrontierPlayer, Resolution
from companion.tabletop import tracking
from companion.tabletop.action import RuleError
from companion.tabletop.constructed.table import SeatPlayer, bring, is_stored, settle_first
from companion.tabletop.table.common_actions import Begin, Concede, Rule, check_brings_deck
from companion.tabletop.table.state import put_at_seat
from companion.tabletop.tracking import forget_cards
from templates.languages.messages import joined, phrase, phrases


def wound(resolution: Resolution, action: Wound) -> None:
    """Damage life directly; several wounds are simultaneous, so that two players can lose together (A3.10)."""
    wounds: dict[str, list[int]] = {}
    for seat, amount in action.wounds:
        wounds.setdefault(resolution.state.playing(seat).seat, []).append(amount)
    wound_all(resolution, wounds)


def wound_all(resolution: Resolution, wounds: Mapping[str, Sequence[int]]) -> None:
    """Take these amounts from the life of each seat. Losses are checked once all damage is dealt."""
    for seat, amounts in wounds.items():
        player = resolution.state.player(seat)
        life = player.life - sum(amounts)
        resolution.update_player(seat, life=life)
        text = phrase(
            "{player}: life {sum} = {life}.",
            player=player.name,
            sum=joined(" − ", (player.life, *amounts)),
            life=life,
        )
        resolution.tell(text, seat)


def concede(resolution: Resolution, action: Concede) -> None:
    """Make a seat lose the game."""
    player = resolution.state.playing(action.seat)
    resolution.update_player(player.seat, lost=True)
    resolution.tell(phrase("{player} concedes.", player=player.name), player.seat)


FEWEST_PLAYERS: Final = 2


def seat(resolution: Resolution, action: SeatPlayer) -> None:
    """Seat a player, clockwise from the last one; the first one begins unless `first` says otherwise."""
    state = resolution.state
    if state.is_seat(action.seat):
        check_brings_deck(action)
    player = FrontierPlayer(action.seat, action.title, state.house.start_life)
    resolution.change(players=put_at_seat(state.players, player), active=state.active or action.seat)
    bring(resolution, action)


def agree_on_rule(resolution: Resolution, action: Rule) -> None:
    """Apply a house rule for this session; an unchanged life follows it."""
    before = resolution.state.house.start_life
    tracking.agree_on_rule(resolution, action)
    after = resolution.state.house.start_life
    for player in resolution.state.players if after != before else ():
        if player.life == before:
            resolution.update_player(player.seat, life=after)


def deck_size(resolution: Resolution, action: DeckSize) -> None:
    """Set the number of cards in an archive. The table is right, so a size outside R3.1 is only reported."""
    player = resolution.state.player(action.seat)
    resolution.update_player(player.seat, archive=action.cards)
    if action.cards not in ARCHIVE_SIZES and not is_stored(resolution.state, player.seat):
        low, high = ARCHIVE_SIZES[0], ARCHIVE_SIZES[-1]
        text = phrases(
            "{player} has {n} card; an archive has {low} to {high} (R3.1).",
            "{player} has {n} cards; an archive has {low} to {high} (R3.1).",
            n=action.cards,
            player=player.name,
            low=low,
            high=high,
        )
        resolution.tell(text, player.seat)


def first(resolution: Resolution, action: First) -> None:
    """Set the player who has the first turn."""
    resolution.change(active=settle_first(resolution, action))


def begin_game(resolution: Resolution, action: Begin) -> None:
    """Deal the starting hands (R3.2)."""
    state = resolution.state
    if len(state.players) < FEWEST_PLAYERS:
        raise RuleError(phrase("At least two players are needed (A3.13); `seat NAME` seats the next."))
    resolution.change(seed=action.seed, phase="mulligan", first=state.active)
    if not state.tracks_all:
        forget_cards(resolution)
        resolution.state = resolution.state.without_phases()
    for player in state.players:
        _deal(resolution, player, STARTING_HAND)
    text = phrases("Everybody shuffles and draws {n} card.", "Everybody shuffles and draws {n} cards.", n=STARTING_HAND)
    resolution.tell(text, by_hand=True)


def _deal(resolution: Resolution, player: FrontierPlayer, hand: int) -> None:
    """Deal a hand of `hand` cards from the whole archive, or all cards if there are fewer."""
    total = player.hand + player.archive
    hand = min(hand, total)
    resolution.update_player(player.seat, hand=hand, archive=total - hand)


def hand_after(mulligans: int) -> int:
    """Return the size of a hand after mulligans: 7, 7, 6, 5 … cards, never below 0 (R3.2)."""
    return STARTING_HAND if mulligans == 0 else max(0, STARTING_HAND + 1 - mulligans)


def mulligan(resolution: Resolution, action: Mulligan) -> None:
    """Shuffle the whole hand back and draw anew (R3.2).

    Players need not keep an order (A3.14 sets who is asked first).
    """
    player = _undecided_player(resolution, action.seat)
    count = player.mulligans + 1
    hand = hand_after(count)
    resolution.update_player(player.seat, mulligans=count)
    _deal(resolution, player, hand)
    text = phrases(
        "{player} shuffles the hand back and draws {n} card (mulligan {mulligan}).",
        "{player} shuffles the hand back and draws {n} cards (mulligan {mulligan}).",
        n=hand,
        player=player.name,
        mulligan=count,
    )
    resolution.tell(text, player.seat, by_hand=True)


def keep(resolution: Resolution, action: Keep) -> None:
    """Keep the hand."""
    player = _undecided_player(resolution, action.seat)
    resolution.update_player(player.seat, kept=True)
    text = phrases("{player} keeps {n} card.", "{player} keeps {n} cards.", n=player.hand, player=player.name)
    resolution.tell(text, player.seat)


def _undecided_player(resolution: Resolution, seat: str) -> FrontierPlayer:
    player = resolution.state.playing(seat)
    if player.kept:
        raise RuleError(
            phrase("{player} has already kept this hand (R3.2); `undo` takes that back.", player=player.name)
        )
    return player
