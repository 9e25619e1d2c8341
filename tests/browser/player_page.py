"""A stage with its own play bar, as pages without a slider use it."""

import streamlit as st

from attention_core.pooling import kernel_pool
from attention_core.regression.frames import key_groups, summed
from attention_ui.controls.dataset import Dataset
from attention_ui.pictures import stage
from attention_ui.pictures.scenes import queries_for, width_scene
from attention_ui.pictures.stage.scene import pack

WIDTHS = (5.0, 2.0, 1.0, 0.5, 0.25, 0.1)

dataset = Dataset()
scene = width_scene(dataset, "gaussian", False, WIDTHS)
played = stage.Scene(**{**scene.__dict__, "player": stage.Player(frames_per_second=20, unit="width")})
frame = int(st.session_state.get("pp_stage", {}).get("frame") or 0)
output, weights = kernel_pool(queries_for(dataset), *dataset.samples(), WIDTHS[frame])
st.title("Player")
stage.show("pp_stage", pack(played), stage.Cue(frame, output, summed(weights, key_groups(50))))
st.write(f"settled at frame {frame}")
