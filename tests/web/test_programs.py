"""Several programs that serve one archive, and a proxy before one: no phone notices which of them it asks."""

import contextlib
import re
import select
import socket
import subprocess
import sys
import threading
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from companion.archive import Archive
from companion.session.table.shared_session import SharedSessions
from companion.web import address
from companion.web.server import ServeOptions, host_pages
from tests.archive import postgres
from tests.conftest import TEMPLATE
from tests.web.serving import PIN, Host, Phone, serving

pytestmark = pytest.mark.posix
ROOT = Path(__file__).parents[2]
BEHIND = "127.0.0.1"
"""Whose word on addresses is believed, so that each test comes from addresses of its own."""


class Both(NamedTuple):
    """Who plays and serves here, and the port of `companion serve`, another program on the same database."""

    here: Host
    there: int

    def phones(self, name: str) -> tuple[Phone, Phone]:
        """One phone that was let in here; as it asks here, and as it asks there."""
        here = self.here.phone(name)
        return here, self.moved(here)

    def moved(self, phone: Phone) -> Phone:
        """The same phone, as it asks there."""
        there = Phone(self.there)
        there.cookie = phone.cookie
        return there


@pytest.fixture(scope="module")
def both(server: postgres.Server) -> Iterator[Both]:
    """Two programs on one database."""
    # Tests that another process has taken over leave the module, and come back to it.
    name = f"league_{uuid.uuid4().hex}"
    server.sql(f"CREATE DATABASE {name} TEMPLATE {TEMPLATE}")
    url = server.url(name)
    with (
        Archive.open(url, by="tests") as archive,
        serving(archive, proxies=frozenset({BEHIND})) as here,
        _served(url) as there,
    ):
        yield Both(here, there)


@contextlib.contextmanager
def _served(archive: str) -> Iterator[int]:
    """`companion serve` for as long as the block lasts; its port. It is told no PIN."""
    options = ("--host", "127.0.0.1", "--port", "0", "--trusted-proxy", BEHIND, "--archive", archive)
    command = [sys.executable, "-m", "companion.cli", "serve", *options]
    with subprocess.Popen(
        command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, encoding="utf-8"
    ) as program:
        assert program.stdout is not None
        try:
            output = ""
            while "Phones may" not in output:
                line = program.stdout.readline()
                assert line, output
                output += line
            assert f"PIN      {PIN}\n" in output
            (port,) = re.findall(r"^Address  http://127\.0\.0\.1:(\d+)$", output, re.MULTILINE)
            yield int(port)
        finally:
            program.terminate()
            program.communicate(timeout=20)


def test_who_was_let_in_by_one_is_in_at_the_other(both: Both) -> None:
    session = both.here.fight()
    there = Phone(both.there)
    assert there.come_in(name="Benno").status == 303
    here = Phone(both.here.port)
    here.cookie = there.cookie
    with there.news(session) as news:
        assert news.next().kind == "table"
        # A form that one program made is believed by the other.
        assert here.post(f"/t/{session}/seat", there.get(f"/t/{session}").token, seat="ben").status == 303
        assert news.next().kind == "again"
    for phone in (here, there):
        assert "This is not my seat" in phone.get(f"/t/{session}").text


def test_a_change_at_one_is_on_the_phones_of_the_other(both: Both) -> None:
    session = both.here.fight()
    here, there = both.phones("Ana")
    with here.news(session) as heard, there.news(session) as news:
        assert (heard.next().kind, news.next().kind) == ("table", "table")
        both.here.sitting(session).enter("add ben hp -3")
        event = news.of_table()
        assert event.sentence == "Ben: HP 20 → 17, by hand."
        assert event.sections["seats"] == heard.of_table().sections["seats"]
        # And what is done with a phone there is seen here.
        there.sit(session, "ana")
        assert (heard.next().kind, news.next().kind) == ("again", "again")


