"""SolForge's deck lists: each rule broken once, with the line that breaks it, and what cannot be parse_remarks."""

from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from hypothesis import given
from hypothesis import strategies as st

from companion.cli.main import main
from companion.games.solforge.game import GAME
from companion.tabletop.deck_lists.reading import read_deck_list
from companion.tabletop.decks.form import Finding

TEN = "".join(f"3 Wolf {letter} | creature | tempys\n" for letter in "ABCDEFGHIJ")
"""Ten cards three times each: lines 2 to 11 of a list that begins with its part."""
VALID = f"solforge main\n{TEN}"
THIRTY = "".join(
    f"Card {number:02} | spell | {('alloyin', 'nekrium', 'tempys', 'uterra')[number % 4]}\n" for number in range(30)
)
SCRAMBLE = f"solforge scramble\n{THIRTY}"


def judged(text: str) -> list[Finding]:
    read = read_deck_list(text, ("solforge",)).deck_list
    assert read.findings == ()
    assert GAME.decks.deck_list is not None
    return list(GAME.decks.deck_list.findings(read))


def broken(text: str) -> list[tuple[int | None, str]]:
    """The lines that break a rule, with the rule that ends their sentence."""
    findings = judged(text)
    assert not any(finding.warning or finding.unreadable for finding in findings)
    assert all(str(finding.text).startswith(f"Line {finding.place.entry}: ") for finding in findings)
    return [(finding.place.entry, str(finding.text).rpartition("(")[2].rstrip(").")) for finding in findings]


def unreadable(text: str) -> list[int | None]:
    """The lines that cannot be parse_remarks."""
    return [finding.place.entry for finding in judged(text) if finding.unreadable]


def check(tmp_path: Path, text: str) -> Result:
    (tmp_path / "friday.txt").write_text(text, encoding="utf-8")
    return CliRunner().invoke(
        main, ["--archive", str(tmp_path / "a.sqlite"), "deck", "check", str(tmp_path / "friday.txt")]
    )


@pytest.mark.parametrize("text", [VALID, SCRAMBLE, VALID.replace("main", "draft"), VALID.upper()])
def test_a_deck_by_the_rules_has_nothing_to_say(text: str) -> None:
    assert judged(text) == []


def test_a_deck_has_thirty_cards() -> None:  # V4.1
    assert broken(VALID.replace("3 Wolf A", "2 Wolf A")) == [(1, "V4.1")]
    assert broken(f"{VALID}Owl | tempys\n") == [(1, "V4.1")]
    assert broken("# none yet\nsolforge main\n") == [(2, "V4.1")]


def test_an_overdraft_has_sixty() -> None:
    assert broken(VALID.replace("main", "overdraft")) == [(1, "V4.1")]
    assert judged(f"solforge overdraft\n{TEN}{TEN}") == []


def test_what_solbind_adds_is_not_counted() -> None:
    assert judged(f"{VALID}solforge solbind\n9 Ember | uterra\nOwl | nekrium\nImp | alloyin\n") == []


def test_a_deck_has_two_factions() -> None:  # V4.2
    two = VALID.replace("Wolf C | creature | tempys", "Wolf C | creature | uterra")
    assert judged(two) == []
    three = two.replace("Wolf E | creature | tempys", "Wolf E | creature | Nekrium")
    assert broken(three) == [(6, "V4.2")]
    assert broken(three.replace("main", "draft")) == [(6, "V4.2")]
    four = three.replace("Wolf G | creature | tempys", "Wolf G | alloyin")
    assert broken(four) == [(6, "V4.2"), (8, "V4.2")]
    assert "Wolf E adds Nekrium to Tempys and Uterra" in judged(four)[0].text


def test_a_faction_may_be_told_among_the_cards_there_are() -> None:
    untold = VALID.replace(" | creature | tempys", "")
    card_list = f"solforge cards\n{TEN.replace('tempys', 'uterra', 1).replace('tempys', 'alloyin', 1)}"
    assert broken(untold + card_list) == [(4, "V4.2")]


def test_an_untold_faction_is_a_warning() -> None:
    [warning] = judged(
        VALID.replace("Wolf B | creature | tempys", "Wolf B | creature").replace("F | creature | tempys", "F")
    )
    assert (warning.warning, warning.place.entry) == (True, 3)
    assert "Lines 3, 7 do not" in warning.text
    assert judged(SCRAMBLE.replace(" | alloyin", "")) == []


def test_a_constructed_deck_has_three_copies_of_a_card() -> None:  # V4.3
    four = VALID.replace("3 Wolf A", "2 Wolf A").replace("3 Wolf J", "2 Wolf J").replace("3 Wolf D", "4 Wolf D")
    assert broken(four.replace("2 Wolf J", "3 Wolf J")) == [(5, "V4.3")]
    spread = four.replace("4 Wolf D", "3 Wolf D") + "2 wolf d\n"
    assert broken(spread) == [(12, "V4.3")]
    assert broken(spread.replace("3 Wolf B", "2 Wolf B") + "Wolf D\n") == [(12, "V4.3")]
    assert judged(spread.replace("main", "draft")) == []


