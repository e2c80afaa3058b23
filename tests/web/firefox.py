"""A real Firefox without a screen, driven by WebDriver BiDi, which it speaks itself."""

import base64
import json
import re
import shutil
import subprocess
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from importlib import resources
from itertools import count
from pathlib import Path
from typing import Any, Final

import pytest
from websockets.sync.client import ClientConnection, connect

_NAMES: Final = ("firefox-esr", "firefox")
_PATIENCE: Final = 90.0
"""Seconds for each answer: Firefox needs many to start beside other browsers on two cores."""
_LISTENS: Final = re.compile(r"WebDriver BiDi listening on (ws://\S+)")


class Firefox:
    """A window of Firefox without a screen."""

    def __init__(self, socket: ClientConnection, width: int = 360, height: int = 640) -> None:
        self._socket = socket
        self._numbers = count(1)
        self._listener: Callable[[dict[str, Any]], object] | None = None
        self.ask("session.new", capabilities={})
        # The first tab has the focus of no system without a screen; one that is opened has.
        self.window: str = self.ask("browsingContext.create", type="tab")["context"]
        self.ask("browsingContext.setViewport", context=self.window, viewport={"width": width, "height": height})

    def ask(self, method: str, **params: Any) -> Any:
        """One command, and what comes of it."""
        number = next(self._numbers)
        self._socket.send(json.dumps({"id": number, "method": method, "params": params}))
        while (answer := json.loads(self._socket.recv(_PATIENCE))).get("id") != number:
            if self._listener and answer.get("method") == "log.entryAdded":
                self._listener(answer["params"])
        assert answer["type"] == "success", answer
        return answer["result"]

    def listen(self, listener: Callable[[dict[str, Any]], object]) -> None:
        """Hand each entry of the browser's log to a listener."""
        self._listener = listener
        self.ask("session.subscribe", events=["log.entryAdded"], contexts=[self.window])

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

    def press_keys(self, *keys: str) -> None:
        """Press keys together: each goes down in turn, and up again in the other order."""
        down = [{"type": "keyDown", "value": key} for key in keys]
        self._press([*down, *({"type": "keyUp", "value": key} for key in reversed(keys))])

    def type(self, text: str) -> None:
        """Type a text, key by key."""
        self._press([{"type": kind, "value": each} for each in text for kind in ("keyDown", "keyUp")])

    def _press(self, actions: list[dict[str, Any]]) -> None:
        keyboard = {"type": "key", "id": "keyboard", "actions": actions}
        self.ask("input.performActions", context=self.window, actions=[keyboard])

    def find_node(self, selector: str) -> dict[str, Any]:
        """The reference to the first node of a selector."""
        locator = {"type": "css", "value": selector}
        (node,) = self.ask("browsingContext.locateNodes", context=self.window, locator=locator, maxNodeCount=1)["nodes"]
        return {"sharedId": node["sharedId"]}

    def set_file(self, selector: str, file: Path) -> None:
        """Give a file to a field."""
        self.ask("input.setFiles", context=self.window, element=self.find_node(selector), files=[str(file)])

    def photograph(self, selector: str = "") -> bytes:
        """A picture as PNG of a part of the page, or of the whole page."""
        clip = {"clip": {"type": "element", "element": self.find_node(selector)}} if selector else {}
        if selector:
            self.run(f"document.querySelector({json.dumps(selector)}).scrollIntoView({{block: 'center'}})")
        taken = self.ask("browsingContext.captureScreenshot", context=self.window, origin="document", **clip)
        return base64.b64decode(taken["data"])

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
def open_firefox(
    profile: Path, width: int = 360, height: int = 640, preferences: Mapping[str, str | int | bool] | None = None
) -> Iterator[Firefox]:
    """Run Firefox with a profile and preferences of its own for as long as the block lasts."""
    path = next(filter(None, map(shutil.which, _NAMES)), None)
    if path is None:
        pytest.skip("no Firefox here: apt install firefox-esr")
    kept = {"network.captive-portal-service.enabled": False, **(preferences or {})}
    lines = (f"user_pref({json.dumps(name)}, {json.dumps(value)});\n" for name, value in kept.items())
    (profile / "user.js").write_text("".join(lines), encoding="utf-8")
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
