"""What is asked before it is done, and what a table answers to whatever somebody wants done."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal

import msgspec

from companion.archive.errors import Look
from companion.session import changes, log
from companion.session.changes import Difference
from companion.session.log import Proposal
from companion.session.session import Session
from companion.session.table_questions import left_open
from companion.tabletop.action import Action, Tell, permanent_changes
from companion.tabletop.common_actions import REVISIONS, Concede, DrawAgreed, Next, ResumeFrom, Undo
from companion.tabletop.table import TableView

if TYPE_CHECKING:
    from companion.session.coaching import Coaching

_WON = "win"
_SEALS = "This writes the game into its decks' records, and cannot be undone then."


class Confirmation(msgspec.Struct, frozen=True):
    """Something that needs a second word. How people say it is for each screen to add.

    `lasting` is what may have been done to real cards for good (before an undo); `differs` and `left_out` are what an
    amendment would lead to: figures that would be others, and later lines that would no longer fit. `open` is what
    could still be done before a seal. `harm` is asked where somebody would be out, the
    game lost or given up, or a card torn up.
    """

    kind: Literal["seal", "undo", "amendment", "harm"]
    text: str
    lasting: tuple[str, ...] = ()
    differs: tuple[Difference, ...] = ()
    left_out: tuple[str, ...] = ()
    open: tuple[str, ...] = ()


def required_confirmation(
    session: Session, actions: Sequence[Action], warns: bool = True, *, unsaid: bool = False, shortened: bool = False
) -> Confirmation | None:
    """What must be asked before these are done; None where nothing must. Raises RuleError as `Session.preview` does.

    `warns` says that people want to be asked, too, before `next`, or what else nobody has said in so many words
    (`unsaid`), costs somebody the game; and before what was typed by less than its whole verb (`shortened`) puts
    somebody out or ends the game. Who gives up by less than the whole word is always asked.
    """
    if actions and isinstance(actions[0], Undo):
        undone = (moment for moment in session.undoable() if not log.amends(moment))
        lasting = permanent_changes(tell for moment in undone for tell in moment.tells)
        text = f"May have been done already, for good: {' '.join(lasting)}"
        return Confirmation("undo", text, lasting=lasting) if lasting else None
    proposals = session.preview(*actions)
    if any(isinstance(action, (*REVISIONS, ResumeFrom)) for action in actions):
        return _before_amendment(session, proposals)
    if _seals(session, proposals):
        still_open = left_open(session.view())
        warning = [log.with_full_stop(f"Still open: {'; '.join(still_open)}")] if still_open else []
        return Confirmation("seal", " ".join((*warning, _SEALS)), open=still_open)
    if any(isinstance(action, DrawAgreed) for action in actions):
        return Confirmation("harm", "Does everybody agree on a draw? The game is over then.")
    if any(action.asks_twice for action in actions):
        happenings = " ".join(tell.text for proposal in proposals for tell in proposal.tells)
        return Confirmation("harm", f"Nothing leads back from this: {happenings}")
    gives_up = shortened and any(isinstance(action, Concede) for action in actions)
    if not gives_up and not (warns and (unsaid or shortened or tuple(actions) == (Next(),))):
        return None
    return _before_harm(session, proposals, even_won=shortened)


def _before_harm(session: Session, proposals: Sequence[Proposal], *, even_won: bool) -> Confirmation | None:
    """Ask before somebody would be out or the game lost (or `even_won`), telling what happens: nobody has said so."""
    now, then = session.view(), session.view_of(proposals[-1].position.head.state)
    harm = describe_harm(now, then)
    if even_won and not harm and then.outcome == _WON and now.outcome is None:
        harm = _ending(then)
    happenings = " ".join(tell.text for proposal in proposals for tell in proposal.tells)
    return Confirmation("harm", f"{harm} {happenings}".strip()) if harm else None


def describe_harm(now: TableView, then: TableView) -> str:
    """Who is out then, with what they have left now, and whether the game is lost; "" where nothing of that is so."""
    was_out = {seat.seat for seat in now.seats if seat.is_out}
    falling = [seat for seat in then.seats if seat.is_out and seat.seat not in was_out]
    ends = then.outcome is not None and now.outcome is None and then.outcome != _WON
    losses = [f"{seat.name} would be out{_left(now, seat.seat)}." for seat in falling]
    return " ".join((*losses, *([_ending(then)] if ends else [])))


def _ending(then: TableView) -> str:
    """Say how the game would end: `loss`, `win`, `draw`, or who wins."""
    return f"The game would end: {changes.outcome_title(then) if then.winners else then.outcome}."


def _left(view: TableView, seat: str) -> str:
    """What somebody has left now: ` (HP 3)`."""
    large = next((c for c in view.counters_of(seat) or () if c.big and c.number is not None), None)
    return f" ({large.caption} {large.figure} now)" if large else ""


def _before_amendment(session: Session, proposals: Sequence[Proposal]) -> Confirmation:
    """What would be amended, inserted, or played on from, what left out and why, and every figure that would
    be another one.
    """
    after = proposals[-1].position.head
    remaining = {moment.number for moment in after.past()}
    left_out = tuple(moment.text for moment in session.moments() if moment.number not in remaining)
    differs = changes.differences(session.view(), session.view_of(after.state))
    happenings = " ".join(log.with_full_stop(tell.text) for proposal in proposals for tell in proposal.tells)
    figures = changes.describe(differs) or "No figure on the table would be another one."
    sealed = f" {_SEALS}" if _seals(session, proposals) else ""
    return Confirmation("amendment", f"Would be: {happenings} {figures}{sealed}", differs=differs, left_out=left_out)


def _seals(session: Session, proposals: Sequence[Proposal]) -> bool:
    """Whether these end what can be undone."""
    is_recorded = session.game.is_recorded
    return not is_recorded(session.state) and is_recorded(proposals[-1].position.head.state)


class _Reply(msgspec.Struct, frozen=True, kw_only=True):
    """The base of every reply; `earlier` tells what others had done since this screen last looked."""

    earlier: str = ""


class Done(_Reply, frozen=True):
    """It is done and kept; `sentence` tells what happened, in one go.

    `recall` is what may be offered again of what was typed, where that named what now lies face down; else "".
    `coaching` is what the coach was asked by it, whose answer whoever asked waits for.
    """

    tells: tuple[Tell, ...]
    sentence: str
    recall: str = ""
    coaching: Coaching | None = None


class ConfirmationNeeded(_Reply, frozen=True):
    """Nothing is done yet: the same once more, or `confirm`, does it; anything else lets it be."""

    question: Confirmation

    @property
    def sentence(self) -> str:
        """The question in words."""
        return self.question.text


class Rejected(_Reply, frozen=True):
    """Nothing is done; `sentence` says why, and the way out; that may begin at what there is to `look` at."""

    sentence: str
    look: Look | None = None


class Reloaded(_Reply, frozen=True):
    """Nothing is done, as somebody else was first; the sitting now shows the table as they left it."""

    sentence: str


class Closed(_Reply, frozen=True):
    """Nothing is done: somebody leaves the table, which stays as it stands."""

    sentence: str


Reply = Done | ConfirmationNeeded | Rejected | Reloaded | Closed
