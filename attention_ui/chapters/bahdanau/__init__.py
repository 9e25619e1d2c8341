"""The chapter on Bahdanau's attention: a decoder that learns what to attend to while it writes."""
