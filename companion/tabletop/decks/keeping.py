"""The decks that a game keeps: chores by hand, corrections, transfer to another archive."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, MutableMapping, Sequence
from typing import Annotated, Any, ClassVar, Final, Protocol, TypeVar

import msgspec

from companion.tabletop.action import RuleError
from companion.tabletop.decks.decklist import DeckCard
from companion.tabletop.decks.form import Finding
from companion.tabletop.decks.list_wishes import NO_WISHES, ListWishes, OpenSection
from companion.tabletop.records import Chore, Corrected, Done, Due, Mark, ReasonOrText, check_correctable, effective
from templates.languages.messages import Text, listed, phrase

Spots = Mapping[str, str]
"""The texts on cards and box: a word or two for each spot; empty spots are missing."""


class SpotRules(Protocol):
    """The effects of a game's marks on the cards and the box."""

    def write(self, spots: MutableMapping[str, str], mark: Mark) -> None:
        """Update the required texts by one mark; a spot that becomes empty is removed."""
        ...

    def immediate_spots(self, mark: Mark) -> Spots:
        """Return what the mark itself puts on the paper, without a chore."""
        ...

    def text(self, spot: str, value: str, mark: Mark) -> Text:
        """Return the chore as a sentence without a full stop; `value` is "" if something must be removed."""
        ...

    def text_if_there(self, spot: str, mark: Mark) -> Text:
        """Return the chore for a mark that removed a text never ticked off: it may be on the paper all the same.

        "" if there is nothing to do.
        """
        ...


def spots_ever(paper: SpotRules, marks: Sequence[Mark]) -> tuple[str, ...]:
    """Return every spot that the marks of a deck ever wrote on, in the order of first use.

    Marks that were corrected count, so a spot never changes its position.
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
    """The state of the paper in relation to the marks.

    `should` is what the paper must say, `says` what it says according to the ticks, `due` are the open chores, oldest
    first, and `did` are the chores completed by each tick, by the number of the tick.
    """

    should: Spots
    says: Spots
    due: tuple[Chore, ...]
    did: Mapping[int, tuple[Chore, ...]]


def follow(paper: SpotRules, marks: Sequence[Mark]) -> PaperState:
    """Return the state of the paper of a deck after its marks."""
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
            says = {**said_before, **paper.immediate_spots(mark)}
        changed = [*_differing(before, should), *(spot for spot in _differing(said_before, says) if spot not in cause)]
        cause |= {spot: (number, place) for place, spot in enumerate(dict.fromkeys(changed), 1)}
    return PaperState(should, says, _due(paper, marks, should, says, cause, ticks), did)


def _tick_effects(mark: Done, due: Sequence[Chore]) -> Iterator[Chore]:
    """Yield the due chores that a tick completed."""
    if mark.did:
        on = {chore.spot: chore for chore in due}
        yield from (on[spot] for spot, value in mark.did.items() if spot in on and on[spot].value == value)
        return
    # Older ids count the places in the order in which `SpotRules.write` and `immediate_spots` name the spots.
    by_id = {chore.id: chore for chore in due}
    yield from (by_id[chore] for chore in mark.chores if chore in by_id)


def _again(
    paper: SpotRules, marks: Sequence[Mark], did: Mapping[int, tuple[Chore, ...]]
) -> tuple[dict[str, str], dict[str, str], dict[str, int]]:
    """Return the required and the present texts, and the last tick on each spot, recomputed after a correction."""
    should: dict[str, str] = {}
    says: dict[str, str] = {}
    ticks: dict[str, int] = {}
    for number, mark in effective(marks):
        if isinstance(mark, Done):
            _tick(says, ticks, number, did[number])
        else:
            paper.write(should, mark)
            says |= paper.immediate_spots(mark)
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
    """Return the open chores; `cause` is the mark and place of a spot's last change, `ticks` its last tick."""
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


def tick_chores(due: Sequence[Chore], wanted: Sequence[str], by: str = "") -> Done:
    """Return the mark that ticks off chores by their ids, or `all` of them. Raises RuleError if one is not open."""
    ids = [chore.id for chore in due]
    if not ids:
        raise RuleError(phrase("Nothing is left to do by hand."))
    chosen = ids if list(wanted) == ["all"] else list(dict.fromkeys(wanted))
    if strange := [chore for chore in chosen if chore not in ids]:
        # Translators: {strange} and {chores} are numbers such as 12.1.
        raise RuleError(
            phrase(
                "There is no chore {strange} here; the open ones are {chores}.",
                strange=listed(strange),
                chores=listed(ids),
            )
        )
    return done_by_hand([chore for wish in chosen for chore in due if chore.id == wish], by)


