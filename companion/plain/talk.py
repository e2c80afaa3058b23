"""A table in plain lines: it executes what is typed, prints what has changed, and then asks the next question."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from itertools import count, islice, zip_longest
from string import ascii_lowercase
from time import monotonic
from typing import Final

import msgspec

from companion.archive.errors import Clause, Look
from companion.session.core.changes import Difference, describe, describe_outcome, differences
from companion.session.core.moments import Moment, join_sentences, with_full_stop
from companion.session.reading.table_questions import (
    PUT_RIGHT,
    Answer,
    Question,
    answers_to,
    can_put_right,
    distinct_prompts,
    due_prompts,
    is_line,
    is_over,
    offer,
    sheet_answers,
    values_of,
    with_optional,
)
from companion.session.reports import evening_cards
from companion.session.reports.clock_reading import (
    describe_clock,
    has_clock,
    read_clock_of,
    read_counted_times,
    toggle_clock,
)
from companion.session.reports.durations import Clock
from companion.session.table import rematch, terms
from companion.session.table.confirmations import ActionDone, Closed, ConfirmationNeeded, Rejected, Reloaded, Reply
from companion.session.table.countdown import OFF, read_wish
from companion.session.table.shared_session import News
from companion.session.table.table_client import TableClient
from companion.session.table.table_reader import TableReader
from companion.tabletop.action import NotationError, RuleError
from companion.tabletop.evening_text import as_sentences
from companion.tabletop.notation.arguments import TEXT
from companion.tabletop.notation.notation import LineKind, Notation
from companion.tabletop.notation.usage_words import UsageText
from companion.tabletop.table.choices import Gap, Open
from companion.tabletop.table.common_actions import Set
from companion.tabletop.table.table import Counter, Draft, Prompt, ScoreSheet, SeatView, TableView, Thing, Zone
from companion.tabletop.words import title_of_word
from templates.languages.messages import (
    Message,
    Text,
    current_language,
    joined,
    listed,
    phrase,
    phrase_in,
    phrases,
    speaking,
)

# Translators: Words that are spoken for signs: “12 → 15”, “SUIT|RANK”, “3, 4 …”, “−2”.
_SPOKEN: Final[tuple[tuple[str, str, Text, str], ...]] = (
    (" → ", " ", phrase_in("spoken", "to"), " "),
    (" · ", "", ",", " "),
    ("|", " ", phrase_in("spoken", "or"), " "),
    ("…", "", phrase_in("spoken", "and so on"), ""),
    ("−", "", phrase_in("spoken", "minus"), " "),
    ("`", "", "", ""),
)
"""Signs that a screen reader skips or spells out, and the words that replace them, between what stands around them."""
_CUT: Final = " …"
"""The end of a title that is too long for a button."""
_SEVERAL = re.compile(r"(?<=[A-Z])…")
"""What follows a placeholder of which there may be several; in English, an s says that."""
_MOST_FIGURES = 20
"""Maximum figures that are printed for one change; only a new turn changes more."""


def spoken(text: Text) -> str:
    """Return a text for reading aloud: one line, with words for the signs; `CARD…` becomes CARDs."""
    aloud = str(text) if current_language().catalogue else _SEVERAL.sub("s", str(text))
    for sign, before, words, after in _SPOKEN:
        if sign in aloud:
            aloud = aloud.replace(sign, f"{before}{words}{after}")
    return " ".join(aloud.split())


def led_on(sentence: Text, look: Look | None) -> Text:
    """Return an error's sentence, with the next command if the archive is damaged.

    Other errors come with their own way out.
    """
    if look != "damage":
        return sentence
    return phrase(
        "{sentence}; companion archive check says what is lost, and with --repair saves the rest.",
        sentence=Clause(sentence),
    )


def describe_changes(before: TableView, after: TableView, sentences: Sequence[str] = ()) -> Message:
    """Describe every visible figure that has changed, as sentences; "" if none has, or the `sentences` tell of all."""
    visible = (each for each in differences(before, after) if each.is_visible)
    return describe((each for each in visible if not _is_told(each, sentences)), _MOST_FIGURES)


def _is_told(difference: Difference, sentences: Sequence[str]) -> bool:
    """Return True if one of the sentences tells of this change of a figure."""
    change = re.compile(rf"{re.escape(str(describe([difference])).removesuffix('.'))}(?!\d)")
    return bool(difference.what) and any(map(change.search, sentences))


def _is_repeated(hint: str, before: TableView) -> bool:
    """Return True if a hint says again what stood there before: a sum that is still wrong after its round."""
    return any(hint.endswith(f" {earlier}") for earlier in map(str, before.hints))


def describe_table(view: TableView) -> Iterator[Text]:
    """Yield the whole table in sentences: its own figures, the things in the middle, then everyone clockwise."""
    title = next((step.title for step in view.steps if step.name == view.step), title_of_word(view.step))
    step = phrase("Step: {step}", step=title) if title else ""
    names = {seat.seat: seat.name for seat in view.seats}
    own = (counter for counter in view.counters if counter.name != "step")
    figures = _format_figures(
        msgspec.structs.replace(each, value=names[each.value])
        if isinstance(each.value, str) and each.value in names
        else each
        for each in _with_counting(own)
    )
    parts = filter(None, (view.title, view.match, step, figures))
    # Translators: {text} is a part of the description of a table: its game, its step, its figures.
    yield joined(" ", (phrase("{text}.", text=part) for part in parts))
    for zone in view.zones:
        if not any(thing.target == "table" for thing in zone.things):  # its figures come first
            yield from _describe_zone(zone)
    for seat in view.seats:
        yield from _describe_seat(msgspec.structs.replace(seat, counters=_with_counting(seat.counters)))
    if view.sheet:
        yield from _describe_sheet(view.sheet)
    if view.rules:
        yield phrase("House rules: {rules}.", rules=listed(joined(" ", rule) for rule in view.rules))
    if view.outcome:
        yield describe_outcome(view)
    yield from view.hints


def describe_named(view: TableView, name: str) -> tuple[Text, ...]:
    """Return everything about a seat or a thing, by its word in the notation or its title; empty if there is none."""
    for seat in view.seats:
        if name.lower() in (seat.seat, seat.name.lower()):
            return (
                *_describe_seat(seat),
                *_describe_sums(seat.counters),
                *_describe_points(view.sheet, _column_of_seat(view.sheet, seat)),
            )
    for thing in view.things():
        if name.lower() in (thing.target.lower(), str(thing.title).lower()):
            titles = tuple(map(str, view.sheet.seats)) if view.sheet else ()
            at = titles.index(str(thing.title)) if str(thing.title) in titles else None
            points = _describe_points(view.sheet, at)
            return (_describe_thing(thing), *_describe_sums(thing.counters), *thing.notes, *points)
    return ()


def _describe_sheet(sheet: ScoreSheet, *, with_sums: bool = False) -> Iterator[Text]:
    """Yield the score sheet, one sentence per round, then the totals; `with_sums` also how points were reckoned."""
    for row in sheet.rows:
        sums = row.sums if with_sums else ()
        entries = zip_longest(sheet.seats, row.cells, row.points, sums, fillvalue="")
        several = [_describe_cell(*entry) for entry in entries if entry[1] or entry[2]]
        if not several:
            continue
        cells = joined("; ", several)
        if sheet.written:
            # Translators: A row of a score sheet; {written} explains its cells: “Score sheet, Round 2, Bid / Tricks: …”
            yield phrase(
                "{sheet}, {row}, {written}: {cells}.",
                sheet=sheet.title,
                row=row.title,
                written=sheet.written,
                cells=cells,
            )
        else:
            yield phrase("{sheet}, {row}: {cells}.", sheet=sheet.title, row=row.title, cells=cells)
    besides = [joined(" ", pair) for pair in zip(sheet.seats, sheet.besides, strict=False) if pair[1]]
    if besides:
        # Translators: Points that are in the totals of a score sheet, but in none of its rows.
        yield phrase("{sheet}, besides: {points}.", sheet=sheet.title, points=listed(besides))
    totals = listed(joined(" ", pair) for pair in zip(sheet.seats, sheet.totals, strict=True))
    yield phrase("{sheet}, total: {totals}.", sheet=sheet.title, totals=totals)


def _column_of_seat(sheet: ScoreSheet | None, seat: SeatView) -> int | None:
    """Return the place of the column of a seat on a score sheet, or of its team; None if it has none."""
    names = tuple(map(str, sheet.seats)) if sheet is not None else ()
    if seat.name in names:
        return names.index(seat.name)
    return seat.team - 1 if 0 < seat.team <= len(names) else None


def _describe_points(sheet: ScoreSheet | None, at: int | None) -> Iterator[Text]:
    """Yield one column of the score sheet, with the sums behind its points."""
    if sheet is not None and at is not None:
        column = slice(at, at + 1)
        rows = (
            msgspec.structs.replace(row, cells=row.cells[column], points=row.points[column], sums=row.sums[column])
            for row in sheet.rows
        )
        only = msgspec.structs.replace(
            sheet,
            seats=sheet.seats[column],
            rows=tuple(rows),
            totals=sheet.totals[column],
            besides=sheet.besides[column],
        )
        yield from _describe_sheet(only, with_sums=True)


def _describe_cell(player: Text, cell: str, points: str, how: Text = "") -> Message:
    if not points:
        return joined(" ", (player, cell))
    # Translators: {cell} is what a player's cell of a score sheet says: “Ana 3 / 3, 33 points”.
    entry = phrases(
        "{player} {cell}, {points} point",
        "{player} {cell}, {points} points",
        n=int(re.sub(r"\D", "", points) or 0),
        player=player,
        cell=cell,
        points=points,
    )
    # Translators: {cell} is what a player's cell of a score sheet says, and {sum} how its points were reckoned:
    # “Ana 3/3, 13 points: 10 + 3”.
    return phrase("{cell}: {sum}", cell=entry, sum=how) if str(how) else entry


def _describe_zone(zone: Zone) -> Iterator[Message]:
    if zone.things:
        # Translators: {zone} is a place on the table, such as “Market”.
        yield phrase("{zone}: {things}.", zone=zone.title, things=joined("; ", map(_describe_thing, zone.things)))


def _describe_seat(seat: SeatView) -> Iterator[Text]:
    # Translators: {title} is the deck or role of a player.
    deck = [phrase("with {title}", title=seat.title)] if seat.title else []
    marks = (*deck, *(title_of_word(flag) for flag in seat.flags if flag))
    figures = _format_figures(seat.counters)
    if marks and not figures:
        # Translators: {marks} are such as “with Grimtooth, active”.
        yield phrase("{player} ({marks}).", player=seat.name, marks=listed(marks))
    elif not figures:
        yield with_full_stop(seat.name)
    elif marks:
        # Translators: {marks} are such as “with Grimtooth, active”.
        yield phrase("{player} ({marks}): {figures}.", player=seat.name, marks=listed(marks), figures=figures)
    else:
        yield phrase("{player}: {figures}.", player=seat.name, figures=figures)
    for zone in seat.zones:
        for sentence in _describe_zone(zone):
            # Translators: {sentence} tells what lies in a place before a player: “Ana, Creatures: Wolf: HP 3.”
            yield phrase("{player}, {sentence}", player=seat.name, sentence=sentence)


def _describe_thing(thing: Thing) -> Text:
    name = thing.title
    if thing.number_before:
        name = phrase("{thing}, number {number}", thing=thing.title, number=str(thing.number))
    figures = [c for c in thing.counters if c.is_visible]
    facts = listed(filter(None, (_format_figures(figures), *thing.flags_beside_figures)))
    return phrase("{thing}: {figures}", thing=name, figures=facts) if facts else name


def _format_figures(counters: Iterable[Counter]) -> Message:
    return listed(
        _format_figure(counter) for counter in counters if counter.is_visible and counter.value not in (None, (), "")
    )


def _with_counting(counters: Iterable[Counter]) -> tuple[Counter, ...]:
    """Return counters with the hidden ones visible as soon as they count something."""
    return tuple(
        msgspec.structs.replace(each, is_visible=True) if each.is_minor and each.value else each for each in counters
    )


def _format_figure(counter: Counter) -> Message:
    if counter.top is None:
        return joined(" ", (counter.caption, counter.figure))
    # Translators: A figure with its maximum: “HP 12 of 18”.
    return phrase("{figure} {value} of {most}", figure=counter.caption, value=counter.figure, most=str(counter.top))


def _describe_sums(counters: Iterable[Counter]) -> Iterator[Message]:
    """Yield the sums behind figures, and hidden figures."""
    for counter in counters:
        figure = _format_figure(counter)
        if counter.why:
            # Translators: {sum} is how a figure was reckoned: “ATK 5: 3 + 2”.
            yield phrase("{figure}: {sum}.", figure=figure, sum=counter.why)
        elif not counter.is_visible:
            yield phrase("{figure}.", figure=figure)


_MOST = 20
"""Maximum answers that are listed without a request: a whole pack of cards is too long to listen to."""


def first_question(client: TableReader) -> Question:
    """Return the table's first question with all its answers.

    Each other possible action follows as one answer, and last the correction of a figure.
    """
    view = client.view
    first = due_prompts(view)[:1]
    if not first:
        return Question(str(phrase("Nothing is asked now. Type a line, or help.")))
    put_right = msgspec.structs.replace(offer(PUT_RIGHT), name="", title=str(PUT_RIGHT.text).rstrip("…"))
    last = (put_right,) if can_put_right(view) else ()
    offers = (offer(prompt) for prompt in distinct_prompts(view) if prompt is not first[0])
    ways = (fill_only_ways(client, answer) for answer in (*answers_to(first[0]), *offers))
    answers = (*ways, *last)
    if not _wants_number(client, first[0].answer):
        return _number_answers(Question(str(first[0].text), answers))
    # A number is the answer itself.
    text = joined(" ", (first[0].text, phrase("Type the number, or a letter:")))
    lettered = (msgspec.structs.replace(each, key=key) for each, key in zip(answers, _letters(), strict=False))
    return Question(str(text), tuple(lettered))


def fill_only_ways(client: TableReader, answer: Answer) -> Answer:
    """Return an answer as its whole line if that can be only one, else the answer, which leads to a question."""
    if not isinstance(answer.leads, Draft) or not answer.leads.missing:
        return answer
    whole = fill_only_choices(client, answer.leads)
    return answer if whole.missing else msgspec.structs.replace(answer, leads=whole, name=whole.shape, line=whole.line)


def fill_only_choices(client: TableReader, draft: Draft) -> Draft:
    """Return a draft in which what is missing next can be several things: as in a typed line, one needs no words."""
    while draft.missing:
        gap = client.gap(draft)
        if isinstance(gap.candidates, Open) or len(gap.candidates) != 1 or gap.argument.kind.many:
            break
        if any(sheet_answers(gap)):
            break
        draft = gap.fill_gap(gap.candidates[0].value)
    return draft


def _wants_number(client: TableReader, draft: Draft) -> bool:
    """Return True if a draft lacks only a number: one of a list, such as a lane, or any that can be read."""
    if len(draft.missing) != 1:
        return False
    gap = client.gap(draft)
    return _reads_number(gap, client.notation) or any(gap.word(each).isdecimal() for each in gap.fitting_choices)


def _reads_number(gap: Gap, notation: Notation) -> bool:
    """Return True if a field cannot be listed, and takes a number. A text is seldom one."""
    is_text = gap.argument.kind is TEXT
    return isinstance(gap.candidates, Open) and not is_text and _can_read(gap, "1", notation)


def _letters() -> Iterator[str]:
    """Yield keys for answers that are no numbers: a to z, then a1, a2 and so on."""
    yield from ascii_lowercase
    yield from (f"a{number}" for number in count(1))


# Translators: Questions for the parts of a line that corrects a figure: “set: whose (TARGET)?”
_PUT_RIGHT: Final[Mapping[str, Message]] = {
    "target": phrase("whose"),
    "counter": phrase("which figure"),
    "value": phrase("what is it now"),
}
"""The questions for the fields of a corrected figure."""


def field_question(client: TableClient, draft: Draft) -> Question:
    """Return the question for the first missing field of a draft."""
    gap = client.gap(draft)
    besides = gap.candidates if isinstance(gap.candidates, Open) else None
    name = _PUT_RIGHT[gap.argument.field] if draft.action is Set else gap.name
    # Translators: {line} is the beginning of a line, {what} the part that is asked for, {words} its form in notation.
    text = phrase("{line}: {what} ({words})?", line=draft.line, what=name, words=gap.argument.words)
    text = text if gap.candidates or any(sheet_answers(gap)) else joined(" ", (text, phrase("Nothing fits there now.")))
    question = Question(str(text), (*values_of(gap), *sheet_answers(gap)), gap, besides)
    # If numbers are answers themselves, the answers have no numbers of their own as keys.
    # A text is seldom a number: 1 is the first answer, and "1" in quotes the text.
    words = (word for answer in question.answers for word in answer_words(answer))
    if _reads_number(gap, client.notation) or any(map(str.isdecimal, words)):
        return msgspec.structs.replace(
            question, answers=tuple(msgspec.structs.replace(each, key=each.name.lower()) for each in question.answers)
        )
    return _number_answers(question)


def doubt_question(client: TableClient, draft: Draft) -> Question | None:
    """Return a question about one of the optional parts of a refused line, such as which of two cards is meant.

    None if nothing would help.
    """
    longer = with_optional(client.session.game, client.session.state, draft)
    return None if longer is None else field_question(client, longer)


def rows(question: Question) -> Iterator[Text]:
    """Yield a question as lines for reading aloud."""
    yield question.text
    if len(question.answers) <= _MOST:
        yield from map(row, question.answers)
    else:
        example = answer_words(question.answers[0])[0]
        yield phrases(
            "There is {n} answer: type one, such as {example}, or list to hear them all.",
            "There are {n} answers: type one, such as {example}, or list to hear them all.",
            n=len(question.answers),
            example=example,
        )
    if question.open:
        items = [str(choice.value) for choice in question.open.of] if len(question.open.of) <= _MOST else []
        # Translators: {input} is what may be typed: “a whole number (1 to 3)”.
        sentence = phrase("Type {input}.", input=question.input_hint)
        # Translators: {items} are the words that a typed answer consists of.
        yield joined(" ", (sentence, phrase("Of: {items}.", items=listed(items)))) if items else sentence


def row(answer: Answer) -> str:
    """Return an answer as a line for reading aloud, without repeated words."""
    return f"{answer.key}. {answer_text(answer, known_word=answer.key)}"


def answer_text(answer: Answer, known_word: str = "") -> str:
    """Return an answer in words, without its key; a title stands alone beside the `known_word`."""
    if isinstance(answer.leads, Prompt):
        return str(answer.title)
    if answer.choice is None:
        parts = [str(part) for part in (answer.title, UsageText(answer.name), _whole_detail(answer)) if part]
        # A question needs no colon behind it.
        return ": ".join(parts).replace("?: ", "? ")
    title = str(answer.title) if str(answer.title).lower() != answer.name.lower().strip('"') else ""
    words = title if title and answer.name == known_word else ", ".join(filter(None, (answer.name, title)))
    return f"{words}: {answer.detail}" if answer.detail else words


def _whole_detail(answer: Answer) -> str:
    """Return the detail of a line with its whole title, of which screens have no room for more than the beginning."""
    detail = str(answer.detail)
    begun, is_cut, behind = detail.partition(_CUT)
    title = str(answer.leads.action.help_text) if isinstance(answer.leads, Draft) else ""
    return f"{title.rstrip('.。')}{behind}" if is_cut and title.startswith(begun) else detail


def answer_words(answer: Answer) -> tuple[str, ...]:
    """Return what may be typed for an answer besides its key.

    For a line that is the whole line, or its verb if it leads to a question; for a value its word or its title. Other
    input is parsed as on every screen.
    """
    if answer.choice is not None:
        name = answer.name.lower()
        return tuple(dict.fromkeys((name, str(answer.title).lower() or name)))
    draft = answer.leads.answer if isinstance(answer.leads, Prompt) else answer.leads
    assert draft is not None
    words = draft.line.lower().split()
    line = " ".join(words)
    return (line,) if answer.title or answer.is_whole else tuple(dict.fromkeys((line, words[0])))


def chosen_answer(question: Question, text: str) -> Answer | None:
    """Return the answer with this key, or the one that these words mean; the first of several with equal beginnings."""
    text = " ".join(text.lower().split())
    for answer in question.answers:
        if answer.key.lower() == text:
            return answer
    matches = [answer for answer in question.answers if text in answer_words(answer)]
    return matches[0] if len({answer_words(answer)[0] for answer in matches}) == 1 else None


def _verb(answer: Answer) -> str:
    """Return the verb of an answer's line; "" for a value."""
    draft = answer.leads.answer if isinstance(answer.leads, Prompt) else answer.leads
    return draft.action.verb() if draft is not None and answer.choice is None else ""


