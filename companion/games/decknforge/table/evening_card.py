"""A dungeon on one page, and as the sentences of a chapter, from the same facts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from msgspec.structs import replace

from companion.games.decknforge.book.state import BOSSES, count_of
from companion.games.decknforge.decks.evening import BossFight, Dungeon, InscriptionChange, TurningPoint, WizardResult
from companion.games.decknforge.decks.marks import DungeonPlayed
from companion.games.decknforge.decks.story import played_text
from companion.games.decknforge.glossary import title
from companion.games.decknforge.paper import IMPRINT
from companion.tabletop.action import DeckId
from companion.tabletop.evening import (
    CardBar,
    CardChart,
    CardFigure,
    CardList,
    CardPart,
    CardTable,
    ChapterText,
    EveningCard,
    NameOf,
)
from companion.tabletop.notation.cards import Card, pretty
from companion.tabletop.text import quantity, signed_figure

_MOST_TURNING_POINTS: Final = 6


def card(evening: Dungeon) -> EveningCard:
    """Return a dungeon on one page."""
    won = {"win": True, "loss": False}.get(evening.outcome)
    return EveningCard(
        game=IMPRINT.title,
        headline=_headline(evening),
        subtitle=" · ".join(
            f"{each.name} with {each.called}" if each.called else each.name for each in evening.participants
        ),
        won=won,
        figures=tuple(_outstanding_figures(evening)),
        parts=tuple(_card_parts(evening)),
        credit=IMPRINT.credit,
        highlights=tuple(_highlights(evening)),
    )


def _headline(evening: Dungeon) -> str:
    fallen = sum(fight.dead for fight in evening.fights)
    if evening.outcome == "win":
        return "All six Bosses fell"
    last = evening.fights[-1]
    if evening.outcome == "loss":
        return f"Lost to {_boss_name(last)}, Boss {last.number} of {BOSSES}"
    return f"{fallen} of {BOSSES} Bosses down, and not over yet"


_NARROW: Final = 3
"""HP with which a wizard survived narrowly enough to be a highlight."""


def _highlights(evening: Dungeon) -> Iterator[str]:
    """Yield the highlights of a dungeon, the rare ones first."""
    for rescue in evening.rescues:
        yield f"{evening.name(rescue.seat)} saved {evening.name(rescue.other)} from {_boss_of(evening, rescue.boss)}"
    low = evening.narrowest
    if low and low.hp <= _NARROW:
        yield f"{evening.name(low.seat)} was left with {low.hp} HP by {_boss_of(evening, low.boss)}"
    for kind in ("left", "stolen", "fell"):
        for point in evening.turning_points:
            if point.kind == kind:
                yield _told_of(evening, point)
    last = evening.fights[-1]
    if last.dead and last.killer and evening.outcome == "win":
        yield f"{evening.name(last.killer)} took {_boss_name(last)} at the end"
    if hit := evening.best_hit:
        yield f"{evening.name(hit.seat)} hit {_boss_of(evening, hit.boss)} for {hit.damage}"
    if rounds := sum(fight.rounds for fight in evening.fights):
        yield f"it took {quantity(rounds, 'round')}"


def _told_of(evening: Dungeon, point: TurningPoint) -> str:
    """Return a turning point in a few words."""
    name, boss = evening.name(point.seat), _boss_of(evening, point.boss)
    match point.kind:
        case "left":
            return f"{name} left the table at {boss}"
        case "stolen":
            return f"{name} took {boss} from {evening.name(point.other) if point.other else 'another'}"
        case _:
            return f"{name} fell to {boss}"


def _boss_name(fight: BossFight) -> str:
    return fight.name or pretty(fight.card)


def _boss_of(evening: Dungeon, number: int) -> str:
    fight = evening.fight(number)
    return _boss_name(fight) if fight else f"Boss {number}"


def _outstanding_figures(evening: Dungeon) -> Iterator[CardFigure]:
    """Yield the outstanding figures: Bosses, the best strike, the best hit, the narrowest moment."""
    fallen = sum(fight.dead for fight in evening.fights)
    rounds = sum(fight.rounds for fight in evening.fights)
    yield CardFigure(f"{fallen} / {BOSSES}", "Bosses", f"in {quantity(rounds, 'round')}")
    if best := evening.best_strike:
        # Labels such as Resilient reduce the total damage and not that of a card.
        less = sum(hit.damage for hit in best.hits) - best.damage
        sums = " + ".join(f"{hit.damage}" for hit in best.hits) + (f" − {less}" if less > 0 else "")
        note = f"{sums} on {_boss_of(evening, best.boss)}" if len(best.hits) > 1 else _boss_of(evening, best.boss)
        yield CardFigure(str(best.damage), "best strike", note)
    if hit := evening.best_hit:
        on = _boss_of(evening, hit.boss)
        yield CardFigure(str(hit.damage), "best hit", f"{evening.name(hit.seat)}, {pretty(hit.card)} on {on}")
    if low := evening.narrowest:
        yield CardFigure(
            f"{low.hp} HP",
            "narrowest moment",
            f"{evening.name(low.seat)}, {_boss_of(evening, low.boss)}, round {low.round}",
        )


def _card_parts(evening: Dungeon) -> Iterator[CardPart]:
    yield CardTable(
        "Bosses",
        ("Boss", "HP, round by round", "Killing Blow", "Overkill"),
        tuple(_boss_row(evening, fight) for fight in evening.fights),
        figures=(3,),
    )
    yield CardChart(
        "Damage dealt to Bosses",
        tuple(_damage_bar(evening, result.seat) for result in evening.wizards),
        tuple(f"Boss {fight.number}" for fight in evening.fights),
    )
    yield CardTable(
        "Wizards",
        ("Wizard", "Kills", "Personal Glory", "Glory", "Coppers", "Mythics"),
        tuple(_wizard_row(evening, result) for result in evening.wizards),
        figures=(1, 2, 3, 4, 5),
    )
    points = _most_important(evening.turning_points)
    if points:
        yield CardList("Turning points", tuple(turning_point(evening, point) for point in points))
    if changes := tuple(_won_and_lost(evening)):
        yield CardList("Won and lost", changes)
    if hands := tuple(_drift_sentences(evening)):
        yield CardList("What changed hands", hands)


def _boss_row(evening: Dungeon, fight: BossFight) -> tuple[str, ...]:
    blow = killing_blow(evening, fight) if fight.dead else "lives"
    legend = "⭐ " if fight.legend else ""
    name = f"{legend}{_boss_name(fight)}"
    where = f"{name} ({pretty(fight.card)})" if fight.name else name
    return where, " → ".join(map(str, _hp_course(fight))), blow, str(fight.overkill) if fight.dead else "–"


_MOST_STEPS: Final = 5


def _hp_course(fight: BossFight) -> Sequence[int | str]:
    """Return a Boss's HP at the start and after each round; if there are many rounds, only after the last ones."""
    rounds, start = fight.hp_after, fight.hp if fight.hp_at_start is None else fight.hp_at_start
    return (start, *rounds) if len(rounds) <= _MOST_STEPS else (start, "…", *rounds[-_MOST_STEPS + 1 :])


