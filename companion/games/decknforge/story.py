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
from companion.games.records import Mark
from companion.games.story import Story

_SOURCES: Final[dict[m.Source, str]] = {
    "start": "at the founding",
    "bought": "bought",
    "mythic": "earned from a Legend",
    "heirloom": "an heirloom",
    "found": "found on the card",
}
_LOST: Final = {"faded": "faded", "cursed": "was taken by a curse", "found": "was found crossed out"}


def story(marks: Sequence[Mark]) -> tuple[str, ...]:
    """A sentence a mark, oldest first; what a correction mended says so."""
    return _BandStory(marks).told()


class _BandStory(Story):
    """A band's marks; some need to know what a Monster is called."""

    reason = staticmethod(told)

    def __init__(self, marks: Sequence[Mark]) -> None:
        super().__init__(marks, band_spots.paper_state(marks).did)
        self._names = {card: monster.name for card, monster in record(marks).monsters.items()}

    def plain(self, number: int, mark: Mark) -> str:  # noqa: ARG002 – a band's marks tell all by themselves
        """The sentence of a mark."""
        if isinstance(mark, m.Labelled | m.Peeled):
            name = self._names.get(mark.card)
            monster = f"{name} ({pretty(mark.card)})" if name else f"the Monster on {pretty(mark.card)}"
            return _labelled(mark, monster) if isinstance(mark, m.Labelled) else _peeled(mark, monster)
        return _SENTENCES[type(mark)](mark)

    def otherwise(self, number: int, before: Mark, after: Mark) -> str:
        """Of a band's beginning only what differs."""
        beginning = m.Founded | m.Adopted
        if not isinstance(before, beginning) or not isinstance(after, beginning):
            return super().otherwise(number, before, after)
        changes = [(before.name, after.name)] if before.name != after.name else []
        there = {creature.card: creature for creature in before.creatures}
        changes += [
            (_creature(there[creature.card]), _creature(creature))
            for creature in after.creatures
            if there[creature.card] != creature
        ]
        return " ".join(f"Instead of {old} it is {new}." for old, new in changes) or "It is told as before."


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
