"""A table without a screen: typed words, what is asked twice, conflicts, who hears of what, and help while typing."""

import subprocess
import sys
import threading
from pathlib import Path

import msgspec
import pytest

from companion.archive import Archive, StoredLine
from companion.session.core import archive_journal, changes
from companion.session.core.replay import Replay
from companion.session.core.session import Session
from companion.session.reading.selection import NOTHING, as_text
from companion.session.table.confirmations import ActionDone, ConfirmationNeeded, Rejected, Reloaded
from companion.session.table.shared_session import News, SharedSession, SharedSessions
from companion.session.table.table_client import TableClient
from companion.tabletop.table.choices import Choice
from companion.tabletop.table.common_actions import Add, Note
from companion.tabletop.table.completion import Completion
from companion.tabletop.table.table import Counter, RoundStep, SeatView, TableView, Thing, Zone
from tests.games import miniature  # noqa: F401 – registers the duel

ROOT = Path(__file__).parents[2]


def _duel(*lines: str) -> Session:
    replay = Replay("\n".join(("table duel", "seat ana", "seat ben", "begin seed 7", *lines)))
    assert not [line.failure for line in replay if line.failure]
    return replay.session


def duel_client(*lines: str) -> TableClient:
    return TableClient(SharedSession(_duel(*lines)))


@pytest.fixture
def kept(archive: Archive) -> str:
    """A duel in the archive."""
    session = archive_journal.start(archive, "duel")
    for line in ("seat ana", "seat ben", "begin seed 7"):
        session.enter(line)
    return session.id


def test_a_whole_dungeon_is_played_without_a_screen(place: str) -> None:
    command = [sys.executable, "-m", "tests.session.evening", place]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, encoding="utf-8", check=False)
    assert (done.returncode, done.stdout.strip()) == (0, "played"), done.stderr


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "nothing to enter"),
        ("drow ana", "did you mean draw"),
        ("spend ben heal", "Not now"),
        ("undo", ""),
        ("redo", "nothing to redo"),
        ("amend 99 next", "has no action"),
        ("seat ana deck Nobody", "No decks are stored here"),
        ("table duel", "cannot be entered here"),
        ("9-1", "There is no seat 9"),
    ],
)
def test_what_people_do_wrong_is_told_and_changes_nothing(text: str, sentence: str) -> None:
    table = duel_client()
    before = table.session.state
    reply = table.enter(text)
    assert isinstance(reply, ActionDone if text == "undo" else Rejected)
    assert sentence in reply.sentence
    assert (table.session.state == before) is (text != "undo")


def test_an_amendment_is_done_when_it_is_said_again_and_dropped_for_anything_else() -> None:
    table = duel_client("draw ana 9S", "spend ana strike")
    state = table.session.state
    for _ in range(2):
        reply = table.enter("amend 5 draw ana 4S")
        assert isinstance(reply, ConfirmationNeeded)
        assert str(reply.sentence) == "What would follow: Amended: draw ana 9S → draw ana 4S. Ben: Life 11 → 16."
        assert isinstance(table.enter("note later"), ActionDone)
    assert table.session.state == state
    assert isinstance(table.enter("amend 5 draw ana 4S"), ConfirmationNeeded)
    assert isinstance(table.enter(" amend  5 draw ana 4s"), ActionDone)
    assert table.session.state.life["ben"] == 16
    assert isinstance(table.undo(), ActionDone)
    assert table.session.state == state
    assert isinstance(table.confirm(), Rejected)


def test_an_amendment_that_changes_no_figure_says_so() -> None:
    reply = duel_client("note one").enter("amend 5 note two")
    assert isinstance(reply, ConfirmationNeeded)
    assert not reply.question.differs
    assert not reply.question.left_out
    assert "No figure on the table would change." in reply.sentence


def test_undo_says_what_to_undo_with_the_cards_and_redo_what_was_done() -> None:
    table = duel_client("draw ana 9S")
    assert table.would_undo() == "draw ana 9S"
    assert str(table.undo().sentence) == "Taken back: draw ana 9S. With the cards, undo: Ana draws 9♠."
    assert table.would_redo() == "draw ana 9S"
    assert str(table.redo().sentence) == "Done again: draw ana 9S."


def test_an_amendment_is_what_undo_takes_back_and_it_says_what_follows() -> None:
    table = duel_client("draw ana 9S", "spend ana strike")
    for _ in range(2):
        table.enter("amend 5 draw ana 4S")
    assert table.would_undo() == "amend 5 draw ana 4S"
    assert str(table.undo().sentence) == "Taken back: amend 5 draw ana 4S. Ben: Life 16 → 11."
    assert (table.would_redo(), table.would_undo()) == ("amend 5 draw ana 4S", "spend ana strike")
    assert str(table.redo().sentence) == "Done again: amend 5 draw ana 4S. Ben: Life 11 → 16."


