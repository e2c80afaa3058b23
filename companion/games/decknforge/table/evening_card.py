"""A dungeon on one page, and as the sentences of a chapter, from the same facts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from msgspec.structs import replace

from companion.games.decknforge.book.state import BOSSES
from companion.games.decknforge.decks.evening import BossFight, Dungeon, InscriptionChange, TurningPoint, WizardResult
from companion.games.decknforge.decks.marks import DungeonPlayed
from companion.games.decknforge.decks.story import played_text
from companion.games.decknforge.glossary import effect_title
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
from companion.tabletop.notation.cards import Card, card_title, pretty
from templates.languages.messages import Message, Text, all_of, joined, listed, phrase, phrase_in, phrases, signed

_MOST_TURNING_POINTS: Final = 6


def card(evening: Dungeon) -> EveningCard:
    """Return a dungeon on one page."""
    won = {"win": True, "loss": False}.get(evening.outcome)
    return EveningCard(
        game=IMPRINT.title,
        headline=_headline(evening),
        subtitle=joined(
            " · ",
            (
                phrase("{player} with {band}", player=each.name, band=each.called) if each.called else each.name
                for each in evening.participants
            ),
        ),
        won=won,
        figures=tuple(_outstanding_figures(evening)),
        parts=tuple(_card_parts(evening)),
        credit=IMPRINT.credit,
        highlights=tuple(_highlights(evening)),
    )


def _headline(evening: Dungeon) -> Message:
    fallen = sum(fight.dead for fight in evening.fights)
    if evening.outcome == "win":
        return phrase("All six Bosses fell")
    last = evening.fights[-1]
    if evening.outcome == "loss":
        return phrase(
            "Lost to {monster}, Boss {number} of {bosses}", monster=_boss_name(last), number=last.number, bosses=BOSSES
        )
    return phrase("{fallen} of {bosses} Bosses down, and not over yet", fallen=fallen, bosses=BOSSES)


_NARROW: Final = 3
"""HP with which a wizard survived narrowly enough to be a highlight."""


def _highlights(evening: Dungeon) -> Iterator[Message]:
    """Yield the highlights of a dungeon, the rare ones first."""
    for rescue in evening.rescues:
        yield phrase(
            "{player} saved {other} from {monster}",
            player=evening.name(rescue.seat),
            other=evening.name(rescue.other),
            monster=_boss_of(evening, rescue.boss),
        )
    low = evening.narrowest
    if low and low.hp <= _NARROW:
        yield phrase(
            "{player} was left with {hp} HP by {monster}",
            player=evening.name(low.seat),
            hp=low.hp,
            monster=_boss_of(evening, low.boss),
        )
    for kind in ("left", "stolen", "fell"):
        for point in evening.turning_points:
            if point.kind == kind:
                yield _told_of(evening, point)
    last = evening.fights[-1]
    if last.dead and last.killer and evening.outcome == "win":
        yield phrase("{player} took {monster} at the end", player=evening.name(last.killer), monster=_boss_name(last))
    if hit := evening.best_hit:
        yield phrase(
            "{player} hit {monster} for {damage}",
            player=evening.name(hit.seat),
            monster=_boss_of(evening, hit.boss),
            damage=hit.damage,
        )
    if rounds := sum(fight.rounds for fight in evening.fights):
        yield phrases("it took {n} round", "it took {n} rounds", n=rounds)


def _told_of(evening: Dungeon, point: TurningPoint) -> Message:
    """Return a turning point in a few words."""
    name, boss = evening.name(point.seat), _boss_of(evening, point.boss)
    match point.kind:
        case "left":
            return phrase("{player} left the table at {monster}", player=name, monster=boss)
        case "stolen" if point.other:
            other = evening.name(point.other)
            return phrase("{player} took {monster} from {other}", player=name, monster=boss, other=other)
        case "stolen":
            return phrase("{player} took {monster} from another", player=name, monster=boss)
        case _:
            return phrase("{player} fell to {monster}", player=name, monster=boss)


def _boss_name(fight: BossFight) -> Text:
    return fight.name or card_title(fight.card)


def _boss_of(evening: Dungeon, number: int) -> Text:
    fight = evening.fight(number)
    return _boss_name(fight) if fight else phrase("Boss {number}", number=number)


def _outstanding_figures(evening: Dungeon) -> Iterator[CardFigure]:
    """Yield the outstanding figures: Bosses, the best strike, the best hit, the narrowest moment."""
    fallen = sum(fight.dead for fight in evening.fights)
    rounds = sum(fight.rounds for fight in evening.fights)
    yield CardFigure(f"{fallen} / {BOSSES}", phrase("Bosses"), phrases("in {n} round", "in {n} rounds", n=rounds))
    if best := evening.best_strike:
        # Labels such as Resilient reduce the total damage and not that of a card.
        less = sum(hit.damage for hit in best.hits) - best.damage
        sums = " + ".join(f"{hit.damage}" for hit in best.hits) + (f" − {less}" if less > 0 else "")
        boss = _boss_of(evening, best.boss)
        # Translators: {sum} is the damage of each card, such as “9 + 4”.
        note = phrase("{sum} on {monster}", sum=sums, monster=boss) if len(best.hits) > 1 else boss
        yield CardFigure(str(best.damage), phrase("best strike"), note)
    if hit := evening.best_hit:
        note = phrase(
            "{player}, {card} on {monster}",
            player=evening.name(hit.seat),
            card=card_title(hit.card),
            monster=_boss_of(evening, hit.boss),
        )
        yield CardFigure(str(hit.damage), phrase("best hit"), note)
    if low := evening.narrowest:
        when = phrase("round {round}", round=low.round)
        note = listed((evening.name(low.seat), _boss_of(evening, low.boss), when))
        yield CardFigure(phrase("{hp} HP", hp=low.hp), phrase("narrowest moment"), note)


def _card_parts(evening: Dungeon) -> Iterator[CardPart]:
    yield CardTable(
        phrase("Bosses"),
        (phrase("Boss"), phrase("HP, round by round"), phrase("Killing Blow"), phrase("Overkill")),
        tuple(_boss_row(evening, fight) for fight in evening.fights),
        figures=(3,),
    )
    yield CardChart(
        phrase("Damage dealt to Bosses"),
        tuple(_damage_bar(evening, result.seat) for result in evening.wizards),
        tuple(phrase("Boss {number}", number=fight.number) for fight in evening.fights),
    )
    yield CardTable(
        phrase("Wizards"),
        (
            *(phrase("Wizard"), phrase("Kills"), phrase("Personal Glory"), phrase("Glory")),
            *(phrase("Coppers"), phrase("Mythics")),
        ),
        tuple(_wizard_row(evening, result) for result in evening.wizards),
        figures=(1, 2, 3, 4, 5),
    )
    points = _most_important(evening.turning_points)
    if points:
        yield CardList(phrase("Turning points"), tuple(turning_point(evening, point) for point in points))
    if changes := tuple(_won_and_lost(evening)):
        yield CardList(phrase("Won and lost"), changes)
    if hands := tuple(_drift_sentences(evening)):
        yield CardList(phrase("What changed hands"), hands)


def _boss_row(evening: Dungeon, fight: BossFight) -> tuple[Text, ...]:
    # Translators: in place of who took the Killing Blow: the Boss is still alive.
    blow = killing_blow(evening, fight) if fight.dead else phrase_in("killing blow", "none, it lives")
    legend = "⭐ " if fight.legend else ""
    name = f"{legend}{_boss_name(fight)}"
    where = phrase("{monster} ({card})", monster=name, card=card_title(fight.card)) if fight.name else name
    return where, " → ".join(map(str, _hp_course(fight))), blow, str(fight.overkill) if fight.dead else "–"


_MOST_STEPS: Final = 5


def _hp_course(fight: BossFight) -> Sequence[int | str]:
    """Return a Boss's HP at the start and after each round; if there are many rounds, only after the last ones."""
    rounds, start = fight.hp_after, fight.hp if fight.hp_at_start is None else fight.hp_at_start
    return (start, *rounds) if len(rounds) <= _MOST_STEPS else (start, "…", *rounds[-_MOST_STEPS + 1 :])


