"""The log of the program's own faults: found where the sentence says, small, and without secrets."""

from pathlib import Path

import pytest

from companion.archive import fault_log


@pytest.fixture(autouse=True)
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of this test's own for the log."""
    for variable in ("XDG_STATE_HOME", "WIN_PD_OVERRIDE_LOCAL_APPDATA"):
        monkeypatch.setenv(variable, str(tmp_path))
    return tmp_path


def fault(message: str = "division by zero") -> ZeroDivisionError:
    """A fault that was raised, as it is caught."""
    try:
        secret = "hunter2"
        raise ZeroDivisionError(message)
    except ZeroDivisionError as error:
        assert secret
        return error


def test_the_sentence_names_the_file_that_has_the_traceback() -> None:
    sentence = fault_log.describe_fault(fault())
    file = fault_log.fault_log_file()
    assert "ZeroDivisionError: division by zero" in sentence
    assert str(file) in sentence
    text = file.read_text(encoding="utf-8")
    assert "Traceback (most recent call last)" in text
    assert "table-companion 0" in text
    assert "hunter2" not in text


def test_a_long_message_is_shortened_to_one_line() -> None:
    sentence = fault_log.describe_fault(fault("very\nlong " * 500))
    assert "\n" not in sentence
    assert len(str(sentence)) < 600


def test_the_log_keeps_the_newest_faults_and_stays_small() -> None:
    for number in range(60):
        fault_log.record_fault(fault(f"fault {number} {'x' * 50_000}"))
    text = fault_log.fault_log_file().read_text(encoding="utf-8")
    assert len(text) < 1_200_000
    assert "fault 59 " in text
    assert "fault 0 " not in text


def test_names_that_are_no_text_are_logged() -> None:
    assert fault_log.record_fault(fault("\udcff")) is not None


def test_without_a_place_the_sentence_names_the_line(state: Path) -> None:
    (state / "table-companion").write_text("a file where the folder would be", encoding="utf-8")
    sentence = fault_log.describe_fault(fault())
    assert "test_fault_log.py, line" in sentence
    assert "details are in" not in sentence
