"""What random games of a page find: nothing in a sound one, and the place of what is wrong in any other."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from companion.games.described.check import TrialFinding, play_random
from companion.games.described.game import DescribedGame
from companion.games.described.page.description import Description
from companion.session.core.session import Session
from companion.tabletop.action import RuleError
from tests.games.described import pages


def described(**keys: Any) -> DescribedGame:
    """A page with these keys, besides what each must have."""
    whole = {"name": "trial", "title": "Trial", "play": {"players": "2"}, **keys}
    return DescribedGame(msgspec.convert(whole, Description))


def findings(**keys: Any) -> dict[str, str]:
    """What random games find, by the place in the page."""
    return {finding.place: str(finding.text) for finding in play_random(described(**keys), games=12)}


@pytest.mark.sample(8)
@pytest.mark.parametrize("games", [60, pytest.param(200, marks=pytest.mark.slow)])
@pytest.mark.parametrize("name", pages.NAMES)
def test_nothing_is_wrong_with_a_ready_game(name: str, games: int) -> None:
    assert play_random(pages.ready(name), games=games) == ()


def test_the_same_seed_finds_the_same() -> None:
    keys: dict[str, Any] = {"actions": {"dig": {"costs": {"gold": 3}}}, "counters": {"gold": {"most": 2}}}
    assert play_random(described(**keys), games=10, seed=3) == play_random(described(**keys), games=10, seed=3)


LIFE: dict[str, Any] = {"life": {"start": 5}}


@pytest.mark.parametrize(
    ("keys", "place", "text"),
    [
        (
            {"counters": {"level": {"most": 9}}, "end": {"win": "level >= 10"}},
            "end",
            "None of 12 random games ended within",
        ),
        (
            {"counters": LIFE | {"doom": {"of": "table", "most": 3}}, "end": {"all-lose": ["table doom > 3"]}}
            | {"play": {"players": "2", "rounds": 3}},
            "end.all-lose[1]",
            "No random game ended by `table doom > 3`",
        ),
        (
            {"counters": {"life": {"start": 30, "most": 20}}},
            "counters.life",
            "It reached 30, outside its range, 0 to 20.",
        ),
        (
            {"counters": {"gold": {"most": 2}}, "actions": {"dig": {"costs": {"gold": 3}}}},
            "actions.dig",
            "Mostly: Ana has Gold",
        ),
        (
            {"tokens": {"crown": {}}, "actions": {"bow": {"when": ["me has crown"], "does": ["give crown me"]}}},
            "actions.bow",
            "It failed in all",
        ),
        (
            {"counters": LIFE, "actions": {"hit": {"does": ["add me wounds 1"]}}},
            "actions.hit",
            "Ana has no figure “wounds”; there is: life.",
        ),
        ({"counters": LIFE, "actions": {"hit": {"does": ["enter me bid 1"]}}}, "actions.hit.does[1]", "“enter” is no"),
        (
            {"counters": LIFE, "actions": {"hit": {"does": ["add me life 1", "fly away"]}}},
            "actions.hit.does[2]",
            "`fly away` is not possible",
        ),
        (
            {"counters": LIFE, "actions": {"hit": {"does": ["begin"]}}},
            "actions.hit.does[1]",
            "A page's own line cannot do `begin`.",
        ),
        (
            {"counters": {"up": {"also": {"down": 1}}, "down": {"also": {"up": 1}}}}
            | {"actions": {"hit": {"does": ["add me up 1"]}}},
            "actions.hit.does[1]",
            "RecursionError",
        ),
        ({"counters": LIFE, "end": {"all-win": ["table sun >= 3"]}}, "end.all-win[1]", "no counter “sun”"),
        (
            {
                "counters": LIFE,
                "steps": [{"name": "dawn", "of": "round"}],
                "play": {"players": "2", "order": "together"},
            }
            | {"actions": {"hit": {"steps": ["noon"]}}},
            "actions.hit",
            "It could never be tried",
        ),
        ({"pools": {"bag": {"refill": False}}}, "pools.bag", "Nothing was ever drawn from it."),
        (
            {"house": {"hard": {"ask": "Hard?", "values": {"no": {}, "yes": {"counters.sun.least": "many"}}}}},
            "house.hard.values.yes",
            "ValidationError",
        ),
    ],
)
def test_what_is_wrong_is_found_by_its_place(keys: dict[str, Any], place: str, text: str) -> None:
    by_place = findings(**keys)
    assert place in by_place, by_place
    assert text in by_place[place]


RARE: dict[str, Any] = {
    "counters": {"prizes": {"start": 6}, "hp": {"of": "beast", "start": 60, "most": 400}}
    | {"damage": {"of": "beast", "most": 400}},
    "flags": {"poisoned": {"of": "beast"}},
    "things": {"beast": {"of": "seat"}},
    "actions": {
        "play": {"takes": "TEXT", "does": ["put TEXT beast of me"]},
        "poison": {"takes": "THING", "does": ["set THING poisoned yes"]},
        "venom-fells": {"takes": "THING", "when": ["THING poisoned = yes", "THING.damage >= THING.hp - 10"]}
        | {"does": ["remove THING", "add me prizes -1"]},
    },
    "play": {"players": "2", "rounds": 3},
}
"""A line for what only players enter by hand, such as damage, and only seldom so much of it."""


def test_a_line_is_not_reported_because_random_players_hardly_ever_come_to_it() -> None:
    assert findings(**RARE) == {}


def test_a_line_that_no_figures_allow_is_reported() -> None:
    rare = {**RARE, "counters": {**RARE["counters"], "damage": {"of": "beast", "most": 40}}}
    rare["counters"]["hp"] = {"of": "beast", "start": 60, "least": 60, "most": 60}
    assert list(findings(**rare)) == ["actions.venom-fells"]


def test_a_page_that_breaks_hurts_no_evening() -> None:
    keys: dict[str, Any] = {"counters": LIFE, "actions": {"hit": {"does": ["add me life 1", "fly away"]}}}
    session = Session.new(described(**keys))
    for line in ("seat ana", "seat ben", "begin"):
        session.enter(line)
    with pytest.raises(RuleError, match=r"The page is wrong at `actions\.hit\.does\[2\]`: `fly away` is not possible"):
        session.enter("hit ana")
    assert session.counters_of("ana")
    session.enter("next")
    assert session.state.active == "ben"


def test_findings_name_the_place_first() -> None:
    assert TrialFinding("end", "Nobody wins.")._fields == ("place", "text")
