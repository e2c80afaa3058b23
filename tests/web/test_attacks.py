"""What somebody sends who is no browser: each is answered so that nothing is told, and the table goes on."""

import contextlib
import gzip
import re
from collections.abc import Iterator

import pytest

from companion.archive import Archive
from companion.web.guard import ConnectionLimits
from tests.web.serving import Event, Host, News, Phone, serving

LEAKED = re.compile(rb"Traceback|/work|site-packages|\.py\b|uvicorn|starlette|root:|\[project\]|SQLite", re.IGNORECASE)
"""What no answer holds: names of files, of programs, or what stands in them."""
AGREED = b"Host: 127.0.0.1:%d\r\n"
LARGE = 300 * 1024
"""Bytes, more than are read at once."""


class Table:
    """A table that a phone looks at all the while."""

    def __init__(self, host: Host, phone: Phone, news: News, session: str) -> None:
        self.host = host
        self.phone = phone
        self.session = session
        self._news = news

    def goes_on(self) -> bool:
        """Whether the next change is heard."""
        self.host.sitting(self.session).enter("add ana hp -1")
        event: Event = self._news.of_table()
        self.host.sitting(self.session).enter("undo")
        self._news.of_table()
        return event.sentence == "Ana: HP 20 → 19, by hand."

    def receive(self, sent: bytes) -> bytes:
        """All that comes back until the other end closes; b"" where it does so at once."""
        answer = b""
        with self.host.raw() as connection, contextlib.suppress(ConnectionError):
            connection.sendall(sent)
            while piece := connection.recv(65536):
                answer += piece
        assert not LEAKED.search(answer), answer
        return answer

    def request(self, line: bytes, *heads: bytes, body: bytes = b"") -> bytes:
        """The same of one request that names the right host."""
        return self.receive(
            b"\r\n".join((line, b"Connection: close", (AGREED % self.host.port).strip(), *heads, b"", body))
        )


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Table]:
    """One that all attacks are tried against; whoever says half a thing is not waited for long."""
    place = tmp_path_factory.mktemp("attacked") / "archive.sqlite"
    with Archive.open(str(place)) as archive, serving(archive, limits=ConnectionLimits(request_seconds=2)) as host:
        session, phone = host.fight(), host.phone("Anna")
        with phone.news(session) as news:
            news.of_table()
            yield Table(host, phone, news, session)


def statuses(answer: bytes) -> list[int]:
    """Those of all answers on a connection."""
    return [int(status) for status in re.findall(rb"HTTP/1\.1 (\d{3}) ", answer)]


PATHS = (
    *(b"/style.css/../../pyproject.toml", b"/base.html", b"/web/style.css", b"/t/", b"/t/../pin", b"/pin/", b"/PIN"),
    *(b"/%3Cscript%3Ealert(1)%3C/script%3E", b"/.git/config", b"/archive.sqlite", b"/../../etc/passwd"),
    *(b"/static/../../pyproject.toml", b"/../pyproject.toml", b"/..%2f..%2fetc%2fpasswd", b"/%2e%2e/%2e%2e/etc/passwd"),
    *(b"/..;/..;/etc/passwd", b"/....//....//etc/passwd", b"/..\\..\\etc\\passwd", b"/%5c..%5c..%5cetc%5cpasswd"),
    *(b"/%c0%ae%c0%ae/etc/passwd", b"/%252e%252e/etc/passwd", b"/style.css%00.html", b"/style.css/../archive.sqlite"),
    *(b"//etc/passwd", b"///etc/passwd", b"/style.css/", b"/t/..%2f..%2fetc", b"/d/..%2f..%2fetc", b"/t/%00%00%00%00"),
    *(b"/" + b"a" * 8_000, b"/?" + b"a" * 8_000, b"/%", b"/%zz", b"/t/\xff\xfe", b"*", b"file:///etc/passwd"),
    *(
        b"http://evil.example/etc/passwd",
        b"etc/passwd",
        b"/t/7K3M9QPX/../../../etc/passwd",
        b"/templates/web/base.html",
    ),
)


