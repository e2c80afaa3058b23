"""What lies side by side has one size of text and one of figures; what does not fit does not make the others small."""

from labels.designs import EffectLabel, FiguresLabel, HeadedLabel, Plain
from labels.equal_sizes import equalize_sizes
from labels.output import pdf
from labels.paper import sheet, stocks
from labels.paper.sheet import Sheet
from tests.labels.paper import smallest
from tests.labels.samples import EASY, SWIFT, UNCOMMON, box_label

STOCK = stocks.find("94102")
SHORT = EffectLabel("Echo", "Its Convert counts twice.", UNCOMMON)
LONG = HeadedLabel("Cursed", "The Killer gives up one inscription of its own for ever.", EASY)
IMP = FiguresLabel("Imp", (("HP", "6"),), note="Grave Choir")


def _alike(*labels: object) -> list[Sheet]:
    return list(equalize_sizes(sheet.place_labels(labels, STOCK), STOCK.box(1)))  # type: ignore[arg-type]


def test_all_texts_have_the_smallest_size_in_their_places() -> None:
    box = box_label()
    (page,) = _alike(SHORT, LONG, box, SHORT, IMP)
    short, long, same, again, imp = (page[position] for position in range(1, 6))
    assert isinstance(short, EffectLabel)
    assert isinstance(long, HeadedLabel)
    assert (short.title, again, same, imp) == ("Echo", short, box, IMP)
    assert short.size == long.size < SHORT.size
    assert smallest(pdf.render_sheets([{1: short}], STOCK, pdf.Setup("x"))) == short.size


def test_where_all_have_room_nothing_changes() -> None:
    roomy = stocks.find("18294")
    before = sheet.place_labels([SHORT, SWIFT, Plain("Ana", "Sits on the left.")], roomy)
    assert list(equalize_sizes(before, roomy.box(1))) == [dict(before[0])]


def test_a_label_that_does_not_fit_is_left_to_be_refused() -> None:
    endless = EffectLabel("Echo", "Its Convert counts twice. " * 9, UNCOMMON)
    (page,) = _alike(SHORT, endless)
    assert dict(page) == {1: SHORT, 2: endless}


def test_figures_have_one_size_large_where_none_has_a_note() -> None:
    roomy = stocks.find("18294")
    alone, noted = (
        FiguresLabel("Jet Pack", (("", "3/4"),)),
        FiguresLabel("Jet Pack", (("", "7/8"),), effect="Mobility 2"),
    )
    (page,) = equalize_sizes(sheet.place_labels([alone, noted], roomy), roomy.box(1))
    first, second = page[1], page[2]
    assert isinstance(first, FiguresLabel)
    assert isinstance(second, FiguresLabel)
    assert first.figure == second.figure < alone.figure
    (page,) = equalize_sizes(sheet.place_labels([alone, alone], roomy), roomy.box(1))
    assert dict(page) == {1: alone, 2: alone}
