"""Odd Frontier TCG as a `Game`: the rule of each action and its phases."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, Final

from companion.games.oddfrontier.decks import FrontierDecks
from companion.games.oddfrontier.glossary import GLOSSARY
from companion.games.oddfrontier.paper import IMPRINT
from companion.games.oddfrontier.rules import actions as do
from companion.games.oddfrontier.rules import battlefield, combat, effects, energy, setup, turn
from companion.games.oddfrontier.rules.battlefield import settle_battlefield
from companion.games.oddfrontier.rules.deck_list import PLAYED_WITH, ArchiveRules, parse_remarks
from companion.games.oddfrontier.rules.house import House
from companion.games.oddfrontier.rules.state import PHASE_NAMES, PLAYING, FrontierTable, Resolution
from companion.games.oddfrontier.table.candidates import candidates
from companion.games.oddfrontier.table.view import OddFrontierDisplay
from companion.games.oddfrontier.table.way_on import way_on
from companion.tabletop.action import Action
from companion.tabletop.constructed import batch, table
from companion.tabletop.constructed.game import ConstructedGame
from companion.tabletop.constructed.lists import DeckLists
from companion.tabletop.constructed.record import ConstructedRecord
from companion.tabletop.decks.decklist import ListedCard
from companion.tabletop.decks.paper import PrintedMatter
from companion.tabletop.game import ActionRule
from companion.tabletop.glossary import Glossary
from companion.tabletop.table.choices import Candidates
from companion.tabletop.table.common_actions import Begin, Concede, DrawAgreed, Next, Rule
from companion.tabletop.table.house_rules import HouseRules
from companion.tabletop.table.table import Draft, WayOn
from templates.languages.messages import Message, Text, phrase

if TYPE_CHECKING:
    from companion.games.oddfrontier.rehearsal.rehearsal import FrontierRehearsal

_SETUP: Final = frozenset({"setup"})
_HANDS: Final = frozenset({"mulligan"})
_TURN: Final = frozenset(PLAYING)
_COMBAT: Final = frozenset({"combat"})
_PLAYING: Final = _HANDS | _TURN

LISTS: Final = DeckLists("oddfrontier", ("main",), ArchiveRules())

RULES: Final[dict[type[Action], ActionRule]] = {
    table.SeatPlayer: ActionRule(_SETUP, setup.seat),
    table.Lists: ActionRule(_SETUP, table.list_card),
    table.Match: ActionRule(_SETUP, table.begin_match),
    table.FirstChoice: ActionRule(_SETUP, table.give_first_choice),
    Rule: ActionRule(_SETUP | _PLAYING, setup.agree_on_rule),
    do.DeckSize: ActionRule(_SETUP, setup.deck_size),
    do.First: ActionRule(_SETUP, setup.first),
    Begin: ActionRule(_SETUP, setup.begin_game),
    do.Mulligan: ActionRule(_HANDS, setup.mulligan),
    do.Keep: ActionRule(_HANDS, setup.keep),
    Next: ActionRule(_PLAYING, turn.next_),
    do.Engine: ActionRule(_TURN, energy.engine),
    do.Crank: ActionRule(_TURN, energy.crank),
    do.Uncrank: ActionRule(_TURN, energy.uncrank),
    do.Spend: ActionRule(_TURN, energy.spend),
    do.Summon: ActionRule(_TURN, battlefield.summon),
    do.PlayPermanent: ActionRule(_TURN, battlefield.permanent),
    do.Attack: ActionRule(_COMBAT, combat.attack),
    do.Block: ActionRule(_COMBAT, combat.block),
    do.Split: ActionRule(_COMBAT, combat.split),
    do.Fight: ActionRule(_COMBAT, combat.fight),
    do.Queue: ActionRule(_TURN, turn.queue),
    do.Resolve: ActionRule(_TURN, turn.resolve),
    do.Negate: ActionRule(_TURN, turn.negate),
    do.Wound: ActionRule(_TURN, setup.wound),
    do.Damage: ActionRule(_TURN, battlefield.damage),
    do.Heal: ActionRule(_TURN, effects.heal),
    do.Buff: ActionRule(_TURN, effects.buff),
    do.Give: ActionRule(_TURN, effects.give),
    do.TakeAway: ActionRule(_TURN, effects.take_away),
    do.Token: ActionRule(_TURN, effects.token),
    do.Draw: ActionRule(_TURN, energy.draw),
    do.Discard: ActionRule(_TURN, energy.discard),
    do.Destroy: ActionRule(_TURN, battlefield.destroy),
    do.Banish: ActionRule(_TURN, battlefield.banish),
    Concede: ActionRule(_PLAYING, setup.concede),
    DrawAgreed: ActionRule(_PLAYING, table.agree_on_draw),
    table.SealMatch: ActionRule(_PLAYING, table.seal),
    batch.BeginBatch: ActionRule(_TURN, batch.begin),
    batch.EndBatch: ActionRule(_PLAYING, batch.end),
}


class OddFrontier(ConstructedGame):
    """The rules of Odd Frontier TCG, as restated in the rules reference (R3.*)."""

    name: ClassVar[str] = IMPRINT.name
    title: ClassVar[Text] = IMPRINT.title
    glossary: ClassVar[Glossary] = GLOSSARY
    about: ClassVar[Text] = IMPRINT.about
    actions: ClassVar[tuple[type[Action], ...]] = do.VOCABULARY
    house: ClassVar[type[HouseRules]] = House
    state = FrontierTable
    display = OddFrontierDisplay()
    rules = RULES
    resolution = Resolution
    lists = LISTS
    final_counters = ("life",)
    after_batch = ConstructedGame.after_batch | {do.Fight}
    paper: ClassVar[PrintedMatter | None] = IMPRINT.paper

    @cached_property
    def decks(self) -> FrontierDecks:
        """Its stored decks."""
        return FrontierDecks(self.name, self.lists)

    @cached_property
    def rehearsal(self) -> FrontierRehearsal:
        """The rehearsal of the game by simulated players."""
        from companion.games.oddfrontier.rehearsal.rehearsal import FrontierRehearsal

        return FrontierRehearsal(self)

    def attackers(self, before: FrontierTable) -> tuple[str, ...]:
        """Return the titles of the Creatures that were declared to attack."""
        return tuple(creature.title for creature in before.attackers())

    def settle(self, resolution: Resolution, before: FrontierTable) -> None:  # noqa: ARG002 – not needed here
        """Remove players who have lost and continue the turn automatically."""
        if resolution.state.phase != "setup":
            settle_battlefield(resolution)
            turn.go_on(resolution)

    def not_now(self, verb: str, rule: ActionRule, step: str) -> Message:
        """Return why an action does not fit now, and when it does."""
        if step == "setup":
            return phrase("`{command}` comes after `begin`.", command=verb)
        if rule.steps == _SETUP:
            return phrase("`{command}` belongs to the set-up, and the game has begun; `undo` leads back.", command=verb)
        if rule.steps == _HANDS:
            return phrase(
                "`{command}` is for the starting hands, and the first turn has begun; `undo` leads back.",
                command=verb,
            )
        if step == "mulligan":
            return phrase(
                "`{command}` must wait until everybody has kept a hand (R3.2); `next` keeps them all.", command=verb
            )
        return phrase(
            "`{command}` belongs to combat (R3.3); the current phase is {phase}. `next` goes on.",
            command=verb,
            phase=PHASE_NAMES.get(step, step),
        )

    def lead_in(self, state: FrontierTable, action: Action) -> tuple[Action, ...]:
        """Return the Engines that must be cranked for a cost. All are alike, so no choice is lost (R3.5)."""
        return energy.cranks_for(state, action)

    def way_on(self, state: FrontierTable) -> WayOn | None:
        """Return the default continuation, up to where a player may play, attack or block."""
        return way_on(state)

    def propose_candidates(self, state: FrontierTable, draft: Draft, field: str) -> Candidates | None:
        """Return the candidates for a field."""
        return candidates(state, draft, field)

    def on_card(self, card: ListedCard, action: type[Action], given: Mapping[str, Any]) -> Mapping[str, Any]:  # noqa: ARG002
        """Return a Creature's figures for `summon`, or the cost of another card for `permanent` or `queue`."""
        remarks = parse_remarks(card)
        return remarks.figures if PLAYED_WITH.get(remarks.type) is action else {}

    def deck_lines(self, seat: str, deck: ConstructedRecord) -> tuple[Action, ...]:
        """Return the line with the number of cards in the archive."""
        return (do.DeckSize(seat, sum(card.copies for card in deck.cards)),)


GAME: Final = OddFrontier()
