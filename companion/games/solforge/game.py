"""SolForge as a `Game`: the effects of its actions, and the steps in which they are allowed."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from random import Random
from typing import TYPE_CHECKING, Any, ClassVar, Final

import msgspec

from companion.games.solforge.decks import SolForgeDecks
from companion.games.solforge.glossary import GLOSSARY
from companion.games.solforge.paper import IMPRINT
from companion.games.solforge.rules import actions as do
from companion.games.solforge.rules import battle, cycle, plays, setup, turn
from companion.games.solforge.rules.battle import end_batch
from companion.games.solforge.rules.deck_list import (
    FORMATS,
    SOLBIND,
    SolForgeDeckList,
    parse_remarks,
)
from companion.games.solforge.rules.house import House
from companion.games.solforge.rules.keywords import KEYWORDS
from companion.games.solforge.rules.state import Resolution, SolForgeTable
from companion.games.solforge.table.candidates import PROPOSALS
from companion.games.solforge.table.prompts import way_on
from companion.games.solforge.table.view import SolForgeDisplay
from companion.tabletop.action import Action
from companion.tabletop.constructed import batch, table
from companion.tabletop.constructed.game import ConstructedGame
from companion.tabletop.constructed.lists import DeckLists
from companion.tabletop.constructed.record import ConstructedRecord
from companion.tabletop.decks.decklist import ListedCard
from companion.tabletop.decks.paper import PrintedMatter
from companion.tabletop.game import ActionRule
from companion.tabletop.glossary import Glossary
from companion.tabletop.table.common_actions import Begin, Concede, DrawAgreed, Next, Rule
from companion.tabletop.table.house_rules import HouseRules, Term, term_of
from companion.tabletop.table.table import WayOn
from templates.languages.messages import Finished, Message, Text, phrase, phrases

if TYPE_CHECKING:
    from companion.games.solforge.rehearsal.rehearsal import SolForgeRehearsal

_SETUP: Final = frozenset({"setup"})
_PLAYING: Final = frozenset({"before", "after"})


def _draw(resolution: Resolution, action: do.Draw) -> None:
    count = cycle.draw(resolution, action.seat, action.cards)
    name = resolution.name(action.seat)
    text = phrases("{player} draws {n} card.", "{player} draws {n} cards.", n=count, player=name)
    resolution.tell(text, action.seat, by_hand=True)


def _discard(resolution: Resolution, action: do.Discard) -> None:
    cycle.discard(resolution, action.seat, action.cards)
    text = phrases(
        "{player} discards {n} card without levelling.",
        "{player} discards {n} cards without levelling.",
        n=action.cards,
        player=resolution.name(action.seat),
    )
    resolution.tell(text, action.seat, by_hand=True)


def _concede(resolution: Resolution, action: Concede) -> None:
    player = resolution.update_player(resolution.state.player(action.seat).seat, conceded=True)
    resolution.tell(phrase("{player} concedes.", player=player.name), player.seat)


RULES: Final[dict[type[Action], ActionRule]] = {
    table.SeatPlayer: ActionRule(_SETUP, setup.seat),
    table.Lists: ActionRule(_SETUP, table.list_card),
    table.Match: ActionRule(_SETUP, table.begin_match),
    table.FirstChoice: ActionRule(_SETUP, table.give_first_choice),
    do.DeckSize: ActionRule(_SETUP, setup.deck_size),
    do.First: ActionRule(_SETUP, setup.first),
    Rule: ActionRule(_SETUP | _PLAYING, setup.rule),
    Begin: ActionRule(_SETUP, setup.begin),
    do.ForgeCreature: ActionRule(_PLAYING, plays.forge),
    do.Cast: ActionRule(_PLAYING, plays.cast),
    do.Bank: ActionRule(_PLAYING, plays.bank),
    do.Battle: ActionRule(_PLAYING, battle.battle),
    do.MoveCreature: ActionRule(_PLAYING, plays.move),
    do.Activate: ActionRule(_PLAYING, plays.activate),
    do.Place: ActionRule(_SETUP | _PLAYING, plays.place),
    do.Spawn: ActionRule(_PLAYING, plays.spawn),
    do.Damage: ActionRule(_PLAYING, battle.damage),
    do.Heal: ActionRule(_PLAYING, battle.heal),
    do.Buff: ActionRule(_PLAYING, plays.buff),
    do.Give: ActionRule(_PLAYING, plays.give),
    do.TakeAway: ActionRule(_PLAYING, plays.take_away),
    do.Destroy: ActionRule(_PLAYING, plays.destroy),
    do.Banish: ActionRule(_PLAYING, plays.banish),
    do.Draw: ActionRule(_PLAYING, _draw),
    do.Discard: ActionRule(_PLAYING, _discard),
    Concede: ActionRule(_PLAYING, _concede),
    DrawAgreed: ActionRule(_PLAYING, table.agree_on_draw),
    table.SealMatch: ActionRule(_PLAYING | {"over"}, table.seal),
    Next: ActionRule(_PLAYING, turn.next_turn),
    batch.BeginBatch: ActionRule(_PLAYING, batch.begin),
    batch.EndBatch: ActionRule(_PLAYING, batch.end),
}

LISTS: Final = DeckLists("solforge", (*FORMATS, SOLBIND), SolForgeDeckList())


class SolForge(ConstructedGame):
    """The rules of SolForge, as restated in the rules reference (R4.*)."""

    name: ClassVar[str] = IMPRINT.name
    title: ClassVar[Text] = IMPRINT.title
    glossary: ClassVar[Glossary] = GLOSSARY
    about: ClassVar[Text] = IMPRINT.about
    actions: ClassVar[tuple[type[Action], ...]] = do.VOCABULARY
    house: ClassVar[type[HouseRules]] = House
    state = SolForgeTable
    display = SolForgeDisplay()
    rules = RULES
    proposals = PROPOSALS
    resolution = Resolution
    lists = LISTS
    final_counters = ("health", "rank")
    after_batch = ConstructedGame.after_batch | {do.Battle}
    paper: ClassVar[PrintedMatter | None] = IMPRINT.paper

    @cached_property
    def decks(self) -> SolForgeDecks:
        """Its stored decks."""
        return SolForgeDecks(self.name, self.lists)

    @cached_property
    def rehearsal(self) -> SolForgeRehearsal:
        """The simulation of its players."""
        from companion.games.solforge.rehearsal.rehearsal import SolForgeRehearsal

        return SolForgeRehearsal(self)

    def resolve(self, state: SolForgeTable, action: Action, rng: Random) -> Action:
        """Draw the lane of a Spawn."""
        if isinstance(action, do.Spawn):
            return plays.drawn_lane(state, action, rng)
        return super().resolve(state, action, rng)

    def attackers(self, before: SolForgeTable) -> tuple[str, ...]:
        """Return the active player's creatures on the offensive, until the Battle is over."""
        offensive = (creature for creature in before.of(before.active) if creature.offensive)
        return () if before.fought else tuple(creature.title for creature in offensive)

    def settle(self, resolution: Resolution, before: SolForgeTable) -> None:  # noqa: ARG002 – only the batch counts
        """End the batch after each action, once the first turn has begun."""
        if resolution.state.turn:
            end_batch(resolution)

    def not_now(self, verb: str, rule: ActionRule, step: str) -> Message:  # noqa: ARG002 – the step is enough
        """Return the reason why an action does not fit now, and the step in which it does."""
        match step:
            case "setup":
                return phrase("`{command}` comes after `begin`.", command=verb)
            case "over":
                return phrase(
                    "The game is over, so `{command}` is no longer possible. `undo` leads back; `set` "
                    "corrects a figure.",
                    command=verb,
                )
            case _:
                return phrase(
                    "`{command}` belongs to the set-up, and the game has begun; `undo` leads back.", command=verb
                )

    def way_on(self, state: SolForgeTable) -> WayOn | None:
        """Return the Battle, or the end of the turn."""
        return way_on(state)

    def terms(self) -> tuple[Term, ...]:
        """Return the keywords with their effects, and the common terms."""
        return (
            *(
                term_of(keyword.title, Finished(keyword.text, begins=True), phrase("keyword"), "R4.20")
                for keyword in KEYWORDS.values()
            ),
            *super().terms(),
        )

    def meanings(self, state: SolForgeTable, action: Action) -> tuple[Action, ...]:
        """Return the card at each level that one in hand may have, a listed creature with its figures there (R4.7)."""
        if not isinstance(action, do.ForgeCreature | do.Cast | do.Bank) or action.level is not None:
            return (action,)
        levels = state.player(action.seat).levels_in_hand if state.knows_cards(action.seat) else ()
        if levels == (1,) or not levels:
            return (action,)
        meanings = (self._at_level(state, action, level) for level in levels)
        return tuple(meaning for meaning in meanings if meaning is not None) or (action,)

    def _at_level(
        self, state: SolForgeTable, action: do.ForgeCreature | do.Cast | do.Bank, level: int
    ) -> Action | None:
        """Return the card at a level; None if the list has the creature, but no figures for that level."""
        at_level = msgspec.structs.replace(action, level=level)
        if not isinstance(action, do.ForgeCreature):
            return at_level
        first, there = (
            self.known_fields(state, do.ForgeCreature, {"seat": action.seat, "handle": action.handle, "level": each})
            for each in (1, level)
        )
        if any(getattr(action, field) != value for field, value in first.items()):
            return at_level  # a player's own figures for a card take precedence
        if "figures" in first and "figures" not in there:
            return None
        return msgspec.structs.replace(at_level, **{"has": (), "free": None, **there}) if first else at_level

    def on_card(self, card: ListedCard, action: type[Action], given: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return a creature's figures and keywords at the level at which it is played, and the flags of a card."""
        if action not in (do.ForgeCreature, do.Place, do.Spawn, do.Cast, do.Bank):
            return {}
        remarks = parse_remarks(card)
        level = given.get("level")
        figures = dict(remarks.levels.get(1 if level is None else level, {}))
        if "overload" in remarks.flags and "has" in action.__struct_fields__:
            figures["has"] = tuple(dict.fromkeys((*figures.get("has", ()), "overload")))
        of_list = {**figures, **dict.fromkeys(remarks.flags, True)}
        return {field: value for field, value in of_list.items() if field in action.__struct_fields__}

    def deck_lines(self, seat: str, deck: ConstructedRecord) -> tuple[Action, ...]:
        """Return the line for the number of cards in the deck, including those of Solbind (R4.1)."""
        return (do.DeckSize(seat, sum(card.copies for card in deck.cards)),)


GAME: Final = SolForge()
