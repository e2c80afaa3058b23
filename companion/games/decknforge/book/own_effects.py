"""The effects of a homebrew, composed from the effects of printed inscriptions and labels.

Every amount is a plain number, so that the effect follows from its text alone, permanently and on any machine.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Annotated, Any, Final, Literal

from msgspec import Meta

from companion.games.decknforge.book.effect import Inscription, MonsterLabel
from companion.games.decknforge.book.house import House
from companion.games.decknforge.book.ledger import draw, earn, heal
from companion.games.decknforge.book.state import DungeonTable, Foe, Resolution
from companion.games.described.page.description import PagePart, Statement
from companion.tabletop.notation.cards import Card, card_title
from companion.tabletop.records import Reason
from companion.tabletop.text import signed_figure
from templates.languages.messages import Message, Text, joined, phrase, phrases, signed

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

_WHEN: Final[Mapping[str, str]] = {
    "revealed": "Revealed",
    "hits": "Hits a Boss",
    "converts": "Converts",
    "dodges": "Used in a dodge",
}
_WHOM: Final[Mapping[str, str]] = {
    "you": "",
    "left": "the next wizard on the left: ",
    "others": "all others: ",
    "all": "everybody: ",
}
_AGAINST: Final[Mapping[str, str]] = {"all": "", "whole": " against a Boss at full HP", "hurt": " against a hurt Boss"}
_ROUNDS: Final[Mapping[str, str]] = {"first": " in fight round 1", "every": "", "growing": " more each round"}
_PER: Final[Mapping[str, str]] = {
    "attack": "if its attack deals damage",
    "damaged": "per wizard that its attack damages",
    "downed": "per wizard that its attack brings to 0 HP",
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
    def words(self) -> str:
        """The effect in words: `Revealed: draw 1, +1c`."""
        given = ", ".join(_GIVEN[what](amount) for what, amount in self.amounts.items())
        return f"{_WHEN[self.when]}: {_WHOM[self.whom]}{given}"

    def whose(self, state: DungeonTable, seat: str) -> tuple[str, ...]:
        """Return the seats it applies to: wizards in the fight, and the wizard who has the card."""
        others = tuple(wizard.seat for wizard in state.clockwise(seat)[1:] if wizard.in_fight)
        if self.whom == "left":
            return others[:1]
        return {"you": (seat,), "others": others, "all": (seat, *others)}[self.whom]


_GIVEN: Final[Mapping[str, Callable[[int], str]]] = {
    "draw": "draw {}".format,
    "heal": "heal {}".format,
    "coppers": "+{}c".format,
    "face": "all cards F +{} this round".format,
    "reveals": "may reveal {} more".format,
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
    def words(self) -> str:
        """The effect in words: `damage +2 against a hurt Boss`."""
        per = f" per {self.per_lost} HP that the Boss has lost" if self.per_lost else ""
        return f"damage +{self.more}{per}{_AGAINST[self.against]}"


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
    def words(self) -> str:
        """The effect in words: `ATK +1 in fight round 1`."""
        return f"ATK +{self.more}{_ROUNDS[self.rounds]}"


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
    def words(self) -> str:
        """The effect in words: `heals 3 if its attack deals damage`."""
        return f"heals {self.hp} {_PER[self.per]}"


_INSCRIPTION_WORDS: Final[Mapping[str, Callable[[Any], str]]] = {
    "face": "F +{}".format,
    "hero": lambda _: "counts as a Hero",
    "pierces": lambda _: "damage ignores Tough and Resilient",
    "convert_factor": "Convert ×{}".format,
    "any_suit": lambda _: "Convert as any suit",
    "surcharge": "Tactics that target it cost {} more".format,
    "untouchable": lambda _: "cannot be Foiled or Sniped",
    "kill_coppers": "takes the kill: +{}c".format,
    "legend_mythics": "takes a Legend's kill: {} more Mythic".format,
    "pact": "damaged a Boss that another kills: +{}c".format,
    "hand_face": "in hand: your other cards F +{}".format,
    "thorns": "in hand when a Boss damages you: {} damage back".format,
    "rescues": lambda _: "in hand when you would fall to 0: 1 HP instead",
    "swaps": lambda _: "once a dungeon: swap two revealed cards",
    "drifts": lambda _: "may come along to another band",
}
_LABEL_WORDS: Final[Mapping[str, Callable[[Any], str]]] = {
    "dodge": lambda change: f"every dodge total {signed_figure(change)}",
    "bar": "dodging it takes {} more".format,
    "per_card": "each attacking card −{} damage".format,
    "absorbs": "ignores the first {} damage of each round".format,
    "snipe_extra": "every Snipe costs {} more".format,
    "cost_factor": "Tactics cost ×{}".format,
    "kill_coppers": lambda change: f"Killer's Coppers {signed_figure(change)}",
    "curses": lambda _: "its Killer loses one inscription for good",
    "wipes_after": "alive after fight round {}: LOSS".format,
}


def _compose_text(parts: Sequence[str], reminders: Sequence[Remind]) -> str:
    """Return the description of an effect that has no text of its own."""
    sentences = [f"{part[:1].upper()}{part[1:]}." for part in parts]
    return " ".join((*sentences, *(remind.text for remind in reminders)))


class OwnInscription(Inscription):
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
        self.text = self.text or _compose_text(tuple(self._words(fields)), self._remind)

    def _words(self, fields: Mapping[str, Any]) -> Iterator[str]:
        yield from (words(fields[name]) for name, words in _INSCRIPTION_WORDS.items() if name in fields)
        if not self.fades:
            yield "Fading cannot cross it out"
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


class OwnMonsterLabel(MonsterLabel):
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
        self.text = self.text or _compose_text(tuple(self._words(fields)), self._remind)

    def _words(self, fields: Mapping[str, Any]) -> Iterator[str]:
        yield from (part.words for part in self._atk)
        yield from (words(fields[name]) for name, words in _LABEL_WORDS.items() if name in fields)
        if self._no_foil:
            yield f"no Foil{_ROUNDS[self._no_foil]}"
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
