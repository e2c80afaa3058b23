"""The forms of a band, filled in field by field: findings in their places, the shop, what is computed and drawn."""

import tomllib
from importlib import resources
from random import Random
from typing import Any

import pytest

from companion.games.decknforge.book.founding import ITEMS
from companion.games.decknforge.decks.adoption import ADOPTING
from companion.games.decknforge.decks.forms import FOUNDING
from companion.games.decknforge.decks.marks import BandAdopted, BandFounded, BandRetired, CardInscribed, CarriedOn
from companion.games.decknforge.decks.record import record
from companion.games.decknforge.game import GAME
from companion.games.decknforge.rules.actions import BandSeat
from companion.tabletop.action import RuleError
from companion.tabletop.decks.form import Form, FormContext, FormPlace, StoredDeck
from companion.tabletop.notation.cards import Card
from companion.tabletop.notation.notation import Notation
from companion.tabletop.table.choices import Choice, Open

EXAMPLES = resources.files("templates") / "examples" / "decknforge"
CHOIR: dict[str, Any] = tomllib.loads((EXAMPLES / "decks.toml").read_text(encoding="utf-8"))["deck"][0]
LANTERN: dict[str, Any] = tomllib.loads((EXAMPLES / "adopt.toml").read_text(encoding="utf-8"))
NOBODY = FormContext()


def choices(form: Form, values: dict[str, Any], place: FormPlace, context: FormContext = NOBODY) -> tuple[Choice, ...]:
    """What a form lists at a place."""
    candidates = form.candidates(values, place, context)
    assert not isinstance(candidates, Open)
    return tuple(candidates)


def test_answers_are_judged_as_far_as_they_are_given() -> None:
    filled = FOUNDING.validate_answers(
        {"name": "Grave Choir", "builder": "Ana", "monster": CHOIR["monster"][:2]}, NOBODY
    )
    assert {finding.place for finding in filled.findings} == {FormPlace("monster"), FormPlace("inscribe")}
    assert tuple(map(str, filled.computed[0].rows[1])) == ("A♥", "Moth Queen", "15", "3", "★ Legend")
    assert (filled.figures, filled.marks) == ({"left": 30}, ())


def test_each_finding_says_which_answer_it_is_about() -> None:
    monsters = [{"card": "11S", "items": "2S", "name": "No card"}, *CHOIR["monster"][:5]]
    monsters[3] = {**monsters[3], "items": "JS 2S 3S"}
    inscribed = [{"card": "AS", "inscription": "sharp"}, {"card": "4H", "inscription": "shrap"}]
    filled = FOUNDING.validate_answers({**CHOIR, "monster": monsters, "inscribe": inscribed}, NOBODY)
    findings = {finding.place: finding for finding in filled.findings}
    assert findings[FormPlace("monster", 0, "card")].unreadable
    assert "V1.3" in findings[FormPlace("monster", 3, "items")].text
    assert "V1.9" in findings[FormPlace("inscribe", 0)].text
    assert "did you mean sharp?" in findings[FormPlace("inscribe", 1, "inscription")].text


def test_a_whole_band_makes_its_first_marks_and_a_payment() -> None:
    filled = FOUNDING.validate_answers(CHOIR, FormContext(deck="7K3M9QPX2B4TC"))
    first, *inscribed = filled.marks
    assert isinstance(first, BandFounded)
    assert (len(first.creatures), len(inscribed)) == (6, 4)
    assert sum(payment.amount for payment in filled.payments) == filled.figures.get("left", 0)


def test_a_name_in_use_and_a_missing_builder_are_placed_findings() -> None:
    filled = FOUNDING.validate_answers({**CHOIR, "builder": " "}, FormContext(taken=("GRAVE  choir",)))
    assert [finding.place.field for finding in filled.findings] == ["builder", "name"]


