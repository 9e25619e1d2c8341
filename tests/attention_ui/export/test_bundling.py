"""Many modules as one file: only what is used, above where it is used, under names of their own, without guards."""

import textwrap

import pytest

from attention_ui.export.bundling import bundle
from attention_ui.export.modules import Place, our_source


def bundled(name="run", **modules):
    """The bundle of what `own.start` calls run, from modules of these texts."""
    texts = {f"own.{module}": textwrap.dedent(text) for module, text in modules.items()}
    return str(bundle([Place("own.start", name)], texts.get))


def computation(script):
    names = {}
    exec(compile(script, "bundle", "exec"), names)  # our own text
    return names


def test_only_what_is_used_is_there_with_its_comments_in_the_order_of_need():
    text = bundled(
        start='''
            """What begins."""

            import math
            import os
            from own.tools import table, unused

            def run():
                """Look it up."""
                return table["root"] + math.pi

            def other():
                return os
            ''',
        tools='''
            """What is needed.

            At length.
            """

            import sys
            from math import sqrt

            # why two
            TWO, THREE = 2, 3
            SPARE = sys.path

            def root():
                return sqrt(TWO)  # of two

            table = {"root": root()}
            table["more"] = THREE

            def unused():
                return SPARE
            ''',
    )
    assert text == textwrap.dedent(
        '''\
        import math
        from math import sqrt

        # why two
        TWO, THREE = 2, 3


        def root():
            return sqrt(TWO)  # of two


        table = {"root": root()}
        table["more"] = THREE


        def run():
            """Look it up."""
            return table["root"] + math.pi
        '''
    )
    assert computation(text)["run"]() == pytest.approx(2**0.5 + 3.14159265)


def test_names_that_two_modules_share_are_told_apart_and_nothing_else_is_touched():
    text = bundled(
        start="""
            from own.first import _help, answer as asked
            from own import second
            BLOCK = 1
            def run(block=BLOCK):
                first = second.answer(BLOCK=block)
                return BLOCK, _help(), asked(), first, f"{_help():>4}", "BLOCK and _help"
            """,
        first="""
            BLOCK = 10
            def _help():
                return BLOCK
            def answer():
                return [BLOCK for BLOCK in range(3)]
            """,
        second="""
            BLOCK = 100
            def _help():
                é = "ü", BLOCK  # not a byte off
                return é
            class Keeper:
                KEPT = BLOCK + 1
                BLOCK: BLOCK = "its own"
                def held(self):
                    return BLOCK
            def answer(BLOCK):
                return BLOCK, _help(), Keeper().held(), Keeper.KEPT
            """,
    )
    expected = (1, 10, [0, 1, 2], (1, ("ü", 100), 100, 101), "  10", "BLOCK and _help")
    assert computation(text)["run"]() == expected
    assert "BLOCK = 1\n" in text, "the start keeps its names"
    assert {"BLOCK_first = 10", "BLOCK_second = 100"} <= set(text.splitlines())
    assert "second.answer" not in text


def test_names_from_outside_and_of_python_itself_are_kept_apart_too():
    text = bundled(
        start="""
            from __future__ import annotations
            from own.first import sum, floor
            import math as m
            def run():
                return sum([1]), floor(2.5), m.floor(2.5)
            """,
        first="""
            import math
            from operator import floordiv as floor_of
            def sum(numbers):
                return "own"
            def floor(number):
                math = sum_of(range(3))
                return math, floor_of(7, 2)
            def sum_of(numbers):
                return max(numbers)
            """,
    )
    assert text.startswith("from __future__ import annotations\n\nimport math\nfrom operator import floordiv\n")
    assert computation(text)["run"]() == ("own", (2, 3), 2)


def test_what_was_reached_through_a_module_is_not_hidden_by_a_name_nearby():
    text = bundled(
        start="from own import tools\ndef run(load=1):\n    return load + tools.load()\n",
        tools="def load():\n    return 41\n",
    )
    assert computation(text)["run"]() == 42


def test_what_a_module_only_passes_on_is_found_where_it_is():
    text = bundled(
        start="from own.middle import deep\ndef run():\n    return deep()\n",
        middle="from own.bottom import deep as deep\n",
        bottom="def deep():\n    return again(3)\ndef again(n):\n    return n and deep_down(n)\n"
        "def deep_down(n):\n    return again(n - 1)\n",
    )
    assert computation(text)["run"]() == 0
    assert "middle" not in text


def test_a_line_that_a_longer_name_makes_too_long_gives_its_comment_away():
    long = "x" * 95
    text = bundled(
        start="from own.first import other\nBLOCK = 1\ndef run():\n    return BLOCK, other()\n",
        first=f"BLOCK = 2\ndef other():\n    return BLOCK  # {long}\n",
    )
    assert f"    # {long}\n    return BLOCK_first\n" in text


def test_a_name_from_nowhere_is_refused():
    with pytest.raises(ValueError, match=r"own.start uses lost, and nothing there says where it comes from"):
        bundled(start="def run():\n    return lost\n")


@pytest.mark.parametrize(
    ("module", "known"),
    [
        ("attention_core.pooling", True),
        ("attention_core", True),
        ("attention_core.pooling.attend", False),
        ("torch", False),
    ],
)
def test_only_our_own_modules_are_read(module, known):
    assert (our_source(module) is not None) is known
