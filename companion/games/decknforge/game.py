"""DecknForge as a `Game`: which action does what in which step."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Any, ClassVar, Final, NamedTuple

from companion.games import review
from companion.games.cards import pretty
from companion.games.decknforge import actions as do
from companion.games.decknforge import (
    after,
    attacks,
    damage,
    kill,
    labelling,
    record,
    refill,
    reveal,
    sealed,
    setup,
    story,
    tactics,
    watchlist,
)
from companion.games.decknforge.counters import overwrite
from companion.games.decknforge.fight import lost
from companion.games.decknforge.keeping import KEEPING
from companion.games.decknforge.ledger import check_playable
from companion.games.decknforge.marks import MARKS
from companion.games.decknforge.record import BandRecord
from companion.games.decknforge.round import ROUND_STEPS, STEPS, advance, finish, go
from companion.games.decknforge.state import Answer, Flow, Table
from companion.games.decknforge.view import TITLE, view
from companion.games.game import Action, DeckId, RuleError, Step
from companion.games.keeping import Keeping
from companion.games.lines import Add, Next, Note, Rule, Set
from companion.games.records import Mark, Payment, Record
from companion.games.table import TableView


class Deed(NamedTuple):
    """What an action does, and in which steps; it gives the step that follows where it ends the present one."""

    steps: frozenset[str]
    act: Callable[[Flow, Any], str | None]


_SETUP: Final = frozenset({"setup"})
_PLAYING: Final = frozenset(STEPS)
_ANY: Final = _PLAYING | _SETUP
_AFTER: Final = frozenset({"fading", "drifting", "turning"})


def _in(*steps: str) -> frozenset[str]:
    return frozenset(steps)


def _damage(flow: Flow, action: do.Damage) -> str:  # noqa: ARG001 – a bare word
    return damage.resolve(flow)


def _next(flow: Flow, action: Next) -> str:  # noqa: ARG001 – a bare word
    return finish(flow)


def _overwrite(flow: Flow, action: Set | Add) -> str | None:
    """Manual override; the step that follows where it ends the fight, or is itself what was set."""
    overwrite(flow, action)
    if action.target == "table" and action.counter == "step":
        _clear_for_step(flow)
        return flow.state.step
    over = flow.state.step in ROUND_STEPS and (lost(flow) or flow.state.outcome == "win")
    return "fading" if over and flow.state.step != "kill" else None


def _clear_for_step(flow: Flow) -> None:
    """A step entered by hand: cards that are committed are not on the table, the Boss's attack is over for Minions."""
    state = flow.state
    piles = {(wizard.seat, entry.card) for wizard in state.wizards for entry in wizard.pile}
    flow.change(revealed=tuple(shown for shown in state.revealed if (shown.owner, shown.card) not in piles))
    if state.step == "minions":
        for wizard in state.fighting():
            flow.alter(wizard.seat, answers=wizard.answers[:1] or (Answer(dodged=True),))


def _note(flow: Flow, action: Note) -> None:
    flow.tell(f"Note: {action.text}")


def _hold(flow: Flow, action: do.Hold) -> None:
    """A card known to be in a hand (§1.15). It is a fact about the table, so saying it again changes nothing."""
    wizard = flow.state.wizard(action.seat)
    check_playable(flow.state, action.seat, action.card)
    if action.card not in wizard.held:
        flow.alter(action.seat, held=(*wizard.held, action.card))
    flow.tell(f"{wizard.name} holds {pretty(action.card)}.", action.seat)


def _unhold(flow: Flow, action: do.Unhold) -> None:
    wizard = flow.state.wizard(action.seat)
    flow.alter(action.seat, held=tuple(card for card in wizard.held if card != action.card))
    flow.tell(f"{wizard.name} does not hold {pretty(action.card)}.", action.seat)


def _forget_impossible(flow: Flow, action: Action) -> None:
    """More cards known to be in a hand than it has: the newest word counts, and what was said before is forgotten."""
    for wizard in flow.state.wizards if flow.state.step != "setup" else ():
        if len(wizard.held) > wizard.hand:
            said_now = isinstance(action, do.Hold) and action.seat == wizard.seat and wizard.hand > 0
            newest = wizard.held[-1:] if said_now else ()
            flow.alter(wizard.seat, held=newest)
            cards = f"{wizard.hand} card{'s' if wizard.hand != 1 else ''}"
            flow.tell(f"{wizard.name} has {cards} in hand, fewer than were known; say again what is held.", wizard.seat)


def _seal(flow: Flow, action: do.Seal) -> str:  # noqa: ARG001 – a bare word
    return after.seal(flow)


