"""The views of the chapter on self-attention; each module draws one with `show(page)`."""
