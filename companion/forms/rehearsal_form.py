"""The form that begins a rehearsal of a game: who plays, with which decks, by which rules, and what is compared."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from random import Random
from typing import Final

from msgspec.structs import replace

from companion.archive import Archive, ArchiveError
from companion.forms.rehearsal_runs import AnyDesign, describe_design, plan_run
from companion.games import registry
from companion.games.described import load
from companion.rehearsal import storage
from companion.rehearsal.decks import deck_text, example_texts, stored_deck_text
from companion.rehearsal.design import Comparison, OneSetting
from companion.rehearsal.levers import read_factorial, read_race
from companion.rehearsal.play import rehearsal_of, thinks
from companion.rehearsal.storage import Run
from companion.session.table import form_filling
from companion.session.table.form_filling import FormResult, FormState
from companion.tabletop.action import NotationError, RuleError
from companion.tabletop.constructed.game import ConstructedGame
from companion.tabletop.decks.form import Field, Filled, Finding, FormPlace, Values
from companion.tabletop.rehearsal import Rehearsal, RehearsalSetting, RemovableEffects
from companion.tabletop.table.choices import Candidates, Choice, Open
from companion.tabletop.table.house_rules import HouseRule, title_of_value
from templates.languages.messages import Text, joined, phrase, phrases

MOST_GAMES: Final = 1_000_000
_MOST_EVENINGS: Final = 1000
_MOST_EFFORT: Final = 10_000
_LARGEST_SEED: Final = 2**63 - 1
_USUAL_GAMES: Final = "1000"
_NUMBER: Final = re.compile(r"[0-9]{1,19}")
_AMOUNT: Final = re.compile(r"[0-9]{1,9}([.,][0-9]{1,9})? ?%?")
_RULE_PARTS: Final = (Field("key", "Rule", kind="name"), Field("value", "Value", kind="name"))
_LEVER_PARTS: Final = (Field("key", "Rule", kind="name"), Field("values", "Values", example="2 3 4"))

_GAMES: Final = Field(
    "games",
    "Games",
    "The number of games, or of campaigns. More games give more certain figures, and take longer.",
    "number",
    default=_USUAL_GAMES,
    least=1,
    most=MOST_GAMES,
)
_PEOPLE: Final = Field(
    "people",
    "Who plays",
    "Simulated people, clockwise; fewer than the seats are repeated. Without any, the usual ones of the game.",
    "name",
    many=True,
)
_DECKS: Final = Field(
    "deck",
    "Decks",
    "Decks of this archive; fewer than the seats are repeated. Without any, those that come with the game.",
    "deck",
    many=True,
)
_LIST: Final = Field("list", "A deck list", "Paste a list to play with it beside the decks above.", "list")
_RULES: Final = Field(
    "rule",
    "House rules",
    "What is played instead of the rulebook; leave it empty to play by the book.",
    many=True,
    parts=_RULE_PARTS,
)
_COMPARISONS: Final[Mapping[str, Text]] = {
    "": phrase("nothing: only these rules"),
    "rules": phrase("the same games by other house rules"),
    "without": phrase("the same games without one effect of cards"),
    "sweep": phrase("several house rules, to see which of them matter"),
    "find": phrase("several house rules, to find those that give a wanted result"),
}
_COMPARE: Final = Field(
    "compare", "Compare with", "Every game is played by both with the same chance, so that small differences show."
)
_OTHER_RULES: Final = Field(
    "other", "The other house rules", "Leave it empty for the rules as printed.", many=True, parts=_RULE_PARTS
)
_WITHOUT: Final = Field("without", "Without", "The name of an effect, which then does nothing.", required=True)
_LEVERS: Final = Field(
    "lever",
    "House rules to try",
    "All combinations of their values are played. A single value is tried beside the one that is played anyway.",
    required=True,
    many=True,
    parts=_LEVER_PARTS,
)
_FIGURE: Final = Field(
    "figure", "Figure", "The figure that counts; the first one of a report if you choose none.", "name"
)
_WISH: Final = Field(
    "wish",
    "Wanted result",
    "The value that this figure should have; shares in per cent.",
    required=True,
    example="50 %",
)
_MARGIN: Final = Field(
    "margin",
    "Smallest difference that matters",
    "In points of a share, or in the unit of the figure; 2 points, or a twentieth, if it is empty. It ends once all "
    "results are certain to this.",
    example="2",
)
_EVENINGS: Final = Field(
    "evenings",
    "Evenings",
    "With more than one, decks live on from evening to evening, and each game is a whole campaign.",
    "number",
    default="1",
    least=1,
    most=_MOST_EVENINGS,
)
_EFFORT: Final = Field(
    "effort",
    "Effort",
    "The number of continuations that a thinker tries for each choice; empty for the usual number.",
    "number",
    least=1,
    most=_MOST_EFFORT,
)
_SEED: Final = Field(
    "seed",
    "Seed",
    "The same seed gives the same games and figures.",
    "number",
    default="0",
    least=0,
    most=_LARGEST_SEED,
)
_NAME: Final = Field("name", "Name", "A name under which you find it again; it may have none.", example="Autumn")


class RehearsalForm:
    """The form that begins a rehearsal; see `companion.session.table.form_filling.Fillable`.

    The new rehearsal is stored before its first game; the front end plays it.
    """

    done = phrase("Play them")

    def __init__(self, archive: Archive, game: str) -> None:
        """Open the form of a game, or of a homebrew by its name. Raises NotationError, RuleError."""
        self._archive = archive
        self._rules = registry.game(game)
        is_brew = self._rules.word != self._rules.name
        self._brew = (load.text_of(self._rules.page) or "") if is_brew else ""
        self._rehearsal: Rehearsal = rehearsal_of(self._rules.name, self._brew)
        self.title = phrase("Rehearse {game}", game=self._rules.title)

    def initial_values(self) -> Values:
        """Return the usual numbers."""
        usual = {"players": str(self._rehearsal.usual_players), "games": _USUAL_GAMES, "seed": _SEED.default}
        return usual if isinstance(self._rules, ConstructedGame) else {**usual, "evenings": _EVENINGS.default}

    def build_state(self, values: Values) -> FormState:
        """Report what would be played, or the answers that are wrong."""
        findings = [*self._check_numbers(values), *self._check_rules(values), *self._check_comparison(values)]
        decks, wrong_decks = self._read_decks(values)
        findings += wrong_decks
        summary: Text = ""
        if not findings:
            try:
                run = self._plan(values, decks)
                summary = _describe_plan(run.design, run.games)
            except (NotationError, RuleError, ValueError) as error:
                findings.append(Finding(_message_of(error), place=_place_of(values)))
        explanations = {each.name: each.explanation for each in self._rehearsal.temperaments}
        beside = {
            FormPlace("people", number): explanations[name]
            for number, name in enumerate(values.get("people", ()))
            if name in explanations
        }
        filled = Filled(str(values.get("name", "")), tuple(findings), beside=beside, summary=summary)
        return FormState(tuple(self._list_fields(values)), filled)

    def _list_fields(self, values: Values) -> Iterator[Field]:
        yield _GAMES
        players = str(self._rehearsal.usual_players)
        yield Field("players", "Players", "Players at the table.", "number", default=players, least=1, most=20)
        yield replace(_PEOPLE, most=max(1, self._read_number(values, "players", self._rehearsal.usual_players)))
        yield _DECKS
        if isinstance(self._rules, ConstructedGame):
            yield _LIST
        else:
            yield _EVENINGS
        if self._choices_of_rules():
            yield _RULES
        yield replace(_COMPARE, kind="name", titles=tuple(self._comparisons().items()))
        match values.get("compare", ""):
            case "rules":
                yield _OTHER_RULES
            case "without":
                yield _WITHOUT
            case "sweep":
                yield from (_LEVERS, self._field_of_figures(_FIGURE), _MARGIN)
            case "find":
                yield from (_LEVERS, self._field_of_figures(replace(_FIGURE, required=True)), _WISH, _MARGIN)
        if self._has_thinker(values):
            yield _EFFORT
        yield from (_SEED, _NAME)

    def _comparisons(self) -> Mapping[str, Text]:
        """Return what this game can be compared with."""
        has_rules, has_effects = bool(self._choices_of_rules()), isinstance(self._rehearsal, RemovableEffects)
        return {
            way: title
            for way, title in _COMPARISONS.items()
            if not way or (has_effects if way == "without" else has_rules)
        }

    def _field_of_figures(self, field: Field) -> Field:
        return replace(field, titles=tuple((each.key, each.caption) for each in self._rehearsal.figures))

    def _choices_of_rules(self) -> Sequence[HouseRule]:
        return [rule for rule in self._rules.house.all() if rule.is_choice]

    def _has_thinker(self, values: Values) -> bool:
        thinkers = {each.name for each in self._rehearsal.temperaments if each.thinks}
        return not thinkers.isdisjoint(values.get("people", ()) or self._rehearsal.usual_temperaments)

    # What can be answered

    def candidates(self, values: Values, place: FormPlace, typed: str) -> Candidates:
        """Offer simulated people, decks of the game, its house rules with their values, and its figures."""
        match place:
            case FormPlace("people"):
                return tuple(Choice(each.name) for each in self._rehearsal.temperaments)
            case FormPlace("deck"):
                rows = self._archive.page_of_decks(
                    typed, count=form_filling.MAX_DECKS_OFFERED, game=self._rules.name, page=self._rules.page
                ).rows
                return tuple(form_filling.decks([row for row in rows if not row.retired]))
            case FormPlace(_, _, "key"):
                return tuple(
                    Choice(rule.key, rule.title_with_key, rule.shown_text) for rule in self._choices_of_rules()
                )
            case FormPlace(_, _, "value"):
                return self._values_of_rule(values, place)
            case FormPlace("compare"):
                return tuple(Choice(way, title) for way, title in self._comparisons().items())
            case FormPlace("figure"):
                return tuple(Choice(each.key, each.caption) for each in self._rehearsal.figures)
        field = next(each for each in self._list_fields(values) if each.name == place.field)
        return Open(field.explanation, field.example or field.default, field.least, field.most)

    def _values_of_rule(self, values: Values, place: FormPlace) -> Candidates:
        answers = values.get(place.field, ())
        key = answers[place.entry].get("key", "") if place.entry is not None and place.entry < len(answers) else ""
        rule = next((each for each in self._choices_of_rules() if each.key == key), None)
        if rule is None:
            return Open(phrase("a value"), "")
        choices = [Choice(value, title_of_value(value)) for value in dict.fromkeys((rule.book, *rule.others))]
        is_open = not rule.values or rule.takes_number
        return Open(phrase("a value"), rule.book, fitting=tuple(choices)) if is_open else tuple(choices)

    def draw_answer(self, values: Values, place: FormPlace, rng: Random) -> str:  # noqa: ARG002
        """Refuse: nothing here is left to chance."""
        raise RuleError(phrase("This cannot be drawn; only you can answer it."))

    # What is wrong

    def _check_numbers(self, values: Values) -> Iterator[Finding]:
        for field in self._list_fields(values):
            text = str(values.get(field.name, "")).strip()
            if field.kind != "number" or not text:
                continue
            least, most = field.least or 0, field.most or _LARGEST_SEED
            if not (_NUMBER.fullmatch(text) and least <= int(text) <= most):
                wrong = phrase("That is a number from {least} to {most}.", least=str(least), most=str(most))
                yield Finding(wrong, place=FormPlace(field.name))

    def _check_rules(self, values: Values) -> Iterator[Finding]:
        fields = ("rule", "other") if values.get("compare") == "rules" else ("rule",)
        for field in fields:
            seen: set[str] = set()
            for number, answer in enumerate(values.get(field, ())):
                key, value = answer.get("key", ""), answer.get("value", "")
                if key in seen:
                    twice = phrase("This house rule is there already; remove one of them.")
                    yield Finding(twice, place=FormPlace(field, number, "key"))
                seen.add(key)
                if not (key and value):
                    part = "value" if key else "key"
                    missing = phrase("Choose a house rule, and its value.")
                    yield Finding(missing, place=FormPlace(field, number, part))
                    continue
                try:
                    self._rules.house().change_rule(key, value)
                except (NotationError, RuleError) as error:
                    yield Finding(error.message, place=FormPlace(field, number, "value"))

    def _check_comparison(self, values: Values) -> Iterator[Finding]:
        way = values.get("compare", "")
        if way not in self._comparisons():
            yield Finding(phrase("Choose one of the list."), place=FormPlace("compare"))
        if way == "without" and not values.get("without"):
            yield Finding(phrase("Name an effect."), place=FormPlace("without"))
        if way not in ("sweep", "find"):
            return
        levers = values.get("lever", ())
        if not levers:
            yield Finding(phrase("Choose a house rule to try."), place=FormPlace("lever", 0, "key"))
        for number, answer in enumerate(levers):
            if not answer.get("key"):
                yield Finding(phrase("Choose a house rule to try."), place=FormPlace("lever", number, "key"))
        if way == "find" and not values.get("figure"):
            yield Finding(phrase("Choose the figure of which you know the wanted value."), place=FormPlace("figure"))
        needed = ("wish", "margin") if way == "find" else ("margin",)
        for name in needed:
            text = str(values.get(name, "")).strip()
            if not _AMOUNT.fullmatch(text) and (text or name == "wish"):
                yield Finding(phrase("Type a number, such as 50 % or 2.5."), place=FormPlace(name))

    def _read_decks(self, values: Values) -> tuple[tuple[str, ...], list[Finding]]:
        """Return the texts of the decks, the game's own if none is named; and what is wrong with the answers."""
        texts: list[str] = []
        findings: list[Finding] = []
        for number, name in enumerate(values.get("deck", ())):
            try:
                texts.append(stored_deck_text(self._rules, self._archive, self._archive.find_deck(name)))
            except (ArchiveError, NotationError, RuleError) as error:
                findings.append(Finding(error.message, place=FormPlace("deck", number)))
        if isinstance(self._rules, ConstructedGame) and (pasted := str(values.get("list", "")).strip()):
            try:
                texts.append(deck_text(self._rules, str(phrase("pasted list")), pasted))
            except NotationError as error:
                findings.append(Finding(error.message, place=FormPlace("list")))
        if len(texts) > self._read_number(values, "players", self._rehearsal.usual_players):
            findings.append(Finding(phrase("There are more decks than players."), place=FormPlace("deck")))
        return tuple(texts) or example_texts(self._rules), findings

    # What is played

    def _plan(self, values: Values, decks: tuple[str, ...]) -> Run:
        """Return what the answers play. Raises NotationError, RuleError."""
        setting = RehearsalSetting(
            self._rules.name,
            self._read_number(values, "players", self._rehearsal.usual_players),
            _read_rules(values.get("rule", ())),
            tuple(values.get("people", ())) or self._rehearsal.usual_temperaments,
            1 if isinstance(self._rules, ConstructedGame) else self._read_number(values, "evenings", 1),
            decks,
            homebrew=self._brew,
        )
        self._rehearsal.check(setting)
        if thinks(setting):
            setting = replace(setting, effort=self._read_number(values, "effort", 0))
        design = self._read_design(values, setting)
        games = self._read_number(values, "games", int(_USUAL_GAMES))
        return plan_run(design, self._read_number(values, "seed", 0), games)

    def _read_design(self, values: Values, setting: RehearsalSetting) -> AnyDesign:
        way, rehearsal = values.get("compare", ""), self._rehearsal
        if way == "rules":
            other = replace(setting, rules=_read_rules(values.get("other", ())))
            if other == setting:
                raise RuleError(phrase("Both would play by the same house rules; change one of them."))
            return Comparison(setting, other)
        if way == "without" and isinstance(rehearsal, RemovableEffects):
            return Comparison(setting, replace(setting, without=(rehearsal.find_effect(str(values["without"])),)))
        if way not in ("sweep", "find"):
            return OneSetting(setting)
        levers = ",".join(map(_write_lever, values.get("lever", ())))
        margin, figure = _read_amount(values.get("margin", "")), str(values.get("figure", ""))
        if way == "sweep":
            return read_factorial(levers, figure, margin, setting, rehearsal, self._rules.house)
        wish, is_part = str(values["wish"]).replace(" ", "").replace(",", "."), self._is_part(figure)
        # A share without its sign is in per cent, too, as the page says.
        wish = f"{wish.rstrip('%')}%" if is_part else wish.rstrip("%")
        return read_race(levers, f"{figure}={wish}", margin, setting, rehearsal, self._rules.house)

    def _is_part(self, figure: str) -> bool:
        return any(each.key == figure and each.is_part for each in self._rehearsal.figures)

    @staticmethod
    def _read_number(values: Values, name: str, usual: int) -> int:
        text = str(values.get(name, "")).strip()
        return int(text) if _NUMBER.fullmatch(text) else usual

    def keep(self, values: Values) -> FormResult:
        """Store the rehearsal, of which nothing is played yet. Raises ArchiveError, NotationError, RuleError."""
        decks, findings = self._read_decks(values)
        if findings:
            raise RuleError(joined(" ", (finding.text for finding in findings)))
        run = self._plan(values, decks)
        name = str(values.get("name", "")).strip()
        row = storage.begin(self._archive, run.game, run.design, run.seed, run.games, name)
        return FormResult(row.rehearsal, "")


