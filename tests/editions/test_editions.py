"""Whatever any edition of this program wrote is read by today's, for ever."""

import json
import shutil
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import msgspec
import pytest

from companion.archive import Archive, deck_records, maintenance, stationery, web_access
from companion.archive.exchange import deck_export, passport
from companion.archive.people import people
from companion.archive.storage.lists import deck_stream
from companion.games import registry
from companion.games.described.records import InscribedRecord
from companion.session.core import archive_journal
from companion.session.core.replay import Replay, as_json
from companion.session.reports import evening_cards
from companion.tabletop.constructed.record import ConstructedRecord
from companion.tabletop.records import Mark
from labels.paper import stocks
from tests.editions import keep

CELLS = {1: (0, 0), 2: (0, 1), 15: (0, 14), 16: (1, 0), 31: (2, 0), 60: (3, 14)}
"""Where positions lie on a sheet of the stock that every edition has; a remembered sheet's free ones stay the same."""

OF_BANDS = ("name", "builder", "holder", "monsters", "inscribed", "glory", "dungeons", "retired")
OF_INSCRIBED = ("name", "holder", "retired", "played", "won", "counts", "borne", "torn")
OF_CONSTRUCTED = ("name", "holder", "retired", "version", "cards", "won", "lost", "draws")
"""What a passport says of a deck."""
OF_KIND = {ConstructedRecord: OF_CONSTRUCTED, InscribedRecord: OF_INSCRIBED}

*OLDER, NEWEST = sorted(path for path in keep.HERE.iterdir() if (path / "facts.json").exists())
EDITIONS = [*(pytest.param(path, marks=pytest.mark.slow) for path in OLDER), NEWEST]


@pytest.fixture(params=EDITIONS, ids=lambda path: str(path.name))
def edition(request: pytest.FixtureRequest) -> Path:
    path: Path = request.param
    return path


@pytest.fixture
def facts(edition: Path) -> dict[str, Any]:
    return dict(json.loads((edition / "facts.json").read_text(encoding="utf-8")))


@pytest.fixture
def archive(edition: Path, tmp_path: Path) -> Iterator[Archive]:
    with Archive.open(str(shutil.copy(edition / "archive.sqlite", tmp_path))) as opened:
        yield opened


def still(kept: Any, today: Any) -> list[str]:
    """What was kept and is otherwise today; figures that only today's program has are no loss."""
    if isinstance(kept, dict) and isinstance(today, dict):
        return [
            f"{key}.{path}" if path else str(key)
            for key, value in kept.items()
            for path in (still(value, today[key]) if key in today else ["is gone"])
        ]
    if isinstance(kept, list) and isinstance(today, list) and len(kept) == len(today):
        return [path for one, other in zip(kept, today, strict=True) for path in still(one, other)]
    return [] if kept == today else [f"was {kept}, is {today}"]


def test_an_archive_holds_what_it_held(archive: Archive, facts: dict[str, Any]) -> None:
    assert still(facts, keep.facts(archive)) == []


def test_an_export_is_taken_in_whole(edition: Path, facts: dict[str, Any], tmp_path: Path) -> None:
    from companion.archive.exchange import deck_import

    stories = deck_export.read_stories(edition / "all.decks")
    with Archive.open(str(tmp_path / "home.sqlite")) as home:
        assert {result.taken for result in deck_import.import_decks(home, stories)} == {True}
        assert still(facts["decks"], keep.facts(home)["decks"]) == []


def test_everything_is_taken_in_by_another_home(edition: Path, facts: dict[str, Any], tmp_path: Path) -> None:
    from companion.archive.exchange import archive_export

    whole = edition / "everything.gz"
    if not whole.exists():
        assert int(edition.name) < 4, "only the first editions could not export everything"
        return
    with Archive.open(str(tmp_path / "home.sqlite")) as home:
        archive_export.import_archive(home, whole)
        assert still(facts, keep.facts(home)) == []


def test_the_export_of_an_old_archive_is_the_same_file(archive: Archive, edition: Path, tmp_path: Path) -> None:
    again = tmp_path / "again.decks"
    deck_export.export_decks(archive, [row.deck for row in archive.decks()], again)
    assert again.read_bytes() == (edition / "all.decks").read_bytes()


