"""The form that opens a table: seats with decks, house rules, and the questions that the game asks before it begins.

The answers become set-up lines, which are tried on a hidden table: a refusal is shown at the answer that caused it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from random import Random
from typing import Any, Final, NamedTuple

import msgspec

from companion.archive import Archive, ArchiveError, DeckRow, deck_id, deck_records
from companion.archive.people import people
from companion.games import registry
from companion.session.core import archive_journal
from companion.session.core.session import Session
from companion.session.core.shelf import UnclearPerson
from companion.session.reading import options
from companion.session.table import form_filling
from companion.session.table.form_filling import FormResult, FormState
from companion.tabletop.action import NEW_PERSON, DeckId, NotationError, RuleError
from companion.tabletop.decks.form import YES, Field, Filled, Finding, FormPlace, Values
from companion.tabletop.game import Game
from companion.tabletop.notation.arguments import RESERVED
from companion.tabletop.notation.line_texts import VerbTitle
from companion.tabletop.notation.notation import write
from companion.tabletop.table.choices import NONE, Candidates, Choice, Open
from companion.tabletop.table.common_actions import Begin, Rule, Seat
from companion.tabletop.table.house_rules import PROGRAM, HouseRule, title_of_value
from companion.tabletop.table.table import Draft, Prompt
from templates.languages.messages import Message, Text, joined, phrase

_SEAT: Final = Field(
    "seat",
    "Seats",
    "Everybody who plays, clockwise, with the deck that they hold, another one, or a loose one.",
    many=True,
    parts=(
        Field("name", "Name", "Who sits here."),
        Field("deck", "Deck", "Their own or a loose one; otherwise a deck's name or its scanned box.", kind="deck"),
        Field("person", "Which of them", "Several people have this name: which one is it?", kind="name"),
    ),
)
_WITHOUT_DECK: Final = tuple(part for part in _SEAT.parts if part.name != "deck")
_NO_DECKS: Final = "Everybody who plays, clockwise."
_RULES: Final = Field(
    "rule",
    "House rules",
    "What you agree on instead of the rulebook; leave it empty to play by the book.",
    many=True,
    parts=(Field("key", "Rule", kind="name"), Field("value", "Value", kind="name")),
)


_DRAWS: Final = f"{Rule.verb()} draws"


class _Tried(NamedTuple):
    """A table made from the answers, with the findings of failed answers and the notes beside others.

    `questions` are those that the table asked during set-up, by the lines that answer them. `implied` are the decks of
    players for whom none was chosen, by their seats.
    """

    session: Session
    questions: dict[str, Field]
    findings: list[Finding]
    beside: dict[FormPlace, Text]
    several: dict[int, UnclearPerson]
    implied: dict[FormPlace, str]


class _FormShelf(archive_journal.ArchiveShelf):
    """An archive's decks for a form, with a cache of other tables, because the form is evaluated with each letter."""

    def __init__(self, archive: Archive) -> None:
        super().__init__(archive)
        self._tables: dict[DeckId, tuple[Text, ...]] = {}

    def other_tables(self, deck: DeckId, session: str) -> tuple[Text, ...]:
        """Return the other tables at which a deck sits. Raises ArchiveError."""
        if deck not in self._tables:
            self._tables[deck] = super().other_tables(deck, session)
        return self._tables[deck]


