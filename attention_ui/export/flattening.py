"""A script that reads from top to bottom: what is called once is written out where it is called.

Each rule makes one small edit to the text and leaves everything else as it stands, so that the statements are those
that ran; the rules are tried until none applies. What a rule cannot be sure of, it leaves alone.
"""

from collections.abc import Callable
from functools import lru_cache

from attention_ui.export import fixed_values, inlining, joining
from attention_ui.export.layout import grouped, laid_out
from attention_ui.export.program import Program

RULES: tuple[Callable[[Program], str | None], ...] = (  # each gives the text with one change, or None
    fixed_values.spread_values,
    fixed_values.spread_stars,
    fixed_values.decide,
    fixed_values.end_with_return,
    fixed_values.fix_parameters,
    joining.look_up,
    joining.unite,
    joining.join,
    inlining.write_out,
    joining.unroll,
    inlining.write_in,
    joining.leave_out,
)


@lru_cache(maxsize=64)
def flat(text: str) -> str:
    """The same program with what it calls once in place of the calls."""
    while (changed := _changed(Program(text))) is not None:
        text = changed
    return laid_out(grouped(text))


def _changed(program: Program) -> str | None:
    return next((text for rule in RULES if (text := rule(program)) is not None), None)
