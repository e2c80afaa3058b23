"""The promises of choices: every figure in the texts of a table's questions, held against what the choice does.

The figures are read from the texts that screens, plain lines and phones draw. What a figure means, each game says in
its `promised.py`, a `Kind` for each; a figure that no kind explains is a fault, as nobody would ever check it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from random import Random
from typing import Any, Final, NamedTuple

import msgspec

from companion.tabletop.action import Action, RuleError
from companion.tabletop.constructed.table import Brought
from companion.tabletop.deck_lists.reading import read_deck_list
from companion.tabletop.decks.decklist import handle
from companion.tabletop.game import Game
from companion.tabletop.table.choices import Choice, Gap, Open, complete_draft
from companion.tabletop.table.common_actions import Set
from companion.tabletop.table.table import Draft, Prompt, TableView, Value

_TRIED: Final = 3
"""Ways to make each choice that are tried at a table."""
_ITEMS: Final = 3
"""Items that a list gets at most."""
_LEFT_OUT: Final = 0.7
"""Share of the words that a line could do without and that are left out."""
_DIGIT: Final = re.compile(r"\d")
NUMBER: Final = r"([+−]?\d+)"
"""A figure as people read it; `read` makes a number of it."""
_RULE: Final = re.compile(r"\(?\b[RA]\d+\.\w+\)?|`[^`]*`|\b(?:10|[2-9])[♠♥♣♦]")
"""Numbers of rules, lines of notation, and cards: none of them is a figure."""


def read(figure: str) -> int:
    """`−3` as a number."""
    return int(figure.replace("−", "-"))


class Tried(NamedTuple):
    """A choice that was made to its end: the tables before and behind it, and what happened; or why it was refused."""

    game: Game
    before: Any
    action: Action
    after: Any
    tells: tuple[str, ...]
    refusal: str

    def then(self, *actions: Action) -> Tried:
        """The same with more actions behind it. Raises RuleError."""
        state, tells = self.after, self.tells
        for action in actions:
            state, more = self.game.apply(state, self.game.resolve(state, action, Random(1)))
            tells += tuple(str(tell.text) for tell in more)
        return self._replace(after=state, tells=tells)

    def was(self, target: str, counter: str) -> Value:
        """A counter before it."""
        return value_of(self.game.view(self.before), target, counter)

    def becomes(self, target: str, counter: str) -> Value:
        """A counter behind it."""
        return value_of(self.game.view(self.after), target, counter)

    def more(self, target: str, counter: str) -> int:
        """Return how much a counter has grown by it."""
        return figure_text(self.becomes(target, counter)) - figure_text(self.was(target, counter))


def value_of(view: TableView, target: str, counter: str) -> Value:
    """A counter's value on a table; None where there is none such."""
    return next((each.value for each in view.counters_of(target) or () if each.name == counter), None)


def figure_text(value: Value) -> int:
    """A counter's value, which must be a whole number."""
    assert isinstance(value, int), f"{value} is no number"
    return value


class Text(NamedTuple):
    """A text beside a choice: where it stands, and the choice as far as it is said, what stands there included."""

    where: str
    text: str
    draft: Draft
    state: Any
    prompt: Prompt | None = None

    @property
    def field(self) -> str:
        """The field beside whose values it stands."""
        return self.where.rpartition(".")[2]

    def given(self, field: str) -> Any:
        """A field of the choice."""
        return self.draft.given[field]


Check = Callable[[Text, Tried, Sequence[int]], None]
"""Hold the figures of a text against what the choice did. Raises AssertionError."""


class Kind(NamedTuple):
    """Figures of one kind: where their texts stand (`note take`, `choice reveal.card`), what is written around them,
    and what they must be.
    """

    where: str
    pattern: str
    check: Check


def is_right(text: Text, tried: Tried, figures: Sequence[int]) -> None:
    """Ask nothing: for figures that promise nothing, such as what a page calls its lines."""


def holds_now(target: Callable[[Text], str], *counters: str) -> Check:
    """Return a check that figures are what these counters are at the table where they are shown."""

    def check(text: Text, tried: Tried, figures: Sequence[int]) -> None:
        view = tried.game.view(text.state)
        assert list(figures) == [value_of(view, target(text), counter) for counter in counters], "it is not so now"

    return check


def is_one_of(*of: tuple[str, ...]) -> Check:
    """Return a check that figures are some thing's, such as attack and defense, at the table where they are shown."""

    def check(text: Text, tried: Tried, figures: Sequence[int]) -> None:
        view = tried.game.view(text.state)
        things = [{c.name: c.value for c in thing.counters} for thing in view.things()]
        each = [[thing.get(name) for name in names] for names in of for thing in things]
        assert list(figures) in each, f"nothing has these: {each}"

    return check


