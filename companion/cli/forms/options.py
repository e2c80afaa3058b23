"""A form's fields as options, and what was typed for them as the form's answers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import click

from companion.cli.common import Misused, text_of
from companion.tabletop.form import Field, Form, Values


def parameters(form: Form) -> Iterator[click.Parameter]:
    """What can be typed: the form's first field as an argument, each other as an option."""
    first, *others = form.fields
    yield click.Argument([_key(first)], metavar=first.name.upper())
    for field in others:
        yield _option(field)


def _option(field: Field) -> click.Option:
    number = click.IntRange(field.least, field.most) if field.kind == "number" else None
    return click.Option(
        [f"--{field.name}", _key(field)],
        required=field.required,
        multiple=field.many,
        metavar=_metavar(field) or None,
        type=click.File("rb") if field.kind == "list" else number,
        default=(int(field.default) if number else field.default) if field.default else None,
        show_default=bool(field.default),
        is_flag=field.kind == "flag",
        help=field.help,
    )


def _key(field: Field) -> str:
    """The field's name as a word of Python."""
    return field.name.replace("-", "_")


def _metavar(field: Field) -> str:
    """`CARD[=NAME]`"""
    if not field.parts:
        return field.word
    first, *rest = field.parts
    words = [f"={_word(part)}" if part.required else f"[={_word(part)}]" for part in rest]
    return "".join((_word(first), *words))


def _word(field: Field) -> str:
    return field.word or field.name.upper()


def values(form: Form, typed: Mapping[str, Any]) -> Values:
    """The form's answers as they were typed; what was not said is left out. Raises Misused."""
    said = {field: typed.get(_key(field)) for field in form.fields}
    return {field.name: _answer(field, value) for field, value in said.items() if value not in (None, (), False)}


def _answer(field: Field, typed: Any) -> Any:
    if field.kind == "flag":
        return "yes"
    if field.kind == "list":
        return text_of(typed)
    if field.many:
        return [_divided(field, str(text)) for text in typed]
    return _divided(field, str(typed))


def _divided(field: Field, text: str) -> Any:
    """A text, or for a field made of parts each of them by its name."""
    if not field.parts:
        return text
    parts = text.split("=", len(field.parts) - 1)
    needed = sum(part.required for part in field.parts)
    if len(parts) < needed:
        raise Misused(f"“{text}” cannot be read; write --{field.name} '{field.example}'.")
    return {part.name: given.strip() for part, given in zip(field.parts, parts, strict=False)}
