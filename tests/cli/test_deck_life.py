"""`companion deck chores`, `correct`, `rename`, `audit`, `retire`, heirlooms: a deck's life by command."""

import json
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from companion.archive import Archive, StoredLine, deck_id
from companion.archive.exchange import deck_export, deck_import
from companion.cli.main import main
from companion.games.decknforge.decks import marks as m
from companion.tabletop.notation.cards import Card
from tests.archive import bands
from tests.archive.keepsake import Founded
from tests.cli.test_deck_new import MONSTERS
from tests.terminal import Terminal

Run = Callable[..., Result]


@pytest.fixture
def place(tmp_path: Path) -> str:
    return str(tmp_path / "archive.sqlite")


@pytest.fixture
def deck(place: str) -> Run:
    def run(*arguments: str, typed: str | None = None) -> Result:
        return CliRunner().invoke(main, ["deck", *arguments, "--archive", place], input=typed)

    return run


@pytest.fixture
def choir(place: str) -> str:
    with Archive.open(place, by="tests") as archive:
        return bands.found_band(archive)


def output_of(result: Result, status: int = 0) -> str:
    """What a command says, after making sure that it ended as it should."""
    assert result.exit_code == status, result.output
    assert len(result.stderr.splitlines()) == (1 if status else 0)
    return result.stderr if status else result.stdout


def chores(deck: Run, *arguments: str) -> list[str]:
    return [
        chore["text"]
        for each in json.loads(output_of(deck("chores", *arguments, "--json")))
        for chore in each["chores"]
    ]


@pytest.mark.usefixtures("choir")
def test_chores_are_listed_ticked_off_one_by_one_and_all_at_once(deck: Run) -> None:
    listed = output_of(deck("chores"))
    assert listed.splitlines()[0] == "Grave Choir"
    assert "  2.1  Stick Sharp on 9♠" in listed
    assert output_of(deck("chores", "grave", "--done", "2.1", "--by", "Ana")) == "Grave Choir: 1 thing is done.\n"
    assert "Stick Sharp on 9♠" not in chores(deck)
    assert "is left to do" not in output_of(deck("chores", "grave", "--done", "all"))
    assert output_of(deck("chores")) == "Nothing is left to do by hand.\n"
    assert "Done by hand, by Ana: stick Sharp on 9♠." in output_of(deck("history", "grave"))
    assert "Nothing is left" in output_of(deck("chores", "grave", "--done", "all"), 1)


@pytest.mark.slow
@pytest.mark.usefixtures("choir")
def test_a_wrong_number_ticks_off_nothing(deck: Run) -> None:
    before = chores(deck)
    assert "There is no chore 99.1 here" in output_of(deck("chores", "grave", "--done", "2.1", "--done", "99.1"), 1)
    assert "name the DECK" in output_of(deck("chores", "--done", "2.1"), 2)
    assert chores(deck) == before


@pytest.mark.slow
def test_an_evening_has_the_chores_of_its_decks_only(deck: Run, choir: str, place: str) -> None:
    with Archive.open(place, by="tests") as archive:
        bands.found_band(archive, "Salt and Iron")
        session = archive.new_session("decknforge", "Friday")
        sealed = {choir: [m.DungeonPlayed("Ana", "win", 6, 7), m.CardInscribed(Card("KD"), "banner", "bought", "Ana")]}
        archive.seal(session, 1, [StoredLine("seal")], sealed)
    called = ["Write Glory 7, 1 dungeon on the box", "Stick Banner on K♦"]
    assert chores(deck, "--evening", session) == chores(deck, "grave", "--evening", session) == called
    assert "was not played" in output_of(deck("chores", "salt", "--evening", session), 1)
    assert output_of(deck("chores", "--evening", session, "--done", "all")) == "Grave Choir: 2 things are done.\n"
    assert chores(deck, "--evening", session) == []
    assert "Stick Sharp on 9♠" in chores(deck, "grave")
    assert "Friday" in output_of(deck("history", "grave"))


