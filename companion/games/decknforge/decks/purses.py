"""The purses of wizards: their Coppers, and their Mythics that are not placed yet."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType

from companion.games.decknforge.book.state import DungeonTable, Wizard
from companion.games.decknforge.decks.record import MYTHIC
from companion.games.decknforge.rules import actions as do
from companion.games.decknforge.rules.loose import is_purse_kept
from companion.tabletop.action import Action
from companion.tabletop.purses import GamePurses
from companion.tabletop.records import Keepsake, Payment, Reason


class WizardPurses(GamePurses):
    """The purses of wizards, which are kept with a stored band, or if their wizards ask for it (R1.80)."""

    def setup_lines(self, seat: str, purse: int, kept: Mapping[str, int] = MappingProxyType({})) -> tuple[Action, ...]:
        """Return lines for the Coppers and Mythics that a wizard with a loose band brings from a stored purse."""
        return (do.Purse(seat, purse, kept=True), *mythic_lines(seat, kept))

    def is_kept(self, state: DungeonTable, seat: str) -> bool:
        """Return True for a wizard who brought a stored band, or asked to keep the purse."""
        return any(is_purse_kept(state, wizard) for wizard in state.wizards if wizard.seat == seat)

    def payments(self, state: DungeonTable) -> tuple[Payment, ...]:
        """Return the payments of a sealed game into and out of the purses that are kept, each with its reason."""
        return tuple(
            Payment(wizard.name, coppers, reason, wizard.person)
            for wizard in _sealed_wizards(state)
            for coppers, reason in (*wizard.ledger, *_by_hand(wizard))
        )

    def keepsakes(self, state: DungeonTable) -> tuple[Keepsake, ...]:
        """Return the change in unplaced Mythics of each wizard whose purse is kept (§1.12)."""
        return tuple(
            Keepsake(wizard.name, MYTHIC, wizard.mythics - wizard.starting_mythics, wizard.person)
            for wizard in _sealed_wizards(state)
            if wizard.mythics != wizard.starting_mythics
        )


def mythic_lines(seat: str, kept: Mapping[str, int]) -> tuple[Action, ...]:
    """Return the set-up line for the unplaced Mythics among a wizard's keepsakes; none if there are none."""
    mythics = kept.get(MYTHIC, 0)
    return (do.Mythics(seat, mythics),) if mythics else ()


def _sealed_wizards(state: DungeonTable) -> Iterator[Wizard]:
    """Yield the wizards of a sealed game whose purses are kept."""
    if state.step == "sealed":
        yield from (wizard for wizard in state.wizards if is_purse_kept(state, wizard))


def _by_hand(wizard: Wizard) -> tuple[tuple[int, Reason], ...]:
    """Return the change of a purse by `set` and `add`."""
    change = wizard.purse - wizard.starting_purse - sum(coppers for coppers, _ in wizard.ledger)
    return ((change, Reason("by-hand")),) if change else ()
