"""Whatever somebody is called: nothing of it reaches the terminal as more than symbols, and nothing of it is markup."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len
from rich.segment import Segment
from textual.color import Color

from companion.archive import Archive
from companion.tui.frame import SanitizeFilter
from companion.tui.screens.decks.deck import DeckScreen
from companion.tui.screens.listing import ListScreen
from tests.cli.test_hostile import stored
from tests.hostile import MARKUP, STEERING, steers
from tests.tui.conftest import Seat
from tests.tui.hand import Hand


def segments_on_screen(hand: Hand) -> list[Segment]:
    """Everything that the screen sends to the terminal as text, as it is sent; every row is as wide as it must be."""
    rows = hand.app.screen._compositor.render_strips()
    for row in rows:
        assert sum(segment.cell_length for segment in row) == hand.app.size.width
    return [segment for row in rows for segment in row if not segment.control]


async def is_harmless(hand: Hand, text: str) -> None:
    """What is on the screen shows something of the text, and does nothing of what it says."""
    await hand.settle()
    segments = segments_on_screen(hand)
    assert not [ascii(segment.text) for segment in segments if steers(segment.text)]
    metas = [str(segment.style.meta) for segment in segments if segment.style is not None and segment.style._meta]
    assert not [meta for meta in metas if "app.quit" in meta]
    beginning = next(word for word in text.split("\x1b") if word)[:6]
    assert beginning in "".join(segment.text for segment in segments)


@pytest.mark.sample(5)
@pytest.mark.parametrize(
    "text",
    [
        f"Choir{''.join(STEERING)}",
        f"Choir{''.join(MARKUP)}",
        "[red]Choir[/red]",
        "[@click=app.quit]Choir[/]",
        "[/nothing]Choir",
    ],
)
async def test_names_of_any_kind_are_only_shown(sit: Seat, place: Path, text: str) -> None:
    deck = stored(place, text)
    with Archive.open(str(place)) as archive:
        session = archive.sessions()[0].session
    async with sit(size=(120, 40)) as hand:
        await hand.until(lambda: hand.home.decks.option_count == 1)
        await is_harmless(hand, text)
        await hand.press("f7")
        await hand.until(lambda: isinstance(hand.app.screen, ListScreen) and bool(hand.app.screen.query("#rows")))
        await is_harmless(hand, text)
        await hand.press("escape")
        await hand.until(lambda: hand.app.screen is hand.home)
        hand.type(deck, "<enter>")
        await hand.until(lambda: isinstance(hand.app.screen, DeckScreen))
        await is_harmless(hand, text)
    async with sit(session, size=(120, 40)) as hand:
        await is_harmless(hand, text)
        hand.paste('note "\x1b]52;c;x\x07"')
        await hand.settle()
        await hand.press("enter")
        await hand.until(lambda: "U+001B" in hand.status or "\x1b" not in hand.bar)
        await is_harmless(hand, text)


@pytest.mark.slow
@given(st.text(st.sampled_from("aé漢❤♠⚔1🏳🌈👩👨🕵🏽🂡 \u20e3\u200d\u0301\ufe0f\ufe0f\x1b"), max_size=12))
def test_no_text_asks_for_emoji_and_every_cell_stays_in_its_place(text: str) -> None:
    (segment,) = SanitizeFilter(()).apply([Segment(text)], Color(0, 0, 0))
    assert "\ufe0f" not in segment.text
    assert segment.cell_length == cell_len("".join(each for each in text if each != "\x1b"))


async def test_signs_that_terminals_widen_are_drawn_as_text(sit: Seat, place: Path) -> None:
    stored(place, "❤\ufe0f Choir ⚔\ufe0f")
    async with sit(size=(120, 40)) as hand:
        await hand.until(lambda: hand.home.decks.option_count == 1)
        await hand.settle()
        text = "".join(segment.text for segment in segments_on_screen(hand))
        assert "❤" in text
        assert "\ufe0f" not in text
