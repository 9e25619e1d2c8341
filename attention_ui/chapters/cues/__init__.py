"""The desk of the first chapter: its choices, its picture, and what stands below it."""