@pytest.mark.slow
def test_a_correction_asks_for_the_opposite_of_what_was_done_or_may_be(deck: Run, choir: str) -> None:
    output_of(deck("chores", "grave", "--done", "2.1"))
    output = output_of(deck("correct", "grave", "3", "--reason", "never bought", "--by", "Ben"))
    assert output.startswith("Ben corrected entry 3 (never bought). This does not count: “4♥ received Quick")
    assert "Stick Quick on 4♥" not in chores(deck)
    assert "Leave Quick off 4♥, or cross it out if it is stuck already" in chores(deck)
    output_of(deck("correct", "grave", "2", "--reason", "never bought either"))
    assert "Cross out Sharp on 9♠" in chores(deck)
    story = json.loads(output_of(deck("history", choir, "--json")))["story"]
    assert [mark["number"] for mark in story] == list(range(7, 0, -1))
    assert story[4]["text"].endswith("(Corrected by entry 6.)")
    assert json.loads(output_of(deck("show", choir, "--json")))["inscribed"] == {"7C": ["echo"]}


@pytest.mark.slow
def test_a_label_crossed_out_before_its_tick_is_left_off_or_crossed_out(deck: Run, choir: str, place: str) -> None:
    text = "Leave Sharp off 9♠, or cross it out if it is stuck already"
    with Archive.open(place, by="tests") as archive:
        bands.add(archive, choir, m.InscriptionCrossedOut(Card("9S"), "sharp", "faded"))
    assert f"  5.1  {text}" in output_of(deck("chores"))
    assert chores(deck, "grave").count(text) == chores(deck).count(text) == 1
    assert output_of(deck("chores", "grave", "--done", "5.1")) == "Grave Choir: 1 thing is done.\n"
    assert text not in chores(deck)


@pytest.mark.slow
def test_a_correction_can_be_taken_back_and_a_tick_too(deck: Run, choir: str) -> None:
    output_of(deck("chores", "grave", "--done", "2.1"))
    output_of(deck("correct", "grave", "2", "--reason", "a slip"))
    output_of(deck("correct", "grave", "6", "--reason", "no slip"))
    assert "sharp" in json.loads(output_of(deck("show", choir, "--json")))["inscribed"]["9S"]
    assert not [chore for chore in chores(deck) if "Sharp" in chore]
    output_of(deck("correct", "grave", "5", "--reason", "it was not stuck after all"))
    assert "Stick Sharp on 9♠" in " ".join(chores(deck))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("arguments", "status", "sentence"),
    [
        (["correct", "grave", "99", "--reason", "x"], 1, "There is no entry 99"),
        (["correct", "grave", "1", "--reason", "x"], 1, "cannot be undone"),
        (["correct", "grave", "2", "--reason", " "], 1, "needs a reason"),
        (["correct", "grave", "2"], 2, "--reason"),
        (["rename", "grave", " "], 1, "V1.15"),
        (["rename", "grave", "salt AND iron"], 1, "V1.15"),
        (["retire", "grave", "--heirloom", "pierce"], 1, "never bore pierce"),
        (["retire", "grave", "--heirloom", "shrap"], 2, "did you mean sharp?"),
        (["audit", "grave"], 2, "--questions"),
        (["audit", "grave", "-o", "box.txt"], 2, "--questions"),
    ],
)
def test_what_cannot_be_is_one_sentence_and_changes_nothing(
    deck: Run, choir: str, place: str, arguments: list[str], status: int, sentence: str
) -> None:
    with Archive.open(place, by="tests") as archive:
        bands.found_band(archive, "Salt and Iron")
        before = archive.entries(f"deck:{choir}")
        assert sentence in output_of(deck(*arguments), status)
        assert archive.entries(f"deck:{choir}") == before


@pytest.mark.slow
def test_an_audit_by_file_mends_what_differs_and_then_agrees(deck: Run, choir: str, tmp_path: Path) -> None:
    output_of(deck("chores", "grave", "--done", "all"))
    box = tmp_path / "box.txt"
    questions = output_of(deck("audit", "grave", "--questions"))
    assert "9S sharp: yes" in questions
    box.write_text(questions, encoding="utf-8")
    assert output_of(deck("audit", "grave", "--answers", str(box))) == "The box and the record agree.\n"
    otherwise = questions.replace("9S sharp: yes", "9s Sharp: no").replace("HP 13, ATK 3, ⭐", "HP 12, ATK 2, ⭐")
    box.write_text(f"{otherwise}KD banner: yes\nAS swift: yes\nbox: Glory 3, 1 dungeon\n", encoding="utf-8")
    mended = output_of(deck("audit", "grave", "--answers", str(box), "--by", "Cy", "--reason", "spring cleaning"))
    assert "(spring cleaning)" in mended
    today = json.loads(output_of(deck("show", choir, "--json")))
    assert today["inscribed"] == {"4H": ["quick"], "7C": ["echo"], "KD": ["banner"]}
    assert (today["glory"], today["dungeons"]) == (3, 1)
    assert (today["monsters"]["AS"]["hp"], today["monsters"]["AS"]["labels"]) == (12, ["swift"])
    assert today["chores"] == []
    assert output_of(deck("audit", "grave", "--answers", str(box))) == "The box and the record agree.\n"


