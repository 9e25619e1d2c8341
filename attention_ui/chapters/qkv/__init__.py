"""The chapter on queries, keys and values: one query among six pairs, and the picture in which all of them move."""
