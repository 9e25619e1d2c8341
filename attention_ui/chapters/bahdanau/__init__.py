"""The chapter on Bahdanau's attention: a decoder that learns where to look while it writes."""
