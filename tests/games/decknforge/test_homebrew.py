"""Homebrews: what their texts say, what is wrong with them, and what their effects do."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from companion.games import registry
from companion.games.decknforge.book.homebrew import read_homebrew
from companion.games.decknforge.book.inscriptions import INSCRIPTIONS
from companion.games.decknforge.book.labels import LABELS
from companion.games.decknforge.book.state import MONSTER_CARDS, DungeonTable
from companion.games.decknforge.decks import marks as m
from companion.games.decknforge.game import GAME, DecknForge
from companion.games.described.page.reading import PageError
from companion.session.core.replay import Replay
from companion.session.core.session import Session
from companion.session.table.terms import game_terms, look_up
from companion.tabletop.action import Action, NotationError, RuleError
from companion.tabletop.decks.form import FormContext, FormPlace, StoredDeck, Values
from companion.tabletop.decks.keeping import keeping
from companion.tabletop.notation.cards import PACK, Card
from companion.tabletop.notation.notation import Notation
from companion.tabletop.records import Mark
from companion.tabletop.table.choices import Choice
from companion.tabletop.table.table import Draft
from tests.examples import examples
from tests.games.decknforge.homebrews import HEAD, INSCRIPTION_TWINS, LABEL_TWINS, MOONLIT, brewed, twins, with_twins

TABLES = Path(__file__).parents[2] / "tables" / "decknforge"
KEYS = TABLES.parent / "homebrew" / "keys"
PATHS = (*(TABLES / "inscriptions").glob("*.table"), *(TABLES / "labels").glob("*.table"))
# One word means an inscription, and a label of which there can be no twin.
TWINNED = [path for path in PATHS if "vampiric" not in (text := path.read_text("utf-8")) or "label" not in text]


def inscribing(text: str, **places: str) -> str:
    """A homebrew with an inscription of these figures."""
    more = "".join(f"{key} = {value}\n" for key, value in places.items())
    return f'{HEAD}[[inscriptions]]\nnumber = 1\nname = "Moon Blade"\n{text}\n{more}'


def faults(text: str) -> list[str]:
    with pytest.raises(PageError) as caught:
        read_homebrew(text)
    return [str(fault) for fault in caught.value.faults]


def brewed_table(text: str, *lines: str) -> DungeonTable:
    """The table that lines lead to with a homebrew."""
    session = Session.new(brewed(text))
    for line in lines:
        session.enter(line)
    state: DungeonTable = session.log.state
    return state


BREWED = brewed(MOONLIT)
BOSSES = "bosses ben:AS ben:AH ben:AC ben:AD ben:BJ ben:RJ"
BEGIN = ("seat ana", "seat ben", "seat cy", "inscribed ana 9S moon-blade", f"begin seed 1 {BOSSES} lots ana ben cy")


# Effects


def test_every_printed_effect_but_three_can_be_said() -> None:
    assert INSCRIPTIONS.keys() - INSCRIPTION_TWINS.keys() == {"glint", "the-patron"}, "homebrews.py has the twins"
    assert LABELS.keys() - LABEL_TWINS.keys() == {"vampiric"}


@pytest.mark.parametrize("path", TWINNED, ids=lambda path: path.stem)
def test_a_twin_does_what_its_printed_one_does(path: Path, tmp_path: Path) -> None:
    (tmp_path / "moonlit.toml").write_text(twins(), encoding="utf-8")
    lines = list(Replay(with_twins(path.read_text("utf-8")), folder=tmp_path))
    assert [f"line {line.number}: {line.text}: {line.failure}" for line in lines if line.failure] == []


@pytest.mark.parametrize("path", sorted(KEYS.glob("*.table")), ids=lambda path: path.stem)
def test_a_table_with_a_homebrew_plays_and_reads_back(path: Path) -> None:
    replay = Replay(path.read_text("utf-8"), folder=path.parent)
    assert [f"line {line.number}: {line.text}: {line.failure}" for line in replay if line.failure] == []
    again = Replay(replay.session.export(), folder=path.parent)
    assert [line.failure for line in again if line.failure] == []
    assert again.session.state == replay.session.state


def test_it_happens_to_whom_the_text_says() -> None:
    for whom, seats in {"you": "a", "left": "b", "others": "bc", "all": "abc"}.items():
        text = inscribing(f'does = [{{ when = "revealed", whom = "{whom}", coppers = 2 }}]')
        table = brewed_table(text, *BEGIN, "reveal ana 9S")
        assert {wizard.seat[0] for wizard in table.wizards if wizard.purse == 2} == set(seats)


def test_a_convert_can_give_more() -> None:
    text = inscribing('does = [{ when = "converts", whom = "all", draw = 1 }]')
    table = brewed_table(
        text, *BEGIN, "reveal ana 9S", "reveal ben 2H", "reveal cy 2H", "next", "convert ana as S", "damage"
    )
    assert [wizard.hand for wizard in table.wizards] == [12, 12, 12]


@pytest.mark.parametrize(("against", "first", "second"), [("all", 2, 2), ("whole", 2, 0), ("hurt", 0, 2)])
def test_damage_may_depend_on_the_boss_hp(against: str, first: int, second: int) -> None:
    text = inscribing(f'damage = [{{ more = 2, against = "{against}" }}]')
    lines = (*BEGIN, "reveal ana 9S", "reveal ben 2H", "reveal cy 2H", "next", "damage")
    table = brewed_table(text, *lines)
    assert table.boss is not None
    assert table.boss.hp == 54 - 13 - first
    again = brewed_table(text, *BEGIN, "set boss hp 40", *lines[len(BEGIN) :])
    assert again.boss is not None
    assert again.boss.hp == 40 - 13 - second


def test_a_label_can_heal_and_forbid() -> None:
    text = f'{HEAD}[[labels]]\nnumber = 1\nname = "Hush"\nno-foil = "every"\nheals = [{{ hp = 2, per = "damaged" }}]\n'
    lines = ("seat ana", "seat ben", 'monster ben AS "Wyrm" labels hush', f"begin seed 1 {BOSSES} lots ana ben")
    revealed = ("reveal ana 9S", "reveal ben 2H")
    with pytest.raises(RuleError, match="Foil"):
        brewed_table(text, *lines, *revealed, "foil ana ben pay 2")
    table = brewed_table(text, *lines, *revealed, "next", "damage", "next")
    assert table.boss is not None
    assert table.boss.hp == 36 - 11 + 4


def test_people_are_reminded_at_the_step_that_is_named() -> None:
    lines = ("seat ana", "inscribed ana 7H silver-bell", f"begin seed 1 {BOSSES.replace('ben', 'ana')} lots ana")
    game, hums = brewed(MOONLIT), "Ana's 7♥, Silver Bell: Everybody hums."
    assert hums not in map(str, game.view(brewed_table(MOONLIT, *lines)).hints)
    assert hums in map(str, game.view(brewed_table(MOONLIT, *lines, "reveal ana 9S")).hints)
    paid = ("reveal ana 9S", "brace ana pay 7H", "damage", "refill", "reveal ana 8S")
    committed = brewed_table(MOONLIT, *lines, *paid)
    assert committed.step == "tactics"
    assert hums not in game.view(committed).hints


def test_what_it_does_is_worded_where_the_text_says_nothing() -> None:
    book = brewed(MOONLIT).book
    assert book.inscriptions["moon-blade"].effect == "F +1. Revealed: +1c"
    assert book.inscriptions["silver-bell"].effect == "In step 3 everybody hums"
    assert book.labels["foggy"].effect == "Dodging it takes 1 more"
    for effect in (*brewed(twins()).book.inscriptions.values(), *brewed(twins()).book.labels.values()):
        assert effect.effect, effect.name


# The book


def test_house_names_prices_and_tiers_leave_the_effect_alone() -> None:
    text = f"""{HEAD}
