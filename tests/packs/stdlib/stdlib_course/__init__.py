"""What learners import: values of the standard library."""
