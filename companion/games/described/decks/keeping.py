"""Inscribed decks in storage: the spots on their cards and boxes, their stories, and their passports."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, MutableMapping, Sequence
from typing import Any, ClassVar, Final

import msgspec

from companion.games.described import records as m
from companion.games.described.page.book import DescribedBook, card_title
from companion.games.described.page.campaign import stage_text
from companion.games.described.page.description import Description, title_of
from companion.games.described.page.texts import as_written
from companion.games.described.records import PLAYED, WON, Borne, InscribedRecord, record
from companion.tabletop import records as stories
from companion.tabletop.action import NotationError, RuleError
from companion.tabletop.decks.keeping import Keeping, Spots, Whole, follow, read_pack
from companion.tabletop.records import (
    Chore,
    Corrected,
    HandedOn,
    Mark,
    ReasonOrText,
    Renamed,
    Retired,
    describe_reason,
    effective,
)
from companion.tabletop.text import figure, in_quotes
from templates.languages.messages import Finished, Message, Text, all_of, joined, listed, phrase, phrase_in, phrases

# Spots are stored in ticks and passports, so these words are permanent: "name", "box", "holder" and "retired" are on
# the box, "9S #7" is the inscription with the number 7 on a card (its value is the number of copies), and "9S torn" is
# a
# torn-up card. On the sheet of a campaign, "mill stage" is how far it has come with a scenario or thing.
_ON_THE_BOX: Final = ("name", "box", "holder", "retired")
_INSCRIBED: Final = re.compile(r"(.+) #([0-9]{1,4})")
_TORN: Final = re.compile(r"(.+) torn")
_STAGE: Final = re.compile(r"(.+) stage")
_STANDS: Final = "yes"
_ABSENT: Final = frozenset({"", "no", "n", "-", "none", "0"})
_PRESENT: Final = frozenset({"yes", "y"})
_FIGURE: Final = re.compile(r"([a-z][a-z0-9-]*) ([0-9]{1,7})")
_MOST: Final = 9


def inscribed_spot(card: str, number: int) -> str:
    """Return the spot of an inscription on a card."""
    return f"{card} #{number}"


def torn_spot(card: str) -> str:
    """Return the spot of a torn-up card."""
    return f"{card} torn"


def read_spot(spot: str) -> tuple[str, int]:
    """Return the card of a spot and the number of its inscription.

    The number is 0 if the card is torn up. A spot on the box has an empty card.
    """
    if match := _INSCRIBED.fullmatch(spot):
        return match[1], int(match[2])
    torn = _TORN.fullmatch(spot)
    return (torn[1], 0) if torn else ("", 0)


def stage_spot(word: str) -> str:
    """Return the spot of a scenario or thing of a campaign."""
    return f"{word} stage"


def read_stage_spot(spot: str) -> str:
    """Return the word of a scenario or thing from its spot; "" for any other spot."""
    match = _STAGE.fullmatch(spot)
    return match[1] if match else ""


def box_text(figures: Mapping[str, int]) -> str:
    """Return the figures of a box as text: `played 4, won 2, slain 12`."""
    return ", ".join(f"{word} {number}" for word, number in figures.items() if number or word in (PLAYED, WON))


def read_box(text: str) -> dict[str, int]:
    """Parse the figures on a box. Raises RuleError if a part is not a word and a number."""
    figures = {}
    for part in filter(None, (part.strip().lower() for part in text.split(","))):
        match = _FIGURE.fullmatch(part)
        if match is None:
            raise RuleError(
                phrase(
                    "{word} is not something that a box counts; write it as “played 4, won 2”.", word=in_quotes(part)
                )
            )
        figures[match[1]] = int(match[2])
    return figures


class InscribedSpots:
    """The effects of marks on a deck's cards and box. The page names the inscriptions in chores."""

    def __init__(self, book: DescribedBook) -> None:
        self._book = book

    def write(self, spots: MutableMapping[str, str], mark: Mark) -> None:
        """Update the required contents of cards and box by one mark."""
        match mark:
            case m.Founded():
                spots.update(_told_of(mark.name, mark.holder))
                spots.update(_stage_spots(mark.campaign))
            case m.Adopted():
                spots.update(_adopted_spots(mark))
            case m.Inscribed() | m.CrossedOut() | m.TornUp():
                _write_on_card(spots, mark)
            case Renamed(name):
                spots["name"] = name
            case HandedOn(holder):
                spots["holder"] = holder
            case Retired():
                spots["retired"] = _STANDS
            case m.CampaignStage(word, stage):
                spots.pop(stage_spot(word), None)
                spots.update({stage_spot(word): stage} if stage else {})
            case m.Played() | m.Counted() | m.Recounted() | m.CampaignGame():
                spots["box"] = box_text(_box_figures(read_box(spots.get("box", "")), mark))

    def immediate_spots(self, mark: Mark) -> Spots:
        """Return the spots that a first mark finds already done.

        The holder has a new deck in hand; an adopted deck has everything but the spots still due.
        """
        if isinstance(mark, m.Founded):
            # The sheet of a campaign is printed with what it begins with.
            return {**({"holder": mark.holder} if mark.holder else {}), **_stage_spots(mark.campaign)}
        if isinstance(mark, m.Adopted):
            stands = _adopted_spots(mark)
            there = {spot: text for spot, text in stands.items() if spot not in mark.due}
            return there | {spot: _STANDS for spot in mark.due if spot not in stands}
        return {}

    def text(self, spot: str, value: str, mark: Mark) -> Text:
        """Return the chore as a sentence without a full stop."""
        if spot in _ON_THE_BOX:
            return _write_on_box(spot, value) if value else _strike_out(spot)
        if word := read_stage_spot(spot):
            return _write_stage(self._book.campaign.title(word, _stored_title(word, mark)), value)
        card, number = read_spot(spot)
        title = card_title(card)
        if not number:
            if value:
                return phrase("Tear up {card}", card=title)
            return phrase("Put {card} back, or replace it", card=title)
        name = self.name(number, mark)
        if not value:
            return phrase("Cross out {inscription} on {card}", inscription=name, card=title)
        if value == _STANDS:
            return phrase("Stick {inscription} on {card}", inscription=name, card=title)
        return phrase(
            "Stick {inscription} on {card}, so that it stands there {number} times",
            inscription=name,
            card=title,
            number=value,
        )

    def text_if_there(self, spot: str, mark: Mark) -> Text:
        """Return the chore for a label that may be stuck without a tick, or an empty string.

        It is empty for marks that someone made by looking at the card.
        """
        number = read_spot(spot)[1]
        gone = isinstance(mark, Corrected) or (isinstance(mark, m.CrossedOut) and not mark.noticed)
        if not number or not gone:
            return ""
        card = card_title(read_spot(spot)[0])
        return phrase(
            "Leave {inscription} off {card}, or cross it out if it is stuck already",
            inscription=self.name(number, mark),
            card=card,
        )

    def name(self, number: int, mark: Mark | None = None) -> Text:
        """Return the name of an inscription: the one that the mark stored, or else the page's."""
        borne = mark.borne if isinstance(mark, m.Adopted) else ()
        names = {each.number: each.name for each in borne}
        if isinstance(mark, m.Inscribed | m.CrossedOut):
            names[mark.number] = mark.name
        return self._book.texts.name(names[number]) if names.get(number) else self._book.name(number)


