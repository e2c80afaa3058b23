"""The terminal: its properties, its input, and the private parts of Textual that both need.

The reader of Windows' console loads on first use as an attribute of this package: other systems do not need it.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from companion.tui.terminal import console_reader as console_reader
else:

    def __getattr__(name: str) -> object:
        if name == "console_reader":
            return import_module(f"{__name__}.{name}")
        raise AttributeError(name)
