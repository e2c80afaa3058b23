"""The playtest report: what the log answers, what people answered, and the levers for what did not work."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

from companion.session.core.replay import Replay
from companion.session.core.session import Session
from companion.session.reports.report import report, review_session
from companion.tabletop.evenings import PlaytestQuestion
from tests.games import miniature  # noqa: F401 – registers the duel

TABLES = Path(__file__).parents[1] / "tables" / "decknforge"


def _played(text: str) -> Session:
    replay = Replay(text)
    assert not [line.failure for line in replay if line.failure]
    return replay.session


def _dungeon() -> Session:
    return _played((TABLES / "dungeon.table").read_text(encoding="utf-8"))


def question(session: Session, key: str) -> PlaytestQuestion:
    return next(question for question in review_session(session).questions if question.key == key)


def solo_loss(*rounds: str) -> Session:
    """One wizard who is worn down, with the given lines for each round."""
    begin = 'table decknforge\nseat ana\nmonster ana AS "Wall" hp 30 atk 5\nbosses ana:AS\nbegin seed 1\n'
    return _played(begin + "\n".join(rounds))


def test_the_log_tells_early_tactics_with_the_round_and_the_people() -> None:
    entry = question(_dungeon(), "tactics")
    assert entry.answer == "yes"
    assert "Boss 2, round 2: Ben Sniped Ana" in entry.evidence


def test_a_kill_that_a_tactic_moved_is_told_with_who_lost_it() -> None:
    entry = question(_dungeon(), "sniped")
    assert entry.answer == "yes"
    assert "Boss 1, round 3: Ben Foiled Ana; the kill went from Ana to Ben" in entry.evidence


def test_a_tactic_that_moves_no_kill_is_no_evidence() -> None:
    session = _played(
        "table decknforge\nseat ana\nseat ben\nbosses ana:AS\nbegin seed 1\nset boss hp 5\n"
        "reveal ana KS\nreveal ben 2D\nspike ana pay 3D\nnext\ndamage\nbonus rally\n"
    )
    assert question(session, "sniped").evidence == ()


def test_a_boss_number_set_by_hand_mixes_no_fights() -> None:
    session = _played(
        "table decknforge\nseat ana\nseat ben\nbosses ana:AS ana:AH\nbegin seed 1\nset boss hp 5\n"
        "reveal ana KS\nreveal ben 2D\nspike ana pay 3D\nnext\ndamage\nbonus rally\nset boss number 1\n"
        "set boss hp 5\nreveal ana QS\nreveal ben KD\nspike ben pay 4D\nnext\ndamage\n"
    )
    assert question(session, "sniped").evidence == ()


def test_what_only_people_know_is_asked_and_their_answer_kept() -> None:
    session = _dungeon()
    assert question(session, "loud").answer == ""
    assert any("final Boss fight loud" in prompt.text for prompt in session.view().prompts)
    session.enter('watch loud yes note "the neighbours knocked"')
    entry = question(session, "loud")
    assert (entry.answer, entry.note) == ("yes", "the neighbours knocked")
    assert not any("final Boss fight loud" in prompt.text for prompt in session.view().prompts)


def test_symptoms_name_the_lever_of_the_book() -> None:
    idle = ["reveal ana 2H", "next", "convert ana", "damage", "next", "refill"]
    idle += ["reveal ana 3H", "next", "convert ana", "damage", "next", "refill"]
    levers = {symptom.lever for symptom in review_session(solo_loss(*idle, "set ana hp 0")).symptoms}
    assert "rule pressure 3" in levers
    assert "rule foil-cost 1" in levers


def test_an_evening_without_a_symptom_has_none() -> None:
    assert review_session(_dungeon()).symptoms == ()


def test_the_report_reads_as_markdown() -> None:
    session = _dungeon()
    session.enter('note "Cy forgot his Thorns"')
    text = report(session)
    for promise in (
        "# Playtest report: DecknForge\n",
        "* Outcome: win after",
        "| Tithe Collector (A♠ of Ana) | 45 | 3 | Ben | 7 |",
        "4. Was at least one Killing Blow taken from somebody by a Foil, Snipe or Spike? **Yes.**",
        "6. Was the final Boss fight loud? **Not answered.**",
        "* Cy forgot his Thorns",
    ):
        assert promise in text


def symptoms(text: str) -> dict[str, str]:
    return {str(symptom.lever): str(symptom.evidence) for symptom in review_session(_played(text)).symptoms}


def test_labels_that_were_always_declined_are_a_symptom() -> None:
    findings = symptoms(
        "table decknforge\nseat ana\nseat ben\ndungeons ana 1\ndungeons ben 1\nbosses ana:AS\nbegin seed 1\n"
        "next\nset boss number 6\nset boss hp 3\nreveal ana KS\nreveal ben 2D\nnext\ndamage\nbonus rally\n"
    )
    assert "rule easy-reward 2" in findings


def test_coppers_that_run_away_and_who_was_left_behind_are_symptoms() -> None:
    findings = symptoms(
        "table decknforge\nseat ana\nseat ben\nbosses ana:AS\nbegin seed 1\nset ana earned 40\nset ana personal 3\n"
        "set boss number 6\nset boss hp 3\nreveal ana KS\nreveal ben 2D\nnext\ndamage\nbonus rally\n"
    )
    assert findings["rule session-copper-cap 25"] == "Earned: Ana 48c, Ben 1c."
    assert findings["rule comeback yes"] == "Ben took no Boss while another took 4."


def test_kills_by_whoever_did_less_damage_are_a_symptom() -> None:
    findings = symptoms(
        'table decknforge\nseat ana\nseat ben\ninscribed ben 9S doublestrike\nmonster ana AS "Wall" hp 18\n'
        "bosses ana:AS\nbegin seed 1\nset boss number 6\nset boss hp 3\nreveal ana KS\nreveal ben 9S\nreveal ben 10S\n"
        "next\ndamage\nbonus rally\n"
    )
    assert (
        findings["rule kill-credit solo-lethal"]
        == "1 of 1 kills went to somebody who had done less damage than another."
    )


def test_a_table_that_was_only_opened_has_nothing_to_review() -> None:
    session = Replay("table decknforge\n").session
    assert review_session(session).questions == ()
    assert "not finished after 0 actions" in report(session)


# Thresholds

TWO = "table decknforge\nseat ana\nseat ben\nactive ana\nbosses ana:AS ana:AH\nbegin seed 1\n"
LAST = "set boss number 6\nset boss hp 3\n"


def test_a_tactic_is_early_up_to_the_third_round_and_told_once_a_fight_and_wizard() -> None:
    def early(now: int) -> tuple[str, tuple[str, ...]]:
        session = _played(
            f"{TWO}set table round {now}\nreveal ana KS\nreveal ben 2D\nspike ana pay 3D\nbrace ben pay 4D\n"
            "next\ndamage\nnext\nrefill\nreveal ana QS\nreveal ben 3D\nbrace ana pay 5D\nset table outcome loss\n"
        )
        entry = question(session, "tactics")
        return entry.answer, tuple(map(str, entry.evidence))

    assert early(3) == ("yes", ("Boss 1, round 3: Ana Spiked", "Boss 1, round 3: Ben Braced"))
    assert early(4) == ("no", ())


def test_the_log_answers_only_once_the_dungeon_is_over() -> None:
    assert question(_played(TWO), "tactics").answer == ""
    assert review_session(_played(TWO)).symptoms == ()
    assert question(_played(f"{TWO}set table outcome loss\nwatch tactics yes\n"), "tactics").answer == "yes"


def test_labels_that_were_added_are_evidence_and_no_symptom() -> None:
    text = "table decknforge\nseat ana\nseat ben\nactive ana\ndungeons ana 1\nbosses ana:AS\nbegin seed 1\n"
    session = _played(f"{text}label ana swift draw\nset table outcome loss\n")
    assert question(session, "regret").evidence == ("Boss 1, round 1: Ana added swift",)
    assert "rule easy-reward 2" not in symptoms(f"{text}label ana swift draw\nset table outcome loss\n")
    assert "rule easy-reward 2" in symptoms(f"{text}decline ana\nset table outcome loss\n")
    assert "rule easy-reward 2" not in symptoms(f"{TWO}set table outcome loss\n"), "nobody was asked"


@pytest.mark.parametrize(
    ("ana", "ben", "is_symptom"),
    [(25, 0, False), (26, 0, True), (26, 13, False), (27, 13, True), (40, 20, False), (41, 20, True)],
)
def test_coppers_run_away_above_25_and_twice_the_last(ana: int, ben: int, is_symptom: bool) -> None:
    findings = symptoms(f"{TWO}set ana earned {ana}\nset ben earned {ben}\nset table outcome loss\n")
    assert ("rule session-copper-cap 25" in findings) == is_symptom
    assert not is_symptom or findings["rule session-copper-cap 25"] == f"Earned: Ana {ana}c, Ben {ben}c."


def test_nobody_runs_away_alone() -> None:
    alone = "table decknforge\nseat ana\nbegin seed 1\nset ana earned 60\nset table outcome loss\n"
    assert "rule session-copper-cap 25" not in symptoms(alone)


@pytest.mark.parametrize(("ana", "ben", "is_symptom"), [(2, 0, False), (3, 0, True), (3, 1, False)])
def test_who_took_no_boss_is_left_behind_by_three(ana: int, ben: int, is_symptom: bool) -> None:
    findings = symptoms(f"{TWO}set ana personal {ana}\nset ben personal {ben}\nset table outcome loss\n")
    assert ("rule comeback yes" in findings) == is_symptom


@pytest.mark.parametrize(("ana", "is_symptom"), [(0, True), (1, False)])
def test_first_dungeons_may_feel_empty(ana: int, is_symptom: bool) -> None:
    text = f"table decknforge\nseat ana\nseat ben\ndungeons ana {ana}\nbegin seed 1\nset table outcome loss\n"
    assert ("none: the first game teaches the others" in symptoms(text)) == is_symptom


def rounds(*cards: str, pool: str = "") -> str:
    """A lost dungeon; all Convert and the Boss loses nothing, but for rounds with the card named as in `!4S`."""
    start = 'table decknforge\nseat ana\nseat ben\nactive ana\nmonster ana AS "Wall" hp 30 atk 1\nbosses ana:AS\n'
    lines = ["begin seed 1", *([pool] if pool else [])]
    for number, card in enumerate(cards):
        rank = card.lstrip("!")
        lines += [f"reveal ana {rank}", f"reveal ben {rank}", "next"]
        lines += [] if card.startswith("!") else ["convert ana", "convert ben"]
        lines += ["damage", "next", *(["next"] if number and not pool else []), "refill"]
    return start + "\n".join(lines) + "\nset table outcome loss\n"


@pytest.mark.parametrize("pool", ["", "set table pool 0"], ids=["with Minions", "without"])
@pytest.mark.parametrize(
    ("cards", "idle"), [("2H", 1), ("2H !3H", 1), ("2H 3H", 2), ("2H !4S 3H", 2), ("!4S 2H 3H", 2), ("!4S !5S", 0)]
)
def test_a_game_stalls_with_the_second_round_in_which_the_boss_lost_nothing(cards: str, idle: int, pool: str) -> None:
    evidence = symptoms(rounds(*cards.split(), pool=pool)).get("rule pressure 3")
    assert evidence == ("In 2 rounds the Boss lost no HP." if idle == 2 else None)


def test_half_of_the_kills_may_go_to_who_did_less() -> None:
    unearned = "set boss hp 3\nreveal ana KS\nreveal ben 9S\nreveal ben 10S\nnext\ndamage\nbonus rally\n"
    earned = "set boss hp 3\nreveal ana QS\nreveal ben 2D\nnext\ndamage\nbonus rally\n"
    start = (
        "table decknforge\nseat ana\nseat ben\nactive ana\ninscribed ben 9S doublestrike\nbosses ana:AS ana:AH\n"
        "begin seed 1\n"
    )
    assert "rule kill-credit solo-lethal" in symptoms(f"{start}{unearned}set table outcome loss\n")
    assert "rule kill-credit solo-lethal" not in symptoms(f"{start}{unearned}{earned}set table outcome loss\n")


def test_the_fight_that_was_lost_stands_in_the_table_without_a_killer() -> None:
    text = TWO + "set boss hp 1\nreveal ana QS\nreveal ben 2D\nnext\ndamage\nbonus rally\n"
    rows = review_session(_played(f"{text}reveal ana 3S\nreveal ben 3D\nset table outcome loss\n")).rows
    assert [row[2:] for row in rows] == [("1", "Ana", "13"), ("1", "–", "–")]
    assert (
        len(review_session(_played(text + LAST + "reveal ana KS\nreveal ben 3D\nnext\ndamage\nbonus rally\n")).rows)
        == 2
    )


def test_where_several_people_entered_lines_the_report_says_who() -> None:
    session = _played("table duel\nseat ana\nseat ben\nbegin seed 7\nnote close")
    assert session.writers() == {}
    assert "Entered by" not in report(session)
    lines = session.log.lines
    lines[:] = [replace(line, by="Ana's phone" if line.number == 5 else "table") for line in lines]
    assert session.writers()[5] == "Ana's phone"
    markdown = report(session).splitlines()
    assert "* Entered by: table, Ana's phone" in markdown
    assert "* close (Ana's phone)" in markdown


def test_who_won_is_named() -> None:
    session = _played('table solforge\nseat a name "Ana"\nseat b name "Ben"\nbegin seed 7\nconcede b')
    assert "* Outcome: Ana won after " in report(session)
