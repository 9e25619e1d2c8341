"""The views of the chapter on several heads; each module draws one with `show(page)`."""