def test_names_are_known_where_a_card_list_is_supplied() -> None:  # V4.4
    card_list = f"solforge cards\n{TEN.upper().replace('SOLFORGE', 'solforge')}"
    assert judged(VALID + card_list) == []
    misspelt = VALID.replace("Wolf H", "Wolff H")
    assert judged(misspelt) == []
    assert broken(misspelt + card_list) == [(9, "V4.4")]
    assert broken(f"{VALID}solforge solbind\nEmber\n{card_list}") == [(13, "V4.4")]
    assert [rule for _, rule in broken(f"{VALID}solforge cards\n")] == ["V4.4"] * 10


def test_an_accent_is_one_however_it_is_stored() -> None:
    card_list = TEN.replace("Wolf A", "Wo\u0308lf A")
    assert judged(VALID.replace("Wolf A", "W\u00f6lf A") + f"solforge cards\n{card_list}") == []


def test_a_scramble_has_thirty_different_cards() -> None:  # V4.5
    twice = SCRAMBLE.replace("Card 08", "Card 03").replace("alloyin", "uterra")
    assert broken(twice) == [(10, "V4.5")]
    assert broken(SCRAMBLE.replace("Card 03", "2 Card 03")) == [(1, "V4.1"), (5, "V4.5")]
    assert broken(twice.replace("scramble", "main")) == [(4, "V4.2")]


def test_all_that_is_wrong_comes_at_once() -> None:
    wrong = (
        VALID.replace("3 Wolf A", "4 Wolf A")
        .replace("B | creature | tempys", "B | uterra")
        .replace("C | creature | tempys", "C | nekrium")
    )
    assert broken(f"{wrong}solforge cards\nWolf A\n") == [
        (1, "V4.1"),
        (4, "V4.2"),
        (2, "V4.3"),
        *((line, "V4.4") for line in range(3, 12)),
    ]


def test_words_that_say_nothing_are_named() -> None:
    strange = VALID.replace("A | creature", "A | beast").replace("B | creature | tempys", "B | creature | fire")
    assert unreadable(strange) == [2, 3]
    assert "“beast” is not known for Wolf A" in judged(strange)[0].text


@pytest.mark.parametrize(
    "level", ["level x 2/3", "level 4 2/3", "level 0 2/3", "level 12 2/3", "level 01 2/3", "level ² 2/3", "level"]
)
def test_a_level_that_no_card_has_is_not_understood(level: str) -> None:
    strange = VALID.replace("A | creature", f"A | {level}")
    assert unreadable(strange) == [2]
    assert f"“{level}” is not known for Wolf A" in judged(strange)[0].text
    assert judged(VALID.replace("A | creature", "A | ")) == []


def test_parts_that_no_list_has_are_named() -> None:
    assert unreadable(f"{VALID}solforge forge\nOwl\nsolforge\nImp\n") == [12, 14]
    assert unreadable("# nothing\nsolforge cards\nOwl\n") == [2]
    assert unreadable(f"{SCRAMBLE}solforge main\n{TEN}solforge draft\n") == [32, 43]


def test_one_card_has_one_type_and_one_faction() -> None:
    assert unreadable(f"{VALID}solforge cards\n{TEN.replace('C | creature', 'C | spell')}") == [15]
    assert unreadable(VALID.replace("F | creature | tempys", "F | uterra | tempys")) == [7]
    thrice = f"{VALID}solforge solbind\nWolf A | tempys\nWolf A | uterra\n"
    assert [str(finding.text) for finding in judged(thrice)] == [
        "Line 14: Wolf A is uterra here and tempys on line 2; one of them is wrong."
    ]


@given(st.lists(st.integers(1, 9), max_size=12), st.sampled_from(["main", "draft"]))
def test_counts_alone_decide_over_size_and_copies(counts: list[int], part: str) -> None:
    lines = [f"{count} Wolf {number:02} | tempys" for number, count in enumerate(counts)]
    expected = [(1, "V4.1")] if sum(counts) != 30 else []
    expected += [(line, "V4.3") for line, count in enumerate(counts, 2) if count > 3 and part == "main"]
    assert broken("\n".join([f"solforge {part}", *lines])) == expected


def test_the_command_judges_a_list(tmp_path: Path) -> None:
    good = check(tmp_path, VALID)
    assert (good.exit_code, good.stdout) == (0, "friday is a deck by the rules.\n")
    untold = check(tmp_path, VALID.replace("A | creature | tempys", "A"))
    assert untold.exit_code == 0
    assert "Mind: Line 2 does not name the faction," in untold.stdout
    refused = check(tmp_path, VALID.replace("3 Wolf A", "4 Wolf A"))
    assert (refused.exit_code, refused.stdout) == (1, "")
    assert "31 cards; a deck has exactly 30 (V4.1)" in refused.stderr
    assert "Line 2: 4 copies of Wolf A; a deck has at most 3 (V4.3)" in refused.stderr
    strange = check(tmp_path, VALID.replace("A | creature", "A | beast"))
    assert strange.exit_code == 2
    assert "Line 2: “beast”" in strange.stderr
