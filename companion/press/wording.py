"""DecknForge's starter sheet, from the words that stand as data in the templates.

Separate because inscriptions and Monster labels are worded once, in a file that people edit without touching code.
"""

import tomllib
from collections.abc import Callable, Iterator
from functools import cache
from importlib import resources
from typing import Annotated, TypeVar

import msgspec

from labels.designs import Inscription, MonsterLabel, Tier

_Design = TypeVar("_Design", MonsterLabel, Inscription)


class _Rank(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One tier and its effects by name, in the order of the sheet."""

    tier: str
    mark: str
    colour: Annotated[str, msgspec.Meta(pattern="^#[0-9A-F]{6}$")]
    copies: int
    effects: dict[str, str]


class _Wording(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    monster_labels: tuple[_Rank, ...]
    inscriptions: tuple[_Rank, ...]


def starter() -> tuple[MonsterLabel | Inscription, ...]:
    """The labels of a starter sheet in the order of the rulebook's appendix.

    The 15 Monster labels by tier, the Commons and the Uncommons three times each, the Rares, the Mythics: a column of a
    sheet of 4 × 15 each, the last two sharing one.
    """
    wording = _read()
    monsters, inscriptions = _labels(MonsterLabel, wording.monster_labels), _labels(Inscription, wording.inscriptions)
    return (*monsters, *inscriptions)


def inscription(name: str, card: str = "") -> Inscription:
    """The label of an inscription, by its name in the table notation (`hunters-edge`), for a card (`7♠`)."""
    label = _named(_labels(Inscription, _read().inscriptions), name)
    return msgspec.structs.replace(label, card=card)


def monster_label(name: str, card: str = "") -> MonsterLabel:
    """The label for a Monster's card, by its name in the table notation (`rampage`), for a card (`A♠`)."""
    label = _named(_labels(MonsterLabel, _read().monster_labels), name)
    return msgspec.structs.replace(label, card=card)


def tiers() -> dict[str, tuple[type[MonsterLabel] | type[Inscription], Tier]]:
    """Each tier by its name in small letters, with the design of the labels that it ranks."""
    wording = _read()
    monsters = {rank.tier.lower(): (MonsterLabel, _tier(rank)) for rank in wording.monster_labels}
    inscriptions = {rank.tier.lower(): (Inscription, _tier(rank)) for rank in wording.inscriptions}
    return {**monsters, **inscriptions}


@cache
def _read() -> _Wording:
    text = (resources.files("templates") / "labels" / "decknforge.toml").read_text(encoding="utf-8")
    return msgspec.convert(tomllib.loads(text), _Wording)


def _named(labels: Iterator[_Design], name: str) -> _Design:
    return next(label for label in labels if _notation(label.title) == name)


def _notation(title: str) -> str:
    """`Hunter's Edge` → `hunters-edge`"""
    return "".join(symbol for symbol in title.lower().replace(" ", "-") if symbol.isalnum() or symbol == "-")


def _tier(rank: _Rank) -> Tier:
    return Tier(rank.tier, rank.mark, rank.colour)


def _labels(design: Callable[[str, str, Tier], _Design], ranks: tuple[_Rank, ...]) -> Iterator[_Design]:
    return (
        design(name, effect, _tier(rank))
        for rank in ranks
        for name, effect in rank.effects.items()
        for _ in range(rank.copies)
    )
