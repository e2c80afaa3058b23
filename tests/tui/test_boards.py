"""Tables with a lot on them, in the middle of a game: names, figures and what must be seen at once are all there."""

import re
from itertools import chain
from pathlib import Path

import pytest
from textual.pilot import Pilot

from companion.archive import Archive
from companion.session.core import archive_journal
from companion.tabletop.table.common_actions import Expect, Refuse
from companion.tabletop.table.table import Thing
from companion.tui import blocks
from companion.tui.app import CompanionApp
from companion.tui.screens.home.home import Home
from tests.tui.conftest import Seat
from tests.tui.hand import Hand

TABLES = Path(__file__).parents[1] / "tables"
GAMES = ("soulforger", "oddfrontier", "solforge")
SIZES = {"80x24": (80, 24), "120x40": (120, 40)}


def mid_game(archive: Archive, game: str, *further: str) -> str:
    """A game's recorded table with many creatures, kept in the archive."""
    session = archive_journal.start(archive, game)
    rows = (TABLES / game / "mid-game.table").read_text(encoding="utf-8").splitlines()
    _, *lines = [row for row in rows if row.partition("#")[0].strip()]
    for line in (*lines, *further):
        action = session.notation.parse(line)
        if not isinstance(action, Expect | Refuse):
            session.do(action)
    return session.id


@pytest.mark.sample(3)
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("game", GAMES)
def test_a_table_with_much_on_it(snap_compare: object, archive: Archive, place: Path, game: str, size: str) -> None:
    app = CompanionApp(str(place), mid_game(archive, game))

    async def at_table(pilot: Pilot[None]) -> None:
        await Hand(app, pilot).at_table()

    assert callable(snap_compare)
    assert snap_compare(app, terminal_size=SIZES[size], run_before=at_table)


def test_lanes_from_afar(snap_compare: object, archive: Archive, place: Path) -> None:
    app = CompanionApp(str(place), mid_game(archive, "solforge", "destroy spore-drone"))

    async def at_table(pilot: Pilot[None]) -> None:
        hand = Hand(app, pilot)
        await hand.at_table()
        await hand.press("f2")
        await hand.settle()

    assert callable(snap_compare)
    assert snap_compare(app, terminal_size=(80, 24), run_before=at_table)


def board(hand: Hand) -> str:
    """All that the board shows, titles of its frames included."""
    panels = list(hand.table.tabletop.board.query("Panel"))
    return "\n".join(f"{panel.border_title} {hand.text_of(panel)} {panel.border_subtitle}" for panel in panels)


def things(hand: Hand) -> list[Thing]:
    """All that lies before the seats."""
    zones = chain.from_iterable(seat.zones for seat in hand.table.view.seats)
    return [thing for zone in zones for thing in zone.things]


def _missing(hand: Hand) -> list[str]:
    """What must be readable of the things and is not: their names (which may be broken), their figures, their flags."""
    text, lying = board(hand), things(hand)
    words = [word for thing in lying for word in (*str(thing.title).split(), *map(str, thing.flags))]
    briefs = [t.brief for t in lying if t.brief not in text and blocks.figure_rows(t.brief)[0].rstrip() not in text]
    return [*(word for word in words if word not in text), *briefs, *re.findall(r"… \d+ more", text)]


@pytest.mark.sample(6)
@pytest.mark.parametrize("size", [(80, 24), (120, 40), (200, 60)])
@pytest.mark.parametrize("game", GAMES)
async def test_everything_on_a_full_table_is_readable(
    sit: Seat, archive: Archive, game: str, size: tuple[int, int]
) -> None:
    async with sit(mid_game(archive, game), size) as hand:
        assert len(things(hand)) >= (16 if game != "solforge" else 10)
        assert _missing(hand) == []
        assert all(str(zone.title) in board(hand) for zone in hand.table.view.zones)
        assert all(panel.region.bottom <= size[1] for panel in hand.table.query("Panel"))
        assert hand.table.prompt_list.size.height > 0


@pytest.mark.sample(3)
@pytest.mark.parametrize("game", GAMES)
async def test_a_small_window_keeps_names_and_figures(sit: Seat, archive: Archive, game: str) -> None:
    async with sit(mid_game(archive, game), (60, 18)) as hand:
        text = board(hand)
        creatures = [thing for thing in things(hand) if "/" in thing.brief]
        assert len(creatures) >= 10
        cut = [thing.title for thing in creatures if any(word not in text for word in str(thing.title).split())]
        assert cut == []
        assert [thing.brief for thing in creatures if thing.brief not in text] == []


@pytest.mark.sample(6)
@pytest.mark.parametrize("size", [(80, 24), (60, 18), (40, 12)])
@pytest.mark.parametrize("game", GAMES)
async def test_the_big_figures_are_never_cut(sit: Seat, archive: Archive, game: str, size: tuple[int, int]) -> None:
    async with sit(mid_game(archive, game), size) as hand:
        text = board(hand)
        for seat in hand.table.view.seats:
            assert seat.name in text
            for counter in (counter for counter in seat.counters if counter.big):
                assert any(f"{counter.caption} {counter.text}" in " ".join(row.split()) for row in text.splitlines())


