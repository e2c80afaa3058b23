"""Games are found by their titles, what they are about, the games that they suit, and search words."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.games.game_search import find_games
from companion.games.listing import ListedGame, programs, ready
from companion.tabletop.notation.word_search import fold, rank_beginning, rank_word, search_words
from templates.languages.catalogues import load_language
from templates.languages.messages import speaking

SHELF = (
    ListedGame("moths", "Moth Duel", "Two keepers fight.", suits="For Lampengeister.", find="wick oil night"),
    ListedGame("oil", "Trade in Lamps", "Buy and sell oil.", find="market café"),
    ListedGame("seven", "7 Hills", "Builders race.", suits="For Star Port and others."),
)


def names(text: str) -> list[str]:
    """The names of the games that are found on the shelf."""
    return [game.name for game in find_games(SHELF, text).games]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("moth", ["moths"]),
        ("MOTH duel", ["moths"]),
        ("lampengeist", ["moths"]),
        ("geister", ["moths"]),
        ("cafe", ["oil"]),
        ("CAFÉ", ["oil"]),
        ("starport", ["seven"]),
        ("7", ["seven"]),
        ("markte", ["oil"]),
        ("keepres", ["moths"]),
        ("oil", ["oil", "moths"]),
        ("nothing here", []),
        ("xyz", []),
    ],
)
def test_games_are_found_by_words(text: str, expected: list[str]) -> None:
    assert names(text) == expected


def test_no_words_find_all_games() -> None:
    assert names(" – ") == [game.name for game in SHELF]


def test_the_most_words_count_where_no_game_has_all() -> None:
    matches = find_games(SHELF, "oil dragon market")
    assert [game.name for game in matches.games] == ["oil"]
    assert not matches.has_all_words
    assert find_games(SHELF, "oil market").has_all_words


def test_small_words_are_no_search_beside_others() -> None:
    assert search_words("A Game of Oil") == ("game", "oil")
    assert search_words("7") == ("7",)


def test_a_slip_counts_only_when_nothing_else_matches() -> None:
    assert rank_word("lamps", "Lamps") == 0
    assert rank_word("lanps", "Lamps") is None
    assert rank_word("lanps", "Lamps", forgives_slips=True) is not None
    assert rank_word("lap", "Lamp", forgives_slips=True) is None
    assert fold("Äpfel für Œuvre") == "apfel fur œuvre"


def test_a_title_comes_before_all_others_as_soon_as_its_beginning_is_typed() -> None:
    games = (*programs(), *ready())
    titles = {str(game.title): game.name for game in games}
    for title in titles:
        assert str(find_games(games, title).games[0].title) == title
        for length in range(len(title.split(" ", 1)[0]) + 2, len(title)):
            typed = title[:length].casefold()
            beginning = [each for each in titles if each.casefold().startswith(typed)]
            ahead = [str(game.title) for game in find_games(games, typed).games][: len(beginning)]
            assert sorted(ahead) == sorted(beginning), typed


WORDS = st.lists(st.sampled_from(("ana", "Joana", "7", "17", "Ana", "Äbte", "ab")), min_size=1, max_size=3).map(
    " ".join
)


@given(st.lists(WORDS, min_size=1, max_size=5), st.data())
def test_whole_names_come_before_beginnings_and_these_before_the_rest(names: list[str], data: st.DataObject) -> None:
    typed = data.draw(st.sampled_from(names))
    assert rank_beginning(typed.upper(), *names) == 0
    for name in names:
        is_beginning = fold(name).startswith(fold(typed))
        assert rank_beginning(typed, name) == (0 if fold(name) == fold(typed) else 1 if is_beginning else 2)


WELL_KNOWN = {
    "hearts": "penalty",
    "spades": "partners",
    "whist": "plain-tricks",
    "skat": "declarer",
    "tichu": "climbing-pairs",
    "president": "ranks",
    "gin rummy": "knock",
    "canasta": "melds",
    "phase 10": "phases",
    "cribage": "pegs",
    "star realms": "trade-row",
    "dominion": "trade-row",
    "gloomhaven": "standees",
    "7 wonders": "draft",
    "high society": "auction",
    "pokemon": "prizes",
    "taboo": "party",
    "king of tokyo": "dice",
    "two-headed giant": "two-heads",
    "munchkin": "treasure",
    "wizard": "tricks",
    "arkham horror": "villain",
    "edh": "commander",
    "scrabble": "count",
    "mahjong": "count",
    "rummikub": "rummy",
    "campaign stickers": "legacy",
    "my city": "campaign",
    "magic": "life",
}


@pytest.mark.parametrize("text", WELL_KNOWN)
def test_a_well_known_game_leads_to_a_page(text: str) -> None:
    matches = [game.name for game in find_games((*programs(), *ready()), text).games]
    assert WELL_KNOWN[text] in matches[:3]


def test_every_ready_page_is_found_by_a_well_known_game() -> None:
    assert set(WELL_KNOWN.values()) == {game.name for game in ready()}


LOCAL_NAMES = {
    "de": {"stiche": "tricks", "wurfel": "dice", "Versteigerung": "auction", "schwarze dame": "penalty"},
    "fr": {"ascenseur": "tricks", "trou du cul": "ranks", "dame de pique": "penalty", "encheres": "auction"},
    "es": {"pocha": "tricks", "chinchon": "rummy", "culo": "ranks", "corazones": "penalty", "continental": "phases"},
}


@pytest.mark.parametrize("code", LOCAL_NAMES)
def test_readers_find_games_in_their_language_and_english(code: str) -> None:
    with speaking(load_language(code)):
        for text, name in LOCAL_NAMES[code].items():
            assert name in [game.name for game in find_games(ready(), text).games], text
            assert name in [game.name for game in find_games(ready(), name).games]
