"""Deck lists as people write them, and as a game that wants nine different cards judges them."""

import json
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from companion.cli.main import main
from companion.games import registry
from companion.tabletop.deck_lists.reading import is_deck_list, read_deck_list
from companion.tabletop.decks.decklist import DeckList, ListedCard
from companion.tabletop.decks.form import Finding, FormPlace
from tests.games.miniature import FighterDecks, Miniature

GAMES = ("hunt", "duel")

WRITTEN = """\
# the deck of a Friday
hunt main
4 Ash Wolf | creature | power 3
3x Ember
Grey  Goose x2   # two are enough
Zed

hunt side
1 × Owl
"""


class NineCards:
    """No deck has more than nine cards in its main part (N1); an empty one is odd."""

    def findings(self, deck_list: DeckList) -> Iterable[Finding]:
        main = deck_list.section("main")
        if main.count > 9:
            yield Finding(
                f"Line {main.line}: {main.count} cards; nine is the most (N1).", place=FormPlace(entry=main.line)
            )
        if not main.count:
            yield Finding("A deck without cards (N2).", warning=True)


class HuntDecks(FighterDecks):
    """The decks of the duel, with lists."""

    deck_list = NineCards()


class Hunt(Miniature):
    """The duel, with deck lists."""

    name, title, decks = "hunt", "Hunt", HuntDecks()


@pytest.fixture(autouse=True)
def hunt() -> Iterator[None]:
    registry.register(Hunt())
    yield
    registry._LOADED.pop("hunt")


def check(tmp_path: Path, text: str, *options: str) -> Result:
    (tmp_path / "friday.txt").write_text(text, encoding="utf-8")
    url = str(tmp_path / "archive.sqlite")
    return CliRunner().invoke(main, ["--archive", url, "deck", "check", str(tmp_path / "friday.txt"), *options])


def test_the_common_ways_to_write_a_list_are_read() -> None:
    read = read_deck_list(WRITTEN, GAMES).deck_list
    assert (read.game, read.findings) == ("hunt", ())
    assert read.section("main").cards == (
        ListedCard(3, 4, "Ash Wolf", ("creature", "power 3")),
        ListedCard(4, 3, "Ember"),
        ListedCard(5, 2, "Grey Goose"),
        ListedCard(6, 1, "Zed"),
    )
    assert [section.name for section in read.sections] == ["main", "side"]
    assert (read.section("side").count, read.section("none").count) == (1, 0)


def test_a_card_called_like_another_game_is_a_card() -> None:
    assert read_deck_list("hunt main\nDuel\n", GAMES).deck_list.section("main").cards == (ListedCard(2, 1, "Duel"),)


def test_unreadable_lines_are_reported_with_their_numbers() -> None:
    read = read_deck_list("hunt main\n4\n0 Wolf\n2 Owl\n| creature\n", GAMES).deck_list
    assert [(finding.place.entry, finding.unreadable) for finding in read.findings] == [
        (2, True),
        (3, True),
        (5, True),
    ]
    assert read.section("main").count == 2


@pytest.mark.parametrize(("text", "is_one"), [(WRITTEN, True), ('game = "hunt"\n', False), ("", False), ("Owl", False)])
def test_a_list_is_told_from_other_files_by_its_first_line(text: str, is_one: bool) -> None:
    assert is_deck_list(text, GAMES) is is_one


def test_what_names_no_game_says_how_to_begin() -> None:
    read = read_deck_list("4 Ash Wolf\n", GAMES).deck_list
    assert (read.game, read.findings[0].place.entry) == ("", 1)


@pytest.mark.parametrize("count", ["-1", "+2", "−3x", "1.5", "2,"])
def test_what_is_no_count_of_copies_is_no_part_of_a_name(count: str) -> None:
    (finding,) = read_deck_list(f"hunt main\n{count} Ash Wolf\n", GAMES).deck_list.findings
    assert finding.unreadable
    assert str(finding.text).startswith(f"Line 2: “{count.rstrip('x')}” is not a number of copies; write 1 to 1000")


