"""Reading of deck ids from a picture or keystrokes.

The archive is not searched here. Pictures are opened only in a child process (`worker.py`), which has Pillow and
zxing-cpp; screens import this package for typed input. Each name is imported on first use, because the child needs none
of them.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from companion.scan.codes import Code, CodeKind, PictureError, no_code, parse_typed
    from companion.scan.reader import read, start, stop
else:
    _MODULES = {
        "codes": ("Code", "CodeKind", "PictureError", "no_code", "parse_typed"),
        "reader": ("read", "start", "stop"),
    }

    def __getattr__(name: str) -> object:
        for module, names in _MODULES.items():
            if name in names:
                return getattr(import_module(f"{__name__}.{module}"), name)
        raise AttributeError(name)


__all__ = ["Code", "CodeKind", "PictureError", "no_code", "parse_typed", "read", "start", "stop"]
