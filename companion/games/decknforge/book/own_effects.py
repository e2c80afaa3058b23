"""The effects of a homebrew, composed from the effects of printed inscriptions and labels.

Every amount is a plain number, so that the effect follows from its text alone, permanently and on any machine.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Annotated, Any, Final, Literal

from msgspec import Meta

from companion.games.decknforge.book.effect import Effect, Inscription, MonsterLabel
from companion.games.decknforge.book.house import House
from companion.games.decknforge.book.ledger import draw, earn, heal
from companion.games.decknforge.book.state import DungeonTable, Foe, Resolution
from companion.games.described.page.description import PagePart, Statement
from companion.tabletop.notation.cards import Card, card_title
from companion.tabletop.records import Reason
from templates.languages.messages import Finished, Message, Text, joined, listed, phrase, phrases, signed

When = Literal["revealed", "hits", "converts", "dodges"]
Whom = Literal["you", "left", "others", "all"]
Against = Literal["all", "whole", "hurt"]
Rounds = Literal["first", "every", "growing"]
Per = Literal["attack", "damaged", "downed"]
Step = Literal[
    "labels",
    "reveal",
    "tactics",
    "declare",
    "damage",
    "kill",
    "attack",
    "minions",
    "refill",
    "fading",
    "drifting",
    "turning",
]

Few = Annotated[int, Meta(ge=0, le=9)]

_WHEN: Final[Mapping[When, Message]] = {
    "revealed": phrase("Revealed"),
    "hits": phrase("Hits a Boss"),
    "converts": phrase("Converts"),
    "dodges": phrase("Used in a dodge"),
}


class Remind(PagePart, frozen=True):
    """A reminder, displayed in a step, of what the program cannot compute."""

    at: Annotated[Step, Meta(description="The step in which it is shown, in a round or after the last fight.")]
    text: Annotated[Statement, Meta(description="The reminder.")]


class Does(PagePart, frozen=True):
    """An effect of an event, composed from the effects of printed inscriptions."""

    when: Annotated[
        When,
        Meta(
            description="`revealed`: its card is revealed, as with Glint. `hits`: its card has dealt damage to a Boss, "
            "as with Quick. `converts`: its card was Converted. `dodges`: its card was part of a successful dodge, as "
            "with Sturdy."
        ),
    ]
    whom: Annotated[
        Whom,
        Meta(
            description="`you`: the wizard who has the card now. `left`: the next wizard on the left in the fight, as "
            "with Bright. `others`: everybody else in the fight. `all`: everybody in the fight."
        ),
    ] = "you"
    draw: Annotated[Few, Meta(description="Cards to draw at once.")] = 0
    heal: Annotated[Annotated[int, Meta(ge=0, le=20)], Meta(description="HP healed, up to 20.")] = 0
    coppers: Annotated[Few, Meta(description="Coppers gained.")] = 0
    face: Annotated[
        Few, Meta(description="With `revealed`: the amount added to F of all their cards this round (as Banner).")
    ] = 0
    reveals: Annotated[
        Annotated[int, Meta(ge=0, le=3)],
        Meta(
            description="With `revealed`, for `you`: the number of additional cards that may be revealed (as "
            "Doublestrike)."
        ),
    ] = 0

    @property
    def amounts(self) -> Mapping[str, int]:
        """Its amounts by kind, without those that are 0."""
        amounts = {"draw": self.draw, "heal": self.heal, "coppers": self.coppers}
        return {
            what: amount for what, amount in {**amounts, "face": self.face, "reveals": self.reveals}.items() if amount
        }

    @property
    def words(self) -> Message:
        """The effect in words: `Revealed: draw 1, +1c`."""
        when = _WHEN[self.when]
        what = listed(_GIVEN[what](amount) for what, amount in self.amounts.items())
        match self.whom:
            case "left":
                return phrase("{when}: the next wizard on the left: {what}", when=when, what=what)
            case "others":
                return phrase("{when}: all others: {what}", when=when, what=what)
            case "all":
                return phrase("{when}: everybody: {what}", when=when, what=what)
            case _:
                return phrase("{when}: {what}", when=when, what=what)

    def whose(self, state: DungeonTable, seat: str) -> tuple[str, ...]:
        """Return the seats it applies to: wizards in the fight, and the wizard who has the card."""
        others = tuple(wizard.seat for wizard in state.clockwise(seat)[1:] if wizard.in_fight)
        if self.whom == "left":
            return others[:1]
        return {"you": (seat,), "others": others, "all": (seat, *others)}[self.whom]


_GIVEN: Final[Mapping[str, Callable[[int], Message]]] = {
    "draw": lambda n: phrase("draw {n}", n=n),
    "heal": lambda n: phrase("heal {n}", n=n),
    # Translators: c is short for Coppers.
    "coppers": lambda n: phrase("+{n}c", n=n),
    "face": lambda n: phrase("all cards F +{n} this round", n=n),
    "reveals": lambda n: phrase("may reveal {n} more", n=n),
}


class MoreDamage(PagePart, frozen=True):
    """Additional damage by its card to a Boss. F stays the same, so nothing else changes."""

    more: Annotated[Annotated[int, Meta(ge=1, le=20)], Meta(description="The additional damage.")]
    against: Annotated[
        Against,
        Meta(
            description="`all`: any Boss. `whole`: a Boss with full HP when the damage of the round begins. `hurt`: a "
            "Boss that has lost HP by then."
        ),
    ] = "all"
    per_lost: Annotated[
        Annotated[int, Meta(ge=0, le=50)],
        Meta(
            description="The lost HP of the Boss for which `more` is added once each, such as 10 for Hunter's Edge; 0 "
            "means that it is added once."
        ),
    ] = 0

    def against_boss(self, boss: Foe) -> int:
        """Return the additional damage against a Boss."""
        if self.per_lost:
            return self.more * ((boss.max - boss.hp) // self.per_lost)
        fits = {"all": True, "whole": boss.hp >= boss.max, "hurt": boss.hp < boss.max}[self.against]
        return self.more if fits else 0

    @property
    def words(self) -> Message:
        """The effect in words: `damage +2 against a hurt Boss`."""
        if self.per_lost:
            return phrase("damage +{n} per {hp} HP that the Boss has lost", n=self.more, hp=self.per_lost)
        match self.against:
            case "whole":
                return phrase("damage +{n} against a Boss at full HP", n=self.more)
            case "hurt":
                return phrase("damage +{n} against a hurt Boss", n=self.more)
            case _:
                return phrase("damage +{n}", n=self.more)


class MoreAtk(PagePart, frozen=True):
    """ATK that the label adds."""

    more: Annotated[Annotated[int, Meta(ge=1, le=9)], Meta(description="The additional ATK.")]
    rounds: Annotated[
        Rounds,
        Meta(
            description="`first`: only in the first round of the fight, as Swift. `every`: in every round, as Vicious. "
            "`growing`: increases by as much in each round with the label, as Rampage."
        ),
    ] = "every"

    @property
    def words(self) -> Message:
        """The effect in words: `ATK +1 in fight round 1`."""
        match self.rounds:
            case "first":
                return phrase("ATK +{n} in fight round 1", n=self.more)
            case "growing":
                return phrase("ATK +{n} more each round", n=self.more)
            case _:
                return phrase("ATK +{n}", n=self.more)


class Heals(PagePart, frozen=True):
    """HP that the Monster regains by its attack, up to max HP."""

    hp: Annotated[Annotated[int, Meta(ge=1, le=30)], Meta(description="The HP that it regains.")]
    per: Annotated[
        Per,
        Meta(
            description="`attack`: once, if its attack damages anybody. `damaged`: for each wizard that it damages. "
            "`downed`: for each wizard that it brings to 0 HP, as Hungry."
        ),
    ] = "attack"

    @property
    def words(self) -> Message:
        """The effect in words: `heals 3 if its attack deals damage`."""
        match self.per:
            case "damaged":
                return phrase("heals {n} per wizard that its attack damages", n=self.hp)
            case "downed":
                return phrase("heals {n} per wizard that its attack brings to 0 HP", n=self.hp)
            case _:
                return phrase("heals {n} if its attack deals damage", n=self.hp)


_INSCRIPTION_WORDS: Final[Mapping[str, Callable[[Any], Message]]] = {
    "face": lambda n: phrase("F +{n}", n=n),
    "hero": lambda _: phrase("counts as a Hero"),
    "pierces": lambda _: phrase("damage ignores Tough and Resilient"),
    "convert_factor": lambda n: phrase("Convert ×{n}", n=n),
    "any_suit": lambda _: phrase("Convert as any suit"),
    "surcharge": lambda n: phrase("Tactics that target it cost {n} more", n=n),
    "untouchable": lambda _: phrase("cannot be Foiled or Sniped"),
    "kill_coppers": lambda n: phrase("takes the kill: +{n}c", n=n),
    "legend_mythics": lambda n: phrase("takes a Legend's kill: {n} more Mythic", n=n),
    "pact": lambda n: phrase("damaged a Boss that another kills: +{n}c", n=n),
    "hand_face": lambda n: phrase("in hand: your other cards F +{n}", n=n),
    "thorns": lambda n: phrase("in hand when a Boss damages you: {n} damage back", n=n),
    "rescues": lambda _: phrase("in hand when you would fall to 0: 1 HP instead"),
    "swaps": lambda _: phrase("once a dungeon: swap two revealed cards"),
    "drifts": lambda _: phrase("may come along to another band"),
}
_LABEL_WORDS: Final[Mapping[str, Callable[[Any], Message]]] = {
    "dodge": lambda change: phrase("every dodge total {change}", change=signed(change)),
    "bar": lambda n: phrase("dodging it takes {n} more", n=n),
    "per_card": lambda n: phrase("each attacking card −{n} damage", n=n),
    "absorbs": lambda n: phrase("ignores the first {n} damage of each round", n=n),
    "snipe_extra": lambda n: phrase("every Snipe costs {n} more", n=n),
    "cost_factor": lambda n: phrase("Tactics cost ×{n}", n=n),
    "kill_coppers": lambda change: phrase("Killer's Coppers {change}", change=signed(change)),
    "curses": lambda _: phrase("its Killer loses one inscription for good"),
    "wipes_after": lambda n: phrase("alive after fight round {n}: LOSS", n=n),
}
_NO_FOIL: Final = {
    "first": phrase("no Foil in fight round 1"),
    "every": phrase("no Foil"),
}


def _compose_text(parts: Iterable[Message], reminders: Sequence[Remind], *, ends: bool = True) -> Text:
    """Return the description of an effect that has no text of its own, with its last full stop if it `ends`."""
    sentences: list[Text] = [*parts, *(remind.text for remind in reminders)]
    if not sentences:
        return ""
    *others, last = sentences
    finished = [Finished(part, begins=True) for part in others]
    end = last.rstrip(".") if isinstance(last, str) and not ends else last
    return joined(" ", (*finished, Finished(end, begins=True, ends=ends)))


class _ComposedText(Effect):
    """An effect whose text is composed of what it does, unless its homebrew has one."""

    _in_short: Text | None = None

    def _set_text(self, words: Sequence[Message], remind: Sequence[Remind]) -> None:
        if not self.text:
            self.text = _compose_text(words, remind)
            self._in_short = _compose_text(words, remind, ends=False)

    @property
    def effect(self) -> Text:
        """The description for the screen; one that is composed is in the language of its reader."""
        return super().effect if self._in_short is None else self._in_short


class OwnInscription(_ComposedText, Inscription):
    """An inscription of a homebrew, with the same attributes as the printed ones."""

    printed = False

    def __init__(
        self,
        fields: Mapping[str, Any],
        does: Sequence[Does] = (),
        damage: Sequence[MoreDamage] = (),
        remind: Sequence[Remind] = (),
    ) -> None:
        """Initialize an inscription; `fields` are attributes of `Inscription`, including name and price."""
        vars(self).update(fields)
        self._does, self._damage, self._remind = tuple(does), tuple(damage), tuple(remind)
        self.reveals_more = any(one.reveals for one in does)
        self._set_text(tuple(self._words(fields)), self._remind)

    def _words(self, fields: Mapping[str, Any]) -> Iterator[Message]:
        yield from (words(fields[name]) for name, words in _INSCRIPTION_WORDS.items() if name in fields)
        if not self.fades:
            yield phrase("Fading cannot cross it out")
        yield from (part.words for part in self._damage)
        yield from (part.words for part in self._does)

    def on_reveal(self, resolution: Resolution, seat: str, card: Card) -> None:
        """Apply the effect when the card is revealed (R1.21)."""
        self._run_effects("revealed", resolution, seat, card)

    def on_hit(self, resolution: Resolution, seat: str, card: Card) -> None:
        """Apply the effect when the card has dealt damage to a Boss (R1.24d)."""
        self._run_effects("hits", resolution, seat, card)

    def on_convert(self, resolution: Resolution, seat: str, card: Card) -> None:
        """Apply the effect when the card has Converted (R1.34)."""
        self._run_effects("converts", resolution, seat, card)

    def on_dodge(self, resolution: Resolution, seat: str, card: Card) -> None:
        """Apply the effect when the card was part of a successful dodge."""
        self._run_effects("dodges", resolution, seat, card)

    @property
    def acts_on_dodge(self) -> bool:
        """True if it has an effect when its card dodges."""
        return any(does.when == "dodges" for does in self._does)

    def edge(self, boss: Foe) -> int:
        """Return the damage it adds against a Boss (R1.42)."""
        return sum(part.against_boss(boss) for part in self._damage)

    @property
    def has_edge(self) -> bool:
        """True if it may add damage against a Boss."""
        return bool(self._damage)

    def raised_faces(self, state: DungeonTable, seat: str) -> Mapping[str, int]:
        """Return what it adds, by seat, to F of all cards for a round."""
        raised: Counter[str] = Counter()
        for does in self._does:
            if does.when == "revealed" and does.face:
                raised.update(dict.fromkeys(does.whose(state, seat), does.face))
        return raised

    def reminders(self, step: str) -> Iterator[Text]:
        """Return what players must remember in a step."""
        return (self.translate(remind.text) for remind in self._remind if remind.at == step)

    def _run_effects(self, when: When, resolution: Resolution, seat: str, card: Card) -> None:
        why = joined(" ", (self.title, card_title(card)))
        for does in self._does:
            if does.when == when:
                for whose in does.whose(resolution.state, seat):
                    self._apply_part(does, resolution, whose, card, why)

    def _apply_part(self, does: Does, resolution: Resolution, seat: str, card: Card, why: Message) -> None:
        if does.draw:
            draw(resolution, seat, does.draw, why)
        if does.heal:
            heal(resolution, seat, does.heal, why)
        if does.coppers:
            earn(resolution, seat, does.coppers, Reason("homebrew", (self.name, card)))
        if does.face:
            resolution.update_wizard(seat, banner=resolution.state.wizard(seat).banner + does.face)
            text = phrase(
                "{inscription}: {player}'s cards are {change} this round.",
                inscription=why,
                player=resolution.name(seat),
                change=signed(does.face),
            )
            resolution.tell(text, seat)
        if does.reveals:
            resolution.update_wizard(seat, more_reveals=resolution.state.wizard(seat).more_reveals + does.reveals)
            text = phrases(
                "{inscription}: {player} may reveal one more card.",
                "{inscription}: {player} may reveal {n} more cards.",
                n=does.reveals,
                inscription=why,
                player=resolution.name(seat),
            )
            resolution.tell(text, seat)


class OwnMonsterLabel(_ComposedText, MonsterLabel):
    """A Monster label of a homebrew, with the same attributes as the printed ones."""

    printed = False

    def __init__(
        self,
        fields: Mapping[str, Any],
        atk: Sequence[MoreAtk] = (),
        heals: Sequence[Heals] = (),
        no_foil: Literal["", "first", "every"] = "",
        remind: Sequence[Remind] = (),
    ) -> None:
        """Initialize a label; `fields` are attributes of `MonsterLabel`, including name and tier."""
        vars(self).update(fields)
        self._atk, self._heals, self._no_foil, self._remind = tuple(atk), tuple(heals), no_foil, tuple(remind)
        self._set_text(tuple(self._words(fields)), self._remind)

    def _words(self, fields: Mapping[str, Any]) -> Iterator[Message]:
        yield from (part.words for part in self._atk)
        yield from (words(fields[name]) for name, words in _LABEL_WORDS.items() if name in fields)
        if self._no_foil:
            yield _NO_FOIL[self._no_foil]
        yield from (part.words for part in self._heals)

    def atk(self, rounds: int, fight_round: int, house: House) -> int:  # noqa: ARG002 – used by printed labels
        """Return the ATK it adds in the `rounds`-th round with the label and the `fight_round`-th of the fight."""
        times = {"first": int(fight_round == 1), "every": 1, "growing": rounds}
        return sum(part.more * times[part.rounds] for part in self._atk)

    def forbids_foil(self, fight_round: int) -> bool:
        """Return True if no wizard may Foil in this round."""
        return self._no_foil == "every" or (self._no_foil == "first" and fight_round == 1)

    def heals(self, atk: int, damaged: int, downed: int, house: House) -> int:  # noqa: ARG002 – used by printed labels
        """Return the HP the Monster regains by its attack."""
        times = {"attack": min(1, damaged), "damaged": damaged, "downed": downed}
        return sum(part.hp * times[part.per] for part in self._heals)

    def reminders(self, step: str) -> Iterator[Text]:
        """Return what players must remember in a step."""
        return (self.translate(remind.text) for remind in self._remind if remind.at == step)
