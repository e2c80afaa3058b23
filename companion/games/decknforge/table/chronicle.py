"""The facts of a dungeon, derived from its actions: who took which Boss, the hardest hits, the turning points."""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set
from typing import Final

from companion.games.decknforge.book.ledger import inscriptions_on, wound_damage
from companion.games.decknforge.book.state import DungeonTable, Wizard
from companion.games.decknforge.decks.evening import (
    BorneBy,
    BossFight,
    Drift,
    Dungeon,
    EveningHit,
    InscriptionChange,
    LabelChange,
    NarrowestMoment,
    PlayedHit,
    PlayedStrike,
    Rescue,
    TurningPoint,
    WizardResult,
)
from companion.games.decknforge.rules import actions as do
from companion.games.decknforge.rules.arithmetic import atk, compute_strike
from companion.games.decknforge.rules.loose import is_unnamed
from companion.games.decknforge.rules.round_steps import ROUND_STEPS
from companion.games.decknforge.table.watchlist import kills_boss, kills_boss_by_card, stolen_kills
from companion.tabletop.evening import Participant
from companion.tabletop.evenings import PlayedAction
from companion.tabletop.notation.arguments import Ref
from companion.tabletop.notation.cards import Card
from companion.tabletop.table.common_actions import Add
from companion.tabletop.table.common_actions import Set as SetCounter

HEALED: Final = 5
"""HP that a Boss must regain at once for a turning point."""


def dungeon(played: Sequence[PlayedAction]) -> Dungeon | None:
    """Return the facts of a dungeon as far as it was played, with corrections applied; None before the first fight."""
    fought = [deed for deed in played if deed.after.boss is not None]
    if not fought:
        return None
    end: DungeonTable = played[-1].after
    fights = tuple(_fights(fought, frozenset(end.killed_bosses)))
    return Dungeon(
        participants=tuple(
            Participant(
                wizard.seat, wizard.name, wizard.person, band.deck, "" if is_unnamed(wizard, band) else band.name
            )
            for wizard in end.wizards
            for band in (end.bands[wizard.seat],)
        ),
        outcome=end.outcome or "",
        fights=fights,
        best_hit=max(_boss_hits(fought), key=lambda hit: hit.damage, default=None),
        best_strike=max(played_strikes(fought), key=lambda strike: strike.damage, default=None),
        narrowest=None if played[-1].after.outcome == "loss" else _narrowest_moment(fought),
        turning_points=tuple(_turning_points(played)),
        wizards=tuple(_wizard_result(end, wizard) for wizard in end.wizards),
        inscriptions=tuple(
            InscriptionChange(change.what, change.band, change.card, change.inscription, change.by)
            for change in end.changes
        ),
        labels=tuple(LabelChange(*_split_ref(ref), label, by) for ref, label, by in end.added_labels),
        draft=end.draft,
        drifts=tuple(
            Drift(wizard.holds, wizard.seat)
            for wizard in end.wizards
            if wizard.holds not in ("", wizard.seat, *end.kept_by_holder)
        ),
        retired=tuple(seat for seat, band in end.bands.items() if band.retired),
        borne=tuple(_borne_inscriptions(fought)),
        rescues=tuple(_rescues(fought)),
    )


def _split_ref(ref: Ref) -> tuple[str, Card]:
    seat, _, card = ref.partition(":")
    return seat, Card(card)


def _wizard_result(end: DungeonTable, wizard: Wizard) -> WizardResult:
    placed = sum(change.what == "mythic" and change.by == wizard.seat for change in end.changes)
    return WizardResult(
        wizard.seat,
        wizard.glory,
        wizard.personal,
        wizard.purse - wizard.starting_purse,
        wizard.earned,
        wizard.mythics - wizard.starting_mythics + placed,
    )


