"""The home page: one slider, one curve, one heatmap, and the way to every chapter."""
