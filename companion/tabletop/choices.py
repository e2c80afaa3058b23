"""What a draft lacks first, and what can be chosen there: of what a game proposes, exactly what its rules accept."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from random import Random
from typing import Any, ClassVar, Final, Protocol

import msgspec

from companion.tabletop.action import Action, NotationError, RuleError, Step
from companion.tabletop.arguments import (
    CARD,
    COUNT,
    COUNTER,
    DICE,
    HANDLE,
    KEY,
    ROLLED,
    SEAT,
    SEED,
    SIGNED,
    SUIT,
    TARGET,
    TEXT,
    VALUE,
    VALUES,
    Words,
    as_handle,
    write_text,
)
from companion.tabletop.cards import GLYPHS, PACK, SUITS, pretty
from companion.tabletop.common_actions import Next, Rule, Seat
from companion.tabletop.house_rules import HouseRule, HouseRules
from companion.tabletop.naming import Name, best_named, nearly_named
from companion.tabletop.notation import Argument, LineKind, Notation, grammar
from companion.tabletop.table import Counter, Draft, TableView
from companion.tabletop.text import quoted

_PEOPLE: Final = ("ana", "ben", "cy", "dora", "eli", "fay", "gus", "hal", "ida", "jo")
"""Words for seats, as examples: one more than any game has seats."""


GONE: Final = "gone"
"""Shown for a figure whose thing is no longer on the table."""

_NEAR: Final = (-10, -5, -3, -2, -1, 1, 2, 3, 5, 10)
"""How far off a figure may be that is put right by a list."""


class Choice(msgspec.Struct, frozen=True):
    """One value for a field: `title` is what people call it ("" where the word itself does), `detail` what they need
    to know before they choose it: its price, what it does, who holds it, how many HP are left. `synonyms` are other
    words by which people look for it.
    """

    value: Any
    title: str = ""
    detail: str = ""
    synonyms: str = ""


class Open(msgspec.Struct, frozen=True):
    """A field whose values nobody can list: a text, a number, cards that nobody has named.

    `what` says what is wanted, `least` and `most` bound a number (or how many there may be), and `example` is one value
    that fits. A list is made `of` these; `fitting` are whole values of which the table knows that they fit, and `unfit`
    those that it knows as well, and that its rules do not take now.
    """

    what: str
    example: Any
    least: int | None = None
    most: int | None = None
    of: tuple[Choice, ...] = ()
    fitting: tuple[Choice, ...] = ()
    unfit: tuple[Choice, ...] = ()


Candidates = Iterable[Choice] | Open


class Rules(Protocol):
    """What choices are made of: the part of a game that shows, proposes, completes and judges."""

    house: ClassVar[type[HouseRules]]
    actions: ClassVar[tuple[type[Action], ...]]

    def view(self, state: Any) -> TableView:
        """What the table shows."""
        ...

    def counters_of(self, state: Any, target: str) -> tuple[Counter, ...] | None:
        """The counters of a target, None where nothing is called so."""
        ...

    def candidates(self, state: Any, draft: Draft, field: str) -> Candidates:
        """What might stand in a field."""
        ...

    def vocabulary(self, state: Any, draft: Draft, field: str) -> Candidates:
        """What a word in a field can name, whether or not the rules take it now."""
        ...

    def known_fields(self, state: Any, action: type[Action], given: Mapping[str, Any]) -> Mapping[str, Any]:
        """What the table knows besides what a line says."""
        ...

    def lead_in(self, state: Any, action: Action) -> tuple[Action, ...]:
        """What goes without saying before an action."""
        ...

    def resolve(self, state: Any, action: Action, rng: Random) -> Action:
        """Fill in what chance decides."""
        ...

    def apply(self, state: Any, action: Action) -> Step:
        """The table after it. Raises RuleError."""
        ...


def choices(game: Rules, state: Any, draft: Draft, field: str) -> tuple[Choice, ...] | Open:
    """What can stand in a field of a draft: all that the rules accept, in the game's order, or what kind it is of.

    Of a list, what is said so far may stand in the draft already: `of` is then what can follow. Empty where nothing
    fits.
    """
    if isinstance(draft.argument(field).kind, LineKind):
        return Open("a whole line", Next())
    candidates = game.candidates(state, draft, field)
    if isinstance(candidates, Open):
        return candidates if accepts(game, state, draft.having(field, candidates.example)) else ()
    return tuple(choice for choice in candidates if accepts(game, state, draft.having(field, choice.value)))


def filled(game: Rules, state: Any, draft: Draft) -> Draft:
    """A draft with what the table knows besides what was said, as a line is read: the figures of a card that it names
    are not asked, and its cost is what the list says.
    """
    if all(field in draft.given for field in grammar(draft.action).on_cards):
        return draft
    on_card = game.known_fields(state, draft.action, draft.given)
    return msgspec.structs.replace(draft, given={**on_card, **draft.given})


def accepts(game: Rules, state: Any, draft: Draft, unsaid: str = "") -> bool:
    """Whether the rules accept a draft, or can once what it lacks is said; an optional field may stay `unsaid`."""
    if missing := draft.missing:
        field = missing[0].field
        values = _values(game, state, draft, field)
        return any(accepts(game, state, draft.having(field, value), unsaid) for value in values)
    left = tuple(argument for argument in draft.optional if argument.field != unsaid)
    return allows(game, state, draft) or _accepts_with(game, state, draft, left)


def _accepts_with(game: Rules, state: Any, draft: Draft, left: tuple[Argument, ...]) -> bool:
    """Whether the rules accept a draft once a field is said that a line can do without: which of two cards is meant."""
    for at, argument in enumerate(left, 1):
        if argument.flag:
            continue
        for value in _values(game, state, draft, argument.field, listed=True):
            longer = draft.having(argument.field, value)
            if allows(game, state, longer) or _accepts_with(game, state, longer, left[at:]):
                return True
    return False


def _values(game: Rules, state: Any, draft: Draft, field: str, listed: bool = False) -> Iterator[Any]:
    """What to try in a field: every candidate; of an open field, unless only what is listed counts, its example."""
    candidates = game.candidates(state, draft, field)
    if not isinstance(candidates, Open):
        return (choice.value for choice in candidates)
    return iter(()) if listed else iter((candidates.example,))


def allows(game: Rules, state: Any, draft: Draft) -> bool:
    """Whether the rules take the action as it is, behind what goes without saying before it."""
    action = draft.build()
    try:
        for each in (*game.lead_in(state, action), action):
            # A draw that chance decides is as legal as any other: which one it is does not matter here.
            state = game.apply(state, game.resolve(state, each, Random(0))).state
    except RuleError:
        return False
    return True


def by_kind(game: Rules, state: Any, draft: Draft, field: str) -> Candidates:
    """What the kind of a field alone says: everybody at the table, every card, every word that it knows."""
    argument = draft.argument(field)
    kind = argument.kind
    if argument.flag:
        return (Choice(True, argument.keyword), Choice(False, f"not {argument.keyword}"))
    if kind is CARD:
        return (Choice(card, pretty(card)) for card in PACK)
    if kind is SUIT:
        return (Choice(suit, GLYPHS[suit]) for suit in SUITS)
    if kind.choices and not kind.many:
        return map(Choice, kind.choices)
    if kind in (KEY, VALUE):
        return _house(game.house, draft) if issubclass(draft.action, Rule) else Open("an id", "new")
    if kind is VALUES:
        return _fitting(game, state, draft, argument)
    if kind is DICE:
        return Open("how many dice with how many sides", "1d6", fitting=tuple(map(Choice, ("1d6", "2d6", "1d20"))))
    if kind is ROLLED:
        return Open("what each die shows, or the sum", (1,), least=1)
    if kind in (SEAT, HANDLE, TARGET, COUNTER, SIGNED):
        return _of_the_table(game.view(state), draft, argument)
    return open_to(argument)


def open_to(argument: Argument) -> Open:
    """What an argument's kind says of values that nobody can list."""
    kind = argument.kind
    if kind in (COUNT, SEED):
        return Open("a whole number", 1, least=0)
    if kind.many:
        return Open(
            kind.shape,
            kind.choices[:1] or ("1",),
            least=kind.least,
            most=kind.most,
            of=tuple(map(Choice, kind.choices)),
        )
    return Open("a text", "…")


