"""Limits of time and memory: checkpoints, nesting, threads, and the part that an error names."""

from __future__ import annotations

import threading

import pytest

from boardsat.base.errors import InputError
from boardsat.base.limits import (
    Excess,
    LimitError,
    Resource,
    alternative,
    check_seconds,
    checkpoint,
    current_part,
    limits,
)


def test_checkpoint_without_limits_passes():
    checkpoint()
    checkpoint(2**60)
    check_seconds(1e9)


@pytest.mark.parametrize("limit", [{"wall": 0.0}, {"cpu": 0.0}, {"memory": 0}])
def test_checkpoint_raises_at_each_limit(limit):
    with limits(**limit), pytest.raises(LimitError) as caught:
        checkpoint(2**20)
    resources = {"wall": Resource.WALL, "cpu": Resource.CPU, "memory": Resource.MEMORY}
    assert caught.value.excess.resource is resources[next(iter(limit))]
    checkpoint(2**60)


def test_checkpoint_with_nbytes_raises_before_allocation():
    with limits(memory=50 * 2**20):
        checkpoint(10 * 2**20)
        with pytest.raises(LimitError, match="more memory than the limit of 52,428,800 bytes"):
            checkpoint(60 * 2**20)


@pytest.mark.parametrize(("outer", "inner"), [(2**20, 2**40), (2**40, 2**20)])
def test_nested_limits_apply_together(outer, inner):
    with limits(memory=outer), limits(memory=inner), pytest.raises(LimitError) as caught:
        checkpoint(2**30)
    assert caught.value.excess.limit == 2**20


def test_check_seconds_raises_before_long_work():
    with limits(cpu=5.0):
        check_seconds(1.0)
        with pytest.raises(LimitError, match="CPU time"):
            check_seconds(6.0)


def test_charged_time_counts_towards_limit():
    with limits(cpu=5.0) as clock:
        clock.charge(cpu=4.5)
        checkpoint(2**20)
        clock.charge(cpu=4.5)
        with pytest.raises(LimitError):
            checkpoint(2**20)


def test_limit_error_names_current_part_and_alternative():
    with limits(memory=0), current_part("the table 't'", "spec.yaml:12"):
        with pytest.raises(LimitError, match=r"^spec\.yaml:12: the table 't' needs more memory"):
            checkpoint(2**20)
        with alternative("--set int=binary"), pytest.raises(LimitError, match="; --set int=binary"):
            checkpoint(2**20)


def test_nested_limits_raise_error_of_exceeded_limit():
    def error(excess: Excess) -> InputError:
        return InputError(f"too much {excess.resource}")

    expected = pytest.raises(InputError, match="too much memory")
    with limits(memory=0, error=error), limits(memory=2**40), expected:
        checkpoint(2**20)


def test_limits_do_not_apply_to_other_threads():
    faults: list[Exception] = []

    def work() -> None:
        try:
            checkpoint(2**40)
        except LimitError as error:
            faults.append(error)

    with limits(memory=1):
        thread = threading.Thread(target=work)
        thread.start()
        thread.join()
    assert not faults
