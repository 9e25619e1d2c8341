"""Exercises on sequences: decoders, heads, order and the causal mask."""

from attention_core.experiments import Finding
from attention_core.experiments.causal import changed_word
from attention_core.sequences.checkpoint import CHECKPOINTS
from attention_ui.chapters.exercises.exercise import Choice, Drawing, Exercise, bar_panels
from attention_ui.chapters.exercises.judging import found
from attention_ui.export.writing import Field
from attention_ui.numbers import short
from attention_ui.pictures.charts import bars, lines, maps
from attention_ui.pictures.heatmap import Names
from attention_ui.pictures.picture import Picture

WORDS = [f"word {word}" for word in range(1, 7)]
BETWEEN_WORDS = Names("word", "word", rows="words", columns="words attended to")
SENTENCE = ("the", "cat", "sat", "on", "a", "mat")


SHORT, LONG = (CHECKPOINTS[name].config for name in ("reverse-fixed", "reverse-fixed-long"))
DECODERS = ("With attention", "One vector", f"One vector, {LONG.steps:,} steps")


def _right(finding: Finding, count: int = len(DECODERS)) -> Picture:
    """The shares of the first decoders at every length."""
    shares = dict(zip(DECODERS[:count], finding.drawn["right"], strict=False))
    return lines(finding.drawn["lengths"], shares, ("digits in the text", "share reversed right"))


def _exchanged(finding: Finding) -> Picture:
    place = int(finding.numbers["word exchanged"]) - 1
    names = [f"{name}, exchanged" if i == place else name for i, name in enumerate(WORDS)]
    return bars(names, {"change": finding.drawn["change"]}, "largest change of its output")


def _shuffled(finding: Finding) -> Picture:
    plain, placed = finding.drawn["changes"]
    words = [SENTENCE[place] for place in finding.drawn["order"].tolist()]
    return bars(words, {"With positions": placed, "Without": plain}, "largest change of its output")


def _alignment(seed: int) -> Picture:
    names = Names("written digit", "read digit", rows="digits written, then the end", columns="digits read")
    return maps([found("blanked", seed).drawn["weights"]], ["weights"], names)


EXERCISES = (
    Exercise(
        "bottleneck",
        "bahdanau",
        "One vector for everything",
        f"Two decoders were trained for {SHORT.steps} steps to reverse strings of {SHORT.shortest} to {SHORT.longest} "
        "digits. One gets a single vector for the whole text, the other attends to every digit. **Where does the "
        "decoder "
        "with the single vector get less than 90 % right?**",
        Choice(
            {
                "neither": "Neither at 3 digits nor at 6",
                "long": "At 6 digits, but not at 3",
                "both": "At 3 digits and at 6",
            },
            "long",
        ),
        lambda seed: _right(found("bottleneck", seed), count=1),
        "The decoder with attention, on 50 unseen strings of each length.",
        _right,
        lambda finding: (
            "The single vector must hold every digit and its place. After "
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
        "Is attention an explanation?",
        "For every digit that the decoder writes, one digit of the text is replaced: first the one with the **largest "
        "weight**, then instead the one with the **smallest**. **Which change makes the decoder write another digit "
        "more often?**",
        Choice(
            {
                "most": "Replacing the digit with the largest weight",
                "same": "Both about equally often",
                "least": "Replacing the digit with the smallest weight",
            },
            "most",
        ),
        _alignment,
        "What the decoder attends to while it reverses the first of eight texts.",
        lambda finding: bars(
            ["largest weight", "smallest weight"], {"changed": finding.drawn["shares"]}, "share of digits that changed"
        ),
        lambda finding: (
            f"{short(100 * finding.numbers['changed with the most attended digit'])} % against "
            f"{short(100 * finding.numbers['changed with the least attended digit'])} % of the digits change: here "
            "the weights do tell what the output depends on. This was found by changing the input, and it holds for "
            "this "
            "small model. The weights alone do not prove it."
        ),
        lambda seed: {"bahdanau_tab": "explain"},
        drawing=bar_panels(share_of_digits_that_changed=(["largest weight", "smallest weight"], Field("shares"))),
    ),
    Exercise(
        "heads",
        "multihead",
        "One head into eight",
        "A layer of attention with one head is split into **eight heads**, and its width stays the same. **How many "
        "numbers does it learn now?**",
        Choice(
            {
                "more": "Eight times as many",
                "same": "As many as before",
                "fewer": "An eighth",
            },
            "same",
        ),
        lambda seed: maps([found("heads", seed).drawn["single"][0]], ["one head"]),
        "Six random tokens, one head.",
        lambda finding: maps(list(finding.drawn["maps"]), [f"head {head}" for head in range(1, 9)]),
        lambda finding: (
            f"{int(finding.numbers['parameters with eight heads']):,} in both cases: the learned matrices are only cut "
            f"into strips, each {int(finding.numbers['width of each of eight heads'])} wide. The layer gets eight "
            "different heatmaps, and each head compares fewer numbers."
        ),
        drawing=Drawing("heatmaps", {"matrices": {f"head {head + 1}": Field("maps", head) for head in range(8)}}),
    ),
    Exercise(
        "shuffle",
        "self_attention",
        "Shuffled words",
        "The words of a sentence are shuffled. **Does the output of each word change**, without positional encoding "
        "and with it?",
        Choice(
            {
                "both": "It changes in both cases",
                "positions": "Only with positions",
                "plain": "Only without positions",
                "neither": "In neither case",
            },
            "positions",
        ),
        lambda seed: maps([found("shuffle", seed).drawn["weights"]], ["weights"], BETWEEN_WORDS, SENTENCE),
        "Self-attention of six words before the shuffle, without positions.",
        _shuffled,
        lambda finding: (
            "Without positions the scores of two words do not depend on where they stand, so nothing changes but "
            f"rounding ({short(finding.numbers['largest change without positions'])}). With positions the order enters "
            "the scores."
        ),
        drawing=bar_panels(without_positions=(WORDS, Field("changes", 0)), with_positions=(WORDS, Field("changes", 1))),
    ),
    Exercise(
        "causal",
        "transformer",
        "Under the causal mask",
        "Each word may attend only to itself and to the words before it. One word in the middle is exchanged. **Whose "
        "output changes?**",
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
            BETWEEN_WORDS,
        ),
        "The weights under the mask: nothing above the diagonal.",
        _exchanged,
        lambda finding: (
            f"{int(finding.numbers['words from it on that changed'])} outputs changed, that of the exchanged word and "
            "those after it. No word attends to a later one, so earlier outputs do not depend on it. That is why a "
            "Transformer can train on all positions at once, and write one symbol after another."
        ),
        drawing=bar_panels(change=(WORDS, Field("change"))),
    ),
)  # fmt: skip
