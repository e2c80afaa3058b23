"""Counters that players add to a table: how they are asked for, counted, kept, and taken back."""

from pathlib import Path

import pytest

from companion.archive import Archive
from companion.games import registry
from companion.session.core import archive_journal
from companion.session.core.evenings import played_actions
from companion.session.core.replay import Replay
from companion.session.core.session import Session
from companion.session.reading.line_reading import read_line
from companion.session.reading.options import options
from companion.session.reports import evening_cards
from companion.session.table.concurrent_lines import are_independent
from companion.tabletop.action import AmbiguousLine, NotationError, RuleError
from companion.tabletop.corrections import as_corrected
from companion.tabletop.evening_text import as_markdown

FIGHT = ("seat ana", "seat ben", "seat cy", "bosses ana:AS", "active ana", "begin seed 1")
DUEL = ("seat ana", "seat ben", "begin seed 5", "place ana 1 wolf 3/4")
FORGE = ("seat ana", "seat ben", *(f"gear {seat} {seat}s-sword weapon power 3/1 hands 1" for seat in ("ana", "ben")))
TABLES = {
    "decknforge": FIGHT,
    "soulforger": (*FORGE, "first ana", "begin"),
    "oddfrontier": ("seat ana", "seat ben", "first ana", "begin"),
    "solforge": DUEL,
    "life": ("seat ana", "seat ben", "begin seed 1"),
    "rummy": ("seat ana", "seat ben", "begin seed 1"),
}


def counting_table(game: str, *lines: str) -> Session:
    session = Session.new(registry.game(game))
    for line in (*TABLES[game], *lines):
        session.enter(line)
    return session


def asked_lines(session: Session, text: str) -> tuple[str, ...]:
    """The lines that a typed text is asked about."""
    with pytest.raises(AmbiguousLine) as question:
        read_line(text, session)
    return question.value.lines


def value(session: Session, target: str, counter: str) -> object:
    counters = session.counters_of(target) or ()
    return next((each.value for each in counters if each.name == counter), None)


@pytest.mark.parametrize("game", TABLES)
def test_every_table_counts_what_its_game_does_not(game: str) -> None:
    session = counting_table(game, "track omens", "track runes ana start 3", "track sparks each")
    session.enter("add ana runes -1")
    session.enter("set table omens 7")
    session.enter("add ben sparks +2")
    assert [value(session, *of) for of in (("ana", "runes"), ("table", "omens"), ("ben", "sparks"))] == [2, 7, 2]
    names = {counter.name for counter in session.view().seats[0].counters}
    assert {"runes", "sparks"} <= names
    session.undo()
    assert value(session, "ben", "sparks") == 0


@pytest.mark.parametrize("game", TABLES)
def test_a_figure_that_nobody_counts_is_offered(game: str) -> None:
    session = counting_table(game)
    assert asked_lines(session, "ana runes 3") == ("track runes ana start 3",)
    assert asked_lines(session, "ana runes +2") == ("track runes ana start 2",)
    assert asked_lines(session, "the omens 4") == ("track omens start 4",)
    assert asked_lines(session, "ana runes -2") == ("track runes ana",)
    session.enter("track runes ana start 3")
    session.enter("track omens")
    assert [session.notation.format(each) for each in read_line("ana runes 5", session)] == ["set ana runes 5"]
    assert [session.notation.format(each) for each in read_line("omens +1", session)] == ["add table omens +1"]


@pytest.mark.parametrize(
    ("game", "text", "line"),
    [
        ("life", "life 50", "rule life 50"),
        ("oddfrontier", "life 50", "rule life 50"),
        ("decknforge", "hp 20", "rule hp 20"),
        ("solforge", "health 70", "rule health 70"),
    ],
)
def test_before_the_game_a_start_value_is_a_house_rule(game: str, text: str, line: str) -> None:
    session = Session.new(registry.game(game))
    for seat in ("ana", "ben"):
        session.enter(f"seat {seat}")
    assert asked_lines(session, text) == (line,)


def test_a_slip_of_a_known_figure_is_offered_first() -> None:
    session = counting_table("life", "track charges ana start 2")
    assert asked_lines(session, "ana chargse 4") == ("set ana charges 4", "track chargse ana start 4")


