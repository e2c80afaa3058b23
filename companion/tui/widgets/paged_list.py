"""A long list, shown a page at a time. The cursor stays in the field for typing: keys move the list from outside."""

from __future__ import annotations

from collections.abc import Sequence

from textual.widgets import OptionList
from textual.widgets.option_list import Option

from companion.tui.textual_private.faults import FaultTolerant
from companion.tui.widgets.same_rows import same_rows


class PagedList(FaultTolerant, OptionList, can_focus=False):
    """The rows from number `at` (from 0) on, of `total`."""

    at = 0
    total = 0
    nothing = ""
    """What stands there as long as there is no row."""

    def show(self, options: Sequence[Option], at: int, total: int, highlighted: int = 0) -> None:
        """Show these rows from now on; `highlighted` counts from the first of them."""
        self.at, self.total = at, total
        rows = options or [Option(told, disabled=True) for told in (self.nothing,) if told]
        if not same_rows(self.options, rows):
            self.set_options(rows)
        self.highlighted = max(0, min(highlighted, len(options) - 1)) if options else None
        shown = f"{at + 1:,}–{at + len(options):,} of {total:,}" if len(options) < total else ""
        self.border_subtitle = shown

    def move(self, by: int) -> int | None:
        """Move the highlight by so many rows, within the list; gives the row wanted where that is on another page."""
        if not self.total:
            return None
        wanted = max(0, min(self.at + (self.highlighted or 0) + by, self.total - 1))
        if self.at <= wanted < self.at + self.option_count:
            self.highlighted = wanted - self.at
            return None
        return wanted

    @property
    def chosen(self) -> str:
        """The id of the highlighted row; "" where there is none."""
        return "" if self.highlighted is None else str(self.get_option_at_index(self.highlighted).id)
