"""A game as answers to a few questions: players, figures, turns and the end, converted to a description and back.

Everything else on the page stays as it is; a copy changes only where the answers differ.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, cast

from msgspec.structs import replace

from companion.games.described.page.description import (
    RIVAL,
    SEAT,
    TABLE,
    TEAM,
    CounterDefinition,
    Description,
    End,
    PlayDefinition,
    SheetDefinition,
    StepDefinition,
    TokenDefinition,
    title_of,
    word_as_title,
)
from companion.games.described.page.texts import PageTexts, as_written
from companion.games.described.page.translations import kept_translations
from companion.games.described.rules.state import DescribedTable
from companion.tabletop.constructed.table import SeatPlayer
from companion.tabletop.decks.form import Field, Finding, FormPlace, Values
from companion.tabletop.game import Game
from companion.tabletop.table.choices import Choice
from companion.tabletop.table.common_actions import Begin
from templates.languages.messages import Message, Text, phrase, phrase_in, phrases

ORDERS: Final[Mapping[str, str]] = {
    "one after the other": "clockwise",
    "whoever begins a round is last in the next": "alternating",
    "all at once": "together",
    "by lot in each round": "lot",
}
"""The orders of turns: the answer in the form, and the value on the page."""
_TURNS: Final = (
    Choice("one after the other", phrase_in("turns", "one after the other")),
    Choice(
        "whoever begins a round is last in the next", phrase_in("turns", "whoever begins a round is last in the next")
    ),
    Choice("all at once", phrase_in("turns", "all at once")),
    Choice("by lot in each round", phrase_in("turns", "by lot in each round")),
)
_EVERYBODY, _TABLE, _RIVALS = "everybody", "the table", "for each opponent"
_OF: Final[Mapping[str, str]] = {_EVERYBODY: SEAT, _TABLE: TABLE, _RIVALS: RIVAL}
_WHOSE: Final[Mapping[str, str]] = {of: whose for whose, of in _OF.items()}
OWNERS: Final = (
    Choice(_EVERYBODY, phrase_in("owner", "everybody"), phrase("one for each seat: life, points")),
    Choice(_TABLE, phrase_in("owner", "the table"), phrase("one for all: threat, the villain's health")),
    Choice(
        _RIVALS,
        phrase_in("owner", "for each opponent"),
        phrase("everybody has one for each of the others: the damage they did"),
    ),
)
LAST: Final = "the last one left"
REACH: Final = "the first to a figure"
ROUNDS: Final = "the most after some rounds"
LOW: Final = "the fewest after some rounds"
PEOPLE: Final = "whoever we say"
PAGE: Final = "as its page says"
ENDS: Final = (
    Choice(LAST, phrase_in("end", "the last one left"), phrase("set above at which figure a player is out")),
    Choice(REACH, phrase_in("end", "the first to a figure"), phrase("a race")),
    Choice(ROUNDS, phrase_in("end", "the most after some rounds"), phrase("points are good")),
    Choice(LOW, phrase_in("end", "the fewest after some rounds"), phrase("points are bad")),
    Choice(PEOPLE, phrase_in("end", "whoever we say"), phrase("the program does not judge")),
)
_AS_IT_IS: Final = Choice(PAGE, phrase("as its page says"), phrase("more than this form can ask"))

_TITLE: Final = Field("title", "Its name", "What is it called?", required=True, example="Dragon Duel")
_ABOUT: Final = Field("about", "In a sentence", "For somebody who doesn't know it.")
_PLAYERS: Final = Field("players", "Players", "How many can play: 2, or 2-6.", required=True, example="2-6")
_ORDER: Final = Field("order", "Turns", "Who is next?", "name", required=True).with_titles((*_TURNS, _AS_IT_IS))
_HAS: Final = Field(
    "has",
    "What each has",
    "A figure that the program counts: life, gold, points.",
    many=True,
    most=30,
    parts=(
        Field("name", "Figure", "What do you count? Life, gold, points …"),
        Field("start", "Start", "What does it start at? Empty means 0.", example="20"),
        Field("whose", "Whose", "Who has it?", "name").with_titles(OWNERS),
        Field("out", "Out at", "At which number is a player out of the game? Leave it empty for never.", example="0"),
    ),
)
_STEP: Final = Field(
    "step",
    "What a turn is",
    "The steps of a turn, in their order; a turn need not have any.",
    many=True,
    most=20,
    parts=(
        Field("name", "Step", "What do you call it? Draw, play, fight …"),
        Field("do", "Do", "What is done with the real cards then, in a sentence."),
    ),
)
_TOKEN: Final = Field(
    "token",
    "What only one has",
    "What only one player has at a time: a crown, the first player's mark.",
    many=True,
    most=20,
)
_SHEET: Final = Field(
    "sheet",
    "Score sheet",
    "What is written down for everybody after each round: points; or bid, tricks. Leave it empty for no sheet.",
    example="points",
)
_END: Final = Field("end", "Who wins", "How does it end: who has won?", "name", required=True).with_titles(
    (*ENDS, _AS_IT_IS)
)
_FIGURE: Final = Field("figure", "Which figure", "Which one decides?", "name", required=True)
_GOAL: Final = {
    REACH: Field("goal", "How many", "Whoever reaches this has won.", required=True, example="10"),
    ROUNDS: Field("goal", "Rounds", "After how many rounds is it over?", required=True, example="10"),
}
_GOAL[LOW] = _GOAL[ROUNDS]

_NUMBER: Final = re.compile(r"[-−]?[0-9]{1,6}")
_BOUND: Final = re.compile(r"\s*(<=|>=)\s*(-?[0-9]+)\s*")
_GOAL_OF: Final = re.compile(r"\s*([a-z0-9-]+)\s*(<=|>=)\s*(-?[0-9]+)\s*")
_LONGEST_WORD: Final = 32


def word_of(text: str) -> str:
    """Return the word for a title in lines: `Dragon Duel` → `dragon-duel`. The result may be empty."""
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode().lower()
    word = re.sub(r"[^a-z0-9]+", "-", plain).strip("-")[:_LONGEST_WORD].strip("-")
    return f"x-{word}"[:_LONGEST_WORD] if word[:1].isdecimal() else word


def questions(values: Values, base: Description) -> tuple[Field, ...]:
    """Return the questions that these answers lead to."""
    end = str(values.get("end", ""))
    ends = [_END, *([_GOAL[end]] if end in _GOAL else [])]
    if end in _GOAL and len(_seat_counters(values, base)) != 1:
        ends.insert(1, _FIGURE)
    return (_TITLE, _PLAYERS, _ORDER, _HAS, _STEP, _TOKEN, _SHEET, *ends, _ABOUT)


def choices(values: Values, place: FormPlace, base: Description) -> tuple[Choice, ...] | None:
    """Return the choices for a field; None for typed answers."""
    if place.part == "whose":
        return OWNERS
    match place.field:
        case "order":
            is_listed = base.play.order in ORDERS.values()
            return _TURNS if is_listed else (*_TURNS, _AS_IT_IS)
        case "end":
            return (*ENDS, _AS_IT_IS) if _answers_of_end(base)["end"] == PAGE else ENDS
        case "figure":
            return tuple(Choice(word, title) for word, title in _seat_counters(values, base).items())
    return None


def page_answers(base: Description) -> dict[str, Any]:
    """Return the answers that describe an existing page. `EMPTY` gives the defaults."""
    counters = ((word, counter) for word, counter in base.counters.items() if _is_asked(counter))
    answers: dict[str, Any] = {
        "title": base.title,
        "about": base.about,
        "players": base.play.players,
        "order": next((answer for answer, order in ORDERS.items() if order == base.play.order), PAGE),
        "has": [_counter_entry(word, counter) for word, counter in counters],
        "step": [
            {"name": title_of(step.name, step.title), **({"do": step.do} if step.do else {})} for step in base.steps
        ],
        "token": [title_of(word, token.title) for word, token in base.tokens.items()],
        "sheet": ", ".join(base.sheet.columns) if base.sheet else "",
        **_answers_of_end(base),
    }
    return {name: value for name, value in answers.items() if value}


def _is_asked(counter: CounterDefinition) -> bool:
    """Return True if the form can describe a counter.

    It must be a number with one start, owned by seats, the table or rivals.
    """
    is_plain = isinstance(counter.start, int)
    return is_plain and counter.of in _WHOSE and not (counter.words or counter.start_by_players or counter.sum)


def _counter_entry(word: str, counter: CounterDefinition) -> dict[str, str]:
    entry = {
        "name": as_written(title_of(word, counter.title)),
        "start": str(counter.start),
        "whose": _WHOSE[counter.of],
    }
    bound = _BOUND.fullmatch(counter.out)
    return {**entry, **({"out": bound[2]} if bound else {})}


def _answers_of_end(base: Description) -> dict[str, str]:
    end, rounds = base.end, base.play.rounds
    if end == End():
        return {"end": PEOPLE}
    if end == End(last_left=True):
        return {"end": LAST}
    if not isinstance(rounds, int):
        return {"end": PAGE}
    if isinstance(end.win, str) and end == End(win=end.win) and (goal := _GOAL_OF.fullmatch(end.win)):
        return {"end": REACH, "figure": goal[1], "goal": goal[3]}
    if rounds and isinstance(end.most, str) and end == End(most=end.most):
        return {"end": ROUNDS, "figure": end.most, "goal": str(rounds)}
    if rounds and isinstance(end.fewest, str) and end == End(fewest=end.fewest):
        return {"end": LOW, "figure": end.fewest, "goal": str(rounds)}
    return {"end": PAGE}


def _seat_counters(values: Values, base: Description) -> dict[str, str]:
    """Return the counters of seats by their words, including the score sheet's total."""
    by_word = {
        _word_in(base.counters, entry["name"]): entry["name"]
        for entry in values.get("has", ())
        if entry.get("name") and entry.get("whose", _EVERYBODY) == _EVERYBODY and word_of(entry["name"])
    }
    if str(values.get("sheet", "")).strip():
        counts = base.sheet.counts if base.sheet else "points"
        by_word.setdefault(counts, title_of(counts))
    return by_word


