"""A homebrew: a campaign's own inscriptions and Monster labels, and other names, prices and tiers for the printed ones.

It is a text in TOML, read here into the book of a table. Its keys are those of a page of a described game if both mean
the same. The description of each key is written once, here, and is the source of the documentation.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from copy import copy
from difflib import get_close_matches
from typing import Annotated, Any, Final, Literal, TypeVar

import msgspec
from msgspec import Meta, field

from companion.games.decknforge.book.effect import MYTHIC, Effect, EffectBook, Inscription, MonsterLabel, name_of
from companion.games.decknforge.book.founding import budget
from companion.games.decknforge.book.own_effects import (
    Does,
    Few,
    Heals,
    MoreAtk,
    MoreDamage,
    OwnInscription,
    OwnMonsterLabel,
    Remind,
)
from companion.games.decknforge.book.standard import STANDARD
from companion.games.described.page import description
from companion.games.described.page.description import PagePart, Statement
from companion.games.described.page.reading import PageError, read_struct
from companion.games.described.page.texts import PageTexts
from companion.games.described.page.toml_lines import Path
from companion.games.described.page.translations import wrong_translations
from companion.games.page_text import code_of
from companion.tabletop.action import NotationError
from companion.tabletop.notation.arguments import read_name
from templates.languages.messages import Text, listed, phrase

Tier = Literal["common", "uncommon", "rare", "mythic"]
LabelTierWord = Literal["easy", "medium", "hard"]
_TIERS: Final[Mapping[str, int]] = {"easy": 1, "medium": 2, "hard": 3}
_MOST: Final = 60
"""Most inscriptions, and most labels, of one homebrew: a sheet of labels."""

Price = Annotated[int, Meta(ge=0, le=1000)]
Number = Annotated[
    int, Meta(description="Its permanent number, which no later edition may give to another one.", ge=1, le=9999)
]
Withdrawn = Annotated[bool, Meta(description="Whether it is no longer available; cards that have it keep it.")]
"""Flag of a number already given out, so that no edition must drop an effect that is on cards."""


class OwnInscriptionText(PagePart, frozen=True):
    """An inscription of a homebrew."""

    number: Number
    name: Annotated[description.Name, Meta(description="Its name, from which the word in lines and records is made.")]
    text: Annotated[
        Statement, Meta(description="Its effect, as printed on the label; default: a text made from its effects.")
    ] = ""
    tier: Annotated[Tier, Meta(description="Its tier, which determines the price.")] = "common"
    price: Annotated[
        Price | None, Meta(description="Its price, paid from the purse; default: the price of its tier.")
    ] = None
    withdrawn: Withdrawn = False
    face: Annotated[Few, Meta(description="The amount added to F of its card everywhere (as Sharp).")] = 0
    hero: Annotated[bool, Meta(description="Its card counts as a Hero (as Ascension); only for cards 2 to 10.")] = False
    pierces: Annotated[bool, Meta(description="Damage by its card ignores Tough and Resilient (as Pierce).")] = False
    convert_factor: Annotated[
        Annotated[int, Meta(ge=1, le=4)],
        Meta(description="The factor by which a Convert of its card is multiplied (as Echo)."),
    ] = 1
    any_suit: Annotated[bool, Meta(description="Its card may Convert as any suit (as Wildcard).")] = False
    surcharge: Annotated[
        Annotated[int, Meta(ge=0, le=3)],
        Meta(description="The additional cost of Tactics that target its card (as Slippery)."),
    ] = 0
    untouchable: Annotated[bool, Meta(description="Its card cannot be Foiled or Sniped.")] = False
    kill_coppers: Annotated[Few, Meta(description="Coppers gained when its card kills a Boss (as Blood Money).")] = 0
    legend_mythics: Annotated[
        Annotated[int, Meta(ge=0, le=2)],
        Meta(description="Additional Mythics when its card kills a Legend (as Reaper's Mark)."),
    ] = 0
    pact: Annotated[
        Few,
        Meta(description="Coppers gained when its card damaged a Boss that another wizard kills (as Mercenary Pact)."),
    ] = 0
    hand_face: Annotated[
        Few,
        Meta(
            description="While its card is in hand: the amount added to F of the wizard's other cards (as Royal "
            "Decree)."
        ),
    ] = 0
    thorns: Annotated[
        Few,
        Meta(description="While its card is in hand: the damage dealt to a Boss that damages the wizard (as Thorns)."),
    ] = 0
    rescues: Annotated[
        bool, Meta(description="While its card is in hand: it saves the wizard once, with 1 HP (as Phoenix).")
    ] = False
    swaps: Annotated[
        bool, Meta(description="Two revealed cards may be swapped once in a dungeon (as Wizard's Will).")
    ] = False
    fades: Annotated[bool, Meta(description="Whether Fading can cross it out; `false` is like Legend-Etched.")] = True
    drifts: Annotated[bool, Meta(description="Its card may come along to another band (as Tower's Memory).")] = False
    does: Annotated[
        tuple[Does, ...], Meta(max_length=6, description="Effects when its card is revealed, hits and so on.")
    ] = ()
    damage: Annotated[
        tuple[MoreDamage, ...], Meta(max_length=4, description="Additional damage by its card to a Boss.")
    ] = ()
    remind: Annotated[
        tuple[Remind, ...],
        Meta(
            max_length=4, description="Reminders that are shown at a step, for effects that the program cannot compute."
        ),
    ] = ()


class OwnLabelText(PagePart, frozen=True):
    """A Monster label of a homebrew."""

    number: Number
    name: Annotated[description.Name, Meta(description="Its name, from which the word in lines and records is made.")]
    text: Annotated[
        Statement, Meta(description="Its effect, as printed on the label; default: a text made from its effects.")
    ] = ""
    tier: Annotated[
        LabelTierWord, Meta(description="`easy`, `medium` or `hard`: 1, 2 or 3 Coppers, and as many cards or HP.")
    ] = "easy"
    withdrawn: Withdrawn = False
    on_minions: Annotated[bool, Meta(description="Whether it works on a Minion too.")] = False
    dodge: Annotated[
        Annotated[int, Meta(ge=-9, le=9)],
        Meta(description="The amount added to every dodge total while its Monster is in play; −1 is like Stinky."),
    ] = 0
    bar: Annotated[Few, Meta(description="The amount by which dodging it is harder (as Twitchy).")] = 0
    per_card: Annotated[Few, Meta(description="The damage that each attacking card loses (as Tough).")] = 0
    absorbs: Annotated[
        Annotated[int, Meta(ge=0, le=30)], Meta(description="The damage that it ignores in each round (as Resilient).")
    ] = 0
    snipe_extra: Annotated[
        Annotated[int, Meta(ge=0, le=3)], Meta(description="The additional cards that every Snipe costs (as Cunning).")
    ] = 0
    cost_factor: Annotated[
        Annotated[int, Meta(ge=1, le=3)],
        Meta(description="The factor by which the cost of Tactics is multiplied; 2 is like Hexproof."),
    ] = 1
    kill_coppers: Annotated[
        Annotated[int, Meta(ge=-9, le=9)],
        Meta(description="The amount added to the Killer's Coppers; −1 is like Greedy."),
    ] = 0
    curses: Annotated[bool, Meta(description="Its Killer loses an inscription (as Cursed).")] = False
    wipes_after: Annotated[
        Annotated[int, Meta(ge=1, le=99)] | None,
        Meta(description="The dungeon is lost if it is alive after this round of the fight; 5 is like Doom."),
    ] = None
    no_foil: Annotated[
        Literal["", "first", "every"],
        Meta(description="Nobody may Foil in the `first` round of the fight (as Sneaky), or in `every` one."),
    ] = ""
    atk: Annotated[tuple[MoreAtk, ...], Meta(max_length=4, description="ATK that it adds.")] = ()
    heals: Annotated[
        tuple[Heals, ...], Meta(max_length=4, description="HP that its Monster regains by its attack.")
    ] = ()
    remind: Annotated[
        tuple[Remind, ...],
        Meta(
            max_length=4, description="Reminders that are shown at a step, for effects that the program cannot compute."
        ),
    ] = ()


class PrintedInscription(PagePart, frozen=True):
    """A campaign's changes to a printed inscription. Its effect stays the same."""

    name: Annotated[
        description.Name, Meta(description="Its name in this homebrew; lines and records keep the printed word.")
    ] = ""
    text: Annotated[Statement, Meta(description="The text of its label in this homebrew.")] = ""
    tier: Annotated[Tier | None, Meta(description="Its tier in this homebrew.")] = None
    price: Annotated[Price | None, Meta(description="Its price in this homebrew; default: the price of its tier.")] = (
        None
    )
    withdrawn: Withdrawn = False


