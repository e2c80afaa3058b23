"""What files from other homes say that no rule makes, and stories that went on there: told and asked before."""

from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from msgspec.structs import replace

from companion.archive import Archive, NameTaken, deck_records, stationery
from companion.archive.exchange import archive_export, deck_export, deck_import
from companion.archive.exchange.import_doubts import find_doubts
from companion.archive.storage.entries import Entry
from companion.archive.storage.lists import deck_stream, row_of
from companion.cli.main import main
from companion.games.decknforge.decks import marks as m
from companion.tabletop.action import NotationError
from tests.archive import bands

Write = Callable[[Archive, str, Path], None]
Change = Callable[[Entry], Entry]


def by_deck(archive: Archive, deck: str, file: Path) -> None:
    deck_export.export_decks(archive, [deck], file)


def by_archive(archive: Archive, _: str, file: Path) -> None:
    archive_export.export_archive(archive, file)


ways = pytest.mark.parametrize("write", [by_deck, by_archive])
COMMANDS: dict[object, str] = {by_deck: "deck", by_archive: "archive"}


def changed(archive: Archive, deck: str, change: Change) -> None:
    """A home whose writer says what they want of entry 1, with hashes that hold."""
    whole = archive.entries(deck_stream(deck))
    with archive.store.writing() as transaction:
        transaction.truncate(deck_stream(deck), 0)
        transaction.write([change(entry) if entry.seq == 1 else entry for entry in whole])


def says_hp(entry: Entry, hp: int) -> Entry:
    return replace(entry, body=entry.body.replace('"hp":', f'"hp":{hp},"was":', 1))


def taken_in(file: Path, write: Write, home: Path, *options: str) -> Result:
    return CliRunner().invoke(main, ["--archive", str(home), COMMANDS[write], "import", str(file), *options])


@pytest.mark.sample(6)
@ways
@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (lambda entry: says_hp(entry, 10**15), "“hp” is 1e+15"),
        (lambda entry: says_hp(entry, 2 * 10**9), "“hp” is 2e+09"),
        (lambda entry: replace(entry, at=entry.at.replace(year=2999)), "is dated 2999-"),
    ],
)
def test_what_no_rule_makes_is_told_before_it_comes_in(
    archive: Archive, tmp_path: Path, write: Write, change: Change, sentence: str
) -> None:
    deck = bands.found_band(archive)
    changed(archive, deck, change)
    file, home = tmp_path / "forged", tmp_path / "home.sqlite"
    write(archive, deck, file)
    result = taken_in(file, write, home)
    assert result.exit_code == 1
    assert sentence in result.stderr
    assert result.stderr.endswith("--yes takes it in.\n")
    with Archive.open(str(home)) as opened:
        assert opened.decks() == ()
    assert taken_in(file, write, home, "--yes").exit_code == 0
    with Archive.open(str(home)) as opened:
        assert len(opened.decks()) == 1


@ways
def test_a_story_that_went_on_elsewhere_is_told_and_asked_about(archive: Archive, tmp_path: Path, write: Write) -> None:
    deck = bands.found_band(archive)
    file, home = tmp_path / "story", tmp_path / "home.sqlite"
    write(archive, deck, file)
    assert taken_in(file, write, home).exit_code == 0, "what is new is no doubt"
    assert taken_in(file, write, home).stderr == ""
    archive.by = "Ben"
    bands.add(archive, deck, m.DungeonPlayed("Ana", "win", 6, 7), m.DungeonPlayed("Ana", "loss", 6, 7))
    write(archive, deck, file)
    result = taken_in(file, write, home)
    assert result.exit_code == 0, "where nobody can be asked, it is told"
    assert "continued in another home: 2 entries by Ben since 20" in result.stderr
    with Archive.open(str(home)) as opened:
        assert opened.entries(deck_stream(deck)) == archive.entries(deck_stream(deck))


def test_a_story_that_diverged_is_shown_and_not_doubted(archive: Archive, tmp_path: Path) -> None:
    deck = bands.found_band(archive)
    file = tmp_path / "story"
    by_deck(archive, deck, file)
    with Archive.open(str(tmp_path / "home.sqlite")) as home:
        deck_import.import_decks(home, deck_export.read_stories(file))
        bands.add(home, deck, m.DungeonPlayed("Ana", "win", 6, 7))
        bands.add(archive, deck, m.DungeonPlayed("Ana", "loss", 6, 7), m.DungeonPlayed("Ana", "loss", 6, 7))
        by_deck(archive, deck, file)
        assert find_doubts(home, file) == ()


