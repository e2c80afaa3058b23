"""What makes a band valid: every predicate V1.1–V1.15, kept by one band and broken by another (§1.13, E1.22)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

import pytest
from msgspec.structs import replace

from companion.games.decknforge.book import founding
from companion.games.decknforge.book.founding import MonsterDraft
from companion.games.decknforge.book.inscriptions import INSCRIPTIONS
from companion.games.decknforge.book.state import MONSTER_CARDS, Monster
from companion.games.decknforge.decks import marks, record
from companion.tabletop.action import RuleError
from companion.tabletop.decks.form import Finding, refuse_errors
from companion.tabletop.notation.cards import PACK, Card, read_card


def cards(text: str) -> tuple[Card, ...]:
    return tuple(read_card(word) for word in text.split())


def rules(findings: Iterable[Finding]) -> list[str]:
    """The predicates that were found broken, in order; of a warning with a question mark."""
    quotes = [(re.findall(r"V1\.\d+", str(finding.text)), finding.warning) for finding in findings]
    assert all(len(numbers) == 1 for numbers, _ in quotes), quotes
    return [f"{numbers[0]}{'?' if warning else ''}" for numbers, warning in quotes]


ITEMS = ("2S 3S 7S", "4C 9D 10H", "2H 5H 8H", "3D 6D 9C", "4S 6C 8D", "5S 7D 10C")
"""Three Items for each of the six Monsters, no rank twice within one."""


def drafts(**others: MonsterDraft) -> dict[Card, MonsterDraft]:
    """A valid set of six, the one on A♠ chosen as ⭐; `others` replace some, by card."""
    six = {
        card: MonsterDraft(f"Beast {number}", cards(items), chosen=card == "AS")
        for number, (card, items) in enumerate(zip(MONSTER_CARDS, ITEMS, strict=True))
    }
    return six | {Card(card): draft for card, draft in others.items()}


def inscribed(text: str) -> list[tuple[Card, str]]:
    """`9S sharp, 4H quick`"""
    words = (part.split() for part in text.split(",")) if text else ()
    return [(read_card(card), name) for card, name in words]


THREE = "9S pierce, 4H sharp, 7C quick"


def test_a_good_band_has_no_findings() -> None:
    assert founding.founding_findings("Grave Choir", drafts(), inscribed(THREE), names_in_use=["Tin Saints"]) == ()


# V1.1


@pytest.mark.parametrize(
    ("pack", "broken"),
    [
        (PACK, []),
        (PACK[:-1], ["V1.1"]),
        ((*(card for card in PACK if card != "8C"), Card("7C")), ["V1.1", "V1.1"]),
        ((*PACK, Card("7C")), ["V1.1"]),
    ],
    ids=["full deck", "53 cards", "two 7♣, no 8♣", "55 cards"],
)
def test_a_deck_has_54_distinct_cards(pack: Sequence[Card], broken: list[str]) -> None:
    assert rules(founding.pack_findings(pack)) == broken


# V1.2


def test_monsters_are_the_aces_and_the_jokers() -> None:
    assert rules(founding.draft_findings(drafts())) == []
    king = drafts()
    king[Card("KS")] = king.pop(Card("RJ"))
    assert rules(founding.draft_findings(king)) == ["V1.2", "V1.2"]  # no Monster card, and one is missing
    assert rules(founding.monster_findings({Card("KS"): Monster("Ape", 18, 3, legend=True)})) == ["V1.2"]


# V1.3, V1.4


@pytest.mark.parametrize(
    ("items", "hp", "atk"),
    [("4C 9D 10H", 23, 4), ("4S 4D 5C", 13, 3), ("2S 3S 7S", 12, 2), ("2S 2H 2C", 6, 1), ("10S 10H 10C", 30, 5)],
)
def test_hp_is_the_sum_and_atk_half_the_average(items: str, hp: int, atk: int) -> None:
    monster = founding.build_monsters(drafts(AS=MonsterDraft("Beast", cards(items))))[Card("AS")]
    assert (monster.hp, monster.atk) == (hp, atk)


@pytest.mark.parametrize(
    "items", ["4C 9D JS", "4C 9D AS", "4C 9D BJ", "", "4C 9D", "4C 9D 10H 2S", "4C 4C 9D", "4C 4C 9D 10H"]
)
def test_a_monster_is_built_from_three_different_items(items: str) -> None:
    broken = rules(founding.draft_findings(drafts(AH=MonsterDraft("Beast", cards(items)))))
    assert broken.count("V1.3") == 1


@pytest.mark.parametrize(
    ("hp", "atk", "broken"),
    [(23, 4, []), (23, 3, ["V1.4"]), (6, 1, []), (30, 5, []), (31, 5, ["V1.3"]), (5, 1, ["V1.3"]), (13, 2, ["V1.4"])],
)
def test_written_hp_and_atk_belong_together(hp: int, atk: int, broken: list[str]) -> None:
    assert rules(founding.monster_findings({Card("AS"): Monster("Beast", hp, atk, legend=True)})) == broken


def test_atk_over_the_whole_range() -> None:
    steps = {hp: founding.monster_atk(hp) for hp in range(6, 31)}
    assert [hp for hp in steps if steps[hp] == 1] == [6]
    assert [min(hp for hp in steps if steps[hp] == atk) for atk in (2, 3, 4, 5)] == [7, 13, 19, 25]


def test_a_monster_needs_a_name() -> None:
    nameless = drafts(AH=MonsterDraft("  ", cards("4C 9D 10H")))
    assert [str(finding.text) for finding in founding.draft_findings(nameless)] == [
        "The Monster on A♥ needs a creature name (R1.6)."
    ]


# V1.5


def test_a_pair_makes_the_legend() -> None:
    six = drafts(AS=MonsterDraft("Beast", cards("2S 3S 7S")), AH=MonsterDraft("Twins", cards("6S 6H 9D")))
    assert rules(founding.draft_findings(six)) == []
    assert legends(founding.build_monsters(six)) == ["AH"]


def test_every_pair_makes_one() -> None:
    six = drafts(
        AS=MonsterDraft("Beast", cards("2S 3S 7S")),
        AH=MonsterDraft("Twins", cards("6S 6H 9D")),
        RJ=MonsterDraft("Three", cards("5S 5H 5D")),
    )
    assert legends(founding.build_monsters(six)) == ["AH", "RJ"]


def test_without_a_pair_exactly_one_is_chosen() -> None:
    none = drafts(AS=MonsterDraft("Beast", cards("2S 3S 7S")))
    two = drafts(AH=MonsterDraft("Beast", cards("4C 9D 10H"), chosen=True))
    assert rules(founding.draft_findings(none)) == ["V1.5"]
    assert rules(founding.draft_findings(two)) == ["V1.5"]
    assert legends(founding.build_monsters(drafts())) == ["AS"]


def test_nobody_is_chosen_beside_a_pair() -> None:
    six = drafts(AH=MonsterDraft("Twins", cards("6S 6H 9D")))
    assert rules(founding.draft_findings(six)) == ["V1.5"]


def test_a_band_without_a_legend() -> None:
    plain = {card: replace(monster, legend=False) for card, monster in founding.build_monsters(drafts()).items()}
    assert rules(founding.monster_findings(plain)) == ["V1.5"]
    assert rules(founding.monster_findings(founding.build_monsters(drafts()))) == []


def legends(monsters: Mapping[Card, Monster]) -> list[str]:
    return [card for card, monster in monsters.items() if monster.legend]


# V1.6, V1.7, V1.14


@pytest.mark.parametrize(
    ("on_cards", "wizards", "broken"),
    [
        ("9S pierce, 4H sharp, 7C quick", 3, []),  # R+C+C = 30 (E1.22)
        ("9S pierce, 4H banner, 7C quick", 3, ["V1.6"]),  # R+U+C = 35
        ("9S pierce, 4H banner, 7C quick", 1, []),  # 35 of 40 in solo
        ("9S pierce, 4H banner, 7C thorns, 6C sharp", 1, ["V1.6"]),  # 45
        ("9S pierce, 4H banner, 7C quick", 2, ["V1.6"]),  # two wizards have 30 (A1.69)
        ("KS untouchable, 4H sharp, 7C quick", 3, ["V1.6"]),  # a Mythic is not for sale
        ("9S pierce, 4H sharp", 3, ["V1.7?"]),  # 25c: legal and fragile (E1.22)
        ("9S pierce", 3, ["V1.7?"]),
        ("", 3, ["V1.7"]),  # it would retire at once
        ("2S sharp, 3S sharp, 4S sharp, 5S quick, 6S quick, 7S quick", 3, []),  # 6 Commons
        (
            "2S sharp, 3S sharp, 4S sharp, 5S quick, 6S quick, 7S quick, 8S bright, 9S bright",
            1,
            ["V1.7"],
        ),  # solo, 8 Commons = 40c
        ("2S sharp, 3S sharp, 4S sharp, 5S sharp", 3, ["V1.14?"]),  # the 4th Sharp of one sheet
        ("2S pierce, 3S pierce", 1, ["V1.7?", "V1.14?"]),  # one of each Rare
    ],
)
def test_starting_inscriptions(on_cards: str, wizards: int, broken: list[str]) -> None:
    assert rules(founding.inscription_findings(inscribed(on_cards), wizards)) == broken


@pytest.mark.parametrize("wizards", [1, 2, 3, 4, 5])
def test_budget(wizards: int) -> None:
    assert founding.budget(wizards) == (40 if wizards == 1 else 30)


def test_what_is_left_of_the_budget() -> None:
    assert founding.budget(3) - founding.price_of(["pierce", "sharp", "quick"]) == 0
    assert founding.budget(3) - founding.price_of(["pierce", "sharp"]) == 5


def test_strict3_refuses_a_fragile_band() -> None:
    two = inscribed("9S pierce, 4H sharp")
    assert rules(founding.inscription_findings(two, strict=True)) == ["V1.7"]
    assert rules(founding.inscription_findings(inscribed(THREE), strict=True)) == []


@pytest.mark.parametrize(
    ("heirloom", "broken"),
    [
        ("KS untouchable", ""),  # a Mythic, on a Hero, beyond the 30c
        ("10S pierce", ""),
        ("10S untouchable", "V1.10"),  # an heirloom too is Mythic only on a Hero (A1.64)
        ("9S untouchable", ""),  # the 9♠ is Ascended
        ("2S banner", "V1.8"),  # one inscription a card (A1.64)
        ("AS sharp", "V1.9"),
    ],
)
def test_an_heirloom_is_free_and_not_counted(heirloom: str, broken: str) -> None:
    three = inscribed("9S ascension, 2S sharp, 3S quick")
    ((card, name),) = inscribed(heirloom)
    left = marks.CardInscribed(card, name, "heirloom", "Ana", "Ash Company")
    if broken:
        with pytest.raises(RuleError, match=re.escape(broken)):
            record.found_band("Grave Choir", "Ana", drafts(), three, heirloom=left)
        return
    first_marks, warnings = record.found_band("Grave Choir", "Ana", drafts(), three, heirloom=left)
    assert warnings == ()
    assert name in record.record(first_marks).inscribed[card]
    assert len(first_marks) == 1 + len(three) + 1


# V1.8–V1.12


@pytest.mark.parametrize(
    ("name", "card", "present", "broken"),
    [
        ("sharp", "4H", "", ""),
        ("echo", "4H", "sharp", "V1.8"),
        ("sharp", "4H", "sharp", "V1.8"),
        ("untouchable", "9S", "ascension", ""),  # Ascension and one Mythic
        ("the-patron", "9S", "ascension untouchable", "V1.8"),
        ("sharp", "9S", "ascension", "V1.8"),  # a Mythic only
        ("ascension", "9S", "sharp", "V1.8"),
        ("untouchable", "JS", "sharp", "V1.8"),  # a Hero has one place too
        ("banner", "QD", "", ""),
        ("sharp", "AS", "", "V1.9"),
        ("sharp", "BJ", "", "V1.9"),
        ("ascension", "AS", "", "V1.9"),
        ("untouchable", "RJ", "", "V1.9"),
        ("untouchable", "JS", "", ""),
        ("untouchable", "9S", "", "V1.10"),
        ("ascension", "9S", "", ""),
        ("ascension", "2D", "", ""),
        ("ascension", "QS", "", "V1.11"),
        ("echo", "KD", "", ""),  # legal, and warned of
    ],
)
def test_where_an_inscription_may_stand(name: str, card: str, present: str, broken: str) -> None:
    why = founding.placement_error(name, read_card(card), present.split())
    assert re.findall(r"V1\.\d+", str(why)) == ([broken] if broken else [])


def test_tier_and_rank_alone_say_where_an_inscription_may_go() -> None:
    """V1.8–V1.11 over all 25 × 54: what may go on an empty card."""
    for name, effect in INSCRIPTIONS.items():
        may = {card for card in PACK if founding.placement_error(name, card, ()) == ""}
        heroes = {card for card in PACK if card[0] in "JQK" and card not in MONSTER_CARDS}
        items = set(PACK) - heroes - set(MONSTER_CARDS)
        expected = heroes if effect.tier == "mythic" else items if name == "ascension" else heroes | items
        assert may == expected, name


@pytest.mark.parametrize(
    ("name", "card", "useless"),
    [
        ("echo", "KD", True),
        ("wildcard", "JS", True),
        ("echo", "8D", False),
        ("wildcard", "10S", False),
        ("sharp", "KD", False),
    ],
)
def test_convert_inscriptions_on_heroes_are_useless(name: str, card: str, useless: bool) -> None:
    assert ("V1.12" in founding.why_useless(name, read_card(card))) == useless
    findings = founding.inscription_findings([*inscribed("2S sharp, 3S quick"), (read_card(card), name)])
    assert ("V1.12?" in rules(findings)) == useless


# V1.13


@pytest.mark.parametrize(
    ("labels", "by_dungeon", "broken"),
    [
        ("swift greedy", (2, 2), []),
        ("swift greedy stinky", (2, 2, 2), ["V1.13"]),
        ("swift greedy stinky", (2, 2, 3), []),
        ("swift greedy stinky twitchy tough", (2, 2, 3, 3, 4), []),
        ("swift greedy stinky twitchy tough doom", (2, 2, 3, 3, 4, 4), ["V1.13"]),
        ("swift greedy swift", (2, 2, 3), ["V1.13"]),
        ("swift", (1,), ["V1.13"]),
        ("swift greedy", (), []),  # nobody knows when
    ],
)
def test_labels_on_a_monster(labels: str, by_dungeon: tuple[int, ...], broken: list[str]) -> None:
    assert rules(founding.label_findings(Card("AS"), labels.split(), by_dungeon)) == broken


def test_labels_are_checked_with_the_monsters() -> None:
    twice = Monster("Beast", 18, 3, legend=True, labels=("swift", "swift"))
    assert rules(founding.monster_findings({Card("AS"): twice})) == ["V1.13"]


# V1.15


@pytest.mark.parametrize(
    ("name", "broken"),
    [("Grave Choir", []), ("", ["V1.15"]), ("  ", ["V1.15"]), ("Tin Saints", ["V1.15"]), (" tin SAINTS ", ["V1.15"])],
)
def test_a_name_is_never_used_again(name: str, broken: list[str]) -> None:
    assert rules(founding.name_findings(name, names_in_use=["Ash Company", "Tin Saints"])) == broken


# All of it


def test_errors_are_told_all_at_once_and_warnings_let_through() -> None:
    findings = founding.founding_findings(
        "", drafts(AH=MonsterDraft("Beast", cards("4C 9D JS"))), inscribed("9S pierce")
    )
    assert rules(findings) == ["V1.15", "V1.3", "V1.7?"]
    with pytest.raises(RuleError, match=r"\(V1\.15\).*\(V1\.3\)") as refused:
        refuse_errors(findings)
    assert "V1.7" not in str(refused.value)
    assert tuple(map(str, refuse_errors(findings[2:]))) == (str(findings[2].text),)
