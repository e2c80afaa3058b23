"""The same table again, and matches of several games."""

import pytest

from companion.archive import Archive, deck_records, match_results
from companion.session.core import archive_journal
from companion.session.core.session import Session
from companion.session.table import rematch
from companion.tabletop.action import RuleError
from companion.tabletop.records import Reason
from tests.archive import bands
from tests.games.constructed.decks import LISTS
from tests.games.constructed.test_table import enter, seated


def _next(archive: Archive, session: Session) -> Session:
    return archive_journal.resume(archive, rematch.open_rematch(archive, session.id).session)


def _lines(session: Session) -> list[str]:
    return [line for line in session.lines() if not line.startswith(("lists", "table"))]


def test_the_same_table_again_has_people_decks_and_rules(archive: Archive) -> None:
    first = archive_journal.start(archive, "solforge")
    seated(archive, "solforge")  # founds the decks
    enter(first, "rule start-health 60", 'seat ana name "Ana" deck "Ash Pack"', "seat ben", "deck-size ben 40")
    enter(first, "begin seed 1", "concede ana")
    assert str(rematch.describe_next(first)) == ""
    with pytest.raises(RuleError, match="`seal` writes it there"):
        rematch.open_rematch(archive, first.id)
    enter(first, "seal")
    assert str(rematch.describe_next(first)) == "Again"
    again = _next(archive, first)
    assert [line.partition(" deck ")[0] for line in _lines(again)] == [
        "rule start-health 60",
        'seat ana name "Ana"',
        "deck-size ana 30",
        "seat ben",
        "deck-size ben 40",
        "first-choice ana",
    ]
    assert archive.find_session(again.id).lines == len(again.log.lines)
    question, *_ = again.view().prompts
    assert question.text == "Ana lost the game before and chooses: who begins?"
    assert [answer.line for answer in question.answers] == ["first ana", "first ben"]
    enter(again, "first ben")
    assert again.state.active == "ben"
    assert again.view().prompts[0].line == "begin"


def test_a_match_goes_on_until_somebody_has_won_it(archive: Archive) -> None:
    session = archive_journal.start(archive, "oddfrontier")
    enter(session, "seat ana", "seat ben", "match 3", "begin seed 1", "concede ben")
    assert session.view().match == "Game 1 · best of 3 · Ana 1 – 0 Ben"
    assert str(rematch.describe_next(session)) == "Game 2"
    session = _next(archive, session)
    assert session.view().match == "Game 2 · best of 3 · Ana 1 – 0 Ben"
    enter(session, "begin seed 1", "draw-agreed")
    session = _next(archive, session)
    assert session.view().match == "Game 3 · best of 3 · Ana 1 – 0 Ben"
    assert [line for line in _lines(session) if line.startswith("first-choice")] == []
    enter(session, "begin seed 1", "concede ben")
    result = match_results.read_result(archive, session.id)
    assert result is not None
    assert (result.is_match_over, result.score.winner, result.score.wins) == (True, "ana", {"ana": 2, "ben": 0})
    assert str(rematch.describe_next(session)) == "Again"
    assert _next(archive, session).view().match == "Game 1 · best of 3 · Ana 0 – 0 Ben"


def test_a_deck_may_change_between_two_games(archive: Archive) -> None:
    session = seated(archive, "solforge")
    enter(session, "concede ben", "seal")
    deck = archive.find_deck("Ash Pack").deck
    deck_records.rebuild(
        archive, deck, LISTS["solforge"].replace("3 Ash Wolf", "2 Ash Wolf\n1 Ash Elk"), Reason("by-hand")
    )
    opened = rematch.open_rematch(archive, session.id)
    assert tuple(map(str, opened.notes)) == ("Ash Pack is version 2 now.",)
    again = archive_journal.resume(archive, opened.session)
    assert again.state.brought["ana"].version == 2


