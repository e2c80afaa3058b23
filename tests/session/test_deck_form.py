"""Founding a deck beside an archive: which stored decks its form offers."""

from companion.archive import Archive
from companion.games.decknforge.decks import marks as m
from companion.games.decknforge.game import GAME
from companion.session.table.form_filling import DeckForm
from companion.tabletop.decks.form import FormPlace
from companion.tabletop.table.choices import Open
from tests.archive import bands


def test_an_heirloom_is_offered_of_retired_bands_alone(archive: Archive) -> None:
    bands.found_band(archive, "Grave Choir")
    retired = bands.found_band(archive, "Salt and Iron")
    form = DeckForm(archive, GAME, GAME.decks.founding, "Build")
    place = FormPlace("heirloom-of")
    assert place in form.build_state(form.initial_values()).idle, "there is no retired band yet"
    bands.add(archive, retired, m.BandRetired("echo", "Ana"))
    assert place not in form.build_state(form.initial_values()).idle
    offered = form.candidates(form.initial_values(), place, "")
    assert not isinstance(offered, Open)
    assert [str(choice.title).partition(" · ")[0] for choice in offered] == ["Salt and Iron"]
