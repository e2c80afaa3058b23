"""Turns and phases, Side Quests, and levels bought in the End Phase."""

from __future__ import annotations

from typing import Final

import msgspec

from companion.games.soulforger.glossary import GLOSSARY
from companion.games.soulforger.rules.actions import Discard, Draw, Level, Quest
from companion.games.soulforger.rules.state import ENDURANCE, PHASES, Resolution, SoulForgerPlayer, SoulForgerTable
from companion.tabletop.action import RuleError
from companion.tabletop.constructed.tracking import WHOLE_TURN
from templates.languages.messages import Message, Text, joined, listed, phrase, phrase_in, phrases

TURN_DRAW: Final = 2
FIRST_DRAW: Final = 1
"""R2.6: the number of cards drawn in the first Ready Phase; in later ones, `TURN_DRAW`."""
MISSED_DRAW: Final = 5
"""R2.25: the damage for a draw from an empty deck."""


def begin_turn(resolution: Resolution, seat: str) -> None:
    """Begin the next turn: its player's cards turn On-guard, then the player draws (R2.6, A2.1)."""
    turn = resolution.state.turn + 1
    resolution.change(turn=turn, active=seat, phase="ready" if resolution.state.tracks_all else WHOLE_TURN)
    resolution.update_player(seat, quested=False, swapped=False, levelled=False)
    resolution.tell(phrase("Turn {turn}: {player}.", turn=turn, player=resolution.name(seat)), now=True)
    _ready(resolution, seat)
    _turn_draw(resolution, resolution.state.player(seat), FIRST_DRAW if turn == 1 else TURN_DRAW)


def _ready(resolution: Resolution, seat: str) -> None:
    cards = resolution.state.cards
    turned = [card for card in cards.values() if card.owner == seat and not card.guarded]
    if turned:
        on_guard = {card.handle: msgspec.structs.replace(card, guarded=True) for card in turned}
        resolution.change(cards=cards | on_guard)
        names = listed(card.title for card in turned)
        resolution.tell(phrase("On-guard again: {cards}.", cards=names), seat, by_hand=True)


def _turn_draw(resolution: Resolution, player: SoulForgerPlayer, cards: int) -> None:
    """Draw the cards of the turn. An empty deck costs damage instead (R2.25, A2.6)."""
    if not resolution.state.tracks_all:
        return
    if player.deck == 0 and resolution.state.counts(player.seat, "deck"):
        suffer(resolution, player.seat, MISSED_DRAW, phrase("the empty deck, unpreventable (R2.25)"))
    else:
        draw_cards(resolution, player.seat, cards)


def draw_cards(resolution: Resolution, seat: str, cards: int) -> None:
    """Draw cards, at most as many as the deck has.

    Under the house rule `deck-out any-missed-draw`, missing cards cost damage (A2.6).
    """
    player = resolution.state.player(seat)
    count = min(cards, player.deck) if resolution.state.counts(seat, "deck") else cards
    if count:
        resolution.update_player(seat, deck=player.deck - count, hand=player.hand + count)
        text = phrases("{player} draws {n} card.", "{player} draws {n} cards.", n=count, player=player.name)
        resolution.tell(text, seat, by_hand=True)
    missing = cards - count
    if missing > 0 and resolution.state.house.deck_out == "any-missed-draw":
        source = phrases(
            "{n} card missing, unpreventable (R2.25)", "{n} cards missing, unpreventable (R2.25)", n=missing
        )
        suffer(resolution, seat, MISSED_DRAW, source)
    elif missing > 0:
        text = phrases(
            "{player}'s deck is empty: {n} card could not be drawn.",
            "{player}'s deck is empty: {n} cards could not be drawn.",
            n=missing,
            player=player.name,
        )
        resolution.tell(text, seat)


def suffer(resolution: Resolution, seat: str, amount: int, source: Text) -> None:
    """Deal damage to a player, and log the total (R2.1)."""
    player = resolution.state.player(seat)
    after = player.damage + amount
    resolution.update_player(seat, damage=after)
    resolution.tell(
        phrase(
            "{player} takes {amount} ({source}): {before} → {after} of {endurance}.",
            player=player.name,
            amount=amount,
            source=source,
            before=player.damage,
            after=after,
            endurance=ENDURANCE,
        ),
        seat,
    )


def living_player(resolution: Resolution, seat: str) -> SoulForgerPlayer:
    """Return a player who is still in the game. Raises RuleError for a player who is out."""
    player = resolution.state.player(seat)
    if player.out:
        raise RuleError(phrase("{player} is out of the game (R2.1).", player=player.name))
    return player


