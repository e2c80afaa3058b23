"""Checks of each figure beside a choice of Soul-Forger, once the choice is made."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from companion.games.soulforger.game import GAME
from companion.games.soulforger.rules import actions as do
from companion.games.soulforger.rules.state import Creature, SoulForgerTable
from companion.tabletop.action import Action, RuleError
from companion.tabletop.game import Game
from tests.games.constructed.decks import LISTS
from tests.games.promises import (
    NUMBER,
    Kind,
    Text,
    Tried,
    becomes,
    chosen,
    holds_now,
    is_right,
    seat_of,
    value_of,
    with_lists,
)
from tests.games.soulforger import player


def random_tables(seed: int) -> Iterator[SoulForgerTable]:
    """The tables of a game; of every second one, somebody has brought a deck with its list."""
    for state in player.tables(seed, seed % 3 + 2):
        yield with_lists(GAME, state, {"ana": LISTS["soulforger"]}) if seed % 2 else state


def words(state: SoulForgerTable) -> Iterator[str]:
    """Return what is quoted beside choices."""
    yield from (card.name for brought in state.brought.values() for card in brought.cards.values())
    yield from (item.name for item in state.flow)
    yield from (action.name for one in state.players for action in one.zone if action.name)
    yield from ("Main 1", "Main 2")


def _whose(text: Text) -> str:
    assert text.prompt is not None
    state: SoulForgerTable = text.state
    return text.prompt.seat or state.active


def _endurance(text: Text, tried: Tried, figures: Sequence[int]) -> None:
    """`damage 2 of 5`: of a player, of a creature."""
    state: SoulForgerTable = text.state
    top = next(c.top for c in tried.game.view(state).counters_of(chosen(text)) or () if c.name == "damage")
    assert list(figures) == [value_of(tried.game.view(state), chosen(text), "damage"), top]


def _power(text: Text, tried: Tried, figures: Sequence[int]) -> None:
    state: SoulForgerTable = text.state
    handle = str(text.given("attacker" if "attacker" in text.draft.given else "blocker"))
    assert list(figures) == [value_of(tried.game.view(state), handle, "power")]


def _power_by_guard(text: Text, tried: Tried, figures: Sequence[int]) -> None:
    """`4/2`: On-guard, as everything comes, or Off-guard as what it replaces was (R2.15)."""
    now, guard = tried.becomes(chosen(text), "power"), tried.becomes(chosen(text), "guard")
    assert now is None or now == figures[guard == "off"], f"it becomes {now}, {guard}-guard"


def _ronum_without_cost(text: Text, tried: Tried, figures: Sequence[int]) -> None:
    """So much Ronum is taken as things are, and no more (R2.12)."""
    for ronum, is_taken in ((figures[0], True), (figures[0] + 1, False)):
        action = do.Summon(seat_of(text), "trial-card", ronum=ronum, power=(1, 1), endurance=1)
        assert _is_taken(tried.game, text.state, action) == is_taken, f"Ronum {ronum}"


def _is_taken(game: Game, state: SoulForgerTable, action: Action) -> bool:
    """Return True where the rules take an action."""
    try:
        game.apply(state, action)
    except RuleError:
        return False
    return True


def _ronum_of_an_action(text: Text, tried: Tried, figures: Sequence[int]) -> None:
    """No Action above the level is played (R2.11)."""
    action = do.PlayAction(seat_of(text), "Trial", ronum=figures[0] + 1)
    assert not _is_taken(tried.game, text.state, action), f"Ronum {figures[0] + 1} is taken"
    assert list(figures) == [value_of(tried.game.view(text.state), seat_of(text), "level")]


def _quest(text: Text, tried: Tried, figures: Sequence[int]) -> None:
    """`send Ronum 2 for level 3; 4 XP can fill a gap`"""
    ronum, level, *xp = figures
    seat = _whose(text)
    assert tried.was(seat, "xp") == (xp[0] if xp else 0)
    if text.state.holds(text.state.player(seat)):
        sent = tried.game.view(tried.game.apply(text.state, do.Quest(seat, (ronum,))).state)
        assert value_of(sent, seat, "level") == level
        assert value_of(sent, seat, "xp") == tried.was(seat, "xp")


def _level_for_xp(text: Text, tried: Tried, figures: Sequence[int]) -> None:
    """`level 3 for 2 of 5 XP`"""
    level, price, xp = figures
    seat = _whose(text)
    bought = tried.game.view(tried.game.apply(text.state, do.Level(seat)).state)
    assert tried.was(seat, "xp") == xp
    assert value_of(bought, seat, "xp") == xp - price
    assert value_of(bought, seat, "level") == level


def _price_in_xp(text: Text, tried: Tried, figures: Sequence[int]) -> None:
    """`for 2 of 5 XP`"""
    price, xp = figures
    assert [tried.was(seat_of(text), "xp"), -tried.more(seat_of(text), "xp")] == [xp, price]


def _discards(text: Text, tried: Tried, figures: Sequence[int]) -> None:
    """`discard 2 cards, down to 8 in hand`"""
    cards, left = figures
    seat = _whose(text)
    assert [-tried.more(seat, "hand"), tried.becomes(seat, "hand")] == [cards, left]


def _hand_falls(text: Text, tried: Tried, figures: Sequence[int]) -> None:
    assert list(figures) == [-tried.more(seat_of(text), "hand")]


def _could_buy(text: Text, tried: Tried, figures: Sequence[int]) -> None:
    state: SoulForgerTable = text.state
    bought = tried.game.view(tried.game.apply(state, do.Level(state.active)).state)
    xp = value_of(bought, state.active, "xp")
    assert isinstance(xp, int)
    before = tried.was(state.active, "xp")
    assert isinstance(before, int)
    assert list(figures) == [value_of(bought, state.active, "level"), before - xp]


def _overflows(text: Text, tried: Tried, figures: Sequence[int]) -> None:
    holds_now(lambda _: _whose(text), "ronum", "level")(text, tried, figures)


def _leaves(text: Text, tried: Tried, figures: Sequence[int]) -> None:
    state: SoulForgerTable = text.state
    creature = state.cards[str(text.given("handle"))]
    assert isinstance(creature, Creature)
    lower = -tried.more(creature.owner, "ronum")
    assert list(figures) == [lower]


def _kept_xp(text: Text, tried: Tried, figures: Sequence[int]) -> None:
    assert tried.refusal or list(figures) == [tried.becomes(seat_of(text), "xp")]


def _level_now(text: Text, tried: Tried, figures: Sequence[int]) -> None:
    holds_now(lambda _: _whose(text), "level")(text, tried, figures)


KINDS: Final = (
    Kind(r"choice .*\.(?:seat|target)", rf"level {NUMBER}", holds_now(chosen, "level")),
    Kind(r"choice .*", rf"damage {NUMBER} of {NUMBER}", _endurance),
    Kind(r"choice (?:summon|forge|gear|token)\.handle", rf"ronum {NUMBER}", becomes(chosen, "ronum")),
    Kind(r"choice (?:summon|forge|gear|token)\.handle", rf"power {NUMBER}/{NUMBER}", _power_by_guard),
    Kind(r"choice (?:summon|forge|gear|token)\.handle", rf"endurance {NUMBER}", becomes(chosen, "endurance")),
    Kind(r"choice (?:summon|forge|gear|token)\.handle", rf"xp {NUMBER}", becomes(chosen, "xp")),
    Kind(r"choice (?:summon|forge|gear|token)\.handle", r"hands \d", is_right),
    Kind(r"choice action\.name", r"ronum \d|speed \w+|since turn \d+", is_right),
    Kind(r"choice .*", rf"Ronum {NUMBER}", holds_now(chosen, "ronum")),
    Kind(r"choice .*", rf"Power {NUMBER}", holds_now(chosen, "power")),
    Kind(r"choice .*\.hands", r"\d-handed", is_right),
    Kind(r"note (?:attack|block)", rf"Power {NUMBER}", _power),
    Kind(r"note summon", rf"Ronum up to {NUMBER} without a cost", _ronum_without_cost),
    Kind(r"note action", rf"an Action, Ronum up to {NUMBER}", _ronum_of_an_action),
    Kind(r"prompt (?:summon|action|forge|pay|swap|set-action)", rf"Ronum up to {NUMBER}, or go on", _level_now),
    Kind(r"prompt quest", rf"send Ronum {NUMBER} for level {NUMBER}; (?:{NUMBER}|no) XP", _quest),
    Kind(r"prompt level", rf"level {NUMBER} for {NUMBER} of {NUMBER} XP", _level_for_xp),
    Kind(r"note level", rf"for {NUMBER} of {NUMBER} XP", _price_in_xp),
    Kind(r"note quest", rf"{NUMBER} XP kept", _kept_xp),
    Kind(r"prompt discard", rf"discard {NUMBER} cards?, to {NUMBER} in hand", _discards),
    Kind(r"prompt send", rf"Ronum {NUMBER} at level {NUMBER}", _overflows),
    Kind(r"note send", rf"Ronum {NUMBER}", _leaves),
    Kind(r"prompt next", rf"level {NUMBER}:", _level_now),
    Kind(r"way discard", rf"discard {NUMBER}", _hand_falls),
    Kind(r"way next", rf"could buy level {NUMBER} for {NUMBER} XP", _could_buy),
    Kind(r"prompt (?:deck-size|begin)", r"if not 60|draws 5 cards", is_right),
    Kind(r"prompt (?:match)", r"3 is best of three", is_right),
)


def check_forecast(game: Game, state: SoulForgerTable) -> None:
    """Hold what the table says of a fight now against the fight (R2.22)."""
    for hint in game.view(state).hints:
        if str(hint).startswith("If they fight now: "):
            try:
                while state.flow:
                    state = game.apply(state, do.Resolve()).state
                tells = game.apply(state, do.Fight()).tells
            except RuleError:
                continue  # something has to be settled before
            happened = " ".join(str(tell.text) for tell in tells if not tell.by_hand)
            assert happened.startswith(str(hint).removeprefix("If they fight now: ")), happened