@pytest.mark.slow
async def test_lanes_stand_opposite_each_other(sit: Seat, archive: Archive) -> None:
    async with sit(mid_game(archive, "solforge", "destroy spore-drone"), (80, 24)) as hand:
        rows = hand.text_of("LanesPanel").splitlines()
        line = next(at for at, row in enumerate(rows) if "─ 1 ─" in row)
        assert [cell.strip() for cell in rows[line - 1].split("│")] == ["5/7", "9/9", "4/6", "6/6", "3/4"]
        assert [cell.strip() for cell in rows[line + 1].split("│")] == ["6/5", "12/8", "·", "7/8", "4/4"]
        assert "asleep" in "".join(rows)
        ana, lanes, ben = (hand.table.query(kind) for kind in ("#above SeatPanel", "LanesPanel", "#seats SeatPanel"))
        tops = [query.first().region.y for query in (ana, lanes, ben)]
        assert tops == sorted(tops)
        await hand.press("right", "right", "minus", "enter")
        await hand.counter("ben", "health", 72)
        await hand.until(lambda: "72/120" in hand.text_of(hand.table.query("#seats SeatPanel").first()))


@pytest.mark.slow
async def test_a_change_that_is_keyed_in_stands_at_its_seat(sit: Seat, archive: Archive) -> None:
    async with sit(mid_game(archive, "soulforger"), (80, 24)) as hand:
        await hand.press("right", "right", "plus", "plus")
        await hand.until(lambda: "Damage +2?" in board(hand))
        assert _missing(hand) == []


@pytest.mark.sample(2)
@pytest.mark.parametrize("game", ["soulforger", "oddfrontier"])
async def test_from_afar_every_creature_has_its_figures(sit: Seat, archive: Archive, game: str) -> None:
    async with sit(mid_game(archive, game), (120, 40)) as hand:
        await hand.press("f2")
        await hand.until(lambda: hand.table.tabletop.scoreboard.display)
        await hand.settle()
        text = hand.text_of(hand.table.tabletop.scoreboard)
        creatures = [thing for thing in things(hand) if "/" in thing.brief]
        assert [thing.title for thing in creatures if str(thing.title) not in text] == []
        assert [
            t.title for t in creatures if any(row.rstrip() not in text for row in blocks.figure_rows(t.brief))
        ] == []
        assert len(text.splitlines()) <= hand.table.tabletop.scoreboard.size.height
        assert all(f"{seat.name}" in text for seat in hand.table.view.seats)


@pytest.mark.slow
async def test_from_afar_a_figure_that_just_fits_is_whole(sit: Seat, archive: Archive) -> None:
    session = archive_journal.start(archive, "solforge")
    for line in ("seat ana", "seat ben", "begin seed 1", "bank ana", "battle", "next"):
        session.enter(line)
    async with sit(session.id, (80, 24)) as hand:
        await hand.press("f2")
        await hand.until(lambda: hand.table.tabletop.scoreboard.display)
        await hand.settle()
        text = hand.text_of(hand.table.tabletop.scoreboard)
        assert "Ben (active): Health" in text
        assert "█…" not in text
        assert " …" not in text


@pytest.mark.slow
async def test_a_game_that_is_over_and_asks_nothing_leads_home(sit: Seat, archive: Archive) -> None:
    async with sit(mid_game(archive, "soulforger", "concede ben"), (80, 24)) as hand:
        assert "The game is over. Enter: home" in hand.table.bar.placeholder
        await hand.press("enter")
        await hand.until(lambda: isinstance(hand.app.screen, Home))


FOUR = {
    "soulforger": (
        *(f"gear {seat} {seat}-axe weapon power 3/1 hands 1" for seat in ("ana", "ben", "cyrus", "dora")),
        *("begin seed 1", "next", "next", "next"),
        *(
            f"token {seat} {seat}-{name} power 3/1 endurance 9"
            for seat in ("ana", "ben", "cyrus", "dora")
            for name in ("herald", "knight", "stag", "lancer", "ringer", "pilgrim", "warden", "seraph")
        ),
    ),
    "oddfrontier": (
        *("begin seed 1", "next", "next", "set ana hand 10"),
        *(f"summon ana {name} 3/4" for name in ("mule", "fox", "elk", "owl", "cat", "hen", "rat", "yak")),
        *("next", "next"),
    ),
}


def four_at(archive: Archive, game: str) -> str:
    """Four players at a table."""
    session = archive_journal.start(archive, game)
    for line in (*(f"seat {name} name {name.title()}" for name in ("ana", "ben", "cyrus", "dora")), *FOUR[game]):
        session.enter(line)
    return session.id


@pytest.mark.sample(2)
@pytest.mark.parametrize("game", FOUR)
async def test_four_players_are_readable(sit: Seat, archive: Archive, game: str) -> None:
    async with sit(four_at(archive, game), (120, 40)) as hand:
        assert len(things(hand)) >= 8
        assert _missing(hand) == []


@pytest.mark.slow
async def test_a_crowded_board_shares_rows_and_counts_what_is_missing(sit: Seat, archive: Archive) -> None:
    async with sit(four_at(archive, "soulforger"), (60, 18)) as hand:
        panels = list(hand.table.query("SeatPanel"))
        assert len(panels) == 4
        for panel in panels:
            rows = hand.text_of(panel).splitlines()
            assert "Damage  0/30" in rows[0]
            assert len(rows) >= 2
            assert re.search(r"… \d+ more$", rows[-1])


@pytest.mark.sample(3)
@pytest.mark.parametrize("game", GAMES)
async def test_a_window_that_shrinks_and_grows_shows_what_it_did(sit: Seat, archive: Archive, game: str) -> None:
    async with sit(mid_game(archive, game), (120, 40)) as hand:
        before = board(hand)
        for size in ((80, 24), (60, 18), (40, 12), (20, 6), (5, 3), (40, 12), (200, 60), (120, 40)):
            await hand.pilot.resize_terminal(*size)
        await hand.until(lambda: board(hand) == before)
