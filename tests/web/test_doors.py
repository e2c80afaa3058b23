"""Every door of the pages, tried from outside: the PIN, cookies, tokens, addresses, headers, paths and sizes."""

import re

import pytest

from companion.archive import Archive, web_access
from companion.web import visitor
from companion.web.guard import HEADERS, BodyLimit, address_key
from tests.web.serving import PIN, Host, Phone, serving

PAGES = (
    *("/", "/tables", "/t/7K3M9QPX", "/t/7K3M9QPX/log", "/scan", "/decks", "/leagues", "/l/7K3M9Q"),
    *("/t/7K3M9QPX/card", "/t/7K3M9QPX/card.png"),
    *("/d/7K3M9QPX2B4TC", "/d/7K3M9QPX2B4TC/record.pdf"),
)


@pytest.fixture(scope="module")
def session(host: Host) -> str:
    """A table that is only looked at."""
    return host.fight()


@pytest.mark.parametrize("path", PAGES)
def test_without_the_pin_every_page_leads_to_it(host: Host, path: str) -> None:
    answer = host.stranger().get(path)
    assert (answer.status, answer.leads_to.partition("?")[0]) == (303, "/pin")
    assert answer.text == ""


def test_without_the_pin_no_change_is_made_and_nothing_is_heard(host: Host, session: str) -> None:
    stranger = host.stranger()
    token = stranger.get("/pin").token
    assert stranger.post(f"/t/{session}/seat", token, seat="ana").leads_to == "/pin"
    with stranger.news(session) as news:
        assert news.next().kind == "again"


def test_the_pin_leads_to_the_table_that_was_wanted(host: Host, session: str) -> None:
    phone = host.stranger()
    wanted = phone.get(f"/t/{session}").leads_to
    form = phone.get(wanted)
    before = phone.cookie
    answer = phone.post("/pin", form.token, pin=PIN, name="Ana", to=wanted.partition("to=")[2])
    assert (answer.status, answer.leads_to) == (303, f"/t/{session}")
    assert phone.cookie != before
    cookie = answer.headers["set-cookie"].lower()
    assert all(attribute in cookie for attribute in ("httponly", "samesite=strict", "path=/", "max-age="))
    assert phone.get("/pin").leads_to == "/"


@pytest.mark.parametrize(
    "to", ["//evil.example", "https://evil.example/t/7K3M9QPX", "/t/7K3M9QPX/../..", "/pin\r\nx: y"]
)
def test_the_way_on_never_leads_elsewhere(host: Host, to: str) -> None:
    phone = host.stranger()
    assert phone.post("/pin", phone.get("/pin").token, pin=PIN, to=to).leads_to == "/"


def test_wrong_pins_are_counted_and_then_all_of_an_address_wait(own_host: Host) -> None:
    phone = own_host.stranger()
    answers = [phone.come_in("000000") for _ in range(6)]
    assert [answer.status for answer in answers] == [403, 403, 403, 403, 429, 429]
    assert int(answers[-1].headers["retry-after"]) > 30
    assert "This is not the PIN" in answers[0].text
    assert "Too many wrong PINs; try again in 60 seconds" in answers[4].text
    other = own_host.stranger()
    assert other.come_in().status == 429
    assert other.get("/tables").leads_to == "/pin"


def test_during_a_lock_the_host_lets_people_in_by_name(own_host: Host) -> None:
    session, phones = own_host.fight(), own_host.server.phones
    for _ in range(5):
        own_host.stranger().come_in("000000")
    zoe = own_host.stranger()
    assert zoe.come_in(name="Zoe").leads_to == "/pin"
    form = zoe.get("/pin")
    (waiting,) = phones.all()
    assert re.fullmatch(r"\d \d \d", waiting.code)
    assert f"The host has been asked to let in <bdi>Zoe</bdi> · {waiting.code}." in form.text
    assert zoe.get(f"/t/{session}").leads_to == f"/pin?to=/t/{session}"
    with zoe.news(session) as news:
        assert news.next().kind == "again"
    (waiting,) = phones.all()
    assert waiting.waiting
    phones.send_away(waiting.phone, away=False)
    assert zoe.get("/pin").leads_to == "/"
    assert zoe.get(f"/t/{session}").status == 200
    assert not phones.all()[0].waiting


