"""Twelve evenings with four bands: the story that a stranger reads, the cards it leads to, its way to another home."""

from pathlib import Path

import pytest
from PIL import Image

from companion.archive import Archive, deck_id
from companion.archive.exchange import passport
from companion.archive.people import people
from companion.games.decknforge.decks.record import BandRecord, record
from companion.games.decknforge.decks.story import paper_state
from labels.output import proof
from tests.campaign import campaign
from tests.campaign.conftest import Read
from tests.games.decknforge.paper import PaperBand, on_paper

BANDS = ("Grave Choir", "The Lantern Debt", "Salt and Iron", "The Tidewrights")
STORY = campaign.HERE / "story.txt"


def read_everything(read: Read, played: Path) -> str:
    """Everything that the records say at the end: the decks, each one's life, and everybody's purse."""
    parts = [read(played, "deck", "list"), read(played, "deck", "chores")]
    for band in BANDS:
        parts += [read(played, "deck", "history", band), read(played, "deck", "show", band)]
    parts += [read(played, "wizard", "show", name) for name in campaign.PEOPLE]
    text = ("\n" + "─" * 100 + "\n\n").join(parts)
    with Archive.open(str(played)) as archive:
        for person in people.all_people(archive):  # ids are drawn anew each time
            text = text.replace(person.person, f"the id of {person.name}")
    return text


@pytest.mark.slow
def test_the_campaign_reads_as_it_was_reviewed(read: Read, played: Path, request: pytest.FixtureRequest) -> None:
    text = read_everything(read, played)
    if request.config.getoption("--snapshot-update", default=False):
        STORY.write_text(text, encoding="utf-8")
    assert text == STORY.read_text(encoding="utf-8")


def test_every_deck_is_on_paper_what_its_record_says(played: Path) -> None:
    with Archive.open(str(played)) as archive:
        for row in archive.decks():
            marks = archive.marks(row.deck)
            followed = paper_state(marks)
            first = record(marks[:1])
            paper = PaperBand.of(first) if row.deck == campaign.ADOPTED else PaperBand(first.holder)
            for tasks in (*followed.did.values(), followed.due):
                for task in tasks:
                    paper.do(str(task.text))
            assert paper.reads() == on_paper(record(marks)), row.name


def test_export_wipe_and_import_give_the_same_records(read: Read, played: Path, tmp_path: Path) -> None:
    file, home = tmp_path / "all.decks", tmp_path / "home.sqlite"
    read(played, "deck", "export", *BANDS, "-o", str(file))
    read(home, "deck", "import", str(file))
    for band in BANDS:
        for what in ("show", "history", "chores"):
            assert read(home, "deck", what, band, "--json") == read(played, "deck", what, band, "--json")
    again = tmp_path / "again.decks"
    read(home, "deck", "export", *BANDS, "-o", str(again))
    assert again.read_bytes() == file.read_bytes()


@pytest.mark.slow
@pytest.mark.parametrize("dpi", [150, pytest.param(300, marks=pytest.mark.slow)])
def test_a_printed_and_scanned_passport_is_the_deck_of_today(
    read: Read, played: Path, tmp_path: Path, dpi: int
) -> None:
    for band in BANDS:
        sheet, picture, home = tmp_path / f"{band}.pdf", tmp_path / f"{band}.png", tmp_path / f"{band}.sqlite"
        read(played, "labels", "record", band, "-o", str(sheet))
        page: Image.Image = next(proof.page_pictures(sheet.read_bytes(), dpi))
        page.save(picture)
        Archive.open(str(home)).close()
        read(home, "scan", str(picture), status=1)
        read(home, "scan", str(picture), "--adopt")
        with Archive.open(str(played)) as here, Archive.open(str(home)) as there:
            deck = here.find_deck(band).deck
            ours, theirs = here.record(deck), there.record(deck)
            assert isinstance(ours, BandRecord)
            assert isinstance(theirs, BandRecord)
            assert on_paper(theirs) == on_paper(ours)
            assert (theirs.builder, theirs.holders, theirs.heirloom) == (ours.builder, ours.holders, ours.heirloom)
            assert sorted(theirs.history) == sorted(ours.history)
            left, left_here = paper_state(there.marks(deck)).due, paper_state(here.marks(deck)).due
            assert {(task.spot, task.value) for task in left} == {(task.spot, task.value) for task in left_here}
        # The story itself comes later, as a file, and takes the passport's place.
        file = tmp_path / "story.decks"
        read(played, "deck", "export", band, "-o", str(file), "--force")
        assert "newer, taken in" in read(home, "deck", "import", str(file))
        assert read(home, "deck", "show", band, "--json") == read(played, "deck", "show", band, "--json")


def test_passports_fit_a_code_that_can_be_printed(played: Path) -> None:
    with Archive.open(str(played)) as archive:
        texts = {row.name: passport.write(archive, row.deck) for row in archive.decks()}
    assert all(len(text) <= passport.CAPACITY for text in texts.values())
    assert all(not passport.read(text).content[-1] for text in texts.values()), "nothing is left out of these"
    assert deck_id.parse(passport.read(texts["Grave Choir"]).deck)
