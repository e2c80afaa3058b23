"""The pages of the forms for a deck that is here: its box is compared with its record."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from hashlib import sha256
from http import HTTPStatus
from typing import Any, Final

import msgspec
from starlette.exceptions import HTTPException
from starlette.responses import Response

from companion.archive import Archive, ArchiveError, DeckRow, deck_id
from companion.forms.audit_form import AuditForm
from companion.session.table.form_filling import Fillable, FormResult
from companion.tabletop.action import RuleError
from companion.tabletop.decks.form import Field, FormPlace, Values
from companion.tabletop.table.choices import Candidates, Open
from companion.web.host.decks import DECKS_PATH
from companion.web.host.form_page import FormPage, OfferedGame
from companion.web.host.form_view import FilledForm
from companion.web.host.frame import Host
from templates.languages.messages import phrase

_IS_THERE: Final = "yes"
"""The record of what is there or not, without a text of its own."""


class _DeckFormPage(FormPage):
    """A form for one deck, which the address names. It leads back to the page of the deck."""

    template = "host/deck_form.html"
    here = DECKS_PATH
    game_parameter = "deck"

    def open_deck(self, row: DeckRow) -> Fillable:
        """Return the form of a deck. Raises RuleError if decks of its game have none."""
        raise NotImplementedError

    def list_games(self, wanted: str) -> Sequence[OfferedGame]:
        """Return the deck. Raises HTTPException if there is none of this id, or no such form for it."""
        try:
            row = self.archive.find_deck(wanted)
            self.open_deck(row)
        except (ArchiveError, RuleError, deck_id.DeckIdError):
            raise HTTPException(HTTPStatus.NOT_FOUND) from None
        if row.deck != wanted:
            raise HTTPException(HTTPStatus.NOT_FOUND)
        return [OfferedGame(row.deck, row.name)]

    def open_form(self, game: str) -> Fillable:
        """Return the form of a deck."""
        return self.open_deck(self.archive.find_deck(game))

    def lead_on(self, game: str, outcome: FormResult) -> str:  # noqa: ARG002
        """Return the path of the deck's page."""
        return f"/d/{outcome.id}"

    def read_context(self, game: str, filled: FilledForm) -> Mapping[str, Any]:
        """Return the path of the deck, and a digest of the record that the form shows."""
        return {"deck_path": f"/d/{game}", "seen": _digest(filled.form)}

    def _change(self, fields: Sequence[tuple[str, str]], host: Host) -> Response:
        values = dict(fields)
        games = self.list_games(values.get("game", ""))
        with self._lock:
            is_stored = values.get("once", "") in self._pressed
        if values.get("do") != "keep" or is_stored:
            return super()._change(fields, host)
        filled = FilledForm(self.open_form(games[0].name))
        if values.get("seen") == _digest(filled.form):
            return super()._change(fields, host)
        filled.take_fields(fields)
        self.keep_answers(games[0].name, filled)
        text = phrase("The record has changed meanwhile, and nothing was stored. Look at what differs now.")
        return self._render(host, games, games[0].name, filled, refused=text)


def _digest(form: Fillable) -> str:
    """Return a digest of what a form begins with."""
    return sha256(msgspec.json.encode(form.initial_values())).hexdigest()[:16]


class AuditPageForm(AuditForm):
    """The form that compares a box with its record, as browsers fill it in."""

    def __init__(self, archive: Archive, row: DeckRow) -> None:
        super().__init__(archive, row)
        self.title = phrase("Check the box of {deck}: change only what differs", deck=row.name)
        self._fields = tuple(map(self._explain, self._fields))

    def _explain(self, field: Field) -> Field:
        """Return a question without the help for those who type each answer."""
        if field.parts:
            return field
        about = phrase("What is there instead, or “no” for nothing.")
        return msgspec.structs.replace(field, help="" if self._is_simple(field.name) else about)

    def _is_simple(self, spot: str) -> bool:
        return self._paper.get(spot) == _IS_THERE

    def candidates(self, values: Values, place: FormPlace, typed: str) -> Candidates:
        """Offer yes and no; where a text is recorded, any other can be typed."""
        candidates = super().candidates(values, place, typed)
        if isinstance(candidates, Open) or self._is_simple(place.field):
            return candidates
        return Open("", "", fitting=tuple(candidates))


class AuditPage(_DeckFormPage):
    """The form that compares a deck's box with its record."""

    path = "/host/audit"
    draft_name = "Audit page"
    title = phrase("Check its box")

    def open_deck(self, row: DeckRow) -> Fillable:
        """Return the form, which begins with the record."""
        return AuditPageForm(self.archive, row)
