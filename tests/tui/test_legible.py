"""Every text can be read: its contrast, on every screen in every theme, from what is really drawn."""

from collections.abc import Awaitable, Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Final, NamedTuple

import pytest
from rich.console import Console
from rich.segment import Segment
from textual.color import Color
from textual.command import CommandList
from textual.screen import Screen
from textual.widgets import OptionList

from companion.archive import Archive
from companion.cli.screen import serve_beside
from companion.league import season
from companion.tui.app import CompanionApp
from companion.tui.legible import PALETTES, contrast, text_segments
from companion.tui.screens.table.ceremony import CeremonyScreen
from companion.tui.screens.table.table import TableScreen
from companion.tui.themes import COLOURS_16, COLOURS_256, CONTRAST, DARK, LIGHT, OWN, theme_for
from tests.printing.evenings import play
from tests.statistics.sittings import fill
from tests.tui.hand import Hand
from tests.tui.test_another_game import at_another_game
from tests.tui.test_boards import GAMES, mid_game
from tests.tui.test_ceremony import after_a_loss, led_to, review
from tests.tui.test_evening_card import at_card
from tests.tui.test_form_pictures import founding, welcomed
from tests.tui.test_leagues import at_league, begin
from tests.tui.test_phones import at_phones
from tests.tui.test_pictures import in_the_middle, wizards_at
from tests.tui.test_screen_pictures import STEPS
from tests.tui.test_screen_pictures import played as played
from tests.tui.test_statistics import at_statistics

THEMES: Final = [theme.name for theme in OWN]


def texts(screen: Screen[object]) -> Iterator[Segment]:
    """What is really drawn on a screen, to be read."""
    rows = [list(strip) for strip in screen._compositor.render_strips()]
    yield from text_segments(rows)


def faint(screen: Screen[object], least: float) -> list[str]:
    """Texts whose contrast is less than that."""
    too_faint = []
    for text, style, _ in texts(screen):
        assert style is not None
        assert not style.dim, "dim is another colour in every terminal"
        assert not style.underline, f"{text!r} is underlined, though no mouse is on it"
        before, behind = style.color, style.bgcolor
        if before is None or behind is None or before.triplet is None or behind.triplet is None:
            continue
        ratio = contrast(Color(*before.triplet), Color(*behind.triplet))
        if ratio < least:
            too_faint.append(f"{text!r} {before.triplet.hex} on {behind.triplet.hex} {ratio:.1f}")
    return too_faint


async def wear(hand: Hand, theme: str) -> None:
    """Put on a theme, and wait until all is drawn in it."""
    hand.app.theme = theme
    await hand.settle()


def look_alike(screen: Screen[object]) -> bool:
    """Whether what is chosen in a list stands behind the same bar, on the same ground, in all of them."""
    ground = Color.parse(screen.app.theme_variables["chosen"]).rich_color.triplet
    lists = [each for each in screen.query(OptionList) if each.region.area and each.highlighted is not None]
    for each in lists:
        segments = [segment for strip in each.render_lines(each.size.region) for segment in strip]
        bars = [style for text, style, _ in segments if text == "▌"]
        if not bars or any(style is None or style.bgcolor is None or style.bgcolor.triplet != ground for style in bars):
            return False
    return True


Press = Callable[[Hand], Awaitable[object]]


async def chosen(hand: Hand) -> None:
    """A row of the list, and then a refusal below it."""
    await hand.press("down", "down")
    await hand.until(lambda: hand.table.answer_cursor.is_inside)


async def seat(hand: Hand) -> None:
    """A seat with a change that is being keyed in."""
    await hand.press("right", "plus")
    await hand.until(lambda: hand.table.selection.tally is not None)


async def typed(hand: Hand) -> None:
    """A line, and what is wrong with it."""
    await hand.enter("reveal nobody 9S")
    await hand.until(lambda: "✗" in hand.text_of("StatusLine"))


async def log(hand: Hand) -> None:
    """A line of the log."""
    await hand.press("f3", "up")


async def far(hand: Hand) -> None:
    """From afar."""
    await hand.press("f2")


async def more(hand: Hand) -> None:
    """All commands."""
    await hand.press("ctrl+p")
    await hand.until(lambda: any(each.option_count for each in hand.app.screen.query(CommandList)))


