"""The structs that a game's page, a `.toml` file, is decoded into.

The keys of a page are the names of these fields with `-` instead of `_`. Each field is described here once; the
documentation and the schema for editors are made from it.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal

import msgspec
from msgspec import Meta, Struct, field

from templates.languages.messages import Text

WORD: Final = r"^[a-z][a-z0-9]*(-[a-z0-9]+)*$"
PLAYERS: Final = r"^[1-9][0-9]?(-[1-9][0-9]?)?$"
COLOUR: Final = r"^#[0-9A-Fa-f]{6}$"
AMOUNT: Final = r"^(?!\s*[+-]?\d+\s*$)"
LANGUAGE: Final = r"^[a-z]{2,3}([-_][A-Za-z0-9]{2,8}){0,2}$"

Word = Annotated[str, Meta(pattern=WORD, max_length=32)]
"""The word that lines use for something: lower-case letters and digits, joined by `-`."""

Figure = Annotated[int, Meta(ge=-1_000_000, le=1_000_000)]
AmountText = Annotated[str, Meta(pattern=AMOUNT, max_length=200)]
"""An amount that is calculated, such as `2 * N`; a number alone is a `Figure`."""
MOST_OF_TITLE: Final = 60
MOST_OF_SENTENCE: Final = 400

TEXT_KIND: Final = "shown"
"""The key of `extra` for texts that are shown to people, and its values: the kinds of such texts."""
AS_TEXT: Final = "text"
AS_NAME: Final = "name"
"""A text that is also a fact: it is stored and typed as the page has it, and translated where it is shown."""
AS_WORD: Final = "word"
"""A text that stands in sentences beside numbers, so it may have plural forms: `scar | scars`."""

if TYPE_CHECKING:
    # A page that is read holds plain texts; `texts.PageTexts.translate_page` makes messages of them.
    Title = Text
    Sentence = Text
    Numbered = Text
    ShortTitle = Text
else:
    Title = Annotated[str, Meta(max_length=MOST_OF_TITLE, extra={TEXT_KIND: AS_TEXT})]
    Sentence = Annotated[str, Meta(max_length=MOST_OF_SENTENCE, extra={TEXT_KIND: AS_TEXT})]
    Numbered = Annotated[str, Meta(max_length=MOST_OF_TITLE, extra={TEXT_KIND: AS_WORD})]
    ShortTitle = Annotated[str, Meta(max_length=6, extra={TEXT_KIND: AS_TEXT})]
Name = Annotated[str, Meta(max_length=MOST_OF_TITLE, extra={TEXT_KIND: AS_NAME})]
Statement = Annotated[str, Meta(max_length=MOST_OF_SENTENCE, extra={TEXT_KIND: AS_NAME})]
"""A sentence that is also a fact: it is stored with what it was written on."""
Fact = Annotated[str, Meta(max_length=MOST_OF_TITLE)]
"""A text that is the same in all languages, such as the name of an author."""
Term = Annotated[str, Meta(extra={TEXT_KIND: AS_NAME})]
LanguageCode = Annotated[str, Meta(pattern=LANGUAGE, max_length=20)]
Translation = Annotated[str, Meta(max_length=4 * MOST_OF_SENTENCE)]

SEAT: Final = "seat"
TABLE: Final = "table"
TEAM: Final = "team"
RIVAL: Final = "rival"
LEFT_OF: Final = "left of "
"""The words before a token whose holder's left neighbour begins."""


class PagePart(Struct, frozen=True, rename="kebab", forbid_unknown_fields=True):
    """A part of a page. Keys without a default are required."""


class PlayDefinition(PagePart, frozen=True):
    """Who plays, and whose turn it is."""

    players: Annotated[str, Meta(description="Number of players: `2`, or `2-6`.", pattern=PLAYERS)] = "2-8"
    order: Annotated[
        Literal["clockwise", "alternating", "together", "lowest", "highest", "bid", "lot"],
        Meta(
            description="Order of the turns. `clockwise`: one turn after the other, in the order of the seats. "
            "`alternating`: the same, but the player who began a round is last in the next one. `together`: everybody "
            "acts in the same round. `lowest`, `highest`: each round in the order of a counter (see `by`). `bid`: the "
            "same as `highest`, and everybody is asked for the counter before the first turn. `lot`: each round in an "
            "order that is drawn."
        ),
    ] = "clockwise"
    by: Annotated[
        str | Annotated[tuple[str, ...], Meta(max_length=2)],
        Meta(
            description="Who begins each round and is asked first: the holder of a token (`dealer`), or the player to "
            'the left of its holder, who is then last (`left of dealer`). With `order = "lowest"`, `"highest"` and '
            '`"bid"`: the counter that decides; in a list, a token decides between equal figures: '
            '`["initiative", "left of dealer"]`.'
        ),
    ] = ""
    until: Annotated[
        str,
        Meta(
            description="A flag of a seat. The turns of a round go round the table until everybody has it, and players "
            "who have it are left out: `passed`."
        ),
    ] = ""
    hand: Annotated[
        Annotated[int, Meta(ge=0, le=1000)] | AmountText,
        Meta(
            description="The cards that everybody is dealt in a round, which the screen says when it begins. It can be "
            'an amount: `"[7, 8, 9] by round"`, `"min(round, 20 - round)"`. Amounts call it `hand`. 0 means that the '
            "page does not say."
        ),
    ] = 0
    first: Annotated[
        Literal["seat", "lot", "ask"],
        Meta(
            description="Who begins. `seat`: the player who was seated first. `lot`: a player drawn by lot. `ask`: the "
            "program asks."
        ),
    ] = "ask"
    rounds: Annotated[
        Annotated[int, Meta(ge=0, le=1000)] | AmountText,
        Meta(
            description="Number of rounds after which the game is over; 0 means no limit. It can be an amount: "
            '`"[20, 15, 12] by players"`.'
        ),
    ] = 0
    round_title: Annotated[
        Numbered,
        Meta(description="The name of a round, such as `Hand`, `Day` or `Season`; with its plural: `Day | Days`."),
    ] = "Round"
    match: Annotated[
        Literal[1, 3, 5, 7, 9],
        Meta(description="The number of games in a match (best of N), unless players agree on another number."),
    ] = 1
    teams: Annotated[
        int,
        Meta(
            description="The number of teams; seats belong to them in turn, so that two partners of two teams sit "
            "opposite each other. A team wins together, by its own counters or the sums of its members' counters. 0 "
            "means no teams.",
            ge=0,
            le=8,
        ),
    ] = 0
    team_titles: Annotated[
        tuple[Title, ...],
        Meta(
            max_length=8,
            description='The displayed names of the teams, in order: `["North-South", "East-West"]`; lines call them '
            "`north-south` and `east-west`. Default: Team 1 and Team 2, which lines call `team-1` and `team-2`.",
        ),
    ] = ()

    @property
    def is_by_figure(self) -> bool:
        """True if a counter decides the order of each round."""
        return self.order in ("lowest", "highest", "bid")

    @property
    def by_words(self) -> tuple[str, ...]:
        """The counter and the token that decide the order, as they are written; some or none."""
        return _several(self.by)

    @property
    def by_counter(self) -> str:
        """The counter that decides the order of each round, or an empty string."""
        return self.by_words[0] if self.is_by_figure and self.by_words else ""

    @property
    def by_token(self) -> str:
        """The token that decides who begins, or an empty string."""
        return self._token_text.removeprefix(LEFT_OF)

    @property
    def begins_left(self) -> bool:
        """True if not the holder of the token begins, but the player to the left, so that the holder is last."""
        return self._token_text.startswith(LEFT_OF)

    @property
    def _token_text(self) -> str:
        return " ".join(next(iter(self.by_words[1 if self.is_by_figure else 0 :]), "").split())