def _describe_plan(design: AnyDesign, games: int) -> Text:
    """Return what is played, in short."""
    # Translators: {description} is “3 players (greedy), as printed”.
    return phrases(
        "{n} game: {description}.", "{n} games: {description}.", n=games, description=describe_design(design)
    )


def _place_of(values: Values) -> FormPlace:
    """Return the place of a fault that the whole design has: what is compared, if anything is."""
    match values.get("compare", ""):
        case "without":
            return FormPlace("without")
        case "rules" | "sweep" | "find":
            return FormPlace("compare")
    return FormPlace()


def _message_of(error: Exception) -> Text:
    return error.message if isinstance(error, NotationError | RuleError) else str(error)


def _read_rules(answers: Sequence[Mapping[str, str]]) -> tuple[tuple[str, str], ...]:
    """Return house rules by key, sorted."""
    return tuple(sorted({answer["key"]: answer["value"] for answer in answers}.items()))


def _write_lever(answer: Mapping[str, str]) -> str:
    """Return a house rule with the values to try as `KEY=VALUE:VALUE`, or its key alone."""
    values = re.split(r"[\s,;:]+", answer.get("values", "").strip())
    return f"{answer['key']}={':'.join(values)}" if any(values) else answer["key"]


def _read_amount(text: object) -> float | None:
    """Return a number; None if there is none."""
    number = str(text).strip().rstrip("% ").replace(",", ".")
    return float(number) if number else None
