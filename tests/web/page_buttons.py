"""The buttons of a page by their accessible names, with what each of them does, and the questions that it asks."""

from __future__ import annotations

from html.parser import HTMLParser
from typing import Final, NamedTuple

_NOT_COMPARED: Final = ("token", "at")
_ALONE: Final = ("br", "img", "input", "link", "meta")


class Button(NamedTuple):
    """A button or a link: its accessible name, that of its form, and what it sends."""

    name: str
    form: str
    does: tuple[str, ...]


class PageButtons(HTMLParser):
    """The buttons of a page that can be seen, and its questions.

    A form with a name is a group: screen readers say its name before its buttons.
    """

    def __init__(self, html: str) -> None:
        super().__init__()
        self._buttons: list[Button] = []
        self._questions: list[tuple[int, str]] = []
        self._texts: list[tuple[int, str]] = []
        self._section = 0
        self._form: dict[str, str | None] = {}
        self._fields: list[str] = []
        self._open: dict[str, str | None] | None = None
        self._words = ""
        self.feed(html)

    @property
    def faults(self) -> list[str]:
        """The buttons that say the same and do different things, and the questions that stand twice."""
        by_name: dict[tuple[str, str], set[tuple[str, ...]]] = {}
        for button in self._buttons:
            by_name.setdefault((button.form, button.name), set()).add(button.does)
        same = [f"{form}: {name}: {sorted(does)}" for (form, name), does in by_name.items() if len(does) > 1]
        twice = [asks for at, asks in dict.fromkeys(self._questions) if self._texts_with(at, asks) > 1]
        return [*same, *(f"twice: {asks}" for asks in twice)]

    def _texts_with(self, section: int, asks: str) -> int:
        """Count the texts of a section that contain a question."""
        return sum(at == section and asks in text for at, text in self._texts)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = dict(attrs)
        if tag == "form":
            self._form, self._fields = values, []
            if values.get("class") == "answer" and values.get("aria-label"):
                self._questions.append((self._section, values.get("aria-label") or ""))
        elif tag == "input" and values.get("type") == "hidden" and values.get("name") not in _NOT_COMPARED:
            self._fields.append(f"{values.get('name')}={values.get('value')}")
        elif tag in ("a", "button") and "hidden" not in values:
            self._open, self._words = values, ""
        self._section += tag == "section"
        if tag not in _ALONE:
            self._texts.append((self._section, ""))

    def handle_endtag(self, tag: str) -> None:
        if tag in ("a", "button") and self._open is not None:
            values, self._open = self._open, None
            name = " ".join((values.get("aria-label") or self._words).split())
            if tag == "a":
                self._buttons.append(Button(name, "", (values.get("href") or "",)))
            else:
                does = (self._form.get("action") or "", *self._fields, f"{values.get('name')}={values.get('value')}")
                self._buttons.append(Button(name, self._form.get("aria-label") or "", does))
        if tag == "form":
            self._form = {}

    def handle_data(self, data: str) -> None:
        self._words += data
        if self._texts:
            section, text = self._texts[-1]
            self._texts[-1] = (section, text + data)
