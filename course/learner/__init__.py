"""What learners ask of one exercise: a check, a hint, a prediction; and how far they are."""
