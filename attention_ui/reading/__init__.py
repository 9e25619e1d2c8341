"""A visitor's files and pasted text as tables and matrices, or one clear sentence that says why not."""
