"""The structs that a game's page, a `.toml` file, is decoded into.

The keys of a page are the names of these fields with `-` instead of `_`. Each field is described here once; the
documentation and the schema for editors are made from it.
"""

from __future__ import annotations

from typing import Annotated, Any, Final, Literal

import msgspec
from msgspec import Meta, Struct, field

WORD: Final = r"^[a-z][a-z0-9]*(-[a-z0-9]+)*$"
PLAYERS: Final = r"^[1-9][0-9]?(-[1-9][0-9]?)?$"
COLOUR: Final = r"^#[0-9A-Fa-f]{6}$"

Word = Annotated[str, Meta(pattern=WORD, max_length=32)]
"""The word that lines use for something: lower-case letters and digits, joined by `-`."""

Figure = Annotated[int, Meta(ge=-1_000_000, le=1_000_000)]
Title = Annotated[str, Meta(max_length=60)]
Sentence = Annotated[str, Meta(max_length=400)]

SEAT: Final = "seat"
TABLE: Final = "table"
RIVAL: Final = "rival"


class PagePart(Struct, frozen=True, rename="kebab", forbid_unknown_fields=True):
    """A part of a page. Keys without a default are required."""


class PlayDefinition(PagePart, frozen=True):
    """Who plays, and whose turn it is."""

    players: Annotated[str, Meta(description="How many can play: `2`, or `2-6`.", pattern=PLAYERS)] = "2-8"
    order: Annotated[
        Literal["clockwise", "alternating", "together", "bid", "lot"],
        Meta(
            description="Who is next. `clockwise`: one turn after the other, in the order of the seats. `alternating`: "
            "the same, and who began a round is last in the next. `together`: everybody acts in the same round. `bid`: "
            "each round in the order of a counter, the highest first (see `by`). `lot`: each round in an order that is "
            "drawn."
        ),
    ] = "clockwise"
    by: Annotated[
        str,
        Meta(
            description='With `order = "bid"`: the counter that decides who goes first. Else a token: who holds it '
            "begins each round, and is asked first."
        ),
    ] = ""
    first: Annotated[
        Literal["seat", "lot", "ask"],
        Meta(
            description="Who begins: who was seated first, who is drawn by lot, or somebody whom the program asks for."
        ),
    ] = "ask"
    rounds: Annotated[
        int, Meta(description="After how many rounds the game is over; 0 is no limit.", ge=0, le=1000)
    ] = 0
    round_title: Annotated[Title, Meta(description="What a round is called: `Hand`, `Day`, `Season`.")] = "Round"
    match: Annotated[
        Literal[1, 3, 5, 7, 9],
        Meta(description="Best of how many games a match is, unless people agree on another number."),
    ] = 1
    teams: Annotated[
        int,
        Meta(
            description="How many teams: seats belong to them in turn, and a team wins together. 0: none.",
            ge=0,
            le=8,
        ),
    ] = 0


class StepDefinition(PagePart, frozen=True):
    """A step or phase, in the order in which they stand on the page."""

    name: Annotated[Word, Meta(description="The word for it.")]
    title: Annotated[Title, Meta(description="What people call it; else made of the word.")] = ""
    do: Annotated[
        Sentence,
        Meta(description="What is done with the real cards now, as a sentence; it is shown while the step lasts."),
    ] = ""
    of: Annotated[
        Literal["turn", "round"],
        Meta(
            description="Whether every turn has this step, or each round once, before the first turn. Where all play "
            "together, both are the same."
        ),
    ] = "turn"


