"""Would the tests notice? Changes the rules of a game in one place at a time and counts how often a test fails.

`python -m tests.mutants 200 --seed 1 --game decknforge`: each mutant is one comparison turned, one number plus one, or
one truth flipped. Those that no test notices are listed: each is a rule that nothing holds fast.
"""

from __future__ import annotations

import argparse
import ast
import os
import random
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from queue import SimpleQueue
from typing import NamedTuple

ROOT = Path(__file__).parent.parent
TREE = ("companion", "labels", "templates", "tests", "pyproject.toml", "README.md", "docs")
TESTS = (
    "tests/games/{game}",
    "tests/session/test_tables.py",
    "tests/session/test_report.py",
    "tests/printing",
    "tests/campaign",
    "tests/cli/test_deck.py",
    "tests/cli/test_deck_check.py",
    "tests/cli/test_deck_life.py",
    "tests/cli/test_deck_new.py",
)
"""What is run for each mutant, the most telling first, since the first that fails ends it. Bands are founded, adopted
and looked through where people do it, at the press and on the command line; what the log tells is in the report. The
folder is named as a whole: pytest leaves out the rest of a folder of which single files were named before."""
PATIENCE = 900
"""Seconds after which a mutant that has not ended counts as noticed: it runs for ever."""

_TURNED: dict[type[ast.cmpop], str] = {
    ast.Eq: "!=",
    ast.NotEq: "==",
    ast.Lt: ">=",
    ast.LtE: ">",
    ast.Gt: "<=",
    ast.GtE: "<",
    ast.Is: "is not",
    ast.IsNot: "is",
    ast.In: "not in",
    ast.NotIn: "in",
}


class Mutant(NamedTuple):
    """One change: in which file, from which to which character, and what stands there instead."""

    file: str
    line: int
    begin: int
    end: int
    text: str
    instead: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.text} → {self.instead}"


class Verdict(NamedTuple):
    """What became of a mutant."""

    mutant: Mutant
    noticed: bool


def mutants(game: str) -> tuple[Mutant, ...]:
    """Every change that can be made to a game's rules, in the order of its files."""
    room = ROOT / "companion" / "games" / game
    return tuple(mutant for file in sorted(room.glob("*.py")) for mutant in _of_file(file))


def _of_file(file: Path) -> Iterator[Mutant]:
    source = file.read_text(encoding="utf-8")
    raw = source.encode()
    starts = [0]
    for row in raw.splitlines(keepends=True):
        starts.append(starts[-1] + len(row))
    tree = ast.parse(source)
    idle = {id(node) for node in _idle(tree)}
    for node in ast.walk(tree):
        for begin, end, instead in () if id(node) in idle else _changes(node, starts, raw):
            line = raw[:begin].count(b"\n") + 1
            yield Mutant(file.relative_to(ROOT).as_posix(), line, begin, end, raw[begin:end].decode(), instead)


def _idle(tree: ast.AST) -> Iterator[ast.AST]:
    """What says nothing of the rules: whether a struct is frozen. No code assigns to such a field: mypy refuses it.

    The other words of a class's header, as `array_like` and `forbid_unknown_fields`, do matter: files are written so.
    """
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef):
            yield from (word.value for word in node.keywords if word.arg == "frozen")


def _changes(node: ast.AST, starts: list[int], raw: bytes) -> Iterator[tuple[int, int, str]]:
    def at(line: int, column: int) -> int:
        return starts[line - 1] + column

    if isinstance(node, ast.Compare):
        left: ast.expr = node.left
        for operator, right in zip(node.ops, node.comparators, strict=True):
            begin, end = at(left.end_lineno or 0, left.end_col_offset or 0), at(right.lineno, right.col_offset)
            between = raw[begin:end].decode()
            written = next((word for word in _SPELLED[type(operator)] if word in between), None)
            if written is not None and between.strip("() \n") == written:
                place = begin + len(between[: between.index(written)].encode())
                yield place, place + len(written), _TURNED[type(operator)]
            left = right
    elif isinstance(node, ast.Constant) and isinstance(node.value, int):
        begin, end = at(node.lineno, node.col_offset), at(node.end_lineno or 0, node.end_col_offset or 0)
        yield begin, end, str(not node.value) if isinstance(node.value, bool) else str(node.value + 1)
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        begin = at(node.lineno, node.col_offset)
        yield begin, begin + len("not "), ""


