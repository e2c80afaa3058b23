"""The context of a page's line: the acting seat, the arguments, and the targets that words mean."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from companion.games.described.page.description import RIVAL, TABLE
from companion.games.described.rules.plan import PagePlan, owner_of
from companion.games.described.rules.state import DescribedPlayer, DescribedTable, Piece, Resolution
from companion.tabletop.action import RuleError
from companion.tabletop.text import in_quotes
from templates.languages.messages import Text, phrase

Value = int | str | bool


class PageFault(RuleError):
    """An instruction of a page that cannot be performed. `place` is its key: `actions.attack.does[2]`."""

    def __init__(self, place: str, why: Text) -> None:
        super().__init__(phrase("The page is wrong at `{place}`: {why}", place=place, why=why))
        self.place = place
        self.why = why


class Context(NamedTuple):
    """The acting seat and the arguments of a page's line, by parameter."""

    plan: PagePlan
    resolution: Resolution
    me: str = ""
    words: Mapping[str, Any] = {}


# Owners of figures: seats, the table, things


def targets_of(context: Context, word: str) -> tuple[str, ...]:
    """Return the targets that a word of a page's line means, as in `set`.

    Raises RuleError if it needs an acting seat.
    """
    if word in context.words:
        return (str(context.words[word]),)
    state = context.resolution.state
    seats = [player.seat for player in state.players if not player.out or player.seat == context.me]
    if word in ("me", "left", "right") and context.me not in seats:
        raise RuleError(phrase("The page says {word} here, but nobody in particular does this.", word=in_quotes(word)))
    match word:
        case "me":
            return (context.me,)
        case "each":
            return tuple(seats)
        case "others":
            return tuple(seat for seat in seats if seat != context.me)
        case "left" | "right":
            at = seats.index(context.me)
            return (seats[(at + (1 if word == "left" else -1)) % len(seats)],)
        case "table":
            return (TABLE,)
    return (word,)


def find_bearer(state: DescribedTable, target: str) -> DescribedPlayer | Piece | DescribedTable:
    """Return the owner of figures with this name. Raises RuleError if there is none."""
    if target == TABLE:
        return state
    for player in state.players:
        if player.seat == target:
            return player
    return state.piece(target)


def value_of(context: Context, target: str, counter: str) -> Value:
    """Return the present value of a counter. Raises RuleError if the target has no such counter."""
    thing = find_bearer(context.resolution.state, target)
    of = owner_of(thing)
    plan = context.plan
    if counter not in plan.figures[of] and plan.figure_of(context.resolution.state, of, counter) is None:
        raise RuleError(
            phrase("{thing} has no counter {counter}.", thing=name_of(context, thing), counter=in_quotes(counter))
        )
    return plan.read(of, thing.figures, counter)


def name_of(context: Context, thing: DescribedPlayer | Piece | DescribedTable) -> Text:
    """Return the display name of a player, a thing in play, or the table."""
    if isinstance(thing, DescribedPlayer):
        return thing.name
    return phrase("The table") if isinstance(thing, DescribedTable) else context.plan.name_of(thing)


def counter_of(context: Context, word: str) -> str:
    """Return a counter with its rival resolved: `damage-SEAT` and `damage-me` become `damage-ben`."""
    base, dash, rival = word.rpartition("-")
    if not dash or base not in context.plan.figures[RIVAL]:
        return word
    return f"{base}-{targets_of(context, rival)[0]}"
