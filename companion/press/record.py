"""The record sheet of a DecknForge band: everything that its marks add up to, on paper for the box (§1.12).

Separate because it is a page that a person reads, and the only thing printed that tells when something happened.
"""

from collections.abc import Iterator, Sequence
from datetime import datetime

from companion.archive import deck_id
from companion.games.cards import pretty
from companion.games.decknforge import GAME, names
from companion.games.decknforge.marks import Adopted, CarriedIn, Drifted, Founded, Inscribed, Played
from companion.games.decknforge.record import BandRecord, BorneInscription
from companion.games.records import Mark, Record, effective
from companion.press import wording
from companion.press.bands import band, in_order
from companion.press.tonight import short
from labels.page import Column, Document, PageTable

# Rows to go on by hand.
_BLESSED, _LOG, _HOLDERS = 4, 5, 2

_SOURCES = {"start": "at the founding", "mythic": "from a Legend", "found": "found on the card"}
_FATES = {"cursed": "taken by a curse", "found": "found crossed out"}
_BEFORE = "before records"


def sheet(deck: str, record: Record, marks: Sequence[Mark], made: Sequence[datetime], passport: str = "") -> Document:
    """The record sheet of a band, from its record, its marks, and the moment at which each of them was made.

    Its code is the band's `passport`, or without one just its id. Raises LabelError for a deck of another game.
    """
    known = band(record)
    dated = [(mark, f"{made[number - 1].astimezone():%Y-%m-%d}") for number, mark in effective(marks)]
    tables = (_monsters(known), _blessed(known, dated), *_lost(known), _log(known, dated), _holders(known, dated))
    return Document(
        title=known.name,
        subtitle=" · ".join(_subtitle(known, dated)),
        tables=tables,
        facts=(
            ("Glory", str(known.glory)),
            ("dungeon" if known.dungeons == 1 else "dungeons", str(known.dungeons)),
            ("Blessed card" if len(known.inscribed) == 1 else "Blessed cards", str(len(known.inscribed))),
        ),
        code=(passport or deck_id.payload(deck), deck_id.show(deck)),
        credit=GAME.credit,
    )


_Dated = Sequence[tuple[Mark, str]]


def _subtitle(record: BandRecord, dated: _Dated) -> Iterator[str]:
    day = record.since or next((day for mark, day in dated if isinstance(mark, Founded)), "")
    yield f"DecknForge band, founded {f'{day} ' if day else ''}by {record.builder}"
    if record.retired:
        heirloom = f", heirloom {names.title(record.heirloom)}" if record.heirloom else ""
        successor = f" in {record.successor}" if record.successor else ""
        yield f"retired{heirloom}{successor}"
    else:
        yield f"held by {record.holder}"


def _monsters(record: BandRecord) -> PageTable:
    columns = (
        *(Column("Card", 0.9, bold=True), Column("Name", 4, bold=True), Column("HP", 0.7), Column("ATK", 0.7)),
        *(Column("Built from", 2), Column("Labels: dungeon, by whom", 6)),
    )
    rows = tuple(
        (
            f"{short(card)} ★" if monster.legend else short(card),
            monster.name,
            str(monster.hp),
            str(monster.atk),
            " ".join(map(pretty, record.items.get(card, ()))),
            ", ".join(_worn(record, card)),
        )
        for card, monster in in_order(record.monsters)
    )
    return PageTable("Monsters", columns, rows)


def _worn(record: BandRecord, card: str) -> Iterator[str]:
    for worn in record.labels:
        if worn.card == card:
            tier = wording.monster_label(worn.label).tier.mark
            told = ", ".join(part for part in (f"{worn.dungeon}" if worn.dungeon else "", worn.by) if part)
            yield f"{names.title(worn.label)} {tier}" + (f" ({told})" if told else "")


def _blessed(record: BandRecord, dated: _Dated) -> PageTable:
    came = _came(record, dated)
    columns = (
        *(Column("Card", 0.8, bold=True), Column("Inscription", 3, bold=True), Column("Tier", 2)),
        *(Column("Since", 2), Column("How", 4)),
    )
    rows = tuple(
        (short(borne.card), names.title(borne.inscription), _tier(borne), day, _how(borne))
        for borne, day in zip(record.inscriptions, came, strict=True)
        if not borne.fate
    )
    return PageTable("Blessed cards", columns, rows, blanks=_BLESSED)


def _came(record: BandRecord, dated: _Dated) -> list[str]:
    """On which day each of the band's inscriptions came."""
    days = [day for mark, day in dated if isinstance(mark, Inscribed | CarriedIn)]
    adopted = any(isinstance(mark, Adopted) for mark, _ in dated)
    return [*[_BEFORE] * (len(record.inscriptions) - len(days) if adopted else 0), *days]


def _tier(borne: BorneInscription) -> str:
    return f"{wording.inscription(borne.inscription).tier.mark} {borne.tier.title()}"


def _how(borne: BorneInscription) -> str:
    source = _SOURCES.get(borne.source, borne.source)
    return f"{source}, by {borne.by}" if borne.by else source


def _lost(record: BandRecord) -> tuple[PageTable, ...]:
    """What was lost, as a heirloom is chosen from all that a band ever bore; no table where nothing was."""
    columns = (
        *(Column("Card", 0.8, bold=True), Column("Inscription", 3, bold=True), Column("Tier", 2)),
        *(Column("After dungeon", 2), Column("How", 4)),
    )
    rows = tuple(
        (
            short(lost.card),
            names.title(lost.inscription),
            _tier(lost),
            str(lost.until),
            _FATES.get(lost.fate, lost.fate),
        )
        for lost in record.inscriptions
        if lost.fate
    )
    return (PageTable("Lost inscriptions", columns, rows),) if rows else ()


def _log(record: BandRecord, dated: _Dated) -> PageTable:
    days = [day for mark, day in dated if isinstance(mark, Played)]
    columns = (
        *(Column("Dungeon", 0.9, bold=True), Column("Date", 1.7), Column("Wizard", 3), Column("Outcome", 1.6)),
        *(Column("Bosses felled", 1.4), Column("Glory", 1)),
    )
    rows = tuple(
        (str(run.dungeon), day, run.wizard, "WIN" if run.outcome == "win" else "LOSS", str(run.bosses), f"+{run.glory}")
        for run, day in zip(record.log, days, strict=True)
    )
    return PageTable("Dungeons", columns, rows, blanks=_LOG)


def _holders(record: BandRecord, dated: _Dated) -> PageTable:
    drifted = [day for mark, day in dated if isinstance(mark, Drifted)]
    first = next((day for mark, day in dated if isinstance(mark, Founded)), _BEFORE)
    known = record.holders or (record.builder,)
    days = [*[first] * (len(known) - len(drifted)), *drifted]
    columns = (Column("Number", 0.9, bold=True), Column("Since", 1.7), Column("Wizard", 7))
    rows = tuple(
        (str(number), day, holder) for number, (holder, day) in enumerate(zip(known, days, strict=True), start=1)
    )
    return PageTable("Drift", columns, rows, blanks=_HOLDERS)
