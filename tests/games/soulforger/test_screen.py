"""What people read at a table of Soul-Forger: sentences with their sums, hints, zones, flags, questions."""

from __future__ import annotations

import pytest

from companion.games.soulforger.game import GAME
from companion.games.soulforger.rules.keywords import KEYWORDS
from companion.session.core.session import Session
from companion.tabletop.action import RuleError
from companion.tabletop.table.choices import Open, choices
from companion.tabletop.table.table import Prompt, SeatView

OPENING = (
    *("seat ana", "seat ben", "gear ana sword weapon power 3/1", "gear ben axe weapon power 2/1 hands 2"),
    *("begin seed 1", "next", "next", "next", "set ana level 9", "set ben level 9"),
)


def in_main(*more: str) -> Session:
    """Ana's first Main 1."""
    session = Session.new(GAME)
    for line in (*OPENING, *more):
        session.enter(line)
    return session


def sentences(session: Session, line: str) -> list[str]:
    return [str(tell.text) for tell in session.enter(line)]


def side(session: Session, name: str) -> SeatView:
    return next(seat for seat in session.view().seats if seat.seat == name)


def prompts_due(session: Session, *, due: bool) -> list[Prompt]:
    return [prompt for prompt in session.view().prompts if prompt.due is due]


BY_CARDS = "What does a card do?"
"""What is offered at any time, for the texts of cards."""


def lines(session: Session) -> list[str]:
    """Every answer but those for the texts of cards."""
    return [
        answer.line for prompt in session.view().prompts if str(prompt.text) != BY_CARDS for answer in prompt.answers
    ]


def test_a_fight_tells_its_sums_in_order() -> None:
    session = in_main(
        "summon ben goblin ronum 1 power 2/1 endurance 3 xp 2 keywords last-breath wounded manifest",
        "give sword slayer",
        "next",
        "attack sword on goblin",
    )
    assert sentences(session, "fight") == [
        "Goblin takes 3 (Sword): 0 → 3 of 3.",
        "Remember Wounded of Goblin: acts when it takes combat damage.",
        "Ana takes 2 (Goblin): 0 → 2 of 30.",
        "Goblin is destroyed and goes to Ben's graveyard.",
        "Remember Last Breath of Goblin: acts when it is destroyed.",
        "Remember Slayer of Sword: acts when it destroys an opponent's creature.",
        "Ana's weapon destroyed Goblin: XP 0 + 2 = 2.",
        "Sword turns Off-guard.",
    ]


def test_impale_and_first_damage_say_why() -> None:
    session = in_main(
        "token ana lancer power 5/2 endurance 3 keywords impale fast-hand",
        "token ben wall power 1/1 endurance 4",
        "damage wall 1",
        "next",
        "attack lancer on wall",
    )
    assert sentences(session, "fight")[:2] == [
        "Wall takes 5 (Lancer): 1 → 6 of 4.",
        "Ben takes 2 (Impale of Lancer, 5 − 3): 0 → 2 of 30.",
    ]
    assert "Wall deals no damage back (A2.5)." in sentences(in_main(*_again(session)), "fight")


def _again(session: Session) -> list[str]:
    """The lines that led to where a session stood before its last one."""
    return [line.text for line in session.log.lines[len(OPENING) + 1 : -1]]


def test_a_side_quest_tells_its_sum() -> None:
    session = Session.new(GAME)
    for line in (*OPENING[:7], "set ana level 4", "set ana xp 3"):
        session.enter(line)
    assert sentences(session, "quest ana 1 2")[0] == (
        "Ana's Side Quest: Ronum 1 + 2 = 3 + 1 XP reaches level 4: level 4 → 5. XP 3 → 2."
    )
    session.enter("undo")
    session.enter("set ana xp 0")
    assert (
        sentences(session, "quest ana 1")[0] == "Ana's Side Quest: Ronum 1, even with 0 XP less than level 4: no level."
    )


def test_what_is_done_by_hand_says_so() -> None:
    session = in_main("token ana imp power 1/1 endurance 1")
    assert [(str(tell.text), tell.by_hand) for tell in session.enter("destroy imp")] == [
        ("Imp is destroyed and, being a token, vanishes (R2.14).", True)
    ]
    assert [tell.by_hand for tell in session.enter('flow ana "Song"')] == [False]
    assert [tell.by_hand for tell in session.enter("resolve")] == [True]


