"""Forms being filled in beside an archive: the answers so far, where people are in the form, what it comes to."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from random import Random
from typing import Any, Literal, NamedTuple, Protocol

import msgspec

from companion.archive import Archive, ArchiveError, DeckRow, deck_id, deck_records, people
from companion.session.names import suggest_name
from companion.tabletop.action import NEW_PERSON, RuleError
from companion.tabletop.choices import Candidates, Choice
from companion.tabletop.form import Field, Filled, Finding, Form, FormContext, Place, StoredDeck, Values
from companion.tabletop.game import Game

_BRIEF = 4
"""How many answers are enough to know by what a form is filled in."""

_MAX_PASTED_ROWS = 300

_PLAIN = ""
"""The one part of an answer that has no parts."""


Snapshot = tuple[tuple[str, tuple[tuple[tuple[str, str], ...], ...]], ...]
"""The answers to a form's fields at one time."""


class Answers:
    """The answers to a form's fields; behind the last answer to a field that is repeated there is room for one more."""

    def __init__(self, fields: Sequence[Field], begun: Values) -> None:
        self.fields = tuple(fields)
        self._entries = {name: _entries(value) for name, value in begun.items()}
        self.left_at: Place | None = None
        """Where people were last in the form."""

    def places(self) -> tuple[Place, ...]:
        """Everywhere that something can be answered, in order."""
        return tuple(place for field in self.fields for place in self._places(field))

    def _places(self, field: Field) -> Iterator[Place]:
        if not field.many and not field.parts:
            yield Place(field.name)
            return
        for number in range(self.room(field)):
            for part in field.parts or (None,):
                yield Place(field.name, number, part.name if part else _PLAIN)

    def count(self, field: Field) -> int:
        """How many answers to a repeated field there are."""
        return len(self._entries.get(field.name, ()))

    def room(self, field: Field) -> int:
        """How many answers there is room for now: one more than there are, up to the most that there can be."""
        if not field.many:
            return 1
        count = self.count(field)
        return count if field.most is not None and count >= field.most else count + 1

    def field(self, place: Place) -> Field:
        """What is asked at a place."""
        field = next(field for field in self.fields if field.name == place.field)
        return field.part(place.part) if place.part else field

    def get(self, place: Place) -> str:
        """What is answered at a place; "" where nothing is yet."""
        entries = self._entries.get(place.field, [])
        number = place.entry or 0
        return entries[number].get(place.part, "") if number < len(entries) else ""

    def put(self, place: Place, text: str) -> None:
        """Answer at a place."""
        if text == self.get(place):
            return
        entries = self._entries.setdefault(place.field, [])
        number = place.entry or 0
        while len(entries) <= number:
            entries.append({})
        entries[number][place.part] = text

    def remove(self, place: Place) -> None:
        """Take back the whole answer that a place belongs to; those that follow move up."""
        entries = self._entries.get(place.field, [])
        number = place.entry or 0
        if number < len(entries):
            del entries[number]

    @property
    def snapshot(self) -> Snapshot:
        """All that is answered, to come back to."""
        return tuple(
            (name, tuple(tuple((part, text) for part, text in answer.items() if text) for answer in entries))
            for name, entries in sorted(self._entries.items())
            if any(map(_says_something, entries))
        )

    def restore(self, snapshot: Snapshot) -> None:
        """Answer as at that time again."""
        self._entries = {name: [dict(answer) for answer in entries] for name, entries in snapshot}

    def tidied(self, place: Place) -> Place:
        """Drop repeated answers that say nothing any more; gives where a place is now."""
        for field in self.fields:
            entries = self._entries.get(field.name, [])
            if not field.many or all(map(_says_something, entries)):
                continue
            if field.name == place.field and place.entry is not None:
                gone = sum(not _says_something(answer) for answer in entries[: place.entry])
                place = msgspec.structs.replace(place, entry=place.entry - gone)
            self._entries[field.name] = [answer for answer in entries if _says_something(answer)]
        return place

    def in_brief(self) -> str:
        """The first words of what is answered, for somebody who is to know it again."""
        all_entries = (entry for entries in self._entries.values() for entry in entries)
        first_parts = (next((text for text in entry.values() if text.strip()), "") for entry in all_entries)
        texts = [text.strip().splitlines()[0] for text in first_parts if text]
        return ", ".join(texts[:_BRIEF]) + (" …" if len(texts) > _BRIEF else "")

    def values(self) -> dict[str, Any]:
        """All that is answered, as a form takes it."""
        answers = ((field.name, self._value(field)) for field in self.fields)
        return {name: value for name, value in answers if value}

    def _value(self, field: Field) -> Any:
        entries = self._entries.get(field.name, [])
        answers = [{part: text.strip() for part, text in entry.items() if text.strip()} for entry in entries]
        if not field.parts:
            texts = [answer.get(_PLAIN, "") for answer in answers]
            return texts if field.many else next(iter(texts), "")
        return answers if field.many else next(iter(answers), None)