def _of_the_table(view: TableView, draft: Draft, argument: Argument) -> Candidates:
    """What has a name on the table: its seats, its things, their counters and what these can be."""
    kind = argument.kind
    if kind is SEAT:
        return (
            new_seat([seat.seat for seat in view.seats])
            if issubclass(draft.action, Seat)
            else (Choice(s.seat, s.name) for s in view.seats)
        )
    if kind is HANDLE:
        return (Choice(thing.target, thing.title) for thing in view.things() if is_word(thing.target))
    if kind is TARGET:
        return _targets(view)
    counters = view.counters_of(str(draft.given.get("target", ""))) or ()
    if kind is COUNTER:
        return (Choice(counter.name, counter.title, counter.figure) for counter in counters if counter.settable)
    counter = next((counter for counter in counters if counter.name == draft.given.get("counter")), None)
    if counter is None:
        return ()
    return Open("how much more or less", 0) if kind is SIGNED else _can_be(counter)


def new_seat(taken: Collection[str]) -> Open:
    """A word for a seat that is none of those taken."""
    return Open("a word for the seat", next(word for word in _PEOPLE if word not in taken))


def _targets(view: TableView) -> Iterator[Choice]:
    """The table, everybody at it, and everything that notation can name."""
    yield Choice("table")
    yield from (Choice(seat.seat, seat.name) for seat in view.seats)
    for thing in view.things():
        if is_word(thing.target.removeprefix("minion ")) and thing.target != "table":
            yield Choice(
                thing.target, thing.title, " · ".join(f"{c.title} {c.figure}" for c in thing.counters if c.is_visible)
            )


