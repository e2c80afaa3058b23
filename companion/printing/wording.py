"""The wording of labels and its look: texts from the files of a game, drawn by the designs."""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from importlib import resources
from itertools import chain
from typing import TYPE_CHECKING, Annotated, Any, Final, NamedTuple

import msgspec

from companion.games import registry
from companion.tabletop.decks.label_numbers import CardLabel, LooseLabel, parse_number
from companion.tabletop.decks.paper import LabelDesign, LabelText, LabelTier, Printable, PrintedMatter, Wording
from labels.designs import EffectLabel, FiguresLabel, HeadedLabel, Plain, StripLabel, TierMark
from labels.errors import LabelError
from labels.paper.sheet import Label
from templates.languages.messages import Message, Text, all_of, declared, phrase, phrases

# Few runs have a label in a user's own design, so the modules that read those are loaded only when needed.
if TYPE_CHECKING:
    from labels.designs.own import Design


def read_text(package: str, *path: str) -> str | None:
    """Return the text of a file, by the package of a game's files, its folders and its name, or None."""
    if not package:  # a game without files
        return None
    file = resources.files(package).joinpath(*path)
    return file.read_text(encoding="utf-8") if file.is_file() else None


def read_toml(package: str, *path: str) -> dict[str, Any] | None:
    """Return the content of a TOML file, or None."""
    content = read_text(package, *path)
    return None if content is None else tomllib.loads(content)


def paper_deck_example(name: str | None = None) -> str:
    """Return an example file of a deck that lived on paper, for the user to fill in.

    The default game is the first that has one. Raises LabelError if it has none, NotationError for an unknown game.
    """
    return _paper_deck(choose_game(name, lambda each: bool(_paper_deck(each)), _MISSING_EXAMPLE))


def _paper_deck(game: Printable) -> str:
    own = game.paper.paper_deck() if game.paper else ""
    return own or read_example(game, _PAPER_DECK) or ""


_PAPER_DECK = "adopt.toml"


def read_example(game: Printable, name: str) -> str | None:
    """Return one of a game's examples, or None."""
    return read_text(game.data, "examples", game.name, name)


def paper_deck_from_labels(name: str | None, pictures: Sequence[Sequence[str]]) -> str:
    """Return the file of a deck that lived on paper, filled in from the labels in pictures, given by their numbers.

    Raises LabelError if they show nothing, or if the game has no such file; NotationError for an unknown game.
    """
    game = choose_game(name, lambda each: bool(each.paper and each.paper.paper_deck_with((), ())), _MISSING_FILE)
    spots, kinds = labelled_spots(game, pictures)
    paper = game.paper or PrintedMatter()
    return paper.paper_deck_with(spots, kinds)


def labelled_spots(game: Printable, pictures: Sequence[Sequence[str]]) -> tuple[list[str], list[str]]:
    """Return the spots of the labels in pictures, given by their numbers, and the kinds of labels from starter sheets.

    Of several decks it is the one with the most labels. Raises LabelError if pictures show nothing.
    """
    paper = game.paper or PrintedMatter()
    labels = [label for label in map(parse_number, dict.fromkeys(chain(*pictures))) if label is not None]
    tags = Counter(label.tag for label in labels if isinstance(label, CardLabel))
    tag = tags.most_common(1)[0][0] if tags else -1
    spots = [
        spot
        for label in labels
        if isinstance(label, CardLabel) and label.tag == tag and (spot := paper.spot_on_card(label.card, label.kind))
    ]
    kinds = [kind for label in labels if isinstance(label, LooseLabel) and (kind := paper.kind_name(label.kind))]
    if not (spots or kinds):
        raise LabelError(phrase("These pictures show no labels with codes that could be told from here."))
    return spots, kinds


class MissingMatter(NamedTuple):
    """The sentence for printed matter that no game has, and the clause for one that a game has not."""

    nowhere: Message
    here: Callable[[Text], Message]


# Translators: the clauses without a full stop continue with “; Odd Frontier has one.”
_MISSING_EXAMPLE: Final = MissingMatter(
    phrase("No game has an example of a deck on paper."),
    lambda game: phrase("{game} has no example of a deck on paper", game=game),
)
_MISSING_FILE: Final = MissingMatter(
    phrase("No game has a file that labels could fill in."),
    lambda game: phrase("{game} has no file that labels could fill in", game=game),
)
_MISSING_STARTER: Final = MissingMatter(
    phrase("No game has a starter sheet."), lambda game: phrase("{game} has no starter sheet", game=game)
)
MISSING_AID: Final = MissingMatter(
    phrase("No game has a table aid."), lambda game: phrase("{game} has no table aid", game=game)
)
MISSING_EVENING: Final = MissingMatter(
    phrase("No game has a recorded evening."), lambda game: phrase("{game} has no recorded evening", game=game)
)
MISSING_SAMPLE: Final = MissingMatter(
    phrase("No game has a sample campaign."), lambda game: phrase("{game} has no sample campaign", game=game)
)


def choose_game(name: str | None, has: Callable[[Printable], bool], missing: MissingMatter) -> Printable:
    """Return the game of this name, or the first that has something to print if none is named.

    Raises LabelError if it has not, as `missing` says; NotationError for an unknown game.
    """
    game = next(filter(has, registry.all_printable()), None) if name is None else registry.printable(name)
    if game is None:
        raise LabelError(missing.nowhere)
    if not has(game):
        titles = [each.title for each in registry.all_printable() if has(each)]
        raise LabelError(
            phrases(
                "{problem}; {games} has one.",
                "{problem}; {games} have one.",
                n=len(titles),
                problem=missing.here(game.title),
                games=all_of(titles),
            )
            if titles
            else phrase("{problem}; no game has one.", problem=missing.here(game.title))
        )
    return game