def test_printed_passports_are_read_and_known(archive: Archive, edition: Path, facts: dict[str, Any]) -> None:
    kept = json.loads((edition / "passports.json").read_text(encoding="utf-8"))
    assert kept.keys() == facts["decks"].keys()
    for deck, text in kept.items():
        document = passport.read(text)
        assert document.deck == deck
        assert document.story == facts["decks"][deck]["chain"][-1]
        assert passport.is_known(archive, document)
        record, then = document.record(), archive.record(deck)
        for field in OF_KIND.get(type(then), OF_BANDS):
            assert getattr(record, field) == getattr(then, field), (deck, field)
        assert sorted(getattr(record, "history", ())) == sorted(getattr(then, "history", ()))


def test_an_exported_log_plays_to_the_same_table(archive: Archive, edition: Path) -> None:
    fight = next(row for row in archive.sessions() if not row.sealed and row.title == "Half a fight")
    replay = Replay((edition / "fight.table").read_text(encoding="utf-8"))
    assert all(not line.failure for line in replay)
    assert as_json(replay.session)["seats"] == as_json(archive_journal.resume(archive, fight.session))["seats"]


def test_a_fact_that_is_otherwise_would_be_found(archive: Archive, facts: dict[str, Any]) -> None:
    deck = next(deck for deck, facts_of_deck in facts["decks"].items() if "glory" in facts_of_deck["record"])
    facts["decks"][deck]["record"]["glory"] += 1
    assert still(facts, keep.facts(archive)) != []
    assert archive.entries(deck_stream(deck))


def raw(edition: Path, kind: str) -> dict[tuple[str, int], dict[str, Any]]:
    """The bodies of a kind of entry as they lie in the file, whatever program reads them."""
    with closing(sqlite3.connect(edition / "archive.sqlite")) as database:
        rows = database.execute("SELECT stream, seq, body FROM entries WHERE kind = ?", (kind,)).fetchall()
    return {(stream, seq): json.loads(body) for stream, seq, body in rows}


def test_opening_an_archive_changes_no_entry(archive: Archive, edition: Path) -> None:
    def entries(place: Path) -> dict[tuple[Any, ...], tuple[Any, ...]]:
        with closing(sqlite3.connect(place)) as database:
            rows = database.execute('SELECT stream, seq, at, "by", kind, body, session FROM entries').fetchall()
        return {row[:2]: row for row in rows}

    maintenance.repair(archive)
    kept, today = entries(edition / "archive.sqlite"), entries(Path(archive.name))
    assert {key: today[key] for key in kept} == kept
    assert maintenance.check_archive(archive) == ()


@pytest.mark.parametrize("edition", [keep.HERE / "1"], ids=["1"])
def test_every_purse_and_reason_is_what_it_was(archive: Archive, edition: Path) -> None:
    ledgers: dict[str, list[tuple[int, str]]] = {}
    for (_, _), body in sorted(raw(edition, "coppers").items()):
        ledgers.setdefault(body["wizard"], []).append((body["change"], body["why"]))
    assert ledgers
    for name, ledger in ledgers.items():
        person = people.find_record(archive, name)
        assert person.person
        assert [(line.change, line.why) for line in person.ledger] == ledger
        assert person.purse == sum(change for change, _ in ledger)


@pytest.mark.parametrize("edition", [keep.HERE / "1"], ids=["1"])
def test_where_every_sitting_stood_is_still_told(archive: Archive, edition: Path) -> None:
    stood: dict[str, str] = {}
    for (stream, _), body in sorted(raw(edition, "line").items()):
        stood[stream.partition(":")[2]] = body.get("standing") or stood.get(stream.partition(":")[2], "")
    assert {row.session: row.where for row in archive.sessions()} == stood
    assert {row.edition for row in archive.sessions()} == {1}


def test_every_purse_change_has_its_reason(archive: Archive) -> None:
    ledgers = [
        people.find_record(archive, person.person or person.name).ledger for person in people.all_people(archive)
    ]
    assert any(ledgers)
    assert all(line.why and not line.why.startswith("{") for ledger in ledgers for line in ledger)
    assert all(row.where and "{" not in row.where for row in archive.sessions())


