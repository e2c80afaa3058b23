"""The pages in a real Firefox, driven by WebDriver BiDi, which it speaks itself: a seat from the code to a dodge."""

import json
import re
import shutil
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import resources
from itertools import count
from pathlib import Path
from typing import Any, Final

import pytest
from websockets.sync.client import ClientConnection, connect

from companion.session.table.confirmations import ActionDone
from tests.web.serving import Host

pytestmark = pytest.mark.slow

_NAMES: Final = ("firefox-esr", "firefox")
_PATIENCE: Final = 90.0
"""Seconds for each answer: Firefox needs many to start beside other browsers on two cores."""
_LISTENS: Final = re.compile(r"WebDriver BiDi listening on (ws://\S+)")

BAR: Final = "getComputedStyle(document.querySelector('#mine .gauge rect'))"
TONE: Final = "getComputedStyle(document.querySelector('#mine .big'))"


class Firefox:
    """A window of Firefox without a screen."""

    def __init__(self, socket: ClientConnection, width: int = 360, height: int = 640) -> None:
        self._socket = socket
        self._numbers = count(1)
        self.ask("session.new", capabilities={})
        self.window: str = self.ask("browsingContext.getTree")["contexts"][0]["context"]
        self.ask("browsingContext.setViewport", context=self.window, viewport={"width": width, "height": height})

    def ask(self, method: str, **params: Any) -> Any:
        """One command, and what comes of it."""
        number = next(self._numbers)
        self._socket.send(json.dumps({"id": number, "method": method, "params": params}))
        while (answer := json.loads(self._socket.recv(_PATIENCE))).get("id") != number:
            pass
        assert answer["type"] == "success", answer
        return answer["result"]

    def open(self, url: str) -> None:
        """Go to a page."""
        self.ask("browsingContext.navigate", context=self.window, url=url, wait="complete")

    def run(self, script: str) -> Any:
        """What a script of the page gives, as JSON."""
        expression = f"Promise.resolve({script}).then(given => JSON.stringify(given ?? null))"
        target = {"context": self.window}
        given = self.ask("script.evaluate", expression=expression, target=target, awaitPromise=True)
        assert given["type"] == "success", given
        return json.loads(given["result"]["value"])

    def until(self, script: str) -> None:
        """Wait until a script of the page gives something true; a page that is just leaving gives nothing."""
        end = time.monotonic() + _PATIENCE
        while time.monotonic() < end:
            try:
                if self.run(script):
                    return
            except AssertionError:
                pass
            time.sleep(0.05)
        raise AssertionError(f"never true: {script}; the page: {self.run('document.body.innerText')}")

    def tap(self, selector: str, text: str = "") -> None:
        """Tap the first thing that a selector finds and whose name begins so."""
        self.press_at(
            f"[...document.querySelectorAll({json.dumps(selector)})].find(one => one.getClientRects().length &&"
            f" (one.ariaLabel ?? one.innerText).trim().startsWith({json.dumps(text)}))"
        )

    def press_at(self, element: str, pointer: str = "touch") -> None:
        """Press what a script finds, by a real pointer in its middle."""
        self.until(f"Boolean({element})")
        place = self.run(f"(one => (one.scrollIntoView({{block: 'center'}}), one.getBoundingClientRect()))({element})")
        where = {"x": round(place["x"] + place["width"] / 2), "y": round(place["y"] + place["height"] / 2)}
        press = [{"type": "pointerDown", "button": 0}, {"type": "pointerUp", "button": 0}]
        moves = [{"type": "pointerMove", **where}, *press]
        finger = {"type": "pointer", "id": pointer, "parameters": {"pointerType": pointer}, "actions": moves}
        self.ask("input.performActions", context=self.window, actions=[finger])

    def faults(self) -> list[str]:
        """What axe finds wrong, and by how many points the page is wider than the screen."""
        axe = resources.files("axe_playwright_python").joinpath("axe.min.js").read_text(encoding="utf-8")
        self.run(f"(() => {{ {axe}; return 1 }})()")
        violations = self.run(
            "axe.run().then(all => all.violations.flatMap(one => one.nodes.map(n => one.id + n.html)))"
        )
        over: int = self.run("document.documentElement.scrollWidth - innerWidth")
        return [*violations, *([f"{over} points too wide"] if over > 0 else [])]


