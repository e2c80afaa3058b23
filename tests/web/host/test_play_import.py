"""The import of games in the host's browser: a file is sent or a list pasted, looked at, stored, and undone."""

from pathlib import Path

import pytest

from companion.archive import Archive
from companion.archive.exchange import play_removal
from companion.archive.people import people
from companion.forms import settings
from companion.web.host.deck_care.play_importing import PLAY_FILE_LIMIT, PLAY_FORM_LIMIT
from tests.statistics.test_outside_plays import WINGSPAN, export
from tests.web.host.filling import PageForm
from tests.web.serving import Answer, Host, Phone
from tests.web.test_sharing import multipart

IMPORT = "/host/statistics/import"
IMPORTED = "/host/statistics/imported"
ARCHIVE_IMPORT = "/host/archive/import"
SCORES = "date,game,Ana,Ben\n2024-01-01,rummy,3,4\n"


@pytest.fixture(autouse=True)
def _no_draft(own_host: Host) -> None:
    settings.keep_draft(own_host.archive.name, "Play import page", "plays", {})


def send_scores(browser: Phone, name: str, content: bytes, token: str | None = None) -> Answer:
    """Send a file on the page."""
    body = multipart(browser.get(IMPORT).token if token is None else token, file=content)
    body = body.replace(b'name="file"', b'name="file"; filename="' + name.encode() + b'"')
    return browser.ask("POST", f"{IMPORT}/file", body, content_type="multipart/form-data; boundary=xXxcutxXx")


def count_plays(archive: Archive) -> int:
    """The number of imported games."""
    return len(play_removal.list_plays(archive))


def test_an_export_is_looked_at_stored_and_undone(own_host: Host) -> None:
    browser, archive = own_host.browser(), own_host.archive
    assert f'href="{IMPORT}"' in browser.get(IMPORTED).text
    assert send_scores(browser, "BGStatsExport.json", export(WINGSPAN)).leads_to == IMPORT
    form = PageForm(browser, IMPORT)
    assert form.get("file") == "BGStatsExport.json"
    assert "1 new, 0 changed, 0 here already." in form.page.text
    assert count_plays(archive) == 0, "nothing is stored before the host agrees"
    assert form.press("keep").leads_to == IMPORTED
    page = browser.get(IMPORTED).text
    assert "1 game taken in" in page
    assert "Wingspan" in page
    assert f'href="{ARCHIVE_IMPORT}"' in page
    last = browser.get(ARCHIVE_IMPORT)
    assert "BGStatsExport.json" in last.text
    number = last.text.partition('name="number" value="')[2].partition('"')[0]
    assert browser.post(f"{ARCHIVE_IMPORT}/undo", last.token, number=number).status == 303
    assert count_plays(archive) == 0


def test_a_pasted_list_is_imported(own_host: Host) -> None:
    browser = own_host.browser()
    form = PageForm(browser, IMPORT, {"list": SCORES})
    form.press("look")
    form = PageForm(browser, IMPORT)
    assert "Counted as games that the companion knows: rummy." in form.page.text
    assert "<br>Counted as games" in form.page.text, "each sentence has its line"
    assert form.press("keep").leads_to == IMPORTED
    assert count_plays(own_host.archive) == 1
    assert not settings.draft_answers(own_host.archive.name, "Play import page")


def test_what_a_list_leaves_open_is_a_question(own_host: Host) -> None:
    browser = own_host.browser()
    refused = PageForm(browser, IMPORT, {"list": "Ana,Ben\n1,2\n3,4\n", "title": "Golf"}).press("keep")
    assert refused.status == 422
    assert count_plays(own_host.archive) == 0
    assert send_scores(browser, "golf.csv", b"date,Ana,Ben\n3/4/2024,70,75\n").status == 303
    for question, answer in (("dates", "mdy"), ("title", "Golf"), ("best", "lowest")):
        PageForm(browser, IMPORT, {question: answer}).press("look")
    form = PageForm(browser, IMPORT)
    assert form.press("keep").status == 303
    (play,) = play_removal.list_plays(own_host.archive)
    assert (play.row.name, play.row.at.astimezone().month) == ("Golf", 3)


