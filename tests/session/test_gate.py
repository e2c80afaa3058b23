"""Every way in for words: what would steer a terminal is refused by name, and nothing of it is kept."""

import zlib
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

import msgspec
import pytest
from hypothesis import given, settings

from companion.archive import Archive, ArchiveError, deck_records, stationery
from companion.archive.exchange import base45, passport
from companion.archive.people import people
from companion.games import registry
from companion.session.core import archive_journal
from companion.session.core.replay import MOST_BYTES, Replay, UnreadableLine, read_table_file
from companion.tabletop.action import NotationError, RuleError
from companion.tabletop.deck_lists.reading import read_deck_list
from companion.tabletop.decks.form import FormContext
from companion.tabletop.text import LONGEST_LINE
from tests.archive import bands
from tests.examples import examples
from tests.hostile import steering, steers

REFUSALS = (NotationError, RuleError, ArchiveError)


def by_line(archive: Archive, line: str) -> None:
    archive_journal.start(archive, "decknforge").enter(line)


def by_passport(archive: Archive, text: str) -> None:
    """The passport of a deck that was called otherwise in a home without a gate."""
    reading = passport.read(passport.write(archive, archive.decks()[0].deck))
    content = [text if part == "Grave Choir" else part for part in reading.content]
    assert text in content
    body = zlib.compress(
        msgspec.msgpack.encode([reading.deck, reading.game, bytes.fromhex(reading.story), reading.length, content]),
        wbits=-15,
    )
    packed = bytes([1]) + zlib.crc32(body).to_bytes(4, "big") + body
    passport.read(passport.PREFIX + base45.encode(packed) + "//")


def by_list(text: str) -> None:
    findings = read_deck_list(f"soulforger main\n4 {text} | creature\n", registry.names()).deck_list.findings
    assert len(findings) == 1
    raise NotationError(findings[0].text)


def by_form(game: str, text: str) -> None:
    """Every field of a game's forms; a list of many lines is one of its answers."""
    for form in (registry.game(game).decks.founding, registry.game(game).decks.adopting):
        for field in form.fields if form else ():
            answer = {part.name: text for part in field.parts} if field.parts else text
            assert form is not None
            values = {field.name: [answer] if field.many else answer}
            findings = form.validate_answers(values, FormContext()).findings
            assert [one for one in findings if "cannot be displayed (U+" in one.text], (field.name, findings)
    raise NotationError("every field refuses it")


def by_sheet(text: str) -> None:
    """A record sheet of paper as a file tells it, with the text in each place that has words."""
    adopting = registry.game("decknforge").decks.adopting
    assert adopting is not None
    answers = {"name": "Sun Choir", "builder": "Ana", "monsters": {"AS": {"name": "Grave Wyrm", "hp": 13}}}
    strange = [{**answers, field: text} for field in ("name", "builder", "founded")]
    strange += [{**answers, "holders": ["Ana", text]}, {**answers, "monsters": {"AS": {"name": text, "hp": 13}}}]
    for sheet in strange:
        findings = adopting.validate_answers(sheet, FormContext()).findings
        assert [one for one in findings if "cannot be displayed (U+" in one.text], (sheet, findings)
    raise NotationError("every place refuses it")


WAYS: dict[str, Callable[[Archive, str], object]] = {
    "rename": lambda archive, text: deck_records.rename_deck(archive, archive.decks()[0].deck, text, "a whim"),
    "reason": lambda archive, text: deck_records.rename_deck(archive, archive.decks()[0].deck, "Sun Choir", text),
    "by": lambda archive, text: deck_records.correct(archive, archive.decks()[0].deck, 2, "a slip", by=text),
    "tick": lambda archive, text: deck_records.tick(archive, archive.decks()[0].deck, ("all",), by=text),
    "retire": lambda archive, text: deck_records.retire(archive, archive.decks()[0].deck, by=text),
    "tag": lambda archive, text: deck_records.change_tags(archive, archive.decks()[0].deck, [text]),
    "person": people.add_person,
    "person's name": lambda archive, text: people.rename_person(archive, "Ana", text),
    "sheet": lambda archive, text: stationery.begin_sheet(archive, text, "18294", 60, (1, 2)),
    "printer": lambda archive, text: stationery.calibrate(archive, text, 0, 0, 1, 1),
    "seat": lambda archive, text: by_line(archive, f'seat ana name "{text}"'),
    "note": lambda archive, text: by_line(archive, f'note "{text}"'),
    "rule": lambda archive, text: by_line(archive, f'rule "{text}" 1'),
    "verb": by_line,
    "passport": by_passport,
    "deck list": lambda _, text: by_list(text),
    "band": lambda _, text: by_form("decknforge", text),
    "deck": lambda _, text: by_form("soulforger", text),
    "sheet of paper": lambda _, text: by_sheet(text),
}


@pytest.mark.parametrize("way", WAYS)
@settings(max_examples=examples(3))
@given(steering)
def test_what_steers_is_refused_and_nothing_of_it_kept(way: str, text: str) -> None:
    text = text.replace("\r", "\x1b").replace("\u2028", "\x1b")  # gaps, where a name is meant
    with TemporaryDirectory() as folder, Archive.open(str(Path(folder) / "archive.sqlite")) as archive:
        bands.found_band(archive)
        with pytest.raises(REFUSALS) as refused:
            WAYS[way](archive, text)
        assert not steers(str(refused.value))
        with archive.store.reading() as transaction:
            streams = [
                stream
                for kind in ("deck", "person", "sheet", "printer", "session")
                for stream in transaction.streams(kind)
            ]
            kept = [entry for stream in streams for entry in transaction.read(stream)]
        assert not [entry for entry in kept if steers(entry.by + "".join(_texts(msgspec.json.decode(entry.body))))]


def _texts(body: object) -> list[str]:
    if isinstance(body, dict):
        return [text for part in (*body, *body.values()) for text in _texts(part)]
    if isinstance(body, list):
        return [text for part in body for text in _texts(part)]
    return [body] if isinstance(body, str) else []


def test_what_cannot_be_refused_is_made_visible() -> None:
    replay = Replay('table decknforge\nnote "a\x1b[2Jb"\n')
    assert [str(tell.text) for line in replay for tell in line.tells] == ["Note: a·[2Jb"]
    assert "\x1b" not in replay.session.export()
    with TemporaryDirectory() as folder, Archive.open(str(Path(folder) / "archive.sqlite")) as archive:
        archive.new_session("decknforge", "a\x1b]0;b\x07" + "c" * 1000)
        (row,) = archive.sessions()
        assert row.title.startswith("a·]0;b·c")
        assert len(row.title) == 200


def test_a_file_of_lines_is_refused_before_much_of_it_is_read(tmp_path: Path) -> None:
    file = tmp_path / "long.table"
    file.write_text("table decknforge\nnote " + "a" * LONGEST_LINE + "\n", encoding="utf-8")
    with pytest.raises(UnreadableLine, match=r"line 2: A line can have at most 10,000 characters, not 10,005\."):
        Replay(read_table_file(file))
    with file.open("wb") as opened:
        opened.truncate(2 * MOST_BYTES)
    with pytest.raises(NotationError, match="more than 5 MB"):
        read_table_file(file)
    with pytest.raises(NotationError, match="more than 5 MB"):
        read_table_file(Path("/dev/zero"))
