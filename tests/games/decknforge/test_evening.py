"""What a dungeon leaves to be told: its facts, and the card made of them."""

from pathlib import Path

import msgspec
import pytest

from companion.games.decknforge.decks.evening import BorneBy, Dungeon, EveningHit, NarrowestMoment, Rescue, TurningPoint
from companion.games.decknforge.game import GAME
from companion.games.decknforge.table.chronicle import played_strikes
from companion.session.core.evenings import card_of, evening_of, played_actions
from companion.session.core.replay import Replay
from companion.session.core.session import Session
from companion.tabletop.evening import CardTable, EveningCard
from companion.tabletop.evening_text import as_markdown
from companion.tabletop.notation.cards import Card
from tests.games.decknforge.evening import loose

TABLES = Path(__file__).parents[2] / "tables" / "decknforge"


def play_text(text: str) -> Session:
    replay = Replay(text)
    assert not [line.failure for line in replay if line.failure]
    return replay.session


def evening(session: Session) -> Dungeon:
    facts = evening_of(session.game, session.log.position.head, session.log.lines)
    assert isinstance(facts, Dungeon)
    return facts


def card(facts: Dungeon) -> EveningCard:
    return card_of(GAME, facts)


def dungeon() -> Dungeon:
    return evening(play_text((TABLES / "dungeon.table").read_text(encoding="utf-8")))


def table_of(page: EveningCard, title: str) -> CardTable:
    return next(part for part in page.parts if isinstance(part, CardTable) and str(part.title) == title)


def test_all_six_bosses_are_kept_with_who_took_them_how() -> None:
    facts = dungeon()
    assert [fight.name for fight in facts.fights] == [
        *("Tithe Collector", "Barnacle King", "Ferryman", "The Hollow Abbot", "Ledger Beast", "The Undertow")
    ]
    first = facts.fights[0]
    assert (first.killer, first.kill_card, first.overkill, first.rounds) == ("ben", "6H", 7, 3)
    assert (first.hp, first.hp_after) == (45, (27, 4, 0))
    assert first.damage == {"ana": 14, "ben": 25, "cy": 12}
    assert [fight.legend for fight in facts.fights] == [False, False, False, True, False, True]


@pytest.mark.slow
def test_every_strike_is_what_the_boss_lost_by_it() -> None:
    """Against the table itself, in every file of the notation that has such a step."""
    counted = 0
    for file in sorted(TABLES.rglob("*.table")):
        replay = Replay(file.read_text(encoding="utf-8"))
        for _ in replay:
            pass
        for deed in played_actions(replay.session.log.position.head):
            for strike in played_strikes([deed]):
                before, after = deed.before.boss, deed.after.boss
                if after is not None and after.ref == before.ref:
                    counted += 1
                    if deed.after.step == "attack":  # Else Thorns and labels may have followed by themselves.
                        assert strike.damage == before.hp - after.hp, file
    assert counted > 100


MOMENTUM = (
    *("seat ana", "seat ben", "monster ben AS labels resilient", "bosses ana:AS ben:AS", "active ana", "begin seed 1"),
    *("set boss hp 1", "reveal ana KS", "reveal ben 2H", "next", "damage", "bonus momentum"),
    *("reveal ben QS", "reveal ana 9D", "next", "damage"),
)


def test_a_boss_that_momentum_weakened_begins_with_what_it_had() -> None:
    facts = evening(play_text("\n".join(("table decknforge", *MOMENTUM))))
    second = facts.fights[1]
    assert (second.hp, second.hp_at_start) == (36, 26)
    course = table_of(card(facts), "Bosses").rows[1][1]
    assert str(course).startswith("26 → ")
    assert int(str(course).rpartition(" ")[2]) == 26 - sum(second.damage.values()) + 5, (
        "Resilient takes 5 from the whole"
    )


def test_the_sum_of_a_strike_says_what_a_label_took_from_it() -> None:
    facts = evening(play_text("\n".join(("table decknforge", *MOMENTUM))))
    best = next(part for part in card(facts).figures if str(part.title) == "best strike")
    assert str(best.note).startswith("12 + 9 − 5 on")
    assert best.value == "16"