def is_word(name: str) -> bool:
    """Whether notation can name a thing so."""
    return " " not in name


def _can_be(counter: Counter) -> Candidates:
    """What a counter can be set to, as words; of numbers those that are near, as mostly somebody has miscounted."""
    if isinstance(counter.value, bool):
        return (Choice("yes"), Choice("no"))
    if isinstance(counter.value, int):
        numbers = {*(counter.value + by for by in _NEAR), 0, counter.top or 0} - {counter.value}
        near = tuple(Choice(str(number)) for number in sorted(numbers, reverse=True) if number >= 0)
        return Open("a whole number", counter.text, least=0, fitting=near)
    return map(Choice, counter.words)


def _fitting(game: Rules, state: Any, draft: Draft, argument: Argument) -> Candidates:
    """List what a counter can be set to; of named numbers those that the rules take, with what they do."""
    candidates = _of_the_table(game.view(state), draft, argument)
    if not isinstance(candidates, Open):
        return candidates
    drafts = (draft.having(argument.field, each.value) for each in candidates.fitting)
    fitting = (_with_change(game, state, each, argument.field) for each in drafts if allows(game, state, each))
    return msgspec.structs.replace(candidates, fitting=tuple(fitting))


def _with_change(game: Rules, state: Any, draft: Draft, field: str) -> Choice:
    """A value for a counter, with what the counter is once it is set, as the rules do it: `HP 14 → 10`."""
    try:
        before, after = (_counter(game, of, draft) for of in (state, game.apply(state, draft.build()).state))
    # Whatever is wrong with a table that is only thought of must not hide the present one.
    except Exception:
        return Choice(draft.given[field])
    assert before is not None
    change = f"{before.caption} {before.figure} → {after.figure if after else GONE}"
    return Choice(draft.given[field], detail=change)


def _counter(game: Rules, state: Any, draft: Draft) -> Counter | None:
    counters = game.view(state).counters_of(draft.given["target"]) or ()
    return next((counter for counter in counters if counter.name == draft.given["counter"]), None)


def _house(house: type[HouseRules], draft: Draft) -> Candidates:
    """The house rules by their keys; of one, what it can be."""
    rules = house.all()
    if "key" not in draft.given:
        return (Choice(rule.key, detail=f"{rule.text} The book: {rule.book}.") for rule in rules if rule.is_choice)
    rule = next((rule for rule in rules if rule.key == draft.given["key"]), None)
    return () if rule is None else _rule_can_be(rule)