def _entries(value: Any) -> list[dict[str, str]]:
    """A field's value, of whatever shape, as answers by their parts."""
    if isinstance(value, str):
        return [{_PLAIN: value}]
    if isinstance(value, Mapping):
        return [dict(value)]
    return [dict(answer) if isinstance(answer, Mapping) else {_PLAIN: str(answer)} for answer in value]


def _without_empty_end(cells: Sequence[str]) -> Sequence[str]:
    return cells[: max((number for number, cell in enumerate(cells, 1) if cell.strip()), default=0)]


def _says_something(answer: Mapping[str, str]) -> bool:
    return any(text.strip() for text in answer.values())


_SEVERAL = 2
MAX_DECKS_OFFERED = 50
"""How many decks are offered at once; more letters find the others."""

_LOOKED_AT = 1000
"""Among how many decks retired ones are looked for; a name finds the others."""


class FormState(NamedTuple):
    """A form as its answers make it: what it asks now, what they come to, and the places that need no answer."""

    fields: Sequence[Field]
    filled: Filled
    idle: frozenset[Place] = frozenset()


class FormResult(NamedTuple):
    """What keeping led to: the id of the new deck or session, and what is to be told of it."""

    id: str
    message: str


class Fillable(Protocol):
    """A form that a screen can show. What looks into the archive may take a moment, and is called beside the screen."""

    title: str
    """What filling it in does."""
    done: str
    """What the last step is called."""

    def begun(self) -> Values:
        """What stands in it at first."""
        ...

    def seen(self, values: Values) -> FormState:
        """The form with these answers."""
        ...

    def candidates(self, values: Values, place: Place, typed: str) -> Candidates:
        """What may be answered at a place where so much has been typed. Raises NotationError, ArchiveError."""
        ...

    def draw_answer(self, values: Values, place: Place, rng: Random) -> str:
        """An answer by chance. Raises RuleError where that place is not left to chance."""
        ...

    def keep(self, values: Values) -> FormResult:
        """Keep what the answers come to. Raises RuleError, NotationError or ArchiveError."""
        ...


