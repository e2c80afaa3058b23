"""The clock of a table: what it counts follows from the times of the lines that count, at any time again."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

import pytest

from companion.archive import Archive
from companion.games import registry
from companion.session.core import archive_journal
from companion.session.core.clock_times import RunningClock, clock_times, read_clock
from companion.session.core.evenings import card_of, evening_of
from companion.session.core.moments import Line
from companion.session.core.replay import Replay
from companion.session.core.session import Session
from companion.session.reports.clock_reading import (
    ClockReading,
    describe_clock,
    read_clock_of,
    read_counted_times,
    toggle_clock,
)
from companion.session.table.concurrent_lines import are_independent
from companion.tabletop.action import NotationError, RuleError
from companion.tabletop.evening_text import as_markdown
from companion.tabletop.table.table_clock import TurnTimes

BEGUN = ("0:00 table life", "0:00 seat ana", "0:00 seat ben", "0:00 first ana", "0:00 begin seed 1")
"""A duel in which Ana has the first turn; a turn has three steps."""
DAY = datetime(2026, 3, 14, 20, tzinfo=UTC)


def at(time: str) -> datetime:
    """The moment so many minutes and seconds after the beginning."""
    minutes, seconds = map(int, time.split(":"))
    return DAY + timedelta(minutes=minutes, seconds=seconds)


def timed_lines(timed: Sequence[str]) -> list[Line]:
    """Lines that were entered at these times; `-` is an unknown one."""
    pairs = [line.split(" ", 1) for line in timed]
    return [
        Line(number, text, number, "" if time == "-" else at(time).isoformat())
        for number, (time, text) in enumerate(pairs, 1)
    ]


def timed_table(*timed: str) -> Session:
    session = Session.resume(timed_lines((*BEGUN, *timed)))
    assert session.stopping_point is None
    return session


def clock(session: Session) -> RunningClock:
    running = read_clock(session.game, session.log.position.head, session.log.lines)
    assert running is not None
    return running


def clock_at(session: Session, time: str) -> ClockReading:
    on_screen = read_clock_of(session, at(time))
    assert on_screen is not None
    return on_screen


PASSES = ("next", "next", "next")


def turn(time: str) -> tuple[str, ...]:
    """The lines that end a turn at a time."""
    return tuple(f"{time} {line}" for line in PASSES)


def test_each_turn_counts_for_whose_it_is() -> None:
    session = timed_table("1:00 clock up", *turn("4:00"), "5:00 set ana life 19", *turn("9:30"), "9:40 note done")
    assert clock(session).times == TurnTimes(520, {"ana": 190, "ben": 330})


def test_a_pause_counts_for_nobody() -> None:
    session = timed_table("1:00 clock up", "2:00 clock pause", "22:00 clock go", "22:30 note on")
    assert clock(session).times == TurnTimes(90, {"ana": 90})


def test_without_being_asked_nothing_is_counted() -> None:
    session = timed_table("3:00 next", *turn("4:00"))
    assert read_clock(session.game, session.log.position.head, session.log.lines) is None
    assert read_clock_of(session, at("5:00")) is None


def test_nothing_is_counted_before_the_game_and_after_it() -> None:
    before = (
        "0:00 table life",
        "0:00 seat ana",
        "0:00 seat ben",
        "1:00 clock up",
        "5:00 first ana",
        "6:00 begin seed 1",
    )
    session = Session.resume(timed_lines((*before, "8:00 set ben life 0", "30:00 note gone")))
    assert session.view().outcome == "ana"
    assert clock(session).times == TurnTimes(120, {"ana": 120})
    assert not clock(session).is_running


@pytest.mark.parametrize(
    ("lines", "times"),
    [
        (("1:00 clock up", *turn("3:00"), "5:00 undo", "5:00 undo", "5:00 undo", "7:00 note on"), {"ana": 360}),
        (("1:00 clock up", "2:00 clock pause", "5:00 undo", "6:00 note on"), {"ana": 300}),
        (("1:00 clock up", "2:00 set ana life 4", "5:00 undo", "6:00 redo", "7:00 note on"), {"ana": 360}),
        (("1:00 clock up", "2:00 next", "3:00 next", "6:00 next", "8:00 resume-from 7", "9:00 note on"), {"ana": 480}),
    ],
)
def test_what_is_taken_back_counts_as_if_it_never_was(lines: tuple[str, ...], times: dict[str, int]) -> None:
    assert clock(timed_table(*lines)).times.seconds == times


def test_a_forgotten_pass_counts_from_the_line_behind_it() -> None:
    session = timed_table(
        *("1:00 clock up", "2:00 next", "2:00 next", "4:00 set ben life 18", "9:00 note late", "10:00 insert 9 next"),
    )
    assert clock(session).times.seconds == {"ana": 180, "ben": 300}


def test_the_time_of_an_amended_line_stays() -> None:
    session = timed_table(
        "1:00 clock up", *turn("2:00"), "6:00 set ben life 3", "9:00 amend 10 set ben life 4", "9:30 note on"
    )
    assert clock(session).times.seconds == {"ana": 60, "ben": 450}


def test_what_nobody_knows_is_a_gap_and_no_time() -> None:
    unknown = timed_table("1:00 clock up", "- next", "3:00 next", "4:00 note on")
    assert clock(unknown).times == TurnTimes(60, {"ana": 60}, gaps=2)
    night = timed_table("1:00 clock up", "2:00 next", "602:00 next", "603:00 note on")
    assert clock(night).times == TurnTimes(120, {"ana": 120}, gaps=1)
    set_back = timed_table("5:00 clock up", "2:00 next", "3:00 note on")
    assert clock(set_back).times == TurnTimes(60, {"ana": 60}, gaps=1)
    assert "For 1 stretch nobody knows the time." in map(str, describe_clock(clock_at(night, "603:00")))


@pytest.mark.parametrize("length", [7, 12, 20])
def test_reading_on_counts_the_same_as_reading_anew(length: int) -> None:
    turns = [line for minute in range(3, 30, 2) for line in turn(f"{minute}:{minute}")]
    lines = timed_lines((*BEGUN, "1:00 clock up", *turns[:8], "9:50 undo", "9:55 redo", *turns[12:], "45:00 note on"))
    session = Session.resume(lines[:length])
    for number, line in enumerate(lines[length:]):
        session.log.recall(line)
        if number % 3:
            assert session.log.running_clock() == clock(session)
    assert session.log.running_clock() == clock(session)


def test_a_file_without_times_tells_none() -> None:
    lines = [f"- {line.split(' ', 1)[1]}" for line in (*BEGUN, "- clock up", *turn("-"))]
    session = Session.resume(timed_lines(lines))
    times = clock_times(session.game, session.log.position.head, session.log.lines)
    assert times == TurnTimes(0, {}, gaps=3)


def test_a_replay_has_the_same_state_at_any_time() -> None:
    session = timed_table("1:00 clock up", "2:00 clock ana 25", "3:00 clock pause")
    replayed = Replay(session.export())
    for _ in replayed:
        pass
    assert replayed.session.state == session.state


def test_a_reopened_table_has_counted_the_same(archive: Archive) -> None:
    ticks = iter(range(0, 6000, 40))
    archive.now = lambda: DAY + timedelta(seconds=next(ticks))
    session = archive_journal.start(archive, "life")
    for line in ("seat ana", "seat ben", "first ana", "begin seed 1", "clock up", *PASSES, "note on"):
        session.enter(line)
    again, later = (archive_journal.resume(archive, session.id) for _ in range(2))
    up, *_, last = (datetime.fromisoformat(line.at) for line in again.log.lines[5:])
    assert clock(again).times.table == (last - up).total_seconds() > 0
    assert clock(again) == clock(later)


def test_the_times_are_on_the_card_and_in_the_result() -> None:
    session = timed_table("1:00 clock up", *turn("4:00"), "9:30 set ana life 0")
    evening = evening_of(session.game, session.log.position.head, session.log.lines)
    assert evening is not None
    card = as_markdown(card_of(session.game, evening))
    assert "| Ana | 3 min |\n| Ben | 5 min |\n| Together | 8 min |" in card
    result = session.sealing().result
    assert result is not None
    assert [player.seconds for player in result.players] == [180, 330]


# What screens show


def test_a_time_of_ones_own_runs_down_and_ends_nothing() -> None:
    session = timed_table("1:00 clock ana 5", "1:00 clock ben 7")
    on_screen = clock_at(session, "3:30")
    assert [str(each.text) for each in on_screen.seats] == ["Ana 2:30 left", "Ben 7:00 left"]
    assert not on_screen.is_urgent
    assert clock_at(session, "5:30").is_urgent
    late = clock_at(session, "8:00")
    assert [str(each.figure) for each in late.seats] == ["2:00 over", "7:00 left"]
    assert session.view().outcome is None


def test_the_time_given_is_that_of_the_whole_game() -> None:
    session = timed_table("1:00 clock up", "3:00 clock ana 5")
    assert [str(each.figure) for each in clock_at(session, "3:00").seats] == ["3:00 left"]
    again = timed_table("1:00 clock up", "3:00 clock each 5", "3:00 clock ana 0")
    assert [str(each.figure) for each in clock_at(again, "3:00").seats] == ["2:00", "5:00 left"]


def test_clock_alone_says_what_is_possible() -> None:
    sentences = " ".join(map(str, describe_clock(None)))
    assert all(line in sentences for line in ("`clock up`", "`clock ana 25`", "`clock 90`"))
    running = " ".join(map(str, describe_clock(clock_at(timed_table("1:00 clock up"), "2:05"))))
    assert running.startswith("Ana's turns: 1:05. The table: 1:05.")
    assert "`clock pause`" in running


def sentences_at(session: Session, time: str) -> str:
    """Return what `clock` alone says."""
    return " ".join(map(str, describe_clock(read_counted_times(session, at(time)))))


def test_what_was_counted_is_said_after_the_clock_has_ended() -> None:
    off = timed_table("1:00 clock up", "3:00 clock off")
    assert read_clock_of(off, at("5:00")) is None
    assert sentences_at(off, "5:00") == (
        "Ana's turns: 2:00. The table: 2:00. The clock is off; `clock up` goes on counting."
    )
    over = timed_table("1:00 clock up", "3:00 concede ben")
    assert sentences_at(over, "5:00") == "Ana's turns: 2:00. The table: 2:00."
    assert "No clock counts here" in sentences_at(timed_table(), "5:00")


def test_a_warning_is_about_whose_turn_it_is() -> None:
    session = timed_table("1:00 clock each 3")
    assert clock_at(session, "2:59").warning == ""
    assert str(clock_at(session, "3:00").warning) == "Ana's turns: 2:00, 1:00 left."
    assert str(clock_at(session, "5:00").warning) == "Ana's turns: 4:00, 1:00 more than agreed."
    assert clock_at(timed_table("1:00 clock each 3", *(f"5:00 {line}" for line in PASSES)), "5:00").warning == ""


def test_one_key_pauses_and_goes_on() -> None:
    session = timed_table()
    assert toggle_clock(session) is None
    session.enter("clock up")
    for what in ("pause", "go", "pause"):
        action = toggle_clock(session)
        assert action is not None
        assert session.notation.format(action) == f"clock {what}"
        session.do(action)


@pytest.mark.parametrize(
    ("before", "line", "reason"),
    [
        ((), "clock pause", "No clock counts here"),
        ((), "clock off", "No clock counts here"),
        (("clock up",), "clock up", "counts already"),
        (("clock up",), "clock go", "running already"),
        (("clock up", "clock pause"), "clock pause", "paused already"),
        (("clock up", "clock pause"), "clock up", "is paused"),
        ((), "clock cy 5", "cy"),
        ((), "clock ana", "how many minutes"),
        ((), "clock up 25", "takes no minutes"),
        (("clock up", "set ben life 0"), "clock pause", "game is over"),
    ],
)
def test_what_the_clock_cannot_do_is_refused(before: tuple[str, ...], line: str, reason: str) -> None:
    session = timed_table()
    for each in before:
        session.enter(each)
    with pytest.raises(RuleError, match=reason):
        session.enter(line)


def test_a_countdown_is_no_line_of_the_log() -> None:
    with pytest.raises(NotationError):
        timed_table().enter("clock 90")


@pytest.mark.parametrize("game", ["decknforge", "soulforger", "oddfrontier", "solforge", "rummy", "two-heads"])
def test_every_table_has_a_clock(game: str) -> None:
    session = Session.new(registry.game(game))
    for line in ("seat ana", "seat ben", "clock each 25", "clock pause"):
        session.enter(line)
    assert session.state.clock.minutes == {"ana": 25, "ben": 25}


def test_the_clock_answers_nobody_s_question() -> None:
    session = timed_table()
    before = session.view()
    step, up = session.notation.parse("next"), session.notation.parse("clock up")
    session.do(up)
    assert are_independent((step,), (up,), before, session.view())
