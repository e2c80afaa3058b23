"""The host's home page, and the pages for phones in the host's browser."""

from companion.session.core import archive_journal
from companion.web.host.home import read_home
from tests.printing import evenings
from tests.web.serving import Host


def test_an_empty_archive_has_a_home(own_host: Host) -> None:
    home = own_host.browser().get("/host")
    assert home.status == 200
    assert "No table waits." in home.text
    assert 'aria-current="page"' in home.text


def test_tables_that_wait_lead_on(own_host: Host) -> None:
    session = own_host.fight()
    browser = own_host.browser()
    assert f'href="/t/{session}"' in browser.get("/host").text
    assert browser.get(f"/t/{session}").status == 200


def test_the_last_evening_and_what_is_due_are_on_the_home_page(own_host: Host) -> None:
    session = evenings.play(own_host.archive)
    view = read_home(own_host.archive)
    assert view.last is not None
    assert view.last.session == session
    assert session not in {table.session for table in view.tables}
    browser = own_host.browser()
    home = browser.get("/host").text
    assert f'href="/t/{session}/card"' in home
    assert view.due
    for each in view.due:
        assert f'href="/d/{each.row.deck}"' in home


def test_names_that_people_typed_stay_text(own_host: Host) -> None:
    archive_journal.start(own_host.archive, "decknforge", title="<script>alert(1)</script>")
    assert "<script>alert" not in own_host.browser().get("/host").text


def test_the_host_has_all_rights_at_a_table_and_no_seat(own_host: Host) -> None:
    session, browser = own_host.fight(), own_host.browser()
    page = browser.get(f"/t/{session}")
    assert 'href="/host"' in page.text
    assert "This is my seat" not in page.text
    at = str(len(own_host.archive.lines(session)))
    answer = browser.post(f"/t/{session}/answer", page.token, step="ben:reveal ben CARD›=QH", at=at)
    assert answer.status == 303
    *_, last = own_host.archive.lines(session)
    assert last.line == "reveal ben QH"
    assert last.by == own_host.archive.by
    assert own_host.server.phones.all() == ()
    assert browser.post(f"/t/{session}/seat", page.token, seat="ben").status == 503
    assert own_host.server.phones.held_seats(session) == frozenset()


def test_the_host_sees_a_table_change_at_once(own_host: Host) -> None:
    session, browser = own_host.fight(), own_host.browser()
    with browser.news(session) as news:
        news.of_table()
        own_host.sitting(session).enter("reveal ben QH")
        assert news.of_table().sections
    assert own_host.server.phones.all() == ()


def test_the_host_writes_without_the_limits_of_a_phone(own_host: Host) -> None:
    session, browser = own_host.fight(), own_host.browser()
    token = browser.get(f"/t/{session}").token
    answers = {browser.post(f"/t/{session}/note", token, text="x" * 9_000).status for _ in range(20)}
    assert answers == {303}


def test_phones_do_not_lead_to_the_hosts_pages(own_host: Host) -> None:
    own_host.fight()
    browser, phone = own_host.browser(), own_host.phone("Ana")
    for path in ("/tables", "/decks", "/games"):
        assert 'href="/host"' in browser.get(path).text
        assert 'href="/host"' not in phone.get(path).text


def test_a_new_archive_says_what_to_do_first(own_host: Host) -> None:
    browser = own_host.browser()
    assert "What to do first" in browser.get("/host").text
    own_host.fight()
    assert "What to do first" not in browser.get("/host").text
