"""The form that calibrates a printer."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from companion.archive import Archive, Unknown, stationery
from companion.printing import run
from companion.session.table.form_filling import FormResult, FormState
from companion.tabletop.action import RuleError
from companion.tabletop.decks.form import YES, Field, Filled, Finding, FormPlace, Values
from companion.tabletop.table.choices import Candidates, Choice, Open, choice_of_word
from labels.errors import LabelError
from labels.paper import calibration
from labels.paper.calibration import Calibration
from templates.languages.messages import (
    Message,
    joined,
    phrase,
)

_NAME = Field(
    "name", "Printer", "A name for the printer; a known one is measured again.", required=True, example="office"
)
# Translators: Distances on a test page, where A and B are two marks.
_SHORT = (phrase("A from left"), phrase("A from top"), phrase("A to B right"), phrase("A to B down"))
_AGAIN = Field(
    "again",
    "Printed with",
    "Whether the test page was printed with this printer's calibration, as its header says. The remaining error is "
    "added.",
    kind="flag",
)


class CalibrationForm:
    """The form that calibrates a printer; see `companion.session.table.form_filling.Fillable`."""

    title = phrase("Calibrate a printer: measure a test page that was printed at 100 %")
    done = phrase("Remember it")

    def __init__(self, archive: Archive, printer: str = "", span: tuple[float, float] = calibration.B) -> None:
        self._archive = archive
        self._printer = printer
        self._span = span
        self._distances = tuple(_distances(span))

    def initial_values(self) -> Values:
        """Return the distances of a perfect printer, with the name of the `printer` whose calibration the page was
        printed with.
        """
        begun = {field.name: field.default for field in self._distances}
        return {**begun, "name": self._printer, "again": "yes"} if self._printer else begun

    def build_state(self, values: Values) -> FormState:
        """Report the calibration, as far as it has been measured."""
        findings = []
        if not values.get("name"):
            findings.append(Finding(phrase("The printer needs a name."), place=FormPlace("name")))
        fields = (_NAME, *([_AGAIN] if self._stored_calibration(values) else []), *self._distances)
        for field in self._distances:
            try:
                calibration.parse_millimetres(str(values.get(field.name, "")))
            except LabelError as error:
                findings.append(Finding(str(error), place=FormPlace(field.name)))
        if findings:
            return FormState(fields, Filled(findings=tuple(findings)))
        try:
            result = self._new_calibration(values)
        except LabelError as error:
            return FormState(fields, Filled(findings=(Finding(str(error), place=FormPlace(self._distances[0].name)),)))
        return FormState(fields, Filled(change=_describe_calibration(result)))

    def _stored_calibration(self, values: Values) -> Calibration | None:
        """Return the stored calibration of the printer, if any."""
        try:
            return run.load_calibration(self._archive, str(values.get("name", "")))
        except Unknown:
            return None

    def _new_calibration(self, values: Values) -> Calibration:
        """Return the new calibration: the measured one, or that combined with the stored one. Raises LabelError."""
        rest, stored = self._read_distances(values), self._stored_calibration(values)
        again = str(values.get("again", "")).strip().lower() in YES
        return calibration.combine(stored, rest) if again and stored is not None else rest

    def _read_distances(self, values: Values) -> Calibration:
        """Compute the calibration from the four distances. Raises LabelError."""
        distances = (calibration.parse_millimetres(str(values.get(field.name, ""))) for field in self._distances)
        left, top, right, down = distances
        return calibration.from_measurements(left, top, right, down, self._span)

    def candidates(self, values: Values, place: FormPlace, typed: str) -> Candidates:  # noqa: ARG002
        """Offer the known printers; a distance is typed."""
        if place.field == "name":
            printers = tuple(Choice(row.name) for row in stationery.printers(self._archive))
            return Open(phrase("a name"), "office", fitting=printers)
        return (
            (choice_of_word("yes"), choice_of_word("no"))
            if place.field == "again"
            else Open(phrase("millimetres"), "20.5")
        )

    def draw_answer(self, values: Values, place: FormPlace, rng: Random) -> str:  # noqa: ARG002
        """Refuse: distances are measured."""
        raise RuleError(phrase("Distances cannot be drawn; measure them."))

    def keep(self, values: Values) -> FormResult:
        """Store the calibration of the printer. Raises RuleError for impossible measurements."""
        try:
            result = self._new_calibration(values)
        except LabelError as error:
            raise RuleError(str(error)) from error
        name = str(values["name"])
        stationery.calibrate(self._archive, name, result.dx, result.dy, result.sx, result.sy)
        # Translators: {calibration} is what was measured, as one sentence.
        done = phrase("{printer}: {calibration}", printer=name, calibration=_describe_calibration(result))
        return FormResult(name, joined(" ", (done, phrase("Print a test page for it to see that it fits now."))))


def _distances(span: tuple[float, float]) -> Iterator[Field]:
    """Yield the fields for the distances on a test page, whose B lies at `span` from A."""
    for at, (short, (question, nominal)) in enumerate(zip(_SHORT, calibration.distances(span), strict=True)):
        # Translators: {distance} is what to measure on a test page.
        about = phrase("Measure {distance}, in mm; it should be {nominal}.", distance=question, nominal=f"{nominal:g}")
        yield Field(f"distance{at}", str(short), str(about), default=f"{nominal:g}")


def _describe_calibration(result: Calibration) -> Message:
    return phrase(
        "{right} mm right, {down} mm down, scale {across} across and {along} down.",
        right=f"{result.dx:+g}",
        down=f"{result.dy:+g}",
        across=f"{result.sx:g}",
        along=f"{result.sy:g}",
    )
