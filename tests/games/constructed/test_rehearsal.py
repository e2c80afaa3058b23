"""Rehearsed duels of every game: by the rules, the same by their seed, and fair to both lists."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.games import registry
from companion.rehearsal.decks import deck_text, example_texts
from companion.rehearsal.play import rehearse_one
from companion.session.core.replay import Replay
from companion.tabletop.action import RuleError
from companion.tabletop.constructed.rehearsal import SEATS, list_name
from companion.tabletop.rehearsal import Chance, RehearsalSetting
from tests.examples import examples
from tests.games.constructed.rehearsed import LISTS, TEMPERAMENTS, a_setting, play, rehearsal_of

GAMES = tuple(LISTS)
every_game = pytest.mark.parametrize("game", GAMES)


def with_examples(game: str, *temperaments: str, rules: tuple[tuple[str, str], ...] = ()) -> RehearsalSetting:
    """The lists that come along, against each other."""
    return RehearsalSetting(game, 2, rules, temperaments or ("greedy",), decks=example_texts(registry.game(game)))


@every_game
@settings(max_examples=examples(32))
@given(seed=st.integers(0, 2**32))
def test_any_lists_are_played_by_the_rules_and_read_back(game: str, seed: int) -> None:
    duel = play(a_setting(game, seed), seed, seed)
    assert duel.lines is not None
    replay = Replay("\n".join(duel.lines) + "\n")
    for _ in replay:
        pass
    assert replay.session.state == duel.table
    assert duel.table.outcome or duel.turn_number > duel.most_turns


@every_game
def test_the_same_seed_plays_the_same_duel(game: str) -> None:
    setting = a_setting(game, 3)
    assert rehearse_one(setting, 5, 9) == rehearse_one(setting, 5, 9)
    again = msgspec.json.decode(msgspec.json.encode(setting), type=RehearsalSetting)
    assert rehearse_one(again, 5, 9) == rehearse_one(setting, 5, 9)
    assert rehearse_one(setting, 5, 10) != rehearse_one(setting, 5, 9)


NO_EFFECT = {
    "solforge": ("format", "draft"),
    "oddfrontier": ("unlimited-engines", "yes"),
    "soulforger": ("action-zones", "60"),
}


@every_game
@pytest.mark.parametrize("temperament", TEMPERAMENTS)
def test_a_rule_without_effect_changes_no_figure(game: str, temperament: str) -> None:
    plain, changed = with_examples(game, temperament), with_examples(game, temperament, rules=(NO_EFFECT[game],))
    assert [rehearse_one(changed, 2, number) for number in range(3)] == [
        rehearse_one(plain, 2, number) for number in range(3)
    ]


EFFECT = {
    "solforge": ("start-health", "60"),
    "oddfrontier": ("summoning-sickness", "yes"),
    "soulforger": ("xp-on-block", "yes"),
}


@every_game
def test_a_rule_that_takes_effect_deals_the_same_cards(game: str) -> None:
    rehearsal = rehearsal_of(game)
    decks: list[Any] = []
    for setting in (with_examples(game), with_examples(game, rules=(EFFECT[game],))):
        duel = rehearsal.begin(setting, Chance(2, 4))
        decks.append([[copy.number for copy in duel.piles[seat].deck] for seat in SEATS])
        decks.append(duel.first)
    assert decks[:2] == decks[2:]


@pytest.mark.sample(4)
@every_game
@pytest.mark.parametrize("temperament", TEMPERAMENTS)
@pytest.mark.slow
def test_equal_lists_win_equally_often(game: str, temperament: str) -> None:
    assert_equal_wins(game, temperament, games=200)


@every_game
def test_equal_lists_of_the_greedy_win_equally_often(game: str) -> None:
    assert_equal_wins(game, "greedy", games=60)


def mirror(game: str, *temperaments: str) -> RehearsalSetting:
    """The first list that comes along, against itself."""
    return msgspec.structs.replace(with_examples(game, *temperaments), decks=example_texts(registry.game(game))[:1])


def assert_equal_wins(game: str, temperament: str, games: int) -> None:
    """Within four standard errors, of the games that somebody won."""
    setting = mirror(game, temperament)
    outcomes = [rehearse_one(setting, 8, number).figures for number in range(games)]
    wins = sum(figures["win"][0] for figures in outcomes)
    decided = sum(figures["win-beginning"][1] for figures in outcomes)
    assert decided > games * 0.7
    assert abs(wins - decided / 2) < 2 * decided**0.5


@every_game
@pytest.mark.parametrize("temperament", ["greedy", "careful"])
def test_who_wants_something_beats_who_does_anything(game: str, temperament: str) -> None:
    setting = mirror(game, temperament, "random")
    wins = sum(rehearse_one(setting, 8, number).figures["win"][0] for number in range(20))
    assert wins >= 14


@every_game
def test_each_list_begins_as_often(game: str) -> None:
    rehearsal = rehearsal_of(game)
    first = [rehearsal.begin(with_examples(game), Chance(1, number)).first for number in range(6)]
    assert first == [*SEATS] * 3


@every_game
@pytest.mark.parametrize("temperament", TEMPERAMENTS)
def test_nobody_decides_by_what_they_cannot_see(game: str, temperament: str) -> None:
    """Everybody is asked again with all decks and the other hand in another order, and answers the same."""
    duel = rehearsal_of(game).begin(with_examples(game, temperament), Chance(3, 1))
    questions = 0

    class Witness:
        def __init__(self, player: Any) -> None:
            self.player = player

        def __getattr__(self, name: str) -> Any:
            answer = getattr(self.player, name)

            def twice(view: Any, *others: Any) -> Any:
                nonlocal questions
                questions += 1
                decisions = duel.decisions
                given = answer(view, *others)
                piles = {seat: ([*one.deck], [*one.hand]) for seat, one in duel.piles.items()}
                for seat, one in duel.piles.items():
                    one.deck.reverse()
                    one.hand = [] if seat != view.seat else one.hand
                duel.decisions = decisions
                assert answer(view, *others) == given, f"{name} depends on what nobody sees"
                for seat, (deck, hand) in piles.items():
                    duel.piles[seat].deck, duel.piles[seat].hand = deck, hand
                return given

            return twice

    duel.players = {seat: Witness(player) for seat, player in duel.players.items()}
    duel.play()
    assert questions > 20


@every_game
def test_the_catalogue_names_every_figure_once_and_all_are_counted(game: str) -> None:
    rehearsal = rehearsal_of(game)
    keys = [figure.key for figure in (*rehearsal.figures, *rehearsal.tables)]
    assert len(set(keys)) == len(keys)
    outcome = rehearse_one(with_examples(game, "careful"), 1, 1)
    assert set(outcome.figures) == {figure.key for figure in rehearsal.figures}
    assert set(outcome.tables) == {table.key for table in rehearsal.tables}
    assert all(numerator >= 0 for numerator, _ in outcome.figures.values())


@every_game
def test_cards_are_counted_as_they_are_played(game: str) -> None:
    duel = play(with_examples(game, "greedy", "careful"), 4)
    assert duel.tally is not None
    outcome = duel.tally.outcome(duel)
    for seat, which in zip(SEATS, ("first", "second"), strict=True):
        played = {name: number for name, (number, _) in outcome.tables[f"{which}-played"].items() if number}
        assert played == duel.tally.played[seat]
        beside = {copy.card.name for copy in rehearsal_of(game).begin(with_examples(game), Chance(4, 0)).beside[seat]}
        seen, won = outcome.tables[f"{which}-won"], duel.table.outcome == seat
        assert set(played) - beside <= set(seen)
        assert set(seen.values()) == {(float(won), 1.0)}
        opening = outcome.tables[f"{which}-opening"]
        assert opening.items() <= seen.items()
        assert 0 < len(opening) <= 7


LINES = {
    "solforge": {"creatures": "forge", "banked": "bank"},
    "oddfrontier": {"creatures": "summon", "attackers": "attack", "mulligans": "mulligan"},
    "soulforger": {"creatures": "summon", "attacks": "attack", "forged": "forge", "xp-level": "level"},
}
"""Figures whose numerator counts lines of a verb."""
LIFE: dict[str, tuple[str, int, Callable[[Any], int]]] = {
    "solforge": ("damage", 120, lambda player: player.health),
    "oddfrontier": ("list-damage", 137, lambda player: player.life),
    "soulforger": ("damage", 0, lambda player: -player.damage),
}
"""The table that says where all damage came from, and what a player begins with and has left."""


@every_game
@pytest.mark.parametrize("seed", range(4))
def test_the_lines_say_what_the_figures_count(game: str, seed: int) -> None:
    duel = play(with_examples(game, "random", TEMPERAMENTS[seed % 3]), seed, seed)
    assert duel.tally is not None
    outcome = duel.tally.outcome(duel)
    verbs = [line.partition(" ")[0] for line in duel.lines or ()]
    for figure, verb in LINES[game].items():
        assert outcome.figures[figure][0] == verbs.count(verb), figure
    table, life, left = LIFE[game]
    dealt = sum(numerator for numerator, _ in outcome.tables[table].values())
    assert dealt == sum(life - left(player) for player in duel.table.players)


@every_game
def test_lists_and_what_is_not_computed_are_told(game: str) -> None:
    remarks = " ".join(map(str, rehearsal_of(game).remarks(with_examples(game))))
    assert remarks.startswith("The first list, ")
    assert "not a legal deck" not in remarks
    assert "computed" in remarks
    short = f"{game} main\n1 Ash Wolf | creature\n"
    lone = msgspec.structs.replace(with_examples(game), decks=(deck_text(registry.game(game), "Short  one", short),))
    assert list_name(lone.decks[0]) == "Short one"
    remarks = " ".join(map(str, rehearsal_of(game).remarks(lone)))
    assert "The first list, Short one, has 1 card." in remarks
    assert "It is not a legal deck: " in remarks
    assert "Both play that list." in remarks


@every_game
@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"players": 3}, "2 people play this, not 3"),
        ({"temperaments": ("brave",)}, "no temperament “brave”"),
        ({"decks": ()}, "one or two deck lists, not none: --decks LIST,LIST"),
        ({"decks": ("", "", "")}, "one or two deck lists, not 3"),
        ({"decks": ("0 nonsense",)}, "Line 1: “0” copies of nonsense"),
        ({"rules": (("pace", "2"),)}, "no house rule “pace”"),
        ({"rules": (("track", "figures"),)}, "track"),
        ({"evenings": 3}, "do not change between evenings"),
        ({"edition": 77}, "edition 77"),
    ],
)
def test_what_cannot_be_rehearsed_is_refused(game: str, change: dict[str, Any], why: str) -> None:
    setting = msgspec.structs.replace(with_examples(game), **change)
    with pytest.raises(RuleError, match=why):
        rehearsal_of(game).check(setting)


@every_game
def test_cards_that_lines_cannot_tell_apart_are_refused(game: str) -> None:
    name, other = {
        "solforge": ("Iron Walker", "1 Iron-Walker | creature | 1/1"),
        "oddfrontier": ("Tortoise", "1 Tortoise? | creature | Beast | 1/1"),
        "soulforger": ("Ash Runner", "1 Ash-Runner | creature | ronum 1"),
    }[game]
    text = example_texts(registry.game(game))[0]
    assert f" {name} |" in text
    twice = f"{text}\n{game} main\n{other}\n"
    with pytest.raises(RuleError, match="the same word in lines"):
        rehearsal_of(game).check(msgspec.structs.replace(with_examples(game), decks=(twice,)))