[prices]
common = 4
[printed.inscriptions.sharp]
name = "Whetted"
tier = "rare"
price = 2
[printed.inscriptions.the-patron]
withdrawn = true
[printed.inscriptions.echo]
price = 0
[printed.labels.doom]
name = "Last Bell"
tier = "easy"
"""
    book = brewed(text).book
    assert (book.price("sharp"), book.price("quick"), book.price("phoenix"), book.price("echo")) == (2, 4, 20, 0)
    assert (book.inscriptions["sharp"].tier, book.inscriptions["sharp"].face) == ("rare", 1)
    assert (book.labels["doom"].tier, book.labels["doom"].wipes_after) == (1, 5)
    assert (book.inscription_title("sharp"), book.label_title("doom")) == ("Whetted", "Last Bell")
    assert book.read_inscription("Whetted") == "sharp"
    assert book.inscriptions["quick"] is INSCRIPTIONS["quick"]
    assert INSCRIPTIONS["sharp"].tier == "common"
    loss = (
        "seat ana",
        "inscribed ana 9S sharp",
        "mythics ana 1",
        "begin seed 1",
        "set table outcome loss",
        "fade ana 9S",
    )
    table = brewed_table(text, *loss[:1], "inscribed ana 8S quick", *loss[1:], "pick ana ana")
    notation = Notation(GAME.actions)
    with pytest.raises(RuleError, match="given to no card any more"):
        brewed(text).apply(table, notation.parse("mythic ana KS the-patron"))


def test_terms_and_choices_have_what_the_homebrew_has() -> None:
    game = brewed(MOONLIT)
    assert [str(term.text) for term in look_up(("Moon Blade",), game_terms(game))] == ["F +1. Revealed: +1c."]
    table = brewed_table(MOONLIT, "seat ana")
    offered = game.candidates(
        table, Draft(game_action("inscribed"), {"seat": "ana", "card": Card("9S")}), "inscription"
    )
    assert "moon-blade" in {choice.value for choice in offered}  # type: ignore[union-attr]
    shop = game.decks.founding.candidates(
        {"inscribe": [{"card": "9S"}]}, FormPlace("inscribe", 0, "inscription"), FormContext()
    )
    assert {"moon-blade", "silver-bell", "sharp"} <= {choice.value for choice in shop}  # type: ignore[union-attr]
    assert look_up(("Moon Blade",), game_terms(GAME)) == ()


def game_action(verb: str) -> type[Action]:
    return next(action for action in GAME.actions if action.verb() == verb)


def test_a_table_without_it_refuses_the_name_and_the_band() -> None:
    record = brewed(MOONLIT).record(band(m.CardInscribed(Card("9S"), "moon-blade", "bought", "Ana")))
    with pytest.raises(RuleError, match="Moon Blade of a homebrew"):
        GAME.setup_lines("ana", record)
    lost = m.InscriptionCrossedOut(Card("9S"), "moon-blade", "faded")
    faded = brewed(MOONLIT).record(band(m.CardInscribed(Card("9S"), "moon-blade", "bought", "Ana"), lost))
    assert GAME.setup_lines("ana", faded)


def band(*marks: Mark) -> tuple[Mark, ...]:
    creatures = tuple(m.FoundedMonster(card, "Wyrm", 18, 3, card == "AS") for card in MONSTER_CARDS)
    return (m.BandFounded("Grave Choir", "Ana", creatures), *marks)


def test_an_heirloom_of_a_homebrew_goes_to_a_band_of_it() -> None:
    story = band(
        m.CardInscribed(Card("9S"), "moon-blade", "bought", "Ana"),
        m.InscriptionCrossedOut(Card("9S"), "moon-blade", "faded"),
    )
    retired = BREWED.record((*story, m.BandRetired("moon-blade", "Ana")))
    answers = {"heirloom-of": "Grave Choir", "heirloom": {"card": "KD"}}
    context = FormContext(decks={"heirloom-of": StoredDeck("0" * 13, retired)})
    refused = [str(finding.text) for finding in GAME.decks.founding.validate_answers(answers, context).findings]
    assert "Moon Blade is of a homebrew: found the band by that." in refused
    assert not [
        each
        for each in BREWED.decks.founding.validate_answers(answers, context).findings
        if "heirloom" in each.place.field
    ]
    assert [choice.value for choice in legacies(BREWED, answers, context)] == ["moon-blade"]
    assert not legacies(GAME, answers, context)


def legacies(game: DecknForge, answers: Values, context: FormContext) -> tuple[Choice, ...]:
    offered = game.decks.founding.candidates(answers, FormPlace("heirloom", 0, "inscription"), context)
    assert isinstance(offered, tuple)
    return offered


def test_an_edition_says_what_it_changes() -> None:
    text = MOONLIT.replace("price = 12", "price = 15").replace("face = 1", "face = 2").replace("medium", "hard")
    later = f'{text}\n[[labels]]\nnumber = 2\nname = "Dewy"\nbar = 1\n[printed.inscriptions.sharp]\nname = "Keen"\n'
    assert brewed(later).homebrew.changes_since(brewed(MOONLIT).homebrew) == (
        "Sharp is called Keen now.",
        "Moon Blade says “F +2. Revealed: +1c.” now.",
        "Moon Blade costs 15 now.",
        "Foggy is Hard now.",
        "New: Dewy.",
    )
    assert brewed(MOONLIT).homebrew.changes_since(brewed(MOONLIT).homebrew) == ()


# What is wrong with a text


@pytest.mark.parametrize(
    ("text", "line", "sentence"),
    [
        (inscribing("faec = 1"), 8, "“faec” is not a key here; did you mean face?"),
        (inscribing("face = 99"), 8, "99 cannot stand here; write a whole number from 0 to 9"),
        (inscribing('tier = "epic"'), 8, "“epic” is not one of common, mythic, rare, uncommon"),
        (inscribing(""), 5, "It does nothing"),
        (inscribing('text = "Glitters."'), 5, "It does nothing"),
        (inscribing("does = [{ draw = 1 }]"), 8, "when is missing"),
        (inscribing('does = [{ when = "hits" }]'), 8, "How much of what?"),
        (inscribing('does = [{ when = "hits", face = 1 }]'), 8, 'when = "revealed"'),
        (inscribing('does = [{ when = "revealed", whom = "all", reveals = 1 }]'), 8, 'whom = "you"'),
        (inscribing('damage = [{ more = 1, against = "whole", per-lost = 5 }]'), 8, "leave against out"),
        (inscribing('tier = "mythic"\nprice = 3\nface = 1'), 9, "Mythics are earned and not for sale"),
        (inscribing('remind = [{ at = "lunch", text = "Eat." }]'), 8, "“lunch” is not one of attack, damage"),
        (
            inscribing("face = 1").replace("Moon Blade", "Sharp"),
            7,
            "[printed.inscriptions.sharp] says otherwise of it",
        ),
        (inscribing("face = 1").replace("Moon Blade", "anyway"), 7, "Lines would write it “anyway”"),
        (inscribing("face = 1").replace("Moon Blade", "Mondschwert ☾"), 7, "cannot be a name here"),
        (
            f"{inscribing('face = 1')}{inscribing('face = 2').removeprefix(HEAD)}",
            10,
            "Number 1 is Moon Blade already.",
        ),
        (f"{HEAD}[printed.inscriptions.sahrp]\nprice = 2", 5, "“sahrp” is not printed; did you mean sharp?"),
        (f'{HEAD}[printed.inscriptions.sharp]\nname = "Quick"', 6, "the printed name of another one"),
        (
            f'{HEAD}[printed.inscriptions]\nsharp = {{ name = "Keen" }}\nquick = {{ name = "keen" }}',
            7,
            "is what sharp is called already",
        ),
        (f'{HEAD}[[labels]]\nnumber = 1\nname = "Mist"\non-minions = true', 5, "It does nothing"),
        (f'{HEAD}[[labels]]\nnumber = 1\nname = "Atk"\nbar = 1', 7, "Lines would write it “atk”"),
        (
            f'{HEAD}[[labels]]\nnumber = 1\nname = "Mist"\nremind = [{{ at = "turning", text = "Buy." }}]',
            8,
            "No Monster is there after the last fight",
        ),
        (MOONLIT.replace("decknforge", "soulforger"), 1, "“soulforger” is not one of decknforge"),
        ('homebrew = "decknforge"\nname = "moonlit"\ntitle = "Moon\x07lit"', 3, "U+0007"),
    ],
    ids=lambda each: each if isinstance(each, str) and "\n" not in each else "",
)
def test_a_fault_is_told_by_its_line(text: str, line: int, sentence: str) -> None:
    texts = faults(text)
    assert any(each.startswith(f"line {line}: ") and sentence in each for each in texts), texts


def test_all_faults_are_told_at_once() -> None:
    assert len(faults(inscribing("faec = 1") + inscribing("price = -1").removeprefix(HEAD))) >= 3


@pytest.mark.parametrize(
    "text",
    [
        f"{HEAD}x = {'[' * 5000}",
        f"{HEAD}{'a.' * 5000}a = 1",
        f"{HEAD}[printed.inscriptions]\n" + "".join(f"w{number} = {{}}\n" for number in range(5000)),
        f'{HEAD}about = "{"x" * 100_000}"',
        f"{HEAD}edition = {'9' * 5000}",
        HEAD + "[[inscriptions]]\n" * 5000,
        f"{HEAD}{'#' * 300_000}",
        f'{HEAD}about = "\x1b]0;pwned\x07"',
        f'{HEAD}about = "a\u202eb"',
    ],
    ids=["deep", "long key", "many", "long", "large", "lists", "huge", "escape", "direction"],
)
def test_a_hostile_text_is_refused_in_a_sentence(text: str) -> None:
    with pytest.raises(NotationError) as caught:
        registry.from_text(text)
    assert len(str(caught.value)) < 500
    assert str(caught.value).isprintable()


def test_what_was_played_by_a_text_opens_where_a_stricter_reader_would_refuse_it() -> None:
    text = inscribing('tier = "mythic"\nprice = 3\nface = 1')
    assert registry.from_text(text, kept=True).word == "moonlit"
    with pytest.raises(PageError):
        registry.from_text(text)


@given(st.text(max_size=300))
@settings(max_examples=examples(200))
def test_any_text_is_a_homebrew_or_refused(text: str) -> None:
    try:
        come_to = len(read_homebrew(HEAD + text).name)
    except PageError as error:
        come_to = len(error.faults)
    assert come_to


# Records

CARDS = tuple(card for card in PACK if card not in MONSTER_CARDS)


@given(
    st.dictionaries(st.sampled_from(CARDS), st.sampled_from(sorted(BREWED.book.inscriptions)), max_size=8),
    st.dictionaries(st.sampled_from(MONSTER_CARDS), st.sampled_from(sorted(BREWED.book.labels)), max_size=6),
    st.integers(0, 8),
)
@example(
    {Card(card): "banner" if card == "6S" else "ascension" for card in ("2S", "3S", "4S", "5S", "6S", "7S")}, {}, 5
)
@settings(max_examples=examples(100))
def test_a_passport_holds_what_a_band_bears(inscribed: dict[Card, str], labels: dict[Card, str], faded: int) -> None:
    marks = [m.CardInscribed(card, name, "bought", "Ana") for card, name in inscribed.items()]
    lost = [m.InscriptionCrossedOut(card, name, "faded") for card, name in list(inscribed.items())[:faded]]
    story = band(*marks, *lost, *(m.Labelled(card, name, "Ben") for card, name in labels.items()))
    before, keeper = BREWED.record(story), keeping(BREWED)
    packed = msgspec.msgpack.decode(msgspec.msgpack.encode(next(iter(keeper.pack_record(story)))))
    after = BREWED.record(keeper.unpack_record(packed, "", 0))
    assert (after.inscribed, after.monsters, after.lost_inscriptions) == (
        before.inscribed,
        before.monsters,
        before.lost_inscriptions,
    )
    assert len(BREWED.decks.story(story)) == len(story)
    assert keeper.chores(story)
    assert BREWED.decks.portrait(before).parts


def test_what_another_homebrew_knew_stays_in_the_story() -> None:
    story = band(
        m.CardInscribed(Card("9S"), "dawn-bell", "bought", "Ana"),
        m.InscriptionCrossedOut(Card("9S"), "dawn-bell", "faded"),
    )
    assert "Dawn Bell on 9♠ faded." in map(str, BREWED.decks.story(story))
    assert BREWED.decks.portrait(BREWED.record(story)).parts
    for name in ("Dawn Bell", "\x1b[2J", ""):
        with pytest.raises(LookupError):
            BREWED.record(band(m.CardInscribed(Card("9S"), name, "bought", "Ana")))


def test_a_box_is_looked_through_by_the_names_of_the_house() -> None:
    keeper = keeping(BREWED)
    assert keeper.read_spot("9s Moon Blade") == "9S moon-blade"
    assert keeper.read_spot("AS Foggy") == "AS foggy"
    assert str(keeper.question("9S moon-blade", "yes")) == "9♠: Moon Blade?"
    (mark,) = keeper.corrections(band(), {"9S moon-blade": "yes"}, "looked", "Ana")
    assert BREWED.record(band(mark)).inscribed == {"9S": ("moon-blade",)}