def killing_blow(evening: Dungeon, fight: BossFight) -> str:
    """Return the Killer and the card: `Ana, 9♠`."""
    if not fight.killer:
        return "nobody"
    if fight.is_card_unknown:
        return evening.name(fight.killer)
    return f"{evening.name(fight.killer)}, {pretty(Card(fight.kill_card)) if fight.kill_card else 'Thorns'}"


def _damage_bar(evening: Dungeon, seat: str) -> CardBar:
    parts = tuple(fight.damage.get(seat, 0) for fight in evening.fights)
    return CardBar(evening.name(seat), parts, str(sum(parts)))


def _wizard_row(evening: Dungeon, result: WizardResult) -> tuple[str, ...]:
    kills = sum(fight.killer == result.seat for fight in evening.fights)
    figures = (
        str(kills),
        str(result.personal),
        signed_figure(result.glory),
        _coppers_text(result),
        str(result.mythics or "–"),
    )
    return evening.name(result.seat), *figures


def _coppers_text(result: WizardResult) -> str:
    """Return the Coppers earned and those spent: `+20`, `+20 −15`."""
    spent = result.earned - result.coppers
    return (
        f"{signed_figure(result.earned)} {signed_figure(-spent)}"
        if result.earned and spent > 0
        else signed_figure(result.coppers)
    )


_RANKS: Final = ("left", "stolen", "lead", "fell", "healed")


def _most_important(points: Sequence[TurningPoint]) -> Sequence[TurningPoint]:
    """Return the turning points that fit on a page, in order; if there are too many, the most important kinds."""
    by_rank = sorted(points, key=lambda point: _RANKS.index(point.kind))[:_MOST_TURNING_POINTS]
    return [point for point in points if point in by_rank]


def turning_point(evening: Dungeon, point: TurningPoint) -> str:
    """Return a turning point as a sentence: `Boss 3, round 2: Ben takes the Killing Blow that was due to Ana.`"""
    name, boss = evening.name(point.seat) if point.seat else "", _boss_of(evening, point.boss)
    other = evening.name(point.other) if point.other else ""
    what = {
        "lead": f"{name} takes the lead in Glory from {other}",
        "stolen": f"{name} takes the Killing Blow that was due to {other}",
        "fell": f"{name} falls to 0 HP",
        "healed": f"{boss} heals {point.amount}",
        "left": f"{name} leaves the table",
    }[point.kind]
    return f"Boss {point.boss}, round {point.round}: {what}."


