"""House rules as plain questions: before the game, and as offers to change them during it."""

from __future__ import annotations

from collections.abc import Iterator

from companion.tabletop.table.common_actions import Rule
from companion.tabletop.table.state import State
from companion.tabletop.table.table import Prompt, draft
from templates.languages.messages import phrase


def before_game(state: State) -> Iterator[Prompt]:
    """Yield a question for each such rule, with its present value first."""
    house = state.house
    for rule in house.all():
        if rule.question:
            now = house.value(rule.key)
            values = sorted(rule.values, key=lambda value: value != now)
            if now not in values:
                values.insert(0, now)
            answers = rule.question.answers
            first, *others = (draft(Rule, answers.get(each, each), key=rule.key, value=each) for each in values)
            if rule.takes_number:
                others.append(draft(Rule, phrase("another number"), key=rule.key))
            yield Prompt(rule.question.text, first, due=False, others=tuple(others))


def in_game(state: State) -> Iterator[Prompt]:
    """Yield an offer for each other value of each such rule."""
    house = state.house
    for rule in house.all():
        for value in rule.values if rule.question else ():
            if rule.question and value != house.value(rule.key):
                yield Prompt(rule.question.changes[value], draft(Rule, key=rule.key, value=value), due=False)
