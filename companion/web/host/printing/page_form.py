"""The print form for browsers: its files are those that were sent, and the PDF becomes a print-out to look after."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from random import Random
from typing import TYPE_CHECKING, Final

import msgspec

from companion.forms.print_form import PrintForm
from companion.printing import designs
from companion.printing.design_choices import list_design_choices
from companion.session.table.form_filling import FormResult, FormState
from companion.tabletop.decks.form import Field, Finding, FormPlace, Values
from companion.tabletop.table.choices import Candidates, Choice
from companion.web.sharing.upload_folder import UploadFolder
from templates.languages.messages import listed, phrase, phrase_in

if TYPE_CHECKING:
    from companion.printing.order import PreparedOrder
    from companion.web.host.printing.print_outs import PrintOuts

_UNASKED: Final = frozenset({"file", "folder", "usual_stock"})
"""The fields that a browser never answers: paths of this machine, and the settings."""
_MAX_ROWS: Final = 60
"""The most labels that are typed; more are sent as a table."""


class PrintPageForm:
    """The print form as browsers fill it in; see `companion.session.table.form_filling.Fillable`.

    `begun` are first answers in the words of browsers; labels that these begin are on no sheet that lies about.
    """

    title = phrase_in("verb", "Print")
    done = phrase("Make the PDF")

    def __init__(
        self, form: PrintForm, uploads: UploadFolder, print_outs: PrintOuts, begun: Mapping[str, str] = {}
    ) -> None:
        self._form = form
        self._uploads = uploads
        self._print_outs = print_outs
        self._begun = begun

    @property
    def ready(self) -> PreparedOrder | None:
        """The order as it is laid out; None while the answers are wrong."""
        return self._form.ready

    def initial_values(self) -> Values:
        """Return the usual answers."""
        values = dict(self._form.initial_values())
        return {**values, "sheet": "", "free": "", **self._begun} if self._begun else values

    def build_state(self, values: Values) -> FormState:
        """Report the questions, the meaning of each answer, and the extent of the order."""
        state = self._form.build_state(self._translate(values))
        filled = state.filled
        findings = (*self._find_wrong(values), *map(self._show_finding, filled.findings))
        beside = {place: self._uploads.hide(text) for place, text in filled.beside.items() if place.field != "file"}
        fields = tuple(self._show_fields(state.fields))
        return state._replace(fields=fields, filled=msgspec.structs.replace(filled, findings=findings, beside=beside))

    def _translate(self, values: Values) -> Values:
        """Return the answers for the form: a table by its path, and only files and designs that a browser may name."""
        if not values:
            return {}
        own = {name: value for name, value in values.items() if name not in _UNASKED}
        own["folder"] = str(self._uploads.path)
        table = str(own.pop("table", ""))
        if table in self._uploads.list_tables():
            own["table"] = str(self._uploads.path / table)
        if _find_unknown_design(values):
            del own["design"]
        return own

    def _find_wrong(self, values: Values) -> Iterator[Finding]:
        """Yield the errors of answers that name a file."""
        table = str(values.get("table", ""))
        if table and table not in self._uploads.list_tables():
            gone = phrase("The table “{table}” is no longer here; send it again.", table=table)
            yield Finding(gone, place=FormPlace("table"))
        if design := _find_unknown_design(values):
            names = listed(each.name for each in designs.list_designs())
            text = phrase("There is no design “{design}”; there are {designs}.", design=design, designs=names)
            yield Finding(text, place=FormPlace("design"))

    def _show_finding(self, finding: Finding) -> Finding:
        """Return an error as the page shows it: the lines of a table have no input."""
        place = finding.place
        if place.field == "table" and place.entry is not None:
            place = FormPlace("table")
        return msgspec.structs.replace(finding, text=self._uploads.hide(finding.text), place=place)

    def _show_fields(self, fields: Iterable[Field]) -> Iterator[Field]:
        for field in fields:
            if field.name == "rows":
                yield msgspec.structs.replace(field, most=_MAX_ROWS)
            elif field.name == "table":
                if self._uploads.list_tables():
                    about = phrase("A table that was sent below; none to type the labels here.")
                    yield msgspec.structs.replace(field, help=about)
            elif field.name not in _UNASKED:
                yield field

    def candidates(self, values: Values, place: FormPlace, typed: str) -> Candidates:
        """Offer the answers that are possible at a place: of files, only those that were sent."""
        if place.field == "table":
            return tuple(map(Choice, self._uploads.list_tables()))
        if place.field == "design":
            return tuple(list_design_choices())
        return self._form.candidates(self._translate(values), place, typed)

    def draw_answer(self, values: Values, place: FormPlace, rng: Random) -> str:
        """Refuse: chance prints nothing."""
        return self._form.draw_answer(values, place, rng)

    def keep(self, values: Values) -> FormResult:
        """Make the PDF, and take its positions of sheets; the id of the result is that of the print-out.

        Raises ArchiveError, or RuleError with the reason.
        """
        file = self._print_outs.new_file()
        self._form.keep({**self._translate(values), "file": str(file)})
        ready = self._form.ready
        assert ready is not None
        return FormResult(self._print_outs.add(file, ready, self._form.printer), "")


def _find_unknown_design(values: Values) -> str:
    """Return the name of the design if it is none of the known ones, such as a path; else ""."""
    design = str(values.get("design", "")).strip()
    names = {each.name.casefold() for each in designs.list_designs()} if design else set()
    return design if design.casefold() not in names | {""} else ""