def becomes(target: Callable[[Text], str], *counters: str) -> Check:
    """Return a check that figures are what these counters are behind the choice; asks nothing of what has left."""

    def check(text: Text, tried: Tried, figures: Sequence[int]) -> None:
        values = [tried.becomes(target(text), counter) for counter in counters]
        assert tried.refusal or None in values or list(figures) == values, f"it becomes {values}"

    return check


def changes(target: Callable[[Text], str], counter: str) -> Check:
    """Return a check that a counter is the first figure now, and the second one behind the choice."""

    def check(text: Text, tried: Tried, figures: Sequence[int]) -> None:
        happened = [tried.was(target(text), counter), tried.becomes(target(text), counter)]
        assert list(figures) == happened, f"it goes from {happened[0]} to {happened[1]}"

    return check


def seat_of(text: Text) -> str:
    """The seat that a choice is of."""
    return str(text.given("seat"))


def chosen(text: Text) -> str:
    """Return what stands in the field beside whose values a text stands."""
    return str(text.given(text.field))


def with_lists(game: Any, state: Any, texts: Mapping[str, str]) -> Any:
    """A table of constructed decks where these seats have brought a deck with such a list."""
    brought = {
        seat: Brought(
            seat,
            seat,
            1,
            "",
            {
                handle(card.name): card
                for part in read_deck_list(text, [game.name]).deck_list.sections
                for card in part.cards
            },
        )
        for seat, text in texts.items()
        if any(player.seat == seat for player in state.players)
    }
    return msgspec.structs.replace(state, brought=brought)


