"""Labels name the deck that they belong to, where they have room for that."""

from companion.archive import Archive
from companion.games.decknforge.decks import marks as m
from companion.printing.jobs import cards_job, due_labels
from companion.tabletop.notation.cards import Card
from labels import layout
from labels.designs import EffectLabel, HeadedLabel
from labels.drawing.null_ink import NullInk
from labels.geometry import Box
from labels.layout import TierMark
from labels.output import pdf
from labels.paper import sheet, stocks
from labels.paper.sheet import Label
from tests.labels.paper import text_in
from tests.printing.evenings import create_deck, live

STOCK = stocks.find("18294")
RARE = TierMark("Rare", "◆", "#2E7D32")
LONG = "The Killer gives up one inscription of its own for ever, whoever it was that struck the Boss last of all."


def words_on(label: Label) -> str:
    """Return what somebody reads on a label of the usual stock."""
    return text_in(pdf.render_sheets(sheet.place_labels([label], STOCK), STOCK, pdf.Setup("Labels")), STOCK.box(1))


def test_labels_of_a_deck_name_it(archive: Archive) -> None:
    deck = create_deck(archive, "Grave Choir")
    live(archive, deck)
    labels = cards_job(archive, [archive.find_deck(deck)]).labels
    assert all("Grave Choir" in words_on(label) for label in labels)
    (label,) = due_labels(archive, {deck: (m.CardInscribed(Card("KS"), "echo", "bought", "Ben"),)})[0].cards
    assert "Grave Choir" in words_on(label)


def test_a_full_label_leaves_its_deck_out() -> None:
    name = "The Hollow and Restless Crown"
    for design in (EffectLabel, HeadedLabel):
        with_name, without = (design("Everlasting", LONG, RARE, "7♥", note=each) for each in (name, ""))
        assert words_on(with_name) == words_on(without)


def test_a_name_too_long_for_the_label_is_left_out() -> None:
    label = EffectLabel("Echo", "It counts twice.", RARE, "7♥", note="The Lantern Debt of the Deep River " * 2)
    assert "Lantern" not in words_on(label)


def test_a_deck_that_no_font_can_name_still_prints() -> None:
    assert "twice" in words_on(HeadedLabel("Echo", "It counts twice.", RARE, "7♥", note="\U0001f0a1"))


def test_a_deck_name_makes_nothing_else_smaller() -> None:
    die = Box(0, 0, STOCK.box(1).width, STOCK.box(1).height)
    for effect in ("It counts twice.", LONG):
        scales = {
            layout.scale_for(HeadedLabel("Echo", effect, RARE, note=note), die.width, die.height)
            for note in ("", "Grave Choir")
        }
        assert len(scales) == 1
    HeadedLabel("Echo", LONG, RARE, note="Grave Choir").draw(NullInk(), die)