def test_what_each_seal_wrote_is_read_without_asking_the_rules(
    archive: Archive, monkeypatch: pytest.MonkeyPatch
) -> None:
    sealed = [row.session for row in archive.sessions() if row.sealed]
    played = {session: archive_journal.resume(archive, session) for session in sealed}
    wrote = {session: dict(table.game.marks(table.state)) for session, table in played.items()}

    def refuse(*_: object) -> None:
        raise AssertionError("the game was played again")

    monkeypatch.setattr(type(registry.game("decknforge")), "apply", refuse)
    assert sealed
    marks = {session: dict(deck_records.sealed_marks(archive, session)) for session in sealed}
    assert {session: _of_before(kept) for session, kept in marks.items()} == {
        session: _of_before(kept) for session, kept in wrote.items()
    }


_SINCE = {"rounds", "person", "final", "score", "evening"}
"""What the mark of a game says since edition 8."""


def _of_before(marks: Mapping[str, Sequence[Mark]]) -> dict[str, Any]:
    """The marks as an edition of before would have written them."""
    return {deck: [_without(msgspec.to_builtins(mark)) for mark in of_deck] for deck, of_deck in marks.items()}


def _without(mark: dict[str, Any]) -> dict[str, Any]:
    if mark["mark"] != "played":
        return mark
    sides = [{key: value for key, value in side.items() if key not in _SINCE} for side in mark.get("opponents", ())]
    return {key: value for key, value in mark.items() if key not in _SINCE} | {"opponents": sides}


def test_every_story_is_told_in_chapters_and_every_evening_has_a_card(archive: Archive) -> None:
    for row in archive.decks():
        chapters = archive.chapters(row.deck)
        lines = [line.number for chapter in chapters for line in (*chapter.lines, *chapter.chores)]
        evenings = [chapter.mark for chapter in chapters if chapter.kind == "evening"]
        assert sorted((*lines, *evenings)) == [line.number for line in archive.story(row.deck)]
    for session in archive.sessions():
        if session.sealed:
            assert evening_cards.present_stored(archive, session).card.headline


def test_phones_of_an_evening_have_their_seats_rights_and_hands(edition: Path, tmp_path: Path) -> None:
    if int(edition.name) < 12:
        return  # Hands are kept since then.
    copy = shutil.copy(edition / "archive.sqlite", tmp_path)
    with closing(sqlite3.connect(copy)) as database:
        (came,) = database.execute("SELECT max(since) FROM phones").fetchone()
    that_evening = datetime.fromisoformat(came).replace(tzinfo=UTC)
    with Archive.open(str(copy), clock=lambda: that_evening) as archive:
        access, phones, hands = web_access.read_access(archive)
        fight = next(row for row in archive.sessions() if row.title == "Half a fight").session
    assert access is not None
    assert (access.pin, access.permissions) == (keep.PIN, "own")
    assert [(phone.name, phone.permissions, phone.seat, phone.waiting) for phone in phones] == [
        ("Ana", "", "ana", False),
        ("Zoë", "all", "", False),
        ("A stranger", "", "", True),
    ]
    assert hands == {(fight, "ana"): web_access.Hand(keep.HAND, len(keep.FIGHT))}


def test_positions_on_sheets_are_where_they_were(archive: Archive) -> None:
    (sheet,) = stationery.sheets(archive)
    stock = stocks.find(sheet.stock)
    assert {number: stock.cell(number) for number in CELLS} == CELLS


def test_stored_words_still_mean_something(edition: Path) -> None:
    kept = json.loads((edition / "words.json").read_text(encoding="utf-8"))
    assert still(kept, json.loads(json.dumps(keep.words()))) == []


def test_no_two_effects_have_a_number(edition: Path) -> None:
    kept = json.loads((edition / "words.json").read_text(encoding="utf-8"))
    for kind in ("inscriptions", "labels"):
        numbers = list({**keep.words()[kind], **kept[kind]}.values())
        assert len(set(numbers)) == len(numbers), kind
