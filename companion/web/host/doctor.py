"""The doctor's page for the host: checks of this machine, and what to do about problems."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from itertools import groupby
from typing import Final, NamedTuple

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from companion.archive import Archive
from companion.archive.errors import Look
from companion.forms.health import AreaChecks, HealthCheck, Status, run_checks, summarize_checks
from companion.web.address import LOOPBACK
from companion.web.guard import Site
from companion.web.host.archive_care.archive import ARCHIVE_PATH
from companion.web.host.frame import Host, HostPages
from companion.web.host.phones import find_url
from templates.languages.messages import Text, phrase, phrase_in

DOCTOR_PATH: Final = "/host/doctor"
_WORDS: Final[Mapping[Status, Text]] = {
    "good": phrase_in("check", "Good"),
    "optional": phrase_in("check", "Optional"),
    "todo": phrase_in("check", "To do"),
}
_PAGES: Final[Mapping[str, tuple[str, Text]]] = {
    "Labels": ("/host/print", phrase("Print labels")),
    "Printers": ("/host/settings", phrase("Settings")),
    "Camera": ("/scan", phrase("Scan")),
    "Phones": ("/host/phones", phrase("Phones")),
    "Archive": (ARCHIVE_PATH, phrase("Archive")),
}
"""The pages on which an area is looked after."""
_NOWHERE: Final[tuple[str, Text]] = ("", "")
_COPIES: Final[tuple[str, Text]] = ("/host/settings", phrase("Settings"))


class ShownCheck(NamedTuple):
    """A check on the page. `link` and `link_text` lead to the page where the fix begins; "" if there is none."""

    title: Text
    status: Status
    state: Text
    text: Text
    link: str
    link_text: Text


class CheckedArea(NamedTuple):
    """An area with its checks, the problems first."""

    title: Text
    checks: Sequence[ShownCheck]


class DoctorRoutes:
    """The doctor's page."""

    def __init__(self, pages: HostPages) -> None:
        self._pages = pages
        self.routes = [Route(DOCTOR_PATH, pages.require_host(self.doctor))]

    async def doctor(self, _: Request, host: Host) -> Response:
        """Run all checks, and show them."""
        checks = await run_in_threadpool(check_machine, self._pages.archive, self._pages.pages.site)
        return self._pages.render_host(
            "host/doctor.html",
            host,
            here=DOCTOR_PATH,
            summary=summarize_checks(checks),
            areas=list(group_checks(checks)),
        )


def check_machine(archive: Archive, site: Site) -> Sequence[HealthCheck]:
    """Run the checks that matter to the host's pages, which need no terminal."""
    own: dict[str, AreaChecks] = {"Camera": _check_camera, "Phones": partial(_check_phones, site)}
    return run_checks(str(archive.store.file or archive.name), own)


def _check_camera() -> Iterator[HealthCheck]:
    """Report how boxes are scanned in a browser; only the browser knows if there is a camera."""
    text = phrase("The browser asks before it uses a camera. Without one, send a photograph from a file.")
    yield HealthCheck("Camera", "Camera", "good", text)


def _check_phones(site: Site) -> Iterator[HealthCheck]:
    """Check the address at which phones find the pages that are open now."""
    url = find_url(site)
    check = partial(HealthCheck, "Phones", "Address")
    if f"//{LOOPBACK}" in url or "//localhost" in url:
        alone = phrase("Only this machine finds the pages; connect it to your network, and start the companion again.")
        yield check("optional", alone)
        return
    yield check("good", phrase("Phones find the pages at {host}.", host=url))


def group_checks(checks: Sequence[HealthCheck]) -> Iterator[CheckedArea]:
    """Yield the areas with their checks."""
    for area, in_area in groupby(checks, key=lambda check: check.area):
        ordered = sorted(in_area, key=lambda check: check.status != "todo")
        yield CheckedArea(ordered[0].area_title, [_show_check(check, area) for check in ordered])


def _show_check(check: HealthCheck, area: str) -> ShownCheck:
    link, link_text = _NOWHERE
    if check.status != "good":
        link, link_text = _COPIES if check.name == "Copy elsewhere" else _PAGES.get(area, ("", ""))
    text = check.page_text or check.text
    return ShownCheck(check.title, check.status, _WORDS[check.status], _add_way_out(text, check.look), link, link_text)


def _add_way_out(text: Text, look: Look | None) -> Text:
    """Return a sentence with the way out that a page offers, if there is one."""
    # Translators: {problem} is a sentence; “Archive” is the title of a page.
    if look in ("damage", "loss"):
        return phrase("{problem} The page Archive checks it and goes back to a backup.", problem=text)
    return text
