"""The chapter on batches: many small products in one call."""
