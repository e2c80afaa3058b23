"""A chronicle on paper: read back from its pages, page by page and as a booklet."""

import re
from collections.abc import Iterator
from pathlib import Path

import pypdfium2
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.archive import Archive
from companion.printing.chronicle_pages import PAPERS, draw_chronicle
from companion.scan import read
from companion.session.reports.chronicles import tell_chronicle
from companion.tabletop.decks.chronicle import Chronicle, ChronicleDeck, DeckStanding, StorySection
from companion.tabletop.decks.portrait import (
    CardGrid,
    Chart,
    DeckVerdict,
    Heir,
    Listing,
    Portrait,
    PortraitBar,
    PortraitLine,
)
from companion.tabletop.evening import CardBar, CardChart, CardCourse, CardList, CardTable, CoursePoint, EveningCard
from companion.tabletop.records import DeckFigure
from labels.geometry import MM
from tests.examples import examples
from tests.labels.test_black import check_black
from tests.session.campaign import play_campaign


@pytest.fixture(scope="module")
def chronicle(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Chronicle]:
    with Archive.open(str(tmp_path_factory.mktemp("campaign") / "archive.sqlite"), by="tests") as archive:
        play_campaign(archive, 2)
        yield tell_chronicle(archive, archive.decks(), "The first road")


def texts(pdf: bytes) -> list[str]:
    """What each page says, in one line."""
    with pypdfium2.PdfDocument(pdf) as document:
        return [" ".join(page.get_textpage().get_text_range().split()) for page in document]


TOP, FOOT = 15 * MM, 19 * MM
"""Room above and below what stands on a page, in points."""


def assert_inside(pdf: bytes) -> None:
    """No text lies beyond the edges of its page."""
    with pypdfium2.PdfDocument(pdf) as document:
        for page in document:
            width, height = page.get_size()
            text = page.get_textpage()
            for at in range(text.count_rects()):
                left, bottom, right, top = text.get_rect(at)
                assert left >= 0
                assert bottom >= 0
                assert right <= width
                assert top <= height


def test_the_contents_name_the_pages_where_things_begin(chronicle: Chronicle) -> None:
    pages = texts(draw_chronicle(chronicle))
    assert "The first road" in pages[0]
    rows = pages[1].split("Contents", 1)[1]
    for title in (*(deck.name for deck in chronicle.decks), "Evening 1:", "Evening 2:"):
        number = next(int(word) for word in rows.split(title, 1)[1].split() if word.isdecimal())
        heading = title.replace("Evening ", "").replace(":", ".")
        assert pages[number - 1].startswith((f"DECKNFORGE {title}", heading)), (title, number)


def test_pages_are_numbered_as_they_lie(chronicle: Chronicle) -> None:
    for number, page in enumerate(texts(draw_chronicle(chronicle, "half-letter")), 1):
        if number > 1:
            assert page.endswith((f"{number} The first road", f"The first road {number}")), page[-60:]


def test_each_box_is_found_by_the_code_on_its_page(chronicle: Chronicle, tmp_path: Path) -> None:
    decks: list[str] = []
    with pypdfium2.PdfDocument(draw_chronicle(chronicle)) as document:
        for page in (page for page in document if "DECKNFORGE" in page.get_textpage().get_text_range(count=12)):
            picture = tmp_path / "page.png"
            page.render(scale=200 / 72).to_pil().save(picture)
            decks += [code.deck for code in read(str(picture)) if code.deck]
    assert decks == [deck.deck for deck in chronicle.decks]


@pytest.mark.parametrize("paper", PAPERS)
def test_a_folded_booklet_is_read_in_order(chronicle: Chronicle, paper: str) -> None:
    flat = texts(draw_chronicle(chronicle, paper))
    sheet = PAPERS[paper][1]
    halves: dict[int, str] = {}
    with pypdfium2.PdfDocument(draw_chronicle(chronicle, paper, imposed=True)) as document:
        sides, count = [*document], 2 * len(document)
        for number, side in enumerate(sides):
            assert side.get_size() == pytest.approx(sheet, abs=0.1)
            text, middle = side.get_textpage(), sheet[0] / 2
            left = " ".join(text.get_text_bounded(right=middle).split())
            right = " ".join(text.get_text_bounded(left=middle).split())
            # A leaf has its front on one side and its back on the next, the outermost sheet first.
            pages = (count - number, number + 1) if number % 2 == 0 else (number + 1, count - number)
            halves |= dict(zip(pages, (left, right), strict=True))
    assert count % 4 == 0
    assert count - len(flat) < 4
    for number, page in enumerate(flat, 1):
        assert sorted(halves[number].split()) == sorted(page.split()), number


WORDS = st.text(st.characters(blacklist_categories=("Cs", "Cc")), max_size=40)
LONG = st.lists(st.sampled_from(("Grave", "Choir", "of", "Donaudampfschifffahrt", "K♦", "★")), max_size=60).map(
    " ".join
)