def _write_on_card(spots: MutableMapping[str, str], mark: m.Inscribed | m.CrossedOut | m.TornUp) -> None:
    match mark:
        case m.Inscribed(card, number):
            _add_to_spot(spots, inscribed_spot(card, number), 1)
        case m.CrossedOut(card, number):
            _add_to_spot(spots, inscribed_spot(card, number), -1)
        case m.TornUp(card):
            # Its inscriptions go with the card; crossing them out would be a needless chore.
            spots[torn_spot(card)] = _STANDS


def _write_on_box(spot: str, value: str) -> Message:
    match spot:
        case "name":
            return phrase("Write {name} on the box", name=value)
        case "box":
            return phrase("Write “{figures}” on the box", figures=value)
        case "holder":
            return phrase("Give the box to {holder}", holder=value)
    return phrase("Write “retired” on the box")


def _write_stage(title: Text, stage: str) -> Message:
    match stage:
        case "open":
            return phrase("Write on the campaign sheet that {title} is open", title=title)
        case "done":
            return phrase("Write on the campaign sheet that {title} is done", title=title)
        case "unlocked":
            return phrase("Write on the campaign sheet that {title} is unlocked", title=title)
    return phrase("Cross out {title} on the campaign sheet", title=title)


def _stored_title(word: str, mark: Mark) -> str:
    """Return the title of a scenario or thing that a mark stored."""
    if isinstance(mark, m.CampaignStage):
        return mark.title
    campaign = mark.campaign if isinstance(mark, m.Founded | m.Adopted) else None
    return campaign.title(word) if campaign else ""


def _stage_spots(campaign: m.CampaignStages | None) -> dict[str, str]:
    return {stage_spot(word): stage for word, stage in campaign.stages.items()} if campaign else {}


def _strike_out(spot: str) -> Message:
    match spot:
        case "name":
            return phrase("Cross out the name on the box")
        case "box":
            return phrase("Cross out what the box counts")
        case "holder":
            return phrase("Cross out the holder on the box")
    return phrase("Cross out “retired” on the box")


