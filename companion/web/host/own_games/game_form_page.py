"""The form of a new game on the host's pages: a few answers, and the table that they make beside them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final
from urllib.parse import quote

from companion.forms import game_form
from companion.forms.game_form import GameForm
from companion.session.table.form_filling import Fillable, FormResult
from companion.web.host.form_page import FormPage, OfferedGame
from companion.web.host.form_view import FilledForm
from companion.web.host.new_table import NEW_PATH
from companion.web.host.own_games.games import GAME_FORM_PATH
from companion.web.table_page import build_view_page
from templates.languages.messages import phrase

_OWN: Final = "_"
"""The name of the form that copies no game. No game can be called so."""


class GameFormPage(FormPage):
    """The page of the form of a game: a new one, or one that is copied and changed."""

    template = "host/game_form.html"
    path = GAME_FORM_PATH
    draft_name = "game"
    title = phrase("A new game")

    def list_games(self, wanted: str) -> Sequence[OfferedGame]:  # noqa: ARG002
        """Return a new game, and the games that have a page."""
        origins = game_form.origins(self.archive)
        return [
            OfferedGame(each.name or _OWN, choice.title, choice.detail or each.about)
            for each, choice in zip(origins, game_form.choices(origins), strict=True)
        ]

    def open_form(self, game: str) -> Fillable:
        """Return the form of a new game, or of a copy."""
        origins = {each.name or _OWN: each for each in game_form.origins(self.archive)}
        return GameForm(self.archive, origins[game])

    def lead_on(self, game: str, outcome: FormResult) -> str:  # noqa: ARG002
        """Return the path of the form for a table of the game."""
        return f"{NEW_PATH}?game={quote(outcome.id)}"

    def read_context(self, game: str, filled: FilledForm) -> Mapping[str, Any]:  # noqa: ARG002
        """Return the table that the answers make."""
        view = filled.form.view if isinstance(filled.form, GameForm) else None
        return {"table": build_view_page(view) if view is not None else None, "table_refusal": ""}
