"""Files of decks: what another home wrote is read, and whatever else comes is refused with nothing changed."""

import gzip
import io
import json
import subprocess
import sys
import zlib
from collections.abc import Callable
from pathlib import Path

import pytest

from companion.archive import Archive, Unreadable, travel
from companion.archive.entries import NewEntry
from companion.games.cards import Card
from companion.games.decknforge import marks as m
from tests.archive import bands

ROOT = Path(__file__).parents[2]


@pytest.fixture
def file(archive: Archive, tmp_path: Path) -> Path:
    """A band's story as another home wrote it."""
    deck = bands.found(archive)
    bands.add(archive, deck, m.Played("Ana", "win", 6, 7), m.Labelled(Card("AS"), "swift", "Ben"))
    path = tmp_path / "choir.decks"
    travel.export(archive, [deck], path)
    return path


def refusal(path: Path) -> str:
    with pytest.raises(Unreadable) as error:
        travel.read(path)
    said = str(error.value)
    assert said.endswith(".")
    assert "\n" not in said
    assert len(said) < 250
    return said


def test_a_file_is_read_packed_or_plain_and_always_the_same(archive: Archive, file: Path, tmp_path: Path) -> None:
    (story,) = travel.read(file)
    assert story.name == "Grave Choir"
    assert story.entries == archive.entries(f"deck:{story.deck}")
    plain, again = tmp_path / "plain", tmp_path / "again"
    plain.write_bytes(gzip.decompress(file.read_bytes()))
    assert travel.read(plain) == (story,)
    travel.export(archive, [story.deck], again)
    assert again.read_bytes() == file.read_bytes()


def test_a_file_cut_off_anywhere_is_refused(file: Path, tmp_path: Path) -> None:
    for content in (file.read_bytes(), gzip.decompress(file.read_bytes())):
        for length in range(0, len(content) - 1, max(1, len(content) // 60)):
            cut = tmp_path / "cut"
            cut.write_bytes(content[:length])
            refusal(cut)


Rows = list[dict[str, object]]


def _edit(rows: Rows) -> None:
    rows[6]["body"] = {**rows[6]["body"], "glory": 99}  # type: ignore[dict-item]


def _rename(rows: Rows) -> None:
    rows[3]["by"] = "somebody else"


def _leave_out(rows: Rows) -> None:
    del rows[5]
    rows[1]["entries"] = 6


def _swap(rows: Rows) -> None:
    rows[4], rows[5] = rows[5], rows[4]


def _cut_the_end(rows: Rows) -> None:
    del rows[-1]


def _another_deck(rows: Rows) -> None:
    rows[1]["deck"] = "7K3M9QPX2B4TC"


def _no_deck_id(rows: Rows) -> None:
    rows[1]["deck"] = "7K3M9QPX2B4T5"


def _twice(rows: Rows) -> None:
    rows += rows[1:]


def _from_the_future(rows: Rows) -> None:
    rows[0]["version"] = 2


@pytest.mark.parametrize(
    "change",
    [_edit, _rename, _leave_out, _swap, _cut_the_end, _another_deck, _no_deck_id, _twice, _from_the_future],
)
def test_an_edited_file_is_refused(file: Path, change: Callable[[Rows], None]) -> None:
    rows = [json.loads(row) for row in gzip.decompress(file.read_bytes()).splitlines()]
    change(rows)
    file.write_text("".join(json.dumps(row, ensure_ascii=False, separators=(",", ":")) + "\n" for row in rows))
    refusal(file)


def _zeros() -> bytes:
    packed = io.BytesIO()
    with gzip.GzipFile(fileobj=packed, mode="wb", mtime=0) as writer:
        for _ in range(1000):
            writer.write(bytes(1_000_000))
    return packed.getvalue()


def _endless_lines() -> bytes:
    opening = b'{"companion":"decks","version":1}\n'
    pack = zlib.compressobj(wbits=31)
    lines = b'{"deck":"7K3M9QPX2B4TC","game":"decknforge","name":"x","entries":2}\n' * 10_000
    return pack.compress(opening) + b"".join(pack.compress(lines) for _ in range(400)) + pack.flush()


def _deep() -> bytes:
    deck = b'{"deck":"7K3M9QPX2B4TC","game":"decknforge","name":"x","entries":2}\n'
    line = b'{"seq":0,"at":"2026-01-01T00:00:00Z","by":"","session":"","kind":"opened","body":%s,"hash":""}\n'
    return b'{"companion":"decks","version":1}\n' + deck + line % (b"[" * 400_000)


@pytest.mark.parametrize("content", [_zeros, _endless_lines, _deep], ids=["zeros", "endless-lines", "deep"])
def test_a_hostile_file_is_refused_in_little_memory(content: Callable[[], bytes], tmp_path: Path) -> None:
    file = tmp_path / "hostile"
    file.write_bytes(content())
    reading = (
        "import resource, sys; from companion.cli.main import main\n"
        "try: main(['deck', 'import', *sys.argv[1:]])\n"
        "finally: print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)"
    )
    place = tmp_path / "archive.sqlite"
    done = subprocess.run(
        [sys.executable, "-c", reading, str(file), "--archive", str(place)],
        cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 2
    assert len(done.stderr.splitlines()) == 1
    assert int(done.stdout) * (1 if sys.platform == "darwin" else 1024) < 300_000_000
    assert not place.exists()


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\n",
        b"hello",
        b"\x89PNG\r\n",
        b"\x1f\x8b",
        b"\x1f\x8bjunk",
        b'{"companion":"decks","version":1}\n',
        b"[]\n",
    ],
)
def test_what_is_something_else_is_refused(content: bytes, tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_bytes(content)
    refusal(file)


@pytest.mark.parametrize(
    "body",
    [
        '{"mark":"inscribed","card":"ZZ","inscription":"sharp","source":"bought"}',
        '{"mark":"inscribed","card":"9S","inscription":"no-such","source":"bought"}',
        '{"mark":"labelled","card":"9S","label":"swift","by":"x"}',
        '{"mark":"corrected","of":99,"reason":"x"}',
        '{"mark":"corrected","of":0,"reason":"x"}',
        '{"mark":"joined","head":"","fork":1,"kept":"nobody"}',
        '{"mark":"no-such"}',
    ],
)
def test_a_story_that_makes_no_sense_is_refused_though_its_chain_holds(
    archive: Archive, body: str, tmp_path: Path
) -> None:
    deck = bands.found(archive)
    row = archive.find_deck(deck)
    with archive.store.writing() as transaction:
        draft = NewEntry(json.loads(body)["mark"], body)
        transaction.append(f"deck:{deck}", row.length, [draft], "somebody", archive.now())
    file = tmp_path / "nonsense"
    travel.export(archive, [deck], file)
    assert "makes no sense" in refusal(file)
