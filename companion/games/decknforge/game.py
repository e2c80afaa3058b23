"""DecknForge as a `Game`: the steps in which each action is allowed, and the functions that apply it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from random import Random
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar, Final, TypeGuard

from companion.games.decknforge.book.effect import EffectBook
from companion.games.decknforge.book.founding import band_flaws, placement_error
from companion.games.decknforge.book.house import House
from companion.games.decknforge.book.ledger import check_in_hand, check_playable
from companion.games.decknforge.book.standard import STANDARD, TERMS, terms
from companion.games.decknforge.book.state import EDITION, AttackAnswer, DungeonTable, Resolution
from companion.games.decknforge.decks import record
from companion.games.decknforge.decks.marks import MARKS, CardInscribed, CarriedIn, Labelled
from companion.games.decknforge.decks.purses import WizardPurses, mythic_lines
from companion.games.decknforge.decks.record import BandRecord
from companion.games.decknforge.decks.results import DungeonResults
from companion.games.decknforge.glossary import GLOSSARY, STEP_WORDS, effect_title
from companion.games.decknforge.paper import IMPRINT, BandPaper
from companion.games.decknforge.rules import actions as do
from companion.games.decknforge.rules import (
    after_fight,
    attacks,
    damage,
    drafting,
    kill,
    labelling,
    loose,
    payments,
    reveal,
    round_steps,
    setup,
    tactics,
)
from companion.games.decknforge.rules.corrections import DungeonCorrections
from companion.games.decknforge.rules.fight import FLIP, ends_dungeon
from companion.games.decknforge.rules.round_steps import (
    DUNGEON_STEPS,
    ROUND_STEPS,
    STEPS,
    enter_step,
    finish_step,
    leave_finished_steps,
)
from companion.games.decknforge.rules.setup import of_band
from companion.games.decknforge.table import candidates, monster_names, watchlist
from companion.games.decknforge.table.view import DecknForgeDisplay
from companion.games.decknforge.table.way_on import way_on
from companion.tabletop.action import Action, DeckId, RuleError
from companion.tabletop.decks.stored_decks import SeatedDeck
from companion.tabletop.game import ActionRule, GameOfSteps
from companion.tabletop.glossary import Glossary
from companion.tabletop.notation.cards import card_title, read_card
from companion.tabletop.records import EditionTaken, Mark, Record
from companion.tabletop.table.choices import Candidates
from companion.tabletop.table.common_actions import Add, Concede, DrawAgreed, Next, RefreshDeck, Rule, Set, Venue
from companion.tabletop.table.house_rules import HouseRules, Term
from companion.tabletop.table.table import Draft, WayOn
from templates.languages.messages import Text, all_of, any_of, joined, phrase, phrases

if TYPE_CHECKING:
    from companion.games.decknforge.book.game_homebrew import BandHomebrew
    from companion.games.decknforge.book.homebrew import Homebrew
    from companion.games.decknforge.decks.game_decks import BandDecks
    from companion.games.decknforge.table.evenings import DungeonEvenings
    from companion.tabletop.decks.paper import PrintedMatter
    from companion.tabletop.rehearsal import Adviser, Rehearsal

_DISPLAY: Final = DecknForgeDisplay()
_SETUP: Final = frozenset({"setup"})
_PLAYING: Final = frozenset(STEPS)
_ANY: Final = _PLAYING | _SETUP
_AFTER: Final = frozenset({"fading", "drifting", "turning"})
_DUNGEON: Final = frozenset(DUNGEON_STEPS)
_BAND: Final = _SETUP | _DUNGEON
"""Steps in which the set-up can be edited; during the round, only for what is about to come."""


def _in_steps(*steps: str) -> frozenset[str]:
    return frozenset(steps)


def _apply_next(resolution: Resolution, action: Next) -> str:  # noqa: ARG001 – no arguments in the line
    """Apply the step's default; if only the fight is tracked, a round needs no cards."""
    if resolution.state.step == "reveal" and not resolution.state.tracks_all:
        return damage.resolve_damage(resolution)
    return finish_step(resolution)


def _agree(resolution: Resolution, action: Rule) -> None:
    """Apply a house rule; if tracking changes during the game, not all committed cards are known."""
    before = resolution.state.house.track
    setup.agree(resolution, action)
    if resolution.state.has_begun and resolution.state.house.track != before:
        resolution.update_everyone(untracked=True, spades_open=True)