def test_keywords_are_called_to_mind_when_they_act() -> None:
    session = in_main('action ana "Song" ronum 1')
    session.enter("token ana bard power 1/1 endurance 9 keywords evoke betrayed seared")
    assert "Remember Evoke of Bard: acts after one of its player's spells has resolved." in sentences(
        session, "resolve"
    )
    assert (
        sentences(session, "damage bard 1")[1] == "Remember Seared of Bard: acts when it takes damage outside combat."
    )
    assert sentences(session, "destroy bard")[1] == "Remember Betrayed of Bard: acts when its own side destroys it."
    session.enter("token ana imp power 1/1 endurance 9 keywords last-breath")
    assert sentences(session, "send imp") == ["Imp is sent off the field and, being a token, vanishes (R2.14)."]
    assert sentences(session, "token ana elf power 1/1 endurance 9 keywords welcome")[1:] == [
        "Remember Welcome of Elf: acts when it enters the field."
    ]


def test_no_spell_is_remembered_where_none_resolved() -> None:
    session = in_main(
        "token ana bard power 1/1 endurance 9 keywords evoke", "token ben hag power 1/1 endurance 9 keywords evoke"
    )
    session.enter('flow ana "Ability"')
    assert sentences(session, "resolve") == ["“Ability” resolves: carry out its effect."]
    session.enter('action ana "Song" ronum 1')
    session.enter('negate "Song"')
    assert sentences(session, "resolve") == ["“Song” was negated and is passed over."]


def test_who_goes_out_and_who_wins_is_told() -> None:
    session = in_main()
    assert sentences(session, "damage ben 31") == [
        "Ben takes 31 (effect): 0 → 31 of 30.",
        "Ben is out with 31 damage of 30 (R2.1).",
        "Ana wins.",
    ]
    session.enter("undo")
    assert sentences(session, "concede ana") == ["Ana concedes.", "Ana is out.", "Ben wins."]
    assert sentences(session, "add ana xp +1") == ["Ana: XP 0 → 1, by hand."]
    assert sentences(session, "set ben out yes")[1:] == ["Ben is out.", "Nobody is left: a draw (A2.14)."]


def test_hints_stand_where_they_matter() -> None:
    session = in_main("token ben monk power 1/1 endurance 2 keywords spell-proof hidden")
    assert session.view().hints == ()
    session.enter('flow ana "Bolt"')
    assert tuple(map(str, session.view().hints)) == (
        "Remember Spell Proof of Monk: no spell affects it while it is on the field.",
        "Remember Hidden of Monk: while On-guard, opponents can neither attack it nor aim effects at it.",
    )
    session.enter("resolve")
    session.enter("set ben deck 0")
    assert tuple(map(str, session.view().hints)) == (
        "Ben's deck is empty: a turn that starts like this costs 5 damage (R2.25).",
    )
    session.enter("next")
    session.enter("attack sword on ben")
    assert (
        str(session.view().hints[0])
        == "If they fight now: Ben takes 3 (Sword): 0 → 3 of 30. Ana takes 2 (Axe): 0 → 2 of 30."
    )
    session.enter("set ben damage 29")
    session.enter("fight")
    assert session.view().hints == ()


def test_sides_show_what_lies_there() -> None:
    session = in_main(
        "forge ana ring accessory ronum 1",
        "forge ana knife weapon ronum 1 power 1/1",
        "forge ana mail armor ronum 1",
        "summon ana wolf ronum 1 power 3/1 endurance 3 keywords flight",
        "token ana imp power 1/1 endurance 1",
        'set-action ana "Trap"',
        'set-action ana "Trap"',
        'action ana "Fog" ronum 1 lingering',
        "resolve",
        "set sword guard off",
    )
    ana = side(session, "ana")
    assert [(zone.name, [thing.title for thing in zone.things]) for zone in ana.zones] == [
        ("creatures", ["Wolf", "Imp"]),
        ("gear", ["Sword", "Knife", "Mail", "Ring"]),
        ("actions", ["Trap", "Trap", "Fog"]),
    ]
    assert [thing.brief for thing in ana.zones[0].things] == ["P3 D0/3", "P1 D0/1"]
    assert [tuple(map(str, thing.flags)) for thing in ana.zones[1].things] == [
        ("Primary", "off-guard"),
        ("Secondary",),
        ("Armor",),
        ("Accessory",),
    ]
    assert [thing.words for thing in ana.zones[2].things] == [
        ("face down", "since turn 1"),
        ("face down", "since turn 1"),
        ("Lingering",),
    ]
    assert [thing.target for thing in ana.zones[2].things] == ["trap", "ana's action 2", "fog"]
    assert tuple(map(str, ana.zones[0].things[0].notes)) == ("Ronum 1", "Flight: only a card with Flight can block it")
    assert tuple(map(str, ana.zones[0].things[1].notes)) == ("token",)
    assert tuple(map(str, ana.flags)) == ("active", "off-guard")
    assert side(session, "ben").flags == ()
    assert side(session, "ben").zones[0].things[0].words == ("Primary", "two-handed")
    assert [counter.name for counter in ana.counters if counter.big] == ["damage", "level"]