@pytest.mark.sample(6)
@ways
@pytest.mark.parametrize(("key", "length"), [("name", 201), ("name", 10_000_000), ("why", 10_001)])
def test_names_and_texts_without_end_do_not_come_in(
    archive: Archive, tmp_path: Path, write: Write, key: str, length: int
) -> None:
    deck = bands.found_band(archive)
    long = f'{{"{key}":"{"x" * length}",'

    def lengthen(entry: Entry) -> Entry:
        return replace(entry, body=entry.body.replace(f'"{key}":', '"was":').replace("{", long, 1))

    changed(archive, deck, lengthen)
    file, home = tmp_path / "long", tmp_path / "home.sqlite"
    write(archive, deck, file)
    result = taken_in(file, write, home, "--yes")
    assert result.exit_code != 0
    assert f"holds a text of {length:,} symbols in entry 1" in result.stderr
    assert len(result.stderr) < 400
    with Archive.open(str(home)) as opened:
        assert opened.decks() == ()


def test_an_old_name_without_end_is_shown_short(tmp_path: Path) -> None:
    place = tmp_path / "old.sqlite"
    with Archive.open(str(place)) as old:
        bands.found_band(old, "x" * 100_000)
        bands.found_band(old, "Sun Choir")
    output = CliRunner().invoke(main, ["--archive", str(place), "deck", "list"]).output
    assert "x…" in output
    assert len(output) < 5_000


alike = pytest.mark.parametrize(
    ("ours", "theirs"), [("می\u200cشود", "میشود"), ("Grave Choir", "Grave\u034f Choir"), ("❤", "❤\ufe0f")]
)


@pytest.mark.sample(6)
@ways
@alike
@pytest.mark.parametrize("turned", [False, True], ids=["", "turned"])
def test_a_new_deck_whose_name_looks_like_ours_does_not_come_in(
    archive: Archive, tmp_path: Path, write: Write, ours: str, theirs: str, turned: bool
) -> None:
    ours, theirs = (theirs, ours) if turned else (ours, theirs)
    deck = bands.found_band(archive, theirs)
    file, home = tmp_path / "theirs", tmp_path / "home.sqlite"
    write(archive, deck, file)
    with Archive.open(str(home)) as opened:
        bands.found_band(opened, ours)
    for options in ((), ("--yes",)):
        result = taken_in(file, write, home, *options)
        assert (result.exit_code, result.stdout) == (1, "")
        is_said = "looks like a deck that is here" in result.stderr
        assert is_said or " called " in result.stderr
    assert " called " in result.stderr
    assert " already" in result.stderr
    with Archive.open(str(home)) as opened:
        assert [row.name for row in opened.decks()] == [ours]


@pytest.mark.sample(6)
@ways
@alike
def test_two_decks_of_a_file_that_look_alike_do_not_come_in(
    archive: Archive, tmp_path: Path, write: Write, ours: str, theirs: str
) -> None:
    one = bands.found_band(archive, ours)
    with Archive.open(str(tmp_path / "other.sqlite")) as other:
        two = bands.found_band(other, theirs)
        entries = other.entries(deck_stream(two))
    with archive.store.writing() as transaction:
        transaction.write(entries)
        transaction.put_new([row_of(deck_stream(two), entries)])
    file, home = tmp_path / "both", tmp_path / "home.sqlite"
    if write is by_deck:
        deck_export.export_decks(archive, [one, two], file)
    else:
        write(archive, one, file)
    result = taken_in(file, write, home, "--yes")
    assert result.exit_code == 1
    assert " called " in result.stderr
    assert " already" in result.stderr
    with Archive.open(str(home)) as opened:
        assert opened.decks() == ()


