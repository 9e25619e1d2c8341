"""What the running page has told Streamlit: its controls, and the values that stand in its link.

Streamlit has no public way to ask; everything that leans on its inner parts is in this file.
"""

from urllib.parse import parse_qsl

from streamlit.runtime.scriptrunner import get_script_run_ctx
from streamlit.runtime.state.query_params import _coerce_value_for_query_url


def keys_on_the_page() -> frozenset[str]:
    """The keys of all widgets and components of this run so far."""
    ctx = get_script_run_ctx()
    return ctx.shared.widget_user_keys_this_run.snapshot() if ctx else frozenset()


def bound_values() -> dict[str, list[str]]:
    """The values of the widgets that are bound to the link, as a link writes them."""
    ctx = get_script_run_ctx()
    if ctx is None:
        return {}
    state, shown, values = ctx.session_state._state, keys_on_the_page(), {}
    for name, binding in state.query_params._bindings_by_param.items():
        if name in shown:
            metadata = state._new_widget_state.widget_metadata[binding.widget_id]
            written = metadata.serializer(state[binding.widget_id])
            text = _coerce_value_for_query_url(written, metadata.value_type)
            values[name] = text if isinstance(text, list) else [text]
    return values


def address_bar() -> list[tuple[str, str]]:
    """The parameters that the visitor's browser shows right now; st.query_params may lag behind a moved slider."""
    ctx = get_script_run_ctx()
    return parse_qsl(ctx.query_string, keep_blank_values=True) if ctx else []
