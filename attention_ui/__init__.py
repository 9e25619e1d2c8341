"""Everything of Attention Lab that knows a browser or a chart; the numbers come from attention_core."""
