"""What is taken home, file by file: pictures that need nobody, tables with every digit, notebooks that are valid."""

import csv
import io
import json
from zipfile import ZipFile

import nbformat
import numpy as np
import pandas as pd
import plotly.graph_objects as go
import plotly.io
import pytest
import torch

from attention_core.data import generate
from attention_core.regression.estimator import Estimator
from attention_ui.controls.dataset import Dataset
from attention_ui.export import file_formats
from attention_ui.export.computation import Computation
from attention_ui.export.dialog import HEAD, TAIL, shortened
from attention_ui.export.lab import exported
from attention_ui.export.standalone import standalone
from attention_ui.export.view import Export
from attention_ui.export.writing import Call
from attention_ui.palette import DIVERGING, PREDICTION, SEQUENTIAL, theme
from attention_ui.snapshot import Shown

SCRIPT = '''import math

import torch

text = """one

two"""
x = 1

# why
@staticmethod
def f():
    a = 1

    return a


print(x)
'''


def small(title="A title", name="small"):
    figure = go.Figure(go.Scatter(x=[1, 2], y=[3, 4], line={"color": PREDICTION}))
    figure.add_heatmap(z=[[0.1, 0.9]], colorscale=SEQUENTIAL)
    figure.add_heatmap(z=[[-0.1, 0.9]], colorscale=DIVERGING)
    return Export(name, title, figure, {}, Computation(Call(dict), "graphs", {}))


def test_a_figure_that_stands_alone_has_the_colours_of_the_light_theme():
    colours = theme("light")
    figure = standalone(small().figure, "A title")
    assert figure.data[0].line.color == colours["chartCategoricalColors"][0]
    assert [colour for _, colour in figure.data[1].colorscale] == colours["chartSequentialColors"]
    assert figure.layout.title.text == "A title"
    stand_ins = {f'"#{slot:06d}"' for slot in range(1, 31)}
    assert not stand_ins & set(figure.to_json().replace(",", " ").replace("]", " ").split())


def test_the_figure_on_the_page_keeps_its_stand_ins():
    export = small()
    standalone(export.figure, export.title)
    assert export.figure.data[0].line.color == PREDICTION
    assert export.figure.layout.title.text is None


def test_a_title_of_its_own_is_kept_and_a_users_word_is_shown_as_it_is():
    figure = go.Figure(layout={"title": {"text": "mine"}, "height": 900})
    assert standalone(figure, "other").layout.title.text == "mine"
    assert standalone(go.Figure(), "<b>&").layout.title.text == "&lt;b>&amp;"


def test_html_is_the_page_as_it_was_shown():
    shown = Shown("</title><script>alert(1)</script>", "A **claim**.")
    page = file_formats.html(shown, "http://lab.example/qkv").decode()
    assert page.startswith("<!doctype html>")
    assert "<title>&lt;/title&gt;&lt;script&gt;" in page
    assert "<script>alert" not in page
    assert "<strong>claim</strong>" in page


def test_the_figure_is_read_by_plotly_in_colours_of_its_own():
    figure = plotly.io.from_json(file_formats.plotly(small("A title")).decode())
    assert figure.layout.title.text == "A title"
    assert figure.data[0].line.color == theme("light")["chartCategoricalColors"][0]
    assert list(figure.data[1].z[0]) == [0.1, 0.9]


@pytest.mark.parametrize("text", ["=1+2", "+1", "-1+cmd|' /C calc'!A0", "@SUM(1)", "\t=1"])
def test_no_text_in_a_csv_is_a_formula(text):
    table = pd.DataFrame({text: [-1.5, 2.0], "plain": [text, "word"]})
    header, first, second = csv.reader(io.StringIO(file_formats.csv(table).decode("utf-8"), newline=""))
    assert header == ["'" + text, "plain"]
    assert first == ["-1.5", "'" + text]
    assert second == ["2.0", "word"]


