"""Checks of each figure beside a choice of Odd Frontier, once the choice is made."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

from companion.games.oddfrontier.game import GAME
from companion.games.oddfrontier.rules import actions as do
from companion.games.oddfrontier.rules.state import FrontierTable
from companion.tabletop.action import RuleError
from companion.tabletop.game import Game
from tests.games.constructed.decks import LISTS
from tests.games.oddfrontier import match
from tests.games.promises import (
    NUMBER,
    Check,
    Kind,
    Text,
    Tried,
    becomes,
    changes,
    chosen,
    holds_now,
    is_one_of,
    is_right,
    seat_of,
    value_of,
    with_lists,
)


def random_tables(seed: int) -> Iterator[FrontierTable]:
    """The tables of a game; of every second one, somebody has brought a deck with its list."""
    for state in match.tables(seed, seed % 3 + 2):
        yield with_lists(GAME, state, {"ana": LISTS["oddfrontier"]}) if seed % 2 else state


def words(state: FrontierTable) -> Iterator[str]:
    """Return what is quoted beside choices."""
    yield from (queued.name for queued in state.queue)
    yield from (card.name for brought in state.brought.values() for card in brought.cards.values())


def _whose(text: Text) -> str:
    """The seat of a prompt."""
    assert text.prompt is not None
    state: FrontierTable = text.state
    return text.prompt.seat or state.active


def _ready(view: Any, seat: str) -> int:
    return int(value_of(view, seat, "engines")) - int(value_of(view, seat, "cranked"))  # type: ignore[arg-type]


def _has_energy(text: Text, tried: Tried, figures: Sequence[int]) -> None:
    """`1 energy, 2 Engines to crank`"""
    view, seat = tried.game.view(text.state), _whose(text)
    held = [value_of(view, seat, "energy"), _ready(view, seat)]
    assert list(figures) == held[: len(figures)], held
    assert len(figures) == 2 or not held[1] or "turn," in text.text or not _may_crank(tried, seat)


def _may_crank(tried: Tried, seat: str) -> bool:
    try:
        tried.game.apply(tried.before, do.Crank(seat))
    except RuleError:
        return False
    return True


def _engines_ready(text: Text, tried: Tried, figures: Sequence[int]) -> None:
    assert list(figures) == [_ready(tried.game.view(text.state), _whose(text))]


def _cranked(text: Text, tried: Tried, figures: Sequence[int]) -> None:
    seat = str(text.given("what"))
    energy, more = figures
    assert tried.was(seat, "energy") == energy
    assert tried.becomes(seat, "energy") == energy + more


def _keeps_or_draws_anew(text: Text, tried: Tried, figures: Sequence[int]) -> None:
    kept, drawn_cards = figures
    seat = _whose(text)
    assert tried.was(seat, "hand") == kept
    if isinstance(tried.action, do.Mulligan):
        assert tried.becomes(seat, "hand") == drawn_cards


def _discards(text: Text, tried: Tried, figures: Sequence[int]) -> None:
    due, hand, most = figures
    assert tried.was(_whose(text), "hand") == hand
    if isinstance(tried.action, do.Discard):
        assert tried.action.cards == due
        assert tried.becomes(_whose(text), "hand") == most


def _is_split(text: Text, tried: Tried, figures: Sequence[int]) -> None:  # noqa: ARG001 – as it is taken
    assert isinstance(tried.action, do.Split)
    assert not tried.refusal
    assert sum(share for _, share in tried.action.shares) == figures[0]


def _costs_energy(text: Text, tried: Tried, figures: Sequence[int]) -> None:
    """Out of the pool, with what Engines have added to it."""
    seat = seat_of(text)
    if not tried.refusal:
        assert figures[0] == tried.more(seat, "cranked") - tried.more(seat, "energy"), tried.tells


def _is_lacking(text: Text, tried: Tried, figures: Sequence[int]) -> None:
    """`the cheapest, Flare, costs 3; energy is 1, with 1 Engine to crank`"""
    view, seat = tried.game.view(text.state), seat_of(text)
    held = [value_of(view, seat, "energy"), _ready(view, seat)]
    assert list(figures[1:]) == held[: len(figures) - 1], held
    assert figures[0] > sum(figures[1:])


def _falls(counter: str) -> Check:
    """Return a check that the turn player has so much less of a counter then."""

    def check(text: Text, tried: Tried, figures: Sequence[int]) -> None:
        state: FrontierTable = text.state
        assert list(figures) == [-tried.more(state.active, counter)], tried.tells

    return check


_CREATURE: Final = ("attack", "defense")
_PLAY: Final = r"prompt (?:engine|summon|permanent|next)"
_MANY: Final = r"(?:choice|note|prompt) .*"

KINDS: Final = (
    Kind(r"choice .*\.(?:seat|target)", rf"life {NUMBER}", holds_now(chosen, "life")),
    Kind(
        r"choice .*",
        rf"{NUMBER}/{NUMBER}, damage {NUMBER}",
        holds_now(chosen, "attack", "defense", "damage"),
    ),
    Kind(r"choice (?:summon|token|permanent)\.handle", rf"{NUMBER}/{NUMBER}", becomes(chosen, *_CREATURE)),
    Kind(r"choice .*", rf"{NUMBER}/{NUMBER}", holds_now(chosen, *_CREATURE)),
    Kind(r"note block", rf"{NUMBER}/{NUMBER}", holds_now(lambda text: str(text.given("handle")), *_CREATURE)),
    Kind(r"prompt (?:block|fight|split|attack)", rf"_ {NUMBER}/{NUMBER}", is_one_of(_CREATURE)),
    Kind(r"choice (?:summon|permanent)\.handle|choice queue\.name", rf"cost {NUMBER}", _costs_energy),
    Kind(r"choice (?:uncrank|crank)\.what", rf"{NUMBER} of {NUMBER} cranked", holds_now(chosen, "cranked", "engines")),
    Kind(r"note crank", rf"energy {NUMBER} \+ {NUMBER}", _cranked),
    Kind(r"choice engine\.seat|note engine", rf"engines {NUMBER} → {NUMBER}", changes(seat_of, "engines")),
    Kind(_PLAY, rf"{NUMBER} energy(?:, {NUMBER} Engines? to crank)?", _has_energy),
    Kind(r"prompt queue", rf"\({NUMBER} ready\)", _engines_ready),
    Kind(r"prompt keep", rf"keep {NUMBER} cards?, or mulligan to {NUMBER}", _keeps_or_draws_anew),
    Kind(r"prompt discard", rf"discard {NUMBER} \({NUMBER} in hand, {NUMBER} may stay\)", _discards),
    Kind(r"prompt split", rf"split _'s {NUMBER} among", _is_split),
    Kind(r"asked split\.shares", rf"how much of {NUMBER} each blocker takes", _is_split),
    Kind(
        r"note .*|asked .*",
        rf"costs {NUMBER}; energy is {NUMBER}(?:, with {NUMBER} Engines? to crank)?",
        _is_lacking,
    ),
    Kind(r"way discard", rf"discard {NUMBER}", _falls("hand")),
    Kind(r"way next", rf"would lose {NUMBER} energy", _falls("energy")),
    Kind(r"prompt (?:first|match|deck-size)", r"3 is best of three|other than 40 cards", is_right),
)


def check_forecast(game: Game, state: FrontierTable) -> None:
    """Hold what the table says of a fight now against the fight (R3.8)."""
    said_text = [str(hint).removeprefix("Now: ") for hint in game.view(state).hints if str(hint).startswith("Now: ")]
    if said_text:
        tells = [tell.text for tell in game.apply(state, do.Fight()).tells]
        assert said_text == tells[: len(said_text)], tells
