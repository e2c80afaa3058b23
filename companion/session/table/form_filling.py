"""Forms being filled in beside an archive: the answers so far, the current place in the form, and the result."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from random import Random
from types import MappingProxyType
from typing import Literal, NamedTuple, Protocol

import msgspec

from companion.archive import Archive, ArchiveError, DeckRow, deck_id, deck_records
from companion.archive.people import people
from companion.session.table.form_answers import Answers, Snapshot
from companion.session.table.names import suggest_name
from companion.tabletop.action import NEW_PERSON, RuleError
from companion.tabletop.decks.form import Field, Filled, Finding, Form, FormContext, FormPlace, StoredDeck, Values
from companion.tabletop.game import Game
from companion.tabletop.table.choices import Candidates, Choice
from templates.languages.messages import Message, Text, joined, listed, phrase, phrase_in, phrases

_MAX_PASTED_ROWS = 300

_SEVERAL = 2
MAX_DECKS_OFFERED = 50
"""Maximum number of decks offered at once; more letters find the others."""

_LOOKED_AT = 1000
"""Number of decks searched for retired ones; a name finds the others."""


class FormState(NamedTuple):
    """A form with its current answers: its fields, their result, and the places that need no answer.

    `implied` are the answers that count at empty places, if they differ from the default of the field.
    """

    fields: Sequence[Field]
    filled: Filled
    idle: frozenset[FormPlace] = frozenset()
    implied: Mapping[FormPlace, str] = MappingProxyType({})


class FormResult(NamedTuple):
    """The result of storing a form: the id of the new deck or session, and a message for the user."""

    id: str
    message: Text


class Fillable(Protocol):
    """A form that a screen can show.

    Methods that read the archive may take a moment; call them outside the screen's loop.
    """

    @property
    def title(self) -> Text:
        """The purpose of the form."""
        ...

    @property
    def done(self) -> Text:
        """The label of the last step."""
        ...

    def initial_values(self) -> Values:
        """Return the initial values."""
        ...

    def build_state(self, values: Values) -> FormState:
        """Return the state of the form with these answers."""
        ...

    def candidates(self, values: Values, place: FormPlace, typed: str) -> Candidates:
        """Return the candidates at a place for the typed text. Raises NotationError or ArchiveError."""
        ...

    def draw_answer(self, values: Values, place: FormPlace, rng: Random) -> str:
        """Return a random answer. Raises RuleError if the place is not left to chance."""
        ...

    def keep(self, values: Values) -> FormResult:
        """Store the result of the answers. Raises RuleError, NotationError or ArchiveError."""
        ...


class DeckForm:
    """The form by which a game's decks are founded or adopted, with the archive that will store the new deck."""

    def __init__(
        self,
        archive: Archive,
        game: Game,
        form: Form,
        how: Literal["Build", "Adopt"],
        session: str = "",
    ) -> None:
        self.title = phrase("Build a deck") if how == "Build" else phrase("Adopt a deck")
        # Translators: “it” is a deck.
        self.done = phrase("Build it") if how == "Build" else phrase("Adopt it")
        self._session = session
        """The sitting at which the deck is adopted; "" for none."""
        self._archive = archive
        self._game = game
        self._form = form
        self._deck = ""
        """The new deck's id, drawn when the deck is first stored."""

    def initial_values(self) -> Values:
        """Return the initial values, as the game sets them."""
        return self._form.initial_values()

    def build_state(self, values: Values) -> FormState:
        """Return the state of the form, including findings for decks and people that cannot be identified."""
        context, unknown = self._archive_context(values)
        filled = self._form.validate_answers(self._answers_asked_for(values), context)
        idle = frozenset(self._idle_places(values))
        for field in self._form.fields:
            if field.kind == "person" and FormPlace(field.name) not in idle and not values.get(field.name):
                text = phrase("Several people are called {name}: say which of them.", name=values[field.whose])
                unknown.append(Finding(text, place=FormPlace(field.name)))
        if unknown:
            filled = msgspec.structs.replace(filled, findings=(*unknown, *filled.findings))
        return FormState(self._form.fields, filled, idle)

    def _idle_places(self, values: Values) -> Iterator[FormPlace]:
        """Yield the places that need no answer: a person whose name is unique, and a deck if there is none."""
        yield from self._form.idle_places(values)
        has_decks = any(field.kind == "deck" for field in self._form.fields) and bool(self._retired_decks(""))
        for field in self._form.fields:
            if field.kind == "deck" and not has_decks and not values.get(field.name):
                yield FormPlace(field.name)
            if field.kind == "person":
                named = people.find_people(self._archive, str(values.get(field.whose, "")))
                if len(named) < _SEVERAL:
                    yield FormPlace(field.name)

    def candidates(self, values: Values, place: FormPlace, typed: str) -> Candidates:
        """Return the form's candidates; decks match by any part of their name."""
        if self._form.at(place).kind == "deck":
            return decks(self._retired_decks(typed))
        if self._form.at(place).kind == "person":
            name = str(values.get(self._form.at(place).whose, ""))
            return which(people.describe_namesakes(self._archive, people.find_people(self._archive, name)))
        return self._form.candidates(values, place, self._archive_context(values)[0])

    def _retired_decks(self, typed: str) -> Sequence[DeckRow]:
        """Return retired decks of this game, from which others can be made, by any part of their name."""
        rows = self._archive.page_of_decks(typed, count=_LOOKED_AT).rows
        return [row for row in rows if row.retired and row.game == self._game.name][:MAX_DECKS_OFFERED]

    def draw_answer(self, values: Values, place: FormPlace, rng: Random) -> str:
        """Return a random answer; a name depends on the answers beside it, and differs from names already given."""
        kind = self._form.at(place).names
        if not kind:
            return self._form.draw_answer(values, place, rng)
        entries = values.get(place.field, [])
        own = entries[place.entry or 0] if (place.entry or 0) < len(entries) else {}
        others = [entry.get(place.part, "") for entry in entries if entry is not own]
        seed = "\n".join(
            [self._game.name, *(f"{part}={text}" for part, text in sorted(own.items()) if part != place.part)]
        )
        return suggest_name(self._game.data, self._game.name, kind, seed, own.get(place.part, ""), others)

    def keep(self, values: Values) -> FormResult:
        """Store the new deck; the message includes the change to a purse and any warnings."""
        self._deck = self._deck or self._archive.new_deck_id()
        context, unknown = self._archive_context(values)
        if unknown:
            raise ArchiveError(str(unknown[0].text))
        filled = self._form.validate_answers(self._with_person_ids(values), context)
        _, warnings = deck_records.new_deck(self._archive, self._game, filled, self._deck, self._session)
        # Translators: {id} is the code of a new deck.
        sentences = [phrase("{deck} is here: {id}.", deck=filled.name, id=deck_id.show(self._deck))]
        if filled.change:
            # Translators: {change} tells what a purse gets or pays.
            sentences.append(phrase("{change}.", change=filled.change))
        sentences += (phrase("Mind: {warning}", warning=warning) for warning in warnings)
        return FormResult(self._deck, joined("\n", sentences))

    def _answers_asked_for(self, values: Values) -> Values:
        """Return the answers to the fields that the form asks for. Answers to other fields are ignored."""
        unasked = {place.field for place in self._idle_places(values) if place.entry is None}
        return {name: value for name, value in values.items() if name not in unasked}

    def _with_person_ids(self, values: Values) -> Values:
        """Return these answers with the ids of people in place of the typed ids. Raises Unknown."""
        answers = self._answers_asked_for(values)
        person_fields = [
            field.name for field in self._form.fields if field.kind == "person" and answers.get(field.name)
        ]
        return {**answers, **{name: people.resolve_person(self._archive, str(answers[name])) for name in person_fields}}

    def _archive_context(self, values: Values) -> tuple[FormContext, list[Finding]]:
        """Return the context of the form from the archive, and a finding for each named deck that is not in it."""
        name = str(values.get(self._form.fields[0].name, ""))
        stored, unknown = {}, []
        for field in self._form.fields:
            if field.kind == "deck" and values.get(field.name):
                try:
                    row = deck_records.find_deck_of_game(self._archive, self._game.name, str(values[field.name]))
                    stored[field.name] = StoredDeck(row.deck, self._archive.record(row.deck))
                except (ArchiveError, deck_id.DeckIdError) as error:
                    unknown.append(Finding(error.message, place=FormPlace(field.name), unreadable=True))
        taken = deck_records.names_taken(self._archive, self._game.name, name)
        return FormContext(self._deck, "", taken, stored), unknown


