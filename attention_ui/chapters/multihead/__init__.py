"""The chapter on several heads: several kernels at once, and multi-head attention on vectors."""
