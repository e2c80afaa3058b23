"""The record of a campaign: brought by a table, written by the seal, carried over, printed, and taken elsewhere."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
from click.testing import CliRunner

from companion.archive import Archive, deck_records
from companion.archive.exchange import deck_export, deck_import
from companion.cli.main import main
from companion.games.described import records as m
from companion.games.described.page.reading import PageError, read_description
from companion.plain import talk
from companion.session.core import archive_journal, changes
from companion.session.core.session import Session
from companion.session.table import rematch
from companion.session.table.confirmations import required_confirmation
from companion.session.table.seating import TableForm
from companion.tabletop.action import RuleError
from companion.tabletop.decks.form import FormPlace, Values
from companion.tabletop.decks.paper import DatedMark, Wording
from companion.tabletop.records import Retired
from companion.tabletop.table.choices import NONE, Open
from tests.games.described import logbook, pages

PAGE = """
name = "tour"
title = "Tour"
[counters.gold]
of = "table"
[counters.life]
[campaign.figures.gold]
counter = "gold"
[campaign.scenarios.mill]
start = true
opens = ["inn"]
unlocks = ["key"]
[campaign.scenarios.inn]
[campaign.unlocks.key]
[[after]]
name = "done"
ask = "Done?"
kind = "finish"
"""


def record_of(archive: Archive, deck: str) -> m.InscribedRecord:
    """The record of a deck."""
    record = archive.record(deck)
    assert isinstance(record, m.InscribedRecord)
    return record


def values_offered(form: TableForm, values: Values, place: FormPlace) -> list[str]:
    """What a form offers at a place."""
    offered = form.candidates(values, place, "")
    assert not isinstance(offered, Open)
    return sorted(str(each.value) for each in offered)


def stages(archive: Archive, deck: str) -> dict[str, str]:
    """The stages of a campaign."""
    campaign = record_of(archive, deck).campaign
    assert campaign is not None
    return {**campaign.stages}


def test_the_seal_says_which_question_is_open(archive: Archive) -> None:
    session = logbook.enter(
        logbook.seat(archive, *logbook.company(archive)), "scenario harbour", "begin seed 1", *logbook.WON
    )
    confirmation = required_confirmation(session, (session.notation.parse("seal"),))
    assert confirmation is not None
    questions = [str(prompt.text) for prompt in session.view().prompts if prompt.answer.action.verb() != "seal"]
    assert questions
    assert [str(text) for text in confirmation.open] == questions


def test_a_campaign_goes_through_three_games(archive: Archive) -> None:
    decks = logbook.company(archive)
    company, mira, odo = decks
    assert record_of(archive, company).counts == {"gold": 3, "renown": 0}
    assert stages(archive, company) == {"harbour": "open"}

    logbook.first_game(archive, *decks)
    assert record_of(archive, company).counts == {"gold": 6, "renown": 2}
    after_first = {"harbour": "done", "marsh": "open", "pass": "open", "lantern": "unlocked"}
    assert stages(archive, company) == after_first
    assert record_of(archive, mira).counts == {"experience": 2}

    second = logbook.second_game(archive, *decks)
    assert record_of(archive, company).counts == {"gold": 9, "renown": 2}
    assert stages(archive, company) == {**after_first, "bell": "unlocked"}
    assert second.state.outcome == "loss"

    logbook.third_game(archive, *decks)
    assert record_of(archive, company).counts == {"gold": 11, "renown": 3}
    assert stages(archive, company)["pass"] == "done"
    assert stages(archive, company)["tower"] == "open"
    assert (record_of(archive, company).played, record_of(archive, company).won) == (3, 2)
    assert record_of(archive, mira).retired
    assert not record_of(archive, odo).retired
    story = [str(each) for each in pages.ready("campaign").decks.story(archive.marks(company))]
    assert [line for line in story if "together" in line] == [
        "The empty harbour: Ana and Ben won together, after 2 rounds. Gold 6.",
        "Lights in the marsh: Ana and Ben lost together, after 1 round. Gold 9.",
        "The snowed-up pass: Ana and Ben won together, after 2 rounds. Gold 11.",
    ]


def test_a_retired_hero_is_not_offered_any_more(archive: Archive) -> None:
    decks = logbook.company(archive)
    logbook.first_game(archive, *decks)
    logbook.third_game(archive, *decks)
    form = TableForm(archive, pages.ready("campaign"))
    offered = values_offered(form, {"seat": [{"name": "ben"}]}, FormPlace("seat", 0, "deck"))
    assert offered == [NONE, "Odo"]
    with pytest.raises(RuleError, match="has retired"):
        logbook.enter(archive_journal.start(archive, "campaign"), f"seat ana deck {decks[1]}")


def test_the_form_asks_which_campaign_goes_on(archive: Archive) -> None:
    company, mira, _ = logbook.company(archive)
    form = TableForm(archive, pages.ready("campaign"))
    values = {"campaign": company, "seat": [{"name": "Ana", "deck": mira}]}
    state = form.build_state(values)
    assert [field.name for field in state.fields][:2] == ["campaign", "seat"]
    assert state.filled.findings == ()
    assert values_offered(form, values, FormPlace("campaign")) == ["", "The Gull Company"]
    table = archive_journal.resume(archive, form.keep({**values, "scenario": "harbour"}).id)
    assert table.state.campaign.scenario == "harbour"


def test_a_hero_cannot_be_the_campaign_nor_the_reverse(archive: Archive) -> None:
    company, mira, _ = logbook.company(archive)
    session = archive_journal.start(archive, "campaign")
    with pytest.raises(RuleError, match="a player brings it"):
        session.enter(f"seat campaign deck {mira}")
    with pytest.raises(RuleError, match="brings it for the whole table"):
        session.enter(f"seat ana deck {company}")


def test_a_scenario_that_is_not_open_cannot_be_played(archive: Archive) -> None:
    session = logbook.seat(archive, *logbook.company(archive))
    with pytest.raises(RuleError, match="not open in this campaign"):
        session.enter("scenario tower")


def test_the_counter_of_a_question_is_proposed(archive: Archive) -> None:
    session = logbook.seat(archive, *logbook.company(archive))
    logbook.enter(session, "begin seed 1", *logbook.WON, "finish harbour", "answered campaign envelope")
    assert session.view().prompts[0].answer.line == "figure gold 5"
    logbook.enter(session, "figure gold 4", "answered campaign renown")
    assert session.view().prompts[0].answer.line == "count ana experience 2"


def test_a_rematch_brings_the_campaign_as_it_is_now(archive: Archive) -> None:
    first = logbook.first_game(archive, *logbook.company(archive))
    again = archive_journal.resume(archive, rematch.open_rematch(archive, first.id).session)
    assert again.state.campaign.figures == {"gold": 6, "renown": 2}


def test_a_table_reloads_a_campaign_that_has_moved_on(archive: Archive) -> None:
    decks = logbook.company(archive)
    waiting = logbook.seat(archive, *decks)
    logbook.enter(waiting, "scenario harbour", "begin seed 5", "search ana 1")
    logbook.first_game(archive, *decks)
    logbook.enter(waiting, "refresh-deck campaign", "refresh-deck ana", "refresh-deck ben")
    assert waiting.state.figures["gold"] == 7
    assert waiting.state.campaign.stages.stages["lantern"] == "unlocked"


def test_a_wrong_stage_is_corrected_by_its_spot(archive: Archive) -> None:
    company = logbook.company(archive)[0]
    keeping = pages.ready("campaign").decks.keeping
    assert keeping is not None
    marks = archive.marks(company)
    spot = keeping.read_spot("marsh stage")
    corrections = [*keeping.corrections(marks, {spot: keeping.spot_value(spot, "open")}, "the sheet says so", "Ana")]
    assert corrections == [
        m.CampaignStage("marsh", "open", "Lights in the marsh", "Ana", noticed=True, reason="the sheet says so")
    ]


def test_a_campaign_travels_with_its_whole_story(archive: Archive, tmp_path: Path) -> None:
    decks = logbook.company(archive)
    logbook.first_game(archive, *decks)
    exported = tmp_path / "company.json"
    deck_export.export_decks(archive, decks, exported)
    with Archive.open(str(tmp_path / "elsewhere.db"), by="test") as elsewhere:
        deck_import.import_decks(elsewhere, deck_export.read_stories(exported))
        assert elsewhere.record(decks[0]) == archive.record(decks[0])
        logbook.second_game(elsewhere, *decks)
        assert record_of(elsewhere, decks[0]).played == 2


def test_a_passport_holds_the_campaign(archive: Archive) -> None:
    company, *heroes = logbook.company(archive)
    logbook.first_game(archive, company, *heroes)
    keeping = pages.ready("campaign").decks.keeping
    assert keeping is not None
    for packed in keeping.pack_record(archive.marks(company)):
        content = msgspec.msgpack.decode(msgspec.msgpack.encode(packed))
        (mark,) = keeping.unpack_record(content, "story", 9)
        assert m.record("campaign", [mark]).campaign == record_of(archive, company).campaign


def test_chores_of_the_campaign_are_for_its_sheet(archive: Archive) -> None:
    decks = logbook.company(archive)
    logbook.first_game(archive, *decks)
    texts = [str(chore.text) for chore in deck_records.chores(archive, decks[0])]
    assert "Write on the campaign sheet that The empty harbour is done" in texts
    assert "Write “played 1, won 1, gold 6, renown 2” on the box" in texts


def test_stored_marks_of_campaigns_are_read_for_ever() -> None:
    stored = (
        '{"mark":"founded","name":"Gulls","holder":"Ana","campaign":{"stages":{"mill":"open"},"titles":{"mill":'
        '"The Mill"}},"counts":{"gold":3}}',
        '{"mark":"campaign-game","players":["Ana","Ben"],"result":"won","rounds":4,"scenario":"The Mill","figures":'
        '{"gold":7},"titles":{"gold":"Gold"},"evening":null}',
        '{"mark":"campaign-stage","word":"mill","stage":"done","title":"The Mill"}',
        '{"mark":"campaign-stage","word":"key","stage":"unlocked","title":"The Key"}',
        '{"mark":"counted","figure":"renown","title":"Renown","amount":2}',
        '{"mark":"retired"}',
    )
    marks = [
        msgspec.json.decode(each, type=m.Founded | m.CampaignGame | m.CampaignStage | m.Counted | Retired)
        for each in stored
    ]
    read = m.record("tour", marks)
    assert (read.counts, read.played, read.won, read.retired) == ({"gold": 7, "renown": 2}, 1, 1, True)
    assert read.campaign is not None
    assert read.campaign.stages == {"mill": "done", "key": "unlocked"}


@pytest.mark.parametrize(
    ("right", "wrong", "message"),
    [
        ('opens = ["inn"]', 'opens = ["in"]', "There is no scenario “in”; did you mean inn?"),
        ('unlocks = ["key"]', 'unlocks = ["kay"]', "There is no thing to unlock “kay”; did you mean key?"),
        ('counter = "gold"', 'counter = "life"', "“life” is a counter of a seat, not of the table."),
        ('counter = "gold"', 'counter = "golt"', "There is no counter “golt”; did you mean gold?"),
        ("[campaign.unlocks.key]", "[campaign.unlocks.gold]", "“gold” is in [campaign.figures], too"),
        ("start = true", "", "No scenario is open at first"),
        ('kind = "finish"', 'kind = "count"\nwho = "campaign"', "Say with counts which figure of the campaign it is."),
        (
            'kind = "finish"',
            'kind = "figure"\ncounts = "gol"',
            "There is no figure of the campaign “gol”; did you mean gold?",
        ),
        ('kind = "finish"', 'kind = "retire"', "“retire” needs decks; write [decks]."),
        ('kind = "finish"', 'kind = "retire"\nwho = "campaign"', "“retire” is about a deck, not about the campaign."),
        ('kind = "finish"', 'kind = "finish"\nfrom = "life"', "This works only with count"),
        ("[counters.gold]\nof", "[counters.gold]\nleast = -3\nof", "“gold” can fall below 0"),
    ],
)
def test_a_mistake_in_a_campaign_is_found(right: str, wrong: str, message: str) -> None:
    read_description(PAGE)
    with pytest.raises(PageError) as raised:
        read_description(PAGE.replace(right, wrong, 1))
    assert message in " ".join(str(fault.text) for fault in raised.value.faults)


def test_the_printed_sheet_tells_of_the_campaign(archive: Archive) -> None:
    decks = logbook.company(archive)
    logbook.first_game(archive, *decks)
    paper = pages.ready("campaign").paper
    assert paper is not None
    marks = archive.marks(decks[0])
    dated = [DatedMark(mark, "2026-11-30", "") for mark in marks]
    sheet = paper.sheet(archive.record(decks[0]), dated, Wording())
    scenarios, unlocked, games, _ = sheet.tables
    assert [(str(row[0]), str(row[1])) for row in scenarios.rows] == [
        ("The empty harbour", "done"),
        ("Lights in the marsh", "open"),
        ("The snowed-up pass", "open"),
    ]
    assert [str(row[0]) for row in unlocked.rows] == ["The lantern"]
    assert [str(cell) for cell in games.rows[0]][2:] == ["The empty harbour", "Ana, Ben", "won", "2", "Gold 6"]
    assert ("Renown", "2") in [(str(name), value) for name, value in sheet.facts]


def test_a_scan_of_the_printed_sheet_opens_its_story(archive: Archive, place: str, tmp_path: Path) -> None:
    decks = logbook.company(archive)
    logbook.first_game(archive, *decks)
    picture, of_archive = str(tmp_path / "sheet.png"), ["--archive", place]
    printed = ["labels", "record", decks[0], "-o", str(tmp_path / "sheet.pdf"), "--preview", picture, *of_archive]
    assert CliRunner().invoke(main, printed).exit_code == 0
    result = CliRunner().invoke(main, ["scan", picture, *of_archive])
    assert result.exit_code == 0
    assert "The Gull Company" in result.stdout
    assert "The empty harbour: Ana and Ben won together, after 2 rounds. Gold 6" in result.stdout


def test_an_evening_is_headed_by_its_scenario(archive: Archive) -> None:
    session = logbook.first_game(archive, *logbook.company(archive))
    (mark,) = (
        each
        for each in session.sealing().marks[session.state.brought["campaign"].deck]
        if isinstance(each, m.CampaignGame)
    )
    card = pages.ready("campaign").evenings.card(mark.evening)
    assert card is not None
    assert str(card.headline) == "The empty harbour: Everybody wins together"


def test_the_table_shows_the_figures_that_answers_change(archive: Archive) -> None:
    session = logbook.seat(archive, *logbook.company(archive))
    logbook.enter(session, "scenario harbour", "begin seed 1", *logbook.WON)

    def campaign() -> list[str]:
        zone = next(zone for zone in session.view().zones if zone.name == "campaign")
        return [str(thing.title) for thing in zone.things]

    assert "Renown 0" in campaign()
    assert not [title for title in campaign() if title.startswith("Gold")], "its counter shows it"
    logbook.enter(session, "finish harbour", "figure gold 7", "count campaign renown 2")
    assert {"Renown 2", "Gold 7"} <= {*campaign()}
    logbook.enter(session, "undo", "count campaign renown 3")
    assert "Renown 3" in campaign()
    logbook.enter(session, "seal")
    assert "Renown 3" in campaign()


def test_the_step_after_the_seal_is_no_step_of_the_game(archive: Archive) -> None:
    session = logbook.first_game(archive, *logbook.company(archive))
    view = session.view()
    assert str(next(step.title for step in view.steps if step.name == view.step)) == "Sealed"
    assert not view.closing


def test_a_chosen_scenario_is_told_by_its_line_alone(archive: Archive) -> None:
    session = logbook.seat(archive, *logbook.company(archive))
    before = session.view()
    tells = session.enter("scenario harbour")
    assert "The scenario is The empty harbour" in " ".join(str(tell.text) for tell in tells)
    assert str(talk.describe_changes(before, session.view())) == ""
    text = str(changes.describe(changes.differences(before, session.view())))
    assert "Renown" not in text
    assert "gone" not in text


def test_a_campaign_can_still_come_once_the_scenario_is_chosen() -> None:
    session = logbook.enter(Session.new(pages.ready(logbook.GAME)), "seat ana", "scenario harbour")
    texts = [str(prompt.text) for prompt in session.view().prompts]
    assert "Does a campaign go on at this table?" in texts
    assert "Which scenario is played?" not in texts