class PrintedLabel(PagePart, frozen=True):
    """A campaign's changes to a printed Monster label."""

    name: Annotated[
        description.Name, Meta(description="Its name in this homebrew; lines and records keep the printed word.")
    ] = ""
    text: Annotated[Statement, Meta(description="The text of its label in this homebrew.")] = ""
    tier: Annotated[LabelTierWord | None, Meta(description="Its tier in this homebrew.")] = None
    withdrawn: Withdrawn = False


class PrintedChanges(PagePart, frozen=True):
    """A campaign's changes to printed effects, by their names in notation."""

    inscriptions: Annotated[
        dict[description.Word, PrintedInscription],
        Meta(max_length=_MOST, description="Inscriptions, by their words: `sharp`."),
    ] = field(default_factory=dict)
    labels: Annotated[
        dict[description.Word, PrintedLabel],
        Meta(max_length=_MOST, description="Monster labels, by their words: `tough`."),
    ] = field(default_factory=dict)


class Prices(PagePart, frozen=True):
    """Prices of the tiers. Mythics are not for sale."""

    common: Annotated[Price, Meta(description="The price of a Common.")] = STANDARD.prices["common"]
    uncommon: Annotated[Price, Meta(description="The price of an Uncommon.")] = STANDARD.prices["uncommon"]
    rare: Annotated[Price, Meta(description="The price of a Rare.")] = STANDARD.prices["rare"]


