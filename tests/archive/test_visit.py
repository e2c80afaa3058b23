"""Ticks taken back while the box still lies open: no story tells of them, and the entries keep both."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from companion.archive import Archive, deck_records
from companion.archive.storage.lists import deck_stream
from companion.tabletop.action import RuleError
from companion.tabletop.records import Reason
from tests.archive import bands
from tests.examples import examples


def test_a_tick_taken_back_within_a_visit_is_not_told(archive: Archive) -> None:
    deck = bands.found_band(archive)
    due, before = deck_records.chores(archive, deck), archive.story(deck)
    visit = deck_records.Visit(archive, "Ana")
    assert visit.tick(deck, [due[0].id]) == due[:1]
    assert "Done by hand, by Ana" in archive.story(deck)[-1].text
    assert visit.take_back() == deck
    assert deck_records.chores(archive, deck) == due
    assert archive.story(deck) == before
    kinds = [entry.kind for entry in archive.entries(deck_stream(deck))]
    assert kinds[-2:] == ["done", "corrected"]
    assert '"code":"ticked-at-once"' in archive.entries(deck_stream(deck))[-1].body


def test_what_is_taken_back_after_the_visit_is_told(archive: Archive) -> None:
    deck = bands.found_band(archive)
    deck_records.Visit(archive).tick(deck, ("all",))
    assert deck_records.Visit(archive).take_back() is None
    deck_records.correct(archive, deck, len(archive.marks(deck)), Reason("ticked-by-mistake"))
    lines = archive.story(deck)[-2:]
    assert [line.kind for line in lines] == ["done", "corrected"]
    assert "ticked off by mistake" in lines[1].text


def test_a_correction_taken_back_is_told_once(archive: Archive) -> None:
    deck = bands.found_band(archive)
    before = len(archive.story(deck))
    visit = deck_records.Visit(archive)
    visit.tick(deck, ("all",))
    visit.take_back()
    deck_records.correct(archive, deck, len(archive.marks(deck)), "it was done")
    assert not deck_records.chores(archive, deck)
    assert len(archive.story(deck)) == before + 3


@settings(max_examples=examples(15), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.sampled_from(("tick", "back"))))
def test_a_visit_leaves_the_ticks_not_taken_back(archive: Archive, deeds: list[str]) -> None:
    deck = bands.found_band(archive, f"Band {len(archive.decks())}")
    plain, visit, depth = len(archive.story(deck)), deck_records.Visit(archive), 0
    for deed in deeds:
        if deed == "back":
            assert (visit.take_back() is None) == (depth == 0)
            depth = max(0, depth - 1)
        elif due := deck_records.chores(archive, deck):
            visit.tick(deck, [due[0].id])
            depth += 1
        else:
            with pytest.raises(RuleError, match="Nothing is left"):
                visit.tick(deck, ("all",))
        assert visit.ticks == depth
        assert len(archive.story(deck)) == plain + depth