def which(some: Sequence[tuple[str, Text]]) -> tuple[Choice, ...]:
    """Return the choices between people who share a name, each with what distinguishes them, or a new person."""
    another = Choice(NEW_PERSON, detail=phrase("somebody else"))
    return (*(Choice(person, detail=marks) for person, marks in some), another)


def decks(rows: Sequence[DeckRow]) -> Iterator[Choice]:
    """Yield decks as choices, each with its name, id, holder and figures."""
    for row in rows:
        details: list[Message] = []
        if row.retired:
            # Translators: A deck that is no longer played.
            details.append(phrase_in("deck", "retired"))
        if row.holder:
            details.append(phrase("held by {person}", person=row.holder))
        details += (joined(" ", (figure.caption, str(figure.value))) for figure in row.figures)
        yield Choice(row.name, f"{row.name} · {deck_id.show(row.deck)}", joined(" · ", details))


WHOLE = FormPlace()
"""The form as a whole, to review and store it."""
GAME = FormPlace("game")
"""The choice of the game."""


class _Step(NamedTuple):
    """A step that can be undone: the game, the place at which the step ended, and the answers."""

    game: str
    at: FormPlace
    answers: Snapshot


class FormCursor:
    """A cursor in the form of one of several games, by default the first. `opened` creates the form of a game."""

    def __init__(self, games: Sequence[str], opened: Callable[[str], Fillable], game: str = "") -> None:
        self.games = tuple(games)
        self._opened = opened
        self._kept: dict[str, Answers] = {}
        self._past: list[_Step] = []
        self._future: list[_Step] = []
        self.take(game or self.games[0])

    def take(self, game: str, answers: Answers | None = None) -> None:
        """Switch to the form of this game with these answers, by default with those left in it."""
        if answers is not None:
            self._kept[game] = answers
        self.game = game
        self.form = self._opened(game)
        self.seen = self.form.build_state({})
        self.answers = self._kept.setdefault(game, Answers(self.seen.fields, self.form.initial_values()))
        self.answers.fields = self.answers.fields or tuple(self.seen.fields)
        self.at = WHOLE
        self.is_tried = False
        """True once the user has tried to finish."""
        self._furthest = 0
        self._refused: FormPlace | None = None

    @property
    def is_begun(self) -> bool:
        """Return True if an answer differs from the initial values."""
        return self.answers.values() != self.form.initial_values()

    @property
    def is_changed(self) -> bool:
        """Return True while an answer differs from when the form was opened."""
        return any(step.game == self.game for step in self._past) and self._first_step.answers != self.answers.snapshot

    @property
    def _first_step(self) -> _Step:
        return next(step for step in self._past if step.game == self.game)

    def saw(self, seen: FormState) -> None:
        """Set the new state of the form. If the current question is gone, move to the next one."""
        before = self.places()
        self.seen = seen
        self.answers.fields = tuple(seen.fields)
        if self.is_question and self.at.field not in {field.name for field in seen.fields}:
            places = self.places()
            self.at = next(place for place in before[before.index(self.at) :] if place in places)

    # The current place

    @property
    def is_question(self) -> bool:
        """Return True if the current place is a question, not the choice of the game or the review."""
        return self.at not in (GAME, WHOLE)

    @property
    def text(self) -> str:
        """The current answer; "" if there is none yet."""
        return self.answers.get(self.at) if self.is_question else ""

    @property
    def current_field(self) -> Field | None:
        """The current field or part; None if the current place is not a question."""
        return self.answers.field(self.at) if self.is_question else None

    @property
    def whole_field(self) -> Field:
        """The field that the current question belongs to. Raises LookupError if there is no question."""
        return self._field(self.at)

    @property
    def is_list(self) -> bool:
        """Return True if the current answer holds several words separated by commas."""
        return self.current_field is not None and bool(self.at.part) and self.current_field.many

    @property
    def begins_another(self) -> bool:
        """Return True if an answer to a repeated question begins at the current place."""
        if not self.is_question:
            return False
        field = self.whole_field
        return field.many and (not field.parts or self.at.part == field.parts[0].name)

    @property
    def draws(self) -> bool:
        """Return True if anything in the form can be drawn."""
        return any(field.is_drawn or any(part.is_drawn for part in field.parts) for field in self.answers.fields)

    def _field(self, place: FormPlace) -> Field:
        return next(field for field in self.answers.fields if field.name == place.field)

    def put_cells(self, rows: Sequence[Sequence[str]]) -> FormPlace | None:
        """Answer a repeated question by rows of cells, beginning with the current answer.

        If all cells of the first row are names of parts, they assign the columns; otherwise the cells begin at the
        current part. Returns the place of the next answer, or None if the question takes no cells. Raises RuleError if
        there are more rows or cells than there is room for.
        """
        if not self.is_question or not self.whole_field.many or not self.whole_field.parts:
            return None
        field, first = self.whole_field, self.at.entry or 0
        names = [part.name for part in field.parts]
        heads = [cell.strip().casefold() for cell in rows[0]]
        has_heads = any(heads) and {*heads} <= {*names, ""}
        columns = heads if has_heads else names[names.index(self.at.part) :]
        rows = rows[1:] if has_heads else rows
        if len(rows) > _MAX_PASTED_ROWS:
            raise RuleError(
                phrases(
                    "{rows} row is too many to be pasted; save them as a file.",
                    "{rows} rows are too many to be pasted; save them as a file.",
                    n=len(rows),
                    rows=str(len(rows)),
                )
            )
        widest = max((len(_without_empty_end(row)) for row in rows), default=0)
        if widest > len(columns):
            raise RuleError(
                phrases(
                    "A row has {n} cell, but from here on only {columns} are asked for.",
                    "A row has {n} cells, but from here on only {columns} are asked for.",
                    n=widest,
                    columns=listed(columns),
                )
            )
        for number, row in enumerate(rows, first):
            for name, text in zip(columns, row, strict=False):
                if name:
                    self.answers.put(FormPlace(field.name, number, name), text)
        return FormPlace(field.name, first + len(rows), names[0])

    # Movement

    @property
    def begins_at(self) -> FormPlace:
        """The place at which the form opens: the one at which it was left, else its first question."""
        return self.answers.left_at or self.places()[0]

    def places(self) -> list[FormPlace]:
        """Return all places to stop at, including the end."""
        game = [GAME] if len(self.games) > 1 else []
        return [*game, *(place for place in self.answers.places() if place not in self.seen.idle), WHOLE]

    def go(self, place: FormPlace) -> None:
        """Move to a place, which may shift as empty answers are dropped."""
        place = self.answers.drop_empty_entries(place)
        places = self.places()
        self.at = self.answers.left_at = place if place in places else places[-1]
        self._refused = None
        self._furthest = max(self._furthest, places.index(self.at))
        self._note_step()

    # Undo

    def _note_step(self) -> None:
        """Record the current answers if they have changed."""
        step = _Step(self.game, self.at, self.answers.snapshot)
        if self._past and self._past[-1][::2] == step[::2]:
            self._past[-1] = step
            return
        self._past.append(step)
        self._future.clear()

    @property
    def can_undo(self) -> bool:
        """Return True if there is a step to take back."""
        return len(self._past) > 1 or (bool(self._past) and self._past[-1].answers != self.answers.snapshot)

    def undo(self) -> FormPlace | None:
        """Restore the answers before the last step; return its place, or None if there is nothing to undo.

        A step is one change at one place: typed, chosen, drawn or removed.
        """
        now = _Step(self.game, self.at, self.answers.snapshot)
        if len(self._past) > 1 and self._past[-1][::2] == now[::2]:
            self._future.append(self._past.pop())
        elif self._past and self._past[-1][::2] != now[::2]:
            self._future = [now]
        else:
            return None
        return self._return_to(self._past[-1])

    def redo(self) -> FormPlace | None:
        """Take back the last `undo`; return the place that it leads to, or None if nothing was undone."""
        now = _Step(self.game, self.at, self.answers.snapshot)
        if not self._future or self._past[-1][::2] != now[::2]:
            return None
        self._past.append(self._future.pop())
        return self._return_to(self._past[-1])

    def _return_to(self, step: _Step) -> FormPlace:
        if step.game != self.game:
            self.take(step.game)
        self.answers.restore(step.answers)
        return step.at

    # Movement from the current place

    def step(self, by: int) -> FormPlace:
        """Return the place `by` places further; -1 is the previous one."""
        places = self.places()
        return places[max(0, min(places.index(self.at) + by, len(places) - 1))]

    def section(self, by: int) -> FormPlace:
        """Return the first place of the next question, or of the previous one if `by` is negative."""
        places = self.places()
        begins = [at for at, place in enumerate(places) if at == 0 or places[at - 1].field != place.field]
        here = places.index(self.at)
        further = [at for at in begins if at > here] if by > 0 else [at for at in begins[::-1] if at < here]
        return places[further[0] if further else here]

    def onward(self) -> FormPlace:
        """Return the next place that is not an answered part; from an empty repeated answer, the next question."""
        if self.begins_another and not self.text:
            return self.section(1)
        places = self.places()
        further = places[places.index(self.at) + 1 :]
        return next(place for place in further if not (place.part and self.answers.get(place)))

    # Chance

    def draw(self, rng: Random, *, everywhere: bool = False) -> bool:
        """Draw the answer at the current place, or all empty places if it cannot be drawn or `everywhere` is set.

        Returns True if anything was drawn. Raises RuleError.
        """
        places = [place for place in self.places() if place not in (GAME, WHOLE)]
        places = [place for place in places if self.answers.field(place).is_drawn]
        is_here = self.at in places and not everywhere
        wanted = [self.at] if is_here else [place for place in places if self._needs_draw(place)]
        for place in wanted:
            self.answers.put(place, self.form.draw_answer(self.answers.values(), place, rng))
        return bool(wanted)

    def _needs_draw(self, place: FormPlace) -> bool:
        """Return True if a place is empty although its answer has begun."""
        begun = place.entry is None or place.entry < self.answers.count(self._field(place))
        return begun and not self.answers.get(place)

    # Findings

    def due_findings(self) -> tuple[Finding, ...]:
        """Return the findings at places that the user has passed, or all once they have tried to finish."""
        places = self.places()
        return tuple(
            each
            for each in self.seen.filled.findings
            if self.is_tried or each.place == self._refused or _last_place_of(each.place, places) < self._furthest
        )

    def refuse(self) -> Finding | None:
        """Return the finding on the current answer, which is shown from now on; None if the answer is acceptable."""
        if not self.is_question or not self.text.strip():
            return None
        is_list = self.answers.field(self.at).kind == "list"
        mine = (
            each for each in self.wrong() if each.place == self.at or (is_list and each.place.field == self.at.field)
        )
        finding = next(mine, None)
        self._refused = finding.place if finding else None
        return finding

    def wrong(self) -> list[Finding]:
        """Return the findings that prevent storing the form, in the order of the form."""
        return [finding for finding in self.seen.filled.findings if not finding.warning]

    def first_wrong(self) -> FormPlace:
        """Return the first place with an error; the end if an error belongs to no place."""
        places = self.places()
        return min(map(self.place_of, self.wrong()), key=places.index)

    def place_of(self, finding: Finding) -> FormPlace:
        """Return the first place that a finding belongs to; the end if it belongs to none."""
        return next((at for at in self.places() if _belongs(at, finding.place)), WHOLE)


def _without_empty_end(cells: Sequence[str]) -> Sequence[str]:
    return cells[: max((number for number, cell in enumerate(cells, 1) if cell.strip()), default=0)]


def _last_place_of(place: FormPlace, places: Sequence[FormPlace]) -> int:
    """Return the index of the last place in a finding's row or field; the finding is shown once it is passed."""
    if place == WHOLE:
        return len(places)
    return max((number for number, at in enumerate(places) if _belongs(at, place)), default=-1)


def _belongs(at: FormPlace, place: FormPlace) -> bool:
    """Return True if `at` is the place that a finding names, or a part of it."""
    same = place.entry in (None, at.entry) or at.entry is None
    return at.field == place.field and same and place.part in ("", at.part)
