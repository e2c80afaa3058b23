"""Short lines of a described game: listed names, what a line lacks, and figures of the score sheet."""

from __future__ import annotations

import pytest

from companion.games.described import load
from companion.plain.talk import Talk
from companion.session.core.session import Session
from companion.session.reading.line_reading import read_line
from companion.session.reading.options import options
from companion.session.table.shared_session import SharedSession
from companion.session.table.table_client import TableClient
from companion.tabletop.action import AmbiguousLine, NotationError

BEASTS = """
name = "pups"
title = "Pups and ponds"

[play]
players = "2"

[counters.hp]
of = "beast"
start = 60

[counters.speed]
of = "beast"
ask-at = "draw"
reset = "round"

[counters.mood]
of = "beast"
words = ["calm", "wild"]
hidden = true

[[steps]]
name = "draw"
of = "round"

[[steps]]
name = "main"

[things.beast]
zone = "bench"
list = [
    { name = "Emberpup", figures = { hp = 70 } },
    { name = "Blazehound", figures = { hp = 120 }, text = "Stage 1 of Emberpup." },
    { name = "Tidefin" },
    { name = "Mossling" },
]

[things.pond]
of = "table"
zone = "ground"
list = [{ name = "Deep Pond" }]

[zones.active]
lanes = 1

[zones.bench]
lanes = 3

[zones.ground]
of = "table"
lanes = 1

[actions.lead]
title = "Bring a beast to the front, where it fights for you, and later attacks one of the others"
takes = "THING"
whose = "any"
when = ["me has THING", "THING in bench", "me active = 0"]
does = ["move THING zone active"]

[actions.evolve]
takes = "THING TEXT"
when = ["me has THING"]
steps = ["main"]
does = ["become THING TEXT"]

[actions.flood]
takes = "TEXT"
when = ["table ground = 0"]
steps = ["main"]
does = ["put TEXT pond"]

[actions.hit]
takes = "THING THING2 N"
when = ["me has THING", "THING in active", "me has not THING2", "N < THING2.hp"]
steps = ["main"]
does = ["add THING2 hp -N"]
"""

SHEET = """
name = "bids-and-bonus"
title = "Bids and bonus"

[play]
players = "2-3"
order = "together"
rounds = 12

[[steps]]
name = "bid"

[[steps]]
name = "score"

[counters.points]
least = "none"

[sheet]
columns = ["bid", "tricks", "bonus"]
at = { bid = "bid", tricks = "score", bonus = "score" }
limit = { tricks = "tricks <= 12" }

[[sheet.points]]
points = "tricks - bid + bonus"
"""
DECK = """
name = "nights"
title = "Nights"

[play]
players = "2"

[counters.oil]
start = 5

[pools.night]
title = "Night deck"
drawn = "cards"
cards = [{ name = "Quiet", copies = 2 }, { name = "Gust", does = ["add each oil -1"] }, { name = "Deep dark" }]
"""
SEATS = ('seat ana name "Ana"', 'seat ben name "Ben"')
BOTH = ("put emberpup beast of ana", "put tidefin beast of ben", "set emberpup speed 1", "set tidefin speed 2")
FRONT = (*BOTH, "move emberpup zone active", "move tidefin zone active", "next")
BIDS = ("enter ana bid 1", "enter ben bid 2", "next")
ROUND = (*BIDS, "enter ana tricks 1", "enter ben tricks 2", "enter ana bonus 0", "enter ben bonus 0", "next")


def table_before(page: str, *lines: str) -> Session:
    """A table of two after its set-up and some lines."""
    session = Session.new(load.game_from_text(page))
    for line in (*SEATS, "begin seed 1", *lines):
        session.enter(line)
    return session


def read(session: Session, text: str) -> list[str]:
    """The lines that a text stands for."""
    return [session.notation.format(action) for action in read_line(text, session)]


def error_of(session: Session, text: str) -> str:
    """Why a text is no line."""
    with pytest.raises(NotationError) as error:
        read_line(text, session)
    return str(error.value)


