"""The ways in that a picture has: commands, the screen, a phone. Each gives what was said."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Final

from click.testing import CliRunner

from companion.archive import Archive
from companion.cli.main import main
from companion.scan import camera, reader
from companion.tui.app import CompanionApp
from labels.drawing import picture
from tests.hostile.files import Way
from tests.tui.hand import Hand
from tests.web.serving import Phone, serving

_DESIGN: Final = 'stock = "5163"\n[[part]]\npicture = "{photo}"\nbox = [2, 5, 25, 25]\n'
_BOUNDARY: Final = "xXxcutxXx"
_SANDBOXES: Final = (reader._SANDBOX, camera._SANDBOX, picture._sandbox())


@contextmanager
def opened(folder: Path) -> Iterator[Mapping[str, Way]]:
    """The ways by their names, with an archive and a server of their own in the folder."""
    archive = folder / "archive.sqlite"
    with Archive.open(str(archive), by="tests") as kept, serving(kept) as host:
        phone = host.phone("Ana")
        yield {
            "shell": partial(_command, "scan", "--archive", str(archive)),
            "deck": partial(_command, "--archive", str(archive), "deck", "show"),
            "clip": partial(_command, "scan", "--archive", str(archive), "--camera"),
            "label": partial(_label, folder),
            "screen": lambda file: asyncio.run(_screen(archive, file)),
            "phone": lambda file: send(phone, file.read_bytes()),
        }


def end_children() -> None:
    """Ends the children that wait for another file: what they took is counted only then."""
    for sandbox in _SANDBOXES:
        sandbox.close()


def _command(*arguments: str | Path) -> str:
    done = CliRunner().invoke(main, [str(argument) for argument in arguments])
    assert done.exit_code in (0, 1, 2), f"status {done.exit_code}: {done.output} {done.exception!r}"
    return done.output


def _label(folder: Path, file: Path) -> str:
    (file.parent / "design.toml").write_text(_DESIGN, encoding="utf-8")
    (file.parent / "rows.csv").write_text(f"photo\n{file.name}\n", encoding="utf-8")
    design = ("--design", file.parent / "design.toml")
    return _command("labels", "file", file.parent / "rows.csv", *design, "--force", "-o", folder / "out.pdf")


async def _screen(archive: Path, file: Path) -> str:
    app = CompanionApp(str(archive), None)
    async with app.run_test(size=(100, 30)) as pilot:
        hand = Hand(app, pilot)
        await hand.until(lambda: app.archive is not None)
        await hand.press("f6")
        await hand.until(lambda: bool(app.screen.query("#rows")))
        hand.paste(str(file))
        before = hand.status
        await hand.press("enter")
        for _ in range(6000):
            if hand.status != before and " stops; " not in hand.status:
                return hand.status
            await asyncio.sleep(0.02)
    raise AssertionError("the screen says nothing")


def send(phone: Phone, picture: bytes) -> str:
    """The sentence that a phone gets for a picture that leads to no deck."""
    part = f'--{_BOUNDARY}\r\nContent-Disposition: form-data; name="'
    token = phone.get("/scan").token
    head = f'{part}token"\r\n\r\n{token}\r\n{part}picture"; filename="box.jpg"\r\nContent-Type: image/jpeg\r\n\r\n'
    form = head.encode() + picture + f"\r\n--{_BOUNDARY}--\r\n".encode()
    answer = phone.ask("POST", "/scan", form, content_type=f"multipart/form-data; boundary={_BOUNDARY}")
    assert answer.status in (200, 422), f"status {answer.status}"
    assert answer.text.count('role="alert"') == 1 or answer.status == 200
    return answer.text.partition('role="alert"')[2].partition("<form")[0] or answer.text
