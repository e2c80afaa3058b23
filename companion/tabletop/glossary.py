"""The words of a game for lists, ready before its rules, which take as long to load as the home screen to show."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple, Protocol

from companion.tabletop.records import Reason, ReasonOrText, Texts, describe_reason
from companion.tabletop.words import title_of_word
from templates.languages.messages import Text, joined


class Worded(Protocol):
    """An object with the title of a game and the words for its reasons: a glossary, or the game itself."""

    @property
    def title(self) -> Text: ...
    def reason(self, reason: ReasonOrText, /) -> Text: ...


class Glossary(NamedTuple):
    """The title of a game, the titles of its steps and figures by their names, and the words for its other reasons."""

    title: Text
    steps: Mapping[str, Text]
    counters: Mapping[str, Text] = MappingProxyType({})
    texts: Texts = MappingProxyType({})

    def reason(self, reason: ReasonOrText) -> Text:
        """Return a reason in words: a code with its arguments, or the user's own text.

        Reasons explain why something was recorded, or what state a table is in.
        """
        if isinstance(reason, Reason) and reason.args and reason.code in ("step", "counter"):
            titles = self.steps if reason.code == "step" else self.counters
            name, *value = map(str, reason.args)
            return joined(" ", (titles.get(name) or name, *map(title_of_word, value)))
        return describe_reason(reason, self.texts)