def ways(session: Session, text: str) -> tuple[str, ...]:
    """The lines that a text may stand for."""
    with pytest.raises(AmbiguousLine) as error:
        read_line(text, session)
    return tuple(error.value.lines)


def heard(session: Session, *typed: str) -> list[str]:
    """Return what plain lines say of the last of some inputs."""
    output: list[str] = []
    talk = Talk(TableClient(SharedSession(session)), output.append)
    for text in typed:
        output.clear()
        talk.hear(text)
    return output


# Names of lists


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("put emberpup", "put emberpup beast"),
        ("put ember", "put emberpup beast"),
        ("put deep", "put deep-pond pond"),
        ("put emberpup of ben", "put emberpup beast of ben"),
        ("put emberpup pond", "put emberpup pond"),
        ("put fox beast", "put fox beast"),
    ],
)
def test_a_listed_thing_comes_as_the_kind_that_lists_it(text: str, line: str) -> None:
    assert read(table_before(BEASTS, "next"), text) == [line]


def test_a_new_name_may_be_of_any_kind() -> None:
    assert ways(table_before(BEASTS, "next"), "put fox") == ("put fox beast", "put fox pond")


def test_a_listed_thing_without_room_is_never_of_another_kind() -> None:
    full = table_before(BEASTS, "next", *(f"put pup-{number} beast of ana" for number in range(3)))
    assert read(full, "put emberpup") == ["put emberpup beast"]


def test_behind_a_listed_name_only_its_kind_is_offered() -> None:
    session = table_before(BEASTS)
    assert [row.name for row in options("put emberpup ", session).answers] == ["beast"]
    assert [row.name for row in options("put fox ", session).answers] == ["beast", "pond"]


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("evolve ember blazehound", 'evolve ana emberpup "Blazehound"'),
        ("evolve ember blaze", 'evolve ana emberpup "Blazehound"'),
        ("evolve emberpup Blazehound", 'evolve ana emberpup "Blazehound"'),
        ("evolve blaze", 'evolve ana emberpup "Blazehound"'),
        ('evolve ember "Old Dog"', 'evolve ana emberpup "Old Dog"'),
        ("flood deep", 'flood ana "Deep Pond"'),
        ("become tide moss", 'become tidefin "Mossling"'),
    ],
)
def test_a_text_that_becomes_a_name_is_a_name_of_the_list(text: str, line: str) -> None:
    assert read(table_before(BEASTS, *FRONT), text) == [line]


@pytest.mark.parametrize("text", ["evolve ember", "evolve emberpup", "evolve", "evolve ana emberpup"])
def test_where_only_the_name_is_missing_the_names_are_the_choices(text: str) -> None:
    lines = [f'evolve ana emberpup "{name}"' for name in ("Blazehound", "Tidefin", "Mossling")]
    session = table_before(BEASTS, *FRONT)
    assert list(ways(session, text)) == lines
    assert [row.line for row in options(f"{text} ", session).answers] in (lines, ["evolve ana"])
    assert heard(session, text)[0] == "evolve ana emberpup: text (TEXT)?"


def test_a_text_that_is_begun_is_completed_behind_a_short_line() -> None:
    session = table_before(BEASTS, *FRONT)
    assert [row.line for row in options("evolve ember bl", session).answers] == ['evolve ana emberpup "Blazehound"']
    assert [row.line for row in options("become ember bl", session).answers] == ['become emberpup "Blazehound"']


# Words of things


def table_of_twins() -> Session:
    """A table with two things of a name, of which one has a flag."""
    flagged = f'{BEASTS}\n[flags.elite]\nof = "beast"\n[flags.weak]\nof = "beast"\n'
    twins = ("put tidefin-1 beast of ben", "put tidefin-2 beast of ben", "set tidefin-2 elite yes")
    return table_before(flagged, *FRONT, *twins, "remove tidefin")


def check_twins(rows: list[str]) -> None:
    """Check that the flag stands in every row of the thing that has it, and in no other."""
    twins = [row for row in rows if "tidefin-2" in row]
    assert twins
    assert all(("Elite" in row) == (row in twins) for row in rows)
    assert not any("Weak" in row for row in rows)


