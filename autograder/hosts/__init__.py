"""Who calls the grader: a learner's kernel, nbgrader, pytest."""
