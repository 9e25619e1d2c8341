"""A training run that is watched, stopped and gone on with: one for all chapters."""
