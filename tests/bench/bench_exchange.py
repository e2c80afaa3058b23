"""How quickly decks of another home are taken in: thousands of whole stories from one file, in processor time."""

import tempfile
import time
from datetime import UTC, datetime
from pathlib import Path

from companion.archive import Archive, deck_id, travel
from companion.archive.entries import Entry, Opened, drafts
from companion.archive.lists import deck_stream
from companion.archive.merge import take_in
from tests.archive import bands
from tests.bench.figures import Figure

DECKS = 12_000
BUDGET = 6


def figures() -> list[Figure]:
    """Seconds of processor time that it takes to read, prove and take in many decks, and to write the file of them."""
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        with Archive.open(str(place / "from.sqlite"), by="bench") as source:
            decks = crowd(source, DECKS)
            begun = time.process_time()
            travel.export(source, decks, place / "all.decks")
            written = time.process_time() - begun
        with Archive.open(str(place / "to.sqlite"), by="bench") as home:
            begun = time.process_time()
            taken = take_in(home, travel.read(place / "all.decks"))
            read = time.process_time() - begun
    assert len(taken) == DECKS
    return [
        Figure(f"{DECKS:,} decks taken in", read, "s", budget=BUDGET),
        Figure(f"{DECKS:,} decks exported", written, "s", budget=BUDGET),
    ]


def crowd(archive: Archive, decks: int) -> list[str]:
    """Founded bands, each with its own name; gives their ids."""
    ids = [deck_id.new() for _ in range(decks)]
    at = datetime(2026, 1, 1, tzinfo=UTC)
    with archive.store.writing() as transaction:
        for number, deck in enumerate(ids):
            made = drafts((Opened("decknforge"), *bands.marks(f"Choir {number}")))
            entries = [Entry(deck_stream(deck), seq, at, "bench", kind, body) for seq, (kind, body) in enumerate(made)]
            transaction.write(entries)
            transaction.enlist(deck_stream(deck), entries)
    return ids
