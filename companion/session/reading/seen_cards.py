"""Answers from a photograph of the cards on the table: all current questions that the labels can settle."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from companion.session.core.session import Session
from companion.session.reading.options import accepted_answers
from companion.session.reading.table_questions import due_prompts
from companion.tabletop.action import Action, NotationError, RuleError
from companion.tabletop.decks.paper import LabelText
from companion.tabletop.table.choices import Choice, Gap
from companion.tabletop.table.common_actions import Seat
from companion.tabletop.table.table import Draft, Prompt
from companion.tabletop.words import join_with_and
from templates.languages.messages import Message, Text, joined, listed, phrase, phrases

SeenLabels = Mapping[str, Sequence[LabelText]]
"""The visible labels of each deck's cards, from left to right, by the seat of the deck."""


class SeenAnswer(NamedTuple):
    """One intention that answers the current questions as far as labels can.

    `texts` describe the actions (`Ana: reveal a card · 9♠`); `open_seats` still have the same question to answer.
    """

    actions: tuple[Action, ...]
    texts: tuple[Text, ...]
    open_seats: tuple[str, ...]


def brought_decks(session: Session) -> Mapping[str, str]:
    """Return the stored decks brought to a table, by seat."""
    actions = (moment.action for moment in session.moments())
    return {action.seat: action.deck for action in actions if isinstance(action, Seat) and action.deck}


def answer_by_labels(
    session: Session, labels: SeenLabels, is_asked: Callable[[Prompt], bool] = lambda _: True
) -> SeenAnswer:
    """Answer the questions accepted by `is_asked` from visible labels.

    A question that wants one card is answered if only one of the visible cards fits. The result is empty if no question
    is answered.
    """
    view = session.view()
    due = due_prompts(view)
    answers = _answers(session, filter(is_asked, due), labels)
    if not answers:
        # Optional questions, such as the card that was turned over before the game began.
        offers = (prompt for prompt in view.prompts if not (prompt.due or prompt.seat) and is_asked(prompt))
        answers = _answers(session, offers, labels)
    actions, texts = tuple(answers), tuple(answers.values())
    kinds = {type(action) for action in actions}
    settled = {getattr(action, "seat", "") for action in actions}
    same = (prompt.seat for prompt in due if prompt.seat and prompt.answer.action in kinds)
    return SeenAnswer(actions, texts, tuple(seat for seat in dict.fromkeys(same) if seat not in settled))


def _answers(session: Session, prompts: Iterable[Prompt], labels: SeenLabels) -> dict[Action, Text]:
    """Return the actions that answer prompts, as far as labels determine them, each with its description."""
    answers: dict[Action, Text] = {}
    for prompt in prompts:
        drafts = accepted_answers(prompt, session)
        fitting = [each for draft in drafts for each in _fill(session, draft, prompt.seat, labels)]
        # If several would fit, none is chosen.
        for action, card in fitting if len(fitting) == 1 else ():
            with contextlib.suppress(NotationError, RuleError):
                session.preview(*answers, action)
                answers[action] = joined(" · ", (prompt.text, card))
    return answers


def _fill(session: Session, draft: Draft, seat: str, labels: SeenLabels) -> Iterator[tuple[Action, Text]]:
    """Yield a draft completed with each visible card that fits, and the card's name, if nothing else is missing."""
    if len(draft.missing) != 1:
        return
    gap = Gap.of(session.game, session.state, draft)
    seen = [choice for choice in gap.fitting_choices if _is_seen(choice, seat, labels)]
    for choice in seen:
        yield gap.fill_gap(choice.value).build(), choice.title or gap.word(choice)
    # For a list, all visible cards in the order in which they lie.
    items = () if seen else _seen_items(gap, seat, labels)
    if items:
        names = listed(choice.title or str(choice.value) for choice in items)
        yield gap.fill_gap(tuple(choice.value for choice in items)).build(), names


def _seen_items(gap: Gap, seat: str, labels: SeenLabels) -> tuple[Choice, ...]:
    choices = [choice for choice, _, _ in gap.items()]
    one_by_one: Iterator[SeenLabels] = ({owner: (label,)} for owner, own in labels.items() for label in own)
    seen = (choice for each in one_by_one for choice in choices if _is_seen(choice, seat, each))
    return tuple({str(choice.value): choice for choice in seen}.values())


def _is_seen(choice: Choice, seat: str, labels: SeenLabels) -> bool:
    """Return True if a choice is a visible card: one of the seat that is asked, or one named with its seat.

    A label without a card of a pack matches by its title.
    """
    called = {str(choice.value).casefold(), str(choice.title).casefold()}
    for owner, own in labels.items():
        for label in own:
            card = label.spot.partition(" ")[0]
            names = {f"{owner}:{card}"} if card else set()
            names |= {card or str(label.title)} if owner == seat else set()
            if called & {name.casefold() for name in names}:
                return True
    return False


def describe_seen(session: Session, labels: SeenLabels, answer: SeenAnswer, codes: int) -> Message:
    """Return the sentence on a photograph with `codes` codes: what it answers, and who must still answer."""
    titles = [label.full_title for own in labels.values() for label in own]
    if not codes:
        return phrase("No label with a code can be seen there; photograph the cards from above, and from closer.")
    if not titles:
        return phrases(
            "{n} label with a code, and none of a deck at this table.",
            "{n} labels with a code, and none of a deck at this table.",
            n=codes,
        )
    if not answer.actions:
        return phrase("Seen: {cards}. None of them answers a question now.", cards=listed(titles))
    names = [seat.name for seat in session.view().seats if seat.seat in answer.open_seats]
    sentence = phrase("That is what the photograph shows.")
    if not names:
        return sentence
    others = phrases(
        "{players} is asked as usual.", "{players} are asked as usual.", n=len(names), players=join_with_and(names)
    )
    return joined(" ", (sentence, others))
