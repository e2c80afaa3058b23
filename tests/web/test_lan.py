"""Pages in a real network: the host's machine and the phones' are network namespaces, joined by cables.

What `companion serve` chooses, says and announces by itself there; who reaches it, and what an outage does.
"""

from __future__ import annotations

import asyncio
import contextlib
import queue
import re
import shlex
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import AsyncIterator, Iterator
from datetime import datetime
from pathlib import Path
from typing import Final, Self

import pytest
import pytest_asyncio
from playwright.async_api import Browser, async_playwright, expect
from zeroconf import ServiceBrowser, ServiceListener, Zeroconf

from companion.archive import Archive
from companion.session.core import archive_journal
from companion.web import address as announcing
from tests.terminal import Terminal
from tests.web.conftest import chromium
from tests.web.network import Machine, lacking
from tests.web.serving import PATIENCE, PIN, Answer, Phone
from tests.web.test_browser import take_seat

pytestmark = [
    pytest.mark.linux,
    pytest.mark.skipif(bool(lacking()), reason=lacking()),
    # It is there before several programs open it at once.
    pytest.mark.usefixtures("archive"),
]

DEN, PHONE, OFFICE = "10.47.1.1", "10.47.1.2", "10.47.2.2"
DEN_IN_OFFICE: Final = "10.47.2.1"
HOME: Final = "wlan0"
_KIND: Final = "_http._tcp.local."
_ROOT: Final = Path(__file__).parents[2]
_MAY: Final = "Phones may"


class Serve:
    """`companion serve` on a machine, as somebody starts it there; within the block it serves."""

    def __init__(self, machine: Machine, place: str, *options: str) -> None:
        command = machine.there(sys.executable, "-m", "companion.cli", "serve", "--archive", place, *options)
        pipe = subprocess.PIPE
        self._program = subprocess.Popen(command, cwd=_ROOT, stdout=pipe, stderr=pipe, encoding="utf-8")
        # What does not speak in time is ended, and then has said nothing.
        self._late = threading.Timer(PATIENCE, self._program.kill)
        self._late.start()
        self.output = ""

    def __enter__(self) -> Self:
        assert self._program.stdout is not None
        while _MAY not in self.output and (line := self._program.stdout.readline()):
            self.output += line
        self._late.cancel()
        assert _MAY in self.output, self.close()
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def printed(self, what: str) -> str:
        """What stands behind a word on the screen."""
        match = re.search(rf"^{what} +(\S+)$", self.output, re.MULTILINE)
        return match[1] if match else ""

    @property
    def name(self) -> str:
        """What it says that it is called in the network, without the network's own ending."""
        return self.printed("Name").removeprefix("http://").partition(".local")[0]

    def close(self) -> str:
        """Press Ctrl+C; gives what it said besides."""
        self._program.send_signal(signal.SIGINT)
        return self._program.communicate(timeout=PATIENCE)[1]


class Heard(ServiceListener):
    """The pages that a machine hears of by multicast, by the network of one of its addresses."""

    def __init__(self, machine: Machine, address: str) -> None:
        with machine.at():
            self._ears = Zeroconf(interfaces=[address])
        self._news = queue.Queue[tuple[str, str]]()
        ServiceBrowser(self._ears, _KIND, self)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._ears.close()

    def add_service(self, zc: Zeroconf, type_: str, name: str) -> None:  # noqa: ARG002 – as it is called there
        self._news.put(("there", name.removesuffix(f".{_KIND}")))

    def remove_service(self, zc: Zeroconf, type_: str, name: str) -> None:  # noqa: ARG002
        self._news.put(("gone", name.removesuffix(f".{_KIND}")))

    def update_service(self, zc: Zeroconf, type_: str, name: str) -> None: ...

    def next(self) -> tuple[str, str]:
        """What has come or gone. Raises queue.Empty where nothing does."""
        return self._news.get(timeout=PATIENCE)

    def address(self, name: str) -> str:
        """Where pages of a name are, as the network says."""
        info = self._ears.get_service_info(_KIND, f"{name}.{_KIND}")
        assert info is not None
        assert info.server == f"{name}.local."
        return f"http://{socket.inet_ntoa(info.addresses[0])}:{info.port}"


