"""The forms that screens and pages show, and what their answers do; the settings and the drafts of this machine.

The settings load on first use as an attribute of this package: a command needs them only if the user has changed any.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from companion.forms import settings as settings
else:

    def __getattr__(name: str) -> object:
        if name == "settings":
            return import_module(f"{__name__}.{name}")
        raise AttributeError(name)