@pytest.mark.slow
def test_the_questions_of_an_audit_go_into_a_file_or_a_pipe(deck: Run, choir: str, tmp_path: Path) -> None:
    questions = output_of(deck("audit", choir, "--questions"))
    assert output_of(deck("audit", choir, "--questions", "-o", "-")) == questions
    box = tmp_path / "box.txt"
    assert output_of(deck("audit", choir, "--questions", "-o", str(box))) == f"{box}: questions to answer.\n"
    assert box.read_text(encoding="utf-8") == questions
    assert "--force" in output_of(deck("audit", choir, "--questions", "-o", str(box)), 1)
    output_of(deck("audit", choir, "--questions", "-o", str(box), "--force"))
    assert output_of(deck("audit", choir, "--answers", str(box))).startswith("The box and the record agree.\n")


@pytest.mark.slow
def test_programs_are_told_what_changed_and_what_is_left_to_do(deck: Run, choir: str) -> None:
    mended = json.loads(output_of(deck("correct", "grave", "2", "--reason", "never bought", "--by", "Ben", "--json")))
    assert (mended["deck"], mended["mark"]["number"]) == (choir, 5)
    assert mended["mark"]["text"].startswith("Ben corrected entry 2 (never bought).")
    assert [chore["text"] for chore in mended["chores"]] == chores(deck, "grave")
    name = "Choir of the Graves 墓"
    renamed = json.loads(output_of(deck("rename", "grave", name, "--json")))
    assert (renamed["name"], renamed["mark"]["number"]) == (name, 6)
    assert len(renamed["warnings"]) == len(
        [line for line in output_of(deck("rename", choir, "墓")).splitlines() if "Mind:" in line]
    )
    retired = json.loads(output_of(deck("retire", choir, "--json")))
    assert (retired["name"], retired["mark"]["number"]) == ("墓", 8)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("9S", "box.txt:1"),
        ("9S shrap: yes", "did you mean sharp?"),
        ("11S sharp: yes", "is not a card"),
        ("9S: yes", "as in `7S sharp`"),
        ("AS: a dragon", "write a Monster as"),
        ("AS: Dragon, HP 12, ATK 5", "V1.4"),
        ("box: much Glory", "Glory 12, 3 dungeons"),
        ("KD sharp: perhaps", "yes or no"),
        ("9S echo: yes", "V1.8"),
    ],
)
def test_an_answer_that_cannot_be_changes_nothing(
    deck: Run, choir: str, place: str, tmp_path: Path, line: str, sentence: str
) -> None:
    box = tmp_path / "box.txt"
    box.write_text(line, encoding="utf-8")
    result = deck("audit", choir, "--answers", str(box))
    assert result.exit_code in (1, 2)
    assert sentence in result.stderr
    assert len(result.stderr.splitlines()) == 1
    with Archive.open(place) as archive:
        assert len(archive.story(choir)) == 4


@pytest.mark.slow
def test_a_retired_band_is_read_for_ever_and_its_heirloom_traced(deck: Run, choir: str) -> None:
    output_of(deck("retire", "grave", "--heirloom", "Sharp", "--by", "Ana"))
    assert "retired already" in output_of(deck("retire", "grave"), 1)
    monsters = [word for card, monster in MONSTERS.items() for word in ("--monster", f"{card}={monster}")]
    starts = ["--inscribe", "4H=quick", "--inscribe", "7C=blood-money", "--inscribe", "8C=bright"]
    new = ["new", "decknforge", "--builder", "Ana", *monsters, *starts]
    assert "V1.15" in output_of(deck(*new, "GRAVE CHOIR"), 1)
    assert "V1.8" in output_of(deck(*new, "Heirs", "--heirloom-of", "grave", "--heirloom", "4H"), 1)
    assert "is sharp, not quick" in output_of(
        deck(*new, "Heirs", "--heirloom-of", "grave", "--heirloom", "KD=quick"), 1
    )
    assert "needs both" in output_of(deck(*new, "Heirs", "--heirloom-of", "grave"), 2)
    assert "10 Coppers are left" in output_of(deck(*new, "Heirs", "--heirloom-of", "grave", "--heirloom", "KD"))
    assert "lives on in Heirs already" in output_of(
        deck(*new, "Others", "--heirloom-of", "grave", "--heirloom", "KD"), 1
    )
    assert "K♦ received Sharp (an heirloom of Grave Choir, by Ana)." in output_of(deck("history", "heirs"))
    assert "Its heirloom lives on in Heirs." in output_of(deck("history", choir))
    assert json.loads(output_of(deck("show", choir, "--json")))["successor"] == "Heirs"
    assert "has not retired" in output_of(deck(*new, "Third", "--heirloom-of", "heirs", "--heirloom", "KD"), 1)


