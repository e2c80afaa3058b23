"""What a game knows of the decks that it keeps: chores by hand, corrections, moving house."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, MutableMapping, Sequence
from typing import Annotated, Any, ClassVar, Final, Protocol, TypeVar

import msgspec

from companion.tabletop.action import RuleError
from companion.tabletop.decklist import DeckCard
from companion.tabletop.form import Finding
from companion.tabletop.records import Chore, Corrected, Done, Due, Mark, ReasonOrText, check_correctable, effective

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

    def text_if_there(self, spot: str, mark: Mark) -> str:
        """What to do where a mark took away what nobody had ticked off: it may stand there all the same. "" where
        there is nothing to do about it.
        """
        ...


def spots_ever(paper: SpotRules, marks: Sequence[Mark]) -> tuple[str, ...]:
    """Every spot that any of a deck's marks ever wrote on, in the order in which they first did, whatever became of
    the marks: each stands for ever where it stands.
    """
    spots: dict[str, None] = {}
    for mark in marks:
        for each in (mark, mark.instead) if isinstance(mark, Corrected) else (mark,):
            if each is not None and not isinstance(each, Corrected):
                written: dict[str, str] = {}
                paper.write(written, each)
                spots |= dict.fromkeys(written)
    return tuple(spots)


class PaperState(msgspec.Struct, frozen=True):
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
    ticks: dict[str, int] = {}
    for number, mark in enumerate(marks, 1):
        if isinstance(mark, Done):
            did[number] = tuple(_tick_effects(mark, _due(paper, marks, should, says, cause, ticks)))
            _tick(says, ticks, number, did[number])
            continue
        before, said_before = should, says
        if isinstance(mark, Corrected):
            should, says, ticks = _again(paper, marks[:number], did)
        else:
            should = dict(before)
            paper.write(should, mark)
            says = {**said_before, **paper.settled(mark)}
        changed = [*_differing(before, should), *(spot for spot in _differing(said_before, says) if spot not in cause)]
        cause |= {spot: (number, place) for place, spot in enumerate(dict.fromkeys(changed), 1)}
    return PaperState(should, says, _due(paper, marks, should, says, cause, ticks), did)


def _tick_effects(mark: Done, due: Sequence[Chore]) -> Iterator[Chore]:
    """What a tick did of what was due."""
    if mark.did:
        on = {chore.spot: chore for chore in due}
        yield from (on[spot] for spot, value in mark.did.items() if spot in on and on[spot].value == value)
        return
    # Ids of before count the places in the order in which `SpotRules.write` and `settled` name the spots.
    by_id = {chore.id: chore for chore in due}
    yield from (by_id[chore] for chore in mark.chores if chore in by_id)


def _again(
    paper: SpotRules, marks: Sequence[Mark], did: Mapping[int, tuple[Chore, ...]]
) -> tuple[dict[str, str], dict[str, str], dict[str, int]]:
    """What the paper should say and says, and the last tick on each spot, from the beginning, after a correction."""
    should: dict[str, str] = {}
    says: dict[str, str] = {}
    ticks: dict[str, int] = {}
    for number, mark in effective(marks):
        if isinstance(mark, Done):
            _tick(says, ticks, number, did[number])
        else:
            paper.write(should, mark)
            says |= paper.settled(mark)
    return should, says, ticks


def _differing(one: Spots, other: Spots) -> list[str]:
    if one == other:
        return []
    differ = {spot for spot, _ in one.items() ^ other.items()}
    return [spot for spot in {**one, **other} if spot in differ] if len(differ) > 1 else [*differ]


def _tick(says: dict[str, str], ticks: dict[str, int], number: int, done: Sequence[Chore]) -> None:
    for chore in done:
        ticks[chore.spot] = number
        if chore.value:
            says[chore.spot] = chore.value
        else:
            says.pop(chore.spot, None)


def _due(
    paper: SpotRules,
    marks: Sequence[Mark],
    should: Spots,
    says: Spots,
    cause: Mapping[str, tuple[int, int]],
    ticks: Mapping[str, int],
) -> tuple[Chore, ...]:
    """What is to be done; `cause` is the mark and the place by which a spot changed last, `ticks` its last tick."""
    chores = []
    for spot in _differing(says, should):
        number, place = cause[spot]
        value = should.get(spot, "")
        chores.append(Chore(number, place, spot, value, paper.text(spot, value, marks[number - 1])))
    for spot, (number, place) in cause.items():
        if spot in should or spot in says or ticks.get(spot, 0) > number:
            continue
        if text := paper.text_if_there(spot, marks[number - 1]):
            chores.append(Chore(number, place, spot, "", text, unsure=True))
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


class RebuildResult(msgspec.Struct, frozen=True):
    """A deck's new list as a mark, and what to mind about it."""

    mark: Mark
    warnings: tuple[str, ...] = ()


