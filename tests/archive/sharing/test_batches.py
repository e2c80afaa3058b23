"""Files in a shared folder: read as far as they are whole, and never further."""

import contextlib
import gzip
import tracemalloc
import zlib
from datetime import UTC, datetime
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.archive.sharing.batches import (
    BatchHead,
    BrokenBatch,
    NewerBatch,
    join_parts,
    pack_batch,
    part_of,
    read_batches,
)
from companion.archive.storage.entries import Entry
from tests import examples  # noqa: F401

AT = datetime(2026, 3, 14, 20, 30, tzinfo=UTC)


def batch(number: int) -> bytes:
    lines = (f'{{"line":"note {seq}"}}' for seq in range(number + 1))
    entries = [Entry("session:7K3M9QPX", seq, AT, "ana", "line", line) for seq, line in enumerate(lines)]
    head = BatchHead("shared", 1, "writer", "device", "ana@laptop", 1, number)
    return pack_batch(head, [part_of("session:7K3M9QPX", entries, number)])


WHOLE = b"".join(map(batch, range(6)))
ENDS = [each.end for each in read_batches(WHOLE)]


def read(content: bytes, start: int = 0) -> list[int]:
    """The numbers of the batches that are read."""
    numbers: list[int] = []
    with contextlib.suppress(BrokenBatch):
        numbers.extend(each.head.number for each in read_batches(content, start))
    return numbers


@given(st.integers(0, len(WHOLE)))
def test_a_file_cut_anywhere_is_read_up_to_its_last_batch(end: int) -> None:
    assert read(WHOLE[:end]) == [number for number, at in enumerate(ENDS) if at <= end]


@given(st.integers(0, len(WHOLE) - 1), st.integers(0, 7))
def test_a_flipped_bit_hides_its_batch_and_what_follows(at: int, bit: int) -> None:
    content = bytearray(WHOLE)
    content[at] ^= 1 << bit
    untouched = [number for number, end in enumerate(ENDS) if end <= at]
    numbers = read(bytes(content))
    assert numbers[: len(untouched)] == untouched
    # A few bits of gzip's head carry nothing.
    assert numbers == untouched or numbers == list(range(6))


@given(st.integers(0, len(ENDS) - 1), st.integers(0, 400))
def test_what_arrived_late_is_read_from_where_it_was_cut(first: int, cut: int) -> None:
    start = ENDS[first]
    later = max([start, *(end for end in ENDS if end <= start + cut)])
    assert read(WHOLE[: start + cut], start) + read(WHOLE, later) == list(range(first + 1, 6))


@given(st.binary(max_size=300))
def test_noise_is_no_batch(noise: bytes) -> None:
    assert read(noise) == []
    assert read(WHOLE + noise)[:6] == list(range(6))


def test_a_bomb_is_not_unpacked() -> None:
    pack = zlib.compressobj(level=1, wbits=31)
    bomb = b"".join(pack.compress(bytes(1_000_000)) for _ in range(500)) + pack.flush()
    tracemalloc.start()
    with pytest.raises(BrokenBatch):
        next(read_batches(bomb))
    assert tracemalloc.get_traced_memory()[1] < 250_000_000
    tracemalloc.stop()


def test_an_entry_that_nobody_can_type_keeps_nothing_else_out() -> None:
    long = Entry("session:A", 0, AT, "ana", "line", f'{{"line":"{"x" * 1_000_000}"}}')
    good = Entry("session:B", 0, AT, "ana", "line", '{"line":"note"}')
    head = BatchHead("shared", 1, "writer", "device", "ana", 1, 1)
    content = pack_batch(head, [part_of("session:A", [long]), part_of("session:B", [good])])
    (read_back,) = read_batches(content)
    assert [len(part.entries) for part in read_back.parts] == [0, 1]


