"""What a table says in sentences: how it stands, what has changed, and one seat or thing in full."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from companion.archive.errors import Look
from companion.session import changes as comparison
from companion.tabletop.table import Counter, SeatView, TableView, Thing, Zone

_SPOKEN = ((" → ", " to "), (" · ", ", "), ("|", " or "), ("…", "and so on"), ("−", "minus "), ("`", ""))
"""Signs that a screen reader skips or spells out, and what people say instead."""
_SEVERAL = re.compile(r"(?<=[A-Z])…")
_MOST = 20
"""Figures that are said of one change; no game changes more at once but by a new turn."""


def spoken(text: str) -> str:
    """A text as it is read aloud: one line, and words for the signs between others; `CARD…` are CARDs."""
    text = _SEVERAL.sub("s", text)
    for sign, words in _SPOKEN:
        text = text.replace(sign, words)
    return " ".join(text.split())


def led_on(sentence: str, look: Look | None) -> str:
    """A sentence, with the command that leads on where an archive is damaged; all else is asked for where it is."""
    if look != "damage":
        return sentence
    return f"{sentence.rstrip('.')}; companion archive check says what is lost, and with --repair saves the rest."


def changes(before: TableView, after: TableView) -> str:
    """Every figure that screens show and that is another one now, as sentences; "" where none is."""
    return comparison.sentence((found for found in comparison.differences(before, after) if found.shown), _MOST)


def table(view: TableView) -> Iterator[str]:
    """The whole table, a sentence each: its own figures, what lies in the middle, then everybody clockwise."""
    step = next((step.title for step in view.steps if step.name == view.step), view.step)
    figures = _figures(counter for counter in view.counters if counter.name != "step")
    yield " ".join(f"{part}." for part in (view.title, f"Step: {step}" if step else "", figures) if part)
    for zone in view.zones:
        yield from _zone(zone)
    for seat in view.seats:
        yield from _seat(seat)
    if view.rules:
        yield f"House rules: {', '.join(' '.join(rule) for rule in view.rules)}."
    if view.outcome:
        yield f"Outcome: {view.outcome}."
    yield from view.hints


def about(view: TableView, name: str) -> tuple[str, ...]:
    """Everything about a seat or a thing, by its word in the notation or its title; nothing where there is none."""
    for seat in view.seats:
        if name.lower() in (seat.seat, seat.name.lower()):
            return (*_seat(seat), *_sums(seat.counters))
    for thing in view.things():
        if name.lower() in (thing.target.lower(), thing.title.lower()):
            return (_thing(thing), *_sums(thing.counters), *thing.notes)
    return ()


def _zone(zone: Zone) -> Iterator[str]:
    if zone.things:
        yield f"{zone.title}: {'; '.join(_thing(thing) for thing in zone.things)}."


def _seat(seat: SeatView) -> Iterator[str]:
    known = ", ".join(part for part in (f"with {seat.title}" if seat.title else "", *seat.flags) if part)
    yield f"{seat.name}{f' ({known})' if known else ''}: {_figures(seat.counters)}."
    for zone in seat.zones:
        for sentence in _zone(zone):
            yield f"{seat.name}, {sentence}"


def _thing(thing: Thing) -> str:
    return f"{thing.title}: {figures}" if (figures := _figures(thing.counters)) else thing.title


def _figures(counters: Iterable[Counter]) -> str:
    return ", ".join(_figure(counter) for counter in counters if counter.shown and counter.value not in (None, (), ""))


def _figure(counter: Counter) -> str:
    of = f" of {counter.top}" if counter.top is not None else ""
    return f"{counter.caption} {counter.text}{of}"


def _sums(counters: Iterable[Counter]) -> Iterator[str]:
    """The sums behind figures, and those that are said only when somebody asks, by the words that `set` uses."""
    for counter in counters:
        said = _figure(counter) if counter.shown else f"{counter.name.capitalize()} {counter.text}"
        if counter.why or not counter.shown:
            yield f"{said}{f': {counter.why}' if counter.why else ''}."
