"""The form by which a printer becomes known: four distances, measured on a test page."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from companion.archive import Archive, Unknown, stationery
from companion.games.action import RuleError
from companion.games.choices import Candidates, Choice, Open
from companion.games.form import YES, Field, Filled, Finding, Place, Values
from companion.press import run
from companion.session.filling import Outcome, Seen
from labels import calibration
from labels.calibration import Calibration
from labels.errors import LabelError

_NAME = Field(
    "name", "Printer", "What to call it; one that is known is measured anew.", required=True, example="office"
)
_SHORT = ("A from left", "A from top", "A to B right", "A to B down")
_AGAIN = Field(
    "again",
    "Printed with",
    "Whether the test page was printed with what is known of this printer; its head says so. What is left adds up.",
    kind="flag",
)


class CalibrationForm:
    """See `companion.session.filling.Fillable`."""

    title = "Calibrate a printer: measure a test page that was printed at 100 %"
    done = "Remember it"

    def __init__(self, archive: Archive, printer: str = "", span: tuple[float, float] = calibration.B) -> None:
        self._archive = archive
        self._printer = printer
        self._span = span
        self._distances = tuple(_distances(span))

    def begun(self) -> Values:
        """What a printer measures that misses nothing; of the `printer` with whose calibration a page was printed."""
        begun = {field.name: field.default for field in self._distances}
        return {**begun, "name": self._printer, "again": "yes"} if self._printer else begun

    def seen(self, values: Values) -> Seen:
        """What the printer needs, as far as it is measured."""
        findings = (
            [] if values.get("name") else [Finding("The printer needs a name to be found by.", place=Place("name"))]
        )
        fields = (_NAME, *([_AGAIN] if self._known(values) else []), *self._distances)
        for field in self._distances:
            try:
                calibration.millimetres(str(values.get(field.name, "")))
            except LabelError as error:
                findings.append(Finding(str(error), place=Place(field.name)))
        if findings:
            return Seen(fields, Filled(findings=tuple(findings)))
        try:
            found = self._found(values)
        except LabelError as error:
            return Seen(fields, Filled(findings=(Finding(str(error), place=Place(self._distances[0].name)),)))
        return Seen(fields, Filled(change=_told(found)))

    def _known(self, values: Values) -> Calibration | None:
        """What is known of the printer, where it is."""
        try:
            return run.calibrated(self._archive, str(values.get("name", "")))
        except Unknown:
            return None

    def _found(self, values: Values) -> Calibration:
        """What the printer needs: what was measured, or that and what is known together. Raises LabelError."""
        rest, known = self._measured(values), self._known(values)
        again = str(values.get("again", "")).strip().lower() in YES
        return calibration.added(known, rest) if again and known is not None else rest

    def _measured(self, values: Values) -> Calibration:
        """What four distances come to. Raises LabelError."""
        said = (calibration.millimetres(str(values.get(field.name, ""))) for field in self._distances)
        left, top, right, down = said
        return calibration.measured(left, top, right, down, self._span)

    def candidates(self, values: Values, place: Place, typed: str) -> Candidates:  # noqa: ARG002
        """Printers that are known; a distance is measured."""
        if place.field == "name":
            return Open("a name", "office", known=tuple(Choice(row.name) for row in stationery.printers(self._archive)))
        return (Choice("yes"), Choice("no")) if place.field == "again" else Open("millimetres", "20.5")

    def drawn(self, values: Values, place: Place, rng: Random) -> str:  # noqa: ARG002
        """A ruler leaves nothing to chance."""
        raise RuleError("This is measured.")

    def keep(self, values: Values) -> Outcome:
        """Remember the printer. Raises RuleError where it cannot have been measured so."""
        try:
            found = self._found(values)
        except LabelError as error:
            raise RuleError(str(error)) from error
        name = str(values["name"])
        stationery.calibrate(self._archive, name, found.dx, found.dy, found.sx, found.sy)
        return Outcome(name, f"{name}: {_told(found)} Print a test page for it to see that it fits now.")


def _distances(span: tuple[float, float]) -> Iterator[Field]:
    """What is measured on a test page, where B lies at this distance from A."""
    for at, (short, (question, nominal)) in enumerate(zip(_SHORT, calibration.distances(span), strict=True)):
        about = f"Measure {question}, in mm; it should be {nominal:g}."
        yield Field(f"distance{at}", short, about, default=f"{nominal:g}")


def _told(found: Calibration) -> str:
    return f"{found.dx:+g} mm right, {found.dy:+g} mm down, scale {found.sx:g} across and {found.sy:g} down."