def _rule_can_be(rule: HouseRule) -> Candidates:
    if rule.values:
        return (Choice(word, detail="the book" if word == rule.book else "") for word in rule.values)
    return Open("a whole number", rule.book, least=0)


def check_free_text(view: TableView, text: str, what: str) -> None:
    """Raises NotationError where a text without quotes is the word of a seat or a thing."""
    if text.lower() in map(str.lower, view.targets()[1:]):
        raise NotationError(
            f"{quoted(text)} is somebody or something at this table, and no {what}; where it is meant to be one, "
            f'write it in quotes: "{text}".'
        )


_MOST_NEAR: Final = 6
"""Names that a message still tells."""
_COPY: Final = r"-?\d+$"


def nearly_known(game: Rules, state: Any, word: str) -> tuple[str, ...]:
    """What the word for something new nearly names of what lists hold or lies on the table; () where it is a name of
    its own, or the name of one more copy.
    """
    view = game.view(state)
    names = [
        *names_of_lists(game, state),
        *(Name(thing.target, thing.title) for thing in view.things() if is_word(thing.target)),
    ]
    copy = re.sub(_COPY, "", word.lower())
    is_copy = copy != word.lower() and any(copy in (re.sub(_COPY, "", each) for each in name.called) for name in names)
    return () if is_copy else nearly_named(names, word)


def names_of_lists(game: Rules, state: Any) -> Iterator[Name]:
    """What the lists of all decks hold, and those of what comes into play, as lines name it."""
    seats = [seat.seat for seat in game.view(state).seats]
    for action in game.actions:
        whose, *others = grammar(action).arguments or (None,)
        if whose is not None and whose.kind is HANDLE and others:
            yield from _names_fitting(game.vocabulary(state, Draft(action), whose.field))
        if whose is None or whose.kind is not SEAT or issubclass(action, Seat):
            continue
        for field in (argument.field for argument in others if argument.kind in (TEXT, HANDLE)):
            for seat in seats:
                yield from _names_fitting(game.vocabulary(state, Draft(action, {whose.field: seat}), field))


def _names_fitting(candidates: Candidates) -> Iterator[Name]:
    """What a list proposes where a name can be made up."""
    if isinstance(candidates, Open):
        listed = (*candidates.fitting, *candidates.unfit)
        yield from (Name(each.value, each.title) for each in listed if isinstance(each.value, str))


def known_name(game: Rules, state: Any, draft: Draft, field: str, text: str) -> str:
    """A text as a list spells the card that it names whole, one that fits there before any other: `iron-grip` is the
    Iron Grip. As it stands where it names none, or where no name is made up.
    """
    candidates = game.vocabulary(state, draft, field)
    if not isinstance(candidates, Open):
        return text
    named = best_named((Name(each.value) for each in (*candidates.fitting, *candidates.unfit)), text, whole=True)
    if not named:
        others = (Name(other.title or other.value) for other in names_of_lists(game, state))
        named = best_named(others, text, whole=True)
    return named[0] if len(named) == 1 else text


_QUESTION_WORDS: Final[Mapping[str, str]] = {
    "seat": "who",
    "n": "how many",
    "n2": "how many more",
    "choice": "which",
    "choice2": "which other",
    "thing2": "which other thing",
    "seat2": "who else",
    "handle": "thing",
    "is_": "which one",
    "for_": "for whom",
}
"""What people read for fields whose own names say it to nobody."""


