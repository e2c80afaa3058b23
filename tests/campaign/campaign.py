"""A campaign of twelve evenings with four bands: founded, adopted, played as recorded, corrected, retired, carried on.

What people do between the evenings stands here; the evenings are the `.table` files beside it.
"""

import tomllib
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from companion.archive import Archive, deck_records
from companion.archive.storage.rows import DeckRow
from companion.games.decknforge.book import founding
from companion.games.decknforge.decks.marks import CardInscribed, CarriedOn
from companion.games.decknforge.decks.record import BandRecord, found_band
from companion.session.core import archive_journal
from companion.session.core.replay import Replay
from companion.tabletop.notation.cards import Card
from companion.tabletop.records import Payment, Reason

HERE = Path(__file__).parent
EVENINGS = 12
PEOPLE = ("Ana", "Ben", "Cy")
ADOPTED = "1ANTERNDEBT0N"


class Calendar:
    """The campaign's clock: every Friday at seven, and a minute later each time somebody writes something down."""

    def __init__(self) -> None:
        self.now = datetime(2026, 1, 2, 19, tzinfo=UTC)

    def __call__(self) -> datetime:
        """The time, which has gone on since."""
        self.now += timedelta(minutes=1)
        return self.now

    def evening(self, number: int) -> None:
        """The Friday of an evening."""
        self.now = datetime(2026, 1, 2, 19, tzinfo=UTC) + timedelta(weeks=number - 1)


def opened(place: Path, calendar: Calendar) -> Archive:
    """The archive of the table at Ana's, dated by the campaign's own calendar."""
    return Archive.open(str(place), by="Ana's table", clock=calendar)


def play(archive: Archive, calendar: Calendar) -> None:
    """The whole campaign."""
    for number in range(1, EVENINGS + 1):
        prepare(archive, calendar, number)
        replay = Replay(evening(number).read_text(encoding="utf-8"), shelf=archive_journal.ArchiveShelf(archive))
        failures = [line.failure for line in replay if line.failure]
        assert not failures, failures
        archive_journal.keep(archive, replay.session, f"Evening {number}")
        finish(archive, number)


def evening(number: int) -> Path:
    """The recorded evening of this number."""
    return HERE / f"evening-{number:02}.table"


def prepare(archive: Archive, calendar: Calendar, number: int) -> None:
    """What people do on an evening before they play."""
    calendar.evening(number)
    if number == 1:
        sheet = tomllib.loads((HERE / "lantern-debt.toml").read_text(encoding="utf-8"))
        adopted = deck_records.fill_form(archive, sheet, "Ben")
        archive.found_deck("decknforge", adopted.marks, [Payment("Ben", 6, "brought along on paper")], deck=ADOPTED)
    for band in tomllib.loads((HERE / "bands.toml").read_text(encoding="utf-8"))["band"]:
        if band["before"] == number:
            add_band(archive, band)


def add_band(archive: Archive, band: Mapping[str, Any]) -> None:
    """Found a band as `bands.toml` says, stick its first labels and write its cards."""
    drafts = {
        Card(card): founding.MonsterDraft(one["name"], tuple(one["items"])) for card, one in band["monsters"].items()
    }
    starts = [(Card(card), name) for card, name in (each.split() for each in band["inscribed"])]
    origin = band.get("heirloom_of", "")
    left, others = None, {}
    if origin:
        row = archive.find_deck(origin)
        record = archive.record(row.deck)
        assert isinstance(record, BandRecord)
        left = CardInscribed(Card(band["heirloom_on"]), record.heirloom, "heirloom", band["builder"], origin)
        others = {row.deck: [CarriedOn(band["name"], band["deck"])]}
    marks, _ = found_band(band["name"], band["builder"], drafts, starts, heirloom=left)
    rest = founding.budget(3) - founding.price_of(name for _, name in starts)
    coppers = [Payment(band["builder"], rest, Reason("budget", (band["name"],)))] if rest else []
    archive.found_deck("decknforge", marks, coppers, others, band["deck"])
    deck_records.tick(archive, band["deck"], ("all",), band["builder"])


def finish(archive: Archive, number: int) -> None:
    """What people do after an evening: stick, write and cross out, and what they find out later."""
    late = number in (8, EVENINGS)
    for row in () if late else archive.decks():
        if deck_records.chores(archive, row.deck):
            deck_records.tick(archive, row.deck, ("all",), row.holder)
    if number == 5:
        correct_the_last_purchase(archive, archive.find_deck("Grave Choir"))
    if number == 7:
        missing = next(spot for spot in paper(archive, ADOPTED) if spot.endswith(" swift"))
        deck_records.mend(archive, ADOPTED, {missing: "no"}, "the label fell off on the way home", "Dora")


def paper(archive: Archive, deck: str) -> Mapping[str, str]:
    """What a box looks like."""
    kept = deck_records.read_marks(archive, deck)
    return kept.keeping.paper(kept.marks)


def correct_the_last_purchase(archive: Archive, row: DeckRow) -> None:
    """Somebody finds that a label was stuck into the wrong box, and takes it back."""
    marks = archive.marks(row.deck)
    number = max(n for n, mark in enumerate(marks, 1) if isinstance(mark, CardInscribed) and mark.source == "bought")
    deck_records.correct(
        archive, row.deck, number, "it was meant for another band, and went back to the table", row.holder
    )
