"""Keys of one's own on the screens there are: which keys count at the same time, and what a file makes of them.

Separate from what reads such a file, which knows no screen, and from the app, which is not to load them all.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from textual.dom import DOMNode

from companion.tui import keymap
from companion.tui.keymap import KeymapError, Together


def read(app: type[DOMNode]) -> tuple[Mapping[str, str], str]:
    """The keys that somebody wants, by the ids they are for, and a text on what is wrong with them, "" for nothing."""
    place = keymap.place()
    try:
        own = keymap.read(place, partial(screens, app))
    except KeymapError as error:
        return {}, str(error)
    return own.keys, f"{place}: {' '.join(own.skipped)} The other keys hold." if own.skipped else ""


def screens(app: type[DOMNode]) -> tuple[Together, ...]:
    """Whose keys count at the same time: each screen's, with the app's and those of what stands on it."""
    from companion.tui.screens.asking import AskingScreen
    from companion.tui.screens.deck import DeckScreen
    from companion.tui.screens.form import FormScreen
    from companion.tui.screens.help import Help
    from companion.tui.screens.home import Home
    from companion.tui.screens.listing import ListScreen
    from companion.tui.screens.phones import PhonesScreen
    from companion.tui.screens.print import PrintScreen
    from companion.tui.screens.scan import ScanScreen
    from companion.tui.screens.table import TableScreen
    from companion.tui.screens.tonight import TonightScreen
    from companion.tui.widgets.command_bar import CommandBar

    alone = ((app, screen) for screen in (Home, DeckScreen, Help))
    of_two = (
        (app, FormScreen, PrintScreen),
        (app, ListScreen, ScanScreen),
        (app, ListScreen, PhonesScreen),
    )
    # The ceremony has no keys besides those of everything that asks.
    asking = (app, AskingScreen, TonightScreen)
    return ((app, TableScreen, CommandBar), asking, *alone, *of_two)
