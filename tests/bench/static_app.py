"""The least that Textual can show, one text: what starting is measured against."""

from textual.app import App, ComposeResult
from textual.widgets import Static

TEXT = "a bare app"


class StaticApp(App[None]):
    """One text."""

    def compose(self) -> ComposeResult:
        yield Static(TEXT)


if __name__ == "__main__":
    StaticApp().run()
