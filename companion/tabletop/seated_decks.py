"""The lines about the record of a deck at a table: the deck is read anew, or played on without its record."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from companion.tabletop.action import Action, RuleError, Step
from companion.tabletop.decks.stored_decks import leave_out
from companion.tabletop.game import Game
from companion.tabletop.table.common_actions import OffRecord, RefreshDeck
from companion.tabletop.table.state import at_seat
from templates.languages.messages import Text, phrase


def refresh_deck(game: Game, state: Any, action: RefreshDeck, lines: Sequence[Action]) -> Step:
    """Return the table with the deck before a seat updated from these set-up lines.

    Everything that this game has done to the deck is applied again. Raises RuleError.
    """
    name = _name_of_deck(game, state, action.seat)
    if action.is_bare or action.deck != game.stored_decks(state)[action.seat].deck:
        raise RuleError(
            phrase(
                "`{line}` reloads {deck} where its record is available.",
                line=f"{action.verb()} {action.seat}",
                deck=name,
            )
        )
    resolution = game.resolution(state)
    resolution.change(off_record=tuple(seat for seat in state.off_record if seat != action.seat))
    resolution.tell(phrase("{deck} is reloaded as its record has it now.", deck=name), action.seat)
    game.read_anew(resolution, action, lines)
    if action.holder:
        resolution.change(held_elsewhere={**state.held_elsewhere, action.seat: action.holder})
    taker = game.decks.taker(state, action.seat)
    if action.holder and taker and action.seat not in state.kept_by_holder:
        resolution.change(kept_by_holder=(*state.kept_by_holder, action.seat))
        if taker != action.seat:
            # Translators: It follows “Left out of the record:”.
            sentence = phrase("who took {deck} here, as {holder} holds it now.", deck=name, holder=action.holder)
            leave_out(resolution, action.seat, sentence)
    return Step(resolution.state, tuple(resolution.tells))


def leave_record(game: Game, state: Any, action: OffRecord) -> Step:
    """Return the table that continues without the record of the deck before a seat. Raises RuleError."""
    name = _name_of_deck(game, state, action.seat)
    if action.seat in state.off_record:
        raise RuleError(
            phrase(
                "{deck} is already played without its record; `refresh-deck {seat}` leads back to it.",
                deck=name,
                seat=action.seat,
            )
        )
    resolution = game.resolution(state)
    resolution.change(off_record=(*state.off_record, action.seat))
    resolution.tell(
        phrase(
            "{deck} is played on without its record: the seal writes nothing there, and what is "
            "bought, fades or is written on its cards is on the cards alone.",
            deck=name,
        ),
        action.seat,
    )
    return Step(resolution.state, tuple(resolution.tells))


def _name_of_deck(game: Game, state: Any, seat: str) -> Text:
    """Return the name of the stored deck before a seat. Raises RuleError if there is none, or it is sealed."""
    stored = game.stored_decks(state).get(seat)
    if stored is None:
        at_seat(game.display.people(state), seat)
        raise RuleError(phrase("{seat} has no stored deck, so there is no record of it.", seat=seat))
    if game.is_recorded(state):
        raise RuleError(phrase("This game is sealed into its decks' records; a mistake is corrected there."))
    return stored.name
