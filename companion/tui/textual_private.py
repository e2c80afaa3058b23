"""Names that Textual keeps for itself and nothing public stands for, in one place: a new Textual is tried here first.

Textual ends the program where a handler fails, and a screen or widget that failed goes deaf. At a table neither may
happen, and only the dispatcher of messages can see to that; it also knows what is being dealt with. What a character is
called as a key is told by one private function alone. A screen paints between its messages only; a wait is told in one.
"""

from __future__ import annotations

from textual.app import App
from textual.keys import KEY_NAME_REPLACEMENTS, _character_to_key, key_to_character
from textual.message import Message
from textual.message_pump import MessagePump
from textual.widget import Widget


class FaultTolerant(MessagePump):
    """A screen or widget that goes on listening after a fault, which it hands to the app."""

    is_dealing = 0
    """How many messages it is dealing with now."""

    async def _dispatch_message(self, message: Message) -> None:
        self.is_dealing += 1
        try:
            await super()._dispatch_message(message)
        except Exception as error:
            self.app._handle_exception(error)
        finally:
            self.is_dealing -= 1


class FaultTellingApp(FaultTolerant, App[None]):
    """An app that is told every fault, wherever it was: in a widget, a worker, a key."""

    def bears(self, error: Exception) -> bool:
        """Whether the program can go on after this fault, which it has told then."""
        raise NotImplementedError

    def meet(self, error: Exception) -> None:
        """A fault that no message has caused."""
        self._handle_exception(error)

    def _handle_exception(self, error: Exception) -> None:
        if not self.bears(error):
            super()._handle_exception(error)


def paint(widget: Widget) -> None:
    """Paints a widget at once, also while its screen waits for something to be done and paints nothing by itself."""
    widget.screen._dirty_widgets.add(widget)
    widget.screen._on_timer_update()


def key_of(character: str) -> str:
    """What Textual calls the key that types a character: `question_mark`."""
    return _character_to_key(character)


_SPELLED_OUT = {short: long for long, short in KEY_NAME_REPLACEMENTS.items()}


def types(key: str) -> bool:
    """Whether a key, as Textual calls it, types a symbol: `m`, `plus`, `space`, and not `tab`."""
    character = key_to_character(_SPELLED_OUT.get(key, key))
    return character is not None and character.isprintable()