class CounterDefinition(PagePart, frozen=True):
    """A figure that somebody or something has: life, threat, damage done by each opponent."""

    of: Annotated[
        str,
        Meta(
            description="Who has it: `seat` (everybody), `table` (one for all), `rival` (everybody has one for each "
            "other seat, such as the damage from it), or a kind of thing."
        ),
    ] = SEAT
    title: Annotated[Title, Meta(description="What people call it; else made of the word.")] = ""
    short: Annotated[
        Annotated[str, Meta(max_length=6)],
        Meta(description="The same in up to six letters, for six seats side by side."),
    ] = ""
    start: Annotated[Figure, Meta(description="What it is at first.")] = 0
    start_by_players: Annotated[
        dict[str, Figure], Meta(description="What it is at first with so many players: `{ 2 = 20, 3 = 30 }`.")
    ] = field(default_factory=dict)
    least: Annotated[
        Figure | Literal["none"], Meta(description="It never falls below this; `none`: it may go below 0.")
    ] = 0
    most: Annotated[Figure | None, Meta(description="It never rises above this; a bar shows how full it is.")] = None
    top: Annotated[Figure | None, Meta(description="What a full bar is where it may rise higher.")] = None
    harm: Annotated[bool, Meta(description="Whether a full one is bad: damage, poison, threat.")] = False
    big: Annotated[bool, Meta(description="Whether it must be read from two metres away.")] = False
    main: Annotated[
        bool, Meta(description="Whether a name and a number alone mean it: `ana 10`, `wolf -2`. Else the first one is.")
    ] = False
    hidden: Annotated[bool, Meta(description="Whether a screen with little room can leave it out.")] = False
    steps: Annotated[
        tuple[Annotated[int, Meta(ge=1, le=1000)], ...],
        Meta(max_length=6, description="By how much − and + change it on the screen: `[1, 5]`."),
    ] = (1,)
    out: Annotated[str, Meta(description="When who has it is out of the game, or a thing leaves: `<= 0`, `>= 10`.")] = (
        ""
    )
    reset: Annotated[
        str, Meta(description="When it goes back to its start: a step's word, `turn` (its own turn begins) or `round`.")
    ] = ""
    reset_to: Annotated[
        str,
        Meta(
            description="The counter of the same owner to which `reset` fills it instead of its start: mana up to the "
            "crystals that somebody has by then."
        ),
    ] = ""
    each: Annotated[
        Figure,
        Meta(
            description="How much it grows each time that `at` comes, the first time, too. Words go on by so many "
            "after the first round or turn, the first one following the last."
        ),
    ] = 0
    at: Annotated[str, Meta(description="When `each` is added: a step's word, `turn` or `round`. Else at `turn`.")] = ""
    also: Annotated[
        dict[str, Figure],
        Meta(
            description="Another counter of the same owner that moves with it, and by how much for each one: damage "
            "from a rival with `also = { life = -1 }`."
        ),
    ] = field(default_factory=dict)
    sum: Annotated[
        tuple[Word, ...],
        Meta(description='Counters of the same owner that it is the sum of; nobody sets it: `["level", "gear"]`.'),
    ] = ()
    words: Annotated[
        tuple[Word, ...],
        Meta(max_length=20, description='Words instead of figures, the first one at first: `["day", "night"]`.'),
    ] = ()
    remind: Annotated[Sentence, Meta(description="What to remember as long as it is not at its start.")] = ""


class Flag(PagePart, frozen=True):
    """Something that holds of a seat or a thing, or not: passed, tapped, monarch's shield."""

    of: Annotated[str, Meta(description="Who can have it: `seat`, `table` or a kind of thing.")] = SEAT
    title: Annotated[Title, Meta(description="What people call it; else made of the word.")] = ""
    start: Annotated[
        bool, Meta(description="Whether it holds at first: what has just come into play and cannot attack yet.")
    ] = False
    reset: Annotated[str, Meta(description="When it is taken away: a step's word, `turn` or `round`.")] = ""
    remind: Annotated[Sentence, Meta(description="What to remember as long as it holds.")] = ""


