"""The measure of every screen: a bare Textual app of five panels, a log and a footer, which does next to nothing."""

import sys
from typing import ClassVar

from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal
from textual.reactive import reactive
from textual.widgets import Footer, RichLog, Static

PAINTED = "fifth panel"


class BareApp(App[None]):
    """`-` lowers the number in the first panel and says so in the log, as a wizard's HP would."""

    CSS = """
    Static { width: 1fr; height: 10; border: round $primary; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("-", "change", "Change"),
        Binding("q", "quit", "Quit"),
        Binding("h", "help", "Help"),
    ]

    count: reactive[int] = reactive(0)

    def __init__(self, log_lines: int = 0) -> None:
        super().__init__()
        self.log_lines = log_lines

    def compose(self) -> ComposeResult:
        with Horizontal():
            for name in ("first", "second", "third", "fourth", "fifth"):
                yield Static(f"{name} panel", id=name)
        yield RichLog()
        yield Footer()

    def on_mount(self) -> None:
        log = self.query_one(RichLog)
        for number in range(self.log_lines):
            log.write(f"line {number} of what was said before")

    def action_change(self) -> None:
        self.count += 1

    def watch_count(self, count: int) -> None:
        if count:
            self.query_one("#first", Static).update(f"changed {count:05}")
            self.query_one(RichLog).write(f"change {count} is in the log")


if __name__ == "__main__":
    BareApp(log_lines=int(sys.argv[1]) if sys.argv[1:] else 0).run()
