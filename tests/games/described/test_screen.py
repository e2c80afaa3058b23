"""What a table of a described game shows and asks: reminders, questions in a sensible order, and how it goes on."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from companion.games.described import load
from companion.session.core import changes
from companion.session.core.session import Session
from companion.session.reading import line_reading
from companion.session.table import going_on
from companion.tabletop.action import RuleError
from tests.games.described import pages


def at_table(name: str, *lines: str, seats: Sequence[str] = ("ana", "ben")) -> Session:
    """A table of a ready game that has begun."""
    session = Session.new(pages.ready(name))
    for line in (*(f"seat {seat}" for seat in seats), f"first {seats[0]}", "begin seed 1", *lines):
        session.enter(line)
    return session


def hints(session: Session) -> tuple[str, ...]:
    return tuple(map(str, session.view().hints))


def test_who_holds_something_is_reminded_in_its_step() -> None:
    session = at_table("commander", "give crown ana")
    assert hints(session) == ()
    for _ in range(3):
        session.enter("next")
    assert hints(session) == ("Ana, crown: draw one more card.",)
    session.enter("next")
    assert hints(session) == ()  # Ben's turn


def test_a_token_reminds_in_its_step_if_all_play_together() -> None:
    page = """
name = "trumps"
title = "Trumps"
[play]
players = "2"
order = "together"
[[steps]]
name = "trump"
[[steps]]
name = "play"
[tokens.dealer]
start = "first"
at = "trump"
remind = "Turn up the trump."
[counters.points]
"""
    session = Session.new(load.game_from_text(page))
    for line in ("seat ana", "seat ben", "begin"):
        session.enter(line)
    assert [str(hint) for hint in session.view().hints] == ["Ana, Dealer: Turn up the trump."]
    session.enter("next")
    assert session.view().hints == ()


def test_a_figure_that_is_not_at_its_start_reminds() -> None:
    session = at_table("commander", "add ana tax 2")
    assert hints(session) == ("Ana: the commander costs its tax as well.",)
    session.enter("set ana tax 0")
    assert hints(session) == ()


def test_flags_and_words_remind() -> None:
    session = at_table("villain", "next", 'draw encounter for ana is "Long Road"', "set table mood awake")
    assert "Ana: tired: one action less." in hints(session)
    assert any(hint.startswith("The villain is awake") for hint in hints(session))


def test_a_step_says_what_is_done_with_the_real_cards() -> None:
    session = at_table("life")
    assert session.view().card_work.steps == ("Make your cards ready again, then draw a card.",)
    assert str(session.view().prompts[0].text) == "Ana: Draw. Make your cards ready again, then draw a card."
    assert str(session.view().prompts[0].answer.note) == "on: Play and attack"


def test_what_a_step_draws_is_asked_first_and_once() -> None:
    session = at_table("villain", "next")
    first, *_ = session.view().prompts
    assert (str(first.text), first.line, first.due) == ("Draw: Encounter deck", "draw encounter for ana", True)
    session.enter(first.line)
    assert session.view().prompts[0].line == "next"


def test_the_score_sheet_is_asked_in_the_steps_that_the_page_names() -> None:
    session = at_table("tricks", seats=("ana", "ben", "cy"))
    for seat in ("ben", "cy", "ana"):  # the dealer bids last
        due = [prompt for prompt in session.view().prompts if prompt.due]
        assert [(prompt.line, prompt.wants) for prompt in due] == [(f"enter {seat} bid", "N")]
        session.enter(f"enter {seat} bid 0")
    assert next(prompt.line for prompt in session.view().prompts if prompt.due) == "next"
    session.enter("next")
    assert [prompt.line for prompt in session.view().prompts if prompt.due] == ["enter ben tricks"]


def test_a_match_is_best_of_three_unless_people_agree_otherwise() -> None:
    assert str(at_table("life").view().match) == "Game 1 · best of 3 · Ana 0 – 0 Ben"
    session = Session.new(pages.ready("life"))
    for line in ("seat ana", "seat ben", "rule games one", "begin"):
        session.enter(line)
    assert session.view().match == ""


def test_what_cannot_be_paid_is_not_offered() -> None:
    session = at_table("life")

    def offered() -> set[str]:
        return {answer.action.verb() for prompt in session.view().prompts for answer in prompt.answers}

    assert "spend" not in offered()
    session.enter("set ana energy 1")
    assert "spend" in offered()


def test_going_on_leaves_out_one_turn_and_no_more() -> None:
    session = at_table("life")
    way = session.game.way_on(session.state)
    assert way is not None
    assert way.does == "Play and attack"
    assert str(way.leaves).startswith("Ana: Draw.")
    assert at_table("tricks", seats=("ana", "ben", "cy")).game.way_on(session.state) is not None
    tricks = at_table("tricks", seats=("ana", "ben", "cy"))
    assert tricks.game.way_on(tricks.state) is None  # somebody has to bid


def test_going_on_stops_at_what_the_other_side_does() -> None:
    session = at_table("villain", "next", "draw encounter for ana", "next")
    assert session.view().step == "act"
    onward = going_on.course(session)
    assert len(onward.actions) == 1
    for action in onward.actions:
        session.enter(session.notation.format(action))
    assert session.view().step == "dusk"


@pytest.mark.parametrize(
    ("game", "typed", "line"),
    [
        ("count", "ana 10", "set ana points 10"),
        ("count", "ana -3", "add ana points -3"),
        ("count", "ben +5", "add ben points +5"),
        ("commander", "ben -4", "add ben life -4"),
        ("commander", "crown ben", "crown ben"),
        ("life", "hit ben 3", "hit ana ben 3"),
        ("life", "h ben 3", "hit ana ben 3"),
        ("life", "n", "next"),
    ],
)
def test_a_short_line_is_enough(game: str, typed: str, line: str) -> None:
    session = at_table(game)
    assert [session.notation.format(action) for action in line_reading.read_line(typed, session)] == [line]


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("fight ana wolf", "`fight` belongs to Acting; the current step is Encounter."),
        ("scout ben mill", "It is Ana's turn; `turn ben` changes that."),
        ("draw nothing", "There is no “nothing” to draw from; there is: encounter."),
        ("add ana luck 1", "Ana has no figure “luck”; there is: health, resources."),
        ("put wolf beast", "“beast” is not a kind of thing here; there is: enemy, location."),
        ("begin", "`begin` belongs to the set-up, and the game has begun; `undo` leads back."),
    ],
)
def test_refusals_say_why(line: str, reason: str) -> None:
    session = at_table("villain", "next")
    with pytest.raises(RuleError) as refused:
        session.enter(line)
    assert str(refused.value) == reason


TOGETHER = """
name = "light"
title = "Light"

