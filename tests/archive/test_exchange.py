"""Two homes that go on telling a deck's story and exchange it, whatever they choose: the story settles."""

from collections.abc import Sequence
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.archive import Archive, maintenance, passport, shelf, tags, travel
from companion.archive.merge import Side, Verdict, take_in
from companion.games.action import RuleError
from companion.games.cards import Card
from companion.games.decknforge import marks as m
from tests.archive import bands

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
            bands.add(archive, deck, m.Played("Ana", "win", 6, number))
        elif what == "buy":
            bands.add(archive, deck, m.Labelled(Card("AS"), "swift", "Ben"))
        elif what == "tag":
            tags.tag(archive, deck, [f"tag {number}"])
        elif what == "tick":
            if shelf.chores(archive, deck):
                shelf.tick(archive, deck, ("all",))
        elif what == "rename":
            shelf.rename(archive, deck, f"Choir {number}", "a whim")
        else:
            with suppress(RuleError):
                shelf.correct(archive, deck, number - 1, "a slip")

    def send(self, home: int, deck: str) -> Path:
        path = self.place / f"{home}.decks"
        travel.export(self.archives[home], [deck], path)
        return path

    def exchange(self, deck: str, keep: Sequence[Side | None], *, at_once: bool) -> list[Verdict]:
        """Each takes the other's story in: both as they were before, or one after the other."""
        files = [self.send(home, deck) for home in (0, 1)] if at_once else []
        verdicts = []
        for home in (0, 1):
            file = files[1 - home] if at_once else self.send(1 - home, deck)
            (result,) = take_in(self.archives[home], travel.read(file), keep[home])
            verdicts.append(result.verdict)
        return verdicts

    def told(self, deck: str) -> list[object]:
        return [archive.entries(f"deck:{deck}") for archive in self.archives]

    def counted(self, deck: str) -> list[object]:
        return [archive.record(deck) for archive in self.archives]

    def close(self) -> None:
        for archive in self.archives:
            archive.close()


SIDES = st.sampled_from(["mine", "theirs"])


@settings(max_examples=16, deadline=None)
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
        deck = bands.found(homes.archives[0])
        if by_passport:
            passport.adopt(homes.archives[1], passport.read(passport.write(homes.archives[0], deck)))
        else:
            take_in(homes.archives[1], travel.read(homes.send(0, deck)))
        for edits, keep, at_once in rounds:
            for home, what in edits:
                homes.edit(home, what, deck)
            homes.exchange(deck, keep, at_once=at_once)
        for mine, theirs, at_once in later[:2]:
            homes.exchange(deck, (mine, theirs), at_once=at_once)
        here, there = homes.told(deck)
        assert here == there
        for mine, theirs, at_once in later[2:]:
            assert homes.exchange(deck, (mine, theirs), at_once=at_once) == [Verdict.UNCHANGED] * 2
        assert homes.told(deck) == [here, there]
        assert all(maintenance.check(archive) == () for archive in homes.archives)
        homes.close()


@pytest.mark.parametrize("keep", [("mine", "mine"), ("theirs", "theirs"), ("mine", "theirs")])
@pytest.mark.parametrize("at_once", [True, False])
def test_both_may_keep_their_own_and_the_story_stays_as_long(
    keep: tuple[Side, Side], at_once: bool, tmp_path: Path
) -> None:
    homes = Homes(tmp_path)
    deck = bands.found(homes.archives[0])
    take_in(homes.archives[1], travel.read(homes.send(0, deck)))
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
