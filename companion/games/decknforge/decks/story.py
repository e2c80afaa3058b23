"""A band's life in sentences, and the spots on its cards and box that its marks write on."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, MutableMapping, Sequence
from typing import Any, Final

from companion.games.decknforge.book.effect import EffectBook
from companion.games.decknforge.book.standard import STANDARD
from companion.games.decknforge.book.state import MONSTER_CARDS
from companion.games.decknforge.decks import marks as m
from companion.games.decknforge.decks.record import record
from companion.games.decknforge.glossary import GLOSSARY
from companion.tabletop.decks.keeping import PaperState, Spots, follow
from companion.tabletop.notation.cards import Card, card_title, pretty
from companion.tabletop.records import Corrected, Mark, ReasonOrText, RecordStory
from templates.languages.messages import Finished, Message, Text, all_of, joined, listed, phrase, phrase_in, phrases

# Spots: "name", "box", "holder" and "retired" are on the box; "AS" is the text on that Monster's card, and "7S sharp" a
# label on a card. They are stored in ticks and passports, so these words are permanent, and so is the order in which a
# mark names its spots: older ticks are read by it.
_STUCK: Final = "yes"
_BOX: Final = re.compile(r"Glory (\d+), (\d+) dungeons?")
_CREATURE: Final = re.compile(r"(.*), HP (\d+), ATK (\d+)(, ⭐)?")


def paper_state(marks: Sequence[Mark]) -> PaperState:
    """Return the state of a band's paper after its marks."""
    return follow(PAPER, marks)


def creature_text(creature: m.FoundedMonster) -> str:
    """Return a Monster as text: `Grave Wyrm, HP 18, ATK 3, ⭐`."""
    legend = ", ⭐" if creature.legend else ""
    return f"{creature.name}, HP {creature.hp}, ATK {creature.atk}{legend}"


def read_creature(card: Card, text: str) -> m.FoundedMonster | None:
    """Return the Monster that such a text describes, or None."""
    match = _CREATURE.fullmatch(text.strip())
    if match is None:
        return None
    return m.FoundedMonster(card, match[1].strip(), int(match[2]), int(match[3]), legend=bool(match[4]))


def box_text(glory: int, dungeons: int) -> str:
    """Return Glory and dungeons as written on a box and stored in ticks: `Glory 12, 3 dungeons`."""
    return f"Glory {glory}, {dungeons} dungeon{'' if dungeons == 1 else 's'}"


def read_box(text: str) -> tuple[int, int]:
    """Read Glory and dungeons from the text on a box; 0 and 0 if it is empty. Raises ValueError."""
    match = _BOX.fullmatch(text.strip())
    if match is None:
        if text.strip():
            raise ValueError(text)
        return 0, 0
    return int(match[1]), int(match[2])


def written_text(spot: str, text: str) -> Text:
    """Return for display what stands on a spot: in English as it is stored, else in the reader's words."""
    if spot == "box" and _BOX.fullmatch(text.strip()):
        return describe_box(*read_box(text))
    creature = read_creature(Card(spot), text) if spot in MONSTER_CARDS else None
    if creature is None:
        return text
    hp, atk = phrase("HP {hp}", hp=creature.hp), phrase("ATK {atk}", atk=creature.atk)
    return listed((creature.name, hp, atk, *(("⭐",) if creature.legend else ())))


