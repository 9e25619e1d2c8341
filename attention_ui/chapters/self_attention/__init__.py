"""The chapter on self-attention: words that ask each other, positions, and costs."""
