"""Helpers answer what a process would compute itself, for the same data; without them it does."""

import os
import subprocess
import sys
import time
from collections.abc import Iterator

import pytest
import torch

from attention_core.checks import InputError
from attention_core.data import samples_from
from attention_ui import helpers
from attention_ui.chapters.kernel_regression.cache import packed_numbers
from attention_ui.controls.dataset import Dataset
from attention_ui.helpers import FEW, LONGEST_QUESTION, helped
from attention_ui.pictures.cache import packed_widths, swept
from tests.browser.serving import ROOT

BE_ONE = (
    "import socket, sys; from attention_ui import helpers; helpers.answer_all(socket.socket(fileno=int(sys.argv[1])))"
)
WIDTHS = (2.0, 0.5, 0.1)
OWN = Dataset.own(samples_from(torch.arange(5.0), torch.tensor([1.0, 3, 2, 5, 4])), "a", "b", "pasted \ud800 “words”")


@helped
def process(dataset: Dataset, *rest: object) -> bytes:
    """Who computes this."""
    return str(os.getpid()).encode()


@helped
def failing(dataset: Dataset) -> bytes:
    raise InputError("It cannot be done.")


@pytest.fixture
def helper(monkeypatch: pytest.MonkeyPatch) -> Iterator[subprocess.Popen[bytes]]:
    monkeypatch.setattr(helpers, "WAYS", [])
    (theirs,) = helpers.made(1)
    with theirs:
        command = [sys.executable, "-c", BE_ONE, str(theirs.fileno())]
        begun = subprocess.Popen(command, cwd=ROOT, pass_fds=[theirs.fileno()], stderr=subprocess.PIPE)
        monkeypatch.setattr(helpers, "PATIENCE", 60.0)  # until it has loaded torch
        yield begun
        begun.kill()
        begun.wait()
        assert begun.stderr
        begun.stderr.close()
    helpers.WAYS[0].close()


def test_a_helper_answers_as_the_process_itself_would(helper: subprocess.Popen[bytes]) -> None:
    assert int(process(Dataset())) == helper.pid
    for dataset in (Dataset(seed=7), Dataset.measured("engel"), OWN):
        found = [
            packed_widths.function(dataset, "tricube", True, WIDTHS, "kr_width"),
            packed_numbers.function(dataset, "tricube", True, WIDTHS, "kr"),
            swept.function(dataset, "tricube", True, WIDTHS),
        ]
        ways, helpers.WAYS[:] = helpers.WAYS[:], []
        assert found[:2] == [
            packed_widths.function(dataset, "tricube", True, WIDTHS, "kr_width"),
            packed_numbers.function(dataset, "tricube", True, WIDTHS, "kr"),
        ]
        for one, other in zip(found[2], swept.function(dataset, "tricube", True, WIDTHS), strict=True):
            assert (one is None) == (other is None)
            assert one is None or one.equal(other)
        helpers.WAYS[:] = ways


def test_many_points_and_long_questions_stay_here(helper: subprocess.Popen[bytes]) -> None:
    assert int(process(Dataset(n=FEW + 1))) == os.getpid()
    assert int(process(Dataset(), "x" * LONGEST_QUESTION)) == os.getpid()


def test_what_fails_there_fails_here(helper: subprocess.Popen[bytes]) -> None:
    with pytest.raises(InputError, match="It cannot be done"):
        failing(Dataset())
    assert int(process(Dataset())) == helper.pid, "it goes on"


def test_a_helper_that_has_died_is_not_waited_for(
    helper: subprocess.Popen[bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert int(process(Dataset())) == helper.pid
    helper.kill()
    helper.wait()
    monkeypatch.setattr(helpers, "PATIENCE", 0.5)
    begun = time.monotonic()
    assert int(process(Dataset())) == os.getpid()
    assert time.monotonic() - begun < 30


def test_without_helpers_a_function_is_what_it_was() -> None:
    assert helpers.WAYS == []
    assert int(process(Dataset())) == os.getpid()
