"""A band as it is today, the sum of its marks; and the marks that a sealed game writes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final

import msgspec

from companion.games.decknforge.book import founding
from companion.games.decknforge.book.effect import EffectBook
from companion.games.decknforge.book.founding import MonsterDraft
from companion.games.decknforge.book.standard import STANDARD
from companion.games.decknforge.book.state import CardChange, DungeonTable, Monster, Wizard
from companion.games.decknforge.decks import marks as m
from companion.games.decknforge.decks.evening import tallies
from companion.tabletop.action import RuleError
from companion.tabletop.decks.form import refuse_errors
from companion.tabletop.notation.cards import Card
from companion.tabletop.records import Done, Mark, Record, effective
from companion.tabletop.table.match_result import Contender, MatchResult, result_of_seat
from templates.languages.messages import Text

MYTHIC: Final = "mythic"
"""The kind of an unplaced Mythic among keepsakes; stored, and so permanent."""


def marks(state: DungeonTable) -> dict[str, tuple[Mark, ...]]:
    """Return the marks that a sealed game writes into the records of its stored bands (R1.80–R1.84)."""
    if state.step != "sealed":
        return {}
    stored = ((band.deck, _marks_of(state, seat)) for seat, band in state.bands.items() if band.deck)
    return {deck: marks for deck, marks in stored if marks}


def _marks_of(state: DungeonTable, seat: str) -> tuple[Mark, ...]:
    wizard, band = state.wizard(seat), state.bands[seat]
    if band.adopted_at is not None:
        return tuple(_card_mark(state, change) for change in state.changes[band.adopted_at :] if change.band == seat)
    labelled = (
        m.Labelled(Card(ref.partition(":")[2]), label, state.wizard(by).name)
        for ref, label, by in state.added_labels
        if ref.partition(":")[0] == seat
    )
    bosses = len(state.killed_bosses)
    marks: list[Mark] = [
        *labelled,
        m.DungeonPlayed(wizard.name, state.outcome or "", bosses, wizard.glory, rounds(state)),
    ]
    marks += (_card_mark(state, change) for change in state.changes if change.band == seat)
    holder = next((other for other in state.wizards if other.holds == seat), None)
    if holder and seat not in state.kept_by_holder and _changes_hands(state, seat, holder):
        marks.append(m.Drifted(holder.name, holder.person))
    if band.retired:
        marks.append(m.BandRetired(wizard.heirloom, wizard.name))
    return tuple(marks)


def _changes_hands(state: DungeonTable, seat: str, holder: Wizard) -> bool:
    """Return True if the wizard who takes a band did not bring it, or if another person holds it by now."""
    wizard = state.wizard(seat)
    is_brought = (holder.name, holder.person) == (wizard.name, wizard.person)
    return not is_brought or state.held_elsewhere.get(seat, holder.name) != holder.name


def rounds(state: DungeonTable) -> int:
    """Return the number of fight rounds of the whole dungeon."""
    return state.earlier_rounds + state.round


def played_result(mark: Mark, deck: str) -> MatchResult | None:
    """Return the outcome of a dungeon from the mark that it left on a band: for all participants if the mark has the
    evening, else only for the band's wizard.
    """
    if not isinstance(mark, m.DungeonPlayed):
        return None
    end = result_of_seat(mark.outcome, "", ())
    figures = {"bosses": mark.bosses}
    evening = mark.evening
    if evening is None:
        alone = Contender("", mark.wizard, end, deck=deck)
        return MatchResult(mark.outcome, (alone,), mark.rounds, figures=figures)
    players = (
        Contender(each.seat, each.name, end, each.person, each.deck, each.called) for each in evening.participants
    )
    return MatchResult(
        mark.outcome,
        tuple(players),
        mark.rounds,
        figures=figures,
        minutes=evening.minutes,
        venue=evening.venue,
        tallies=tuple(tallies(evening)),
    )


def _card_mark(state: DungeonTable, change: CardChange) -> Mark:
    if change.what == "faded" or change.what == "cursed":
        return m.InscriptionCrossedOut(change.card, change.inscription, change.what)
    if change.what == "carried-off":
        return m.CarriedOff(change.card, change.inscription, state.bands[change.by].name)
    if change.what == "carried-in":
        return m.CarriedIn(change.card, change.inscription, state.bands[change.by].name)
    by = state.wizard(change.by).name if change.by else ""
    return m.CardInscribed(change.card, change.inscription, "mythic" if change.what == "mythic" else "bought", by)


NAME: Final = "decknforge"


class BorneInscription(msgspec.Struct, frozen=True):
    """An inscription in the band's life. `dungeon` is the number of dungeons the band had completed when it came.

    `fate` is how it ended ("" while it is on the card), after `until` completed dungeons.
    """

    card: Card
    inscription: str
    tier: str
    source: str
    dungeon: int
    by: str = ""
    fate: str = ""
    until: int | None = None


class BorneLabel(msgspec.Struct, frozen=True):
    """A label on a Monster: who added it, and in which of the band's dungeons."""

    card: Card
    label: str
    tier: str
    by: str
    dungeon: int


