"""The doctor's screen: the same checks as the command's, and the keys that arrive."""

from collections.abc import Iterator
from functools import partial

from companion.forms.health import HealthCheck
from companion.tui.screens.home.doctor import DoctorScreen
from companion.tui.screens.home.settings import SettingsScreen
from companion.tui.widgets.page import Page
from tests.tui.conftest import Seat
from tests.tui.hand import Hand
from tests.tui.test_forms import at_form


async def at_doctor(hand: Hand) -> DoctorScreen:
    """From home over the settings, by two keys."""
    await hand.press("f12")
    await at_form(hand)
    await hand.press("f2")
    await hand.until(lambda: isinstance(hand.app.screen, DoctorScreen) and hand.app.screen.rows.total > 0)
    assert isinstance(hand.app.screen, DoctorScreen)
    return hand.app.screen


async def test_settings_lead_to_the_doctor_and_back(sit: Seat) -> None:
    async with sit() as hand:
        hand.app.check_network = network
        screen = await at_doctor(hand)
        titles = [str(option.prompt) for option in screen.rows.options]
        assert titles[0] == "✗ Phones: Port"
        assert {"✓ Terminal: Colours", "✓ Archive: Place", "✓ Versions: Python"} <= set(titles)
        await hand.shows("Close the other program.", screen.query_one(Page))
        await hand.press("enter")
        await hand.until(lambda: hand.status == "1 thing is to do.")
        await hand.press("escape")
        await hand.until(lambda: isinstance(hand.app.screen, SettingsScreen))


def network() -> Iterator[HealthCheck]:
    """A network with a fault."""
    yield HealthCheck("Phones", "Port", "todo", "Close the other program.")


async def test_a_key_that_arrives_is_named(sit: Seat) -> None:
    async with sit() as hand:
        screen = await at_doctor(hand)
        for key, name in (("f5", "F5"), ("f12", "F12"), ("ctrl+t", "^T")):
            await hand.press(key)
            await hand.until(partial(lambda name: hand.status == f"{name} arrives.", name))
        hand.type("python")
        await hand.until(lambda: screen.rows.total == 1)
        assert screen.box.value == "python"