class Promises:
    """Makes choices at a table, and holds what their texts say against what comes of them."""

    def __init__(
        self, game: Game, chance: Random, kinds: Sequence[Kind], words: Callable[[Any], Iterable[str]]
    ) -> None:
        """`words` are names and other texts that are quoted beside choices, whatever figures they have."""
        self.game = game
        self.chance = chance
        self.kinds = [(re.compile(kind.where), re.compile(kind.pattern), kind.check) for kind in kinds]
        self.words = words

    def check(self, state: Any) -> None:
        """Every question of a table. Raises AssertionError."""
        view = self.game.view(state)
        quoted = re.compile("|".join(map(re.escape, sorted({*self._names(view), *self.words(state)}, key=len)[::-1])))
        for prompt in (*view.prompts, *view.later):
            for answer in prompt.answers if prompt.answer.action in self.game.actions else ():
                for _ in range(_TRIED if answer.missing else 1):
                    asked_text = Text(
                        f"prompt {prompt.answer.action.verb()}", str(prompt.text), prompt.answer, state, prompt
                    )
                    self._choose(state, answer, [asked_text], quoted)
        self._put_right(state, view)
        self._go_on(state, quoted)

    def _names(self, view: TableView) -> Iterator[str]:
        yield from (seat.name for seat in view.seats)
        yield from (str(thing.title) for thing in view.things())

    def _choose(self, state: Any, answer: Draft, texts: list[Text], quoted: re.Pattern[str]) -> None:
        """One way to make a choice, at random."""
        texts.append(Text(f"note {answer.action.verb()}", str(answer.note), answer, state))
        draft = answer
        while draft.missing:
            gap = Gap.of(self.game, state, draft)
            where = f"{draft.action.verb()}.{gap.argument.field}"
            if isinstance(gap.candidates, Open):
                texts.append(Text(f"asked {where}", str(gap.candidates.what), draft, state))
            if not gap.candidates:
                return  # a number that was typed leads nowhere
            draft = complete_draft(self.game, state, self._filled(state, gap, where, texts))
        draft = self._with_optional(state, draft, texts)
        tried = self._try(state, draft)
        for text in texts:
            self._judge(text, tried, quoted)

    def _with_optional(self, state: Any, draft: Draft, texts: list[Text]) -> Draft:
        """A whole draft, now and then with a word that its line could do without."""
        for argument in draft.optional if draft.action in self.game.actions else ():
            if argument.flag or self.chance.random() < _LEFT_OUT:
                continue
            gap = Gap.of(self.game, state, draft, argument.field)
            if gap.fitting_choices:
                draft = self._filled(state, gap, f"{draft.action.verb()}.{argument.field}", texts)
        return draft

    def _go_on(self, state: Any, quoted: re.Pattern[str]) -> None:
        """Return what Enter alone would do, and leave out."""
        way = self.game.way_on(state)
        if way is None:
            return
        given = {field: getattr(way.action, field) for field in way.action.__struct_fields__}
        draft = Draft(type(way.action), given)
        tried = self._try(state, draft)
        for text in (way.does, way.leaves):
            self._judge(Text(f"way {draft.action.verb()}", str(text), draft, state), tried, quoted)

    def _filled(self, state: Any, gap: Gap, where: str, texts: list[Text]) -> Draft:
        """A draft with a value in the gap, the texts of which are kept."""
        if gap.fitting_choices and (not isinstance(gap.candidates, Open) or self.chance.random() < 0.7):
            choice = self.chance.choice(gap.fitting_choices)
            draft = gap.fill_gap(choice.value)
            texts.append(_beside(where, choice, draft, state))
            return draft
        assert isinstance(gap.candidates, Open), f"nothing can stand in {where}"
        with_items = self._with_items(state, gap, where, texts)
        if with_items is not None:
            return with_items
        open_, value = gap.candidates, gap.candidates.example
        if isinstance(value, int) and open_.least is not None:
            value = self.chance.randint(open_.least, open_.least + 6 if open_.most is None else open_.most)
        return gap.fill_gap(value)

    def _with_items(self, state: Any, gap: Gap, where: str, texts: list[Text]) -> Draft | None:
        """A list of some items, each with its text; None where nobody can list them."""
        longer = None
        assert isinstance(gap.candidates, Open)
        for _ in range(max(_ITEMS, gap.candidates.least or 0)):
            items = [each for each in gap.items() if each[2] or not each[1].missing]
            if not items or (longer is not None and gap.may_end and self.chance.random() < 0.3):
                break
            choice, longer, goes_on = self.chance.choice(items)
            texts.append(_beside(where, choice, longer, state))
            if not goes_on:
                break
            gap = Gap.of(self.game, state, longer, gap.argument.field)
        return longer

    def _try(self, state: Any, draft: Draft) -> Tried:
        """Return what comes of a choice."""
        action, after, tells = draft.build(), state, tuple[str, ...]()
        try:
            for each in (*self.game.lead_in(state, action), action):
                after, more = self.game.apply(after, self.game.resolve(after, each, Random(1)))
                tells += tuple(str(tell.text) for tell in more)
        except RuleError as error:
            return Tried(self.game, state, action, state, (), str(error))
        return Tried(self.game, state, action, after, tells, "")

    def _judge(self, text: Text, tried: Tried, quoted: re.Pattern[str]) -> None:
        """One text: every figure in it."""
        left = _RULE.sub("_", quoted.sub("_", text.text))
        where = f"at `{text.draft.shape}`, {text.where} “{text.text}”, after {tried.tells or tried.refusal}"
        for place, pattern, check in self.kinds:
            if not place.fullmatch(text.where):
                continue
            for match in pattern.finditer(left):
                figures = [read(figure) for figure in match.groups() if figure is not None]
                try:
                    check(text, tried, figures)
                except (AssertionError, RuleError) as error:
                    raise AssertionError(f"{where}: {error}") from error
            left = pattern.sub("_", left)
        for note in _notes(text.prompt):
            left = left.replace(_RULE.sub("_", quoted.sub("_", note)), "_")
        assert not _DIGIT.search(left), f"{where}: nothing says what the figures of “{left}” must be"

    # Figures that people put right

    def _put_right(self, state: Any, view: TableView) -> None:
        """A figure that a list offers to set, as `HP 14 → 10`, is that figure then."""
        targets = [target for target in view.targets() if any(c.settable for c in view.counters_of(target) or ())]
        target = self.chance.choice(targets) if targets else ""
        for counter in [each for each in view.counters_of(target) or () if each.settable] if target else ():
            draft = Draft(Set, {"target": target, "counter": counter.name})
            gap = Gap.of(self.game, state, draft)
            for choice in self.chance.sample(gap.fitting_choices, min(2, len(gap.fitting_choices))):
                before, after = _change(choice)
                if before is None:
                    continue
                tried = self._try(state, gap.fill_gap(choice.value))
                where = f"at `{draft.line} {choice.value}`, “{choice.detail}”"
                assert before == _written(tried.was(target, counter.name)), where
                now = _written(tried.becomes(target, counter.name))
                assert after == now, f"{where}: it is {now}"


def _notes(prompt: Prompt | None) -> list[str]:
    """Return what stands beside the answers to a question, which is judged there; the longest first."""
    answers = prompt.answers if prompt else ()
    return sorted((str(answer.note) for answer in answers if answer.note), key=len)[::-1]


def _beside(where: str, choice: Choice, draft: Draft, state: Any) -> Text:
    return Text(f"choice {where}", " | ".join(filter(None, (str(choice.title), str(choice.detail)))), draft, state)


def _change(choice: Choice) -> tuple[str, str] | tuple[None, None]:
    """The figures of `HP 14 → 10`."""
    match = re.search(r"(\S+) → (\S+)$", str(choice.detail))
    return (match[1], match[2]) if match else (None, None)


def _written(value: Value) -> str:
    return "gone" if value is None else str(value).replace("-", "−")
