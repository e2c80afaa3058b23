"""Founding a band, and its validity: the predicates V1.1–V1.15, each naming the rule it enforces."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from typing import Final

import msgspec

from companion.games.decknforge.book.effect import MYTHIC, EffectBook
from companion.games.decknforge.book.house import House
from companion.games.decknforge.book.standard import STANDARD
from companion.games.decknforge.book.state import MONSTER_CARDS, PRINTED, Monster, is_hero
from companion.games.decknforge.glossary import effect_name
from companion.tabletop.decks.form import Finding, FormPlace
from companion.tabletop.notation.cards import PACK, Card, card_title, rank
from companion.tabletop.text import visible_form
from templates.languages.messages import ENGLISH, Finished, Message, Text, listed, phrase, phrases, speaking

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


def wrong_atk(card: Card, hp: int, atk: int) -> Text:
    """Return why `atk` is wrong for a Monster with this HP, or "" (V1.4)."""
    if atk == monster_atk(hp):
        return ""
    return phrase("{card}: HP {hp} makes ATK {atk} (V1.4).", card=card_title(card), hp=hp, atk=monster_atk(hp))


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
    duplicates = [card_title(card) for card, count in Counter(cards).items() if count > 1]
    missing = [card_title(card) for card in PACK if card not in cards]
    if duplicates:
        yield Finding(phrase("{cards} appears twice in the deck (V1.1).", cards=listed(duplicates)))
    if missing:
        yield Finding(phrase("The deck lacks {cards} (V1.1).", cards=listed(missing)))


def no_monster(card: Card, rule: str) -> Message:
    """Return the finding that a card is not a Monster's, with the rule that requires one."""
    return phrase(
        "{card} is not a Monster; Monsters are the four Aces and the two Jokers ({rule}).",
        card=card_title(card),
        rule=rule,
    )


def missing_findings(monsters: Container[Card], place: FormPlace) -> Iterator[Finding]:
    """Yield a finding about the Monsters that a band lacks (V1.2)."""
    if missing := [card_title(card) for card in MONSTER_CARDS if card not in monsters]:
        problem = phrase("Every band has six Monsters; missing: {cards} (V1.2).", cards=listed(missing))
        yield Finding(problem, place=place)


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
    chosen = [card_title(card) for card, draft in drafts.items() if draft.chosen]
    if any_pair(drafts):
        if chosen:
            problem = phrase(
                "A pair among the Items makes the ⭐; {cards} cannot be chosen (V1.5, R1.7).", cards=listed(chosen)
            )
            yield Finding(problem, place=FormPlace("legend"))
    elif len(chosen) != 1:
        problem = phrase("No Monster has a pair among its Items: choose the one that is the ⭐ Legend (V1.5, R1.7).")
        yield Finding(problem, place=FormPlace("legend"))


def _item_findings(number: int, card: Card, draft: MonsterDraft) -> Iterator[Finding]:
    place = FormPlace("monster", number, "items")
    if not draft.name.strip():
        problem = phrase("The Monster on {card} needs a creature name (R1.6).", card=card_title(card))
        yield Finding(problem, place=FormPlace("monster", number, "name"))
    strange = [card_title(item) for item in draft.items if item not in ITEMS]
    if strange:
        problem = phrase(
            "{card} is built from Items only, the cards 2 to 10, not {cards} (V1.3).",
            card=card_title(card),
            cards=listed(strange),
        )
        yield Finding(problem, place=place)
    elif len(draft.items) != ITEMS_PER_MONSTER or len(set(draft.items)) != ITEMS_PER_MONSTER:
        problem = (
            phrase(
                "{card} is built from three different Items, not from {cards} (V1.3).",
                card=card_title(card),
                cards=listed(map(card_title, draft.items)),
            )
            if draft.items
            else phrase("{card} is built from three different Items, not from none (V1.3).", card=card_title(card))
        )
        yield Finding(problem, place=place)


