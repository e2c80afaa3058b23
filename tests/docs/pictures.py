"""The pictures in the documents, drawn by the program itself from evenings that are really played.

Those of the German documents have `-de` behind their names.
Run where a screen has changed: python -m tests.docs.pictures (or with a folder to draw them into)
"""

import asyncio
import os
import sys
import tempfile
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final, NamedTuple

from companion.archive import Archive
from companion.tui.app import CompanionApp
from companion.tui.widgets.bars import StatusLine
from templates.languages.catalogues import load_language
from templates.languages.messages import ENGLISH, phrase, set_language
from tests.docs.documents import DOCS
from tests.session import evening
from tests.tui import test_form_pictures as forms
from tests.tui.hand import Hand
from tests.tui.test_forms import answer_form, at_form, question_text
from tests.tui.test_pictures import in_the_middle


class Scene(NamedTuple):
    """What is on a picture: the evening before it, as far as there is one, what is pressed then, how large, and the
    language of whoever looks.
    """

    before: Callable[[Archive], str | None]
    pressed: Callable[[Hand], Awaitable[object]]
    size: tuple[int, int] = (100, 30)
    language: str = ENGLISH.code


def _nothing(_: Archive) -> None:
    """Somebody who has nothing yet."""


async def _welcomed(hand: Hand) -> None:
    await forms.welcomed(hand)
    # It says where the archive is, which is somewhere else on every machine.
    hand.home.query_one(StatusLine).display = False


def _three_bands(archive: Archive) -> None:
    """Three bands, held by the people who play tonight."""
    evening.bands(archive, evening.recorded()[0])


async def _seated(hand: Hand) -> None:
    """Three people with their bands, and a house rule that is being looked for."""
    await hand.until(lambda: hand.app.archive is not None)
    await hand.settle()
    await hand.press("f2")
    await at_form(hand)
    seats = (answer for seat, band in evening.BANDS.items() for answer in (evening.NAMES[seat], band))
    await answer_form(hand, "DecknForge", *seats, "", "", "", "")
    await hand.until(lambda: question_text(hand).startswith(str(phrase("House rules"))))
    await hand.press(*"hand")


async def _at_table(hand: Hand) -> None:
    await hand.at_table()


def _faded(archive: Archive) -> str:
    """The recorded dungeon is won, and everybody has drawn for Fading."""
    return in_the_middle(archive, before="pick ")


_ENGLISH_SCENES: Final = {
    "welcome.svg": Scene(_nothing, _welcomed),
    "founding.svg": Scene(_nothing, forms.founding),
    "seating.svg": Scene(_three_bands, _seated),
    "table.svg": Scene(in_the_middle, _at_table, (120, 40)),
    "drifting.svg": Scene(_faded, _at_table, (120, 40)),
}
SCENES: Final = {
    **_ENGLISH_SCENES,
    **{name.replace(".", "-de."): scene._replace(language="de") for name, scene in _ENGLISH_SCENES.items()},
}


@contextmanager
def _process_language(code: str) -> Iterator[None]:
    """Set the language of this process, as `--language` does, and English again behind the block."""
    set_language(load_language(code))
    try:
        yield
    finally:
        set_language(ENGLISH)


async def draw(name: str, folder: Path) -> None:
    """One picture, into a folder, as SVG."""
    scene = SCENES[name]
    with tempfile.TemporaryDirectory() as passing, _process_language(scene.language):
        place = str(Path(passing, "archive.sqlite"))
        with Archive.open(place) as archive:
            session = scene.before(archive)
        app = CompanionApp(place, session)
        async with app.run_test(size=scene.size) as pilot:
            hand = Hand(app, pilot)
            await scene.pressed(hand)
            await hand.settle()
            (folder / name).write_text(app.export_screenshot(title="companion"), encoding="utf-8")


if __name__ == "__main__":
    os.environ["COLORTERM"] = "truecolor"
    for picture in SCENES:
        asyncio.run(draw(picture, Path(sys.argv[1]) if len(sys.argv) > 1 else DOCS / "pictures"))
