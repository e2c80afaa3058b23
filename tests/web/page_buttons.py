"""The buttons of a page by their accessible names, with what each of them does, and the questions that it asks."""

from __future__ import annotations

from collections import Counter
from html.parser import HTMLParser
from typing import Final, NamedTuple

_NOT_SENT: Final = ("token", "at")
_VOID: Final = ("input", "meta", "link", "br", "img")


class Button(NamedTuple):
    """A button, or a link: its accessible name within its form, and what it sends."""

    name: str
    group: str
    does: tuple[str, ...]


class PageButtons(HTMLParser):
    """The visible buttons of a page, and its questions.

    A form with a label of its own is a group, in which screen readers read its buttons.
    """

    def __init__(self, html: str) -> None:
        super().__init__()
        self.buttons: list[Button] = []
        self.questions: list[str] = []
        self._form: dict[str, str | None] = {}
        self._fields: list[str] = []
        self._open: dict[str, str | None] | None = None
        self._text = ""
        self._tags: list[str] = []
        self._asks = False
        self.feed(html)

    @property
    def faults(self) -> list[str]:
        """What says the same as something else that does another thing, and what is asked twice."""
        found: dict[tuple[str, str], set[tuple[str, ...]]] = {}
        for button in self.buttons:
            found.setdefault((button.group, button.name), set()).add(button.does)
        twice = [f"{count} times: {text}" for text, count in Counter(self.questions).items() if count > 1]
        return [*twice, *(f"{group}: {name}: {does}" for (group, name), does in found.items() if len(does) > 1)]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = dict(attrs)
        if tag == "form":
            self._form, self._fields = values, []
        elif tag == "input" and values.get("type") == "hidden" and values.get("name") not in _NOT_SENT:
            self._fields.append(f"{values.get('name')}={values.get('value')}")
        elif tag in ("button", "a") and "hidden" not in values:
            self._open, self._text = values, ""
        if tag not in _VOID:
            self._tags.append(tag)
        self._asks = tag == "p" and self._tags[-2:] == ["li", "p"] and "ul" in self._tags

    def handle_endtag(self, tag: str) -> None:
        if tag in ("button", "a") and self._open is not None:
            values, self._open = self._open, None
            name = " ".join((values.get("aria-label") or self._text).split())
            if tag == "a":
                self.buttons.append(Button(name, "", (values.get("href") or "",)))
            else:
                sent = f"{values.get('name')}={values.get('value')}"
                does = (self._form.get("action") or "", *self._fields, sent)
                self.buttons.append(Button(name, self._form.get("aria-label") or "", does))
        if tag == "form":
            self._form = {}
        if tag in self._tags:
            while self._tags.pop() != tag:
                pass
        self._asks = False

    def handle_data(self, data: str) -> None:
        self._text += data
