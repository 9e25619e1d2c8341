"""What a visitor has chosen: a frozen dataclass, and the function that draws its widgets."""
