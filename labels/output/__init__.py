"""Finished output: PDF files, pages, charts, previews and test pages.

The modules that load reportlab and pdfium load on first use as attributes of this package, where most runs do without.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from labels.output import pdffile as pdffile
    from labels.output import proof as proof
else:

    def __getattr__(name: str) -> object:
        if name in ("pdffile", "proof"):
            return import_module(f"{__name__}.{name}")
        raise AttributeError(name)
