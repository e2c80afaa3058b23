"""Photographs of spread decks that are warped: real label faces from the press, on cards that lie fanned on a table.

A picture follows from its seed alone: faces, cards, where they lie, from where and in which light they are seen, how
sharp, and how it is kept. What is known of it is which labels show their code whole.
"""

import math
from collections.abc import Sequence
from io import BytesIO
from random import Random
from typing import Any, Final, NamedTuple

import cv2
import numpy as np
import pypdfium2
from numpy.typing import NDArray

from companion.tabletop.decks.label_numbers import CardLabel, format_number
from labels.designs import EffectLabel, FiguresLabel, HeadedLabel, TierMark
from labels.drawing import style
from labels.geometry import MM
from labels.output import pdf
from labels.paper import sheet, stocks
from labels.paper.sheet import SAFE_MARGIN

Pixels = NDArray[np.uint8]
Matrix = NDArray[np.float64]

STOCK: Final = stocks.find("18294")
CARD: Final = (63.0, 88.0)
"""A playing card in mm."""
_ROW: Final = 18
_STEP: Final = 22.5
"""From one card of a row to the next, in mm."""
_DOWN: Final = 95.0
_SCALE: Final = 9.0
"""Pixels of a millimetre as a telephone of 12 megapixels sees a deck in three rows."""
_FACE_DPI: Final = 500
_NAMES: Final = ("Ash", "Bell", "Candle", "Drift", "Ember", "Fen", "Glass", "Hollow", "Iron", "Jackdaw", "Kiln", "Moth")
_WORDS: Final = (
    "draw",
    "one",
    "more",
    "card",
    "whenever",
    "this",
    "is",
    "shown",
    "or",
    "gain",
    "two",
    "where",
    "Bosses",
)


class Photograph(NamedTuple):
    """A picture as a telephone keeps it, and the numbers of all its labels, and of those whose code shows whole."""

    jpeg: bytes
    all: frozenset[str]
    whole: frozenset[str]


def photograph(seed: int, *, megapixels: float = 12, thumb: bool | None = None) -> Photograph:
    """The picture of this seed; a `thumb` lies over some of its cards where that is said, or by chance."""
    chance = Random(seed)
    numbers = _draw_numbers(chance)
    return photograph_of([_face(chance, number) for number in numbers], numbers, chance, megapixels, thumb)


