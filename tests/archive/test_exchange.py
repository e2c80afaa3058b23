"""Two homes that go on telling a deck's story and exchange it, whatever they choose: the story settles."""

from collections.abc import Sequence
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.archive import Archive, deck_records, maintenance
from companion.archive.exchange import deck_export, passport
from companion.archive.exchange.deck_import import ImportVerdict, Side, import_decks, preview_import
from companion.games.decknforge.decks import marks as m
from companion.tabletop.action import RuleError
from companion.tabletop.notation.cards import Card
from tests.archive import bands
from tests.examples import examples

EDITS = ("play", "buy", "tag", "correct", "tick", "rename")


class Homes:
    """Two archives with a deck that both know; each minute something happens in one of them."""

    def __init__(self, place: Path) -> None:
        self.place = place
        self.minute = datetime(2026, 1, 1, tzinfo=UTC)
        self.archives = [
            Archive.open(str(place / f"{name}.sqlite"), by=name, clock=self.now) for name in ("here", "there")
        ]

    def now(self) -> datetime:
        self.minute += timedelta(minutes=1)
        return self.minute

    def edit(self, home: int, what: str, deck: str) -> None:
        archive = self.archives[home]
        number = archive.find_deck(deck).length
        if what == "play":
            bands.add(archive, deck, m.DungeonPlayed("Ana", "win", 6, number))
        elif what == "buy":
            bands.add(archive, deck, m.Labelled(Card("AS"), "swift", "Ben"))
        elif what == "tag":
            deck_records.change_tags(archive, deck, [f"tag {number}"])
        elif what == "tick":
            if deck_records.chores(archive, deck):
                deck_records.tick(archive, deck, ("all",))
        elif what == "rename":
            deck_records.rename_deck(archive, deck, f"Choir {number}", "a whim")
        else:
            with suppress(RuleError):
                deck_records.correct(archive, deck, number - 1, "a slip")

    def send(self, home: int, deck: str) -> Path:
        path = self.place / f"{home}.decks"
        deck_export.export_decks(self.archives[home], [deck], path)
        return path

    def exchange(self, deck: str, keep: Sequence[Side | None], *, at_once: bool) -> list[ImportVerdict]:
        """Each takes the other's story in: both as they were before, or one after the other."""
        files = [self.send(home, deck) for home in (0, 1)] if at_once else []
        verdicts = []
        for home in (0, 1):
            file = files[1 - home] if at_once else self.send(1 - home, deck)
            (result,) = import_decks(self.archives[home], deck_export.read_stories(file), keep[home])
            verdicts.append(result.verdict)
        return verdicts

    def stories(self, deck: str) -> list[object]:
        return [archive.entries(f"deck:{deck}") for archive in self.archives]

    def counted(self, deck: str) -> list[object]:
        return [archive.record(deck) for archive in self.archives]

    def close(self) -> None:
        for archive in self.archives:
            archive.close()


SIDES = st.sampled_from(["mine", "theirs"])


@pytest.mark.slow
@settings(max_examples=examples(16))
@given(
    st.lists(
        st.tuples(
            st.lists(st.tuples(st.integers(0, 1), st.sampled_from(EDITS)), max_size=5),
            st.tuples(SIDES | st.none(), SIDES | st.none()),
            st.booleans(),
        ),
        min_size=1,
        max_size=4,
    ),
    st.lists(st.tuples(SIDES, SIDES, st.booleans()), min_size=4, max_size=4),
    st.booleans(),
)
def test_whatever_two_homes_choose_their_stories_become_one(rounds: list, later: list, by_passport: bool) -> None:  # type: ignore[type-arg]
    with TemporaryDirectory() as place:
        homes = Homes(Path(place))
        deck = bands.found_band(homes.archives[0])
        if by_passport:
            passport.adopt(homes.archives[1], passport.read(passport.write(homes.archives[0], deck)))
        else:
            import_decks(homes.archives[1], deck_export.read_stories(homes.send(0, deck)))
        for edits, keep, at_once in rounds:
            for home, what in edits:
                homes.edit(home, what, deck)
            homes.exchange(deck, keep, at_once=at_once)
        for mine, theirs, at_once in later[:2]:
            homes.exchange(deck, (mine, theirs), at_once=at_once)
        here, there = homes.stories(deck)
        assert here == there
        for mine, theirs, at_once in later[2:]:
            assert homes.exchange(deck, (mine, theirs), at_once=at_once) == [ImportVerdict.UNCHANGED] * 2
        assert homes.stories(deck) == [here, there]
        assert all(maintenance.check_archive(archive) == () for archive in homes.archives)
        homes.close()


