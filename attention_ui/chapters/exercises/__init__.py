"""The chapter with exercises: a visitor predicts the result of an experiment, which then runs."""