class StepDefinition(PagePart, frozen=True):
    """A step or phase, in the order in which they stand on the page."""

    name: Annotated[Word, Meta(description="The word for it in lines.")]
    title: Annotated[Title, Meta(description="The displayed name; default: made from the word.")] = ""
    do: Annotated[
        Sentence,
        Meta(
            description="What players do with the real cards in this step, as a sentence; it is shown during the step."
        ),
    ] = ""
    of: Annotated[
        Literal["turn", "round"],
        Meta(
            description="`turn`: every turn has this step. `round`: each round has it once, before the first turn. If "
            "all play together, both are the same."
        ),
    ] = "turn"
    must: Annotated[
        bool,
        Meta(
            description="Whether one of the page's own lines must be done in this step before it goes on. If none of "
            "them is possible, it goes on without."
        ),
    ] = False


class CounterDefinition(PagePart, frozen=True):
    """A figure that somebody or something has: life, threat, damage done by each opponent."""

    of: Annotated[
        str,
        Meta(
            description="The owner: `seat` (each player has one), `team` (each team has one), `table` (one for all), "
            "`rival` (each player has one for each other seat, such as the damage from it), or a kind of thing."
        ),
    ] = SEAT
    title: Annotated[Title, Meta(description="The displayed name; default: made from the word.")] = ""
    short: Annotated[
        ShortTitle,
        Meta(description="A displayed name of up to six letters, for tables with many seats."),
    ] = ""
    start: Annotated[
        Figure | AmountText,
        Meta(
            description="The start value. It can be an [amount](#amounts) of the table's figures: "
            '`"5 * players"`, `"[3, 5, 8] by table.level"`.'
        ),
    ] = 0
    start_by_players: Annotated[
        dict[str, Figure], Meta(description="The start value by number of players: `{ 2 = 20, 3 = 30 }`.")
    ] = field(default_factory=dict)
    least: Annotated[Figure | Literal["none"], Meta(description="The minimum; with `none`, it may go below 0.")] = 0
    most: Annotated[
        Figure | Word | None,
        Meta(
            description="The maximum, or the counter of the same owner that is the maximum: `30`, `health`. A bar "
            "shows how full it is."
        ),
    ] = None
    top: Annotated[Figure | None, Meta(description="The value of a full bar, if it may rise higher.")] = None
    harm: Annotated[bool, Meta(description="Whether a high value is bad, such as damage, poison or threat.")] = False
    big: Annotated[bool, Meta(description="Whether it is shown in large type, to be read from two metres away.")] = (
        False
    )
    main: Annotated[
        bool,
        Meta(
            description="Whether a name and a number alone change it: `ana 10`, `wolf -2`. Default: the first counter."
        ),
    ] = False
    hidden: Annotated[
        bool,
        Meta(
            description="Whether a screen with little room shows it only on request: when its owner is selected, or "
            "opened on a phone."
        ),
    ] = False
    steps: Annotated[
        tuple[Annotated[int, Meta(ge=1, le=1000)], ...],
        Meta(max_length=6, description="The amounts of the buttons − and + on the screen: `[1, 5]`."),
    ] = (1,)
    out: Annotated[
        str,
        Meta(
            description="The condition under which its owner is out of the game, or its thing leaves "
            "play: `<= 0`, `>= 10`, or `>= health`, a comparison with another counter of the same owner."
        ),
    ] = ""
    reset: Annotated[
        str,
        Meta(
            description="When it is set back to its start value: the word of a step, `turn` (its owner's turn "
            "begins) or `round`."
        ),
    ] = ""
    reset_to: Annotated[
        str,
        Meta(
            description="The counter of the same owner whose value `reset` uses instead of the start value, such as "
            "mana that refills up to the current crystals."
        ),
    ] = ""
    each: Annotated[
        Figure | AmountText,
        Meta(
            description="The amount added each time at `at`, including the first time, such as `1` or "
            '`"2 * farms"`. A counter with words moves on '
            "by this many words from the second round or turn on; the first word follows the last."
        ),
    ] = 0
    at: Annotated[
        str, Meta(description="When `each` is added: the word of a step, `turn` or `round`. Default: `turn`.")
    ] = ""
    also: Annotated[
        dict[str, Figure],
        Meta(
            description="Another counter of the same owner that changes with it, and its change for each 1, such as "
            "damage from a rival with `also = { life = -1 }`. It changes with lines and answers; a figure that is put "
            "right by hand and a reset change nothing else."
        ),
    ] = field(default_factory=dict)
    sum: Annotated[
        tuple[Word, ...],
        Meta(description='Counters of the same owner that are added up; the sum cannot be set: `["level", "gear"]`.'),
    ] = ()
    words: Annotated[
        tuple[Word, ...],
        Meta(max_length=20, description='Words instead of figures, beginning with the first: `["day", "night"]`.'),
    ] = ()
    follows: Annotated[
        str,
        Meta(
            description="With `words` and `from`: the counter of the same owner whose value decides which word holds, "
            'such as a verdict that follows the score: `follows = "score"`. The word cannot be set.'
        ),
    ] = ""
    thresholds: Annotated[
        tuple[Figure, ...],
        Meta(
            max_length=20,
            description="With `follows`: the values from which on each of the `words` holds: `[0, 6, 11]`. Below the "
            "first one, the first word holds.",
        ),
    ] = field(name="from", default=())
    remind: Annotated[Sentence, Meta(description="A reminder that is shown while it differs from its start value.")] = (
        ""
    )
    ask_at: Annotated[
        str,
        Meta(
            description="The step before whose end every player is asked for it, one after the other in the order of "
            "the round; in a step of a turn, the player whose turn it is. For a counter of things, the table is asked "
            'in a step with `of = "round"`, once for all things of one name.'
        ),
    ] = ""
    secret: Annotated[
        bool,
        Meta(
            description="With `ask-at`: whether everybody chooses it in secret. All are asked at once; a choice on a "
            "phone lies face down until the last one has chosen."
        ),
    ] = False
    limit: Annotated[
        str | Annotated[tuple[str, ...], Meta(max_length=9)],
        Meta(
            description="With `ask-at`: what must hold of an answer: `bid <= coins`, `each.bid != hand`. A condition "
            "about `each` or `others` counts for the last answer."
        ),
    ] = ""

    @property
    def is_computed(self) -> bool:
        """True if its value follows from other counters, so that it cannot be changed."""
        return bool(self.sum or self.follows)

    @property
    def limits(self) -> tuple[str, ...]:
        """The conditions that an answer must meet."""
        return _several(self.limit)

    @property
    def most_figure(self) -> int | None:
        """The maximum, if it is always the same."""
        return self.most if isinstance(self.most, int) else None

    @property
    def most_counter(self) -> str:
        """The counter that is the maximum, or an empty string."""
        return self.most if isinstance(self.most, str) else ""


