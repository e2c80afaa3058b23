"""Advice for a wizard: a thinker's evaluation at a real table, from what is known and what the player adds."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
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
from companion.tabletop.estimate import Z, wilson
from companion.tabletop.game import Game
from companion.tabletop.notation.cards import PACK, Card
from companion.tabletop.notation.line_texts import LineText, describe_action
from companion.tabletop.notation.notation import write
from companion.tabletop.rehearsal import Advice, Chance
from companion.tabletop.table.common_actions import Coach
from templates.languages.messages import Message, Text, decimal, joined, phrase, phrases

MOST_TABLES: Final = 200
"""Imagined tables in which every answer is tried; more would hardly change the result."""


class Decision(NamedTuple):
    """A wizard's decision: the question, the answers worth evaluating, and for each its action, and its title.

    The title is a line, or words where nothing needs to be entered.
    """

    question: Question
    answers: Sequence[Any]
    actions: Sequence[Action | None]
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
            own_text = phrase("This would help you: {answer}; nothing else fits now.", answer=decision.titles[0])
            unknown = view.wizard.hand - len(view.hand)
            reason = phrases("{n} card of the hand is not known.", "{n} cards of the hand are not known.", n=unknown)
            own = phrases("{n} card of your hand is not known.", "{n} cards of your hand are not known.", n=unknown)
            yield Advice(
                text,
                reason if unknown else "",
                decision.actions[0],
                decision.titles[0],
                own_text,
                own if unknown else "",
            )
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
    # In the order of the pack, so that a hand has the same advice however it was entered.
    return tuple(sorted(hand[: wizard.hand], key=PACK.index))


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
        "{player} has nothing to decide now that the coach can weigh; it weighs labels, "
        "cards, Tactics, Converts and dodges.",
        player=name,
    )


def _check_hand(view: DungeonView) -> None:
    """Raise RuleError if a decision depends on the hand, and no card of it is known."""
    if not view.hand and view.wizard.hand:
        raise RuleError(
            phrase(
                "No card of {player}'s hand is known; name the cards: `coach {seat} CARD…`. Only the "
                "person who asks sees them, and they are in no log.",
                player=view.wizard.name,
                seat=view.seat,
            )
        )


def _label(view: DungeonView) -> Decision:
    first = labelling.open_to(view.table)[0]
    if first != view.seat:
        name = view.table.wizard(first).name
        raise RuleError(phrase("{player} has the option first (R1.71); ask again after that.", player=name))
    answers = labels_to_add(view)
    return _of_actions(view, ("label",), [one or do.Decline(view.seat) for one in answers], answers)


def _reveal(view: DungeonView) -> Decision:
    wizard = view.wizard
    if wizard in reveal.plotters(view.table):
        _check_hand(view)
        cards = cards_to_reveal(view)
        return _of_actions(view, ("reveal",), [do.Reveal(view.seat, card) for card in cards], cards)
    if wizard.patrons:
        patrons = patrons_to_play(view)
        return _of_actions(view, ("patron",), patrons, patrons)
    if reveal.may_reveal_again(view.table, wizard):
        _check_hand(view)
        cards = cards_to_reveal(view)
        more = [None, *(do.Reveal(view.seat, card) for card in cards)]
        return _of_actions(view, ("reveal-more",), more, [None, *cards], phrase("no second card"))
    if not reveal.declared_now(view.table):
        raise RuleError(_nothing_to_weigh(wizard.name))
    return _declare(view)


def _tactic(view: DungeonView) -> Decision:
    if view.wizard.has_acted:
        raise RuleError(_nothing_to_weigh(view.wizard.name))
    first = tactics.seat_to_act(view.table)
    if first != view.seat:
        name = view.table.wizard(first).name
        raise RuleError(phrase("{player} decides first (R1.22); ask again after that.", player=name))
    _check_hand(view)
    answers: list[Any] = tactics_to_use(view)
    if not reveal.will_refusal(view.table, view.wizard) and holds_will(view.table, view.seat, view.hand):
        answers += [swap for swap in swaps_to_make(view) if swap is not None]
    return _of_actions(view, ("tactic",), [one or do.Pass(view.seat) for one in answers], answers)


def _declare(view: DungeonView) -> Decision:
    minions = damage.aimable_minions(view.table) if view.table.step != "reveal" else ()
    for upcard in view.table.cards_of(view.seat):
        if not upcard.declared and not is_double(view.table, upcard):
            answers = uses_of(view, upcard, minions)
            attack = phrase("attack the Boss with {card}", card=upcard.title)
            return _of_actions(view, ("declare", upcard.owner, upcard.card), answers, answers, attack)
    raise RuleError(_nothing_to_weigh(view.wizard.name))


def _dodge(view: DungeonView) -> Decision:
    foes = attacks.open_attacks(view.table, view.wizard)
    if not foes or (view.table.step == "attack" and view.wizard.answers):
        raise RuleError(_nothing_to_weigh(view.wizard.name))
    _check_hand(view)
    answers = dodges(view, foes[0])
    actions = [do.Dodge(view.seat, cards) if cards else do.Take(view.seat) for cards in answers]
    return _of_actions(view, ("dodge", foes[0].ref), actions, answers)


def _of_actions(
    view: DungeonView,
    question: Question,
    actions: Sequence[Action | None],
    answers: Sequence[Any],
    otherwise: Text = "",
) -> Decision:
    """Return a decision whose answers are these actions; None stands for the words `otherwise`."""
    names = {wizard.seat: wizard.name for wizard in view.table.wizards}
    titles = [otherwise if action is None else _quote_line(action, names) for action in actions]
    return Decision(question, answers, actions, titles)


def _quote_line(action: Action, names: Mapping[str, str]) -> LineText:
    # The verb alone does not say what is taken.
    in_words = phrase("Take the damage") if isinstance(action, do.Take) else None
    return LineText(f"`{write(action)}`", lambda: in_words or describe_action(action, names))


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
    # The odds of the Boss's death stand on the button already.
    own_odds = phrases(
        "In {n} imagined fight, your card kills it in {kills} %, and you fall in {falls} %.",
        "In {n} imagined fights, your card kills it in {kills} %, and you fall in {falls} %.",
        n=len(tries),
        kills=percent("kills"),
        falls=percent("falls"),
    )
    lead = _lead_text(tried, best, second, decision.titles[second])
    reasons, own_reasons = [odds, lead], [own_odds, lead]
    if unknown := view.wizard.hand - len(view.hand):
        reasons.append(phrases("{n} card of the hand is imagined.", "{n} cards of the hand are imagined.", n=unknown))
        own_reasons.append(
            phrases("{n} card of your hand is imagined.", "{n} cards of your hand are imagined.", n=unknown)
        )
    answer = decision.titles[best]
    return Advice(
        phrase("What would help {player}: {answer}.", player=name, answer=answer),
        joined(" ", reasons),
        decision.actions[best],
        _offer_text(tried, best, answer, percent("ends")),
        phrase("This would help you: {answer}.", answer=answer),
        joined(" ", own_reasons),
    )


def _offer_text(tried: Continuations, best: int, title: Text, share: Message) -> Message:
    """Return an answer with the `share` of tables at which the Boss dies, and half of its 95 % interval."""
    tries = tried.tries[best]
    odds = wilson(sum(one.ends for one in tries), len(tries))
    return phrase(
        "{answer}: {share} % ± {margin} % that the Boss dies within three rounds",
        answer=title,
        share=share,
        margin=decimal(50 * (odds.high - odds.low), 0),
    )


def _lead_text(tried: Continuations, best: int, second: int, title: Text) -> Message:
    """Return the lead of the best answer over the next, as a sentence, if it is significant."""
    pairs = zip(tried.tries[best], tried.tries[second], strict=True)
    differences = [(one.points - other.points) / COPPER for one, other in pairs]
    count = len(differences)
    mean = sum(differences) / count
    spread = math.sqrt(sum((one - mean) ** 2 for one in differences) / max(1, count - 1))
    if count < 2 or mean <= Z * spread / math.sqrt(count):
        return phrase("The next, {answer}, is about as good.", answer=title)
    return phrase("It is worth {coppers} Coppers more than the next, {answer}.", coppers=decimal(mean, 1), answer=title)
