"""What a visitor trains: the settings of a run, in words and as a link writes them."""

from attention_core.transformer.training import TransformerTrainingConfig
from attention_ui.link.values import list_reader, number_reader, option_reader, switch_reader, written_list
from attention_ui.live.sequences import Made, Plan

HEADS, WIDTHS, LAYERS, STEPS, SEEDS = (1, 2, 4), (16, 32, 64), (1, 2), (100, 1500), (0, 50)
NORMS = {"post": "Post", "pre": "Pre"}
READ = list_reader(
    number_reader(1, STEPS[1]),
    option_reader(HEADS),
    option_reader(WIDTHS),
    option_reader(LAYERS),
    option_reader(NORMS),
    switch_reader,
    number_reader(*STEPS),
    number_reader(*SEEDS),
)

TransformerMade = Made[TransformerTrainingConfig]


def config_of(
    heads: int, width: int, layers: int, norm: str, positions: bool, steps: int, seed: int
) -> TransformerTrainingConfig:
    """The settings of a run."""
    return TransformerTrainingConfig(
        steps=steps, width=width, heads=heads, layers=layers, hidden=2 * width, norm_first=norm == "pre",
        positions=positions, seed=seed,
    )  # fmt: skip


def read_made(text: str) -> TransformerMade | None:
    """A run as a link writes it: the steps that were made, then the settings."""
    if not (values := READ(text)):
        return None
    made, *settings = values
    config = config_of(*settings)
    return Made(Plan("reverse", config), made) if made <= config.steps else None


def written_made(made: TransformerMade | None) -> str:
    """The same as text; nothing where there is no run."""
    if made is None:
        return ""
    own = made.plan.config
    norm = "pre" if own.norm_first else "post"
    return written_list((made.steps, own.heads, own.width, own.layers, norm, own.positions, own.steps, own.seed))


def settings_of(own: TransformerTrainingConfig) -> str:
    """The settings in words."""
    norm, places = "pre" if own.norm_first else "post", "" if own.positions else "no "
    return (
        f"heads {own.heads}, layers {own.layers}, width {own.width}, {norm}-norm, {places}positions, "
        f"{own.steps:,} steps, seed {own.seed}"
    )


def linked_sentence(linked: TransformerMade) -> str:
    """What the link holds, and what to press."""
    return (
        f"This link holds a model that was trained for **{linked.steps:,}** steps ({settings_of(linked.plan.config)}). "
        "**Train again** makes the same model from its seed."
    )
