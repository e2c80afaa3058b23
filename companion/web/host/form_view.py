"""A form as a page shows it: its questions with their answers and choices, and the answers that a browser sends.

Any `Fillable` has a page by this, as it has a screen in the terminal.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final, Literal, NamedTuple
from urllib.parse import quote, unquote

from companion.archive import ArchiveError, deck_id
from companion.session.table.form_answers import Answers
from companion.session.table.form_filling import MAX_DECKS_OFFERED, Fillable, FormState
from companion.tabletop.action import NotationError, RuleError
from companion.tabletop.decks.form import Field, Finding, FormPlace, Values
from companion.tabletop.decks.paper import SheetTable
from companion.tabletop.table.choices import Choice, Open
from templates.languages.messages import Text, joined, phrase, phrase_in

WRONG_FORM: Final = (ArchiveError, RuleError, NotationError, deck_id.DeckIdError)
"""The errors with which a form refuses answers."""
_NAME: Final = re.compile(r"a:([^:]{1,600}):([0-9]{0,3}):([^:]{0,200})")
"""The name of an input: the field, the number of the answer, and the part."""
_MAX_PASSES: Final = 6
"""The most times that a form is asked which questions follow from the answers."""
_TYPED: Final = frozenset({"text", "number", "cards", "list"})
"""The kinds of answers that are typed, not chosen from a list."""
_MAX_CHOICES: Final = 400
"""The most choices of one list; more are typed."""

InputKind = Literal["choice", "text", "number", "lines"]


class InputOption(NamedTuple):
    """One choice of an input."""

    value: str
    text: Text


class FormInput(NamedTuple):
    """One input of a form: a list of choices, a line or a number to type, or lines."""

    name: str
    id: str
    place: str
    label: Text
    about: Text
    kind: InputKind
    value: str
    options: tuple[InputOption, ...]
    least: int | None
    most: int | None
    findings: tuple[Finding, ...]
    is_drawn: bool


class FormRow(NamedTuple):
    """One answer to a question: its inputs, what follows from them, and what is wrong with the answer as a whole."""

    place: str
    number: int
    inputs: tuple[FormInput, ...]
    note: Text
    findings: tuple[Finding, ...]
    is_new: bool
    """True for the row behind the last answer."""


class FormQuestion(NamedTuple):
    """A question of a form with the rows of its answers.

    It has several rows if it `is_repeated`, and several inputs in each if it `has_parts`.
    """

    id: str
    title: Text
    about: Text
    rows: tuple[FormRow, ...]
    is_repeated: bool
    has_parts: bool
    note: Text
    findings: tuple[Finding, ...]


class WrongPlace(NamedTuple):
    """A fault that keeps a form from being stored, and the input to which its link leads; "" for the whole form."""

    text: Text
    title: Text
    id: str


class FormView(NamedTuple):
    """A form on a page."""

    title: Text
    done: Text
    questions: tuple[FormQuestion, ...]
    tables: tuple[SheetTable, ...]
    summary: Text
    change: Text
    draws: bool
    wrong: tuple[WrongPlace, ...]
    """The faults, if somebody tried to store the form."""


def input_name(place: FormPlace) -> str:
    """Return the name of the input at a place."""
    number = "" if place.entry is None else str(place.entry)
    return f"a:{quote(place.field, safe='')}:{number}:{quote(place.part, safe='')}"


def question_id(field: str) -> str:
    """Return the id of the question of a field, to which links lead."""
    return f"q-{_as_id(input_name(FormPlace(field)))}"


def read_place(name: str) -> FormPlace | None:
    """Return the place of an input by its name, or None for any other name."""
    match = _NAME.fullmatch(name)
    if match is None:
        return None
    return FormPlace(unquote(match[1]), int(match[2]) if match[2] else None, unquote(match[3]))


class FilledForm:
    """A form with answers. Its methods read the archive, and are called in a thread."""

    def __init__(self, form: Fillable, answers: Answers | None = None) -> None:
        """Open a form with its initial values, or with these answers. Raises WRONG_FORM."""
        self.form = form
        self.answers = answers or Answers((), form.initial_values())
        self.state: FormState = form.build_state({})
        self.settle()

    @property
    def values(self) -> Values:
        """The answers to the questions that are asked."""
        return self.answers.values()

    @property
    def is_begun(self) -> bool:
        """True if an answer differs from the initial values."""
        return self.values != self.form.initial_values()

    def take_fields(self, fields: Iterable[tuple[str, str]]) -> None:
        """Replace the answers by those that a browser sent. Raises WRONG_FORM."""
        self.answers = Answers(self.state.fields, {})
        # A later row may belong to a question that an earlier answer raises; its field is not known yet.
        for name, text in fields:
            if (place := read_place(name)) is not None:
                self.answers.put(place, text.replace("\r\n", "\n"))
        self.settle()

    def put(self, place: FormPlace, text: str) -> None:
        """Set an answer; call `settle` after the last one."""
        self.answers.put(place, text)

    def remove(self, place: FormPlace) -> None:
        """Remove the answer that a place belongs to; the following ones move up. Raises WRONG_FORM."""
        self.answers.remove(place)
        self.settle()

    def settle(self) -> None:
        """Find the questions, which follow from the answers; answers to others do not count. Raises WRONG_FORM."""
        for _ in range(_MAX_PASSES):
            self.answers.fields = tuple(self.state.fields)
            self._read_titles()
            self.answers.drop_empty_entries(FormPlace())
            self.state = self.form.build_state(self.answers.values())
            if tuple(self.state.fields) == self.answers.fields:
                return
        self.answers.fields = tuple(self.state.fields)

    def _read_titles(self) -> None:
        """Replace titles that were typed by the answers that they stand for."""
        for place in self.answers.places():
            field = self.answers.field(place)
            if field.titles and (text := self.answers.get(place)):
                self.answers.put(place, field.read_answer(text))

    @property
    def wrong(self) -> list[Finding]:
        """The faults that keep the form from being stored."""
        return [finding for finding in self.state.filled.findings if not finding.warning]

    def build_view(self, *, is_tried: bool = False) -> FormView:
        """Return the form as a page shows it. `is_tried` shows everything that is wrong, also in empty answers."""
        return _ViewBuilder(self, is_tried=is_tried).build()


class _ViewBuilder:
    """Builds the page of a form."""

    def __init__(self, filled: FilledForm, *, is_tried: bool) -> None:
        self._form, self._answers, self._state = filled.form, filled.answers, filled.state
        self._is_tried = is_tried
        self._values = filled.values
        self._placed: set[int] = set()
        """The findings that stand beside an input, by their numbers."""

    def build(self) -> FormView:
        """Return the whole form."""
        questions = tuple(self._build_questions())
        result = self._state.filled
        draws = any(each.is_drawn or any(part.is_drawn for part in each.parts) for each in self._answers.fields)
        return FormView(
            self._form.title,
            self._form.done,
            questions,
            result.computed,
            result.summary,
            result.change,
            draws,
            tuple(self._list_wrong(questions)) if self._is_tried else (),
        )

    def _build_questions(self) -> Iterator[FormQuestion]:
        for field in self._answers.fields:
            if FormPlace(field.name) in self._state.idle:
                continue
            rows = tuple(self._build_rows(field))
            is_repeated = field.many
            yield FormQuestion(
                question_id(field.name),
                field.caption,
                _explain_question(field),
                rows,
                is_repeated,
                bool(field.parts),
                self._state.filled.beside.get(FormPlace(field.name), "") if is_repeated else "",
                self._take_findings(FormPlace(field.name)) if is_repeated or field.parts else (),
            )

    def _build_rows(self, field: Field) -> Iterator[FormRow]:
        if not field.many and not field.parts:
            place = FormPlace(field.name)
            # A text of several lines has findings at its lines.
            findings = self._take_findings_in(field.name)
            single = self._build_input(place, findings, field.explanation)
            yield FormRow("", 0, (single,), self._state.filled.beside.get(place, ""), (), is_new=False)
            return
        for number in range(self._answers.room(field)):
            whole = FormPlace(field.name, number)
            is_new = field.many and number >= self._answers.count(field)
            places = [FormPlace(field.name, number, part.name) for part in field.parts] or [whole]
            asked_places = [place for place in places if place not in self._state.idle]
            inputs = tuple(self._build_input(place, self._take_findings(place)) for place in asked_places)
            note = self._state.filled.beside.get(whole, "")
            findings = self._take_findings(whole) if field.parts else ()
            yield FormRow(input_name(whole), number + 1, inputs, note, findings, is_new)

    def _build_input(self, place: FormPlace, findings: tuple[Finding, ...], about: Text = "") -> FormInput:
        field = self._answers.field(place)
        value = self._answers.get(place)
        default = self._state.implied.get(place, field.default)
        kind, options = self._find_choices(field, place, value, default)
        name, shown_value = input_name(place), field.write_answer(value)
        return FormInput(
            name,
            _as_id(name),
            name,
            field.caption,
            about,
            kind,
            "" if kind == "choice" and value == default else value if kind == "choice" else shown_value,
            options,
            field.least,
            field.most if not field.many else None,
            findings,
            field.is_drawn,
        )

    def _find_choices(
        self, field: Field, place: FormPlace, value: str, default: str
    ) -> tuple[InputKind, tuple[InputOption, ...]]:
        """Return the kind of an input, with its choices; those of a line to type are suggestions."""
        if field.kind == "list":
            return "lines", ()
        try:
            candidates = self._form.candidates(self._values, place, "")
            choices = candidates.fitting if isinstance(candidates, Open) else tuple(candidates)
        except WRONG_FORM:
            candidates, choices = Open("", ""), ()
        is_several = bool(place.part) and field.many
        is_too_long = len(choices) >= (MAX_DECKS_OFFERED if field.kind == "deck" else _MAX_CHOICES)
        if field.kind == "number" and not any(str(each.detail) for each in choices):
            return "number", ()
        if isinstance(candidates, Open) or is_several or is_too_long or not choices:
            suggestions = _show_choices(field, choices)
            return "text", tuple(each._replace(value=field.write_answer(each.value)) for each in suggestions)
        # The usual answer is that of an empty field.
        options = [
            option._replace(value="") if option.value == default else option for option in _show_choices(field, choices)
        ]
        if value and value != default and value not in {option.value for option in options}:
            options.insert(0, InputOption(value, field.write_answer(value)))
        if "" not in {option.value for option in options}:
            # Translators: No choice of a list has been made.
            options.insert(0, InputOption("", phrase_in("choice", "—")))
        return "choice", tuple(options)

    def _take_findings(self, place: FormPlace) -> tuple[Finding, ...]:
        """Return the findings at a place that are shown there; all of them count as placed."""
        return self._take(lambda each: each.place == place, place)

    def _take_findings_in(self, field: str) -> tuple[Finding, ...]:
        return self._take(lambda each: each.place.field == field, FormPlace(field))

    def _take(self, belongs: Callable[[Finding], bool], place: FormPlace) -> tuple[Finding, ...]:
        taken = [(at, each) for at, each in enumerate(self._state.filled.findings) if belongs(each)]
        self._placed |= {at for at, _ in taken}
        is_due = self._is_tried or self._has_answer(place)
        return tuple(each for _, each in taken if is_due or each.warning)

    def _has_answer(self, place: FormPlace) -> bool:
        """Return True if an answer at a place has begun."""
        if place.part or (place.entry is None and not self._is_repeated(place)):
            return bool(self._answers.get(place).strip())
        return place.entry is not None and place.entry < self._answers.count(self._whole_field(place))

    def _is_repeated(self, place: FormPlace) -> bool:
        field = self._whole_field(place)
        return field.many or bool(field.parts)

    def _whole_field(self, place: FormPlace) -> Field:
        return next(field for field in self._answers.fields if field.name == place.field)

    def _list_wrong(self, questions: Sequence[FormQuestion]) -> Iterator[WrongPlace]:
        """Yield everything that keeps the form from being stored, in the order of the page."""
        for question in questions:
            for finding in question.findings:
                yield from _as_wrong(finding, question.title, question.id)
            for row in question.rows:
                title = joined(" ", (question.title, str(row.number))) if question.is_repeated else question.title
                for finding in row.findings:
                    yield from _as_wrong(finding, title, row.inputs[0].id if row.inputs else question.id)
                for each in row.inputs:
                    for finding in each.findings:
                        # Most texts begin with the name of their field.
                        names = (title, each.label) if question.has_parts else (title,)
                        others = names[:-1] if str(finding.text).startswith(str(names[-1])) else names
                        yield from _as_wrong(finding, joined(" · ", others) if others else "", each.id)
        for at, finding in enumerate(self._state.filled.findings):
            if at not in self._placed:
                yield from _as_wrong(finding, "", "")


def _explain_question(field: Field) -> Text:
    """Return the help for a question; if that is about answers typed in one line, the help for its parts."""
    if not field.parts or not field.example:
        return field.explanation
    typed = (part for part in field.parts if part.kind in _TYPED and str(part.explanation))
    return joined(" ", (phrase("{title}: {text}", title=part.caption, text=part.explanation) for part in typed))


def _as_wrong(finding: Finding, title: Text, where: str) -> Iterator[WrongPlace]:
    if not finding.warning:
        yield WrongPlace(finding.text, title, where)


def _show_choices(field: Field, choices: Iterable[Choice]) -> Iterator[InputOption]:
    """Yield choices with what is needed to choose one; a card has its title, also beside its name."""
    for choice in choices:
        title: Text = choice.title or str(choice.value)
        if field.kind == "card" and (card := field.format_answer(str(choice.value))) != str(title):
            title = joined(" · ", (card, choice.title)) if choice.title else card
        yield InputOption(str(choice.value), joined(" · ", (title, choice.detail)) if choice.detail else title)


def _as_id(name: str) -> str:
    """Return the name of an input as the id of an element."""
    return re.sub(r"[^\w-]", "-", name)
