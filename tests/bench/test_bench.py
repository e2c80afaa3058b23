"""The bench measures what it says: its terminal sees real programs, its table tells when a budget is broken."""

import shutil
import sys
from pathlib import Path

import pytest

from tests.bench.bare_app import PAINTED
from tests.bench.bench_rules import evening
from tests.bench.emulated import EmulatedTerminal
from tests.bench.figures import Figure, table
from tests.bench.static_app import TEXT
from tests.terminal import Terminal

pytestmark = pytest.mark.posix

BARE = (sys.executable, "-m", "tests.bench.bare_app")


@pytest.mark.skipif(
    not Path("/proc/self").exists() and shutil.which("ps") is None, reason="no /proc here: mount -t proc proc /proc"
)
def test_the_bare_app_paints_answers_keys_and_is_seen_to() -> None:
    with Terminal(BARE) as terminal:
        assert terminal.until(PAINTED) > terminal.started
        for number in (1, 2):
            typed = terminal.press("-")
            assert terminal.until(f"changed {number:05}") > typed
        assert terminal.memory() > 10
        terminal.press("q")
        assert terminal.ended() == 0


def test_a_program_that_ends_before_it_shows_what_it_should_is_no_success() -> None:
    with Terminal((sys.executable, "-c", "print('something else')")) as terminal, pytest.raises(TimeoutError) as gone:
        terminal.until("this")
    assert "something else" in str(gone.value)


def test_colours_and_cursor_movements_are_not_in_the_text() -> None:
    script = r"print('\x1b[1;31mred\x1b[0m and \x1b]8;;x\x07link\x1b[2J')"
    with Terminal((sys.executable, "-c", script)) as terminal:
        terminal.until("red and link")


def test_text_counts_once_it_stands_on_the_screen() -> None:
    draws = r"print('a \x1b[31mred\x1b[0m hat\rno', end='', flush=True); time.sleep(.1); print('w', flush=True)"
    with EmulatedTerminal((sys.executable, "-c", f"import time; {draws}; time.sleep(60)")) as terminal:
        begun = terminal.until_displayed("nored hat")
        assert terminal.until_displayed("nowed hat").wall >= begun.wall + 90


def test_the_least_app_is_seen_on_an_emulated_screen() -> None:
    with EmulatedTerminal((sys.executable, "-m", "tests.bench.static_app")) as terminal:
        assert terminal.until_displayed(TEXT).wall > 50


def test_what_never_stands_on_the_screen_is_not_waited_for() -> None:
    with (
        EmulatedTerminal((sys.executable, "-c", "print('something else')")) as terminal,
        pytest.raises(TimeoutError) as gone,
    ):
        terminal.until_displayed("this")
    assert "something else" in str(gone.value)


@pytest.mark.parametrize(
    ("figure", "is_within"),
    [
        (Figure("start", 130, "ms", base=100, budget=1.35), True),
        (Figure("start", 140, "ms", base=100, budget=1.35), False),
        (Figure("memory", 71, "MiB", budget=70), False),
        (Figure("sheets", 119, "/s", budget=120, at_least=True), False),
        (Figure("sheets", 120, "/s", budget=120, at_least=True), True),
        (Figure("replay", 9999, "ms"), True),
    ],
)
def test_a_broken_budget_is_seen_in_the_table(figure: Figure, is_within: bool) -> None:
    assert figure.is_within_budget is is_within
    assert ("OVER" in table([figure])) is not is_within


def test_an_evening_is_as_long_as_asked() -> None:
    assert evening(2_000).count("\nadd ") == 2_000
