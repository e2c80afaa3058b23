"""Checks of pages that take seconds: random games in a thread, with their progress and a way to stop them."""

from __future__ import annotations

import threading
from collections import OrderedDict
from contextvars import copy_context
from typing import Final

from companion.archive.fault_log import record_fault
from companion.forms.page_check import GAMES, PageReport, check_page
from companion.games.described.page.reading import PageError

_MAX_TRIALS: Final = 20
"""The most checks whose results are remembered."""


class PageTrial:
    """The check of one text, which runs in a thread of its own."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.games = 0
        """The number of games so far; tries by hand may follow the last one."""
        self.report: PageReport | None = None
        self.is_over = False
        self.is_stopped = False

    @property
    def is_running(self) -> bool:
        """True until the last game is over, or somebody stops the games."""
        return not (self.is_over or self.is_stopped)

    @property
    def is_failed(self) -> bool:
        """True if the check ended without a result, by a fault of the program."""
        return self.is_over and not (self.is_stopped or self.report)

    def stop(self) -> None:
        """Stop before the next game."""
        self.is_stopped = True

    def run(self) -> None:
        """Play the games."""
        try:
            report = check_page(self.text, goes_on=self._goes_on)
            # The games that were left out could have found more.
            self.report = None if self.is_stopped else report
        except PageError:
            pass  # the page shows the faults by itself
        except Exception as error:  # what a page makes of the rules must not end the server's thread unseen
            record_fault(error)
        finally:
            self.is_over = True

    def _goes_on(self) -> bool:
        self.games = min(self.games + 1, GAMES)
        return not self.is_stopped


class PageTrials:
    """The checks of the pages that are edited, the last one of each. Only one runs at a time. Thread-safe."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._trials: OrderedDict[str, PageTrial] = OrderedDict()

    def begin(self, name: str, text: str) -> None:
        """Check the text of a page, unless that runs already; another check is stopped."""
        with self._lock:
            for trial in self._trials.values():
                if trial.is_running and trial.text == text:
                    return
                trial.stop()
            trial = PageTrial(text)
            self._trials[name] = trial
            self._trials.move_to_end(name)
            while len(self._trials) > _MAX_TRIALS:
                self._trials.popitem(last=False)
        # The language of the reader goes with the thread.
        threading.Thread(target=copy_context().run, args=(trial.run,), name="page check", daemon=True).start()

    def stop(self, name: str) -> None:
        """Stop the check of a page."""
        if trial := self._trials.get(name):
            trial.stop()

    def find(self, name: str, text: str) -> PageTrial | None:
        """Return the check of exactly this text, None if there was none."""
        trial = self._trials.get(name)
        return trial if trial is not None and trial.text == text else None
