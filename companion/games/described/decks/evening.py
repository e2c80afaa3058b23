"""The stored facts of a described game, its summary on one page, and its chapter in a deck's story."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from msgspec.structs import replace

from companion.games.described import records as m
from companion.games.described.decks.keeping import campaign_game_text, game_text
from companion.games.described.page.book import card_title
from companion.games.described.page.campaign import CAMPAIGN, stage_text
from companion.games.described.page.description import TABLE, Description, title_of
from companion.games.described.page.texts import PageTexts, several
from companion.games.described.records import GameEvening, PlayedOn
from companion.games.described.rules.places import ranking_of
from companion.games.described.rules.questions import who_won
from companion.games.described.rules.state import DescribedTable
from companion.tabletop.action import DeckId
from companion.tabletop.constructed.table import Brought
from companion.tabletop.decks.stored_decks import StaleMark
from companion.tabletop.evening import (
    CardFigure,
    CardList,
    CardPart,
    CardTable,
    ChapterText,
    EveningCard,
    NameOf,
    Participant,
)
from companion.tabletop.evenings import PlayedAction
from companion.tabletop.records import Mark, Retired
from companion.tabletop.table.display import Display
from companion.tabletop.table.match_result import Contender, MatchResult, Tally, result_of_seat
from companion.tabletop.text import figure
from templates.languages.messages import (
    Finished,
    Message,
    Text,
    WithinSentence,
    all_of,
    joined,
    listed,
    phrase,
    phrases,
)


def evening_of(played: Sequence[PlayedAction], page: Description, display: Display[Any, Any]) -> GameEvening | None:
    """Return the facts of a game so far; None before it begins."""
    end: DescribedTable | None = played[-1].after if played else None
    if end is None or not end.round:
        return None
    return GameEvening(
        participants=tuple(_participant(end, player.seat, player.name) for player in end.players),
        outcome=end.outcome or "",
        rounds=end.rounds,
        won=tuple(player.seat for player in who_won(end)),
        final={
            player.seat: {
                **{word: value for word, value in player.figures.items() if type(value) is int},
                **{
                    counter.name: counter.number
                    for counter in display.counters_of(end, player.seat) or ()
                    if counter.name in page.counters and counter.number is not None
                },
            }
            for player in end.players
        },
        table={
            counter.name: counter.value
            for counter in display.counters_of(end, TABLE) or ()
            if counter.name in page.counters and counter.is_visible and isinstance(counter.value, int | str)
        },
        written=tuple(_mark_entries(end)),
        homes={owner: seat for seat, owner in end.homes.items() if owner != seat and owner not in end.kept_by_holder},
        borne={
            seat: tuple(dict.fromkeys(each.name for each in borne))
            for seat, borne in _first_table(played).borne.items()
        },
        campaign=end.brought[CAMPAIGN].called if CAMPAIGN in end.brought else "",
        scenario=end.campaign.stages.title(end.campaign.scenario) if end.campaign.scenario else "",
    )


def _first_table(played: Sequence[PlayedAction]) -> DescribedTable:
    """Return the table at the beginning of the first round."""
    first: DescribedTable = next(deed.after for deed in played if deed.after.round)
    return first


INSCRIPTION: Final = "inscription"
"""The kind of tally for inscriptions on decks."""


def tallies(evening: GameEvening) -> Iterator[Tally]:
    """Yield the tallies for statistics: one for each inscription on the decks brought."""
    return (Tally(INSCRIPTION, name, seat) for seat, names in evening.borne.items() for name in names)


def played_result(mark: Mark, deck: DeckId) -> MatchResult | None:
    """Return the result of a game from its mark on a deck. It has all players if the mark has the evening."""
    if not isinstance(mark, m.Played):
        return None
    evening = mark.evening
    if evening is None or not evening.outcome:
        own = Contender("", mark.player, mark.result, mark.person, deck, final=mark.final)
        return MatchResult("", (own,), mark.rounds)
    seats = tuple(each.seat for each in evening.participants)
    players = tuple(
        Contender(
            each.seat,
            each.name,
            "won" if each.seat in evening.won else result_of_seat(evening.outcome, each.seat, seats),
            each.person,
            each.deck,
            each.called,
            final=evening.final.get(each.seat, {}),
        )
        for each in evening.participants
    )
    return MatchResult(
        evening.outcome,
        players,
        evening.rounds,
        minutes=evening.minutes,
        venue=evening.venue,
        tallies=tuple(tallies(evening)),
    )


def _participant(end: DescribedTable, seat: str, name: str) -> Participant:
    brought = end.brought.get(seat, Brought())
    return Participant(seat, name, end.persons.get(seat, ""), brought.deck, brought.called)


def without_stale(evening: GameEvening, stale: Sequence[StaleMark]) -> GameEvening:
    """Return an evening without stale marks."""
    gone = {written for deck, mark, _ in stale for written in _entries_of_mark(evening.seat_of(deck) or CAMPAIGN, mark)}
    return replace(evening, written=tuple(each for each in evening.written if each not in gone))


def _mark_entries(end: DescribedTable) -> Iterator[PlayedOn]:
    for seat, marks in end.written.items():
        for mark in marks:
            yield from _entries_of_mark(seat, mark)


def _entries_of_mark(seat: str, mark: Mark) -> Iterator[PlayedOn]:
    """Yield an evening's entry for a mark; nothing for marks that the evening stores elsewhere."""
    match mark:
        case m.Inscribed():
            yield PlayedOn(seat, "inscribed", mark.card, mark.name, by=mark.by)
        case m.CrossedOut():
            yield PlayedOn(seat, "crossed-out", mark.card, mark.name, by=mark.by)
        case m.TornUp():
            yield PlayedOn(seat, "torn-up", mark.card, by=mark.by)
        case m.Counted():
            yield PlayedOn(seat, "counted", "", mark.title, mark.amount, mark.by)
        case m.CampaignStage(_, stage, title) if stage:
            yield PlayedOn(seat, stage, "", title)
        case Retired():
            yield PlayedOn(seat, "retired", by=mark.by)
        case m.Tale():
            yield PlayedOn(seat, "told", "", mark.text, by=mark.by)


