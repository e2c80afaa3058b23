"""Four people on phones of three sizes, and a television: a fight from the code on the host's screen to the evening's
card, over a network that is slow and loses requests; nothing is done twice, nothing is lost, and taps are counted.
"""

import asyncio
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from random import Random
from typing import Final

import pytest
from playwright.async_api import Browser, Locator, Page, Route, expect

from companion.session.table.confirmations import ActionDone
from tests.web.serving import Host
from tests.web.test_browser import NOTED

pytestmark = [pytest.mark.asyncio(loop_scope="session"), pytest.mark.slow]

PHONES: Final = {"Ana": (360, 640), "Ben": (390, 844), "Cy": (768, 1024), "Dora": (360, 640)}
LATENCY: Final = 0.4
LOST: Final = 0.05


class Guest:
    """Somebody with a phone: every tap is counted."""

    def __init__(self, page: Page, name: str) -> None:
        self.page = page
        self.name = name
        self.taps = 0
        self.faults: list[str] = []
        page.on("pageerror", lambda error: self.faults.append(str(error)))

    async def tap(self, what: Locator) -> None:
        """Tap something once it is there."""
        self.taps += 1
        await what.click()

    async def say(self, begins: str) -> None:
        """A way or a card by what it begins with."""
        asking = self.page.locator("#asked .own, #answering")
        await self.tap(asking.get_by_role("button", name=re.compile(f"^{re.escape(begins)}")).first)

    async def pay(self, *cards: str) -> None:
        """Cards that are chosen, and sent."""
        asking = self.page.locator("#asked .own form[data-sum], #answering form[data-sum]").first
        for card in cards:
            self.taps += 1
            await asking.get_by_role("checkbox", name=re.compile(f"^{card}")).check()
        await self.tap(asking.locator(".send button"))


async def lossy(page: Page, chance: Random) -> None:
    """From now on everything takes its time, and some of it never arrives, on the way there or on the way back."""

    async def handle(route: Route) -> None:
        await asyncio.sleep(LATENCY)
        fate = chance.random()
        if fate < LOST / 2:
            await route.abort()
        elif fate < LOST and route.request.method == "POST":
            await route.fetch(max_redirects=0)
            await route.abort()
        else:
            await route.continue_()

    await page.route(re.compile(r"/t/\w+(/answer|/change|/undo|/go|/preview)?(\?.*)?$"), handle)


async def sit_down(browser: Browser, host: Host, name: str, width: int, height: int) -> Guest:
    """Somebody at their seat, by one tap behind the code on the host's screen."""
    context = await browser.new_context(viewport={"width": width, "height": height}, has_touch=True)
    guest = Guest(await context.new_page(), name)
    await guest.page.add_init_script(NOTED)
    await guest.page.goto(f"http://127.0.0.1:{host.port}/J/{host.server.phones.invitation}")
    await guest.page.get_by_role("button", name=name).click()
    await expect(guest.page.locator("#mine").get_by_role("heading", name=name)).to_be_visible()
    return guest


@asynccontextmanager
async def table_of_four(browser: Browser, host: Host) -> AsyncIterator[tuple[str, dict[str, Guest], Page]]:
    """A fight before its first Boss, with four at their seats, each by one tap behind the code, and a television."""
    session = host.table(*(f"seat {name.lower()}" for name in PHONES), "active ana", "begin seed 1")
    host.server.phones.allow_all("own")
    contexts, guests = [], {}
    for name, (width, height) in PHONES.items():
        guests[name] = await sit_down(browser, host, name, width, height)
        contexts.append(guests[name].page.context)
    television = await browser.new_context(viewport={"width": 1920, "height": 1080})
    contexts.append(television)
    screen = await television.new_page()
    await screen.goto(f"http://127.0.0.1:{host.port}/J/{host.server.phones.invitation}")
    await screen.get_by_role("button", name="Come in").last.click()
    await screen.goto(f"http://127.0.0.1:{host.port}/t/{session}/screen")
    yield session, guests, screen
    for context in contexts:
        await context.close()


