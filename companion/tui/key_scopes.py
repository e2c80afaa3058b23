"""The classes whose keys are active together, which loads every screen: for checks of keys, and for the manual."""

from textual.dom import DOMNode

from companion.tui.keymap import Together
from companion.tui.screens.asking import AskingScreen
from companion.tui.screens.decks.deck import DeckScreen
from companion.tui.screens.decks.photographs import FramedPhotograph, PhotographsScreen
from companion.tui.screens.decks.scan import ScanScreen
from companion.tui.screens.decks.versions import VersionsScreen
from companion.tui.screens.form import FormScreen
from companion.tui.screens.help import Help
from companion.tui.screens.home.home import Home
from companion.tui.screens.home.settings import SettingsScreen
from companion.tui.screens.leagues import LeagueScreen, LeaguesScreen
from companion.tui.screens.listing import ListScreen
from companion.tui.screens.people import PeopleScreen
from companion.tui.screens.phones import PhonesScreen
from companion.tui.screens.plays import PlaysScreen
from companion.tui.screens.print import PrintScreen
from companion.tui.screens.statistics import StatisticsScreen
from companion.tui.screens.table.ceremony import TonightScreen
from companion.tui.screens.table.evening import EveningScreen
from companion.tui.screens.table.table import TableScreen
from companion.tui.widgets.command_bar import CommandBar


def key_scopes(app: type[DOMNode]) -> tuple[Together, ...]:
    """Return the classes whose keys are active together: each screen with the app and its own widgets."""
    alone = ((app, screen) for screen in (Home, DeckScreen, VersionsScreen, FramedPhotograph, EveningScreen, Help))
    of_two = (
        (app, FormScreen, PrintScreen),
        (app, FormScreen, SettingsScreen),
        (app, ListScreen, ScanScreen),
        (app, ListScreen, PhotographsScreen),
        (app, ListScreen, PhonesScreen),
        (app, ListScreen, PeopleScreen),
        (app, ListScreen, LeaguesScreen),
        (app, ListScreen, LeagueScreen),
        (app, ListScreen, StatisticsScreen),
        (app, ListScreen, PlaysScreen),
    )
    # The ceremony has no keys beyond those of every screen that asks questions.
    asking = (app, AskingScreen, TonightScreen)
    return ((app, TableScreen, CommandBar), asking, *alone, *of_two)
