"""Scripts taken home from the chapter on several heads make the numbers of the screen again."""

import pytest
import torch
from torch import nn

from attention_core.data import generate
from attention_core.demos.multihead import MOST_LEFT_OUT, drawn_layer
from attention_ui.chapters.multihead.choices import SHARES, Layer, Mixture
from attention_ui.chapters.multihead.computation import all_shares, mixture_computation
from attention_ui.chapters.multihead.export import mixing_export, vectors_export
from attention_ui.chapters.multihead.mixing import errors, heads_of
from attention_ui.controls.dataset import Dataset
from tests.attention_ui.export.exported import cells

MIXTURES = [
    (Mixture(Dataset(), (0.355, 0.562)), 0.5),
    (Mixture(Dataset("doppler", 120, 0.25, 5), (0.2, 0.5, 1 / 3), (-0.3,)), 1.8),
    (Mixture(Dataset.measured("faithful"), (0.2, 0.123456789)), -0.24),
    (Mixture(Dataset.own(generate(n=70), "do<b>se", "it's 'quoted'", "a file"), (0.2, 0.5)), 0.0),
    (Mixture(Dataset.own(generate(n=1_500), "x", "y", "a file"), (0.2, 0.5)), 0.3),
]


@pytest.mark.parametrize(("mixture", "share"), MIXTURES, ids=lambda case: getattr(case, "dataset", case))
def test_heads_that_are_mixed(agree, mixture, share):
    export = agree(mixing_export(mixture, SHARES.index(share)))
    shown, keys = export.computation.shown, len(mixture.dataset.samples().x)
    assert torch.equal(cells(export.tables["weights"], keys), shown["weights"])
    assert torch.equal(cells(export.tables["heads"], keys), shown["heads"].flatten(0, 1))
    assert export.tables["predictions"].mixture.tolist() == shown["output"].tolist()
    assert ("test_error" in shown) == mixture.dataset.has_truth
    assert ("loo_error" in shown) == (keys <= MOST_LEFT_OUT)
    drawn = {trace.name: trace for trace in export.figure.data}
    assert list(drawn["points"].y) == mixture.dataset.samples().y.tolist()


@pytest.mark.parametrize(("mixture", "share"), MIXTURES[:4], ids=lambda case: getattr(case, "dataset", case))
def test_what_ran_is_the_frame_at_this_share(mixture, share):
    frame, heads, (by_others, against) = SHARES.index(share), heads_of(mixture.dataset, mixture.widths), errors(mixture)
    shown, shares = mixture_computation(mixture, frame).shown, all_shares(mixture)[frame]
    torch.testing.assert_close(shown["output"], shares @ heads.outputs)
    torch.testing.assert_close(shown["heads"] @ shown["values"], heads.outputs)
    torch.testing.assert_close(shown["loo_error"], by_others[frame])
    if against is not None:
        torch.testing.assert_close(shown["test_error"], against[frame])


@pytest.mark.parametrize(
    "layer", [Layer(), Layer(8, 7, (True,) * 3 + (False,) * 5), Layer(1, 2, (False,))], ids=lambda layer: layer.heads
)
def test_heads_on_vectors_are_torchs_own(agree, layer):
    export = agree(vectors_export(layer))
    tokens, *maps, last = drawn_layer(8, 16, layer.seed)
    torchs = nn.MultiheadAttention(16, layer.heads, bias=False, batch_first=True, dtype=torch.float64)
    torchs.load_state_dict({"in_proj_weight": torch.cat(maps), "out_proj.weight": last})
    output, weights = torchs.requires_grad_(False)(tokens, tokens, tokens, average_attn_weights=False)
    torch.testing.assert_close(export.computation.shown["weights"], weights)
    if all(layer.on):
        torch.testing.assert_close(export.computation.shown["output"], output)
    assert torch.equal(cells(export.tables["output"], 16), export.computation.shown["output"][0])
    assert torch.equal(cells(export.tables["parts"], 16), export.computation.shown["parts"][0].flatten(0, 1))
    torch.testing.assert_close(torch.tensor(export.figure.data[-1].z).double(), weights[0, -1])
