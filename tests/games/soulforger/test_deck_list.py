"""Soul-Forger's deck lists: each rule of V2.* broken once, its limits, and the list that the documentation shows."""

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from companion.cli.main import main
from companion.games.soulforger.game import GAME
from companion.tabletop.deck_lists.reading import read_deck_list
from companion.tabletop.decks.form import Finding

DOCS = (Path(__file__).parents[3] / "docs" / "deck-lists.md").read_text(encoding="utf-8")

MAIN = "\n".join(["soulforger main", *(f"4 Wolf of {pack} | creature" for pack in "abcdefghijklmno")])
FORGE = "soulforger forge\n4 Bow | weapon | hands 2\n4 Helm | armor\n2 Charm | accessory"
GEAR = "soulforger gear\nBlade | weapon | starting | hands 2\nCoat | armor | starting\nRing | accessory | starting"
VALID = f"{MAIN}\n{FORGE}\n{GEAR}\n"
"""60 cards in lines 2–16, the Forge Deck in lines 18–20, the gear in lines 22–24."""


def findings(text: str) -> list[Finding]:
    listed = read_deck_list(text, ("soulforger",)).deck_list
    assert GAME.decks.deck_list is not None
    return [*listed.findings, *GAME.decks.deck_list.findings(listed)]


def changed(*changes: tuple[str, str]) -> str:
    text = VALID
    for old, new in changes:
        assert text.count(old) == 1
        text = text.replace(old, new)
    return text


def check(tmp_path: Path, text: str) -> Result:
    (tmp_path / "ash.txt").write_text(text, encoding="utf-8")
    url = str(tmp_path / "archive.sqlite")
    return CliRunner().invoke(main, ["--archive", url, "deck", "check", str(tmp_path / "ash.txt")])


def test_a_deck_by_the_rules_has_no_findings() -> None:
    assert findings(VALID) == []


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ("4 Wolf of c | creature", "4 Wolf of c | creature | action", "Wolf of c has “creature” and “action”"),
        ("4 Wolf of c | creature", "4 Wolf of c | creature | creature", "Wolf of c has “creature” and “creature”"),
        ("Coat | armor | starting", "Coat | armor | starting | starting", "Coat has “starting” and “starting”"),
        ("4 Helm | armor", "4 Helm | armor | cost 1 | cost 2", "Helm has two costs"),
    ],
)
def test_a_line_says_each_of_its_words_once(old: str, new: str, problem: str) -> None:
    texts = [str(finding.text) for finding in findings(changed((old, new)))]
    assert len([text for text in texts if problem in text]) == 1
    assert f"{problem}; write" in " ".join(texts)


def test_all_keywords_of_a_line_are_the_cards() -> None:
    read = read_deck_list("soulforger main\n4 Bat | creature | keywords flight skill", ("soulforger",)).deck_list
    (card,) = read.sections[0].cards
    assert tuple(map(str, GAME.decks.profile(card).about)) == ("Flight", "Skill")


def test_the_list_in_the_documentation_is_a_deck() -> None:
    section = DOCS.partition("## Soul-Forger\n")[2].partition("\n## ")[0]
    example = section.partition("```text ash-pack.txt\n")[2].partition("```")[0]
    assert example.startswith("soulforger main")
    assert findings(example) == []


@pytest.mark.parametrize(
    ("old", "new", "rule", "line"),
    [
        ("4 Wolf of c |", "3 Wolf of c |", "V2.1", 1),
        ("4 Wolf of c | creature", "4 Wolf of c | armor", "V2.2", 4),
        ("2 Charm", "3 Charm", "V2.3", 17),
        ("4 Helm | armor", "4 Helm | action", "V2.3", 19),
        ("4 Helm | armor", "4 Helm | armor | starting", "V2.3", 19),
        ("4 Wolf of c |", "5 Wolf of c |", "V2.4", 4),
        ("Wolf of c |", "WOLF of b |", "V2.4", 4),
        ("2 Charm | accessory", "2 helm | armor", "V2.4", 20),
        ("Coat | armor", "2 Coat | armor", "V2.5", 23),
        ("Ring | accessory | starting", "", "V2.5", 21),
        ("Coat | armor | starting", "Coat | armor", "V2.5", 23),
        ("4 Wolf of c | creature", "4 Wolf of c | creature | token", "V2.6", 4),
        ("4 Wolf of c | creature", "4 Wolf of c | token", "V2.6", 4),
        ("2 Charm | accessory", "2 Charm | token", "V2.6", 20),
        ("Ring | accessory | starting", "Ring | accessory | starting\nSpark | token", "V2.6", 25),
        ("Coat | armor | starting", "Coat | armor | starting | token", "V2.6", 23),
        ("starting | hands 2", "starting | hands 3", "V2.7", 22),
    ],
)
def test_each_rule_is_told_with_its_line(old: str, new: str, rule: str, line: int) -> None:
    (finding,) = findings(changed((old, new)))
    assert (finding.place.entry, finding.warning, finding.unreadable) == (line, False, False)
    assert str(finding.text).startswith(f"Line {line}: ")
    assert str(finding.text).endswith(f"({rule}).")