def written_text(texts: PageTexts, evening: GameEvening, each: PlayedOn) -> Message:
    """Return the sentence for an entry, such as `Grave Choir: Rust Oath on 9♠.`"""
    text = _entry_text(texts, evening, each)
    # A tale ends with the full stop of its author.
    return text if each.what == "told" else Finished(text)


def _entry_text(texts: PageTexts, evening: GameEvening, each: PlayedOn) -> Message:
    """Return the sentence for an entry without its full stop."""
    deck, name = _deck_name(evening, each.seat), texts.name(each.name)
    title = card_title(each.card)
    card = texts.name(title) if isinstance(title, str) else title
    match each.what:
        case "inscribed":
            return phrase("{deck}: {inscription} on {card}", deck=deck, inscription=name, card=card)
        case "crossed-out":
            return phrase("{deck}: {inscription} on {card} is crossed out", deck=deck, inscription=name, card=card)
        case "torn-up":
            return phrase("{deck}: {card} is torn up", deck=deck, card=card)
        case "counted":
            return phrase("{deck}: {figure} {number} more", deck=deck, figure=name, number=str(each.amount))
        case "open" | "done" | "unlocked":
            return phrase("{deck}: {title} is {stage}", deck=deck, title=name, stage=stage_text(each.what))
        case "retired":
            return phrase("{deck} retires", deck=deck)
        case "told" if each.seat == CAMPAIGN:
            return phrase("{deck}: “{text}”", deck=deck, text=each.name)
    return phrase("{player}: “{text}”", player=evening.participant(each.seat).name, text=each.name)


def card(page: Description, texts: PageTexts, evening: GameEvening) -> EveningCard:
    """Return the summary of the evening on one page."""
    together = {"win": True, "loss": False}.get(evening.outcome)
    return EveningCard(
        game=page.title,
        headline=joined(": ", filter(None, (texts.name(evening.scenario), _headline(page, evening)))),
        subtitle=joined(
            " · ",
            (
                phrase("{player} with {deck}", player=each.name, deck=each.called) if each.called else each.name
                for each in evening.participants
            ),
        ),
        won=together,
        figures=(
            *(CardFigure(value, title) for title, value in _table_figures(page, texts, evening, are_big=True)),
            CardFigure(str(evening.rounds), _rounds_title(page, evening.rounds)),
        ),
        parts=tuple(_card_parts(page, texts, evening)),
        credit=page.credit,
        highlights=tuple(_highlights(page, texts, evening)),
    )


def _table_figures(
    page: Description, texts: PageTexts, evening: GameEvening, *, are_big: bool
) -> Iterator[tuple[Text, Text]]:
    """Yield the table's own figures at the end, each with its title: those shown large, or the others."""
    for word, value in evening.table.items():
        counter = page.counters.get(word)
        if counter is not None and counter.big == are_big:
            yield title_of(word, counter.title), figure(value) if isinstance(value, int) else texts.title(value)


def _rounds_title(page: Description, rounds: int) -> Text:
    """Return the title of a number of rounds, with the page's word for a round if it has one."""
    if page.play.round_title == "Round":
        return phrases("round", "rounds", n=rounds)
    return WithinSentence(several(page.play.round_title, rounds))


