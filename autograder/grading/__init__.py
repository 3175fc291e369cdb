"""From a submission and an exam to a report."""
