"""What is filled in on a form: where one can answer, what stands there, and what a form is given of it."""

from hypothesis import given
from hypothesis import strategies as st

from companion.games.decknforge.decks.forms import FOUNDING
from companion.session.table.form_answers import Answers
from companion.tabletop.decks.form import Field, FormPlace

FIELDS = (
    Field("name"),
    Field("seat", many=True, parts=(Field("who"), Field("deck"))),
    Field("lost", many=True),
    Field("heirloom", parts=(Field("card"), Field("what"))),
)


def test_places_follow_the_fields_and_repeated_ones_have_room_for_one_more() -> None:
    answers = Answers(FIELDS, {"seat": [{"who": "Ana"}]})
    assert answers.places() == (
        FormPlace("name"),
        FormPlace("seat", 0, "who"),
        FormPlace("seat", 0, "deck"),
        FormPlace("seat", 1, "who"),
        FormPlace("seat", 1, "deck"),
        FormPlace("lost", 0),
        FormPlace("heirloom", 0, "card"),
        FormPlace("heirloom", 0, "what"),
    )


def test_values_are_what_a_form_takes_and_leave_out_what_is_not_said() -> None:
    answers = Answers(FIELDS, {})
    for place, text in (
        (FormPlace("name"), " Grave Choir "),
        (FormPlace("seat", 0, "who"), "Ana"),
        (FormPlace("seat", 1, "deck"), "Salt"),
        (FormPlace("lost", 0), "sharp"),
        (FormPlace("heirloom", 0, "card"), ""),
    ):
        answers.put(place, text)
    assert answers.values() == {
        "name": "Grave Choir",
        "seat": [{"who": "Ana"}, {"deck": "Salt"}],
        "lost": ["sharp"],
    }


def test_an_answer_taken_back_makes_those_behind_it_move_up() -> None:
    answers = Answers(FIELDS, {"seat": [{"who": "Ana"}, {"who": "Ben"}, {"who": "Cy"}]})
    answers.remove(FormPlace("seat", 1, "deck"))
    assert [answer["who"] for answer in answers.values()["seat"]] == ["Ana", "Cy"]
    answers.put(FormPlace("seat", 0, "who"), " ")
    assert answers.drop_empty_entries(FormPlace("seat", 1, "deck")) == FormPlace("seat", 0, "deck")
    assert answers.get(FormPlace("seat", 0, "who")) == "Cy"
    assert answers.drop_empty_entries(FormPlace("name")) == FormPlace("name")


def test_there_is_no_room_for_more_answers_than_there_can_be() -> None:
    answers = Answers((Field("monster", many=True, most=2),), {"monster": ["AS"]})
    assert len(answers.places()) == 2
    answers.put(FormPlace("monster", 1), "AH")
    assert len(answers.places()) == 2


def test_a_form_begins_with_what_its_game_puts_there() -> None:
    answers = Answers(FOUNDING.fields, FOUNDING.initial_values())
    assert answers.values() == FOUNDING.initial_values()
    assert answers.get(FormPlace("players")) == "3"


@given(st.lists(st.tuples(st.sampled_from(["who", "deck"]), st.integers(0, 5), st.text(max_size=3)), max_size=20))
def test_what_is_put_somewhere_stands_there_and_nowhere_else(puts: list[tuple[str, int, str]]) -> None:
    answers, expected = Answers(FIELDS, {}), dict[FormPlace, str]()
    for part, number, text in puts:
        answers.put(FormPlace("seat", number, part), text)
        expected[FormPlace("seat", number, part)] = text
    assert all(answers.get(place) == text for place, text in expected.items())
    assert all(answers.get(place) == expected.get(place, "") for place in answers.places())
    answers.drop_empty_entries(FormPlace("name"))
    seats = answers.values().get("seat", [])
    assert all(any(text.strip() for text in answer.values()) for answer in seats)
