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
from msgspec.structs import replace

from companion.archive import Archive, Unreadable
from companion.archive.exchange import deck_export, deck_import
from companion.archive.storage.entries import NewEntry
from companion.games.decknforge.decks import marks as m
from companion.tabletop.notation.cards import Card
from tests.archive import bands

ROOT = Path(__file__).parents[2]


@pytest.fixture
def file(archive: Archive, tmp_path: Path) -> Path:
    """A band's story as another home wrote it."""
    deck = bands.found_band(archive)
    bands.add(archive, deck, m.DungeonPlayed("Ana", "win", 6, 7), m.Labelled(Card("AS"), "swift", "Ben"))
    path = tmp_path / "choir.decks"
    deck_export.export_decks(archive, [deck], path)
    return path


def _refusal(path: Path) -> str:
    with pytest.raises(Unreadable) as error:
        tuple(deck_export.read_stories(path))
    sentence = str(error.value)
    assert sentence.endswith(".")
    assert "\n" not in sentence
    assert len(sentence) < 250
    return sentence


def test_a_file_is_read_packed_or_plain_and_always_the_same(archive: Archive, file: Path, tmp_path: Path) -> None:
    (story,) = deck_export.read_stories(file)
    assert story.name == "Grave Choir"
    assert story.entries == archive.entries(f"deck:{story.deck}")
    plain, again = tmp_path / "plain", tmp_path / "again"
    plain.write_bytes(gzip.decompress(file.read_bytes()))
    assert tuple(deck_export.read_stories(plain)) == (story,)
    deck_export.export_decks(archive, [story.deck], again)
    assert again.read_bytes() == file.read_bytes()


