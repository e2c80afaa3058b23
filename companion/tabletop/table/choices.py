"""The first gap of a draft and the choices for it: those of the game's candidates that its rules accept."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from random import Random
from typing import Any, ClassVar, Final, Protocol

import msgspec

from companion.tabletop.action import Action, NotationError, RuleError, Step
from companion.tabletop.notation.arguments import (
    CARD,
    CLOCK,
    COUNT,
    COUNTER,
    DICE,
    HANDLE,
    KEY,
    NEW_COUNTER,
    ROLLED,
    SEAT,
    SEED,
    SIGNED,
    SUIT,
    TARGET,
    TEXT,
    VALUE,
    VALUES,
    WHOLE,
    Words,
    as_handle,
    write_text,
)
from companion.tabletop.notation.cards import GLYPHS, PACK, SUITS, card_title
from companion.tabletop.notation.naming import Name, best_named, nearly_named
from companion.tabletop.notation.notation import Argument, LineKind, Notation, grammar
from companion.tabletop.notation.usage_words import UsageText
from companion.tabletop.table.common_actions import EACH, Next, Rule, Seat, Track
from companion.tabletop.table.field_questions import ask_field, name_field
from companion.tabletop.table.house_rules import HouseRule, HouseRules
from companion.tabletop.table.table import Counter, Draft, TableView
from companion.tabletop.text import in_quotes
from companion.tabletop.words import join_with_or, title_of_word
from templates.languages.messages import Message, Text, joined, phrase, phrase_in

NONE: Final = "-"
"""The value of the choice that leaves out what an empty answer would imply."""
_PEOPLE: Final = ("ana", "ben", "cy", "dora", "eli", "fay", "gus", "hal", "ida", "jo")
"""Example words for seats: one more than any game has seats."""


GONE: Final = "gone"
"""Displayed instead of a figure if its thing is no longer on the table."""

_MOST_KNOWN: Final = 4
"""The number of values known to fit an optional open field that are tried; others are no different, as a rule."""
_NEAR: Final = (-10, -5, -3, -2, -1, 1, 2, 3, 5, 10)
"""Differences from the present value that a list of corrections offers."""


class Choice(msgspec.Struct, frozen=True):
    """One value for a field.

    `title` is its display name ("" if the word itself serves). `detail` is what players need to know before they choose
    it: its price, its effect, its holder, its remaining HP. `synonyms` are other words that a search matches. `rank` is
    its place among the tiers of its game, from 1 on, which have colours of their own; 0 is none.
    """

    value: Any
    title: Text = ""
    detail: Text = ""
    synonyms: str = ""
    rank: int = 0

    @property
    def shown_title(self) -> str:
        """The title in the current language; "" if the word is the same in it, and serves itself."""
        return title_beside(str(self.value), self.title)


def title_beside(word: str, title: Text) -> str:
    """Return what a list shows beside a word in the current language: its title, unless that is translated alike."""
    text = str(title)
    return "" if isinstance(title, Message) and text == word else text


_EVERYBODY: Final = Choice(EACH, phrase_in("whose", "everybody"))
_CLOCK_TITLES: Final = {
    "up": phrase_in("clock", "count the time of each turn"),
    "pause": phrase_in("clock", "pause"),
    "go": phrase_in("clock", "go on"),
    "off": phrase_in("clock", "off"),
}


class Open(msgspec.Struct, frozen=True):
    """A field whose values cannot be listed: a text, a number, cards without names.

    `what` describes the value, `least` and `most` bound a number (or the length of a list), and `example` is one value
    that fits. `of` are the items for a list. `fitting` are complete values that are known to fit, and `unfit` are known
    values that the rules do not accept now.
    """

    what: Text
    example: Any
    least: int | None = None
    most: int | None = None
    of: tuple[Choice, ...] = ()
    fitting: tuple[Choice, ...] = ()
    unfit: tuple[Choice, ...] = ()


Candidates = Iterable[Choice] | Open


class Rules(Protocol):
    """The part of a game that choices need: it shows, proposes, completes and judges."""

    house: ClassVar[type[HouseRules]]
    actions: ClassVar[tuple[type[Action], ...]]

    def view(self, state: Any) -> TableView:
        """Return the view of the table."""
        ...

    def counters_of(self, state: Any, target: str) -> tuple[Counter, ...] | None:
        """Return the counters of a target, or None if nothing has that name."""
        ...

    def candidates(self, state: Any, draft: Draft, field: str) -> Candidates:
        """Return the candidates for a field."""
        ...

    def vocabulary(self, state: Any, draft: Draft, field: str) -> Candidates:
        """Return everything that a word in a field can name, even if the rules do not accept it now."""
        ...

    def figures_to_correct(self, state: Any, seat: str) -> tuple[Draft, ...]:
        """Return the drafts that correct the entries of a seat on the score sheet."""
        ...

    def known_fields(self, state: Any, action: type[Action], given: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return the fields that the table can add to those that a line gives."""
        ...

    def lead_in(self, state: Any, action: Action) -> tuple[Action, ...]:
        """Return the actions that are implied before an action."""
        ...

    def resolve(self, state: Any, action: Action, rng: Random) -> Action:
        """Fill in the results of chance."""
        ...

    def apply(self, state: Any, action: Action) -> Step:
        """Return the table after an action. Raises RuleError."""
        ...


