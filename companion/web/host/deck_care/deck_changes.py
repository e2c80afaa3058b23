"""The pages of the forms for a deck that is here: its box is compared with its record, or the deck is rebuilt."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from hashlib import sha256
from http import HTTPStatus
from typing import Any, Final, NamedTuple, TypeGuard

import msgspec
from starlette.exceptions import HTTPException
from starlette.responses import Response

from companion.archive import Archive, ArchiveError, DeckRow, deck_id
from companion.forms.decks.audit_form import AuditForm
from companion.forms.decks.deck_forms import RebuildForm
from companion.session.table.form_filling import Fillable, FormResult
from companion.tabletop.action import RuleError
from companion.tabletop.decks.form import Field, FormPlace, Values
from companion.tabletop.decks.portrait import DeckVerdict, Listing
from companion.tabletop.table.choices import Candidates, Open
from companion.tabletop.text import signed_figure
from companion.web.host.deck_care.photographs import SPREAD_PATH
from companion.web.host.decks import DECKS_PATH
from companion.web.host.form_page import FormPage, OfferedGame
from companion.web.host.form_view import FilledForm
from companion.web.host.frame import Host
from templates.languages.messages import Text, phrase

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
            return msgspec.structs.replace(field, help=field.parts[0].help)
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

    def read_context(self, game: str, filled: FilledForm) -> Mapping[str, Any]:
        """Return the path of the page that does the same by photographs, too."""
        return {**super().read_context(game, filled), "photographs_path": f"{SPREAD_PATH}?deck={game}"}


class ListChanges(NamedTuple):
    """The cards that come and go, under a title: the change in copies, the name, and remarks."""

    title: Text
    rows: tuple[tuple[str, Text, tuple[Text, ...]], ...]


class RebuildPage(_DeckFormPage):
    """The form that gives a deck another list, with the cards that come and go beside it."""

    template = "host/rebuild.html"
    path = "/host/rebuild"
    draft_name = "Rebuild page"
    title = phrase("Rebuild it")

    def open_deck(self, row: DeckRow) -> Fillable:
        """Return the form, which begins with the present list."""
        return RebuildForm(self.archive, row)

    def read_context(self, game: str, filled: FilledForm) -> Mapping[str, Any]:
        """Return the verdict on the new list, and the listings of cards that come and go."""
        assert isinstance(filled.form, RebuildForm)
        parts = filled.form.portrait.parts
        return {
            **super().read_context(game, filled),
            "verdicts": [part for part in parts if isinstance(part, DeckVerdict)],
            "changes": [*map(_show_changes, filter(_is_of_changes, parts))],
        }


def _is_of_changes(part: object) -> TypeGuard[Listing]:
    """Return True for the listing of the cards that come and go; others say how many copies there are."""
    return isinstance(part, Listing) and not any(line.count for line in part.lines)


def _show_changes(listing: Listing) -> ListChanges:
    rows = ((signed_figure(line.change) if line.change else "", line.name, line.about) for line in listing.lines)
    return ListChanges(listing.title, tuple(rows))
