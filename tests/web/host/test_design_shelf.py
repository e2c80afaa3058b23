"""The list of label designs: by use and shape, each with its picture, and each with its sample in the designer."""

import re
from html import unescape

import pytest

from companion.printing import designs, shelf
from tests.web.serving import Host


def listed_names(page: str) -> list[str]:
    return re.findall(r'<img src="/host/designs/([^"/]+)/file\.png"', page)


def test_all_designs_are_on_the_page_by_use(own_host: Host) -> None:
    page = own_host.browser().get("/host/designs").text
    groups = shelf.list_shelf()
    assert listed_names(page) == [entry.name for group in groups for entry in group.entries]
    for group in groups:
        assert f">{group.title}</h2>" in unescape(page)


@pytest.mark.parametrize("shape", shelf.SHAPE_TITLES)
def test_a_link_shows_the_designs_of_a_shape_alone(own_host: Host, shape: str) -> None:
    page = own_host.browser().get(f"/host/designs?shape={shape}").text
    names = listed_names(page)
    all_designs = [entry.design for entry in designs.list_designs() if entry.design]
    assert sorted(names) == sorted(each.name for each in all_designs if shelf.find_shape(each) == shape)
    assert re.search(rf'shape={shape}" aria-current="page"', page)


def test_an_unknown_shape_shows_all(own_host: Host) -> None:
    browser = own_host.browser()
    assert listed_names(browser.get("/host/designs?shape=star").text) == listed_names(browser.get("/host/designs").text)


def test_a_design_is_taken_with_its_sample_beside_it(own_host: Host) -> None:
    browser = own_host.browser()
    link = re.search(r'href="(/host/designs/badge-roll\?[^"]*)"', browser.get("/host/designs?shape=roll").text)
    assert link
    page = browser.get(unescape(link[1])).text
    assert "Ana Silva" in page
    assert 'role="alert"' not in page
    assert "Keeps the score" not in browser.get("/host/designs/badge-round").text
