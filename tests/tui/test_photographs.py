"""A deck by its photographs: what follows from them is taken with one key each."""

from pathlib import Path
from random import Random

import pytest
from PIL import Image

from companion.archive import Archive, deck_records
from companion.printing import jobs
from companion.tabletop.decks.form import FormPlace
from companion.tabletop.decks.label_numbers import LooseLabel, format_number
from companion.tui.screens.decks.deck import DeckScreen
from companion.tui.screens.decks.deck import look_up as look_up_deck
from companion.tui.screens.decks.photographs import FramedPhotograph, PhotographsScreen
from labels.designs import EffectLabel, FiguresLabel, HeadedLabel
from tests.printing.evenings import begin_fight, create_deck, live, stuck_faces
from tests.scan import spreads
from tests.tui.conftest import Seat
from tests.tui.test_forms import answer_form, at_form


def stuck_labels(archive: Archive, deck: str) -> dict[str, EffectLabel | HeadedLabel | FiguresLabel]:
    """The labels that a deck calls for, by their titles and cards."""
    labels = jobs.cards_job(archive, [archive.find_deck(deck)], with_codes=True).labels
    return {
        f"{label.title} {label.card}": label
        for label in labels
        if isinstance(label, EffectLabel | HeadedLabel | FiguresLabel)
    }


@pytest.mark.slow
async def test_what_a_photograph_shows_is_taken_row_by_row(sit: Seat, archive: Archive, tmp_path: Path) -> None:
    deck = create_deck(archive)
    deck_records.tick(archive, deck, ["all"])
    live(archive, deck)
    stuck = stuck_labels(archive, deck)
    gone, starter = stuck.pop("Sharp 10♦"), stuck.pop("Banner Q♥")
    loose = format_number(LooseLabel(7, 12))
    assert isinstance(starter, EffectLabel)
    faces = [*stuck.values(), EffectLabel(starter.title, starter.effect, starter.tier, code=loose)]
    picture = spreads.photograph_of(faces, [face.code for face in faces], Random(5), angle=1)
    assert loose in picture.whole
    (tmp_path / "spread.jpg").write_bytes(picture.jpeg)
    async with sit(size=(120, 40)) as hand:
        await hand.app.push_screen(DeckScreen(archive, look_up_deck(archive, deck)))
        await hand.until(lambda: isinstance(hand.app.screen, DeckScreen))
        await hand.press("f8")
        await hand.until(lambda: isinstance(hand.app.screen, PhotographsScreen))
        screen = hand.app.screen
        assert isinstance(screen, PhotographsScreen)
        await hand.enter(str(tmp_path / "spread.jpg"))
        await hand.until(lambda: "labels seen" in hand.status)
        assert "not seen" in hand.status
        before = len(deck_records.chores(archive, deck))
        assert screen.rows.chosen == "proposal:0"
        await hand.press("enter")
        await hand.until(lambda: len(deck_records.chores(archive, deck)) == before - 1)
        await hand.until(lambda: "Done by hand" in hand.status)
        screen.rows.move(len(screen.rows.options))
        await hand.press("f3")
        await hand.until(lambda: isinstance(hand.app.screen, FramedPhotograph))
        framed = hand.app.screen
        assert isinstance(framed, FramedPhotograph)
        await hand.until(lambda: framed.picture.virtual_size.height > 10)
        await hand.press("escape")
        await hand.until(lambda: hand.app.screen is screen)
    assert Image.open(tmp_path / "spread.jpg").size == (4000, 3000)
    assert gone.title == "Sharp"


@pytest.mark.slow
async def test_a_photograph_of_another_deck_is_put_aside(sit: Seat, archive: Archive, tmp_path: Path) -> None:
    deck, other = create_deck(archive), create_deck(archive, "Salt and Iron")
    for name, each in (("mine", deck), ("theirs", other)):
        faces = [*stuck_labels(archive, each).values()]
        picture = spreads.photograph_of(faces, [face.code for face in faces], Random(5), angle=1)
        (tmp_path / f"{name}.jpg").write_bytes(picture.jpeg)
    before = archive.marks(deck)
    async with sit(size=(160, 40)) as hand:
        await hand.app.push_screen(PhotographsScreen(archive, archive.find_deck(deck)))
        await hand.until(lambda: isinstance(hand.app.screen, PhotographsScreen))
        screen = hand.app.screen
        assert isinstance(screen, PhotographsScreen)
        await hand.enter(str(tmp_path / "theirs.jpg"))
        await hand.until(lambda: "shows Salt and Iron, not Grave Choir" in hand.status)
        assert not screen.rows.options
        await hand.enter(str(tmp_path / "mine.jpg"))
        await hand.until(lambda: "Grave Choir: 10 labels seen" in hand.status)
        row_count = len(screen.rows.options)
        await hand.enter(str(tmp_path / "theirs.jpg"))
        await hand.until(lambda: "Picture 2 shows Salt and Iron" in hand.status)
        assert len(screen.rows.options) == row_count
    assert archive.marks(deck) == before


@pytest.mark.slow
async def test_a_photograph_of_the_table_says_what_was_revealed(sit: Seat, archive: Archive, tmp_path: Path) -> None:
    session = begin_fight(archive)
    faces = stuck_faces(archive, session, "ana:5C", "cy:9S")
    picture = spreads.photograph_of(faces, [face.code for face in faces], Random(3), angle=1)
    (tmp_path / "the table.jpg").write_bytes(picture.jpeg)
    async with sit(session.id, size=(120, 40)) as hand:
        # As terminals type the path of a file that is dropped onto them.
        await hand.enter(str(tmp_path / "the table.jpg").replace(" ", "\\ "))
        await hand.until(lambda: hand.bar == "reveal ana 5C, reveal cy 9S")
        await hand.until(lambda: "Ben is asked as usual. Enter does it" in hand.status)
        await hand.press("enter")
        await hand.until(lambda: [upcard.card for upcard in hand.table.sitting.session.state.revealed] == ["5C", "9S"])
        await hand.enter("photo nowhere.jpg")
        await hand.until(lambda: "nowhere.jpg" in hand.status and hand.bar == "")


@pytest.mark.slow
async def test_a_band_that_lives_on_paper_is_filled_in_from_its_photograph(
    sit: Seat, archive: Archive, tmp_path: Path
) -> None:
    deck = create_deck(archive)
    live(archive, deck)
    faces = [*stuck_labels(archive, deck).values()]
    picture = spreads.photograph_of(faces, [face.code for face in faces], Random(5), angle=1)
    (tmp_path / "spread.jpg").write_bytes(picture.jpeg)
    async with sit(size=(120, 40)) as hand:
        await hand.press("f3")
        form = await at_form(hand)
        await answer_form(hand, "The Paper Band")
        await hand.enter(str(tmp_path / "spread.jpg"))
        await hand.until(lambda: "are filled in" in hand.status)
        values = form.cursor.answers.values()
        assert values["name"] == "The Paper Band"
        ace = next(answer for answer in values["monsters"] if answer["card"] == "AS")
        assert set(ace["labels"].split(", ")) == {"rampage", "tough"}
        assert {"card": "10D", "inscription": "sharp"} in values["inscribed"]
        assert form.cursor.at == FormPlace("builder")
        await answer_form(hand, "Ana")
        assert form.cursor.answers.values()["builder"] == "Ana"
