"""One text at one table: what came of it, and whether that is what somebody can have meant."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any, Final, Literal, NamedTuple

from companion.session.core.session import Session
from companion.session.reading import line_reading
from companion.tabletop.action import Action, NotationError, RuleError
from companion.tabletop.decks.decklist import handle
from companion.tabletop.notation.arguments import HANDLE, HANDLE_OR_SEAT, SEAT, TEXT, WORDS
from companion.tabletop.notation.notation import Argument, grammar
from companion.tabletop.table.choices import Open
from companion.tabletop.table.common_actions import Add, Amend, Note, Set
from companion.tabletop.table.table import Draft
from tests.slips.meanings import Meanings
from tests.slips.vocabulary import COPY, Vocabulary, arguments_of, card_of, is_number, is_one_slip, parts, tokens

Outcome = Literal["did", "asked", "refused", "unread"]
_CHANGE: Final = re.compile(r"(\d)\s*([+−-])\s*(\d+)(?:\s|$)")
_QUESTION: Final = re.compile(r"could be (?!done with)|say which")
"""What a sentence says that asks what is meant."""
_LINES: Final = re.compile(r"`([^`]+)`")
_AMENDING: Final = re.compile(r"amend \d+ ", re.IGNORECASE)
_ASKS: Final = re.compile(r"could be|say which|which")


class Trial(NamedTuple):
    """What came of a text: `lines` that were done, what was said; and what is wrong with that, "" where nothing is.

    `repeats` says that the same text was told of before.
    """

    text: str
    outcome: Outcome
    lines: tuple[str, ...] = ()
    says: str = ""
    wrong: str = ""
    cause: str = ""
    repeats: bool = False


class Bench:
    """A table at which one text after the other is tried; none of them is kept."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self.vocabulary = Vocabulary(session)
        self.meanings = Meanings(session, self.vocabulary)

    def try_text(self, text: str) -> Trial:
        """What comes of a text, judged."""
        position, length = self.session.log.position, len(self.session.log.lines)
        trial = self._try(text)
        if (self.session.log.position, len(self.session.log.lines)) != (position, length):
            return trial._replace(cause="a look changed the table", wrong="reading alone changed the table")
        return trial

    def _try(self, text: str) -> Trial:
        session = self.session
        try:
            actions = line_reading.read_line(text, session)
        except NotationError as error:
            says = str(error)
            if _QUESTION.search(says):
                return self._question(text, says)
            return self._nothing_read(text, says)
        except RuleError as error:
            return Trial(text, "refused", says=str(error))
        except Exception as error:
            return Trial(text, "unread", says=repr(error), cause="reading breaks", wrong=repr(error))
        try:
            proposals = session.preview(*actions)
        except (RuleError, NotationError) as error:
            return self._refusal(text, actions, str(error))
        lines = tuple(proposal.line.text for proposal in proposals)
        lead_in = session.game.lead_in(session.state, actions[-1])
        cause, wrong = self.judge(text, actions[-1:] if lead_in and actions[:-1] == lead_in else actions)
        return Trial(text, "did", lines, wrong=wrong, cause=cause)

    # What was not done

    def _question(self, text: str, says: str) -> Trial:
        # What stands in place of another line is asked about as that line's place allows it.
        lead_in = amending[0] if (amending := _AMENDING.match(text.strip())) else ""
        for line in _LINES.findall(says):
            try:
                self.session.preview(*line_reading.read_line(lead_in + line, self.session))
            except (RuleError, NotationError) as error:
                wrong = f"it asks whether `{line}` is meant, and refuses that: {error}"
                return Trial(text, "asked", says=says, cause="it offers what it refuses", wrong=wrong)
        return Trial(text, "asked", says=says)

    def _nothing_read(self, text: str, says: str) -> Trial:
        trial = Trial(text, "unread", says=says)
        if says[-1:] not in ".?!)" and "Usage:" not in says:
            return trial._replace(cause="no sentence", wrong="what it says is no sentence")
        for verb in ("seal",):
            if re.search(rf"did you mean [^?]*\b{verb}\b", says) and not tokens(text)[0].startswith(verb[:3]):
                return trial._replace(cause=f"it suggests {verb}", wrong="it suggests what cannot be taken back")
        words = tokens(text)
        meant = self.meanings.of(words) if words else []
        best = [meaning for meaning in meant if meaning.quality[:3] <= meant[0].quality[:3]]
        if "is not an action here" in says and words and self._is_named(words):
            cause = "(arguable) a seat alone" if words[0] in self.vocabulary.seats else "a reason is swallowed"
            return trial._replace(cause=cause, wrong="all of its words name something on the table")
        if best and len({meaning.alike for meaning in best}) == 1 and best[0].quality[2] < 2:
            wrong = f"it can mean `{best[0].line}` alone, and is not understood"
            return trial._replace(cause="(arguable) only one thing is meant", wrong=wrong)
        return trial

    def _is_named(self, words: Sequence[str]) -> bool:
        things = {word for name in (*self.vocabulary.things, *self.vocabulary.seats) for word in (name,)}
        listed = {word.lower() for word in self.vocabulary.listed}
        return " ".join(words) in listed or (len(words) == 1 and words[0] in things)

    def _refusal(self, text: str, actions: Sequence[Action], says: str) -> Trial:
        lines = tuple(map(self.session.notation.format, actions))
        trial = Trial(text, "refused", lines, says)
        if says[-1:] not in ".?!)":
            return trial._replace(cause="no sentence", wrong="what it says is no sentence")
        unexplained = self._unexplained(text, actions)
        # Of a verb that is typed whole, its step is the reason, whatever else was typed.
        if unexplained and f"`{tokens(text)[0]}`" not in says:
            wrong = f"it judges `{lines[0]}`, in which {unexplained!r} is not"
            return trial._replace(cause="refused for what was not said", wrong=wrong)
        if all(map(self.vocabulary.begins_something, tokens(text))) and (stranger := self._stranger(actions, says)):
            wrong = f"it judges `{lines[0]}`, and {stranger!r} is the beginning of a name"
            soft = "(arguable) in a whole line " if self._is_whole(text, actions) else ""
            return trial._replace(cause=f"{soft}a beginning is judged as a name", wrong=wrong)
        return trial

    def _stranger(self, actions: Sequence[Action], says: str) -> str:
        """What stands for a seat or a thing in a line that was refused, and is none, but begins the name of one."""
        vocabulary = self.vocabulary
        for action in actions:
            for argument, value in arguments_of(action):
                kind = argument.kind
                if kind not in (SEAT, HANDLE, HANDLE_OR_SEAT) or not isinstance(value, str) or f"“{value}”" not in says:
                    continue
                if value[-1].isdigit() or value in vocabulary.names:
                    continue  # what was called so has gone, or is of another kind
                names = [*vocabulary.seats] if kind is not HANDLE else []
                names += [name for name in vocabulary.things if " " not in name] if kind is not SEAT else []
                if any(word.startswith(value) for name in names for word in vocabulary.called(name)):
                    return value
        return ""

    # What was done

    def judge(self, text: str, actions: Sequence[Action]) -> tuple[str, str]:
        """Why what was done is not what the text says: the cause, and the sentence; "" where it is."""
        if len(actions) == 1 and isinstance(actions[0], Note) and tokens(text)[0] == "note":
            return "", ""
        if isinstance(actions[0], Note):
            return "a note that nobody wanted", "`note` was not typed whole"
        if unknown := self._unknown(text, actions):
            return "a word that names nothing", f"{unknown!r} names nothing, and something was done"
        if any(free := self._free_text(text, actions)):
            return free
        if unexplained := self._unexplained(text, actions):
            return "a word is left out", f"{unexplained!r} is nowhere in what was done"
        if self._is_whole(text, actions) or len(actions) != 1:
            return "", ""
        if isinstance(actions[0], (Set, Add)):
            return self._whose_figure(text, actions[0])
        return self._only_one(text, actions[0])

    def _whose_figure(self, text: str, action: Set | Add) -> tuple[str, str]:
        """A figure that is set or changed must be known to be somebody's."""
        called = self.vocabulary.called(action.target)
        if _CHANGE.match(text.strip()) or any(way.startswith(word) for word in tokens(text) for way in called):
            return "", ""
        return "a figure of whom nobody named", f"“{action.target}” was not said"

    def _only_one(self, text: str, action: Action) -> tuple[str, str]:
        line = self.session.notation.format(action)
        meant = self.meanings.of(tokens(text))
        own = next((meaning for meaning in meant if meaning.line == line), None)
        alike = self.meanings.alike(line)
        if own is None:
            twin = next((meaning for meaning in meant if meaning.alike == alike), None)
            if twin is None:
                return "", ""  # with words that are beyond the slow way
            own = twin
        *_, verb = own.quality
        for other in meant:
            if verb == 1 and other.quality[-1] == 2:
                continue  # what a verb begins with means that verb, and no name: `t` is `together`, and no thing
            if (
                other.alike != alike
                and other.quality[:-1] <= own.quality[:-1]
                and not _is_turned(line, other.line, text)
            ):
                return "of several one was chosen", f"it could as well be `{other.line}`"
        return "", ""

    def _is_whole(self, text: str, actions: Sequence[Action]) -> bool:
        """Whether the text is a line of notation as it stands."""
        try:
            return (self.session.notation.parse(text.strip().removeprefix(":")),) == tuple(actions)
        except NotationError:
            return False

    def _unknown(self, text: str, actions: Sequence[Action]) -> str:
        """A word that is none of the table's, nor begins one; but in a whole line, a name that people make up."""
        words = tokens(text)
        # Whose line it is may be left out.
        free = set(self._made_up(actions)) if words[0] == actions[0].verb() else set()
        if isinstance(actions[0], (Note, Set, Add, Amend)):
            words = words[:1]
        return next((w for w in words if not self.vocabulary.begins_something(w) and w.strip('"') not in free), "")

    def _made_up(self, actions: Sequence[Action]) -> Iterator[str]:
        for action in actions:
            for argument, value in arguments_of(action):
                if argument.kind in (TEXT, HANDLE, SEAT, HANDLE_OR_SEAT, WORDS) and isinstance(value, str):
                    yield value.lower()
                    yield from value.lower().split()

    def _free_text(self, text: str, actions: Sequence[Action]) -> tuple[str, str]:
        """A name that is not on the table, taken from a word that was not in quotes and is nearly a name."""
        plain = [word for word in tokens(text) if not word.startswith('"')]
        for action in actions:
            for argument, value in arguments_of(action):
                if not isinstance(value, str) or value.lower() not in plain:
                    continue
                if argument.kind is HANDLE and not any(map(is_number, plain)):
                    cause = self._nearly_a_thing(value)
                elif argument.kind is TEXT and not self._is_listed(action.verb(), argument.field, value):
                    cause = self._nearly_a_card(value.lower(), self._is_whole(text, actions))
                else:
                    continue
                if cause:
                    return cause, f"{value!r} became the name of something new"
        return "", ""

    def _nearly_a_thing(self, word: str) -> str:
        names = (*self.vocabulary.things, *map(handle, self.vocabulary.listed))
        is_copy = COPY.sub("", word) in {COPY.sub("", name) for name in names}
        is_slip = not is_copy and any(is_one_slip(word, name) for name in names)
        return "a slip becomes a free text" if is_slip else ""

    def _nearly_a_card(self, word: str, is_whole: bool) -> str:
        """What is wrong with a word as the name of a card; a line that is whole says it as such, at least."""
        listed = [name.lower() for name in self.vocabulary.listed]
        if word in listed:
            return ""
        if word in self.vocabulary.seats:
            return "a seat becomes a free text"
        if any(name.startswith(word) or word in (*parts(name), handle(name)) for name in listed):
            return "a beginning becomes a free text"
        if any(is_one_slip(word, name) for name in listed):
            return "a slip becomes a free text"
        return "" if is_whole else "a word becomes a free text"

    def _is_listed(self, verb: str, field: str, value: str) -> bool:
        """Whether a text is one of those that can stand there, such as what lies on the queue."""
        drafts = (sketch.draft for sketch in self.meanings.sketches if sketch.draft.action.verb() == verb)
        return any(value.lower() == str(draft.given.get(field, "")).lower() for draft in drafts)

    def _unexplained(self, text: str, actions: Sequence[Action]) -> str:
        """A word of the text that is none of the words of what was done, nor begins one; "" where all are."""
        words = tokens(text)
        if change := _CHANGE.match(text.strip()):
            return "" if isinstance(actions[0], Add) and actions[0].amount == int(change[2] + change[3]) else words[0]
        says = [word for action in actions for word in self._words(action)]
        values = [getattr(action, name) for action in actions for name in action.__struct_fields__]
        cards = [card for action in actions for card in self._cards(action)]
        for word in sorted(words, key=lambda word: word in values):  # a seat may be called like a card
            card = card_of(word)
            if f"1{word}" in says:
                continue  # `d6` is one die
            if card and card in cards:
                cards.remove(card)
            elif is_number(word):
                if not any(_number(word) == _number(other) for other in says if is_number(other)):
                    return word
            elif not (word == "none" and () in values) and not _begins_one(word.strip('"'), says):
                return word
        return ""

    def _words(self, action: Action) -> Iterator[str]:
        verb = action.verb()
        yield from (verb, *parts(verb))
        yield from self.session.notation.format(action).lower().replace('"', "").split()
        for argument in grammar(type(action)).arguments:
            value = getattr(action, argument.field)
            if isinstance(value, Action):
                yield from self._words(value)
            else:
                yield from self._ways(argument, value)
                yield from self._titles(action, argument, value)

    def _titles(self, action: Action, argument: Argument, value: Any) -> Iterator[str]:
        """The words of what a value is called where it could stand, such as a Monster that is no thing yet."""
        others = {name: getattr(action, name) for name in action.__struct_fields__ if name != argument.field}
        try:
            candidates = self.session.game.vocabulary(self.session.state, Draft(type(action), others), argument.field)
            listed = (*candidates.fitting, *candidates.of) if isinstance(candidates, Open) else candidates
            parts_of_it = value if isinstance(value, tuple) else ()
            named = [each.title for each in listed if each.value in (value, (value,), *parts_of_it)]
        except LookupError:
            return  # another field names nothing
        yield from (part for title in named for part in parts(str(title)))

    def _ways(self, argument: Argument, value: Any) -> Iterator[str]:
        yield argument.keyword
        if isinstance(value, int):
            yield str(value)
        elif isinstance(value, str):
            yield from self.vocabulary.called(value)
            # A suit may be typed by its name.
            yield from (name for name in ("spade", "heart", "club", "diamond") if value == name[0].upper())
        elif isinstance(value, tuple):
            for each in value:
                yield from self._ways(argument, each)

    def _cards(self, action: Action) -> Iterator[str]:
        for _, value in arguments_of(action):
            for each in value if isinstance(value, tuple) else (value,):
                if isinstance(each, str) and card_of(each):
                    yield each
            if isinstance(value, Action):
                yield from self._cards(value)


def _is_turned(line: str, other: str, text: str) -> bool:
    """Whether another line has the same words in another order, and this one has them as they were typed."""
    left = iter(line.lower().split())
    return sorted(line.split()) == sorted(other.split()) and all(
        any(each.startswith(word) for each in left) for word in tokens(text)
    )


def _begins_one(word: str, says: Sequence[str]) -> bool:
    """Whether a word, or each of those in quotes, is one of those or begins one."""
    return any(other.startswith(word) for other in says) or (
        " " in word and all(any(other.startswith(part) for other in says) for part in parts(word))
    )


def _number(word: str) -> tuple[int, ...]:
    """A number, or two, by what they count."""
    return tuple(int(part.replace("−", "-")) for part in word.split("/")) if is_number(word) else ()
