"""How lists word a game and where its tables stand: known before its rules are loaded, which takes as long as home."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple, Protocol

from companion.tabletop.records import Reason, ReasonOrText, Texts, describe_reason


class Worded(Protocol):
    """Whatever says how a game is called and words its reasons: a glossary, or the game itself."""

    @property
    def title(self) -> str: ...
    def reason(self, reason: ReasonOrText, /) -> str: ...


class Glossary(NamedTuple):
    """A game's title, the titles of its steps and figures by their names, and the words for its other reasons."""

    title: str
    steps: Mapping[str, str]
    counters: Mapping[str, str] = MappingProxyType({})
    texts: Texts = MappingProxyType({})

    def reason(self, reason: ReasonOrText) -> str:
        """Why something was written down, or where a table stands, in words: a code with its arguments, or what people
        said.
        """
        if isinstance(reason, Reason) and reason.args and reason.code in ("step", "counter"):
            titles = self.steps if reason.code == "step" else self.counters
            name, *value = map(str, reason.args)
            return " ".join((titles.get(name) or name, *value))
        return describe_reason(reason, self.texts)
