"""A page with every kind of element that the lab uses, to try the content-security policy on."""

import pandas as pd
import streamlit as st

SIGN = st.components.v2.component(
    "sign",
    html="<output></output><button>Copy link</button>",
    css="output { color: var(--st-primary-color); }",
    js="""export default function ({ data, parentElement }) {
        const sign = parentElement.querySelector("output")
        sign.textContent = `component at ${data.count}`
        parentElement.querySelector("button").onclick = async () => {
            await navigator.clipboard.writeText(location.href)
            sign.textContent = "copied"
        }
    }""",
)

st.title("Gallery")
count = st.slider("Count", 1, 9, 3)
st.data_editor(pd.DataFrame({"x": [1.0, 2.0], "name": ["a", "b"]}))
st.dataframe(pd.DataFrame({"x": range(3)}))
st.line_chart(pd.DataFrame({"x": [1, 3, 2]}))
st.latex(r"\frac{a}{b}")
st.code("print('attention')", language="python")
table = st.file_uploader("Table", type=["csv"])
if table is not None:
    st.write(f"{len(table.getvalue())} bytes read")
st.download_button("Download", "x,y", "table.csv")
SIGN(data={"count": count}, key="sign")
if st.button("Fail"):
    raise ValueError("for the log alone")
