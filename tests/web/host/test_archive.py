"""The page of the archive: backups, checks, exports, and the way back to a backup while pages are open."""

import gzip
import shutil
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from urllib.parse import quote

import pytest

from companion.archive import Archive, maintenance
from companion.archive.people import people
from companion.archive.recovery import backups
from companion.forms import archive_upkeep
from companion.web.host.archive_care.long_tasks import LongTask
from templates.languages.messages import Text
from tests.archive import household
from tests.archive.locks import another_program, damage
from tests.web.serving import PATIENCE, Answer, Host, Phone, serving

ARCHIVE = "/host/archive"
RESTORE = f"{ARCHIVE}/restore"


def press_way(browser: Phone, do: str) -> Answer:
    """Press a button of the page."""
    return browser.post(ARCHIVE, browser.get(ARCHIVE).token, do=do)


def await_text(browser: Phone, text: str) -> None:
    """Wait until the page has a text."""
    deadline = time.monotonic() + PATIENCE
    while text not in browser.get(ARCHIVE).text:
        assert time.monotonic() < deadline
        time.sleep(0.02)


@pytest.fixture
def lived_in(own_host: Host) -> Host:
    """A server of an archive that holds something and has one backup."""
    household.fill(own_host.archive)
    file = own_host.archive.store.file
    assert file is not None
    backups.make_backup(file, "evening", datetime.now(UTC))
    return own_host


def only_backup(host: Host) -> str:
    """The name of the newest backup."""
    return next(iter(archive_upkeep.find_backups(host.archive)))


def test_the_page_says_where_the_archive_is_and_how_large(lived_in: Host) -> None:
    page = lived_in.browser().get(ARCHIVE).text
    assert lived_in.archive.name in page
    assert str(maintenance.info(lived_in.archive).contents) in page
    assert only_backup(lived_in) in page
    assert 'aria-current="page"' in page


def test_an_archive_without_a_backup_says_so(own_host: Host) -> None:
    assert "None yet; one is made when an evening ends." in own_host.browser().get(ARCHIVE).text


def test_a_copy_is_written_beside_the_archive_and_is_listed(lived_in: Host) -> None:
    browser, before = lived_in.browser(), set(archive_upkeep.find_backups(lived_in.archive))
    assert press_way(browser, "copy").status == 303
    (copy,) = set(archive_upkeep.find_backups(lived_in.archive)) - before
    assert f"{copy}: a whole copy." in browser.get(ARCHIVE).text


def test_a_whole_archive_is_said_to_be_whole(lived_in: Host) -> None:
    browser = lived_in.browser()
    assert press_way(browser, "check").leads_to == f"{ARCHIVE}#task"
    assert "The archive is whole" in browser.get(ARCHIVE).text
    assert press_way(browser, "repair").status == 303
    assert "Its lists are rebuilt" in browser.get(ARCHIVE).text


@pytest.mark.linux
def test_a_check_lists_what_is_damaged(lived_in: Host) -> None:
    file, browser = lived_in.archive.store.file, lived_in.browser()
    assert file is not None
    damage(file, "decks")
    press_way(browser, "check")
    await_text(browser, "found.")
    assert "✗" in browser.get(ARCHIVE).text


def test_a_task_shows_its_progress_and_stops_when_it_is_told_to() -> None:
    task, going = LongTask(), [True]

    def work() -> Text:
        while going:
            task.report("Reading …")
            time.sleep(0.01)
        return "Done."

    assert task.start("Check it", work)
    assert not task.start("Copy it", lambda: "")
    view = task.view
    assert view is not None
    assert (view.sentence, view.is_running) == ("Reading …", True)
    task.stop()
    view = task.view
    assert view is not None
    assert (str(view.sentence), view.is_running) == ("It was stopped; nothing was changed.", False)
    going.clear()
    assert task.start("Check it", work)
    view = task.view
    assert view is not None
    assert view.sentence == "Done."


