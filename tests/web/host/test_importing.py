"""The import of another archive's export: shown first, taken in after that, and undone."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.archive import Archive, maintenance
from companion.archive.exchange import archive_export, deck_export, deck_import
from companion.archive.people import people
from companion.web.host.archive_care.uploads import UPLOAD_LIMIT
from tests.archive import household, keepsake
from tests.web.serving import Answer, Host, Phone
from tests.web.test_sharing import multipart

IMPORT = "/host/archive/import"
_MULTIPART = "multipart/form-data; boundary=xXxcutxXx"


@pytest.fixture
def export(tmp_path: Path) -> bytes:
    """The export of another archive that holds something."""
    with Archive.open(str(tmp_path / "other.sqlite"), by="other") as other:
        household.fill(other)
        archive_export.export_archive(other, tmp_path / "everything.gz")
    return (tmp_path / "everything.gz").read_bytes()


def upload_file(browser: Phone, content: bytes, token: str = "", name: str = "everything.gz") -> Answer:
    """Upload a file."""
    token = token or browser.get(IMPORT).token
    body = multipart(token, file=content).replace(b'name="file"', f'name="file"; filename="{name}"'.encode())
    return browser.ask("POST", IMPORT, body, content_type=_MULTIPART)


def key_of(answer: Answer) -> str:
    """The key in the form that takes the file in."""
    return answer.text.partition('name="key" value="')[2].partition('"')[0]


def test_a_preview_stores_nothing(archive: Archive, tmp_path: Path, export: bytes) -> None:
    (tmp_path / "sent.gz").write_bytes(export)
    before = maintenance.info(archive).entries
    preview = archive_export.preview_archive(archive, tmp_path / "sent.gz")
    assert maintenance.info(archive).entries == before
    assert archive_export.import_archive(archive, tmp_path / "sent.gz") == preview
    again = archive_export.preview_archive(archive, tmp_path / "sent.gz")
    assert (again.new, again.longer, again.entries) == (0, 0, 0)
    assert maintenance.check_archive(archive) == ()


def test_a_file_is_shown_then_taken_in_and_undone(own_host: Host, export: bytes) -> None:
    browser, archive = own_host.browser(), own_host.archive
    before = maintenance.info(archive).entries
    preview = upload_file(browser, export)
    assert preview.status == 200
    assert "stories are new." in preview.text
    assert maintenance.info(archive).entries == before
    answer = browser.post(f"{IMPORT}/take", preview.token, key=key_of(preview))
    assert answer.leads_to == IMPORT
    page = browser.get(answer.leads_to)
    assert "The file was taken in." in page.text
    assert "everything.gz" in page.text
    assert maintenance.info(archive).entries > before
    assert browser.post(f"{IMPORT}/take", preview.token, key=key_of(preview)).status == 409
    assert "There is nothing new in it." in upload_file(browser, export).text
    number = page.text.partition('name="number" value="')[2].partition('"')[0]
    assert browser.post(f"{IMPORT}/undo", page.token, number="0").status == 409
    assert browser.post(f"{IMPORT}/undo", page.token, number=number).leads_to == f"{IMPORT}?done=undo"
    assert maintenance.info(archive).entries == before


def test_a_story_that_went_on_elsewhere_is_doubtful(own_host: Host, tmp_path: Path) -> None:
    archive, browser = own_host.archive, own_host.browser()
    ana = people.add_person(archive, "Ana")
    archive_export.export_archive(archive, tmp_path / "first.gz")
    with Archive.open(str(tmp_path / "other.sqlite"), by="other") as other:
        archive_export.import_archive(other, tmp_path / "first.gz")
        people.rename_person(other, ana.person, "Anna")
        archive_export.export_archive(other, tmp_path / "second.gz")
    preview = upload_file(browser, (tmp_path / "second.gz").read_bytes())
    assert "Doubtful: is this as it should be?" in preview.text
    assert "continued in another home" in preview.text
    assert "1 story went on." in preview.text


@pytest.mark.parametrize("content", [b"", b"nothing", b"\x1f\x8b nothing", b"SQLite format 3\x00" * 100])
@pytest.mark.parametrize("name", ["everything.gz", "../../etc/passwd", "C:\\con", "", "é" * 200])
def test_what_is_no_export_is_refused_with_a_sentence(host: Host, content: bytes, name: str) -> None:
    answer = upload_file(host.browser(), content, name=name)
    assert answer.status == 422
    assert 'role="alert"' in answer.text
    assert "/companion-" not in answer.text


def test_a_damaged_export_changes_nothing(own_host: Host, export: bytes) -> None:
    browser, before = own_host.browser(), maintenance.info(own_host.archive).entries
    for damaged in (export[:-40], export[:200] + bytes(40) + export[240:]):
        assert upload_file(browser, damaged).status == 422
    assert maintenance.info(own_host.archive).entries == before


def test_only_the_browser_that_sent_a_file_takes_it_in(own_host: Host, export: bytes) -> None:
    one, other = own_host.browser(), own_host.browser()
    preview = upload_file(one, export)
    assert other.post(f"{IMPORT}/take", other.get(IMPORT).token, key=key_of(preview)).status == 409
    assert one.post(f"{IMPORT}/take", preview.token, key="").status == 409
    assert one.post(f"{IMPORT}/take", preview.token, key=key_of(preview)).status == 303


def test_uploads_need_a_host_a_token_and_a_size(own_host: Host, export: bytes) -> None:
    own_host.server.phones.allow_all("all")
    before = maintenance.info(own_host.archive).entries
    browser = own_host.browser()
    for visitor in (own_host.phone("Ana"), own_host.stranger()):
        assert visitor.get(IMPORT).status == 403
        assert upload_file(visitor, export, "0" * 64).status == 403
        for way in ("take", "undo"):
            assert visitor.post(f"{IMPORT}/{way}", "0" * 64, key="").status == 403
    for token in ("0" * 64, browser.get("/scan").token):
        assert upload_file(browser, export, token).status == 403
    assert browser.ask("POST", IMPORT, "x", content_type=_MULTIPART).status == 403
    assert browser.ask("POST", IMPORT, "x", content_length=str(UPLOAD_LIMIT.size + 1)).status == 413
    assert browser.post(f"{IMPORT}/take", "0" * 64, key="").status == 403
    assert browser.post(f"{IMPORT}/undo", "0" * 64, number="1").status == 403
    assert maintenance.info(own_host.archive).entries == before


class TwoHomes:
    """The host's archive and another one, which have the same decks."""

    def __init__(self, archive: Archive, other: Archive, folder: Path) -> None:
        self.archive, self.other, self.folder = archive, other, folder
        self.decks = [archive.found_deck("keepsake", [keepsake.Founded(name)]) for name in ("Choir", "Chapel")]
        deck_import.import_decks(other, deck_export.read_stories(self._export(archive)))

    def _export(self, archive: Archive) -> Path:
        file = self.folder / "of.decks"
        deck_export.export_decks(archive, self.decks, file)
        return file

    def export(self) -> bytes:
        """The other archive's file of decks."""
        return self._export(self.other).read_bytes()

    def play(self, archive: Archive, *glory: int) -> None:
        """Play each deck in an archive."""
        for deck in self.decks:
            archive.mark(deck, len(archive.entries(f"deck:{deck}")), [keepsake.Played(each) for each in glory])

    def kinds(self) -> list[list[str]]:
        """What the host's archive tells of each deck."""
        return [[entry.kind for entry in self.archive.entries(f"deck:{deck}")] for deck in self.decks]


