"""One order of what several devices wrote: the same on all, whoever hears of whom first."""

from collections.abc import Sequence
from itertools import count
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from companion.archive.sharing.merging import merge_orders
from tests import examples  # noqa: F401

Steps = Sequence[tuple[int, int]]
DEVICES = 4

steps = st.lists(st.tuples(st.integers(0, DEVICES - 1), st.integers(0, DEVICES)), max_size=60)
"""Each step is one of a device: it writes, or it hears of what another device (or itself) has."""


def take_steps(taken: Steps, names: Sequence[str]) -> list[list[str]]:
    """What each device has after some steps."""
    number = count()
    devices: list[list[str]] = [[] for _ in range(DEVICES)]
    for device, other in taken:
        if other == DEVICES:
            devices[device].append(names[next(number)])
        else:
            devices[device] = merge_orders(devices[device], devices[other])
    return devices


def shuffled(seed: int) -> list[str]:
    """Names without any order, as hashes are."""
    names = [f"{each:02}" for each in range(60)]
    Random(seed).shuffle(names)
    return names


@given(steps, st.integers(0, 999), st.permutations(range(DEVICES)))
def test_all_devices_arrive_at_one_order(taken: Steps, seed: int, order: Sequence[int]) -> None:
    devices = take_steps(taken, shuffled(seed))
    wholes = []
    for first in range(DEVICES):
        whole = devices[first]
        for other in order:
            whole = merge_orders(whole, devices[other])
        wholes.append(whole)
    assert all(whole == wholes[0] for whole in wholes)
    assert len(set(wholes[0])) == len(wholes[0]) == sum(other == DEVICES for _, other in taken)


@given(steps, st.integers(0, 999))
def test_what_a_device_knew_stays_in_its_order(taken: Steps, seed: int) -> None:
    devices = take_steps(taken, shuffled(seed))
    for device in devices:
        for other in devices:
            merged = merge_orders(device, other)
            assert [name for name in merged if name in device] == device
            assert merged == merge_orders(other, device)


@given(st.lists(st.text("abcde", max_size=1), unique=True), st.lists(st.text("abcde", max_size=1), unique=True))
def test_orders_that_contradict_each_other_have_one_result(mine: list[str], theirs: list[str]) -> None:
    merged = merge_orders(mine, theirs)
    assert merged == merge_orders(theirs, mine)
    assert sorted(merged) == sorted({*mine, *theirs})