_SPELLED: dict[type[ast.cmpop], tuple[str, ...]] = {
    ast.Eq: ("==",),
    ast.NotEq: ("!=",),
    ast.Lt: ("<",),
    ast.LtE: ("<=",),
    ast.Gt: (">",),
    ast.GtE: (">=",),
    ast.Is: ("is",),
    ast.IsNot: ("is not",),
    ast.In: ("in",),
    ast.NotIn: ("not in",),
}


def tried(mutant: Mutant, copy: Path, tests: list[str]) -> Verdict:
    """Makes the change in a copy of the project, runs the tests until the first one fails, and takes it back."""
    file = copy / mutant.file
    before = file.read_bytes()
    file.write_bytes(before[: mutant.begin] + mutant.instead.encode() + before[mutant.end :])
    try:
        return Verdict(mutant, noticed=not _pass(tests, copy, {"PYTHONDONTWRITEBYTECODE": "1"}))
    except subprocess.TimeoutExpired:
        return Verdict(mutant, noticed=True)
    finally:
        file.write_bytes(before)


def _pass(tests: list[str], copy: Path, variables: dict[str, str]) -> bool:
    """Whether all tests pass in a copy of the project."""
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", "-p", "no:randomly", *tests]
    environment = {**os.environ, "PYTHONPATH": str(copy), **variables}
    ran = subprocess.run(command, cwd=copy, capture_output=True, timeout=PATIENCE, check=False, env=environment)
    return ran.returncode == 0


def main() -> int:
    """Tries some mutants and tells which no test noticed; ends with 1 where these are too many."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("count", type=int, nargs="?", default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--game", default="decknforge")
    parser.add_argument("--least", type=float, default=0.85, help="share that must be noticed")
    parser.add_argument("--workers", type=int, default=2)
    options = parser.parse_args()
    every = mutants(options.game)
    chosen = random.Random(options.seed).sample(every, min(options.count, len(every)))
    tests = [path.format(game=options.game) for path in TESTS]
    with tempfile.TemporaryDirectory() as place:
        copies: SimpleQueue[Path] = SimpleQueue()
        # Unchanged, all tests pass; this also compiles them, once for all mutants.
        first = _copied(Path(place) / "0")
        if not _pass(tests, first, {}):
            parser.error(f"the tests fail before anything is changed: {' '.join(tests)}")
        copies.put(first)
        for number in range(1, options.workers):
            copies.put(shutil.copytree(first, Path(place) / str(number)))

        def try_one(mutant: Mutant) -> Verdict:
            copy = copies.get()
            try:
                return tried(mutant, copy, tests)
            finally:
                copies.put(copy)

        noticed = 0
        with ThreadPoolExecutor(options.workers) as pool:
            for number, verdict in enumerate(pool.map(try_one, chosen), 1):
                noticed += verdict.noticed
                if not verdict.noticed:
                    print(f"not noticed: {verdict.mutant}", flush=True)
                if number % 20 == 0:
                    print(f"{noticed} of {number} noticed", flush=True)
    share = noticed / len(chosen)
    print(f"{noticed} of {len(chosen)} mutants of {options.game} noticed ({share:.0%}; {len(every)} are possible)")
    return 0 if share >= options.least else 1


def _copied(place: Path) -> Path:
    place.mkdir()
    for name in TREE:
        source = ROOT / name
        if source.is_dir():
            shutil.copytree(source, place / name, ignore=shutil.ignore_patterns("__pycache__", "__snapshots__"))
        else:
            shutil.copy(source, place / name)
    return place


if __name__ == "__main__":
    sys.exit(main())