class TokenDefinition(PagePart, frozen=True):
    """Something that one seat holds at a time: a crown, the first player's marker."""

    title: Annotated[Title, Meta(description="What people call it; else made of the word.")] = ""
    start: Annotated[
        Literal["nobody", "first", "lot"],
        Meta(description="Who has it at first: nobody, who begins, or somebody by lot."),
    ] = "nobody"
    passes: Annotated[
        Literal["", "turn", "round"],
        Meta(description="When it goes on to the left neighbour by itself: with each `turn` or `round`; else by hand."),
    ] = ""
    reset: Annotated[
        str, Meta(description="When it is taken away, so that nobody has it: a step's word, `turn` or `round`.")
    ] = ""
    remind: Annotated[Sentence, Meta(description="What its holder has to remember.")] = ""
    at: Annotated[str, Meta(description="In which step of the holder's turn that is said; else all the time.")] = ""


class ListedThing(PagePart, frozen=True):
    """A thing that is known beforehand, with its figures."""

    name: Annotated[Title, Meta(description="What it is called.")]
    figures: Annotated[
        dict[str, Figure], Meta(description="Its counters where they differ from their starts: `{ power = 3 }`.")
    ] = field(default_factory=dict)
    text: Annotated[Sentence, Meta(description="What it does, in a sentence.")] = ""
    start: Annotated[
        bool,
        Meta(
            description="Whether it lies there when the game begins: in the middle, or, where things belong to seats, "
            "one before each."
        ),
    ] = False


class KindDefinition(PagePart, frozen=True):
    """A kind of thing in play: creatures, locations, monsters. Its counters are those with `of` its word."""

    title: Annotated[Title, Meta(description="What one is called; else made of the word.")] = ""
    zone: Annotated[str, Meta(description="The zone into which it comes; else one of its own before its owner.")] = ""
    of: Annotated[
        Literal["seat", "table"], Meta(description="Whether one belongs to a seat, or lies in the middle of the table.")
    ] = "seat"
    list: Annotated[
        tuple[ListedThing, ...],
        Meta(max_length=500, description="Those that are known beforehand; any other can come, too."),
    ] = ()


class ZoneDefinition(PagePart, frozen=True):
    """A place for things: a board, a row, lanes, the middle of the table."""

    title: Annotated[Title, Meta(description="What people call it; else made of the word.")] = ""
    of: Annotated[Literal["seat", "table"], Meta(description="Whether each seat has one, or there is one.")] = "seat"
    lanes: Annotated[
        int, Meta(description="How many lanes it has, of which each holds one thing; 0: any number.", ge=0, le=12)
    ] = 0


class PoolCard(PagePart, frozen=True):
    """A card, or another thing, in a pool."""

    name: Annotated[Title, Meta(description="What it is called.")]
    copies: Annotated[int, Meta(description="How many of it there are.", ge=1, le=100)] = 1
    puts: Annotated[str, Meta(description="The kind of thing that comes into play with it.")] = ""
    figures: Annotated[dict[str, Figure], Meta(description="That thing's counters where they differ.")] = field(
        default_factory=dict
    )
    does: Annotated[
        tuple[str, ...], Meta(max_length=20, description="What happens when it is drawn: lines, as in an action.")
    ] = ()
    text: Annotated[Sentence, Meta(description="What it says, to be read when it comes.")] = ""


class Pool(PagePart, frozen=True):
    """What is drawn from: a bag, an encounter deck, the monsters of a level."""

    title: Annotated[Title, Meta(description="What people call it; else made of the word.")] = ""
    cards: Annotated[
        tuple[PoolCard, ...], Meta(max_length=500, description="What is in it; empty: only how many is counted.")
    ] = ()
    size: Annotated[int, Meta(description="How many there are where `cards` does not say it.", ge=0, le=1000)] = 0
    drawn: Annotated[
        Literal["program", "cards"],
        Meta(description="Whether the program draws, or somebody draws real cards and says which one came."),
    ] = "program"
    then: Annotated[
        Literal["aside", "back", "gone"],
        Meta(description="Where a drawn one goes: aside until the pool is empty, back at once, or out of the game."),
    ] = "aside"
    refill: Annotated[bool, Meta(description="Whether those aside are shuffled in again when it is empty.")] = True
    at: Annotated[str, Meta(description="In which step one is drawn; the screen asks for it then.")] = ""
    each: Annotated[
        bool,
        Meta(description="With `at`: whether one is drawn for each seat then; else one, for whose turn it is."),
    ] = False


