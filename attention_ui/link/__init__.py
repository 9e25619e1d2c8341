"""The address: what it keeps, lessons, sharing, and what of it was ignored."""