def test_what_is_done_by_hand_or_passed_over_is_told_as_a_sentence() -> None:
    table = duel_client()
    assert str(table.enter("add ben life -3").sentence) == "Ben: Life 20 → 17, by hand."
    assert str(table.enter("set ana life 4").sentence) == "Ana: Life 20 → 4, by hand."
    assert str(table.enter("2-1 a cup fell").sentence) == "Ben: Life 17 → 16, by hand.  Note: a cup fell"
    assert [tell.text for moment in table.log[-2:] for tell in table.describe_moment(moment)] == [
        "Ben: Life 17 → 16, by hand.",
        "Note: a cup fell",
    ]
    begin = ("table decknforge", "seat ana", "seat ben", "begin seed 1", "reveal ana 9H", "reveal ben 3C", "next")
    replay = Replay("\n".join(begin))
    assert not [line.failure for line in replay if line.failure]
    passed = TableClient(SharedSession(replay.session))
    assert passed.describe_moment(passed.log[-1]) == passed.log[-1].tells
    assert passed.enter("next").sentence
    assert not any(tell.text == "next" for moment in passed.log for tell in passed.describe_moment(moment))


def test_a_sitting_hears_of_what_another_program_wrote(archive: Archive, place: str, kept: str) -> None:
    live = SharedSessions(archive)
    here = TableClient(live.open(kept))
    heard: list[News] = []
    here.watch(heard.append)
    live.catch_up()
    assert heard == []
    with Archive.open(place) as other:
        there = archive_journal.resume(other, kept)
        there.enter("draw ana 9S")
        live.catch_up()
        there.enter("undo")
        live.catch_up()
        other.append_lines(kept, 7, [StoredLine("fly ana", 7)])
    live.catch_up()
    assert [str(news.sentence) for news in heard][:2] == [
        "In another window: Ana draws 9♠.",
        "In another window: undo",
    ]
    assert here.follow()
    assert isinstance(here.enter("resume-from 4"), ConfirmationNeeded)


def test_whoever_was_first_is_shown_and_what_was_asked_meanwhile_is_asked_anew(archive: Archive, kept: str) -> None:
    live = SharedSessions(archive)
    one, two = TableClient(live.open(kept)), TableClient(live.open(kept.lower()))
    assert isinstance(one.enter("draw ana 9S"), ActionDone)
    assert isinstance(two.enter("draw ana 9S"), Reloaded)
    assert isinstance(two.enter("amend 5 draw ana 4S"), ConfirmationNeeded)
    assert isinstance(one.enter("strike"), ActionDone)
    assert isinstance(two.confirm(), Reloaded)
    assert isinstance(two.confirm(), Rejected)
    assert two.view.counters_of("ben") == one.view.counters_of("ben")


def test_a_session_that_went_on_elsewhere_is_opened_as_it_is_now(archive: Archive, place: str, kept: str) -> None:
    live = SharedSessions(archive)
    here = TableClient(live.open(kept))
    with Archive.open(place) as other:
        archive_journal.resume(other, kept).enter("draw ana 9S")
    assert live.open(kept) is live.open(kept)
    assert here.follow()
    assert isinstance(here.enter("strike"), ActionDone)


def test_what_was_written_elsewhere_and_does_not_fit_is_asked_about(archive: Archive, place: str, kept: str) -> None:
    here = TableClient(SharedSessions(archive).open(kept))
    with Archive.open(place) as other:
        other.append_lines(kept, 5, [StoredLine("fly ana", 5)])
    reply = here.enter("draw ana")
    assert isinstance(reply, Reloaded)
    (prompt,) = here.view.prompts
    assert "Line 5, `fly ana`, does not fit" in prompt.text
    assert isinstance(here.enter("resume-from 4"), ConfirmationNeeded)
    assert isinstance(here.confirm(), ActionDone)
    assert isinstance(here.enter("draw ana"), ActionDone)


def test_who_has_gone_or_left_hears_no_more_and_keeps_nobody_from_hearing() -> None:
    live = SharedSession(_duel())
    one, gone, left, there = (TableClient(live) for _ in range(4))
    heard: list[News] = []

    def fails(news: News) -> None:
        heard.append(news)
        raise RuntimeError("closed")

    gone.watch(fails)
    left.watch(heard.append)
    there.watch(heard.append)
    left.leave()
    for text in ("note one", "note two"):
        assert isinstance(one.enter(text), ActionDone)
    assert [str(news.sentence) for news in heard] == ["Note: one", "Note: one", "Note: two"]