@contextmanager
def open_firefox(profile: Path, width: int = 360, height: int = 640) -> Iterator[Firefox]:
    """Run Firefox with a profile of its own for as long as the block lasts."""
    path = next(filter(None, map(shutil.which, _NAMES)), None)
    if path is None:
        pytest.skip("no Firefox here: apt install firefox-esr")
    (profile / "user.js").write_text('user_pref("network.captive-portal-service.enabled", false);\n', encoding="utf-8")
    command = (path, "--headless", "--no-remote", "--remote-debugging-port=0", "--profile", str(profile))
    log = profile / "log"
    with (
        log.open("w", encoding="utf-8") as written,
        subprocess.Popen(command, stdout=written, stderr=written) as program,
    ):
        try:
            end = time.monotonic() + _PATIENCE
            while not (address := _LISTENS.search(log.read_text(encoding="utf-8"))):
                assert time.monotonic() < end, log.read_text(encoding="utf-8")
                time.sleep(0.05)
            with connect(f"{address[1]}/session", max_size=None, open_timeout=_PATIENCE) as socket:
                yield Firefox(socket, width, height)
        finally:
            program.terminate()


def test_a_round_is_played_in_firefox(own_host: Host, tmp_path: Path) -> None:
    session = own_host.fight()
    own_host.server.phones.allow_all("own")
    hosting = own_host.sitting(session)

    def host(*lines: str) -> None:
        for line in lines:
            hosting.follow()
            assert isinstance(hosting.enter(line), ActionDone), line

    with open_firefox(tmp_path) as firefox:
        firefox.open(f"http://127.0.0.1:{own_host.port}/J/{own_host.server.phones.invitation}")
        faults = firefox.faults()
        firefox.tap("button[name=seat]", "Ben")
        firefox.until("document.querySelector('#mine h2')?.innerText.includes('Ben')")
        faults += firefox.faults()
        # News comes by itself.
        host("reveal ana 9S", "reveal cy 6C")
        firefox.until("document.querySelector('#told').innerText.includes('Cy reveals')")
        firefox.tap("#asked .own button", "two of spades")
        firefox.until("document.querySelector('#log').innerText.includes('Ben reveals')")
        host("pass ana")
        firefox.tap("#asked .own button", "Pass")
        firefox.until("document.querySelector('#log').innerText.includes('Ben passes')")
        host("pass cy", "damage")
        # A card chosen on the page says what it would do before it is sent.
        firefox.until("document.querySelector('#asked .own form[data-sum]')")
        faults += firefox.faults()
        firefox.tap("#asked .own input[name=item]", "ten of hearts")
        firefox.until("document.querySelector('#asked .own output').innerText.includes('10♥:')")
        firefox.tap("#asked .own .send button", "Dodge")
        firefox.until("document.querySelector('#log').innerText.includes('Ben dodges')")
        faults += firefox.faults()
        assert faults == []
        # A bar has the colour of its tier.
        host("set ben hp 20")
        firefox.until(f"{BAR}.fill === {TONE}.color && Boolean(document.querySelector('#mine .gauge.good'))")
        host("set ben hp 2")
        firefox.until(f"{BAR}.fill === {TONE}.color && Boolean(document.querySelector('#mine .gauge.bad'))")
        firefox.until("document.querySelector('#mine .gauge rect').getBoundingClientRect().width < 60")
    lines = [line.line for line in own_host.archive.lines(session)]
    assert lines.count("reveal ben 2S") == lines.count("dodge ben 10H") == 1
