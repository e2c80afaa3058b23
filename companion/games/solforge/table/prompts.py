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
from templates.languages.messages import Message, Text, listed, phrase, phrases


def prompts(state: SolForgeTable) -> tuple[Prompt, ...]:
    """Return the present prompts in order."""
    if state.stage == "setup":
        return tuple(_setup(state))
    return tuple(_turn(state)) if state.stage == "playing" else closing(state)


def _offer(text: Text, answer: Draft, *others: Draft) -> Prompt:
    """Return an optional prompt, which the game does not wait for."""
    return Prompt(text, answer, str(answer.given.get("seat", "")), due=False, others=others)


def _setup(state: SolForgeTable) -> Iterator[Prompt]:
    if len(state.players) < MOST_PLAYERS:
        yield Prompt(phrase("Who sits next?"), draft(SeatPlayer))
        return
    yield from before_begin(state, do.First)
    first = state.player(state.active)
    text = phrase("Begin: {player} has the first turn, with one play", player=first.name)
    yield Prompt(text, draft(Begin))
    rival = state.rival(first.seat)
    yield _offer(phrase("Does {player} begin?", player=rival.name), draft(do.First, seat=rival.seat))
    yield from offers_before_begin(state, do.First)
    for player in state.players if state.tracks_all else ():
        text = phrase(
            "{player}: how many cards are in the deck, if not {cards}?", player=player.name, cards=player.deck
        )
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
        if state.fought:
            yield Prompt(phrase("{player}: end the turn", player=player.name), draft(Next), player.seat)
        else:
            text = phrase("{player}: the Battle in all lanes", player=player.name)
            yield Prompt(text, draft(do.Battle), player.seat)
        yield from _free_plays(state, player)
    yield _offer(phrase("What does a card do?"), *_by_cards(state))
    yield _offer(phrase("Who concedes?"), draft(Concede))


def _plays(state: SolForgeTable, player: SolForgePlayer) -> Prompt:
    """Return the prompt for a play or to go on. The turn waits for it only until the Battle."""
    if state.fought:
        text = phrases(
            "{player}: Forge, cast, or level a card ({n} play left), or end the turn",
            "{player}: Forge, cast, or level a card ({n} plays left), or end the turn",
            n=player.plays,
            player=player.name,
        )
        note = phrases("ends the turn, {n} play unused", "ends the turn, {n} plays unused", n=player.plays)
        on = draft(Next, note)
    else:
        text = phrases(
            "{player}: Forge, cast, or level a card ({n} play left), or fight the Battle",
            "{player}: Forge, cast, or level a card ({n} plays left), or fight the Battle",
            n=player.plays,
            player=player.name,
        )
        on = draft(do.Battle, phrase("the Battle in all lanes"))
    forge, cast, bank, with_keywords = _cards(state, player)
    return Prompt(text, forge, player.seat, due=not state.fought, others=(cast, bank, on, with_keywords))


def _cards(state: SolForgeTable, player: SolForgePlayer) -> tuple[Draft, Draft, Draft, Draft]:
    """Return the drafts for a card from the hand; the last is a creature with its keywords."""
    asks, given = _asks(state, player), {"seat": player.seat}
    # The level comes first, because it determines the figures of a listed creature.
    forge, cast, bank = (
        Draft(action, given, note, asks, order=asks)
        for action, note in (
            (do.ForgeCreature, phrase("a creature into a lane")),
            (do.Cast, phrase("a spell")),
            (do.Bank, phrase("discard to level it")),
        )
    )
    return (
        forge,
        cast,
        bank,
        Draft(do.ForgeCreature, given, phrase("a creature with its keywords"), (*asks, "has"), order=asks),
    )