def _add_to_spot(spots: MutableMapping[str, str], spot: str, more: int) -> None:
    number = _spot_count(spots.get(spot, "")) + more
    if number > 0:
        spots[spot] = _as_times(number)
    else:
        spots.pop(spot, None)


def _spot_count(value: str) -> int:
    return 1 if value == _STANDS else int(value or 0)


def _as_times(number: int) -> str:
    return _STANDS if number == 1 else str(number)


def _box_figures(figures: dict[str, int], mark: Mark) -> Mapping[str, int]:
    match mark:
        case m.Played():
            played = {PLAYED: figures.get(PLAYED, 0) + 1, WON: figures.get(WON, 0) + (mark.result == "won")}
            return {**figures, **played}
        case m.CampaignGame():
            played = {PLAYED: figures.get(PLAYED, 0) + 1, WON: figures.get(WON, 0) + (mark.result == "won")}
            return {**figures, **played, **mark.figures}
        case m.Counted():
            return {
                PLAYED: 0,
                WON: 0,
                **figures,
                mark.figure: max(0, figures.get(mark.figure, 0) + mark.amount),
            }
        case m.Recounted():
            return {**figures, **mark.figures}
    return figures


def _told_of(name: str, holder: str) -> dict[str, str]:
    return {"name": name, **({"holder": holder} if holder else {})}


def _adopted_spots(mark: m.Adopted) -> dict[str, str]:
    """Return all spots on an adopted deck's cards and box."""
    spots: dict[str, str] = _told_of(mark.name, mark.holder)
    for each in mark.borne:
        _add_to_spot(spots, inscribed_spot(each.card, each.number), 1)
    spots |= {torn_spot(card): _STANDS for card in mark.torn}
    spots |= _stage_spots(mark.campaign)
    if mark.played or mark.won or mark.counts:
        spots["box"] = box_text({PLAYED: mark.played, WON: mark.won, **mark.counts})
    return {**spots, **({"retired": _STANDS} if mark.retired else {})}


class InscribedStory(stories.RecordStory):
    """The sentences for a deck's marks."""

    reason = staticmethod(describe_reason)

    def __init__(self, marks: Sequence[Mark], spots: InscribedSpots) -> None:
        super().__init__(marks, follow(spots, marks).did)

    def plain(self, number: int, mark: Mark) -> Text:  # noqa: ARG002 – marks tell all by themselves
        """Return the sentence for a mark."""
        return _SENTENCES[type(mark)](mark)


def _describe_founding(mark: m.Founded) -> Message:
    if mark.campaign is not None:
        return _describe_campaign_start(mark, mark.campaign)
    answers = [joined(": ", (title_of(word), answer)) for word, answer in mark.answers.items() if answer]
    if mark.holder and answers:
        return phrase("{player} began {deck} ({answers}).", player=mark.holder, deck=mark.name, answers=listed(answers))
    if mark.holder:
        return phrase("{player} began {deck}.", player=mark.holder, deck=mark.name)
    if answers:
        return phrase("Somebody began {deck} ({answers}).", deck=mark.name, answers=listed(answers))
    return phrase("Somebody began {deck}.", deck=mark.name)


def _describe_campaign_start(mark: m.Founded, campaign: m.CampaignStages) -> Message:
    opens = listed(map(campaign.title, campaign.of_stage("open")))
    if mark.holder and campaign.of_stage("open"):
        return phrase(
            "{player} began the campaign {campaign}; open: {scenarios}.",
            player=mark.holder,
            campaign=mark.name,
            scenarios=opens,
        )
    if mark.holder:
        return phrase("{player} began the campaign {campaign}.", player=mark.holder, campaign=mark.name)
    return phrase("The campaign {campaign} began.", campaign=mark.name)


def _describe_adopted_campaign(mark: m.Adopted, campaign: m.CampaignStages) -> Message:
    stages = [joined(" ", (campaign.title(word), stage_text(stage))) for word, stage in campaign.stages.items()]
    values = {
        "campaign": mark.name,
        "box": box_text({PLAYED: mark.played, WON: mark.won, **mark.counts}),
        "stages": listed(stages) if stages else phrase_in("scenarios", "nothing"),
    }
    # Translators: {box} are figures: “played 4, won 2”; {stages} such as “The Mill done, Lantern unlocked”.
    if mark.story:
        return phrase(
            "The campaign {campaign} came in with its passport, {marks} entries old, with {box}; {stages}.",
            marks=str(mark.length - 1),
            **values,
        )
    return phrase("The campaign {campaign} came in from its paper with {box}; {stages}.", **values)