[play]
players = "2-4"
order = "together"

[[steps]]
name = "night"

[counters.sanity]
start = 7

[pools.fears]
at = "night"
cards = [{ name = "Whisper", does = ["add me sanity -1"] }]

[actions.search]
whose = "any"
does = ["add me sanity 1"]

[sheet]
columns = ["taken"]
counts = "points"
sum = { taken = 26 }
"""


def test_where_all_act_at_once_what_anybody_does_is_among_the_answers_and_a_draw_is_somebodys() -> None:
    game = load.game_from_text(TOGETHER)
    session = Session.new(game)
    for line in ("seat ana", "seat ben", "begin seed 1"):
        session.enter(line)
    fears, *others = session.view().prompts
    assert (fears.due, fears.line, fears.wants) == (True, "draw fears", "for SEAT")
    searches = [prompt for prompt in others if "search" in (answer.action.verb() for answer in prompt.answers)]
    # To all together, where it goes on; and to each seat, for its own phone.
    assert [prompt.seat for prompt in searches] == ["", "ana", "ben"]
    session.enter("draw fears for ana")
    assert {counter.name: counter.value for counter in session.view().seats[0].counters}["sanity"] == 6


def test_a_column_that_comes_to_something_else_is_told_before_it_counts() -> None:
    session = Session.new(load.game_from_text(TOGETHER))
    for line in ("seat ana", "seat ben", "begin seed 1", "draw fears for ana", "enter ana taken 20"):
        session.enter(line)
    step = session.game.apply(session.state, session.notation.parse("enter ben taken 7"))
    assert str(step.tells[-1].text) == "Taken: the sum is 27, but should be 26; look again."
    assert not step.state.rows


def test_titles_words_and_reminders_of_a_page_are_what_a_table_shows() -> None:
    session = Session.new(pages.load(pages.TABLES / "keys" / "looks.toml"))
    for line in ("seat ana", "seat ben", "rule rain yes", "first ana", "begin seed 1", "put wolf beast"):
        session.enter(line)
    view = session.view()
    life, *_ = (counter for counter in view.seats[0].counters if counter.name == "life")
    wounds, *_ = (counter for counter in view.seats[0].counters if counter.name == "wounds")
    assert (life.caption, life.brief_caption, life.number, life.top) == ("Life of all", "Lf", 7, 20)
    assert (life.big, life.steps, wounds.is_visible, wounds.full) == (True, (1, 5), False, "harm")
    assert [(step.name, step.title) for step in view.steps] == [("dawn", "First light")]
    assert [str(zone.title) for zone in (*view.zones, *view.seats[0].zones)] == ["To draw from", "Deep wood"]
    assert view.zones[0].things[0].title == "Bag of fate"
    assert view.sheet is not None
    assert view.sheet.written == "Tricks won"
    assert (view.count.caption if view.count else "") == "Day"
    assert "Old lamp" in view.seats[0].flags
    assert hints(session) == ("Ana, Old lamp: Light it.",)
    assert [str(tell.text) for tell in session.enter("sing ana")] == ["Ana: Sing a song. Sing it aloud."]
    session.enter("set ana wet yes")
    session.enter("add ana wounds 1")
    assert hints(session)[1:] == ("Ana: You are hurt.", "Ana: You are soaked.")
    assert "Soaked" in session.view().seats[0].flags


STEPS = """
name = "tides"
title = "Tides"
[play]
players = "2"
[[steps]]
name = "ready"
do = "Ready your cards."
[[steps]]
name = "main"
do = "Play."
[[steps]]
name = "tidy"
do = "Keep five cards."
[counters.lore]
[actions.quest]
does = ["add me lore 1"]
steps = ["main"]
"""


def test_going_on_leads_to_where_something_can_be_done() -> None:
    session = Session.new(load.game_from_text(STEPS))
    for line in ("seat ana", "seat ben", "first ana", "begin seed 1"):
        session.enter(line)
    steps = []
    for _ in range(3):
        for action in going_on.course(session).actions:
            session.enter(session.notation.format(action))
        steps.append((session.state.active, session.state.step))
    assert steps == [("ana", "main"), ("ben", "ready"), ("ben", "main")]


def test_going_on_stops_at_each_step_in_which_lines_are_possible() -> None:
    session = Session.new(load.game_from_text(f'{STEPS}\n[actions.raid]\ndoes = ["add me lore 2"]\nsteps = ["tidy"]\n'))
    for line in ("seat ana", "seat ben", "first ana", "begin seed 1"):
        session.enter(line)
    steps = []
    for _ in range(4):
        course = going_on.course(session)
        for action in course.actions:
            session.enter(session.notation.format(action))
        steps.append((session.state.active, session.state.step, str(course.decision)))
    assert steps == [
        ("ana", "main", "Ana: Main. Play."),
        ("ana", "tidy", "Ana: Tidy. Keep five cards."),
        ("ben", "ready", "Ben: Ready. Ready your cards."),
        ("ben", "main", "Ben: Main. Play."),
    ]


def test_the_end_shows_the_figure_of_0_that_decided() -> None:
    page = """
    name = "blades"
    title = "Blades"
    [counters.authority]
    start = 5
    out = "<= 0"
    [counters.trade]
    [counters.combat]
    [end]
    last-left = true
    """
    session = Session.new(load.game_from_text(page))
    for line in ("seat ana", "seat ben", "first ana", "begin seed 1", "add ana combat 1", "add ben authority -5"):
        session.enter(line)
    people = changes.tell_ending(session.game, session.moments()).people
    assert [str(figures) for _, figures in people] == ["Authority 5 · Combat 1", "Authority 0 · Combat 0"]


def test_what_a_line_can_take_besides_is_offered_too() -> None:
    page = """
    name = "scores"
    title = "Scores"
    [counters.points]
    [actions.play]
    title = "A word is laid"
    takes = "[N N2]"
    does = ["add me points N", "add me points N2"]
    [actions.hit]
    takes = "SEAT [N]"
    does = ["add SEAT points -N"]
    """
    session = Session.new(load.game_from_text(page))
    for line in ("seat ana", "seat ben", "first ana", "begin seed 1"):
        session.enter(line)
    answers = [(answer.shape, str(answer.note)) for answer in session.view().prompts[0].answers]
    assert answers[1:] == [
        ("play ana", "A word is laid"),
        ("play ana N", "A word is laid · with 1 value"),
        ("play ana N N", "A word is laid · with 2 values"),
        ("hit ana SEAT", "Hit"),
        ("hit ana SEAT N", "Hit · with 1 value"),
    ]
    for text, line in (("play", "play ana"), ("play 3", "play ana 3"), ("hit ben 2", "hit ana ben 2")):
        assert [session.notation.format(action) for action in line_reading.read_line(text, session)] == [line]