@pytest.fixture
def homes(own_host: Host, tmp_path: Path) -> Iterator[TwoHomes]:
    with Archive.open(str(tmp_path / "home.sqlite"), by="home") as other:
        yield TwoHomes(own_host.archive, other, tmp_path)


def test_decks_that_went_on_elsewhere_are_taken_in_and_undone(own_host: Host, homes: TwoHomes) -> None:
    browser, before = own_host.browser(), homes.kinds()
    homes.play(homes.other, 3)
    preview = upload_file(browser, homes.export(), name="of.decks")
    assert preview.text.count("It went on there; here its history goes on in the same way.") == 2
    assert homes.kinds() == before
    assert browser.post(f"{IMPORT}/take", preview.token, key=key_of(preview)).leads_to == IMPORT
    page = browser.get(IMPORT)
    assert "2 decks were taken in." in page.text
    assert homes.kinds() == [["opened", "founded", "played"]] * 2
    number = page.text.partition('name="number" value="')[2].partition('"')[0]
    browser.post(f"{IMPORT}/undo", page.token, number=number)
    assert homes.kinds() == before


def test_each_deck_that_went_on_here_and_there_is_decided(own_host: Host, homes: TwoHomes) -> None:
    browser = own_host.browser()
    homes.play(homes.other, 3)
    homes.play(own_host.archive, 5)
    before = homes.kinds()
    preview = upload_file(browser, homes.export(), name="of.decks")
    assert preview.text.count("It went on here and in the file.") == 2
    assert "In the file, from entry 2 on:" in preview.text
    choir, chapel = homes.decks
    browser.post(f"{IMPORT}/take", preview.token, **{"key": key_of(preview), f"keep-{choir}": "theirs"})
    page = browser.get(IMPORT).text
    assert "1 deck was taken in. 1 deck stays as it is here; send the file again to decide otherwise." in page
    assert homes.kinds() == [["opened", "founded", "played", "played", "corrected", "joined"], before[1]]
    preview = upload_file(browser, homes.export(), name="of.decks")
    browser.post(f"{IMPORT}/take", preview.token, **{"key": key_of(preview), f"keep-{chapel}": "neither"})
    assert "No deck was taken in." in browser.get(IMPORT).text
    assert homes.kinds()[1] == before[1]


