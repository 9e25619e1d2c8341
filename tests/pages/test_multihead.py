"""The chapter on several heads: what its widgets and links set, and that every number in words is torch's."""

import pytest
import torch

from attention_ui.chapters.multihead.choices import SHARES, Layer, Mixture
from attention_ui.chapters.multihead.computation import all_shares, layer_computation
from attention_ui.chapters.multihead.mixing import best_mixture, best_single, errors, heads_of
from attention_ui.controls.dataset import Dataset
from attention_ui.numbers import short
from tests.attention_ui.export.exported import shown_by
from tests.pages.opening import opened

VECTORS = {"multihead_tab": "vectors"}


def words(app):
    return "\n".join(text.value for text in app.markdown)


def test_it_opens_on_the_labs_data_with_two_heads_whose_best_mixture_beats_every_single_width():
    app = opened("multihead")
    assert app.select_slider(key="multihead_head1_width").value == 0.355
    assert app.select_slider(key="multihead_head2_width").value == 0.562
    by_others, against = errors(Mixture(Dataset(), (0.355, 0.562)))
    share, single = app.select_slider(key="multihead_share").value, best_single(Dataset())
    assert share == best_mixture(Dataset(), (0.355, 0.562))[0]
    frame = SHARES.index(share)
    assert by_others[frame] < single.loo_error
    assert against[frame] < single.test_error
    assert f"The leave-one-out error is {short(by_others[frame].item(), 4)}" in words(app)
    assert f"The true error is {short(against[frame].item(), 4)}" in words(app)
    assert not app.query_params


def test_a_link_sets_the_heads_the_share_and_the_data():
    app = opened(
        "multihead", multihead_share="1.8", multihead_count="3", multihead_head1_width="0.2",
        multihead_head3_width="2", multihead_share3="0.3", multihead_function="step", multihead_seed="4",
    )  # fmt: skip
    by_others, _ = errors(Mixture(Dataset("step", seed=4), (0.2, 0.562, 2.0), (0.3,)))
    assert "shares of the heads are 1.8, −1.1, 0.3. **Head 2 is subtracted" in words(app)
    assert f"The leave-one-out error is {short(by_others[140].item(), 4)}" in words(app)


@pytest.mark.parametrize(
    ("link", "shares"),
    [
        ({"multihead_count": "3", "multihead_head3_part": "100"}, [0.5, 0.25, 0.25]),
        ({"multihead_count": "3", "multihead_share": "2"}, [2, -2 / 3, -1 / 3]),
        ({"multihead_count": "4", "multihead_share": "-1", "multihead_head4_part": "150"}, [-1, 2 / 3, 1 / 3, 1]),
        ({"multihead_n": "20"}, [0.5, 0.5]),
    ],
)
def test_an_old_link_gave_the_heads_parts_of_what_the_first_left(link, shares):
    listed = ", ".join(f"{round(share, 4):g}".replace("-", "−") for share in shares)
    app = opened("multihead", **link)
    assert f"shares of the heads are {listed}. **" in words(app)
    assert not [name for name in app.query_params if name.endswith("_part")], "the shares say it now"


def test_another_number_of_heads_begins_with_the_best_shares_and_the_link_says_them():
    app = opened("multihead", multihead_share="0.5")
    app.segmented_control(key="multihead_count").set_value(4).run()
    first, _, *later = best_mixture(Dataset(), (0.355, 0.562, 0.1, 1.5))
    assert app.select_slider(key="multihead_share").value == first
    assert [app.slider(key=f"multihead_share{h}").value for h in (3, 4)] == later
    assert [float(app.query_params[f"multihead_{name}"]) for name in ("share", "share3", "share4")] == [
        first,
        *later,
    ]
    app.slider(key="multihead_share3").set_value(0.5).run()
    again = opened("multihead", **app.query_params)
    assert [again.slider(key=f"multihead_share{h}").value for h in (3, 4)] == [0.5, later[1]]
    assert again.select_slider(key="multihead_share").value == first


