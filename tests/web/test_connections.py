"""Connections that are no browser's: idle ones, slow ones and garbage neither hold up the table nor stay for ever."""

import contextlib
import socket
import time
from collections.abc import Iterator

import pytest

from companion.archive import Archive
from companion.web import guard
from companion.web.guard import ConnectionLimits
from tests.web.serving import Host, serving

GARBAGE = (
    b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",  # a browser that tries https
    b"\x00" * 2_000,
    b"GET\r\n\r\n",
    b"GET / HTTP/9.9\r\n\r\n",
    b"GET /\xff HTTP/1.1\r\nHost: x\r\n\r\n",
    b"POST /pin HTTP/1.1\r\nContent-Length: -1\r\n\r\n",
    b"POST /pin HTTP/1.1\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    b"GET / HTTP/1.1\r\n" + b"X: y\r\n" * 20_000,
    b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
)


@pytest.fixture
def many() -> Iterator[list[socket.socket]]:
    """Connections that are closed at the end."""
    opened: list[socket.socket] = []
    yield opened
    for each in opened:
        each.close()


def is_open(connection: socket.socket) -> bool:
    """Whether the other end still holds it."""
    connection.setblocking(False)
    try:
        return bool(connection.recv(1))
    except BlockingIOError:
        return True
    except OSError:
        return False


def hears(host: Host) -> bool:
    """Whether a phone can come in, see the table, and hear of a change."""
    session, phone = host.fight(), host.phone()
    with phone.news(session) as news:
        assert news.next().kind == "table"
        host.sitting(session).enter("add ana hp -1")
        return news.of_table().sentence == "Ana: HP 20 → 19, by hand."


def test_two_hundred_idle_connections_hold_up_nobody(own_host: Host, many: list[socket.socket]) -> None:
    many += [own_host.raw(b"GET / HT" if number % 2 else b"") for number in range(200)]
    assert hears(own_host)
    assert sum(map(is_open, many)) <= ConnectionLimits().max_per_address


@pytest.mark.parametrize("sent", GARBAGE, ids=range(len(GARBAGE)))
def test_garbage_is_let_go(host: Host, sent: bytes) -> None:
    with host.raw() as connection:
        # It may close before it has read all of it.
        with contextlib.suppress(OSError):
            connection.sendall(sent)
            connection.shutdown(socket.SHUT_WR)
        with contextlib.suppress(ConnectionError):
            answer = connection.recv(4_000)
            assert answer[:12] in (b"", b"HTTP/1.1 400", b"HTTP/1.1 421", b"HTTP/1.1 505")
    assert host.stranger().get("/pin").status == 200


def ends(connection: socket.socket, trickle: bytes = b"") -> bool:
    """Whether the other end closes it, though something comes now and then."""
    deadline = time.monotonic() + 20
    while time.monotonic() < deadline:
        if not is_open(connection):
            return True
        with contextlib.suppress(OSError):
            connection.send(trickle)
        time.sleep(0.05)
    return False


def test_who_says_nothing_or_too_slowly_is_let_go(archive: Archive) -> None:
    with serving(archive, limits=ConnectionLimits(request_seconds=0.3)) as host:
        with host.raw() as silent, host.raw(b"GET /pin HTTP/1.1\r\n") as slow:
            assert ends(silent)
            assert ends(slow, b"X: y\r\n")
        head = f"GET /pin HTTP/1.1\r\nHost: 127.0.0.1:{host.port}\r\n\r\n"
        with host.raw(head.encode()) as second:
            assert second.recv(12) == b"HTTP/1.1 200"
            second.setblocking(True)
            while not second.recv(100_000).endswith(b"</html>"):
                pass
            assert ends(second, b"G")


def test_a_body_that_comes_too_slowly_is_let_go(own_host: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        guard.BodyLimit, "__new__", lambda cls, size=1000, seconds=0.3: tuple.__new__(cls, (size, seconds))
    )
    head = f"POST /pin HTTP/1.1\r\nHost: 127.0.0.1:{own_host.port}\r\nOrigin: {own_host.stranger().origin}\r\n"
    with own_host.raw(head.encode() + b"Content-Length: 100\r\n\r\npin=1") as connection:
        assert connection.recv(12) == b"HTTP/1.1 408"