def entered_lines(host: Host, session: str) -> list[str]:
    """What was entered since the fight began."""
    return [line.line for line in host.archive.lines(session)][7:]


async def wait_for_lines(host: Host, session: str, count: int) -> None:
    """Wait until so many lines were entered."""
    async with asyncio.timeout(60):
        while len(entered_lines(host, session)) < count:
            await asyncio.sleep(0.05)


@pytest.mark.parametrize("network", ["home", "bad"])
async def test_four_people_play_a_fight_to_its_card(browser: Browser, own_host: Host, network: str) -> None:
    async with table_of_four(browser, own_host) as (session, guests, screen):
        if network == "bad":
            await asyncio.gather(
                *(lossy(guest.page, Random(number)) for number, guest in enumerate(guests.values(), 1))
            )
        ana, ben, cy, dora = guests.values()
        hosting = own_host.sitting(session)

        def host(*lines: str) -> None:
            """What the host types, who sees what the phones have done."""
            for line in lines:
                hosting.follow()
                assert isinstance(hosting.enter(line), ActionDone), line

        def taps() -> int:
            return sum(guest.taps for guest in guests.values())

        # A plain round: everybody reveals a card, passes, and takes the Boss's attack.
        await asyncio.gather(*(guest.say("king of ") for guest in guests.values()))
        await wait_for_lines(own_host, session, 4)
        for number, guest in enumerate(guests.values(), 5):
            await guest.say("Pass")
            await wait_for_lines(own_host, session, number)
        host("damage")
        await asyncio.gather(*(guest.say("Take") for guest in guests.values()))
        await wait_for_lines(own_host, session, 13)
        assert taps() <= 12
        host("refill")

        # A round with a dodge by one card.
        await asyncio.gather(*(guest.say("two of spades") for guest in guests.values()))
        await wait_for_lines(own_host, session, 18)
        host("next", "damage")
        before = ben.taps
        await ben.pay("ten of hearts")
        assert ben.taps - before <= 2
        await asyncio.gather(*(guest.say("Take") for guest in (ana, cy, dora)))
        async with asyncio.timeout(60):
            while sum(line.startswith(("take", "dodge")) for line in entered_lines(own_host, session)) < 2 * len(
                guests
            ):
                await asyncio.sleep(0.05)
        assert "dodge ben 10H" in entered_lines(own_host, session)
        host("refill", "set boss hp 9")

        # A round in which the Boss falls: a card each, a pass each, and what the kill is worth.
        before_kill, lines_before = taps(), len(entered_lines(own_host, session))
        await asyncio.gather(*(guest.say("queen of ") for guest in guests.values()))
        await wait_for_lines(own_host, session, lines_before + 4)
        for number, guest in enumerate(guests.values(), lines_before + 5):
            await guest.say("Pass")
            await wait_for_lines(own_host, session, number)
        host("damage")
        killer = next(prompt.seat for prompt in hosting.view.prompts if prompt.due)
        await guests[killer.capitalize()].say("Surge")
        await wait_for_lines(own_host, session, lines_before + 10)
        assert taps() - before_kill <= 10
        await expect(screen.locator("#board")).to_contain_text("Boss 2 of 6")

        # Nothing was done twice, whatever was lost on the way.
        entered = entered_lines(own_host, session)
        assert len([line for line in entered if line.startswith("reveal")]) == 12
        assert len([line for line in entered if line.startswith("pass")]) == 8
        assert len([line for line in entered if line.startswith(("take", "dodge"))]) == 8
        await expect(screen.locator("#board")).to_contain_text("Dora")

        for name in ("ana", "ben", "cy", "dora"):
            host(f"set {name} hp 0")
        for guest in guests.values():
            await expect(guest.page.get_by_role("link", name="The evening’s card")).to_be_visible()
            assert guest.faults == []
        await cy.page.get_by_role("link", name="The evening’s card").click()
        await expect(cy.page.get_by_role("heading", name=re.compile("^Lost to"))).to_be_visible()
