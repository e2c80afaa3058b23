"""A page of text: it takes the whole width where it need not be scrolled, and what a mouse selects can be copied."""

from textual.app import ComposeResult
from textual.content import Content

from companion.tui.terminal.textual_private import FaultHandlingApp
from companion.tui.widgets.page import Page

WIDTH, HEIGHT = 20, 6
SENTENCE = "Ana founded Grave Choir with Moth Queen."
"""Three rows of twenty columns."""


class Reader(FaultHandlingApp):
    """A page alone on the screen."""

    def compose(self) -> ComposeResult:
        """The page."""
        yield Page()

    def handle_fault(self, error: Exception) -> bool:  # noqa: ARG002
        """No fault is expected."""
        return False

    @property
    def page(self) -> Page:
        """The page."""
        return self.query_one(Page)

    def visible_rows(self) -> list[str]:
        """The rows on the screen."""
        return [self.page.render_line(row).text.rstrip() for row in range(HEIGHT)]


async def test_a_page_that_is_seen_whole_takes_every_column() -> None:
    app = Reader()
    async with app.run_test(size=(WIDTH, HEIGHT)) as pilot:
        app.page.show([Content("x" * WIDTH), Content(SENTENCE)])
        await pilot.pause()
        assert app.visible_rows()[0] == "x" * WIDTH
        assert not app.page.show_vertical_scrollbar


async def test_a_page_that_is_longer_leaves_a_column_to_its_scrollbar() -> None:
    app = Reader()
    async with app.run_test(size=(WIDTH, HEIGHT)) as pilot:
        app.page.show([Content("x" * WIDTH)] * (HEIGHT + 1))
        await pilot.pause()
        assert app.visible_rows()[:2] == ["x" * (WIDTH - 1), "x"]
        assert app.page.show_vertical_scrollbar
        await pilot.resize_terminal(WIDTH, 4 * HEIGHT)
        await pilot.pause()
        assert app.visible_rows()[1] == "x" * WIDTH
        assert not app.page.show_vertical_scrollbar


async def test_what_a_mouse_selects_is_copied_as_it_was_written() -> None:
    app = Reader()
    async with app.run_test(size=(WIDTH, HEIGHT)) as pilot:
        app.page.show([Content(""), *[Content(SENTENCE)] * 4])
        await pilot.pause()
        app.page.scroll_to(y=1, animate=False)
        await pilot.pause()
        assert app.visible_rows()[:3] == ["Ana founded Grave", "Choir with Moth", "Queen."]
        await pilot.mouse_down(offset=(4, 0))
        await pilot.hover(offset=(4, 1))
        await pilot.mouse_up(offset=(4, 1))
        assert app.screen.get_selected_text() == "founded Grave Choir"
        marked = [segment.text for segment in app.page.render_line(1) if segment.style and segment.style.bgcolor]
        assert "Choir" in marked