def killing_blow(evening: Dungeon, fight: BossFight) -> Text:
    """Return the Killer and the card: `Ana, 9♠`."""
    if not fight.killer:
        return phrase("nobody")
    if fight.is_card_unknown:
        return evening.name(fight.killer)
    card = pretty(Card(fight.kill_card)) if fight.kill_card else effect_title("thorns")
    return listed((evening.name(fight.killer), card))


def _damage_bar(evening: Dungeon, seat: str) -> CardBar:
    parts = tuple(fight.damage.get(seat, 0) for fight in evening.fights)
    return CardBar(evening.name(seat), parts, str(sum(parts)))


def _wizard_row(evening: Dungeon, result: WizardResult) -> tuple[Text, ...]:
    kills = sum(fight.killer == result.seat for fight in evening.fights)
    figures = (
        str(kills),
        str(result.personal),
        signed(result.glory),
        _coppers_text(result),
        str(result.mythics or "–"),
    )
    return evening.name(result.seat), *figures


def _coppers_text(result: WizardResult) -> Message:
    """Return the Coppers earned and those spent: `+20`, `+20 −15`."""
    spent = result.earned - result.coppers
    if result.earned and spent > 0:
        return joined(" ", (signed(result.earned), signed(-spent)))
    return signed(result.coppers)


