"""A table in plain characters, for `companion replay` and for logs of bugs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from companion.games.table import Counter, TableView, Thing


def draw(view: TableView) -> str:
    """The whole table as lines of text."""
    return "\n".join(_rows(view))


def _rows(view: TableView) -> Iterator[str]:
    yield f"{view.title} · {_figures(view.counters)}"
    for zone in view.zones:
        for thing in zone.things:
            yield f"  {_name(thing)}: {_figures(thing.counters)}"
    for seat in view.seats:
        yield f"{seat.name}{_flags(seat.flags)}: {_figures(seat.counters)}"
        for zone in seat.zones:
            for thing in zone.things:
                yield f"  {zone.title}: {_name(thing)} {_figures(thing.counters)}".rstrip()
    for prompt in view.prompts:
        yield f"→ {prompt.text}"


def _name(thing: Thing) -> str:
    return thing.title + _flags(thing.words)


def _flags(words: Sequence[str]) -> str:
    return f" ({', '.join(words)})" if words else ""


def _figures(counters: Sequence[Counter]) -> str:
    return " · ".join(f"{counter.title or counter.name} {counter.text}" for counter in counters)
