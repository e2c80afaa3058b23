"""All labels a band bears today, and what one evening adds to them."""

import pytest

from companion.archive import Archive, deck_id
from companion.games import registry
from companion.games.decknforge.decks import marks as m
from companion.games.decknforge.paper import IMPRINT
from companion.printing.jobs import card_labels, count_label, due_labels
from companion.printing.wording import load_wording
from companion.session.core import archive_journal
from companion.tabletop.notation.cards import Card
from labels.designs import CountLabel, FiguresLabel
from labels.errors import LabelError
from labels.output import pdf
from labels.paper import sheet, stocks
from labels.paper.sheet import label_title
from tests.archive.keepsake import Founded
from tests.labels.paper import Paper, text_in
from tests.printing.evenings import create_deck, live, play

STOCK = stocks.find("18294")


def test_a_new_band_bears_six_creatures_and_its_inscriptions(archive: Archive) -> None:
    labels = card_labels(archive.record(create_deck(archive)))
    assert [label_title(label) for label in labels] == [
        "Tithe Collector (A♠)",
        "Moth Queen (A♥)",
        "Drowned Bell (A♣)",
        "The Hollow Abbot (A♦)",
        "Candle Thief (BJ)",
        "Wormwood (RJ)",
        "Echo (7♠)",
        "Banner (Q♥)",
        "Quick (5♣)",
        "Sharp (10♦)",
    ]
    queen = labels[1]
    assert isinstance(queen, FiguresLabel)
    assert queen.tier is not None
    assert (queen.figures, queen.tier.title, queen.note) == ((("HP", "15"), ("ATK", "3")), "Legend", "Grave Choir")


def test_a_band_with_a_life_bears_what_its_record_says(archive: Archive) -> None:
    deck = create_deck(archive)
    live(archive, deck)
    titles = [label_title(label) for label in card_labels(archive.record(deck))]
    assert titles[:3] == ["Tithe Collector (A♠)", "Rampage (A♠)", "Tough (A♠)"]
    assert titles[-4:] == ["Echo (7♠)", "Royal Decree (K♠)", "Banner (Q♥)", "Sharp (10♦)"]


def test_a_deck_of_another_game_is_refused(archive: Archive) -> None:
    deck = archive.found_deck("keepsake", [Founded("Photo Box")])
    with pytest.raises(LabelError, match="Photo Box is a deck of keepsake; labels for cards are known for DecknForge"):
        card_labels(archive.record(deck))


def test_tonight_is_what_was_written_and_not_lost_again() -> None:
    marks = (
        m.Labelled(Card("AS"), "vampiric", "Cy"),
        m.DungeonPlayed("Ana", "win", 6, 7),
        m.InscriptionCrossedOut(Card("5C"), "quick", "faded"),
        m.CardInscribed(Card("7S"), "vampiric", "bought", "Ana"),
        m.CardInscribed(Card("8S"), "sharp", "bought", "Ana"),
        m.InscriptionCrossedOut(Card("8S"), "sharp", "cursed"),
        m.CarriedIn(Card("QD"), "towers-memory"),
        m.Drifted("Ben"),
    )
    written = IMPRINT.paper.new_labels(marks, load_wording(registry.game("decknforge")))
    assert [(text.card, text.title, text.tier.title if text.tier else "") for text in written] == [
        ("A♠", "Vampiric", "Hard"),
        ("7♠", "Vampiric", "Uncommon"),
    ]


def test_a_session_has_a_glory_label_for_each_box_that_opens_it(archive: Archive) -> None:
    session = archive_journal.resume(archive, play(archive))
    due = due_labels(archive, session.game.marks(session.state))
    assert {each.row.name: [label_title(label) for label in each.labels] for each in due} == {
        "Grave Choir": ["Royal Decree (K♠)", "Sharp (5♣)", "Glory 7 of Grave Choir"],
        "The Lantern Debt": ["Untouchable (Q♠)", "Banner (7♦)", "Glory 7 of The Lantern Debt"],
        "Salt and Iron": ["Thorns (J♠)", "Glory 7 of Salt and Iron"],
    }
    run = [label for each in due for label in each.labels]
    document = pdf.render_sheets(sheet.place_labels(run, STOCK), STOCK, pdf.Setup("Tonight"))
    for dpi in (150, 300, 600):
        paper = Paper(document, dpi)
        codes = [paper.codes(STOCK.box(position)) for position in range(1, len(run) + 1)]
        assert codes == [[label.payload] if isinstance(label, CountLabel) else [] for label in run]


def test_an_evening_without_glory_needs_no_new_label_for_the_box(archive: Archive) -> None:
    deck = create_deck(archive)
    archive.mark(deck, archive.find_deck(deck).length, [m.DungeonPlayed("Ana", "loss", 0, 0)])
    assert due_labels(archive, {deck: (m.DungeonPlayed("Ana", "loss", 0, 0),)})[0].labels == ()


def test_a_glory_label_shows_the_deck_as_it_is_now(archive: Archive) -> None:
    deck = create_deck(archive)
    live(archive, deck)
    document = pdf.render_sheets([{1: count_label(archive.find_deck(deck))}], STOCK, pdf.Setup("Glory"))
    text = text_in(document, STOCK.box(1))
    assert "10 GLORY" in text
    assert "Grave Choir" in text
    assert deck_id.show(deck) in text
