"""Founding a band, and its validity: the predicates V1.1–V1.15, each naming the rule it enforces."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from typing import Final

import msgspec

from companion.games.decknforge.book.effect import MYTHIC, EffectBook
from companion.games.decknforge.book.house import House
from companion.games.decknforge.book.standard import STANDARD
from companion.games.decknforge.book.state import MONSTER_CARDS, PRINTED, Monster, count_of, is_hero
from companion.tabletop.decks.form import Finding, FormPlace
from companion.tabletop.notation.cards import PACK, Card, pretty, rank
from companion.tabletop.text import visible_form

ITEMS: Final = tuple(card for card in PACK if card in PRINTED and not is_hero(card))
"""The 36 cards from which Monsters are built (R1.6)."""
ITEMS_PER_MONSTER: Final = 3
MOST_INSCRIBED: Final = 6
FEWEST_INSCRIBED: Final = 3

_AS_PRINTED: Final = House()

Inscribed = Sequence[tuple[Card, str]]
"""Inscriptions in the order in which they were written."""


class MonsterDraft(msgspec.Struct, frozen=True):
    """A Monster as its builder drafts it: its name, the three Items, and whether the builder chose it as ⭐."""

    name: str
    items: tuple[Card, ...]
    chosen: bool = False


def budget(wizards: int) -> int:
    """Return the starting Coppers for inscriptions (R1.4): 30, or 40 in solo."""
    return 40 if wizards == 1 else 30


def monster_hp(items: Iterable[Card]) -> int:
    """Return the sum of the three Items (R1.6)."""
    return sum(PRINTED[item] for item in items)


def monster_atk(hp: int) -> int:
    """Return ceil(HP ÷ 6), at least 1 (R1.6)."""
    return max(1, -(-hp // 6))


def wrong_atk(card: Card, hp: int, atk: int) -> str:
    """Return why `atk` is wrong for a Monster with this HP, or "" (V1.4)."""
    return "" if atk == monster_atk(hp) else f"{pretty(card)}: HP {hp} makes ATK {monster_atk(hp)} (V1.4)."


def has_pair(items: Iterable[Card]) -> bool:
    """Return True if ranks repeat among the Items (R1.7)."""
    ranks = [rank(item) for item in items]
    return len(set(ranks)) < len(ranks)


def any_pair(drafts: Mapping[Card, MonsterDraft]) -> bool:
    """Return True if a pair determines the ⭐ of a band, so that the builder does not choose it (R1.7)."""
    return any(has_pair(draft.items) for draft in drafts.values())


def build_monsters(drafts: Mapping[Card, MonsterDraft]) -> dict[Card, Monster]:
    """Build the Monsters from drawn Items (R1.6, R1.7): HP, ATK, and ⭐ by a pair or, without any, by choice."""
    paired = any_pair(drafts)
    return {
        card: Monster(
            draft.name,
            monster_hp(draft.items),
            monster_atk(monster_hp(draft.items)),
            has_pair(draft.items) if paired else draft.chosen,
        )
        for card, draft in drafts.items()
    }


def pack_findings(cards: Sequence[Card]) -> Iterator[Finding]:
    """Yield findings unless the cards are 54 distinct ones (V1.1)."""
    duplicates = [pretty(card) for card, count in Counter(cards).items() if count > 1]
    missing = [pretty(card) for card in PACK if card not in cards]
    if duplicates:
        yield Finding(f"{', '.join(duplicates)} appears twice in the deck (V1.1).")
    if missing:
        yield Finding(f"The deck lacks {', '.join(missing)} (V1.1).")


def no_monster(card: Card, rule: str) -> str:
    """Return the finding that a card is not a Monster's, with the rule that requires one."""
    return f"{pretty(card)} is not a Monster; Monsters are the four Aces and the two Jokers ({rule})."


def missing_findings(monsters: Container[Card], place: FormPlace) -> Iterator[Finding]:
    """Yield a finding about the Monsters that a band lacks (V1.2)."""
    if missing := [pretty(card) for card in MONSTER_CARDS if card not in monsters]:
        yield Finding(f"Every band has six Monsters; missing: {', '.join(missing)} (V1.2).", place=place)


def draft_findings(drafts: Mapping[Card, MonsterDraft]) -> Iterator[Finding]:
    """Yield findings of V1.2, V1.3 and V1.5 for drafted Monsters; HP and ATK follow from the Items (V1.4)."""
    for number, card in enumerate(drafts):
        if card not in MONSTER_CARDS:
            yield Finding(no_monster(card, "V1.2"), place=FormPlace("monster", number, "card"))
    yield from missing_findings(drafts, FormPlace("monster"))
    for number, (card, draft) in enumerate(drafts.items()):
        yield from _item_findings(number, card, draft)
    yield from _legend_findings(drafts)


