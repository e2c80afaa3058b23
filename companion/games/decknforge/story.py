"""A band's life in sentences, one a mark."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from companion.games.cards import pretty
from companion.games.decknforge import band_spots
from companion.games.decknforge import marks as m
from companion.games.decknforge.names import title
from companion.games.decknforge.reasons import told
from companion.games.decknforge.record import record
from companion.games.reasons import Said
from companion.games.records import Chore, Corrected, Done, Mark, corrections, of_no_game

_SOURCES: Final[dict[m.Source, str]] = {
    "start": "at the founding",
    "bought": "bought",
    "mythic": "earned from a Legend",
    "heirloom": "an heirloom",
    "found": "found on the card",
}
_LOST: Final = {"faded": "faded", "cursed": "was taken by a curse", "found": "was found crossed out"}
_MOST_NAMED: Final = 4


def story(marks: Sequence[Mark]) -> tuple[str, ...]:
    """A sentence a mark, oldest first; what a correction mended says so."""
    telling = _Telling(marks)
    mended = corrections(marks)
    return tuple(telling.of(number) + _mended(mended.get(number)) for number in range(1, len(marks) + 1))


def _mended(by: int | None) -> str:
    return f" (Corrected by mark {by}.)" if by else ""


class _Telling:
    """A band's marks as sentences; some need what other marks say: whom a Monster is called, what a tick did."""

    def __init__(self, marks: Sequence[Mark]) -> None:
        self._marks = marks
        self._did = band_spots.paper_state(marks).did
        self._names = {card: monster.name for card, monster in record(marks).monsters.items()}

    def of(self, number: int) -> str:
        """The sentence of the mark of this number."""
        mark = self._marks[number - 1]
        if isinstance(mark, Corrected):
            return self._correction(number, mark)
        if isinstance(mark, Done):
            return _done(self._did[number], mark)
        return of_no_game(mark) or self._plain(mark)

    def _plain(self, mark: Mark) -> str:
        if isinstance(mark, m.Labelled | m.Peeled):
            name = self._names.get(mark.card)
            monster = f"{name} ({pretty(mark.card)})" if name else f"the Monster on {pretty(mark.card)}"
            return _labelled(mark, monster) if isinstance(mark, m.Labelled) else _peeled(mark, monster)
        return _SENTENCES[type(mark)](mark)

    def _correction(self, number: int, mark: Corrected) -> str:
        who = f"{mark.by} mended mark {mark.of}" if mark.by else f"Mark {mark.of} was mended"
        target = self._marks[mark.of - 1]
        if isinstance(target, Corrected):
            return f"{who} ({told(mark.reason)}). Mark {target.of} stands again as it did before that."
        if mark.instead is None:
            return f"{who} ({told(mark.reason)}). It does not count: “{self.of(mark.of)}”"
        earlier = reversed(self._marks[: number - 1])
        before = next((one.instead for one in earlier if isinstance(one, Corrected) and one.of == mark.of), None)
        return f"{who} ({told(mark.reason)}). {self._otherwise(before or target, mark.instead)}"

    def _otherwise(self, before: Mark, after: Mark) -> str:
        """What a mark says now in place of what it said: of a band's beginning only what differs."""
        beginning = m.Founded | m.Adopted
        if not isinstance(before, beginning) or not isinstance(after, beginning):
            return f"Instead of “{self._plain(before)}” it is: {self._plain(after)}"
        changes = [(before.name, after.name)] if before.name != after.name else []
        there = {creature.card: creature for creature in before.creatures}
        changes += [
            (_creature(there[creature.card]), _creature(creature))
            for creature in after.creatures
            if there[creature.card] != creature
        ]
        return " ".join(f"Instead of {old} it is {new}." for old, new in changes) or "It is told as before."


def _done(done: Sequence[Chore], mark: Done) -> str:
    texts = [f"{chore.text[0].lower()}{chore.text[1:]}" for chore in done]
    more = len(texts) - _MOST_NAMED
    listed = "; ".join(texts[:_MOST_NAMED] if more > 1 else texts)
    tail = f"; and {more} more" if more > 1 else ""
    what = "Found so in the box" if mark.seen else "Done by hand"
    return f"{what}{f', by {mark.by}' if mark.by else ''}: {listed or 'nothing'}{tail}."


