"""What is asked before it is done: a seal, an undo of what lasts, an amendment. All else can be undone lightly."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import msgspec

from companion.games.action import Action, permanent_changes
from companion.games.lines import Amend, ResumeFrom, Undo
from companion.session import comparison, wording
from companion.session.comparison import Difference
from companion.session.log import Proposal
from companion.session.session import Session

_SEALS = "This writes the game into its decks' records, and cannot be undone then."


class Confirmation(msgspec.Struct, frozen=True):
    """Something that needs a second word. How people say it is for each screen to add.

    `lasting` is what may have been done to real cards for good (before an undo); `differs` and `left_out` are what an
    amendment would lead to: figures that would be others, and later lines that would no longer fit.
    """

    kind: Literal["seal", "undo", "amendment"]
    text: str
    lasting: tuple[str, ...] = ()
    differs: tuple[Difference, ...] = ()
    left_out: tuple[str, ...] = ()


def before(session: Session, actions: Sequence[Action]) -> Confirmation | None:
    """What must be asked before these are done; None where nothing must. Raises RuleError as `Session.preview` does."""
    if actions and isinstance(actions[0], Undo):
        return _before_undo(session)
    proposals = session.preview(*actions)
    if any(isinstance(action, Amend | ResumeFrom) for action in actions):
        return _before_amendment(session, proposals)
    return Confirmation("seal", _SEALS) if _seals(session, proposals) else None


def _before_undo(session: Session) -> Confirmation | None:
    done = (moment for moment in session.undoable() if not wording.amends(moment))
    lasting = permanent_changes(tell for moment in done for tell in moment.tells)
    if not lasting:
        return None
    return Confirmation("undo", f"May have been done already, for good: {' '.join(lasting)}", lasting=lasting)


def _before_amendment(session: Session, proposals: Sequence[Proposal]) -> Confirmation:
    """What would be amended, or played on from, what left out and why, and every figure that would be another one."""
    after = proposals[-1].position.head
    kept = {moment.number for moment in after.past()}
    left_out = tuple(moment.text for moment in session.moments() if moment.number not in kept)
    differs = comparison.differences(session.view(), session.game.view(after.state))
    told = " ".join(wording.ended(tell.text) for proposal in proposals for tell in proposal.tells)
    figures = comparison.sentence(differs) or "No figure on the table would be another one."
    sealed = f" {_SEALS}" if _seals(session, proposals) else ""
    return Confirmation("amendment", f"Would be: {told} {figures}{sealed}", differs=differs, left_out=left_out)


def _seals(session: Session, proposals: Sequence[Proposal]) -> bool:
    """Whether these end what can be undone."""
    return not _marks(session, session.state) and _marks(session, proposals[-1].position.head.state)


def _marks(session: Session, state: Any) -> bool:
    return bool(session.game.marks(state))