def test_csv_gives_back_the_very_same_numbers():
    numbers = torch.rand(20, generator=torch.Generator().manual_seed(1), dtype=torch.float64) ** 30
    table = pd.DataFrame({"x": numbers.tolist(), "täg": ["a,b"] * 20})
    table.loc[3, "x"] = float("nan")
    header, *rows = csv.reader(io.StringIO(file_formats.csv(table).decode("utf-8")))
    assert header == ["x", "täg"]
    assert [name for _, name in rows] == ["a,b"] * 20
    assert [float(x) for x, _ in rows] == pytest.approx(table["x"].tolist(), rel=0, abs=0, nan_ok=True)


def test_a_script_is_cut_between_statements_and_never_inside_one():
    first, *rest = file_formats.paragraphs(SCRIPT)
    assert first == "import math\n\nimport torch"
    assert rest[0] == 'text = """one\n\ntwo"""\nx = 1'
    assert rest[1].startswith("# why\n@staticmethod")
    assert rest[1].endswith("return a")
    assert rest[2:] == ["print(x)"]


@pytest.mark.parametrize("title", ["Plain", "a_b *c* <i>"])
def test_a_notebook_is_valid_and_holds_the_whole_script(title):
    made = file_formats.notebook(small(title), SCRIPT)
    assert made == file_formats.notebook(small(title), SCRIPT)  # a second press gives the same file
    notebook = nbformat.reads(made.decode(), as_version=4)
    nbformat.validate(notebook)
    assert (notebook.nbformat, notebook.nbformat_minor) == (4, 5)
    heading, *cells = notebook.cells
    assert heading.cell_type == "markdown"
    assert heading.source.replace("\\", "") == f"# {title}"
    assert "".join("\n".join(cell.source for cell in cells).split()) == "".join(SCRIPT.split())
    assert len({cell["id"] for cell in json.loads(made)["cells"]}) == len(notebook.cells)


def test_a_long_script_is_shown_without_its_middle():
    lines = [f"x{i} = {i}" for i in range(1000)]
    shown, hidden = shortened("\n".join(lines))
    assert hidden == 1000 - HEAD - TAIL
    assert shown.splitlines()[:HEAD] == lines[:HEAD]
    assert shown.splitlines()[-TAIL:] == lines[-TAIL:]
    assert shortened("a = 1\n") == ("a = 1\n", 0)


def test_names_of_files_come_from_us_alone():
    dataset = Dataset.own(Dataset().samples(), "../x", "y", "../../etc/passwd")
    export = exported(dataset, Estimator(0.5))
    assert export.name == "kernel-regression"
    assert set(export.tables) == {"data", "predictions", "weights"}
    assert "passwd" in export.title
    assert "passwd" not in "".join(
        script.text.partition("import")[2] for script in (export.with_core(), export.alone())
    )


def test_every_file_of_an_export_can_be_made(tmp_path):
    export = exported(Dataset.measured("motorcycle"), Estimator(3.0))
    for table in export.tables.values():
        assert file_formats.csv(table).decode("utf-8").count("\n") == len(table) + 1
    assert len(plotly.io.from_json(file_formats.plotly(export).decode()).data) == len(export.figure.data)
    for script in (export.with_core(), export.alone()):
        assert file_formats.notebook(export, script.text)


def test_more_numbers_than_one_would_read_come_in_a_file_beside_the_script():
    samples = generate(n=1_500, seed=1)
    script = exported(Dataset.own(samples, "x", "y", "a file"), Estimator(0.5)).alone()
    assert "# Keep kernel-regression-torch.npz beside this script.\n" in script.text
    assert 'np.load("kernel-regression-torch.npz")' in script.text
    assert len(script.text.splitlines()) < 80
    archive = ZipFile(
        io.BytesIO(file_formats.archive({"a.py": script.text.encode(), "a.npz": file_formats.npz(script.numbers)}))
    )
    assert archive.namelist() == ["a.py", "a.npz"]
    with np.load(io.BytesIO(archive.read("a.npz")), allow_pickle=False) as numbers:
        assert np.array_equal(numbers["points_0"], samples.x)
        assert np.array_equal(numbers["points_1"], samples.y)