def _apply_override(resolution: Resolution, action: Set | Add) -> str | None:
    """Apply an override. Returns the step that follows if it ends the fight, or the step if that was set."""
    _DISPLAY.overwrite(resolution, action)
    if action.target == "table" and action.counter == "step":
        _clear_for_step(resolution)
        return resolution.state.step
    if isinstance(action, Set) and (action.target, action.counter) == ("boss", "hp"):
        boss = resolution.state.boss
        assert boss is not None
        resolution.update_foe(boss.ref, hp_at_start=boss.hp)
    if resolution.state.step == "kill":
        return None  # the Killer's bonus comes first, even if no wizard is left in the fight
    is_late_round = (action.target, action.counter, resolution.state.step) == ("table", "round", "refill")
    if is_late_round and resolution.state.edition >= 4 and attacks.doom_party(resolution):
        return "fading"  # as step 8 of that round is over
    over = resolution.state.step in DUNGEON_STEPS and (ends_dungeon(resolution) or resolution.state.outcome == "win")
    return "fading" if over else None


def _clear_for_step(resolution: Resolution) -> None:
    """Take committed cards off the table after an override of the step; for Minions, close the Boss's attack."""
    state = resolution.state
    piles = {(wizard.seat, entry.card) for wizard in state.wizards for entry in wizard.pile}
    resolution.change(revealed=tuple(upcard for upcard in state.revealed if (upcard.owner, upcard.card) not in piles))
    if state.step == "minions":
        for wizard in state.fighting():
            resolution.update_wizard(wizard.seat, answers=wizard.answers[:1] or (AttackAnswer(dodged=True),))


def _record_held_card(resolution: Resolution, action: do.Hold) -> None:
    """Record that a card is in a hand (§1.15). It is a fact about the table, so repeating it changes nothing."""
    wizard = resolution.state.wizard(action.seat)
    check_playable(resolution.state, action.seat, action.card)
    if action.card not in wizard.known_hand:
        resolution.update_wizard(action.seat, known_hand=(*wizard.known_hand, action.card))
    resolution.update_wizard(action.seat, doubted=tuple(card for card in wizard.doubted if card != action.card))
    resolution.tell(phrase("{player} holds {card}.", player=wizard.name, card=card_title(action.card)), action.seat)


def _forget_held_card(resolution: Resolution, action: do.Unhold) -> None:
    wizard = resolution.state.wizard(action.seat)
    resolution.update_wizard(action.seat, known_hand=tuple(card for card in wizard.known_hand if card != action.card))
    text = phrase("{player} does not hold {card}.", player=wizard.name, card=card_title(action.card))
    resolution.tell(text, action.seat)


def _log_coaching(resolution: Resolution, action: do.CoachWithHand) -> None:
    """Log that the coach was asked; the answer and the named cards stay private to that wizard."""
    check_in_hand(resolution.state, action.seat, action.hand)
    text = phrase("{player} asks the coach what would help.", player=resolution.name(action.seat))
    resolution.tell(text, action.seat)


def _concede(resolution: Resolution, action: Concede) -> str | None:
    """Let a wizard leave for good: no cards, attacks or rewards any more, but the number of wizards stays (R1.12).

    Their revealed cards stay on the table for this round. Returns the next step if no wizard is left.
    """
    wizard = resolution.state.wizard(action.seat)
    if wizard.has_left:
        raise RuleError(phrase("{player} has left already.", player=wizard.name))
    resolution.update_wizard(action.seat, in_fight=False, has_left=True, left_in=resolution.state.number)
    resolution.tell(phrase("{player} leaves for good.", player=wizard.name), action.seat)
    return "fading" if resolution.state.step != "kill" and ends_dungeon(resolution) else None


def _names_another_minion(action: Action, state: DungeonTable) -> TypeGuard[do.Refill]:
    """Return True for a `refill` that names, after the next round has begun, the Minion that really came."""
    is_named = isinstance(action, do.Refill) and action.minion is not None
    return is_named and round_steps.came_last(state) is not None


def _refuse_draw(resolution: Resolution, action: DrawAgreed) -> None:  # noqa: ARG001 – no arguments in the line
    raise RuleError(phrase("All play together here: a dungeon is won or lost (R1.17), and `concede SEAT` leaves it."))