def test_the_attack_and_the_flow_lie_in_the_middle() -> None:
    session = in_main("token ben imp power 1/1 endurance 1", "token ben cow power 1/1 endurance 1", "next")
    session.enter("attack sword on imp")
    session.enter("block cow")
    session.enter('flow ben "Roar"')
    session.enter('flow ana "Howl"')
    session.enter('negate "Roar"')
    flags = {thing.target: tuple(map(str, thing.flags)) for thing in session.view().things() if thing.flags}
    assert flags["sword"] == ("Primary", "attacks")
    assert (flags["imp"], flags["cow"]) == (("attacked",), ("blocks",))
    attack, flow = session.view().zones
    assert [(str(thing.title), tuple(map(str, thing.notes))) for thing in attack.things] == [
        ("Sword attacks Imp", ("blocked by Cow",))
    ]
    assert [(str(thing.title), tuple(map(str, thing.notes))) for thing in flow.things] == [
        ("2. Howl (Ana)", ()),
        ("1. Roar (Ben)", ("negated",)),
    ]
    session.enter("destroy imp")
    session.enter("destroy cow")
    assert [zone.name for zone in session.view().zones] == ["flow"]


def test_a_target_that_has_left_is_shown_as_such() -> None:
    session = in_main("token ben imp power 1/1 endurance 1", "next", "attack sword on imp", "destroy imp")
    assert str(session.view().zones[0].things[0].title) == "Sword attacks Imp (has left)"
    (prompt,) = prompts_due(session, due=True)
    assert [answer.line for answer in prompt.answers] == ["call-off", "retarget"]
    assert "fight" not in lines(session)


def test_after_the_answer_to_an_attack_the_fight_is_due() -> None:
    session = in_main("token ben cow power 1/1 endurance 1", "next", "attack sword on ben")
    (prompt,) = prompts_due(session, due=True)
    assert (prompt.seat, [answer.line for answer in prompt.answers]) == (
        "ben",
        ["fight", "block axe", "block cow", "no-block"],
    )
    session.enter("no-block")
    assert [(prompt.seat, prompt.line) for prompt in prompts_due(session, due=True)] == [("ana", "fight")]
    assert "call-off" not in lines(session)
    session.enter("token ana imp power 1/1 endurance 1")
    assert "call-off" in lines(session)


def test_each_phase_offers_what_belongs_to_it() -> None:
    session = in_main("forge ana knife weapon ronum 1 power 1/1")
    assert lines(session) == [
        *(
            "summon ana",
            "summon ana",
            "action ana",
            "set-action ana",
            "forge ana",
            "forge ana",
            "swap ana",
            "next",
            "skip-combat",
        )
    ]
    (plays,) = (prompt for prompt in session.view().prompts if str(prompt.text) != BY_CARDS)
    assert str(plays.text) == "Ana: summon, play or forge, Ronum up to 9, or go on"
    assert str(plays.answers[0].note) == "a creature, Ronum up to 9 without a cost"
    session.enter("swap ana")
    session.enter("set ana material 1")
    assert "swap ana" not in lines(session)
    assert "pay ana" in lines(session)
    session.enter("set ana hand 0")
    assert "summon ana" not in lines(session)
    session.enter("next")
    assert [str(prompt.text) for prompt in session.view().prompts] == ["Ana: attack with Sword, Knife", BY_CARDS]
    assert lines(session) == ["attack sword on ben", "attack knife on ben", "next"]
    session.enter("token ben cow power 1/1 endurance 1")
    assert lines(session) == ["attack sword", "attack knife", "next"], "two can be attacked: which one is asked"
    session.enter("set sword guard off")
    session.enter("set knife guard off")
    assert lines(session) == ["next"]
    session.enter("next")
    assert lines(session)[0] == "next", "in Main 2 the turn goes on before anything is played"
    assert "skip-combat" not in lines(session)
    session.enter("next")
    session.enter("set ana xp 9")
    assert lines(session) == ["level ana", "next"]
    session.enter("set ana hand 10")
    assert lines(session) == ["level ana", "discard ana 2"]


def test_effects_are_offered_where_they_have_a_target() -> None:
    def offered(session: Session) -> list[str]:
        return [
            answer.line
            for prompt in session.view().prompts
            if str(prompt.text) == BY_CARDS
            for answer in prompt.answers
        ]

    session = in_main()
    every = ["damage", "heal", "draw", "discard", "token", "token", "buff", "destroy", "send", "give"]
    assert offered(session) == [*every, "together"]
    session.enter("give sword slayer")
    assert offered(session) == [*every, "take-away", "together"]
    for line in ("take-away sword slayer", "destroy axe", "destroy sword", "forge ana mail armor ronum 1"):
        session.enter(line)
    assert offered(session) == [*(name for name in every if name != "buff"), "together"]
    session.enter("destroy mail")
    session.enter("set ana hand 0")
    session.enter("set ben hand 0")
    assert offered(session) == ["damage", "heal", "draw", "token", "token", "together"]


