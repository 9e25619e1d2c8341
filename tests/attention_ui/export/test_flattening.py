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
        height = 2
        half = 3.0 / 2  # of it
        shown = half * height * 2

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
        None,
    ),
    "a number without a name stands where it is used, one with a name keeps it": (
        """
        def corner(rows, n, size):
            whole = [row[:n] for row in rows]
            return whole[:size]

        shown = corner([[1, 2], [3, 4]], 1, size=2)
        """,
        """
        rows = [[1, 2], [3, 4]]
        size = 2
        whole = [row[:1] for row in rows]
        shown = whole[:size]
        """,
    ),
    "the parts of an argument get their names at once": (
        """
        def drawn(n):
            x = list(range(n))
            return x, [2 * each for each in x]

        def total(points):
            keys, values = points
            return sum(keys) + sum(values)

        shown = total(drawn(n=3))
        """,
        """
        n = 3
        x = list(range(n))
        keys, values = x, [2 * each for each in x]
        shown = sum(keys) + sum(values)
        """,
    ),
    "what has its name already is not named again": (
        """
        def scaled(x):
            rows = [2 * each for each in x]
            rows.append(1)
            return rows

        def both(x):
            rows = scaled(x)
            return len(rows) + rows[0]

        shown = both([3])
        """,
        """
        x = [3]
        rows = [2 * each for each in x]
        rows.append(1)
        shown = len(rows) + rows[0]
        """,
    ),
    "a function that says no more than a call is written in everywhere": (
        """
        def curve(x):
            return x**2 + 1

        def drawn(function, x):
            noisy = function(x) + 0.5
            return noisy - function(2 * x) + function(x)

        shown = drawn(curve, 3)
        """,
        None,
    ),
    "an entry of a dictionary that is handed on is looked up": (
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
        run = {"a": a, "b": b}
        c = b * 2
        shown = run | {"c": c}
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
