"""What the people at the table should do now: a prompt a question, with the actions that answer it as far as known."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from companion.games.constructed.table import Seat, closing
from companion.games.draft import Draft, draft
from companion.games.lines import Begin, Concede, Next
from companion.games.solforge import actions as do
from companion.games.solforge.state import MOST_PLAYERS, Creature, Player, Table
from companion.games.table import Prompt


def prompts(state: Table) -> tuple[Prompt, ...]:
    """The questions now, in the order in which they are asked."""
    if state.stage == "setup":
        return tuple(_setup(state))
    return tuple(_turn(state)) if state.stage == "playing" else closing(state)


def _offer(text: str, answer: Draft, *others: Draft) -> Prompt:
    """A question that nothing waits for."""
    return Prompt(text, answer, str(answer.given.get("seat", "")), due=False, others=others)


def _setup(state: Table) -> Iterator[Prompt]:
    if len(state.players) < MOST_PLAYERS:
        yield Prompt("Who sits next?", draft(Seat))
        return
    first = state.player(state.active)
    yield Prompt(f"Begin: {first.name} has the first turn, with one play", draft(Begin))
    rival = state.rival(first.seat)
    yield _offer(f"Does {rival.name} begin?", draft(do.First, seat=rival.seat))
    for player in state.players:
        text = f"{player.name}: another deck than one of {player.deck} cards?"
        yield _offer(text, draft(do.DeckSize, seat=player.seat))


def _turn(state: Table) -> Iterator[Prompt]:
    player = state.player(state.active)
    yield from _plays(player)
    for creature in state.of(player.seat):
        yield from _acts(state, creature)
    if state.fought:
        yield Prompt(f"{player.name}: end the turn", draft(Next), player.seat)
    else:
        yield Prompt(f"{player.name}: the Battle in all lanes", draft(do.Battle), player.seat)
    yield _offer("What does a card do?", *_by_cards(state))
    yield _offer("Who gives the game up?", draft(Concede))


def _plays(player: Player) -> Iterator[Prompt]:
    """A card from the hand: for a play, or Free where no play is left."""
    if not (player.hand and any(player.levels)):
        return
    asks = () if player.levels[0] == player.cycle else ("level",)
    if player.plays:
        text = f"{player.name}: Forge, cast, or discard a card to level it ({_count(player.plays, 'play')} left)"
        given: dict[str, Any] = {"seat": player.seat}
        drafts = [Draft(action, given, asks=asks) for action in (do.Forge, do.Cast, do.Bank)]
        yield _offer(text, *drafts, Draft(do.Forge, given, "with its keywords", (*asks, "has")))
        return
    given = {"seat": player.seat, "free": True}
    drafts = [Draft(action, given, asks=asks) for action in (do.Forge, do.Cast)]
    yield _offer(f"{player.name}: no play left, but for a Free card", *drafts)


def _count(number: int, word: str) -> str:
    return f"{number} {word}{'' if number == 1 else 's'}"


def _acts(state: Table, creature: Creature) -> Iterator[Prompt]:
    """What a creature that is awake or Aggressive may do once a turn (R4.17, A4.4)."""
    if not creature.ready:
        return
    reach = creature.keywords.get("mobility", 0)
    lanes = (lane for lane in state.empty_lanes(creature.owner) if abs(lane - creature.lane) <= reach)
    if not creature.moved and (targets := ", ".join(map(str, lanes))):
        text = f"{creature.title} may move from lane {creature.lane} to {targets}"
        yield Prompt(text, draft(do.Move, handle=creature.handle), creature.owner, due=False)
    if "activate" in creature.keywords and not creature.activated:
        text = f"{creature.title} may Activate"
        yield Prompt(text, draft(do.Activate, handle=creature.handle), creature.owner, due=False)


def _by_cards(state: Table) -> Iterator[Draft]:
    """What a card may do by its text, as far as there is something to do it to."""
    yield from (draft(action) for action in (do.Damage, do.Heal, do.Give, do.Spawn, do.Draw))
    if state.creatures:
        yield from (draft(action) for action in (do.Buff, do.Destroy, do.Banish))
    if any(bearer.keywords for bearer in state.bearers):
        yield draft(do.TakeAway)
    if any(state.empty_lanes(player.seat) for player in state.players):
        yield draft(do.Place)
    if any(player.hand for player in state.players):
        yield draft(do.Discard)
        yield Draft(do.Banish, asks=("level", "cards"))