def _number_answers(question: Question) -> Question:
    """Return the question with numbers as the keys of its answers."""
    numbered = (msgspec.structs.replace(answer, key=str(number)) for number, answer in enumerate(question.answers, 1))
    return msgspec.structs.replace(question, answers=tuple(numbered))


def _can_read(gap: Gap, text: str, notation: Notation) -> bool:
    try:
        gap.read(text, notation)
    except NotationError:
        return False
    return True


Say = Callable[[str], object]

_YES, _NO = ("yes", "y"), ("no", "n")
_NEWEST = 10
"""The number of lines of the log that are read out by default."""

HELP = (
    phrase(
        "Answer with the number of an answer (its letter, where a number is asked for), with a line of the notation, "
        "or with what is short for one: ash ben, 5 b."
    ),
    phrase("go: what is suggested is done, up to what somebody has to decide; go is said with what that would be."),
    phrase("look: the whole table. look ana: everything about a seat or a thing."),
    phrase("again: the question once more. list: all of its answers. back: to the first question."),
    phrase("Something is wrong? ana 10: that is the figure now. ana -3: 3 less. Words behind it say why."),
    phrase("Too much to enter? rule track figures (or fight): no hands, no decks. rule track all: back to everything."),
    phrase("undo and redo: of the last step. amend 12 and a line: line 12 should have said that."),
    phrase("insert 12 and a line: something that was forgotten, put before line 12."),
    phrase("log: what happened last. log 30: the last 30 lines, with their numbers."),
    phrase(
        "clock: how long this round and the evening have taken. clock up: count the time of each turn; clock pause and "
        "clock go. clock ana 25: minutes for all her turns. clock 90: seconds for each turn or round. clock off: none."
    ),
    phrase(
        "coach ana and the cards of a hand: what would help ana now, where a game has a coach; the log keeps no card."
    ),
    phrase("evening: the evening so far: who did what, the best hit, the narrowest moment, where it turned."),
    phrase("rematch: once the game is over, the same table again, or the next game of its match."),
    phrase("help, or ?: all of this. help and a verb: how its line is written."),
    phrase("help and a word, or the number of a rule: what that says."),
    phrase("cards: what to do with the real cards now and at each step; again: no more."),
    phrase("brief: figures are not said after each change; full: they are."),
    phrase("quit, exit or home: leave the table. Everything is kept at once; nothing needs to be saved."),
)


