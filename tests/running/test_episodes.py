def test_mistakes_are_kept_in_words_and_steps_counted_from_one():
    from gumption.records import ErrorKind, Mistake
    from gumption.running.episodes import _told

    first = Mistake(ErrorKind.MISSING_STEP, "unmet: (clear b)", step=2)
    assert _told(first) == "step 3: unmet: (clear b)"
    later = Mistake(ErrorKind.GOAL_UNREACHED, "unmet goal: (on a b)", secondary=True)
    assert _told(later) == "unmet goal: (on a b) (may follow from an earlier mistake)"
