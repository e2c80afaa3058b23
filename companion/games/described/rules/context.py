"""The context of a page's line: the acting seat, the arguments, and the targets that words mean."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from companion.games.described.page.description import RIVAL, SEAT, TABLE, TEAM, CounterDefinition, title_of
from companion.games.described.page.takes import OWNER_WORD
from companion.games.described.rules.plan import PagePlan, owner_of
from companion.games.described.rules.state import (
    DescribedPlayer,
    DescribedTable,
    DescribedTeam,
    NotInPlay,
    Owner,
    Piece,
    Resolution,
)
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
    """The acting seat and the arguments of a page's line, by parameter. `titles` are the page's own for parameters."""

    plan: PagePlan
    resolution: Resolution
    me: str = ""
    words: Mapping[str, Any] = {}
    titles: Mapping[str, Text] = {}


# Owners of figures: seats, the table, things


def put_by(word: str) -> str:
    """Return the key in the arguments of a line for the thing that it has put down by the name in a parameter."""
    return f"put {word}"


def targets_of(context: Context, word: str) -> tuple[str, ...]:
    """Return the targets that a word of a page's line means, as in `set`.

    Raises RuleError if it needs an acting seat.
    """
    if word in context.words:
        return (str(context.words.get(put_by(word), context.words[word])),)
    if word not in _SEATS:
        if word in context.plan.people:
            return (_find_person(context, word),)
        return (word,) if OWNER_WORD.fullmatch(word) is None else (_owner_of_thing(context, word),)
    me = context.me
    seats = [player.seat for player in context.resolution.state.players if not player.out or player.seat == me]
    if word == "each":
        return tuple(seats)
    if word == "others":
        return tuple([seat for seat in seats if seat != me])
    if me not in seats:
        raise RuleError(phrase("The page says {word} here, but nobody in particular does this.", word=in_quotes(word)))
    if word == "me":
        return (me,)
    at = seats.index(me) + (1 if word == "left" else -1)
    return (seats[at % len(seats)],)


def _find_person(context: Context, word: str) -> str:
    """Return the seat of the holder of a token, or of a partner. Raises NotInPlay if there is nobody."""
    state, token = context.resolution.state, context.plan.page.tokens.get(word)
    if token is not None:
        if word not in state.tokens:
            raise NotInPlay(phrase("Nobody has the {token}.", token=title_of(word, token.title)))
        return state.tokens[word]
    seats = [player for player in state.players if not player.out or player.seat == context.me]
    at = next((at for at, player in enumerate(seats) if player.seat == context.me), None)
    if at is None:
        raise RuleError(phrase("The page says {word} here, but nobody in particular does this.", word=in_quotes(word)))
    others = (*seats[at + 1 :], *seats[:at])
    partner = next((player.seat for player in others if player.team and player.team == seats[at].team), "")
    if not partner:
        raise RuleError(phrase("{player} has no partner here.", player=seats[at].name))
    return partner


def _owner_of_thing(context: Context, word: str) -> str:
    """Return the seat to which a thing in the arguments of a line belongs. Raises RuleError if it is nobody's."""
    thing = context.words.get(OWNER_WORD.sub(r"THING\1", word))
    if thing is None:
        raise RuleError(phrase("Say which thing is meant."))
    piece = context.resolution.state.piece(str(thing))
    if not piece.owner:
        raise RuleError(phrase("{thing} belongs to nobody.", thing=context.plan.name_of(piece)))
    return piece.owner


_SEATS: Final = frozenset(("me", "each", "others", "left", "right"))
"""The words that mean seats, depending on who acts."""


def targets_of_counter(context: Context, word: str, counter: str) -> tuple[str, ...]:
    """Return the targets that a word means for a counter: for a counter of teams each team once.

    Raises RuleError if the word needs an acting seat.
    """
    targets = targets_of(context, word)
    state = context.resolution.state
    if not state.teams or len(targets) < 2 or counter not in context.plan.figures[TEAM]:
        return targets
    own = state.player(context.me).team if word == "others" and context.me else 0
    numbers = dict.fromkeys(state.player(seat).team for seat in targets)
    return tuple(team_word(state, number) for number in numbers if number != own)


def find_bearer(state: DescribedTable, target: str) -> Owner:
    """Return the owner of figures with this name. Raises RuleError if there is none."""
    if target == TABLE:
        return state
    for player in state.players:
        if player.seat == target:
            return player
    return find_team(state, target) or state.piece(target)