def turn_player(resolution: Resolution, seat: str) -> SoulForgerPlayer:
    """Return the player if it is their turn. Raises RuleError if not."""
    player = living_player(resolution, seat)
    if seat != resolution.state.active:
        raise RuleError(
            phrase(
                "It is {active}'s turn, not {player}'s (R2.5).",
                active=resolution.name(resolution.state.active),
                player=player.name,
            )
        )
    return player


def check_settled(resolution: Resolution) -> None:
    """Raise RuleError while creatures above the Ronum Limit must leave: nothing can respond to that (R2.12)."""
    state = resolution.state
    over = state.overflowing()
    if over is not None:
        raise RuleError(
            phrase(
                "{player}'s creatures have Ronum {ronum} at level {level}: `send` them to the graveyard one at a time "
                "first (R2.12).",
                player=over.name,
                ronum=state.ronum(over.seat),
                level=over.level,
            )
        )


def check_quiet(resolution: Resolution) -> None:
    """Raise RuleError while the Flow, an attack or an overflow is open, which must end first."""
    check_settled(resolution)
    if resolution.state.flow:
        raise RuleError(
            phrase("“{effect}” is on the Flow; `resolve` it first (R2.20).", effect=resolution.state.flow[-1].name)
        )
    attack = resolution.state.attack
    if attack is not None and attack.unsettled and not attack.blocker:
        raise RuleError(phrase("An attack is open; `fight` or `call-off` ends it (R2.21)."))
    if attack is not None:
        raise RuleError(phrase("An attack is open; `fight` ends it (R2.21)."))


def next_phase(resolution: Resolution) -> None:
    """Enter the next phase, or the next player's turn after the End Phase (R2.5)."""
    check_quiet(resolution)
    state = resolution.state
    if state.phase in ("end", WHOLE_TURN):
        _end_turn(resolution)
    else:
        _enter_phase(resolution, PHASES[PHASES.index(state.phase) + 1])


def skip_combat(resolution: Resolution) -> None:
    """Go directly from Main 1 to the End Phase (R2.5)."""
    check_quiet(resolution)
    if resolution.state.phase == WHOLE_TURN:
        raise RuleError(phrase("The phases of this turn are not tracked; `next` ends it."))
    _enter_phase(resolution, "end")


def _enter_phase(resolution: Resolution, phase: str) -> None:
    resolution.change(phase=phase)
    resolution.tell(phrase("{phase} Phase.", phase=GLOSSARY.steps[phase]), resolution.state.active)
    player = resolution.state.player(resolution.state.active)
    due = resolution.state.discard_due(player)
    if due:
        resolution.tell(
            phrases(
                "{player} must discard {n} card before the turn ends (R2.9).",
                "{player} must discard {n} cards before the turn ends (R2.9).",
                n=due,
                player=player.name,
            ),
            player.seat,
        )


def _end_turn(resolution: Resolution) -> None:
    """Pass the turn on. Raises RuleError for more than 8 cards in hand (R2.9)."""
    state = resolution.state
    player = state.player(state.active)
    due = state.discard_due(player)
    if due:
        raise RuleError(
            phrase(
                "{player} holds {cards} cards and must discard {due} (R2.9): `{line}`.",
                player=player.name,
                cards=player.hand,
                due=due,
                line=f"discard {player.seat} {due}",
            )
        )
    begin_turn(resolution, next_seat(resolution.state))


def next_seat(state: SoulForgerTable) -> str:
    """Return the seat of the next turn: the next player clockwise who is in the game."""
    _, *others = state.clockwise()
    return next((player.seat for player in others if not player.out), state.active)


def discard(resolution: Resolution, action: Discard) -> None:
    """Discard cards from the hand to the graveyard (R2.9)."""
    player = living_player(resolution, action.seat)
    if not resolution.state.holds(player, action.cards):
        raise RuleError(
            phrases(
                "{player} holds {n} card and cannot discard {cards}.",
                "{player} holds {n} cards and cannot discard {cards}.",
                n=player.hand,
                player=player.name,
                cards=action.cards,
            )
        )
    resolution.update_player(player.seat, hand=player.hand - action.cards, graveyard=player.graveyard + action.cards)
    if resolution.state.counts(player.seat, "hand"):
        text = phrases(
            "{player} discards {n} card: hand {before} → {after}.",
            "{player} discards {n} cards: hand {before} → {after}.",
            n=action.cards,
            player=player.name,
            before=player.hand,
            after=player.hand - action.cards,
        )
    else:
        text = phrases(
            "{player} discards {n} card.", "{player} discards {n} cards.", n=action.cards, player=player.name
        )
    resolution.tell(text, player.seat)


def draw(resolution: Resolution, action: Draw) -> None:
    """Draw cards by an effect."""
    draw_cards(resolution, living_player(resolution, action.seat).seat, action.cards)


