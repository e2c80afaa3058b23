"""The portrait of a deck built from a list: its legality, its card types, its cost curve, and its list."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

from msgspec.structs import replace

from companion.tabletop.constructed.keeping import DeckLists
from companion.tabletop.constructed.record import ConstructedRecord
from companion.tabletop.decks.decklist import DeckCard, ListedCard, by_key, part_sizes
from companion.tabletop.decks.portrait import Chart, DeckVerdict, Listing, Part, PortraitBar, PortraitLine
from companion.tabletop.text import quantity


class CardProfile(NamedTuple):
    """The profile of a card: its type, its cost if that is a number, and further short remarks."""

    kind: str
    cost: int | None = None
    about: tuple[str, ...] = ()


Profile = Callable[[ListedCard], CardProfile]
"""A game's reader for the line of a card."""


def record_summary(deck: ConstructedRecord) -> Iterator[str]:
    """Yield the version of the deck, the results of its matches, and its holder."""
    matches = f"{deck.won} won, {deck.lost} lost" + (f", {deck.draws} drawn" if deck.draws else "")
    holder = f" · held by {deck.holder}" if deck.holder else ""
    yield f"Version {deck.version} · {matches}{holder}"
    if deck.retired:
        yield "It has retired."
    if deck.omitted:
        yield f"Its passport left out {' and '.join(deck.omitted)}, which nobody knows here."


def verdict_on(lists: DeckLists, cards: Sequence[DeckCard]) -> DeckVerdict:
    """Return the verdict on some cards by the rules for decks."""
    flaws = lists.broken_rules(cards)
    parts = len({card.part for card in cards})
    size = part_sizes(cards) if parts > 1 else quantity(sum(card.copies for card in cards), "card")
    return DeckVerdict(f"{'No' if flaws else 'A'} legal deck: {size}", flaws)


def list_parts(
    cards: Sequence[DeckCard], profile: Profile, curve: Chart | None, against: Sequence[DeckCard] | None = None
) -> Iterator[Part]:
    """Yield the number of cards of each type, the curve, and the list by type.

    With `against`, each card has the difference in copies to that list.
    """
    other = by_key(against or ())
    profiles = [(card, profile(card.listed_card)) for card in cards]
    kinds: Counter[str] = Counter()
    for card, read in profiles:
        kinds[read.kind] += card.copies
    if len(kinds) > 1:
        yield Chart("Types", tuple(PortraitBar(kind, count) for kind, count in kinds.items()))
    if curve is not None:
        yield curve
    groups = dict.fromkeys((card.part, read.kind) for card, read in profiles)
    for part, kind in groups:
        group = [(card, read) for card, read in profiles if (card.part, read.kind) == (part, kind)]
        group.sort(key=lambda each: each[1].cost or 0)
        count = quantity(sum(card.copies for card, _ in group), "card")
        lines = tuple(
            PortraitLine(
                card.name,
                card.copies,
                about=read.about,
                change=0 if against is None else card.copies - (other[card.key].copies if card.key in other else 0),
            )
            for card, read in group
        )
        where = "" if part == cards[0].part else f" of the {part}"
        yield Listing(f"{kind}{where}, {count}", lines)


def on_one_scale(parts: Iterable[Part], others: Iterable[Part]) -> Iterator[Part]:
    """Yield the parts, with each chart scaled to the chart with the same title in `others`, for comparison."""
    most = {other.title: max(bar.value for bar in other.bars) for other in others if isinstance(other, Chart)}
    for part in parts:
        yield replace(part, most=most.get(part.title, 0)) if isinstance(part, Chart) else part


def cost_curve(cards: Sequence[DeckCard], profile: Profile, title: str) -> Chart | None:
    """Return a chart of the number of cards at each cost, in ascending order; None if no card has a cost."""
    costs: Counter[int] = Counter()
    for card in cards:
        cost = profile(card.listed_card).cost
        if cost is not None:
            costs[cost] += card.copies
    if not costs:
        return None
    return Chart(title, tuple(PortraitBar(str(cost), costs[cost]) for cost in range(min(costs), max(costs) + 1)))
