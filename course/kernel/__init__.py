"""The running notebook: its cells and their history, who looks on, limits of time and memory."""
