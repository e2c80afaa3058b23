"""What the documents show is run as it stands there: commands in their order, tables, typed lines, code."""

import re
import shlex
from pathlib import Path

import pytest

from companion.archive import Archive
from companion.session.core import archive_journal
from companion.session.table.confirmations import ActionDone, ConfirmationNeeded
from companion.session.table.shared_session import SharedSessions
from companion.session.table.table_client import TableClient
from tests.docs import documents
from tests.docs.conftest import Run
from tests.docs.generate import command_tree

pytestmark = pytest.mark.slow

KINDS = frozenset({"", "sh", "table", "bar", "or", "text", "toml", "python"})
PLAYERS = [pytest.param(path, id=path.name) for path in documents.documents()]
ALL = [pytest.param(path, id=path.name) for path in documents.all_documents()]
OTHERWISE = re.compile(r"# (?:ends with|endet mit) (\d)")
"""Behind a command that is not to end well."""


@pytest.mark.parametrize("document", PLAYERS)
def test_every_block_is_of_a_kind_that_is_run(document: Path) -> None:
    assert {block.kind for block in documents.blocks(document)} <= KINDS


_FEWER = re.compile(r"(?<=rehearse )(.*--games )(\d+)")


def _play_fewer(match: re.Match[str]) -> str:
    """A rehearsal of a fiftieth of the games that a document asks for."""
    return f"{match[1]}{max(2, int(match[2]) // 50)}"


@pytest.mark.parametrize("document", PLAYERS)
def test_the_commands_of_a_document_work_one_after_the_other(companion: Run, document: Path) -> None:
    write_files(document)
    for block in documents.blocks(document):
        for line in documents.commands(block) if block.kind == "sh" else ():
            called, *words = shlex.split(_FEWER.sub(_play_fewer, line), comments=True)
            if called == "make":
                assert_goals(words)
                continue
            if called == "python3":
                # Tried whole, from a fresh copy, in tests/test_house_run.py.
                assert words[0] == "run.py"
                assert words[1] in ("play", "test")
                continue
            assert called == "companion", line
            ended = companion(words)
            wanted = OTHERWISE.search(line)
            assert ended.exit_code == (int(wanted[1]) if wanted else 0), f"{line}\n{ended.output}"


def write_files(document: Path) -> None:
    """The files that a document shows, in the folder of this test."""
    for block in documents.blocks(document):
        if block.kind in ("text", "toml"):
            Path(block.name).write_text(block.text, encoding="utf-8")


def assert_goals(words: list[str]) -> None:
    """Each word is a goal of the Makefile, or gives one of its variables a value."""
    goals = re.findall(r"^([a-z]+):", (documents.ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)
    assert not [word for word in words if word not in goals and "=" not in word]


@pytest.mark.parametrize("document", PLAYERS)
def test_the_tables_of_a_document_are_legal_and_come_out_as_it_says(companion: Run, document: Path) -> None:
    write_files(document)
    for block in documents.tables(document):
        Path("shown.table").write_text(block.text, encoding="utf-8")
        ended = companion(["replay", "shown.table"])
        assert ended.exit_code == 0, f"{block.text}\n{ended.output}"


@pytest.mark.parametrize("document", PLAYERS)
def test_what_a_document_types_into_the_command_bar_is_understood(tmp_path: Path, document: Path) -> None:
    with Archive.open(str(tmp_path / "archive.sqlite")) as archive:
        sitting: TableClient | None = None
        for block in documents.blocks(document):
            if block.kind == "bar" and block.name:
                sitting = TableClient(SharedSessions(archive).open(archive_journal.start(archive, block.name).id))
            for line in block.lines if block.kind in ("bar", "or") else ():
                assert sitting is not None, f"{document.name} does not say which game {line} is of"
                understood(sitting, line.partition("#")[0].strip())
                if block.kind == "or":
                    understood(sitting, "undo")


def understood(sitting: TableClient, line: str) -> None:
    """Enter a line, and once more where it is asked twice."""
    reply = sitting.enter(line)
    done = sitting.confirm() if isinstance(reply, ConfirmationNeeded) else reply
    assert isinstance(done, ActionDone), f"{line}\n{done.sentence}"


@pytest.mark.parametrize("document", PLAYERS)
def test_the_code_of_a_document_stands_in_the_file_that_it_names(document: Path) -> None:
    for block in documents.blocks(document):
        if block.kind == "python":
            code, whole = (words(text) for text in (block.text, (documents.ROOT / block.name).read_text("utf-8")))
            assert code in whole, block.text


def words(code: str) -> str:
    """Code without its indentation and empty lines."""
    return "\n".join(line.strip() for line in code.splitlines() if line.strip())


@pytest.mark.parametrize("document", PLAYERS)
def test_every_command_that_is_named_in_a_sentence_exists(document: Path) -> None:
    commands = {words for words, _ in command_tree()}
    spoken = re.findall(r"`companion((?: [a-z][a-z-]*)+)", documents.prose(document))
    assert not [words for words in spoken if not is_command(f"companion{words}", commands)]


def is_command(words: str, commands: set[str]) -> bool:
    """Whether words begin with a command, or are the beginning of several."""
    words = words.replace("companion wizard", "companion people")
    return any(words == each or words.startswith(f"{each} ") or each.startswith(f"{words} ") for each in commands)


@pytest.mark.parametrize("document", ALL)
def test_every_link_leads_somewhere(document: Path) -> None:
    links = re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", document.read_text(encoding="utf-8"))
    assert not [link for link in links if not (document.parent / link).exists()]


def test_every_document_is_in_the_index() -> None:
    index = (documents.DOCS / "README.md").read_text(encoding="utf-8")
    pages = (path.relative_to(documents.DOCS).as_posix() for path in documents.DOCS.rglob("*.md"))
    others = [name for name in pages if name != "README.md"]
    assert not [name for name in others if f"({name})" not in index]
