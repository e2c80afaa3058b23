"""A band's life in sentences, one a mark."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from companion.games.cards import pretty
from companion.games.decknforge import chores
from companion.games.decknforge import marks as m
from companion.games.decknforge.names import title
from companion.games.records import Chore, Corrected, Done, Joined, Mark, corrections

_SOURCES: Final[dict[m.Source, str]] = {
    "start": "at the founding",
    "bought": "bought",
    "mythic": "earned from a Legend",
    "heirloom": "an heirloom",
    "found": "found on the card",
}
_LOST: Final = {"faded": "faded", "cursed": "was taken by a curse", "found": "was found crossed out"}
_KEPT: Final = {"mine": ", and does not count", "theirs": ", and counts instead of what was told here", "both": ""}
_MOST_NAMED: Final = 4


def story(marks: Sequence[Mark]) -> tuple[str, ...]:
    """A sentence a mark, oldest first; what a correction mended says so."""
    did = chores.standing(marks).did
    mended = corrections(marks)
    return tuple(_told(marks, number, did) + _mended(mended.get(number)) for number in range(1, len(marks) + 1))


def _mended(by: int | None) -> str:
    return f" (Mended by {by}.)" if by else ""


def _told(marks: Sequence[Mark], number: int, did: Mapping[int, tuple[Chore, ...]]) -> str:
    mark = marks[number - 1]
    if isinstance(mark, Corrected):
        return _correction(marks, number, mark, did)
    if isinstance(mark, Done):
        return _done(did[number], mark)
    if isinstance(mark, Joined):
        return f"What another home told of it from mark {mark.fork} on was taken in{_KEPT[mark.kept]}."
    return sentence(mark)


def _correction(marks: Sequence[Mark], number: int, mark: Corrected, did: Mapping[int, tuple[Chore, ...]]) -> str:
    who = f"{mark.by} mended mark {mark.of}" if mark.by else f"Mark {mark.of} was mended"
    target = marks[mark.of - 1]
    if isinstance(target, Corrected):
        return f"{who} ({mark.reason}). Mark {target.of} stands again as it did before that."
    if mark.instead is None:
        return f"{who} ({mark.reason}). It does not count: “{_told(marks, mark.of, did)}”"
    before = next(
        (one.instead for one in reversed(marks[: number - 1]) if isinstance(one, Corrected) and one.of == mark.of),
        None,
    )
    return f"{who} ({mark.reason}). {_otherwise(before or marks[mark.of - 1], mark.instead)}"


def _otherwise(before: Mark, after: Mark) -> str:
    """What a mark says now in place of what it said: of a band's beginning only what differs."""
    beginning = m.Founded | m.Adopted
    if not isinstance(before, beginning) or not isinstance(after, beginning):
        return f"Instead of “{sentence(before)}” it is: {sentence(after)}"
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


def sentence(mark: Mark) -> str:
    """One plain mark in a sentence."""
    return _SENTENCES[type(mark)](mark)


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
        f"{mark.name}{since} came in {whence} with {chores.box_text(mark.glory, mark.dungeons)}, "
        f"{', '.join(map(_creature, mark.creatures))}; {blessed or 'nothing'} inscribed."
    )


def _inscribed(mark: m.Inscribed) -> str:
    source = f"an heirloom of {mark.origin}" if mark.origin else _SOURCES[mark.source]
    by = f", by {mark.by}" if mark.by else ""
    why = f": {mark.reason}" if mark.reason else ""
    return f"{pretty(mark.card)} received {title(mark.inscription)} ({source}{by}{why})."


def _crossed_out(mark: m.CrossedOut) -> str:
    return f"{title(mark.inscription)} on {pretty(mark.card)} {_LOST[mark.why]}{_found(mark.by, mark.reason)}."


def _carried_off(mark: m.CarriedOff) -> str:
    to = f" for {mark.band}" if mark.band else ""
    return f"{pretty(mark.card)} left with {title(mark.inscription)}{to}, by Tower's Memory."


def _carried_in(mark: m.CarriedIn) -> str:
    whence = f" from {mark.band}" if mark.band else ""
    return f"{pretty(mark.card)} came with {title(mark.inscription)}{whence}, by Tower's Memory."


def _labelled(mark: m.Labelled) -> str:
    who, where = mark.by or "Somebody", f"on {pretty(mark.card)} {title(mark.label)}"
    return (
        f"{who} found the Monster {where} ({mark.reason})." if mark.reason else f"{who} labelled the Monster {where}."
    )


def _peeled(mark: m.Peeled) -> str:
    found = _found(mark.by, mark.reason)
    return f"The Monster on {pretty(mark.card)} was found without the label {title(mark.label)}{found}."


def _found(by: str, reason: str) -> str:
    """By whom something was found, and the reason they gave."""
    return f"{f' by {by}' if by else ''}{f' ({reason})' if reason else ''}"


def _played(mark: m.Played) -> str:
    end = "won" if mark.outcome == "win" else "lost"
    bosses = f"{mark.bosses} Boss{'es' if mark.bosses != 1 else ''}"
    return f"{mark.wizard} {end} a dungeon with it, after {bosses}: {mark.glory} Glory."


def _counted(mark: m.Counted) -> str:
    who = f"{mark.by} counted" if mark.by else "Counted were"
    return f"{who} {chores.box_text(mark.glory, mark.dungeons)} on the box ({mark.reason})."


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
    m.Labelled: _labelled,
    m.Peeled: _peeled,
    m.Played: _played,
    m.Counted: _counted,
    m.Drifted: _drifted,
    m.Retired: _retired,
    m.CarriedOn: _carried_on,
}
