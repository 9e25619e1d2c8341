"""The chapter on the learned w: gradient descent finds how sharply to attend."""
