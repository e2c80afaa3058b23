"""Forms: what a game asks to found a deck or to take one in from paper, what is wrong with the answers so far, and
what they come to. The command line makes options of a form's fields, a screen a page of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from random import Random
from typing import Any, ClassVar, Final, Literal, TypeVar

import msgspec

from companion.tabletop.action import DeckId, NotationError, RuleError
from companion.tabletop.arguments import MAX_DIGITS
from companion.tabletop.cards import PACK, format_words, pretty, read_card
from companion.tabletop.choices import Candidates, Choice, Open
from companion.tabletop.paper import SheetTable
from companion.tabletop.records import Mark, Payment, Record
from companion.tabletop.text import as_line, as_name, visible_form

Values = Mapping[str, Any]
"""What is filled in, as plain data by the fields' names: a text, a list where a field is repeated, and for a field that
is made of parts a mapping of their names to texts. What is not filled in yet is left out.
"""

Kind = Literal["text", "number", "flag", "card", "cards", "name", "deck", "list", "person"]
"""What a field holds. A `name` is one of its choices; a `deck` stands on the shelf, and whoever shows the form looks it
up (`FormContext.decks`); a `list` is a text of many lines, such as a deck list (`companion.tabletop.decklist`);
a `person` is somebody's id, for where the name in the field `whose` is not enough to say who that is.
"""

_NAMES: Final = frozenset({"text", "name", "deck", "person"})
"""Kinds whose answers are a name, or a few words; others are cards, figures, and lists of lines."""

YES: Final = ("yes", "true", "on")
NO: Final = ("no", "false", "off")

_Read = TypeVar("_Read")


class Field(msgspec.Struct, frozen=True):
    """One question of a form.

    `many`: it may be answered several times. `parts`: an answer is made of these, and on one line they are joined by
    `=`, in this order; parts that are not `required` may be left out at the end. `word` stands for the answer in help,
    `least` and `most` bound a number, `most` also how often a field may be answered, and `by_chance` says that the app
    can draw the answer (`Form.draw_answer`). `whose` names the field with the name that a `person` tells apart. `names`
    is the list, in the game's file of names, of which a name can be suggested.
    """

    name: str
    title: str = ""
    help: str = ""
    kind: Kind = "text"
    required: bool = False
    many: bool = False
    parts: tuple[Field, ...] = ()
    default: str = ""
    example: str = ""
    word: str = ""
    least: int | None = None
    most: int | None = None
    by_chance: bool = False
    whose: str = ""
    names: str = ""

    @property
    def is_drawn(self) -> bool:
        """Whether somebody can have it answered: by chance, or by a suggestion."""
        return self.by_chance or bool(self.names)

    def part(self, name: str) -> Field:
        """One of its parts. Raises LookupError."""
        return next(part for part in self.parts if part.name == name)

    def format_answer(self, text: str) -> str:
        """An answer as people read it; what is typed and kept stays as it is."""
        return format_words(text) if self.kind in ("card", "cards") else text


class Place(msgspec.Struct, frozen=True):
    """Where in a form: a field, of one that is repeated which answer (from 0), of one that has parts which part, or
    else the field as a whole.

    In a deck list `entry` is the number of the line, from 1.
    """

    field: str = ""
    entry: int | None = None
    part: str = ""


class Finding(msgspec.Struct, frozen=True):
    """What a check found: a sentence with its rule, whether it is only a warning, and where it is.

    `unreadable`: no rule is broken, but what stands there cannot be understood.
    """

    text: str
    warning: bool = False
    place: Place = Place()
    unreadable: bool = False


class StoredDeck(msgspec.Struct, frozen=True):
    """A deck on the shelf that a field names."""

    deck: DeckId
    record: Record


class FormContext(msgspec.Struct, frozen=True):
    """The things that a form is told of the world: the id that the new deck will have ("" before it is to be kept), who
    fills it in, which names are or were taken, and what the fields of kind `deck` stand for, by the fields' names.
    """

    deck: DeckId = ""
    by: str = ""
    taken: tuple[str, ...] = ()
    decks: Mapping[str, StoredDeck] = {}


class Filled(msgspec.Struct, frozen=True):
    """What the answers so far come to.

    `computed` are tables of what follows from them, and `beside` the same in few words, to stand beside the answer that
    it follows from; `figures` are what is left or used by its name, and `change` the sentence about what goes into a
    purse. `marks` are the deck's first ones, `payments` and the marks on `others` come
    with them; there are none of these as long as something is wrong.
    """

    name: str = ""
    findings: tuple[Finding, ...] = ()
    computed: tuple[SheetTable, ...] = ()
    beside: Mapping[Place, str] = {}
    figures: Mapping[str, int] = {}
    change: str = ""
    marks: tuple[Mark, ...] = ()
    payments: tuple[Payment, ...] = ()
    others: Mapping[DeckId, tuple[Mark, ...]] = {}


def refuse_errors(findings: Iterable[Finding]) -> tuple[str, ...]:
    """The warnings among findings.

    Raises NotationError with all that cannot be read, else RuleError with all that is against the rules.
    """
    findings = tuple(findings)
    if unreadable := [finding.text for finding in findings if finding.unreadable]:
        raise NotationError(" ".join(unreadable))
    if errors := [finding.text for finding in findings if not finding.warning]:
        raise RuleError(" ".join(errors))
    return tuple(finding.text for finding in findings)


class Form:
    """A form that a game describes. Every method is pure."""

    about: ClassVar[str] = ""
    """What filling it in does, in a sentence or two; the first is a title."""
    example: ClassVar[str] = ""
    """Answers as somebody would type them after `companion deck new`."""
    fields: ClassVar[tuple[Field, ...]]
    """Its questions, in the order in which they are best answered; the first is what the deck is called."""
    first_mark: ClassVar[type[Mark]] = Mark
    """What begins a deck, made of the answers by the fields' names; a form with more to work out overrides `filled`."""

    def begun(self) -> dict[str, Any]:
        """What stands in it before anybody has answered: as plain data, such as `values`."""
        return {field.name: field.default for field in self.fields if field.default}

    def filled(self, values: Values, context: FormContext) -> Filled:
        """What the answers so far come to, and everything that is wrong with them.

        Here: every field that is required has an answer, and the name is nobody's yet; then the `first_mark` is made.
        """
        reader = self.reader(values, context)
        name = reader.text(self.fields[0].name)
        answers = {field.name.replace("-", "_"): reader.text(field.name, field.default) for field in self.fields}
        return Filled(name, tuple(reader.findings), marks=() if reader.findings else (self.first_mark(**answers),))

    def reader(self, values: Values, context: FormContext) -> FormReader:
        """The answers, with what is wrong in every such form: something is not said, or the name is somebody's."""
        reader = FormReader(values)
        name = reader.text(self.fields[0].name)
        reader.gate(self.fields)
        reader.by_kind(self.fields)
        if visible_form(name) in map(visible_form, context.taken):
            message = f"There is, or was, a deck called “{name}”; a name is never used again."
            reader.wrong(message, Place(self.fields[0].name))
        return reader

    def with_spots(self, values: Values, spots: Sequence[str]) -> Values | None:  # noqa: ARG002
        """The answers with what labels on these spots of a deck say; None where labels say nothing to this form."""
        return None

    def unasked(self, values: Values) -> Iterable[Place]:  # noqa: ARG002
        """The places that need no answer while the others stand so."""
        return ()

    def candidates(self, values: Values, place: Place, context: FormContext) -> Candidates:  # noqa: ARG002
        """What may be answered at a place, given all other answers, with what people need to choose."""
        return choices_by_kind(self.at(place))

    def draw_answer(self, values: Values, place: Place, rng: Random) -> str:  # noqa: ARG002
        """An answer by chance. Raises RuleError where that place is not left to chance."""
        raise RuleError(f"{self.at(place).title} is chosen, not drawn.")

    def at(self, place: Place) -> Field:
        """The field or part at a place. Raises LookupError."""
        field = next(field for field in self.fields if field.name == place.field)
        return field.part(place.part) if place.part else field


