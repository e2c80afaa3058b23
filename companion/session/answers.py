"""What is filled in on a form while people type: places in order, and the answers as plain data.

Separate from what the answers come to, which the form says, and from any screen.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from companion.games.form import Field, Place, Values

_PLAIN = ""
"""The one part of an answer that has no parts."""


class Answers:
    """The answers to a form's fields; behind the last answer to a field that is repeated there is room for one more."""

    def __init__(self, fields: Sequence[Field], begun: Values) -> None:
        self.fields = tuple(fields)
        self._said = {name: _entries(value) for name, value in begun.items()}
        self.left_at: Place | None = None
        """Where people were when they left the form."""

    def places(self) -> tuple[Place, ...]:
        """Everywhere that something can be answered, in order."""
        return tuple(place for field in self.fields for place in self._places(field))

    def _places(self, field: Field) -> Iterator[Place]:
        if not field.many and not field.parts:
            yield Place(field.name)
            return
        for number in range(self.room(field)):
            for part in field.parts or (None,):
                yield Place(field.name, number, part.name if part else _PLAIN)

    def count(self, field: Field) -> int:
        """How many answers to a repeated field there are."""
        return len(self._said.get(field.name, ()))

    def room(self, field: Field) -> int:
        """How many answers there is room for now: one more than there are, up to the most that there can be."""
        if not field.many:
            return 1
        count = self.count(field)
        return count if field.most is not None and count >= field.most else count + 1

    def field(self, place: Place) -> Field:
        """What is asked at a place."""
        field = next(field for field in self.fields if field.name == place.field)
        return field.part(place.part) if place.part else field

    def get(self, place: Place) -> str:
        """What is answered at a place; "" where nothing is yet."""
        said = self._said.get(place.field, [])
        number = place.entry or 0
        return said[number].get(place.part, "") if number < len(said) else ""

    def put(self, place: Place, text: str) -> None:
        """Answer at a place."""
        if text == self.get(place):
            return
        said = self._said.setdefault(place.field, [])
        number = place.entry or 0
        while len(said) <= number:
            said.append({})
        said[number][place.part] = text

    def remove(self, place: Place) -> None:
        """Take back the whole answer that a place belongs to; those that follow move up."""
        said = self._said.get(place.field, [])
        number = place.entry or 0
        if number < len(said):
            del said[number]

    def tidied(self, place: Place) -> Place:
        """Drop repeated answers that say nothing any more; gives where a place is now."""
        for field in self.fields:
            said = self._said.get(field.name, [])
            if not field.many or all(map(_says_something, said)):
                continue
            if field.name == place.field and place.entry is not None:
                gone = sum(not _says_something(answer) for answer in said[: place.entry])
                place = place._replace(entry=place.entry - gone)
            self._said[field.name] = [answer for answer in said if _says_something(answer)]
        return place

    def values(self) -> dict[str, Any]:
        """All that is answered, as a form takes it."""
        told = ((field.name, self._value(field)) for field in self.fields)
        return {name: value for name, value in told if value}

    def _value(self, field: Field) -> Any:
        answers = [_without_gaps(answer) for answer in self._said.get(field.name, [])]
        if not field.parts:
            texts = [answer.get(_PLAIN, "") for answer in answers]
            return texts if field.many else next(iter(texts), "")
        return answers if field.many else next(iter(answers), None)


def _entries(value: Any) -> list[dict[str, str]]:
    """A field's value, of whatever shape, as answers by their parts."""
    if isinstance(value, str):
        return [{_PLAIN: value}]
    if isinstance(value, Mapping):
        return [dict(value)]
    return [dict(answer) if isinstance(answer, Mapping) else {_PLAIN: str(answer)} for answer in value]


def _says_something(answer: Mapping[str, str]) -> bool:
    return any(text.strip() for text in answer.values())


def _without_gaps(answer: Mapping[str, str]) -> dict[str, str]:
    return {part: text.strip() for part, text in answer.items() if text.strip()}
