"""A fault ends nothing: Textual ends the program where a handler fails, and a screen or widget that failed goes deaf.

At a table neither may happen. Only the dispatcher of messages can see to that; it also knows what is being dealt with.
"""

from __future__ import annotations

from textual.app import App
from textual.css.query import NoMatches
from textual.dom import DOMNode
from textual.message import Message
from textual.message_pump import MessagePump
from textual.worker import WorkerFailed, get_current_worker


def _is_leaving(node: MessagePump, error: BaseException) -> bool:
    """Whether a widget is only missed because its screen, or the app, is being closed: its widgets go one after the
    other, and what is still under way comes too late for some of them.
    """
    return isinstance(error, NoMatches) and (not node.app.is_running or (isinstance(node, DOMNode) and node._pruning))


class FaultTolerant(MessagePump):
    """A screen or widget that goes on listening after a fault, which it hands to the app."""

    is_dealing = 0
    """How many messages it is dealing with now."""

    async def _dispatch_message(self, message: Message) -> None:
        self.is_dealing += 1
        try:
            await super()._dispatch_message(message)
        except Exception as error:
            if not _is_leaving(self, error):
                self.app._handle_exception(error)
        finally:
            self.is_dealing -= 1

    async def _flush_next_callbacks(self) -> None:
        # What is left for right after a message belongs to dealing with it: what a form leads to that has closed.
        self.is_dealing += 1
        try:
            await super()._flush_next_callbacks()
        finally:
            self.is_dealing -= 1


class FaultTellingApp(FaultTolerant, App[None]):
    """An app that is told every fault, wherever it was: in a widget, a worker, a key."""

    paints_later = False
    """Whether screens leave what has changed unpainted for now, as more is about to change."""

    def bears(self, error: Exception) -> bool:
        """Whether the program can go on after this fault, which it has told then."""
        raise NotImplementedError

    def meet(self, error: Exception) -> None:
        """A fault that no message has caused."""
        self._handle_exception(error)

    def _handle_exception(self, error: Exception) -> None:
        if isinstance(error, WorkerFailed) and _is_leaving(get_current_worker().node, error.error):
            return
        if not self.bears(error):
            super()._handle_exception(error)