class Flag(PagePart, frozen=True):
    """Something that holds of a seat or a thing, or not: passed, tapped, monarch's shield."""

    of: Annotated[str, Meta(description="The owner: `seat`, `team`, `table` or a kind of thing.")] = SEAT
    title: Annotated[Title, Meta(description="The displayed name; default: made from the word.")] = ""
    start: Annotated[
        bool,
        Meta(
            description="Whether it is set at first, for instance on a thing that has just come into play and "
            "cannot attack yet."
        ),
    ] = False
    reset: Annotated[str, Meta(description="When it is removed: the word of a step, `turn` or `round`.")] = ""
    remind: Annotated[Sentence, Meta(description="A reminder that is shown while it is set.")] = ""


class TokenDefinition(PagePart, frozen=True):
    """Something that one seat holds at a time: a crown, the first player's marker."""

    title: Annotated[Title, Meta(description="The displayed name; default: made from the word.")] = ""
    start: Annotated[
        Literal["nobody", "first", "lot"],
        Meta(
            description="Who has it at first. `nobody`; `first`: the player who begins; `lot`: a player drawn by lot."
        ),
    ] = "nobody"
    passes: Annotated[
        Literal["", "turn", "round"],
        Meta(
            description="When it passes to the left neighbour by itself: with each `turn` or `round`. Default: only "
            "by hand."
        ),
    ] = ""
    reset: Annotated[
        str, Meta(description="When it is removed, so that nobody has it: the word of a step, `turn` or `round`.")
    ] = ""
    remind: Annotated[Sentence, Meta(description="A reminder for its holder.")] = ""
    at: Annotated[
        str, Meta(description="The step in which the reminder is shown, of the holder's turn if players take turns; default: always.")
    ] = ""


class ListedThing(PagePart, frozen=True):
    """A thing that is known beforehand, with its figures."""

    name: Annotated[Name, Meta(description="Its name.")]
    figures: Annotated[
        dict[str, Figure | AmountText],
        Meta(
            description="Its counters that differ from their start values: `{ power = 3 }`. They can be "
            '[amounts](#amounts) of the table\'s figures: `{ health = "[4, 6, 9] by table.level" }`.'
        ),
    ] = field(default_factory=dict)
    text: Annotated[Sentence, Meta(description="Its effect, in a sentence.")] = ""
    start: Annotated[
        bool,
        Meta(
            description="Whether it is in play when the game begins: in the middle or, if things belong to seats, one "
            "for each seat."
        ),
    ] = False


