"""Everything about one exercise for a learner: check, hint, prediction, examples; and the learner's progress."""