def test_random_order_of_arrival_changes_nothing() -> None:
    order = list(range(6))
    Random(3).shuffle(order)
    assert sorted(number for each in order for number in read(batch(each))) == list(range(6))


@given(st.permutations([(1, 0, 2), (2, 2, 3), (2, 2, 5), (1, 0, 2)]), st.booleans())
def test_a_story_goes_to_the_longer_of_two_newest_ends(parts: list[tuple[int, int, int]], goes_on: bool) -> None:
    """A killed program wrote one of the two, and copies keep both, under names in any order."""
    story = [Entry("session:A", seq, AT, "ana", "line", f'{{"line":"note {seq}"}}') for seq in range(7)]
    numbers = [*parts, (3, 5, 7)] if goes_on else parts
    joined = join_parts([(number, part_of("session:A", story[:end], first)) for number, first, end in numbers], {})
    assert joined == {"session:A": tuple(story[: 7 if goes_on else 5])}


def test_a_gap_is_filled_only_by_the_same_entries() -> None:
    story, other = (
        [Entry("session:A", seq, AT, by, "line", '{"line":"note"}') for seq in range(4)] for by in ("ana", "ben")
    )
    parts = [(1, part_of("session:A", story[:1])), (3, part_of("session:A", story, 3))]
    assert join_parts(parts, {}) == {}
    assert join_parts(parts, {"session:A": other}) == {}
    assert join_parts(parts, {"session:A": story[:2]}) == {}
    assert join_parts(parts, {"session:A": story[:3]}) == {"session:A": tuple(story)}
    leap = part_of("session:A", story)
    leap = leap._replace(first=1, before="", entries=leap.entries[1:], hashes=leap.hashes[1:])
    assert join_parts([(1, leap)], {}) == {}


@pytest.mark.parametrize("number", [2**63, 10**30, -1])
def test_a_number_that_no_note_can_hold_is_no_batch(number: int) -> None:
    content = zlib.decompress(batch(0), wbits=31)
    pack = zlib.compressobj(wbits=31)
    changed = content.replace(b'"export":1', f'"export":{number}'.encode())
    assert changed != content
    assert read(pack.compress(changed) + pack.flush()) == []


def newer(content: bytes) -> bytes:
    """A batch as a later format may have it."""
    head, _, rest = gzip.decompress(content).partition(b"\n")
    later = head.replace(b'"version":1', b'"version":2,"key":"of a later format"')
    assert later != head
    return gzip.compress(b"\n".join((later, b'{"of":"a later format"}', rest)))


def test_a_batch_of_a_newer_program_is_known_as_such() -> None:
    assert read(WHOLE + newer(batch(6)) + batch(7)) == list(range(6))
    with pytest.raises(NewerBatch):
        list(read_batches(newer(batch(0))))
    for cut in (1, 30, len(newer(batch(0))) - 1):
        with pytest.raises(BrokenBatch) as broken:
            list(read_batches(newer(batch(0))[:cut]))
        assert broken.type is BrokenBatch, "half of it may be anything"


@pytest.mark.parametrize("head", [b"", b"null", b"[]", b'{"companion":"shared"}', b'{"companion":"x","version":9}'])
def test_a_packed_file_of_something_else_is_no_newer_batch(head: bytes) -> None:
    with pytest.raises(BrokenBatch) as broken:
        list(read_batches(gzip.compress(head + b"\n")))
    assert broken.type is BrokenBatch


def test_a_story_of_a_kind_to_come_keeps_nothing_else_out() -> None:
    strange = Entry("ritual:A", 0, AT, "ana", "begun", '{"name":"Moon"}')
    good = Entry("session:B", 0, AT, "ana", "line", '{"line":"note"}')
    head = BatchHead("shared", 1, "writer", "device", "ana", 1, 1)
    (read_back,) = read_batches(pack_batch(head, [part_of("ritual:A", [strange]), part_of("session:B", [good])]))
    assert [len(part.entries) for part in read_back.parts] == [0, 1]