@pytest.mark.parametrize("text", ["hit ana emberpup ", "set ", "add ", "remove ", "move ", "hit tide 5"])
def test_things_of_a_name_are_listed_with_their_flags(text: str) -> None:
    check_twins([f"{row.name}: {row.detail}" for row in options(text, table_of_twins()).answers])


@pytest.mark.parametrize("typed", [("set",), ("move",), ("hit tide 5",), ("4",), ("list", "7", "1")])
def test_things_of_a_name_are_said_with_their_flags(typed: tuple[str, ...]) -> None:
    check_twins(heard(table_of_twins(), *typed))


# What a line lacks


def test_the_number_of_a_short_line_is_asked_for() -> None:
    session = table_before(BEASTS, *FRONT)
    assert error_of(session, "hit tide") == "N is missing. Usage: hit SEAT THING THING N"
    assert heard(session, "hit tide")[0] == "hit ana emberpup tidefin: how many (N)?"
    assert heard(session, "hit tide", "5")[0] == "Ana: Hit (Emberpup, Tidefin, 5)."
    assert heard(session, "hit")[0] == "hit ana emberpup tidefin: how many (N)?"


@pytest.mark.parametrize("verb", ["hit", "hi", "h"])
@pytest.mark.parametrize("rest", ["tide 5", "ana tide 5", "ember tide 5"])
def test_a_begun_verb_may_leave_out_what_the_whole_one_may(verb: str, rest: str) -> None:
    assert read(table_before(BEASTS, *FRONT), f"{verb} {rest}") == ["hit ana emberpup tidefin 5"]


def test_what_a_begun_verb_leaves_open_is_asked_about() -> None:
    session = table_before(BEASTS, *FRONT, "put mossling beast of ben")
    assert ways(session, "hi 5") == ("hit ana emberpup tidefin 5", "hit ana emberpup mossling 5")
    assert "nobody counts “h”" in error_of(session, "h 5")
    assert heard(session, "hi tide")[0] == "hit ana emberpup tidefin: how many (N)?"
    assert heard(session, "hi tide", "5")[0] == "Ana: Hit (Emberpup, Tidefin, 5)."


@pytest.mark.parametrize("name", ["goblin", "go-between"])
def test_going_on_is_not_the_beginning_of_a_name(name: str) -> None:
    session = table_before(BEASTS, *FRONT, f"put {name} beast of ben")
    assert heard(session, "go")[0] == "Ben's turn."


def test_what_is_not_in_play_is_said() -> None:
    session = table_before(BEASTS, *BOTH)
    why = error_of(session, "lead mossling")
    assert "Nothing called “mossling” is in play" in why
    assert "one word too many" not in why
    assert "one word too many" in error_of(session, "lead ember 5")


@pytest.mark.parametrize("order", ["turns", "together"])
@pytest.mark.parametrize("text", ["draw night", "draw", "draw night for ana"])
def test_the_cards_that_are_left_are_listed_where_one_was_drawn(text: str, order: str) -> None:
    together = order == "together"
    page = DECK.replace('players = "2"', 'players = "2"\norder = "together"') if together else DECK
    session = table_before(page, 'draw night for ben is "Gust"')
    question, *rows = heard(session, text)
    if together and "for" not in text:
        assert question == "draw night: which one (is TEXT)?"
    else:
        assert question == "draw night for ana: which one (is TEXT)?"
    assert rows == ['1. "Quiet"', '2. "Deep dark"', "Type which one."]
    assert "Deep dark" in heard(session, text, "2")[0]
    assert heard(session, text)[1:] == ['1. "Quiet"', "Type which one."]


def test_the_thing_that_a_begun_line_lacks_is_asked_for() -> None:
    session = table_before(BEASTS, *FRONT, "put mossling beast of ben")
    for text in ("hit ana", "hit"):
        question, *rows = heard(session, text)
        assert question == "hit ana emberpup: which other thing (THING)?"
        assert len(rows) == 2


# How changes are said


