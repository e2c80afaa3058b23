"""Limits of memory, time and processes on Windows, by a job object that a process puts itself into.

POSIX has `resource` for this. See "Job Objects" in Microsoft's documentation; the structures below are those of
`winnt.h`. No other system can use this module.
"""

from __future__ import annotations

import ctypes
from typing import Any, Final

_EXTENDED_LIMITS: Final = 9
_PROCESS_TIME, _ACTIVE_PROCESS, _PROCESS_MEMORY, _END_ON_FAULT, _END_WITH_JOB = 0x2, 0x8, 0x100, 0x400, 0x2000
_TICKS: Final = 10_000_000
"""A second, in the unit in which Windows counts processor time."""


class _Limits(ctypes.Structure):
    """The structure JOBOBJECT_EXTENDED_LIMIT_INFORMATION."""

    _fields_ = (
        ("process_time", ctypes.c_int64),
        ("job_time", ctypes.c_int64),
        ("flags", ctypes.c_uint32),
        ("least_working_set", ctypes.c_size_t),
        ("most_working_set", ctypes.c_size_t),
        ("processes", ctypes.c_uint32),
        ("affinity", ctypes.c_size_t),
        ("priority", ctypes.c_uint32),
        ("scheduling", ctypes.c_uint32),
        ("counters", ctypes.c_uint64 * 6),
        ("process_memory", ctypes.c_size_t),
        ("job_memory", ctypes.c_size_t),
        ("peak_process_memory", ctypes.c_size_t),
        ("peak_job_memory", ctypes.c_size_t),
    )


class ProcessLimits:
    """The job of this process, which ends with it. It may start no other process.

    Args:
        memory: Bytes that the process may have committed.

    Raises:
        OSError: Windows refused, for example because a job around this one forbids nested jobs.
    """

    def __init__(self, memory: int) -> None:
        self._kernel: Any = getattr(ctypes, "WinDLL")("kernel32", use_last_error=True)  # noqa: B009 – it exists on Windows only
        self._kernel.CreateJobObjectW.restype = ctypes.c_void_p
        self._kernel.GetCurrentProcess.restype = ctypes.c_void_p
        self._limits = _Limits(
            flags=_ACTIVE_PROCESS | _PROCESS_MEMORY | _END_ON_FAULT | _END_WITH_JOB, processes=1, process_memory=memory
        )
        self._job = ctypes.c_void_p(self._check(self._kernel.CreateJobObjectW(None, None)))
        self._apply()
        process = ctypes.c_void_p(self._kernel.GetCurrentProcess())
        self._check(self._kernel.AssignProcessToJobObject(self._job, process))

    def allow_time(self, seconds: float) -> None:
        """End the process once it has used `seconds` of CPU time in all. Raises OSError."""
        self._limits.flags |= _PROCESS_TIME
        self._limits.process_time = int(seconds * _TICKS)
        self._apply()

    def _apply(self) -> None:
        size = ctypes.sizeof(self._limits)
        limits = ctypes.byref(self._limits)
        self._check(self._kernel.SetInformationJobObject(self._job, _EXTENDED_LIMITS, limits, size))

    @staticmethod
    def _check(result: int | None) -> int:
        if not result:
            code = getattr(ctypes, "get_last_error")()  # noqa: B009 – it exists on Windows only
            raise OSError(code, "the limits of a process cannot be set")
        return result
