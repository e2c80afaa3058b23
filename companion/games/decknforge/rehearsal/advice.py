"""Advice for a wizard: a thinker's evaluation at a real table, from what is known and what the player adds."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any, Final, NamedTuple

from companion.games.decknforge.book.ledger import cards_out_of_hand
from companion.games.decknforge.book.state import DungeonTable
from companion.games.decknforge.rehearsal.continuations import COPPER, Continuations, Question
from companion.games.decknforge.rehearsal.temperaments import DungeonView, holds_will, is_double
from companion.games.decknforge.rehearsal.thinker import (
    cards_to_reveal,
    dodges,
    labels_to_add,
    patrons_to_play,
    swaps_to_make,
    tactics_to_use,
    uses_of,
)
from companion.games.decknforge.rules import actions as do
from companion.games.decknforge.rules import attacks, damage, labelling, reveal, tactics
from companion.games.decknforge.rules.round_steps import ROUND_STEPS
from companion.tabletop.action import Action, RuleError
from companion.tabletop.estimate import Z
from companion.tabletop.game import Game
from companion.tabletop.notation.cards import Card
from companion.tabletop.notation.notation import write
from companion.tabletop.rehearsal import Advice, Chance
from companion.tabletop.table.common_actions import Coach
from templates.languages.messages import Message, Text, decimal, joined, phrase, phrases

MOST_TABLES: Final = 200
"""Imagined tables in which every answer is tried; more would hardly change the result."""


class Decision(NamedTuple):
    """A wizard's decision: the question, the answers worth evaluating, and the title of each: its line, or words."""

    question: Question
    answers: Sequence[Any]
    titles: Sequence[Text]


class DungeonAdviser:
    """The adviser of DecknForge; see `companion.tabletop.rehearsal.Adviser`."""

    def __init__(self, game: Game) -> None:
        self.game = game

    def advise(self, state: DungeonTable, question: Coach, chance: Chance) -> Iterator[Advice]:
        """Yield the best answer now and its lead over the next, more reliable with each imagined table."""
        view = DungeonView(state, question.seat, known_hand(state, question), chance, {}, self.game)
        decision = find_decision(view)
        if len(decision.answers) == 1:
            text = phrase(
                "What would help {player}: {answer}; nothing else fits now.",
                player=view.wizard.name,
                answer=decision.titles[0],
            )
            unknown = view.wizard.hand - len(view.hand)
            reason = phrases("{n} card of the hand is not known.", "{n} cards of the hand are not known.", n=unknown)
            yield Advice(text, reason if unknown else "")
            return
        tried = Continuations(view, decision.question, decision.answers)
        for _ in range(MOST_TABLES):
            for at in range(len(decision.answers)):
                tried.play(at)
            yield _best_answer(view, decision, tried)


def known_hand(table: DungeonTable, question: Coach) -> tuple[Card, ...]:
    """Return the cards known to be in a wizard's hand: open ones, then those in the question, the newest first.

    Cards that have left the hand since are removed, and the last ones if there are more than the hand holds.
    """
    wizard = table.wizard(question.seat)
    cards = question.hand if isinstance(question, do.CoachWithHand) else ()
    out = cards_out_of_hand(table, wizard.seat)
    hand = [card for card in dict.fromkeys((*wizard.known_hand, *cards)) if card not in out]
    return tuple(hand[: wizard.hand])


def find_decision(view: DungeonView) -> Decision:
    """Return a wizard's decision. Raises RuleError if there is none, or if too little is known."""
    table, name = view.table, view.wizard.name
    if not (
        table.tracks_all
        and all(table.counts(one.seat, "hand") and table.counts(one.seat, "deck") for one in table.wizards)
    ):
        raise RuleError(phrase("The coach weighs every card, so all of them must be tracked: `rule track all`."))
    if table.step not in ROUND_STEPS or not view.wizard.in_fight:
        raise RuleError(_nothing_to_weigh(name))
    match table.step:
        case "labels":
            return _label(view)
        case "reveal":
            return _reveal(view)
        case "tactics":
            return _tactic(view)
        case "declare" | "damage":
            return _declare(view)
        case "attack" | "minions":
            return _dodge(view)
    raise RuleError(_nothing_to_weigh(name))


def _nothing_to_weigh(name: str) -> Message:
    return phrase(
        "{player} has nothing to decide now that can be weighed: labels, cards, Tactics, Converts and dodges can.",
        player=name,
    )


def _check_hand(view: DungeonView) -> None:
    """Raise RuleError if a decision depends on the hand, and no card of it is known."""
    if not view.hand and view.wizard.hand:
        raise RuleError(
            phrase(
                "No card of {player}'s hand is known; say them behind it: `coach {seat} CARD…`. They stay with who "
                "asks, and stand in no log.",
                player=view.wizard.name,
                seat=view.seat,
            )
        )


def _label(view: DungeonView) -> Decision:
    first = labelling.open_to(view.table)[0]
    if first != view.seat:
        name = view.table.wizard(first).name
        raise RuleError(phrase("{player} has the option first (R1.71); ask again behind that.", player=name))
    answers = labels_to_add(view)
    return _of_lines(("label",), answers, do.Decline(view.seat))


