"""Tags: given, taken away, told, and never lost on the way between homes."""

from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from companion.archive import Archive, deck_records, maintenance
from companion.archive.exchange import deck_export
from companion.archive.exchange.deck_import import ImportVerdict, import_decks
from companion.archive.storage import lists
from companion.games.decknforge.decks import marks as m
from companion.tabletop.action import RuleError
from tests.archive import bands
from tests.archive.keepsake import Founded as Kept

WIN = m.DungeonPlayed("Ana", "win", 6, 7)


@pytest.fixture
def other(tmp_path: Path) -> Iterator[Archive]:
    with Archive.open(str(tmp_path / "other.sqlite"), by="other home") as opened:
        yield opened


def parcel(source: Archive, deck: str) -> tuple[deck_export.DeckStory, ...]:
    """One deck as a file brings it to another archive."""
    with TemporaryDirectory() as folder:
        file = Path(folder) / "one.decks"
        deck_export.export_decks(source, [deck], file)
        return tuple(deck_export.read_stories(file))


def _send(source: Archive, target: Archive, deck: str) -> ImportVerdict:
    """One deck from archive to archive."""
    (result,) = import_decks(target, parcel(source, deck))
    assert maintenance.check_archive(target) == ()
    return result.verdict


def tags_of(archive: Archive, deck: str) -> tuple[str, ...]:
    return lists.tags_of(archive.marks(deck))


def in_the_list(archive: Archive) -> dict[str, tuple[str, ...]]:
    """What the list of decks says of those that have any tag."""
    return {row.deck: row.tags for row in archive.decks() if row.tags}


def test_tags_are_given_and_taken_away(archive: Archive) -> None:
    deck = bands.found_band(archive)
    assert deck_records.change_tags(archive, deck, ["league", "To be  repaired", "LEAGUE"]) == (
        "league",
        "To be repaired",
    )
    assert deck_records.change_tags(archive, deck, ["away"], off=["League"]) == ("away", "To be repaired")
    assert in_the_list(archive) == {deck: ("away", "To be repaired")}
    assert deck_records.change_tags(archive, deck, [], off=["away", "to be repaired"]) == ()
    assert in_the_list(archive) == {}


def test_what_is_so_already_is_not_written_again(archive: Archive) -> None:
    deck = bands.found_band(archive)
    deck_records.change_tags(archive, deck, ["league"])
    before = archive.marks(deck)
    deck_records.change_tags(archive, deck, ["League"], off=["never"])
    deck_records.change_tags(archive, deck, [])
    assert archive.marks(deck) == before


@pytest.mark.parametrize("word", ["", "  ", "x" * 41, "a\x1bb"])
def test_a_tag_is_a_short_word(archive: Archive, word: str) -> None:
    deck = bands.found_band(archive)
    with pytest.raises(RuleError, match="A tag is a word"):
        deck_records.change_tags(archive, deck, [word])
    assert tags_of(archive, deck) == ()


def test_the_story_tells_tags_and_a_correction_takes_them_back(archive: Archive) -> None:
    deck = bands.found_band(archive)
    deck_records.change_tags(archive, deck, ["league", "away"])
    deck_records.change_tags(archive, deck, ["home"], off=["away"])
    assert [line.text for line in archive.story(deck)[-2:]] == [
        "It is tagged league, away.",
        "It is tagged home and no longer tagged away.",
    ]
    deck_records.correct(archive, deck, len(archive.marks(deck)), "wrong deck", "Ana")
    assert tags_of(archive, deck) == ("away", "league")
    assert "This does not count: “It is tagged home" in archive.story(deck)[-1].text


def test_a_tag_changes_nothing_of_the_deck_itself(archive: Archive) -> None:
    deck = bands.found_band(archive)
    record, due = archive.record(deck), deck_records.chores(archive, deck)
    deck_records.change_tags(archive, deck, ["league"])
    assert archive.record(deck) == record
    assert deck_records.chores(archive, deck) == due
    assert maintenance.check_archive(archive) == ()


def test_a_deck_of_any_game_can_be_tagged(archive: Archive) -> None:
    deck = archive.found_deck("keepsake", [Kept("Box", "Ana")])
    assert deck_records.change_tags(archive, deck, ["league"]) == ("league",)
    assert archive.record(deck).name == "Box"


