"""What comes from the terminal ends nothing, however strange it is, and what is meant by it still takes effect."""

from collections.abc import Iterable
from random import Random

import pytest
from textual import constants, events
from textual.message import Message

from companion.tui.terminal import terminal_input
from companion.tui.terminal.terminal_input import PasteKeepingParser
from tests.tui.sequences import cut_anywhere, random_input

IS_SENT_LAST = "\x1b[201~\x1b[201~"
"""Ends whatever was begun, a pasted text included."""


def parse(*parts: str) -> list[Message]:
    """Return the events of what is sent in so many parts."""
    parser = PasteKeepingParser()
    return [event for part in parts for event in parser.feed(part)]


def keys(received: Iterable[Message]) -> list[str]:
    """Return the keys among events."""
    return [event.key for event in received if isinstance(event, events.Key)]


RESIZED = "\x1b[48;36;120;0;0t"
WITH_PIXELS = "\x1b[48;36;120;720;1200t"


@pytest.mark.parametrize("report", [RESIZED, WITH_PIXELS, "\x1b[48;0;0;0;0t", "\x1b[48;36;120;0:1;0t"])
def test_a_click_lands_where_it_was_made_after_any_report(report: str) -> None:
    *_, click = parse(report, "\x1b[<0;81;25M")
    assert isinstance(click, events.MouseDown)
    assert (click.x, click.y) == (80, 24)


@pytest.mark.parametrize("report", [RESIZED, WITH_PIXELS, "\x1b[48;99999;99999;0;0t", "\x1b[48;0;0;0;0t"])
def test_a_size_that_nobody_asked_for_changes_nothing(report: str) -> None:
    assert parse(report) == []


def test_pixels_count_where_somebody_wants_smooth_scrolling(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(constants, "SMOOTH_SCROLL", True)
    resized, click = parse(WITH_PIXELS, "\x1b[<0;801;481M")
    assert isinstance(resized, events.Resize)
    assert isinstance(click, events.MouseDown)
    assert (click.x, click.y) == (80, 24)
    *_, click = parse(RESIZED, "\x1b[<0;81;25M")
    assert isinstance(click, events.MouseDown)
    assert (click.x, click.y) == (80, 24)


@pytest.mark.parametrize("code", ["97:65;2;65", "97;1:3", "97;2:1;65", "1114112;1", "99999999999;1", "55296;1", ":;1"])
def test_a_key_that_cannot_be_read_is_dropped_and_the_next_counts(code: str) -> None:
    sequence = f"\x1b[{code}u"
    assert keys(parse(f"a{sequence}b")) == ["a", "b"]
    assert keys(parse("a", *sequence, "b")) == ["a", "b"]


def test_bytes_that_are_no_text_are_dropped() -> None:
    decode = terminal_input._lenient_decoder("utf-8")().decode
    assert keys(parse(decode(b"a\xffb\xc3"), decode(b"c"))) == ["a", "b", "c"]


def survives(seed: int, count: int) -> None:
    """Send a parser random sequences; fail if it stops, or no longer knows a key."""
    random, parser = Random(seed), PasteKeepingParser()
    decoder = terminal_input._lenient_decoder("utf-8")()
    for _ in range(count // 20):
        sent = b"".join(random_input(random, 20))
        for piece in cut_anywhere(random, sent):
            for event in parser.feed(decoder.decode(piece) or "\x00"):
                assert isinstance(event, Message)
            if random.random() < 0.1:
                list(parser.tick())
        list(parser.feed(IS_SENT_LAST))
        list(parser.tick())
        assert keys(parser.feed("z")) == ["z"], sent


@pytest.fixture
def no_delay(monkeypatch: pytest.MonkeyPatch) -> None:
    """A parser that waits no time for the rest of a sequence."""
    monkeypatch.setattr(constants, "ESCAPE_DELAY", 0.0)


@pytest.mark.usefixtures("no_delay")
@pytest.mark.parametrize("seed", range(3))
def test_strange_sequences_end_nothing(seed: int) -> None:
    survives(seed, 2_000)


@pytest.mark.slow
@pytest.mark.usefixtures("no_delay")
def test_twenty_thousand_strange_sequences_end_nothing() -> None:
    survives(-2, 20_000)


@pytest.mark.soak
@pytest.mark.usefixtures("no_delay")
def test_a_hundred_thousand_strange_sequences_end_nothing() -> None:
    survives(-1, 100_000)
