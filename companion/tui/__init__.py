"""The Textual screens. They draw every game from its `TableView` and know nothing else about it.

The command palette, the panel of keys, the sample archive and the order of text from right to left load on first use as
attributes of this package: first screens need none of them.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from companion.tui import key_panel as key_panel
    from companion.tui import palette as palette
    from companion.tui import sample as sample
    from companion.tui.terminal import reading_order as reading_order
else:

    def __getattr__(name: str) -> object:
        if name in ("key_panel", "palette", "sample"):
            return import_module(f"{__name__}.{name}")
        if name == "reading_order":
            return import_module(f"{__name__}.terminal.{name}")
        raise AttributeError(name)