class Own(PagePart, frozen=True):
    """A line of your own: what somebody does, what it costs, and what changes by it."""

    title: Annotated[Sentence, Meta(description="What it is, in a sentence; the help says it, and the log.")] = ""
    tell: Annotated[
        Sentence,
        Meta(
            description="What the log says instead of the title, with the words of the line in it, and `me` for who "
            "does it: `THING flies at SEAT.`"
        ),
    ] = ""
    takes: Annotated[
        str,
        Meta(
            description="What must be said besides who does it, in the order of the line: `SEAT`, `N`, `THING`, "
            "`TEXT`, or one word of several, as `red|blue`, which lines call `CHOICE`; a second one of a kind is "
            "`SEAT2`. In brackets what can be left out."
        ),
    ] = ""
    costs: Annotated[
        dict[str, Figure | str],
        Meta(
            max_length=12,
            description='Which counters of who does it go down, and by how much: `{ embers = 3 }`, `{ embers = "N" }`.',
        ),
    ] = field(default_factory=dict)
    does: Annotated[
        tuple[str, ...],
        Meta(
            max_length=20,
            description="What changes, as lines: `add SEAT life -N`, `set THING tapped yes`, `give crown me`, `draw "
            "encounter`. `me` is who does it, `others` all others, `each` everybody, `left` and `right` neighbours.",
        ),
    ] = ()
    steps: Annotated[tuple[str, ...], Meta(max_length=40, description="In which steps; else in all.")] = ()
    whose: Annotated[
        Literal["turn", "any", "table"],
        Meta(description="Who can do it: whose turn it is, anybody at any time, or nobody in particular."),
    ] = "turn"
    once: Annotated[
        Literal["", "turn", "round", "game"],
        Meta(description="How often one seat can do it: once a turn, round or game."),
    ] = ""
    when: Annotated[
        tuple[str, ...],
        Meta(
            max_length=9,
            description="What must hold: `me level >= 3`, `table time = night`, `me has crown`, `me has THING` (it is "
            "theirs).",
        ),
    ] = ()
    do: Annotated[Sentence, Meta(description="What is done with the real cards then.")] = ""


class Points(PagePart, frozen=True):
    """How a row of the score sheet is reckoned: all that fit are added."""

    when: Annotated[
        Annotated[str, Meta(max_length=200)] | Annotated[tuple[str, ...], Meta(max_length=9)],
        Meta(
            description="When it counts: `tricks = bid`, `tricks < bid`, `points >= 100`; else always. Several stand "
            'in a list, and all must hold: `["tricks = bid", "bid = 0"]`.'
        ),
    ] = ""
    points: Annotated[Figure, Meta(description="So many points.")] = 0
    per: Annotated[
        str, Meta(description="And so many for each of a column, or of a difference: `tricks`, `bid - tricks`.")
    ] = ""
    times: Annotated[Figure, Meta(description="How many points for each of `per`.")] = 1

    @property
    def conditions(self) -> tuple[str, ...]:
        """The conditions of the row as a tuple; empty if the row always counts."""
        if isinstance(self.when, str):
            return (self.when,) if self.when else ()
        return self.when


class SheetDefinition(PagePart, frozen=True):
    """A score sheet: a row a round, a column a seat, with running totals."""

    columns: Annotated[
        tuple[Word, ...],
        Meta(max_length=12, description='What is written down of each seat in each round: `["bid", "tricks"]`.'),
    ]
    titles: Annotated[dict[str, Title], Meta(description="What people call the columns.")] = field(default_factory=dict)
    counts: Annotated[Word, Meta(description="The counter of a seat that has the total.")] = "points"
    points: Annotated[
        tuple[Points, ...],
        Meta(
            max_length=20,
            description="How the points of a row are reckoned; else they are what stands in the last column.",
        ),
    ] = ()
    sum: Annotated[
        dict[str, Figure | str],
        Meta(
            max_length=12,
            description='What a column comes to over all seats: `{ tricks = 13 }` or `{ tricks = "round" }`; else '
            "people are told.",
        ),
    ] = field(default_factory=dict)
    at: Annotated[
        dict[str, str],
        Meta(
            description='In which step a column is asked, before it goes on: `{ bid = "bid" }`; else before the round '
            "ends."
        ),
    ] = field(default_factory=dict)
    of: Annotated[
        dict[str, Word],
        Meta(
            description="The token whose holder alone is asked a column, and nobody where nobody has it; the others "
            'have 0 there: `{ value = "declarer" }`.'
        ),
    ] = field(default_factory=dict)
    least: Annotated[Figure, Meta(description="The smallest figure that can be written.")] = 0