class DeckForm:
    """The form by which a game's decks are founded or adopted, beside the archive that will keep the new deck."""

    def __init__(
        self,
        archive: Archive,
        game: Game,
        form: Form,
        how: Literal["Build", "Adopt"],
        session: str = "",
    ) -> None:
        self.title = f"{how} a deck"
        self.done = f"{how} it"
        self._session = session
        """The sitting at which the deck is adopted; "" for none."""
        self._archive = archive
        self._game = game
        self._form = form
        self._deck = ""
        """The new deck's id, drawn once it is first to be kept."""

    def begun(self) -> Values:
        """Return what the game says stands in it at first."""
        return self._form.begun()

    def seen(self, values: Values) -> FormState:
        """What the answers come to, decks that cannot be found included."""
        context, unknown = self._archive_context(values)
        filled = self._form.filled(self._answers_asked_for(values), context)
        idle = frozenset(self._unasked(values))
        for field in self._form.fields:
            if field.kind == "person" and Place(field.name) not in idle and not values.get(field.name):
                text = f"Several people are called {values[field.whose]}: say which of them."
                unknown.append(Finding(text, place=Place(field.name)))
        if unknown:
            filled = msgspec.structs.replace(filled, findings=(*unknown, *filled.findings))
        return FormState(self._form.fields, filled, idle)

    def _unasked(self, values: Values) -> Iterator[Place]:
        """Who is meant is asked only where a name is not enough, and a deck where there is one."""
        yield from self._form.unasked(values)
        has_decks = any(field.kind == "deck" for field in self._form.fields) and bool(self._retired_decks(""))
        for field in self._form.fields:
            if field.kind == "deck" and not has_decks and not values.get(field.name):
                yield Place(field.name)
            if field.kind == "person":
                named = people.find_people(self._archive, str(values.get(field.whose, "")))
                if len(named) < _SEVERAL:
                    yield Place(field.name)

    def candidates(self, values: Values, place: Place, typed: str) -> Candidates:
        """What the form proposes; decks by any part of their name."""
        if self._form.at(place).kind == "deck":
            return decks(self._retired_decks(typed))
        if self._form.at(place).kind == "person":
            name = str(values.get(self._form.at(place).whose, ""))
            return which(people.describe_namesakes(self._archive, people.find_people(self._archive, name)))
        return self._form.candidates(values, place, self._archive_context(values)[0])

    def _retired_decks(self, typed: str) -> Sequence[DeckRow]:
        """Decks of this game that others can be made of: those that have retired, by any part of their name."""
        rows = self._archive.page_of_decks(typed, count=_LOOKED_AT).rows
        return [row for row in rows if row.retired and row.game == self._game.name][:MAX_DECKS_OFFERED]

    def draw_answer(self, values: Values, place: Place, rng: Random) -> str:
        """What the form draws; a name follows from what is answered beside it, and is none that is given already."""
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
        """The new deck, with what came into a purse and what else is to be minded."""
        self._deck = self._deck or self._archive.new_deck_id()
        context, unknown = self._archive_context(values)
        if unknown:
            raise ArchiveError(unknown[0].text)
        filled = self._form.filled(self._with_person_ids(values), context)
        _, warnings = deck_records.new_deck(self._archive, self._game, filled, self._deck, self._session)
        sentences = [
            f"{filled.name} is here: {deck_id.show(self._deck)}.",
            *([f"{filled.change}."] if filled.change else []),
        ]
        return FormResult(self._deck, "\n".join((*sentences, *(f"Mind: {warning}" for warning in warnings))))

    def _answers_asked_for(self, values: Values) -> Values:
        """The answers to what is asked; those to fields that no longer are count for nothing, shown or kept."""
        unasked = {place.field for place in self._unasked(values) if place.entry is None}
        return {name: value for name, value in values.items() if name not in unasked}

    def _with_person_ids(self, values: Values) -> Values:
        """The answers with the ids of people as they are known here, where they are asked. Raises Unknown."""
        answers = self._answers_asked_for(values)
        person_fields = [
            field.name for field in self._form.fields if field.kind == "person" and answers.get(field.name)
        ]
        return {**answers, **{name: people.resolve_person(self._archive, str(answers[name])) for name in person_fields}}

    def _archive_context(self, values: Values) -> tuple[FormContext, list[Finding]]:
        """What the form is told of the archive, and which of the decks that it names are not in it."""
        name = str(values.get(self._form.fields[0].name, ""))
        stored, unknown = {}, []
        for field in self._form.fields:
            if field.kind == "deck" and values.get(field.name):
                try:
                    row = deck_records.find_deck_of_game(self._archive, self._game.name, str(values[field.name]))
                    stored[field.name] = StoredDeck(row.deck, self._archive.record(row.deck))
                except (ArchiveError, deck_id.DeckIdError) as error:
                    unknown.append(Finding(str(error), place=Place(field.name), unreadable=True))
        taken = deck_records.names_taken(self._archive, self._game.name, name)
        return FormContext(self._deck, "", taken, stored), unknown


def which(some: Sequence[tuple[str, str]]) -> tuple[Choice, ...]:
    """People of one name, by their ids with what tells them apart, and somebody else of that name."""
    return (*(Choice(person, detail=marks) for person, marks in some), Choice(NEW_PERSON, detail="somebody else"))


def decks(rows: Sequence[DeckRow]) -> Iterator[Choice]:
    """Decks to choose from, each with its name, its id, who holds it and what it has been through."""
    for row in rows:
        figures = (f"{figure.title} {figure.value}" for figure in row.figures)
        held = [f"held by {row.holder}"] if row.holder else []
        retired = ["retired"] if row.retired else []
        yield Choice(row.name, f"{row.name} · {deck_id.show(row.deck)}", " · ".join((*retired, *held, *figures)))


WHOLE = Place()
"""The form as a whole: where it is looked through once more, and kept."""
GAME = Place("game")
"""Which game's form it is."""


class _Step(NamedTuple):
    """The answers in one game's form, and where people were when they went on from there."""

    game: str
    at: Place
    answers: Snapshot


