"""Pages as a screen opens them: in a thread beside it, over the sittings that it shows, and closed with it."""

import threading
import time
import urllib.error
import urllib.request

import pytest
import sqlalchemy as sa

from companion.archive import Archive, web_access
from companion.session.core import archive_journal
from companion.session.table.shared_session import SharedSessions
from companion.session.table.table_client import TableClient
from companion.web.address import AddressError
from companion.web.phones import Phones
from companion.web.server import HostedPages, ServeOptions, host_pages
from tests.web.serving import PIN, Phone

HERE = ServeOptions("127.0.0.1", port=0, pin=PIN)


def _served(hosted: HostedPages) -> str:
    """What is at the address that is told."""
    with urllib.request.urlopen(f"{hosted.url}/pin", timeout=20) as page:
        text: str = page.read().decode()
        return text


def test_pages_beside_a_screen_show_its_tables_and_close_with_it(archive: Archive) -> None:
    sessions = SharedSessions(archive)
    live = sessions.open(archive_journal.start(archive, "decknforge").id)
    with host_pages(archive, sessions, HERE) as hosted:
        hosted.server.start()
        assert (hosted.pin, hosted.name) == (PIN, "")
        assert "Only this machine" in hosted.warning
        assert len(hosted.picture) > 10
        phone = Phone(int(hosted.url.rpartition(":")[2]))
        assert phone.come_in().status == 303
        with phone.news(live.session.id) as news:
            news.of_table()
            TableClient(live).enter("seat ana")
            assert "Ana" in news.of_table().sections["seats"]
        hosted.server.stop()
        with pytest.raises(urllib.error.URLError):
            _served(hosted)
    # The PIN is that of before, the port another one.
    with host_pages(archive, sessions, HERE._replace(pin="")) as again:
        again.server.start()
        assert again.pin == PIN
        assert "six digits" in _served(again)
        again.server.stop()


def test_behind_a_proxy_pages_answer_to_its_address_alone(archive: Archive) -> None:
    wanted = HERE._replace(public_url="https://Cards.example/", proxies=("127.0.0.1",))
    with host_pages(archive, SharedSessions(archive), wanted) as hosted:
        hosted.server.start()
        assert (hosted.url, hosted.warning) == ("https://cards.example", "")
        phone = Phone(hosted.server.port)
        assert phone.get("/pin").status == 421
        answer = phone.get("/pin", host="cards.example")
        assert answer.status == 200
        assert "; secure" in answer.headers["set-cookie"].lower()
        hosted.server.stop()


@pytest.mark.parametrize(
    ("url", "origin"),
    [
        ("https://Kärten.example:443", "https://xn--krten-gra.example"),
        ("http://cards.example:8080/", "http://cards.example:8080"),
        ("https://[FD00::1]:443", "https://[fd00::1]"),
    ],
)
def test_a_public_address_is_known_as_browsers_spell_it(archive: Archive, url: str, origin: str) -> None:
    with host_pages(archive, SharedSessions(archive), HERE._replace(public_url=url)) as hosted:
        assert hosted.url == origin


def test_a_wrong_address_is_refused_before_anything_is_served(archive: Archive) -> None:
    spelled = [HERE._replace(public_url=url) for url in ("ftp://x", "https://a..b", "https://x:99999", "https://")]
    for wrong in (*spelled, ServeOptions(interface="none0"), HERE._replace(host="256.0.0.1")):
        with pytest.raises(AddressError), host_pages(archive, SharedSessions(archive), wrong):
            raise AssertionError


def test_an_earlier_refresh_forgets_no_phone_let_in_since(archive: Archive) -> None:
    phones, looked, let_in = Phones(archive, PIN), threading.Event(), threading.Event()
    slow = threading.Thread(target=phones.refresh)

    def wait(_: object, __: object, statement: str, *___: object) -> None:
        if threading.current_thread() is slow and "FROM doors" in statement:
            looked.set()
            let_in.wait(0.3)

    sa.event.listen(archive.store.engine, "after_cursor_execute", wait)
    slow.start()
    looked.wait()
    phone = phones.let_in("Ana")
    let_in.set()
    slow.join()
    assert phones.get(phone.phone) == phone


def test_of_many_strangers_at_once_one_looks_for_all(archive: Archive) -> None:
    phones, looks, everybody = Phones(archive, PIN), list[str](), threading.Barrier(21)

    def count(_: object, __: object, statement: str, *___: object) -> None:
        if "FROM doors" in statement:
            looks.append(statement)
            time.sleep(0.1)  # the others come meanwhile

    def stranger() -> None:
        everybody.wait()
        phones.find("nobody")

    sa.event.listen(archive.store.engine, "after_cursor_execute", count)
    strangers = [threading.Thread(target=stranger) for _ in range(20)]
    for each in strangers:
        each.start()
    everybody.wait()
    for each in strangers:
        each.join()
    assert len(looks) < 10
    phone = web_access.admit_phone(archive)
    assert phones.find(phone.phone) == phone
