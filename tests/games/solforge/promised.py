"""Checks of each figure beside a choice of SolForge, once the choice is made."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from companion.games.solforge.game import GAME
from companion.games.solforge.rules import actions as do
from companion.games.solforge.rules.keywords import KEYWORDS
from companion.games.solforge.rules.state import SolForgeTable
from companion.tabletop.game import Game
from companion.tabletop.table.table import TableView, Thing
from tests.games.constructed.decks import LISTS
from tests.games.promises import (
    NUMBER,
    Kind,
    Text,
    Tried,
    chosen,
    figure_text,
    holds_now,
    is_right,
    read,
    seat_of,
    value_of,
    with_lists,
)
from tests.games.solforge import player


def random_tables(seed: int) -> Iterator[SolForgeTable]:
    """The tables of a game; of every second one, somebody has brought a deck with its list."""
    for state in player.tables(seed):
        yield with_lists(GAME, state, {"ana": LISTS["solforge"]}) if seed % 2 else state


def words(state: SolForgeTable) -> Iterator[str]:
    """Return what is quoted beside choices: cards of lists, and what keywords do."""
    yield from (card.name for brought in state.brought.values() for card in brought.cards.values())
    yield from (str(keyword.text) for keyword in KEYWORDS.values())


def _figures_now(text: Text, tried: Tried, figures: Sequence[int]) -> None:
    """`3/4, lane 2 of Ana`"""
    holds_now(chosen, "attack", "health", "lane")(text, tried, figures)


def _things_in(view: TableView, lane: int, seats: Sequence[str]) -> list[Thing]:
    zones = [zone for seat in view.seats if seat.seat in seats for zone in seat.zones if zone.column == lane]
    return [thing for zone in zones for thing in zone.things]


def _stands_there(text: Text, tried: Tried, figures: Sequence[int]) -> None:  # noqa: ARG001 – one or two of them
    """`over Wolf 3/4; opposite: Owl 2/2`"""
    view, lane = tried.game.view(text.state), int(text.given("lane"))
    owner = str(text.draft.given.get("seat") or _owner(view, str(text.given("handle"))))
    others = [seat.seat for seat in view.seats if seat.seat != owner]
    expected = []
    for seats, empty in (([owner], "empty"), (others, "nobody")):
        things = _things_in(view, lane, seats)
        expected.append(f"{things[0].title} {things[0].brief}" if things else empty)
    own, other = expected
    assert text.text.endswith(f"{'' if own == 'empty' else 'over '}{own}; opposite: {other}"), expected


def _owner(view: TableView, handle: str) -> str:
    return next(seat.seat for seat in view.seats for zone in seat.zones for t in zone.things if t.target == handle)


def _cards_of_level(text: Text, tried: Tried, figures: Sequence[int]) -> None:
    whose = str(text.draft.given.get("seat") or text.draft.given.get("target"))
    there = value_of(tried.game.view(text.state), whose, f"level{text.given('level')}")
    assert not figures or list(figures) == [there], f"there are {there}"


def _plays_left(text: Text, tried: Tried, figures: Sequence[int]) -> None:
    assert text.prompt is not None
    assert list(figures) == [tried.was(text.prompt.seat, "plays")]


def _plays_unused(text: Text, tried: Tried, figures: Sequence[int]) -> None:
    state: SolForgeTable = text.state
    assert list(figures) == [tried.was(state.active, "plays")]


def _comes_as_listed(text: Text, tried: Tried, figures: Sequence[int]) -> None:  # noqa: ARG001 – of the level played
    """`level 1 4/5 · level 2 7/8 has armor=1`: the figures of the level at which it is played, or of the one said."""
    levels = dict(re.findall(r"level (\d) (\d+/\d+)", text.text))
    plain = re.search(r"(?:^|[|·] )(\d+/\d+)", text.text)
    level = str(getattr(tried.action, "level", None) or 1)
    expected = levels.get(level) or (plain[1] if plain and level == "1" else "")
    attack, health = (tried.becomes(str(text.given("handle")), name) for name in ("attack", "health"))
    came = f"{attack}/{health}"
    # Whoever says figures in the line may say those of another level of the card.
    assert tried.refusal or attack is None or not expected or came in (expected, *levels.values()), came


def _rank_and_turn(text: Text, tried: Tried, figures: Sequence[int]) -> None:
    assert text.prompt is not None
    holds_now(lambda _: text.prompt.seat, "rank", "turn")(text, tried, figures)  # type: ignore[union-attr]


def _moves_between(text: Text, tried: Tried, figures: Sequence[int]) -> None:  # noqa: ARG001 – one or more lanes
    """`Bear may move from lane 2 to 1, 3`"""
    handle = str(text.given("handle"))
    here, *there = [read(each) for each in re.findall(NUMBER, text.text.partition("from lane")[2])]
    assert tried.was(handle, "lane") == here
    assert tried.becomes(handle, "lane") in there


def _cards_in_deck(text: Text, tried: Tried, figures: Sequence[int]) -> None:
    assert list(figures) == [tried.was(seat_of(text), "deck")]


KINDS: Final = (
    Kind(r"choice .*\.(?:seat|target)", rf"{NUMBER} health", holds_now(chosen, "health")),
    Kind(r"choice (?:forge|place|spawn)\.handle", r"^.*\d.*$", _comes_as_listed),
    Kind(r"choice .*\.(?:handle|target)", rf"{NUMBER}/{NUMBER}, lane {NUMBER} of _", _figures_now),
    Kind(r"choice .*\.lane", r"(?:Lane|.* lane) [1-5](?:$| \| .*)", _stands_there),
    Kind(r"choice .*\.level", rf"Level [123](?: \| {NUMBER} in deck, hand and discard pile)?", _cards_of_level),
    Kind(r"choice .*\.(?:keyword|has)", r"(?:Armor|Mobility|Poison|Regenerate) \d", is_right),
    Kind(r"choice (?:forge|place|spawn)\.has", r"(?:Armor|Mobility|Poison|Regenerate) \d", is_right),
    Kind(r"prompt forge", rf"\({NUMBER} plays? left\)", _plays_left),
    Kind(r"prompt (?:next|battle)", rf"rank {NUMBER} turn {NUMBER}", _rank_and_turn),
    Kind(r"note next", rf"ends the turn, {NUMBER} plays? unused", _plays_unused),
    Kind(r"prompt move", rf"may move from lane {NUMBER} to [\d, ]+", _moves_between),
    Kind(r"prompt deck-size", rf"one of {NUMBER} cards", _cards_in_deck),
    Kind(r"way (?:next|battle)", rf"{NUMBER} plays? (?:unused|left)", _plays_unused),
    Kind(r"choice bank\.name", r"^.*\d.*$", is_right),  # what stands on the card that is put away
    Kind(r"prompt match", r"3 is best of three", is_right),
)


def check_forecast(game: Game, state: SolForgeTable) -> None:
    """Hold what the table says of the Battle now against the Battle (R4.12)."""
    before = game.view(state)
    for hint in before.hints:
        if not str(hint).startswith("In a Battle now: "):
            continue
        after = game.view(game.apply(state, do.Battle()).state)
        left = {thing.target for thing in after.things()}
        expected = [
            f"{seat.name} {_health(before, seat.seat)} → {_health(after, seat.seat)}"
            for seat in before.seats
            if _health(before, seat.seat) != _health(after, seat.seat)
        ]
        expected += [f"{thing.title} dies" for thing in before.things() if thing.target not in left]
        said_text = str(hint).removeprefix("In a Battle now: ").removesuffix(".").split(", ")
        assert sorted(said_text) == sorted(expected or ["nobody dies and no player is hurt"]), expected


def _health(view: TableView, seat: str) -> str:
    return str(figure_text(value_of(view, seat, "health"))).replace("-", "−")
