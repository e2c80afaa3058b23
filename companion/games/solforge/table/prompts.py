"""The prompts of SolForge, each with the actions that answer it, as far as known, and the way on without an answer."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from companion.games.solforge.rules import actions as do
from companion.games.solforge.rules.state import MOST_PLAYERS, LaneCreature, SolForgePlayer, SolForgeTable
from companion.tabletop import tracking
from companion.tabletop.constructed import batch
from companion.tabletop.constructed.table import SeatPlayer, before_begin, closing, offers_before_begin
from companion.tabletop.table import rule_questions
from companion.tabletop.table.common_actions import Begin, Concede, Next
from companion.tabletop.table.table import Draft, Prompt, WayOn, draft
from companion.tabletop.text import quantity


def prompts(state: SolForgeTable) -> tuple[Prompt, ...]:
    """Return the present prompts in order."""
    if state.stage == "setup":
        return tuple(_setup(state))
    return tuple(_turn(state)) if state.stage == "playing" else closing(state)


def _offer(text: str, answer: Draft, *others: Draft) -> Prompt:
    """Return an optional prompt, which the game does not wait for."""
    return Prompt(text, answer, str(answer.given.get("seat", "")), due=False, others=others)


def _setup(state: SolForgeTable) -> Iterator[Prompt]:
    if len(state.players) < MOST_PLAYERS:
        yield Prompt("Who sits next?", draft(SeatPlayer))
        return
    yield from before_begin(state, do.First)
    first = state.player(state.active)
    yield Prompt(f"Begin: {first.name} has the first turn, with one play", draft(Begin))
    rival = state.rival(first.seat)
    yield _offer(f"Does {rival.name} begin?", draft(do.First, seat=rival.seat))
    yield from offers_before_begin(state, do.First)
    for player in state.players if state.tracks_all else ():
        text = f"{player.name}: another deck than one of {player.deck} cards?"
        yield _offer(text, draft(do.DeckSize, seat=player.seat))
    yield from rule_questions.before_game(state)


def _turn(state: SolForgeTable) -> Iterator[Prompt]:
    """Yield plays first if there are any, then the Battle, then the end of the turn: Enter alone never uses a play."""
    if state.together:
        yield from batch.prompts(_by_cards(state))
        return
    yield from tracking.questions(state)
    player = state.player(state.active)
    if not state.counts(player.seat, "plays"):
        yield from _whole_turn(state, player)
        return
    left = bool(player.plays and _has_cards(state, player))
    if left:
        yield _plays(state, player)
    for creature in state.of(player.seat):
        yield from creature_prompts(state, creature)
    if not left:
        text, on = ("end the turn", Next) if state.fought else ("the Battle in all lanes", do.Battle)
        yield Prompt(f"{player.name}: {text}", draft(on), player.seat)
        yield from _free_plays(state, player)
    yield _offer("What does a card do?", *_by_cards(state))
    yield _offer("Who gives the game up?", draft(Concede))


def _plays(state: SolForgeTable, player: SolForgePlayer) -> Prompt:
    """Return the prompt for a play or to go on. The turn waits for it only until the Battle."""
    plays = quantity(player.plays, "play")
    if state.fought:
        go_on, on = "end the turn", draft(Next, f"ends the turn, {plays} unused")
    else:
        go_on, on = "fight the Battle", draft(do.Battle, "the Battle in all lanes")
    text = f"{player.name}: Forge, cast, or level a card ({plays} left), or {go_on}"
    forge, cast, bank, with_keywords = _cards(state, player)
    return Prompt(text, forge, player.seat, due=not state.fought, others=(cast, bank, on, with_keywords))


def _cards(state: SolForgeTable, player: SolForgePlayer) -> tuple[Draft, Draft, Draft, Draft]:
    """Return the drafts for a card from the hand; the last is a creature with its keywords."""
    asks, given = _asks(state, player), {"seat": player.seat}
    # The level comes first, because it determines the figures of a listed creature.
    forge, cast, bank = (
        Draft(action, given, note, asks, order=asks)
        for action, note in (
            (do.ForgeCreature, "a creature into a lane"),
            (do.Cast, "a spell"),
            (do.Bank, "discard to level it"),
        )
    )
    return forge, cast, bank, Draft(do.ForgeCreature, given, "a creature with its keywords", (*asks, "has"), order=asks)


def _whole_turn(state: SolForgeTable, player: SolForgePlayer) -> Iterator[Prompt]:
    """Yield the prompts of a turn with only figures tracked: players type changes, and Enter ends it.

    Entering creatures is optional.
    """
    end = draft(Next, f"on to {state.rival(player.seat).name}")
    fight = draft(do.Battle, "the Battle in all lanes")
    first, *others = (fight, end) if state.creatures and not state.fought else (end,)
    text = f"{player.name}'s turn, rank {player.rank} turn {player.turn}: say what changes, or end it"
    yield Prompt(text, first, player.seat, others=tuple(others))
    for creature in state.of(player.seat):
        yield from creature_prompts(state, creature)
    forge, *more = _cards(state, player)
    yield _offer(f"{player.name}: Forge or cast", forge, *more)
    yield _offer("What does a card do?", *_by_cards(state))
    yield _offer("Who gives the game up?", draft(Concede))


def _has_cards(state: SolForgeTable, player: SolForgePlayer) -> bool:
    """Return True if a player may hold a card to play."""
    return not state.knows_cards(player.seat) or bool(player.hand and any(player.levels))


def _free_plays(state: SolForgeTable, player: SolForgePlayer) -> Iterator[Prompt]:
    """Yield an offer to play a Free card, if no play is left."""
    if _has_cards(state, player):
        given: dict[str, Any] = {"seat": player.seat, "free": True}
        asks = _asks(state, player)
        drafts = [Draft(action, given, asks=asks, order=asks) for action in (do.ForgeCreature, do.Cast)]
        yield _offer(f"{player.name}: no play left, but for a Free card", *drafts)


def _asks(state: SolForgeTable, player: SolForgePlayer) -> tuple[str, ...]:
    """Return the field `level` if a card in hand may have another level than the first."""
    return () if player.levels_in_hand == (1,) and state.knows_cards(player.seat) else ("level",)


def creature_prompts(state: SolForgeTable, creature: LaneCreature) -> Iterator[Prompt]:
    """Yield the actions that a creature may take once a turn if it is awake or Aggressive (R4.17, A4.4)."""
    if not creature.ready:
        return
    reach = creature.keywords.get("mobility", 0)
    lanes = (lane for lane in state.empty_lanes(creature.owner) if abs(lane - creature.lane) <= reach)
    if not creature.moved and (targets := ", ".join(map(str, lanes))):
        text = f"{creature.title} may move from lane {creature.lane} to {targets}"
        yield Prompt(text, draft(do.MoveCreature, handle=creature.handle), creature.owner, due=False)
    if "activate" in creature.keywords and not creature.activated:
        text = f"{creature.title} may Activate"
        yield Prompt(text, draft(do.Activate, handle=creature.handle), creature.owner, due=False)


def _by_cards(state: SolForgeTable) -> Iterator[Draft]:
    """Yield the possible effects of cards that have a target now."""
    yield from (draft(action) for action in (do.Damage, do.Heal, do.Give, do.Spawn, do.Draw))
    if state.creatures:
        yield from (draft(action) for action in (do.Buff, do.Destroy, do.Banish))
    if any(bearer.keywords for bearer in state.bearers):
        yield draft(do.TakeAway)
    if any(state.empty_lanes(player.seat) for player in state.players):
        yield draft(do.Place)
    if any(_has_cards(state, player) for player in state.players):
        yield draft(do.Discard)
        yield Draft(do.Banish, asks=("level", "cards"))
    yield batch.OFFER


def way_on(state: SolForgeTable) -> WayOn | None:
    """Return the Battle, then the end of the turn (R4.4).

    Each turn begins with its plays; a player who goes on skips all of them, before the Battle and after it. After the
    last play, the game waits for creatures that could act (R4.17).
    """
    if state.stage != "playing" or state.together:
        return None
    player = state.player(state.active)
    if not state.tracks_all:
        return _whole_turn_on(state, player)
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


def _whole_turn_on(state: SolForgeTable, player: SolForgePlayer) -> WayOn:
    """Return the continuation of a turn with only figures tracked: entered creatures fight."""
    says = f"{player.name}'s turn: say what changes, or end it"
    if state.creatures and not state.fought:
        return WayOn(do.Battle(), "the Battle", says, player.seat)
    return WayOn(Next(), "end of turn", says, player.seat)
