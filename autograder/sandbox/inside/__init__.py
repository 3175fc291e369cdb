"""What runs inside the sandbox. Imports the standard library, the course and itself, nothing else."""
