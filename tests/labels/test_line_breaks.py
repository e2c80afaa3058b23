"""Where lines break: UAX #14, and what labels make of it."""

import re
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from labels.designs.boxes import BoxLabel
from labels.output import pdf
from labels.paper.stocks import find
from labels.typesetting import fonts, line_breaks, shaping
from labels.typesetting.line_breaks import SOFT_HYPHEN, find_breaks, split_line
from labels.typesetting.text import TextError, fit
from labels.vertical import fit_vertical
from tests.labels.paper import text_in

_HYPHENS = dict.fromkeys(map(ord, f"{SOFT_HYPHEN}-\u0002 "))


@pytest.mark.parametrize(
    "written",
    [
        # Rows of LineBreakTest.txt and examples of UAX #14, a rule each.
        *("#|—", "# |—", "#|竜", "#}", "# }", "# !", "# /", "#…", "# |…", "##", "#א", "#%", "#\u00a0x"),
        *("a\u200b|b", "a\u200b  |b", "a\u2060b", "a\u00a0b", "a-|b", "a\u00a0-b"),
        *("( a", "[a", "a]", "“a", "“ a", "a ”", "a”. |b"),
        *("。”|「x」", "——", "— —", "a|—|b", "竜|“竜”|竜", "a“竜”a"),
        *("-a", "a |-b", "\u2010a", "well-|known", "and/|or"),
        *("´a", "a|´a", "א-|א", "א-x"),
        *("A1", "1A", "$竜", "竜%", "$A", "A%"),
        *("(12.54)", "$(12.35)", "2,1234", "(12)¢", "12.54¢", "-12", "1/2", "1:2", "3.50 |€", "€12.50"),
        *("e.g.", "a,b", "ex)a", "a(b", "foo()bar", "x.|(y"),
        *("a?|b", "20–|30", "100 |km/|h", "http://|example.com/|a"),
        *("かっ|た", "竜|の、|巣", "本々", "글|자"),
        "E\u0301-|E\u0301",
    ],
)
def test_a_line_breaks_as_the_standard_says(written: str) -> None:
    assert "|".join(split_line(written.replace("|", ""))) == written


@given(st.text("ab 1.,:;’!?)(“”+é", max_size=14).map(fonts.clean).filter(line_breaks.is_plain))
def test_a_plain_line_breaks_at_its_spaces(line: str) -> None:
    assert list(find_breaks(line)) == [at + 1 for at, char in enumerate(line) if char == " "]


@pytest.mark.parametrize(
    ("written", "width", "lines"),
    [
        ("Küsten-Nebelkrähen-Bruderschaft", 62, ("Küsten-", "Nebelkrähen-", "Bruderschaft")),
        ("Küsten-Nebelkrähen-Bruderschaft", 110, ("Küsten-Nebelkrähen-", "Bruderschaft")),
        ("Schrauben/Muttern/Scheiben", 62, ("Schrauben/", "Muttern/", "Scheiben")),
        ("Donau\u00addampf\u00adschiff\u00adfahrt", 62, ("Donaudampf-", "schifffahrt")),
        ("Very\u200bLong\u200bPart\u200bNumber", 62, ("VeryLong", "PartNumber")),
        ("1984–2026", 30, ("1984–", "2026")),
        ("Erdbeer-Rhabarber mit Vanille", 90, ("Erdbeer-Rhabarber", "mit Vanille")),
    ],
)
def test_a_name_breaks_inside_words(written: str, width: float, lines: tuple[str, ...]) -> None:
    assert fit(written, "The name", width, 60, 9, weight="bold").lines == lines


def test_a_soft_hyphen_is_drawn_at_the_end_of_a_line_alone() -> None:
    whole = fit("Nebel\u00adkrähe", "The name", 200, 20, 9)
    broken = fit("Nebel\u00adkrähe", "The name", 30, 40, 9)
    assert (whole.lines, broken.lines) == (("Nebelkrähe",), ("Nebel-", "krähe"))


@given(st.text("abcé-/ \u00ad\u200b—!(1", min_size=1, max_size=40).filter(str.strip), st.floats(8, 120))
def test_no_line_is_wider_than_its_room(written: str, width: float) -> None:
    try:
        setting = fit(written, "The text", width, 200, 9)
    except TextError:
        return
    assert all(fonts.measure(line, "regular", setting.size) <= width + 1e-6 for line in setting.lines)
    letters = "".join(line[:-1] if line.endswith("-") else line for line in setting.lines)
    assert letters.replace(" ", "").replace("-", "") == fonts.clean(written).replace(" ", "").replace("-", "")


@given(st.text("a\u00ad\u200b\u2060\u0301é ", max_size=12))
def test_no_mark_is_parted_from_its_letter_by_a_break(written: str) -> None:
    cleaned = fonts.clean(written, breakable=True)
    assert not any(before in line_breaks.CONTROLS and shaping.is_mark(after) for before, after in pairwise(cleaned))


@pytest.mark.parametrize(
    "name",
    [
        "Küsten-Nebelkrähen-Bruderschaft",
        "Unterwasser-Schatzsucher-Gesellschaft",
        "Donau\u00addampf\u00adschiff\u00adfahrts\u00adgesellschaft",
        "Werewolf/Vampire/Frankenstein",
    ],
)
def test_a_long_name_gets_its_box_label(name: str) -> None:
    label = BoxLabel(name, "7K3M-9QPX-2B4T-C", "DECK:7K3M9QPX2B4TC", ("26 cards",))
    for stock in ("18294", "5160", "L7160"):
        page = pdf.render_sheets([{1: label}], find(stock), pdf.Setup("Box"))
        words = text_in(page, find(stock).box(1))
        assert name.translate(_HYPHENS) in words.translate(_HYPHENS)


def test_a_note_with_too_many_figures_is_shortened() -> None:
    parts = ("88 played", "Wolves chased away 81", "Towns reached at last 82", "Storms survived 83", "Gold found 84")
    label = BoxLabel("Moss", "7K3M-9QPX-2B4T-C", "DECK:7K3M9QPX2B4TC", (" · ".join(parts),))
    page = pdf.render_sheets([{1: label}], find("18294"), pdf.Setup("Box"))
    words = text_in(page, find("18294").box(1))
    assert "88 played" in words
    assert parts[-1] not in words
    figures = re.findall(r"[0-9]+", words.partition("7K3M")[0])
    assert figures == ["88", "81", "82", "83", "84"][: len(figures)]


def test_columns_break_where_lines_do() -> None:
    setting = fit_vertical("Erdbeer-Rhabarber mit Vanille/Zimt", "The text", 60, 46, 10)
    columns = ["".join(token.text for token in column).strip() for column in setting.columns]
    assert columns == ["Erdbeer-", "Rhabarber", "mit", "Vanille/", "Zimt"]
