"""Forms: the questions for founding a deck or taking one in from paper, the checks of the answers, and the result.

The command line turns the fields of a form into options, a screen turns them into a page.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from random import Random
from typing import Any, ClassVar, Final, Literal, TypeVar

import msgspec

from companion.tabletop.action import DeckId, NotationError, RuleError
from companion.tabletop.decks.paper import SheetTable
from companion.tabletop.notation.arguments import MAX_DIGITS
from companion.tabletop.notation.cards import PACK, card_title, card_titles, read_card
from companion.tabletop.records import Mark, Payment, Record
from companion.tabletop.table.choices import Candidates, Choice, Open, choice_of_word
from companion.tabletop.text import as_line, as_name, visible_form
from templates.languages.messages import Message, Text, declared, joined, phrase

Values = Mapping[str, Any]
"""The answers as plain data by the names of the fields.

An answer is a text, a list for a repeated field, or a mapping of names to texts for a field with parts. Fields without
an answer are missing.
"""

Kind = Literal["text", "number", "flag", "card", "cards", "name", "deck", "list", "person"]
"""The type of a field's answer.

A `name` is one of the choices. A `deck` is on the shelf, and the caller that shows the form looks it up
(`FormContext.decks`). A `list` is a text of many lines, such as a deck list (`companion.tabletop.decks.decklist`). A
`person` is the id of a person, for a name in the field `whose` that is ambiguous.
"""

_NAMES: Final = frozenset({"text", "name", "deck", "person"})
"""Kinds whose answers are a name, or a few words; others are cards, numbers, and lists of lines."""

YES: Final = ("yes", "true", "on")
NO: Final = ("no", "false", "off")

_Read = TypeVar("_Read")


class Field(msgspec.Struct, frozen=True):
    """One question of a form.

    Its title and help are literals in English, or messages; they are shown as `caption` and `explanation`.
    `many`: it may have several answers. `parts`: an answer consists of these parts, joined by `=` on one line in this
    order; trailing parts that are not `required` may be left out. `word` is the placeholder in help texts. `least` and
    `most` bound a number; `most` also limits the number of answers. `by_chance`: the app can draw the answer
    (`Form.draw_answer`). `whose` names the field whose name a `person` disambiguates. `names` is the list in the game's
    file of names that suggestions come from. `titles` has the titles of the answers that are shown by one.
    """

    name: str
    title: Text = ""
    help: Text = ""
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
    titles: tuple[tuple[str, Text], ...] = ()

    @property
    def caption(self) -> Text:
        """The title for display, or the name if it has none."""
        return _declare(self.title) if self.title else self.name

    @property
    def explanation(self) -> Message:
        """The help for display."""
        return _declare(self.help)

    @property
    def is_drawn(self) -> bool:
        """Return True if the app can supply the answer: by chance, or as a suggestion."""
        return self.by_chance or bool(self.names)

    def part(self, name: str) -> Field:
        """Return one of its parts. Raises LookupError."""
        return next(part for part in self.parts if part.name == name)

    def format_answer(self, text: str) -> str:
        """Format an answer for display; typed and stored answers stay unchanged."""
        if self.kind in ("card", "cards"):
            return card_titles(text)
        return self.write_answer(text)

    def write_answer(self, text: str) -> str:
        """Return an answer as it is typed: by its title in the current language, if it is shown by one."""
        return next((str(title) for answer, title in self.titles if answer == text), text)

    def read_answer(self, text: str) -> str:
        """Return the answer with a typed title, or the text itself."""
        typed = text.strip().casefold()
        return next((answer for answer, title in self.titles if str(title).casefold() == typed), text)

    def with_titles(self, choices: Iterable[Choice]) -> Field:
        """Return the field with the translated titles of these choices for its answers."""
        return msgspec.structs.replace(
            self, titles=tuple((str(each.value), each.title) for each in choices if isinstance(each.title, Message))
        )


def _declare(text: Text) -> Message:
    """Return a text of a field as a message: those of programs are English literals, those of pages are messages."""
    return text if isinstance(text, Message) else declared(text)


class FormPlace(msgspec.Struct, frozen=True):
    """A place in a form: a field, the number of the answer (from 0) if it is repeated, and a part if it has parts.

    In a deck list `entry` is the number of the line, from 1.
    """

    field: str = ""
    entry: int | None = None
    part: str = ""


class Finding(msgspec.Struct, frozen=True):
    """The result of a check: a sentence with its rule, a flag for mere warnings, and the place.

    `unreadable`: the answer breaks no rule, but cannot be understood.
    """

    text: Text
    warning: bool = False
    place: FormPlace = FormPlace()
    unreadable: bool = False


class StoredDeck(msgspec.Struct, frozen=True):
    """A deck on the shelf that a field refers to."""

    deck: DeckId
    record: Record


class FormContext(msgspec.Struct, frozen=True):
    """The context of a form.

    `deck` is the id that the new deck will have ("" before it is to be kept). `by` is the user who fills it in. `taken`
    are the names in use now or before. `decks` are the decks that fields of kind `deck` refer to, by the names of the
    fields.
    """

    deck: DeckId = ""
    by: str = ""
    taken: tuple[str, ...] = ()
    decks: Mapping[str, StoredDeck] = {}


class Filled(msgspec.Struct, frozen=True):
    """The result of the answers so far.

    `computed` are tables of derived values. `beside` are the same in short, for display beside the answer that they
    follow from. `figures` are named amounts left or used. `change` is the sentence about money that goes into a purse.
    `summary` says what was read from a list, so that it can be shown before anything is stored.
    `marks` are the first marks of the deck; `payments` and the marks on `others` come with them. All of these are empty
    as long as there are errors.
    """

    name: str = ""
    findings: tuple[Finding, ...] = ()
    computed: tuple[SheetTable, ...] = ()
    beside: Mapping[FormPlace, Text] = {}
    figures: Mapping[str, int] = {}
    change: Text = ""
    summary: Text = ""
    marks: tuple[Mark, ...] = ()
    payments: tuple[Payment, ...] = ()
    others: Mapping[DeckId, tuple[Mark, ...]] = {}


def refuse_errors(findings: Iterable[Finding]) -> tuple[Text, ...]:
    """Return the warnings among findings.

    Raises NotationError with everything that cannot be read, else RuleError with everything that is against the rules.
    """
    findings = tuple(findings)
    if unreadable := [finding.text for finding in findings if finding.unreadable]:
        raise NotationError(joined(" ", unreadable))
    if errors := [finding.text for finding in findings if not finding.warning]:
        raise RuleError(joined(" ", errors))
    return tuple(finding.text for finding in findings)


class Form:
    """A form that a game defines. Every method is pure."""

    about: ClassVar[Text] = ""
    """The effect of submitting it, in a sentence or two; the first is the title."""
    example: ClassVar[str] = ""
    """Example answers as typed after `companion deck new`."""
    fields: ClassVar[tuple[Field, ...]]
    """The questions, in the best order to answer them; the first is the name of the deck."""
    first_mark: ClassVar[type[Mark]] = Mark
    """The first mark of a deck, built from the answers by field name. Complex forms override `validate_answers`."""

    def initial_values(self) -> dict[str, Any]:
        """Return the initial values, as plain data in the form of `values`."""
        return {field.name: field.default for field in self.fields if field.default}

    def validate_answers(self, values: Values, context: FormContext) -> Filled:
        """Return the result of the answers so far, with everything that is wrong with them.

        By default, every required field needs an answer and the name must be new; then the `first_mark` is made.
        """
        reader = self.reader(values, context)
        name = reader.text(self.fields[0].name)
        answers = {field.name.replace("-", "_"): reader.text(field.name, field.default) for field in self.fields}
        return Filled(name, tuple(reader.findings), marks=() if reader.findings else (self.first_mark(**answers),))

    def reader(self, values: Values, context: FormContext) -> FormReader:
        """Return a reader of the answers, with the findings common to all forms: missing answers and a name in use."""
        reader = FormReader(values)
        name = reader.text(self.fields[0].name)
        reader.gate(self.fields)
        reader.by_kind(self.fields)
        if visible_form(name) in map(visible_form, context.taken):
            message = phrase("There is, or was, a deck called “{name}”; a name is never used again.", name=name)
            reader.wrong(message, FormPlace(self.fields[0].name))
        return reader

    def with_spots(self, values: Values, spots: Sequence[str]) -> Values | None:  # noqa: ARG002
        """Return the answers read from labels on these spots of a deck; None if this form takes nothing from labels."""
        return None

    def idle_places(self, values: Values) -> Iterable[FormPlace]:  # noqa: ARG002
        """Return the places that need no answer as long as the other answers stay the same."""
        return ()

    def candidates(self, values: Values, place: FormPlace, context: FormContext) -> Candidates:  # noqa: ARG002
        """Return the possible answers at a place, given all other answers, with the information needed to choose."""
        return choices_by_kind(self.at(place))

    def draw_answer(self, values: Values, place: FormPlace, rng: Random) -> str:  # noqa: ARG002
        """Return a random answer. Raises RuleError if the answer at that place is not left to chance."""
        raise RuleError(phrase("{field} is chosen, not drawn.", field=self.at(place).caption))

    def at(self, place: FormPlace) -> Field:
        """Return the field or part at a place. Raises LookupError."""
        field = next(field for field in self.fields if field.name == place.field)
        return field.part(place.part) if place.part else field


def choices_by_kind(field: Field) -> Candidates:
    """Return the candidates that follow from the kind of a field alone."""
    if field.kind == "card":
        return tuple(Choice(card, card_title(card)) for card in PACK)
    if field.kind == "flag":
        return choice_of_word("yes"), choice_of_word("no")
    if field.kind == "number" and field.least is not None and field.most is not None:
        return tuple(Choice(str(number)) for number in range(field.least, field.most + 1))
    return Open(field.caption, field.example, field.least, field.most)


class FormReader:
    """A reader of answers that collects unreadable ones instead of stopping at the first."""

    def __init__(self, values: Values) -> None:
        self.values = values
        self.findings: list[Finding] = []

    def text(self, field: str, default: str = "") -> str:
        """Return the answer to a field, without surrounding whitespace."""
        return str(self.values.get(field, default)).strip()

    def entries(self, field: str) -> Iterator[tuple[int, Mapping[str, str]]]:
        """Yield the answers to a field made of parts with their numbers; a single one if it is not repeated."""
        given = self.values.get(field) or ()
        answers = (given,) if isinstance(given, Mapping) else given
        for number, answer in enumerate(answers):
            yield number, {part: str(text).strip() for part, text in answer.items()}

    def gate(self, fields: Iterable[Field]) -> None:
        """Record text that no name or no line may contain, in any field."""
        for field in fields:
            for place, text in self._answers(field):
                kind = field.part(place.part).kind if place.part else field.kind
                called = field.caption
                rows = [text] if kind in _NAMES else text.splitlines()
                for row in rows:
                    self.read(partial(as_name if kind in _NAMES else as_line, what=called), row, place)

    def _answers(self, field: Field) -> Iterator[tuple[FormPlace, str]]:
        """Yield every answer to a field, with its place."""
        if field.parts:
            for number, answer in self.entries(field.name):
                names = {part.name for part in field.parts}
                yield from (
                    (FormPlace(field.name, number, part), text) for part, text in answer.items() if part in names
                )
        elif isinstance(answer := self.values.get(field.name, ""), list | tuple):
            yield from ((FormPlace(field.name, number), str(text)) for number, text in enumerate(answer))
        else:
            yield FormPlace(field.name), str(answer).strip()

    def by_kind(self, fields: Iterable[Field]) -> None:
        """Record missing answers, and answers of the wrong kind, in any field."""
        for field in fields:
            if field.parts:
                for number, answer in self.entries(field.name):
                    for part in field.parts:
                        self._check(part, answer.get(part.name, ""), FormPlace(field.name, number, part.name))
            elif not field.many:
                self._check(field, self.text(field.name), FormPlace(field.name))

    def _check(self, field: Field, text: str, place: FormPlace) -> None:
        """Check one answer by its kind alone."""
        if not text:
            if field.required:
                self.wrong(phrase("{field}: this is required.", field=field.caption), place)
        elif field.kind == "number":
            self._check_number(field, text, place)
        elif field.kind in ("card", "cards"):
            self.read(lambda answer: tuple(map(read_card, answer.replace(",", " ").split())), text, place)
        elif field.kind == "flag" and text.lower() not in (*YES, *NO):
            message = phrase("{name} must be yes or no, not “{word}”.", name=field.caption, word=text)
            self.unreadable(message, place)

    def _check_number(self, field: Field, text: str, place: FormPlace) -> None:
        if not (text.isascii() and text.isdecimal() and len(text) <= MAX_DIGITS):
            self.unreadable(phrase("“{word}” is not a whole number.", word=text), place)
            return
        least, most = field.least or 0, field.most
        if int(text) < least and most is None:
            message = phrase(
                "{field} must be at least {least}, not {number}.", field=field.caption, least=str(least), number=text
            )
            self.wrong(message, place)
        elif most is not None and not least <= int(text) <= most:
            message = phrase(
                "{field} must be from {least} to {most}, not {number}.",
                field=field.caption,
                least=str(least),
                most=str(most),
                number=text,
            )
            self.wrong(message, place)

    def read(self, how: Callable[[str], _Read], text: str, place: FormPlace) -> _Read | None:
        """Read a text with `how`; if that raises NotationError, record it and return None."""
        try:
            return how(text)
        except NotationError as error:
            self.unreadable(error.message, place)
            return None

    def unreadable(self, text: Text, place: FormPlace) -> None:
        """Record an answer that cannot be understood."""
        self.findings.append(Finding(text, place=place, unreadable=True))

    def wrong(self, text: Text, place: FormPlace) -> None:
        """Record an answer that is against the rules."""
        self.findings.append(Finding(text, place=place))
