"""Scripts written flat: the same results, what is called once where it is called, and nothing that is not needed."""

import textwrap

import pytest

from attention_ui.export.flattening import flat

USED = "print(shown)\n"  # or it would be left out
CASES = {
    "a call becomes its statements, with values for its parameters": (
        '''
        def area(width, height):
            """The area of a rectangle."""
            half = width / 2  # of it
            return half * height * 2

        shown = area(3.0, height=2)
        ''',
        """
        # The area of a rectangle.
        width, height = 3.0, 2
        half = width / 2  # of it
        shown = half * height * 2

        """,
    ),
    "nothing stands behind a return that a decided branch has left": (
        """
        def grid(samples=None):
            if samples is None:
                return [0, 1]
            return [samples[0], samples[-1]]

        shown = [grid(None), *grid(None)]
        """,
        """
        def grid():
            return [0, 1]


        shown = [grid(), *grid()]
        """,
    ),
    "what is returned stands in brackets where it needs them": (
        """
        def total(a, b):
            return a + b

        def doubled(numbers):
            return [2 * total(each, 1) for each in numbers]

        shown = doubled([1, 2])
        """,
        """
        numbers = [1, 2]
        shown = [2 * (each + 1) for each in numbers]
        """,
    ),
    "branches that are never taken go, with parameters that never differ": (
        """
        def score(x, offset, flip=False):
            shifted = x if offset is None else x + offset
            if flip:
                shifted = -shifted
            return shifted * 2

        shown = [score(1, None), score(2, None)]
        """,
        """
        def score(x):
            shifted = x
            return shifted * 2


        shown = [score(1), score(2)]
        """,
    ),
    "a name that is asked for later is not taken": (
        """
        def inner(y):
            x = y + 1
            z = x * x
            return x + z

        x = 10
        shown = inner(2)
        total = x + shown
        """,
        """
        x, y = 10, 2
        inner_x = y + 1
        z = inner_x * inner_x
        shown = inner_x + z
        total = x + shown
        """,
    ),
    "a local name hides a function of that name": (
        """
        def step(x):
            return x + 1

        def walk(step, count):
            far = [step * each for each in range(count)]
            return sum(far)

        def both(step):
            return walk(step, 3) + walk(step, 2)

        shown = both(2) + step(step(1))
        """,
        None,
    ),
    "dictionaries are looked up and put together": (
        """
        def first(a):
            b = a + 1
            return {"a": a, "b": b}

        def second(run):
            c = run["b"] * 2
            return run | {"c": c}

        shown = second(first(a=3))
        """,
        """
        a = 3
        b = a + 1
        c = b * 2
        shown = {"a": a, "b": b, "c": c}
        """,
    ),
    "functions in a dictionary are written out one by one": (
        """
        def plain(q, band):
            return q

        def wide(q, band):
            return q * band

        def every(scores, q, band):
            scored = {name: score(q, band) for name, score in scores.items()}
            return {"sum": sum(scored.values()), **scored}

        shown = every({"plain": plain, "wide": wide}, q=2, band=3)
        """,
        """
        q, band = 2, 3
        scored = {
            "plain": q,
            "wide": q * band,
        }
        shown = {"sum": sum(scored.values()), **scored}
        """,
    ),
    "what may return early, waits, or is called twice stays a function": (
        """
        def early(x):
            if x > 1:
                return 1
            return 0

        def lazy(n):
            for each in range(n):
                yield each

        def twice(x):
            y = x + 1
            return y * y

        shown = [early(2), list(lazy(2)), twice(1), twice(2)]
        """,
        None,
    ),
    "a function that sees a name keeps it": (
        """
        SIZE = 3

        def scaled(values):
            return [SIZE * each for each in values]

        def sized(SIZE):
            more = SIZE + 1
            return more * SIZE

        shown = [scaled([1]), scaled([2])]
        other = sized(7)
        shown = shown + [other, scaled([3])]
        """,
        None,
    ),
}


@pytest.mark.parametrize(("program", "expected"), CASES.values(), ids=list(CASES))
def test_a_flat_program_gives_the_same(program, expected):
    text = textwrap.dedent(program).lstrip() + USED
    made = flat(text)
    before: dict[str, object] = {}
    after: dict[str, object] = {}
    exec(text, before)  # our own words, above
    exec(made, after)
    assert after["shown"] == before["shown"], made
    if expected is not None:
        assert made == textwrap.dedent(expected).lstrip() + USED
    assert flat(made) == made, "nothing is left to do"