def _describe_adoption(mark: m.Adopted) -> Message:
    if mark.campaign is not None:
        return _describe_adopted_campaign(mark, mark.campaign)
    bears = [
        phrase("{inscription} on {card}", inscription=each.name, card=card_title(each.card)) for each in mark.borne
    ]
    values = {
        "deck": mark.name,
        "box": box_text({PLAYED: mark.played, WON: mark.won, **mark.counts}),
        "inscriptions": listed(bears) if bears else phrase_in("inscriptions", "nothing"),
    }
    # Translators: {box} is what the box counts: “played 4, won 2”.
    if mark.story:
        return phrase(
            "{deck} came in with its passport, {marks} entries old, with {box}; {inscriptions} inscribed.",
            marks=str(mark.length - 1),
            **values,
        )
    return phrase("{deck} came in from its paper with {box}; {inscriptions} inscribed.", **values)


def _describe_inscription(mark: m.Inscribed) -> Message:
    values = {"card": card_title(mark.card), "inscription": mark.name}
    if mark.price:
        values["price"] = str(mark.price)
        if mark.how == "found":
            event = phrase("{card} was found to bear {inscription}, bought for {price}", **values)
        else:
            event = phrase("{card} received {inscription}, bought for {price}", **values)
    elif mark.how == "found":
        event = phrase("{card} was found to bear {inscription}", **values)
    else:
        event = phrase("{card} received {inscription}", **values)
    return _credited(event, mark.by, mark.reason)


def played_text(mark: m.Played) -> Message:
    """Return the sentence for a game.

    Example: `Ana won a game with it at a table with Ben and Cy, after 6 rounds: embers 4.`
    """
    return Finished(game_text(mark))


def game_text(mark: m.Played) -> Message:
    """Return the sentence for a game without its full stop."""
    game = _describe_game(mark)
    final = [joined(" ", (word, figure(number))) for word, number in mark.final.items()]
    return joined(": ", (game, listed(final))) if final else game


def _describe_game(mark: m.Played) -> Message:
    """Return who played a game with the deck, with whom, and how long."""
    if not mark.rounds:
        return _describe_result(mark)
    values = {"player": mark.player, "others": all_of(mark.others)}
    match mark.result, bool(mark.others):
        case "won", True:
            return phrases(
                "{player} won a game with it at a table with {others}, after {n} round",
                "{player} won a game with it at a table with {others}, after {n} rounds",
                n=mark.rounds,
                **values,
            )
        case "lost", True:
            return phrases(
                "{player} lost a game with it at a table with {others}, after {n} round",
                "{player} lost a game with it at a table with {others}, after {n} rounds",
                n=mark.rounds,
                **values,
            )
        case _, True:
            return phrases(
                "{player} drew a game with it at a table with {others}, after {n} round",
                "{player} drew a game with it at a table with {others}, after {n} rounds",
                n=mark.rounds,
                **values,
            )
        case "won", _:
            return phrases(
                "{player} won a game with it, after {n} round",
                "{player} won a game with it, after {n} rounds",
                n=mark.rounds,
                player=mark.player,
            )
        case "lost", _:
            return phrases(
                "{player} lost a game with it, after {n} round",
                "{player} lost a game with it, after {n} rounds",
                n=mark.rounds,
                player=mark.player,
            )
    return phrases(
        "{player} drew a game with it, after {n} round",
        "{player} drew a game with it, after {n} rounds",
        n=mark.rounds,
        player=mark.player,
    )


def _describe_result(mark: m.Played) -> Message:
    """Return who played a game with the deck, and with whom."""
    others = all_of(mark.others)
    match mark.result, bool(mark.others):
        case "won", True:
            return phrase("{player} won a game with it at a table with {others}", player=mark.player, others=others)
        case "lost", True:
            return phrase("{player} lost a game with it at a table with {others}", player=mark.player, others=others)
        case _, True:
            return phrase("{player} drew a game with it at a table with {others}", player=mark.player, others=others)
        case "won", _:
            return phrase("{player} won a game with it", player=mark.player)
        case "lost", _:
            return phrase("{player} lost a game with it", player=mark.player)
    return phrase("{player} drew a game with it", player=mark.player)


def _credited(event: Message, by: str, reason: ReasonOrText = "") -> Message:
    """Return an event as a sentence with the author of the change and the reason given, if they are known."""
    # Translators: {event} is a sentence without a full stop, such as “9♠ was torn up”.
    if by and reason:
        return phrase("{event}, by {person} ({reason}).", event=event, person=by, reason=describe_reason(reason))
    if by:
        return phrase("{event}, by {person}.", event=event, person=by)
    if reason:
        return phrase("{event} ({reason}).", event=event, reason=describe_reason(reason))
    return phrase("{event}.", event=event)