class ListVersion(msgspec.Struct, frozen=True):
    """One list in a deck's life: which version, the number of the mark that made it, and its cards."""

    version: int
    mark: int
    cards: tuple[DeckCard, ...]


class ListDraft(msgspec.Struct, frozen=True):
    """A list that a deck might get: its text, its cards, those that the deck has now, and everything found about it."""

    text: str
    cards: tuple[DeckCard, ...]
    before: tuple[DeckCard, ...]
    findings: tuple[Finding, ...]


_NO_LIST: Final = "Such decks have no list: their cards are what play has made of them."


class Keeping(Protocol):
    """A game's decks as things on a shelf. Every method is pure."""

    example: ClassVar[str]
    """How to write what stands on a spot: `7S sharp: yes`."""
    spots: ClassVar[SpotRules]
    """What its marks write on cards and box."""
    correction: ClassVar[type[Corrected]]
    """The mark with which it corrects another."""

    def chores(self, marks: Sequence[Mark]) -> tuple[Chore, ...]:
        """What is to be done by hand, oldest first."""
        return follow(self.spots, marks).due

    def chore_text(self, due: Due, mark: Mark) -> str:
        """What a mark calls for on a spot, as `chores` says it."""
        return self.spots.text_if_there(due.spot, mark) if due.unsure else self.spots.text(due.spot, due.value, mark)

    def paper(self, marks: Sequence[Mark]) -> Spots:
        """What cards and box say by all that was ticked off, in the order in which one looks through a box."""
        says = follow(self.spots, marks).says
        return {spot: says[spot] for spot in sorted(says, key=self.spot_order(marks))}

    def spot_order(self, marks: Sequence[Mark]) -> Callable[[str], Any]:  # noqa: ARG002 – what a game may need
        """The key by which spots are sorted as one looks through a box; here their names."""
        return str

    def question(self, spot: str, text: str) -> str:
        """How to ask whether `text` stands on a spot: `7♠: Sharp?`"""
        ...

    def read_spot(self, text: str) -> str:
        """A spot as people write it. Raises NotationError."""
        ...

    def mended(self, marks: Sequence[Mark], seen: Spots, reason: ReasonOrText, by: str = "") -> tuple[Mark, ...]:
        """The marks that make a record agree with a box; `seen` says of the spots looked at what stands there.

        What was still to be done and is there already is ticked off. Raises RuleError where the box cannot be so.
        """
        says = follow(self.spots, marks).says
        texts = {spot: self.spot_value(spot, text.strip()) for spot, text in seen.items()}
        other = {spot: text for spot, text in texts.items() if text != says.get(spot, "")}
        corrections = tuple(self.corrections(marks, other, reason, by))
        due = [chore for chore in self.chores([*marks, *corrections]) if texts.get(chore.spot) == chore.value]
        return (*corrections, done_by_hand(due, by, seen=True)) if due else corrections

    def spot_value(self, spot: str, text: str) -> str:  # noqa: ARG002
        """What people say of a spot in the words of the record, "" for nothing. Raises RuleError."""
        return text

    def corrections(
        self,
        marks: Sequence[Mark],  # noqa: ARG002
        seen: Spots,  # noqa: ARG002
        reason: ReasonOrText,  # noqa: ARG002
        by: str,  # noqa: ARG002
    ) -> Iterable[Mark]:
        """The marks after which the record says of these spots what was seen there. Raises RuleError."""
        return ()

    def corrected(self, marks: Sequence[Mark], of: int, reason: ReasonOrText, by: str = "") -> Corrected:
        """The mark that takes another back. Raises RuleError where that makes no sense."""
        check_correctable(marks, of)
        why = reason.strip() if isinstance(reason, str) else reason
        if not why:
            raise RuleError("A correction needs a reason, for those who read the story later.")
        correction = self.correction(of, why, by)
        self.check_correction(marks, correction)
        return correction

    def check_correction(
        self,
        marks: Sequence[Mark],  # noqa: ARG002
        correction: Corrected,  # noqa: ARG002
    ) -> None:
        """Raises RuleError where the marks would make no deck any more."""
        return

    def renamed(self, marks: Sequence[Mark], name: str, reason: ReasonOrText, by: str = "") -> Mark:
        """The mark that gives a deck another name. Raises RuleError."""
        ...

    def retired(self, marks: Sequence[Mark], heirloom: str, by: str = "") -> Mark:
        """The mark that ends a deck's life; `heirloom` is what it leaves, or "". Raises RuleError."""
        ...

    def rebuilt(
        self,
        marks: Sequence[Mark],  # noqa: ARG002 – what a game may need
        text: str,  # noqa: ARG002
        reason: ReasonOrText,  # noqa: ARG002
        by: str = "",  # noqa: ARG002
    ) -> RebuildResult:
        """The mark that gives a deck another list, from its text (`companion.tabletop.decklist`).

        Raises NotationError where that cannot be read, RuleError where decks have no lists.
        """
        raise RuleError(_NO_LIST)

    def draft_list(self, marks: Sequence[Mark], text: str, swaps: Sequence[str] = ()) -> ListDraft:  # noqa: ARG002
        """What a deck would be with another list, "" for the one it has, after some `swaps` (`decklist.swap_cards`).

        Raises NotationError where a swap cannot be, RuleError where decks have no lists.
        """
        raise RuleError(_NO_LIST)

    def lists(self, marks: Sequence[Mark]) -> tuple[ListVersion, ...]:  # noqa: ARG002 – what a game may need
        """The lists that a deck has had, oldest first; none where decks have no lists."""
        return ()

    def packed(self, marks: Sequence[Mark]) -> Iterator[Any]:
        """A deck as it is today as MessagePack can hold it, first whole, then each time with a little less."""
        ...

    def unpacked(self, content: Any, story: str, length: int, by: str = "") -> tuple[Mark, ...]:
        """The marks of a deck that comes with what `packed` gave; `story` is the hash of its `length` entries there.

        Raises RuleError where it is no such deck.
        """
        ...


Whole = Annotated[int, msgspec.Meta(ge=0, le=1_000_000)]
"""A figure in a passport."""

_Pack = TypeVar("_Pack")


def read_pack(content: Any, pack: type[_Pack], holds: str) -> _Pack:
    """What a passport holds, as a game packed it. Raises RuleError where it holds no `holds` ("such deck")."""
    try:
        return msgspec.convert(content, pack)
    except msgspec.ValidationError as error:
        raise RuleError(f"This passport holds no {holds}; print it again from its archive.") from error


class MayKeep(Protocol):
    """A game, as far as it matters here: it says itself whether its decks are kept."""

    title: ClassVar[str]

    @property
    def keeping(self) -> Keeping | None: ...


def keeping(game: MayKeep) -> Keeping:
    """How a game's decks are kept. Raises RuleError where they are not."""
    if game.keeping is None:
        raise RuleError(f"Decks of {game.title} have no cards to be written on here.")
    return game.keeping
