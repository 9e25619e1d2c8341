"""What a page computes for a picture: choices in, named tensors out."""