class KindDefinition(PagePart, frozen=True):
    """A kind of thing in play: creatures, locations, monsters. Its counters are those with `of` its word."""

    title: Annotated[Title, Meta(description="The displayed name of one such thing; default: made from the word.")] = ""
    zone: Annotated[
        str, Meta(description="The zone into which it is put; default: a zone of its own in front of its owner.")
    ] = ""
    of: Annotated[
        Literal["seat", "table"], Meta(description="`seat`: it belongs to a seat. `table`: it lies in the middle.")
    ] = "seat"
    by: Annotated[
        str,
        Meta(
            description='With `order = "lowest"`, `"highest"` or `"bid"` below `[play]`: the counter by which each of '
            "these things has a turn of its own among the players: `speed`. Default: they have no turns."
        ),
    ] = ""
    list: Annotated[
        tuple[ListedThing, ...],
        Meta(max_length=500, description="Known things of this kind; others can be put down, too."),
    ] = ()


class ZoneDefinition(PagePart, frozen=True):
    """A place for things: a board, a row, lanes, the middle of the table."""

    title: Annotated[Title, Meta(description="The displayed name; default: made from the word.")] = ""
    of: Annotated[Literal["seat", "table"], Meta(description="`seat`: each seat has one. `table`: one for all.")] = (
        "seat"
    )
    lanes: Annotated[
        int, Meta(description="The number of lanes, each of which holds one thing; 0 means no limit.", ge=0, le=12)
    ] = 0


class PoolCard(PagePart, frozen=True):
    """A card, or another thing, in a pool."""

    name: Annotated[Name, Meta(description="Its name.")]
    copies: Annotated[int, Meta(description="The number of copies.", ge=1, le=100)] = 1
    puts: Annotated[str, Meta(description="The kind of thing that it puts into play.")] = ""
    figures: Annotated[
        dict[str, Figure | AmountText],
        Meta(
            description="The counters of that thing that differ from their start values; numbers, or amounts of the "
            "table's figures."
        ),
    ] = field(default_factory=dict)
    does: Annotated[
        tuple[str, ...],
        Meta(max_length=20, description="Its effects when it is drawn, as lines like those of an action."),
    ] = ()
    text: Annotated[Sentence, Meta(description="Its text, which is shown when it is drawn.")] = ""


class Pool(PagePart, frozen=True):
    """What is drawn from: a bag, an encounter deck, the monsters of a level."""

    title: Annotated[Title, Meta(description="The displayed name; default: made from the word.")] = ""
    cards: Annotated[
        tuple[PoolCard, ...],
        Meta(max_length=500, description="Its contents; if empty, only the number of cards is counted."),
    ] = ()
    size: Annotated[
        Annotated[int, Meta(ge=0, le=1000)] | AmountText,
        Meta(
            description='The number of real cards, if `cards` is empty and `drawn = "cards"`. It can be an amount: '
            "`12 * players`, `[40, 54] by players`."
        ),
    ] = 0
    drawn: Annotated[
        Literal["program", "cards"],
        Meta(
            description="`program`: the program draws. `cards`: a player draws a real card and enters which one came."
        ),
    ] = "program"
    then: Annotated[
        Literal["aside", "back", "gone"],
        Meta(
            description="Where a drawn card goes: `aside` until the pool is empty, `back` at once, or `gone` from the "
            "game."
        ),
    ] = "aside"
    refill: Annotated[
        bool, Meta(description="Whether the cards aside are shuffled in again when the pool is empty.")
    ] = True
    at: Annotated[str, Meta(description="The step in which a card is drawn; the screen then asks for it.")] = ""
    each: Annotated[
        bool,
        Meta(
            description="With `at`: whether a card is drawn for each seat; default: one, for the player whose turn it "
            "is."
        ),
    ] = False


class Own(PagePart, frozen=True):
    """A line of your own: what somebody does, what it costs, and what changes by it."""

    title: Annotated[Sentence, Meta(description="A sentence about the action, for the help and the log.")] = ""
    tell: Annotated[
        Sentence,
        Meta(
            description="The text for the log instead of the title, with the parameters of the line, and `me` for the "
            "acting player: `THING flies at SEAT.`"
        ),
    ] = ""
    takes: Annotated[
        str,
        Meta(
            description="The parameters after the acting player, in the order of the line: `SEAT`, `N`, `THING`, "
            "`TEXT`, or a choice of words such as `red|blue`, which lines call `CHOICE`; a second one of a kind is "
            "`SEAT2`. Optional ones are in brackets."
        ),
    ] = ""
    costs: Annotated[
        dict[str, Figure | str],
        Meta(
            max_length=12,
            description="The counters of the acting player to decrease: `{ embers = 3 }`, "
            '`{ embers = "2 * N" }`, `{ coins = "THING.price" }`.',
        ),
    ] = field(default_factory=dict)
    does: Annotated[
        tuple[str, ...],
        Meta(
            max_length=20,
            description="Its changes, as lines: `add SEAT life -2 * N`, `set THING tapped yes`, `give crown me`, `draw "
            "encounter`. `me` is the acting player, `others` all other players, `each` everybody, `left` and `right` "
            "the neighbours.",
        ),
    ] = ()
    again: Annotated[
        tuple[str, ...],
        Meta(
            max_length=20,
            description="Its changes if the same player does it again in the same turn; default: those of `does`. They "
            "are lines like those of `does`, but cannot draw.",
        ),
    ] = ()
    steps: Annotated[
        tuple[str, ...], Meta(max_length=40, description="The steps in which it is allowed; default: all.")
    ] = ()
    whose: Annotated[
        Literal["turn", "any", "table"],
        Meta(
            description="Who can do it. `turn`: the player whose turn it is. `any`: any player at any time. `table`: "
            "no player in particular."
        ),
    ] = "turn"
    once: Annotated[
        Literal["", "turn", "round", "game"],
        Meta(description="The period in which each seat can do it once: a turn, a round or the game."),
    ] = ""
    when: Annotated[
        tuple[str, ...],
        Meta(
            max_length=9,
            description="The conditions: `me level >= 3`, `table time = night`, `me has crown`, `me has THING` (it "
            "belongs to them).",
        ),
    ] = ()
    do: Annotated[Sentence, Meta(description="What players then do with the real cards.")] = ""
    sure: Annotated[
        Sentence,
        Meta(
            description="A question that is asked before it is done: `Is this card really gone for good?` What ends "
            "the game or puts a player out is asked in any case."
        ),
    ] = ""