@given(data=st.data())
@settings(max_examples=examples(12))
def test_anything_that_a_deck_and_an_evening_say_fits_its_pages(data: st.DataObject) -> None:
    word = st.one_of(WORDS, LONG)

    def several(most: int = 4) -> tuple[str, ...]:
        return tuple(data.draw(st.lists(word, max_size=most)))

    lines = tuple(PortraitLine(data.draw(word), 2, "AS" if n % 2 else "RJ", several(6), starred=True) for n in range(4))  # type: ignore[arg-type]
    parts = (
        Listing(data.draw(word), lines),
        CardGrid(data.draw(word), {"9S": several(2), "BJ": ()}, ("AS",)),  # type: ignore[dict-item, arg-type]
        Chart("Curve", tuple(PortraitBar(text, n) for n, text in enumerate(several()))),
        DeckVerdict("Legal", several()),
    )
    figures = (DeckFigure("glory", "Glory", data.draw(st.integers(-5, 10**6))),)
    deck = ChronicleDeck(
        "D", data.draw(word), data.draw(word), ("DECK:7K3M9QPX2B4TC", "7K3M-9QPX-2B4T-C"),
        Portrait(several(), parts, (Heir("X", data.draw(word), "Sharp"),)), several(),
        {-1: DeckStanding(data.draw(word), figures), 3: DeckStanding("", ())},
    )  # fmt: skip
    rows = tuple((text, "1", "2") for text in several())
    card = EveningCard(
        "Game", data.draw(word), data.draw(word), won=data.draw(st.sampled_from((True, False, None))),
        parts=(
            CardList(data.draw(word), several(40)),
            CardTable("Table", ("A", "B", "C"), rows * data.draw(st.integers(1, 30)), (1, 2)),
            CardChart("Bars", tuple(CardBar(text, (1, n)) for n, text in enumerate(several())), ("one", "two")),
        ),
    )  # fmt: skip
    evenings = tuple(str(number) for number in range(data.draw(st.integers(0, 40))))
    whole = Chronicle(data.draw(word), data.draw(word), (deck, deck), evenings, several(), (), (StorySection(1, card),))
    assert_inside(draw_chronicle(whole))


def test_a_long_table_goes_on_below_its_headings() -> None:
    rows = tuple((str(number), f"Day {number}", "Ana’s kitchen") for number in range(1, 101))
    table = CardTable("Evenings", ("", "Day", "Where"), rows)
    pages = texts(draw_chronicle(Chronicle("Long", "", (), tuple(row[1] for row in rows), overview=(table,))))
    some = [page for page in pages if "Ana’s kitchen" in page]
    assert len(some) <= 4, "pages are filled"
    assert all("DAY WHERE" in page for page in some)
    assert re.findall("Day ([0-9]+)", " ".join(some)) == [row[0] for row in rows]


def test_a_course_is_drawn_where_it_has_two_points() -> None:
    def pages_of(length: int) -> str:
        points = tuple(CoursePoint(at, (120, 90)) for at in range(1, length + 1))
        card = EveningCard("", "Ana wins", parts=(CardCourse("What was left", ("Ana", "Ben"), points),))
        return " ".join(
            texts(draw_chronicle(Chronicle("Duels", "", (), ("Day 1",), sections=(StorySection(1, card),))))
        )

    assert "What was left" not in pages_of(1)
    assert "What was left" in pages_of(2)


def test_a_chronicle_for_printers_without_greys_has_none(chronicle: Chronicle) -> None:
    check_black(black := draw_chronicle(chronicle, ink="black"))
    assert texts(black) == texts(draw_chronicle(chronicle))


def evening_with_rows(number: int, rows: int, headline: str = "All six Bosses fell") -> StorySection:
    """An evening of a chronicle with one table of so many rows."""
    table = CardTable("Decks", ("Deck", "Held by"), tuple((f"Deck {row}", "Ana") for row in range(rows)))
    return StorySection(number, EveningCard("", headline, parts=(table,)))


def fill_levels(pdf: bytes) -> list[float]:
    """Return how far down each page is filled with text: 1 is down to the room for the page's number."""
    with pypdfium2.PdfDocument(pdf) as document:
        levels = []
        for page in document:
            height, text = page.get_size()[1], page.get_textpage()
            top, foot = height - TOP, FOOT
            ends = [text.get_rect(at)[1] for at in range(text.count_rects())]
            levels.append((top - min(end for end in ends if end > foot - 2)) / (top - foot))
    return levels


@pytest.mark.parametrize(
    "rows", [(3,) * 10, (3,) * 11, (3,) * 12, (3,) * 13, (3, 40, 3), (1, 2, 3, 2, 1), (34, 3, 34), (3, 80, 3, 3)]
)
def test_no_page_holds_one_small_table(rows: tuple[int, ...]) -> None:
    sections = tuple(evening_with_rows(number, count) for number, count in enumerate(rows, 1))
    days = tuple(f"Day {number}" for number in range(len(rows)))
    _, _, *levels = fill_levels(draw_chronicle(Chronicle("Short", "", (), days, sections=sections)))
    assert min(levels) > 0.3, levels
    assert len(levels) <= 3 + (sum(rows) + 5 * len(rows)) / 30


@pytest.mark.parametrize("rows", range(30, 50))
def test_a_table_that_goes_on_leaves_no_few_rows_alone(rows: int) -> None:
    whole = Chronicle("Long", "", (), ("Day 1",), sections=(evening_with_rows(1, rows),))
    pdf = draw_chronicle(whole)
    held = [page.count("Ana") for page in texts(pdf) if "Ana" in page]
    assert sum(held) == rows
    assert min(held) >= 10, held


def test_the_contents_tell_evenings_apart() -> None:
    cards = [
        EveningCard("", "All six Bosses fell", highlights=(f"Ana was left with {hp} HP by the Tithe Collector",))
        for hp in range(1, 11)
    ]
    sections = tuple(StorySection(number, card) for number, card in enumerate(cards, 1))
    days = tuple(f"Day {number}" for number in range(10))
    pages = texts(draw_chronicle(Chronicle("Alike", "", (), days, sections=sections)))
    for number, card in enumerate(cards, 1):
        assert f"Evening {number}: {card.highlight} " in pages[1]
        assert any(f"{number}. {card.title}" in page for page in pages[2:])
