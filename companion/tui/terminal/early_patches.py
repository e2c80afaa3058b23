"""Patches of asyncio and Textual that are applied before either is imported; the others stand in `textual_private`."""

from __future__ import annotations

import sys
from collections.abc import Callable
from importlib import import_module
from types import ModuleType


def apply() -> None:
    """Keep asyncio and Textual from importing what this program does not use."""
    _load_asyncio_without_tls()
    _load_types_later()
    # Before Textual's own widgets are made.
    import_module("companion.tui.terminal.class_reading")


def _load_asyncio_without_tls() -> None:
    """Import asyncio without TLS, which takes longer than asyncio itself; nothing here uses TLS by asyncio.

    A later import of `ssl` works as usual.
    """
    if "asyncio" not in sys.modules and "ssl" not in sys.modules:
        sys.modules["ssl"] = None  # type: ignore[assignment]
        try:
            import asyncio  # noqa: F401
        finally:
            del sys.modules["ssl"]


class _TypesLoadedLater(ModuleType):
    """Stands in for `textual.types` until another type than the app's is requested."""

    IgnoreReturnCallbackType = Callable[..., object]

    def __getattr__(self, name: str) -> object:
        if name.startswith("__"):  # attributes that Python itself looks up on a module
            raise AttributeError(name)
        if sys.modules.get(self.__name__) is self:
            del sys.modules[self.__name__]
        return getattr(import_module(self.__name__), name)


def _load_types_later() -> None:
    """Keep Textual from importing trees and selects, which nothing here shows; the app uses one of their module's
    types.

    That import would take 3 % of the time to home.
    """
    if "textual.app" not in sys.modules:
        sys.modules.setdefault("textual.types", _TypesLoadedLater("textual.types"))