TEAMS = """
name = "plural"
title = "Plural"

[play]
players = "4"
teams = 2
team-titles = ["Dragons", "Moon"]

[counters.hp]
start = 5

[[steps]]
name = "act"
title = "Turn"
"""


@pytest.mark.parametrize("line", ["won dragons", "set table outcome team-1"])
def test_an_outcome_is_said_by_the_name_of_the_team(line: str) -> None:
    output: list[str] = []
    talk = Talk(TableClient(SharedSession(table_of_teams())), output.append)
    for typed in (line, "yes", "look"):
        talk.hear(typed)
    text = " ".join(output)
    assert "The win would go to Dragons." in text
    assert "The win goes to Dragons." in text
    assert not any(words in text for words in ("team-1", "none to", "Dragons has", "Dragons wins"))


def table_of_teams() -> Session:
    """A table of four in two teams, one of which has a name in the plural."""
    session = Session.new(load.game_from_text(TEAMS))
    for line in (*SEATS, "seat cy", "seat dee", "begin seed 1"):
        session.enter(line)
    return session


def test_a_correction_is_taken_back_in_the_words_of_the_log() -> None:
    session = table_before(BEASTS, *FRONT, "track luck ana")
    text = heard(session, "ana luck 4")[0].rstrip(".")
    assert heard(session, "undo")[0] == f"Taken back: {text}."
    assert heard(session, "redo")[0] == f"Done again: {text}."
    assert heard(session, "set tidefin hp 7")[0] == "Tidefin: Hp 60 to 7, by hand."
    assert heard(session, "undo")[0] == "Taken back: Tidefin: Hp 60 to 7, by hand."


# The only way


@pytest.mark.parametrize("text", ["lead", "lead ana", "", "lead ana emberpup"])
def test_what_can_be_only_one_thing_is_done_without_a_question(text: str) -> None:
    session = table_before(BEASTS, *BOTH, "move tidefin zone active", "next")
    (row,) = (row for row in heard(session, "list") if "lead ana emberpup: Bring a beast" in row)
    assert "Emberpup goes: Active" in " ".join(heard(session, text or row.partition(".")[0]))


def test_the_whole_title_of_a_line_is_said() -> None:
    rows = heard(table_before(BEASTS, *BOTH, "next"), "list")
    assert any(row.endswith("fights for you, and later attacks one of the others") for row in rows)
    assert not any("and so on" in row for row in rows)


# Figures


def test_the_open_figure_of_a_seat_is_offered_first() -> None:
    session = table_before(SHEET, *ROUND, *BIDS)
    assert ways(session, "ana 3")[:2] == ("enter ana tricks 3", "set ana points 3")
    assert ways(session, "ben 3")[:2] == ("enter ben tricks 3", "set ben points 3")
    assert [row.name for row in options("ben 3", session).answers][:2] == ["enter ben tricks 3", "set ben points 3"]
    assert ways(session, "ana 1") == ("enter ana tricks 1", "set ana points 1", "enter ana bid 1"), "not 10, 11 or 12"


@pytest.mark.parametrize("behind", ["", " round 1", " anyway", " round 1 anyway"])
@pytest.mark.parametrize("lines", [(), BIDS, (*BIDS, "enter ana tricks 1")])
def test_a_column_of_an_earlier_round_needs_no_verb(behind: str, lines: tuple[str, ...]) -> None:
    session = table_before(SHEET, *ROUND, *lines)
    for text in (f"ana tricks 2{behind}", f"tricks ana 2{behind}", f"Ana Tricks 2{behind}"):
        if behind or lines:
            assert read(session, text) == [f"enter ana tricks 2{behind}"]


def test_a_number_for_the_figure_of_a_thing_is_that_figure() -> None:
    session = table_before(BEASTS, *BOTH[:2])
    rows = heard(session, "again")
    assert rows[:2] == ["Emberpup: Speed? Type the number, or a letter:", "a. set emberpup speed VALUE"]
    assert heard(session, "7")[0] == "Emberpup: Speed 0 to 7, by hand."
    assert heard(session, "again")[0] == "Tidefin: Speed? Type the number, or a letter:"
