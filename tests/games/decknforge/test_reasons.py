"""The words for what Coppers were paid for: each part of a sum with what it was, plain ones and those by effects."""

import pytest

from companion.games.decknforge.game import GAME
from companion.games.decknforge.glossary import GLOSSARY, kill_reason
from companion.session.core.session import Session
from companion.tabletop.action import RuleError
from companion.tabletop.records import Reason


@pytest.mark.parametrize(
    ("reason", "words"),
    [
        (kill_reason([(2, "kill")]), "2 kill"),
        (kill_reason([(2, "kill"), (0, "overkill"), (-1, "greedy")]), "2 kill + 0 overkill + (−1) Greedy"),
        (kill_reason([(2, "kill"), (3, "blood-money")]), "2 kill + 3 Blood Money"),
        (Reason("assist"), "1 assist"),
        (Reason("assist", (2,)), "1 assist + 2 Mercenary Pact"),
        (Reason("minion", (3,)), "Minion with ATK 3"),
        (Reason("minion", (3, 1)), "Minion with ATK 3 +1 Greedy"),
    ],
)
def test_each_part_of_a_sum_is_told(reason: Reason, words: str) -> None:
    assert str(GLOSSARY.reason(reason)) == words


def test_a_step_is_told_by_its_title() -> None:
    assert str(GLOSSARY.reason(Reason("step", ("attack",)))) == "Boss attack"
    assert str(GLOSSARY.reason(Reason("step", ("sealed",)))) == "Sealed"
    assert str(GLOSSARY.reason(Reason("step", ("of-a-newer-program",)))) == "of-a-newer-program"


def test_a_minion_that_is_not_there_is_named() -> None:
    session = Session.new(GAME)
    for line in ("seat ana", "bosses ana:AS", "begin seed 1"):
        session.enter(line)
    with pytest.raises(RuleError, match=r"^ana:AH is not an active Minion; active: none\.$"):
        session.enter("set minion ana:AH hp 3")
