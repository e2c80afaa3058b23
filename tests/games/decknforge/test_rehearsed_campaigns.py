"""Rehearsed campaigns: what an evening leaves comes to the next as from an archive, and figures tell how they grow."""

import json
from collections import Counter

import msgspec
import pytest
from click.testing import CliRunner

from companion.cli.main import main
from companion.games.decknforge.book import founding
from companion.games.decknforge.decks.marks import BandFounded, CardInscribed, CarriedOn, Drifted
from companion.games.decknforge.game import GAME
from companion.games.decknforge.rehearsal.campaign import Campaign
from companion.games.decknforge.rehearsal.dungeon import SimulatedDungeon, begin_dungeon
from companion.games.decknforge.rehearsal.growth import CAMPAIGN_FIGURES, CAMPAIGN_TABLES
from companion.games.decknforge.table import watchlist
from companion.rehearsal.play import rehearse_one
from companion.session.core.evenings import played_actions
from companion.session.core.session import Session
from companion.tabletop.action import RuleError
from companion.tabletop.rehearsal import Chance, RehearsalSetting, UnitOutcome
from companion.tabletop.table.common_actions import Concede
from tests.games.decknforge.rehearsed import Shelf, a_campaign, a_setting, replayed, text_of


@pytest.mark.parametrize("seed", range(3))
def test_each_evening_reads_back_to_the_same_table(seed: int) -> None:
    for dungeon in a_campaign(a_setting(seed, seed + 2, evenings=3), seed).play(keep_lines=True):
        session = replayed(text_of(dungeon))
        assert session.state == dungeon.table
        assert session.state.step == "sealed"


CARRIERS = RehearsalSetting(
    *("decknforge", 3, (), ("random", "careful"), 3),
    decks=("inscribed x KS towers-memory\ninscribed x QS towers-memory\ninscribed x 7S sharp",),
)
"""Bands whose cards go along with their wizards."""


@pytest.mark.parametrize(
    "setting",
    [CARRIERS, *(a_setting(seed + 20, seed % 3 + 2, evenings=4) for seed in range(4))],
    ids=lambda setting: " ".join(setting.temperaments),
)
def test_bands_come_back_as_an_archive_would_seat_them(setting: RehearsalSetting) -> None:
    """The same evenings with `seat NAME deck ID` alone: what stands in records, purses and hands must be all of it."""
    ours, shelf = a_campaign(setting, 2), Shelf()
    shelf.marks = {deck: [*marks] for deck, marks in ours.marks.items()}
    for dungeon in ours.play(keep_lines=True):
        assert dungeon.lines is not None
        session = Session.new(GAME, shelf=shelf)
        for key, value in setting.rules:
            session.enter(f"rule {key} {value}")
        for seat, band in dungeon.table.bands.items():
            session.enter(f'seat {seat} name "{seat.capitalize()}" deck {band.deck}')
        begin = next(at for at, line in enumerate(dungeon.lines) if line.startswith("active "))
        for line in dungeon.lines[begin:]:
            session.enter(line)
        assert session.state == dungeon.table
        shelf.keep(session)
        for deck in ours.marks.keys() - shelf.marks.keys():
            shelf.marks[deck] = [*ours.marks[deck]]
    assert {person: shelf.purses[person] for person in ours.purses} == dict(ours.purses)


def test_towers_memory_takes_cards_along() -> None:
    carried = [
        change
        for number in range(4)
        for dungeon in a_campaign(CARRIERS, number).play()
        for change in dungeon.table.changes
        if change.what == "carried-in"
    ]
    assert {change.card for change in carried} == {"KS", "QS"}


def test_successors_are_founded_by_the_rules_with_their_heirloom() -> None:
    heirlooms = 0
    for number in range(6):
        ours = a_campaign(RehearsalSetting("decknforge", 3, evenings=6), number)
        for dungeon in ours.play():
            for seat, band in dungeon.table.bands.items():
                if not band.retired:
                    continue
                carried = next(mark for mark in ours.marks[band.deck] if isinstance(mark, CarriedOn))
                founded, *others = ours.marks[carried.deck][:10]
                assert isinstance(founded, BandFounded)
                assert founded.builder == seat.capitalize()
                heirloom = next(
                    mark for mark in others if isinstance(mark, CardInscribed) and mark.source == "heirloom"
                )
                starts = [
                    (m.card, m.inscription) for m in others if isinstance(m, CardInscribed) and m.source == "start"
                ]
                assert heirloom.origin == band.name
                assert heirloom.inscription == dungeon.table.wizard(seat).heirloom
                assert founding.price_of(name for _, name in starts) <= 30
                assert not founding.heirloom_error(heirloom.inscription, heirloom.card, starts)
                heirlooms += 1
        names = [record.name for record in ours.records().values()]
        assert len(set(names)) == len(names)
    assert heirlooms > 5