def _describe_crossing_out(mark: m.CrossedOut) -> Message:
    values = {"inscription": mark.name, "card": card_title(mark.card)}
    if mark.noticed:
        event = phrase("{inscription} on {card} was found crossed out", **values)
    else:
        event = phrase("{inscription} on {card} was crossed out", **values)
    return _credited(event, mark.by, mark.reason)


def _describe_tearing_up(mark: m.TornUp) -> Message:
    card = card_title(mark.card)
    event = phrase("{card} was found missing", card=card) if mark.noticed else phrase("{card} was torn up", card=card)
    return _credited(event, mark.by, mark.reason)


def _describe_tale(mark: m.Tale) -> Message:
    if mark.by:
        return phrase("{player}: “{text}”", player=mark.by, text=mark.text)
    return phrase("“{text}”", text=mark.text)


def _describe_count(mark: m.Counted) -> Message:
    return _credited(phrase("{figure}: {number} more", figure=mark.title, number=str(mark.amount)), mark.by)


def campaign_game_text(mark: m.CampaignGame) -> Message:
    """Return the sentence for a game of a campaign without its full stop.

    Example: `The Mill: Ana and Ben won together, after 6 rounds. Gold 4`
    """
    game = _describe_campaign_result(mark)
    if mark.rounds:
        # Translators: {game} is such as “Ana and Ben won together”.
        game = phrases("{game}, after {n} round", "{game}, after {n} rounds", n=mark.rounds, game=game)
    if mark.scenario:
        game = joined(": ", (mark.scenario, game))
    figures = [joined(" ", (mark.titles.get(word, word), figure(each))) for word, each in mark.figures.items()]
    return joined(". ", (game, listed(figures))) if figures else game


def _describe_campaign_result(mark: m.CampaignGame) -> Message:
    players, winners = all_of(mark.players), all_of(mark.winners)
    match mark.result:
        case "won":
            return phrase("{players} won together", players=players)
        case "lost":
            return phrase("{players} lost together", players=players)
        case "draw":
            return phrase("{players} drew", players=players)
    if mark.winners:
        return phrase("{players} played, and {winners} won", players=players, winners=winners)
    return phrase("{players} played", players=players)


def _describe_stage(mark: m.CampaignStage) -> Message:
    title = mark.title or m.CampaignStages().title(mark.word)
    match mark.stage, mark.noticed:
        case "open", False:
            event = phrase("{title} is open", title=title)
        case "done", False:
            event = phrase("{title} is done", title=title)
        case "unlocked", False:
            event = phrase("{title} is unlocked", title=title)
        case "open", _:
            event = phrase("{title} was found open", title=title)
        case "done", _:
            event = phrase("{title} was found done", title=title)
        case "unlocked", _:
            event = phrase("{title} was found unlocked", title=title)
        case _:
            event = phrase("{title} was found neither open nor unlocked", title=title)
    return _credited(event, mark.by, mark.reason)


def _describe_recount(mark: m.Recounted) -> Message:
    return _credited(phrase("The box says {figures}", figures=box_text(mark.figures)), mark.by, mark.reason)


_SENTENCES: Final[Mapping[type[Mark], Callable[[Any], Message]]] = {
    m.Founded: _describe_founding,
    m.Adopted: _describe_adoption,
    m.Inscribed: _describe_inscription,
    m.CrossedOut: _describe_crossing_out,
    m.TornUp: _describe_tearing_up,
    m.Played: played_text,
    m.Counted: _describe_count,
    m.Recounted: _describe_recount,
    m.Tale: _describe_tale,
    m.CampaignGame: lambda mark: Finished(campaign_game_text(mark)),
    m.CampaignStage: _describe_stage,
    Renamed: lambda mark: _credited(phrase("It is called {deck} now", deck=mark.name), mark.by, mark.reason),
    HandedOn: lambda mark: phrase("It went to {holder}.", holder=mark.holder),
    Retired: lambda mark: _credited(phrase("It retired"), mark.by),
}


class PackedBorne(msgspec.Struct, frozen=True, array_like=True):
    """An inscription on a card in a passport: its number, with name and text as space allows."""

    card: str
    number: int
    name: str = ""
    text: str = ""
    tier: str = ""


class PackedInscribedDeck(msgspec.Struct, frozen=True, array_like=True):
    """A deck in a passport. Later programs must read printed passports: new fields are only added at the end.

    `due` lists the spots still to be done by hand, and `omitted` the contents left out for lack of space.
    """

    name: str
    holder: str
    holders: tuple[str, ...]
    played: Whole
    won: Whole
    counts: dict[str, Whole]
    answers: dict[str, str]
    retired: bool
    borne: tuple[PackedBorne, ...]
    torn: tuple[str, ...]
    due: tuple[str, ...] = ()
    omitted: tuple[str, ...] = ()
    campaign: m.CampaignStages | None = None


