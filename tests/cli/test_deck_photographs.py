"""The walk of a box: labels with codes are printed, stuck, photographed, and the deck is compared with its record."""

import json
import tomllib
from collections.abc import Callable
from io import BytesIO
from itertools import count
from pathlib import Path
from random import Random

import pytest
from click.testing import CliRunner, Result
from PIL import Image, ImageFilter

from companion.archive import Archive, deck_id, deck_records
from companion.cli.main import main
from companion.printing import jobs
from companion.tabletop.decks.label_numbers import deck_tag
from labels.designs import EffectLabel, FiguresLabel, HeadedLabel
from labels.paper.sheet import Label
from tests.archive import bands
from tests.cli.test_deck_life import output_of
from tests.labels.paper import Paper, text_in
from tests.printing.evenings import create_deck, live
from tests.scan import spreads

Labels = Callable[..., Result]


def code_of(label: Label) -> str:
    assert isinstance(label, EffectLabel | FiguresLabel | HeadedLabel)
    return label.code


def deck(*arguments: str, typed: str = "") -> Result:
    return CliRunner().invoke(main, ["deck", *arguments], input=typed)


@pytest.fixture
def band(labels: Labels, tmp_path: Path) -> str:  # noqa: ARG001 - the archive lies there
    with Archive.open(str(tmp_path / "archive.sqlite"), by="tests") as archive:
        choir = create_deck(archive)
        deck_records.tick(archive, choir, ["all"])
        live(archive, choir)
    return choir


def photograph(tmp_path: Path, band: str, without: str = "", name: str = "spread.jpg", seed: int = 5) -> str:
    """A photograph of the deck with every label that the record calls for, but one; what is stuck is what prints."""
    with Archive.open(str(tmp_path / "archive.sqlite")) as archive:
        job = jobs.cards_job(archive, [archive.find_deck(band)], with_codes=True)
    stuck = [label for label in job.labels if not without or f"{label.title} {getattr(label, 'card', '')}" != without]
    numbers = [code_of(label) for label in stuck]
    pictures = (spreads.photograph_of(stuck, numbers, Random(each), angle=2) for each in count(seed))
    picture = next(picture for picture in pictures if picture.whole == picture.all)
    (tmp_path / name).write_bytes(picture.jpeg)
    return str(tmp_path / name)


@pytest.mark.slow
def test_the_walk_of_a_box(labels: Labels, band: str, tmp_path: Path) -> None:
    printed = labels("deck", "grave", "--codes", "-o", "all.pdf")
    assert printed.exit_code == 0, printed.output
    picture = photograph(tmp_path, band, without="Royal Decree K♠")
    output = deck("audit", "grave", "--photo", picture, "-o", "framed.png")
    assert output.exit_code == 0  # what is still to be stuck is no riddle
    assert "Still to be stuck:\n  Royal Decree on K♠" in output.stdout
    assert "1  Rampage on A♠: tick that off." in output.stdout
    assert "--only 'KS royal-decree' -o lost.pdf" in output.stdout
    assert Image.open("framed.png").size == (2000, 1500)

    audit = json.loads(deck("audit", "grave", "--photo", picture, "--json", "--take", "all").stdout)
    assert {(each["card"], each["label"]) for each in audit["missing"]} == {("K♠", "Royal Decree")}
    assert len(audit["seen"]) == 11
    assert (audit["foreign"], audit["unsure"]) == ([], [])
    left = [chore["text"] for each in json.loads(output_of(deck("chores", "--json"))) for chore in each["chores"]]
    assert "Stick Royal Decree on K♠" in left
    assert not [text for text in left if "Rampage" in text or "Tough" in text]

    lost = labels("deck", "grave", "--codes", "--only", "ks Royal Decree", "-o", "lost.pdf")
    assert lost.exit_code == 0, lost.output
    assert "Royal Decree" in text_in(Path("lost.pdf").read_bytes(), spreads.STOCK.box(1))
    assert Paper(Path("lost.pdf").read_bytes(), 300).part(spreads.STOCK.box(2)).getextrema() == (255, 255)

    whole = photograph(tmp_path, band, name="whole.jpg", seed=6)
    done = deck("audit", "grave", "--photo", whole, "--take", "all")
    assert "Royal Decree on K♠: tick that off." in done.stdout
    assert done.exit_code == 0, done.output
    after = deck("audit", "grave", "--photo", picture, whole)
    assert after.exit_code == 0, after.output
    assert after.stdout.startswith("Grave Choir: 12 labels seen, 12 as the record has them.")


