"""DecknForge's starter sheet: 60 labels in the rulebook's order, down the columns, in words short enough to read."""

import pytest

from companion.games import registry
from companion.games.decknforge.book import inscriptions, labels
from companion.printing import wording
from companion.tabletop.decks.paper import LabelText
from labels.geometry import MM
from labels.output import pdf
from labels.paper import sheet, stocks
from labels.paper.sheet import SAFE_MARGIN
from tests.labels.paper import Paper, strays, text_in

STOCK = stocks.find("18294")
GAME = registry.game("decknforge")
TEXTS = tuple(wording.load_wording(GAME).texts.values())
"""All texts of the file, also those with `copies = 0`, which are not on the sheet."""
RUN = sheet.place_labels(wording.starter_labels(GAME), STOCK)

COLUMNS = (
    "Swift Sneaky Greedy Stinky Twitchy Tough Cunning Hungry Vicious Resilient Doom Vampiric Cursed Hexproof Rampage",
    "Sharp Sharp Sharp Sturdy Sturdy Sturdy Glint Glint Glint Quick Quick Quick Bright Bright Bright",
    "Echo Echo Echo Banner Banner Banner Blood-Money Blood-Money Blood-Money Vampiric Vampiric Vampiric "
    "Thorns Thorns Thorns",
    "Ascension Doublestrike Phoenix Wizard’s-Will Reaper’s-Mark Slippery Hunter’s-Edge Pierce Mercenary-Pact Wildcard "
    "Royal-Decree Legend-Etched Tower’s-Memory The-Patron Untouchable",
)


def test_each_column_reads_down_as_the_appendix_says() -> None:
    document = pdf.render_sheets(RUN, STOCK, pdf.Setup("Starter"))
    assert len(RUN) == 1
    for column, names in enumerate(COLUMNS):
        for row, name in enumerate(names.split()):
            die = STOCK.box(1 + column * STOCK.rows + row)
            assert STOCK.cell(1 + column * STOCK.rows + row) == (column, row)
            assert text_in(document, die.inset(SAFE_MARGIN / 2)).startswith(name.replace("-", " "))


def test_names_and_tiers_are_those_of_the_rules() -> None:
    printed = [(_key(str(text.title)), text.tier.title) for text in TEXTS if text.tier and text.design == "effect"]
    # The sheet is in the order of tiers, the rules in that of permanent numbers.
    assert sorted(printed) == sorted((name, one.tier.title()) for name, one in inscriptions.INSCRIPTIONS.items())
    monsters = [(_key(str(text.title)), text.tier.title) for text in TEXTS if text.tier and text.design == "headed"]
    assert sorted(monsters) == sorted((name, labels.TIERS[one.tier]) for name, one in labels.LABELS.items())


def _key(title: str) -> str:
    return title.lower().replace("'", "").replace(" ", "-")


@pytest.mark.parametrize("text", TEXTS, ids=lambda text: str(text.title))
def test_an_effect_has_at_most_twelve_words(text: LabelText) -> None:
    assert 3 <= len(str(text.text).split()) <= 12


def test_every_effect_is_read_at_seven_points() -> None:
    """Comfortable reading: no text of the sheet had to be made smaller than 7 pt to fit, but the tiers' words."""
    from labels.typesetting.text import fit

    for text in TEXTS:
        assert fit(str(text.text), str(text.title), 98, 27, 7.5).size >= 7


def test_all_ink_of_the_sheet_stays_1_5_mm_inside_its_die_cuts() -> None:
    paper = Paper(pdf.render_sheets(RUN, STOCK, pdf.Setup("Starter")), 600)
    assert strays(paper, STOCK, 1.5 * MM) is None


def test_all_sixty_labels_lie_within_a_twentieth_of_a_millimetre() -> None:
    """The coloured field of each label begins at the safe margin: its left and upper edge give the label away."""
    paper = Paper(pdf.render_sheets(RUN, STOCK, pdf.Setup("Starter")), 1200)
    for position in range(1, 61):
        die = STOCK.box(position)
        ink = paper.ink(die)
        assert ink is not None
        assert ink.x == pytest.approx(die.x + SAFE_MARGIN, abs=0.05 * MM)
        assert ink.top == pytest.approx(die.top - SAFE_MARGIN, abs=0.05 * MM)
