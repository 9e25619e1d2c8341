"""What the page says about its picture: the numbers in a table, in words, and as a formula."""

from attention_ui.chapters.qkv.calls import answer, ran
from attention_ui.chapters.qkv.choices import query_text, temperature_text
from attention_ui.chapters.qkv.space import Asked

FORMULAS = (
    r"\underbrace{s_i}_{\text{score}} = -\tfrac{1}{2}\,\big\|\underbrace{q}_{\text{query}} - "
    r"\underbrace{k_i}_{\text{key}}\big\|^2",
    r"\underbrace{w_i}_{\text{weight}} = \frac{e^{s_i / T}}{\sum_j e^{s_j / T}}",
    r"\underbrace{f(q)}_{\text{output}} = \sum_i w_i\, \underbrace{v_i}_{\text{value}} = "
    r"\operatorname{softmax}(s / T)\, v",
)
QUESTION = (
    "Put the query halfway between two keys and lower the temperature to 0: which value comes out? "
    "Then raise it to average pooling: does it still matter where the query is?"
)


def table(asked: Asked) -> str:
    """Every pair's score, weight and share of the output as Markdown, with the sums in the last row."""
    (output, weights), pairs = answer(asked), asked.space.pairs
    rows = [("Pair", "Key", "Score", "Weight", "Value", "Weight × value"), ("---", *("---:",) * 5)]
    for name, key, score, weight, value in zip(
        pairs.names,
        pairs.keys.tolist(),
        ran(asked).shown["scores"][0].tolist(),
        weights.tolist(),
        pairs.values.tolist(),
        strict=True,
    ):
        place = ", ".join(f"{number:g}" for number in key)
        rows.append((name, place, f"{score:.4f}", weight_text(weight), f"{value:g}", f"{weight * value:.4f}"))
    rows.append(("**Sum**", "", "", f"**{weights.sum().item():.6f}**", "", f"**{output.item():.4f}**"))
    proof = f"No weight is below 0: the smallest is {weight_text(weights.min().item())}. Together they make 1."
    return "\n".join(f"| {' | '.join(cells)} |" for cells in rows) + f"\n\n{proof}"


def weight_text(weight: float) -> str:
    """Six decimals, and powers of ten for what these would hide."""
    return f"{weight:.1e}" if 0 < weight < 5e-7 else f"{weight:.6f}"


def alternative(asked: Asked) -> str:
    """The picture in words, with its numbers."""
    output, weights = answer(asked)
    heard = ", ".join(
        f"{name} with value {value:g} weighs {weight:.4f}"
        for name, value, weight in zip(
            asked.space.pairs.names, asked.space.pairs.values.tolist(), weights.tolist(), strict=True
        )
    )
    where = query_text(asked.query).replace(",", ", ")
    return f"Query at {where}, {temperature_text(asked.temperature)}: {heard}. Output {output.item():.4f}."
