"""A deck that is built from a list as its page shows it: is it legal, how many of what, what they cost, the list."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

from msgspec.structs import replace

from companion.tabletop.constructed.keeping import DeckLists
from companion.tabletop.constructed.record import ConstructedRecord
from companion.tabletop.decklist import DeckCard, ListedCard, by_key, counted
from companion.tabletop.portrait import Bar, Chart, Line, Listing, Part, Verdict
from companion.tabletop.text import quantity


class CardProfile(NamedTuple):
    """What a card's line says: its type, what it costs where that is a figure, and what else matters, in few words."""

    kind: str
    cost: int | None = None
    about: tuple[str, ...] = ()


Profile = Callable[[ListedCard], CardProfile]
"""How a game reads the line of a card."""


def record_summary(deck: ConstructedRecord) -> Iterator[str]:
    """Which version it is, how its matches went, and who holds it."""
    matches = f"{deck.won} won, {deck.lost} lost" + (f", {deck.draws} drawn" if deck.draws else "")
    holder = f" · held by {deck.holder}" if deck.holder else ""
    yield f"Version {deck.version} · {matches}{holder}"
    if deck.retired:
        yield "It has retired."
    if deck.omitted:
        yield f"Its passport left out {' and '.join(deck.omitted)}, which nobody knows here."


def verdict_on(lists: DeckLists, cards: Sequence[DeckCard]) -> Verdict:
    """Whether cards are a deck by the rules, and if not, why."""
    flaws = lists.broken_rules(cards)
    parts = len({card.part for card in cards})
    size = counted(cards) if parts > 1 else quantity(sum(card.copies for card in cards), "card")
    return Verdict(f"{'No' if flaws else 'A'} legal deck: {size}", flaws)


def list_parts(
    cards: Sequence[DeckCard], profile: Profile, curve: Chart | None, against: Sequence[DeckCard] | None = None
) -> Iterator[Part]:
    """How many cards there are of each type, the curve, and the list by type; with `against` each card with how many
    copies more it has than in that list.
    """
    other = by_key(against or ())
    profiles = [(card, profile(card.listed)) for card in cards]
    kinds: Counter[str] = Counter()
    for card, read in profiles:
        kinds[read.kind] += card.copies
    if len(kinds) > 1:
        yield Chart("Types", tuple(Bar(kind, count) for kind, count in kinds.items()))
    if curve is not None:
        yield curve
    groups = dict.fromkeys((card.part, read.kind) for card, read in profiles)
    for part, kind in groups:
        group = [(card, read) for card, read in profiles if (card.part, read.kind) == (part, kind)]
        group.sort(key=lambda each: each[1].cost or 0)
        count = quantity(sum(card.copies for card, _ in group), "card")
        lines = tuple(
            Line(
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
    """Parts whose charts are as long as those of the same title among others, so that they can be compared."""
    most = {other.title: max(bar.value for bar in other.bars) for other in others if isinstance(other, Chart)}
    for part in parts:
        yield replace(part, most=most.get(part.title, 0)) if isinstance(part, Chart) else part


def cost_curve(cards: Sequence[DeckCard], profile: Profile, title: str) -> Chart | None:
    """How many cards cost how much, from the least to the most; None where no line says what a card costs."""
    costs: Counter[int] = Counter()
    for card in cards:
        cost = profile(card.listed).cost
        if cost is not None:
            costs[cost] += card.copies
    if not costs:
        return None
    return Chart(title, tuple(Bar(str(cost), costs[cost]) for cost in range(min(costs), max(costs) + 1)))
