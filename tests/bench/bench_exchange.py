"""How quickly decks of another home are taken in: thousands of whole stories from one file; and a whole archive of a
million entries, or of as many decks as DECKS says. All in processor time.
"""

import os
import tempfile
import time
from datetime import UTC, datetime
from pathlib import Path

from companion.archive import Archive, deck_id
from companion.archive.exchange import archive_export, deck_export, import_log
from companion.archive.exchange.deck_import import import_decks
from companion.archive.storage.entries import Entry, StreamOpened, drafts
from companion.archive.storage.lists import deck_stream
from tests.archive import bands
from tests.bench import league
from tests.bench.figures import Figure

DECKS = 12_000
BUDGET = 6
OF_A_LEAGUE = 20_000
ENTRIES_A_DECK = 50
A_SECOND = 30_000
"""Entries of a whole archive, out and in."""


def figures() -> list[Figure]:
    """Decks, and whole archives."""
    return [*_decks(), *_everything(int(os.environ.get("DECKS") or OF_A_LEAGUE))]


def _decks() -> list[Figure]:
    """Seconds of processor time that it takes to read, prove and take in many decks, and to write the file of them."""
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        with Archive.open(str(place / "from.sqlite"), by="bench") as source:
            decks = fill_with_decks(source, DECKS)
            begun = time.process_time()
            deck_export.export_decks(source, decks, place / "all.decks")
            written = time.process_time() - begun
        with Archive.open(str(place / "to.sqlite"), by="bench") as home:
            begun = time.process_time()
            taken = import_decks(home, deck_export.read_stories(place / "all.decks"))
            read = time.process_time() - begun
    assert len(taken) == DECKS
    return [
        Figure(f"{DECKS:,} decks taken in", read, "s", budget=BUDGET),
        Figure(f"{DECKS:,} decks exported", written, "s", budget=BUDGET),
    ]


def _everything(decks: int) -> list[Figure]:
    """Entries a second of processor time."""
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        with Archive.open(str(place / "from.sqlite"), by="bench") as source:
            _, entries = league.write(source, decks, decks * ENTRIES_A_DECK)
            begun = time.process_time()
            assert archive_export.export_archive(source, place / "all.gz") == entries
            written = time.process_time() - begun
        with Archive.open(str(place / "to.sqlite"), by="bench") as home:
            begun = time.process_time()
            assert archive_export.import_archive(home, place / "all.gz").entries == entries
            read = time.process_time() - begun
            begun = time.process_time()
            assert archive_export.import_archive(home, place / "all.gz").entries == 0
            repeated = time.process_time() - begun
            begun = time.process_time()
            assert import_log.undo_import(home).entries == entries
            undone = time.process_time() - begun
    return [
        Figure(f"archive export, {entries:,} entries", entries / written, "/s", budget=A_SECOND, at_least=True),
        Figure("archive import of them", entries / read, "/s", budget=A_SECOND, at_least=True),
        Figure("archive import where all are known", entries / repeated, "/s", budget=A_SECOND, at_least=True),
        Figure("archive undo-import of them", entries / undone, "/s", budget=A_SECOND, at_least=True),
    ]


def fill_with_decks(archive: Archive, decks: int) -> list[str]:
    """Founded bands, each with its own name; gives their ids."""
    ids = [deck_id.new() for _ in range(decks)]
    at = datetime(2026, 1, 1, tzinfo=UTC)
    with archive.store.writing() as transaction:
        for number, deck in enumerate(ids):
            bodies = drafts((StreamOpened("decknforge"), *bands.marks(f"Choir {number}")))
            entries = [Entry(deck_stream(deck), seq, at, "bench", new.kind, new.body) for seq, new in enumerate(bodies)]
            transaction.write(entries)
            transaction.update_list(deck_stream(deck), entries)
    return ids