def done_by_hand(chores: Sequence[Chore], by: str = "", *, seen: bool = False) -> Done:
    """Return the mark that reports chores as done."""
    return Done(tuple(chore.id for chore in chores), by, seen, {chore.spot: chore.value for chore in chores})


class RebuildResult(msgspec.Struct, frozen=True):
    """The new list of a deck as a mark, with the warnings about it."""

    mark: Mark
    warnings: tuple[Text, ...] = ()


class ListVersion(msgspec.Struct, frozen=True):
    """One list in the life of a deck: its version, the number of the mark that made it, and its cards."""

    version: int
    mark: int
    cards: tuple[DeckCard, ...]


class ListDraft(msgspec.Struct, frozen=True):
    """A proposed list for a deck: its text, its cards, the present cards of the deck, and all findings.

    `summary` says what was read; `open_sections` and `unread` are what is unclear, as in `ListWishes`. `parts` are
    those of the game's decks.
    """

    text: str
    cards: tuple[DeckCard, ...]
    before: tuple[DeckCard, ...]
    findings: tuple[Finding, ...]
    summary: Text = ""
    open_sections: tuple[OpenSection, ...] = ()
    unread: int = 0
    parts: tuple[str, ...] = ()


_NO_LIST: Final = phrase("Decks of this game have no list: their cards change through play.")