def target_of(owner: Owner) -> str:
    """Return the word of an owner of figures, as in `set`."""
    if isinstance(owner, DescribedPlayer):
        return owner.seat
    if isinstance(owner, Piece):
        return owner.handle
    return owner.word if isinstance(owner, DescribedTeam) else TABLE


def find_team(state: DescribedTable, word: str) -> DescribedTeam | None:
    """Return the team with this word, or None."""
    for team in state.teams:
        if team.word == word:
            return team
    return None


def team_word(state: DescribedTable, number: int) -> str:
    """Return the word of a team by its number."""
    return state.teams[number - 1].word


def bearer_of(context: Context, target: str, counter: str) -> Owner:
    """Return the owner of a counter of a target: for a counter of teams, the team of a seat.

    Raises RuleError if there is no such target.
    """
    thing = find_bearer(context.resolution.state, target)
    if isinstance(thing, DescribedPlayer) and thing.team and counter in context.plan.figures[TEAM]:
        return context.resolution.state.teams[thing.team - 1]
    return thing


def value_of(context: Context, target: str, counter: str) -> Value:
    """Return the present value of a counter; for a team and a counter of seats, the sum of its members' values.

    Raises RuleError if the target has no such counter.
    """
    thing, plan = find_bearer(context.resolution.state, target), context.plan
    if (value := thing.figures.get(counter)) is not None:
        return value
    of = owner_of(thing)
    if counter in plan.figures[of]:
        return plan.read(of, thing.figures, counter)
    if counter in plan.counts and not isinstance(thing, Piece):
        return number_of_things(context, thing, counter)
    if isinstance(thing, DescribedTeam):
        return _sum_of_members(context, thing, counter)
    if isinstance(thing, DescribedPlayer) and thing.team and counter in plan.figures[TEAM]:
        return plan.read(TEAM, context.resolution.state.teams[thing.team - 1].figures, counter)
    if plan.figure_of(context.resolution.state, of, counter) is None:
        name, word = name_of(context, thing), in_quotes(counter)
        if counter in plan.page.flags:
            raise RuleError(phrase("{thing} has no flag {flag}.", thing=name, flag=word))
        raise RuleError(phrase("{thing} has no counter {counter}.", thing=name, counter=word))
    return plan.read(of, thing.figures, counter)


def number_of_things(context: Context, owner: Owner, word: str) -> int:
    """Return the number of things of a kind, or in a zone: those of a player or team, or all at the table."""
    state, is_kind = context.resolution.state, word in context.plan.page.things
    pieces = (piece for piece in state.pieces if (piece.kind if is_kind else piece.zone) == word)
    if isinstance(owner, DescribedTable):
        return sum(1 for _ in pieces)
    if isinstance(owner, DescribedTeam):
        owners = {player.seat for player in state.players if player.team == owner.number}
    else:
        assert isinstance(owner, DescribedPlayer)
        owners = {owner.seat}
    return sum(piece.owner in owners for piece in pieces)


def _sum_of_members(context: Context, team: DescribedTeam, counter: str) -> int:
    figure = context.plan.figures[SEAT].get(counter)
    if not isinstance(figure, CounterDefinition) or figure.words:
        title = context.plan.team_title(team.number)
        raise RuleError(phrase("{thing} has no counter {counter}.", thing=title, counter=in_quotes(counter)))
    members = (player for player in context.resolution.state.players if player.team == team.number)
    return sum(int(context.plan.read(SEAT, player.figures, counter)) for player in members)


def name_of(context: Context, thing: Owner) -> Text:
    """Return the display name of a player, a team, a thing in play, or the table."""
    if isinstance(thing, DescribedPlayer):
        return thing.name
    if isinstance(thing, DescribedTeam):
        return context.plan.team_title(thing.number)
    return phrase("The table") if isinstance(thing, DescribedTable) else context.plan.name_of(thing)


def counter_of(context: Context, word: str) -> str:
    """Return a counter with its rival resolved: `damage-SEAT` and `damage-me` become `damage-ben`."""
    base, dash, rival = word.rpartition("-")
    if not dash or base not in context.plan.figures[RIVAL]:
        return word
    return f"{base}-{targets_of(context, rival)[0]}"