def _whole_turn(state: SolForgeTable, player: SolForgePlayer) -> Iterator[Prompt]:
    """Yield the prompts of a turn with only figures tracked: players type changes, and Enter ends it.

    Entering creatures is optional.
    """
    end = draft(Next, phrase("on to {player}", player=state.rival(player.seat).name))
    fight = draft(do.Battle, phrase("the Battle in all lanes"))
    first, *others = (fight, end) if state.creatures and not state.fought else (end,)
    text = phrase(
        "{player}'s turn, rank {rank} turn {turn}: say what changes, or end it",
        player=player.name,
        rank=player.rank,
        turn=player.turn,
    )
    yield Prompt(text, first, player.seat, others=tuple(others))
    for creature in state.of(player.seat):
        yield from creature_prompts(state, creature)
    forge, *more = _cards(state, player)
    yield _offer(phrase("{player}: Forge or cast", player=player.name), forge, *more)
    yield _offer(phrase("What does a card do?"), *_by_cards(state))
    yield _offer(phrase("Who concedes?"), draft(Concede))


def _has_cards(state: SolForgeTable, player: SolForgePlayer) -> bool:
    """Return True if a player may hold a card to play."""
    return not state.knows_cards(player.seat) or bool(player.hand and any(player.levels))


def _free_plays(state: SolForgeTable, player: SolForgePlayer) -> Iterator[Prompt]:
    """Yield an offer to play a Free card, if no play is left."""
    if _has_cards(state, player):
        given: dict[str, Any] = {"seat": player.seat, "free": True}
        asks = _asks(state, player)
        drafts = [Draft(action, given, asks=asks, order=asks) for action in (do.ForgeCreature, do.Cast)]
        yield _offer(phrase("{player}: no play left, except for a Free card", player=player.name), *drafts)


def _asks(state: SolForgeTable, player: SolForgePlayer) -> tuple[str, ...]:
    """Return the field `level` if a card in hand may have another level than the first."""
    return () if player.levels_in_hand == (1,) and state.knows_cards(player.seat) else ("level",)


def creature_prompts(state: SolForgeTable, creature: LaneCreature) -> Iterator[Prompt]:
    """Yield the actions that a creature may take once a turn if it is awake or Aggressive (R4.17, A4.4)."""
    if not creature.ready:
        return
    reach = creature.keywords.get("mobility", 0)
    lanes = tuple(lane for lane in state.empty_lanes(creature.owner) if abs(lane - creature.lane) <= reach)
    if lanes and not creature.moved:
        text = phrase(
            "{creature} may move from lane {lane} to {lanes}",
            creature=creature.title,
            lane=creature.lane,
            lanes=listed(lanes),
        )
        yield Prompt(text, draft(do.MoveCreature, handle=creature.handle), creature.owner, due=False)
    if "activate" in creature.keywords and not creature.activated:
        text = phrase("{creature} in lane {lane} may Activate", creature=creature.title, lane=creature.lane)
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
        yield Draft(do.Banish, note=phrase("a player's cards"), asks=("level", "cards"))
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
    decision = f"{player.seat} plays"
    could_play = _could_play(player) if player.plays else ""
    if not state.fought:
        able = [creature.title for creature in state.of(player.seat) if any(creature_prompts(state, creature))]
        could_act = phrase("{creatures} could move or Activate", creatures=listed(able)) if able else ""
        return WayOn(do.Battle(), phrase("the Battle"), could_play or could_act, decision)
    if not player.plays:
        return WayOn(Next(), phrase("end of turn"), "", decision)
    does = phrases("{n} play unused, end of turn", "{n} plays unused, end of turn", n=player.plays)
    return WayOn(Next(), does, could_play, decision)


def _could_play(player: SolForgePlayer) -> Message:
    return phrases(
        "{player}: {n} play left, or go on", "{player}: {n} plays left, or go on", n=player.plays, player=player.name
    )


def _whole_turn_on(state: SolForgeTable, player: SolForgePlayer) -> WayOn:
    """Return the continuation of a turn with only figures tracked: entered creatures fight."""
    says = phrase("{player}'s turn: say what changes, or end it", player=player.name)
    if state.creatures and not state.fought:
        return WayOn(do.Battle(), phrase("the Battle"), says, player.seat)
    return WayOn(Next(), phrase("end of turn"), says, player.seat)
