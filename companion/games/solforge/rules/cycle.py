"""The cycle of the cards from deck to hand to discard pile and back, by number and level (R4.6–R4.9, A4.15).

Cards have no names here: the players know their paper cards, the companion counts the cards of each level.
"""

from __future__ import annotations

from typing import Any, Final, Literal

from companion.games.solforge.rules.state import HAND, MAX_LEVEL, Levels, Resolution, SolForgePlayer
from companion.tabletop.action import RuleError
from companion.tabletop.constructed.table import forget_copies
from templates.languages.messages import Message, phrase, phrases

Pile = Literal["hand", "deck", "discard"]
_NONE: Final[Levels] = (0, 0, 0)


def check_level(player: SolForgePlayer, level: int, cards: int = 1) -> None:
    """Raise RuleError if there is no such level, or the cycle has too few cards of it."""
    _check_is_level(level)
    there = player.levels[level - 1]
    if there < cards:
        raise RuleError(
            phrases(
                "{player} has {n} card of level {level} in deck, hand and discard pile (R4.7); if "
                "that is wrong: `{command}`.",
                "{player} has {n} cards of level {level} in deck, hand and discard pile (R4.7); if "
                "that is wrong: `{command}`.",
                n=there,
                player=player.name,
                level=level,
                command=f"set {player.seat} level{level} N",
            )
        )


def _check_is_level(level: int) -> None:
    if not 1 <= level <= MAX_LEVEL:
        raise RuleError(
            phrase("No card has level {level} (R4.7); the levels are 1 to {most}.", level=level, most=MAX_LEVEL)
        )


def check_hand(player: SolForgePlayer, cards: int = 1) -> None:
    """Raise RuleError if a hand has too few cards."""
    if player.hand < cards:
        raise RuleError(
            phrases(
                "{player} has {n} card in hand; if that is wrong: `{command}`.",
                "{player} has {n} cards in hand; if that is wrong: `{command}`.",
                n=player.hand,
                player=player.name,
                command=f"set {player.seat} hand N",
            )
        )


def level_up(resolution: Resolution, player: SolForgePlayer, level: int, overload: bool, plays: int) -> int:
    """Move a card from the hand to the discard pile as its next level (R4.7), or remove it for good by Overload.

    `plays` is the number of plays that the player has left after it. Returns the level of the card in the discard pile,
    0 if it is not there. Raises RuleError if there is no such card.
    """
    if not resolution.state.knows_cards(player.seat):
        _check_is_level(level)
        resolution.update_player(player.seat, plays=max(0, plays))
        return 0 if overload else min(level + 1, MAX_LEVEL)
    check_hand(player)
    check_level(player, level)
    hand, levels = player.hand - 1, _change_level(player.levels, level, -1)
    if overload:
        keep(resolution, player, plays=plays, hand=hand, removed=player.removed + 1, levels=levels)
        return 0
    after = min(level + 1, MAX_LEVEL)
    keep(
        resolution,
        player,
        plays=plays,
        hand=hand,
        discard=player.discard + 1,
        levels=_change_level(levels, after, 1),
        shelved=_change_level(player.shelved, after, 1),
    )
    return after


def discard(resolution: Resolution, seat: str, cards: int) -> None:
    """Move cards from the hand to the discard pile unchanged (R4.7). Raises RuleError if there are too few."""
    player = resolution.state.player(seat)
    if not resolution.state.knows_cards(seat):
        return
    check_hand(player, cards)
    shelved = player.shelved
    if only := _only_level(player):
        shelved = _change_level(shelved, only, cards)
    keep(resolution, player, hand=player.hand - cards, discard=player.discard + cards, shelved=shelved)


def _only_level(player: SolForgePlayer) -> int:
    """Return the level of all cards in deck and hand if it must be the same; else 0."""
    if sum(player.shelved) != player.discard:
        return 0
    outside = [level for level in range(1, MAX_LEVEL + 1) if player.levels[level - 1] > player.shelved[level - 1]]
    return outside[0] if len(outside) == 1 else 0


def draw(resolution: Resolution, seat: str, cards: int = HAND) -> int:
    """Draw cards, shuffling the discard pile into an empty deck at once (A4.6). Returns the number drawn."""
    player = resolution.state.player(seat)
    if not resolution.state.knows_cards(seat):
        return cards
    count = min(cards, player.deck)
    player = keep(resolution, player, deck=player.deck - count, hand=player.hand + count)
    if count < cards and player.discard > staying_cards(resolution, player):
        resolution.tell(phrase("{player}'s deck is empty (A4.6).", player=player.name), seat)
        shuffle_in(resolution, seat)
        return count + draw(resolution, seat, cards - count)
    return count


