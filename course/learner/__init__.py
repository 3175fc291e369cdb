"""All functions for learners that are about one exercise: check, hint, prediction, examples; also their progress."""