def _forget_impossible(resolution: Resolution, action: Action) -> None:
    """Forget known cards if a hand has fewer than are known; only a card named just now is kept."""
    for wizard in resolution.state.wizards if resolution.state.step != "setup" else ():
        if wizard.known_hand and not resolution.state.holds(wizard, len(wizard.known_hand)):
            just_said = isinstance(action, do.Hold) and action.seat == wizard.seat and wizard.hand > 0
            newest = wizard.known_hand[-1:] if just_said else ()
            resolution.update_wizard(wizard.seat, known_hand=newest)
            text = phrases(
                "{player} has {n} card in hand, fewer than were known; enter again what is held.",
                "{player} has {n} cards in hand, fewer than were known; enter again what is held.",
                n=wizard.hand,
                player=wizard.name,
            )
            resolution.tell(text, wizard.seat)


RULES: Final[dict[type[Action], ActionRule]] = {
    do.BandSeat: ActionRule(_SETUP, setup.seat_wizard),
    do.InscribedCard: ActionRule(_BAND, of_band(setup.inscribe_card)),
    do.MonsterCard: ActionRule(_BAND, of_band(setup.write_monster)),
    do.Dungeons: ActionRule(_BAND, of_band(setup.set_dungeons)),
    do.Purse: ActionRule(_BAND, of_band(setup.set_purse)),
    do.Mythics: ActionRule(_BAND, of_band(setup.set_mythics)),
    do.History: ActionRule(_BAND, of_band(setup.add_history)),
    do.Join: ActionRule(_DUNGEON, setup.join),
    do.Deal: ActionRule(_DUNGEON, setup.deal),
    do.Bosses: ActionRule(_BAND, setup.name_bosses),
    do.Active: ActionRule(_SETUP, setup.set_active),
    Rule: ActionRule(_BAND, _agree),
    do.BeginDungeon: ActionRule(_SETUP, setup.begin),
    do.AddLabel: ActionRule(_in_steps("labels"), labelling.add_label),
    do.Decline: ActionRule(_in_steps("labels"), labelling.decline),
    do.Reveal: ActionRule(_in_steps("reveal"), reveal.reveal),
    do.Patron: ActionRule(_in_steps("reveal"), reveal.use_patron),
    do.Will: ActionRule(_in_steps("reveal", "tactics"), reveal.use_will),
    do.Spike: ActionRule(_in_steps("tactics"), tactics.spike),
    do.Foil: ActionRule(_in_steps("tactics"), tactics.foil),
    do.Snipe: ActionRule(_in_steps("tactics"), tactics.snipe),
    do.Brace: ActionRule(_in_steps("tactics"), tactics.brace),
    do.Pass: ActionRule(_in_steps("tactics"), tactics.pass_),
    do.Convert: ActionRule(_in_steps("reveal", "declare", "damage"), damage.convert),
    do.Target: ActionRule(_in_steps("declare", "damage"), damage.target),
    do.Damage: ActionRule(_in_steps("reveal", "declare", "damage"), damage.say_damage),
    do.Curse: ActionRule(_in_steps("kill"), kill.curse),
    do.Bonus: ActionRule(_in_steps("kill"), kill.choose_bonus),
    do.Take: ActionRule(_in_steps("attack", "minions"), attacks.take),
    do.Dodge: ActionRule(_in_steps("attack", "minions"), attacks.dodge),
    do.Spades: ActionRule(_in_steps("reveal", "declare", "damage"), payments.count_spades),
    do.Among: ActionRule(frozenset(ROUND_STEPS), payments.name_among),
    do.Escalate: ActionRule(_in_steps("minions"), round_steps.bring_minion),
    do.Refill: ActionRule(_in_steps("minions", "refill"), round_steps.refill),
    do.Hold: ActionRule(_ANY, _record_held_card),
    do.Unhold: ActionRule(_ANY, _forget_held_card),
    do.CoachWithHand: ActionRule(frozenset(ROUND_STEPS), _log_coaching),
    Concede: ActionRule(_DUNGEON, _concede),
    DrawAgreed: ActionRule(_DUNGEON, _refuse_draw),
    do.Fade: ActionRule(_in_steps("fading"), after_fight.fade),
    do.Lots: ActionRule(_in_steps("fading"), drafting.settle_tie),
    do.TakePart: ActionRule(_in_steps("fading", "drifting"), drafting.take_part),
    do.Pick: ActionRule(_in_steps("drifting"), drafting.pick),
    do.Memory: ActionRule(_in_steps("turning"), after_fight.carry_over),
    do.Buy: ActionRule(_in_steps("turning"), after_fight.buy),
    do.Mythic: ActionRule(_in_steps("turning"), after_fight.place_mythic),
    do.Heirloom: ActionRule(_AFTER, after_fight.choose_heirloom),
    do.KeepPurse: ActionRule(_in_steps("turning"), loose.keep_purse),
    do.Adopt: ActionRule(_in_steps("turning"), loose.adopt),
    do.Watch: ActionRule(_AFTER | {"sealed"}, watchlist.watch),
    do.Seal: ActionRule(_in_steps("turning"), lambda resolution, _: after_fight.seal(resolution)),
    Next: ActionRule(_PLAYING, _apply_next),
    Set: ActionRule(_ANY, _apply_override),
    Add: ActionRule(_ANY, _apply_override),
}


