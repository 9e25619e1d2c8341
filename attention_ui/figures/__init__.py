"""Tensors -> plotly figures: pure functions that know no Streamlit."""
