"""What labels say, from the files in which it stands as data: each game's texts, starter sheet and tiers.

Separate because these words are edited by people who touch no code.
"""

from collections.abc import Iterator
from functools import cache
from typing import Annotated

import msgspec

from companion.games import registry
from companion.games.paper import Design, LabelText, LabelTier, Paper, Printable, Wording
from companion.press import templates
from companion.press.drawing import drawn
from labels.label import Label


class _Group(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The labels of one tier with what they say, by their names, in the order of the sheet."""

    kind: str
    design: Design
    tier: str
    mark: str
    colour: Annotated[str, msgspec.Meta(pattern="^#[0-9A-F]{6}$")]
    copies: int
    effects: dict[str, str]

    @property
    def rank(self) -> LabelTier:
        return LabelTier(self.tier, self.mark, self.colour)

    def texts(self) -> Iterator[LabelText]:
        return (LabelText(name, effect, self.design, self.rank) for name, effect in self.effects.items())


class _File(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    group: tuple[_Group, ...]


class TierLook(msgspec.Struct, frozen=True):
    """How labels of a tier look."""

    design: Design
    tier: LabelTier


def wording(game: Printable) -> Wording:
    """A game's label texts; empty where it has no file of them."""
    return _wording(game.data, game.name)


@cache
def _wording(package: str, game: str) -> Wording:
    groups = _groups(package, game)
    texts = {(group.kind, notation(text.title)): text for group in groups for text in group.texts()}
    starter = (text for group in groups for text in group.texts() for _ in range(group.copies))
    return Wording(texts, tuple(starter))


def _groups(package: str, game: str) -> tuple[_Group, ...]:
    found = templates.toml(package, "labels", f"{game}.toml")
    return () if found is None else msgspec.convert(found, _File).group


def notation(title: str) -> str:
    """`Hunter's Edge` → `hunters-edge`"""
    return "".join(symbol for symbol in title.lower().replace(" ", "-") if symbol.isalnum() or symbol == "-")


def starter(game: Printable) -> tuple[Label, ...]:
    """The labels of a game's starter sheet, in its order; none where it has no such sheet."""
    return tuple(map(drawn, (game.paper or Paper()).starter(wording(game))))


def with_starter(name: str | None) -> Printable:
    """The game of this name, or the first that has a starter sheet. Raises LabelError, NotationError."""
    return templates.chosen(name, lambda game: bool(starter(game)), "starter sheet")


def tiers() -> dict[str, TierLook]:
    """How labels of each tier look, by its name in small letters; of two games with the same word the first counts."""
    found: dict[str, TierLook] = {}
    for game in registry.all_printable():
        for group in _groups(game.data, game.name):
            found.setdefault(group.tier.lower(), TierLook(group.design, group.rank))
    return found
