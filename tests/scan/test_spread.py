"""Labels in photographs of spread decks: which are read, where they lie, and that nothing else is one."""

import math
from io import BytesIO
from pathlib import Path
from typing import NamedTuple

import pytest
from PIL import Image

from companion.archive import Archive
from companion.scan import PictureError
from companion.scan.spread import Spread, draw_labels, read_labels
from tests.scan import soak_audits, spreads
from tests.scan.spreads import Photograph


def read_spread_of(photograph: Photograph, folder: Path) -> Spread:
    file = folder / "spread.jpg"
    file.write_bytes(photograph.jpeg)
    return read_labels(file)


class Count(NamedTuple):
    """Labels that show their code whole, how many of them were read, and readings of what is not there."""

    whole: int
    read: int
    wrong: int


def count(photograph: Photograph, folder: Path) -> Count:
    numbers = set(read_spread_of(photograph, folder).numbers)
    return Count(len(photograph.whole), len(photograph.whole & numbers), len(numbers - photograph.all))


@pytest.mark.slow
def test_a_spread_deck_is_read_and_drawn(tmp_path: Path) -> None:
    photograph = spreads.photograph(7, thumb=False)
    spread = read_spread_of(photograph, tmp_path)
    assert set(spread.numbers) >= photograph.whole
    assert set(spread.numbers) <= photograph.all
    assert (spread.width, spread.height) == (4000, 3000)
    sides = [math.dist(label.corners[0], label.corners[1]) for label in spread.labels]
    # Ten modules of half a millimetre, at nine pixels a millimetre.
    assert all(35 < side < 56 for side in sides)
    named = {number: (f"Label {number}", "here") for number in spread.numbers}
    framed = Image.open(BytesIO(draw_labels(tmp_path / "spread.jpg", spread, named).content))
    assert framed.size == (2000, 1500)
    label = spread.labels[0]
    x, y = (round(edge / 2) for edge in label.corners[0])
    around = framed.crop((x - 4, y - 4, x + 5, y + 5)).getcolors(100) or []
    assert (0x1B, 0x6B, 0x42) in [colour for _, colour in around]


@pytest.fixture(scope="module")
def few_cards() -> Image.Image:
    """A part of a photograph."""
    return Image.open(BytesIO(spreads.photograph(3, thumb=False).jpeg)).crop((0, 0, 1600, 1000))


@pytest.mark.sample(4)
@pytest.mark.slow
@pytest.mark.parametrize("orientation", [6, *(pytest.param(other, marks=pytest.mark.slow) for other in (1, 3, 8, 9))])
def test_a_turned_photograph_is_seen_as_people_see_it(orientation: int, few_cards: Image.Image, tmp_path: Path) -> None:
    upright = few_cards
    upright.save(tmp_path / "upright.png")
    turned = {3: Image.Transpose.ROTATE_180, 6: Image.Transpose.ROTATE_90, 8: Image.Transpose.ROTATE_270}
    stored = upright.transpose(turned[orientation]) if orientation in turned else upright
    exif = Image.Exif()
    exif[0x0112] = orientation
    stored.save(tmp_path / "turned.jpg", exif=exif, quality=95)
    one, other = read_labels(tmp_path / "upright.png"), read_labels(tmp_path / "turned.jpg")
    assert (other.width, other.height) == (one.width, one.height)
    places = {label.number: label.corners[0] for label in one.labels}
    assert places
    near = [math.dist(label.corners[0], places[label.number]) < 25 for label in other.labels if label.number in places]
    assert len(near) >= len(places) - 1
    assert all(near)


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"%PDF-1.4 nothing", "is a PDF; take a photograph of the cards instead."),
        (b"no picture", "is not a picture that can be read here; save it as PNG or JPEG."),
        (None, "does not exist."),
    ],
)
def test_what_is_no_photograph_is_refused(content: bytes | None, says: str, tmp_path: Path) -> None:
    file = tmp_path / "deck.jpg"
    if content is not None:
        file.write_bytes(content)
    with pytest.raises(PictureError, match=f"deck.jpg” {says}"):
        read_labels(file)


@pytest.mark.sample(4)
@pytest.mark.slow
@pytest.mark.parametrize("portion", range(4))
def test_of_sixteen_photographs_nearly_all_labels_are_read(portion: int, tmp_path: Path) -> None:
    counts = [count(spreads.photograph(1000 + seed), tmp_path) for seed in range(portion * 4, portion * 4 + 4)]
    whole, right, wrong = (sum(column) for column in zip(*counts, strict=True))
    assert wrong == 0
    assert right >= 0.98 * whole  # of few; the soak asks for 99 % of many


@pytest.mark.slow
def test_audits_among_decks_of_one_tag_propose_nothing_wrong(tmp_path: Path) -> None:
    url = str(tmp_path / "archive.sqlite")
    with Archive.open(url, by="tests") as archive:
        decks = soak_audits.found_bands(archive)
    outcomes = [soak_audits.audit_photograph(url, decks, 1000 + seed) for seed in range(4)]
    assert [wrong for outcome in outcomes for wrong in outcome.wrong] == []
    assert {"its own", "undecided"} >= {name for outcome in outcomes for name in outcome.others}
    assert {"compared", "undecided"} >= {outcome.own for outcome in outcomes}


@pytest.mark.slow
def test_a_quick_search_reads_the_same_labels(tmp_path: Path) -> None:
    file = tmp_path / "deck.jpg"
    file.write_bytes(spreads.photograph(11).jpeg)
    assert read_labels(file, quickly=True) == read_labels(file)


@pytest.mark.slow
def test_a_quick_search_gives_up_and_says_so(tmp_path: Path) -> None:
    file = tmp_path / "lines.jpg"
    lines = Image.effect_noise((2000, 1500), 120)
    lines.save(file)
    quick, thorough = read_labels(file, quickly=True), read_labels(file)
    assert [quick.labels, thorough.labels] == [(), ()]
    assert [quick.search_left, thorough.search_left] == [True, False]


@pytest.mark.slow
def test_a_photograph_of_48_megapixels_is_read(tmp_path: Path) -> None:
    counted = count(spreads.photograph(11, megapixels=48), tmp_path)
    assert (counted.wrong, counted.read >= 0.95 * counted.whole) == (0, True)


@pytest.mark.soak
@pytest.mark.slow
def test_pictures_of_other_things_show_no_label(tmp_path: Path) -> None:
    for seed in range(10):
        (tmp_path / "other.jpg").write_bytes(spreads.other_picture(seed))
        assert read_labels(tmp_path / "other.jpg").labels == ()
