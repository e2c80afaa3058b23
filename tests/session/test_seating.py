"""Who sits at a new table, and what the notation calls them."""

from collections.abc import Iterable
from pathlib import Path

import pytest

from companion.archive import Archive
from companion.games.decknforge.game import GAME
from companion.session.table import form_filling
from companion.session.table.seating import TableForm, seat_word
from companion.tabletop.decks.form import FormPlace
from companion.tabletop.table.choices import NONE
from tests.archive import bands


@pytest.mark.parametrize(
    ("name", "taken", "word"),
    [
        ("Ana", set(), "ana"),
        ("Ana Maria", set(), "ana"),
        ("Ana", {"ana"}, "ana2"),
        ("Łukasz", set(), "łukasz"),
        ("7", set(), "p7"),
        ("Boss", set(), "pboss"),
        ("!", set(), "p"),
    ],
)
def test_a_name_becomes_a_word_of_the_notation(name: str, taken: set[str], word: str) -> None:
    assert seat_word(name, taken) == word


def test_a_seat_is_offered_its_own_deck_first_and_none_that_is_at_the_table_already(tmp_path: Path) -> None:
    with Archive.open(str(tmp_path / "archive.sqlite"), by="test") as archive:
        for band, who in (("Grave Choir", "Ana"), ("Salt and Iron", "Cy"), ("The Lantern Debt", "Ben")):
            bands.found_band(archive, band, who)
        form = TableForm(archive, GAME)
        seats = [{"name": "Ana", "deck": "grave choir"}, {"name": "Ben"}]
        offered = form.candidates({"seat": seats}, FormPlace("seat", 1, "deck"), "")
        assert isinstance(offered, Iterable)
        assert [choice.value for choice in offered] == ["The Lantern Debt", NONE, "Salt and Iron"]
        seats[1]["deck"] = "Grave Choir"
        texts = [str(finding.text) for finding in form.build_state({"seat": seats}).filled.findings]
    assert texts == ["Grave Choir is at this table already; a box can be opened once."]


def test_somebodys_own_deck_is_offered_wherever_it_stands_among_many(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(form_filling, "MAX_DECKS_OFFERED", 1)
    with Archive.open(str(tmp_path / "archive.sqlite"), by="test") as archive:
        for band, who in (("Grave Choir", "Ana"), ("Salt and Iron", "Cy"), ("The Lantern Debt", "Ben")):
            bands.found_band(archive, band, who)
        offered = TableForm(archive, GAME).candidates({"seat": [{"name": "ben"}]}, FormPlace("seat", 0, "deck"), "")
        assert isinstance(offered, Iterable)
        assert [choice.value for choice in offered] == ["The Lantern Debt", NONE, "Grave Choir"]


def test_who_chooses_no_deck_plays_with_the_one_they_hold(tmp_path: Path) -> None:
    with Archive.open(str(tmp_path / "archive.sqlite"), by="test") as archive:
        for band, who in (("Grave Choir", "Ana"), ("Salt and Iron", "Cy"), ("The Lantern Debt", "Cy")):
            bands.found_band(archive, band, who)
        form, ana, cy = TableForm(archive, GAME), FormPlace("seat", 0, "deck"), FormPlace("seat", 1, "deck")
        state = form.build_state({"seat": [{"name": "ana"}, {"name": "Cy"}, {"name": "Ben"}]})
        assert state.implied == {ana: "Grave Choir"}
        texts = {finding.place: str(finding.text) for finding in state.filled.findings}
        assert texts == {cy: "Choose the deck of Cy, or a loose band."}
        # Two of a name have no deck by the name alone.
        again = form.build_state({"seat": [{"name": "Ana"}, {"name": "Ana"}]})
        assert [*again.implied] == [ana]
        loose = form.build_state({"seat": [{"name": "Ana", "deck": NONE}, {"name": "Cy", "deck": NONE}]})
        assert not loose.implied
        assert not loose.filled.findings
        assert str(loose.filled.beside[FormPlace("seat", 0)]).startswith("a loose band")
        bens = form.build_state({"seat": [{"name": "Ana"}, {"name": "Ben", "deck": "Grave Choir"}]})
        assert not bens.implied, "a deck that is chosen for another seat is not free"
        assert not bens.filled.findings