async def help_page(hand: Hand) -> None:
    """The help."""
    await hand.press("f1")
    await hand.until(lambda: not isinstance(hand.app.screen, TableScreen))


TABLE_KEYS: dict[str, Press] = {each.__name__: each for each in (chosen, seat, typed, log, far, more, help_page)}


@pytest.mark.sample(3)
@pytest.mark.slow
@pytest.mark.parametrize("state", TABLE_KEYS)
async def test_every_text_at_a_table_can_be_read(archive: Archive, place: Path, state: str) -> None:
    app = CompanionApp(str(place), in_the_middle(archive))
    async with app.run_test(size=(100, 30)) as pilot:
        hand = Hand(app, pilot)
        await hand.at_table()
        await TABLE_KEYS[state](hand)
        assert look_alike(app.screen)
        for theme in THEMES:
            await wear(hand, theme)
            if TABLE_KEYS[state] is more:  # it keeps the colours in which it was opened
                await hand.press("escape")
                await more(hand)
                await hand.settle()
            assert faint(app.screen, 7 if theme == CONTRAST.name else 4.5) == [], theme


@pytest.mark.sample(4)
@pytest.mark.slow
@pytest.mark.parametrize("step", STEPS)
async def test_every_text_on_the_other_screens_can_be_read(played: str, step: str) -> None:
    app = CompanionApp(played)
    async with app.run_test(size=(80, 24)) as pilot:
        hand = Hand(app, pilot)
        await hand.until(lambda: app.archive is not None)
        await STEPS[step](hand)
        assert look_alike(app.screen)
        for theme in THEMES:
            await wear(hand, theme)
            assert faint(app.screen, 7 if theme == CONTRAST.name else 4.5) == [], theme


@pytest.mark.slow
@pytest.mark.parametrize("step", [welcomed, founding], ids=lambda step: step.__name__)
async def test_every_text_that_somebody_new_sees_can_be_read(place: Path, step: Press) -> None:
    app = CompanionApp(str(place))
    async with app.run_test(size=(80, 24)) as pilot:
        hand = Hand(app, pilot)
        await step(hand)
        for theme in THEMES:
            await wear(hand, theme)
            assert faint(app.screen, 7 if theme == CONTRAST.name else 4.5) == [], theme


async def ceremony(hand: Hand) -> None:
    """All that a seal would write, with what is still open."""
    await hand.at_table()
    await hand.press("enter")
    await led_to(hand, CeremonyScreen)
    await review(hand)


async def card(hand: Hand) -> None:
    """The evening on one page."""
    await hand.at_table()
    await hand.press("f8")
    await at_card(hand)


def with_league(archive: Archive) -> None:
    """A league whose first round is drawn."""
    season.draw_next(archive, begin(archive), 1)


class Scene(NamedTuple):
    """What has been played before, the table that is opened if any, and what is pressed then."""

    before: Callable[[Archive], str | None]
    pressed: Press


SCENES: Final = {
    "ceremony": Scene(lambda archive: after_a_loss(archive).id, ceremony),
    "card": Scene(play, card),
    "phones": Scene(play, at_phones),
    "league": Scene(with_league, at_league),
    "statistics": Scene(lambda archive: fill(archive, 60), at_statistics),
    "another game": Scene(lambda _: None, at_another_game),
    **{game: Scene(partial(mid_game, game=game), Hand.at_table) for game in GAMES},
}


@pytest.mark.sample(3)
@pytest.mark.slow
@pytest.mark.parametrize("name", SCENES)
async def test_every_text_of_an_evening_can_be_read(archive: Archive, place: Path, name: str) -> None:
    scene = SCENES[name]
    serve = partial(serve_beside, host="127.0.0.1", port=0, announce=False)
    app = CompanionApp(str(place), scene.before(archive), serve=serve)
    async with app.run_test(size=(80, 24)) as pilot:
        hand = Hand(app, pilot)
        await hand.until(lambda: app.archive is not None)
        await hand.settle()
        await scene.pressed(hand)
        assert look_alike(app.screen)
        for theme in THEMES:
            await wear(hand, theme)
            assert faint(app.screen, 7 if theme == CONTRAST.name else 4.5) == [], theme


