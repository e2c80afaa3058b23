"""Whatever people are called: pages show it as text, whole and sanitize."""

from html.parser import HTMLParser

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.session.core.session import Session
from companion.session.table.rematch import FollowingTable
from companion.tabletop.table.common_actions import Next
from companion.tabletop.table.table import Counter, Prompt, RoundStep, SeatView, TableView, Thing, Zone, draft
from companion.web import templates
from companion.web.answering import Asking, AvailableActions
from companion.web.phones import Audience
from companion.web.screen import SCREEN_PAGE
from companion.web.table_page import SECTIONS, LogMoment, TablePage, build_view_page
from tests.examples import examples
from tests.games import miniature
from tests.hostile import MARKUP, STEERING, hostile, steers

TAGS = frozenset(
    {
        *("svg", "path"),  # an emblem
        "a",
        "bdi",
        "button",
        "dd",
        "details",
        "div",
        "dl",
        "dt",
        "em",
        "form",
        "h1",
        "h2",
        "h3",
        "h4",
        "input",
        "kbd",
        "label",
        "li",
    }
    | {"header", "noscript", "ol", "output", "p", "rect", "small", "span", "strong", "summary", "ul"}
)
ATTRIBUTES = frozenset(
    {"d", "fill", "focusable", "height", "stroke", "viewbox", "width"}  # of an emblem
    | {"action", "aria-current", "aria-hidden", "aria-label", "autocomplete", "class", "href", "id"}
    | {
        "data-of",
        "data-word",
        "data-called",
        "data-focus",
        "data-here",
        "data-keep",
        "data-number",
        "data-sum",
        "data-tally",
        "data-top",
        "data-turn",
    }
    | {
        "checked",
        "hidden",
        "tabindex",
        "inputmode",
        "max",
        "method",
        "min",
        "name",
        "required",
        "reversed",
        "type",
        "value",
    }
)


class Reader(HTMLParser):
    """What a browser makes of a page: its tags, its attributes, and its text."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags, self.attributes, self.values, self.text = set[str](), set[str](), set[str](), ""
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes |= {name for name, _ in attrs}
        self.values |= {value or "" for _, value in attrs}

    def handle_data(self, data: str) -> None:
        self.text += data


def table(text: str) -> TableView:
    """A table on which everything is called so."""
    counter = Counter("hp", 3, text, 20, text, big=True)
    thing = Thing("boss", text, (counter, Counter("word", text, text)), (text, f"{text}: {text}"), True, text, (text,))
    zone = Zone(text, text, (thing,))
    seats = tuple(SeatView(seat, text, text, (counter,), (zone,), (text,)) for seat in ("ana", "ben"))
    step = RoundStep("one", text)
    prompts = (Prompt(text, draft(Next), "ana"), Prompt(text, draft(Next), due=False))
    return TableView("game", text, (counter,), (zone,), seats, (step,), "one", prompts, (text,), ((text, text),))


def render_all(text: str) -> str:
    """All sections of that table's pages, and its log: for who only looks, then for who may do everything."""
    log = (LogMoment(2, ((text, False), (text, True)), text),)
    view, session = table(text), Session.new(miniature.GAME)
    page: TablePage = build_view_page(view, "ana")._replace(log=log, outcome=text, earlier=1)
    asking = Asking.now(session)._replace(names={"ana": text, "ben": text})
    both = (
        AvailableActions(Audience("ana", "look"), asking, view, "", "", (), ()),
        AvailableActions(Audience("ana", "all", text), asking, view, text, text, ((1, text),), ((1, text),)),
    )
    following = FollowingTable("7K3M9QPX", text, (("ana", text),))
    context = {
        "page": page,
        "session": "7K3M9QPX",
        "mark": "t",
        "at": "2",
        "countdown": None,
        "following": following,
    }
    return "".join(
        templates.render(f"{name}.html", **context, actions=actions)
        for actions in both
        for name in (*SECTIONS, *SCREEN_PAGE.sections)
    )


@pytest.mark.parametrize(
    "text", [*MARKUP, *STEERING, '"><img src=x onerror=alert(1)>', "</title><script>", "{{ 7 * 7 }}", "& &lt;"]
)
def test_text_that_nobody_should_trust_stays_text(text: str) -> None:
    read = Reader(render_all(f"Ana {text}"))
    assert read.tags <= TAGS
    assert read.attributes <= ATTRIBUTES
    assert not any(value.lower().startswith(("javascript:", "http", "//")) for value in read.values - {text})
    assert not steers(read.text)
    assert not any(steers(value) for value in read.values)
    assert "49" not in read.text


@settings(max_examples=examples(10))
@given(hostile | st.text(max_size=40))
def test_any_text_stays_text(text: str) -> None:
    read = Reader(render_all(text))
    assert read.tags <= TAGS
    assert read.attributes <= ATTRIBUTES
    assert not steers(read.text)


def test_a_name_of_ten_thousand_letters_is_cut() -> None:
    html = render_all("W" * 10_000)
    assert "W" * 1_999 + "…" in html
    assert "W" * 2_000 not in html


def test_names_are_isolated_from_the_words_beside_them() -> None:
    assert "<bdi>עָנָה</bdi>" in render_all("עָנָה")
