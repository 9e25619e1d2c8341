"""What the views on several heads give away: widths that are mixed, and heads on vectors beside torch's own."""

import pandas as pd
import torch
from torch import Tensor

from attention_core.data import MOST_READ
from attention_core.learning.heads import head_weights
from attention_ui.chapters.multihead.layer import SHARPER, TOKENS, WIDTH, Layer, looked
from attention_ui.chapters.multihead.mixing import SHARES, Mixture, all_shares, errors, heads_of
from attention_ui.chapters.multihead.scene import graphs, known_lines, scene, share_text
from attention_ui.chapters.multihead.snippet import kernels_snippet, mixture_lines, vectors_snippet
from attention_ui.export import Export
from attention_ui.export.points import BEFORE, CURVES, plain_points, plain_queries
from attention_ui.export.still import still
from attention_ui.export.tables import outputs_table, points_table, stacked_table, weights_table
from attention_ui.numbers import short
from attention_ui.pictures import Graph, Heatmap, Names, Picture, Trace

MOST_LEFT_OUT = 1_000  # points: with more the scripts leave the leave-one-out error to the page
NAMES = Names("query", "key", "weight", "queries", "keys, or groups of them")
LEAVE_ONE_OUT = """
# Leave one out: every point is predicted by each head from all the others.
scores = -0.5 * (({x}[:, None] - {x}) / widths[:, None, None]) ** 2  # (heads, points, points)
scores.diagonal(dim1=1, dim2=2).fill_(-torch.inf)  # nobody attends to itself
loo_error = (shares @ (scores.softmax(-1) @ {y}) - {y}).square().mean()
print("leave-one-out error", loo_error)
"""


def mixing_export(mixture: Mixture, share: str) -> Export:
    """The mixture at this share: its curve, its weights, every head's own, and the errors."""
    dataset, frame = mixture.dataset, SHARES.index(float(share))
    heads, shares = heads_of(dataset, mixture.widths), all_shares(mixture)[frame]
    own = head_weights(heads.coarse, dataset.samples().x, [1 / width for width in mixture.widths])  # (H, Q, K)
    weights, output = torch.einsum("h,hqk->qk", shares, own), shares @ heads.outputs
    results = {"output": output, "weights": weights, **_errors(mixture, frame)}
    alone = {f"head_{h}": head for h, head in enumerate(heads.outputs, 1)}
    return Export(
        "multihead-mixture",
        f"{dataset.title}: {len(mixture.widths)} heads mixed, head 1 with the share {share}",
        still(_picture(mixture, frame), frame=frame),
        {
            "data": points_table(dataset),
            "predictions": outputs_table(heads.coarse, mixture=output, **alone),
            "weights": weights_table(heads.coarse, weights),
            "heads": stacked_table([f"head {h}" for h in range(1, len(own) + 1)], own, "head"),
            "errors": pd.DataFrame({"share": SHARES, **_error_columns(mixture)}),
        },
        _mixing_script(mixture, share),
        _mixing_plain(mixture, share),
        results,
    )


def _error_columns(mixture: Mixture) -> dict[str, list[float]]:
    by_others, against = errors(mixture)
    columns = {"leave-one-out error": by_others.tolist()}
    return columns if against is None else {**columns, "error against the truth": against.tolist()}


def _errors(mixture: Mixture, frame: int) -> dict[str, Tensor]:
    """The errors that the scripts work out again."""
    by_others, against = errors(mixture)
    found = {"loo_error": by_others[frame]} if len(mixture.dataset.samples().x) <= MOST_LEFT_OUT else {}
    return found if against is None else {**found, "test_error": against[frame]}


def _judged(mixture: Mixture, x: str, y: str, known: str) -> str:
    """The lines that work out the errors, of points with these names; `known` subtracts the truth from the output."""
    dataset = mixture.dataset
    text = LEAVE_ONE_OUT.format(x=x, y=y) if len(dataset.samples().x) <= MOST_LEFT_OUT else ""
    if not dataset.has_truth:
        return text
    return f'{text}\n{known}.square().mean()\nprint("error against the truth", test_error)\n'


def _mixing_script(mixture: Mixture, share: str) -> str:
    script, name = kernels_snippet(mixture, share, MOST_READ), mixture.dataset.name
    if mixture.dataset.has_truth:
        script = script.replace("query_grid", "query_grid, truth", 1)
    return script + _judged(mixture, "samples.x", "samples.y", f"test_error = (output - truth({name!r}, queries))")


def _mixing_plain(mixture: Mixture, share: str) -> str:
    name = mixture.dataset.name
    known = f"x = queries\n{BEFORE.get(name, '')}truth = {CURVES.get(name)}\ntest_error = (output - truth)"
    return f"""import torch

{plain_points(mixture.dataset)}
{plain_queries(mixture.dataset)}
{mixture_lines(mixture, share)}

# Every head is a Gaussian kernel of its own width; the shares, which may be negative, mix what they attend to.
scores = -0.5 * ((queries[:, None] - keys) / widths[:, None, None]) ** 2  # (heads, queries, keys)
weights = torch.einsum("h,hqk->qk", shares, scores.softmax(-1))  # every row sums to 1
output = weights @ values

print(output)         # one prediction per query
print(weights.shape)  # (queries, keys)
{_judged(mixture, "keys", "values", known)}"""


