"""Texts to texts: tasks, a GRU decoder with additive attention, decoding, training, occlusion, trained models."""
