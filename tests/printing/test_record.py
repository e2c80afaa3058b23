"""The record sheet: the six Monsters, the Blessed cards, the dungeons and who held the band, filled in."""

from datetime import datetime

import pypdfium2
import pytest

from companion.archive import Archive, deck_id, deck_records
from companion.games import registry
from companion.games.decknforge.decks import marks as m
from companion.printing import jobs
from companion.printing.jobs import aid_document
from companion.tabletop.notation.cards import Card
from labels.errors import LabelError
from labels.geometry import Box
from labels.output import page
from tests.archive.keepsake import Founded
from tests.labels.paper import Paper
from tests.printing.evenings import create_deck, live


def _sheet(archive: Archive, deck: str) -> page.Document:
    dates = {entry.number: entry.at for entry in archive.story(deck)}
    return jobs.record_document(deck, archive.record(deck), archive.marks(deck), dates)


def _text(document: page.Document, size: str = "letter") -> str:
    with pypdfium2.PdfDocument(page.render_document(document, page.paper(size))) as opened:
        return " ".join(" ".join(each.get_textpage().get_text_range().split()) for each in opened)


def _table(document: page.Document, title: str) -> list[tuple[str, ...]]:
    return [row for table in document.tables if table.title == title for row in table.rows]


@pytest.fixture
def today() -> str:
    return f"{datetime.now().astimezone():%Y-%m-%d}"


def test_a_life_is_all_on_the_sheet(archive: Archive, today: str) -> None:
    deck = create_deck(archive)
    live(archive, deck)
    sheet = _sheet(archive, deck)
    assert sheet.subtitle == f"DecknForge band, founded {today} by Ana · held by Ben"
    assert sheet.facts == (("Glory", "10"), ("dungeons", "2"), ("Blessed cards", "4"))
    monsters = _table(sheet, "Monsters")
    assert len(monsters) == 6
    assert monsters[0] == ("A♠", "Tithe Collector", "15", "3", "2♠ 4♥ 9♣", "Rampage ▲▲▲ (2, Cy), Tough ▲▲ (2, Ben)")
    assert monsters[1][0] == "A♥ ★"
    assert _table(sheet, "Blessed cards") == [
        ("7♠", "Echo", "■ Uncommon", today, "at the founding, by Ana"),
        ("10♦", "Sharp", "● Common", today, "at the founding, by Ana"),
        ("Q♥", "Banner", "■ Uncommon", today, "at the founding, by Ana"),
        ("K♠", "Royal Decree", "✦ Mythic", today, "from a Legend, by Ben"),
    ]
    assert _table(sheet, "Lost inscriptions") == [("5♣", "Quick", "● Common", "1", "faded")]
    assert _table(sheet, "Dungeons") == [
        ("1", today, "Ana", "WIN", "6", "", "+7"),
        ("2", today, "Ben", "LOSS", "2", "", "+3"),
    ]
    assert _table(sheet, "Drift") == [("1", today, "Ana"), ("2", today, "Ben")]


@pytest.mark.parametrize("size", ["letter", "a4"])
def test_it_is_printed_with_its_code(archive: Archive, size: str) -> None:
    deck = create_deck(archive)
    live(archive, deck)
    document = page.render_document(_sheet(archive, deck), page.paper(size))
    for dpi in (150, 300, 600):
        (code,) = Paper(document, dpi).codes(Box(0, 0, *page.paper(size)))
        assert archive.find_deck(code).deck == deck
    assert deck_id.show(deck) in _text(_sheet(archive, deck), size)


def test_a_new_band_has_a_sheet_to_go_on_by_hand(archive: Archive) -> None:
    sheet = _sheet(archive, create_deck(archive))
    assert _table(sheet, "Dungeons") == []
    assert _table(sheet, "Lost inscriptions") == []
    assert all(table.blanks for table in sheet.tables if table.title != "Monsters")
    assert "1 of" not in _text(sheet)


