"""One query among six key-value pairs: what it asks, what answers, and the picture in which both move."""