def _rounds_text(page: Description, rounds: int) -> Message:
    """Return a number of rounds: `3 rounds`."""
    if page.play.round_title == "Round":
        return phrases("{n} round", "{n} rounds", n=rounds)
    return joined(" ", (str(rounds), _rounds_title(page, rounds)))


def _headline(page: Description, evening: GameEvening) -> Message:
    match evening.outcome:
        case "":
            return phrase("Not over after {rounds}", rounds=_rounds_text(page, evening.rounds))
        case "draw":
            return phrase("A draw")
        case "win":
            return phrase("Everybody wins together")
        case "loss":
            return phrase("Everybody loses together")
    names = [evening.name(seat) for seat in evening.won]
    if not names:
        return phrase("It is over")
    return phrases("{players} wins", "{players} win", n=len(names), players=all_of(names))


def _highlights(page: Description, texts: PageTexts, evening: GameEvening) -> Iterator[Text]:
    """Yield highlights of the game: changes of decks, the deciding figures, and the number of rounds."""
    yield from (_entry_text(texts, evening, each) for each in evening.written)
    yield from (joined(" ", each) for each in _table_figures(page, texts, evening, are_big=True))
    ranking = ranking_of(page)
    if ranking is not None:
        finals = {
            seat: figures[ranking.counter] for seat, figures in evening.final.items() if ranking.counter in figures
        }
        if finals:
            best = sorted(finals.items(), key=lambda each: each[1], reverse=not ranking.lowest_wins)
            yield listed(joined(" ", (evening.name(seat), figure(value))) for seat, value in best)
    yield phrase("it took {rounds}", rounds=_rounds_text(page, evening.rounds))


def _card_parts(page: Description, texts: PageTexts, evening: GameEvening) -> Iterator[CardPart]:
    words = [
        word
        for word, counter in page.counters.items()
        if counter.of == "seat" and not counter.words and not counter.hidden
    ]
    if words and evening.final:
        rows = tuple(
            (each.name, *(_cell_text(evening.final.get(each.seat, {}), word) for word in words))
            for each in evening.participants
        )
        headings = ("", *(title_of(word, page.counters[word].title) for word in words))
        yield CardTable(phrase("At the end"), headings, rows, tuple(range(1, len(words) + 1)))
    if others := tuple(_table_figures(page, texts, evening, are_big=False)):
        yield CardList(phrase("The table"), tuple(joined(" ", each) for each in others))
    if evening.written:
        yield CardList(
            phrase("What was written"), tuple(written_text(texts, evening, each) for each in evening.written)
        )
    if evening.homes:
        homes = (
            phrase("{deck} went to {player}.", deck=_deck_name(evening, seat), player=evening.name(taker))
            for seat, taker in evening.homes.items()
        )
        yield CardList(phrase("What changed hands"), tuple(homes))


def _cell_text(figures: Mapping[str, int], word: str) -> str:
    return figure(figures[word]) if word in figures else ""


def _deck_name(evening: GameEvening, seat: str) -> Text:
    if seat == CAMPAIGN:
        return evening.campaign
    who = evening.participant(seat)
    return who.called or phrase("{player}'s deck", player=who.name)


def chapter(mark: Mark, texts: PageTexts, deck: DeckId, name_of: NameOf) -> ChapterText | None:
    """Return the chapter of a game in a deck's story, from its mark; None for other marks."""
    if isinstance(mark, m.CampaignGame):
        return _campaign_chapter(mark, texts, name_of)
    if not isinstance(mark, m.Played):
        return None
    player = name_of(mark.player, mark.person)
    evening = mark.evening.with_names(name_of) if mark.evening else None
    seat = evening.seat_of(deck) if evening else ""
    others = evening.others(seat) if evening and seat else mark.others
    called = m.Played(player, mark.result, others, mark.rounds, final=mark.final)
    facts = (
        tuple(written_text(texts, evening, each) for each in evening.written if each.seat != seat) if evening else ()
    )
    return ChapterText(game_text(called), evening.venue if evening else "", facts)


def _campaign_chapter(mark: m.CampaignGame, texts: PageTexts, name_of: NameOf) -> ChapterText:
    """Return the chapter of a game in the story of its campaign, with everything that was written then."""
    evening = mark.evening.with_names(name_of) if mark.evening else None
    if evening is not None:
        players = tuple(each.name for each in evening.participants)
        winners = tuple(evening.name(seat) for seat in evening.won) if mark.winners else ()
        mark = replace(mark, players=players, winners=winners)
    facts = (
        tuple(written_text(texts, evening, each) for each in evening.written if each.seat != CAMPAIGN)
        if evening
        else ()
    )
    return ChapterText(campaign_game_text(mark), evening.venue if evening else "", facts)