DEEDS: Final[dict[type[Action], Deed]] = {
    do.BandSeat: Deed(_SETUP, setup.seat),
    do.Inscribed: Deed(_SETUP, setup.inscribed),
    do.Monster: Deed(_SETUP, setup.monster),
    do.Dungeons: Deed(_SETUP, setup.dungeons),
    do.Purse: Deed(_SETUP, setup.purse),
    do.History: Deed(_SETUP, setup.history),
    do.Bosses: Deed(_SETUP | frozenset(ROUND_STEPS), setup.bosses),
    do.Active: Deed(_SETUP, setup.active),
    Rule: Deed(_SETUP, setup.rule),
    do.BeginDungeon: Deed(_SETUP, setup.begin),
    do.Label: Deed(_in("labels"), labelling.label),
    do.Decline: Deed(_in("labels"), labelling.decline),
    do.Reveal: Deed(_in("reveal"), reveal.reveal),
    do.Patron: Deed(_in("reveal"), reveal.patron),
    do.Will: Deed(_in("reveal", "tactics"), reveal.will),
    do.Spike: Deed(_in("tactics"), tactics.spike),
    do.Foil: Deed(_in("tactics"), tactics.foil),
    do.Snipe: Deed(_in("tactics"), tactics.snipe),
    do.Brace: Deed(_in("tactics"), tactics.brace),
    do.Pass: Deed(_in("tactics"), tactics.pass_),
    do.Convert: Deed(_in("declare", "damage"), damage.convert),
    do.Target: Deed(_in("declare", "damage"), damage.target),
    do.Damage: Deed(_in("declare", "damage"), _damage),
    do.Curse: Deed(_in("kill"), kill.curse),
    do.Bonus: Deed(_in("kill"), kill.bonus),
    do.Take: Deed(_in("attack", "minions"), attacks.take),
    do.Dodge: Deed(_in("attack", "minions"), attacks.dodge),
    do.Refill: Deed(_in("minions", "refill"), refill.refill),
    do.Hold: Deed(_ANY, _hold),
    do.Unhold: Deed(_ANY, _unhold),
    do.Fade: Deed(_in("fading"), after.fade),
    do.Pick: Deed(_in("drifting"), after.pick),
    do.Memory: Deed(_in("turning"), after.memory),
    do.Buy: Deed(_in("turning"), after.buy),
    do.Mythic: Deed(_in("turning"), after.mythic),
    do.Heirloom: Deed(_AFTER, after.heirloom),
    do.Watch: Deed(_AFTER | {"sealed"}, watchlist.watch),
    do.Seal: Deed(_in("turning"), _seal),
    Next: Deed(_PLAYING, _next),
    Set: Deed(_ANY, _overwrite),
    Add: Deed(_ANY, _overwrite),
    Note: Deed(_ANY | {"sealed"}, _note),
}


class DecknForge:
    """The rules of DecknForge v2.0, as restated in the rules reference (R1.*)."""

    name: ClassVar[str] = record.NAME
    title: ClassVar[str] = TITLE
    credit: ClassVar[str] = "Game content: DecknForge v2.0 by its contributors, CC BY-SA 4.0; wording adapted."
    actions: ClassVar[tuple[type[Action], ...]] = do.VOCABULARY
    mark_types: ClassVar[tuple[type[Mark], ...]] = MARKS
    keeping: ClassVar[Keeping] = KEEPING

    def new(self) -> Table:
        """The empty table, before set-up."""
        return Table()

    def resolve(self, state: Table, action: Action, rng: Random) -> Action:
        """Bosses and lots at `begin`, the Minion at `refill`, the cards at `fade`; `next` says `refill` aloud."""
        if isinstance(action, do.BeginDungeon):
            return setup.drawn(state, action, rng)
        if isinstance(action, Next) and state.step == "refill":
            return refill.drawn(state, do.Refill(), rng)
        if isinstance(action, do.Refill):
            return refill.drawn(state, action, rng)
        if isinstance(action, do.Fade):
            return after.drawn_for_fading(state, action, rng)
        return action

    def apply(self, state: Table, action: Action) -> Step:
        """The table after an action, and what there is to tell. Raises RuleError."""
        deed = DEEDS[type(action)]
        if state.step not in deed.steps:
            raise RuleError(_wrong_step(action.verb(), deed, state.step))
        flow = Flow(state)
        following = deed.act(flow, action)
        _forget_impossible(flow, action)
        if following:
            go(flow, following)
        advance(flow)
        return Step(flow.state, tuple(flow.tells))

    def view(self, state: Table) -> TableView:
        """What to show."""
        return view(state)

    def bring(self, seat: str, record: Record, coppers: int = 0) -> tuple[Action, ...]:
        """The set-up lines of a stored band, and of the purse its wizard brings."""
        assert isinstance(record, BandRecord)
        if record.retired:
            raise RuleError(f"{record.name} has retired and is not played any more (R1.81).")
        monsters = (
            do.Monster(seat, card, monster.name, monster.hp, monster.atk, monster.legend, monster.labels)
            for card, monster in record.monsters.items()
        )
        inscribed = (do.Inscribed(seat, card, name) for card, names in record.inscribed.items() for name in names)
        gone = record.lost
        return (
            do.BandSeat(seat, band=record.name),
            *monsters,
            *inscribed,
            *((do.History(seat, gone),) if gone else ()),
            *((do.Dungeons(seat, record.dungeons),) if record.dungeons else ()),
            *((do.Purse(seat, coppers),) if coppers else ()),
        )

    def marks(self, state: Table) -> Mapping[DeckId, tuple[Mark, ...]]:
        """What the sealed game writes into the records of its stored bands."""
        return sealed.marks(state)

    def purses(self, state: Table) -> tuple[Payment, ...]:
        """The Coppers that came and went, each with its reason."""
        return sealed.purses(state)

    def review(self, deeds: Sequence[review.Deed]) -> review.Review:
        """The playtest watchlist of §8."""
        return watchlist.review(deeds)

    def record(self, marks: tuple[Mark, ...]) -> BandRecord:
        """A band as it is today."""
        return record.record(marks)

    def story(self, marks: tuple[Mark, ...]) -> tuple[str, ...]:
        """A sentence a mark."""
        return story.story(marks)


def _wrong_step(verb: str, deed: Deed, step: str) -> str:
    """Why an action does not fit now, and when it does."""
    if step == "setup":
        return f"`{verb}` comes after `begin`."
    if step == "sealed":
        return "This game is sealed; nothing more can be done in it."
    if deed.steps == _SETUP:
        return f"`{verb}` belongs to the set-up, and the dungeon has begun; `undo` leads back."
    steps = " or ".join(name for name in STEPS if name in deed.steps)
    return f"`{verb}` belongs to the step {steps}; now is {step} (`next` finishes it)."


GAME: Final = DecknForge()
