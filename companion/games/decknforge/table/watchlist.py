"""The playtest watchlist of §8: six questions, answered from the log if possible, and the symptoms in it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import takewhile
from typing import Final, NamedTuple

import msgspec

from companion.games.decknforge.book.state import DungeonTable, Resolution
from companion.games.decknforge.rules import actions as do
from companion.games.decknforge.rules.arithmetic import compute_strike, killing_hit
from companion.tabletop.action import Action
from companion.tabletop.evenings import PlayedAction, PlaytestQuestion, Review, Symptom

TACTICS: Final = (do.Spike, do.Foil, do.Snipe, do.Brace)
EARLY_ROUNDS: Final = 3
COPPER_CAP: Final = 25

QUESTIONS: Final = {
    "tension": "Did wizards hesitate before they revealed high cards?",
    "tactics": "Did anyone use a Tactic before round 4?",
    "reaction": "Did the table react aloud when a Tactic resolved?",
    "sniped": "Was at least one Killing Blow taken from somebody by a Foil, Snipe or Spike?",
    "regret": "Did anyone regret adding a label?",
    "loud": "Was the final Boss fight loud?",
}
"""Questions after each game (§8), by their keys in notation."""


def watch(resolution: Resolution, action: do.Watch) -> None:
    """Store an answer in the session; a later one to the same question replaces it."""
    others = tuple(answer for answer in resolution.state.watchlist if answer[0] != action.question)
    resolution.change(watchlist=(*others, (action.question, action.answer, action.note)))
    resolution.tell(
        f"{QUESTIONS[action.question]} {action.answer.capitalize()}.{f' {action.note}' if action.note else ''}"
    )


def open_questions(state: DungeonTable) -> tuple[str, ...]:
    """Return the keys of the unanswered questions that only players can answer."""
    answered = {key for key, _, _ in state.watchlist}
    return tuple(key for key in QUESTIONS if key not in answered and key not in ("tactics", "sniped"))


def review(played: Sequence[PlayedAction]) -> Review:
    """Return the questions with the log's evidence, the symptoms in it, and a row for each fight."""
    if not played:
        return Review()
    end: DungeonTable = played[-1].after
    return Review(
        tuple(_questions(end, played)),
        tuple(_symptoms(end, played)) if end.outcome else (),
        ("Boss", "HP", "Rounds", "Killing Blow", "Overkill"),
        tuple(_fight_rows(played)),
    )


def _questions(end: DungeonTable, played: Sequence[PlayedAction]) -> Iterator[PlaytestQuestion]:
    answers = {key: (answer, note) for key, answer, note in end.watchlist}
    evidence = {
        "tactics": _early_tactics(played),
        "sniped": _describe_stolen_kills(played),
        "regret": _labels_added(played),
    }
    for key, text in QUESTIONS.items():
        answer, note = answers.get(key, ("", ""))
        evidence_lines = tuple(evidence.get(key, ()))
        if not answer and key in ("tactics", "sniped") and end.outcome:
            answer = "yes" if evidence_lines else "no"
        yield PlaytestQuestion(key, text, answer, evidence_lines, note)


def _round_text(state: DungeonTable) -> str:
    return f"Boss {state.number}, round {state.round}"


def _tactic_text(state: DungeonTable, action: Action) -> str:
    """Return a Tactic in words: `Ben Foiled Ana`."""
    assert isinstance(action, TACTICS)
    name = state.wizard(action.seat).name
    if isinstance(action, do.Foil | do.Snipe):
        verb = "Foiled" if isinstance(action, do.Foil) else "Sniped"
        return f"{name} {verb} {state.wizard(action.other).name}"
    return f"{name} {'Spiked' if isinstance(action, do.Spike) else 'Braced'}"