class BandSpots:
    """The paper of a band; the book supplies the titles of labels."""

    def __init__(self, book: EffectBook) -> None:
        self._book = book

    def write(self, spots: MutableMapping[str, str], mark: Mark) -> None:
        """Apply a mark to the texts that cards and box should have."""
        if isinstance(mark, m.CardInscribed | m.CarriedIn):
            spots[f"{mark.card} {mark.inscription}"] = _STUCK
        elif isinstance(mark, m.InscriptionCrossedOut | m.CarriedOff):
            spots.pop(f"{mark.card} {mark.inscription}", None)
        elif isinstance(mark, m.Labelled):
            spots[f"{mark.card} {mark.label}"] = _STUCK
        elif isinstance(mark, m.Peeled):
            spots.pop(f"{mark.card} {mark.label}", None)
        else:
            spots.update(_spots_written(mark, spots.get("box", "")))

    def immediate_spots(self, mark: Mark) -> Spots:
        """Return the spots that need no chore: a new band's holder, and all but the `due` spots of an adopted band."""
        if isinstance(mark, m.BandFounded):
            return {"holder": mark.builder}
        if isinstance(mark, m.BandAdopted):
            there = {spot: text for spot, text in _adopted_spots(mark).items() if spot not in mark.due}
            gone = {spot: _STUCK for spot in mark.due if spot not in _adopted_spots(mark)}
            return there | gone
        return {}

    def text(self, spot: str, value: str, mark: Mark) -> Text:
        """Return the chore as a sentence without a full stop."""
        card, _, name = spot.partition(" ")
        if name:
            return _label_task(Card(card), self.title(spot), bool(value), mark)
        if card in MONSTER_CARDS:
            if value:
                return phrase("Write {text} on {card}", text=written_text(spot, value), card=card_title(Card(card)))
            return phrase("Cross out {card}", card=card_title(Card(card)))
        return _ON_THE_BOX[spot](value) if value else _OFF_THE_BOX[spot]

    def text_if_there(self, spot: str, mark: Mark) -> Text:
        """Return the chore for a label not ticked off as stuck; "" after an audit, or if the card leaves."""
        card, _, name = spot.partition(" ")
        crossed_out = isinstance(mark, m.InscriptionCrossedOut) and mark.why != "found"
        if not name or not (crossed_out or isinstance(mark, Corrected)):
            return ""
        return phrase(
            "Leave {label} off {card}, or cross it out if it is stuck already",
            label=self.title(spot),
            card=card_title(Card(card)),
        )

    def title(self, spot: str) -> Text:
        """Return the title of the label on a spot."""
        card, _, name = spot.partition(" ")
        on_monster = card in MONSTER_CARDS
        return self._book.label_title(name) if on_monster else self._book.inscription_title(name)


PAPER: Final = BandSpots(STANDARD)


def _spots_written(mark: Mark, box: str) -> Spots:
    """Return the spots that a mark writes besides labels; `box` is the text on the box before."""
    match mark:
        case m.BandFounded():
            return {"name": mark.name, **_creature_texts(mark.creatures), "holder": mark.builder}
        case m.BandAdopted():
            return _adopted_spots(mark)
        case m.DungeonPlayed():
            glory, dungeons = read_box(box)
            return {"box": box_text(glory + mark.glory, dungeons + 1)}
        case m.BoxCounted():
            return {"box": box_text(mark.glory, mark.dungeons)}
        case m.Drifted():
            return {"holder": mark.holder}
        case m.BandRetired():
            return {"retired": _STUCK}
    return {}


_ON_THE_BOX: Final[Mapping[str, Callable[[str], Message]]] = {
    "name": lambda value: phrase("Write {text} on the box", text=value),
    "box": lambda value: phrase("Write {text} on the box", text=written_text("box", value)),
    "holder": lambda value: phrase("Give the box to {holder}, and write that on its sheet", holder=value),
    "retired": lambda _: phrase("Write “retired” on the box"),
}
_OFF_THE_BOX: Final = {
    "name": phrase("Cross out the name on the box"),
    "box": phrase("Cross out Glory and dungeons on the box"),
    "holder": phrase("Cross out the holder on the box"),
    "retired": phrase("Cross out “retired” on the box"),
}


def _label_task(card: Card, name: Text, comes: bool, mark: Mark) -> Message:
    """Return the chore of a mark on a card: its label is added or removed."""
    on = card_title(card)
    match mark, comes:
        case m.CarriedIn(), True:
            if mark.band:
                return phrase(
                    "Swap in the {card} with {label}, from the box of {band}", card=on, label=name, band=mark.band
                )
            return phrase("Swap in the {card} with {label}", card=on, label=name)
        case m.CarriedOff(), False:
            if mark.band:
                return phrase(
                    "Swap out the {card} with {label}, into the box of {band}", card=on, label=name, band=mark.band
                )
            return phrase("Swap out the {card} with {label}", card=on, label=name)
        case _, False:
            return phrase("Cross out {label} on {card}", label=name, card=on)
    if isinstance(mark, Corrected):
        return phrase("Stick {label} on {card} again", label=name, card=on)
    return phrase("Stick {label} on {card}", label=name, card=on)


