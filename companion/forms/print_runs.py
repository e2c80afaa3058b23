"""The initial answers of a print form, and the positions that a print-out leaves free for the next one."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from types import MappingProxyType
from typing import Final

from companion.archive import Archive
from companion.forms import settings
from companion.forms.print_form import PrintForm, labels_due
from companion.printing.order import PreparedOrder
from companion.tabletop.decks.form import FormPlace, Values
from labels.paper import sheet

_SHEETS: Final = "Sheets"
"""The name under which the free positions of sheets without a name are stored, by their stock."""
_FREE: Final = FormPlace("free")


def begin_print_form(archive: Archive, values: Values = MappingProxyType({})) -> PrintForm:
    """Return the print form with these answers, or else with what is due tonight; the settings answer the rest.

    Raises ArchiveError or LabelError.
    """
    usual = settings.read_settings()
    defaults = {"usual_stock": usual.stock, "paper": usual.paper, "ink": usual.ink, "printer": usual.printer}
    defaults["codes"] = "yes" if usual.codes_labels else ""
    due = {} if values else labels_due(archive)
    begun = {**{name: value for name, value in defaults.items() if value}, **due, **values}
    return PrintForm(archive, begun, _read_left(archive.name))


def _read_left(archive: str) -> Mapping[str, str]:
    """Return the positions that print-outs left free on the last sheet of each stock."""
    return {stock: answers.get(_FREE) for stock, answers in settings.draft_answers(archive, _SHEETS).items()}


def keep_left(archive: str, ready: PreparedOrder) -> Callable[[], None] | None:
    """Store the positions that a print-out leaves free on a sheet without a name, for the next print-out.

    Returns:
        A function that restores the previous ones; None if nothing has changed.
    """
    if ready.left is None:
        return None
    stock = ready.maps[-1].stock.name
    free, before = sheet.format_positions(ready.left), _read_left(archive).get(stock, "")
    if free == before:
        return None

    def keep(free: str) -> None:
        settings.keep_draft(archive, _SHEETS, stock, {_FREE.field: free} if free else {})

    keep(free)
    return partial(keep, before)
