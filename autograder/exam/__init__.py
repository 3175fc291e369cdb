"""Exams: the inputs, and what references were observed to do with them."""