def _word_in(there: Mapping[str, Any], title: str) -> str:
    """Return the word of the entry with this title, or a new word made from the title."""
    same = (
        word for word, each in there.items() if as_written(title_of(word, each.title)).casefold() == title.casefold()
    )
    return next(same, word_of(title))


def describe(values: Values, base: Description) -> tuple[Description, tuple[Finding, ...]]:
    """Return the description that the answers lead to, and the findings. Unreadable answers leave it as it was."""
    findings: list[Finding] = []
    title = str(values.get("title", "")).strip()
    if not title:
        findings.append(Finding(phrase("Say what the game is called."), place=FormPlace("title")))
    elif not word_of(title):
        findings.append(
            Finding(
                phrase("The title needs a letter from a to z, for the word by which lines name the game."),
                place=FormPlace("title"),
            )
        )
    end = str(values.get("end", PEOPLE))
    play, goal = _play(values, base, findings), _read_goal(values, findings)
    has = _counters(values, base, findings)
    steps = tuple(_steps(values, base, findings))
    tokens = {_word_in(base.tokens, each): _token(base, each) for each in values.get("token", ()) if word_of(each)}
    sheet = _sheet(values, base)
    if sheet is not None and sheet.counts not in has:
        has = {sheet.counts: CounterDefinition(least="none", big=True), **has}
    figures = [word for word, counter in has.items() if counter.of in (SEAT, TEAM)]
    figure = str(values.get("figure", "")) or next(iter(figures), "")
    if end in _GOAL and figure not in figures:
        findings.append(Finding(phrase("Say which figure decides."), place=FormPlace("figure" if figures else "has")))
    if end in (ROUNDS, LOW):
        play = replace(play, rounds=max(0, goal))
    elif end != PAGE and base.end != End() and base.play.rounds and not base.end.win:
        play = replace(play, rounds=0)
    page = replace(
        base,
        name=word_of(title) if title and title != base.title else base.name,
        title=title or base.title,
        about=str(values.get("about", "")).strip(),
        play=play,
        counters=has,
        steps=steps,
        tokens=tokens,
        sheet=sheet,
        end=base.end if end == PAGE else _end(end, figure, goal, has.get(figure)),
    )
    if page.language:
        page = replace(page, language=kept_translations(PageTexts.of_page(page), page.language))
    return page, tuple(findings)