def test_a_correction_changes_the_sheet_and_not_the_other_rows(archive: Archive, today: str) -> None:
    deck = create_deck(archive)
    live(archive, deck)
    first = next(number for number, mark in enumerate(archive.marks(deck), 1) if isinstance(mark, m.CardInscribed))
    archive.mark(deck, archive.find_deck(deck).length, [m.BandCorrected(first, "never stuck", "Ana")])
    sheet = _sheet(archive, deck)
    assert [row[1] for row in _table(sheet, "Blessed cards")] == ["Sharp", "Banner", "Royal Decree"]
    assert {row[3] for row in _table(sheet, "Blessed cards")} == {today}


def test_a_band_adopted_from_paper_says_what_is_not_known(archive: Archive) -> None:
    creature = m.FoundedMonster(Card("AS"), "Old Wyrm", 18, 3, legend=True)
    adopted = m.BandAdopted(
        "Old Guard",
        "Zoe",
        (creature,),
        labels={Card("AS"): ("doom",)},
        inscribed={Card("7S"): ("echo",)},
        holders=("Zoe", "Ana"),
        glory=20,
        dungeons=4,
        since="1999",
    )
    deck = archive.found_deck(
        "decknforge", [adopted, m.CardInscribed(Card("8S"), "sharp", "bought", "Ana"), m.Drifted("Ben")]
    )
    sheet = _sheet(archive, deck)
    assert sheet.subtitle == "DecknForge band, founded 1999 by Zoe · held by Ben"
    assert _table(sheet, "Monsters") == [("A♠ ★", "Old Wyrm", "18", "3", "", "Doom ▲▲▲")]
    assert _table(sheet, "Blessed cards")[0][3] == "before records"
    assert [row[1] for row in _table(sheet, "Drift")][:2] == ["before records"] * 2
    assert "Old Guard" in _text(sheet)


def test_a_retired_band_says_what_became_of_it(archive: Archive) -> None:
    deck = create_deck(archive)
    archive.mark(
        deck, archive.find_deck(deck).length, [m.BandRetired("echo", "Ana"), m.CarriedOn("New Choir", "7K3M9QPX2B4TC")]
    )
    assert _sheet(archive, deck).subtitle.endswith("· retired, heirloom Echo in New Choir")


def test_a_long_life_goes_on_over_pages(archive: Archive) -> None:
    deck = create_deck(archive)
    archive.mark(deck, archive.find_deck(deck).length, [m.DungeonPlayed("Ana", "win", 6, 7)] * 80)
    text = _text(_sheet(archive, deck))
    assert "Grave Choir · 3 of 3" in text
    assert text.count(" WIN 6 +7") == 80


def test_another_game_has_no_such_sheet(archive: Archive) -> None:
    with pytest.raises(LabelError, match="labels for cards are known for DecknForge"):
        _sheet(archive, archive.found_deck("keepsake", [Founded("Photo Box")]))


@pytest.mark.parametrize("size", ["letter", "a4"])
def test_the_table_aid_is_one_page_with_steps_tactics_and_prices(size: str) -> None:
    text = _text(aid_document(registry.game("decknforge")), size)
    assert " 1 of " not in text
    for step in ("1 Plot", "2 Reveal", "3 Tactics", "4 Damage", "5 Killing Blow", "6 Boss attack", "7 Pressure"):
        assert step in text
    for part in ("8 Minions", "9 Refill", "Spike", "Foil", "Snipe", "Brace", "Common 5 Coppers", "Rare 20 Coppers"):
        assert part in text


def test_what_no_font_prints_is_named_and_the_rest_is_printed(archive: Archive) -> None:
    deck = create_deck(archive)
    deck_records.rename_deck(archive, deck, "Grave 🐉 Choir", "a dragon")
    job = jobs.record_job(archive, archive.find_deck(deck))
    assert [str(sentence).split(" has ")[0] for sentence in job.left_out] == ["“Grave 🐉 Choir”"]
    assert job.document is not None
    assert "Grave Choir" in _text(job.document)
