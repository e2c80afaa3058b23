"""An intention is worked out once and a table looked at once, however often a screen asks."""

from collections import Counter
from collections.abc import Mapping, Sequence

import pytest

from companion.session.core.moments import Line
from companion.session.core.sealing import Sealing
from companion.session.core.session import SecretChoice, Session
from companion.tabletop.action import Action, RuleError, Step
from companion.tabletop.table.common_actions import Note
from companion.tabletop.table.table import TableView
from tests.games.miniature import Draw, Duel, Miniature


class Watched(Miniature):
    """A duel that counts what is asked of it."""

    def __init__(self) -> None:
        self.calls = Counter[str]()

    def apply(self, state: Duel, action: Action) -> Step:
        self.calls["apply"] += 1
        return super().apply(state, action)

    def view(self, state: Duel) -> TableView:
        self.calls["view"] += 1
        return super().view(state)


class Memory:
    """Keeps lines as long as the test lasts."""

    session = "a test"
    sealed = False

    def __init__(self) -> None:
        self.lines: list[Line] = []

    def keep(self, lines: Sequence[Line], sealing: Sealing, view: TableView) -> None:
        """Keep them."""
        assert view.seats or not lines[-1].text.startswith("seat")
        assert not sealing.marks
        self.lines += lines

    def secret_choices(self) -> Mapping[str, SecretChoice]:
        return {}

    def later(self, number: int) -> Sequence[Line]:
        """Nobody else writes here."""
        return self.lines[number:]


def _duel() -> tuple[Session, Watched]:
    game = Watched()
    session = Session.new(game, Memory(), by="ana")
    for line in ("seat ana", "seat ben", "begin seed 1"):
        session.enter(line)
    game.calls.clear()
    return session, game


def test_what_was_previewed_is_done_without_working_it_out_again() -> None:
    session, game = _duel()
    (proposal,) = session.preview(Draw("ana"))
    assert session.do(Draw("ana")) == proposal.tells
    session.view()
    assert game.calls == {"apply": 1, "view": 1}
    assert session.log.lines[-1].by == "ana"


def test_a_preview_is_worth_nothing_once_the_table_has_moved_on() -> None:
    session, game = _duel()
    session.preview(Draw("ana"))
    session.do(Note("first"))
    session.do(Draw("ana"))
    assert game.calls["apply"] == 3
    assert [moment.text.split()[0] for moment in session.moments()][-2:] == ["note", "draw"]


def test_another_action_than_the_previewed_one_is_judged_itself() -> None:
    session, _ = _duel()
    session.preview(Draw("ana"))
    with pytest.raises(RuleError, match="Not now"):
        session.do(Draw("ben"))
