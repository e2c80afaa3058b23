"""The form that begins a league."""

from __future__ import annotations

from random import Random
from typing import Final, cast

from companion.archive import Archive
from companion.archive.people import people
from companion.archive.storage.entries import Form
from companion.league import season
from companion.league.display import FORMS
from companion.league.standings import ORDERS
from companion.session.table.form_filling import FormResult, FormState
from companion.tabletop.action import RuleError
from companion.tabletop.decks.form import Field, Filled, Finding, FormPlace, Values
from companion.tabletop.table.choices import Candidates, Choice, Open
from templates.languages.alphabets import alphabetical_key
from templates.languages.messages import listed, phrase, phrases

_MOST_OFFERED: Final = 50
_FIELDS: Final = (
    Field("name", "League", "What to call it.", required=True, example="Winter"),
    Field("people", "People", "Who plays; new people are added.", many=True, example="Ana"),
    Field("form", "Form", "Who plays whom.", kind="name", required=True, default="swiss").with_titles(
        Choice(name, title) for name, title in FORMS.items()
    ),
    Field("seats", "At a table", "The number of people at each table.", kind="number", default="2", least=2, most=12),
    Field("rounds", "Rounds", "The number of rounds; empty if it is open.", kind="number", least=0, most=1000),
    Field("order", "Ties", "The tie-breaks for equal points; empty for the default.", kind="name"),
)


class LeagueForm:
    """The form for a new league; see `companion.session.table.form_filling.Fillable`."""

    title = phrase("Begin a league")
    # Translators: “it” is a league.
    done = phrase("Begin it")

    def __init__(self, archive: Archive) -> None:
        self._archive = archive

    def initial_values(self) -> Values:
        """Return the usual answers."""
        return {field.name: field.default for field in _FIELDS if field.default}

    def build_state(self, values: Values) -> FormState:
        """Report the answers that are missing or impossible."""
        findings = []
        if not values.get("name"):
            findings.append(Finding(phrase("The league needs a name."), place=FormPlace("name")))
        names = values.get("people", ())
        if len(names) < 2:
            text = phrase("A league needs two people or more.")
            findings.append(Finding(text, place=FormPlace("people", len(names))))
        for name, least, most in (("seats", 2, season.MOST_SEATS), ("rounds", 0, 1000)):
            number = str(values.get(name, "") or least)
            if not (number.isdigit() and least <= int(number) <= most):
                wrong = phrase("That is a number from {least} to {most}.", least=str(least), most=str(most))
                findings.append(Finding(wrong, place=FormPlace(name)))
        for name, choices in (("form", FORMS), ("order", ORDERS)):
            if values.get(name) and values[name] not in choices:
                wrong = phrase("Choose one of {words}.", words=listed(choices))
                findings.append(Finding(wrong, place=FormPlace(name)))
        people_text = phrases("{n} people.", "{n} people.", n=len(names))
        return FormState(_FIELDS, Filled(str(values.get("name", "")), tuple(findings), change=people_text))

    def candidates(self, values: Values, place: FormPlace, typed: str) -> Candidates:
        """Offer the forms and orders, and the known people who are not in the league yet."""
        if place.field == "form":
            return tuple(Choice(name, title) for name, title in FORMS.items())
        if place.field == "order":
            return tuple(Choice(name) for name in ORDERS)
        if place.field == "people":
            page = people.page_of_people(self._archive, typed, count=_MOST_OFFERED)
            there = set(values.get("people", ()))
            others = sorted({person.name for person in page.rows} - there, key=alphabetical_key)
            return tuple(map(Choice, others)) or Open(phrase("a name"), "Ana")
        field = next(field for field in _FIELDS if field.name == place.field)
        return Open(field.explanation, field.example or field.default, field.least, field.most)

    def draw_answer(self, values: Values, place: FormPlace, rng: Random) -> str:  # noqa: ARG002
        """Refuse: chance begins no league."""
        raise RuleError(phrase("This cannot be drawn; only you can answer it."))

    def keep(self, values: Values) -> FormResult:
        """Begin the league. Raises ArchiveError, NotationError."""
        settings = season.LeagueSettings(
            form=cast("Form", values["form"]),
            seats=int(values.get("seats") or 2),
            rounds=int(values.get("rounds") or 0),
            order=str(values.get("order", "")),
        )
        begun = season.create(self._archive, str(values["name"]), list(values["people"]), settings)
        text = phrases(
            "{league} begins with {n} people.",
            "{league} begins with {n} people.",
            n=len(begun.league.players),
            league=begun.row.name,
        )
        return FormResult(begun.row.league, text)
