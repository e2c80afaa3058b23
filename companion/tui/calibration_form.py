"""The form by which a printer becomes known: four distances, measured on a test page."""

from __future__ import annotations

from random import Random

from companion.archive import Archive, stationery
from companion.games.action import RuleError
from companion.games.choices import Candidates, Choice, Open
from companion.games.form import Field, Filled, Finding, Place, Values
from companion.session.filling import Outcome, Seen
from labels import calibration
from labels.calibration import Calibration
from labels.errors import LabelError

_NAME = Field(
    "name", "Printer", "What to call it; one that is known is measured anew.", required=True, example="office"
)
_SHORT = ("A from left", "A from top", "A to B right", "A to B down")
_MEASURED = tuple(
    Field(f"distance{at}", short, f"Measure {question}, in mm; it should be {nominal:g}.", default=f"{nominal:g}")
    for at, (short, (question, nominal)) in enumerate(zip(_SHORT, calibration.DISTANCES, strict=True))
)
_FIELDS = (_NAME, *_MEASURED)


class CalibrationForm:
    """See `companion.session.filling.Fillable`."""

    title = "Calibrate a printer: measure a test page that was printed at 100 % and without a calibration"
    done = "Remember it"

    def __init__(self, archive: Archive) -> None:
        self._archive = archive

    def begun(self) -> Values:
        """What a printer measures that misses nothing."""
        return {field.name: field.default for field in _MEASURED}

    def seen(self, values: Values) -> Seen:
        """What the printer needs, as far as it is measured."""
        findings = (
            [] if values.get("name") else [Finding("The printer needs a name to be found by.", place=Place("name"))]
        )
        for field in _MEASURED:
            try:
                calibration.millimetres(str(values.get(field.name, "")))
            except LabelError as error:
                findings.append(Finding(str(error), place=Place(field.name)))
        if findings:
            return Seen(_FIELDS, Filled(findings=tuple(findings)))
        try:
            found = _measured(values)
        except LabelError as error:
            return Seen(_FIELDS, Filled(findings=(Finding(str(error), place=Place(_MEASURED[0].name)),)))
        return Seen(_FIELDS, Filled(change=_told(found)))

    def candidates(self, values: Values, place: Place, typed: str) -> Candidates:  # noqa: ARG002
        """Printers that are known; a distance is measured."""
        if place.field == "name":
            return Open("a name", "office", known=tuple(Choice(row.name) for row in stationery.printers(self._archive)))
        return Open("millimetres", "20.5")

    def drawn(self, values: Values, place: Place, rng: Random) -> str:  # noqa: ARG002
        """A ruler leaves nothing to chance."""
        raise RuleError("This is measured.")

    def keep(self, values: Values) -> Outcome:
        """Remember the printer. Raises RuleError where it cannot have been measured so."""
        try:
            found = _measured(values)
        except LabelError as error:
            raise RuleError(str(error)) from error
        name = str(values["name"])
        stationery.calibrate(self._archive, name, found.dx, found.dy, found.sx, found.sy)
        return Outcome(name, f"{name}: {_told(found)} Print a test page for it to see that it fits now.")


def _measured(values: Values) -> Calibration:
    """What four distances come to. Raises LabelError."""
    left, top, right, down = (calibration.millimetres(str(values.get(field.name, ""))) for field in _MEASURED)
    return calibration.measured(left, top, right, down)


def _told(found: Calibration) -> str:
    return f"{found.dx:+g} mm right, {found.dy:+g} mm down, scale {found.sx:g} across and {found.sy:g} down."