def test_permissions_and_sending_away_hold_at_both_programs(both: Both) -> None:
    session = both.here.fight()
    _, there = both.phones("Cy")
    phones = both.here.server.phones
    cy = next(phone.phone for phone in phones.all() if phone.name == "Cy")
    with there.news(session) as news:
        assert news.next().kind == "table"
        phones.allow(cy, "own")
        assert news.next().kind == "again"
    with there.news(session) as news:
        assert news.next().kind == "table"
        phones.send_away(cy)
        assert news.next().kind == "again"
    assert there.get(f"/t/{session}").leads_to.startswith("/pin")
    assert "The host has removed this phone" in there.get("/pin").text


def tried(port: int, pin: str, by: str) -> int:
    """The status of a try at the PIN from an address."""
    phone = Phone(port)
    body = f"pin={pin}&token={phone.get('/pin').token}"
    return phone.ask("POST", "/pin", body, x_forwarded_for=by).status


def test_wrong_pins_are_counted_together(both: Both) -> None:
    ports = (both.here.port, both.there)
    tries = [tried(ports[number % 2], "000000", "10.0.0.1") for number in range(6)]
    assert tries == [403, 403, 403, 403, 429, 429]
    assert [tried(port, PIN, "10.0.0.1") for port in ports] == [429, 429]
    assert [tried(port, PIN, "10.0.0.2") for port in ports] == [303, 303]


class Proxy:
    """Hands on what browsers and pages say to each other, and names `address` as where a browser comes from."""

    def __init__(self) -> None:
        self.address = "10.0.0.1"
        self.to = 0
        self._socket = address.listen("127.0.0.1", 0)
        self.port: int = self._socket.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    def close(self) -> None:
        """Nobody is let in any more."""
        self._socket.shutdown(socket.SHUT_RDWR)
        self._socket.close()

    def _accept(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                browser, _ = self._socket.accept()
                threading.Thread(target=self._hand_on, args=(browser,), daemon=True).start()

    def _hand_on(self, browser: socket.socket) -> None:
        with browser, socket.create_connection(("127.0.0.1", self.to)) as pages:
            line, _, rest = browser.recv(65536).partition(b"\r\n")
            head, _, body = rest.partition(b"\r\n\r\n")
            # After whatever the browser itself claims.
            named = f"X-Forwarded-For: {self.address}".encode()
            pages.sendall(b"\r\n".join((line, head, named, b"", body)))
            while True:
                for ready in select.select([browser, pages], [], [])[0]:
                    heard = ready.recv(65536)
                    if not heard:
                        return
                    (pages if ready is browser else browser).sendall(heard)


@pytest.fixture
def proxy() -> Iterator[Proxy]:
    """One that is there for a test."""
    instance = Proxy()
    yield instance
    instance.close()


def test_behind_a_proxy_each_phone_is_counted_for_itself(archive: Archive, proxy: Proxy) -> None:
    sessions = SharedSessions(archive)
    public = f"http://127.0.0.1:{proxy.port}"
    wanted = ServeOptions("127.0.0.1", port=0, pin=PIN, public_url=public, proxies=("127.0.0.1",))
    with host_pages(archive, sessions, wanted) as hosted:
        hosted.server.start()
        proxy.to = hosted.server.port
        assert hosted.url == public
        assert [tried(proxy.port, "000000", f"10.7.7.{number}") for number in range(5)][-1] == 429
        assert Phone(proxy.port).come_in().status == 429
        proxy.address = "10.0.0.2"
        phone, host = Phone(proxy.port), Host(archive, sessions, hosted.server, proxy.port)
        assert phone.come_in().status == 303
        session = host.fight()
        with phone.news(session) as news:
            assert news.next().kind == "table"
            host.sitting(session).enter("add ana hp -1")
            assert news.of_table().sentence == "Ana: HP 20 → 19, by hand."
        # Who goes round the proxy finds nothing.
        assert Phone(hosted.server.port).get("/pin").status == 421
        hosted.server.stop()
