"""What the views of a trained Transformer give away: an opened block, all heads, and the writing of a text."""

import pandas as pd
import torch
from torch import Tensor

from attention_core.sequences.vocabulary import END
from attention_core.transformer.recorder import axes
from attention_ui.chapters.transformer import opening, snippet
from attention_ui.chapters.transformer.decoding import Writing, probabilities, written
from attention_ui.chapters.transformer.export_blocks import TOTAL, block_plain, piece
from attention_ui.chapters.transformer.figures import head_names, heads_picture, to_write
from attention_ui.chapters.transformer.models import REVERSE, Look, look
from attention_ui.chapters.transformer.state import Asked
from attention_ui.export import Export
from attention_ui.export.still import still
from attention_ui.export.tensors import embedded, reading
from attention_ui.pictures import Heatmap, Names, Picture

WRITTEN = Names("symbol written", "symbol read", "weight", "symbols written", "symbols read")
ATTENTION = '''def attention(queries, keys, causal=False):
    """softmax(Q K^T / sqrt(D)), (layers, heads, queries, keys); causal: no symbol sees a later one."""
    scores = queries @ keys.mT / queries.shape[-1] ** 0.5
    if causal:
        scores = scores.masked_fill(torch.ones(scores.shape[-2:], dtype=torch.bool).triu(1), -torch.inf)
    return scores.softmax(-1)'''


def block_export(asked: Asked, tensor: str) -> Export:
    """The open tensor, and the block that makes it."""
    seen = look(asked.model, asked.text)
    found, (part, _, word) = piece(asked.model, seen, tensor), tensor.rpartition(".")
    shown, title = TOTAL.get(word, word), f"{_called(part)}: {word} of {asked.text}"
    cells = _without_batch(tensor, seen.tensors[tensor])
    header = opening.described(tensor, seen.tensors[tensor], seen)
    titles = [f"Head {head + 1}" for head in range(len(cells))] if "H" in axes(tensor) else [title]
    panels = tuple(
        Heatmap(name, rows, header["rows"], header["columns"])
        for name, rows in zip(titles, cells.reshape(-1, *cells.shape[-2:]), strict=True)
    )
    names = Names("row", "column", word, header["axes"][-2], header["axes"][-1])
    made = {TOTAL.get(name, name): f"{part}.{name}" for name in found.made}
    return Export(
        f"transformer-{part.replace('.', '-').replace('_', '-')}-{word}",
        title,
        still(Picture(panels, low=header["low"], high=header["high"], names=names)),
        {shown: _table(panels)},
        snippet.opened(asked, tensor, made),
        block_plain(found, title, shown),
        {name: _without_batch(each, seen.tensors[each]) for name, each in made.items()},
    )


def _called(part: str) -> str:
    """Which part of the Transformer it is, in words: Encoder, layer 1, self-attention."""
    side, *inside = part.split(".")
    words = [f"layer {int(word) + 1}" if word.isdigit() else word.replace("_", "-") for word in inside]
    return ", ".join([side.capitalize(), *words])


def _without_batch(name: str, tensor: Tensor) -> Tensor:
    return tensor[0] if axes(name).startswith("B") else tensor


def _table(panels: tuple[Heatmap, ...]) -> pd.DataFrame:
    """One row for each row of each picture; labels repeat, so columns are numbered."""
    columns = [f"{place}: {label}" for place, label in enumerate(panels[0].columns)]
    parts = []
    for panel in panels:
        part = pd.DataFrame(panel.frames.tolist(), columns=columns)
        part.insert(0, "row", list(panel.rows))
        if len(panels) > 1:
            part.insert(0, "picture", panel.title)
        parts.append(part)
    return pd.concat(parts, ignore_index=True)


