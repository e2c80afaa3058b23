"""A turn of each duel on two phones, at home and over a network that loses requests; each page on the way is readable
by everybody, and so are refusals and confirmations.
"""

import asyncio
import re
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from random import Random
from typing import Final

import pytest
from playwright.async_api import Browser, expect

from tests.web.serving import Host
from tests.web.test_browser import Seen
from tests.web.test_four_phones import Guest, lossy, sit_down, wait_for_lines

pytestmark = [pytest.mark.asyncio(loop_scope="session"), pytest.mark.slow]

_GEAR: Final = (
    "gear ana ember-blade weapon power 3/1 hands 1 faction fire",
    "gear ana scale-mail armor faction fire",
    "gear ana copper-band accessory",
    "gear ben tide-spear weapon power 2/2 hands 2 faction water",
    "gear ben coral-plate armor",
    "gear ben pearl accessory",
    "deck-size ana 64",
    "deck-size ben 64",
)
SET_UP: Final = {
    "solforge": ("seat ana", "seat ben", "first ben", "begin seed 77"),
    "soulforger": ("seat ana", "seat ben", *_GEAR, "first ben", "begin seed 11"),
    "oddfrontier": ("seat ana", "seat ben", "first ben", "begin seed 11"),
}
TURNS: Final = {
    "solforge": (
        ("Ben", "Forge … a creature into a lane"),
        ("Ben", "Forge in lane 3"),
        ("Ben", "= Cavern Hydra"),
        ("Ben", "= 3 of 4"),
        ("Ben", "= 3/4"),
        ("Ben", "Battle"),
        ("Ben", "Next"),
        ("Ana", "Forge … a creature into a lane"),
    ),
    "soulforger": (
        ("Ben", "Keep"),
        ("Ana", "Keep"),
        ("Ben", "Next"),
        ("Ben", "Next"),
        ("Ben", "Summon … a creature"),
        ("Ben", "= Reef Crab"),
        ("Ben", "= 1"),
        ("Ben", "= 1/2"),
        ("Ben", "= 3"),
        ("Ben", "Straight to the End"),
    ),
    "oddfrontier": (
        ("Ben", "Keep"),
        ("Ana", "Keep"),
        ("Ben", "Next"),
        ("Ben", "Engine"),
        ("Ben", "Crank"),
        ("Ben", "Summon … a Creature"),
        ("Ben", "= Crab"),
        ("Ben", "= 1/3"),
        ("Ben", "On to combat"),
        ("Ben", "Next"),
        ("Ben", "Next"),
    ),
}
"""Who taps what; behind = is what is typed."""
LINES: Final = {
    "solforge": ("forge ben 3 cavern-hydra 3/4", "battle", "next"),
    "soulforger": (
        "keep ben",
        "keep ana",
        "next",
        "next",
        "summon ben reef-crab ronum 1 power 1/2 endurance 3",
        "skip-combat",
    ),
    "oddfrontier": (
        "keep ben",
        "keep ana",
        "next",
        "engine ben",
        "crank ben",
        "summon ben crab 1/3",
        "next",
        "next",
        "next",
    ),
}


@asynccontextmanager
async def duel(browser: Browser, host: Host, game: str) -> AsyncIterator[tuple[str, dict[str, Guest]]]:
    """A duel after its set-up, and two phones at its seats."""
    session = host.table(*SET_UP[game], game=game)
    host.server.phones.allow_all("own")
    sizes = {"Ana": (390, 844), "Ben": (360, 640)}
    guests = {name: await sit_down(browser, host, name, width, height) for name, (width, height) in sizes.items()}
    yield session, guests
    for guest in guests.values():
        await guest.page.context.close()


def lines_since(host: Host, session: str, game: str) -> Sequence[str]:
    """What was entered since the set-up."""
    return [line.line for line in host.archive.lines(session)][1 + len(SET_UP[game]) :]


async def take(guest: Guest, step: str) -> None:
    """Tap or type, and wait until that is through."""
    if step.startswith("= "):
        await guest.page.locator("#answering input[name=typed]:visible").fill(step.removeprefix("= "))
        await guest.tap(guest.page.locator('#answering button[data-focus^="go on"]:visible').last)
    else:
        await guest.say(step)
    await expect(guest.page.locator("[data-pressed]")).to_have_count(0)


@pytest.mark.parametrize("network", ["home", "bad"])
@pytest.mark.parametrize("game", list(SET_UP))
async def test_a_turn_of_a_duel_is_played_on_phones(browser: Browser, own_host: Host, game: str, network: str) -> None:
    async with duel(browser, own_host, game) as (session, guests):
        faults: list[str] = []
        if network == "bad":
            await asyncio.gather(
                *(lossy(guest.page, Random(number)) for number, guest in enumerate(guests.values(), 1))
            )
        for name, step in TURNS[game]:
            guest = guests[name]
            await take(guest, step)
            if network == "home":
                faults += await Seen(guest.page, own_host).faults()
        await wait_for_lines(own_host, session, len(LINES[game]) + len(SET_UP[game]) - 6)
        assert lines_since(own_host, session, game) == list(LINES[game])
        assert faults == []
        assert [fault for guest in guests.values() for fault in guest.faults] == []


async def test_refusals_and_confirmations_are_readable_by_everybody(browser: Browser, own_host: Host) -> None:
    async with duel(browser, own_host, "oddfrontier") as (session, guests):
        ana, ben = guests.values()
        for guest, step in ((ben, "Keep"), (ana, "Keep"), (ben, "Next"), (ben, "Summon … a Creature")):
            await take(guest, step)
        await take(ben, "= Crab")
        await take(ben, "= so large")
        await expect(ben.page.locator("#answering [role=alert]")).to_be_visible()
        assert await Seen(ben.page, own_host).faults() == []
        # What is answered anew shows first what that leads to.
        await ana.page.get_by_text("Change an earlier answer").click()
        await ana.page.get_by_role("link", name=re.compile("Ana keeps")).click()
        await ana.say("Mulligan")
        await expect(ana.page.locator("#answering")).to_contain_text("Amended")
        assert await Seen(ana.page, own_host).faults() == []
        await ana.say("Yes, change it")
        await wait_for_lines(own_host, session, 4 + len(SET_UP["oddfrontier"]) - 6)
        assert any(line.startswith("amend") for line in lines_since(own_host, session, "oddfrontier"))
        # Too late: somebody else has played on, and the page says so.
        faults = await Seen(ben.page, own_host).faults()
        assert faults == []