def test_pictures_that_are_none_are_named(band: str, tmp_path: Path) -> None:  # noqa: ARG001
    (tmp_path / "notes.jpg").write_text("no picture", encoding="utf-8")
    assert "is not a picture that can be read here" in output_of(deck("audit", "grave", "--photo", "notes.jpg"), 2)
    assert "named behind --photo" in output_of(deck("audit", "grave", "notes.jpg"), 2)
    picture = BytesIO()
    Image.new("RGB", (300, 200), "white").save(picture, "PNG")
    (tmp_path / "white.png").write_bytes(picture.getvalue())
    empty = deck("audit", "grave", "--photo", "white.png", "--json")
    assert empty.exit_code == 1
    assert json.loads(empty.stdout)["seen"] == []
    assert "nothing to take here" in output_of(deck("audit", "grave", "--photo", "white.png", "--take", "3"), 2)


@pytest.mark.slow
@pytest.mark.usefixtures("labels")
def test_scan_names_a_spread_deck_by_its_labels(band: str, tmp_path: Path) -> None:
    picture = photograph(tmp_path, band)
    scanned = CliRunner().invoke(main, ["scan", picture, "--json"])
    assert scanned.exit_code == 0, scanned.output
    (result,) = json.loads(scanned.stdout)
    assert (result["deck"], result["found"]) == (band, True)
    strangers = spreads.photograph(2, thumb=False)
    (tmp_path / "strangers.jpg").write_bytes(strangers.jpeg)
    unknown = CliRunner().invoke(main, ["scan", "strangers.jpg"])
    assert unknown.exit_code == 1
    assert "labels with codes, and no deck here bears them" in unknown.stderr


@pytest.mark.slow
def test_a_picture_of_another_deck_is_the_whole_answer(band: str, tmp_path: Path) -> None:
    """Nothing is written with --take all, whichever of three others is asked for."""
    picture = photograph(tmp_path, band)
    with Archive.open(str(tmp_path / "archive.sqlite"), by="tests") as archive:
        twin = next(deck for deck in iter(deck_id.new, "") if deck_tag(deck) == deck_tag(band))
        others = [
            create_deck(archive, "Salt and Iron", twin),
            create_deck(archive, "The Lantern Debt"),
            archive.found_deck("decknforge", bands.marks("The Newest")),
        ]
        before = [archive.marks(other) for other in others]
    for other in others:
        audit = deck("audit", other, "--photo", picture, "--take", "all")
        assert audit.exit_code == 1
        assert audit.stdout.count("\n") == 1, audit.stdout
        assert "shows Grave Choir, not " in audit.stdout
        answer = json.loads(deck("audit", other, "--photo", picture, "--take", "all", "--json").stdout)
        assert (answer["shows"], answer["seen"], answer["missing"], answer["proposals"]) == (band, [], [], [])
        assert answer["written"] == []
    with Archive.open(str(tmp_path / "archive.sqlite")) as archive:
        assert [archive.marks(other) for other in others] == before


@pytest.mark.slow
def test_a_picture_that_is_too_small_is_one_sentence(band: str, tmp_path: Path) -> None:
    picture = Image.open(photograph(tmp_path, band)).convert("L")
    copies = {
        "messenger.jpg": picture.resize((1600, 1200)).filter(ImageFilter.GaussianBlur(1)),
        "thumbnail.jpg": picture.resize((640, 480)),
        "blurred.jpg": picture.filter(ImageFilter.GaussianBlur(3)),
        "dark.jpg": picture.point(lambda value: value // 40),
    }
    for name, copy in copies.items():
        copy.save(tmp_path / name, quality=50)
        audit = deck("audit", "grave", "--photo", name)
        assert audit.exit_code == 1
        assert "Not seen" not in audit.stdout, name
        assert "companion labels" not in audit.stdout
        assert f"“{name}” is too {'small' if name[0] in 'mt' else 'blurred'}" in audit.stdout.splitlines()[0]


@pytest.mark.slow
@pytest.mark.usefixtures("labels")
def test_a_deck_on_paper_is_begun_from_its_labels(band: str, tmp_path: Path) -> None:
    photograph(tmp_path, band)
    begun = deck("adopt", "--photo", "spread.jpg", "-o", "band.toml")
    assert begun.exit_code == 0, begun.output
    data = tomllib.loads(Path("band.toml").read_text(encoding="utf-8"))
    assert data["inscribed"] == {"7S": "echo", "QH": "banner", "KS": "royal-decree", "10D": "sharp"}
    assert set(data["monsters"]["AS"]["labels"]) == {"rampage", "tough"}
    assert list(data["monsters"]) == ["AS", "AH", "AC", "AD", "BJ", "RJ"]
    Image.new("RGB", (300, 200), "white").save("white.png")
    assert "no labels with codes" in output_of(deck("adopt", "--photo", "white.png"), 2)
