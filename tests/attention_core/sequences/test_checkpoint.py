"""The models that come with the app: as good as claimed, looking where they should, and made as they say."""

from dataclasses import asdict
from importlib.resources import files

import pytest
import torch

from attention_core.checks import InputError
from attention_core.sequences.checkpoint import CHECKPOINTS, load, read, save, stored
from attention_core.sequences.decoding import exact_match, greedy, trace
from attention_core.sequences.occlusion import swap_most_attended
from attention_core.sequences.tasks import TASKS, Lengths, encoded, strings
from tests.attention_core.sequences.occluded import agreement, occlude

REVERSE, DATES = TASKS["reverse"], TASKS["dates"]


def right_by_length(model, lengths):
    """The share of unseen strings of each length that a model reverses without an error."""
    return [exact_match(model, REVERSE, strings(REVERSE, 100, 0, "unseen", Lengths(n, n))) for n in lengths]


every_checkpoint = pytest.mark.parametrize("name", CHECKPOINTS)


@every_checkpoint
def test_it_gets_the_claimed_share_of_unseen_texts_right(name):
    checkpoint = CHECKPOINTS[name]
    texts = strings(checkpoint.task, 400, 5, "unseen", checkpoint.config.lengths)
    # A sample of 400 of a share p strays by 3 sqrt(p (1 - p) / 400) at most.
    stray = 3 * (checkpoint.exact * (1 - checkpoint.exact) / 400) ** 0.5
    assert exact_match(load(name), checkpoint.task, texts) >= checkpoint.exact - stray


@every_checkpoint
def test_the_file_is_small_and_equals_its_settings(name):
    checkpoint, content = CHECKPOINTS[name], stored(name)
    file = files("attention_core").joinpath("checkpoints", f"{name}.npz")
    assert len(file.read_bytes()) < 200_000
    assert content.settings == {"task": checkpoint.task_name, "config": asdict(checkpoint.config)}
    shapes = {key: value.shape for key, value in checkpoint.config.model(checkpoint.task).state_dict().items()}
    assert {key: value.shape for key, value in content.parameters.items()} == shapes


def test_no_file_is_left_over():
    there = {entry.name for entry in files("attention_core").joinpath("checkpoints").iterdir()}
    assert {name for name in there if name.endswith(".npz")} == {f"{name}.npz" for name in CHECKPOINTS}


def test_reversal_looks_at_the_right_digit():
    model, checkpoint = load("reverse"), CHECKPOINTS["reverse"]
    mass, peaks = [], []
    for text in strings(REVERSE, 60, 7, "unseen", checkpoint.config.lengths):
        weights = trace(model, REVERSE, text).weights[: len(text)]  # without the end
        mirrored = torch.arange(len(text)).flip(0)
        mass += weights.gather(1, mirrored[:, None]).flatten().tolist()
        peaks += (weights.argmax(1) == mirrored).tolist()
    assert sum(mass) / len(mass) > 0.85
    assert sum(peaks) / len(peaks) > 0.99


def test_a_date_is_read_where_it_stands():
    """The third and fourth digits of the year can only be read from the year: they must look there."""
    model = load("dates")
    for text in strings(DATES, 40, 7, "unseen"):
        weights = trace(model, DATES, text).weights
        assert weights[2:4, -4:].sum(1).min() > 0.5, text


def test_a_fixed_context_fails_on_longer_strings_and_attention_does_not():
    lengths = [1, 10]
    attention = right_by_length(load("reverse"), lengths)
    fixed = right_by_length(load("reverse-fixed"), lengths)
    assert min(attention) > 0.97
    assert fixed[0] > 0.9
    assert fixed[1] < 0.2


def test_a_fixed_context_that_trains_longer_carries_long_strings_too():
    """The page and the exercise say so: it is a matter of training, not of the size of the vector."""
    assert asdict(CHECKPOINTS["reverse-fixed-long"].config) == asdict(CHECKPOINTS["reverse-fixed"].config) | {
        "steps": 3_000
    }
    right = right_by_length(load("reverse-fixed-long"), [6, 8, 10, 13])
    assert min(right[:2]) > 0.95
    assert right[2] > 0.75
    assert right[3] < 0.2, "beyond what it was trained on it falls as well"


def test_on_reversal_attention_and_occlusion_agree():
    model = load("reverse")
    traced, effects = occlude(model, REVERSE, "314159")
    told = agreement(traced.weights[:-1], effects[:-1])
    assert traced.output == "951413"
    assert told.pearson > 0.9
    assert told.same_peak == 1
    assert all(swap.changed for swap in swap_most_attended(model, REVERSE, "314159", 2))
    assert not any(swap.changed for swap in swap_most_attended(model, REVERSE, "314159", 2, least=True))


def test_batches_of_any_size_give_the_same_text():
    texts = strings(DATES, 20, 3, "unseen")
    drawn, model = encoded(DATES, texts), load("dates")
    together = greedy(model, drawn.sources, drawn.source_lengths).symbols
    assert [DATES.target.decode(row) for row in together] == [trace(model, DATES, text).output for text in texts]


def test_saving_and_loading_gives_the_model_back(tmp_path):
    model = load("reverse")
    content, kept = read(save("reverse", CHECKPOINTS["reverse"], model, tmp_path)), stored("reverse")
    assert content.settings == kept.settings
    assert content.parameters.keys() == kept.parameters.keys()
    assert all(torch.equal(value, kept.parameters[key]) for key, value in content.parameters.items())


def test_every_caller_has_a_copy_of_its_own():
    with torch.no_grad():
        load("reverse").decoder.output.bias.fill_(9)
    assert not (load("reverse").decoder.output.bias == 9).any()


def test_an_unknown_name_is_an_error():
    with pytest.raises(InputError, match="one of reverse, reverse-fixed, reverse-fixed-long, dates, dates-fixed"):
        load("sort")