def test_many_hands_at_once_lose_nothing(archive: Archive, kept: str) -> None:
    live = SharedSessions(archive).open(kept)

    def add(number: int) -> None:
        table = TableClient(live)
        while not isinstance(table.submit(Add("ana", "life", 1), Note(f"{number}")), ActionDone):
            pass

    threads = [threading.Thread(target=add, args=(number,)) for number in range(12)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert live.session.state.life["ana"] == 32
    assert sorted(line.line for line in archive.lines(kept)[4:] if line.line.startswith("note")) == sorted(
        f'note "{number}"' for number in range(12)
    )
    assert archive_journal.resume(archive, kept).state == live.session.state


def test_help_while_typing_knows_the_table() -> None:
    table = duel_client("draw ana 9S")
    assert table.complete("spend ") == (Completion("ana", "Ana"),)
    assert table.complete("amend 5 ") == (Completion("draw ana 9S"),)
    assert str(table.explain("draw ")).startswith("draw SEAT")
    (prompt,) = table.view.prompts
    assert table.choices(prompt) == ()
    assert table.choices(prompt.answer, "how") == (Choice("strike"), Choice("heal"))


def test_a_selection_holds_on_to_what_is_there() -> None:
    table = duel_client()
    selection = table.selection
    assert not selection.press(1)
    assert not selection.choose("nobody")
    assert selection.move(1)
    assert selection.choose("ben")
    assert (selection.name, selection.title, selection.chosen) == ("Ben", "Life", ("ben", "life"))
    assert selection.press(-1)
    selection.let_go()
    assert (selection.tally, selection.chosen.target) == (None, "ben")
    assert selection.press(-1)
    tally = selection.take_tally()
    assert tally is not None
    assert as_text(tally) == "add ben life -1 "
    for _ in range(3):
        table.undo()
    assert selection.chosen == NOTHING


def view(*things: Thing, life: int = 20, outcome: str | None = None, seats: tuple[str, ...] = ("ana",)) -> TableView:
    counters = (Counter("life", life, "Life"), Counter("tired", life < 5, is_visible=False))
    return TableView(
        "duel",
        "Duel",
        (Counter("turn", life // 5), Counter("outcome", outcome)),
        (Zone("middle", "Middle", things),),
        tuple(SeatView(seat, seat.title(), counters=counters) for seat in seats),
        outcome=outcome,
    )


def test_views_are_compared_counter_by_counter() -> None:
    wolf, bear = Thing("wolf", "Wolf", (Counter("hp", 3, "HP"),)), Thing("wolf", "Bear")
    assert changes.differences(view(wolf), view(wolf)) == ()
    differences = changes.differences(view(wolf), view(bear, life=4, outcome="win", seats=("ana", "ben")))
    texts = [f"{difference.who}|{difference.text}" for difference in differences]
    assert texts == [
        "|Outcome win",
        "Ana|Life 20 → 4",
        "Ana|Tired no → yes",
        "Ben|comes",
        "Wolf|is gone",
        "Bear|comes",
        "|Turn 4 → 0",
    ]
    assert str(changes.describe(differences, 9)) == (
        "Outcome win, Turn 4 → 0. Ana: Life 20 → 4, Tired no → yes. Ben comes. Wolf is gone. Bear comes."
    )
    assert str(changes.describe(differences, 2)) == "Outcome win. Ana: Life 20 → 4. And 5 more."


def test_steps_of_one_title_are_no_change() -> None:
    before = msgspec.structs.replace(view(), steps=(RoundStep("act", "Turn"), RoundStep("end", "End")), step="act")
    after = msgspec.structs.replace(before, step="turn")
    assert changes.differences(before, after) == ()
    assert str(changes.describe(changes.differences(before, msgspec.structs.replace(before, step="end")))) == (
        "Step Turn → End."
    )


def test_a_line_is_told_by_the_names_that_its_table_had() -> None:
    begin = ("table decknforge", "seat ana name Ana", "seat ben name Ben", "monster ana AS Wyrm hp 30 atk 4")
    fight = ("bosses ana:AS", "begin seed 1", "set boss hp 5", "add boss atk -1", "set table round 2")
    kill = ("reveal ana KS", "reveal ben QS", "next", "damage", "bonus rally")
    replay = Replay("\n".join((*begin, *fight, *kill)))
    assert not [line.failure for line in replay if line.failure]
    table = TableClient(SharedSession(replay.session))
    assert str(table.view.zones[0].things[0].title).startswith("Boss 2 of 6 · "), "another Boss lies there by now"
    tells = [tell.text for moment in table.log for tell in table.describe_moment(moment)]
    assert [tell for tell in tells if str(tell).endswith(", by hand.")] == [
        "Boss 1 of 6 · Wyrm (A♠ of Ana): HP 60 → 5, by hand.",
        "Boss 1 of 6 · Wyrm (A♠ of Ana): ATK 4 → 3, by hand.",
        "The table: Round 1 → 2, by hand.",
    ]
