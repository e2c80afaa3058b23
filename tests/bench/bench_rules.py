"""How long the rules take: one mark, one action, a look at the table, a whole dungeon, undo, completion."""

import statistics
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path

from companion.archive.storage.entries import Entry, StreamOpened, draft
from companion.archive.storage.lists import marks_of
from companion.games import registry
from companion.games.decknforge.decks.marks import (
    CardInscribed,
    Drifted,
    DungeonPlayed,
    InscriptionCrossedOut,
    Labelled,
)
from companion.games.decknforge.rules.round_steps import ROUND_STEPS
from companion.session.core.replay import Replay
from companion.session.core.session import Session
from companion.tabletop import records
from companion.tabletop.notation.cards import Card
from companion.tabletop.table.completion import complete
from tests.bench.figures import Figure

DUNGEON = Path(__file__).parent.parent / "tables" / "decknforge" / "dungeon.table"
PAGES = DUNGEON.parent.parent / "described"
FIVE = DUNGEON.parent / "round" / "five.table"
PURCHASE = """table decknforge
seat ana
purse ana 60
begin seed 1
set table outcome loss
pick ana ana
"""
WIZARDS = ("ana", "ben", "cy", "dora", "eli")
SHORT, LONG = 20, 2_000
WHOLE = 400
"""Actions of a whole dungeon with all its talk; the recorded one is shorter and is counted up to that."""
_REPEATS = 7
STORY = (
    CardInscribed(Card("7S"), "sharp", "bought", "Ana"),
    InscriptionCrossedOut(Card("7S"), "sharp", "faded"),
    Labelled(Card("AS"), "tough", "Ben"),
    DungeonPlayed("Ana", "win", 6, 12),
    Drifted("Ben"),
    records.Done(("12.1", "12.2"), "Ana"),
)
_STORIES = 50


def figures() -> list[Figure]:
    """Marks, `apply`, `view`, `do`, replay, undo and completion."""
    return [
        Figure("read one mark of a deck's record", _mark_microseconds(), "µs", budget=1),
        Figure("apply one action of a dungeon (median)", _apply_microseconds(), "µs", budget=20),
        Figure("view of a table of five, in a round (median)", _view_microseconds(), "µs", budget=250),
        Figure("do one intention, kept nowhere (median)", _do_microseconds(), "µs", budget=60),
        *_page_figures(),
        Figure("complete `buy ana ` with 60 to spend", _complete_milliseconds(), "ms", budget=30),
        Figure(f"replay a dungeon of {WHOLE} actions from its log", _replay_milliseconds(), "ms", budget=50),
        Figure(
            f"undo after {LONG:,} actions, beside {SHORT}", _undo(LONG), "µs", base=_undo(SHORT), budget=_UNDO_TOLERANCE
        ),
    ]


# Independent of the log's length means a ratio of 1; what is above it allows for the clock.
_UNDO_TOLERANCE = 1.5


def evening(actions: int) -> str:
    """A table of five wizards at which so many things were written down, as a `.table` file."""
    seats = [f"seat {wizard}" for wizard in WIZARDS]
    changes = [f"add {WIZARDS[n % 5]} hp {'-1' if n // 5 % 2 == 0 else '+1'}" for n in range(actions)]
    return "\n".join(["table decknforge", *seats, "begin seed 1", *changes, ""])


def played(text: str) -> Session:
    """The session that a `.table` file leads to, all of its checks met."""
    replay = Replay(text)
    for step in replay:
        assert not step.failure, step
    return replay.session


def _apply_microseconds() -> float:
    """The median over a dungeon's actions, each at its quickest."""
    apply = registry.game("decknforge").apply
    taken = []
    for moment in played(DUNGEON.read_text(encoding="utf-8")).moments():
        assert moment.before is not None
        state, action = moment.before.state, moment.action
        taken.append(_fastest(lambda: apply(state, action)))  # noqa: B023
    return statistics.median(taken) * 1e6


def _mark_microseconds() -> float:
    """Reading one entry of a deck's stream, of some hundreds as twelve evenings leave them."""
    marks = [draft(mark) for mark in STORY for _ in range(_STORIES)]
    opened = draft(StreamOpened("decknforge"))
    at = datetime.now(UTC)
    stream = [Entry("deck:X", seq, at, "", *entry) for seq, entry in enumerate((opened, *marks))]
    return _fastest(lambda: marks_of(stream)) * 1e6 / len(marks)


def _view_microseconds() -> float:
    """The median over the tables of a round of five, each at its quickest."""
    session = played(FIVE.read_text(encoding="utf-8"))
    view = session.game.view
    states = [moment.state for moment in session.moments() if moment.state.step in ROUND_STEPS]
    return statistics.median(_fastest(lambda: view(state)) for state in states) * 1e6  # noqa: B023


def _page_figures() -> Iterator[Figure]:
    """The slowest line, and the slowest look at a table, of the games that are described on the ready pages."""
    lines, looks = [], []
    for file in sorted(PAGES.glob("*.table")):
        session = played(file.read_text(encoding="utf-8"))
        apply, view = session.game.apply, session.game.view
        for moment in session.moments():
            assert moment.before is not None
            before, action, after = moment.before.state, moment.action, moment.state
            lines.append(_fastest(lambda: apply(before, action)))  # noqa: B023
            # Between two looks at a table there is one at another, as what is asked twice of one is found once.
            looks.append(min(_taken(lambda: view(after)) for _ in range(_REPEATS) if view(before)))  # noqa: B023
    yield Figure("apply a line of a game on a page (the slowest)", max(lines) * 1e6, "µs", budget=60)
    yield Figure("view of a table of a game on a page (the slowest)", max(looks) * 1e6, "µs", budget=250)


def _do_microseconds() -> float:
    """The median over the actions of a dungeon, each at its quickest of several evenings."""
    session = played(DUNGEON.read_text(encoding="utf-8"))
    actions = [moment.action for moment in session.moments()]
    evenings = [Session.new(session.game) for _ in range(_REPEATS)]
    return statistics.median(min(_taken(lambda: one.do(action)) for one in evenings) for action in actions) * 1e6  # noqa: B023


def _complete_milliseconds() -> float:
    """Completion where the most has to be tried: every card, and what may go on it."""
    session = played(PURCHASE)
    return _fastest(lambda: complete(session.game, session.state, "buy ana ")) * 1e3


def _replay_milliseconds() -> float:
    """Reading and applying every line of a recorded dungeon's log, as resuming it does."""
    lines = played(DUNGEON.read_text(encoding="utf-8")).log.lines
    return _fastest(lambda: Session.resume(lines)) * 1e3 * WHOLE / len(lines)


def _undo(actions: int) -> float:
    """Microseconds that undo takes at the end of a log."""
    session = played(evening(actions))
    taken = []
    for _ in range(_REPEATS):
        taken.append(_taken(session.undo))
        session.redo()
    return min(taken) * 1e6


def _fastest(what: Callable[[], object]) -> float:
    """The seconds that `what` takes when nothing else disturbs it."""
    return min(_taken(what) for _ in range(_REPEATS))


def _taken(what: Callable[[], object]) -> float:
    """The seconds that `what` takes once."""
    started = time.perf_counter()
    what()
    return time.perf_counter() - started
