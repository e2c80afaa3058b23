"""The note by which a second start finds the companion that serves already, and everybody who gets no link by it."""

import socket
from collections.abc import Iterator
from pathlib import Path

import msgspec
import platformdirs
import pytest

from companion.archive import Archive
from companion.web.host.one_instance import STARTER_PATH, InstanceNote, find_link, leave_note, sign
from tests.web.serving import Host


@pytest.fixture
def note(own_host: Host) -> Iterator[Path]:
    """The file of the note that a server has left."""
    assert own_host.server.door is not None
    folder = platformdirs.user_state_path("table-companion", appauthor=False) / "pages"
    before = set(folder.glob("*.json"))
    with leave_note(own_host.archive, f"http://127.0.0.1:{own_host.port}", own_host.server.door.starter_key):
        (file,) = set(folder.glob("*.json")) - before
        yield file


def test_the_note_goes_with_the_companion(own_host: Host) -> None:
    with leave_note(own_host.archive, f"http://127.0.0.1:{own_host.port}", "x"):
        pass
    assert find_link(own_host.archive) == ""


@pytest.mark.usefixtures("note")
def test_the_note_leads_to_a_link_that_is_good_once(own_host: Host) -> None:
    link = find_link(own_host.archive)
    path = link.removeprefix(f"http://127.0.0.1:{own_host.port}")
    assert own_host.stranger().get(path).leads_to == "/host"
    assert own_host.stranger().get(path).status == 403
    assert find_link(own_host.archive) not in ("", link)


@pytest.mark.posix
def test_a_note_that_others_can_read_or_change_counts_for_nothing(own_host: Host, note: Path) -> None:
    assert note.stat().st_mode & 0o777 == 0o600
    note.chmod(0o644)
    assert find_link(own_host.archive) == ""


@pytest.mark.parametrize("damage", ["", "{", '{"pid": 1}', '{"pid": 1, "url": "http://10.0.0.1:1", "key": "a"}'])
def test_a_damaged_note_is_none(own_host: Host, note: Path, damage: str) -> None:
    note.write_text(damage, encoding="utf-8")
    assert find_link(own_host.archive) == ""
    note.unlink()
    assert find_link(own_host.archive) == ""


def test_a_stale_note_leads_nowhere(own_host: Host, note: Path) -> None:
    content = msgspec.json.decode(note.read_bytes(), type=InstanceNote)
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        port = unused.getsockname()[1]
    # Nobody listens there any more, or a companion that has another key.
    for stale in (msgspec.structs.replace(content, url=f"http://127.0.0.1:{port}"), InstanceNote(1, content.url, "x")):
        with note.open("wb") as file:
            file.write(msgspec.json.encode(stale))
        assert find_link(own_host.archive) == ""


@pytest.mark.usefixtures("note")
def test_nobody_gets_a_link_without_the_key(own_host: Host) -> None:
    assert own_host.server.door is not None
    key = own_host.server.door.starter_key
    for proof in ("", sign("x", "start", "1"), sign(key, "start", "2"), sign(key, "link", "1"), "ä"):
        answer = own_host.stranger().ask("POST", STARTER_PATH, f"1\n{proof}", content_type="text/plain")
        assert answer.status == 404
    assert own_host.stranger().get(STARTER_PATH).status in (404, 405)


def test_each_archive_has_its_own_note(own_host: Host, note: Path, tmp_path: Path) -> None:
    with Archive.open(str(tmp_path / "other.sqlite")) as other:
        assert find_link(other) == ""
        with leave_note(other, f"http://127.0.0.1:{own_host.port}", "x"):
            assert len(list(note.parent.glob("*.json"))) > 1
            assert find_link(other) == ""
            assert find_link(own_host.archive)