@alike
def test_sheets_and_printers_that_look_alike_are_one(archive: Archive, ours: str, theirs: str) -> None:
    stationery.begin_sheet(archive, ours, "avery-l4732", 80, tuple(range(1, 81)))
    stationery.calibrate(archive, ours, 0.5, 0, 1, 1)
    with pytest.raises((NameTaken, NotationError)):
        stationery.begin_sheet(archive, theirs, "avery-l4732", 80, (1,))
    with pytest.raises((NameTaken, NotationError)):
        stationery.calibrate(archive, theirs, 0.7, 0, 1, 1)
    assert [row.name for row in stationery.sheets(archive)] == [ours]
    assert [(row.name, row.dx) for row in stationery.printers(archive)] == [(ours, 0.5)]


def test_tags_that_look_alike_are_one(archive: Archive) -> None:
    deck = bands.found_band(archive)
    assert deck_records.change_tags(archive, deck, ["می\u200cشود", "میشود"]) == ("می\u200cشود",)
    assert deck_records.change_tags(archive, deck, ["میشود", "❤"]) == ("می\u200cشود", "❤")
    assert deck_records.change_tags(archive, deck, ["❤\ufe0f"]) == ("می\u200cشود", "❤")
    assert deck_records.change_tags(archive, deck, [], ["میشود", "❤\ufe0f"]) == ()


@alike
def test_names_that_look_alike_are_told_and_never_founded_twice(
    archive: Archive, tmp_path: Path, ours: str, theirs: str
) -> None:
    deck = bands.found_band(archive, theirs)
    by_deck(archive, deck, tmp_path / "theirs")
    with Archive.open(str(tmp_path / "home.sqlite")) as home:
        bands.found_band(home, ours)
        (doubt,) = find_doubts(home, tmp_path / "theirs")
        assert "looks like a deck that is here" in doubt.text
        with pytest.raises(NameTaken):
            bands.found_band(home, theirs)


@ways
def test_a_name_that_looks_like_one_of_ours_does_not_come_in(archive: Archive, tmp_path: Path, write: Write) -> None:
    deck = bands.found_band(archive, "Grave\u034f Choir")
    file, home = tmp_path / "theirs", tmp_path / "home.sqlite"
    write(archive, deck, file)
    with Archive.open(str(home)) as opened:
        ours = bands.found_band(opened, "Grave Choir")
        sun = bands.found_band(opened, "Sun Choir")
        with pytest.raises(NameTaken):
            deck_records.rename_deck(opened, sun, "GRAVE  CHOIR", "a whim")
    result = taken_in(file, write, home, "--yes")
    assert (result.exit_code, "already" in result.stderr) == (1, True)
    with Archive.open(str(home)) as opened:
        assert {row.deck for row in opened.decks()} == {ours, sun}


def test_who_says_what_to_keep_has_answered(archive: Archive, tmp_path: Path) -> None:
    deck = bands.found_band(archive)
    changed(archive, deck, lambda entry: says_hp(entry, 2 * 10**9))
    file, home = tmp_path / "forged", tmp_path / "home.sqlite"
    by_deck(archive, deck, file)
    assert taken_in(file, by_deck, home).exit_code == 1
    result = taken_in(file, by_deck, home, "--keep", "mine")
    assert (result.exit_code, "“hp” is 2e+09" in result.stderr) == (0, True)


def test_of_many_doubts_five_are_told_and_how_many_more(archive: Archive, tmp_path: Path) -> None:
    stories = [bands.found_band(archive, f"Choir {number}") for number in range(8)]
    with Archive.open(str(tmp_path / "home.sqlite")) as home:
        archive_export.export_archive(archive, tmp_path / "all")
        archive_export.import_archive(home, tmp_path / "all")
        for deck in stories:
            bands.add(archive, deck, m.DungeonPlayed("Ana", "win", 6, 7))
        archive_export.export_archive(archive, tmp_path / "all")
        sentences = [doubt.text for doubt in find_doubts(home, tmp_path / "all")]
    assert len(sentences) == 6
    assert sentences[-1] == "3 more continued in another home: 3 entries."


def test_an_earlier_clock_is_no_doubt(archive: Archive, tmp_path: Path) -> None:
    deck = bands.found_band(archive)
    changed(archive, deck, lambda entry: replace(entry, at=entry.at - timedelta(days=9_000)))
    by_deck(archive, deck, tmp_path / "old")
    with Archive.open(str(tmp_path / "home.sqlite")) as home:
        assert find_doubts(home, tmp_path / "old") == ()