def _picture(mixture: Mixture, frame: int) -> Picture:
    """The curve and its weights, as one picture."""
    made, heads = scene(mixture, ""), heads_of(mixture.dataset, mixture.widths)
    rows = tuple(short(query) for query in heads.coarse.tolist())
    columns = tuple(str(column) for column in range(heads.weights.shape[-1]))
    shares = all_shares(mixture)[frame].tolist()
    panels = (
        Heatmap(f"Mixed, head 1 with {share_text(SHARES[frame])}", made.heatmaps[0].frames[frame], rows, columns),
        *(
            Heatmap(f"Head {h}: σ = {short(width)}, share {share:.2f}", each, rows, columns)
            for h, (width, each, share) in enumerate(zip(mixture.widths, heads.weights, shares, strict=True), 1)
        ),
    )
    return Picture(panels, (f"share {share_text(SHARES[frame])}",), graphs=(_curve(mixture, frame), *graphs(mixture)),
                     names=NAMES)  # fmt: skip


def _curve(mixture: Mixture, frame: int) -> Graph:
    made, heads, (x, y) = scene(mixture, ""), heads_of(mixture.dataset, mixture.widths), mixture.dataset.samples()
    lines = (Trace(line.name, line.role, heads.fine, line.values) for line in known_lines(mixture, heads))
    mixed = Trace("heads mixed", "prediction", heads.fine, made.curve.values[frame])
    none = torch.empty(0)
    return Graph(
        "Prediction", made.curve.x, made.curve.y, (Trace("points", "points", x, y), *lines, mixed), (none, none)
    )


def vectors_export(layer: Layer) -> Export:
    """Every head's weights, what each adds, and the output of those that are on."""
    seen = looked(layer)
    tokens = tuple(f"t{place}" for place in range(1, TOKENS + 1))
    titles = [f"Head {h}" + ("" if lit else ", off") for h, lit in enumerate(layer.on, 1)]
    panels = tuple(Heatmap(t, w, tokens, tokens) for t, w in zip(titles, seen.weights, strict=True))
    numbers = [f"number_{place}" for place in range(1, WIDTH + 1)]
    output = pd.DataFrame(seen.output.tolist(), columns=numbers)
    output.insert(0, "token", list(tokens))
    parts = pd.DataFrame(seen.parts.flatten(0, 1).tolist(), columns=numbers)
    parts.insert(0, "token", list(tokens) * layer.heads)
    parts.insert(0, "head", [h for h in range(1, layer.heads + 1) for _ in tokens])
    return Export(
        "multihead-vectors",
        f"{layer.heads} heads on {TOKENS} tokens, {sum(layer.on)} of them on",
        still(Picture(panels, low=0.0, high=1.0, across=4 if layer.heads > 4 else None)),
        {"weights": stacked_table(titles, seen.weights, "head"), "output": output, "parts": parts},
        vectors_snippet(layer.heads, layer.seed, layer.on),
        _vectors_plain(layer),
        {
            "weights": seen.weights,
            "output": seen.output,
            "parts": seen.parts,
            "damage": torch.tensor(seen.damage, dtype=torch.float64),
        },
    )


def _vectors_plain(layer: Layer) -> str:
    on = [float(lit) for lit in layer.on]
    return f'''"""Multi-head attention beside torch's own layer with the same numbers: PyTorch alone."""

import torch

HEADS, TOKENS, WIDTH = {layer.heads}, {TOKENS}, {WIDTH}
generator = torch.Generator().manual_seed({layer.seed})
X = torch.randn(1, TOKENS, WIDTH, generator=generator)[0].double()
W_q, W_k, W_v, W_o = (
    torch.nn.init.xavier_uniform_(torch.empty(WIDTH, WIDTH), generator=generator).double() for _ in range(4)
)
W_q *= {SHARPER:g}  # as training would: sharper than a fresh layer


def split(rows):
    """(tokens, width) -> (heads, tokens, width / heads): every head gets its own strip."""
    return rows.unflatten(-1, (HEADS, -1)).transpose(0, 1)


queries, keys, values = split(X @ W_q.T), split(X @ W_k.T), split(X @ W_v.T)
weights = (queries @ keys.mT / (WIDTH / HEADS) ** 0.5).softmax(-1)  # (heads, tokens, tokens)
heads = weights @ values
strips = W_o.T.unflatten(0, (HEADS, -1))  # (heads, width / heads, width): the rows of W_o that belong to each head

on = torch.tensor({on}, dtype=torch.float64)  # 1 for a head that is on
parts = on[:, None, None] * heads @ strips  # what each head adds
output, full = parts.sum(0), (heads @ strips).sum(0)
damage = (output - full).norm() / full.norm()

# torch's own layer with the same numbers.
layer = torch.nn.MultiheadAttention(WIDTH, HEADS, bias=False, batch_first=True, dtype=torch.float64)
with torch.no_grad():
    layer.in_proj_weight.copy_(torch.cat([W_q, W_k, W_v]))
    layer.out_proj.weight.copy_(W_o)
    its_output, its_weights = layer(X[None], X[None], X[None], average_attn_weights=False)

print("damage", damage)
print("torch's own layer differs by", (its_output[0] - full).abs().max(), (its_weights[0] - weights).abs().max())
'''