def choices_by_kind(field: Field) -> Candidates:
    """What the kind of a field alone says."""
    if field.kind == "card":
        return tuple(Choice(card, pretty(card)) for card in PACK)
    if field.kind == "flag":
        return Choice("yes"), Choice("no")
    if field.kind == "number" and field.least is not None and field.most is not None:
        return tuple(Choice(str(number)) for number in range(field.least, field.most + 1))
    return Open(field.title or field.name, field.example, field.least, field.most)


class FormReader:
    """Reads what is filled in, and collects what cannot be read instead of stopping there."""

    def __init__(self, values: Values) -> None:
        self.values = values
        self.findings: list[Finding] = []

    def text(self, field: str, default: str = "") -> str:
        """The answer to a field, without the space around it."""
        return str(self.values.get(field, default)).strip()

    def entries(self, field: str) -> Iterator[tuple[int, Mapping[str, str]]]:
        """The answers to a field made of parts, each with its number; one where it is not repeated."""
        given = self.values.get(field) or ()
        answers = (given,) if isinstance(given, Mapping) else given
        for number, answer in enumerate(answers):
            yield number, {part: str(text).strip() for part, text in answer.items()}

    def gate(self, fields: Iterable[Field]) -> None:
        """Note what no name and no line may hold, wherever that is."""
        for field in fields:
            for place, text in self._answers(field):
                kind = field.part(place.part).kind if place.part else field.kind
                called = field.title or field.name
                rows = [text] if kind in _NAMES else text.splitlines()
                for row in rows:
                    self.read(partial(as_name if kind in _NAMES else as_line, what=called), row, place)

    def _answers(self, field: Field) -> Iterator[tuple[Place, str]]:
        """All that is answered to a field, each with its place."""
        if field.parts:
            for number, answer in self.entries(field.name):
                names = {part.name for part in field.parts}
                yield from ((Place(field.name, number, part), text) for part, text in answer.items() if part in names)
        elif isinstance(answer := self.values.get(field.name, ""), list | tuple):
            yield from ((Place(field.name, number), str(text)) for number, text in enumerate(answer))
        else:
            yield Place(field.name), str(answer).strip()

    def by_kind(self, fields: Iterable[Field]) -> None:
        """Note what is missing, and what is not of its field's kind, wherever that is."""
        for field in fields:
            if field.parts:
                for number, answer in self.entries(field.name):
                    for part in field.parts:
                        self._check(part, answer.get(part.name, ""), Place(field.name, number, part.name))
            elif not field.many:
                self._check(field, self.text(field.name), Place(field.name))

    def _check(self, field: Field, text: str, place: Place) -> None:
        """One answer by its kind alone."""
        if not text:
            if field.required:
                self.wrong(f"{field.title or field.name}: this must be said.", place)
        elif field.kind == "number":
            self._check_number(field, text, place)
        elif field.kind in ("card", "cards"):
            self.read(lambda answer: tuple(map(read_card, answer.replace(",", " ").split())), text, place)
        elif field.kind == "flag" and text.lower() not in (*YES, *NO):
            self.unreadable(f"{field.title or field.name} is yes or no; “{text}” is neither.", place)

    def _check_number(self, field: Field, text: str, place: Place) -> None:
        if not (text.isascii() and text.isdecimal() and len(text) <= MAX_DIGITS):
            self.unreadable(f"“{text}” is not a whole number.", place)
        elif not (field.least or 0) <= int(text) <= (int(text) if field.most is None else field.most):
            bounds = f"from {field.least or 0}" + ("" if field.most is None else f" to {field.most}")
            self.wrong(f"{field.title or field.name} is {bounds}, not {text}.", place)

    def read(self, how: Callable[[str], _Read], text: str, place: Place) -> _Read | None:
        """What a text says; where `how` raises NotationError, that is noted and None given."""
        try:
            return how(text)
        except NotationError as error:
            self.unreadable(str(error), place)
            return None

    def unreadable(self, text: str, place: Place) -> None:
        """Note what cannot be understood."""
        self.findings.append(Finding(text, place=place, unreadable=True))

    def wrong(self, text: str, place: Place) -> None:
        """Note what is against the rules."""
        self.findings.append(Finding(text, place=place))
