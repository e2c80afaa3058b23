"""Secret choices: what lies face down until everybody who is asked has chosen, or the host turns it up.

The state knows only whose choice lies there. The choice itself is kept beside the log until it is turned up.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from companion.tabletop.action import RuleError
from companion.tabletop.table.common_actions import TurnUp
from companion.tabletop.table.state import Resolution
from companion.tabletop.table.table import Prompt, draft
from templates.languages.messages import all_of, phrase, phrases


def secret_seats(prompts: Iterable[Prompt]) -> tuple[str, ...]:
    """Return the seats that are asked for a secret choice, each once."""
    return tuple(dict.fromkeys(prompt.seat for prompt in prompts if prompt.is_secret and prompt.seat))


def visible_prompts(prompts: Sequence[Prompt], seats: Sequence[str], names: Mapping[str, str]) -> Iterator[Prompt]:
    """Yield the prompts without those that a choice lying face down answers, then the one to turn everything up.

    Args:
        prompts: All prompts of the game.
        seats: The seats whose choice lies face down.
        names: The names of the players by seat.
    """
    if not seats:
        yield from prompts
        return
    yield from (prompt for prompt in prompts if not (prompt.is_secret and prompt.seat in seats))
    is_complete = set(secret_seats(prompts)) <= set(seats)
    players = all_of(names[seat] for seat in names if seat in seats)
    text = (
        phrase("Everybody has chosen; turn everything up")
        if is_complete
        else phrases(
            "{players} has chosen, face down; turn it up already?",
            "{players} have chosen, face down; turn it up already?",
            n=len(seats),
            players=players,
        )
    )
    yield Prompt(text, draft(TurnUp, phrase("turn up")), due=is_complete)


def is_complete(prompts: Iterable[Prompt]) -> bool:
    """Return True if the visible prompts wait for nothing but everything to be turned up."""
    return any(prompt.due and prompt.answer.action is TurnUp for prompt in prompts)


def lay_face_down(resolution: Resolution[Any], seat: str, player: str, seats: Sequence[str]) -> None:
    """Note that a player has chosen in secret. Raises RuleError if the seat is not among the `seats` that are asked."""
    lying = resolution.state.face_down
    if seat in lying:
        raise RuleError(phrase("{player} has chosen already, face down; `turn-up` shows it.", player=player))
    if seat not in seats:
        raise RuleError(phrase("{player} has nothing to choose face down now.", player=player))
    resolution.change(face_down=(*lying, seat))
    resolution.tell(phrase("{player} has chosen, face down.", player=player), seat)


def turn_up(resolution: Resolution[Any]) -> None:
    """Turn up all secret choices. Raises RuleError if there is none."""
    if not resolution.state.face_down:
        raise RuleError(phrase("Nothing lies face down; `face-down SEAT` says that somebody has chosen in secret."))
    resolution.change(face_down=())
    resolution.tell(phrase("Everything that lay face down is turned up."))


def drop_answered(resolution: Resolution[Any], seats: Sequence[str]) -> None:
    """Forget the secret choices of seats that are not among the `seats` asked for one any more."""
    lying = resolution.state.face_down
    left = tuple(seat for seat in lying if seat in seats)
    if left != lying:
        resolution.change(face_down=left)