class FormCursor:
    """A place in the form of one of some games, the first of them where none is named. `opened` makes a game's form."""

    def __init__(self, games: Sequence[str], opened: Callable[[str], Fillable], game: str = "") -> None:
        self.games = tuple(games)
        self._opened = opened
        self._kept: dict[str, Answers] = {}
        self._past: list[_Step] = []
        self._future: list[_Step] = []
        self.take(game or self.games[0])

    def take(self, game: str, answers: Answers | None = None) -> None:
        """Go on with the form of this game, with these answers; without any, as it was left."""
        if answers is not None:
            self._kept[game] = answers
        self.game = game
        self.form = self._opened(game)
        self.seen = self.form.seen({})
        self.answers = self._kept.setdefault(game, Answers(self.seen.fields, self.form.begun()))
        self.answers.fields = self.answers.fields or tuple(self.seen.fields)
        self.at = WHOLE
        self.is_tried = False
        """Whether people have tried to be done."""
        self._furthest = 0
        self._refused: Place | None = None

    @property
    def is_begun(self) -> bool:
        """Whether anything is answered that did not stand there at first."""
        return self.answers.values() != self.form.begun()

    @property
    def is_changed(self) -> bool:
        """Return True while anything is answered otherwise than when the form was opened."""
        return any(step.game == self.game for step in self._past) and self._first_step.answers != self.answers.snapshot

    @property
    def _first_step(self) -> _Step:
        return next(step for step in self._past if step.game == self.game)

    def saw(self, seen: FormState) -> None:
        """The answers come to this, by now. Where the question here is asked no more, the next one is."""
        before = self.places()
        self.seen = seen
        self.answers.fields = tuple(seen.fields)
        if self.is_question and self.at.field not in {field.name for field in seen.fields}:
            places = self.places()
            self.at = next(place for place in before[before.index(self.at) :] if place in places)

    # What stands here

    @property
    def is_question(self) -> bool:
        """Whether something is answered here, and not the game chosen or the whole looked through."""
        return self.at not in (GAME, WHOLE)

    @property
    def text(self) -> str:
        """What is answered here; "" where nothing is yet."""
        return self.answers.get(self.at) if self.is_question else ""

    @property
    def current_field(self) -> Field | None:
        """The field that is asked here, or the part of it; None where there is no question."""
        return self.answers.field(self.at) if self.is_question else None

    @property
    def whole_field(self) -> Field:
        """The field that the question here belongs to. Raises LookupError where there is no question."""
        return self._field(self.at)

    @property
    def is_list(self) -> bool:
        """Whether one answer holds several words with commas between."""
        return self.current_field is not None and bool(self.at.part) and self.current_field.many

    @property
    def begins_another(self) -> bool:
        """Whether one of any number of answers to the same question begins here."""
        if not self.is_question:
            return False
        field = self.whole_field
        return field.many and (not field.parts or self.at.part == field.parts[0].name)

    @property
    def draws(self) -> bool:
        """Whether anything in the form can be drawn."""
        return any(field.is_drawn or any(part.is_drawn for part in field.parts) for field in self.answers.fields)

    def _field(self, place: Place) -> Field:
        return next(field for field in self.answers.fields if field.name == place.field)

    def put_cells(self, rows: Sequence[Sequence[str]]) -> Place | None:
        """Answer a repeated question by rows of cells, from the answer at which the form stands on.

        A first row with nothing but names of what is asked says which cells answer what; without one they begin at the
        place of the form. Returns where the next answer begins, None if no question here takes cells. Raises RuleError
        for more rows or cells than have room.
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
            raise RuleError(f"{len(rows)} rows are too many to be pasted; save them as a file.")
        widest = max((len(_without_empty_end(row)) for row in rows), default=0)
        if widest > len(columns):
            raise RuleError(f"A row has {widest} cells, but from here on only {', '.join(columns)} are asked.")
        for number, row in enumerate(rows, first):
            for name, text in zip(columns, row, strict=False):
                if name:
                    self.answers.put(Place(field.name, number, name), text)
        return Place(field.name, first + len(rows), names[0])

    # Where to go

    @property
    def begins_at(self) -> Place:
        """Where the form begins: where it was left, else at its first question."""
        return self.answers.left_at or self.places()[0]

    def places(self) -> list[Place]:
        """Everywhere to stop at, the end included."""
        game = [GAME] if len(self.games) > 1 else []
        return [*game, *(place for place in self.answers.places() if place not in self.seen.idle), WHOLE]

    def go(self, place: Place) -> None:
        """To a place, which may move up as answers that say nothing are dropped."""
        place = self.answers.tidied(place)
        places = self.places()
        self.at = self.answers.left_at = place if place in places else places[-1]
        self._refused = None
        self._furthest = max(self._furthest, places.index(self.at))
        self._note_step()

    # What can be undone

    def _note_step(self) -> None:
        """Note what is answered by now, where that is something else than before."""
        step = _Step(self.game, self.at, self.answers.snapshot)
        if self._past and self._past[-1][::2] == step[::2]:
            self._past[-1] = step
            return
        self._past.append(step)
        self._future.clear()

    @property
    def can_undo(self) -> bool:
        """Return True where there is a step to take back."""
        return len(self._past) > 1 or (bool(self._past) and self._past[-1].answers != self.answers.snapshot)

    def undo(self) -> Place | None:
        """Answer as before the last step; gives where that was, None where there is nothing to undo.

        A step is what is typed, chosen, drawn or removed at one place.
        """
        now = _Step(self.game, self.at, self.answers.snapshot)
        if len(self._past) > 1 and self._past[-1][::2] == now[::2]:
            self._future.append(self._past.pop())
        elif self._past and self._past[-1][::2] != now[::2]:
            self._future = [now]
        else:
            return None
        return self._return_to(self._past[-1])

    def redo(self) -> Place | None:
        """Take back the last `undo`; gives where that leads, None where nothing was undone."""
        now = _Step(self.game, self.at, self.answers.snapshot)
        if not self._future or self._past[-1][::2] != now[::2]:
            return None
        self._past.append(self._future.pop())
        return self._return_to(self._past[-1])

    def _return_to(self, step: _Step) -> Place:
        if step.game != self.game:
            self.take(step.game)
        self.answers.restore(step.answers)
        return step.at

    # Where to go from here

    def step(self, by: int) -> Place:
        """The next place, or the one before."""
        places = self.places()
        return places[max(0, min(places.index(self.at) + by, len(places) - 1))]

    def section(self, by: int) -> Place:
        """The first place of the next question, or of the one before."""
        places = self.places()
        begins = [at for at, place in enumerate(places) if at == 0 or places[at - 1].field != place.field]
        here = places.index(self.at)
        further = [at for at in begins if at > here] if by > 0 else [at for at in begins[::-1] if at < here]
        return places[further[0] if further else here]

    def onward(self) -> Place:
        """What comes after an answer: where one more could begin and does not, the next question."""
        if self.begins_another and not self.text:
            return self.section(1)
        places = self.places()
        further = places[places.index(self.at) + 1 :]
        return next(place for place in further if not (place.part and self.answers.get(place)))

    # What chance can answer

    def draw(self, rng: Random, *, everywhere: bool = False) -> bool:
        """Let chance answer here; where it is not left to chance, or `everywhere` is wanted, every empty place that is.
        Gives whether it did.

        Raises RuleError.
        """
        places = [place for place in self.places() if place not in (GAME, WHOLE)]
        places = [place for place in places if self.answers.field(place).is_drawn]
        is_here = self.at in places and not everywhere
        wanted = [self.at] if is_here else [place for place in places if self._needs_draw(place)]
        for place in wanted:
            self.answers.put(place, self.form.draw_answer(self.answers.values(), place, rng))
        return bool(wanted)

    def _needs_draw(self, place: Place) -> bool:
        """Whether nothing is answered yet at a place whose answer has begun."""
        begun = place.entry is None or place.entry < self.answers.count(self._field(place))
        return begun and not self.answers.get(place)

    # What is wrong

    def due_findings(self) -> tuple[Finding, ...]:
        """What is to be told by now: what people have gone past, or everything once they have tried to be done."""
        places = self.places()
        return tuple(
            each
            for each in self.seen.filled.findings
            if self.is_tried or each.place == self._refused or _reached(each.place, places) < self._furthest
        )

    def refuse(self) -> Finding | None:
        """What is wrong with the answer that was given here, which is told from now on; None where it will do."""
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
        """All for which the form cannot be kept, as the form names it."""
        return [finding for finding in self.seen.filled.findings if not finding.warning]

    def first_wrong(self) -> Place:
        """The first place to stop at where something is wrong, the end where that belongs to none."""
        places = self.places()
        return min(map(self.place_of, self.wrong()), key=places.index)

    def place_of(self, finding: Finding) -> Place:
        """The first place to stop at that a finding belongs to; the end where it belongs to none."""
        return next((at for at in self.places() if _belongs(at, finding.place)), WHOLE)


def _reached(place: Place, places: Sequence[Place]) -> int:
    """How far people must have come for a place to be behind them: to the end of its row, or of its whole field."""
    if place == WHOLE:
        return len(places)
    return max((number for number, at in enumerate(places) if _belongs(at, place)), default=-1)


def _belongs(at: Place, place: Place) -> bool:
    """Whether a place to stop at is the one that a finding names, or a part of it."""
    same = place.entry in (None, at.entry) or at.entry is None
    return at.field == place.field and same and place.part in ("", at.part)
