"""A name and a number put a figure right, at every table; what else they could mean is asked."""

import pytest

from companion.games import registry
from companion.session.core.session import Session
from companion.session.reading import options
from companion.session.reading.line_reading import read_line
from companion.tabletop.action import AmbiguousLine, NotationError

FIGHT = (
    *("seat ana", 'seat ben name "Benedikt"', "seat cy", "bosses ana:AS"),
    *("active ana", "begin seed 1"),
)
DUEL = ("seat ana", "seat ben", "begin seed 5", "place ana 1 wolf 3/4", "place ben 2 wyrm 5/5")
FORGE = (
    "seat ana",
    "seat ben",
    "gear ana sword weapon power 3/1 hands 1",
    "gear ben axe weapon power 3/1 hands 1",
    "first ana",
)
FRONTIER = ("seat ana", "seat ben", "first ana", "begin")


def begun_table(game: str, lines: tuple[str, ...]) -> Session:
    session = Session.new(registry.game(game))
    for line in lines:
        session.enter(line)
    return session


def reading(session: Session, text: str) -> list[str]:
    return [session.notation.format(action) for action in read_line(text, session)]


@pytest.mark.parametrize(
    ("game", "lines", "text", "expected"),
    [
        ("decknforge", FIGHT, "boss 20", ["set boss hp 20"]),
        ("decknforge", FIGHT, "boss -7", ["add boss hp -7"]),
        ("decknforge", FIGHT, "boss −7 a trap", ["add boss hp -7", 'note "a trap"']),
        ("decknforge", FIGHT, "boss-7", ["add boss hp -7"]),
        ("decknforge", FIGHT, "BOSS +3", ["add boss hp +3"]),
        ("decknforge", FIGHT, "boss hp 20", ["set boss hp 20"]),
        ("decknforge", FIGHT, "ana 11", ["set ana hp 11"]),
        ("decknforge", FIGHT, "ana -3", ["add ana hp -3"]),
        ("decknforge", FIGHT, "ana coppers 4", ["set ana coppers 4"]),
        ("decknforge", FIGHT, "ana personal glory +4", ["add ana personal +4"]),
        ("decknforge", FIGHT, "benedikt -2", ["add ben hp -2"]),
        ("decknforge", FIGHT, "bened -2", ["add ben hp -2"]),
        ("decknforge", FIGHT, "2-7 cellar", ["add ben hp -7", 'note "cellar"']),
        ("decknforge", FIGHT, "2 - 7", ["add ben hp -7"]),
        ("decknforge", FIGHT, "0-7", ["add boss hp -7"]),
        ("solforge", DUEL, "wolf 2", ["set wolf health 2"]),
        ("solforge", DUEL, "wo 2 it was hit", ["set wolf health 2", 'note "it was hit"']),
        ("solforge", DUEL, "ben -10", ["add ben health -10"]),
        ("soulforger", (*FORGE, "begin", "next"), "ana 3", ["set ana damage 3"]),
        ("soulforger", (*FORGE, "begin"), "ana xp 3", ["set ana xp 3"]),
        ("soulforger", (*FORGE, "begin"), "sword 5", ["set sword power 5"]),
        ("oddfrontier", FRONTIER, "ben 99", ["set ben life 99"]),
    ],
)
def test_a_name_and_a_number_are_a_figure(game: str, lines: tuple[str, ...], text: str, expected: list[str]) -> None:
    assert reading(begun_table(game, lines), text) == expected


HURT = (*FORGE, "begin", "next", "next", "next", "token ana wolf power 2/1 endurance 4", "set ben damage 10")
"""Soul-Forgers in their first Main Phase; Ben has taken 10."""
LANES = (*DUEL, "set ben health 100")
ENGINES = ("seat ana", "seat ben", "first ana", "begin seed 1", "next", "next", "set ana engines 3")
BEASTS = (*ENGINES, "token ana wolf 3/4", "token ana hawk 2/2")


@pytest.mark.parametrize(
    ("game", "lines", "text", "expected"),
    [
        ("soulforger", HURT, "ben damage 3", "damage ben 3"),
        ("soulforger", HURT, "ben dam 3", "damage ben 3"),
        ("soulforger", HURT, "ben heal 3", "heal ben 3"),
        ("soulforger", HURT, "wolf damage 3", "damage wolf 3"),
        ("solforge", LANES, "ben damage 3", "damage ben 3"),
        ("solforge", LANES, "ben heal 3", "heal ben 3"),
        ("solforge", LANES, "ben 3 heal", "heal ben 3"),
        ("solforge", LANES, "wolf heal 1", "heal wolf 1"),
        ("solforge", LANES, "ben discard 1", "discard ben 1"),
        ("oddfrontier", BEASTS, "ana crank 2", "crank ana 2"),
        ("oddfrontier", BEASTS, "wolf damage 2", "damage wolf 2"),
        ("oddfrontier", BEASTS, "ana heal 3", "heal ana 3"),
    ],
)
def test_a_name_a_verb_and_a_number_are_that_verb(game: str, lines: tuple[str, ...], text: str, expected: str) -> None:
    session = begun_table(game, lines)
    assert reading(session, text) == [expected]
    assert options.explain(text, session).startswith(f"Enter: {expected}")