def first_heard(machine: Machine) -> tuple[str, str]:
    """What a phone hears of that begins to listen now."""
    with Heard(machine, PHONE) as heard:
        return heard.next()


def get_pin_page(machine: Machine, address: str, **headers: str) -> Answer:
    """The page before the table, as a machine gets it from an address and port. Raises OSError."""
    host, _, port = address.removeprefix("http://").partition(":")
    with machine.at():
        return Phone(int(port), host).get("/pin", **headers)


def is_reached(machine: Machine, address: str) -> bool:
    """Whether anything is served to a machine there."""
    try:
        return get_pin_page(machine, address).status == 200
    except OSError:
        return False


@pytest.fixture(scope="module")
def den() -> Iterator[Machine]:
    """The host's machine."""
    with Machine("Den") as machine:
        yield machine


@pytest.fixture(scope="module")
def phone(den: Machine) -> Iterator[Machine]:
    """A phone in the host's network."""
    with Machine("phone") as machine:
        den.joined(machine, HOME, DEN, PHONE)
        yield machine


@pytest.fixture
def office(den: Machine) -> Iterator[Machine]:
    """A machine in another network that the host's is in, too; the way out into the world is in the phone's."""
    with Machine("office") as machine:
        den.joined(machine, "eth0", DEN_IN_OFFICE, OFFICE)
        den.run("ip", "route", "add", "default", "via", PHONE)
        yield machine
        den.run("ip", "route", "del", "default")
        # A network that is left goes when the system finds time for it, and its cable with it: too late for the next.
        den.run("ip", "link", "del", "eth0")


@pytest.mark.slow
def test_a_phone_finds_the_table_by_its_address_and_by_its_name(den: Machine, phone: Machine, place: str) -> None:
    with Heard(phone, PHONE) as heard, Serve(den, place, "--pin", PIN) as served:
        address = served.printed("Address")
        assert (address, served.printed("Name")) == (f"http://{DEN}:8686", "http://companion-den.local:8686")
        assert heard.next() == ("there", "companion-den")
        assert heard.address("companion-den") == address
        with phone.at():
            assert Phone(8686, DEN).come_in(name="Ana").leads_to == "/"
        for name, status in (("companion-den.local:8686", 200), ("cards.example:8686", 421), ("den.local:8686", 421)):
            assert get_pin_page(phone, address, host=name).status == status
        with phone.at():
            stranger = Phone(8686, DEN)
            stranger.origin = "http://cards.example:8686"
            assert stranger.come_in().status == 403
        assert served.close() == ""
        assert heard.next() == ("gone", "companion-den")
        assert not is_reached(phone, address)


@pytest.mark.slow
def test_only_the_phones_network_is_served_by_default(
    den: Machine, phone: Machine, office: Machine, place: str
) -> None:
    usual, chosen = Serve(den, place), Serve(den, place, "--interface", "eth0", "--port", "8700")
    everywhere = Serve(den, place, "--host", "0", "--port", "8800")
    # Who knows the way through the host's machine comes no further, either.
    office.run("ip", "route", "add", DEN, "via", DEN_IN_OFFICE)
    with Heard(phone, PHONE) as at_home, Heard(office, OFFICE) as at_office, usual, chosen, everywhere:
        addresses = [served.printed("Address") for served in (usual, chosen, everywhere)]
        assert addresses == [f"http://{DEN}:8686", f"http://{DEN_IN_OFFICE}:8700", f"http://{DEN}:8800"]
        for served, heard in ((usual, at_home), (chosen, at_office)):
            assert heard.next() == ("there", served.name)
            assert heard.address(served.name) == served.printed("Address")
        reached = [
            [is_reached(machine, f"{address}:{port}") for port in (8686, 8700, 8800)]
            for machine, address in ((phone, DEN), (office, DEN_IN_OFFICE), (office, DEN))
        ]
        assert reached == [[True, False, True], [False, True, True], [False, False, True]]
        assert usual.close() == (
            f"Phones must be in the network of {HOME}; for another: companion serve --interface eth0.\n"
        )
        assert chosen.close() == ""
        assert everywhere.close().startswith("All networks of this machine can open the pages, not only this one")
        assert (at_home.next(), at_office.next()) == (("gone", usual.name), ("gone", chosen.name))


