"""Old links: the labels that once stood for options, and what a link meant by leaving a choice out.

Frozen: labels and usual values may change since, these must not.
"""

import re
from collections.abc import Mapping

DATA = {
    "Wave": "wave",
    "Line": "line",
    "Step": "step",
    "Bump on a slope": "bump",
    "Doppler: a narrowing wiggle": "doppler",
    "Sine with a gap": "gap",
    "Motorcycle crash": "motorcycle",
    "Engel's food budgets": "engel",
    "Old Faithful": "faithful",
    "Your own data": "own",
}
LABELS: dict[str, dict[str, str]] = {
    "cues_goal": {"Drink": "drink", "Read": "read", "Write": "write", "Nothing in particular": "nothing"},
    "cues_tab": {"Query, keys, values": "vectors", "What sets attention apart": "comparison"},
    "qkv_space": {"Line": "line", "Plane": "plane"},
    "heatmaps_source": {"Patterns": "patterns", "Your own": "own"},
    "heatmaps_tab": {"Row by row": "rows", "From the lab": "lab"},
    "heatmaps_patterns": {
        "Uniform": "uniform",
        "Identity": "identity",
        "Causal mask": "causal",
        "Banded": "banded",
        "Blocks": "blocks",
        "Previous": "previous",
        "Repeats": "repeats",
        "Untrained": "untrained",
    },
    "kr_function": DATA,
    "kr_tab": {
        "Numbers": "numbers",
        "One query": "one_query",
        "Which width?": "which_width",
        "Bias and variance": "bias_variance",
        "More data": "more_data",
        "The code": "code",
    },
    "batches_tab": {"A weighted average": "average", "Loop or batch": "race"},
    "batches_size": {"4 × 4": "4", "16 × 16": "16", "64 × 64": "64"},
    "lw_function": DATA,
    "lw_optimizer": {"SGD": "sgd", "Adam": "adam"},
    "lw_tab": {
        "Train": "train",
        "By hand": "by_hand",
        "Before and after": "before_after",
        "One step": "one_step",
        "Runs": "runs",
        "Head by head": "head_by_head",
    },
    "scoring_tab": {
        "Building blocks": "blocks",
        "Score explorer": "explorer",
        "Why √d?": "scaling",
        "The morph": "morph",
        "Masks": "masks",
        "Where it breaks": "analogy",
    },
    "scoring_block_score": {
        "Gaussian": "gaussian",
        "Dot product": "dot",
        "Scaled dot product": "scaled_dot",
        "Cosine": "cosine",
        "Bilinear": "bilinear",
        "Additive": "additive",
    },
    "scoring_question": {
        "Where it holds": "exact",
        "Symmetry": "symmetry",
        "Likeness": "likeness",
        "Order": "order",
        "Positive": "positive",
    },
    "bahdanau_tab": {
        "Step through decoding": "steps",
        "Train live": "train",
        "With and without attention": "lengths",
        "Explainability": "explain",
    },
    "bahdanau_task": {"Reverse digits": "reverse", "Rewrite a date": "dates"},
    "bahdanau_learns": {"Reverse": "reverse", "Copy": "copy", "Sort": "sort", "Rewrite a date": "dates"},
    "multihead_function": DATA,
    "multihead_tab": {"On the lab's data": "kernels", "On vectors": "vectors"},
    "sa_tab": {"Tokens": "tokens", "Positions": "positions", "Cost": "cost"},
    "sa_look": {"Drawn": "drawn", "Same word": "same", "Word before": "before"},
    "transformer_tab": {
        "Open it": "open_it",
        "All heads": "all_heads",
        "Step through decoding": "steps",
        "Train live": "training",
    },
    "transformer_model": {"The ready model": "ready", "Yours": "yours"},
    "transformer_norm": {"Post": "post", "Pre": "pre"},
}
# Sliders whose labels held their number among other signs.
NUMBERS = {
    "lw_hand": re.compile(r"w ([\d.e+-]{1,12}) · σ [\d.e+-]{1,12}", re.ASCII),
    "transformer_temperature": re.compile(r"T = ([\d.]{1,6})", re.ASCII),
}
LOCKS = {
    "rule_Leave-one-out": "rule_leave_one_out",
    "rule_Silverman": "rule_silverman",
    "rule_Scott": "rule_scott",
}

# Training in learned w once meant these where a link said something about it and left them out. A link of today says
# all three whenever it says anything about training.
TRAINING = ("lw_rate", "lw_epochs", "lw_loss", "lw_w0", "lw_optimizer", "lw_loo", "lw_heads")
LEFT_OUT = {"lw_rate": "0.1", "lw_epochs": "50", "lw_loss": "sum"}


# Several heads once began with the share 0.5, and the heads from the third on had parts of what the first left, of
# which the second had 100. A link of today says all shares whenever it says anything about the heads or their points.
HEADS = tuple(
    f"multihead_{name}"
    for name in ("function", "n", "noise", "seed", "points", "count", *(f"head{h}_width" for h in (1, 2, 3, 4)))
)
PARTS = ("multihead_head3_part", "multihead_head4_part")
USUAL_SHARE, USUAL_PART, MOST_OF_A_PART = 0.5, 50, 200


def text_left_out(key: str, link: Mapping[str, str]) -> str | None:
    """What an old link meant by leaving a choice out; None where it meant what is usual today."""
    if key.startswith("multihead_share") and any(name in link for name in (*HEADS, *PARTS)):
        return _share(key.removeprefix("multihead_share"), link)
    return LEFT_OUT.get(key) if any(name in link for name in TRAINING) else None


def _share(head: str, link: Mapping[str, str]) -> str | None:
    """The share of a head in an old link; None where a link of today leaves it to the page."""
    if not head:
        return f"{USUAL_SHARE:g}"
    heads = min(_number(link, "multihead_count", 2, 4), 4)
    parts = [100.0, *(_number(link, name, USUAL_PART, MOST_OF_A_PART) for name in PARTS[: int(heads) - 2])]
    first = _number(link, "multihead_share", USUAL_SHARE, 2.0)
    return f"{(1 - first) * parts[int(head) - 2] / sum(parts):.6g}" if int(head) <= heads else None


def _number(link: Mapping[str, str], name: str, usual: float, most: float) -> float:
    """A number that a link gives; the usual one where it gives none up to the largest."""
    text = link.get(name, "")
    if not re.fullmatch(r"-?\d{1,3}(\.\d{1,6})?", text, re.ASCII):
        return usual
    return float(text) if float(text) <= most else usual


def current_text(key: str, text: str) -> str:
    """A value of a link, old or new, in the words of today."""
    if (pattern := NUMBERS.get(key)) and (match := pattern.fullmatch(text)):
        return match[1]
    return LABELS.get(key, {}).get(text, text)


def current_lock(name: str) -> str:
    """The name of a control that a lesson hides, old or new, in the words of today."""
    return LOCKS.get(name, name)