class Homebrew(PagePart, frozen=True):
    """A whole homebrew, as written in its text."""

    homebrew: Annotated[Literal["decknforge"], Meta(description="The game that it belongs to.")]
    name: Annotated[description.Word, Meta(description="The word after `table`, which is the same in all editions.")]
    title: Annotated[description.Name, Meta(description="Its displayed name.")]
    by: Annotated[description.Fact, Meta(description="Its author, to distinguish homebrews with the same name.")] = ""
    edition: Annotated[int, Meta(description="A number to increase whenever the homebrew changes.", ge=1, le=9999)] = 1
    written_in: Annotated[
        description.LanguageCode,
        Meta(description="The language of this homebrew, such as `de`, by its code of two or three letters."),
    ] = "en"
    about: Annotated[Statement, Meta(description="A description in a sentence.")] = ""
    prices: Annotated[Prices, Meta(description="The prices of the tiers.")] = Prices()
    printed: Annotated[
        PrintedChanges, Meta(description="Other names, prices and tiers for printed inscriptions and labels.")
    ] = PrintedChanges()
    inscriptions: Annotated[
        tuple[OwnInscriptionText, ...], Meta(max_length=_MOST, description="Inscriptions of your own.")
    ] = ()
    labels: Annotated[tuple[OwnLabelText, ...], Meta(max_length=_MOST, description="Monster labels of your own.")] = ()
    language: Annotated[
        dict[description.LanguageCode, Annotated[dict[str, description.Translation], Meta(max_length=3000)]],
        Meta(
            max_length=40,
            description="The texts of this homebrew in other languages: below `[language.de]`, each text as it stands "
            'here, in quotation marks, and its translation: `"Moon Blade" = "Mondklinge"`.',
        ),
    ] = field(default_factory=dict)

    @property
    def texts(self) -> PageTexts:
        """Its texts and their translations."""
        return PageTexts(self, code_of(self.written_in), self.language)

    @property
    def permanent(self) -> Mapping[str, str]:
        """The permanent meanings of its numbers."""
        inscriptions = {f"Inscription {each.number}": each.name for each in self.inscriptions}
        return {**inscriptions, **{f"Label {each.number}": each.name for each in self.labels}}


