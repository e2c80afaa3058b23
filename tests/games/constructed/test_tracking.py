"""Tables that track figures alone: nothing is refused for what nobody tracks, and nothing is made up afterwards."""

import re
from collections.abc import Iterator
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.games import registry
from companion.session.core.session import Session
from companion.tabletop.action import NotationError, RuleError
from companion.tabletop.table.choices import Open
from companion.tabletop.table.table import TableView
from tests.games.at_random import answered, number

LINES = {
    "soulforger": (
        "discard ana 20",
        "draw ben 50",
        "quest ana 2 3",
        "quest ben 1",
        "pay ana ronum 4 with 4",
        "set-action ana",
        "set-action ben",
        'action ana "Flare" ronum 1 faction fire',
        "resolve",
        "fight",
    ),
    "oddfrontier": (
        "discard ana 20",
        "draw ben 50 by-effect",
        "engine ana",
        "engine ben",
        'queue ana "Flare" magic',
        "resolve",
        "fight",
    ),
    "solforge": (
        "discard ana 20",
        "draw ben 50",
        'cast ana "Spark"',
        'cast ben "Spark" level 3',
        'bank ana "Spark" level 2',
        "banish ben 4 level 3 from discard",
        "battle",
    ),
}
"""By the game, lines for which an empty hand, an unknown pile or another phase would be in the way."""

PHASES = {"soulforger": "phase", "oddfrontier": "phase", "solforge": ""}
CARDS = {
    "soulforger": {"hand", "deck", "graveyard", "material"},
    "oddfrontier": {"hand", "archive", "graveyard", "banished"},
    "solforge": {"plays", "hand", "deck", "discard", "removed", "level1", "level2", "level3"},
}
OF_CARDS = re.compile(
    r"\b(hand|holds \d+ card|deck|discard pile|archive|in the Material Zone|no play left|belongs to the phase"
    r"|Permanents are played|belongs to combat|must discard|has not been said)\b",
    re.IGNORECASE,
)
"""What a refusal speaks of that looks at cards or phases."""


def table(game: str, *lines: str) -> Session:
    session = Session.new(registry.game(game))
    for line in ("seat ana", "seat ben", *lines):
        session.enter(line)
    return session


def less(game: str) -> Session:
    return table(game, "rule track figures", "begin seed 1")


def random_value(chance: Random, field: str, options: Open) -> object:  # noqa: ARG001 – as people answer
    return number(chance, options, 5) if isinstance(options.example, int) else options.example


def refusals(
    session: Session, chance: Random, lines: tuple[str, ...], count: int, answers: float = 0.5
) -> Iterator[str]:
    """Why lines were refused, of a game in which people answer what is asked so often, and else say other things."""
    for _ in range(count):
        if session.view().outcome:
            return
        try:
            is_answer = chance.random() < answers
            line = answered(session, chance, random_value, 0.5) if is_answer else chance.choice((*lines, "next"))
            session.enter(line)
        except (RuleError, NotationError) as error:
            yield f"{line}: {error}"


def figures(view: TableView) -> set[str]:
    return {counter.name for seat in view.seats for counter in seat.counters}


@pytest.mark.parametrize("game", LINES)
@given(seed=st.integers(0, 1000))
def test_nothing_is_refused_for_what_nobody_tracks(game: str, seed: int) -> None:
    for why in refusals(less(game), Random(seed), LINES[game], 25):
        assert not OF_CARDS.search(why.partition(":")[2]), why


@pytest.mark.parametrize("game", LINES)
@given(seed=st.integers(0, 1000))
def test_next_ends_a_turn_in_which_nothing_is_open(game: str, seed: int) -> None:
    session, chance = less(game), Random(seed)
    for _ in range(chance.randint(1, 6)):
        before = session.counters_of("table")
        session.enter("next")
        assert session.counters_of("table") != before
        turn = next(each.number for each in session.counters_of("table") or () if each.name == "turn")
        assert turn == len([line for line in session.log.lines if line.text == "next"]) + 1


@pytest.mark.parametrize("game", LINES)
def test_what_nobody_tracks_is_not_on_screen(game: str) -> None:
    all_of_it, less_of_it = table(game, *gear(game), "begin seed 1").view(), less(game).view()
    assert not CARDS[game] & figures(table(game, "rule track figures").view())
    assert CARDS[game] <= figures(all_of_it)
    assert not CARDS[game] & figures(less_of_it)
    assert all_of_it.steps
    assert not less_of_it.steps


def gear(game: str) -> tuple[str, ...]:
    weapons = (f"gear {seat} {seat}-blade weapon power 1/1 hands 1" for seat in ("ana", "ben"))
    return tuple(weapons) if game == "soulforger" else ()


@pytest.mark.parametrize("game", LINES)
@given(seed=st.integers(0, 1000))
def test_what_was_not_tracked_is_unknown_until_somebody_says(game: str, seed: int) -> None:
    session, chance = less(game), Random(seed)
    for _ in refusals(session, chance, LINES[game], 8):
        pass
    if session.state.together:
        session.enter("done")
    if session.view().outcome:
        return
    session.enter("rule track all")
    for seat in session.view().seats:
        assert {each.text for each in seat.counters if each.name in CARDS[game]} == {"none"}
    asked_first = [prompt for prompt in session.view().prompts if "what is it now?" in prompt.text]
    assert [prompt.seat for prompt in asked_first] == ["ana", "ben"]
    for name in ("ana", "ben"):
        for figure in sorted(CARDS[game]):
            session.enter(f"set {name} {figure} 4")
            assert {each.text for each in session.counters_of(name) or () if each.name == figure} == {"4"}
    assert not [prompt for prompt in session.view().prompts if "what is it now?" in prompt.text]


@pytest.mark.parametrize("game", LINES)
def test_undo_and_amend_go_across_the_change(game: str) -> None:
    session = table(game, *gear(game), "begin seed 1", "rule track figures", "next")
    before = session.state
    session.enter("rule track all")
    session.enter("undo")
    assert session.state == before
    number_of_change = next(line.number for line in session.log.lines if line.text == "rule track figures")
    session.enter(f"amend {number_of_change} note less")
    assert session.view().rules == ()
    assert CARDS[game] <= figures(session.view())


@pytest.mark.parametrize("game", LINES)
def test_the_change_is_offered_during_the_game(game: str) -> None:
    session = table(game, *gear(game), "begin seed 1")
    assert [prompt.line for prompt in session.view().later] == ["rule track figures"]
    session.enter("rule track figures")
    assert [prompt.line for prompt in session.view().later] == ["rule track all"]
    with pytest.raises(RuleError, match="belongs to the set-up"):
        session.enter("rule deck-out lose" if game != "solforge" else "rule start-health 9")


FIGHT = (
    *("dodge ana 9", "dodge ben 1", "reveal ana 9S", "reveal ben KH", "damage 4", "damage 30 by ana", "refill"),
    *("convert ana", "hold ana 5C", "label ana tough draw", "bonus surge", "take ana", "damage"),
)
OF_HANDS = re.compile(r"in hand|hand is empty|deck was empty|must still reveal|skips this Plot")


@given(seed=st.integers(0, 1000))
def test_a_fight_alone_is_refused_nothing_for_hands_and_decks(seed: int) -> None:
    session = table("decknforge", "rule track fight", "bosses ana:AS", "begin seed 1")
    chance = Random(seed)
    for why in refusals(session, chance, (*FIGHT, "next"), 30, answers=0.0):
        assert not OF_HANDS.search(why.partition(":")[2]), why
    assert not {"hand", "deck"} & figures(session.view())