def _legend_findings(drafts: Mapping[Card, MonsterDraft]) -> Iterator[Finding]:
    """Yield findings of V1.5: a pair determines the ⭐, and without any the builder chooses one."""
    chosen = [pretty(card) for card, draft in drafts.items() if draft.chosen]
    if any_pair(drafts):
        if chosen:
            problem = f"A pair among the Items makes the ⭐; {', '.join(chosen)} cannot be chosen (V1.5, R1.7)."
            yield Finding(problem, place=FormPlace("legend"))
    elif len(chosen) != 1:
        problem = "No Monster has a pair among its Items: mark exactly one of them as ⭐ (V1.5, R1.7)."
        yield Finding(problem, place=FormPlace("legend"))


def _item_findings(number: int, card: Card, draft: MonsterDraft) -> Iterator[Finding]:
    place = FormPlace("monster", number, "items")
    if not draft.name.strip():
        problem = f"The Monster on {pretty(card)} needs a creature name (R1.6)."
        yield Finding(problem, place=FormPlace("monster", number, "name"))
    strange = [pretty(item) for item in draft.items if item not in ITEMS]
    if strange:
        problem = f"{pretty(card)} is built from Items only, the cards 2 to 10, not {', '.join(strange)} (V1.3)."
        yield Finding(problem, place=place)
    elif len(draft.items) != ITEMS_PER_MONSTER or len(set(draft.items)) != ITEMS_PER_MONSTER:
        named = ", ".join(pretty(item) for item in draft.items) or "none"
        yield Finding(f"{pretty(card)} is built from three different Items, not from {named} (V1.3).", place=place)


def monster_findings(monsters: Mapping[Card, Monster]) -> Iterator[Finding]:
    """Yield findings of V1.2–V1.5 and V1.13 for Monsters as they are on their cards."""
    for number, (card, monster) in enumerate(monsters.items()):
        place = FormPlace("monsters", number)
        if card not in MONSTER_CARDS:
            yield Finding(no_monster(card, "V1.2"), place=place)
        if not 6 <= monster.hp <= 30:
            problem = f"{pretty(card)}: three Items add up to 6…30 HP, not {monster.hp} (V1.3)."
            yield Finding(problem, place=place)
        elif why := wrong_atk(card, monster.hp, monster.atk):
            yield Finding(why, place=place)
        yield from label_findings(card, monster.labels)
    if not any(monster.legend for monster in monsters.values()):
        yield Finding("Every band has at least one ⭐ (V1.5).", place=FormPlace("monsters", 0, "legend"))


def band_flaws(
    monsters: Mapping[Card, Monster], inscribed: Mapping[Card, Sequence[str]], book: EffectBook = STANDARD
) -> str:
    """Return, in sentences, why a present band breaks the rules, or "" (V1.2–V1.5, V1.8–V1.13).

    The place of a Mythic is not checked: its card may have been an Ascended Item until Cursed took that (V1.10).
    """
    broken = [*missing_findings(monsters, FormPlace("monsters")), *monster_findings(monsters)]
    for card, names in inscribed.items():
        bought = [name for name in names if book.inscription(name).tier != MYTHIC]
        wrong = (placement_error(name, card, bought[:at], book) for at, name in enumerate(bought))
        broken += (Finding(f"{why}.") for why in wrong if why)
    return " ".join(str(finding.text) for finding in broken)


def label_findings(
    card: Card, labels: Sequence[str], by_dungeon: Sequence[int] = (), book: EffectBook = STANDARD
) -> Iterator[Finding]:
    """Yield findings of V1.13; `by_dungeon` is the band's dungeon in which each label was added, if known."""
    if len(labels) > book.most_labels:
        yield Finding(f"{pretty(card)} has {len(labels)} labels; {book.most_labels} is the most for life (V1.13).")
    if len(set(labels)) < len(labels):
        yield Finding(f"{pretty(card)} has a label twice (V1.13).")
    for dungeon, count in Counter(by_dungeon).items():
        if count > book.labels_per_dungeon:
            yield Finding(
                f"{pretty(card)} got {count} labels in one dungeon; {book.labels_per_dungeon} is the most (V1.13)."
            )
        if dungeon == 1:
            yield Finding(f"{pretty(card)} got a label in the band's first dungeon (V1.13).")


def placement_error(
    inscription: str,
    card: Card,
    present: Sequence[str],
    book: EffectBook = STANDARD,
    house: House = _AS_PRINTED,
    any_card: bool = False,
) -> str:
    """Return why an inscription may not go onto a card that bears `present`, or "" (V1.8–V1.11).

    `any_card` allows a Mythic on any card (A1.19). Raises RuleError if the book does not have the inscription.
    """
    effect = book.inscription(inscription)
    ascended = any(book.inscriptions[name].hero for name in present)
    room = house.ascension_slot == "extra" and ascended and len(present) == 1 and effect.tier == MYTHIC
    if card not in PRINTED:
        return f"{pretty(card)} is a Monster; inscriptions go on the combat deck only (V1.9)"
    if effect.hero and is_hero(card):
        return f"{pretty(card)} is a Hero already; {inscription} is for the cards 2 to 10 (V1.11)"
    if effect.tier == MYTHIC and not (is_hero(card) or ascended or any_card):
        return f"{inscription} is Mythic and goes only on J, Q, K or an Ascended Item, not {pretty(card)} (V1.10)"
    if present and not room:
        return f"{pretty(card)} bears {present[0]} already; a card bears one inscription (V1.8)"
    return ""


