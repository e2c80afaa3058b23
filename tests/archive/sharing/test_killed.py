"""Programs that were killed before they noted what they wrote into the folder, of which copies may be left."""

import shutil
from pathlib import Path

import pytest

from companion.archive import StoredLine
from companion.archive.people import forgetting, people
from companion.archive.sharing.batches import read_batches
from companion.archive.sharing.local_state import Device, LocalState, state_file
from companion.archive.sharing.story_import import Decisions
from tests.archive.keepsake import Founded, Played
from tests.archive.sharing.homes import SharedHome, deliver, entries, names, own_names, settle

pytestmark = pytest.mark.files

COPIES = (" (1)", ".sync-conflict-20260314-101010-ABCDEFG")
"""The endings of the names of copies that programs make; one comes before the file itself, and one after it."""


def kill_while_it_writes(home: SharedHome) -> None:
    """Let a home write into the folder, and lose its notes on that."""
    before = state_file(home.file).read_bytes()
    home.sync()
    state_file(home.file).write_bytes(before)


def keep_copy(home: SharedHome, of: SharedHome, copy: str) -> None:
    """Leave a copy of the file of another home in the folder."""
    (name,) = own_names(of)
    shutil.copyfile(of.files / name, home.files / f"{Path(name).stem}{copy}.shared")


def numbers_of(path: Path) -> list[int]:
    """The numbers of the batches in a file."""
    return [batch.head.number for batch in read_batches(path.read_bytes())]


@pytest.mark.parametrize("copy", COPIES)
def test_a_deck_is_decided_about_beside_an_old_copy(ana: SharedHome, ben: SharedHome, copy: str) -> None:
    deck = ana.archive.found_deck("keepsake", [Founded("Choir")])
    settle(ana, ben)
    ana.archive.mark(deck, 2, [Played(1)])
    kill_while_it_writes(ana)
    keep_copy(ben, ana, copy)
    for number in (2, 3):
        ana.archive.mark(deck, number + 1, [Played(number)])
        ana.sync()
    ben.archive.mark(deck, 2, [Played(9)])
    settle(ana, ben)
    assert ben.waiting == {("deck", "diverged")}
    ben.sync(Decisions("theirs"))
    settle(ana, ben)
    assert ana.waiting == ben.waiting == set()
    assert entries(ana) == entries(ben)
    assert sum(entry.kind == "played" for entry in ben.archive.entries(f"deck:{deck}")) == 4


@pytest.mark.parametrize("copy", COPIES)
def test_a_table_with_a_gap_is_whole_beside_an_old_copy(ana: SharedHome, ben: SharedHome, copy: str) -> None:
    """A number was given twice, as the writer had another end of its file back before it went on."""
    session = ana.archive.new_session("keepsake", "Friday")
    settle(ana, ben)
    (name,) = own_names(ana)
    (ben.files / name).unlink()
    begun = (ana.files / name).stat().st_size
    ana.archive.append_lines(session, 1, [StoredLine("note '1'", 1)])
    kill_while_it_writes(ana)
    keep_copy(ben, ana, copy)
    with (ana.files / name).open("r+b") as file:
        file.truncate(begun)
    ana.archive.append_lines(session, 2, [StoredLine("note '2'", 2)])
    ana.sync()
    assert numbers_of(ana.files / name) == [1, 2]
    second = (ana.files / name).stat().st_size
    ana.archive.append_lines(session, 3, [StoredLine("note '3'", 3)])
    ana.sync()
    (ben.files / "later.shared").write_bytes((ana.files / name).read_bytes()[second:])
    ben.sync()
    assert ben.waiting == {("session", "parts")}
    settle(ana, ben)
    assert ben.waiting == set()
    assert [line.line for line in ben.archive.lines(session)] == ["note '1'", "note '2'", "note '3'"]


def test_no_number_is_given_twice(ana: SharedHome) -> None:
    for name in ("Zoe", "Yan", "Xia"):
        people.add_person(ana.archive, name)
        (kill_while_it_writes if name == "Yan" else SharedHome.sync)(ana)
    (name,) = own_names(ana)
    assert numbers_of(ana.files / name) == [1, 3]


def test_a_gap_is_filled_by_what_another_device_brings(ana: SharedHome, ben: SharedHome, tmp_path: Path) -> None:
    """The file with the middle of it is lost for ever, but another device had read it."""
    cy = SharedHome(tmp_path, "cy")
    cy.share()
    session = ana.archive.new_session("keepsake", "Friday")
    ana.sync()
    ends = []
    for number in range(1, 4):
        ana.archive.append_lines(session, number, [StoredLine(f"note '{number}'", number)])
        ana.sync()
        (name,) = own_names(ana)
        ends.append((ana.files / name).stat().st_size)
        if number == 2:
            deliver(ana, cy)
            cy.sync()
    content = (ana.files / name).read_bytes()
    (ben.files / "first.shared").write_bytes(content[: ends[0]])
    (ben.files / "later.shared").write_bytes(content[ends[1] :])
    ben.sync()
    assert ben.waiting == {("session", "parts")}
    deliver(cy, ben)
    ben.sync()
    assert ben.waiting == set()
    assert [line.line for line in ben.archive.lines(session)] == [f"note '{number}'" for number in (1, 2, 3)]
    cy.close()


def test_both_exports_of_one_number_may_wait(ana: SharedHome) -> None:
    """A program that was killed had begun one of them, and nobody else can know which."""
    with LocalState.open(ana.file) as state:
        assert state is not None
        for writer, export in (("old", 1), ("a", 2), ("b", 2)):
            state.put_device(Device(writer, "other", "ben@ben-pc", export, 0.0))
        for writer in ("old", "a", "b"):
            state.put_waiting(writer, "deck:7K3M9QPX", "diverged")
        assert {writer for writer, _ in state.waiting()} == {"a", "b"}
    assert [device.name for device in ana.state.devices] == ["ben@ben-pc"]


def test_nothing_waits_for_parts_of_ones_own_old_files(ana: SharedHome) -> None:
    """A program that synchronises may have kept half of a file that was replaced."""
    person = people.add_person(ana.archive, "Zoe").person
    ana.sync()
    (name,) = own_names(ana)
    begun = (ana.files / name).stat().st_size
    people.rename_person(ana.archive, person, "Yan")
    ana.sync()
    rest = (ana.files / name).read_bytes()[begun:]
    forgetting.forget_person(ana.archive, person)
    ana.sync()
    assert own_names(ana) != {name}
    (ana.files / "rest.shared").write_bytes(rest)
    ana.sync()
    assert ana.waiting == set()
    assert "Yan" not in names(ana)
