"""The way into the host's pages: links, sessions, and everybody who must not come in."""

import os
import socket
import struct
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from starlette.types import Message, Receive, Scope, Send

from companion.archive import Archive
from companion.session.table.shared_session import SharedSessions
from companion.web import visitor
from companion.web.address import AddressError
from companion.web.guard import is_local_connection
from companion.web.host.door import (
    LINK_SECONDS,
    HostDoor,
    HostGuard,
    find_owner,
    is_local_host,
    is_own_user,
    read_peer_owner,
)
from companion.web.server import ServeOptions, host_pages
from companion.web.visitor import HOST_SESSION
from tests.examples import examples
from tests.web.serving import PIN, Host, Phone, serving

PATHS = ("/host", "/host/enter/secret", "/host/phones", "/host/leave")
TABLE = """\
  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
   0: 0100007F:21EE 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 111 1 0 100 0 0 10 0
   1: 0100007F:21EE 0100007F:C350 01 00000000:00000000 00:00000000 00000000  1000        0 112 1 0 20 4 30 10 -1
   2: 0100007F:C350 0100007F:21EE 01 00000000:00000000 00:00000000 00000000  1001        0 113 1 0 20 4 30 10 -1
   3: 0100007F:C351 0100007F:21EE 01 00000000:00000000 00:00000000 00000000  1000        0 114 1 0 20 4 30 10 -1
"""
"""What Linux lists while two users have a page open; 8686 is 21EE, 50000 is C350."""
TABLE6 = """\
  sl  local_address                         remote_address                        st tx_queue rx_queue tr uid
   0: 0000000000000000FFFF00000100007F:C352 0000000000000000FFFF00000100007F:21EE 01 0:0 0:0 0  1002 0 115
   1: 00000000000000000000000001000000:C353 00000000000000000000000001000000:21EE 01 0:0 0:0 0  1003 0 116
"""
HERE = ("127.0.0.1", 8686)
is_little_endian = pytest.mark.skipif(sys.byteorder != "little", reason="the lists are in the machine's byte order")


def test_a_link_is_good_once(own_host: Host) -> None:
    assert own_host.server.door is not None
    link, browser = own_host.server.door.make_link(), own_host.stranger()
    answer = browser.get(link)
    assert (answer.status, answer.leads_to) == (303, "/host")
    cookie = answer.headers["set-cookie"].lower()
    assert "httponly" in cookie
    assert "samesite=strict" in cookie
    assert browser.get("/host").status == 200
    again = own_host.stranger().get(link)
    assert again.status == 403
    assert "companion serve --open" in again.text
    assert "set-cookie" not in again.headers
    assert browser.get(link).leads_to == "/host"


def test_an_old_link_is_refused() -> None:
    now = [1000.0]
    door = HostDoor(lambda: now[0])
    links = [door.make_link().rpartition("/")[2] for _ in range(2)]
    now[0] += LINK_SECONDS - 1
    assert door.enter(links[0])
    now[0] += 1
    assert door.enter(links[1]) == ""


def test_only_the_newest_links_are_good() -> None:
    door = HostDoor()
    links = [door.make_link().rpartition("/")[2] for _ in range(30)]
    assert [bool(door.enter(link)) for link in links] == [False] * 10 + [True] * 20


def test_a_head_request_does_not_use_up_a_link(own_host: Host) -> None:
    assert own_host.server.door is not None
    link = own_host.server.door.make_link()
    assert own_host.stranger().ask("HEAD", link).status == 403
    assert own_host.stranger().get(link).leads_to == "/host"


def test_a_session_ends_with_the_server(archive: Archive) -> None:
    with serving(archive) as first:
        browser = first.browser()
    with serving(archive, port=first.port) as second:
        assert second.port == first.port
        assert browser.get("/host").status == 403


def test_a_browser_can_end_its_session(own_host: Host) -> None:
    browser, other = own_host.browser(), own_host.browser()
    kept, token = browser.cookie, browser.get("/host").token
    assert browser.post("/host/leave", token).leads_to == "/host"
    browser.cookie = kept
    assert browser.get("/host").status == 403
    assert browser.get("/tables").leads_to == "/pin"
    assert other.get("/host").status == 200


@pytest.mark.parametrize("path", PATHS)
def test_without_the_option_there_are_no_such_pages(archive: Archive, path: str) -> None:
    with serving(archive, opens=False) as host:
        unknown = host.stranger().get("/nothing")
        assert host.stranger().get("/host").text == unknown.text
        assert host.stranger().get(path).status in (404, 405)
        assert host.phone().get("/host").status == 404


def test_a_phones_cookie_never_opens_the_hosts_pages(own_host: Host) -> None:
    own_host.server.phones.allow_all("all")
    phone = own_host.phone("Ana")
    assert phone.get("/host").status == 403
    _, _, value = phone.cookie.partition("=")
    name = own_host.browser().cookie.partition("=")[0]
    for forged in (value, value.partition(".")[0], "", "x" * 5000):
        phone.cookie = f"{name}={forged}"
        assert phone.get("/host").status == 403