def _play(values: Values, base: Description, findings: list[Finding]) -> PlayDefinition:
    players = re.sub(r"\s*(?:-|–|to)\s*", "-", str(values.get("players", "")).strip())
    least, _, most = players.partition("-")
    if not re.fullmatch(r"[1-9][0-9]?(-[1-9][0-9]?)?", players) or int(most or least) < int(least):
        findings.append(Finding(phrase("Write how many can play: 2, or 2-6."), place=FormPlace("players")))
        players = base.play.players
    answer = str(values.get("order", ""))
    order = ORDERS.get(answer, base.play.order)
    if answer not in (*ORDERS, PAGE):
        findings.append(Finding(phrase("Choose from the list whose turn is next."), place=FormPlace("order")))
    return replace(base.play, players=players, order=cast("Any", order))


def _read_goal(values: Values, findings: list[Finding]) -> int:
    if values.get("end") not in _GOAL:
        return 0
    number = _parse_number(str(values.get("goal", "")))
    if number is None:
        findings.append(Finding(phrase("Type a number."), place=FormPlace("goal")))
    return number or 0


def _parse_number(text: str) -> int | None:
    text = text.strip()
    return int(text.replace("−", "-")) if _NUMBER.fullmatch(text) else None


def _counters(values: Values, base: Description, findings: list[Finding]) -> dict[str, CounterDefinition]:
    """Return the counters in the answers, followed by those that the form cannot describe."""
    by_word: dict[str, CounterDefinition] = {}
    for number, entry in enumerate(values.get("has", ())):
        name = entry.get("name", "").strip()
        word = _word_in(base.counters, name)
        if not name or not word or word in by_word:
            if word:
                wrong = phrase("There is already a figure with this name.")
            else:
                wrong = phrase("This figure needs a name with a letter from a to z.")
            findings.append(Finding(wrong, place=FormPlace("has", number, "name")))
            continue
        by_word[word] = _counter(word, name, entry, number, base, findings)
    first = next((word for word, counter in by_word.items() if counter.of == SEAT), "")
    rest = {word: counter for word, counter in base.counters.items() if not _is_asked(counter)}
    large = (counter.of for counter in (*by_word.values(), *rest.values()) if counter.big)
    if first and not any(of in (SEAT, TEAM) for of in large):
        by_word[first] = replace(by_word[first], big=True)
    return {**by_word, **rest}