def choices(game: Rules, state: Any, draft: Draft, field: str) -> tuple[Choice, ...] | Open:
    """Return the values that the rules accept in a field, in the game's order, or an Open description of them.

    For a list, the draft may already hold the first items: `of` is then what can follow. Empty if nothing fits.
    """
    if isinstance(draft.argument(field).kind, LineKind):
        return Open(phrase("a whole line"), Next())
    candidates = game.candidates(state, draft, field)
    if isinstance(candidates, Open):
        return candidates if accepts(game, state, draft.having(field, candidates.example)) else ()
    return tuple(choice for choice in candidates if accepts(game, state, draft.having(field, choice.value)))


def only_choice(game: Rules, state: Any, draft: Draft, field: str) -> Choice | None:
    """Return the value that the rules accept in a field if it is the only one; None for an open field, too."""
    candidates = game.candidates(state, draft, field)
    if isinstance(candidates, Open) or draft.argument(field).kind.many:
        return None
    fitting = (choice for choice in candidates if accepts(game, state, draft.having(field, choice.value)))
    first, second = next(fitting, None), next(fitting, None)
    return None if second else first


def complete_draft(game: Rules, state: Any, draft: Draft) -> Draft:
    """Return a draft with the fields that the table knows, as for a line that is read.

    The figures of a card that it names are not asked for, and its cost is taken from the list.
    """
    if all(field in draft.given for field in grammar(draft.action).on_cards):
        return draft
    on_card = game.known_fields(state, draft.action, draft.given)
    return msgspec.structs.replace(draft, given={**on_card, **draft.given})


def accepts(game: Rules, state: Any, draft: Draft, unsaid: str = "") -> bool:
    """Return True if the rules accept a draft, or can once its gaps are filled.

    The optional field `unsaid` may stay empty.
    """
    if missing := draft.missing:
        field = missing[0].field
        values = _values(game, state, draft, field)
        return any(accepts(game, state, draft.having(field, value), unsaid) for value in values)
    left = tuple(argument for argument in draft.optional if argument.field != unsaid)
    return allows(game, state, draft) or _accepts_with(game, state, draft, left)


def _accepts_with(game: Rules, state: Any, draft: Draft, left: tuple[Argument, ...]) -> bool:
    """Return True if the rules accept a draft once an optional field is filled, such as which of two cards is meant."""
    for at, argument in enumerate(left, 1):
        if argument.flag:
            continue
        for value in _values(game, state, draft, argument.field, listed=True):
            longer = draft.having(argument.field, value)
            if allows(game, state, longer) or _accepts_with(game, state, longer, left[at:]):
                return True
    return False