def test_a_hosts_cookie_is_no_phones(own_host: Host) -> None:
    browser = own_host.browser()
    session = browser.cookie.partition("=")[2]
    key = own_host.server.phones.doors.key
    stranger = own_host.stranger()
    stranger.cookie = f"{visitor.cookie_name(key)}={session}"
    assert stranger.get("/tables").leads_to == "/pin"


@pytest.mark.parametrize("token", ["", "0" * 64, "é"])
def test_a_form_without_its_token_changes_nothing(own_host: Host, token: str) -> None:
    browser, pin = own_host.browser(), own_host.server.phones.doors.pin
    assert browser.post("/host/phones", token, do="pin").status == 403
    assert own_host.server.phones.doors.pin == pin


def test_the_token_of_another_page_or_session_is_refused(own_host: Host) -> None:
    browser, other = own_host.browser(), own_host.browser()
    for token in (other.get("/host/phones").token, browser.get("/scan").token):
        assert browser.post("/host/phones", token, do="pin").status == 403
    assert browser.post("/host/phones", browser.get("/host/phones").token, do="pin").status == 303


def test_a_form_from_another_site_is_refused(own_host: Host) -> None:
    browser = own_host.browser()
    token = browser.get("/host/phones").token
    for origin in ("http://evil.example", f"http://localhost:{own_host.port + 1}", "null", None):
        sent = browser.ask("POST", "/host/phones", f"token={token}&do=pin", origin=origin)
        assert sent.status == 403


@pytest.mark.parametrize("name", ["evil.example", "127.0.0.1.evil.example", "localhost.evil.example"])
def test_a_name_that_was_rebound_gets_no_page(own_host: Host, name: str) -> None:
    browser = own_host.browser()
    assert browser.get("/host", host=f"{name}:{own_host.port}").status == 421


def test_what_comes_through_a_proxy_gets_no_page(own_host: Host) -> None:
    browser = own_host.browser()
    for header in ("x_forwarded_for", "forwarded", "x_real_ip", "via"):
        answer = browser.get("/host", **{header: "127.0.0.1"})
        assert answer.status == 404
        # Nor is it the host on the pages for phones.
        assert browser.get("/tables", **{header: "127.0.0.1"}).leads_to == "/pin"


@pytest.mark.parametrize("wrong", [{"public_url": "https://cards.example"}, {"proxies": ("127.0.0.1",)}])
def test_the_hosts_pages_are_never_served_behind_a_proxy(archive: Archive, wrong: dict[str, str]) -> None:
    options = ServeOptions("127.0.0.1", port=0, opens=True)._replace(**wrong)  # type: ignore[arg-type]
    with pytest.raises(AddressError, match="this machine alone"), host_pages(archive, SharedSessions(archive), options):
        raise AssertionError


def request(client: str, server: str, path: str = "/host", **headers: str) -> Scope:
    """A request as an ASGI server describes it."""
    pairs = {"host": "127.0.0.1:8686", **{name.replace("_", "-"): value for name, value in headers.items()}}
    return {
        "type": "http",
        "method": "GET",
        "path": path,
        "client": (client, 50000),
        "server": (server, 8686),
        "headers": [(name.encode(), value.encode()) for name, value in pairs.items()],
    }


async def find_mark(scope: Scope, owner: int | None, door: HostDoor) -> str | None:
    """The mark of the guard on a request: with a session, with none, or not at all."""

    async def app(_: Scope, __: Receive, ___: Send) -> None: ...
    async def receive() -> Message:
        raise AssertionError

    async def send(_: Message) -> None: ...

    await HostGuard(app, door, lambda: "host", lambda _: owner)(scope, receive, send)
    return scope.get(HOST_SESSION)


@pytest.mark.asyncio
async def test_only_the_own_user_of_this_machine_is_marked() -> None:
    door, own = HostDoor(), 0 if sys.platform == "win32" else os.getuid()
    session = door.enter(door.make_link().rpartition("/")[2])
    cookie = f"a; b=c; host={session}"
    here = ("127.0.0.1", "127.0.0.1")
    assert await find_mark(request(*here, cookie=cookie), own, door) == session
    assert await find_mark(request("::1", "::1", cookie=cookie), own, door) == session
    assert await find_mark(request("::ffff:127.0.0.1", "::ffff:127.0.0.1", cookie=cookie), own, door) == session
    assert await find_mark(request(*here), own, door) == ""
    # A stolen cookie, from elsewhere in the network, or through this machine's own address there.
    assert await find_mark(request("10.0.0.7", "10.0.0.5", cookie=cookie), None, door) is None
    assert await find_mark(request("10.0.0.5", "10.0.0.5", cookie=cookie), own, door) is None
    assert await find_mark(request("127.0.0.1", "10.0.0.5", cookie=cookie), own, door) is None
    assert await find_mark(request(*here, cookie=cookie, host="10.0.0.5:8686"), own, door) is None
    if sys.platform != "win32":
        # Another user of this machine, and a connection that the system does not list.
        assert await find_mark(request(*here, cookie=cookie), own + 1, door) is None
        assert await find_mark(request(*here), own + 1, door) is None
        assert await find_mark(request(*here, cookie=cookie), -1, door) is None


