"""Multi-head attention, positions, layers, and a small encoder-decoder built from them."""