@pytest.mark.parametrize(
    "limits", [ConnectionLimits(max_per_address=3), ConnectionLimits(max_connections=3)], ids=["of one", "in all"]
)
def test_a_page_that_is_open_is_nobodys_to_close(
    archive: Archive, limits: ConnectionLimits, many: list[socket.socket]
) -> None:
    with serving(archive, limits=limits) as host:
        session, phone = host.fight(), host.phone()
        with phone.news(session) as news:
            assert news.next().kind == "table"
            many += [host.raw() for _ in range(8)]
            host.sitting(session).enter("add ana hp -1")
            assert news.of_table().sentence
            assert sum(map(is_open, many)) < 3
            # Who comes last is let in, and not who came first.
            assert host.stranger().get("/pin").status == 200


def test_a_phone_that_sleeps_and_wakes_never_runs_out_of_room(archive: Archive) -> None:
    with serving(archive, limits=ConnectionLimits(max_per_address=12)) as host, contextlib.ExitStack() as opened:
        session, phone, other = host.fight(), host.phone(), host.phone()
        others = opened.enter_context(other.news(session))
        assert others.next().kind == "table"
        # None of them is closed: who has gone to sleep says nothing any more.
        pages = [opened.enter_context(phone.news(session)) for _ in range(100)]
        for page in pages[-3:]:
            assert page.next().kind == "table"
        host.sitting(session).enter("add ana hp -1")
        assert pages[-1].of_table().sentence == others.of_table().sentence == "Ana: HP 20 → 19, by hand."
        assert phone.get(f"/t/{session}").status == 200
        kinds = [pages[0].next().kind for _ in range(2)]
        assert kinds == ["table", "enough"]
        with pytest.raises(EOFError):
            pages[0].next()


def test_behind_a_proxy_each_address_has_a_share_of_its_own(archive: Archive) -> None:
    proxies = frozenset({"127.0.0.1"})
    with (
        serving(archive, limits=ConnectionLimits(max_connections=6), proxies=proxies) as host,
        contextlib.ExitStack() as opened,
    ):
        session = host.fight()
        for _ in range(3):
            phone = host.phone()
            news = opened.enter_context(phone.news(session, x_forwarded_for="10.0.0.1"))
            assert news.next().kind == "table"
        full = phone.get("/tables", x_forwarded_for="10.0.0.1")
        assert (full.status, full.text) == (
            429,
            "There are too many requests from your address; try again in a moment.",
        )
        assert phone.get("/tables", x_forwarded_for="10.0.0.2").status == 200
        opened.close()
        for _ in range(100):
            if phone.get("/tables", x_forwarded_for="10.0.0.1").status == 200:
                break
        assert phone.get("/tables", x_forwarded_for="10.0.0.1").status == 200


def test_who_takes_nothing_in_is_let_go(archive: Archive) -> None:
    with serving(archive, limits=ConnectionLimits(send_seconds=0.3)) as host:
        session, phone, deaf = host.fight(), host.phone(), host.phone()
        unread = socket.socket()
        unread.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1_024)
        unread.connect(("127.0.0.1", host.port))
        head = f"GET /t/{session} HTTP/1.1\r\nHost: 127.0.0.1:{host.port}\r\nCookie: {deaf.cookie}\r\n\r\n"
        with unread, phone.news(session) as news:
            assert news.next().kind == "table"
            # More than any buffer on the way holds, and none of it is read.
            assert is_gone(unread, head.encode() * 40)
            host.sitting(session).enter("add ana hp -1")
            assert news.of_table().sentence


def is_gone(connection: socket.socket, sent: bytes) -> bool:
    """Whether the other end breaks it off while we send and read nothing."""
    connection.settimeout(0.05)
    deadline = time.monotonic() + 20
    while time.monotonic() < deadline:
        try:
            connection.send(sent)
        except TimeoutError:
            continue
        except OSError:
            return True
    return False


def test_bodies_that_never_come_are_let_go_before_anybody_else(archive: Archive) -> None:
    with serving(archive, limits=ConnectionLimits(max_connections=5)) as host, contextlib.ExitStack() as opened:
        head = f"POST /pin HTTP/1.1\r\nHost: 127.0.0.1:{host.port}\r\nOrigin: http://127.0.0.1:{host.port}\r\n"
        waiting = [opened.enter_context(host.raw(head.encode() + b"Content-Length: 100\r\n\r\nx")) for _ in range(2)]
        idle = [opened.enter_context(host.raw()) for _ in range(3)]
        assert host.stranger().get("/pin").status == 200
        assert all(map(is_open, idle))
        assert not all(map(is_open, waiting))
