"""Decks of described games: written on for ever, asked about after the game, printed, looked through, carried away."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.archive import Archive, chapters, deck_id, deck_records
from companion.archive.exchange import deck_export, deck_import, passport
from companion.archive.people import people
from companion.games.described.game import DescribedGame
from companion.games.described.page.description import DecksDefinition, Description, InscriptionDefinition
from companion.games.described.records import Borne, InscribedRecord
from companion.printing import jobs, wording
from companion.session.core import archive_journal
from companion.session.core.session import Session
from companion.session.table import confirmations
from companion.session.table.terms import game_terms
from companion.tabletop.action import NotationError, RuleError
from companion.tabletop.constructed.record import ConstructedRecord
from companion.tabletop.decks.form import FormContext
from companion.tabletop.decks.keeping import keeping
from companion.tabletop.evening_text import as_markdown
from companion.tabletop.notation.notation import Notation
from labels.output import pdf
from labels.paper import sheet, stocks
from tests.examples import examples
from tests.games import at_random, choosing
from tests.games.described import pages, player, road
from tests.labels.paper import Paper, text_in

STOCK = stocks.find("18294")


@pytest.fixture
def archive(tmp_path: Path) -> Iterator[Archive]:
    with Archive.open(str(tmp_path / "archive.sqlite")) as opened:
        yield opened


def record(archive: Archive, name: str) -> InscribedRecord:
    pack = archive.record(archive.find_deck(name).deck)
    assert isinstance(pack, InscribedRecord)
    return pack


def story(archive: Archive, name: str) -> tuple[str, ...]:
    return tuple(map(str, pages.ready(road.GAME).decks.story(archive.marks(archive.find_deck(name).deck))))


def prompts(session: Session) -> list[str]:
    return [str(prompt.text) for prompt in session.view().prompts]


# Founding.


def test_a_deck_is_begun_with_the_answers_to_the_questions_of_its_page(archive: Archive) -> None:
    road.packs(archive)
    pack = record(archive, "Grave Choir")
    assert (pack.holder, pack.answers, pack.box) == (
        "Ana",
        {"road": "Marsh", "motto": "Onward"},
        {"played": 0, "won": 0},
    )
    assert story(archive, "Grave Choir") == ("Ana began Grave Choir (Road: Marsh, Motto: Onward).",)


@pytest.mark.slow
def test_an_answer_that_is_none_of_the_choices_is_refused() -> None:
    form = pages.ready(road.GAME).decks.founding
    assert form is not None
    filled = form.validate_answers({"name": "Choir", "holder": "Ana", "road": "the moon"}, FormContext())
    assert [finding.text for finding in filled.findings] == ["Road is one of Harbour, Mountains or Marsh."]
    assert filled.marks == ()


@pytest.mark.slow
def test_a_deck_that_lived_on_paper_is_taken_in_as_it_is(archive: Archive) -> None:
    form = pages.ready(road.GAME).decks.adopting
    assert form is not None
    values = {
        "name": "Old Choir",
        "holder": "Ben",
        "holders": ["Ana"],
        "played": "4",
        "won": "2",
        "days": "9",
        "inscribed": [{"card": "9s", "inscription": "bright"}, {"card": "9S", "inscription": "Twin"}],
        "torn": ["2C"],
    }
    filled = form.validate_answers(values, FormContext())
    assert filled.findings == ()
    archive.found_deck(road.GAME, filled.marks)
    pack = record(archive, "Old Choir")
    assert [(each.card, each.number, each.name) for each in pack.borne] == [("9S", 1, "Bright"), ("9S", 2, "Twin")]
    assert (pack.box, pack.torn, pack.holders) == ({"played": 4, "won": 2, "days": 9}, ("2C",), ("Ana", "Ben"))
    too_many = {**values, "inscribed": [*values["inscribed"], {"card": "9S", "inscription": "lantern"}]}
    (finding,) = form.validate_answers(too_many, FormContext()).findings
    assert finding.text == "9♠ bears Bright and Twin; a card bears at most 2 signs."


@pytest.mark.slow
def test_an_example_of_a_deck_on_paper_can_be_taken_in_as_it_is(archive: Archive) -> None:
    example = tomllib.loads(wording.paper_deck_example(road.GAME))
    deck, pack, warnings = deck_records.adopt_deck(archive, example)
    assert warnings == ()
    assert isinstance(pack, InscribedRecord)
    assert (pack.name, pack.holder, pack.holders, pack.played) == ("The Lantern Debt", "Ben", ("Ana", "Ben"), 3)
    assert [(each.card, each.name) for each in pack.borne] == [("2S", "Bright")]
    assert archive.find_deck("the lantern").deck == deck


# At the table and after the game.


@pytest.mark.slow
def test_what_the_cards_bear_is_shown_where_people_sit_and_replays_without_the_archive(archive: Archive) -> None:
    road.sealed(archive)
    choir, moss = (archive.find_deck(name).deck for name in ("Grave Choir", "Moss Road"))
    session = road.say(road.seated(archive, moss, choir), "begin seed 2")
    ana, ben = session.view().seats
    assert (ana.title, ben.title) == ("Moss Road", "Grave Choir")
    assert [(zone.title, [(t.title, t.notes, t.flags) for t in zone.things]) for zone in ben.zones] == [
        (
            "Signs",
            [
                ("9♠", ("Bright: It counts 2 more.",), ()),
                ("K♥", ("Homeward: If you lose the day with it, it comes back into your hand.",), ()),
            ],
        )
    ]
    assert [(thing.title, tuple(map(str, thing.flags))) for zone in ana.zones for thing in zone.things] == [
        ("3♣", ("torn up",))
    ]
    assert Session.resume(session.log.lines).state == session.state
    assert 'bears ben 9S 1 "Bright" text "It counts 2 more."' in session.lines()


@pytest.mark.slow
def test_everything_is_asked_one_question_after_the_other_and_seat_by_seat(archive: Archive) -> None:
    session = road.over(archive)
    assert session.view().closing
    assert prompts(session) == ["Ana: You won. Which card gets a spark?"]
    assert [step.title for step in session.view().steps][:3] == ["Spark", "Scar", "Market"]
    with pytest.raises(RuleError, match="Ana has to answer first"):
        session.enter("seal")
    road.say(session, *road.WRITTEN[:2])
    market = "The market is open. What do you buy for your embers?"
    sealing = "Ana has won. Write the game into the records?"
    assert prompts(session) == [f"Ana: {market}", f"Ben: {market}", sealing]
    assert [prompt.due for prompt in session.view().prompts] == [True, False, False]
    assert session.view().step == "market"
    road.say(session, *road.WRITTEN[2:])
    assert prompts(session) == [sealing]
    assert session.view().step == "seal"


@pytest.mark.slow
def test_answers_replay_and_can_be_undone_until_the_seal(archive: Archive) -> None:
    session = road.over(archive)
    before = session.state
    for line in road.WRITTEN:
        session.enter(line)
    assert Session.resume(session.log.lines).state == session.state
    road.say(session, *["undo"] * len(road.WRITTEN))
    assert session.state == before


@pytest.mark.slow
def test_a_card_is_torn_up_only_when_it_is_said_twice(archive: Archive) -> None:
    session = road.over(archive)
    action = session.notation.parse("tear-up ben 3C")
    confirmation = confirmations.required_confirmation(session, [action])
    assert confirmation is not None
    assert "tear 3♣ up, for ever" in confirmation.text


@pytest.mark.slow
def test_the_seal_writes_everything_at_once(archive: Archive) -> None:
    road.sealed(archive)
    choir, moss = record(archive, "Grave Choir"), record(archive, "Moss Road")
    assert [(each.card, each.name) for each in choir.borne] == [("9S", "Bright"), ("KH", "Homeward")]
    assert (choir.box, choir.holder) == ({"played": 1, "won": 1, "days": 3}, "Ben")
    assert (moss.borne, moss.torn, moss.lost[0].name, moss.holder) == ((), ("3C",), "Soaked", "Ana")
    assert story(archive, "Grave Choir")[1:] == (
        "Ana won a game with it at a table with Ben, after 5 rounds: stars 3, embers 1, wounds 0.",
        "9♠ received Bright, by Ana.",
        "K♥ received Homeward, bought for 2, by Ana.",
        "Days won: 3 more, by Ana.",
        "Ana: “We heard the sea.”",
        "It went to Ben.",
    )


@pytest.mark.slow
def test_purses_go_home_with_people_and_come_back(archive: Archive) -> None:
    road.sealed(archive)
    assert (archive.purse("Ana"), archive.purse("Ben")) == (1, 1)
    session = road.seated(archive, *(archive.find_deck(name).deck for name in ("Moss Road", "Grave Choir")))
    road.say(session, "begin seed 3", "next", "day ben")
    assert [session.state.player(seat).figures["embers"] for seat in ("ana", "ben")] == [1, 2]


@pytest.mark.slow
def test_a_purse_says_what_it_was_spent_on(archive: Archive) -> None:
    game = pages.ready(road.GAME)
    paid = game.purses.payments(road.sealed(archive).state)
    assert [(each.name, each.amount, str(game.reason(each.reason))) for each in paid] == [
        ("Ana", 3, "brought home from a game"),
        ("Ana", -2, "Homeward on K♥ of Grave Choir"),
        ("Ben", 1, "brought home from a game"),
    ]


@pytest.mark.slow
def test_a_purse_goes_home_with_who_is_known_also_without_a_deck(archive: Archive) -> None:
    for brought, home in ((None, 2), (2, 4)):
        session = archive_journal.start(archive, road.GAME)
        person = people.find_people(archive, "Zoe")[0].person if brought else "new"
        road.say(session, f'seat zoe name "Zoe" person {person}', 'seat ben name "Ben"', "begin seed 1")
        assert session.state.player("zoe").figures["embers"] == (brought or 0)
        road.say(session, "add zoe embers 2", "add ben embers 5", "won zoe", "answered zoe wash", "seal")
        assert (archive.purse("Zoe"), archive.purse("Ben")) == (home, 0)


@pytest.mark.slow
def test_without_stored_decks_only_what_is_done_by_hand_is_asked() -> None:
    session = road.say(
        Session.new(pages.ready(road.GAME)), "seat ana", "seat ben", "begin seed 1", *road.DAYS, "won ana"
    )
    assert prompts(session) == ["Ana: Wipe the table; the embers lie in everybody's purse."]
    with pytest.raises(RuleError, match="no stored pack"):
        session.enter("inscribe ana 9S bright")


@pytest.mark.slow
def test_nothing_is_offered_that_is_not_accepted_and_the_end_is_always_reached() -> None:
    rules = pages.ready(road.GAME)

    @settings(max_examples=examples(6), deadline=None)
    @given(st.integers(0, 2**32 - 1))
    def play(seed: int) -> None:
        chance = Random(seed)
        session = Session.new(rules)
        for seat, deck in (("ana", "AAAAAAAAAAAAA"), ("ben", "BBBBBBBBBBBBB")):
            session.enter(f'seat {seat} deck "{deck}" called "Pack of {seat}"')
        session.enter('bears ana 9S 1 "Bright"')
        road.say(
            session,
            f"purse ben {chance.randint(1, 9)}",
            "begin seed 1",
            chance.choice(("won ana", "won ben", "draw-agreed")),
        )
        for _ in range(80):
            if session.state.sealed:
                break
            choosing.are_honest(session)
            at_random.is_accepted(session, at_random.answered(session, chance, player.value, 0.8))
        assert session.state.sealed
        assert set(rules.marks(session.state)) == {"AAAAAAAAAAAAA", "BBBBBBBBBBBBB"}

    play()


# What it leaves.


@pytest.mark.slow
def test_the_evening_is_told_on_a_card_and_as_a_chapter(archive: Archive) -> None:
    road.sealed(archive)
    deck = archive.find_deck("Grave Choir").deck
    *_, evening = chapters.tell_chapters(archive.entries(f"deck:{deck}"))
    assert (
        str(evening.title) == "Ana won a game with it at a table with Ben, after 5 rounds: stars 3, embers 1, wounds 0"
    )
    mark = archive.marks(deck)[1]
    game = pages.ready(road.GAME)
    page = game.evenings.card(getattr(mark, "evening", None))
    assert page is not None
    text = as_markdown(page)
    assert text.startswith("# Ana wins\n")
    for words in ("**5** days", "Grave Choir: Bright on 9♠.", "Moss Road: 3♣ is torn up.", "Grave Choir went to Ben."):
        assert words in text


@pytest.mark.slow
def test_what_is_to_be_done_by_hand_is_ticked_off(archive: Archive) -> None:
    road.sealed(archive)
    moss = archive.find_deck("Moss Road").deck
    kept = keeping(pages.ready(road.GAME))
    assert [str(chore.text) for chore in kept.chores(archive.marks(moss))] == [
        "Write Moss Road on the box",
        "Leave Soaked off Q♠, or cross it out if it is stuck already",
        "Tear up 3♣",
        "Write “played 1, won 0, days 1” on the box",
        "Give the box to Ana",
    ]
    deck_records.tick(archive, moss, ["all"])
    assert kept.chores(archive.marks(moss)) == ()
    assert kept.paper(archive.marks(moss)) == {
        "name": "Moss Road",
        "box": "played 1, won 0, days 1",
        "holder": "Ana",
        "3C torn": "yes",
    }


@pytest.mark.slow
def test_nothing_is_to_be_stuck_on_a_card_that_is_torn_up(archive: Archive) -> None:
    session = road.over(archive)
    road.say(session, "inscribe ana 9S bright", "inscribe ben QS soaked", "tear-up ben QS", "seal")
    moss = archive.find_deck("Moss Road").deck
    texts = [str(chore.text) for chore in keeping(pages.ready(road.GAME)).chores(archive.marks(moss))]
    assert "Tear up Q♠" in texts
    assert not any("Soaked" in text for text in texts)
    assert [label.title for label in jobs.session_job(archive).labels if "Soaked" in label.title] == []


@pytest.mark.slow
@pytest.mark.parametrize(
    ("typed", "spot"),
    [
        ("9s bright", "9S #1"),
        ("9S #1", "9S #1"),
        ("black joker #1", None),
        ("BJ Homeward", "BJ #4"),
        ("3c torn", "3C torn"),
        ("box", "box"),
        ("9S no-such-sign", None),
        ("hat bright", None),
    ],
)
def test_a_spot_is_read_as_people_write_it(typed: str, spot: str | None) -> None:
    kept = keeping(pages.ready(road.GAME))
    if spot is None:
        with pytest.raises(NotationError):
            kept.read_spot(typed)
    else:
        assert kept.read_spot(typed) == spot


@pytest.mark.slow
def test_a_record_is_mended_until_it_says_what_the_box_says(archive: Archive) -> None:
    road.sealed(archive)
    choir = archive.find_deck("Grave Choir").deck
    deck_records.tick(archive, choir, ["all"])
    seen = {
        "9S #1": "no",
        "KH #4": "yes",
        "5D #3": "yes",
        "2C torn": "yes",
        "box": "played 3, won 1, days 7",
        "name": "Grave Chorus",
        "holder": "Cy",
        "retired": "yes",
    }
    deck_records.mend(archive, choir, seen, "looked through", "Ana")
    pack = record(archive, choir)
    assert [(each.card, each.name) for each in pack.borne] == [("KH", "Homeward"), ("5D", "Lantern")]
    assert (pack.name, pack.holder, pack.retired, pack.torn) == ("Grave Chorus", "Cy", True, ("2C",))
    assert pack.box == {"played": 3, "won": 1, "days": 7}
    deck_records.mend(archive, choir, {"retired": "no", "2C torn": "no", "9S #1": "yes"}, "looked again", "Ana")
    pack = record(archive, choir)
    assert (pack.retired, pack.torn, {each.card for each in pack.borne}) == (False, (), {"9S", "KH", "5D"})


@pytest.mark.slow
def test_a_card_that_can_bear_no_more_is_not_mended_into_bearing_it(archive: Archive) -> None:
    road.sealed(archive)
    choir = archive.find_deck("Grave Choir").deck
    with pytest.raises(RuleError, match="bears at most 2 signs"):
        deck_records.mend(archive, choir, {"9S #2": "yes", "9S #3": "yes"}, "looked through")


@pytest.mark.slow
def test_a_mark_is_taken_back_and_the_story_says_so(archive: Archive) -> None:
    road.sealed(archive)
    choir = archive.find_deck("Grave Choir").deck
    kept, marks = keeping(pages.ready(road.GAME)), archive.marks(choir)
    archive.mark(choir, len(marks) + 1, [kept.correct_record(marks, 3, "it was the 8", "Ana")])
    assert [each.name for each in record(archive, choir).borne] == ["Homeward"]
    assert "(Corrected by entry 8.)" in story(archive, choir)[2]
    with pytest.raises(RuleError, match="founding of a deck cannot be undone"):
        kept.correct_record(marks, 1, "no")


@pytest.mark.slow
def test_a_passport_holds_the_deck_and_leaves_out_what_has_no_room(archive: Archive) -> None:
    road.sealed(archive)
    choir = archive.find_deck("Grave Choir").deck
    there = passport.read(passport.write(archive, choir)).record()
    here = record(archive, choir)
    assert isinstance(there, InscribedRecord)
    assert (there.name, there.borne, there.box, there.answers) == (here.name, here.borne, here.box, here.answers)
    kept = keeping(pages.ready(road.GAME))
    *_, least = kept.pack_record(archive.marks(choir))
    (adopted,) = kept.unpack_record(_plain(least), "ab", 3)
    without_names = pages.ready(road.GAME).record((adopted,))
    assert isinstance(without_names, InscribedRecord)
    assert without_names.borne == here.borne  # the page knows its numbers


def _plain(value: Any) -> Any:
    import msgspec

    return msgspec.msgpack.decode(msgspec.msgpack.encode(value))


@pytest.mark.slow
def test_a_deck_travels_with_its_whole_story(archive: Archive, tmp_path: Path) -> None:
    road.sealed(archive)
    choir = archive.find_deck("Grave Choir").deck
    deck_export.export_decks(archive, [choir], tmp_path / "choir.decks")
    with Archive.open(str(tmp_path / "other.sqlite")) as other:
        tuple(deck_import.import_decks(other, deck_export.read_stories(tmp_path / "choir.decks")))
        assert record(other, "Grave Choir") == record(archive, "Grave Choir")
        assert story(other, "Grave Choir") == story(archive, "Grave Choir")


@pytest.mark.slow
def test_what_a_later_edition_has_no_more_stays_readable() -> None:
    page = Description(
        "later", "Later", decks=DecksDefinition("inscribed", inscriptions=(InscriptionDefinition(1, "Glow"),))
    )
    later = DescribedGame(page, name=road.GAME)
    marks = (
        pages.ready(road.GAME).mark_types[0]("Choir", "Ana"),
        _inscribed("9S", 7, "Old Moon", "It counts twice."),
        _inscribed("KH", 1, "Bright", "It counts 2 more."),
    )
    pack = later.record(marks)
    assert isinstance(pack, InscribedRecord)
    assert pack.borne == (Borne("9S", 7, "Old Moon", "It counts twice."), Borne("KH", 1, "Bright", "It counts 2 more."))
    assert str(later.decks.story(marks)[1]) == "9♠ received Old Moon, by Ana."
    assert [str(chore.text) for chore in keeping(later).chores(marks)][1] == "Stick Old Moon on 9♠"
    labels = later.paper.current_labels(pack, wording.load_wording(later)) if later.paper else ()
    assert [(label.title, label.text) for label in labels] == [
        ("Old Moon", "It counts twice."),
        ("Bright", "It counts 2 more."),
    ]


@pytest.mark.slow
def test_a_card_of_an_earlier_edition_is_played_with_all_the_same() -> None:
    page = Description("later", "Later", decks=DecksDefinition("inscribed", cards=("Toll House",)))
    later = DescribedGame(page)
    marks = (later.mark_types[0]("Choir", "Ana"), _inscribed("Old Ferryman", 7, "Old Moon", "It counts twice."))
    session = Session.new(later)
    for action in later.setup_lines("ana", later.record(marks)):
        session.do(action)
    assert session.state.borne == {"ana": (Borne("Old Ferryman", 7, "Old Moon", "It counts twice."),)}
    assert Session.resume(session.log.lines, game=later).state == session.state


def _inscribed(card: str, number: int, name: str, text: str) -> Any:
    from companion.games.described.records import Inscribed

    return Inscribed(card, number, name, text, by="Ana")


# On paper.


@pytest.mark.slow
def test_tonights_labels_are_printed_and_the_box_code_finds_the_deck(archive: Archive) -> None:
    road.sealed(archive)
    job = jobs.session_job(archive)
    assert job.notices == (
        "Grave Choir: Bright on 9♠",
        "Grave Choir: Homeward on K♥",
        "Grave Choir: 1 played · 1 won · Days won 3 on its box",
        "Moss Road: 1 played · 0 won · Days won 1 on its box",
    )
    document = pdf.render_sheets(sheet.place_labels(job.labels, STOCK), STOCK, pdf.Setup("Tonight"))
    assert "Bright" in text_in(document, STOCK.box(1))
    assert "It counts 2 more." in text_in(document, STOCK.box(1))
    (code,) = Paper(document, 300).codes(STOCK.box(3))
    assert archive.find_deck(code).name == "Grave Choir"
    assert deck_id.parse(code) == archive.find_deck("Grave Choir").deck


@pytest.mark.slow
def test_all_signs_of_a_page_come_on_a_starter_sheet_in_their_colours() -> None:
    labels = wording.starter_labels(pages.ready(road.GAME))
    assert [label.title for label in labels] == ["Bright", "Twin", "Lantern", "Homeward", "Cracked", "Soaked"]
    document = pdf.render_sheets(sheet.place_labels(labels, STOCK), STOCK, pdf.Setup("Starter"))
    assert text_in(document, STOCK.box(1)) == "Bright SPARK It counts 2 more."
    assert "SCAR" in text_in(document, STOCK.box(5))


@pytest.mark.slow
def test_the_record_sheet_tells_cards_games_and_story(archive: Archive) -> None:
    road.sealed(archive)
    choir = archive.find_deck("Grave Choir")
    job = jobs.record_job(archive, choir)
    assert job.document is not None
    titles = [table.title for table in job.document.tables]
    assert titles == ["Cards that are written on", "Games", "Story"]
    rows = {table.title: table.rows for table in job.document.tables}
    assert [row[:4] for row in rows["Cards that are written on"]] == [
        ("9♠", "Bright", "✦ Spark", "It counts 2 more."),
        ("K♥", "Homeward", "✦ Spark", "If you lose the day with it, it comes back into your hand."),
    ]
    assert rows["Games"][0][2:6] == ("Ana", "Ben", "won", "5")
    assert "held by Ben" in job.document.subtitle


@pytest.mark.slow
def test_the_table_aid_says_words_rules_and_signs() -> None:
    document = jobs.aid_document(pages.ready(road.GAME))
    tables = {table.title: table.rows for table in document.tables}
    assert tables["Signs"][0] == ("Bright", "It counts 2 more.")
    assert tables["Rules"][1] == ("2", "On equal sums nobody wins the day.")


@pytest.mark.slow
def test_signs_can_be_looked_up() -> None:
    terms = {term.name: term.text for term in game_terms(pages.ready(road.GAME))}
    assert terms["Bright"] == "It counts 2 more."


# Lists.

LISTED = Description(
    "listed",
    "Listed",
    decks=DecksDefinition("list", sections=("Main deck", "Side"), least=4, most=6, copies=2, unlimited=("Island",)),
)


def listed(page: Description = LISTED) -> DescribedGame:
    from msgspec.structs import replace

    from companion.games.described.page.description import CounterDefinition, End

    life = CounterDefinition(start=20, out="<= 0", big=True, least="none")
    return DescribedGame(replace(page, counters={"life": life}, end=End(last_left=True)), "", "listed")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("listed main-deck\n2 Wolf\n2 Heron\n1 Fox\n", []),
        ("listed main-deck\n2 Wolf\n", ["2 cards; a deck has 4 to 6"]),
        ("listed main-deck\n3 Wolf\n2 Fox\n", ["3 copies of Wolf; at most 2 are allowed"]),
        ("listed main-deck\n6 Island\n", []),
        ("listed main-deck\n2 Wolf\n2 Fox\nlisted side\n1 Wolf\n", ["3 copies of Wolf; at most 2 are allowed"]),
        ("listed main-deck\n2 Wolf\n2 Fox\nlisted attic\n1 Owl\n", ["“attic” is not a section here"]),
        (
            "listed main-deck\n2 Wolf | 2/3\n2 Fox | red\n",
            ["“2/3” gives 2 figures for Wolf, but a thing in play has none"],
        ),
    ],
)
def test_a_list_is_checked_by_its_page(text: str, wrong: list[str]) -> None:
    form = listed().decks.founding
    assert form is not None
    findings = form.validate_answers({"name": "Pack", "holder": "Ana", "list": text}, FormContext()).findings
    assert len(findings) == len(wrong)
    for finding, sentence in zip(findings, wrong, strict=True):
        assert sentence in finding.text


@pytest.fixture
def registered(monkeypatch: pytest.MonkeyPatch) -> Callable[[], DescribedGame]:
    def add() -> DescribedGame:
        from companion.games import registry

        game = listed()
        monkeypatch.setitem(registry._LOADED, game.name, game)
        return game

    return add


@pytest.mark.slow
def test_listed_decks_keep_versions_results_and_opponents(
    archive: Archive, registered: Callable[[], DescribedGame]
) -> None:
    game = registered()
    form = game.decks.founding
    assert form is not None
    for name, holder in (("Wolf Pack", "Ana"), ("Fox Pack", "Ben")):
        text = "listed main-deck\n2 Wolf\n2 Fox\n"
        archive.found_deck(
            "listed", form.validate_answers({"name": name, "holder": holder, "list": text}, FormContext()).marks
        )
    session = archive_journal.start(archive, "listed")
    road.say(session, 'seat ana deck "Wolf Pack"', 'seat ben deck "Fox Pack"', "begin seed 1")
    road.say(session, "add ben life -5", "next", "add ana life -7", "next", "add ben life -15", "seal")
    deck = archive.find_deck("Wolf Pack").deck
    pack = archive.record(deck)
    assert isinstance(pack, ConstructedRecord)
    assert (pack.won, pack.lost, pack.version) == (1, 0, 1)
    assert str(game.decks.story(archive.marks(deck))[-1]) == (
        "Ana won against Ben (Fox Pack) with version 1 after 3 turns; life 13, Ben life 0."
    )
    page = game.evenings.card(getattr(archive.marks(deck)[-1], "evening", None))
    assert page is not None
    assert str(page.headline) == "Ana wins"
    assert jobs.record_job(archive, archive.find_deck("Wolf Pack")).document is not None


@pytest.mark.slow
def test_the_lines_of_a_page_are_those_that_it_has_a_use_for() -> None:
    def verbs(page: Description) -> set[str]:
        return set(Notation(DescribedGame(page).actions).verbs)

    plain = verbs(Description("plain", "Plain"))
    assert not {"inscribe", "bears", "lists", "purse", "answered"} & plain
    assert {"lists"} <= verbs(LISTED)
    assert {"inscribe", "tear-up", "take-home", "bears", "purse"} <= set(Notation(pages.ready(road.GAME).actions).verbs)
