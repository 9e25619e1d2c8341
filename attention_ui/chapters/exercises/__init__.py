"""Predict, then see: an exercise asks, the visitor commits, and an experiment decides."""