def test_a_fault_of_a_task_is_one_sentence() -> None:
    task = LongTask()
    task.start("Check it", lambda: "" + str(1 // 0))
    view = task.view
    assert view is not None
    assert view.is_wrong
    assert str(view.sentence) == "That failed, and nothing was changed."


def test_everything_is_exported_as_one_file(lived_in: Host, tmp_path: Path) -> None:
    answer = lived_in.browser().get(f"{ARCHIVE}/export")
    assert answer.status == 200
    assert ".gz" in answer.headers["content-disposition"]
    lines = gzip.decompress(answer.text.encode("utf-8", "surrogateescape")).splitlines()
    assert lines[0].startswith(b'{"companion":"archive"')
    assert list(tmp_path.glob("companion-*")) == []


def test_a_deck_is_exported_by_its_name(lived_in: Host) -> None:
    browser, (row, *_) = lived_in.browser(), lived_in.archive.decks()
    answer = browser.get(f"{ARCHIVE}/export?deck={quote(row.name)}")
    assert answer.status == 200
    assert ".decks" in answer.headers["content-disposition"]
    assert row.deck.encode() in gzip.decompress(answer.text.encode("utf-8", "surrogateescape"))
    for wrong, sentence in (("nothing", "nothing"), ("", "Which deck?"), ("7K3M-9QPX", "is not a deck id")):
        refused = browser.get(f"{ARCHIVE}/export?deck={wrong}")
        assert refused.status == 422
        assert sentence in refused.text


def test_a_backup_is_downloaded(lived_in: Host) -> None:
    answer = lived_in.browser().get(f"{ARCHIVE}/backup?backup={only_backup(lived_in)}")
    assert answer.status == 200
    assert answer.text.startswith("SQLite format 3")


@pytest.mark.parametrize("name", ["", "nothing.sqlite", "../archive.sqlite", "archive.sqlite", "/etc/passwd"])
def test_only_backups_can_be_named(lived_in: Host, name: str) -> None:
    browser = lived_in.browser()
    token = browser.get(ARCHIVE).token
    assert browser.get(f"{ARCHIVE}/backup?backup={quote(name)}").status == 404
    assert browser.get(f"{RESTORE}?backup={quote(name)}").status == 404
    assert browser.post(RESTORE, token, backup=name).status == 404


def test_what_going_back_would_lose_is_said_first(lived_in: Host) -> None:
    browser, backup = lived_in.browser(), only_backup(lived_in)
    assert "The backup has everything" in browser.get(f"{RESTORE}?backup={backup}").text
    people.add_person(lived_in.archive, "Zoe")
    lived_in.table("seat ana")
    page = browser.get(f"{RESTORE}?backup={backup}").text
    assert "not in the backup." in page
    assert "person Zoe" in page
    assert "session Friday" in page
    assert people.page_of_people(lived_in.archive, "Zoe").rows


def test_a_backup_is_restored_and_the_pages_go_on(lived_in: Host) -> None:
    browser, backup = lived_in.browser(), only_backup(lived_in)
    people.add_person(lived_in.archive, "Zoe")
    session = lived_in.fight()
    assert browser.get(f"/t/{session}").status == 200
    with browser.news(session) as news:
        news.of_table()
        answer = browser.post(RESTORE, browser.get(ARCHIVE).token, backup=backup)
        assert answer.leads_to == f"{ARCHIVE}#task"
        assert news.next().kind == "again"
    page = browser.get(ARCHIVE)
    assert f"{backup} is your archive now" in page.text
    assert browser.get(f"/t/{session}").status == 404
    assert not people.page_of_people(lived_in.archive, "Zoe").rows
    assert str(backups.REASONS["replaced"]) in page.text
    # It is written to, and what is written is noticed.
    later = lived_in.fight()
    with browser.news(later) as news:
        news.of_table()
        lived_in.sitting(later).enter("reveal ben QH")
        assert news.of_table().sections
    assert maintenance.check_archive(lived_in.archive) == ()


@pytest.fixture
def older(tmp_path: Path) -> Iterator[Host]:
    """The pages of an archive in whose place an older copy lies now, which was never served."""
    place = tmp_path / "older.sqlite"
    with Archive.open(str(place), by="tests") as archive:
        people.add_person(archive, "Ana")
    shutil.copy(place, place.with_name("copy"))
    with Archive.open(str(place), by="tests") as archive:
        people.add_person(archive, "Zoe")
    backups.make_backup(place, "evening", datetime.now(UTC))
    shutil.copy(place.with_name("copy"), place)
    with Archive.open(str(place), by="tests") as archive, serving(archive) as host:
        yield host


def test_an_older_archive_is_shown_and_taken_as_it_is(older: Host) -> None:
    browser, place = older.browser(), Path(older.archive.name)
    before = place.read_bytes()
    assert "is older than this computer last saw it" in browser.get("/host").text
    page = browser.get(ARCHIVE)
    assert "Nothing is written to it" in page.text
    assert "missing entries stay lost" in page.text
    refused = browser.post("/host/people", page.token, do="add", name="Yan")
    assert "is older than this computer last saw it" in refused.text
    assert place.read_bytes() == before
    assert press_way(browser, "accept").status == 303
    assert "is accepted as it is" in browser.get(ARCHIVE).text
    assert "Take it as it is" not in browser.get(ARCHIVE).text
    assert "is older than" not in browser.get("/host").text
    people.add_person(older.archive, "Yan")
    assert "Yan" in browser.get("/host/people").text
    older.phone("Ana")


def test_an_older_archive_goes_back_to_a_backup_that_has_more(older: Host) -> None:
    browser = older.browser()
    form = {"backup": only_backup(older)}
    page = browser.get(f"{ARCHIVE}/restore?backup={form['backup']}")
    assert browser.post(f"{ARCHIVE}/restore", page.token, **form).status == 303
    assert "is older than" not in browser.get("/host").text
    assert "Zoe" in browser.get("/host/people").text


def test_what_other_programs_write_is_noticed_after_a_restore(lived_in: Host) -> None:
    session, browser, file = lived_in.fight(), lived_in.browser(), lived_in.archive.store.file
    assert file is not None
    backup = backups.make_backup(file, "evening", datetime.now(UTC))
    assert backup is not None
    browser.post(RESTORE, browser.get(ARCHIVE).token, backup=backup.name)
    with browser.news(session) as news:
        news.of_table()
        with Archive.open(str(file), by="other") as other, serving(other) as elsewhere:
            elsewhere.sitting(session).enter("reveal ben QH")
        assert news.of_table().sections


@pytest.mark.linux
def test_a_restore_beside_another_program_is_refused(lived_in: Host) -> None:
    browser, backup, file = lived_in.browser(), only_backup(lived_in), lived_in.archive.store.file
    people.add_person(lived_in.archive, "Zoe")
    assert file is not None
    with another_program(file):
        answer = browser.post(RESTORE, browser.get(ARCHIVE).token, backup=backup)
        assert answer.status == 409
        assert "Another window or program has" in answer.text
    assert people.page_of_people(lived_in.archive, "Zoe").rows
    people.add_person(lived_in.archive, "Max")


def test_a_damaged_backup_is_refused(lived_in: Host) -> None:
    browser, backup = lived_in.browser(), archive_upkeep.find_backups(lived_in.archive)[only_backup(lived_in)]
    backup.path.write_bytes(b"nothing")
    people.add_person(lived_in.archive, "Zoe")
    assert browser.get(f"{RESTORE}?backup={backup.path.name}").status == 409
    answer = browser.post(RESTORE, browser.get(ARCHIVE).token, backup=backup.path.name)
    assert answer.status == 409
    assert "is not an archive of this program, or it is damaged" in answer.text
    assert people.page_of_people(lived_in.archive, "Zoe").rows


def refused_requests(host: Host, visitor: Phone) -> Iterator[int]:
    """Yield the statuses of all requests to these pages that a visitor sends."""
    backup = only_backup(host)
    for path in (ARCHIVE, f"{RESTORE}?backup={backup}", f"{ARCHIVE}/export", f"{ARCHIVE}/backup?backup={backup}"):
        yield visitor.get(path).status
    yield visitor.post(ARCHIVE, "0" * 64, do="copy").status
    yield visitor.post(RESTORE, "0" * 64, backup=backup).status


def test_phones_and_strangers_get_none_of_it(lived_in: Host) -> None:
    lived_in.server.phones.allow_all("all")
    before = set(archive_upkeep.find_backups(lived_in.archive))
    for visitor in (lived_in.phone("Ana"), lived_in.stranger()):
        assert set(refused_requests(lived_in, visitor)) == {403}
    assert set(archive_upkeep.find_backups(lived_in.archive)) == before


def test_forms_need_their_token(lived_in: Host) -> None:
    browser, backup = lived_in.browser(), only_backup(lived_in)
    before = set(archive_upkeep.find_backups(lived_in.archive))
    assert browser.post(ARCHIVE, "0" * 64, do="copy").status == 403
    assert browser.post(RESTORE, browser.get("/scan").token, backup=backup).status == 403
    assert press_way(browser, "dance").status == 400
    assert set(archive_upkeep.find_backups(lived_in.archive)) == before