def _creature_texts(creatures: Sequence[m.FoundedMonster]) -> Mapping[str, str]:
    return {creature.card: creature_text(creature) for creature in creatures}


def _adopted_spots(mark: m.BandAdopted) -> dict[str, str]:
    """Return all texts on an adopted band's cards and box."""
    on_cards = (*mark.inscribed.items(), *mark.labels.items())
    holder = mark.holders[-1] if mark.holders else mark.builder
    return {
        "name": mark.name,
        "holder": holder,
        **_creature_texts(mark.creatures),
        **{f"{card} {name}": _STUCK for card, names in on_cards for name in names},
        **({"box": box_text(mark.glory, mark.dungeons)} if mark.glory or mark.dungeons else {}),
        **({"retired": _STUCK} if mark.retired else {}),
    }


# Translators: Where an inscription comes from, in brackets: “9♠ received Sharp (bought, by Ana).”
_SOURCES: Final[dict[m.Source, Message]] = {
    "start": phrase_in("inscription", "at the founding"),
    "bought": phrase_in("inscription", "bought"),
    "mythic": phrase_in("inscription", "earned from a Legend"),
    "heirloom": phrase_in("inscription", "an heirloom"),
    "found": phrase_in("inscription", "found on the card"),
}


def story(marks: Sequence[Mark], book: EffectBook = STANDARD) -> tuple[Text, ...]:
    """Return one sentence for each mark, oldest first; a corrected one says so."""
    return _BandStory(marks, book).sentences()


class _BandStory(RecordStory):
    """The story of a band's marks; some sentences name a Monster."""

    reason = staticmethod(GLOSSARY.reason)

    def __init__(self, marks: Sequence[Mark], book: EffectBook) -> None:
        super().__init__(marks, follow(BandSpots(book), marks).did)
        self._names = {card: monster.name for card, monster in record(marks, book).monsters.items()}
        self._book = book

    def plain(self, number: int, mark: Mark) -> Text:  # noqa: ARG002 – marks suffice
        """Return the sentence of a mark."""
        if isinstance(mark, m.Labelled | m.Peeled):
            name, card = self._names.get(mark.card), card_title(mark.card)
            monster = (
                phrase("{monster} ({card})", monster=name, card=card)
                if name
                else phrase("the Monster on {card}", card=card)
            )
            if isinstance(mark, m.Labelled):
                return _describe_label(mark, monster, self._book)
            label = self._book.label_title(mark.label)
            event = (
                phrase(
                    "{person} no longer found {label} on {monster}",
                    label=label,
                    monster=monster,
                    person=mark.by,
                )
                if mark.by
                else phrase("{label} was no longer found on {monster}", label=label, monster=monster)
            )
            return _with_reason(event, mark.reason)
        return _SENTENCES[type(mark)](mark, self._book)

    def otherwise(self, number: int, before: Mark, after: Mark) -> Text:
        """Return the changes by a correction of a band's first mark."""
        beginning = m.BandFounded | m.BandAdopted
        if not isinstance(before, beginning) or not isinstance(after, beginning):
            return super().otherwise(number, before, after)
        changes: list[tuple[Text, Text]] = [(before.name, after.name)] if before.name != after.name else []
        there = {creature.card: creature for creature in before.creatures}
        changes += [
            (_creature(there[creature.card]), _creature(creature))
            for creature in after.creatures
            if there[creature.card] != creature
        ]
        if not changes:
            return phrase("It is as it was before.")
        return joined(
            " ", (phrase("It is {after} instead of {before}.", before=old, after=new) for old, new in changes)
        )


def describe_box(glory: int, dungeons: int) -> Message:
    """Return Glory and dungeons for a sentence: `Glory 12, 3 dungeons`."""
    return phrases("Glory {glory}, {n} dungeon", "Glory {glory}, {n} dungeons", n=dungeons, glory=str(glory))


def _creature(creature: m.FoundedMonster) -> Message:
    details = (card_title(creature.card), *_creature_figures(creature))
    return phrase("{monster} ({details})", monster=creature.name, details=listed(details))


def _creature_figures(creature: m.FoundedMonster) -> tuple[Text, ...]:
    legend = ("⭐",) if creature.legend else ()
    return (phrase("HP {hp}", hp=creature.hp), phrase("ATK {atk}", atk=creature.atk), *legend)