class Points(PagePart, frozen=True):
    """How a row of the score sheet is reckoned: all that fit are added."""

    when: Annotated[
        Annotated[str, Meta(max_length=200)] | Annotated[tuple[str, ...], Meta(max_length=9)],
        Meta(
            description="When it counts: `tricks = bid`, `tricks < bid`, `points >= 100`; default: always. In a list, "
            'all conditions must hold: `["tricks = bid", "bid = 0"]`.'
        ),
    ] = ""
    points: Annotated[
        Figure | AmountText,
        Meta(
            description='A number of points, or an amount of columns: `"10 + 2 * tricks"`, `"-5 * others.bid"` (the '
            "sum of that column over all others)."
        ),
    ] = 0
    per: Annotated[
        str,
        Meta(
            description="A column or a difference of columns, without its sign, that is multiplied by `times` and "
            "added: `tricks`, `bid - tricks`."
        ),
    ] = ""
    times: Annotated[Figure, Meta(description="The points for each 1 in `per`.")] = 1

    @property
    def conditions(self) -> tuple[str, ...]:
        """The conditions of the row as a tuple; empty if the row always counts."""
        return _several(self.when)


class SheetDefinition(PagePart, frozen=True):
    """A score sheet: a row a round, a column a seat, with running totals."""

    columns: Annotated[
        tuple[Word, ...],
        Meta(
            max_length=24,
            description='The columns that each seat fills in each round, 24 at most: `["bid", "tricks"]`.',
        ),
    ]
    titles: Annotated[dict[str, Title], Meta(description="The displayed names of the columns.")] = field(
        default_factory=dict
    )
    short: Annotated[
        dict[str, ShortTitle],
        Meta(
            description='Displayed names of columns of up to six letters, for narrow screens: `{ puddings = "Pud" }`.'
        ),
    ] = field(default_factory=dict)
    each: Annotated[
        Literal["seat", "team"],
        Meta(description="Whose figures are entered: those of each `seat`, or of each `team` together."),
    ] = "seat"
    counts: Annotated[Word, Meta(description="The counter of a seat or team that holds the total.")] = "points"
    points: Annotated[
        tuple[Points, ...],
        Meta(
            max_length=40,
            description="How the points of a row are calculated; default: they are the value of the last column.",
        ),
    ] = ()
    sum: Annotated[
        dict[str, Figure | str],
        Meta(
            max_length=24,
            description='The expected sum of a column over all entries: `{ tricks = 13 }`, `{ tricks = "round" }` or, '
            'with another column, `{ taken = "20 - left" }`. A warning is shown while it is another one.',
        ),
    ] = field(default_factory=dict)
    at: Annotated[
        dict[str, str],
        Meta(
            description='The step at whose end a column is asked for: `{ bid = "bid" }`; default: the end of the round.'
        ),
    ] = field(default_factory=dict)
    rounds: Annotated[
        dict[
            str,
            Literal["last"] | Annotated[int, Meta(ge=1, le=1000)] | Annotated[tuple[int, ...], Meta(max_length=99)],
        ],
        Meta(
            max_length=24,
            description='The rounds in which a column is asked for: `{ puddings = "last" }`, `{ bonus = 3 }`, '
            "`{ bonus = [2, 4] }`; default: all. In other rounds nobody enters it, and `points` that name it add "
            "nothing.",
        ),
    ] = field(default_factory=dict)
    of: Annotated[
        dict[str, Word],
        Meta(
            description="The token whose holder alone is asked for a column; if nobody has it, nobody is asked. Others "
            'get 0: `{ value = "declarer" }`.'
        ),
    ] = field(default_factory=dict)
    secret: Annotated[
        tuple[Word, ...],
        Meta(
            max_length=24,
            description='The columns that everybody chooses in secret: `["bid"]`. All seats are asked at once; a '
            "choice on a phone lies face down until the last one has chosen.",
        ),
    ] = ()
    limit: Annotated[
        dict[str, str | Annotated[tuple[str, ...], Meta(max_length=9)]],
        Meta(
            max_length=24,
            description='What must hold of an entry of a column: `{ bid = "each.bid != hand" }`. A condition about '
            "`each` or `others` counts for the last entry.",
        ),
    ] = field(default_factory=dict)
    least: Annotated[Figure, Meta(description="The smallest value that can be entered.")] = 0

    def limits_of(self, column: str) -> tuple[str, ...]:
        """Return the conditions that an entry of a column must meet."""
        return _several(self.limit.get(column, ()))


class End(PagePart, frozen=True):
    """How it ends. Where nothing of it comes true, people say who has won."""

    last_left: Annotated[bool, Meta(description="Whether the last player who is not out wins.")] = False
    win: Annotated[
        str | Annotated[tuple[str, ...], Meta(max_length=9)],
        Meta(
            description="A player, or a team, that reaches this wins: `level >= 10`, `points >= table.goal`. It "
            "must be about players: what is the same for all does not say who has won. In a list, one of the "
            "conditions is enough."
        ),
    ] = ""
    over: Annotated[
        str | Annotated[tuple[str, ...], Meta(max_length=9)],
        Meta(
            description="When a player, or a team, or the table (`table piles >= 3`) reaches this, the game is over, "
            "and `most` or `fewest` decides. In a list, one of the conditions is enough."
        ),
    ] = ""
    most: Annotated[
        str | Annotated[tuple[str, ...], Meta(max_length=9)],
        Meta(
            description="The counter whose highest value wins when the game is over. In a list, each counter breaks "
            'the ties of those before: `["points", "coins"]`. Those who are level in all share the win; if nobody is '
            "left to lose, it is a draw."
        ),
    ] = ""
    fewest: Annotated[
        str | Annotated[tuple[str, ...], Meta(max_length=9)],
        Meta(
            description="The counter whose lowest value wins when the game is over, or a list of them, as with `most`."
        ),
    ] = ""
    all_win: Annotated[
        tuple[str, ...],
        Meta(
            max_length=9, description="All players win together if one of these conditions holds: `table villain <= 0`."
        ),
    ] = ()
    all_lose: Annotated[
        tuple[str, ...],
        Meta(
            max_length=9,
            description="All players lose together if one of these conditions holds: `table threat >= 20`, `each out`.",
        ),
    ] = ()

    @property
    def deciding(self) -> tuple[str, ...]:
        """The counters that decide once the game is over; each breaks the ties of those before."""
        return _several(self.most or self.fewest)

    @property
    def wins(self) -> tuple[str, ...]:
        """The conditions under which a side wins."""
        return _several(self.win)

    @property
    def overs(self) -> tuple[str, ...]:
        """The conditions under which the game is over."""
        return _several(self.over)


