"""The portrait of a deck built from a list: its legality, its card types, its cost curve, and its list."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

from msgspec.structs import replace

from companion.tabletop.constructed.lists import DeckLists
from companion.tabletop.constructed.record import ConstructedRecord
from companion.tabletop.decks.decklist import DeckCard, ListedCard, by_key, part_sizes
from companion.tabletop.decks.portrait import Chart, DeckVerdict, Listing, Part, PortraitBar, PortraitLine
from companion.tabletop.words import join_with_and
from templates.languages.messages import Message, Text, declared, joined, phrase, phrases


class CardProfile(NamedTuple):
    """The profile of a card: its type, its cost if that is a number, and further short remarks."""

    kind: Text
    cost: int | None = None
    about: tuple[Text, ...] = ()


Profile = Callable[[ListedCard], CardProfile]
"""A game's reader for the line of a card."""


def record_summary(deck: ConstructedRecord) -> Iterator[Text]:
    """Yield the version of the deck, the results of its matches, and its holder."""
    won, lost, draws = str(deck.won), str(deck.lost), str(deck.draws)
    if deck.draws:
        matches = phrase("{won} won, {lost} lost, {drawn} drawn", won=won, lost=lost, drawn=draws)
    else:
        matches = phrase("{won} won, {lost} lost", won=won, lost=lost)
    holder = (phrase("held by {holder}", holder=deck.holder),) if deck.holder else ()
    yield joined(" · ", (phrase("Version {version}", version=str(deck.version)), matches, *holder))
    if deck.retired:
        yield phrase("It has retired.")
    if deck.omitted:
        # Translators: {parts} are parts of a deck's record: “says”, “cards”.
        yield phrase(
            "Its passport left out {parts}, so they are not known here.",
            parts=join_with_and(map(declared, deck.omitted)),
        )


def verdict_on(lists: DeckLists, cards: Sequence[DeckCard]) -> DeckVerdict:
    """Return the verdict on some cards by the rules for decks."""
    flaws = lists.broken_rules(cards)
    parts = len({card.part for card in cards})
    size = part_sizes(cards) if parts > 1 else _count_cards(sum(card.copies for card in cards))
    # Translators: {size} is “60 cards”, or “60 main, 4 forge”.
    title = phrase("Not a legal deck: {size}", size=size) if flaws else phrase("A legal deck: {size}", size=size)
    return DeckVerdict(title, flaws)


def _count_cards(cards: int) -> Message:
    return phrases("{n} card", "{n} cards", n=cards)


def list_parts(
    cards: Sequence[DeckCard], profile: Profile, curve: Chart | None, against: Sequence[DeckCard] | None = None
) -> Iterator[Part]:
    """Yield the number of cards of each type, the curve, and the list by type.

    With `against`, each card has the difference in copies to that list.
    """
    other = by_key(against or ())
    profiles = [(card, profile(card.listed_card)) for card in cards]
    kinds: Counter[Text] = Counter()
    for card, read in profiles:
        kinds[read.kind] += card.copies
    if len(kinds) > 1:
        yield Chart(phrase("Types"), tuple(PortraitBar(kind, count) for kind, count in kinds.items()))
    if curve is not None:
        yield curve
    groups = dict.fromkeys((card.part, read.kind) for card, read in profiles)
    for part, kind in groups:
        group = [(card, read) for card, read in profiles if (card.part, read.kind) == (part, kind)]
        group.sort(key=lambda each: each[1].cost or 0)
        count = _count_cards(sum(card.copies for card, _ in group))
        lines = tuple(
            PortraitLine(
                card.name,
                card.copies,
                about=read.about,
                change=0 if against is None else card.copies - (other[card.key].copies if card.key in other else 0),
            )
            for card, read in group
        )
        if part == cards[0].part:
            title = phrase("{kind}, {cards}", kind=kind, cards=count)
        else:
            # Translators: {kind} is a type of card such as “Action”, {part} a part of a deck such as “forge”.
            title = phrase("{kind} of the {part}, {cards}", kind=kind, part=declared(part), cards=count)
        yield Listing(title, lines)


def on_one_scale(parts: Iterable[Part], others: Iterable[Part]) -> Iterator[Part]:
    """Yield the parts, with each chart scaled to the chart with the same title in `others`, for comparison."""
    most = {other.title: max(bar.value for bar in other.bars) for other in others if isinstance(other, Chart)}
    for part in parts:
        yield replace(part, most=most.get(part.title, 0)) if isinstance(part, Chart) else part


def cost_curve(cards: Sequence[DeckCard], profile: Profile, title: Text) -> Chart | None:
    """Return a chart of the number of cards at each cost, in ascending order; None if no card has a cost."""
    costs: Counter[int] = Counter()
    for card in cards:
        cost = profile(card.listed_card).cost
        if cost is not None:
            costs[cost] += card.copies
    if not costs:
        return None
    return Chart(title, tuple(PortraitBar(str(cost), costs[cost]) for cost in range(min(costs), max(costs) + 1)))