class TableForm:
    """The form that opens a table of a game; see `companion.session.table.form_filling.Fillable`."""

    done = phrase("Open the table")

    def __init__(self, archive: Archive, game: Game, draws: str = PROGRAM) -> None:
        """Make the form of a game; `draws` is the default answer to who draws the cards."""
        self.title = phrase("New table · {game}", game=game.title)
        self._archive = archive
        self._game = game
        self._draws = draws
        self._shelf = _FormShelf(archive)

    def initial_values(self) -> Values:
        """Return the initial values: no seats, and the default for who draws."""
        return {_DRAWS: self._draws} if self._game.house.asks_who_draws() and self._draws != PROGRAM else {}

    def build_state(self, values: Values) -> FormState:
        """Return the form: the seats, then the game's own questions, then its house rules."""
        tried = self._try_answers(values)
        rules = (_RULES,) if self._game.house.all() else ()
        # A game without a text on loose decks has none.
        seats_asked = self._seat_field()
        if values.get("seat") and not _asks_who_sits(tried.session):
            seats_asked = msgspec.structs.replace(seats_asked, most=len(values["seat"]))
        fields = (*self._table_fields(), seats_asked, *self._rule_fields(), *tried.questions.values(), *rules)
        seats = (*values.get("seat", ()), {})
        clear = (n for n, answer in enumerate(seats) if n not in tried.several and "person" not in answer)
        idle = {FormPlace("seat", number, "person") for number in clear}
        filled = Filled(findings=tuple(tried.findings), beside=tried.beside)
        return FormState(fields, filled, frozenset(idle), tried.implied)

    def _seat_field(self) -> Field:
        """Return the question for the seats; a game without a text on loose decks has none."""
        if not self._game.loose:
            return msgspec.structs.replace(_SEAT, help=_NO_DECKS, parts=_WITHOUT_DECK)
        titles = ((NONE, self._game.loose),)
        parts = (msgspec.structs.replace(part, titles=titles if part.name == "deck" else ()) for part in _SEAT.parts)
        return msgspec.structs.replace(_SEAT, parts=tuple(parts))

    def _table_fields(self) -> Iterator[Field]:
        """Yield the field for the record that the whole table brings, if the game has such records."""
        if seat := self._game.decks.table_seat:
            yield Field(
                seat,
                "Campaign",
                "The record that this table continues, if any: its name or its scanned box.",
                kind="deck",
            )

    def _rule_fields(self) -> Iterator[Field]:
        """Yield the house rules that have a question in plain words, as fields by the lines that set them."""
        for rule in self._game.house.all():
            if rule.question:
                titles = tuple((value, title_of_value(value)) for value in rule.question.answers)
                title, text = str(rule.question.title), str(rule.question.text)
                yield Field(_rule_line(rule), title, text, "name", default=rule.book, titles=titles)

    def candidates(self, values: Values, place: FormPlace, typed: str) -> Candidates:
        """Return known people and decks, house rules with their effects, or what the game proposes."""
        answer = _entry(values, place)
        match place:
            case FormPlace(field) if field and field == self._game.decks.table_seat:
                alone = Choice("", phrase("No campaign"), phrase("a single game"))
                return (*form_filling.decks(self._records_of_table(typed)), alone)
            case FormPlace("seat", _, "deck"):
                return tuple(self._decks(values, place, "" if typed == NONE else typed))
            case FormPlace("seat", _, "name"):
                return Open(phrase("a name"), "Ana", fitting=tuple(self._people(values)))
            case FormPlace("seat", int(number), "person"):
                several = self._try_answers(values).several.get(number)
                return form_filling.which(several.people) if several else ()
            case FormPlace("rule", _, part):
                given = {"key": answer["key"]} if part == "value" and "key" in answer else {}
                return self._game.candidates(self._game.new(), Draft(Rule, given), part)
        for rule in self._game.house.all():
            if rule.question and place.field == _rule_line(rule):
                return tuple(Choice(value, text) for value, text in rule.question.answers.items())
        session = self._try_answers({name: value for name, value in values.items() if name != place.field}).session
        return Open(phrase("a word"), "", fitting=tuple(_following(session, place.field, typed)))

    def _decks(self, values: Values, place: FormPlace, typed: str) -> Iterator[Choice]:
        """Yield the decks for a seat: its player's own, a loose one, then those of others.

        Typed letters search the stored decks. If a box was scanned in place of the name, the deck is known already.
        """
        name = _entry(values, place).get("name", "")
        if _is_code(name):
            return
        left = self._free_decks(values, place, typed)
        own = [row for row in left if name and row.holder.lower() == name.lower()]
        yield from form_filling.decks(own)
        if not typed:
            # An empty answer is the deck that the player holds, if any.
            is_named = bool(own) or _entry(values, place).get("deck") == NONE
            yield Choice(NONE if is_named else "", self._game.loose, self._game.loose_about)
        yield from form_filling.decks([row for row in left if row not in own])

    def _free_decks(self, values: Values, place: FormPlace, typed: str) -> list[DeckRow]:
        """Return the decks that no other seat has, including the player's own, which may be on no first page."""
        others = (answer for number, answer in enumerate(values.get("seat", ())) if number != place.entry)
        brought = {answer.get("deck", "").strip().lower() for answer in others}
        held = () if typed else people.decks_of_holder(self._archive, _entry(values, place).get("name", ""))
        theirs = (row for row in held if not row.retired and registry.is_of(self._game, row.game, row.page))
        stored = self._archive.page_of_decks(
            typed, count=form_filling.MAX_DECKS_OFFERED, game=self._game.name, page=self._game.page
        ).rows
        rows = (row for row in dict.fromkeys((*theirs, *stored)) if not self._game.decks.is_of_table(row.figures))
        return [row for row in rows if brought.isdisjoint((row.name.lower(), row.deck.lower()))]

    def _held_decks(self, values: Values, number: int) -> list[DeckRow]:
        """Return the decks that the player of a seat holds, and that no other seat has."""
        answer = values["seat"][number]
        name, person = answer.get("name", ""), answer.get("person", "")
        if not self._game.loose or not name or _is_code(name):
            return []
        held = people.decks_of_holder(self._archive, name)
        free = set(self._free_decks(values, FormPlace("seat", number, "deck"), "")) if held else ()
        if person.lower() == NEW_PERSON:
            return []
        alike = ("", deck_id.read_symbols(person)[0])
        return [row for row in held if row in free and (not person or row.person in alike)]

    def _records_of_table(self, typed: str = "") -> list[DeckRow]:
        """Return the records that a whole table can bring."""
        page = self._archive.page_of_decks(
            typed, count=form_filling.MAX_DECKS_OFFERED, game=self._game.name, page=self._game.page
        )
        return [row for row in page.rows if self._game.decks.is_of_table(row.figures)]

    def _people(self, values: Values) -> Iterator[Choice]:
        """Return the known people who do not sit there yet, and the holders of the first decks."""
        seated = {answer.get("name", "") for answer in values.get("seat", ())}
        holders = (row.holder for row in self._archive.page_of_decks(game=self._game.name, page=self._game.page).rows)
        names = (*(person.name for person in people.with_ids(self._archive)), *holders)
        return (Choice(name) for name in dict.fromkeys(names) if name and name not in seated)

    def draw_answer(self, values: Values, place: FormPlace, rng: Random) -> str:  # noqa: ARG002 – the signature of Fillable
        """Raise RuleError: nothing is drawn in this form. The game draws what is left open when it begins."""
        raise RuleError(phrase("Leave it empty, and the game draws it when it begins."))

    def keep(self, values: Values) -> FormResult:
        """Store the table. If an answer is wrong, nothing is stored."""
        tried = self._try_answers(values)
        if tried.findings:
            raise RuleError(joined(" ", (finding.text for finding in tried.findings)))
        return FormResult(archive_journal.keep(self._archive, tried.session), "")

    def _try_answers(self, values: Values) -> _Tried:
        """Play the set-up lines of the answers on a table of their own."""
        tried = _Tried(Session.new(self._game, None, self._shelf), {}, [], {}, {}, {})
        for number, answer in enumerate(values.get("rule", ())):
            self._agree(tried, number, answer)
        plain = [field.name for field in self._rule_fields()]
        for line in plain:
            if value := values.get(line):
                _try(tried, tried.session.notation.parse, f"{line} {value}", FormPlace(line))
        of_table = self._game.decks.table_seat
        taken = {of_table} if of_table else set[str]()
        if record := values.get(of_table, "") if of_table else "":
            self._bring_record(tried, of_table, record)
        for number, answer in enumerate(values.get("seat", ())):
            deck = self._choose_deck(tried, values, number)
            self._seat(tried, number, {**answer, "deck": deck}, taken)
        if not values.get("seat"):
            tried.findings.append(Finding(phrase("A seat needs a player: type a name."), place=FormPlace("seat")))
        _ask(tried)
        for name, value in values.items():
            if name not in ("seat", "rule", of_table, *plain):
                # The question may be gone; its answer is still in the form, and is refused.
                tried.questions.setdefault(name, Field(name, _line_title(name)))
                line = name if value.lower() in YES else f"{name} {value}"
                _try(tried, tried.session.notation.parse, line, FormPlace(name))
                _ask(tried)
        return tried

    def _agree(self, tried: _Tried, number: int, answer: Mapping[str, str]) -> None:
        key, value = answer.get("key", ""), answer.get("value", "")
        rule = next((rule for rule in self._game.house.all() if rule.key == key.lower()), None)
        if rule is None:
            text = phrase("There is no house rule “{key}”; choose one from the list.", key=key)
            tried.findings.append(Finding(text, place=FormPlace("rule", number, "key")))
            return
        # Translators: {book} is the value of a house rule that the rulebook has.
        book = phrase("The book: {book}.", book=rule.book)
        tried.beside[FormPlace("rule", number)] = joined(" ", (rule.shown_text, book))
        place = FormPlace("rule", number, "value")
        if value:
            _try(tried, lambda _: Rule(rule.key, value), "", place)
        else:
            # Translators: {key} is a house rule, which has no value yet.
            tried.findings.append(Finding(phrase("{key}: choose its value.", key=key), place=place))

    def _choose_deck(self, tried: _Tried, values: Values, number: int) -> str:
        """Return the deck of a seat, "" for a loose one; if none was chosen, it is the only one that the player holds.

        If there are several, or several people of the name, the choice is left to the user by a finding.
        """
        answer, place = values["seat"][number], FormPlace("seat", number, "deck")
        if deck := answer.get("deck", ""):
            return "" if deck == NONE else str(deck)
        held = [row for row in self._held_decks(values, number) if row.name not in tried.implied.values()]
        if not held:
            return ""
        name = answer["name"]
        is_clear = bool(answer.get("person") and held[0].person) or len(people.find_people(self._archive, name)) <= 1
        if len(held) == 1 and is_clear:
            tried.implied[place] = held[0].name
            return held[0].name
        text = phrase("Choose the deck of {name}, or {loose}.", name=name, loose=self._game.loose)
        tried.findings.append(Finding(text, place=place))
        return ""

    def _seat(self, tried: _Tried, number: int, answer: Mapping[str, str], taken: set[str]) -> None:
        name, deck = answer.get("name", ""), answer.get("deck", "")
        if not deck and _is_code(name):
            name, deck = "", name
        place = FormPlace("seat", number, "deck" if deck else "name")
        row = self._row(tried, deck, place) if deck else None
        seat = seat_word(name or (row.holder if row else "") or f"seat{number + 1}", taken)
        taken.add(seat)
        if deck and row is None:
            return
        # A game may add arguments to a seat, so its own notation parses the line.
        line = write(Seat(seat, name, row.deck if row else "", answer.get("person", "")))
        try:
            tried.session.do(tried.session.notation.parse(line))
        except UnclearPerson as error:
            tried.several[number] = error
            tried.findings.append(Finding(error.message, place=FormPlace("seat", number, "person")))
        except (RuleError, NotationError) as error:
            tried.findings.append(Finding(error.message, place=place))
        else:
            is_typed = FormPlace("seat", number, "deck") not in tried.implied
            about: Text = _about(row, deck if is_typed else "") if row else _loose(self._game)
            remarks = joined(" · ", filter(None, (about, *tried.session.remarks)))
            tried.beside[FormPlace("seat", number)] = remarks

    def _bring_record(self, tried: _Tried, seat: str, deck: str) -> None:
        """Bring the record that the whole table continues; what is wrong with it becomes a finding."""
        place = FormPlace(seat)
        if row := self._row(tried, deck, place):
            _try(tried, tried.session.notation.parse, write(Seat(seat, "", row.deck)), place)
            tried.beside[place] = _about(row, deck)

    def _row(self, tried: _Tried, deck: str, place: FormPlace) -> DeckRow | None:
        try:
            return deck_records.find_deck_of_game(self._archive, self._game.name, deck)
        except (ArchiveError, deck_id.DeckIdError) as error:
            tried.findings.append(Finding(error.message, place=place))
            return None