def lock(host: Host) -> None:
    """As many wrong PINs as lock the doors."""
    for _ in range(5):
        host.stranger().come_in("000000")


def waiting_names(host: Host) -> list[str]:
    """The names of those who wait, the first one first."""
    return [phone.name for phone in host.server.phones.all() if phone.waiting]


def test_of_strangers_twenty_at_most_wait_and_who_knows_the_pin_is_never_pushed_out(own_host: Host) -> None:
    lock(own_host)
    zoe = own_host.stranger()
    assert zoe.come_in(name="Zoe").leads_to == "/pin"
    for number in range(22):
        own_host.stranger().come_in("000000", name=f"Mallory {number}")
    assert waiting_names(own_host) == ["Zoe", *(f"Mallory {number}" for number in range(2, 22))]
    assert "asked to let in <bdi>Zoe</bdi>" in zoe.get("/pin").text


def test_a_name_that_waits_is_given_to_nobody_else_this_evening(own_host: Host) -> None:
    lock(own_host)
    own_host.stranger().come_in("000000", name="Zoe")
    for _ in range(21):
        own_host.stranger().come_in("000000", name="Zoe")
    names = waiting_names(own_host)
    assert len(names) == len(set(names)) == 20
    # The first one waits no more, and her name is not free for all that.
    assert "Zoe" not in names
    codes = {phone.code for phone in own_host.server.phones.all()}
    assert len(codes) == 20


def test_who_asks_too_often_is_heard_no_more_whatever_they_type(own_host: Host) -> None:
    """Otherwise who may wait would tell the PIN."""
    lock(own_host)
    answers = [own_host.stranger().come_in("000000", name="Zoe").status for _ in range(31)]
    assert answers[:30] == [303] * 29 + [303]
    assert own_host.stranger().come_in("000000", name="Zoe").status == 429
    assert own_host.stranger().come_in(name="Zoe").status == 429


@pytest.mark.parametrize("lookalike", ["ZOE", "zoe", "Ｚｏｅ", "Zое", "Ζοe", "Z0e"])
def test_names_that_look_alike_are_one_name(own_host: Host, lookalike: str) -> None:
    own_host.phone("Zoe")
    own_host.phone(lookalike)
    assert sorted(phone.name for phone in own_host.server.phones.all()) == sorted(["Zoe", f"{lookalike} 2"])


def test_who_may_wait_tells_the_pin_to_nobody(own_host: Host) -> None:
    """Only as many PINs are compared as could be typed: after them, the right one waits as a wrong one does."""
    lock(own_host)
    for number in range(5):
        own_host.stranger().come_in(f"{number:06}", name="Mallory")
    guessing = own_host.stranger()
    guessing.come_in(name="Mallory")
    for _ in range(20):
        own_host.stranger().come_in("000000", name="Mallory")
    assert "has been asked" not in guessing.get("/pin").text


def test_who_waits_and_scans_the_code_comes_in_as_they_were_announced(own_host: Host) -> None:
    phones = own_host.server.phones
    lock(own_host)
    zoe = own_host.stranger()
    zoe.come_in(name="Zoe")
    token = visitor.form_token(phones.doors.key, phones.all()[0].phone)
    assert zoe.post("/pin", token, invitation=phones.invitation, name="Zoe").status == 303
    (entry,) = phones.all()
    assert (entry.name, entry.waiting, entry.away) == ("Zoe", False, False)
    assert zoe.get("/tables").status == 200