def _won_and_lost(evening: Dungeon) -> Iterator[str]:
    """Yield sentences about the changes of labels and inscriptions."""
    for label in evening.labels:
        monster = f"{pretty(label.card)} of {_band_name(evening, label.band)}"
        yield f"{evening.name(label.by)} labels {monster} {title(label.label)}."
    for change in evening.inscriptions:
        if change.what != "carried-off":  # reported for the band that gained it
            yield inscription_change(evening, change)


def _drift_sentences(evening: Dungeon) -> Iterator[str]:
    """Yield sentences about the bands that changed hands or retired."""
    for drift in evening.drifts:
        yield f"{_band_name(evening, drift.band)} goes to {evening.name(drift.to)}."
    for seat in evening.retired:
        yield f"{_band_name(evening, seat)} retires."


def _band_name(evening: Dungeon, seat: str) -> str:
    participant = evening.participant(seat)
    return participant.called or f"the band of {participant.name}"


def inscription_change(evening: Dungeon, change: InscriptionChange) -> str:
    """Return a change as a sentence: `9♠ of the Grave Choir gains Sharp, bought by Ana.`"""
    where, name = f"{pretty(change.card)} of {_band_name(evening, change.band)}", title(change.inscription)
    by = f" by {evening.name(change.by)}" if change.by else ""
    match change.what:
        case "bought":
            return f"{where} gains {name}, bought{by}."
        case "mythic":
            return f"{where} gains {name}, a Mythic placed{by}."
        case "carried-in":
            return f"{where} gains {name}, carried from {_band_name(evening, change.by)}."
        case "carried-off":
            return f"{where} leaves with {name}, for {_band_name(evening, change.by)}."
        case "cursed":
            return f"{where} loses {name} to a curse."
    return f"{where} fades: {name} is crossed out."


def chapter(mark: DungeonPlayed, deck: DeckId, name_of: NameOf) -> ChapterText:
    """Return a dungeon as a chapter of a band's story; of old records only the outcome is known."""
    end = "won" if mark.outcome == "win" else "lost"
    if mark.evening is None:
        return ChapterText(played_text(replace(mark, wizard=name_of(mark.wizard, ""))).rstrip("."))
    evening = mark.evening.with_names(name_of)
    seat = evening.seat_of(deck) or next((each.seat for each in evening.participants if each.name == mark.wizard), "")
    others = f" with {' and '.join(evening.others(seat))}" if evening.others(seat) else ", alone"
    title = f"{evening.name(seat)} {end} a dungeon{others}, after {count_of(mark.bosses, 'Boss')}"
    return ChapterText(title, evening.venue, tuple(_band_facts(evening, seat)))


def _band_facts(evening: Dungeon, seat: str) -> Iterator[str]:
    """Yield what happened besides the band's own marks; `seat` brought the band."""
    for fight in evening.fights:
        if fight.dead:
            over = f", overkill {fight.overkill}" if fight.overkill else ""
            yield (
                f"Boss {fight.number}, {_of_band(evening, fight, seat)}, fell in {quantity(fight.rounds, 'round')}: "
                f"{killing_blow(evening, fight)}{over}."
            )
        else:
            left = fight.hp_after[-1] if fight.hp_after else fight.hp
            yield f"Boss {fight.number}, {_of_band(evening, fight, seat)}, lived, with {left} of {fight.hp} HP left."
    if low := evening.narrowest:
        against = f"{_boss_of(evening, low.boss)}, round {low.round}"
        yield f"Narrowest moment: {evening.name(low.seat)} at {low.hp} HP against {against}."
    if hit := evening.best_hit:
        on = _boss_of(evening, hit.boss)
        yield f"Best hit: {evening.name(hit.seat)} with {pretty(hit.card)}, {hit.damage} on {on}."
    for point in evening.turning_points:
        if point.kind in ("stolen", "left"):
            yield turning_point(evening, point)
    result = next((each for each in evening.wizards if each.seat == seat), None)
    if result:
        mythics = f", {quantity(result.mythics, 'Mythic')}" if result.mythics > 0 else ""
        glory, coppers = signed_figure(result.glory), signed_figure(result.coppers)
        yield f"{evening.name(seat)}: Glory {glory}, Coppers {coppers}{mythics}."


def _of_band(evening: Dungeon, fight: BossFight, seat: str) -> str:
    """Return a Boss and its owner; the band's own Monsters are marked as its own."""
    legend = "⭐ " if fight.legend else ""
    whose = "our own" if fight.band == seat else evening.name(fight.band)
    return (
        f"{legend}{_boss_name(fight)} ({pretty(fight.card)}, {whose})"
        if fight.name
        else f"{pretty(fight.card)} ({whose})"
    )
