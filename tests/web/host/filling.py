"""Forms of the host's pages, filled in and sent as a browser without scripts does it."""

from __future__ import annotations

from collections.abc import Mapping
from html.parser import HTMLParser
from typing import Final
from urllib.parse import urlencode

from companion.tabletop.decks.form import FormPlace
from companion.web.host.form_view import input_name
from tests.web.serving import Answer, Phone

_FORM: Final = {"content_type": "application/x-www-form-urlencoded"}


def answer_name(place: str) -> str:
    """The name of the input at a place such as `seat 0 name`, or `name`; a field of two words is in quotes."""
    if place.startswith('"'):
        return input_name(FormPlace(place.strip('"')))
    field, *rest = place.split()
    return input_name(FormPlace(field, int(rest[0]) if rest else None, rest[1] if len(rest) > 1 else ""))


class PageForm(HTMLParser):
    """The form of a page, with what its fields hold, then these answers by their places."""

    def __init__(self, browser: Phone, path: str, answers: Mapping[str, str] | None = None) -> None:
        super().__init__()
        self.fields: dict[str, str] = {}
        self.buttons: list[str] = []
        self.options: dict[str, list[str]] = {}
        self.page = browser.get(path)
        assert self.page.status == 200, self.page.text
        self._browser = browser
        self._action = path.partition("?")[0]
        self._is_inside = False
        self._name = ""
        self._is_text = False
        self.feed(self.page.text)
        for place, text in (answers or {}).items():
            self.put(place, text)

    def put(self, place: str, text: str) -> None:
        """Answer at a place."""
        self.fields[answer_name(place)] = text

    def get(self, place: str) -> str:
        """The content of the field at a place."""
        return self.fields[answer_name(place)]

    def choices(self, place: str) -> list[str]:
        """The values that the list at a place offers."""
        return self.options[answer_name(place)]

    def press(self, button: str) -> Answer:
        """Send the form by a button."""
        return self._browser.ask("POST", self._action, urlencode({**self.fields, "do": button}), **_FORM)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = {name: value or "" for name, value in attrs}
        if tag == "form":
            self._is_inside = "data-live" in attributes
        if not self._is_inside:
            return
        name = attributes.get("name", "")
        match tag:
            case "input":
                self.fields[name] = attributes.get("value", "")
            case "select":
                self._name, self.fields[name], self.options[name] = name, "", []
            case "option" if self._name:
                self.options[self._name].append(attributes.get("value", ""))
                if "selected" in attributes or len(self.options[self._name]) == 1:
                    self.fields[self._name] = attributes.get("value", "")
            case "textarea":
                self._name, self.fields[name], self._is_text = name, "", True
            case "button":
                self.buttons.append(attributes.get("value", ""))
            case _:
                pass

    def handle_data(self, data: str) -> None:
        if self._is_text:
            self.fields[self._name] += data.removeprefix("\n") if not self.fields[self._name] else data

    def handle_endtag(self, tag: str) -> None:
        if tag in ("select", "textarea"):
            self._name, self._is_text = "", False
        if tag == "form":
            self._is_inside = False