@pytest.mark.slow
def test_a_key_does_the_same_beside_the_screen(
    den: Machine, phone: Machine, office: Machine, place: str, archive: Archive
) -> None:
    table = archive_journal.start(archive, "decknforge")
    table.enter("seat ana")
    play = den.there(sys.executable, "-m", "companion.cli", "play", table.id, "--archive", place)
    with Terminal(play, {"XDG_CONFIG_HOME": str(Path(place).parent)}) as terminal:
        terminal.until("Ana")
        terminal.press("\x07")
        terminal.until(f"or open http://{DEN}:8686 with PIN")
        terminal.until(f"in the network of {HOME}; for another: companion serve")
        terminal.until("--interface eth0.")
        assert is_reached(phone, f"{DEN}:8686")
        assert not is_reached(office, f"{DEN_IN_OFFICE}:8686")


def test_without_a_network_one_sentence_says_so(place: str) -> None:
    with Machine("alone") as alone, Serve(alone, place) as served:
        assert served.printed("Address") == "http://127.0.0.1:8686"
        sentence = "This machine is in no network, so only it can open the pages: join one, and open them again.\n"
        assert (served.printed("Name"), served.close()) == ("", sentence)


@pytest.mark.slow
def test_a_host_whose_name_is_taken_has_another(den: Machine, phone: Machine, place: str) -> None:
    with phone.at():
        other = Zeroconf(interfaces=[PHONE])
    other.register_service(
        announcing.make_service_info("companion-den.local", PHONE, 8686), cooperating_responders=True
    )
    with contextlib.closing(other), Heard(phone, PHONE) as heard, Serve(den, place) as served:
        assert served.printed("Name") == "http://companion-den-2.local:8686"
        assert {heard.next(), heard.next()} == {("there", "companion-den"), ("there", "companion-den-2")}
        assert heard.address("companion-den-2") == f"http://{DEN}:8686"
        assert get_pin_page(phone, f"{DEN}:8686", host="companion-den-2.local:8686").status == 200


@contextlib.contextmanager
def left_the_network(machine: Machine) -> Iterator[None]:
    """Within the block a machine is in no network, as where Wi-Fi drops out: its address is gone, too."""
    machine.run("ip", "address", "flush", "dev", HOME)
    machine.cable(HOME, plugged=False)
    yield
    machine.cable(HOME, plugged=True)
    machine.run("ip", "address", "add", f"{DEN}/24", "dev", HOME)


@pytest_asyncio.fixture(loop_scope="session")
async def browser_there(phone: Machine, tmp_path: Path) -> AsyncIterator[Browser]:
    """The system's Chromium, running on the phone."""
    path = chromium()
    if path is None:
        pytest.skip("no Chromium here: apt install chromium")
    starts = tmp_path / "chromium"
    starts.write_text(f'#!/bin/sh\nexec {shlex.join(phone.there(path))} "$@"\n', encoding="utf-8")
    starts.chmod(0o755)
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=starts, args=["--no-sandbox"])
        yield browser
        await browser.close()


@pytest.mark.slow
@pytest.mark.asyncio(loop_scope="session")
async def test_a_page_says_since_when_it_is_offline_and_catches_up(
    browser_there: Browser, den: Machine, phone: Machine, place: str, archive: Archive
) -> None:
    table = archive_journal.start(archive, "decknforge")
    table.enter("seat ana")
    with Serve(den, place, "--pin", PIN) as served:
        page = await browser_there.new_page(viewport={"width": 360, "height": 800})
        await page.clock.install(time=datetime.now().replace(hour=21, minute=14, second=0))
        await page.goto(served.printed("Address"))
        await page.get_by_label("six digits").fill(PIN)
        await page.get_by_label("Your name").fill("Ana")
        await page.get_by_role("button", name="Come in").click()
        await take_seat(page, "Ana")
        await expect(page.locator("#mine")).to_contain_text("Ana")
        reach = page.locator("#reach")
        with left_the_network(den):
            table.enter("seat ben")
            await page.clock.fast_forward(60_000)
            await expect(reach).to_have_text("The table has been out of reach since 21:14; trying again.")
            await expect(page.locator("#seats")).not_to_contain_text("Ben")
        await expect(page.locator("#seats")).to_contain_text("Ben")
        await expect(reach).to_be_empty()
        assert await asyncio.to_thread(first_heard, phone) == ("there", "companion-den")