def test_the_shop_lists_only_what_fits_with_what_is_left() -> None:
    place = FormPlace("inscribe", 1, "inscription")
    values = {**CHOIR, "inscribe": [{"card": "9S", "inscription": "pierce"}, {"card": "4H"}]}
    offered = {choice.value: choice for choice in choices(FOUNDING, values, place)}
    assert str(offered["sharp"].detail).startswith("Common, 5 of 10 Coppers: ")
    assert "pierce" not in offered, "it costs 20, and 10 are left"
    assert "untouchable" not in offered, "Mythics are not for sale"
    values["inscribe"][1] = {"card": "QH"}
    assert "ascension" not in {choice.value for choice in choices(FOUNDING, {**values, "players": "1"}, place)}
    for name in offered:
        values["inscribe"][1] = {"card": "4H", "inscription": name}
        wrong = [each for each in FOUNDING.validate_answers(values, NOBODY).findings if each.place.entry == 1]
        assert not [each for each in wrong if not each.warning]


def test_cards_are_offered_that_are_still_free() -> None:
    assert choices(FOUNDING, {"monster": CHOIR["monster"][:5]}, FormPlace("monster", 5, "card")) == (
        Choice("RJ", "Red Joker"),
    )
    cards = [choice.value for choice in choices(FOUNDING, CHOIR, FormPlace("inscribe", 4, "card"))]
    assert len(cards) == 48 - 4
    assert "AS" not in cards
    assert choices(FOUNDING, CHOIR, FormPlace("legend")) == (), "a pair has made a Legend already"
    assert [choice.value for choice in choices(FOUNDING, CHOIR, FormPlace("players"))] == ["1", "2", "3", "4", "5"]
    assert isinstance(FOUNDING.candidates(CHOIR, FormPlace("monster", 0, "items"), NOBODY), Open)
    assert isinstance(FOUNDING.candidates(CHOIR, FormPlace("name"), NOBODY), Open)


def test_items_are_drawn_by_chance_and_nothing_else_is() -> None:
    place = FormPlace("monster", 0, "items")
    answers = {FOUNDING.draw_answer({}, place, Random(seed)) for seed in range(50)}
    assert FOUNDING.at(place).by_chance
    assert len(answers) > 40
    for items in answers:
        assert len(set(items.split(",")) & set(ITEMS)) == 3
    with pytest.raises(RuleError, match="chosen, not drawn"):
        FOUNDING.draw_answer({}, FormPlace("name"), Random(1))


def test_an_heirloom_is_offered_checked_and_marked_at_its_origin() -> None:
    marks = (*FOUNDING.validate_answers(CHOIR, NOBODY).marks, BandRetired("", "Ana"))
    origin = StoredDeck("7K3M9QPX2B4TC", record(marks))
    context = FormContext(deck="K3M9QPX2B4TC7", decks={"heirloom-of": origin})
    values = {**CHOIR, "name": "Heirs", "heirloom-of": "grave", "heirloom": {"card": "KD"}}
    assert [choice.value for choice in choices(FOUNDING, values, FormPlace("heirloom", 0, "inscription"), context)] == [
        "echo",
        "sharp",
        "banner",
        "quick",
    ]
    assert "name one of its history" in FOUNDING.validate_answers(values, context).findings[0].text
    filled = FOUNDING.validate_answers({**values, "heirloom": {"card": "KD", "inscription": "banner"}}, context)
    assert filled.marks[-1] == CardInscribed(Card("KD"), "banner", "heirloom", "Ana", "Grave Choir")
    assert filled.others == {origin.deck: (CarriedOn("Heirs", context.deck),)}