def test_an_attacker_that_leaves_within_a_batch_is_shown_so() -> None:
    session = in_main("token ana cat power 2/1 endurance 3", "token ben cow power 1/1 endurance 3", "next")
    for line in ("attack cat on ben", "together", "send cat"):
        session.enter(line)
    assert str(session.view().zones[0].things[0].title) == "Cat (has left) attacks Ben"
    for line in ("block cow", "call-off", "retarget cow", "no-block"):
        with pytest.raises(RuleError, match="The attacker has left: `done` ends the attack"):
            session.enter(line)
    session.enter("done")
    assert session.state.attack is None


def test_what_impales_never_deals_more_than_its_power() -> None:
    session = in_main(
        "token ana cat power 7/1 endurance 3 keywords impale", "token ben cow power 1/1 endurance 3", "next"
    )
    for line in ("attack cat on cow", "together", "damage cow 5"):
        session.enter(line)
    (hint,) = (hint for hint in session.view().hints if "Impale" in hint)
    assert "Ben takes 7 (Impale of Cat, 7 − 0)" in hint


def test_what_dies_of_a_batch_is_shown_attacking_the_unarmed() -> None:
    session = in_main("token ana cat power 2/1 endurance 2", "send axe", "next")
    for line in ("attack cat on ben", "together", "buff cat -1/-2"):
        session.enter(line)
    assert "If they fight now: Ben takes 1 (Cat)" in " ".join(map(str, session.view().hints))
    session.enter("done")
    assert "cat" not in session.state.cards


def test_who_is_told_how_to_end_an_attack_can_do_so() -> None:
    """An attack is called off only after a creature has come or gone (R2.21)."""
    session = in_main("next", "attack sword on ben")
    with pytest.raises(RuleError, match="An attack is open; `fight` ends it"):
        session.enter("next")
    session.enter("token ben cow power 1/1 endurance 1")
    with pytest.raises(RuleError, match="An attack is open; `fight` or `call-off` ends it"):
        session.enter("next")
    session.enter("call-off")


def test_a_keyword_is_spelled_alike_on_table_and_lists() -> None:
    session = in_main("token ben cow power 1/1 endurance 1 keywords fast-hand")
    (cow,) = (thing for thing in session.view().things() if thing.target == "cow")
    assert [str(note).split(":")[0] for note in cow.notes] == ["token", "Fast Hand"]


def test_a_summons_with_keywords_can_be_asked_for() -> None:
    session = in_main()
    prompt = next(prompt for prompt in session.view().prompts if prompt.line == "summon ana")
    plain, with_keywords, *_ = prompt.answers
    assert "keywords" not in plain.wants
    assert with_keywords.wants.endswith("xp N faction FACTION… keywords KEYWORD…")
    keywords = choices(GAME, session.state, with_keywords, "keywords")
    assert isinstance(keywords, Open)
    assert {choice.value for choice in keywords.of} == set(KEYWORDS)


def test_an_overflow_asks_for_nothing_else() -> None:
    session = in_main("summon ana wolf ronum 1 power 3/1 endurance 3", "summon ana bear ronum 2 power 3/1 endurance 3")
    session.enter("token ana imp power 1/1 endurance 1")
    session.enter("set ana level 2")
    (prompt,) = session.view().prompts
    assert str(prompt.text) == "Ana: Ronum 3 at level 2: which creature leaves?"
    assert [answer.line for answer in prompt.answers] == ["send wolf", "send bear"]


def test_answers_to_the_flow_are_what_could_be_given() -> None:
    session = in_main('set-action ana "Trap"', "token ben seer power 1/1 endurance 1 keywords skill")
    session.enter('flow ana "Song"')
    assert lines(session) == ["resolve", "negate", "flow", "skill"]
    session.enter('negate "Song"')
    session.enter("skill seer")
    assert lines(session) == ["resolve", "flow"]
    session.enter("set table turn 2")
    assert 'action ana "Trap" from set speed reaction' in lines(session)


def test_a_side_quest_is_offered_while_there_is_one() -> None:
    session = Session.new(GAME)
    for line in ("rule xp-only-side-quest yes", *OPENING[:7]):
        session.enter(line)
    assert lines(session) == ["quest ana", "quest ana none", "next"]
    session.enter("quest ana 1")
    assert lines(session) == ["next"]
