"""The page of the leagues for the host: their list, and the form that begins one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from companion.archive.people import leagues
from companion.forms.league_form import LeagueForm
from companion.league.standings import ORDERS, TIE_BREAKS
from companion.session.table.form_filling import Fillable, FormResult
from companion.tabletop.decks.form import FormPlace, Values
from companion.tabletop.table.choices import Candidates, Choice, Open
from companion.web.host.form_page import FormPage, OfferedGame
from companion.web.host.form_view import FilledForm
from templates.languages.messages import joined, phrase

_LEAGUE: Final = "league"
"""The name of the form, which is for all games."""


class LeaguePageForm(LeagueForm):
    """The form that begins a league, as browsers fill it in: new people are typed beside those who are known."""

    def candidates(self, values: Values, place: FormPlace, typed: str) -> Candidates:
        """Offer the answers that are possible at a place."""
        if place.field == "order":
            return tuple(Choice(name, joined(", ", (TIE_BREAKS[key] for key in keys))) for name, keys in ORDERS.items())
        candidates = super().candidates(values, place, typed)
        if place.field != "people" or isinstance(candidates, Open):
            return candidates
        return Open(phrase("a name"), "", fitting=tuple(candidates))

    def keep(self, values: Values) -> FormResult:
        """Begin the league; an empty answer is the usual one. Raises ArchiveError, NotationError."""
        return super().keep({**self.initial_values(), **values})


class LeaguesPage(FormPage):
    """The list of the leagues, with the form that begins one."""

    template = "host/leagues.html"
    path = "/host/leagues"
    draft_name = "League page"
    title = LeagueForm.title

    def list_games(self, wanted: str) -> Sequence[OfferedGame]:  # noqa: ARG002
        """Return one form, which is for all games."""
        return [OfferedGame(_LEAGUE, self.title)]

    def open_form(self, game: str) -> Fillable:  # noqa: ARG002 – what other forms need
        """Return the form with the usual answers."""
        return LeaguePageForm(self.archive)

    def lead_on(self, game: str, outcome: FormResult) -> str:  # noqa: ARG002
        """Return the path of the league's page."""
        return f"{self.path}/{outcome.id}"

    def read_context(self, game: str, filled: FilledForm) -> Mapping[str, Any]:  # noqa: ARG002
        """Return the leagues, running ones first."""
        return {"rows": leagues.leagues(self.archive), "list_path": self.path}