# Homebrew, decks, evenings and rehearsals are loaded when their property is first read: a table does without them.


class DecknForge(GameOfSteps):
    """The rules of DecknForge v2.0, as restated in the rules reference (R1.*)."""

    name: ClassVar[str] = IMPRINT.name
    edition: ClassVar[int] = EDITION
    title: ClassVar[Text] = IMPRINT.title
    glossary: ClassVar[Glossary] = GLOSSARY
    about: ClassVar[Text] = IMPRINT.about
    credit: ClassVar[Text] = IMPRINT.credit
    loose = phrase("a loose band")
    loose_about = phrase("six plain Monsters (HP 18, ATK 3) are assumed, and nothing is recorded")
    actions: ClassVar[tuple[type[Action], ...]] = do.VOCABULARY
    mark_types: ClassVar[tuple[type[Mark], ...]] = MARKS
    house: ClassVar[type[HouseRules]] = House
    state = DungeonTable
    display = _DISPLAY
    rules = RULES
    resolution = Resolution
    carries_out_all = True
    paper: ClassVar[PrintedMatter] = IMPRINT.paper
    final_counters = ("hp", "glory")
    book: EffectBook = STANDARD
    """The inscriptions and labels that the cards of its bands can bear."""
    additions: Homebrew | None = None
    """The homebrew by which its book differs from the printed one."""

    def with_homebrew(self, text: str, page: str, *, kept: bool = False) -> DecknForge:
        """Return the game with a campaign's own inscriptions and labels; see `decknforge.book.homebrew`."""
        brew, book = self.homebrew.read(text, kept=kept)
        rules: Any = DecknForge()  # overrides class attributes on the instance
        rules.additions, rules.book, rules.page, rules.author = brew, book, page, brew.by
        title = brew.texts.name(brew.title)
        rules.title = joined(": ", (self.title, title))
        rules.about = brew.texts.name(brew.about) or self.about
        if brew.by:
            added = phrase("With {homebrew} by {author}.", homebrew=title, author=brew.by)
        else:
            added = phrase("With {homebrew}.", homebrew=title)
        rules.credit = joined(" ", (self.credit, added))
        rules.paper = BandPaper(rules.book)
        brewed: DecknForge = rules
        return brewed

    @property
    def word(self) -> str:
        """`decknforge`, or the name of its homebrew."""
        return self.additions.name if self.additions else self.name

    @cached_property
    def homebrew(self) -> BandHomebrew:
        """Its homebrew, for users and for the archive."""
        from companion.games.decknforge.book.game_homebrew import BandHomebrew

        return BandHomebrew(self.book, self.additions)

    @cached_property
    def decks(self) -> BandDecks:
        """Its bands: forms, storage rules, stories, portraits and figures."""
        from companion.games.decknforge.decks.game_decks import BandDecks

        return BandDecks(self.book)

    @property
    def rehearsal(self) -> Rehearsal:
        """The rules for simulated wizards."""
        from companion.games.decknforge.rehearsal.rehearsal import DungeonRehearsal

        return DungeonRehearsal(self, self.book)

    @property
    def adviser(self) -> Adviser:
        """The adviser for a wizard's next decision."""
        from companion.games.decknforge.rehearsal.advice import DungeonAdviser

        return DungeonAdviser(self)

    def new(self) -> DungeonTable:
        """Return the empty table, before set-up."""
        return DungeonTable(book=self.book)

    def resolve(self, state: DungeonTable, action: Action, rng: Random) -> Action:
        """Fill in random results, the Monsters for creatures' names, and the action that `next` stands for."""
        action = monster_names.with_refs(state, action)
        if isinstance(action, do.BeginDungeon):
            return setup.draw_bosses(state, action, rng)
        if isinstance(action, Next):
            return _action_of_next(state, action, rng)
        if isinstance(action, do.Refill | do.Escalate):
            return round_steps.draw_minion(state, action, rng)
        if isinstance(action, do.Fade):
            return after_fight.draw_cards(state, action, rng)
        if isinstance(action, do.Bosses):
            return setup.draw_flipped(state, action, rng)
        if isinstance(action, do.Lots):
            return drafting.draw_lots(state, action, rng)
        return super().resolve(state, action, rng)

    def check(self, state: DungeonTable, action: Action) -> None:
        """Raise RuleError for a venue after the seal, as it would no longer be stored."""
        if state.step == "sealed" and isinstance(action, Venue):
            raise RuleError(phrase("This game is sealed; its records already say where it was played."))

    def carry_out(self, resolution: Resolution, action: Action) -> None:
        """Apply the action, then advance through the steps in which no player has a choice."""
        if _names_another_minion(action, resolution.state):
            assert action.minion is not None
            round_steps.replace_minion(resolution, action.minion)
            following = None
        else:
            following = super().carry_out(resolution, action)
        _forget_impossible(resolution, action)
        if following:
            enter_step(resolution, following)
        leave_finished_steps(resolution)

    def out_of_step(self, state: DungeonTable, action: type[Action]) -> Text:
        """Return why an action does not belong to this step, or why no player is asked for it."""
        return super().out_of_step(state, action) or payments.why_not_asked(state, action)

    def not_now(self, verb: str, rule: ActionRule, step: str) -> Text:
        """Return why an action is not allowed now, and when it is."""
        if step == "setup":
            return phrase("`{verb}` comes after `begin`.", verb=verb)
        if step == "sealed":
            return phrase("This game is sealed; nothing more can be done in it.")
        if step in _AFTER and rule.steps >= frozenset(ROUND_STEPS):
            return phrase("`{verb}` is only possible before the last fight is over; `undo` leads back.", verb=verb)
        if verb == "seat":
            return phrase(
                "The dungeon has begun: `join` seats somebody who comes late, `undo` leads back into the set-up."
            )
        if rule.steps == _SETUP:
            return phrase("`{verb}` belongs to the set-up, and the dungeon has begun; `undo` leads back.", verb=verb)
        # Of several steps, each is joined to those before it.
        first, *others = (STEP_WORDS[name] for name in STEPS if name in rule.steps)
        steps: Text = first
        for other in others:
            steps = any_of((steps, other))
        if step == FLIP:
            return phrase(
                "`{verb}` belongs to the step {steps}; say first which Boss was flipped (R1.11).",
                verb=verb,
                steps=steps,
            )
        return phrase(
            "`{verb}` belongs to the step {steps}; the step now is {step} (`next` finishes it).",
            verb=verb,
            steps=steps,
            step=STEP_WORDS[step],
        )

    def way_on(self, state: DungeonTable) -> WayOn | None:
        """Return the way through the steps of the round, up to the next reveal."""
        return way_on(state)

    def propose_candidates(self, state: DungeonTable, draft: Draft, field: str) -> Candidates | None:
        """Return the candidates for a field."""
        return candidates.candidates(state, draft, field)

    def terms(self) -> tuple[Term, ...]:
        """Return the inscriptions and labels with their effects."""
        own = tuple(terms(self.book)) if self.additions else TERMS
        return (*own, *super().terms())

    def setup_lines(
        self, seat: str, record: Record, purse: int = 0, kept: Mapping[str, int] = MappingProxyType({})
    ) -> tuple[Action, ...]:
        """Return the set-up lines of a stored band, and of the purse and the Mythics its wizard brings.

        Raises RuleError if the band has retired, or bears effects of a homebrew that this table does not have.
        """
        assert isinstance(record, BandRecord)
        if record.retired:
            raise RuleError(phrase("{band} has retired and is not played any more (R1.81).", band=record.name))
        self._refuse_foreign(record)
        monsters = (
            do.MonsterCard(seat, card, monster.name, monster.hp, monster.atk, monster.legend, monster.labels)
            for card, monster in record.monsters.items()
        )
        inscribed = (
            do.InscribedCard(seat, card, name, anyway=placement_error(name, card, names[:place], self.book) != "")
            for card, names in record.inscribed.items()
            for place, name in enumerate(names)
        )
        gone = tuple(name for name in record.lost_inscriptions if name in self.book.inscriptions)
        return (
            do.BandSeat(seat, band=record.name, flaws=band_flaws(record.monsters, record.inscribed, self.book)),
            *monsters,
            *inscribed,
            *((do.History(seat, gone),) if gone else ()),
            *((do.Dungeons(seat, record.dungeons),) if record.dungeons else ()),
            *((do.Purse(seat, purse),) if purse > 0 else ()),
            *mythic_lines(seat, kept),
        )

    def _refuse_foreign(self, record: BandRecord) -> None:
        """Raise RuleError if a band bears an inscription or label that this table's book does not have."""
        on_cards = (name for names in record.inscribed.values() for name in names)
        foreign = [name for name in on_cards if name not in self.book.inscriptions]
        on_monsters = (name for monster in record.monsters.values() for name in monster.labels)
        foreign += [name for name in on_monsters if name not in self.book.labels]
        if foreign:
            raise RuleError(
                phrase(
                    "{band} bears {effects} of a homebrew, but this table plays {game}; open a table of "
                    "that homebrew, which `companion homebrew list` shows.",
                    band=record.name,
                    effects=all_of(map(effect_title, dict.fromkeys(foreign))),
                    game=self.title,
                )
            )

    def stored_decks(self, state: DungeonTable) -> Mapping[str, SeatedDeck]:
        """Return the stored bands by seat."""
        return {seat: SeatedDeck(band.deck, band.name) for seat, band in state.bands.items() if band.deck}

    def check_held(self, state: DungeonTable, seat: str, card: str) -> None:
        """Refuse Monsters, and cards that are committed or lie revealed (R1.2, R1.15)."""
        check_playable(state, seat, read_card(card))

    def read_anew(self, resolution: Resolution, action: RefreshDeck, lines: Sequence[Action]) -> None:
        """Replace a band with its present state plus this dungeon's changes, then advance if no question is open."""
        self.decks.read_anew(resolution, action.seat, lines)
        if resolution.state.step != "setup":
            leave_finished_steps(resolution)

    def is_sealed(self, state: DungeonTable) -> bool:
        """Return True once the ceremony after the dungeon is over, whatever it wrote."""
        return state.step == "sealed"

    def marks(self, state: DungeonTable) -> Mapping[DeckId, tuple[Mark, ...]]:
        """Return the marks that the sealed game writes into the records of its stored bands.

        A band that gets an effect of the homebrew uses that homebrew's text from then on.
        """
        marks = record.marks(state)
        if self.additions is None:
            return marks
        taken = EditionTaken(self.page, self.additions.edition, self.additions.title)
        return {deck: (taken, *of_deck) if self._is_own(of_deck) else of_deck for deck, of_deck in marks.items()}

    def _is_own(self, marks: Sequence[Mark]) -> bool:
        """Return True if marks write an effect on cards that is not in the rulebook."""
        written = {mark.inscription for mark in marks if isinstance(mark, CardInscribed | CarriedIn)}
        labels = {mark.label for mark in marks if isinstance(mark, Labelled)}
        return not (written <= STANDARD.inscriptions.keys() and labels <= STANDARD.labels.keys())

    @cached_property
    def evenings(self) -> DungeonEvenings:
        """The facts of a dungeon, and its summaries."""
        from companion.games.decknforge.table.evenings import DungeonEvenings

        return DungeonEvenings()

    @property
    def purses(self) -> WizardPurses:
        """The Coppers and Mythics of its wizards."""
        return WizardPurses()

    @property
    def results(self) -> DungeonResults:
        """The results of dungeons, with the bands, the rounds and the Bosses."""
        return DungeonResults(self.display, self.final_counters)

    @property
    def corrections(self) -> DungeonCorrections:
        """The corrections of drawn Monsters."""
        return DungeonCorrections(self)

    def record(self, marks: tuple[Mark, ...]) -> BandRecord:
        """Return a band as it is today."""
        return record.record(marks, self.book)


def _action_of_next(state: DungeonTable, action: Next, rng: Random) -> Action:
    """Return the line that `next` stands for, for the log: a flip, a refill, a Minion, a curse; else `next`."""
    if state.step == FLIP and not state.house.table_draws:
        return setup.draw_flipped(state, do.Bosses(is_drawn=True), rng)
    if state.step == "refill":
        return round_steps.draw_minion(state, do.Refill(), rng)
    if state.minion_due and state.step == "minions":
        return round_steps.draw_minion(state, do.Escalate(), rng)
    return kill.drawn_for_curse(state, action, rng) if state.step == "kill" else action


GAME: Final = DecknForge()