def test_the_best_hit_is_the_most_that_one_card_dealt() -> None:
    facts = play_text(
        "table decknforge\nseat ana\nseat ben\nbosses ana:AS\nactive ana\nbegin seed 1\n"
        "reveal ana KS\nreveal ben 10H\nnext\ndamage\n"
    )
    assert evening(facts).best_hit == EveningHit("ana", Card("KS"), 13, 1, 1)
    best = evening(facts).best_strike
    assert best is not None
    assert (best.damage, [hit.damage for hit in best.hits]) == (23, [13, 10])


def test_the_narrowest_moment_is_of_who_came_through() -> None:
    session = play_text(
        "table decknforge\nseat ana\nseat ben\nbosses ana:AS\nactive ana\nbegin seed 1\nset ana hp 3\nset ben hp 1\n"
        "set ben hp 0\nset boss hp 5\nreveal ana KS\nnext\ndamage\nbonus rally\n"
    )
    assert evening(session).narrowest == NarrowestMoment("ana", 3, 1, 1)


def test_a_lost_dungeon_has_no_narrow_moment() -> None:
    session = play_text(
        "table decknforge\nseat ana\nbosses ana:AS\nbegin seed 1\nset ana hp 3\nset boss hp 5\nreveal ana KS\nnext\n"
        "damage\nbonus rally\nset ana hp 0\n"
    )
    assert session.state.outcome == "loss"
    assert evening(session).narrowest is None


def test_a_card_says_what_was_won_and_what_was_spent() -> None:
    session = play_text(
        "table decknforge\nseat ana\npurse ana 1\nbosses ana:AS\nbegin seed 1\nset boss hp 1\nreveal ana KS\n"
        "next\ndamage\nbonus rally\nset table outcome loss\npick ana ana\nbuy ana 2S sharp\n"
    )
    card = GAME.evenings.card(evening(session))
    (table,) = (part for part in card.parts if isinstance(part, CardTable) and str(part.title) == "Wizards")
    assert str(table.rows[0][4]) == "+8 −5"


def test_nobody_hurt_is_no_narrow_moment() -> None:
    session = play_text(
        "table decknforge\nseat ana\nbosses ana:AS\nbegin seed 1\nset boss hp 5\nreveal ana KS\nnext\ndamage\n"
    )
    assert evening(session).narrowest is None


def test_a_kill_taken_by_a_tactic_is_a_turning_point() -> None:
    assert dungeon().turning_points[0] == TurningPoint("stolen", 1, 3, "ben", "ana")


def test_who_comes_to_lead_in_glory_is_a_turning_point() -> None:
    assert TurningPoint("lead", 4, 3, "cy", "ben", 2) in dungeon().turning_points


def test_a_house_rule_said_before_anybody_sits_changes_no_evening() -> None:
    text = (TABLES / "dungeon.table").read_text(encoding="utf-8")
    early = text.replace("table decknforge\n", "table decknforge\nrule track all\n", 1)
    assert early != text
    assert evening(play_text(early)) == evening(play_text(text))


def test_before_the_first_fight_there_is_nothing_to_tell() -> None:
    session = play_text("table decknforge\nseat ana\n")
    assert evening_of(session.game, session.log.position.head, session.log.lines) is None


def test_a_fight_lost_tells_who_stood_there_to_the_end() -> None:
    session = play_text(
        'table decknforge\nseat ana\nmonster ana AS "Wall" hp 30 atk 5\nbosses ana:AS\nbegin seed 1\nset ana hp 1\n'
        "reveal ana 2S\nnext\ndamage\ntake ana\n"
    )
    facts = evening(session)
    assert facts.outcome == "loss"
    assert not facts.fights[0].dead
    assert TurningPoint("fell", 1, 1, "ana") in facts.turning_points
    page = card(facts)
    assert (str(page.headline), page.won) == ("Lost to Wall, Boss 1 of 6", False)
    assert tuple(tuple(map(str, row)) for row in table_of(page, "Bosses").rows) == (
        ("Wall (A♠)", "30 → 28", "none, it lives", "–"),
    )