def _counter(
    word: str, name: str, entry: Mapping[str, str], number: int, base: Description, findings: list[Finding]
) -> CounterDefinition:
    counter = base.counters.get(word) or CounterDefinition(title=name if title_of(word) != name else "")
    start = _parse_number(entry.get("start", "") or "0")
    if start is None:
        findings.append(Finding(phrase("Its start is a number."), place=FormPlace("has", number, "start")))
    whose = entry.get("whose", "") or _EVERYBODY
    if whose not in _OF:
        findings.append(Finding(phrase("Choose from the list whose it is."), place=FormPlace("has", number, "whose")))
    begins = start or 0
    counter = replace(counter, start=begins, of=_OF.get(whose, SEAT))
    answer = entry.get("out", "")
    out = _parse_number(answer) if answer else None
    if answer and out is None:
        findings.append(
            Finding(phrase("Say at which number somebody is out, such as 0."), place=FormPlace("has", number, "out"))
        )
    if out is not None and f"{out}" != (_BOUND.fullmatch(counter.out) or ("", "", ""))[2]:
        counter = replace(counter, out=f"{'<=' if out < begins else '>='} {out}")
    elif not answer and _BOUND.fullmatch(counter.out):
        counter = replace(counter, out="")
    least = counter.least
    lowest = begins if out is None else min(begins, out)
    return replace(counter, least="none") if least != "none" and lowest < least else counter


