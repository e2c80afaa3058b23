"""What the people at the table should do now: a question each, with the actions that answer it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Final

from companion.games.action import Action
from companion.games.constructed.table import Seat, closing
from companion.games.draft import Draft, draft
from companion.games.lines import Begin, Next
from companion.games.oddfrontier import actions as do
from companion.games.oddfrontier.combat import may_attack, may_block, to_split
from companion.games.oddfrontier.energy import may_crank
from companion.games.oddfrontier.setup import FEWEST_PLAYERS, hand_after
from companion.games.oddfrontier.state import FrontierTable, Player, cards
from companion.games.oddfrontier.turn import discard_due, draws
from companion.games.table import Prompt


def prompts(state: FrontierTable) -> tuple[Prompt, ...]:
    """The questions of the present phase, in the order in which they are asked; none once the game is over."""
    if state.outcome:
        return closing(state)
    if state.queue:
        return (*_resolve(state), *_at_any_time(state))
    return tuple(_ASKS[state.phase](state))


def _prompt(text: str, action: type[Action], due: bool = True, others: tuple[Draft, ...] = (), **given: Any) -> Prompt:
    """A question answered by an action, as far as its fields are `given`."""
    return Prompt(text, Draft(action, given), given.get("seat", ""), due, others)


def _next(state: FrontierTable, text: str, due: bool = True) -> Prompt:
    """What the turn player may go on to."""
    return Prompt(f"{state.player(state.active).name}: {text}", draft(Next), state.active, due)


def _setup(state: FrontierTable) -> Iterator[Prompt]:
    enough = len(state.players) >= FEWEST_PLAYERS
    yield _prompt("Who sits next, clockwise?", Seat, due=not enough)
    if not state.players:
        return
    if enough:
        yield _prompt(f"Begin; {state.player(state.active).name} has the first turn", Begin)
        yield _prompt("Who has the first turn?", do.First, due=False)
    yield _prompt("Has an archive other than 40 cards?", do.DeckSize, due=False)


def _mulligan(state: FrontierTable) -> Iterator[Prompt]:
    """A3.14: who has the first turn decides first."""
    for player in state.clockwise(state.active):
        if not player.out and not player.kept:
            text = f"{player.name}: keep {cards(player.hand)}, or mulligan to {hand_after(player.mulligans + 1)}"
            yield _prompt(text, do.Keep, others=(draft(do.Mulligan, seat=player.seat),), seat=player.seat)
    yield Prompt("Everybody else keeps", draft(Next), due=False)


def _reset(state: FrontierTable) -> Iterator[Prompt]:
    yield _next(state, "uncrank, draw, and go on" if draws(state) else "uncrank and go on, without drawing")
    yield from _at_any_time(state)


def _before_combat(state: FrontierTable) -> Iterator[Prompt]:
    yield from _own_plays(state)
    yield _next(state, "go on to combat")
    yield from _at_any_time(state)


def _after_combat(state: FrontierTable) -> Iterator[Prompt]:
    yield from _own_plays(state)
    player = state.player(state.active)
    if due := discard_due(state, player.seat):
        text = f"{player.name}: discard {due} ({player.hand} in hand, {state.house.max_hand} may stay)"
        yield _prompt(text, do.Discard, seat=player.seat, cards=due)
    else:
        yield _next(state, "end the turn")
    yield from _at_any_time(state)


def _own_plays(state: FrontierTable) -> Iterator[Prompt]:
    """What only the turn player may play (R3.3)."""
    player = state.player(state.active)
    if not player.hand:
        return
    if not state.engine_played:
        yield _prompt(f"{player.name}: play an Engine", do.Engine, due=False, seat=player.seat)
    permanent = draft(do.PlayPermanent, "an Artifact or a Phenomenon", seat=player.seat)
    told = Draft(do.Summon, {"seat": player.seat}, "with its cost and First Assault", ("cost", "first_assault"))
    text = f"{player.name}: play a Creature or another permanent ({player.energy} energy)"
    yield _prompt(text, do.Summon, due=False, others=(told, permanent), seat=player.seat)


def _combat(state: FrontierTable) -> Iterator[Prompt]:
    yield from _attack(state)
    if state.attackers():
        yield from _block(state)
        yield from _fight(state)
    else:
        yield _next(state, "go on past combat", due=state.combat == "fought")
    yield from _at_any_time(state)


def _attack(state: FrontierTable) -> Iterator[Prompt]:
    others = [player.seat for player in state.standing() if player.seat != state.active]
    target = {"seat": others[0]} if len(others) == 1 else {}
    answers = [draft(do.Attack, handle=each.handle, **target) for each in state.permanents if may_attack(state, each)]
    if answers:
        text = f"{state.player(state.active).name}: declare attackers"
        yield Prompt(text, answers[0], state.active, due=False, others=tuple(answers[1:]))


def _block(state: FrontierTable) -> Iterator[Prompt]:
    """Each attacked player, clockwise from the turn player."""
    for player in state.clockwise(state.active):
        attackers = [attacker for attacker in state.attackers() if attacker.attacks == player.seat]
        target = {"attacker": attackers[0].handle} if len(attackers) == 1 else {}
        blockers = [each for each in state.permanents if each.seat == player.seat and may_block(state, each)]
        if attackers and blockers:
            names = ", ".join(f"{each.title} {each.attack}/{each.defense}" for each in attackers)
            answers = tuple(draft(do.Block, handle=each.handle, **target) for each in blockers)
            yield Prompt(f"{player.name}: block {names}?", answers[0], player.seat, due=False, others=answers[1:])


def _fight(state: FrontierTable) -> Iterator[Prompt]:
    waiting = tuple(to_split(state))
    for attacker, left in waiting:
        names = ", ".join(f"{each.title} {each.attack}/{each.defense}" for each in state.blockers(attacker.handle))
        text = f"{state.player(attacker.seat).name}: split {attacker.title}'s {left} among {names}"
        yield Prompt(text, draft(do.Split, handle=attacker.handle), attacker.seat)
    if not waiting:
        yield Prompt("Deal the damage: First Assault, then the rest", draft(do.Fight), state.active)


def _resolve(state: FrontierTable) -> Iterator[Prompt]:
    top = state.queue[-1]
    negate = () if top.negated else (draft(do.Negate, name=top.name),)
    text = f"{state.player(top.seat).name}: {top.name} {'does nothing' if top.negated else 'resolves'}, if nobody adds"
    yield Prompt(text, draft(do.Resolve), top.seat, others=negate)


def _at_any_time(state: FrontierTable) -> Iterator[Prompt]:
    """Magic, abilities and engines in anyone's turn (R3.5, R3.11), and what cards do."""
    for player in state.clockwise(state.active):
        if not player.out:
            yield _adds(state, player)
    yield Prompt("What does a card do?", draft(do.Wound), due=False, others=tuple(_effects(state)))


