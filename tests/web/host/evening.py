"""An evening of DecknForge step by step, as a host and three guests see it in their browsers."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import Any, Final, NamedTuple

from playwright.async_api import Browser, Page, expect

from companion.archive import Archive
from companion.printing import jobs
from labels.designs import EffectLabel
from tests.archive import bands
from tests.labels.paper import read
from tests.scan import spreads
from tests.web.host.drivers import Driver
from tests.web.test_boss_fight import AtPhone
from tests.web.test_browser import take_seat

ROOT: Final = Path(__file__).parents[3]
START_SECONDS: Final = 180.0
"""Seconds for the program to start, on a machine with much to do."""
INSCRIBED: Final = (("9S", "sharp"), ("10S", "sharp"), ("7S", "quick"))
MONSTERS: Final = "ABCDEF"
BANDS: Final = {"Ana": "Grave Choir", "Ben": "Salt and Iron", "Cy": "Cy's band", "Dora": "Dora's band"}


class Served(NamedTuple):
    """A program that serves, and the link that it opened in a browser."""

    program: subprocess.Popen[str]
    link: str


class EveningGuest(AtPhone):
    """A guest with a phone of their own."""

    def __init__(self, page: Page, name: str) -> None:
        super().__init__(page)
        self.name = name
        self.faults: list[str] = []
        page.on("pageerror", lambda error: self.faults.append(str(error)))


@contextmanager
def served(archive: Path, folder: Path) -> Iterator[Served]:
    """Run `companion serve --open` for as long as the block lasts."""
    link, browser = folder / "link", folder / "browser"
    browser.write_text(f'#!/bin/sh\necho "$1" > {link}.part && mv {link}.part {link}\n', encoding="utf-8")
    browser.chmod(0o700)
    where = ("--host", "127.0.0.1", "--port", "0", "--no-announce", "--archive", str(archive))
    with subprocess.Popen(
        [sys.executable, "-m", "companion.cli", "serve", "--open", *where],
        cwd=ROOT,
        env={**os.environ, "BROWSER": f"{browser} %s", "XDG_CONFIG_HOME": str(folder / "settings")},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        encoding="utf-8",
    ) as program:
        try:
            until = time.monotonic() + START_SECONDS
            while not link.exists():
                assert time.monotonic() < until
                time.sleep(0.05)
            yield Served(program, link.read_text(encoding="utf-8").strip())
        finally:
            program.terminate()


def photograph_of_a_deck(folder: Path) -> Path:
    """A photograph of three cards of a deck that another archive keeps, spread on a table."""
    with Archive.open(str(folder / "elsewhere.sqlite"), by="tests") as archive:
        row = archive.find_deck(bands.found_band(archive, "Salt and Iron", "Ben"))
        labels = jobs.cards_job(archive, [row], with_codes=True).labels
    faces = [label for label in labels if isinstance(label, EffectLabel)][:2]
    picture = folder / "spread.jpg"
    picture.write_bytes(spreads.photograph_of(faces, [face.code for face in faces], Random(5), angle=1).jpeg)
    return picture


async def follow_link(host: Driver[Any], link: str) -> None:
    """Follow the link that the program opened."""
    await host.open(link)
    await host.see("No table waits.")
    await host.look("home, empty")


async def add_people(host: Driver[Any], *names: str) -> None:
    """Add people who have no deck yet."""
    await host.visit("People")
    for name in names:
        await host.unfold("Add somebody")
        await host.put("Name", name)
        await host.press("Add")
        await host.see(name)
        await host.visit("People")
    await host.look("people")


async def build_deck(host: Driver[Any], name: str, builder: str) -> int:
    """Build a deck; the keys and clicks that it takes."""
    await host.visit("Decks")
    await host.look("decks")
    before = host.count
    await host.press("Build a deck", "link")
    await host.press("DecknForge", "link", exact=False)
    await host.look("build a deck, empty")
    await host.put("Name", name)
    await host.put("Builder", builder)
    await host.press("Draw all that is empty")
    for number, (card, inscription) in enumerate(INSCRIBED, 1):
        group = f"Inscriptions {number}"
        await host.choose("Card", card, group)
        await host.settle()
        await host.choose("Inscription", inscription, group)
        await host.settle()
    # Where no Monster that was drawn is a legend, one is chosen.
    if legends := [value for value in await host.values("Legend") if value]:
        await host.choose("Legend", legends[0])
        await host.settle()
    await host.look("build a deck, filled in")
    await host.press("Build it")
    await host.see(f"{name} is here")
    await host.look("a deck that was built")
    return host.count - before


async def adopt_deck(host: Driver[Any], name: str, builder: str, photograph: Path) -> None:
    """Adopt a deck of paper: its labels from a photograph, the rest by hand."""
    await host.visit("Decks")
    await host.press("Adopt a deck from paper", "link")
    await host.look("adopt a deck, empty")
    await host.upload("#picture", photograph)
    await host.press("Fill in its labels")
    await host.see("The labels from the photograph are filled in")
    await host.look("adopt a deck, labels from the photograph")
    await host.put("Name", name)
    await host.put("Builder", builder)
    await host.put("Holders 1", builder, "Holders 1")
    await host.put("Glory", "7")
    await host.put("Dungeons", "1")
    for number, letter in enumerate(MONSTERS, 1):
        group = f"Monsters {number}"
        await host.put("Creature", f"Wyrm {letter}", group)
        await host.put("HP", "12", group)
    await host.choose("Legend", "yes", "Monsters 1")
    await host.settle()
    await host.look("adopt a deck, filled in")
    await host.press("Adopt it")
    await host.see(name)
    await host.look("a deck that was adopted")


async def open_table(host: Driver[Any], *names: str) -> int:
    """Open a table for known people; the keys and clicks that it takes."""
    await host.visit("Home")
    before = host.count
    await host.visit("New table")
    for name in names:
        await host.press(name)
        await host.gone("button", name)
    await host.look("new table, filled in")
    await host.press("Open the table")
    await host.see("Begin the dungeon")
    taken = host.count - before
    await host.look("table, just open")
    return taken


async def let_phones_in(host: Driver[Any], browser: Browser, *names: str) -> list[EveningGuest]:
    """Have guests come in with what the host's page shows: the last one types the PIN, the others scan the code."""
    await host.visit("Phones")
    await host.see("No phone has come in yet")
    await host.look("phones, none yet")
    (code,) = read(await host.picture("main svg"))
    access = await host.wait_for(r"Or open (http\S+) there, and type the PIN (\d{6})")
    assert code.lower().startswith(access[1])
    guests = []
    for name in names:
        context = await browser.new_context(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
        guest = EveningGuest(await context.new_page(), name)
        guests.append(guest)
        if name == names[-1]:
            await guest.page.goto(f"{access[1]}/pin")
            await guest.page.get_by_label("six digits").fill(access[2])
            await guest.page.get_by_label("Your name").fill(name)
            await guest.page.get_by_role("button", name="Come in").tap()
            await take_seat(guest.page, name)
        else:
            await guest.page.goto(code)
            await guest.page.get_by_role("button", name=name).tap()
        await expect(guest.mine.get_by_role("heading", name=name)).to_be_visible()
    for name in names:
        await host.see(f"{name} · seat of {name}")
    await host.look("phones, all here")
    return guests


async def begin_dungeon(host: Driver[Any]) -> None:
    """Go to the table that waits, and begin."""
    await host.visit("Home")
    await host.look("home, a table waits")
    await host.press("DecknForge", "link", exact=False)
    await host.press("Begin")


async def reveal(host: Driver[Any], guests: Sequence[EveningGuest], boss: int, monster: str, rank: str) -> None:
    """Flip a Monster of Ben's as a Boss; all choose cards of a rank, the guests face down and the host last."""
    await host.see(f"Boss {boss}: which Monster did you flip?")
    await host.press("The one that you flipped", exact=False)
    await host.press(monster, exact=False)
    await host.see(f"Boss {boss} of 6")
    await guests[0].tap("Decline")
    for guest, suit in zip(guests, ("hearts", "clubs", "diamonds"), strict=True):
        await guest.tap(f"{rank} of {suit}")
        await expect(guest.page.locator("#asked")).to_contain_text("Only you see it")
    await host.see(f"{guests[-1].name} has chosen, face down.")
    await host.press("Reveal", exact=False)
    await host.press(f"{rank} of spades", exact=False)
    await host.see("kills the Boss")


async def play_bosses(host: Driver[Any], guests: Sequence[EveningGuest]) -> None:
    """Fell two Bosses, and end the evening because it is late."""
    await begin_dungeon(host)
    await reveal(host, guests, 1, "Wyrm B", "king")
    await host.look("table, tactics")
    await host.press("Pass")
    for guest in guests:
        await guest.tap("Pass")
    await host.see("Dora passes")
    await host.press("Go on: damage", exact=False)
    await host.press("Rally", exact=False)
    await reveal(host, guests, 2, "Wyrm C", "queen")
    await host.press("Go on: no Tactics", exact=False)
    await host.press("Rally", exact=False)
    await host.see("Boss 3: which Monster did you flip?")
    await host.unfold("Change Round")
    await host.press("Put a figure right", "link", exact=False)
    await host.press("Outcome", exact=False)
    await host.press("loss", exact=False)
    await host.see("The game is lost.")
    await host.look("table, over")


async def seal(host: Driver[Any], guests: Sequence[EveningGuest]) -> None:
    """Answer what is asked after the game, and seal."""
    await guests[0].tap("Draw one for us")
    await host.press("Draw one for us")
    await host.press("Draw it for us")
    await pick_bands(host, guests)
    await finish(host, guests)


async def pick_bands(host: Driver[Any], guests: Sequence[EveningGuest]) -> None:
    """Each picks their own band."""
    by_name = {guest.name: guest for guest in guests}
    for _ in range(1 + len(guests)):
        match = await host.wait_for(r"(\w+): (?:pick one of|only [^\n]* is left to pick)")
        if match[1] in by_name:
            await by_name[match[1]].tap(f"Pick {BANDS[match[1]]}")
        else:
            await host.press(f"Pick {BANDS[match[1]]}", exact=False)
        await host.until_gone(match[0])


async def finish(host: Driver[Any], guests: Sequence[EveningGuest]) -> None:
    """Buy an inscription, keep the Coppers of loose bands, and seal."""
    await host.unfold("Other actions")
    await host.press("Buy", exact=False)
    await host.press("Glint", exact=False)
    await host.press("six of clubs", exact=False)
    await host.see("stick Glint on 6♣")
    for guest in guests[1:]:
        await guest.tap("Keep it in a purse")
        await expect(guest.button("Keep it in a purse")).to_have_count(0)
    await host.press("What only the host decides", "link")
    await host.look("review")
    await host.press("Seal", exact=False)
    await host.see("After the seal")
    await host.look("after the seal")


async def print_labels(host: Driver[Any]) -> tuple[int, bytes]:
    """Print tonight's labels from the home page; the keys and clicks that it takes, and the PDF."""
    await host.visit("Home")
    await host.look("home, after the evening")
    before = host.count
    await host.visit("Print")
    await host.look("print, tonight's labels")
    await host.press("Make the PDF")
    document = await host.download("Download it")
    taken = host.count - before
    await host.look("printed")
    return taken, document


async def do_chores(host: Driver[Any]) -> None:
    """Check off everything that is to be done by hand."""
    await host.visit("Home")
    await host.press("Labels and chores", "link")
    await host.tick_all()
    await host.press("These are done")
    await host.see("No chore of tonight is left.")
    await host.look("chores done")


async def print_box(host: Driver[Any], deck: str) -> bytes:
    """Print the box label of a deck."""
    await host.visit("Decks")
    await host.press(deck, "link", exact=False)
    await host.press("Box label", "link")
    await host.look("print, a box label")
    await host.press("Make the PDF")
    return await host.download("Download it")


async def scan_box(host: Driver[Any], picture: Path) -> None:
    """Send a picture of a box, which leads to its deck."""
    await host.visit("Decks")
    await host.press("Scan a box", "link")
    await host.look("scan a box")
    await host.upload("#picture", picture)
    await host.press("Open its deck")
    await host.see("Story, newest first")
    await host.look("a deck with its story")


async def restore(host: Driver[Any]) -> None:
    """Copy the archive, do something wrong, and go back to the copy."""
    await host.visit("Archive")
    await host.press("Copy it", exact=False)
    await host.see("made by hand")
    await host.look("archive, copied")
    await add_people(host, "Zoe")
    await host.visit("Archive")
    await host.press("Back to", "link", exact=False)
    await host.see("It lacks altogether: person Zoe.")
    await host.look("going back to a backup")
    await host.press("Go back to this backup")
    await host.see("is your archive now")
    await host.visit("People")
    await host.see("4 people")
    assert "Zoe" not in await host.text()


async def end(host: Driver[Any]) -> None:
    """End the program from its pages."""
    await host.press("End the companion", "link")
    await host.see("These phones lose their pages")
    await host.look("ending")
    await host.press("End it")
    await host.see("The companion has ended")
