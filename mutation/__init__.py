"""How much of the code the tests pin: `make mutate ROOM=answers`.

`mutants` makes the small changes that a room's source can suffer, `rooms` says which sources and tests
belong together, `worker` runs the tests that reach a changed line in a copy of the tree, and `__main__` takes
a sample by its seed and records in `results/ROOM.json` which changes no test noticed. Why each of those stays
is said in `survivors.md`.
"""