def _values(game: Rules, state: Any, draft: Draft, field: str, listed: bool = False) -> Iterator[Any]:
    """Return the values to try in a field: every candidate or, for an open field, its example.

    If they must be `listed`, the values of an open field are the first that are known to fit, such as cards of a pool.
    """
    candidates = game.candidates(state, draft, field)
    if not isinstance(candidates, Open):
        return (choice.value for choice in candidates)
    first_values = (choice.value for choice in candidates.fitting[:_MOST_KNOWN])
    return first_values if listed else iter((candidates.example,))


def allows(game: Rules, state: Any, draft: Draft) -> bool:
    """Return True if the rules accept the action as it is, after the actions implied before it."""
    action = draft.build()
    try:
        for each in (*game.lead_in(state, action), action):
            # Any legal result of a draw will do: the choice does not matter here.
            state = game.apply(state, game.resolve(state, each, Random(0))).state
    except RuleError:
        return False
    return True


def by_kind(game: Rules, state: Any, draft: Draft, field: str) -> Candidates:
    """Return the candidates that follow from the kind of a field alone: all seats, all cards, all its words."""
    argument = draft.argument(field)
    kind = argument.kind
    if argument.flag:
        # Translators: The answer that leaves out a word of a line: “not face-down”.
        return (Choice(True, argument.keyword), Choice(False, phrase("not {word}", word=argument.keyword)))
    if kind is CARD:
        return (Choice(card, card_title(card)) for card in PACK)
    if kind is SUIT:
        return (Choice(suit, GLYPHS[suit]) for suit in SUITS)
    if kind.choices and not kind.many:
        return map(choice_of_word, kind.choices)
    if kind in (KEY, VALUE):
        return _house(game.house, draft) if issubclass(draft.action, Rule) else Open(phrase("an id"), "new")
    if kind is VALUES:
        return _fitting(game, state, draft, argument)
    if kind is DICE:
        fitting = tuple(map(Choice, ("1d6", "2d6", "1d20")))
        return Open(phrase("how many dice with how many sides"), "1d6", fitting=fitting)
    if kind is CLOCK:
        people = (Choice(seat.seat, seat.name) for seat in game.view(state).seats)
        return (*(Choice(word, title) for word, title in _CLOCK_TITLES.items()), *people, _EVERYBODY)
    if kind in (SEAT, HANDLE, TARGET, COUNTER, SIGNED):
        return _of_the_table(game.view(state), draft, argument)
    return open_to(argument)


def open_to(argument: Argument) -> Open:
    """Return the Open description of an argument whose values cannot be listed."""
    kind = argument.kind
    if kind is NEW_COUNTER:
        return Open(phrase("a word for it"), "new-counter")
    if kind is ROLLED:
        return Open(phrase("what each die shows, or the sum"), (1,), least=1)
    if kind is WHOLE:
        return Open(phrase("a whole number"), 0)
    if kind in (COUNT, SEED):
        return Open(phrase("a whole number"), 1, least=0)
    if kind.many:
        return Open(
            UsageText(kind.shape),
            kind.choices[:1] or ("1",),
            least=kind.least,
            most=kind.most,
            of=tuple(map(choice_of_word, kind.choices)),
        )
    return Open(phrase("a text"), "…")


def choice_of_word(word: str) -> Choice:
    """Return the choice of a word of notation, with its title if that differs in some language."""
    title = title_of_word(word)
    return Choice(word, "" if isinstance(title, str) else title)


def _of_the_table(view: TableView, draft: Draft, argument: Argument) -> Candidates:
    """Return the names on the table: its seats, its things, their counters and the values of these."""
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
        everybody = (_EVERYBODY,) if issubclass(draft.action, Track) else ()
        return (*everybody, *_targets(view))
    counters = view.counters_of(str(draft.given.get("target", ""))) or ()
    if kind is COUNTER:
        return (Choice(counter.name, counter.title, counter.figure) for counter in counters if counter.settable)
    counter = next((counter for counter in counters if counter.name == draft.given.get("counter")), None)
    if counter is None:
        return ()
    return Open(phrase("how much more or less"), 0) if kind is SIGNED else _can_be(counter)


