"""The time zone of a process, as tests change it."""

import time


def load_time_zone() -> None:
    """Use the time zone that TZ names now. Windows has no such call: there it holds for processes started later."""
    if hasattr(time, "tzset"):
        time.tzset()
