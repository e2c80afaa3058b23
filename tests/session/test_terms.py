"""What can be looked up: words of a game, and every rule that a message quotes."""

import re
from pathlib import Path

import pytest

import companion.games
from companion.games import registry
from companion.games.game import Game
from companion.session import terms

GAMES = [registry.game(name) for name in ("decknforge", "soulforger", "oddfrontier", "solforge")]
QUOTED = re.compile(r"R\d\.[IL]?\d+")


def quoted(game: Game) -> set[str]:
    """The numbers of rules in what the game's code says."""
    folder = Path(companion.games.__file__).parent / game.name
    return {number for file in folder.glob("*.py") for number in QUOTED.findall(file.read_text("utf-8"))}


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_every_rule_that_is_quoted_can_be_looked_up(game: Game) -> None:
    known = {term.rule for term in terms.of_game(game)}
    assert not {number for number in quoted(game) if number not in known}


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_every_term_says_something_in_a_sentence(game: Game) -> None:
    for term in terms.of_game(game):
        assert term.text[-1] in ".?", term


def test_a_word_is_found_however_it_is_written() -> None:
    known = terms.of_game(GAMES[0])
    for word in ("Hunter's Edge", "hunters-edge", "“hunters-edge”.", "R1.I17"):
        assert "Hunter's Edge" in [term.name for term in terms.about([word], known)]
    assert [term.name for term in terms.about(["armor=2"], terms.of_game(GAMES[3]))] == ["Armor"]
    assert terms.about(["nonsense"], known) == ()


def test_a_word_that_names_nothing_finds_what_begins_with_it() -> None:
    found = [term.name for term in terms.about(["bles"], terms.of_game(GAMES[0]))]
    assert found == ["Blessed"]
