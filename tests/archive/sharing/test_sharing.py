"""One archive on several devices through a folder: what one writes, the others have, once and whole."""

from pathlib import Path

import pytest

from companion.archive import StoredLine, deck_records, maintenance, stationery
from companion.archive.exchange import pages
from companion.archive.exchange.play_import import import_plays
from companion.archive.exchange.play_removal import list_plays, remove_play, restore_play
from companion.archive.people import forgetting, people
from companion.archive.sharing.batches import BatchHead, pack_batch, part_of, read_batches
from companion.archive.sharing.story_import import Decisions
from companion.archive.storage.entries import Entry
from companion.archive.storage.results import read_results
from companion.statistics import score_list
from companion.statistics.score_list import Choices
from companion.tabletop.records import Payment, Tagged
from tests.archive import bands, crowns, household
from tests.archive.keepsake import Founded, Played
from tests.archive.sharing.homes import SharedHome, deliver, entries, own_names, settle

pytestmark = pytest.mark.files


def test_what_one_device_holds_the_other_has(ana: SharedHome, ben: SharedHome) -> None:
    household.fill(ana.archive)
    settle(ana, ben)
    assert entries(ben) == entries(ana)
    assert maintenance.check_archive(ben.archive) == ()
    assert (ben.archive.decks(), ben.archive.sessions()) == (ana.archive.decks(), ana.archive.sessions())
    assert ben.sync() == ana.sync() == 0


def test_an_evening_at_one_device_continues_at_the_other(ana: SharedHome, ben: SharedHome) -> None:
    session = ana.archive.new_session("keepsake", "Friday")
    ana.archive.append_lines(session, 1, [StoredLine("table keepsake", 1)])
    settle(ana, ben)
    ben.archive.append_lines(session, 2, [StoredLine("note 'at ben'", 2)])
    settle(ana, ben)
    assert [line.line for line in ana.archive.lines(session)] == ["table keepsake", "note 'at ben'"]
    assert entries(ben) == entries(ana)


def test_a_table_that_went_on_twice_is_two_tables(ana: SharedHome, ben: SharedHome) -> None:
    session = ana.archive.new_session("keepsake", "Friday")
    ana.archive.append_lines(session, 1, [StoredLine("table keepsake", 1)])
    settle(ana, ben)
    ana.archive.append_lines(session, 2, [StoredLine("note 'at ana'", 2)])
    ben.archive.append_lines(session, 2, [StoredLine("note 'at ben'", 2)])
    settle(ana, ben)
    for home, other in ((ana, ben), (ben, ana)):
        branch, own = sorted(home.archive.sessions(), key=lambda row: row.session == session)
        assert own.session == session
        assert branch.title == f"Friday · {other.name}@{other.name}-pc"
        assert home.archive.lines(session)[-1].line == f"note 'at {home.name}'"
        assert home.archive.lines(branch.session)[-1].line == f"note 'at {other.name}'"
    home.archive.append_lines(branch.session, 3, [StoredLine("note 'more'", 3)])
    settle(ana, ben)
    assert other.archive.lines(session)[-1].line == "note 'more'"
    assert len(ana.archive.sessions()) == len(ben.archive.sessions()) == 2


def test_a_third_device_has_both_tables_once(ana: SharedHome, ben: SharedHome, tmp_path: Path) -> None:
    cy = SharedHome(tmp_path, "cy")
    cy.share()
    session = ana.archive.new_session("keepsake", "Friday")
    settle(ana, ben, cy)
    for home in (ana, ben):
        for number in range(1, 4):
            home.archive.append_lines(session, number, [StoredLine(f"note '{home.name} {number}'", number)])
            home.sync()
            deliver(home, cy)
            cy.sync()
    settle(ana, ben, cy)
    for home in (ana, ben, cy):
        logs = {tuple(line.line for line in home.archive.lines(row.session)) for row in home.archive.sessions()}
        assert logs == {tuple(f"note '{name} {number}'" for number in (1, 2, 3)) for name in ("ana", "ben")}
        assert len(home.archive.sessions()) == 2
    cy.close()


