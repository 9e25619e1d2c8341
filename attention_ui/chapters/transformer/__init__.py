"""The Transformer, opened: its blocks and their tensors, all its heads, its writing symbol by symbol, its training."""
