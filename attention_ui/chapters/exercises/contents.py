"""All exercises, in the order of the story."""

from attention_ui.chapters.exercises import first_ideas, learning, regression, scoring, sequences
from attention_ui.chapters.exercises.exercise import Exercise

EXERCISES: list[Exercise] = [
    *first_ideas.EXERCISES,
    *regression.EXERCISES,
    *learning.EXERCISES,
    *scoring.EXERCISES,
    *sequences.EXERCISES,
]