def draw_label(text: LabelText) -> Label:
    """Return the label for a text."""
    return _DESIGNS[text.design](text)


def to_tier(given: LabelTier) -> TierMark:
    """Convert a tier to that of the designs."""
    return TierMark(str(given.title), given.mark, given.colour)


def draw_labels(texts: Iterable[LabelText]) -> tuple[Label, ...]:
    """Return the labels for several texts, in a user's own design if they name a known one."""
    by_name: dict[str, Design | None] = {}
    return tuple(_draw_own(text, by_name) or draw_label(text) for text in texts)


def _draw_own(text: LabelText, by_name: dict[str, Design | None]) -> Label | None:
    if not text.own:
        return None
    from companion.printing import designs
    from labels.designfile import DesignError

    if text.own not in by_name:
        try:
            by_name[text.own] = designs.find_design(text.own)
        except DesignError:
            by_name[text.own] = None
    design = by_name[text.own]
    if design is None:
        return None
    tier = text.tier or LabelTier("", "")
    fields = {
        "name": str(text.title),
        "text": str(text.text),
        "tier": str(tier.title),
        "mark": tier.mark,
        "card": text.card,
    }
    return designs.fill_design(design, {**fields, "number": str(text.number or ""), "code": text.code})


def _figures(text: LabelText) -> tuple[tuple[str, str], ...]:
    return tuple((str(title), value) for title, value in text.figures)


def _require_tier(text: LabelText) -> TierMark:
    assert text.tier is not None, f"“{text.title}” needs a tier to be drawn as {text.design}"
    return to_tier(text.tier)


_DESIGNS: Mapping[LabelDesign, Callable[[LabelText], Label]] = {
    "plain": lambda text: Plain(str(text.title), str(text.text)),
    "effect": lambda text: EffectLabel(
        str(text.title), str(text.text), _require_tier(text), text.card, code=text.code, note=str(text.note)
    ),
    "headed": lambda text: HeadedLabel(
        str(text.title), str(text.text), _require_tier(text), text.card, code=text.code, note=str(text.note)
    ),
    "figures": lambda text: FiguresLabel(
        str(text.title),
        _figures(text),
        to_tier(text.tier) if text.tier else None,
        text.card,
        str(text.note),
        str(text.text),
        code=text.code,
    ),
    "strip": lambda text: StripLabel(str(text.title), _figures(text), str(text.note)),
}


class _LabelGroup(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The labels of one tier with their texts, by name, in the order of the sheet."""

    kind: str
    design: LabelDesign
    tier: str
    mark: str
    colour: Annotated[str, msgspec.Meta(pattern="^#[0-9A-F]{6}$")]
    copies: int
    effects: dict[str, str]

    @property
    def rank(self) -> LabelTier:
        return LabelTier(declared(self.tier), self.mark, self.colour)

    def texts(self) -> Iterator[LabelText]:
        for name, effect in self.effects.items():
            yield LabelText(declared(name), declared(effect), self.design, self.rank)


class _LabelFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    group: tuple[_LabelGroup, ...]


class TierLook(msgspec.Struct, frozen=True):
    """The design and the tier of a tier's labels."""

    design: LabelDesign
    tier: LabelTier


def load_wording(game: Printable) -> Wording:
    """Load a game's label texts, empty if it has no file of them."""
    return _load_wording(game.data, game.name)


@cache
def _load_wording(package: str, game: str) -> Wording:
    groups = _load_groups(package, game)
    texts = {
        (group.kind, title_notation(name)): text
        for group in groups
        for name, text in zip(group.effects, group.texts(), strict=True)
    }
    starter = (text for group in groups for text in group.texts() for _ in range(group.copies))
    return Wording(texts, tuple(starter))


def _load_groups(package: str, game: str) -> tuple[_LabelGroup, ...]:
    content = read_toml(package, "labels", f"{game}.toml")
    return () if content is None else msgspec.convert(content, _LabelFile).group


def title_notation(title: str) -> str:
    """Convert a title to notation: `Hunter's Edge` → `hunters-edge`."""
    return "".join(symbol for symbol in title.lower().replace(" ", "-") if symbol.isalnum() or symbol == "-")


def starter_labels(game: Printable) -> tuple[Label, ...]:
    """Return the labels of a game's starter sheet, in order, or none if it has no such sheet."""
    return draw_labels(starter_texts(game))


def starter_texts(game: Printable) -> tuple[LabelText, ...]:
    """Return the texts of a game's starter sheet."""
    return (game.paper or PrintedMatter()).starter(load_wording(game))


def game_with_starter(name: str | None) -> Printable:
    """Return the game of this name, or the first that has a starter sheet. Raises LabelError or NotationError."""
    return choose_game(name, lambda game: bool(starter_labels(game)), _MISSING_STARTER)


def tier_looks() -> dict[str, TierLook]:
    """Return the look of each tier's labels, by its name in lower case.

    Of two games with the same word the first counts.
    """
    looks: dict[str, TierLook] = {}
    for game in registry.all_printable():
        for group in _load_groups(game.data, game.name):
            looks.setdefault(group.tier.lower(), TierLook(group.design, group.rank))
    return looks