def heirloom_error(inscription: str, card: Card, starts: Inscribed, book: EffectBook = STANDARD) -> str:
    """Return why an heirloom may not go onto a card of a new band with these starting inscriptions, or "" (A1.64)."""
    why = placement_error(inscription, card, [name for other, name in starts if other == card], book)
    return f"The heirloom fits nowhere there: {why} (A1.64)." if why else ""


def why_useless(inscription: str, card: Card, book: EffectBook = STANDARD) -> str:
    """Return why an inscription has no effect on a card, or "" (V1.12)."""
    effect = book.inscription(inscription)
    if is_hero(card) and (effect.any_suit or effect.convert_factor > 1):
        return f"{inscription} on {pretty(card)} is legal but useless: Heroes never Convert (V1.12)"
    return ""


def inscription_findings(
    inscribed: Inscribed, wizards: int = 3, strict: bool = False, book: EffectBook = STANDARD
) -> Iterator[Finding]:
    """Yield findings of V1.6–V1.12 and V1.14 for a new band's starting inscriptions; `strict` requires three cards."""
    present: dict[Card, list[str]] = {}
    for number, (card, name) in enumerate(inscribed):
        place = FormPlace("inscribe", number)
        if why := placement_error(name, card, present.get(card, []), book):
            yield Finding(f"{why}.", place=place)
        if why := why_useless(name, card, book):
            yield Finding(f"{why}.", warning=True, place=place)
        present.setdefault(card, []).append(name)
    names = [name for _, name in inscribed]
    for number, name in enumerate(names):
        if book.price(name) is None:
            yield Finding(f"{why_not_for_sale(book, name)} (V1.6).", place=FormPlace("inscribe", number, "inscription"))
    cost, cards = price_of(names, book), len(present)
    if cost > budget(wizards):
        problem = f"These inscriptions cost {cost}c; the budget is {budget(wizards)}c (V1.6)."
        yield Finding(problem, place=FormPlace("inscribe"))
    if cards == 0 or cards > MOST_INSCRIBED:
        problem = f"A band starts with {FEWEST_INSCRIBED} to {MOST_INSCRIBED} inscribed cards, not {cards} (V1.7)."
        yield Finding(problem, place=FormPlace("inscribe"))
    yield from fragile_findings(cards, strict)
    yield from _sheet_findings(names, book)


def price_of(names: Iterable[str], book: EffectBook = STANDARD) -> int:
    """Return the total price of inscriptions in Coppers; Mythics count 0 (R1.8)."""
    return sum(book.price(name) or 0 for name in names)


def why_not_for_sale(book: EffectBook, name: str) -> str:
    """Return why an inscription without a price is not for sale, as a sentence without a full stop."""
    return f"{name} is {'Mythic and not' if not book.inscription(name).withdrawn else 'no longer'} for sale"


def fragile_findings(cards: int, strict: bool) -> Iterator[Finding]:
    """Yield the finding of V1.7 for 1 or 2 inscribed cards: a warning; an error with `min-inscribed strict3` (A1.2)."""
    if 0 < cards < FEWEST_INSCRIBED:
        what = f"Only {count_of(cards, 'inscribed card')}: a fragile band, which retires once none is left"
        problem = f"{what}; the book asks for {FEWEST_INSCRIBED} (V1.7)."
        yield Finding(problem, warning=not strict, place=FormPlace("inscribe"))


def _sheet_findings(names: Sequence[str], book: EffectBook) -> Iterator[Finding]:
    for name, count in Counter(names).items():
        copies = book.copies[book.inscription(name).tier]
        if count > copies:
            problem = f"{count} × {name}, but one sheet of labels has {copies} (V1.14)."
            yield Finding(problem, warning=True, place=FormPlace("inscribe"))


def name_findings(name: str, names_in_use: Iterable[str] = ()) -> Iterator[Finding]:
    """Yield findings of V1.15: a name must not be empty, and is unique among active and retired bands."""
    if not name.strip():
        yield Finding("A band needs a name (V1.15).", place=FormPlace("name"))
    if visible_form(name) in map(visible_form, names_in_use):
        problem = f"There is, or was, a band called “{name}”; a name is never used again (V1.15)."
        yield Finding(problem, place=FormPlace("name"))


def founding_findings(
    name: str,
    drafts: Mapping[Card, MonsterDraft],
    inscribed: Inscribed,
    wizards: int = 3,
    names_in_use: Iterable[str] = (),
    strict: bool = False,
    book: EffectBook = STANDARD,
) -> tuple[Finding, ...]:
    """Return all errors and warnings about a new band."""
    return (
        *name_findings(name, names_in_use),
        *draft_findings(drafts),
        *inscription_findings(inscribed, wizards=wizards, strict=strict, book=book),
    )