def read_homebrew(text: str, where: str = "") -> Homebrew:
    """Read the homebrew of a text; `where` names it in errors. Raises PageError that lists all errors."""
    return read_struct(text, Homebrew, _homebrew_errors, _empty_entry_errors, where)


def read_kept_homebrew(text: str) -> Homebrew:
    """Read the homebrew by which a game was played, even if stricter checks would refuse it now.

    Raises PageError if it cannot be parsed.
    """
    try:
        return read_homebrew(text)
    except PageError:
        return read_struct(text, Homebrew, lambda _: ())


_FREE: Final = frozenset({"number", "name", "text", "tier", "price", "withdrawn", "does", "damage", "remind"})
_OF_LABELS: Final = frozenset({*_FREE, "atk", "heals", "no_foil"})
_IN_A_LINE: Final = frozenset({"anyway", "hp", "atk", "legend", "labels"})
"""Words that continue a line after the name of an inscription or label."""


def _homebrew_errors(brew: Homebrew) -> Iterator[tuple[Path, Text]]:
    """Yield the errors of a homebrew, each with its key."""
    if brew.language:
        yield from wrong_translations(brew.texts, brew.written_in, brew.language)
    changed = brew.printed
    yield from _wrong_printed("inscriptions", changed.inscriptions, STANDARD.inscriptions)
    yield from _wrong_printed("labels", changed.labels, STANDARD.labels)
    yield from _wrong_names("inscriptions", brew.inscriptions, changed.inscriptions, STANDARD.inscriptions)
    yield from _wrong_names("labels", brew.labels, changed.labels, STANDARD.labels)
    for word, each in changed.inscriptions.items():
        if word in STANDARD.inscriptions:
            tier = each.tier or STANDARD.inscriptions[word].tier
            yield from _wrong_price(("printed", "inscriptions", word), tier, each.price)
    for at, one in enumerate(brew.inscriptions):
        yield from _wrong_price(("inscriptions", at), one.tier, one.price)
        yield from _wrong_does(("inscriptions", at), one)
    for at, label in enumerate(brew.labels):
        for number, remind in enumerate(label.remind):
            if remind.at in ("fading", "drifting", "turning"):
                yield (
                    ("labels", at, "remind", number, "at"),
                    phrase("There is no Monster after the last fight; name a step of a fight."),
                )


def _empty_entry_errors(brew: Homebrew) -> Iterator[tuple[Path, Text]]:
    """Yield an error for each entry without any effect."""
    for at, one in enumerate(brew.inscriptions):
        if not (_own_fields(one, _FREE) or one.does or one.damage or one.remind):
            yield ("inscriptions", at), _NOTHING
    for at, label in enumerate(brew.labels):
        figures = _own_fields(label, _OF_LABELS | {"on_minions"})
        if not (figures or label.atk or label.heals or label.no_foil or label.remind):
            yield ("labels", at), _NOTHING


_NOTHING: Final = phrase("It does nothing; say what it does, or what people should remember: remind.")


def _wrong_printed(kind: str, changed: Mapping[str, Any], printed: Mapping[str, Effect]) -> Iterator[tuple[Path, Text]]:
    for word in changed:
        if word not in printed:
            near = get_close_matches(word, list(printed), n=1, cutoff=0.5)
            problem = (
                phrase("“{word}” is not printed; did you mean {name}?", word=word, name=near[0])
                if near
                else phrase("“{word}” is not printed; these are: {names}.", word=word, names=listed(printed))
            )
            yield ("printed", kind, word), problem