def _asks_who_sits(session: Session) -> bool:
    """Return True if a seat is free for somebody else."""
    return any(issubclass(draft.action, Seat) for prompt in session.view().prompts for draft in prompt.answers)


def _try(tried: _Tried, read: Any, line: str, place: FormPlace) -> None:
    """Do the line of an answer; an error becomes a finding at its place."""
    try:
        tried.session.do(read(line))
    except (RuleError, NotationError) as error:
        tried.findings.append(Finding(error.message, place=place))


def _ask(tried: _Tried) -> None:
    """Record the questions that the table asks now, except those that the form already has."""
    for prompt in tried.session.view().prompts:
        for draft in prompt.answers:
            # The form writes those lines itself, and the table opens before the game begins.
            if not issubclass(draft.action, Seat | Begin | Rule):
                field = _field_of(draft, prompt)
                tried.questions.setdefault(field.name, field)


def _field_of(draft: Draft, prompt: Prompt) -> Field:
    """Return the field for an answer to a question; answers that differ only in their values have one together."""
    alike = sum(each.action is draft.action for each in prompt.answers)
    if alike > 1:
        verb = draft.action.verb()
        return Field(verb, _line_title(verb), str(prompt.text), "text")
    says_more = draft.missing or (not draft.given and any(not argument.flag for argument in draft.optional))
    return Field(draft.line, _line_title(draft.line), str(prompt.text), "text" if says_more else "flag")