def test_a_later_decision_counts_here_only_if_the_host_agrees(own_host: Host, homes: TwoHomes) -> None:
    browser, archive = own_host.browser(), own_host.archive
    homes.play(homes.other, 3)
    homes.play(archive, 5)
    file = homes.folder / "there.decks"
    file.write_bytes(homes.export())
    deck_export.export_decks(archive, homes.decks, homes.folder / "here.decks")
    deck_import.import_decks(archive, deck_export.read_stories(file), "mine")
    deck_import.import_decks(homes.other, deck_export.read_stories(homes.folder / "here.decks"), "mine")
    preview = upload_file(browser, homes.export(), name="of.decks")
    assert "In the other archive it was decided later, and differently, what counts." in preview.text
    before = homes.kinds()
    browser.post(f"{IMPORT}/take", preview.token, key=key_of(preview))
    assert homes.kinds() == before
    preview = upload_file(browser, homes.export(), name="of.decks")
    browser.post(f"{IMPORT}/take", preview.token, key=key_of(preview), reverse=homes.decks[0])
    assert "1 deck was taken in." in browser.get(IMPORT).text
    assert (homes.kinds()[0] == before[0], homes.kinds()[1] == before[1]) == (False, True)


def test_a_deck_whose_name_is_in_use_is_refused(own_host: Host, homes: TwoHomes) -> None:
    browser = own_host.browser()
    new = homes.other.found_deck("keepsake", [keepsake.Founded("Crypt")])
    own_host.archive.found_deck("keepsake", [keepsake.Founded("Crypt")])
    homes.decks = [new]
    preview = upload_file(browser, homes.export(), name="of.decks")
    refused = browser.post(f"{IMPORT}/take", preview.token, key=key_of(preview))
    assert refused.status == 409
    assert "Another deck here has the name of one in the file." in refused.text
