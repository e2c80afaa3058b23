"""Opening a table: what the form asks, what it says of each answer, and the table that is kept."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from companion.archive import Archive, deck_id
from companion.archive.people import people
from companion.games import registry
from companion.session.core import archive_journal
from companion.session.table.form_filling import FormCursor
from companion.session.table.seating import TableForm
from companion.tabletop.action import RuleError
from companion.tabletop.decks.form import FormPlace
from companion.tabletop.table.choices import Open
from companion.tabletop.table.house_rules import HouseRules
from tests.games.miniature import Founded

TWO: dict[str, Any] = {"seat": [{"name": "Ana"}, {"name": "Ben"}]}

LESS = {"decknforge": "fight", "soulforger": "figures", "oddfrontier": "figures", "solforge": "figures"}
"""By the game, what is said of who tracks less than everything."""


@pytest.fixture
def archive(tmp_path: Path) -> Iterator[Archive]:
    with Archive.open(str(tmp_path / "archive.sqlite"), by="test") as opened:
        yield opened


def form(archive: Archive, game: str = "decknforge") -> TableForm:
    return TableForm(archive, registry.game(game))


def texts_at(archive: Archive, values: dict[str, Any], game: str = "decknforge") -> dict[FormPlace, str]:
    """What is wrong with some answers, and where."""
    return {finding.place: str(finding.text) for finding in form(archive, game).build_state(values).filled.findings}


@pytest.mark.parametrize("game", registry.GAMES)
def test_any_games_table_is_kept_with_its_seats(archive: Archive, game: str) -> None:
    kept = form(archive, game).keep(TWO)
    session = archive_journal.resume(archive, kept.id)
    assert [seat.name for seat in session.view().seats] == ["Ana", "Ben"]
    assert session.view().outcome is None
    assert [row.session for row in archive.sessions()] == [kept.id]


@pytest.mark.parametrize("game", registry.GAMES)
def test_whatever_the_game_asks_before_it_begins_is_asked_and_can_be_answered(archive: Archive, game: str) -> None:
    seen = form(archive, game).build_state(TWO)
    rules = bool(registry.game(game).house.all())
    plain = [field.name for field in seen.fields if field.name.startswith("rule ")]
    fields = [field for field in seen.fields if field.name not in ("seat", "rule", *plain)]
    assert [field.name for field in seen.fields] == [
        "seat",
        *plain,
        *(each.name for each in fields),
        *(["rule"] if rules else []),
    ]
    prompts = archive_journal.resume(archive, form(archive, game).keep(TWO).id).view().prompts
    assert {field.help for field in fields} <= {str(prompt.text) for prompt in prompts}
    for field in fields:
        candidates = form(archive, game).candidates(TWO, FormPlace(field.name), "")
        assert field.kind == "flag" or isinstance(candidates, Open)


@pytest.mark.parametrize(("game", "less"), LESS.items())
def test_how_much_is_tracked_is_asked_in_plain_words(archive: Archive, game: str, less: str) -> None:
    (field,) = (field for field in form(archive, game).build_state(TWO).fields if field.name == "rule track")
    assert field.help == "What shall I keep track of?"
    offered = form(archive, game).candidates(TWO, FormPlace("rule track"), "")
    assert not isinstance(offered, Open)
    assert [(choice.value, str(choice.title).partition(":")[0].partition(" ")[0]) for choice in offered] == [
        ("all", "Everything"),
        (less, "Only"),
    ]
    kept = form(archive, game).keep({**TWO, "rule track": less})
    assert archive_journal.resume(archive, kept.id).view().rules == (("track", less),)


def test_gear_is_asked_only_where_cards_are_tracked(archive: Archive) -> None:
    asked_of = {
        track: [field.name for field in form(archive, "soulforger").build_state({**TWO, "rule track": track}).fields]
        for track in ("all", "figures")
    }
    assert any(name.startswith("gear ana") for name in asked_of["all"])
    assert not any(name.startswith("gear") or name == "deck-size" for name in asked_of["figures"])


def test_every_house_rule_is_offered_with_what_it_changes(archive: Archive) -> None:
    rules = registry.game("decknforge").house.all()
    offered = form(archive).candidates({}, FormPlace("rule", 0, "key"), "")
    assert not isinstance(offered, Open)
    assert {choice.value: str(choice.detail) for choice in offered} == {
        rule.key: f"{rule.text} The book: {rule.book}." for rule in rules
    }
    assert registry.game("decknforge").house is not HouseRules


def test_what_is_wrong_is_told_at_its_answer(archive: Archive) -> None:
    assert texts_at(archive, {}) == {FormPlace("seat"): "A seat needs a player: type a name."}
    wrong = texts_at(archive, {"seat": [{"name": "Ana"}, {"name": "Ben", "deck": "Nowhere"}]})
    assert list(wrong) == [FormPlace("seat", 1, "deck")]
    assert list(texts_at(archive, {**TWO, "rule": [{"key": "nothing", "value": "1"}]})) == [FormPlace("rule", 0, "key")]
    assert list(texts_at(archive, {**TWO, "rule": [{"key": "pressure"}]})) == [FormPlace("rule", 0, "value")]
    assert list(texts_at(archive, {**TWO, "rule": [{"key": "pressure", "value": "much"}]})) == [
        FormPlace("rule", 0, "value")
    ]
    assert list(texts_at(archive, {**TWO, "active": "dora"})) == [FormPlace("active")]
    six = {"seat": [{"name": name} for name in ("Ana", "Ben", "Cy", "Dora", "Eli", "Fay")]}
    assert list(texts_at(archive, six)) == [FormPlace("seat", 5, "name")]
    with pytest.raises(RuleError, match="Nowhere"):
        form(archive).keep({"seat": [{"name": "Ben", "deck": "Nowhere"}]})
    assert archive.sessions() == ()


def test_a_deck_is_found_by_its_name_in_this_game_or_its_box_also_where_a_name_is_asked_for(archive: Archive) -> None:
    deck = archive.found_deck("duel", [Founded("Rex", "Ada")])
    archive.found_deck("duel", [Founded("Rexine", "Bea")])
    for answer in ({"deck": "rex"}, {"deck": deck_id.show(deck).lower()}, {"name": deck_id.payload(deck)}):
        seen = form(archive, "duel").build_state({"seat": [answer]})
        assert seen.filled.findings == ()
        assert str(seen.filled.beside[FormPlace("seat", 0)]).startswith("Rex · ")
    offered = form(archive, "duel").candidates({}, FormPlace("seat", 0, "deck"), "ine")
    assert not isinstance(offered, Open)
    assert [choice.value for choice in offered] == ["Rexine"]


def test_of_two_people_of_one_name_it_is_asked_which(archive: Archive) -> None:
    first, second = people.add_person(archive, "Ana"), people.add_person(archive, "Ana")
    deck = archive.found_deck("duel", [Founded("Rex", "Ana")])
    values: dict[str, Any] = {"seat": [{"name": "Ana", "deck": deck}]}
    which = FormPlace("seat", 0, "person")
    seen = form(archive, "duel").build_state(values)
    assert [finding.place for finding in seen.filled.findings] == [which]
    assert which not in seen.idle
    offered = form(archive, "duel").candidates(values, which, "")
    assert not isinstance(offered, Open)
    assert {choice.value for choice in offered} == {first.person, second.person, "new"}
    values["seat"][0]["person"] = second.person
    answered = form(archive, "duel").build_state(values)
    assert answered.filled.findings == ()


def test_a_person_is_asked_about_only_where_several_have_the_name(archive: Archive) -> None:
    assert {FormPlace("seat", number, "person") for number in range(3)} <= form(archive).build_state(TWO).idle


def test_an_answer_whose_question_is_gone_stays_where_it_stands_and_is_told(archive: Archive) -> None:
    seen = form(archive).build_state({"seat": [{"name": "Ana"}], "bosses": "ben:AS"})
    assert "bosses" in [field.name for field in seen.fields]
    assert [finding.place for finding in seen.filled.findings] == [FormPlace("bosses")]


def test_a_question_that_is_asked_no_more_is_passed_over(archive: Archive) -> None:
    cursor = FormCursor(("soulforger",), lambda game: form(archive, game))
    for number, name in enumerate(("Ana", "Ben")):
        cursor.answers.put(FormPlace("seat", number, "name"), name)
    cursor.saw(cursor.form.build_state(cursor.answers.values()))
    cursor.answers.put(FormPlace("rule track"), "figures")
    cursor.go(FormPlace("gear ana"))
    cursor.saw(cursor.form.build_state(cursor.answers.values()))
    assert cursor.at == FormPlace("first")


@pytest.mark.parametrize("seat", ["ana", "ben", "lot"])
def test_who_begins_is_one_question_about_all_seats(archive: Archive, seat: str) -> None:
    people_at_table = [{"name": "Ana"}, {"name": "Ben"}, {"name": "Cleo"}]
    table_form = form(archive, "tricks")
    state = table_form.build_state({"seat": people_at_table})
    assert [field.name for field in state.fields if field.name.startswith("first")] == ["first"]
    offered = table_form.candidates({"seat": people_at_table}, FormPlace("first"), "")
    assert isinstance(offered, Open)
    assert {choice.value for choice in offered.fitting} >= {"ana", "ben", "cleo", "lot"}
    assert table_form.build_state({"seat": people_at_table, "first": seat}).filled.findings == ()


def test_lots_that_the_page_wants_are_drawn_by_yes(archive: Archive) -> None:
    game = registry.from_text(
        'name = "lots"\ntitle = "Lots"\n[play]\nplayers = "2"\nfirst = "lot"\n[counters.points]\n'
    )
    table_form = TableForm(archive, game)
    values = {"seat": [{"name": "Ana"}, {"name": "Ben"}]}
    (field,) = (field for field in table_form.build_state(values).fields if field.name.startswith("first"))
    assert field.kind == "flag"
    assert table_form.build_state({**values, field.name: "yes"}).filled.findings == ()


@pytest.mark.parametrize(("names", "most"), [(("Ana",), None), (("Ana", "Ben"), 2), (("Ana", "Ben", "Cy"), 3)])
def test_no_seat_is_asked_for_beyond_the_players_of_a_game(
    archive: Archive, names: tuple[str, ...], most: int | None
) -> None:
    game = registry.from_text('name = "pairs"\ntitle = "Pairs"\n[play]\nplayers = "2"\n[counters.points]\n')
    state = TableForm(archive, game).build_state({"seat": [{"name": name} for name in names]})
    (seats,) = (field for field in state.fields if field.name == "seat")
    assert seats.most == most
    assert bool(state.filled.findings) == (len(names) > 2), "one too many is told"