@pytest.mark.parametrize(("more", "right"), [("15", True), ("16", False)])
def test_the_main_deck_ends_at_75(more: str, right: bool) -> None:
    others = "\n".join(f"Owl {number} | action" for number in range(int(more)))
    results = findings(f"{MAIN}\n{others}\n{GEAR}")
    assert [finding.place.entry for finding in results] == ([] if right else [1])


def test_a_second_weapon_takes_no_other_place() -> None:
    results = findings(changed(("Coat | armor | starting", "Spear | weapon | starting | hands 1")))
    assert [(finding.place.entry, str(finding.text)[-7:]) for finding in results] == [(23, "(V2.5)."), (21, "(V2.5).")]


def test_a_creature_is_no_gear() -> None:
    (finding,) = findings(f"{VALID}Owl | creature\n")
    assert (finding.place.entry, str(finding.text)) == (25, "Line 25: Owl is not equipment and cannot be gear (V2.5).")


def test_copies_are_counted_in_each_deck_by_itself() -> None:
    assert findings(changed(("4 Bow", "4 Wolf of a"), ("Blade", "Wolf of a"))) == []


def test_a_part_that_is_not_there_has_no_line() -> None:
    assert findings(f"{MAIN}\n{GEAR}") == []
    results = findings("soulforger forge\n")
    assert {finding.place.entry for finding in results} == {None}
    assert str(results[0].text) == "The Main Deck has 0 cards; 60 to 75 are needed (V2.1)."
    assert len(results) == 4


def test_a_list_without_types_is_kept_as_an_unfinished_deck() -> None:
    (finding,) = findings(changed(("4 Wolf of c | creature", "4 Wolf of c")))
    assert (finding.place.entry, finding.warning, finding.unreadable) == (4, False, False)
    assert "type of Wolf of c" in finding.text


def test_hands_that_are_not_said_are_worth_a_warning() -> None:
    (finding,) = findings(changed(("starting | hands 2", "starting")))
    assert (finding.place.entry, finding.warning) == (22, True)


@pytest.mark.parametrize(
    ("old", "new", "line", "named"),
    [
        ("4 Wolf of c | creature", "4 Wolf of c | creatur", 4, "“creatur”"),
        ("starting | hands 2", "startin | hands 2", 22, "“startin”"),
        ("Blade | weapon", "Blade | weapn", 22, "“weapn”"),
        ("4 Wolf of c | creature", "4 Wolf of c | creature | action", 4, "“action”"),
        ("4 Wolf of c | creature", "4 Wolf of c | creature | hands 1", 4, "“hands 1”"),
        ("starting | hands 2", "starting | hands 0", 22, "“hands 0”"),
        ("soulforger gear", "soulforger gears", 21, "“gears”"),
        ("soulforger main", "soulforger", 1, "part of the deck"),
    ],
)
def test_what_is_not_understood_is_named_with_its_line(old: str, new: str, line: int, named: str) -> None:
    unclear = [finding for finding in findings(changed((old, new))) if finding.unreadable]
    assert [finding.place.entry for finding in unclear] == [line]
    assert named in unclear[0].text


def test_the_command_tells_all_at_once(tmp_path: Path) -> None:
    good = check(tmp_path, VALID)
    assert (good.exit_code, good.stdout, good.stderr) == (0, "ash is a deck by the rules.\n", "")
    wrong = check(tmp_path, changed(("2 Charm", "3 Charm"), ("starting | hands 2", "starting | hands 3")))
    assert (wrong.exit_code, wrong.stdout) == (1, "")
    assert "Line 17:" in wrong.stderr
    assert "Line 22:" in wrong.stderr
    unclear = check(tmp_path, changed(("4 Helm | armor", "4 Helm | hat"), ("Coat | armor", "Coat | rag")))
    assert unclear.exit_code == 2
    assert "“hat”" in unclear.stderr
    assert "“rag”" in unclear.stderr
