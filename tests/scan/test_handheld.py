"""Boxes as hands hold them: slanted, in motion, crumpled; what is read, and that nothing is read that is not there."""

import random
from collections.abc import Callable

import pytest
from PIL import Image

from companion.archive import deck_id
from companion.scan import deblur, grid, qr_layout, soft_decode
from companion.scan.location import find_regions
from companion.scan.picture import read_codes
from tests.bench import handheld, trouble
from tests.bench.photos import label, on_table, seeded
from tests.scan import soak

pytestmark = pytest.mark.slow

KINDS = (*handheld.KINDS, handheld.SEVERAL)
HARD = {"at a slant": (0.6, 0.75, 0.9), "in motion": (0.6, 0.8, 0.9), "crumpled": (0.3, 0.45, 0.6)}


@pytest.mark.sample(3)
@pytest.mark.parametrize("kind", KINDS)
def test_boxes_in_the_hand_are_read(kind: str) -> None:
    for bad in (0.1, 0.35, 0.6):
        photo = handheld.photo_in_hand(kind, f"test {bad}", bad)
        assert set(read_codes(photo.picture)[0]) == photo.texts


@pytest.mark.sample(3)
@pytest.mark.slow
@pytest.mark.parametrize(("kind", "bad"), [(kind, bad) for kind, every in HARD.items() for bad in every])
def test_slant_motion_and_creases_are_read_mostly(kind: str, bad: float) -> None:
    photos = [handheld.photo_in_hand(kind, f"hard {number} {bad}", bad) for number in range(3)]
    assert sum(set(read_codes(one.picture)[0]) == one.texts for one in photos) >= 2


@pytest.mark.parametrize("number", [(1, 24), (2, 13), (4, 24)])
def test_creases_that_hide_the_id_or_the_mask_are_followed(number: tuple[int, int]) -> None:
    """In the first two the id slips by a module while all that is known stays; in the last the mask seems another."""
    seed, place = number
    photo = handheld.photo_in_hand("crumpled", f"t{seed} {place}", place / 24)
    assert set(read_codes(photo.picture)[0]) == photo.texts


def test_a_code_is_among_the_first_restless_parts() -> None:
    rng = seeded("part", 1)
    each = label(rng).at(5)
    table, (x, y) = on_table(rng, each, (1600, 1200))
    near = [part for part in find_regions(table, 3) if abs(part.x - x) + abs(part.y - y) < 0.4 * part.side]
    assert near


def test_a_calm_picture_has_no_restless_part() -> None:
    assert find_regions(Image.new("L", (800, 600), 90), 6) == []
    assert find_regions(Image.new("L", (5, 3), 90), 6) == []


@pytest.mark.parametrize("way", [(0, 1), (1, 0), (1, 1), (1, -1)])
def test_modules_mixed_by_motion_are_told_apart(way: tuple[int, int]) -> None:
    payload = deck_id.payload(deck_id.EXAMPLE)
    words, mask = bytes(soft_decode.encode_words(payload)), 3
    bits = [words[at // 8] >> 7 - at % 8 & 1 for at in range(qr_layout.BITS)]
    alike = soft_decode.constant_bits()
    dark = dict(qr_layout.PATTERNS) | qr_layout.FORMATS[mask]
    constant = dict(dark)
    for place, bit, same, turned in zip(qr_layout.PLACES, bits, alike, qr_layout.MASKS[mask], strict=True):
        dark[place] = bit ^ turned
        if same is not None:
            constant[place] = bit ^ turned
    wide = qr_layout.SIDE + 2 * deblur.RING
    rng = random.Random(7)

    def ink(row: int, column: int) -> int:
        return dark.get((row - deblur.RING, column - deblur.RING), 0)

    light = [
        220 - 60 * sum(ink(row + step * way[0], column + step * way[1]) for step in (-1, 0, 1)) + rng.gauss(0, 3)
        for row in range(wide)
        for column in range(wide)
    ]
    modules = deblur.deblur_modules(light, constant)
    assert modules.unexplained < 0.02
    drawing = [dark[row, column] for row in range(qr_layout.SIDE) for column in range(qr_layout.SIDE)]
    assert sum((odds > 0) != bool(one) for odds, one in zip(modules.odds, drawing, strict=True)) <= 2


@pytest.mark.soak
@pytest.mark.slow
def test_no_deck_is_read_in_pictures_of_other_things() -> None:
    assert [text for seed in range(3) for text in soak.wrong_in_pictures(seed)] == []


@pytest.mark.slow
def test_no_other_deck_is_read_in_damaged_grids() -> None:
    assert [text for seed in range(1) for text in soak.wrong_in_grids(seed)] == []


@pytest.mark.parametrize("damage", [kind for kind in soak.DAMAGE if kind not in (soak.foreign, soak.chance)])
def test_damaged_grids_hold_what_is_still_read(damage: Callable[[random.Random], soak.Grid]) -> None:
    rng = random.Random(3)
    grids = [damage(rng) for _ in range(120)]
    assert any(soft_decode.decode(looks) for looks, _ in grids)


def test_the_pictures_of_other_things_hold_what_would_be_noticed() -> None:
    """The soak allows a damaged code its own payload, and can only tell because these are read."""
    allowed = [(read_codes(picture)[0], payloads) for picture, payloads in soak.pictures(5) if payloads]
    assert sum(bool(set(texts) & payloads) for texts, payloads in allowed) >= 2


@pytest.mark.parametrize("far", [1e3, 1e6, 1e12, -1e9])
def test_corners_far_beyond_the_picture_take_no_memory(far: float) -> None:
    picture = trouble.grain(seeded("far", 1), (200, 150), 60)
    assert grid.locate_code(picture, ((10, 10), (far, 10), (far, far), (10, far))) is None


def test_noise_alone_is_no_code() -> None:
    rng = seeded("noise", 3)
    assert read_codes(trouble.grain(rng, (700, 500), 60)) == ((), False)