def _wrong_names(
    kind: str,
    own: Sequence[OwnInscriptionText | OwnLabelText],
    changed: Mapping[str, PrintedInscription] | Mapping[str, PrintedLabel],
    printed: Mapping[str, Effect],
) -> Iterator[tuple[Path, Text]]:
    """Yield errors about names that are ambiguous or cannot be used in a line, and about duplicate numbers."""
    called: dict[str, str] = {}
    numbers: dict[int, str] = {}
    names: dict[str, str] = {}
    for word, each in changed.items():
        other = name_of(each.name)
        if other != word and other in printed:
            yield (
                ("printed", kind, word, "name"),
                phrase("“{name}” is the printed name of another one.", name=each.name),
            )
        elif other and other in called:
            problem = phrase("{other} is called “{name}” already.", name=each.name, other=called[other])
            yield ("printed", kind, word, "name"), problem
        called.setdefault(other, word)
    for at, one in enumerate(own):
        name = name_of(one.name)
        if one.number in numbers:
            yield (
                (kind, at, "number"),
                phrase("Number {number} is {name} already.", number=str(one.number), name=numbers[one.number]),
            )
        numbers.setdefault(one.number, one.name)
        if why := _no_word(name):
            yield (kind, at, "name"), why
        elif name in printed:
            yield (
                (kind, at, "name"),
                phrase("“{name}” is a printed one; {key} changes it.", name=one.name, key=f"[printed.{kind}.{name}]"),
            )
        elif name in names or name in called:
            yield (kind, at, "name"), phrase("“{name}” is the name of another one already.", name=one.name)
        names[name] = one.name


def _no_word(name: str) -> Text:
    """Return why a name cannot be used in a line, or ""."""
    try:
        read_name(name)
    except NotationError as error:
        return error.message
    plain = name.isascii() and "_" not in name and name[:1].isalpha()
    if not plain or name in _IN_A_LINE:
        return phrase(
            "“{name}” would be its word in lines, which is not possible; use letters, digits and spaces in its name.",
            name=name,
        )
    return ""


def _wrong_price(path: Path, tier: str, price: int | None) -> Iterator[tuple[Path, Text]]:
    if tier == MYTHIC and price is not None:
        yield (
            (*path, "price"),
            phrase("Mythics are earned and not for sale (R1.8); leave the price out, or take another tier."),
        )


def _wrong_does(path: Path, one: OwnInscriptionText) -> Iterator[tuple[Path, Text]]:
    for number, does in enumerate(one.does):
        place = (*path, "does", number)
        if not does.amounts:
            yield place, phrase("How much of what? Say draw, heal, coppers, face or reveals.")
        if does.face and does.when != "revealed":
            yield (*place, "face"), phrase('F of this round can only rise as cards are revealed: when = "revealed".')
        if does.reveals and (does.when, does.whom) != ("revealed", "you"):
            yield (
                (*place, "reveals"),
                phrase('Only the wizard who reveals may reveal more: when = "revealed", whom = "you".'),
            )
    for number, damage in enumerate(one.damage):
        if damage.per_lost and damage.against != "all":
            yield (*path, "damage", number, "against"), phrase("Only a hurt Boss has lost HP; leave out against.")


def _own_fields(entry: OwnInscriptionText | OwnLabelText, but: frozenset[str]) -> dict[str, Any]:
    """Return the effect's values that differ from the defaults, by field name."""
    return {
        each.name: getattr(entry, each.name)
        for each in msgspec.structs.fields(entry)
        if each.name not in but and getattr(entry, each.name) != each.default
    }


def _own_inscription(entry: OwnInscriptionText, texts: PageTexts) -> OwnInscription:
    named = {
        "translate": texts.name,
        "name": name_of(entry.name),
        "number": entry.number,
        "called": entry.name,
        "tier": entry.tier,
    }
    given = {"text": entry.text, "price": entry.price, "withdrawn": entry.withdrawn}
    return OwnInscription({**named, **given, **_own_fields(entry, _FREE)}, entry.does, entry.damage, entry.remind)


def _own_label(entry: OwnLabelText, texts: PageTexts) -> OwnMonsterLabel:
    named = {
        "translate": texts.name,
        "name": name_of(entry.name),
        "number": entry.number,
        "called": entry.name,
        "tier": _TIERS[entry.tier],
    }
    given = {"text": entry.text, "withdrawn": entry.withdrawn}
    fields = _own_fields(entry, _OF_LABELS)
    return OwnMonsterLabel({**named, **given, **fields}, entry.atk, entry.heals, entry.no_foil, entry.remind)