_RANKS: Final = ("left", "stolen", "lead", "fell", "healed")


def _most_important(points: Sequence[TurningPoint]) -> Sequence[TurningPoint]:
    """Return the turning points that fit on a page, in order; if there are too many, the most important kinds."""
    by_rank = sorted(points, key=lambda point: _RANKS.index(point.kind))[:_MOST_TURNING_POINTS]
    return [point for point in points if point in by_rank]


def turning_point(evening: Dungeon, point: TurningPoint) -> Message:
    """Return a turning point as a sentence: `Boss 3, round 2: Ben takes the Killing Blow that was due to Ana.`"""
    # Translators: {event} is what happened: “Ben falls to 0 HP”.
    return phrase(
        "Boss {number}, round {round}: {event}.",
        number=point.boss,
        round=point.round,
        event=_describe_point(evening, point),
    )


def _describe_point(evening: Dungeon, point: TurningPoint) -> Message:
    name = evening.name(point.seat) if point.seat else ""
    other = evening.name(point.other) if point.other else ""
    match point.kind:
        case "lead":
            return phrase("{player} takes the lead in Glory from {other}", player=name, other=other)
        case "stolen":
            return phrase("{player} takes the Killing Blow that was due to {other}", player=name, other=other)
        case "fell":
            return phrase("{player} falls to 0 HP", player=name)
        case "healed":
            return phrase("{monster} heals {hp}", monster=_boss_of(evening, point.boss), hp=point.amount)
        case "left":
            return phrase("{player} leaves the table", player=name)


def _won_and_lost(evening: Dungeon) -> Iterator[Message]:
    """Yield sentences about the changes of labels and inscriptions."""
    for label in evening.labels:
        yield phrase(
            "{player} labels {card} of {band} {label}.",
            player=evening.name(label.by),
            card=card_title(label.card),
            band=_band_name(evening, label.band),
            label=effect_title(label.label),
        )
    for change in evening.inscriptions:
        if change.what != "carried-off":  # reported for the band that gained it
            yield inscription_change(evening, change)


def _drift_sentences(evening: Dungeon) -> Iterator[Message]:
    """Yield sentences about the bands that changed hands or retired."""
    for drift in evening.drifts:
        yield phrase("{band} goes to {player}.", band=_band_name(evening, drift.band), player=evening.name(drift.to))
    for seat in evening.retired:
        yield phrase("{band} retires.", band=_band_name(evening, seat))


def _band_name(evening: Dungeon, seat: str) -> Text:
    participant = evening.participant(seat)
    return participant.called or phrase("the band of {player}", player=participant.name)


def inscription_change(evening: Dungeon, change: InscriptionChange) -> Message:
    """Return a change as a sentence: `9♠ of the Grave Choir gains Sharp, bought by Ana.`"""
    card, band, title = pretty(change.card), _band_name(evening, change.band), effect_title(change.inscription)
    match change.what:
        case "bought" if change.by:
            return phrase(
                "{card} of {band} gains {inscription}, bought by {player}.",
                card=card,
                band=band,
                inscription=title,
                player=evening.name(change.by),
            )
        case "bought":
            return phrase("{card} of {band} gains {inscription}, bought.", card=card, band=band, inscription=title)
        case "mythic" if change.by:
            return phrase(
                "{card} of {band} gains {inscription}, a Mythic placed by {player}.",
                card=card,
                band=band,
                inscription=title,
                player=evening.name(change.by),
            )
        case "mythic":
            return phrase(
                "{card} of {band} gains {inscription}, a Mythic placed.", card=card, band=band, inscription=title
            )
        case "carried-in":
            return phrase(
                "{card} of {band} gains {inscription}, carried from {other}.",
                card=card,
                band=band,
                inscription=title,
                other=_band_name(evening, change.by),
            )
        case "carried-off":
            return phrase(
                "{card} of {band} leaves with {inscription}, for {other}.",
                card=card,
                band=band,
                inscription=title,
                other=_band_name(evening, change.by),
            )
        case "cursed":
            return phrase("{card} of {band} loses {inscription} to a curse.", card=card, band=band, inscription=title)
    return phrase("{card} of {band} fades: {inscription} is crossed out.", card=card, band=band, inscription=title)