def test_a_name_in_a_file_becomes_that_of_a_person_here(own_host: Host) -> None:
    browser, archive = own_host.browser(), own_host.archive
    people.add_person(archive, "Anastasia")
    PageForm(browser, IMPORT, {"list": SCORES}).press("look")
    form = PageForm(browser, IMPORT, {'"person Ana"': "Anastasia"})
    assert "Enter alone" not in form.page.text
    form.press("look")
    assert PageForm(browser, IMPORT).press("keep").status == 303
    assert people.find_people(archive, "Ana")[0].name == "Anastasia"


def test_what_is_here_already_is_not_stored_again(own_host: Host) -> None:
    browser = own_host.browser()
    for status in (303, 422):
        send_scores(browser, "scores.csv", SCORES.encode())
        answer = PageForm(browser, IMPORT).press("keep")
        assert answer.status == status
    assert "There is nothing new in it." in answer.text
    assert count_plays(own_host.archive) == 1


@pytest.mark.parametrize(
    ("name", "content", "sentence"),
    [
        ("scores.csv", b"", "No file was sent"),
        ("scores.exe", b"MZ", "is not such a file"),
        ("scores.csv", b"Ana,Ben\n1,2\n", "scores.csv"),
        ("export.json", b"{nonsense", "export.json"),
        ("scores.csv", b"\x00\xff\xfe\x01", "scores.csv"),
        ("../../etc/passwd.csv", b"\x00", "passwd.csv"),
    ],
)
def test_a_bad_file_is_one_sentence_without_a_path(own_host: Host, name: str, content: bytes, sentence: str) -> None:
    browser = own_host.browser()
    answer = send_scores(browser, name, content)
    page = answer.text if answer.status == 422 else PageForm(browser, IMPORT).press("keep").text
    assert sentence in page
    assert "/tmp" not in page
    assert "companion-" not in page.partition("<main")[2]
    assert count_plays(own_host.archive) == 0


def test_no_path_of_this_machine_is_read(own_host: Host, tmp_path: Path) -> None:
    browser = own_host.browser()
    secret = tmp_path / "secret.csv"
    secret.write_text(SCORES, encoding="utf-8")
    send_scores(browser, "scores.csv", SCORES.encode())
    for path in (str(secret), "../secret.csv", "~/secret.csv", "/dev/zero", ".", f"./../{tmp_path.name}/secret.csv"):
        form = PageForm(browser, IMPORT, {"file": path})
        refused = form.press("keep")
        assert refused.status == 422
        assert "is no longer here; send it again." in refused.text
        assert "rummy" not in refused.text
    assert count_plays(own_host.archive) == 0


def test_nothing_sent_and_nothing_pasted_is_refused(own_host: Host) -> None:
    refused = PageForm(own_host.browser(), IMPORT).press("keep")
    assert refused.status == 422
    assert "Send a file, or paste a list." in refused.text


def test_only_the_host_imports_games(own_host: Host) -> None:
    own_host.server.phones.allow_all("all")
    browser, phone = own_host.browser(), own_host.phone("Ana")
    assert phone.get(IMPORT).status == 403
    token = phone.get("/scan").token
    assert phone.post(IMPORT, token, game="plays", do="keep").status == 403
    assert send_scores(phone, "scores.csv", SCORES.encode(), token=token).status == 403
    for token in ("", "0" * 64):
        assert send_scores(browser, "scores.csv", SCORES.encode(), token=token).status == 403
        assert browser.post(IMPORT, token, game="plays", do="keep").status == 403
    assert browser.post(IMPORT, browser.get(IMPORT).token, game="other", do="keep").status == 404
    for path, limit in ((IMPORT, PLAY_FORM_LIMIT), (f"{IMPORT}/file", PLAY_FILE_LIMIT)):
        assert browser.ask("POST", path, "x", content_length=str(limit.size + 1)).status == 413
