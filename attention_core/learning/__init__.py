"""The learned w: the model, its gradient, training, several heads, and why a run failed."""