def new_seat(taken: Collection[str]) -> Open:
    """Describe a new word for a seat, with an example that is not in `taken`."""
    return Open(phrase("a word for the seat"), next(word for word in _PEOPLE if word not in taken))


def _targets(view: TableView) -> Iterator[Choice]:
    """Yield the table, every seat, and everything that notation can name."""
    yield choice_of_word("table")
    yield from (Choice(seat.seat, seat.name) for seat in view.seats)
    for thing in view.things():
        if is_word(thing.target.removeprefix("minion ")) and thing.target != "table":
            figures = (joined(" ", (each.title, each.figure)) for each in thing.counters if each.is_visible)
            yield Choice(thing.target, thing.title, joined(" · ", (*figures, *thing.flags_beside_figures)))


def is_word(name: str) -> bool:
    """Return True if notation can name a thing like this."""
    return " " not in name


def _can_be(counter: Counter) -> Candidates:
    """Return the words for values of a counter; for a number the values nearby: most corrections fix miscounts."""
    if isinstance(counter.value, bool):
        return (choice_of_word("yes"), choice_of_word("no"))
    if isinstance(counter.value, int):
        numbers = {*(counter.value + by for by in _NEAR), 0, counter.top or 0} - {counter.value}
        near = tuple(Choice(str(number)) for number in sorted(numbers, reverse=True) if number >= 0)
        return Open(phrase("a whole number"), counter.text, least=0, fitting=near)
    return map(choice_of_word, counter.words)


def _fitting(game: Rules, state: Any, draft: Draft, argument: Argument) -> Candidates:
    """Return the values that a counter can be set to; suggestions only if the rules accept them, with their effect."""
    candidates = _of_the_table(game.view(state), draft, argument)
    if not isinstance(candidates, Open):
        return candidates
    drafts = (draft.having(argument.field, each.value) for each in candidates.fitting)
    fitting = (_with_change(game, state, each, argument.field) for each in drafts if allows(game, state, each))
    return msgspec.structs.replace(candidates, fitting=tuple(fitting))


def _with_change(game: Rules, state: Any, draft: Draft, field: str) -> Choice:
    """Return a value for a counter, with the counter before and after it is set by the rules: `HP 14 → 10`."""
    try:
        before, after = (_counter(game, of, draft) for of in (state, game.apply(state, draft.build()).state))
    # An error in a hypothetical table must not hide the present one.
    except Exception:
        return Choice(draft.given[field])
    assert before is not None
    change = phrase(
        "{figure} {before} → {after}",
        figure=before.caption,
        before=before.figure,
        after=after.figure if after else title_of_word(GONE),
    )
    return Choice(draft.given[field], detail=change)


def _counter(game: Rules, state: Any, draft: Draft) -> Counter | None:
    counters = game.view(state).counters_of(draft.given["target"]) or ()
    return next((counter for counter in counters if counter.name == draft.given["counter"]), None)


def _house(house: type[HouseRules], draft: Draft) -> Candidates:
    """Return the house rules by their keys or, once a key is given, the values of that rule."""
    rules = house.all()
    if "key" not in draft.given:
        return (Choice(rule.key, rule.title, rule.text_with_book) for rule in rules if rule.is_choice)
    rule = next((rule for rule in rules if rule.key == draft.given["key"]), None)
    return () if rule is None else _rule_can_be(rule)


def _rule_can_be(rule: HouseRule) -> Candidates:
    if rule.values:
        # Translators: A remark on a value of a house rule: it is the one of the rulebook.
        book = phrase("the book")
        words = (
            msgspec.structs.replace(choice_of_word(word), detail=book if word == rule.book else "")
            for word in rule.values
        )
        return Open(phrase("a whole number"), rule.book, least=0, fitting=tuple(words)) if rule.takes_number else words
    return Open(phrase("a whole number"), rule.book, least=0)