def _early_tactics(played: Sequence[PlayedAction]) -> list[str]:
    """Return the Tactics in the first three rounds of a fight, the first of each fight and wizard."""
    sentences: dict[tuple[int, str], str] = {}
    for deed in played:
        if isinstance(deed.action, TACTICS) and deed.before.round <= EARLY_ROUNDS:
            key = (deed.before.number, deed.action.seat)
            sentences.setdefault(key, f"{_round_text(deed.before)}: {_tactic_text(deed.before, deed.action)}")
    return list(sentences.values())


class StolenKill(NamedTuple):
    """A kill that another wizard would have taken without the Tactics of its round."""

    deed: PlayedAction
    tactics: tuple[PlayedAction, ...]
    killer: str
    robbed: str


def stolen_kills(played: Sequence[PlayedAction]) -> Iterator[StolenKill]:
    """Yield all stolen kills, in order."""
    for at, deed in enumerate(played):
        if kills_boss_by_card(deed):
            used = _tactics_of_round(played[:at])
            due = killer_without(used[0].before, deed.before) if used else ""
            if due and due != deed.after.killer:
                yield StolenKill(deed, used, deed.after.killer or "", due)


def _describe_stolen_kills(played: Sequence[PlayedAction]) -> list[str]:
    """Return a sentence for each kill that was stolen."""
    sentences = []
    for deed, tactics, *seats in stolen_kills(played):
        names = ", ".join(_tactic_text(each.before, each.action) for each in tactics)
        killer, robbed = (deed.before.wizard(seat).name for seat in seats)
        sentences.append(f"{_round_text(deed.before)}: {names}; the kill went from {robbed} to {killer}")
    return sentences


def _tactics_of_round(played: Sequence[PlayedAction]) -> tuple[PlayedAction, ...]:
    """Return the Tactics since the first reveal of the round; an override may have changed the round's number."""
    of_round = [*takewhile(lambda deed: deed.before.revealed, reversed(played))]
    return tuple(deed for deed in reversed(of_round) if isinstance(deed.action, TACTICS))


def kills_boss(deed: PlayedAction) -> bool:
    """Return True if a Boss died of an action."""
    return len(deed.after.killed_bosses) > len(deed.before.killed_bosses)


def kills_boss_by_card(deed: PlayedAction) -> bool:
    """Return True if a known card killed a Boss by this action, unless an override has set another Killer since."""
    if not kills_boss(deed) or deed.after.kill_card is None:
        return False
    return deed.entered is None or bool(deed.entered[1].killer == deed.after.killer)


def killer_without(before: DungeonTable, kill_table: DungeonTable) -> str:
    """Return the seat that would have taken the kill with the cards as they were `before` the round's first Tactic."""
    declared = {(upcard.owner, upcard.card): upcard for upcard in kill_table.revealed}
    revealed = tuple(
        msgspec.structs.replace(upcard, converts=later.converts, target=later.target)
        for upcard in before.revealed
        if (later := declared.get((upcard.owner, upcard.card)))
    )
    state = msgspec.structs.replace(before, revealed=revealed, boss=kill_table.boss)
    assert state.boss is not None
    would = compute_strike(state, state.boss)
    hit = killing_hit(state, would) if would.hits else None
    return hit.upcard.controller if hit else ""


def _labels_added(played: Sequence[PlayedAction]) -> list[str]:
    return [
        f"{_round_text(deed.before)}: {deed.before.wizard(deed.action.seat).name} added {deed.action.label}"
        for deed in played
        if isinstance(deed.action, do.AddLabel)
    ]


def _fight_rows(played: Sequence[PlayedAction]) -> Iterator[tuple[str, ...]]:
    """Yield a row for each Boss: name, HP, rounds, Killer, overkill."""
    last: DungeonTable | None = None
    for deed in played:
        state: DungeonTable = deed.after
        if kills_boss(deed) and deed.before.boss is not None:
            killer = state.wizard(state.killer).name if state.killer else "–"
            title = state.monster_title(deed.before.boss.ref)
            yield (title, str(deed.before.boss.max), str(deed.before.round), killer, str(state.overkill))
        last = state if state.boss is not None else last
    if last is not None and last.boss is not None and last.boss.ref not in played[-1].after.killed_bosses:
        yield (last.monster_title(last.boss.ref), str(last.boss.max), str(last.round), "–", "–")


