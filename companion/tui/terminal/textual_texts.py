"""The texts of Textual that people can meet here: it has them as literals, and they are translated where they appear.

Titles and tooltips of keys, ours and Textual's, are shown by `translate`.
"""

from __future__ import annotations

from typing import Final

from rich.align import Align
from rich.text import Text as RichText
from textual.command import CommandList
from textual.visual import VisualType
from textual.widgets import LoadingIndicator
from textual.widgets.option_list import Option

from templates.languages.messages import Message, declared, phrase

# Translators: The messages from here on are commands and keys that a screen lists, with what they do.
TEXTS: Final[tuple[Message, ...]] = (
    phrase("Theme"),
    phrase("Change the current theme"),
    phrase("Quit"),
    phrase("Quit the application as soon as possible"),
    phrase("Keys"),
    phrase("Hide the keys and widget help panel"),
    phrase("Show help for the focused widget and a summary of available keys"),
    phrase("Minimize"),
    phrase("Minimize the widget and restore to normal size"),
    phrase("Maximize"),
    phrase("Maximize the focused widget"),
    phrase("Screenshot"),
    phrase("Save an SVG 'screenshot' of the current screen"),
    phrase("Quit the app and return to the command prompt."),
    phrase("Focus Next"),
    phrase("Focus Previous"),
    phrase("Copy selected text"),
    phrase("Scroll Up"),
    phrase("Scroll Down"),
    phrase("Scroll Left"),
    phrase("Scroll Right"),
    phrase("Scroll Home"),
    phrase("Scroll End"),
    phrase("Page Up"),
    phrase("Page Down"),
    phrase("Page Left"),
    phrase("Page Right"),
    phrase("Move cursor left"),
    phrase("Move cursor left and select"),
    phrase("Move cursor left a word"),
    phrase("Move cursor left a word and select"),
    phrase("Move cursor right or accept the completion suggestion"),
    phrase("Move cursor right and select"),
    phrase("Move cursor right a word"),
    phrase("Move cursor right a word and select"),
    phrase("Delete character left"),
    phrase("Select all"),
    phrase("Go to start"),
    phrase("Go to end"),
    phrase("Select line start"),
    phrase("Select line end"),
    phrase("Delete character right"),
    phrase("Submit"),
    phrase("Delete left to start of word"),
    phrase("Delete all to the left"),
    phrase("Delete right to start of word"),
    phrase("Delete all to the right"),
    phrase("Cut selected text"),
    phrase("Paste text from the clipboard"),
    phrase("Input"),
    phrase("Cursor up"),
    phrase("Cursor down"),
    phrase("Cursor left"),
    phrase("Cursor right"),
    phrase("Cursor word left"),
    phrase("Cursor word right"),
    phrase("Cursor line start"),
    phrase("Cursor line end"),
    phrase("Cursor page up"),
    phrase("Cursor page down"),
    phrase("Cursor left word select"),
    phrase("Cursor right word select"),
    phrase("Cursor line start select"),
    phrase("Cursor line end select"),
    phrase("Cursor up select"),
    phrase("Cursor down select"),
    phrase("Cursor left select"),
    phrase("Cursor right select"),
    phrase("Select line"),
    phrase("Cut"),
    phrase("Copy"),
    phrase("Paste"),
    phrase("Delete to line start"),
    phrase("Delete to line end"),
    phrase("Delete line"),
    phrase("Undo"),
    phrase("Redo"),
    phrase("Down"),
    phrase("Last"),
    phrase("Select"),
    phrase("First"),
    phrase("Up"),
    phrase("Go to bottom"),
    phrase("Go to top"),
    phrase("Next command"),
    phrase("Exit the command palette"),
    phrase("Next page"),
    phrase("Previous page"),
    phrase("Previous command"),
    phrase("Open the command palette"),
    phrase("palette"),
)
"""Commands, and titles and tooltips of keys. A test compares them with the installed Textual."""


def translate(text: str) -> str:
    """Return a text of `TEXTS`, or the title or tooltip of one of our own keys, in the current language."""
    return str(declared(text))


class TranslatedRows(CommandList):
    """The rows of a list of commands. One that cannot be chosen says that there is none."""

    def add_option(self, option: Option | VisualType | None = None) -> TranslatedRows:
        """See `textual.widgets.OptionList.add_option`."""
        if isinstance(option, Option) and option.disabled:
            nothing = RichText(str(phrase("No matches found")), style="not bold")
            option = Option(Align.center(nothing), option.id, disabled=True)
        super().add_option(option)
        return self


class TranslatedIndicator(LoadingIndicator):
    """The text that is shown while commands are searched for; nothing is animated here."""

    def render(self) -> RichText:
        """See `textual.widgets.LoadingIndicator.render`."""
        return RichText(str(phrase("Loading...")))
