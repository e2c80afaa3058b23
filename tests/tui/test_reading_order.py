"""Text from right to left on the terminal: in the order in which it is read, and columns stay in their places."""

from collections.abc import Iterator

import pytest
from rich.segment import Segment
from rich.style import Style

from companion.archive import Archive
from companion.session.core import archive_journal
from companion.tui.terminal.reading_order import order_segments
from companion.tui.terminal.terminal import orders_by_itself
from templates.languages.catalogues import read_catalogue
from templates.languages.messages import ENGLISH, set_language
from tests.tui.conftest import Seat

ARABIC = """
msgid ""
msgstr ""
"Language: ar\\n"
"X-Language-Name: العربية\\n"
"Content-Type: text/plain; charset=UTF-8\\n"
"Plural-Forms: nplurals=1; plural=0;\\n"

msgid "Help"
msgstr "مساعدة"
"""
HELP = "ةﺪﻋﺎﺴﻣ"
"""The word in the order of the cells, in letters that join."""


@pytest.fixture
def arabic() -> Iterator[None]:
    """Everything that is translated speaks Arabic."""
    set_language(read_catalogue(ARABIC))
    yield
    set_language(ENGLISH)


def ordered(*texts: str) -> str:
    """The row that is row_text for some segments."""
    return "".join(segment.text for segment in order_segments([Segment(text, Style()) for text in texts]))


@pytest.mark.parametrize(
    ("text", "row_text"),
    [
        ("Ana draws 2 cards.", "Ana draws 2 cards."),
        ("שלום", "םולש"),
        ("שרה draws 12 cards.", "הרש draws 12 cards."),
        ("דוד (שני)", "(ינש) דוד"),
        ("│ דוד  שרה │", "│ דוד  שרה │".replace("דוד", "דוד"[::-1]).replace("שרה", "שרה"[::-1])),
        ("דוד · שרה", f"{'דוד'[::-1]} · {'שרה'[::-1]}"),
        ("שָׁלוֹם", "םוֹלשָׁ"),
        ("سلام", "مﺎﻠﺳ"),
        ("בן 3/4", "3/4 ןב"),
    ],
)
def test_a_text_is_drawn_in_reading_order(text: str, row_text: str) -> None:
    assert ordered(text) == row_text


def test_a_letter_keeps_its_style_and_the_row_its_length() -> None:
    bold, plain = Style(bold=True), Style()
    segments = order_segments([Segment("אב", bold), Segment("גד ", plain), Segment("Ana", bold)])
    assert [(segment.text, segment.style) for segment in segments] == [
        ("דג", plain),
        ("בא", bold),
        (" ", plain),
        ("Ana", bold),
    ]


@pytest.mark.parametrize(
    ("environment", "orders"),
    [
        ({"TERM": "xterm-256color"}, False),
        ({"VTE_VERSION": "7600"}, False),
        ({"VTE_VERSION": "7600", "TMUX": "/tmp/tmux"}, True),
        ({"KONSOLE_VERSION": "240800"}, True),
        ({"TERM_PROGRAM": "Apple_Terminal"}, True),
        ({"TERM": "mlterm"}, True),
    ],
)
def test_what_a_terminal_orders_is_left_to_it(environment: dict[str, str], orders: bool) -> None:
    assert orders_by_itself(environment) is orders


def screen_rows(screen: object) -> str:
    """What the terminal gets."""
    strips = screen._compositor.render_strips()  # type: ignore[attr-defined]
    return "\n".join("".join(segment.text for segment in strip) for strip in strips)


@pytest.mark.usefixtures("arabic")
async def test_names_and_keys_are_in_reading_order_on_a_screen(sit: Seat, archive: Archive) -> None:
    session = archive_journal.start(archive, "duel")
    for line in ('seat ana name "שרה"', 'seat ben name "דוד"', "begin seed 1"):
        session.enter(line)
    async with sit(session.id, size=(80, 24)) as hand:
        await hand.settle()
        row_text = screen_rows(hand.app.screen)
        assert "הרש" in row_text
        assert "דוד" in row_text
        assert row_text.index("הרש") < row_text.index("דוד")
        assert HELP in row_text