def _steps(values: Values, base: Description, findings: list[Finding]) -> Iterator[StepDefinition]:
    before = {as_written(title_of(step.name, step.title)).casefold(): step for step in base.steps}
    taken: set[str] = set()
    for number, entry in enumerate(values.get("step", ())):
        title = entry.get("name", "").strip()
        stands = before.get(title.casefold())
        name = stands.name if stands else word_of(title)
        if not name or name in taken:
            if name:
                wrong = phrase("There is already a step with this name.")
            else:
                wrong = phrase("This step needs a name with a letter from a to z.")
            findings.append(Finding(wrong, place=FormPlace("step", number, "name")))
            continue
        taken.add(name)
        step = stands or StepDefinition(name, title="" if title_of(name) == title else title)
        yield replace(step, do=entry.get("do", "").strip())


def _token(base: Description, title: str) -> TokenDefinition:
    word = _word_in(base.tokens, title)
    return base.tokens.get(word) or TokenDefinition(title="" if title_of(word) == title else title)


def _sheet(values: Values, base: Description) -> SheetDefinition | None:
    titles = [each.strip() for each in str(values.get("sheet", "")).split(",")]
    columns = {word_of(title): title for title in titles if word_of(title)}
    if not columns:
        return None
    if base.sheet and tuple(columns) == base.sheet.columns:
        return base.sheet
    titled: dict[str, Text] = {
        word: title for word, title in columns.items() if word_as_title(word).casefold() != title.casefold()
    }
    return SheetDefinition(
        tuple(columns), titles=titled, least=-100_000, counts=base.sheet.counts if base.sheet else "points"
    )


def _end(end: str, figure: str, goal: int, counter: CounterDefinition | None) -> End:
    falls = counter is not None and isinstance(counter.start, int) and goal < counter.start
    reach = f"{figure} {'<=' if falls else '>='} {goal}"
    ends = {LAST: End(last_left=True), REACH: End(win=reach), ROUNDS: End(most=figure), LOW: End(fewest=figure)}
    return ends.get(end, End())


def place_of(key: str, page: Description) -> FormPlace:
    """Return the field of the form for a key of a page, such as `counters.life.start`."""
    first, *rest = key.replace("[", ".").split(".")
    word = rest[0].rstrip("]") if rest else ""
    match first:
        case "name" | "title":
            return FormPlace("title")
        case "play":
            return FormPlace(word if word in ("players", "order") else "end" if word == "rounds" else "order")
        case "counters":
            words = [each for each, counter in page.counters.items() if _is_asked(counter)]
            return FormPlace("has", words.index(word) if word in words else None, "name" if word in words else "")
        case "steps":
            return FormPlace("step", int(word) if word.isdecimal() else None, "name" if word.isdecimal() else "")
        case "tokens":
            return FormPlace("token", [*page.tokens].index(word) if word in page.tokens else None)
        case "about" | "sheet" | "end":
            return FormPlace(first)
    return FormPlace()


_NAMES: Final = ("Ana", "Ben", "Cleo", "Dora")


def sample_table(game: Game, players: Sequence[str] = _NAMES) -> DescribedTable:
    """Return a table at which the game has just begun. Raises RuleError if it cannot begin."""
    least, _, most = game.description.play.players.partition("-")  # type: ignore[attr-defined]
    number = max(int(least), min(int(most or least), len(players)))
    names = [*players, *(f"Seat {seat}" for seat in range(len(players) + 1, number + 1))][:number]
    state = game.new()
    for at, name in enumerate(names, 1):
        state = game.apply(state, SeatPlayer(name.lower() if at <= len(players) else f"seat{at}", name)).state
    began: DescribedTable = game.apply(state, Begin(seed=1)).state
    return began


def kept_besides(base: Description) -> Iterable[Message]:
    """Yield the parts of a page that the form cannot describe, in words. A copy keeps them unchanged."""
    if base.actions:
        yield phrases("{n} line", "{n} lines", n=len(base.actions))
    if base.pools:
        yield phrases("{n} pool", "{n} pools", n=len(base.pools))
    if base.things:
        yield phrases("{n} kind of thing", "{n} kinds of thing", n=len(base.things))
    if base.house:
        yield phrases("{n} house rule", "{n} house rules", n=len(base.house))
    if base.after:
        yield phrases("{n} question after the game", "{n} questions after the game", n=len(base.after))
    if base.decks:
        yield phrase("its decks")


EMPTY: Final = Description(name="own", title="", play=PlayDefinition(players="2-6"))
"""The page of an empty form."""
