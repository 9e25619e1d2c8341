"""Training: Adam against torch's own, runs that repeat and can be taken up again, and a model that gets better."""

import itertools
import math

import pytest
import torch
from torch.nn.functional import cross_entropy

from attention_core.checks import InputError
from attention_core.sequences.decoding import exact_match
from attention_core.sequences.tasks import TASKS, encoded, is_held_out, strings
from attention_core.sequences.training import SeqTrainingConfig, batch_seed, numbered, train_steps
from attention_core.sequences.vocabulary import PADDING

REVERSE = TASKS["reverse"]
SMALL = SeqTrainingConfig(steps=6, batch=8, hidden=8, embedding=4, check_every=3, check_count=5)


def parameters(model):
    return torch.cat([parameter.detach().flatten() for parameter in model.parameters()])


def test_a_short_run_improves_and_its_unseen_texts_come_out_right():
    config = SeqTrainingConfig(steps=150, batch=48, hidden=24, shortest=2, longest=3, check_every=50)
    run = train_steps(TASKS["copy"], config)
    steps = list(run)
    assert [s.step for s in steps] == list(range(1, 151))
    assert steps[0].loss == pytest.approx(math.log(13), abs=1.0)  # 13 symbols, not yet told apart
    assert steps[-1].loss < 0.2
    exact = [s.exact for s in steps if s.exact is not None]
    assert len(exact) == 3
    assert exact[-1] > 0.9
    unseen = strings(TASKS["copy"], 200, config.seed, "unseen", config.lengths)
    assert exact_match(run.model, TASKS["copy"], unseen) == exact[-1]


def test_every_few_steps_and_at_the_end_it_tells_how_good_it_is():
    steps = list(train_steps(REVERSE, SeqTrainingConfig(**{**vars(SMALL), "steps": 7})))
    checked = [s for s in steps if s.exact is not None]
    assert [s.step for s in checked] == [3, 6, 7]
    for progress in checked:
        assert progress.weights.shape == (len(REVERSE.example) + 1, len(REVERSE.example))
        assert torch.allclose(progress.weights.sum(-1), torch.ones(6))
        assert not progress.weights.requires_grad


def test_the_same_seed_makes_the_same_run_and_another_seed_another():
    first, again = train_steps(REVERSE, SMALL), train_steps(REVERSE, SMALL)
    # Interleaved, with others drawing from torch's own generator in between: two students share the process.
    losses = [(next(first).loss, torch.rand(1), next(again).loss) for _ in range(6)]
    assert [a for a, _, _ in losses] == [b for _, _, b in losses]
    assert torch.equal(parameters(first.model), parameters(again.model))
    assert next(train_steps(REVERSE, SeqTrainingConfig(**{**vars(SMALL), "seed": 1}))).loss != losses[0][0]


def test_a_run_can_be_left_and_gone_on_with():
    straight = list(train_steps(REVERSE, SMALL))
    run = train_steps(REVERSE, SMALL)
    list(itertools.islice(run, 2))
    rest = list(run)
    assert [(s.step, s.loss, s.exact) for s in rest] == [(s.step, s.loss, s.exact) for s in straight[2:]]
    assert list(run) == []


@pytest.mark.parametrize("clip", [1e-3, 100.0])
def test_the_steps_are_torchs_own_adam_with_clipping_and_a_falling_rate(clip):
    config = SeqTrainingConfig(**{**vars(SMALL), "clip": clip})
    run, reference = train_steps(REVERSE, config), config.model(REVERSE)
    optimizer = torch.optim.Adam(reference.parameters(), lr=config.learning_rate)
    schedule = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda step: 1 - step / config.steps)
    for step in range(config.steps):
        seed = batch_seed(config.seed, step)
        drawn = encoded(REVERSE, strings(REVERSE, config.batch, seed, lengths=config.lengths))
        logits = reference(drawn.sources, drawn.targets).logits
        loss = cross_entropy(logits.mT, drawn.targets, ignore_index=PADDING)
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(reference.parameters(), clip)
        optimizer.step()
        schedule.step()
        assert next(run).loss == pytest.approx(loss.item(), rel=1e-4)
    assert torch.allclose(parameters(run.model), parameters(reference), atol=1e-4)


def test_no_text_for_checking_is_drawn_for_training(monkeypatch):
    run, drawn = train_steps(REVERSE, SMALL), []
    monkeypatch.setattr(
        "attention_core.sequences.training.numbered", lambda texts, *form: drawn.extend(texts) or numbered(texts, *form)
    )
    list(run)
    assert len(drawn) == 48
    assert not any(is_held_out(REVERSE.solve(text)) for text in drawn)


def test_the_largest_rate_still_gives_finite_losses():
    config = SeqTrainingConfig(**{**vars(SMALL), "steps": 30, "learning_rate": 1.0, "check_every": 30})
    assert all(math.isfinite(s.loss) for s in train_steps(REVERSE, config))


@pytest.mark.parametrize(
    ("setting", "sentence"),
    [
        ({"steps": 0}, "steps must be a whole number from 1 to 5,000"),
        ({"learning_rate": 2.0}, "learning rate must be a number from 0 to 1"),
        ({"shortest": 7}, "shortest length must be a whole number from 1 to 6"),
        ({"longest": 31}, "longest length must be a whole number from 1 to 30"),
        ({"hidden": 0}, "hidden must be a whole number from 1 to 512"),
    ],
)
def test_bad_settings_are_said_in_a_sentence(setting, sentence):
    with pytest.raises(InputError, match=sentence):
        SeqTrainingConfig(**setting)
