"""Open a page of the app in AppTest, by its name and what its link says."""

from streamlit.testing.v1 import AppTest


def opened(page: str, **parameters: str) -> AppTest:
    """The page as a visitor with this link meets it; an exception on it fails the test."""
    app = AppTest.from_file("../../app.py", default_timeout=60)
    if page != "home":
        app.switch_page(f"pages/{page}.py")
    for name, value in parameters.items():
        app.query_params[name] = value
    app.run()
    assert not app.exception, app.exception
    return app
