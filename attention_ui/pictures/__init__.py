"""What moves: a picture made of panels (curve, heatmap, plane, table) and graphs, moved without the server."""