class InscriptionDefinition(PagePart, frozen=True):
    """What can be written on a card for ever."""

    number: Annotated[
        int, Meta(description="Its permanent number, which no later edition may give to another one.", ge=1, le=9999)
    ]
    name: Annotated[Name, Meta(description="Its name.")]
    text: Annotated[Statement, Meta(description="Its effect, as printed on the label.")] = ""
    tier: Annotated[str, Meta(description="The word of its tier.")] = ""
    price: Annotated[
        Annotated[int, Meta(ge=0, le=10000)] | None,
        Meta(description="Its price, paid from the purse; without one, it is not for sale."),
    ] = None
    per_card: Annotated[int, Meta(description="The maximum number of it on one card.", ge=1, le=9)] = 1
    per_deck: Annotated[int, Meta(description="The maximum number of it in a deck; 0 means no limit.", ge=0, le=99)] = 0


class TierDefinition(PagePart, frozen=True):
    """A rank among inscriptions: how its labels look."""

    title: Annotated[Title, Meta(description="The displayed name; default: made from the word.")] = ""
    mark: Annotated[
        Annotated[str, Meta(max_length=4)],
        Meta(description="A symbol that identifies it without colours; ▲ ● ■ ◆ ✦ ▶ can be printed in any font."),
    ] = ""
    colour: Annotated[str, Meta(description="Its colour, such as `#6A1E86`.", pattern=COLOUR)] = "#2B2F36"


class Ask(PagePart, frozen=True):
    """A question of the form that begins a deck."""

    name: Annotated[Word, Meta(description="The word for the answer.")]
    ask: Annotated[Sentence, Meta(description="The question.")]
    number: Annotated[bool, Meta(description="Whether the answer is a whole number.")] = False
    choices: Annotated[
        tuple[Name, ...], Meta(max_length=30, description="The possible answers; if empty, any answer.")
    ] = ()


class DecksDefinition(PagePart, frozen=True):
    """Decks that are kept: lists of cards, or cards that are written on for ever."""

    kind: Annotated[
        Literal["list", "inscribed"],
        Meta(
            description="`list`: decks are lists of cards, with versions and results. `inscribed`: what is written on "
            "the cards is permanent."
        ),
    ]
    called: Annotated[
        Numbered,
        Meta(
            description="The game's word for a deck, such as `band`; with its plural, if that has more than an s: "
            "`hero | heroes`."
        ),
    ] = "deck"
    cards: Annotated[
        tuple[Name, ...],
        Meta(
            max_length=500,
            description="Inscribed decks: the names of the cards; default: the 52 playing cards and two jokers.",
        ),
    ] = ()
    jokers: Annotated[bool, Meta(description="Whether the playing cards include the jokers.")] = True
    inscription: Annotated[
        Numbered,
        Meta(
            description="The game's word for an inscription, such as `scar` or `rune`; with its plural, if that has "
            "more than an s: `curse | curses`."
        ),
    ] = "inscription"
    inscriptions: Annotated[
        tuple[InscriptionDefinition, ...], Meta(max_length=2000, description="What can be written on cards.")
    ] = ()
    tiers: Annotated[dict[Word, TierDefinition], Meta(max_length=20, description="The tiers of the inscriptions.")] = (
        field(default_factory=dict)
    )
    design: Annotated[
        str,
        Meta(
            max_length=40,
            description="A [design of your own](own-labels.md) for the labels of inscriptions, by its name; its fields "
            "are `name`, `text`, `tier`, `mark`, `card` and `number`. If there is no such design, the default one is "
            "used.",
        ),
    ] = ""
    per_card: Annotated[int, Meta(description="The maximum number of inscriptions on one card.", ge=1, le=9)] = 1
    cross_out: Annotated[bool, Meta(description="Whether an inscription can be crossed out again.")] = True
    tear_up: Annotated[bool, Meta(description="Whether a card can be torn up, permanently.")] = False
    counts: Annotated[
        dict[Word, Name],
        Meta(max_length=20, description='Figures of the box besides games played and won: `{ slain = "Slain" }`.'),
    ] = field(default_factory=dict)
    form: Annotated[
        tuple[Ask, ...], Meta(max_length=20, description="Questions for a new deck, besides its name and holder.")
    ] = ()
    box: Annotated[Sentence, Meta(description="A reminder for the moment when the box is put away.")] = ""
    least: Annotated[int, Meta(description="Lists: the minimum number of cards in a deck.", ge=0, le=1000)] = 0
    most: Annotated[
        Annotated[int, Meta(ge=1, le=1000)] | None, Meta(description="Lists: the maximum number of cards in a deck.")
    ] = None
    copies: Annotated[
        Annotated[int, Meta(ge=1, le=1000)] | None, Meta(description="Lists: the maximum number of copies of a card.")
    ] = None
    unlimited: Annotated[
        tuple[Fact, ...], Meta(max_length=100, description="Lists: cards without a maximum number of copies.")
    ] = ()
    sections: Annotated[
        tuple[Fact, ...], Meta(max_length=20, description="Lists: the sections that a list can have.")
    ] = ()