def _adds(state: FrontierTable, player: Player) -> Prompt:
    ready = player.engines - player.cranked
    crank = Draft(do.Crank, {"what": player.seat}, f"energy {player.energy} + 1")
    cranks = (crank,) if ready and may_crank(state, player.seat) else ()
    magic = Draft(do.Queue, {"seat": player.seat, "magic": True}, "a card from the hand, with its cost", ("cost",))
    others = (magic, *cranks) if player.hand else cranks
    text = f"{player.name}: magic or an ability{f', or crank ({ready} ready)' if cranks else ''}"
    return _prompt(text, do.Queue, due=False, others=others, seat=player.seat)


def _effects(state: FrontierTable) -> Iterator[Draft]:
    if not state.first_turn:
        yield draft(do.Draw)
    if any(player.hand for player in state.standing()):
        yield draft(do.Discard)
    if any(each.creature for each in state.permanents):
        yield draft(do.Damage)
    if state.permanents:
        yield draft(do.Destroy)
        yield draft(do.Banish)


_ASKS: Final[dict[str, Callable[[FrontierTable], Iterator[Prompt]]]] = {
    "setup": _setup,
    "mulligan": _mulligan,
    "reset": _reset,
    "pre-combat": _before_combat,
    "combat": _combat,
    "post-combat": _after_combat,
}