def test_what_people_remember_comes_first() -> None:
    facts = dungeon()
    assert str(card(facts).highlights[0]) == "Ben took Tithe Collector from Ana"
    assert str(card(facts).highlights[-1]) == "it took 17 rounds"
    low = msgspec.structs.replace(facts, narrowest=NarrowestMoment("ben", 2, 1, 3))
    assert str(card(low).highlight) == "Ben was left with 2 HP by Tithe Collector"
    saved = msgspec.structs.replace(low, rescues=(Rescue("kill", "ana", "ben", 1, 3),))
    assert str(card(saved).title) == "All six Bosses fell; Ana saved Ben from Tithe Collector"
    lost = msgspec.structs.replace(facts, outcome="loss")
    assert not any(str(text).endswith("at the end") for text in card(lost).highlights)


def test_what_came_and_went_stands_on_the_card() -> None:
    facts = dungeon()
    page = card(facts)
    assert (str(page.headline), page.won) == ("All six Bosses fell", True)
    assert tuple(map(str, table_of(page, "Bosses").rows[0])) == (
        "Tithe Collector (A♠)",
        "45 → 27 → 4 → 0",
        "Ben, 6♥",
        "7",
    )
    lists = {str(part.title): tuple(map(str, part.lines)) for part in page.parts if hasattr(part, "lines")}
    assert "Boss 1, round 3: Ben takes the Killing Blow that was due to Ana." in lists["Turning points"]
    assert all(str(line).endswith(".") for lines in lists.values() for line in lines)


def test_where_the_evening_is_can_be_said_and_said_anew() -> None:
    begun = "table decknforge\nseat ana\nbosses ana:AS\nbegin seed 1\n"
    assert evening(play_text(f"{begun}venue Ben's kitchen\n")).venue == "Ben's kitchen"
    assert evening(play_text(f'{begun}venue Club\nreveal ana KS\nvenue "The Club"\n')).venue == "The Club"
    assert evening(play_text(f"{begun}venue Club\nundo\n")).venue == ""


def test_names_stand_in_one_place_so_that_others_can_stand_there() -> None:
    facts = dungeon()
    page = card_of(GAME, facts, name_of=lambda name, _: {"Ana": "A.", "Ben": "Somebody"}.get(name, name))
    drawn_text = str(page)
    assert "Somebody, 6♥" in drawn_text
    assert "Ben," not in drawn_text
    assert "Ana" not in drawn_text


@pytest.mark.parametrize("seed", range(3))
def test_any_evening_is_kept_as_json_and_drawn(seed: int) -> None:
    session = loose(seed, 2 + seed)
    facts = evening(session)
    assert msgspec.json.decode(msgspec.json.encode(facts), type=Dungeon) == facts
    killed = [fight.number for fight in facts.fights if fight.dead]
    assert len(killed) == len(session.state.killed_bosses)
    assert as_markdown(card(facts)).startswith(f"# {card(facts).headline}\n")


BEFORE_A_KILL = (
    "table decknforge\nseat ana\nseat ben\ninscribed ana KC sharp\ninscribed ana 4H quick\nbosses ana:AS\nactive ana\n"
    "begin seed 1\nset ben hp 2\nset boss hp 5\nreveal ana KC\nreveal ben 2H\n"
)


def test_who_takes_a_boss_in_time_has_saved_whom_it_would_have_brought_down() -> None:
    facts = evening(play_text(f"{BEFORE_A_KILL}next\ndamage\n"))
    assert facts.rescues == (Rescue("kill", "ana", "ben", 1, 1),)
    braced = evening(play_text(f"{BEFORE_A_KILL}pass ana\nbrace ben pay 1\nnext\ndamage\n"))
    assert braced.rescues == ()


def test_what_the_bands_bore_is_kept_with_its_kills() -> None:
    facts = evening(play_text(f"{BEFORE_A_KILL}next\ndamage\n"))
    assert facts.borne == (BorneBy("ana", "sharp", 1), BorneBy("ana", "quick", 0))
    assert [(tally.name, tally.amount) for tally in GAME.evenings.tallies(facts) if tally.kind == "inscription"] == [
        ("Sharp", 1),
        ("Quick", 0),
    ]
