"""The questions of a page after the game: who is asked which, and what has been answered."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

from companion.games.described.page.campaign import CAMPAIGN, QUESTIONS_OF_CAMPAIGNS
from companion.games.described.page.description import After
from companion.games.described.rules import outcomes
from companion.games.described.rules.context import Context
from companion.games.described.rules.plan import PagePlan
from companion.games.described.rules.state import DescribedPlayer, DescribedTable
from companion.tabletop.action import RuleError
from companion.tabletop.constructed.table import is_stored
from companion.tabletop.records import Mark
from templates.languages.messages import Text, listed, phrase

_OF_DECKS: Final = frozenset({"inscribe", "buy", "cross-out", "tear-up", "take-home", "count", "retire", "text"})


class OpenQuestion(NamedTuple):
    """A question that a player has not answered yet."""

    question: After
    player: DescribedPlayer


def open_questions(plan: PagePlan, state: DescribedTable) -> Iterator[OpenQuestion]:
    """Yield the questions not answered yet, by question and then by seat."""
    if state.outcome is None or state.sealed:
        return
    for question in plan.page.after:
        done = state.answered.get(question.name, ())
        for player in _players_to_ask(state, question):
            if player.seat not in done:
                yield OpenQuestion(question, player)


def _players_to_ask(state: DescribedTable, question: After) -> Iterator[DescribedPlayer]:
    """Yield the players to whom a question applies. Questions about decks apply only to players with a stored one."""
    if question.kind in QUESTIONS_OF_CAMPAIGNS or question.who == CAMPAIGN:
        outcome = {"winner": "win", "losers": "loss"}.get(question.who, state.outcome)
        if is_stored(state, CAMPAIGN) and outcome == state.outcome:
            yield state.answerer(CAMPAIGN)
        return
    won = {player.seat for player in who_won(state)}
    for player in state.players:
        if question.kind in _OF_DECKS and not is_stored(state, player.seat):
            continue
        match question.who:
            case "each":
                fits = True
            case "winner":
                fits = player.seat in won
            case "losers":
                fits = player.seat not in won and state.outcome != "draw"
            case token:
                fits = state.tokens.get(token) == player.seat
        if fits:
            yield player


def who_won(state: DescribedTable) -> tuple[DescribedPlayer, ...]:
    """Return the winners: one seat, several seats, a team, or all players."""
    outcome = state.outcome or ""
    return state.players if outcome == "win" else outcomes.find_winners(state, outcome)


def find_question(plan: PagePlan, state: DescribedTable, seat: str, kind: str, tier: str | None = None) -> After:
    """Return the open question that an answer of this kind belongs to. Raises RuleError if there is none."""
    still_open = [
        each for each in open_questions(plan, state) if each.player.seat == seat and each.question.kind == kind
    ]
    for each in still_open:
        if tier is None or not each.question.tier or tier in each.question.tier:
            return each.question
    name = state.answerer(seat).name
    if still_open:
        tiers = listed(still_open[0].question.tier)
        raise RuleError(phrase("{player} can choose among {tiers} here.", player=name, tiers=tiers))
    if not any(question.kind == kind for question in plan.page.after):
        raise RuleError(phrase("{game} asks nobody after the game for `{verb}`.", game=plan.page.title, verb=kind))
    if not is_stored(state, seat):
        # Translators: {deck} is the game's word for a deck.
        raise RuleError(
            phrase(
                "{player} has no stored {deck} here, so nothing is written down of it.",
                player=name,
                deck=word_for_deck(plan),
            )
        )
    raise RuleError(
        phrase("{player} is not asked that, or has already answered; `undo` takes an answer back.", player=name)
    )


def word_for_deck(plan: PagePlan) -> Text:
    return plan.page.decks.called if plan.page.decks else phrase("deck")


def record_answer(context: Context, question: After, seat: str) -> None:
    state = context.resolution.state
    done = (*state.answered.get(question.name, ()), seat)
    context.resolution.change(answered={**state.answered, question.name: done})


def add_mark(context: Context, seat: str, mark: Mark) -> None:
    state = context.resolution.state
    context.resolution.change(written={**state.written, seat: (*state.written.get(seat, ()), mark)})
