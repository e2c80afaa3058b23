"""Box labels come from the archive: what they show is the record, and what their code opens is the deck."""

import pytest

from companion.archive import Archive, deck_id
from companion.printing.jobs import box_labels
from labels.output import pdf
from labels.paper import sheet, stocks
from tests.archive.keepsake import Founded, Played, Retired
from tests.labels.paper import Paper, text_in

STOCK = stocks.find("18294")


def test_a_box_label_has_name_glory_and_id_and_finds_the_deck(archive: Archive) -> None:
    choir = archive.found_deck("keepsake", [Founded("Grave Choir")])
    archive.mark(choir, 2, [Played(glory=3), Played(glory=4)])
    document = pdf.render_sheets(
        sheet.place_labels(box_labels([archive.find_deck("grave")]), STOCK), STOCK, pdf.Setup("Boxes")
    )
    text = text_in(document, STOCK.box(1))
    assert "Grave Choir" in text
    assert "Glory 7 · Dungeons 2" in text
    assert deck_id.show(choir) in text
    (code,) = Paper(document, 150).codes(STOCK.box(1))
    assert archive.find_deck(code).deck == choir


def test_a_retired_deck_says_so(archive: Archive) -> None:
    first = archive.found_deck("keepsake", [Founded("Old Guard"), Played(glory=1), Retired()])
    second = archive.found_deck("keepsake", [Founded("New Guard"), Played(glory=1)])
    old, new = box_labels([archive.find_deck(first), archive.find_deck(second)])
    assert old.notes == ("retired",)
    assert new.notes == ("Glory 1 · Dungeons 1",)


@pytest.mark.sample(3)
@pytest.mark.parametrize("dpi", [150, 300, 600])
def test_every_code_of_a_sheet_of_real_decks_reads_back(archive: Archive, dpi: int) -> None:
    decks = [archive.found_deck("keepsake", [Founded(f"Band {number}")]) for number in range(60)]
    run = sheet.place_labels(box_labels([archive.find_deck(deck) for deck in decks]), STOCK)
    paper = Paper(pdf.render_sheets(run, STOCK, pdf.Setup("Boxes")), dpi)
    read_back = [paper.codes(STOCK.box(position)) for position in range(1, 61)]
    assert read_back == [[deck_id.payload(deck)] for deck in decks]
