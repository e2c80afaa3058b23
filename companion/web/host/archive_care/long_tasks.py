"""Long work that a page starts, such as the check of an archive: one task at a time, with its progress and a stop."""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextvars import copy_context
from typing import Final, NamedTuple

from companion.archive import ArchiveError
from companion.archive.errors import describe_error
from companion.archive.fault_log import record_fault
from templates.languages.messages import Text, phrase

_SOON: Final = 1.0
"""Seconds for which a page waits for a task: most end before, and the page then has the result."""


class TaskStopped(Exception):
    """The user has stopped a task."""


class TaskView(NamedTuple):
    """The state of a task for a page: its title, and its progress while it runs, or else its result."""

    title: Text
    sentence: Text = ""
    is_running: bool = False
    can_stop: bool = False
    is_stopping: bool = False
    is_wrong: bool = False


class LongTask:
    """The long work of one page. Thread-safe."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._stopping = threading.Event()
        self._thread: threading.Thread | None = None
        self._view: TaskView | None = None

    @property
    def view(self) -> TaskView | None:
        """The task that runs, or the last one; None before the first."""
        view = self._view
        return view and view._replace(is_stopping=view.is_running and self._stopping.is_set())

    @property
    def is_running(self) -> bool:
        """True while a task runs."""
        return self._view is not None and self._view.is_running

    def start(self, title: Text, work: Callable[[], Text], *, can_stop: bool = True) -> bool:
        """Start a task, and wait a moment for it; return False if another one runs.

        `work` returns its result as a sentence. If it `can_stop`, it calls `report` from time to time.
        """
        with self._lock:
            if self.is_running:
                return False
            self._stopping.clear()
            self._view = TaskView(title, is_running=True, can_stop=can_stop)
            # The language of the reader goes with the thread.
            run = copy_context().run
            thread = threading.Thread(target=run, args=(self._run, title, work), name="long work", daemon=True)
            self._thread = thread
            thread.start()
        thread.join(_SOON)
        return True

    def end(self) -> None:
        """Stop the task at its next report, without waiting for that."""
        self._stopping.set()

    def stop(self) -> None:
        """Stop the task at its next report, and wait a moment for that."""
        self.end()
        if self._thread is not None:
            self._thread.join(_SOON)

    def report(self, progress: Text) -> None:
        """Show how far the task has come. Raises TaskStopped if the user has stopped it."""
        if self._stopping.is_set():
            raise TaskStopped
        if self._view is not None:
            self._view = self._view._replace(sentence=progress)

    def show(self, title: Text, sentence: Text) -> None:
        """Show the result of other work in the place of the last task."""
        with self._lock:
            if self._view is None or not self._view.is_running:
                self._view = TaskView(title, sentence)

    def _run(self, title: Text, work: Callable[[], Text]) -> None:
        try:
            view = TaskView(title, work())
        except TaskStopped:
            view = TaskView(title, phrase("It was stopped; nothing was changed."))
        except (ArchiveError, OSError) as error:
            view = TaskView(title, describe_error(error), is_wrong=True)
        except Exception as error:
            record_fault(error)
            view = TaskView(title, phrase("That failed, and nothing was changed."), is_wrong=True)
        self._view = view