def test_a_name_stays_given_behind_another_pin(own_host: Host) -> None:
    """As what the log has by it could be taken back by its new owner."""
    own_host.phone("Mia")
    web_access.open_access(own_host.archive, "314159")
    own_host.server.phones.refresh()
    assert own_host.stranger().come_in("314159", "Mia").status == 303
    assert [phone.name for phone in own_host.server.phones.all()] == ["Mia 2"]


def test_a_new_pin_keeps_those_who_are_in(own_host: Host) -> None:
    phones = own_host.server.phones
    ana = own_host.phone("Ana")
    lock(own_host)
    zoe, mallory = own_host.stranger(), own_host.stranger()
    zoe.come_in(name="Zoe")
    mallory.come_in("000000", name="Mallory")
    before = phones.invitation
    phones.renew_pin()
    assert phones.doors.pin != PIN
    assert not phones.is_invited(before)
    assert ana.get("/tables").status == 200
    assert waiting_names(own_host) == ["Zoe"]
    assert own_host.stranger().come_in().status == 403
    assert own_host.stranger().come_in(phones.doors.pin).status == 303


@pytest.mark.sample(6)
@pytest.mark.parametrize("pin", ["", "27182", "2718281", "２７１８２８", "271828\0", "' OR 1=1"])
def test_only_the_pin_itself_is_right(archive: Archive, pin: str) -> None:
    with serving(archive) as host:
        assert host.stranger().come_in(pin).status == 403


def test_a_pin_may_be_typed_with_blanks_around_it(host: Host) -> None:
    assert host.stranger().come_in(f" {PIN} ").status == 303


def test_a_name_that_steers_is_refused_in_one_sentence(host: Host) -> None:
    answer = host.stranger().come_in(PIN, "\u202egnp")
    assert answer.status == 403
    assert "Your name has a character that cannot be displayed" in answer.text


def test_cookies_are_only_ours(host: Host, session: str) -> None:
    phone = host.phone()
    name, _, value = phone.cookie.partition("=")
    who, _, signature = value.partition(".")
    other = visitor.random_id()
    for forged in (
        *(who, f"{who}.", f"{other}.{signature}", f"{who}.{signature[:-1]}{'0' if signature[-1] != '0' else '1'}"),
        *("", ".", f"{who}.{signature}é".encode().decode("latin-1"), visitor.sign_cookie("00" * 32, who)),
    ):
        phone.cookie = f"{name}={forged}"
        assert phone.get(f"/t/{session}").status == 303, forged
    # Well signed, but never let in.
    key = host.server.phones.doors.key
    phone.cookie = f"{name}={visitor.sign_cookie(key, other)}"
    assert phone.get(f"/t/{session}").leads_to.startswith("/pin")


def test_another_pin_shows_everybody_out_at_once(archive: Archive, place: str) -> None:
    from companion.archive import web_access

    with serving(archive) as host:
        session = host.fight()
        phone = host.phone()
        with phone.news(session) as news:
            assert news.next().kind == "table"
            with Archive.open(place) as elsewhere:
                web_access.open_access(elsewhere, "314159")
            assert news.next().kind == "again"
        assert phone.get(f"/t/{session}").leads_to.startswith("/pin")
        assert host.stranger().come_in("314159").status == 303


def test_every_change_needs_the_token_of_who_makes_it(host: Host, session: str) -> None:
    ana, ben = host.phone(), host.phone()
    path, bens = f"/t/{session}/seat", ben.get(f"/t/{session}").token
    assert [ana.post(path, token, seat="ana").status for token in ("", "x", bens)] == [403, 403, 403]
    assert ana.ask("POST", path, b"seat=ana&token=\xff").status == 403
    assert ana.ask("POST", path, "&".join(f"a{n}=1" for n in range(500))).status == 403
    assert host.stranger().post("/pin", bens, pin=PIN).status == 403
    assert "This is not my seat" not in ana.get(f"/t/{session}").text


