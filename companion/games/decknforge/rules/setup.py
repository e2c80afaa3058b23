"""Set-up: seats, bands and Bosses; and wizards who join late."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random
from typing import Any, Final

import msgspec

from companion.games.decknforge.book.founding import fragile_findings, label_findings, no_monster, placement_error
from companion.games.decknforge.book.state import (
    BOSSES,
    COMBAT_CARDS,
    COMBAT_DECK,
    EDITION,
    MONSTER_CARDS,
    Band,
    DungeonTable,
    Monster,
    Resolution,
    Wizard,
    starting_hand,
    unnamed_band,
)
from companion.games.decknforge.rules.actions import (
    Active,
    BandSeat,
    BeginDungeon,
    Bosses,
    Deal,
    Dungeons,
    History,
    InscribedCard,
    Join,
    MonsterCard,
    Mythics,
    Purse,
)
from companion.games.decknforge.rules.fight import FLIP, begin_fight, is_under_way, meet_boss
from companion.tabletop.action import RuleError
from companion.tabletop.decks.form import Finding, refuse_errors
from companion.tabletop.notation.arguments import Ref
from companion.tabletop.notation.cards import Card
from companion.tabletop.table.common_actions import Rule, check_brings_deck
from companion.tabletop.table.state import put_at_seat
from companion.tabletop.tracking import agree_on_rule, forget_cards
from templates.languages.messages import Finished, any_of, listed, phrase

MOST_WIZARDS: Final = 5


def seat_wizard(resolution: Resolution, action: BandSeat) -> None:
    """Seat a wizard with a band (R1.1); a loose band has six plain Monsters unless `monster` lines describe them.

    A wizard who is already seated gets another stored band.
    """
    state = resolution.state
    is_seated = action.seat in state.bands
    if is_seated:
        check_brings_deck(action)
    elif len(state.wizards) == MOST_WIZARDS:
        raise RuleError(phrase("The table is full: at most {wizards} wizards can play (R1.1).", wizards=MOST_WIZARDS))
    others = (band for seat, band in state.bands.items() if seat != action.seat)
    if brought := [band.title for band in others if action.deck and band.deck == action.deck]:
        raise RuleError(phrase("{band} is at this table already; a box can be opened once.", band=brought[0]))
    if action.flaws:
        resolution.tell(
            phrase(
                "{band} is not a legal band: {flaws} It can be played anyway if everybody agrees.",
                band=action.band,
                flaws=action.flaws,
            ),
            action.seat,
        )
    name = action.title
    band = Band(action.band or unnamed_band(name), action.deck, wizard="" if action.band else name)
    if is_seated:
        text = phrase(
            "{player} now brings {band} instead of {other}.",
            player=name,
            band=band.title,
            other=state.bands[action.seat].title,
        )
        resolution.tell(text, action.seat)
    resolution.change(
        wizards=put_at_seat(state.wizards, Wizard(action.seat, name, action.person, hp=state.full_hp)),
        bands={**state.bands, action.seat: band},
        monsters={**state.monsters, **{Ref(f"{action.seat}:{card}"): Monster("") for card in MONSTER_CARDS}},
        active=state.active or action.seat,
    )


def inscribe_card(resolution: Resolution, action: InscribedCard) -> None:
    """Put an inscription on a card (R1.9); `anyway` overrides the rules of placement."""
    state = resolution.state
    state.wizard(action.seat)
    band = state.bands[action.seat]
    present = band.inscribed.get(action.card, ())
    why = placement_error(
        action.inscription, action.card, present, state.book, state.house, any_card=state.house.reaper_any_card
    )
    if why and (not action.anyway or action.card not in COMBAT_CARDS):
        raise RuleError(Finished(why))
    on_cards = {**band.inscribed, action.card: (*present, action.inscription)}
    resolution.update_band(action.seat, inscribed=on_cards, history=(*band.history, action.inscription))


def write_monster(resolution: Resolution, action: MonsterCard) -> None:
    """Set a Monster as written on its card (R1.6); omitted values are those of a plain one."""
    resolution.state.wizard(action.seat)
    if action.card not in MONSTER_CARDS:
        raise RuleError(no_monster(action.card, "R1.2"))
    for label in action.labels:
        resolution.state.book.label(label)
    refuse_errors(label_findings(action.card, action.labels, book=resolution.state.book))
    monster_card = Monster(action.name, action.hp, action.atk, action.legend, action.labels)
    resolution.change(monsters={**resolution.state.monsters, Ref(f"{action.seat}:{action.card}"): monster_card})


def set_dungeons(resolution: Resolution, action: Dungeons) -> None:
    """Set the dungeons that the band has completed (R1.70)."""
    resolution.state.wizard(action.seat)
    resolution.update_band(action.seat, dungeons=action.count)


def set_purse(resolution: Resolution, action: Purse) -> None:
    """Set the Coppers that the wizard brings (R1.80)."""
    wizard = resolution.state.wizard(action.seat)
    resolution.update_wizard(
        action.seat,
        purse=action.coppers,
        starting_purse=action.coppers,
        keeps_purse=wizard.keeps_purse or action.kept,
    )


def set_mythics(resolution: Resolution, action: Mythics) -> None:
    """Set the Mythics that the wizard has not placed yet (§1.12, A1.19)."""
    resolution.state.wizard(action.seat)
    resolution.update_wizard(action.seat, mythics=action.count, starting_mythics=action.count)


def add_history(resolution: Resolution, action: History) -> None:
    """Add inscriptions that the band once bore (A1.43)."""
    resolution.state.wizard(action.seat)
    for name in action.inscriptions:
        resolution.state.book.inscription(name)
    band = resolution.state.bands[action.seat]
    resolution.update_band(action.seat, history=(*action.inscriptions, *band.history))


def name_bosses(resolution: Resolution, action: Bosses) -> str | None:
    """Set the first Bosses in this order (R1.11); once the dungeon has begun, those that were really flipped.

    Returns the step to enter if the Boss on the table changes.
    """
    if not action.monsters:
        raise RuleError(
            phrase("Say which Monster was flipped, by its name or its card; `bosses drawn` draws one for you (R1.11).")
            if resolution.state.step == FLIP
            else phrase("Say which Monster was flipped: `bosses REF`, or the beginning of its name (R1.11).")
        )
    if len(action.monsters) > BOSSES:
        raise RuleError(
            phrase(
                "A dungeon has {bosses} Bosses; {named} are named (R1.11).", bosses=BOSSES, named=len(action.monsters)
            )
        )
    check_refs(resolution.state, action.monsters)
    if resolution.state.step == "setup":
        resolution.change(order=action.monsters)
        return None
    return _flip_bosses(resolution, action.monsters)


def settled_bosses(state: DungeonTable) -> tuple[Ref, ...]:
    """Return the settled Bosses: those fought so far, and the present one once its fight is under way (R1.11)."""
    return state.order[: state.number - (not is_under_way(state))] if state.number else ()


def possible_bosses(state: DungeonTable) -> tuple[Ref, ...]:
    """Return the Monsters that can be Bosses of this dungeon: all that have not come as a Minion (R1.11)."""
    return (*state.order, *state.pool) if state.number else tuple(state.monsters)


def _flip_bosses(resolution: Resolution, named: tuple[Ref, ...]) -> str | None:
    """Set the Bosses that were really flipped (R1.11); the ones they displace go to the pool."""
    state = resolution.state
    now = state.number - 1
    fought = state.order[:now]
    if state.house.table_draws and not set(named) & set(fought):
        named = (*fought, *named)
    if named[:now] != fought[: len(named)] or len(named) > BOSSES:
        raise RuleError(phrase("The Bosses fought so far stay: {monsters} (R1.11).", monsters=listed(fought)))
    if state.step == FLIP and len(named) == now:
        raise RuleError(
            phrase("{monster} was fought already; say which Monster was flipped now (R1.11).", monster=named[-1])
        )
    order = (*named, *_drawn_behind(state, named))
    if minions := [ref for ref in named if ref not in possible_bosses(state)]:
        raise RuleError(
            phrase(
                "{monsters} came as a Minion already and cannot be a Boss of this dungeon (R1.11).",
                monsters=listed(minions),
            )
        )
    pool = tuple(ref for ref in (*state.pool, *state.order) if ref not in order)
    # If another Boss is inserted among the named ones, those after it count as not named.
    count = max(len(named), state.named_bosses) if order == state.order else len(named)
    is_same = order[now : now + 1] == state.order[now : now + 1]
    if not is_same and is_under_way(state):
        raise RuleError(phrase("The fight against this Boss is under way; `undo` leads back to its flip."))
    resolution.change(order=order, pool=pool, named_bosses=count, draws=state.draws + (state.step == FLIP))
    if is_same:
        return None
    if state.boss is not None:
        resolution.change(momentum=state.momentum_used)
        if state.boss.written is not None:
            # A correction of the card that was not flipped does not apply to the one that was.
            resolution.change(monsters={**state.monsters, state.boss.ref: state.boss.written})
    begin_fight(resolution, state.number)
    return "labels"


def _drawn_behind(state: DungeonTable, named: tuple[Ref, ...]) -> tuple[Ref, ...]:
    """Return the Bosses that remain drawn after the named ones: none if the players flip each as it comes."""
    if state.house.table_draws:
        return state.order[len(named) :] if named == state.order[: len(named)] else ()
    return tuple(ref for ref in state.order if ref not in named)[: BOSSES - len(named)]


def draw_flipped(state: DungeonTable, action: Bosses, rng: Random) -> Bosses:
    """Draw the flipped Boss if the players ask the program to; if the program draws all Bosses, all that are left."""
    if action.monsters or not action.is_drawn or state.step != FLIP or not state.pool:
        return action
    count = 1 if state.house.table_draws else BOSSES - len(state.order)
    return Bosses((*state.order, *rng.sample(sorted(state.pool), count)), is_drawn=True)


def agree(resolution: Resolution, action: Rule) -> None:
    """Apply a house rule; drawn Bosses not seen yet are shuffled back if the players draw from now on."""
    before = resolution.state.full_hp
    agree_on_rule(resolution, action)
    state = resolution.state
    if state.full_hp != before:
        for wizard in state.wizards:
            resolution.update_wizard(wizard.seat, hp=state.full_hp if wizard.hp == before else wizard.hp)
        state = resolution.state
    seen = max(state.number, state.named_bosses)
    if state.has_begun and state.house.table_draws and len(state.order) > seen:
        resolution.change(order=state.order[:seen], pool=(*state.pool, *state.order[seen:]))


def check_refs(state: DungeonTable, refs: tuple[Ref, ...]) -> None:
    """Raise RuleError if one of these is no Monster of this table, or appears twice."""
    for ref in refs:
        if ref not in state.monsters:
            seat, _, card = ref.partition(":")
            state.wizard(seat)
            raise RuleError(no_monster(Card(card), "R1.2"))
    if len(set(refs)) < len(refs):
        raise RuleError(phrase("The same Monster is named twice; each is in the dungeon once (R1.11)."))


def set_active(resolution: Resolution, action: Active) -> None:
    """Set the first active wizard (R1.10)."""
    resolution.change(active=resolution.state.wizard(action.seat).seat)


def draw_bosses(state: DungeonTable, action: BeginDungeon, rng: Random) -> BeginDungeon:
    """Draw the six Bosses and the lots for a full tie in the draft (R1.11, A1.44), and set the edition.

    A complete line has begun a dungeon before and keeps its own edition. Earlier draws are kept as long as they fit the
    table; if the set-up was amended since, they are drawn again.
    """
    if not state.wizards:
        return action
    bosses = action.bosses
    possible = set(bosses) <= set(state.monsters) and len(set(bosses)) == len(bosses) <= BOSSES
    if state.house.table_draws:
        return msgspec.structs.replace(action, bosses=state.order, lots=(), edition=max(action.edition, EDITION))
    named = bosses if possible and bosses[: len(state.order)] == state.order else state.order
    rest = sorted(ref for ref in state.monsters if ref not in named)
    lots = [wizard.seat for wizard in state.wizards]
    order = (*named, *rng.sample(rest, BOSSES - len(named)))
    keep_lots = sorted(action.lots) == sorted(lots)
    rng.shuffle(lots)
    edition = action.edition if len(bosses) == BOSSES and action.lots else EDITION
    return msgspec.structs.replace(
        action, bosses=order, lots=action.lots if keep_lots else tuple(lots), edition=edition
    )


def begin(resolution: Resolution, action: BeginDungeon) -> str:
    """Deal the starting hands and flip the first Boss (R1.11–R1.13). Returns the next step."""
    state = resolution.state
    if not state.wizards:
        raise RuleError(phrase("Nobody is at the table; `seat NAME` seats the first wizard."))
    check_refs(state, action.bosses)
    table_draws = state.house.table_draws
    is_complete = action.bosses == state.order if table_draws else len(action.bosses) == BOSSES
    if not is_complete or action.bosses[: len(state.order)] != state.order:
        raise RuleError(phrase("A dungeon has {bosses} Bosses, those named by `bosses` first (R1.11).", bosses=BOSSES))
    if sorted(action.lots) != sorted(wizard.seat for wizard in state.wizards if not table_draws):
        raise RuleError(phrase("The lots must name every seat once (A1.44)."))
    if not 1 <= action.edition <= EDITION:
        raise RuleError(
            phrase(
                "These are the rules of edition {edition}; a newer program knows edition {newer}.",
                edition=EDITION,
                newer=str(action.edition),
            )
        )
    for seat, findings in fragile_bands(state):
        for warning in refuse_errors(findings):
            resolution.tell(phrase("{band}: {warning}", band=state.bands[seat].title, warning=warning), seat)
    hand = starting_hand(len(state.wizards))
    if not state.tracks_all:
        forget_cards(resolution)
        resolution.update_everyone(untracked=True, spades_open=True)
    resolution.update_everyone(hand=hand, deck=COMBAT_DECK - hand)
    pool = tuple(ref for ref in state.monsters if ref not in action.bosses)
    resolution.change(
        order=action.bosses,
        named_bosses=len(state.order),
        pool=pool,
        lots=action.lots,
        edition=action.edition,
        seed=action.seed,
        draws=state.draws + 1,
    )
    resolution.tell(
        phrase(
            "Everybody draws {cards} cards; {player} is the active wizard.",
            cards=hand,
            player=resolution.name(state.active),
        ),
        by_hand=True,
    )
    return meet_boss(resolution, 1)


def fragile_bands(state: DungeonTable) -> Iterator[tuple[str, tuple[Finding, ...]]]:
    """Yield new bands with one or two inscribed cards, by seat, with the finding (A1.2).

    That is a warning, or with `min-inscribed strict3` an error.
    """
    strict = state.house.min_inscribed == "strict3"
    for seat, band in state.bands.items():
        if not band.dungeons and (findings := tuple(fragile_findings(len(band.inscribed), strict))):
            yield seat, findings


def join(resolution: Resolution, action: Join) -> str | None:
    """Seat a wizard after the last one, with a full hand; their Monsters go into the Minion Pool (R1.11, R1.13).

    Returns the step to enter if they take part in the fight that is about to begin.
    """
    if action.seat in resolution.state.bands:
        raise RuleError(phrase("{seat} has a seat already; every seat needs a word of its own.", seat=action.seat))
    waits = is_under_way(resolution.state)
    if waits and resolution.state.is_last_boss:
        raise RuleError(
            phrase("The last fight is under way, and no Boss comes after it (R1.11); join the next dungeon.")
        )
    seat_wizard(resolution, action)
    state = resolution.state
    hand, late = state.hand_limit, "waits" if waits else "joins"
    if not state.tracks_all:
        forget_cards(resolution)
    resolution.update_wizard(
        action.seat,
        hand=hand,
        deck=COMBAT_DECK - hand,
        in_fight=not waits,
        late=late,
        deal_open=starting_hand(len(state.wizards)) != hand,
    )
    theirs = tuple(Ref(f"{action.seat}:{card}") for card in MONSTER_CARDS)
    resolution.change(pool=(*state.pool, *theirs), lots=(*state.lots, action.seat) if state.lots else ())
    name = resolution.name(action.seat)
    if waits:
        text = phrase(
            "{player} joins and draws {cards} cards; they take part from the next Boss on.", player=name, cards=hand
        )
        resolution.tell(text, action.seat, by_hand=True)
        return None
    text = phrase("{player} joins and draws {cards} cards.", player=name, cards=hand)
    resolution.tell(text, action.seat, by_hand=True)
    if state.boss is None:
        return None
    hp_each = state.monsters[state.boss.ref].hp
    hp = state.boss.hp + hp_each
    resolution.update_foe(state.boss.ref, max=state.boss.max + hp_each, hp=hp, hp_at_start=hp)
    resolution.tell(
        phrase(
            "The Boss has {more} more HP, now {hp}: {wizards} wizards (R1.12).",
            more=hp_each,
            hp=hp,
            wizards=len(state.wizards),
        )
    )
    return "labels"


def opening_hands(state: DungeonTable) -> tuple[int, ...]:
    """Return the possible hands of a wizard who joins late: as a Refill gives, or as all would start with (R1.4)."""
    return tuple(dict.fromkeys((state.hand_limit, starting_hand(len(state.wizards)))))


def deal(resolution: Resolution, action: Deal) -> None:
    """Set the hand of a wizard who joined late, if the book gives two numbers (R1.4, R1.29)."""
    state, wizard = resolution.state, resolution.state.wizard(action.seat)
    hands = opening_hands(state)
    if not wizard.deal_open:
        raise RuleError(
            phrase(
                "{player} has drawn their first hand already; `set {seat} hand N` corrects it.",
                player=wizard.name,
                seat=wizard.seat,
            )
        )
    if action.cards not in hands:
        raise RuleError(phrase("Somebody late begins with {cards} cards (R1.4).", cards=any_of(hands)))
    more = action.cards - hands[0]
    resolution.update_wizard(wizard.seat, hand=wizard.hand + more, deck=wizard.deck - more, deal_open=False)
    text = (
        phrase(
            "{player} draws {more} more and begins with {cards} cards.",
            player=wizard.name,
            more=more,
            cards=action.cards,
        )
        if more
        else phrase("{player} begins with {cards} cards.", player=wizard.name, cards=action.cards)
    )
    resolution.tell(text, wizard.seat, by_hand=bool(more))


def of_band(act: Callable[[Resolution, Any], None]) -> Callable[[Resolution, Any], str | None]:
    """Return a function that applies a line about a band: in the set-up, or later for a wizard who has just joined."""

    def apply_band_line(resolution: Resolution, action: Any) -> str | None:
        state = resolution.state
        if state.step != "setup" and not _has_just_come(state, action.seat):
            raise RuleError(
                phrase(
                    "`{verb}` belongs to the set-up, and the dungeon has begun; `undo` leads back.", verb=action.verb()
                )
            )
        act(resolution, action)
        # The number of dungeons of the band decides whether its wizard may add a label (R1.70).
        return None if state.step == "setup" or state.boss is None or is_under_way(state) else "labels"

    return apply_band_line


def _has_just_come(state: DungeonTable, seat: str) -> bool:
    """Return True if a wizard joined late and has not fought yet."""
    late = state.wizard(seat).late
    return late == "waits" or (late == "joins" and not is_under_way(state))


def send_home(resolution: Resolution) -> None:
    """Remove the wizards who still wait for a Boss when the dungeon is over, with their bands unchanged (R1.17)."""
    state = resolution.state
    waiting = [wizard for wizard in state.wizards if wizard.late == "waits"]
    for wizard in waiting:
        text = phrase("{player} came too late for a fight; their band goes home as it came.", player=wizard.name)
        resolution.tell(text, wizard.seat)
    gone = {wizard.seat for wizard in waiting}
    resolution.change(
        wizards=tuple(wizard for wizard in state.wizards if wizard.seat not in gone),
        bands={seat: band for seat, band in state.bands.items() if seat not in gone},
        lots=tuple(seat for seat in state.lots if seat not in gone),
    )
