"""Each sentence of docs/safe.md stands in safe.toml beside this, with the tests that prove it.

A sentence that is changed has to be looked at once more: it is not in the map any more as it stands there. Under
`[proven]` stand the tests of each, under `[advice]` those that only say what people do, or what no program can; each
with the reason why there is nothing to be tried.
"""

import ast
import re
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from tests.docs import documents

PAGE = documents.DOCS / "safe.md"
with Path(__file__).with_name("safe.toml").open("rb") as _file:
    _MAP = tomllib.load(_file)
PROVEN: dict[str, list[str]] = _MAP["proven"]
ADVICE: dict[str, str] = _MAP["advice"]

_PARTS = re.compile(r"\n\s*\n|\n(?=- |#|\||\d\. )")
_ENDS = re.compile(r"(?:(?<=[.:?])|(?<=[.:?]\))) (?=[A-Z“(])")


def sentences(text: str) -> Iterator[str]:
    """The sentences of a document in plain text; a row of a table is one, its cells parted by “|”."""
    for part in _PARTS.split(text):
        plain = re.sub(r"\]\([^)]*\)|\*\*|[\[`]", "", " ".join(part.split()))
        if plain.startswith("|"):
            row = plain.strip("| ")
            yield from [row] if row.strip("-| ") else []
        elif plain and not plain.startswith("#"):
            yield from _ENDS.split(re.sub(r"^(- |\d\. )", "", plain))


SENTENCES = [*sentences(documents.prose(PAGE))]


@cache
def cases_in(path: str) -> frozenset[str]:
    """The names of the tests in a file, from the folder above `tests`; none where there is no such file."""
    file = documents.ROOT / path
    tree = ast.parse(file.read_text(encoding="utf-8")) if file.exists() else ast.Module([], [])
    defined = (node for node in tree.body if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef))
    return frozenset(node.name for node in defined if node.name.startswith("test_"))


def test_each_sentence_has_its_test_or_is_advice() -> None:
    assert [each for each in SENTENCES if each not in PROVEN and each not in ADVICE] == []


def test_no_sentence_is_mapped_that_stands_there_no_more() -> None:
    assert [each for each in (*PROVEN, *ADVICE) if each not in SENTENCES] == []


def test_no_sentence_is_both_proven_and_advice() -> None:
    assert PROVEN.keys() & ADVICE.keys() == set()


def test_every_test_that_a_sentence_names_exists() -> None:
    named = [test for tests in PROVEN.values() for test in tests]
    assert [each for each in named if each.partition("::")[2] not in cases_in(each.partition("::")[0])] == []
    assert all(PROVEN.values())
    assert all(ADVICE.values())


def test_sentences_are_parted_as_people_read_them() -> None:
    text = "# Head\n\n**One** [link](a.md). Two, `it.sqlite` or\n`--keep`: three? (Four.) Five.\n\n- Six.\n"
    table = "\n| a | b |\n|---|---|\n| c | d. E |\n"
    expected = ["One link.", "Two, it.sqlite or --keep: three?", "(Four.)", "Five.", "Six.", "a | b", "c | d. E"]
    assert [*sentences(text + table)] == expected


def test_sqlites_list_names_tests_that_exist() -> None:
    checklist = documents.ROOT / "tests" / "archive" / "test_howtocorrupt.py"
    checklist_text = ast.get_docstring(ast.parse(checklist.read_text(encoding="utf-8"))) or ""
    points = re.split(r"^(?=\d(?:\.\d)* +)", checklist_text, flags=re.MULTILINE)[1:]
    assert {point[0] for point in points} == set("12345678")
    bare = [point.split()[0] for point in points if "test_" not in point and "cannot be tried" not in point]
    assert bare == ["1", "2", "3"], "but for the heads of parts, each has its test"
    files = [f"tests/archive/{path.name}" for path in checklist.parent.glob("test_*.py")]
    names = [name for file in files for name in cases_in(file)] + [Path(file).stem for file in files]
    named = re.findall(r"\btest_\w+", checklist_text)
    assert len(named) > 15
    assert [name for name in named if not any(each.startswith(name) for each in names)] == []