def test_tags_go_with_the_story(archive: Archive, other: Archive) -> None:
    deck = bands.found_band(archive)
    deck_records.change_tags(archive, deck, ["league"])
    assert _send(archive, other, deck) is ImportVerdict.NEW
    deck_records.change_tags(archive, deck, ["away"])
    assert _send(archive, other, deck) is ImportVerdict.NEWER
    assert in_the_list(other) == {deck: ("away", "league")}


@pytest.mark.parametrize("tagged_here", [True, False])
def test_a_tag_is_no_reason_to_choose_between_two_homes(archive: Archive, other: Archive, tagged_here: bool) -> None:
    deck = bands.found_band(archive)
    _send(archive, other, deck)
    tagging, playing = (archive, other) if tagged_here else (other, archive)
    deck_records.change_tags(tagging, deck, ["league"])
    bands.add(playing, deck, WIN)
    assert _send(other, archive, deck) is ImportVerdict.NEWER
    assert tags_of(archive, deck) == ("league",)
    assert archive.find_deck(deck).figure("glory") == 7
    assert "was imported." in archive.story(deck)[-1].text
    assert _send(archive, other, deck) is ImportVerdict.NEWER
    assert other.story(deck) == archive.story(deck)
    assert _send(other, archive, deck) is ImportVerdict.UNCHANGED


def test_tags_of_two_homes_are_one_lot(archive: Archive, other: Archive) -> None:
    deck = bands.found_band(archive)
    _send(archive, other, deck)
    deck_records.change_tags(archive, deck, ["league"])
    deck_records.change_tags(other, deck, ["away"])
    assert _send(other, archive, deck) is ImportVerdict.NEWER
    assert _send(archive, other, deck) is ImportVerdict.NEWER
    assert tags_of(archive, deck) == tags_of(other, deck) == ("away", "league")


def test_both_homes_may_take_the_other_in_at_once(archive: Archive, other: Archive, tmp_path: Path) -> None:
    deck = bands.found_band(archive)
    _send(archive, other, deck)
    deck_records.change_tags(archive, deck, ["league"])
    bands.add(other, deck, WIN)
    files = [tmp_path / "one.decks", tmp_path / "two.decks"]
    for home, file in zip((archive, other), files, strict=True):
        deck_export.export_decks(home, [deck], file)
    import_decks(other, deck_export.read_stories(files[0]))
    import_decks(archive, deck_export.read_stories(files[1]))
    assert _send(archive, other, deck) in (ImportVerdict.NEWER, ImportVerdict.UNCHANGED)
    assert _send(other, archive, deck) in (ImportVerdict.NEWER, ImportVerdict.UNCHANGED)
    assert tags_of(archive, deck) == tags_of(other, deck) == ("league",)
    assert archive.find_deck(deck).figure("glory") == other.find_deck(deck).figure("glory") == 7


@pytest.mark.parametrize("keep", ["mine", "theirs"])
def test_whichever_story_holds_the_tags_of_both_stay(archive: Archive, other: Archive, keep: str) -> None:
    deck = bands.found_band(archive)
    _send(archive, other, deck)
    for home, tag in ((archive, "here"), (other, "there")):
        bands.add(home, deck, WIN)
        deck_records.change_tags(home, deck, [tag])
    assert _send(other, archive, deck) is ImportVerdict.DIVERGED
    (result,) = import_decks(archive, parcel(other, deck), keep)  # type: ignore[arg-type]
    assert result.taken
    assert tags_of(archive, deck) == ("here", "there")
    assert archive.find_deck(deck).figure("glory") == 7


def test_a_passport_leaves_tags_at_home(archive: Archive, other: Archive) -> None:
    from companion.archive.exchange import passport

    deck = bands.found_band(archive)
    deck_records.change_tags(archive, deck, ["league"])
    passport.adopt(other, passport.read(passport.write(archive, deck)))
    assert tags_of(other, deck) == ()
    assert _send(archive, other, deck) is ImportVerdict.NEWER
    assert tags_of(other, deck) == ("league",)