class End(PagePart, frozen=True):
    """How it ends. Where nothing of it comes true, people say who has won."""

    last_left: Annotated[bool, Meta(description="Whether the last one who is not out has won.")] = False
    win: Annotated[str, Meta(description="Who comes to this has won: `level >= 10`, `points >= 500`.")] = ""
    over: Annotated[
        str, Meta(description="When somebody comes to this, the game is over, and `most` or `fewest` decides.")
    ] = ""
    most: Annotated[
        str, Meta(description="The counter of which the most wins when the game is over; those who tie share the win.")
    ] = ""
    fewest: Annotated[
        str, Meta(description="The counter of which the fewest wins when the game is over; those who tie share it.")
    ] = ""
    all_win: Annotated[
        tuple[str, ...],
        Meta(max_length=9, description="Everybody wins together when one of these holds: `table villain <= 0`."),
    ] = ()
    all_lose: Annotated[
        tuple[str, ...], Meta(max_length=9, description="Everybody loses together: `table threat >= 20`, `each out`.")
    ] = ()


class InscriptionDefinition(PagePart, frozen=True):
    """What can be written on a card for ever."""

    number: Annotated[
        int, Meta(description="Its number, for ever: a later edition never gives it to another one.", ge=1, le=9999)
    ]
    name: Annotated[Title, Meta(description="What it is called.")]
    text: Annotated[Sentence, Meta(description="What it does; the label says it.")] = ""
    tier: Annotated[str, Meta(description="The word of its tier.")] = ""
    price: Annotated[
        Annotated[int, Meta(ge=0, le=10000)] | None,
        Meta(description="What it costs of the purse; without one it is not for sale."),
    ] = None
    per_card: Annotated[int, Meta(description="How many of it one card bears at most.", ge=1, le=9)] = 1
    per_deck: Annotated[int, Meta(description="How many of it a deck bears at most; 0: any number.", ge=0, le=99)] = 0


class TierDefinition(PagePart, frozen=True):
    """A rank among inscriptions: how its labels look."""

    title: Annotated[Title, Meta(description="What people call it; else made of the word.")] = ""
    mark: Annotated[
        Annotated[str, Meta(max_length=4)],
        Meta(description="A sign that tells it without colours; ▲ ● ■ ◆ ✦ ▶ can be printed with any font."),
    ] = ""
    colour: Annotated[str, Meta(description="Its colour, as `#6A1E86`.", pattern=COLOUR)] = "#2B2F36"


class Ask(PagePart, frozen=True):
    """A question of the form that begins a deck."""

    name: Annotated[Word, Meta(description="The word for the answer.")]
    ask: Annotated[Sentence, Meta(description="The question.")]
    number: Annotated[bool, Meta(description="Whether the answer is a whole number.")] = False
    choices: Annotated[
        tuple[Title, ...], Meta(max_length=30, description="What can be answered; empty: anything.")
    ] = ()


