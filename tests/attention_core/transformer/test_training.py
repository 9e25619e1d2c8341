"""Training a Transformer: it learns, repeats, can be taken up again; and the stored one is as good as claimed."""

import itertools
from dataclasses import asdict
from importlib.resources import files

import pytest
import torch
from torch.nn.functional import cross_entropy

from attention_core.checks import InputError
from attention_core.sequences.checkpoint import read, save, stored
from attention_core.sequences.decoding import exact_match
from attention_core.sequences.tasks import TASKS, Lengths, encoded, strings
from attention_core.sequences.training import batch_seed, train_steps
from attention_core.sequences.vocabulary import PADDING
from attention_core.transformer.checkpoint import TRANSFORMERS, load_transformer
from attention_core.transformer.decoding import write_text
from attention_core.transformer.training import TransformerTrainingConfig

REVERSE = TASKS["reverse"]
SMALL = TransformerTrainingConfig(steps=6, batch=8, width=8, hidden=8, check_every=3, check_count=5)
every_checkpoint = pytest.mark.parametrize("name", TRANSFORMERS)


def test_a_short_run_learns_to_copy():
    config = TransformerTrainingConfig(steps=130, batch=32, width=16, hidden=32, shortest=2, longest=3, check_every=65)
    run = train_steps(TASKS["copy"], config)
    steps = list(run)
    assert [s.step for s in steps] == list(range(1, 131))
    assert steps[-1].loss < 0.3 < 2 < steps[0].loss
    exact = [s.exact for s in steps if s.exact is not None]
    assert len(exact) == 2
    assert exact[-1] > 0.9
    unseen = strings(TASKS["copy"], 200, config.seed, "unseen", config.lengths)
    assert exact_match(run.model, TASKS["copy"], unseen) == exact[-1]


def test_it_tells_how_good_it_is_and_where_it_looks():
    run = train_steps(REVERSE, SMALL)
    checked = [s for s in run if s.exact is not None]
    assert [s.step for s in checked] == [3, 6]
    assert checked[-1].weights.shape == (SMALL.layers, SMALL.heads, len(REVERSE.example) + 1, len(REVERSE.example))
    assert not checked[-1].weights.requires_grad
    sources, lengths, targets = encoded(REVERSE, [REVERSE.example])
    torch.testing.assert_close(checked[-1].weights, run.model(sources, lengths, targets).cross[0])


def test_the_same_seed_makes_the_same_run_and_it_can_be_left():
    straight = [(s.step, s.loss, s.exact) for s in train_steps(REVERSE, SMALL)]
    run = train_steps(REVERSE, SMALL)
    list(itertools.islice(run, 2))
    torch.rand(1)  # others draw from torch's own generator in between
    assert [(s.step, s.loss, s.exact) for s in run] == straight[2:]


def test_the_first_step_is_torchs_own_adam():
    run, reference = train_steps(REVERSE, SMALL), SMALL.model(REVERSE)
    optimizer = torch.optim.Adam(reference.parameters(), lr=SMALL.learning_rate)
    drawn = encoded(REVERSE, strings(REVERSE, SMALL.batch, batch_seed(SMALL.seed, 0), lengths=SMALL.lengths))
    logits = reference(drawn.sources, drawn.source_lengths, drawn.targets).logits
    loss = cross_entropy(logits.mT, drawn.targets, ignore_index=PADDING)
    loss.backward()
    torch.nn.utils.clip_grad_norm_(reference.parameters(), SMALL.clip)
    optimizer.step()
    assert next(run).loss == pytest.approx(loss.item(), rel=1e-5)
    for (name, mine), theirs in zip(run.model.named_parameters(), reference.parameters(), strict=True):
        # The keys' bias moves every score of a row alike, so its gradient is 0 but for rounding, which Adam blows up.
        if not name.endswith("W_k.bias"):
            torch.testing.assert_close(mine, theirs, atol=1e-4, rtol=0)


@pytest.mark.parametrize(
    ("setting", "sentence"),
    [
        ({"steps": 0}, "steps must be a whole number from 1 to 5,000"),
        ({"width": 30, "heads": 4}, "width must be even and a multiple of the 4 heads"),
        ({"layers": 0}, "layers must be a whole number from 1 to 12"),
        ({"shortest": 7}, "shortest length must be a whole number from . to 6"),
    ],
)
def test_bad_settings_are_said_in_a_sentence(setting, sentence):
    with pytest.raises(InputError, match=sentence):
        TransformerTrainingConfig(**setting)


@every_checkpoint
def test_the_stored_model_gets_the_claimed_share_of_unseen_texts_right(name):
    checkpoint = TRANSFORMERS[name]
    texts = strings(checkpoint.task, 400, 5, "unseen", checkpoint.config.lengths)
    assert exact_match(load_transformer(name), checkpoint.task, texts) >= checkpoint.exact


@every_checkpoint
def test_the_file_is_small_and_equals_its_settings(name):
    checkpoint, content = TRANSFORMERS[name], stored(name)
    assert len(files("attention_core").joinpath("checkpoints", f"{name}.npz").read_bytes()) < 200_000
    assert content.settings == {"task": checkpoint.task_name, "config": asdict(checkpoint.config)}


def test_the_stored_model_looks_at_the_mirrored_digit():
    model = load_transformer()
    peaks = []
    for text in strings(REVERSE, 40, 7, "unseen", TRANSFORMERS["transformer/reverse"].config.lengths):
        weights = write_text(model, REVERSE, text).cross[-1].mean(0)[: len(text)]  # without the end
        peaks += (weights.argmax(1) == torch.arange(len(text)).flip(0)).tolist()
    assert sum(peaks) / len(peaks) > 0.9


def test_saving_gives_the_model_back_and_every_caller_has_a_copy_of_its_own(tmp_path):
    name = "transformer/reverse"
    content, kept = (
        read(save(name, TRANSFORMERS[name], load_transformer(), tmp_path)).parameters,
        stored(name).parameters,
    )
    assert content.keys() == kept.keys()
    assert all(torch.equal(value, kept[key]) for key, value in content.items())
    load_transformer().output.bias.fill_(9)
    assert not (load_transformer().output.bias == 9).any()


def test_an_unknown_name_is_an_error():
    with pytest.raises(InputError, match="checkpoint must be one of transformer/reverse"):
        load_transformer("sort")


def test_the_stored_model_reverses_what_it_was_trained_on_and_fails_on_longer_strings():
    model, longest = load_transformer(), TRANSFORMERS["transformer/reverse"].config.longest
    for length, low, high in ((1, 1, 1), (2, 0.97, 1), (longest, 0.97, 1), (longest + 2, 0, 0.1)):
        texts = list(REVERSE.alphabet) if length == 1 else strings(REVERSE, 60, 3, "unseen", Lengths(length, length))
        assert low <= exact_match(model, REVERSE, texts) <= high, length