def _symptoms(end: DungeonTable, played: Sequence[PlayedAction]) -> Iterator[Symptom]:
    """Yield the symptoms of §8 that the log can show, in the order of the book."""
    if not any(isinstance(deed.action, TACTICS) for deed in played):
        yield Symptom("Tactics were never used.", "No Tactic stands in the log.", "rule foil-cost 1")
    yield from _unearned_kills(played)
    if any(deed.after.label_offers for deed in played) and not _labels_added(played):
        yield Symptom("Wizards never added a label.", "The option was open and always declined.", "rule easy-reward 2")
    yield from _runaway_symptoms(end)
    yield from _stall_symptoms(played)
    if all(band.dungeons == 0 for band in end.bands.values()):
        text = "First-time bands may feel empty."
        yield Symptom(text, "Every band was in its first dungeon.", "none: the first game teaches the others")
    yield from _left_behind(end)


def _unearned_kills(played: Sequence[PlayedAction]) -> Iterator[Symptom]:
    """Yield a symptom if most Killers did less damage to the Boss in the last round than another wizard."""
    kills, unearned = 0, 0
    for deed in played:
        if kills_boss_by_card(deed):
            assert deed.before.boss is not None
            damage: dict[str, int] = {}
            for hit in compute_strike(deed.before, deed.before.boss).hits:
                damage[hit.upcard.controller] = damage.get(hit.upcard.controller, 0) + hit.dealt
            kills += 1
            unearned += damage.get(deed.after.killer or "", 0) < max(damage.values(), default=0)
    if kills and unearned * 2 > kills:
        evidence = f"{unearned} of {kills} kills went to somebody who had done less damage than another."
        yield Symptom("Kills may feel unearned.", evidence, "rule kill-credit solo-lethal")


def _runaway_symptoms(end: DungeonTable) -> Iterator[Symptom]:
    earned = sorted(end.wizards, key=lambda wizard: -wizard.earned)
    if len(earned) > 1 and earned[0].earned > max(COPPER_CAP, 2 * earned[-1].earned):
        evidence = ", ".join(f"{wizard.name} {wizard.earned}c" for wizard in earned)
        yield Symptom(
            "One wizard ran away with the Coppers.", f"Earned: {evidence}.", f"rule session-copper-cap {COPPER_CAP}"
        )


def _stall_symptoms(played: Sequence[PlayedAction]) -> Iterator[Symptom]:
    """Yield a symptom if the Boss lost nothing in several rounds, so that Pressure struck."""
    idle = set()
    for deed in played:
        if is_idle_round(deed.before, deed.after):
            idle.add((deed.before.number, deed.before.round))
    if len(idle) > 1:
        evidence = f"In {len(idle)} rounds the Boss lost no HP."
        yield Symptom("The game stalled.", evidence, "rule pressure 3")


def is_idle_round(before: DungeonTable, after: DungeonTable) -> bool:
    """Return True if an action passed the check for Pressure (R1.27) in a round in which the Boss lost nothing."""
    if before.step in _PAST_PRESSURE or after.step not in _PAST_PRESSURE:
        return False
    return after.boss is not None and not after.boss.lost_hp


_PAST_PRESSURE: Final = frozenset({"minions", "refill"})


def _left_behind(end: DungeonTable) -> Iterator[Symptom]:
    best = max(wizard.personal for wizard in end.wizards)
    last = [wizard.name for wizard in end.wizards if wizard.personal == 0]
    if best >= EARLY_ROUNDS and last:
        evidence = f"{', '.join(last)} took no Boss while another took {best}."
        yield Symptom("The last in Glory may have checked out.", evidence, "rule comeback yes")