class Gap(msgspec.Struct, frozen=True):
    """A field of a draft that is asked now, and what the rules accept in it at this table."""

    game: Rules
    state: Any
    draft: Draft
    argument: Argument
    candidates: tuple[Choice, ...] | Open

    @classmethod
    def of(cls, game: Rules, state: Any, draft: Draft, field: str = "") -> Gap:
        """The first that is missing, in the order in which people choose; or this field: a list may go on."""
        argument = draft.argument(field) if field else draft.to_choose[0]
        return cls(game, state, draft, argument, choices(game, state, draft, argument.field))

    @property
    def name(self) -> str:
        """What people read for the field, as a question goes on with it."""
        field = self.argument.field
        if field == "handle" and isinstance(self.candidates, Open):
            return "its name"
        return _QUESTION_WORDS.get(field) or field.replace("_", " ").strip()

    @property
    def listed(self) -> tuple[Choice, ...]:
        """The whole values that are known to fit."""
        return self.candidates.fitting if isinstance(self.candidates, Open) else self.candidates

    def word(self, choice: Choice) -> str:
        """How a line writes a whole value."""
        return str(self.argument.kind.write(choice.value))

    def filled(self, value: Any) -> Draft:
        """The draft with a whole value there."""
        return self.draft.having(self.argument.field, value)

    def items(self, fits: Callable[[Choice, Draft], object] = lambda *_: True) -> Iterator[tuple[Choice, Draft, bool]]:
        """One item more of a list, each with the draft it makes, and whether the list may go on behind it.

        Once enough has been said, only what the rules accept so. Only items that fit what is looked for are tried.
        """
        candidates = self.candidates
        if not isinstance(candidates, Open) or (
            candidates.most is not None and len(self.items_so_far) >= candidates.most
        ):
            return
        last = candidates.most == len(self.items_so_far) + 1
        for choice in candidates.of:
            longer = self.filled((*self.items_so_far, choice.value))
            if fits(choice, longer) and (not last or accepts(self.game, self.state, longer)):
                yield choice, longer, not last

    @property
    def may_end(self) -> bool:
        """Whether a list has as many items as it must."""
        return isinstance(self.candidates, Open) and 0 < len(self.items_so_far) >= (self.candidates.least or 0)

    def read(self, text: str, notation: Notation, *, in_field: bool = False) -> Draft:
        """The draft with what typed words say there: what they name or begin, else themselves. `in_field`: where they
        were typed no line can be meant, so that a new name needs no quotes around its spaces. Raises NotationError
        where they do not fit, and where they begin several.
        """
        kind = self.argument.kind
        is_new = text.startswith('"')
        if not (is_new or ('"' in text and not in_field)) and isinstance(value := self._named(text), str):
            return self.filled(value)
        if in_field and kind is HANDLE:
            words = Words.of(as_handle(text), notation)
        elif in_field and kind is TEXT and text and not is_new:
            words = Words([(text, True)], notation)
        else:
            words = Words.of(text, notation)
        value = kind.read(words, ())
        if words:
            raise NotationError(f"“{text}” is more than was asked: {self.argument.words}.")
        if kind is TEXT and isinstance(value, str):
            value = known_name(self.game, self.state, self.draft, self.argument.field, value)
        return self.filled(value)

    def _named(self, text: str) -> object:
        """What is known by this name, or begins so; None where nothing is. Raises NotationError for several."""
        candidates, word = self.candidates, text.strip()
        groups = (candidates.fitting, candidates.unfit) if isinstance(candidates, Open) else (candidates,)
        titles: dict[str, str] = {}
        named: tuple[str, ...] = ()
        for choices in groups:
            titles = {each.value: each.title or each.value for each in choices if isinstance(each.value, str)}
            # A text is what stands there: it is no beginning, as in a whole line.
            whole = self.argument.kind is TEXT and isinstance(candidates, Open)
            named = named or best_named((Name(value, title) for value, title in titles.items()), word, whole=whole)
            if named:
                break
        if not named and self.argument.kind is TEXT:
            check_free_text(self.game.view(self.state), word, self.name)
        if not named and self.argument.kind in (TEXT, HANDLE) and isinstance(candidates, Open):
            self._check_new_name(word)
        if len(named) > 1:
            names = " or ".join(titles[value] for value in named)
            raise NotationError(f"{quoted(text)} could be {names}; say which.")
        return next(iter(named), None)

    def _check_new_name(self, word: str) -> None:
        """Raises NotationError where a word for something new nearly names what is known, and is not in quotes."""
        name = as_handle(word) if self.argument.kind is HANDLE else word
        if near := nearly_known(self.game, self.state, name):
            new = f"say which, or as a new name in quotes: {write_text(word)}."
            raise NotationError(f"{quoted(word)} could be {' or '.join(near[:_MOST_NEAR])}; {new}")

    @property
    def items_so_far(self) -> tuple[Any, ...]:
        return tuple(self.draft.given.get(self.argument.field, ()))
