"""From marks to what must be done by hand: what the paper should say, against what it says by all that was ticked off.

Separate from any game: a game tells what its marks write where (`SpotRules`), and gets its chores from that.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, MutableMapping, Sequence
from typing import NamedTuple, Protocol

from companion.games.action import RuleError
from companion.games.records import Chore, Corrected, Done, Mark, effective

Spots = Mapping[str, str]
"""What stands on cards and box: a word or two for each place that bears something; places that bear nothing lack."""


class SpotRules(Protocol):
    """What a game's marks mean for the cards and the box."""

    def write(self, spots: MutableMapping[str, str], mark: Mark) -> None:
        """Change what the paper should say by one mark; a spot that bears nothing any more is removed."""
        ...

    def settled(self, mark: Mark) -> Spots:
        """What stands on the paper at the moment of the mark, without anybody having to do it."""
        ...

    def text(self, spot: str, value: str, mark: Mark) -> str:
        """What to do, as a sentence without a full stop; `value` is "" where something has to go."""
        ...


class PaperState(NamedTuple):
    """How far the paper follows the marks.

    `should` is what it shall say, `says` what it says by all that was ticked off, `due` what is to be done, oldest
    first, and `did` what each tick did, by the tick's number.
    """

    should: Spots
    says: Spots
    due: tuple[Chore, ...]
    did: Mapping[int, tuple[Chore, ...]]


def follow(paper: SpotRules, marks: Sequence[Mark]) -> PaperState:
    """Where the paper of a deck stands after its marks."""
    should: dict[str, str] = {}
    says: dict[str, str] = {}
    cause: dict[str, tuple[int, int]] = {}
    did: dict[int, tuple[Chore, ...]] = {}
    for number, mark in enumerate(marks, 1):
        if isinstance(mark, Done):
            did[number] = tuple(_done(mark, _due(paper, marks, should, says, cause)))
            _tick(says, did[number])
            continue
        before, said = should, says
        if isinstance(mark, Corrected):
            should, says = _again(paper, marks[:number], did)
        else:
            should = dict(before)
            paper.write(should, mark)
            says = {**said, **paper.settled(mark)}
        changed = [*_differing(before, should), *(spot for spot in _differing(said, says) if spot not in cause)]
        cause |= {spot: (number, place) for place, spot in enumerate(dict.fromkeys(changed), 1)}
    return PaperState(should, says, _due(paper, marks, should, says, cause), did)


def _done(mark: Done, due: Sequence[Chore]) -> Iterator[Chore]:
    """What a tick did of what was due."""
    if mark.did:
        on = {chore.spot: chore for chore in due}
        yield from (on[spot] for spot, value in mark.did.items() if spot in on and on[spot].value == value)
        return
    # Ids of before count the places in the order in which `SpotRules.write` and `settled` name the spots.
    known = {chore.id: chore for chore in due}
    yield from (known[chore] for chore in mark.chores if chore in known)


def _again(
    paper: SpotRules, marks: Sequence[Mark], did: Mapping[int, tuple[Chore, ...]]
) -> tuple[dict[str, str], dict[str, str]]:
    """What the paper should say and says, from the beginning, after a correction."""
    should: dict[str, str] = {}
    says: dict[str, str] = {}
    for number, mark in effective(marks):
        if isinstance(mark, Done):
            _tick(says, did[number])
        else:
            paper.write(should, mark)
            says |= paper.settled(mark)
    return should, says


def _differing(one: Spots, other: Spots) -> list[str]:
    if one == other:
        return []
    differ = {spot for spot, _ in one.items() ^ other.items()}
    return [spot for spot in {**one, **other} if spot in differ] if len(differ) > 1 else [*differ]


def _tick(says: dict[str, str], done: Sequence[Chore]) -> None:
    for chore in done:
        if chore.value:
            says[chore.spot] = chore.value
        else:
            says.pop(chore.spot, None)


def _due(
    paper: SpotRules, marks: Sequence[Mark], should: Spots, says: Spots, cause: Mapping[str, tuple[int, int]]
) -> tuple[Chore, ...]:
    chores = []
    for spot in _differing(says, should):
        number, place = cause[spot]
        value = should.get(spot, "")
        chores.append(Chore(number, place, spot, value, paper.text(spot, value, marks[number - 1])))
    return tuple(sorted(chores, key=lambda chore: (chore.mark, chore.place)))


def ticked(due: Sequence[Chore], wanted: Sequence[str], by: str = "") -> Done:
    """The mark that ticks off chores by their ids, or `all` of them. Raises RuleError where one is not to be done."""
    ids = [chore.id for chore in due]
    if not ids:
        raise RuleError("Nothing is left to do by hand.")
    chosen = ids if list(wanted) == ["all"] else list(dict.fromkeys(wanted))
    if strange := [chore for chore in chosen if chore not in ids]:
        raise RuleError(f"There is nothing {', '.join(strange)} to do here; to be done are {', '.join(ids)}.")
    return done_by_hand([chore for wish in chosen for chore in due if chore.id == wish], by)


def done_by_hand(chores: Sequence[Chore], by: str = "", *, seen: bool = False) -> Done:
    """The mark that says that chores are done."""
    return Done(tuple(chore.id for chore in chores), by, seen, {chore.spot: chore.value for chore in chores})
