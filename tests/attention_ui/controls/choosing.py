"""What hands do with the data controls on their stand-in page, in AppTest."""

import json
import re

import torch
from streamlit.testing.v1 import AppTest

from attention_core.data import Samples
from attention_ui.reading.literal import JOINER

PAGE = "../../pages/data_page.py"
CSV = "text/csv"
GOOD = b"hour,heat,humid\n3,30,1\n1,10,4\n2,20,9\n4,25,2\n"
GOOD_POINTS = [[1, 10], [2, 20], [3, 30], [4, 25]]


def opened(**link: str) -> AppTest:
    """The stand-in page, opened by a link."""
    app = AppTest.from_file(PAGE, default_timeout=30)
    for name, value in link.items():
        app.query_params[f"first_{name}"] = value
    return clean(app.run())


def clean(app: AppTest) -> AppTest:
    """The same page, when it has not raised."""
    assert not app.exception, app.exception[0].message
    return app


def shown(app: AppTest) -> dict:
    """What the page got to work on."""
    return json.loads(app.json[0].value)


def pairs(samples: Samples) -> list[list[float]]:
    return torch.stack(samples, dim=1).tolist()


def select(app: AppTest, name: str) -> AppTest:
    return clean(app.selectbox(key="first_function").set_value(name).run())


def upload(app: AppTest, content: bytes, name: str = "heat.csv") -> AppTest:
    return clean(app.file_uploader(key="first_upload").set_value((name, content, CSV)).run())


def paste(app: AppTest, text: str) -> AppTest:
    return clean(app.text_area(key="first_pasted").set_value(text).run())


def click(app: AppTest, button: str) -> AppTest:
    return clean(app.button(key=f"first_{button}").click().run())


def sentence(app: AppTest) -> str:
    """The one error on the page, as a reader sees it."""
    (error,) = app.error
    return re.sub(r"\\(.)", r"\1", error.value.replace(JOINER, ""))


def captions(app: AppTest) -> str:
    return " ".join(caption.value for caption in app.caption)
