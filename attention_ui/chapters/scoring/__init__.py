"""The chapter on scores: a module for each view, with its calls and figures beside it."""