@pytest.mark.slow
def test_a_game_without_cards_to_write_on_has_no_chores(deck: Run, place: str) -> None:
    with Archive.open(place) as archive:
        other = archive.found_deck("keepsake", [Founded("Trinket", "Ana")])
    assert output_of(deck("chores", "trinket")) == "Nothing is left to do by hand.\n"
    for command in (["correct", other, "1", "--reason", "x"], ["passport", other], ["audit", other, "--questions"]):
        assert "Keepsake" in output_of(deck(*command), 1)


@pytest.mark.slow
def test_a_wizards_record_has_every_copper_and_the_decks_held(place: str) -> None:
    with Archive.open(place, by="tests") as archive:
        deck = bands.found_band(archive)
        bands.add(archive, deck, m.Drifted("Zoë"))
        bands.found_band(archive, "Salt and Iron", "Ben")

    def wizard(*arguments: str) -> Result:
        return CliRunner().invoke(main, ["wizard", *arguments, "--archive", place])

    assert [row["name"] for row in json.loads(output_of(wizard("list", "--json")))] == ["Ben", "Zoë"]
    data = json.loads(output_of(wizard("show", "ANA", "--json")))
    assert [(held["deck"], held["now"]) for held in data["held"]] == [(deck, False)]
    assert deck_id.show(deck) in output_of(wizard("show", "Zoë"))
    assert output_of(wizard("show", "Nobody"), 1).startswith("Nobody is called “Nobody” here")


@pytest.mark.slow
@pytest.mark.posix
def test_an_audit_on_a_terminal_asks_card_by_card(choir: str, deck: Run, place: str) -> None:
    output_of(deck("chores", "grave", "--done", "all"))
    command = [sys.executable, "-m", "companion.cli", "deck", "audit", "grave", "--archive", place]
    with Terminal(command) as terminal:
        for question, answer in (
            ("On the box: Grave Choir?", ""),
            ("Ana holds it?", "Ben"),
            ("A♠: Beast AS, HP 13, ATK 3, ⭐?", "y"),
            *((f"Beast {card}, HP", "") for card in ("AH", "AC", "AD", "BJ", "RJ")),
            ("9♠: Sharp?", "n"),
            ("4♥: Quick?", ""),
            ("7♣: Echo?", "yes"),
            ("Anything else", "11S sharp"),
            ("is not a card", "KD banner"),
            ("Anything else", ""),
        ):
            terminal.until(question)
            terminal.press(f"{answer}\r")
        terminal.until("This does not count")
        assert terminal.ended() == 0
    today = json.loads(output_of(deck("show", choir, "--json")))
    assert today["inscribed"] == {"4H": ["quick"], "7C": ["echo"], "KD": ["banner"]}
    assert (today["holder"], today["chores"]) == ("Ben", [])


@pytest.mark.sample(2)
@pytest.mark.posix
@pytest.mark.parametrize("answer", ["y", "n"])
def test_what_is_doubtful_is_asked_about_at_a_terminal(choir: str, place: str, tmp_path: Path, answer: str) -> None:
    file, home = str(tmp_path / "story"), str(tmp_path / "home.sqlite")
    with Archive.open(place, by="Ben") as archive:
        deck_export.export_decks(archive, [choir], Path(file))
        with Archive.open(home) as there:
            deck_import.import_decks(there, deck_export.read_stories(Path(file)))
        bands.add(archive, choir, m.DungeonPlayed("Ana", "win", 6, 7))
        deck_export.export_decks(archive, [choir], Path(file))
    command = (sys.executable, "-m", "companion.cli", "--archive", home, "deck", "import", file)
    with Terminal(command) as terminal:
        terminal.until("continued in another home: 1 entry by Ben since 20")
        terminal.until("Take it in?")
        terminal.press(f"{answer}\r")
        assert terminal.ended() == (0 if answer == "y" else 1)
    with Archive.open(home) as there:
        assert (there.entries(f"deck:{choir}")[-1].kind == "played") is (answer == "y")
