"""Many small matrices, multiplied at once."""

import streamlit as st

from attention_ui.chapters.batches import views as batches
from attention_ui.chapters.batches.choices import Chosen, place_controls, size_controls
from attention_ui.controls.sticky import sticky
from attention_ui.controls.tabs import below_picture, open_tab
from attention_ui.export.dialog import close
from attention_ui.frame.layout import open_page
from attention_ui.link.lesson import ask_with
from attention_ui.reading.literal import literal
from attention_ui.shown import show_formula

tools = open_page(
    "Multiply many small matrices at once",
    "Attention multiplies a whole **batch** of matrices in one call. Each number of a product is a row times a column.",
)
with st.sidebar:
    sizes = size_controls("batches")
with sticky("batches"):
    place = place_controls("batches", sizes)
batches.show("batches", sizes)
if sizes.mismatch:
    torch_says, in_words = batches.refusal(sizes)
    st.error(f"torch.bmm says: {literal(torch_says)}")
    st.markdown(f"In plain words: {in_words}")

with below_picture("batches"):
    view = batches.VIEWS[open_tab("batches", batches.TABS)](Chosen("batches", sizes, place))

if not sizes.mismatch:
    show_formula(batches.FORMULA)  # the picture shows it in numbers
ask_with("Make $n$ larger: which numbers of the product change? Which sizes must always be equal?", "n")
close(tools, view)
