"""What people read: messages in English, their catalogues in other languages, and the choice of a language.

The module that reads catalogues loads on first use as an attribute of this package: English needs none.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from templates.languages import catalogues as catalogues
else:

    def __getattr__(name: str) -> object:
        if name == "catalogues":
            return import_module(f"{__name__}.{name}")
        raise AttributeError(name)
