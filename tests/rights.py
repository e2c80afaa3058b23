"""Drop the rights of root in a test's process, as root may read and write files whatever their modes."""

import ctypes
import os
import struct
import sys

_PR_CAPBSET_DROP, _CAP_DAC_OVERRIDE, _CAP_DAC_READ_SEARCH = 24, 1, 2
_CAPABILITY_VERSION_3 = 0x20080522


def obey_modes() -> None:
    """Restrict this process, and programs that it starts, to what the modes of files allow.

    The user stays root, so an environment in a folder that only root may read can still be used.
    """
    if sys.platform != "linux" or os.getuid() != 0:
        return
    system = ctypes.CDLL(None, use_errno=True)
    for capability in (_CAP_DAC_OVERRIDE, _CAP_DAC_READ_SEARCH):
        # For the programs that it starts, which would get all rights again.
        system.prctl(_PR_CAPBSET_DROP, capability, 0, 0, 0)
    header, nothing = struct.pack("=Ii", _CAPABILITY_VERSION_3, 0), bytes(24)
    if system.capset(header, nothing):
        raise OSError(ctypes.get_errno(), "the rights of root cannot be dropped")
