"""Figures that nothing at a table comes to: refused where they are entered, played where a log of before has them."""

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from companion.archive import Archive, StoredLine, deck_records
from companion.archive.exchange import archive_export, deck_export
from companion.archive.exchange.deck_import import import_decks
from companion.session.core import archive_journal
from companion.session.core.replay import Replay, UnreadableLine
from companion.session.core.session import Session
from companion.tabletop.action import NotationError, RuleError
from companion.tabletop.notation.arguments import MAX_VALUE
from tests.archive import bands
from tests.examples import examples
from tests.games.constructed.test_table import seated

HUGE = 10**30
LINES = [
    f"set ana coppers {HUGE}",
    f"set ana coppers {MAX_VALUE + 1}",
    f"add ana coppers +{HUGE}",
    f"add ana coppers -{MAX_VALUE + 1}",
    f"purse ana {HUGE}",
    f"rule no-such-rule {HUGE}",
    f"amend 2 set ana coppers {HUGE}",
    f"resume-from {HUGE}",
]


def _table(archive: Archive, deck: str = "") -> Session:
    session = archive_journal.start(archive, "decknforge")
    session.enter(f"seat ana name Ana deck {deck or bands.found_band(archive)}")
    return session


@pytest.mark.parametrize("line", LINES)
def test_an_absurd_figure_is_refused_by_name(archive: Archive, line: str) -> None:
    session = _table(archive)
    before = len(session.log.lines)
    with pytest.raises(NotationError, match=r"is out of range: no figure goes beyond 1,000,000,000\."):
        session.enter(line)
    assert len(session.log.lines) == before


@pytest.mark.parametrize("line", ["begin seed 4294967295", f'note "{HUGE} stars"', f"set ana coppers {MAX_VALUE}"])
def test_what_counts_nothing_may_be_any_number(archive: Archive, line: str) -> None:
    _table(archive).enter(line)


@pytest.mark.parametrize("figures", [f"{HUGE}/2", f"2/{MAX_VALUE + 1}"])
def test_both_figures_of_a_pair_are_looked_at(archive: Archive, figures: str) -> None:
    session = seated(archive, "solforge")
    with pytest.raises(NotationError, match="is out of range"):
        session.enter(f"forge ana 1 wolf {figures}")


def test_a_log_of_before_is_played_as_it_stands(archive: Archive) -> None:
    session = _table(archive)
    archive.append_lines(session.id, len(session.log.lines) + 1, [StoredLine(f"set ana coppers {HUGE}", 9)])
    again = archive_journal.resume(archive, session.id)
    assert again.stopping_point is None
    assert {counter.value for counter in again.view().counters_of("ana") or () if counter.name == "coppers"} == {HUGE}


def test_a_file_with_one_is_refused_with_its_line_unless_a_later_line_amends_it() -> None:
    text = f"table decknforge\nseat ana\nset ana coppers {HUGE}\n"
    with pytest.raises(UnreadableLine, match=r"line 3: .*is out of range"):
        list(Replay(text))
    replay = Replay(f"{text}amend 3 set ana coppers 7\n")
    assert len(list(replay)) == 3
    assert replay.session.stopping_point is None


@settings(max_examples=examples(6), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(*[st.sampled_from([0, 1, MAX_VALUE]) | st.integers(0, MAX_VALUE)] * 3)
def test_whatever_is_sealed_with_figures_that_were_taken_goes_to_another_home(
    tmp_path: Path, coppers: int, personal: int, glory: int
) -> None:
    place = tmp_path / str(len(list(tmp_path.iterdir())))
    place.mkdir()
    with Archive.open(str(place / "here.sqlite")) as here, Archive.open(str(place / "there.sqlite")) as there:
        deck = bands.found_band(here)
        session = _table(here, deck)
        for line in ("seat ben", "begin seed 1", f"set ana coppers {coppers}", f"set ana personal {personal}"):
            session.enter(line)
        for line in (f"set ana glory {glory}", f"add ana glory +{MAX_VALUE}", "set table outcome loss", "fade ana 9S"):
            session.enter(line)
        for line in ("pick ana ana", "pick ben ben", "seal"):
            session.enter(line)
        deck_export.export_decks(here, [deck], place / "choir.decks")
        assert [each.taken for each in import_decks(there, deck_export.read_stories(place / "choir.decks"))] == [True]
        archive_export.export_archive(here, place / "all.gz")
        with Archive.open(str(place / "third.sqlite")) as third:
            assert archive_export.import_archive(third, place / "all.gz").new


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (f"Glory {HUGE}, 3 dungeons", "is out of range"),
        ("Glory 3, 3 dungeons\x1b[2J", "cannot be displayed"),
        ("G" * 201, "at most 200"),
    ],
)
def test_what_is_said_of_a_box_is_looked_at_as_what_is_typed(archive: Archive, text: str, why: str) -> None:
    deck = bands.found_band(archive)
    for spot in ("box", "name", "holder"):
        with pytest.raises((NotationError, RuleError), match=why):
            deck_records.mend(archive, deck, {spot: text}, "spring cleaning")
    assert len(archive.story(deck)) == archive.find_deck(deck).length - 1
