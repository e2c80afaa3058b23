"""Checks of each figure beside a choice of a game on a page, once the choice is made."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final

from companion.games.described.game import DescribedGame
from companion.games.described.page.actions import field_of
from companion.games.described.rules.amounts import hand_of
from companion.games.described.rules.state import DescribedTable
from tests.games.described import player
from tests.games.promises import NUMBER, Kind, Text, Tried, chosen, figure_text, is_right, with_lists

_MOST: Final = 150
"""Tables of a game that are looked at: some games go on until somebody ends them."""


def random_tables(rules: DescribedGame, seed: int) -> Iterator[DescribedTable]:
    """The tables of a game; of every second one, somebody has brought cards with figures on them."""
    listed = _list_of(rules)
    for _, state in zip(range(_MOST), player.tables(rules, seed), strict=False):
        yield with_lists(rules, state, {"ana": listed}) if seed % 2 and listed else state


def _list_of(rules: DescribedGame) -> str:
    """Cards with the figures that such things have, the words of the figures in turn with the figures alone."""
    plan = rules.plan(rules.new())
    kinds = [[*plan.given[kind]] for kind in plan.page.things if plan.given[kind]]
    if not kinds:
        return ""
    named = " | ".join(f"{figure} {at + 2}" for at, figure in enumerate(kinds[0]))
    slashed = "/".join(str(at + 3) for at in range(len(kinds[0])))
    cards = [f"2 Ash Wolf | {named}"] + ([f"2 Bog Heron | {slashed}"] if len(kinds[0]) > 1 else [])
    return "\n".join((f"{rules.name} main", *cards))


def words(rules: DescribedGame) -> Callable[[DescribedTable], Iterator[str]]:
    """Return what is quoted beside choices: all that the page itself says of its lines, steps and things."""

    def quoted(state: DescribedTable) -> Iterator[str]:
        page = rules.plan(state).page
        yield from (str(action.title) for action in page.actions.values() if action.title)
        yield from (str(step.do) for step in page.steps if step.do)
        yield from (str(each.text) for thing in page.things.values() for each in thing.list if each.text)
        yield from (each.name for thing in page.things.values() for each in thing.list)

    return quoted


def _costs(text: Text, tried: Tried, figures: Sequence[int]) -> None:  # noqa: ARG001 – by their titles
    """`costs Coins 2, Life 1`: so much less, unless the line gives some of it back."""
    rules: Any = tried.game
    action: Any = tried.action
    seat = str(getattr(action, "seat", "") or text.state.active)
    plan = rules.plan(text.state)
    for name, price in action.own.costs.items():
        given_back = any(re.search(rf"\b{name}\b", line) for line in action.own.does)
        if isinstance(price, int) and not given_back and not tried.refusal:
            assert f"{plan.title('seat', name)} {price}" in text.text
            assert figure_text(tried.was(seat, name)) - figure_text(tried.becomes(seat, name)) == price, tried.tells


def _round_that_follows(text: Text, tried: Tried, figures: Sequence[int]) -> None:  # noqa: ARG001
    after: DescribedTable = tried.after
    if not after.outcome:
        assert list(figures) == [after.round]


def _round_now(text: Text, tried: Tried, figures: Sequence[int]) -> None:  # noqa: ARG001
    state: DescribedTable = text.state
    assert list(figures) == [state.round]


def _cards_each(text: Text, tried: Tried, figures: Sequence[int]) -> None:
    """`Deal 3 cards each.`"""
    rules: Any = tried.game
    assert list(figures) == [hand_of(rules.plan(text.state), text.state)]


def _values_besides(text: Text, tried: Tried, figures: Sequence[int]) -> None:  # noqa: ARG001 – what the line takes
    """`with 2 values`: so many of those that a line need not have."""
    action: Any = tried.action
    fields = [field_of(each) for each in action.taken if each.optional]
    assert 1 <= figures[0] <= len(fields)
    assert None not in [getattr(action, field) for field in fields[: figures[0]]]


def _entered_figure(text: Text, tried: Tried, figures: Sequence[int]) -> None:  # noqa: ARG001 – what it says
    """A figure to choose is what the line enters."""
    entered: Any = tried.action
    assert list(figures) == [entered.figure]


def _open_figures(text: Text, tried: Tried, figures: Sequence[int]) -> None:  # noqa: ARG001 – in runs
    """`Open: 0–2 and 4.` and `Not 3.`: the figure that is entered is refused only if it is none of them, or that."""
    entered: Any = tried.action
    for word, runs in re.findall(r"(Open:|Not) ([^.]*\d)\.", text.text):
        named = {
            figure
            for least, most in re.findall(r"(\d+)(?:–(\d+))?", runs)
            for figure in range(int(least), int(most or least) + 1)
        }
        is_open = (entered.figure in named) is (word == "Open:")
        assert is_open is not bool(tried.refusal), f"{entered.figure}: {tried.refusal or 'it is taken'}"


def _figures_of_its_card(text: Text, tried: Tried, figures: Sequence[int]) -> None:  # noqa: ARG001 – by name or in order
    """`health 3 · attack 2`, or `3/4`"""
    rules: Any = tried.game
    after: DescribedTable = tried.after
    piece = next((each for each in after.pieces if each.handle == chosen(text)), None)
    if piece is None or tried.refusal:
        return
    given = [*rules.plan(after).given[piece.kind]]
    for name, value in re.findall(r"([a-z-]+) (\d+)", text.text):
        if name in given:
            assert piece.figures[name] == int(value), f"{name} is {piece.figures[name]}"
    if slashed := re.search(r"\d+(?:/\d+)+", text.text):
        promised = [*map(int, slashed[0].split("/"))]
        assert [piece.figures[name] for name in given][: len(promised)] == promised


KINDS: Final = (
    Kind(r"prompt .*|way .*", rf"Deal {NUMBER} cards? each\.", _cards_each),
    Kind(r"note .*", rf" · with {NUMBER} values?$", _values_besides),
    Kind(r"choice enter\.figure", rf"^{NUMBER}$", _entered_figure),
    Kind(r"prompt .*", r"(?:Open:|Not) [^.]*\d\.", _open_figures),
    Kind(r"note .*", r"costs .*\d.*$", _costs),
    Kind(r"note next", rf"on: [A-Z]\w+ {NUMBER}$", _round_that_follows),
    Kind(r"prompt .*|way .*", rf"[A-Z]\w+ {NUMBER}: ", _round_now),
    Kind(r"way next", rf"[A-Z]\w+ {NUMBER}$", _round_that_follows),
    Kind(r"choice put\.handle", r"^.*\d.*$", _figures_of_its_card),
    Kind(r"choice .*\.(?:thing|handle).*", r"^_ (?:\| .*)?$", is_right),
    Kind(r"prompt match|asked match\.best_of", r"3 is best of three", is_right),
)
