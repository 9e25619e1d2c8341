"""The views of the chapter on scores; each module draws one with `show(page)`."""
