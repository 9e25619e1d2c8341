"""The chapter on self-attention: words that attend to each other, positions, and costs."""