def check_free_text(view: TableView, text: str, what: Text) -> None:
    """Raise NotationError if an unquoted text is the word of a seat or a thing; `what` is what it should be."""
    if text.lower() in map(str.lower, view.targets()[1:]):
        raise NotationError(
            # Translators: {what} is a field of a line, such as “name”.
            phrase(
                "{quoted} is somebody or something at this table; if it is meant as the {what}, "
                'write it in quotes: "{text}".',
                quoted=in_quotes(text),
                what=what,
                text=text,
            )
        )


_MOST_NEAR: Final = 6
"""The maximum number of names in a message."""
_COPY: Final = r"-?\d+$"


def nearly_known(game: Rules, state: Any, word: str) -> tuple[str, ...]:
    """Return the known names that a new word nearly matches; () if the word is distinct, or names one more copy.

    Known are the names in lists, and those of things on the table.
    """
    view = game.view(state)
    names = [
        *names_of_lists(game, state),
        *(Name(thing.target, str(thing.title)) for thing in view.things() if is_word(thing.target)),
    ]
    copy = re.sub(_COPY, "", word.lower())
    is_copy = copy != word.lower() and any(
        copy in (re.sub(_COPY, "", each) for each in name.full_names) for name in names
    )
    return () if is_copy else nearly_named(names, word)


def names_of_lists(game: Rules, state: Any) -> Iterator[Name]:
    """Yield the names in the lists of all decks, and the names of things that come into play, as lines write them."""
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
    """Yield the names that a list proposes for a field that takes new names."""
    if isinstance(candidates, Open):
        listed = (*candidates.fitting, *candidates.unfit)
        yield from (Name(each.value, str(each.title)) for each in listed if isinstance(each.value, str))


def known_name(game: Rules, state: Any, draft: Draft, field: str, text: str) -> str:
    """Return a text in the spelling of the listed card that it names in full: `iron-grip` is the Iron Grip.

    Cards that fit the field come first. Returns the text unchanged if it names no card, or if the field takes no new
    names.
    """
    candidates = game.vocabulary(state, draft, field)
    if not isinstance(candidates, Open):
        return text
    named = best_named((Name(each.value) for each in (*candidates.fitting, *candidates.unfit)), text, whole=True)
    if not named:
        others = (Name(other.title or other.value) for other in names_of_lists(game, state))
        named = best_named(others, text, whole=True)
    return named[0] if len(named) == 1 else text