def test_a_slip_of_a_known_name_is_no_counter() -> None:
    session = counting_table("solforge")
    with pytest.raises(NotationError) as unread:
        read_line("wlof 3", session)
    assert not isinstance(unread.value, AmbiguousLine)


def test_the_offer_is_found_by_its_words() -> None:
    lines = [answer.line for answer in options("coun", counting_table("solforge")).answers]
    assert "track " in lines


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("track runes ana start 3", "There is a counter “runes” already; `ana runes 3` enters its figure"),
        ("track health ana", "There is a counter “health” already; `ana health 0` enters its figure"),
        ("track ben", "is somebody's seat"),
        ("track runes bear", "bear"),
        ("track ana runes start 3", "`track runes ana`"),
    ],
)
def test_what_cannot_be_counted_is_refused(line: str, reason: str) -> None:
    session = counting_table("solforge", "track runes ana")
    with pytest.raises(RuleError, match=reason):
        session.enter(line)


@pytest.mark.parametrize("name", ["7", "gone", '"#"'])
def test_what_cannot_be_a_name_is_refused(name: str) -> None:
    with pytest.raises(NotationError):
        counting_table("solforge").enter(f"track {name}")


def test_a_counter_leaves_with_its_thing() -> None:
    session = counting_table("solforge", "track runes wolf start 2")
    assert value(session, "wolf", "runes") == 2
    session.enter("destroy wolf")
    assert session.state.extra_counters == ()
    session.undo()
    assert value(session, "wolf", "runes") == 2


def test_setting_a_counter_is_play_and_corrects_nothing() -> None:
    session = counting_table("decknforge", "track runes ana start 1", "set ana runes 5", "set ana runes 9")
    played = as_corrected(session.game, played_actions(session.log.position.head))
    runes = [each.value for deed in played for each in deed.after.extra_counters]
    assert runes == [1, 5, 9]


def test_counting_answers_nobody_else_s_question() -> None:
    session = counting_table("decknforge")
    before = session.view()
    reveal, track = session.notation.parse("reveal ana 9S"), session.notation.parse("track runes each")
    session.do(track)
    assert are_independent((reveal,), (track,), before, session.view())
    assert are_independent((track,), (reveal,), before, session.view())


def test_an_export_replays_to_the_same_counters() -> None:
    session = counting_table("life", "track runes ana start -3", 'track "old omens"', "add table old-omens +2")
    replayed = Replay(session.export())
    for _ in replayed:
        pass
    assert replayed.session.state.extra_counters == session.state.extra_counters
    assert "track runes ana start -3" in session.lines()
    assert "track old-omens" in session.lines()


def test_the_evening_card_says_what_was_counted(archive: Archive) -> None:
    session = archive_journal.start(archive, "life")
    for line in (*TABLES["life"], "track runes ana start 3", "track omens", "set table omens -2"):
        session.enter(line)
    reopened = archive_journal.resume(archive, session.id)
    card = as_markdown(evening_cards.present_session(archive, reopened).card)
    assert "## Counted besides" in card
    assert "| Ana | 3 |  |" in card
    assert "| The table |  | −2 |" in card


def test_a_counter_may_have_the_name_of_such_a_line() -> None:
    session = counting_table("life", "track clock", "track track ana start 1")
    for text, line in (("clock 3", "set table clock 3"), ("clock +1", "add table clock +1")):
        assert [session.notation.format(each) for each in read_line(text, session)] == [line]
    assert [session.notation.format(each) for each in read_line("clock up", session)] == ["clock up"]
    assert [session.notation.format(each) for each in read_line("ana track 4", session)] == ["set ana track 4"]


def test_a_page_with_such_a_line_of_its_own_keeps_it(tmp_path: Path) -> None:
    page = tmp_path / "trails.toml"
    page.write_text(
        'name = "trails"\ntitle = "Trails"\n[counters.steps]\n[actions.track]\ndoes = ["add me steps 1"]\n',
        encoding="utf-8",
    )
    session = Session.new(registry.game(str(page)))
    for line in ("seat ana", "seat ben", "first ana", "begin", "track ana"):
        session.enter(line)
    assert value(session, "ana", "steps") == 1
