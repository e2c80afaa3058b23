"""The form by which a box is looked through: spot by spot as the record says, not there, or something else.

Separate from the screen, which shows any form alike.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from random import Random
from typing import Any

from companion.archive import Archive, DeckRow, shelf
from companion.games.action import NotationError, RuleError
from companion.games.choices import Candidates, Choice, Open
from companion.games.form import Field, Filled, Finding, Place, Values
from companion.games.reasons import Reason
from companion.session.filling import Outcome, Seen
from companion.tui import drawing

_NO = "no"
_MORE = "besides"


class AuditForm:
    """See `companion.session.filling.Fillable`. What stands in it at first is what the record says of each spot."""

    done = "Mend the record"

    def __init__(self, archive: Archive, row: DeckRow) -> None:
        self.title = f"Look through the box of {row.name}: Enter where it is as the record says"
        self._archive = archive
        self._row = row
        self._kept = shelf.take(archive, row.deck)
        self._paper = self._kept.keeping.paper(self._kept.marks)
        self._fields = (*self._spots(), self._besides())

    def _spots(self) -> Iterator[Field]:
        for spot, text in self._paper.items():
            yield Field(
                spot, drawing.single(self._kept.keeping.question(spot, text)), "Type no, or what stands there instead."
            )

    def _besides(self) -> Field:
        example, _, says = self._kept.keeping.example.partition(":")
        spot = Field("spot", "Where", f"Is anything there besides? Say where, as in {example}.", example=example)
        return Field(
            _MORE, "Besides", many=True, parts=(spot, Field("says", "What", "What stands there.", example=says))
        )

    def begun(self) -> Values:
        """Everything as the record says."""
        return dict(self._paper)

    def seen(self, values: Values) -> Seen:
        """What is otherwise than the record says, and what cannot be."""
        findings = []
        for number, told in enumerate(values.get(_MORE, ())):
            try:
                self._kept.keeping.read_spot(told.get("spot", ""))
            except NotationError as error:
                findings.append(Finding(str(error), place=Place(_MORE, number, "spot")))
        looked_at = {spot: text for spot, text in values.items() if spot != _MORE}
        other = {Place(spot): "≠ record" for spot, text in looked_at.items() if text != self._paper.get(spot)}
        count = len(other) + len(values.get(_MORE, ()))
        change = "The box and the record agree so far." if not count else f"{count} otherwise than the record says."
        return Seen(self._fields, Filled(findings=tuple(findings), beside=other, change=change))

    def candidates(self, values: Values, place: Place, typed: str) -> Candidates:  # noqa: ARG002 – what a form may need
        """As the record says, or not there; anything else is typed."""
        if place.field == _MORE:
            return Open("", self._kept.keeping.example)
        return Choice(self._paper[place.field], "as the record says"), Choice(_NO, "not there")

    def drawn(self, values: Values, place: Place, rng: Random) -> str:  # noqa: ARG002
        """A box is looked at."""
        raise RuleError("Look at the card.")

    def keep(self, values: Values) -> Outcome:
        """Mend the record where the box differs; tells what its story says now. Raises RuleError, ArchiveError."""
        seen = {spot: _said(text) for spot, text in values.items() if spot != _MORE}
        seen |= dict(self._more(values.get(_MORE, ())))
        mended = shelf.mend(self._archive, self._row.deck, seen, Reason("box-looked-through"))
        return Outcome(self._row.deck, "\n".join(mended) or "The box and the record agree.")

    def _more(self, said: Any) -> Iterator[tuple[str, str]]:
        told: Mapping[str, str]
        for told in said:
            yield self._kept.keeping.read_spot(told.get("spot", "")), told.get("says", "") or "yes"


def _said(text: str) -> str:
    return "" if text.lower() in (_NO, "n") else text
