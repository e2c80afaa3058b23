"""The book of a table: names are checked against it, effects, prices and limits are looked up in it."""

from __future__ import annotations

import msgspec
import pytest

from companion.games.decknforge.book.effect import COMMON, Inscription, MonsterLabel
from companion.games.decknforge.book.house import House
from companion.games.decknforge.book.inscriptions import effects
from companion.games.decknforge.book.standard import STANDARD
from companion.games.decknforge.book.state import DungeonTable
from companion.games.decknforge.game import GAME
from companion.games.decknforge.rules import actions as do
from companion.tabletop.action import Action, RuleError
from companion.tabletop.notation.cards import Card
from companion.tabletop.notation.notation import Notation

NOTATION = Notation(GAME.actions)


class Heavy(Inscription):
    """F +4 (R1.X)."""

    name = "heavy"
    number = 99
    tier = COMMON
    face = 4


class Sleepy(MonsterLabel):
    """ATK −1."""

    name = "sleepy"
    number = 99

    def atk(self, rounds: int, fight_round: int, house: House) -> int:  # noqa: ARG002
        return -1


HOMEBREW = msgspec.structs.replace(
    STANDARD,
    inscriptions={"heavy": Heavy()},
    labels={"sleepy": Sleepy()},
    prices={COMMON: 7},
    labels_per_dungeon=1,
)


def played(state: DungeonTable, *lines: str) -> DungeonTable:
    for line in lines:
        state = GAME.apply(state, NOTATION.parse(line)).state
    return state


BEGIN = "begin seed 1 bosses ana:AS ana:AH ana:AC ana:AD ana:BJ ana:RJ lots ana"


def test_a_table_knows_the_printed_book() -> None:
    assert GAME.new().book is STANDARD
    for kind in (STANDARD.inscriptions, STANDARD.labels):
        assert [effect.number for effect in kind.values()] == [*range(1, len(kind) + 1)]


def test_the_same_set_up_plays_by_another_book() -> None:
    table = DungeonTable(book=HOMEBREW)
    table = played(table, "seat ana", "inscribed ana 2C heavy", "dungeons ana 1", "purse ana 10", BEGIN)
    table = played(table, "label ana sleepy draw")
    assert table.wizard("ana").purse == 11
    table = played(table, "reveal ana 2C", "next", "damage")
    assert table.boss is not None
    assert table.boss.hp == 12
    table = played(table, "next")
    assert table.wizard("ana").hp == 17  # ATK 3 − 1, and 1 for the label's risk
    table = played(table, "next") if table.step != "refill" else table
    table = GAME.apply(table, do.Refill()).state
    assert table.step == "reveal"  # one label a dungeon
    table = played(table, "set table outcome loss", "fade ana 2C", "heirloom ana heavy")
    assert [effect.name for effect in effects(table, "ana", Card("2C"))] == []


def test_prices_are_those_of_the_book() -> None:
    table = DungeonTable(book=HOMEBREW)
    table = played(table, "seat ana", "inscribed ana 2C heavy", "inscribed ana 3C heavy", "purse ana 10", BEGIN)
    table = played(table, "set table outcome loss", "fade ana 2C", "pick ana ana", "buy ana 4C heavy")
    assert table.wizard("ana").purse == 3


@pytest.mark.parametrize(
    ("line", "near"),
    [
        ("inscribed ana 9S shrap", "sharp"),
        ("inscribed ana 9S hunter-edge", "hunters-edge"),
        ("history ana quik", "quick"),
        ('monster ana AS "Wyrm" labels tuogh', "tough"),
        ("inscribed ana 9S xyzzy", "wildcard"),
    ],
)
def test_a_name_that_the_book_lacks_is_refused_with_a_hint(line: str, near: str) -> None:
    table = played(GAME.new(), "seat ana")
    action: Action = NOTATION.parse(line)
    assert NOTATION.parse(NOTATION.format(action)) == action
    with pytest.raises(RuleError, match=near):
        GAME.apply(table, action)


def test_the_printed_names_mean_nothing_to_another_book() -> None:
    table = played(DungeonTable(book=HOMEBREW), "seat ana")
    with pytest.raises(RuleError, match="it holds heavy"):
        GAME.apply(table, NOTATION.parse("inscribed ana 9S wizards-will"))


def test_every_house_rule_is_a_sentence_that_names_its_ruling() -> None:
    for rule in House.all():
        text = str(rule.text)
        assert text.endswith(".")
        assert len(text) <= 110
        assert "(R1." in text or "(A1." in text
