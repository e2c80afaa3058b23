"""Nothing happens at a table that nobody said: texts at random tables, and whether a fault would be noticed."""

from __future__ import annotations

from typing import Final

import pytest

from companion.games import registry
from companion.session.core.session import Session
from tests.slips.random_tables import GAMES
from tests.slips.trial import Bench
from tests.slips.try_out import ARGUABLE, try_game
from tests.slips.vocabulary import is_one_slip

LISTED: Final = tuple(
    f'lists ana "{card}"'
    for card in ("2 Wasp | creature | 4/3", "2 Iron Rain | spell", "2 Iron Grip | spell", "2 Jolt | spell")
)
LANES: Final = ("seat ana", "seat ben", *LISTED, "begin seed 1")
TACTICS: Final = (
    *("seat ana", "seat ben", "bosses ana:AS", "active ana", "begin seed 1"),
    *("reveal ana 9H", "reveal ben 3C"),
)
ENGINES: Final = ("seat ana", "seat ben", "begin seed 1", "next", "next")
ARMED: Final = (
    *("seat ana", "seat ben", "gear ana ana-sword weapon power 3/1", "gear ben ben-axe weapon power 2/1"),
    *("begin seed 1", "next", "next", "next", "token ana wolf power 2/1 endurance 1", "next"),
)
QUICK: Final = 300
"""Texts of each game in `make test`."""
WHOLE: Final = 1000


def bench(game: str, lines: tuple[str, ...]) -> Bench:
    session = Session.new(registry.game(game))
    for line in lines:
        session.enter(line)
    return Bench(session)


@pytest.mark.parametrize(
    ("game", "lines", "text", "line", "cause"),
    [
        ("solforge", LANES, "battel", 'bank ana "battel"', "a word that names nothing"),
        ("solforge", LANES, "battl", 'bank ana "battl"', "a word becomes a free text"),
        ("solforge", LANES, "cast ana", 'cast ana "ana"', "a seat becomes a free text"),
        ("solforge", LANES, "cast ir", 'cast ana "ir"', "a beginning becomes a free text"),
        ("solforge", LANES, "cast jlt", 'cast ana "jlt"', "a slip becomes a free text"),
        ("solforge", LANES, "cast ana jlt", 'cast ana "jlt"', "a slip becomes a free text"),
        ("solforge", LANES, "jolt", 'bank ana "Jolt"', "of several one was chosen"),
        ("solforge", LANES, "ir", 'cast ana "Iron Rain"', "of several one was chosen"),
        ("solforge", LANES, "b", "battle", "of several one was chosen"),
        ("solforge", LANES, "battle ben", "battle", "a word is left out"),
        ("solforge", LANES, "set none", "set table outcome none", "a figure of whom nobody named"),
        ("solforge", LANES, "no", 'note "o"', "a note that nobody wanted"),
        ("decknforge", TACTICS, "kd", "spike ana pay KD", "of several one was chosen"),
        ("decknforge", TACTICS, "spike 2h", "spike ana pay 2D", "a word is left out"),
        ("oddfrontier", ENGINES, "kindle", 'queue ana "kindle"', "a word that names nothing"),
        ("oddfrontier", ENGINES, "queue 4", 'queue ana "4"', "a word becomes a free text"),
        ("soulforger", ARMED, "set-action ana", 'set-action ana "ana"', "a seat becomes a free text"),
        ("soulforger", ARMED, "ben", "attack wolf on ben", "of several one was chosen"),
    ],
)
def test_what_nobody_meant_would_be_noticed(
    game: str, lines: tuple[str, ...], text: str, line: str, cause: str
) -> None:
    table = bench(game, lines)
    assert table.judge(text, (table.session.notation.parse(line),))[0] == cause


@pytest.mark.parametrize(
    ("game", "lines", "text", "line"),
    [
        ("solforge", LANES, "cast jo", 'cast ana "Jolt"'),
        ("solforge", LANES, 'cast "ir"', 'cast ana "ir"'),
        ("solforge", LANES, "fo 3 wa", "forge ana 3 wasp"),
        ("solforge", LANES, "3 wasp", "forge ana 3 wasp"),
        ("solforge", LANES, 'bank ana "xyz"', 'bank ana "xyz"'),
        ("solforge", LANES, "set ana health 20", "set ana health 20"),
        ("decknforge", TACTICS, "spike 2h", "spike ana pay 2H"),
        ("decknforge", TACTICS, "p", "pass ana"),
        ("decknforge", TACTICS, "note xyz", "note xyz"),
        ("oddfrontier", ENGINES, "summon ana flibber 3/4", "summon ana flibber 3/4"),
        ("soulforger", ARMED, "wolf ben", "attack wolf on ben"),
        ("soulforger", ARMED, "attack w ben", "attack wolf on ben"),
    ],
)
def test_what_was_said_is_no_fault(game: str, lines: tuple[str, ...], text: str, line: str) -> None:
    table = bench(game, lines)
    cause, _ = table.judge(text, (table.session.notation.parse(line),))
    assert cause == ""


def test_where_the_rules_refuse_all_levels_none_is_asked_for() -> None:
    table = bench("solforge", (*LANES, "set ana level2 2", "bank ana", "battle"))
    trial = table.try_text("bank")
    assert (trial.outcome, trial.cause) == ("refused", "")
    assert "has no play left (R4.5)" in trial.says


def _faults(game: str, seed: int, count: int) -> list[str]:
    """What is wrong with so many texts at random tables, a fault each."""
    faults: list[str] = []
    while count > 0:
        tried = try_game(game, seed, count, screens=0.05, each=10)
        faults += [f"{fault.cause}: {fault}" for fault in tried.faults if not fault.cause.startswith(ARGUABLE)]
        count -= tried.texts
        seed += 1
    return faults


@pytest.mark.sample(6)
@pytest.mark.parametrize("game", GAMES)
def test_nothing_happens_that_nobody_said(game: str) -> None:
    assert not _faults(game, 1, QUICK)


@pytest.mark.sample(3)
@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_nothing_happens_that_nobody_said_in_many_games(game: str) -> None:
    assert not _faults(game, 101, WHOLE)


@pytest.mark.parametrize("word", ["wlf", "wwolf", "owlf", "wolg", "wol", "wolfs"])
def test_a_slip_is_one_letter(word: str) -> None:
    assert is_one_slip(word, "wolf")
    assert not is_one_slip("wolf", "wolf")
    assert not is_one_slip(word, "hawk")