def test_a_name_may_begin_with_a_number_behind_its_count() -> None:
    (section,) = read_deck_list("hunt main\n1 2.0 Wolf\n4 -1 Wolf\n", GAMES).deck_list.sections
    assert [(card.count, card.name) for card in section.cards] == [(1, "2.0 Wolf"), (4, "-1 Wolf")]


def test_the_command_judges_a_list_by_its_games_rules(tmp_path: Path) -> None:
    refused = check(tmp_path, WRITTEN)
    assert (refused.exit_code, refused.stdout) == (1, "")
    assert "nine is the most (N1)" in refused.stderr
    good = check(tmp_path, WRITTEN.replace("4 Ash", "3 Ash"))
    assert (good.exit_code, good.stdout) == (0, "friday is a deck by the rules.\n")
    odd = check(tmp_path, "hunt side\nOwl\n")
    assert odd.stdout.endswith("Mind: A deck without cards (N2).\n")
    unreadable = check(tmp_path, "hunt main\n0 Wolf\n17\n")
    assert unreadable.exit_code == 2
    assert "Line 2" in unreadable.stderr
    assert "Line 3" in unreadable.stderr
    assert "Duel has no deck lists" in check(tmp_path, "duel\nOwl\n").stderr


def test_a_list_that_no_game_judges_is_told_to_programs_too(tmp_path: Path) -> None:
    result = check(tmp_path, "duel\nOwl\n", "--json")
    assert result.exit_code == 1
    assert json.loads(result.stdout)["errors"] == "Duel has no deck lists."


WRONG_IN_TWO_WAYS = "hunt side\nOwl\n0 Wolf\nhunt main\n10 Owl\n17\n"


def test_all_faults_are_reported_at_once_by_line(tmp_path: Path) -> None:
    result = check(tmp_path, WRONG_IN_TWO_WAYS)
    assert (result.exit_code, result.stdout) == (2, "")
    assert [line.split(":")[0] for line in result.stderr.splitlines()] == ["Line 3", "Line 4", "Line 6"]
    assert "nine is the most (N1)" in result.stderr


def test_a_warning_stands_beside_what_is_wrong(tmp_path: Path) -> None:
    result = check(tmp_path, "hunt side\nOwl\n0 Wolf\n")
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.splitlines()[0] == "Mind: A deck without cards (N2)."
    assert result.stderr.splitlines()[1].startswith("Line 3: ")


def test_the_verdict_for_programs_names_line_and_kind_of_each(tmp_path: Path) -> None:
    wrong = check(tmp_path, WRONG_IN_TWO_WAYS, "--json")
    assert (wrong.exit_code, wrong.stderr) == (2, "")
    verdict = json.loads(wrong.stdout)
    assert [(finding["line"], finding["kind"]) for finding in verdict["findings"]] == [
        (3, "unreadable"),
        (4, "error"),
        (6, "unreadable"),
    ]
    assert verdict["valid"] is False
    assert verdict["errors"] == " ".join(finding["text"] for finding in verdict["findings"])
    odd = check(tmp_path, "hunt side\nOwl\n", "--json")
    assert odd.exit_code == 0
    assert json.loads(odd.stdout) == {
        "valid": True,
        "name": "friday",
        "errors": "",
        "warnings": ["A deck without cards (N2)."],
        "findings": [{"line": None, "kind": "warning", "text": "A deck without cards (N2)."}],
    }


def test_control_symbols_are_refused_at_their_line() -> None:
    for hostile in ("4 Ash\x1b]52;c;aGk=\x07 Wolf", "4 Ash Wolf | \x1b[6n", "4 Ash\u202eWolf"):
        (finding,) = read_deck_list(f"duel main\n{hostile}", ("duel",)).deck_list.findings
        assert finding.unreadable
        assert (finding.place.entry, str(finding.text).isprintable()) == (2, True)
    (card,) = read_deck_list("duel main\n4\tAsh\u00a0Wolf\t| creature", ("duel",)).deck_list.section("main").cards
    assert (card.count, card.name, card.remarks) == (4, "Ash Wolf", ("creature",))