def test_an_heirloom_of_the_table_is_free_in_the_next_stored_band() -> None:
    founded = FOUNDING.validate_answers(CHOIR, NOBODY).marks
    last, *others = record(founded).inscribed.items()
    history = " ".join(name for _, names in others for name in names)
    notation = Notation(GAME.actions)
    table = GAME.apply(GAME.new(), BandSeat("ana", "Ana", "7K3M9QPX2B4TC", band="Grave Choir")).state
    for line in (
        *(f"inscribed ana {last[0]} {last[1][0]}", f"history ana {history}"),
        "begin seed 1 bosses ana:AS ana:AH ana:AC ana:AD ana:BJ ana:RJ lots ana",
        *("set table outcome loss", f"fade ana {last[0]}", "heirloom ana banner", "seal"),
    ):
        table = GAME.apply(table, notation.parse(line)).state
    marks = GAME.marks(table)["7K3M9QPX2B4TC"]
    assert marks[-1] == BandRetired("banner", "Ana")
    origin = StoredDeck("7K3M9QPX2B4TC", record((*founded, *marks)))
    context = FormContext(deck="K3M9QPX2B4TC7", decks={"heirloom-of": origin})
    next_band = {**CHOIR, "name": "Heirs", "heirloom-of": "grave"}
    without, with_it = (
        FOUNDING.validate_answers({**next_band, **heirloom}, context) for heirloom in ({}, {"heirloom": {"card": "KD"}})
    )
    assert with_it.marks[-1] == CardInscribed(Card("KD"), "banner", "heirloom", "Ana", "Grave Choir")
    assert with_it.figures["left"] == without.figures["left"]


def test_a_band_on_paper_is_the_same_from_a_file_and_from_a_form() -> None:
    in_a_file = ADOPTING.validate_answers(LANTERN, FormContext(by="Ben")).marks
    monsters = [
        {
            **{part: str(value) for part, value in monster.items() if not isinstance(value, list)},
            **{part: ", ".join(value) for part, value in monster.items() if isinstance(value, list)},
            "card": card,
        }
        for card, monster in LANTERN["monsters"].items()
    ]
    inscribed = [
        {"card": card, "inscription": name}
        for card, names in LANTERN["inscribed"].items()
        for name in ([names] if isinstance(names, str) else names)
    ]
    answers = {**LANTERN, "glory": "17", "dungeons": "4", "monsters": monsters, "inscribed": inscribed}
    assert ADOPTING.validate_answers(answers, FormContext(by="Ben")).marks == in_a_file
    (mark,) = in_a_file
    assert isinstance(mark, BandAdopted)


def test_what_a_paper_band_lacks_is_told_where_it_stands() -> None:
    bare = {key: value for key, value in LANTERN.items() if key != "inscribed"}
    filled = ADOPTING.validate_answers({**bare, "name": ""}, NOBODY)
    assert [finding.place.field for finding in filled.findings] == ["name", "inscribed"]
    assert ADOPTING.validate_answers({"name": "x"}, NOBODY).findings[0].unreadable
    fields = {field.name for field in ADOPTING.fields}
    assert LANTERN.keys() - {"game"} <= fields
    offered = {choice.value for choice in choices(ADOPTING, LANTERN, FormPlace("monsters", 0, "labels"))}
    assert {"swift", "tough"} <= offered
    assert Choice("BJ", "Black Joker") in choices(ADOPTING, LANTERN, FormPlace("monsters", 0, "card"))
    assert "sharp" in {choice.value for choice in choices(ADOPTING, LANTERN, FormPlace("lost"))}


def adopted(**changes: Any) -> list[tuple[str, bool]]:
    """What is told of the paper band with some answers changed, and whether it is only a warning."""
    return [
        (str(finding.text), finding.warning)
        for finding in ADOPTING.validate_answers({**LANTERN, **changes}, NOBODY).findings
    ]


def monsters(**changes: Any) -> dict[str, Any]:
    """The Monsters of the paper band, the one on the Ace of Spades changed."""
    return {**LANTERN["monsters"], "AS": {**LANTERN["monsters"]["AS"], **changes}}


def test_atk_of_a_paper_monster_follows_from_its_hp() -> None:
    bare = {key: value for key, value in LANTERN["monsters"]["AS"].items() if key not in ("atk", "hp", "items")}
    for figures, atk in (({"hp": 13}, 3), ({"hp": 13, "atk": 3}, 3), ({"hp": 12}, 2)):
        changed = {**LANTERN["monsters"], "AS": {**bare, **figures}}
        (mark,) = ADOPTING.validate_answers({**LANTERN, "monsters": changed}, NOBODY).marks
        assert isinstance(mark, BandAdopted)
        assert {creature.card: creature.atk for creature in mark.creatures}[Card("AS")] == atk
    wrong = {**LANTERN["monsters"], "AS": {**bare, "hp": 13, "atk": 4}}
    assert any("V1.4" in text for text, _ in adopted(monsters=wrong))


