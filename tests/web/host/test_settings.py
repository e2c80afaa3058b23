"""The settings, and the calibration of a printer, from the host's browser."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from companion.archive import stationery
from companion.archive.recovery import backups
from companion.forms import settings
from labels.paper import calibration
from templates.languages.messages import ENGLISH, set_language
from tests.web.host.filling import PageForm
from tests.web.serving import Host

SETTINGS: Final = "/host/settings"
CALIBRATE: Final = "/host/calibrate"


@pytest.fixture(autouse=True)
def settings_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each test has settings of its own."""
    for variable in ("XDG_CONFIG_HOME", "WIN_PD_OVERRIDE_LOCAL_APPDATA"):
        monkeypatch.setenv(variable, str(tmp_path / "settings"))


def test_settings_are_changed_and_say_so(own_host: Host) -> None:
    browser = own_host.browser()
    form = PageForm(browser, SETTINGS, {"stock": "L7651", "clock": "90 bell", "warnings": "off"})
    saved = form.press("keep").leads_to
    assert "The settings are saved." in browser.get(saved).text
    now = settings.read_settings()
    assert (now.stock, now.clock, now.warnings) == ("L7651", "90 bell", "off")
    again = PageForm(browser, SETTINGS)
    assert (again.get("stock"), again.get("clock"), again.get("warnings")) == ("L7651", "90 bell", "off")
    assert "theme" not in again.fields
    # The labels count at the next print-out.
    assert "L7651" in PageForm(browser, "/host/print?what=blank").page.text


@pytest.fixture
def english() -> Iterator[None]:
    """The language of this process is English again after the test."""
    yield
    set_language(ENGLISH)


@pytest.mark.usefixtures("english")
def test_a_language_counts_at_once(own_host: Host) -> None:
    browser = own_host.browser()
    saved = PageForm(browser, SETTINGS, {"language": "de"}).press("keep").leads_to
    page = browser.get(saved)
    assert '<html lang="de"' in page.text
    assert page.headers["set-cookie"].startswith("companion-language=de")


def test_copies_go_to_a_folder_that_the_host_types(own_host: Host, tmp_path: Path) -> None:
    stick = tmp_path / "stick"
    stick.mkdir()
    browser = own_host.browser()
    assert PageForm(browser, SETTINGS, {"elsewhere": str(stick)}).press("keep").status == 303
    assert own_host.archive.store.file is not None
    target = backups.read_offsite(own_host.archive.store.file)
    assert target is not None
    assert target.parent == stick
    answer = PageForm(browser, SETTINGS, {"elsewhere": str(tmp_path / "none")}).press("keep")
    assert answer.status == 422
    assert backups.read_offsite(own_host.archive.store.file) == target


def test_a_value_that_is_none_of_these_is_refused(own_host: Host) -> None:
    before = settings.read_settings()
    answer = PageForm(own_host.browser(), SETTINGS, {"stock": "nothing", "paper": "huge"}).press("keep")
    assert answer.status == 422
    assert "is none of these" in answer.text
    assert settings.read_settings() == before


def test_a_printer_is_measured(own_host: Host) -> None:
    browser = own_host.browser()
    form = PageForm(browser, f"{CALIBRATE}?game=a4", {"name": "office", "distance0": "21.5"})
    saved = form.press("keep").leads_to
    (row,) = stationery.printers(own_host.archive)
    assert row.name == "office"
    assert row.dx == pytest.approx(20 - 21.5)
    assert "office:" in browser.get(saved).text
    assert "office" in PageForm(browser, "/host/print?what=starter").choices("printer")


def test_the_distances_follow_from_the_paper(own_host: Host) -> None:
    browser = own_host.browser()
    a4, a5 = (PageForm(browser, f"{CALIBRATE}?game={name}") for name in ("a4", "a5"))
    assert (a4.get("distance2"), a4.get("distance3")) == tuple(f"{each:g}" for each in calibration.B)
    assert float(a5.get("distance2")) < float(a4.get("distance2"))
    assert browser.get(f"{CALIBRATE}?game=nothing").status == 404
    assert browser.get(f"{CALIBRATE}?game=nothing&printer=office").status == 404


def test_a_print_out_leads_to_the_calibration_of_its_printer(own_host: Host) -> None:
    stationery.calibrate(own_host.archive, "office", 1.0, 0.5, 1.0, 1.0)
    browser = own_host.browser()
    out = PageForm(browser, "/host/print?what=test", {"printer": "office"}).press("keep").leads_to
    assert "printer=office" in browser.get(out).text
    form = PageForm(browser, f"{CALIBRATE}?game=a4&printer=office")
    assert (form.get("name"), form.get("again")) == ("office", "yes")


def test_distances_that_no_printer_has_are_refused(own_host: Host) -> None:
    form = PageForm(own_host.browser(), CALIBRATE, {"name": "office", "distance0": "900"})
    assert form.press("keep").status == 422
    assert not stationery.printers(own_host.archive)


@pytest.mark.parametrize("path", [SETTINGS, CALIBRATE])
def test_only_the_host_may_change_them(own_host: Host, path: str) -> None:
    before = settings.read_settings()
    own_host.server.phones.allow_all("all")
    phone = own_host.phone("Ana")
    token = phone.get("/scan").token
    assert phone.get(path).status == 403
    for game in ("settings", "a4"):
        assert phone.post(path, token, game=game, do="keep", name="office").status == 403
        assert own_host.browser().post(path, "0" * 64, game=game, do="keep").status == 403
    assert settings.read_settings() == before
    assert not stationery.printers(own_host.archive)


def test_a_language_is_chosen_by_its_name_and_no_key_of_a_terminal_is_named(own_host: Host) -> None:
    form = PageForm(own_host.browser(), SETTINGS)
    assert "de" in form.choices("language")
    assert ">Deutsch" in form.page.text
    assert not re.search(r"F[0-9]+ at|Ctrl\+", form.page.text)