class DecksDefinition(PagePart, frozen=True):
    """Decks that are kept: lists of cards, or cards that are written on for ever."""

    kind: Annotated[
        Literal["list", "inscribed"],
        Meta(
            description="`list`: decks are lists of cards, with versions and results. `inscribed`: cards bear for ever "
            "what is written on them."
        ),
    ]
    called: Annotated[Title, Meta(description="What the game calls a deck: `band`, `hero`.")] = "deck"
    cards: Annotated[
        tuple[Title, ...],
        Meta(
            max_length=500, description="Inscribed decks: the cards by name; else the 52 playing cards and two jokers."
        ),
    ] = ()
    jokers: Annotated[bool, Meta(description="Whether the jokers are among the playing cards.")] = True
    inscription: Annotated[Title, Meta(description="What an inscription is called here: `scar`, `rune`.")] = (
        "inscription"
    )
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
            "are `name`, `text`, `tier`, `mark`, `card` and `number`. Where it is not known, labels look as usual.",
        ),
    ] = ""
    per_card: Annotated[int, Meta(description="How many inscriptions one card bears at most.", ge=1, le=9)] = 1
    cross_out: Annotated[bool, Meta(description="Whether an inscription can be crossed out again.")] = True
    tear_up: Annotated[bool, Meta(description="Whether a card can be torn up, for ever.")] = False
    counts: Annotated[
        dict[Word, Title],
        Meta(max_length=20, description='What the box counts besides games played and won: `{ slain = "Slain" }`.'),
    ] = field(default_factory=dict)
    form: Annotated[
        tuple[Ask, ...], Meta(max_length=20, description="What is asked to begin a deck, besides its name and holder.")
    ] = ()
    box: Annotated[Sentence, Meta(description="What to remember when the box is put away.")] = ""
    least: Annotated[int, Meta(description="Lists: how many cards a deck has at least.", ge=0, le=1000)] = 0
    most: Annotated[
        Annotated[int, Meta(ge=1, le=1000)] | None, Meta(description="Lists: how many cards a deck has at most.")
    ] = None
    copies: Annotated[
        Annotated[int, Meta(ge=1, le=1000)] | None, Meta(description="Lists: how many of one card at most.")
    ] = None
    unlimited: Annotated[
        tuple[Title, ...], Meta(max_length=100, description="Lists: cards of which there can be any number.")
    ] = ()
    sections: Annotated[tuple[Title, ...], Meta(max_length=20, description="Lists: the sections a list can have.")] = ()


class PurseDefinition(PagePart, frozen=True):
    """Money that goes home with people and comes back with them."""

    counter: Annotated[
        Word,
        Meta(
            description="The counter of a seat that is the purse: what somebody brings is added to its start, and what "
            "is left goes home, with everybody who has a stored deck here or of whom it is said who they are."
        ),
    ]
    title: Annotated[Title, Meta(description="What people call it; else the counter's title.")] = ""


class After(PagePart, frozen=True):
    """A question after the game, before everything is written into the decks' stories."""

    name: Annotated[Word, Meta(description="The word for it.")]
    ask: Annotated[Sentence, Meta(description="The question, to one seat after the other.")]
    kind: Annotated[
        Literal["inscribe", "buy", "cross-out", "tear-up", "take-home", "count", "text", "do"],
        Meta(
            description="What is done, always to the deck before that seat. `inscribe`: a card gets an inscription. "
            "`buy`: one after the other, for their prices from the purse. `cross-out`: an inscription goes. `tear-up`: "
            "a card goes, which is asked twice. `take-home`: which deck goes home with whom. `count`: a figure of the "
            "box grows (see `counts`). `text`: a sentence for the story. `do`: something to do by hand. All but `do` "
            "are asked of who has a stored deck."
        ),
    ]
    who: Annotated[
        str,
        Meta(
            description="Who is asked: `each`, `winner` (everybody, where all have won together), `losers`, or who "
            "holds a token."
        ),
    ] = "each"
    counts: Annotated[str, Meta(description="With `count`: which figure of the box.")] = ""
    tier: Annotated[
        tuple[str, ...], Meta(max_length=20, description="With `inscribe` and `buy`: only inscriptions of these tiers.")
    ] = ()
    must: Annotated[bool, Meta(description="Whether it must be answered; else it can be left out.")] = False


