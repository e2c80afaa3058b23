"""Stories from other homes: sorted, taken in where nothing is lost, and joined where they diverged."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.archive import Archive, NameTaken, deck_records, maintenance
from companion.archive.exchange import deck_export, passport
from companion.archive.exchange.deck_import import ImportResult, ImportVerdict, import_decks, preview_import
from companion.games.decknforge.decks import marks as m
from companion.games.decknforge.decks.record import BandRecord
from companion.tabletop.notation.cards import Card
from tests.archive import bands

BUY = m.CardInscribed(Card("KD"), "banner", "bought", "Ana")
WIN = m.DungeonPlayed("Ana", "win", 6, 7)
LABEL = m.Labelled(Card("AS"), "swift", "Ben")


@pytest.fixture
def other(tmp_path: Path) -> Iterator[Archive]:
    with Archive.open(str(tmp_path / "other.sqlite"), by="other home") as opened:
        yield opened


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "decks"


def _send(source: Archive, target: Archive, file: Path, deck: str, keep: str | None = None) -> ImportResult:
    """One deck from archive to archive, as a file."""
    deck_export.export_decks(source, [deck], file)
    (result,) = import_decks(target, deck_export.read_stories(file), keep)  # type: ignore[arg-type]
    return result


def band(archive: Archive, deck: str) -> BandRecord:
    record = archive.record(deck)
    assert isinstance(record, BandRecord)
    return record


def test_a_story_is_new_then_unchanged_newer_or_older(archive: Archive, other: Archive, file: Path) -> None:
    deck = bands.found_band(archive)
    assert _send(archive, other, file, deck).verdict is ImportVerdict.NEW
    assert _send(archive, other, file, deck).verdict is ImportVerdict.UNCHANGED
    bands.add(archive, deck, WIN)
    assert _send(other, archive, file, deck).verdict is ImportVerdict.OLDER
    result = _send(archive, other, file, deck)
    assert (result.verdict, result.taken) == (ImportVerdict.NEWER, True)
    assert other.story(deck) == archive.story(deck)
    assert maintenance.check_archive(other) == ()


def test_looking_takes_nothing_in(archive: Archive, other: Archive, file: Path) -> None:
    deck_export.export_decks(archive, [bands.found_band(archive)], file)
    (result,) = preview_import(other, deck_export.read_stories(file))
    assert (result.verdict, result.taken, other.decks()) == (ImportVerdict.NEW, False, ())


def test_a_file_is_taken_in_whole_or_not_at_all(archive: Archive, other: Archive, file: Path) -> None:
    decks = [bands.found_band(archive, "First"), bands.found_band(archive, "Second")]
    bands.found_band(other, "second")
    deck_export.export_decks(archive, decks, file)
    with pytest.raises(NameTaken, match="companion deck rename"):
        import_decks(other, deck_export.read_stories(file))
    assert [row.name for row in other.decks()] == ["second"]
    deck_records.rename_deck(other, other.decks()[0].deck, "Other", "both homes chose it")
    assert [result.taken for result in import_decks(other, deck_export.read_stories(file))] == [True, True]


@pytest.fixture
def apart(archive: Archive, other: Archive, file: Path) -> str:
    """A deck that went on in two homes: here Banner was bought and stuck, there a dungeon won and a label written."""
    deck = bands.found_band(archive)
    deck_records.tick(archive, deck, ("all",))
    _send(archive, other, file, deck)
    bands.add(archive, deck, BUY)
    deck_records.tick(archive, deck, ("all",), "Ana")
    bands.add(other, deck, LABEL, WIN)
    deck_records.tick(other, deck, ("all",), "Ben")
    return deck


def test_what_diverged_is_explained_and_left_alone(archive: Archive, other: Archive, file: Path, apart: str) -> None:
    before = archive.entries(f"deck:{apart}")
    result = _send(other, archive, file, apart)
    assert (result.verdict, result.taken) == (ImportVerdict.DIVERGED, False)
    assert archive.entries(f"deck:{apart}") == before
    assert [line.kind for line in result.mine] == ["inscribed", "done"]
    assert [line.kind for line in result.theirs] == ["labelled", "played", "done"]


@pytest.mark.parametrize("keep", ["mine", "theirs"])
def test_one_is_kept_as_a_correction_of_the_other(
    archive: Archive, other: Archive, file: Path, apart: str, keep: str
) -> None:
    before = archive.story(apart)
    assert _send(other, archive, file, apart, keep).taken
    joined = band(archive, apart)
    mine = keep == "mine"
    assert (joined.inscribed.get(Card("KD")), joined.glory) == ((("banner",), 0) if mine else (None, 7))
    assert joined.monsters[Card("AS")].labels == (() if mine else ("swift",))
    story = archive.story(apart)
    assert [(line.at, line.by, line.kind) for line in story[: len(before)]] == [
        (line.at, line.by, line.kind) for line in before
    ]
    assert {"labelled", "played", "inscribed", "corrected", "joined"} <= {line.kind for line in story}
    # What was stuck in the home whose story does not hold has to come off again.
    left = "Cross out Swift on A♠" if mine else "Cross out Banner on K♦"
    assert left in [chore.text for chore in deck_records.chores(archive, apart)]
    assert maintenance.check_archive(archive) == ()


@pytest.mark.parametrize("keep", ["mine", "theirs"])
def test_the_other_home_can_follow_and_then_both_are_one(
    archive: Archive, other: Archive, file: Path, apart: str, keep: str
) -> None:
    _send(other, archive, file, apart, keep)
    assert _send(other, archive, file, apart).verdict is ImportVerdict.OLDER
    assert _send(archive, other, file, apart).verdict is ImportVerdict.NEWER
    assert other.entries(f"deck:{apart}") == archive.entries(f"deck:{apart}")
    bands.add(other, apart, m.Drifted("Cy"))
    assert _send(other, archive, file, apart).taken
    assert band(archive, apart).holder == "Cy"


def test_a_deck_adopted_by_passport_and_played_there_comes_home(archive: Archive, other: Archive, file: Path) -> None:
    deck = bands.found_band(archive)
    deck_records.tick(archive, deck, ("all",))
    passport.adopt(other, passport.read(passport.write(archive, deck)))
    assert _send(other, archive, file, deck).verdict is ImportVerdict.OLDER
    bands.add(other, deck, BUY, WIN)
    (buy,) = [chore for chore in deck_records.chores(other, deck) if "Banner" in chore.text]
    deck_records.tick(other, deck, [buy.id])
    result = _send(other, archive, file, deck)
    assert (result.verdict, result.taken) == (ImportVerdict.NEWER, True)
    home = band(archive, deck)
    assert (home.glory, home.inscribed[Card("KD")], home.builder) == (7, ("banner",), "Ana")
    assert [chore.text for chore in deck_records.chores(archive, deck)] == ["Write Glory 7, 1 dungeon on the box"]
    assert archive.story(deck)[0].kind == "founded"
    assert _send(archive, other, file, deck).verdict is ImportVerdict.NEWER
    assert other.entries(f"deck:{deck}") == archive.entries(f"deck:{deck}")


def test_a_file_replaces_the_passport_of_a_played_deck(archive: Archive, other: Archive, file: Path) -> None:
    deck = bands.found_band(archive)
    passport.adopt(other, passport.read(passport.write(archive, deck)))
    bands.add(other, deck, WIN)
    assert _send(archive, other, file, deck).taken
    assert [line.kind for line in other.story(deck)][-2:] == ["played", "joined"]
    assert (band(other, deck).glory, other.story(deck)[0].kind) == (7, "founded")