def quest(resolution: Resolution, action: Quest) -> None:
    """Send cards to the Material Zone, level up if they suffice, then draw as many cards (R2.7, A2.15)."""
    player = turn_player(resolution, action.seat)
    _check_quest(resolution, player, action.cards)
    cards = len(action.cards)
    resolution.update_player(
        player.seat, quested=True, hand=player.hand - cards, material=(*player.material, *action.cards)
    )
    _level_up(resolution, player, action)
    if cards:
        draw_cards(resolution, player.seat, cards)


def _check_quest(resolution: Resolution, player: SoulForgerPlayer, cards: tuple[int, ...]) -> None:
    check_quiet(resolution)
    if player.quested:
        raise RuleError(
            phrase(
                "{player} has already done this turn's Side Quest; there is only one a turn (R2.7).", player=player.name
            )
        )
    if not cards and not resolution.state.house.xp_only_side_quest:
        raise RuleError(
            phrase(
                "A Side Quest sends at least 1 card; XP alone buys levels in the End Phase (A2.2). "
                "`next` goes on without a Side Quest."
            )
        )
    if not resolution.state.holds(player, len(cards)):
        raise RuleError(
            phrases(
                "{player} holds {n} card and cannot send {cards} (R2.7).",
                "{player} holds {n} cards and cannot send {cards} (R2.7).",
                n=player.hand,
                player=player.name,
                cards=len(cards),
            )
        )


def _level_up(resolution: Resolution, player: SoulForgerPlayer, action: Quest) -> None:
    """Gain one level if the sent Ronum, plus XP for the gap alone, reaches the present level (R2.7, A2.18)."""
    cards = action.cards
    total = sum(cards)
    gap = max(0, player.level - total)
    # Translators: the sum of the cards, such as "1 + 2 = 3".
    sent = _describe_sum(cards, total) if cards else phrase_in("Ronum of the cards", "nothing")
    figures = {"player": player.name, "sent": sent, "level": player.level, "xp": player.xp}
    if gap and action.keep_xp:
        text = phrase(
            "{player}'s Side Quest: Ronum {sent}, less than level {level}, and {xp} XP kept: no level.", **figures
        )
        resolution.tell(text, player.seat)
        return
    if gap > player.xp:
        text = phrase(
            "{player}'s Side Quest: Ronum {sent}, even with {xp} XP less than level {level}: no level.", **figures
        )
        resolution.tell(text, player.seat)
        return
    resolution.update_player(player.seat, level=player.level + 1, xp=player.xp - gap)
    figures["new_level"] = player.level + 1
    if gap:
        text = phrase(
            "{player}'s Side Quest: Ronum {sent} + {gap} XP reaches level {level}: level {level} → {new_level}. "
            "XP {xp} → {left}.",
            **figures,
            gap=gap,
            left=player.xp - gap,
        )
    else:
        text = phrase(
            "{player}'s Side Quest: Ronum {sent} reaches level {level}: level {level} → {new_level}.", **figures
        )
    resolution.tell(text, player.seat)


def _describe_sum(cards: tuple[int, ...], total: int) -> Message:
    """Return the sum of the cards: `1 + 2 = 3`, or `3` for a single card."""
    terms = joined(" + ", cards)
    return joined(" = ", (terms, total)) if len(cards) > 1 else terms


def level(resolution: Resolution, action: Level) -> None:
    """Buy one level for as much XP as the present level (R2.9, A2.3)."""
    player = turn_player(resolution, action.seat)
    check_quiet(resolution)
    if player.levelled and resolution.state.house.end_level_ups == "once":
        raise RuleError(phrase("XP buys only one level per End Phase here (A2.3, house rule end-level-ups)."))
    if player.xp < player.level:
        raise RuleError(
            phrase(
                "The next level costs {price} XP; {player} has {xp} (R2.9).",
                price=player.level,
                player=player.name,
                xp=player.xp,
            )
        )
    resolution.update_player(player.seat, levelled=True, level=player.level + 1, xp=player.xp - player.level)
    resolution.tell(
        phrase(
            "{player} spends {price} XP ({before} → {after}): level {level} → {new_level}.",
            player=player.name,
            price=player.level,
            before=player.xp,
            after=player.xp - player.level,
            level=player.level,
            new_level=player.level + 1,
        ),
        player.seat,
    )


def earn(resolution: Resolution, seat: str, amount: int, creature: str) -> None:
    """Earn XP for a creature destroyed by a weapon (R2.10)."""
    player = resolution.state.player(seat)
    resolution.update_player(seat, xp=player.xp + amount)
    resolution.tell(
        phrase(
            "{player}'s weapon destroyed {creature}: XP {before} + {amount} = {after}.",
            player=player.name,
            creature=creature,
            before=player.xp,
            amount=amount,
            after=player.xp + amount,
        ),
        seat,
    )
