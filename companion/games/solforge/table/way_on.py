"""The continuation of a turn without input, and the actions that a player would miss by it."""

from __future__ import annotations

from companion.games.solforge.rules import actions as do
from companion.games.solforge.rules.state import SolForgePlayer, SolForgeTable
from companion.games.solforge.table.prompts import creature_prompts
from companion.tabletop.table.common_actions import Next
from companion.tabletop.table.table import WayOn
from companion.tabletop.text import quantity


def way_on(state: SolForgeTable) -> WayOn | None:
    """Return the Battle, then the end of the turn (R4.4).

    Each turn begins with its plays; a player who goes on skips all of them, before the Battle and after it. After the
    last play, the game waits for creatures that could act (R4.17).
    """
    if state.stage != "playing" or state.together:
        return None
    player = state.player(state.active)
    if not state.tracks_all:
        return _whole_turn(state, player)
    if not state.counts(state.active, "plays"):
        return None
    plays, decision = quantity(player.plays, "play"), f"{player.seat} plays"
    could_play = f"{player.name}: {plays} left, or go on" if player.plays else ""
    if not state.fought:
        able = [creature.title for creature in state.of(player.seat) if any(creature_prompts(state, creature))]
        could_act = f"{', '.join(able)} could move or Activate" if able else ""
        return WayOn(do.Battle(), "the Battle", could_play or could_act, decision)
    unused = f"{plays} unused, " if player.plays else ""
    return WayOn(Next(), f"{unused}end of turn", could_play, decision)


def _whole_turn(state: SolForgeTable, player: SolForgePlayer) -> WayOn:
    """Return the continuation of a turn with only figures tracked: entered creatures fight."""
    says = f"{player.name}'s turn: say what changes, or end it"
    if state.creatures and not state.fought:
        return WayOn(do.Battle(), "the Battle", says, player.seat)
    return WayOn(Next(), "end of turn", says, player.seat)