def test_a_deck_played_on_both_devices_waits_for_a_decision(ana: SharedHome, ben: SharedHome) -> None:
    deck = ana.archive.found_deck("keepsake", [Founded("Choir", "Ana")])
    settle(ana, ben)
    ana.archive.mark(deck, 2, [Played(3)])
    ben.archive.mark(deck, 2, [Played(5)])
    settle(ana, ben)
    assert ana.waiting == ben.waiting == {("deck", "diverged")}
    assert [entry.kind for entry in ana.archive.entries(f"deck:{deck}")] == ["opened", "founded", "played"]
    ben.sync(Decisions(keep="theirs"))
    settle(ana, ben)
    assert ana.waiting == ben.waiting == set()
    assert entries(ana) == entries(ben)
    kinds = [entry.kind for entry in ana.archive.entries(f"deck:{deck}")]
    assert kinds == ["opened", "founded", "played", "played", "corrected", "joined"]
    assert '"glory":5' in ana.archive.entries(f"deck:{deck}")[2].body, "Ben's comes first in the story that he made"


def test_people_are_paid_by_both_devices(ana: SharedHome, ben: SharedHome) -> None:
    person = people.add_person(ana.archive, "Zoe").person
    settle(ana, ben)
    people.rename_person(ana.archive, person, "Zora")
    people.rename_person(ben.archive, person, "Zita")
    settle(ana, ben)
    assert entries(ben) == entries(ana)
    assert set(people.find_record(ben.archive, "Zoe").called) == {"Zoe", "Zora", "Zita"}


def test_a_deck_with_a_taken_name_waits_for_another(ana: SharedHome, ben: SharedHome) -> None:
    for home in (ana, ben):
        bands.found_band(home.archive, "Choir", home.name)
    people.add_person(ana.archive, "Zoe")
    settle(ana, ben)
    assert ana.waiting == ben.waiting == {("deck", "name")}
    assert [story.title for story in ben.state.waiting] == ["Choir"]
    assert people.find_record(ben.archive, "Zoe"), "nothing else waits for it"
    deck_records.rename_deck(ben.archive, ben.archive.decks()[0].deck, "Chapel", "two were called so")
    settle(ana, ben)
    assert ana.waiting == ben.waiting == set()
    assert sorted(row.name for row in ana.archive.decks()) == ["Chapel", "Choir"]
    assert entries(ana) == entries(ben)


def test_tags_of_both_devices_are_kept_without_a_question(ana: SharedHome, ben: SharedHome) -> None:
    deck = ana.archive.found_deck("keepsake", [Founded("Choir")])
    settle(ana, ben)
    ana.archive.mark(deck, 2, [Tagged(("league",))])
    ben.archive.mark(deck, 2, [Played(3), Tagged(("club",))])
    settle(ana, ben)
    assert ana.archive.decks()[0].tags == ben.archive.decks()[0].tags == ("club", "league")
    assert entries(ana) == entries(ben)


def test_who_is_forgotten_on_one_device_is_so_on_all(ana: SharedHome, ben: SharedHome) -> None:
    person = people.add_person(ana.archive, "Zoe").person
    settle(ana, ben)
    forgetting.forget_person(ana.archive, person)
    people.set_alias(ben.archive, person, "Zo")
    settle(ana, ben)
    assert entries(ana) == entries(ben)
    assert b"Zo" not in ben.file.read_bytes()
    for home in (ana, ben):
        for name in own_names(home):
            batches = [*read_batches((home.files / name).read_bytes())]
            assert "Zo" not in str(batches)
    assert ana.sync() == ben.sync() == 0


def test_two_who_are_merged_into_each_other_are_one(ana: SharedHome, ben: SharedHome) -> None:
    one, other = (people.add_person(ana.archive, name).person for name in ("Zoe", "Yan"))
    settle(ana, ben)
    people.merge_people(ana.archive, one, other)
    people.merge_people(ben.archive, other, one)
    settle(ana, ben)
    assert entries(ana) == entries(ben)
    for home in (ana, ben):
        assert [each.person for each in people.with_ids(home.archive)] == [min(one, other)]


