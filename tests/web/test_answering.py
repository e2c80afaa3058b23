"""Answers on a phone: what is tapped and typed there is the same line as on every screen."""

import pytest

from companion.session.core.log import Log
from companion.session.core.session import Session
from companion.session.reading.line_reading import read_line
from companion.tabletop.action import NotationError
from companion.web import answering
from companion.web.answering import Asking

LISTED = (
    *("seat ana", "seat ben", 'lists ana "2 Jolt | magic | cost 2"', 'lists ana "2 Iron Rain | artifact | cost 0"'),
    *('lists ana "2 Ash Wolf | creature | Wolf | 2/3"', "begin seed 1", "next", "next"),
)


def at_table() -> Session:
    """A table at which Ana brought a list."""
    session = Session(Log.open("table oddfrontier"))
    for line in LISTED:
        session.enter(line)
    return session


@pytest.mark.parametrize("typed", ["Jolt", "jolt"])
def test_a_listed_card_costs_what_the_list_says(typed: str) -> None:
    session = at_table()
    reached = answering.follow_steps(Asking.now(session), answering.append_typed_text("ana:queue ana TEXT", typed))
    assert reached.action is not None
    assert session.notation.format(reached.action) == session.notation.format(
        session.notation.parse('queue ana "Jolt"')
    )
    assert "cost 2" in session.notation.format(reached.action)


@pytest.mark.parametrize(
    ("step", "typed", "line"),
    [
        ("ana:queue ana TEXT", "ash-wolf", 'queue ana "Ash Wolf"'),
        ("ana:permanent ana THING", "totem", "permanent ana totem"),
        ("ana:permanent ana THING", "iron-rain", "permanent ana iron-rain cost 0"),
    ],
)
def test_a_card_that_a_list_holds_is_called_as_it_is_there(step: str, typed: str, line: str) -> None:
    reached = answering.follow_steps(Asking.now(at_table()), answering.append_typed_text(step, typed))
    assert reached.action == at_table().notation.parse(line)


@pytest.mark.parametrize(
    ("step", "typed", "line"),
    [
        ("ana:queue ana TEXT", "Moon Fox", 'queue ana "Moon Fox"'),
        ("ana:queue ana TEXT", 'Fox "Rex" #4', r'queue ana "Fox \"Rex\" #4"'),
        ("ana:permanent ana THING", "Iron Horse", "permanent ana iron-horse"),
        ("ana:permanent ana THING", "Ana’s Fox, old", "permanent ana anas-fox-old"),
        ("ana:permanent ana THING", '"Iron Rian"', "permanent ana iron-rian"),
    ],
)
def test_a_new_name_is_typed_as_people_write_it(step: str, typed: str, line: str) -> None:
    session = at_table()
    reached = answering.follow_steps(Asking.now(session), answering.append_typed_text(step, typed))
    assert reached.action is not None
    assert session.notation.format(reached.action) == session.notation.format(session.notation.parse(line))


@pytest.mark.parametrize("typed", ["iron-rian", "iron-rai2", "Iron Rian"])
def test_a_new_name_that_is_near_a_listed_one_is_asked_about_as_in_a_whole_line(typed: str) -> None:
    session = at_table()
    with pytest.raises(NotationError, match="in quotes"):
        answering.follow_steps(Asking.now(session), answering.append_typed_text("ana:permanent ana THING", typed))
    with pytest.raises(NotationError, match="could be"):
        read_line(f"permanent ana {typed.replace(' ', '-')}", session)


def test_a_button_says_what_is_done_and_then_what_it_costs() -> None:
    session = at_table()
    session.enter("set ana engines 2")
    asking = Asking.now(session)
    form = answering.opening(asking, asking.prompts[0], at_once=False)
    assert form is not None
    titles = [(button.title, button.detail) for button in form.buttons]
    assert titles[0] == ("Engine", "one a turn")
    assert ("Crank", "energy 0 + 1") in titles
    assert ("Crank 2", "energy 0 + 2") in titles
    assert titles[-1] == ("On to combat", "")