def shuffle_in(resolution: Resolution, seat: str) -> None:
    """Shuffle the discard pile into the deck; with `rank-gate on`, levels above the rank stay there (A4.5)."""
    player = resolution.state.player(seat)
    if not resolution.state.knows_cards(seat):
        forget_copies(resolution, seat)
        text = phrase("{player} shuffles the discard pile into the deck.", player=player.name)
        resolution.tell(text, seat, by_hand=True)
        return
    staying = staying_cards(resolution, player)
    shuffled = player.discard - staying
    above = (0, *(player.levels[level - 1] if level > player.rank else 0 for level in (2, 3)))
    keep(resolution, player, deck=player.deck + shuffled, discard=staying, shelved=above if staying else _NONE)
    forget_copies(resolution, seat)
    if staying:
        text = phrases(
            "{player} shuffles {n} discarded card into the deck; {staying} above rank {rank} stay in the discard pile "
            "(A4.5).",
            "{player} shuffles {n} discarded cards into the deck; {staying} above rank {rank} stay in the discard pile "
            "(A4.5).",
            n=shuffled,
            player=player.name,
            staying=staying,
            rank=player.rank,
        )
    else:
        text = phrases(
            "{player} shuffles {n} discarded card into the deck.",
            "{player} shuffles {n} discarded cards into the deck.",
            n=shuffled,
            player=player.name,
        )
    resolution.tell(text, seat, by_hand=True)


def staying_cards(resolution: Resolution, player: SolForgePlayer) -> int:
    """Return the number of cards that a shuffle leaves in the discard pile.

    Only cards up to the rank are ever shuffled in, so all cards above it are in the discard pile.
    """
    if resolution.state.house.rank_gate == "off":
        return 0
    return min(player.discard, sum(player.levels[player.rank :]))


def remove(resolution: Resolution, seat: str, cards: int, level: int, pile: Pile) -> None:
    """Remove cards of a level from a pile for good (R4.20). Raises RuleError if there are too few."""
    player = resolution.state.player(seat)
    if not resolution.state.knows_cards(seat):
        _check_is_level(level)
        return
    check_level(player, level, cards)
    there: int = getattr(player, pile)
    if there < cards:
        raise RuleError(_too_few_cards(player, there, pile))
    shelved = _change_level(player.shelved, level, -cards) if pile == "discard" else player.shelved
    levels = _change_level(player.levels, level, -cards)
    keep(resolution, player, **{pile: there - cards}, removed=player.removed + cards, levels=levels, shelved=shelved)


def _too_few_cards(player: SolForgePlayer, there: int, pile: Pile) -> Message:
    """Return the error if a pile has too few cards to be banished."""
    command = f"banish {player.seat} N from hand|deck|discard"
    if pile == "hand":
        return phrases(
            "{player} has only {n} card in hand; `{command}` names the pile.",
            "{player} has only {n} cards in hand; `{command}` names the pile.",
            n=there,
            player=player.name,
            command=command,
        )
    if pile == "deck":
        return phrases(
            "{player} has only {n} card in the deck; `{command}` names the pile.",
            "{player} has only {n} cards in the deck; `{command}` names the pile.",
            n=there,
            player=player.name,
            command=command,
        )
    return phrases(
        "{player} has only {n} card in the discard pile; `{command}` names the pile.",
        "{player} has only {n} cards in the discard pile; `{command}` names the pile.",
        n=there,
        player=player.name,
        command=command,
    )


def remove_card_of(resolution: Resolution, seat: str, level: int) -> None:
    """Remove the card of a creature from the cycle, if one of its level or above is still there (A4.15)."""
    player = resolution.state.player(seat)
    if not resolution.state.knows_cards(seat):
        return
    level = next((now for now in range(level, MAX_LEVEL + 1) if player.levels[now - 1]), 0)
    piles: tuple[Pile, ...] = ("deck", "hand", "discard")
    if level and player.shelved[level - 1]:
        piles = ("discard", *piles)
    pile = next((pile for pile in piles if getattr(player, pile)), None)
    if level and pile:
        remove(resolution, seat, 1, level, pile)
        text = phrase(
            "{player} removes the creature's card (level {level}) from the game.", player=player.name, level=level
        )
        resolution.tell(text, seat, by_hand=True)


def _change_level(levels: Levels, level: int, by: int) -> Levels:
    """Return the numbers with that of one level changed, never below 0: the known part of a pile may be outdated."""
    one, two, three = levels
    if level == 1:
        return max(0, one + by), two, three
    return (one, max(0, two + by), three) if level == 2 else (one, two, max(0, three + by))


def keep(resolution: Resolution, player: SolForgePlayer, **fields: Any) -> SolForgePlayer:
    """Change the numbers of a player's cards; the known part of the discard pile never exceeds what is possible."""
    player = resolution.update_player(player.seat, **fields)
    if not any(player.shelved):
        return player
    possible = tuple(map(min, player.shelved, player.levels))
    shelved = possible if sum(possible) <= player.discard else _NONE
    return player if shelved == player.shelved else resolution.update_player(player.seat, shelved=shelved)
