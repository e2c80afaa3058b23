"""The list of all commands, and what it has at a table besides its keys."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any, Final, NamedTuple

from textual.app import App
from textual.binding import Binding
from textual.command import DiscoveryHit, Hit, Hits, Provider
from textual.content import Content
from textual.dom import DOMNode
from textual.screen import Screen
from textual.system_commands import SystemCommandsProvider

from companion.session.table_client import TableClient
from companion.tabletop.action import Action, RuleError
from companion.tabletop.common_actions import Concede
from companion.tui.messages import ActionsSubmitted

_ARROWS: Final = frozenset({"up", "down", "left", "right"})
"""Keys that only lead about on a screen: no list of all that can be done needs them."""


class Commands(SystemCommandsProvider):
    """See `textual.command.Provider`. What is typed is searched for as Textual does."""

    async def discover(self) -> Hits:
        """As the app tells them: first the keys of the screen, those that are pressed most before the others."""
        for name, about, run, is_shown in self.app.get_system_commands(self.screen):
            if is_shown:
                yield DiscoveryHit(name, run, help=about)


def key_bindings(screen: Screen[Any], app: App[Any]) -> Iterator[tuple[Binding, DOMNode]]:
    """Everything that a key does on a screen but to end the program, and whose key it is."""
    ids = {"app.quit", *(() if app.check_action("home", ()) else ("app.home",))}
    # By class and not by key: keys that a widget takes first are there, too, and so are those with other keys.
    for node in (screen, *screen.query("CommandBar"), app):
        for binding in (b for kind in type(node).__mro__ for b in kind.__dict__.get("BINDINGS", ())):
            if not isinstance(binding, Binding) or binding.key in _ARROWS:
                continue
            if binding.id and binding.id not in ids:
                ids.add(binding.id)
                yield binding, node


_LAST = -1.0
"""Where it stands in the list: keys are at 0, and the lists of both are asked in no certain order."""


class Leave(NamedTuple):
    """One way to stop: what it is called, what comes of it, and what is entered for it."""

    title: str
    about: str
    actions: tuple[Action, ...]


def leaves(sitting: TableClient) -> Iterator[Leave]:
    """Who can leave the game now, as far as its rules accept that; all together where it is everybody's game."""
    here = [(seat.name or seat.seat, Concede(seat.seat)) for seat in sitting.view.seats]
    able = [(name, concede) for name, concede in here if _is_accepted(sitting, concede)]
    for name, concede in able:
        yield Leave(f"{name} leaves the game", "Out of it for good; undo takes it back", (concede,))
    everybody = tuple(concede for _, concede in able)
    if len(everybody) > 1 and _is_accepted(sitting, *everybody):
        yield Leave("Stop the game here", "Everybody leaves, and what follows the game comes next", everybody)


def _is_accepted(sitting: TableClient, *actions: Concede) -> bool:
    if Concede not in sitting.session.game.actions:
        return False
    try:
        sitting.session.preview(*actions)
    except RuleError:
        return False
    return True


class Leaving(Provider):
    """See `textual.command.Provider`."""

    def _commands(self) -> Iterator[tuple[Leave, partial[bool]]]:
        sitting = getattr(self.screen, "sitting", None)
        if isinstance(sitting, TableClient):
            for leave in leaves(sitting):
                yield leave, partial(self.screen.post_message, ActionsSubmitted(leave.actions))

    async def discover(self) -> Hits:
        """All of it, as long as nothing is typed; below all that is done more often."""
        for leave, run in self._commands():
            yield Hit(_LAST, Content(leave.title), run, leave.title, leave.about)

    async def search(self, query: str) -> Hits:
        """What fits the words typed, whether these stand in the title or in what comes of it."""
        matcher = self.matcher(query)
        for leave, run in self._commands():
            score = max(matcher.match(leave.title), matcher.match(leave.about))
            if score > 0:
                yield Hit(score, matcher.highlight(leave.title), run, help=leave.about)
