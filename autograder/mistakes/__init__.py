"""Plausible wrong answers, a file for each unit: exams must refuse them, and reports quote what their authors believe."""