class Talk:
    """A dialogue of one user with a table. `say` gets one sentence or one answer at a time, each of them one line.

    Changes by others are printed in the thread in which the table reports them, and never between the sentences of an
    answer.
    """

    def __init__(self, client: TableClient, say: Say) -> None:
        self._client = client
        self._out = say
        self._view = client.view
        # News come in threads of other users, who may have another language.
        self._language = current_language()
        self.question = first_question(client)
        self._sure = False
        """True while the table waits for the confirmation of a permanent action."""
        self._brief = False
        self._has_left = False
        self._done = self._refused = 0
        """The numbers of lines that succeeded and that failed."""
        self._clock = Clock()
        self._talking = threading.RLock()
        self._commands: dict[str, Callable[[], None]] = {
            "again": self._ask,
            "list": self._list,
            "back": self._ask_first,
            "brief": lambda: self._be_brief(True),
            "full": lambda: self._be_brief(False),
            "cards": self._teach,
            "evening": self._card,
        }
        self._about: dict[str, Callable[[str], None]] = {"help": self._help, "look": self._look, "log": self._log}
        self._about["clock"] = self._time_or_countdown

    def run(self, typed: Iterable[str]) -> bool:
        """Run the dialogue until the input ends or the user leaves; everything is stored already in both cases.

        Returns True if the user wants a rematch.
        """
        with self._talking:
            for sentence in describe_table(self._view):
                self._say(sentence)
            if self._client.teaches:
                self._tell_cards()
            self._client.countdown.go_on(monotonic())
            self._ask()
        self._client.watch(self._tell_news)
        try:
            wants_rematch = self._hear_all(typed)
        finally:
            self._client.leave()
            self._client.countdown.pause(monotonic())
        if wants_rematch:
            return True
        session = self._client.session.id
        if is_over(self._view) and not self._client.is_sealed:
            self._say(phrase("This game is over and not sealed: no deck's record has it yet."))
        go_on = phrase("Go on with: companion play {session} --lines", session=session)
        self._say(joined(" ", (self._what_is_kept(), go_on)) if session else phrase("The end."))
        return False

    def _hear_all(self, typed: Iterable[str]) -> bool:
        """Process lines until they end or the user leaves; return True if the user wants a rematch."""
        for text in typed:
            with self._talking:
                if self._client.leads_out(text):
                    break
                if text.strip().lower() == "rematch" and not self._sure:
                    if rematch.describe_next(self._client.session):
                        return True
                    self._say(rematch.why_not(self._client.session))
                    continue
                self.hear(text)
                if self._has_left:
                    break
        return False

    def _tell_news(self, news: News) -> None:
        """Print what another user has done. A question about a part of a line stays; any other is asked again."""
        with self._talking, speaking(self._language):
            if news.line or not self._client.follow():
                return
            is_first = self.question.gap is None
            if self._sure and not self._client.asks_confirmation:
                self._sure = False
                self._say(phrase("Your action was not done: somebody else was first."))
            self._tell([news.sentence], asks=is_first and not self._sure)

    def _what_is_kept(self) -> Message:
        if not self._refused:
            return phrase("Everything is kept.")
        if not self._done:
            return phrase("Nothing was kept now, as every line was refused; what was there before is.")
        return phrases(
            "What was done is kept; {n} line was refused.",
            "What was done is kept; {n} lines were refused.",
            n=self._refused,
        )

    def hear(self, text: str) -> None:
        """Process a typed line: an answer, a command or a line of notation. Comments and blank lines do nothing."""
        text = text.strip()
        if not text or text.startswith("#"):
            return
        command, _, rest = text.partition(" ")
        if self._sure:
            self._be_sure(text)
        elif not rest and command.lower() in self._commands:
            self._commands[command.lower()]()
        elif text == "?":
            self._help("")
        elif command.lower() in self._about:
            self._about[command.lower()](rest.strip())
        else:
            self._answer(text)

    # Answers

    def _answer(self, text: str) -> None:
        # A whole line means itself, unless a part of a line was asked for: there a word of the notation may be a name.
        whole = self.question.gap is None and is_line(self._client.notation, text)
        answer = None if whole else chosen_answer(self.question, text)
        if answer is not None and text.lower() == _verb(answer) and self._client.is_whole(text):
            self._enter(text)
        elif answer is not None:
            assert answer.leads is not None
            self._follow(answer.leads)
        elif self.question.gap and not self._is_another_line(text) and (self.question.open or self._is_named(text)):
            self._complete(text)
        elif text.isdecimal() and self._has_numbers and not self._client.is_whole(text):
            # Translators: “again” is a word to type.
            self._say(phrase("There is no answer {number}; again reads the answers out once more.", number=text))
        else:
            self._enter(text)

    @property
    def _has_numbers(self) -> bool:
        """True if the answers have numbers as keys; a question for a number has letters."""
        return all(answer.key.isdecimal() for answer in self.question.answers)

    def _enter(self, text: str) -> None:
        """Enter a line; if it is ambiguous, ask which is meant, and if it lacks something, ask for that."""
        reply = self._client.enter(text)
        if isinstance(reply, Rejected) and (begun := self._client.begun_draft(text)) is not None:
            self._put(field_question(self._client, begun))
            return
        answers = self._client.possible_answers(text) if isinstance(reply, Rejected) else ()
        if len(answers) > 1:
            self._refused += 1
            question = phrases(
                "“{text}” could be {n} thing; say which:",
                "“{text}” could be {n} things; say which:",
                n=len(answers),
                text=text,
            )
            self._put(_number_answers(Question(str(question), answers)))
        else:
            self._reply(reply)

    def _is_another_line(self, text: str) -> bool:
        """Return True if the user typed a line of its own in answer to a question about a part of one."""
        gap = self.question.gap
        wants_line = gap is not None and isinstance(gap.argument.kind, LineKind)
        if wants_line or is_line(self._client.notation, text):
            return not wants_line
        return self._client.changes_figure(text) and not (
            gap is not None and _can_read(gap, text, self._client.notation)
        )

    def _is_named(self, text: str) -> bool:
        """Return True if a text that names no answer is the beginning of a word in an answer's name."""
        words = (word for answer in self.question.answers for word in (answer.name, *str(answer.title).split()))
        return any(word.lower().startswith(text.lower()) for word in words)

    def _complete(self, text: str) -> None:
        gap = self.question.gap
        assert gap is not None
        try:
            # A text may have spaces, as no other part of the line follows it here.
            self._follow(gap.read(text, self._client.notation, in_field=gap.argument.kind is TEXT))
        except NotationError as error:
            is_line_begun = text.split()[0].lower() in self._client.notation.verbs
            means_line = is_line_begun or self._client.changes_figure(text)
            if means_line:
                self._enter(text)
            else:
                self._reply(Rejected(error.message))

    def _follow(self, leads: Draft | Prompt) -> None:
        """Ask the next question, or submit a complete draft."""
        if isinstance(leads, Draft):
            leads = fill_only_choices(self._client, self._client.complete_draft(leads))
        if isinstance(leads, Prompt):
            ways = tuple(fill_only_ways(self._client, answer) for answer in answers_to(leads))
            self._put(_number_answers(Question(str(leads.text), ways)))
        elif leads.missing:
            self._put(field_question(self._client, leads))
        else:
            reply = self._client.submit(leads.build())
            self._reply(reply)
            doubt = doubt_question(self._client, leads) if isinstance(reply, Rejected) else None
            if doubt is not None:
                self._put(doubt)

    def _be_sure(self, text: str) -> None:
        self._sure = False
        if text.lower() in (*_YES, str(title_of_word("yes")).lower()):
            self._reply(self._client.confirm())
            return
        self._client.let_be()
        if text.lower() in (*_NO, str(title_of_word("no")).lower()):
            self._say(phrase("Nothing was done."))
            self._ask()
        else:
            self.hear(text)

    # Output

    def _say(self, text: Text) -> None:
        self._out(spoken(text))

    def _reply(self, reply: Reply) -> None:
        if reply.earlier:
            self._say(reply.earlier)
        match reply:
            case ConfirmationNeeded():
                self._sure = True
                self._say(joined(" ", (reply.sentence, phrase("Type yes to do it, no to let it be."))))
            case Rejected(sentence, look):
                self._refused += 1
                self._say(led_on(sentence, look))
            case ActionDone(tells, sentence):
                self._done += 1
                # Translators: {sentence} tells what must be done with the real cards.
                texts: list[Text] = [
                    phrase("By hand: {sentence}", sentence=tell.text) if tell.by_hand else tell.text for tell in tells
                ]
                advice = [reply.coaching.answer()] if reply.coaching is not None else []
                self._tell([*(texts if join_sentences(tells) == sentence else [sentence]), *advice])
            case Closed():
                self._has_left = True
            case Reloaded(sentence):
                self._refused += 1
                self._tell([sentence])

    def _tell(self, sentences: Iterable[Text], *, asks: bool = True) -> None:
        """Print what happened, the figures that changed, and new hints; then, with `asks`, ask the next question."""
        before, self._view = self._view, self._client.view
        texts = tuple(map(str, sentences))
        changed = "" if self._brief else str(describe_changes(before, self._view, texts))
        # Hints are printed once, not after every line that leaves them standing, nor if the line has told them.
        new = (str(hint) for hint in self._view.hints if hint not in before.hints)
        hints = (hint for hint in new if not any(hint in each for each in texts) and not _is_repeated(hint, before))
        changed = "" if any(changed.removesuffix(".") in each for each in texts) else changed
        for sentence in filter(None, (*texts, changed, *hints)):
            self._say(sentence)
        self._tell_moment(before)
        if asks:
            self._ask_first()

    def _tell_moment(self, before: TableView) -> None:
        """Print a special moment, and what to do with the real cards if the user wants that."""
        work = self._view.card_work
        if work == before.card_work:
            return
        if work.moment and work.moment != before.card_work.moment:
            # Translators: {moment} is a special event, such as the fall of an opponent.
            for sentence in (phrase("{moment}!", moment=work.moment), *work.facts):
                self._say(sentence)
        if self._client.teaches or work.moment:
            self._tell_cards()

    def _tell_cards(self) -> None:
        for step in self._view.card_work.steps:
            self._say(phrase("With the cards: {step}", step=step))

    def _teach(self) -> None:
        """Switch the instructions for the real cards on, and print them now; or switch them off."""
        self._client.teaches = not self._client.teaches
        if self._client.teaches:
            self._tell_cards()
            self._say(phrase("What to do with the cards is told at each step."))
        else:
            self._say(phrase("What to do with the cards is told no more."))

    def _ask_first(self) -> None:
        self._put(first_question(self._client))
        if text := rematch.describe_next(self._client.session):
            self._say(
                phrase("Again, with the same people, decks and house rules? Type rematch.")
                if text == rematch.AGAIN
                else phrase("{game}, with the same people, decks and house rules? Type rematch.", game=text)
            )

    def _put(self, question: Question) -> None:
        self.question = question
        self._ask()

    def _ask(self) -> None:
        for sentence in rows(self.question):
            self._say(sentence)
        course = self._client.course
        if course.actions and not self._brief and self.question == first_question(self._client):
            # Translators: “go” is a word to type; {steps} is what it does, {decision} what is asked then.
            self._say(
                phrase("go: {steps}; then {decision}", steps=course.summary, decision=with_full_stop(course.decision))
            )
        left = self._client.countdown.left_of(self._client.view, monotonic())
        if left is not None and not self._brief:
            self._say(phrases("{n} second left.", "{n} seconds left.", n=left) if left else phrase("Time is up."))
        reading = read_clock_of(self._client.session, datetime.now(UTC))
        if reading is not None and reading.warning and not self._brief:
            self._say(reading.warning)

    def _list(self) -> None:
        for answer in self.question.answers:
            self._say(row(answer))

    # Commands

    def _help(self, verb: str) -> None:
        if not verb:
            for text in HELP:
                self._say(text)
            return
        notation = self._client.notation
        # Translators: An entry of the glossary.
        sentences: list[Text] = [
            phrase("{term}: {meaning}", term=term.title, meaning=term.text)
            for term in terms.look_up([verb], self._client.terms)
        ]
        try:
            written = phrase("Written: {usage}", usage=notation.usage(verb))
            sentences.insert(0, joined(" ", (notation.help(verb), written)))
        except NotationError as error:
            if not sentences:
                sentences = [error.message]
        for sentence in sentences:
            self._say(sentence)

    def _look(self, name: str) -> None:
        view = self._client.view
        missing = phrase(
            "There is no {thing} on the table; there are {things}.", thing=name, things=listed(view.targets())
        )
        for sentence in (describe_named(view, name) or (missing,)) if name else describe_table(view):
            self._say(sentence)

    def _log(self, count: str) -> None:
        newest = int(count) if count.isdecimal() else _NEWEST
        writers = self._client.session.writers()
        texts = ((each, str(join_sentences(self._client.describe_moment(each)))) for each in reversed(self._client.log))
        for moment, text in [*islice((pair for pair in texts if pair[1]), newest)][::-1]:
            self._say(_log_row(moment, text, writers[moment.number] if writers else ""))

    def _time_or_countdown(self, text: str) -> None:
        """Print the elapsed time; with seconds or `off`, set a countdown for each turn or round, or none."""
        wish = read_wish(text)
        is_off = text.strip().lower() == OFF and toggle_clock(self._client.session) is not None
        if not text:
            self._time()
        elif is_off or wish is None or self._client.changes_figure(f"clock {text}"):
            self._answer(f"clock {text}")
        else:
            self._client.countdown.wish = wish
            # Translators: “clock off” are words to type.
            each = phrases(
                "Each turn or round has {seconds} second now; clock off ends that.",
                "Each turn or round has {seconds} seconds now; clock off ends that.",
                n=wish.seconds,
                seconds=str(wish.seconds),
            )
            self._say(each if wish.seconds else phrase("No countdown."))

    def _time(self) -> None:
        elapsed = self._clock.read(self._client.session, datetime.now(UTC))
        nobody = phrase("Nobody has played for long; the clock begins with a line.")
        self._say(with_full_stop(joined(", ", elapsed.parts)) if elapsed else nobody)
        if has_clock(self._client.session):
            for sentence in describe_clock(read_counted_times(self._client.session, datetime.now(UTC))):
                self._say(sentence)

    def _card(self) -> None:
        try:
            evening = evening_cards.present_session(None, self._client.session)
        except RuleError as error:
            self._say(error.message)
            return
        for sentence in as_sentences(evening.card):
            self._say(sentence)

    def _be_brief(self, brief: bool) -> None:
        self._brief = brief
        self._say(phrase("Figures are not said any more.") if brief else phrase("Figures are said after each change."))


def _log_row(moment: Moment, text: str, writer: str) -> Message:
    """Return a line of the log with its messages, which may be the line itself, and with its writer, or "" for none."""
    number, is_line = str(moment.number), text == moment.text
    # Translators: {line} is a line of notation, {sentences} tell what happened.
    if writer and is_line:
        return phrase("Line {number}, by {person}, {line}.", number=number, person=writer, line=moment.text)
    if writer:
        return phrase(
            "Line {number}, by {person}, {line}: {sentences}",
            number=number,
            person=writer,
            line=moment.text,
            sentences=text,
        )
    if is_line:
        return phrase("Line {number}, {line}.", number=number, line=moment.text)
    return phrase("Line {number}, {line}: {sentences}", number=number, line=moment.text, sentences=text)
