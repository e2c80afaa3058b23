"""The form of a new deck, with a warning where its box could not be labelled.

Separate from the form itself, since only here labels are known; they are loaded when there is a name to try.
"""

from __future__ import annotations

import msgspec

from companion.games.form import Finding, Place, Values
from companion.session.filling import DeckForm, Seen
from companion.tui import settings


class LabelledDeckForm(DeckForm):
    """See `companion.session.filling.Fillable`."""

    def seen(self, values: Values) -> Seen:
        """What the answers come to, and whether the name can be printed."""
        seen = super().seen(values)
        place = Place(seen.fields[0].name)
        name = str(values.get(place.field, "")).strip()
        if not name:
            return seen
        from companion.press import order

        told = order.box_refused(name, settings.read().stock)
        if not told:
            return seen
        warning = Finding(f"{told} Its box would get no label.", warning=True, place=place)
        return seen._replace(filled=msgspec.structs.replace(seen.filled, findings=(*seen.filled.findings, warning)))
