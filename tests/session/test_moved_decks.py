"""A deck that sits at two tables, or is written to beside them: noticed, asked about, and sealed as it is by then."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.archive import Archive, StoredLine, deck_records, match_results
from companion.archive.exchange import deck_export, deck_import
from companion.archive.storage.deck_readings import DeckMoved
from companion.archive.storage.lists import session_stream
from companion.games.decknforge.decks import marks as m
from companion.games.decknforge.decks.evening import Dungeon
from companion.games.decknforge.decks.record import BandRecord
from companion.games.decknforge.game import GAME
from companion.session.core import archive_journal
from companion.session.core.archive_journal import ArchiveJournal
from companion.session.core.decks_in_play import DeckInPlay, MovedDeck
from companion.session.core.log import notation_of
from companion.session.core.replay import Replay
from companion.session.core.session import Session
from companion.session.table.confirmations import ActionDone, Closed, ConfirmationNeeded, Rejected, Reloaded
from companion.session.table.seal_preview import preview_seal
from companion.session.table.seating import TableForm
from companion.session.table.shared_session import SharedSession, SharedSessions
from companion.session.table.table_client import TableClient
from companion.tabletop.action import RuleError
from companion.tabletop.decks.form import FormPlace
from companion.tabletop.notation.cards import Card
from companion.tabletop.table.common_actions import OffRecord, RefreshDeck
from tests.archive import bands
from tests.games.constructed.decks import LISTS
from tests.games.constructed.test_table import seated
from tests.games.described import road
from tests.session.two_tables import (
    FADED,
    FOUGHT,
    KEPT,
    SWAPPED,
    enter_lines,
    leave_one_seal_other,
    seat_bands,
    sit_down,
    store_bands,
    story,
)

QUICK_FADED = "Quick on 4♥ faded."


@pytest.fixture
def archive(tmp_path: Path) -> Iterator[Archive]:
    with Archive.open(str(tmp_path / "archive.sqlite"), by="tests") as opened:
        yield opened


def band(archive: Archive, name: str = "Grave Choir") -> BandRecord:
    record = archive.record(archive.find_deck(name).deck)
    assert isinstance(record, BandRecord)
    return record


def deck_questions(client: TableClient) -> list[str]:
    """Return what the table asks of decks whose records have moved on."""
    return [str(prompt.text) for prompt in client.view.prompts if prompt.line.startswith("refresh-deck")]


def left_out(session: TableClient) -> list[str]:
    """Return what is left out of the records, as the state has it."""
    return list(session.session.state.left_out)


# Noticing.


def test_a_table_that_is_opened_says_what_changed(archive: Archive) -> None:
    left = leave_one_seal_other(archive, "begin seed 1")
    client = sit_down(archive, left.id)
    choir, salt = deck_questions(client)
    assert choir.startswith("Grave Choir's record has changed since this table read it. Sealed at table ")
    assert QUICK_FADED in choir
    assert "The band went to Ben." in choir
    assert salt.startswith("Salt and Iron's record has changed")
    first, *_ = client.view.prompts
    assert [answer.line for answer in first.answers] == ["refresh-deck ana", "off-record ana", "close-table"]
    assert not client.course.actions, "nothing goes on by itself meanwhile"


def test_begin_waits_for_an_answer(archive: Archive) -> None:
    client = TableClient(SharedSession(leave_one_seal_other(archive)))
    assert deck_questions(client) == []
    reply = client.enter("begin")
    assert isinstance(reply, Reloaded)
    assert QUICK_FADED in reply.sentence
    assert len(deck_questions(client)) == 2
    assert not client.session.state.has_begun
    assert isinstance(client.enter("refresh-deck ana"), ActionDone)
    assert isinstance(client.enter("off-record ben"), ActionDone)
    assert isinstance(client.enter("begin"), ActionDone)


def test_what_is_typed_once_a_look_found_it_waits_for_the_same_answer(archive: Archive) -> None:
    store_bands(archive)
    client = TableClient(SharedSession(seat_bands(archive)))
    bands.add(archive, archive.find_deck("Grave Choir").deck, m.Labelled(Card("AS"), "tough", "Ben"))
    client.session.look_at_decks()
    reply = client.enter("begin")
    assert isinstance(reply, Reloaded)
    assert str(reply.sentence).endswith("Nothing was done: decide first how the table goes on.")


def test_the_review_and_the_seal_wait_for_an_answer(archive: Archive) -> None:
    left = leave_one_seal_other(archive, *FOUGHT, *FADED, *KEPT)
    client = TableClient(SharedSession(left))
    (seal,) = (prompt.answer.build() for prompt in client.view.prompts if prompt.line == "seal")
    review = preview_seal(archive, left, seal)
    assert str(review.open[0]).startswith("Grave Choir's record has changed")
    assert isinstance(client.enter("seal"), Reloaded)
    assert not archive.find_session(left.id).sealed
    assert story(archive, "Grave Choir").count(QUICK_FADED) == 1


def test_an_open_table_hears_of_it_at_once(archive: Archive) -> None:
    store_bands(archive)
    sessions = SharedSessions(archive)
    live = sessions.open(seat_bands(archive, "begin seed 1").id)
    client, heard = TableClient(live), list[str]()
    client.watch(lambda news: heard.append(str(news.sentence)))
    sessions.catch_up()
    assert heard == []
    bands.add(archive, archive.find_deck("Grave Choir").deck, m.Labelled(Card("AS"), "tough", "Ben"))
    sessions.catch_up()
    sessions.catch_up()
    (sentence,) = heard
    assert "Written away from a table" in sentence
    assert "Tough" in sentence
    assert client.follow()
    assert not client.follow()
    assert len(deck_questions(client)) == 1


@pytest.mark.sample(5)
@pytest.mark.parametrize("way", ["label", "correction", "chore", "tag", "import"])
def test_what_is_written_beside_a_table_is_noticed_if_it_matters(archive: Archive, tmp_path: Path, way: str) -> None:
    store_bands(archive)
    deck = archive.find_deck("Grave Choir").deck
    file = tmp_path / "decks"
    with Archive.open(str(tmp_path / "elsewhere.sqlite"), by="other home") as other:
        deck_export.export_decks(archive, [deck], file)
        deck_import.import_decks(other, deck_export.read_stories(file))
        bands.add(other, deck, m.InscriptionCrossedOut(Card("4H"), "quick", "faded"))
        deck_export.export_decks(other, [deck], file)
    left = seat_bands(archive, "begin seed 1")
    match way:
        case "label":
            bands.add(archive, deck, m.Labelled(Card("AS"), "tough", "Ben"))
        case "correction":
            deck_records.correct(archive, deck, 3, "it was never stuck")
        case "chore":
            chores = deck_records.chores(archive, deck)
            deck_records.tick(archive, deck, [chore.id for chore in chores])
        case "tag":
            deck_records.change_tags(archive, deck, ["league"])
        case "import":
            deck_import.import_decks(archive, deck_export.read_stories(file))
    assert bool(deck_questions(sit_down(archive, left.id))) == (way not in ("chore", "tag"))


def test_a_tag_in_between_keeps_nobody_from_sealing(archive: Archive) -> None:
    store_bands(archive)
    client = TableClient(SharedSession(seat_bands(archive, *FOUGHT, *FADED, *KEPT)))
    deck_records.change_tags(archive, archive.find_deck("Grave Choir").deck, ["league"])
    assert isinstance(client.enter("seal"), ConfirmationNeeded)
    assert isinstance(client.confirm(), ActionDone)
    assert band(archive).dungeons == 1


def test_of_many_changes_the_new_holder_is_told(archive: Archive) -> None:
    left = leave_one_seal_other(archive, "begin seed 1")
    deck = archive.find_deck("Grave Choir")
    corrected = [m.BoxCounted(number, 2, "counted") for number in range(3, 9)]
    archive.mark(deck.deck, deck.length, [*corrected, m.Drifted("Cy")])
    (choir, *_) = deck_questions(sit_down(archive, left.id))
    assert "Cy holds it now. " in choir
    assert "more are in its history." in choir


def test_two_tables_sealed_in_turn_are_told_nothing(archive: Archive) -> None:
    store_bands(archive)
    for _ in range(2):
        card = "4H" if band(archive).dungeons == 0 else "7C"
        client = TableClient(SharedSession(seat_bands(archive, *FOUGHT, f"fade ana {card}", "fade ben", *KEPT)))
        assert isinstance(client.enter("seal"), ConfirmationNeeded)
        assert isinstance(client.confirm(), ActionDone)
    assert band(archive).dungeons == 2


# Bringing the table up to date.


def test_a_deck_read_anew_seals_only_what_is_true(archive: Archive) -> None:
    left = leave_one_seal_other(archive, *FOUGHT, *FADED, *KEPT)
    client = sit_down(archive, left.id)
    reply = client.enter("refresh-deck ana")
    assert isinstance(reply, ActionDone)
    assert "Left out of the record: Quick on 4♥ of Grave Choir was crossed out already." in reply.sentence
    assert isinstance(client.enter("refresh-deck ben"), ActionDone)
    assert deck_questions(client) == []
    (seal,) = (prompt.answer.build() for prompt in client.view.prompts if prompt.line == "seal")
    review = preview_seal(archive, client.session, seal)
    assert "Left out of the record: Quick on 4♥ of Grave Choir was crossed out already." in review.notes
    assert not any("faded" in text for deck in review.decks for text in deck.sentences)
    assert isinstance(client.enter("seal"), ConfirmationNeeded)
    assert isinstance(client.confirm(), ActionDone)
    sentences = story(archive, "Grave Choir")
    assert sentences.count(QUICK_FADED) == 1
    now = band(archive)
    assert (now.dungeons, now.holder) == (2, "Ben"), "counted up; the older game gives it to nobody"
    mark = archive.marks(archive.find_deck("Grave Choir").deck)[-1]
    assert isinstance(mark, m.DungeonPlayed)
    assert isinstance(mark.evening, Dungeon)
    assert mark.evening.inscriptions == (), "nor does the evening's card tell of it"


@pytest.mark.slow
def test_who_took_a_deck_before_is_left_out_and_after_is_written(archive: Archive) -> None:
    left = leave_one_seal_other(archive, *FOUGHT, "fade ana 9S", "fade ben 7C", *SWAPPED)
    enter_lines(seat_bands(archive, *FOUGHT, "fade ana 7C", "fade ben 4H", *SWAPPED), "seal")
    client = sit_down(archive, left.id)
    for line in ("refresh-deck ana", "refresh-deck ben"):
        assert isinstance(client.enter(line), ActionDone)
    assert left_out(client) == [
        "who took Grave Choir here, as Ben holds it now.",
        "who took Salt and Iron here, as Ana holds it now.",
    ]
    undone = [client.undo() for _ in range(4)]
    assert all(isinstance(reply, ActionDone | ConfirmationNeeded) for reply in undone)
    client = sit_down(archive, left.id)
    assert client.view.step == "drifting"
    for line in ("refresh-deck ana", "refresh-deck ben", *SWAPPED):
        assert isinstance(client.enter(line), ActionDone)
    assert left_out(client) == []
    client.enter("seal")
    assert isinstance(client.confirm(), ActionDone)
    assert story(archive, "Grave Choir")[-2:] == ["The band went to Ben.", "The band retired."], "its third card faded"


def test_who_takes_back_a_deck_that_went_to_another_elsewhere_holds_it(archive: Archive) -> None:
    left = leave_one_seal_other(archive, *FOUGHT, "fade ana 9S", "fade ben 7C")
    enter_lines(seat_bands(archive, *FOUGHT, "fade ana 7C", "fade ben 4H", *SWAPPED), "seal")
    assert band(archive).holder == "Ben"
    client = sit_down(archive, left.id)
    for line in ("refresh-deck ana", "refresh-deck ben", *KEPT):
        assert isinstance(client.enter(line), ActionDone)
    client.enter("seal")
    assert isinstance(client.confirm(), ActionDone)
    assert band(archive).holder == "Ana"
    assert "The band went to Ana." in story(archive, "Grave Choir")


def test_a_table_read_anew_replays_the_same_and_can_go_back(archive: Archive) -> None:
    left = leave_one_seal_other(archive, *FOUGHT, *FADED)
    client = sit_down(archive, left.id)
    before = client.session.state
    for line in ("refresh-deck ana", "off-record ben"):
        assert isinstance(client.enter(line), ActionDone)
    state = client.session.state
    assert archive_journal.resume(archive, left.id).state == state
    replay = Replay(client.session.export())
    assert [line.failure for line in replay if line.failure] == []
    assert replay.session.state == state
    client.undo()
    client.undo()
    assert client.session.state == before
    assert len(deck_questions(client)) == 2, "the notice stands there again"


def test_what_a_fight_stands_at_stays_when_a_deck_is_read_anew(archive: Archive) -> None:
    left = leave_one_seal_other(archive, "begin seed 1", "set ana hp 7", "set boss hp 9", "add ana coppers 5")
    client = sit_down(archive, left.id)
    assert isinstance(client.enter("refresh-deck ana"), ActionDone)
    state = client.session.state
    assert (state.wizard("ana").hp, state.boss.hp, state.wizard("ana").purse) == (7, 9, 5)
    assert state.bands["ana"].inscribed == {Card("9S"): ("sharp",), Card("7C"): ("echo",)}
    assert state.bands["ana"].dungeons == 1


def test_a_purse_is_read_anew_with_its_deck(archive: Archive) -> None:
    store_bands(archive)
    left = seat_bands(archive, "begin seed 1", "add ana coppers 3")
    other = seat_bands(archive, FOUGHT[0], "add ana coppers 9", FOUGHT[1], *FADED, *KEPT)
    enter_lines(other, "seal")
    client = sit_down(archive, left.id)
    assert isinstance(client.enter("refresh-deck ana"), ActionDone)
    wizard = client.session.state.wizard("ana")
    assert (wizard.starting_purse, wizard.purse) == (9, 12)


def test_a_deck_read_anew_in_the_set_up_is_as_if_seated_now(archive: Archive) -> None:
    left = leave_one_seal_other(archive)
    fresh = seat_bands(archive)
    client = sit_down(archive, left.id)
    for line in ("refresh-deck ana", "refresh-deck ben"):
        assert isinstance(client.enter(line), ActionDone)
    assert client.session.state.bands == fresh.state.bands
    assert client.session.state.monsters == fresh.state.monsters


@pytest.mark.sample(6)
@pytest.mark.parametrize("game", LISTS)
@pytest.mark.parametrize("begun", [True, False])
def test_a_deck_list_is_read_anew(archive: Archive, game: str, begun: bool) -> None:
    session = seated(archive, game)
    if not begun:
        session.undo()
    deck = archive.find_deck("Ash Pack").deck
    text = LISTS[game].replace("Gale Hawk", "Owl Wisp")
    deck_records.rebuild(archive, deck, text, "lighter")
    client = sit_down(archive, session.id)
    (question,) = deck_questions(client)
    assert "lighter" in question
    before = session.state
    reply = client.enter("refresh-deck ana")
    assert isinstance(reply, ActionDone)
    assert "Ash Pack is now version 2; before, it was version 1." in reply.sentence
    after = client.session.state
    assert "owl-wisp" in after.brought["ana"].cards
    if begun:
        assert after.players == before.players, "what is on the table stays"
    else:
        assert isinstance(client.enter("begin seed 1"), ActionDone)
    client.enter("concede ben")
    client.enter("seal")
    assert isinstance(client.confirm(), ActionDone)
    assert "Ana won" in story(archive, "Ash Pack")[-1]


def test_a_pack_that_is_written_on_is_read_anew(archive: Archive) -> None:
    left = road.over(archive)
    enter_lines(left, "inscribe ana 9S bright", "inscribe ben QS soaked", "answered ana market", "answered ben market")
    enter_lines(left, "cross-out ben QS soaked", "tear-up ben 3C", "count ana days 3", "count ben days 1")
    other = road.seated(archive, *(archive.find_deck(name).deck for name in ("Grave Choir", "Moss Road")))
    enter_lines(other, "begin seed 1", *road.DAYS, "next", "next", "next", *road.WRITTEN, "seal")
    client = sit_down(archive, left.id)
    assert len(deck_questions(client)) == 2
    for line in ("refresh-deck ana", "refresh-deck ben"):
        assert isinstance(client.enter(line), ActionDone)
    assert left_out(client) == ["3♣ of Moss Road was torn up already."]
    for line in ('tell ana "Again."', "take-home ana ana", "take-home ben ben", "answered ana wash", "seal"):
        assert not isinstance(client.enter(line), Rejected), line
    assert isinstance(client.confirm(), ActionDone)
    assert sum("3♣" in text and "torn" in text for text in story(archive, "Moss Road")) == 1


# Playing on without a record.


def test_off_the_record_a_seal_writes_nothing_for_that_deck(archive: Archive) -> None:
    left = leave_one_seal_other(archive, *FOUGHT, "fade ana 7C", "fade ben 7C", *KEPT)
    client = sit_down(archive, left.id)
    before = archive.story(archive.find_deck("Grave Choir").deck)
    reply = client.enter("off-record ana")
    assert isinstance(reply, ActionDone)
    assert "the seal writes nothing there" in reply.sentence
    assert isinstance(client.enter("refresh-deck ben"), ActionDone)
    assert isinstance(client.enter("off-record ana"), Rejected)
    client.enter("seal")
    assert isinstance(client.confirm(), ActionDone)
    assert archive.story(archive.find_deck("Grave Choir").deck) == before
    assert (band(archive).dungeons, band(archive, "Salt and Iron").dungeons) == (1, 2)
    result = match_results.read_result(archive, left.id)
    assert result is not None
    assert [player.deck != "" for player in result.players] == [False, True]


def test_a_match_off_the_record_of_both_decks_needs_no_seal(archive: Archive) -> None:
    client = TableClient(SharedSession(seated(archive, "solforge")))
    for line in ("off-record ana", "off-record ben", "concede ben"):
        assert isinstance(client.enter(line), ActionDone)
    assert client.view.prompts == ()
    assert not client.is_sealed


def test_a_deck_comes_back_onto_its_record_read_anew(archive: Archive) -> None:
    left = leave_one_seal_other(archive, *FOUGHT, "fade ana 7C", "fade ben 7C", *KEPT)
    client = sit_down(archive, left.id)
    for line in ("off-record ana", "off-record ben", "refresh-deck ana"):
        assert isinstance(client.enter(line), ActionDone)
    assert client.session.state.off_record == ("ben",)


def test_a_loose_deck_has_no_record_to_play_without(archive: Archive) -> None:
    session = enter_lines(archive_journal.start(archive, "decknforge"), "seat ana", "begin seed 1")
    for line in ("off-record ana", "refresh-deck ana"):
        with pytest.raises(RuleError, match="ana has no stored deck"):
            session.enter(line)
    with pytest.raises(RuleError, match="Nobody sits at"):
        session.enter("off-record cy")


def test_close_table_leaves_it_as_it_stands(archive: Archive) -> None:
    left = leave_one_seal_other(archive, "begin seed 1")
    client = sit_down(archive, left.id)
    lines = archive.lines(left.id)
    assert isinstance(client.enter("close-table"), Closed)
    assert archive.lines(left.id) == lines


# Who seals at the same moment.


def test_a_seal_is_refused_within_its_transaction(archive: Archive) -> None:
    store_bands(archive)
    first = seat_bands(archive, *FOUGHT, *FADED, *KEPT)
    second = seat_bands(archive, *FOUGHT, *FADED, *KEPT)
    first.enter("seal")
    stories = [story(archive, name) for name in ("Grave Choir", "Salt and Iron")]
    with pytest.raises(DeckMoved):
        second.enter("seal")
    assert [story(archive, name) for name in ("Grave Choir", "Salt and Iron")] == stories
    assert not archive.find_session(second.id).sealed
    assert archive.lines(second.id)[-1].line == "pick ben ben", "no line of it is kept"


def test_who_comes_second_to_a_seal_is_asked(archive: Archive) -> None:
    store_bands(archive)
    first = seat_bands(archive, *FOUGHT, *FADED, *KEPT)
    client = TableClient(SharedSession(seat_bands(archive, *FOUGHT, *FADED, *KEPT)))
    assert isinstance(client.enter("seal"), ConfirmationNeeded)
    first.enter("seal")
    reply = client.confirm()
    assert isinstance(reply, Reloaded)
    assert QUICK_FADED in reply.sentence
    assert len(deck_questions(client)) == 2


def test_a_look_that_overlaps_the_seal_of_its_own_table_finds_nothing(archive: Archive) -> None:
    store_bands(archive)
    left = seat_bands(archive, *FOUGHT, *FADED, *KEPT)

    class Shelf(archive_journal.ArchiveShelf):
        """Looks at the records right after the table was sealed elsewhere."""

        def changes(self, decks: Mapping[str, DeckInPlay]) -> tuple[MovedDeck, ...]:
            archive_journal.resume(archive, left.id).enter("seal")
            moved = super().changes(decks)
            assert moved, "the seal has moved the records on"
            return moved

    row, lines = archive.find_session(left.id), left.log.lines
    live = SharedSession(Session.resume(lines, ArchiveJournal.of(archive, row), Shelf(archive), game=GAME))
    heard = list[str]()
    live.subscribe("screen", lambda news: heard.append(str(news.sentence)))
    live.look_at_decks()
    assert heard == []
    assert deck_questions(TableClient(live)) == []
    live.catch_up()
    (sentence,) = heard
    assert sentence.startswith("In another window: Sealed: ")


# What was stored before tables kept how far they had read.


def test_tables_of_before_go_by_the_time_of_their_lines(tmp_path: Path) -> None:
    now = datetime(2026, 3, 14, 20, tzinfo=UTC)

    def clock() -> datetime:
        return now

    with Archive.open(str(tmp_path / "archive.sqlite"), by="tests", clock=clock) as archive:
        store_bands(archive)
        now += timedelta(hours=1)
        of_today = seat_bands(archive, "begin seed 1")
        entries = [entry.read(StoredLine) for entry in archive.entries(session_stream(of_today.id))[1:]]
        assert any(line.read for line in entries)
        before = archive.new_session("decknforge")
        archive.append_lines(before, 1, [StoredLine(line.line, line.group, line.standing) for line in entries])
        assert deck_questions(sit_down(archive, before)) == []
        now += timedelta(hours=1)
        enter_lines(seat_bands(archive, *FOUGHT, *FADED, *KEPT), "seal")
        assert len(deck_questions(sit_down(archive, before))) == 2


def test_a_recorded_game_is_kept_with_what_is_still_true(archive: Archive) -> None:
    store_bands(archive)
    sealed = enter_lines(seat_bands(archive, *FOUGHT, *FADED, *KEPT), 'note "twice"', "seal")
    replay = Replay(sealed.export().replace("twice", "once more"), shelf=archive_journal.ArchiveShelf(archive))
    assert [line.failure for line in replay if line.failure] == []
    archive_journal.keep(archive, replay.session)
    assert tuple(map(str, replay.session.remarks)) == (
        "Left out of the record: Quick on 4♥ of Grave Choir was crossed out already.",
        "Left out of the record: Sharp on 9♠ of Salt and Iron was crossed out already.",
    )
    assert story(archive, "Grave Choir").count(QUICK_FADED) == 1
    assert band(archive).dungeons == 2


# Saying where else a deck sits.


def test_seating_a_deck_says_at_which_other_table_it_sits(archive: Archive) -> None:
    store_bands(archive)
    first = seat_bands(archive, "begin seed 1", "set table round 3")
    second = TableClient(SharedSession(archive_journal.start(archive, "decknforge")))
    reply = second.enter('seat ana deck "Grave Choir"')
    assert isinstance(reply, ActionDone)
    assert f"Grave Choir is also at table {first.id}, round 3." in reply.sentence
    enter_lines(first, "set table outcome loss", *FADED, *KEPT, "seal")
    third = TableClient(SharedSession(archive_journal.start(archive, "decknforge")))
    reply = third.enter('seat ben deck "Salt and Iron"')
    assert isinstance(reply, ActionDone)
    assert " too." not in reply.sentence, "the first one is sealed, and nobody brought it to the second"


def test_a_seat_that_was_taken_back_holds_no_deck(archive: Archive) -> None:
    store_bands(archive)
    first = enter_lines(archive_journal.start(archive, "decknforge"), 'seat ana deck "Grave Choir"')
    first.undo()
    reply = TableClient(SharedSession(archive_journal.start(archive, "decknforge"))).enter(
        'seat ana deck "Grave Choir"'
    )
    assert isinstance(reply, ActionDone)
    assert " too." not in reply.sentence


def test_the_form_of_a_new_table_says_it_beside_the_seat(archive: Archive) -> None:
    store_bands(archive)
    first = seat_bands(archive, "begin seed 1")
    form = TableForm(archive, GAME)
    seen = form.build_state({"seat": [{"name": "Ana", "deck": "Grave Choir"}]}).filled
    assert f"Grave Choir is also at table {first.id}, round 1." in seen.beside[FormPlace("seat", 0)]
    assert not any(finding.text for finding in seen.findings), "it is said, and not forbidden"


# The lines.


@given(st.lists(st.text(st.characters(codec="utf-8", exclude_characters="\n"), min_size=1), max_size=4), st.text())
def test_a_deck_read_anew_reads_back_as_it_is_written(lines: list[str], holder: str) -> None:
    notation = notation_of(GAME)
    for action in (RefreshDeck("ana", "7K3M9QPX2B4TC", holder, tuple(lines)), OffRecord("ana"), RefreshDeck("ana")):
        assert notation.parse(notation.format(action)) == action
