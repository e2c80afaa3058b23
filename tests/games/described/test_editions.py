"""What a later edition of a page changes, in sentences for whoever has a deck by an earlier one."""

import pytest

from companion.games.described.page.editions import describe_changes
from companion.games.described.page.reading import read_description
from tests.games.described import pages

ROAD = (pages.READY / "legacy.toml").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("before", "after", "sentence"),
    [
        ("price = 3", "price = 6", "Bright costs 6 instead of 3."),
        ("It counts 2 more.", "It counts 3 more.", "Bright says “It counts 3 more.” now."),
        ("[counters.stars]", "[counters.dust]\n[counters.stars]", "New: Dust."),
        ("[counters.stars]\n", "[counters.stars]\nstart = 2\n", "Stars begins with 2 instead of 0."),
        ("number = 6", "number = 7", "Soaked is no longer available; cards that bear it keep it."),
        ('most = "stars"', 'fewest = "stars"', "Also changed: how it ends."),
    ],
)
def test_a_change_is_told_in_a_sentence(before: str, after: str, sentence: str) -> None:
    assert before in ROAD
    assert sentence in describe_changes(read_description(ROAD), read_description(ROAD.replace(before, after, 1)))


def test_the_same_page_changes_nothing() -> None:
    assert describe_changes(read_description(ROAD), read_description(ROAD)) == ()