def _fights(fought: Sequence[PlayedAction], killed: Set[Ref]) -> Iterator[BossFight]:
    """Yield every fight, in order: as its last table shows it, with the results of its rounds.

    A Boss that no wizard takes is removed by the line that kills it, so that no table shows it dead (A1.72).
    """
    fights: dict[tuple[int, Ref], list[PlayedAction]] = {}
    for deed in fought:
        fights.setdefault((deed.after.number, deed.after.boss.ref), []).append(deed)
    for (number, ref), deeds in fights.items():
        end: DungeonTable = deeds[-1].after
        kill = next((deed for deed in deeds if kills_boss(deed)), None)
        at_kill = next((deed.after for deed in reversed(deeds) if ref in deed.after.killed_bosses), None)
        has_card = kill is not None and kills_boss_by_card(kill)
        monster = end.monsters[ref]
        band, card = _split_ref(ref)
        assert end.boss is not None
        start = deeds[0].after.boss.hp if deeds[0].after.momentum_used else end.boss.max
        yield BossFight(
            number,
            band,
            card,
            monster.name,
            end.boss.max,
            monster.atk,
            monster.legend,
            tuple(active.label for active in end.boss.labels),
            rounds=end.round,
            dead=ref in killed,
            killer=(at_kill.killer or "") if at_kill else "",
            kill_card=(at_kill.kill_card or "") if at_kill and has_card else "",
            is_card_unknown=kill is not None and not has_card and kill.before.step != "attack",
            overkill=at_kill.overkill if at_kill else 0,
            hp_after=_hp_after(deeds, dead=ref in killed),
            damage=_damage_by_seat(deeds),
            hp_at_start=start if start < end.boss.max else None,
        )


def _hp_after(deeds: Sequence[PlayedAction], *, dead: bool) -> tuple[int, ...]:
    """Return the Boss's HP at the end of each round; a dead one's is 0 at the last."""
    rounds = {deed.after.round: deed.after.boss.hp for deed in deeds}
    return (*tuple(rounds.values())[:-1], 0) if dead else tuple(rounds.values())


def _damage_by_seat(deeds: Sequence[PlayedAction]) -> dict[str, int]:
    damage: dict[str, int] = {}
    for strike in played_strikes(deeds):
        for hit in strike.hits:
            damage[hit.seat] = damage.get(hit.seat, 0) + hit.damage
    return damage


def played_strikes(fought: Sequence[PlayedAction]) -> Iterator[PlayedStrike]:
    """Yield every step 4 in which cards hit the Boss."""
    for deed in fought:
        before: DungeonTable = deed.before
        if before.boss is None or not _resolves_damage(deed):
            continue
        strike = compute_strike(before, before.boss)
        hits = tuple(PlayedHit(hit.upcard.controller, hit.upcard.card, hit.dealt) for hit in strike.hits)
        if hits:
            yield PlayedStrike(before.number, before.round, strike.total, hits)


def _boss_hits(fought: Sequence[PlayedAction]) -> Iterator[EveningHit]:
    """Yield every card that hit a Boss, with the fight and round."""
    for strike in played_strikes(fought):
        yield from (EveningHit(hit.seat, hit.card, hit.damage, strike.boss, strike.round) for hit in strike.hits)


def _resolves_damage(deed: PlayedAction) -> bool:
    """Return True if an action led out of step 4 by the rules and not by an override."""
    steps = deed.before.step, deed.after.step
    by_hand = isinstance(deed.action, SetCounter | Add)
    return steps[0] in ("declare", "damage") and steps[1] not in ("declare", "damage") and not by_hand


def _narrowest_moment(fought: Sequence[PlayedAction]) -> NarrowestMoment | None:
    """Return the fewest HP above 0 with which a wizard survived a fight; None if no wizard lost any."""
    lowest: NarrowestMoment | None = None
    in_fight: dict[str, NarrowestMoment] = {}
    boss = ""
    for deed in fought:
        after = deed.after
        if after.boss.ref != boss:
            in_fight, boss = {}, after.boss.ref
        for wizard in after.wizards:
            fewest = in_fight[wizard.seat].hp if wizard.seat in in_fight else after.full_hp
            if wizard.in_fight and 0 < wizard.hp < fewest:
                in_fight[wizard.seat] = NarrowestMoment(wizard.seat, wizard.hp, after.number, after.round)
        if kills_boss(deed):
            survived = [moment for seat, moment in in_fight.items() if after.wizard(seat).in_fight]
            lowest = min((*([lowest] if lowest else []), *survived), key=lambda moment: moment.hp, default=None)
    return lowest