class InscribedKeeping(Keeping):
    """See `companion.tabletop.decks.keeping.Keeping`."""

    correction = m.InscribedCorrected
    example: ClassVar[str] = "9S #1: yes"
    spots: ClassVar[InscribedSpots] = InscribedSpots(DescribedBook(Description("", "")))
    """Spots without a page, with inscriptions named by numbers alone; each instance has its page's own."""

    def __init__(self, game: str, book: DescribedBook) -> None:
        keeping: Any = self  # the base class declares these as class attributes
        keeping.spots = InscribedSpots(book)
        first = next(iter(book.decks.inscriptions), None)
        keeping.example = f"{book.cards[0]} {first.name if first else '#1'}: yes"
        self._game = game
        self._book = book

    def story(self, marks: Sequence[Mark]) -> tuple[Text, ...]:
        """Return one sentence for each mark, oldest first. Corrected marks say so."""
        return tuple(map(str, InscribedStory(marks, self.spots).sentences()))

    def chores(self, marks: Sequence[Mark]) -> tuple[Chore, ...]:
        """Return the chores still due, without those on torn-up cards."""
        state = follow(self.spots, marks)
        torn = _torn_cards(state.should)
        return tuple(
            chore for chore in state.due if read_spot(chore.spot)[1] == 0 or read_spot(chore.spot)[0] not in torn
        )

    def paper(self, marks: Sequence[Mark]) -> Spots:
        """Return the contents of cards and box, without those of torn-up cards."""
        says = super().paper(marks)
        torn = _torn_cards(says)
        return {spot: text for spot, text in says.items() if not (read_spot(spot)[1] and read_spot(spot)[0] in torn)}

    def spot_order(self, marks: Sequence[Mark]) -> Callable[[str], Any]:  # noqa: ARG002
        """Return a sort key for spots: the box first, then the cards in their order."""
        names = (*map(stage_spot, self._book.campaign.parts), *self._book.cards)
        places = {name: len(_ON_THE_BOX) + place for place, name in enumerate(names)}

        def order(spot: str) -> tuple[int, str]:
            if spot in _ON_THE_BOX:
                return _ON_THE_BOX.index(spot), ""
            return places.get(read_spot(spot)[0] or spot, len(places) + len(_ON_THE_BOX)), spot

        return order

    def describe_spot(self, spot: str, text: str) -> tuple[Text, Text]:
        """See `Keeping.describe_spot`: `("9♠", "Rust Oath")`."""
        if spot == "holder":
            return phrase("{holder} holds it", holder=text), ""
        if spot == "retired":
            return phrase("“retired” on the box"), ""
        if spot in _ON_THE_BOX:
            return phrase("On the box"), text
        if word := read_stage_spot(spot):
            return self._book.campaign.title(word), stage_text(read_stage(text))
        card, number = read_spot(spot)
        if not number:
            # Translators: of a card
            return card_title(card), phrase("torn up")
        name = self._book.name(number)
        return card_title(card), name if text in ("", _STANDS) else joined(" × ", (text, name))

    def read_spot(self, text: str) -> str:
        """Return the canonical form of a spot typed by the user: `9s rust oath`, `9s #7`, `9s torn`, `box`."""
        words = text.replace(":", " ").split()
        if len(words) == 1 and words[0].lower() in _ON_THE_BOX:
            return words[0].lower()
        if self._book.campaign.parts and words and words[-1].lower() == "stage":
            return stage_spot(self._book.campaign.part(" ".join(words[:-1])))
        wrong: NotationError | None = None
        for at in range(len(words) - 1, 0, -1):
            try:
                card = self._book.card(" ".join(words[:at]))
            except NotationError as error:
                wrong = wrong or error
                continue
            rest = " ".join(words[at:])
            if rest.lower() in ("torn", "torn up"):
                return torn_spot(card)
            if re.fullmatch(r"#[0-9]{1,4}", rest):
                return inscribed_spot(card, int(rest[1:]))
            return inscribed_spot(card, self._book.inscription(rest).number)
        raise wrong or NotationError(
            phrase(
                "{text}: say which card, and what stands on it, as in `{example}`.",
                text=in_quotes(text),
                example=self.example,
            )
        )

    def spot_value(self, spot: str, text: str) -> str:
        """Return the canonical value of a spot. Raises RuleError if the spot cannot have this value."""
        if text.lower() in _ABSENT:
            return ""
        if spot == "box":
            return box_text({PLAYED: 0, WON: 0, **read_box(text)})
        if spot in ("name", "holder"):
            return text
        if word := read_stage_spot(spot):
            return self._read_stage(word, text.lower())
        if text.lower() in _PRESENT:
            return _STANDS
        if read_spot(spot)[1] and text.isascii() and text.isdecimal() and int(text[:3]) <= _MOST:
            return _as_times(int(text))
        refusal = phrase("The answer is yes or no, not {text}.", text=in_quotes(text))
        raise RuleError(joined(" ", (self.question(spot, ""), refusal)))

    def _read_stage(self, word: str, text: str) -> str:
        """Return the stage of a scenario or thing. Raises RuleError if it cannot reach this stage."""
        stages = self._book.campaign.stages_of(word)
        if text in _PRESENT and len(stages) == 1:
            return stages[0]
        if text not in stages:
            raise RuleError(
                phrase(
                    "{title} is {stages} or `no`, not {text}.",
                    title=self._book.campaign.title(word),
                    stages=listed(f"`{stage}`" for stage in stages),
                    text=in_quotes(text),
                )
            )
        return text

    def corrections(self, marks: Sequence[Mark], seen: Spots, reason: ReasonOrText, by: str) -> Iterator[Mark]:
        """Yield the marks that bring the record of these spots in line with the values seen there."""
        so_far = [*marks]
        for spot, text in seen.items():
            for _ in range(_MOST):  # several copies at one spot take a mark each
                corrections = [*self._correct(so_far, spot, text, reason, by)]
                if not corrections:
                    break
                so_far += corrections
                yield from corrections

    def _correct(self, marks: Sequence[Mark], spot: str, text: str, reason: ReasonOrText, by: str) -> Iterator[Mark]:
        should = follow(self.spots, marks).should.get(spot, "")
        if should == text:
            return
        card, number = read_spot(spot)
        if word := read_stage_spot(spot):
            title = self._book.campaign.written_title(word)
            yield m.CampaignStage(word, read_stage(text), title, by, noticed=True, reason=reason)
        elif number:
            yield self._correct_card(marks, card, number, _spot_count(text) > _spot_count(should), reason, by)
        elif card:
            torn = _last_number(marks, m.TornUp, card)
            yield m.InscribedCorrected(torn, reason, by) if torn else m.TornUp(card, by, noticed=True, reason=reason)
        elif spot == "box":
            yield m.Recounted({**dict.fromkeys(read_box(should), 0), **read_box(text)}, reason, by)
        elif spot == "name":
            yield self.rename_record(marks, text, reason, by)
        elif spot == "holder":
            if not text:
                raise RuleError(phrase("Every box has a holder; enter who it is."))
            yield HandedOn(text)
        elif text:
            yield Retired(by)
        else:
            yield self._take_back_retirement(marks, reason, by)

    def _correct_card(
        self, marks: Sequence[Mark], card: str, number: int, there: bool, reason: ReasonOrText, by: str
    ) -> Mark:
        """Return the mark for an inscription found on the card or missing there, contrary to the record."""
        wrong = _last_number(marks, m.CrossedOut if there else m.Inscribed, card, number)
        if wrong:
            return m.InscribedCorrected(wrong, reason, by)
        deck = record(self._game, marks)
        if not there:
            gone = next(each for each in deck.borne if (each.card, each.number) == (card, number))
            return m.CrossedOut(card, number, gone.name, by, noticed=True, reason=reason)
        inscription = self._book.by_number.get(number)
        if inscription is None:
            raise RuleError(
                phrase(
                    "The page of this game has no {inscription} with the number {number}.",
                    inscription=self._book.inscription_word,
                    number=str(number),
                )
            )
        if why := self._book.inscription_error(inscription, card, deck.borne, deck.torn):
            # Translators: {why} is a sentence without a full stop, such as “9♠ is torn up”.
            raise RuleError(phrase("{why}; look again, or first correct what the record says is there.", why=why))
        borne = self._book.bearing(inscription, card)
        return m.Inscribed(card, number, borne.name, borne.text, borne.tier, "found", by, reason=reason)

    def _take_back_retirement(self, marks: Sequence[Mark], reason: ReasonOrText, by: str) -> Mark:
        retired = _last_number(marks, Retired)
        if not retired:
            raise RuleError(phrase("The deck came with a passport that says it has retired (entry 1)."))
        return m.InscribedCorrected(retired, reason, by)

    def check_correction(self, marks: Sequence[Mark], correction: Corrected) -> None:
        """Raise RuleError if a correction takes back the first mark or leaves no valid record."""
        if correction.of == 1:
            raise RuleError(phrase("The founding of a deck cannot be undone; retire the deck instead."))
        record(self._game, [*marks, correction])

    def rename_record(self, marks: Sequence[Mark], name: str, reason: ReasonOrText, by: str = "") -> Mark:  # noqa: ARG002
        """Return the mark that renames the deck. Raises RuleError if the name is empty."""
        if not name.strip():
            raise RuleError(phrase("A deck needs a name."))
        return Renamed(" ".join(name.split()), reason, by)

    def retire_record(self, marks: Sequence[Mark], heirloom: str, by: str = "") -> Mark:
        """Return the mark that retires the deck. Raises RuleError if it has retired already or an heirloom is named."""
        deck = record(self._game, marks)
        if deck.retired:
            raise RuleError(phrase("{deck} has retired already.", deck=deck.name))
        if heirloom:
            raise RuleError(phrase("{deck} leaves no heirloom; its cards stay where they are.", deck=deck.name))
        return Retired(by)

    def pack_record(self, marks: Sequence[Mark]) -> Iterator[PackedInscribedDeck]:
        """Yield the whole deck, then ever smaller versions: without earlier holders, texts, answers and names."""
        deck: InscribedRecord = record(self._game, marks)
        whole = PackedInscribedDeck(
            deck.name,
            deck.holder,
            deck.holders,
            deck.played,
            deck.won,
            deck.counts,
            deck.answers,
            deck.retired,
            tuple(PackedBorne(each.card, each.number, each.name, each.text, each.tier) for each in deck.borne),
            deck.torn,
            tuple(chore.spot for chore in self.chores(marks)),
            campaign=deck.campaign,
        )
        less: dict[str, dict[str, Any]] = {
            "holders": {"holders": deck.holders[-1:]},
            "texts": {
                "borne": tuple(PackedBorne(each.card, each.number, each.name, "", each.tier) for each in deck.borne)
            },
            "answers": {"answers": {}},
            "names": {
                "borne": tuple(PackedBorne(each.card, each.number) for each in deck.borne),
                "campaign": deck.campaign and m.CampaignStages(deck.campaign.stages),
            },
        }
        yield whole
        for at, word in enumerate(less, 1):
            whole = msgspec.structs.replace(whole, omitted=tuple(less)[:at], **less[word])
            yield whole

    def unpack_record(self, content: Any, story: str, length: int, by: str = "") -> tuple[Mark, ...]:
        """Return the first mark of a deck from a passport.

        The page supplies omitted names and texts of inscriptions.
        """
        pack = read_pack(content, PackedInscribedDeck)
        return (
            m.Adopted(
                pack.name,
                pack.holder,
                answers=pack.answers,
                holders=pack.holders,
                played=pack.played,
                won=pack.won,
                counts=pack.counts,
                borne=tuple(map(self._unpack_borne, pack.borne)),
                torn=pack.torn,
                retired=pack.retired,
                by=by,
                story=story,
                length=length,
                omitted=pack.omitted,
                due=pack.due,
                campaign=self._unpack_campaign(pack.campaign),
            ),
        )

    def _unpack_campaign(self, packed: m.CampaignStages | None) -> m.CampaignStages | None:
        """Return a campaign with the titles that the passport had no room for."""
        if packed is None:
            return None
        book = self._book.campaign
        titles = {word: book.written_title(word) for word in packed.stages if word in book.parts}
        return m.CampaignStages(packed.stages, {**titles, **packed.titles})

    def _unpack_borne(self, packed: PackedBorne) -> Borne:
        on_page = self._book.by_number.get(packed.number)
        if on_page and packed.name in ("", on_page.name):
            return Borne(
                packed.card, packed.number, on_page.name, packed.text or on_page.text, packed.tier or on_page.tier
            )
        return Borne(
            packed.card,
            packed.number,
            packed.name or as_written(self._book.name(packed.number)),
            packed.text,
            packed.tier,
        )


def read_stage(text: str) -> m.Stage:
    """Return the stage that stands at a spot."""
    match text:
        case "open" | "done" | "unlocked":
            return text
    return ""


def _torn_cards(spots: Spots) -> frozenset[str]:
    return frozenset(read_spot(spot)[0] for spot in spots if read_spot(spot)[0] and not read_spot(spot)[1])


def _last_number(marks: Sequence[Mark], kind: type[Mark], card: str = "", number: int = 0) -> int:
    """Return the number of the last such mark in force on a card, or 0."""
    fitting = [
        at
        for at, mark in effective(marks)
        if isinstance(mark, kind) and getattr(mark, "card", "") == card and getattr(mark, "number", 0) == number
    ]
    return fitting[-1] if fitting else 0