class Keeping(Protocol):
    """The decks of a game as things on a shelf. Every method is pure."""

    example: ClassVar[str]
    """An example of the text of a spot: `7S sharp: yes`."""
    spots: ClassVar[SpotRules]
    """The rules for what its marks write on cards and box."""
    correction: ClassVar[type[Corrected]]
    """The type of mark that corrects another."""

    def chores(self, marks: Sequence[Mark]) -> tuple[Chore, ...]:
        """Return the open chores, oldest first."""
        return follow(self.spots, marks).due

    def chore_text(self, due: Due, mark: Mark) -> Text:
        """Return the text of the chore that a mark requires on a spot, as in `chores`."""
        return self.spots.text_if_there(due.spot, mark) if due.unsure else self.spots.text(due.spot, due.value, mark)

    def paper(self, marks: Sequence[Mark]) -> Spots:
        """Return what cards and box say according to the ticks, in the order of going through a box."""
        says = follow(self.spots, marks).says
        return {spot: says[spot] for spot in sorted(says, key=self.spot_order(marks))}

    def spot_order(self, marks: Sequence[Mark]) -> Callable[[str], Any]:  # noqa: ARG002 – used by overrides
        """Return the sort key of spots for going through a box; here by name."""
        return str

    def describe_spot(self, spot: str, text: str) -> tuple[Text, Text]:
        """Return the place of a spot, and what `text` means there: `("7♠", "Sharp")`.

        The place is a whole sentence without a full stop if the second is "".
        """
        ...

    def question(self, spot: str, text: str) -> Text:
        """Return the question if `text` is on a spot: `7♠: Sharp?`"""
        place, meaning = self.describe_spot(spot, text)
        if not meaning:
            # Translators: {sentence} has no full stop, such as “Ana holds it”.
            return phrase("{sentence}?", sentence=place)
        # Translators: {place} is a card or a part of the box, {text} what is written there: “7♠: Sharp?”.
        return phrase("{place}: {text}?", place=place, text=meaning)

    def read_spot(self, text: str) -> str:
        """Read a spot as users write it. Raises NotationError."""
        ...

    def mend_record(self, marks: Sequence[Mark], seen: Spots, reason: ReasonOrText, by: str = "") -> tuple[Mark, ...]:
        """Return the marks that make a record agree with a box; `seen` maps the inspected spots to their texts.

        Chores that are already done are ticked off. Raises RuleError if the box cannot be in this state.
        """
        says = follow(self.spots, marks).says
        texts = {spot: self.spot_value(spot, text.strip()) for spot, text in seen.items()}
        other = {spot: text for spot, text in texts.items() if text != says.get(spot, "")}
        corrections = tuple(self.corrections(marks, other, reason, by))
        due = [chore for chore in self.chores([*marks, *corrections]) if texts.get(chore.spot) == chore.value]
        return (*corrections, done_by_hand(due, by, seen=True)) if due else corrections

    def spot_value(self, spot: str, text: str) -> str:  # noqa: ARG002
        """Return a user's text for a spot in the words of the record, "" for nothing. Raises RuleError."""
        return text

    def corrections(
        self,
        marks: Sequence[Mark],  # noqa: ARG002
        seen: Spots,  # noqa: ARG002
        reason: ReasonOrText,  # noqa: ARG002
        by: str,  # noqa: ARG002
    ) -> Iterable[Mark]:
        """Return the marks that make the record agree with what was seen on these spots. Raises RuleError."""
        return ()

    def correct_record(self, marks: Sequence[Mark], of: int, reason: ReasonOrText, by: str = "") -> Corrected:
        """Return the mark that takes another back. Raises RuleError if that is impossible."""
        check_correctable(marks, of)
        why = reason.strip() if isinstance(reason, str) else reason
        if not why:
            raise RuleError(phrase("A correction needs a reason, for later readers of the history."))
        correction = self.correction(of, why, by)
        self.check_correction(marks, correction)
        return correction

    def check_correction(
        self,
        marks: Sequence[Mark],  # noqa: ARG002
        correction: Corrected,  # noqa: ARG002
    ) -> None:
        """Raise RuleError if the marks would no longer make a valid deck."""
        return

    def rename_record(self, marks: Sequence[Mark], name: str, reason: ReasonOrText, by: str = "") -> Mark:
        """Return the mark that renames a deck. Raises RuleError."""
        ...

    def retire_record(self, marks: Sequence[Mark], heirloom: str, by: str = "") -> Mark:
        """Return the mark that retires a deck; `heirloom` is what it leaves, or "". Raises RuleError."""
        ...

    def rebuild_record(
        self,
        marks: Sequence[Mark],  # noqa: ARG002 – used by overrides
        text: str,  # noqa: ARG002
        reason: ReasonOrText,  # noqa: ARG002
        by: str = "",  # noqa: ARG002
    ) -> RebuildResult:
        """Return the mark that gives a deck another list, from its text (`companion.tabletop.decks.decklist`).

        Raises NotationError if the text cannot be read, RuleError if decks have no lists.
        """
        raise RuleError(_NO_LIST)

    def draft_list(
        self,
        marks: Sequence[Mark],  # noqa: ARG002 – used by overrides
        text: str,  # noqa: ARG002
        swaps: Sequence[str] = (),  # noqa: ARG002
        wishes: ListWishes = NO_WISHES,  # noqa: ARG002
    ) -> ListDraft:
        """Return the draft of a list for a deck, "" for its present one, after some `swaps` (`decklist.swap_cards`).

        `wishes` settle what is unclear in a list of another program. Raises NotationError if a swap is impossible,
        RuleError if decks have no lists.
        """
        raise RuleError(_NO_LIST)

    def lists(self, marks: Sequence[Mark]) -> tuple[ListVersion, ...]:  # noqa: ARG002 – used by overrides
        """Return the lists that a deck has had, oldest first; none if decks have no lists."""
        return ()

    def pack_record(self, marks: Sequence[Mark]) -> Iterator[Any]:
        """Yield the present deck as values for MessagePack: first complete, then each time with a little less."""
        ...

    def unpack_record(self, content: Any, story: str, length: int, by: str = "") -> tuple[Mark, ...]:
        """Return the first marks of a deck that arrives as the output of `pack_record`.

        `story` is the hash of its `length` entries in the other archive. Raises RuleError if it is no such deck.
        """
        ...


Whole = Annotated[int, msgspec.Meta(ge=0, le=1_000_000)]
"""A number in a passport."""

_Pack = TypeVar("_Pack")


_SUCH_DECK: Final = phrase("This passport does not hold a deck of this game; print it again from its archive.")


def read_pack(content: Any, pack: type[_Pack], refusal: Text = _SUCH_DECK) -> _Pack:
    """Read a passport as packed by a game. Raises RuleError with `refusal` if it holds nothing like that."""
    try:
        return msgspec.convert(content, pack)
    except msgspec.ValidationError as error:
        raise RuleError(refusal) from error


class KeptDecks(Protocol):
    """The decks of a game, with the rules for keeping them if there are any."""

    @property
    def keeping(self) -> Keeping | None: ...


class MayKeep(Protocol):
    """The part of a game that is needed here."""

    title: ClassVar[Text]

    @property
    def decks(self) -> KeptDecks: ...


def keeping(game: MayKeep) -> Keeping:
    """Return the rules for keeping the decks of a game. Raises RuleError if they are not kept."""
    rules = game.decks.keeping
    if rules is None:
        raise RuleError(phrase("Decks of {game} have no cards that are written on.", game=game.title))
    return rules
