"""The table without a screen: its clients, confirmations, forms, and other programs at the same table.

The glossary loads on first use as an attribute of this package: it reads data files, and a table is painted without it.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from companion.session.table import terms as terms
else:

    def __getattr__(name: str) -> object:
        if name == "terms":
            return import_module(f"{__name__}.{name}")
        raise AttributeError(name)
