"""The table as a picture, in the middle of the recorded dungeon: what everybody sees must not change unnoticed."""

import re
from pathlib import Path

import pytest
from textual.pilot import Pilot

from companion.archive import Archive
from companion.session.core import archive_journal
from companion.tabletop.table.common_actions import Expect, Refuse
from companion.tui.app import CompanionApp
from tests.tui.conftest import Seat
from tests.tui.hand import Hand

DUNGEON = Path(__file__).parents[1] / "tables" / "decknforge" / "dungeon.table"
MIDDLE = "foil ben ana pay 2D 3C"


def in_the_middle(archive: Archive, before: str = MIDDLE) -> str:
    """The recorded dungeon up to some line, by default a Tactic in the third round of it, kept in the archive."""
    session = archive_journal.start(archive, "decknforge")
    _, *rows = [row for row in DUNGEON.read_text(encoding="utf-8").splitlines() if row.partition("#")[0].strip()]
    for row in rows:
        if before in row:
            break
        action = session.notation.parse(row)
        if not isinstance(action, Expect | Refuse):
            session.do(action)
    return archive.sessions()[0].session


@pytest.mark.parametrize("size", [(80, 24), (120, 40), (200, 60)], ids=["80x24", "120x40", "200x60"])
def test_a_table_in_the_middle_of_a_fight(
    snap_compare: object, archive: Archive, place: Path, size: tuple[int, int]
) -> None:
    app = CompanionApp(str(place), in_the_middle(archive))

    async def at_table(pilot: Pilot[None]) -> None:
        await Hand(app, pilot).at_table()

    assert callable(snap_compare)
    assert snap_compare(app, terminal_size=size, run_before=at_table)


@pytest.mark.sample(3)
@pytest.mark.slow
@pytest.mark.parametrize("size", [(80, 24), (120, 40)], ids=["80x24", "120x40"])
@pytest.mark.parametrize("key", ["f1", "f2", "f3", "ctrl+p"], ids=["help", "far", "log", "more"])
def test_what_a_key_lays_over_the_table(
    snap_compare: object,
    archive: Archive,
    place: Path,
    monkeypatch: pytest.MonkeyPatch,
    size: tuple[int, int],
    key: str,
) -> None:
    monkeypatch.setenv("HOME", str(place.parent))
    monkeypatch.delenv("XDG_CONFIG_HOME")
    app = CompanionApp(str(place), in_the_middle(archive))

    async def press_key(pilot: Pilot[None]) -> None:
        hand = Hand(app, pilot)
        await hand.at_table()
        table = app.screen
        await hand.press(key)
        await hand.until(lambda: app.screen is not table or table.has_class("-scoreboard") or table.has_class("-log"))
        await hand.settle()

    assert callable(snap_compare)
    assert snap_compare(app, terminal_size=size, run_before=press_key)


NAMES = ("Ana", "Ben", "Cy", "Dora", "Eli")
CARDS = ("9S", "QH", "6C", "10D", "4S")
WYRM = 'monster ana AS "Grave Wyrm" hp 22 atk 4 legend labels tough vicious'


def wizards_at(archive: Archive, wizards: int, *further: str) -> str:
    """So many wizards before a Legend, with a Minion and a card each."""
    session = archive_journal.start(archive, "decknforge")
    seats = [f'seat {name.lower()} name "{name}" band "Band of {name}"' for name in NAMES[:wizards]]
    begin = (WYRM, "bosses ana:AS", "active ana", "begin seed 1", "set table step refill")
    refill = "refill minion ana:AH" if wizards > 1 else "refill"  # alone, all Monsters are Bosses
    reveal = [f"reveal {name.lower()} {card}" for name, card in zip(NAMES[:wizards], CARDS, strict=False)]
    for line in (*seats, *begin, refill, *reveal, *further):
        session.enter(line)
    return session.id


@pytest.mark.sample(3)
@pytest.mark.parametrize(
    ("wizards", "size", "step"),
    [
        (1, (80, 24), "tactics"),
        (2, (120, 40), "attack"),
        (4, (80, 24), "declare"),
        (4, (200, 60), "attack"),
        (5, (80, 24), "attack"),
        (5, (120, 40), "tactics"),
        (5, (200, 60), "declare"),
    ],
    ids=lambda value: "x".join(map(str, value)) if isinstance(value, tuple) else str(value),
)
def test_a_table_of_one_to_five(
    snap_compare: object, archive: Archive, place: Path, wizards: int, size: tuple[int, int], step: str
) -> None:
    app = CompanionApp(str(place), wizards_at(archive, wizards, *STEPS[step]))

    async def at_table(pilot: Pilot[None]) -> None:
        await Hand(app, pilot).at_table()

    assert callable(snap_compare)
    assert snap_compare(app, terminal_size=size, run_before=at_table)


STEPS = {"tactics": (), "declare": ("next",), "attack": ("next", "damage")}


@pytest.mark.sample(2)
@pytest.mark.parametrize("theme", ["textual-light", "high-contrast"])
def test_a_table_in_other_themes(snap_compare: object, archive: Archive, place: Path, theme: str) -> None:
    app = CompanionApp(str(place), wizards_at(archive, 3, "set boss hp 12", "set ben hp 4"))

    async def at_table(pilot: Pilot[None]) -> None:
        await Hand(app, pilot).at_table()
        app.theme = theme
        await Hand(app, pilot).settle()

    assert callable(snap_compare)
    assert snap_compare(app, terminal_size=(100, 30), run_before=at_table)


def _missing(hand: Hand) -> list[str]:
    """What a round needs and the screen does not show."""
    seats = hand.table.query("SeatPanel")
    text = "\n".join(hand.text_of(panel) for panel in (*seats, hand.table.query_one("PromptList")))
    titles = str([panel.border_title for panel in seats])
    view = hand.table.view
    counters = [f"{c.title} {c.text}" for seat in view.seats for c in seat.counters if c.name in ("hand", "deck")]
    prompts = [prompt.text for prompt in view.prompts[:1] if str(prompt.text) not in " ".join(text.split())]
    names = [seat.name for seat in view.seats if seat.name not in text + titles]
    return [
        *map(str, prompts),
        *names,
        *(counter for counter in counters if counter not in text),
        *(["… more"] if re.search(r"… \d+ more", text) else []),
    ]


@pytest.mark.sample(5)
@pytest.mark.parametrize("wizards", range(1, 6))
async def test_every_step_of_a_round_is_whole_at_80x24(sit: Seat, archive: Archive, wizards: int) -> None:
    async with sit(wizards_at(archive, wizards), size=(80, 24)) as hand:
        while hand.value("table", "round") == 2:
            await hand.until(lambda: not _missing(hand))
            further = hand.has_played_on()
            await hand.press("ctrl+n")
            await hand.until(further)


@pytest.mark.slow
async def test_a_table_grown_small_and_large_again_has_lost_nothing(sit: Seat, archive: Archive) -> None:
    async with sit(wizards_at(archive, 5), size=(120, 40)) as hand:
        before = [hand.text_of(panel) for panel in hand.table.query("Panel")]
        await hand.press(*"spike")
        for size in ((80, 24), (60, 18), (40, 12), (20, 6), (40, 12)):
            await hand.pilot.resize_terminal(*size)
        await hand.until(lambda: "Needs 60×18, has 40×12" in hand.status)
        await hand.bar_holds("spike")
        await hand.press("escape")
        await hand.pilot.resize_terminal(120, 40)
        await hand.until(lambda: [hand.text_of(panel) for panel in hand.table.query("Panel")][:8] == before[:8])
