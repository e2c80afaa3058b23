"""The playtest report: what the log answers, what people answered, and the levers for what did not work."""

from __future__ import annotations

from pathlib import Path

from companion.games.review import Question
from companion.session.replay import Replay
from companion.session.report import report, review
from companion.session.session import Session

TABLES = Path(__file__).parents[1] / "tables" / "decknforge"


def played(text: str) -> Session:
    replay = Replay(text)
    assert not [line.failure for line in replay if line.failure]
    return replay.session


def dungeon() -> Session:
    return played((TABLES / "dungeon.table").read_text(encoding="utf-8"))


def question(session: Session, key: str) -> Question:
    return next(question for question in review(session).questions if question.key == key)


def solo_loss(*rounds: str) -> Session:
    """One wizard who is worn down, with the given lines for each round."""
    begin = 'table decknforge\nseat ana\nmonster ana AS "Wall" hp 30 atk 5\nbosses ana:AS\nbegin seed 1\n'
    return played(begin + "\n".join(rounds))


def test_the_log_tells_early_tactics_with_the_round_and_the_people() -> None:
    asked = question(dungeon(), "tactics")
    assert asked.answer == "yes"
    assert "Boss 2, round 2: Ben Sniped Ana" in asked.evidence


def test_a_kill_that_a_tactic_moved_is_told_with_who_lost_it() -> None:
    asked = question(dungeon(), "sniped")
    assert asked.answer == "yes"
    assert "Boss 1, round 3: Ben Foiled Ana; the kill went from Ana to Ben" in asked.evidence


def test_a_tactic_that_moves_no_kill_is_no_evidence() -> None:
    session = played(
        "table decknforge\nseat ana\nseat ben\nbosses ana:AS\nbegin seed 1\nset boss hp 5\n"
        "reveal ana KS\nreveal ben 2D\nspike ana pay 3D\nnext\ndamage\nbonus rally\n"
    )
    assert question(session, "sniped").evidence == ()


def test_what_only_people_know_is_asked_and_their_answer_kept() -> None:
    session = dungeon()
    assert question(session, "loud").answer == ""
    assert any("final Boss fight loud" in prompt.text for prompt in session.view().prompts)
    session.enter('watch loud yes note "the neighbours knocked"')
    asked = question(session, "loud")
    assert (asked.answer, asked.note) == ("yes", "the neighbours knocked")
    assert not any("final Boss fight loud" in prompt.text for prompt in session.view().prompts)


def test_symptoms_name_the_lever_of_the_book() -> None:
    idle = ["reveal ana 2H", "next", "convert ana", "damage", "next", "refill"]
    idle += ["reveal ana 3H", "next", "convert ana", "damage", "next", "refill"]
    levers = {symptom.lever for symptom in review(solo_loss(*idle, "set ana hp 0")).symptoms}
    assert "rule pressure 3" in levers
    assert "rule foil-cost 1" in levers


def test_an_evening_without_a_symptom_has_none() -> None:
    assert review(dungeon()).symptoms == ()


def test_the_report_reads_as_markdown() -> None:
    session = dungeon()
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
    return {symptom.lever: symptom.evidence for symptom in review(played(text)).symptoms}


def test_labels_that_were_always_declined_are_a_symptom() -> None:
    found = symptoms(
        "table decknforge\nseat ana\nseat ben\ndungeons ana 1\ndungeons ben 1\nbosses ana:AS\nbegin seed 1\n"
        "next\nset boss number 6\nset boss hp 3\nreveal ana KS\nreveal ben 2D\nnext\ndamage\nbonus rally\n"
    )
    assert "rule easy-reward 2" in found


def test_coppers_that_run_away_and_who_was_left_behind_are_symptoms() -> None:
    found = symptoms(
        "table decknforge\nseat ana\nseat ben\nbosses ana:AS\nbegin seed 1\nset ana earned 40\nset ana personal 3\n"
        "set boss number 6\nset boss hp 3\nreveal ana KS\nreveal ben 2D\nnext\ndamage\nbonus rally\n"
    )
    assert found["rule session-copper-cap 25"] == "Earned: Ana 48c, Ben 1c."
    assert found["rule comeback yes"] == "Ben took no Boss while another took 4."


def test_kills_by_whoever_did_less_damage_are_a_symptom() -> None:
    found = symptoms(
        'table decknforge\nseat ana\nseat ben\ninscribed ben 9S doublestrike\nmonster ana AS "Wall" hp 18\n'
        "bosses ana:AS\nbegin seed 1\nset boss number 6\nset boss hp 3\nreveal ana KS\nreveal ben 9S\nreveal ben 10S\n"
        "next\ndamage\nbonus rally\n"
    )
    assert (
        found["rule kill-credit solo-lethal"] == "1 of 1 kills went to somebody who had done less damage than another."
    )


def test_a_table_that_was_only_opened_has_nothing_to_review() -> None:
    session = Replay("table decknforge\n").session
    assert review(session).questions == ()
    assert "not finished after 0 actions" in report(session)