class DungeonRun(msgspec.Struct, frozen=True):
    """A dungeon that the band went through: its number for the band, and the results."""

    dungeon: int
    wizard: str
    outcome: str
    bosses: int
    glory: int
    rounds: int = 0


class BandRecord(Record, frozen=True):
    """A band as it is today.

    `glory` is lifetime Glory, `dungeons` the dungeons completed. `history` is every inscription it ever bore, in order;
    `items` the Items that each Monster was built from, if known; `heirloom` the inscription that a retired band left,
    and `successor` the band that carries it.
    """

    glory: int = 0
    dungeons: int = 0
    builder: str = ""
    since: str = ""
    monsters: dict[Card, Monster] = msgspec.field(default_factory=dict)
    inscribed: dict[Card, tuple[str, ...]] = msgspec.field(default_factory=dict)
    history: tuple[str, ...] = ()
    heirloom: str = ""
    successor: str = ""
    items: dict[Card, tuple[Card, ...]] = msgspec.field(default_factory=dict)
    inscriptions: tuple[BorneInscription, ...] = ()
    labels: tuple[BorneLabel, ...] = ()
    log: tuple[DungeonRun, ...] = ()

    @property
    def lost_inscriptions(self) -> tuple[str, ...]:
        """Inscriptions of its history that it bears no longer, in order; of several of one name the last is borne."""
        lost = list(reversed(self.history))
        for names in self.inscribed.values():
            for name in names:
                lost.remove(name)
        return tuple(reversed(lost))


def found_band(
    name: str,
    builder: str,
    drafts: Mapping[Card, MonsterDraft],
    inscribed: founding.Inscribed,
    wizards: int = 3,
    names_in_use: Iterable[str] = (),
    heirloom: m.CardInscribed | None = None,
    person: str = "",
    book: EffectBook = STANDARD,
) -> tuple[tuple[Mark, ...], tuple[Text, ...]]:
    """Return the marks of a new band, and the warnings about it (R1.5–R1.9).

    `inscribed` are the starting inscriptions in order, `wizards` is the number of players (for the budget),
    `names_in_use` are the names of all present and former bands. An `heirloom` is free and not counted (A1.43). Raises
    RuleError with all errors, each with its V1.* rule.
    """
    warnings = refuse_errors(founding.founding_findings(name, drafts, inscribed, wizards, names_in_use, book=book))
    monsters = founding.build_monsters(drafts)
    creatures = tuple(
        m.FoundedMonster(card, monster.name, monster.hp, monster.atk, monster.legend, drafts[card].items)
        for card, monster in monsters.items()
    )
    starts = tuple(m.CardInscribed(card, inscription, "start", builder) for card, inscription in inscribed)
    if heirloom and (why := founding.heirloom_error(heirloom.inscription, heirloom.card, inscribed, book)):
        raise RuleError(why)
    heirlooms = (heirloom,) if heirloom else ()
    return (m.BandFounded(name.strip(), builder, creatures, person), *starts, *heirlooms), warnings


def record(marks: Sequence[Mark], book: EffectBook = STANDARD) -> BandRecord:
    """Return the band that the marks add up to, with corrections applied; the book supplies the tiers."""
    band = BandRecord(NAME, "")
    for _, mark in effective(marks):
        if not isinstance(mark, Done):
            band = follow(band, mark, book)
    return band


def follow(band: BandRecord, mark: Mark, book: EffectBook = STANDARD) -> BandRecord:
    """Return the band after one more mark; marks that do not concern the band itself leave it unchanged."""
    change = _CHANGES.get(type(mark))
    return msgspec.structs.replace(band, **change(band, mark, book)) if change else band


def _apply_founding(_: BandRecord, mark: m.BandFounded, __: EffectBook) -> dict[str, Any]:
    return {
        "name": mark.name,
        "builder": mark.builder,
        "holder": mark.builder,
        "holders": (mark.builder,),
        "person": mark.person,
        "monsters": {c.card: Monster(c.name, c.hp, c.atk, c.legend) for c in mark.creatures},
        "items": {c.card: c.items for c in mark.creatures if c.items},
    }