@pytest.mark.sample(6)
@pytest.mark.parametrize("keep", [("mine", "mine"), ("theirs", "theirs"), ("mine", "theirs")])
@pytest.mark.parametrize("at_once", [True, False])
def test_both_may_keep_their_own_and_the_story_stays_as_long(
    keep: tuple[Side, Side], at_once: bool, tmp_path: Path
) -> None:
    homes = Homes(tmp_path)
    deck = bands.found_band(homes.archives[0])
    import_decks(homes.archives[1], deck_export.read_stories(homes.send(0, deck)))
    for _ in range(3):
        homes.edit(0, "play", deck)
        homes.edit(1, "buy", deck)
    before = [len(archive.entries(f"deck:{deck}")) for archive in homes.archives]
    lengths = []
    for _ in range(6):
        homes.exchange(deck, keep, at_once=at_once)
        lengths.append([len(archive.entries(f"deck:{deck}")) for archive in homes.archives])
    assert lengths[2:] == [lengths[-1]] * 4
    assert lengths[-1][0] == lengths[-1][1] <= 2 * sum(before)
    assert homes.counted(deck)[0] == homes.counted(deck)[1]
    homes.close()


@pytest.mark.parametrize("by_passport", [False, True])
def test_a_decision_is_not_reversed_before_that_is_said(by_passport: bool, tmp_path: Path) -> None:
    homes = Homes(tmp_path)
    deck = bands.found_band(homes.archives[0])
    if by_passport:
        passport.adopt(homes.archives[1], passport.read(passport.write(homes.archives[0], deck)))
    else:
        import_decks(homes.archives[1], deck_export.read_stories(homes.send(0, deck)))
    homes.edit(0, "play", deck)
    homes.edit(1, "buy", deck)
    assert homes.exchange(deck, ("mine", "mine"), at_once=True) == [ImportVerdict.DIVERGED] * 2
    before, record = homes.stories(deck)[0], homes.counted(deck)[0]
    files = [homes.send(home, deck) for home in (0, 1)]
    # There it was decided later: so here that would change what counts, and is left until somebody says so.
    for keep in (None, "mine", "theirs"):
        (result,) = import_decks(homes.archives[0], deck_export.read_stories(files[1]), keep, reverse=False)
        assert (result.verdict, result.taken) == (ImportVerdict.REVERSED, False)
        assert [line.kind for line in result.mine] == ["played"]
        assert [line.kind for line in result.theirs] == ["labelled"]
        assert homes.stories(deck)[0] == before
    (result,) = preview_import(homes.archives[0], deck_export.read_stories(files[1]))
    assert (result.verdict, len(result.mine), len(result.theirs)) == (ImportVerdict.REVERSED, 1, 1)
    # There nothing changes by what was decided here, earlier.
    (result,) = import_decks(homes.archives[1], deck_export.read_stories(files[0]), reverse=False)
    assert (result.verdict, result.taken, result.mine, result.theirs) == (ImportVerdict.NEWER, True, (), ())
    # Seen from here, the two are one story by now, and still it would change what was decided.
    (result,) = import_decks(homes.archives[0], deck_export.read_stories(homes.send(1, deck)), reverse=False)
    assert (result.verdict, result.taken) == (ImportVerdict.REVERSED, False)
    (result,) = import_decks(homes.archives[0], deck_export.read_stories(files[1]), reverse=True)
    assert (result.verdict, result.taken) == (ImportVerdict.REVERSED, True)
    assert homes.counted(deck)[0] == homes.counted(deck)[1] != record
    assert homes.stories(deck)[0] == homes.stories(deck)[1]
    homes.close()


def test_who_decided_nothing_follows_and_is_told_what_changed(tmp_path: Path) -> None:
    homes = Homes(tmp_path)
    deck = bands.found_band(homes.archives[0])
    import_decks(homes.archives[1], deck_export.read_stories(homes.send(0, deck)))
    for _ in range(2):
        homes.edit(0, "play", deck)
        homes.edit(1, "buy", deck)
        import_decks(homes.archives[0], deck_export.read_stories(homes.send(1, deck)), "mine")
        (result,) = import_decks(homes.archives[1], deck_export.read_stories(homes.send(0, deck)), reverse=False)
        assert (result.verdict, result.taken) == (ImportVerdict.NEWER, True)
        assert ([line.kind for line in result.mine], result.theirs) == (["labelled"], ())
    homes.close()
