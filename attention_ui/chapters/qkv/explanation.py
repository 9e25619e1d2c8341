"""What the page says about its picture: in words, with its numbers, and as a formula."""

from attention_ui.chapters.qkv.choices import numbers_text, temperature_text
from attention_ui.chapters.qkv.computation import answer
from attention_ui.chapters.qkv.space import Asked

FORMULAS = (
    r"\underbrace{s_i}_{\text{score}} = -\tfrac{1}{2}\,\big\|\underbrace{q}_{\text{query}} - "
    r"\underbrace{k_i}_{\text{key}}\big\|^2",
    r"\underbrace{w_i}_{\text{weight}} = \frac{e^{s_i / T}}{\sum_j e^{s_j / T}}",
    r"\underbrace{f(q)}_{\text{output}} = \sum_i w_i\, \underbrace{v_i}_{\text{value}} = "
    r"\operatorname{softmax}(s / T)\, v",
)
QUESTION = (
    "Put the query halfway between two keys and lower the temperature to 0: which output do you get? "
    "Then raise the temperature to average pooling: does it still matter where the query is?"
)


def alternative(asked: Asked) -> str:
    """The picture in words, with its numbers."""
    output, weights = answer(asked)
    weighed = ", ".join(
        f"{name} with value {value:g} weighs {weight:.4f}"
        for name, value, weight in zip(
            asked.space.pairs.names, asked.space.pairs.values.tolist(), weights.tolist(), strict=True
        )
    )
    where = numbers_text(asked.query).replace(",", ", ")
    return f"Query at {where}, {temperature_text(asked.temperature)}: {weighed}. Output {output.item():.4f}."
