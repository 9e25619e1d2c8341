"""One room per chapter: all that belongs to one chapter alone."""
