"""A fault while a message is worked on is told, and who works on it goes on. Separate, as all our widgets are so."""

from __future__ import annotations

from textual.message import Message
from textual.message_pump import MessagePump


class FaultTolerant(MessagePump):
    """A screen or widget that goes on listening after a fault, which it hands to the app; Textual's own go deaf."""

    async def _dispatch_message(self, message: Message) -> None:
        try:
            await super()._dispatch_message(message)
        except Exception as error:
            self.app._handle_exception(error)
