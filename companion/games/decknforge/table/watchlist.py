"""The playtest watchlist of §8: six questions, answered from the log if possible, and the symptoms in it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import takewhile
from typing import Final, NamedTuple

import msgspec

from companion.games.decknforge.book.state import DungeonTable, Resolution
from companion.games.decknforge.glossary import effect_name
from companion.games.decknforge.rules import actions as do
from companion.games.decknforge.rules.arithmetic import compute_strike, killing_hit
from companion.tabletop.action import Action
from companion.tabletop.evenings import PlayedAction, PlaytestQuestion, Review, Symptom
from templates.languages.messages import Finished, Message, Text, joined, listed, phrase, phrase_in

TACTICS: Final = (do.Spike, do.Foil, do.Snipe, do.Brace)
EARLY_ROUNDS: Final = 3
COPPER_CAP: Final = 25

QUESTIONS: Final = {
    "tension": phrase("Did wizards hesitate before they revealed high cards?"),
    "tactics": phrase("Did anyone use a Tactic before round 4?"),
    "reaction": phrase("Did the table react aloud when a Tactic resolved?"),
    "sniped": phrase("Was at least one Killing Blow taken from somebody by a Foil, Snipe or Spike?"),
    "regret": phrase("Did anyone regret adding a label?"),
    "loud": phrase("Was the final Boss fight loud?"),
}
"""Questions after each game (§8), by their keys in notation."""


ANSWERS: Final[Mapping[str, Message]] = {"yes": phrase_in("word", "yes"), "no": phrase_in("word", "no")}
"""Titles of the answers, by their words in notation."""


def watch(resolution: Resolution, action: do.Watch) -> None:
    """Store an answer in the session; a later one to the same question replaces it."""
    others = tuple(answer for answer in resolution.state.watchlist if answer[0] != action.question)
    resolution.change(watchlist=(*others, (action.question, action.answer, action.note)))
    answer = Finished(ANSWERS[action.answer], begins=True)
    resolution.tell(joined(" ", filter(None, (QUESTIONS[action.question], answer, action.note))))


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
        (phrase("Boss"), phrase("HP"), phrase("Rounds"), phrase("Killing Blow"), phrase("Overkill")),
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


def _in_round(state: DungeonTable, what: Message) -> Message:
    # Translators: {event} is what happened: “Boss 2, round 3: Ben Foiled Ana”.
    return phrase("Boss {number}, round {round}: {event}", number=state.number, round=state.round, event=what)


def _tactic_text(state: DungeonTable, action: Action) -> Message:
    """Return a Tactic in words: `Ben Foiled Ana`."""
    assert isinstance(action, TACTICS)
    name = state.wizard(action.seat).name
    if isinstance(action, do.Foil):
        return phrase("{player} Foiled {other}", player=name, other=state.wizard(action.other).name)
    if isinstance(action, do.Snipe):
        return phrase("{player} Sniped {other}", player=name, other=state.wizard(action.other).name)
    if isinstance(action, do.Spike):
        return phrase("{player} Spiked", player=name)
    return phrase("{player} Braced", player=name)


def _early_tactics(played: Sequence[PlayedAction]) -> list[Message]:
    """Return the Tactics in the first three rounds of a fight, the first of each fight and wizard."""
    sentences: dict[tuple[int, str], Message] = {}
    for deed in played:
        if isinstance(deed.action, TACTICS) and deed.before.round <= EARLY_ROUNDS:
            key = (deed.before.number, deed.action.seat)
            sentences.setdefault(key, _in_round(deed.before, _tactic_text(deed.before, deed.action)))
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


def _describe_stolen_kills(played: Sequence[PlayedAction]) -> list[Message]:
    """Return a sentence for each kill that was stolen."""
    sentences = []
    for deed, tactics, *seats in stolen_kills(played):
        used = listed(_tactic_text(each.before, each.action) for each in tactics)
        killer, robbed = (deed.before.wizard(seat).name for seat in seats)
        kill = phrase("the kill went from {player} to {other}", player=robbed, other=killer)
        sentences.append(_in_round(deed.before, joined("; ", (used, kill))))
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


def _labels_added(played: Sequence[PlayedAction]) -> list[Message]:
    return [
        _in_round(
            deed.before,
            phrase(
                "{player} added {label}",
                player=deed.before.wizard(deed.action.seat).name,
                label=effect_name(deed.action.label),
            ),
        )
        for deed in played
        if isinstance(deed.action, do.AddLabel)
    ]


def _fight_rows(played: Sequence[PlayedAction]) -> Iterator[tuple[Text, ...]]:
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
        yield Symptom(phrase("Tactics were never used."), phrase("There is no Tactic in the log."), "rule foil-cost 1")
    yield from _unearned_kills(played)
    if any(deed.after.label_offers for deed in played) and not _labels_added(played):
        evidence = phrase("The option was open and always declined.")
        yield Symptom(phrase("Wizards never added a label."), evidence, "rule easy-reward 2")
    yield from _runaway_symptoms(end)
    yield from _stall_symptoms(played)
    if all(band.dungeons == 0 for band in end.bands.values()):
        yield Symptom(
            phrase("First-time bands may feel empty."),
            phrase("Every band was in its first dungeon."),
            phrase("none: the first game teaches the others"),
        )
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
        evidence = phrase(
            "{unearned} of {kills} kills went to somebody who had done less damage than another.",
            unearned=unearned,
            kills=kills,
        )
        yield Symptom(phrase("Kills may feel unearned."), evidence, "rule kill-credit solo-lethal")


def _runaway_symptoms(end: DungeonTable) -> Iterator[Symptom]:
    earned = sorted(end.wizards, key=lambda wizard: -wizard.earned)
    if len(earned) > 1 and earned[0].earned > max(COPPER_CAP, 2 * earned[-1].earned):
        figures = listed(phrase("{player} {coppers}c", player=wizard.name, coppers=wizard.earned) for wizard in earned)
        yield Symptom(
            phrase("One wizard ran away with the Coppers."),
            phrase("Earned: {figures}.", figures=figures),
            f"rule session-copper-cap {COPPER_CAP}",
        )


def _stall_symptoms(played: Sequence[PlayedAction]) -> Iterator[Symptom]:
    """Yield a symptom if the Boss lost nothing in several rounds, so that Pressure struck."""
    idle = set()
    for deed in played:
        if is_idle_round(deed.before, deed.after):
            idle.add((deed.before.number, deed.before.round))
    if len(idle) > 1:
        evidence = phrase("In {rounds} rounds the Boss lost no HP.", rounds=len(idle))
        yield Symptom(phrase("The game stalled."), evidence, "rule pressure 3")


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
        evidence = phrase("{players} took no Boss while another took {number}.", players=listed(last), number=best)
        yield Symptom(phrase("Whoever has the least Glory may have lost interest."), evidence, "rule comeback yes")
