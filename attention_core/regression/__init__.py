"""Kernel regression: estimators, how to choose a width, errors, and what happens with more data."""
