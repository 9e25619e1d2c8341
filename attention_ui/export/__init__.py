"""Take a page home: its picture, its numbers, and the code that makes them again."""

# Imports nothing, as every package of ours: two threads that import different modules of a package whose own module
# imports them could wait for each other.
