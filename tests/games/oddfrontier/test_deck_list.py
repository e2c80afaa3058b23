"""Deck lists of Odd Frontier: each rule broken once with its line named (V3.*), and what a list may say (A3.8)."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from companion.cli.main import main
from companion.games.oddfrontier.game import GAME
from companion.tabletop.deck_lists.reading import read_deck_list
from companion.tabletop.decks.form import Finding

KINDS = ("Engine", "creature | Wolf | 2/3", "creature | 10 / 0 | Iron Golem", "artifact", "phenomenon", "magic")
LINES = ("oddfrontier main", *(f"4 Card {number} | {KINDS[number % 6]}" for number in range(9)))
"""36 cards: card 0 on line 2, card 8 on line 10."""
HOUSE = ("oddfrontier house", "unlimited-engines yes")


def findings(*lines: str) -> list[Finding]:
    read = read_deck_list("\n".join(lines), ("oddfrontier",)).deck_list
    assert read.findings == ()
    assert GAME.decks.deck_list is not None
    return list(GAME.decks.deck_list.findings(read))


def only(*lines: str) -> Finding:
    (finding,) = findings(*lines)
    return finding


@pytest.mark.parametrize("more", [(), ("4 Flare | magic",), (*HOUSE,), ("3 Flare | magic | | # burns",)])
def test_an_archive_by_the_rules(more: tuple[str, ...]) -> None:
    assert findings(*LINES, *more) == []


@pytest.mark.parametrize(
    ("lines", "count"),
    [
        ((*LINES[:-1], "3 Card 8 | artifact"), 35),
        ((*LINES, "4 Flare | magic", "Owl | artifact"), 41),
        (("# Friday", *LINES[:3]), 8),
    ],
)
def test_an_archive_has_36_to_40_cards(lines: tuple[str, ...], count: int) -> None:
    finding = only(*lines)
    assert f"has {count} cards" in finding.text
    assert "(V3.1)" in finding.text
    assert finding.place.entry == (2 if lines[0].startswith("#") else 1)


def test_a_list_without_cards_is_too_small() -> None:
    assert [(finding.place.entry, "(V3.1)" in finding.text) for finding in findings(*HOUSE)] == [(1, True)]


def test_no_card_has_more_than_4_copies() -> None:
    finding = only(*LINES[:4], "5 Card 3 | artifact", *LINES[5:])
    assert (finding.place.entry, "5 copies of Card 3" in finding.text, "(V3.2)" in finding.text) == (5, True, True)
    assert "unlimited" not in finding.text


def test_copies_on_several_lines_are_one_card() -> None:
    finding = only(*LINES, "1 CARD 3 | artifact")
    assert (finding.place.entry, "5 copies of Card 3" in finding.text) == (11, True)


def test_engines_without_end_are_a_house_rule() -> None:
    engines = (*LINES, "4 card 0 | engine")
    finding = only(*engines)
    assert (finding.place.entry, "(V3.2)" in finding.text, "(A3.8)" in finding.text) == (11, True, True)
    assert findings(*engines, *HOUSE) == []
    assert only(*engines, HOUSE[0], "unlimited-engines no").place.entry == 11
    assert only(*LINES, "1 Card 3 | artifact", *HOUSE).place.entry == 11
    half_an_engine = findings(*LINES, "1 Card 0 | magic", *HOUSE)
    assert ["V3.2" in half_an_engine[0].text, "V3.3" in half_an_engine[1].text] == [True, True]


@pytest.mark.parametrize(
    ("card", "sentence"),
    [
        ("4 Card 8", "has no type"),
        ("4 Card 8 | land", "the type “land”"),
        ("4 Card 8 | creature", "lacks its subtype and its attack and defense"),
        ("4 Card 8 | creature | Wolf", "lacks its attack and defense;"),
        ("4 Card 8 | creature | 2/3", "lacks its subtype;"),
    ],
)
def test_every_card_says_what_it_is(card: str, sentence: str) -> None:
    finding = only(*LINES[:-1], card)
    assert (finding.place.entry, finding.unreadable, finding.warning) == (10, False, False)
    assert sentence in finding.text
    assert "(V3.3)" in finding.text


def test_a_card_has_one_type() -> None:
    finding = only(*LINES[:-1], "2 Owl | artifact", "2 owl | magic")
    assert (finding.place.entry, "artifact on line 10" in finding.text, "(V3.3)" in finding.text) == (11, True, True)


def test_an_archive_without_engines_is_warned_about() -> None:
    finding = only(*(line.replace("Engine", "magic") for line in LINES))
    assert (finding.place.entry, finding.warning, "V3.3" in finding.text) == (1, True, True)


@pytest.mark.parametrize(
    ("card", "word"),
    [
        ("4 Card 8 | magic | blue", "“blue”"),
        ("4 Card 8 | creature | Wolf | 2/3 | grey", "“grey”"),
        ("4 Card 8 | creature | Wolf | 2/3 | 4/5", "“4/5”"),
        ("4 Card 8 | creature | Wolf | 2/x", "“2/x”"),
    ],
)
def test_words_that_mean_nothing_are_named(card: str, word: str) -> None:
    finding = only(*LINES[:-1], card)
    assert (finding.place.entry, finding.unreadable, word in finding.text) == (10, True, True)


@pytest.mark.parametrize(
    ("part", "sentence"), [("oddfrontier side", "“side”"), ("oddfrontier", "the part of the deck")]
)
def test_another_part_is_none(part: str, sentence: str) -> None:
    finding = only(*LINES, part, "Owl | magic")
    assert (finding.place.entry, finding.unreadable, sentence in finding.text) == (11, True, True)


@pytest.mark.parametrize(
    ("rule", "unreadable", "sentence"),
    [
        ("unlimited-wolves yes", False, "There is no house rule “unlimited-wolves”"),
        ("unlimited-engines perhaps", False, "yes or no"),
        ("2 unlimited-engines yes", True, "a house rule is a key and a value"),
        ("unlimited-engines yes | always", True, "a house rule is a key and a value"),
    ],
)
def test_house_rules_are_those_of_the_table(rule: str, unreadable: bool, sentence: str) -> None:
    finding = only(*LINES, HOUSE[0], rule)
    assert (finding.place.entry, finding.unreadable, sentence in finding.text) == (12, unreadable, True)


def check(tmp_path: Path, *lines: str) -> Result:
    file = tmp_path / "frontier.txt"
    file.write_text("\n".join(lines), encoding="utf-8")
    return CliRunner().invoke(main, ["--archive", str(tmp_path / "a.sqlite"), "deck", "check", str(file)])


def test_the_command_judges_an_archive(tmp_path: Path) -> None:
    good = check(tmp_path, *LINES)
    assert (good.exit_code, good.stdout, good.stderr) == (0, "frontier is a deck by the rules.\n", "")
    broken = check(tmp_path, *LINES[:-3], "5 Flare | magic", "2 Owl")
    assert (broken.exit_code, broken.stdout) == (1, "")
    for part in ("Line 1:", "(V3.1)", "Line 8:", "(V3.2)", "Line 9:", "(V3.3)"):
        assert part in broken.stderr
    unreadable = check(tmp_path, *LINES, "0 Owl | magic", "2 Flare | magic | blue")
    assert unreadable.exit_code == 2
    assert "Line 11:" in unreadable.stderr
    assert "Line 12:" in unreadable.stderr
