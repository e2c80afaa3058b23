"""Every route of the host's pages, the newest one too, against everybody who must not come in."""

import re
from collections.abc import Iterator
from typing import Final
from urllib.parse import quote

import pytest

from companion.session.table.shared_session import SharedSessions
from companion.web.guard import Site
from companion.web.host.door import HOST_PATH, HostDoor
from companion.web.host.frame import HostPages
from companion.web.host.one_instance import STARTER_PATH
from companion.web.host.routes import list_host_routes
from companion.web.pages import WebPages
from tests.web.serving import Host, Phone
from tests.web.test_sharing import multipart

_OPEN: Final = {f"GET {HOST_PATH}/enter/{{secret}}", f"POST {STARTER_PATH}"}
"""The ways in, which need a proof of their own instead of a session."""
_PARAMETERS: Final = (
    *("against", "at", "backup", "by", "changed", "deck", "design", "done", "game", "into", "kind", "name", "page"),
    *("part", "person", "printer", "q", "round", "row", "session", "shape", "sheet", "stock", "table", "what"),
)
"""What addresses of the host's pages may ask for."""
_FORM: Final = "application/x-www-form-urlencoded"
_FORM_WITH_FILES: Final = "multipart/form-data; boundary=xXxcutxXx"


def list_doors(host: Host, value: str = "00000000") -> Iterator[tuple[str, str]]:
    """Yield the method and a path of each route of the host's pages, with this value for its parts that vary."""
    pages = WebPages(host.archive, SharedSessions(host.archive), host.server.phones, Site(frozenset()))
    for route in list_host_routes(HostPages(pages, HostDoor())):
        for method in sorted((route.methods or set()) - {"HEAD"}):
            if f"{method} {route.path}" not in _OPEN:
                yield method, re.sub(r"\{[^}]*\}", value, route.path)


def knock(browser: Phone, method: str, path: str, token: str, **headers: str | None) -> list[int]:
    """Return the statuses of the answers to a request; what is posted is sent as a form, and as one with files."""
    if method == "GET":
        return [browser.get(path, **headers).status]
    return [
        browser.ask("POST", path, f"token={token}&do=delete", content_type=_FORM, **headers).status,
        browser.ask("POST", path, multipart(token, do=b"delete"), content_type=_FORM_WITH_FILES, **headers).status,
    ]


def answers(
    serving: Host, browser: Phone, token: str, methods: str = "GET POST", **headers: str | None
) -> dict[str, set[int]]:
    """Return the doors by the statuses of their answers."""
    doors = [door for door in list_doors(serving) if door[0] in methods.split()]
    return {f"{method} {path}": set(knock(browser, method, path, token, **headers)) for method, path in doors}


def open_doors(statuses_of: dict[str, set[int]], *refusals: int) -> dict[str, set[int]]:
    """Return the doors that answered anything else."""
    assert len(statuses_of) > 20
    return {door: statuses for door, statuses in statuses_of.items() if not statuses <= set(refusals)}


def test_no_door_opens_without_a_session(own_host: Host) -> None:
    own_host.server.phones.allow_all("all")
    token = own_host.browser().get(HOST_PATH).token
    for browser in (own_host.stranger(), own_host.phone("Ana")):
        assert open_doors(answers(own_host, browser, token), 403) == {}


def test_no_door_opens_by_another_name_or_through_a_proxy(own_host: Host) -> None:
    browser = own_host.browser()
    token = browser.get(HOST_PATH).token
    assert open_doors(answers(own_host, browser, token, host=f"evil.example:{own_host.port}"), 421) == {}
    assert open_doors(answers(own_host, browser, token, x_forwarded_for="127.0.0.1"), 404, 403) == {}


def test_no_form_is_taken_from_another_site(own_host: Host) -> None:
    browser = own_host.browser()
    token = browser.get(HOST_PATH).token
    for origin in ("http://evil.example", "null", None):
        assert open_doors(answers(own_host, browser, token, "POST", origin=origin), 403) == {}


def test_no_form_is_taken_without_its_token(own_host: Host) -> None:
    browser, other = own_host.browser(), own_host.browser()
    for token in ("", "0" * 64, other.get(HOST_PATH).token, browser.get("/scan").token):
        assert open_doors(answers(own_host, browser, token, "POST"), 403) == {}


@pytest.mark.parametrize(
    "value",
    [
        *("..", "../../../../etc/passwd", "/etc/passwd", "..\\..\\x", "file:///etc/passwd", "con", "a\0b", "%ff", "."),
        *("-1", "²", "١٢", "1e999", "9" * 5000, "é", "<script>alert(1)</script>", "a\r\nset-cookie: a=b"),
    ],
)
def test_no_value_in_an_address_reaches_a_file_or_stops_a_page(own_host: Host, value: str) -> None:
    browser, sent = own_host.browser(), quote(value, safe="")
    query = "&".join(f"{name}={sent[:200]}" for name in _PARAMETERS)
    for path in (path for method, path in list_doors(own_host, sent) if method == "GET"):
        answer = browser.get(f"{path}?{query}")
        assert answer.status < 500, path
        assert "root:" not in answer.text
        assert "<script>alert" not in answer.text
        assert "a=b" not in answer.headers.get("set-cookie", "")
