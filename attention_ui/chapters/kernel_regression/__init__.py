"""The lab: kernel regression at every width of a slider, and its attention weights."""
