"""A server on this machine alone, and phones that ask it: plain ones, which keep their cookie and read tokens."""

from __future__ import annotations

import http.client
import json
import re
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple, Self
from urllib.parse import urlencode

from companion.archive import Archive
from companion.archive.web_access import Permissions
from companion.session.core import archive_journal
from companion.session.table.shared_session import SharedSessions
from companion.session.table.table_client import TableClient
from companion.web import address
from companion.web.guard import ConnectionLimits, Site
from companion.web.host.door import HostDoor
from companion.web.server import Server

PIN = "271828"
PATIENCE = 20.0
"""Seconds after which what does not come has failed."""
_TOKEN = re.compile(r'name="token" value="(\w+)"')


class Answer(NamedTuple):
    """What came back."""

    status: int
    headers: dict[str, str]
    text: str

    @property
    def leads_to(self) -> str:
        """Where it sends a browser."""
        return self.headers.get("location", "")

    @property
    def token(self) -> str:
        """The token in its form."""
        match = _TOKEN.search(self.text)
        assert match, self.text
        return match[1]


class Event(NamedTuple):
    """One server-sent event."""

    kind: str
    number: str
    data: str

    @property
    def sections(self) -> dict[str, str]:
        """The sections that it brings."""
        sections: dict[str, str] = json.loads(self.data)["sections"]
        return sections

    @property
    def sentence(self) -> str:
        """What it says has happened."""
        sentence: str = json.loads(self.data)["told"]
        return sentence


class News:
    """What a page hears while it is open."""

    def __init__(self, connection: http.client.HTTPConnection, answer: http.client.HTTPResponse) -> None:
        self._connection = connection
        self._answer = answer

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._answer.close()
        self._connection.close()

    def next(self) -> Event:
        """The next event that has a kind. Raises EOFError once there is none any more."""
        while True:
            fields: dict[str, str] = {}
            while (line := self._line()) != "":
                name, _, value = line.partition(": ")
                fields[name] = value
            if "event" in fields:
                return Event(fields["event"], fields.get("id", ""), fields.get("data", ""))

    def of_table(self) -> Event:
        """The next that says something of the table."""
        while (event := self.next()).kind != "table":
            pass
        return event

    def _line(self) -> str:
        read = self._answer.readline()
        if not read.endswith(b"\n"):
            raise EOFError
        return read.decode().rstrip("\n")


class Phone:
    """A browser without a screen."""

    def __init__(self, port: int, host: str = "127.0.0.1") -> None:
        self.host = host
        self.port = port
        self.cookie = ""
        self.origin = f"http://{host}:{port}"
        self.token = ""

    def ask(self, method: str, path: str, body: str | bytes | None = None, **headers: str | None) -> Answer:
        """One request; a header that is None is left out."""
        connection = http.client.HTTPConnection(self.host, self.port, timeout=PATIENCE)
        usual = {"cookie": self.cookie or None, "origin": self.origin if method == "POST" else None}
        sent_headers = usual | {name.replace("_", "-"): value for name, value in headers.items()}
        try:
            connection.request(
                method, path, body, {name: value for name, value in sent_headers.items() if value is not None}
            )
            response = connection.getresponse()
            answer = Answer(
                response.status,
                {name.lower(): value for name, value in response.getheaders()},
                response.read().decode(errors="surrogateescape"),
            )
        finally:
            connection.close()
        if "set-cookie" in answer.headers:
            self.cookie = answer.headers["set-cookie"].partition(";")[0]
        return answer

    def get(self, path: str, **headers: str | None) -> Answer:
        """A page."""
        return self.ask("GET", path, **headers)

    def post(self, path: str, token: str, **fields: str) -> Answer:
        """A form that is sent."""
        kind = {"content_type": "application/x-www-form-urlencoded"}
        return self.ask("POST", path, urlencode({**fields, "token": token}), **kind)

    def come_in(self, pin: str = PIN, name: str = "") -> Answer:
        """Type a PIN."""
        return self.post("/pin", self.get("/pin").token, pin=pin, name=name)

    def come_in_again(self, token: str, pin: str = PIN) -> Answer:
        """Type a PIN where no form is shown."""
        return self.post("/pin", token, pin=pin)

    def sit(self, session: str, seat: str) -> Answer:
        """Say whose page this is."""
        return self.post(f"/t/{session}/seat", self.get(f"/t/{session}").token, seat=seat)

    def news(self, session: str, have: int | str = "", whom: str = "", **headers: str) -> News:
        """Open the stream of a page, which may say for whom it is; it is closed with the block."""
        connection = http.client.HTTPConnection(self.host, self.port, timeout=PATIENCE)
        sent_headers = {"cookie": self.cookie, **{name.replace("_", "-"): value for name, value in headers.items()}}
        connection.request("GET", f"/t/{session}/news?have={have}&as={whom}", headers=sent_headers)
        return News(connection, connection.getresponse())


class Host:
    """Who serves: an archive with its tables, as one process has them."""

    def __init__(self, archive: Archive, sessions: SharedSessions, server: Server, port: int) -> None:
        self.archive = archive
        self.sessions = sessions
        self.server = server
        self.port = port

    def table(self, *lines: str, game: str = "decknforge") -> str:
        """A new table with these lines; its session."""
        session = archive_journal.start(self.archive, game, title="Friday")
        for line in lines:
            session.enter(line)
        return session.id

    def fight(self) -> str:
        """A table with three people before their first Boss."""
        return self.table("seat ana", "seat ben", "seat cy", "active ana", "begin seed 1")

    def sitting(self, session: str) -> TableClient:
        """A screen of the host's at a table."""
        return TableClient(self.sessions.open(session))

    def stranger(self) -> Phone:
        """A phone that was not let in."""
        return Phone(self.port)

    def phone(self, name: str = "") -> Phone:
        """A phone that was."""
        phone = self.stranger()
        assert phone.come_in(name=name).status == 303
        return phone

    def browser(self) -> Phone:
        """The host's own browser, which came in by a link."""
        assert self.server.door is not None
        browser = self.stranger()
        assert browser.get(self.server.door.make_link()).leads_to == "/host"
        return browser

    def raw(self, sent: bytes = b"") -> socket.socket:
        """A connection on which something was said, without the manners of a browser."""
        connection = socket.create_connection(("127.0.0.1", self.port), timeout=PATIENCE)
        connection.sendall(sent)
        return connection


@contextmanager
def serving(
    archive: Archive,
    port: int = 0,
    permissions: Permissions | None = "look",
    limits: ConnectionLimits | None = None,
    *,
    face_down: bool = False,
    opens: bool = True,
    **fields: Any,
) -> Iterator[Host]:
    """An archive's pages on this machine alone, for as long as the block lasts; also the host's, if it `opens` them.

    Its phones may look only and choose openly by default; with `permissions` None they may do what the archive says.
    """
    listening = address.listen("127.0.0.1", port)
    port = listening.getsockname()[1]
    sessions = SharedSessions(archive)
    site = Site(address.list_origins("127.0.0.1", port, ()))._replace(**fields)
    door = HostDoor() if opens else None
    server = Server(archive, sessions, listening, site, PIN, permissions, limits, door)
    if not archive.store.loss_reason:
        server.phones.choose_face_down(is_on=face_down)
    server.start()
    try:
        yield Host(archive, sessions, server, port)
    finally:
        server.stop()
