"""A picture with its own play bar, as pages without a slider use it."""

from dataclasses import replace

import streamlit as st

from attention_core.pooling import kernel_pool
from attention_core.regression.frames import key_groups, summed
from attention_ui.controls.dataset import Dataset
from attention_ui.controls.player_position import played_to, take_frame
from attention_ui.pictures.picture import Player, Update, pack, show_picture
from attention_ui.pictures.regression import queries_for, width_picture

WIDTHS = (5.0, 2.0, 1.0, 0.5, 0.25, 0.1)


def take() -> None:
    take_frame("pp_frame", "pp_stage", range(len(WIDTHS)))


dataset = Dataset()
played = replace(width_picture(dataset, "gaussian", False, WIDTHS), player=Player(frames_per_second=20, unit="width"))
frame = played_to("pp_frame", "widths", range(len(WIDTHS)))
output, weights = kernel_pool(queries_for(dataset), *dataset.samples(), WIDTHS[frame])
st.title("Player")
show_picture("pp_stage", pack(played), Update(frame, output, summed(weights, key_groups(50))), on_frame=take)
st.write(f"settled at frame {frame}")