@pytest.mark.parametrize(
    "origin",
    [None, "null", "http://evil.example", "http://127.0.0.1", "https://127.0.0.1:{port}", "http://127.0.0.1:{port}.x"],
)
def test_changes_come_from_our_own_pages_only(host: Host, session: str, origin: str | None) -> None:
    phone = host.phone()
    token = phone.get(f"/t/{session}").token
    value = origin.format(port=host.port) if origin else None
    answer = phone.ask("POST", f"/t/{session}/seat", f"seat=cy&token={token}", origin=value)
    assert answer.status == 403
    assert phone.post(f"/t/{session}/seat", token, seat="cy").status == 303
    assert phone.post(f"/t/{session}/seat", token, seat="").status == 303


@pytest.mark.parametrize(
    "named", ["evil.example", "evil.example:{port}", "127.0.0.1", "127.0.0.1:1", "127.0.0.1:{port}.evil.example", ""]
)
def test_a_name_that_leads_here_by_a_trick_gets_no_page(host: Host, named: str) -> None:
    phone = host.phone()
    for path in ("/pin", "/style.css", "/tables"):
        answer = phone.get(path, host=named.format(port=host.port))
        assert answer.status == 421
        assert "evil" not in answer.text


def test_known_names_get_pages_in_any_case(host: Host) -> None:
    for named in (f"localhost:{host.port}", f"LocalHost:{host.port}", f"127.0.0.1:{host.port}"):
        assert host.stranger().get("/pin", host=named).status == 200


def test_two_names_or_none_are_refused(host: Host) -> None:
    for head in (b"GET /pin HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", b"GET /pin HTTP/1.0\r\n\r\n"):
        with host.raw(head) as connection:
            assert re.match(rb"HTTP/1.1 4(00|21) ", connection.recv(100))


def every_answer(host: Host, session: str) -> dict[str, Phone]:
    """Requests with an answer of each kind, each with who asks."""
    inside, outside = host.phone(), host.stranger()
    return {
        "/pin": outside,
        "/tables": inside,
        f"/t/{session}": inside,
        f"/t/{session}/log": inside,
        f"/t/{session}/screen": inside,
        "/style.css": outside,
        "/script.js": outside,
        "/icon.svg": outside,
        "/": outside,
        "/nothing": inside,
        "/scan": inside,
        "/decks": inside,
        "/d/7K3M9QPX2B4TC": inside,
    }


def test_every_answer_tells_the_browser_what_it_may_not_do(host: Host, session: str) -> None:
    for path, phone in every_answer(host, session).items():
        answer = phone.get(path)
        assert {name: answer.headers.get(name) for name in HEADERS} == HEADERS, path
        assert "server" not in answer.headers
    refused = host.stranger().get("/pin", host="evil.example")
    # Browsers complain about this header where nothing is encrypted, unless it comes from their own machine.
    assert refused.headers["cross-origin-opener-policy"] == "same-origin"
    assert "cross-origin-opener-policy" not in HEADERS
    assert {name: refused.headers.get(name) for name in HEADERS} == HEADERS
    policy = HEADERS["content-security-policy"]
    assert policy.startswith("default-src 'none';")
    assert "unsafe" not in policy
    assert "frame-ancestors 'none'" in policy


def test_only_what_never_changes_is_kept(host: Host, session: str) -> None:
    phone = host.phone()
    assert phone.get(f"/t/{session}").headers["cache-control"] == "no-store"
    assert "immutable" in phone.get("/style.css").headers["cache-control"]


def test_no_page_has_a_script_or_style_of_its_own(host: Host, session: str) -> None:
    for path, phone in every_answer(host, session).items():
        if not path.endswith((".css", ".js", ".svg")):
            text = phone.get(path).text
            own = r"<style|\sstyle=|\son\w+=|<script(?! src=\"/(?:script|scan|screen)\.js)|javascript:|https?://"
            assert not re.search(own, text)