def heads_export(asked: Asked) -> Export:
    """The weights of every head of every layer."""
    seen = look(asked.model, asked.text)
    text = seen.text
    kinds = {"encoder": text.encoder, "decoder": text.decoder, "cross": text.cross}
    labels = {"encoder": (text.text, text.text), "decoder": (text.before,) * 2, "cross": (text.symbols, text.text)}
    return Export(
        "transformer-heads",
        f"Every head of the Transformer: {asked.text} → {text.output}",
        still(heads_picture(text)),
        {kind: _table(_panels(weights, *map(tuple, labels[kind]))) for kind, weights in kinds.items()},
        snippet.all_heads(asked),
        f'''"""Every head of a small Transformer that reverses {asked.text}: PyTorch alone."""

import base64

import torch


{reading()}


{ATTENTION}


# The queries and keys of every layer and head, as the trained model makes them.
{embedded(**_projected(seen, len(text.encoder), "encoder", "encoder", "self_attention"))}
{embedded(**_projected(seen, len(text.cross), "decoder", "decoder", "self_attention"))}
{embedded(**_projected(seen, len(text.cross), "cross", "decoder", "cross_attention"))}

encoder = attention(encoder_queries, encoder_keys)
decoder = attention(decoder_queries, decoder_keys, causal=True)
cross = attention(cross_queries, cross_keys)  # from what is written to what was read

print(encoder.shape, decoder.shape)
print(cross[-1])
''',
        kinds,
    )


def _panels(weights: Tensor, rows: tuple[str, ...], columns: tuple[str, ...]) -> tuple[Heatmap, ...]:
    names = head_names(weights)
    return tuple(Heatmap(n, w, rows, columns) for n, w in zip(names, weights.flatten(0, 1), strict=True))


def _projected(seen: Look, layers: int, name: str, side: str, part: str) -> dict[str, Tensor]:
    """Queries and keys (layers, heads, rows, width) of one kind of attention."""
    return {
        f"{name}_{word}": torch.cat([seen.tensors[f"{side}.{layer}.{part}.{word}"] for layer in range(layers)])
        for word in ("queries", "keys")
    }


def decoding_export(asked: Asked, writing: Writing, temperature: float) -> Export:
    """Where every head looked for every symbol, and the distribution that it was chosen from."""
    seen = written(writing, temperature)
    text, logits = seen.text, seen.tensors["next.logits"][0]
    chances = probabilities(logits, temperature)[:, END:]
    names = REVERSE.target.symbols[END:]
    panels = _panels(text.cross, to_write(text.symbols), tuple(text.text))
    chosen = Heatmap(f"Chance at T = {temperature:g}", chances, to_write(text.symbols), names)
    table = pd.DataFrame(chances.tolist(), columns=list(names))
    table.insert(0, "written", list(text.symbols))
    return Export(
        "transformer-decoding",
        f"Symbol by symbol at T = {temperature:g}: {text.text} → {text.output}",
        still(Picture((*panels, chosen), low=0.0, high=1.0, names=WRITTEN._replace(columns="symbols"))),
        {"probabilities": table, "cross": _table(panels)},
        snippet.decoding(asked, writing, temperature),
        _decoding_plain(seen, writing, temperature),
        {"probabilities": chances, "cross": text.cross},
    )


def _decoding_plain(seen: Look, writing: Writing, temperature: float) -> str:
    symbols = list(REVERSE.target.symbols)
    share = f"(logits[:, {END}:] / {temperature:g}).softmax(-1)  # padding and begin are never written"
    if temperature == 0:
        share = f"one_hot(logits[:, {END}:].argmax(-1), {len(symbols) - END}).float()  # T = 0: all on the likeliest"
    choice = f"chosen = probabilities.argmax(-1) + {END}"
    if writing.seed is not None and temperature > 0:
        choice = f"""generator = torch.Generator().manual_seed({writing.seed})
shares = torch.cat([torch.zeros(len(logits), {END}), probabilities], 1)  # symbol by symbol, as they were drawn
chosen = torch.cat([torch.multinomial(row[None], 1, generator=generator)[0] for row in shares])"""
    return f'''"""How a small Transformer reverses {writing.text} at temperature {temperature:g}: PyTorch alone."""

import base64

import torch
{"from torch.nn.functional import one_hot" + chr(10) if temperature == 0 else ""}

{reading()}


{ATTENTION}


# What the trained model makes: a logit of every symbol for every place, and the heads' queries and keys.
{embedded(logits=seen.tensors["next.logits"][0])}
{embedded(**_projected(seen, len(seen.text.cross), "cross", "decoder", "cross_attention"))}

cross = attention(cross_queries, cross_keys)  # (layers, heads, written, read)
probabilities = {share}
{choice}

names = {symbols!r}
for symbol, row in zip(chosen.tolist(), probabilities):
    print(names[symbol], [round(share, 4) for share in row.tolist()])
'''
