"""How many examples a property tries: the same ones in each run, but for `make soak`, which looks for new ones."""

from typing import Final

from hypothesis import HealthCheck, settings

_WHOLE: Final = 100
"""Examples of a property that says nothing else, in `make test-slow`."""

_FIXED = settings(derandomize=True, deadline=None, suppress_health_check=[HealthCheck.too_slow])

settings.register_profile("quick", _FIXED, max_examples=_WHOLE // 4)
settings.register_profile("slow", _FIXED, max_examples=_WHOLE)
settings.register_profile("soak", _FIXED, derandomize=False, print_blob=True, max_examples=_WHOLE * 10)
settings.load_profile("quick")


def examples(count: int) -> int:
    """How many examples to try where `make test-slow` tries `count`: at least one."""
    return max(1, count * settings().max_examples // _WHOLE)