def test_a_new_band_that_is_drafted_goes_to_whoever_picked_it() -> None:
    rules = (("retire-draft", "new-band-joins"),)
    drifted = 0
    for number in range(8):
        ours = a_campaign(RehearsalSetting("decknforge", 3, rules, evenings=6), number)
        for dungeon in ours.play():
            for wizard in dungeon.table.wizards:
                band = dungeon.table.bands[wizard.holds]
                if band.retired and wizard.holds != wizard.seat:
                    holder = ours.records()[ours.brings[wizard.seat]]
                    assert holder.builder == wizard.holds.capitalize()
                    assert holder.holder == wizard.name
                    assert any(isinstance(mark, Drifted) for mark in ours.marks[ours.brings[wizard.seat]])
                    drifted += 1
    assert drifted


def test_the_first_evening_of_a_campaign_is_the_single_dungeon() -> None:
    alone, first = RehearsalSetting("decknforge", 3), RehearsalSetting("decknforge", 3, evenings=2)
    (dungeon,) = a_campaign(alone, 4).play(keep_lines=True)
    assert next(a_campaign(first, 4).play(keep_lines=True)).lines == dungeon.lines


def test_every_evening_is_dealt_the_same_whatever_rule_it_goes_by() -> None:
    plain = RehearsalSetting("decknforge", 3, evenings=4)
    pressed = msgspec.structs.replace(plain, rules=(("pressure", "9"),))
    pairs = [*zip(a_campaign(plain, 7).play(), a_campaign(pressed, 7).play(), strict=True)]
    assert all(one.decks.orders == other.decks.orders for one, other in pairs)
    assert len({str(one.decks.orders) for one, _ in pairs}) == 4
    assert all(one.table.lots == other.table.lots for one, other in pairs)


@pytest.mark.parametrize("rule", [("easy-reward", "1"), ("session-copper-cap", "9999")])
def test_a_rule_without_effect_changes_nothing_in_a_campaign(rule: tuple[str, str]) -> None:
    plain = RehearsalSetting("decknforge", 2, (), ("greedy", "careful"), evenings=3)
    assert rehearse_one(msgspec.structs.replace(plain, rules=(rule,)), 2, 5) == rehearse_one(plain, 2, 5)


def test_labels_come_from_the_second_dungeon_of_a_band_on() -> None:
    figures = rehearse_one(RehearsalSetting("decknforge", 3, (), ("greedy",), evenings=3), 1, 1).tables
    assert figures["evening-labels-added"]["1"] == (0, 1)
    assert figures["evening-labels-added"]["2"][0] > 0
    assert figures["evening-labels"]["3"][0] == figures["evening-labels-added"]["2"][0]


# figures


def outcome(setting: RehearsalSetting, number: int = 0) -> tuple[UnitOutcome, Campaign, list[SimulatedDungeon]]:
    """A campaign's figures, and what they are of."""
    ours = a_campaign(setting, number)
    return rehearse_one(setting, 1, number), ours, [*ours.play(keep_lines=True)]


def test_what_evenings_have_adds_up_to_what_the_campaign_has() -> None:
    figures, ours, dungeons = outcome(RehearsalSetting("decknforge", 3, (), ("greedy", "careful", "table"), evenings=5))
    for table, figure in (("evening-win", "win"), ("evening-falls", "falls"), ("evening-bosses", "bosses")):
        assert sum(count for count, _ in figures.tables[table].values()) == figures.figures[figure][0]
        assert figures.figures[figure][1] == len(dungeons) == len(figures.tables[table])
    bought = sum(count for count, _ in figures.tables["bought-name"].values())
    assert (
        bought
        == figures.figures["bought"][0]
        == sum(change.what == "bought" for dungeon in dungeons for change in dungeon.table.changes)
    )
    seats = figures.tables["seat-purse"]
    assert {seat: coppers for seat, (coppers, _) in seats.items()} == {
        wizard.seat: wizard.purse for wizard in dungeons[-1].table.wizards
    }
    assert figures.figures["purse-end"] == (sum(ours.purses.values()), 3)
    first, *_ = dungeons
    assert figures.tables["evening-purse"]["2"][0] == sum(wizard.purse for wizard in first.table.wizards)


def test_coppers_that_were_earned_are_spent_or_in_a_purse() -> None:
    figures, _, dungeons = outcome(RehearsalSetting("decknforge", 3, (), ("careful",), evenings=4))
    spent = sum(
        GAME.new().book.price(change.inscription) or 0
        for dungeon in dungeons
        for change in dungeon.table.changes
        if change.what == "bought"
    )
    assert figures.figures["purse-end"][0] + spent == figures.figures["coppers"][0]