def monster_findings(monsters: Mapping[Card, Monster]) -> Iterator[Finding]:
    """Yield findings of V1.2–V1.5 and V1.13 for Monsters as they are on their cards."""
    for number, (card, monster) in enumerate(monsters.items()):
        place = FormPlace("monsters", number)
        if card not in MONSTER_CARDS:
            yield Finding(no_monster(card, "V1.2"), place=place)
        if not 6 <= monster.hp <= 30:
            problem = phrase(
                "{card}: three Items add up to 6…30 HP, not {hp} (V1.3).", card=card_title(card), hp=str(monster.hp)
            )
            yield Finding(problem, place=place)
        elif why := wrong_atk(card, monster.hp, monster.atk):
            yield Finding(why, place=place)
        yield from label_findings(card, monster.labels)
    if not any(monster.legend for monster in monsters.values()):
        yield Finding(
            phrase("Every band has at least one Legend, a Monster with the ⭐ (V1.5)."),
            place=FormPlace("monsters", 0, "legend"),
        )


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
        broken += (Finding(Finished(why)) for why in wrong if why)
    # They are written into the line that seats the band: lines are the same in all languages.
    with speaking(ENGLISH):
        return " ".join(str(finding.text) for finding in broken)


def label_findings(
    card: Card, labels: Sequence[str], by_dungeon: Sequence[int] = (), book: EffectBook = STANDARD
) -> Iterator[Finding]:
    """Yield findings of V1.13; `by_dungeon` is the band's dungeon in which each label was added, if known."""
    if len(labels) > book.most_labels:
        problem = phrase(
            "{card} has {labels} labels; {most} is the most for life (V1.13).",
            card=card_title(card),
            labels=len(labels),
            most=book.most_labels,
        )
        yield Finding(problem)
    if len(set(labels)) < len(labels):
        yield Finding(phrase("{card} has a label twice (V1.13).", card=card_title(card)))
    for dungeon, count in Counter(by_dungeon).items():
        if count > book.labels_per_dungeon:
            problem = phrase(
                "{card} got {labels} labels in one dungeon; {most} is the most (V1.13).",
                card=card_title(card),
                labels=count,
                most=book.labels_per_dungeon,
            )
            yield Finding(problem)
        if dungeon == 1:
            yield Finding(phrase("{card} got a label in the band's first dungeon (V1.13).", card=card_title(card)))


def placement_error(
    inscription: str,
    card: Card,
    present: Sequence[str],
    book: EffectBook = STANDARD,
    house: House = _AS_PRINTED,
    any_card: bool = False,
) -> Text:
    """Return why an inscription may not go onto a card that bears `present`, or "" (V1.8–V1.11).

    `any_card` allows a Mythic on any card (A1.19). Raises RuleError if the book does not have the inscription.
    """
    effect = book.inscription(inscription)
    ascended = any(book.inscriptions[name].hero for name in present)
    room = house.ascension_slot == "extra" and ascended and len(present) == 1 and effect.tier == MYTHIC
    if card not in PRINTED:
        return phrase("{card} is a Monster; inscriptions go on the combat deck only (V1.9)", card=card_title(card))
    if effect.hero and is_hero(card):
        return phrase(
            "{card} is a Hero already; {inscription} is for the cards 2 to 10 (V1.11)",
            card=card_title(card),
            inscription=effect_name(inscription),
        )
    if effect.tier == MYTHIC and not (is_hero(card) or ascended or any_card):
        return phrase(
            "{inscription} is Mythic and goes only on J, Q, K or an Ascended Item, not {card} (V1.10)",
            inscription=effect_name(inscription),
            card=card_title(card),
        )
    if present and not room:
        return phrase(
            "{card} bears {inscription} already; a card bears one inscription (V1.8)",
            card=card_title(card),
            inscription=effect_name(present[0]),
        )
    return ""


def heirloom_error(inscription: str, card: Card, starts: Inscribed, book: EffectBook = STANDARD) -> Text:
    """Return why an heirloom may not go onto a card of a new band with these starting inscriptions, or "" (A1.64)."""
    why = placement_error(inscription, card, [name for other, name in starts if other == card], book)
    return phrase("The heirloom does not fit there: {reason} (A1.64).", reason=why) if why else ""


