"""`companion session report --charts`: the report on paper, with charts of how the evening went."""

from collections.abc import Callable
from pathlib import Path

import pypdfium2
import pytest
from click.testing import CliRunner, Result

from companion.archive import Archive
from companion.cli.main import main
from tests.printing.evenings import play

Run = Callable[..., Result]


@pytest.fixture
def run(tmp_path: Path) -> Run:
    place = str(tmp_path / "archive.sqlite")
    with Archive.open(place, by="Ana", create=True) as archive:
        play(archive)
    return lambda *arguments: CliRunner().invoke(main, ["session", "report", *arguments, "--archive", place])


def test_charts_come_with_all_that_the_report_says(run: Run, tmp_path: Path) -> None:
    out = tmp_path / "friday.pdf"
    assert run("--charts", "-o", str(out)).exit_code == 0
    with pypdfium2.PdfDocument(out) as opened:
        text = " ".join(" ".join(page.get_textpage().get_text_range().split()) for page in opened)
    for title in ("Boss: HP", "Coppers", "Damage dealt to Bosses", "rounds played"):
        assert title in text
    for line in run().stdout.splitlines():
        if line.startswith(("* Table", "* Outcome")) or line[:2] in ("1.", "2."):
            sentence = line.removeprefix("* ").replace("**", "")
            assert all(word in text for word in sentence.split()), sentence
    again = run("--charts", "-o", str(out))
    assert (again.exit_code, "--force" in again.stderr) == (1, True)


def test_the_charts_alone_are_an_svg(run: Run, tmp_path: Path) -> None:
    out = tmp_path / "friday.svg"
    assert run("-o", str(out)).exit_code == 0, "the end of the name says that it is charts"
    svg = out.read_text(encoding="utf-8")
    assert "<title>Playtest report: DecknForge</title>" in svg
    assert "Boss: HP. Boss: 45, 27, 4, 0, –, " in svg


@pytest.mark.parametrize("arguments", [(), ("--json", "-o", "a.pdf"), ("-o", "a.docx")])
def test_charts_without_a_file_for_them_are_misuse(run: Run, arguments: tuple[str, ...]) -> None:
    result = run("--charts", *arguments)
    assert (result.exit_code, result.stdout) == (2, "")
    assert ".pdf" in result.stderr