def _creature(creature: m.Creature) -> str:
    legend = ", ⭐" if creature.legend else ""
    return f"{creature.name} ({pretty(creature.card)}, HP {creature.hp}, ATK {creature.atk}{legend})"


def _founded(mark: m.Founded) -> str:
    return f"{mark.builder} founded {mark.name} with {', '.join(map(_creature, mark.creatures))}."


def _adopted(mark: m.Adopted) -> str:
    whence = f"with its passport, {mark.length - 1} marks old," if mark.story else "from its paper, as before records,"
    blessed = ", ".join(
        f"{' and '.join(title(name) for name in names)} on {pretty(card)}" for card, names in mark.inscribed.items()
    )
    since = f" (founded {mark.since})" if mark.since else ""
    return (
        f"{mark.name}{since} came in {whence} with {band_spots.box_text(mark.glory, mark.dungeons)}, "
        f"{', '.join(map(_creature, mark.creatures))}; {blessed or 'nothing'} inscribed."
    )


def _inscribed(mark: m.Inscribed) -> str:
    source = f"an heirloom of {mark.origin}" if mark.origin else _SOURCES[mark.source]
    by = f", by {mark.by}" if mark.by else ""
    why = f": {told(mark.reason)}" if mark.reason else ""
    return f"{pretty(mark.card)} received {title(mark.inscription)} ({source}{by}{why})."


def _crossed_out(mark: m.CrossedOut) -> str:
    return f"{title(mark.inscription)} on {pretty(mark.card)} {_LOST[mark.why]}{_found(mark.by, mark.reason)}."


def _carried_off(mark: m.CarriedOff) -> str:
    to = f" for {mark.band}" if mark.band else ""
    return f"{pretty(mark.card)} left with {title(mark.inscription)}{to}, by Tower's Memory."


def _carried_in(mark: m.CarriedIn) -> str:
    whence = f" from {mark.band}" if mark.band else ""
    return f"{pretty(mark.card)} came with {title(mark.inscription)}{whence}, by Tower's Memory."


def _labelled(mark: m.Labelled, monster: str) -> str:
    who = mark.by or "Somebody"
    if mark.reason:
        return f"{who} found {title(mark.label)} on {monster} ({told(mark.reason)})."
    return f"{who} labelled {monster} {title(mark.label)}."


def _peeled(mark: m.Peeled, monster: str) -> str:
    return f"{title(mark.label)} was not found on {monster} any more{_found(mark.by, mark.reason)}."


def _found(by: str, reason: Said) -> str:
    """By whom something was found, and the reason they gave."""
    return f"{f' by {by}' if by else ''}{f' ({told(reason)})' if reason else ''}"


def _played(mark: m.Played) -> str:
    end = "won" if mark.outcome == "win" else "lost"
    bosses = f"{mark.bosses} Boss{'es' if mark.bosses != 1 else ''}"
    return f"{mark.wizard} {end} a dungeon with it, after {bosses}: {mark.glory} Glory."


def _counted(mark: m.Counted) -> str:
    who = f"{mark.by} counted" if mark.by else "The count was"
    return f"{who} {band_spots.box_text(mark.glory, mark.dungeons)} on the box ({told(mark.reason)})."


def _drifted(mark: m.Drifted) -> str:
    return f"The band went to {mark.holder}."


def _retired(mark: m.Retired) -> str:
    keeps = f"; {mark.by or 'its wizard'} keeps {title(mark.heirloom)} as an heirloom" if mark.heirloom else ""
    return f"The band retired{keeps}."


def _carried_on(mark: m.CarriedOn) -> str:
    return f"Its heirloom lives on in {mark.band}."


_SENTENCES: Final[Mapping[type[Mark], Callable[[Any], str]]] = {
    m.Founded: _founded,
    m.Adopted: _adopted,
    m.Inscribed: _inscribed,
    m.CrossedOut: _crossed_out,
    m.CarriedOff: _carried_off,
    m.CarriedIn: _carried_in,
    m.Played: _played,
    m.Counted: _counted,
    m.Drifted: _drifted,
    m.Retired: _retired,
    m.CarriedOn: _carried_on,
}