E = TypeVar("E", Inscription, MonsterLabel)


def _change_effect(effect: E, texts: PageTexts, **fields: Any) -> E:
    """Return a printed effect with a campaign's changes; the same object without any."""
    changes = {name: value for name, value in fields.items() if not (value is None or value is False or value == "")}
    if not changes:
        return effect
    other = copy(effect)
    vars(other).update(changes, translate=texts.name)
    return other


def book_of(brew: Homebrew) -> EffectBook:
    """Return the printed book with a homebrew's additions and changes."""
    texts = brew.texts
    none, bare = PrintedInscription(), PrintedLabel()
    inscriptions, labels = dict(STANDARD.inscriptions), dict(STANDARD.labels)
    for name, effect in STANDARD.inscriptions.items():
        entry = brew.printed.inscriptions.get(name, none)
        inscriptions[name] = _change_effect(
            effect,
            texts,
            called=entry.name,
            text=entry.text,
            tier=entry.tier,
            price=entry.price,
            withdrawn=entry.withdrawn,
        )
    for name, label in STANDARD.labels.items():
        other = brew.printed.labels.get(name, bare)
        tier = _TIERS[other.tier] if other.tier else None
        labels[name] = _change_effect(
            label, texts, called=other.name, text=other.text, tier=tier, withdrawn=other.withdrawn
        )
    inscriptions.update((one.name, one) for one in (_own_inscription(each, texts) for each in brew.inscriptions))
    labels.update((one.name, one) for one in (_own_label(each, texts) for each in brew.labels))
    prices = {tier: getattr(brew.prices, tier) for tier in STANDARD.prices}
    return msgspec.structs.replace(STANDARD, inscriptions=inscriptions, labels=labels, prices=prices, is_homebrew=True)


def homebrew_warnings(brew: Homebrew) -> Iterator[tuple[str, Text]]:
    """Yield warnings about what can be played but is probably a mistake: the key and a sentence."""
    printed = brew.printed.inscriptions.items()
    changed = ((f"printed.inscriptions.{word}", each.name or word, each.price) for word, each in printed)
    own = ((f"inscriptions[{at}]", each.name, each.price) for at, each in enumerate(brew.inscriptions, 1))
    for place, name, price in (*changed, *own):
        if price is not None and price > budget(3):
            yield (
                f"{place}.price",
                phrase(
                    "No band can begin with {inscription}: its budget is {coppers} Coppers (R1.4).",
                    inscription=name,
                    coppers=budget(3),
                ),
            )
    for at, each in enumerate(brew.inscriptions, 1):
        if each.hero and (each.any_suit or each.convert_factor > 1):
            yield (
                f"inscriptions[{at}].hero",
                phrase(
                    "{inscription} makes a Hero of its card, and Heroes never Convert (R1.34).", inscription=each.name
                ),
            )
        if each.untouchable and each.surcharge:
            yield (
                f"inscriptions[{at}].surcharge",
                phrase("{inscription} is untouchable, so only Spikes can target it.", inscription=each.name),
            )
    for at, label in enumerate(brew.labels, 1):
        if label.on_minions and not (
            _own_fields(label, _OF_LABELS | {"on_minions", "curses"}) or label.atk or label.heals
        ):
            yield (
                f"labels[{at}].on-minions",
                phrase("{label} does nothing that a Minion could do.", label=label.name),
            )


def places_of_labels(brew: Homebrew) -> Mapping[str, str]:
    """Return the keys in a homebrew of the texts on its labels, by the labels' titles: `inscriptions[2].text`."""
    own = ((kind, getattr(brew, kind)) for kind in ("inscriptions", "labels"))
    places = {each.name: f"{kind}[{at}].text" for kind, texts in own for at, each in enumerate(texts, 1)}
    changed = ((kind, getattr(brew.printed, kind)) for kind in ("inscriptions", "labels"))
    return {
        **{
            each.name: f"printed.{kind}.{word}.name"
            for kind, words in changed
            for word, each in words.items()
            if each.name
        },
        **places,
    }
