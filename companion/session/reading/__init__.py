"""The meaning of typed words at a table, and the answers to its questions.

The modules that read typed text load on first use as attributes of this package: they are needed once the user types,
not to paint a table.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from companion.session.reading import afterthoughts as afterthoughts
    from companion.session.reading import figure_reading as figure_reading
    from companion.session.reading import line_reading as line_reading
    from companion.session.reading import readings as readings
else:

    def __getattr__(name: str) -> object:
        if name in ("afterthoughts", "figure_reading", "line_reading", "readings"):
            return import_module(f"{__name__}.{name}")
        raise AttributeError(name)