@pytest.mark.parametrize(("heads", "widths"), [("2", (0.355, 0.562)), ("3", (0.355, 0.562, 0.1))])
def test_a_button_takes_the_best_shares(heads, widths):
    app = opened("multihead", multihead_count=heads, multihead_share="0.5")
    app.button(key="multihead_best").click().run()
    first, _, *later = best_mixture(Dataset(), widths)
    assert app.select_slider(key="multihead_share").value == first
    assert [app.slider(key=f"multihead_share{h + 3}").value for h in range(len(later))] == later
    assert "% less**" in words(app)


def test_heads_stay_apart_on_data_of_another_range():
    app = opened("multihead", multihead_function="engel", multihead_head1_width="0.355", multihead_head2_width="0.562")
    first, second = (app.select_slider(key=f"multihead_head{h}_width").value for h in (1, 2))
    assert 100 < first < second


def test_measured_data_have_no_error_against_the_truth():
    app = opened("multihead", multihead_function="faithful")
    assert "leave-one-out error" in words(app)
    assert "true error" not in words(app)


def test_switching_a_head_off_tells_torchs_damage():
    app = opened("multihead", **VECTORS)
    assert "All heads are on" in words(app)
    app.pills(key="multihead_on_4").set_value(["1", "3", "4"]).run()
    damage = layer_computation(Layer(4, 0, (True, False, True, True))).shown["damage"].item()
    assert f"**Head 2 is off.** That changes the output by **{100 * damage:.1f} %**" in words(app)
    app.pills(key="multihead_on_4").set_value([]).run()
    assert "**Heads 1, 2, 3, 4 are off.** That changes the output by **100.0 %**" in words(app)


def test_a_button_draws_other_numbers_and_the_link_says_which():
    app = opened("multihead", **VECTORS)
    app.button(key="multihead_seed_vectors_next").click().run()
    assert app.query_params["multihead_seed_vectors"] == "1"
    app = opened("multihead", **VECTORS, multihead_seed_vectors="9")
    app.button(key="multihead_seed_vectors_next").click().run()
    assert "multihead_seed_vectors" not in app.query_params


@pytest.mark.parametrize("heads", ["1", "2", "4", "8"])
def test_the_shapes_and_torchs_agreement_are_shown(heads):
    text = words(opened("multihead", **VECTORS, multihead_vector_heads=heads, multihead_seed_vectors="7"))
    assert f"| queries | (B, H, T, D) | 1 × {heads} × 8 × {16 // int(heads)} |" in text
    assert f"| weights | (B, H, T, T) | 1 × {heads} × 8 × 8 |" in text
    assert float(text.split("by at most **")[1].split("**")[0]) < 1e-12
    assert float(text.split("difference is **")[1].split("**")[0]) < 1e-12


@pytest.mark.parametrize("bad", ["NaN", "inf", "", "<script>alert(1)</script>", "x" * 10_000])
def test_vectors_survive_any_link(bad):
    keys = ("multihead_vector_heads", "multihead_on_4", "multihead_seed_vectors", "multihead_token")
    assert opened("multihead", **VECTORS, **dict.fromkeys(keys, bad)).info


@pytest.mark.parametrize("bad", ["NaN", "inf", "", "-3", "1e99"])
def test_widths_survive_any_link(bad):
    keys = [f"multihead_head{h}_{name}" for h in (1, 2, 3, 4) for name in ("width", "part")] + [
        "multihead_share3",
        "multihead_share4",
    ]
    assert opened("multihead", multihead_count="4", **dict.fromkeys(keys, bad)).info


def shown(**parameters):
    """What the page's code makes."""
    app = opened("multihead", **parameters)
    app.session_state["multihead_code"] = True
    app.run()
    (code,) = [block.value for block in app.code]
    return shown_by(code)


def test_the_code_makes_what_is_shown():
    mixture, made = Mixture(Dataset(), (0.355, 0.562)), shown(multihead_share="1.8")
    expected = all_shares(mixture)[SHARES.index(1.8)] @ heads_of(mixture.dataset, mixture.widths).outputs
    torch.testing.assert_close(made["output"], expected)
    made = shown(**VECTORS, multihead_on_4="1")
    torch.testing.assert_close(
        made["output"], layer_computation(Layer(4, 0, (True, False, False, False))).shown["output"]
    )
