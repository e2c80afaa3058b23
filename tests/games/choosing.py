"""What must hold of the questions of any game: what they offer is exactly what the rules accept.

`are_honest` is quick enough to ask after each line; `Choosing.check` tries every value of every field at one table: a
game plays at random and calls it now and then (see `test_choices.py` of each).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import product
from random import Random
from typing import Any, Final

from companion.session.core.session import Session
from companion.tabletop.action import NotationError, RuleError
from companion.tabletop.game import Game
from companion.tabletop.notation.arguments import (
    CARD,
    CHANGE,
    COUNT,
    COUNTER,
    HANDLE,
    HANDLE_OR_SEAT,
    PAYMENT,
    SEAT,
    SUIT,
    TARGET,
    TEXT,
    ArgumentKind,
    Pair,
    Share,
    Words,
)
from companion.tabletop.notation.cards import PACK, SUITS
from companion.tabletop.notation.notation import Argument, Notation, grammar
from companion.tabletop.table.choices import Choice, Open, accepts, choices
from companion.tabletop.table.common_actions import Next
from companion.tabletop.table.completion import complete
from companion.tabletop.table.table import Draft, TableView

Domain = Callable[[Any, Draft, Argument], Iterable[Any] | None]
"""All values that a field could hold, right or wrong, where the game knows more of that than its kind says."""

_OF_ANY_TABLE: Final[dict[ArgumentKind[Any], Sequence[Any]]] = {
    CARD: PACK,
    SUIT: SUITS,
    COUNT: range(16),
    TEXT: ("Spark", ""),
    CHANGE: ((0, 0), (2, 0), (0, 2), (-9, -9)),
}
_FIGURES: Final = ((0, 0), (0, 3), (3, 0), (3, 3))
_MOST_WORDS: Final = 400
"""A list of words may go on for long before somebody says the keyword that the line still needs."""


def by_kind_alone(state: Any, draft: Draft, argument: Argument) -> None:
    """The domain of a game whose fields hold nothing that their kinds do not know."""


def are_honest(session: Session) -> None:
    """What a question offers is accepted, as it stands or once it is completed; and there is a way on until the end."""
    view = session.view()
    for prompt in view.prompts:
        for answer in prompt.answers:
            assert accepts(session.game, session.state, answer), f"“{prompt.text}” offers `{answer.line}`"
    if view.outcome is None and not any(prompt.due for prompt in view.prompts):
        session.preview(Next())


class Choosing:
    """Looks whether a game offers what it accepts, no more and no less."""

    def __init__(self, game: Game, chance: Random, domain: Domain = by_kind_alone) -> None:
        self.game = game
        self.chance = chance
        self.domain = domain

    def check(self, state: Any) -> None:
        """Everything that is offered at a table. Raises AssertionError."""
        view = self.game.view(state)
        for prompt in view.prompts:
            for answer in prompt.answers:
                try:
                    self._answer(state, view, answer)
                except AssertionError as error:
                    raise AssertionError(f"“{prompt.text}”, `{answer.line}`: {error}") from error

    def _answer(self, state: Any, view: TableView, draft: Draft) -> None:
        """One answer, completed field by field, each checked before one of its values is taken."""
        while draft.missing:
            argument = draft.missing[0]
            options = choices(self.game, state, draft, argument.field)
            assert options, f"nothing can stand for {argument.words}"
            if isinstance(options, Open):
                self._open(state, view, draft, argument, options)
                value = options.example
            else:
                self._listed(state, view, draft, argument, options)
                value = self.chance.choice(options).value
            draft = draft.having(argument.field, value)
        assert self._takes(state, draft) or self._completed(state, view, draft), "it is refused"

    def _listed(
        self, state: Any, view: TableView, draft: Draft, argument: Argument, options: tuple[Choice, ...]
    ) -> None:
        offered = [_unordered(choice.value) for choice in options]
        assert len(set(offered)) == len(offered), f"{argument.field} is offered twice: {offered}"
        every = self._every(state, view, draft, argument)
        taken = {
            _unordered(value) for value in every if self._completed(state, view, draft.having(argument.field, value))
        }
        assert set(offered) == taken, f"{argument.field}: {sorted(map(str, set(offered) ^ taken))}"

    def _open(self, state: Any, view: TableView, draft: Draft, argument: Argument, open_: Open) -> None:
        field = argument.field
        assert self._completed(state, view, draft.having(field, open_.example)), f"{field} {open_.example} is refused"
        for choice in open_.fitting:
            assert self._completed(state, view, draft.having(field, choice.value)), f"{field} {choice.value} is refused"
        for value in self._every(state, view, draft, argument):
            size = len(value) if isinstance(value, tuple) else value if isinstance(value, int) else None
            if size is not None and not _within(open_, size):
                assert not self._completed(state, view, draft.having(field, value)), f"{field} {value} is accepted"
        if open_.of:
            self._items(state, view, draft, argument, open_)

    def _items(self, state: Any, view: TableView, draft: Draft, argument: Argument, open_: Open) -> None:
        """A list grows by what is offered, as the table offers it, to one that is accepted; others never are."""
        items: tuple[Any, ...] = ()
        growing = open_
        while growing.of and (open_.most is None or len(items) < open_.most) and len(items) < len(PACK):
            items = (*items, self.chance.choice(growing.of).value)
            if self._completed(state, view, draft.having(argument.field, items)):
                break
            again = choices(self.game, state, draft.having(argument.field, items), argument.field)
            assert isinstance(again, Open)
            growing = again
        assert not items or self._completed(state, view, draft.having(argument.field, items)), f"{items} is refused"
        offered = {choice.value for choice in open_.of}
        strange = [value for value in _items_of(argument) if value not in offered]
        for _ in range(8 if strange else 0):
            others = self.chance.sample(PACK, max(0, (open_.most or 1) - 1))
            value = (self.chance.choice(strange), *others)
            assert not self._completed(state, view, draft.having(argument.field, value)), f"{value} is accepted"

    def walk(self, state: Any) -> str:
        """A line put together from what is offered at its end, word by word, is accepted; gives the line."""
        notation, text = Notation(self.game.actions), ""
        for _ in range(_MOST_WORDS):
            if text and self._accepted(state, notation, text):
                return text
            completions = complete(self.game, state, text)
            text += f"{self.chance.choice(completions).word if completions else self._example(state, text)} "
        raise AssertionError(f"`{text}` is never accepted")

    def _accepted(self, state: Any, notation: Notation, text: str) -> bool:
        try:
            action = notation.parse(text)
        except NotationError:
            return False
        return self._takes(state, Draft(type(action), {f: getattr(action, f) for f in action.__struct_fields__}))

    def _example(self, state: Any, text: str) -> str:
        """What people say where nothing can be listed: the example of that field."""
        words = Words.of(text)
        verb = words.take(TEXT)
        action = next(action for action in self.game.actions if action.verb() == verb)
        ending, *_ = grammar(action).endings(words)
        open_ = choices(self.game, state, Draft(action, ending.given), ending.argument.field)
        assert isinstance(open_, Open), f"`{text}` leads nowhere"
        written: str = ending.argument.kind.write(open_.example)
        return written

    # what is accepted, found without the game's help

    def _completed(self, state: Any, view: TableView, draft: Draft) -> bool:
        """Whether any way to complete a draft is accepted: every value of every field is tried."""
        if draft.missing:
            argument = draft.missing[0]
            values = self._every(state, view, draft, argument)
            return any(self._completed(state, view, draft.having(argument.field, value)) for value in values)
        if self._takes(state, draft):
            return True
        domains = ((argument.field, self.domain(state, draft, argument)) for argument in draft.optional)
        ways = [[None, *((field, value) for value in values)] for field, values in domains if values is not None]
        return any(self._takes(state, _with(draft, way)) for way in product(*ways) if any(way))

    def _takes(self, state: Any, draft: Draft) -> bool:
        """Whether the rules take the line as people enter it: behind what goes without saying before it."""
        action = draft.build()
        try:
            for each in (*self.game.lead_in(state, action), action):
                state = self.game.apply(state, self.game.resolve(state, each, Random(1))).state
        except RuleError:
            return False
        return True

    def _every(self, state: Any, view: TableView, draft: Draft, argument: Argument) -> Iterable[Any]:
        """All values that a field could hold."""
        domain = self.domain(state, draft, argument)
        return domain if domain is not None else _of_kind(view, draft, argument)


def _with(draft: Draft, more: Iterable[tuple[str, Any] | None]) -> Draft:
    for pair in more:
        draft = draft.having(*pair) if pair else draft
    return draft


def _of_kind(view: TableView, draft: Draft, argument: Argument) -> Iterable[Any]:
    kind = argument.kind
    if argument.flag:
        return (True, False)
    if kind is COUNTER:
        return (*(c.name for c in view.counters_of(str(draft.given.get("target"))) or ()), "nothing")
    if kind.many:
        items = [(item,) for item in _words_of(view, kind.item)]
        return (*_OF_ANY_TABLE[COUNT], *items) if kind is PAYMENT else items
    return _words_of(view, kind)


def _words_of(view: TableView, kind: ArgumentKind[Any]) -> Iterable[Any]:
    """What a single word of a kind could be, on any table or on this one; of two words, both."""
    if isinstance(kind, Share):
        return product(_words_of(view, kind.name), (0, 1, 99))
    if isinstance(kind, Pair):
        return _OF_ANY_TABLE[CHANGE] if kind.signed else _FIGURES
    if kind in (TARGET, HANDLE, HANDLE_OR_SEAT):
        return (*view.targets(), "nowhere")
    if kind is SEAT:
        return (*(seat.seat for seat in view.seats), "nobody")
    return _OF_ANY_TABLE.get(kind) or kind.choices or ("1", "yes", "none")


def _items_of(argument: Argument) -> tuple[Any, ...]:
    return PACK if argument.kind.item is CARD else tuple(argument.kind.item.choices)


def _unordered(value: Any) -> Any:
    """Cards that are named together are the same in any order."""
    return tuple(sorted(value)) if isinstance(value, tuple) else value


def _within(open_: Open, size: int) -> bool:
    return (open_.least is None or size >= open_.least) and (open_.most is None or size <= open_.most)