def test_the_items_of_a_paper_monster_are_three_that_add_up() -> None:
    hp = LANTERN["monsters"]["AS"]["hp"]
    first, second = (10, hp - 12) if hp > 20 else (2, min(10, hp - 6))
    third = hp - first - second
    right = [f"{first}S", f"{second}H", f"{third}D"]
    assert adopted(monsters=monsters(items=right)) == adopted(monsters=monsters(items=[]))
    for wrong in (right[:2], [*right, "2C"], [*right[:2], "KD"], ["JS", "QS", "KS"]):
        assert any(
            "is built from three Items, the cards 2 to 10 (V1.3)" in text
            for text, _ in adopted(monsters=monsters(items=wrong))
        )
    other = [f"{first}S", f"{second}H", f"{third + 1 if third < 10 else third - 1}D"]
    assert any(f"do not add up to HP {hp} (V1.3)" in text for text, _ in adopted(monsters=monsters(items=other)))


def test_a_star_that_lacks_is_asked_for_where_it_is_said() -> None:
    bare = {card: {**monster, "legend": False} for card, monster in LANTERN["monsters"].items()}
    (finding,) = ADOPTING.validate_answers({**LANTERN, "monsters": bare}, NOBODY).findings
    assert finding.place == FormPlace("monsters", 0, "legend")


def test_a_paper_band_without_a_blessed_card_has_retired() -> None:
    assert any("R1.81" in text for text, _ in adopted(inscribed={}))
    assert not any("R1.81" in text for text, _ in adopted(inscribed={}, retired=True))


def test_a_word_that_no_sheet_has_is_refused() -> None:
    assert ADOPTING.validate_answers({**LANTERN, "colour": "red"}, NOBODY).findings[0].unreadable
    assert ADOPTING.validate_answers({**LANTERN, "monsters": monsters(colour="red")}, NOBODY).findings[0].unreadable


def test_a_useless_inscription_is_only_a_warning() -> None:
    idle = {**LANTERN, "inscribed": {"KD": "echo", "9S": "sharp", "8S": "quick"}}
    assert [warning for text, warning in adopted(inscribed=idle["inscribed"]) if "V1.12" in text] == [True]
    assert ADOPTING.validate_answers(idle, NOBODY).marks
    assert [warning for text, warning in adopted(inscribed={"AS": "sharp"}) if "V1.9" in text] == [False]


@pytest.mark.parametrize(("players", "right"), [("0", False), ("1", True), ("5", True), ("6", False), ("x", False)])
def test_one_to_five_can_play(players: str, right: bool) -> None:
    filled = FOUNDING.validate_answers({**CHOIR, "players": players}, NOBODY)
    assert (filled.findings == ()) == right
    assert any("R1.4" in str(finding.text) for finding in filled.findings) != right


@pytest.mark.parametrize(("players", "left"), [("1", 40), ("2", 30), ("5", 30)])
def test_a_lone_wizard_has_a_larger_budget(players: str, left: int) -> None:
    assert FOUNDING.validate_answers({"players": players}, NOBODY).figures == {"left": left}


def test_what_is_needed_and_what_may_be_many_is_as_the_form_says() -> None:
    def field_names(form: Form) -> tuple[set[str], set[str]]:
        return (
            {field.name for field in form.fields if field.required},
            {field.name for field in form.fields if field.many},
        )

    assert field_names(FOUNDING) == ({"name", "builder"}, {"monster", "inscribe"})
    assert field_names(ADOPTING) == ({"name", "builder"}, {"holders", "monsters", "inscribed", "lost"})
    parts = {field.name: field for field in next(each for each in ADOPTING.fields if each.name == "monsters").parts}
    assert {name for name, part in parts.items() if part.required} == {"card", "name", "hp"}
    assert (parts["hp"].least, parts["hp"].most, parts["atk"].least, parts["atk"].most) == (6, 30, 1, 5)
