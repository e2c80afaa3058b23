"""From what a label says to how it looks: the one place where a game's label texts meet the designs."""

from collections.abc import Callable, Mapping

from companion.games.paper import Design, LabelText, LabelTier
from labels.designs import EffectLabel, FiguresLabel, HeadedLabel, Plain, StripLabel, Tier
from labels.label import Label


def drawn(text: LabelText) -> Label:
    """The label that says this."""
    return _DESIGNS[text.design](text)


def tier(given: LabelTier) -> Tier:
    """A tier as the designs know it."""
    return Tier(given.title, given.mark, given.colour)


def _ranked(text: LabelText) -> Tier:
    assert text.tier is not None, f"“{text.title}” needs a tier to be drawn as {text.design}"
    return tier(text.tier)


_DESIGNS: Mapping[Design, Callable[[LabelText], Label]] = {
    "plain": lambda text: Plain(text.title, text.text),
    "effect": lambda text: EffectLabel(text.title, text.text, _ranked(text), text.card),
    "headed": lambda text: HeadedLabel(text.title, text.text, _ranked(text), text.card),
    "figures": lambda text: FiguresLabel(
        text.title, text.figures, tier(text.tier) if text.tier else None, text.card, text.note, text.text
    ),
    "strip": lambda text: StripLabel(text.title, text.figures, text.note),
}