def test_no_path_leads_out_of_the_pages_and_none_is_repeated(table: Table) -> None:
    cookie = b"Cookie: " + table.phone.cookie.encode()
    for path in PATHS:
        for heads in ((), (cookie,)):
            answer = table.request(b"GET %s HTTP/1.1" % path, *heads)
            assert set(statuses(answer)) <= {303, 400, 404, 421}, (path, answer)
            # Nor is what was asked for said again.
            assert not any(word in answer for word in (b"passwd", b"alert", b"config", b"archive.sqlite")), path
    assert table.goes_on()


HOSTS = (
    *(b"127.0.0.1:0", b"127.0.0.1:99999", b"127.0.0.1:-1", b"127.0.0.1:", b"127.0.0.1:%d:%d", b"127.0.0.1:0%d"),
    *(b"127.0.0.1:%d@evil.example", b"evil.example#127.0.0.1:%d", b"127.0.0.1:%d/", b"127.0.0.1:%d, evil.example"),
    *(
        b"127.1:%d",
        b"0x7f000001:%d",
        b"[::1]:%d",
        b"[::ffff:127.0.0.1]:%d",
        b"0.0.0.0:%d",
        b"127.0.0.1.:%d",
        b"\xff:%d",
    ),
)


def test_no_host_but_ours_in_its_one_spelling_gets_a_page(table: Table) -> None:
    for named in HOSTS:
        host = b"Host: " + named.replace(b"%d", str(table.host.port).encode())
        answer = table.receive(b"GET /pin HTTP/1.1\r\n%s\r\nConnection: close\r\n\r\n" % host)
        assert statuses(answer) in ([400], [421]), (named, answer)
    assert table.goes_on()


def test_a_head_that_is_there_twice_is_not_believed(table: Table) -> None:
    port, token = table.host.port, table.phone.get(f"/t/{table.session}").token.encode()
    ours, evil = b"Origin: http://127.0.0.1:%d" % port, b"Origin: http://evil.example"
    cookie, length = b"Cookie: " + table.phone.cookie.encode(), b"Content-Length: %d" % len(b"seat=ana&token=" + token)
    change, body = b"POST /t/%s/seat HTTP/1.1" % table.session.encode(), b"seat=ana&token=" + token
    assert statuses(table.request(change, cookie, length, evil, body=body)) == [403]
    for heads in ((ours, evil), (evil, ours)):
        answer = table.request(change, cookie, length, *heads, body=body)
        assert statuses(answer) == [403], answer
    for host in (AGREED.strip() % port, b"Host: evil.example"):
        assert statuses(table.request(b"GET /pin HTTP/1.1", host)) in ([400], [421])
    for second in (b"Content-Length: 0", b"Content-Length: 5", b"Content-Length: +5", b"Content-Length: 5, 0"):
        assert statuses(table.request(change, cookie, ours, length, second, body=body)) == [400], second
    assert "This is not my seat" not in table.phone.get(f"/t/{table.session}").text
    assert table.goes_on()


SMUGGLED = b"GET /smuggled HTTP/1.1\r\nHost: x\r\n\r\n"
FORMS = (
    (b"Content-Length: 6", b"Transfer-Encoding: chunked"),
    (b"Transfer-Encoding: chunked", b"Content-Length: 6"),
    (b"Transfer-Encoding: chunked", b"Transfer-Encoding: identity"),
    (b"Transfer-Encoding: identity, chunked",),
    (b"Transfer-Encoding: xchunked",),
    (b"Transfer-Encoding : chunked",),
    (b"Transfer-Encoding:\x0bchunked",),
    (b" Transfer-Encoding: chunked",),
    (b"X: y\nTransfer-Encoding: chunked",),
    (b"X: y\rTransfer-Encoding: chunked", b"Content-Length: 6"),
    (b"Content-Length: 0x6",),
    (b"Content-Length: 6\x00",),
)


