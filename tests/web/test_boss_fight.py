"""A whole Boss fight: three phones in a real browser, and the host's program in a terminal, at one table at once."""

import asyncio
import re
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path

import pytest
from playwright.async_api import Browser, Locator, Page, expect

from companion.archive import Archive
from companion.session.core import archive_journal
from tests.terminal import Terminal
from tests.web.serving import PIN
from tests.web.test_browser import take_seat

pytestmark = [pytest.mark.asyncio(loop_scope="session"), pytest.mark.posix]

_ROOT = Path(__file__).parents[2]
_SAYS_LAST = "Phones may"


@contextmanager
def _served(place: Path) -> Iterator[str]:
    """The address of an archive's pages, served by a program of their own."""
    where = ("--host", "127.0.0.1", "--port", "0", "--pin", PIN, "--hands", "own", "--no-announce")
    command = (sys.executable, "-m", "companion.cli", "serve", *where, "--archive", str(place))
    with subprocess.Popen(
        command, cwd=_ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8"
    ) as program:
        assert program.stdout is not None
        output = ""
        while _SAYS_LAST not in output:
            output += program.stdout.readline()
        try:
            yield re.findall(r"Address +(\S+)", output)[0]
        finally:
            program.terminate()


class AtPhone:
    """Somebody with a phone in their hand."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.news = page.locator("#told")
        self.mine = page.locator("#mine")
        self.answering = page.locator("#answering")

    async def sit(self, url: str, name: str) -> None:
        """From the address over the PIN to one's own seat."""
        await self.page.goto(url)
        await self.page.get_by_label("six digits").fill(PIN)
        await self.page.get_by_label("Your name").fill(name)
        await self.page.get_by_role("button", name="Come in").click()
        await take_seat(self.page, name)
        await expect(self.mine.locator(".side")).to_be_visible()

    def button(self, says: str) -> Locator:
        """Something to tap among what is asked, by what it begins with."""
        begins = re.compile(f"^{re.escape(says)}")
        return self.page.locator("#asked, #answering").get_by_role("button", name=begins)

    async def change(self, figure: str, way: str, amount: int) -> None:
        """So much more or less of an own figure."""
        form = self.mine.get_by_role("form", name=f"Change {figure} of")
        if not await form.is_visible():
            await self.mine.locator("details.changes summary").first.click()
        await form.get_by_label("how much").fill(str(amount))
        await form.get_by_role("button", name=f"{figure}: {way}").click()

    async def pay(self, *cards: str) -> None:
        """Choose cards, and send them."""
        asking = self.page.locator("#asked, #answering").locator("form[data-sum]").last
        for card in cards:
            await asking.get_by_role("checkbox", name=re.compile(f"^{card}")).check()
        await asking.locator(".send button").click()

    async def tap(self, *buttons: str) -> None:
        """One after the other."""
        for says in buttons:
            await self.button(says).click()


@asynccontextmanager
async def people(browser: Browser, url: str, *names: str) -> AsyncIterator[list[AtPhone]]:
    """Some people, each with a phone of their own, at their seats."""
    contexts = [await browser.new_context(viewport={"width": 360, "height": 800}) for _ in names]
    phones = [AtPhone(await context.new_page()) for context in contexts]
    await asyncio.gather(*(phone.sit(url, name) for phone, name in zip(phones, names, strict=True)))
    yield phones
    for context in contexts:
        await context.close()


@pytest.mark.slow
async def test_a_boss_falls_to_three_phones_and_the_host(browser: Browser, place: Path, archive: Archive) -> None:
    session = archive_journal.start(archive, "decknforge")
    for line in ("seat ana", "seat ben", "seat cy", "active ana", "begin seed 1"):
        session.enter(line)
    play = (sys.executable, "-m", "companion.cli", "play", session.id, "--archive", str(place))
    with _served(place) as url, Terminal(play) as terminal:

        async def host(sees: str, types: str, shows: str) -> None:
            await asyncio.to_thread(terminal.until, sees)
            terminal.press(f"{types}\r")
            await asyncio.to_thread(terminal.until, shows)

        await asyncio.to_thread(terminal.until, "Boss 1 of 6")
        async with people(browser, f"{url}/t/{session.id}", "Ana", "Ben", "Cy") as phones:
            ana, ben, cy = phones
            # All at once: nobody's card is lost.
            await asyncio.gather(ana.tap("king of spades"), ben.tap("king of hearts"), cy.tap("king of clubs"))
            await expect(ana.button("Pass")).to_be_visible()
            await asyncio.to_thread(terminal.until, "Tactic")
            # A slip, taken back as long as it is the last that was done; cards are paid from the grid.
            await ana.tap("Pass", "Take back: Ana passes.", "Pass")
            await ben.tap("Spike", "queen of hearts")
            await cy.tap("Pass")
            await host("Resolve the damage", "damage", "54 → 12 HP")
            await asyncio.gather(ana.tap("Take 3"), cy.pay("nine of spades"))
            await ben.change("HP", "less", 2)
            await ben.change("Coppers", "more", 3)
            await expect(ben.mine.locator(".big strong").first).to_have_text("18")
            # What is not the last any more is amended, and what that leads to is asked first.
            await ana.page.get_by_text("Change an earlier answer").click()
            await ana.page.get_by_role("link", name=re.compile("Ana does not dodge")).click()
            await ana.pay("eight of spades")
            await expect(ana.answering).to_contain_text("Ana dodges the Boss: 8♠ = 8 > 3")
            await ana.tap("Yes, change it")
            await ben.tap("Take 3")
            await host("Refill: everybody", "refill", "Round 2")
            await asyncio.gather(ana.tap("queen of spades"), ben.tap("jack of hearts"), cy.tap("queen of clubs"))
            await expect(ana.button("Pass")).to_be_visible()
            await host("or pass", "next", "Resolve")
            await host("Resolve the damage", "damage", "overkill")
            await ana.tap("Surge")
            for phone in phones:
                await expect(phone.page.locator("#middle")).to_contain_text("Boss 2 of 6")
            await asyncio.to_thread(terminal.until, "Boss 2 of 6")
    wrote = {line.line: line.by for line in archive.lines(session.id)}
    assert {wrote["reveal ana KS"], wrote["reveal ben KH"], wrote["reveal cy KC"]} == {"Ana", "Ben", "Cy"}
    assert wrote["add ben coppers +3"] == "Ben"
    assert wrote["damage"] not in {"Ana", "Ben", "Cy"}
