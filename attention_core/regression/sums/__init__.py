"""Kernel sums over many keys without looking at every pair: exact to the last digits, whatever the width."""
