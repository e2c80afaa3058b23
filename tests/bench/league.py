"""An archive as a league has after years: the campaign of the tests, again and again with other people and decks.

Separate from what is measured on it. Everything is drawn from a seed, and the lists say what the entries add up to.
"""

import random
import re
import tempfile
from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from itertools import count, islice
from pathlib import Path
from typing import Final

import msgspec
from stdnum import luhn

from companion.archive import Archive
from companion.archive.deck_id import ALPHABET, LENGTH
from companion.archive.storage import lists, results
from companion.archive.storage.entries import Entry
from companion.archive.storage.rows import DeckRow, PersonRow, Row, SessionRow
from companion.archive.storage.transaction import Transaction
from tests.campaign import campaign

AGES: Final = (12, 8, *(3,) * 3, *(2,) * 6, *(1,) * 16)
"""How many evenings campaigns have seen; after the eighth and the last, nobody has ticked off the chores."""
SYLLABLES: Final = (
    *("an", "bel", "cor", "dra", "el", "fin", "gar", "hil", "is", "jor", "kel", "lin"),
    *("mor", "nev", "ol", "per", "quin", "ros", "sal", "ter", "ul", "vin", "wen", "yor"),
)
_NAMES: Final = r"\b(?i:ana|ben|cy|dora)\b|(?i:grave choir|salt and iron|the lantern debt|the tidewrights)"
_DATE: Final = re.compile(r"2026-\d\d-\d\d")
_BATCH: Final = 50


class Campaign(msgspec.Struct, frozen=True):
    """What a campaign leaves in an archive: all entries of its streams, and the rows that they add up to."""

    entries: tuple[Entry, ...]
    decks: tuple[DeckRow, ...]
    people: tuple[PersonRow, ...]
    sessions: tuple[SessionRow, ...]


class CampaignTemplate:
    """A campaign that can be written again for others, with other ids, names and dates each time."""

    def __init__(self, whole: Campaign) -> None:
        keys = "|".join(
            [
                *(row.deck for row in whole.decks),
                *(row.person for row in whole.people),
                *(row.session for row in whole.sessions),
            ]
        )
        apart = re.compile(f"({keys}|{_NAMES}|{_DATE.pattern})")
        self._parts = apart.split(msgspec.json.encode(whole).decode())
        self._replaceable = sorted(set(self._parts[1::2]))

    def render(self, chance: random.Random, taken: set[str]) -> Campaign:
        """The campaign of others; no id is one of `taken`, to which its ids are added."""
        earlier = timedelta(days=chance.randrange(3_000))
        other: dict[str, str] = {}
        for text in self._replaceable:
            if text.lower() not in other:
                other[text.lower()] = _other(text, earlier, chance, taken)
            # What was written small, as handles of seats are, is so again.
            other[text] = other[text.lower()].lower() if text.islower() else other[text.lower()]
        parts = self._parts.copy()
        parts[1::2] = [other[text] for text in parts[1::2]]
        return _READ.decode("".join(parts))


_READ: Final = msgspec.json.Decoder(Campaign)


def _other(text: str, earlier: timedelta, chance: random.Random, taken: set[str]) -> str:
    """Another date, name or id in place of one."""
    if _DATE.fullmatch(text):
        return str(date.fromisoformat(text) - earlier)
    if not text.isupper():
        words = 3 if " " in text else 1
        return " ".join("".join(chance.choices(SYLLABLES, k=3)).capitalize() for _ in range(words))
    while (identifier := _id(len(text), chance)) in taken:
        pass
    taken.add(identifier)
    return identifier


def _id(length: int, chance: random.Random) -> str:
    """An id of so many symbols; a deck's last one checks the others."""
    if length != LENGTH:
        return "".join(chance.choices(ALPHABET, k=length))
    identifier = "".join(chance.choices(ALPHABET, k=length - 1))
    return identifier + luhn.calc_check_digit(identifier, ALPHABET)


def templates() -> tuple[dict[int, CampaignTemplate], CampaignTemplate]:
    """The campaign after so many evenings without its tables, by their number; and its tables alone."""
    with tempfile.TemporaryDirectory() as folder:
        calendar = campaign.Calendar()
        with campaign.opened(Path(folder, "archive.sqlite"), calendar) as archive:
            campaign.play(archive, calendar)
            with archive.store.reading() as transaction:
                after = {
                    number: CampaignTemplate(_until(transaction, number, "deck", "person")) for number in set(AGES)
                }
                return after, CampaignTemplate(_until(transaction, campaign.EVENINGS, "session"))


def _until(transaction: Transaction, evenings: int, *kinds: str) -> Campaign:
    """What had been written by the end of an evening into streams of some kinds."""
    end = datetime(2026, 1, 2, tzinfo=UTC) + timedelta(weeks=evenings)
    written: list[Entry] = []
    rows: list[Row] = []
    for stream in (stream for kind in kinds for stream in transaction.streams(kind)):
        if entries := [entry for entry in transaction.read(stream) if entry.at < end]:
            written += entries
            rows.append(lists.row_of(stream, entries))
    return Campaign(
        tuple(written),
        tuple(row for row in rows if isinstance(row, DeckRow)),
        tuple(row for row in rows if isinstance(row, PersonRow)),
        tuple(row for row in rows if isinstance(row, SessionRow)),
    )


def write(archive: Archive, decks: int, entries: int, seed: int = 1) -> tuple[int, int]:
    """Fills an empty archive with at least so many decks, and then tables until there are so many entries.

    Gives how many decks and entries there are.
    """
    founded = written = 0
    for some in _batches(_campaigns(decks, entries, random.Random(seed))):
        with archive.store.writing() as transaction:
            transaction.write([entry for each in some for entry in each.entries])
            for each in some:
                transaction.put_new((*each.decks, *each.people, *each.sessions))
            results.relist(transaction, {row.session for each in some for row in each.sessions})
        founded += sum(len(each.decks) for each in some)
        written += sum(len(each.entries) for each in some)
    return founded, written


def _campaigns(decks: int, entries: int, chance: random.Random) -> Iterator[Campaign]:
    """Campaigns until there are so many decks, then tables until there are so many entries."""
    after, tables = templates()
    taken: set[str] = set()
    for number in count():
        each = (after[AGES[number % len(AGES)]] if decks > 0 else tables).render(chance, taken)
        decks, entries = decks - len(each.decks), entries - len(each.entries)
        yield each
        if decks <= 0 and entries <= 0:
            return


def _batches(campaigns: Iterator[Campaign]) -> Iterator[list[Campaign]]:
    while some := list(islice(campaigns, _BATCH)):
        yield some