def test_a_file_cut_off_anywhere_is_refused(file: Path, tmp_path: Path) -> None:
    for content in (file.read_bytes(), gzip.decompress(file.read_bytes())):
        for length in range(0, len(content) - 1, max(1, len(content) // 60)):
            cut = tmp_path / "cut"
            cut.write_bytes(content[:length])
            _refusal(cut)


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
    rows[0]["version"] = 3


def _unknown_in_the_opening(rows: Rows) -> None:
    rows[0]["more"] = 1


def _unknown_in_a_deck(rows: Rows) -> None:
    rows[1]["more"] = 1


def _unknown_in_a_line(rows: Rows) -> None:
    rows[2]["more"] = 1


def _another_name_in_the_head(rows: Rows) -> None:
    rows[1]["name"] = "Sun Choir"


def _another_game_in_the_head(rows: Rows) -> None:
    rows[1]["game"] = "solforge"


def _an_id_in_lower_case(rows: Rows) -> None:
    rows[1]["deck"] = str(rows[1]["deck"]).lower()


_OF_HEADS = [
    *(_unknown_in_the_opening, _unknown_in_a_deck, _unknown_in_a_line),
    *(_another_name_in_the_head, _another_game_in_the_head, _an_id_in_lower_case),
]


@pytest.mark.parametrize(
    "change",
    [
        *(_edit, _rename, _leave_out, _swap, _cut_the_end, _another_deck, _no_deck_id, _twice, _from_the_future),
        *_OF_HEADS,
    ],
)
def test_an_edited_file_is_refused(file: Path, change: Callable[[Rows], None]) -> None:
    rows = [json.loads(row) for row in gzip.decompress(file.read_bytes()).splitlines()]
    change(rows)
    file.write_text(
        "".join(json.dumps(row, ensure_ascii=False, separators=(",", ":")) + "\n" for row in rows), encoding="utf-8"
    )
    _refusal(file)


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


def most_memory() -> int:
    """The most bytes that this process has had in memory, without those of the one that began it."""
    status = Path("/proc/self/status")
    if status.exists():
        return 1024 * next(
            int(line.split()[1]) for line in status.read_text(encoding="utf-8").splitlines() if "VmHWM" in line
        )
    assert sys.platform != "win32", "its tests are marked posix"
    import resource

    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


@pytest.mark.posix
@pytest.mark.slow
@pytest.mark.parametrize("content", [_zeros, _endless_lines, _deep], ids=["zeros", "endless-lines", "deep"])
def test_a_hostile_file_is_refused_in_little_memory(content: Callable[[], bytes], tmp_path: Path) -> None:
    file = tmp_path / "hostile"
    file.write_bytes(content())
    reading = (
        "import sys; from companion.cli.main import main; from tests.archive.test_deck_export import most_memory\n"
        "try: main(['deck', 'import', *sys.argv[1:]])\n"
        "finally: print(most_memory())"
    )
    place = tmp_path / "archive.sqlite"
    done = subprocess.run(
        [sys.executable, "-c", reading, str(file), "--archive", str(place)],
        cwd=ROOT, capture_output=True, encoding="utf-8", check=False,
    )  # fmt: skip
    assert done.returncode == 2
    assert len(done.stderr.splitlines()) == 1
    assert int(done.stdout) < 300_000_000
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
    _refusal(file)


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
def test_an_absurd_story_is_refused_though_its_chain_holds(archive: Archive, body: str, tmp_path: Path) -> None:
    deck = bands.found_band(archive)
    row = archive.find_deck(deck)
    with archive.store.writing() as transaction:
        draft = NewEntry(json.loads(body)["mark"], body)
        transaction.append(f"deck:{deck}", row.length, [draft], "somebody", archive.now())
    file = tmp_path / "nonsense"
    deck_export.export_decks(archive, [deck], file)
    assert "makes no sense" in _refusal(file)


@pytest.mark.slow
def test_a_deck_of_many_thousand_marks_is_exported_and_taken_in(archive: Archive, tmp_path: Path) -> None:
    deck = bands.found_band(archive)
    bands.add(archive, deck, *(m.DungeonPlayed("Ana", "win", 6, 1) for _ in range(9_000)))
    file = tmp_path / "long.decks"
    deck_export.export_decks(archive, [deck], file)
    with Archive.open(str(tmp_path / "home.sqlite")) as home:
        (result,) = deck_import.import_decks(home, deck_export.read_stories(file))
        assert result.taken
        assert home.entries(f"deck:{deck}") == archive.entries(f"deck:{deck}")


@pytest.mark.parametrize("packed", [True, False])
def test_files_put_one_after_the_other_are_read_as_several(archive: Archive, packed: bool, tmp_path: Path) -> None:
    decks = [bands.found_band(archive, name) for name in ("Grave Choir", "Sun Choir")]
    files = [tmp_path / name for name in ("a", "b")]
    for deck, file in zip((decks[:1], decks), files, strict=True):
        deck_export.export_decks(archive, deck, file)
    content = b"".join(map(Path.read_bytes, files))
    both = tmp_path / "both"
    both.write_bytes(content if packed else gzip.decompress(content))
    assert [story.deck for story in deck_export.read_stories(both)] == [decks[0], *decks]
    with Archive.open(str(tmp_path / "home.sqlite")) as home:
        assert [result.verdict for result in deck_import.import_decks(home, deck_export.read_stories(both))] == [
            "new",
            "unchanged",
            "new",
        ]
    both.write_bytes(files[0].read_bytes() + gzip.decompress(files[1].read_bytes()))
    _refusal(both)


@pytest.mark.parametrize("year", ["0001", "1969", "3000", "9999"])
def test_a_date_that_cannot_be_is_refused_by_name(archive: Archive, file: Path, year: str) -> None:
    (story,) = deck_export.read_stories(file)
    entries = [replace(entry, at=entry.at.replace(year=int(year))) for entry in story.entries]
    with archive.store.writing() as transaction:
        transaction.truncate(f"deck:{story.deck}", 0)
        transaction.write(entries)
    deck_export.export_decks(archive, [story.deck], file)
    assert f"the year {int(year)}" in _refusal(file)


@pytest.mark.parametrize(("figure", "sentence"), [("-5", "-5"), ("1" + "0" * 30, "1e+30"), ("1e30", "1e+30")])
def test_a_figure_that_cannot_be_is_refused_by_name(archive: Archive, file: Path, figure: str, sentence: str) -> None:
    (story,) = deck_export.read_stories(file)
    first = story.entries[1]
    hostile = replace(first, body=first.body.replace('"hp":', f'"hp":{figure},"was":', 1))
    assert hostile != first
    with archive.store.writing() as transaction:
        transaction.truncate(f"deck:{story.deck}", 0)
        transaction.write([story.entries[0], hostile, *story.entries[2:]])
    deck_export.export_decks(archive, [story.deck], file)
    assert f"says “hp” is {sentence} in entry 1" in _refusal(file)