def _reveal(view: DungeonView) -> Decision:
    wizard = view.wizard
    if wizard in reveal.plotters(view.table):
        _check_hand(view)
        cards = cards_to_reveal(view)
        return Decision(("reveal",), cards, [_quote_line(do.Reveal(view.seat, card)) for card in cards])
    if wizard.patrons:
        return _of_lines(("patron",), patrons_to_play(view))
    if reveal.may_reveal_again(view.table, wizard):
        _check_hand(view)
        cards = cards_to_reveal(view)
        titles: list[Text] = [phrase("no second card"), *(_quote_line(do.Reveal(view.seat, card)) for card in cards)]
        return Decision(("reveal-more",), [None, *cards], titles)
    if not reveal.declared_now(view.table):
        raise RuleError(_nothing_to_weigh(wizard.name))
    return _declare(view)


def _tactic(view: DungeonView) -> Decision:
    if view.wizard.has_acted:
        raise RuleError(_nothing_to_weigh(view.wizard.name))
    first = tactics.seat_to_act(view.table)
    if first != view.seat:
        name = view.table.wizard(first).name
        raise RuleError(phrase("{player} decides first (R1.22); ask again behind that.", player=name))
    _check_hand(view)
    answers: list[Any] = tactics_to_use(view)
    if not reveal.will_refusal(view.table, view.wizard) and holds_will(view.table, view.seat, view.hand):
        answers += [swap for swap in swaps_to_make(view) if swap is not None]
    return _of_lines(("tactic",), answers, do.Pass(view.seat))


def _declare(view: DungeonView) -> Decision:
    minions = damage.aimable_minions(view.table) if view.table.step != "reveal" else ()
    for upcard in view.table.cards_of(view.seat):
        if not upcard.declared and not is_double(view.table, upcard):
            answers = uses_of(view, upcard, minions)
            attack = phrase("attack the Boss with {card}", card=upcard.title)
            titles = [_quote_line(one) if one else attack for one in answers]
            return Decision(("declare", upcard.owner, upcard.card), answers, titles)
    raise RuleError(_nothing_to_weigh(view.wizard.name))


def _dodge(view: DungeonView) -> Decision:
    foes = attacks.open_attacks(view.table, view.wizard)
    if not foes or (view.table.step == "attack" and view.wizard.answers):
        raise RuleError(_nothing_to_weigh(view.wizard.name))
    _check_hand(view)
    answers = dodges(view, foes[0])
    titles = [_quote_line(do.Dodge(view.seat, cards) if cards else do.Take(view.seat)) for cards in answers]
    return Decision(("dodge", foes[0].ref), answers, titles)


def _of_lines(question: Question, answers: Sequence[Any], otherwise: Action | None = None) -> Decision:
    """Return a decision whose answers are lines; None stands for the line `otherwise`."""
    return Decision(question, answers, [_quote_line(one or otherwise) for one in answers])


def _quote_line(action: Any) -> str:
    return f"`{write(action)}`"


def _best_answer(view: DungeonView, decision: Decision, tried: Continuations) -> Advice:
    """Return the best answer after the tables so far."""
    order = sorted(range(len(decision.answers)), key=lambda at: (-tried.points(at), at))
    best, second = order[:2]
    tries, name = tried.tries[best], view.wizard.name

    def percent(what: str) -> Message:
        return decimal(100 * sum(getattr(one, what) for one in tries) / len(tries), 0)

    odds = phrases(
        "In {ends} % of {n} imagined table the Boss dies within three rounds, in {kills} % by {player}'s card; in "
        "{falls} % {player} falls.",
        "In {ends} % of {n} imagined tables the Boss dies within three rounds, in {kills} % by {player}'s card; in "
        "{falls} % {player} falls.",
        n=len(tries),
        ends=percent("ends"),
        kills=percent("kills"),
        falls=percent("falls"),
        player=name,
    )
    reasons = [odds, _lead_text(tried, best, second, decision.titles[second])]
    if unknown := view.wizard.hand - len(view.hand):
        reasons.append(phrases("{n} card of the hand is imagined.", "{n} cards of the hand are imagined.", n=unknown))
    text = phrase("What would help {player}: {answer}.", player=name, answer=decision.titles[best])
    return Advice(text, joined(" ", reasons))


def _lead_text(tried: Continuations, best: int, second: int, title: Text) -> Message:
    """Return the lead of the best answer over the next, as a sentence, if it is significant."""
    pairs = zip(tried.tries[best], tried.tries[second], strict=True)
    differences = [(one.points - other.points) / COPPER for one, other in pairs]
    count = len(differences)
    mean = sum(differences) / count
    spread = math.sqrt(sum((one - mean) ** 2 for one in differences) / max(1, count - 1))
    if count < 2 or mean <= Z * spread / math.sqrt(count):
        return phrase("The next, {answer}, is about as good.", answer=title)
    return phrase(
        "It brings {coppers} Coppers' worth more than the next, {answer}.", coppers=decimal(mean, 1), answer=title
    )
