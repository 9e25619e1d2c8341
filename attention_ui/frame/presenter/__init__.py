"""The page on a projector: a slim bar over it, controls in a drawer, a spotlight and a pen."""