def _with_reason(event: Message, reason: ReasonOrText) -> Message:
    """Return an event as a sentence, with the reason that somebody gave."""
    return phrase("{event} ({reason}).", event=event, reason=GLOSSARY.reason(reason)) if reason else Finished(event)


def _describe_adoption(mark: m.BandAdopted, book: EffectBook) -> Message:
    monsters = listed(map(_creature, mark.creatures))
    box = describe_box(mark.glory, mark.dungeons)
    blessed = _describe_inscribed_cards(mark, book)
    inscribed = phrase("{inscriptions} inscribed.", inscriptions=blessed)
    if mark.is_from_table:
        text = (
            phrase(
                "{player} adopted {band}, until then a loose band, with {monsters} and {figures}",
                player=mark.builder,
                band=mark.name,
                monsters=monsters,
                figures=box,
            )
            if mark.dungeons
            else phrase(
                "{player} adopted {band}, until then a loose band, with {monsters}",
                player=mark.builder,
                band=mark.name,
                monsters=monsters,
            )
        )
        return joined("; ", (text, inscribed)) if blessed else Finished(text)
    name: Text = mark.name
    if mark.since:
        name = phrase("{band} (founded {when})", band=mark.name, when=mark.since)
    text = (
        phrase(
            "{band} came in with its passport, {marks} entries old, with {figures}, {monsters}",
            band=name,
            marks=mark.length - 1,
            figures=box,
            monsters=monsters,
        )
        if mark.story
        else phrase(
            "{band} was adopted from paper, as it was before its records, with {figures}, {monsters}",
            band=name,
            figures=box,
            monsters=monsters,
        )
    )
    return joined("; ", (text, inscribed if blessed else phrase("nothing inscribed.")))


def _describe_inscribed_cards(mark: m.BandAdopted, book: EffectBook) -> Message:
    """Return the inscribed cards as text: `Sharp on 9♠, Quick and Echo on 4♥`."""
    return listed(
        phrase(
            "{inscriptions} on {card}", inscriptions=all_of(map(book.inscription_title, names)), card=card_title(card)
        )
        for card, names in mark.inscribed.items()
    )


def _describe_inscription(mark: m.CardInscribed, book: EffectBook) -> Message:
    source = phrase("an heirloom of {band}", band=mark.origin) if mark.origin else _SOURCES[mark.source]
    if mark.by:
        # Translators: {source} is where an inscription comes from, such as “bought”.
        source = phrase("{source}, by {person}", source=source, person=mark.by)
    if mark.reason:
        source = phrase("{source}: {reason}", source=source, reason=GLOSSARY.reason(mark.reason))
    return phrase(
        "{card} received {inscription} ({source}).",
        card=card_title(mark.card),
        inscription=book.inscription_title(mark.inscription),
        source=source,
    )


def _describe_label(mark: m.Labelled, monster: Message, book: EffectBook) -> Message:
    label = book.label_title(mark.label)
    if mark.reason:
        event = (
            phrase("{player} found {label} on {monster}", player=mark.by, label=label, monster=monster)
            if mark.by
            else phrase("Somebody found {label} on {monster}", label=label, monster=monster)
        )
        return _with_reason(event, mark.reason)
    if mark.by:
        return phrase("{player} labelled {monster} {label}.", player=mark.by, monster=monster, label=label)
    return phrase("Somebody labelled {monster} {label}.", monster=monster, label=label)


def _describe_crossing_out(mark: m.InscriptionCrossedOut, book: EffectBook) -> Message:
    title, card = book.inscription_title(mark.inscription), pretty(mark.card)
    match mark.why:
        case "faded":
            event = phrase("{inscription} on {card} faded", inscription=title, card=card)
        case "cursed":
            event = phrase("{inscription} on {card} was taken by a curse", inscription=title, card=card)
        case "found":
            event = phrase("{inscription} on {card} was found crossed out", inscription=title, card=card)
    if mark.by:
        # Translators: {event} is what happened to an inscription: “Sharp on 9♠ faded”.
        event = phrase("{event} by {person}", event=event, person=mark.by)
    return _with_reason(event, mark.reason)