@pytest.mark.slow
async def test_a_table_can_be_read_in_every_theme_there_is(archive: Archive, place: Path) -> None:
    app = CompanionApp(str(place), wizards_at(archive, 3, "set boss hp 12", "set ben hp 4"))
    async with app.run_test(size=(100, 30)) as pilot:
        hand = Hand(app, pilot)
        await hand.at_table()
        for theme in sorted(set(app.available_themes) - set(THEMES)):
            await wear(hand, theme)
            assert faint(app.screen, 4.5) == [], theme


async def test_names_are_brightest_then_figures_then_the_rest(place: Path) -> None:
    app = CompanionApp(str(place))
    async with app.run_test():
        for theme in (*THEMES, "nord", "textual-light"):
            app.theme = theme
            ground = Color.parse(app.theme_variables["background"])
            ratios = [
                contrast(Color.parse(app.theme_variables[name]), ground)
                for name in ("text-strong", "text-figure", "text", "text-muted")
            ]
            assert ratios == sorted(ratios, reverse=True), theme


@pytest.mark.slow
async def test_hearts_and_diamonds_are_red_and_no_other_suit(archive: Archive, place: Path) -> None:
    app = CompanionApp(str(place), in_the_middle(archive))
    async with app.run_test(size=(100, 30)) as pilot:
        hand = Hand(app, pilot)
        await hand.at_table()
        for theme in THEMES:
            await wear(hand, theme)
            colours: dict[str, set[tuple[int, ...]]] = {suit: set() for suit in "♠♥♣♦"}
            for text, style, _ in texts(app.screen):
                assert style is not None
                assert style.color is not None
                assert style.color.triplet is not None
                for suit in set(text) & set(colours):
                    colours[suit].add(tuple(style.color.triplet))
            reds, blacks = colours["♥"] | colours["♦"], colours["♠"] | colours["♣"]
            assert reds
            assert blacks
            assert not blacks & reds, theme
            assert all(red > max(others) for red, *others in reds), theme


@pytest.mark.sample(2)
@pytest.mark.parametrize(("theme", "colours"), [(COLOURS_256.name, 256), (COLOURS_16.name, 16)])
async def test_few_colours_are_exactly_those_that_there_are(
    archive: Archive, place: Path, theme: str, colours: int
) -> None:
    app = CompanionApp(str(place), wizards_at(archive, 3, "set boss hp 12", "set ben hp 4"))
    async with app.run_test(size=(100, 30)) as pilot:
        hand = Hand(app, pilot)
        await hand.at_table()
        await hand.press("down")
        await wear(hand, theme)
        palette = {colour.rgb for colour in PALETTES[colours]}
        triplets = set()
        for strip in app.screen._compositor.render_strips():
            for _, style, _ in strip:
                if style is not None:
                    triplets |= {
                        each.triplet for each in (style.color, style.bgcolor) if each is not None and each.triplet
                    }
        assert {tuple(each) for each in triplets} <= palette


@pytest.mark.posix  # on Windows the console says what it can show
@pytest.mark.parametrize(
    ("terminal", "theme"),
    [
        ({"COLORTERM": "truecolor", "TERM": "xterm-256color"}, DARK),
        ({"COLORTERM": "24bit", "TERM": "screen"}, DARK),
        ({"TERM": "xterm-256color"}, COLOURS_256),
        ({"TERM": "screen-256color"}, COLOURS_256),
        ({"TERM": "xterm"}, COLOURS_16),
        ({"TERM": "linux"}, COLOURS_16),
        ({"TERM": "dumb"}, COLOURS_16),
    ],
)
def test_a_terminal_begins_with_a_theme_that_it_can_show(terminal: dict[str, str], theme: object) -> None:
    assert theme_for(Console(force_terminal=True, _environ=terminal)) is theme


def test_contrast_is_as_the_web_reckons_it() -> None:
    assert contrast(Color.parse("#000"), Color.parse("#fff")) == pytest.approx(21)
    assert contrast(Color.parse("#777"), Color.parse("#fff")) == pytest.approx(4.48, abs=0.01)
    assert contrast(Color.parse("#ff0000"), Color.parse("#ffffff")) == pytest.approx(4.0, abs=0.01)
    assert LIGHT.dark is False