class CampaignFigure(PagePart, frozen=True):
    """A figure of the whole group that is carried from game to game."""

    title: Annotated[Name, Meta(description="The displayed name; default: made from the word.")] = ""
    start: Annotated[int, Meta(description="Its value when a campaign begins.", ge=0, le=1_000_000)] = 0
    counter: Annotated[
        str,
        Meta(
            description="The counter of the table that begins each game with this figure; at the seal the figure takes "
            "its value. Without one, the figure only changes by an answer after the game."
        ),
    ] = ""


class ScenarioDefinition(PagePart, frozen=True):
    """A scenario of a campaign."""

    title: Annotated[Name, Meta(description="The displayed name; default: made from the word.")] = ""
    text: Annotated[Sentence, Meta(description="What it is about, or how to set it up.")] = ""
    start: Annotated[bool, Meta(description="Whether it is open when a campaign begins.")] = False
    opens: Annotated[tuple[Word, ...], Meta(max_length=20, description="The scenarios that open when it is done.")] = ()
    unlocks: Annotated[tuple[Word, ...], Meta(max_length=20, description="What is unlocked when it is done.")] = ()


class UnlockDefinition(PagePart, frozen=True):
    """Something that a campaign can unlock: a class, a place, an envelope, a rule."""

    title: Annotated[Name, Meta(description="The displayed name; default: made from the word.")] = ""
    text: Annotated[Sentence, Meta(description="What it is good for.")] = ""
    start: Annotated[bool, Meta(description="Whether a campaign has it from the beginning.")] = False
    cards: Annotated[
        tuple[Name, ...], Meta(max_length=100, description="The cards that come with it, such as those of a class.")
    ] = ()


class CampaignDefinition(PagePart, frozen=True):
    """The record of a group that plays one campaign over many games."""

    called: Annotated[
        Numbered,
        Meta(
            description="The game's word for the record of a campaign, such as `logbook`; with its plural, if that has "
            "more than an s: `company | companies`."
        ),
    ] = "campaign"
    figures: Annotated[
        dict[Word, CampaignFigure], Meta(max_length=20, description="The figures of the group, by their words.")
    ] = field(default_factory=dict)
    scenarios: Annotated[
        dict[Word, ScenarioDefinition], Meta(max_length=200, description="The scenarios, by their permanent words.")
    ] = field(default_factory=dict)
    unlocks: Annotated[
        dict[Word, UnlockDefinition], Meta(max_length=200, description="What can be unlocked, by permanent words.")
    ] = field(default_factory=dict)


class PurseDefinition(PagePart, frozen=True):
    """Money that goes home with people and comes back with them."""

    counter: Annotated[
        Word,
        Meta(
            description="The counter of a seat that is the purse. What a player brings is added to its start value, "
            "and the rest goes home with each player who has a stored deck here or is a known person."
        ),
    ]
    title: Annotated[Title, Meta(description="The displayed name; default: that of the counter.")] = ""


class After(PagePart, frozen=True):
    """A question after the game, before everything is written into the decks' stories."""

    name: Annotated[Word, Meta(description="The word for it in lines.")]
    ask: Annotated[Sentence, Meta(description="The question, which is put to one seat after the other.")]
    kind: Annotated[
        Literal[
            "inscribe",
            "buy",
            "cross-out",
            "tear-up",
            "take-home",
            "count",
            "retire",
            "text",
            "do",
            "finish",
            "open",
            "unlock",
            "figure",
        ],
        Meta(
            description="What is done to the deck of that seat. `inscribe`: a card gets an inscription. `buy`: the "
            "player buys any number of inscriptions from the purse. `cross-out`: an inscription is crossed out. "
            "`tear-up`: a card is torn up, after a second confirmation. `take-home`: a player takes a deck home. "
            "`count`: a figure of the box increases (see `counts`). `retire`: the deck retires, after a second "
            "confirmation. `text`: a sentence for the history. `do`: something to do by hand. All but `do` are only "
            "asked of players with a stored deck. Four kinds are asked once, of the table, and write in the "
            "record of its campaign: `finish`, a scenario is done; `open`, scenarios become open; `unlock`, something "
            "is unlocked; `figure`, a figure gets another value than that of its counter."
        ),
    ]
    who: Annotated[
        str,
        Meta(
            description="Who is asked: `each`, `winner` (everybody, if all have won together), `losers`, or the holder "
            "of a token, by its word. With `campaign`, the table is asked, and `count` and `text` write in the record "
            "of its campaign. The four questions of the campaign itself are asked only after a common victory with "
            "`winner`, and only after a common defeat with `losers`."
        ),
    ] = "each"
    counts: Annotated[
        str, Meta(description="With `count`: the figure of the box. With `figure`: the figure of the campaign.")
    ] = ""
    source: Annotated[
        str, Meta(description="With `count`: the counter of the player whose final value is proposed.")
    ] = field(default="", name="from")
    tier: Annotated[
        tuple[str, ...], Meta(max_length=20, description="With `inscribe` and `buy`: only inscriptions of these tiers.")
    ] = ()
    must: Annotated[bool, Meta(description="Whether an answer is required.")] = False


class HouseRuleDefinition(PagePart, frozen=True):
    """A house rule that people can agree on before they begin: it changes what this page says."""

    ask: Annotated[Sentence, Meta(description="The question.")]
    title: Annotated[Title, Meta(description="The displayed name; default: made from the word.")] = ""
    values: Annotated[
        dict[str, dict[str, Figure | str | bool | tuple[Figure | str, ...]]],
        Meta(
            max_length=60,
            description="The possible values, the page's own first, each with the keys of this page that it changes: "
            '`values = { no = {}, yes = { "counters.life.start" = 10 } }`.',
        ),
    ] = field(default_factory=dict)


