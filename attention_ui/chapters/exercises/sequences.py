"""Exercises on sequences: decoders, heads, order and the causal mask."""

import plotly.graph_objects as go

from attention_core.experiments import Finding
from attention_core.experiments.causal import changed_word
from attention_core.sequences.checkpoint import CHECKPOINTS
from attention_ui.chapters.exercises.exercise import Choice, Drawing, Exercise, bar_panels
from attention_ui.chapters.exercises.figures import bars, lines, maps
from attention_ui.chapters.exercises.judging import found
from attention_ui.export.writing import Field
from attention_ui.numbers import short

WORDS = [f"word {word}" for word in range(1, 7)]
SENTENCE = ("the", "cat", "sat", "on", "a", "mat")


SHORT, LONG = (CHECKPOINTS[name].config for name in ("reverse-fixed", "reverse-fixed-long"))
DECODERS = ("Looks back", "One vector", f"One vector, {LONG.steps:,} steps")


def _right(finding: Finding, count: int = len(DECODERS)) -> go.Figure:
    """The shares of the first decoders at every length."""
    shares = dict(zip(DECODERS[:count], finding.drawn["right"], strict=False))
    return lines(finding.drawn["lengths"], shares, ("digits in the text", "share reversed right"))


def _exchanged(finding: Finding) -> go.Figure:
    place = int(finding.numbers["word exchanged"]) - 1
    names = [f"{name}, exchanged" if i == place else name for i, name in enumerate(WORDS)]
    return bars(names, {"change": finding.drawn["change"]}, "largest change of its output")


def _shuffled(finding: Finding) -> go.Figure:
    plain, placed = finding.drawn["changes"]
    words = [SENTENCE[place] for place in finding.drawn["order"].tolist()]
    return bars(words, {"With positions": placed, "Without": plain}, "largest change of what it reads")


def _alignment(seed: int) -> go.Figure:
    return maps([found("blanked", seed).drawn["weights"]], ["weights"], ("digits read", "digits written, then the end"))


EXERCISES = (
    Exercise(
        "bottleneck",
        "bahdanau",
        "One vector for everything",
        f"Two decoders trained for {SHORT.steps} steps to reverse strings of {SHORT.shortest} to {SHORT.longest} "
        "digits. One gets a single vector for the whole text, the other looks back at every digit. **Where does the "
        "single vector get under 90 % right?**",
        Choice(
            {
                "neither": "Nowhere: it keeps up",
                "long": "At 6 digits, not yet at 3",
                "both": "Already at 3 digits",
            },
            "long",
        ),
        lambda seed: _right(found("bottleneck", seed), count=1),
        "The decoder that looks back, on 50 unseen strings of each length.",
        _right,
        lambda finding: (
            "One vector must hold every digit and its place. After "
            f"{SHORT.steps} steps it has learned that for {short(100 * finding.numbers['one vector, 3 digits'])} % of "
            f"strings of 3 digits and {short(100 * finding.numbers['one vector, 6 digits'])} % of those of 6. It is "
            f"not too small: after {LONG.steps:,} steps the same model reverses "
            f"{short(100 * finding.numbers['one vector trained longer, 6 digits'])} % of the strings of 6. Attention "
            "keeps all states and picks the one it needs, so it learns long strings sooner."
        ),
        lambda seed: {"bahdanau_tab": "lengths"},
        drawing=Drawing(
            "graphs",
            {
                "x": Field("lengths"),
                "lines": {name: Field("right", place) for place, name in enumerate(DECODERS)},
                "across": "digits",
            },
        ),
    ),
    Exercise(
        "blanked",
        "bahdanau",
        "Is attention an explanation",
        "For every digit the decoder writes, we replace one digit of the text: once the one with the **largest "
        "weight**, once the one with the **smallest**. **Which change makes it write another digit more often?**",
        Choice(
            {
                "most": "That of the most attended digit",
                "same": "Both about as often",
                "least": "That of the least attended digit",
            },
            "most",
        ),
        _alignment,
        "Where the decoder looks while it reverses the first of eight texts.",
        lambda finding: bars(
            ["most attended", "least attended"], {"changed": finding.drawn["shares"]}, "share of digits that changed"
        ),
        lambda finding: (
            f"{short(100 * finding.numbers['changed with the most attended digit'])} % against "
            f"{short(100 * finding.numbers['changed with the least attended digit'])} %: here the weights do tell what "
            "the output rests on. That is a fact about this small model, found by changing the input. Weights alone do "
            "not prove it."
        ),
        lambda seed: {"bahdanau_tab": "explain"},
        drawing=bar_panels(share_of_digits_that_changed=(["most attended", "least attended"], Field("shares"))),
    ),
    Exercise(
        "heads",
        "multihead",
        "One head into eight",
        "A layer of attention with one head is split into **eight heads**, the width stays. **How many numbers does it "
        "learn now?**",
        Choice(
            {
                "more": "Eight times as many",
                "same": "As many as before",
                "fewer": "An eighth",
            },
            "same",
        ),
        lambda seed: maps([found("heads", seed).drawn["single"][0]], ["one head: one map"]),
        "Six random tokens, one head.",
        lambda finding: maps(list(finding.drawn["maps"]), [f"head {head}" for head in range(1, 9)]),
        lambda finding: (
            f"{int(finding.numbers['parameters with eight heads']):,} either way: the four maps are cut into strips, "
            f"{int(finding.numbers['width of each of eight heads'])} wide each. What you get for it is eight different "
            "maps of weights; what you pay is that each compares fewer numbers."
        ),
        drawing=Drawing("heatmaps", {"matrices": {f"head {head + 1}": Field("maps", head) for head in range(8)}}),
    ),
    Exercise(
        "shuffle",
        "self_attention",
        "Shuffled words",
        "The words of a sentence are shuffled. **Does what each word reads from the others change**, without "
        "positional encoding and with it?",
        Choice(
            {
                "both": "It changes in both cases",
                "positions": "Only with positions",
                "plain": "Only without positions",
                "neither": "In neither case",
            },
            "positions",
        ),
        lambda seed: maps([found("shuffle", seed).drawn["weights"]], ["weights"], ("words", "words"), SENTENCE),
        "Self-attention of six words before the shuffle, without positions.",
        _shuffled,
        lambda finding: (
            "Without positions a word meets the same others with the same scores, wherever they stand: the change of "
            f"{short(finding.numbers['largest change without positions'])} is rounding. Attention reads a set. "
            "Positions make the order part of what is compared."
        ),
        drawing=bar_panels(without_positions=(WORDS, Field("changes", 0)), with_positions=(WORDS, Field("changes", 1))),
    ),
    Exercise(
        "causal",
        "transformer",
        "Under the causal mask",
        "Each word may look only at itself and back. One word in the middle is exchanged. **Whose output changes?**",
        Choice(
            {
                "all": "That of every word",
                "itself": "Only its own",
                "later": "Its own and those after it",
                "earlier": "Its own and those before it",
            },
            "later",
        ),
        lambda seed: maps(
            [found("causal", seed).drawn["weights"]], [f"word {changed_word(seed) + 1} is exchanged"],
            ("words looked at", "words"), "123456",
        ),
        "Weights under the mask: nothing above the diagonal.",
        _exchanged,
        lambda finding: (
            f"{int(finding.numbers['words from it on that changed'])} words changed, and none before it: nobody looks "
            "ahead, so the past never depends on the future. That is why a Transformer can learn all positions "
            "at once, and write one after another."
        ),
        drawing=bar_panels(change=(WORDS, Field("change"))),
    ),
)  # fmt: skip
