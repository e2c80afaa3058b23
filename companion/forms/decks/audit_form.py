"""The form that compares a deck box with its record."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from random import Random
from typing import Any

from companion.archive import Archive, DeckRow, deck_records
from companion.session.table.form_filling import FormResult, FormState
from companion.tabletop.action import NotationError, RuleError
from companion.tabletop.decks.form import Field, Filled, Finding, FormPlace, Values
from companion.tabletop.records import Reason
from companion.tabletop.table.choices import Candidates, Choice, Open
from templates.languages.messages import (
    Text,
    joined,
    phrase,
    phrase_in,
    phrases,
)

_NO = "no"
_MORE = "besides"


class AuditForm:
    """The form that compares a box with its record; see `companion.session.table.form_filling.Fillable`.

    It begins with the record.
    """

    done = phrase("Mend the record")

    def __init__(self, archive: Archive, row: DeckRow, write: Callable[[Text], str] = str) -> None:
        """Create the form. `write` turns texts of cards into what the screen can show."""
        self.title = phrase("Check the box of {deck}: press Enter wherever the record is right", deck=row.name)
        self._archive = archive
        self._row = row
        self._write = write
        self._deck = deck_records.read_marks(archive, row.deck)
        self._paper = self._deck.keeping.paper(self._deck.marks)
        self._fields = (*self._spot_fields(), self._besides_field())

    def _spot_fields(self) -> Iterator[Field]:
        titles = (("yes", phrase_in("answer", "yes")), (_NO, phrase_in("answer", "no")))
        for spot, text in self._paper.items():
            # What people edit is in their own words, as the question has it.
            own = () if text == "yes" else ((text, self._write(self._display_text(spot, text))),)
            yield Field(
                spot,
                self._write(self._deck.keeping.question(spot, text)),
                "Type no, or what is there instead.",
                titles=(*titles, *own),
            )

    def _display_text(self, spot: str, text: str) -> Text:
        """Return the text of a spot as it is shown: a text of several words may have a translation."""
        if text == "yes":
            return phrase_in("answer", "yes")
        return (" " in text and self._deck.keeping.describe_spot(spot, text)[1]) or text

    def _besides_field(self) -> Field:
        example, _, says = self._deck.keeping.example.partition(":")
        more = str(phrase("Is there anything else? Enter where, such as {example}.", example=example))
        spot = Field("spot", "Where", more, example=example)
        return Field(
            _MORE, "Besides", many=True, parts=(spot, Field("says", "What", "What stands there.", example=says))
        )

    def initial_values(self) -> Values:
        """Return the record, as if the box agreed with it."""
        return dict(self._paper)

    def build_state(self, values: Values) -> FormState:
        """Report the differences from the record, and the answers that are impossible."""
        findings = []
        for number, answer in enumerate(values.get(_MORE, ())):
            try:
                self._deck.keeping.read_spot(answer.get("spot", ""))
            except NotationError as error:
                findings.append(Finding(str(error), place=FormPlace(_MORE, number, "spot")))
        looked_at = {spot: text for spot, text in values.items() if spot != _MORE}
        # Translators: The answer differs from the record.
        differs: Text = phrase("≠ record")
        other = {FormPlace(spot): differs for spot, text in looked_at.items() if text != self._paper.get(spot)}
        count = len(other) + len(values.get(_MORE, ()))
        differences = phrases("{n} difference from the record.", "{n} differences from the record.", n=count)
        change = differences if count else phrase("The box and the record agree so far.")
        return FormState(self._fields, Filled(findings=tuple(findings), beside=other, change=change))

    def candidates(self, values: Values, place: FormPlace, typed: str) -> Candidates:  # noqa: ARG002 – what a form may need
        """Offer the recorded text, or its absence; anything else is typed."""
        if place.field == _MORE:
            return Open("", self._deck.keeping.example)
        text = self._paper[place.field]
        recorded = Choice(text, self._display_text(place.field, text), phrase("as the record says"))
        return recorded, Choice(_NO, phrase_in("answer", "no"), phrase("not there"))

    def draw_answer(self, values: Values, place: FormPlace, rng: Random) -> str:  # noqa: ARG002
        """Refuse: the answer is on the card."""
        raise RuleError(phrase("What is on a card cannot be drawn; look at the card."))

    def keep(self, values: Values) -> FormResult:
        """Change the record to match the box, and report its new story. Raises RuleError, ArchiveError."""
        texts = {spot: "" if text.lower() in (_NO, "n") else text for spot, text in values.items() if spot != _MORE}
        texts |= dict(self._read_additions(values.get(_MORE, ())))
        mended = deck_records.mend(self._archive, self._row.deck, texts, Reason("box-looked-through"))
        return FormResult(self._row.deck, joined("\n", mended) or phrase("The box and the record agree."))

    def _read_additions(self, answers: Any) -> Iterator[tuple[str, str]]:
        answer: Mapping[str, str]
        for answer in answers:
            yield self._deck.keeping.read_spot(answer.get("spot", "")), answer.get("says", "") or "yes"
