"""The chapter on heatmaps: patterns of attention, and a visitor's own weights."""
