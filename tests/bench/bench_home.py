"""How quickly home shows its lists among tens of thousands of decks, and finds one of them while somebody types."""

import asyncio
import random
import tempfile
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path

from textual.pilot import Pilot

from companion.archive import Archive, SessionStanding
from companion.archive.storage.rows import DeckRow, PersonRow, SessionRow
from companion.tabletop.records import DeckFigure
from companion.tui.app import CompanionApp
from companion.tui.screens.home.home import Home
from companion.tui.screens.people import PeopleScreen
from tests.bench.figures import Figure

DECKS = 50_000
SESSIONS = 5_000
PEOPLE = 20_000
BUDGET = 150
TURNS = 9
WORDS = ("Grave", "Ash", "Salt", "Lantern", "Choir", "Toll", "Iron", "Debt", "Bell", "Candle", "Tithe", "Moth")


def figures() -> list[Figure]:
    """Milliseconds until both lists are painted, and until what is typed is found."""
    with tempfile.TemporaryDirectory() as folder:
        place = str(Path(folder, "archive.sqlite"))
        fill(place)
        return asyncio.run(_measured(place))


def fill(place: str, decks: int = DECKS, sessions: int = SESSIONS, people: int = PEOPLE) -> None:
    """An archive with rows enough: only the lists are looked at, so nothing stands behind them."""
    chance, now = random.Random(1), datetime.now(UTC)
    with Archive.open(place, by="bench") as archive, archive.store.writing() as transaction:
        for number in range(decks):
            name = f"{' '.join(chance.sample(WORDS, 3))} {number}"
            figures = (DeckFigure("glory", "Glory", number % 40), DeckFigure("dungeons", "Dungeons", number % 9))
            transaction.put(DeckRow(f"{number:013}", "decknforge", name, figures, "Ana", "", False, now, 40))
        for number in range(sessions):
            at, where = now - timedelta(hours=number), SessionStanding(tuple(chance.sample(WORDS, 4)), ())
            row = SessionRow(f"{number:08}", "decknforge", f"Evening {number}", at, at, 90, 89, where, True, 2)
            transaction.put(row)
        for number in range(people):
            name = f"{chance.choice(WORDS)} {number}"
            transaction.put(PersonRow(f"{number:06}", name, (name,), number % 50, "", "", now, 1))


async def _measured(place: str) -> list[Figure]:
    app = CompanionApp(place)
    async with app.run_test(size=(120, 40)) as pilot:
        home = app.screen_stack[0]
        assert isinstance(home, Home)
        while home.decks.total < DECKS:
            await asyncio.sleep(0.01)
        list_times, search_times = [], []
        for _ in range(TURNS):
            begun = time.perf_counter()
            await home.refresh_lists()
            await pilot.pause()
            list_times.append(time.perf_counter() - begun)
            home.box.value = f"tithe {DECKS - 7}"[: 5 + TURNS]
            begun = time.perf_counter()
            await home.refresh_lists()
            await pilot.pause()
            search_times.append(time.perf_counter() - begun)
            home.box.value = ""
        listed_people, found_people = await _people(app, pilot)
    crowded = f"{DECKS:,} decks and {SESSIONS:,} tables"
    return [
        Figure(f"home among {crowded}", min(list_times) * 1e3, "ms", budget=BUDGET),
        Figure(f"a search among {crowded}", min(search_times) * 1e3, "ms", budget=BUDGET),
        Figure(f"people among {PEOPLE:,}", listed_people * 1e3, "ms", budget=BUDGET),
        Figure(f"a search among {PEOPLE:,} people", found_people * 1e3, "ms", budget=BUDGET),
    ]


async def _people(app: CompanionApp, pilot: Pilot[None]) -> tuple[float, float]:
    """Seconds until everybody is listed, and until those who are typed are."""
    assert app.archive is not None
    screen = PeopleScreen(app.archive)
    await app.push_screen(screen)
    await pilot.pause()
    list_times: list[float] = []
    search_times: list[float] = []
    for _ in range(TURNS):
        for times, text in ((list_times, ""), (search_times, f"tithe {PEOPLE - 7}"[: 5 + TURNS])):
            screen.box.value = text
            begun = time.perf_counter()
            await screen.refill()
            await pilot.pause()
            times.append(time.perf_counter() - begun)
    return min(list_times), min(search_times)
