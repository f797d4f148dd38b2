"""Measurements that can be repeated: `python -m benches`. Each prints a table of figures and ratios."""
