"""Where people are in a form that they fill in, where they can go from there, and what they have gone past.

Separate from the answers, which are kept when a form is left, and from any screen that shows it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random

from companion.games.form import Field, Finding, Place
from companion.session.answers import Answers
from companion.session.filling import Fillable, Seen

WHOLE = Place()
"""The form as a whole: where it is looked through once more, and kept."""
GAME = Place("game")
"""Which game's form it is."""


class FormCursor:
    """A place in the form of one of some games. `opened` makes a game's form, `kept` holds the answers by game."""

    def __init__(
        self, games: Sequence[str], opened: Callable[[str], Fillable], kept: dict[str, Answers], game: str = ""
    ) -> None:
        self.games = tuple(games)
        self._opened = opened
        self._kept = kept
        left = [each for each in kept if each in self.games]
        self.take(game or (left or self.games)[-1 if left else 0])

    def take(self, game: str) -> None:
        """Go on with the form of this game, as it was left."""
        self.game = game
        self.form = self._opened(game)
        self.seen = self.form.seen({})
        self.answers = self._kept.setdefault(game, Answers(self.seen.fields, self.form.begun()))
        self.answers.fields = self.answers.fields or tuple(self.seen.fields)
        self.at = WHOLE
        self.is_tried = False
        """Whether people have tried to be done."""
        self._furthest = 0

    def forget(self) -> None:
        """The answers have been kept for good: the next form of this game begins anew."""
        del self._kept[self.game]

    def saw(self, seen: Seen) -> None:
        """The answers come to this, by now."""
        self.seen = seen
        self.answers.fields = tuple(seen.fields)

    # What stands here

    @property
    def is_question(self) -> bool:
        """Whether something is answered here, and not the game chosen or the whole looked through."""
        return self.at not in (GAME, WHOLE)

    @property
    def text(self) -> str:
        """What is answered here; "" where nothing is yet."""
        return self.answers.get(self.at) if self.is_question else ""

    @property
    def asked(self) -> Field | None:
        """The field that is asked here, or the part of it; None where there is no question."""
        return self.answers.field(self.at) if self.is_question else None

    @property
    def whole_field(self) -> Field:
        """The field that the question here belongs to. Raises LookupError where there is no question."""
        return self._field(self.at)

    @property
    def is_list(self) -> bool:
        """Whether one answer holds several words with commas between."""
        return self.asked is not None and bool(self.at.part) and self.asked.many

    @property
    def begins_another(self) -> bool:
        """Whether one of any number of answers to the same question begins here."""
        if not self.is_question:
            return False
        field = self.whole_field
        return field.many and (not field.parts or self.at.part == field.parts[0].name)

    @property
    def draws(self) -> bool:
        """Whether anything in the form is left to chance."""
        return any(field.by_chance or any(part.by_chance for part in field.parts) for field in self.answers.fields)

    def _field(self, place: Place) -> Field:
        return next(field for field in self.answers.fields if field.name == place.field)

    # Where to go

    @property
    def begins_at(self) -> Place:
        """Where the form begins: where it was left, else at its first question."""
        return self.answers.left_at or self.places()[0]

    def places(self) -> list[Place]:
        """Everywhere to stop at, the end included."""
        game = [GAME] if len(self.games) > 1 else []
        return [*game, *(place for place in self.answers.places() if place not in self.seen.idle), WHOLE]

    def go(self, place: Place) -> None:
        """To a place, which may move up as answers that say nothing are dropped."""
        place = self.answers.tidied(place)
        places = self.places()
        self.at = place if place in places else places[-1]
        self._furthest = max(self._furthest, places.index(self.at))

    def step(self, by: int) -> Place:
        """The next place, or the one before."""
        places = self.places()
        return places[max(0, min(places.index(self.at) + by, len(places) - 1))]

    def section(self, by: int) -> Place:
        """The first place of the next question, or of the one before."""
        places = self.places()
        begins = [at for at, place in enumerate(places) if at == 0 or places[at - 1].field != place.field]
        here = places.index(self.at)
        further = [at for at in begins if at > here] if by > 0 else [at for at in begins[::-1] if at < here]
        return places[further[0] if further else here]

    def onward(self) -> Place:
        """What comes after an answer: where one more could begin and does not, the next question."""
        if self.begins_another and not self.text:
            return self.section(1)
        places = self.places()
        further = places[places.index(self.at) + 1 :]
        return next(place for place in further if not (place.part and self.answers.get(place)))

    # What chance can answer

    def draw(self, rng: Random) -> bool:
        """Let chance answer here; where it is not left to chance, every empty place that is. Gives whether it did.

        Raises RuleError.
        """
        places = [place for place in self.places() if place not in (GAME, WHOLE)]
        places = [place for place in places if self.answers.field(place).by_chance]
        wanted = [self.at] if self.at in places else [place for place in places if self._needs_draw(place)]
        for place in wanted:
            self.answers.put(place, self.form.drawn(self.answers.values(), place, rng))
        return bool(wanted)

    def _needs_draw(self, place: Place) -> bool:
        """Whether nothing is answered yet at a place whose answer has begun."""
        begun = place.entry is None or place.entry < self.answers.count(self._field(place))
        return begun and not self.answers.get(place)

    # What is wrong

    def told(self) -> tuple[Finding, ...]:
        """What is to be told by now: what people have gone past, or everything once they have tried to be done."""
        places = self.places()
        return tuple(
            each for each in self.seen.filled.findings if self.is_tried or _reached(each.place, places) < self._furthest
        )

    def wrong(self) -> list[Finding]:
        """All for which the form cannot be kept, as the form names it."""
        return [finding for finding in self.seen.filled.findings if not finding.warning]

    def first_wrong(self) -> Place:
        """The first place to stop at where something is wrong, the end where that belongs to none."""
        places = self.places()
        mine = (next((at for at in places if _belongs(at, finding.place)), WHOLE) for finding in self.wrong())
        return min(mine, key=places.index)


def _reached(place: Place, places: Sequence[Place]) -> int:
    """How far people must have come for a place to be behind them: to the end of its row, or of its whole field."""
    if place == WHOLE:
        return len(places)
    return max((number for number, at in enumerate(places) if _belongs(at, place)), default=-1)


def _belongs(at: Place, place: Place) -> bool:
    """Whether a place to stop at is the one that a finding names, or a part of it."""
    same = place.entry in (None, at.entry) or at.entry is None
    return at.field == place.field and same and place.part in ("", at.part)
