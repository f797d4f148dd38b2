"""The web application where people rate what models said, and the state behind it.

`study` has the nouns, `from_runs` makes a study out of run folders, `store` keeps it, `assignment` says who
is shown what next, `progress` and `export` are the organiser's. Needs the extra [rating].
"""
