"""Machines with a network of their own: network namespaces of the kernel, joined by cables that no real network sees.

A machine is held by a process that ends with this one, however that ends, and with it all that runs on the machine;
what no process holds any more is gone.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final, Self

_TOOLS: Final = ("ip", "unshare", "nsenter", "setpriv")
_PACKAGES: Final = "iproute2 util-linux"
_CLONE_NEWNET: Final = 0x40000000
_HOLD: Final = 'hostname "$0" && ip link set lo up && echo there && exec cat'


def lacking() -> str:
    """Why no machine can be made here; "" where one can."""
    if sys.platform != "linux":
        return "only Linux has network namespaces"
    missing = [tool for tool in _TOOLS if shutil.which(tool) is None]
    if missing:
        return f"no {', '.join(missing)} here: apt install {_PACKAGES}"
    if os.geteuid() != 0:
        return "only root makes network namespaces"
    tried = subprocess.run(("unshare", "--net", "--uts", "true"), capture_output=True, encoding="utf-8", check=False)
    return f"this system allows no network namespaces: {tried.stderr.strip()}" if tried.returncode else ""


class Machine:
    """A machine of this name with no network yet."""

    def __init__(self, name: str) -> None:
        command = ("unshare", "--net", "--uts", "--fork", "--kill-child", "sh", "-c", _HOLD, name)
        self._holder = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8")
        assert self._holder.stdout is not None
        assert self._holder.stdout.readline() == "there\n"
        self.number = self._holder.pid

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._holder.communicate()

    def there(self, *command: str) -> Sequence[str]:
        """A command as it is run on this machine; it ends with whoever runs it."""
        entered = ("nsenter", f"--net=/proc/{self.number}/ns/net", f"--uts=/proc/{self.number}/ns/uts", "--")
        return (*entered, "setpriv", "--pdeathsig", "KILL", *command)

    def run(self, *command: str) -> None:
        """Something that is over soon."""
        subprocess.run(self.there(*command), check=True, timeout=60)

    def joined(self, other: Machine, interface: str, address: str, others: str) -> None:
        """A cable to another machine: at both ends an interface of this name, with these addresses."""
        self.run("ip", "link", "add", interface, "type", "veth", "peer", "name", interface, "netns", str(other.number))
        for machine, own in ((self, address), (other, others)):
            machine.run("ip", "address", "add", f"{own}/24", "dev", interface)
            machine.run("ip", "link", "set", interface, "up")

    def cable(self, interface: str, *, plugged: bool) -> None:
        """Pull the cable out, or plug it in again."""
        self.run("ip", "link", "set", interface, "up" if plugged else "down")

    @contextlib.contextmanager
    def at(self) -> Iterator[None]:
        """Within the block this thread is on that machine: sockets that it makes there belong to that network."""
        with (
            Path("/proc/thread-self/ns/net").open("rb") as here,
            Path(f"/proc/{self.number}/ns/net").open("rb") as there,
        ):
            _enter(there.fileno())
            try:
                yield
            finally:
                _enter(here.fileno())


def _enter(network: int) -> None:
    if ctypes.CDLL(None, use_errno=True).setns(network, _CLONE_NEWNET):
        raise OSError(ctypes.get_errno(), "a network could not be entered")