def _apply_adoption(_: BandRecord, mark: m.BandAdopted, book: EffectBook) -> dict[str, Any]:
    borne = [(card, name) for card, names in mark.inscribed.items() for name in names]
    now = tuple(
        BorneInscription(card, name, book.tier_of(name), "before records", mark.dungeons) for card, name in borne
    )
    return {
        "name": mark.name,
        "builder": mark.builder,
        "since": mark.since,
        "holders": mark.holders,
        "holder": mark.holders[-1] if mark.holders else mark.builder,
        "person": mark.person,
        "glory": mark.glory,
        "dungeons": mark.dungeons,
        "retired": mark.retired,
        "heirloom": mark.heirloom,
        "monsters": {
            c.card: Monster(c.name, c.hp, c.atk, c.legend, mark.labels.get(c.card, ())) for c in mark.creatures
        },
        "items": {c.card: c.items for c in mark.creatures if c.items},
        "inscribed": dict(mark.inscribed),
        "history": (*mark.lost, *(name for _, name in borne)),
        "inscriptions": now,
        "labels": tuple(
            BorneLabel(card, label, book.label_tier_of(label), "", 0)
            for card, on in mark.labels.items()
            for label in on
        ),
    }


def _apply_inscription(band: BandRecord, mark: m.CardInscribed | m.CarriedIn, book: EffectBook) -> dict[str, Any]:
    present = band.inscribed.get(mark.card, ())
    source, by = (mark.source, mark.by) if isinstance(mark, m.CardInscribed) else ("carried in", "")
    borne = BorneInscription(mark.card, mark.inscription, book.tier_of(mark.inscription), source, band.dungeons, by)
    return {
        "inscribed": {**band.inscribed, mark.card: (*present, mark.inscription)},
        "history": (*band.history, mark.inscription),
        "inscriptions": (*band.inscriptions, borne),
    }


def _apply_crossing_out(
    band: BandRecord, mark: m.InscriptionCrossedOut | m.CarriedOff, _: EffectBook
) -> dict[str, Any]:
    left = tuple(name for name in band.inscribed.get(mark.card, ()) if name != mark.inscription)
    others = {card: names for card, names in band.inscribed.items() if card != mark.card}
    fate = mark.why if isinstance(mark, m.InscriptionCrossedOut) else "carried off"
    return {
        "inscribed": {**others, mark.card: left} if left else others,
        "inscriptions": tuple(
            msgspec.structs.replace(borne, fate=fate, until=band.dungeons)
            if (borne.card, borne.inscription, borne.fate) == (mark.card, mark.inscription, "")
            else borne
            for borne in band.inscriptions
        ),
    }


def _with_labels(band: BandRecord, card: Card, labels: tuple[str, ...]) -> dict[Card, Monster]:
    return {**band.monsters, card: msgspec.structs.replace(band.monsters[card], labels=labels)}


def _apply_label(band: BandRecord, mark: m.Labelled, book: EffectBook) -> dict[str, Any]:
    borne = BorneLabel(mark.card, mark.label, book.label_tier_of(mark.label), mark.by, band.dungeons + 1)
    return {
        "monsters": _with_labels(band, mark.card, (*band.monsters[mark.card].labels, mark.label)),
        "labels": (*band.labels, borne),
    }


def _apply_peeling(band: BandRecord, mark: m.Peeled, _: EffectBook) -> dict[str, Any]:
    left = tuple(label for label in band.monsters[mark.card].labels if label != mark.label)
    return {
        "monsters": _with_labels(band, mark.card, left),
        "labels": tuple(borne for borne in band.labels if (borne.card, borne.label) != (mark.card, mark.label)),
    }


def _apply_dungeon(band: BandRecord, mark: m.DungeonPlayed, _: EffectBook) -> dict[str, Any]:
    run = DungeonRun(band.dungeons + 1, mark.wizard, mark.outcome, mark.bosses, mark.glory, mark.rounds)
    return {"glory": band.glory + mark.glory, "dungeons": run.dungeon, "log": (*band.log, run)}


_CHANGES: Final[Mapping[type[Mark], Callable[[BandRecord, Any, EffectBook], dict[str, Any]]]] = {
    m.BandFounded: _apply_founding,
    m.BandAdopted: _apply_adoption,
    m.CardInscribed: _apply_inscription,
    m.CarriedIn: _apply_inscription,
    m.InscriptionCrossedOut: _apply_crossing_out,
    m.CarriedOff: _apply_crossing_out,
    m.Labelled: _apply_label,
    m.Peeled: _apply_peeling,
    m.DungeonPlayed: _apply_dungeon,
    m.BoxCounted: lambda _, mark, __: {"glory": mark.glory, "dungeons": mark.dungeons},
    m.Drifted: lambda band, mark, _: {
        "holder": mark.holder,
        "holders": (*band.holders, mark.holder),
        "person": mark.person,
    },
    m.BandRetired: lambda _, mark, __: {"retired": True, "heirloom": mark.heirloom},
    m.CarriedOn: lambda _, mark, __: {"successor": mark.band},
}
