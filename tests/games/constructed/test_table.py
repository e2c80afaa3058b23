"""Constructed decks at a table: brought with their lists, named instead of described, sealed into their records."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from companion.archive import Archive, deck_records
from companion.games import registry
from companion.games.soulforger.rules.actions import ForgeEquipment
from companion.plain.talk import Talk
from companion.session.core import archive_journal
from companion.session.core.replay import Replay, UnreadableLine
from companion.session.core.session import Session
from companion.session.table.shared_session import SharedSession
from companion.session.table.table_client import TableClient
from companion.tabletop.action import NotationError, RuleError
from companion.tabletop.constructed import table
from companion.tabletop.notation.notation import write
from companion.tabletop.table.choices import Open, choices
from companion.tabletop.table.completion import complete
from companion.tabletop.table.table import draft
from companion.web.table_page import list_moments
from tests.games.constructed.decks import LISTS

BEFORE = {
    "soulforger": ("next", "next", "next", "set ana level 9"),
    "oddfrontier": ("next", "next", "set ana energy 9"),
    "solforge": ("set ana plays 9",),
}
"""Lines after `begin` until cards can be played."""
PLAYED = {
    "soulforger": (
        ("summon ana ash-wolf", "summon ana ash-wolf ronum 1 power 2/1 endurance 3 xp 1 keywords flight"),
        (
            "summon ana ash-wolf-2 manifest",
            "summon ana ash-wolf-2 ronum 1 power 2/1 endurance 3 xp 1 keywords flight manifest",
        ),
        ('action ana "Ember"', 'action ana "Ember" ronum 0 speed instinct'),
    ),
    "oddfrontier": (
        ("summon ana ash-wolf", "summon ana ash-wolf 2/3 first-assault"),
        ("permanent ana night-market", "permanent ana night-market cost 1"),
        ('queue ana "Flare"', 'queue ana "Flare" magic cost 1'),
    ),
    "solforge": (
        ("forge ana 1 ash-wolf", "forge ana 1 ash-wolf 4/5"),
        ("place ben 1 ash-wolf-3 awake", "place ben 1 ash-wolf-3 4/5 awake"),
        ("spawn ben bog-heron lane 2", "spawn ben bog-heron 3/3 lane 2"),
    ),
}
"""A line as short as people type it, and as the log holds it."""


@pytest.fixture
def archive(tmp_path: Path) -> Iterator[Archive]:
    with Archive.open(str(tmp_path / "archive.sqlite")) as opened:
        yield opened


def store_deck(archive: Archive, game: str, name: str, holder: str) -> str:
    from companion.tabletop.decks.form import FormContext

    form = registry.game(game).decks.founding
    assert form is not None
    filled = form.validate_answers({"name": name, "holder": holder, "list": LISTS[game]}, FormContext())
    return archive.found_deck(game, filled.marks)


def seated(archive: Archive, game: str) -> Session:
    for name, holder in (("Ash Pack", "Ana"), ("Bog Pack", "Ben")):
        store_deck(archive, game, name, holder)
    session = archive_journal.start(archive, game)
    for line in ('seat ana deck "Ash Pack"', 'seat ben deck "Bog Pack"', "begin seed 1"):
        session.enter(line)
    return session


def test_a_deck_list_is_one_line_of_the_log(archive: Archive) -> None:
    client = TableClient(SharedSession(seated(archive, "soulforger")))
    cards = [moment for moment in client.log if moment.action.verb() == "lists"]
    tells = [str(tell.text) for moment in cards for tell in client.describe_moment(moment)]
    assert len(cards) > 10
    assert tells == [
        f"{deck}, card by card as its list has it." for deck in ("Ana brings Ash Pack", "Ben brings Bog Pack")
    ]
    assert len(tuple(list_moments(client))) == len(client.log) - len(cards) + 2, "phones"
    spoken: list[str] = []
    Talk(client, spoken.append).hear("log 30")
    assert len([text for text in spoken if ", lists " in text]) == 2, "plain lines"


def enter(session: Session, *texts: str) -> None:
    for text in texts:
        session.enter(text)


@pytest.mark.parametrize("game", list(LISTS))
def test_figures_of_a_stored_card_stand_in_the_log(archive: Archive, game: str) -> None:
    session = seated(archive, game)
    enter(session, *BEFORE[game])
    for short, whole in PLAYED[game]:
        enter(session, short)
        assert session.log.lines[-1].text == whole
    again = archive_journal.resume(archive, session.id)
    assert again.state == session.state
    file = Replay(session.export())
    assert {line.failure for line in file} == {""}
    assert file.session.state == session.state


def test_a_card_has_other_figures_at_another_level(archive: Archive) -> None:
    session = seated(archive, "solforge")
    enter(session, "set ana level2 9", "forge ana 1 ash-wolf level 2")
    assert session.log.lines[-1].text == "forge ana 1 ash-wolf 7/8 level 2 has armor=1"


@pytest.mark.parametrize("game", list(LISTS))
def test_who_says_the_figures_is_believed(archive: Archive, game: str) -> None:
    line = {
        "soulforger": "summon ana ash-wolf ronum 0 power 9/9 endurance 1",
        "oddfrontier": "summon ana ash-wolf 9/9",
        "solforge": "forge ana 1 ash-wolf 9/9",
    }[game]
    session = seated(archive, game)
    enter(session, *BEFORE[game], line)
    assert session.log.lines[-1].text == line
    assert archive_journal.resume(archive, session.id).state == session.state


@pytest.mark.parametrize("game", list(LISTS))
def test_a_card_that_no_list_knows_still_wants_its_figures(archive: Archive, game: str) -> None:
    short = {"soulforger": "summon ana elk", "oddfrontier": "summon ana elk", "solforge": "forge ana 1 elk"}[game]
    session = seated(archive, game)
    enter(session, *BEFORE[game])
    with pytest.raises(NotationError, match="is missing"):
        session.enter(short)
    with pytest.raises(UnreadableLine, match="line 2"):
        Replay(f"table {game}\n{short.split()[0]}")


@pytest.mark.parametrize("game", list(LISTS))
def test_the_cards_of_a_deck_are_offered_by_words_that_are_free(archive: Archive, game: str) -> None:
    session = seated(archive, game)
    enter(session, *BEFORE[game])
    action = {"soulforger": "summon", "oddfrontier": "summon", "solforge": "forge"}[game]
    kind = next(each for each in session.game.actions if each.verb() == action)
    given: dict[str, Any] = {"seat": "ana", **({"lane": 2} if game == "solforge" else {})}

    def offered() -> list[str]:
        open_ = choices(session.game, session.state, draft(kind, **given), "handle")
        assert isinstance(open_, Open)
        return [choice.value for choice in open_.fitting]

    assert "ash-wolf" in offered()
    enter(session, PLAYED[game][0][0])
    assert "ash-wolf-2" in offered()
    assert "ash-wolf" not in offered()
    begun = f"{action} ana {'2 ' if game == 'solforge' else ''}a"
    assert "ash-wolf-2" in [way.word for way in complete(session.game, session.state, begun)]


AT_THE_END = {
    "soulforger": "level 1 and damage 0, Ben level 1 and damage 0",
    "oddfrontier": "life 137, Ben life 137",
    "solforge": "health 120 and rank 1, Ben health 120 and rank 1",
}
"""What the record keeps of how everybody stood."""


@pytest.mark.parametrize("game", list(LISTS))
def test_a_seal_writes_the_match_to_all_decks_at_once(archive: Archive, game: str) -> None:
    session = seated(archive, game)
    with pytest.raises(RuleError, match="after an outcome"):
        session.enter("seal")
    enter(session, "concede ben")
    assert session.view().prompts[0].line == "seal"
    turns = session.state.turn
    enter(session, "seal")
    records = {row.name: archive.record(row.deck) for row in archive.decks()}
    assert [(records[name].won, records[name].lost) for name in ("Ash Pack", "Bog Pack")] == [(1, 0), (0, 1)]  # type: ignore[attr-defined]
    mine = next(row.deck for row in archive.decks() if row.name == "Ash Pack")
    mark = json.loads(json.dumps([event.text for event in archive.story(mine)]))[-1]
    after = f" after {turns} turn{'s' * (turns > 1)}" if turns else ""
    assert mark.startswith(f"Ana won against Ben (Bog Pack) with version 1{after}; ")
    assert mark.endswith(f"{AT_THE_END[game]}.")
    assert deck_records.decks_of_session(archive, session.id)
    for refused in ("concede ana", "set ana hand 3", "seal", "next"):
        with pytest.raises(RuleError, match="sealed"):
            session.enter(refused)
    with pytest.raises(RuleError, match="sealed"):
        session.undo()
    session.enter('note "what an evening"')
    assert session.view().prompts == ()


def test_a_draw_and_a_third_player_are_told(archive: Archive) -> None:
    session = seated(archive, "oddfrontier")
    other = archive_journal.start(archive, "oddfrontier")
    enter(other, 'seat ana deck "Ash Pack"', 'seat ben deck "Bog Pack"', 'seat cy name "Cy Łoś"', "begin seed 1")
    enter(other, "set table outcome draw", "seal")
    *_, sentence = (event.text for event in archive.story(archive.find_deck("Ash Pack").deck))
    assert (
        sentence == "Ana drew with Ben (Bog Pack) and Cy Łoś with version 1; life 137, Ben life 137, Cy Łoś life 137."
    )
    assert session.state.outcome is None


def test_one_deck_lies_before_one_person(archive: Archive) -> None:
    store_deck(archive, "solforge", "Ash Pack", "Ana")
    session = archive_journal.start(archive, "solforge")
    enter(session, 'seat ana deck "Ash Pack"')
    with pytest.raises(RuleError, match="at this table already, before ana"):
        session.enter('seat ben deck "Ash Pack"')
    with pytest.raises(RuleError, match="no line of a deck list"):
        session.enter('lists ana "0 Elk"')


def test_a_card_is_known_by_its_word_numbered_or_with_its_seat() -> None:
    from companion.tabletop.decks.decklist import read_card_line

    deck = table.Brought(cards={"ash-wolf": read_card_line("4 Ash Wolf"), "mk-2": read_card_line("MK 2")})
    for word in ("ash-wolf", "Ash Wolf", "ash-wolf-2", "ash-wolf2", "ana-ash-wolf", "ana-ash-wolf-3"):
        card = deck.card(word, "ana")
        assert card is not None, word
        assert card.name == "Ash Wolf", word
    assert deck.card("mk-2") is not None
    assert deck.card("wolf") is None
    assert write(table.SeatPlayer("ana", called="Ash Pack", version=2)) == 'seat ana called "Ash Pack" version 2'


SHORT = {
    "soulforger": (
        "The Main Deck has 4 cards; 60 to 75 are needed (V2.1). The Starting Gear lacks its weapon; it has one of each "
        "type (V2.5). The Starting Gear lacks its armor; it has one of each type (V2.5). The Starting Gear lacks its "
        "accessory; it has one of each type (V2.5)."
    ),
    "oddfrontier": "“main” has 4 cards; an archive has 36 to 40 (V3.1).",
    "solforge": "3 cards; a deck has exactly 30 (V4.1)",
}
"""What each game says of a deck that holds only the Ash Wolves of its list."""


@pytest.mark.parametrize("game", list(LISTS))
def test_a_deck_that_is_none_says_so_when_it_is_seated(archive: Archive, game: str) -> None:
    from companion.tabletop.decks.form import FormContext

    form = registry.game(game).decks.founding
    assert form is not None
    text = "\n".join(LISTS[game].splitlines()[:2])
    filled = form.validate_answers({"name": "Short", "holder": "Ana", "list": text}, FormContext())
    archive.found_deck(game, filled.marks)
    session = archive_journal.start(archive, game)
    tells = [tell.text for tell in session.enter('seat ana deck "Short"')]
    sentence = f"Short is no deck by the rules: {SHORT[game]}"
    assert [text for text in tells if str(text).startswith(sentence)]
    assert sentence.removesuffix(".") in " ".join(map(str, session.view().hints))
    assert len([text for text in tells if "cards" in text]) == 1
    again = archive_journal.resume(archive, session.id)
    assert again.state == session.state


@pytest.mark.parametrize("game", list(LISTS))
def test_a_deck_by_the_rules_says_nothing(archive: Archive, game: str) -> None:
    store_deck(archive, game, "Ash Pack", "Ana")
    session = archive_journal.start(archive, game)
    tells = [tell.text for tell in session.enter('seat ana deck "Ash Pack"')]
    assert not [text for text in tells if "by the rules" in text]
    assert not [hint for hint in session.view().hints if "by the rules" in hint]


COPIES = {
    "soulforger": ("set ana hand 9", *(f"summon ana {handle} ronum 1" for handle in ("ash-wolf", "ana-ash-wolf"))),
    "oddfrontier": ("set ana hand 9", *(f"summon ana {handle}" for handle in ("ash-wolf", "ana-ash-wolf"))),
    "solforge": ("set ana hand 9", "forge ana 5 ana-ash-wolf"),
}
"""Some of the copies that a list has."""


@pytest.mark.parametrize("game", list(LISTS))
def test_one_copy_more_than_the_list_has_is_told(archive: Archive, game: str) -> None:
    session = seated(archive, game)
    enter(session, *BEFORE[game], *COPIES[game])
    play = {"soulforger": "summon ana {}", "oddfrontier": "summon ana {}", "solforge": "forge ana 1 {}"}[game]
    for number in (2, 3):
        assert "list has" not in " ".join(str(tell.text) for tell in session.enter(play.format(f"ash-wolf-{number}")))
    count = 3 if game == "solforge" else 4
    tells = [tell.text for tell in session.enter(play.format("ash-wolf-4"))]
    assert str(tells[-1]) == (
        f"Ana's list has {count} × Ash Wolf, and this is number {count + 1}: has one come back, or is it another card?"
    )


def test_what_equipment_costs_is_said_where_it_is_chosen_and_forged() -> None:
    session = Session.new(registry.game("soulforger"))
    enter(
        session,
        *("seat ana", "seat ben", 'lists ana "2 Sun Maul | weapon | ronum 1 | power 4/2 | hands 2 | cost M 5"'),
        'lists ana "1 Char Helm | armor | ronum 1 | cost 1 fire creature of yours"',
        *("gear ana blade weapon power 3/1", "gear ben club weapon power 3/1", "begin seed 1", "next", "next"),
        *("quest ana 3 2 1", "next"),
    )
    options = choices(session.game, session.state, draft(ForgeEquipment, seat="ana"), "handle")
    assert isinstance(options, Open)
    assert [(each.value, str(each.detail).rsplit(" · ", 1)[-1]) for each in options.fitting] == [
        ("sun-maul", "cost M 5"),
        ("char-helm", "cost 1 fire creature of yours"),
    ]
    assert session.enter("forge ana sun-maul")[-1].text == (
        "Sun Maul costs 5 Ronum from the Material Zone, unless that is already paid: "
        "`pay ana ronum 5 with 3 2` (R2.17)."
    )
    enter(session, "pay ana ronum 5 with 3 2")
    assert session.enter("forge ana char-helm")[-1].text == "Char Helm costs 1 fire creature of yours (R2.17)."
    assert session.enter("forge ana sun-maul-2")[-1].text == (
        "Sun Maul costs 5 Ronum from the Material Zone, unless that is already paid; there is not enough there (R2.17)."
    )
