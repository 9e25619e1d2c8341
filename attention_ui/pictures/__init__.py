"""Pictures that move: what they show is computed once, and the browser only paints."""