@pytest.mark.parametrize(
    ("host", "expected"),
    [
        *((name, True) for name in ("127.0.0.1:8686", "localhost:8686", "[::1]:8686", "LOCALHOST")),
        *((name, False) for name in ("evil.example", "10.0.0.5:8686", "127.0.0.1.nip.io", "[::2]", "[", "", "0.0.0.0")),
    ],
)
def test_names_of_this_machine(host: str, expected: bool) -> None:
    assert is_local_host(host) is expected


@is_little_endian
@pytest.mark.parametrize(
    ("table", "local", "remote", "owner"),
    [
        (TABLE, ("127.0.0.1", 50000), HERE, 1001),
        (TABLE, ("127.0.0.1", 50001), HERE, 1000),
        (TABLE, ("127.0.0.1", 50002), HERE, None),
        (TABLE, ("127.0.0.2", 50000), HERE, None),
        (TABLE, HERE, ("127.0.0.1", 50000), 1000),
        (TABLE6, ("127.0.0.1", 50002), HERE, 1002),
        (TABLE6, ("::1", 50003), ("::1", 8686), 1003),
        ("", ("127.0.0.1", 50000), HERE, None),
        ("head\nnot a row\n1 :C350 :21EE a b c d e\n", ("127.0.0.1", 50000), HERE, None),
    ],
)
def test_the_owner_of_a_connection_is_read(
    table: str, local: tuple[str, int], remote: tuple[str, int], owner: int | None
) -> None:
    assert find_owner(table, local, remote) == owner


@is_little_endian
@settings(max_examples=examples(50))
@given(st.ip_addresses(v=4), st.integers(1, 65535), st.integers(0, 2**31))
def test_an_owner_is_found_by_both_ends(address: object, port: int, uid: int) -> None:
    text = str(address)
    cell = struct.pack("<I", struct.unpack(">I", socket.inet_aton(text))[0]).hex().upper()
    row = f"   0: {cell}:{port:04X} 0100007F:21EE 01 0:0 0:0 0 {uid} 0 1"
    assert find_owner(f"head\n{row}\n", (text, port), HERE) == uid
    assert find_owner(f"head\n{row}\n", (text, port), ("127.0.0.1", 8687)) is None


@pytest.mark.linux
def test_this_process_owns_its_own_connection() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server, socket.create_connection(server.getsockname()) as client:
        scope = {"client": client.getsockname(), "server": server.getsockname()}
        assert read_peer_owner(scope) == os.getuid()
        assert read_peer_owner(scope | {"client": ("127.0.0.1", 1)}) == -1


def test_an_unknown_owner_is_accepted_only_where_no_system_names_them() -> None:
    assert is_own_user(None)
    assert is_own_user(0)
    assert sys.platform == "win32" or not is_own_user(-1)


def test_a_connection_is_local_only_if_both_ends_are() -> None:
    assert is_local_connection({"client": ("127.0.0.1", 1), "server": ("127.0.0.1", 2)})
    assert not is_local_connection({"client": ("127.0.0.1", 1), "server": ("10.0.0.5", 2)})
    assert not is_local_connection({"client": None, "server": ("127.0.0.1", 2)})
    assert not is_local_connection({"client": ("a socket", 1), "server": ("127.0.0.1", 2)})


def test_phones_in_the_network_and_the_host_here_are_served_at_one_port(archive: Archive) -> None:
    near = [name for name in (_own_address(),) if name]
    if not near:
        pytest.skip("this machine is in no network")
    options = ServeOptions(near[0], port=0, pin=PIN, opens=True, announce=False)
    with host_pages(archive, SharedSessions(archive), options) as hosted:
        hosted.server.start()
        try:
            port = hosted.server.port
            assert hosted.own_url == f"http://127.0.0.1:{port}"
            browser = Phone(port)
            assert browser.get(hosted.make_link().removeprefix(hosted.own_url)).leads_to == "/host"
            assert browser.get("/host").status == 200
            # The same cookie and names, over the network's address.
            outside = Phone(port, near[0])
            outside.cookie = browser.cookie
            assert outside.get("/host").status == 404
            assert outside.get("/host", host=f"127.0.0.1:{port}").status == 421
            assert outside.get("/tables").leads_to == "/pin"
            assert outside.come_in().status == 303
        finally:
            hosted.server.stop()


def _own_address() -> str:
    """An address of this machine in a network, "" if it has none."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
        except OSError:
            return ""
        return str(probe.getsockname()[0])
