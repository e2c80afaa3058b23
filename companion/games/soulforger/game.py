"""Soul-Forger as a `Game`: the rule of each action and its phases."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, Final

from msgspec.structs import replace

from companion.games.soulforger.decks import SoulForgerDecks
from companion.games.soulforger.glossary import GLOSSARY, phase_title
from companion.games.soulforger.paper import IMPRINT
from companion.games.soulforger.rules import actions as do
from companion.games.soulforger.rules import attack, costs, field, flow, setup, summons, turn
from companion.games.soulforger.rules.deck_list import (
    EQUIPMENT_TYPES,
    PLAYED_WITH,
    SECTIONS,
    SoulForgerDeckList,
    parse_remarks,
)
from companion.games.soulforger.rules.house import House
from companion.games.soulforger.rules.keywords import KEYWORDS
from companion.games.soulforger.rules.state import (
    PHASES,
    PLAYING,
    Resolution,
    SoulForgerPlayer,
    SoulForgerTable,
    ZoneAction,
)
from companion.games.soulforger.table.candidates import PROPOSALS
from companion.games.soulforger.table.view import SoulForgerDisplay
from companion.games.soulforger.table.way_on import way_on
from companion.tabletop import tracking
from companion.tabletop.action import Action
from companion.tabletop.constructed import batch, table
from companion.tabletop.constructed.game import ConstructedGame
from companion.tabletop.constructed.lists import DeckLists
from companion.tabletop.constructed.record import ConstructedRecord
from companion.tabletop.decks.decklist import ListedCard, handle
from companion.tabletop.decks.paper import PrintedMatter
from companion.tabletop.game import ActionRule
from companion.tabletop.glossary import Glossary
from companion.tabletop.table.common_actions import Begin, Concede, DrawAgreed, Next, Rule
from companion.tabletop.table.house_rules import HouseRules, Term, term_of
from companion.tabletop.table.table import WayOn
from templates.languages.messages import Finished, Text, any_of, phrase

if TYPE_CHECKING:
    from companion.games.soulforger.rehearsal.rehearsal import SoulForgerRehearsal


def _in_phases(*phases: str) -> frozenset[str]:
    return frozenset(phases)


_SETUP: Final = _in_phases("setup")
_OPENING: Final = _in_phases("mulligan")
_PLAYING: Final = _in_phases(*PLAYING)
_BEGUN: Final = _PLAYING | _OPENING


def _enter_next_phase(resolution: Resolution, action: Next) -> None:  # noqa: ARG001 – a bare word
    """Enter the next phase; before the first turn, all players keep the opening hand."""
    if resolution.state.phase == "mulligan":
        setup.keep_all(resolution)
    else:
        turn.next_phase(resolution)


RULES: Final[dict[type[Action], ActionRule]] = {
    table.SeatPlayer: ActionRule(_SETUP, setup.seat),
    table.Lists: ActionRule(_SETUP, table.list_card),
    table.Match: ActionRule(_SETUP, table.begin_match),
    table.FirstChoice: ActionRule(_SETUP, table.give_first_choice),
    Rule: ActionRule(_SETUP | _BEGUN, tracking.agree_on_rule),
    do.DeckSize: ActionRule(_SETUP, setup.deck_size),
    do.Gear: ActionRule(_SETUP, setup.gear),
    do.First: ActionRule(_SETUP, setup.first),
    Begin: ActionRule(_SETUP, setup.begin),
    do.Mulligan: ActionRule(_OPENING, setup.mulligan),
    do.Keep: ActionRule(_OPENING, setup.keep),
    do.SkipCombat: ActionRule(_in_phases("main1"), lambda resolution, _: turn.skip_combat(resolution)),
    do.Quest: ActionRule(_in_phases("quest"), turn.quest),
    do.Summon: ActionRule(_PLAYING, summons.summon),
    do.Token: ActionRule(_PLAYING, summons.token),
    do.ForgeEquipment: ActionRule(_PLAYING, summons.forge),
    do.Swap: ActionRule(_PLAYING, summons.swap),
    do.Pay: ActionRule(_PLAYING, costs.pay),
    do.Level: ActionRule(_in_phases("end"), turn.level),
    do.Discard: ActionRule(_PLAYING, turn.discard),
    do.Draw: ActionRule(_PLAYING, turn.draw),
    do.Attack: ActionRule(_in_phases("combat"), attack.attack),
    do.Block: ActionRule(_in_phases("combat"), attack.block),
    do.NoBlock: ActionRule(_in_phases("combat"), attack.no_block),
    do.Fight: ActionRule(_in_phases("combat"), attack.fight),
    do.Retarget: ActionRule(_in_phases("combat"), attack.retarget),
    do.CallOff: ActionRule(_in_phases("combat"), attack.call_off),
    do.Flow: ActionRule(_PLAYING, flow.flow),
    do.Negate: ActionRule(_PLAYING, flow.negate),
    do.Resolve: ActionRule(_PLAYING, flow.resolve),
    do.SetAction: ActionRule(_PLAYING, flow.set_action),
    do.PlayAction: ActionRule(_PLAYING, flow.play_action),
    do.Damage: ActionRule(_PLAYING, field.damage),
    do.Heal: ActionRule(_PLAYING, field.heal),
    do.Destroy: ActionRule(_PLAYING, field.destroy),
    do.Send: ActionRule(_PLAYING, field.send),
    do.Skill: ActionRule(_PLAYING, field.skill),
    do.Buff: ActionRule(_PLAYING, field.buff),
    do.Give: ActionRule(_PLAYING, field.give),
    do.TakeAway: ActionRule(_PLAYING, field.take_away),
    Concede: ActionRule(_BEGUN, attack.concede),
    DrawAgreed: ActionRule(_BEGUN, table.agree_on_draw),
    table.SealMatch: ActionRule(_BEGUN, table.seal),
    Next: ActionRule(_BEGUN, _enter_next_phase),
    batch.BeginBatch: ActionRule(_PLAYING, batch.begin),
    batch.EndBatch: ActionRule(_BEGUN, batch.end),
}


def _is_named_secret(action: ZoneAction) -> bool:
    return action.face_down and action.name != ""


def _without_names(player: SoulForgerPlayer) -> SoulForgerPlayer:
    zone = (replace(action, name="") if _is_named_secret(action) else action for action in player.zone)
    return replace(player, zone=tuple(zone))


LISTS: Final = DeckLists("soulforger", SECTIONS, SoulForgerDeckList())


class SoulForger(ConstructedGame):
    """The rules of Soul-Forger, as restated in the rules reference (R2.*)."""

    name: ClassVar[str] = IMPRINT.name
    edition: ClassVar[int] = 2  # a second copy of a Unique card is refused (R2.27)
    title: ClassVar[Text] = IMPRINT.title
    glossary: ClassVar[Glossary] = GLOSSARY
    about: ClassVar[Text] = IMPRINT.about
    credit: ClassVar[Text] = IMPRINT.credit
    actions: ClassVar[tuple[type[Action], ...]] = do.VOCABULARY
    house: ClassVar[type[HouseRules]] = House
    state = SoulForgerTable
    display = SoulForgerDisplay()
    rules = RULES
    proposals = PROPOSALS
    resolution = Resolution
    lists = LISTS
    final_counters = ("level", "damage")
    after_batch = ConstructedGame.after_batch | {do.Fight, do.SkipCombat}
    paper: ClassVar[PrintedMatter | None] = IMPRINT.paper

    @cached_property
    def decks(self) -> SoulForgerDecks:
        """Its stored decks."""
        return SoulForgerDecks(self.name, self.lists)

    @cached_property
    def rehearsal(self) -> SoulForgerRehearsal:
        """The rehearsal with simulated players."""
        from companion.games.soulforger.rehearsal.rehearsal import SoulForgerRehearsal

        return SoulForgerRehearsal(self)

    def seen_by(self, state: SoulForgerTable, viewer: str) -> SoulForgerTable:
        """Return the table without the names of face-down Actions of other players (R2.18)."""
        if all(player.seat == viewer or not any(map(_is_named_secret, player.zone)) for player in state.players):
            return state
        players = tuple(player if player.seat == viewer else _without_names(player) for player in state.players)
        return replace(state, players=players)

    def attackers(self, before: SoulForgerTable) -> tuple[str, ...]:
        """Return the attacker of the open attack, by its name."""
        handle = before.attack.attacker if before.attack else ""
        return (before.cards[handle].title,) if handle in before.cards else ()

    def settle(self, resolution: Resolution, before: SoulForgerTable) -> None:
        """Apply the consequences: creatures die, the first turn begins, players are defeated, an attack ends."""
        field.destroy_doomed(resolution)
        field.bury(resolution)
        if resolution.state.phase != "setup":
            setup.start_when_settled(resolution)
            attack.settle_defeats(resolution, before)

    def not_now(self, verb: str, rule: ActionRule, step: str) -> Text:
        """Return the message for an action outside its phase, with the phase it belongs to."""
        if step == "setup":
            return phrase("`{verb}` comes after `begin`.", verb=verb)
        if rule.steps == _SETUP:
            return phrase("`{verb}` belongs to the set-up, and the game has begun; `undo` leads back.", verb=verb)
        if step == "mulligan":
            return phrase(
                "`{verb}` comes after the opening hands: `keep SEAT` or `mulligan SEAT N` first (R2.4).", verb=verb
            )
        if rule.steps == _OPENING:
            return phrase("`{verb}` is only possible before the first turn (R2.4).", verb=verb)
        phases = any_of(phase_title(name) for name in PHASES if name in rule.steps)
        return phrase(
            "`{verb}` belongs to {phases}; the current phase is {phase} (R2.5).",
            verb=verb,
            phases=phases,
            phase=phase_title(step),
        )

    def way_on(self, state: SoulForgerTable) -> WayOn | None:
        """Return the way on through the phases, up to the next possible play, attack, block or response."""
        return way_on(state)

    def terms(self) -> tuple[Term, ...]:
        """Return the keywords with their effects, and the general terms."""
        return (
            *(
                term_of(keyword.title, Finished(keyword.effect, begins=True), phrase("keyword"), "R2.27")
                for keyword in KEYWORDS.values()
            ),
            *super().terms(),
        )

    def on_card(self, card: ListedCard, action: type[Action], given: Mapping[str, Any]) -> Mapping[str, Any]:  # noqa: ARG002
        """Return a card's figures for the line that plays its type, or for `gear` if it is equipment."""
        remarks = parse_remarks(card)
        is_gear = action is do.Gear and remarks.type in EQUIPMENT_TYPES
        if not is_gear and action is not PLAYED_WITH.get(remarks.type):
            return {}
        said_of_card = {**remarks.figures, "type": remarks.type}
        return {field: value for field, value in said_of_card.items() if field in action.__struct_fields__}

    def deck_lines(self, seat: str, deck: ConstructedRecord) -> tuple[Action, ...]:
        """Return the size of the Main Deck, and the Starting Gear with known figures."""
        size = sum(card.copies for card in deck.cards if card.part == "main")
        gear = (card.listed_card for card in deck.cards if card.part == "gear")
        lines = (self._gear_line(seat, card) for card in gear)
        return (do.DeckSize(seat, size), *(line for line in lines if line is not None))

    def clear_deck(self, resolution: Resolution, seat: str) -> None:
        """Remove the Starting Gear."""
        setup.clear_gear(resolution, seat)

    def _gear_line(self, seat: str, card: ListedCard) -> do.Gear | None:
        figures = self.on_card(card, do.Gear, {})
        whole = figures.get("type") in ("armor", "accessory") or "power" in figures
        return do.Gear(seat, f"{seat}-{handle(card.name)}", **figures) if whole else None


GAME: Final = SoulForger()
