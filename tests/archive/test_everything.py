"""A whole archive in one file: what goes out comes in, whole or not at all."""

import gzip
from pathlib import Path

import pytest

from companion.archive import Archive, ArchiveError, NameTaken, Unreadable, check, everything, people
from tests.archive import household
from tests.archive.keepsake import Founded

pytestmark = pytest.mark.files


@pytest.fixture
def filled(archive: Archive) -> Archive:
    household.fill(archive)
    return archive


def test_another_home_has_the_same_and_nothing_twice(filled: Archive, tmp_path: Path) -> None:
    file, again, other = tmp_path / "all.gz", tmp_path / "again.gz", tmp_path / "other.sqlite"
    count = everything.export(filled, file)
    with Archive.open(str(other)) as there:
        watched: list[float] = []
        taken = everything.take_in(there, file, watched.append)
        assert len(watched) == taken.new
        assert 0 < watched[0] <= watched[-1] <= 1
        assert taken.entries == count == len(household.stored(Path(filled.name)))
        assert household.stored(other) == household.stored(Path(filled.name))
        assert check.check(there) == check.check(there, thorough=False) == ()
        assert (there.decks(), there.sessions()) == (filled.decks(), filled.sessions())
        everything.export(there, again)
        assert again.read_bytes() == file.read_bytes()
        assert everything.take_in(there, file) == (0, 0, taken.new, 0)
        people.add(filled, "Zoe")
        person = people.show(filled, "Ana").person
        people.rename(filled, person, "Anna")
        everything.export(
            filled,
            file,
        )
        assert everything.take_in(there, file) == (1, 1, taken.new - 1, 2)
        assert people.people(there) == people.people(filled)


def test_what_went_on_differently_is_refused_whole(filled: Archive, tmp_path: Path) -> None:
    file, other = tmp_path / "all.gz", tmp_path / "other.sqlite"
    everything.export(filled, file)
    with Archive.open(str(other)) as there:
        everything.take_in(there, file)
        person = people.show(filled, "Ana").person
        people.rename(filled, person, "Anna")
        people.rename(there, person, "Annie")
        people.add(filled, "Zoe")
        everything.export(filled, file)
        with pytest.raises(ArchiveError, match=f"person:{person} went on differently"):
            everything.take_in(there, file)
        assert "Zoe" not in {each.name for each in people.people(there)}


def test_a_name_that_another_deck_has_is_refused(filled: Archive, tmp_path: Path) -> None:
    file = tmp_path / "all.gz"
    everything.export(filled, file)
    with Archive.open(str(tmp_path / "other.sqlite")) as there:
        there.found("keepsake", [Founded("grave choir")])
        with pytest.raises(NameTaken, match="already"):
            everything.take_in(there, file)
        assert len(there.decks()) == 1


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda lines: [lines[0].replace(b'"version":1', b'"version":2'), *lines[1:]], "newer companion"),
        (lambda lines: [lines[0].replace(b'"archive"', b'"decks"'), *lines[1:]], "is no file"),
        (lambda lines: [line.replace(b"Grave", b"Brave") for line in lines], "does not follow"),
        (lambda lines: lines[:-1], "cut off"),
        (lambda lines: lines[: len(lines) // 2], "cut off"),
        (lambda lines: [*lines, lines[-1]], "its end"),
        (lambda lines: [line.replace(b'{"stream":"person', b'{"stream":"parson') for line in lines], "no file"),
    ],
)
def test_what_was_changed_or_cut_is_refused_whole(filled: Archive, tmp_path: Path, change, said: str) -> None:  # type: ignore[no-untyped-def]
    file, other = tmp_path / "all.gz", tmp_path / "other.sqlite"
    everything.export(filled, file)
    lines = gzip.decompress(file.read_bytes()).splitlines(keepends=True)
    file.write_bytes(gzip.compress(b"".join(change(lines))))
    with Archive.open(str(other)) as there, pytest.raises(Unreadable, match=said):
        everything.take_in(there, file)
    assert household.stored(other) == {}