def _turning_points(played: Sequence[PlayedAction]) -> Iterator[TurningPoint]:
    """Yield the turning points of the evening, in order."""
    stolen = {id(kill.deed): kill for kill in stolen_kills(played)}
    leader = ""
    for deed in played:
        before, after = deed.before, deed.after
        when = before.number, before.round
        if before.boss is not None and not isinstance(deed.action, SetCounter | Add):
            healed = deed.least_change(_regained_hp)
            if healed >= HEALED:
                yield TurningPoint("healed", *when, amount=healed)
            yield from _departures(before, after, when)
        if kill := stolen.get(id(deed)):
            yield TurningPoint("stolen", *when, kill.killer, kill.robbed)
        if kills_boss(deed) and (now := _leader(after)) and now != leader:
            if leader:
                yield TurningPoint("lead", *when, now, leader, after.wizard(now).personal)
            leader = now


def _borne_inscriptions(fought: Sequence[PlayedAction]) -> Iterator[BorneBy]:
    """Yield the inscriptions of the bands at the first fight, with the kills of the cards that bore them then (R1.50).

    A card of another band, taken by Snipe, counts for the band that it belongs to (A1.58).
    """
    first: DungeonTable = fought[0].after
    kills: dict[tuple[str, str], int] = {}
    for deed in fought:
        if kills_boss_by_card(deed):
            before, card = deed.before, deed.after.kill_card
            owners = [upcard.owner for upcard in before.cards_of(deed.after.killer or "") if upcard.card == card]
            for owner in owners[:1]:
                for name in inscriptions_on(before, owner, card):
                    kills[owner, name] = kills.get((owner, name), 0) + 1
    for seat, band in first.bands.items():
        for name in dict.fromkeys(name for names in band.inscribed.values() for name in names):
            yield BorneBy(seat, name, kills.get((seat, name), 0))


def _rescues(fought: Sequence[PlayedAction]) -> Iterator[Rescue]:
    """Yield the wizards whom another wizard kept from falling to the Boss's next attack (R1.26, R1.44)."""
    for deed in fought:
        before: DungeonTable = deed.before
        if before.boss is None:
            continue
        when = before.number, before.round
        threatened = [
            wizard.seat
            for wizard in before.wizards
            if wizard.in_fight and 0 < wizard.hp <= wound_damage(wizard, atk(before, before.boss)) and not wizard.braced
        ]
        if kills_boss(deed) and deed.after.kill_card is not None and (killer := deed.after.killer):
            yield from (Rescue("kill", killer, seat, *when) for seat in threatened if seat != killer)
        elif isinstance(deed.action, do.Patron) and deed.action.choice == "heal" and deed.action.other in threatened:
            healed = deed.after.wizard(deed.action.other)
            if deed.after.boss is not None and healed.hp > wound_damage(healed, atk(deed.after, deed.after.boss)):
                yield Rescue("patron", deed.action.seat, deed.action.other, *when)


def _regained_hp(before: DungeonTable, after: DungeonTable) -> int:
    """Return the HP that the Boss regained."""
    if before.boss is None or after.boss is None or after.boss.ref != before.boss.ref:
        return 0
    return after.boss.hp - before.boss.hp


def _departures(before: DungeonTable, after: DungeonTable, when: tuple[int, int]) -> Iterator[TurningPoint]:
    """Yield the wizards who fell or left for good."""
    for was, now in zip(before.wizards, after.wizards, strict=False):
        if now.has_left and not was.has_left:
            yield TurningPoint("left", *when, now.seat)
        elif was.in_fight and not now.in_fight and now.hp == 0 and before.step in ROUND_STEPS:
            yield TurningPoint("fell", *when, now.seat)


def _leader(state: DungeonTable) -> str:
    """Return the seat that alone has most personal Glory, or ""."""
    best = max(wizard.personal for wizard in state.wizards)
    leaders = [wizard.seat for wizard in state.wizards if wizard.personal == best]
    return leaders[0] if best and len(leaders) == 1 else ""