def played_text(mark: m.DungeonPlayed) -> Message:
    """Return a dungeon without a full stop: `Ana won a dungeon with it, after 6 Bosses in 17 rounds: 7 Glory`."""
    rounds = phrases("{n} round", "{n} rounds", n=mark.rounds)
    if mark.outcome == "win":
        if mark.rounds:
            return phrases(
                "{player} won a dungeon with it, after {n} Boss in {rounds}: {glory} Glory",
                "{player} won a dungeon with it, after {n} Bosses in {rounds}: {glory} Glory",
                n=mark.bosses,
                player=mark.wizard,
                rounds=rounds,
                glory=mark.glory,
            )
        return phrases(
            "{player} won a dungeon with it, after {n} Boss: {glory} Glory",
            "{player} won a dungeon with it, after {n} Bosses: {glory} Glory",
            n=mark.bosses,
            player=mark.wizard,
            glory=mark.glory,
        )
    if mark.rounds:
        return phrases(
            "{player} lost a dungeon with it, after {n} Boss in {rounds}: {glory} Glory",
            "{player} lost a dungeon with it, after {n} Bosses in {rounds}: {glory} Glory",
            n=mark.bosses,
            player=mark.wizard,
            rounds=rounds,
            glory=mark.glory,
        )
    return phrases(
        "{player} lost a dungeon with it, after {n} Boss: {glory} Glory",
        "{player} lost a dungeon with it, after {n} Bosses: {glory} Glory",
        n=mark.bosses,
        player=mark.wizard,
        glory=mark.glory,
    )


def _describe_count(mark: m.BoxCounted) -> Message:
    figures, reason = describe_box(mark.glory, mark.dungeons), GLOSSARY.reason(mark.reason)
    if mark.by:
        return phrase(
            "{player} counted {figures} on the box ({reason}).", player=mark.by, figures=figures, reason=reason
        )
    return phrase("The count was {figures} on the box ({reason}).", figures=figures, reason=reason)


def _describe_exchange(mark: m.CarriedOff | m.CarriedIn, book: EffectBook) -> Message:
    card, title = pretty(mark.card), book.inscription_title(mark.inscription)
    match mark, bool(mark.band):
        case m.CarriedOff(), True:
            return phrase(
                "{card} left with {inscription} for {band}, by Tower's Memory.",
                card=card,
                inscription=title,
                band=mark.band,
            )
        case m.CarriedOff(), _:
            return phrase("{card} left with {inscription}, by Tower's Memory.", card=card, inscription=title)
        case _, True:
            return phrase(
                "{card} came with {inscription} from {band}, by Tower's Memory.",
                card=card,
                inscription=title,
                band=mark.band,
            )
    return phrase("{card} came with {inscription}, by Tower's Memory.", card=card, inscription=title)


def _describe_retirement(mark: m.BandRetired, book: EffectBook) -> Message:
    if not mark.heirloom:
        return phrase("The band retired.")
    heirloom = book.inscription_title(mark.heirloom)
    if mark.by:
        return phrase(
            "The band retired; {player} keeps {inscription} as an heirloom.", player=mark.by, inscription=heirloom
        )
    return phrase("The band retired; its wizard keeps {inscription} as an heirloom.", inscription=heirloom)


_SENTENCES: Final[Mapping[type[Mark], Callable[[Any, EffectBook], Text]]] = {
    m.BandFounded: lambda mark, _: phrase(
        "{player} founded {band} with {monsters}.",
        player=mark.builder,
        band=mark.name,
        monsters=listed(map(_creature, mark.creatures)),
    ),
    m.BandAdopted: _describe_adoption,
    m.CardInscribed: _describe_inscription,
    m.InscriptionCrossedOut: _describe_crossing_out,
    m.CarriedOff: _describe_exchange,
    m.CarriedIn: _describe_exchange,
    m.DungeonPlayed: lambda mark, _: Finished(played_text(mark)),
    m.BoxCounted: lambda mark, _: _describe_count(mark),
    m.Drifted: lambda mark, _: phrase("The band went to {holder}.", holder=mark.holder),
    m.BandRetired: _describe_retirement,
    m.CarriedOn: lambda mark, _: phrase("Its heirloom lives on in {band}.", band=mark.band),
}