class HouseRuleDefinition(PagePart, frozen=True):
    """A house rule that people can agree on before they begin: it changes what this page says."""

    ask: Annotated[Sentence, Meta(description="The question.")]
    title: Annotated[Title, Meta(description="What people call it; else made of the word.")] = ""
    values: Annotated[
        dict[str, dict[str, Figure | str | bool]],
        Meta(
            max_length=60,
            description="What can be agreed on, the page's own first, each with the keys of this page that it changes: "
            '`values = { no = {}, yes = { "counters.life.start" = 10 } }`.',
        ),
    ] = field(default_factory=dict)


class Description(PagePart, frozen=True):
    """A whole game, as its page tells it."""

    name: Annotated[Word, Meta(description="The word after `table`; it stays the same in all editions.")]
    title: Annotated[Title, Meta(description="What people call the game.")]
    by: Annotated[Title, Meta(description="Who wrote this page, so that two games of one name can be told apart.")] = ""
    edition: Annotated[int, Meta(description="Counts up when the page changes.", ge=1, le=9999)] = 1
    about: Annotated[Sentence, Meta(description="The game in a sentence, for somebody who doesn't know it.")] = ""
    credit: Annotated[
        Sentence, Meta(description="Whose game it is, and under which licence; printed on labels and sheets.")
    ] = ""
    bgg: Annotated[
        int,
        Meta(
            description="The number of the game at BoardGameGeek, as in the address of its page there: BG Stats knows "
            "games by it. 0: none.",
            ge=0,
            le=9_999_999,
        ),
    ] = 0
    play: Annotated[PlayDefinition, Meta(description="Who plays, and whose turn it is.")] = PlayDefinition()
    steps: Annotated[tuple[StepDefinition, ...], Meta(max_length=40, description="The steps of a turn or round.")] = ()
    counters: Annotated[dict[Word, CounterDefinition], Meta(max_length=60, description="Figures, by their words.")] = (
        field(default_factory=dict)
    )
    flags: Annotated[dict[Word, Flag], Meta(max_length=60, description="What holds or does not, by their words.")] = (
        field(default_factory=dict)
    )
    tokens: Annotated[
        dict[Word, TokenDefinition], Meta(max_length=40, description="What one seat holds at a time, by their words.")
    ] = field(default_factory=dict)
    things: Annotated[
        dict[Word, KindDefinition], Meta(max_length=40, description="Kinds of things in play, by their words.")
    ] = field(default_factory=dict)
    zones: Annotated[
        dict[Word, ZoneDefinition], Meta(max_length=40, description="Places for things, by their words.")
    ] = field(default_factory=dict)
    pools: Annotated[dict[Word, Pool], Meta(max_length=40, description="What is drawn from, by their words.")] = field(
        default_factory=dict
    )
    actions: Annotated[dict[Word, Own], Meta(max_length=100, description="Lines of your own, by their verbs.")] = field(
        default_factory=dict
    )
    sheet: Annotated[SheetDefinition | None, Meta(description="A score sheet.")] = None
    end: Annotated[End, Meta(description="How it ends.")] = End()
    decks: Annotated[DecksDefinition | None, Meta(description="Decks that are kept; without this there are none.")] = (
        None
    )
    purse: Annotated[PurseDefinition | None, Meta(description="What goes home with people.")] = None
    after: Annotated[tuple[After, ...], Meta(max_length=30, description="What is asked after the game.")] = ()
    house: Annotated[
        dict[Word, HouseRuleDefinition], Meta(max_length=30, description="House rules, by their words.")
    ] = field(default_factory=dict)
    words: Annotated[
        dict[str, Sentence], Meta(max_length=500, description="Words that people can look up, each with what it says.")
    ] = field(default_factory=dict)
    rules: Annotated[dict[str, Sentence], Meta(max_length=500, description="The rules in short, by their numbers.")] = (
        field(default_factory=dict)
    )


def title_of(word: str, title: str = "") -> str:
    """Return the display name: the title, or else the word with a capital letter and spaces."""
    return title or word.replace("-", " ").capitalize()


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
