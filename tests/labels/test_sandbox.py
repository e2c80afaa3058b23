"""A child for the files of strangers: little memory, little time, no knowledge, and no harm to whoever asks it."""

import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from labels import sandbox
from labels.sandbox import BadFile, ChildFailed, Sandbox


@pytest.fixture
def greedy() -> Iterator[Sandbox]:
    """A child that does what no child may."""
    child = Sandbox("tests.labels.greedy")
    yield child
    child.close()


def ask_child(child: Sandbox, does: str, **more: object) -> list[sandbox.ChildReply]:
    return list(child.ask({"does": does, **more}))


def test_an_answer_crosses_whole_with_what_is_enclosed(greedy: Sandbox) -> None:
    _, answer, _ = ask_child(greedy, "answer")
    assert answer == ({"text": "é\n\udcff"}, b"\0\xff\n")


@pytest.mark.posix
def test_a_child_has_little_memory_time_and_knowledge(greedy: Sandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COMPANION_ARCHIVE", "postgresql://ana:secret@host/decks")
    monkeypatch.setenv("PGPASSWORD", "secret")
    _, answer, _ = ask_child(greedy, "limits")
    limits = answer.reply["limits"]
    assert isinstance(limits, list)
    memory, seconds, files, cores = limits
    assert (memory, files, cores) == (512 << 20, 0, 0)
    assert 9 <= seconds <= 10
    assert not {"COMPANION_ARCHIVE", "PGPASSWORD", "HOME"} & set(answer.reply["names"])  # type: ignore[call-overload]


@pytest.mark.posix
@pytest.mark.parametrize("does", ["eat", "crash"])
def test_what_a_child_does_not_survive_stops_no_other_job(greedy: Sandbox, does: str) -> None:
    with pytest.raises(ChildFailed):
        ask_child(greedy, does)
    assert len(ask_child(greedy, "answer")) == 3


@pytest.mark.posix
def test_a_child_writes_no_file(greedy: Sandbox, tmp_path: Path) -> None:
    with pytest.raises(ChildFailed):
        ask_child(greedy, "answer", path=str(tmp_path / "file"))
    assert not (tmp_path / "file").stat().st_size


@pytest.mark.slow
def test_a_child_that_sleeps_is_ended_in_time(greedy: Sandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sandbox, "SECONDS", 3.0)
    with pytest.raises(ChildFailed):
        ask_child(greedy, "sleep")
    began = time.monotonic()
    with pytest.raises(ChildFailed):
        list(greedy.ask({"does": "sleep"}, began + 0.5))
    assert time.monotonic() - began < 30, "it slept to its end, a minute"


def test_a_refusal_is_told_and_the_child_lives_on(greedy: Sandbox) -> None:
    ask_child(greedy, "answer")
    child = greedy._child
    with pytest.raises(BadFile, match="is no good"):
        ask_child(greedy, "refuse")
    ask_child(greedy, "answer")
    assert greedy._child is child


def test_what_a_library_prints_is_no_answer(greedy: Sandbox, capfd: pytest.CaptureFixture[str]) -> None:
    assert [answer.reply for answer in ask_child(greedy, "babble")] == [{"first": True}, {}, {"last": True}]
    assert capfd.readouterr() == ("", "")


def test_a_child_that_lies_about_its_answer_is_ended(greedy: Sandbox) -> None:
    with pytest.raises(ChildFailed):
        ask_child(greedy, "lie")


def test_who_takes_no_more_answers_ends_the_child(greedy: Sandbox) -> None:
    answers = greedy.ask({"does": "sleep"})
    assert next(answers).reply == {"first": True}
    answers.close()  # type: ignore[attr-defined]
    assert greedy._child is None
    assert len(ask_child(greedy, "answer")) == 3


def test_another_thread_can_end_what_is_waited_for(greedy: Sandbox) -> None:
    answers = greedy.ask({"does": "sleep"})
    next(answers)
    threading.Timer(0.2, greedy.interrupt).start()
    with pytest.raises(ChildFailed):
        next(answers)


def test_a_child_that_has_ended_itself_is_followed_by_another(greedy: Sandbox) -> None:
    greedy.start()
    assert greedy._child is not None
    greedy._child.kill()
    greedy._child.wait()
    assert len(ask_child(greedy, "answer")) == 3


def test_nothing_is_loaded_from_where_it_was_started(greedy: Sandbox, tmp_path: Path) -> None:
    before = Path.cwd()
    (tmp_path / "json.py").write_text("raise SystemExit", encoding="utf-8")
    os.chdir(tmp_path)
    try:
        assert len(ask_child(greedy, "answer")) == 3
    finally:
        os.chdir(before)


@pytest.mark.posix
def test_a_copy_of_this_process_has_a_child_of_its_own() -> None:
    # As pages are drawn by copies of a process that has looked at their pictures.
    program = (
        "import os; from labels.sandbox import Sandbox; greedy = Sandbox('tests.labels.greedy')\n"
        "count = lambda: len(list(greedy.ask({'does': 'answer'})))\n"
        "count(); child = greedy._child; copy = os.fork()\n"
        "if not copy: os._exit(count())\n"
        "print(os.waitstatus_to_exitcode(os.waitpid(copy, 0)[1]), count(), greedy._child is child)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, encoding="utf-8", check=True)
    assert done.stdout.split() == ["3", "3", "True"]


INTERRUPTED = """
import random, signal, sys
from labels import sandbox

def interrupt(*_):
    raise KeyboardInterrupt

class Child:
    def kill(self):
        pass

# What arrives in a callback of the garbage collector is reported, and no matter here.
sys.unraisablehook = lambda _: None
signal.signal(signal.SIGALRM, interrupt)
stopped = 0
for number in range(10_000):
    try:
        signal.setitimer(signal.ITIMER_REAL, random.uniform(2e-6, 3e-4))
        try:
            with sandbox._deadline(Child(), 5):
                pass
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
    except KeyboardInterrupt:
        stopped += 1
print(stopped)
"""


@pytest.mark.slow
@pytest.mark.posix
def test_ctrl_c_is_ctrl_c_at_any_moment_of_a_wait() -> None:
    done = subprocess.run([sys.executable, "-c", INTERRUPTED], capture_output=True, encoding="utf-8", check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert int(done.stdout) > 1_000
