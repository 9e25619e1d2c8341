"""A figure shows a visitor's words as they are."""

from attention_ui.export.style import axis


def test_a_users_axis_title_is_shown_literally():
    assert axis('<a href="x">dose</a> & more')["title"]["text"] == '&lt;a href="x">dose&lt;/a> &amp; more'
