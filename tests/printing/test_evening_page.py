"""An evening on one page: as PDF, as a picture, as text."""

from io import BytesIO

import pypdfium2
from PIL import Image

from companion.archive import Archive
from companion.games import registry
from companion.printing.evening_page import WIDTH, draw_card, draw_picture, write_card
from companion.session.core.evenings import card_of
from companion.session.reports import evening_cards
from companion.tabletop.constructed.evening import BestAttack, Duel, LifeAfter
from companion.tabletop.evening import CardBar, CardChart, CardFigure, CardList, CardTable, EveningCard, Participant
from companion.tabletop.evening_text import as_markdown, as_sentences
from tests.printing.evenings import play

RED = (0xC1, 0x27, 0x2D)


def words(pdf: bytes) -> str:
    with pypdfium2.PdfDocument(pdf) as document:
        assert len(document) == 1
        text: str = document[0].get_textpage().get_text_range()
    return " ".join(text.split())


def evening_card(archive: Archive) -> EveningCard:
    return evening_cards.present_stored(archive, archive.find_session(play(archive))).card


def duel_card() -> EveningCard:
    people = Participant("ana", "Ana", called="Ash Pack"), Participant("ben", "Ben")
    course = LifeAfter(1, (120, 120)), LifeAfter(2, (90, 120)), LifeAfter(3, (90, 0))
    best = BestAttack("ben", 120, 3, "ana", ("Wolf",))
    duel = Duel(people, "ana", "Club", 35, course, best)
    return card_of(registry.game("solforge"), duel)


def test_the_pdf_tells_the_whole_evening(archive: Archive) -> None:
    page = words(draw_card(evening_card(archive)))
    assert "All six Bosses fell" in page
    for expected in ("Ana with Grave Choir", "Tithe Collector (A", "45 → 27 → 4 → 0", "Damage dealt to Bosses"):
        assert expected in page
    for expected in ("TURNING POINTS", "WON AND LOST", "WHAT CHANGED HANDS", "SALT AND IRON GOES TO ANA"):
        assert expected in page.upper()


def test_the_picture_is_as_wide_as_a_phone_can_show_and_has_red_suits(archive: Archive) -> None:
    with Image.open(BytesIO(draw_picture(evening_card(archive)))) as picture:
        assert picture.format == "PNG"
        assert picture.width == 1399 or abs(picture.width - WIDTH * 240 / 72) < 2
        colours = {colour for _, colour in picture.convert("RGB").getcolors(1 << 24) or []}
    assert RED in colours


def test_a_match_is_drawn_with_a_line_for_everybody() -> None:
    page = words(draw_card(duel_card()))
    for expected in (
        "Ana wins",
        "Ana (Ash Pack) against Ben",
        "What was left, turn by turn",
        "35 min",
        "Ana with Wolf on Ben",
    ):
        assert expected in page


def test_the_text_has_the_same_figures(archive: Archive) -> None:
    card = evening_card(archive)
    text = as_markdown(card)
    assert text.startswith("# All six Bosses fell\n\n**DecknForge** · ")
    assert "| Tithe Collector (A♠) | 45 → 27 → 4 → 0 | Ben, 6♥ | 7 |\n" in text
    assert "| Ana | 14 | 24 | 26 | 26 | 25 | 32 | 147 |\n" in text
    assert "* Salt and Iron goes to Ana.\n" in text
    assert write_card(card, "md").decode() == text
    assert "| 3 | 90 | 0 |\n" in as_markdown(duel_card())


def test_names_cannot_break_the_text() -> None:
    card = EveningCard("G", "A | <b>", parts=(CardTable("T", ("A", "B"), (("x|y", "<i>"),)),))
    assert "| x¦y | &lt;i> |" in as_markdown(card)


LONG = "Grave Choir of the Seventeen Sunken Bells and the Unpaid Tithe"


def test_long_names_and_many_people_still_fit_on_one_page() -> None:
    rows = tuple((f"{LONG} {number}", " → ".join(["180"] * 6), f"{LONG}, 10♥", "120") for number in range(6))
    bars = tuple(CardBar(LONG, (40, 30, 20, 10, 5, 1), "106") for _ in range(5))
    card = EveningCard(
        "Game",
        f"Lost to {LONG}",
        " · ".join(f"{LONG} with {LONG}" for _ in range(5)),
        "Wednesday, 23 September 2026 · The Club behind the Old Harbour",
        won=False,
        figures=tuple(CardFigure("180 / 360", "narrowest moment of all", LONG) for _ in range(5)),
        parts=(
            CardTable("Bosses", ("Boss", "HP, round by round", "Killing Blow", "Overkill"), rows, (3,)),
            CardChart("Damage", bars, tuple(f"Boss {number}" for number in range(1, 7))),
            CardList("Turning points", (f"{LONG}: {LONG} takes the lead from {LONG}.",) * 6),
            CardList("Won and lost", (f"{LONG} gains Sharp.",) * 12),
        ),
    )
    page = words(draw_card(card))
    assert page.count("Unpaid Tithe") > 20


def test_what_no_font_can_print_is_left_out() -> None:
    assert words(draw_card(EveningCard("Game", "Grave Choir \U0001f480 wins"))).startswith("GAME Grave Choir wins")


def test_read_aloud_it_tells_the_same(archive: Archive) -> None:
    sentences = list(as_sentences(evening_card(archive)))
    assert sentences[0].startswith("All six Bosses fell. Ana with Grave Choir · ")
    assert "Best strike: 39, 13 + 13 + 13 on Ledger Beast." in sentences
    assert "Tithe Collector (A♠): HP, round by round 45 → 27 → 4 → 0; Killing Blow Ben, 6♥; Overkill 7." in sentences
    assert "Ana: 147, which is 14 + 24 + 26 + 26 + 25 + 32." in sentences
    assert "Ben: 120, 120, 0." in list(as_sentences(duel_card()))
