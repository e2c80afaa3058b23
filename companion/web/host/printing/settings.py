"""The pages of the settings, and of a printer's calibration."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Final

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response

from companion.forms import settings
from companion.forms.calibration_form import CalibrationForm
from companion.forms.settings_form import SettingsForm
from companion.session.table.form_filling import Fillable, FormResult
from companion.web.host.form_page import FormPage, OfferedGame
from companion.web.host.form_view import FilledForm
from companion.web.host.frame import Host
from labels.geometry import MM, NAMED, Paper, paper_of_region
from labels.paper import calibration
from labels.paper.calibration import CalibrationError
from templates.languages import catalogues
from templates.languages.messages import phrase

if TYPE_CHECKING:
    from companion.session.table.form_answers import Answers

SETTINGS_PATH: Final = "/host/settings"
CALIBRATE_PATH: Final = "/host/calibrate"


class SettingsPage(FormPage):
    """The form of the settings, without the looks of a terminal."""

    template = "host/settings.html"
    path = SETTINGS_PATH
    draft_name = "Settings page"
    title = phrase("Settings")

    def list_games(self, wanted: str) -> Sequence[OfferedGame]:  # noqa: ARG002
        """Return one form, which is for all games."""
        return [OfferedGame("settings", self.title)]

    def open_form(self, game: str) -> Fillable:  # noqa: ARG002 – what other forms need
        """Return the form with the current settings."""
        return SettingsForm(self.archive)

    def lead_on(self, game: str, outcome: FormResult) -> str:  # noqa: ARG002
        """Return the path of the form. A language that was chosen is also that of this browser, at once."""
        language = settings.read_settings().language
        return f"{SETTINGS_PATH}?language={language}" if catalogues.find_language(language) else SETTINGS_PATH


class CalibrationPage(FormPage):
    """The form that measures a test page. Its distances follow from the size of the paper."""

    template = "host/calibration.html"
    path = CALIBRATE_PATH
    draft_name = "Calibration page"
    title = phrase("Calibrate a printer: measure a test page that was printed at 100 %")

    def list_games(self, wanted: str) -> Sequence[OfferedGame]:  # noqa: ARG002
        """Return a form for each paper that is large enough."""
        return [OfferedGame(paper.name, paper.title, paper.measures) for paper in list_papers()]

    def _choose_game(self, wanted: str, games: Sequence[OfferedGame], drafts: dict[str, Answers]) -> str:
        return super()._choose_game(wanted or next(reversed(drafts), paper_of_region().name), games, drafts)

    def open_form(self, game: str) -> Fillable:
        """Return the form for a paper."""
        return self._open(game, "")

    def _open(self, game: str, printer: str) -> CalibrationForm:
        return CalibrationForm(self.archive, printer, find_span(NAMED[game]))

    def lead_on(self, game: str, outcome: FormResult) -> str:  # noqa: ARG002
        """Return the path of the form."""
        return CALIBRATE_PATH

    async def show(self, request: Request, host: Host) -> Response:
        """Render the form, also for the printer that the address names."""
        game, printer = request.query_params.get("game", ""), request.query_params.get("printer", "")
        if not printer:
            return await super().show(request, host)
        return await run_in_threadpool(self._show_for, game, printer, host)

    def _show_for(self, game: str, printer: str, host: Host) -> Response:
        """Render the form for a test page that was printed with the calibration of a printer."""
        games = self.list_games(game)
        game = self._choose_game(game, games, {})
        return self._render(host, games, game, FilledForm(self._open(game, printer)))


def list_papers() -> Iterator[Paper]:
    """Yield the papers that are large enough for a test page."""
    for paper in NAMED.values():
        with suppress(CalibrationError):
            find_span(paper)
            yield paper


def find_span(paper: Paper) -> tuple[float, float]:
    """Return the distances from A to B on a test page, in mm. Raises CalibrationError."""
    return calibration.cross_distance((paper.width / MM, paper.height / MM))