@pytest.mark.parametrize(
    ("game", "lines", "text", "expected"),
    [
        ("soulforger", HURT, "ana level 3", ("set ana level 3",)),
        ("soulforger", HURT, "ben damage -3", ("add ben damage -3", "damage ben 3")),
        ("oddfrontier", BEASTS, "ana engine 1", ("set ana engines 1", "engine ana")),
        ("oddfrontier", BEASTS, "ana cra 2", ("set ana cranked 2", "crank ana 2")),
        ("solforge", LANES, "ben hea 3", ("set ben health 3", "heal ben 3")),
    ],
)
def test_a_figure_that_is_called_by_a_verb_is_asked_about(
    game: str, lines: tuple[str, ...], text: str, expected: tuple[str, ...]
) -> None:
    session = begun_table(game, lines)
    with pytest.raises(AmbiguousLine) as question:
        read_line(text, session)
    assert question.value.lines == expected
    assert tuple(row.line for row in options.options(text, session).answers) == expected


@pytest.mark.parametrize(
    ("game", "lines", "text", "count"),
    [
        ("soulforger", HURT, "damage 3", 3),
        ("soulforger", HURT, "heal 3", 3),
        ("solforge", LANES, "damage 3", 4),
        ("solforge", LANES, "heal 3", 4),
        ("oddfrontier", BEASTS, "damage 3", 2),
        ("oddfrontier", BEASTS, "heal 3", 4),
    ],
)
def test_an_effect_without_its_target_is_asked_about(game: str, lines: tuple[str, ...], text: str, count: int) -> None:
    with pytest.raises(AmbiguousLine) as question:
        read_line(text, begun_table(game, lines))
    assert len(question.value.lines) == count


def test_the_beginning_of_a_figure_means_a_verb_that_begins_so_alone() -> None:
    session = begun_table("oddfrontier", (*ENGINES, "token ana en 3/4"))
    assert reading(session, "ana ene 1") == ["set ana energy 1"]
    assert reading(session, "ana eng 1") == ["set ana engines 1"]


def test_a_small_number_may_be_a_creature_or_a_count() -> None:
    with pytest.raises(AmbiguousLine) as question:
        read_line("crank 1", begun_table("oddfrontier", BEASTS))
    assert question.value.lines == ("crank wolf", "crank ana 1")
    session = begun_table("oddfrontier", (*BEASTS, "set ana cranked 3"))
    assert reading(session, "crank 1") == ["crank wolf"], "no Engine is ready"


@pytest.mark.parametrize(
    ("game", "lines"), [("decknforge", FIGHT), ("solforge", DUEL), ("soulforger", HURT), ("oddfrontier", BEASTS)]
)
@pytest.mark.parametrize("text", ["u", "un", "und", "U"])
def test_the_beginning_of_undo_is_undo(game: str, lines: tuple[str, ...], text: str) -> None:
    assert reading(begun_table(game, lines), text) == ["undo"]


@pytest.mark.parametrize(
    ("game", "lines", "text", "expected"),
    [
        ("soulforger", HURT, "ben -3", ("add ben damage -3", "add ben damage +3")),
        ("soulforger", HURT, "ben +3", ("add ben damage +3", "add ben damage -3")),
        ("soulforger", HURT, "wolf -3", ("add wolf damage +3",)),
        ("oddfrontier", BEASTS, "wolf -3", ("add wolf damage +3",)),
    ],
)
def test_a_sign_is_asked_about_where_the_figure_is_harm(
    game: str, lines: tuple[str, ...], text: str, expected: tuple[str, ...]
) -> None:
    session = begun_table(game, lines)
    with pytest.raises(AmbiguousLine, match="3 more Damage for") as question:
        read_line(text, session)
    assert question.value.lines == expected
    assert tuple(row.line for row in options.options(text, session).answers) == expected


def test_more_harm_is_no_question_where_there_is_none() -> None:
    assert reading(begun_table("soulforger", HURT), "wolf +1") == ["add wolf damage +1"]


def test_what_a_line_will_do_is_said_before_it_is_done() -> None:
    session = begun_table("decknforge", FIGHT)
    assert options.explain("ana -3", session).endswith("Ana: HP 20 → 17  ·  Enter: add ana hp -3")
    assert options.explain("add ana hp -3", session).endswith("Ana: HP 20 → 17")
    (row,) = options.options("ana -3", session).answers
    assert (row.line, row.detail) == ("add ana hp -3", "Ana: HP 20 → 17")


@pytest.mark.parametrize("text", ["ana 10", "an 10"])
def test_a_number_that_is_asked_for_is_asked_about(text: str) -> None:
    session = begun_table("decknforge", FIGHT)
    with pytest.raises(NotationError, match=r"could be `set ana hp 10` or `reveal ana 10S` or .*; say which"):
        read_line(text, session)
    rows = [row.line for row in options.options(text, session).answers]
    assert rows == ["set ana hp 10", *(f"reveal ana 10{suit}" for suit in "SHCD")]
    assert options.explain(text, session) == ""


def test_several_things_that_begin_so_are_asked_about() -> None:
    with pytest.raises(NotationError, match="could be `set wolf health 2` or `set wyrm health 2`; say which"):
        read_line("w 2", begun_table("solforge", DUEL))


@pytest.mark.parametrize("text", ["bob 3", "wolf-2 3", "wolf-2", "3", "-3"])
def test_what_names_nothing_changes_no_figure(text: str) -> None:
    session = begun_table("solforge", DUEL)
    with pytest.raises(NotationError):
        read_line(text, session)


def test_no_seat_has_a_number_beyond_the_last() -> None:
    with pytest.raises(NotationError, match="There is no seat 9"):
        read_line("9-1", begun_table("solforge", DUEL))


def test_a_name_that_ends_in_a_number_is_that_name() -> None:
    session = begun_table("solforge", ("seat ana", "seat ben", "begin seed 5", "place ana 1 wolf-2 3/4"))
    assert reading(session, "wolf-2 3") == ["set wolf-2 health 3"]
