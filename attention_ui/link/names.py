"""The names of all choices in a link, by what they begin with.

A link may hold a choice of a part of the page that is closed, which no register knows: only what is in neither was
ignored.
"""

# The edits are for Undo alone: a link never shows them. What is held and the file are names of what a browser holds.
DATA = "function n noise seed points edits held file columns"
NAMES = {
    prefix: frozenset(names.split())
    for prefix, names in {
        "home_": "width query stretch",
        "cues_": "newspaper paper cup notebook book goal blend tab",
        "qkv_": "space temperature hard query looks seed line plane values",
        "heatmaps_": "source patterns n band shared sharpness row tab sample file",
        "kr_": f"{DATA} kernel linear width query stretch tab more",
        "batches_": "n a b c mismatch batch row column tab tilt size",
        "lw_": f"{DATA} w0 rate epochs optimizer loss loo heads tab epoch query hand reveal step earlier",
        "scoring_": (
            "tab block_score block_query block_key q k v temperature d draw width share both mask_causal mask_rows "
            "mask_0 mask_1 mask_row_0 mask_row_1 mask_row_2 mask_row_3 mask_row_4 mask_row_5 question sigma shared "
            "strength tokens"
        ),
        "bahdanau_": "tab task digits date at learns hidden steps rate seed trained length symbol",
        "multihead_": (
            f"{DATA} tab count share share3 share4 head1_width head2_width head3_width head4_width head3_part "
            "head4_part query stretch vector_heads on_1 on_2 on_4 on_8 seed_vectors token"
        ),
        "sa_": (
            "tab text order look causal seed strength offset position width columns_8 columns_16 columns_32 "
            "cost_width length"
        ),
        "transformer_": (
            "tab text model block at temperature draw seed heads width layers norm positions steps training_seed "
            "trained"
        ),
        "exercises_": "seed at answers tries",
    }.items()
}

# What is a visitor's own: Share leaves it out of the link.
ANSWERS = {"exercises_answers", "exercises_tries"}
IN_BROWSER = {"kr_more", "lw_earlier"}
SEEDS = {"exercises_seed"}  # goes along where all shall have the same data


def is_known(name: str, prefix: str) -> bool:
    """Whether a chapter whose keys begin so has a choice of this name."""
    return name.startswith(prefix) and name.removeprefix(prefix) in NAMES.get(prefix, ())
