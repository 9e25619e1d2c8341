"""Widgets that several chapters use, and the choices they stand for."""
