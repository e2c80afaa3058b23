"""Every page in the pseudo-language: each route has a sample, and no word stands outside of a message."""

import re

import pytest

from companion.session.table.shared_session import SharedSessions
from companion.web import templates
from companion.web.guard import Site
from companion.web.host.door import HostDoor
from companion.web.host.frame import HostPages
from companion.web.pages import WebPages
from companion.web.server import list_routes
from templates.languages.pseudo import PSEUDO
from tests.web.page_samples import PageSample
from tests.web.page_texts import PageTexts
from tests.web.serving import Host

pytestmark = pytest.mark.slow

STREAMS = frozenset({"GET /t/{session}/news", "GET /t/{session}/screen/news"})
"""They bring the sections of pages."""


def test_every_route_has_a_sample(host: Host, pseudo_samples: tuple[PageSample, ...]) -> None:
    pages = WebPages(host.archive, SharedSessions(host.archive), host.server.phones, Site(frozenset()))
    routes = {
        f"{method} {route.path}"
        for route in list_routes(pages, HostPages(pages, HostDoor()))
        for method in route.methods or ()
        if method != "HEAD" and route.path.removeprefix("/") not in templates.STATIC_FILES
    }
    assert routes - STREAMS == {each.route for each in pseudo_samples} - {"error"}


def test_no_word_of_any_page_is_outside_of_a_message(pseudo_samples: tuple[PageSample, ...]) -> None:
    left = {each.name: PageTexts(each.answer.text).unbracketed_words for each in pseudo_samples if each.is_text}
    assert {name: words for name, words in left.items() if words} == {}


def test_every_page_names_its_language(pseudo_samples: tuple[PageSample, ...]) -> None:
    pages = [each for each in pseudo_samples if each.is_page]
    assert len(pages) > 100
    assert [each.name for each in pages if f'<html lang="{PSEUDO.code}"' not in each.answer.text] == []


def test_a_title_of_a_page_is_text_without_markup(pseudo_samples: tuple[PageSample, ...]) -> None:
    pages = [each for each in pseudo_samples if each.is_page]
    titles = {each.name: re.findall("<title>(.*?)</title>", each.answer.text, re.DOTALL) for each in pages}
    assert {name: title for name, title in titles.items() if len(title) != 1 or "&lt;" in title[0]} == {}