@pytest.mark.parametrize("heads", FORMS, ids=range(len(FORMS)))
def test_no_request_hides_in_another(table: Table, heads: tuple[bytes, ...]) -> None:
    origin = b"Origin: http://127.0.0.1:%d" % table.host.port
    answer = table.request(b"POST /pin HTTP/1.1", origin, *heads, body=b"0\r\n\r\n" + SMUGGLED)
    # One answer, and the connection is over: nobody behind a proxy gets what was meant for another.
    assert len(statuses(answer)) <= 1, answer
    assert set(statuses(answer)) <= {400, 403, 501}, answer
    assert table.goes_on()


def test_heads_have_an_end(table: Table) -> None:
    for heads in ((b"X: " + b"y" * LARGE,), tuple(b"X%d: y" % number for number in range(40_000))):
        assert statuses(table.request(b"GET /pin HTTP/1.1", *heads)) in ([], [400], [431])
    assert statuses(table.request(b"GET /%s HTTP/1.1" % (b"x" * LARGE))) in ([], [400], [414])
    cookies = b"; ".join(b"c%d=%s" % (number, b"z" * 20) for number in range(400))
    assert statuses(table.request(b"GET /tables HTTP/1.1", b"Cookie: " + cookies)) == [303]
    assert table.goes_on()


@pytest.mark.parametrize(
    "method", [b"PUT", b"DELETE", b"TRACE", b"CONNECT", b"get", b"PROPFIND", b"X" * 100, b"G\x00T"]
)
def test_nothing_but_looking_and_sending_is_done(table: Table, method: bytes) -> None:
    cookie = b"Cookie: " + table.phone.cookie.encode()
    answer = table.request(b"%s /t/%s/seat HTTP/1.1" % (method, table.session.encode()), cookie)
    assert statuses(answer) in ([400], [405]), answer
    # What was sent does not come back, as TRACE would have it.
    assert table.phone.cookie.encode() not in answer
    assert table.goes_on()


def test_another_protocol_is_not_spoken(table: Table) -> None:
    upgrade = (b"Connection: Upgrade", b"Upgrade: websocket", b"Sec-WebSocket-Version: 13", b"Sec-WebSocket-Key: eA==")
    path = b"GET /t/%s/news HTTP/1.1" % table.session.encode()
    assert 101 not in statuses(table.request(path, *upgrade))
    assert 101 not in statuses(table.request(b"GET /pin HTTP/1.1", b"Connection: Upgrade", b"Upgrade: h2c"))
    assert table.goes_on()


def test_http_1_0_gets_one_page_and_pipelining_all_in_turn(table: Table) -> None:
    assert statuses(table.request(b"GET /pin HTTP/1.0")) == [200]
    assert statuses(table.receive(b"GET /pin\r\n\r\n")) == [400]
    head = b"\r\n" + AGREED % table.host.port + b"\r\n"
    requests = b"".join(b"GET %s HTTP/1.1" % path + head for path in (b"/pin", b"/nothing", b"/tables", b"/style.css"))
    last = b"GET /pin HTTP/1.1\r\nConnection: close" + head
    assert statuses(table.receive(requests + last)) == [200, 404, 303, 200, 200]
    # Many at once are answered one after the other, while the table goes on.
    with table.host.raw(b"".join(b"GET /pin HTTP/1.1" + head for _ in range(200))):
        assert table.goes_on()


def test_the_head_of_a_stream_comes_at_once(table: Table) -> None:
    cookie = b"Cookie: " + table.phone.cookie.encode()
    for path in (b"/t/%s/news" % table.session.encode(), b"/t/%s" % table.session.encode(), b"/pin", b"/style.css"):
        answer = table.request(b"HEAD %s HTTP/1.1" % path, cookie)
        assert statuses(answer) in ([200], [303]), path
        assert answer.endswith(b"\r\n\r\n"), path
    assert table.goes_on()


INSIDE = ("", "/log", "/news", "/answer?line=2", "/seat", "/answer", "/change", "/go", "/undo", "/redo", "/note")


