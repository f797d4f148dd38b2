"""Small, sound inputs of every reader, made here, and a few bombs; what they hold is of no interest."""