def chapter(mark: DungeonPlayed, deck: DeckId, name_of: NameOf) -> ChapterText:
    """Return a dungeon as a chapter of a band's story; of old records only the outcome is known."""
    if mark.evening is None:
        return ChapterText(played_text(replace(mark, wizard=name_of(mark.wizard, ""))))
    evening = mark.evening.with_names(name_of)
    seat = evening.seat_of(deck) or next((each.seat for each in evening.participants if each.name == mark.wizard), "")
    title = _chapter_title(evening.name(seat), mark, all_of(evening.others(seat)))
    return ChapterText(title, evening.venue, tuple(_band_facts(evening, seat)))


def _chapter_title(player: str, mark: DungeonPlayed, others: Message) -> Message:
    match mark.outcome == "win", bool(others):
        case True, True:
            return phrases(
                "{player} won a dungeon with {others}, after {n} Boss",
                "{player} won a dungeon with {others}, after {n} Bosses",
                n=mark.bosses,
                player=player,
                others=others,
            )
        case True, False:
            return phrases(
                "{player} won a dungeon, alone, after {n} Boss",
                "{player} won a dungeon, alone, after {n} Bosses",
                n=mark.bosses,
                player=player,
            )
        case False, True:
            return phrases(
                "{player} lost a dungeon with {others}, after {n} Boss",
                "{player} lost a dungeon with {others}, after {n} Bosses",
                n=mark.bosses,
                player=player,
                others=others,
            )
    return phrases(
        "{player} lost a dungeon, alone, after {n} Boss",
        "{player} lost a dungeon, alone, after {n} Bosses",
        n=mark.bosses,
        player=player,
    )


def _band_facts(evening: Dungeon, seat: str) -> Iterator[Message]:
    """Yield what happened besides the band's own marks; `seat` brought the band."""
    for fight in evening.fights:
        yield _describe_fight(evening, fight, seat)
    if low := evening.narrowest:
        yield phrase(
            "Narrowest moment: {player} at {hp} HP against {monster}, round {round}.",
            player=evening.name(low.seat),
            hp=low.hp,
            monster=_boss_of(evening, low.boss),
            round=low.round,
        )
    if hit := evening.best_hit:
        yield phrase(
            "Best hit: {player} with {card}, {damage} on {monster}.",
            player=evening.name(hit.seat),
            card=card_title(hit.card),
            damage=hit.damage,
            monster=_boss_of(evening, hit.boss),
        )
    for point in evening.turning_points:
        if point.kind in ("stolen", "left"):
            yield turning_point(evening, point)
    result = next((each for each in evening.wizards if each.seat == seat), None)
    if result:
        figures = [
            phrase("Glory {change}", change=signed(result.glory)),
            phrase("Coppers {change}", change=signed(result.coppers)),
        ]
        if result.mythics > 0:
            figures.append(phrases("{n} Mythic", "{n} Mythics", n=result.mythics))
        yield phrase("{player}: {figures}.", player=evening.name(seat), figures=listed(figures))


def _describe_fight(evening: Dungeon, fight: BossFight, seat: str) -> Message:
    boss = _of_band(evening, fight, seat)
    if not fight.dead:
        return phrase(
            "Boss {number}, {monster}, lived, with {left} of {hp} HP left.",
            number=fight.number,
            monster=boss,
            left=fight.hp_after[-1] if fight.hp_after else fight.hp,
            hp=fight.hp,
        )
    blow = killing_blow(evening, fight)
    if fight.overkill:
        return phrases(
            "Boss {number}, {monster}, fell in {n} round: {killer}, overkill {overkill}.",
            "Boss {number}, {monster}, fell in {n} rounds: {killer}, overkill {overkill}.",
            n=fight.rounds,
            number=fight.number,
            monster=boss,
            killer=blow,
            overkill=fight.overkill,
        )
    return phrases(
        "Boss {number}, {monster}, fell in {n} round: {killer}.",
        "Boss {number}, {monster}, fell in {n} rounds: {killer}.",
        n=fight.rounds,
        number=fight.number,
        monster=boss,
        killer=blow,
    )


def _of_band(evening: Dungeon, fight: BossFight, seat: str) -> Message:
    """Return a Boss and its owner; the band's own Monsters are marked as its own."""
    legend = "⭐ " if fight.legend else ""
    # Translators: The Monster belongs to the band whose story is told.
    whose = phrase("our own") if fight.band == seat else evening.name(fight.band)
    if not fight.name:
        return phrase("{card} ({owner})", card=card_title(fight.card), owner=whose)
    return phrase(
        "{monster} ({card}, {owner})",
        monster=f"{legend}{_boss_name(fight)}",
        card=card_title(fight.card),
        owner=whose,
    )
