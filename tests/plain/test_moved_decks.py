"""A deck whose record has moved on, in plain lines: read out with three answers, which are taken by their numbers."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.archive import Archive
from companion.plain import opening
from companion.plain.talk import Talk
from tests.session.two_tables import FADED, FOUGHT, KEPT, leave_one_seal_other, sit_down, store_bands, story


@pytest.fixture
def archive(tmp_path: Path) -> Iterator[Archive]:
    with Archive.open(str(tmp_path / "archive.sqlite"), by="tests") as opened:
        yield opened


def test_it_is_read_out_first_and_answered_by_number(archive: Archive) -> None:
    left = leave_one_seal_other(archive, *FOUGHT, *FADED, *KEPT)
    heard: list[str] = []
    talk = Talk(sit_down(archive, left.id), heard.append)
    assert talk.run(["1", "2", "seal", "yes"]) is False
    at = next(at for at, text in enumerate(heard) if text.startswith("Grave Choir's record has changed"))
    assert "Quick on 4♥ faded." in heard[at]
    assert heard[at + 1 : at + 4] == [
        "1. refresh-deck ana: Bring this table up to date: reload the deck",
        "2. off-record ana: Play on without this deck's record; it stays as it is",
        "3. close-table: Close the table; it stays as it is",
    ]
    assert "Left out of the record: Quick on 4♥ of Grave Choir was crossed out already." in heard
    assert archive.find_session(left.id).sealed
    assert story(archive, "Grave Choir").count("Quick on 4♥ faded.") == 1


def test_the_third_answer_ends_the_talk(archive: Archive) -> None:
    left = leave_one_seal_other(archive, "begin seed 1")
    heard: list[str] = []
    Talk(sit_down(archive, left.id), heard.append).run(["3", "note never said"])
    assert heard[-1].startswith("Nothing was kept now") or heard[-1].startswith("Everything is kept.")
    assert archive.lines(left.id)[-1].line.startswith("begin")


def test_who_opens_a_table_hears_where_else_a_deck_sits(archive: Archive) -> None:
    store_bands(archive)
    heard: list[str] = []
    typed = ["table decknforge", "Ana", "Grave Choir", "done"]
    first = opening.open_table(archive, iter(typed), heard.append)
    assert first is not None
    assert not any("is also at table" in text for text in heard)
    opening.open_table(archive, iter(typed), heard.append)
    assert f"Grave Choir is also at table {first.session}." in heard
