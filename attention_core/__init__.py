"""Attention as kernel regression, in plain torch: queries meet keys, softmax makes weights, values are averaged."""