class Description(PagePart, frozen=True):
    """A whole game, as its page tells it."""

    name: Annotated[Word, Meta(description="The word after `table`, which is the same in all editions.")]
    title: Annotated[Title, Meta(description="The displayed name of the game.")]
    by: Annotated[Fact, Meta(description="The author of this page, to distinguish games with the same name.")] = ""
    edition: Annotated[int, Meta(description="A number to increase whenever the page changes.", ge=1, le=9999)] = 1
    written_in: Annotated[
        LanguageCode, Meta(description="The language of this page, such as `de`, by its code of two or three letters.")
    ] = "en"
    about: Annotated[Sentence, Meta(description="The game in a sentence, for people who do not know it.")] = ""
    suits: Annotated[
        Sentence,
        Meta(
            description="Well-known games that this page suits, in a sentence; people find it by them: `For Whist, and "
            "other games in which partners count tricks.`"
        ),
    ] = ""
    find: Annotated[
        Sentence,
        Meta(
            description="More words by which people find the game, in a row; they are not shown: `trump suit partner "
            "bridge`."
        ),
    ] = ""
    credit: Annotated[
        Sentence, Meta(description="The author and the licence of the game; printed on labels and sheets.")
    ] = ""
    bgg: Annotated[
        int,
        Meta(
            description="The number of the game at BoardGameGeek, from the address of its page there, by which BG "
            "Stats identifies it. 0 means none.",
            ge=0,
            le=9_999_999,
        ),
    ] = 0
    play: Annotated[PlayDefinition, Meta(description="Who plays, and whose turn it is.")] = PlayDefinition()
    steps: Annotated[tuple[StepDefinition, ...], Meta(max_length=40, description="The steps of a turn or round.")] = ()
    counters: Annotated[dict[Word, CounterDefinition], Meta(max_length=60, description="Counters, by their words.")] = (
        field(default_factory=dict)
    )
    flags: Annotated[
        dict[Word, Flag], Meta(max_length=60, description="Flags, which are set or not, by their words.")
    ] = field(default_factory=dict)
    tokens: Annotated[
        dict[Word, TokenDefinition],
        Meta(max_length=40, description="Tokens, each of which one seat holds at a time, by their words."),
    ] = field(default_factory=dict)
    things: Annotated[
        dict[Word, KindDefinition], Meta(max_length=40, description="Kinds of things in play, by their words.")
    ] = field(default_factory=dict)
    zones: Annotated[
        dict[Word, ZoneDefinition], Meta(max_length=40, description="Places for things, by their words.")
    ] = field(default_factory=dict)
    pools: Annotated[dict[Word, Pool], Meta(max_length=40, description="Pools to draw cards from, by their words.")] = (
        field(default_factory=dict)
    )
    actions: Annotated[dict[Word, Own], Meta(max_length=100, description="Lines of your own, by their verbs.")] = field(
        default_factory=dict
    )
    sheet: Annotated[SheetDefinition | None, Meta(description="A score sheet.")] = None
    end: Annotated[End, Meta(description="How it ends.")] = End()
    decks: Annotated[DecksDefinition | None, Meta(description="Stored decks; without it, the game has none.")] = None
    campaign: Annotated[
        CampaignDefinition | None, Meta(description="The record of a campaign; without it, games are independent.")
    ] = None
    purse: Annotated[PurseDefinition | None, Meta(description="Money that players take home.")] = None
    after: Annotated[tuple[After, ...], Meta(max_length=30, description="Questions after the game.")] = ()
    house: Annotated[
        dict[Word, HouseRuleDefinition], Meta(max_length=30, description="House rules, by their words.")
    ] = field(default_factory=dict)
    words: Annotated[
        dict[Term, Sentence], Meta(max_length=500, description="The glossary: terms with their explanations.")
    ] = field(default_factory=dict)
    rules: Annotated[dict[str, Sentence], Meta(max_length=500, description="Short rules, by their numbers.")] = field(
        default_factory=dict
    )
    language: Annotated[
        dict[LanguageCode, Annotated[dict[str, Translation], Meta(max_length=3000)]],
        Meta(
            max_length=40,
            description="The texts of this page in other languages: below `[language.de]`, each text as it stands on "
            'the page, in quotation marks, and its translation: `"Draw a card." = "Ziehe eine Karte."`.',
        ),
    ] = field(default_factory=dict)

    @property
    def keeps_records(self) -> bool:
        """Whether it keeps records that games write on: those of inscribed decks, or of campaigns."""
        return self.campaign is not None or (self.decks is not None and self.decks.kind == "inscribed")


def _several(texts: str | tuple[str, ...]) -> tuple[str, ...]:
    """Return the conditions of a key, which has one or a list of them, or none if it is empty."""
    if isinstance(texts, str):
        return (texts,) if texts else ()
    return texts


@lru_cache(4096)
def word_as_title(word: str) -> str:
    """Return the display name that a word has by itself: a capital letter, and spaces."""
    return word.replace("-", " ").capitalize()


def title_of(word: str, title: Text = "") -> Text:
    """Return the display name: the title, or else that of the word."""
    return title or word_as_title(word)


def schema() -> bytes:
    """Return the JSON schema of a page, for editors."""
    content = msgspec.json.schema(Description)
    parts: dict[str, Any] = content["$defs"]
    whole = parts.pop("Description")
    for part in (whole, *parts.values()):
        for key in part["properties"].values():
            # Some schema readers ignore the siblings of `$ref`.
            if "$ref" in key:
                key["allOf"] = [{"$ref": key.pop("$ref")}]
    head = {"$schema": "http://json-schema.org/draft-07/schema#", "title": "A game on one page"}
    return msgspec.json.format(msgspec.json.encode({**whole, **head, "$defs": parts}))
