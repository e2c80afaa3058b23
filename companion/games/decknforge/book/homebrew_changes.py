"""The changes of a homebrew's book against another one, in sentences."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from companion.games.decknforge.book.effect import Effect, EffectBook
from templates.languages.messages import Finished, Text, declared, phrase


def describe_changes(before: EffectBook, after: EffectBook) -> Iterator[Text]:
    """Yield the changes of a book against another one, in sentences about each inscription and label."""
    for name, effect in after.inscriptions.items():
        price = after.price(name)
        if earlier := before.inscriptions.get(name):
            yield from _effect_changes(earlier, effect, earlier.tier, effect.tier)
            if price != before.price(name) and price is not None:
                yield phrase("{effect} costs {price} now.", effect=earlier.title, price=price)
        elif price is None:
            yield phrase("New: {effect}.", effect=effect.title)
        else:
            yield phrase("New: {effect}, at {price}.", effect=effect.title, price=price)
    for name, label in after.labels.items():
        if earlier_label := before.labels.get(name):
            tiers = before.label_tier_of(name), after.label_tier_of(name)
            yield from _effect_changes(earlier_label, label, *tiers)
        else:
            yield phrase("New: {effect}.", effect=label.title)


def _effect_changes(before: Effect, after: Effect, tier_before: str, tier: str) -> Iterator[Text]:
    title = before.title
    if before.title != after.title:
        yield phrase("{effect} is called {title} now.", effect=title, title=after.title)
    if tier_before != tier:
        yield phrase("{effect} is {tier} now.", effect=title, tier=declared(tier.capitalize()))
    if before.effect != after.effect:
        yield phrase("{effect} says “{text}” now.", effect=title, text=Finished(after.effect))
    elif _effect_figures(before) != _effect_figures(after):
        yield phrase("{effect} does something else now.", effect=title)
    if before.withdrawn != after.withdrawn:
        yield (
            phrase("{effect} is no longer given to cards.", effect=title)
            if after.withdrawn
            else phrase("{effect} is given to cards again.", effect=title)
        )


_NOT_FIGURES: Final = frozenset({"called", "text", "tier", "price", "withdrawn", "translate", "_in_short"})


def _effect_figures(effect: Effect) -> Mapping[str, Any]:
    return {name: value for name, value in vars(effect).items() if name not in _NOT_FIGURES}