def _rule_line(rule: HouseRule) -> str:
    return f"{Rule.verb()} {rule.key}"


def _line_title(line: str) -> Text:
    """Return a line as the title of its question: `deck-size` is `Deck size`."""
    verb, *words = line.split()
    return joined(" ", (VerbTitle(verb), *words))


def _following(session: Session, line: str, typed: str) -> Iterator[Choice]:
    """Yield the completions of a partly typed line, each after the text typed before it."""
    before = typed[: len(typed) - len(re.split(r"\s", typed)[-1])]
    for way in options.complete(f"{line} {typed}", session):
        yield Choice(f"{before}{way.word}", way.title, way.detail)


def _about(row: DeckRow, typed: str) -> Message:
    """Return a deck as a row, with its name if only a code or an abbreviation was typed."""
    (choice,) = form_filling.decks([row])
    return joined(" · ", filter(None, (row.name if typed.strip() != row.name else "", choice.detail)))


def _loose(game: Game) -> Text:
    """Return the assumption about a deck that is not stored."""
    # Translators: {deck} is “a loose deck”, {about} what that means.
    return phrase("{deck}: {about}", deck=game.loose, about=game.loose_about) if game.loose else ""


def _is_code(text: str) -> bool:
    """Return True if a text is the code of a box."""
    try:
        deck_id.parse(text)
    except deck_id.DeckIdError:
        return False
    return True


def _entry(values: Values, place: FormPlace) -> Mapping[str, str]:
    """Return the answer so far that a place belongs to."""
    given = values.get(place.field, ())
    return given[place.entry] if place.entry is not None and place.entry < len(given) else {}


def seat_word(name: str, taken: set[str]) -> str:
    """Return the word for a seat in notation: the first word of the name, made unique among those taken."""
    first = re.sub(r"[^\w-]", "", name.split()[0] if name.split() else "").lower()
    if not first or first.isdecimal() or first in RESERVED:
        first = f"p{first}"
    word, number = first, 2
    while word in taken:
        word, number = f"{first}{number}", number + 1
    return word
