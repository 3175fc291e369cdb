"""What an exam is made of, and how it is observed: the one code for graders and for learners who have no references."""