def test_a_deck_that_retired_is_said_and_its_player_sits_down(archive: Archive) -> None:
    session = seated(archive, "solforge")
    enter(session, "concede ben", "seal")
    deck_records.retire(archive, archive.find_deck("Bog Pack").deck)
    opened = rematch.open_rematch(archive, session.id)
    (note,) = opened.notes
    assert str(note) == "Ben sits here with a loose deck: Bog Pack has retired and is not played any more."
    assert [seat.name for seat in archive_journal.resume(archive, opened.session).view().seats] == ["Ana", "Ben"]


def test_a_game_that_goes_on_is_not_opened_again(archive: Archive) -> None:
    session = seated(archive, "solforge")
    with pytest.raises(RuleError, match="not over yet"):
        rematch.open_rematch(archive, session.id)


def _after_a_dungeon(archive: Archive) -> Session:
    """Two bands after a lost dungeon in which each went to the other; and Cy's loose one."""
    session = archive_journal.start(archive, "decknforge")
    for seat, name, band in (("ana", "Ana", "Grave Choir"), ("ben", "Ben", "Salt and Iron")):
        session.enter(f'seat {seat} name "{name}" deck {bands.found_band(archive, band, name)}')
    enter(session, "seat cy", 'monster cy AS "Grave Wyrm" hp 20 atk 4', "rule comeback yes", "begin seed 3")
    enter(session, "concede ana", "concede ben", "concede cy")
    for _ in range(40):
        prompts = session.view().prompts
        if session.sealing().writes or not prompts:
            break
        line = prompts[0].line
        if line.startswith("pick") and prompts[0].wants:
            picker = line.split()[1]
            other = {"ana": "ben", "ben": "ana", "cy": "cy"}[picker]
            line = f"pick {picker} {other}"
        session.enter("seal" if session.view().step == "turning" else line)
    assert session.sealing().writes
    return session


def test_the_same_bands_sit_before_who_holds_them_now(archive: Archive) -> None:
    session = _after_a_dungeon(archive)
    opened = rematch.open_rematch(archive, session.id)
    again = archive_journal.resume(archive, opened.session)
    holders = {row.name: row.holder for row in archive.decks()}
    assert holders == {"Grave Choir": "Ana", "Salt and Iron": "Cy"}
    assert tuple(map(str, opened.notes)) == ("Cy holds Salt and Iron now.", "Ben sits here with a loose deck.")
    assert {seat.name: seat.title for seat in again.view().seats} == {
        "Ana": "Grave Choir",
        "Ben": "Ben's band",
        "Cy": "Salt and Iron",
    }
    assert not [line for line in again.lines() if "Grave Wyrm" in line]
    assert again.view().rules == (("comeback", "yes"),)
    assert again.view().step == "setup"


def test_a_dungeon_counts_its_rounds_and_bosses(archive: Archive) -> None:
    session = _after_a_dungeon(archive)
    result = match_results.read_result(archive, session.id)
    assert result is not None
    assert (result.outcome, result.turns, result.figures) == ("loss", 1, {"bosses": 0})
    deck = archive.find_deck("Grave Choir").deck
    sentences = [event.text for event in archive.story(deck)]
    assert any("after 0 Bosses in 1 round" in sentence for sentence in sentences)


def test_who_asks_twice_gets_one_table(archive: Archive) -> None:
    session = seated(archive, "solforge")
    enter(session, "concede ben", "seal")
    first = rematch.open_rematch(archive, session.id)
    assert rematch.open_rematch(archive, session.id) == first
    archive_journal.resume(archive, first.session).enter("first ben")
    assert rematch.open_rematch(archive, session.id).session != first.session


def test_a_lost_dungeon_that_leaves_nothing_is_played_again(archive: Archive) -> None:
    session = archive_journal.start(archive, "decknforge")
    enter(session, 'seat ana name "Ana"', 'seat ben name "Ben"', "bosses ana:AS", "begin seed 1")
    enter(session, "set ana hp 0", "set ben hp 0", "pick ana ana", "pick ben ben", "seal")
    assert not session.sealing().writes
    row = archive.find_session(session.id)
    assert (row.has_ended, row.is_closed, row.needs_seal) == (True, True, False)
    assert str(rematch.describe_next(session)) == "Again"
    assert [seat.name for seat in _next(archive, session).view().seats] == ["Ana", "Ben"]
