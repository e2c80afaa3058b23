"""Confirmations required before an action, and the replies of a table to its users."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal

import msgspec

from companion.archive.errors import Look
from companion.session.core import changes
from companion.session.core.changes import Difference
from companion.session.core.moments import LinePreview, amends, line_text, with_full_stop
from companion.session.core.session import Session
from companion.session.reading.table_questions import left_open
from companion.tabletop.action import Action, Tell, permanent_changes
from companion.tabletop.table.common_actions import REVISIONS, Concede, DrawAgreed, Next, Redo, ResumeFrom, Undo
from companion.tabletop.table.table import TableView
from templates.languages.messages import Message, Text, joined, phrase

if TYPE_CHECKING:
    from companion.session.table.coaching import Coaching

_WON = "win"
_SEALS = phrase("This writes the game into its decks' records and cannot be undone afterwards.")


class Confirmation(msgspec.Struct, frozen=True):
    """A question that must be confirmed. Each screen adds its own way to confirm.

    `lasting` are the permanent changes that players may already have made to real cards (before an undo). `differs` and
    `left_out` are the effects of an amendment: figures that would change, and later lines that would no longer fit.
    `open` are the prompts that could still be answered before a seal. The kind `harm` covers a player who would be out,
    a game that would be lost or given up, and a card that would be torn up.
    """

    kind: Literal["seal", "undo", "amendment", "harm"]
    text: Text
    lasting: tuple[Text, ...] = ()
    differs: tuple[Difference, ...] = ()
    left_out: tuple[Text, ...] = ()
    open: tuple[Text, ...] = ()


def required_confirmation(
    session: Session, actions: Sequence[Action], warns: bool = True, *, unsaid: bool = False, shortened: bool = False
) -> Confirmation | None:
    """Return the confirmation that these actions need, or None if they need none.

    With `warns`, also confirm if `next` or a suggested intention (`unsaid`) would cost a player the game, and if one
    typed with an abbreviated verb (`shortened`) would put a player out or end the game; in some games, if any would.
    Giving up by an abbreviated verb is always confirmed. Raises RuleError as `Session.preview` does.
    """
    if actions and isinstance(actions[0], Undo):
        undone = (moment for moment in session.undoable() if not amends(moment))
        lasting = permanent_changes(tell for moment in undone for tell in moment.tells)
        # Translators: {sentences} tell what players may have done to real cards.
        text = phrase(
            "This may have been done already and cannot be undone: {sentences}", sentences=joined(" ", lasting)
        )
        return Confirmation("undo", text, lasting=lasting) if lasting else None
    proposals = session.preview(*actions)
    if any(isinstance(action, (*REVISIONS, ResumeFrom)) for action in actions):
        return _before_amendment(session, proposals)
    if _seals(session, proposals):
        still_open = left_open(session.view())
        prompts = joined("; ", still_open)
        warning = [with_full_stop(phrase("Still open: {prompts}", prompts=prompts))] if still_open else []
        return Confirmation("seal", joined(" ", (*warning, _SEALS)), open=still_open)
    if any(isinstance(action, DrawAgreed) for action in actions):
        return Confirmation("harm", phrase("Does everybody agree on a draw? The game is over then."))
    if any(action.asks_twice for action in actions):
        happenings = joined(" ", (tell.text for proposal in proposals for tell in proposal.tells))
        return Confirmation("harm", phrase("This cannot be undone: {sentences}", sentences=happenings))
    if questions := [action.sure for action in actions if action.sure]:
        effects = (tell.text for proposal in proposals for tell in proposal.tells)
        return Confirmation("harm", joined(" ", (*questions, *effects)))
    gives_up = shortened and any(isinstance(action, Concede) for action in actions)
    asks_always = session.game.asks_before_end and not any(isinstance(action, Redo) for action in actions)
    if not gives_up and not (warns and (unsaid or shortened or asks_always or tuple(actions) == (Next(),))):
        return None
    return _before_harm(session, proposals, even_won=shortened or asks_always)


def _before_harm(session: Session, proposals: Sequence[LinePreview], *, even_won: bool) -> Confirmation | None:
    """Return a confirmation if a player would be out or the game lost (or won, with `even_won`).

    Its text says what happens, because the user has not typed it.
    """
    now, then = session.view(), session.view_of(proposals[-1].position.head.state)
    harm = describe_harm(now, then)
    if even_won and not harm and then.outcome == _WON and now.outcome is None:
        harm = changes.forecast_outcome(then)
    happenings = (tell.text for proposal in proposals for tell in proposal.tells)
    return Confirmation("harm", joined(" ", (harm, *happenings))) if harm else None


def describe_harm(now: TableView, then: TableView) -> Message:
    """Return who would be out, with their current figure, and whether the game would be lost, or an empty string."""
    was_out = {seat.seat for seat in now.seats if seat.is_out}
    falling = [seat for seat in then.seats if seat.is_out and seat.seat not in was_out]
    ends = then.outcome is not None and now.outcome is None and then.outcome != _WON
    losses = [_loss_of(now, seat.seat, seat.name) for seat in falling]
    return joined(" ", (*losses, *([changes.forecast_outcome(then)] if ends else [])))


def _loss_of(view: TableView, seat: str, player: str) -> Message:
    """Return a sentence on a player who would be out, with the current large counter, such as `HP 3`."""
    large = next((c for c in view.counters_of(seat) or () if c.big and c.number is not None), None)
    if large is None:
        return phrase("{player} would be out.", player=player)
    return phrase(
        "{player} would be out ({figure} {value} now).", player=player, figure=large.caption, value=large.figure
    )


def _before_amendment(session: Session, proposals: Sequence[LinePreview]) -> Confirmation:
    """Return the confirmation of an amendment, an insertion or a resume.

    It reports what the line leads to, the lines left out, and every figure that would change.
    """
    after = proposals[-1].position.head
    remaining = {moment.number for moment in after.past()}
    left_out = tuple(line_text(each, session.game) for each in session.moments() if each.number not in remaining)
    differs = changes.differences(session.view(), session.view_of(after.state))
    happenings = (with_full_stop(tell.text) for proposal in proposals for tell in proposal.tells)
    figures = changes.describe(differs) or phrase("No figure on the table would change.")
    sentences = joined(" ", (*happenings, figures, *([_SEALS] if _seals(session, proposals) else [])))
    # Translators: {sentences} tell what a corrected line of the log would lead to.
    text = phrase("What would follow: {sentences}", sentences=sentences)
    return Confirmation("amendment", text, differs=differs, left_out=left_out)


def _seals(session: Session, proposals: Sequence[LinePreview]) -> bool:
    """Return True if these proposals end what can be undone."""
    is_recorded = session.game.is_recorded
    return not is_recorded(session.state) and is_recorded(proposals[-1].position.head.state)


class _Reply(msgspec.Struct, frozen=True, kw_only=True):
    """The base class of replies; `earlier` reports what others had done since this screen last looked."""

    earlier: Text = ""


class ActionDone(_Reply, frozen=True):
    """The action is done and stored; `sentence` reports what happened.

    `recall` is the typed text to offer again if it named something that now lies face down, else an empty string.
    `coaching` is the coach's pending computation if the action asked the coach for advice.
    """

    tells: tuple[Tell, ...]
    sentence: Text
    recall: str = ""
    coaching: Coaching | None = None


class ConfirmationNeeded(_Reply, frozen=True):
    """Nothing is done yet. Repeating the action, or `confirm`, does it; any other input cancels it."""

    question: Confirmation

    @property
    def sentence(self) -> Text:
        """The question as text."""
        return self.question.text


class Rejected(_Reply, frozen=True):
    """Nothing is done; `sentence` gives the reason and the way out. `look` names the view to begin with."""

    sentence: Text
    look: Look | None = None


class Reloaded(_Reply, frozen=True):
    """Nothing is done, because another process wrote first; the sitting now shows the table as that process left it."""

    sentence: Text


class Closed(_Reply, frozen=True):
    """Nothing is done: the user leaves the table, which stays as it is."""

    sentence: Text


Reply = ActionDone | ConfirmationNeeded | Rejected | Reloaded | Closed
