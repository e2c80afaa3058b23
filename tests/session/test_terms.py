"""What can be looked up: words of a game, every rule and ruling that is quoted, and whatever a table shows."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import companion
import templates
from companion.games import registry
from companion.games.decknforge.book.standard import STANDARD
from companion.games.solforge.rules import keywords as solforge
from companion.games.soulforger.rules import keywords as soulforger
from companion.session.core.session import Session
from companion.session.table import terms
from companion.tabletop.action import NotationError, RuleError
from companion.tabletop.game import Game
from companion.tabletop.table.table import Counter, TableView
from tests.docs.documents import DOCS

GAMES = [registry.game(name) for name in ("decknforge", "soulforger", "oddfrontier", "solforge")]
QUOTED = re.compile(r"\b[RAV]\d\.[IL]?\d+")
TABLES = Path(__file__).parents[1] / "tables"
NO_LINES = ("table", "expect", "refuse")
"""What is no line of the log."""


def _texts() -> Iterator[Path]:
    """Everything that may quote a rule to somebody."""
    yield from Path(companion.__file__).parent.rglob("*.py")
    yield from Path(templates.__file__).parent.rglob("*.toml")
    yield from DOCS.rglob("*.md")


def test_every_rule_and_ruling_that_is_quoted_can_be_looked_up() -> None:
    vocabulary = {term.rule for game in GAMES for term in terms.game_terms(game)}
    quoted = {number for file in _texts() for number in QUOTED.findall(file.read_text("utf-8"))}
    assert len(quoted) > 250
    assert not sorted(quoted - vocabulary)


def named(view: TableView) -> Iterator[tuple[str, ...]]:
    """All that a table calls something, each with whatever else it is called."""
    yield from ((str(step.title), step.name) for step in view.steps)
    counters: list[Counter] = [*view.counters, *(each for seat in view.seats for each in seat.counters)]
    counters += [each for thing in view.things() for each in thing.counters]
    yield from ((counter.name, str(counter.caption)) for counter in counters)
    for zone in (*view.zones, *(zone for seat in view.seats for zone in seat.zones)):
        yield (str(zone.title),)
    for words in (*(seat.flags for seat in view.seats), *(thing.words for thing in view.things())):
        yield from ((str(word),) for word in words)


def tables(game: Game) -> Iterator[TableView]:
    """What was seen of the game after each line of its examples."""
    for file in sorted((TABLES / game.name).glob("*.table")):
        session = Session.new(game)
        for line in file.read_text("utf-8").splitlines():
            if line.strip() and line.split()[0] not in NO_LINES and not line.startswith("#"):
                try:
                    session.do(session.notation.parse(line.partition("#")[0].strip()))
                except (NotationError, RuleError):
                    break  # the lines of this example go on by what others of its kind say
                yield session.view()


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_whatever_a_table_shows_can_be_looked_up(game: Game) -> None:
    vocabulary = terms.game_terms(game)
    seen = {names for view in tables(game) for names in named(view)}
    assert len(seen) > 40
    assert not [names for names in sorted(seen) if not terms.look_up(names, vocabulary)]


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_every_term_says_something_in_a_sentence(game: Game) -> None:
    for term in terms.game_terms(game):
        assert str(term.text)[-1] in ".?", term


def test_a_word_is_found_however_it_is_written() -> None:
    vocabulary = terms.game_terms(GAMES[0])
    for word in ("Hunter's Edge", "hunters-edge", "“hunters-edge”.", "R1.I17"):
        assert "Hunter's Edge" in [term.name for term in terms.look_up([word], vocabulary)]
    assert [term.name for term in terms.look_up(["armor=2"], terms.game_terms(GAMES[3]))] == ["Armor"]
    assert terms.look_up(["nonsense"], vocabulary) == ()


def test_a_word_that_names_nothing_finds_what_begins_with_it() -> None:
    matches = [term.name for term in terms.look_up(["bles"], terms.game_terms(GAMES[0]))]
    assert matches == ["Blessed"]


def test_what_holds_a_word_leads_to_it() -> None:
    vocabulary = terms.game_terms(GAMES[3])
    assert [term.name for term in terms.look_up(["Armor 1 of 2"], vocabulary)] == ["Armor"]
    matches = terms.look_up(["Aggressive until the end of the turn"], vocabulary)
    assert [term.name for term in matches] == ["Aggressive", "Until the end of the turn"]


def test_one_and_many_are_the_same_word() -> None:
    vocabulary = terms.game_terms(GAMES[0])
    assert [terms.look_up([word], vocabulary)[0].name for word in ("Coppers", "minion", "labels")] == [
        "Copper",
        "Minion",
        "Label",
    ]


def test_two_things_of_one_name_are_both_told() -> None:
    matches = terms.look_up(["vampiric"], terms.game_terms(GAMES[0]))
    assert [(term.name, term.rule) for term in matches] == [("Vampiric", "R1.I09"), ("Vampiric", "R1.L12")]


@pytest.mark.parametrize(
    ("game", "names"),
    [
        (GAMES[0], (*STANDARD.inscriptions, *STANDARD.labels)),
        (GAMES[1], tuple(soulforger.KEYWORDS)),
        (GAMES[3], tuple(solforge.KEYWORDS)),
    ],
)
def test_every_keyword_label_and_inscription_has_a_term_of_its_own(game: Game, names: tuple[str, ...]) -> None:
    vocabulary = {terms.plain(term.name) for term in terms.game_terms(game)}
    assert not [name for name in names if name not in vocabulary]


def test_the_words_of_a_sentence_that_mean_something_are_found_in_its_order() -> None:
    vocabulary = terms.game_terms(GAMES[0])
    sentence = "Ana: draw 1 Blessed card for Fading (or let the program draw)"
    assert [term.name for term in terms.find_terms(sentence, vocabulary)] == ["Blessed", "Fading"]
    assert terms.find_terms("Nothing here is a word of the game", vocabulary) == ()
