"""The answers to the fields of a form that is being filled in."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec

from companion.tabletop.decks.form import Field, FormPlace, Values

_BRIEF = 4
"""The number of answers that suffice to recognize a form."""

_PLAIN = ""
"""The part of an answer that has no parts."""


Snapshot = tuple[tuple[str, tuple[tuple[tuple[str, str], ...], ...]], ...]
"""The answers to a form's fields at one time."""


class Answers:
    """The answers to a form's fields. A repeated field has room for one more after its last answer."""

    def __init__(self, fields: Sequence[Field], begun: Values) -> None:
        self.fields = tuple(fields)
        self._entries = {name: _entries(value) for name, value in begun.items()}
        self.left_at: FormPlace | None = None
        """The place at which the user left the form."""

    def places(self) -> tuple[FormPlace, ...]:
        """Return all places that can be answered, in order."""
        return tuple(place for field in self.fields for place in self._places(field))

    def _places(self, field: Field) -> Iterator[FormPlace]:
        if not field.many and not field.parts:
            yield FormPlace(field.name)
            return
        for number in range(self.room(field)):
            for part in field.parts or (None,):
                yield FormPlace(field.name, number, part.name if part else _PLAIN)

    def count(self, field: Field) -> int:
        """Return the number of answers to a repeated field."""
        return len(self._entries.get(field.name, ()))

    def room(self, field: Field) -> int:
        """Return the number of answers that have room: one more than there are, up to the maximum of the field."""
        if not field.many:
            return 1
        count = self.count(field)
        return count if field.most is not None and count >= field.most else count + 1

    def field(self, place: FormPlace) -> Field:
        """Return the field at a place, or its part."""
        field = next(field for field in self.fields if field.name == place.field)
        return field.part(place.part) if place.part else field

    def get(self, place: FormPlace) -> str:
        """Return the answer at a place; "" if there is none yet."""
        entries = self._entries.get(place.field, [])
        number = place.entry or 0
        return entries[number].get(place.part, "") if number < len(entries) else ""

    def put(self, place: FormPlace, text: str) -> None:
        """Set the answer at a place."""
        if text == self.get(place):
            return
        entries = self._entries.setdefault(place.field, [])
        number = place.entry or 0
        while len(entries) <= number:
            entries.append({})
        entries[number][place.part] = text

    def remove(self, place: FormPlace) -> None:
        """Remove the whole answer that a place belongs to; the following ones move up."""
        entries = self._entries.get(place.field, [])
        number = place.entry or 0
        if number < len(entries):
            del entries[number]

    @property
    def snapshot(self) -> Snapshot:
        """The current answers, to be restored later."""
        return tuple(
            (name, tuple(tuple((part, text) for part, text in answer.items() if text) for answer in entries))
            for name, entries in sorted(self._entries.items())
            if any(map(_says_something, entries))
        )

    def restore(self, snapshot: Snapshot) -> None:
        """Restore the answers of a snapshot."""
        self._entries = {name: [dict(answer) for answer in entries] for name, entries in snapshot}

    def drop_empty_entries(self, place: FormPlace) -> FormPlace:
        """Drop empty repeated answers; return the new position of a place."""
        for field in self.fields:
            entries = self._entries.get(field.name, [])
            if not field.many or all(map(_says_something, entries)):
                continue
            if field.name == place.field and place.entry is not None:
                gone = sum(not _says_something(answer) for answer in entries[: place.entry])
                place = msgspec.structs.replace(place, entry=place.entry - gone)
            self._entries[field.name] = [answer for answer in entries if _says_something(answer)]
        return place

    def in_brief(self) -> str:
        """Return the first words of the answers, by which the user recognizes the form."""
        all_entries = ((name, entry) for name, entries in self._entries.items() for entry in entries)
        first_parts = ((name, part, text) for name, entry in all_entries for part, text in _first_part(entry))
        texts = [self._write_answer(name, part, text.strip()).splitlines()[0] for name, part, text in first_parts]
        return ", ".join(texts[:_BRIEF]) + (" …" if len(texts) > _BRIEF else "")

    def _write_answer(self, name: str, part: str, text: str) -> str:
        """Return an answer by its title, if its field is known and has one for it."""
        field = next((field for field in self.fields if field.name == name), None)
        return text if field is None else (field.part(part) if part else field).write_answer(text)

    def values(self) -> dict[str, Any]:
        """Return the answers as values for a form."""
        answers = ((field.name, self._value(field)) for field in self.fields)
        return {name: value for name, value in answers if value}

    def _value(self, field: Field) -> Any:
        entries = self._entries.get(field.name, [])
        answers = [{part: text.strip() for part, text in entry.items() if text.strip()} for entry in entries]
        if not field.parts:
            texts = [answer.get(_PLAIN, "") for answer in answers]
            return texts if field.many else next(iter(texts), "")
        return answers if field.many else next(iter(answers), None)


def _first_part(entry: Mapping[str, str]) -> Sequence[tuple[str, str]]:
    """Return the first part of an answer that says something, with its text; nothing for an empty answer."""
    return [(part, text) for part, text in entry.items() if text.strip()][:1]


def _entries(value: Any) -> list[dict[str, str]]:
    """Convert the value of a field, of any shape, to answers by their parts."""
    if isinstance(value, str):
        return [{_PLAIN: value}]
    if isinstance(value, Mapping):
        return [dict(value)]
    return [dict(answer) if isinstance(answer, Mapping) else {_PLAIN: str(answer)} for answer in value]


def _says_something(answer: Mapping[str, str]) -> bool:
    return any(text.strip() for text in answer.values())