def photograph_of(
    labels: Sequence[sheet.Label],
    numbers: Sequence[str],
    chance: Random,
    megapixels: float = 12,
    thumb: bool | None = False,
    angle: float | None = None,
) -> Photograph:
    """A picture of cards with these labels, whose codes have these numbers, turned by an `angle` or by chance."""
    width = round(math.sqrt(megapixels * 1e6 * 4 / 3))
    size = (width, width * 3 // 4)
    scale = _SCALE * width / 4000
    faces = _draw_faces(chance, labels)
    picture = _table(chance, size)
    view = _look_from(chance, size, scale, angle)
    codes, cards = list[Matrix](), list[Matrix]()
    for at, face in enumerate(faces):
        card, code = _card(chance, face, scale)
        place = view @ _place_card(chance, at) @ np.diag([1 / scale, 1 / scale, 1.0])
        _lay(picture, card, place)
        cards.append(_project(place, _corners(card.shape[1], card.shape[0])))
        codes.append(_project(place, code))
    over = list[Matrix]()
    if thumb if thumb is not None else chance.random() < 0.3:
        over.append(_lay_thumb(chance, picture, size, scale))
    whole = {
        number
        for at, (number, code) in enumerate(zip(numbers, codes, strict=True))
        if _inside(code, size) and not any(_touches(code, other) for other in (*cards[at + 1 :], *over))
    }
    return Photograph(_expose(chance, picture, scale), frozenset(numbers), frozenset(whole))


def other_picture(seed: int) -> bytes:
    """A picture of other things: cards without codes, type, checks, noise."""
    chance = Random(seed)
    picture = _table(chance, (2000, 1500))
    for _ in range(chance.randint(3, 30)):
        side, x, y = chance.randint(20, 300), chance.randint(0, 1800), chance.randint(0, 1300)
        kind = chance.choice(("checks", "text", "circle", "noise"))
        ink = tuple(chance.randint(0, 90) for _ in range(3))
        if kind == "text":
            cv2.putText(picture, " ".join(chance.choices(_WORDS, k=5)), (x, y), 0, side / 80, ink, max(1, side // 40))
        elif kind == "circle":
            cv2.circle(picture, (x, y), side, ink, max(1, side // 9))
        else:
            cells = chance.randint(8, 24)
            bits = np.array([[chance.random() < 0.5 for _ in range(cells)] for _ in range(cells)], np.uint8) * 220 + 20
            if kind == "checks":
                bits = (np.indices((cells, cells)).sum(0) % 2 * 220 + 20).astype(np.uint8)
            patch = cv2.resize(bits, (side, side), interpolation=cv2.INTER_NEAREST)
            part = picture[y : y + side, x : x + side]
            part[:] = patch[: part.shape[0], : part.shape[1], None]
    return _expose(chance, picture, _SCALE)


def _draw_numbers(chance: Random) -> list[str]:
    tag = chance.randrange(200)
    kinds = [0 if card in (12, 25, 38, 51, 52, 53) else chance.randint(1, 63) for card in range(54)]
    return [format_number(CardLabel(tag, card, kind)) for card, kind in enumerate(kinds)]


def _draw_faces(chance: Random, labels: Sequence[sheet.Label]) -> list[Pixels]:
    """The labels as they come out of a printer: in colour, or in black with its dots."""
    dpi = chance.choice((_FACE_DPI, _FACE_DPI, _FACE_DPI, 300, 203))
    faces_by_position = dict(enumerate(labels, 1))
    ink = "colour" if dpi == _FACE_DPI else "black"
    document = pdf.render_sheets([faces_by_position], STOCK, pdf.Setup("Faces", ink=ink))  # type: ignore[arg-type]
    page = pypdfium2.PdfDocument(document)[0]
    image = np.asarray(page.render(scale=dpi / 72).to_numpy()[:, :, :3], np.uint8)
    if ink == "black":
        image = np.where(image > 127, 255, 0).astype(np.uint8)
    points = dpi / 72
    faces = []
    for position in faces_by_position:
        die = STOCK.box(position)
        top = STOCK.page_size[1] - die.top
        rows = slice(round(top * points), round((top + die.height) * points))
        faces.append(image[rows, round(die.x * points) : round(die.right * points)])
    return faces


def _face(chance: Random, number: str) -> sheet.Label:
    name = " ".join(chance.sample(_NAMES, chance.randint(1, 2)))
    words = " ".join(chance.sample(_WORDS, chance.randint(3, 8))) + "."
    colour = f"#{chance.randint(0, 0x80):02X}{chance.randint(0, 0x70):02X}{chance.randint(0, 0x80):02X}"
    tier = TierMark(chance.choice(("Common", "Rare", "Hard")), chance.choice("●■◆▲"), colour)
    card = chance.choice(("", f"{chance.choice('23456789JQKA')}{chance.choice('♠♥♣♦')}"))
    match chance.randrange(3):
        case 0:
            return EffectLabel(name, words, tier, card, code=number)
        case 1:
            return HeadedLabel(name, words, tier, card, code=number)
    figures = (("HP", str(chance.randint(4, 30))), ("ATK", str(chance.randint(1, 5))))
    return FiguresLabel(name, figures, card=card, note="Grave Choir", code=number)


def _card(chance: Random, face: Pixels, scale: float) -> tuple[Pixels, Matrix]:
    """A card with its label stuck on, a little askew, and the corners of its code with the paper around."""
    wide, high = (round(edge * scale) for edge in CARD)
    card = np.full((high, wide, 3), chance.randint(235, 252), np.uint8)
    ink = chance.choice(((30, 30, 30), (40, 40, 190)))
    for _ in range(chance.randint(1, 10)):
        middle = (round(chance.uniform(0.2, 0.8) * wide), round(chance.uniform(0.1, 0.9) * high))
        cv2.circle(card, middle, round(5 * scale), ink, -1, cv2.LINE_AA)
    cv2.putText(card, chance.choice("23456789JQKA"), (round(2 * scale), round(9 * scale)), 2, scale / 4, ink, 2)
    cv2.rectangle(card, (0, 0), (wide - 1, high - 1), (150, 150, 150), max(1, round(scale / 9)))
    size = (round(STOCK.box(1).width / MM * scale), round(STOCK.box(1).height / MM * scale))
    label = np.asarray(cv2.resize(face, size, interpolation=cv2.INTER_AREA), np.uint8)
    left, top = chance.uniform(1.0, 4.0) * scale, chance.uniform(12.0, 66.0) * scale
    turn = cv2.getRotationMatrix2D((0, 0), chance.uniform(-2.5, 2.5), 1)
    turn[:, 2] += np.array([left, top])
    whole: Matrix = np.vstack([turn, [0, 0, 1]]).astype(np.float64)
    _lay(card, label, whole)
    die, field = STOCK.box(1), style.CODE
    start, end = SAFE_MARGIN + style.FRAME, SAFE_MARGIN + style.FRAME + field
    points = np.array([[x, die.height - y] for x, y in ((start, end), (end, end), (end, start), (start, start))])
    return card, _project(whole, points / MM * scale)


def _place_card(chance: Random, at: int) -> Matrix:
    """Where a card lies on the table, in mm: in one of three rows, each a fan."""
    row, column = divmod(at, _ROW)
    bow = math.radians(chance.uniform(-1.5, 1.5) + (column - _ROW / 2) * 0.5)
    x, y = column * _STEP + chance.uniform(-1.5, 1.5), row * _DOWN + chance.uniform(-2, 2)
    sine, cosine = math.sin(bow), math.cos(bow)
    return np.array([[cosine, -sine, x], [sine, cosine, y], [0, 0, 1]])


def _look_from(chance: Random, size: tuple[int, int], scale: float, angle: float | None) -> Matrix:
    """From the table's millimetres to pixels: turned by any angle, seen a little aslant."""
    middle = ((_ROW - 1) * _STEP + CARD[0]) / 2, (2 * _DOWN + CARD[1]) / 2
    by_chance = chance.choice((chance.uniform(-6, 6), chance.uniform(0, 360)))
    # A steady hand has all of the deck in the picture.
    is_steady, angle = angle is not None, by_chance if angle is None else angle
    sine, cosine, scale = (
        math.sin(math.radians(angle)),
        math.cos(math.radians(angle)),
        scale * (0.97 if is_steady else chance.uniform(0.95, 1.05)),
    )
    flat = np.array([[scale * cosine, -scale * sine, 0], [scale * sine, scale * cosine, 0], [0, 0, 1]])
    flat = flat @ np.array([[1, 0, -middle[0]], [0, 1, -middle[1]], [0, 0, 1]])
    aslant = 0.0 if is_steady else 2e-5
    tilt = np.array([[1, 0, 0], [0, 1, 0], [chance.uniform(-aslant, aslant), chance.uniform(-aslant, aslant), 1]])
    shift = np.array([[1, 0, size[0] / 2], [0, 1, size[1] / 2], [0, 0, 1]])
    return np.asarray(shift @ tilt @ flat)


def _table(chance: Random, size: tuple[int, int]) -> Pixels:
    """Wood or cloth."""
    grain = np.random.default_rng(chance.randrange(2**32)).normal(0, 9, (size[1] // 8, size[0] // 90))
    base = np.array([chance.randint(40, 120), chance.randint(60, 140), chance.randint(70, 170)])
    picture: Pixels = np.clip(cv2.resize(grain, size)[:, :, None] + base, 0, 255).astype(np.uint8)
    return picture


def _lay(picture: Pixels, thing: Pixels, place: Matrix) -> None:
    """Draws a thing into a picture as a matrix says where its pixels come."""
    corners = _project(place, _corners(thing.shape[1], thing.shape[0]))
    low = np.maximum(np.floor(corners.min(0)).astype(int) - 1, 0)
    high = np.minimum(np.ceil(corners.max(0)).astype(int) + 2, picture.shape[1::-1])
    if (high <= low).any():
        return
    size = (int(high[0] - low[0]), int(high[1] - low[1]))
    there = np.array([[1, 0, -low[0]], [0, 1, -low[1]], [0, 0, 1]]) @ place
    warped = cv2.warpPerspective(thing, there, size, flags=cv2.INTER_LINEAR)
    mask = cv2.warpPerspective(np.full(thing.shape[:2], 255, np.uint8), there, size, flags=cv2.INTER_LINEAR)
    part = picture[low[1] : high[1], low[0] : high[0]]
    share = mask[:, :, None].astype(np.uint16)
    part[:] = ((warped * share + part * (255 - share)) // 255).astype(np.uint8)


def _lay_thumb(chance: Random, picture: Pixels, size: tuple[int, int], scale: float) -> Matrix:
    """A thumb over some cards; gives a polygon around it."""
    middle = (chance.randint(0, size[0]), chance.randint(0, size[1]))
    axes, angle = (round(45 * scale), round(12 * scale)), chance.uniform(0, 180)
    cv2.ellipse(picture, middle, axes, angle, 0, 360, (120, 150, 205), -1, cv2.LINE_AA)
    return np.array(cv2.ellipse2Poly(middle, (axes[0] + 3, axes[1] + 3), round(angle), 0, 360, 10), np.float64)


def _expose(chance: Random, picture: Pixels, scale: float) -> bytes:
    """In one of three lights, out of focus, with noise, sharpened and kept as JPEG."""
    height, width = picture.shape[:2]
    across, down = np.meshgrid(
        np.linspace(-1, 1, width, dtype=np.float32), np.linspace(-1, 1, height, dtype=np.float32)
    )
    match chance.randrange(3):
        case 0:
            light = 0.95 + 0.05 * across
        case 1:
            light = (
                0.75 + 0.25 * (across * math.cos(chance.uniform(0, 6)) + down * math.sin(chance.uniform(0, 6))) / 1.4
            )
        case _:
            x, y = chance.uniform(-0.6, 0.6), chance.uniform(-0.6, 0.6)
            light = 0.45 + 0.55 * np.exp(-((across - x) ** 2 + (down - y) ** 2) / 1.2)
    lit = picture * light[:, :, None]
    blurred = cv2.GaussianBlur(lit, (0, 0), chance.uniform(0.8, 1.6) * scale / _SCALE)
    noise = np.random.default_rng(chance.randrange(2**32)).normal(0, chance.uniform(2, 6), (height, width, 1))
    noisy = blurred + noise.astype(np.float32)
    sharp = cv2.addWeighted(noisy, 1.5, cv2.GaussianBlur(noisy, (0, 0), 2), -0.5, 0)
    quality: Any = [cv2.IMWRITE_JPEG_QUALITY, chance.randint(70, 95)]
    kept, packed = cv2.imencode(".jpg", np.clip(sharp, 0, 255).astype(np.uint8), quality)
    assert kept
    return BytesIO(packed.tobytes()).getvalue()


def _corners(width: float, height: float) -> Matrix:
    return np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float64)


def _project(matrix: Matrix, points: Matrix) -> Matrix:
    flat = np.c_[points, np.ones(len(points))] @ matrix.T
    return np.asarray(flat[:, :2] / flat[:, 2:])


def _inside(points: Matrix, size: tuple[int, int]) -> bool:
    return bool((points >= 2).all() and (points <= np.array(size) - 2).all())


def _touches(code: Matrix, other: Matrix) -> bool:
    """Whether something lies over a code, or over the paper around it."""
    area, _ = cv2.intersectConvexConvex(code.astype(np.float32), other.astype(np.float32))
    return area > 0
