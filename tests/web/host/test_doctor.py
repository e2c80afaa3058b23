"""The doctor's page: the checks of this machine, with ways out that a browser has."""

import re

from companion.forms.health import HealthCheck
from companion.web.host.doctor import group_checks
from tests.web.serving import Host

DOCTOR = "/host/doctor"


def test_the_page_reports_every_area_without_keys_and_commands(own_host: Host) -> None:
    browser = own_host.browser()
    assert f'href="{DOCTOR}"' in browser.get("/host").text
    page = browser.get(DOCTOR).text
    for area in ("Labels", "Printers", "Camera", "Phones", "Archive", "Versions"):
        assert f">{area}</h2>" in page
    assert "Only this machine finds the pages" in page
    assert "There is none; name a stick or another disk in the settings, and" in page
    main = page[page.index("<main") : page.index("</main>")]
    assert not re.search(r"\bF[0-9]{1,2}\b|Ctrl|\bcompanion [a-z]+ |--[a-z]", main), "a browser has no such keys"


def test_problems_come_first_and_name_the_page_that_helps() -> None:
    good = HealthCheck("Archive", "Backups", "good", "Three.")
    lost = HealthCheck("Archive", "Place", "todo", "It was replaced.", "loss")
    (area,) = group_checks([good, lost])
    assert [str(check.title) for check in area.checks] == ["Place", "Backups"]
    assert str(area.checks[0].text).endswith("The page Archive checks it and goes back to a backup.")
    assert [check.link for check in area.checks] == ["/host/archive", ""]


def test_only_the_host_sees_the_doctor(own_host: Host) -> None:
    assert own_host.phone("Ana").get(DOCTOR).status == 403
