"""Sheets and printers at hand: what is free, claimed and settled outlasts the program and can be made again."""

from datetime import UTC, datetime
from pathlib import Path

import pytest
import sqlalchemy as sa
from hypothesis import given
from hypothesis import strategies as st

from companion.archive import Archive, NameTaken, Unknown, maintenance, stationery
from companion.archive.storage.entries import (
    ClaimsSettled,
    Entry,
    PositionsClaimed,
    PositionsReturned,
    PositionsUsed,
    SheetBegun,
    drafts,
)
from companion.archive.storage.lists import sheet_row

ALL = tuple(range(1, 11))


def begin(archive: Archive, name: str = "Blue folder", free: tuple[int, ...] = ALL) -> None:
    stationery.begin_sheet(archive, name, "18294", 10, free)


def test_claimed_positions_are_neither_free_nor_used(archive: Archive) -> None:
    begin(archive)
    stationery.claim(archive, {"blue FOLDER": (1, 2)})
    row = stationery.find_sheet(archive, "Blue Folder")
    assert (row.free, row.waiting) == (ALL[2:], (1, 2))
    stationery.settle(archive, ["Blue folder"], "printed")
    assert stationery.find_sheet(archive, "blue folder").waiting == ()
    assert stationery.find_sheet(archive, "blue folder").free == ALL[2:]


@pytest.mark.parametrize(("outcome", "free"), [("printed", ALL[2:]), ("spoiled", ALL[2:]), ("blank", ALL)])
def test_each_outcome(archive: Archive, outcome: str, free: tuple[int, ...]) -> None:
    begin(archive)
    stationery.claim(archive, {"blue folder": (1, 2)})
    stationery.settle(archive, ["blue folder"], outcome)  # type: ignore[arg-type]
    assert stationery.find_sheet(archive, "blue folder").free == free


def test_a_claim_over_several_sheets_is_all_or_nothing(archive: Archive) -> None:
    begin(archive)
    begin(archive, "red", (1, 2))
    with pytest.raises(Unknown, match="“red” has changed meanwhile"):
        stationery.claim(archive, {"blue folder": (1,), "red": (2, 3)})
    assert stationery.find_sheet(archive, "blue folder").waiting == ()
    stationery.claim(archive, {"blue folder": (1,), "red": (2,)})
    assert [row.waiting for row in stationery.sheets(archive)] == [(1,), (2,)]


def test_positions_can_be_given_back_and_taken(archive: Archive) -> None:
    begin(archive, free=(5, 6))
    assert stationery.give_back(archive, "blue folder", (2, 6)).free == (2, 5, 6)
    assert stationery.use_up(archive, "blue folder", (5,)).free == (2, 6)


def test_a_sheet_that_is_put_away_leaves_its_name_to_another(archive: Archive) -> None:
    begin(archive, free=(1,))
    with pytest.raises(NameTaken, match="There is a sheet called Blue folder already"):
        begin(archive, "blue  folder")
    stationery.put_away(archive, "blue folder")
    assert stationery.sheets(archive) == ()
    with pytest.raises(Unknown, match="No sheet is called “blue folder”"):
        stationery.find_sheet(archive, "blue folder")
    begin(archive)
    assert stationery.find_sheet(archive, "blue folder").free == ALL


def test_a_printers_last_calibration_counts(archive: Archive) -> None:
    stationery.calibrate(archive, "Office", 1, 2, 0.99, 1.01)
    stationery.calibrate(archive, "office", 0.5, -1.25, 1, 1)
    (printer,) = stationery.printers(archive)
    assert (printer.name, printer.dx, printer.dy, printer.sx, printer.sy) == ("office", 0.5, -1.25, 1, 1)
    stationery.forget_printer(archive, "OFFICE")
    assert stationery.printers(archive) == ()
    with pytest.raises(Unknown, match="No printer is called “office”"):
        stationery.find_printer(archive, "office")


def test_it_outlasts_the_program_and_can_be_made_again(tmp_path: Path) -> None:
    place = str(tmp_path / "archive.sqlite")
    with Archive.open(place) as archive:
        begin(archive)
        stationery.claim(archive, {"blue folder": (3, 4)})
        stationery.calibrate(archive, "Office", 1, 2, 0.99, 1.01)
    with Archive.open(place) as archive:
        before = stationery.sheets(archive), stationery.printers(archive)
        with archive.store.writing() as transaction:
            transaction.connection.execute(sa.text("DELETE FROM sheets"))
            transaction.connection.execute(sa.text("UPDATE printers SET dx = 7"))
        assert len(maintenance.check_archive(archive)) == 2
        maintenance.repair(archive)
        assert (stationery.sheets(archive), stationery.printers(archive)) == before
        assert maintenance.check_archive(archive) == ()


some = st.sets(st.integers(1, 10)).map(lambda positions: tuple(sorted(positions)))
events = st.one_of(
    some.map(PositionsClaimed),
    some.map(PositionsReturned),
    some.map(PositionsUsed),
    st.sampled_from((ClaimsSettled("printed"), ClaimsSettled("spoiled"), ClaimsSettled("blank"))),
)


@given(some, st.lists(events, max_size=12))
def test_no_position_is_ever_both_free_and_waiting(free: tuple[int, ...], happened: list[PositionsClaimed]) -> None:
    bodies = drafts([SheetBegun("x", "18294", 10, free), *happened])
    at = datetime(2026, 1, 1, tzinfo=UTC)
    row = sheet_row("x", [Entry("sheet:x", seq, at, "me", *each) for seq, each in enumerate(bodies)])
    assert not set(row.free) & set(row.waiting)
    assert list(row.free) == sorted(set(row.free))
    assert row.length == len(bodies)