def test_the_catalogue_of_campaigns_is_counted_whole() -> None:
    figures = rehearse_one(RehearsalSetting("decknforge", 2, (), ("random",), evenings=2), 1, 1)
    assert {figure.key for figure in CAMPAIGN_FIGURES} - figures.figures.keys() <= {"richest-again"}
    assert {figure.key for figure in CAMPAIGN_TABLES} <= figures.tables.keys()


def test_a_band_with_one_inscription_retires_after_its_dungeon() -> None:
    setting = RehearsalSetting("decknforge", 2, (), ("random",), 2, ("inscribed x 2S sharp",))
    for number in range(5):
        figures = rehearse_one(setting, 3, number)
        assert figures.tables["evening-retired"]["1"] == (2, 2)
        assert figures.tables["evening-age"]["2"] == (0, 2)
        assert figures.figures["bands"][0] >= 4


@pytest.mark.parametrize("legend", [False, True])
def test_fading_takes_each_card_as_often_as_enumeration_says(legend: bool) -> None:
    """Three Blessed cards, one draw: each fades in 1 of 3. After a Legend two are drawn, and the cheaper one goes, of
    two alike the first: 2♠ of two pairs, 3♠ of one, the dear 4♠ of none.
    """
    text = "inscribed x 2S sharp\ninscribed x 3S quick\ninscribed x 4S pierce"
    faded: Counter[str] = Counter()
    count = 300
    for number in range(count):
        ours = Campaign(GAME, RehearsalSetting("decknforge", 1, (), ("careful",), decks=(text,)), Chance(5, number))
        dungeon = begin_dungeon(GAME, tuple(ours.set_up()), ours.players, Chance(5, number))
        (wizard,) = dungeon.table.wizards
        wizard = msgspec.structs.replace(wizard, legend_killed=legend)
        dungeon.table = msgspec.structs.replace(dungeon.table, wizards=(wizard,))
        dungeon.do(Concede("ana"))
        dungeon.play(until=lambda table: table.step != "fading")
        faded[next(change.card for change in dungeon.table.changes)] += 1
    expected = {"2S": 2 / 3, "3S": 1 / 3, "4S": 0} if legend else dict.fromkeys(("2S", "3S", "4S"), 1 / 3)
    for card, share in expected.items():
        assert abs(faded[card] / count - share) <= 4 * (share * (1 - share) / count) ** 0.5


@pytest.mark.parametrize("seed", range(3))
def test_symptoms_are_those_of_the_evenings_own_review(seed: int) -> None:
    """What §8 has the log say of an evening, from the session that its lines make."""
    symptoms = {
        "tactics-never": "Tactics were never used.",
        "mostly-unearned": "Kills may feel unearned.",
        "labels-never": "Wizards never added a label.",
        "runaway": "One wizard ran away with the Coppers.",
        "stalled": "The game stalled.",
        "left-behind": "Whoever has the least Glory may have lost interest.",
    }
    for dungeon in a_campaign(a_setting(seed + 40, seed % 3 + 2, share=0, evenings=3), seed).play(keep_lines=True):
        assert dungeon.tally is not None
        figures = dungeon.tally.outcome(dungeon.table).figures
        played = played_actions(replayed(text_of(dungeon)).log.position.head)
        texts = {str(symptom.text) for symptom in watchlist.review(played).symptoms}
        assert {text for key, text in symptoms.items() if figures[key][0]} == texts & set(symptoms.values())
        answers = {question.key: question.answer for question in watchlist.review(played).questions}
        assert (answers["sniped"] == "yes") == bool(figures["any-sniped"][0])
        assert (answers["tactics"] == "yes") == bool(figures["early-tactics"][0])


def test_a_campaign_of_no_evenings_is_refused() -> None:
    with pytest.raises(RuleError, match="1 to 100 evenings, not 0"):
        GAME.rehearsal.check(RehearsalSetting("decknforge", 2, evenings=0))


def test_the_command_rehearses_campaigns_and_tells_of_each_evening() -> None:
    words = ["rehearse", "decknforge", "--players", "2", "--games", "3", "--evenings", "2", "--jobs", "1"]
    text = CliRunner().invoke(main, words).stdout
    assert text.startswith("3 campaigns of 2 evenings, 2 players (greedy), seed 0.\n")
    assert "Dungeons won by evening:\n1 " in text
    compared = CliRunner().invoke(main, [*words, "--rule", "easyReward=1", "--against", "default", "--json"])
    figures = json.loads(compared.stdout)["figures"]
    assert figures["evening-age:2"]["difference"] == {"value": 0.0, "interval": [0.0, 0.0]}
    assert figures["win"]["value"] == pytest.approx(
        sum(figures[f"evening-win:{evening}"]["value"] for evening in (1, 2)) / 2
    )