class Gap(msgspec.Struct, frozen=True):
    """The field of a draft that is filled next, and the values that the rules accept in it at this table."""

    game: Rules
    state: Any
    draft: Draft
    argument: Argument
    candidates: tuple[Choice, ...] | Open

    @classmethod
    def of(cls, game: Rules, state: Any, draft: Draft, field: str = "") -> Gap:
        """Return the gap for a field, or for the first missing one; an unfinished list may continue."""
        argument = draft.argument(field) if field else draft.to_choose[0]
        return cls(game, state, draft, argument, choices(game, state, draft, argument.field))

    @property
    def name(self) -> Text:
        """The display name of the field, as it goes on a sentence."""
        return name_field(self.draft.action, self.argument.field, is_new=isinstance(self.candidates, Open))

    @property
    def question(self) -> Text:
        """The question for the field as a whole sentence: `Which card?`."""
        return ask_field(self.draft.action, self.argument, is_new=isinstance(self.candidates, Open))

    @property
    def fitting_choices(self) -> tuple[Choice, ...]:
        """The complete values that are known to fit."""
        return self.candidates.fitting if isinstance(self.candidates, Open) else self.candidates

    def word(self, choice: Choice) -> str:
        """Return the notation for a complete value."""
        return str(self.argument.kind.write(choice.value))

    def fill_gap(self, value: Any) -> Draft:
        """Return the draft with a complete value in the field."""
        return self.draft.having(self.argument.field, value)

    def items(self, fits: Callable[[Choice, Draft], object] = lambda *_: True) -> Iterator[tuple[Choice, Draft, bool]]:
        """Yield each possible next item of a list, the draft with it, and True if the list may continue after it.

        Only items for which `fits` returns True are tried. The last possible item is yielded only if the rules accept
        it.
        """
        candidates = self.candidates
        if not isinstance(candidates, Open) or (
            candidates.most is not None and len(self.items_so_far) >= candidates.most
        ):
            return
        last = candidates.most == len(self.items_so_far) + 1
        for choice in candidates.of:
            longer = self.fill_gap((*self.items_so_far, choice.value))
            if fits(choice, longer) and (not last or accepts(self.game, self.state, longer)):
                yield choice, longer, not last

    @property
    def may_end(self) -> bool:
        """Return True if a list has its minimum number of items."""
        return isinstance(self.candidates, Open) and 0 < len(self.items_so_far) >= (self.candidates.least or 0)

    def read(self, text: str, notation: Notation, *, in_field: bool = False) -> Draft:
        """Return the draft with the value of some typed words: a name that they match, or the words themselves.

        A beginning of a name matches too. `in_field`: the words were typed into a form field and cannot be a line, so a
        new name with spaces needs no quotes. Raises NotationError if they do not fit, or match several names.
        """
        kind = self.argument.kind
        is_new = text.startswith('"')
        if not (is_new or ('"' in text and not in_field)) and isinstance(value := self._find_by_name(text), str):
            return self.fill_gap(value)
        if in_field and kind in (HANDLE, NEW_COUNTER):
            words = Words.of(as_handle(text), notation)
        elif in_field and kind is TEXT and text and not is_new:
            words = Words([(text, True)], notation)
        else:
            words = Words.of(text, notation)
        value = kind.read(words, ())
        if words:
            raise NotationError(phrase("“{text}” is more than was asked: {asked}.", text=text, asked=self.name))
        if kind is TEXT and isinstance(value, str):
            value = known_name(self.game, self.state, self.draft, self.argument.field, value)
        return self.fill_gap(value)

    def _find_by_name(self, text: str) -> object:
        """Return the value with this name or beginning, or None. Raises NotationError if several match."""
        candidates, word = self.candidates, text.strip()
        groups = (candidates.fitting, candidates.unfit) if isinstance(candidates, Open) else (candidates,)
        titles: dict[str, str] = {}
        named: tuple[str, ...] = ()
        for choices in groups:
            titles = {each.value: str(each.title or each.value) for each in choices if isinstance(each.value, str)}
            # A text is used as it stands: its beginning is no abbreviation, as in a whole line.
            whole = self.argument.kind is TEXT and isinstance(candidates, Open)
            named = named or best_named((Name(value, title) for value, title in titles.items()), word, whole=whole)
            if named:
                break
        if not named and self.argument.kind is TEXT:
            check_free_text(self.game.view(self.state), word, self.name)
        if not named and self.argument.kind in (TEXT, HANDLE) and isinstance(candidates, Open):
            self._check_new_name(word)
        if len(named) > 1:
            names = join_with_or(titles[value] for value in named)
            raise NotationError(phrase("{text} could be {names}; say which.", text=in_quotes(text), names=names))
        return next(iter(named), None)

    def _check_new_name(self, word: str) -> None:
        """Raise NotationError if a new name nearly matches a known one and is not quoted."""
        name = as_handle(word) if self.argument.kind is HANDLE else word
        if near := nearly_known(self.game, self.state, name):
            near = tuple({each.casefold(): each for each in near}.values())  # a word and a title can be the same name
            raise NotationError(
                phrase(
                    "{word} could be {names}; say which, or as a new name in quotes: {text}.",
                    word=in_quotes(word),
                    names=join_with_or(near[:_MOST_NEAR]),
                    text=write_text(word),
                )
            )

    @property
    def items_so_far(self) -> tuple[Any, ...]:
        return tuple(self.draft.given.get(self.argument.field, ()))
