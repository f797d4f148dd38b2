"""What Gumption depends on: whether it fits together, is pinned, may be used, and is known to be unsafe."""
