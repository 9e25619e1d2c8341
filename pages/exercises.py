"""Exercises: predict, then let the experiment decide."""

from attention_ui.chapters.exercises.progress import progress
from attention_ui.chapters.exercises.views import exercise
from attention_ui.export.dialog import close
from attention_ui.frame.layout import open_page

tools = open_page("Predict, then see", "Commit to an answer, and the experiment runs on **fresh data** to decide.")
close(tools, exercise(progress()))
