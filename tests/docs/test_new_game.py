"""The game that docs/new-game.md shows: all of it stands there, and it plays as the page says."""

from types import ModuleType

import pytest

from companion.games import registry
from companion.session.core.session import Session
from companion.tabletop.action import RuleError
from tests.docs.documents import DOCS, ROOT, blocks

EXAMPLE = "tests/games/miniature.py"


def code() -> str:
    """The blocks of the page that show the game, one after the other."""
    return "\n".join(block.text for block in blocks(DOCS / "new-game.md") if block.name == EXAMPLE)


@pytest.fixture
def duel(monkeypatch: pytest.MonkeyPatch) -> Session:
    """A duel of two, by the rules that the page shows."""
    monkeypatch.setattr(registry, "register", lambda game: game)
    module = ModuleType("shown")
    exec(code(), vars(module))
    session = Session.new(module.GAME)
    for line in ("seat ana", "seat ben", "begin seed 7"):
        session.enter(line)
    return session


def test_the_page_leaves_nothing_out() -> None:
    lines = (ROOT / EXAMPLE).read_text(encoding="utf-8").splitlines()
    assert [line for line in code().splitlines() if line] == [line for line in lines if line]


def test_set_add_and_note_always_work(duel: Session) -> None:
    for line in ("draw ana 10S", "spend ana strike", "draw ben 2S"):
        duel.enter("add ben life -1")
        duel.enter("set ana life 12")
        assert duel.enter('note "a cup fell"')[0].text == "Note: a cup fell"
        duel.enter(line)
    assert duel.state.life == {"ana": 12, "ben": 20 - 3 - 10}
    duel.enter("set ben life 0")
    assert duel.view().outcome == "ana"
    duel.enter("add ben life 3")
    assert duel.view().outcome is None


def test_what_is_not_written_cannot_be_set(duel: Session) -> None:
    with pytest.raises(RuleError, match="turn is computed from the rest of the table"):
        duel.enter("set table turn 3")
    with pytest.raises(RuleError, match=r"“pile” has no counters .*; these have some: table, ana, ben"):
        duel.enter("set pile cards 3")


def test_next_and_a_refusal_come_from_the_game(duel: Session) -> None:
    with pytest.raises(RuleError, match="Not now: Ana draws a card"):
        duel.enter("spend ana heal")
    duel.enter("draw ana 10S")
    duel.enter("next")
    assert duel.state.life["ana"] == 25
