"""One order of entries that two devices wrote apart from each other.

The order depends neither on clocks nor on which device merges first: what was known when an entry was written stays
before it, and entries that did not know of each other are ordered by a hash of their content. So all devices arrive at
the same story, in whatever order they hear of each other.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Iterable, Sequence

import msgspec

from companion.archive.exchange.deck_import import ForkedStory, renumber
from companion.archive.people import forgetting, people
from companion.archive.storage.entries import Entry

_encode = msgspec.json.Encoder().encode


def merge_orders(mine: Sequence[str], theirs: Sequence[str]) -> list[str]:
    """Return the names of two sequences in one order, each name once; no sequence has a name twice.

    An order in which both agree is kept. The result is the same if the two are exchanged.
    """
    sides, rests = (mine, theirs), (set(mine), set(theirs))
    at = [0, 0]
    merged: dict[str, None] = {}
    while True:
        for which, side in enumerate(sides):
            while at[which] < len(side) and side[at[which]] in merged:
                at[which] += 1
        heads = [side[here] for side, here in zip(sides, at, strict=True) if here < len(side)]
        if len(heads) < 2:
            break
        # A name that the other side has later waits for what is before it there.
        free = [head for head, other in zip(heads, reversed(rests), strict=True) if head not in other]
        merged[heads[0] if heads[0] == heads[1] else min(free or heads)] = None
    return list(dict.fromkeys((*merged, *mine, *theirs)))


def name_entries(entries: Iterable[Entry], body_of: Callable[[Entry], str] = lambda entry: entry.body) -> list[str]:
    """Return a name for each entry of a stream: a hash of all but its number, which differs between devices.

    Entries with the same content are numbered, so that no two have one name.
    """
    seen: Counter[str] = Counter()
    names = []
    for entry in entries:
        facts = _encode((entry.at, entry.by, entry.session, entry.kind, body_of(entry)))
        name = hashlib.sha256(facts).hexdigest()
        seen[name] += 1
        names.append(f"{name} {seen[name]}")
    return names


def merge_entries(
    mine: Sequence[Entry], theirs: Sequence[Entry], body_of: Callable[[Entry], str] = lambda entry: entry.body
) -> tuple[Entry, ...]:
    """Return one stream made of two, each entry once. `body_of` returns the part of a body that identifies an entry."""
    by_name: dict[str, Entry] = {}
    names = []
    for side in (mine, theirs):
        its = name_entries(side, body_of)
        names.append(its)
        for name, entry in zip(its, side, strict=True):
            by_name[name] = min(by_name.get(name, entry), entry, key=lambda each: each.body)
    merged = merge_orders(*names)
    return tuple(msgspec.structs.replace(by_name[name], seq=seq) for seq, name in enumerate(merged))


def merge_person(person: str, mine: Sequence[Entry], theirs: Sequence[Entry]) -> tuple[Entry, ...]:
    """Return one stream of a person made of two. A person who was forgotten on one side stays forgotten.

    Raises ArchiveError if an entry is not about a person.
    """
    nameless = people.nameless(person)

    def forget(entry: Entry) -> Entry:
        return forgetting.without_name(entry, entry.stream, entry.seq, nameless)

    merged = merge_entries(mine, theirs, lambda entry: forget(entry).body)
    if any(forgetting.is_forgotten(person, side) for side in (mine, theirs) if side):
        return tuple(map(forget, merged))
    return merged


def merge_deck(mine: ForkedStory, theirs: ForkedStory) -> tuple[Entry, ...]:
    """Return one story of a deck made of two that do not contradict each other, with references renumbered."""
    at = {name: seq for seq, name in enumerate(merge_orders(mine.names, theirs.names))}
    entries = []
    for name, seq in at.items():
        side = mine if name in mine.at else theirs

        def here(of: int, side: ForkedStory = side) -> int:
            return at.get(side.names[of], of) if of < len(side.names) else of

        entries.append(renumber(side.entries[side.at[name]], seq, here))
    return tuple(entries)