def test_the_cookie_of_a_phone_sent_away_opens_nothing(table: Table) -> None:
    phones, gone = table.host.server.phones, table.host.phone("Mallory")
    token = gone.get(f"/t/{table.session}").token
    (mallory,) = (each.phone for each in phones.all() if each.name == "Mallory")
    phones.send_away(mallory)
    before = table.host.archive.lines(table.session)
    for path in (*(f"/t/{table.session}{each}" for each in INSIDE), "/scan", "/tables", "/decks", "/d/7K3M9QPX2B4TC"):
        for answer in (gone.get(path), gone.post(path, token, seat="ana", text="x", encoding="utf-8")):
            assert answer.status in (303, 404, 405) or answer.text.endswith("event: again\ndata: 1\n\n"), path
            assert "Ana" not in answer.text
    assert gone.come_in_again(token).leads_to == "/pin"
    assert table.host.archive.lines(table.session) == before
    assert table.goes_on()


def test_a_body_is_never_unpacked_and_may_come_in_chunks(table: Table) -> None:
    phone, session = table.phone, table.session
    token = phone.get(f"/t/{session}").token
    body = f"seat=ana&token={token}"
    bomb = gzip.compress(bytes(10_000_000))
    packed = {"content_encoding": "gzip", "content_type": "application/x-www-form-urlencoded"}
    assert phone.ask("POST", f"/t/{session}/seat", bomb, **packed).status == 403
    assert phone.ask("POST", f"/t/{session}/seat", gzip.compress(body.encode()), **packed).status == 403
    assert phone.ask("POST", f"/t/{session}/seat", body.replace("&", ";")).status == 403
    assert phone.ask("POST", f"/t/{session}/seat", f"{body}&token=x").status == 403
    assert phone.ask("POST", f"/t/{session}/seat", "&".join(["a=1"] * 20_000)).status == 403
    parts = b"".join(b'--x\r\nContent-Disposition: form-data; name="f%d"\r\n\r\n1\r\n' % n for n in range(10_000))
    assert phone.ask("POST", "/scan", parts, content_type="multipart/form-data; boundary=x").status == 403
    assert phone.ask("POST", f"/t/{session}/seat", parts[:9_000], content_type="multipart/form-data").status == 403
    assert "This is not my seat" not in phone.get(f"/t/{session}").text
    assert table.goes_on()


@pytest.mark.slow
def test_a_body_without_end_ends_on_every_page(table: Table) -> None:
    origin, cookie = b"Origin: http://127.0.0.1:%d" % table.host.port, b"Cookie: " + table.phone.cookie.encode()
    paths = (b"/pin", b"/nothing", b"/t/%s/note" % table.session.encode(), b"/style.css", b"/scan")
    with contextlib.ExitStack() as opened:
        connections = []
        for line in (b"%s %s HTTP/1.1" % (method, path) for method in (b"GET", b"POST", b"HEAD") for path in paths):
            connection = opened.enter_context(table.host.raw())
            connections.append(connection)
            head = (line, (AGREED % table.host.port).strip(), origin, cookie, b"Transfer-Encoding: chunked", b"", b"")
            with contextlib.suppress(ConnectionError):
                connection.sendall(b"\r\n".join(head) + (b"4000\r\n" + b"x" * 0x4000 + b"\r\n") * 20)
        for connection in connections:
            with contextlib.suppress(ConnectionError):
                while connection.recv(65536):
                    pass
    assert table.goes_on()


def test_nobody_takes_the_name_of_the_host_or_of_another_phone(table: Table) -> None:
    host = table.host.archive.by
    assert "@" in host
    answer = table.host.stranger().come_in(name=host)
    assert (answer.status, "cannot contain an @" in answer.text) == (403, True)
    phones = table.host.server.phones
    veiled = table.host.stranger().come_in(name="An\u200ca")
    assert (veiled.status, "an invisible character" in veiled.text) == (403, True)
    for name, as_known in (("anna", "anna 2"), ("Ａnna", "Ａnna 3"), ("Zoe", "Zoe")):
        table.host.phone(name)
        assert phones.all()[-1].name == as_known
    nameless = table.host.phone()
    (entry,) = (each for each in phones.all() if each.name == "")
    table.host.phone(f"Phone {entry.phone[:4]}")
    assert phones.all()[-1].name == f"Phone {entry.phone[:4]} 2"
    assert nameless.get(f"/t/{table.session}").status == 200
