"""Patches of asyncio and Textual that are applied before either is imported; the others stand in `textual_private`.

Those of Textual use private names, as that module does: test a new Textual here, too.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from functools import cache
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from textual.dom import DOMNode
    from textual.reactive import Reactive


def apply() -> None:
    """Keep asyncio and Textual from importing what this program does not use."""
    _load_asyncio_without_tls()
    _load_types_later()
    _read_classes_once()


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


def _read_classes_once() -> None:
    """Make Textual look for reactive attributes once in each class of widgets, not again for each class made of it.

    A start makes 65 classes, each with hundreds of inherited names. This saves 5 % of the time to home.
    """
    from textual.dom import DOMNode
    from textual.reactive import Reactive

    @cache
    def read_class(base: type) -> tuple[Mapping[str, Reactive[Any]], frozenset[str]]:
        """Return the reactive attributes of a class itself, and the names of those that it computes."""
        names = vars(base)
        computes = (name.lstrip("_") for name in names if name.startswith(("_compute_", "compute_")))
        return (
            {name: value for name, value in names.items() if isinstance(value, Reactive)},
            frozenset(name.removeprefix("compute_") for name in computes),
        )

    def prepare_class(
        cls: type[DOMNode],
        inherit_css: bool = True,
        inherit_bindings: bool = True,
        inherit_component_classes: bool = True,
    ) -> None:
        """See `textual.dom.DOMNode.__init_subclass__`, which this replaces."""
        super(DOMNode, cls).__init_subclass__()
        parts = [read_class(base) for base in reversed(cls.__mro__)]
        cls._reactives = {name: value for reactives, _ in parts for name, value in reactives.items()}
        cls._inherit_css = inherit_css
        cls._inherit_bindings = inherit_bindings
        cls._inherit_component_classes = inherit_component_classes
        bases = cls._css_bases(cls)
        cls._css_type_name = bases[0].__name__
        cls._merged_bindings = cls._merge_bindings()
        cls._css_type_names = frozenset(base.__name__ for base in bases)
        cls._computes = frozenset().union(*(computes for _, computes in parts))

    DOMNode.__init_subclass__ = classmethod(prepare_class)  # type: ignore[assignment]
