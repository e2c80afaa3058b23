"""How many examples a property tries: the same ones in each run, but for `make soak`, which looks for new ones."""

from typing import Final

from hypothesis import HealthCheck, settings

_WHOLE: Final = 100
"""Examples of a property that says nothing else."""

_FIXED = settings(derandomize=True, deadline=None, suppress_health_check=[HealthCheck.too_slow])

settings.register_profile("quick", _FIXED, max_examples=_WHOLE // 4)
settings.register_profile("slow", _FIXED, max_examples=_WHOLE // 2)
settings.register_profile("soak", _FIXED, derandomize=False, print_blob=True, max_examples=_WHOLE * 10)
settings.load_profile("quick")


def examples(count: int) -> int:
    """Return how many of `count` examples to try: a quarter in `make test`, half in `make test-slow`; at least one."""
    return max(1, count * settings().max_examples // _WHOLE)
