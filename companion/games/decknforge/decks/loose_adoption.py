"""The form that keeps a loose band as a deck; it asks for what the table does not know.

The deck begins as the band came to the table; the seal writes the evening itself, as into any other record.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, ClassVar, Final

import msgspec

from companion.games.decknforge.book import founding
from companion.games.decknforge.book.effect import EffectBook
from companion.games.decknforge.book.standard import STANDARD
from companion.games.decknforge.book.state import MONSTER_CARDS, Monster
from companion.games.decknforge.decks import marks as m
from companion.games.decknforge.decks.adoption import inscribed_findings
from companion.games.decknforge.decks.forms import CARD, NAME, describe_figures
from companion.games.decknforge.decks.story import creature_text
from companion.games.decknforge.rules.loose import LooseBand, inscriptions_lost
from companion.tabletop.decks.form import Field, Filled, Finding, Form, FormContext, FormPlace, FormReader, Values
from companion.tabletop.notation.cards import Card, card_titles
from companion.tabletop.table.choices import Candidates, Choice
from templates.languages.messages import Message, Text, joined, phrase, phrase_in

_LEGEND: Final = "legend"
_MONSTERS: Final = "monsters"
_UNCHOSEN: Final = phrase("No Monster bears the ⭐: choose the one that does (R1.7, V1.5).")


class LooseBandAdopting(Form):
    """The form for what a loose band still lacks: a name for its box, a ⭐, and names for its Monsters."""

    about: ClassVar[Text] = phrase(
        "Store a loose band as a deck: first as it came to the table, then with all of this evening."
    )
    fields: ClassVar[tuple[Field, ...]] = (
        NAME,
        Field(_LEGEND, "Legend", "Which of the six bears the ⭐; none does yet (R1.7).", kind="card", required=True),
        Field(
            _MONSTERS,
            "Monsters",
            "What the six are called; one without a name goes by its card.",
            many=True,
            most=len(MONSTER_CARDS),
            parts=(
                Field(
                    "name",
                    phrase_in("monster", "Creature"),
                    "What it is called.",
                    example="Grave Wyrm",
                    names="monster",
                ),
                msgspec.structs.replace(CARD, required=False),
            ),
        ),
    )

    def __init__(self, band: LooseBand, book: EffectBook = STANDARD) -> None:
        self._band = band
        self._book = book

    def initial_values(self) -> dict[str, Any]:
        """Return the answers that the table knows."""
        monsters = [
            {"name": monster.name, "card": card} if monster.name else {"card": card}
            for card, monster in self._band.monsters.items()
        ]
        return {_MONSTERS: monsters, **({"name": self._band.name} if self._band.name else {})}

    def idle_places(self, values: Values) -> Iterator[FormPlace]:
        """Yield the places to skip: the ⭐ if a Monster has it, and the card of each Monster."""
        if any(monster.legend for monster in self._band.monsters.values()):
            yield FormPlace(_LEGEND)
        yield from (FormPlace(_MONSTERS, number, "card") for number, _ in enumerate(values.get(_MONSTERS, ())))

    def validate_answers(self, values: Values, context: FormContext) -> Filled:
        """Return the band's first mark, with errors and warnings."""
        reader = FormReader(values)
        reader.gate(self.fields)
        name, monsters = reader.text("name"), self._monsters(reader)
        findings = [*reader.findings, *founding.name_findings(name, context.taken)]
        if not any(monster.legend for monster in monsters.values()):
            findings.append(Finding(_UNCHOSEN, place=FormPlace(_LEGEND)))
        else:
            findings += map(_as_doubt, founding.monster_findings(monsters))
        findings += map(_as_doubt, inscribed_findings(self._band.inscribed, self._book))
        is_wrong = any(not finding.warning for finding in findings)
        return Filled(
            name,
            tuple(findings),
            beside=dict(self._beside(reader, monsters)),
            change=phrase("What this evening changed is added by the seal."),
            marks=() if is_wrong else (self._mark(name, monsters),),
        )

    def _monsters(self, reader: FormReader) -> dict[Card, Monster]:
        """Return the six Monsters as they came, with the names and the ⭐ from this form."""
        names = {answer.get("card", ""): answer.get("name", "") for _, answer in reader.entries(_MONSTERS)}
        chosen = "" if any(one.legend for one in self._band.monsters.values()) else reader.text(_LEGEND)
        return {
            card: msgspec.structs.replace(
                monster, name=names.get(card, "") or card_titles(card), legend=monster.legend or card == chosen
            )
            for card, monster in self._band.monsters.items()
        }

    def _mark(self, name: str, monsters: Mapping[Card, Monster]) -> m.BandAdopted:
        band = self._band
        return m.BandAdopted(
            name,
            band.wizard,
            tuple(map(_creature, monsters, monsters.values())),
            labels={card: monster.labels for card, monster in monsters.items() if monster.labels},
            inscribed=dict(band.inscribed),
            lost=inscriptions_lost(band),
            holders=(band.wizard,),
            dungeons=band.dungeons,
            by=band.wizard,
            due=("name", *self._unwritten(monsters)),
            person=band.person,
        )

    def _unwritten(self, monsters: Mapping[Card, Monster]) -> Iterator[str]:
        """Yield the cards of Monsters not described at the table, or that get another name or the ⭐ now."""
        for card, came in self._band.monsters.items():
            is_plain = msgspec.structs.replace(came, labels=()) == Monster("")
            if is_plain or creature_text(_creature(card, came)) != creature_text(_creature(card, monsters[card])):
                yield card

    def _beside(self, reader: FormReader, monsters: Mapping[Card, Monster]) -> Iterator[tuple[FormPlace, Message]]:
        for number, answer in reader.entries(_MONSTERS):
            if monster := monsters.get(Card(answer.get("card", ""))):
                yield FormPlace(_MONSTERS, number), self._figures(monster)

    def _figures(self, monster: Monster) -> Message:
        """Return `HP 18 ATK 3 ★ Legend`."""
        return joined("  ", (*describe_figures(monster), *map(self._book.label_title, monster.labels)))

    def candidates(self, values: Values, place: FormPlace, context: FormContext) -> Candidates:
        """Return the six Monsters, one of which is the Legend."""
        if place == FormPlace(_LEGEND):
            monsters = self._monsters(FormReader({**values, _LEGEND: ""}))
            return tuple(
                Choice(card, "" if one.name == card_titles(card) else one.name, self._figures(one))
                for card, one in monsters.items()
            )
        return super().candidates(values, place, context)


def _creature(card: Card, monster: Monster) -> m.FoundedMonster:
    return m.FoundedMonster(card, monster.name, monster.hp, monster.atk, monster.legend)


def _as_doubt(finding: Finding) -> Finding:
    """Return a finding as a warning: the band was played although it breaks the book, and is recorded as it was."""
    return Finding(finding.text, warning=True)