def test_games_of_one_name_on_two_devices_stay_apart(ana: SharedHome, ben: SharedHome) -> None:
    pages.add_page(ana.archive, crowns.ONE)
    pages.add_page(ben.archive, crowns.page(by="Ben", title="The Other Crown"))
    settle(ana, ben)
    assert ana.waiting == ben.waiting == {("page", "name")}
    pages.withdraw(ben.archive, "crown")
    settle(ana, ben)
    assert ana.waiting == ben.waiting == set()


def test_sheets_and_printers_of_one_name_stay_with_their_device(ana: SharedHome, ben: SharedHome) -> None:
    for home, dx in ((ana, 0.5), (ben, -0.5)):
        stationery.begin_sheet(home.archive, "Blue", "avery-l4732", 80, (1, 2))
        stationery.calibrate(home.archive, "Laser", dx, 0, 1, 1)
    settle(ana, ben)
    assert [stationery.printers(home.archive)[0].dx for home in (ana, ben)] == [0.5, -0.5]
    assert ana.waiting == ben.waiting == set()


def test_what_only_a_newer_companion_knows_waits(ana: SharedHome, ben: SharedHome) -> None:
    person = people.add_person(ana.archive, "Zoe").person
    settle(ana, ben)
    odd = Entry(f"person:{person}", 1, ana.archive.now(), "ana", "future", '{"name":"Zoe"}')
    plain = Entry("session:7K3M9QPX", 0, ana.archive.now(), "ana", "opened", '{"game":"keepsake"}')
    head = BatchHead("shared", 1, "w", "d", "newer", 1, 1)
    long = Entry("session:3M9QPX7K", 0, ana.archive.now(), "ana", "opened", f'{{"game":"{"x" * 1_000_000}"}}')
    stories = ([*ana.archive.entries(odd.stream), odd], [long], [plain])
    parts = [part_of(story[0].stream, story) for story in stories]
    (ben.files / "newer.shared").write_bytes(pack_batch(head, parts))
    ben.sync()
    assert ben.waiting == {("person", "nonsense"), ("session", "nonsense")}
    assert ben.sync() == 0
    assert ben.waiting == {("person", "nonsense"), ("session", "nonsense")}
    assert [row.session for row in ben.archive.sessions()] == ["7K3M9QPX"]


def test_a_table_sealed_on_both_devices_pays_twice(ana: SharedHome, ben: SharedHome) -> None:
    deck = ana.archive.found_deck("keepsake", [Founded("Choir", "Zoe")], [Payment("Zoe", 1, "")])
    session = ana.archive.new_session("keepsake", "Friday")
    settle(ana, ben)
    for home in (ana, ben):
        home.archive.seal(session, 1, [StoredLine("seal", 1)], {deck: [Played(2)]}, [Payment("Zoe", 4, "")])
    settle(ana, ben)
    assert [people.find_record(home.archive, "Zoe").purse for home in (ana, ben)] == [9, 9]
    assert ana.waiting == ben.waiting == {("deck", "diverged")}
    assert [len(home.archive.sessions()) for home in (ana, ben)] == [2, 2]


def test_a_removed_game_is_removed_on_all_devices(ana: SharedHome, ben: SharedHome) -> None:
    for home in (ana, ben):
        plays = score_list.read_scores(b"date,Ana,Ben\n2024-01-01,1,2\n2024-01-02,1,2\n", "x", Choices("rummy")).plays
        import_plays(home.archive, plays, score_list.SCORES_AUTHOR, "x")
    settle(ana, ben)
    newest, _ = list_plays(ana.archive)
    for home in (ana, ben):
        remove_play(home.archive, newest.id)  # at both, before they hear of each other
    settle(ana, ben)
    assert entries(ana) == entries(ben)
    restore_play(ben.archive, newest.id)
    remove_play(ana.archive, list_plays(ana.archive)[1].id)
    settle(ana, ben)
    for home in (ana, ben):
        assert [play.is_removed for play in list_plays(home.archive)] == [False, True]
        with home.archive.store.reading() as transaction:
            assert len(list(read_results(transaction))) == 1
        assert maintenance.check_archive(home.archive) == ()