def why_useless(inscription: str, card: Card, book: EffectBook = STANDARD) -> Text:
    """Return why an inscription has no effect on a card, or "" (V1.12)."""
    effect = book.inscription(inscription)
    if is_hero(card) and (effect.any_suit or effect.convert_factor > 1):
        return phrase(
            "{inscription} on {card} is legal but useless: Heroes never Convert (V1.12)",
            inscription=effect_name(inscription),
            card=card_title(card),
        )
    return ""


def inscription_findings(
    inscribed: Inscribed, wizards: int = 3, strict: bool = False, book: EffectBook = STANDARD
) -> Iterator[Finding]:
    """Yield findings of V1.6–V1.12 and V1.14 for a new band's starting inscriptions; `strict` requires three cards."""
    present: dict[Card, list[str]] = {}
    for number, (card, name) in enumerate(inscribed):
        place = FormPlace("inscribe", number)
        if why := placement_error(name, card, present.get(card, []), book):
            yield Finding(Finished(why), place=place)
        if why := why_useless(name, card, book):
            yield Finding(Finished(why), warning=True, place=place)
        present.setdefault(card, []).append(name)
    names = [name for _, name in inscribed]
    for number, name in enumerate(names):
        if book.price(name) is None:
            problem = (
                phrase("{inscription} is no longer for sale (V1.6).", inscription=effect_name(name))
                if book.inscription(name).withdrawn
                else phrase("{inscription} is Mythic and not for sale (V1.6).", inscription=effect_name(name))
            )
            yield Finding(problem, place=FormPlace("inscribe", number, "inscription"))
    cost, cards = price_of(names, book), len(present)
    if cost > budget(wizards):
        problem = phrase(
            "These inscriptions cost {cost}c; the budget is {budget}c (V1.6).", cost=cost, budget=budget(wizards)
        )
        yield Finding(problem, place=FormPlace("inscribe"))
    if cards == 0 or cards > MOST_INSCRIBED:
        problem = phrase(
            "A band starts with {fewest} to {most} inscribed cards, not {cards} (V1.7).",
            fewest=FEWEST_INSCRIBED,
            most=MOST_INSCRIBED,
            cards=cards,
        )
        yield Finding(problem, place=FormPlace("inscribe"))
    yield from fragile_findings(cards, strict)
    yield from _sheet_findings(names, book)


def price_of(names: Iterable[str], book: EffectBook = STANDARD) -> int:
    """Return the total price of inscriptions in Coppers; Mythics count 0 (R1.8)."""
    return sum(book.price(name) or 0 for name in names)


def fragile_findings(cards: int, strict: bool) -> Iterator[Finding]:
    """Yield the finding of V1.7 for 1 or 2 inscribed cards: a warning; an error with `min-inscribed strict3` (A1.2)."""
    if 0 < cards < FEWEST_INSCRIBED:
        problem = phrases(
            "Only {n} inscribed card: a fragile band, which retires once none is left; the book asks for {fewest} "
            "(V1.7).",
            "Only {n} inscribed cards: a fragile band, which retires once none is left; the book asks for {fewest} "
            "(V1.7).",
            n=cards,
            fewest=FEWEST_INSCRIBED,
        )
        yield Finding(problem, warning=not strict, place=FormPlace("inscribe"))


def _sheet_findings(names: Sequence[str], book: EffectBook) -> Iterator[Finding]:
    for name, count in Counter(names).items():
        copies = book.copies[book.inscription(name).tier]
        if count > copies:
            problem = phrase(
                "{cards} × {inscription}, but one sheet of labels has {copies} (V1.14).",
                cards=count,
                inscription=effect_name(name),
                copies=copies,
            )
            yield Finding(problem, warning=True, place=FormPlace("inscribe"))


def name_findings(name: str, names_in_use: Iterable[str] = ()) -> Iterator[Finding]:
    """Yield findings of V1.15: a name must not be empty, and is unique among active and retired bands."""
    if not name.strip():
        yield Finding(phrase("A band needs a name (V1.15)."), place=FormPlace("name"))
    if visible_form(name) in map(visible_form, names_in_use):
        problem = phrase("There is, or was, a band called “{name}”; a name is never used again (V1.15).", name=name)
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