def test_bodies_have_an_end(host: Host) -> None:
    phone = host.stranger()
    large = b"x" * (BodyLimit().size + 1)
    assert phone.ask("POST", "/pin", large).status == 413
    pieces = b"".join(b"%x\r\n%s\r\n" % (16384, b"x" * 16384) for _ in range(9))
    head = f"POST /pin HTTP/1.1\r\nHost: 127.0.0.1:{host.port}\r\nOrigin: {phone.origin}\r\n"
    with host.raw(head.encode() + b"Transfer-Encoding: chunked\r\n\r\n" + pieces) as connection:
        assert connection.recv(100).startswith(b"HTTP/1.1 413 ")
    # A length said in two ways ends it, too: what follows is read by nobody.
    both = b"Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /pin HTTP/1.1\r\n\r\n"
    with host.raw(head.encode() + both) as connection:
        read = b"".join(iter(lambda: connection.recv(10_000), b""))
        assert read.startswith(b"HTTP/1.1 400 ")
        assert read.count(b"HTTP/1.1 ") == 1
    # A length that is none ends the connection; the body travels with it, since one that comes later would be cut off.
    with host.raw(head.encode() + b"Content-Length: x\r\n\r\nx") as connection:
        assert connection.recv(100).startswith(b"HTTP/1.1 400 ")


def test_a_phone_is_sent_away_at_once_and_may_come_back(own_host: Host) -> None:
    session = own_host.fight()
    ana, ben = own_host.phone("Ana"), own_host.phone("Ben")
    phones = own_host.server.phones
    (bens,) = (phone.phone for phone in phones.all() if phone.name == "Ben")
    with ana.news(session) as anas, ben.news(session) as news:
        assert (anas.next().kind, news.next().kind) == ("table", "table")
        phones.send_away(bens)
        assert news.next().kind == "again"
        own_host.sitting(session).enter("add ana hp -1")
        assert anas.of_table().sentence == "Ana: HP 20 → 19, by hand."
    assert ben.get(f"/t/{session}").leads_to == f"/pin?to=/t/{session}"
    form = ben.get("/pin")
    assert form.status == 403
    assert "The host has removed this phone" in form.text
    phones.send_away(bens, away=False)
    assert ben.get(f"/t/{session}").status == 200


def test_who_is_there_is_known(own_host: Host) -> None:
    session, phone = own_host.fight(), own_host.phone("Ana")
    phones = own_host.server.phones
    with phone.news(session) as news:
        news.next()
        (ana,) = phones.all()
        assert phones.is_here(ana)
    assert ana.name == "Ana"
    assert phones.permissions_of(ana) == "look"
    phones.allow(ana.phone, "own")
    assert phones.permissions_of(phones.all()[0]) == "own"


@pytest.mark.parametrize(
    ("address", "counted"),
    [
        ("10.0.0.9", "10.0.0.9"),
        ("::ffff:10.0.0.9", "10.0.0.9"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("10.0.0.9:51234", "10.0.0.9"),
        ("[2001:db8:1:2::6]:51234", "2001:db8:1:2::/64"),
        ("[::1", "unknown"),
        ("", "unknown"),
        ("evil\r\n", "unknown"),
    ],
)
def test_tries_are_counted_by_network(address: str, counted: str) -> None:
    assert address_key(address) == counted


def test_a_proxy_is_believed_only_where_it_is_named(archive: Archive) -> None:
    with serving(archive, proxies=frozenset({"127.0.0.1"})) as host:
        phone = host.stranger()
        for guess in range(6):
            token = phone.get("/pin").token
            body = f"pin=000000&token={token}"
            # What a browser itself claims stands to the left of what the proxy adds.
            last = phone.ask("POST", "/pin", body, x_forwarded_for=f"10.0.0.{guess}, 10.9.9.9")
        assert last.status == 429
        assert phone.come_in().status == 303
    with serving(archive) as host:
        phone = host.stranger()
        statuses = []
        for guess in range(5):
            body = f"pin=000000&token={phone.get('/pin').token}"
            statuses.append(phone.ask("POST", "/pin", body, x_forwarded_for=f"10.0.1.{guess}").status)
        assert statuses[-1] == 429
