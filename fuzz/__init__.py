"""Hostile bytes for every reader of what others wrote: `make fuzz READER=tsv SECONDS=600`.

`seeds` makes small, sound inputs, `mutating` damages them, `child` hands them to the reader under limits of
memory and time, and `__main__` records in `results.jsonl` what came of it. Input number N of a reader is a
function of the seed and of N alone: `python -m fuzz tsv --only N` makes it again.
"""
