"""Passports: a deck in one QR code, how much fits, what is left out then, and what is no passport."""

import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.archive import Archive, ArchiveError, deck_id, deck_records
from companion.archive.exchange import base45, passport
from companion.archive.exchange.passport import CAPACITY, PREFIX, PassportError
from companion.games.decknforge.decks import marks as m
from companion.games.decknforge.decks.record import BandRecord
from companion.tabletop.notation.cards import Card
from labels.drawing import qr
from tests.archive import bands


def record_in_passport(archive: Archive, deck: str) -> BandRecord:
    record = passport.read(passport.write(archive, deck)).record()
    assert isinstance(record, BandRecord)
    return record


def version(text: str) -> int:
    """The version of the QR code that holds a text at level M."""
    return (len(qr.rows(text)) - 17) // 4


def test_a_passport_says_what_the_deck_is_today(archive: Archive) -> None:
    deck = bands.found_band(archive)
    bands.add(
        archive,
        deck,
        m.DungeonPlayed("Ana", "win", 6, 7),
        m.InscriptionCrossedOut(Card("9S"), "sharp", "faded"),
        m.Drifted("Ben"),
    )
    ours, theirs = archive.record(deck), record_in_passport(archive, deck)
    assert isinstance(ours, BandRecord)
    assert (theirs.monsters, theirs.inscribed, theirs.glory, theirs.dungeons, theirs.holders) == (
        (ours.monsters, ours.inscribed, ours.glory, ours.dungeons, ours.holders)
    )
    assert sorted(theirs.history) == sorted(ours.history)


def test_what_is_not_done_yet_is_not_done_there_either(archive: Archive, tmp_path: object) -> None:
    deck = bands.found_band(archive)
    deck_records.tick(archive, deck, [chore.id for chore in deck_records.chores(archive, deck)][1:])
    bands.add(archive, deck, m.InscriptionCrossedOut(Card("9S"), "sharp", "faded"))
    left = {(chore.spot, chore.value) for chore in deck_records.chores(archive, deck)}
    with Archive.open(f"{tmp_path}/home.sqlite") as home:
        passport.adopt(home, passport.read(passport.write(archive, deck)))
        assert {(chore.spot, chore.value) for chore in deck_records.chores(home, deck)} == left
        deck_records.tick(home, deck, ("all",))
        assert deck_records.chores(home, deck) == ()


def test_the_fullest_band_fits_the_largest_code_that_prints(archive: Archive) -> None:
    """All 48 cards inscribed, 30 labels, names of 24 letters, 20 holders, 150 inscriptions lost."""
    deck = archive.found_deck("decknforge", bands.full(names=24, holders=20, lost=150))
    text = passport.write(archive, deck)
    assert len(text) <= CAPACITY
    assert version(text) <= 25
    assert passport.read(text).content[-1] == []


def test_the_capacity_is_that_of_version_25() -> None:
    assert version(PREFIX + "X" * (CAPACITY - len(PREFIX))) == 25
    assert version(PREFIX + "X" * (CAPACITY + 1 - len(PREFIX))) == 26


@pytest.mark.parametrize(
    ("holders", "lost", "letters", "omitted"),
    [
        (90, 0, 12, ["holders"]),
        (90, 1400, 12, ["holders", "lost"]),
        (0, 0, 250, ["holders", "lost", "names"]),
    ],
)
def test_what_does_not_fit_is_left_out_in_order_and_said(
    archive: Archive, holders: int, lost: int, letters: int, omitted: list[str]
) -> None:
    deck = archive.found_deck("decknforge", bands.crowded(holders, lost, letters))
    read = passport.read(passport.write(archive, deck))
    ours, theirs = archive.record(deck), read.record()
    assert isinstance(ours, BandRecord)
    assert isinstance(theirs, BandRecord)
    assert read.content[-1] == omitted
    assert (theirs.holder, theirs.inscribed, theirs.glory) == (ours.holder, ours.inscribed, ours.glory)
    assert [one.hp for one in theirs.monsters.values()] == [one.hp for one in ours.monsters.values()]


def test_what_fits_in_no_code_travels_by_file(archive: Archive) -> None:
    deck = archive.found_deck("decknforge", bands.marks("".join(bands.noise(2000, 1))))
    with pytest.raises(ArchiveError, match="companion deck export"):
        passport.write(archive, deck)


@pytest.mark.parametrize(
    "text",
    [
        PREFIX,
        PREFIX + "//",
        PREFIX + "ABC",
        PREFIX + "ÄÖÜ",
        PREFIX + ":::::://",
        PREFIX + "0" * 1400 + "//",
    ],
)
def test_what_is_no_passport_is_one_sentence(text: str) -> None:
    with pytest.raises(PassportError) as error:
        passport.read(text)
    assert str(error.value).count(".") == 1


@given(st.text(alphabet="0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ $%*+-./:", max_size=60))
def test_no_text_does_more_than_be_refused(text: str) -> None:
    with pytest.raises(PassportError):
        passport.read(PREFIX + text)


def test_every_single_misread_character_is_noticed(archive: Archive) -> None:
    text = passport.write(archive, bands.found_band(archive))
    for at in range(len(PREFIX), len(text) - 2):
        wrong = text[:at] + ("A" if text[at] != "A" else "B") + text[at + 1 :]
        with pytest.raises(PassportError):
            passport.read(wrong)


def test_a_passport_that_unpacks_without_end_is_not_unpacked() -> None:
    bomb = zlib.compress(bytes(50_000_000), level=9, wbits=-15)
    packed = b"\x01" + zlib.crc32(bomb).to_bytes(4, "big") + bomb
    with pytest.raises(PassportError, match="more than any deck"):
        passport.read(PREFIX + base45.encode(packed) + "//")


def test_a_deck_that_is_here_is_not_adopted_again(archive: Archive) -> None:
    deck = bands.found_band(archive)
    old = passport.read(passport.write(archive, deck))
    with pytest.raises(ArchiveError, match="its history includes"):
        passport.adopt(archive, old)
    before = archive.story(deck)
    bands.add(archive, deck, m.DungeonPlayed("Ana", "win", 6, 7))
    assert passport.is_known(archive, old)
    assert len(archive.story(deck)) == len(before) + 1
    assert deck_id.parse(old.deck) == deck
